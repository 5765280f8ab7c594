/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_file.h"
#include "harness/base/visible.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "reports/explain_print.h"
#include "harness/casefile/case_view.h"
#include "harness/cli/options.h"
#include "harness/base/platform.h"
#include "reference/ledger.h"
#include "reference/operators.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone explain [OPTION...] ID|FILE...\n"
    "Explain step by step how the rules of the specification lead from a descriptor to the elements of its\n"
    "outputs, with the numbers of this case and the clauses.\n"
    "\n"
    "ID is the id of a case ('touchstone list' prints them). FILE is a .lua or .json file as for 'touchstone\n"
    "eval', or a model, OpenVINO IR (.xml) or a serialized graph (.bin) as for 'touchstone check'; - reads JSON\n"
    "from standard input. Without inputs in the file, no element values are printed. Descriptors that cannot be\n"
    "explained (unknown operator, layer that the file does not define completely) are named and skipped.\n"
    "\n"
    "  -d, --descriptor=D     explain only this descriptor of each file: its number, from 1, or its name\n"
    "  -l, --feature-level=L  judge at this feature level, such as 4_1 (default: the highest)\n"
    "  -p, --profile=NAME     openvino (default) or numpy\n"
    "  -n, --elements=N       elements to explain per output (default 12)\n"
    "      --json             print a JSON list with one record per descriptor\n"
    "  -h, --help             print this text\n"
    "\n"
    "Exit status: 0; 1 a descriptor is invalid or unsupported; 64 wrong usage, a file that cannot be read, no\n"
    "such case, or nothing that can be explained.\n"
    "\n"
    "Example:\n"
    "  touchstone explain dml.slice1:examples:example=2\n";

typedef struct explain_options {
    check_options judge;
    uint64_t elements;
    const char *only; /* number or name of the descriptor to explain; NULL: all */
    bool json;
} explain_options;

/* The output so far. It is printed when all descriptors are explained, so that a mistake in a file leaves no half. */
typedef struct explain_output {
    size_t explained;
    size_t skipped;
    error why;    /* why the first of them was skipped */
    bool clean;   /* every descriptor is valid */
    FILE *to;     /* text, in a temporary file */
    json_t *list; /* with --json */
} explain_output;

/* State of the visits of a file: first to count its descriptors, then to explain them. */
typedef struct explain_file {
    const explain_options *o;
    explain_output *out;
    size_t count, chosen;
} explain_file;

static bool explain(const explain_options *o, const evaluation *v, const explain_heading *heading, explain_output *out,
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
        fputs(out->explained + out->skipped ? "\n\n" : "", out->to);
        ok = explain_print_text(out->to, heading, v, &x, e);
    }
    explain_end(&x);
    out->explained++;
    out->clean = out->clean && v->status == EVALUATE_OK;
    return ok;
}

/* ---- a case ------------------------------------------------------------------------------------------------ */

/* If a user asks to explain a clause, print its text and refer to the ledger, as for an entry of it. */
static bool clause_error(const char *word, error *e)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i) {
        const ts_clause *clause = operator_clause(all[i], word);
        if (clause)
            return error_usage(
                e, "%s is a clause, not a case: %s (%s, %s); 'touchstone ledger %s' prints its known problems", word,
                clause->text, clause->page, clause->section, word);
    }
    if (ledger_find(word))
        return error_usage(e, "%s is an entry of the ledger, not a case; 'touchstone ledger %s' prints it", word, word);
    return true;
}

