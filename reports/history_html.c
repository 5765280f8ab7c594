/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/history_html.h"

#include "reports/html_parts.h"
#include "harness/base/array.h"
#include "harness/base/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The size of the chart, in units of its SVG view box. */
enum { CHART_WIDTH = 960, CHART_HEIGHT = 160, RUNS_LISTED = 30, FIXED_LISTED = 200 };

static const char style[] =
    "svg.trend{width:100%;height:auto;display:block;margin:.5em 0 1em}"
    "svg.trend .failed{fill:var(--bad-bar)}svg.trend .fine{fill:var(--good-bar)}"
    "svg.trend line{stroke:var(--strong)}svg.trend text{fill:var(--soft);font-size:12px}"
    "svg.span{width:14em;height:.9em;display:block}svg.span rect{fill:var(--bad-bar)}"
    "svg.span line{stroke:var(--line);stroke-width:4}"
    "td.day{white-space:nowrap}td.query{font-family:var(--mono);font-size:.8125rem;overflow-wrap:anywhere}";

typedef struct run_point {
    int64_t id;
    uint64_t planned, ran, failed, waived;
    char started[24], version[64], covered[16]; /* the share that has ever been run; "" without a budget */
} run_point;

typedef struct page {
    text *t;
    history *h;
    run_point *runs;
    size_t count, capacity;
    size_t fixed; /* spans of regions that do not fail now */
    bool heading_failing, heading_fixed;
    bool covered; /* some run of the series had a budget */
    error *e;
    bool fine;
} page;

static bool add_run(void *context, const history_run *r)
{
    page *p = context;
    if (!array_reserve(&p->runs, &p->capacity, p->count + 1, sizeof *p->runs))
        return p->fine = error_set(p->e, "out of memory");
    run_point *own = &p->runs[p->count++];
    *own = (run_point){ .id = r->id, .planned = r->planned, .ran = r->ran, .failed = r->failed, .waived = r->waived };
    snprintf(own->started, sizeof own->started, "%s", r->started);
    snprintf(own->version, sizeof own->version, "%s", r->version);
    coverage c;
    bool covered;
    p->fine = history_coverage(p->h, r->id, &c, &covered, p->e);
    if (p->fine && covered && c.chained)
        coverage_share(c.ever, c.total, own->covered, sizeof own->covered);
    p->covered |= *own->covered != '\0';
    return p->fine;
}

/* ---- the chart ---- */

static void write_chart(page *p)
{
    text *t = p->t;
    uint64_t most = 1;
    for (size_t i = 0; i < p->count; ++i)
        most = p->runs[i].failed > most ? p->runs[i].failed : most;
    double step = (double)CHART_WIDTH / (double)(p->count ? p->count : 1);
    text_format(t,
                "<svg class=\"trend\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Failed cases per run, at "
                "most %" PRIu64 "\">\n<line x1=\"0\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
                CHART_WIDTH, CHART_HEIGHT + 36, most, CHART_HEIGHT + 16, CHART_WIDTH, CHART_HEIGHT + 16);
    for (size_t i = 0; i < p->count; ++i) {
        const run_point *n = &p->runs[i];
        double height = n->failed ? 2 + (double)n->failed / (double)most * (CHART_HEIGHT - 2) : 2;
        text_format(t, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
                    n->failed ? "failed" : "fine", (double)i * step, CHART_HEIGHT + 16 - height,
                    step > 2 ? step - 1 : step, height);
        text_xml(t, n->started);
        text_add(t, ": ");
        text_count(t, n->failed);
        text_add(t, " failed</title></rect>\n");
    }
    text_add(t, "<text x=\"0\" y=\"12\">");
    text_count(t, most);
    text_format(t,
                "</text><text x=\"0\" y=\"%d\">%.10s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.10s</text>\n"
                "</svg>\n",
                CHART_HEIGHT + 32, p->count ? p->runs[0].started : "", CHART_WIDTH, CHART_HEIGHT + 32,
                p->count ? p->runs[p->count - 1].started : "");
}

/* ---- regions ---- */

