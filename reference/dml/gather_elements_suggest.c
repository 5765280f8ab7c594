/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather_elements.h"
#include "reference/dml_suggest.h"

#include <inttypes.h>

enum { IN };

ts_suggest dml_gather_elements_suggest_axis, dml_gather_elements_suggest_size;

void dml_gather_elements_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add(out, "Axis = 0 to %u", d->tensors[IN].rank - 1);
}

void dml_gather_elements_suggest_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "IndicesTensor.Sizes[%d] and OutputTensor.Sizes[%d] = %" PRIu64, v->axis, v->axis,
                d->tensors[IN].sizes[v->axis]);
}