static bool explain_case(const explain_options *o, const char *id, explain_output *out, error *e)
{
    case_view c;
    char note[CASE_TITLE_SIZE + 128], title[CASE_TITLE_SIZE];
    const bool no_operator = !strchr(id, ':') && !operators_find_known(id);
    if (!clause_error(id, e))
        return false;
    bool ok = case_view_open(&c, id, o->judge.profile, o->judge.level, e);
    if (ok) {
        const case_instance *now = &c.build.now;
        explain_heading heading = { .name = c.id, .note = casefile_title(c.test, now->index, title, sizeof title) };
        if (now->example && now->example->note)
            heading.note = now->example->note;
        if (now->ambiguous || now->invalid) {
            snprintf(note, sizeof note,
                     now->ambiguous ? "%s (ambiguous: 'touchstone ledger %s')" : "%s (it violates %s)",
                     heading.note ? heading.note : "", now->ambiguous ? now->ambiguous : now->invalid);
            heading.note = note;
        } else if (case_is_unjudged(now)) {
            snprintf(note, sizeof note,
                     "%s (not judged: the specification does not determine results of %s to the bit)",
                     heading.note ? heading.note : "",
                     operator_dtype_name(now->descriptor.op, operator_dtype(&now->descriptor)));
            heading.note = note;
        }
        ok = now->asked ? error_usage(e,
                                      "%s is not executed: a backend only has to accept its descriptor, which "
                                      "'touchstone show' prints",
                                      c.id)
                        : explain(o, &c.value, &heading, out, e);
    }
    case_view_close(&c);
    if (!ok && no_operator) {
        const error why = *e;
        error_usage(e, "%.900s; the name of a FILE ends in " CHECK_ENDINGS, why.text);
    }
    return ok;
}

/* ---- a file ------------------------------------------------------------------------------------------------ */

/* Check a descriptor that has no inputs. No tensor is allocated, so no size is too large. */
static void check_only(evaluation *v, const check_item *item, const check_options *o)
{
    memset(v, 0, sizeof *v);
    v->descriptor = item->d;
    check_judge_item(item, o, 0, &v->report);
    v->status = check_status(&v->report);
}

static bool is_chosen(const explain_options *o, const check_item *item)
{
    char number[32];
    snprintf(number, sizeof number, "%zu", item->index);
    return !o->only || strcmp(o->only, number) == 0 || (item->name && strcmp(o->only, item->name) == 0);
}

/* Does the file define the descriptor completely? If not, *e names what is missing. */
static bool is_explainable(const check_item *item, error *e)
{
    if (item->judged && (item->judge || item->undecided || item->uncomputed))
        return error_usage(e, "%s", item->note[0] ? item->note : "data has dynamic dimensions");
    if (item->known && !item->judged)
        return error_usage(e, "%s", item->note);
    if (item->known && item->d.op->openvino_types)
        return true; /* attributes that OpenVINO ignores are accepted */
    return check_item_evaluable(item, e);
}

/* Report that a descriptor is not explained, and why. */
static bool skip(explain_file *f, const char *where, const check_item *item, const error *why, error *e)
{
    explain_output *out = f->out;
    if (out->skipped++ == 0) {
        out->why = *why;
        check_item_error(item, &out->why);
    }
    if (!f->o->json) {
        fputs(out->explained + out->skipped > 1 ? "\n\n" : "", out->to);
        visible_print(out->to, "%s\n  %s%s%s: not explained: %s\n", where, item->name ? item->name : "",
                      item->name ? ": " : "", item->op_name, why->text);
        return true;
    }
    json_t *record =
        json_pack("{s:s, s:s*, s:s, s:s, s:s}", "name", where, "note", item->name, "operator", item->op_name, "status",
                  item->known ? "undecided" : "unknown operator", "reason", why->text);
    return (record && json_array_append_new(out->list, record) == 0) || error_set(e, "out of memory");
}

static bool count_item(void *context, const check_item *item, error *e)
{
    explain_file *f = context;
    (void)item;
    (void)e;
    f->count++;
    return true;
}

static bool visit_item(void *context, const check_item *item, error *e)
{
    explain_file *f = context;
    evaluation v;
    char where[512];
    explain_heading heading = { .name = where, .note = item->name };
    if (f->count > 1)
        snprintf(where, sizeof where, "%s[%zu]", item->file, item->index);
    else
        snprintf(where, sizeof where, "%s", item->file);
    error why;
    if (!is_chosen(f->o, item))
        return true;
    f->chosen++;
    if (item->broken) {
        error_usage(e, "%s", item->broken);
        return check_item_error(item, e);
    }
    if (!is_explainable(item, &why))
        return skip(f, where, item, &why, e);
    bool ok = true;
    if (item->inputs && operator_computes(item->d.op))
        ok = evaluate_begin(&v, &item->d, &item->found, e) &&
             (v.status != EVALUATE_OK || evaluate_fill(&v, item->inputs, e));
    else
        check_only(&v, item, &f->o->judge);
    ok = ok && explain(f->o, &v, &heading, f->out, e);
    evaluate_end(&v);
    return ok;
}

