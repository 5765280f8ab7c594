/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/random_generator.h"
#include "reference/dml_suggest.h"

enum { STATE };

ts_suggest dml_random_generator_suggest_type, dml_random_generator_suggest_state;

void dml_random_generator_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    (void)v;
    suggest_add(out, "Type = DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10 = 0");
}

void dml_random_generator_suggest_state(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "InputStateTensor.Sizes[%d] = %d", v->axis, v->axis + 1 == (int)d->tensors[STATE].rank ? 6 : 1);
}
