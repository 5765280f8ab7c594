/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operators that are checked, but not computed: reference/checked/legal.json has a legal call of each. One change
 * of one field after the other must break every clause of the operator, and only a clause that it has.
 */
#include "harness/casefile/changes.h"
#include "harness/check/check.h"
#include "harness/check/check_print.h"
#include "harness/check/check_record.h"
#include "harness/testing/platform_testing.h"
#include "harness/testing/legal_call.h"
#include "reference/operators.h"

#include <stdlib.h>

#include <jansson.h>

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

static json_t *legal;

static int read_legal(void **state)
{
    json_error_t where;
    (void)state;
    legal = json_load_file(TOUCHSTONE_SOURCE_DIR "/reference/checked/legal.json", JSON_REJECT_DUPLICATES, &where);
    return legal ? 0 : -1;
}

static int drop_legal(void **state)
{
    (void)state;
    json_decref(legal);
    return 0;
}

/* Which clauses of an operator the changes have broken, a bit each. */
typedef struct broken_clauses {
    uint32_t bits;
} broken_clauses;

static void note(broken_clauses *c, const ts_descriptor *d)
{
    ts_report report;
    memset(&report, 0, sizeof report);
    operator_check(d, &report);
    for (unsigned i = 0; i < report.count; ++i) {
        bool own = false;
        for (unsigned k = 0; k < d->op->clause_count; ++k) {
            if (strcmp(d->op->clauses[k].id, report.items[i].clause) != 0)
                continue;
            own = true;
            c->bits |= UINT32_C(1) << k;
        }
        if (!own && !operator_clause(d->op, report.items[i].clause))
            fail_msg("%s has no clause %s", d->op->name, report.items[i].clause);
    }
}

/* At the highest level, at those of the support table, and at two where rules hold that end at a level. */
static void note_levels(void *context, const ts_descriptor *changed, const field_change *made)
{
    broken_clauses *c = context;
    ts_descriptor at_level = *changed, *d = &at_level;
    (void)made;
    static const ts_level levels[] = { 0, TS_LEVEL_2_1, TS_LEVEL_5_1 };
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; ++i) {
        d->feature_level = levels[i];
        note(c, d);
    }
    for (unsigned i = 0; i < d->op->support_count; ++i) {
        d->feature_level = d->op->support[i].level;
        note(c, d);
    }
}

static void read_record(size_t i, ts_descriptor *d)
{
    error e;
    json_t *record = json_array_get(legal, i);
    const ts_operator *op = operators_find_known(json_string_value(json_object_get(record, "operator")));
    assert_non_null(op);
    if (!descriptor_from_json(op, json_object_get(record, "descriptor"), d, NULL, &e))
        fail_msg("%s: %s", op->name, e.text);
}

/* The table over feature levels: the legal call is legal at the highest level, at no level below the first row of the
   support table, and at none that its types and dimension counts are not of. */
static void levels_follow_the_support_table(void **state)
{
    size_t level_count;
    const ts_level *levels = tensor_levels(&level_count);
    (void)state;
    for (size_t i = 0; i < json_array_size(legal); ++i) {
        ts_descriptor d;
        ts_level lowest = 0;
        unsigned valid = 0;
        read_record(i, &d);
        assert_true(operator_has_levels(d.op) && operator_lowest_level(&d, &lowest));
        for (size_t k = 0; k < level_count; ++k) {
            ts_report report;
            memset(&report, 0, sizeof report);
            d.feature_level = levels[k];
            operator_check(&d, &report);
            const bool fine = check_status(&report) == EVALUATE_OK;
            valid += fine;
            if (fine && levels[k] < lowest)
                fail_msg("%s is legal at %s, below %s", d.op->name, tensor_level_name(levels[k]),
                         tensor_level_name(lowest));
            if (!fine && k + 1 == level_count)
                fail_msg("%s is not legal at %s", d.op->name, tensor_level_name(levels[k]));
        }
        if (valid == level_count && lowest > levels[0])
            fail_msg("%s is legal at every level", d.op->name);
    }
}

/* The first violation of each clause of an operator has a suggestion, or the search gave up. */
typedef struct suggested {
    uint32_t clauses, with;
    unsigned seen;
} suggested;

