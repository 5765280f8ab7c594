/* SPDX-License-Identifier: Apache-2.0 */
/* The hot loop of the generator for processors with wide vectors. */
#ifndef TOUCHSTONE_CPU_PHILOX_WIDE_H
#define TOUCHSTONE_CPU_PHILOX_WIDE_H

#include "backends/cpu/philox.h"

#define PHILOX_ROUNDS       10
#define PHILOX_MULTIPLIER_0 0xD2511F53u
#define PHILOX_MULTIPLIER_1 0xCD9E8D57u
#define PHILOX_WEYL_0       0x9E3779B9u
#define PHILOX_WEYL_1       0xBB67AE85u

/* Blocks that every version of the loop makes at a time. */
#define PHILOX_GROUP 16

/* Write `groups` groups of blocks, counting in word 0 only: the caller sees to it that it does not wrap. */
typedef void (*philox_loop)(const philox_state *state, uint32_t *to, uint64_t groups);

/* The best version for this processor; NULL if it can only run the portable one. */
philox_loop philox_wide_loop(void);

#endif
