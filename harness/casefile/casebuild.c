/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/casebuild.h"

#include "harness/casefile/case_attr.h"
#include "harness/casefile/validation.h"
#include "harness/model/arena.h"
#include "harness/model/layout.h"

#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

bool case_exceeds_limit(const case_instance *c)
{
    bool exceeds = false;
    ts_report report = { 0 };
    if (!c->invalid || operator_has_levels(c->descriptor.op))
        return false;
    operator_check(&c->descriptor, &report);
    for (unsigned i = 0; i < report.count; ++i) {
        if (!operator_graver(report.items[i].result, TS_RESULT_OPEN))
            continue; /* does not make it illegal */
        if (!operator_is_limit(c->descriptor.op, report.items[i].result))
            return false;
        exceeds = true;
    }
    return exceeds;
}

bool case_computes_open(const case_instance *c)
{
    const ts_descriptor *d = &c->descriptor;
    const ts_clause *broken = c->invalid ? operator_clause(d->op, c->invalid) : NULL;
    ts_report report = { 0 };
    uint64_t count;
    if (!broken || !broken->computes || !operator_computes(d->op) || !operator_judges(d->op, operator_dtype(d)))
        return false;
    operator_check(d, &report);
    for (unsigned i = 0; i < report.count; ++i) {
        const ts_clause *clause = operator_clause(d->op, report.items[i].clause);
        if (operator_graver(report.items[i].result, TS_RESULT_UNSPECIFIED) && !(clause && clause->computes))
            return false;
    }
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (operator_has_tensor(d, t) &&
            (d->tensors[t].total_bytes > CASE_OPEN_ELEMENTS || !tensor_element_count(&d->tensors[t], &count) ||
             count > CASE_OPEN_ELEMENTS))
            return false;
    return report.dropped == 0;
}

static uint64_t uses_of(const expr *x)
{
    return x ? expr_uses(x) : 0;
}

void casebuild_init(casebuild *b, const case_test *t, uint32_t profile, ts_level level, fill_cache *cache)
{
    char name[192];
    const case_file *f = t->file;
    memset(b, 0, sizeof *b);
    b->test = t;
    b->profile = profile;
    b->level = level;
    b->cache = cache;
    int n = snprintf(name, sizeof name, "%s:%s", f->op->name, t->name);
    b->name_hash = XXH3_64bits(name, (size_t)n);
    if (t->kind == CASE_EXAMPLES || t->kind == CASE_CHECKED) /* no axes of its space are those of bindings */
        return;
    for (size_t i = 0; i < space_axis_count(t->space); ++i)
        if (space_axis_at(t->space, i)->per == SPACE_SCALAR)
            b->scalar_slots |= UINT64_C(1) << i;
    for (unsigned i = 0; i < f->op->tensor_count; ++i) {
        const expr *x = t->family->bind.tensors[i].sizes;
        b->sizes[i].length = case_length_slot(x, t->space);
        b->sizes[i].slot = x ? space_axis_named(t->space, expr_text(x)) : -1;
        b->sizes[i].elementwise = x && expr_elementwise(x);
        const case_tensor *c = &t->family->bind.tensors[i];
        b->sizes[i].uses = uses_of(x) | uses_of(c->rank);
        b->laid[i].uses =
            b->sizes[i].uses | uses_of(c->strides) | uses_of(c->layout) | uses_of(c->extra) | uses_of(c->alignment);
        b->layout_uses[i] = b->laid[i].uses | uses_of(c->dtype);
        if (!c->dtype) /* the type of the case, if it is allowed */
            b->layout_uses[i] |= uses_of(t->family->bind.tensors[operator_typed(f->op)].dtype);
        b->type_uses |= uses_of(c->dtype);
        b->other_uses |= b->laid[i].uses;
        b->present_uses |= uses_of(c->present);
        b->afresh_uses |= uses_of(c->rank) | uses_of(c->fill);
        b->data[i].uses = uses_of(c->data);
        b->data[i].image_uses =
            b->data[i].uses | b->layout_uses[i] | uses_of(c->present) | uses_of(c->rank) | uses_of(c->fill);
    }
    for (unsigned i = 0; i < f->op->attr_count; ++i) {
        b->attrs[i].length = case_length_slot(t->family->bind.attrs[i].value.x, t->space);
        b->attrs[i].slot = case_attr_slot(t, i);
        b->attrs[i].uses = case_attr_uses(t, i);
        b->order[i] = (uint8_t)case_attr_nth(f->op, i);
        b->afresh_uses |= uses_of(t->family->bind.attrs[i].present);
        b->other_uses |= b->attrs[i].uses;
    }
    b->afresh_uses &= b->scalar_slots;
    b->other_uses |= b->present_uses | b->afresh_uses;
}

