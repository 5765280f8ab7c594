/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/shrink_convert.h"

#include "harness/casefile/case_attr.h"
#include "harness/model/layout.h"

#include <string.h>

/* Does the test draw legal cases that are executed alone, in ordinary memory? */
static bool draws_plainly(const case_test *t)
{
    return t->draw && t->kind == CASE_VALID && !t->preceded && !t->sparse && !t->vast && !t->asked && !t->fresh &&
           !t->in_place && !t->inside;
}

bool shrink_converts(const case_test *from, const case_test *to)
{
    return draws_plainly(to) && !draws_plainly(from) && !from->sparse && !from->vast && !from->asked &&
           !from->in_place && (from->kind == CASE_VALID || from->kind == CASE_EXAMPLES);
}

/* Values of a test that are being found. */
typedef struct finder {
    const space *s;
    expr_value *values;
} finder;

/* The one axis that an expression reads, or -1. */
static int only_axis(const finder *f, const expr *x)
{
    const uint64_t uses = x ? expr_uses(x) : 0;
    for (size_t i = 0; i < space_axis_count(f->s); ++i)
        if (uses == UINT64_C(1) << i)
            return (int)i;
    return -1;
}

/* Set the scalar axis that an expression is, or reads alone, so that it has the wanted value. */
static void find_scalar(finder *f, const expr *x, int64_t wanted)
{
    const int slot = only_axis(f, x);
    bool failed = false;
    if (slot < 0 || space_axis_at(f->s, (size_t)slot)->per != SPACE_SCALAR)
        return;
    const space_axis *axis = space_axis_at(f->s, (size_t)slot);
    const int64_t before = f->values[slot].v[0];
    f->values[slot].v[0] = wanted;
    const bool named = !axis->symbols || space_symbol(axis, wanted); /* by ids */
    if (named && expr_eval(x, f->values, &failed) == wanted && !failed)
        return;
    for (size_t i = 0; i < axis->count; ++i) {
        f->values[slot].v[0] = axis->values[i];
        failed = false;
        if (expr_eval(x, f->values, &failed) == wanted && !failed)
            return;
    }
    f->values[slot].v[0] = before;
}

/* Set the vector axis that is the whole expression, and its length. */
static void find_vector(finder *f, const expr *x, const int64_t *wanted, uint32_t count)
{
    const int slot = x ? space_axis_named(f->s, expr_text(x)) : -1;
    if (slot < 0 || count > EXPR_MAX_LENGTH)
        return;
    const space_axis *axis = space_axis_at(f->s, (size_t)slot);
    if (axis->per < 0 || axis->position)
        return;
    f->values[axis->per].v[0] = count;
    f->values[slot].length = count;
    memcpy(f->values[slot].v, wanted, count * sizeof *wanted);
}

static void find_tensor(finder *f, const ts_tensor *from, const case_tensor *to, fill data)
{
    const bool present = (from->given & TS_GIVEN_TENSOR) != 0, strided = (from->given & TS_GIVEN_STRIDES) != 0;
    int64_t wanted[TS_MAX_DIMS];
    uint64_t least;
    find_scalar(f, to->present, present);
    if (!present)
        return;
    find_scalar(f, to->dtype, from->dtype);
    for (uint32_t k = 0; k < from->rank; ++k)
        wanted[k] = (int64_t)from->sizes[k];
    find_vector(f, to->sizes, wanted, from->rank);
    find_scalar(f, to->layout, strided ? LAYOUT_STRIDES : LAYOUT_PACKED);
    for (uint32_t k = 0; k < from->rank; ++k)
        wanted[k] = (int64_t)from->strides[k];
    if (strided)
        find_vector(f, to->strides, wanted, from->rank);
    if (tensor_min_bytes(from, &least) && from->total_bytes >= least)
        find_scalar(f, to->extra, (int64_t)(from->total_bytes - least));
    find_scalar(f, to->alignment, from->alignment);
    find_scalar(f, to->fill, data);
}

static void find_attribute(finder *f, const ts_descriptor *d, unsigned k, const case_attr *to)
{
    const bool present = (d->attrs_given >> k & 1) != 0;
    int64_t wanted[EXPR_MAX_LENGTH];
    find_scalar(f, to->present, present);
    if (!present || !case_attr_is_bound(to))
        return;
    const uint32_t count = operator_attr_count(d, k);
    for (unsigned i = 0; !to->value.x && i < count; ++i)
        find_scalar(f, to->members[i].x, case_attr_axis_value(d, k, i, &to->members[i]));
    if (!to->value.x)
        return;
    for (uint32_t i = 0; i < count && i < EXPR_MAX_LENGTH; ++i)
        wanted[i] = case_attr_axis_value(d, k, i, &to->value);
    if (expr_type_of(to->value.x) == EXPR_VECTOR)
        find_vector(f, to->value.x, wanted, count);
    else if (count == 1)
        find_scalar(f, to->value.x, wanted[0]);
}

void shrink_convert(const case_instance *from, const case_test *to, expr_value *values)
{
    const ts_descriptor *d = &from->descriptor;
    finder f = { to->space, values };
    for (size_t i = 0; i < space_axis_count(f.s); ++i) {
        values[i].length = space_axis_at(f.s, i)->per == SPACE_SCALAR ? 1 : SPACE_NOT_DRAWN;
        values[i].v[0] = space_axis_at(f.s, i)->fallback;
    }
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        find_tensor(&f, &d->tensors[t], &to->family->bind.tensors[t], from->fills[t]);
    for (unsigned k = 0; k < d->op->attr_count; ++k)
        find_attribute(&f, d, k, &to->family->bind.attrs[k]);
}
