/* SPDX-License-Identifier: Apache-2.0 */
/* A case as a call of an operator on graphs, for the formats of graphs that have operators like ONNX's. */
#ifndef TOUCHSTONE_EXPORT_CALL_H
#define TOUCHSTONE_EXPORT_CALL_H

#include "harness/formats/export.h"
#include "harness/formats/onnx/translate.h"

/* Translate a case. False where there is no such operator, or no such shape (f->why). */
bool export_call(const case_view *c, onnx_call *call, export_files *f);

#endif
