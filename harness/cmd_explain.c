/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casebuild.h"
#include "harness/command.h"
#include "harness/explain_file.h"
#include "harness/explain_print.h"
#include "harness/options.h"
#include "harness/plan.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone explain [OPTION...] ID|FILE...\n"
    "Tell step by step how the rules turn a descriptor into its elements, with the numbers of this case and the\n"
    "clauses of the specification.\n"
    "\n"
    "ID is a case, as 'touchstone list' prints them. FILE (.lua, .json, or - for JSON on standard input) holds\n"
    "evaluations as 'touchstone eval' reads them; inputs may be missing, and then no values are told.\n"
    "\n"
    "  -l, --feature-level=L  judge at this level (4_1) instead of the highest\n"
    "  -p, --profile=NAME     openvino (default) or numpy\n"
    "  -n, --elements=N       elements told of one output (default 12)\n"
    "      --json             print a JSON list, one record for each descriptor\n"
    "  -h, --help             print this text\n"
    "\n"
    "Exit status: 0; 1 some descriptor is invalid or unsupported; 64 a file is not readable, or no such case.\n";

typedef struct explain_options {
    const char *level_name, *profile_name;
    ts_level level;
    uint32_t profile;
    uint64_t elements;
    bool json;
} explain_options;

/* What came of it so far. */
typedef struct explain_output {
    size_t told;
    bool clean;   /* every descriptor is valid */
    json_t *list; /* with --json: printed once all is told, so that a mistake in a file leaves no half of one */
} explain_output;

static bool tell(const explain_options *o, const evaluation *v, const explain_heading *heading, explain_output *out,
                 error *e)
{
    ts_explanation x;
    bool ok = true;
    explain_begin(&x, o->elements);
    if (v->descriptor.op->explain)
        v->descriptor.op->explain(&v->descriptor, &x);
    if (o->json) {
        json_t *record = explain_print_json(heading, v, &x);
        if (!record || json_array_append_new(out->list, record) != 0)
            ok = error_set(e, "out of memory");
    } else {
        fputs(out->told ? "\n\n" : "", stdout);
        ok = explain_print_text(stdout, heading, v, &x, e);
    }
    explain_end(&x);
    out->told++;
    out->clean = out->clean && v->status == EVALUATE_OK;
    return ok;
}

/* ---- a case ------------------------------------------------------------------------------------------------ */

/* Fill the evaluation's inputs as a run would. */
static bool fill_inputs(casebuild *b, evaluation *v, error *e)
{
    for (unsigned t = 0; t < v->descriptor.op->tensor_count; ++t)
        if (v->descriptor.op->tensors[t].role == TS_INPUT && v->descriptor.tensors[t].data) {
            b->now.descriptor.tensors[t].data = v->descriptor.tensors[t].data;
            if (!casebuild_fill(b, t, e))
                return false;
        }
    return true;
}

static bool explain_case(const explain_options *o, const char *id, explain_output *out, error *e)
{
    plan p;
    if (!plan_make(&p, &id, 1, TIER_EXHAUSTIVE, e))
        return false;
    space_cursor at;
    plan_item *item = p.item_count == 1 ? &p.items[0] : NULL;
    if (!item || item->end - item->first != 1 ||
        !space_start(&at, item->test->space, item->first, item->end, NULL, NULL)) {
        plan_free(&p);
        return error_usage(e, "'%s' names no single case; 'touchstone list' prints ids", id);
    }
    casebuild b;
    evaluation v;
    char full[1024], note[512];
    memset(&v, 0, sizeof v);
    casebuild_init(&b, item->test, o->profile, o->level, NULL);
    space_format_id(&at, full, sizeof full);
    explain_heading heading = { .name = full, .note = item->test->title };
    bool ok = casebuild_case(&b, &at, e) && evaluate_begin(&v, &b.now.descriptor, e);
    if (ok && b.now.example && b.now.example->note)
        heading.note = b.now.example->note;
    if (ok && (b.now.ambiguous || b.now.invalid)) {
        snprintf(note, sizeof note, b.now.ambiguous ? "%s (ambiguous: 'touchstone ledger %s')" : "%s (it breaks %s)",
                 heading.note ? heading.note : "", b.now.ambiguous ? b.now.ambiguous : b.now.invalid);
        heading.note = note;
    }
    if (ok && v.status == EVALUATE_OK)
        ok = fill_inputs(&b, &v, e);
    ok = ok && tell(o, &v, &heading, out, e);
    evaluate_end(&v);
    plan_free(&p);
    return ok;
}

