/* SPDX-License-Identifier: Apache-2.0 */
/* The generator of mutants: the build mutates mutate_sample.c as it does the reference; these tests run the result. */
#include "audit/mutate/mutate_sample.h"
#include "audit/mutate/mutate_testing.h"

static void test_ids(void **state)
{
    (void)state;
    assert_true(schemata_all.count > 30);
    for (uint32_t m = 0; m < schemata_all.count; ++m) {
        assert_string_equal(schemata_all.mutants[m].file, "mutate_sample.c");
        assert_int_equal(schemata_all.mutants[m].subject, MUTANT_OF_REFERENCE);
        for (uint32_t k = 0; k < m; ++k)
            assert_string_not_equal(schemata_all.mutants[k].id, schemata_all.mutants[m].id);
    }
    assert_string_equal(schemata_all.mutants[find("sample_less", "a < b", ":relation:le")].id,
                        "mutate_sample.c:7:14:relation:le");
}

static void test_relations(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        bool less, same, more, far; /* 1 and 2, 2 and 2, 2 and 1, 2^31 and 1 */
    } all[] = { { ":relation:le", true, true, false, false }, { ":relation:gt", false, false, true, true },
                { ":relation:ge", false, true, true, true },  { ":relation:eq", false, true, false, false },
                { ":relation:ne", true, false, true, true },  { ":relation:signed", true, false, false, true } };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        selected("sample_less", "a < b", all[i].kind);
        assert_int_equal(sample_less(1, 2), all[i].less);
        assert_int_equal(sample_less(2, 2), all[i].same);
        assert_int_equal(sample_less(2, 1), all[i].more);
        assert_int_equal(sample_less(UINT32_C(1) << 31, 1), all[i].far);
    }
    schemata.selected = MUTANT_NONE;
    assert_true(sample_less(1, 2));
    assert_false(sample_less(2, 2));
    assert_int_equal(find("sample_less", "a < b", ":relation:lt"), MUTANT_NONE); /* the original */
    assert_int_equal(find("sample_sum", "i < n", ":relation:ne"), MUTANT_NONE);  /* equivalent for a counter */
}

static void test_values(void **state)
{
    const uint32_t values[] = { 5, 7, 11, 13 };
    (void)state;
    selected("sample_sum", "sum += values[i]", ":statement:drop");
    assert_int_equal(sample_sum(values, 3), 0);
    selected("sample_sum", "sum += values[i]", ":statement:twice");
    assert_int_equal(sample_sum(values, 3), 2 * (5 + 7 + 11));
    selected("sample_sum", "values[i]", ":index:next");
    assert_int_equal(sample_sum(values, 3), 7 + 11 + 13);
    selected("sample_sum", "i < n", ":relation:le");
    assert_int_equal(sample_sum(values, 3), 5 + 7 + 11 + 13);
    selected("sample_product", "(uint64_t)a * b", ":width:u32");
    assert_int_equal(sample_product(1u << 31, 2), 0);
    selected("sample_clamp", "value > most", ":condition:false");
    assert_int_equal(sample_clamp(9, 3), 9);
    selected("sample_clamp", "value > most", ":condition:true");
    assert_int_equal(sample_clamp(1, 3), 3);
    selected("sample_both", "a && b", ":logic:or");
    assert_true(sample_both(false, true));
    selected("sample_both", "a && b", ":logic:right");
    assert_true(sample_both(false, true));
    assert_false(sample_both(true, false));
    schemata.selected = MUTANT_NONE;
    assert_int_equal(sample_sum(values, 3), 5 + 7 + 11);
    assert_true(sample_product(1u << 31, 2) == UINT64_C(1) << 32);
    assert_int_equal(sample_clamp(9, 3), 3);
}

/* A mutant that would trap or loop without end leaves the call. */
static void test_leaving(void **state)
{
    static const uint32_t values[2000]; /* more than the limit of iterations */
    (void)state;
    if (setjmp(schemata.leave) == 0) {
        selected("sample_quotient", "a / b", ":operation:modulo");
        sample_quotient(INT32_MIN, -1);
        fail_msg("the call returned");
    }
    assert_int_equal(schemata.reason, SCHEMATA_DIVISION);
    if (setjmp(schemata.leave) == 0) {
        selected("sample_sum", "i < n", ":condition:true");
        sample_sum(values, 1);
        fail_msg("the call returned");
    }
    assert_int_equal(schemata.reason, SCHEMATA_ENDLESS);
    schemata.selected = MUTANT_NONE;
}

static bool was_infected(uint32_t m)
{
    for (uint32_t i = 0; i < schemata.listed; ++i)
        if (schemata.list[i] == m)
            return true;
    return false;
}

/* While recording, the original runs, and mutants that would have had another result are noted. */
static void test_recording(void **state)
{
    (void)state;
    schemata.selected = MUTANT_NONE;
    schemata.recording = true;
    schemata.part = MUTANT_CHECK;
    schemata.listed = 0;
    assert_true(sample_less(1, 2));
    schemata.recording = false;
    assert_true(was_infected(find("sample_less", "a < b", ":relation:gt")));
    assert_true(was_infected(find("sample_less", "a < b", ":relation:eq")));
    assert_false(was_infected(find("sample_less", "a < b", ":relation:le")));
    assert_false(was_infected(find("sample_less", "a < b", ":relation:signed")));
    assert_false(was_infected(find("sample_both", "a && b", ":logic:or")));
    for (uint32_t i = 0; i < schemata.listed; ++i)
        assert_int_equal(schemata.infected[schemata.list[i]], MUTANT_CHECK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),     cmocka_unit_test(test_relations), cmocka_unit_test(test_values),
        cmocka_unit_test(test_leaving), cmocka_unit_test(test_recording),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
