/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operators of DirectML that a call can name: a row for each, and all fields of its descriptor in their order.
 * D is DirectML's structure and A the suite's attributes, whose fields have the same names.
 */
#include "backends/directml/describe.h"

#include "reference/dml/cumulative_summation.h"
#include "reference/dml/element_wise_identity.h"
#include "reference/dml/gather.h"
#include "reference/dml/gather_elements.h"
#include "reference/dml/gather_nd.h"
#include "reference/dml/gather_nd1.h"
#include "reference/dml/join.h"
#include "reference/dml/random_generator.h"
#include "reference/dml/scatter_elements.h"
#include "reference/dml/scatter_nd.h"
#include "reference/dml/slice1.h"

#define FIELD(kind, name)                                                                                              \
    {                                                                                                                  \
        kind, offsetof(D, name), sizeof(((const D *)0)->name), 0, 0                                                    \
    }
#define ATTRIBUTE(kind, name)                                                                                          \
    {                                                                                                                  \
        kind, offsetof(D, name), sizeof(((const D *)0)->name), offsetof(A, name), sizeof(((const A *)0)->name)         \
    }
#define INPUT(name)  FIELD(DESCRIBE_INPUT, name)
#define OUTPUT(name) FIELD(DESCRIBE_OUTPUT, name)
#define INPUTS(name) FIELD(DESCRIBE_INPUTS, name)
#define ABSENT(name) FIELD(DESCRIBE_NULL, name) /* no call states it */
#define NUMBER(name) ATTRIBUTE(DESCRIBE_NUMBER, name)
#define COUNT(name)  ATTRIBUTE(DESCRIBE_COUNT, name)
#define ARRAY(name)  ATTRIBUTE(DESCRIBE_ARRAY, name)

#define D DML_SLICE1_OPERATOR_DESC
#define A ts_dml_slice1
static const describe_field slice1[] = {
    INPUT(InputTensor),        OUTPUT(OutputTensor),    COUNT(DimensionCount),
    ARRAY(InputWindowOffsets), ARRAY(InputWindowSizes), ARRAY(InputWindowStrides)
};
#undef D
#undef A

#define D DML_GATHER_OPERATOR_DESC
#define A ts_dml_gather
static const describe_field gather[] = { INPUT(InputTensor), INPUT(IndicesTensor), OUTPUT(OutputTensor), NUMBER(Axis),
                                         NUMBER(IndexDimensions) };
#undef D
#undef A

#define D DML_GATHER_ELEMENTS_OPERATOR_DESC
#define A ts_dml_gather_elements
static const describe_field gather_elements[] = { INPUT(InputTensor), INPUT(IndicesTensor), OUTPUT(OutputTensor),
                                                  NUMBER(Axis) };
#undef D
#undef A

#define D DML_GATHER_ND_OPERATOR_DESC
#define A ts_dml_gather_nd
static const describe_field gather_nd[] = { INPUT(InputTensor), INPUT(IndicesTensor), OUTPUT(OutputTensor),
                                            NUMBER(InputDimensionCount), NUMBER(IndicesDimensionCount) };
#undef D
#undef A

#define D DML_GATHER_ND1_OPERATOR_DESC
#define A ts_dml_gather_nd1
static const describe_field gather_nd1[] = {
    INPUT(InputTensor),          INPUT(IndicesTensor),          OUTPUT(OutputTensor),
    NUMBER(InputDimensionCount), NUMBER(IndicesDimensionCount), NUMBER(BatchDimensionCount)
};
#undef D
#undef A

#define D DML_SCATTER_ELEMENTS_OPERATOR_DESC
#define A ts_dml_scatter_elements
static const describe_field scatter_elements[] = { INPUT(InputTensor), INPUT(IndicesTensor), INPUT(UpdatesTensor),
                                                   OUTPUT(OutputTensor), NUMBER(Axis) };
#undef D
#undef A

