/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cpu backend beside the reference: page examples and known answers first, then as many random descriptors as fit
 * in a few seconds, legal ones executed by both and spoilt ones judged by both.
 */
#include "backends/backend_testing.h"
#include "harness/model/operator.h"
#include "reference/dml/gather.h"
#include "reference/dml/random_generator.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#ifndef CPU_LIBRARY
#define CPU_LIBRARY TOUCHSTONE_BINARY_DIR "/backends/cpu" TOUCHSTONE_LIBRARY_SUFFIX
#endif

#define VALID_CASES   200000
#define MUTATED_CASES 500000
#define GARBAGE_CASES 100000

static const ts_backend *backend;
static void *instance;

static int open_backend(void **state)
{
    (void)state;
    backend = testing_backend(CPU_LIBRARY);
    return backend && backend->open(NULL, NULL, 0, &instance) == TS_OK ? 0 : -1;
}

static ts_status submit(const ts_descriptor *d, uint32_t flags)
{
    ts_call call = operator_call(d);
    call.flags = flags;
    ts_status status = TS_ERROR;
    if (backend->query(instance, &call, &call.token) != TS_OK)
        return TS_UNSUPPORTED;
    backend->submit(instance, &call, 1, &status);
    return status;
}

/* ---- random numbers: the same everywhere, and named in every failure ----------------------------------------------
 */

static uint64_t seed;

static uint64_t next(void)
{
    return testing_random(&seed);
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)(next() % n);
}

static int64_t between(int64_t low, int64_t high)
{
    return low + (int64_t)(next() % (uint64_t)(high - low + 1));
}

/* ---- known answers --------------------------------------------------------------------------------------------------
 */

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

/* A state, how many words it is asked for, those words, and the new counter: Random123's vectors, then those that the
   rules derive for carries and partial blocks. */
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

/* Long runs take the wide loop: they must be what many short ones are, across the carry out of word 0. */
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
    tensor_init(&d.tensors[1], TS_UINT8, 3, (uint64_t[]){ 1, 3, 3 }); /* the page's own, wrong, sizes (E-SS-7) */
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

/* Large enough for the rows to be written past the caches: padded, and starting at odd places. */
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

/* ---- random descriptors
 * ---------------------------------------------------------------------------------------------- */

static const ts_level levels[] = {
    0, TS_LEVEL_6_4, TS_LEVEL_4_1, TS_LEVEL_4_0, TS_LEVEL_3_1, TS_LEVEL_3_0, TS_LEVEL_2_1, TS_LEVEL_2_0, TS_LEVEL_1_0
};

static ts_level some_level(void)
{
    return below(3) ? 0 : levels[below(sizeof levels / sizeof *levels)];
}

static uint64_t size_limit;

static void some_sizes(uint32_t rank, uint64_t *sizes, bool zeros)
{
    uint64_t left = size_limit;
    for (uint32_t i = 0; i < rank; ++i)
        sizes[i] = 1;
    for (uint32_t n = 0; n < rank; ++n) {
        const uint32_t i = below(rank);
        if (sizes[i] != 1)
            continue;
        const uint32_t kind = below(12);
        uint64_t size = kind < 3 ? 1 : kind < 10 ? 1 + below(6) : 1 + below(200);
        if (zeros && below(40) == 0)
            size = 0;
        if (size > left)
            size = left ? left : 1;
        sizes[i] = size;
        if (size)
            left /= size;
    }
}

/* Strides over the sizes at hand: packed, padded, in any order of the axes, broadcast. */
static void some_layout(ts_tensor *t, bool output)
{
    const uint32_t kind = below(4);
    t->given = TS_GIVEN_ALL;
    tensor_pack(t);
    if (kind > 0) {
        t->given |= TS_GIVEN_STRIDES;
        uint32_t order[TS_MAX_DIMS];
        for (uint32_t i = 0; i < t->rank; ++i)
            order[i] = i;
        for (uint32_t i = t->rank; kind == 3 && i-- > 1;) {
            const uint32_t k = below(i + 1), kept = order[i];
            order[i] = order[k];
            order[k] = kept;
        }
        uint64_t stride = 1;
        for (uint32_t i = t->rank; i-- > 0;) {
            const uint32_t at = order[i];
            t->strides[at] = stride;
            stride *= t->sizes[at] ? t->sizes[at] : 1;
            if (kind > 1 && below(3) == 0)
                stride += below(5);
            if (t->sizes[at] <= 1 && below(4) == 0)
                t->strides[at] = below(2) ? 0 : UINT32_MAX;
            if (!output && kind > 1 && below(6) == 0)
                t->strides[at] = below(2) ? 0 : below(4);
        }
    }
    uint64_t bytes = 0;
    if (!tensor_min_bytes(t, &bytes))
        bytes = 0;
    t->total_bytes = bytes + (below(3) ? 0 : 4 * (uint64_t)below(8));
    t->alignment = below(4) ? 0 : 16u << below(4);
    t->flags = output ? 0 : below(10) == 0;
}

