/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case in the layout of ONNX's own tests (onnx/backend/test/data/node/...): a folder that any runtime of ONNX can be
 * tried with, without Touchstone.
 */
#ifndef TOUCHSTONE_EXPORT_ONNX_H
#define TOUCHSTONE_EXPORT_ONNX_H

#include "harness/casefile/case_view.h"

/* Write folder/model.onnx, a model of one node with the shapes of the case, and folder/test_data_set_0/input_N.pb and
   output_0.pb: tensors with the bits that a run fills the inputs with, and with the expected bits. Tensors are packed;
   axes that StridedSlice's masks add or drop have one element in the output's shape, or are not in it, as in the output
   of Slice. Missing folders are made, files are replaced. Errors: an operator or a data type that ONNX does not have,
   an illegal case, elements that the text leaves unspecified, and files that cannot be written. */
bool export_onnx(case_view *c, const char *folder, error *e);

#endif
