/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons, logic and bits, element by element. */
#include "reference/checked/each.h"

EACH(bit_and, A & B)
EACH(bit_or, A | B)
EACH(bit_xor, A ^ B)
EACH(bit_not, ~A)
EACH(bit_count, (uint64_t)__builtin_popcountll(A))
EACH(bit_shift_left, B < e->width ? A << B : 0)
EACH(bit_shift_right, B < e->width ? A >> B : 0)
EACH(shifts_beyond, B >= e->width)
EACH(choice, A ? B : C)
EACH(is_nan, each_order(e, A, A) == EACH_UNORDERED)
EACH(logical_and, A && B)
EACH(logical_or, A || B)
EACH(logical_xor, !A != !B)
EACH(logical_not, !A)
EACH(logical_equals, each_order(e, A, B) == EACH_EQUAL)
EACH(logical_greater_than, each_order(e, A, B) == EACH_GREATER)
EACH(logical_greater_than_or_equal, (each_order(e, A, B) & (EACH_GREATER | EACH_EQUAL)) != 0)
EACH(logical_less_than, each_order(e, A, B) == EACH_LESS)
EACH(logical_less_than_or_equal, (each_order(e, A, B) & (EACH_LESS | EACH_EQUAL)) != 0)

/* E-BL-1 and E-BR-1: counts of the width and more. */
EACH_OTHERWISE(left_by_remainder, A << B % e->width)
EACH_OTHERWISE(right_by_remainder, A >> B % e->width)
EACH_OTHERWISE(left_by_five_bits, B % 32 < e->width ? A << B % 32 : 0)
EACH_OTHERWISE(right_by_five_bits, B % 32 < e->width ? A >> B % 32 : 0)
static const ts_interpretation left_interpretations[] = {
    { "E-BL-1", "0", NULL, NULL },
    { "E-BL-1", "the count modulo the width", left_by_remainder_run, NULL },
    { "E-BL-1", "the count modulo 32", left_by_five_bits_run, NULL },
};
static const ts_interpretation right_interpretations[] = {
    { "E-BR-1", "0", NULL, NULL },
    { "E-BR-1", "the count modulo the width", right_by_remainder_run, NULL },
    { "E-BR-1", "the count modulo 32", right_by_five_bits_run, NULL },
};

/* clang-format off */

#define BITWISE(id, text) \
    { id, text ", whatever the DataType", CHECKED_PAGE, "Description", TS_STATED, .result = TS_RESULT_NONE }
#define LOGICAL(id, text) \
    CHECKED_FORMULA(id, text, "Description", "the page's formula in the notation of C, where any other element than 0 is " \
                    "true; true is 1, as the pages of comparisons say")
#define COMPARISON(id, text) \
    CHECKED_FORMULA(id, text, "Description", "the page's formula; by Direct3D's rules, a NaN is neither less than, " \
                    "equal to nor greater than anything, both zeros are equal, and a FLOAT32 denormal may count as zero")

/* ---- DML_ELEMENT_WISE_BIT_AND_OPERATOR_DESC ---- */
static const ts_tensor_decl a_b_out_tensors[] = {
    CHECKED_INPUT("ATensor"),
    CHECKED_INPUT("BTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row bit_and_support[] = {
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, T_U32 | T_U16 | T_U8 }) } },
    { TS_LEVEL_4_1, { CHECKED_3({ 1, 8, DML_11_TYPES }) } },
};
static const ts_clause bit_and_clauses[] = {
    CHECKED_ALIKE("ATensor, BTensor and OutputTensor"),
    BITWISE("OP-09", "each bit of an element is the result of the operation on those of ATensor and BTensor"),
};
static const checked_rule bit_and_rules[] = {
    CHECKED_ALIKE_RULES(0x7),
};
const checked_operator computed_dml_element_wise_bit_and =
    CHECKED("element_wise_bit_and", "ELEMENT_WISE_BIT_AND", 121, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, bit_and_support, bit_and_clauses, CHECKED_RULES(bit_and_rules),
            EACH_EXACT(bit_and, "OP-09", "OP-08"), EACH_IN_PLACE);

