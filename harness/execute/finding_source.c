/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/finding_source.h"

#include "harness/execute/bit_changes.h"
#include "harness/model/locate.h"
#include "harness/model/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LOOKED          4096 /* elements that differ, and as many that do not, whose bits are examined */
#define SPECIAL_PASSES  17   /* executions after which every place of the input has held every special value */
#define SPECIAL_SECONDS 1.0  /* but no more of them after this time */

void source_name(const char *tensor, const ts_tensor *t, uint64_t position, char *buf, size_t size)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    char place[200];
    const locate_result r = locate_element(t, position, coord);
    value_format_list(coord, t->rank, place, sizeof place);
    switch (r) {
    case LOCATE_ONE: snprintf(buf, size, "%s%s", tensor, place); break;
    case LOCATE_SEVERAL: snprintf(buf, size, "%s%s (or another element at its address)", tensor, place); break;
    case LOCATE_GAP: snprintf(buf, size, "a gap of %s (element %" PRIu64 " of its buffer)", tensor, position); break;
    case LOCATE_UNKNOWN: snprintf(buf, size, "element %" PRIu64 " of the buffer of %s", position, tensor); break;
    }
}

/* A trace while it is made. */
typedef struct tracing {
    executor *x;
    execute_item *item;
    const judgement *j;
    const ts_tensor *in, *out;
    const arena_place *from, *to;
    size_t element;           /* bytes */
    uint64_t elements;        /* places in the input's buffer */
    unsigned executions;      /* so far */
    uint64_t golden, subject; /* the element's bits in the last execution */
    bool untouched, zero;     /* in every execution so far */
    bool copied;              /* in every execution so far, and from place `actual` */
    bool same;                /* in every numbered execution, the right number came */
    bool shown;               /* the element differed in some execution */
    uint64_t expected, actual;
    bit_changes changes;
} tracing;

/* Execute the case with the present contents of the first input. Every other execution has another poison, so that an
   element that was never written is detected. */
static bool execute_again(tracing *t)
{
    execute_item *item = t->item;
    const unsigned attempt = t->executions++;
    unsigned char poison[8];
    item_reset_golden(item, attempt);
    item_reset_subject(item, attempt);
    item_run_reference(item);
    item_submit(t->x, item, 1);
    if (item->faulted || item->status != TS_OK)
        return false;
    t->golden = value_bits(t->out->dtype, t->to->golden + t->j->offset * t->element);
    t->subject = value_bits(t->out->dtype, t->to->subject + t->j->offset * t->element);
    memset(poison, item_poison(item, attempt), sizeof poison);
    t->untouched = t->untouched && t->subject == value_bits(t->out->dtype, poison);
    t->zero = t->zero && t->subject == 0;
    t->shown = t->shown || t->golden != t->subject;
    bit_changes_add(&t->changes, t->golden, t->subject);
    return true;
}

/* Number the places of the input, digit by digit: the number in the wrong element names its source. At least two
   executions. False where the reference's bits are no copy of a place of the input. */
static bool number_places(tracing *t)
{
    const unsigned passes = fill_digit_passes(t->in->dtype, t->elements);
    const uint64_t base = fill_digit_base(t->in->dtype);
    uint64_t weight = 1;
    for (unsigned pass = 0; pass < (passes < 2 ? 2 : passes); ++pass) {
        fill_digits(t->in->dtype, t->from->golden, t->from->bytes, pass);
        if (!execute_again(t))
            return false;
        const int64_t want = fill_digit_of(t->out->dtype, t->golden), have = fill_digit_of(t->out->dtype, t->subject);
        if (want < 0)
            return false;
        t->copied = t->copied && have >= 0;
        t->same = t->same && have == want;
        if (pass < passes) {
            t->expected += (uint64_t)want * weight;
            t->actual += (uint64_t)(have < 0 ? 0 : have) * weight;
            weight *= base;
        }
    }
    t->copied = t->copied && t->actual < t->elements;
    return t->expected < t->elements;
}

static uint64_t input_bits(const tracing *t, uint64_t place)
{
    return value_bits(t->in->dtype, t->from->golden + place * t->element);
}

/* Confirm the numbers with random bits: what was computed can look like another number. False as above. */
static bool confirm(tracing *t)
{
    const unsigned passes = t->in->dtype == TS_BOOLEAN ? 16 : t->element == 1 ? 6 : 3;
    for (unsigned pass = 0; pass < passes; ++pass) {
        fill_buffer(FILL_BITS, t->in->dtype, t->from->golden, t->from->bytes, fill_mix(pass + 1));
        if (!execute_again(t) || t->golden != input_bits(t, t->expected))
            return false;
        t->copied = t->copied && t->subject == input_bits(t, t->actual);
    }
    return true;
}

