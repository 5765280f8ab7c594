/* SPDX-License-Identifier: Apache-2.0 */
/* A case as OpenVINO's IR: a folder that OpenVINO's own tools can be tried with, without Touchstone. */
#ifndef TOUCHSTONE_EXPORT_OPENVINO_H
#define TOUCHSTONE_EXPORT_OPENVINO_H

#include "harness/casefile/case_view.h"

/* Write a case of StridedSlice to a folder: model.xml and model.bin, with begin, end and stride as constants and data
   as the input; of a case that is executed data.bin and expected.bin, packed elements; and README.txt, which says what
   has to come and how to run it. `touchstone check` judges model.xml as the suite judges the case. Folders are made
   where they are missing, files are replaced. Errors: another operator, a list or tensor that is absent or too long for
   IR to state, and what cannot be written. */
bool export_openvino(case_view *c, const char *folder, error *e);

#endif
