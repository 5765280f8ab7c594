/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/space_to_depth1.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

enum { IN, OUT };

/* Sizes of the output: N, C * block * block, H, W. */
static ts_descriptor make(uint32_t n, uint32_t c, uint32_t h, uint32_t w, uint32_t block, uint32_t order)
{
    ts_descriptor d;
    operator_begin(&d, operators_find("dml.space_to_depth1"));
    operator_set_attr(&d, 0, (const int64_t[]){ block }, 1);
    operator_set_attr(&d, 1, (const int64_t[]){ order }, 1);
    tensor_init(&d.tensors[IN], TS_UINT32, 4, SIZES(n, c, h * block, w * block));
    tensor_init(&d.tensors[OUT], TS_UINT32, 4, SIZES(n, c * block * block, h, w));
    return d;
}

static void check_reports_each_clause(void **state)
{
    (void)state;
    ts_descriptor d = make(1, 2, 2, 3, 2, TS_COLUMN_ROW_DEPTH);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_2_0;
    expect_clause(&d, "SD1-01", TS_RESULT_UNSUPPORTED_FL);
    for (unsigned k = 0; k < 2; ++k) {
        d = make(1, 2, 2, 3, 2, 0);
        memset(&d.tensors[k], 0, sizeof d.tensors[k]);
        expect_clause(&d, "SD1-01", TS_RESULT_INVALID);
        d = make(1, 2, 2, 3, 2, 0);
        d.attrs_given &= ~(1u << k);
        expect_clause(&d, "SD1-01", TS_RESULT_INVALID);
        d = make(1, 2, 2, 3, 2, 0);
        d.tensors[k].dtype = TS_FLOAT32;
        expect_clause(&d, "SD1-02", TS_RESULT_INVALID);
        d = make(1, 2, 2, 3, 2, 0);
        tensor_init(&d.tensors[k], TS_UINT32, 5, SIZES(1, 1, 2, 2, 3));
        expect_clause(&d, "SD1-03", TS_RESULT_INVALID);
        d = make(1, 2, 2, 3, 2, 0);
        tensor_init(&d.tensors[k], TS_UINT32, 3, SIZES(2, 2, 3));
        expect_clause(&d, "SD1-03", TS_RESULT_INVALID);
    }
    d = make(1, 2, 2, 3, 2, 2);
    expect_clause(&d, "SD1-04", TS_RESULT_INVALID);
    d = make(1, 2, 2, 3, 2, 0);
    operator_set_attr(&d, 0, (const int64_t[]){ 0 }, 1);
    expect_clause(&d, "SD1-05", TS_RESULT_INVALID);
    assert_false(d.op->shape(&d));
}

static void blocks_fill_height_and_width(void **state)
{
    (void)state;
    for (unsigned axis = 2; axis < 4; ++axis) {
        ts_descriptor d = make(1, 2, 2, 3, 2, 0);
        uint64_t sizes[4];
        memcpy(sizes, d.tensors[IN].sizes, sizeof sizes);
        ++sizes[axis];
        tensor_init(&d.tensors[IN], TS_UINT32, 4, sizes);
        expect_clause(&d, "SD1-06", TS_RESULT_INVALID);
        assert_false(d.op->shape(&d));
    }
}

static void each_size_of_the_output_counts(void **state)
{
    (void)state;
    for (unsigned axis = 0; axis < 4; ++axis) {
        for (int by = -1; by <= 1; by += 2) {
            ts_descriptor d = make(2, 2, 2, 3, 2, 0), shaped = d;
            uint64_t sizes[4];
            memcpy(sizes, d.tensors[OUT].sizes, sizeof sizes);
            sizes[axis] += (uint64_t)by;
            tensor_init(&d.tensors[OUT], TS_UINT32, 4, sizes);
            expect_clause(&d, "SD1-07", TS_RESULT_INVALID);
            assert_true(d.op->shape(&d));
            assert_memory_equal(d.tensors[OUT].sizes, shaped.tensors[OUT].sizes, sizeof sizes);
        }
    }
}

/* 2^32 - 1 blocks squared and as many channels need 96 bits. */
static void channels_beyond_64_bits(void **state)
{
    (void)state;
    const uint64_t most = UINT32_MAX;
    ts_report report = { 0 };
    ts_descriptor d = make(1, 1, 1, 1, 1, 0);
    operator_set_attr(&d, 0, (const int64_t[]){ UINT32_MAX }, 1);
    tensor_init(&d.tensors[IN], TS_UINT32, 4, SIZES(1, most, most, most));
    tensor_init(&d.tensors[OUT], TS_UINT32, 4, SIZES(1, most * most * most, 1, 1));
    assert_false(d.op->shape(&d));
    operator_check(&d, &report);
    assert_true(operator_reports(&report, "SD1-07"));
}

/* A second formula: the input as {N, C, H, y, W, x} and the output as {N, y, x, C, H, W} or {N, C, y, x, H, W}. */
static void elements_move_with_their_block(void **state)
{
    (void)state;
    uint32_t in[2 * 3 * 4 * 10], out[2 * 3 * 4 * 10];
    for (uint32_t order = 0; order < 2; ++order) {
        const uint32_t N = 2, C = 3, H = 2, W = 5, b = 2;
        ts_descriptor d = make(N, C, H, W, b, order);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        for (uint32_t i = 0; i < N * C * H * W * b * b; ++i)
            in[i] = 7 + i;
        memset(out, 0xFF, sizeof out);
        d.tensors[IN].data = in;
        d.tensors[OUT].data = out;
        d.op->run(&d, NULL);
        const uint32_t *next = out;
        for (uint32_t n = 0; n < N; ++n) {
            for (uint32_t k = 0; k < C * b * b; ++k) {
                const uint32_t c = order == 0 ? k % C : k / 4, y = order == 0 ? k / C / 2 : k / 2 % 2;
                const uint32_t x = order == 0 ? k / C % 2 : k % 2;
                for (uint32_t h = 0; h < H; ++h)
                    for (uint32_t w = 0; w < W; ++w)
                        assert_int_equal(*next++, in[(((n * C + c) * H + h) * b + y) * W * b + w * b + x]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_reports_each_clause),      cmocka_unit_test(blocks_fill_height_and_width),
        cmocka_unit_test(each_size_of_the_output_counts), cmocka_unit_test(channels_beyond_64_bits),
        cmocka_unit_test(elements_move_with_their_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