static void some_tensor(ts_tensor *t, uint32_t dtype, uint32_t rank, const uint64_t *sizes, bool output)
{
    ts_tensor fresh; /* the sizes may be those of *t itself */
    memset(&fresh, 0, sizeof fresh);
    fresh.dtype = dtype;
    fresh.rank = rank;
    memcpy(fresh.sizes, sizes, rank * sizeof *sizes);
    *t = fresh;
    some_layout(t, output);
}

static void random_slice1(ts_descriptor *d)
{
    ts_dml_slice1 a;
    memset(&a, 0, sizeof a);
    uint64_t sizes[TS_MAX_DIMS], out[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11);
    some_sizes(rank, sizes, false);
    a.DimensionCount = rank;
    for (uint32_t i = 0; i < rank; ++i) {
        const uint32_t size = (uint32_t)sizes[i];
        a.InputWindowSizes[i] = below(3) ? size : 1 + below(size);
        a.InputWindowOffsets[i] = below(size - a.InputWindowSizes[i] + 1);
        a.InputWindowStrides[i] = below(2) ? 1 : (int32_t)between(1, 4) * (below(2) ? 1 : -1);
        if (below(20) == 0)
            a.InputWindowStrides[i] = below(2) ? INT32_MIN : INT32_MAX;
        const uint64_t step = (uint64_t)llabs((long long)a.InputWindowStrides[i]);
        const uint64_t most = 1 + (a.InputWindowSizes[i] - 1) / step;
        out[i] = below(4) ? most : 1 + next() % most;
    }
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[1], dtype, rank, out, true);
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 15;
}

static void random_identity(ts_descriptor *d)
{
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11);
    some_sizes(rank, sizes, false);
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[1], dtype, rank, sizes, true);
}

static void random_gather(ts_descriptor *d)
{
    static const uint32_t index_types[] = { TS_INT64, TS_INT32, TS_UINT64, TS_UINT32 };
    uint64_t in[TS_MAX_DIMS], indices[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11);
    const uint32_t axis = below(rank), picks = below(axis + 2);
    size_limit = 60;
    some_sizes(rank, in, false);
    some_sizes(rank, indices, false);
    for (uint32_t i = 0; i + 1 < picks; ++i)
        in[i] = 1;
    for (uint32_t i = 0; i < rank - picks && below(30); ++i)
        indices[i] = 1;
    const ts_dml_gather a = { axis, picks };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 3;
    some_tensor(&d->tensors[0], dtype, rank, in, false);
    some_tensor(&d->tensors[1], index_types[below(4)], rank, indices, false);
    d->tensors[2].dtype = dtype;
    if (d->op->shape(d))
        some_tensor(&d->tensors[2], dtype, rank, d->tensors[2].sizes, true);
}

static void random_random(ts_descriptor *d)
{
    uint64_t sizes[TS_MAX_DIMS] = { 1, 1, 1, 1, 1, 1, 1, 1 }, out[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), out_rank = 1 + below(8);
    sizes[rank - 1] = 6;
    some_sizes(out_rank, out, false);
    some_tensor(&d->tensors[0], TS_UINT32, rank, sizes, false);
    some_tensor(&d->tensors[1], TS_UINT32, out_rank, out, true);
    if (below(3))
        some_tensor(&d->tensors[2], TS_UINT32, rank, sizes, true);
    d->attrs_given = 1;
}

static int64_t some_bound(int64_t size)
{
    switch (below(12)) {
    case 0: return INT64_MIN;
    case 1: return INT64_MAX;
    default: return between(-size - 2, size + 2);
    }
}

static void some_mask(uint8_t *mask, uint32_t *count, uint32_t steps, uint32_t rarity)
{
    *count = below(4) ? steps : below(TS_STRIDED_SLICE_STEPS + 1);
    for (uint32_t i = 0; i < TS_STRIDED_SLICE_STEPS; ++i)
        mask[i] = below(rarity) == 0;
}

