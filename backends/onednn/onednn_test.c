/* SPDX-License-Identifier: Apache-2.0 */
/* Tests with oneDNN itself, installed by scripts/setup-vendors.sh. Exit status 77 if it is missing. */
#include "backends/call_of.h"
#include "backends/fetched/fetched_testing.h"
#include "harness/execute/plugin.h"
#include "harness/model/tensor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BACKEND TOUCHSTONE_BINARY_DIR "/backends/onednn" TOUCHSTONE_LIBRARY_SUFFIX

/* A copy between two layouts; the gaps of the output stay as they are. */
static void test_a_copy_between_layouts(void **state)
{
    (void)state;
    plugin p;
    error e;
    ts_status status = TS_ERROR;
    uint8_t in[6] = { 10, 11, 12, 13, 14, 15 }, out[8];
    ts_tensor tensors[2];
    assert_true(plugin_open(&p, BACKEND, NULL, 0, &e));
    tensor_init(&tensors[0], TS_UINT8, 2, (const uint64_t[]){ 2, 3 });
    tensor_init(&tensors[1], TS_UINT8, 2, (const uint64_t[]){ 2, 3 });
    tensors[0].strides[0] = 1; /* transposed */
    tensors[0].strides[1] = 2;
    tensors[0].total_bytes = sizeof in;
    tensors[1].strides[0] = 4; /* with a gap behind the first row */
    tensors[1].total_bytes = sizeof out;
    memset(out, 0xCB, sizeof out);
    tensors[0].data = in;
    tensors[1].data = out;
    ts_call call = call_of("dml.element_wise_identity", "", 0, 0, tensors, 2);
    assert_int_equal(p.backend->query(p.self, &call, &call.token), TS_OK);
    assert_int_equal(p.backend->submit(p.self, &call, 1, &status), TS_OK);
    assert_int_equal(status, TS_OK);
    static const uint8_t wanted[] = { 10, 12, 14, 0xCB, 11, 13, 15, 0xCB };
    assert_memory_equal(out, wanted, sizeof wanted);

    tensors[1].sizes[1] = 2; /* oneDNN itself refuses it */
    assert_int_equal(p.backend->submit(p.self, &call, 1, &status), TS_OK);
    assert_int_equal(status, TS_REJECTED);
    tensors[1].sizes[1] = 3;
    tensors[1].total_bytes = 6; /* which oneDNN does not know */
    assert_int_equal(p.backend->submit(p.self, &call, 1, &status), TS_OK);
    assert_int_equal(status, TS_UNSUPPORTED);
    plugin_close(&p);
}

static void test_what_is_not_offered(void **state)
{
    (void)state;
    plugin p;
    error e;
    ts_tensor tensors[2];
    assert_true(plugin_open(&p, BACKEND, NULL, 0, &e));
    for (uint32_t i = 0; i < 2; ++i)
        tensor_init(&tensors[i], TS_INT16, 1, (const uint64_t[]){ 2 });
    ts_call call = call_of("dml.element_wise_identity", "", 0, 0, tensors, 2);
    assert_int_equal(p.backend->query(p.self, &call, &call.token), TS_UNSUPPORTED);
    tensors[0].dtype = TS_FLOAT32; /* a reorder of two types would convert */
    tensors[1].dtype = TS_INT32;
    assert_int_equal(p.backend->query(p.self, &call, &call.token), TS_UNSUPPORTED);
    plugin_close(&p);
}

static void test_options(void **state)
{
    (void)state;
    testing_refuses_options(BACKEND);
}

int main(void)
{
    /* One instance stays open: each time the library is loaded, its initialization allocates memory that it does not
     * free, and LeakSanitizer reports what nothing points to. */
    static plugin held;
    error e;
    if (!plugin_open(&held, BACKEND, NULL, 0, &e)) {
        printf("%s\n", e.text);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_copy_between_layouts),
        cmocka_unit_test(test_what_is_not_offered),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
