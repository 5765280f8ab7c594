/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check_dxdispatch.h"
#include "harness/check_record.h"
#include "harness/command.h"
#include "harness/eval_print.h"
#include "harness/evaluate.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: touchstone eval [OPTION...] FILE...\n"
    "Compute the golden outputs of the evaluations in each FILE, or say which clauses they violate.\n"
    "\n"
    "A .lua file returns, and a .json file holds, one evaluation or a list of them:\n"
    "  { operator = \"dml.slice1\", descriptor = { ... }, inputs = { ... }, name =, profile =, feature_level = }\n"
    "in the specification's own field names; inputs are lists of numbers by tensor. - is JSON on standard input.\n"
    "A .json file may also be a DxDispatch model: its dispatches are evaluated, each by itself, with the initial\n"
    "values of the resources that it binds.\n"
    "\n"
    "  -l, --feature-level=L  judge at this level (4_1) instead of the highest\n"
    "  -p, --profile=NAME     default, openvino or numpy\n"
    "      --json             print a JSON list of results\n"
    "  -h, --help             print this text\n"
    "\n"
    "Exit status: 0 all were evaluated, 1 some are invalid or unsupported, 64 a file is not readable.\n";

typedef struct eval_options {
    const char *level, *profile;
    bool json;
} eval_options;

/* ---- reading files ----------------------------------------------------------------------------------------- */

static json_t *load_json(const char *path, error *e)
{
    check_text t;
    check_span root;
    json_error_t problem;
    json_t *json = NULL, *records;
    if (!check_text_read(&t, path, e))
        return NULL;
    if (check_text_json(&t, &root, e)) {
        json = json_loadb(t.bytes, t.size, JSON_REJECT_DUPLICATES, &problem);
        if (!json)
            error_usage(e, "%s:%d:%d: %s", t.name, problem.line, problem.column, problem.text);
    }
    if (json_is_object(json) && json_object_get(json, "dispatchables")) {
        records = check_model_records(json, e);
        if (!records)
            error_prefix(e, "%s", t.name);
        json_decref(json);
        json = records;
    }
    check_text_free(&t);
    return json;
}

/* The evaluations of a file as JSON, one or a list. */
static json_t *load(const char *path, error *e)
{
    const char *dot = strrchr(path, '.');
    if (strcmp(path, "-") == 0 || (dot && strcmp(dot, ".json") == 0))
        return load_json(path, e);
    if (dot && strcmp(dot, ".lua") == 0)
        return check_record_load_lua(path, e);
    error_usage(e, "%s: only .lua and .json files are read, and - for JSON on standard input", path);
    return NULL;
}

/* ---- one evaluation ---------------------------------------------------------------------------------------- */

/* Read the record, and fill the inputs where it can be evaluated. The caller ends v. */
static bool begin(json_t *record, const eval_options *options, evaluation *v, const char **name, error *e)
{
    ts_descriptor d;
    json_t *inputs = json_object_get(record, "inputs");
    memset(v, 0, sizeof *v);
    if (!check_record_read(record, options->level, options->profile, &d, name, e) || !evaluate_begin(v, &d, e))
        return false;
    if (v->status != EVALUATE_OK)
        return true;
    return inputs ? evaluate_fill(v, inputs, e) : error_usage(e, "inputs is missing");
}

/* ---- the command ------------------------------------------------------------------------------------------- */

typedef struct eval_file {
    const char *path;
    json_t *json;
} eval_file;

static size_t record_count(const eval_file *f)
{
    return json_is_array(f->json) ? json_array_size(f->json) : 1;
}

static json_t *record_at(const eval_file *f, size_t i)
{
    return json_is_array(f->json) ? json_array_get(f->json, i) : f->json;
}