static void random_strided(ts_descriptor *d)
{
    static const uint32_t types[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, TS_BFLOAT16, TS_BOOLEAN };
    ts_openvino_strided_slice a;
    memset(&a, 0, sizeof a);
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(below(4) ? 5 : 12), dtype = types[below(13)];
    some_sizes(rank, sizes, true);
    const uint32_t steps = below(rank + 2);
    a.begin_count = a.end_count = a.stride_count = steps;
    for (uint32_t i = 0; i < steps; ++i) {
        const int64_t size = (int64_t)sizes[i < rank ? i : rank - 1];
        a.begin[i] = some_bound(size);
        a.end[i] = some_bound(size);
        a.stride[i] = below(2) ? 1 : between(1, 3) * (below(2) ? 1 : -1);
        if (below(20) == 0)
            a.stride[i] = below(2) ? INT64_MIN : INT64_MAX;
    }
    some_mask(a.begin_mask, &a.begin_mask_count, steps, 3);
    some_mask(a.end_mask, &a.end_mask_count, steps, 3);
    some_mask(a.new_axis_mask, &a.new_axis_mask_count, steps, 8);
    some_mask(a.shrink_axis_mask, &a.shrink_axis_mask_count, steps, 10);
    some_mask(a.ellipsis_mask, &a.ellipsis_mask_count, steps, 12);
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 3 | (uint32_t)next() % 64 << 2;
    d->profile = below(3) == 0;
    d->feature_level = 0;
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    d->tensors[1].dtype = dtype;
    if (d->op->shape(d))
        some_tensor(&d->tensors[1], dtype, d->tensors[1].rank, d->tensors[1].sizes, true);
}

static const struct {
    const char *name;
    void (*make)(ts_descriptor *d);
} makers[] = {
    { "dml.slice1", random_slice1 },
    { "dml.element_wise_identity", random_identity },
    { "dml.gather", random_gather },
    { "dml.random_generator", random_random },
    { "openvino.strided_slice", random_strided },
};
#define MAKER_COUNT (sizeof makers / sizeof *makers)

static void make(ts_descriptor *d, size_t maker)
{
    operator_begin(d, operators_find(makers[maker].name));
    d->feature_level = some_level();
    size_limit = below(100) ? 200 : 20000;
    makers[maker].make(d);
}

static ts_report judge(const ts_descriptor *d)
{
    ts_report report;
    memset(&report, 0, sizeof report);
    d->op->check(d, &report);
    return report;
}

static bool refused(const ts_report *report)
{
    return report->worst == TS_RESULT_INVALID || report->worst == TS_RESULT_UNSUPPORTED_FL;
}

static void print(const ts_descriptor *d, const ts_report *report, uint64_t from)
{
    print_message("%s, seed 0x%016llx, level 0x%x, profile %u, attrs_given 0x%x\n", d->op->name,
                  (unsigned long long)from, d->feature_level, d->profile, d->attrs_given);
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        const ts_tensor *t = &d->tensors[i];
        print_message("  %s dtype %u rank %u given %u flags %u align %u total %llu:", d->op->tensors[i].name, t->dtype,
                      t->rank, t->given, t->flags, t->alignment, (unsigned long long)t->total_bytes);
        for (uint32_t k = 0; k < t->rank && k < TS_MAX_DIMS; ++k)
            print_message(" %llu/%llu", (unsigned long long)t->sizes[k], (unsigned long long)t->strides[k]);
        print_message("\n");
    }
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        print_message("  %s:", d->op->attrs[k].name);
        for (uint32_t i = 0; i < operator_attr_count(d, k) && i < TS_MAX_DIMS; ++i)
            print_message(" %lld", (long long)operator_attr_value(d, k, i));
        print_message("\n");
    }
    for (unsigned i = 0; report && i < report->count; ++i)
        print_message("  %s: %s\n", report->items[i].clause, report->items[i].text);
}

/* Indices that are mostly in range, with every way of being out of it. */
static void fill_indices(const ts_descriptor *d)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *t = &d->tensors[1];
    const size_t bytes = tensor_element_bytes(t->dtype);
    const int64_t size = (int64_t)d->tensors[0].sizes[a->Axis];
    for (uint64_t at = 0; at + bytes <= t->total_bytes; at += bytes) {
        const int64_t index = below(12) ? between(-size - 1, size) : (int64_t)next();
        memcpy((unsigned char *)t->data + at, &index, bytes);
    }
}

