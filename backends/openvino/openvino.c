/* SPDX-License-Identifier: Apache-2.0 */
/* The openvino backend, through OpenVINO's C API: OpenVINO's operators, and those of DirectML that OpenVINO has under
   another name. README.md describes the results. */
#include "backends/openvino/openvino.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLD_BATCH 64 /* larger batches are not faster, and bisecting them takes longer */
#define POISON     0xA5

static const char *const mode_names[MODE_COUNT] = { "run", "const", "core" };
static const char *const mode_texts[MODE_COUNT] = {
    "CPU plugin, mode=run: all inputs at run time",
    "CPU plugin, mode=const: begin, end and stride constant",
    "core, mode=core: all constant, constant folding",
};

void openvino_note(const openvino *self, const char *text)
{
    if (self->host && self->host->note)
        self->host->note(self->host->context, text);
}

int openvino_element(uint32_t dtype)
{
    static const int elements[TS_DTYPE_COUNT] = {
        [TS_FLOAT32] = OV_F32,     [TS_FLOAT16] = OV_F16, [TS_FLOAT64] = OV_F64, [TS_BFLOAT16] = OV_BF16,
        [TS_INT8] = OV_I8,         [TS_INT16] = OV_I16,   [TS_INT32] = OV_I32,   [TS_INT64] = OV_I64,
        [TS_UINT8] = OV_U8,        [TS_UINT16] = OV_U16,  [TS_UINT32] = OV_U32,  [TS_UINT64] = OV_U64,
        [TS_BOOLEAN] = OV_BOOLEAN,
    };
    return dtype < TS_DTYPE_COUNT ? elements[dtype] : 0;
}

bool openvino_compile(openvino *self, ov_compiled **compiled, ov_request **request)
{
    const ov_api *api = &self->api;
    ir_model *ir = &self->ir;
    int64_t bytes = (int64_t)ir->weights.length;
    const ov_shape shape = { .rank = 1, .dims = &bytes };
    ov_tensor *weights = NULL;
    ov_model *model = NULL;
    *compiled = NULL;
    *request = NULL;
    bool fine = !ir->failed && api->tensor_create_from_host_ptr(OV_U8, shape, ir->weights.at, &weights) == 0 &&
                api->core_read_model_from_memory_buffer(self->core, ir->xml.at, ir->xml.length, weights, &model) == 0 &&
                api->core_compile_model(self->core, model, "CPU", 6, compiled, "NUM_STREAMS", "1",
                                        "INFERENCE_NUM_THREADS", "1", "INFERENCE_PRECISION_HINT", "f32") == 0 &&
                api->compiled_model_create_infer_request(*compiled, request) == 0;
    if (model)
        api->model_free(model);
    if (weights)
        api->tensor_free(weights);
    return fine;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static bool take_option(openvino *self, const ts_option *o, const char **library)
{
    char text[256];
    if (strcmp(o->key, "library") == 0) {
        *library = o->value;
        return true;
    }
    if (strcmp(o->key, "masks") == 0 && (strcmp(o->value, "given") == 0 || strcmp(o->value, "padded") == 0)) {
        self->pad_masks = strcmp(o->value, "padded") == 0;
        return true;
    }
    if (strcmp(o->key, "mode") == 0) {
        for (int m = 0; m < MODE_COUNT; ++m) {
            if (strcmp(o->value, mode_names[m]) == 0) {
                self->mode = (openvino_mode)m;
                return true;
            }
        }
        snprintf(text, sizeof text, "mode=%.60s; expected run, const or core", o->value);
    } else if (strcmp(o->key, "masks") == 0) {
        snprintf(text, sizeof text, "masks=%.60s; expected given or padded", o->value);
    } else {
        snprintf(text, sizeof text, "unknown option '%.60s'; expected mode, masks or library", o->key);
    }
    openvino_note(self, text);
    return false;
}

static void learn_names(openvino *self)
{
    const ov_api *api = &self->api;
    ov_version version = { 0 };
    char *device = NULL;
    if (api->get_openvino_version(&version) == 0) {
        snprintf(self->version, sizeof self->version, "%s", version.build_number);
        api->version_free(&version);
    }
    if (api->core_get_property(self->core, "CPU", "FULL_DEVICE_NAME", &device) == 0) {
        snprintf(self->device, sizeof self->device, "%s", device);
        api->free(device);
    }
}

static void openvino_close(void *context)
{
    openvino *self = context;
    run_close(self);
    if (self->core)
        self->api.core_free(self->core);
    ir_free(&self->ir);
    scratch_free(&self->memory);
    free(self->flights);
    free(self);
}

static ts_status openvino_open(const ts_host *host, const ts_option *options, size_t count, void **out)
{
    openvino *self = calloc(1, sizeof *self);
    const char *library = NULL;
    char reason[512] = "OpenVINO cannot create a core";
    ts_status status = TS_OK;
    if (!self)
        return TS_ERROR;
    self->host = host;
    for (size_t i = 0; i < count && status == TS_OK; ++i)
        if (!take_option(self, &options[i], &library))
            status = TS_REJECTED;
    if (status == TS_OK &&
        !(ov_api_open(&self->api, library, reason, sizeof reason) && self->api.core_create(&self->core) == 0)) {
        openvino_note(self, reason);
        status = TS_ERROR;
    }
    if (status == TS_OK && self->mode == MODE_RUN && !(self->cache = run_open()))
        status = TS_ERROR;
    if (status != TS_OK) {
        openvino_close(self);
        return status;
    }
#ifdef M_PERTURB
    /* Constant folding writes to its own memory: fill it, so that unwritten elements are visible. */
    if (self->mode == MODE_CORE)
        mallopt(M_PERTURB, POISON);
#endif
    learn_names(self);
    *out = self;
    return TS_OK;
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

static ts_status openvino_info(void *context, ts_info *info)
{
    const openvino *self = context;
    info->preferred_batch = self->mode == MODE_RUN ? 64 : FOLD_BATCH;
    info->packs = 1;
    snprintf(info->name, sizeof info->name, "openvino");
    snprintf(info->vendor, sizeof info->vendor, "Intel");
    snprintf(info->version, sizeof info->version, "%s", self->version);
    snprintf(info->driver, sizeof info->driver, "%s", mode_texts[self->mode]);
    if (self->pad_masks)
        strncat(info->driver, ", masks=padded", sizeof info->driver - strlen(info->driver) - 1);
    snprintf(info->device, sizeof info->device, "%s", self->device);
    return TS_OK;
}

/* The operators, and the clauses of OpenVINO's own that it cannot see broken: it receives shapes, types and lists, and
   not the sizes of buffers, the stated type of the output and the limits of the suite. Nor can it express the illegal
   descriptors of DirectML's operators: NULL. */
static const struct known_operator {
    const layer_operator *op;
    const char *unseen;
} operators[] = {
    { &layer_strided_slice, " SS-14 " },
    { &layer_gather_1, " G1-02 G1-03 G1-04 G1-05 " },
    { &layer_gather_7, " G7-02 G7-03 G7-04 G7-05 " },
    { &layer_gather_8, " G8-02 G8-03 G8-04 G8-05 " },
    { &layer_scatter_nd_update_3, " SN3-02 SN3-03 SN3-04 SN3-05 " },
    { &layer_scatter_elements_update_3, " SE3-02 SE3-03 SE3-04 SE3-05 " },
    { &layer_scatter_update, " SU3-02 SU3-03 SU3-04 SU3-05 " },
    { &layer_gather_elements_6, " GE6-02 GE6-03 GE6-05 GE6-09 " },
    { &layer_gather_nd_5, " ND5-02 ND5-03 ND5-04 ND5-05 " },
    { &layer_gather_nd_8, " ND8-02 ND8-03 ND8-04 ND8-05 " },
    { &layer_gather_tree, " GT1-02 GT1-03 GT1-04 GT1-08 " },
    { &layer_non_zero_3, " NZ3-02 NZ3-03 NZ3-05 NZ3-06 NZ3-07 NZ3-08 " },
    { &layer_slice1, NULL },
    { &layer_gather, NULL },
    { &layer_gather_elements, NULL },
    { &layer_scatter_elements, NULL },
    { &layer_scatter_nd, NULL },
    { &layer_gather_nd, NULL },
    { &layer_gather_nd1, NULL },
    { &layer_cumulative_summation, NULL },
    { &layer_depth_to_space, NULL },
    { &layer_depth_to_space1, NULL },
    { &layer_space_to_depth, NULL },
    { &layer_space_to_depth1, NULL },
};

static const struct known_operator *find_operator(const char *name)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i)
        if (strcmp(operators[i].op->name, name) == 0)
            return &operators[i];
    return NULL;
}

