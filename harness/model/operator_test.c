/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/operator.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/* ---- an operator of the tests' own ------------------------------------------------------------------------- */

typedef struct sample {
    uint32_t count, free_count, scalar;
    uint32_t words[4];
    int32_t steps[4];
    int64_t wide[3];
    uint8_t bits[5];
} sample;

enum { COUNT, SCALAR, WORDS, STEPS, WIDE, BITS };
static const ts_attr_decl attrs[] = {
    { "Count", "n", TS_ATTR_U32, TS_SCALAR, offsetof(sample, count), 0, .capacity = 1, .counts = true },
    { "Scalar", "scalar", TS_ATTR_U32, TS_SCALAR, offsetof(sample, scalar), 0, .capacity = 1 },
    { "Words", "words", TS_ATTR_U32, TS_ARRAY, offsetof(sample, words), offsetof(sample, count), .capacity = 4 },
    { "Steps", "steps", TS_ATTR_I32, TS_ARRAY, offsetof(sample, steps), offsetof(sample, count), .capacity = 4 },
    { "Wide", "wide", TS_ATTR_I64, TS_ARRAY, offsetof(sample, wide), offsetof(sample, free_count), .capacity = 3,
      .optional = true, .absent = 1 },
    { "Bits", "bits", TS_ATTR_BIT, TS_ARRAY, offsetof(sample, bits), offsetof(sample, free_count), .capacity = 5 },
};
static const ts_tensor_decl tensors[] = {
    { "InputTensor", "in", TS_INPUT, false },
    { "OutputTensor", "out", TS_OUTPUT, false },
    { "ExtraTensor", "extra", TS_OUTPUT, true },
};
#define F32 TS_DTYPE_BIT(TS_FLOAT32)
#define F16 TS_DTYPE_BIT(TS_FLOAT16)
static const ts_support_row support[] = {
    { TS_LEVEL_2_1, { { 4, 4, F32 }, { 4, 4, F32 }, { 4, 4, F32 } } },
    { TS_LEVEL_3_0, { { 2, 6, F32 }, { 2, 6, F32 }, { 2, 6, F32 } } },
    { TS_LEVEL_4_1, { { 2, 6, F32 | F16 }, { 2, 6, F32 | F16 }, { 2, 6, F32 } } },
};
static const ts_clause own[] = { { "XX-01", "own", "page", "section", TS_STATED, .result = TS_RESULT_INVALID } };
static const ts_clause shared[] = { { "YY-01", "shared", "page", "section", TS_DECIDED, .result = TS_RESULT_WARNING } };
static const ts_operator sample_operator = {
    .name = "test.sample",
    .title = "SAMPLE",
    .tensor_count = 3,
    .tensors = tensors,
    .attr_count = 6,
    .attrs = attrs,
    .attrs_size = sizeof(sample),
    .support_count = 3,
    .support = support,
    .clause_count = 1,
    .clauses = own,
    .shared_count = 1,
    .shared = shared,
};
static const char *const dims_clauses[] = { "DIMS-IN", "DIMS-OUT", NULL };
static const char *const dtype_clauses[] = { "TYPE-IN", "TYPE-OUT", "TYPE-EXTRA" };

static void begin(ts_descriptor *d, uint32_t dtype, uint32_t rank, ts_level level)
{
    static const uint64_t sizes[TS_MAX_DIMS] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    operator_begin(d, &sample_operator);
    d->feature_level = level;
    tensor_init(&d->tensors[0], dtype, rank, sizes);
    tensor_init(&d->tensors[1], dtype, rank, sizes);
}

/* ---- tests ------------------------------------------------------------------------------------------------- */