static int64_t eval_or(const expr *x, const expr_value *values, int64_t otherwise, bool *failed)
{
    return x ? expr_eval(x, values, failed) : otherwise;
}

/* The data type of a tensor for which no binding states one, in a case of this type. */
static uint32_t default_dtype(const ts_operator *op, unsigned t, uint32_t of_case)
{
    uint32_t allowed = op->support[op->support_count - 1].tensors[t].dtypes;
    if (allowed & TS_DTYPE_BIT(of_case))
        return of_case;
    for (uint32_t d = 1; d < TS_DTYPE_COUNT; ++d)
        if (allowed & TS_DTYPE_BIT(d))
            return d;
    return of_case;
}

/* Data types of the tensors that are present, from the scalars. */
static bool bind_types(const case_test *test, const expr_value *values, ts_descriptor *d)
{
    bool failed = false;
    const ts_operator *op = test->file->op;
    const case_tensor *bound = test->family->bind.tensors;
    const uint32_t of_case = (uint32_t)expr_eval(bound[operator_typed(op)].dtype, values, &failed);
    for (unsigned t = 0; t < op->tensor_count; ++t)
        if (d->tensors[t].given)
            d->tensors[t].dtype = bound[t].dtype ? (uint32_t)expr_eval(bound[t].dtype, values, &failed)
                                                 : default_dtype(op, t, of_case);
    return !failed;
}

static bool is_present(const case_test *test, unsigned t, const expr_value *values, bool *failed)
{
    const case_tensor *c = &test->family->bind.tensors[t];
    return c->bound ? eval_or(c->present, values, 1, failed) != 0 : !test->file->op->tensors[t].optional;
}

/* Which tensors are present, and of what type. */
static bool bind_tensors(const case_test *test, const expr_value *values, ts_descriptor *d)
{
    bool failed = false;
    for (unsigned t = 0; t < test->file->op->tensor_count; ++t) {
        d->tensors[t].given = is_present(test, t, values, &failed) ? TS_GIVEN_ALL : 0;
        d->tensors[t].dtype = TS_DTYPE_UNKNOWN;
    }
    return bind_types(test, values, d) && !failed;
}

/* The tensors that were absent from the case before, or are now, start from nothing: *begun, a set of bits. */
static bool bind_presence(const case_test *test, const expr_value *values, ts_descriptor *d, uint32_t *begun)
{
    bool failed = false;
    for (unsigned t = 0; t < test->file->op->tensor_count; ++t) {
        ts_tensor *tensor = &d->tensors[t];
        const bool present = is_present(test, t, values, &failed);
        if (present == ((tensor->given & TS_GIVEN_TENSOR) != 0))
            continue;
        memset(tensor, 0, sizeof *tensor);
        tensor->given = present ? TS_GIVEN_ALL : 0;
        tensor->dtype = TS_DTYPE_UNKNOWN;
        *begun |= UINT32_C(1) << t;
    }
    return !failed;
}

/* ---- examples ---- */

