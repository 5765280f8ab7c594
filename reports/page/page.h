/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all HTML pages share: the frame, the head with its headline and figures, the navigation, and the style sheet
 * with its colours for light and dark screens. A page is one file that loads nothing. The reports of runs, comparisons
 * and histories and the audit are written with these functions:
 *
 *     html_begin(t, title, css, true);
 *     html_header_begin(t, "bad", "Touchstone conformance report");    then the escaped headline
 *     html_header_end(t);                                              behind what belongs to the head
 *     html_nav(t, links, count);
 *     html_section(t, "causes", "Causes");  ...  html_section_end(t);  for each section
 *     html_footer(t);                                                  scripts follow it
 *     html_end(t);
 */
#ifndef TOUCHSTONE_REPORTS_PAGE_H
#define TOUCHSTONE_REPORTS_PAGE_H

#include "harness/base/text.h"
#include "harness/base/verdict.h"

#include <stddef.h>

/* The style sheet that html_begin() writes: for pages that write their own frame. */
extern const char report_page_css[];

/* ---- the frame ---- */

/* Write everything up to <body>. `title` is plain text. `css` follows the common style sheet; it may be NULL.
   `scripts`: the page has scripts of its own; without, a browser refuses to execute any. */
void html_begin(text *t, const char *title, const char *css, bool scripts);

/* End the main part, and write the footer. */
void html_footer(text *t);

/* Write the end of the page. */
void html_end(text *t);

/* Begin the head, up to <h1>. `class` colours it: "good", "bad", "warn", or "all" for none. `kicker` says what page it
   is. */
void html_header_begin(text *t, const char *class, const char *kicker);

/* End the head. Whoever wrote the headline has closed <h1>. */
void html_header_end(text *t);

typedef struct html_link {
    const char *id, *name; /* of a section; not escaped */
} html_link;

/* Write links to sections, and begin the main part of the page. */
void html_nav(text *t, const html_link *links, size_t count);

/* Begin a section with its heading, and end it. Neither text is escaped. */
void html_section(text *t, const char *id, const char *heading);
void html_section_end(text *t);

/* ---- parts ---- */

/* Write a number of the head with its name, as an item of <ul class="figures">. It is grey where it is 0. */
void html_figure(text *t, const char *name, uint64_t number, const char *class);

/* Write a verdict, coloured by kind. */
void html_verdict(text *t, verdict v);

/* Write the escaped value between two pieces of HTML; nothing where the value is NULL or empty. */
void html_element(text *t, const char *before, const char *value, const char *after);

/* Write a number as a table cell. `class`, which may be NULL, colours it where it is not 0. */
void html_number_cell(text *t, uint64_t number, const char *class);

/* Write the name of a published page, as a link where it is an https address. */
void html_page_name(text *t, const char *name);

/* Write a string into the fragment of an address in an attribute: "#finding=dml.slice1:examples:example=2". */
void html_fragment(text *t, const char *value);

#endif
