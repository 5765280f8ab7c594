/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/scatter_elements_update_3.h"
#include "reference/openvino/scatter_shared.h"

/* Why no page settles what an index beyond its dimension does. */
#define SCATTER_OTHER_INDICES                                                                                         \
    "an exception is raised, and indices are data, which a device may see after the call was accepted"

#define PAGE "ScatterElementsUpdate-3"

static const ts_support_row support = OPENVINO_SCATTER_ROW(1, OPENVINO_INTEGER_TYPES);

/* clang-format off */
#define FIELD(name) .offset = offsetof(ts_openvino_scatter_elements_update_3, name)
static const ts_attr_decl attrs[] = {
    { "axis", "axis", TS_ATTR_I64, TS_SCALAR, FIELD(axis), .capacity = 1 },
};

static const ts_clause clauses[] = {
    OPENVINO_SCATTER_CLAUSES("SE3"),
    OPENVINO_SCATTER_AXIS_CLAUSES("SE3"),
    [SCATTER_UPDATES] = { "SE3-07", "updates have the shape of indices",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_scatter_suggest_updates },
    [SCATTER_FORMULA] = { "SE3-08", "output = data; then output[p, indices[p, i, q], q] = updates[p, i, q]",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    [SCATTER_SIZES] = { "SE3-14", "indices have as many dimensions as data, and none of their sizes exceeds that of "
                                  "data",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_scatter_suggest_size },
};
/* clang-format on */

static const ts_ir_layer ir = { .type = "ScatterElementsUpdate",
                                .opset = "opset3",
                                .list_clause = "SE3-01",
                                .list_count = 1,
                                .lists = &openvino_scatter_ir_axis,
                                .until = "opset12" };

const ts_operator operator_openvino_scatter_elements_update_3 = {
    .name = "openvino.scatter_elements_update_3",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "scatter-elements-update-3.html",
    OPENVINO_SCATTER_MEMBERS,
    .ir = &ir,
    .support = &support,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_openvino_scatter_elements_update_3),
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .run_clause = "SE3-08",
    .copy_clause = "SE3-12",
    .shape_clause = "SE3-06",
    .accepts_several = "SE3-09",
    .undefined = "E-SE3-2",
    .several = "E-SE3-1",
    .interpretations = openvino_scatter_elements_update_3_interpretations,
};
