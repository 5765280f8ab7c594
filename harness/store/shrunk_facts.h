/* SPDX-License-Identifier: Apache-2.0 */
/* What a finding says about the case to which it was shrunk: JSON, in the column shrunk_facts. */
#ifndef TOUCHSTONE_SHRUNK_FACTS_H
#define TOUCHSTONE_SHRUNK_FACTS_H

#include "harness/store/store_finding.h"

#include <jansson.h>

/* What a case is, in numbers. */
typedef struct case_size {
    uint64_t elements; /* of all tensors; those that share an address count once for each of their coordinates */
    unsigned rank;     /* dimensions of the first tensor */
    unsigned axes;     /* that are not at their default */
} case_size;

typedef struct shrunk_facts {
    uint64_t executions;
    bool limited;                    /* by their number or their time: a smaller case may fail, too */
    case_size size, of;              /* of the shrunk case, and of the case of the finding */
    const char *detail, *reproducer; /* as in store_finding; NULL: none */
    json_t *root;                    /* owns what was read, and has the other members of the shrunk case's finding */
} shrunk_facts;

/* Write facts as JSON; `f` describes the shrunk case. The caller frees the text; NULL if memory is out. */
char *shrunk_facts_write(const shrunk_facts *facts, const store_finding *f);

/* Read them. False if the text is NULL or not such JSON. The
   caller frees *facts in either case. */
bool shrunk_facts_read(shrunk_facts *facts, const char *text);
void shrunk_facts_free(shrunk_facts *facts);

#endif
