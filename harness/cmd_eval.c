/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/command.h"
#include "harness/descriptor.h"
#include "harness/eval_print.h"
#include "harness/evaluate.h"
#include "harness/nearest.h"
#include "harness/sandbox.h"
#include "harness/ts_module.h"

#include <errno.h>
#include <getopt.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_JSON ((size_t)64 << 20) /* bytes of a file */

static const char usage[] =
    "Usage: touchstone eval [OPTION...] FILE...\n"
    "Compute the golden outputs of the evaluations in each FILE, or say which clauses they violate.\n"
    "\n"
    "A .lua file returns, and a .json file holds, one evaluation or a list of them:\n"
    "  { operator = \"dml.slice1\", descriptor = { ... }, inputs = { ... }, name =, profile =, feature_level = }\n"
    "in the specification's own field names; inputs are lists of numbers by tensor. - is JSON on standard input.\n"
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

typedef struct json_source {
    FILE *file;
    size_t left;
    bool too_long;
} json_source;

static size_t read_json(void *buffer, size_t size, void *context)
{
    json_source *from = context;
    size_t n = fread(buffer, 1, size, from->file);
    if (n > from->left) {
        from->too_long = true;
        return (size_t)-1;
    }
    from->left -= n;
    return n;
}

static json_t *load_json(const char *path, error *e)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    json_source from = { .file = standard ? stdin : fopen(path, "rb"), .left = MOST_JSON };
    json_error_t problem;
    if (!from.file) {
        error_usage(e, "%s: %s", path, strerror(errno));
        return NULL;
    }
    json_t *json = json_load_callback(read_json, &from, JSON_REJECT_DUPLICATES, &problem);
    bool unreadable = ferror(from.file);
    int reason = errno;
    if (!standard)
        fclose(from.file);
    if (json && !unreadable)
        return json;
    json_decref(json);
    if (from.too_long)
        error_usage(e, "%s: more than %zu MiB", name, MOST_JSON >> 20);
    else if (unreadable)
        error_usage(e, "%s: %s", name, strerror(reason));
    else
        error_usage(e, "%s:%d:%d: %s", name, problem.line, problem.column, problem.text);
    return NULL;
}

static int install_module(lua_State *lua)
{
    ts_module_install(lua);
    ts_module_limit(lua, SANDBOX_MEMORY);
    return 0;
}

/* Arguments: json_t **, and what the file returned. */
static int take_records(lua_State *lua)
{
    json_t *list = *(json_t **)lua_touserdata(lua, 1);
    if (!lua_istable(lua, 2))
        luaL_error(lua, "it returns a %s, where an evaluation or a list of them belongs", luaL_typename(lua, 2));
    lua_Integer count = (lua_Integer)lua_rawlen(lua, 2);
    for (lua_Integer i = count > 0 ? 1 : 0; i <= count; ++i) { /* no elements: the table is itself the record */
        if (i == 0)
            lua_pushvalue(lua, 2);
        else
            lua_rawgeti(lua, 2, i);
        if (json_array_append(list, ts_module_record(lua, -1)) != 0)
            luaL_error(lua, "out of memory");
        lua_settop(lua, 2);
    }
    return 0;
}

