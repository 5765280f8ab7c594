/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The classes of cases and the clauses that a backend does not support, as text. A class is a line such as
 * "OPERATOR f64.4 u32.2 f64.5 -Axis": data type and number of dimensions per tensor ("-": absent), and "-Axis" for a
 * required attribute that is absent. A clause that the backend cannot pass on to its implementation is a line such as
 * "OPERATOR GA-06". A run stores the text, so that readers know without the backend which cases it planned.
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

/* Write the line of a descriptor's class. False where it does not fit. */
bool support_class(const ts_descriptor *shape, char *buf, size_t size);

/* Add the class of a descriptor. Its sizes, and the values of its attributes, are not part of the class. */
void support_refuse(support *s, const ts_descriptor *shape);

/* Add a clause of an operator. */
void support_refuse_clause(support *s, const char *op, const char *clause);

/* Add the lines of another text, which begins at a line. */
void support_add(support *s, const char *text);

/* Sort the lines: the text then depends on the set of lines alone. */
void support_sort(support *s);

/* Does a text have the class? text may be NULL. */
bool support_refuses(const char *text, const ts_descriptor *shape);

/* Does a text have the clause? text may be NULL. */
bool support_refuses_clause(const char *text, const char *op, const char *clause);

#endif
