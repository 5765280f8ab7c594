/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators of DirectML as declarations: their fields, support tables and rules, as data. A file of this folder is a
 * family; CMake finds it, and no list names it. An operator checked_dml_NAME is checked alone; computed_dml_NAME is
 * computed as well (each.h).
 *
 * Every operator has these clauses (CHECKED_CLAUSES):
 *   OP-01  it exists from its first level on; every field that is not optional is given
 *   OP-02  DimensionCounts, and OP-03 DataTypes, are those of the level's row of the support table
 *   OP-04  enumerations have one of their values
 *   OP-05  a list has no more values than there are dimensions (TS_MAX_DIMS)
 * and its rules from OP-06 on, each of which names its clause.
 */
#ifndef TOUCHSTONE_CHECKED_H
#define TOUCHSTONE_CHECKED_H

#include "harness/model/wide.h"
#include "reference/dml.h"

/* ---- rules -------------------------------------------------------------------------------------------------- */

/* A rule of which a function judges whether a descriptor keeps it. It is called where every required field is given, or
   nothing but tensors matters (checked_same_type and its kind), every tensor has sizes, and every rank is from 1 to
   TS_MAX_DIMS. */
typedef struct checked_rule checked_rule;
typedef void checked_judge(const ts_descriptor *d, const checked_rule *rule, ts_report *report);

struct checked_rule {
    const char *clause;   /* "OP-06"; NULL: see checked_shape */
    checked_judge *judge; /* one of those below, or of the family's own */
    uint32_t tensors;     /* a bit each: those that the rule is about; those that are not given do not count */
    uint8_t attr;         /* the index of the attribute that it is about */
    uint8_t number;       /* what `judge` takes */
    const char *shape;    /* of checked_shape */
    ts_level until;       /* it holds below this level only; 0: at every level */
    bool warns;           /* what breaks it is legal, but worth reporting */
};

/* The tensors have the same DataType, DimensionCount, or Sizes (which takes the same DimensionCount for granted). */
checked_judge checked_same_type, checked_same_rank, checked_same_sizes;

/* The tensors have `number` dimensions. */
checked_judge checked_rank;

/* Each size of the tensors but the first one divides that of the first one. */
checked_judge checked_divides;

/* Each of the tensors has one element. */
checked_judge checked_one_element;

/* The first of QuantizationTensors, the scale, has the DataType of the tensor, InputTensor or OutputTensor; the second,
   the zero point, that of the other. */
checked_judge checked_quantization_types;

/* QuantizationTensors are as many as the attribute, QuantizationType, says: SCALE 1, SCALE_ZERO_POINT 2; NONE is not
   legal. */
checked_judge checked_quantization_count;

/* ScaleTensor has the DataType of the tensor, but FLOAT32 for one of INT32. */
checked_judge checked_scale_of;

/* Each size of the tensors but the first one is 1 or that of the first one. */
checked_judge checked_broadcasts;

/* The tensor has the sizes that `shape` says, as the pages write them: "{ 1, num_directions, 3*hidden_size }". A name
   is a field of the operator, a size that the rules before have named, or a new one, which gets its value here. Leading
   sizes in brackets, "[BatchCount]", may be missing. "{ 1, 1 } or { 1, N }": one of them, tried in order. In a sum,
   "P+KV", a name that has no value is 0.
   A rule without a clause only gives names to sizes. */
checked_judge checked_shape;

/* The attribute is below the DimensionCount of the tensor; as a list, each of its values is. */
checked_judge checked_axis;

/* Along the axis `attr`, the tensor has size 1. */
checked_judge checked_one_axis;

/* The attribute, a count, is the DimensionCount of the tensor less `number`. */
checked_judge checked_counts_dims;

/* The attribute, in a list each of its values, is at least `number`. */
checked_judge checked_at_least;

/* Each value of the attribute has at most `number` bits. */
checked_judge checked_bits;

/* Each value of the attribute, a scale, is at least 2^-23; it may be infinite. */
checked_judge checked_scales;

/* The attribute is neither negative nor infinite; it may be -0 or no number. */
checked_judge checked_spatial_scale;

