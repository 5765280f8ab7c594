/* SPDX-License-Identifier: Apache-2.0 */
/* Operators that compute element by element: which elements have one answer, several or none, and their explanation. */
#include "harness/model/explain.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* One element of each tensor. */
typedef struct call {
    ts_descriptor d;
    uint64_t data[4];
    ts_unspecified open;
} call;

static void begin(call *c, const char *op)
{
    memset(c, 0, sizeof *c);
    operator_begin(&c->d, operators_find(op));
}

static void set(call *c, unsigned tensor, uint32_t dtype, uint64_t bits)
{
    const uint64_t one = 1;
    tensor_init(&c->d.tensors[tensor], dtype, 1, &one);
    c->data[tensor] = bits;
    c->d.tensors[tensor].data = &c->data[tensor];
}

/* The output's element of a legal call. */
static uint64_t run(call *c)
{
    const unsigned out = c->d.op->tensor_count - 1;
    ts_report report = { 0 };
    operator_check(&c->d, &report);
    assert_int_equal(report.worst, TS_RESULT_NONE);
    c->d.op->run(&c->d, &c->open);
    return c->data[out];
}

/* Compute an operator of two inputs, and of one if `b` is not asked for. The output has `result` as its type. */
static uint64_t compute(call *c, const char *op, uint32_t dtype, uint64_t a, uint64_t b, uint32_t result)
{
    begin(c, op);
    const unsigned out = c->d.op->tensor_count - 1;
    set(c, 0, dtype, a);
    if (out > 1)
        set(c, 1, dtype, b);
    set(c, out, result, 0);
    return run(c);
}

static bool allows(const call *c, uint64_t bits)
{
    const uint64_t at[TS_MAX_DIMS] = { 0 };
    ts_answers answers = { .asked = bits };
    c->d.op->answers(&c->d, c->d.op->tensor_count - 1, at, &answers);
    return answers.allowed;
}

#define EQUALS  "dml.element_wise_logical_equals"
#define LESS    "dml.element_wise_logical_less_than"
#define GREATER "dml.element_wise_logical_greater_than"

static void numbers_are_compared(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        uint32_t dtype;
        uint64_t a, b, expected;
    } rows[] = {
        { EQUALS, TS_FLOAT32, 0x80000000, 0, 1 }, /* both zeros */
        { LESS, TS_FLOAT32, 0x80000000, 0, 0 },
        { EQUALS, TS_FLOAT32, 0x7FC00000, 0x7FC00000, 0 }, /* a NaN does not equal itself */
        { GREATER, TS_FLOAT16, 0x7C00, 0x7BFF, 1 },        /* infinity and the greatest number */
        { LESS, TS_FLOAT16, 0xFC00, 0xFBFF, 1 },
        { GREATER, TS_FLOAT16, 0x0001, 0, 1 }, /* a denormal of FLOAT16 counts as itself */
        { GREATER, TS_INT64, 0x80000000, 0, 1 },
        { LESS, TS_INT64, UINT64_MAX, UINT64_C(0xFFFFFFFF00000000), 0 },
        { GREATER, TS_UINT64, UINT64_C(1) << 63, 1, 1 },
        { LESS, TS_INT8, 0x80, 0x7F, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        call c;
        if (compute(&c, rows[i].op, rows[i].dtype, rows[i].a, rows[i].b, TS_UINT32) != rows[i].expected)
            fail_msg("row %zu", i);
        assert_int_equal(c.open.several + c.open.count, 0);
    }
}

/* Direct3D may take a FLOAT32 denormal as a zero, wherever it computes. */
static void denormals_have_two_answers(void **state)
{
    (void)state;
    call c;
    assert_int_equal(compute(&c, GREATER, TS_FLOAT32, 1, 0, TS_UINT8), 1);
    assert_int_equal(c.open.several, 1);
    assert_true(allows(&c, 0) && allows(&c, 1) && !allows(&c, 2));
    assert_int_equal(compute(&c, LESS, TS_FLOAT32, 1, 0x3F800000, TS_UINT8), 1); /* below 1, one way or the other */
    assert_int_equal(c.open.several, 0);
    assert_true(allows(&c, 1) && !allows(&c, 0));
}

