/* SPDX-License-Identifier: Apache-2.0 */
/* Tests with OpenVINO itself, installed by scripts/setup-vendors.sh. Exit status 77 if it is missing. */
#include "backends/call_of.h"
#include "backends/fetched/fetched_testing.h"
#include "harness/testing/platform_testing.h"
#include "harness/execute/plugin.h"
#include "harness/model/tensor.h"
#include "reference/dml/gather.h"
#include "reference/dml/scatter_elements.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BACKEND TOUCHSTONE_BINARY_DIR "/backends/openvino.so"
#define CALLS   5

static const char *const modes[] = { "run", "const", "core" };

static void open_mode(plugin *p, const char *mode)
{
    const ts_option option = { "mode", mode };
    error e;
    if (!plugin_open(p, BACKEND, &option, 1, &e))
        fail_msg("%s", e.text);
}

/* Five calls at once: [1:4:1] of 5 elements, its reverse by mask into a tensor with gaps, two that OpenVINO refuses
   (more steps than dimensions; an output of another size), and a last one that must not suffer from them. */
static void test_a_batch_with_refusals(void **state)
{
    (void)state;
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; ++m) {
        plugin p;
        uint16_t in[5] = { 10, 11, 12, 13, 14 }, out[CALLS][10];
        ts_tensor tensors[CALLS][2];
        ts_shape found[CALLS];
        ts_openvino_strided_slice a[CALLS];
        ts_call calls[CALLS];
        ts_status statuses[CALLS];
        open_mode(&p, modes[m]);
        memset(out, 0xCB, sizeof out);
        for (unsigned i = 0; i < CALLS; ++i) {
            const uint64_t sizes[] = { i == 1 ? 5 : i == 3 ? 2 : 3 };
            a[i] = (ts_openvino_strided_slice){ .begin_count = 1,
                                                .end_count = 1,
                                                .stride_count = 1,
                                                .begin = { 1 },
                                                .end = { 4 },
                                                .stride = { 1 },
                                                .begin_mask_count = 1,
                                                .end_mask_count = 1 };
            tensor_init(&tensors[i][0], TS_UINT16, 1, (const uint64_t[]){ 5 });
            tensor_init(&tensors[i][1], TS_UINT16, 1, sizes);
            found[i].rank = TS_RANK_UNREPORTED;
            tensors[i][0].data = in;
            tensors[i][1].data = out[i];
            tensors[i][1].reported = &found[i];
            calls[i] = call_of("openvino.strided_slice", &a[i], sizeof a[i], 0x1F, tensors[i], 2);
            assert_int_equal(p.backend->query(p.self, &calls[i], &calls[i].token), TS_OK);
        }
        a[1].stride[0] = -1;
        a[1].begin_mask[0] = a[1].end_mask[0] = 1;
        tensors[1][1].given |= TS_GIVEN_STRIDES;
        tensors[1][1].strides[0] = 2;
        tensors[1][1].total_bytes = sizeof out[1];
        a[2].begin_count = a[2].end_count = a[2].stride_count = 2;
        calls[3].flags = TS_CALL_DESCRIPTOR_ONLY;
        tensors[3][0].data = tensors[3][1].data = NULL;
        assert_int_equal(p.backend->submit(p.self, calls, CALLS, statuses), TS_OK);
        static const ts_status wanted[CALLS] = { TS_OK, TS_OK, TS_REJECTED, TS_REJECTED, TS_OK };
        assert_memory_equal(statuses, wanted, sizeof wanted);
        static const uint16_t forward[] = { 11, 12, 13, 0xCBCB };
        static const uint16_t backward[] = { 14, 0xCBCB, 13, 0xCBCB, 12, 0xCBCB, 11, 0xCBCB, 10, 0xCBCB };
        assert_memory_equal(out[0], forward, sizeof forward);
        assert_memory_equal(out[1], backward, sizeof backward);
        assert_memory_equal(out[4], forward, sizeof forward);
        assert_int_equal(found[3].rank, 1);
        assert_int_equal(found[3].sizes[0], 3);
        plugin_close(&p);
    }
}

