/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/base/platform.h"
#include "harness/analysis/waive.h"
#include "harness/base/output.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>

static const char help[] =
    "Usage: touchstone waive RUN FILE\n"
    "       touchstone waive --tighten RUN FILE [-o OUT]\n"
    "Hold the waivers of a file against a run, made with them or without: which are too wide (hold cases that pass),\n"
    "of which nothing fails any more (unexpected passes), which are stale (hold no case that ran) or expired.\n"
    "\n"
    "A file is Lua or JSON, a list of { query, reason, owner, link, expires }; 'touchstone run --waivers FILE' uses "
    "it.\n"
    "\n"
    "      --tighten       write the waivers narrowed to what still fails, without those that nothing needs\n"
    "  -o, --output OUT    where to (default: standard output); may be FILE\n"
    "      --help          this text\n"
    "\n"
    "Exit status: 0 every waiver holds what fails and nothing else, and no other case fails; 1 not so (with "
    "--tighten:\n"
    "0 written); 3 touchstone failed; 64 wrong usage, a file that is no run or no list of waivers.\n";

enum { OPT_TIGHTEN = 256, OPT_HELP };

static bool tighten(store *run, const waivers *w, const char *path, error *e)
{
    bool changed = false;
    FILE *out = platform_temporary_file();
    if (!out)
        return error_set(e, "no temporary file can be made");
    bool fine = waive_tighten(run, w, waivers_is_lua(path ? path : w->path), out, &changed, e);
    if (fine && !path) {
        fine = command_copy_out(out, e);
    } else if (fine) {
        output o;
        char buffer[4096];
        size_t n;
        rewind(out);
        fine = output_open(&o, path, e);
        while (fine && (n = fread(buffer, 1, sizeof buffer, out)) > 0)
            text_bytes(&o.text, buffer, n);
        fine = fine && output_close(&o, true, e);
    }
    if (fine && !changed)
        fprintf(stderr, "touchstone waive: nothing could be narrowed\n");
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
        printf("%" PRIu64 " failing cases are held by no valid waiver\n", unwaived);
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
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    bool narrow = false;
    const char *path = NULL;
    waivers w;
    error e;
    int c;
    while ((c = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
        switch (c) {
        case OPT_TIGHTEN: narrow = true; break;
        case 'o': path = optarg; break;
        case OPT_HELP: fputs(help, stdout); return 0;
        default: return command_usage("waive", "that option is not known, or lacks its value");
        }
    }
    if (argc - optind != 2)
        return command_usage("waive", "expected a run file and a file of waivers");
    if (path && !narrow)
        return command_usage("waive", "--output goes with --tighten");
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
