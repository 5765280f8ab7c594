/* SPDX-License-Identifier: Apache-2.0 */
/* The onnxruntime backend: the operators that harness/formats/onnx/translate.h lists, with ONNX Runtime's CPU provider
   or another execution provider.
   README.md describes the mapping and the results. */
#include "backends/fetched/library.h"
#include "backends/fetched/strided.h"
#include "backends/onnxruntime/provider.h"
#include "backends/onnxruntime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum size of a tensor that is packed for ONNX; a broadcast tensor can have very many elements. */
#define MOST_BYTES (UINT64_C(1) << 30)

/* Maximum size of a tensor in a descriptor-only call; zeros replace its data. */
#define MOST_PROBE_BYTES (UINT64_C(1) << 27)

/* Memory for a packed copy of a tensor. It grows, and is reused by later calls. */
typedef struct scratch {
    unsigned char *data;
    size_t capacity;
} scratch;

enum { OUTPUT = ONNX_MOST_TENSORS, ROLES }; /* the first ones are inputs, in ONNX's order */

typedef struct adapter {
    const ts_host *host;
    runtime runtime;
    provider provider;
    scratch packed[ROLES];
    scratch probes[ROLES]; /* the same for descriptor-only calls; inputs are never written */
    onnx_call call;        /* the current one */
} adapter;

