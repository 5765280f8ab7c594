/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/finding.h"
#include "harness/base/text.h"

#include "harness/execute/finding_derived.h"
#include "harness/execute/finding_ground.h"
#include "harness/execute/finding_place.h"
#include "harness/execute/finding_source.h"
#include "harness/model/descriptor.h"
#include "harness/model/value.h"
#include "harness/casefile/waivers.h"
#include "reference/operators.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *format(const char *pattern, ...) ERROR_PRINTF(1, 2);
static char *format(const char *pattern, ...)
{
    char *out = NULL;
    va_list args;
    va_start(args, pattern);
    if (vasprintf(&out, pattern, args) < 0)
        out = NULL;
    va_end(args);
    return out;
}

/* ---- rendering ---- */

static json_t *render_bits(uint32_t dtype, uint64_t bits)
{
    unsigned char element[8];
    char value[48];
    value_store_bits(dtype, element, bits);
    return json_string(value_format(dtype, element, value, sizeof value));
}

static json_t *render_values(const ts_tensor *t, const unsigned char *base)
{
    json_t *list = json_array();
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    do {
        const uint64_t offset = tensor_offset(t, coord);
        json_array_append_new(
            list, render_bits(t->dtype, value_bits(t->dtype, base + offset * tensor_element_bytes(t->dtype))));
    } while (tensor_next(t, coord));
    return list;
}

/* Did the backend accept the call and come back? Otherwise its outputs hold poison, or parts of a result. */
static bool answered(const execute_item *item)
{
    return item->preset == VERDICT_NONE && !item->faulted && !item->failure && item->status == TS_OK;
}

/* What the specification allows for each element of output t: a value, null for any, or a list of several. */
static json_t *render_expected(execute_item *item, unsigned t, const ts_marks *marks)
{
    const ts_tensor at = item_tensor(item, t), *tensor = &at;
    json_t *list = render_values(tensor, item->places[t].golden);
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    size_t number = 0;
    do {
        const ts_open open = operator_open(marks, t, number);
        if (open == TS_UNDEFINED)
            json_array_set_new(list, number, json_null());
        if (open == TS_SEVERAL) {
            const ts_answers answers = item_answers(item, t, coord, 0);
            json_t *several = json_array();
            for (unsigned i = 0; i < answers.count; ++i)
                json_array_append_new(several, render_bits(tensor->dtype, answers.bits[i]));
            json_array_set_new(list, number, several);
        }
        ++number;
    } while (tensor_next(tensor, coord));
    return list;
}

char *finding_render(executor *x, execute_item *item)
{
    const ts_descriptor *d = &item->instance->descriptor;
    const ts_operator *op = d->op;
    if (!item_executes(item))
        return NULL;
    const ts_marks *marks = item_marks(x, item);
    json_t *list = json_array();
    for (unsigned t = 0; t < op->tensor_count; ++t) {
        const ts_tensor as_is = item_tensor(item, t), *tensor = &as_is;
        bool output = op->tensors[t].role == TS_OUTPUT;
        uint64_t count;
        if (!(tensor->given & TS_GIVEN_TENSOR) || !tensor_element_count(tensor, &count) || count == 0 ||
            count > FINDING_RENDERED)
            continue;
        json_t *sizes = json_array();
        for (uint32_t i = 0; i < tensor->rank; ++i)
            json_array_append_new(sizes, json_integer((json_int_t)tensor->sizes[i]));
        json_t *rendered =
            json_pack("{s:s,s:s,s:s,s:o}", "name", op->tensors[t].name, "role", output ? "output" : "input", "dtype",
                      tensor_dtype(tensor->dtype)->id, "sizes", sizes);
        if (!output || answered(item))
            json_object_set_new(rendered, "values",
                                render_values(tensor, output ? item->places[t].subject : item->places[t].golden));
        if (output)
            json_object_set_new(rendered, "expected", render_expected(item, t, marks));
        json_array_append_new(list, rendered);
    }
    char *line = json_array_size(list) ? json_dumps(list, JSON_COMPACT) : NULL;
    json_decref(list);
    return line;
}

/* ---- the description ---- */

/* Add to the rendered tensor with the first difference from which element of the input that should come. */
static void add_expected_source(store_finding *f, const char *element)
{
    json_t *list = f->tensors ? json_loads(f->tensors, 0, NULL) : NULL, *tensor;
    size_t i;
    json_array_foreach(list, i, tensor)
    {
        const char *name = json_string_value(json_object_get(tensor, "name"));
        if (name && f->tensor && strcmp(name, f->tensor) == 0)
            json_object_set_new(tensor, "expected_source", json_string(element));
    }
    char *line = list ? json_dumps(list, JSON_COMPACT) : NULL;
    if (line) {
        free((char *)(uintptr_t)f->tensors);
        f->tensors = line;
    }
    json_decref(list);
}

