/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/diff_print.h"
#include "harness/base/color.h"
#include "harness/base/visible.h"

#include "reports/print_parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

enum { SHOWN = 20 }; /* groups of a kind, tests, rates: the JSON has all of them */

static void print_more(size_t more, FILE *out)
{
    if (more)
        visible_print(out, "  and %zu more; --json has all of them\n", more);
}

static const char *verdict_text(int v)
{
    return v == DIFF_NOT_PLANNED ? "not planned" : verdict_name((verdict)v);
}

/* ---- text ---- */

static const char *const headings[DIFF_KINDS] = {
    "new failures",  "other failures than before",
    "no longer run", "no longer planned",
    "fixed",         "newly run",
    "newly planned", "other changes",
};

static void print_run(const char *sign, const char *path, store *s, FILE *out)
{
    visible_print(out, "%s %s:", sign, path);
    print_run_facts(s, true, out);
    visible_print(out, "\n");
}

static void print_group(const diff *d, const diff_group *g, FILE *out)
{
    char change[64];
    snprintf(change, sizeof change, "%s -> %s", verdict_text(g->from), verdict_text(g->to));
    bool excused = !g->worse && (g->kind == DIFF_CHANGED_KIND || g->kind == DIFF_NO_LONGER);
    visible_print(out, "  %12" PRIu64 "  %s%s\n", g->group.cases, change, excused ? "  (not counted as worse)" : "");
    for (size_t i = 0; i < g->group.part_count; ++i)
        print_region(&g->group, i, "                ", out);
    if (g->group.part_count == 0)
        visible_print(out, "                in %s\n", d->tests[g->test].name);
    if (g->group.missed)
        visible_print(out, "                and %" PRIu64 " other case%s of %s\n", g->group.missed,
                      g->group.missed == 1 ? "" : "s", d->tests[g->test].name);
    visible_print(out, "                example: %s\n", g->group.example);
}

static void print_groups(const diff *d, diff_kind kind, FILE *out)
{
    uint64_t cases = 0;
    size_t seen = 0;
    for (size_t i = 0; i < d->group_count; ++i)
        cases += d->groups[i].kind == kind ? d->groups[i].group.cases : 0;
    if (!cases)
        return;
    color_print(out, COLOR_HEADING, "\n%s:", headings[kind]);
    visible_print(out, " %" PRIu64 "\n", cases);
    for (size_t i = 0; i < d->group_count; ++i)
        if (d->groups[i].kind == kind && ++seen <= SHOWN)
            print_group(d, &d->groups[i], out);
    print_more(seen > SHOWN ? seen - SHOWN : 0, out);
}

static void print_tests(const diff *d, FILE *out)
{
    size_t seen = 0;
    for (size_t i = 0; i < d->test_count; ++i) {
        const diff_test *t = &d->tests[i];
        if (t->before.present == t->after.present || ++seen > SHOWN)
            continue;
        const uint64_t cases = t->after.present ? t->after.planned : t->before.planned;
        visible_print(out, "\n%s test: %s (%" PRIu64 " case%s)\n", t->after.present ? "new" : "missing", t->name, cases,
                      cases == 1 ? "" : "s");
    }
    print_more(seen > SHOWN ? seen - SHOWN : 0, out);
}

static void print_rates(const diff *d, FILE *out)
{
    size_t shown = 0, more = 0;
    for (size_t i = 0; i < d->rate_count; ++i) {
        const diff_rate *r = &d->rates[i];
        const diff_test *t = &d->tests[r->test];
        if (!t->before.present || !t->after.present || r->verdict == VERDICT_PASS)
            continue; /* it follows from the other verdicts */
        if (shown == SHOWN) {
            ++more;
            continue;
        }
        if (shown++ == 0)
            visible_print(out, "\nrates that changed:\n");
        visible_print(out, "  %-36s %-6s %-5s %-16s %" PRIu64 "/%" PRIu64 " -> %" PRIu64 "/%" PRIu64 "\n", t->name,
                      r->dtype, r->level, verdict_name(r->verdict), r->before, r->before_of, r->after, r->after_of);
    }
    print_more(more, out);
}

