/* SPDX-License-Identifier: Apache-2.0 */
/* The shipped illegal cases. Each breaks the clause of its test and no other, at every feature level where it would be
   legal otherwise. A case beyond a feature level breaks nothing at a higher level. Some case breaks each clause, and
   some legal case is at the limit of each. */
#include "cases/shipped.h"
#include "harness/casefile/casebuild.h"
#include "harness/casefile/validation.h"
#include "harness/testing/legal_call.h"
#include "harness/testing/part.h"
#include "harness/testing/sanitizer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define SHARE        (UNDER_SANITIZER ? 5 : 1)
#define MOST_DRAWS   (500 / SHARE)   /* of a drawn test */
#define MOST_POINTS  (15000 / SHARE) /* per test; evenly spread in larger tests */
#define MOST_CLAUSES 64

/* How many cases break each clause: those of an operator, then those of its specification. */
static uint64_t (*broken)[MOST_CLAUSES];

/* Clauses that no descriptor of an operator can break alone, apart from the clauses about binding. */
static const struct {
    const char *op, *clause, *reason;
} exceptions[] = {
    { NULL, NULL, NULL }, /* none yet */
};

static int load_all(void **state)
{
    if (load_all_shipped(state) != 0)
        return -1;
    broken = calloc(file_count, sizeof *broken);
    return broken ? 0 : -1;
}

static int free_all(void **state)
{
    free(broken);
    return free_all_shipped(state);
}

/* Fail if the walk ended because a predicate failed or a point could not be drawn. */
static void fail_if_broken(const space_cursor *c)
{
    error e;
    if (space_failed(c, &e))
        fail_msg("%s", e.text);
}

static void count_broken(size_t file, const char *clause)
{
    const ts_operator *op = files[file]->op;
    assert_true(op->clause_count + op->shared_count <= MOST_CLAUSES);
    for (unsigned k = 0; k < op->clause_count + op->shared_count; ++k) {
        const ts_clause *c = k < op->clause_count ? &op->clauses[k] : &op->shared[k - op->clause_count];
        if (strcmp(c->id, clause) == 0)
            ++broken[file][k];
    }
}

static bool complain(const space_cursor *c, const casebuild *b, const char *what, const char *text)
{
    char id[CASE_ID_SIZE];
    space_format_id(c, id, sizeof id);
    print_error("%s at level %s %s: %s\n", id, tensor_level_name(b->level), what, text);
    return false;
}

/* Check the current case with the reference. It must report at least one refusing violation; each must be of this
   clause (NULL: of any) and, if beyond is set, about the feature level. Otherwise prints the case and returns false. */
static bool check_case(size_t file, const space_cursor *c, const casebuild *b, const char *clause, bool beyond)
{
    ts_report report;
    unsigned refusing = 0;
    memset(&report, 0, sizeof report);
    operator_check(&b->now.descriptor, &report);
    if (report.dropped > 0) /* one of another clause might be lost */
        return complain(c, b, "breaks too much to list, among it", report.items[0].text);
    for (unsigned i = 0; i < report.count; ++i) {
        const ts_violation *v = &report.items[i];
        if (!operator_graver(v->result, TS_RESULT_UNSPECIFIED))
            continue;
        ++refusing;
        if (clause && strcmp(v->clause, clause) != 0)
            return complain(c, b, "breaks as well", v->text);
        if (beyond && v->needs == 0) /* unsupported, or open where pages differ about the level */
            return complain(c, b, "does not depend on the feature level", v->text);
        count_broken(file, v->clause);
    }
    return refusing > 0 || complain(c, b, "is legal", clause ? clause : "feature level");
}

/* Check the current point at every relevant level, or once if the operator has no levels. Counts in *checked. */
static bool check_point(size_t file, const case_test *t, space_cursor *c, uint64_t *checked)
{
    size_t count = 0;
    const ts_level *levels = tensor_levels(&count), none = 0;
    bool has_levels = t->file->op->support[0].level != 0, beyond = t->kind == CASE_BEYOND;
    casebuild b;
    case_class class;
    error e;
    if (!has_levels) {
        levels = &none;
        count = 1;
    }
    casebuild_init(&b, t, TS_PROFILE_DEFAULT, has_levels ? levels[count - 1] : 0, NULL);
    assert_true(casebuild_class(&b, c->values, &class));
    assert_true(class.has_level);
    for (size_t l = count; l-- > 0;) {
        if (beyond == (levels[l] >= class.level))
            continue;
        casebuild_init(&b, t, TS_PROFILE_DEFAULT, levels[l], NULL);
        if (!casebuild_case(&b, c, &e))
            fail_msg("%s", e.text);
        if (!check_case(file, c, &b, t->clause, beyond))
            return false;
        ++*checked;
    }
    return true;
}

/* Check the cases of a test, up to the first failure. */
static bool walk_test(size_t file, case_test *t)
{
    uint64_t points, step, walked = 0, checked = 0;
    space_cursor c;
    error e;
    if (!casefile_prepare(t, &e))
        fail_msg("%s", e.text);
    points = space_points(t->space);
    step = points > MOST_POINTS ? points / MOST_POINTS : 1;
    if (t->draw) /* each of its cases is another one, and takes as long as a hundred */
        step = points / MOST_DRAWS + 1;
    bool more = space_start(&c, t->space, 0, points, NULL, NULL);
    while (more) {
        uint64_t next = c.index + step;
        if (!check_point(file, t, &c, &checked))
            return false;
        ++walked;
        more = step == 1 ? space_next(&c) : space_start(&c, t->space, next, points, NULL, NULL);
    }
    fail_if_broken(&c);
    print_message("%-28s %-34s %8llu\n", t->file->op->name, t->name, (unsigned long long)walked);
    if (walked == 0 || checked == 0)
        fail_msg("%s:%s has no case", t->file->op->name, t->name);
    return true;
}