static void note(const ts_host *host, const char *text)
{
    if (host && host->note)
        host->note(host->context, text);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Pass the last error of ONNX Runtime to the host. */
static void note_its_words(const adapter *a)
{
    char text[sizeof a->runtime.message + 16];
    snprintf(text, sizeof text, "ONNX Runtime: %s", a->runtime.message);
    note(a->host, text);
}

static void adapter_close(void *self)
{
    adapter *a = self;
    runtime_close(&a->runtime);
    for (size_t i = 0; i < ROLES; ++i) {
        free(a->packed[i].data);
        free(a->probes[i].data);
    }
    free(a);
}

/* Take the options. TS_REJECTED with a note if one of them is wrong; *chosen: `path` is not the default. */
static ts_status take_options(adapter *a, const ts_option *options, size_t count, char *path, size_t size, bool *chosen)
{
    char text[400];
    for (size_t i = 0; i < count; ++i) {
        const provider_taken taken = provider_take(&a->provider, &options[i], text, sizeof text);
        if (taken == PROVIDER_TAKEN)
            continue;
        if (taken == PROVIDER_NOT_MINE && strcmp(options[i].key, "library") == 0 && *options[i].value) {
            snprintf(path, size, "%s", options[i].value);
            *chosen = true;
            continue;
        }
        if (taken == PROVIDER_NOT_MINE)
            snprintf(text, sizeof text,
                     "unknown option '%.60s=%.60s'; expected library=PATH, ep=NAME, ep-lib=FILE, ep-shapes=any|fixed "
                     "or ep-opt.KEY=VALUE",
                     options[i].key, options[i].value);
        note(a->host, text);
        return TS_REJECTED;
    }
    if (provider_complete(&a->provider, text, sizeof text))
        return TS_OK;
    note(a->host, text);
    return TS_REJECTED;
}

/* Load the library, and give its sessions to the provider, if one is named. */
static ts_status load(adapter *a, const char *path, bool chosen)
{
    char text[1600];
    if (!runtime_open(&a->runtime, path)) {
        if (chosen)
            snprintf(text, sizeof text, "%s", a->runtime.message);
        else
            snprintf(text, sizeof text,
                     "ONNX Runtime is missing (%.200s): run scripts/setup-vendors.sh onnxruntime "
                     "or set --backend-opt library=PATH",
                     a->runtime.message);
        note(a->host, text);
        return TS_ERROR;
    }
    const ts_status status = a->provider.name ? provider_open(&a->runtime, &a->provider) : TS_OK;
    if (status != TS_OK) {
        const bool shapes = !a->provider.fixed_shapes && strstr(a->runtime.message, "fallback");
        snprintf(text, sizeof text, "ep=%.60s: %s%s", a->provider.name, a->runtime.message,
                 shapes ? " A provider that takes models with shapes only needs ep-shapes=fixed." : "");
        note(a->host, text);
    }
    return status;
}

static ts_status adapter_open(const ts_host *host, const ts_option *options, size_t count, void **self)
{
    char path[1024];
    bool chosen = library_named("TOUCHSTONE_ONNXRUNTIME", path, sizeof path);
    if (!chosen)
        runtime_fetched(path, sizeof path);
    adapter *a = calloc(1, sizeof *a);
    if (!a) {
        note(host, "out of memory");
        return TS_ERROR;
    }
    a->host = host;
    ts_status status = take_options(a, options, count, path, sizeof path, &chosen);
    if (status == TS_OK)
        status = load(a, path, chosen);
    if (status == TS_OK)
        *self = a;
    else
        adapter_close(a);
    return status;
}

static ts_status adapter_info(void *self, ts_info *info)
{
    adapter *a = self;
    info->preferred_batch = 64; /* calls run one by one, but each call of `submit` has a cost */
    info->packs = 1;
    snprintf(info->name, sizeof info->name, "onnxruntime");
    snprintf(info->vendor, sizeof info->vendor, "Microsoft");
    snprintf(info->version, sizeof info->version, "%s", a->runtime.api.version());
    if (a->provider.name) {
        snprintf(info->driver, sizeof info->driver, "%.60s%s%.40s, opset %d", a->provider.name,
                 *a->provider.version ? " " : "", a->provider.version, ONNX_OPSET);
        snprintf(info->device, sizeof info->device, "%s", a->provider.device);
        return TS_OK;
    }
    snprintf(info->driver, sizeof info->driver, "CPUExecutionProvider, opset %d", ONNX_OPSET);
    snprintf(info->device, sizeof info->device, "host processor, 1 thread");
    return TS_OK;
}

static const char *adapter_describe_options(void)
{
    return "library=PATH  ONNX Runtime's shared library, 1.8 or later (default: $TOUCHSTONE_ONNXRUNTIME, else\n"
           "              the library that scripts/setup-vendors.sh installs)\n"
           "ep=NAME       an execution provider instead of the CPU's, without fallback (WebGpuExecutionProvider)\n"
           "ep-lib=FILE   the library that has this provider, if ONNX Runtime's own has not (1.22 or later)\n"
           "ep-shapes=any|fixed\n"
           "              one model for all shapes (default), or a model for each call, which states its sizes\n"
           "ep-opt.KEY=VALUE\n"
           "              an option of the provider\n";
}

/* ---- what can be expressed --------------------------------------------------------------------------------------- */

/* Only the types decide: ONNX has no limit of ranks. */
static ts_status adapter_query(void *self, const ts_call *shape, void **token)
{
    adapter *a = self;
    onnx_call call = { .axis = 0 };
    *token = NULL;
    if (!onnx_translates(shape->op, &call.op) || shape->profile != TS_PROFILE_DEFAULT)
        return TS_UNSUPPORTED;
    call.axis = onnx_form_of(call.op)->least;
    for (uint32_t i = 0; i < shape->tensor_count; ++i) {
        const ts_tensor *t = ts_call_tensor(shape, i);
        if (!(t->given & TS_GIVEN_TENSOR) || t->rank > TS_MAX_DIMS || onnx_element_bytes(t->dtype) == 0)
            return TS_UNSUPPORTED;
    }
    const uint32_t indices = onnx_has_indices(call.op) ? ts_call_tensor(shape, 1)->dtype : 0;
    if (onnx_has_indices(call.op) && !onnx_takes_indices(call.op, indices))
        return TS_UNSUPPORTED;
    return runtime_takes(&a->runtime, &call, ts_call_tensor(shape, 0)->dtype, indices) ? TS_OK : TS_UNSUPPORTED;
}

static ts_status adapter_query_clause(void *self, const char *op, const char *clause)
{
    (void)self;
    return onnx_shows_clause(op, clause) ? TS_OK : TS_UNSUPPORTED;
}

/* ---- tensors ------------------------------------------------------------------------------------------------- */

/* *elements is the number of the tensor's elements. False if their bytes overflow. */
static bool count_elements(const ts_tensor *t, uint64_t *elements)
{
    *elements = 0;
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] == 0)
            return true;
    *elements = 1;
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] > UINT64_MAX / 16 / *elements)
            return false;
        *elements *= t->sizes[i];
    }
    return true;
}

