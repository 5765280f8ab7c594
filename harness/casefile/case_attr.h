/* SPDX-License-Identifier: Apache-2.0 */
/* The values of attributes that the axes of a case are bound to. */
#ifndef TOUCHSTONE_CASE_ATTR_H
#define TOUCHSTONE_CASE_ATTR_H

#include "harness/casefile/casefile.h"

/* The slot of a vector that is as long as the value of an expression: of one that a vector is made of by element, or of
   any that a number is made of. -1: it reads no vector, or is NULL. */
int case_length_slot(const expr *x, const space *s);

static inline bool case_attr_is_bound(const case_attr *c)
{
    return c->value.x || c->members[0].x;
}

/* The axis that is the whole binding of attribute k, and has its values; -1 if it is an expression or no integer. */
int case_attr_slot(const case_test *t, unsigned k);

/* The axes that the value of attribute k depends on, a bit each. */
uint64_t case_attr_uses(const case_test *t, unsigned k);

/* The attribute that is bound as the nth one: the type of a DML_SCALAR_UNION is bound before the union. */
unsigned case_attr_nth(const ts_operator *op, unsigned n);

/* Store the values of attribute k. `slot` is case_attr_slot, or -1; `length` is case_length_slot of its value. The count
   in a change may exceed the capacity: then only as many values as fit are stored. False: a value does not fit, which
   is an error of the case file; *failed: an expression has no value. */
bool case_attr_bind(ts_descriptor *d, unsigned k, const case_attr *c, int slot, int length, bool change,
                    const expr_value *values, bool *failed);

/* The inverse: the value that an axis bound as `c` has where value i of attribute k is that of the descriptor. */
int64_t case_attr_axis_value(const ts_descriptor *d, unsigned k, unsigned i, const case_value *c);

#endif
