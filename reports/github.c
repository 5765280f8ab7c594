/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations of a GitHub workflow: commands that its runner reads from standard output, and the job summary. */
#include "reports/causes_print.h"
#include "reports/markdown.h"
#include "reports/report.h"
#include "reports/report_write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* GitHub shows ten annotations of a kind for each step: the verdict, and so many causes. */
enum { MOST_CAUSES = 9 };

typedef struct writer {
    output out;
    summary m;
    text page;           /* the job summary */
    const char *summary; /* where it goes; NULL: nowhere */
    size_t annotated;    /* failing cases */
} writer;

/* Append a value of a command. The runner takes a line as a command, so that line ends are escaped; in a property, the
   characters that separate properties are, too. Control characters of a backend are shown as \x1b and the like. */
static void value(text *t, const char *s, bool property)
{
    text clean = { 0 };
    text_visible_lines(&clean, s ? s : "", s ? strlen(s) : 0);
    for (const char *at = clean.data; at && *at; ++at)
        switch (*at) {
        case '%': text_add(t, "%25"); break;
        case '\r': text_add(t, "%0D"); break;
        case '\n': text_add(t, "%0A"); break;
        case ':': text_add(t, property ? "%3A" : ":"); break;
        case ',': text_add(t, property ? "%2C" : ","); break;
        default: text_bytes(t, at, 1);
        }
    t->failed |= clean.failed;
    text_free(&clean);
}

/* One annotation; frees both texts. */
static void annotate(writer *w, const char *kind, text *title, text *message)
{
    text *t = &w->out.text;
    text_format(t, "::%s title=", kind);
    value(t, title->data, true);
    text_add(t, "::");
    value(t, message->data, false);
    text_add(t, "\n");
    t->failed |= title->failed || message->failed;
    text_free(title);
    text_free(message);
}

static void annotate_verdict(writer *w, const char *level)
{
    const summary_outcome outcome = summary_outcome_of(&w->m);
    const bool good = outcome == OUTCOME_CONFORMANT || outcome == OUTCOME_PARTLY || outcome == OUTCOME_VALIDATED;
    const bool unsupported = outcome == OUTCOME_INCOMPLETE && !summary_is_unfinished(&w->m);
    text title = { 0 }, message = { 0 };
    text_add(&title, "Touchstone");
    summary_headline(&w->m, level, &message);
    annotate(w, good ? "notice" : unsupported ? "warning" : "error", &title, &message);
}

static void line(text *t, const char *s)
{
    if (s && *s) {
        text_add(t, "\n");
        text_visible(t, s);
    }
}

static void annotate_cause(writer *w, const cause *c)
{
    text title = { 0 }, message = { 0 };
    text_format(&title, "%s: %s in %s", c->op, cause_symptom(c), c->estimated ? "about " : "");
    text_count(&title, c->cases);
    text_format(&title, " case%s%s", c->cases == 1 ? "" : "s", cause_needs_others(c) ? ", only after other cases" : "");
    causes_describe(c, &message);
    for (size_t i = 0; causes_queries_fit(c) != CAUSES_FAR && i < c->query_count; ++i)
        line(&message, c->queries[i]);
    line(&message, c->case_id);
    line(&message, c->story);
    line(&message, c->reproducer);
    line(&message, c->explain);
    annotate(w, "error", &title, &message);
}

static bool annotate_finding(void *context, const store_finding *f)
{
    writer *w = context;
    if (!verdict_fails(f->verdict))
        return true;
    if (w->annotated++ == MOST_CAUSES)
        return false;
    text title = { 0 }, message = { 0 };
    text_format(&title, "%s%s%s", verdict_name(f->verdict), f->clause ? " " : "", f->clause ? f->clause : "");
    text_visible(&message, f->case_id);
    line(&message, f->detail);
    line(&message, f->reproducer);
    annotate(w, "error", &title, &message);
    return true;
}

static bool write_all(void *context, store *s, error *e)
{
    writer *w = context;
    causes c = { 0 };
    bool fine = causes_find(&c, s, e);
    if (fine)
        annotate_verdict(w, store_get(s, STORE_LEVEL));
    for (size_t i = 0; fine && i < c.count && i < MOST_CAUSES; ++i)
        annotate_cause(w, &c.list[i]);
    if (fine && c.count == 0 && w->m.total.failed > 0)
        fine = store_each_finding(s, 0, 0, annotate_finding, w, e);
    if (fine && w->summary)
        fine = markdown_summary(&w->page, s, &w->m, &c, e);
    causes_free(&c);
    return fine;
}

/* The runner collects what the commands of a step append to the file. */
static bool append(const char *path, const text *page, error *e)
{
    FILE *f = fopen(path, "ab");
    bool fine = f && fwrite(page->data, 1, page->length, f) == page->length;
    int number = errno;
    if (f && fclose(f) != 0) {
        number = errno;
        fine = false;
    }
    return fine || error_file(e, path, "cannot be written", number);
}

bool report_github(store *s, const char *path, const char *job_summary, error *e)
{
    writer w = { .summary = job_summary };
    bool fine = report_write(&w.out, &w.m, s, path, write_all, &w, e);
    fine = fine && (!job_summary || append(job_summary, &w.page, e));
    text_free(&w.page);
    return fine;
}