/* Write what the specification allows for the first element that differs: "0x05 (5)", or "one of 0x05 (5), 0x07 (7)".
 */
static void format_expected(execute_item *item, const judgement *j, char *buf, size_t size)
{
    const uint32_t dtype = item->instance->descriptor.tensors[j->tensor].dtype;
    const ts_answers answers =
        j->several ? item_answers(item, (unsigned)j->tensor, j->coord, j->actual) : (ts_answers){ .count = 1 };
    if (answers.count == 1) { /* or several that are equal */
        value_format_bits(dtype, j->expected, buf, size);
        return;
    }
    char value[96];
    size_t used = (size_t)snprintf(buf, size, "one of ");
    for (unsigned i = 0; i < answers.count && used < size; ++i)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "",
                                 value_format_bits(dtype, answers.bits[i], value, sizeof value));
    if (answers.more && used < size)
        snprintf(buf + used, size - used, " and others");
}

static void describe_mismatch(executor *x, execute_item *item, const judgement *j, store_finding *f, ground_element *g)
{
    const ts_operator *op = item->instance->descriptor.op;
    const ts_tensor *t = &item->instance->descriptor.tensors[j->tensor];
    char place[160], expected[TS_LISTED_ANSWERS * 96], actual[96];
    const char *origin = "";
    source from;
    derived computed;
    value_format_list(j->coord, t->rank, place, sizeof place);
    format_expected(item, j, expected, sizeof expected);
    value_format_bits(t->dtype, j->actual, actual, sizeof actual);
    f->element = strdup(place);
    f->expected = strdup(expected);
    f->actual = strdup(actual);
    f->differing = j->differing;
    if (f->verdict == VERDICT_MISMATCH && !x->range.no_reruns) {
        const bool copies = !operators_derivation(op->name);
        copies ? source_trace(x, item, j, &from) : derived_describe(x, item, j, &computed);
        if (copies)
            *g = (ground_element){ from.kind == SOURCE_SAME, from.negative_index };
        const char *what = copies ? from.actual : computed.source;
        origin = copies ? from.sentence : computed.sentence;
        f->source = *what ? strdup(what) : NULL;
        if (copies && *from.expected)
            add_expected_source(f, from.expected);
    }
    f->detail = format("%s%s is %s where the specification gives %s%s; %" PRIu64 " element%s differ%s.%s",
                       op->tensors[j->tensor].name, place, actual, expected, origin, j->differing,
                       j->differing == 1 ? "" : "s", j->differing == 1 ? "s" : "",
                       f->verdict == VERDICT_MODIFIED_INPUT ? " A backend must not write to its inputs."
                       : item->places[j->tensor].in_place   ? " The output is in the memory of the input."
                                                            : "");
}

static void describe_shape(const execute_item *item, const judgement *j, store_finding *f)
{
    const ts_tensor t = item_tensor(item, (unsigned)j->tensor);
    char expected[160], actual[160];
    value_format_list(t.sizes, t.rank, expected, sizeof expected);
    value_format_shape(&j->shape, actual, sizeof actual);
    f->expected = format("sizes %s", expected);
    f->actual = j->shape.rank <= TS_MAX_DIMS ? format("sizes %s", actual) : format("%s", actual);
    if (j->shape.rank == TS_RANK_UNREPORTED)
        f->detail = format("the backend reports no shape for %s, whose shape depends on data; by the specification its "
                           "sizes are %s.",
                           f->tensor, expected);
    else
        f->detail = format("the backend reports %s%s for %s; by the specification %s %s.",
                           j->shape.rank <= TS_MAX_DIMS ? "the sizes " : "", actual, f->tensor,
                           j->shape.rank <= TS_MAX_DIMS ? "they are" : "its sizes are", expected);
}

static void describe_outside(const execute_item *item, const judgement *j, store_finding *f)
{
    const uint64_t bytes = item->instance->descriptor.tensors[j->tensor].total_bytes;
    char place[1000];
    place_describe(item, (unsigned)j->tensor, j->outside, place, sizeof place);
    f->detail = format(
        "%" PRIu64 " byte%s outside %s changed, the first at byte %" PRId64 " of a tensor of %" PRIu64 " byte%s. %s",
        j->outside_bytes, j->outside_bytes == 1 ? "" : "s", f->tensor, j->outside, bytes, bytes == 1 ? "" : "s", place);
}

