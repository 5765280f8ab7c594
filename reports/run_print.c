/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/run_print.h"

#include "harness/base/array.h"
#include "harness/base/color.h"
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/casefile/casefile.h"
#include "harness/execute/isolation.h"
#include "harness/execute/observed.h"
#include "harness/store/coverage.h"
#include "harness/store/store_printed.h"
#include "harness/store/summary.h"
#include "reference/ledger.h"
#include "reports/causes_print.h"
#include "reports/raw_call.h"
#include "reports/smallest.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORTEST 0.01 /* seconds of a run that has a rate: run files store hundredths */
#define SHOWN    3    /* findings that are printed */

/* The findings that are printed. */
typedef struct printing {
    const smallest *smallest;
    bool *printed; /* of each smallest case: a finding that was shrunk to it */
    uint64_t count, same;
} printing;

/* The smallest case of a finding, and how to run it. */
static void print_smallest(const store_finding *f, const smallest_case *c)
{
    shrunk_facts facts;
    if (!f->case_id || strcmp(c->id, f->case_id) != 0) {
        if (shrunk_facts_read(&facts, c->facts) && facts.reproducer)
            visible_print(stdout, "  shrunk to %" PRIu64 " element%s in %u dimension%s:\n  %s\n", facts.size.elements,
                          facts.size.elements == 1 ? "" : "s", facts.size.rank, facts.size.rank == 1 ? "" : "s",
                          facts.reproducer);
        shrunk_facts_free(&facts);
    }
    if (c->count > 1)
        visible_print(stdout, "  %zu other finding%s shrunk to the same case\n", c->count - 1,
                      c->count == 2 ? " was" : "s were");
}

/* The call of a descriptor that was refused: an author compares it with what the implementation got. */
static void print_call(const store_finding *f)
{
    text call = { .data = NULL };
    raw_call_text(&call, f);
    if (call.data)
        visible_print(stdout, "  The call, as the backend got it:\n");
    visible_print_lines(stdout, "    ", call.data);
    text_free(&call);
}

static bool print_finding(void *context, const store_finding *f)
{
    printing *p = context;
    if (!verdict_fails(f->verdict))
        return true; /* it is waived; a run that fails names the cases that are not */
    const smallest_case *c = f->shrunk ? smallest_find(p->smallest, f->shrunk) : NULL;
    if (c && p->printed[c - p->smallest->list])
        return true;
    if (c) {
        p->printed[c - p->smallest->list] = true;
        p->same += c->count - 1;
    }
    color_print(stdout, color_of_verdict(f->verdict), "\n%s", verdict_name(f->verdict));
    visible_print(stdout, " %s%s%s\n  %s\n  %s\n", f->case_id, f->clause ? "  " : "", f->clause ? f->clause : "",
                  f->detail ? f->detail : "", f->reproducer ? f->reproducer : "");
    print_call(f);
    if (f->printed)
        visible_print(stdout, "  The last lines that the backend printed:\n");
    visible_print_lines(stdout, "    | ", f->printed);
    if (c)
        print_smallest(f, c);
    return ++p->count < SHOWN;
}

/* What the backend printed, over all tests. */
typedef struct printed_sum {
    uint64_t lines, bytes;
    char last[160]; /* line */
} printed_sum;

static bool add_printed(void *context, const store_printed *p)
{
    printed_sum *sum = context;
    const char *lines = p->tail && *p->tail ? p->tail : p->head ? p->head : "", *end = lines + strlen(lines);
    sum->lines += p->lines;
    sum->bytes += p->bytes;
    while (end > lines && end[-1] == '\n')
        --end;
    const char *line = end;
    while (line > lines && line[-1] != '\n')
        --line;
    size_t length = (size_t)(end - line) < sizeof sum->last ? (size_t)(end - line) : sizeof sum->last - 1;
    while (length > 0 && ((unsigned char)line[length] & 0xC0) == 0x80) /* not within a character */
        --length;
    snprintf(sum->last, sizeof sum->last, "%.*s", (int)length, line);
    return true;
}

