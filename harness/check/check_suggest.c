/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_suggest.h"

#include "harness/check/check.h"
#include "harness/check/check_search.h"
#include "harness/check/check_trial.h"
#include "harness/model/suggest_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SAID 2 /* options in a suggestion */

/* ---- clauses of files -------------------------------------------------------------------------------------------- */

/* The axis that a negative number means: from the end. */
static bool suggest_axis(const ts_descriptor *d, const ts_mention *m, int64_t stated, ts_suggestion *out)
{
    const char *name = d->op->attrs[m->attr].name;
    const int64_t rank = d->tensors[0].rank;
    if (stated >= 0 || stated < -rank || (strcmp(name, "Axis") != 0 && strcmp(name, "Axes") != 0))
        return false;
    suggest_value(d, out, name, m->index < 0 ? 0 : (unsigned)m->index, rank + stated, rank + stated);
    return true;
}

/* From "NAME = VALUE is out of range: RANGE; ...". */
static void suggest_range(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const char *equals = strstr(v->text, " = "), *range = strstr(v->text, " is out of range: ");
    ts_mention m;
    int64_t stated = 0;
    if (!equals || mention_list(d, v, &m, 1) == 0)
        return;
    stated = strtoll(equals + 3, NULL, 10);
    const uint32_t tensor = m.tensor >= 0 ? UINT32_C(1) << m.tensor : 0;
    const unsigned index = m.index < 0 ? 0 : (unsigned)m.index;
    if (m.attr >= 0) {
        const ts_attr_range field = operator_attr_range(d->op->attrs[m.attr].type);
        int64_t low = field.min, high = field.max;
        if (range)
            sscanf(range, " is out of range: %" SCNd64 " to %" SCNd64, &low, &high);
        if (!suggest_axis(d, &m, stated, out))
            suggest_value(d, out, d->op->attrs[m.attr].name, index, low, high);
    } else if (strcmp(m.field, "Sizes") == 0 || strcmp(m.field, "shape") == 0) {
        suggest_size(out, tensor, index, d->op->openvino_types ? 0 : 1, d->op->openvino_types ? INT64_MAX : UINT32_MAX);
    } else if (strcmp(m.field, "Strides") == 0 || strcmp(m.field, "strides") == 0) {
        suggest_add(out, &(suggest_edit){ .kind = SUGGEST_PACKED, .tensors = tensor });
    } else if (strcmp(m.field, "GuaranteedBaseOffsetAlignment") == 0) {
        suggest_tensor_number(out, SUGGEST_ALIGNMENT, tensor, 0, 0);
    } else if (strcmp(m.field, "TotalTensorSizeInBytes") == 0) {
        uint64_t bytes;
        if (tensor_min_bytes(&d->tensors[m.tensor], &bytes))
            suggest_tensor_number(out, SUGGEST_BYTES, tensor, bytes, bytes);
    }
}

/* A list of an attribute, or of a tensor, gets as many values as another one. */
static bool suggest_resized(const ts_descriptor *d, const char *name, unsigned count, ts_suggestion *out)
{
    ts_violation named = { .tensor = -1, .axis = -1 };
    ts_mention m;
    snprintf(named.text, sizeof named.text, "%s", name);
    if (mention_list(d, &named, &m, 1) == 0)
        return false;
    if (m.attr >= 0) {
        suggest_length(d, out, d->op->attrs[m.attr].name, count);
        return true;
    }
    suggest_add(out, &(suggest_edit){
                         .kind = SUGGEST_VALUES, .tensors = UINT32_C(1) << m.tensor, .count = 1, .values = { count } });
    snprintf(out->options[out->count - 1].edits[0].text, sizeof out->options[0].edits[0].text, "%s", m.field);
    return true;
}

/* From "LIST has N values, but the other lists have M", "LIST has N values, but OTHER has M" or "COUNT is N, but LIST
   has M values". */
static void suggest_counted(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    char a[80], b[80];
    unsigned n, m;
    if (sscanf(v->text, "%79s has %u value%*[s,] but the other lists have %u", a, &n, &m) == 3) {
        suggest_resized(d, a, m, out);
    } else if (sscanf(v->text, "%79s has %u value%*[s,] but %79s has %u", a, &n, b, &m) == 4) {
        suggest_resized(d, a, m, out);
        suggest_or(out);
        suggest_resized(d, b, n, out);
    } else if (sscanf(v->text, "%79s is %u, but %79s has %u value", a, &n, b, &m) == 4) {
        suggest_resized(d, a, m, out);
        suggest_or(out);
        suggest_resized(d, b, n, out);
    }
}

static void suggest_bound(ts_suggestion *out, const ts_violation *v, const char *format, ...) TS_PRINTF(3, 4);

static void suggest_bound(ts_suggestion *out, const ts_violation *v, const char *format, ...)
{
    suggest_edit edit = { .kind = SUGGEST_BINDING, .tensors = v->tensor < 0 ? 0 : UINT32_C(1) << v->tensor };
    va_list args;
    va_start(args, format);
    vsnprintf(edit.text, sizeof edit.text, format, args);
    va_end(args);
    suggest_or(out);
    suggest_add(out, &edit);
}

