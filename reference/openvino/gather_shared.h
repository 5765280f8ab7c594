/* SPDX-License-Identifier: Apache-2.0 */
/* What Gather-1, Gather-7 and Gather-8 share. Gather-1 is Gather-7 without batches, and Gather-8 is Gather-7 with an
   answer for every index. */
#ifndef TOUCHSTONE_OPENVINO_GATHER_SHARED_H
#define TOUCHSTONE_OPENVINO_GATHER_SHARED_H

#include "harness/model/operator.h"
#include "harness/model/suggest.h"
#include "reference/openvino_index.h"

/* The places of the clauses in the tables of all three operators. Gather-1 has no batches, and ends before them;
   Gather-7 ends before negative indices. */
enum {
    GATHER_GIVEN,
    GATHER_DIMS,
    GATHER_TYPE,
    GATHER_INDEX_TYPE,
    GATHER_BYTES,
    GATHER_AXIS,
    GATHER_SHAPE,
    GATHER_FORMULA,
    GATHER_INDEX,
    GATHER_BEYOND,
    GATHER_BITS,
    GATHER_1_CLAUSES,
    GATHER_BATCH = GATHER_1_CLAUSES,
    GATHER_BATCH_AXIS,
    GATHER_BATCH_SIZES,
    GATHER_7_CLAUSES,
    GATHER_NEGATIVE = GATHER_7_CLAUSES,
    GATHER_8_CLAUSES
};

/* The clauses with the same words in all three. prefix: of the ids. */
/* clang-format off */
#define OPENVINO_GATHER_CLAUSES(prefix)                                                                                \
    [GATHER_GIVEN] = { prefix "-01", "data, indices and axis are given, and every tensor has a shape",                 \
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },                                                        \
    [GATHER_DIMS] = { prefix "-02", "data has a dimension; judged up to 8 dimensions of data and 8 of indices, each "  \
                                    "of less than 2^63 elements",                                                      \
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_INVALID,                                                         \
      .ground = "an axis is at least -R and at most R - 1, and none is where R is 0" },                                \
    [GATHER_BYTES] = { prefix "-05", "every tensor has as many bytes as its elements span",                            \
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_INVALID,                                                         \
      .ground = "arithmetic: a smaller buffer does not hold all elements" },                                           \
    [GATHER_AXIS] = { prefix "-06", "-R <= axis < R, where R is the rank of data; a negative axis counts from R",      \
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_gather_suggest_axis },               \
    [GATHER_BITS] = { prefix "-11", "elements are copied bit for bit",                                                 \
      PAGE, "Outputs", TS_IMPLIED, .result = TS_RESULT_NONE,                                                           \
      .ground = "the output consists of elements of data, and the formula assigns without arithmetic" }

/* Where the page does not say what an index beyond the axis does. */
#define OPENVINO_GATHER_BEYOND(prefix)                                                                                 \
    [GATHER_BEYOND] = { prefix "-10", "with another index, the call fails, or the elements that it selects are "       \
                                      "undefined",                                                                     \
      PAGE, "Inputs", TS_DECIDED, .result = TS_RESULT_NONE,                                                            \
      .ground = "the page names a range, and nothing about other indices" }

/* The clauses that Gather-7 and Gather-8 have in the same words. */
#define OPENVINO_GATHER_BATCH_CLAUSES(prefix)                                                                          \
    [GATHER_TYPE] = { prefix "-03", "output has the type of data, which may be any type",                              \
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID, .suggest = suggest_same_type },                           \
    [GATHER_INDEX_TYPE] = { prefix "-04", "indices have any integer type",                                             \
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID },                                                         \
    [GATHER_SHAPE] = { prefix "-07", "output has the shape data[:axis] ++ indices[batch_dims:] ++ data[axis + 1:]",    \
      PAGE, "Outputs", TS_STATED, .result = TS_RESULT_INVALID },                                                       \
    [GATHER_FORMULA] = { prefix "-08", "output[p, i, q] = data[p, indices[b, i], q], where b is the beginning of p",   \
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },                                             \
    [GATHER_BATCH] = { prefix "-12", "-m <= batch_dims <= m, where m is the smaller rank of data and indices; a "      \
                                     "negative one counts from the rank of indices; if absent, it is 0",               \
      PAGE, "batch_dims", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_gather_suggest_batch },          \
    [GATHER_BATCH_AXIS] = { prefix "-13", "batch_dims <= axis, counted from the first dimension",                      \
      PAGE, "batch_dims", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_gather_suggest_batch_axis },     \
    [GATHER_BATCH_SIZES] = { prefix "-14", "the first batch_dims sizes of data and indices are the same",              \
      PAGE, "batch_dims", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_gather_suggest_batch_size }
/* clang-format on */

/* The members of the declaration that are the same for all three. */
#define OPENVINO_GATHER_MEMBERS                                                                                        \
    .tensor_count = 3, .tensors = openvino_gather_tensors, .support_count = 1, .support = &openvino_gather_support,    \
    .openvino_types = true, .check = openvino_gather_check, .shape = openvino_gather_shape,                            \
    .run = openvino_gather_run, .explain = openvino_gather_explain

#define OPENVINO_GATHER_MOST_DIMS 8 /* of data and of indices, so that the output has at most 15 */

/* The attributes, counted from the first dimension. */
typedef struct openvino_gather {
    uint32_t axis, batch;
} openvino_gather;

/* Set *g; violations are added to report unless it is NULL. False if an attribute is illegal. data has 1 to
   OPENVINO_GATHER_MOST_DIMS dimensions, and indices at most as many. */
bool openvino_gather_place(const ts_descriptor *d, openvino_gather *g, ts_report *report);

/* The id of the clause that is at this place in the operator's table. */
const char *openvino_gather_clause(const ts_descriptor *d, unsigned place);

/* Which element of data becomes element `o` of output. *from is its coordinate, but for the one at axis, which the
   element of indices at *index says. All TS_MAX_DIMS long; the descriptor is legal. */
void openvino_gather_trace(const ts_descriptor *d, const openvino_gather *g, const uint64_t *o, uint64_t *from,
                           uint64_t *index);

/* The element that the index at this coordinate of indices selects from a dimension of n elements. False if it selects
   none. */
bool openvino_gather_selects(const ts_descriptor *d, const uint64_t *index, uint64_t n, uint64_t *at);

extern const ts_tensor_decl openvino_gather_tensors[3];
extern const ts_support_row openvino_gather_support;
extern const ts_ir_list openvino_gather_ir_axis;
void openvino_gather_check(const ts_descriptor *d, ts_report *report);
bool openvino_gather_shape(ts_descriptor *d);
void openvino_gather_run(const ts_descriptor *d, ts_unspecified *unspecified);
ts_explain openvino_gather_explain; /* gather_explain.c */

/* gather_suggest.c */
ts_suggest openvino_gather_suggest_axis, openvino_gather_suggest_batch, openvino_gather_suggest_batch_axis,
    openvino_gather_suggest_batch_size;

/* gather_interpretations.c: of an index beyond the axis, which the pages of Gather-1 and Gather-7 leave open. */
#define OPENVINO_GATHER_INTERPRETATIONS 3
extern const ts_interpretation openvino_gather_1_interpretations[OPENVINO_GATHER_INTERPRETATIONS];
extern const ts_interpretation openvino_gather_7_interpretations[OPENVINO_GATHER_INTERPRETATIONS];

#endif