static void bits_are_those_of_any_type(void **state)
{
    (void)state;
    call c;
    assert_int_equal(compute(&c, "dml.element_wise_bit_not", TS_FLOAT16, 0x7E01, 0, TS_FLOAT16), 0x81FE);
    assert_int_equal(compute(&c, "dml.element_wise_bit_count", TS_FLOAT64, UINT64_MAX, 0, TS_UINT8), 64);
    assert_int_equal(compute(&c, "dml.element_wise_logical_xor", TS_UINT8, 2, 1, TS_UINT8), 0);
}

/* Any byte but 0 chooses ATensor, and the bits of a NaN stay. */
static void a_condition_chooses_an_operand(void **state)
{
    (void)state;
    static const struct {
        uint32_t dtype;
        uint64_t condition, a, b, expected;
    } rows[] = {
        { TS_FLOAT32, 0, 0x7F800001, 0xFF800001, 0xFF800001 },
        { TS_FLOAT32, 1, 0x7F800001, 0xFF800001, 0x7F800001 },
        { TS_FLOAT16, 0, 0x7C01, 0x0001, 0x0001 },
        { TS_INT64, 255, UINT64_C(1) << 63, 1, UINT64_C(1) << 63 },
        { TS_UINT8, 2, 3, 4, 3 },
        { TS_UINT8, 128, 3, 4, 3 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        call c;
        begin(&c, "dml.element_wise_if");
        assert_int_equal(operator_typed(c.d.op), 1); /* ATensor: the condition has one type alone */
        set(&c, 0, TS_UINT8, rows[i].condition);
        set(&c, 1, rows[i].dtype, rows[i].a);
        set(&c, 2, rows[i].dtype, rows[i].b);
        set(&c, 3, rows[i].dtype, 0);
        assert_int_equal(operator_dtype(&c.d), rows[i].dtype);
        if (run(&c) != rows[i].expected)
            fail_msg("row %zu", i);
        assert_int_equal(c.open.several + c.open.count, 0);
    }
}

/* E-BL-1: the page does not say what a count means that is not below the width. */
static void shifts_by_the_width_are_undefined(void **state)
{
    (void)state;
    call c;
    assert_int_equal(compute(&c, "dml.element_wise_bit_shift_left", TS_UINT8, 255, 7, TS_UINT8), 128);
    assert_int_equal(c.open.count, 0);
    assert_int_equal(compute(&c, "dml.element_wise_bit_shift_left", TS_UINT8, 255, 8, TS_UINT8), 0);
    assert_int_equal(c.open.count, 1);
    for (unsigned i = 0; i < c.d.op->interpretation_count; ++i) {
        const ts_interpretation *other = &c.d.op->interpretations[i];
        if (!other->run)
            continue;
        other->run(&c.d);
        assert_int_equal(c.data[2], strstr(other->name, "32") ? 0 : 255);
    }
}

static void elements_are_explained(void **state)
{
    (void)state;
    call c;
    ts_explanation x;
    bool found = false;
    compute(&c, "dml.element_wise_bit_and", TS_UINT8, 0x0F, 0x3C, TS_UINT8);
    explain_begin(&x, 10);
    c.d.op->explain(&c.d, &x);
    for (size_t i = 0; i < x.count; ++i)
        if (x.items[i].kind == EXPLAIN_ELEMENT) {
            found = true;
            assert_int_equal(x.items[i].element->bits, 0x0C);
            assert_string_equal(x.items[i].element->source, "ATensor 0x0f and BTensor 0x3c");
        }
    assert_true(found);
    explain_end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_compared),      cmocka_unit_test(denormals_have_two_answers),
        cmocka_unit_test(bits_are_those_of_any_type), cmocka_unit_test(shifts_by_the_width_are_undefined),
        cmocka_unit_test(a_condition_chooses_an_operand), cmocka_unit_test(elements_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
