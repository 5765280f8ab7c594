/* SPDX-License-Identifier: Apache-2.0 */
/* How grave what was found is. */
#include "harness/check/check_class.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const ts_clause clauses[] = {
    { .id = "SL-01", .text = "stated", .basis = TS_STATED, .result = TS_RESULT_INVALID },
    { .id = "SL-02", .text = "decided", .basis = TS_DECIDED, .result = TS_RESULT_INVALID },
    { .id = "JO-10",
      .text = "observed",
      .basis = TS_OBSERVED,
      .result = TS_RESULT_INVALID,
      .refused_by = "DirectML 1.15.4" },
};
static const ts_support_row with_levels[] = { { .level = 1 } }, without[] = { { .level = 0 } };
static const ts_operator leveled = {
    .name = "x", .clauses = clauses, .clause_count = 3, .support = with_levels, .support_count = 1
};
static const ts_operator plain = {
    .name = "x", .clauses = clauses, .clause_count = 3, .support = without, .support_count = 1
};

static check_class class_of(const ts_operator *op, const char *clause, ts_result result, const char *allowed)
{
    static ts_descriptor d;
    check_options o = { .allowed_count = 0 };
    const ts_violation v = { .clause = clause, .result = result };
    error e;
    d.op = op;
    if (allowed)
        assert_true(check_allow(&o, allowed, &e));
    return check_class_of_violation(&d, &v, &o);
}

static void results_have_classes(void **state)
{
    (void)state;
    assert_int_equal(class_of(&leveled, "SL-01", TS_RESULT_INVALID, NULL), CHECK_INVALID);
    assert_int_equal(class_of(&leveled, "SL-01", TS_RESULT_BIND_ERROR, NULL), CHECK_INVALID);
    assert_int_equal(class_of(&leveled, "SL-01", TS_RESULT_UNSUPPORTED_FL, NULL), CHECK_UNSUPPORTED);
    assert_int_equal(class_of(&plain, "SL-01", TS_RESULT_UNSUPPORTED_FL, NULL), CHECK_BEYOND);
    assert_int_equal(class_of(&leveled, "SL-01", TS_RESULT_WARNING, NULL), CHECK_WARNED);
    /* what no page decides is refused only where an implementation is known to do it */
    assert_int_equal(class_of(&leveled, "SL-02", TS_RESULT_OPEN, NULL), CHECK_WARNED);
    assert_int_equal(class_of(&leveled, "JO-10", TS_RESULT_OPEN, NULL), CHECK_REFUSED);
    assert_int_equal(class_of(&leveled, "JO-10", TS_RESULT_OPEN, "jo-10"), CHECK_WARNED);
    assert_int_equal(class_of(&leveled, "JO-10", TS_RESULT_OPEN, "GA-07"), CHECK_REFUSED);
    assert_int_equal(class_of(&leveled, "JO-10", TS_RESULT_INVALID, "JO-10"), CHECK_INVALID);
}

static void classes_have_statuses(void **state)
{
    static const int statuses[] = { 0, 0, 5, 4, 1, 1, 64, 64 };
    (void)state;
    for (int c = CHECK_VALID; c <= CHECK_UNREADABLE; ++c)
        assert_int_equal(check_class_status((check_class)c), statuses[c]);
}

/* An entry of the ledger stands for the clauses that it concerns. */
static void entries_and_clauses_are_allowed(void **state)
{
    check_options o = { .allowed_count = 0 };
    error e;
    (void)state;
    assert_true(check_allow(&o, "e-ga-9", &e));
    assert_true(check_allows(&o, "GA-07"));
    assert_false(check_allows(&o, "GA-14"));
    assert_true(check_allow(&o, "OP-14", &e));
    assert_true(check_allow(&o, "OP-14", &e));
    assert_int_equal(o.allowed_count, 2);
    assert_false(check_allow(&o, "E-SL-99", &e));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_non_null(strstr(e.text, "did you mean 'E-SL-"));
}

/* What breaks a clause that is stated or implied is no warning that could be accepted. */
static void what_gives_no_warning_is_not_allowed(void **state)
{
    static const char *const names[] = { "SL-05", "sl-08", "E-SL-1", "BUF-16" };
    check_options o = { .allowed_count = 0 };
    error e;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        assert_false(check_allow(&o, names[i], &e));
        assert_int_equal(e.status, EXIT_BAD_USAGE);
        assert_non_null(strstr(e.text, "has no warning to accept"));
    }
    assert_true(check_allow(&o, "GRAPH-02", &e));
    assert_true(check_allow(&o, "BUF-12", &e));
    assert_int_equal(o.allowed_count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_have_classes),
        cmocka_unit_test(classes_have_statuses),
        cmocka_unit_test(entries_and_clauses_are_allowed),
        cmocka_unit_test(what_gives_no_warning_is_not_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
