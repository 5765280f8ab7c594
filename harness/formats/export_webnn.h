/* SPDX-License-Identifier: Apache-2.0 */
/* A case as a test of WebNN in JSON, in the shape of the conformance tests of web-platform-tests: a graph,
   the values of its inputs and the expected output. */
#ifndef TOUCHSTONE_EXPORT_WEBNN_H
#define TOUCHSTONE_EXPORT_WEBNN_H

#include "harness/formats/export.h"

/* One file: { "operation": "slice", "tests": [ { "name": ID, "graph": ... } ] }. SLICE1 and StridedSlice are slice,
   the gathers and scatters, JOIN (concat) and CUMULATIVE_SUMMATION are the operators of their names, and IDENTITY is
   identity; SPACE_TO_DEPTH1 is a graph of three. WebNN has no negative steps, no types of 16 bits but float16, no
   float64, and no dimensions of 0; JSON has neither NaN nor infinities. Such cases cannot be expressed, nor can illegal
   ones, nor those with undefined elements. */
export_writer export_webnn;

#endif
