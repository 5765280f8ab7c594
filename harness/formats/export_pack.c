/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_pack.h"

#include <stdlib.h>
#include <string.h>

unsigned char *export_pack(const ts_tensor *t, size_t *size)
{
    const size_t bytes = tensor_element_bytes(t->dtype);
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count = 0;
    tensor_element_count(t, &count);
    *size = (size_t)count * bytes;
    unsigned char *packed = malloc(*size + 1), *at = packed;
    if (packed && count > 0)
        do {
            memcpy(at, tensor_at(t, coord), bytes);
            at += bytes;
        } while (tensor_next(t, coord));
    return packed;
}