/* The example of a point, tried with the point's data type: every tensor that has the type of the example gets it. */
static void build_example(casebuild *b, const expr_value *values)
{
    memset(b->now.bases, -1, sizeof b->now.bases);
    const case_example *x = &b->test->file->examples[values[0].v[0]];
    uint32_t main_type = operator_dtype(&x->descriptor), dtype = (uint32_t)values[1].v[0];
    b->now.example = x;
    b->now.descriptor = x->descriptor;
    b->now.invalid = x->invalid;
    b->now.ambiguous = x->ambiguous;
    for (unsigned t = 0; t < b->test->file->op->tensor_count; ++t) {
        ts_tensor *tensor = &b->now.descriptor.tensors[t];
        b->now.fills[t] = FILL_INJECTIVE;
        if (tensor->dtype != main_type || dtype == main_type)
            continue;
        uint64_t before = 0, after = 0; /* a stated size stays as far from the smallest one as it is */
        tensor_min_bytes(tensor, &before);
        tensor->dtype = dtype;
        tensor_min_bytes(tensor, &after);
        tensor->total_bytes += after - before;
    }
    b->now.descriptor.feature_level = b->level;
    b->now.descriptor.profile = b->profile;
    if (b->profile == x->descriptor.profile || b->now.invalid)
        return;
    ts_tensor stated[TS_MAX_TENSORS]; /* another profile may give another shape than the one written out */
    memcpy(stated, b->now.descriptor.tensors, sizeof stated);
    if (!b->test->file->op->shape(&b->now.descriptor))
        return;
    for (unsigned t = 0; t < b->test->file->op->tensor_count; ++t) {
        ts_tensor *tensor = &b->now.descriptor.tensors[t];
        if (memcmp(&stated[t], tensor, sizeof *tensor) != 0)
            layout_apply(LAYOUT_PACKED, tensor);
    }
}

/* ---- operators that are only checked ---- */

/* The descriptor of a point: a number, and the clause that it breaks. */
static void build_checked(casebuild *b, const expr_value *values)
{
    const validation *v = b->test->file->validation;
    const uint64_t number = (uint64_t)values[0].v[0], clause = b->test->asked ? 0 : (uint64_t)values[1].v[0];
    const uint64_t point = 1 + clause * v->clause_cases + number;
    if (b->checked_point == point)
        return;
    b->checked_point = point;
    memset(b->now.bases, -1, sizeof b->now.bases);
    b->now.invalid = b->test->asked ? NULL : v->clauses[clause].id;
    if (b->test->asked)
        validation_legal(v, number, &b->now.descriptor);
    else
        validation_illegal(v, clause, number, &b->now.descriptor);
    b->now.descriptor.feature_level = b->level;
    b->now.descriptor.profile = b->profile;
}

/* Of an operator that is computed, a backend may offer some data types and dimension counts alone. All cases of another
   one are one class, that of the legal call: a backend offers the operator or not. A case whose descriptor is legal, or
   breaks its clause, at another feature level only is none of this run. */
static void checked_class(casebuild *b, const expr_value *values, case_class *c)
{
    ts_report report;
    bool alone;
    build_checked(b, values);
    c->shape = operator_computes(b->test->file->op) ? b->now.descriptor : b->test->file->validation->call;
    c->shape.profile = b->profile;
    c->shape.feature_level = b->level;
    c->breaks = b->now.invalid;
    const validation_answer answer = validation_ask(&b->now.descriptor, &report);
    c->has_level = b->now.invalid ? answer == VALIDATION_ILLEGAL && validation_breaks(&report, b->now.invalid, &alone)
                                  : answer == VALIDATION_LEGAL;
    if (!operator_lowest_level(&b->now.descriptor, &c->level) || b->now.invalid)
        c->level = 0;
}

/* ---- */

/* Attributes that a change leaves out of every case of a test. */
static uint32_t left_out(const case_test *t, const expr_value *values)
{
    uint32_t out = 0;
    bool failed = false;
    for (unsigned k = 0; t->change && k < t->file->op->attr_count; ++k) {
        const expr *present = t->change->attrs[k].present;
        if (present && uses_of(present) == 0 && !expr_eval(present, values, &failed))
            out |= UINT32_C(1) << k;
    }
    return out;
}

/* The number of dimensions of a tensor whose sizes no binding states: the only one that it may have, or that of the
   first tensor. */
static uint32_t inferred_rank(const ts_operator *op, unsigned t, uint32_t first)
{
    const ts_support_row *row = &op->support[op->support_count - 1];
    return row->tensors[t].min_dims == row->tensors[t].max_dims ? row->tensors[t].min_dims : first;
}

