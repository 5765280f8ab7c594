/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/history_print.h"

#include "harness/base/color.h"
#include "harness/base/timestamp.h"
#include "harness/base/visible.h"
#include "reports/history_parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

/* The first of the last `most` runs. */
static size_t first_run(const history_series_row *s, uint64_t most)
{
    return most && most < s->run_count ? s->run_count - (size_t)most : 0;
}

/* ---- text ---- */

static void print_run(const history_run_row *n, FILE *out)
{
    char started[TIMESTAMP_SIZE];
    visible_print(out, "  %-20s  %12" PRIu64 " planned  %12" PRIu64 " ran  %10" PRIu64 " failed",
                  timestamp_short(n->started, started, sizeof started), n->planned, n->ran, n->failed);
    if (n->waived)
        visible_print(out, "  %" PRIu64 " waived", n->waived);
    if (n->unsupported)
        visible_print(out, "  %" PRIu64 " unsupported", n->unsupported);
    visible_print(out, "  %s\n", n->version);
    if (n->has_coverage) {
        char line[256];
        coverage_describe(&n->coverage, line, sizeof line);
        visible_print(out, "    session %" PRIu64 ": %s\n", n->coverage.session, line);
    }
}

static void print_region(const history_region_row *n, FILE *out)
{
    const bool inherited = strcmp(n->since, n->first) != 0; /* from an earlier version of the backend */
    char since[TIMESTAMP_SIZE], last[TIMESTAMP_SIZE];
    visible_print(out, n->failing ? "  since %s%s%s%s" : "  from %s%s%s%s",
                  timestamp_short(n->since, since, sizeof since), inherited ? ", version " : "",
                  inherited ? n->since_version : "", inherited ? "," : "");
    if (!n->failing)
        visible_print(out, " to %s", timestamp_short(n->last, last, sizeof last));
    visible_print(out, " (%" PRIu64 " run%s)  %" PRIu64 " ", n->runs, n->runs == 1 ? "" : "s", n->cases);
    color_print(out, n->failing ? color_of_verdict(n->verdict) : COLOR_PLAIN, "%s", verdict_name(n->verdict));
    visible_print(out, "  '%s'%s", n->query, n->exact ? "" : "  (approximately)");
    if (n->changed)
        visible_print(out, "  (%" PRIu64 " of them fail in another way now)", n->changed);
    if (n->before)
        visible_print(out, "  (%" PRIu64 " other case%s of it failed before)", n->before, n->before == 1 ? "" : "s");
    visible_print(out, "\n");
}

static void print_regions(const history_series_row *s, bool failing, const char *heading, FILE *out)
{
    bool any = false;
    for (size_t i = 0; i < s->region_count; ++i) {
        if (s->regions[i].failing != failing)
            continue;
        if (!any)
            visible_print(out, "%s\n", heading);
        any = true;
        print_region(&s->regions[i], out);
    }
    if (failing && !any)
        visible_print(out, "nothing fails now\n");
}

bool history_print_text(history *h, uint64_t most, FILE *out, error *e)
{
    history_rows rows;
    text words = { .data = NULL };
    bool fine = history_rows_read(&rows, h, e);
    if (fine) {
        history_headline(&rows, &words);
        visible_print(out, "%s\n\n", words.data ? words.data : "");
        text_free(&words);
    }
    for (size_t i = 0; fine && i < rows.count; ++i) {
        const history_series_row *s = &rows.list[i];
        text name = { .data = NULL }, facts = { .data = NULL };
        history_name(&rows, i, &name);
        history_describe(s, &facts);
        visible_print(out, "%s\n  %s\n", name.data, facts.data);
        text_free(&name);
        text_free(&facts);
        for (size_t k = first_run(s, most); k < s->run_count; ++k)
            print_run(&s->runs[k], out);
        print_regions(s, true, "fails now:", out);
        print_regions(s, false, "failed, and does not fail now:", out);
        visible_print(out, "\n");
    }
    history_rows_free(&rows);
    return fine && (!ferror(out) || error_output(e));
}

/* ---- JSON ---- */

static json_t *run_json(const history_run_row *n)
{
    json_t *run =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:I, s:I, s:I, s:I, s:I}", "started", n->started, "version",
                  n->version, "driver", n->driver, "suite_digest", n->suite, "digest", n->digest, "seconds", n->seconds,
                  "planned", (json_int_t)n->planned, "ran", (json_int_t)n->ran, "failed", (json_int_t)n->failed,
                  "waived", (json_int_t)n->waived, "unsupported", (json_int_t)n->unsupported);
    if (n->has_coverage)
        json_object_set_new(run, "session", json_integer((json_int_t)n->coverage.session));
    return run;
}

static json_t *region_json(const history_region_row *n)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "test", n->test,
                     "query", n->query, "verdict", verdict_name(n->verdict), "example", n->example, "exact", n->exact,
                     "failing", n->failing, "begins", n->begins, "since", n->since, "since_version", n->since_version,
                     "first", n->first, "last", n->last, "cases", (json_int_t)n->cases, "before", (json_int_t)n->before,
                     "changed", (json_int_t)n->changed, "runs", (json_int_t)n->runs);
}

static json_t *series_json(const history_rows *rows, size_t i, uint64_t most)
{
    const history_series_row *s = &rows->list[i];
    text name = { .data = NULL };
    json_t *runs = json_array(), *regions = json_array();
    history_name(rows, i, &name);
    json_t *series = json_pack("{s:s, s:s}", "name", name.data ? name.data : "", "backend", s->backend);
    text_free(&name);
    for (int fact = 0; fact < HISTORY_FACTS; ++fact)
        json_object_set_new(series, history_fact_names[fact], json_string(s->facts[fact]));
    json_object_set_new(series, "failing", json_integer((json_int_t)s->failing));
    json_object_set_new(series, "begins", json_integer((json_int_t)s->begins));
    for (size_t k = first_run(s, most); k < s->run_count; ++k)
        json_array_append_new(runs, run_json(&s->runs[k]));
    for (size_t k = 0; k < s->region_count; ++k)
        json_array_append_new(regions, region_json(&s->regions[k]));
    json_object_set_new(series, "runs", runs);
    json_object_set_new(series, "regions", regions);
    return series;
}

bool history_print_json(history *h, uint64_t most, FILE *out, error *e)
{
    history_rows rows;
    text words = { .data = NULL };
    bool fine = history_rows_read(&rows, h, e);
    if (fine) {
        json_t *list = json_array();
        for (size_t i = 0; i < rows.count; ++i)
            json_array_append_new(list, series_json(&rows, i, most));
        history_headline(&rows, &words);
        json_t *all =
            json_pack("{s:i, s:s, s:o}", "format", 1, "headline", words.data ? words.data : "", "series", list);
        fine = (all && json_dumpf(all, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF) ||
               error_set(e, "the JSON cannot be written");
        json_decref(all);
        text_free(&words);
    }
    history_rows_free(&rows);
    return fine;
}