static json_t *load_lua(const char *path, error *e)
{
    sandbox s;
    json_t *list = json_array();
    if (!sandbox_open(&s, SANDBOX_MEMORY, SANDBOX_STEPS, e)) {
        json_decref(list);
        return NULL;
    }
    bool ok = sandbox_call(&s, install_module, NULL, 0, e) && sandbox_run_file(&s, path, path, 0, 1, e);
    if (ok && !sandbox_call(&s, take_records, &list, 1, e))
        ok = error_prefix(e, "%s", path);
    sandbox_close(&s);
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

/* The evaluations of a file as JSON, one or a list. */
static json_t *load(const char *path, error *e)
{
    const char *dot = strrchr(path, '.');
    if (strcmp(path, "-") == 0 || (dot && strcmp(dot, ".json") == 0))
        return load_json(path, e);
    if (dot && strcmp(dot, ".lua") == 0)
        return load_lua(path, e);
    error_usage(e, "%s: only .lua and .json files are read, and - for JSON on standard input", path);
    return NULL;
}

/* ---- one evaluation ---------------------------------------------------------------------------------------- */

static bool take_string(const json_t *record, const char *key, const char **value, error *e)
{
    const json_t *json = json_object_get(record, key);
    if (json && !json_is_null(json) && !json_is_string(json))
        return error_usage(e, "%s is no string", key);
    *value = json_string_value(json);
    return true;
}

/* The options of the command line win over what the file says, for operators that know such a thing. */
static bool settle_descriptor(const ts_operator *op, json_t *record, const eval_options *options, json_t *descriptor,
                              error *e)
{
    static const char *const settings[] = { "profile", "feature_level" };
    for (size_t i = 0; i < 2; ++i) {
        json_t *value = json_object_get(record, settings[i]);
        if (value && json_object_get(descriptor, settings[i]))
            return error_usage(e, "%s is given twice", settings[i]);
        if (value && json_object_set(descriptor, settings[i], value) != 0)
            return error_set(e, "out of memory");
    }
    if (options->profile && (op->openvino_types || strcmp(options->profile, "default") == 0) &&
        json_object_set_new(descriptor, "profile", json_string(options->profile)) != 0)
        return error_set(e, "out of memory");
    if (options->level && descriptor_has_levels(op) &&
        json_object_set_new(descriptor, "feature_level", json_string(options->level)) != 0)
        return error_set(e, "out of memory");
    return true;
}

static bool read_descriptor(json_t *record, const eval_options *options, ts_descriptor *d, const char **name, error *e)
{
    static const nearest_names fields = {
        .names = { "operator", "descriptor", "inputs", "name", "profile", "feature_level" }, .count = 6
    };
    const char *operator_name = NULL, *key;
    json_t *value, *given = json_object_get(record, "descriptor");
    if (!json_is_object(record))
        return error_usage(e, "an evaluation is a record { operator, descriptor, inputs }");
    json_object_foreach(record, key, value)
    {
        size_t i = 0;
        while (i < fields.count && strcmp(key, fields.names[i]) != 0)
            ++i;
        if (i == fields.count)
            return nearest_unknown(e, "evaluation", "field", key, &fields);
    }
    if (!take_string(record, "operator", &operator_name, e) || !take_string(record, "name", name, e))
        return false;
    if (!operator_name)
        return error_usage(e, "operator is missing");
    const ts_operator *op = operator_find(operator_name);
    if (!op) {
        size_t count;
        nearest_names known = { .count = 0 };
        const ts_operator *const *all = operator_all(&count);
        for (size_t i = 0; i < count; ++i)
            nearest_add(&known, all[i]->name);
        return nearest_unknown(e, "touchstone", "operator", operator_name, &known);
    }
    json_t *descriptor = json_is_object(given) ? json_copy(given) : json_object();
    if (given && !json_is_object(given) && !(json_is_array(given) && json_array_size(given) == 0)) {
        json_decref(descriptor);
        return error_usage(e, "descriptor is no record");
    }
    bool ok = settle_descriptor(op, record, options, descriptor, e) && descriptor_from_json(op, descriptor, d, e);
    json_decref(descriptor);
    return ok;
}

/* Read the record, and fill the inputs where it can be evaluated. The caller ends v. */
static bool begin(json_t *record, const eval_options *options, evaluation *v, const char **name, error *e)
{
    ts_descriptor d;
    json_t *inputs = json_object_get(record, "inputs");
    memset(v, 0, sizeof *v);
    if (!read_descriptor(record, options, &d, name, e) || !evaluate_begin(v, &d, e))
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