bool casebuild_class(casebuild *b, const expr_value *values, case_class *c)
{
    const case_file *f = b->test->file;
    operator_begin_again(&c->shape, f->op);
    c->breaks = b->test->kind == CASE_INVALID ? b->test->clause : NULL;
    if (b->test->kind == CASE_CHECKED) {
        checked_class(b, values, c);
        return true;
    }
    if (b->test->kind == CASE_EXAMPLES) {
        build_example(b, values);
        c->shape = b->now.descriptor;
        c->breaks = b->now.invalid;
        if (b->now.invalid ||
            b->now.ambiguous) { /* must be refused or is not judged, whatever the support table allows */
            c->has_level = true;
            if (!operator_lowest_level(&c->shape, &c->level))
                c->level = 0;
            return true;
        }
    } else {
        bool failed = false;
        if (!bind_tensors(b->test, values, &c->shape))
            return false;
        c->shape.attrs_given = ~left_out(b->test, values);
        for (unsigned t = 0; t < f->op->tensor_count; ++t) {
            const case_tensor *tensor = &b->test->family->bind.tensors[t];
            uint32_t rank = inferred_rank(f->op, t, c->shape.tensors[0].rank);
            if (tensor->rank)
                rank = (uint32_t)expr_eval(tensor->rank, values, &failed);
            else if (tensor->sizes)
                rank = b->sizes[t].length >= 0 ? values[b->sizes[t].length].length : 0;
            c->shape.tensors[t].rank = rank;
        }
        if (failed)
            return false;
    }
    c->shape.profile = b->profile;
    c->shape.feature_level = b->level;
    c->has_level = operator_lowest_level(&c->shape, &c->level);
    if (c->has_level && c->level < b->test->from)
        c->level = b->test->from;
    return true;
}

/* Sizes of tensor t from element `from` on, with leading ones up to its rank. */
static void bind_sizes(const casebuild *b, unsigned i, const expr_value *values, uint32_t from, ts_tensor *t,
                       bool *failed)
{
    const case_tensor *c = &b->test->family->bind.tensors[i];
    uint32_t length = b->sizes[i].length >= 0 ? values[b->sizes[i].length].length : 0, pad = 0;
    if (c->rank) {
        uint32_t rank = (uint32_t)expr_eval(c->rank, values, failed);
        if (rank > TS_MAX_DIMS || rank < length) {
            *failed = true;
            return;
        }
        pad = rank - length;
    }
    t->rank = pad + length;
    for (uint32_t k = 0; from == 0 && k < pad; ++k)
        t->sizes[k] = 1;
    for (uint32_t k = from; k < length; ++k)
        t->sizes[pad + k] = (uint64_t)(b->sizes[i].slot >= 0 ? values[b->sizes[i].slot].v[k]
                                                             : expr_eval_at(c->sizes, values, k, failed));
}

/* Strides, size in bytes and the small facts that follow from the sizes. */
static bool bind_layout(const case_tensor *c, const expr_value *values, ts_tensor *t, casebuild_laid *laid,
                        bool *failed)
{
    layout l = LAYOUT_PACKED;
    if (c->strides && (!c->layout || expr_eval(c->layout, values, failed) == LAYOUT_STRIDES)) {
        for (uint32_t k = 0; k < t->rank; ++k)
            t->strides[k] = (uint64_t)expr_eval_at(c->strides, values, k, failed);
        t->given |= TS_GIVEN_STRIDES;
        if (!tensor_min_bytes(t, &t->total_bytes))
            return false;
    } else {
        l = (layout)eval_or(c->layout, values, LAYOUT_PACKED, failed);
        if (!layout_apply(l, t))
            return false;
    }
    laid->by_type = l == LAYOUT_FAR_BYTES;
    laid->span = 0;
    laid->extra = (uint64_t)eval_or(c->extra, values, 0, failed);
    t->total_bytes += laid->extra;
    t->alignment = (uint32_t)eval_or(c->alignment, values, 0, failed);
    return true;
}

/* The size in bytes after a change of the data type alone. */
static bool bind_bytes(ts_tensor *t, casebuild_laid *laid)
{
    if (laid->span == 0 && !tensor_span_elements(t, &laid->span))
        return false;
    if (!tensor_bytes_of(t->dtype, laid->span, &t->total_bytes))
        return false;
    t->total_bytes += laid->extra;
    return true;
}

static bool build_error(const casebuild *b, const space_cursor *cursor, error *e, const char *what)
{
    char id[CASE_ID_SIZE];
    (void)b;
    space_format_id(cursor, id, sizeof id);
    return error_usage(e, "%s: %s: %s", b->test->file->path, id, what);
}

