/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/rerun_stats.h"

#include "harness/model/value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static bool same_kind(const rerun_stats_kind *k, verdict v, const judgement *j)
{
    const judgement *was = &k->judgement;
    if (v == VERDICT_NOT_JUDGED) /* the reference's values say nothing: all values have to be those of before */
        return k->verdict == v && was->values == j->values;
    return k->verdict == v &&
           (!verdict_fails(v) || (was->tensor == j->tensor && was->offset == j->offset && was->actual == j->actual &&
                                  was->differing == j->differing && was->outside_bytes == j->outside_bytes &&
                                  !operator_shape_differs(&was->shape, &j->shape)));
}

void rerun_stats_add(rerun_stats *t, verdict v, const judgement *j)
{
    size_t k = 0;
    t->executed++;
    t->failed += verdict_fails(v);
    while (k < t->kind_count && !same_kind(&t->kinds[k], v, j))
        ++k;
    if (k == RERUN_STATS_KINDS)
        return;
    if (k == t->kind_count)
        t->kinds[t->kind_count++] = (rerun_stats_kind){ v, *j, 0 };
    t->kinds[k].times++;
}

bool rerun_stats_agree(const rerun_stats *t)
{
    return t->kind_count == 0 || t->kinds[0].times == t->executed;
}

const rerun_stats_kind *rerun_stats_odd(const rerun_stats *t)
{
    for (size_t k = 0; k < t->kind_count; ++k)
        if (verdict_fails(t->kinds[k].verdict))
            return &t->kinds[k];
    return t->kind_count > 1 ? &t->kinds[1] : NULL;
}

void rerun_stats_rate(const rerun_stats *t, char *buf, size_t size)
{
    snprintf(buf, size, "%" PRIu64 " of %" PRIu64, t->failed, t->executed);
}

/* Append formatted text, cut at the end of the buffer. */
static void append(char *buf, size_t size, size_t *used, const char *text, ...) ERROR_PRINTF(4, 5);
static void append(char *buf, size_t size, size_t *used, const char *text, ...)
{
    va_list args;
    if (*used >= size)
        return;
    va_start(args, text);
    *used += (size_t)vsnprintf(buf + *used, size - *used, text, args);
    va_end(args);
}

static void describe_kind(const rerun_stats_kind *k, const ts_descriptor *d, char *buf, size_t size, size_t *used)
{
    const judgement *j = &k->judgement;
    if (d && (verdict_fails(k->verdict) || k->verdict == VERDICT_NOT_JUDGED) && j->differing && j->tensor >= 0) {
        const ts_tensor *t = &d->tensors[j->tensor];
        char place[160], bits[96];
        value_format_list(j->coord, t->rank, place, sizeof place);
        value_format_bits(t->dtype, j->actual, bits, sizeof bits);
        append(buf, size, used, "%s%s was %s", d->op->tensors[j->tensor].name, place, bits);
    } else if (d && k->verdict == VERDICT_MISMATCH && j->tensor >= 0) {
        char sizes[400];
        append(buf, size, used, "the reported shape of %s was %s", d->op->tensors[j->tensor].name,
               value_format_shape(&j->shape, sizes, sizeof sizes));
    } else {
        append(buf, size, used, "%s", verdict_name(k->verdict));
    }
    append(buf, size, used, " %" PRIu64 " time%s", k->times, k->times == 1 ? "" : "s");
}

void rerun_stats_describe(const rerun_stats *t, const ts_descriptor *d, char *buf, size_t size)
{
    size_t used = 0;
    uint64_t described = 0;
    append(buf, size, &used, "It failed in %" PRIu64 " of %" PRIu64 " executions of the same call: ", t->failed,
           t->executed);
    for (size_t k = 0; k < t->kind_count; ++k) {
        append(buf, size, &used, "%s", k ? ", " : "");
        describe_kind(&t->kinds[k], d, buf, size, &used);
        described += t->kinds[k].times;
    }
    if (described < t->executed)
        append(buf, size, &used, ", something else %" PRIu64 " time%s", t->executed - described,
               t->executed - described == 1 ? "" : "s");
    append(buf, size, &used, ".");
}
