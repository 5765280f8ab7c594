/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all DirectML operators: the clauses of DML_BUFFER_TENSOR_DESC and of binding (BUF-01 to BUF-24). */
#ifndef TOUCHSTONE_DML_H
#define TOUCHSTONE_DML_H

#include "harness/model/operator.h"

#define DML_CLAUSE_COUNT 24
extern const ts_clause dml_clauses[DML_CLAUSE_COUNT];

/* The data types of DirectML's support tables, as the pages group them. */
#define DML_FLOATS (TS_DTYPE_BIT(TS_FLOAT32) | TS_DTYPE_BIT(TS_FLOAT16))
#define DML_INTEGERS_32                                                                                                \
    (TS_DTYPE_BIT(TS_INT32) | TS_DTYPE_BIT(TS_INT16) | TS_DTYPE_BIT(TS_INT8) | TS_DTYPE_BIT(TS_UINT32) |               \
     TS_DTYPE_BIT(TS_UINT16) | TS_DTYPE_BIT(TS_UINT8))
#define DML_TYPES_64 (TS_DTYPE_BIT(TS_FLOAT64) | TS_DTYPE_BIT(TS_INT64) | TS_DTYPE_BIT(TS_UINT64))
#define DML_8_TYPES  (DML_FLOATS | DML_INTEGERS_32)
#define DML_11_TYPES (DML_8_TYPES | DML_TYPES_64)

/* Judge one tensor descriptor by BUF-01 to BUF-06, BUF-09 to BUF-14, BUF-21, BUF-22 and BUF-24. */
void dml_check_buffer(const ts_descriptor *d, unsigned tensor, ts_report *report);

/* Judge all tensors by dml_check_buffer, then against the operator's table as operator_check_support does. BUF-05
   or BUF-02 alone reports a dimension count or type that DirectML never allows; the table does not report it again.
   True if every present tensor has its descriptor and sizes, so that they may be compared. */
bool dml_check_tensors(const ts_descriptor *d, ts_report *report, const char *level_clause,
                       const char *const *dims_clauses, const char *const *dtype_clauses);

#endif