static bool build_attr_error(const casebuild *b, const space_cursor *cursor, unsigned k, error *e)
{
    char what[96];
    snprintf(what, sizeof what, "%s does not fit its field, or its type does not hold the value",
             b->test->file->op->attrs[k].name);
    return build_error(b, cursor, e, what);
}

/* The shapes of outputs that no binding states. */
static bool infer_shapes(ts_descriptor *d)
{
    if (!d->op->shape(d))
        return false;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) { /* the previous case may have had more dimensions */
        ts_tensor *tensor = &d->tensors[t];
        memset(tensor->sizes + tensor->rank, 0, (TS_MAX_DIMS - tensor->rank) * sizeof tensor->sizes[0]);
        memset(tensor->strides + tensor->rank, 0, (TS_MAX_DIMS - tensor->rank) * sizeof tensor->strides[0]);
    }
    return true;
}

/* Do the strides of no tensor depend on its data type? */
static bool types_alone_count(const casebuild *b)
{
    for (unsigned t = 0; t < b->test->file->op->tensor_count; ++t)
        if (b->laid[t].by_type)
            return false;
    return true;
}

/* Build a case that differs from the one before in data types alone. */
static bool build_types(casebuild *b, const space_cursor *cursor, error *e)
{
    ts_descriptor *d = &b->now.descriptor;
    if (!bind_types(b->test, cursor->values, d))
        return build_error(b, cursor, e, "a DataType binding fails");
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if ((d->tensors[t].given & TS_GIVEN_TENSOR) && !bind_bytes(&d->tensors[t], &b->laid[t]))
            return build_error(b, cursor, e, "a tensor's size in bytes exceeds 64 bits");
    return true;
}

/* Build a case of a described space. Bindings that do not read a changed axis are not evaluated again. */
static bool build_point(casebuild *b, const space_cursor *cursor, error *e)
{
    const ts_operator *op = b->test->file->op;
    const case_bindings *bind = &b->test->family->bind;
    ts_descriptor *d = &b->now.descriptor;
    const expr_value *values = cursor->values;
    /* After a change, the next case cannot be built from this one. */
    const bool afresh = !d->op || cursor->new_class || b->test->change || (cursor->changed & b->afresh_uses);
    const uint64_t changed = afresh ? UINT64_MAX : cursor->changed;
    uint32_t begun = afresh ? UINT32_MAX : 0;
    bool failed = false, inferred = false, reshaped = false;
    if (!afresh && !(changed & b->other_uses) && types_alone_count(b))
        return build_types(b, cursor, e);
    if (afresh) {
        operator_begin_again(d, op); /* casebuild_init cleared the other tensors */
        d->profile = b->profile;     /* shape depends on it */
        d->feature_level = b->level;
        if (!bind_tensors(b->test, values, d))
            return build_error(b, cursor, e, "a DataType or Present binding fails");
        for (unsigned t = 0; t < op->tensor_count; ++t)
            b->now.fills[t] = (fill)eval_or(bind->tensors[t].fill, values, FILL_INJECTIVE, &failed);
    }
    if (!afresh && (b->present_uses & changed) && !bind_presence(b->test, values, d, &begun))
        return build_error(b, cursor, e, "a DataType or Present binding fails");
    if (!afresh && (begun || (b->type_uses & changed)) && !bind_types(b->test, values, d))
        return build_error(b, cursor, e, "a DataType binding fails");
    for (unsigned n = 0; n < op->attr_count; ++n) {
        const unsigned a = b->order[n];
        if (!afresh && !(b->attrs[a].uses & changed))
            continue;
        reshaped = true;
        if (!case_attr_bind(d, a, &bind->attrs[a], b->attrs[a].slot, b->attrs[a].length, false, values, &failed))
            return build_attr_error(b, cursor, a, e);
    }
    for (unsigned t = 0; t < op->tensor_count; ++t) {
        ts_tensor *tensor = &d->tensors[t];
        if (!(tensor->given & TS_GIVEN_TENSOR))
            continue;
        if (!bind->tensors[t].sizes) {
            inferred = true;
        } else if ((begun >> t & 1) || (b->sizes[t].uses & changed)) {
            const bool of_vectors =
                b->sizes[t].elementwise && !(begun >> t & 1) && !(b->sizes[t].uses & changed & b->scalar_slots);
            bind_sizes(b, t, values, of_vectors ? cursor->changed_element : 0, tensor, &failed);
            reshaped = true;
        }
    }
    if (failed)
        return build_error(b, cursor, e, "a binding " CASEBUILD_UNDEFINED);
    if (inferred && reshaped && !infer_shapes(d))
        return build_error(b, cursor, e, "the output's shape cannot be determined: the case is not legal");
    for (unsigned t = 0; t < op->tensor_count; ++t) {
        ts_tensor *tensor = &d->tensors[t];
        const bool same_sizes =
            !(begun >> t & 1) && !(b->laid[t].uses & changed) && (bind->tensors[t].sizes || !reshaped);
        if (!(tensor->given & TS_GIVEN_TENSOR) || (same_sizes && !(b->layout_uses[t] & changed)))
            continue;
        if (!(same_sizes && !b->laid[t].by_type ? bind_bytes(tensor, &b->laid[t])
                                                : bind_layout(&bind->tensors[t], values, tensor, &b->laid[t], &failed)))
            return build_error(b, cursor, e, "a tensor's size in bytes exceeds 64 bits");
    }
    if (failed)
        return build_error(b, cursor, e, "a binding " CASEBUILD_UNDEFINED);
    return true;
}

