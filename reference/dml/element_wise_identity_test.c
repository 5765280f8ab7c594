/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/expect_clause.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { IN, OUT };

static ts_descriptor make(uint32_t dtype, uint32_t rank, const uint64_t *sizes, ts_level level)
{
    ts_descriptor d;
    operator_begin(&d, operators_find("dml.element_wise_identity"));
    d.feature_level = level;
    tensor_init(&d.tensors[IN], dtype, rank, sizes);
    tensor_init(&d.tensors[OUT], dtype, rank, sizes);
    return d;
}

static void check_reports_each_clause(void **state)
{
    (void)state;
    ts_descriptor d = make(TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_LEVEL_1_0);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = 0x0500;
    expect_clause(&d, "EI-01", TS_RESULT_UNSUPPORTED_FL);
    d = make(TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_LEVEL_6_4);
    memset(&d.tensors[OUT], 0, sizeof d.tensors[OUT]);
    expect_clause(&d, "EI-01", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_LEVEL_6_4);
    d.tensors[OUT].dtype = TS_INT32;
    expect_clause(&d, "EI-02", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_LEVEL_6_4);
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 3, SIZES(2, 3, 4));
    expect_clause(&d, "EI-03", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_LEVEL_6_4);
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 4, SIZES(1, 2, 4, 3));
    expect_clause(&d, "EI-04", TS_RESULT_INVALID);
    assert_true(d.op->shape(&d));
    assert_memory_equal(d.tensors[OUT].sizes, d.tensors[IN].sizes, 4 * sizeof(uint64_t));
}

/* The last value inside and the first outside of each row. */
static void rows_of_the_support_table(void **state)
{
    (void)state;
    static const struct {
        ts_level level;
        uint32_t dtype, rank;
        const char *clause;
    } cases[] = {
        { TS_LEVEL_1_0, TS_FLOAT16, 5, NULL },    { TS_LEVEL_2_0, TS_INT32, 4, "EI-02" },
        { TS_LEVEL_2_1, TS_INT32, 4, NULL },      { TS_LEVEL_2_1, TS_INT32, 3, "EI-03" },
        { TS_LEVEL_3_0, TS_INT32, 1, NULL },      { TS_LEVEL_3_0, TS_INT32, 8, NULL },
        { TS_LEVEL_4_0, TS_FLOAT64, 1, "EI-02" }, { TS_LEVEL_4_1, TS_FLOAT64, 8, NULL },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        ts_descriptor d = make(cases[i].dtype, cases[i].rank, SIZES(1, 1, 1, 1, 1, 1, 1, 1), cases[i].level);
        expect_clause(&d, cases[i].clause, TS_RESULT_UNSUPPORTED_FL);
    }
}

static void layouts_are_converted(void **state)
{
    (void)state;
    uint32_t in[64], out[64];
    ts_descriptor d = make(TS_FLOAT32, 2, SIZES(3, 4), 0);
    d.tensors[IN].data = in;
    d.tensors[OUT].data = out;
    d.tensors[IN].strides[0] = 0;  /* broadcast rows */
    d.tensors[OUT].strides[0] = 2; /* transposed, with gaps */
    d.tensors[OUT].strides[1] = 7;
    d.tensors[OUT].total_bytes = sizeof out;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    for (unsigned i = 0; i < 64; ++i) {
        in[i] = 0x7FA00000 + i; /* signalling NaNs */
        out[i] = 0xDEADBEEF;
    }
    d.op->run(&d, NULL);
    for (unsigned i = 0; i < 64; ++i) {
        bool written = false;
        for (unsigned y = 0; y < 3; ++y) {
            for (unsigned x = 0; x < 4; ++x) {
                if (i == 2 * y + 7 * x) {
                    assert_int_equal(out[i], in[x]);
                    written = true;
                }
            }
        }
        if (!written)
            assert_int_equal(out[i], 0xDEADBEEF);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_reports_each_clause),
        cmocka_unit_test(rows_of_the_support_table),
        cmocka_unit_test(layouts_are_converted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
