/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the HTML report share: html.c puts the page together, html_tests.c, html_groups.c, html_ledger.c and
   html_clauses.c write its sections, html_findings.c makes the findings fit into it, html_draw.c draws one of them. */
#ifndef TOUCHSTONE_REPORTS_HTML_PARTS_H
#define TOUCHSTONE_REPORTS_HTML_PARTS_H

#include "reports/entries.h"
#include "harness/store/summary.h"

/* The style and the scripts of the page, as CMake embedded them. */
extern const char report_page_css[], report_page_js[], report_ledger_js[];

typedef struct html_clause {
    char *op, *id, *text, *page, *section;
    bool breakable;           /* a descriptor can break it */
    uint64_t broken, refused; /* cases that broke it on purpose, and those refused as they should */
    uint64_t cited;           /* findings that name it */
} html_clause;

/* A test and a verdict, with one count per data type. */
typedef struct html_group {
    size_t test;
    verdict verdict;
    char dtype[16];
    uint64_t found, kept;
    unsigned drawn; /* how many of its findings were drawn in detail */
    unsigned shown; /* how many stand in the page as plain HTML */
} html_group;

typedef struct html_findings {
    const summary *m;
    entries *entries; /* findings of their examples are counted */
    html_clause *clauses;
    size_t clause_count;
    html_group *groups;
    size_t group_count;
    uint64_t kept;   /* findings in the run */
    uint64_t packed; /* of these, in the page's data */
    text plain;      /* the first ones of each group, readable without the script */
    unsigned plain_count;
    text data; /* <script> elements with all of them */
} html_findings;

/* Read all findings, once. `room` is how many bytes they may take in the page. */
bool html_findings_read(html_findings *f, const summary *m, entries *all, store *s, size_t room, error *e);
void html_findings_free(html_findings *f);

/* The clause of an operator, or NULL. */
html_clause *html_find_clause(const html_findings *f, const char *op, const char *id);

/* Expected and actual, clause, sentence, the ledger's entries: what is told of every finding. */
void html_finding_facts(text *t, const store_finding *f, const html_clause *clause, const entries *all);

/* The tensors as grids and the descriptor: what is told of some. */
void html_finding_drawing(text *t, const store_finding *f);

/* The command that shows it again. */
void html_finding_reproducer(text *t, const store_finding *f);

/* ---- the page ---- */

typedef struct html_page {
    text *t;
    store *s;
    summary m;
    entries e;
    html_findings f;
    bool shown[VERDICT_COUNT]; /* verdicts that some case came to: the others need no column */
} html_page;

/* The sections. */
void html_tests(html_page *p);
void html_coverage(html_page *p);
void html_findings_section(html_page *p);
void html_ledger(html_page *p);
bool html_observations(html_page *p, error *e);
void html_clauses(html_page *p);

/* ---- small parts of all of them ---- */

/* "mismatch", coloured by kind. */
void html_verdict(text *t, verdict v);

/* The value, escaped, between two pieces of HTML; nothing at all where there is no value. */
void html_element(text *t, const char *before, const char *value, const char *after);

/* A number in a cell of a table. `class`, which may be NULL, colours it where it is not 0. */
void html_number_cell(text *t, uint64_t number, const char *class);

/* Links to the entries of the ledger that rest on a clause, or that a case is an example of; `before` in front of them
   where there are any. */
bool html_clause_entries(text *t, const entries *all, const char *clause, const char *before);
bool html_case_entries(text *t, const entries *all, const char *case_id, const char *before);

/* The name of a published page: a link where it is plainly a page of the web. */
void html_page_name(text *t, const char *name);

#endif
