/* SPDX-License-Identifier: Apache-2.0 */
/* GatherTree-1. */
#include "harness/model/value.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { STEPS, PARENTS, LENGTHS, END, OUT };

static ts_descriptor make(uint32_t dtype, uint64_t time, uint64_t batches, uint64_t beams)
{
    ts_descriptor d;
    operator_begin(&d, operators_find("openvino.gather_tree"));
    for (unsigned i = STEPS; i <= OUT; ++i)
        tensor_init(&d.tensors[i], dtype, 3, SIZES(time, batches, beams));
    tensor_init(&d.tensors[LENGTHS], dtype, 1, SIZES(batches));
    tensor_init(&d.tensors[END], dtype, 0, SIZES(1));
    return d;
}

static void shapes_and_types(void **state)
{
    static const char *const shape[] = { "GT1-02", "GT1-05", "GT1-06", "GT1-07", "GT1-08" };
    (void)state;
    ts_descriptor d = make(TS_INT32, 4, 2, 3);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_true(d.op->shape(&d));
    assert_memory_equal(d.tensors[OUT].sizes, SIZES(4, 2, 3), 24);
    for (unsigned i = STEPS; i <= OUT; ++i) {
        d = make(TS_INT32, 4, 2, 3);
        d.tensors[i].given = 0;
        expect_clause(&d, "GT1-01", TS_RESULT_INVALID);
        d = make(TS_INT32, 4, 2, 3);
        d.tensors[i].given &= ~(uint32_t)TS_GIVEN_SIZES;
        expect_clause(&d, "GT1-01", TS_RESULT_INVALID);
        d = make(TS_INT32, 4, 2, 3);
        d.tensors[i].total_bytes -= 1;
        expect_clause(&d, "GT1-04", TS_RESULT_INVALID);
        d = make(TS_INT32, 4, 2, 3);
        d.tensors[i].dtype = TS_FLOAT32;
        expect_clause(&d, "GT1-03", TS_RESULT_INVALID);
        d = make(TS_INT32, 4, 2, 3);
        tensor_init(&d.tensors[i], TS_INT32, 2, SIZES(4, 2));
        expect_clause(&d, shape[i], TS_RESULT_INVALID);
    }
    d = make(TS_BOOLEAN, 4, 2, 3);
    expect_clause(&d, "GT1-15", TS_RESULT_INVALID);
    d = make(TS_INT32, 0, 2, 3);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    for (unsigned k = 0; k < 3; ++k)
        for (unsigned i = PARENTS; i <= OUT; i += OUT - PARENTS) {
            uint64_t sizes[] = { 4, 2, 3 };
            ++sizes[k];
            d = make(TS_INT32, 4, 2, 3);
            tensor_init(&d.tensors[i], TS_INT32, 3, sizes);
            expect_clause(&d, shape[i], TS_RESULT_INVALID);
        }
    d = make(TS_INT32, 4, 2, 3);
    tensor_init(&d.tensors[LENGTHS], TS_INT32, 1, SIZES(3));
    expect_clause(&d, "GT1-06", TS_RESULT_INVALID);
}

static void store(const ts_tensor *t, const int64_t *values, uint64_t count)
{
    assert_int_equal(value_store_ints(t->dtype, t->data, tensor_element_bytes(t->dtype), values, count), count);
}

/* Two batches of two beams, in every type. */
static void every_type_gives_the_same(void **state)
{
    static const uint32_t types[] = { TS_INT8,    TS_UINT8, TS_INT16,  TS_UINT16,   TS_INT32,   TS_UINT32,
                                      TS_FLOAT16, TS_INT64, TS_UINT64, TS_BFLOAT16, TS_FLOAT32, TS_FLOAT64 };
    static const int64_t steps[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    static const int64_t parents[] = { 7, 7, 7, 7, 1, 0, 0, 0, 1, 1, 1, 0 };
    static const int64_t expected[] = { 1, 1, 3, 4, 6, 6, 6, 6, 6, 6, 6, 6 };
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        uint64_t memory[5][12];
        unsigned char right[96] = { 0 };
        ts_unspecified open = { 0 };
        ts_descriptor d = make(types[i], 3, 2, 2);
        for (unsigned k = STEPS; k <= OUT; ++k)
            d.tensors[k].data = memory[k];
        store(&d.tensors[STEPS], steps, 12);
        store(&d.tensors[PARENTS], parents, 12);
        store(&d.tensors[LENGTHS], (const int64_t[]){ 127, 1 }, 2);
        store(&d.tensors[END], (const int64_t[]){ 6 }, 1);
        d.op->run(&d, &open);
        assert_int_equal(open.count, 0);
        assert_false(open.may_fail);
        assert_int_equal(value_store_ints(types[i], right, tensor_element_bytes(types[i]), expected, 12), 12);
        /* batch 0: 6 ends both sequences; batch 1 has one step */
        assert_memory_equal(d.tensors[OUT].data, right, 12 * tensor_element_bytes(types[i]));
    }
}