/* ---- DML_ELEMENT_WISE_BIT_COUNT_OPERATOR_DESC ---- */
static const ts_tensor_decl bit_count_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row bit_count_support[] = {
    { TS_LEVEL_3_0, { { 1, 8, T_U32 | T_U16 | T_U8 }, { 1, 8, T_U32 | T_U8 } } },
    { TS_LEVEL_4_1, { { 1, 8, DML_11_TYPES }, { 1, 8, T_U32 | T_U8 } } },
};
#define SAME_SHAPE_ALONE \
    CHECKED_CLAUSES, \
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DimensionCount", "Tensor constraints"), \
    CHECKED_CLAUSE("OP-07", "InputTensor and OutputTensor have the same Sizes", "Tensor constraints")
static const ts_clause bit_count_clauses[] = {
    SAME_SHAPE_ALONE,
    BITWISE("OP-08", "each element is the number of bits of InputTensor's that are 1"),
};
static const checked_rule bit_count_rules[] = {
    { "OP-06", checked_same_rank, .tensors = 0x3 },
    { "OP-07", checked_same_sizes, .tensors = 0x3 },
};
const checked_operator computed_dml_element_wise_bit_count =
    CHECKED("element_wise_bit_count", "ELEMENT_WISE_BIT_COUNT", 125, "tt", bit_count_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, bit_count_support, bit_count_clauses, CHECKED_RULES(bit_count_rules),
            EACH_EXACT(bit_count, "OP-08", "OP-07"));

/* ---- DML_ELEMENT_WISE_BIT_NOT_OPERATOR_DESC ---- */
static const ts_support_row bit_not_support[] = {
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, T_U32 | T_U16 | T_U8 }) } },
    { TS_LEVEL_4_1, { CHECKED_2({ 1, 8, DML_11_TYPES }) } },
};
static const ts_clause bit_not_clauses[] = {
    CHECKED_ALIKE("InputTensor and OutputTensor"),
    BITWISE("OP-09", "each bit of an element is 1 where that of InputTensor is 0"),
};
static const checked_rule bit_not_rules[] = {
    CHECKED_ALIKE_RULES(0x3),
};
const checked_operator computed_dml_element_wise_bit_not =
    CHECKED("element_wise_bit_not", "ELEMENT_WISE_BIT_NOT", 124, "tt", bit_count_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, bit_not_support, bit_not_clauses, CHECKED_RULES(bit_not_rules),
            EACH_EXACT(bit_not, "OP-09", "OP-08"), EACH_IN_PLACE);

/* ---- DML_ELEMENT_WISE_BIT_OR_OPERATOR_DESC ---- */
const checked_operator computed_dml_element_wise_bit_or =
    CHECKED("element_wise_bit_or", "ELEMENT_WISE_BIT_OR", 122, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, bit_and_support, bit_and_clauses, CHECKED_RULES(bit_and_rules),
            EACH_EXACT(bit_or, "OP-09", "OP-08"), EACH_IN_PLACE);