static void test_slice1_backwards(void **state)
{
    (void)state;
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; ++m) {
        plugin p;
        int32_t in[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, out[2] = { 0 };
        ts_tensor tensors[2];
        const ts_dml_slice1 a = { 2, { 1, 0 }, { 1, 4 }, { 1, -3 } };
        ts_status status = TS_ERROR;
        open_mode(&p, modes[m]);
        tensor_init(&tensors[0], TS_INT32, 2, (const uint64_t[]){ 2, 4 });
        tensor_init(&tensors[1], TS_INT32, 2, (const uint64_t[]){ 1, 2 });
        tensors[0].data = in;
        tensors[1].data = out;
        ts_call call = call_of("dml.slice1", &a, sizeof a, 0xE, tensors, 2);
        assert_int_equal(p.backend->query(p.self, &call, &call.token), TS_OK);
        assert_int_equal(p.backend->submit(p.self, &call, 1, &status), TS_OK);
        assert_int_equal(status, TS_OK);
        assert_int_equal(out[0], 7);
        assert_int_equal(out[1], 4);
        plugin_close(&p);
    }
}

/* Padded indices: rank 2 in DirectML, rank 1 in OpenVINO. */
static void test_gather_with_leading_ones(void **state)
{
    (void)state;
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; ++m) {
        plugin p;
        float in[6] = { 0, 1, 2, 3, 4, 5 }, out[4] = { 0 };
        int32_t indices[2] = { 2, -3 };
        ts_tensor tensors[3];
        const ts_dml_gather a = { 1, 1 };
        ts_status status = TS_ERROR;
        open_mode(&p, modes[m]);
        tensor_init(&tensors[0], TS_FLOAT32, 2, (const uint64_t[]){ 2, 3 });
        tensor_init(&tensors[1], TS_INT32, 2, (const uint64_t[]){ 1, 2 });
        tensor_init(&tensors[2], TS_FLOAT32, 2, (const uint64_t[]){ 2, 2 });
        tensors[0].data = in;
        tensors[1].data = indices;
        tensors[2].data = out;
        ts_call call = call_of("dml.gather", &a, sizeof a, 3, tensors, 3);
        assert_int_equal(p.backend->query(p.self, &call, &call.token), TS_OK);
        assert_int_equal(p.backend->submit(p.self, &call, 1, &status), TS_OK);
        assert_int_equal(status, TS_OK);
        assert_memory_equal(out, ((const float[]){ 2, 0, 5, 3 }), sizeof out);
        plugin_close(&p);
    }
}

/* A legal output that is too large to be packed is neither computed nor refused. */
static void test_an_output_that_is_too_large(void **state)
{
    (void)state;
    enum { COPIES = 1 << 10, ROW = 1 << 19 };
    static uint8_t in[ROW];
    static int32_t indices[COPIES];
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; ++m) {
        plugin p;
        ts_tensor tensors[3];
        const ts_dml_gather a = { 0, 1 };
        ts_status status = TS_ERROR;
        open_mode(&p, modes[m]);
        tensor_init(&tensors[0], TS_UINT8, 2, (const uint64_t[]){ 1, ROW });
        tensor_init(&tensors[1], TS_INT32, 2, (const uint64_t[]){ 1, COPIES });
        tensor_init(&tensors[2], TS_UINT8, 2, (const uint64_t[]){ COPIES, ROW });
        tensors[0].data = in;
        tensors[1].data = indices;
        ts_call call = call_of("dml.gather", &a, sizeof a, 3, tensors, 3);
        call.flags = TS_CALL_DESCRIPTOR_ONLY;
        assert_int_equal(p.backend->query(p.self, &call, &call.token), TS_OK);
        assert_int_equal(p.backend->submit(p.self, &call, 1, &status), TS_OK);
        assert_int_equal(status, TS_UNSUPPORTED);
        plugin_close(&p);
    }
}

