/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes that windows give, at the ends of the numbers that descriptors hold. An oracle of its own says which sizes
 * break the clause: by the places that a window has, not by the formula, and in numbers that cannot overflow.
 */
#include "harness/model/fill.h"
#include "harness/testing/big_number.h"
#include "harness/testing/legal_call.h"

#include <stdlib.h>

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#define DRAWN 3000 /* of each operator */

/* ---- what the rules are about ------------------------------------------------------------------------------------ */

enum window_kind { POOLING, CONVOLUTION, BLOCKS };

/* `from` is what the windows lie in, `window` the filter of a convolution, `to` what they give; each has two spatial
   dimensions, but for the blocks of FOLD and UNFOLD, which are one dimension of windows. */
static const struct window_operator {
    const char *op;
    enum window_kind kind;
    const char *from, *window, *to, *clause;
} operators[] = {
    { "dml.average_pooling", POOLING, "InputTensor", "WindowSize", "OutputTensor", "OP-11" },
    { "dml.average_pooling1", POOLING, "InputTensor", "WindowSize", "OutputTensor", "OP-12" },
    { "dml.average_pooling_grad", POOLING, "OutputGradientTensor", "WindowSize", "InputGradientTensor", "OP-11" },
    { "dml.lp_pooling", POOLING, "InputTensor", "WindowSize", "OutputTensor", "OP-11" },
    { "dml.lp_pooling1", POOLING, "InputTensor", "WindowSize", "OutputTensor", "OP-12" },
    { "dml.max_pooling", POOLING, "InputTensor", "WindowSize", "OutputTensor", "OP-11" },
    { "dml.max_pooling1", POOLING, "InputTensor", "WindowSize", "OutputTensor", "OP-12" },
    { "dml.max_pooling2", POOLING, "InputTensor", "WindowSize", "OutputTensor", "OP-13" },
    { "dml.max_pooling_grad", POOLING, "OutputGradientTensor", "WindowSize", "InputGradientTensor", "OP-13" },
    { "dml.quantized_linear_average_pooling", POOLING, "InputTensor", "WindowSize", "OutputTensor", "OP-13" },
    { "dml.convolution", CONVOLUTION, "InputTensor", "FilterTensor", "OutputTensor", "OP-13" },
    { "dml.convolution_integer", CONVOLUTION, "InputTensor", "FilterTensor", "OutputTensor", "OP-15" },
    { "dml.quantized_linear_convolution", CONVOLUTION, "InputTensor", "FilterTensor", "OutputTensor", "OP-16" },
    { "dml.fold", BLOCKS, "OutputTensor", "WindowSizes", "InputTensor", "OP-10" },
    { "dml.unfold", BLOCKS, "InputTensor", "WindowSizes", "OutputTensor", "OP-10" },
};
#define OPERATORS (sizeof operators / sizeof operators[0])

static const ts_operator *begin(const struct window_operator *w, ts_descriptor *d)
{
    const ts_operator *op = operators_find_known(w->op);
    assert_non_null(op);
    assert_true(legal_call(op, d));
    return op;
}

static ts_tensor *tensor(ts_descriptor *d, const char *name)
{
    const int k = operator_tensor_index(d->op, name);
    assert_true(k >= 0);
    return &d->tensors[k];
}

/* Value i of a list, or of a scalar; `otherwise` of an operator that does not have it. */
static uint64_t value(const ts_descriptor *d, const char *name, unsigned i, uint64_t otherwise)
{
    const int k = operator_attr_index(d->op, name);
    return k < 0 ? otherwise : (uint64_t)operator_attr_value(d, (unsigned)k, i);
}

static void set_value(ts_descriptor *d, unsigned attr, unsigned i, int64_t to)
{
    int64_t values[TS_MAX_DIMS];
    const uint32_t count = operator_attr_count(d, attr);
    for (unsigned n = 0; n < count; ++n)
        values[n] = n == i ? to : operator_attr_value(d, attr, n);
    assert_true(operator_set_attr(d, attr, values, count));
}

