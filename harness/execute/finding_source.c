/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/finding_source.h"

#include "harness/execute/bit_changes.h"
#include "harness/model/explain_index.h"
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

/* An input that elements are copied from. Its places are numbered from `first` on, behind those of the inputs before.
 */
typedef struct traced_input {
    const char *name;
    const ts_tensor *tensor;
    const arena_place *place;
    uint64_t first, places;
} traced_input;

/* A trace while it is made. */
typedef struct tracing {
    executor *x;
    execute_item *item;
    const judgement *j;
    traced_input inputs[TS_MAX_TENSORS];
    unsigned input_count;
    char names[160]; /* of the inputs: "InputTensor or UpdatesTensor" */
    const ts_tensor *out;
    const arena_place *to;
    size_t element;           /* bytes */
    uint64_t elements;        /* places in the inputs' buffers together */
    unsigned executions;      /* so far */
    uint64_t golden, subject; /* the element's bits in the last execution */
    bool untouched, zero;     /* in every execution so far */
    bool copied;              /* in every execution so far, and from place `actual` */
    bool same;                /* in every numbered execution, the right number came */
    bool shown;               /* the element differed in some execution */
    uint64_t expected, actual;
    bit_changes changes;
    bool explained;         /* the operator says where the element comes from: */
    explain_element origin; /* with the input's elements that it may have, and the indices that select them */
} tracing;

/* Execute the case with the present contents of the inputs. Every other execution has another poison, so that an
   element that was never written is detected. */