#define D DML_SCATTER_ND_OPERATOR_DESC
#define A ts_dml_scatter_nd
static const describe_field scatter_nd[] = { INPUT(InputTensor),          INPUT(IndicesTensor),
                                             INPUT(UpdatesTensor),        OUTPUT(OutputTensor),
                                             NUMBER(InputDimensionCount), NUMBER(IndicesDimensionCount) };
#undef D
#undef A

#define D DML_JOIN_OPERATOR_DESC
#define A ts_dml_join
static const describe_field join[] = { COUNT(InputCount), INPUTS(InputTensors), OUTPUT(OutputTensor), NUMBER(Axis) };
#undef D
#undef A

#define D DML_CUMULATIVE_SUMMATION_OPERATOR_DESC
#define A ts_dml_cumulative_summation
static const describe_field cumulative_summation[] = { INPUT(InputTensor), OUTPUT(OutputTensor), NUMBER(Axis),
                                                       NUMBER(AxisDirection), NUMBER(HasExclusiveSum) };
#undef D
#undef A

#define D DML_RANDOM_GENERATOR_OPERATOR_DESC
#define A ts_dml_random_generator
static const describe_field random_generator[] = { INPUT(InputStateTensor), OUTPUT(OutputTensor),
                                                   OUTPUT(OutputStateTensor), NUMBER(Type) };
#undef D
#undef A

#define D DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC
static const describe_field identity[] = { INPUT(InputTensor), OUTPUT(OutputTensor), ABSENT(ScaleBias) };
#undef D

#define OPERATOR(name, type, tensors, inputs, desc, attrs, fields)                                                     \
    {                                                                                                                  \
        name, type, tensors, inputs, sizeof(desc), sizeof(attrs), sizeof(fields) / sizeof *(fields), fields            \
    }

const describe_operator describe_operators[] = {
    OPERATOR("dml.slice1", DML_OPERATOR_SLICE1, 2, 1, DML_SLICE1_OPERATOR_DESC, ts_dml_slice1, slice1),
    OPERATOR("dml.gather", DML_OPERATOR_GATHER, 3, 2, DML_GATHER_OPERATOR_DESC, ts_dml_gather, gather),
    OPERATOR("dml.gather_elements", DML_OPERATOR_GATHER_ELEMENTS, 3, 2, DML_GATHER_ELEMENTS_OPERATOR_DESC,
             ts_dml_gather_elements, gather_elements),
    OPERATOR("dml.gather_nd", DML_OPERATOR_GATHER_ND, 3, 2, DML_GATHER_ND_OPERATOR_DESC, ts_dml_gather_nd, gather_nd),
    OPERATOR("dml.gather_nd1", DML_OPERATOR_GATHER_ND1, 3, 2, DML_GATHER_ND1_OPERATOR_DESC, ts_dml_gather_nd1,
             gather_nd1),
    OPERATOR("dml.scatter_elements", DML_OPERATOR_SCATTER_ELEMENTS, 4, 3, DML_SCATTER_ELEMENTS_OPERATOR_DESC,
             ts_dml_scatter_elements, scatter_elements),
    OPERATOR("dml.scatter_nd", DML_OPERATOR_SCATTER_ND, 4, 3, DML_SCATTER_ND_OPERATOR_DESC, ts_dml_scatter_nd,
             scatter_nd),
    OPERATOR("dml.join", DML_OPERATOR_JOIN, 17, 16, DML_JOIN_OPERATOR_DESC, ts_dml_join, join),
    OPERATOR("dml.cumulative_summation", DML_OPERATOR_CUMULATIVE_SUMMATION, 2, 1,
             DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, ts_dml_cumulative_summation, cumulative_summation),
    OPERATOR("dml.random_generator", DML_OPERATOR_RANDOM_GENERATOR, 3, 1, DML_RANDOM_GENERATOR_OPERATOR_DESC,
             ts_dml_random_generator, random_generator),
    OPERATOR("dml.element_wise_identity", DML_OPERATOR_ELEMENT_WISE_IDENTITY, 2, 1,
             DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC, ts_dml_element_wise_identity, identity),
};
const size_t describe_operator_count = sizeof describe_operators / sizeof *describe_operators;
