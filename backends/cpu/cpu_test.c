/* SPDX-License-Identifier: Apache-2.0 */
/* The cpu backend on page examples and published vectors. */
#include "backends/cpu/cpu_testing.h"
#include "reference/dml/gather.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

#include <stdlib.h>

static void test_slice1_examples(void **state)
{
    (void)state;
    float in[16];
    float out[4] = { 0 };
    for (int i = 0; i < 16; ++i)
        in[i] = (float)(i + 1);
    ts_descriptor d;
    operator_begin(&d, operators_find("dml.slice1"));
    tensor_init(&d.tensors[0], TS_FLOAT32, 4, (uint64_t[]){ 1, 1, 4, 4 });
    tensor_init(&d.tensors[1], TS_FLOAT32, 4, (uint64_t[]){ 1, 1, 2, 2 });
    d.tensors[0].data = in;
    d.tensors[1].data = out;
    const ts_dml_slice1 attrs = { 4, { 0, 0, 0, 1 }, { 1, 1, 4, 3 }, { 1, 1, -2, 2 } };
    memcpy(d.attrs, &attrs, sizeof attrs);
    d.attrs_given = 15;
    assert_int_equal(submit(&d, 0), TS_OK);
    const float expected[4] = { 14, 16, 6, 8 };
    assert_memory_equal(out, expected, sizeof expected);
}

static void test_gather_clamps(void **state)
{
    (void)state;
    const uint16_t in[6] = { 1, 2, 3, 4, 5, 6 };
    int64_t indices[4] = { -1, INT64_MIN, INT64_MAX, 1 };
    uint16_t out[8] = { 0 };
    ts_descriptor d;
    operator_begin(&d, operators_find("dml.gather"));
    tensor_init(&d.tensors[0], TS_UINT16, 2, (uint64_t[]){ 3, 2 });
    tensor_init(&d.tensors[1], TS_INT64, 2, (uint64_t[]){ 1, 4 });
    tensor_init(&d.tensors[2], TS_UINT16, 2, (uint64_t[]){ 4, 2 });
    d.tensors[0].data = (void *)(uintptr_t)in;
    d.tensors[1].data = indices;
    d.tensors[2].data = out;
    const ts_dml_gather attrs = { 0, 1 };
    memcpy(d.attrs, &attrs, sizeof attrs);
    d.attrs_given = 3;
    assert_int_equal(submit(&d, 0), TS_OK);
    const uint16_t expected[8] = { 5, 6, 1, 2, 5, 6, 3, 4 };
    assert_memory_equal(out, expected, sizeof expected);
}

/* An input state, a count of words, these words and the new counter: first Random123's published vectors, then vectors
   derived from the rules for carries and partial blocks. */
static const struct {
    uint32_t state[6];
    unsigned count;
    uint32_t words[12];
    uint32_t counter[4];
} vectors[] = {
    { { 0 }, 4, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 }, { 1 } },
    { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
      4,
      { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd },
      { 0 } },
    { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0 },
      4,
      { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 },
      { 0x243f6a89, 0x85a308d3, 0x13198a2e, 0x03707344 } },
    { { 0 }, 5, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0xf8e4cca4 }, { 2 } },
    { { 0xffffffff, 0, 0, 0, 1, 2 },
      8,
      { 0x692858e1, 0xf906bbe0, 0xfc4d241f, 0x46ba3cd1, 0x40dc5355, 0x4962507b, 0x2cef26b5, 0x6b2f71c5 },
      { 1, 1, 0, 0 } },
    { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 3, 4 },
      9,
      { 0xda4f6772, 0x0d7d927f, 0x574c2b2f, 0x1490e158, 0x1955b60c, 0x46814a70, 0x682e0b3d, 0x30193e3c, 0x77c7d695 },
      { 2, 0, 0, 0 } },
    { { 0xfffffffe, 0xffffffff, 0, 0, 5, 6 },
      12,
      { 0xc4eb77f5, 0xfd5b4d52, 0x36226ffd, 0x789fb4c6, 0xf7b35442, 0x8c1555d7, 0x25c07fd0, 0x39aa5072, 0x8a4efab1,
        0x52c21e4f, 0xf8aeca80, 0xb21f4cdf },
      { 1, 0, 1, 0 } },
};

static void test_philox_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
        uint32_t in[6], out[12] = { 0 }, next_state[6] = { 0 };
        memcpy(in, vectors[i].state, sizeof in);
        ts_descriptor d;
        operator_begin(&d, operators_find("dml.random_generator"));
        tensor_init(&d.tensors[0], TS_UINT32, 1, (uint64_t[]){ 6 });
        tensor_init(&d.tensors[1], TS_UINT32, 1, (uint64_t[]){ vectors[i].count });
        tensor_init(&d.tensors[2], TS_UINT32, 1, (uint64_t[]){ 6 });
        d.tensors[0].data = in;
        d.tensors[1].data = out;
        d.tensors[2].data = next_state;
        d.attrs_given = 1;
        assert_int_equal(submit(&d, 0), TS_OK);
        assert_memory_equal(out, vectors[i].words, vectors[i].count * sizeof *out);
        assert_memory_equal(next_state, vectors[i].counter, sizeof vectors[i].counter);
        assert_memory_equal(next_state + 4, in + 4, 8);
    }
}

