/* SPDX-License-Identifier: Apache-2.0 */
/* Write the audit as JSON: scores, tests, and for each mutant and test a few killing cases. The text is the same for
   the same audit. */
#include "audit/audit.h"
#include "harness/base/output.h"

#include <jansson.h>

static const char *state_name(audit_state s)
{
    static const char *const names[] = {
        "absent", "killed", "survived", "equivalent", "killed, though listed", "open", "equivalent (same code)"
    };
    return names[s];
}

static json_t *score_json(const char *file, const audit_score *s)
{
    json_t *o =
        json_pack("{si si si si si si si si}", "mutants", (int)s->mutants, "killed", (int)s->killed, "equivalent",
                  (int)s->equivalent, "same_code", (int)s->same_code, "survived", (int)s->survived, "open",
                  (int)s->open, "held_out", (int)s->held_out, "held_out_killed", (int)s->held_out_killed);
    if (file)
        json_object_set_new(o, "file", json_string(file));
    return o;
}

static json_t *case_json(const audit_operator *o, size_t test, const audit_kill *k)
{
    char id[CASE_ID_SIZE], options[64];
    audit_case_id(o, test, k, id, sizeof id, options, sizeof options);
    json_t *c = json_pack("{ss sI ss}", "id", id, "elements", (json_int_t)k->elements, "verdict",
                          verdict_name((verdict)k->verdict));
    if (*options)
        json_object_set_new(c, "options", json_string(options + 1));
    return c;
}

/* For each test, the smallest and the first killing cases. */
static json_t *kills_json(const audit_result *r, uint32_t number)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->operator_count; ++i) {
        const audit_operator *o = &r->operators[i];
        uint32_t m = r->place[i * r->library->count + number];
        for (size_t t = 0; m != MUTANT_NONE && t < o->test_count; ++t) {
            const audit_cell *cell = audit_at(o, m, t);
            if (cell->killed == 0)
                continue;
            char name[256];
            snprintf(name, sizeof name, "%s:%s", o->op->name, o->tests[t]->test->name);
            json_t *cases = json_array();
            json_array_append_new(cases, case_json(o, t, &cell->smallest));
            for (size_t k = 0; k < AUDIT_KEPT && cell->first[k].known; ++k)
                if (cell->first[k].index != cell->smallest.index || cell->first[k].order != cell->smallest.order)
                    json_array_append_new(cases, case_json(o, t, &cell->first[k]));
            json_array_append_new(list, json_pack("{ss so}", "test", name, "cases", cases));
        }
    }
    return list;
}

static json_t *mutant_json(const audit_result *r, uint32_t number)
{
    const mutant *x = &r->library->mutants[number];
    json_t *o = json_pack("{ss ss si ss ss ss sb so}", "id", x->id, "file", x->file, "line", (int)x->line, "function",
                          x->function, "original", x->original, "state", state_name(r->states[number]), "held_out",
                          audit_is_held_out(x), "kills", kills_json(r, number));
    if (r->equivalents.reasons[number])
        json_object_set_new(o, "reason", json_string(r->equivalents.reasons[number]));
    return o;
}

static json_t *tests_json(const audit_result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->operator_count; ++i)
        for (size_t t = 0; t < r->operators[i].test_count; ++t) {
            char name[256];
            uint32_t kills, alone;
            audit_test_score(&r->operators[i], t, &kills, &alone);
            snprintf(name, sizeof name, "%s:%s", r->operators[i].op->name, r->operators[i].tests[t]->test->name);
            json_array_append_new(list,
                                  json_pack("{ss si si}", "test", name, "kills", (int)kills, "alone", (int)alone));
        }
    return list;
}

/* The scores of a subject: of all its mutants, by file, and by operator. */
static json_t *subject_json(const audit_result *r, mutant_subject subject)
{
    json_t *files = json_array(), *operators = json_array();
    const audit_score all = audit_count(r, subject, NULL);
    for (const char *file = audit_next_file(r, subject, NULL); file; file = audit_next_file(r, subject, file)) {
        audit_score s = audit_count(r, subject, file);
        json_array_append_new(files, score_json(file, &s));
    }
    for (size_t i = 0; i < r->operator_count; ++i) {
        uint32_t infected, killed;
        audit_operator_score(r, i, subject, &infected, &killed);
        json_array_append_new(operators, json_pack("{ss si si}", "operator", r->operators[i].op->name, "infected",
                                                   (int)infected, "killed", (int)killed));
    }
    return json_pack("{so so so}", "all", score_json(NULL, &all), "files", files, "operators", operators);
}

bool audit_write_json(const audit_result *r, const char *path, error *e)
{
    json_t *mutants = json_array();
    for (uint32_t m = 0; m < r->library->count; ++m)
        if (r->states[m] != AUDIT_ABSENT)
            json_array_append_new(mutants, mutant_json(r, m));
    json_t *root = json_pack("{ss ss so so so so}", "tier", case_tier_name(r->tier), "suite", r->plan.suite_digest,
                             "reference", subject_json(r, MUTANT_OF_REFERENCE), "kernels",
                             subject_json(r, MUTANT_OF_KERNELS), "tests", tests_json(r), "mutants", mutants);
    output out;
    bool fine = root ? output_open(&out, path, e) : error_set(e, "out of memory");
    if (fine)
        fine = output_close(&out, json_dumpf(root, out.file, JSON_INDENT(1)) == 0, e);
    json_decref(root);
    return fine;
}