static void attributes_are_stored_and_read(void **state)
{
    (void)state;
    ts_descriptor d;
    operator_begin(&d, &sample_operator);
    assert_int_equal(operator_attr_count(&d, WORDS), 0);
    assert_int_equal(operator_attr_value(&d, WIDE, 0), 1); /* the declared value of an absent one */
    assert_true(operator_set_attr(&d, WORDS, (const int64_t[]){ 1, UINT32_MAX, 3 }, 3));
    assert_true(operator_set_attr(&d, STEPS, (const int64_t[]){ INT32_MIN, -1, INT32_MAX }, 3));
    assert_true(operator_set_attr(&d, WIDE, (const int64_t[]){ INT64_MIN, INT64_MAX }, 2));
    assert_true(operator_set_attr(&d, SCALAR, (const int64_t[]){ 77 }, 1));
    assert_int_equal(operator_attr_value(&d, COUNT, 0), 3);
    assert_int_equal(operator_attr_value(&d, WORDS, 1), UINT32_MAX);
    assert_int_equal(operator_attr_value(&d, STEPS, 0), INT32_MIN);
    assert_int_equal(operator_attr_value(&d, STEPS, 3), 0);
    assert_true(operator_attr_value(&d, WIDE, 0) == INT64_MIN);
    assert_true(operator_attr_value(&d, WIDE, 2) == 1);
    assert_int_equal(operator_attr_value(&d, SCALAR, 0), 77);
    assert_int_equal(operator_attr_count(&d, SCALAR), 1);
    assert_int_equal(TS_ATTRS(sample, &d)->words[3], 0);
    assert_true(operator_set_attr(&d, BITS, (const int64_t[]){ 0, 1, 2, 255 }, 4));
    assert_int_equal(operator_attr_value(&d, BITS, 3), 255);
    assert_int_equal(operator_attr_count(&d, BITS), 4);
}

static void attributes_that_do_not_fit_change_nothing(void **state)
{
    (void)state;
    ts_descriptor d, before;
    operator_begin(&d, &sample_operator);
    assert_true(operator_set_attr(&d, WORDS, (const int64_t[]){ 5, 6 }, 2));
    before = d;
    assert_false(operator_set_attr(&d, WORDS, (const int64_t[]){ 5, -1 }, 2));
    assert_false(operator_set_attr(&d, WORDS, (const int64_t[]){ 5, (int64_t)UINT32_MAX + 1 }, 2));
    assert_false(operator_set_attr(&d, STEPS, (const int64_t[]){ (int64_t)INT32_MIN - 1 }, 1));
    assert_false(operator_set_attr(&d, BITS, (const int64_t[]){ 256 }, 1));
    assert_false(operator_set_attr(&d, WORDS, (const int64_t[]){ 1, 2, 3, 4, 5 }, 5));
    assert_false(operator_set_attr(&d, SCALAR, (const int64_t[]){ 1, 2 }, 2));
    assert_false(operator_set_attr(&d, SCALAR, NULL, 0));
    assert_memory_equal(&d, &before, sizeof d);
}

static void an_explicit_count_is_kept(void **state)
{
    (void)state;
    ts_descriptor d;
    operator_begin(&d, &sample_operator);
    assert_true(operator_set_attr(&d, WORDS, (const int64_t[]){ 1, 2, 3, 4 }, 4));
    assert_true(operator_set_attr(&d, WORDS, (const int64_t[]){ 1, 2 }, 2)); /* arrays: the last one counts */
    assert_int_equal(TS_ATTRS(sample, &d)->count, 2);
    assert_int_equal(TS_ATTRS(sample, &d)->words[2], 0);
    assert_true(operator_set_attr(&d, COUNT, (const int64_t[]){ 4000000000 }, 1));
    assert_true(operator_set_attr(&d, STEPS, (const int64_t[]){ 1, 2, 3 }, 3));
    assert_int_equal(operator_attr_count(&d, WORDS), 4000000000);
    assert_int_equal(operator_attr_value(&d, STEPS, 2), 3);
    assert_int_equal(operator_attr_value(&d, STEPS, 3999999999), 0);
}

static void names_and_aliases_are_found(void **state)
{
    (void)state;
    assert_int_equal(operator_attr_index(&sample_operator, "Steps"), STEPS);
    assert_int_equal(operator_attr_index(&sample_operator, "n"), COUNT);
    assert_int_equal(operator_attr_index(&sample_operator, "steps "), -1);
    assert_int_equal(operator_tensor_index(&sample_operator, "OutputTensor"), 1);
    assert_int_equal(operator_tensor_index(&sample_operator, "extra"), 2);
    assert_int_equal(operator_tensor_index(&sample_operator, ""), -1);
    assert_string_equal(operator_clause(&sample_operator, "XX-01")->text, "own");
    assert_string_equal(operator_clause(&sample_operator, "YY-01")->text, "shared");
    assert_null(operator_clause(&sample_operator, "ZZ-01"));
    assert_non_null(operators_find("dml.slice1"));
    assert_null(operators_find("dml.slice"));
}

