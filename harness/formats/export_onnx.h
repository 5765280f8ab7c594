/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case in the layout of ONNX's own tests (onnx/backend/test/data/node/...): a folder that any runtime of ONNX can be
 * tried with, without Touchstone.
 */
#ifndef TOUCHSTONE_EXPORT_ONNX_H
#define TOUCHSTONE_EXPORT_ONNX_H

#include "harness/formats/export.h"

#define EXPORT_ONNX_FACTS "\"opset\": 13, \"ir_version\": 7" /* ONNX_OPSET, ONNX_IR_VERSION */

/* model.onnx, a model of one node with the shapes of the case, and test_data_set_0/input_N.pb and output_0.pb: tensors
   with the bits that a run fills the inputs with, and with the expected bits. Tensors are packed; axes that
   StridedSlice's masks add or drop have one element in the output's shape, or are not in it, as in the output of Slice.
   A case that has to be refused has no output, and zeros as data. ONNX cannot express other operators, data types and
   index types, elements that the specification leaves undefined, and illegal cases of clauses that no model can break:
   buffers, strides, windows, masks, null pointers, and shapes of outputs. */
export_writer export_onnx;

#endif
