/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the ledger: where the specification is wrong, silent or ambiguous, with our decision, the known
   behaviour of implementations, and the behaviour of this backend. */
#include "reports/html_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- links --------------------------------------------------------------------------------------------------------
 */

static void link_to(text *t, const entry *own, bool first, const char *before)
{
    text_add(t, first ? before : " ");
    text_add(t, "<a href=\"#ledger-");
    text_xml(t, own->id);
    text_add(t, "\">");
    text_xml(t, own->id);
    text_add(t, "</a>");
}

bool html_clause_entries(text *t, const entries *all, const char *clause, const char *before)
{
    bool any = false;
    for (size_t i = 0; i < all->count; ++i)
        if (entry_lists(&all->list[i], "clauses", clause) || strcmp(all->list[i].id, clause) == 0) {
            link_to(t, &all->list[i], !any, before);
            any = true;
        }
    return any;
}

bool html_case_entries(text *t, const entries *all, const char *case_id, const char *before)
{
    bool any = false;
    for (size_t i = 0; i < all->count; ++i)
        if (entry_has_example(&all->list[i], case_id)) {
            link_to(t, &all->list[i], !any, before);
            any = true;
        }
    return any;
}

/* ---- one entry ----------------------------------------------------------------------------------------------------
 */

/* The codes of a kind in words. */
static void write_kinds(text *t, const char *kinds)
{
    static const struct {
        const char *code, *meaning;
    } known[] = { { "EN", "the page is wrong" },
                  { "TR", "the translation is wrong" },
                  { "IM", "implementations differ" },
                  { "AM", "the specification does not say" } };
    text_add(t, "<span class=\"kind\">");
    bool any = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strstr(kinds, known[i].code)) {
            text_format(t, "%s%s", any ? ", " : "", known[i].meaning);
            any = true;
        }
    text_add(t, any ? "</span>" : "no erratum</span>");
}

/* Does the entry only look like an erratum? */
static bool is_none(const entry *own)
{
    return strcmp(own->kind, "-") == 0;
}

/* The behaviour of the backend in the line of a closed entry: one behaviour and the number of further ones. */
static void write_status(text *t, const entry *own)
{
    if (is_none(own) && own->findings == 0) {
        text_add(t, "<span class=\"status dim\">nothing to decide</span>");
        return;
    }
    if (own->state == ENTRY_JUDGED || own->state == ENTRY_NOT_TESTED) {
        bool bad = own->findings > 0;
        text_format(t, "<span class=\"status %s\">%s</span>", bad ? "bad" : "dim",
                    bad                          ? "findings"
                    : own->state == ENTRY_JUDGED ? "judged"
                                                 : "not tested");
        return;
    }
    const entry_behaviour *shown = &own->behaviours[0];
    size_t others = 0;
    for (size_t i = 0; i < own->behaviour_count; ++i) {
        if (shown->as_decided)
            shown = &own->behaviours[i]; /* prefer one that is not our decision */
        bool again = false;
        for (size_t k = 0; k < i && !again; ++k)
            again = strcmp(own->behaviours[k].text, own->behaviours[i].text) == 0;
        others += !again;
    }
    text_format(t, "<span class=\"status %s\">", own->state == ENTRY_AS_DECIDED ? "good" : "warn");
    text_xml(t, shown->text);
    if (others > 1)
        text_format(t, " and %zu more", others - 1);
    text_add(t, "</span>");
}

static void write_row(text *t, const char *name, const char *value, const char *class)
{
    if (!value[0])
        return;
    text_format(t, "<dt>%s</dt><dd%s%s%s>", name, class[0] ? " class=\"" : "", class, class[0] ? "\"" : "");
    text_xml(t, value);
    text_add(t, "</dd>\n");
}