static void the_most_severe_result_is_reported(void **state)
{
    (void)state;
    static const ts_result order[] = { TS_RESULT_NONE,           TS_RESULT_WARNING,    TS_RESULT_UNSPECIFIED,
                                       TS_RESULT_UNSUPPORTED_FL, TS_RESULT_BIND_ERROR, TS_RESULT_INVALID };
    for (int a = 0; a < 6; ++a) {
        for (int b = 0; b < 6; ++b)
            assert_int_equal(operator_graver(order[a], order[b]), a > b);
    }
    ts_report report = { 0 };
    for (int i = 0; i < TS_MAX_VIOLATIONS; ++i)
        operator_violate(&report, "XX-01", TS_RESULT_WARNING, 0, i, "violation %d", i);
    assert_int_equal(report.worst, TS_RESULT_WARNING);
    operator_violate(&report, "XX-01", TS_RESULT_INVALID, -1, -1, "one too many");
    assert_int_equal(report.count, TS_MAX_VIOLATIONS);
    assert_int_equal(report.dropped, 1);
    assert_int_equal(report.worst, TS_RESULT_INVALID);
    assert_string_equal(report.items[3].text, "violation 3");
    assert_int_equal(report.items[3].axis, 3);
    operator_violate(NULL, "XX-01", TS_RESULT_INVALID, -1, -1, "nobody asked");
}

static void reports_are_joined(void **state)
{
    (void)state;
    ts_report report = { 0 }, other = { 0 };
    operator_violate(&report, "XX-01", TS_RESULT_WARNING, -1, -1, "first");
    for (int i = 0; i <= TS_MAX_VIOLATIONS; ++i)
        operator_violate(&other, "XX-02", i ? TS_RESULT_UNSUPPORTED_FL : TS_RESULT_WARNING, 1, i, "other %d", i);
    other.items[1].needs = TS_LEVEL_3_0;
    operator_add_report(&report, &other);
    assert_int_equal(report.count, TS_MAX_VIOLATIONS);
    assert_int_equal(report.dropped, 2);
    assert_int_equal(report.worst, TS_RESULT_UNSUPPORTED_FL);
    assert_string_equal(report.items[0].text, "first");
    assert_string_equal(report.items[2].text, "other 1");
    assert_int_equal(report.items[2].needs, TS_LEVEL_3_0);
    assert_int_equal(report.items[2].axis, 1);
}

static void a_long_text_is_cut(void **state)
{
    (void)state;
    ts_report report = { 0 };
    operator_violate(&report, "XX-01", TS_RESULT_INVALID, -1, -1, "%0*d", 500, 1);
    assert_int_equal(strlen(report.items[0].text), sizeof report.items[0].text - 1);
}

static void expect_support(const ts_descriptor *d, unsigned count, const char *clause, ts_result result, ts_level needs)
{
    ts_report report = { 0 };
    operator_check_support(d, &report, "LEVEL", dims_clauses, dtype_clauses);
    assert_int_equal(report.count, count);
    assert_int_equal(report.worst, result);
    for (unsigned i = 0; i < count; ++i)
        assert_int_equal(report.items[i].needs, needs);
    if (count > 0)
        assert_string_equal(report.items[0].clause, clause);
}

static void support_is_judged_by_the_highest_row_in_reach(void **state)
{
    (void)state;
    ts_descriptor d;
    begin(&d, TS_FLOAT32, 4, TS_LEVEL_2_1);
    expect_support(&d, 0, NULL, TS_RESULT_NONE, 0);
    begin(&d, TS_FLOAT32, 6, TS_LEVEL_4_0); /* between rows */
    expect_support(&d, 0, NULL, TS_RESULT_NONE, 0);
    begin(&d, TS_FLOAT32, 6, TS_LEVEL_2_1);
    expect_support(&d, 2, "DIMS-IN", TS_RESULT_UNSUPPORTED_FL, TS_LEVEL_3_0);
    begin(&d, TS_FLOAT16, 4, TS_LEVEL_3_1);
    expect_support(&d, 2, "TYPE-IN", TS_RESULT_UNSUPPORTED_FL, TS_LEVEL_4_1);
    begin(&d, TS_FLOAT16, 4, 0); /* no level: the highest */
    expect_support(&d, 0, NULL, TS_RESULT_NONE, 0);
    begin(&d, TS_FLOAT32, 7, 0);
    expect_support(&d, 2, "DIMS-IN", TS_RESULT_INVALID, 0);
    begin(&d, TS_UINT8, 4, 0);
    expect_support(&d, 2, "TYPE-IN", TS_RESULT_INVALID, 0);
    begin(&d, UINT32_MAX, 4, 0);
    expect_support(&d, 2, "TYPE-IN", TS_RESULT_INVALID, 0);
    d.tensors[0].given = d.tensors[1].given = TS_GIVEN_TENSOR; /* behind a null pointer */
    expect_support(&d, 0, NULL, TS_RESULT_NONE, 0);
}

