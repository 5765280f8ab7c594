/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case in the layout of ONNX's own tests (onnx/backend/test/data/node/...): a folder that any runtime of ONNX can be
 * tried with, without Touchstone.
 */
#ifndef TOUCHSTONE_EXPORT_ONNX_H
#define TOUCHSTONE_EXPORT_ONNX_H

#include "harness/casefile/case_view.h"

/* Write folder/model.onnx, a model of one node with the shapes of the case, and folder/test_data_set_0/input_N.pb and
   output_0.pb, tensors with the bits that a run would fill the inputs with and those that have to come. Tensors are
   packed; axes that StridedSlice's masks add or drop have one element in the output's shape, or are not in it, as Slice
   leaves them. Folders are made where they are missing, files are replaced. Errors: an operator or a data type that
   ONNX does not have, a case that is to be refused or whose elements the text leaves open, and what cannot be written.
 */
bool export_onnx(case_view *c, const char *folder, error *e);

#endif
