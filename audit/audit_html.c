/* SPDX-License-Identifier: Apache-2.0 */
/* Write the audit as one HTML page without scripts: scores, tests with the mutants that only they kill, survivors, and
   every mutant with the smallest case that kills it. */
#include "audit/audit.h"
#include "harness/base/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\"><title>Touchstone: audit</title>\n<style>\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:78em;padding:0 "
    "1em;color:#1b1b1b;background:#fff}\n"
    "table{border-collapse:collapse;margin:.6em 0}td,th{padding:.2em .7em;text-align:left;vertical-align:top;"
    "border-bottom:1px solid #ddd}td.n,th.n{text-align:right}code{font-size:.92em;overflow-wrap:anywhere}\n"
    "summary{cursor:pointer;margin:.3em 0}.bad{color:#a40000;font-weight:600}\n"
    "@media "
    "(prefers-color-scheme:dark){body{color:#ddd;background:#161616}td,th{border-color:#333}.bad{color:#ff8a80}}\n"
    "</style></head><body>\n<h1>Does the suite find faults?</h1>\n";

static void put(FILE *out, const char *string)
{
    for (; *string; ++string)
        switch (*string) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*string, out);
        }
}

static void put_score(FILE *out, const char *name, const audit_score *s)
{
    fputs("<tr><td>", out);
    put(out, name);
    fprintf(out,
            "<td class=n>%" PRIu32 "<td class=n>%" PRIu32 "<td class=n>%" PRIu32 "<td class=n>%" PRIu32
            "<td class=\"n%s\">%" PRIu32 "<td class=n>%" PRIu32 "<td class=n>%.2f %%</tr>\n",
            s->mutants, s->killed, s->equivalent, s->same_code, s->survived ? " bad" : "", s->survived, s->open,
            audit_percent(s));
}

static void put_scores(FILE *out, const audit_result *r, mutant_subject subject)
{
    const audit_score all = audit_count(r, subject, NULL);
    if (all.mutants == 0)
        return;
    fprintf(out,
            "<table><tr><th>%s<th class=n>mutants<th class=n>killed<th class=n>listed as equivalent<th class=n>same "
            "code<th class=n>survived<th class=n>open<th class=n>score</tr>\n",
            subject == MUTANT_OF_KERNELS ? "file of the kernels" : "file of the reference");
    for (const char *file = audit_next_file(r, subject, NULL); file; file = audit_next_file(r, subject, file)) {
        audit_score s = audit_count(r, subject, file);
        put_score(out, file, &s);
    }
    put_score(out, "all", &all);
    fputs("</table>\n<table><tr><th>cases of<th class=n>reach<th class=n>kill<th class=n>score</tr>\n", out);
    for (size_t i = 0; i < r->operator_count; ++i) {
        uint32_t infected, killed;
        audit_operator_score(r, i, subject, &infected, &killed);
        fprintf(out, "<tr><td>%s<td class=n>%" PRIu32 "<td class=n>%" PRIu32 "<td class=n>%.2f %%</tr>\n",
                r->operators[i].op->name, infected, killed, infected ? 100.0 * killed / infected : 100.0);
    }
    fputs("</table>\n", out);
}

static bool kills_alone(const audit_operator *o, uint32_t m, size_t test)
{
    bool alone = audit_at(o, m, test)->killed > 0;
    for (size_t t = 0; t < o->test_count && alone; ++t)
        alone = t == test || audit_at(o, m, t)->killed == 0;
    return alone;
}

