/* SPDX-License-Identifier: Apache-2.0 */
/* What a wrong element is, for operators that compute their outputs (derive.h). */
#ifndef TOUCHSTONE_FINDING_DERIVED_H
#define TOUCHSTONE_FINDING_DERIVED_H

#include "harness/execute/execute_item.h"

typedef struct derived {
    char source[256];    /* what the backend did instead, where it is known: "as if Philox had 9 rounds"; or "" */
    char sentence[1200]; /* ". It is word 0 of ..."; "" for an operator that copies elements */
} derived;

/* Describe how the specification determines the element, and name the mistakes that give exactly the backend's outputs,
   in this case and for other inputs. Executes the case again; the buffers keep the contents of the last execution. */
void derived_describe(executor *x, execute_item *item, const judgement *j, derived *out);

#endif
