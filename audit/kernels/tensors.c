/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/tensors.h"
#include "audit/kernels/lanes.h"

int64_t tensor_step(const ts_tensor *t, uint32_t k)
{
    return t->sizes[k] > 1 ? (int64_t)(t->strides[k] * lane_bytes(t->dtype)) : 0;
}

bool tensor_is_empty(const ts_tensor *t)
{
    for (uint32_t k = 0; k < t->rank; ++k)
        if (t->sizes[k] == 0)
            return true;
    return false;
}

bool tensor_is_dense(const ts_tensor *t)
{
    uint64_t expected = 1;
    for (uint32_t k = t->rank; k-- > 0;) {
        if (t->sizes[k] == 1)
            continue;
        if (t->strides[k] != expected)
            return false;
        expected *= t->sizes[k];
    }
    return true;
}

nest tensor_nest(const ts_tensor *to, const ts_tensor *from, uint32_t bytes)
{
    nest n;
    nest_begin(&n, bytes);
    for (uint32_t k = 0; k < to->rank; ++k)
        nest_add(&n, to->sizes[k], tensor_step(to, k), tensor_step(from, k));
    return n;
}

void tensor_key(plan_key *key, const ts_tensor *t)
{
    plan_key_add(key, lane_bytes(t->dtype));
    plan_key_list(key, t->sizes, t->rank);
    for (uint32_t k = 0; k < t->rank; ++k)
        plan_key_add(key, (uint64_t)tensor_step(t, k));
}
