/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/checked/each.h"

static const each_semantics *semantics_of(const ts_operator *op)
{
    return &((const checked_operator *)(const void *)op)->semantics;
}

uint64_t each_bits(const ts_tensor *t, const uint64_t *coord)
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

void each_store(const ts_tensor *t, const uint64_t *coord, uint64_t bits)
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

each each_at(const ts_descriptor *d, const uint64_t *coord)
{
    const uint32_t dtype = operator_dtype(d);
    each e = { .dtype = dtype, .width = 8 * (unsigned)tensor_element_bytes(dtype) };
    for (unsigned k = 0; k < each_output(d->op); ++k)
        e.in[k] = each_bits(&d->tensors[k], coord);
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
    if (!s->flushes || e->dtype != TS_FLOAT32)
        return false;
    const uint64_t exact = s->element(e);
    bool differs = false;
    for (unsigned inputs = 1; inputs < 1u << count; ++inputs)
        differs = differs || result_with(s, e, count, inputs) != exact;
    return differs;
}

static bool is_open(const each_semantics *s, const each *e)
{
    return s->open && s->open(e) != 0;
}

ts_open each_open(const ts_operator *op, const each *e)
{
    const each_semantics *s = semantics_of(op);
    return is_open(s, e) ? TS_UNDEFINED : has_several(s, e, each_output(op)) ? TS_SEVERAL : TS_ONE_ANSWER;
}

uint64_t each_element(const ts_operator *op, const each *e)
{
    return semantics_of(op)->element(e);
}

void each_run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const unsigned out = each_output(d->op);
    const ts_tensor *to = &d->tensors[out];
    uint64_t c[TS_MAX_DIMS] = { 0 };
    do {
        const each e = each_at(d, c);
        const ts_open open = each_open(d->op, &e);
        if (open == TS_UNDEFINED)
            operator_unspecified(unspecified, out, tensor_number(to, c));
        if (open == TS_SEVERAL)
            operator_several(unspecified, out, tensor_number(to, c));
        each_store(to, c, each_element(d->op, &e));
    } while (tensor_next(to, c));
}

void each_run_as(const ts_descriptor *d, each_formula *formula)
{
    const ts_tensor *to = &d->tensors[each_output(d->op)];
    uint64_t c[TS_MAX_DIMS] = { 0 };
    do {
        const each e = each_at(d, c);
        each_store(to, c, formula(&e));
    } while (tensor_next(to, c));
}

void each_answers(const ts_descriptor *d, unsigned tensor, const uint64_t *coord, ts_answers *answers)
{
    const each_semantics *s = semantics_of(d->op);
    const each e = each_at(d, coord);
    const unsigned count = each_output(d->op);
    (void)tensor; /* there is one output */
    if (is_open(s, &e))
        return;
    for (unsigned inputs = 0; inputs < (s->flushes ? 1u << count : 1u); ++inputs)
        operator_allow_bits(answers, result_with(s, &e, count, inputs));
}
