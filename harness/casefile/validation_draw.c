/* SPDX-License-Identifier: Apache-2.0 */
/* Draw descriptors: a walk of changes that keep the legal call legal, and a change that breaks one clause. */
#include "harness/casefile/validation.h"
#include "harness/model/fill.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

typedef struct draws {
    uint64_t state;
} draws;

static uint64_t draw(draws *r)
{
    return fill_mix(r->state += UINT64_C(0x9E3779B97F4A7C15));
}

static uint32_t below(draws *r, uint64_t end)
{
    return end ? (uint32_t)(draw(r) % end) : 0;
}

/* A number of 32 bits: small ones, those at the borders of 8, 16, 31 and 32 bits, and any. */
static uint32_t magnitude(draws *r)
{
    static const uint32_t borders[] = { 255,        256,        257,        65535,      65536,
                                        65537,      0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE,
                                        0xFFFFFFFF, 1u << 24,   1u << 30,   1024,       4096 };
    const uint32_t kind = below(r, 8);
    if (kind < 5)
        return below(r, kind < 3 ? 6 : 40);
    if (kind == 5)
        return borders[below(r, sizeof borders / sizeof borders[0])];
    return (uint32_t)(draw(r) >> (32 + below(r, 32)));
}

/* The bits of a FLOAT: numbers of all signs and sizes, denormals, infinities, NaNs. */
static uint32_t float_bits(draws *r)
{
    static const uint32_t special[] = { 0,          0x80000000, 0x3F800000, 0xBF800000, 0x3F000000, 0x7F800000,
                                        0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC00001, 1,          0x007FFFFF,
                                        0x80000001, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x40A00000, 0x42C80000 };
    return below(r, 4) ? special[below(r, sizeof special / sizeof special[0])] : (uint32_t)draw(r);
}

static bool has(const ts_descriptor *d, unsigned k)
{
    return (d->tensors[k].given & TS_GIVEN_TENSOR) != 0;
}

/* A tensor that is given; tensor 0 if none of a few is. */
static unsigned some_tensor(draws *r, const ts_descriptor *d)
{
    unsigned k = 0;
    for (int i = 0; i < 8 && !has(d, k = below(r, d->op->tensor_count)); ++i) {
    }
    return has(d, k) ? k : 0;
}

/* ---- changes of several fields ---- */

/* A size becomes another one wherever it occurs, or in this dimension of all tensors, or here alone; beside a large one
   the other sizes may become 1, as tensors end at 2^32 bytes. */
static void change_size(draws *r, ts_descriptor *d)
{
    const unsigned from = some_tensor(r, d);
    const ts_tensor *t = &d->tensors[from];
    if (t->rank == 0 || t->rank > TS_MAX_DIMS)
        return;
    const uint32_t i = below(r, t->rank), mode = below(r, 3), rank = t->rank;
    const uint64_t was = t->sizes[i], size = magnitude(r);
    const bool lonely = size > UINT16_MAX && below(r, 2);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        ts_tensor *other = &d->tensors[k];
        for (uint32_t n = 0; has(d, k) && n < other->rank && n < TS_MAX_DIMS; ++n) {
            const bool here = k == from && n == i, alike = other->sizes[n] == was,
                       aligned = other->rank == rank && n == i;
            if (here || (mode == 0 && alike) || (mode == 1 && alike && aligned))
                other->sizes[n] = size;
            else if (lonely)
                other->sizes[n] = 1;
        }
        if (has(d, k))
            changes_settle(other);
    }
}

/* The type of some tensor becomes another one there, or in all tensors that have it. */
static void change_type(draws *r, ts_descriptor *d)
{
    const unsigned from = some_tensor(r, d);
    const uint32_t was = d->tensors[from].dtype, type = 1 + below(r, TS_BFLOAT16 - 1);
    const bool all = below(r, 3) > 0;
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (has(d, k) && (k == from || (all && d->tensors[k].dtype == was))) {
            d->tensors[k].dtype = type;
            changes_settle(&d->tensors[k]);
        }
}

static void change_rank(draws *r, ts_descriptor *d)
{
    const uint32_t rank = 1 + below(r, 8);
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (has(d, k))
            changes_set_rank(&d->tensors[k], rank);
}

/* Strides: packed and written out, with room between the rows, transposed, or 0 in an input. */
static void change_strides(draws *r, ts_descriptor *d)
{
    const unsigned k = some_tensor(r, d);
    ts_tensor *t = &d->tensors[k];
    uint64_t bytes = 0;
    if (!has(d, k) || t->rank == 0 || t->rank > TS_MAX_DIMS)
        return;
    tensor_pack(t);
    t->given |= TS_GIVEN_STRIDES;
    const uint32_t i = below(r, t->rank);
    switch (below(r, 4)) {
    case 0: break;
    case 1:
        for (uint32_t n = 0; n < i; ++n)
            t->strides[n] *= 2;
        break;
    case 2: {
        uint64_t stride = 1;
        for (uint32_t n = 0; n < t->rank; stride *= t->sizes[n++])
            t->strides[n] = stride;
        break;
    }
    default: t->strides[i] = 0; break;
    }
    if (tensor_min_bytes(t, &bytes))
        t->total_bytes = bytes;
}

