/* SPDX-License-Identifier: Apache-2.0 */
/* A case as OpenVINO's IR: a folder that OpenVINO's own tools can be tried with, without Touchstone. */
#ifndef TOUCHSTONE_EXPORT_OPENVINO_H
#define TOUCHSTONE_EXPORT_OPENVINO_H

#include "harness/casefile/case_view.h"

/* Write a case of an operator that declares an IR layer to a folder: model.xml and model.bin, with the layer's lists as
   constants and tensor 0 as the input; data.bin and expected.bin, packed elements, where the case is executed; and
   README.txt, which describes the files and how to run them. `touchstone check` judges model.xml as the suite judges
   the case. Missing folders are made, files are replaced. Errors: an operator without an IR layer, a list or tensor
   that is absent or too long for IR, and files that cannot be written. */
bool export_openvino(case_view *c, const char *folder, error *e);

#endif
