/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/output.h"
#include "harness/base/platform.h"
#include "harness/base/visible.h"
#include "harness/casefile/query.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/formats/export_corpus.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone export ID --format FORMAT [-o PATH]\n"
    "       touchstone export QUERY... --format FORMAT -o DIR [--tier TIER] [--seed N]\n"
    "Write one case, or all cases that the queries select, in a format that other tools read without Touchstone.\n"
    "\n"
    "The cases of queries become a corpus: DIR, which must be absent or empty, gets a folder for each test and a\n"
    "manifest.json. It lists each case with its id, files, their SHA-256 and what an implementation has to do, and\n"
    "counts the cases that the format cannot express, by reason. The same queries give the same bytes. Expected\n"
    "outputs are those of every conformant implementation: where the specification leaves an element undefined, or\n"
    "allows it several values, the case is left out, or (dxdispatch) the value is null. If it leaves the whole\n"
    "case open (an entry of the ledger, or a result that is not determined to the bit), the outputs are those of\n"
    "the reference: dxdispatch and openvino-ir say so in the files, and a corpus of another format leaves it out.\n"
    "\n"
    "  -f, --format FORMAT  one of:\n"
    "                         onnx         a folder in the layout of ONNX's own tests: model.onnx (one node,\n"
    "                                      such as a Slice), and test_data_set_0 with inputs and expected outputs\n"
    "                         openvino-ir  a folder with a layer of OpenVINO as IR: model.xml, model.bin,\n"
    "                                      data.bin, expected.bin, and README.txt, which explains how to execute it\n"
    "                         dxdispatch   a DxDispatch model: 'dxdispatch.exe FILE' executes it and prints the\n"
    "                                      outputs; the file has the expected outputs under \"touchstone\"\n"
    "                         stablehlo    a module of StableHLO (.mlir), which compares with check.expect_eq\n"
    "                         npz          a file for numpy.load: inputs, expected outputs, and case.json\n"
    "                         webnn        a graph in JSON, as WebNN's conformance tests have it; 'touchstone import'\n"
    "                                      reads it, and the folder of a corpus\n"
    "      --onnx, --openvino-ir, --dxdispatch\n"
    "                       the same as --format onnx, openvino-ir, dxdispatch\n"
    "  -o, --output PATH    where to write. Of one case in a format of one file, the default is standard output,\n"
    "                       which is also -\n"
    "      --tier TIER      quick (default), full or exhaustive, for queries that do not name a test\n"
    "      --seed N         draw the cases of drawn tests from seed N (default 0)\n"
    "  -h, --help           print this text\n"
    "\n"
    "Exit status: 0 written; 2 the queries select no case; 3 writing failed (a full disk, for instance); 64 wrong\n"
    "usage, no such case, a PATH that cannot be written there (no such folder, no permission), or a case that the\n"
    "format cannot express; of queries, a folder that is not empty, or no case that the format can express. One\n"
    "case replaces the files of its names in a folder.\n"
    "\n"
    "Examples:\n"
    "  touchstone export dml.slice1:examples:example=2 --format onnx -o case\n"
    "  touchstone export 'dml.gather:*' --format onnx -o corpus\n";

/* ---- one case ---------------------------------------------------------------------------------------------------- */

static bool write_text(text *bytes, const char *path, error *e)
{
    output out;
    if (!output_open(&out, path, e))
        return false;
    text_bytes(&out.text, bytes->data, bytes->length);
    return output_close(&out, true, e);
}

/* Write the files of a case to a folder, none of them over a run. */
static bool write_folder(export_files *f, const char *folder, error *e)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < f->count; ++i) {
        const output_name out = { "--output", path };
        snprintf(path, sizeof path, "%.*s/%s", PATH_MAX - 64, folder, f->list[i].name);
        if (!outputs_check(&out, 1, NULL, 0, e))
            return false;
    }
    bool fine = platform_make_folder(folder, e);
    for (size_t i = 0; fine && i < f->count; ++i) {
        const char *slash = strchr(f->list[i].name, '/');
        if (slash) {
            snprintf(path, sizeof path, "%.*s/%.*s", PATH_MAX - 64, folder, (int)(slash - f->list[i].name),
                     f->list[i].name);
            fine = platform_make_folder(path, e);
        }
        snprintf(path, sizeof path, "%.*s/%s", PATH_MAX - 64, folder, f->list[i].name);
        fine = fine && write_text(&f->list[i].bytes, path, e);
    }
    return fine;
}

static bool export_case(const export_format *format, const char *id, const char *path, error *e)
{
    case_view c;
    export_files *f = calloc(1, sizeof *f);
    if (!f)
        return error_set(e, "out of memory");
    bool fine = case_view_find(&c, id, e) && export_write(format, &c, f, e);
    if (!fine && *f->why)
        error_usage(e, "this case cannot be exported as %s: %s", format->title, f->why);
    fine = fine && (format->ending ? write_text(&f->list[0].bytes, path, e) : write_folder(f, path, e));
    case_view_close(&c);
    export_files_free(f);
    free(f);
    return fine;
}