static bool grow(scratch *s, uint64_t size, uint64_t most)
{
    if (size > most)
        return false;
    if (size <= s->capacity)
        return true;
    unsigned char *data = calloc(1, (size_t)size); /* untouched zeros take no memory */
    if (!data)
        return false;
    free(s->data);
    s->data = data;
    s->capacity = (size_t)size;
    return true;
}

/* A tensor as ONNX Runtime receives it. */
typedef struct side {
    const ts_tensor *tensor;
    OrtValue *value;
    unsigned char *packed; /* the packed copy; NULL: ONNX Runtime uses the original memory */
    uint64_t elements;
} side;

/* Prepare tensor `index` of the call. TS_OK, or the status of the call if that is not possible. */
static ts_status side_open(adapter *a, const ts_call *call, uint32_t index, const onnx_shape *shape, size_t role,
                           side *out)
{
    const ts_tensor *t = out->tensor = ts_call_tensor(call, index);
    const bool probe = call->flags & TS_CALL_DESCRIPTOR_ONLY;
    const uint32_t own_bytes = onnx_element_bytes(t->dtype);
    const uint32_t bytes = own_bytes ? own_bytes : 1; /* types smaller than a byte are never executed */
    static unsigned char nothing[8];                  /* an empty tensor needs an address too */
    unsigned char *data = t->data;
    uint64_t size = t->total_bytes;
    out->packed = NULL;
    out->value = NULL;
    if (!count_elements(t, &out->elements) || (out->elements > 0 && !strided_fits(t, bytes)))
        return TS_UNSUPPORTED; /* ONNX Runtime has no limit of a tensor's bytes, so the adapter checks it */
    if (out->elements == 0) {
        data = nothing;
        size = sizeof nothing;
    } else if (probe || !strided_is_packed(t)) {
        size = out->elements * bytes;
        scratch *s = probe ? &a->probes[role] : &a->packed[role];
        if (!grow(s, size, probe ? MOST_PROBE_BYTES : MOST_BYTES))
            return TS_UNSUPPORTED;
        data = out->packed = s->data;
        if (!probe && role != OUTPUT)
            strided_copy(t, bytes, data, false);
    }
    return runtime_tensor(&a->runtime, t->dtype, shape, data, (size_t)size, &out->value) == RUNTIME_OK ? TS_OK
                                                                                                       : TS_REJECTED;
}

static void side_close(adapter *a, side *s)
{
    if (s->value)
        a->runtime.api.release_value(s->value);
}

/* ---- one call ------------------------------------------------------------------------------------------------ */

static void report(const ts_tensor *output, const ts_shape *shape)
{
    if (!output->reported)
        return;
    output->reported->rank = shape->rank;
    memcpy(output->reported->sizes, shape->sizes, shape->rank * sizeof *shape->sizes);
}

/* Write what ONNX Runtime has computed, a tensor of the output's shape, to the memory of the call. */
static ts_status take(adapter *a, const ts_call *call, OrtValue *own, const ts_tensor *output)
{
    void *data = NULL;
    uint64_t elements;
    if (!count_elements(output, &elements) ||
        (elements > 0 && !strided_fits(output, onnx_element_bytes(output->dtype))))
        return TS_UNSUPPORTED;
    if (call->flags & TS_CALL_DESCRIPTOR_ONLY || elements == 0)
        return TS_OK;
    if (!runtime_fine(&a->runtime, a->runtime.api.tensor_data(own, &data)))
        return TS_ERROR;
    strided_copy(output, onnx_element_bytes(output->dtype), data, true);
    return TS_OK;
}

