/* SPDX-License-Identifier: Apache-2.0 */
/* Tests with LiteRT itself, installed by scripts/setup-vendors.sh. Exit status 77 if it is missing. */
#include "backends/call_of.h"
#include "backends/fetched/fetched_testing.h"
#include "harness/execute/plugin.h"
#include "harness/model/tensor.h"
#include "reference/dml/join.h"
#include "reference/dml/space_to_depth1.h"
#include "reference/openvino/gather_7.h"
#include "reference/openvino/gather_8.h"
#include "reference/openvino/strided_slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BACKEND TOUCHSTONE_BINARY_DIR "/backends/litert" TOUCHSTONE_LIBRARY_SUFFIX
#define ALIGNED _Alignas(64)

static void open_kernels(plugin *p, const char *kernels)
{
    const ts_option option = { "kernels", kernels };
    error e;
    if (!plugin_open(p, BACKEND, &option, 1, &e))
        fail_msg("%s", e.text);
}

static ts_status submit(plugin *p, ts_call *call)
{
    ts_status status = TS_ERROR;
    assert_int_equal(p->backend->query(p->self, call, &call->token), TS_OK);
    assert_int_equal(p->backend->submit(p->self, call, 1, &status), TS_OK);
    return status;
}

/* Slices that differ in one number or mask each, with the same shapes: an interpreter that was made for another one
   would give its elements. The output has gaps. */
static void test_slices_of_one_shape(void **state)
{
    (void)state;
    static const struct {
        int64_t begin, end, stride;
        uint8_t begin_mask, end_mask;
        uint16_t wanted[2];
    } slices[] = {
        { 1, 3, 1, 0, 0, { 11, 12 } },  { 2, 4, 1, 0, 0, { 12, 13 } },  { 1, 5, 2, 0, 0, { 11, 13 } },
        { 3, 1, -1, 0, 0, { 13, 12 } }, { 3, 2, 1, 1, 0, { 10, 11 } },  { 3, 4, 1, 0, 1, { 13, 14 } },
        { -2, 5, 1, 0, 0, { 13, 14 } }, { 0, 2, -1, 1, 0, { 14, 13 } },
    };
    for (unsigned k = 0; k < 3; ++k) {
        plugin p;
        open_kernels(&p, (const char *const[]){ "delegate", "builtin", "reference" }[k]);
        for (unsigned i = 0; i < sizeof slices / sizeof *slices; ++i) {
            ALIGNED uint16_t in[5] = { 10, 11, 12, 13, 14 }, out[3] = { 7, 7, 7 };
            ts_tensor tensors[2];
            ts_openvino_strided_slice a = { .begin_count = 1,
                                            .end_count = 1,
                                            .stride_count = 1,
                                            .begin_mask_count = 1,
                                            .end_mask_count = 1,
                                            .begin = { slices[i].begin },
                                            .end = { slices[i].end },
                                            .stride = { slices[i].stride },
                                            .begin_mask = { slices[i].begin_mask },
                                            .end_mask = { slices[i].end_mask } };
            tensor_init(&tensors[0], TS_FLOAT16, 1, (const uint64_t[]){ 5 });
            tensor_init(&tensors[1], TS_FLOAT16, 1, (const uint64_t[]){ 2 });
            tensors[0].data = in;
            tensors[1].data = out;
            tensors[1].strides[0] = 2;
            tensors[1].total_bytes = sizeof out;
            ts_call call = call_of("openvino.strided_slice", &a, sizeof a, 0x1F, tensors, 2);
            assert_int_equal(submit(&p, &call), TS_OK);
            const uint16_t wanted[] = { slices[i].wanted[0], 7, slices[i].wanted[1] };
            assert_memory_equal(out, wanted, sizeof wanted);
        }
        plugin_close(&p);
    }
}

/* What the adapter does not express, and what LiteRT refuses by itself. */
static void test_refused_slices(void **state)
{
    (void)state;
    plugin p;
    ALIGNED float in[5] = { 0 }, out[2] = { 7, 7 };
    ts_shape found = { .rank = TS_RANK_UNREPORTED };
    ts_tensor tensors[2];
    ts_openvino_strided_slice a = {
        .begin_count = 1, .end_count = 1, .stride_count = 1, .begin = { 0 }, .end = { 2 }, .stride = { 1 }
    };
    open_kernels(&p, "delegate");
    tensor_init(&tensors[0], TS_FLOAT32, 1, (const uint64_t[]){ 5 });
    tensor_init(&tensors[1], TS_FLOAT32, 1, (const uint64_t[]){ 2 });
    tensors[0].data = in;
    tensors[1].data = out;
    tensors[1].reported = &found;
    ts_call call = call_of("openvino.strided_slice", &a, sizeof a, 0x7, tensors, 2);
    a.end[0] = INT64_C(1) << 31;
    assert_int_equal(submit(&p, &call), TS_UNSUPPORTED); /* more than 32 bits */
    a.end[0] = -6, a.stride[0] = -1, a.begin[0] = -7;
    assert_int_equal(submit(&p, &call), TS_UNSUPPORTED); /* profile openvino begins at the first element */
    a.end[0] = 3, a.stride[0] = 1, a.begin[0] = 0;
    assert_int_equal(submit(&p, &call), TS_REJECTED); /* three elements */
    assert_int_equal(found.rank, 1);
    assert_int_equal(found.sizes[0], 3);
    a.stride[0] = 0;
    assert_int_equal(submit(&p, &call), TS_REJECTED);
    assert_true(out[0] == 7 && out[1] == 7);
    plugin_close(&p);
}

