/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a backend does not support, as text: a line for each class of cases that it refused when it was asked, such as
 * "dml.gather f64.4 u32.2 f64.5 -Axis" (data type and number of dimensions per tensor; "-" is none, "-Axis" an
 * attribute that is needed and left out), and one for each clause that it cannot show to its implementation, such as
 * "dml.gather GA-06". A run keeps it, so that which cases it planned can be told without the backend.
 */
#ifndef TOUCHSTONE_SUPPORT_H
#define TOUCHSTONE_SUPPORT_H

#include "harness/model/operator.h"

typedef struct support {
    char *text; /* NULL while nothing is refused */
    size_t length, capacity;
    bool failed; /* memory ran out: the text is not complete */
} support;

void support_free(support *s);

/* Note a class that is refused. Sizes do not count, nor what attributes there are. */
void support_refuse(support *s, const ts_descriptor *shape);

/* Note a clause of an operator. */
void support_refuse_clause(support *s, const char *op, const char *clause);

/* Note those of another text, whole or the end of one that begins with a line. */
void support_add(support *s, const char *text);

/* Put the lines in order, so that the same classes make the same text whoever found them. */
void support_sort(support *s);

/* Is the class among those of a text? NULL: no. */
bool support_refuses(const char *text, const ts_descriptor *shape);

/* The same of a clause. */
bool support_refuses_clause(const char *text, const char *op, const char *clause);

#endif