/* ---- DML_ELEMENT_WISE_BIT_SHIFT_LEFT_OPERATOR_DESC ---- */
static const ts_support_row bit_shift_left_support[] = {
    { TS_LEVEL_2_1, { CHECKED_3({ 4, 4, T_U32 | T_U16 | T_U8 }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, T_U32 | T_U16 | T_U8 }) } },
    { TS_LEVEL_4_1, { CHECKED_3({ 1, 8, T_U64 | T_U32 | T_U16 | T_U8 }) } },
};
static const ts_clause bit_shift_clauses[] = {
    CHECKED_ALIKE("ATensor, BTensor and OutputTensor"),
    BITWISE("OP-09", "each element is ATensor's with its bits moved by BTensor's, zeros in their place"),
    { "OP-10", "where an element of BTensor is not below the width of the DataType, the element is undefined",
      "no page", "a decision of Touchstone", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page does not say what more bits than an element has mean" },
};
const checked_operator computed_dml_element_wise_bit_shift_left =
    CHECKED("element_wise_bit_shift_left", "ELEMENT_WISE_BIT_SHIFT_LEFT", 97, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, bit_shift_left_support, bit_shift_clauses, CHECKED_RULES(bit_and_rules),
            EACH_WITHIN(bit_shift_left, shifts_beyond, "E-BL-1", "OP-09", "OP-08"), EACH_IN_PLACE,
            .op.interpretation_count = CHECKED_COUNT(left_interpretations),
            .op.interpretations = left_interpretations);

/* ---- DML_ELEMENT_WISE_BIT_SHIFT_RIGHT_OPERATOR_DESC ---- */
const checked_operator computed_dml_element_wise_bit_shift_right =
    CHECKED("element_wise_bit_shift_right", "ELEMENT_WISE_BIT_SHIFT_RIGHT", 98, "ttt", a_b_out_tensors,
            CHECKED_NO_LISTS, CHECKED_NO_ATTRS, bit_shift_left_support, bit_shift_clauses, CHECKED_RULES(bit_and_rules),
            EACH_WITHIN(bit_shift_right, shifts_beyond, "E-BR-1", "OP-09", "OP-08"), EACH_IN_PLACE,
            .op.interpretation_count = CHECKED_COUNT(right_interpretations),
            .op.interpretations = right_interpretations);

/* ---- DML_ELEMENT_WISE_BIT_XOR_OPERATOR_DESC ---- */
const checked_operator computed_dml_element_wise_bit_xor =
    CHECKED("element_wise_bit_xor", "ELEMENT_WISE_BIT_XOR", 123, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, bit_and_support, bit_and_clauses, CHECKED_RULES(bit_and_rules),
            EACH_EXACT(bit_xor, "OP-09", "OP-08"), EACH_IN_PLACE);

/* ---- DML_ELEMENT_WISE_IF_OPERATOR_DESC ---- */
static const ts_tensor_decl if_tensors[] = {
    CHECKED_INPUT("ConditionTensor"),
    CHECKED_INPUT("ATensor"),
    CHECKED_INPUT("BTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row if_support[] = {
    { TS_LEVEL_2_0, { { 4, 4, T_U8 }, { 4, 4, T_F16 }, { 4, 4, T_F16 }, { 4, 4, T_F16 } } },
    { TS_LEVEL_3_0, { { 1, 8, T_U8 }, { 1, 8, DML_8_TYPES }, { 1, 8, DML_8_TYPES }, { 1, 8, DML_8_TYPES } } },
    { TS_LEVEL_5_0, { { 1, 8, T_U8 }, { 1, 8, DML_11_TYPES }, { 1, 8, DML_11_TYPES }, { 1, 8, DML_11_TYPES } } },
};
static const ts_clause if_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "ATensor, BTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "ConditionTensor, ATensor, BTensor and OutputTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "ConditionTensor, ATensor, BTensor and OutputTensor have the same Sizes",
                   "Tensor constraints"),
    { "OP-09", "each element is that of ATensor where that of ConditionTensor is not 0, else that of BTensor",
      CHECKED_PAGE, "ConditionTensor", TS_STATED, .result = TS_RESULT_NONE },
};
static const checked_rule if_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0xe },
    { "OP-07", checked_same_rank, .tensors = 0xf },
    { "OP-08", checked_same_sizes, .tensors = 0xf },
};
const checked_operator computed_dml_element_wise_if =
    CHECKED("element_wise_if", "ELEMENT_WISE_IF", 88, "tttt", if_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            if_support, if_clauses, CHECKED_RULES(if_rules), EACH_EXACT(choice, "OP-09", "OP-08"));

/* ---- DML_ELEMENT_WISE_IS_INFINITY_OPERATOR_DESC ---- */
typedef struct is_infinity {
    uint32_t InfinityMode;
} is_infinity;
static const ts_attr_decl is_infinity_attrs[] = {
    CHECKED_ENUM(is_infinity, InfinityMode, checked_is_infinity_mode),
};
static const ts_clause is_clauses[] = {
    SAME_SHAPE_ALONE,
};
static const ts_support_row is_infinity_support[] = {
    { TS_LEVEL_2_1, { { 4, 4, DML_FLOATS }, { 4, 4, T_U8 } } },
    { TS_LEVEL_3_0, { { 1, 8, DML_FLOATS }, { 1, 8, T_U8 } } },
};
const checked_operator checked_dml_element_wise_is_infinity =
    CHECKED("element_wise_is_infinity", "ELEMENT_WISE_IS_INFINITY", 100, "tta", bit_count_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(is_infinity_attrs, is_infinity), is_infinity_support, is_clauses,
            CHECKED_RULES(bit_count_rules));

