/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check.h"
#include "harness/check/check_search.h"
#include "harness/model/suggest.h"

#include <stdio.h>
#include <string.h>

/* From "NAME = VALUE is out of range: RANGE; ...". */
static void suggest_range(const ts_violation *v, ts_suggestion *out)
{
    static const char before[] = " is out of range: ";
    const char *range = strstr(v->text, before), *name_end = strstr(v->text, " = ");
    if (!range || !name_end)
        return;
    range += sizeof before - 1;
    suggest_add(out, "%.*s = %.*s, as far as other clauses allow", (int)(name_end - v->text), v->text,
                (int)strcspn(range, ";"), range);
}

/* From "LIST has N values, but the other lists have M", "LIST has N values, but OTHER has M" or "COUNT is N, but LIST
   has M values". */
static void suggest_count(const ts_violation *v, ts_suggestion *out)
{
    char a[80], b[80];
    unsigned n, m;
    if (sscanf(v->text, "%79s has %u value%*[s,] but the other lists have %u", a, &n, &m) == 3)
        suggest_add(out, "%s with %u value%s", a, m, m == 1 ? "" : "s");
    else if (sscanf(v->text, "%79s has %u value%*[s,] but %79s has %u", a, &n, b, &m) == 4)
        suggest_add(out, "%s with %u value%s, or %s with %u", a, m, m == 1 ? "" : "s", b, n);
    else if (sscanf(v->text, "%79s is %u, but %79s has %u value", a, &n, b, &m) == 4)
        suggest_add(out, "%s = %u, or %s with %u value%s", a, m, b, n, n == 1 ? "" : "s");
}

void check_suggest(const ts_descriptor *d, const ts_violation *v, char *buf, size_t size)
{
    ts_suggestion out = { .text = buf, .size = size };
    const ts_clause *clause = operator_clause(d->op, v->clause);
    ts_suggest *suggest = v->suggest || !clause ? v->suggest : clause->suggest;
    buf[0] = 0;
    if (strcmp(v->clause, operator_range_clause.id) == 0)
        suggest_range(v, &out);
    else if (strcmp(v->clause, operator_count_clause.id) == 0)
        suggest_count(v, &out);
    else if (suggest)
        suggest(d, v, &out);
    else if (v->result == TS_RESULT_INVALID)
        suggest_shape(d, v, &out);
    if (out.used == 0 && !d->op->run) /* operators that are only checked declare no suggestions */
        check_search(d, v, &out);
    if (v->needs && out.used == 0)
        suggest_add(&out, "feature level %s or higher", tensor_level_name(v->needs));
    else if (v->needs)
        suggest_add(&out, "; or feature level %s and higher", tensor_level_name(v->needs));
}