/* Is this the shape that the call states for its output? Else report it as a shape of the suite. */
static bool is_expected(const onnx_call *call, const onnx_shape *found, const ts_tensor *output)
{
    const onnx_shape *stated = &call->output;
    ts_shape shape;
    if (call->output_fits && found->rank == stated->rank &&
        memcmp(found->sizes, stated->sizes, found->rank * sizeof *found->sizes) == 0)
        return true;
    onnx_output_shape(call, found, &shape);
    report(output, &shape);
    return !call->output_fits && shape.rank == output->rank &&
           memcmp(shape.sizes, output->sizes, shape.rank * sizeof *shape.sizes) == 0;
}

static void report_stated(const ts_tensor *output)
{
    if (!output->reported)
        return;
    output->reported->rank = output->rank;
    memcpy(output->reported->sizes, output->sizes, output->rank * sizeof *output->sizes);
}

/* Run the session with an output that ONNX Runtime allocates, and report its shape. TS_OK if type and shape are those
   of the call; `write`: the data are written then. TS_REJECTED if they are others, or the call is refused. */
static ts_status run_free(adapter *a, const ts_call *call, OrtSession *session, const OrtValue *const *inputs,
                          const ts_tensor *output, bool write)
{
    onnx_shape found;
    OrtValue *own = NULL;
    int type = 0;
    if (runtime_run(&a->runtime, session, &a->call, inputs, &own) != RUNTIME_OK) {
        note_its_words(a);
        return TS_REJECTED;
    }
    ts_status status = TS_REJECTED;
    if (runtime_shape(&a->runtime, own, &found, &type) && is_expected(&a->call, &found, output) &&
        type == (int)onnx_dtype(output->dtype)) {
        report_stated(output);
        status = write ? take(a, call, own, output) : TS_OK;
    }
    a->runtime.api.release_value(own);
    return status;
}

/* Would ONNX Runtime allocate too much memory for an output without a place? Gather's may be many times larger than its
   inputs, which were packed. */
static bool infers_too_much(const onnx_call *call, uint32_t bytes)
{
    uint64_t most = MOST_BYTES / (bytes ? bytes : 1);
    const bool tuples = call->op == ONNX_GATHER_ND && call->indices.rank > 0;
    if (!tuples && call->op != ONNX_GATHER)
        return false;
    /* The output has the sizes of the indices, without the tuple, and those of the data outside of [first, behind): the
       axis; or the batches, which the indices have as well, and what a tuple picks from. */
    const uint32_t walked = call->indices.rank - (tuples ? 1 : 0);
    const int64_t first = tuples ? 0 : call->axis;
    const int64_t behind = call->axis + (tuples ? call->indices.sizes[walked] : 1);
    for (int64_t i = 0; i < (int64_t)call->data.rank; ++i)
        if ((i < first || i >= behind) && call->data.sizes[i] > 0)
            most /= (uint64_t)call->data.sizes[i];
    for (uint32_t i = 0; i < walked; ++i)
        if (call->indices.sizes[i] > 0)
            most /= (uint64_t)call->indices.sizes[i];
    return most == 0;
}