static void suggest_for(void *context, const ts_descriptor *d, const field_change *c)
{
    suggested *s = context;
    ts_report report;
    char said[512];
    (void)c;
    memset(&report, 0, sizeof report);
    operator_check(d, &report);
    for (unsigned i = 0; i < report.count; ++i) {
        for (unsigned k = 0; k < d->op->clause_count; ++k) {
            const uint32_t bit = UINT32_C(1) << k;
            if (strcmp(d->op->clauses[k].id, report.items[i].clause) != 0 || (s->with & bit))
                continue;
            check_suggest(d, &report.items[i], said, sizeof said);
            s->clauses |= bit;
            s->with |= said[0] ? bit : 0;
        }
    }
}

static void every_clause_has_a_suggestion(void **state)
{
    (void)state;
    unsigned without = 0;
    for (size_t i = 0; i < json_array_size(legal); ++i) {
        ts_descriptor d;
        suggested s = { 0 };
        read_record(i, &d);
        changes_each(&d, suggest_for, &s);
        for (unsigned k = 0; k < d.op->clause_count; ++k)
            if ((s.clauses & ~s.with) >> k & 1)
                print_error("%u. no suggestion for %s of %s: %s\n", ++without, d.op->clauses[k].id, d.op->name,
                            d.op->clauses[k].text);
    }
    assert_int_equal(without, 0);
}

static void every_clause_can_be_broken(void **state)
{
    (void)state;
    unsigned unbroken = 0;
    for (size_t i = 0; i < json_array_size(legal); ++i) {
        ts_descriptor d;
        read_record(i, &d);
        broken_clauses c = { .bits = 0 };
        note(&c, &d);
        if (c.bits)
            fail_msg("the legal call of %s breaks a clause", d.op->name);
        changes_each(&d, note_levels, &c);
        for (unsigned k = 0; k < d.op->clause_count; ++k)
            if (!(c.bits >> k & 1) && declared_can_break(d.op, d.op->clauses[k].id))
                print_error("%u. no change breaks %s of %s: %s\n", ++unbroken, d.op->clauses[k].id, d.op->name,
                            d.op->clauses[k].text);
    }
    assert_int_equal(unbroken, 0);
}

/* The calls are of all declared operators, each once, in order of name; what is written of one is read as the same
   again. */
static void every_operator_has_a_legal_call(void **state)
{
    size_t declared = 0;
    const ts_operator *op;
    const char *before = "";
    (void)state;
    for (size_t i = 0; (op = operators_known(i)); ++i)
        declared += operators_declared(op);
    assert_int_equal(json_array_size(legal), declared);
    for (size_t i = 0; i < declared; ++i) {
        error e;
        ts_descriptor d, again;
        read_record(i, &d);
        assert_true(operators_declared(d.op) && strcmp(before, d.op->name) < 0);
        before = d.op->name;
        json_t *written = descriptor_to_json(&d);
        assert_non_null(written);
        if (!descriptor_from_json(d.op, written, &again, NULL, &e))
            fail_msg("%s: %s", d.op->name, e.text);
        if (memcmp(&again, &d, sizeof d) != 0)
            fail_msg("%s: %s is not read as it was", d.op->name, json_dumps(written, 0));
        json_decref(written);
    }
}

/* A clause that is not stated says what it follows from, or why no page settles it; then it names no section of one. */
static void clauses_name_their_grounds(void **state)
{
    static const char *const observed[][2] = {
        { "dml.quantized_linear_average_pooling", "OP-14" },
        { "dml.quantized_linear_average_pooling", "OP-16" },
        { "dml.quantized_linear_average_pooling", "OP-17" },
        { "dml.multihead_attention", "OP-18" },
        { "dml.element_wise_abs", "OP-09" },
        { "dml.element_wise_clip", "OP-09" },
        { "dml.element_wise_clip1", "OP-10" },
        { "dml.element_wise_pow", "OP-10" },
    };
    const ts_operator *op;
    (void)state;
    for (size_t i = 0; (op = operators_known(i)); ++i)
        for (unsigned k = 0; k < op->clause_count && operators_declared(op); ++k) {
            const ts_clause *c = &op->clauses[k];
            const bool lists = strcmp(c->id, "OP-05") == 0; /* of every operator alike */
            if ((c->basis == TS_STATED) != !c->ground)
                fail_msg("%s %s %s a ground", op->name, c->id, c->ground ? "has" : "has no");
            if (!operator_binds(c) && !lists && strcmp(c->page, "no page") != 0)
                fail_msg("%s %s names %s, which does not say so", op->name, c->id, c->page);
            if (c->basis == TS_OBSERVED && c->result == TS_RESULT_INVALID && !c->refused_by)
                fail_msg("%s %s: who refuses it?", op->name, c->id);
        }
    for (size_t i = 0; i < sizeof observed / sizeof observed[0]; ++i)
        assert_int_equal(operator_clause(operators_find_known(observed[i][0]), observed[i][1])->basis, TS_OBSERVED);
}

