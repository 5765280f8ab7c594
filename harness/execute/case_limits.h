/* SPDX-License-Identifier: Apache-2.0 */
/* What a backend may spend on cases before Touchstone stops it: the options --time-limit, --memory-limit, --max-losses.
 */
#ifndef TOUCHSTONE_CASE_LIMITS_H
#define TOUCHSTONE_CASE_LIMITS_H

#include <stdint.h>

#define CASE_MEMORY_SHARE     UINT64_C(0)                  /* each worker its share of 3/4 of the machine's memory */
#define CASE_MEMORY_UNLIMITED UINT64_C(0x7FFFFFFFFFFFFFFF) /* and any number above it */

#define CASE_MEMORY_LEAST (UINT64_C(16) << 20) /* a worker needs less for itself, and not much less */

/* Every room that carries these limits embeds this struct, and its members mean the same everywhere. */
typedef struct case_limits {
    double seconds;  /* that one call into the backend may take; a batch of cases is one call. Opening and closing the
                        backend may take longer (the startup grace of pool.c) */
    uint64_t memory; /* bytes that one worker process may hold, or one of CASE_MEMORY_* */
    uint64_t losses; /* cases in a row that may end the worker process before their test is given up; three times as
                        many, in any tests, end the run. A hang counts as several (HANG_WEIGHT of pool_outcome.c).
                        0: any number */
} case_limits;

/* The limits of a run whose user sets none. */
#define CASE_SECONDS_DEFAULT 10.0
#define CASE_LIMITS_DEFAULT                                                                                            \
    {                                                                                                                  \
        .seconds = CASE_SECONDS_DEFAULT, .memory = CASE_MEMORY_SHARE, .losses = 100                                    \
    }

#endif