/* What else a tensor says of its memory. */
static void change_memory(draws *r, ts_descriptor *d)
{
    ts_tensor *t = &d->tensors[some_tensor(r, d)];
    switch (below(r, 3)) {
    case 0: t->total_bytes += UINT64_C(4) * magnitude(r); break;
    case 1: t->alignment = 1u << below(r, 32); break;
    default: t->flags = below(r, 2); break;
    }
}

static void change_presence(draws *r, ts_descriptor *d)
{
    const unsigned k = below(r, d->op->tensor_count);
    const field_change c = { has(d, k) ? CHANGE_MISSING : CHANGE_GIVEN, k, 0, 0 };
    if (d->op->tensors[k].optional && !operator_list_of(d->op, k))
        changes_make(d, &c);
}

/* The value of an attribute: one of its names, a truth value, the bits of a float, or a number near or far. */
static int64_t value_of(draws *r, const ts_descriptor *d, unsigned k, unsigned i)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const int64_t was = operator_attr_value(d, k, i);
    if (a->names)
        return below(r, operator_name_count(a));
    switch (a->type) {
    case TS_ATTR_BOOL:
    case TS_ATTR_BIT: return below(r, 2);
    case TS_ATTR_F32: return float_bits(r);
    case TS_ATTR_UNION: return below(r, 2) ? (int64_t)draw(r) : (int64_t)float_bits(r);
    case TS_ATTR_I32: return below(r, 2) ? (int32_t)magnitude(r) : was + (int64_t)below(r, 5) - 2;
    default: return below(r, 2) ? magnitude(r) : was + (int64_t)below(r, 5) - 2;
    }
}

static void change_value(draws *r, ts_descriptor *d)
{
    if (d->op->attr_count == 0)
        return;
    const unsigned k = below(r, d->op->attr_count);
    const ts_attr_decl *a = &d->op->attrs[k];
    const uint32_t n = operator_attr_count(d, k);
    if (!(d->attrs_given >> k & 1) || a->counts)
        return;
    if (a->type == TS_ATTR_OPERATOR || a->count == TS_RECORD) {
        if (a->optional && below(r, 2))
            d->attrs_given &= ~(UINT32_C(1) << k);
        if (a->type == TS_ATTR_OPERATOR || n == 0)
            return;
    }
    const bool all = below(r, 4) == 0;
    const uint32_t i = below(r, n);
    const int64_t value = value_of(r, d, k, i);
    for (uint32_t m = all ? 0 : i; m < (all ? n : i + 1); ++m)
        changes_make(d, &(field_change){ CHANGE_VALUE, k, m, value });
}

/* The length of lists: their counter becomes another one, and what is added is as what was there last. */
static void change_length(draws *r, ts_descriptor *d)
{
    const unsigned at = below(r, d->op->attr_count);
    if (d->op->attr_count == 0 || d->op->attrs[at].count != TS_ARRAY || d->op->attrs[at].type == TS_ATTR_OPERATOR)
        return;
    const ts_attr_decl *counted = &d->op->attrs[at];
    const uint32_t was = operator_attr_count(d, at),
                   length = 1 + below(r, counted->capacity < 8 ? counted->capacity : 8);
    memcpy(d->attrs + counted->count_offset, &length, sizeof length);
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const ts_attr_decl *a = &d->op->attrs[k];
        if (a->count != TS_ARRAY || a->count_offset != counted->count_offset || a->type == TS_ATTR_OPERATOR)
            continue;
        for (uint32_t i = was; i < length && i < a->capacity; ++i) {
            const int64_t last = was ? operator_attr_value(d, k, was - 1) : 0;
            changes_make(d, &(field_change){ CHANGE_VALUE, k, i, last });
        }
    }
}

/* The outputs get the sizes that the operator's rules give, where there is such a rule. */
static void shape_outputs(ts_descriptor *d)
{
    if (!d->op->shape(d))
        return;
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (d->op->tensors[k].role == TS_OUTPUT && has(d, k))
            changes_settle(&d->tensors[k]);
}

/* ---- the walk ---- */

/* The number at the end of a violation's text: the value that the rule expects, where it expects one. */
static bool expected_of(const char *text, uint64_t *expected)
{
    const char *end = text + strlen(text), *from = end;
    while (from > text && from[-1] >= '0' && from[-1] <= '9')
        --from;
    *expected = strtoull(from, NULL, 10);
    return from < end && *expected <= UINT32_MAX;
}