/* ---- a file ------------------------------------------------------------------------------------------------ */

/* Without inputs there is nothing to hold, and so no size that would be too large. */
static void check_only(evaluation *v, const ts_descriptor *d)
{
    memset(v, 0, sizeof *v);
    v->descriptor = *d;
    d->op->check(&v->descriptor, &v->report);
    if (v->report.worst == TS_RESULT_INVALID || v->report.worst == TS_RESULT_BIND_ERROR)
        v->status = EVALUATE_INVALID;
    else if (v->report.worst == TS_RESULT_UNSUPPORTED_FL)
        v->status = EVALUATE_UNSUPPORTED;
}

static bool explain_record(const explain_options *o, json_t *record, const char *where, explain_output *out, error *e)
{
    ts_descriptor d;
    evaluation v;
    json_t *inputs;
    explain_heading heading = { .name = where };
    memset(&v, 0, sizeof v);
    bool ok = explain_file_record(record, o->level_name, o->profile_name, &d, &heading.note, &inputs, e);
    if (ok && inputs)
        ok = evaluate_begin(&v, &d, e) && (v.status != EVALUATE_OK || evaluate_fill(&v, inputs, e));
    else if (ok)
        check_only(&v, &d);
    ok = ok && tell(o, &v, &heading, out, e);
    evaluate_end(&v);
    return ok;
}

static bool explain_file(const explain_options *o, const char *path, explain_output *out, error *e)
{
    json_t *list = explain_file_load(path, e);
    bool ok = list;
    for (size_t i = 0; ok && i < json_array_size(list); ++i) {
        char where[512];
        if (json_array_size(list) > 1)
            snprintf(where, sizeof where, "%s[%zu]", path, i + 1);
        else
            snprintf(where, sizeof where, "%s", path);
        ok = explain_record(o, json_array_get(list, i), where, out, e) || error_prefix(e, "%s", where);
    }
    json_decref(list);
    return ok;
}

/* ---- the command ------------------------------------------------------------------------------------------- */

int cmd_explain(int argc, char **argv)
{
    enum { JSON = 256 };
    static const struct option long_options[] = { { "feature-level", required_argument, NULL, 'l' },
                                                  { "profile", required_argument, NULL, 'p' },
                                                  { "elements", required_argument, NULL, 'n' },
                                                  { "json", no_argument, NULL, JSON },
                                                  { "help", no_argument, NULL, 'h' },
                                                  { NULL, 0, NULL, 0 } };
    explain_options o = { .elements = 12 };
    explain_output out = { .clean = true };
    error e;
    bool ok = true;
    int c;
    optind = 0; /* the program's own options were read before */
    while (ok && (c = getopt_long(argc, argv, "l:p:n:h", long_options, NULL)) != -1) {
        switch (c) {
        case 'l':
            o.level_name = optarg;
            ok = options_level(optarg, &o.level, &e);
            break;
        case 'p':
            o.profile_name = optarg;
            ok = options_profile(optarg, &o.profile, &e);
            break;
        case 'n': ok = options_number("--elements", optarg, 1, UINT32_MAX, &o.elements, &e); break;
        case JSON: o.json = true; break;
        case 'h': fputs(help, stdout); return EXIT_CONFORMANT;
        default: return command_usage("explain", "that option is not known, or lacks its value");
        }
    }
    if (ok && optind == argc)
        return command_usage("explain", "which case, or which file?");
    if (o.json)
        out.list = json_array();
    for (int i = optind; ok && i < argc; ++i)
        ok = explain_file_named(argv[i]) ? explain_file(&o, argv[i], &out, &e) : explain_case(&o, argv[i], &out, &e);
    if (ok && o.json) {
        json_dumpf(out.list, stdout, JSON_INDENT(1));
        fputs("\n", stdout);
    }
    json_decref(out.list);
    if (!ok)
        return command_fail("explain", &e);
    return out.clean ? EXIT_CONFORMANT : EXIT_FAILURES;
}
