/* SPDX-License-Identifier: Apache-2.0 */
/* The job summary: one page of Markdown, far below the megabyte that GitHub shows. */
#include "reports/markdown.h"

#include "reports/causes_print.h"
#include "reports/report.h"
#include "reports/report_write.h"

#include <ctype.h>
#include <string.h>

enum { MOST_CAUSES = 10, MOST_FINDINGS = 10 };

/* ---- escapes --------------------------------------------------------------------------------------------------- */

void markdown_text(text *t, const char *s)
{
    text line = { 0 };
    text_visible(&line, s);
    for (const char *at = line.data; at && *at; ++at) {
        if (strchr("\\`*_{}[]<>#|~&!$", *at))
            text_add(t, "\\");
        text_bytes(t, at, 1);
    }
    t->failed |= line.failed;
    text_free(&line);
}

/* The longest row of backticks: a delimiter has to be longer. */
static size_t longest_row(const char *s)
{
    size_t longest = 0;
    for (size_t n; *s; s += n ? n : 1) {
        n = strspn(s, "`");
        longest = n > longest ? n : longest;
    }
    return longest;
}

static void backticks(text *t, size_t n)
{
    while (n-- > 0)
        text_add(t, "`");
}

void markdown_code(text *t, const char *s)
{
    text line = { 0 };
    text_visible(&line, s);
    const char *code = line.data ? line.data : "";
    const size_t delimiter = longest_row(code) + 1;
    backticks(t, delimiter);
    if (delimiter > 1)
        text_add(t, " ");
    text_add(t, code);
    if (delimiter > 1)
        text_add(t, " ");
    backticks(t, delimiter);
    t->failed |= line.failed;
    text_free(&line);
}

/* Commands, one a line; NULL entries are left out. */
static void command_block(text *t, const char *const *commands, size_t count)
{
    text lines = { 0 };
    for (size_t i = 0; i < count; ++i)
        if (commands[i] && *commands[i]) {
            text_visible(&lines, commands[i]);
            text_add(&lines, "\n");
        }
    const size_t row = lines.data ? longest_row(lines.data) : 0, fence = row < 3 ? 3 : row + 1;
    if (lines.length > 0) {
        backticks(t, fence);
        text_add(t, "sh\n");
        text_add(t, lines.data);
        backticks(t, fence);
        text_add(t, "\n\n");
    }
    t->failed |= lines.failed;
    text_free(&lines);
}

/* ---- the parts --------------------------------------------------------------------------------------------------- */

static void write_verdict(text *t, const summary *m, const char *level)
{
    static const char *const words[] = {
        [OUTCOME_CONFORMANT] = "conformant",      [OUTCOME_PARTLY] = "conformant in part",
        [OUTCOME_FAILURES] = "not conformant",    [OUTCOME_INCOMPLETE] = "incomplete",
        [OUTCOME_NOTHING] = "nothing was judged", [OUTCOME_ABSENT] = "required cases are absent",
        [OUTCOME_VALIDATED] = "validation",
    };
    text headline = { 0 };
    summary_headline(m, level, &headline);
    text_format(t, "## Touchstone: %s\n\n", m->validation ? "validation" : words[summary_outcome_of(m)]);
    markdown_text(t, headline.data);
    text_add(t, "\n\n");
    t->failed |= headline.failed;
    text_free(&headline);
}

static void write_operators(text *t, const summary *m)
{
    text_add(t, "| operator | planned | ran | passed | failed |\n|---|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < m->operator_count; ++i) {
        const summary_counts *n = &m->operators[i].counts;
        const uint64_t columns[] = { n->planned, n->ran, n->cases[VERDICT_PASS], n->failed };
        text_add(t, "| ");
        markdown_text(t, m->operators[i].name);
        for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k) {
            text_add(t, " | ");
            text_count(t, columns[k]);
        }
        text_add(t, " |\n");
    }
    text_add(t, "\n");
}

/* What came of a case, behind its id: " (mismatch, SL-10). OutputTensor[0] is ...". */
static void write_story(text *t, verdict v, const char *clause, const char *story)
{
    text_format(t, " (%s%s", verdict_name(v), clause ? ", " : "");
    markdown_text(t, clause);
    text_add(t, "). ");
    markdown_text(t, story);
}

static void write_queries(text *t, const cause *c)
{
    for (size_t i = 0; i < c->query_count; ++i) {
        text_add(t, "- ");
        markdown_code(t, c->queries[i]);
        text_add(t, "\n");
    }
    text_add(t, "\n");
}