/* Leave out the required outputs of a record, or one of their fields. */
static unsigned drop_outputs(const ts_operator *op, json_t *record, const char *field)
{
    json_t *descriptor = json_object_get(record, "descriptor");
    unsigned dropped = 0;
    for (unsigned k = 0; k < op->tensor_count; ++k) {
        const char *name = op->tensors[k].name;
        if (op->tensors[k].role != TS_OUTPUT || op->tensors[k].optional || !json_object_get(descriptor, name))
            continue;
        json_object_del(field ? json_object_get(descriptor, name) : descriptor, field ? field : name);
        dropped++;
    }
    return dropped;
}

/* Read legal call number i without its outputs, or without a field of them. *d: the whole call. False where nothing is
   read: a call without inputs and outputs. */
static bool read_without_outputs(size_t i, const char *field, ts_descriptor *d, check_item *item)
{
    const check_options o = { .partly = true };
    error e;
    json_t *record = json_deep_copy(json_array_get(legal, i));
    read_record(i, d);
    check_item_begin(item, (check_place){ 0, 0 });
    if (drop_outputs(d->op, record, field) && !check_record_read(record, &o, item, &e))
        fail_msg("%s: %s", d->op->name, e.text);
    json_decref(record);
    return item->d.op && (field || d->op->tensors[0].role != TS_OUTPUT);
}

static void require_as_it_is(const ts_descriptor *d, const check_item *item, unsigned k)
{
    if (memcmp(&d->tensors[k], &item->d.tensors[k], sizeof d->tensors[k]) != 0)
        fail_msg("%s: %s is not inferred as it is", d->op->name, d->op->tensors[k].name);
}

/* A legal call without its outputs, or without their sizes or types, breaks no clause: it is valid with what the rules
   require, which is what the legal call has, or it is undecided. */
static void outputs_that_are_left_out_break_no_clause(void **state)
{
    static const char *const fields[] = { NULL, "Sizes", "DataType" };
    static check_item item;
    const check_options o = { .partly = true };
    unsigned inferred = 0;
    (void)state;
    for (size_t i = 0; i < json_array_size(legal) * 3; ++i) {
        ts_report report;
        ts_descriptor d;
        const char *field = fields[i % 3];
        if (!read_without_outputs(i / 3, field, &d, &item))
            continue;
        check_judge_item(&item, &o, 0, &report);
        if (report.count || item.gaps.mistake_count)
            fail_msg("%s without %s: %s", d.op->name, field ? field : "outputs",
                     report.count ? report.items[0].text : item.gaps.mistakes[0].text);
        for (unsigned k = 0; k < d.op->tensor_count && !item.undecided && i % 3 == 1; ++k) {
            require_as_it_is(&d, &item, k);
            inferred += item.gaps.inferred_sizes >> k & 1;
        }
    }
    assert_true(inferred > 100);
}

