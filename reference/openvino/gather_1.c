/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/gather_1.h"
#include "reference/openvino/gather_shared.h"

#define PAGE "Gather-1"

/* clang-format off */
#define FIELD(name) .offset = offsetof(ts_openvino_gather_1, name)
static const ts_attr_decl attrs[] = {
    { "axis", "axis", TS_ATTR_I64, TS_SCALAR, FIELD(axis), .capacity = 1 },
};

static const ts_clause clauses[] = {
    OPENVINO_GATHER_CLAUSES("G1"),
    OPENVINO_GATHER_BEYOND("G1"),
    [GATHER_TYPE] = { "G1-03", "output has the type of data, which may be any type",
      PAGE, "Outputs", TS_IMPLIED, .result = TS_RESULT_INVALID, .suggest = suggest_same_type,
      .ground = "data is arbitrary, and the output consists of its elements" },
    [GATHER_INDEX_TYPE] = { "G1-04", "indices have any integer type",
      PAGE, "Inputs", TS_DECIDED, .result = TS_RESULT_INVALID, .ground = "the page names no types" },
    [GATHER_SHAPE] = { "G1-07", "output has the shape data[:axis] ++ indices ++ data[axis + 1:]",
      PAGE, "Outputs", TS_STATED, .result = TS_RESULT_INVALID },
    [GATHER_FORMULA] = { "G1-08", "output[p, i, q] = data[p, indices[i], q]",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    [GATHER_INDEX] = { "G1-09", "indices are 0 to n - 1, where n is the size of data along axis",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_NONE },
};
static const ts_ir_layer ir = { "Gather", "opset1", "G1-01", 1, &openvino_gather_ir_axis, NULL };
/* clang-format on */

const ts_operator operator_openvino_gather_1 = {
    .name = "openvino.gather_1",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "gather-1.html",
    OPENVINO_GATHER_MEMBERS,
    .ir = &ir,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_openvino_gather_1),
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .run_clause = "G1-08",
    .copy_clause = "G1-11",
    .shape_clause = "G1-07",
    .undefined = "E-G1-1",
    .interpretation_count = OPENVINO_GATHER_INTERPRETATIONS,
    .interpretations = openvino_gather_1_interpretations,
};
