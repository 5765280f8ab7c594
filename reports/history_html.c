/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/history_html.h"

#include "harness/base/output.h"
#include "reports/history_parts.h"
#include "reports/page/page.h"

#include <inttypes.h>
#include <string.h>

/* Embedded by CMake. */
extern const char report_history_css[];

enum {
    WIDTH = 1000, /* of the charts, in units of their view boxes, which are stretched to the width of the page */
    HEIGHT = 100,
    TICKS = 3, /* spaces between the dates of the axis */
    RUNS_LISTED = 30,
    FIXED_LISTED = 200
};

typedef struct page {
    text *t;
    const history_rows *rows;
    const history_series_row *s; /* the current series */
    size_t at;                   /* its index */
    bool seconds;                /* its runs are so close together that times have seconds */
} page;

/* ---- time ---- */

static double first_time(const page *p)
{
    return p->s->run_count ? p->s->runs[0].when : 0;
}

static double last_time(const page *p)
{
    return p->s->run_count ? p->s->runs[p->s->run_count - 1].when : 0;
}

/* The place of a time on the axis. Half a bar at either end stays free. */
static double place_of(const page *p, double when)
{
    const double first = first_time(p), span = last_time(p) - first;
    const double place = span > 0 ? (when - first) / span : 0.5;
    return 12 + (place < 0 ? 0 : place > 1 ? 1 : place) * (WIDTH - 24);
}

static double place_of_start(const page *p, const char *started)
{
    for (size_t i = 0; i < p->s->run_count; ++i)
        if (strcmp(p->s->runs[i].started, started) == 0)
            return place_of(p, p->s->runs[i].when);
    return 0; /* before the first run of the series: with an earlier version of the backend */
}

/* Do two runs of the series share a minute? */
static bool needs_seconds(const history_series_row *s)
{
    bool same = false;
    for (size_t i = 1; i < s->run_count; ++i)
        same = same || strncmp(s->runs[i - 1].started, s->runs[i].started, 16) == 0;
    return same;
}

/* Write "2026-11-21 16:08", or with seconds, as the content of <time>. */
static void write_time(text *t, const char *started, bool seconds)
{
    text_add(t, "<time datetime=\"");
    text_xml(t, started);
    text_add(t, "\">");
    char shown[20];
    snprintf(shown, sizeof shown, "%.*s", seconds ? 19 : 16, started);
    char *separator = strchr(shown, 'T');
    if (separator)
        *separator = ' ';
    text_xml(t, shown);
    text_add(t, "</time>");
}

/* The date of a time, its minute where the axis is shorter than two days, and its second where two ticks may share a
   minute. */
static void write_tick(page *p, double when, double place)
{
    const int64_t seconds = (int64_t)when, day = seconds / 86400, minutes = seconds % 86400 / 60;
    /* Days since 0000-03-01, in eras of 400 years; the inverse of timestamp_read. */
    const int64_t z = day + 719468, era = z / 146097, of_era = z - era * 146097;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100), part = (5 * of_year + 2) / 153;
    const int64_t month = part < 10 ? part + 3 : part - 9;
    text_format(p->t, "<span style=\"left:%.2f%%\">", place * 100 / WIDTH);
    const double length = last_time(p) - first_time(p);
    if (length < 2 * 86400)
        text_format(p->t, "%02" PRId64 "-%02" PRId64 " %02" PRId64 ":%02" PRId64, month,
                    of_year - (153 * part + 2) / 5 + 1, minutes / 60, minutes % 60);
    if (length < TICKS * 60)
        text_format(p->t, ":%02" PRId64, seconds % 60);
    if (length < 2 * 86400)
        text_add(p->t, "</span>");
    else
        text_format(p->t, "%04" PRId64 "-%02" PRId64 "-%02" PRId64 "</span>", year + era * 400 + (month <= 2), month,
                    of_year - (153 * part + 2) / 5 + 1);
}

/* ---- the chart ---- */

static uint64_t most_failed(const history_series_row *s)
{
    uint64_t most = 1;
    for (size_t i = 0; i < s->run_count; ++i)
        most = s->runs[i].failed > most ? s->runs[i].failed : most;
    return most;
}