/* The flags of tensors, and where their buffers begin. */
static bool bind_places(casebuild *b, const space_cursor *cursor, error *e)
{
    bool failed = false;
    for (unsigned t = 0; t < b->test->file->op->tensor_count; ++t) {
        const case_tensor *c = &b->test->family->bind.tensors[t];
        if (c->flags)
            b->now.descriptor.tensors[t].flags = (uint32_t)expr_eval(c->flags, cursor->values, &failed);
        const int64_t base = c->base ? expr_eval(c->base, cursor->values, &failed) : -1;
        if (base < -1 || base >= ARENA_LINE)
            return build_error(b, cursor, e, "a Base is outside -1 to 63");
        b->now.bases[t] = (int8_t)base;
    }
    return failed ? build_error(b, cursor, e, "a binding " CASEBUILD_UNDEFINED) : true;
}

/* ---- illegal cases ---- */

/* The sizes of a change: as many as its vector has. */
static void change_sizes(const casebuild *b, const expr *sizes, const expr_value *values, ts_tensor *t, bool *failed)
{
    int length = case_length_slot(sizes, b->test->space);
    t->rank = length >= 0 ? values[length].length : 0;
    for (uint32_t k = 0; k < t->rank; ++k)
        t->sizes[k] = (uint64_t)expr_eval_at(sizes, values, k, failed);
}

static void change_tensor(casebuild *b, unsigned i, const expr_value *values, bool *failed)
{
    const case_tensor *c = &b->test->change->tensors[i];
    case_tensor merged = b->test->family->bind.tensors[i];
    ts_tensor *t = &b->now.descriptor.tensors[i];
    if (!(t->given & TS_GIVEN_TENSOR) && operator_list_of(b->now.descriptor.op, i))
        return; /* the list is shorter */
    if (c->present && !expr_eval(c->present, values, failed)) {
        memset(t, 0, sizeof *t);
        return;
    }
    if (c->dtype)
        t->dtype = (uint32_t)expr_eval(c->dtype, values, failed);
    if (c->sizes)
        change_sizes(b, c->sizes, values, t, failed);
    merged.layout = c->layout || c->strides ? c->layout : merged.layout;
    merged.strides = c->strides ? c->strides : merged.strides;
    merged.extra = c->extra ? c->extra : merged.extra;
    merged.alignment = c->alignment ? c->alignment : merged.alignment;
    if (!bind_layout(&merged, values, t, &b->laid[i], failed))
        t->total_bytes = UINT64_MAX - 3; /* the tensor exceeds every buffer: use the largest size */
    if (c->bytes)
        t->total_bytes = (uint64_t)expr_eval(c->bytes, values, failed);
    if (c->flags)
        t->flags = (uint32_t)expr_eval(c->flags, values, failed);
    t->given &= ~(uint32_t)eval_or(c->null, values, 0, failed);
    if (c->dims)
        t->rank = (uint32_t)expr_eval(c->dims, values, failed);
}

