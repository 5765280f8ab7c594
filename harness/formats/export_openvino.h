/* SPDX-License-Identifier: Apache-2.0 */
/* A case as OpenVINO's IR: a folder that OpenVINO's own tools can be tried with, without Touchstone. */
#ifndef TOUCHSTONE_EXPORT_OPENVINO_H
#define TOUCHSTONE_EXPORT_OPENVINO_H

#include "harness/formats/export.h"

/* For operators that declare an IR layer: model.xml and model.bin, with the layer's lists as constants and the tensors as
   inputs; a file for each of these, such as data.bin, and expected.bin, packed elements, where the case is executed; and README.txt, which describes
   the files and how to run them. `touchstone check` judges model.xml as the suite judges the case. IR cannot express a
   list or a tensor that is absent or too long. */
export_writer export_openvino;

#endif