static void write_bars(page *p, uint64_t most)
{
    const history_series_row *s = p->s;
    const int width = s->run_count <= 30 ? 9 : s->run_count <= 90 ? 5 : s->run_count <= 250 ? 2 : 1;
    for (size_t i = 0; i < s->run_count; ++i) {
        const history_run_row *n = &s->runs[i];
        const double place = place_of(p, n->when);
        const double height = n->failed ? 3 + (double)n->failed / (double)most * (HEIGHT - 3) : 2;
        text_format(p->t,
                    "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" stroke-width=\"%d\"><title>",
                    n->failed ? "failed" : "fine", place, HEIGHT, place, HEIGHT - height, width);
        text_xml(p->t, n->started);
        text_add(p->t, ": ");
        text_count(p->t, n->failed);
        text_add(p->t, " failed</title></line>\n");
    }
}

static void write_chart(page *p)
{
    text *t = p->t;
    const history_series_row *s = p->s;
    const uint64_t most = most_failed(s);
    const double first = first_time(p), span = last_time(p) - first;
    const int ticks = span > 0 ? TICKS : 0;
    if (s->run_count < 2)
        return;
    text_add(t, "<figure class=\"trend\"><figcaption>Failed cases of each run, by time; the highest bar is ");
    text_count(t, most);
    text_format(t,
                "</figcaption>\n<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "
                "aria-label=\"Failed cases of %zu runs, %" PRIu64 " in the last one, at most %" PRIu64
                "; the table of the runs has the numbers\">\n",
                WIDTH, HEIGHT, s->run_count, s->runs[s->run_count - 1].failed, most);
    for (int i = 0; i <= ticks; ++i) {
        const double place = place_of(p, first + span * i / (ticks ? ticks : 1));
        text_format(t, "<line class=\"tick\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>", place, place, HEIGHT);
    }
    write_bars(p, most);
    text_add(t, "</svg>\n<div class=\"axis\" aria-hidden=\"true\">");
    for (int i = 0; i <= ticks; ++i) {
        const double when = first + span * i / (ticks ? ticks : 1);
        write_tick(p, when, place_of(p, when));
    }
    text_add(t, "</div></figure>\n");
}

/* ---- regions ---- */

static void write_span(page *p, const history_region_row *r)
{
    const double first = place_of_start(p, r->since), last = place_of_start(p, r->last);
    text_format(p->t,
                "<svg class=\"span\" viewBox=\"0 0 %d 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                "<line x1=\"0\" y1=\"5\" x2=\"%d\" y2=\"5\"/><line class=\"failed\" x1=\"%.1f\" y1=\"5\" x2=\"%.1f\" "
                "y2=\"5\"/></svg>",
                WIDTH, WIDTH, first - 12 > 0 ? first - 12 : 0, last + 12);
}

static void write_when(page *p, const history_region_row *r)
{
    text *t = p->t;
    const bool inherited = strcmp(r->since, r->first) != 0;
    text_add(t, r->failing ? "<p class=\"when\"><b>since " : "<p class=\"when\"><b>from ");
    write_time(t, r->since, p->seconds);
    text_add(t, "</b>");
    if (inherited)
        html_element(t, ", version ", *r->since_version ? r->since_version : "unknown", "");
    if (!r->failing) {
        text_add(t, " to ");
        write_time(t, r->last, p->seconds);
    }
    if (r->begins)
        text_add(t, " <span class=\"new\">new</span>");
    text_format(t, " <span class=\"note\">%" PRIu64 " run%s</span></p>", r->runs, r->runs == 1 ? "" : "s");
}

static void write_region(page *p, const history_region_row *r)
{
    text *t = p->t;
    text_add(t, "<li><div>");
    write_when(p, r);
    write_span(p, r);
    text_add(t, "</div><div><p><b>");
    text_count(t, r->cases);
    text_add(t, "</b> ");
    html_verdict(t, r->verdict);
    text_format(t, " case%s</p><code>", r->cases == 1 ? "" : "s");
    text_xml(t, r->query);
    text_add(t, "</code>");
    if (r->changed) {
        text_add(t, "<p class=\"note\">");
        text_count(t, r->changed);
        text_add(t, " of them fail in another way now.</p>");
    }
    if (!r->exact)
        text_add(t, "<p class=\"note\">The query is approximate: it also holds cases that passed.</p>");
    if (r->before) {
        text_add(t, "<p class=\"note\">It also holds ");
        text_count(t, r->before);
        text_format(t, " case%s that failed before; %s not blamed on this run.</p>", r->before == 1 ? "" : "s",
                    r->before == 1 ? "it is" : "they are");
    }
    text_add(t, "</div></li>\n");
}

