/* SPDX-License-Identifier: Apache-2.0 */
/* The onednn backend: ELEMENT_WISE_IDENTITY by oneDNN's reorder, which takes strides. README.md describes the mapping
   and the results. */
#include "backends/backend.h"
#include "backends/fetched/library.h"
#include "backends/fetched/strided.h"
#include "backends/onednn/dnnl_api.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct adapter {
    const ts_host *host;
    void *library;
    dnnl_api api;
    dnnl_engine *engine;
    dnnl_stream *stream;
} adapter;

static void note(const ts_host *host, const char *text)
{
    if (host && host->note)
        host->note(host->context, text);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static bool bind_functions(adapter *a, char *message, size_t size)
{
    const library_function functions[] = {
        { "dnnl_version", &a->api.version },
        { "dnnl_engine_create", &a->api.engine_create },
        { "dnnl_engine_destroy", &a->api.engine_destroy },
        { "dnnl_stream_create", &a->api.stream_create },
        { "dnnl_stream_wait", &a->api.stream_wait },
        { "dnnl_stream_destroy", &a->api.stream_destroy },
        { "dnnl_memory_desc_create_with_strides", &a->api.memory_desc_create },
        { "dnnl_memory_desc_destroy", &a->api.memory_desc_destroy },
        { "dnnl_memory_create", &a->api.memory_create },
        { "dnnl_memory_destroy", &a->api.memory_destroy },
        { "dnnl_reorder_primitive_desc_create", &a->api.reorder_create },
        { "dnnl_primitive_desc_destroy", &a->api.primitive_desc_destroy },
        { "dnnl_primitive_create", &a->api.primitive_create },
        { "dnnl_primitive_destroy", &a->api.primitive_destroy },
        { "dnnl_primitive_execute", &a->api.primitive_execute },
    };
    return library_bind(a->library, functions, sizeof functions / sizeof *functions, "oneDNN 3", message, size);
}

static void adapter_close(void *self)
{
    adapter *a = self;
    if (a->stream)
        a->api.stream_destroy(a->stream);
    if (a->engine)
        a->api.engine_destroy(a->engine);
    if (a->library)
        library_close(a->library);
    free(a);
}

/* The library that is used by default; "" if there is none. The wheel has the name of its version in it. */
static void default_path(char *path, size_t size)
{
    if (library_named("TOUCHSTONE_ONEDNN", path, size))
        return;
    library_fetched("onednn/onednn_cpu_gomp-2023.2.0.data/data/lib", "dnnl", path, size);
    const size_t length = strlen(path);
    if (length > 0)
        snprintf(path + length, size - length, ".3");
}

static ts_status load(adapter *a, const char *path)
{
    char why[400], text[1600];
    library_setenv("OMP_NUM_THREADS", "1"); /* so that times and crashes belong to this thread */
    a->library = library_open(path, why, sizeof why);
    if (a->library && bind_functions(a, why, sizeof why)) {
        if (a->api.engine_create(&a->engine, DNNL_CPU, 0) == DNNL_SUCCESS &&
            a->api.stream_create(&a->stream, a->engine, DNNL_STREAM_IN_ORDER) == DNNL_SUCCESS)
            return TS_OK;
        snprintf(why, sizeof why, "it makes no engine for the processor");
    }
    snprintf(text, sizeof text,
             "oneDNN cannot be used (%.400s): run scripts/setup-vendors.sh onednn or set --backend-opt library=PATH",
             why);
    note(a->host, text);
    return TS_ERROR;
}

static ts_status adapter_open(const ts_host *host, const ts_option *options, size_t count, void **self)
{
    char path[1024], text[400];
    default_path(path, sizeof path);
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(options[i].key, "library") != 0 || !*options[i].value) {
            snprintf(text, sizeof text, "unknown option '%.60s=%.60s'; expected library=PATH", options[i].key,
                     options[i].value);
            note(host, text);
            return TS_REJECTED;
        }
        snprintf(path, sizeof path, "%s", options[i].value);
    }
    adapter *a = calloc(1, sizeof *a);
    if (!a) {
        note(host, "out of memory");
        return TS_ERROR;
    }
    a->host = host;
    const ts_status status = load(a, path);
    if (status == TS_OK)
        *self = a;
    else
        adapter_close(a);
    return status;
}