/* What a parent or a length that there is not leaves undefined. */
static void strays_are_undefined(void **state)
{
    static const struct {
        int32_t parents[4], length;
        uint64_t count;
        int32_t expected[4];
    } cases[] = {
        { { 9, -9, 0, 1 }, 2, 0, { 1, 2, 3, 4 } },        { { 0, 0, 2, 1 }, 2, 2, { 9, 2, 9, 4 } },
        { { 0, 0, 0, -1 }, 2, 2, { 1, 9, 3, 9 } },        { { 0, 0, 5, 5 }, 1, 0, { 1, 2, 9, 9 } },
        { { 0, 0, 0, 0 }, -1, 4, { 9, 9, 9, 9 } },        { { 0, 0, 0, 0 }, 0, 4, { 9, 9, 9, 9 } },
        { { 0, 0, 1, 0 }, INT32_MAX, 0, { 2, 1, 3, 4 } },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int32_t steps[] = { 1, 2, 3, 4 }, parents[4], length = cases[i].length, end = 9, out[4];
        ts_unspecified open = { 0 };
        ts_descriptor d = make(TS_INT32, 2, 1, 2);
        memcpy(parents, cases[i].parents, sizeof parents);
        d.tensors[STEPS].data = steps;
        d.tensors[PARENTS].data = parents;
        d.tensors[LENGTHS].data = &length;
        d.tensors[END].data = &end;
        d.tensors[OUT].data = out;
        d.op->run(&d, &open);
        assert_int_equal(open.count, cases[i].count);
        assert_int_equal(open.may_fail, cases[i].count > 0);
        assert_memory_equal(out, cases[i].expected, sizeof out);
    }
}

/* Integers of float types, and what is none. */
static void numbers_of_float_types(void **state)
{
    static const struct {
        uint32_t dtype;
        uint64_t bits;
        bool beam; /* one of three beams */
    } parents[] = {
        { TS_FLOAT32, 0x40000000, true },
        { TS_FLOAT32, 0x40400000, false },
        { TS_FLOAT32, 0x3F000000, false },
        { TS_FLOAT32, 0x80000000, true },
        { TS_FLOAT32, 0xBF800000, false },
        { TS_FLOAT32, 0x7FC00000, false },
        { TS_FLOAT32, 0x7F800000, false },
        { TS_FLOAT16, 0x4000, true },
        { TS_FLOAT16, 0x4200, false },
        { TS_FLOAT16, 0x3E00, false },
        { TS_FLOAT16, 0x0001, false },
        { TS_FLOAT16, 0x7C00, false },
        { TS_FLOAT16, 0xBC00, false },
        { TS_BFLOAT16, 0x4000, true },
        { TS_BFLOAT16, 0x3F80, true },
        { TS_BFLOAT16, 0x3FC0, false },
        { TS_UINT64, UINT64_MAX, false },
        { TS_INT8, 0xFF, false },
        { TS_FLOAT64, UINT64_C(0x4000000000000000), true },
    };
    (void)state;
    for (size_t i = 0; i < sizeof parents / sizeof parents[0]; ++i) {
        uint64_t memory[5][6] = { { 0 } };
        ts_unspecified open = { 0 };
        ts_descriptor d = make(parents[i].dtype, 2, 1, 3);
        for (unsigned k = STEPS; k <= OUT; ++k)
            d.tensors[k].data = memory[k];
        store(&d.tensors[LENGTHS], (const int64_t[]){ 2 }, 1);
        store(&d.tensors[END], (const int64_t[]){ 9 }, 1);
        value_store_bits(parents[i].dtype, (char *)memory[PARENTS] + 3 * tensor_element_bytes(parents[i].dtype),
                         parents[i].bits);
        d.op->run(&d, &open);
        assert_int_equal(open.count, parents[i].beam ? 0 : 2);
    }
}

/* Both zeros are the end_token 0, and are copied as they are. */
static void zeros_are_equal(void **state)
{
    (void)state;
    float steps[] = { -0.0f, 5, 6 }, parents[] = { 0, 0, 0 }, length = 3, end = 0, out[3];
    const float expected[] = { -0.0f, 0, 0 };
    ts_unspecified open = { 0 };
    ts_descriptor d = make(TS_FLOAT32, 3, 1, 1);
    d.tensors[STEPS].data = steps;
    d.tensors[PARENTS].data = parents;
    d.tensors[LENGTHS].data = &length;
    d.tensors[END].data = &end;
    d.tensors[OUT].data = out;
    d.op->run(&d, &open);
    assert_memory_equal(out, expected, sizeof out);
    int32_t a[] = { INT32_MIN, 5, 6 }, zeros[3] = { 0 }, three = 3, zero = 0, made[3];
    d = make(TS_INT32, 3, 1, 1);
    d.tensors[STEPS].data = a;
    d.tensors[PARENTS].data = zeros;
    d.tensors[LENGTHS].data = &three;
    d.tensors[END].data = &zero;
    d.tensors[OUT].data = made;
    d.op->run(&d, &open);
    assert_memory_equal(made, a, sizeof made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_and_types),     cmocka_unit_test(every_type_gives_the_same),
        cmocka_unit_test(strays_are_undefined), cmocka_unit_test(numbers_of_float_types),
        cmocka_unit_test(zeros_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
