/* SPDX-License-Identifier: Apache-2.0 */
/* Check one descriptor and run the reference on it, for `touchstone eval` and `ts.eval`. */
#ifndef TOUCHSTONE_EVALUATE_H
#define TOUCHSTONE_EVALUATE_H

#include "harness/base/error.h"
#include "harness/model/operator.h"

#include <jansson.h>

/* The most bytes that one evaluation may allocate for its tensors. */
#define EVALUATE_MAX_BYTES (UINT64_C(1) << 32)

/* The most bytes of address space for a sparse one, as with all.far_layouts of case files. */
#define EVALUATE_MAX_ADDRESSES (UINT64_C(1) << 39)

typedef enum evaluate_status {
    EVALUATE_OK,
    EVALUATE_INVALID,
    EVALUATE_UNSUPPORTED,
    EVALUATE_OPEN /* no published sentence says whether the descriptor is legal */
} evaluate_status;

/* The status of a report with this result. */
evaluate_status evaluate_status_of(ts_result worst);

/* A descriptor with allocated memory for every present tensor. */
typedef struct evaluation {
    ts_descriptor descriptor; /* tensors' data set; once evaluate_run was called, outputs whose shape depends on data
                                 have the shape that the reference reports */
    ts_report report;         /* the result of check */
    evaluate_status status;   /* of the report: INVALID beats UNSUPPORTED_FL, which beats OPEN; ambiguous clauses are OK */
    bool runs;                /* its tensors are allocated: evaluate_run computes it */
    ts_marks
        marks[TS_MAX_TENSORS];  /* of the outputs, by tensor: evaluate_open. No maps if each element has one answer */
    uint64_t unspecified_count; /* elements that the specification leaves undefined */
    uint64_t several_count;     /* elements that may have one of several values: evaluate_answers */
    size_t mapped[TS_MAX_TENSORS]; /* private: bytes of a tensor that was mapped */
} evaluation;

/* "ok", "invalid", "unsupported" or "open" */
const char *evaluate_status_name(evaluate_status status);

/* "invalid", "unsupported", "bind-error", "unspecified", "open", "warning" or "none" */
const char *evaluate_result_name(ts_result result);

/* Is item i of the report the first violation of its clause? Warnings are no violations. */
bool evaluate_names_clause(const ts_report *report, unsigned i);

/* Check the descriptor and, if it is OK, allocate zeroed inputs and outputs. `found`, the violations that reading the
   descriptor found (may be NULL), becomes part of the report. False only if memory is out or the tensors exceed
   EVALUATE_MAX_BYTES. */
bool evaluate_begin(evaluation *v, const ts_descriptor *d, const ts_report *found, error *e);

typedef struct evaluate_how {
    bool sparse;   /* only the touched pages of its tensors use memory (sparse.h) */
    bool computes; /* its tensors are allocated though it breaks a clause: the reference computes it all the same */
} evaluate_how;

/* The same for a case of a test. */
bool evaluate_begin_case(evaluation *v, const ts_descriptor *d, evaluate_how how, error *e);

/* Fill the inputs from a JSON record of data by tensor name, each as descriptor_data_from_json reads it. Every present
   input is required. Only if it runs. */
bool evaluate_fill(evaluation *v, json_t *inputs, error *e);

/* Run the reference. Only if it runs. If a clause leaves the whole output unspecified, all of it is marked. */
bool evaluate_run(evaluation *v, error *e);

/* What the specification allows for an element of tensor k, once evaluate_run was called. */
static inline ts_open evaluate_open(const evaluation *v, unsigned k, const uint64_t *coord)
{
    return v->marks[k].map ? operator_open(v->marks, k, tensor_number(&v->descriptor.tensors[k], coord))
                           : TS_ONE_ANSWER;
}

/* The values that it allows for one that may have several. */
ts_answers evaluate_answers(const evaluation *v, unsigned k, const uint64_t *coord);

/* Is this one of them? */
bool evaluate_allows(const evaluation *v, unsigned k, const uint64_t *coord, uint64_t bits);

/* Free what evaluate_begin allocated. A zeroed evaluation is allowed. */
void evaluate_end(evaluation *v);

#endif
