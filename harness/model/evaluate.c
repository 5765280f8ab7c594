/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/evaluate.h"
#include "harness/model/descriptor.h"
#include "harness/base/did_you_mean.h"
#include "harness/base/platform.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool present(const ts_descriptor *d, unsigned k)
{
    return d->tensors[k].given & TS_GIVEN_TENSOR;
}

evaluate_status evaluate_status_of(ts_result worst)
{
    switch (worst) {
    case TS_RESULT_INVALID:
    case TS_RESULT_BIND_ERROR: return EVALUATE_INVALID;
    case TS_RESULT_UNSUPPORTED_FL: return EVALUATE_UNSUPPORTED;
    case TS_RESULT_OPEN: return EVALUATE_OPEN;
    default: return EVALUATE_OK;
    }
}

const char *evaluate_status_name(evaluate_status status)
{
    static const char *const names[] = { "ok", "invalid", "unsupported", "open" };
    return names[status];
}

const char *evaluate_result_name(ts_result result)
{
    static const char *const names[] = {
        [TS_RESULT_NONE] = "none",
        [TS_RESULT_WARNING] = "warning",
        [TS_RESULT_INVALID] = "invalid",
        [TS_RESULT_UNSUPPORTED_FL] = "unsupported",
        [TS_RESULT_BIND_ERROR] = "bind-error",
        [TS_RESULT_UNSPECIFIED] = "unspecified",
        [TS_RESULT_OPEN] = "open",
    };
    return names[result];
}

bool evaluate_names_clause(const ts_report *report, unsigned i)
{
    if (report->items[i].result == TS_RESULT_WARNING)
        return false;
    for (unsigned j = 0; j < i; ++j) {
        if (report->items[j].result != TS_RESULT_WARNING &&
            strcmp(report->items[j].clause, report->items[i].clause) == 0)
            return false;
    }
    return true;
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

/* The bytes to allocate for a tensor: its stated size, but at least the bytes that it addresses. */
static uint64_t memory_of(const ts_tensor *t)
{
    uint64_t least = 0;
    if (!tensor_min_bytes(t, &least))
        least = UINT64_MAX;
    return t->total_bytes > least ? t->total_bytes : least;
}

/* Zeroed memory that occupies only the pages that are touched: sparse tensors have more addresses than the machine has
   memory. */
static void *reserve(evaluation *v, unsigned k, uint64_t bytes, bool sparse)
{
    if (!sparse)
        return calloc(bytes ? (size_t)bytes : 1, 1);
    size_t page = platform_page_size();
    v->mapped[k] = (bytes / page + 1) * page;
    return platform_map_guarded(v->mapped[k]);
}

static bool begin(evaluation *v, const ts_descriptor *d, const ts_report *found, evaluate_how how, error *e)
{
    const uint64_t most = how.sparse ? EVALUATE_MAX_ADDRESSES : EVALUATE_MAX_BYTES;
    uint64_t total = 0;
    memset(v, 0, sizeof *v);
    v->descriptor = *d;
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        v->descriptor.tensors[k].data = NULL;
    operator_begin_report(d, &v->report);
    if (found) /* the first violation: others may be its consequences */
        operator_add_report(&v->report, found);
    if (!operator_reports(&v->report, operator_count_clause.id))
        operator_check(&v->descriptor, &v->report);
    v->status = evaluate_status_of(v->report.worst);
    if (v->status != EVALUATE_OK && !how.computes)
        return true;
    if (!operator_computes(d->op))
        return error_usage(e, "%s is checked, but not computed: it has no golden outputs", d->op->name);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        ts_tensor *t = &v->descriptor.tensors[k];
        uint64_t bytes = memory_of(t);
        if (!present(d, k))
            continue;
        if (bytes > most || (total += bytes) > most) {
            evaluate_end(v);
            return error_usage(e, "%s: its tensors need more than %" PRIu64 " MiB", d->op->name, most >> 20);
        }
        t->data = reserve(v, k, bytes, how.sparse);
        if (!t->data) {
            evaluate_end(v);
            return error_set(e, "%s: out of memory for %" PRIu64 " bytes of %s", d->op->name, bytes,
                             d->op->tensors[k].name);
        }
    }
    v->runs = true;
    return true;
}

