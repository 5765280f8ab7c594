/* SPDX-License-Identifier: Apache-2.0 */
/* How elements that follow from those at their coordinates come about: `explain`, and the derivation in findings. */
#include "reference/checked/each.h"
#include "harness/model/derive.h"
#include "harness/model/explain.h"

#include <inttypes.h>
#include <stdio.h>

/* "ATensor 0x05 and BTensor 0x07"; of three, "ConditionTensor 0x01, ATensor 0x05 and BTensor 0x07" */
static void name_operands(const ts_descriptor *d, const uint64_t *coord, char *buf, size_t size)
{
    size_t used = 0;
    const unsigned count = each_output(d->op);
    buf[0] = '\0';
    for (unsigned k = 0; k < count && used < size; ++k)
        used += (size_t)snprintf(buf + used, size - used, "%s%s 0x%0*" PRIx64,
                                 !k              ? ""
                                 : k + 1 < count ? ", "
                                                 : " and ",
                                 d->op->tensors[k].name, 2 * (int)tensor_element_bytes(d->tensors[k].dtype),
                                 each_bits(&d->tensors[k], coord));
}

static bool explain_each(const void *context, explain_element *x)
{
    const ts_descriptor *d = context;
    const unsigned out = each_output(d->op);
    for (unsigned k = 0; k < out; ++k)
        if (!d->tensors[k].data)
            return true;
    const each e = each_at(d, x->to_coord);
    const ts_open open = each_open(d->op, &e);
    const unsigned bits = 8 * (unsigned)tensor_element_bytes(d->tensors[out].dtype);
    name_operands(d, x->to_coord, x->source, sizeof x->source);
    x->undefined = open == TS_UNDEFINED;
    x->several = open == TS_SEVERAL;
    x->has_bits = true;
    x->bits = each_element(d->op, &e) & (bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX);
    return true;
}

/* Have all tensors the sizes of the output, so that each element has operands? */
static bool has_operands(const ts_descriptor *d)
{
    const ts_tensor *to = &d->tensors[each_output(d->op)];
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        const ts_tensor *t = &d->tensors[k];
        if (!operator_has_tensor(d, k) || !tensor_element_bytes(t->dtype) || t->rank < 1 || t->rank > TS_MAX_DIMS ||
            t->rank != to->rank || memcmp(t->sizes, to->sizes, to->rank * sizeof to->sizes[0]) != 0)
            return false;
    }
    return true;
}

void each_explain(const ts_descriptor *d, ts_explanation *out)
{
    explain_step(out, d->op->run_clause, "Each element");
    if (!has_operands(d)) {
        explain_say(out, "The tensors differ in their sizes, or one of them is missing, so that no element has its "
                         "operands.");
        return;
    }
    if (d->op->answers && operator_dtype(d) == TS_FLOAT32)
        explain_say(out, "A FLOAT32 denormal may count as itself or as a zero of its sign.");
    explain_elements(out, d, (int)each_output(d->op), explain_each, d);
}

/* ---- findings ----------------------------------------------------------------------------------------------- */

static void describe(const ts_descriptor *expected, const ts_descriptor *actual, unsigned tensor, const uint64_t *coord,
                     char *buf, size_t size)
{
    char operands[400];
    (void)actual;
    (void)tensor; /* there is one output */
    name_operands(expected, coord, operands, sizeof operands);
    snprintf(buf, size, "Its operands are %s", operands);
}

/* Every element by the operands of another coordinate, or by its own in another order. */
typedef void each_mistake(const ts_descriptor *d, each *e);

static void run_mistaken(const ts_descriptor *d, each_mistake *mistake)
{
    const ts_tensor *to = &d->tensors[each_output(d->op)];
    uint64_t c[TS_MAX_DIMS] = { 0 };
    do {
        each e = each_at(d, c);
        mistake(d, &e);
        each_store(to, c, each_element(d->op, &e));
    } while (tensor_next(to, c));
}

/* The last two operands; of a single one, it is both. */
static void exchange(const ts_descriptor *d, each *e)
{
    const unsigned last = each_output(d->op) - 1, other = last ? last - 1 : 0;
    const uint64_t bits = e->in[other];
    e->in[other] = e->in[last];
    e->in[last] = bits;
}

static void repeat(const ts_descriptor *d, each *e)
{
    const unsigned last = each_output(d->op) - 1;
    e->in[last] = e->in[last ? last - 1 : 0];
}

static void take_scalar(const ts_descriptor *d, each *e)
{
    const uint64_t first[TS_MAX_DIMS] = { 0 };
    const unsigned last = each_output(d->op) - 1;
    e->in[last] = each_bits(&d->tensors[last], first);
}

static void run_exchanged(const ts_descriptor *d)
{
    run_mistaken(d, exchange);
}

static void run_repeated(const ts_descriptor *d)
{
    run_mistaken(d, repeat);
}

static void run_scalar(const ts_descriptor *d)
{
    run_mistaken(d, take_scalar);
}

static const ts_mistake mistakes[] = {
    { "the last two operands were exchanged", run_exchanged },
    { "the last operand were the one before it", run_repeated },
    { "the last input had its first element everywhere", run_scalar },
};
const ts_derivation each_derivation = { describe, sizeof mistakes / sizeof mistakes[0], mistakes };
