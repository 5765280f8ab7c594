/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the backend share: the instance, and a call that is on its way into a model. */
#ifndef TOUCHSTONE_OPENVINO_H
#define TOUCHSTONE_OPENVINO_H

#include "backends/backend.h"
#include "harness/formats/openvino/layer.h"
#include "backends/openvino/openvino_c.h"
#include "backends/openvino/scratch.h"

/* How a layer gets its inputs: OpenVINO computes it in three ways, which differ. */
typedef enum openvino_mode {
    MODE_RUN,   /* all at run time: the CPU plugin's node, which works its plan out for each inference */
    MODE_CONST, /* begin, end and stride are constants: the CPU plugin's node, whose plan was made before */
    MODE_CORE,  /* data as well: constant folding, which computes what the page describes */
    MODE_COUNT
} openvino_mode;

struct run_cache;

typedef struct openvino {
    const ts_host *host;
    openvino_mode mode;
    bool pad_masks; /* of StridedSlice, to the length of begin */
    ov_api api;
    ov_core *core;
    char version[64], device[128];
    ir_model ir;
    scratch memory;
    struct run_cache *cache; /* of MODE_RUN */
    struct flight *flights;  /* of the other modes: room for flight_room */
    size_t flight_room;
} openvino;

/* A call on its way. */
typedef struct flight {
    const ts_call *call;
    ts_status *status;
    layer layer;
    void *in[LAYER_TENSORS]; /* packed elements of its tensors */
    uint64_t in_bytes[LAYER_TENSORS];
    size_t out_bytes;
    void *out;     /* where the output is wanted, packed; NULL: nowhere, because the call has no sound place for it */
    bool out_copy; /* it is not where the call wants it in the end */
} flight;

/* Make the layer and pack its inputs. False where it is already decided: *status is set. */
bool flight_begin(openvino *self, const ts_call *call, ts_status *status, flight *f);

/* Report the shape that OpenVINO found. *same: is it the one that is expected? False where there is none. */
bool flight_fits(openvino *self, const flight *f, const ov_tensor *output, bool *same);

/* Judge what OpenVINO made of it: report the shape, and bring the output where it is wanted. */
void flight_end(openvino *self, flight *f, const ov_tensor *output);

/* The library refused the call: why, in one line. */
void flight_refuse(openvino *self, flight *f);

/* A tensor of OpenVINO's over the packed memory of a flight: input k, or its output. NULL where there is none. */
ov_tensor *flight_input(openvino *self, const flight *f, unsigned k);
ov_tensor *flight_output(openvino *self, const flight *f);

/* An input of the layer as a node without a place. */
void flight_input_node(const flight *f, unsigned k, ir_node *n);

/* The output as a node that states a type and no shape. */
void flight_output_node(const flight *f, ir_node *n);

/* Read what is in self->ir and compile it for the CPU. False where it is refused. The request is NULL then. */
bool openvino_compile(openvino *self, ov_compiled **compiled, ov_request **request);

/* A number of OpenVINO's for a type; 0: none. */
int openvino_element(uint32_t dtype);

void openvino_note(const openvino *self, const char *text);

/* Why the library said no last: one line. */
void openvino_words(const openvino *self, char *text, size_t size);

/* ---- the modes ---- */

struct run_cache *run_open(void);
void run_close(openvino *self);
void run_submit(openvino *self, const ts_call *call, ts_status *status);

/* Of MODE_CONST and MODE_CORE. */
bool fold_submit(openvino *self, const ts_call *calls, size_t n, ts_status *status);

#endif