/* Let the right element hold every special value, to find out what happens to its bits. */
static void try_special_values(tracing *t)
{
    const double began = platform_seconds();
    for (uint64_t pass = 0; pass < SPECIAL_PASSES && t->changes.differing; ++pass) {
        unsigned char *to = t->from->golden;
        for (uint64_t i = 0; i < t->elements; ++i, to += t->element)
            value_store_bits(t->in->dtype, to, fill_element(FILL_SPECIAL, t->in->dtype, i + pass, 0));
        if (!execute_again(t)) {
            t->changes.all = t->changes.differing = 0;
            return;
        }
        if (platform_seconds() - began > SPECIAL_SECONDS)
            return;
    }
}

/* Examine the bits of the output as the case itself left them. */
static void look_at_output(tracing *t, const uint8_t *undefined)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 }, differing = 0, right = 0;
    do {
        const uint64_t offset = tensor_offset(t->out, coord);
        const uint64_t golden = value_bits(t->out->dtype, t->to->golden + offset * t->element);
        const uint64_t subject = value_bits(t->out->dtype, t->to->subject + offset * t->element);
        uint64_t *seen = golden == subject ? &right : &differing;
        if ((undefined && undefined[offset]) || ++*seen > LOOKED)
            continue;
        bit_changes_add(&t->changes, golden, subject);
    } while (differing <= LOOKED && tensor_next(t->out, coord));
}

/* The undefined elements of this output; NULL where all are defined. */
static const uint8_t *undefined_of(tracing *t)
{
    const ts_operator *op = t->item->instance->descriptor.op;
    for (int k = 0; k < t->j->tensor; ++k)
        if (op->tensors[k].role == TS_OUTPUT)
            return NULL; /* only the first output has any */
    return item_undefined_map(t->x, t->item);
}

static source_kind kind_of(const tracing *t)
{
    return t->untouched                            ? SOURCE_UNWRITTEN
           : t->zero && t->j->actual == 0          ? SOURCE_ZERO
           : t->same                               ? SOURCE_SAME
           : t->copied && t->actual != t->expected ? SOURCE_OTHER
                                                   : SOURCE_COMPUTED;
}

static void describe(tracing *t, const char *input, source *s)
{
    char change[300];
    source_name(input, t->in, t->expected, s->expected, sizeof s->expected);
    switch (s->kind) {
    case SOURCE_OTHER: source_name(input, t->in, t->actual, s->actual, sizeof s->actual); break;
    case SOURCE_UNWRITTEN: snprintf(s->actual, sizeof s->actual, "never written: it still holds the poison"); break;
    case SOURCE_ZERO: snprintf(s->actual, sizeof s->actual, "0, whatever %s holds", input); break;
    default:
        try_special_values(t);
        if (!t->shown) {
            s->kind = SOURCE_RIGHT;
            snprintf(s->sentence, sizeof s->sentence,
                     ". It should come from %s, and did when the case was executed again with other values in %s",
                     s->expected, input);
            return;
        }
        if (bit_changes_describe(&t->changes, change, sizeof change)) {
            snprintf(s->actual, sizeof s->actual, "%s, but %s", s->expected, change);
        } else if (s->kind == SOURCE_SAME) {
            snprintf(s->actual, sizeof s->actual, "%s, but the bits 0x%0*" PRIx64 " of it were changed", s->expected,
                     (int)(2 * t->element), t->j->expected ^ t->j->actual);
        } else {
            snprintf(s->actual, sizeof s->actual, "no element of %s: computed, or read from elsewhere", input);
            break;
        }
        s->kind = SOURCE_SAME;
        snprintf(s->sentence, sizeof s->sentence, ". It came from the right element, %s", s->actual);
        return;
    }
    snprintf(s->sentence, sizeof s->sentence, ". It should come from %s; it %s %s", s->expected,
             s->kind == SOURCE_OTHER       ? "came from"
             : s->kind == SOURCE_UNWRITTEN ? "was"
                                           : "is",
             s->actual);
}

void source_trace(executor *x, execute_item *item, const judgement *j, source *s)
{
    const ts_descriptor *d = &item->instance->descriptor;
    tracing t = { .x = x, .item = item, .j = j, .in = &d->tensors[0], .out = &d->tensors[j->tensor] };
    *s = (source){ .kind = SOURCE_UNKNOWN };
    t.from = &item->places[0];
    t.to = &item->places[j->tensor];
    t.element = tensor_element_bytes(t.out->dtype);
    t.elements = t.element ? t.in->total_bytes / t.element : 0;
    if (t.in->dtype != t.out->dtype || d->op->tensors[j->tensor].role != TS_OUTPUT || t.elements == 0 ||
        t.from->sparse) /* numbering a sparse tensor would touch its unused pages */
        return;
    t.untouched = t.zero = t.copied = t.same = true;
    bit_changes_begin(&t.changes, t.out->dtype);
    look_at_output(&t, undefined_of(&t));
    if (!number_places(&t) || !confirm(&t))
        return;
    s->kind = kind_of(&t);
    describe(&t, d->op->tensors[0].name, s);
}