/* The attribute is the DataType of the tensor. */
checked_judge checked_names_type;

/* The attribute, a scale and a bias of 32 bits, is not given where the tensor's type has 64 bits. */
checked_judge checked_scale;

/* At least one of the tensors is given; all of them or none; exactly one. */
checked_judge checked_any_given, checked_all_given, checked_one_given;

/* The tensors are not OWNED_BY_DML. */
checked_judge checked_not_owned;

/* A fused activation is one that may be fused, at the level; it has neither input nor output, and all of its
   attributes. */
checked_judge checked_fusable;

/* The ScaleBias of a fused activation: DirectML 1.15.4 refuses one with a Scale other than 1 and a Bias other than 0,
   and ignores the others. */
checked_judge checked_fused_scale_refused, checked_fused_scale_ignored;

/* Report that a rule is broken; of one with `until`, that it is no longer at that level. */
void checked_violate(const checked_rule *rule, ts_report *report, int tensor, int axis, const char *format, ...)
    TS_PRINTF(5, 6);

/* Say of the violation just reported that the clause allows only this size at its axis; nothing if none has it. */
void checked_require(ts_report *report, wide required);

/* Value i of the attribute of this name; `otherwise` where there is none. */
int64_t checked_value(const ts_descriptor *d, const char *attr, unsigned i, int64_t otherwise);

/* Report a size that is not as expected: "OutputTensor.Sizes[1] = 3 is not WHY = 4". A size of 0 is BUF-06. */
void checked_expect(const ts_descriptor *d, const checked_rule *rule, ts_report *report, int tensor, uint32_t axis,
                    wide expected, const char *why);

/* ---- rules about sizes, checked_sizes.c ---- */

/* Output `number` (a tensor's index) has size 1 along the axes of the list `attr`, else the sizes of the tensor. */
checked_judge checked_reduced;

/* The second of the tensors has the sizes of the first, but along the axis `attr`: there K (checked_top_k), 1
   (checked_one_along), or anything (checked_alike_but). */
checked_judge checked_top_k, checked_one_along, checked_alike_but;

/* The members of the list OutputTensors are parts of the InputTensor along Axis, and these are the whole of it. */
checked_judge checked_splits;

/* The second of the tensors has the sizes of the first, plus StartPadding and EndPadding, or times Repeats. */
checked_judge checked_padded, checked_tiled;

/* A mode of padding exists at the level. */
checked_judge checked_padding_level;

/* SLICE: the last element of Offsets, Sizes and Strides is in the InputTensor, and Sizes are those of the OutputTensor.
   SLICE_GRAD: the window is in the OutputGradientTensor, and InputGradientTensor has sizes that SLICE1 may have. */
checked_judge checked_sliced, checked_slice_grad;

/* A, B and the output are matrices that can be multiplied, as TransA and TransB say, in equal batches. */
checked_judge checked_multiplied;

/* The tensor has more than one element; K is at most its size along Axis. */
checked_judge checked_two_values, checked_k;

/* P is 1 or 2; ReductionFunction is AVERAGE or MAX; 1 <= MinimumSamplesPerOutput <= MaximumSamplesPerOutput. */
checked_judge checked_p, checked_reduction, checked_samples;

/* ROI_ALIGN_GRAD: InputTensor is given where OutputROIGradientTensor is, and where ReductionFunction is MAX. */
checked_judge checked_roi_input;

/* Coordinates of the non-zero elements: { 1, ..., elements of the input, dimensions }. */
checked_judge checked_coordinates;

/* REDUCE, checked_reduce.c: the types of InputTensor and OutputTensor agree, but of ARGMIN and ARGMAX; they are those
   of the function. */
checked_judge checked_reduced_equal, checked_reduced_types;

/* ---- rules about windows, checked_windows.c ---- */

/* Tensor `number` has the sizes that pooling tensor `attr` gives, by Strides, WindowSize, StartPadding, EndPadding and
   Dilations: (size + StartPadding + EndPadding - window) / stride + 1. */
checked_judge checked_pooled;

/* Convolution: the batches agree; batches, unless `number` is not 0, channels and groups agree; the spatial sizes are
   those of the convolution; OutputPadding is less than they are. */
