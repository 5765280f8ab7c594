/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/non_zero_shared.h"

bool openvino_is_zero(const ts_tensor *t, const uint64_t *at)
{
    const unsigned char *bytes = tensor_at(t, at);
    const size_t last = tensor_element_bytes(t->dtype) - 1;
    for (size_t i = 0; i < last; ++i)
        if (bytes[i] != 0)
            return false;
    return bytes[last] == 0 || (bytes[last] == 0x80 && tensor_dtype(t->dtype)->is_float); /* the sign does not count */
}

void openvino_store_index(const ts_tensor *out, const uint64_t *at, uint64_t index)
{
    const int32_t narrow = (int32_t)index;
    if (out->dtype == TS_INT32)
        memcpy(tensor_at(out, at), &narrow, sizeof narrow);
    else
        memcpy(tensor_at(out, at), &index, sizeof index);
}
