/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/checked/checked.h"
#include "harness/model/explain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void checked_violate(const checked_rule *rule, ts_report *report, int tensor, int axis, const char *format, ...)
{
    char text[sizeof report->items[0].text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const ts_result result = rule->warns   ? TS_RESULT_WARNING
                             : rule->until ? TS_RESULT_UNSUPPORTED_FL
                                           : TS_RESULT_INVALID;
    operator_violate(report, rule->clause, result, tensor, axis, "%s", text);
    if (rule->until && report && report->dropped == 0)
        report->items[report->count - 1].needs = rule->until;
}

void checked_require(ts_report *report, wide required)
{
    if (report && report->dropped == 0 && wide_fits(required))
        report->items[report->count - 1].required = (uint64_t)required;
}

/* ---- tensors ------------------------------------------------------------------------------------------------ */

static bool counts(const ts_descriptor *d, const checked_rule *rule, unsigned k)
{
    return (rule->tensors >> k & 1) && operator_has_tensor(d, k);
}

/* The first tensor of the rule that is given, or -1. */
static int first_of(const ts_descriptor *d, const checked_rule *rule)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (counts(d, rule, k))
            return (int)k;
    return -1;
}

void checked_same_type(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int first = first_of(d, rule);
    for (unsigned k = 0; first >= 0 && k < d->op->tensor_count; ++k)
        if (counts(d, rule, k) && d->tensors[k].dtype != d->tensors[first].dtype)
            checked_violate(rule, report, (int)k, -1, "%s.DataType = %s differs from %s.DataType = %s",
                            d->op->tensors[k].name, operator_dtype_name(d->op, d->tensors[k].dtype),
                            d->op->tensors[first].name, operator_dtype_name(d->op, d->tensors[first].dtype));
}

void checked_same_rank(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int first = first_of(d, rule);
    for (unsigned k = 0; first >= 0 && k < d->op->tensor_count; ++k)
        if (counts(d, rule, k) && d->tensors[k].rank != d->tensors[first].rank)
            checked_violate(rule, report, (int)k, -1, "%s.DimensionCount = %u differs from %s.DimensionCount = %u",
                            d->op->tensors[k].name, d->tensors[k].rank, d->op->tensors[first].name,
                            d->tensors[first].rank);
}

void checked_rank(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (counts(d, rule, k) && d->tensors[k].rank != rule->number)
            checked_violate(rule, report, (int)k, -1, "%s.DimensionCount = %u is not %u", d->op->tensors[k].name,
                            d->tensors[k].rank, (unsigned)rule->number);
}

/* Compare each size of the tensors with that of the first one; sizes of 0 are BUF-06. */
static void compare_sizes(const ts_descriptor *d, const checked_rule *rule, ts_report *report,
                          bool (*fits)(uint64_t size, uint64_t first), const char *how)
{
    const int first = first_of(d, rule);
    for (unsigned k = (unsigned)(first + 1); first >= 0 && k < d->op->tensor_count; ++k) {
        const ts_tensor *t = &d->tensors[k], *as = &d->tensors[first];
        for (uint32_t i = 0; counts(d, rule, k) && i < t->rank && i < as->rank; ++i)
            if (t->sizes[i] != 0 && !fits(t->sizes[i], as->sizes[i]))
                checked_violate(rule, report, (int)k, (int)i, "%s.Sizes[%u] = %" PRIu64 " %s %s.Sizes[%u] = %" PRIu64,
                                d->op->tensors[k].name, i, t->sizes[i], how, d->op->tensors[first].name, i,
                                as->sizes[i]);
    }
}

static bool is_same(uint64_t size, uint64_t first)
{
    return size == first || first == 0;
}

static bool broadcasts(uint64_t size, uint64_t first)
{
    return size == 1 || size == first || first == 0;
}

static bool divides(uint64_t size, uint64_t first)
{
    return first % size == 0;
}