static size_t run_at(const page *p, int64_t id)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->runs[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void write_span(page *p, const history_region *r)
{
    double runs = (double)(p->count ? p->count : 1);
    double first = (double)run_at(p, r->first) / runs * 1000;
    double last = (double)(run_at(p, r->last) + 1) / runs * 1000;
    text_format(p->t,
                "<svg class=\"span\" viewBox=\"0 0 1000 60\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                "<line x1=\"0\" y1=\"30\" x2=\"1000\" y2=\"30\"/><rect x=\"%.1f\" y=\"8\" width=\"%.1f\" "
                "height=\"44\"/></svg>",
                first, last - first > 6 ? last - first : 6);
}

static void begin_regions(page *p, const char *heading)
{
    text_format(p->t,
                "<h3>%s</h3>\n<div class=\"scroll\"><table class=\"plain\">\n<thead><tr>"
                "<th scope=\"col\">First failing run</th>"
                "<th scope=\"col\">Last</th><th scope=\"col\" class=\"num\">Runs</th><th scope=\"col\"></th>"
                "<th scope=\"col\">Verdict</th><th scope=\"col\" class=\"num\">Cases</th>"
                "<th scope=\"col\">Region</th></tr></thead>\n<tbody>\n",
                heading);
}

static bool write_region(void *context, const history_region *r)
{
    page *p = context;
    text *t = p->t;
    if (r->failing && !p->heading_failing) {
        begin_regions(p, "Fails now");
        p->heading_failing = true;
    }
    if (!r->failing && !p->heading_fixed) {
        if (p->heading_failing)
            text_add(t, "</tbody></table></div>\n");
        else
            text_add(t, "<p class=\"note\">Nothing fails now.</p>\n");
        begin_regions(p, "Failed before");
        p->heading_fixed = true;
    }
    if (!r->failing && p->fixed++ >= FIXED_LISTED)
        return true;
    text_format(t, "<tr><td class=\"day\">%.10s</td><td class=\"day\">%.10s</td><td class=\"num\">", r->first_started,
                r->last_started);
    text_count(t, r->runs);
    text_add(t, "</td><td>");
    write_span(p, r);
    text_add(t, "</td><td>");
    html_verdict(t, r->verdict);
    text_add(t, "</td>");
    html_number_cell(t, r->cases, NULL);
    text_add(t, "<td class=\"query\">");
    text_xml(t, r->query);
    text_add(t, r->exact ? "</td></tr>\n" : " <span class=\"note\">(approximately)</span></td></tr>\n");
    return true;
}

static void write_runs(page *p)
{
    text *t = p->t;
    size_t first = p->count > RUNS_LISTED ? p->count - RUNS_LISTED : 0;
    text_add(
        t, "<h3>Runs</h3>\n<div class=\"scroll\"><table class=\"plain\">\n<thead><tr><th scope=\"col\">Started</th>"
           "<th scope=\"col\">Version</th><th scope=\"col\" class=\"num\">Planned</th><th scope=\"col\" class=\"num\">"
           "Ran</th><th scope=\"col\" class=\"num\">Failed</th><th scope=\"col\" class=\"num\">Waived</th>");
    text_format(t, "%s</tr></thead>\n<tbody>\n", p->covered ? "<th scope=\"col\" class=\"num\">Ever run</th>" : "");
    for (size_t i = p->count; i-- > first;) {
        const run_point *n = &p->runs[i];
        text_add(t, "<tr><td>");
        text_xml(t, n->started);
        text_add(t, "</td><td>");
        text_xml(t, n->version);
        text_add(t, "</td>");
        html_number_cell(t, n->planned, NULL);
        html_number_cell(t, n->ran, NULL);
        html_number_cell(t, n->failed, "bad");
        html_number_cell(t, n->waived, "warn");
        if (p->covered)
            html_element(t, "<td class=\"num\">", *n->covered ? n->covered : "\xE2\x80\x93", "</td>");
        text_add(t, "</tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
    if (first > 0)
        text_format(t, "<p class=\"note\">and %zu earlier runs.</p>\n", first);
}

static bool write_series(void *context, const history_series *s)
{
    page *p = context;
    text *t = p->t;
    p->count = p->fixed = 0;
    p->heading_failing = p->heading_fixed = p->covered = false;
    p->fine = history_each_run(p->h, s->id, 0, add_run, p, p->e) && p->fine;
    if (!p->fine)
        return false;
    text_add(t, "<section>\n<h2>");
    text_xml(t, s->backend);
    html_element(t, " ", *s->options ? s->options : NULL, "");
    text_add(t, "</h2>\n<p class=\"note\">");
    text_xml(t, s->device);
    html_element(t, *s->device ? ", level " : "level ", s->level, "");
    html_element(t, ", tier ", s->tier, "");
    html_element(t, ", ", *s->query ? s->query : NULL, "");
    text_format(t, "; %zu run%s</p>\n", p->count, p->count == 1 ? "" : "s");
    write_chart(p);
    p->fine = history_each_region(p->h, s->id, 0, write_region, p, p->e);
    text_add(t, p->heading_failing || p->heading_fixed ? "</tbody></table></div>\n"
                                                       : "<p class=\"note\">Nothing ever failed.</p>\n");
    if (p->fixed > FIXED_LISTED)
        text_format(t, "<p class=\"note\">and %zu more that do not fail now.</p>\n", p->fixed - FIXED_LISTED);
    write_runs(p);
    text_add(t, "</section>\n");
    return p->fine;
}

bool history_html(history *h, const char *path, error *e)
{
    output out;
    if (!output_open(&out, path, e))
        return false;
    text *t = &out.text;
    page p = { .t = t, .h = h, .e = e, .fine = true };
    text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'unsafe-inline'\">\n<title>Touchstone history</title>\n<style>\n");
    text_add(t, report_page_css);
    text_add(t, style);
    text_add(t, "</style>\n</head>\n<body>\n<header class=\"all\">\n<p class=\"kicker\">Touchstone</p>\n"
                "<h1>Run after run</h1>\n</header>\n<main>\n");
    bool fine = history_each_series(h, write_series, &p, e) && p.fine;
    text_add(t, "</main>\n</body>\n</html>\n");
    free(p.runs);
    return output_close(&out, fine, e);
}