bool evaluate_begin(evaluation *v, const ts_descriptor *d, const ts_report *found, error *e)
{
    return begin(v, d, found, (evaluate_how){ .sparse = false }, e);
}

bool evaluate_begin_case(evaluation *v, const ts_descriptor *d, evaluate_how how, error *e)
{
    return begin(v, d, NULL, how, e);
}

static void drop_marks(evaluation *v)
{
    for (unsigned k = 0; k < TS_MAX_TENSORS; ++k) {
        free(v->marks[k].map);
        v->marks[k] = (ts_marks){ .map = NULL };
    }
}

void evaluate_end(evaluation *v)
{
    for (unsigned k = 0; k < TS_MAX_TENSORS; ++k) {
        if (v->mapped[k])
            platform_unmap_guarded(v->descriptor.tensors[k].data, v->mapped[k]);
        else
            free(v->descriptor.tensors[k].data);
        v->mapped[k] = 0;
        v->descriptor.tensors[k].data = NULL;
    }
    drop_marks(v);
    v->unspecified_count = v->several_count = 0;
    v->runs = false;
}

/* ---- data -------------------------------------------------------------------------------------------------- */

static bool unknown_input(const ts_operator *op, const char *name, error *e)
{
    did_you_mean_names known = { .count = 0 };
    for (unsigned k = 0; k < op->tensor_count; ++k) {
        if (op->tensors[k].role == TS_INPUT && operator_begins_field(op, k))
            did_you_mean_add(&known, operator_field_of_tensor(op, k));
    }
    return did_you_mean_unknown(e, op->name, "input", name, &known);
}

/* Sort the data by tensor; those of a list are a list. */
static bool collect_inputs(const ts_descriptor *d, json_t *inputs, json_t **data, error *e)
{
    const char *key;
    json_t *value;
    json_object_foreach(inputs, key, value)
    {
        const ts_tensor_list *l = operator_list_named(d->op, key);
        const int k = l ? (int)l->first : operator_tensor_index(d->op, key);
        const size_t n = l ? json_array_size(value) : 1;
        if (k < 0 || d->op->tensors[k].role != TS_INPUT)
            return unknown_input(d->op, key, e);
        if (l && (!json_is_array(value) || n > operator_list_length(d, l)))
            return error_usage(e, "%s: %s needs a list of the data of its %u tensors", d->op->name, key,
                               operator_list_length(d, l));
        for (size_t i = 0; i < n; ++i) {
            const unsigned at = (unsigned)k + (unsigned)i;
            if (data[at] || !present(d, at))
                return error_usage(e, "%s: %s %s", d->op->name, d->op->tensors[at].name,
                                   data[at] ? "is given twice" : "is an absent tensor");
            data[at] = l ? json_array_get(value, i) : value;
        }
    }
    return true;
}

/* Say which inputs there have to be. */
static bool no_inputs(const ts_descriptor *d, error *e)
{
    char list[400] = "";
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        uint64_t count = 0;
        const size_t used = strlen(list);
        if (d->op->tensors[k].role != TS_INPUT || !present(d, k))
            continue;
        tensor_element_count(&d->tensors[k], &count);
        snprintf(list + used, sizeof list - used, "%s%s (%" PRIu64 " element%s of %s)", used ? ", " : "",
                 d->op->tensors[k].name, count, count == 1 ? "" : "s", operator_dtype_name(d->op, d->tensors[k].dtype));
    }
    return error_usage(e, "%s: the record has no inputs, the data of %s", d->op->name, list);
}

