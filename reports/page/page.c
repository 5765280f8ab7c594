/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/page/page.h"

#include <string.h>

/* ---- the frame ---- */

void html_begin(text *t, const char *title, const char *css, bool scripts)
{
    text_format(t,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'"
                "%s\">\n<title>",
                scripts ? "; script-src 'unsafe-inline'" : "");
    text_xml(t, title);
    text_add(t, "</title>\n<style>\n");
    text_add(t, report_page_css);
    text_add(t, css ? css : "");
    text_add(t, "</style>\n</head>\n<body>\n");
}

void html_footer(text *t)
{
    text_add(t, "</main>\n<footer>Written by Touchstone " TOUCHSTONE_VERSION
                ". This page is one file that loads nothing.</footer>\n");
}

void html_end(text *t)
{
    text_add(t, "</body>\n</html>\n");
}

void html_header_begin(text *t, const char *class, const char *kicker)
{
    text_format(t,
                "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header class=\"%s\">\n"
                "<p class=\"kicker\">%s</p>\n<h1>",
                class, kicker);
}

void html_header_end(text *t)
{
    text_add(t, "</header>\n");
}

void html_nav(text *t, const html_link *links, size_t count)
{
    text_add(t, "<nav aria-label=\"Sections\">");
    for (size_t i = 0; i < count; ++i)
        text_format(t, "%s<a href=\"#%s\">%s</a>", i ? " " : "", links[i].id, links[i].name);
    text_add(t, "</nav>\n<main id=\"main\">\n");
}

void html_section(text *t, const char *id, const char *heading)
{
    text_format(t, "<section id=\"%s\" aria-labelledby=\"%s-heading\">\n<h2 id=\"%s-heading\">%s</h2>\n", id, id, id,
                heading);
}

void html_section_end(text *t)
{
    text_add(t, "</section>\n");
}

/* ---- parts ---- */

void html_figure(text *t, const char *name, uint64_t number, const char *class)
{
    text_format(t, "<li class=\"%s\"><b>", number ? class : "zero");
    text_count(t, number);
    text_format(t, "</b> <span>%s</span></li>\n", name);
}

void html_verdict(text *t, verdict v)
{
    const char *kind = verdict_fails(v)                                    ? "bad"
                       : v == VERDICT_PASS                                 ? "good"
                       : v == VERDICT_AMBIGUOUS || v == VERDICT_NOT_JUDGED ? "warn"
                                                                           : "dim";
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

void html_fragment(text *t, const char *value)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:,*/";
    for (; *value; ++value)
        if (strchr(plain, *value))
            text_bytes(t, value, 1);
        else
            text_format(t, "%%%02X", (unsigned)(unsigned char)*value);
}
