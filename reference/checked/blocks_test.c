/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that become channels, and channels that become blocks. */
#include "reference/dml/blocks.h"
#include "harness/model/explain.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

enum { IN, OUT };

/* The operators, with the clauses of required fields, of the same type, of data types, dimension counts, Order,
   BlockSize and of the sizes of input and output. `deep`: the tensor whose channels are parts of blocks. */
static const struct {
    const char *name;
    unsigned deep;
    const char *exists, *same, *types, *dims, *order, *block, *input, *output;
} operators[] = {
    { "dml.depth_to_space", IN, "OP-01", "OP-06", "OP-03", "OP-02", NULL, "OP-07", "OP-08", "OP-09" },
    { "dml.depth_to_space1", IN, "OP-01", "OP-06", "OP-03", "OP-02", "OP-04", "OP-07", "OP-08", "OP-09" },
    { "dml.space_to_depth", OUT, "OP-01", "OP-06", "OP-03", "OP-02", NULL, "OP-07", "OP-09", "OP-08" },
    { "dml.space_to_depth1", OUT, "SD1-01", "SD1-02", "SD1-02", "SD1-03", "SD1-04", "SD1-05", "SD1-06", "SD1-07" },
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

/* N batches of C channels of H x W blocks. */
static ts_descriptor make(unsigned op, uint64_t n, uint64_t c, uint64_t h, uint64_t w, uint32_t block, uint32_t order)
{
    ts_descriptor d;
    const unsigned deep = operators[op].deep;
    operator_begin(&d, operators_find(operators[op].name));
    operator_set_attr(&d, 0, (const int64_t[]){ block }, 1);
    if (operators[op].order)
        operator_set_attr(&d, 1, (const int64_t[]){ order }, 1);
    tensor_init(&d.tensors[deep], TS_UINT32, 4, SIZES(n, c * block * block, h, w));
    tensor_init(&d.tensors[1 - deep], TS_UINT32, 4, SIZES(n, c, h * block, w * block));
    return d;
}

static void check_reports_each_clause(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OPERATORS; ++op) {
        ts_descriptor d = make(op, 1, 2, 2, 3, 2, TS_COLUMN_ROW_DEPTH);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        for (unsigned k = 0; k < 2; ++k) {
            d = make(op, 1, 2, 2, 3, 2, 0);
            memset(&d.tensors[k], 0, sizeof d.tensors[k]);
            expect_clause(&d, operators[op].exists, TS_RESULT_INVALID);
            d = make(op, 1, 2, 2, 3, 2, 0);
            d.tensors[k].dtype = TS_FLOAT32;
            expect_clause(&d, operators[op].same, TS_RESULT_INVALID);
        }
        for (unsigned k = 0; k < d.op->attr_count; ++k) {
            d = make(op, 1, 2, 2, 3, 2, 0);
            d.attrs_given &= ~(1u << k);
            expect_clause(&d, operators[op].exists, TS_RESULT_INVALID);
        }
        d = make(op, 1, 2, 2, 3, 2, 0);
        d.feature_level = operators[op].order ? TS_LEVEL_2_0 : TS_LEVEL_1_0;
        expect_clause(&d, operators[op].order ? operators[op].exists : operators[op].types, TS_RESULT_UNSUPPORTED_FL);
        if (operators[op].order) {
            d = make(op, 1, 2, 2, 3, 2, 2);
            expect_clause(&d, operators[op].order, TS_RESULT_INVALID);
        }
        d = make(op, 1, 2, 2, 3, 2, 0);
        operator_set_attr(&d, 0, (const int64_t[]){ 0 }, 1);
        expect_clause(&d, operators[op].block, TS_RESULT_INVALID);
    }
}

/* A channel, a row or a column more or less than blocks have. */
static void the_input_has_whole_blocks(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OPERATORS; ++op) {
        const unsigned first = operators[op].deep == IN ? 1 : 2, last = operators[op].deep == IN ? 1 : 3;
        for (unsigned axis = first; axis <= last; ++axis) {
            ts_descriptor d = make(op, 1, 2, 2, 3, 2, 0);
            uint64_t sizes[4];
            memcpy(sizes, d.tensors[IN].sizes, sizeof sizes);
            ++sizes[axis];
            tensor_init(&d.tensors[IN], TS_UINT32, 4, sizes);
            expect_clause(&d, operators[op].input, TS_RESULT_INVALID);
        }
    }
}