/* Make the one change that breaks the test's clause. */
static bool change_point(casebuild *b, const space_cursor *cursor, error *e)
{
    const ts_operator *op = b->test->file->op;
    const expr_value *values = cursor->values;
    ts_descriptor *d = &b->now.descriptor;
    bool failed = false;
    for (unsigned n = 0; n < op->attr_count; ++n) {
        const unsigned k = b->order[n];
        const case_attr *c = &b->test->change->attrs[k];
        bool absent = c->present && !expr_eval(c->present, values, &failed);
        if (absent)
            d->attrs_given &= ~(1u << k);
        else if (case_attr_is_bound(c) &&
                 !case_attr_bind(d, k, c, -1, case_length_slot(c->value.x, b->test->space), true, values, &failed))
            return build_attr_error(b, cursor, k, e);
    }
    for (unsigned i = 0; i < op->tensor_count; ++i)
        if (b->test->change->tensors[i].bound)
            change_tensor(b, i, values, &failed);
    b->now.invalid = b->test->clause;
    return failed ? build_error(b, cursor, e, "the change " CASEBUILD_UNDEFINED) : true;
}

/* The clause that a descriptor of a higher feature level breaks at the one it is judged at. */
static bool beyond_point(casebuild *b, const space_cursor *cursor, error *e)
{
    ts_report report = { 0 };
    if (b->level == 0) /* the case is only displayed */
        return true;
    operator_check(&b->now.descriptor, &report);
    for (unsigned i = 0; i < report.count; ++i)
        if (report.items[i].needs > b->level) { /* unsupported, or open where pages differ about the level */
            b->now.invalid = report.items[i].clause;
            return true;
        }
    return build_error(b, cursor, e, "breaks no feature level");
}

/* Can every output lie in the memory of tensor 0? Only where it differs from tensor 0 in nothing but its data. */
static bool check_in_place(const casebuild *b, error *e)
{
    const ts_descriptor *d = &b->now.descriptor;
    const ts_tensor *in = &d->tensors[0];
    for (unsigned t = 1; t < d->op->tensor_count; ++t) {
        const ts_tensor *out = &d->tensors[t];
        const size_t bytes = in->rank * sizeof in->sizes[0];
        if (d->op->tensors[t].role == TS_OUTPUT && (out->given & TS_GIVEN_TENSOR) &&
            (in->dtype != out->dtype || in->rank != out->rank || memcmp(in->sizes, out->sizes, bytes) != 0 ||
             memcmp(in->strides, out->strides, bytes) != 0 || in->total_bytes != out->total_bytes ||
             b->now.bases[t] != b->now.bases[0]))
            return error_set(e,
                             "%s: the case is executed in place, so %s must have the data type, sizes, strides and "
                             "bytes of %s",
                             b->test->name, d->op->tensors[t].name, d->op->tensors[0].name);
    }
    return true;
}

bool casebuild_case(casebuild *b, space_cursor *cursor, error *e)
{
    bool fine = true;
    for (unsigned t = 0; t < b->test->file->op->tensor_count; ++t) {
        b->data[t].stale |= cursor->new_class || (b->data[t].uses & cursor->changed);
        b->data[t].image_stale |= cursor->new_class || (b->data[t].image_uses & cursor->changed);
    }
    if (b->test->kind == CASE_EXAMPLES)
        build_example(b, cursor->values);
    else if (b->test->kind == CASE_CHECKED)
        build_checked(b, cursor->values);
    else
        fine = build_point(b, cursor, e) && bind_places(b, cursor, e);
    if (fine && b->test->kind == CASE_INVALID)
        fine = change_point(b, cursor, e);
    else if (fine && b->test->kind == CASE_BEYOND)
        fine = beyond_point(b, cursor, e);
    fine = fine && (!b->test->in_place || check_in_place(b, e));
    b->now.asked = b->test->asked;
    b->now.computed = false;
    b->now.index = cursor->index;
    b->now.placement = b->test->draw ? space_point_hash(cursor->space, cursor->values) : cursor->index;
    b->now.key = fill_mix(b->name_hash ^ (b->test->draw ? b->now.placement : fill_mix(cursor->index + 1)));
    b->values = cursor->values;
    return fine;
}
