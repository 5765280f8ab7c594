/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/onnxruntime/runtime.h"

#include "backends/fetched/library.h"
#include "backends/onnxruntime/provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Store the message of a status and release the status. */
bool runtime_fine(runtime *r, OrtStatus *status)
{
    if (!status)
        return true;
    snprintf(r->message, sizeof r->message, "%.*s", (int)sizeof r->message - 1, r->api.error_message(status));
    r->api.release_status(status);
    return false;
}

static bool bind_functions(runtime *r)
{
    union { /* converts an untyped function pointer to each type */
        ort_function bare;
        const OrtApiBase *(ORT_CALL *base)(void);
    } entry;
    entry.bare = (ort_function)library_symbol(r->library, "OrtGetApiBase");
    const OrtApiBase *base = entry.bare ? entry.base() : NULL;
    const ort_function *table = base ? base->GetApi(ORT_VERSION) : NULL;
    if (!table) {
        snprintf(r->message, sizeof r->message, "%s",
                 base ? "it is older than ONNX Runtime 1.8" : "it is not ONNX Runtime: OrtGetApiBase is missing");
        return false;
    }
    unsigned minor = 0;
    r->base = base;
    r->api_version = sscanf(base->GetVersionString(), "1.%u", &minor) == 1 ? minor : ORT_VERSION;
    ort_api *a = &r->api;
    a->version = base->GetVersionString;
#define TAKE(name, place) memcpy(&a->name, &table[place], sizeof a->name)
    TAKE(error_code, ORT_GET_ERROR_CODE);
    TAKE(error_message, ORT_GET_ERROR_MESSAGE);
    TAKE(create_env, ORT_CREATE_ENV);
    TAKE(create_session, ORT_CREATE_SESSION_FROM_ARRAY);
    TAKE(run, ORT_RUN);
    TAKE(create_session_options, ORT_CREATE_SESSION_OPTIONS);
    TAKE(disable_mem_pattern, ORT_DISABLE_MEM_PATTERN);
    TAKE(set_intra_op_threads, ORT_SET_INTRA_OP_NUM_THREADS);
    TAKE(set_inter_op_threads, ORT_SET_INTER_OP_NUM_THREADS);
    TAKE(create_tensor, ORT_CREATE_TENSOR_WITH_DATA);
    TAKE(tensor_data, ORT_GET_TENSOR_DATA);
    TAKE(element_type, ORT_GET_ELEMENT_TYPE);
    TAKE(dimensions_count, ORT_GET_DIMENSIONS_COUNT);
    TAKE(dimensions, ORT_GET_DIMENSIONS);
    TAKE(type_and_shape, ORT_GET_TENSOR_TYPE_AND_SHAPE);
    TAKE(create_memory_info, ORT_CREATE_CPU_MEMORY_INFO);
    TAKE(release_env, ORT_RELEASE_ENV);
    TAKE(release_status, ORT_RELEASE_STATUS);
    TAKE(release_memory_info, ORT_RELEASE_MEMORY_INFO);
    TAKE(release_session, ORT_RELEASE_SESSION);
    TAKE(release_value, ORT_RELEASE_VALUE);
    TAKE(release_type_and_shape, ORT_RELEASE_TENSOR_TYPE_AND_SHAPE);
    TAKE(release_session_options, ORT_RELEASE_SESSION_OPTIONS);
#undef TAKE
    return true;
}

const ort_function *runtime_table(runtime *r, uint32_t version)
{
    return r->base->GetApi(version);
}

bool runtime_new_options(runtime *r, OrtSessionOptions **options)
{
    /* Use one thread, so that times and crashes belong to this thread. */
    return runtime_fine(r, r->api.create_session_options(options)) &&
           runtime_fine(r, r->api.set_intra_op_threads(*options, 1)) &&
           runtime_fine(r, r->api.set_inter_op_threads(*options, 1)) &&
           runtime_fine(r, r->api.disable_mem_pattern(*options));
}

void runtime_fetched(char *path, size_t size)
{
    library_fetched("onnxruntime/onnxruntime/capi", "onnxruntime", path, size);
}

bool runtime_open(runtime *r, const char *path)
{
    library_setenv("ORT_DISABLE_TELEMETRY", "1");
    r->library = library_open(path, r->message, sizeof r->message);
    if (!r->library)
        return false;
    if (!bind_functions(r)) {
        library_close(r->library);
        r->library = NULL;
        return false;
    }
    ort_api *a = &r->api;
    /* Errors are returned, so nothing is logged. */
    if (runtime_fine(r, a->create_env(ORT_LOG_FATAL, "touchstone", &r->env)) && runtime_new_options(r, &r->options) &&
        runtime_fine(r, a->create_memory_info(ORT_DEVICE_ALLOCATOR, ORT_MEMORY_DEFAULT, &r->memory)))
        return true;
    runtime_close(r);
    return false;
}

