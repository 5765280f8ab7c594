/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/scratch.h"

#include <string.h>

static union {
    unsigned char bytes[SCRATCH_BYTES];
    int64_t words[SCRATCH_WORDS];
} scratch;

unsigned char *scratch_bytes(void)
{
    return scratch.bytes;
}

int64_t *scratch_words(void)
{
    return scratch.words;
}

void scratch_forget(void)
{
    memset(&scratch, 0, sizeof scratch);
}
