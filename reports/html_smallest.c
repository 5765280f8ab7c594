/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the page with the smallest cases to which findings were shrunk, each with those findings. */
#include "reports/html_parts.h"

#include <stdint.h>
#include <stdlib.h>

enum { MOST = 60, MOST_LINKS = 20 };

/* The findings that were shrunk to the case. */
static void write_findings(text *t, const smallest_case *c)
{
    text_format(t, "<p class=\"note\">%s", c->count == 1 ? "Found as" : "One finding; it was found as");
    for (size_t i = 0; i < c->count && i < MOST_LINKS; ++i) {
        text_add(t, i ? ", <a class=\"case\" href=\"#finding=" : " <a class=\"case\" href=\"#finding=");
        html_fragment(t, c->of[i].case_id);
        text_add(t, "\">");
        text_xml(t, c->of[i].case_id);
        text_add(t, "</a>");
    }
    if (c->count > MOST_LINKS)
        text_format(t, " and %zu more", c->count - MOST_LINKS);
    text_add(t, "</p>");
}

static void write_numbers(text *t, const shrunk_facts *facts)
{
    text_add(t, "<p class=\"note\">");
    text_count(t, facts->size.elements);
    text_format(t, " element%s in %u dimension%s, of ", facts->size.elements == 1 ? "" : "s", facts->size.rank,
                facts->size.rank == 1 ? "" : "s");
    text_count(t, facts->of.elements);
    text_format(t, " in %u; executions: ", facts->of.rank);
    text_count(t, facts->executions);
    text_add(t, facts->limited ? ", the limit: a smaller case may fail, too.</p>" : ".</p>");
}

static char *dumped(const shrunk_facts *facts, const char *key)
{
    json_t *value = json_object_get(facts->root, key);
    return json_is_null(value) || !value ? NULL : json_dumps(value, JSON_ENCODE_ANY);
}

/* What a shrunk case has of a finding. The caller frees the two dumps. */
static store_finding finding_of(const smallest_case *c, const shrunk_facts *facts)
{
    return (store_finding){ .case_id = c->id,
                            .verdict = c->verdict,
                            .tensor = json_string_value(json_object_get(facts->root, "tensor")),
                            .element = json_string_value(json_object_get(facts->root, "element")),
                            .source = json_string_value(json_object_get(facts->root, "source")),
                            .tensors = dumped(facts, "tensors"),
                            .descriptor = dumped(facts, "descriptor"),
                            .reproducer = facts->reproducer };
}

static void free_dumps(const store_finding *f)
{
    free((char *)(uintptr_t)f->tensors);
    free((char *)(uintptr_t)f->descriptor);
}

void html_smallest_drawing(text *t, const smallest_case *c)
{
    shrunk_facts facts;
    if (shrunk_facts_read(&facts, c->facts)) {
        const store_finding f = finding_of(c, &facts);
        html_drawing(t, &f, json_object_get(facts.root, "tensors"));
        free_dumps(&f);
    }
    shrunk_facts_free(&facts);
}

static void write_case(html_page *p, const smallest_case *c)
{
    text *t = p->t;
    shrunk_facts facts;
    text_add(t, "<details class=\"finding\"><summary>");
    html_verdict(t, c->verdict);
    text_add(t, " <span class=\"case\">");
    text_xml(t, c->id);
    text_add(t, "</span>");
    if (c->count > 1)
        text_format(t, " <span class=\"note\">%zu findings</span>", c->count);
    text_add(t, "</summary><div class=\"body\">");
    if (shrunk_facts_read(&facts, c->facts)) {
        const store_finding f = finding_of(c, &facts);
        html_element(t, "<p class=\"detail\">", facts.detail, "</p>");
        write_numbers(t, &facts);
        html_finding_tensors(t, &f);
        html_finding_commands(t, &f, html_runs_numpy(p->s));
        free_dumps(&f);
    }
    shrunk_facts_free(&facts);
    write_findings(t, c);
    text_add(t, "</div></details>\n");
}

void html_smallest(html_page *p)
{
    const smallest *m = &p->smallest;
    if (m->count == 0)
        return;
    html_section(p->t, "smallest", "Smallest cases");
    text_add(p->t, "<p class=\"note\">The first findings, shrunk: the smallest case found that fails in the same way. "
                   "Findings with the same smallest case are one.</p>\n");
    for (size_t i = 0; i < m->count && i < MOST; ++i)
        write_case(p, &m->list[i]);
    if (m->count > MOST)
        text_format(p->t, "<p class=\"note\">And %zu more.</p>\n", m->count - MOST);
    html_section_end(p->t);
}
