/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_file.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "reports/eval_print.h"
#include "harness/cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: touchstone eval [OPTION...] FILE...\n"
    "Compute the golden outputs of the descriptors in each FILE, or report the clauses that they violate.\n"
    "\n"
    "A .lua file returns, and a .json file contains, one record or a list of records\n"
    "  { operator = \"dml.slice1\", descriptor = { ... }, inputs = { ... }, name =, profile =, feature_level = }\n"
    "with the field names of the specification. inputs has the data of each tensor by its name, in one of two forms:\n"
    "  InputTensor = { 1, 2.5, \"nan(0x7fc00001)\", \"0x7fc00001\" }\n"
    "      the elements in logical order (row by row, whatever the strides are; lists in lists are\n"
    "      allowed), as numbers or, in quotes, as infinities, NaNs and bits\n"
    "  InputTensor = { raw = \"0000803f...\" }\n"
    "      in hex, the bytes of the buffer with what its strides leave out, up to the end of the last element\n"
    "In JSON: \"inputs\": { \"InputTensor\": [1, 2.5] }. Outputs have both: data, and raw, of the same form.\n"
    "Members that 'touchstone show --json' adds, such as expect and outputs, are not compared with the result.\n"
    "- reads JSON from standard input. A .json file may also be a DxDispatch model: each dispatch is evaluated by\n"
    "itself, on the initial values of the resources that it binds.\n"
    "\n"
    "A descriptor that cannot be computed does not keep the others from it: it is printed with its status, which is\n"
    "invalid, unsupported, open (no published sentence says whether it is legal), unknown operator, or not computed (the operator is checked only, ScaleBias is given, the\n"
    "dispatch binds no initial values, it is larger than the memory), and the reason.\n"
    "\n"
    "  -l, --feature-level=L  judge at this feature level, such as 4_1 (default: the highest)\n"
    "  -p, --profile=NAME     openvino (default) or numpy\n"
    "      --decisions HOW    what breaks a clause that rests on a decision or an observation of ours is open (default),\n"
    "                         or, with binding, invalid\n"
    "      --json             print a JSON list of results\n"
    "  -h, --help             print this text\n"
    "\n"
    "Exit status: 0 every descriptor was computed; 1 one is invalid, unsupported, open, of an unknown operator or not\n"
    "computed; 64 a file or a descriptor cannot be read, inputs are missing or do not fit, nothing can be evaluated,\n"
    "or wrong usage.\n"
    "\n"
    "Example:\n"
    "  touchstone show --json dml.slice1:examples:example=2 | touchstone eval -\n";

/* State of a visit of a file. Each file is visited twice: first to find mistakes, so that nothing is printed if there
   is one, then to print. */
typedef struct eval_state {
    check_options options;
    bool json;
    bool printing;
    size_t count;   /* evaluations in the file, from the first visit */
    size_t known;   /* of all files, those that can be evaluated */
    size_t skipped; /* and the others, */
    error why;      /* with the error of the first of these */
    bool first;     /* nothing has been printed yet */
    bool clean;     /* all are valid and computed */
} eval_state;

static eval_heading heading_of(const eval_state *s, const check_item *item)
{
    return (eval_heading){
        .file = item->file, .name = item->name, .index = item->index, .count = s->count, .first = s->first
    };
}

/* The descriptor is not evaluated: *why says why. */
static bool skip_item(eval_state *s, const check_item *item, const error *why, error *e)
{
    const eval_heading heading = heading_of(s, item);
    const error first = *why; /* may be *e */
    if (!s->printing) {
        s->count++;
        if (s->skipped++ == 0) {
            s->why = first;
            check_item_error(item, &s->why);
        }
        return true;
    }
    s->clean = s->first = false;
    return eval_print_uncomputed(stdout, &heading, item->op_name, item->known ? "not computed" : "unknown operator",
                                 first.text, s->json)
               ? true
               : error_output(e);
}