/* The stack frames of the backend at the fault, innermost first; NULL where none is known. The caller frees them. */
static char *name_frames(const platform_fault *fault)
{
    char names[1024] = "", frame[160];
    size_t used = 0;
    for (int i = 0; i < fault->frame_count && used < sizeof names; ++i) {
        platform_describe_frame(fault->frames[i], frame, sizeof frame);
        if (!*frame && used)
            break; /* the frame that called the backend */
        if (*frame)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", frame);
    }
    return *names ? strdup(names) : NULL;
}

/* In which call of the backend was it, if not in the case's own? */
static const char *fault_place(const execute_item *item)
{
    return item->phase == ITEM_IN_QUERY       ? " when it was asked whether it supports such cases"
           : item->phase == ITEM_IN_PRECEDING ? " in a call that the test makes before this case"
                                              : "";
}

static void describe_fault(const executor *x, const execute_item *item, store_finding *f)
{
    const char *where = fault_place(item);
    char *frames = name_frames(&item->fault), address[64];
    snprintf(address, sizeof address, "%s address 0x%" PRIxPTR, item->fault.write ? "writing to" : "reading from",
             (uintptr_t)item->fault.address);
    if (item->failure)
        f->detail = format("the backend %s%s.", item->failure, where);
    else if (!item->faulted && f->verdict == VERDICT_CRASH)
        f->detail = format("the call ended the process that executed it%s%s.", *item->note ? ": " : "", item->note);
    else if (f->verdict == VERDICT_HANG)
        f->detail = format("the backend did not come back within %g s%s.%s%s%s", x->options.limits.seconds, where,
                           frames ? " It was in " : "", frames ? frames : "", frames ? "." : "");
    else
        f->detail = format("the backend ended in %s%s%s%s.%s%s%s", item->fault.name, item->fault.touched ? ", " : "",
                           item->fault.touched ? address : "", where, frames ? " It was in " : "", frames ? frames : "",
                           frames ? "." : "");
    free(frames);
}

/* The backend wrote to what ts_call points to, or to the call itself. */
static void describe_write_to_call(const execute_item *item, store_finding *f)
{
    char *frames = name_frames(&item->fault);
    f->detail = format("the backend wrote to the call, its tensors or its attributes, which it must only read%s, and "
                       "ended in %s.%s%s",
                       fault_place(item), item->fault.name, frames ? " It was in " : "", frames ? frames : "");
    free(frames);
}

/* Executions after which, at the present rate, the case has almost surely both passed and failed. */
static uint64_t executions_to_show_both(const rerun_stats *t)
{
    const uint64_t passed = t->executed - t->failed;
    const uint64_t rarer = passed && passed < t->failed ? passed : t->failed ? t->failed : 1;
    return 5 * ((t->executed + rarer - 1) / rarer);
}

/* Add how often the case failed, and let the reproducer execute it often enough. */
static void describe_rate(const execute_item *item, store_finding *f)
{
    char rate[48], sentence[1024];
    char *detail = (char *)(uintptr_t)f->detail, *reproducer = (char *)(uintptr_t)f->reproducer;
    rerun_stats_rate(item->rerun_stats, rate, sizeof rate);
    rerun_stats_describe(item->rerun_stats, &item->instance->descriptor, sentence, sizeof sentence);
    f->rate = strdup(rate);
    f->detail = format("%s%s%s", detail ? detail : "", detail ? " " : "", sentence);
    free(detail);
    f->reproducer =
        format("%s --repeat %" PRIu64, reproducer ? reproducer : "", executions_to_show_both(item->rerun_stats));
    free(reproducer);
}

/* Say that the case passes with its own data, and let the reproducer draw it. */
static void describe_other_data(const executor *x, store_finding *f)
{
    char *detail = (char *)(uintptr_t)f->detail, *reproducer = (char *)(uintptr_t)f->reproducer;
    f->other_data = true;
    f->detail = format("%s%sWith its own data the case passes: this is a further execution with other data, as a share "
                       "of the cases has.",
                       detail ? detail : "", detail ? " " : "");
    free(detail);
    if (x->options.seed == 0)
        return;
    f->reproducer = format("%s --seed %" PRIu64, reproducer ? reproducer : "", x->options.seed);
    free(reproducer);
}

static void describe_refusal(const execute_item *item, store_finding *f)
{
    char clauses[400];
    finding_ground_list(item->instance->descriptor.op, clauses, sizeof clauses);
    f->detail = format("the descriptor keeps %s, and the backend refuses it%s%s%s.", clauses,
                       item_executes(item) ? "" : " without data (TS_CALL_DESCRIPTOR_ONLY)", *item->note ? ": " : "",
                       item->note);
}