static void write_known(text *t, const entry *own)
{
    const json_t *known = json_object_get(own->json, "known");
    size_t i;
    json_t *item;
    if (json_array_size(known) == 0)
        return;
    text_add(t, "<dt>Known</dt><dd><table class=\"known\">");
    json_array_foreach(known, i, item)
    {
        text_add(t, "<tr><th scope=\"row\">");
        text_xml(t, json_string_value(json_object_get(item, "implementation")));
        html_element(t, " <span class=\"note\">", json_string_value(json_object_get(item, "version")), "</span>");
        text_add(t, "</th><td>");
        text_xml(t, json_string_value(json_object_get(item, "answer")));
        text_add(t, "</td></tr>");
    }
    text_add(t, "</table></dd>\n");
}

static void write_clause_links(html_page *p, const entry *own)
{
    const json_t *list = json_object_get(own->json, "clauses");
    size_t i;
    json_t *item;
    if (json_array_size(list) == 0)
        return;
    text_add(p->t, "<dt>Clauses</dt><dd>");
    json_array_foreach(list, i, item)
    {
        const char *id = json_string_value(item);
        const html_clause *c = html_find_clause(&p->f, own->op, id);
        if (!c) {
            text_xml(p->t, id);
            text_add(p->t, " ");
            continue;
        }
        text_add(p->t, "<a href=\"#clause-");
        text_xml(p->t, c->op);
        text_add(p->t, "-");
        text_xml(p->t, c->id);
        text_add(p->t, "\" title=\"");
        text_xml(p->t, c->text);
        text_add(p->t, "\">");
        text_xml(p->t, c->id);
        text_add(p->t, "</a> ");
    }
    text_add(p->t, "</dd>\n");
}

/* The command that runs a case again. */
static void write_command(text *t, const char *example, const char *reproduce)
{
    text line = { .data = NULL };
    text_shell(&line, example);
    text_add(t, "<pre>touchstone run ");
    text_xml(t, line.data);
    text_add(t, " ");
    text_xml(t, reproduce);
    text_add(t, "</pre>");
    text_free(&line);
}

static void write_behaviours(html_page *p, const entry *own, const char *reproduce)
{
    text *t = p->t;
    for (size_t i = 0; i < own->behaviour_count; ++i) {
        const entry_behaviour *a = &own->behaviours[i];
        text_format(t, "<div class=\"behaviour\"><b class=\"v %s\">", a->as_decided ? "good" : "warn");
        text_xml(t, a->text);
        text_add(t, "</b> in ");
        text_count(t, a->cases);
        text_format(t, " case%s of ", a->cases == 1 ? "" : "s");
        text_xml(t, p->m.tests[a->test].name);
        html_element(t, "<p>", a->detail, "</p>");
        if (a->example[0])
            write_command(t, a->example, reproduce);
        text_add(t, "</div>");
    }
}

/* The cases that check the decision of an entry. */
static void write_examples(html_page *p, const entry *own, const char *reproduce)
{
    text *t = p->t;
    size_t i;
    json_t *item;
    if (own->findings > 0) {
        text_add(t, "<div class=\"behaviour\"><b class=\"v bad\">");
        text_count(t, own->findings);
        text_format(t, " finding%s</b> in the cases that check the decision:", own->findings == 1 ? "" : "s");
    } else {
        text_add(t, is_none(own) ? "<div class=\"behaviour\">No erratum. No finding in:"
                                 : "<div class=\"behaviour\">Judged by the decision. No finding in:");
    }
    json_array_foreach(json_object_get(own->json, "examples"), i, item)
    {
        text example = { 0 };
        text_format(&example, "%s:examples:example=%s", own->op,
                    json_string_value(item) ? json_string_value(item) : "");
        if (example.data)
            write_command(t, example.data, reproduce);
        t->failed |= example.failed;
        text_free(&example);
    }
    text_add(t, "</div>");
}