/* Below the first row there is one violation, which names the level that the whole descriptor needs. */
static void a_level_below_all_rows_is_reported_once(void **state)
{
    (void)state;
    ts_descriptor d;
    begin(&d, TS_FLOAT32, 4, TS_LEVEL_2_0);
    expect_support(&d, 1, "LEVEL", TS_RESULT_UNSUPPORTED_FL, TS_LEVEL_2_1);
    begin(&d, TS_FLOAT16, 6, TS_LEVEL_1_0);
    expect_support(&d, 1, "LEVEL", TS_RESULT_UNSUPPORTED_FL, TS_LEVEL_4_1);
}

static void the_lowest_level_is_the_first_row_that_allows_all(void **state)
{
    (void)state;
    ts_descriptor d;
    ts_level level = 0;
    begin(&d, TS_FLOAT32, 4, 0);
    assert_true(operator_lowest_level(&d, &level));
    assert_int_equal(level, TS_LEVEL_2_1);
    d.tensors[1].rank = 5;
    assert_true(operator_lowest_level(&d, &level));
    assert_int_equal(level, TS_LEVEL_3_0);
    d.tensors[0].dtype = TS_FLOAT16;
    assert_true(operator_lowest_level(&d, &level));
    assert_int_equal(level, TS_LEVEL_4_1);
    d.tensors[2] = d.tensors[0]; /* the extra tensor does not allow F16 at any level */
    assert_false(operator_lowest_level(&d, &level));
}

static void each_null_pointer_is_reported(void **state)
{
    (void)state;
    ts_descriptor d;
    ts_report report = { 0 };
    begin(&d, TS_FLOAT32, 4, 0);
    d.tensors[0].given = 0;
    operator_set_attr(&d, SCALAR, (const int64_t[]){ 0 }, 1);
    operator_set_attr(&d, BITS, NULL, 0);
    assert_false(operator_check_given(&d, &report, "GIVEN"));
    assert_int_equal(report.count,
                     3); /* InputTensor, Words, Steps; Wide is optional, and Count is the count of an array */
    assert_string_equal(report.items[0].text, "InputTensor is missing");
    assert_string_equal(report.items[2].text, "Steps is missing");
}

/* ---- every operator of the suite --------------------------------------------------------------------------- */

static void declarations_are_sound(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    assert_true(count >= 5);
    for (size_t n = 0; n < count; ++n) {
        const ts_operator *op = all[n];
        assert_true(n == 0 || strcmp(all[n - 1]->name, op->name) < 0);
        assert_ptr_equal(operators_find(op->name), op);
        assert_int_equal(strncmp(op->page, "https://", 8), 0);
        assert_in_range(op->tensor_count, 1, TS_MAX_TENSORS);
        assert_in_range(op->attr_count, 0, TS_MAX_ATTRS);
        assert_in_range(op->attrs_size, op->attr_count ? 1 : 0, TS_MAX_ATTR_BYTES);
        assert_true(op->check && op->shape && op->run);
        const char *const named[] = { op->run_clause, op->shape_clause, op->write_clause, op->read_clause };
        for (unsigned k = 0; k < sizeof named / sizeof named[0]; ++k)
            assert_true(k < 2 ? operator_clause(op, named[k]) != NULL : !named[k] || operator_clause(op, named[k]));
        for (unsigned k = 0; k < op->attr_count; ++k) {
            const ts_attr_decl *a = &op->attrs[k];
            assert_true(a->capacity >= 1);
            assert_true(a->offset + a->capacity * operator_attr_range(a->type).bytes <= op->attrs_size);
            assert_true(a->type != TS_ATTR_BIT || operator_clause(op, a->bit_clause));
            assert_int_equal(operator_attr_index(op, a->name), k);
            assert_int_equal(operator_attr_index(op, a->alias), k);
        }
        for (unsigned i = 0; i < op->tensor_count; ++i) {
            assert_int_equal(operator_tensor_index(op, op->tensors[i].name), i);
            assert_int_equal(operator_tensor_index(op, op->tensors[i].alias), i);
        }
        for (unsigned r = 1; r < op->support_count; ++r)
            assert_true(op->support[r - 1].level < op->support[r].level);
        for (unsigned c = 0; c < op->clause_count + op->shared_count; ++c) {
            const ts_clause *clause = c < op->clause_count ? &op->clauses[c] : &op->shared[c - op->clause_count];
            assert_ptr_equal(operator_clause(op, clause->id), clause); /* unique */
            assert_string_not_equal(clause->id, operator_range_clause.id);
            assert_null(strchr(clause->text, '\n'));
            assert_true(clause->text[0] && clause->page[0] && clause->section[0]);
        }
    }
}

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state ^ *state >> 31;
}