/* ---- DML_ELEMENT_WISE_IS_NAN_OPERATOR_DESC ---- */
static const ts_support_row is_nan_support[] = {
    { TS_LEVEL_2_0, { { 4, 4, DML_FLOATS }, { 4, 4, T_U32 | T_U8 } } },
    { TS_LEVEL_3_0, { { 1, 8, DML_FLOATS }, { 1, 8, T_U32 | T_U8 } } },
};
static const ts_clause is_nan_clauses[] = {
    SAME_SHAPE_ALONE,
    { "OP-08", "each element is 1 where that of InputTensor is a NaN, else 0", CHECKED_PAGE, "Description", TS_STATED,
      .result = TS_RESULT_NONE },
};
const checked_operator computed_dml_element_wise_is_nan =
    CHECKED("element_wise_is_nan", "ELEMENT_WISE_IS_NAN", 80, "tt", bit_count_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, is_nan_support, is_nan_clauses, CHECKED_RULES(bit_count_rules),
            EACH_EXACT(is_nan, "OP-08", "OP-07"));

/* ---- DML_ELEMENT_WISE_LOGICAL_AND_OPERATOR_DESC ---- */
static const ts_support_row logical_and_support[] = {
    { TS_LEVEL_1_0, { CHECKED_3({ 4, 4, T_U32 }) } },
    { TS_LEVEL_2_0, { CHECKED_3({ 4, 4, T_U32 | T_U8 }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, T_U32 | T_U8 }) } },
};
static const ts_clause logical_and_clauses[] = {
    CHECKED_ALIKE("ATensor, BTensor and OutputTensor"),
    LOGICAL("OP-09", "each element is 1 where the operation on the elements of ATensor and BTensor is true, else 0"),
};
const checked_operator computed_dml_element_wise_logical_and =
    CHECKED("element_wise_logical_and", "ELEMENT_WISE_LOGICAL_AND", 14, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, logical_and_support, logical_and_clauses, CHECKED_RULES(bit_and_rules),
            EACH_EXACT(logical_and, "OP-09", "OP-08"), EACH_IN_PLACE);

/* ---- DML_ELEMENT_WISE_LOGICAL_EQUALS_OPERATOR_DESC ---- */
static const ts_support_row logical_equals_support[] = {
    { TS_LEVEL_1_0, { { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS }, { 4, 4, T_U32 } } },
    { TS_LEVEL_2_0, { { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS }, { 4, 4, T_U32 | T_U8 } } },
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES }, { 4, 4, DML_8_TYPES }, { 4, 4, T_U32 | T_U8 } } },
    { TS_LEVEL_3_0, { { 1, 8, DML_8_TYPES }, { 1, 8, DML_8_TYPES }, { 1, 8, T_U32 | T_U8 } } },
    { TS_LEVEL_4_1, { { 1, 8, DML_8_TYPES | T_I64 | T_U64 }, { 1, 8, DML_8_TYPES | T_I64 | T_U64 },
        { 1, 8, T_U32 | T_U8 } } },
};
static const ts_clause logical_equals_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "ATensor and BTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "ATensor, BTensor and OutputTensor have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "ATensor, BTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    COMPARISON("OP-09", "each element is 1 where the elements of ATensor and BTensor compare so, else 0"),
};
static const checked_rule logical_equals_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x3 },
    { "OP-07", checked_same_rank, .tensors = 0x7 },
    { "OP-08", checked_same_sizes, .tensors = 0x7 },
};
const checked_operator computed_dml_element_wise_logical_equals =
    CHECKED("element_wise_logical_equals", "ELEMENT_WISE_LOGICAL_EQUALS", 15, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, logical_equals_support, logical_equals_clauses, CHECKED_RULES(logical_equals_rules),
            EACH_COMPARES(logical_equals, "OP-09", "OP-08"));