static bool print_item(eval_state *s, const check_item *item, evaluation *v, error *e)
{
    const eval_heading heading = heading_of(s, item);
    if (v->status == EVALUATE_OK && !evaluate_run(v, e))
        return false;
    s->clean = s->clean && v->status == EVALUATE_OK;
    s->first = false;
    return s->json ? eval_print_json(stdout, &heading, v, e) : eval_print_text(stdout, &heading, v, e);
}

static bool visit_item(void *context, const check_item *item, error *e)
{
    eval_state *s = context;
    evaluation v;
    error why;
    const bool evaluable = check_item_evaluable(item, &why);
    if (!evaluable && !check_item_uncomputed(item)) {
        *e = why;
        return false;
    }
    if (!item->known)
        return skip_item(s, item, &why, e);
    if (!evaluate_begin(&v, &item->d, &item->found, e)) /* checked only, or too large */
        return e->status == EXIT_BAD_USAGE && skip_item(s, item, e, e);
    bool ok = true;
    if (v.status == EVALUATE_OK && !evaluable) {
        ok = skip_item(s, item, &why, e);
    } else {
        if (v.status == EVALUATE_OK)
            ok = evaluate_fill(&v, item->inputs, e);
        if (ok && s->printing)
            ok = print_item(s, item, &v, e);
        s->count += !s->printing;
        s->known += !s->printing;
    }
    evaluate_end(&v);
    return ok;
}

static bool visit_file(eval_state *s, check_file *f, bool printing, size_t *count, error *e)
{
    s->printing = printing;
    s->count = *count;
    bool ok = check_file_visit(f, &s->options, visit_item, s, e);
    *count = s->count;
    return ok;
}

static bool evaluate_files(eval_state *s, char **paths, size_t number, error *e)
{
    bool ok = true;
    size_t opened = 0, *counts = calloc(number, sizeof *counts);
    check_file *files = calloc(number, sizeof *files);
    if (!files || !counts)
        ok = error_set(e, "out of memory");
    while (ok && opened < number) {
        ok = check_file_open(&files[opened], paths[opened], CHECK_DISPATCHES, e);
        opened += ok;
        ok = ok && visit_file(s, &files[opened - 1], false, &counts[opened - 1], e);
    }
    if (ok && s->known == 0) {
        *e = s->why; /* a file without descriptors is an error */
        ok = false;
    }
    if (ok && s->json)
        fputs("[", stdout);
    for (size_t i = 0; ok && i < number; ++i)
        ok = visit_file(s, &files[i], true, &counts[i], e);
    if (ok && s->json)
        fputs("\n]\n", stdout);
    for (size_t i = 0; i < opened; ++i)
        check_file_close(&files[i]);
    free(files);
    free(counts);
    return ok && (fflush(stdout) != 0 || ferror(stdout)) ? error_output(e) : ok;
}

int cmd_eval(int argc, char **argv)
{
    enum { JSON = 256, DECISIONS };
    static const struct option long_options[] = { { "feature-level", required_argument, NULL, 'l' },
                                                  { "profile", required_argument, NULL, 'p' },
                                                  { "decisions", required_argument, NULL, DECISIONS },
                                                  { "json", no_argument, NULL, JSON },
                                                  { NULL, 0, NULL, 0 } };
    eval_state s = { .options.name_unknown = true, .first = true, .clean = true };
    error e;
    bool ok = true;
    int option;
    arguments args;
    arguments_start(&args, argc, argv, long_options);
    while (ok && (option = arguments_next(&args)) != -1) {
        switch (option) {
        case 'l': ok = options_level(optarg, &s.options.level, &e); break;
        case 'p': ok = s.options.profile_given = options_profile(optarg, &s.options.profile, &e); break;
        case DECISIONS: ok = options_decisions(optarg, &s.options.decisions, &e); break;
        case JSON: s.json = true; break;
        case 'h': return command_help(usage);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (ok && optind == argc)
        return command_usage("eval", "expected a file");
    if (!ok || !evaluate_files(&s, argv + optind, (size_t)(argc - optind), &e))
        return command_fail("eval", &e);
    return s.clean ? EXIT_CONFORMANT : EXIT_FAILURES;
}