static uint32_t draw(uint64_t *state, uint32_t below)
{
    return (uint32_t)(random_bits(state) % below);
}

/* Random bytes, and near-legal descriptors with some random fields: nothing crashes, every report is in order. */
static void garbage_is_judged_without_a_crash(void **state)
{
    (void)state;
    static const uint64_t extremes[] = { 0, 1, 2, 8, 9, 15, 16, 17, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX };
    uint64_t seed = 42;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (unsigned n = 0; n < 100000; ++n) {
        const ts_operator *op = all[n % count];
        ts_descriptor d;
        unsigned char *bytes = (unsigned char *)&d;
        if (n / count % 2) {
            for (size_t i = 0; i < sizeof d; i += 8)
                memcpy(bytes + i, &(uint64_t){ random_bits(&seed) }, sizeof d - i < 8 ? sizeof d - i : 8);
        } else {
            memset(&d, 0, sizeof d);
            d.attrs_given = ~0u;
            for (unsigned i = 0; i < op->tensor_count; ++i) {
                uint64_t sizes[TS_MAX_DIMS];
                for (unsigned k = 0; k < TS_MAX_DIMS; ++k)
                    sizes[k] = draw(&seed, 8) ? 1 + draw(&seed, 3) : extremes[draw(&seed, 12)];
                tensor_init(&d.tensors[i], 1 + draw(&seed, 3), draw(&seed, 18), sizes);
            }
            for (size_t i = 0; i + 4 <= op->attrs_size; i += 4) {
                uint32_t word = draw(&seed, 4) ? draw(&seed, 6) : (uint32_t)extremes[draw(&seed, 12)];
                memcpy(d.attrs + i, &word, sizeof word);
            }
        }
        d.op = op;
        ts_report report = { 0 };
        operator_check(&d, &report);
        ts_result worst = TS_RESULT_NONE;
        for (unsigned i = 0; i < report.count; ++i) {
            const ts_violation *v = &report.items[i];
            const ts_clause *clause = operator_clause(op, v->clause);
            assert_non_null(clause);
            assert_false(operator_graver(v->result, clause->result));
            assert_in_range(v->tensor + 1, 0, op->tensor_count);
            assert_in_range(v->axis + 1, 0, TS_MAX_DIMS);
            assert_true(v->text[0]);
            if (operator_graver(v->result, worst))
                worst = v->result;
        }
        assert_true(report.dropped || worst == report.worst);
        for (unsigned k = 0; k < op->attr_count; ++k) {
            operator_attr_value(&d, k, UINT32_MAX);
            operator_attr_value(&d, k, draw(&seed, 20));
        }
        ts_level level;
        operator_lowest_level(&d, &level);
        op->shape(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_are_stored_and_read),
        cmocka_unit_test(attributes_that_do_not_fit_change_nothing),
        cmocka_unit_test(an_explicit_count_is_kept),
        cmocka_unit_test(names_and_aliases_are_found),
        cmocka_unit_test(the_most_severe_result_is_reported),
        cmocka_unit_test(reports_are_joined),
        cmocka_unit_test(a_long_text_is_cut),
        cmocka_unit_test(support_is_judged_by_the_highest_row_in_reach),
        cmocka_unit_test(a_level_below_all_rows_is_reported_once),
        cmocka_unit_test(the_lowest_level_is_the_first_row_that_allows_all),
        cmocka_unit_test(each_null_pointer_is_reported),
        cmocka_unit_test(declarations_are_sound),
        cmocka_unit_test(garbage_is_judged_without_a_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