static void test_each_case_breaks_one_clause(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < file_count; ++i)
        for (size_t t = 0; part_has(i) && t < files[i]->test_count; ++t)
            if (files[i]->tests[t].kind == CASE_INVALID || files[i]->tests[t].kind == CASE_BEYOND)
                wrong += !walk_test(i, &files[i]->tests[t]);
    assert_int_equal(wrong, 0);
}

/* Is the clause one of those whose limit the test reaches from inside? */
static bool reaches(const case_test *t, const char *clause)
{
    const size_t n = strlen(clause);
    for (const char *at = t->inside; at && *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (length == n && strncmp(at, clause, n) == 0)
            return true;
        at += length;
    }
    return false;
}

/* Each clause that some test breaks has a test of the legal side of its limit. */
static void test_every_limit_has_a_legal_side(void **state)
{
    unsigned missing = 0;
    (void)state;
    for (size_t i = 0; i < file_count; ++i)
        for (size_t t = 0; t < files[i]->test_count; ++t) {
            const char *clause = files[i]->tests[t].clause;
            bool found = !clause;
            for (size_t k = 0; k < files[i]->test_count && !found; ++k)
                found = reaches(&files[i]->tests[k], clause);
            if (!found) {
                print_error("%s: %s breaks %s; no test declared with op:limit \"%s\" has cases that just do not\n",
                            files[i]->op->name, files[i]->tests[t].name, clause, clause);
                ++missing;
            }
        }
    assert_int_equal(missing, 0);
}

/* Check a legal case at the lowest level of its class and at the highest. */
static bool check_legal(const case_test *t, space_cursor *c)
{
    size_t count = 0;
    const ts_level *levels = tensor_levels(&count);
    const bool has_levels = t->file->op->support[0].level != 0;
    ts_level at[2] = { 0, has_levels ? levels[count - 1] : 0 };
    casebuild b;
    case_class class;
    error e;
    casebuild_init(&b, t, TS_PROFILE_DEFAULT, at[1], NULL);
    assert_true(casebuild_class(&b, c->values, &class));
    at[0] = class.level;
    for (unsigned l = 0; l < 2; ++l) {
        ts_report report;
        memset(&report, 0, sizeof report);
        casebuild_init(&b, t, TS_PROFILE_DEFAULT, at[l], NULL);
        if (!casebuild_case(&b, c, &e))
            fail_msg("%s", e.text);
        operator_check(&b.now.descriptor, &report);
        if (operator_graver(report.worst, TS_RESULT_WARNING))
            return complain(c, &b, "is not legal", report.items[0].text);
    }
    return true;
}

static void test_limits_are_legal(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < file_count; ++i)
        for (size_t t = 0; part_has(i) && t < files[i]->test_count; ++t) {
            const case_test *test = &files[i]->tests[t];
            space_cursor c;
            bool fine = true;
            if (!test->inside)
                continue;
            const uint64_t end = test->draw && space_points(test->space) > MOST_DRAWS ? MOST_DRAWS : UINT64_MAX;
            for (bool more = space_start(&c, test->space, 0, end, NULL, NULL); more && fine; more = space_next(&c))
                fine = check_legal(test, &c);
            fail_if_broken(&c);
            wrong += !fine;
        }
    assert_int_equal(wrong, 0);
}

static bool is_exception(const char *op, const char *clause)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; ++i)
        if (exceptions[i].op && strcmp(exceptions[i].op, op) == 0 && strcmp(exceptions[i].clause, clause) == 0)
            return true;
    return false;
}

/* Runs after the test above, which counts. */
static void test_every_clause_is_broken(void **state)
{
    unsigned missing = 0;
    (void)state;
    for (size_t i = 0; i < file_count; ++i) {
        const ts_operator *op = files[i]->op;
        const validation *v = files[i]->validation;
        for (size_t k = 0; v && k < v->clause_count; ++k)
            count_broken(i, v->clauses[k].id);
        for (size_t k = 0; k < files[i]->example_count; ++k)
            if (files[i]->examples[k].invalid)
                count_broken(i, files[i]->examples[k].invalid);
        for (unsigned k = 0; part_has(i) && k < op->clause_count + op->shared_count; ++k) {
            const ts_clause *c = k < op->clause_count ? &op->clauses[k] : &op->shared[k - op->clause_count];
            bool breakable = c->result == TS_RESULT_INVALID || c->result == TS_RESULT_UNSUPPORTED_FL;
            breakable = breakable && (!operators_declared(op) || declared_can_break(op, c->id));
            if (breakable && broken[i][k] == 0 && !is_exception(op->name, c->id)) {
                print_error("%s: no case breaks %s: %s\n", op->name, c->id, c->text);
                ++missing;
            }
            if (broken[i][k] > 0 && is_exception(op->name, c->id)) {
                print_error("%s: %s is an exception, and is broken\n", op->name, c->id);
                ++missing;
            }
        }
    }
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_case_breaks_one_clause),
        cmocka_unit_test(test_every_clause_is_broken),
        cmocka_unit_test(test_every_limit_has_a_legal_side),
        cmocka_unit_test(test_limits_are_legal),
    };
    return cmocka_run_group_tests(tests, load_all, free_all);
}
