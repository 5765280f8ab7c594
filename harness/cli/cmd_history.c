/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/analysis/history_add.h"
#include "harness/cli/options.h"
#include "reports/history_html.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone history DB [--add RUN]... [--html FILE]\n"
    "Keep what came of night after night in one small file, and tell since when each region of cases fails. Without\n"
    "--add or --html the history is printed: the last nights, what fails now and since when, what was fixed.\n"
    "\n"
    "      --add RUN      add a run, complete and of this program's suite; may be repeated, oldest first. A history "
    "that\n"
    "                     is not there is made. Runs of one backend, device, options, level, tier and query make a "
    "series.\n"
    "      --html FILE    one self-contained page with the trend\n"
    "      --nights N     how many nights to print (default 10; 0: all)\n"
    "      --help         this text\n"
    "\n"
    "Exit status: 0; 3 touchstone failed; 64 wrong usage, a file that is no history or no run, a run that is there\n"
    "already, is not complete or is older than the last of its series.\n";

enum { MOST_RUNS = 1024, OPT_ADD = 256, OPT_HTML, OPT_NIGHTS, OPT_HELP };

static bool add_run(history *h, const char *path, error *e)
{
    history_night night;
    store *run = store_open(path, e);
    bool fine = run && store_snapshot(run, e) && history_add_run(h, run, &night, e);
    if (run && !fine)
        error_prefix(e, "%s", path);
    store_close(run);
    if (fine)
        printf("%s: added as night %" PRId64 ", %" PRIu64 " failed\n", path, night.id, night.failed);
    return fine;
}

/* ---- printing ---- */

typedef struct printing {
    history *h;
    uint64_t most;
    bool open_told, fixed_told;
    error *e;
    bool fine;
} printing;

static bool print_night(void *context, const history_night *n)
{
    printing *p = context;
    coverage c;
    bool covered;
    if (!(p->fine = history_coverage(p->h, n->id, &c, &covered, p->e)))
        return false;
    printf("  %-20s  %12" PRIu64 " planned  %12" PRIu64 " ran  %10" PRIu64 " failed", n->started, n->planned, n->ran,
           n->failed);
    if (n->waived)
        printf("  %" PRIu64 " waived", n->waived);
    if (n->unsupported)
        printf("  %" PRIu64 " unsupported", n->unsupported);
    printf("  %s\n", n->version);
    if (covered) {
        char line[256];
        coverage_describe(&c, line, sizeof line);
        printf("    session %" PRIu64 ": %s\n", c.session, line);
    }
    return true;
}

static bool print_region(void *context, const history_region *r)
{
    printing *p = context;
    if (r->open && !p->open_told)
        printf("fails now:\n");
    if (!r->open && !p->fixed_told)
        printf("failed and does not now:\n");
    *(r->open ? &p->open_told : &p->fixed_told) = true;
    if (r->open)
        printf("  since %s (%" PRIu64 " nights)", r->first_night, r->nights);
    else
        printf("  from %s to %s (%" PRIu64 " nights)", r->first_night, r->last_night, r->nights);
    printf("  %" PRIu64 " %s  '%s'%s\n", r->cases, verdict_name(r->verdict), r->query,
           r->exact ? "" : "  (approximately)");
    return true;
}

static bool print_series(void *context, const history_series *s)
{
    printing *p = context;
    printf("%s%s%s%s%s, level %s, tier %s%s%s\n", s->backend, *s->options ? " " : "", s->options,
           *s->device ? " on " : "", s->device, s->level, s->tier, *s->query ? ", " : "", s->query);
    p->open_told = p->fixed_told = false;
    p->fine = history_each_night(p->h, s->id, p->most, print_night, p, p->e) && p->fine &&
              history_each_region(p->h, s->id, 0, print_region, p, p->e);
    if (p->fine && !p->open_told)
        printf("nothing fails now\n");
    printf("\n");
    return p->fine;
}

int cmd_history(int argc, char **argv)
{
    static const struct option options[] = {
        { "add", required_argument, NULL, OPT_ADD },
        { "html", required_argument, NULL, OPT_HTML },
        { "nights", required_argument, NULL, OPT_NIGHTS },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    const char *runs[MOST_RUNS], *html = NULL;
    size_t count = 0, added = 0;
    uint64_t nights = 10;
    bool fine = true;
    error e;
    int c;
    while (fine && (c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case OPT_ADD:
            if (count == MOST_RUNS)
                return command_usage("history", "more than %d runs; add them in several calls", MOST_RUNS);
            runs[count++] = optarg;
            break;
        case OPT_HTML: html = optarg; break;
        case OPT_NIGHTS: fine = options_number("--nights", optarg, 0, 1000000, &nights, &e); break;
        case OPT_HELP: fputs(help, stdout); return 0;
        default: return command_usage("history", "that option is not known, or lacks its value");
        }
    }
    if (!fine)
        return command_fail("history", &e);
    if (argc - optind != 1)
        return command_usage("history", argc == optind ? "which history? expected its file" : "expected one history");
    if (html && strcmp(html, argv[optind]) == 0)
        return command_usage("history", "the page would be written over the history");
    FILE *there = fopen(argv[optind], "rb");
    if (there)
        fclose(there);
    history *h = history_open(argv[optind], count > 0, &e);
    fine = h != NULL;
    for (size_t i = 0; fine && i < count; ++i)
        if ((fine = add_run(h, runs[i], &e)))
            ++added;
    if (fine && html)
        fine = history_html(h, html, &e);
    if (fine && !html && count == 0) {
        printing p = { .h = h, .most = nights, .e = &e, .fine = true };
        fine = history_each_series(h, print_series, &p, &e) && p.fine;
    }
    history_close(h);
    if (h && !fine && !there && added == 0)
        remove(argv[optind]); /* made for a night that could not be added */
    return fine ? 0 : command_fail("history", &e);
}