bool diff_print_text(const diff *d, store *before, store *after, const char *before_path, const char *after_path,
                     FILE *out, error *e)
{
    print_run("-", before_path, before, out);
    print_run("+", after_path, after, out);
    if (*d->why)
        visible_print(out, "%s\n", d->why);
    for (int k = 0; k < DIFF_KINDS; ++k)
        print_groups(d, (diff_kind)k, out);
    print_tests(d, out);
    print_rates(d, out);
    if (d->worse)
        color_print(out, COLOR_BAD, "\nsomething got worse\n");
    else if (d->group_count || d->rate_count)
        color_print(out, COLOR_GOOD, "\nnothing got worse\n");
    else
        visible_print(out, d->by_case ? "no case changed\n" : "no count changed\n");
    return !ferror(out) || error_output(e);
}

/* ---- JSON ---- */

static json_t *run_json(const char *path, store *s)
{
    json_t *run = json_pack("{s:s}", "path", path);
    print_run_facts_json(run, s);
    return run;
}

static json_t *counts_json(const diff_counts *c)
{
    if (!c->present)
        return json_null();
    json_t *verdicts = json_object();
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (c->cases[v])
            json_object_set_new(verdicts, verdict_name((verdict)v), json_integer((json_int_t)c->cases[v]));
    return json_pack("{s:I, s:o}", "planned", (json_int_t)c->planned, "verdicts", verdicts);
}

static json_t *group_json(const diff *d, const diff_group *g)
{
    return json_pack("{s:s, s:b, s:s, s:s, s:s, s:I, s:s, s:b, s:I, s:o}", "kind", diff_kind_name(g->kind), "worse",
                     g->worse, "test", d->tests[g->test].name, "from", verdict_text(g->from), "to", verdict_text(g->to),
                     "cases", (json_int_t)g->group.cases, "example", g->group.example, "exact", g->group.exact,
                     "missed", (json_int_t)g->group.missed, "regions", print_regions_json(&g->group));
}

bool diff_print_json(const diff *d, store *before, store *after, const char *before_path, const char *after_path,
                     FILE *out, error *e)
{
    json_t *tests = json_array(), *changes = json_array(), *rates = json_array();
    for (size_t i = 0; i < d->test_count; ++i) {
        const diff_test *t = &d->tests[i];
        json_array_append_new(tests, json_pack("{s:s, s:b, s:o, s:o}", "name", t->name, "by_case", t->by_case, "before",
                                               counts_json(&t->before), "after", counts_json(&t->after)));
    }
    for (size_t i = 0; i < d->group_count; ++i)
        json_array_append_new(changes, group_json(d, &d->groups[i]));
    for (size_t i = 0; i < d->rate_count; ++i) {
        const diff_rate *r = &d->rates[i];
        json_array_append_new(rates,
                              json_pack("{s:s, s:s, s:s, s:s, s:[I, I], s:[I, I]}", "test", d->tests[r->test].name,
                                        "dtype", r->dtype, "level", r->level, "verdict", verdict_name(r->verdict),
                                        "before", (json_int_t)r->before, (json_int_t)r->before_of, "after",
                                        (json_int_t)r->after, (json_int_t)r->after_of));
    }
    json_t *all = json_pack("{s:i, s:b, s:b, s:s, s:o, s:o, s:o, s:o, s:o}", "format", 1, "worse", d->worse, "by_case",
                            d->by_case, "note", d->why, "before", run_json(before_path, before), "after",
                            run_json(after_path, after), "tests", tests, "changes", changes, "rates", rates);
    bool fine = all && json_dumpf(all, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF;
    json_decref(all);
    return fine || error_set(e, "the JSON cannot be written");
}