static ts_status openvino_query(void *context, const ts_call *shape, void **token)
{
    (void)context;
    const struct known_operator *known = find_operator(shape->op);
    if (!known || shape->tensor_count != known->op->tensor_count || !known->op->query(shape))
        return TS_UNSUPPORTED;
    *token = (void *)(uintptr_t)known->op;
    return TS_OK;
}

static ts_status openvino_query_clause(void *context, const char *op, const char *clause)
{
    const struct known_operator *known = find_operator(op);
    char word[32];
    (void)context;
    snprintf(word, sizeof word, " %s ", clause);
    return known && known->unseen && !strstr(known->unseen, word) ? TS_OK : TS_UNSUPPORTED;
}

static ts_status openvino_submit(void *context, const ts_call *call, size_t n, ts_status *status)
{
    openvino *self = context;
    if (self->mode != MODE_RUN)
        return fold_submit(self, call, n, status) ? TS_OK : TS_ERROR;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
        run_submit(self, call, &status[i]);
    return TS_OK;
}

static const char *openvino_options(void)
{
    return "mode=run|const|core  how OpenVINO executes a layer (default run)\n"
           "masks=given|padded  padded: extend or cut all masks to the length of begin (default given)\n"
           "library=PATH  libopenvino_c.so (default: the one that scripts/setup-vendors.sh installs)";
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = openvino_open,
    .close = openvino_close,
    .info = openvino_info,
    .query = openvino_query,
    .submit = openvino_submit,
    .describe_options = openvino_options,
    .query_clause = openvino_query_clause,
    .summary = "OpenVINO's StridedSlice, Slice, Gather, Scatter and SpaceToDepth, in its CPU plugin or its reference",
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