/* Long outputs use the vectorised loop. It must compute what the reference computes, across a carry out of word 0. */
static void test_philox_long(void **state)
{
    (void)state;
    enum { WORDS = 4093 };
    static uint32_t out[WORDS], expected[WORDS];
    uint32_t in[6] = { 0xffffffff - 100, 0xffffffff, 7, 0, 11, 12 };
    ts_descriptor d;
    operator_begin(&d, operators_find("dml.random_generator"));
    tensor_init(&d.tensors[0], TS_UINT32, 1, (uint64_t[]){ 6 });
    tensor_init(&d.tensors[1], TS_UINT32, 1, (uint64_t[]){ WORDS });
    d.tensors[0].data = in;
    d.attrs_given = 1;
    d.tensors[1].data = out;
    assert_int_equal(submit(&d, 0), TS_OK);
    d.tensors[1].data = expected;
    d.op->run(&d, NULL);
    assert_memory_equal(out, expected, sizeof out);
}

static void test_strided_slice_reports(void **state)
{
    (void)state;
    const uint8_t in[24] = { 0 };
    uint8_t out[24];
    ts_shape shape = { .rank = TS_RANK_UNREPORTED };
    ts_descriptor d;
    operator_begin(&d, operators_find("openvino.strided_slice"));
    tensor_init(&d.tensors[0], TS_UINT8, 3, (uint64_t[]){ 2, 3, 4 });
    tensor_init(&d.tensors[1], TS_UINT8, 3,
                (uint64_t[]){ 1, 3, 3 }); /* the wrong sizes that the page prints (E-SS-7) */
    d.tensors[0].data = (void *)(uintptr_t)in;
    d.tensors[1].data = out;
    d.tensors[1].reported = &shape;
    ts_openvino_strided_slice a = {
        .begin_count = 3, .end_count = 3, .stride_count = 3, .begin_mask_count = 3, .end_mask_count = 3
    };
    a.begin[0] = 1, a.begin[1] = 1, a.begin[2] = 123, a.end[2] = 2;
    a.stride[0] = 1, a.stride[1] = 1, a.stride[2] = -1;
    a.begin_mask[1] = a.begin_mask[2] = 1;
    a.end_mask[0] = a.end_mask[1] = a.end_mask[2] = 1;
    memcpy(d.attrs, &a, sizeof a);
    d.attrs_given = 31;
    assert_int_equal(submit(&d, 0), TS_REJECTED);
    assert_int_equal(shape.rank, 3);
    assert_int_equal(shape.sizes[0], 1);
    assert_int_equal(shape.sizes[1], 3);
    assert_int_equal(shape.sizes[2], 4);
    tensor_init(&d.tensors[1], TS_UINT8, 3, shape.sizes);
    d.tensors[1].data = out;
    assert_int_equal(submit(&d, 0), TS_OK);
}

/* Outputs large enough for stores that bypass the caches, with padded rows at odd offsets. */
static void test_large_rows(void **state)
{
    (void)state;
    enum { ROWS = 4200, ROW = 4099, PADDED = ROW + 29 };
    const size_t bytes = ((size_t)ROWS * PADDED + 3) & ~(size_t)3;
    uint8_t *in = malloc(bytes);
    uint8_t *out = malloc(bytes);
    assert_true(in && out);
    for (size_t i = 0; i < bytes; ++i)
        in[i] = (uint8_t)(i * 2654435761u >> 13);
    for (int round = 0; round < 3; ++round) { /* up, down, and down by indices */
        const bool down = round > 0, gather = round == 2;
        memset(out, 0xA5, bytes);
        int32_t index[ROWS];
        for (int i = 0; i < ROWS; ++i)
            index[i] = ROWS - 1 - i;
        ts_descriptor d;
        operator_begin(&d, operators_find(gather ? "dml.gather" : "dml.slice1"));
        ts_tensor *to = &d.tensors[gather ? 2 : 1];
        tensor_init(&d.tensors[0], TS_UINT8, 2, (uint64_t[]){ ROWS, ROW });
        tensor_init(to, TS_UINT8, 2, (uint64_t[]){ ROWS, ROW });
        to->given |= TS_GIVEN_STRIDES;
        to->strides[0] = PADDED;
        to->total_bytes = bytes;
        d.tensors[0].data = in;
        to->data = out;
        const ts_dml_slice1 slice = { 2, { 0, 0 }, { ROWS, ROW }, { down ? -1 : 1, 1 } };
        const ts_dml_gather rows = { 0, 1 };
        memcpy(d.attrs, gather ? (const void *)&rows : (const void *)&slice, gather ? sizeof rows : sizeof slice);
        d.attrs_given = 15;
        if (gather) {
            tensor_init(&d.tensors[1], TS_INT32, 2, (uint64_t[]){ 1, ROWS });
            d.tensors[1].data = index;
        }
        assert_int_equal(submit(&d, 0), TS_OK);
        for (size_t row = 0; row < ROWS; ++row) {
            assert_memory_equal(out + row * PADDED, in + (down ? ROWS - 1 - row : row) * ROW, ROW);
            for (size_t k = ROW; k < PADDED && row + 1 < ROWS; ++k)
                assert_int_equal(out[row * PADDED + k], 0xA5);
        }
    }
    free(in);
    free(out);
}

static void test_options_and_abi(void **state)
{
    (void)state;
    const ts_option option = { "threads", "4" };
    void *other = NULL;
    assert_int_equal(backend->open(NULL, &option, 1, &other), TS_REJECTED);
    ts_call call = { .struct_size = sizeof call, .tensor_size = sizeof(ts_tensor), .op = "dml.nothing" };
    void *token = NULL;
    assert_int_equal(backend->query(instance, &call, &token), TS_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice1_examples),       cmocka_unit_test(test_gather_clamps),
        cmocka_unit_test(test_philox_vectors),        cmocka_unit_test(test_philox_long),
        cmocka_unit_test(test_strided_slice_reports), cmocka_unit_test(test_large_rows),
        cmocka_unit_test(test_options_and_abi),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
