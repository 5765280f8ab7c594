/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/gather_nd_5.h"
#include "reference/openvino/gather_nd_shared.h"

#define PAGE    "GatherND-5"
#define EDITION "24f721da"

/* clang-format off */
static const ts_clause clauses[] = {
    OPENVINO_GATHER_ND_CLAUSES("ND5"),
    [ND_INDEX] = { "ND5-11", "each index of a tuple is 0 to s - 1, where s is the size of its dimension",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_NONE },
    [ND_SHAPE] = { "ND5-09", "output has the shape batches ++ indices[batch_dims:-1] ++ data[batch_dims + tuple:]",
      PAGE, "batch_dims", TS_STATED, .result = TS_RESULT_INVALID },
    [ND_FLAT] = { "ND5-14", "all batches are one dimension of output, in row-major order; without batches there is "
                            "none",
      PAGE, "batch_dims", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the rule multiplies indices.shape[:b] for a batch_dims other than the default, as examples 1 and 6 "
                "do" },
};

static const ts_ir_layer ir = { "GatherND", "opset5", "ND5-01", 0, NULL, NULL };
/* clang-format on */

const ts_operator operator_openvino_gather_nd_5 = {
    .name = "openvino.gather_nd_5",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "gather-nd-5.html",
    OPENVINO_GATHER_ND_MEMBERS,
    .attrs_size = sizeof(ts_openvino_gather_nd_5),
    .run_clause = "ND5-10",
    .copy_clause = "ND5-13",
    .shape_clause = "ND5-09",
    .undefined = "E-ND5-1",
    .interpretation_count = OPENVINO_GATHER_ND_5_INTERPRETATIONS,
    .interpretations = openvino_gather_nd_5_interpretations,
};
