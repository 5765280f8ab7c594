/* SPDX-License-Identifier: Apache-2.0 */
/* What attributes of every kind get from expressions: FLOAT, DML_SCALAR_UNION, records, enumerations, lists. */
#include "harness/casefile/case_attr.h"

#include "harness/base/decimal.h"
#include "harness/model/descriptor.h"
#include "reference/operators.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const symbols[] = { "0" };
static const int64_t keys[] = { 0 };

/* The names of the expressions: a decimal number, an integer, and a vector. */
enum { VALUE, N, PADS, NAMES };
static const expr_name names[NAMES] = {
    [VALUE] = { "value", false, -1, symbols, keys, 1, true },
    [N] = { .name = "n", .per = -1 },
    [PADS] = { .name = "pads", .vector = true, .per = 0 },
};
static const expr_scope scope = { .names = names, .count = NAMES };

static expr *compiled(const char *text)
{
    error e;
    expr *x = expr_compile(text, &scope, "test", &e);
    if (!x)
        fail_msg("%s", e.text);
    return x;
}

static ts_descriptor descriptor_of(const char *op, uint32_t dtype)
{
    ts_descriptor d;
    operator_begin(&d, operators_find_known(op));
    const int type = operator_attr_index(d.op, "PaddingValueDataType");
    if (type >= 0)
        assert_true(operator_set_attr(&d, (unsigned)type, &(int64_t){ dtype }, 1));
    return d;
}

/* Bind an attribute to an expression, where `value` and `n` are these. Its text is as files write it; "" if the
   attribute cannot hold the value. The axis has the same value again where it is asked for (case_attr_axis_value). */
static void expect(ts_descriptor *d, const char *attr, const char *text, case_form form, double value, int64_t n,
                   const char *expected)
{
    char got[128] = "";
    bool failed = false;
    const unsigned k = (unsigned)operator_attr_index(d->op, attr);
    case_attr c = { .value = { .x = compiled(text), .form = form } };
    const expr_value values[NAMES] = { { .v = { decimal_key(value) }, .length = 1 },
                                       { .v = { n }, .length = 1 },
                                       { .v = { 4, 1 }, .length = 2 } };
    const bool stored = case_attr_bind(d, k, &c, -1, -1, false, values, &failed);
    if (stored)
        descriptor_attr_text(d, k, 0, got, sizeof got);
    if (failed || strcmp(got, expected) != 0)
        fail_msg("%s bound to %s, of %g and %lld, is '%s', not '%s'", attr, text, value, (long long)n, got, expected);
    if (stored && *expected)
        assert_int_equal(case_attr_axis_value(d, k, 0, &c.value), expr_eval(c.value.x, values, &failed));
    expr_free(c.value.x);
}

static void a_float_is_bound_to_numbers_integers_and_bits(void **state)
{
    ts_descriptor d = descriptor_of("dml.padding", 0);
    (void)state;
    expect(&d, "PaddingValue", "value", CASE_NUMBER, -1.5, 0, "-1.5");
    expect(&d, "PaddingValue", "value", CASE_NUMBER, -0.0, 0, "-0");
    expect(&d, "PaddingValue", "value", CASE_NUMBER, INFINITY, 0, "inf");
    expect(&d, "PaddingValue", "value", CASE_NUMBER, NAN, 0, "nan(0x7fc00000)");
    expect(&d, "PaddingValue", "value", CASE_NUMBER, 0x1p-149, 0, "1e-45");
    expect(&d, "PaddingValue", "-2.5", CASE_NUMBER, 0, 0, "-2.5");
    expect(&d, "PaddingValue", "value", CASE_NUMBER, 0.1, 0, ""); /* no FLOAT */
    expect(&d, "PaddingValue", "value", CASE_NUMBER, 1e39, 0, "");
    expect(&d, "PaddingValue", "n", CASE_WHOLE, 0, -3, "-3");
    expect(&d, "PaddingValue", "n", CASE_WHOLE, 0, 16777217, "");
    expect(&d, "PaddingValue", "n", CASE_BITS, 0, 0x7f800001, "nan(0x7f800001)");
    expect(&d, "PaddingValue", "n", CASE_BITS, 0, INT64_C(0x100000000), "");
}