/* Does the checker say that this size breaks the clause? */
static bool is_broken(const ts_descriptor *d, const char *clause, const char *name, uint32_t axis)
{
    ts_report report;
    memset(&report, 0, sizeof report);
    operator_check(d, &report);
    assert_int_equal(report.dropped, 0);
    for (unsigned i = 0; i < report.count; ++i)
        if (strcmp(report.items[i].clause, clause) == 0 && report.items[i].axis == (int)axis &&
            report.items[i].tensor == operator_tensor_index(d->op, name))
            return true;
    return false;
}

/* ---- the oracle -------------------------------------------------------------------------------------------------- */

/* Windows along a spatial dimension: the elements from the first of a window to its last, what they lie in with its
   padding, and the step between them. */
typedef struct windows {
    big_number reach, room;
    uint64_t step;
    bool any; /* at least one fits */
} windows;

static windows windows_of(const ts_descriptor *d, unsigned i, uint64_t size, uint64_t window)
{
    windows w = { .step = value(d, "Strides", i, 1) };
    w.room = big_add64(big_add64(big_of(size), value(d, "StartPadding", i, 0)), value(d, "EndPadding", i, 0));
    if (window == 0 || w.step == 0)
        return w;
    w.reach = big_add64(big_mul64(big_of(window - 1), value(d, "Dilations", i, 1)), 1);
    w.any = big_compare(w.reach, w.room) <= 0;
    return w;
}

/* Does window number `count`, from 1, fit, and the next one not? */
static bool are_exactly(const windows *w, big_number count)
{
    const big_number next = big_add(big_mul64(count, w->step), w->reach); /* where the next one would end */
    return w->any && big_compare(count, big_of(0)) > 0 && big_compare(next, w->room) > 0 &&
           big_compare(next, big_add64(w->room, w->step)) <= 0;
}

/* How many there are: bit by bit, from the highest. At least one fits. */
static big_number count_of(const windows *w)
{
    big_number count = big_of(1), next;
    for (int bit = 70; bit >= 0; --bit) {
        big_number more = { .digits = { 0 } };
        more.digits[bit / 32] = UINT32_C(1) << bit % 32;
        more = big_add(count, more);
        next = big_add(big_mul64(more, w->step), w->reach);
        if (big_compare(next, big_add64(w->room, w->step)) <= 0)
            count = more;
    }
    return count;
}

/* Is size `size` that of a transposed convolution's output? One of 0 is BUF-06. */
static bool is_transposed(const ts_descriptor *d, unsigned i, uint64_t in, uint64_t filter, uint64_t size)
{
    const big_number cut =
        big_add64(big_of(value(d, "StartPadding", i, 0)), value(d, "EndPadding", i, 0)); /* at both ends */
    const big_number whole = big_add64(big_add(big_mul64(big_of(in - 1), value(d, "Strides", i, 1)),
                                               big_mul64(big_of(filter - 1), value(d, "Dilations", i, 1))),
                                       1);
    return big_compare(whole, cut) >= 0 &&
           (size == 0 ||
            big_compare(big_add64(whole, value(d, "OutputPadding", i, 0)), big_add64(cut, size)) == 0);
}

static bool convolved_wrongly(ts_descriptor *d, const struct window_operator *o, unsigned i)
{
    const ts_tensor *from = tensor(d, o->from), *filter = tensor(d, o->window), *to = tensor(d, o->to);
    const uint64_t added = value(d, "OutputPadding", i, 0), size = to->sizes[i + 2];
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        for (uint32_t n = 0; &d->tensors[k] != to && operator_has_tensor(d, k) && n < d->tensors[k].rank; ++n)
            if (d->tensors[k].sizes[n] == 0)
                return false; /* BUF-06 */
    if (value(d, "Direction", 0, 0) == 1)
        return !is_transposed(d, i, from->sizes[i + 2], filter->sizes[i + 2], size);
    const windows w = windows_of(d, i, from->sizes[i + 2], filter->sizes[i + 2]);
    return !w.any || (size != 0 && (size < added || !are_exactly(&w, big_of(size - added))));
}

static bool pooled_wrongly(ts_descriptor *d, const struct window_operator *o, unsigned i)
{
    const uint64_t size = tensor(d, o->to)->sizes[i + 2], from = tensor(d, o->from)->sizes[i + 2];
    const windows w = windows_of(d, i, from, value(d, o->window, i, 1));
    return from != 0 && (!w.any || (size != 0 && !are_exactly(&w, big_of(size))));
}

