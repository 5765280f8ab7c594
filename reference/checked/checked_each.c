/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/checked/each.h"
#include "harness/model/derive.h"
#include "harness/model/explain.h"

#include <inttypes.h>
#include <stdio.h>

static const each_semantics *semantics_of(const ts_operator *op)
{
    return &((const checked_operator *)(const void *)op)->semantics;
}

/* The only output, which is the last tensor. */
static unsigned output_of(const ts_operator *op)
{
    return op->tensor_count - 1;
}

static uint64_t bits_at(const ts_tensor *t, const uint64_t *coord)
{
    const unsigned char *at = tensor_at(t, coord);
    uint32_t four;
    uint16_t two;
    uint64_t eight;
    switch (tensor_element_bytes(t->dtype)) {
    case 1: return *at;
    case 2: memcpy(&two, at, sizeof two); return two;
    case 4: memcpy(&four, at, sizeof four); return four;
    default: memcpy(&eight, at, sizeof eight); return eight;
    }
}

/* Store as many of the lowest bits as the tensor's type has. */
static void store(const ts_tensor *t, const uint64_t *coord, uint64_t bits)
{
    unsigned char *at = tensor_at(t, coord);
    const uint32_t four = (uint32_t)bits;
    const uint16_t two = (uint16_t)bits;
    switch (tensor_element_bytes(t->dtype)) {
    case 1: *at = (unsigned char)bits; break;
    case 2: memcpy(at, &two, sizeof two); break;
    case 4: memcpy(at, &four, sizeof four); break;
    default: memcpy(at, &bits, sizeof bits); break;
    }
}

static each each_at(const ts_descriptor *d, const uint64_t *coord)
{
    each e = { .dtype = d->tensors[0].dtype, .width = 8 * (unsigned)tensor_element_bytes(d->tensors[0].dtype) };
    for (unsigned k = 0; k < output_of(d->op); ++k)
        e.in[k] = bits_at(&d->tensors[k], coord);
    return e;
}

/* ---- numbers ------------------------------------------------------------------------------------------------ */

static uint64_t sign_of(const each *e)
{
    return UINT64_C(1) << (e->width - 1);
}

static bool is_float(const each *e)
{
    return tensor_dtype(e->dtype)->is_float;
}

static bool is_signed(const each *e)
{
    return e->dtype == TS_INT8 || e->dtype == TS_INT16 || e->dtype == TS_INT32 || e->dtype == TS_INT64;
}

static bool is_nan(const each *e, uint64_t bits)
{
    const uint64_t infinity = e->width == 16   ? UINT64_C(0x7C00)
                              : e->width == 32 ? UINT64_C(0x7F800000)
                                               : UINT64_C(0x7FF0000000000000);
    return is_float(e) && (bits & ~sign_of(e)) > infinity;
}

/* A number with the order of the numbers. The bits of a float without its sign have it, and so have those of a negative
   one the other way round. */
static uint64_t rank_of(const each *e, uint64_t bits)
{
    const uint64_t sign = sign_of(e);
    if (is_float(e))
        return bits & sign ? sign - (bits & ~sign) : sign + bits; /* of both zeros the same */
    return is_signed(e) ? bits ^ sign : bits;
}

int each_order(const each *e, uint64_t a, uint64_t b)
{
    if (is_nan(e, a) || is_nan(e, b))
        return EACH_UNORDERED;
    const uint64_t first = rank_of(e, a), second = rank_of(e, b);
    return first < second ? EACH_LESS : first > second ? EACH_GREATER : EACH_EQUAL;
}

/* A FLOAT32 denormal as a zero of its sign; other elements as they are. */
static uint64_t flushed(const each *e, uint64_t bits)
{
    return e->dtype == TS_FLOAT32 && (bits & 0x7F800000u) == 0 ? bits & 0x80000000u : bits;
}

/* ---- elements ----------------------------------------------------------------------------------------------- */

/* The element with each of the inputs whose bits are in `inputs` flushed. */
static uint64_t result_with(const each_semantics *s, const each *e, unsigned count, unsigned inputs)
{
    each other = *e;
    for (unsigned k = 0; k < count; ++k)
        if (inputs >> k & 1)
            other.in[k] = flushed(e, e->in[k]);
    return s->element(&other);
}

static bool has_several(const each_semantics *s, const each *e, unsigned count)
{
    const uint64_t exact = s->element(e);
    bool differs = false;
    for (unsigned inputs = 1; s->flushes && e->dtype == TS_FLOAT32 && inputs < 1u << count; ++inputs)
        differs = differs || result_with(s, e, count, inputs) != exact;
    return differs;
}

static bool is_open(const each_semantics *s, const each *e)
{
    return s->open && s->open(e) != 0;
}

void each_run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const each_semantics *s = semantics_of(d->op);
    const unsigned out = output_of(d->op);
    const ts_tensor *to = &d->tensors[out];
    uint64_t c[TS_MAX_DIMS] = { 0 };
    do {
        const each e = each_at(d, c);
        if (is_open(s, &e))
            operator_unspecified(unspecified, out, tensor_number(to, c));
        else if (has_several(s, &e, out))
            operator_several(unspecified, out, tensor_number(to, c));
        store(to, c, s->element(&e));
    } while (tensor_next(to, c));
}