static bool explain_path(const explain_options *o, const char *path, explain_output *out, error *e)
{
    check_file file;
    explain_file f = { .o = o, .out = out };
    bool ok;
    if (!check_file_named(path)) { /* has no inputs, and can be read twice */
        ok = check_read_file(path, &o->judge, count_item, &f, e) && check_read_file(path, &o->judge, visit_item, &f, e);
    } else {
        if (!check_file_open(&file, path, CHECK_INPUTS, e))
            return false;
        ok = check_file_visit(&file, &o->judge, count_item, &f, e) &&
             check_file_visit(&file, &o->judge, visit_item, &f, e);
        check_file_close(&file);
    }
    if (ok && f.chosen == 0)
        return error_usage(e, "%s: none of its %zu descriptors has the number or name '%s'", path, f.count, o->only);
    return ok;
}

/* ---- the command ------------------------------------------------------------------------------------------- */

static bool print_all(explain_output *out, error *e)
{
    if (!out->list)
        return command_copy_out(out->to, e);
    json_dumpf(out->list, stdout, JSON_INDENT(1));
    fputs("\n", stdout);
    return fflush(stdout) == 0 && !ferror(stdout) ? true : error_output(e);
}

/* Is this a file, and not the id of a case? Ids have no slashes. */
static bool is_path(const char *name)
{
    return check_reads(name) || strpbrk(name, "/\\") != NULL;
}

static bool explain_all(const explain_options *o, char **names, int count, explain_output *out, error *e)
{
    bool ok = true;
    out->to = platform_temporary_file();
    out->list = o->json ? json_array() : NULL;
    if (!out->to)
        ok = error_set(e, "temporary file: %s", strerror(errno));
    for (int i = 0; ok && i < count; ++i)
        ok = is_path(names[i]) ? explain_path(o, names[i], out, e) : explain_case(o, names[i], out, e);
    if (ok && out->explained == 0 && out->skipped > 0) {
        *e = out->why;
        ok = false;
    }
    ok = ok && print_all(out, e);
    json_decref(out->list);
    if (out->to)
        fclose(out->to);
    return ok;
}

int cmd_explain(int argc, char **argv)
{
    enum { JSON = 256 };
    static const struct option long_options[] = { { "feature-level", required_argument, NULL, 'l' },
                                                  { "profile", required_argument, NULL, 'p' },
                                                  { "elements", required_argument, NULL, 'n' },
                                                  { "descriptor", required_argument, NULL, 'd' },
                                                  { "json", no_argument, NULL, JSON },
                                                  { NULL, 0, NULL, 0 } };
    explain_options o = { .judge.name_unknown = true, .elements = 12 };
    explain_output out = { .clean = true };
    error e;
    bool ok = true;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, long_options);
    while (ok && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case 'd':
            o.only = optarg;
            o.judge.go_on = true; /* also after a descriptor that is not chosen */
            break;
        case 'l': ok = options_level(optarg, &o.judge.level, &e); break;
        case 'p': ok = o.judge.profile_given = options_profile(optarg, &o.judge.profile, &e); break;
        case 'n': ok = options_number("--elements", optarg, 1, UINT32_MAX, &o.elements, &e); break;
        case JSON: o.json = true; break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (ok && optind == argc)
        return command_usage("explain", "expected the id of a case, or a file");
    if (!ok || !explain_all(&o, argv + optind, argc - optind, &out, &e))
        return command_fail("explain", &e);
    return out.clean ? EXIT_CONFORMANT : EXIT_FAILURES;
}
