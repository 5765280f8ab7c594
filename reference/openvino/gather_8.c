/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/gather_8.h"
#include "reference/openvino/gather_shared.h"

#define PAGE "Gather-8"

/* clang-format off */
#define FIELD(name) .offset = offsetof(ts_openvino_gather_8, name)
static const ts_attr_decl attrs[] = {
    { "axis",       "axis",       TS_ATTR_I64, TS_SCALAR, FIELD(axis),       .capacity = 1 },
    { "batch_dims", "batch_dims", TS_ATTR_I64, TS_SCALAR, FIELD(batch_dims), .capacity = 1, .optional = true },
};

static const ts_clause clauses[] = {
    OPENVINO_GATHER_CLAUSES("G8"),
    [GATHER_INDEX] = { "G8-09", "indices are -n to n - 1, where n is the size of data along axis",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    [GATHER_BEYOND] = { "G8-10", "another index does not fail the call; the elements that it selects are 0",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    OPENVINO_GATHER_BATCH_CLAUSES("G8"),
    [GATHER_NEGATIVE] = { "G8-15", "a negative index counts from the end of the axis",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_NONE },
};
static const ts_ir_layer ir = { "Gather", "opset8", "G8-01", 1, &openvino_gather_ir_axis, NULL };
/* clang-format on */

const ts_operator operator_openvino_gather_8 = {
    .name = "openvino.gather_8",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "gather-8.html",
    OPENVINO_GATHER_MEMBERS,
    .ir = &ir,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_openvino_gather_8),
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .run_clause = "G8-08",
    .copy_clause = "G8-11",
    .index_clause = "G8-15",
    .shape_clause = "G8-07",
};
