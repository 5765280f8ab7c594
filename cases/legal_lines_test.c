/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every suggestion of `touchstone check`, applied, is legal. Of every clause of every operator, the calls that break it
 * (those of the case files, and of operators that are only checked, their legal call with one field changed) get the
 * suggestion that would be printed. Each value of it, and both ends of a range, are applied: the clause is less broken
 * then, and no other is broken that was not. Each clause that a call breaks has a suggestion for some call.
 */
#include "cases/shipped.h"
#include "harness/casefile/casebuild.h"
#include "harness/casefile/changes.h"
#include "harness/check/check.h"
#include "harness/check/check_suggest.h"
#include "harness/model/suggest_apply.h"
#include "harness/model/suggest_text.h"
#include "harness/testing/part.h"

#include <jansson.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define MOST_POINTS  12 /* of a test: evenly spread */
#define MOST_CLAUSES 96
#define MOST_OF_EACH 4 /* violations of a clause of an operator that is only checked */

/* What the calls of an operator broke, by the places of its clauses. */
typedef struct tally {
    const ts_operator *op;
    unsigned seen[MOST_CLAUSES], suggested[MOST_CLAUSES], most;
    unsigned wrong;
    uint64_t applied;
} tally;

/* Clauses for which nothing is suggested, with the reason. */
static const struct {
    const char *op, *clause, *reason;
} silent[] = {
    { NULL, "BUF-21", "where the sizes of several tensors depend on each other, no single change is enough" },
};

static unsigned clause_count(const ts_operator *op)
{
    return op->clause_count + op->shared_count;
}

static const ts_clause *clause_at(const ts_operator *op, unsigned k)
{
    return k < op->clause_count ? &op->clauses[k] : &op->shared[k - op->clause_count];
}

static unsigned place_of(const ts_operator *op, const char *clause)
{
    unsigned k = 0;
    while (k < clause_count(op) && strcmp(clause_at(op, k)->id, clause) != 0)
        ++k;
    return k;
}

static unsigned count_of(const ts_report *report, const char *clause)
{
    unsigned n = 0;
    for (unsigned i = 0; i < report->count; ++i)
        n += strcmp(report->items[i].clause, clause) == 0;
    return n;
}

/* Apply a choice of an option. NULL if it is legal; else why not. */
static const char *apply(const ts_descriptor *d, const ts_report *before, const char *clause,
                         const suggest_option *option, unsigned choice)
{
    static ts_descriptor changed;
    static ts_report after;
    memset(&after, 0, sizeof after);
    changed = *d;
    if (!suggest_apply(&changed, option, choice))
        return "it cannot be applied";
    operator_check(&changed, &after);
    if (count_of(&after, clause) >= count_of(before, clause))
        return "the clause is as broken as before";
    for (unsigned i = 0; i < after.count; ++i)
        if (operator_graver(after.items[i].result, TS_RESULT_WARNING) &&
            count_of(&after, after.items[i].clause) > count_of(before, after.items[i].clause))
            return after.items[i].text;
    return NULL;
}

static void judge(tally *t, const ts_descriptor *d, const char *of)
{
    static ts_report report;
    static ts_suggestion found;
    char said[512];
    memset(&report, 0, sizeof report);
    operator_check(d, &report);
    for (unsigned i = 0; i < report.count && report.dropped == 0; ++i) {
        const ts_violation *v = &report.items[i];
        const unsigned place = place_of(d->op, v->clause);
        if (place == clause_count(d->op) || (t->seen[place] >= t->most && t->suggested[place] > 0))
            continue;
        ++t->seen[place];
        check_suggest_find(d, v, &found);
        suggest_text(d, &found, said, sizeof said);
        if (!found.count != !said[0])
            fail_msg("%s: %s is suggested as \"%s\"", d->op->name, v->text, said);
        t->suggested[place] += found.count > 0;
        for (unsigned k = 0; k < found.count; ++k)
            for (unsigned n = 0; n < suggest_apply_choices(&found.options[k]); ++n) {
                const char *why = apply(d, &report, v->clause, &found.options[k], n);
                ++t->applied;
                if (!why)
                    continue;
                ++t->wrong;
                print_error("%s (%s): %s  %s\n    legal: %s\n    applied (%u, %u): %s\n", d->op->name, of, v->clause,
                            v->text, said, k, n, why);
            }
    }
}

static bool is_silent(const char *op, const char *clause)
{
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; ++i)
        if (silent[i].clause && strcmp(silent[i].clause, clause) == 0 &&
            (!silent[i].op || strcmp(silent[i].op, op) == 0))
            return true;
    return false;
}

/* The clauses that calls broke, and for none of them something was suggested. */
static unsigned conclude(const tally *t)
{
    unsigned missing = t->wrong;
    for (unsigned k = 0; k < clause_count(t->op); ++k) {
        const ts_clause *c = clause_at(t->op, k);
        if (t->seen[k] > 0 && t->suggested[k] == 0 && !is_silent(t->op->name, c->id)) {
            print_error("%s: nothing is suggested for %s: %s\n", t->op->name, c->id, c->text);
            ++missing;
        }
    }
    return missing;
}

/* ---- operators that are computed --------------------------------------------------------------------------------- */

