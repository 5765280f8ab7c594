/* SPDX-License-Identifier: Apache-2.0 */
/* The legal call of a declared operator, for tests that change it. */
#ifndef TOUCHSTONE_LEGAL_CALL_H
#define TOUCHSTONE_LEGAL_CALL_H

#include "harness/model/descriptor.h"
#include "reference/operators.h"

#include <stdio.h>
#include <string.h>

/* Read it. Where it cannot be read, say why and return false. */
static inline bool legal_call(const ts_operator *op, ts_descriptor *d)
{
    size_t length = 0;
    json_error_t where;
    error e = { .text = "it is no JSON" };
    const char *record = operators_legal_call(op->name, &length);
    json_t *json = record ? json_loadb(record, length, JSON_REJECT_DUPLICATES, &where) : NULL;
    const bool fine = json && descriptor_from_json(op, json_object_get(json, "descriptor"), d, NULL, &e);
    json_decref(json);
    if (!fine)
        fprintf(stderr, "the legal call of %s: %s\n", op->name, e.text);
    return fine;
}

/* Can a change of a declared operator's legal call break this clause? OP-02 needs a row that does not allow all dimension
   counts, OP-04 an enumeration, and OP-05 a list. */
static inline bool declared_can_break(const ts_operator *op, const char *clause)
{
    bool limits = false, names = false, lists = false;
    for (unsigned k = 0; k < op->clause_count; ++k) /* no change nests another operator: check_fused_test.c */
        if (strcmp(op->clauses[k].id, clause) == 0 && (op->clauses[k].result == TS_RESULT_NONE ||
                                                       strstr(op->clauses[k].text, "FusedActivation's ScaleBias")))
            return false;
    for (unsigned r = 0; r < op->support_count; ++r)
        for (unsigned k = 0; k < op->tensor_count; ++k)
            limits = limits || op->support[r].tensors[k].min_dims > 1 || op->support[r].tensors[k].max_dims < 8;
    for (unsigned k = 0; k < op->attr_count; ++k) {
        names = names || op->attrs[k].names;
        lists = lists || op->attrs[k].count == TS_ARRAY;
    }
    return strcmp(clause, "OP-02") == 0   ? limits
           : strcmp(clause, "OP-04") == 0 ? names
           : strcmp(clause, "OP-05") == 0 ? lists
                                          : true;
}

#endif
