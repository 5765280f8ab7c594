/* SPDX-License-Identifier: Apache-2.0 */
/* The litert backend: operators of TensorFlow Lite in LiteRT, through its C interface. README.md describes the mapping
   and the results. */
#include "backends/litert/litert.h"
#include "backends/fetched/library.h"
#include "backends/litert/node.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const kernel_names[KERNELS_COUNT] = { "delegate", "builtin", "reference" };
static const char *const kernel_texts[KERNELS_COUNT] = {
    "kernels=delegate: XNNPACK's where it has one",
    "kernels=builtin: no XNNPACK",
    "kernels=reference: the reference kernels",
};

void litert_note(const litert *self, const char *text)
{
    if (self->host && self->host->note)
        self->host->note(self->host->context, text);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static bool bind_functions(litert *self, char *message, size_t size)
{
    lrt_api *api = &self->api;
    const library_function functions[] = {
        { "LiteRtCreateEnvironment", &api->create_environment },
        { "LiteRtDestroyEnvironment", &api->destroy_environment },
        { "LiteRtCreateOptions", &api->create_options },
        { "LiteRtDestroyOptions", &api->destroy_options },
        { "LiteRtSetOptionsHardwareAccelerators", &api->set_accelerators },
        { "LiteRtCreateOpaqueOptions", &api->create_opaque_options },
        { "LiteRtAddOpaqueOptions", &api->add_opaque_options },
        { "LiteRtCreateModelFromBuffer", &api->create_model },
        { "LiteRtDestroyModel", &api->destroy_model },
        { "LiteRtCreateCompiledModel", &api->create_compiled },
        { "LiteRtDestroyCompiledModel", &api->destroy_compiled },
        { "LiteRtGetCompiledModelOutputTensorLayouts", &api->get_output_layouts },
        { "LiteRtCompiledModelGetErrorMessages", &api->get_errors },
        { "LiteRtCompiledModelClearErrors", &api->clear_errors },
        { "LiteRtCreateTensorBufferFromHostMemory", &api->create_buffer },
        { "LiteRtDestroyTensorBuffer", &api->destroy_buffer },
        { "LiteRtRunCompiledModel", &api->run },
    };
    return library_bind(self->library, functions, sizeof functions / sizeof *functions, "LiteRT 2", message, size);
}

/* Options that are passed as a text. */
static bool add_text(litert *self, const char *name, const char *text)
{
    lrt_opaque_options *options = NULL;
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        return false;
    strcpy(copy, text);
    if (self->api.create_opaque_options(name, copy, free, &options) != 0) {
        free(copy);
        return false;
    }
    return self->api.add_opaque_options(self->options, options) == 0;
}

/* LiteRT prints a line when a process makes its first interpreter with XNNPACK, whatever it is told to log: make one
   that nobody hears. */
static void make_first(litert *self)
{
    fflush(stderr);
    const int heard = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (heard >= 0 && nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0) {
        run_first(self);
        fflush(stderr);
        dup2(heard, STDERR_FILENO);
    }
    if (heard >= 0)
        close(heard);
    if (nowhere >= 0)
        close(nowhere);
}

static bool prepare(litert *self)
{
    const lrt_environment_option quiet = { LRT_MOST_SEVERE, { LRT_WHOLE_NUMBER, LRT_LOG_NOTHING } };
    const lrt_api *api = &self->api;
    char processor[80], runtime[80];
    snprintf(processor, sizeof processor, "kernel_mode = \"%s\"\nnum_threads = 1\n", kernel_names[self->kernels]);
    snprintf(runtime, sizeof runtime, "error_reporter_mode = %d\n", LRT_ERRORS_BUFFERED);
    self->cache = run_open();
    return self->cache && api->create_environment(1, &quiet, &self->environment) == 0 &&
           api->create_options(&self->options) == 0 && api->set_accelerators(self->options, LRT_HOST_PROCESSOR) == 0 &&
           add_text(self, "xnnpack", processor) && add_text(self, "runtime_options_string", runtime);
}

static void adapter_close(void *context)
{
    litert *self = context;
    run_close(self);
    if (self->options)
        self->api.destroy_options(self->options);
    if (self->environment)
        self->api.destroy_environment(self->environment);
    if (self->library)
        library_close(self->library);
    free(self);
}

/* The library that is used by default; "" if there is none. */
static void default_path(char *path, size_t size)
{
    if (!library_named("TOUCHSTONE_LITERT", path, size))
        library_fetched("litert/ai_edge_litert", "LiteRt", path, size);
}

/* LiteRT does not state its version; scripts/setup-vendors.sh writes it into the folder above the library's. */
static void learn_version(litert *self, const char *path)
{
    char name[1100];
    size_t length = strlen(path);
    for (int slashes = 0; length > 0; --length)
        if (path[length - 1] == '/' && ++slashes == 2)
            break;
    snprintf(name, sizeof name, "%.*sversion", (int)length, path);
    FILE *f = length > 0 ? fopen(name, "r") : NULL;
    if (!f)
        return;
    if (!fgets(self->version, sizeof self->version, f))
        self->version[0] = '\0';
    self->version[strcspn(self->version, "\r\n")] = '\0';
    fclose(f);
}

static bool take_option(litert *self, const ts_option *o, char *path, size_t size)
{
    char text[256];
    if (strcmp(o->key, "library") == 0 && *o->value) {
        snprintf(path, size, "%s", o->value);
        return true;
    }
    for (int k = 0; k < KERNELS_COUNT && strcmp(o->key, "kernels") == 0; ++k) {
        if (strcmp(o->value, kernel_names[k]) == 0) {
            self->kernels = (litert_kernels)k;
            return true;
        }
    }
    if (strcmp(o->key, "kernels") == 0)
        snprintf(text, sizeof text, "kernels=%.60s; expected delegate, builtin or reference", o->value);
    else
        snprintf(text, sizeof text, "unknown option '%.60s=%.60s'; expected kernels=NAME or library=PATH", o->key,
                 o->value);
    litert_note(self, text);
    return false;
}

static ts_status adapter_open(const ts_host *host, const ts_option *options, size_t count, void **out)
{
    char path[1024], why[400], text[1600];
    litert *self = calloc(1, sizeof *self);
    if (!self)
        return TS_ERROR;
    self->host = host;
    default_path(path, sizeof path);
    for (size_t i = 0; i < count; ++i) {
        if (!take_option(self, &options[i], path, sizeof path)) {
            adapter_close(self);
            return TS_REJECTED;
        }
    }
    self->library = library_open(path, why, sizeof why);
    if (self->library && bind_functions(self, why, sizeof why)) {
        if (prepare(self)) {
            learn_version(self, path);
            make_first(self);
            *out = self;
            return TS_OK;
        }
        snprintf(why, sizeof why, "it makes no environment for the processor");
    }
    snprintf(text, sizeof text,
             "LiteRT cannot be used (%.400s): run scripts/setup-vendors.sh litert or set --backend-opt library=PATH",
             why);
    litert_note(self, text);
    adapter_close(self);
    return TS_ERROR;
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

static ts_status adapter_info(void *context, ts_info *info)
{
    const litert *self = context;
    info->preferred_batch = 64; /* calls run one by one, but each call of `submit` has a cost */
    info->packs = 1;
    info->buffer_alignment = LRT_ALIGNMENT;
    snprintf(info->name, sizeof info->name, "litert");
    snprintf(info->vendor, sizeof info->vendor, "Google");
    snprintf(info->version, sizeof info->version, "%s", self->version);
    snprintf(info->driver, sizeof info->driver, "%s", kernel_texts[self->kernels]);
    snprintf(info->device, sizeof info->device, "host processor, 1 thread");
    return TS_OK;
}

static ts_status adapter_query(void *context, const ts_call *shape, void **token)
{
    const node_operator *op = node_find(shape->op);
    (void)context;
    if (!op || !node_query(op, shape))
        return TS_UNSUPPORTED;
    *token = (void *)(uintptr_t)op;
    return TS_OK;
}

static ts_status adapter_query_clause(void *context, const char *op, const char *clause)
{
    const node_operator *known = node_find(op);
    char word[32];
    (void)context;
    snprintf(word, sizeof word, " %s ", clause);
    return known && known->unseen && !strstr(known->unseen, word) ? TS_OK : TS_UNSUPPORTED;
}

static ts_status adapter_submit(void *context, const ts_call *call, size_t n, ts_status *status)
{
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
        status[i] = run_call(context, call);
    return TS_OK;
}

static const char *adapter_describe_options(void)
{
    return "kernels=delegate|builtin|reference  which kernels execute a node: XNNPACK's where it has one (default),\n"
           "                                    TensorFlow Lite's own, or its reference\n"
           "library=PATH  libLiteRt.so, version 2 (default: $TOUCHSTONE_LITERT, else the library that\n"
           "              scripts/setup-vendors.sh installs)\n";
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
    .summary = "LiteRT's STRIDED_SLICE, GATHER, GATHER_ND, CONCATENATION and RESHAPE (TensorFlow Lite)",
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