/* A scalar index of a vector: Gather infers a scalar, GATHER has an output of one element. */
static void test_gather_of_a_scalar(void **state)
{
    (void)state;
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; ++m) {
        plugin p;
        ts_status status = TS_ERROR;
        open_mode(&p, modes[m]);
        float data[3] = { 3, 5, 7 }, out[1] = { 0 };
        uint32_t index[1] = { 2 };
        ts_tensor tensors[3];
        tensor_init(&tensors[0], TS_FLOAT32, 1, (const uint64_t[]){ 3 });
        tensor_init(&tensors[1], TS_UINT32, 1, (const uint64_t[]){ 1 });
        tensor_init(&tensors[2], TS_FLOAT32, 1, (const uint64_t[]){ 1 });
        tensors[0].data = data;
        tensors[1].data = index;
        tensors[2].data = out;
        const ts_dml_gather a = { .Axis = 0, .IndexDimensions = 0 };
        ts_call call = call_of("dml.gather", &a, sizeof a, 3, tensors, 3);
        assert_int_equal(p.backend->query(p.self, &call, &call.token), TS_OK);
        assert_int_equal(p.backend->submit(p.self, &call, 1, &status), TS_OK);
        assert_int_equal(status, TS_OK);
        assert_true(out[0] == 7);
        plugin_close(&p);
    }
}

/* Two calls along different axes; constant folding refuses a third one, whose index is beyond its axis (elsewhere it
   may end the process). */
static void test_scatter_elements(void **state)
{
    (void)state;
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; ++m) {
        const bool folds = strcmp(modes[m], "core") == 0;
        plugin p;
        float in[6] = { 0, 1, 2, 3, 4, 5 }, updates[2] = { 10, 11 }, out[3][6] = { { 0 } };
        uint32_t indices[3][2] = { { 1, 0 }, { 2, 2 }, { 1, 9 } };
        static const uint64_t sizes[3][2] = { { 1, 2 }, { 2, 1 }, { 2, 1 } };
        const ts_dml_scatter_elements a[3] = { { 0 }, { 1 }, { 1 } };
        ts_tensor tensors[3][4];
        ts_call calls[3];
        ts_status statuses[3] = { TS_ERROR, TS_ERROR, TS_ERROR };
        open_mode(&p, modes[m]);
        for (unsigned i = 0; i < 3; ++i) {
            tensor_init(&tensors[i][0], TS_FLOAT32, 2, (const uint64_t[]){ 2, i ? 3 : 2 });
            tensor_init(&tensors[i][1], TS_UINT32, 2, sizes[i]);
            tensor_init(&tensors[i][2], TS_FLOAT32, 2, sizes[i]);
            tensor_init(&tensors[i][3], TS_FLOAT32, 2, tensors[i][0].sizes);
            tensors[i][0].data = in;
            tensors[i][1].data = indices[i];
            tensors[i][2].data = updates;
            tensors[i][3].data = out[i];
            calls[i] = call_of("dml.scatter_elements", &a[i], sizeof a[i], 1, tensors[i], 4);
            assert_int_equal(p.backend->query(p.self, &calls[i], &calls[i].token), TS_OK);
        }
        assert_int_equal(p.backend->submit(p.self, calls, folds ? 3 : 2, statuses), TS_OK);
        assert_int_equal(statuses[0], TS_OK);
        assert_int_equal(statuses[1], TS_OK);
        assert_int_equal(statuses[2], folds ? TS_REJECTED : TS_ERROR);
        assert_memory_equal(out[0], ((const float[]){ 0, 11, 10, 3 }), 4 * sizeof(float));
        assert_memory_equal(out[1], ((const float[]){ 0, 1, 10, 3, 4, 11 }), sizeof out[1]);
        plugin_close(&p);
    }
}

static void test_options(void **state)
{
    (void)state;
    static const ts_option bad[] = { { "mode", "fast" }, { "masks", "long" }, { "speed", "1" } };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; ++i)
        testing_refuses(BACKEND, bad[i].key, bad[i].value, EXIT_BAD_USAGE, "expected");
}

int main(void)
{
    plugin p;
    error e;
    testing_setenv("TBB_ENABLE_SANITIZERS", "1"); /* otherwise its loader ends a program built with them */
    if (!plugin_open(&p, BACKEND, NULL, 0, &e)) {
        printf("%s\n", e.text);
        return 77;
    }
    plugin_close(&p);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_batch_with_refusals),
        cmocka_unit_test(test_slice1_backwards),
        cmocka_unit_test(test_gather_with_leading_ones),
        cmocka_unit_test(test_gather_of_a_scalar),
        cmocka_unit_test(test_scatter_elements),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_an_output_that_is_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