/* Correct the field that a violation names. False: it names none, or not what it should be. */
static bool correct(draws *r, ts_descriptor *d, const ts_violation *v)
{
    uint64_t expected;
    if (v->tensor < 0 || !has(d, (unsigned)v->tensor))
        return false;
    ts_tensor *t = &d->tensors[v->tensor];
    if (strstr(v->text, ".DataType")) {
        t->dtype = d->tensors[some_tensor(r, d)].dtype;
        changes_settle(t);
        return true;
    }
    if (!expected_of(v->text, &expected))
        return false;
    if (v->axis >= 0 && (uint32_t)v->axis < t->rank)
        t->sizes[v->axis] = expected;
    else if (strstr(v->text, ".DimensionCount") && expected >= 1 && expected <= 8)
        changes_set_rank(t, (uint32_t)expected);
    else
        return false;
    changes_settle(t);
    return true;
}

/* Is the descriptor legal, after some corrections? */
static bool make_legal(draws *r, ts_descriptor *d)
{
    enum { CORRECTIONS = 6 };
    for (int i = 0; i <= CORRECTIONS; ++i) {
        ts_report report;
        const validation_answer answer = validation_ask(d, &report);
        unsigned at = 0;
        if (answer != VALIDATION_ILLEGAL)
            return answer == VALIDATION_LEGAL;
        while (at < report.count && !operator_graver(report.items[at].result, TS_RESULT_UNSPECIFIED))
            ++at;
        if (i == CORRECTIONS || at == report.count || !correct(r, d, &report.items[at]))
            return false;
    }
    return false;
}

static void change_something(draws *r, ts_descriptor *d)
{
    switch (below(r, 12)) {
    case 0:
    case 1:
    case 2: change_size(r, d); break;
    case 3: change_type(r, d); break;
    case 4: change_rank(r, d); break;
    case 5: change_strides(r, d); break;
    case 6: change_memory(r, d); break;
    case 7: change_presence(r, d); break;
    case 8: change_length(r, d); break;
    default: change_value(r, d); break;
    }
    if (below(r, 2))
        shape_outputs(d);
}

/* Make some changes, each of which keeps the descriptor legal. */
static void walk(draws *r, ts_descriptor *d, unsigned steps)
{
    enum { TRIES = 5 };
    for (unsigned i = 0; i < steps; ++i) {
        for (int n = 0; n < TRIES; ++n) {
            ts_descriptor changed = *d;
            change_something(r, &changed);
            if (memcmp(&changed, d, sizeof changed) == 0 || !make_legal(r, &changed))
                continue;
            *d = changed;
            break;
        }
    }
}

void validation_legal(const validation *v, uint64_t number, ts_descriptor *d)
{
    draws r = { fill_mix(v->key ^ fill_mix(number + 1)) };
    const field_change *listed = validation_listed(&v->legal, number);
    *d = v->call;
    if (listed)
        changes_make(d, listed);
    else
        walk(&r, d, 2 + below(&r, 6));
}

/* A change that breaks the clause in the legal call, or one like it with another value. */
static field_change some_break(draws *r, const ts_descriptor *d, const validation_clause *c)
{
    field_change made = c->changes.list[below(r, c->changes.count)];
    if (below(r, 2))
        return made;
    if (made.kind == CHANGE_SIZE)
        made.value = magnitude(r);
    else if (made.kind == CHANGE_VALUE && d->op->attrs[made.at].names)
        made.value = magnitude(r);
    else if (made.kind == CHANGE_VALUE && made.element < operator_attr_count(d, made.at))
        made.value = value_of(r, d, made.at, made.element);
    return made;
}

void validation_illegal(const validation *v, size_t clause, uint64_t number, ts_descriptor *d)
{
    enum { TRIES = 10 };
    const validation_clause *c = &v->clauses[clause];
    draws r = { fill_mix(v->key ^ fill_mix((number + 1) ^ (uint64_t)(clause + 1) << 32)) };
    ts_report report;
    bool alone;
    const field_change *listed = validation_listed(&c->changes, number);
    for (int i = 0; !listed && i < TRIES; ++i) {
        *d = v->call;
        walk(&r, d, i < TRIES / 2 ? 1 + below(&r, 5) : 1);
        const field_change made = some_break(&r, d, c);
        if (changes_make(d, &made) && validation_ask(d, &report) == VALIDATION_ILLEGAL &&
            validation_breaks(&report, c->id, &alone) && alone == c->alone)
            return;
    }
    *d = v->call;
    changes_make(d, listed ? listed : &c->changes.list[number % c->changes.count]);
    if (listed)
        return;
    ts_descriptor larger = *d; /* the same in a larger buffer, so that it is another descriptor */
    ts_tensor *t = &larger.tensors[some_tensor(&r, d)];
    t->total_bytes += 4 * number;
    if (validation_ask(&larger, &report) == VALIDATION_ILLEGAL && validation_breaks(&report, c->id, &alone) &&
        alone == c->alone)
        *d = larger;
}