/* ---- many -------------------------------------------------------------------------------------------------------- */

static void print_count(uint64_t cases, const char *what)
{
    text t = { .data = NULL };
    text_count(&t, cases);
    printf("%12s  %s\n", t.failed ? "?" : t.data, what);
    text_free(&t);
}

static void print_corpus(const export_corpus *x, const char *folder)
{
    static const char *const demands[] = { [EXPORT_OUTPUTS] = "with expected outputs",
                                           [EXPORT_ACCEPT] = "to be accepted, not executed",
                                           [EXPORT_REFUSE] = "to be refused",
                                           [EXPORT_OPEN] = "that the specification leaves open" };
    print_count(x->cases, "cases written, of them");
    for (int d = 0; d < 4; ++d)
        if (x->demands[d])
            print_count(x->demands[d], demands[d]);
    if (x->left_out)
        print_count(x->left_out, "cases left out:");
    for (size_t i = 0; i < x->reason_count; ++i) {
        uint64_t cases = 0;
        bool again = false;
        for (size_t k = 0; k < x->reason_count; ++k) {
            const bool same = strcmp(x->reasons[k].reason, x->reasons[i].reason) == 0;
            cases += same ? x->reasons[k].cases : 0;
            again |= same && k < i;
        }
        if (!again)
            print_count(cases, x->reasons[i].reason);
    }
    print_count(x->files, "files");
    print_count(x->bytes, "bytes");
    visible_print(stdout, "%s/manifest.json has the SHA-256 %s\n", folder, x->manifest);
}

static bool export_queries(export_corpus *x, const char *folder, error *e)
{
    const bool fine = export_corpus_write(x, folder, e);
    if (fine)
        print_corpus(x, folder);
    export_corpus_free(x);
    return fine;
}

/* Does the command line name one case by its id? */
static bool names_a_case(char *const *queries, int count)
{
    query q;
    error e;
    return count == 1 && query_parse(queries[0], &q, &e) && q.exact;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

enum { OPT_TIER = 256, OPT_SEED, OPT_FORMATS };
#define MOST_FORMATS 16

/* The options, and those that name a format: OPT_FORMATS and its number. */
static void make_options(struct option *options)
{
    static const struct option own[] = { { "format", required_argument, NULL, 'f' },
                                         { "output", required_argument, NULL, 'o' },
                                         { "tier", required_argument, NULL, OPT_TIER },
                                         { "seed", required_argument, NULL, OPT_SEED } };
    size_t count, n = sizeof own / sizeof *own;
    const export_format *formats = export_formats(&count);
    memcpy(options, own, sizeof own);
    for (size_t i = 0; i < count && i < MOST_FORMATS; ++i)
        if (formats[i].option)
            options[n++] = (struct option){ formats[i].option + 2, no_argument, NULL, OPT_FORMATS + (int)i };
    options[n] = (struct option){ NULL, 0, NULL, 0 };
}

int cmd_export(int argc, char **argv)
{
    struct option options[MOST_FORMATS + 8];
    const char *path = "-";
    const export_format *format = NULL, *given;
    export_corpus x = { .planned = { .tier = OPTIONS_TIER }, .version = TOUCHSTONE_VERSION };
    size_t count;
    bool fine = true, planned = false;
    error e;
    int c;
    arguments args;
    make_options(options);
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        given = c >= OPT_FORMATS ? &export_formats(&count)[c - OPT_FORMATS] : NULL;
        switch (c) {
        case 'f':
            given = export_format_named(optarg, &e);
            fine = given != NULL;
            break;
        case 'o': path = optarg; break;
        case OPT_TIER: fine = planned = options_tier(optarg, &x.planned.tier, &e); break;
        case OPT_SEED: fine = planned = options_seed(optarg, &x.planned.seed, &e); break;
        case 'h': return command_help(help);
        default:
            if (!given)
                return EXIT_BAD_USAGE;
        }
        if (given && format && given != format)
            return command_usage("export", "expected one format, got %s and %s", format->name, given->name);
        format = given ? given : format;
    }
    if (!fine)
        return command_fail("export", &e);
    if (optind == argc)
        return command_usage("export", "expected a case id or queries");
    if (!format)
        return command_usage("export",
                             "expected one format: --format onnx, openvino-ir, dxdispatch, npz, stablehlo or webnn");
    const bool single = names_a_case(argv + optind, argc - optind), standard = strcmp(path, "-") == 0;
    if (single && planned)
        return command_usage("export", "--tier and --seed are for queries, not for one case");
    if (standard && !single)
        return command_usage("export", "queries give a corpus, which is a folder: name it with -o");
    if (standard && !format->ending)
        return command_usage("export", "--format %s writes a folder: name it with -o", format->name);
    x.format = format;
    x.queries = (const char *const *)(argv + optind);
    x.query_count = (size_t)(argc - optind);
    fine = single ? export_case(format, argv[optind], path, &e) : export_queries(&x, path, &e);
    return fine ? EXIT_CONFORMANT : command_fail("export", &e);
}
