/* SPDX-License-Identifier: Apache-2.0 */
/* The instance, and a call on its way into a model (a flight). */
#ifndef TOUCHSTONE_OPENVINO_H
#define TOUCHSTONE_OPENVINO_H

#include "backends/backend.h"
#include "harness/formats/openvino/layer.h"
#include "backends/openvino/openvino_c.h"
#include "backends/openvino/scratch.h"

/* How a layer gets its inputs. OpenVINO executes it in three different ways. */
typedef enum openvino_mode {
    MODE_RUN,   /* all at run time: the CPU plugin's node, which makes its plan in each inference */
    MODE_CONST, /* begin, end and stride are constants: the CPU plugin's node, with a plan made at compile time */
    MODE_CORE,  /* the data is constant, too: constant folding, the reference behind the page */
    MODE_COUNT
} openvino_mode;

struct run_cache;

typedef struct openvino {
    const ts_host *host;
    openvino_mode mode;
    bool pad_masks; /* pad the masks of StridedSlice to the length of begin */
    ov_api api;
    ov_core *core;
    char version[64], device[128];
    ir_model ir;
    scratch memory;
    struct run_cache *cache; /* state of MODE_RUN */
    struct flight *flights;  /* of the other modes: capacity flight_room */
    size_t flight_room;
} openvino;

/* A call on its way into a model. */
typedef struct flight {
    const ts_call *call;
    ts_status *status;
    layer layer;
    void *in[LAYER_TENSORS]; /* sizes in bytes of its tensors, packed */
    uint64_t in_bytes[LAYER_TENSORS];
    size_t out_bytes;
    void *out;     /* where to write the packed output; NULL: the call has no valid memory for it */
    bool out_copy; /* it must be unpacked to the memory of the call */
} flight;

/* Make the layer and pack its inputs. False if the result is known already: *status is set. */
bool flight_begin(openvino *self, const ts_call *call, ts_status *status, flight *f);

/* Has the layer an index beyond the range that its operator states? OpenVINO then ends the inference without an error:
   neither it nor later inferences of the model write the outputs of its layers. */
bool flight_strays(const flight *f);

/* Report the shape that OpenVINO inferred. *same: is it the expected one? False if there is none. */
bool flight_fits(openvino *self, const flight *f, const ov_tensor *output, bool *same);

/* Evaluate the result of OpenVINO: report the shape, and unpack the output. */
void flight_end(openvino *self, flight *f, const ov_tensor *output);

/* The library refused the call: note the reason in one line. */
void flight_refuse(openvino *self, flight *f);

/* Create an OpenVINO tensor over the packed memory of a flight: input k, or its output. NULL if there is none. */
ov_tensor *flight_input(openvino *self, const flight *f, unsigned k);
ov_tensor *flight_output(openvino *self, const flight *f);

/* An input of the layer as a node without a place. */
void flight_input_node(const flight *f, unsigned k, ir_node *n);

/* Add the output as a node with a type and without a shape. */
void flight_output_node(const flight *f, ir_node *n);

/* Read the model in self->ir and compile it for the CPU. False if OpenVINO refuses it; the request is NULL then. */
bool openvino_compile(openvino *self, ov_compiled **compiled, ov_request **request);

/* OpenVINO's number of a type; 0: none. */
int openvino_element(uint32_t dtype);

void openvino_note(const openvino *self, const char *text);

/* The last error of the library, in one line. */
void openvino_words(const openvino *self, char *text, size_t size);

/* ---- the modes ---- */

struct run_cache *run_open(void);
void run_close(openvino *self);
void run_submit(openvino *self, const ts_call *call, ts_status *status);

/* Batches of MODE_CONST and MODE_CORE. */
bool fold_submit(openvino *self, const ts_call *calls, size_t n, ts_status *status);

#endif