void each_run_as(const ts_descriptor *d, each_formula *formula)
{
    const ts_tensor *to = &d->tensors[output_of(d->op)];
    uint64_t c[TS_MAX_DIMS] = { 0 };
    do {
        const each e = each_at(d, c);
        store(to, c, formula(&e));
    } while (tensor_next(to, c));
}

void each_answers(const ts_descriptor *d, unsigned tensor, const uint64_t *coord, ts_answers *answers)
{
    const each_semantics *s = semantics_of(d->op);
    const each e = each_at(d, coord);
    const unsigned count = output_of(d->op);
    (void)tensor; /* there is one output */
    if (is_open(s, &e))
        return;
    for (unsigned inputs = 0; inputs < (s->flushes ? 1u << count : 1u); ++inputs)
        operator_allow_bits(answers, result_with(s, &e, count, inputs));
}

/* ---- in words ----------------------------------------------------------------------------------------------- */

/* "ATensor 0x05 and BTensor 0x07" */
static void name_operands(const ts_descriptor *d, const uint64_t *coord, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (unsigned k = 0; k < output_of(d->op) && used < size; ++k)
        used += (size_t)snprintf(buf + used, size - used, "%s%s 0x%0*" PRIx64, k ? " and " : "",
                                 d->op->tensors[k].name, 2 * (int)tensor_element_bytes(d->tensors[k].dtype),
                                 bits_at(&d->tensors[k], coord));
}

static bool explain_each(const void *context, explain_element *x)
{
    const ts_descriptor *d = context;
    const unsigned out = output_of(d->op);
    for (unsigned k = 0; k < out; ++k)
        if (!d->tensors[k].data)
            return true;
    const each_semantics *s = semantics_of(d->op);
    const each e = each_at(d, x->to_coord);
    const unsigned bits = 8 * (unsigned)tensor_element_bytes(d->tensors[out].dtype);
    name_operands(d, x->to_coord, x->source, sizeof x->source);
    x->undefined = is_open(s, &e);
    x->several = !x->undefined && has_several(s, &e, out);
    x->has_bits = true;
    x->bits = s->element(&e) & (bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX);
    return true;
}

/* Have all tensors the sizes of the output, so that each element has operands? */
static bool has_operands(const ts_descriptor *d)
{
    const ts_tensor *to = &d->tensors[output_of(d->op)];
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
    const ts_clause *formula = operator_clause(d->op, d->op->run_clause);
    explain_step(out, d->op->run_clause, "Each element");
    explain_say(out, "%s", formula->text);
    if (!has_operands(d)) {
        explain_say(out, "The tensors differ in their sizes, or one of them is missing, so that no element has its "
                         "operands.");
        return;
    }
    if (semantics_of(d->op)->flushes && d->tensors[0].dtype == TS_FLOAT32)
        explain_say(out, "A FLOAT32 denormal may count as itself or as a zero of its sign.");
    explain_elements(out, d, (int)output_of(d->op), explain_each, d);
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
typedef void each_mistake(const ts_descriptor *d, each *e, const uint64_t *coord);

static void run_mistaken(const ts_descriptor *d, each_mistake *mistake)
{
    const each_semantics *s = semantics_of(d->op);
    const ts_tensor *to = &d->tensors[output_of(d->op)];
    uint64_t c[TS_MAX_DIMS] = { 0 };
    do {
        each e = each_at(d, c);
        mistake(d, &e, c);
        store(to, c, s->element(&e));
    } while (tensor_next(to, c));
}

static void exchange(const ts_descriptor *d, each *e, const uint64_t *coord)
{
    (void)d;
    (void)coord;
    const uint64_t first = A;
    A = B;
    B = first;
}

static void repeat_first(const ts_descriptor *d, each *e, const uint64_t *coord)
{
    (void)d;
    (void)coord;
    B = A;
}

static void scalar_second(const ts_descriptor *d, each *e, const uint64_t *coord)
{
    const uint64_t first[TS_MAX_DIMS] = { 0 };
    (void)coord;
    if (output_of(d->op) > 1)
        B = bits_at(&d->tensors[1], first);
    else
        A = bits_at(&d->tensors[0], first);
}

static void run_exchanged(const ts_descriptor *d)
{
    run_mistaken(d, exchange);
}

static void run_repeated(const ts_descriptor *d)
{
    run_mistaken(d, repeat_first);
}

static void run_scalar(const ts_descriptor *d)
{
    run_mistaken(d, scalar_second);
}

static const ts_mistake mistakes[] = {
    { "the operands were exchanged", run_exchanged },
    { "the first operand were both of them", run_repeated },
    { "the last input had its first element everywhere", run_scalar },
};
const ts_derivation each_derivation = { describe, sizeof mistakes / sizeof mistakes[0], mistakes };
