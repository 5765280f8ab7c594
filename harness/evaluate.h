/* SPDX-License-Identifier: Apache-2.0 */
/* One descriptor through the golden reference: what `touchstone eval` and `ts.eval` are made of. */
#ifndef TOUCHSTONE_EVALUATE_H
#define TOUCHSTONE_EVALUATE_H

#include "harness/error.h"
#include "harness/operator.h"

/* The most bytes that one evaluation may allocate for its tensors. */
#define EVALUATE_MAX_BYTES (UINT64_C(1) << 32)

typedef enum evaluate_status { EVALUATE_OK, EVALUATE_INVALID, EVALUATE_UNSUPPORTED } evaluate_status;

/* A descriptor with memory of its own for every present tensor. */
typedef struct evaluation {
    ts_descriptor descriptor; /* tensors' data set */
    ts_report report;         /* what check said */
    evaluate_status status;   /* of the report: INVALID beats UNSUPPORTED_FL; ambiguous clauses are OK */
    uint8_t *unspecified;     /* a byte per element of output 0's span, non-zero where the text defines nothing; NULL
                                 where all is defined */
    uint64_t unspecified_count;
} evaluation;

/* Check the descriptor and, where it is OK, allocate: inputs zeroed, outputs zeroed. False only where memory is out
   or the size is beyond EVALUATE_MAX_BYTES. */
bool evaluate_begin(evaluation *v, const ts_descriptor *d, error *e);

/* Run the reference; the caller has filled the inputs. Only where status is OK. */
bool evaluate_run(evaluation *v, error *e);

/* Free what evaluate_begin allocated. Safe on a zeroed one. */
void evaluate_end(evaluation *v);

#endif
