/* SPDX-License-Identifier: Apache-2.0 */
/* Tests with ONNX Runtime itself, installed by scripts/setup-vendors.sh. Exit status 77 if it is missing. */
#include "backends/call_of.h"
#include "backends/fetched/fetched_testing.h"
#include "backends/fetched/library.h"
#include "backends/onnxruntime/provider.h"
#include "harness/formats/export_onnx.h"
#include "harness/testing/platform_testing.h"
#include "harness/execute/plugin.h"
#include "harness/model/tensor.h"
#include "reference/dml/gather.h"
#include "reference/dml/slice1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BACKEND TOUCHSTONE_BINARY_DIR "/backends/onnxruntime" TOUCHSTONE_LIBRARY_SUFFIX

static char path[1024];
static runtime ort;

/* ---- the backend ------------------------------------------------------------------------------------------------- */

static void test_slice_of_strided_tensors(void **state)
{
    (void)state;
    plugin p;
    error e;
    void *token;
    ts_status status = TS_ERROR;
    uint16_t in[12], out[6];
    ts_tensor tensors[2];
    assert_true(plugin_open(&p, BACKEND, NULL, 0, &e));
    tensor_init(&tensors[0], TS_UINT16, 2, (const uint64_t[]){ 3, 4 });
    tensor_init(&tensors[1], TS_UINT16, 2, (const uint64_t[]){ 2, 2 });
    tensors[0].strides[0] = 1; /* transposed */
    tensors[0].strides[1] = 3;
    tensors[1].strides[0] = 3; /* with a gap after each row */
    tensors[1].total_bytes = sizeof out;
    for (uint16_t i = 0; i < 12; ++i)
        in[i] = (uint16_t)(100 + i);
    memset(out, 0xCB, sizeof out);
    tensors[0].data = in;
    tensors[1].data = out;
    const ts_dml_slice1 a = { 2, { 1, 0 }, { 2, 4 }, { 1, -3 } };
    ts_call call = call_of("dml.slice1", &a, sizeof a, 15, tensors, 2);
    assert_int_equal(p.backend->query(p.self, &call, &token), TS_OK);
    assert_int_equal(p.backend->submit(p.self, &call, 1, &status), TS_OK);
    assert_int_equal(status, TS_OK);
    static const uint16_t wanted[] = { 110, 101, 0xCBCB, 111, 102, 0xCBCB };
    assert_memory_equal(out, wanted, sizeof wanted);

    tensors[1].dtype = TS_INT16; /* ONNX Runtime itself refuses it */
    assert_int_equal(p.backend->submit(p.self, &call, 1, &status), TS_OK);
    assert_int_equal(status, TS_REJECTED);
    call.profile = TS_PROFILE_NUMPY;
    assert_int_equal(p.backend->query(p.self, &call, &token), TS_UNSUPPORTED);
    plugin_close(&p);
}

/* The inputs are small and the output is not: the adapter does not let ONNX Runtime allocate 34 GB to learn its shape.
 */
static void test_a_large_output_is_unsupported(void **state)
{
    (void)state;
    plugin p;
    error e;
    ts_status status = TS_ERROR;
    ts_tensor tensors[3];
    assert_true(plugin_open(&p, BACKEND, NULL, 0, &e));
    tensor_init(&tensors[0], TS_FLOAT64, 2, (const uint64_t[]){ 5, 65537 });
    tensor_init(&tensors[1], TS_INT64, 2, (const uint64_t[]){ 1, 65535 });
    tensor_init(&tensors[2], TS_FLOAT64, 2, (const uint64_t[]){ 65535, 65537 });
    const ts_dml_gather a = { 0, 1 };
    ts_call call = call_of("dml.gather", &a, sizeof a, 3, tensors, 3);
    call.flags = TS_CALL_DESCRIPTOR_ONLY;
    assert_int_equal(p.backend->query(p.self, &call, &call.token), TS_OK);
    assert_int_equal(p.backend->submit(p.self, &call, 1, &status), TS_OK);
    assert_int_equal(status, TS_UNSUPPORTED);
    plugin_close(&p);
}

static void test_options(void **state)
{
    (void)state;
    testing_refuses_options(BACKEND);
}

