/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/causes_print.h"

#include "harness/base/visible.h"
#include "harness/casefile/casefile.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 3 };

/* Queries hold the cases of a cause if they miss few of them and select few others; they are near to it if they hold
   more than half, and select fewer others than that. As shares of the failing cases: */
#define MOST_MISSED 0.2
#define MOST_OTHERS 0.1
#define NEAR_MISSED 0.5

causes_fit causes_queries_fit(const cause *c)
{
    const double cases = (double)c->cases, missed = (double)c->missed, others = (double)c->others;
    if (c->query_count == 0 || missed >= NEAR_MISSED * cases || others > cases - missed)
        return CAUSES_FAR;
    return missed <= MOST_MISSED * cases && others <= MOST_OTHERS * cases ? CAUSES_HOLD : CAUSES_NEAR;
}

/* The cases that the queries hold beside those of the cause, by what came of them. */
static void describe_others(const cause *c, const char *about, text *t)
{
    const struct {
        uint64_t cases;
        const char *one, *several;
    } rows[] = { { c->others, "passes", "pass" },
                 { c->otherwise, "fails and belongs to another cause", "fail and belong to another cause" },
                 { c->neither, "neither passes nor fails", "neither pass nor fail" } };
    const uint64_t all = c->others + c->otherwise + c->neither;
    size_t kinds = 0;
    if (all == 0) {
        text_add(t, c->estimated ? "no other that was drawn" : "no other");
        return;
    }
    text_add(t, about);
    text_count(t, all);
    text_add(t, all == 1 ? " other" : " others");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        kinds += rows[i].cases > 0;
    for (size_t i = 0, told = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (rows[i].cases == 0)
            continue;
        text_add(t, kinds == 1 ? ", which " : told == 0 ? ", of which " : told + 1 == kinds ? " and " : ", ");
        if (kinds > 1)
            text_count(t, rows[i].cases);
        text_format(t, "%s%s", kinds > 1 ? " " : "", rows[i].cases == 1 ? rows[i].one : rows[i].several);
        ++told;
    }
}

void causes_describe(const cause *c, text *t)
{
    const char *about = c->estimated ? "about " : "";
    const causes_fit fit = causes_queries_fit(c);
    if (fit != CAUSES_HOLD)
        text_add(t, "no short query was found that holds these cases and few others");
    if (fit == CAUSES_FAR)
        return;
    if (fit == CAUSES_NEAR)
        text_add(t, c->query_count > 1 ? "; the nearest together hold " : "; the nearest one holds ");
    else
        text_add(t, c->query_count > 1 ? "together they hold " : "holds ");
    if (c->missed == 0) {
        text_add(t, c->cases == 1 ? "this case" : "all of these cases");
    } else {
        text_add(t, about);
        text_count(t, c->cases - c->missed);
        text_format(t, " of these cases (%.1f %%)", 100 * (double)(c->cases - c->missed) / (double)c->cases);
    }
    text_add(t, " and ");
    describe_others(c, about, t);
}

void causes_heading(const cause *c, text *t)
{
    text_format(t, "%s in %s", cause_symptom(c), c->estimated ? "about " : "");
    text_count(t, c->cases);
    text_format(t, " case%s of %s%s", c->cases == 1 ? "" : "s", c->op,
                cause_needs_others(c) ? ", only after other cases" : "");
}

void causes_describe_alone(const cause *c, text *t)
{
    const uint64_t alone = c->fails_alone + c->passes_alone;
    if (c->passes_alone == 0)
        return;
    if (c->fails_alone == 0)
        text_add(t, alone == 1 ? "The case" : "Each of the ");
    else
        text_count(t, c->passes_alone);
    if (c->fails_alone > 0)
        text_add(t, " of the ");
    if (alone > 1) {
        text_count(t, alone);
        text_add(t, " cases");
    }
    text_format(t,
                " that %s executed alone in a new process passed there: %s only after other cases in the same process. "
                "Look for what survives a call, such as a cache, scratch memory or a counter.",
                alone == 1 ? "was" : "were",
                alone == 1       ? "it fails"
                : c->fails_alone ? "those fail"
                                 : "they fail");
}

void causes_command(const cause *c, store *s, text *t)
{
    text_add(t, "touchstone run");
    for (size_t i = 0; i < c->query_count; ++i) {
        text_add(t, " ");
        text_shell(t, c->queries[i]);
    }
    const char *options = store_get(s, STORE_REPRODUCE);
    if (options && *options) {
        text_add(t, " ");
        text_add(t, options);
    }
    const char *tier = store_get(s, STORE_TIER);
    if (tier && strcmp(tier, case_tier_name(TIER_QUICK)) != 0) {
        text_add(t, " --tier ");
        text_add(t, tier);
    }
}

static void print_line(const char *line)
{
    if (line)
        visible_print(stdout, "  %s\n", line);
}

/* The length of "OPERATOR:TEST" in an id. */
static int test_length(const char *id)
{
    const char *colon = strchr(id, ':');
    return (int)(colon ? (size_t)(colon - id) + 1 + strcspn(colon + 1, ":") : strlen(id));
}

