/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as JSON; docs/formats.md describes the members. */
#include "reports/compare_print.h"

#include "harness/model/tensor.h"
#include "reference/ledger.h"
#include "reports/print_parts.h"

#include <jansson.h>
#include <string.h>

static json_t *number(uint64_t n)
{
    return json_integer((json_int_t)n);
}

static json_t *side_json(const compare_side *s)
{
    json_t *side = json_pack("{s:s, s:s?}", "label", s->label, "path", s->path);
    print_run_facts_json(side, s->store);
    return side;
}

/* Add counts to an object that names the cases counted. */
static void add_counts(json_t *to, const compare *c, const compare_counts *counts)
{
    json_t *kinds = json_object(), *sides = json_array();
    for (int k = 0; k < COMPARE_KINDS; ++k)
        json_object_set_new(kinds, compare_kind_name((compare_kind)k), number(counts->kinds[k]));
    for (size_t i = 0; i < c->side_count; ++i) {
        json_t *states = json_object();
        for (int k = 0; k < COMPARE_STATES; ++k)
            json_object_set_new(states, compare_state_name((compare_state)k), number(counts->sides[i][k]));
        json_array_append_new(sides, states);
    }
    json_object_set_new(to, "cases", number(counts->cases));
    json_object_set_new(to, "common", number(counts->common));
    json_object_set_new(to, "kinds", kinds);
    json_object_set_new(to, "sides", sides);
}

/* "SL-08 SL-10" as a list. */
static json_t *words_json(const char *words)
{
    json_t *list = json_array();
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        json_array_append_new(list, json_stringn(words, n));
    }
    return list;
}

static json_t *group_json(const compare *c, const compare_group *g)
{
    json_t *verdicts = json_array();
    for (size_t i = 0; i < c->side_count; ++i)
        json_array_append_new(verdicts, g->verdicts[i] == COMPARE_NOT_SUPPORTED
                                            ? json_null()
                                            : json_string(verdict_name((verdict)g->verdicts[i])));
    return json_pack("{s:s, s:s, s:o, s:o, s:I, s:s, s:b, s:I, s:o}", "kind", compare_kind_name(g->kind), "test",
                     c->tests[g->test].name, "verdicts", verdicts, "clauses", words_json(g->clauses), "cases",
                     (json_int_t)g->group.cases, "example", g->group.example, "exact", g->group.exact, "missed",
                     (json_int_t)g->group.missed, "regions", print_regions_json(&g->group));
}

static json_t *clause_json(const compare *c, const compare_clause *own)
{
    json_t *sides = json_array();
    for (size_t i = 0; i < c->side_count; ++i)
        json_array_append_new(
            sides, json_pack("{s:s, s:I, s:I, s:I}", "state", compare_clause_state_name(own->sides[i].state), "broken",
                             (json_int_t)own->sides[i].broken, "refused", (json_int_t)own->sides[i].refused, "findings",
                             (json_int_t)own->sides[i].cited));
    return json_pack("{s:s, s:s, s:s, s:b, s:s, s:o}", "operator", own->op, "id", own->id, "text", own->text,
                     "breakable", own->breakable, "state",
                     compare_clause_state_name(compare_clause_overall(own, c->side_count)), "sides", sides);
}

static json_t *behaviour_json(const compare *c, const compare_behaviour *a)
{
    json_t *cases = json_array();
    for (size_t i = 0; i < c->side_count; ++i)
        json_array_append_new(cases, number(a->cases[i]));
    return json_pack("{s:s, s:s, s:b, s:o, s:s}", "entry", a->entry, "behaviour", a->behaviour, "differs", a->differs,
                     "cases", cases, "example", a->example);
}

/* The answers of all sides to a question, which are the behaviours from `first` to `end`. */
static json_t *question_json(const compare *c, const char *id, size_t first, size_t end)
{
    const ledger_entry *entry = ledger_find(id);
    json_t *sides = json_array(), *unanswered = json_array();
    for (size_t i = 0; i < c->side_count; ++i) {
        char answer[COMPARE_BEHAVIOUR_SIZE];
        json_t *answers = json_array();
        for (size_t k = first; k < end; ++k)
            if (c->behaviours[k].cases[i])
                json_array_append_new(answers,
                                      json_pack("{s:s, s:I}", "answer",
                                                compare_answer(c->behaviours[k].behaviour, answer, sizeof answer),
                                                "cases", (json_int_t)c->behaviours[k].cases[i]));
        json_array_append_new(unanswered, json_array_size(answers) > 0
                                              ? json_null()
                                              : json_string(compare_unanswered(c, i, entry ? entry->op : "",
                                                                               end > first, answer, sizeof answer)));
        json_array_append_new(sides, answers);
    }
    return json_pack("{s:s, s:s?, s:s, s:b, s:I, s:o, s:o}", "entry", id, "operator", entry ? entry->op : NULL,
                     "question", entry ? entry->problem : "", "differs", end > first && c->behaviours[first].differs,
                     "answering", (json_int_t)(end > first ? compare_answering(c, first) : 0), "sides", sides,
                     "unanswered", unanswered);
}

bool compare_print_json(const compare *c, FILE *out, error *e)
{
    char headline[COMPARE_HEADLINE_SIZE];
    json_t *sides = json_array(), *total = json_object(), *tests = json_array(), *types = json_array();
    json_t *regions = json_array(), *clauses = json_array(), *behaviours = json_array(), *questions = json_array();
    for (size_t i = 0; i < c->side_count; ++i)
        json_array_append_new(sides, side_json(&c->sides[i]));
    add_counts(total, c, &c->total);
    for (size_t i = 0; i < c->test_count; ++i) {
        json_t *test = json_pack("{s:s}", "name", c->tests[i].name);
        add_counts(test, c, &c->tests[i].counts);
        json_array_append_new(tests, test);
    }
    for (size_t i = 0; i < c->type_count; ++i) {
        const ts_dtype_info *info = tensor_dtype(c->types[i].dtype);
        json_t *type = json_pack("{s:s, s:s?}", "operator", c->types[i].op, "dtype", info ? info->id : NULL);
        add_counts(type, c, &c->types[i].counts);
        json_array_append_new(types, type);
    }
    for (size_t i = 0; i < c->group_count; ++i)
        json_array_append_new(regions, group_json(c, &c->groups[i]));
    for (size_t i = 0; i < c->clause_count; ++i)
        json_array_append_new(clauses, clause_json(c, &c->clauses[i]));
    for (size_t i = 0; i < c->behaviour_count; ++i)
        json_array_append_new(behaviours, behaviour_json(c, &c->behaviours[i]));
    for (size_t i = 0, end; i < c->behaviour_count; i = end) {
        end = compare_question(c, i);
        json_array_append_new(questions, question_json(c, c->behaviours[i].entry, i, end));
    }
    for (size_t i = 0; i < c->open_count; ++i)
        json_array_append_new(questions, question_json(c, c->open[i].entry, 0, 0));
    json_t *all = json_pack("{s:i, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "format", 1, "headline",
                            compare_headline(c, headline, sizeof headline), "status", (int)compare_status(c), "sides",
                            sides, "total", total, "tests", tests, "types", types, "regions", regions, "clauses",
                            clauses, "behaviours", behaviours, "questions", questions);
    bool fine = all && json_dumpf(all, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF;
    json_decref(all);
    return fine || error_set(e, "the JSON cannot be written");
}
