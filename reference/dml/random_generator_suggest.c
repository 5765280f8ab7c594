/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/random_generator.h"
#include "reference/dml_suggest.h"

enum { STATE };

ts_suggest dml_random_generator_suggest_type, dml_random_generator_suggest_state;

void dml_random_generator_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "Type", 0, 0, 0);
}

void dml_random_generator_suggest_state(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint64_t size = v->axis + 1 == (int)d->tensors[STATE].rank ? 6 : 1;
    suggest_size(out, 1u << STATE, (unsigned)v->axis, size, size);
}
