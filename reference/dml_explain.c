/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml_explain.h"

#include <inttypes.h>
#include <stdio.h>

static bool strided(const ts_tensor *t)
{
    return (t->given & TS_GIVEN_TENSOR) && (t->given & TS_GIVEN_STRIDES);
}

/* "12*i0 + 4*i1 + i2", without dimensions of one element. */
static void address_formula(const ts_tensor *t, char *text, size_t room)
{
    text[0] = 0;
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] == 1 || t->strides[i] == 0)
            continue;
        explain_append(text, room, "%s", *text ? " + " : "");
        if (t->strides[i] != 1)
            explain_append(text, room, "%" PRIu64 "*", t->strides[i]);
        explain_append(text, room, "i%u", i);
    }
    if (!*text)
        explain_append(text, room, "0");
}

static void describe_dimensions(ts_explanation *x, const ts_tensor *t)
{
    uint64_t packed = 1;
    char text[TS_MAX_DIMS][64];
    for (uint32_t i = t->rank; i-- > 0;) {
        const char *why = t->sizes[i] <= 1          ? "one element at most: the stride is never used"
                          : t->strides[i] == 0      ? "broadcast: all coordinates share one element"
                          : t->strides[i] == packed ? "packed"
                          : t->strides[i] > packed  ? "wider than packed: another order, or padding"
                                                    : "narrower than packed: another order, or overlap";
        snprintf(text[i], sizeof text[i], "%s", why);
        packed *= t->sizes[i];
    }
    explain_show(x, "dimension        size      stride");
    for (uint32_t i = 0; i < t->rank; ++i)
        explain_show(x, "i%-3u     %12" PRIu64 "  %10" PRIu64 "  %s", i, t->sizes[i], t->strides[i], text[i]);
}

void dml_explain_layout(ts_explanation *x, const ts_descriptor *d, unsigned k)
{
    const ts_tensor *t = &d->tensors[k];
    const char *name = d->op->tensors[k].name;
    char formula[512];
    uint64_t span = 0, least = 0, count = 0;
    if (!(t->given & TS_GIVEN_TENSOR))
        return;
    explain_step(x, strided(t) ? "BUF-08 BUF-09 BUF-10" : "BUF-07 BUF-09 BUF-10",
                 "Where the elements of %s are in memory", name);
    if (t->rank < 1 || t->rank > TS_MAX_DIMS || (t->given & TS_GIVEN_ALL) != TS_GIVEN_ALL) {
        explain_say(x, "%s has no valid sizes, so its elements have no addresses.", name);
        return;
    }
    explain_say(x, strided(t) ? "The descriptor states the strides: the distance in elements between neighbours along "
                                "each dimension."
                              : "The descriptor states no strides, so the elements are packed in row-major order: the "
                                "last dimension is contiguous, and each other stride is the product of all sizes "
                                "behind it.");
    describe_dimensions(x, t);
    address_formula(t, formula, sizeof formula);
    explain_show(x, t->rank == 1 ? "%s[i%u] is element %s of the buffer" : "%s[i0..i%u] is element %s of the buffer",
                 name, t->rank - 1, formula);
    if (!tensor_span_elements(t, &span) || !tensor_min_bytes(t, &least) || !tensor_element_count(t, &count)) {
        explain_say(x, "The span of the tensor exceeds 64 bits, or its type has no size.");
        return;
    }
    explain_say(x,
                "The last element is at %" PRIu64 ", so the tensor spans %" PRIu64 " elements of %zu byte%s: %" PRIu64
                " bytes, rounded up to a multiple of 4; TotalTensorSizeInBytes = %" PRIu64 "%s.%s",
                span ? span - 1 : 0, span, tensor_element_bytes(t->dtype),
                tensor_element_bytes(t->dtype) == 1 ? "" : "s", least, t->total_bytes,
                t->total_bytes < least ? " is too small" : " holds them",
                count > span ? " The span is smaller than the number of elements, so some share an address." : "");
}

void dml_explain_strided(ts_explanation *x, const ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (strided(&d->tensors[k]))
            dml_explain_layout(x, d, k);
}

bool dml_explain_addresses(const ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (strided(&d->tensors[k]))
            return true;
    return false;
}