checked_judge checked_one_batch, checked_convolved, checked_convolved_sizes, checked_output_padding;

/* FOLD, UNFOLD: tensor `attr` is the picture, tensor `number` its blocks. */
checked_judge checked_unfolded;

/* ---- rules about recurrent networks, checked_recurrent.c ---- */

/* num_directions is 2 where Direction is BIDIRECTIONAL, else 1; there are `number` activations for each. */
checked_judge checked_directions, checked_activations;

/* ---- rules about attention, checked_attention.c ---- */

/* checked_shape of MaskTensor, where the attribute, MaskType, is `number`; without a shape, it is not given there. */
checked_judge checked_mask;

/* checked_shape, but not where PastSequenceLengthsTensor is given. */
checked_judge checked_present;

/* KeyValueHeadCount divides QueryHeadCount. */
checked_judge checked_head_counts;

/* With PastSequenceLengthsTensor, both present tensors are given, as long as each other and at least as the keys; and
   none of the tensors of the rule. */
checked_judge checked_past_lengths;

/* ---- declarations ------------------------------------------------------------------------------------------- */

#define T_F16 TS_DTYPE_BIT(TS_FLOAT16)
#define T_F32 TS_DTYPE_BIT(TS_FLOAT32)
#define T_F64 TS_DTYPE_BIT(TS_FLOAT64)
#define T_I4  TS_DTYPE_BIT(TS_INT4)
#define T_I8  TS_DTYPE_BIT(TS_INT8)
#define T_I16 TS_DTYPE_BIT(TS_INT16)
#define T_I32 TS_DTYPE_BIT(TS_INT32)
#define T_I64 TS_DTYPE_BIT(TS_INT64)
#define T_U4  TS_DTYPE_BIT(TS_UINT4)
#define T_U8  TS_DTYPE_BIT(TS_UINT8)
#define T_U16 TS_DTYPE_BIT(TS_UINT16)
#define T_U32 TS_DTYPE_BIT(TS_UINT32)
#define T_U64 TS_DTYPE_BIT(TS_UINT64)

/* A formula of elements (each.h). */
typedef struct each each;
typedef uint64_t each_formula(const each *e);

/* What each output element is, of an operator that is computed by a formula. */
typedef struct each_semantics {
    each_formula *element; /* NULL: the operator is not computed by one */
    each_formula *open;    /* not 0 where the specification leaves the element undefined; NULL: nowhere */
    bool flushes;          /* FLOAT32 denormals of the inputs may count as zeros of their sign */
} each_semantics;

/* Of an operator that moves elements: store the coordinate of the input's element that is the output's at `to`, along
   each dimension of the input. The descriptor is legal at some feature level. */
typedef void source_rule(const ts_descriptor *d, const uint64_t *to, uint64_t *from);

/* The clauses that every operator has: of its feature level and required fields, and of dimension counts, data types,
   enumerations and lists. */
typedef struct checked_common {
    const char *exists, *dims, *types, *names, *lists;
} checked_common;

typedef struct checked_operator {
    ts_operator op;    /* Must be first: checked_check() casts back. */
    uint32_t value;    /* of its DML_OPERATOR_TYPE */
    const char *order; /* of the structure's fields: a 't' for the next tensor or list of tensors, an 'a' for the next
                          attribute */
    unsigned rule_count;
    const checked_rule *rules;
    const checked_common *common; /* NULL: OP-01 to OP-05 */
    each_semantics semantics;     /* of an operator that is computed by a formula */
    source_rule *source;          /* of one that moves elements */
} checked_operator;

/* ts_operator.check, .explain, .shape and .solve of every one of them. */
void checked_check(const ts_descriptor *d, ts_report *report);
void checked_explain(const ts_descriptor *d, ts_explanation *out);
bool checked_shapes(ts_descriptor *d);
uint32_t checked_solve(ts_descriptor *d, uint32_t open, ts_bound bounds[TS_MAX_TENSORS][TS_MAX_DIMS]);

