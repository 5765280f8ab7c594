/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/model/descriptor.h"
#include "harness/casefile/case_view.h"
#include "harness/check/source_text.h"
#include "harness/cli/options.h"
#include "harness/model/value.h"
#include "reports/eval_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone show ID [--json] [--profile P]\n"
    "Show one case: its purpose, its descriptor, its tensors and the expected output.\n"
    "\n"
    "      --json       print a record that 'touchstone eval' reads, with the inputs and the expected outputs\n"
    "  -p, --profile P  openvino (default) or numpy\n"
    "  -h, --help       print this text\n"
    "\n"
    "Exit status: 0; 64 wrong usage, no such case, or a case that is too large for\n"
    "a record.\n"
    "\n"
    "Example:\n"
    "  touchstone show dml.slice1:examples:example=2\n";

#define SHOWN_ELEMENTS 512

static const char *format_element(const evaluation *v, unsigned k, const uint64_t *coord, char *buf, size_t size)
{
    const ts_tensor *t = &v->descriptor.tensors[k];
    const ts_open open = evaluate_open(v, k, coord);
    if (open == TS_UNDEFINED)
        return "?";
    value_format(t->dtype, tensor_at(t, coord), buf, size - 1);
    return open == TS_SEVERAL ? strcat(buf, "*") : buf;
}

/* Print the rows of the last dimension. With more than two dimensions, the outer coordinates precede each row. */
static void print_tensor(const evaluation *v, unsigned k)
{
    const ts_tensor *t = &v->descriptor.tensors[k];
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count;
    char value[48];
    if (!tensor_element_count(t, &count) || count == 0) {
        printf("      (no elements)\n");
        return;
    }
    if (count > SHOWN_ELEMENTS) {
        printf("      (%" PRIu64 " elements%s)\n", count,
               count > CASE_VIEW_MOST_ELEMENTS ? ", too many to print" : "; --json prints them all");
        return;
    }
    int width = 1;
    do {
        const int length = (int)strlen(format_element(v, k, coord, value, sizeof value));
        width = length > width ? length : width;
    } while (tensor_next(t, coord));
    do {
        uint32_t last = t->rank ? t->rank - 1 : 0;
        if (t->rank && coord[last] == 0) {
            printf("      ");
            for (uint32_t i = 0; i < last && t->rank > 2; ++i)
                printf("%s%" PRIu64 "%s", i ? "," : "[", coord[i], i + 1 == last ? "] " : "");
        }
        printf("%*s%s", width, format_element(v, k, coord, value, sizeof value),
               t->rank && coord[last] + 1 < t->sizes[last] ? "  " : "\n");
    } while (tensor_next(t, coord));
}

static void print_sizes(const ts_tensor *t)
{
    printf("{");
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        printf("%s%" PRIu64, i ? "," : "", t->sizes[i]);
    printf("}");
    if (!(t->given & TS_GIVEN_STRIDES))
        return;
    printf(" strides {");
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        printf("%s%" PRIu64, i ? "," : "", t->strides[i]);
    printf("}");
}

static void print_attributes(const ts_descriptor *d)
{
    char value[1024];
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const ts_attr_decl *a = &d->op->attrs[k];
        if (!(d->attrs_given & (1u << k)))
            continue;
        printf("  %-*s ", operator_name_width(d->op), a->name);
        uint32_t n = a->count == TS_SCALAR ? 1 : operator_attr_count(d, k);
        for (unsigned i = 0; i < n && i < a->capacity; ++i)
            printf("%s%s", i ? "," : a->count == TS_SCALAR ? "" : "{",
                   descriptor_attr_text(d, k, i, value, sizeof value));
        printf("%s\n", a->count == TS_SCALAR ? "" : n ? "}" : "{}");
    }
}

/* What an implementation has to do with a case; DxDispatch models have the same words. */
static const char *expectation(const case_instance *c)
{
    return case_is_open(c) ? "open" : c->invalid ? "refused" : "accepted";
}

/* The case as a record, with inputs and outputs where the reference computes them (`v`). NULL if memory is out. */
static json_t *case_record(const char *id, const case_instance *c, const evaluation *v)
{
    const ts_operator *op = c->descriptor.op;
    json_t *inputs = json_object(), *outputs = json_array();
    bool fine = inputs && outputs && (!v || eval_print_outputs(v, CASE_VIEW_MOST_ELEMENTS, outputs));
    for (unsigned t = 0; v && t < op->tensor_count; ++t)
        if (op->tensors[t].role == TS_INPUT && v->descriptor.tensors[t].data)
            fine &= descriptor_put_tensor(inputs, op, t, descriptor_data_to_json(&v->descriptor.tensors[t]));
    if (!fine) {
        json_decref(inputs);
        json_decref(outputs);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:s, s:s*, s:o}", "name", id, "operator", op->name, "descriptor",
                     descriptor_to_json(&c->descriptor), "inputs", inputs, "expect", expectation(c), "clause",
                     c->invalid ? c->invalid : c->ambiguous, "outputs", outputs);
}