static void run_both(const ts_descriptor *d, uint64_t from)
{
    ts_descriptor ours = *d, theirs = *d;
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        ts_tensor *t = &ours.tensors[i];
        if (!(t->given & TS_GIVEN_TENSOR))
            continue;
        t->data = malloc((size_t)t->total_bytes + !t->total_bytes);
        theirs.tensors[i].data = t->data;
        if (d->op->tensors[i].role == TS_OUTPUT) {
            memset(t->data, 0xA5, (size_t)t->total_bytes);
            theirs.tensors[i].data = malloc((size_t)t->total_bytes + !t->total_bytes);
            memset(theirs.tensors[i].data, 0xA5, (size_t)t->total_bytes);
        } else {
            for (uint64_t k = 0; k < t->total_bytes; ++k)
                ((unsigned char *)t->data)[k] = (unsigned char)next();
        }
    }
    if (strcmp(d->op->name, "dml.gather") == 0)
        fill_indices(&ours);
    if (strcmp(d->op->name, "dml.random_generator") == 0 && below(2))
        memset(ours.tensors[0].data, 0xFF, (size_t)ours.tensors[0].total_bytes);
    const ts_status status = submit(&ours, 0);
    d->op->run(&theirs, NULL);
    bool equal = status == TS_OK;
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        ts_tensor *t = &ours.tensors[i];
        if (!(t->given & TS_GIVEN_TENSOR))
            continue;
        if (d->op->tensors[i].role == TS_OUTPUT) {
            equal = equal && memcmp(t->data, theirs.tensors[i].data, (size_t)t->total_bytes) == 0;
            free(theirs.tensors[i].data);
        }
        free(t->data);
    }
    if (!equal) {
        print(d, NULL, from);
        fail_msg("the outputs differ (status %d)", status);
    }
}

static void test_valid(void **state)
{
    (void)state;
    for (size_t maker = 0; maker < MAKER_COUNT; ++maker) {
        unsigned accepted = 0, tried = 0;
        for (seed = UINT64_C(0xC0FFEE) + maker; accepted < VALID_CASES; ++tried) {
            const uint64_t from = seed;
            ts_descriptor d;
            make(&d, maker);
            const ts_report report = judge(&d);
            if (refused(&report)) {
                assert_true(tried < 20 * VALID_CASES); /* else the maker is broken */
                continue;
            }
            ++accepted;
            run_both(&d, from);
        }
    }
}

/* ---- spoilt descriptors
 * ---------------------------------------------------------------------------------------------- */

static uint64_t some_number(void)
{
    static const uint64_t numbers[] = { 0,
                                        1,
                                        2,
                                        3,
                                        5,
                                        6,
                                        7,
                                        8,
                                        9,
                                        15,
                                        16,
                                        17,
                                        32,
                                        0x7FFFFFFF,
                                        0x80000000,
                                        0xFFFFFFFF,
                                        0xFFFFFFFE,
                                        UINT64_C(0x100000000),
                                        UINT64_C(0x7FFFFFFFFFFFFFFF),
                                        UINT64_C(0x8000000000000000),
                                        UINT64_MAX };
    return below(3) ? numbers[below(sizeof numbers / sizeof *numbers)] : next() % 12;
}

static void mutate(ts_descriptor *d)
{
    ts_tensor *t = &d->tensors[below(d->op->tensor_count)];
    const uint32_t dim = below(t->rank >= 1 && t->rank <= TS_MAX_DIMS ? t->rank : 8);
    switch (below(14)) {
    case 0: t->dtype = below(2) ? below(TS_DTYPE_COUNT + 2) : (uint32_t)some_number(); break;
    case 1: t->rank = below(2) ? below(10) : (uint32_t)some_number(); break;
    case 2: t->given ^= 1u << below(3); break;
    case 3: t->flags = (uint32_t)some_number(); break;
    case 4: t->alignment = below(2) ? 1u << below(32) : (uint32_t)some_number(); break;
    case 5: t->total_bytes = below(2) ? t->total_bytes + (uint64_t)between(-5, 5) : some_number(); break;
    case 6:
    case 7: t->sizes[dim] = below(2) ? t->sizes[dim] + (uint64_t)between(-1, 1) : some_number(); break;
    case 8:
    case 9:
        t->given |= TS_GIVEN_STRIDES;
        t->strides[dim] = below(2) ? t->strides[dim] + (uint64_t)between(-2, 1) : some_number();
        break;
    case 10: d->attrs_given ^= 1u << below(8); break;
    case 11: d->feature_level = levels[below(sizeof levels / sizeof *levels)]; break;
    default:
        if (d->op->attr_count > 0) {
            const unsigned k = below(d->op->attr_count);
            const ts_attr_decl *attr = &d->op->attrs[k];
            const uint64_t value = some_number();
            const uint32_t i = attr->count == TS_ARRAY ? below(8) : 0;
            const size_t width = attr->type == TS_ATTR_BIT ? 1 : attr->type == TS_ATTR_I64 ? 8 : 4;
            if (attr->count == TS_ARRAY && below(4) == 0)
                memcpy(d->attrs + attr->count_offset, &value, 4);
            else
                memcpy(d->attrs + attr->offset + i * width, &value, width);
        }
        break;
    }
    if (!(t->given & TS_GIVEN_STRIDES) && t->rank <= TS_MAX_DIMS)
        tensor_pack(t);
}

