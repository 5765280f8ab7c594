/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that kernels keep from call to call. It is one block: at most one kernel uses it at a time. */
#ifndef TOUCHSTONE_KERNELS_SCRATCH_H
#define TOUCHSTONE_KERNELS_SCRATCH_H

#include <stddef.h>

/* At least `bytes` bytes, aligned for any type, with whatever the last user left there. NULL if there is no memory. */
unsigned char *scratch_take(size_t bytes);

/* Free the block. */
void scratch_forget(void);

#endif
