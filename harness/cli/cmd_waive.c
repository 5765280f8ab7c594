/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/outputs.h"
#include "harness/base/platform.h"
#include "harness/analysis/waive.h"
#include "harness/base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static const char help[] =
    "Usage: touchstone waive RUN FILE\n"
    "       touchstone waive --tighten RUN FILE [-o OUT]\n"
    "Compare a list of waivers (known failures) with a run. Report which waivers also cover passing cases (too\n"
    "wide), cover only passing cases (unexpected pass), cover no case that ran (stale), or have expired.\n"
    "\n"
    "FILE is Lua or JSON, a list of waivers. Each has all five fields; expires is the last day on which it holds:\n"
    "  return {\n"
    "    { query = \"dml.slice1:* where any(stride < 0)\", reason = \"reversed rows are wrong\",\n"
    "      owner = \"ann\", link = \"https://bugs.example/42\", expires = \"2027-03-31\" },\n"
    "  }\n"
    "'touchstone run --waivers FILE' applies it. The run may have been made with or without waivers.\n"
    "\n"
    "      --tighten     write the waivers narrowed to the cases that still fail, without those that cover none;\n"
    "                    expired waivers are kept as they are, for their owners to decide\n"
    "  -o, --output OUT  where --tighten writes (default: standard output); OUT may be FILE\n"
    "  -h, --help        print this text\n"
    "\n"
    "Exit status: 0 each waiver covers failing cases and nothing else, and no other case fails (with --tighten:\n"
    "OUT was written); 1 otherwise; 3 Touchstone itself failed, or the run is damaged; 64 wrong usage, or a\n"
    "file that is not a run or not a list of waivers.\n"
    "\n"
    "Example:\n"
    "  touchstone waive cpu.run known.lua\n";

enum { OPT_TIGHTEN = 256 };

static bool tighten(store *run, const waivers *w, const char *path, error *e)
{
    bool changed = false;
    FILE *out = platform_temporary_file();
    if (!out)
        return error_set(e, "cannot create a temporary file");
    bool fine = waive_tighten(run, w, waivers_is_lua(path ? path : w->path), out, &changed, e);
    if (fine && !path) {
        fine = command_copy_out(out, e);
    } else if (fine) {
        output o;
        char buffer[4096];
        size_t n;
        if (fflush(out) != 0 || ferror(out) || fseek(out, 0, SEEK_SET) != 0)
            fine = error_file(e, "temporary file", "cannot be written", errno);
        fine = fine && output_open(&o, path, e);
        while (fine && (n = fread(buffer, 1, sizeof buffer, out)) > 0)
            text_bytes(&o.text, buffer, n);
        fine = fine && output_close(&o, !ferror(out) || error_set(e, "temporary file: cannot be read"), e);
    }
    if (fine && !changed)
        fprintf(stderr, "touchstone waive: no waiver could be narrowed\n");
    fclose(out);
    return fine;
}

static int review(store *run, const waivers *w, error *e)
{
    uint64_t unwaived;
    waive_row *rows = calloc(w->count + 1, sizeof *rows);
    int status = EXIT_FAILURES;
    if (!rows)
        error_set(e, "out of memory");
    if (!rows || !waive_review(run, w, rows, &unwaived, e)) {
        free(rows);
        return command_fail("waive", e);
    }
    waive_print(w, rows, true, stdout);
    if (unwaived)
        printf("%" PRIu64 " failing case%s covered by no valid waiver\n", unwaived, unwaived == 1 ? " is" : "s are");
    else if (waive_settled(rows, w->count))
        status = EXIT_CONFORMANT;
    free(rows);
    return status;
}

int cmd_waive(int argc, char **argv)
{
    static const struct option options[] = {
        { "tighten", no_argument, NULL, OPT_TIGHTEN },
        { "output", required_argument, NULL, 'o' },
        { NULL, 0, NULL, 0 },
    };
    bool narrow = false;
    const char *path = NULL;
    waivers w;
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1) {
        switch (c) {
        case OPT_TIGHTEN: narrow = true; break;
        case 'o': path = optarg; break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (argc - optind != 2)
        return command_usage("waive", "expected a run file and a waiver file");
    if (path && !narrow)
        return command_usage("waive", "--output needs --tighten");
    /* OUT may be the file of waivers, so that is no input here. */
    const output_name out = { "--output", path };
    if (!outputs_check(&out, 1, (const char *const *)(argv + optind), 1, &e))
        return command_fail("waive", &e);
    store *run = store_open(argv[optind], &e);
    if (!run)
        return command_fail("waive", &e);
    int status;
    if (!store_snapshot(run, &e) || !waivers_load(&w, argv[optind + 1], time(NULL), &e)) {
        status = command_fail("waive", &e);
    } else {
        status = !narrow ? review(run, &w, &e) : tighten(run, &w, path, &e) ? 0 : command_fail("waive", &e);
        waivers_free(&w);
    }
    store_close(run);
    return status;
}