/* ---- DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OPERATOR_DESC ---- */
const checked_operator computed_dml_element_wise_logical_greater_than =
    CHECKED("element_wise_logical_greater_than", "ELEMENT_WISE_LOGICAL_GREATER_THAN", 16, "ttt", a_b_out_tensors,
            CHECKED_NO_LISTS, CHECKED_NO_ATTRS, logical_equals_support, logical_equals_clauses,
            CHECKED_RULES(logical_equals_rules),
            EACH_COMPARES(logical_greater_than, "OP-09", "OP-08"));

/* ---- DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL_OPERATOR_DESC ---- */
static const ts_support_row logical_greater_than_or_equal_support[] = {
    { TS_LEVEL_3_0, { { 1, 8, DML_8_TYPES }, { 1, 8, DML_8_TYPES }, { 1, 8, T_U32 | T_U8 } } },
    { TS_LEVEL_4_1, { { 1, 8, DML_8_TYPES | T_I64 | T_U64 }, { 1, 8, DML_8_TYPES | T_I64 | T_U64 },
        { 1, 8, T_U32 | T_U8 } } },
};
const checked_operator computed_dml_element_wise_logical_greater_than_or_equal =
    CHECKED("element_wise_logical_greater_than_or_equal", "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", 126, "ttt",
            a_b_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS, logical_greater_than_or_equal_support,
            logical_equals_clauses, CHECKED_RULES(logical_equals_rules),
            EACH_COMPARES(logical_greater_than_or_equal, "OP-09", "OP-08"));

/* ---- DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OPERATOR_DESC ---- */
const checked_operator computed_dml_element_wise_logical_less_than =
    CHECKED("element_wise_logical_less_than", "ELEMENT_WISE_LOGICAL_LESS_THAN", 17, "ttt", a_b_out_tensors,
            CHECKED_NO_LISTS, CHECKED_NO_ATTRS, logical_equals_support, logical_equals_clauses,
            CHECKED_RULES(logical_equals_rules),
            EACH_COMPARES(logical_less_than, "OP-09", "OP-08"));

/* ---- DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL_OPERATOR_DESC ---- */
const checked_operator computed_dml_element_wise_logical_less_than_or_equal =
    CHECKED("element_wise_logical_less_than_or_equal", "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", 127, "ttt",
            a_b_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS, logical_greater_than_or_equal_support,
            logical_equals_clauses, CHECKED_RULES(logical_equals_rules),
            EACH_COMPARES(logical_less_than_or_equal, "OP-09", "OP-08"));

/* ---- DML_ELEMENT_WISE_LOGICAL_NOT_OPERATOR_DESC ---- */
static const ts_support_row logical_not_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, T_U32 }) } },
    { TS_LEVEL_2_0, { CHECKED_2({ 4, 4, T_U32 | T_U8 }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, T_U32 | T_U8 }) } },
};
static const ts_clause logical_not_clauses[] = {
    CHECKED_ALIKE("InputTensor and OutputTensor"),
    LOGICAL("OP-09", "each element is 1 where that of InputTensor is 0, else 0"),
};
const checked_operator computed_dml_element_wise_logical_not =
    CHECKED("element_wise_logical_not", "ELEMENT_WISE_LOGICAL_NOT", 18, "tt", bit_count_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, logical_not_support, logical_not_clauses, CHECKED_RULES(bit_not_rules),
            EACH_EXACT(logical_not, "OP-09", "OP-08"), EACH_IN_PLACE);

/* ---- DML_ELEMENT_WISE_LOGICAL_OR_OPERATOR_DESC ---- */
const checked_operator computed_dml_element_wise_logical_or =
    CHECKED("element_wise_logical_or", "ELEMENT_WISE_LOGICAL_OR", 19, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, logical_and_support, logical_and_clauses, CHECKED_RULES(bit_and_rules),
            EACH_EXACT(logical_or, "OP-09", "OP-08"), EACH_IN_PLACE);

/* ---- DML_ELEMENT_WISE_LOGICAL_XOR_OPERATOR_DESC ---- */
const checked_operator computed_dml_element_wise_logical_xor =
    CHECKED("element_wise_logical_xor", "ELEMENT_WISE_LOGICAL_XOR", 20, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, logical_and_support, logical_and_clauses, CHECKED_RULES(bit_and_rules),
            EACH_EXACT(logical_xor, "OP-09", "OP-08"), EACH_IN_PLACE);