static void close_list(runtime *r, runtime_list *list)
{
    for (size_t i = 0; i <= ONNX_MAX_STEPS; ++i)
        if (list->tensors[i])
            r->api.release_value(list->tensors[i]);
}

void runtime_close(runtime *r)
{
    if (!r->library)
        return;
    OrtSession **sessions = &r->sessions[0][0][0][0];
    close_list(r, &r->starts);
    close_list(r, &r->ends);
    close_list(r, &r->steps);
    for (size_t i = 0; i < sizeof r->sessions / sizeof *sessions; ++i)
        if (sessions[i])
            r->api.release_session(sessions[i]);
    if (r->memory)
        r->api.release_memory_info(r->memory);
    if (r->options)
        r->api.release_session_options(r->options);
    if (r->env)
        r->api.release_env(r->env);
    library_close(r->library);
    r->library = NULL;
}

static bool fixes_shapes(const runtime *r)
{
    return r->provider && r->provider->fixed_shapes;
}

/* The place of the session for a call; NULL if the axis exceeds every rank, or the session is for this call alone. */
static OrtSession **place_of(runtime *r, const onnx_call *call, uint32_t dtype, uint32_t index_dtype)
{
    const onnx_form *form = onnx_form_of(call->op);
    const int64_t axis = form->axis || form->axis_scalar ? call->axis : 0;
    const unsigned kind = call->op == ONNX_CUM_SUM          ? call->exclusive + 2u * call->reverse
                          : call->op == ONNX_DEPTH_TO_SPACE ? call->columns_first
                                                            : index_dtype == TS_INT64;
    return axis < RUNTIME_AXES && !fixes_shapes(r) ? &r->sessions[call->op][dtype][kind][axis] : NULL;
}

/* Write the model of a call. False with a message. */
static bool write_model(runtime *r, const onnx_call *call, uint32_t dtype, uint32_t index_dtype, onnx_bytes *bytes)
{
    onnx_model model;
    int64_t counts[ONNX_LISTS];
    onnx_describe(call, dtype, index_dtype, &model);
    if (fixes_shapes(r)) {
        onnx_state_shapes(call, &model, counts);
        for (uint32_t i = onnx_form_of(call->op)->tensors, list = 0; i < model.input_count; ++i)
            if (*model.inputs[i].name && !model.inputs[i].constant)
                model.inputs[i].constant = onnx_list_values(call, list++);
    }
    onnx_write_model(bytes, &model);
    if (bytes->failed)
        snprintf(r->message, sizeof r->message, "out of memory");
    return !bytes->failed;
}

/* Would the provider take a model? To be asked before a session has a profile: one that is refused leaves its file. */
static bool takes(runtime *r, const onnx_bytes *model)
{
    OrtSession *session = NULL;
    if (!provider_session(r, model, false, &session))
        return false;
    r->api.release_session(session);
    return true;
}

/* Does a small call of the same operator and axis run on the provider, by its profile? With fixed shapes it has a model
   of its own; else it is run with `model`, of which there is a session. */
static bool proves(runtime *r, const onnx_call *call, uint32_t dtype, uint32_t index_dtype, const onnx_bytes *model)
{
    onnx_call one;
    onnx_bytes own = { 0 };
    provider_smallest(call, &one);
    const bool proved = (!fixes_shapes(r) || (write_model(r, &one, dtype, index_dtype, &own) && takes(r, &own))) &&
                        provider_proves(r, &one, dtype, index_dtype, fixes_shapes(r) ? &own : model);
    free(own.data);
    return proved;
}

/* Create a session on the provider. A model that it does not take is refused only if the CPU provider refuses it. */
static runtime_result create_there(runtime *r, const onnx_call *call, uint32_t dtype, uint32_t index_dtype,
                                   const onnx_bytes *model, OrtSession **session)
{
    if (provider_session(r, model, false, session)) {
        if (fixes_shapes(r) || call->axis >= RUNTIME_AXES || proves(r, call, dtype, index_dtype, model))
            return RUNTIME_OK;
        r->api.release_session(*session);
        return RUNTIME_ELSEWHERE;
    }
    OrtStatus *refused = r->api.create_session(r->env, model->data, model->size, r->options, session);
    if (refused)
        r->api.release_status(refused);
    else
        r->api.release_session(*session);
    return refused ? RUNTIME_REFUSED : RUNTIME_ELSEWHERE;
}

