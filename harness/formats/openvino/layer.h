/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call as one layer of OpenVINO: its type, inputs and attributes. The backend's run.c and fold.c make a model of the
 * layer, with inputs that are parameters or constants.
 */
#ifndef TOUCHSTONE_OPENVINO_LAYER_H
#define TOUCHSTONE_OPENVINO_LAYER_H

#include "backends/backend.h"
#include "harness/formats/openvino/ir.h"

#include <stdbool.h>

#define LAYER_TENSORS    4 /* inputs that the call has data of */
#define LAYER_LISTS      4 /* small lists of integers that are inputs of the layer */
#define LAYER_STEPS      16
#define LAYER_ATTRIBUTES 64 /* characters */
#define LAYER_MASKS      5

typedef struct layer_list {
    bool absent; /* the layer has the port, and nothing is connected to it */
    bool scalar; /* of rank 0, and constant in every configuration */
    uint32_t count;
    int64_t values[LAYER_STEPS];
} layer_list;

typedef struct layer {
    const char *type, *opset;
    const ts_tensor *out;
    uint32_t tensor_count, list_count;
    const ts_tensor *in[LAYER_TENSORS]; /* NULL: absent, as an absent list */
    layer_list lists[LAYER_LISTS];
    uint32_t drop[LAYER_TENSORS];      /* leading dimensions of an input, all 1, that the layer does not have */
    uint64_t index_range;              /* elements that the indices, input 1, may select; 0: any index does no harm to
                                          other layers of the model */
    bool parents;                      /* input 1 has the parents of GatherTree, which are not negative, of any type */
    uint64_t tuple;                    /* the last size of input 1, where a model has to know it; else 0 */
    char attributes[LAYER_ATTRIBUTES]; /* of <data>, as text, besides those below: " block_size=\"2\"" */
    bool has_axis;                     /* the attribute axis */
    int64_t axis;
    bool has_batch_dims; /* the attribute batch_dims of Gather */
    int64_t batch_dims;
    bool reshaped; /* the expected shape is not that of out, but: */
    uint32_t out_rank;
    uint64_t out_sizes[2 * TS_MAX_DIMS];
    uint8_t mask_counts[LAYER_MASKS]; /* StridedSlice's masks, and whether they are given */
    bool mask_given[LAYER_MASKS];
    uint8_t masks[LAYER_MASKS][LAYER_STEPS];
} layer;

/* An operator of the suite that OpenVINO can express. */
typedef struct layer_operator {
    const char *name;
    uint32_t tensor_count, attrs_size;
    /* Can calls of these types and ranks be expressed? */
    bool (*query)(const ts_call *shape);
    /* TS_OK with *l; or the status of a call that has no layer, with *reason as a message. */
    ts_status (*make)(const ts_call *call, layer *l, const char **reason);
} layer_operator;

extern const layer_operator layer_strided_slice;
extern const layer_operator layer_slice1;
extern const layer_operator layer_gather;
extern const layer_operator layer_gather_elements;
extern const layer_operator layer_gather_1;
extern const layer_operator layer_gather_7;
extern const layer_operator layer_gather_8;
extern const layer_operator layer_gather_elements_6;
extern const layer_operator layer_gather_nd_5;
extern const layer_operator layer_gather_nd_8;
extern const layer_operator layer_gather_tree;
extern const layer_operator layer_non_zero_3;
extern const layer_operator layer_scatter_elements;
extern const layer_operator layer_scatter_nd;
extern const layer_operator layer_scatter_nd_update_3;
extern const layer_operator layer_scatter_elements_update_3;
extern const layer_operator layer_scatter_update;
extern const layer_operator layer_gather_nd;
extern const layer_operator layer_gather_nd1;
extern const layer_operator layer_cumulative_summation;
extern const layer_operator layer_depth_to_space, layer_depth_to_space1, layer_space_to_depth, layer_space_to_depth1;

/* Make a tensor an input, without its dimensions before the last `count`. False if one of these is not 1. */
bool layer_keep_last(layer *l, unsigned input, const ts_tensor *t, uint64_t count);

/* The order of mask_counts, mask_given and masks. */
extern const char *const layer_mask_names[LAYER_MASKS];

/* Pad all masks of a StridedSlice with zeros to the length of begin. */
void layer_pad_masks(layer *l);

/* Write the layer with these inputs: its tensors, then its lists. The caller sets type and shape of *out. */
void layer_write(const layer *l, ir_model *m, const char *name, const ir_node *inputs, ir_node *out);

/* Set *n to the type and shape of a list: i64, of one dimension or of rank 0. */
void layer_list_node(const layer_list *list, ir_node *n);

#endif