static ts_status adapter_info(void *self, ts_info *info)
{
    const adapter *a = self;
    const dnnl_version *version = a->api.version();
    info->preferred_batch = 64; /* calls run one by one, but each call of `submit` has a cost */
    info->sparse = 1;
    snprintf(info->name, sizeof info->name, "onednn");
    snprintf(info->vendor, sizeof info->vendor, "UXL Foundation");
    snprintf(info->version, sizeof info->version, "%d.%d.%d", version->major, version->minor, version->patch);
    snprintf(info->driver, sizeof info->driver, "reorder, engine of the processor");
    snprintf(info->device, sizeof info->device, "host processor, 1 thread");
    return TS_OK;
}

static const char *adapter_describe_options(void)
{
    return "library=PATH  oneDNN's shared library, version 3 (default: $TOUCHSTONE_ONEDNN, else the library that\n"
           "              scripts/setup-vendors.sh installs)\n";
}

/* ---- what can be expressed --------------------------------------------------------------------------------------- */

/* oneDNN's type; 0 if it has none. */
static int type_of(uint32_t dtype)
{
    static const int types[TS_DTYPE_COUNT] = {
        [TS_FLOAT16] = DNNL_F16, [TS_FLOAT32] = DNNL_F32, [TS_FLOAT64] = DNNL_F64,
        [TS_INT32] = DNNL_S32,   [TS_INT8] = DNNL_S8,     [TS_UINT8] = DNNL_U8,
    };
    return dtype < TS_DTYPE_COUNT ? types[dtype] : 0;
}

static uint32_t bytes_of(uint32_t dtype)
{
    switch (type_of(dtype)) {
    case DNNL_F64: return 8;
    case DNNL_F32:
    case DNNL_S32: return 4;
    case DNNL_F16: return 2;
    default: return 1;
    }
}

/* A reorder between packed tensors of this type and rank exists for this processor, or not. */
static bool has_reorder(adapter *a, int type, uint32_t rank)
{
    int64_t ones[DNNL_DIMS];
    dnnl_memory_desc *desc = NULL;
    dnnl_primitive_desc *reorder = NULL;
    for (uint32_t i = 0; i < DNNL_DIMS; ++i)
        ones[i] = 1;
    if (a->api.memory_desc_create(&desc, (int)rank, ones, type, ones) != DNNL_SUCCESS)
        return false;
    const bool has = a->api.reorder_create(&reorder, desc, a->engine, desc, a->engine, NULL) == DNNL_SUCCESS;
    if (has)
        a->api.primitive_desc_destroy(reorder);
    a->api.memory_desc_destroy(desc);
    return has;
}

static ts_status adapter_query(void *self, const ts_call *shape, void **token)
{
    *token = NULL;
    if (strcmp(shape->op, "dml.element_wise_identity") != 0 || shape->tensor_count != 2)
        return TS_UNSUPPORTED;
    const ts_tensor *in = ts_call_tensor(shape, 0), *out = ts_call_tensor(shape, 1);
    const int type = type_of(in->dtype);
    /* Between two types, a reorder converts: the rule that they are equal cannot be shown. */
    if (in->dtype != out->dtype || type == 0 || in->rank == 0 || in->rank > DNNL_DIMS || out->rank > DNNL_DIMS ||
        !(in->given & TS_GIVEN_TENSOR) || !(out->given & TS_GIVEN_TENSOR))
        return TS_UNSUPPORTED;
    return has_reorder(self, type, in->rank) ? TS_OK : TS_UNSUPPORTED;
}

static ts_status adapter_query_clause(void *self, const char *op, const char *clause)
{
    (void)self;
    (void)op;
    return strcmp(clause, "EI-04") == 0 ? TS_OK : TS_UNSUPPORTED; /* both tensors have the same sizes */
}

/* ---- one call ---------------------------------------------------------------------------------------------------- */

/* Are all elements within the tensor's bytes, and all numbers within what int64_t holds? oneDNN has no size of a
   buffer, so the adapter checks it. */
static bool fits(const ts_tensor *t, uint32_t bytes)
{
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] == 0 || t->sizes[i] > INT64_MAX || t->strides[i] > INT64_MAX)
            return false;
    return strided_fits(t, bytes);
}

