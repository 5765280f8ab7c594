/* SPDX-License-Identifier: Apache-2.0 */
/* The section of findings: counts by test and verdict, then the list, which page.js makes interactive. */
#include "reports/html_parts.h"

#include <stdlib.h>

static int compare_groups(const void *a, const void *b)
{
    const html_group *x = a, *y = b;
    if (x->test != y->test)
        return x->test < y->test ? -1 : 1;
    if (x->verdict != y->verdict)
        return x->verdict < y->verdict ? -1 : 1;
    return summary_compare_dtypes(x->dtype, y->dtype);
}

/* Begin and end a link to the findings of a group: of one data type, or of all where that is NULL. There is none where
   the run kept no finding. */
static void begin_link(html_page *p, const html_group *group, const char *dtype)
{
    if (group->retained == 0)
        return;
    text_add(p->t, "<a href=\"#test=");
    html_fragment(p->t, p->m.tests[group->test].name);
    text_format(p->t, "&amp;verdict=%s", verdict_name(group->verdict));
    if (dtype) {
        text_add(p->t, "&amp;dtype=");
        html_fragment(p->t, dtype[0] ? dtype : "-");
    }
    text_add(p->t, "\">");
}

static void end_link(html_page *p, const html_group *group)
{
    text_add(p->t, group->retained ? "</a>" : "");
}

/* One row per test and verdict, with its data types. */
static void write_groups(html_page *p)
{
    text *t = p->t;
    html_group *groups = p->f.groups;
    size_t count = p->f.group_count;
    if (count > 0)
        qsort(groups, count, sizeof *groups, compare_groups);
    text_add(
        t, "<details><summary>By test, verdict and data type</summary>\n"
           "<div class=\"scroll\"><table class=\"plain groups\">\n<caption class=\"hidden\">Findings by test, verdict "
           "and data type</caption>\n<thead><tr><th scope=\"col\">Test</th><th scope=\"col\">"
           "Verdict</th><th scope=\"col\" class=\"num\">Cases</th><th scope=\"col\" class=\"num\">Retained</th>"
           "<th scope=\"col\">By data type</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0, end; i < count; i = end) {
        uint64_t found = 0, retained = 0;
        for (end = i; end < count && groups[end].test == groups[i].test && groups[end].verdict == groups[i].verdict;
             ++end) {
            found += groups[end].found;
            retained += groups[end].retained;
        }
        text_add(t, "<tr><td>");
        text_xml(t, p->m.tests[groups[i].test].name);
        text_add(t, "</td><td>");
        begin_link(p, &groups[i], NULL);
        html_verdict(t, groups[i].verdict);
        end_link(p, &groups[i]);
        text_add(t, "</td><td class=\"num\">");
        text_count(t, found > retained ? found : retained);
        text_add(t, "</td><td class=\"num\">");
        text_count(t, retained);
        text_add(t, "</td><td class=\"types\">");
        for (size_t k = i; k < end; ++k) {
            begin_link(p, &groups[k], groups[k].dtype);
            text_xml(t, groups[k].dtype[0] ? groups[k].dtype : "\xE2\x80\x93");
            text_add(t, " <b>");
            text_count(t, groups[k].found > groups[k].retained ? groups[k].found : groups[k].retained);
            text_add(t, "</b>");
            end_link(p, &groups[k]);
            text_add(t, " ");
        }
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "</tbody></table></div></details>\n");
}

void html_findings_section(html_page *p)
{
    text *t = p->t;
    html_section(t, "findings", "Findings");
    if (p->f.group_count == 0) {
        text_format(t, "<p class=\"note\">%s</p>\n",
                    p->m.total.ran > 0 ? "No case failed, and none was ambiguous or waived." : "Nothing ran.");
        html_section_end(t);
        return;
    }
    if (p->f.retained == 0)
        text_add(
            t, p->m.total.failed || p->m.total.cases[VERDICT_WAIVED]
                   ? "<p class=\"note\">The run kept no finding.</p>\n"
                   : "<p class=\"note\">No case failed, and none was waived. Ambiguous cases are only counted.</p>\n");
    write_groups(p);
    if (p->f.packed < p->f.retained) {
        text_add(t, "<p class=\"note\">This page has the first ");
        text_count(t, p->f.packed);
        text_add(t, " of the ");
        text_count(t, p->f.retained);
        text_add(t, " findings of the run; <code>touchstone report --csv</code> writes all of them.</p>\n");
    }
    text_add(t, "<div id=\"tools\" class=\"tools\" role=\"search\" aria-label=\"Findings\" hidden></div>\n"
                "<div id=\"list\">\n");
    if (p->f.plain_count < p->f.retained) {
        text_add(t, "<p class=\"note\" id=\"plain-note\">Without its script, this page shows ");
        text_count(t, p->f.plain_count);
        text_add(t, " of ");
        text_count(t, p->f.retained);
        text_add(t, " findings, the first of each kind.</p>\n");
    }
    if (p->f.plain.length > 0)
        text_bytes(t, p->f.plain.data, p->f.plain.length);
    text_add(t, "</div>\n");
    html_section_end(t);
}