/* What a file binds to tensors. */
static void suggest_binding(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const char *name = v->tensor >= 0 && v->tensor < (int)d->op->tensor_count
                           ? operator_field_of_tensor(d->op, (unsigned)v->tensor)
                           : NULL;
    const char *byte = strstr(v->text, " at byte "), *multiple = strstr(v->text, "no multiple of ");
    if (strcmp(v->clause, "BUF-15") == 0 && byte && multiple) {
        const uint64_t at = strtoull(byte + strlen(" at byte "), NULL, 10);
        const uint64_t step = strtoull(multiple + strlen("no multiple of "), NULL, 10);
        if (step > 0)
            suggest_bound(out, v, "%s bound at byte %" PRIu64, name, at / step * step); /* behind it are more bytes */
    } else if (strcmp(v->clause, "BUF-16") == 0) {
        suggest_bound(out, v, "a resource with at least %" PRIu64 " bytes from the offset on",
                      d->tensors[v->tensor].total_bytes);
    } else if (strstr(v->text, "which is no tensor of the operator")) {
        suggest_bound(out, v, "bindings with the names of the operator's tensors only");
    } else if (strstr(v->text, "the descriptor does not have it")) {
        suggest_bound(out, v, "no binding of %s", name);
    } else if (name && strstr(v->text, " bound to ") && strstr(v->text, " tensor")) {
        suggest_bound(out, v, "as many resources bound to %s as it is tensors", name);
    } else if (name) {
        suggest_bound(out, v, "%s bound to one of the model's resources", name);
    }
}

void check_suggest_declared(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_clause *clause = operator_clause(d->op, v->clause);
    ts_suggest *suggest = v->suggest || !clause ? v->suggest : clause->suggest;
    if (strcmp(v->clause, operator_range_clause.id) == 0)
        suggest_range(d, v, out);
    else if (strcmp(v->clause, operator_count_clause.id) == 0)
        suggest_counted(d, v, out);
    else if (strcmp(v->clause, "BIND-01") == 0 || strcmp(v->clause, "BUF-15") == 0 || strcmp(v->clause, "BUF-16") == 0)
        suggest_binding(d, v, out);
    else if (suggest)
        suggest(d, v, out);
    else if (v->required && v->tensor >= 0 && v->axis >= 0)
        suggest_size(out, UINT32_C(1) << v->tensor, (unsigned)v->axis, v->required, v->required);
    else if (v->result == TS_RESULT_INVALID || v->result == TS_RESULT_OPEN || v->result == TS_RESULT_UNSPECIFIED)
        suggest_shape(d, v, out);
}

/* ---- trying ------------------------------------------------------------------------------------------------------ */

/* What only the file has, and no trial of the descriptor shows. */
static bool is_of_file(const suggest_option *option)
{
    return option->count > 0 && (option->edits[0].kind == SUGGEST_BINDING || option->edits[0].kind == SUGGEST_VALUES);
}

/* Does an option state the same field as one before it, with another value? */
static bool is_another_example(const ts_suggestion *s, const suggest_option *option)
{
    const suggest_edit *edit = &option->edits[0];
    const bool example = edit->kind == SUGGEST_TENSOR || edit->kind == SUGGEST_ATTR_GIVEN;
    return example && s->count > 0 && s->options[0].edits[0].kind == edit->kind;
}

/* Keep an option that holds, and of all of them the legal ones, if there are any. */
static void keep(const suggest_option *option, check_trial_result result, check_trial_result *best, ts_suggestion *out)
{
    if (result == CHECK_TRIAL_BAD || result < *best)
        return;
    if (result > *best)
        out->count = 0;
    *best = result;
    if (out->count < MOST_SAID && !is_another_example(out, option))
        out->options[out->count++] = *option;
}

/* The options as they are; else, as far as a search finds nothing that is legal, with what they entail. */
static void try_all(check_trial *t, const ts_suggestion *declared, ts_suggestion *out)
{
    check_trial_result best = CHECK_TRIAL_BAD;
    for (unsigned i = 0; i < declared->count; ++i) {
        suggest_option option = declared->options[i];
        keep(&option, is_of_file(&option) ? CHECK_TRIAL_LEGAL : check_trial_refine(t, &option), &best, out);
    }
    for (unsigned i = 0; i < declared->count && best == CHECK_TRIAL_BAD; ++i) {
        suggest_option option = declared->options[i];
        keep(&option, check_trial_follow(t, &option), &best, out);
    }
    if (best == CHECK_TRIAL_LEGAL || !t->listed)
        return;
    ts_suggestion *found = malloc(sizeof *found);
    if (found)
        suggest_begin(found);
    if (found && check_search(t, found) > best)
        *out = *found;
    free(found);
}

/* A higher feature level, if the clause holds there, and at the highest one. */
static void add_level(check_trial *t, ts_suggestion *out)
{
    size_t count;
    const ts_level *levels = tensor_levels(&count);
    suggest_option option = { .count = 1, .edits = { { .kind = SUGGEST_LEVEL, .span = SUGGEST_OR_MORE, .count = 2 } } };
    option.edits[0].values[0] = t->v->needs;
    option.edits[0].values[1] = levels[count - 1];
    if (check_trial_option(t, &option, 0) != CHECK_TRIAL_BAD && check_trial_option(t, &option, 1) != CHECK_TRIAL_BAD &&
        out->count < SUGGEST_MOST_OPTIONS)
        out->options[out->count++] = option;
}

void check_suggest_find(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    check_trial *t = malloc(sizeof *t); /* large: only what counts is cleared */
    ts_suggestion *declared = malloc(sizeof *declared);
    suggest_begin(out);
    if (t && declared) {
        suggest_begin(declared);
        check_trial_begin(t, d, v);
        check_suggest_declared(d, v, declared);
        try_all(t, declared, out);
        if (v->needs)
            add_level(t, out);
    }
    free(declared);
    free(t);
}

void check_suggest(const ts_descriptor *d, const ts_violation *v, char *buf, size_t size)
{
    ts_suggestion *found = malloc(sizeof *found);
    buf[0] = 0;
    if (found) {
        check_suggest_find(d, v, found);
        suggest_text(d, found, buf, size);
    }
    free(found);
}