/* FOLD and UNFOLD: the product of the windows' sizes, and their number. False if some do not fit. */
static bool count_blocks(ts_descriptor *d, const struct window_operator *o, big_number *elements, big_number *count)
{
    *elements = big_of(tensor(d, o->from)->sizes[1]);
    *count = big_of(1);
    for (unsigned i = 0; i < 2; ++i) {
        const uint64_t window = value(d, o->window, i, 1);
        const windows w = windows_of(d, i, tensor(d, o->from)->sizes[i + 2], window);
        if (!w.any)
            return false;
        *elements = big_mul64(*elements, window);
        *count = big_mul(*count, count_of(&w));
    }
    return true;
}

/* The checker says the same of a size, or of what gives it, as the oracle. */
static void require(const ts_descriptor *d, const struct window_operator *o, uint32_t axis, bool broken, bool wrong)
{
    if (broken == wrong)
        return;
    json_t *json = descriptor_to_json(d);
    char *text = json_dumps(json, 0);
    print_error("%s %s\n", o->op, text);
    free(text);
    json_decref(json);
    fail_msg("%s of dimension %u is %sbroken", o->clause, axis, broken ? "" : "not ");
}

/* Compare the checker with the oracle. */
static void compare(ts_descriptor *d, const struct window_operator *o)
{
    big_number expected[2];
    if (o->kind == BLOCKS) {
        const ts_tensor *from = tensor(d, o->from), *to = tensor(d, o->to);
        const bool empty = from->sizes[2] == 0 || from->sizes[3] == 0; /* BUF-06 */
        const bool fit = empty || count_blocks(d, o, &expected[0], &expected[1]);
        for (uint32_t i = 0; i < 2; ++i)
            require(d, o, i + 1, is_broken(d, o->clause, o->to, i + 1),
                    fit && !empty && to->sizes[i + 1] != 0 && !big_is(expected[i], to->sizes[i + 1]));
        require(d, o, 2, is_broken(d, o->clause, o->from, 2) || is_broken(d, o->clause, o->from, 3), !fit);
        return;
    }
    for (uint32_t i = 0; i < 2; ++i)
        require(d, o, i + 2, is_broken(d, o->clause, o->to, i + 2),
                o->kind == POOLING ? pooled_wrongly(d, o, i) : convolved_wrongly(d, o, i));
}

/* ---- drawn numbers ----------------------------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *key, uint64_t below)
{
    return fill_mix(++*key) % below;
}

static const uint64_t extremes[] = {
    0, 1, 2, 3, UINT64_C(1) << 31, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX
};
#define EXTREMES (sizeof extremes / sizeof extremes[0])

static void change_one(ts_descriptor *d, uint64_t *key)
{
    const unsigned k = (unsigned)draw(key, d->op->tensor_count + d->op->attr_count);
    const uint64_t number = extremes[draw(key, EXTREMES)];
    if (k < d->op->tensor_count) {
        ts_tensor *t = &d->tensors[k];
        if (operator_has_tensor(d, k))
            t->sizes[draw(key, t->rank)] = number;
        return;
    }
    const ts_attr_decl *a = &d->op->attrs[k - d->op->tensor_count];
    const bool direction = strcmp(a->name, "Direction") == 0;
    if (direction || (a->type == TS_ATTR_U32 && a->count == TS_ARRAY))
        set_value(d, k - d->op->tensor_count, (unsigned)draw(key, direction ? 1 : 2),
                  direction ? (int64_t)draw(key, 2) : (int64_t)(uint32_t)number);
}

/* Give the output the sizes that it should have, or what 64 bits hold of them: where they are lost, the size must not
   pass for the right one. */
static void give_sizes(ts_descriptor *d, const struct window_operator *o)
{
    big_number elements, count;
    ts_tensor *to = tensor(d, o->to);
    if (o->kind == BLOCKS && count_blocks(d, o, &elements, &count)) {
        to->sizes[1] = big_low(elements);
        to->sizes[2] = big_low(count);
    }
    for (unsigned i = 0; o->kind != BLOCKS && i < 2; ++i) {
        const uint64_t window =
            o->kind == POOLING ? value(d, o->window, i, 1) : tensor(d, o->window)->sizes[i + 2];
        const uint64_t from = tensor(d, o->from)->sizes[i + 2], added = value(d, "OutputPadding", i, 0);
        const windows w = windows_of(d, i, from, window);
        if (value(d, "Direction", 0, 0) == 1)
            to->sizes[i + 2] = (from - 1) * value(d, "Strides", i, 1) + (window - 1) * value(d, "Dilations", i, 1) +
                               1 - value(d, "StartPadding", i, 0) - value(d, "EndPadding", i, 0) + added;
        else if (w.any)
            to->sizes[i + 2] = big_low(count_of(&w)) + added;
        else if (w.step != 0) /* what a difference modulo 2^64 would give */
            to->sizes[i + 2] = (big_low(w.room) - big_low(w.reach)) / w.step + 1;
    }
}

