/* SPDX-License-Identifier: Apache-2.0 */
/* The fields that the message of a violation names, by the operator's own field names. */
#ifndef TOUCHSTONE_MENTION_H
#define TOUCHSTONE_MENTION_H

#include "harness/model/operator.h"

/* A tensor or an attribute, with the element. */
typedef struct ts_mention {
    int tensor, attr; /* declared index, or -1 */
    char field[32];   /* of the tensor, "Sizes"; "" for the tensor or attribute itself */
    int index;        /* element, or -1 */
} ts_mention;

/* List the fields that a violation is about, in the order of the message, and the tensor's axis last where the
   violation has one. Returns their number, at most `most`. */
size_t mention_list(const ts_descriptor *d, const ts_violation *v, ts_mention *list, size_t most);

/* The first element of this attribute that the message names; else the violation's axis; else 0. */
unsigned mention_index(const ts_descriptor *d, const ts_violation *v, const char *attr);

#endif