static bool execute_again(tracing *t)
{
    execute_item *item = t->item;
    const unsigned attempt = t->executions++;
    unsigned char poison[8];
    item_hide_expected(item);
    item_reset_subject(item, attempt);
    item_submit(t->x, item, 1);
    item_reset_golden(item, attempt);
    item_run_reference(item);
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

/* Number the places of the inputs, digit by digit: the number in the wrong element names its source. At least two
   executions. False where the reference's bits are no copy of a place of an input. */
static bool number_places(tracing *t)
{
    const uint32_t dtype = t->out->dtype;
    const unsigned passes = fill_digit_passes(dtype, t->elements);
    const uint64_t base = fill_digit_base(dtype);
    uint64_t weight = 1;
    for (unsigned pass = 0; pass < (passes < 2 ? 2 : passes); ++pass) {
        for (const traced_input *in = t->inputs; in < t->inputs + t->input_count; ++in)
            fill_digits(dtype, in->place->golden, in->place->bytes, in->first, pass);
        if (!execute_again(t))
            return false;
        const int64_t want = fill_digit_of(dtype, t->golden), have = fill_digit_of(dtype, t->subject);
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

/* The input that a numbered place is in. */
static const traced_input *input_of(const tracing *t, uint64_t place)
{
    const traced_input *in = &t->inputs[t->input_count - 1];
    while (place < in->first)
        --in;
    return in;
}

static uint64_t input_bits(const tracing *t, uint64_t place)
{
    const traced_input *in = input_of(t, place);
    return value_bits(t->out->dtype, in->place->golden + (place - in->first) * t->element);
}

static void name_place(const tracing *t, uint64_t place, char *buf, size_t size)
{
    const traced_input *in = input_of(t, place);
    source_name(in->name, in->tensor, place - in->first, buf, size);
}

/* Confirm the numbers with random bits: what was computed can look like another number. False as above. */
static bool confirm(tracing *t)
{
    const unsigned passes = t->out->dtype == TS_BOOLEAN ? 16 : t->element == 1 ? 6 : 3;
    for (unsigned pass = 0; pass < passes; ++pass) {
        for (const traced_input *in = t->inputs; in < t->inputs + t->input_count; ++in)
            fill_buffer(FILL_BITS, t->out->dtype, in->place->golden, in->place->bytes, fill_mix(pass + 1 + in->first));
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
        for (const traced_input *in = t->inputs; in < t->inputs + t->input_count; ++in)
            for (uint64_t i = 0; i < in->places; ++i)
                value_store_bits(t->out->dtype, in->place->golden + i * t->element,
                                 fill_element(FILL_SPECIAL, t->out->dtype, in->first + i + pass, 0));
        if (!execute_again(t)) {
            t->changes.all = t->changes.differing = 0;
            return;
        }
        if (platform_seconds() - began > SPECIAL_SECONDS)
            return;
    }
}

/* Examine the bits of the output as the case itself left them. */
static void look_at_output(tracing *t, const ts_marks *marks)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 }, differing = 0, right = 0;
    do {
        const uint64_t offset = tensor_offset(t->out, coord);
        const uint64_t golden = value_bits(t->out->dtype, t->to->golden + offset * t->element);
        const uint64_t subject = value_bits(t->out->dtype, t->to->subject + offset * t->element);
        uint64_t *seen = golden == subject ? &right : &differing;
        if (operator_open(marks, (unsigned)t->j->tensor, tensor_number(t->out, coord)) != TS_ONE_ANSWER ||
            ++*seen > LOOKED)
            continue;
        bit_changes_add(&t->changes, golden, subject);
    } while (differing <= LOOKED && tensor_next(t->out, coord));
}

/* Is the element at `coord` of tensor `from` the one at a numbered place? */
static bool is_at(const tracing *t, int from, const uint64_t *coord, uint64_t place)
{
    const traced_input *in = input_of(t, place);
    const ts_tensor *tensors = t->item->instance->descriptor.tensors;
    return from >= 0 && in->tensor == &tensors[from] && tensor_offset(in->tensor, coord) == place - in->first;
}

/* May the element have the value of any of several elements, one of which is at this place? */
static bool is_a_choice(const tracing *t, uint64_t place)
{
    const explain_element *e = &t->origin;
    for (uint64_t i = 0; t->j->several && t->explained && i < e->choices && i < EXPLAIN_CHOICES; ++i)
        if (is_at(t, e->choice[i].from, e->choice[i].from_coord, place))
            return true;
    return false;
}

static source_kind kind_of(const tracing *t)
{
    return t->untouched                             ? SOURCE_UNWRITTEN
           : t->zero && t->j->actual == 0           ? SOURCE_ZERO
           : t->same                                ? SOURCE_SAME
           : t->copied && is_a_choice(t, t->actual) ? SOURCE_RIGHT
           : t->copied && t->actual != t->expected  ? SOURCE_OTHER
                                                    : SOURCE_COMPUTED;
}

/* Write which elements of the input the element may have: "one of UpdatesTensor[0] (by IndicesTensor[0] = 1) and
   UpdatesTensor[1] (by IndicesTensor[1] = 1)". */
static void name_choices(const tracing *t, char *buf, size_t size)
{
    const ts_descriptor *d = &t->item->instance->descriptor;
    const explain_element *e = &t->origin;
    const uint64_t named = e->choices < EXPLAIN_CHOICES ? e->choices : EXPLAIN_CHOICES;
    if (!t->explained || e->choices < 2) {
        snprintf(buf, size, "one of several elements of %s", t->names);
        return;
    }
    snprintf(buf, size, "one of ");
    for (uint64_t i = 0; i < named; ++i) {
        const explain_choice *choice = &e->choice[i];
        char place[200];
        value_format_list(choice->from_coord, d->tensors[choice->from].rank, place, sizeof place);
        explain_append(buf, size, "%s%s%s",
                       i == 0               ? ""
                       : i + 1 < e->choices ? ", "
                                            : " and ",
                       d->op->tensors[choice->from].name, place);
        if (choice->via >= 0) {
            explain_append(buf, size, " (by ");
            explain_append_index(buf, size, d, choice->via, choice->via_coord, e->by_tuple);
            explain_append(buf, size, ")");
        }
    }
    if (e->choices > named)
        explain_append(buf, size, " and %" PRIu64 " other%s", e->choices - named, e->choices - named == 1 ? "" : "s");
}

/* Write where the element should come from: "InputTensor[1,1], selected by IndicesTensor[1] = -1". reference: where
   that of the reference comes from. */
static void name_expected(const tracing *t, const char *reference, char *buf, size_t size)
{
    const explain_element *e = &t->origin;
    if (t->j->several) {
        name_choices(t, buf, size);
        return;
    }
    snprintf(buf, size, "%s", reference);
    if (t->explained && e->via >= 0 && is_at(t, e->from, e->from_coord, t->expected)) {
        explain_append(buf, size, ", selected by ");
        explain_append_index(buf, size, &t->item->instance->descriptor, e->via, e->via_coord, e->by_tuple);
    }
}

static void describe(tracing *t, source *s)
{
    char change[300], reference[256], wanted[1000];
    name_place(t, t->expected, reference, sizeof reference);
    name_expected(t, reference, wanted, sizeof wanted);
    if (!t->j->several)
        snprintf(s->expected, sizeof s->expected, "%s", reference);
    switch (s->kind) {
    case SOURCE_OTHER: name_place(t, t->actual, s->actual, sizeof s->actual); break;
    case SOURCE_UNWRITTEN: snprintf(s->actual, sizeof s->actual, "never written: it still holds the poison"); break;
    case SOURCE_ZERO: snprintf(s->actual, sizeof s->actual, "0, whatever %s holds", t->names); break;
    default:
        try_special_values(t);
        if (!t->shown || s->kind == SOURCE_RIGHT) {
            s->kind = SOURCE_RIGHT;
            snprintf(s->sentence, sizeof s->sentence,
                     ". It should come from %s, and did when the case was executed again with other values in %s",
                     wanted, t->names);
            return;
        }
        if (bit_changes_describe(&t->changes, change, sizeof change)) {
            snprintf(s->actual, sizeof s->actual, "%s, but %s", reference, change);
        } else if (s->kind == SOURCE_SAME) {
            snprintf(s->actual, sizeof s->actual, "%s, but the bits 0x%0*" PRIx64 " of it were changed", reference,
                     (int)(2 * t->element), t->j->expected ^ t->j->actual);
        } else {
            snprintf(s->actual, sizeof s->actual, "no element of %s: computed, or read from elsewhere", t->names);
            break;
        }
        s->kind = SOURCE_SAME;
        snprintf(s->sentence, sizeof s->sentence, ". It came from %s, %s",
                 t->j->several ? "one of the right elements" : "the right element", s->actual);
        return;
    }
    snprintf(s->sentence, sizeof s->sentence, ". It should come from %s; it %s %s", wanted,
             s->kind == SOURCE_OTHER       ? "came from"
             : s->kind == SOURCE_UNWRITTEN ? "was"
                                           : "is",
             s->actual);
}

/* Find the inputs that elements of this type are copied from. Numbering a sparse one would touch its unused pages. */
static void find_inputs(tracing *t)
{
    const ts_descriptor *d = &t->item->instance->descriptor;
    size_t used = 0;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        const ts_tensor *in = &d->tensors[k];
        const uint64_t places = t->element ? in->total_bytes / t->element : 0;
        if (!(operator_copied(d->op) >> k & 1) || !(in->given & TS_GIVEN_TENSOR) || in->dtype != t->out->dtype ||
            t->item->places[k].sparse || places == 0)
            continue;
        t->inputs[t->input_count++] = (traced_input){ .name = d->op->tensors[k].name,
                                                      .tensor = in,
                                                      .place = &t->item->places[k],
                                                      .first = t->elements,
                                                      .places = places };
        t->elements += places;
        if (used < sizeof t->names)
            used += (size_t)snprintf(t->names + used, sizeof t->names - used, "%s%s", used ? " or " : "",
                                     d->op->tensors[k].name);
    }
}

void source_trace(executor *x, execute_item *item, const judgement *j, source *s)
{
    const ts_descriptor *d = &item->instance->descriptor;
    tracing t = { .x = x, .item = item, .j = j, .out = &d->tensors[j->tensor] };
    *s = (source){ .kind = SOURCE_UNKNOWN };
    t.to = &item->places[j->tensor];
    t.element = tensor_element_bytes(t.out->dtype);
    find_inputs(&t);
    if (d->op->tensors[j->tensor].role != TS_OUTPUT || t.elements == 0)
        return;
    t.untouched = t.zero = t.copied = t.same = true;
    bit_changes_begin(&t.changes, t.out->dtype);
    look_at_output(&t, item_marks(x, item));
    if (!number_places(&t) || !confirm(&t))
        return;
    t.explained = item_origin(item, (unsigned)j->tensor, j->coord, &t.origin);
    s->negative_index = t.explained && t.origin.via >= 0 &&
                        explain_index_is_negative(d, t.origin.via, t.origin.via_coord, t.origin.by_tuple);
    s->kind = kind_of(&t);
    describe(&t, s);
}