static void write_list(page *p, bool failing, size_t most)
{
    const history_series_row *s = p->s;
    text_add(p->t, "<ul class=\"regions\">\n");
    for (int begins = failing; begins >= 0; --begins)
        for (size_t i = 0; i < s->region_count && most > 0; ++i)
            if (s->regions[i].failing == failing && s->regions[i].begins == (begins != 0)) {
                write_region(p, &s->regions[i]);
                --most;
            }
    text_add(p->t, "</ul>\n");
}

static void write_regions(page *p)
{
    const history_series_row *s = p->s;
    text *t = p->t;
    size_t failing = 0;
    for (size_t i = 0; i < s->region_count; ++i)
        failing += s->regions[i].failing;
    const size_t fixed = s->region_count - failing;
    if (failing) {
        text_add(t, "<h3>Fails now</h3>\n");
        write_list(p, true, SIZE_MAX);
    } else {
        text_add(t, s->region_count ? "<p>Nothing fails now.</p>\n" : "<p>Nothing ever failed.</p>\n");
    }
    if (fixed == 0)
        return;
    text_format(t,
                "<details><summary><h3 class=\"inline\">Failed before</h3> <span class=\"note\">%zu region%s</span>"
                "</summary>\n",
                fixed, fixed == 1 ? "" : "s");
    write_list(p, false, FIXED_LISTED);
    if (fixed > FIXED_LISTED)
        text_format(t, "<p class=\"note\">and %zu more.</p>\n", fixed - FIXED_LISTED);
    text_add(t, "</details>\n");
}

/* ---- runs ---- */

static void write_run(page *p, const history_run_row *n, bool covered)
{
    text *t = p->t;
    text_add(t, "<tr><th scope=\"row\">");
    write_time(t, n->started, p->seconds);
    html_element(t, " <span class=\"note\">", n->driver, "</span>");
    text_add(t, "</th>");
    html_number_cell(t, n->planned, NULL);
    html_number_cell(t, n->ran, NULL);
    html_number_cell(t, n->failed, "bad");
    html_number_cell(t, n->waived, NULL);
    if (covered) {
        char share[16] = "";
        if (n->has_coverage && n->coverage.chained)
            coverage_share(n->coverage.ever, n->coverage.total, share, sizeof share);
        html_element(t, "<td class=\"num\">", *share ? share : "\xE2\x80\x93", "</td>");
    }
    text_add(t, "</tr>\n");
}

static void write_runs(page *p)
{
    text *t = p->t;
    const history_series_row *s = p->s;
    const size_t first = s->run_count > RUNS_LISTED ? s->run_count - RUNS_LISTED : 0;
    bool covered = false; /* some run had a budget */
    for (size_t i = 0; i < s->run_count; ++i)
        covered = covered || s->runs[i].has_coverage;
    text_format(t,
                "<details%s><summary><h3 class=\"inline\">Runs</h3> <span class=\"note\">%zu</span></summary>\n"
                "<table class=\"runs\"><caption>Cases of each run, the last run first.</caption>\n<thead><tr>"
                "<th scope=\"col\">Started (UTC)</th><th scope=\"col\" class=\"num\">Planned</th>"
                "<th scope=\"col\" class=\"num\">Ran</th><th scope=\"col\" class=\"num\">Failed</th>"
                "<th scope=\"col\" class=\"num\">Waived</th>%s</tr></thead>\n<tbody>\n",
                s->run_count <= 7 ? " open" : "", s->run_count,
                covered ? "<th scope=\"col\" class=\"num\">Ever run</th>" : "");
    for (size_t i = s->run_count; i-- > first;)
        write_run(p, &s->runs[i], covered);
    text_add(t, "</tbody></table>\n");
    if (first > 0)
        text_format(t, "<p class=\"note\">and %zu earlier runs.</p>\n", first);
    text_add(t, "</details>\n");
}