/* What the backend printed is in the reports: name its amount, and the last line. */
static void print_printed(store *s, const char *path)
{
    printed_sum sum = { .lines = 0 };
    error e;
    if (!store_each_printed(s, add_printed, &sum, &e) || sum.bytes == 0)
        return;
    char quoted[PATH_MAX];
    visible_print(stdout,
                  "the backend printed %" PRIu64
                  " line%s; 'touchstone report %s --html FILE' shows them. The last one:\n",
                  sum.lines, sum.lines == 1 ? "" : "s", text_shell_in(quoted, sizeof quoted, path));
    visible_print_lines(stdout, "    | ", sum.last);
}

/* Observed behaviours in unspecified cases, over all tests. */
typedef struct observed {
    char kind[96];
    uint64_t cases;
} observed;

typedef struct behaviours {
    observed *list;
    size_t count, capacity;
} behaviours;

static bool read_behaviour(void *context, const store_observation *o)
{
    behaviours *a = context;
    char entry[32];
    size_t n = strcspn(o->kind, ":"), i = 0;
    snprintf(entry, sizeof entry, "%.*s", (int)n, o->kind);
    if (n >= sizeof entry || !ledger_find(entry))
        return true; /* an observation of another kind */
    while (i < a->count && strcmp(a->list[i].kind, o->kind) != 0)
        ++i;
    if (i == a->count) {
        if (!array_reserve(&a->list, &a->capacity, a->count + 1, sizeof *a->list))
            return false;
        a->list[a->count++] = (observed){ .cases = 0 };
        snprintf(a->list[i].kind, sizeof a->list[i].kind, "%s", o->kind);
    }
    a->list[i].cases += o->cases;
    return true;
}

/* How many entries of the ledger the behaviours are of: a backend may behave in several ways about one. */
static size_t count_entries(const behaviours *a)
{
    size_t count = 0;
    for (size_t i = 0; i < a->count; ++i) {
        const size_t n = strcspn(a->list[i].kind, ":") + 1;
        size_t k = 0;
        while (k < i && strncmp(a->list[k].kind, a->list[i].kind, n) != 0)
            ++k;
        count += k == i;
    }
    return count;
}

/* Is this what our decision gives? */
static bool as_decided(const char *kind)
{
    const char *behaviour = strchr(kind, ':');
    return behaviour && observed_as_decided(behaviour + strspn(behaviour, ": "));
}

/* Print each behaviour, or of many only those that are not as decided. */
static void print_behaviours(store *s)
{
    error e;
    behaviours a = { .list = NULL };
    if (store_each_observation(s, read_behaviour, &a, &e) && a.count > 0) {
        size_t decided = 0;
        for (size_t i = 0; i < a.count; ++i)
            decided += as_decided(a.list[i].kind);
        const bool each = a.count <= SHOWN;
        if (each)
            visible_print(
                stdout,
                "  cases in which the specification leaves an element or the verdict open, by what the backend did:\n");
        else
            visible_print(stdout,
                          "  the specifications leave an element or the verdict open in %zu way%s; %s\n",
                          count_entries(&a), count_entries(&a) == 1 ? "" : "s",
                          decided == a.count
                              ? "the backend followed our decision in all of them"
                              : "outputs other than our decision, and answers where no page says what is legal:");
        for (size_t i = 0; i < a.count; ++i)
            if (each || !as_decided(a.list[i].kind))
                visible_print(stdout, "  %s  %" PRIu64 "\n", a.list[i].kind, a.list[i].cases);
    }
    free(a.list);
}

typedef struct beyond_counts {
    uint64_t accepted, refused;
} beyond_counts;

static bool count_beyond(void *context, const store_observation *o)
{
    beyond_counts *all = context;
    if (text_ends_in(o->kind, ": " OBSERVED_ACCEPTED OBSERVED_BEYOND))
        all->accepted += o->cases;
    else if (text_ends_in(o->kind, ": refused" OBSERVED_BEYOND))
        all->refused += o->cases;
    return true;
}

