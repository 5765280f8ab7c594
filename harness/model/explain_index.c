/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/explain_index.h"

#include "harness/model/value.h"

#include <inttypes.h>
#include <string.h>

void explain_append_index(char *text, size_t room, const ts_descriptor *d, int via, const uint64_t *coord,
                          bool by_tuple)
{
    const ts_tensor *t = &d->tensors[via];
    const uint64_t tuple = by_tuple && t->rank ? t->sizes[t->rank - 1] : 1;
    uint64_t at[TS_MAX_DIMS];
    char value[48];
    memcpy(at, coord, sizeof at);
    explain_append(text, room, "%s[", d->op->tensors[via].name);
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        if (tuple > 1 && i + 1 == t->rank)
            explain_append(text, room, "%s:", i ? "," : "");
        else
            explain_append(text, room, "%s%" PRIu64, i ? "," : "", at[i]);
    explain_append(text, room, "]%s%s", t->data ? " = " : "", t->data && tuple > 1 ? "{" : "");
    for (uint64_t k = 0; t->data && k < tuple && k < TS_MAX_DIMS; ++k) {
        if (tuple > 1)
            at[t->rank - 1] = k;
        explain_append(text, room, "%s%s", k ? "," : "", value_format(t->dtype, tensor_at(t, at), value, sizeof value));
    }
    if (t->data && tuple > 1)
        explain_append(text, room, "}");
}

bool explain_index_is_negative(const ts_descriptor *d, int via, const uint64_t *coord, bool by_tuple)
{
    const ts_tensor *t = &d->tensors[via];
    const uint64_t tuple = by_tuple && t->rank ? t->sizes[t->rank - 1] : 1;
    const unsigned bits = 8 * (unsigned)tensor_element_bytes(t->dtype);
    uint64_t at[TS_MAX_DIMS];
    memcpy(at, coord, sizeof at);
    if (!t->data || bits == 0 || !tensor_dtype(t->dtype) || !tensor_dtype(t->dtype)->is_signed)
        return false;
    for (uint64_t k = 0; k < tuple; ++k) {
        if (tuple > 1)
            at[t->rank - 1] = k;
        if (value_bits(t->dtype, tensor_at(t, at)) >> (bits - 1) & 1)
            return true;
    }
    return false;
}