/* A record that no verb could read is refused. */
static bool print_record(const case_view *shown, bool computes, error *e)
{
    json_t *record = case_record(shown->id, &shown->build.now, computes ? &shown->value : NULL);
    char *text = record ? json_dumps(record, JSON_INDENT(2)) : NULL;
    const size_t size = text ? strlen(text) : 0;
    bool fine = text || error_set(e, "out of memory");
    if (size > SOURCE_TEXT_MOST)
        fine = error_usage(e, "the record has %zu bytes; a record holds at most %zu", size, SOURCE_TEXT_MOST);
    if (fine)
        fine = puts(text) != EOF || error_output(e);
    free(text);
    json_decref(record);
    return fine;
}

/* The parameters that the id names, and what they are. */
static void print_parameters(const case_view *shown)
{
    const space *s = shown->test->space;
    const int width = operator_name_width(shown->build.now.descriptor.op);
    char parameter[CASE_ID_SIZE];
    for (size_t i = 0; i < space_axis_count(s); ++i) {
        const char *description = space_axis_at(s, i)->description;
        if (space_format_parameter(&shown->at, i, parameter, sizeof parameter) > 0)
            printf("  %-*s%s%s\n", width, parameter, description ? " " : "", description ? description : "");
    }
}

static void print_case(const case_view *shown)
{
    const case_instance *c = &shown->build.now;
    const case_test *t = shown->test;
    const ts_operator *op = c->descriptor.op;
    const evaluation *v = case_view_computes(shown) ? &shown->value : NULL;
    ts_level level;
    char title[CASE_TITLE_SIZE];
    printf("%s\n  %s", shown->id, casefile_title(t, c->index, title, sizeof title));
    if (!space_is_added(t->space, c->index))
        printf(" (case %" PRIu64 " of %" PRIu64 ")", c->index, space_points(t->space));
    printf("\n  %s  %s\n", op->title, op->page);
    if (c->example && c->example->note)
        printf("  %s\n", c->example->note);
    if (operator_lowest_level(&c->descriptor, &level) && level)
        printf("  %-*s %s and above\n", operator_name_width(op), "feature level", tensor_level_name(level));
    print_parameters(shown);
    printf("\n");
    print_attributes(&c->descriptor);
    for (unsigned i = 0; i < op->tensor_count; ++i) {
        const ts_tensor *tensor = &c->descriptor.tensors[i];
        if (!(tensor->given & TS_GIVEN_TENSOR))
            continue;
        printf("  %-*s %s ", operator_name_width(op), op->tensors[i].name, operator_dtype_name(op, tensor->dtype));
        print_sizes(tensor);
        printf("%s, %" PRIu64 " byte%s", operator_dependent(op, i) ? " at most" : "", tensor->total_bytes,
               tensor->total_bytes == 1 ? "" : "s");
        if (op->tensors[i].role == TS_OUTPUT && v) {
            printf(c->computed ? ", our decision" : ", expected");
            if (operator_dependent(op, i)) {
                printf(" ");
                print_sizes(&v->descriptor.tensors[i]);
            }
            printf(":");
        }
        printf("\n");
        if (v)
            print_tensor(v, i);
    }
    if (t->in_place)
        printf("  in place: the output is in the memory of %s\n", op->tensors[0].name);
    if (v)
        eval_print_several(stdout, v);
    for (unsigned i = 0; v && i < v->report.count; ++i)
        printf("  %s: %s\n", v->report.items[i].clause, v->report.items[i].text);
    if (case_exceeds_limit(c))
        printf("\n  open: it exceeds what Touchstone judges (%s); either answer is recorded\n", c->invalid);
    else if (case_breaks_open(c))
        printf("\n  open: it violates %s, which no published sentence states; either answer is recorded%s\n",
               c->invalid, c->computed ? ", and what a call that is accepted writes: our decision, not judged" : "");
    else if (c->invalid)
        printf("\n  to be rejected: it violates %s\n", c->invalid);
    if (c->asked)
        printf("\n  to be accepted; not executed\n");
    if (c->ambiguous)
        printf("\n  ambiguous: %s; executed but not judged\n", c->ambiguous);
    else if (case_is_unjudged(c))
        printf(
            "\n  not judged: the specification does not determine the results of %s to the bit; executed, and all but "
            "the values of the outputs is judged\n",
            operator_dtype_name(op, operator_dtype(&c->descriptor)));
}

enum { OPT_JSON = 256 };

int cmd_show(int argc, char **argv)
{
    static const struct option options[] = {
        { "json", no_argument, NULL, OPT_JSON },
        { "profile", required_argument, NULL, 'p' },
        { NULL, 0, NULL, 0 },
    };
    bool as_json = false, fine = true;
    uint32_t profile = TS_PROFILE_DEFAULT;
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case OPT_JSON: as_json = true; break;
        case 'p': fine = options_profile(optarg, &profile, &e); break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (fine && argc - optind != 1)
        return command_usage("show", "expected one case id");
    if (!fine)
        return command_fail("show", &e);
    case_view shown;
    fine = case_view_open(&shown, argv[optind], profile, 0, &e);
    const bool computes = fine && case_view_computes(&shown);
    fine = fine && (!computes || evaluate_run(&shown.value, &e));
    fine = fine && (!as_json || !computes || case_view_fits_text(&shown, &e));
    if (fine && as_json)
        fine = print_record(&shown, computes, &e);
    else if (fine)
        print_case(&shown);
    case_view_close(&shown);
    return fine ? 0 : command_fail("show", &e);
}
