/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/array.h"
#include "harness/base/output.h"
#include "harness/base/platform.h"
#include "harness/base/visible.h"
#include "harness/check/check_import.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/outputs.h"
#include "harness/formats/import_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone import FILE|DIR... [-o RECORDS]\n"
    "       touchstone import --ids FILE|DIR...\n"
    "Read tests of others as records, and compare the outputs that they expect with the reference.\n"
    "\n"
    "  FILE.json    tests of WebNN, as 'touchstone export --format webnn' writes them:\n"
    "               { \"tests\": [ { \"name\": ..., \"graph\": { \"inputs\", ... } } ] }, one test, or a list of\n"
    "               these; - reads JSON from standard input\n"
    "  FILE.js      a file of webnn/conformance_tests in web-platform-tests: the arrays of literals that it declares;\n"
    "               nothing of it is executed\n"
    "  DIR          the folder that 'touchstone export QUERY... --format webnn -o DIR' wrote\n"
    "\n"
    "slice and reverse become dml.slice1; gather dml.gather, gatherElements dml.gather_elements, gatherND\n"
    "dml.gather_nd, scatterElements dml.scatter_elements, scatterND dml.scatter_nd, concat dml.join, cumulativeSum\n"
    "dml.cumulative_summation; identity, transpose and expand dml.element_wise_identity; and a reshape, transpose and\n"
    "reshape that move blocks to channels dml.space_to_depth1. Tests of other operators are left out, and counted by\n"
    "reason. A test that cannot be read is left out, too; it is named on standard error, with the place and the reason.\n"
    "\n"
    "  -o, --output RECORDS  write the records, with inputs and expected outputs, to this file (- is standard\n"
    "                        output): 'touchstone check', 'eval' and 'explain' read it\n"
    "      --ids             print nothing but the ids of cases with these descriptors, each once, for 'touchstone\n"
    "                        run'. Their data are the suite's own, not those of the tests\n"
    "  -h, --help            print this text\n"
    "\n"
    "Exit status: 0 the reference gives what every record expects, whatever is left out; 1 it gives something else, or\n"
    "a descriptor is illegal; 2 all tests are left out, because the suite does not have them or they cannot be read;\n"
    "64 wrong usage, a FILE or DIR that cannot be read, or no test in all of them. Of several files, those that can be\n"
    "read are imported all the same.\n"
    "\n"
    "Examples:\n"
    "  touchstone import slice.https.any.js\n"
    "  touchstone import slice.json gather.json -o records.json && touchstone explain records.json\n"
    "  touchstone import --ids slice.https.any.js | xargs -d '\\n' -n 32 touchstone run -b cpu\n";

/* Tests that were left out for one reason. */
typedef struct reason {
    char *text, *first;
    uint64_t tests;
} reason;

typedef struct import_state {
    uint64_t counts[CHECK_IMPORT_RESULTS];
    json_t *records;
    bool wanted;      /* keep the records */
    bool ids;         /* print ids, and nothing else */
    uint64_t without; /* tests with a descriptor that no case has */
    bool lone;        /* one file alone is read */
    bool unreadable;  /* a file cannot be read */
    json_t *seen;     /* the ids that are printed, as members */
    FILE *to;         /* for what is printed, once all files are read */
    reason *reasons;
    size_t reason_count, reason_capacity;
} import_state;

static bool leave_out(import_state *s, const char *why, const char *name, error *e)
{
    size_t i = 0;
    while (i < s->reason_count && strcmp(s->reasons[i].text, why) != 0)
        ++i;
    if (i == s->reason_count) {
        if (!array_reserve(&s->reasons, &s->reason_capacity, i + 1, sizeof *s->reasons))
            return error_set(e, "out of memory");
        s->reasons[s->reason_count++] = (reason){ .text = strdup(why), .first = strdup(name) };
        if (!s->reasons[i].text || !s->reasons[i].first)
            return error_set(e, "out of memory");
    }
    s->reasons[i].tests++;
    return true;
}

static bool print_id(import_state *s, const check_imported *test, error *e)
{
    char id[CASE_ID_SIZE];
    if (!import_case(test->record, id, e))
        return false;
    s->without += !id[0];
    if (id[0] && !json_object_get(s->seen, id)) {
        fprintf(s->to, "%s\n", id);
        return json_object_set_new(s->seen, id, json_true()) == 0 || error_set(e, "out of memory");
    }
    return true;
}

static bool take_test(void *context, const check_imported *test, error *e)
{
    import_state *s = context;
    static const char malformed[] = "cannot be read";
    s->counts[test->result]++;
    if (test->result == CHECK_IMPORT_LEFT_OUT)
        return leave_out(s, test->text, test->name, e);
    if (test->result == CHECK_IMPORT_UNREADABLE) {
        visible_print(stderr, "touchstone import: left out: %s%s%s\n", test->name, *test->name ? ": " : "", test->text);
        return leave_out(s, malformed, *test->name ? test->name : test->text, e);
    }
    if (s->ids)
        return test->result == CHECK_IMPORT_ILLEGAL || print_id(s, test, e);
    if (test->text[0])
        visible_print(s->to, "%s:%zu:%zu: %s: %s: %s\n", test->file, test->place.line, test->place.column, test->name,
                      test->result == CHECK_IMPORT_ILLEGAL ? "illegal"
                      : test->result == CHECK_IMPORT_OPEN  ? "open"
                                                           : "differs",
                      test->text);
    return !s->wanted || json_array_append(s->records, test->record) == 0 || error_set(e, "out of memory");
}

