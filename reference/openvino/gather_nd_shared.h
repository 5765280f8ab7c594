/* SPDX-License-Identifier: Apache-2.0 */
/* What GatherND-5 and GatherND-8 share. They differ in the shape of the output, in which GatherND-5 makes one dimension
   of all batches. */
#ifndef TOUCHSTONE_OPENVINO_GATHER_ND_SHARED_H
#define TOUCHSTONE_OPENVINO_GATHER_ND_SHARED_H

#include "harness/model/operator.h"
#include "harness/model/suggest.h"
#include "reference/openvino_index.h"

/* The places of the clauses in the tables of both operators. */
enum {
    ND_GIVEN,
    ND_DIMS,
    ND_TYPE,
    ND_INDEX_TYPE,
    ND_BYTES,
    ND_BATCH,
    ND_BATCH_SIZES,
    ND_TUPLE,
    ND_SHAPE,
    ND_FORMULA,
    ND_INDEX,
    ND_BEYOND,
    ND_BITS,
    ND_HAS_INDEX,
    ND_BROADCAST,
    ND_FLAT,               /* of GatherND-5 alone */
    ND_NEGATIVE = ND_FLAT, /* of GatherND-8 alone */
};

/* The clauses with the same words in both. prefix: of the ids. */
/* clang-format off */
#define OPENVINO_GATHER_ND_CLAUSES(prefix)                                                                             \
    [ND_GIVEN] = { prefix "-01", "data and indices are given, and every tensor has a shape",                           \
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },                                                        \
    [ND_DIMS] = { prefix "-02", "data and indices have a dimension; judged up to 8 dimensions of each, of less than "  \
                                "2^63 elements",                                                                       \
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },                                                        \
    [ND_TYPE] = { prefix "-03", "output has the type of data, which may be any type",                                  \
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID, .suggest = suggest_same_type },                           \
    [ND_INDEX_TYPE] = { prefix "-04", "indices have any integer type",                                                 \
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID },                                                         \
    [ND_BYTES] = { prefix "-05", "every tensor has as many bytes as its elements span",                                \
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_INVALID,                                                         \
      .ground = "arithmetic: a smaller buffer does not hold all elements" },                                           \
    [ND_BATCH] = { prefix "-06", "0 <= batch_dims < m, where m is the smaller rank of data and indices; if absent, "   \
                                 "it is 0",                                                                            \
      PAGE, "batch_dims", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_gather_nd_suggest_batch },       \
    [ND_BATCH_SIZES] = { prefix "-07", "the first batch_dims sizes of data and indices are the same, or one of them "  \
                                       "is 1 (edition " EDITION "; older ones demand equal sizes)",                    \
      PAGE, "batch_dims", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_gather_nd_suggest_batch_size },  \
    [ND_TUPLE] = { prefix "-08", "the last size of indices, of a tuple, is at most data's rank - batch_dims",          \
      PAGE, "Detailed description", TS_IMPLIED, .result = TS_RESULT_INVALID,                                           \
      .suggest = openvino_gather_nd_suggest_tuple,                                                                     \
      .ground = "indices.shape[-1] <= data.rank, and gathering starts behind the batches, as does the rule of the "    \
                "shape" },                                                                                             \
    [ND_FORMULA] = { prefix "-10", "output[b, i, x] = data[b, indices[b, i], x], where indices[b, i] is a tuple",      \
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },                                             \
    [ND_BEYOND] = { prefix "-12", "with another index, the call fails, or the elements that its tuple selects are "    \
                                  "undefined",                                                                         \
      PAGE, "Inputs", TS_DECIDED, .result = TS_RESULT_NONE,                                                            \
      .ground = "the page requires a range, and says nothing about other indices" },                                   \
    [ND_BITS] = { prefix "-13", "elements are copied bit for bit",                                                     \
      PAGE, "Outputs", TS_IMPLIED, .result = TS_RESULT_NONE,                                                           \
      .ground = "the operation gathers elements and inserts them, and the formula assigns without arithmetic" },       \
    [ND_HAS_INDEX] = { prefix "-15", "a tuple has an index",                                                           \
      PAGE, "Detailed description", TS_DECIDED, .result = TS_RESULT_INVALID,                                           \
      .suggest = openvino_gather_nd_suggest_tuple,                                                                     \
      .ground = "the page does not say whether indices.shape[-1] may be 0" },                                          \
    [ND_BROADCAST] = { prefix "-16", "a tensor with a single batch in a dimension has it for all batches of the "      \
                                     "other one, whose size output has there (edition " EDITION ")",                   \
      PAGE, "batch_dims", TS_IMPLIED, .result = TS_RESULT_NONE,                                                        \
      .ground = "one that equals 1 will be broadcast to the other dimension; the rule of the shape counts what is "    \
                "broadcast" }