/* What follows in `explain` of an operator that is computed by a formula, and of one that moves elements. */
void each_explain(const ts_descriptor *d, ts_explanation *out);
void source_explain(const ts_descriptor *d, ts_explanation *out);

/* What the rules determine of sizes that are 0 because a descriptor leaves them open (checked_solve). */
typedef struct ts_solution {
    ts_tensor *tensors; /* of the descriptor that is solved */
    uint32_t open;      /* a bit each: the outputs whose sizes are open */
    ts_bound (*bounds)[TS_MAX_DIMS]; /* of each tensor, of what remains open; may be NULL */
} ts_solution;

/* The rule that is judged requires this size: store it where it is open. */
void checked_solved(const ts_report *report, int tensor, uint32_t axis, wide size);

/* It requires one within least and most, or at least `least` where most is 0. */
void checked_bounded(const checked_rule *rule, const ts_report *report, int tensor, uint32_t axis, wide least,
                     wide most);

/* The operators that may be fused, then NULL (checked_fusable.c): into CONVOLUTION more than into others, and into GEMM
   even more. */
extern const ts_operator *const checked_fusable_any[], *const checked_fusable_convolution[];
extern const ts_operator *const checked_fusable_gemm[];

/* The feature level from which on one of them may be fused. */
ts_level checked_fused_from(const ts_operator *fused);

/* clang-format off */
#define CHECKED_CLAUSES CHECKED_CLAUSES_OF(TS_IMPLIED, CHECKED_LENGTHS_STATED)
#define CHECKED_CLAUSES_OF(lengths, why) \
    CHECKED_EXISTS_AND_DIMS, \
    { "OP-03", "every tensor's DataType is one of the feature level's row", \
      CHECKED_PAGE, "Tensor support", TS_STATED, .result = TS_RESULT_INVALID }, \
    CHECKED_NAMES_AND_LENGTHS(lengths, why)
/* The same where the page's support table has no data types. */
#define CHECKED_CLAUSES_UNTYPED \
    CHECKED_EXISTS_AND_DIMS, \
    CHECKED_OBSERVED("OP-03", "every tensor's DataType is one that DirectML 1.15.4 takes", \
                     "the page's support table names no data types"), \
    CHECKED_NAMES_AND_LENGTHS(TS_IMPLIED, CHECKED_LENGTHS_STATED)
#define CHECKED_EXISTS_AND_DIMS \
    { "OP-01", "the operator exists from the first feature level of its support table on; only optional fields " \
      "may be missing", CHECKED_PAGE, "Availability", TS_STATED, .result = TS_RESULT_INVALID }, \
    { "OP-02", "every tensor's DimensionCount is one of the feature level's row", \
      CHECKED_PAGE, "Tensor support", TS_STATED, .result = TS_RESULT_INVALID }
#define CHECKED_NAMES_AND_LENGTHS(lengths, why) \
    { "OP-04", "an enumeration has one of its values", \
      CHECKED_PAGE, "Members", TS_STATED, .result = TS_RESULT_INVALID }, \
    { "OP-05", "no list is longer than what it describes", \
      CHECKED_PAGE, "Members", lengths, .result = TS_RESULT_INVALID, .ground = why }

/* Why a list is too long: its count is said to be another one. Of a list of axes, it is not. */
#define CHECKED_LENGTHS_STATED "the page says how many values each list has, which are at most 8"
#define CHECKED_AXES \
    TS_DECIDED, "no sentence says that an axis may not be named twice; Touchstone reads 8 of them"

/* What a row of a support table says of two to eight tensors alike. */
#define CHECKED_2(...) __VA_ARGS__, __VA_ARGS__
#define CHECKED_3(...) CHECKED_2(__VA_ARGS__), __VA_ARGS__
#define CHECKED_4(...) CHECKED_3(__VA_ARGS__), __VA_ARGS__
#define CHECKED_5(...) CHECKED_4(__VA_ARGS__), __VA_ARGS__
#define CHECKED_6(...) CHECKED_5(__VA_ARGS__), __VA_ARGS__
#define CHECKED_7(...) CHECKED_6(__VA_ARGS__), __VA_ARGS__
#define CHECKED_8(...) CHECKED_7(__VA_ARGS__), __VA_ARGS__

