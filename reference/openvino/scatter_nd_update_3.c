/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/scatter_nd_update_3.h"
#include "reference/openvino/scatter_shared.h"

/* Why no page settles what an index beyond its dimension does. */
#define SCATTER_OTHER_INDICES "the page demands a range, and says nothing about other indices"

#define PAGE "ScatterNDUpdate-3"

static const ts_support_row support = OPENVINO_SCATTER_ROW(1, OPENVINO_INDEX_TYPES);

/* clang-format off */
static const ts_clause clauses[] = {
    OPENVINO_SCATTER_CLAUSES("SN3"),
    [SCATTER_DIMS] = { "SN3-02", "data and indices have a dimension; judged up to 8 dimensions of data and 8 of "
                                 "indices, "
                                 "each of less than 2^63 elements",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },
    [SCATTER_INDEX_TYPE] = { "SN3-04", "indices are i32 or i64",
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID },
    [SCATTER_UPDATES] = { "SN3-07", "updates have the shape indices[:-1] ++ data[k:], where k is the last size of "
                                    "indices; "
                                    "instead of one without dimensions, that of any single element",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_scatter_suggest_updates },
    [SCATTER_FORMULA] = { "SN3-08", "output = data; then output[indices[i, 0], ..., indices[i, k - 1], j] = updates[i, "
                                    "j]",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    [SCATTER_SEVERAL] = { "SN3-09", "of tuples that are equal, the call fails, or the elements that they select are "
                                    "undefined",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    [SCATTER_INDEX] = { "SN3-10", "indices are 0 to n - 1, where n is the size of their dimension of data",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_NONE },
    [SCATTER_TUPLE] = { "SN3-13", "a tuple, the last size of indices, has at most as many indices as data has "
                                  "dimensions",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_scatter_suggest_tuple },
};
/* clang-format on */

static const ts_ir_layer ir = {
    .type = "ScatterNDUpdate", .opset = "opset4", .list_clause = "SN3-01", .until = "opset15"
};

const ts_operator operator_openvino_scatter_nd_update_3 = {
    .name = "openvino.scatter_nd_update_3",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "scatter-nd-update-3.html",
    OPENVINO_SCATTER_MEMBERS,
    .ir = &ir,
    .support = &support,
    .attrs_size = sizeof(ts_openvino_scatter_nd_update_3),
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .run_clause = "SN3-08",
    .copy_clause = "SN3-12",
    .shape_clause = "SN3-06",
    .undefined = "E-SN3-2",
    .several = "E-SN3-1",
    .interpretations = openvino_scatter_nd_update_3_interpretations,
};
