/* SPDX-License-Identifier: Apache-2.0 */
/* Recurrent networks. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_GRU_OPERATOR_DESC ---- */
static const ts_tensor_decl gru_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("WeightTensor"),
    CHECKED_INPUT("RecurrenceTensor"),
    CHECKED_OPTIONAL_INPUT("BiasTensor"),
    CHECKED_OPTIONAL_INPUT("HiddenInitTensor"),
    CHECKED_OPTIONAL_INPUT("SequenceLengthsTensor"),
    CHECKED_OPTIONAL_OUTPUT("OutputSequenceTensor"),
    CHECKED_OPTIONAL_OUTPUT("OutputSingleTensor"),
};
typedef struct gru {
    uint32_t ActivationDescCount;
    ts_nested_operator ActivationDescs[6];
    uint32_t Direction, LinearBeforeReset;
} gru;
static const ts_attr_decl gru_attrs[] = {
    CHECKED_COUNTER(gru, ActivationDescCount),
    CHECKED_NESTED_LIST(gru, ActivationDescs, ActivationDescCount, checked_fusable_any),
    CHECKED_ENUM(gru, Direction, checked_recurrent_network_direction),
    CHECKED_BOOL(gru, LinearBeforeReset),
};
static const ts_support_row gru_support[] = {
    { TS_LEVEL_1_0, { { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS },
        { 4, 4, DML_FLOATS }, { 4, 4, T_U32 }, { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS } } },
};
static const ts_clause gru_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "all tensors but SequenceLengthsTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "all tensors have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputTensor.Sizes = { 1, seq_length, batch_size, input_size }", "InputTensor"),
    CHECKED_CLAUSE("OP-09", "RecurrenceTensor.Sizes = { 1, num_directions, hidden_size_times, hidden_size }",
                   "RecurrenceTensor"),
    CHECKED_CLAUSE("OP-10", "WeightTensor.Sizes = { 1, num_directions, 3*hidden_size, input_size }", "WeightTensor"),
    CHECKED_CLAUSE("OP-11", "RecurrenceTensor.Sizes = { 1, num_directions, 3*hidden_size, hidden_size }",
                   "RecurrenceTensor"),
    CHECKED_CLAUSE("OP-12", "BiasTensor.Sizes = { 1, 1, num_directions, 6*hidden_size }", "BiasTensor"),
    CHECKED_CLAUSE("OP-13", "HiddenInitTensor and OutputSingleTensor.Sizes = { 1, num_directions, batch_size, "
                   "hidden_size }",
                   "HiddenInitTensor"),
    CHECKED_CLAUSE("OP-14", "SequenceLengthsTensor.Sizes = { 1, 1, 1, batch_size }", "SequenceLengthsTensor"),
    CHECKED_CLAUSE("OP-15", "OutputSequenceTensor.Sizes = { seq_length, num_directions, batch_size, hidden_size }",
                   "OutputSequenceTensor"),
    CHECKED_CLAUSE("OP-16", "num_directions is 2 where Direction is BIDIRECTIONAL, else 1", "Direction"),
    CHECKED_CLAUSE("OP-17", "ActivationDescCount = 2*num_directions", "ActivationDescs"),
    CHECKED_CLAUSE("OP-18", "no input is OWNED_BY_DML", "InputTensor"),
    CHECKED_CLAUSE("OP-19", "an element of ActivationDescs may be fused here, has neither InputTensor nor "
                   "OutputTensor, and has all other fields",
                   "ActivationDescs"),
    CHECKED_OBSERVED("OP-20", "at least one of OutputSequenceTensor and OutputSingleTensor is given",
                     "the page makes each of the outputs optional, and does not require one"),
};
static const checked_rule gru_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0xdf },
    { "OP-07", checked_same_rank, .tensors = 0xff },
    { "OP-08", checked_shape, .tensors = 0x1, .shape = "{ 1, seq_length, batch_size, input_size }" },
    { "OP-09", checked_shape, .tensors = 0x4, .shape = "{ 1, num_directions, hidden_size_times, hidden_size }" },
    { "OP-10", checked_shape, .tensors = 0x2, .shape = "{ 1, num_directions, 3*hidden_size, input_size }" },
    { "OP-11", checked_shape, .tensors = 0x4, .shape = "{ 1, num_directions, 3*hidden_size, hidden_size }" },
    { "OP-12", checked_shape, .tensors = 0x8, .shape = "{ 1, 1, num_directions, 6*hidden_size }" },
    { "OP-13", checked_shape, .tensors = 0x90, .shape = "{ 1, num_directions, batch_size, hidden_size }" },
    { "OP-14", checked_shape, .tensors = 0x20, .shape = "{ 1, 1, 1, batch_size }" },
    { "OP-15", checked_shape, .tensors = 0x40, .shape = "{ seq_length, num_directions, batch_size, hidden_size }" },
    { "OP-16", checked_directions, .attr = 0 },
    { "OP-17", checked_activations, .attr = 0, .number = 2 },
    { "OP-18", checked_not_owned, .tensors = 0x3f },
    { "OP-19", checked_fusable, .attr = 1 },
    { "OP-20", checked_any_given, .tensors = 0xc0 },
};
const checked_operator checked_dml_gru =
    CHECKED("gru", "GRU", 78, "ttttttttaaaa", gru_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(gru_attrs, gru), gru_support,
            gru_clauses, CHECKED_RULES(gru_rules));