/* Every failure has a ground. A decision can be one where the user lets decisions bind. */
static bool set_ground(const executor *x, const execute_item *item, const judgement *j, const ground_element *e,
                       store_finding *f, error *bad)
{
    const ts_clause *c = finding_ground(item, j, f->verdict, e);
    if (!c || (!operator_binds(c) && x->options.decisions == TS_DECISIONS_OPEN))
        return error_set(bad, "%s fails as %s, and %s%s", f->case_id, verdict_name(f->verdict),
                         c ? "no published sentence says what this clause does: " : "no clause says so", c ? c->id : "");
    f->clause = strdup(c->id);
    return f->clause ? true : error_set(bad, "out of memory");
}

bool finding_describe(executor *x, execute_item *item, const judgement *j, verdict v, const char *id, store_finding *f,
                      error *e)
{
    const ts_descriptor *d = &item->instance->descriptor;
    const ts_operator *op = d->op;
    ground_element element = { .same_origin = false };
    f->index = item->instance->index;
    f->case_id = strdup(id);
    f->verdict = v;
    f->dtype = tensor_dtype(operator_dtype(d)) ? strdup(tensor_dtype(operator_dtype(d))->id) : NULL;
    f->level = strdup(tensor_level_name(item->level));
    f->tensor = j->tensor >= 0 ? strdup(op->tensors[j->tensor].name) : NULL;
    json_t *record = json_pack("{s:s,s:o}", "operator", op->name, "descriptor", descriptor_to_json(d));
    f->descriptor = json_dumps(record, JSON_COMPACT);
    json_decref(record);
    text line = { .data = NULL };
    text_add(&line, "touchstone run ");
    text_shell(&line, id);
    text_format(&line, " %s", x->options.reproduce ? x->options.reproduce : "");
    f->reproducer = line.data; /* freed with the finding */
    switch (v) {
    case VERDICT_MISMATCH:
    case VERDICT_MODIFIED_INPUT:
    case VERDICT_NONDETERMINISTIC:
        if (item->failure)
            f->detail = format("alone it passes; submitted with others, the backend %s.", item->failure);
        else if (j->differing)
            describe_mismatch(x, item, j, f, &element);
        else if (v == VERDICT_MISMATCH)
            describe_shape(item, j, f);
        else if (!item->rerun_stats) /* else the rate describes it */
            f->detail = format("the backend changed bytes of %s that belong to no element.",
                               f->tensor ? f->tensor : "a tensor");
        break;
    case VERDICT_WROTE_OUTSIDE:
        if (item->faulted && executor_guards_call(x, &item->fault))
            describe_write_to_call(item, f);
        else if (item->faulted)
            f->detail = format("writing beyond %s ended in %s on the guard page beside its last byte.", f->tensor,
                               item->fault.name);
        else
            describe_outside(item, j, f);
        break;
    case VERDICT_READ_OUTSIDE:
        f->detail = format("reading outside %s (%" PRIu64 " byte%s) ended in %s on the guard page beside it.",
                           f->tensor, d->tensors[j->tensor].total_bytes,
                           d->tensors[j->tensor].total_bytes == 1 ? "" : "s", item->fault.name);
        break;
    case VERDICT_REJECTED_VALID:
        describe_refusal(item, f);
        break;
    case VERDICT_ACCEPTED_INVALID: {
        const ts_clause *broken = item_breaks(item);
        f->detail = format("the descriptor breaks %s (%s), and the backend accepts it.", broken ? broken->id : "?",
                           broken ? broken->text : "?");
        break;
    }
    case VERDICT_CRASH:
    case VERDICT_HANG: describe_fault(x, item, f); break;
    case VERDICT_LOST:
        if (item->failure)
            describe_fault(x, item, f);
        else
            f->detail = format("the backend failed (%s)%s%s.", item->status == TS_LOST ? "device lost" : "error",
                               *item->note ? ": " : ", giving no reason", item->note);
        break;
    default: break;
    }
    if (item->rerun_stats)
        describe_rate(item, f);
    if (item->other_data)
        describe_other_data(x, f);
    return set_ground(x, item, j, &element, f, e);
}

void finding_waive(store_finding *f, const struct waiver *w)
{
    char *detail = (char *)(uintptr_t)f->detail;
    f->detail = format("waived until %s by %s (%s): %s. It is a %s: %s", w->expires, w->owner, w->link, w->reason,
                       verdict_name(f->verdict), detail ? detail : "");
    free(detail);
    f->verdict = VERDICT_WAIVED;
}