/* Run the session with an output in the memory of the call, where its shape is known. */
static ts_status run_over(adapter *a, const ts_call *call, OrtSession *session, const OrtValue *const *inputs)
{
    const uint32_t last = call->tensor_count - 1;
    const ts_tensor *output = ts_call_tensor(call, last);
    side out = { 0 };
    if (a->provider.name) {
        /* The provider writes to the memory of its device, and ONNX Runtime copies that to an output of any shape that
           has as many elements; so its own output tells the shape. */
        if (!infers_too_much(&a->call, onnx_element_bytes(output->dtype)))
            return run_free(a, call, session, inputs, output, true);
        note(a->host, "ONNX Runtime would allocate too much memory for the output");
        return TS_UNSUPPORTED;
    }
    ts_status status = a->call.output_fits ? side_open(a, call, last, &a->call.output, OUTPUT, &out) : TS_OK;
    if (!out.value) { /* the inferred shape decides, unless it is the expected one */
        if (status == TS_UNSUPPORTED && infers_too_much(&a->call, onnx_element_bytes(output->dtype)))
            note(a->host, "ONNX Runtime would allocate too much memory for the output");
        else if (run_free(a, call, session, inputs, output, false) != TS_OK)
            status = TS_REJECTED;
    } else if (runtime_run(&a->runtime, session, &a->call, inputs, &out.value) == RUNTIME_OK) {
        if (out.packed && !(call->flags & TS_CALL_DESCRIPTOR_ONLY))
            strided_copy(output, onnx_element_bytes(output->dtype), out.packed, true);
        report_stated(output);
    } else {
        status = TS_REJECTED;
        run_free(a, call, session, inputs, output, false); /* the inferred shape is reported */
    }
    side_close(a, &out);
    return status;
}

static ts_status execute(adapter *a, const ts_call *call, OrtSession *session)
{
    const uint32_t count = onnx_form_of(a->call.op)->tensors;
    const OrtValue *inputs[ONNX_MOST_TENSORS] = { NULL };
    side in[ONNX_MOST_TENSORS] = { { 0 } };
    ts_status status = TS_OK;
    for (uint32_t i = 0; i < count && status == TS_OK; ++i) {
        status = side_open(a, call, i, onnx_input_shape(&a->call, i), i, &in[i]);
        inputs[i] = in[i].value;
    }
    if (status == TS_OK)
        status = run_over(a, call, session, inputs);
    for (uint32_t i = 0; i < count; ++i)
        side_close(a, &in[i]);
    return status;
}

/* Are all tensors small enough to be packed? A model for fixed shapes makes a provider allocate for them at once. */
static bool all_small(const ts_call *call)
{
    const uint64_t most = call->flags & TS_CALL_DESCRIPTOR_ONLY ? MOST_PROBE_BYTES : MOST_BYTES;
    bool small = true;
    uint64_t elements;
    for (uint32_t i = 0; i < call->tensor_count && small; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        const uint32_t bytes = onnx_element_bytes(t->dtype);
        small = count_elements(t, &elements) && elements <= most / (bytes ? bytes : 1);
    }
    return small;
}

static ts_status run(adapter *a, const ts_call *call)
{
    const char *why;
    OrtSession *session = NULL;
    bool own = false;
    if (!onnx_translate(call, &a->call, &why)) {
        note(a->host, why);
        return TS_UNSUPPORTED;
    }
    if (a->provider.fixed_shapes && !all_small(call)) {
        note(a->host, "a tensor is too large for a model of fixed shapes");
        return TS_UNSUPPORTED;
    }
    const uint32_t indices = onnx_has_indices(a->call.op) ? ts_call_tensor(call, 1)->dtype : 0;
    switch (runtime_session(&a->runtime, &a->call, ts_call_tensor(call, 0)->dtype, indices, &session, &own)) {
    case RUNTIME_OK: break;
    case RUNTIME_REFUSED: note_its_words(a); return TS_REJECTED;
    case RUNTIME_ELSEWHERE: note_its_words(a); return TS_UNSUPPORTED;
    case RUNTIME_FAILED: note(a->host, a->runtime.message); return TS_ERROR;
    }
    ts_status status = execute(a, call, session);
    if (own)
        a->runtime.api.release_session(session);
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
    .summary = "ONNX Runtime's Slice, Gather, Scatter, SpaceToDepth and Identity, with its CPU provider or another",
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
