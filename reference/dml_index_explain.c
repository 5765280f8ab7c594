/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml_index_explain.h"

#include <inttypes.h>
#include <stdio.h>

static bool signed_type(uint32_t dtype)
{
    return dtype == TS_INT32 || dtype == TS_INT64;
}

explained_index dml_explained_index(const ts_tensor *indices, const uint64_t *coord, uint64_t n)
{
    explained_index v = { .negative = false };
    const void *p = tensor_at(indices, coord);
    uint64_t value = 0;
    int32_t narrow = 0;
    uint32_t unsigned_narrow = 0;
    if (indices->dtype == TS_INT32) {
        memcpy(&narrow, p, sizeof narrow);
        value = (uint64_t)(int64_t)narrow;
    } else if (indices->dtype == TS_UINT32) {
        memcpy(&unsigned_narrow, p, sizeof unsigned_narrow);
        value = unsigned_narrow;
    } else {
        memcpy(&value, p, sizeof value);
    }
    v.negative = signed_type(indices->dtype) && value >> 63;
    if (v.negative) {
        uint64_t back = 0 - value; /* its magnitude */
        v.inside = back <= n;
        v.taken = v.inside ? n - back : 0;
        snprintf(v.text, sizeof v.text, "-%" PRIu64, back);
    } else {
        v.inside = value < n;
        v.taken = v.inside ? value : n - 1;
        snprintf(v.text, sizeof v.text, "%" PRIu64, value);
    }
    return v;
}

/* What the indices mean on one axis, or on several. */
static void explain_axes(ts_explanation *x, const ts_tensor *indices, const uint64_t *n, uint32_t axes,
                         const char *clauses, const char *entry)
{
    char added[32] = "the size of the axis", inside[32] = "its axis";
    if (axes == 1) {
        explain_step(x, clauses, "What an index means on an axis of %" PRIu64 " element%s", *n, *n == 1 ? "" : "s");
        snprintf(added, sizeof added, "%" PRIu64, *n);
        snprintf(inside, sizeof inside, "[0, %" PRIu64 ")", *n);
    } else {
        explain_step(x, clauses, "What the indices mean on their axes, of %s elements", explain_list(n, axes).text);
    }
    if (signed_type(indices->dtype))
        explain_say(x,
                    "The indices are signed: a negative index counts from the end, so %s is added to it, and -1 is "
                    "the last element.",
                    added);
    else
        explain_say(
            x, "The indices are unsigned: none is negative, and the largest value of the type does not mean -1; it "
               "is far beyond the axis.");
    explain_say(x,
                "An index that is then outside of %s must not make the call fail or fault, and the value of its "
                "elements is not defined. The reference clamps the index to the edge of the axis; other values are "
                "no mismatch (ledger: %s).",
                inside, entry);
}

void dml_explain_indices(ts_explanation *x, const ts_tensor *indices, uint32_t from, const uint64_t *n, uint32_t axes,
                         const char *clauses, const char *entry)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 }, shown = 0;
    const uint32_t dims = indices->rank;
    bool more = true;
    explain_axes(x, indices, n, axes, clauses, entry);
    if (!indices->data) {
        explain_say(x,
                    "The descriptor has no values of the indices, so the elements below only name the index that they "
                    "use.");
        return;
    }
    for (; more && shown < x->most; ++shown) {
        const uint64_t size = n[axes == 1 ? 0 : coord[dims - 1]];
        explained_index v = dml_explained_index(indices, coord, size);
        char at[160] = "";
        for (uint32_t i = 0; i < dims; ++i)
            explain_append(at, sizeof at, "%s%" PRIu64, i ? "," : "", coord[i]);
        if (v.negative && v.inside)
            explain_show(x, "IndicesTensor[%s] = %s: %s + %" PRIu64 " = %" PRIu64, at, v.text, v.text, size, v.taken);
        else if (v.inside)
            explain_show(x, "IndicesTensor[%s] = %s", at, v.text);
        else
            explain_show(x, "IndicesTensor[%s] = %s: outside of the axis, not defined; clamped to %" PRIu64, at, v.text,
                         v.taken);
        uint32_t i = dims; /* the next index; the leading dimensions stay at 0 */
        while (i > from && ++coord[i - 1] == indices->sizes[i - 1])
            coord[--i] = 0;
        more = i > from;
    }
    if (more)
        explain_show(x, "and so on");
}

bool dml_explain_same_rank(ts_explanation *x, const ts_descriptor *d)
{
    const ts_tensor *t = d->tensors;
    const uint32_t dims = t[0].rank;
    if (t[1].rank == dims && t[2].rank == dims && dims >= 1 && dims <= TS_MAX_DIMS &&
        (t[0].given & t[1].given & t[2].given & TS_GIVEN_ALL) == TS_GIVEN_ALL)
        return true;
    explain_say(x,
                "All three tensors must have the same number of dimensions, 1 to 8, and sizes; they have %u, %u and "
                "%u dimensions. The explanation ends here.",
                dims, t[1].rank, t[2].rank);
    return false;
}