/* The clauses, with OP-06 and OP-07, of tensors that have the same DataType and DimensionCount; and with OP-08 of such
   that have the same Sizes, too. TENSORS names them: "InputTensor and OutputTensor". Rules take a bit for each. */
#define CHECKED_COMPARABLE(TENSORS) CHECKED_CLAUSES, CHECKED_SAME_TYPE_AND_RANK(TENSORS)
#define CHECKED_SAME_TYPE_AND_RANK(TENSORS) \
    CHECKED_CLAUSE("OP-06", TENSORS " have the same DataType", "Tensor constraints"), \
    CHECKED_CLAUSE("OP-07", TENSORS " have the same DimensionCount", "Tensor constraints")
#define CHECKED_ALIKE(TENSORS) CHECKED_CLAUSES, CHECKED_SAME_SHAPE(TENSORS)
#define CHECKED_SAME_SHAPE(TENSORS) \
    CHECKED_SAME_TYPE_AND_RANK(TENSORS), \
    CHECKED_CLAUSE("OP-08", TENSORS " have the same Sizes", "Tensor constraints")
/* The same where the operator has a list of axes. */
#define CHECKED_CLAUSES_AXES             CHECKED_CLAUSES_PAIR(CHECKED_AXES)
#define CHECKED_CLAUSES_PAIR(pair)       CHECKED_CLAUSES_OF(pair)
#define CHECKED_COMPARABLE_AXES(TENSORS) CHECKED_CLAUSES_AXES, CHECKED_SAME_TYPE_AND_RANK(TENSORS)
#define CHECKED_ALIKE_AXES(TENSORS)      CHECKED_CLAUSES_AXES, CHECKED_SAME_SHAPE(TENSORS)
#define CHECKED_COMPARABLE_RULES(bits) \
    { "OP-06", checked_same_type, .tensors = bits }, { "OP-07", checked_same_rank, .tensors = bits }
#define CHECKED_ALIKE_RULES(bits) CHECKED_COMPARABLE_RULES(bits), { "OP-08", checked_same_sizes, .tensors = bits }
/* clang-format on */

#define CHECKED_PAGE OPERATOR_OWN_PAGE
#define CHECKED_CLAUSE(id_, text_, section_)                                                                           \
    {                                                                                                                  \
        id_, text_, CHECKED_PAGE, section_, TS_STATED, .result = TS_RESULT_INVALID                                     \
    }
/* What an operator computes: no descriptor breaks it. */
#define CHECKED_FORMULA(id_, text_, section_, ground_)                                                                 \
    {                                                                                                                  \
        id_, text_, CHECKED_PAGE, section_, TS_IMPLIED, .result = TS_RESULT_NONE, .ground = ground_                    \
    }
/* What the page's sentences, formulas or examples leave no other reading of. */
#define CHECKED_IMPLIED(id_, text_, section_, ground_)                                                                 \
    {                                                                                                                  \
        id_, text_, CHECKED_PAGE, section_, TS_IMPLIED, .result = TS_RESULT_INVALID, .ground = ground_                 \
    }
/* What no page says: our decision, one that DirectML 1.15.4 was seen to refuse, too, one that is only worth reporting,
   and what DirectML 1.15.4 was seen to refuse. */
#define CHECKED_DECISION(id_, text_, ground_) CHECKED_DECIDED(id_, text_, TS_RESULT_INVALID, ground_, NULL)
#define CHECKED_DECISION_REFUSED(id_, text_, ground_)                                                                  \
    CHECKED_DECIDED(id_, text_, TS_RESULT_INVALID, ground_, "DirectML 1.15.4")
#define CHECKED_WARNING(id_, text_, ground_) CHECKED_DECIDED(id_, text_, TS_RESULT_WARNING, ground_, NULL)
#define CHECKED_DECIDED(id_, text_, result_, ground_, by_)                                                             \
    {                                                                                                                  \
        id_, text_, "no page", "a decision of Touchstone", TS_DECIDED, .result = result_, .ground = ground_,           \
            .refused_by = by_                                                                                          \
    }
