/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/onnxruntime/provider.h"

#include "backends/fetched/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_PROVIDER "CPUExecutionProvider"
#define REGISTRATION "touchstone" /* the name that the provider's library gets */

/* ---- options ----------------------------------------------------------------------------------------------------- */

static provider_taken wrong(char *message, size_t size, const char *text)
{
    snprintf(message, size, "%s", text);
    return PROVIDER_WRONG;
}

provider_taken provider_take(provider *p, const ts_option *option, char *message, size_t size)
{
    static const char prefix[] = "ep-opt.";
    if (strcmp(option->key, "ep") == 0) {
        if (!*option->value)
            return wrong(message, size,
                         "'ep=' has no name; expected an execution provider, such as "
                         "ep=WebGpuExecutionProvider");
        if (strcmp(option->value, CPU_PROVIDER) == 0)
            return wrong(message, size, "leave out 'ep' for " CPU_PROVIDER ": it is what runs without the option");
        p->name = option->value;
        return PROVIDER_TAKEN;
    }
    if (strcmp(option->key, "ep-lib") == 0) {
        if (!*option->value)
            return wrong(message, size, "'ep-lib=' has no file; expected the library of an execution provider");
        p->library = option->value;
        return PROVIDER_TAKEN;
    }
    if (strcmp(option->key, "ep-shapes") == 0) {
        p->fixed_shapes = strcmp(option->value, "fixed") == 0;
        p->states_shapes = true;
        if (!p->fixed_shapes && strcmp(option->value, "any") != 0)
            return wrong(message, size,
                         "'ep-shapes' is any (one model serves all shapes) or fixed (a model for each call)");
        return PROVIDER_TAKEN;
    }
    if (strcmp(option->key, "ep-opt") == 0)
        return wrong(message, size, "an option of the provider is written 'ep-opt.KEY=VALUE', one for each key");
    if (strncmp(option->key, prefix, sizeof prefix - 1) != 0)
        return PROVIDER_NOT_MINE;
    if (!option->key[sizeof prefix - 1])
        return wrong(message, size, "'ep-opt.' has no key; expected ep-opt.KEY=VALUE");
    if (p->count == PROVIDER_OPTIONS)
        return wrong(message, size, "there are more than 32 options 'ep-opt.KEY=VALUE'");
    p->keys[p->count] = option->key + sizeof prefix - 1;
    p->values[p->count++] = option->value;
    return PROVIDER_TAKEN;
}

