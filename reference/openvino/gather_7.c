/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/gather_7.h"
#include "reference/openvino/gather_shared.h"

#define PAGE "Gather-7"

/* clang-format off */
#define FIELD(name) .offset = offsetof(ts_openvino_gather_7, name)
static const ts_attr_decl attrs[] = {
    { "axis",       "axis",       TS_ATTR_I64, TS_SCALAR, FIELD(axis),       .capacity = 1 },
    { "batch_dims", "batch_dims", TS_ATTR_I64, TS_SCALAR, FIELD(batch_dims), .capacity = 1, .optional = true },
};

static const ts_clause clauses[] = {
    OPENVINO_GATHER_CLAUSES("G7"),
    OPENVINO_GATHER_BEYOND("G7"),
    [GATHER_INDEX] = { "G7-09", "indices are 0 to n - 1, where n is the size of data along axis",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_NONE },
    OPENVINO_GATHER_BATCH_CLAUSES("G7"),
};
static const ts_ir_layer ir = { "Gather", "opset7", "G7-01", 1, &openvino_gather_ir_axis, NULL };
/* clang-format on */

const ts_operator operator_openvino_gather_7 = {
    .name = "openvino.gather_7",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "gather-7.html",
    OPENVINO_GATHER_MEMBERS,
    .ir = &ir,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_openvino_gather_7),
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .run_clause = "G7-08",
    .copy_clause = "G7-11",
    .shape_clause = "G7-07",
    .undefined = "E-G7-1",
    .interpretation_count = OPENVINO_GATHER_INTERPRETATIONS,
    .interpretations = openvino_gather_7_interpretations,
};