static void write_cause(text *t, store *s, const cause *c)
{
    text run = { 0 }, held = { 0 }, alone = { 0 };
    text_add(t, "### ");
    markdown_text(t, c->op);
    text_format(t, ": %s in %s", cause_symptom(c), c->estimated ? "about " : "");
    text_count(t, c->cases);
    text_format(t, " case%s%s\n\n", c->cases == 1 ? "" : "s", cause_needs_others(c) ? ", only after other cases" : "");
    const causes_fit fit = causes_queries_fit(c);
    if (fit == CAUSES_HOLD)
        write_queries(t, c);
    causes_describe(c, &held);
    if (held.length > 0)
        held.data[0] = (char)toupper((unsigned char)held.data[0]);
    markdown_text(t, held.data);
    text_add(t, fit == CAUSES_NEAR ? ":\n\n" : ".\n\n");
    if (fit == CAUSES_NEAR)
        write_queries(t, c);
    causes_describe_alone(c, &alone);
    if (alone.length) {
        markdown_text(t, alone.data);
        text_add(t, "\n\n");
    }
    if (c->case_id) {
        text_add(t, "Smallest failing case: ");
        markdown_code(t, c->case_id);
        if (c->shrunk_from) {
            text_add(t, ", the shrunk form of ");
            markdown_code(t, c->shrunk_from);
        }
        write_story(t, c->verdict, c->clause, c->story);
        text_add(t, "\n\n");
    }
    causes_command(c, s, &run);
    const char *const commands[] = { c->reproducer, c->explain, fit == CAUSES_HOLD ? run.data : NULL };
    command_block(t, commands, sizeof commands / sizeof *commands);
    t->failed |= held.failed || run.failed || alone.failed;
    text_free(&alone);
    text_free(&held);
    text_free(&run);
}

typedef struct finding_list {
    text *t;
    size_t count;
} finding_list;

static bool write_finding(void *context, const store_finding *f)
{
    finding_list *l = context;
    if (!verdict_fails(f->verdict))
        return true;
    text_add(l->t, "- ");
    markdown_code(l->t, f->case_id);
    write_story(l->t, f->verdict, f->clause, f->detail);
    text_add(l->t, "\n");
    return ++l->count < MOST_FINDINGS;
}

/* Where no causes were found, the first findings. */
static bool write_findings(text *t, store *s, const causes *c, error *e)
{
    finding_list list = { .t = t };
    text_add(t, "### First findings\n\n");
    if (c->unknown) {
        text_add(t, "Causes are not known: ");
        markdown_text(t, c->unknown);
        text_add(t, "\n\n");
    }
    const bool fine = store_each_finding(s, 0, 0, write_finding, &list, e);
    text_add(t, "\n");
    return fine;
}

static void write_facts(text *t, store *s)
{
    text_add(t, "<details><summary>The run</summary>\n\n");
    for (size_t i = 0; i < summary_fact_count; ++i) {
        const char *value = store_get(s, summary_facts[i].key);
        if (!value || !*value)
            continue;
        text_add(t, "- ");
        markdown_text(t, summary_facts[i].name);
        text_add(t, ": ");
        markdown_code(t, value);
        text_add(t, "\n");
    }
    text_add(t, "\n</details>\n");
}

bool markdown_summary(text *t, store *s, const summary *m, const causes *c, error *e)
{
    bool fine = true;
    write_verdict(t, m, store_get(s, STORE_LEVEL));
    write_operators(t, m);
    for (size_t i = 0; i < c->count && i < MOST_CAUSES; ++i)
        write_cause(t, s, &c->list[i]);
    if (c->count > MOST_CAUSES)
        text_format(t, "and %zu more causes\n\n", c->count - MOST_CAUSES);
    if (c->count == 0 && m->total.failed > 0)
        fine = write_findings(t, s, c, e);
    write_facts(t, s);
    return fine && (!t->failed || error_set(e, "out of memory"));
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

typedef struct writer {
    output out;
    summary m;
} writer;

static bool write_all(void *context, store *s, error *e)
{
    writer *w = context;
    causes c = { 0 };
    const bool fine = causes_find(&c, s, e) && markdown_summary(&w->out.text, s, &w->m, &c, e);
    causes_free(&c);
    return fine;
}

bool report_markdown(store *s, const char *path, error *e)
{
    writer w = { 0 };
    return report_write(&w.out, &w.m, s, path, write_all, &w, e);
}