static void print_cause(const cause *c, size_t number)
{
    text heading = { .data = NULL }, held = { .data = NULL }, alone = { .data = NULL };
    causes_heading(c, &heading);
    causes_describe(c, &held);
    causes_describe_alone(c, &alone);
    visible_print(stdout, "\ncause %zu: %s\n", number, heading.failed ? "?" : heading.data);
    const causes_fit fit = causes_queries_fit(c);
    for (size_t i = 0; fit == CAUSES_HOLD && i < c->query_count; ++i)
        print_line(c->queries[i]);
    visible_print(stdout, "  %s%s\n", held.failed ? "?" : held.data, fit == CAUSES_NEAR ? ":" : "");
    for (size_t i = 0; fit == CAUSES_NEAR && i < c->query_count; ++i)
        visible_print(stdout, "    %s\n", c->queries[i]);
    print_line(alone.failed ? NULL : alone.data);
    for (size_t i = 0; i < c->part_count; ++i) {
        text cases = { .data = NULL };
        text_count(&cases, c->parts[i].cases);
        visible_print(stdout, "  %s of %s%s%s\n", cases.failed ? "?" : cases.data, c->parts[i].op,
                      i > 0 && c->parts[i].reproducer ? ": " : "",
                      i > 0 && c->parts[i].reproducer ? c->parts[i].reproducer : "");
        text_free(&cases);
    }
    if (c->case_id)
        visible_print(stdout, "  %s %s%s%s\n", verdict_name(c->verdict), c->case_id, c->clause ? "  " : "",
                      c->clause ? c->clause : "");
    if (c->shrunk_from)
        visible_print(stdout, "  the shrunk form of a case of %.*s\n", test_length(c->shrunk_from), c->shrunk_from);
    print_line(c->story);
    print_line(c->reproducer);
    print_line(c->explain);
    text_free(&heading);
    text_free(&held);
    text_free(&alone);
}

bool causes_print(store *s, const char *path)
{
    causes c;
    error e;
    const bool fine = causes_find(&c, s, &e) && c.count > 0;
    if (c.unknown)
        visible_print(stdout, "\nno causes: %s\n", c.unknown);
    for (size_t i = 0; fine && i < c.count && i < SHOWN; ++i)
        print_cause(&c.list[i], i + 1);
    char quoted[PATH_MAX];
    if (fine) {
        visible_print(stdout, "\n");
        if (c.count > SHOWN)
            visible_print(stdout, "and %zu more: ", c.count - SHOWN);
        visible_print(stdout, "'touchstone report %s --html FILE' shows all causes and findings\n\n",
                      text_shell_in(quoted, sizeof quoted, path));
    }
    causes_free(&c);
    return fine;
}

static json_t *string(const char *s)
{
    return s ? json_string(s) : json_null();
}

/* The shares of the operators of a cause. */
static json_t *parts_json(const cause *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->part_count; ++i) {
        const cause_part *p = &c->parts[i];
        json_t *o = json_object();
        json_object_set_new(o, "operator", string(p->op));
        json_object_set_new(o, "cases", json_integer((json_int_t)p->cases));
        json_object_set_new(o, "missed", json_integer((json_int_t)p->missed));
        json_object_set_new(o, "others", json_integer((json_int_t)p->others));
        json_object_set_new(o, "otherwise", json_integer((json_int_t)p->otherwise));
        json_object_set_new(o, "neither", json_integer((json_int_t)p->neither));
        json_object_set_new(o, "case", string(p->case_id));
        json_object_set_new(o, "clause", string(p->clause));
        json_object_set_new(o, "detail", string(p->story));
        json_object_set_new(o, "reproducer", string(p->reproducer));
        json_object_set_new(o, "explain", string(p->explain));
        json_array_append_new(list, o);
    }
    return list;
}

json_t *causes_json(const cause *c, store *s)
{
    static const char *const kinds[] = {
        [CAUSE_NONE] = "none",         [CAUSE_DIFFERS] = "differs", [CAUSE_REFUSED] = "refused",
        [CAUSE_ACCEPTED] = "accepted", [CAUSE_ENDED] = "ended",     [CAUSE_HUNG] = "hung",
        [CAUSE_LOST] = "lost"
    };
    json_t *o = json_object(), *queries = json_array();
    text command = { .data = NULL };
    for (size_t i = 0; i < c->query_count; ++i)
        json_array_append_new(queries, json_string(c->queries[i]));
    causes_command(c, s, &command);
    json_object_set_new(o, "operator", string(c->op));
    json_object_set_new(o, "operators", parts_json(c));
    json_object_set_new(o, "kind", string(kinds[c->kind]));
    json_object_set_new(o, "queries", queries);
    json_object_set_new(o, "cases", json_integer((json_int_t)c->cases));
    json_object_set_new(o, "missed", json_integer((json_int_t)c->missed));
    json_object_set_new(o, "others", json_integer((json_int_t)c->others));
    json_object_set_new(o, "otherwise", json_integer((json_int_t)c->otherwise));
    json_object_set_new(o, "neither", json_integer((json_int_t)c->neither));
    json_object_set_new(o, "fails_alone", json_integer((json_int_t)c->fails_alone));
    json_object_set_new(o, "passes_alone", json_integer((json_int_t)c->passes_alone));
    json_object_set_new(o, "estimated", json_boolean(c->estimated));
    json_object_set_new(o, "verdict", string(c->case_id ? verdict_name(c->verdict) : NULL));
    json_object_set_new(o, "case", string(c->case_id));
    json_object_set_new(o, "shrunk_from", string(c->shrunk_from));
    json_object_set_new(o, "clause", string(c->clause));
    json_object_set_new(o, "detail", string(c->story));
    json_object_set_new(o, "reproducer", string(c->reproducer));
    json_object_set_new(o, "explain", string(c->explain));
    json_object_set_new(o, "command", string(c->query_count && !command.failed ? command.data : NULL));
    text_free(&command);
    return o;
}