static void test_batches_of_indices(void **state)
{
    (void)state;
    plugin p;
    ALIGNED int16_t in[6] = { 10, 11, 12, 13, 14, 15 }, out[4] = { 0 };
    ALIGNED int64_t indices[4] = { 2, 0, 1, 1 };
    ts_tensor tensors[3];
    const ts_openvino_gather_7 a = { .axis = 1, .batch_dims = -1 };
    open_kernels(&p, "builtin");
    tensor_init(&tensors[0], TS_INT16, 2, (const uint64_t[]){ 2, 3 });
    tensor_init(&tensors[1], TS_INT64, 2, (const uint64_t[]){ 2, 2 });
    tensor_init(&tensors[2], TS_INT16, 2, (const uint64_t[]){ 2, 2 });
    tensors[0].data = in;
    tensors[1].data = indices;
    tensors[2].data = out;
    ts_call call = call_of("openvino.gather_7", &a, sizeof a, 0x3, tensors, 3);
    assert_int_equal(submit(&p, &call), TS_OK);
    static const int16_t wanted[] = { 12, 10, 14, 14 };
    assert_memory_equal(out, wanted, sizeof wanted);

    indices[3] = -1; /* which has a meaning in Gather-8, and none in GATHER */
    const ts_openvino_gather_8 of_8 = { .axis = 1, .batch_dims = 1 };
    call = call_of("openvino.gather_8", &of_8, sizeof of_8, 0x3, tensors, 3);
    assert_int_equal(submit(&p, &call), TS_UNSUPPORTED);
    plugin_close(&p);
}

static void test_a_join_of_three(void **state)
{
    (void)state;
    plugin p;
    ALIGNED uint8_t in[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } }, out[6] = { 0 };
    ts_tensor tensors[TS_JOIN_OUTPUT + 1];
    const ts_dml_join a = { .InputCount = 3, .Axis = 1 };
    open_kernels(&p, "delegate");
    memset(tensors, 0, sizeof tensors);
    for (unsigned i = 0; i < 3; ++i) {
        tensor_init(&tensors[i], TS_UINT8, 2, (const uint64_t[]){ 2, 1 });
        tensors[i].data = in[i];
    }
    tensor_init(&tensors[TS_JOIN_OUTPUT], TS_UINT8, 2, (const uint64_t[]){ 2, 3 });
    tensors[TS_JOIN_OUTPUT].data = out;
    ts_call call = call_of("dml.join", &a, sizeof a, 0x3, tensors, TS_JOIN_OUTPUT + 1);
    assert_int_equal(submit(&p, &call), TS_OK);
    static const uint8_t wanted[] = { 1, 3, 5, 2, 4, 6 };
    assert_memory_equal(out, wanted, sizeof wanted);
    plugin_close(&p);
}

/* Two channels of a block of 2 by 2, with the channels of the case first. */
static void test_a_block_of_two_channels(void **state)
{
    (void)state;
    plugin p;
    ALIGNED uint8_t in[] = { 1, 2, 3, 4, 5, 6, 7, 8 }, out[8] = { 0 };
    ts_tensor tensors[2];
    ts_dml_space_to_depth1 a = { 2, TS_DEPTH_COLUMN_ROW };
    open_kernels(&p, "delegate");
    tensor_init(&tensors[0], TS_UINT8, 4, (const uint64_t[]){ 1, 2, 2, 2 });
    tensor_init(&tensors[1], TS_UINT8, 4, (const uint64_t[]){ 1, 8, 1, 1 });
    tensors[0].data = in;
    tensors[1].data = out;
    ts_call call = call_of("dml.space_to_depth1", &a, sizeof a, 0x3, tensors, 2);
    assert_int_equal(submit(&p, &call), TS_OK);
    static const uint8_t wanted[] = { 1, 5, 2, 6, 3, 7, 4, 8 };
    assert_memory_equal(out, wanted, sizeof wanted);
    a.Order = TS_COLUMN_ROW_DEPTH;
    assert_int_equal(submit(&p, &call), TS_UNSUPPORTED);
    plugin_close(&p);
}

static void test_options(void **state)
{
    (void)state;
    testing_refuses_options(BACKEND);
    testing_refuses(BACKEND, "kernels", "fast", EXIT_BAD_USAGE, "delegate, builtin or reference");
}

int main(void)
{
    /* One instance stays open: what the library allocates each time it is loaded stays reachable. */
    static plugin held;
    error e;
    if (!plugin_open(&held, BACKEND, NULL, 0, &e)) {
        printf("%s\n", e.text);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_of_one_shape),     cmocka_unit_test(test_refused_slices),
        cmocka_unit_test(test_batches_of_indices),      cmocka_unit_test(test_a_join_of_three),
        cmocka_unit_test(test_a_block_of_two_channels), cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
