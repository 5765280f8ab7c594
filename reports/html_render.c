/* SPDX-License-Identifier: Apache-2.0 */
/* Renders one finding as HTML. finding.js renders the facts of a finding in the same way: change both together. */
#include "reports/html_parts.h"
#include "reports/raw_call.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { DESCRIPTOR_WIDTH = 88 };

/* ---- bits and values ----------------------------------------------------------------------------------------------
 */

/* The length of the bits in "0x40400000 (3)", or 0. */
static size_t bits_length(const char *s)
{
    size_t n = s && strncmp(s, "0x", 2) == 0 ? 2 : 0;
    while (n && isxdigit((unsigned char)s[n]))
        ++n;
    return n;
}

static void add_bits(text *t, const char *own, const char *other)
{
    size_t n = bits_length(own), m = bits_length(other);
    const char *value = own + n;
    char digit[2] = { 0 };
    text_add(t, "<td class=\"bits\">");
    for (size_t i = 0; i < n; ++i) {
        digit[0] = own[i];
        if (i >= 2 && n == m && own[i] != other[i])
            text_format(t, "<em>%s</em>", digit);
        else
            text_add(t, digit);
    }
    text_add(t, "</td><td>");
    while (*value == ' ')
        ++value;
    size_t length = strlen(value);
    if (n && length >= 2 && value[0] == '(' && value[length - 1] == ')') {
        char *inside = strdup(value + 1);
        if (inside) {
            inside[length - 2] = 0;
            text_xml(t, inside);
        } else {
            t->failed = true;
        }
        free(inside);
    } else {
        text_xml(t, value);
    }
    text_add(t, "</td>");
}

static void row(text *t, const char *name)
{
    text_format(t, "<tr><th scope=\"row\">%s</th>", name);
}

/* The row with the clause that the backend violates. `clause` is NULL where the run does not have it. */
static void add_clause(text *t, const char *id, const html_clause *clause, const entries *all)
{
    row(t, "clause");
    text_add(t, "<td colspan=\"2\"><b>");
    text_xml(t, id);
    text_add(t, "</b>");
    if (clause) {
        text_add(t, " ");
        text_xml(t, clause->text);
        if (clause->page[0] || clause->section[0]) {
            text_add(t, " <span class=\"note\">");
            text_xml(t, clause->page);
            text_add(t, clause->page[0] && clause->section[0] ? ", " : "");
            text_xml(t, clause->section);
            text_add(t, "</span>");
        }
        if (clause->basis[0]) {
            text_add(t, " <span class=\"note\">\xC2\xB7 ");
            html_clause_basis(t, clause);
            text_add(t, "</span>");
        }
        html_clause_entries(t, all, clause->id, " <span class=\"note\">\xC2\xB7 ledger: </span>");
    }
    text_add(t, "</td></tr>");
}

void html_finding_facts(text *t, const store_finding *f, const html_clause *clause, const entries *all)
{
    if (f->detail) {
        text_add(t, "<p class=\"detail\">");
        text_xml(t, f->detail);
        text_add(t, "</p>");
    }
    if (f->printed) {
        text_add(t, "<p class=\"note\">The last lines that the backend printed:</p><pre>");
        text_xml(t, f->printed);
        text_add(t, "</pre>");
    }
    text_add(t, "<table class=\"facts\">");
    if (f->tensor || f->element) {
        row(t, "at");
        text_add(t, "<td colspan=\"2\" class=\"mono\">");
        text_xml(t, f->tensor);
        text_xml(t, f->element);
        if (f->differing > 0) {
            text_add(t, " <span class=\"note\">");
            text_count(t, f->differing);
            text_format(t, " element%s</span>", f->differing == 1 ? " differs" : "s differ");
        }
        text_add(t, "</td></tr>");
    }
    if (f->expected) {
        row(t, "expected");
        add_bits(t, f->expected, f->actual ? f->actual : "");
        text_add(t, "</tr>");
    }
    if (f->actual) {
        row(t, "actual");
        add_bits(t, f->actual, f->expected ? f->expected : "");
        text_add(t, "</tr>");
    }
    if (f->source) {
        row(t, "source");
        text_add(t, "<td colspan=\"2\" class=\"mono\">");
        text_xml(t, f->source);
        text_add(t, "</td></tr>");
    }
    if (f->rate) {
        row(t, "failed in");
        text_add(t, "<td colspan=\"2\">");
        text_xml(t, f->rate);
        text_add(t, " executions</td></tr>");
    }
    if (f->depends) {
        row(t, "only after");
        const bool known = strcmp(f->depends, STORE_DEPENDS_UNKNOWN) != 0;
        text_add(t, known ? "<td colspan=\"2\" class=\"mono\">" : "<td colspan=\"2\">");
        text_xml(t, known ? f->depends : "other cases, which were not found one by one");
        text_add(t, "</td></tr>");
    }
    if (f->shrunk) {
        row(t, "shrunk to");
        text_add(t, "<td colspan=\"2\" class=\"mono\">");
        text_xml(t, f->shrunk);
        text_add(t, "</td></tr>");
    }
    if (f->matters) {
        row(t, "what matters");
        text_add(t, "<td colspan=\"2\" class=\"mono\">");
        text_xml(t, f->matters);
        text_add(t, "</td></tr>");
    }
    if (f->clause)
        add_clause(t, f->clause, clause, all);
    if (html_case_entries(t, all, f->case_id, "<tr><th scope=\"row\">ledger</th><td colspan=\"2\">"))
        text_add(t, "</td></tr>");
    text_add(t, "</table>");
}