static void write_entry(html_page *p, const entry *own, const char *reproduce)
{
    text *t = p->t;
    text_add(t, "<details class=\"entry\" id=\"ledger-");
    text_xml(t, own->id);
    text_format(t, "\" data-state=\"%s\" data-op=\"", entry_state_name(own->state));
    text_xml(t, own->op);
    text_format(t, "\"%s><summary><b>", own->state == ENTRY_UNLIKE ? " open" : "");
    text_xml(t, own->id);
    text_add(t, "</b> <span class=\"gist\">");
    text_xml(t, own->problem);
    text_add(t, "</span> ");
    write_status(t, own);
    text_add(t, "</summary>\n<dl>\n");
    text_add(t, "<dt>Kind</dt><dd>");
    write_kinds(t, own->kind);
    text_add(t, "</dd>\n");
    write_row(t, "Page", own->page, "");
    write_row(t, "Text", own->quote, "quote");
    write_row(t, "Problem", own->problem, "");
    write_row(t, "Decision", own->decision, "");
    write_clause_links(p, own);
    write_row(t, "Case", own->minimal, "mono");
    write_known(t, own);
    text_add(t, "<dt>This backend</dt><dd>");
    if (own->behaviour_count > 0)
        write_behaviours(p, own, reproduce);
    else if (own->state == ENTRY_JUDGED)
        write_examples(p, own, reproduce);
    else
        text_add(t, "No case of this run tests it.");
    text_add(t, "</dd>\n</dl></details>\n");
}

/* ---- the section --------------------------------------------------------------------------------------------------
 */

static void write_summary(html_page *p)
{
    text *t = p->t;
    size_t count[ENTRY_STATES] = { 0 };
    for (size_t i = 0; i < p->e.count; ++i)
        count[p->e.list[i].state]++;
    size_t unspecified = count[ENTRY_AS_DECIDED] + count[ENTRY_UNLIKE];
    text_format(t,
                "<p class=\"note\">Places where the published pages contradict themselves, their translations or "
                "implementations, or do not specify the behaviour, with our decision and the behaviour of this "
                "backend. %zu entries are about the operators of this run. ",
                p->e.count);
    if (unspecified > 0)
        text_format(
            t,
            "%zu of them are about unspecified behaviour that this run tested. The backend is not judged by it; in "
            "%s%zu of these entries it behaves as we decided. ",
            unspecified, count[ENTRY_AS_DECIDED] == unspecified ? "all " : "", count[ENTRY_AS_DECIDED]);
    if (count[ENTRY_JUDGED] > 0)
        text_format(t, "%zu are decided and judged like clauses. ", count[ENTRY_JUDGED]);
    if (count[ENTRY_NOT_TESTED] > 0)
        text_format(t, "%zu are not tested by any case of this run.", count[ENTRY_NOT_TESTED]);
    text_add(t, "</p>\n");
}

static void write_entries(html_page *p)
{
    text *t = p->t;
    const char *stored = store_get(p->s, STORE_REPRODUCE);
    text reproduce = { 0 };
    text_add(&reproduce, stored ? stored : "");
    write_summary(p);
    text_add(t, "<div id=\"ledger-tools\" class=\"tools\" role=\"search\" aria-label=\"Ledger\" hidden></div>\n");
    for (size_t i = 0; i < p->e.count; ++i) {
        if (i == 0 || strcmp(p->e.list[i].op, p->e.list[i - 1].op) != 0) {
            text_add(t, i > 0 ? "</div>\n" : "");
            html_element(t, "<div class=\"entries\">\n<h3>", p->e.list[i].op, "</h3>\n");
        }
        write_entry(p, &p->e.list[i], reproduce.data ? reproduce.data : "");
    }
    text_add(t, "</div>\n");
    t->failed |= reproduce.failed;
    text_free(&reproduce);
}

bool html_ledger(html_page *p, error *e)
{
    html_section(p->t, "ledger", "Ledger");
    if (p->e.count)
        write_entries(p);
    else
        text_add(p->t, "<p class=\"note\">The run has no ledger.</p>\n");
    const bool fine = html_observations(p, e);
    html_section_end(p->t);
    return fine;
}
