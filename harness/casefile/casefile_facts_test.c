/* SPDX-License-Identifier: Apache-2.0 */
/* What queries can read of the descriptors of cases: laws that hold for all cases of a test. */
#include "harness/casefile/plan.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static error e;

/* The cases of a query in tier quick. */
static uint64_t cases_of(const char *query)
{
    plan p;
    uint64_t sum = 0;
    if (!plan_make(&p, &query, 1, TIER_QUICK, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < p.item_count; ++i) {
        uint64_t count;
        if (!space_count(p.items[i].test->space, p.items[i].first, p.items[i].end, NULL, NULL, &count, &e))
            fail_msg("%s", e.text);
        sum += count;
    }
    plan_free(&p);
    return sum;
}

static void laws_hold(void **state)
{
    (void)state;
    static const struct {
        const char *test, *given, *law;
    } rows[] = {
        { "dml.gather:pairwise", "legal", "Copy.Row * Copy.Rows == product(OutputTensor.Sizes)" },
        { "dml.gather:pairwise", "Copy.Loops > 0", "Copy.Outer == Copy.Sizes[1]" },
        { "dml.slice1:pairwise", "Copy.Loops > 0", "Copy.OuterFrom == Copy.From[1] and Copy.OuterTo == Copy.To[1]" },
        { "dml.slice1:pairwise", "Copy.Loops <= 1", "Copy.Outer == Copy.Row and Copy.OuterFrom == Copy.RowFrom" },
        { "dml.gather:pairwise", "index_dims == 1 and own == 1 and axis == 0",
          "product(OutputTensor.Sizes) == index_size[1]" },
        { "dml.gather:examples", "legal", "product(OutputTensor.Sizes) == Copy.Row * Copy.Rows" },
        { "dml.slice1:pairwise", "legal", "product(Copy.Sizes) == product(OutputTensor.Sizes)" },
        { "dml.slice1:pairwise", "each(stride > 0)", "each(Copy.From >= 0)" },
        { "dml.slice1:pairwise", "any(Copy.From < 0)", "any(stride < 0)" },
        { "dml.slice1:pairwise", "in_layout == packed", "InputTensor.Packed == 1 and InputTensor.StridesGiven == 0" },
        { "dml.slice1:pairwise", "in_layout == packed", "InputTensor.Span == product(InputTensor.Sizes)" },
        { "dml.element_wise_identity:pairwise", "in_layout == out_layout and in_layout == packed",
          "Copy.Loops <= 1 and Copy.Rows == 1 and Copy.Across == 0 and Copy.RowFrom == 1 and Copy.RowTo == 1" },
        { "dml.element_wise_identity:pairwise",
          "in_layout == transposed and out_layout == packed and rank == 2 and each(size > 1)",
          "Copy.Across == size[1] and Copy.Row == size[2] and Copy.PitchFrom == 1 and Copy.RowFrom == size[1]" },
        { "dml.element_wise_identity:pairwise", "in_layout == packed and out_layout == padded and rank == 2",
          "OutputTensor.Packed == 0 or size[1] == 1" },
        { "dml.element_wise_identity:pairwise", "in_layout == packed", "InputTensor.Extra == in_extra" },
        { "dml.slice1:pairwise", "legal and in_layout == packed",
          "InputTensor.TotalTensorSizeInBytes >= InputTensor.Span * ElementBytes + InputTensor.Extra" },
        { "dml.random_generator:exhaustive", "legal", "Copy.Row * Copy.Rows == product(OutputTensor.Sizes)" },
        { "openvino.strided_slice:pairwise", "any(output.Sizes == 0)", "Copy.Row == 0 and Copy.Rows == 0" },
        { "openvino.strided_slice:pairwise", "each(output.Sizes ~= 0)",
          "product(Copy.Sizes) == product(output.Sizes)" },
        { "openvino.strided_slice:pairwise", "steps == 0 and in_layout == packed and out_layout == packed",
          "output.Span == data.Span and Copy.Rows <= 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char query[600];
        snprintf(query, sizeof query, "%s where %s", rows[i].test, rows[i].given);
        const uint64_t given = cases_of(query);
        snprintf(query, sizeof query, "%s where (%s) and (%s)", rows[i].test, rows[i].given, rows[i].law);
        const uint64_t both = cases_of(query);
        if (given == 0 || both != given)
            fail_msg("%s: %llu of %llu", query, (unsigned long long)both, (unsigned long long)given);
    }
}

int main(void)
{
    testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases");
    const struct CMUnitTest tests[] = { cmocka_unit_test(laws_hold) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
