/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/gather_nd_8.h"
#include "reference/openvino/gather_nd_shared.h"

#define PAGE    "GatherND-8"
#define EDITION "24f721da"

/* clang-format off */
static const ts_clause clauses[] = {
    OPENVINO_GATHER_ND_CLAUSES("ND8"),
    [ND_INDEX] = { "ND8-11", "each index of a tuple is -s to s - 1, where s is the size of its dimension "
                             "(edition " EDITION
                             ", from OpenVINO 2025.3 on, openvino#30764; 0 to s - 1 before)",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_NONE },
    [ND_NEGATIVE] = { "ND8-14", "a negative index counts from the end of its dimension (openvino#30764)",
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "-s to -1 name the s elements once more, and Gather-8 calls negative indices reverse indexing" },
    [ND_SHAPE] = { "ND8-09", "output has the shape indices[:-1] ++ data[batch_dims + tuple:]",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_INVALID },
};

static const ts_ir_layer ir = { "GatherND", "opset8", "ND8-01", 0, NULL, NULL };
/* clang-format on */

const ts_operator operator_openvino_gather_nd_8 = {
    .name = "openvino.gather_nd_8",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "gather-nd-8.html",
    OPENVINO_GATHER_ND_MEMBERS,
    .attrs_size = sizeof(ts_openvino_gather_nd_8),
    .run_clause = "ND8-10",
    .copy_clause = "ND8-13",
    .index_clause = "ND8-14",
    .shape_clause = "ND8-09",
    .undefined = "E-ND8-1",
    .interpretation_count = OPENVINO_GATHER_ND_8_INTERPRETATIONS,
    .interpretations = openvino_gather_nd_8_interpretations,
};