static void walk_test(tally *t, case_test *test)
{
    size_t count = 0;
    const ts_level *levels = tensor_levels(&count);
    const bool has_levels = test->file->op->support[0].level != 0;
    error e;
    if (!casefile_prepare(test, &e))
        fail_msg("%s", e.text);
    const uint64_t points = space_points(test->space), step = points / MOST_POINTS + 1;
    for (uint64_t at = 0; at < points; at += step) {
        space_cursor c;
        casebuild b;
        case_class class;
        if (!space_start(&c, test->space, at, points, NULL, NULL))
            break;
        casebuild_init(&b, test, TS_PROFILE_DEFAULT, has_levels ? levels[count - 1] : 0, NULL);
        assert_true(casebuild_class(&b, c.values, &class));
        ts_level level = has_levels ? levels[count - 1] : 0;
        for (size_t l = count; l-- > 0 && has_levels && test->kind == CASE_BEYOND && level >= class.level;)
            level = levels[l];
        if (test->kind == CASE_BEYOND && level >= class.level)
            continue; /* the case is legal at every level that there is */
        casebuild_init(&b, test, TS_PROFILE_DEFAULT, level, NULL);
        if (!casebuild_case(&b, &c, &e))
            fail_msg("%s", e.text);
        judge(t, &b.now.descriptor, test->name);
    }
}

static void test_lines_of_computed_operators(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < file_count; ++i) {
        if (!part_has(i))
            continue;
        tally t = { .op = files[i]->op, .most = UINT32_MAX };
        for (size_t k = 0; k < files[i]->test_count; ++k)
            if (files[i]->tests[k].kind == CASE_INVALID || files[i]->tests[k].kind == CASE_BEYOND)
                walk_test(&t, &files[i]->tests[k]);
        wrong += conclude(&t);
        print_message("%-36s %8llu applied\n", t.op->name, (unsigned long long)t.applied);
    }
    assert_int_equal(wrong, 0);
}

/* ---- operators that are only checked ----------------------------------------------------------------------------- */

static void judge_change(void *context, const ts_descriptor *changed, const field_change *c)
{
    ts_descriptor d = *changed;
    char of[128];
    changes_describe(d.op, c, of, sizeof of);
    judge(context, &d, of);
    if (c->kind != CHANGE_NOTHING && c->kind != CHANGE_TYPE && c->kind != CHANGE_EVERY_TYPE)
        return;
    d.feature_level = d.op->support[0].level;
    judge(context, &d, of);
}

static void test_lines_of_checked_operators(void **state)
{
    json_error_t where;
    unsigned wrong = 0;
    json_t *legal =
        json_load_file(TOUCHSTONE_SOURCE_DIR "/reference/checked/legal.json", JSON_REJECT_DUPLICATES, &where);
    (void)state;
    assert_non_null(legal);
    for (size_t i = 0; i < json_array_size(legal); ++i) {
        error e;
        ts_descriptor d;
        json_t *record = json_array_get(legal, i);
        tally t = { .op = operators_find_known(json_string_value(json_object_get(record, "operator"))),
                    .most = MOST_OF_EACH };
        assert_non_null(t.op);
        assert_true(clause_count(t.op) <= MOST_CLAUSES);
        if (!descriptor_from_json(t.op, json_object_get(record, "descriptor"), &d, NULL, &e))
            fail_msg("%s: %s", t.op->name, e.text);
        changes_each(&d, judge_change, &t);
        wrong += conclude(&t);
    }
    json_decref(legal);
    assert_int_equal(wrong, 0);
}

/* ---- rules that users add ---------------------------------------------------------------------------------------- */

/* What a choice of --profile suggests keeps the rule that it is for, and breaks no clause. */
static void test_lines_of_choices(void **state)
{
    static const struct {
        const char *choice, *lists;
    } broken[] = {
        { "ov_equal_masks", "\"end\":[2,1],\"begin_mask\":[0,1],\"end_mask\":[1]" },
        { "strict_shrink", "\"end\":[2,1],\"shrink_axis_mask\":[1,0]" },
    };
    const ts_operator *op = operators_find_known("openvino.strided_slice");
    unsigned tried = 0;
    (void)state;
    assert_int_equal(op->choice_count, sizeof broken / sizeof broken[0]);
    for (unsigned i = 0; i < op->choice_count; ++i) {
        static ts_suggestion found;
        const ts_choice *choice = &op->choices[i];
        char text[256];
        ts_descriptor d;
        ts_report report, before;
        error e;
        for (size_t k = 0; k < sizeof broken / sizeof broken[0]; ++k)
            if (strcmp(broken[k].choice, choice->name) == 0)
                snprintf(text, sizeof text, "{\"data\":{\"type\":\"f32\",\"shape\":[4,4]},\"begin\":[1,0],%s}",
                         broken[k].lists);
        json_t *json = json_loads(text, 0, NULL);
        assert_non_null(json);
        if (!descriptor_from_json(op, json, &d, NULL, &e))
            fail_msg("%s", e.text);
        json_decref(json);
        memset(&report, 0, sizeof report);
        memset(&before, 0, sizeof before);
        operator_check(&d, &before);
        choice->check(&d, &report);
        assert_true(report.count > 0);
        report.items[0].suggest = choice->suggest;
        check_suggest_find(&d, &report.items[0], &found);
        assert_true(found.count > 0);
        for (unsigned n = 0; n < suggest_apply_choices(&found.options[0]); ++n, ++tried) {
            ts_descriptor changed = d;
            ts_report after;
            memset(&after, 0, sizeof after);
            assert_true(suggest_apply(&changed, &found.options[0], n));
            choice->check(&changed, &after);
            assert_int_equal(after.count, 0);
            operator_check(&changed, &after);
            assert_int_equal(after.count, before.count);
        }
    }
    assert_true(tried >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_of_computed_operators),
        cmocka_unit_test(test_lines_of_checked_operators),
        cmocka_unit_test(test_lines_of_choices),
    };
    return cmocka_run_group_tests(tests, load_all_shipped, free_all_shipped);
}