/* ---- commands -----------------------------------------------------------------------------------------------------
 */

void html_command(text *t, const char *name, const char *command)
{
    if (!command)
        return;
    text_format(t, "<div class=\"again\"><span class=\"label\">%s</span><pre>", name);
    text_xml(t, command);
    text_format(
        t,
        "</pre><button type=\"button\" class=\"copy\" aria-label=\"Copy the command: %s\" hidden>Copy</button></div>\n",
        name);
}

bool html_runs_numpy(store *s)
{
    const char *profile = store_get(s, STORE_PROFILE);
    return profile && strcmp(profile, "numpy") == 0;
}

void html_finding_commands(text *t, const store_finding *f, bool numpy)
{
    text line = { .data = NULL };
    if (f->case_id) {
        text_add(&line, "touchstone explain ");
        text_shell(&line, f->case_id);
        text_add(&line, numpy ? " --profile numpy" : "");
    }
    html_command(t, "run it again", f->reproducer);
    html_command(t, "step by step", line.data);
    t->failed |= line.failed;
    text_free(&line);
}

/* ---- the descriptor -----------------------------------------------------------------------------------------------
 */

static void add_json(text *t, json_t *value, int indent)
{
    char *line = json_dumps(value, JSON_ENCODE_ANY | JSON_PRESERVE_ORDER);
    if (!line) {
        t->failed = true;
        return;
    }
    bool parts = (json_is_object(value) || json_is_array(value)) && indent < 40;
    if (!parts || strlen(line) + (size_t)indent <= DESCRIPTOR_WIDTH) {
        text_xml(t, line);
        free(line);
        return;
    }
    free(line);
    const char *between = "";
    if (json_is_object(value)) {
        const char *key;
        json_t *member;
        text_add(t, "{");
        json_object_foreach(value, key, member)
        {
            text_format(t, "%s\n%*s\"", between, indent + 2, "");
            text_xml(t, key);
            text_add(t, "\": ");
            add_json(t, member, indent + 2);
            between = ",";
        }
        text_format(t, "\n%*s}", indent, "");
    } else {
        text_add(t, "[");
        for (size_t i = 0; i < json_array_size(value); ++i) {
            text_format(t, "%s\n%*s", between, indent + 2, "");
            add_json(t, json_array_get(value, i), indent + 2);
            between = ",";
        }
        text_format(t, "\n%*s]", indent, "");
    }
}

void html_finding_tensors(text *t, const store_finding *f)
{
    json_t *tensors = f->tensors ? json_loads(f->tensors, 0, NULL) : NULL;
    html_drawing(t, f, tensors);
    json_decref(tensors);
    if (!f->descriptor)
        return;
    text call = { .data = NULL };
    raw_call_text(&call, f);
    if (call.data) {
        text_add(t, "<details class=\"descriptor call\"><summary>The call, as the backend got it</summary><pre>");
        text_xml(t, call.data);
        text_add(t, "</pre></details>");
    }
    text_free(&call);
    text_add(t, "<details class=\"descriptor\"><summary>Descriptor</summary><pre>");
    json_t *descriptor = json_loads(f->descriptor, JSON_DECODE_ANY, NULL);
    if (descriptor)
        add_json(t, descriptor, 0);
    else
        text_xml(t, f->descriptor);
    json_decref(descriptor);
    text_add(t, "</pre></details>");
}
