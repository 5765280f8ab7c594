/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models in OpenVINO's IR, version 11, written in memory: the XML, and the weights that its Const layers point into.
 * The OpenVINO backend and `touchstone export --openvino-ir` use it; it needs neither OpenVINO's library nor the suite.
 */
#ifndef TOUCHSTONE_OPENVINO_IR_H
#define TOUCHSTONE_OPENVINO_IR_H

#include "backends/backend.h"

#include <stdbool.h>

/* A growing buffer. */
typedef struct ir_bytes {
    char *at;
    size_t length, room;
} ir_bytes;

/* A model being written. Zero it before its first use; ir_begin empties it and keeps its memory. */
typedef struct ir_model {
    ir_bytes xml; /* complete after ir_end */
    ir_bytes edges;
    ir_bytes weights; /* never empty after ir_end */
    unsigned layers;
    bool failed; /* out of memory: do not use the model */
} ir_model;

/* An output of a layer, which later layers read. */
typedef struct ir_node {
    bool absent; /* nothing is connected here, though the port is stated */
    unsigned layer, port;
    uint32_t dtype; /* ts_dtype */
    uint32_t rank;
    int64_t dims[TS_MAX_DIMS]; /* -1: dynamic */
} ir_node;

/* The name of a data type in attributes ("f32"); NULL for types that are not written here. */
const char *ir_type(uint32_t dtype);

void ir_begin(ir_model *m);
void ir_end(ir_model *m);
void ir_free(ir_model *m);

/* Add an input of the model, of n->dtype, n->rank and n->dims. Sets the layer and port of *n. */
void ir_parameter(ir_model *m, ir_node *n, const char *name);

/* Add a constant of these bytes. All dimensions of *n are known. Sets the layer and port of *n. */
void ir_const(ir_model *m, ir_node *n, const char *name, const void *bytes, size_t size);

/* Add an operator: `inputs` in the order of its ports, `attributes` as XML (" begin_mask=\"0\"" and so on, or "").
 *out has the type and shape of the output. Sets the layer and port of *out. */
void ir_layer(ir_model *m, ir_node *out, const char *type, const char *opset, const char *name, const char *attributes,
              const ir_node *inputs, unsigned count);

/* Add an output of the model. */
void ir_result(ir_model *m, const ir_node *from, const char *name);

#endif