static void print_summary(const import_state *s, uint64_t tests, FILE *to)
{
    static const char *const words[] = { [CHECK_IMPORT_AGREES] = "in agreement with the reference",
                                         [CHECK_IMPORT_DIFFERS] = "in disagreement",
                                         [CHECK_IMPORT_ILLEGAL] = "with an illegal descriptor",
                                         [CHECK_IMPORT_OPEN] =
                                             "open: whether it is legal, or an element, the specification does not say",
                                         [CHECK_IMPORT_LEFT_OUT] = "left out:" };
    fprintf(to, "%8llu  tests, of which\n", (unsigned long long)tests);
    const uint64_t left_out = s->counts[CHECK_IMPORT_LEFT_OUT] + s->counts[CHECK_IMPORT_UNREADABLE];
    for (int i = 0; i <= CHECK_IMPORT_LEFT_OUT; ++i) {
        const uint64_t count = i == CHECK_IMPORT_LEFT_OUT ? left_out : s->counts[i];
        if (count)
            fprintf(to, "%8llu  %s\n", (unsigned long long)count, words[i]);
    }
    for (size_t i = 0; i < s->reason_count; ++i)
        visible_print(to, "%8llu    %s, such as: %s\n", (unsigned long long)s->reasons[i].tests, s->reasons[i].text,
                      s->reasons[i].first);
}

static bool write_records(const json_t *records, const char *path, error *e)
{
    output out;
    char *bytes = json_dumps(records, JSON_INDENT(1));
    if (!bytes)
        return error_set(e, "out of memory");
    bool fine = output_open(&out, path, e);
    if (fine) {
        text_add(&out.text, bytes);
        text_add(&out.text, "\n");
        fine = output_close(&out, true, e);
    }
    free(bytes);
    return fine;
}

/* Read a file. One of several that cannot be read is named on standard error, and the others are read. */
static bool import_file(void *context, const char *path, error *e)
{
    import_state *s = context;
    if (check_import_file(path, take_test, s, e))
        return true;
    if (s->lone || e->status != EXIT_BAD_USAGE)
        return false;
    visible_print(stderr, "touchstone import: %s\n", e->text);
    s->unreadable = true;
    return true;
}

static bool import_all(import_state *s, char **paths, size_t count, error *e)
{
    s->lone = count == 1 && !check_import_is_corpus(paths[0]);
    for (size_t i = 0; i < count; ++i)
        if (!(check_import_is_corpus(paths[i]) ? check_import_corpus(paths[i], import_file, s, e)
                                               : import_file(s, paths[i], e)))
            return false;
    return true;
}

static int status_of(const import_state *s)
{
    if (s->unreadable)
        return EXIT_BAD_USAGE;
    if (s->counts[CHECK_IMPORT_DIFFERS] + s->counts[CHECK_IMPORT_ILLEGAL] > 0)
        return EXIT_FAILURES;
    return s->counts[CHECK_IMPORT_AGREES] + s->counts[CHECK_IMPORT_OPEN] > 0 ? EXIT_CONFORMANT : EXIT_NOT_RUN;
}

static bool import_files(import_state *s, char **paths, size_t count, const char *to, error *e)
{
    const output_name out = { "--output", to };
    if (!outputs_check(&out, 1, (const char *const *)paths, count, e))
        return false;
    s->wanted = to != NULL;
    s->records = json_array();
    s->seen = json_object();
    s->to = platform_temporary_file();
    if (!s->to || !s->records || !s->seen)
        return error_set(e, "a temporary file or memory is missing");
    if (!import_all(s, paths, count, e))
        return false;
    uint64_t tests = 0;
    for (int i = 0; i < CHECK_IMPORT_RESULTS; ++i)
        tests += s->counts[i];
    if (tests == 0)
        return error_usage(e, "%s: no test of WebNN in %s", paths[0], count > 1 ? "this and the other files" : "it");
    if (!s->ids || status_of(s) != EXIT_CONFORMANT) /* ids are for a program: why there are less is said beside them */
        print_summary(s, tests, s->ids ? stderr : s->to);
    if (s->without > 0)
        fprintf(stderr, "touchstone import: note: no case has the descriptor of %llu of the tests\n",
                (unsigned long long)s->without);
    if (to && !write_records(s->records, to, e))
        return false;
    return (to && strcmp(to, "-") == 0) || command_copy_out(s->to, e);
}

int cmd_import(int argc, char **argv)
{
    enum { IDS = 256 };
    static const struct option options[] = { { "output", required_argument, NULL, 'o' },
                                             { "ids", no_argument, NULL, IDS },
                                             { NULL, 0, NULL, 0 } };
    import_state s = { .to = NULL };
    const char *path = NULL;
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1) {
        switch (c) {
        case 'o': path = optarg; break;
        case IDS: s.ids = true; break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (optind == argc)
        return command_usage("import", "expected a file or a folder");
    if (s.ids && path)
        return command_usage("import", "--ids prints ids, and -o writes records: expected one of them");
    const bool fine = import_files(&s, argv + optind, (size_t)(argc - optind), path, &e);
    if (s.to)
        fclose(s.to);
    json_decref(s.records);
    json_decref(s.seen);
    for (size_t i = 0; i < s.reason_count; ++i) {
        free(s.reasons[i].text);
        free(s.reasons[i].first);
    }
    free(s.reasons);
    return fine ? status_of(&s) : command_fail("import", &e);
}
