/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/scatter_update.h"
#include "reference/openvino/scatter_shared.h"

/* Why no page settles what an index beyond its dimension does. */
#define SCATTER_OTHER_INDICES                                                                                         \
    "an exception is raised, and indices are data, which a device may see after the call was accepted"

#define PAGE "ScatterUpdate-3"

static const ts_support_row support = OPENVINO_SCATTER_ROW(0, OPENVINO_INTEGER_TYPES);

/* clang-format off */
#define FIELD(name) .offset = offsetof(ts_openvino_scatter_update, name)
static const ts_attr_decl attrs[] = {
    { "axis", "axis", TS_ATTR_I64, TS_SCALAR, FIELD(axis), .capacity = 1 },
};

static const ts_clause clauses[] = {
    OPENVINO_SCATTER_CLAUSES("SU3"),
    OPENVINO_SCATTER_AXIS_CLAUSES("SU3"),
    [SCATTER_UPDATES] = { "SU3-07", "updates have the shape data[:axis] ++ indices ++ data[axis + 1:]",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_scatter_suggest_updates },
    [SCATTER_FORMULA] = { "SU3-08", "output = data; then output[p, indices[i], q] = updates[p, i, q]",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
};
/* clang-format on */

static const ts_ir_layer ir = { .type = "ScatterUpdate",
                                .opset = "opset3",
                                .list_clause = "SU3-01",
                                .list_count = 1,
                                .lists = &openvino_scatter_ir_axis };

const ts_operator operator_openvino_scatter_update = {
    .name = "openvino.scatter_update",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "scatter-update-3.html",
    OPENVINO_SCATTER_MEMBERS,
    .ir = &ir,
    .support = &support,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_openvino_scatter_update),
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .run_clause = "SU3-08",
    .copy_clause = "SU3-12",
    .shape_clause = "SU3-06",
    .accepts_several = "SU3-09",
    .undefined = "E-SU3-2",
    .several = "E-SU3-1",
    .interpretations = openvino_scatter_update_interpretations,
};