bool provider_complete(const provider *p, char *message, size_t size)
{
    if (p->name || (!p->library && p->count == 0 && !p->states_shapes))
        return true;
    snprintf(message, size, "'%s' needs ep=NAME, the name of the execution provider",
             p->library     ? "ep-lib"
             : p->count > 0 ? "ep-opt.KEY"
                            : "ep-shapes");
    return false;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static bool bind(runtime *r, provider *p)
{
    const ort_function *table = r->api_version < ORT_VERSION_PROVIDERS ? NULL : runtime_table(r, ORT_VERSION_PROVIDERS);
    if (!table) {
        snprintf(r->message, sizeof r->message, "ONNX Runtime %.20s is too old for ep=NAME; expected 1.%d or later",
                 r->api.version(), ORT_VERSION_PROVIDERS);
        return false;
    }
    ort_provider_api *a = &p->api;
#define TAKE(name, place) memcpy(&a->name, &table[place], sizeof a->name)
    TAKE(enable_profiling, ORT_ENABLE_PROFILING);
    TAKE(end_profiling, ORT_END_PROFILING);
    TAKE(default_allocator, ORT_DEFAULT_ALLOCATOR);
    TAKE(allocator_free, ORT_ALLOCATOR_FREE);
    TAKE(set_optimization_level, ORT_SET_OPTIMIZATION_LEVEL);
    TAKE(add_config_entry, ORT_ADD_CONFIG_ENTRY);
    TAKE(available_providers, ORT_AVAILABLE_PROVIDERS);
    TAKE(release_available_providers, ORT_RELEASE_AVAILABLE_PROVIDERS);
    TAKE(append_provider, ORT_APPEND_PROVIDER);
    table = r->api_version < ORT_VERSION_LIBRARIES ? NULL : runtime_table(r, ORT_VERSION_LIBRARIES);
    if (!table)
        return true;
    TAKE(register_library, ORT_REGISTER_LIBRARY);
    TAKE(ep_devices, ORT_EP_DEVICES);
    TAKE(append_devices, ORT_APPEND_DEVICES);
    TAKE(ep_name, ORT_EP_NAME);
    TAKE(ep_metadata, ORT_EP_METADATA);
    TAKE(ep_device, ORT_EP_DEVICE);
    TAKE(hardware_type, ORT_HARDWARE_TYPE);
    TAKE(hardware_vendor, ORT_HARDWARE_VENDOR);
    TAKE(key_value, ORT_KEY_VALUE);
#undef TAKE
    return true;
}

/* Add a name to a list with commas, once. */
static void add_name(char *list, size_t size, const char *name)
{
    const size_t length = strlen(list);
    if (!strstr(list, name) && length < size)
        snprintf(list + length, size - length, "%s%s", length > 0 ? ", " : "", name);
}

/* A provider that is part of ONNX Runtime's own library: is it there, and which are? */
static ts_status find_own(runtime *r, provider *p)
{
    char **names = NULL, list[256] = "";
    int count = 0;
    bool found = false;
    if (!runtime_fine(r, p->api.available_providers(&names, &count)))
        return TS_ERROR;
    for (int i = 0; i < count; ++i) {
        found |= strcmp(names[i], p->name) == 0;
        if (strcmp(names[i], CPU_PROVIDER) != 0)
            add_name(list, sizeof list, names[i]);
    }
    OrtStatus *ignored = p->api.release_available_providers(names, count);
    if (ignored)
        r->api.release_status(ignored);
    if (found)
        return TS_OK;
    snprintf(r->message, sizeof r->message,
             "ONNX Runtime %.20s has no execution provider '%.60s' beside the CPU's; it has %s. "
             "One that is a library of its own needs ep-lib=FILE",
             r->api.version(), p->name, *list ? list : "none");
    return TS_REJECTED;
}

static void describe_device(provider *p, const OrtEpDevice *device)
{
    static const char *const kinds[] = { "processor", "GPU", "NPU" };
    const OrtHardwareDevice *hardware = p->api.ep_device(device);
    const char *version = p->api.key_value(p->api.ep_metadata(device), "version");
    const int kind = p->api.hardware_type(hardware);
    const char *vendor = p->api.hardware_vendor(hardware);
    snprintf(p->device, sizeof p->device, "%.60s%s%s", vendor, *vendor ? " " : "",
             kind >= 0 && kind < 3 ? kinds[kind] : "device");
    if (version)
        snprintf(p->version, sizeof p->version, "%s", version);
}

/* Register the provider's library, and choose its first device with the provider's name. */
static ts_status find_device(runtime *r, provider *p)
{
    library_char path[1024];
    const OrtEpDevice *const *devices = NULL;
    char list[256] = "";
    size_t count = 0;
    if (!p->api.register_library) {
        snprintf(r->message, sizeof r->message, "ONNX Runtime %.20s is too old for ep-lib=FILE; expected 1.%d or later",
                 r->api.version(), ORT_VERSION_LIBRARIES);
        return TS_ERROR;
    }
    if (!library_path(p->library, path, sizeof path / sizeof *path)) {
        snprintf(r->message, sizeof r->message, "the path of 'ep-lib' is too long");
        return TS_REJECTED;
    }
    if (!runtime_fine(r, p->api.register_library(r->env, REGISTRATION, path)) ||
        !runtime_fine(r, p->api.ep_devices(r->env, &devices, &count)))
        return TS_ERROR;
    for (size_t i = 0; i < count && !p->chosen; ++i) {
        const char *name = p->api.ep_name(devices[i]);
        if (strcmp(name, p->name) == 0)
            p->chosen = devices[i];
        else if (strcmp(name, CPU_PROVIDER) != 0)
            add_name(list, sizeof list, name);
    }
    if (p->chosen) {
        describe_device(p, p->chosen);
        return TS_OK;
    }
    if (*list)
        snprintf(r->message, sizeof r->message, "the library has no execution provider '%.60s'; it has %s", p->name,
                 list);
    else
        snprintf(r->message, sizeof r->message,
                 "ONNX Runtime has registered %.200s, which finds no device of this machine that it can use",
                 p->library);
    return *list ? TS_REJECTED : TS_ERROR;
}

ts_status provider_open(runtime *r, provider *p)
{
    if (!bind(r, p))
        return TS_ERROR;
    const ts_status status = p->library ? find_device(r, p) : find_own(r, p);
    if (status != TS_OK)
        return status;
    r->provider = p;
    return runtime_tries(r) ? TS_OK : TS_ERROR;
}

/* ---- sessions ---------------------------------------------------------------------------------------------------- */

/* Let the session write a profile. ONNX Runtime appends the time to the name of the file. */
static bool add_profile(runtime *r, const provider *p, OrtSessionOptions *options)
{
    library_char path[1024];
    char prefix[1024];
    library_scratch("touchstone-onnxruntime", prefix, sizeof prefix);
    if (library_path(prefix, path, sizeof path / sizeof *path))
        return runtime_fine(r, p->api.enable_profiling(options, path));
    snprintf(r->message, sizeof r->message, "the path of the folder for temporary files is too long");
    return false;
}

/* Each session has options of its own: a provider of ONNX Runtime 1.27 counts its users by options, and ends the
   process when the second session of the same options is released. */
bool provider_session(runtime *r, const onnx_bytes *model, bool profiled, OrtSession **session)
{
    const provider *p = r->provider;
    OrtSessionOptions *options = NULL;
    /* The node that runs has to be the one that was written, so nothing is optimized. */
    bool made =
        runtime_new_options(r, &options) &&
        runtime_fine(r, p->api.set_optimization_level(options, ORT_NO_OPTIMIZATION)) &&
        runtime_fine(r, p->api.add_config_entry(options, "session.disable_cpu_ep_fallback", "1")) &&
        (!profiled || add_profile(r, p, options)) &&
        runtime_fine(r, p->chosen ? p->api.append_devices(options, r->env, &p->chosen, 1, p->keys, p->values, p->count)
                                  : p->api.append_provider(options, p->name, p->keys, p->values, p->count)) &&
        runtime_fine(r, r->api.create_session(r->env, model->data, model->size, options, session));
    if (options)
        r->api.release_session_options(options);
    return made;
}

/* ---- the proof --------------------------------------------------------------------------------------------------- */

static void ones(onnx_shape *shape, int64_t rank)
{
    shape->rank = rank < TS_MAX_DIMS ? (uint32_t)rank : TS_MAX_DIMS;
    for (uint32_t i = 0; i < shape->rank; ++i)
        shape->sizes[i] = 1;
}

void provider_smallest(const onnx_call *call, onnx_call *out)
{
    const bool tuples = call->op == ONNX_GATHER_ND || call->op == ONNX_SCATTER_ND;
    memset(out, 0, sizeof *out);
    out->op = call->op;
    out->axis = call->axis;
    out->exclusive = call->exclusive;
    out->reverse = call->reverse;
    out->columns_first = call->columns_first;
    ones(&out->data, call->axis + 1);
    ones(&out->indices, call->axis + (tuples ? 2 : 1));
    ones(&out->updates, call->axis + 1);
    if (call->op == ONNX_SPACE_TO_DEPTH) {
        ones(&out->data, 4);
        out->data.sizes[2] = out->data.sizes[3] = call->axis;
    }
    if (call->op == ONNX_DEPTH_TO_SPACE) {
        ones(&out->data, 4);
        out->data.sizes[1] = (int64_t)((uint64_t)call->axis * (uint64_t)call->axis);
    }
    if (call->op == ONNX_SLICE) {
        out->starts = out->ends = out->steps = 1;
        out->end[0] = out->step[0] = 1;
    }
}

/* The text of a file, which is removed; NULL if there is none. The caller frees it. */
static char *take_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *bytes = NULL;
    long size = -1;
    if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0)
        bytes = malloc((size_t)size + 1);
    if (bytes)
        bytes[fread(bytes, 1, (size_t)size, f)] = '\0';
    if (f)
        fclose(f);
    remove(path);
    return bytes;
}

