/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the HTML report share. html.c puts the page together. html_tests.c, html_groups.c, html_ledger.c,
   html_axes.c and html_clauses.c write its sections. html_findings.c packs the findings, html_render.c renders one of
   them. */
#ifndef TOUCHSTONE_REPORTS_HTML_PARTS_H
#define TOUCHSTONE_REPORTS_HTML_PARTS_H

#include "harness/store/summary.h"
#include "reports/entries.h"

/* The style sheet and the scripts of the page, embedded by CMake. */
extern const char report_page_css[], report_page_js[], report_ledger_js[];

typedef struct html_clause {
    char *op, *id, *text, *page, *section;
    bool breakable;           /* a descriptor can violate it */
    uint64_t broken, refused; /* cases that violate it on purpose, and those of them that the backend refused */
    uint64_t cited;           /* findings that cite it */
} html_clause;

/* A test and a verdict, with one count per data type. */
typedef struct html_group {
    size_t test;
    verdict verdict;
    char dtype[16];
    uint64_t found, retained; /* cases, and findings that the run retained */
    unsigned rendered;        /* findings with rendered tensors */
    unsigned plain;           /* findings as plain HTML */
} html_group;

typedef struct html_findings {
    const summary *m;
    entries *entries; /* their findings are counted */
    html_clause *clauses;
    size_t clause_count, clause_capacity;
    html_group *groups;
    size_t group_count, group_capacity;
    uint64_t retained; /* findings in the run */
    uint64_t packed;   /* of these, in the page's data */
    text plain;        /* the first ones of each group, readable without the script */
    unsigned plain_count;
    text data; /* <script> elements with the packed findings */
} html_findings;

/* Read all findings of a run. `room` is the number of bytes that they may use in the page. */
bool html_findings_read(html_findings *f, const summary *m, entries *all, store *s, size_t room, error *e);
void html_findings_free(html_findings *f);

/* The clause of an operator, or NULL. */
html_clause *html_find_clause(const html_findings *f, const char *op, const char *id);

/* Render what every finding has: sentence, expected and actual value, clause, entries of the ledger. */
void html_finding_facts(text *t, const store_finding *f, const html_clause *clause, const entries *all);

/* Render the tensors as grids, and the descriptor. */
void html_finding_tensors(text *t, const store_finding *f);

/* Render the command that reproduces the finding. */
void html_finding_reproducer(text *t, const store_finding *f);

/* ---- the page ---- */

typedef struct html_page {
    text *t;
    store *s;
    summary m;
    entries e;
    html_findings f;
    bool shown[VERDICT_COUNT]; /* verdicts of at least one case: the others have no column */
} html_page;

/* The sections. */
/* What the failing cases have in common; nothing if none failed. */
bool html_causes(html_page *p, error *e);
void html_tests(html_page *p);
void html_coverage(html_page *p);
/* The smallest cases to which findings were shrunk; nothing if there are none. */
bool html_smallest(html_page *p, error *e);
void html_findings_section(html_page *p);
void html_ledger(html_page *p);
bool html_observations(html_page *p, error *e);

/* What the backend printed; nothing if it printed nothing. */
bool html_printed(html_page *p, error *e);
void html_clauses(html_page *p);
void html_axes(html_page *p);

/* ---- parts that several sections use ---- */

/* Write a verdict, coloured by kind. */
void html_verdict(text *t, verdict v);

/* Write the escaped value between two pieces of HTML; nothing where the value is NULL or empty. */
void html_element(text *t, const char *before, const char *value, const char *after);

/* Write a number as a table cell. `class`, which may be NULL, colours it where it is not 0. */
void html_number_cell(text *t, uint64_t number, const char *class);

/* Write links to the entries of the ledger about a clause, or with a case as an example, after `before`. False, and
   nothing written, where there are none. */
bool html_clause_entries(text *t, const entries *all, const char *clause, const char *before);
bool html_case_entries(text *t, const entries *all, const char *case_id, const char *before);

/* Write the name of a published page, as a link where it is an https address. */
void html_page_name(text *t, const char *name);

#endif