/* Print how the backend answered where a descriptor exceeds a limit of Touchstone. */
static void print_beyond(store *s)
{
    error e;
    beyond_counts all = { 0 };
    if (store_each_observation(s, count_beyond, &all, &e) && all.accepted + all.refused)
        visible_print(stdout,
                      "  descriptors beyond what Touchstone judges: %" PRIu64 " accepted, %" PRIu64 " refused\n",
                      all.accepted, all.refused);
}

/* Count the cases of an observation, and keep the first. */
static bool add_observed(void *context, const store_observation *o)
{
    store_observation *all = context;
    if (strcmp(o->kind, all->kind) != 0)
        return true;
    if (all->cases == 0) {
        all->example = strdup(o->example ? o->example : "");
        all->detail = strdup(o->detail ? o->detail : "");
    }
    all->cases += o->cases;
    return true;
}

/* Print in how many cases something was observed that is worth knowing, and the first of them. */
static void print_observed(store *s)
{
    static const char *const kinds[][2] = { { "gap-write", "gap-write, which no clause forbids" },
                                            { OBSERVED_UNANSWERED, OBSERVED_UNANSWERED } };
    error e;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        store_observation all = { .kind = kinds[i][0] };
        if (store_each_observation(s, add_observed, &all, &e) && all.cases)
            visible_print(stdout, "  %s  %" PRIu64 "\n    %s\n    %s\n", kinds[i][1], all.cases, all.example,
                          all.detail);
        free((void *)(uintptr_t)all.example);
        free((void *)(uintptr_t)all.detail);
    }
}

typedef struct environment_list {
    char text[400];
    size_t used;
} environment_list;

static bool add_environment(void *context, const store_observation *o)
{
    environment_list *all = context;
    const size_t n = sizeof ISOLATION_KIND - 1;
    if (strncmp(o->kind, ISOLATION_KIND, n) != 0 || all->used >= sizeof all->text)
        return true;
    const char *separator = all->used ? ", " : "", *detail = o->detail ? o->detail : "";
    all->used += (size_t)snprintf(all->text + all->used, sizeof all->text - all->used, "%s%s%s%s%s", separator,
                                  o->kind + n, *detail ? " (" : "", detail, *detail ? ")" : "");
    return true;
}

/* What of its processes the backend changed. */
static void print_environment(store *s)
{
    error e;
    environment_list all = { .used = 0 };
    if (store_each_observation(s, add_environment, &all, &e) && all.used)
        visible_print(stdout, "  the backend changed of its process, and Touchstone restored: %s\n", all.text);
}

/* Print which share of the tier a session ran. False if the run had no budget. */
static bool print_share(store *s)
{
    coverage c;
    char line[256];
    if (!coverage_of_run(&c, s))
        return false;
    if (!c.over)
        return true;
    coverage_describe(&c, line, sizeof line);
    visible_print(stdout, "session %" PRIu64 ": %s\n", c.session, line);
    if (coverage_complete(&c) && c.endless)
        visible_print(stdout, "every case of the tests that have an end has been run; the next session starts a new "
                              "round of them, and goes on with the endless ones\n");
    else if (coverage_complete(&c))
        visible_print(stdout, "every case of the tier has been run; the next session starts a new round\n");
    return true;
}

/* The first failures, so that debugging can start without a report. */
static void print_findings(store *s, const char *path, uint64_t failed)
{
    error e;
    smallest m;
    printing p = { .smallest = &m };
    const bool fine = smallest_read(&m, s, &e) && (p.printed = calloc(m.count + 1, sizeof *p.printed)) &&
                      store_each_finding(s, 0, 0, print_finding, &p, &e);
    free(p.printed);
    smallest_free(&m);
    if (!fine)
        return;
    visible_print(stdout, "\n");
    char quoted[PATH_MAX];
    if (failed > p.count + p.same)
        visible_print(stdout,
                      "and %" PRIu64 " more: 'touchstone report %s --html FILE' shows all retained findings\n\n",
                      failed - p.count - p.same, text_shell_in(quoted, sizeof quoted, path));
}

/* Say what the second looks at the failures left out. */
static void print_looks(store *s)
{
    static const char *const keys[] = { STORE_SHRINK, STORE_LOOKS };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        const char *value = store_get(s, keys[i]);
        if (value && *value)
            visible_print(stdout, "%s\n\n", value);
    }
}

