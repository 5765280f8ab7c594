/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case as a model of DxDispatch, Microsoft's tool that runs a DirectML operator described in JSON
 * (github.com/microsoft/DirectML, DxDispatch/doc/Guide.md): so that a finding can be seen without Touchstone.
 */
#ifndef TOUCHSTONE_EXPORT_DXDISPATCH_H
#define TOUCHSTONE_EXPORT_DXDISPATCH_H

#include "harness/formats/export.h"

/* The model: buffers with the bits that a run would fill them with, the operator, one dispatch, and a print of each
   output. Floating-point buffers are lists of unsigned integers of the same width, because JSON has no NaN and
   printed decimals lose bits; buffers whose size is no multiple of the element are lists of bytes. Beside what
   DxDispatch reads, the model has a member "touchstone": the case, the expectation ("accepted", or the clause that the
   case breaks), and each output buffer as DxDispatch must print it, with null where the text defines no value.
   A model cannot express operators that are not DirectML's, null pointers, and counts that differ from the lengths of
   their lists. */
export_writer export_dxdispatch;

#endif
