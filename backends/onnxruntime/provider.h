/* SPDX-License-Identifier: Apache-2.0 */
/* An execution provider other than the CPU's: its options, how sessions are given to it alone, and the proof that a
   node ran on it. */
#ifndef TOUCHSTONE_ONNX_PROVIDER_H
#define TOUCHSTONE_ONNX_PROVIDER_H

#include "backends/onnxruntime/runtime.h"

#define PROVIDER_OPTIONS 32

typedef struct provider {
    const char *name;    /* as ONNX Runtime names it, such as "WebGpuExecutionProvider"; NULL: none */
    const char *library; /* the file that has it; NULL: it is part of ONNX Runtime's library */
    const char *keys[PROVIDER_OPTIONS];
    const char *values[PROVIDER_OPTIONS];
    size_t count;
    bool states_shapes; /* ep-shapes is given */
    bool fixed_shapes;  /* each call has a model of its own, which states its shapes and has the lists of Slice in it */
    const OrtEpDevice *chosen; /* of the library; NULL: the provider is part of ONNX Runtime's library */
    char version[64];          /* of the library; "" if it does not say */
    char device[128];          /* what it runs on; "" if ONNX Runtime does not say */
    ort_provider_api api;
} provider;

typedef enum provider_taken {
    PROVIDER_NOT_MINE, /* an option of another part */
    PROVIDER_TAKEN,
    PROVIDER_WRONG /* with a message */
} provider_taken;

/* Take one of the options ep=NAME, ep-lib=FILE, ep-shapes=any|fixed and ep-opt.KEY=VALUE; the strings have to stay. */
provider_taken provider_take(provider *p, const ts_option *option, char *message, size_t size);

/* Have the options a meaning together? False with a message. */
bool provider_complete(const provider *p, char *message, size_t size);

/* Give all sessions of an open runtime to the provider, without fallback to the CPU's. TS_OK; TS_REJECTED if there is
   no such provider, TS_ERROR if it cannot be used here: runtime.message is the reason. */
ts_status provider_open(runtime *r, provider *p);

/* Create a session for a model on the provider alone; `profiled`: which writes a profile. False with
   runtime.message. */
bool provider_session(runtime *r, const onnx_bytes *model, bool profiled, OrtSession **session);

/* A call of one element of the same operator and axis: all sizes are 1, all indices 0. Of ONNX_SPACE_TO_DEPTH
   and ONNX_DEPTH_TO_SPACE, one block. */
void provider_smallest(const onnx_call *call, onnx_call *one);

/* Run `one`, a smallest call, in a session for the model with a profile, and read from the profile on which provider
   its nodes ran. False with runtime.message unless it was this one alone. */
bool provider_proves(runtime *r, const onnx_call *one, uint32_t dtype, uint32_t index_dtype, const onnx_bytes *model);

/* A profile of a session is JSON, in which each event of a node names its provider. Are there some, all with this name?
   Else false, and `message` is the reason. */
bool provider_profile_proves(const char *profile, const char *name, char *message, size_t size);

#endif