/* Print what was required, offered and judged, and what came of it. */
static void print_headline(const summary *m, store *s)
{
    text line = { .data = NULL };
    summary_headline(m, store_get(s, STORE_LEVEL), &line);
    if (!line.failed)
        visible_print(stdout, "%s\n", line.data);
    text_free(&line);
}

/* Name the required cases that are absent. */
static void print_absent(const summary *m)
{
    text lines = { .data = NULL };
    scope_add_absent(&m->facts, "", "\n", &lines);
    visible_print_lines(stdout, "", lines.failed ? NULL : lines.data);
    text_free(&lines);
}

/* Conformance holds for the requested cases only: name them. */
static void print_conformant(store *s, bool waived, bool share, bool part)
{
    const char *but = waived ? " except for waived failures" : "";
    const char *tier = s ? store_get(s, STORE_TIER) : NULL;
    bool quick = tier && strcmp(tier, case_tier_name(TIER_QUICK)) == 0;
    const char *query = s ? store_get(s, STORE_QUERY) : NULL;
    bool narrowed = query && *query;
    color_print(stdout, COLOR_GOOD, "conformant%s%s%s%s%s\n",
                share      ? " in this session"
                : narrowed ? " in what was run"
                : quick    ? " in tier quick"
                           : "",
                but, part ? ", as far as offered" : "", narrowed ? ": " : "", narrowed ? query : "");
}

/* The answers to descriptors agree with the checker or not. That is no conformance. */
static void print_validated(const run_result *r, uint64_t failed)
{
    const char *but = r->cases[VERDICT_WAIVED] ? " except for waived answers" : "";
    if (failed)
        color_print(stdout, COLOR_BAD, "descriptors are not judged as specified\n");
    else
        visible_print(stdout, "descriptors are judged as specified%s; nothing was computed\n", but);
}

/* No case failed, but the run is incomplete: print the reason. */
static void print_incomplete(const run_result *r)
{
    const uint64_t unsupported = r->cases[VERDICT_UNSUPPORTED];
    if (r->ran != r->planned || r->shuffled != r->to_shuffle)
        visible_print(stdout, "incomplete: the run did not execute all planned cases\n");
    else if (unsupported)
        visible_print(stdout, "incomplete: the backend does not support %" PRIu64 " of the planned cases\n",
                      unsupported);
    else if (run_judged(r) == 0)
        visible_print(stdout, "nothing was judged: every case that ran is open, by its specification or by a limit "
                              "of Touchstone\n"
                              "not conformant\n");
    else
        visible_print(stdout, "not conformant\n");
}

/* What came of the cases: "planned 110, ran 110, passed 88, failed 22  (0.7 s, 157 cases/s)", then the failures by
   their verdicts. Negative seconds: they are not known. Returns the number of failures. */
static uint64_t print_counts(uint64_t planned, uint64_t ran, const uint64_t *cases, double seconds)
{
    static const verdict others[] = { VERDICT_NOT_JUDGED, VERDICT_AMBIGUOUS, VERDICT_WAIVED, VERDICT_UNSUPPORTED };
    uint64_t failed = 0;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        failed += verdict_fails((verdict)v) ? cases[v] : 0;
    visible_print(stdout, "planned %" PRIu64 ", ran %" PRIu64 ", passed %" PRIu64 ", failed %" PRIu64, planned, ran,
                  cases[VERDICT_PASS], failed);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        if (cases[others[i]])
            visible_print(stdout, ", %s %" PRIu64, verdict_name(others[i]), cases[others[i]]);
    if (seconds >= 0)
        visible_print(stdout, "  (%.1f s", seconds);
    const double rate = seconds >= SHORTEST ? (double)ran / seconds : 0;
    if (rate >= 1e4)
        visible_print(stdout, ", %.2f M cases/s", rate / 1e6);
    else if (rate > 0)
        visible_print(stdout, ", %.0f cases/s", rate);
    visible_print(stdout, seconds >= 0 ? ")\n" : "\n");
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (verdict_fails((verdict)v) && cases[v]) {
            color_print(stdout, COLOR_BAD, "  %-17s", verdict_name((verdict)v));
            visible_print(stdout, " %" PRIu64 "\n", cases[v]);
        }
    return failed;
}

