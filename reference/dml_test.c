/* SPDX-License-Identifier: Apache-2.0 */
/* The clauses that all DirectML operators share, each broken once in an otherwise legal ELEMENT_WISE_IDENTITY. */
#include "reference/dml.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

enum { IN, OUT };

static ts_descriptor legal(uint32_t dtype, uint32_t rank, const uint64_t *sizes)
{
    ts_descriptor d;
    operator_begin(&d, operators_find("dml.element_wise_identity"));
    tensor_init(&d.tensors[IN], dtype, rank, sizes);
    tensor_init(&d.tensors[OUT], dtype, rank, sizes);
    return d;
}

static ts_descriptor small(void)
{
    return legal(TS_FLOAT32, 4, SIZES(1, 2, 3, 4));
}

static void expect_needs(const ts_descriptor *d, const char *clause, ts_level needs)
{
    ts_report report = { 0 };
    bool found = false;
    dml_check_buffer(d, IN, &report);
    for (unsigned i = 0; i < report.count; ++i) {
        if (strcmp(report.items[i].clause, clause) == 0) {
            assert_int_equal(report.items[i].result, TS_RESULT_UNSUPPORTED_FL);
            assert_int_equal(report.items[i].needs, needs);
            found = true;
        }
    }
    assert_true(found);
}

static void clauses_are_numbered(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DML_CLAUSE_COUNT; ++i) {
        char id[8];
        snprintf(id, sizeof id, "BUF-%02u", (i + 1) % 100);
        assert_string_equal(dml_clauses[i].id, id);
    }
}

static void legal_descriptors_have_no_violations(void **state)
{
    (void)state;
    ts_descriptor d = small();
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_1_0;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d = legal(TS_UINT64, 8, SIZES(1, 2, 1, 2, 1, 2, 1, 2));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d = small();
    d.tensors[IN].flags = 1; /* OWNED_BY_DML */
    d.tensors[IN].alignment = 256;
    d.tensors[OUT].total_bytes += 4096;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    memset(d.tensors[IN].strides, 0, sizeof d.tensors[IN].strides); /* inputs may broadcast */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[OUT].strides[0] = UINT64_MAX; /* the stride of a dimension of size 1 has no effect */
    expect_clause(&d, NULL, TS_RESULT_NONE);
}

static void absent_descriptors(void **state)
{
    (void)state;
    ts_descriptor d = small();
    d.tensors[IN].given &= ~TS_GIVEN_DESC;
    expect_clause(&d, "BUF-01", TS_RESULT_INVALID);
    d = small();
    d.tensors[OUT].given &= ~TS_GIVEN_SIZES;
    expect_clause(&d, "BUF-06", TS_RESULT_INVALID);
}

static void types(void **state)
{
    (void)state;
    static const uint32_t never[] = { TS_DTYPE_UNKNOWN, TS_BFLOAT16, TS_BOOLEAN, TS_DTYPE_COUNT, UINT32_MAX };
    for (unsigned i = 0; i < sizeof never / sizeof never[0]; ++i) {
        ts_descriptor d = small();
        d.tensors[IN].dtype = d.tensors[OUT].dtype = never[i];
        expect_clause(&d, "BUF-02", TS_RESULT_INVALID);
    }
    ts_descriptor d = legal(TS_INT64, 4, SIZES(1, 1, 1, 1));
    d.feature_level = TS_LEVEL_2_1;
    expect_needs(&d, "BUF-02", TS_LEVEL_3_0);
    d = legal(TS_UINT4, 4, SIZES(1, 1, 1, 1));
    d.feature_level = TS_LEVEL_6_2;
    expect_needs(&d, "BUF-02", TS_LEVEL_6_3);
    d.feature_level = TS_LEVEL_6_3; /* now a known type, but not one of this operator */
    expect_clause(&d, "EI-02", TS_RESULT_INVALID);
}

static void flags(void **state)
{
    (void)state;
    ts_descriptor d = small();
    d.tensors[IN].flags = 2;
    expect_clause(&d, "BUF-03", TS_RESULT_INVALID);
    d = small();
    d.tensors[OUT].flags = 1;
    expect_clause(&d, "BUF-04", TS_RESULT_INVALID);
}

