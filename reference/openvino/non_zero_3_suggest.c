/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of NonZero-3. */
#include "harness/model/suggest.h"
#include "reference/openvino/non_zero_3.h"

enum { DATA, OUT };

ts_suggest openvino_non_zero_3_suggest_type, openvino_non_zero_3_suggest_output;

void openvino_non_zero_3_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_values(d, out, "output_type", 0, (const int64_t[]){ TS_NON_ZERO_3_I64, TS_NON_ZERO_3_I32 }, 2);
}

void openvino_non_zero_3_suggest_output(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_openvino_non_zero_3 *a = TS_ATTRS(ts_openvino_non_zero_3, d);
    const bool narrow = (d->attrs_given & TS_NON_ZERO_3_GIVEN_OUTPUT_TYPE) && a->output_type == TS_NON_ZERO_3_I32;
    (void)v;
    suggest_type(out, 1u << OUT, narrow ? TS_INT32 : TS_INT64);
}