bool provider_profile_proves(const char *profile, const char *name, char *message, size_t size)
{
    static const char member[] = "\"provider\"";
    size_t events = 0;
    for (const char *at = profile; (at = strstr(at, member)) != NULL; ++events) {
        const char *from = strchr(at + sizeof member - 1, '"');
        const char *behind = from ? strchr(from + 1, '"') : NULL;
        if (!behind)
            break;
        const size_t length = (size_t)(behind - from - 1);
        if (length != strlen(name) || memcmp(from + 1, name, length) != 0) {
            snprintf(message, size, "the node ran on %.*s, not on %.60s", (int)(length < 60 ? length : 60), from + 1,
                     name);
            return false;
        }
        at = behind;
    }
    if (events == 0)
        snprintf(message, size, "ONNX Runtime's profile does not say where the node ran");
    return events > 0;
}

/* End the profile of a session; true if the run was on the provider. */
static bool judge_profile(runtime *r, const provider *p, OrtSession *session)
{
    OrtAllocator *allocator = NULL;
    char *path = NULL;
    if (!runtime_fine(r, p->api.default_allocator(&allocator)) ||
        !runtime_fine(r, p->api.end_profiling(session, allocator, &path)))
        return false;
    char *profile = take_file(path);
    OrtStatus *ignored = p->api.allocator_free(allocator, path);
    if (ignored)
        r->api.release_status(ignored);
    if (!profile)
        snprintf(r->message, sizeof r->message, "ONNX Runtime has written no profile");
    const bool proved = profile && provider_profile_proves(profile, p->name, r->message, sizeof r->message);
    free(profile);
    return proved;
}

