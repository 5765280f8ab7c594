/* SPDX-License-Identifier: Apache-2.0 */
/* What ScatterNDUpdate-3, ScatterElementsUpdate-3 and ScatterUpdate-3 share. The output is a copy of data in which each
   element of updates replaces one that the indices select. */
#ifndef TOUCHSTONE_OPENVINO_SCATTER_SHARED_H
#define TOUCHSTONE_OPENVINO_SCATTER_SHARED_H

#include "harness/model/operator.h"
#include "harness/model/suggest.h"
#include "reference/openvino_index.h"

/* The places of the clauses in the tables of all three operators, and behind them of their own. */
enum {
    SCATTER_GIVEN,
    SCATTER_DIMS,
    SCATTER_TYPE,
    SCATTER_INDEX_TYPE,
    SCATTER_BYTES,
    SCATTER_OUTPUT,
    SCATTER_UPDATES,
    SCATTER_FORMULA,
    SCATTER_SEVERAL,
    SCATTER_INDEX,
    SCATTER_BEYOND,
    SCATTER_BITS,
    SCATTER_BOOLEAN,
    SCATTER_CLAUSES,
    SCATTER_TUPLE = SCATTER_CLAUSES, /* ScatterNDUpdate */
    SCATTER_AXIS = SCATTER_CLAUSES,  /* the other two */
    SCATTER_SIZES                    /* ScatterElementsUpdate */
};

/* The clauses with the same words in all three. prefix: of the ids. */
/* clang-format off */
#define OPENVINO_SCATTER_CLAUSES(prefix)                                                                               \
    [SCATTER_GIVEN] = { prefix "-01", "all inputs are given, and every tensor has a shape",                            \
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },                                                        \
    [SCATTER_TYPE] = { prefix "-03", "data, updates and output have one type, which is a numeric one",                 \
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_scatter_suggest_type },               \
    [SCATTER_BYTES] = { prefix "-05", "every tensor has as many bytes as its elements span",                           \
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_INVALID,                                                         \
      .ground = "arithmetic: a smaller buffer does not hold all elements" },                                           \
    [SCATTER_OUTPUT] = { prefix "-06", "output has the shape of data",                                                 \
      PAGE, "Outputs", TS_STATED, .result = TS_RESULT_INVALID },                                                       \
    [SCATTER_BEYOND] = { prefix "-11", "with another index the call may fail; if it does not, it writes nothing "      \
                                       "outside of the output, whose elements are undefined then",                     \
      PAGE, "Inputs", TS_DECIDED, .result = TS_RESULT_NONE, .ground = SCATTER_OTHER_INDICES },                         \
    [SCATTER_BITS] = { prefix "-12", "elements are copied bit for bit",                                                \
      PAGE, "Outputs", TS_IMPLIED, .result = TS_RESULT_NONE,                                                           \
      .ground = "the operation creates a copy with updated elements, and assigns without arithmetic" },                \
    [SCATTER_BOOLEAN] = { prefix "-15", "boolean is no numeric type",                                                  \
      PAGE, "Types", TS_DECIDED, .result = TS_RESULT_INVALID, .suggest = openvino_scatter_suggest_type,                \
      .ground = "the page does not list the numeric types", .computes = true }

/* Those of the two that have an axis. */
#define OPENVINO_SCATTER_AXIS_CLAUSES(prefix)                                                                          \
    [SCATTER_DIMS] = { prefix "-02", "data has a dimension; judged up to 8 dimensions of data and 8 of indices, "      \
                                     "each of less than 2^63 elements",                                                \
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_INVALID,                                                         \
      .ground = "an axis is at least -R and at most R - 1, and none is where R is 0" },                                \
    [SCATTER_INDEX_TYPE] = { prefix "-04", "indices have an integer type",                                             \
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID },                                                         \
    [SCATTER_SEVERAL] = { prefix "-09", "an element on which several updates fall has the value of one of them, "      \
                                        "whichever it is",                                                             \
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_NONE },                                                           \
    [SCATTER_INDEX] = { prefix "-10", "indices are 0 to n - 1, where n is the size of data along axis",                \
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_NONE },                                                           \
    [SCATTER_AXIS] = { prefix "-13", "-R <= axis < R, where R is the rank of data; a negative axis counts from R",     \
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_INVALID, .suggest = openvino_scatter_suggest_axis,               \
      .ground = "the range is stated; -R to -1 name the R dimensions once more, from the end as in Gather-8" }
/* clang-format on */

#define OPENVINO_SCATTER_MOST_DIMS 8 /* of data and of indices, so that updates have at most 15 */

