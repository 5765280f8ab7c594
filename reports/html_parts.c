/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that several sections of the page use. */
#include "reports/html_parts.h"

#include <string.h>

void html_verdict(text *t, verdict v)
{
    const char *kind = verdict_fails(v) ? "bad" : v == VERDICT_PASS ? "good" : v == VERDICT_AMBIGUOUS ? "warn" : "dim";
    text_format(t, "<span class=\"v %s\">%s</span>", kind, verdict_name(v));
}

void html_element(text *t, const char *before, const char *value, const char *after)
{
    if (!value || !value[0])
        return;
    text_add(t, before);
    text_xml(t, value);
    text_add(t, after);
}

void html_number_cell(text *t, uint64_t number, const char *class)
{
    if (number == 0) {
        text_add(t, "<td class=\"num zero\">0</td>");
        return;
    }
    text_format(t, "<td class=\"num %s\">", class ? class : "");
    text_count(t, number);
    text_add(t, "</td>");
}

void html_page_name(text *t, const char *name)
{
    if (strncmp(name, "https://", 8) != 0) {
        text_xml(t, name);
        return;
    }
    const char *slash = strrchr(name, '/');
    text_add(t, "<a href=\"");
    text_xml(t, name);
    text_add(t, "\" rel=\"noreferrer\">");
    text_xml(t, slash[1] ? slash + 1 : name);
    text_add(t, "</a>");
}
