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

/* One row per test and verdict, with its data types. */
static void write_groups(html_page *p)
{
    text *t = p->t;
    html_group *groups = p->f.groups;
    size_t count = p->f.group_count;
    if (count > 0)
        qsort(groups, count, sizeof *groups, compare_groups);
    text_add(t,
             "<div class=\"scroll\"><table class=\"groups\">\n<thead><tr><th scope=\"col\">Test</th><th scope=\"col\">"
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
        text_format(t, "</td><td><a href=\"#findings\" data-test=\"%zu\" data-verdict=\"%d\">", groups[i].test,
                    (int)groups[i].verdict);
        html_verdict(t, groups[i].verdict);
        text_add(t, "</a></td><td class=\"num\">");
        text_count(t, found > retained ? found : retained);
        text_add(t, "</td><td class=\"num\">");
        text_count(t, retained);
        text_add(t, "</td><td class=\"types\">");
        for (size_t k = i; k < end; ++k) {
            text_format(t, "<a href=\"#findings\" data-test=\"%zu\" data-verdict=\"%d\" data-dtype=\"", groups[k].test,
                        (int)groups[k].verdict);
            text_xml(t, groups[k].dtype);
            text_add(t, "\">");
            text_xml(t, groups[k].dtype[0] ? groups[k].dtype : "\xE2\x80\x93");
            text_add(t, " <b>");
            text_count(t, groups[k].found > groups[k].retained ? groups[k].found : groups[k].retained);
            text_add(t, "</b></a> ");
        }
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
}

void html_findings_section(html_page *p)
{
    text *t = p->t;
    text_add(t, "<section id=\"findings\">\n<h2>Findings</h2>\n");
    if (p->f.group_count == 0) {
        text_format(t, "<p class=\"note\">%s</p>\n</section>\n",
                    p->m.total.ran > 0 ? "No case failed, and none was ambiguous or waived." : "Nothing ran.");
        return;
    }
    write_groups(p);
    if (p->f.packed < p->f.retained) {
        text_add(t, "<p class=\"note\">This page has the first ");
        text_count(t, p->f.packed);
        text_add(t, " of the ");
        text_count(t, p->f.retained);
        text_add(t, " findings of the run; <code>touchstone report --csv</code> writes all of them.</p>\n");
    }
    text_add(t, "<div id=\"tools\" hidden></div>\n<div id=\"list\">\n");
    if (p->f.plain_count < p->f.retained) {
        text_add(t, "<p class=\"note\" id=\"plain-note\">Without its script, this page shows ");
        text_count(t, p->f.plain_count);
        text_add(t, " of ");
        text_count(t, p->f.retained);
        text_add(t, " findings, the first of each kind.</p>\n");
    }
    if (p->f.plain.length > 0)
        text_bytes(t, p->f.plain.data, p->f.plain.length);
    text_add(t, "</div>\n</section>\n");
}
