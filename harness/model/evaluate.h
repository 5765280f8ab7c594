/* SPDX-License-Identifier: Apache-2.0 */
/* One descriptor through the golden reference: what `touchstone eval` and `ts.eval` are made of. */
#ifndef TOUCHSTONE_EVALUATE_H
#define TOUCHSTONE_EVALUATE_H

#include "harness/base/error.h"
#include "harness/model/operator.h"

#include <jansson.h>

/* The most bytes that one evaluation may allocate for its tensors. */
#define EVALUATE_MAX_BYTES (UINT64_C(1) << 32)

/* And those that a sparse one may spread its elements over, as all.far_layouts of case files do. */
#define EVALUATE_MAX_ADDRESSES (UINT64_C(1) << 39)

typedef enum evaluate_status { EVALUATE_OK, EVALUATE_INVALID, EVALUATE_UNSUPPORTED } evaluate_status;

/* A descriptor with memory of its own for every present tensor. */
typedef struct evaluation {
    ts_descriptor descriptor; /* tensors' data set */
    ts_report report;         /* what check said */
    evaluate_status status;   /* of the report: INVALID beats UNSUPPORTED_FL; ambiguous clauses are OK */
    uint8_t *unspecified;     /* a byte per element of output 0's span, non-zero where the text defines nothing; NULL
                                 where all is defined */
    uint64_t unspecified_count;
    size_t mapped[TS_MAX_TENSORS]; /* private: bytes of a tensor that was mapped */
} evaluation;

/* "ok", "invalid" or "unsupported" */
const char *evaluate_status_name(evaluate_status status);

/* "invalid", "unsupported", "bind-error", "unspecified", "warning" or "none" */
const char *evaluate_result_name(ts_result result);

/* Does item i of the report name a clause that the descriptor does not keep, for the first time? Warnings do not. */
bool evaluate_names_clause(const ts_report *report, unsigned i);

/* Check the descriptor and, where it is OK, allocate: inputs zeroed, outputs zeroed. What else was `found` when it was
   read, or NULL, becomes part of the report. False only where memory is out or the size is beyond
   EVALUATE_MAX_BYTES. */
bool evaluate_begin(evaluation *v, const ts_descriptor *d, const ts_report *found, error *e);

/* The same for a case of a test, which may be sparse (sparse.h): then only what is touched of its tensors takes
   memory. */
bool evaluate_begin_case(evaluation *v, const ts_descriptor *d, bool sparse, error *e);

/* Fill the inputs from a JSON record of data by tensor name, each as descriptor_data_from_json reads it. Every present
   input must be there. Only where status is OK. */
bool evaluate_fill(evaluation *v, json_t *inputs, error *e);

/* Run the reference. Only where status is OK. Where a clause leaves the whole output open, all of it is marked. */
bool evaluate_run(evaluation *v, error *e);

/* Free what evaluate_begin allocated. Safe on a zeroed one. */
void evaluate_end(evaluation *v);

#endif