/* ---- the page ---- */

static void write_series(page *p)
{
    text name = { .data = NULL }, facts = { .data = NULL };
    text *t = p->t;
    p->seconds = needs_seconds(p->s);
    history_name(p->rows, p->at, &name);
    history_describe(p->s, &facts);
    text_format(
        t, "<section id=\"series-%" PRId64 "\" aria-labelledby=\"name-%" PRId64 "\">\n<h2 id=\"name-%" PRId64 "\">",
        p->s->id, p->s->id, p->s->id);
    text_xml(t, name.data);
    html_element(t, "</h2>\n<p class=\"note facts-of\">", facts.data, "</p>\n");
    write_chart(p);
    write_regions(p);
    write_runs(p);
    text_add(t, "</section>\n");
    t->failed |= name.failed || facts.failed;
    text_free(&name);
    text_free(&facts);
}

static void write_overview(page *p)
{
    text *t = p->t;
    html_section(t, "series", "Series");
    text_add(t, "<p class=\"note\">Runs of one backend with the same version, options, profile, level, tier, query and "
                "device are a series. Only runs of one series are compared.</p>\n<table class=\"overview\">\n"
                "<caption class=\"hidden\">The last run of each series</caption><thead><tr>"
                "<th scope=\"col\">Series</th><th scope=\"col\">Last run</th><th scope=\"col\" class=\"num\">Fail"
                "</th><th scope=\"col\" class=\"num\">New</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < p->rows->count; ++i) {
        const history_series_row *s = &p->rows->list[i];
        text name = { .data = NULL };
        history_name(p->rows, i, &name);
        text_format(t, "<tr><th scope=\"row\"><a href=\"#series-%" PRId64 "\">", s->id);
        text_xml(t, name.data);
        text_add(t, "</a></th><td>");
        if (s->run_count)
            write_time(t, s->runs[s->run_count - 1].started, false);
        text_add(t, "</td>");
        html_number_cell(t, s->failing, "bad");
        html_number_cell(t, s->begins, "bad");
        text_add(t, "</tr>\n");
        t->failed |= name.failed;
        text_free(&name);
    }
    text_add(t, "</tbody></table>\n");
    html_section_end(t);
}

static void write_head(page *p)
{
    text *t = p->t, words = { .data = NULL };
    size_t runs = 0, regions = 0;
    uint64_t failing = 0, begins = 0;
    for (size_t i = 0; i < p->rows->count; ++i) {
        const history_series_row *s = &p->rows->list[i];
        runs += s->run_count;
        failing += s->failing;
        begins += s->begins;
        for (size_t k = 0; k < s->region_count; ++k)
            regions += s->regions[k].failing;
    }
    history_headline(p->rows, &words);
    html_header_begin(t, failing ? "bad" : runs ? "good" : "all", "Touchstone history");
    text_xml(t, words.data);
    text_add(t, "</h1>\n<ul class=\"figures\">\n");
    html_figure(t, "cases fail now", failing, "bad");
    html_figure(t, "of them new", begins, "bad");
    html_figure(t, "regions", regions, "bad");
    html_figure(t, "series", p->rows->count, "all");
    html_figure(t, "runs", runs, "all");
    text_add(t, "</ul>\n");
    html_header_end(t);
    t->failed |= words.failed;
    text_free(&words);
}

bool history_html(history *h, const char *path, error *e)
{
    static const html_link links[] = { { "series", "Series" } };
    output out;
    history_rows rows;
    if (!output_open(&out, path, e))
        return false;
    text *t = &out.text;
    page p = { .t = t, .rows = &rows };
    const bool fine = history_rows_read(&rows, h, e);
    if (fine) {
        html_begin(t, "Touchstone history", report_history_css, false);
        write_head(&p);
        html_nav(t, links, rows.count > 1);
        if (rows.count > 1)
            write_overview(&p);
        for (p.at = 0; p.at < rows.count; ++p.at) {
            p.s = &rows.list[p.at];
            write_series(&p);
        }
        html_footer(t);
        html_end(t);
    }
    history_rows_free(&rows);
    return output_close(&out, fine, e);
}