#define CHECKED_OBSERVED(id_, text_, ground_)                                                                          \
    {                                                                                                                  \
        id_, text_, "no page", "observed in DirectML 1.15.4", TS_OBSERVED, .result = TS_RESULT_INVALID,                \
            .ground = ground_, .refused_by = "DirectML 1.15.4"                                                         \
    }

/* The clauses of the ScaleBias of a FusedActivation, which is attribute `attr`, and their rules. */
#define CHECKED_FUSED_SCALE(refused, ignored)                                                                          \
    { refused, "of a FusedActivation's ScaleBias, Scale is 1 or Bias is 0", "no page", "observed in DirectML 1.15.4", \
      TS_OBSERVED, .result = TS_RESULT_INVALID, .suggest = checked_suggest_no_scale,                                   \
      .ground = "no page says what ScaleBias does in a fused activation", .refused_by = "DirectML 1.15.4" },           \
    { ignored, "a FusedActivation's ScaleBias has an effect", "no page", "observed in DirectML 1.15.4",               \
      TS_OBSERVED, .result = TS_RESULT_WARNING, .suggest = checked_suggest_no_scale,                                   \
      .ground = "no page says what ScaleBias does in a fused activation" }
#define CHECKED_FUSED_SCALE_RULES(refused, ignored, attr_)                                                             \
    { refused, checked_fused_scale_refused, .attr = attr_ },                                                           \
    { ignored, checked_fused_scale_ignored, .attr = attr_, .warns = true }
extern ts_suggest checked_suggest_no_scale;
#define CHECKED_COUNT(array) (sizeof(array) / sizeof *(array))

/* The operator dml.LOWER, whose structure is DML_UPPER_OPERATOR_DESC and whose type is VALUE. Its tensors, support and
   clauses are the arrays of these names; ATTRS is CHECKED_NO_ATTRS or CHECKED_ATTRS(array, structure). Behind them come
   CHECKED_RULES(array) or CHECKED_NO_RULES and, of an operator that is computed, what each.h says. */
#define CHECKED(LOWER, UPPER, VALUE, ORDER, TENSORS, LISTS, ATTRS, SUPPORT, CLAUSES, ...)                              \
    {                                                                                                                  \
        .op = { .name = "dml." LOWER,                                                                                  \
                .title = "DML_" UPPER "_OPERATOR_DESC",                                                                \
                .page =                                                                                                \
                    "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_" LOWER "_operator_desc",  \
                .tensor_count = CHECKED_COUNT(TENSORS),                                                                \
                .tensors = TENSORS,                                                                                    \
                LISTS,                                                                                                 \
                ATTRS,                                                                                                 \
                .support_count = CHECKED_COUNT(SUPPORT),                                                               \
                .support = SUPPORT,                                                                                    \
                .clause_count = CHECKED_COUNT(CLAUSES),                                                                \
                .clauses = CLAUSES,                                                                                    \
                .shared_count = DML_CLAUSE_COUNT,                                                                      \
                .shared = dml_clauses,                                                                                 \
                .explain = checked_explain,                                                                            \
                .check = checked_check,                                                                                \
                .shape = checked_shapes,                                                                               \
                .solve = checked_solve },                                                                              \
        .value = VALUE, .order = ORDER, __VA_ARGS__                                                                    \
    }
#define CHECKED_NO_ATTRS .attr_count = 0
#define CHECKED_ATTRS(array, structure)                                                                                \
    .attr_count = CHECKED_COUNT(array), .attrs = array, .attrs_size = sizeof(structure)
#define CHECKED_RULES(array) .rule_count = CHECKED_COUNT(array), .rules = array
#define CHECKED_NO_RULES     .rule_count = 0
#define CHECKED_NO_LISTS     .list_count = 0
#define CHECKED_LISTS(array) .list_count = CHECKED_COUNT(array), .lists = array

/* Tensors, which have no short names. */
#define CHECKED_INPUT(name)                                                                                            \
    {                                                                                                                  \
        name, name, TS_INPUT, false                                                                                    \
    }