bool evaluate_fill(evaluation *v, json_t *inputs, error *e)
{
    const ts_descriptor *d = &v->descriptor;
    json_t *data[TS_MAX_TENSORS] = { NULL };
    if (!inputs)
        return no_inputs(d, e);
    if (!json_is_object(inputs) && !(json_is_array(inputs) && json_array_size(inputs) == 0))
        return error_usage(e, "%s: the inputs are no record of data by tensor", d->op->name);
    if (!collect_inputs(d, inputs, data, e))
        return false;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        if (d->op->tensors[k].role != TS_INPUT || !present(d, k))
            continue;
        const char *name = d->op->tensors[k].name;
        uint64_t count = 0, bytes = 0;
        tensor_element_count(&d->tensors[k], &count);
        tensor_span_bytes(&d->tensors[k], &bytes);
        if (!data[k])
            return error_usage(
                e, "%s: the inputs have no %s, whose data are %" PRIu64 " %s of %s, or %" PRIu64 " raw bytes",
                d->op->name, name, count, count == 1 ? "number" : "numbers",
                operator_dtype_name(d->op, d->tensors[k].dtype), bytes);
        if (!descriptor_data_from_json(&d->tensors[k], name, data[k], e))
            return false;
    }
    return true;
}

/* ---- running ----------------------------------------------------------------------------------------------- */

static bool is_output(const ts_descriptor *d, unsigned k)
{
    return d->op->tensors[k].role == TS_OUTPUT && present(d, k);
}

/* If the specification leaves the whole result open, no element is defined. */
static void mark_all(evaluation *v)
{
    v->unspecified_count = v->several_count = 0;
    for (unsigned k = 0; k < TS_MAX_TENSORS; ++k) {
        if (v->marks[k].map)
            memset(v->marks[k].map, TS_UNDEFINED, (size_t)v->marks[k].capacity);
        v->unspecified_count += v->marks[k].capacity;
    }
}

/* Run the reference, and give outputs whose shape depends on data the shape that it reports. */
static bool run_reference(evaluation *v, ts_unspecified *u, error *e)
{
    ts_descriptor *d = &v->descriptor;
    ts_shape shapes[TS_MAX_TENSORS];
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        shapes[k].rank = TS_RANK_UNREPORTED;
        d->tensors[k].reported = operator_dependent(d->op, k) ? &shapes[k] : NULL;
    }
    d->op->run(d, u);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        d->tensors[k].reported = NULL;
        if (!operator_dependent(d->op, k) || !present(d, k))
            continue;
        if (shapes[k].rank == TS_RANK_UNREPORTED)
            return error_set(e, "%s: the reference reports no shape of %s", d->op->name, d->op->tensors[k].name);
        d->tensors[k] = operator_result(d, k, &shapes[k]);
        tensor_min_bytes(&d->tensors[k], &d->tensors[k].total_bytes);
    }
    return true;
}

bool evaluate_run(evaluation *v, error *e)
{
    const ts_descriptor *d = &v->descriptor;
    ts_unspecified u = { .marks = v->marks };
    if (!v->runs)
        return error_set(e, "%s: a descriptor that is %s cannot be run", d->op->name, evaluate_status_name(v->status));
    drop_marks(v);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        uint64_t count;
        if (!is_output(d, k) || !tensor_element_count(&d->tensors[k], &count))
            continue;
        v->marks[k].map = calloc(count ? (size_t)count : 1, 1);
        if (!v->marks[k].map)
            return error_set(e, "%s: out of memory", d->op->name);
        v->marks[k].capacity = count;
    }
    if (!run_reference(v, &u, e))
        return false;
    v->unspecified_count = u.count;
    v->several_count = u.several;
    if (v->report.worst == TS_RESULT_UNSPECIFIED)
        mark_all(v);
    if (v->unspecified_count == 0 && v->several_count == 0)
        drop_marks(v);
    return true;
}

static ts_answers answers_to(const evaluation *v, unsigned k, const uint64_t *coord, uint64_t asked)
{
    ts_answers answers = { .asked = asked };
    if (v->descriptor.op->answers)
        v->descriptor.op->answers(&v->descriptor, k, coord, &answers);
    return answers;
}

ts_answers evaluate_answers(const evaluation *v, unsigned k, const uint64_t *coord)
{
    return answers_to(v, k, coord, 0);
}

bool evaluate_allows(const evaluation *v, unsigned k, const uint64_t *coord, uint64_t bits)
{
    return answers_to(v, k, coord, bits).allowed;
}
