/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that kernels share and that keeps what the last call left there. At most one kernel uses it at a time. */
#ifndef TOUCHSTONE_KERNELS_SCRATCH_H
#define TOUCHSTONE_KERNELS_SCRATCH_H

#include <stdint.h>

#define SCRATCH_BYTES (64 * 1024)

/* The SCRATCH_BYTES bytes of it, aligned for any element. */
unsigned char *scratch_bytes(void);

/* The same as SCRATCH_WORDS words. */
#define SCRATCH_WORDS (SCRATCH_BYTES / 8)
int64_t *scratch_words(void);

/* Clear it. */
void scratch_forget(void);

#endif