/* clang-format on */

/* The members of the declaration that are the same for both. */
#define OPENVINO_GATHER_ND_MEMBERS                                                                                     \
    .tensor_count = 3, .tensors = openvino_gather_nd_tensors, .attr_count = 1, .attrs = openvino_gather_nd_attrs,      \
    .support_count = 1, .support = &openvino_gather_nd_support, .clause_count = sizeof clauses / sizeof clauses[0],    \
    .clauses = clauses, .openvino_types = true, .check = openvino_gather_nd_check, .shape = openvino_gather_nd_shape,  \
    .run = openvino_gather_nd_run, .explain = openvino_gather_nd_explain, .ir = &ir

#define OPENVINO_GATHER_ND_MOST_DIMS 8 /* of data and of indices */

/* What a legal descriptor says: the batches, the length of a tuple, and whether all batches are one dimension of
 * output.
 */
typedef struct openvino_gather_nd {
    uint32_t batch, tuple;
    bool flat;
} openvino_gather_nd;

/* Set *n; violations are added to report unless it is NULL. False if batch_dims or the tuple is illegal. data and
   indices have legal dimensions. */
bool openvino_gather_nd_place(const ts_descriptor *d, openvino_gather_nd *n, ts_report *report);

/* The id of the clause that is at this place in the operator's table. */
const char *openvino_gather_nd_clause(const ts_descriptor *d, unsigned place);

/* The size of dimension i of the batches, in the output: that of the tensor where it is not 1. */
uint64_t openvino_gather_nd_batches(const ts_descriptor *d, uint32_t i);

/* Set rank and sizes of the output, with these batches. False if a size exceeds 2^64 - 1. */
bool openvino_gather_nd_sizes(const ts_descriptor *d, const openvino_gather_nd *n, uint32_t *rank, uint64_t *sizes);

/* Which element of data becomes element `o` of output. *from is its coordinate, but for those that the tuple says,
   whose first index is the element of indices at *index. All TS_MAX_DIMS long; the descriptor is legal. */
void openvino_gather_nd_trace(const ts_descriptor *d, const openvino_gather_nd *n, const uint64_t *o, uint64_t *from,
                              uint64_t *index);

/* The element that the index at this coordinate of indices selects from a dimension of n elements. False if it selects
   none. */
bool openvino_gather_nd_selects(const ts_descriptor *d, const uint64_t *index, uint64_t n, uint64_t *at);

extern const ts_operator operator_openvino_gather_nd_5;
extern const ts_tensor_decl openvino_gather_nd_tensors[3];
extern const ts_attr_decl openvino_gather_nd_attrs[1];
extern const ts_support_row openvino_gather_nd_support;
void openvino_gather_nd_check(const ts_descriptor *d, ts_report *report);
bool openvino_gather_nd_shape(ts_descriptor *d);
void openvino_gather_nd_run(const ts_descriptor *d, ts_unspecified *unspecified);
ts_explain openvino_gather_nd_explain; /* gather_nd_explain.c */

/* gather_nd_suggest.c */
ts_suggest openvino_gather_nd_suggest_batch, openvino_gather_nd_suggest_batch_size, openvino_gather_nd_suggest_tuple;

/* gather_nd_interpretations.c */
#define OPENVINO_GATHER_ND_5_INTERPRETATIONS 3
#define OPENVINO_GATHER_ND_8_INTERPRETATIONS 2
extern const ts_interpretation openvino_gather_nd_5_interpretations[OPENVINO_GATHER_ND_5_INTERPRETATIONS];
extern const ts_interpretation openvino_gather_nd_8_interpretations[OPENVINO_GATHER_ND_8_INTERPRETATIONS];

#endif