/* The tensors that have no size along an axis get that of the first one that has. */
static void solve_same_size(const ts_descriptor *d, const checked_rule *rule, ts_report *report, uint32_t axis)
{
    uint64_t size = 0;
    for (unsigned k = 0; k < d->op->tensor_count && size == 0; ++k)
        if (counts(d, rule, k) && axis < d->tensors[k].rank)
            size = d->tensors[k].sizes[axis];
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (counts(d, rule, k) && axis < d->tensors[k].rank)
            checked_solved(report, (int)k, axis, size);
}

void checked_same_sizes(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    for (uint32_t i = 0; report && report->solution && i < TS_MAX_DIMS; ++i)
        solve_same_size(d, rule, report, i);
    compare_sizes(d, rule, report, is_same, "differs from");
}

void checked_broadcasts(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    compare_sizes(d, rule, report, broadcasts, "is neither 1 nor");
}

void checked_divides(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    compare_sizes(d, rule, report, divides, "does not divide");
}

void checked_one_element(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        const ts_tensor *t = &d->tensors[k];
        for (uint32_t i = 0; counts(d, rule, k) && i < t->rank; ++i) {
            checked_solved(report, (int)k, i, 1);
            if (t->sizes[i] > 1)
                checked_violate(rule, report, (int)k, (int)i,
                                "%s.Sizes[%u] = %" PRIu64 ", and the tensor has one element", d->op->tensors[k].name, i,
                                t->sizes[i]);
        }
    }
}

/* ---- which tensors are given -------------------------------------------------------------------------------- */

void checked_any_given(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    if (first_of(d, rule) < 0)
        checked_violate(rule, report, -1, -1, "none of the tensors of which one is required is given");
}

void checked_all_given(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int first = first_of(d, rule);
    for (unsigned k = 0; first >= 0 && k < d->op->tensor_count; ++k)
        if ((rule->tensors >> k & 1) && !operator_has_tensor(d, k))
            checked_violate(rule, report, (int)k, -1, "%s is missing, but %s is given", d->op->tensors[k].name,
                            d->op->tensors[first].name);
}

void checked_one_given(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    int given = -1;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        if (!counts(d, rule, k))
            continue;
        if (given >= 0)
            checked_violate(rule, report, (int)k, -1, "%s is given as well as %s", d->op->tensors[k].name,
                            d->op->tensors[given].name);
        given = (int)k;
    }
    if (given < 0)
        checked_any_given(d, rule, report);
}

void checked_not_owned(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (counts(d, rule, k) && (d->tensors[k].flags & 1))
            checked_violate(rule, report, (int)k, -1, "%s is OWNED_BY_DML", d->op->tensors[k].name);
}

/* ---- attributes --------------------------------------------------------------------------------------------- */

/* "Axes[1]", or "Axis" of a scalar. */
static const char *value_name(const ts_attr_decl *a, unsigned i, char *buf, size_t size)
{
    if (a->count == TS_ARRAY)
        snprintf(buf, size, "%s[%u]", a->name, i);
    else if (a->count == TS_RECORD)
        snprintf(buf, size, "%s.%s", a->name, a->members[i]);
    else
        snprintf(buf, size, "%s", a->name);
    return buf;
}

/* The values of an attribute that are stored. */
static uint32_t stored(const ts_descriptor *d, unsigned k)
{
    const uint32_t n = operator_attr_count(d, k);
    return n < d->op->attrs[k].capacity ? n : d->op->attrs[k].capacity;
}

int64_t checked_value(const ts_descriptor *d, const char *attr, unsigned i, int64_t otherwise)
{
    const int k = operator_attr_index(d->op, attr);
    return k < 0 || i >= operator_attr_count(d, (unsigned)k) ? otherwise : operator_attr_value(d, (unsigned)k, i);
}

void checked_expect(const ts_descriptor *d, const checked_rule *rule, ts_report *report, int tensor, uint32_t axis,
                    wide expected, const char *why)
{
    const uint64_t size = d->tensors[tensor].sizes[axis];
    char text[WIDE_TEXT];
    checked_solved(report, tensor, axis, expected);
    if (size == expected || size == 0)
        return;
    checked_violate(rule, report, tensor, (int)axis, "%s.Sizes[%u] = %" PRIu64 " is not %s = %s",
                    d->op->tensors[tensor].name, axis, size, why, wide_text(expected, text));
    checked_require(report, expected);
}