/* ---- DML_LSTM_OPERATOR_DESC ---- */
static const ts_tensor_decl lstm_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("WeightTensor"),
    CHECKED_INPUT("RecurrenceTensor"),
    CHECKED_OPTIONAL_INPUT("BiasTensor"),
    CHECKED_OPTIONAL_INPUT("HiddenInitTensor"),
    CHECKED_OPTIONAL_INPUT("CellMemInitTensor"),
    CHECKED_OPTIONAL_INPUT("SequenceLengthsTensor"),
    CHECKED_OPTIONAL_INPUT("PeepholeTensor"),
    CHECKED_OPTIONAL_OUTPUT("OutputSequenceTensor"),
    CHECKED_OPTIONAL_OUTPUT("OutputSingleTensor"),
    CHECKED_OPTIONAL_OUTPUT("OutputCellSingleTensor"),
};
typedef struct lstm {
    uint32_t ActivationDescCount;
    ts_nested_operator ActivationDescs[6];
    uint32_t Direction;
    float ClipThreshold;
    uint32_t UseClipThreshold, CoupleInputForget;
} lstm;
static const ts_attr_decl lstm_attrs[] = {
    CHECKED_COUNTER(lstm, ActivationDescCount),
    CHECKED_NESTED_LIST(lstm, ActivationDescs, ActivationDescCount, checked_fusable_any),
    CHECKED_ENUM(lstm, Direction, checked_recurrent_network_direction),
    CHECKED_F32(lstm, ClipThreshold),
    CHECKED_BOOL(lstm, UseClipThreshold),
    CHECKED_BOOL(lstm, CoupleInputForget),
};
static const ts_support_row lstm_support[] = {
    { TS_LEVEL_1_0, { { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS },
        { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS }, { 4, 4, T_U32 }, { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS },
        { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS } } },
};
static const ts_clause lstm_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "all tensors but SequenceLengthsTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "all tensors have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputTensor.Sizes = { 1, seq_length, batch_size, input_size }", "InputTensor"),
    CHECKED_CLAUSE("OP-09", "RecurrenceTensor.Sizes = { 1, num_directions, hidden_size_times, hidden_size }",
                   "RecurrenceTensor"),
    CHECKED_CLAUSE("OP-10", "WeightTensor.Sizes = { 1, num_directions, 4*hidden_size, input_size }", "WeightTensor"),
    CHECKED_CLAUSE("OP-11", "RecurrenceTensor.Sizes = { 1, num_directions, 4*hidden_size, hidden_size }",
                   "RecurrenceTensor"),
    CHECKED_CLAUSE("OP-12", "BiasTensor.Sizes = { 1, 1, num_directions, 8*hidden_size }", "BiasTensor"),
    CHECKED_CLAUSE("OP-13", "HiddenInitTensor, OutputSingleTensor, CellMemInitTensor and "
                   "OutputCellSingleTensor.Sizes = { 1, num_directions, batch_size, hidden_size }",
                   "HiddenInitTensor"),
    CHECKED_CLAUSE("OP-14", "SequenceLengthsTensor.Sizes = { 1, 1, 1, batch_size }", "SequenceLengthsTensor"),
    CHECKED_CLAUSE("OP-15", "OutputSequenceTensor.Sizes = { seq_length, num_directions, batch_size, hidden_size }",
                   "OutputSequenceTensor"),
    CHECKED_CLAUSE("OP-16", "PeepholeTensor.Sizes = { 1, 1, num_directions, 3*hidden_size }", "PeepholeTensor"),
    CHECKED_CLAUSE("OP-17", "num_directions is 2 where Direction is BIDIRECTIONAL, else 1", "Direction"),
    CHECKED_CLAUSE("OP-18", "ActivationDescCount = 3*num_directions", "ActivationDescs"),
    CHECKED_CLAUSE("OP-19", "no input is OWNED_BY_DML", "InputTensor"),
    CHECKED_CLAUSE("OP-20", "an element of ActivationDescs may be fused here, has neither InputTensor nor "
                   "OutputTensor, and has all other fields",
                   "ActivationDescs"),
    CHECKED_OBSERVED("OP-21", "at least one of OutputSequenceTensor and OutputSingleTensor is given",
                     "the page makes each of the outputs optional, and does not require one"),
};
static const checked_rule lstm_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x7bf },
    { "OP-07", checked_same_rank, .tensors = 0x7ff },
    { "OP-08", checked_shape, .tensors = 0x1, .shape = "{ 1, seq_length, batch_size, input_size }" },
    { "OP-09", checked_shape, .tensors = 0x4, .shape = "{ 1, num_directions, hidden_size_times, hidden_size }" },
    { "OP-10", checked_shape, .tensors = 0x2, .shape = "{ 1, num_directions, 4*hidden_size, input_size }" },
    { "OP-11", checked_shape, .tensors = 0x4, .shape = "{ 1, num_directions, 4*hidden_size, hidden_size }" },
    { "OP-12", checked_shape, .tensors = 0x8, .shape = "{ 1, 1, num_directions, 8*hidden_size }" },
    { "OP-13", checked_shape, .tensors = 0x630, .shape = "{ 1, num_directions, batch_size, hidden_size }" },
    { "OP-14", checked_shape, .tensors = 0x40, .shape = "{ 1, 1, 1, batch_size }" },
    { "OP-15", checked_shape, .tensors = 0x100, .shape = "{ seq_length, num_directions, batch_size, hidden_size }" },
    { "OP-16", checked_shape, .tensors = 0x80, .shape = "{ 1, 1, num_directions, 3*hidden_size }" },
    { "OP-17", checked_directions, .attr = 0 },
    { "OP-18", checked_activations, .attr = 0, .number = 3 },
    { "OP-19", checked_not_owned, .tensors = 0xff },
    { "OP-20", checked_fusable, .attr = 1 },
    { "OP-21", checked_any_given, .tensors = 0x300 },
};
const checked_operator checked_dml_lstm =
    CHECKED("lstm", "LSTM", 77, "tttttttttttaaaaaa", lstm_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(lstm_attrs, lstm),
            lstm_support, lstm_clauses, CHECKED_RULES(lstm_rules));