static void each_size_of_the_output_counts(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OPERATORS; ++op) {
        for (unsigned axis = 0; axis < 4; ++axis) {
            for (int by = -1; by <= 1; by += 2) {
                ts_descriptor d = make(op, 2, 2, 2, 3, 2, 0), shaped = d;
                uint64_t sizes[4];
                memcpy(sizes, d.tensors[OUT].sizes, sizeof sizes);
                sizes[axis] += (uint64_t)by;
                tensor_init(&d.tensors[OUT], TS_UINT32, 4, sizes);
                expect_clause(&d, operators[op].output, TS_RESULT_INVALID);
                assert_true(d.op->shape(&d));
                assert_memory_equal(d.tensors[OUT].sizes, shaped.tensors[OUT].sizes, sizeof sizes);
            }
        }
    }
}

/* 2^32 - 1 blocks squared and as many channels need 96 bits. */
static void channels_beyond_64_bits(void **state)
{
    (void)state;
    const uint64_t most = UINT32_MAX;
    for (unsigned op = 0; op < OPERATORS; ++op) {
        ts_report report = { 0 };
        ts_descriptor d = make(op, 1, 1, 1, 1, 1, 0);
        operator_set_attr(&d, 0, (const int64_t[]){ UINT32_MAX }, 1);
        tensor_init(&d.tensors[1 - operators[op].deep], TS_UINT32, 4, SIZES(1, most, most, most));
        tensor_init(&d.tensors[operators[op].deep], TS_UINT32, 4, SIZES(1, most * most * most, 1, 1));
        operator_check(&d, &report);
        assert_true(operator_reports(&report, operators[op].deep == IN ? operators[op].input : operators[op].output));
    }
}

/* A second formula: the deep tensor as {N, y, x, C, H, W} or {N, C, y, x, H, W}, the other as {N, C, H, y, W, x}. */
static void elements_move_with_their_block(void **state)
{
    (void)state;
    enum { N = 2, C = 3, H = 2, W = 5, B = 2, COUNT = N * C * H * W * B * B };
    uint32_t flat[COUNT], deep[COUNT], found[COUNT];
    for (unsigned op = 0; op < OPERATORS; ++op) {
        for (uint32_t order = 0; order < (operators[op].order ? 2 : 1); ++order) {
            ts_descriptor d = make(op, N, C, H, W, B, order);
            uint32_t *next = deep;
            for (uint32_t i = 0; i < COUNT; ++i)
                flat[i] = 7 + i;
            for (uint32_t n = 0; n < N; ++n) {
                for (uint32_t k = 0; k < C * B * B; ++k) {
                    const uint32_t c = order == 0 ? k % C : k / 4, y = order == 0 ? k / C / 2 : k / 2 % 2;
                    const uint32_t x = order == 0 ? k / C % 2 : k % 2;
                    for (uint32_t h = 0; h < H; ++h)
                        for (uint32_t w = 0; w < W; ++w)
                            *next++ = flat[(((n * C + c) * H + h) * B + y) * W * B + w * B + x];
                }
            }
            expect_clause(&d, NULL, TS_RESULT_NONE);
            d.tensors[IN].data = operators[op].deep == IN ? deep : flat;
            d.tensors[OUT].data = memset(found, 0xFF, sizeof found);
            d.op->run(&d, NULL);
            assert_memory_equal(found, operators[op].deep == IN ? flat : deep, sizeof found);
        }
    }
}

/* Each element says where it comes from; one of an illegal descriptor comes from nowhere, and nothing divides by 0. */
static void explanations_name_the_source(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OPERATORS; ++op) {
        const uint64_t to[TS_MAX_DIMS] = { 0, 1, 1, 2 };
        explain_element e;
        ts_descriptor d = make(op, 1, 2, 2, 3, 2, 0);
        assert_true(explain_one_element(&d, OUT, to, &e));
        assert_int_equal(e.from, IN);
        assert_false(e.outside);
        const uint64_t deep[4] = { 0, 5, 0, 1 }, flat[4] = { 0, 1, 2, 4 };
        assert_memory_equal(e.from_coord, operators[op].deep == IN ? deep : flat, sizeof deep);
        operator_set_attr(&d, 0, (const int64_t[]){ 0 }, 1);
        assert_false(explain_one_element(&d, OUT, to, &e));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_reports_each_clause),      cmocka_unit_test(the_input_has_whole_blocks),
        cmocka_unit_test(each_size_of_the_output_counts), cmocka_unit_test(channels_beyond_64_bits),
        cmocka_unit_test(elements_move_with_their_block), cmocka_unit_test(explanations_name_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