/* Options of an execution provider that are wrong, or that this library cannot meet. */
static void test_options_of_a_provider(void **state)
{
    (void)state;
    static const struct {
        ts_option options[2];
        size_t count;
        int status;
        const char *text;
    } rows[] = {
        { { { "ep", "" } }, 1, EXIT_BAD_USAGE, "expected an execution provider" },
        { { { "ep", "CPUExecutionProvider" } }, 1, EXIT_BAD_USAGE, "leave out 'ep'" },
        { { { "ep", "NoSuchProvider" } }, 1, EXIT_BAD_USAGE, "has no execution provider 'NoSuchProvider'" },
        { { { "ep-lib", "/nowhere.so" } }, 1, EXIT_BAD_USAGE, "'ep-lib' needs ep=NAME" },
        { { { "ep-shapes", "fixed" } }, 1, EXIT_BAD_USAGE, "'ep-shapes' needs ep=NAME" },
        { { { "ep", "A" }, { "ep-shapes", "some" } }, 2, EXIT_BAD_USAGE, "'ep-shapes' is any" },
        { { { "ep-opt.a", "1" } }, 1, EXIT_BAD_USAGE, "needs ep=NAME" },
        { { { "ep-opt", "a=1" } }, 1, EXIT_BAD_USAGE, "ep-opt.KEY=VALUE" },
        { { { "ep-opt.", "1" } }, 1, EXIT_BAD_USAGE, "has no key" },
        { { { "ep", "A" }, { "ep-lib", "" } }, 2, EXIT_BAD_USAGE, "'ep-lib=' has no file" },
        { { { "ep", "A" }, { "ep-lib", "/nowhere.so" } }, 2, EXIT_HARNESS, "/nowhere.so" },
        /* The packages of the CPU provider have this one, which has no operator of ours: nothing falls back. */
        { { { "ep", "AzureExecutionProvider" } }, 1, EXIT_HARNESS, "AzureExecutionProvider: " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        plugin p;
        error e;
        assert_false(plugin_open(&p, BACKEND, rows[i].options, rows[i].count, &e));
        assert_int_equal(e.status, rows[i].status);
        if (!strstr(e.text, rows[i].text))
            fail_msg("row %zu: '%s' lacks '%s'", i, e.text, rows[i].text);
    }
}

static void test_a_profile_says_where_the_node_ran(void **state)
{
    (void)state;
    static const char there[] =
        "[{\"cat\" : \"Node\",\"args\" : {\"op_name\" : \"Slice\",\"provider\" : \"WebGpu\"}},\n"
        "{\"cat\" : \"Node\",\"args\" : {\"provider\" : \"WebGpu\",\"node_index\" : \"1\"}}]";
    static const char both[] = "[{\"args\" : {\"provider\" : \"WebGpu\"}},{\"args\" : {\"provider\" : \"CPU\"}}]";
    char message[200];
    assert_true(provider_profile_proves(there, "WebGpu", message, sizeof message));
    assert_false(provider_profile_proves(there, "WebGp", message, sizeof message));
    assert_false(provider_profile_proves(both, "WebGpu", message, sizeof message));
    assert_string_equal(message, "the node ran on CPU, not on WebGpu");
    assert_false(provider_profile_proves("[{\"cat\" : \"Session\"}]", "WebGpu", message, sizeof message));
}

/* ---- what `touchstone export --onnx` writes ---------------------------------------------------------------------- */

/* A parsed TensorProto. */
typedef struct tensor_file {
    unsigned char *bytes;
    size_t size;
    onnx_shape shape;
    uint32_t type;
    const unsigned char *raw;
    size_t raw_size;
} tensor_file;

static unsigned char *read_whole(const export_files *files, const char *name, size_t *size)
{
    for (size_t i = 0; i < files->count; ++i)
        if (strcmp(files->list[i].name, name) == 0) {
            const text *bytes = &files->list[i].bytes;
            unsigned char *copy = malloc(bytes->length + 1);
            assert_non_null(copy);
            memcpy(copy, bytes->data, bytes->length);
            *size = bytes->length;
            return copy;
        }
    fail_msg("there is no file %s", name);
    return NULL;
}

static uint64_t varint(const unsigned char **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const unsigned char byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

static void read_tensor(const export_files *files, const char *name, tensor_file *t)
{
    memset(t, 0, sizeof *t);
    t->bytes = read_whole(files, name, &t->size);
    for (const unsigned char *at = t->bytes; at < t->bytes + t->size;) {
        const uint64_t tag = varint(&at), value = varint(&at);
        if (tag == (1 << 3))
            t->shape.sizes[t->shape.rank++] = (int64_t)value;
        else if (tag == (2 << 3))
            t->type = (uint32_t)value;
        if (tag == (9 << 3 | 2)) {
            t->raw = at;
            t->raw_size = (size_t)value;
        }
        if ((tag & 7) == 2)
            at += value;
    }
}

static OrtValue *tensor_of(const tensor_file *t)
{
    OrtValue *value = NULL;
    assert_null(ort.api.create_tensor(ort.memory, (void *)(uintptr_t)t->raw, t->raw_size, t->shape.sizes, t->shape.rank,
                                      (int)t->type, &value));
    return value;
}

/* Export a case and execute the written model with ONNX Runtime. */
static void run_exported(const char *id, unsigned inputs)
{
    static const char *const slice[] = { "data", "starts", "ends", "steps" };
    static const char *const output_name = "output";
    static export_files made;
    error e;
    case_view c;
    assert_true(case_view_find(&c, id, &e));
    if (!export_write(export_format_named("onnx", &e), &c, &made, &e))
        fail_msg("%s: %s%s", id, made.why, e.text);
    case_view_close(&c);

    size_t size;
    unsigned char *model = read_whole(&made, "model.onnx", &size);
    OrtSession *session = NULL;
    OrtValue *values[4] = { NULL }, *found = NULL;
    tensor_file files[4], wanted;
    assert_null(ort.api.create_session(ort.env, model, size, ort.options, &session));
    for (unsigned i = 0; i < inputs; ++i) {
        char name[48];
        snprintf(name, sizeof name, "test_data_set_0/input_%u.pb", i);
        read_tensor(&made, name, &files[i]);
        values[i] = tensor_of(&files[i]);
    }
    read_tensor(&made, "test_data_set_0/output_0.pb", &wanted);
    unsigned char *room = calloc(1, wanted.raw_size + 1);
    tensor_file target = wanted;
    target.raw = room;
    found = tensor_of(&target); /* ONNX Runtime refuses another shape */
    assert_null(ort.api.run(session, NULL, inputs == 4 ? slice : onnx_tensor_names, (const OrtValue *const *)values,
                            inputs, &output_name, 1, &found));
    assert_memory_equal(room, wanted.raw, wanted.raw_size);
    for (unsigned i = 0; i < inputs; ++i) {
        ort.api.release_value(values[i]);
        free(files[i].bytes);
    }
    ort.api.release_value(found);
    ort.api.release_session(session);
    free(wanted.bytes);
    free(room);
    free(model);
    export_files_free(&made);
}

static void test_exported_cases_run(void **state)
{
    (void)state;
    run_exported("dml.slice1:examples:example=2", 4);
    run_exported("dml.slice1:layout:dtype=u16,in_layout=nhwc,size=1.2.2.1", 4);
    run_exported(
        "dml.gather:pairwise:rank=5,own=1,index_dims=5,dtype=f16,index_dtype=i32,in_layout=broadcast-first,indices_"
        "layout=nhwc,out_layout=loose,extra=3,alignment=16,sign=1,size=2,index_size=1.2.2.2.1,index=1.4.1.3",
        2);
    run_exported("dml.gather_elements:examples:example=negative", 2);
    run_exported("dml.scatter_elements:examples:example=negative", 3);
    run_exported("dml.element_wise_identity:pairwise:rank=1,dtype=u64,length=7,in_layout=broadcast-last,fill=special,"
                 "in_extra=1,out_extra=4096,in_alignment=4096,out_alignment=256",
                 1);
    run_exported("openvino.strided_slice:examples:example=1", 4);
}

int main(void)
{
    if (!library_named("TOUCHSTONE_ONNXRUNTIME", path, sizeof path))
        runtime_fetched(path, sizeof path);
    if (!runtime_open(&ort, path)) {
        printf("%s: scripts/setup-vendors.sh onnxruntime fetches it\n", ort.message);
        return 77;
    }
    testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice_of_strided_tensors),
        cmocka_unit_test(test_a_large_output_is_unsupported),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_options_of_a_provider),
        cmocka_unit_test(test_a_profile_says_where_the_node_ran),
        cmocka_unit_test(test_exported_cases_run),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    runtime_close(&ort);
    return failed;
}