static void a_union_has_the_type_that_another_attribute_states(void **state)
{
    static const struct {
        uint32_t dtype;
        const char *text;
        case_form form;
        double value;
        int64_t n;
        const char *expected;
    } rows[] = {
        { TS_FLOAT16, "value", CASE_NUMBER, -1.5, 0, "-1.5" },
        { TS_FLOAT16, "value", CASE_NUMBER, 65504, 0, "65504" },
        { TS_FLOAT16, "value", CASE_NUMBER, 65520, 0, "" },
        { TS_FLOAT64, "value", CASE_NUMBER, 0.1, 0, "0.1" },
        { TS_INT16, "value", CASE_NUMBER, -32768, 0, "-32768" },
        { TS_INT16, "value", CASE_NUMBER, 32768, 0, "" },
        { TS_UINT8, "value", CASE_NUMBER, 1.5, 0, "" },
        { TS_INT8, "value", CASE_NUMBER, NAN, 0, "" },
        { TS_INT8, "n", CASE_WHOLE, 0, -1, "-1" },
        { TS_UINT8, "n", CASE_WHOLE, 0, -1, "" },
        { TS_UINT8, "n", CASE_WHOLE, 0, 255, "255" },
        { TS_INT64, "n", CASE_WHOLE, 0, INT64_MIN, "-9223372036854775808" },
        { TS_UINT64, "n", CASE_WHOLE, 0, -1, "18446744073709551615" },
        { TS_FLOAT32, "n", CASE_WHOLE, 0, 5, "5" },
        { TS_FLOAT64, "n", CASE_WHOLE, 0, -7, "-7" },
        { TS_FLOAT16, "n", CASE_BITS, 0, 0x7C01, "nan(0x7c01)" },
        { TS_FLOAT16, "n", CASE_BITS, 0, 0x10000, "" },
        { TS_UINT64, "n", CASE_BITS, 0, -2, "18446744073709551614" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        ts_descriptor d = descriptor_of("dml.padding1", rows[i].dtype);
        expect(&d, "PaddingValue", rows[i].text, rows[i].form, rows[i].value, rows[i].n, rows[i].expected);
    }
    ts_descriptor untyped = descriptor_of("dml.padding1", 255);
    bool failed = false;
    const unsigned k = (unsigned)operator_attr_index(untyped.op, "PaddingValue");
    case_attr c = { .value = { .x = compiled("2.5"), .form = CASE_NUMBER } };
    assert_true(
        case_attr_bind(&untyped, k, &c, -1, -1, false, NULL, &failed)); /* a case may state no type that exists */
    assert_int_equal(operator_attr_value(&untyped, k, 0), 0);
    expr_free(c.value.x);
}

static void a_union_is_bound_behind_its_type(void **state)
{
    const ts_operator *op = operators_find_known("dml.padding1");
    uint32_t seen = 0;
    (void)state;
    for (unsigned n = 0; n < op->attr_count; ++n) {
        const unsigned k = case_attr_nth(op, n);
        assert_false(seen >> k & 1);
        seen |= 1u << k;
        assert_true(op->attrs[k].type != TS_ATTR_UNION || n + 1 == op->attr_count);
    }
    assert_int_equal(seen, (1u << op->attr_count) - 1);
}

static void a_record_is_bound_by_members(void **state)
{
    bool failed = false;
    ts_descriptor d = descriptor_of("dml.element_wise_clip", 0);
    const unsigned k = (unsigned)operator_attr_index(d.op, "ScaleBias");
    const expr_value values[NAMES] = { { .v = { decimal_key(-0.5) }, .length = 1 }, { .v = { 2 }, .length = 1 } };
    case_attr c = { .members = { { .x = compiled("value"), .form = CASE_NUMBER }, { .x = compiled("n") } },
                    .present = compiled("n") };
    (void)state;
    assert_true(case_attr_is_bound(&c));
    assert_true(case_attr_bind(&d, k, &c, -1, -1, false, values, &failed) && !failed);
    assert_true(d.attrs_given >> k & 1);
    assert_int_equal(operator_attr_value(&d, k, 0), 0xBF000000); /* -0.5 */
    assert_int_equal(operator_attr_value(&d, k, 1), 0x40000000); /* 2 */
    const expr_value absent[NAMES] = { { .v = { 0 }, .length = 1 }, { .v = { 0 }, .length = 1 } };
    assert_true(case_attr_bind(&d, k, &c, -1, -1, false, absent, &failed) && !failed);
    assert_false(d.attrs_given >> k & 1);
    expr_free(c.members[0].x);
    expr_free(c.members[1].x);
    expr_free(c.present);
}

static void an_enumeration_is_bound_to_names(void **state)
{
    case_named named[] = { { 1000, 2 }, { 1001, 0 } };
    bool failed = false;
    ts_descriptor d = descriptor_of("dml.padding", 0);
    const unsigned k = (unsigned)operator_attr_index(d.op, "PaddingMode");
    case_attr c = { .value = { .x = compiled("n"), .form = CASE_NAMED, .named = named, .named_count = 2 } };
    expr_value values[NAMES] = { [N] = { .v = { 1000 }, .length = 1 } };
    (void)state;
    assert_true(case_attr_bind(&d, k, &c, -1, -1, false, values, &failed));
    assert_int_equal(operator_attr_value(&d, k, 0), 2);
    assert_int_equal(case_attr_axis_value(&d, k, 0, &c.value), 1000);
    values[N].v[0] = 7;
    assert_false(case_attr_bind(&d, k, &c, -1, -1, false, values, &failed));
    expr_free(c.value.x);
}

static void a_list_is_bound_to_a_vector(void **state)
{
    bool failed = false;
    ts_descriptor d = descriptor_of("dml.padding", 0);
    const unsigned k = (unsigned)operator_attr_index(d.op, "StartPadding");
    const expr_value values[NAMES] = { [PADS] = { .v = { 4, 1 }, .length = 2 } };
    case_attr c = { .value = { .x = compiled("pads + 1") }, .count = compiled("3"), .rest = compiled("9") };
    (void)state;
    assert_true(case_attr_bind(&d, k, &c, -1, PADS, false, values, &failed) && !failed);
    assert_int_equal(operator_attr_count(&d, k), 3);
    assert_int_equal(operator_attr_value(&d, k, 0), 5);
    assert_int_equal(operator_attr_value(&d, k, 2), 9);
    expr_free(c.value.x);
    expr_free(c.count);
    expr_free(c.rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_float_is_bound_to_numbers_integers_and_bits),
        cmocka_unit_test(a_union_has_the_type_that_another_attribute_states),
        cmocka_unit_test(a_union_is_bound_behind_its_type),
        cmocka_unit_test(a_record_is_bound_by_members),
        cmocka_unit_test(an_enumeration_is_bound_to_names),
        cmocka_unit_test(a_list_is_bound_to_a_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
