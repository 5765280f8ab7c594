/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/changes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct changes {
    const ts_descriptor *legal;
    ts_descriptor d; /* to be changed */
    changes_visit *visit;
    void *context;
} changes;

static ts_descriptor *begin(changes *c)
{
    c->d = *c->legal;
    return &c->d;
}

static void TS_PRINTF(2, 3) visit(changes *c, const char *format, ...)
{
    char what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    c->visit(c->context, &c->d, what);
}

static bool is_given(const ts_descriptor *d, unsigned k)
{
    return (d->tensors[k].given & TS_GIVEN_TENSOR) != 0;
}

/* Make the tensor packed again. */
static void settle(ts_tensor *t)
{
    uint64_t bytes = 0;
    tensor_pack(t);
    if (tensor_min_bytes(t, &bytes))
        t->total_bytes = bytes;
}

/* Leading ones, or fewer dimensions of those in front. */
static void set_rank(ts_tensor *t, uint32_t rank)
{
    uint64_t sizes[TS_MAX_DIMS];
    for (uint32_t i = 0; i < rank; ++i)
        sizes[rank - 1 - i] = i < t->rank ? t->sizes[t->rank - 1 - i] : 1;
    memcpy(t->sizes, sizes, rank * sizeof sizes[0]);
    t->rank = rank;
    settle(t);
}

static void change_sizes(changes *c, unsigned k)
{
    const ts_tensor *t = &c->legal->tensors[k];
    const char *name = c->legal->op->tensors[k].name;
    for (uint32_t i = 0; i < t->rank; ++i) {
        const uint64_t sizes[] = { 1, t->sizes[i] - 1, t->sizes[i] + 1, t->sizes[i] * 2 };
        for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; ++n) {
            ts_tensor *changed = &begin(c)->tensors[k];
            changed->sizes[i] = sizes[n];
            settle(changed);
            visit(c, "%s.Sizes[%u] = %" PRIu64, name, i, sizes[n]);
        }
    }
    for (uint32_t rank = 1; rank <= TS_MAX_DIMS; ++rank) {
        set_rank(&begin(c)->tensors[k], rank);
        visit(c, "%s.DimensionCount = %u", name, rank);
    }
}

static void change_tensor(changes *c, unsigned k)
{
    const char *name = c->legal->op->tensors[k].name;
    ts_descriptor *d = begin(c);
    if (!is_given(d, k)) { /* like the last one that is given */
        for (unsigned i = 0; i < d->op->tensor_count; ++i)
            if (is_given(c->legal, i))
                d->tensors[k] = c->legal->tensors[i];
        visit(c, "%s is given", name);
        return;
    }
    d->tensors[k].given = 0;
    visit(c, "%s is missing", name);
    for (uint32_t type = 0; type < TS_DTYPE_COUNT; ++type) {
        d = begin(c);
        d->tensors[k].dtype = type;
        settle(&d->tensors[k]);
        visit(c, "%s.DataType = %s", name, operator_dtype_name(d->op, type));
    }
    begin(c)->tensors[k].flags = 1;
    visit(c, "%s.Flags = OWNED_BY_DML", name);
    change_sizes(c, k);
}

static void change_all(changes *c)
{
    for (uint32_t type = 0; type < TS_DTYPE_COUNT; ++type) {
        ts_descriptor *d = begin(c);
        for (unsigned k = 0; k < d->op->tensor_count; ++k) {
            d->tensors[k].dtype = type;
            settle(&d->tensors[k]);
        }
        visit(c, "every DataType = %s", operator_dtype_name(d->op, type));
    }
    for (uint32_t rank = 1; rank <= TS_MAX_DIMS; ++rank) {
        ts_descriptor *d = begin(c);
        for (unsigned k = 0; k < d->op->tensor_count; ++k)
            if (is_given(d, k))
                set_rank(&d->tensors[k], rank);
        visit(c, "every DimensionCount = %u", rank);
    }
}

static void change_nested(changes *c, unsigned k)
{
    const ts_attr_decl *a = &c->legal->op->attrs[k];
    const ts_nested_operator was = operator_nested(c->legal, k, 0);
    const ts_nested_operator others[] = { { .op = 0 },
                                          { .op = was.op, .tensors = 1, .attrs_given = was.attrs_given },
                                          { .op = was.op, .attrs_given = 0 } };
    static const char *const what[] = { "an unknown operator", "with a tensor", "without its attributes" };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        memcpy(begin(c)->attrs + a->offset, &others[i], sizeof others[i]);
        visit(c, "%s is %s", a->name, what[i]);
    }
}

static void change_attr(changes *c, unsigned k)
{
    const ts_attr_decl *a = &c->legal->op->attrs[k];
    const size_t bytes = operator_attr_range(a->type).bytes;
    begin(c)->attrs_given &= ~(UINT32_C(1) << k);
    visit(c, "%s is missing", a->name);
    if (a->type == TS_ATTR_OPERATOR) {
        change_nested(c, k);
        return;
    }
    for (unsigned i = 0; i < operator_attr_count(c->legal, k) && i < a->capacity; ++i) {
        const int64_t was = operator_attr_value(c->legal, k, i);
        const int64_t values[] = { 0, 1, 2, 3, 4, was - 1, was + 1, was + 9, 77 };
        for (size_t n = 0; n < sizeof values / sizeof values[0]; ++n) {
            memcpy(begin(c)->attrs + a->offset + i * bytes, &(uint32_t){ (uint32_t)values[n] }, bytes < 4 ? bytes : 4);
            visit(c, "%s[%u] = %" PRId64, a->name, i, values[n]);
        }
    }
}

void changes_each(const ts_descriptor *legal, changes_visit *visited, void *context)
{
    changes c = { .legal = legal, .visit = visited, .context = context };
    begin(&c);
    visit(&c, "nothing");
    change_all(&c);
    for (unsigned k = 0; k < legal->op->tensor_count; ++k)
        change_tensor(&c, k);
    for (unsigned k = 0; k < legal->op->attr_count; ++k)
        change_attr(&c, k);
}