void checked_axis(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    char name[64];
    const int tensor = first_of(d, rule);
    for (unsigned i = 0; tensor >= 0 && i < stored(d, rule->attr); ++i) {
        const int64_t value = operator_attr_value(d, rule->attr, i);
        if (value < 0 || value >= d->tensors[tensor].rank)
            checked_violate(rule, report, tensor, -1, "%s = %" PRId64 " is not below %s.DimensionCount = %u",
                            value_name(&d->op->attrs[rule->attr], i, name, sizeof name), value,
                            d->op->tensors[tensor].name, d->tensors[tensor].rank);
    }
}

void checked_one_axis(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int tensor = first_of(d, rule);
    const int64_t axis = operator_attr_value(d, rule->attr, 0);
    if (tensor >= 0 && axis < d->tensors[tensor].rank)
        checked_expect(d, rule, report, tensor, (uint32_t)axis, 1, "the size along Axis");
}

void checked_counts_dims(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int tensor = first_of(d, rule);
    const int64_t value = operator_attr_value(d, rule->attr, 0);
    if (tensor >= 0 && value + rule->number != d->tensors[tensor].rank)
        checked_violate(rule, report, tensor, -1, "%s = %" PRId64 " is not %s.DimensionCount%s = %" PRId64,
                        d->op->attrs[rule->attr].name, value, d->op->tensors[tensor].name,
                        rule->number == 2 ? " - 2" : "", (int64_t)d->tensors[tensor].rank - rule->number);
}

void checked_at_least(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    char name[64];
    for (unsigned i = 0; i < stored(d, rule->attr); ++i)
        if (operator_attr_value(d, rule->attr, i) < rule->number)
            checked_violate(rule, report, -1, -1, "%s = %" PRId64 " is less than %u",
                            value_name(&d->op->attrs[rule->attr], i, name, sizeof name),
                            operator_attr_value(d, rule->attr, i), (unsigned)rule->number);
}

void checked_bits(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    char name[64];
    for (unsigned i = 0; i < stored(d, rule->attr); ++i)
        if (operator_attr_value(d, rule->attr, i) >> rule->number != 0)
            checked_violate(rule, report, -1, -1, "%s = %" PRId64 " is not below 2^%u",
                            value_name(&d->op->attrs[rule->attr], i, name, sizeof name),
                            operator_attr_value(d, rule->attr, i), (unsigned)rule->number);
}

void checked_scales(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    char name[64];
    for (unsigned i = 0; i < stored(d, rule->attr); ++i) {
        const uint32_t bits = (uint32_t)operator_attr_value(d, rule->attr, i);
        if (bits < 0x34000000u || bits > 0x7f800000u) /* 2^-23, and infinity */
            checked_violate(rule, report, -1, -1, "%s is less than 2^-23, or no number",
                            value_name(&d->op->attrs[rule->attr], i, name, sizeof name));
    }
}

void checked_spatial_scale(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const uint32_t bits = (uint32_t)operator_attr_value(d, rule->attr, 0), magnitude = bits & 0x7fffffffu;
    if (magnitude == 0x7f800000u || (bits > 0x80000000u && magnitude < 0x7f800000u))
        checked_violate(rule, report, -1, -1, "%s is negative or infinite", d->op->attrs[rule->attr].name);
}

void checked_names_type(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int tensor = first_of(d, rule);
    const int64_t value = operator_attr_value(d, rule->attr, 0);
    if (tensor >= 0 && value != d->tensors[tensor].dtype)
        checked_violate(rule, report, tensor, -1, "%s = %s differs from %s.DataType = %s",
                        d->op->attrs[rule->attr].name, operator_dtype_name(d->op, (uint32_t)value),
                        d->op->tensors[tensor].name, operator_dtype_name(d->op, d->tensors[tensor].dtype));
}

