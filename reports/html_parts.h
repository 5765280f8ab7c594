/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the report of a run share. html.c puts the page together, html_x.c writes the section x.
   html_findings.c packs the findings; html_render.c renders one of them, and html_drawing.c its tensors. What all pages
   share is in page/page.h. */
#ifndef TOUCHSTONE_REPORTS_HTML_PARTS_H
#define TOUCHSTONE_REPORTS_HTML_PARTS_H

#include "harness/analysis/causes.h"
#include "harness/store/summary.h"
#include "reports/entries.h"
#include "reports/page/page.h"
#include "reports/smallest.h"

/* The style sheet and the scripts of the page, embedded by CMake. */
extern const char report_run_css[], report_address_js[], report_finding_js[], report_page_js[], report_ledger_js[];

typedef struct html_clause {
    char *op, *id, *text, *page, *section, *basis, *ground;
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
    const causes *causes;
    text *drawings; /* one for each cause, of its smallest case; empty where no finding has that case */
    bool numpy;     /* the profile of the run */
} html_findings;

/* Read all findings of a run. `room` is the number of bytes that they may use in the page. */
bool html_findings_read(html_findings *f, const summary *m, entries *all, const causes *found, store *s, size_t room,
                        error *e);
void html_findings_free(html_findings *f);

/* What a clause rests on: "implied: example 1 passes IndexDimensions 1". */
void html_clause_basis(text *t, const html_clause *c);

/* The clause of an operator, or NULL. */
html_clause *html_find_clause(const html_findings *f, const char *op, const char *id);

/* Render what every finding has: sentence, expected and actual value, clause, entries of the ledger. */
void html_finding_facts(text *t, const store_finding *f, const html_clause *clause, const entries *all);

/* Render the tensors as grids, the call and the descriptor. */
void html_finding_tensors(text *t, const store_finding *f);

/* Render the tensors as grids, with a legend: marked are the elements that differ, the element that should have been
   read, and the one that was. `tensors` is store_finding.tensors as JSON. */
void html_drawing(text *t, const store_finding *f, const json_t *tensors);

/* Write a command with a button that copies it; nothing where it is NULL. The name before it is not escaped. */
void html_command(text *t, const char *name, const char *command);

/* Is numpy the profile of the run? */
bool html_runs_numpy(store *s);

/* Render the commands that reproduce the finding and explain its case. `numpy`: that is the profile of the run. */
void html_finding_commands(text *t, const store_finding *f, bool numpy);

/* ---- the page ---- */

typedef struct html_page {
    text *t;
    store *s;
    summary m;
    entries e;
    html_findings f;
    causes causes;
    smallest smallest;
    bool shown[VERDICT_COUNT]; /* verdicts of at least one case: the others have no column */
} html_page;

/* The sections. */
/* What the failing cases have in common; nothing if none failed. */
void html_causes(html_page *p);
void html_validation(html_page *p); /* nothing in any other run */
void html_tests(html_page *p);
void html_coverage(html_page *p);
/* The smallest cases to which findings were shrunk; nothing if there are none. */
void html_smallest(html_page *p);

/* Draw the tensors of one of them. */
void html_smallest_drawing(text *t, const smallest_case *c);

/* The findings; nothing if there are none. */
void html_findings_section(html_page *p);
/* The ledger, and below it the behaviour that no entry is about. */
bool html_ledger(html_page *p, error *e);
bool html_observations(html_page *p, error *e);

/* What the backend printed; nothing if it printed nothing. */
bool html_printed(html_page *p, error *e);
void html_clauses(html_page *p);

/* The facts of the run, what the backend printed, and what the parameters of cases are. */
bool html_run(html_page *p, error *e);
void html_axes(html_page *p);

/* ---- parts that several sections use ---- */

/* The place of an operator in the page: those with failures stand first, then those of which something is waived or did
   not run. */
enum { HTML_RANKS = 3 };
int html_rank(const summary_counts *c);

/* Write links to the entries of the ledger about a clause, or with a case as an example, after `before`. False, and
   nothing written, where there are none. */
bool html_clause_entries(text *t, const entries *all, const char *clause, const char *before);
bool html_case_entries(text *t, const entries *all, const char *case_id, const char *before);

#endif
