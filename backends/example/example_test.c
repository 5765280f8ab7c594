/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/backend_testing.h"
#include "backends/call_of.h"
#include "harness/model/operator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const ts_backend *backend;
static void *instance;

static int open_backend(void **state)
{
    (void)state;
    backend = TESTING_BACKEND("example");
    return backend && backend->open(NULL, NULL, 0, &instance) == TS_OK ? 0 : -1;
}

static void test_says_what_it_is(void **state)
{
    (void)state;
    assert_true(backend->struct_size > offsetof(ts_backend, summary));
    assert_non_null(backend->summary);
    assert_null(strchr(backend->summary, '\n'));
}

static ts_status submit(const ts_call *call)
{
    ts_status status = TS_ERROR;
    return backend->submit(instance, call, 1, &status) == TS_OK ? status : TS_ERROR;
}

static void test_copies(void **state)
{
    (void)state;
    float in[6] = { 1, 2, 3, 4, 5, 6 };
    float out[6] = { 0 };
    const uint32_t attrs = 0;
    ts_tensor tensors[2];
    tensor_init(&tensors[0], TS_FLOAT32, 2, (uint64_t[]){ 2, 3 });
    tensors[1] = tensors[0];
    tensors[0].data = in;
    tensors[1].data = out;
    ts_call call = call_of("dml.element_wise_identity", &attrs, 4, 0, tensors, 2);
    assert_int_equal(backend->query(instance, &call, &call.token), TS_OK);
    assert_int_equal(submit(&call), TS_OK);
    assert_memory_equal(in, out, sizeof in);
}

static void test_rejected_and_unsupported(void **state)
{
    (void)state;
    const uint32_t attrs = 0;
    ts_tensor tensors[2];
    tensor_init(&tensors[0], TS_FLOAT32, 2, (uint64_t[]){ 2, 3 });
    tensors[1] = tensors[0];
    ts_call call = call_of("dml.element_wise_identity", &attrs, 4, 0, tensors, 2);
    call.flags = TS_CALL_DESCRIPTOR_ONLY;
    tensors[1].sizes[1] = 2;
    assert_int_equal(submit(&call), TS_REJECTED);
    tensors[1] = tensors[0];
    tensors[1].total_bytes = 20;
    assert_int_equal(submit(&call), TS_REJECTED);
    tensors[1] = tensors[0];
    tensors[0].given |= TS_GIVEN_STRIDES;
    tensors[0].strides[0] = 0;
    assert_int_equal(submit(&call), TS_UNSUPPORTED);
    tensors[0].dtype = TS_INT8;
    assert_int_equal(backend->query(instance, &call, &call.token), TS_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_says_what_it_is),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_rejected_and_unsupported),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