#define CHECKED_OPTIONAL_INPUT(name)                                                                                   \
    {                                                                                                                  \
        name, name, TS_INPUT, true                                                                                     \
    }
#define CHECKED_OUTPUT(name)                                                                                           \
    {                                                                                                                  \
        name, name, TS_OUTPUT, false                                                                                   \
    }
#define CHECKED_OPTIONAL_OUTPUT(name)                                                                                  \
    {                                                                                                                  \
        name, name, TS_OUTPUT, true                                                                                    \
    }

/* Attributes: fields of the structure s. */
#define CHECKED_SCALAR(type_, s, f)                                                                                    \
    {                                                                                                                  \
#f, #f, type_, TS_SCALAR, .offset = offsetof(s, f), .capacity = 1                                              \
    }
#define CHECKED_U32(s, f)  CHECKED_SCALAR(TS_ATTR_U32, s, f)
#define CHECKED_I32(s, f)  CHECKED_SCALAR(TS_ATTR_I32, s, f)
#define CHECKED_F32(s, f)  CHECKED_SCALAR(TS_ATTR_F32, s, f)
#define CHECKED_BOOL(s, f) CHECKED_SCALAR(TS_ATTR_BOOL, s, f)
#define CHECKED_ENUM(s, f, names_)                                                                                     \
    {                                                                                                                  \
#f, #f, TS_ATTR_U32, TS_SCALAR, .offset = offsetof(s, f), .capacity = 1, .names = names_                       \
    }
#define CHECKED_COUNTER(s, f)                                                                                          \
    {                                                                                                                  \
#f, #f, TS_ATTR_U32, TS_SCALAR, .offset = offsetof(s, f), .capacity = 1, .counts = true                        \
    }
#define CHECKED_LIST(type_, s, f, counter)                                                                             \
    {                                                                                                                  \
#f, #f, type_, TS_ARRAY, .offset = offsetof(s, f), .count_offset = offsetof(s, counter),                       \
                                 .capacity = sizeof(((s *)0)->f) / sizeof(((s *)0)->f[0])                              \
    }
#define CHECKED_UNION(s, f, type_field)                                                                                \
    {                                                                                                                  \
#f, #f, TS_ATTR_UNION, TS_SCALAR, .offset = offsetof(s, f), .capacity = 1,                                     \
                                          .type_offset = offsetof(s, type_field)                                       \
    }
#define CHECKED_RECORD(type_, s, f, members_, optional_)                                                               \
    {                                                                                                                  \
#f, #f, type_, TS_RECORD, .offset = offsetof(s, f), .capacity = CHECKED_COUNT(members_),                       \
                                  .optional = optional_, .members = members_                                           \
    }
#define CHECKED_FUSED(s, f, operators_)                                                                                \
    {                                                                                                                  \
#f, #f, TS_ATTR_OPERATOR, TS_SCALAR, .offset = offsetof(s, f), .capacity = 1, .optional = true,                \
                                             .operators = operators_                                                   \
    }
#define CHECKED_NESTED_LIST(s, f, counter, operators_)                                                                 \
    {                                                                                                                  \
#f, #f, TS_ATTR_OPERATOR, TS_ARRAY, .offset = offsetof(s, f), .count_offset = offsetof(s, counter),            \
                                            .capacity = sizeof(((s *)0)->f) / sizeof(((s *)0)->f[0]),                  \
                                            .operators = operators_                                                    \
    }

/* The names of enumerations' values, in order of value (checked_names.c). */
extern const char *const checked_data_types[],
    *const checked_axis_direction[], *const checked_interpolation_mode[],
                                         *const checked_reduce_function[],
                                             *const checked_recurrent_network_direction[],
                                                 *const checked_depth_space_order[],
                                                     *const checked_quantization_type[],
                                                         *const checked_matrix_transform[],
                                                             *const checked_multihead_attention_mask_type[],
                                                                 *const checked_padding_mode[],
                                                                     *const checked_convolution_mode[],
                                                                         *const checked_convolution_direction[],
                                                                             *const checked_is_infinity_mode[],
                                                                                 *const checked_rounding_mode[];
extern const char *const checked_scale_bias[2], *const checked_size_2d[2];

#endif
