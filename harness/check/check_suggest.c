/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check.h"
#include "harness/model/suggest.h"

#include <string.h>

void check_suggest(const ts_descriptor *d, const ts_violation *v, char *buf, size_t size)
{
    ts_suggestion out = { .text = buf, .size = size };
    const ts_clause *clause = operator_clause(d->op, v->clause);
    ts_suggest *suggest = v->suggest || !clause ? v->suggest : clause->suggest;
    buf[0] = 0;
    if (strcmp(v->clause, operator_range_clause.id) == 0 || strcmp(v->clause, operator_count_clause.id) == 0)
        return; /* the message has the range, or the lengths */
    if (suggest)
        suggest(d, v, &out);
    else if (v->result == TS_RESULT_INVALID)
        suggest_shape(d, v, &out);
    if (v->needs && out.used == 0)
        suggest_add(&out, "feature level %s or higher", tensor_level_name(v->needs));
    else if (v->needs)
        suggest_add(&out, "; or feature level %s and higher", tensor_level_name(v->needs));
}