static void put_tests(FILE *out, const audit_result *r)
{
    fputs("<h2>Tests</h2>\n"
          "<table><tr><th>test<th class=n>kills<th>mutants that no other test of the operator kills</tr>\n",
          out);
    for (size_t i = 0; i < r->operator_count; ++i)
        for (size_t t = 0; t < r->operators[i].test_count; ++t) {
            const audit_operator *o = &r->operators[i];
            uint32_t kills, alone;
            audit_test_score(o, t, &kills, &alone);
            fprintf(out, "<tr><td>%s:%s<td class=n>%" PRIu32 "<td>", o->op->name, o->tests[t]->test->name, kills);
            if (alone)
                fprintf(out, "<details><summary>%" PRIu32 "</summary>", alone);
            for (uint32_t m = 0; alone && m < o->mutant_count; ++m)
                if (kills_alone(o, m, t)) {
                    fputs("<code>", out);
                    put(out, r->library->mutants[o->mutants[m]].id);
                    fputs("</code><br>", out);
                }
            fputs(alone ? "</details></tr>\n" : "</tr>\n", out);
        }
    fputs("</table>\n", out);
}

static void put_mutant(FILE *out, const audit_result *r, uint32_t number)
{
    const mutant *x = &r->library->mutants[number];
    char id[CASE_ID_SIZE], options[64];
    size_t op = 0, test = 0;
    audit_kill k = audit_smallest_of(r, number, &op, &test);
    fputs("<tr><td><code>", out);
    put(out, x->id);
    fputs("</code><td>", out);
    put(out, x->function);
    fputs("<td><code>", out);
    put(out, x->original);
    fputs("</code><td>", out);
    if (k.known) {
        audit_case_id(&r->operators[op], test, &k, id, sizeof id, options, sizeof options);
        fprintf(out, "%s<td><code>", verdict_name((verdict)k.verdict));
        put(out, id);
        put(out, options);
        fputs("</code></tr>\n", out);
    } else {
        fputs(r->states[number] == AUDIT_SURVIVED ? "<span class=bad>survives</span><td>" : "survives<td>", out);
        if (r->equivalents.reasons[number])
            put(out, r->equivalents.reasons[number]);
        fputs("</tr>\n", out);
    }
}

static void put_mutants(FILE *out, const audit_result *r, const char *title, const char *file, audit_state only)
{
    fputs("<details><summary>", out);
    put(out, title);
    fputs("</summary>\n<table><tr><th>mutant<th>in<th>replaces<th>verdict"
          "<th>smallest case, or why no case can kill it</tr>\n",
          out);
    for (uint32_t m = 0; m < r->library->count; ++m)
        if (r->states[m] != AUDIT_ABSENT && (only == AUDIT_ABSENT || r->states[m] == only) &&
            (!file || strcmp(file, r->library->mutants[m].file) == 0))
            put_mutant(out, r, m);
    fputs("</table></details>\n", out);
}

bool audit_write_html(const audit_result *r, const char *path, error *e)
{
    output page;
    if (!output_open(&page, path, e))
        return false;
    FILE *out = page.file;
    fputs(head, out);
    fprintf(out,
            "<p>Tier %s, %" PRIu64 " cases. A mutant is one small change of the reference, or of a kernel written as "
            "libraries write them; a case with another result than on the original kills it.</p>\n",
            case_tier_name(r->tier), r->cases);
    put_scores(out, r, MUTANT_OF_REFERENCE);
    put_scores(out, r, MUTANT_OF_KERNELS);
    fputs("<h2>Mutants</h2>\n", out);
    put_mutants(out, r, "survivors", NULL, AUDIT_SURVIVED);
    put_mutants(out, r, "equivalent, with the reason", NULL, AUDIT_EQUIVALENT);
    put_mutants(out, r, "equivalent, because the compiler makes the same code of them", NULL, AUDIT_SAME_CODE);
    for (mutant_subject s = MUTANT_OF_REFERENCE; s < MUTANT_SUBJECTS; ++s)
        for (const char *file = audit_next_file(r, s, NULL); file; file = audit_next_file(r, s, file))
            put_mutants(out, r, file, file, AUDIT_ABSENT);
    put_tests(out, r);
    fputs("</body></html>\n", out);
    return output_close(&page, true, e);
}