#define OPENVINO_SCATTER_TYPES (OPENVINO_TYPES & ~TS_DTYPE_BIT(TS_BOOLEAN)) /* of data */

/* The row of a support table, by the smallest number of dimensions of the indices and their types. */
#define OPENVINO_SCATTER_ROW(least, index_types)                                                                       \
    {                                                                                                                  \
        0,                                                                                                             \
        {                                                                                                              \
            { 1, OPENVINO_SCATTER_MOST_DIMS, OPENVINO_SCATTER_TYPES },                                                 \
                { least, OPENVINO_SCATTER_MOST_DIMS, index_types },                                                    \
                { 0, 2 * OPENVINO_SCATTER_MOST_DIMS - 1, OPENVINO_SCATTER_TYPES },                                     \
                { 1, OPENVINO_SCATTER_MOST_DIMS, OPENVINO_SCATTER_TYPES },                                             \
        }                                                                                                              \
    }

/* The members of the declaration that are the same for all three. */
#define OPENVINO_SCATTER_MEMBERS                                                                                       \
    .tensor_count = 4, .tensors = openvino_scatter_tensors, .support_count = 1, .openvino_types = true,                \
    .copied = 1u << 0 | 1u << 2, .interpretation_count = OPENVINO_SCATTER_INTERPRETATIONS,                             \
    .check = openvino_scatter_check, .shape = openvino_scatter_shape, .run = openvino_scatter_run,                     \
    .answers = openvino_scatter_answers, .explain = openvino_scatter_explain

/* How the coordinates of updates, indices and output belong together. */
typedef struct openvino_scatter {
    uint32_t axis;  /* the dimension of data that an index selects from, counted from the first */
    uint32_t tuple; /* from it on, so many dimensions are selected from: the indices of a tuple, or 1 */
    uint32_t array; /* the dimensions of indices that say which index or tuple it is */
    uint32_t block; /* the last dimensions of updates and of output that no index selects from */
    bool beside;    /* ScatterElementsUpdate: every coordinate of an update is also that of its index */
} openvino_scatter;

/* Set *s; violations are added to report unless it is NULL. False if an attribute or the ranks are illegal. data and
   indices have dimensions that are judged. */
bool openvino_scatter_place(const ts_descriptor *d, openvino_scatter *s, ts_report *report);

/* The shape that updates have to have. */
void openvino_scatter_updates(const ts_descriptor *d, const openvino_scatter *s, uint32_t *rank,
                              uint64_t sizes[TS_MAX_DIMS]);

/* The id of the clause that is at this place in the operator's table. */
const char *openvino_scatter_clause(const ts_descriptor *d, unsigned place);

/* Which element of output, at *to, the update at `u` replaces, and the coordinate of the first index that says so.
   False if an index selects no element. All TS_MAX_DIMS long; the descriptor is legal. */
bool openvino_scatter_target(const ts_descriptor *d, const openvino_scatter *s, openvino_selection *selects,
                             const uint64_t *u, uint64_t *to, uint64_t *index);

/* Is an index beyond its dimension? */
bool openvino_scatter_strays(const ts_descriptor *d, const openvino_scatter *s);

extern const ts_tensor_decl openvino_scatter_tensors[4];
extern const ts_ir_list openvino_scatter_ir_axis;
void openvino_scatter_check(const ts_descriptor *d, ts_report *report);
bool openvino_scatter_shape(ts_descriptor *d);
void openvino_scatter_run(const ts_descriptor *d, ts_unspecified *unspecified);
void openvino_scatter_answers(const ts_descriptor *d, unsigned tensor, const uint64_t *coord, ts_answers *allowed);
ts_explain openvino_scatter_explain; /* scatter_explain.c */

/* scatter_suggest.c */
ts_suggest openvino_scatter_suggest_type, openvino_scatter_suggest_axis, openvino_scatter_suggest_tuple,
    openvino_scatter_suggest_updates, openvino_scatter_suggest_size;

/* scatter_interpretations.c: of several updates of one element, and of an index beyond its dimension. */
#define OPENVINO_SCATTER_INTERPRETATIONS 5
extern const ts_interpretation openvino_scatter_nd_update_3_interpretations[OPENVINO_SCATTER_INTERPRETATIONS];
extern const ts_interpretation openvino_scatter_elements_update_3_interpretations[OPENVINO_SCATTER_INTERPRETATIONS];
extern const ts_interpretation openvino_scatter_update_interpretations[OPENVINO_SCATTER_INTERPRETATIONS];

#endif