bool provider_proves(runtime *r, const onnx_call *one, uint32_t dtype, uint32_t index_dtype, const onnx_bytes *model)
{
    static const unsigned char zeros[8 * RUNTIME_AXES * RUNTIME_AXES]; /* the elements of each tensor */
    const provider *p = r->provider;
    const uint32_t types[ONNX_MOST_TENSORS] = { dtype, index_dtype, dtype };
    OrtValue *tensors[ONNX_MOST_TENSORS] = { NULL }, *output = NULL;
    OrtSession *session = NULL;
    if (!provider_session(r, model, true, &session))
        return false;
    bool ran = true;
    for (uint32_t i = 0; i < onnx_form_of(one->op)->tensors && ran; ++i)
        ran = runtime_tensor(r, types[i], onnx_input_shape(one, i), zeros, sizeof zeros, &tensors[i]) == RUNTIME_OK;
    ran = ran && runtime_run(r, session, one, (const OrtValue *const *)tensors, &output) == RUNTIME_OK;
    char why[sizeof r->message];
    memcpy(why, r->message, sizeof why);
    const bool proved = judge_profile(r, p, session) && ran; /* ended in any case, which removes its file */
    if (!ran)
        memcpy(r->message, why, sizeof why);
    for (uint32_t i = 0; i < ONNX_MOST_TENSORS; ++i)
        if (tensors[i])
            r->api.release_value(tensors[i]);
    if (output)
        r->api.release_value(output);
    r->api.release_session(session);
    return proved;
}