static void drawn_sizes_agree_with_the_oracle(void **state)
{
    (void)state;
    for (size_t n = 0; n < OPERATORS; ++n) {
        ts_descriptor legal;
        begin(&operators[n], &legal);
        compare(&legal, &operators[n]);
        for (uint64_t i = 0; i < DRAWN; ++i) {
            ts_descriptor d = legal;
            uint64_t key = (uint64_t)n << 48 | i << 16;
            for (uint64_t changes = 1 + draw(&key, 4); changes > 0; --changes)
                change_one(&d, &key);
            if (draw(&key, 2))
                give_sizes(&d, &operators[n]);
            compare(&d, &operators[n]);
        }
    }
}

/* ---- by hand ----------------------------------------------------------------------------------------------------- */

static void set_list(ts_descriptor *d, const char *name, int64_t first, int64_t second)
{
    const int k = operator_attr_index(d->op, name);
    assert_true(k >= 0);
    assert_true(operator_set_attr(d, (unsigned)k, (int64_t[]){ first, second }, 2));
}

/* The reach of the window, (2^32 - 2) * (2^32 - 1) + 1, is negative in 64 bits: 4 less it would have room for 4 of them.
 */
static void a_window_of_64_bits_does_not_fit(void **state)
{
    ts_descriptor d;
    (void)state;
    assert_true(legal_call(operators_find_known("dml.max_pooling2"), &d));
    set_list(&d, "WindowSize", UINT32_MAX, UINT32_MAX);
    set_list(&d, "Dilations", UINT32_MAX, UINT32_MAX);
    set_list(&d, "Strides", UINT32_MAX, UINT32_MAX);
    for (unsigned k = 1; k < 3; ++k) {
        d.tensors[k].sizes[2] = d.tensors[k].sizes[3] = 4;
        tensor_pack(&d.tensors[k]);
        assert_true(tensor_min_bytes(&d.tensors[k], &d.tensors[k].total_bytes));
    }
    assert_true(is_broken(&d, "OP-13", "OutputTensor", 2) && is_broken(&d, "OP-13", "OutputTensor", 3));
}

/* Of 2^62 * 4 elements of windows, and of 2^32 * 2^32 windows, 64 bits hold nothing. */
static void blocks_of_more_than_64_bits_are_none(void **state)
{
    ts_report report;
    ts_descriptor d;
    (void)state;
    assert_true(legal_call(operators_find_known("dml.unfold"), &d));
    ts_tensor *in = tensor(&d, "InputTensor"), *out = tensor(&d, "OutputTensor");
    in->sizes[1] = UINT64_C(1) << 62;
    out->sizes[1] = 8;
    assert_true(is_broken(&d, "OP-10", "OutputTensor", 1));
    in->sizes[1] = 2;
    in->sizes[2] = in->sizes[3] = (UINT64_C(1) << 32) + 1; /* 2^32 windows each */
    out->sizes[2] = 9;
    memset(&report, 0, sizeof report);
    operator_check(&d, &report);
    for (unsigned i = 0; i < report.count; ++i)
        if (strcmp(report.items[i].clause, "OP-10") == 0 && report.items[i].axis == 2) {
            assert_string_equal(report.items[i].text,
                                "OutputTensor.Sizes[2] = 9 is not the number of windows = 18446744073709551616");
            assert_true(report.items[i].required == 0); /* no size is the one that the clause allows */
            return;
        }
    fail_msg("OP-10 is not broken");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_of_64_bits_does_not_fit),
        cmocka_unit_test(blocks_of_more_than_64_bits_are_none),
        cmocka_unit_test(drawn_sizes_agree_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