/* ---- DML_RNN_OPERATOR_DESC ---- */
typedef struct rnn {
    uint32_t ActivationDescCount;
    ts_nested_operator ActivationDescs[6];
    uint32_t Direction;
} rnn;
static const ts_attr_decl rnn_attrs[] = {
    CHECKED_COUNTER(rnn, ActivationDescCount),
    CHECKED_NESTED_LIST(rnn, ActivationDescs, ActivationDescCount, checked_fusable_any),
    CHECKED_ENUM(rnn, Direction, checked_recurrent_network_direction),
};
static const ts_clause rnn_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "all tensors but SequenceLengthsTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "all tensors have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputTensor.Sizes = { 1, seq_length, batch_size, input_size }", "InputTensor"),
    CHECKED_CLAUSE("OP-09", "RecurrenceTensor.Sizes = { 1, num_directions, hidden_size, hidden_size }",
                   "RecurrenceTensor"),
    CHECKED_CLAUSE("OP-10", "WeightTensor.Sizes = { 1, num_directions, hidden_size, input_size }", "WeightTensor"),
    CHECKED_CLAUSE("OP-11", "BiasTensor.Sizes = { 1, 1, num_directions, 2*hidden_size }", "BiasTensor"),
    CHECKED_CLAUSE("OP-12", "HiddenInitTensor and OutputSingleTensor.Sizes = { 1, num_directions, batch_size, "
                   "hidden_size }",
                   "HiddenInitTensor"),
    CHECKED_CLAUSE("OP-13", "SequenceLengthsTensor.Sizes = { 1, 1, 1, batch_size }", "SequenceLengthsTensor"),
    CHECKED_CLAUSE("OP-14", "OutputSequenceTensor.Sizes = { seq_length, num_directions, batch_size, hidden_size }",
                   "OutputSequenceTensor"),
    CHECKED_CLAUSE("OP-15", "num_directions is 2 where Direction is BIDIRECTIONAL, else 1", "Direction"),
    CHECKED_CLAUSE("OP-16", "ActivationDescCount = num_directions", "ActivationDescs"),
    CHECKED_CLAUSE("OP-17", "no input is OWNED_BY_DML", "InputTensor"),
    CHECKED_CLAUSE("OP-18", "an element of ActivationDescs may be fused here, has neither InputTensor nor "
                   "OutputTensor, and has all other fields",
                   "ActivationDescs"),
    CHECKED_OBSERVED("OP-19", "at least one of OutputSequenceTensor and OutputSingleTensor is given",
                     "the page makes each of the outputs optional, and does not require one"),
};
static const checked_rule rnn_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0xdf },
    { "OP-07", checked_same_rank, .tensors = 0xff },
    { "OP-08", checked_shape, .tensors = 0x1, .shape = "{ 1, seq_length, batch_size, input_size }" },
    { "OP-09", checked_shape, .tensors = 0x4, .shape = "{ 1, num_directions, hidden_size, hidden_size }" },
    { "OP-10", checked_shape, .tensors = 0x2, .shape = "{ 1, num_directions, hidden_size, input_size }" },
    { "OP-11", checked_shape, .tensors = 0x8, .shape = "{ 1, 1, num_directions, 2*hidden_size }" },
    { "OP-12", checked_shape, .tensors = 0x90, .shape = "{ 1, num_directions, batch_size, hidden_size }" },
    { "OP-13", checked_shape, .tensors = 0x20, .shape = "{ 1, 1, 1, batch_size }" },
    { "OP-14", checked_shape, .tensors = 0x40, .shape = "{ seq_length, num_directions, batch_size, hidden_size }" },
    { "OP-15", checked_directions, .attr = 0 },
    { "OP-16", checked_activations, .attr = 0, .number = 1 },
    { "OP-17", checked_not_owned, .tensors = 0x3f },
    { "OP-18", checked_fusable, .attr = 1 },
    { "OP-19", checked_any_given, .tensors = 0xc0 },
};
const checked_operator checked_dml_rnn =
    CHECKED("rnn", "RNN", 76, "ttttttttaaa", gru_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(rnn_attrs, rnn), gru_support,
            rnn_clauses, CHECKED_RULES(rnn_rules));