/* The reference judges StridedSlice up to 12 dimensions of data and says so under SS-14; the backend goes on. */
static bool beyond_the_reference(const ts_descriptor *d)
{
    const uint32_t rank = d->tensors[0].rank;
    return d->op->openvino_types && (rank == 0 || rank > 12) && rank <= TS_MAX_DIMS;
}

static void test_mutated(void **state)
{
    (void)state;
    for (size_t maker = 0; maker < MAKER_COUNT; ++maker) {
        unsigned refusals = 0, disagreements = 0;
        seed = UINT64_C(0xBADC0DE) + maker;
        for (unsigned i = 0; i < MUTATED_CASES; ++i) {
            const uint64_t from = seed;
            ts_descriptor d;
            make(&d, maker);
            for (uint32_t n = 1 + below(3); n > 0; --n)
                mutate(&d);
            if (beyond_the_reference(&d))
                continue;
            const ts_report report = judge(&d);
            const ts_status status = submit(&d, TS_CALL_DESCRIPTOR_ONLY);
            refusals += refused(&report);
            if (status == (refused(&report) ? TS_REJECTED : TS_OK))
                continue;
            if (++disagreements <= 8) {
                print_message("the backend says %d where the reference says %d\n", status, report.worst);
                print(&d, &report, from);
            }
        }
        assert_int_equal(disagreements, 0);
        assert_in_range(refusals, MUTATED_CASES / 10, MUTATED_CASES / 10 * 9); /* else they are toothless or deadly */
    }
}

/* Descriptors of nothing but noise: no verdict to compare, but nothing may break. */
static void test_garbage(void **state)
{
    (void)state;
    seed = 12345;
    for (unsigned i = 0; i < GARBAGE_CASES; ++i) {
        ts_descriptor d;
        operator_begin(&d, operators_find(makers[below(MAKER_COUNT)].name));
        for (size_t k = 0; k < sizeof d.attrs; k += 8) {
            const uint64_t noise = below(2) ? next() : some_number();
            memcpy(d.attrs + k, &noise, 8);
        }
        for (unsigned k = 0; k < TS_MAX_TENSORS; ++k) {
            ts_tensor *t = &d.tensors[k];
            unsigned char *bytes = (unsigned char *)t;
            for (size_t b = 0; b < sizeof *t; ++b)
                bytes[b] = (unsigned char)next();
            t->data = NULL;
            t->reported = NULL;
            if (below(4)) { /* far enough in to reach the arithmetic */
                t->dtype = 1 + below(15);
                t->rank = below(17);
                t->given = 15;
                t->flags = 0;
                t->alignment = 0;
                for (uint32_t n = 0; n < TS_MAX_DIMS; ++n) {
                    t->sizes[n] = some_number();
                    t->strides[n] = some_number();
                }
            }
        }
        d.attrs_given = (uint32_t)next();
        d.feature_level = below(2) ? 0 : (uint32_t)next();
        const ts_status status = submit(&d, TS_CALL_DESCRIPTOR_ONLY);
        assert_true(status == TS_OK || status == TS_REJECTED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice1_examples),
        cmocka_unit_test(test_gather_clamps),
        cmocka_unit_test(test_philox_vectors),
        cmocka_unit_test(test_philox_long),
        cmocka_unit_test(test_strided_slice_reports),
        cmocka_unit_test(test_large_rows),
        cmocka_unit_test(test_options_and_abi),
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_mutated),
        cmocka_unit_test(test_garbage),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