/* What the rules leave open of outputs that a legal call leaves out; they determine all others as the call has them. */
static const char *const left_open[] = {
    "dml.argmax OutputTensor.DataType (UINT32, INT32, UINT64 or INT64)",
    "dml.argmin OutputTensor.DataType (UINT32, INT32, UINT64 or INT64)",
    ("dml.cast OutputTensor.DataType (FLOAT32, FLOAT16, UINT32, UINT16, UINT8, INT32, INT16, INT8, FLOAT64, UINT64 "
     "or INT64)"),
    "dml.dequantize OutputTensor.DataType (FLOAT32 or FLOAT16)",
    "dml.element_wise_bit_count OutputTensor.DataType (UINT32 or UINT8)",
    "dml.element_wise_is_nan OutputTensor.DataType (UINT32 or UINT8)",
    "dml.element_wise_logical_equals OutputTensor.DataType (UINT32 or UINT8)",
    "dml.element_wise_logical_greater_than OutputTensor.DataType (UINT32 or UINT8)",
    "dml.element_wise_logical_greater_than_or_equal OutputTensor.DataType (UINT32 or UINT8)",
    "dml.element_wise_logical_less_than OutputTensor.DataType (UINT32 or UINT8)",
    "dml.element_wise_logical_less_than_or_equal OutputTensor.DataType (UINT32 or UINT8)",
    "dml.fold OutputTensor.Sizes[2], OutputTensor.Sizes[3]",
    "dml.max_unpooling OutputTensor.Sizes",
    "dml.nonzero_coordinates OutputCoordinatesTensor.Sizes[3] (3 to 4: OP-08)",
    "dml.one_hot OutputTensor.Sizes[3]",
    "dml.quantize OutputTensor.DataType (UINT8, INT8, UINT4 or INT4)",
    "dml.resample OutputTensor.Sizes",
    "dml.resample1 OutputTensor.Sizes",
    "dml.resample2 OutputTensor.Sizes",
    "dml.resample3 OutputTensor.Sizes",
    "dml.resample_grad OutputGradientTensor.Sizes",
    "dml.resample_grad1 OutputGradientTensor.Sizes",
    "dml.roi_align OutputTensor.Sizes[2], OutputTensor.Sizes[3]",
    "dml.roi_align1 OutputTensor.Sizes[2], OutputTensor.Sizes[3]",
    ("dml.slice_grad OutputGradientTensor.Sizes[0] (at least 1: OP-08), OutputGradientTensor.Sizes[1] (at least 2: "
     "OP-08), OutputGradientTensor.Sizes[2] (at least 4: OP-08), OutputGradientTensor.Sizes[3] (at least 4: OP-08)"),
    "dml.top_k OutputIndexTensor.DataType (UINT32 or UINT64)",
    "dml.top_k1 OutputIndexTensor.DataType (UINT32 or UINT64)",
};

static bool is_left_open(const char *what)
{
    for (size_t i = 0; i < sizeof left_open / sizeof left_open[0]; ++i)
        if (strcmp(left_open[i], what) == 0)
            return true;
    return false;
}

/* Each operator, by its legal call without any output. Those that have no input have no call without outputs. */
static void outputs_are_determined_but_for_these(void **state)
{
    static check_item item;
    size_t open = 0;
    (void)state;
    for (size_t i = 0; i < json_array_size(legal); ++i) {
        ts_descriptor d;
        char what[512], said[400];
        if (!read_without_outputs(i, NULL, &d, &item))
            continue;
        check_not_judged(&item, said, sizeof said);
        snprintf(what, sizeof what, "%s %s", d.op->name, said);
        open += said[0] != 0;
        if (said[0] && !is_left_open(what))
            fail_msg("the rules leave open %s", what);
        for (unsigned k = 0; k < d.op->tensor_count && !said[0]; ++k)
            if (d.op->tensors[k].role == TS_OUTPUT && !d.op->tensors[k].optional)
                require_as_it_is(&d, &item, k);
    }
    assert_int_equal(open, sizeof left_open / sizeof left_open[0]);
}

/* A rule that may speak of what was not read sets no bounds. */
static void what_was_misread_bounds_nothing(void **state)
{
    static check_item item;
    const check_options o = { .partly = true };
    (void)state;
    for (size_t i = 0; i < json_array_size(legal); ++i) {
        error e;
        ts_descriptor d;
        char said[400];
        json_t *record = json_deep_copy(json_array_get(legal, i));
        read_record(i, &d);
        if (strcmp(d.op->name, "dml.slice_grad") == 0) {
            drop_outputs(d.op, record, NULL);
            json_object_set_new(json_object_get(record, "descriptor"), "Offset", json_integer(1));
            check_item_begin(&item, (check_place){ 0, 0 });
            assert_true(check_record_read(record, &o, &item, &e));
            assert_int_equal(item.gaps.mistake_count, 1);
            check_not_judged(&item, said, sizeof said);
            assert_non_null(strstr(said, "OutputGradientTensor.Sizes"));
            assert_null(strstr(said, "OP-08"));
        }
        json_decref(record);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_has_a_legal_call), cmocka_unit_test(levels_follow_the_support_table),
        cmocka_unit_test(every_clause_can_be_broken),      cmocka_unit_test(clauses_name_their_grounds),
        cmocka_unit_test(every_clause_has_a_suggestion),   cmocka_unit_test(outputs_that_are_left_out_break_no_clause),
        cmocka_unit_test(outputs_are_determined_but_for_these),
        cmocka_unit_test(what_was_misread_bounds_nothing),
    };
    return cmocka_run_group_tests(tests, read_legal, drop_legal);
}
