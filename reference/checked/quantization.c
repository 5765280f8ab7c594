/* SPDX-License-Identifier: Apache-2.0 */
/* Quantization by a list of a scale and a zero point. */
#include "reference/checked/checked.h"

/* clang-format off */

/* QUANTIZE and DEQUANTIZE have the same fields and clauses, but that the scale has the DataType of SCALED, which is
   `scaled` as a bit. */
static const ts_tensor_decl quantization_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    TS_TENSOR_LIST("QuantizationTensors", "QuantizationTensors", TS_INPUT),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_tensor_list quantization_lists[] = {
    { "QuantizationTensors", "QuantizationTensors", 1, TS_MAX_LISTED, 1 },
};
typedef struct quantization {
    uint32_t QuantizationType, QuantizationTensorCount;
} quantization;
static const ts_attr_decl quantization_attrs[] = {
    CHECKED_ENUM(quantization, QuantizationType, checked_quantization_type),
    CHECKED_COUNTER(quantization, QuantizationTensorCount),
};

#define QUANTIZATION_CLAUSES(SCALED)                                                                                   \
    CHECKED_CLAUSES,                                                                                                   \
    CHECKED_CLAUSE("OP-06", "InputTensor, QuantizationTensors and OutputTensor have the same DimensionCount",          \
                   "Tensor constraints"),                                                                              \
    CHECKED_CLAUSE("OP-07", "InputTensor and OutputTensor have the same Sizes", "Tensor constraints"),                 \
    CHECKED_OBSERVED("OP-08", "the scale, QuantizationTensors[0], has the DataType of " SCALED ", and the zero "       \
                     "point, QuantizationTensors[1], that of the other tensor",                                        \
                     "the page says TBD of QuantizationTensors"),                                                      \
    CHECKED_CLAUSE("OP-09", "each size of QuantizationTensors divides that of InputTensor", "QuantizationTensors"),    \
    CHECKED_OBSERVED("OP-10", "QuantizationTensorCount is 1 where QuantizationType is SCALE, 2 where it is "           \
                     "SCALE_ZERO_POINT; it is not NONE", "the page says TBD of QuantizationType"),                     \
    CHECKED_OBSERVED("OP-11", "the zero point has the Sizes of the scale", "the page says TBD of QuantizationTensors")

#define QUANTIZATION_RULES(scaled)                                                                                     \
    { "OP-06", checked_same_rank, .tensors = 0x3ffff },                                                                \
    { "OP-07", checked_same_sizes, .tensors = 0x20001 },                                                               \
    { "OP-08", checked_quantization_types, .tensors = scaled },                                                        \
    { "OP-09", checked_divides, .tensors = 0x1ffff },                                                                  \
    { "OP-10", checked_quantization_count, .attr = 0 },                                                                \
    { "OP-11", checked_same_sizes, .tensors = 0x6 }

/* ---- DML_DEQUANTIZE_OPERATOR_DESC ---- */
static const ts_support_row dequantize_support[] = {
    { TS_LEVEL_6_3, { { 1, 8, T_I8 | T_I4 | T_U8 | T_U4 },
        TS_FOR_LIST({ 1, 8, DML_FLOATS | T_I8 | T_I4 | T_U8 | T_U4 }), { 1, 8, DML_FLOATS } } },
};
static const ts_clause dequantize_clauses[] = { QUANTIZATION_CLAUSES("OutputTensor") };
static const checked_rule dequantize_rules[] = { QUANTIZATION_RULES(0x20000) };
const checked_operator checked_dml_dequantize =
    CHECKED("dequantize", "DEQUANTIZE", 174, "taatt", quantization_tensors, CHECKED_LISTS(quantization_lists),
            CHECKED_ATTRS(quantization_attrs, quantization), dequantize_support, dequantize_clauses,
            CHECKED_RULES(dequantize_rules));

/* ---- DML_QUANTIZE_OPERATOR_DESC ---- */
static const ts_support_row quantize_support[] = {
    { TS_LEVEL_6_3, { { 1, 8, DML_FLOATS }, TS_FOR_LIST({ 1, 8, DML_FLOATS | T_I8 | T_I4 | T_U8 | T_U4 }),
        { 1, 8, T_I8 | T_I4 | T_U8 | T_U4 } } },
};
static const ts_clause quantize_clauses[] = { QUANTIZATION_CLAUSES("InputTensor") };
static const checked_rule quantize_rules[] = { QUANTIZATION_RULES(0x1) };
const checked_operator checked_dml_quantize =
    CHECKED("quantize", "QUANTIZE", 173, "taatt", quantization_tensors, CHECKED_LISTS(quantization_lists),
            CHECKED_ATTRS(quantization_attrs, quantization), quantize_support, quantize_clauses,
            CHECKED_RULES(quantize_rules));
