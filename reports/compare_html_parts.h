/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the page of a comparison share: compare_html.c puts it together and writes the matrix and the
   answers, compare_html_regions.c what may be relied on and the differences, compare_html_facts.c clauses and sides. */
#ifndef TOUCHSTONE_REPORTS_COMPARE_HTML_PARTS_H
#define TOUCHSTONE_REPORTS_COMPARE_HTML_PARTS_H

#include "harness/analysis/compare.h"
#include "reports/page/page.h"

typedef struct compare_page {
    text *t;
    const compare *c;
} compare_page;

/* The sections of the page. */
void compare_html_everywhere(compare_page *p);
void compare_html_differences(compare_page *p);
void compare_html_clauses(compare_page *p);
void compare_html_sides(compare_page *p);

/* The regions of an operator that some side fails or did not run, each with a link to the section of differences. */
void compare_html_regions_of(compare_page *p, const char *op);

/* Write the sides as <th> elements of a table. */
void compare_html_heads(compare_page *p);

/* Write a note, which is not escaped, below the heading of a section. */
void compare_html_note(compare_page *p, const char *note);

/* The colour of a state; a text has the same information. */
const char *compare_html_class(compare_state s);

#endif
