/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the page about descriptors of operators that are checked, but not computed. */
#include "reports/html_parts.h"

void html_validation(html_page *p)
{
    text *t = p->t;
    if (!p->m.validation)
        return;
    html_section(t, "validation", "Validation");
    text_add(t, "<p class=\"note\">The backend was asked whether it accepts descriptors; nothing was computed. What "
                "agrees is no conformance.</p>\n<div class=\"scroll\"><table class=\"plain\">\n<caption "
                "class=\"hidden\">Descriptors of each operator</caption>\n<thead><tr><th scope=\"col\">Operator</th>"
                "<th scope=\"col\" class=\"num\">Legal</th><th scope=\"col\" class=\"num\">not accepted</th>"
                "<th scope=\"col\" class=\"num\">Illegal</th><th scope=\"col\" class=\"num\">not refused</th>"
                "<th scope=\"col\" class=\"num\">Crashes and hangs</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < p->m.operator_count; ++i) {
        const summary_validated v = summary_validated_of(&p->m, i);
        text_add(t, "<tr><th scope=\"row\">");
        text_xml(t, p->m.operators[i].name);
        text_add(t, "</th>");
        if (v.offered) {
            html_number_cell(t, v.legal, "");
            html_number_cell(t, v.legal - v.accepted, "bad");
            html_number_cell(t, v.illegal, "");
            html_number_cell(t, v.illegal - v.refused, "bad");
            html_number_cell(t, v.ended, "bad");
        } else {
            text_add(t, "<td colspan=\"5\">not offered</td>");
        }
        text_add(t, "</tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
    html_section_end(t);
}
