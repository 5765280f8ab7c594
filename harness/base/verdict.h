/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of one case. The numbers are stored in run files: never renumber. */
#ifndef TOUCHSTONE_VERDICT_H
#define TOUCHSTONE_VERDICT_H

#include <stdbool.h>

typedef enum verdict {
    VERDICT_NONE = 0, /* planned, not yet run */
    VERDICT_PASS = 1,
    VERDICT_MISMATCH = 2,         /* an output element, or a shape, is wrong */
    VERDICT_REJECTED_VALID = 3,   /* a legal descriptor was refused */
    VERDICT_ACCEPTED_INVALID = 4, /* an illegal descriptor was accepted */
    VERDICT_WROTE_OUTSIDE = 5,    /* a byte beyond an output's TotalTensorSizeInBytes was written */
    VERDICT_READ_OUTSIDE = 6,     /* a fault on a guard page beside an input */
    VERDICT_MODIFIED_INPUT = 7,
    VERDICT_NONDETERMINISTIC = 8, /* two executions differ */
    VERDICT_CRASH = 9,
    VERDICT_HANG = 10,
    VERDICT_LOST = 11,      /* device lost, or another failure of the backend */
    VERDICT_AMBIGUOUS = 12, /* the specification is ambiguous here: executed, not judged */
    VERDICT_WAIVED = 13,
    VERDICT_UNSUPPORTED = 14, /* never counts as success */
    VERDICT_NOT_JUDGED = 15,  /* executed, and all but the values of its outputs judged: of its data type, the
                                 specification does not determine them to the bit (ts_operator.unjudged) */
    VERDICT_COUNT = 16        /* a plane has four bits for each: there is no room for another */
} verdict;

/* "rejected-valid". */
const char *verdict_name(verdict v);

/* The verdict with this name, or VERDICT_COUNT. */
verdict verdict_named(const char *name);

/* Was the case executed, and did nothing fail of what is judged? */
static inline bool verdict_is_clean(verdict v)
{
    return v == VERDICT_PASS || v == VERDICT_NOT_JUDGED;
}

/* Is it a failure, that is, one of mismatch to lost? */
static inline bool verdict_fails(verdict v)
{
    return v >= VERDICT_MISMATCH && v <= VERDICT_LOST;
}

#endif