void checked_scale(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int tensor = first_of(d, rule);
    if (tensor >= 0 && (d->attrs_given >> rule->attr & 1) && tensor_element_bytes(d->tensors[tensor].dtype) == 8)
        checked_violate(rule, report, tensor, -1, "%s is given, and %s.DataType = %s", d->op->attrs[rule->attr].name,
                        d->op->tensors[tensor].name, operator_dtype_name(d->op, d->tensors[tensor].dtype));
}

void checked_scale_of(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int from = first_of(d, rule), scale = operator_tensor_index(d->op, "ScaleTensor");
    const uint32_t wanted = d->tensors[from].dtype == TS_INT32 ? TS_FLOAT32 : d->tensors[from].dtype;
    if (d->tensors[scale].dtype != wanted)
        checked_violate(rule, report, scale, -1, "ScaleTensor.DataType = %s is not %s",
                        operator_dtype_name(d->op, d->tensors[scale].dtype), operator_dtype_name(d->op, wanted));
}

void checked_quantization_types(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const ts_tensor_list *l = &d->op->lists[0];
    const int scaled = first_of(d, rule);
    const int quantized = scaled == 0 ? operator_tensor_index(d->op, "OutputTensor") : 0;
    for (unsigned i = 0; i < 2 && i < operator_list_length(d, l); ++i) {
        const unsigned k = l->first + i;
        const uint32_t wanted = d->tensors[i == 0 ? scaled : quantized].dtype;
        if (d->tensors[k].dtype != wanted)
            checked_violate(rule, report, (int)k, -1, "%s.DataType = %s is not %s", d->op->tensors[k].name,
                            operator_dtype_name(d->op, d->tensors[k].dtype), operator_dtype_name(d->op, wanted));
    }
}

void checked_quantization_count(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int64_t type = operator_attr_value(d, rule->attr, 0);
    const uint32_t count = operator_list_length(d, &d->op->lists[0]);
    if (type == 0)
        checked_violate(rule, report, -1, -1, "QuantizationType = NONE");
    else if (type <= 2 && count != type)
        checked_violate(rule, report, -1, -1, "QuantizationTensorCount = %u is not %" PRId64, count, type);
}

/* "FusedActivation.Type = ACTIVATION_SOFTMAX needs feature level 6_1" */
static void check_fused_level(const ts_descriptor *d, const checked_rule *rule, ts_report *report, const char *name,
                              const ts_operator *fused)
{
    const char *title = fused->title + strlen("DML_");
    checked_rule from = *rule;
    from.until = checked_fused_from(fused);
    if (d->feature_level && d->feature_level < from.until)
        checked_violate(&from, report, -1, -1, "%s.Type = %.*s needs feature level %s", name,
                        (int)(strlen(title) - strlen("_OPERATOR_DESC")), title, tensor_level_name(from.until));
}

void checked_fusable(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const ts_attr_decl *a = &d->op->attrs[rule->attr];
    char name[64];
    if (!(d->attrs_given >> rule->attr & 1))
        return;
    for (unsigned i = 0; i < stored(d, rule->attr); ++i) {
        const ts_nested_operator nested = operator_nested(d, rule->attr, i);
        ts_descriptor inner;
        value_name(a, i, name, sizeof name);
        if (!operator_of_nested(&inner, a, &nested)) {
            checked_violate(rule, report, -1, -1, "%s.Type is none that may be fused here", name);
            continue;
        }
        check_fused_level(d, rule, report, name, inner.op);
        for (unsigned k = 0; k < inner.op->tensor_count; ++k)
            if (nested.tensors >> k & 1)
                checked_violate(rule, report, -1, -1, "%s.%s is given", name, inner.op->tensors[k].name);
        const uint32_t missing = operator_missing_attrs(&inner);
        for (unsigned k = 0; k < inner.op->attr_count; ++k)
            if (missing >> k & 1)
                checked_violate(rule, report, -1, -1, "%s.%s is missing", name, inner.op->attrs[k].name);
    }
}