/* Load a file and try everything in it but running it, so that nothing is printed of a file with a mistake. */
static bool prepare(eval_file *f, const eval_options *options, error *e)
{
    f->json = load(f->path, e);
    if (!f->json)
        return false;
    if (record_count(f) == 0)
        return error_usage(e, "%s: no evaluation in it", f->path);
    for (size_t i = 0; i < record_count(f); ++i) {
        evaluation v;
        const char *name;
        bool ok = begin(record_at(f, i), options, &v, &name, e);
        evaluate_end(&v);
        if (!ok)
            return error_prefix(e, "%s: evaluation %zu", f->path, i + 1);
    }
    return true;
}

/* Evaluate and print. *clean is cleared where something is invalid or unsupported. */
static bool evaluate_file(const eval_file *f, const eval_options *options, bool *first, bool *clean, error *e)
{
    for (size_t i = 0; i < record_count(f); ++i) {
        evaluation v;
        eval_heading heading = { .file = f->path, .index = i + 1, .count = record_count(f), .first = *first };
        bool ok = begin(record_at(f, i), options, &v, &heading.name, e);
        if (ok && v.status == EVALUATE_OK)
            ok = evaluate_run(&v, e);
        if (ok && v.status != EVALUATE_OK)
            *clean = false;
        if (ok)
            ok = options->json ? eval_print_json(stdout, &heading, &v, e) : eval_print_text(stdout, &heading, &v, e);
        evaluate_end(&v);
        if (!ok)
            return error_prefix(e, "%s: evaluation %zu", f->path, i + 1);
        *first = false;
    }
    return true;
}

static int evaluate_files(char **paths, size_t count, const eval_options *options)
{
    error e;
    bool ok = true, first = true, clean = true;
    eval_file *files = calloc(count, sizeof *files);
    if (!files) {
        error_set(&e, "out of memory");
        return command_fail("eval", &e);
    }
    for (size_t i = 0; ok && i < count; ++i) {
        files[i].path = paths[i];
        ok = prepare(&files[i], options, &e);
    }
    if (ok && options->json)
        fputs("[", stdout);
    for (size_t i = 0; ok && i < count; ++i)
        ok = evaluate_file(&files[i], options, &first, &clean, &e);
    if (ok && options->json)
        fputs("\n]\n", stdout);
    for (size_t i = 0; i < count; ++i)
        json_decref(files[i].json);
    free(files);
    if (ok && (fflush(stdout) != 0 || ferror(stdout)))
        ok = error_set(&e, "standard output: %s", strerror(errno));
    if (!ok)
        return command_fail("eval", &e);
    return clean ? EXIT_CONFORMANT : EXIT_FAILURES;
}

int cmd_eval(int argc, char **argv)
{
    enum { JSON = 256 };
    static const struct option long_options[] = { { "feature-level", required_argument, NULL, 'l' },
                                                  { "profile", required_argument, NULL, 'p' },
                                                  { "json", no_argument, NULL, JSON },
                                                  { "help", no_argument, NULL, 'h' },
                                                  { NULL, 0, NULL, 0 } };
    eval_options options = { .level = NULL };
    int option;
    optind = 0; /* the program's own options were read before */
    while ((option = getopt_long(argc, argv, "l:p:h", long_options, NULL)) != -1) {
        switch (option) {
        case 'l': options.level = optarg; break;
        case 'p': options.profile = optarg; break;
        case JSON: options.json = true; break;
        case 'h': fputs(usage, stdout); return EXIT_CONFORMANT;
        default: return command_usage("eval", "that option is not known, or lacks its value");
        }
    }
    if (options.level && !tensor_level_named(options.level))
        return command_usage("eval", "no feature level \"%s\"; one is written like 4_1", options.level);
    if (options.profile && strcmp(options.profile, "default") != 0 && strcmp(options.profile, "openvino") != 0 &&
        strcmp(options.profile, "numpy") != 0)
        return command_usage("eval", "no profile \"%s\"; known are default, openvino, numpy", options.profile);
    if (optind == argc)
        return command_usage("eval", "which file?");
    return evaluate_files(argv + optind, (size_t)(argc - optind), &options);
}
