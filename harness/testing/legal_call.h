/* SPDX-License-Identifier: Apache-2.0 */
/* The legal call of an operator that is checked, but not computed, for tests that change it. */
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

#endif