bool runtime_takes(runtime *r, const onnx_call *call, uint32_t dtype, uint32_t index_dtype)
{
    OrtSession *session = NULL;
    bool own;
    if (fixes_shapes(r))
        return proves(r, call, dtype, index_dtype, NULL);
    return runtime_session(r, call, dtype, index_dtype, &session, &own) == RUNTIME_OK;
}

bool runtime_tries(runtime *r)
{
    for (int op = 0; op < ONNX_OPS; ++op) {
        const onnx_call call = { .op = (onnx_op)op, .axis = onnx_form_of((onnx_op)op)->least };
        if (runtime_takes(r, &call, TS_FLOAT32, TS_INT64))
            return true;
    }
    return false;
}

runtime_result runtime_session(runtime *r, const onnx_call *call, uint32_t dtype, uint32_t index_dtype,
                               OrtSession **session, bool *own)
{
    OrtSession **place = place_of(r, call, dtype, index_dtype);
    *own = !place;
    if (place && *place) {
        *session = *place;
        return RUNTIME_OK;
    }
    onnx_bytes bytes = { 0 };
    runtime_result result = RUNTIME_FAILED;
    if (write_model(r, call, dtype, index_dtype, &bytes))
        result = r->provider ? create_there(r, call, dtype, index_dtype, &bytes, session)
                 : runtime_fine(r, r->api.create_session(r->env, bytes.data, bytes.size, r->options, session))
                     ? RUNTIME_OK
                     : RUNTIME_REFUSED;
    free(bytes.data);
    if (result == RUNTIME_OK && place)
        *place = *session;
    return result;
}

runtime_result runtime_tensor(runtime *r, uint32_t dtype, const onnx_shape *shape, const void *data, size_t size,
                              OrtValue **value)
{
    return runtime_fine(r, r->api.create_tensor(r->memory, (void *)(uintptr_t)data, size, shape->sizes, shape->rank,
                                                (int)onnx_dtype(dtype), value))
               ? RUNTIME_OK
               : RUNTIME_REFUSED;
}

static const OrtValue *fill_list(runtime *r, runtime_list *list, const int64_t *values, uint32_t count)
{
    memcpy(list->values, values, count * sizeof *values);
    if (!list->tensors[count]) {
        const onnx_shape shape = { .rank = 1, .sizes = { count } };
        if (runtime_tensor(r, TS_INT64, &shape, list->values, sizeof list->values, &list->tensors[count]) != RUNTIME_OK)
            return NULL;
    }
    return list->tensors[count];
}

runtime_result runtime_run(runtime *r, OrtSession *session, const onnx_call *call, const OrtValue *const *tensors,
                           OrtValue **output)
{
    static const char *const slice_names[] = { "data", "starts", "ends", "steps" };
    static const char *const output_name = "output";
    const onnx_form *form = onnx_form_of(call->op);
    const OrtValue *lists[4] = { tensors[0] }, *const *inputs = tensors;
    const char *const *names = onnx_tensor_names;
    size_t count = form->tensors;
    if (form->lists && !fixes_shapes(r)) {
        lists[1] = fill_list(r, &r->starts, call->start, call->starts);
        lists[2] = fill_list(r, &r->ends, call->end, call->ends);
        lists[3] = fill_list(r, &r->steps, call->step, call->steps);
        if (!lists[1] || !lists[2] || !lists[3])
            return RUNTIME_FAILED;
        inputs = lists;
        names = slice_names;
        count = 4;
    }
    return runtime_fine(r, r->api.run(session, NULL, names, inputs, count, &output_name, 1, output)) ? RUNTIME_OK
                                                                                                     : RUNTIME_REFUSED;
}

bool runtime_shape(runtime *r, const OrtValue *value, onnx_shape *shape, int *type)
{
    OrtTensorTypeAndShapeInfo *info = NULL;
    size_t rank = 0;
    if (!runtime_fine(r, r->api.type_and_shape(value, &info)))
        return false;
    bool known = runtime_fine(r, r->api.element_type(info, type)) &&
                 runtime_fine(r, r->api.dimensions_count(info, &rank)) && rank <= TS_MAX_DIMS &&
                 runtime_fine(r, r->api.dimensions(info, shape->sizes, rank));
    shape->rank = (uint32_t)rank;
    r->api.release_type_and_shape(info);
    return known;
}
