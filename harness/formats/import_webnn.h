/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A test of WebNN, as export_webnn.h writes it and as web-platform-tests has it, as a record of the suite:
 *
 *   slice, reverse               dml.slice1; reverse has strides of -1. Beyond 8 dimensions openvino.strided_slice
 *   gather, gatherND, scatterND  dml.gather, dml.gather_nd, dml.scatter_nd, with the leading ones that make their ranks
 *                                equal
 *   gatherElements, scatterElements
 *                                dml.gather_elements, dml.scatter_elements
 *   concat, cumulativeSum        dml.join, dml.cumulative_summation
 *   identity, transpose, expand  dml.element_wise_identity; the strides of its input permute or repeat
 *   reshape, transpose, reshape  dml.space_to_depth1, where they move blocks to channels
 *
 * A scalar, which DirectML does not have, becomes a tensor of one element.
 */
#ifndef TOUCHSTONE_IMPORT_WEBNN_H
#define TOUCHSTONE_IMPORT_WEBNN_H

#include "harness/base/error.h"

#include <jansson.h>

typedef struct import_test {
    char name[160]; /* the test's; "" without one */
    json_t *record; /* { operator, name, descriptor, inputs, expect, outputs }; the caller owns it */
    char why[200];  /* the suite has no such operation: the reason, the same words for all tests with it */
} import_test;

/* Make a record of a test { "name", "graph": { "inputs", "operators", "expectedOutputs" } }. `outputs` of the record
   are those that the test expects, as `show --json` prints them. False: the suite cannot express the test (t->why), or
   the test is malformed, an EXIT_BAD_USAGE error that names the field (t->why is ""). */
bool import_webnn(const json_t *test, import_test *t, error *e);

#endif