static dnnl_status describe(adapter *a, const ts_tensor *t, dnnl_memory_desc **desc)
{
    int64_t sizes[DNNL_DIMS], strides[DNNL_DIMS];
    for (uint32_t i = 0; i < t->rank; ++i) {
        sizes[i] = (int64_t)t->sizes[i];
        strides[i] = (int64_t)t->strides[i];
    }
    return a->api.memory_desc_create(desc, (int)t->rank, sizes, type_of(t->dtype), strides);
}

static ts_status status_of(adapter *a, dnnl_status status, const char *where)
{
    char text[100];
    if (status == DNNL_SUCCESS)
        return TS_OK;
    snprintf(text, sizeof text, "oneDNN: %s gives status %d", where, (int)status);
    note(a->host, text);
    switch (status) {
    case DNNL_INVALID_ARGUMENTS: return TS_REJECTED;
    case DNNL_UNIMPLEMENTED: return TS_UNSUPPORTED;
    default: return TS_ERROR;
    }
}

static ts_status execute(adapter *a, const dnnl_primitive_desc *reorder, const dnnl_memory_desc *const *descs,
                         void *from, void *to)
{
    dnnl_primitive *primitive = NULL;
    dnnl_memory *memory[2] = { NULL, NULL };
    ts_status status = status_of(a, a->api.primitive_create(&primitive, reorder), "dnnl_primitive_create");
    if (status == TS_OK)
        status = status_of(a, a->api.memory_create(&memory[0], descs[0], a->engine, from), "dnnl_memory_create");
    if (status == TS_OK)
        status = status_of(a, a->api.memory_create(&memory[1], descs[1], a->engine, to), "dnnl_memory_create");
    if (status == TS_OK) {
        const dnnl_exec_arg arguments[] = { { DNNL_ARG_FROM, memory[0] }, { DNNL_ARG_TO, memory[1] } };
        status = status_of(a, a->api.primitive_execute(primitive, a->stream, 2, arguments), "dnnl_primitive_execute");
        a->api.stream_wait(a->stream);
    }
    for (int i = 0; i < 2; ++i)
        if (memory[i])
            a->api.memory_destroy(memory[i]);
    if (primitive)
        a->api.primitive_destroy(primitive);
    return status;
}

static ts_status run(adapter *a, const ts_call *call)
{
    const ts_tensor *tensors[] = { ts_call_tensor(call, 0), ts_call_tensor(call, 1) };
    dnnl_memory_desc *descs[2] = { NULL, NULL };
    dnnl_primitive_desc *reorder = NULL;
    ts_status status = TS_OK;
    for (int i = 0; i < 2 && status == TS_OK; ++i) {
        if (tensors[i]->rank > DNNL_DIMS || !fits(tensors[i], bytes_of(tensors[i]->dtype)))
            status = TS_UNSUPPORTED;
        else if (describe(a, tensors[i], &descs[i]) != DNNL_SUCCESS)
            status = TS_UNSUPPORTED; /* strides with which elements overlap in another way than by strides of 0 */
    }
    if (status == TS_OK)
        status = status_of(a, a->api.reorder_create(&reorder, descs[0], a->engine, descs[1], a->engine, NULL),
                           "dnnl_reorder_primitive_desc_create");
    if (status == TS_OK && !(call->flags & TS_CALL_DESCRIPTOR_ONLY))
        status = execute(a, reorder, (const dnnl_memory_desc *const *)descs, tensors[0]->data, tensors[1]->data);
    if (reorder)
        a->api.primitive_desc_destroy(reorder);
    for (int i = 0; i < 2; ++i)
        if (descs[i])
            a->api.memory_desc_destroy(descs[i]);
    return status;
}

static ts_status adapter_submit(void *self, const ts_call *call, size_t n, ts_status *status)
{
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
        status[i] = run(self, call);
    return TS_OK;
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = adapter_open,
    .close = adapter_close,
    .info = adapter_info,
    .query = adapter_query,
    .submit = adapter_submit,
    .describe_options = adapter_describe_options,
    .query_clause = adapter_query_clause,
    .summary = "oneDNN's reorder, which copies between any two layouts",
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