/* ---- what every operator has -------------------------------------------------------------------------------- */

static const checked_common *common_of(const ts_operator *op)
{
    static const checked_common usual = { "OP-01", "OP-02", "OP-03", "OP-04", "OP-05" };
    const checked_operator *declared = (const checked_operator *)(const void *)op;
    return declared->common ? declared->common : &usual;
}

static void check_names(const ts_descriptor *d, ts_report *report)
{
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const ts_attr_decl *a = &d->op->attrs[k];
        const int64_t count = operator_name_count(a);
        const int64_t value = count ? operator_attr_value(d, k, 0) : 0;
        if ((d->attrs_given >> k & 1) && count && value >= count)
            operator_violate(report, common_of(d->op)->names, TS_RESULT_INVALID, -1, -1,
                             "%s = %" PRId64 " is not one of its %" PRId64 " values, 0 to %" PRId64, a->name, value,
                             count, count - 1);
    }
}

/* False if a list is longer than what is stored of it. */
static bool check_lists(const ts_descriptor *d, ts_report *report)
{
    bool fine = true;
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const ts_attr_decl *a = &d->op->attrs[k];
        if (a->count != TS_ARRAY || operator_attr_count(d, k) <= a->capacity)
            continue;
        fine = false;
        operator_violate(report, common_of(d->op)->lists, TS_RESULT_INVALID, -1, -1,
                         "%s has %u values, more than %u", a->name, operator_attr_count(d, k), (unsigned)a->capacity);
    }
    return fine;
}

static bool ranks_fit(const ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (operator_has_tensor(d, k) && (d->tensors[k].rank < 1 || d->tensors[k].rank > TS_MAX_DIMS))
            return false; /* BUF-05 */
    return true;
}

/* Is the rule about the tensors that are given, and nothing else? Then it is judged even if something is missing. */
static bool is_about_tensors(const checked_rule *rule)
{
    static checked_judge *const judges[] = { checked_same_type, checked_same_rank, checked_same_sizes,
                                             checked_one_element, checked_broadcasts };
    for (size_t i = 0; i < sizeof judges / sizeof judges[0]; ++i)
        if (rule->judge == judges[i])
            return true;
    return false;
}

void checked_check(const ts_descriptor *d, ts_report *report)
{
    const checked_operator *declared = (const checked_operator *)(const void *)d->op;
    const checked_common *common = common_of(d->op);
    const char *dims[TS_MAX_TENSORS], *types[TS_MAX_TENSORS];
    for (unsigned k = 0; k < TS_MAX_TENSORS; ++k) {
        dims[k] = common->dims;
        types[k] = common->types;
    }
    const bool comparable = dml_check_tensors(d, report, common->exists, dims, types);
    check_names(d, report);
    const bool lists = check_lists(d, report);
    const bool given = operator_check_given(d, report, common->exists);
    if (!comparable || !lists || !ranks_fit(d))
        return;
    for (unsigned i = 0; i < declared->rule_count; ++i) {
        const checked_rule *rule = &declared->rules[i];
        if (!given && !is_about_tensors(rule))
            continue;
        if (rule->until == 0 || (d->feature_level != 0 && d->feature_level < rule->until))
            rule->judge(d, rule, report);
    }
}

/* ---- explaining --------------------------------------------------------------------------------------------- */

void checked_explain(const ts_descriptor *d, ts_explanation *out)
{
    const checked_operator *declared = (const checked_operator *)(const void *)d->op;
    explain_step(out, "", "What the operator requires");
    if (!operator_computes(d->op))
        explain_say(out,
                    "Touchstone checks descriptors of this operator and does not compute it: no case executes it.");
    for (unsigned i = 0; i < d->op->clause_count; ++i)
        if (d->op->clauses[i].result != TS_RESULT_NONE)
            explain_show(out, "%s  %s", d->op->clauses[i].id, d->op->clauses[i].text);
    if (declared->semantics.element)
        each_explain(d, out);
    if (declared->source)
        source_explain(d, out);
}