/* What is known of the failures: their causes, or a few of them as they are. */
static void print_failures(store *s, const char *path, uint64_t failed)
{
    if (failed && (failed <= SHOWN || !causes_print(s, path)))
        print_findings(s, path, failed);
    print_looks(s);
}

void run_print(const char *path, const run_result *r)
{
    error e;
    summary m = { .tests = NULL };
    store *s = r->displaced ? NULL : store_open(path, &e); /* without it, the counts are printed anyway */
    const bool known = s && summary_read(&m, s, &e);
    if (known)
        print_headline(&m, s);
    const uint64_t failed = print_counts(r->planned, r->ran - r->cases[VERDICT_UNSUPPORTED], r->cases, r->seconds);
    if (r->to_shuffle)
        visible_print(
            stdout, "shuffled pass with seed %s: %" PRIu64 " of %" PRIu64 " cases, %" PRIu64 " with another verdict\n",
            s && store_get(s, STORE_SHUFFLE) ? store_get(s, STORE_SHUFFLE) : "?", r->shuffled, r->to_shuffle,
            r->changed);
    bool share = s && print_share(s);
    if (s) {
        print_failures(s, path, failed);
        print_behaviours(s);
        print_beyond(s);
        print_observed(s);
        print_environment(s);
    }
    char quoted[PATH_MAX];
    if (r->displaced)
        visible_print(stderr,
                      "warning: %s was removed or replaced during the run: no file has the results of this run\n",
                      path);
    visible_print(stdout, "run file %s%s\nsuite    %s\ndigest   %s\n", path, r->displaced ? " (lost)" : "",
                  r->suite_digest, r->digest);
    if (s)
        print_printed(s, path);
    if (r->gave_up)
        visible_print(stdout,
                      "tests were given up because they ended their worker too often; --max-losses sets the limit\n");
    if (known)
        print_absent(&m);
    if (r->interrupted)
        visible_print(stdout,
                      "interrupted: the run did not execute all planned cases; 'touchstone resume %s' continues it\n",
                      text_shell_in(quoted, sizeof quoted, path));
    else if (known && m.validation && (failed || run_status(r) == EXIT_CONFORMANT))
        print_validated(r, failed);
    else if (failed)
        color_print(stdout, COLOR_BAD, "not conformant\n");
    else if (run_status(r) == EXIT_CONFORMANT)
        print_conformant(s, r->cases[VERDICT_WAIVED] > 0, share, known && scope_is_part(&m.scope));
    else
        print_incomplete(r);
    summary_free(&m);
    store_close(s);
}

bool run_print_stored(store *s, const char *path, error *e)
{
    static const char *const facts[] = { STORE_BACKEND, STORE_BACKEND_VERSION, STORE_BACKEND_OPTIONS,
                                         STORE_QUERY,   STORE_STATE,           STORE_TIER,
                                         STORE_LEVEL,   STORE_STARTED,         STORE_SECONDS,
                                         STORE_DIGEST,  STORE_SUITE_DIGEST };
    summary m;
    if (!summary_read(&m, s, e)) {
        summary_free(&m);
        return false;
    }
    const char *worked = store_get(s, STORE_SECONDS);
    const double seconds = worked ? strtod(worked, NULL) : -1;
    print_headline(&m, s);
    const uint64_t failed = print_counts(m.total.planned, m.total.ran, m.total.cases, seconds);
    print_share(s);
    print_failures(s, path, failed);
    print_behaviours(s);
    print_beyond(s);
    print_observed(s);
    print_environment(s);
    print_printed(s, path);
    print_absent(&m);
    if (failed == 0)
        visible_print(stdout, "\n");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i) {
        const char *value = strcmp(facts[i], STORE_STATE) == 0 ? m.state : store_get(s, facts[i]);
        if (value && *value)
            visible_print(stdout, "%-16s %s\n", facts[i], value);
    }
    summary_free(&m);
    return true;
}