static void dimension_counts(void **state)
{
    (void)state;
    static const uint32_t never[] = { 0, 9, 16, 17, 4000000000u, UINT32_MAX };
    for (unsigned i = 0; i < sizeof never / sizeof never[0]; ++i) {
        ts_descriptor d = legal(TS_FLOAT32, 16, SIZES(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
        d.tensors[IN].rank = d.tensors[OUT].rank = never[i];
        expect_clause(&d, "BUF-05", TS_RESULT_INVALID);
        d.feature_level = TS_LEVEL_2_1;
        expect_clause(&d, "BUF-05", TS_RESULT_INVALID);
    }
    for (uint32_t rank = 6; rank <= 8; ++rank) {
        ts_descriptor d = legal(TS_FLOAT32, rank, SIZES(1, 1, 1, 1, 1, 1, 1, 1));
        d.feature_level = TS_LEVEL_2_1;
        expect_needs(&d, "BUF-05", TS_LEVEL_3_0);
        d.feature_level = TS_LEVEL_3_0;
        expect_clause(&d, NULL, TS_RESULT_NONE);
    }
}

static void sizes_of_zero(void **state)
{
    (void)state;
    ts_descriptor d = small();
    d.tensors[IN].sizes[2] = d.tensors[OUT].sizes[2] = 0;
    expect_clause(&d, "BUF-06", TS_RESULT_INVALID);
    ts_report report = { 0 };
    d.tensors[IN].sizes[0] = 0;
    dml_check_buffer(&d, IN, &report);
    assert_int_equal(report.count, 2); /* one for each axis */
    assert_int_equal(report.items[0].axis, 0);
    assert_int_equal(report.items[1].axis, 2);
}

static void total_sizes(void **state)
{
    (void)state;
    ts_descriptor d = small();
    d.tensors[OUT].total_bytes -= 1;
    expect_clause(&d, "BUF-10", TS_RESULT_INVALID);
    d = legal(TS_UINT8, 1, SIZES(3));
    d.tensors[IN].total_bytes = 3; /* rounds up to 4 */
    expect_clause(&d, "BUF-10", TS_RESULT_INVALID);
    d.tensors[IN].total_bytes = 5;
    expect_clause(&d, "BUF-13", TS_RESULT_WARNING);
}

/* The helper that Microsoft publishes computes in 32 bits and gets 8 bytes for the last of these. */
static void too_many_elements(void **state)
{
    (void)state;
    ts_descriptor d = legal(TS_UINT8, 2, SIZES(65536, 65536));
    expect_clause(&d, "BUF-11", TS_RESULT_INVALID);
    d = legal(TS_UINT32, 2, SIZES(65537, 65535)); /* 2^32 - 1 */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d = legal(TS_UINT8, 2, SIZES(65536, 65536)); /* logically many, physically one */
    memset(d.tensors[IN].strides, 0, sizeof d.tensors[IN].strides);
    memcpy(&d.tensors[OUT], &d.tensors[IN], sizeof d.tensors[IN]);
    expect_clause(&d, "BUF-21", TS_RESULT_OPEN);
    d.decisions = TS_DECISIONS_BINDING;
    expect_clause(&d, "BUF-21", TS_RESULT_INVALID);
    d = legal(TS_UINT8, 8, SIZES(65536, 65536, 65536, 65536, 65536, 2, 2, 2)); /* wraps 64 bits */
    expect_clause(&d, "BUF-11", TS_RESULT_INVALID);
    d = legal(TS_FLOAT32, 2, SIZES(2, 2));
    d.tensors[IN].strides[0] = UINT32_MAX;
    d.tensors[IN].total_bytes = UINT64_MAX - 3;
    expect_clause(&d, "BUF-11", TS_RESULT_INVALID);
    d.tensors[IN].strides[0] = UINT64_MAX;
    expect_clause(&d, "BUF-11", TS_RESULT_INVALID);
}

/* Bytes behind the elements may count as elements: the last three of 2^32 - 1 bytes, and any padding. */
static void too_many_bytes(void **state)
{
    (void)state;
    ts_descriptor d = legal(TS_UINT8, 1, SIZES(4294967292));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[IN].total_bytes += 4;
    expect_clause(&d, "BUF-24", TS_RESULT_WARNING);
    d = legal(TS_UINT8, 1, SIZES(4294967295));
    expect_clause(&d, "BUF-24", TS_RESULT_WARNING);
    d = legal(TS_FLOAT32, 1, SIZES(1));
    d.tensors[OUT].total_bytes = (UINT64_C(1) << 34) - 4;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[OUT].total_bytes += 4;
    expect_clause(&d, "BUF-24", TS_RESULT_WARNING);
    d.tensors[OUT].total_bytes = UINT64_MAX - 3;
    expect_clause(&d, "BUF-24", TS_RESULT_WARNING);
}

static void overlapping_outputs(void **state)
{
    (void)state;
    ts_descriptor d = legal(TS_FLOAT32, 2, SIZES(2, 4));
    d.tensors[OUT].strides[0] = 0;
    expect_clause(&d, "BUF-12", TS_RESULT_OPEN);
    d.tensors[OUT].strides[0] = 9; /* DirectML itself accepts {9, 3} */
    d.tensors[OUT].strides[1] = 3;
    d.tensors[OUT].total_bytes = 4096;
    expect_clause(&d, "BUF-12", TS_RESULT_OPEN);
    d.decisions = TS_DECISIONS_BINDING;
    expect_clause(&d, "BUF-12", TS_RESULT_INVALID);
    d.decisions = TS_DECISIONS_OPEN;
    d.tensors[OUT].strides[0] = 1; /* transposed */
    d.tensors[OUT].strides[1] = 2;
    expect_clause(&d, NULL, TS_RESULT_NONE);
}

static void alignments(void **state)
{
    (void)state;
    for (uint32_t alignment = 0; alignment < 4096; ++alignment) {
        ts_descriptor d = small(); /* elements of 4 bytes */
        d.tensors[IN].alignment = alignment;
        bool power = (alignment & (alignment - 1)) == 0;
        if (alignment == 0 || (power && alignment >= 16))
            expect_clause(&d, NULL, TS_RESULT_NONE);
        else if (power && alignment >= 4)
            expect_clause(&d, "BUF-22", TS_RESULT_OPEN);
        else
            expect_clause(&d, "BUF-14", TS_RESULT_INVALID);
    }
    ts_descriptor d = small();
    d.tensors[OUT].alignment = 0x80000000;
    expect_clause(&d, NULL, TS_RESULT_NONE);
}

/* A violation does not hide violations of independent clauses. */
static void check_reports_all_violations(void **state)
{
    (void)state;
    static const char *const expected[] = { "BUF-02", "BUF-03", "BUF-04", "BUF-05", "BUF-14", "BUF-12", "BUF-10" };
    ts_descriptor d = legal(TS_FLOAT32, 9, SIZES(1, 1, 1, 1, 1, 1, 1, 2, 2));
    ts_report report = { 0 };
    ts_tensor *t = &d.tensors[OUT];
    d.feature_level = TS_LEVEL_2_1;
    t->dtype = TS_INT64;
    t->flags = 3;
    t->alignment = 4;
    t->strides[7] = 1;
    t->total_bytes = 20;
    dml_check_buffer(&d, OUT, &report);
    assert_int_equal(report.count, 7);
    for (unsigned i = 0; i < 7; ++i)
        assert_string_equal(report.items[i].clause, expected[i]);
    assert_int_equal(report.worst, TS_RESULT_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clauses_are_numbered),
        cmocka_unit_test(legal_descriptors_have_no_violations),
        cmocka_unit_test(absent_descriptors),
        cmocka_unit_test(types),
        cmocka_unit_test(flags),
        cmocka_unit_test(dimension_counts),
        cmocka_unit_test(sizes_of_zero),
        cmocka_unit_test(total_sizes),
        cmocka_unit_test(too_many_elements),
        cmocka_unit_test(too_many_bytes),
        cmocka_unit_test(overlapping_outputs),
        cmocka_unit_test(alignments),
        cmocka_unit_test(check_reports_all_violations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
