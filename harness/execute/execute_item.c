/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/execute_item.h"

#include "harness/model/sparse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHAPE_POISON 0xA5 /* of a shape before the backend reports one */

unsigned char item_poison(const execute_item *item, unsigned attempt)
{
    return (item->instance->placement + attempt) & 1 ? 0x34 : 0xCB;
}

/* Point the descriptor's tensors at the golden buffers or at the subject's. */
static void point_at(execute_item *item, bool subject)
{
    ts_descriptor *d = &item->instance->descriptor;
    const bool executes = item_executes(item);
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        const bool present = (d->tensors[t].given & TS_GIVEN_TENSOR) != 0;
        d->tensors[t].data = !present || !executes ? NULL : subject ? item->places[t].subject : item->places[t].golden;
        d->tensors[t].reported = NULL;
        if (!present || d->op->tensors[t].role != TS_OUTPUT)
            continue;
        d->tensors[t].data_dependent = operator_dependent(d->op, t);
        if (subject) {
            memset(&item->reported[t], SHAPE_POISON, sizeof item->reported[t]); /* no size is right by chance */
            item->reported[t].rank = TS_RANK_UNREPORTED;
            d->tensors[t].reported = &item->reported[t];
        } else if (operator_dependent(d->op, t)) {
            d->tensors[t].reported = &item->expected[t];
        }
    }
}

/* memset for mostly very short regions: the C library may use a masked store for these, which some processors execute
   in microcode. */
static void set_bytes(unsigned char *to, unsigned char value, size_t n)
{
    enum { STEP = 16 };
    if (n < STEP || n > 16 * STEP) {
        memset(to, value, n);
        return;
    }
    for (size_t i = 0; i < n - STEP; i += STEP)
        memset(to + i, value, STEP);
    memset(to + n - STEP, value, STEP);
}

/* Poison a tensor's region in the golden or the subject's buffer. */
static void poison_region(const ts_tensor *t, const arena_place *p, unsigned char *base, unsigned char poison)
{
    if (p->sparse)
        sparse_set(t, p, base, poison);
    else
        set_bytes(base - p->before, poison, p->before + p->bytes + p->after);
}

void item_reset_subject(execute_item *item, unsigned attempt)
{
    const ts_descriptor *d = &item->instance->descriptor;
    unsigned char poison = item_poison(item, attempt);
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        const arena_place *p = &item->places[t];
        if (!(d->tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        if (d->op->tensors[t].role == TS_OUTPUT && !p->in_place)
            poison_region(&d->tensors[t], p, p->subject, poison);
        else if (d->op->tensors[t].role == TS_OUTPUT)
            continue; /* it is where the input is */
        else if (p->sparse)
            sparse_copy(&d->tensors[t], p);
        else
            memcpy(p->subject - p->before, p->golden - p->before, p->before + p->bytes + p->after);
    }
}

/* Make a golden output that is in the memory of tensor 0 as this is before the call. */
static void copy_golden(execute_item *item, unsigned t)
{
    const arena_place *from = &item->places[0];
    memcpy(item->places[t].golden - from->before, from->golden - from->before,
           from->before + from->bytes + from->after);
}

void item_reset_golden(execute_item *item, unsigned attempt)
{
    const ts_descriptor *d = &item->instance->descriptor;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        if (d->op->tensors[t].role != TS_OUTPUT || !(d->tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        if (item->places[t].in_place)
            copy_golden(item, t);
        else
            poison_region(&d->tensors[t], &item->places[t], item->places[t].golden, item_poison(item, attempt));
    }
}

/* The alignment that backend.h promises for `data`: the backend's, and at least that of an element. (A size that is
   rounded up to 4 bytes need not be a multiple of an element of 8.) */
static size_t data_alignment(const executor *x, const ts_tensor *t)
{
    size_t element = tensor_element_bytes(t->dtype), backend = x->plugin->info.buffer_alignment;
    return backend > element ? backend : element;
}

/* Place the buffers of tensor t, where the case says so or anywhere. */
static bool reserve(executor *x, execute_item *item, unsigned t, bool at_end, error *e)
{
    const ts_tensor *tensor = &item->instance->descriptor.tensors[t];
    const size_t slot = item->first_slot + t, alignment = data_alignment(x, tensor);
    const int base = item->instance->bases[t];
    arena *a = &x->batch.arena;
    return base < 0
               ? arena_reserve(a, slot, tensor->total_bytes, alignment, at_end, &item->places[t], e)
               : arena_reserve_at(a, slot, tensor->total_bytes, alignment, (unsigned)base, at_end, &item->places[t], e);
}

/* Give output t the subject's memory of tensor 0: casebuild_case has seen that both are alike. */
static void share_subject(execute_item *item, unsigned t)
{
    arena_place *from = &item->places[0], *to = &item->places[t];
    to->subject = from->subject;
    from->in_place = to->in_place = true;
    copy_golden(item, t);
}

bool item_lay_out(executor *x, execute_item *item, error *e)
{
    ts_descriptor *d = &item->instance->descriptor;
    const ts_operator *op = d->op;
    unsigned char poison = item_poison(item, 0);
    bool at_end = (item->instance->placement & 2) == 0; /* all four combinations with the poison occur */
    item->expected_known = item->golden_cleared = false;
    x->batch.arena.fresh = x->source.build.test->sparse;
    for (unsigned t = 0; t < op->tensor_count; ++t) {
        arena_place *p = &item->places[t];
        ts_tensor *tensor = &d->tensors[t];
        if (!(tensor->given & TS_GIVEN_TENSOR))
            continue;
        if (p->sparse || x->batch.arena.fresh) /* far pages would add up, and those between are read as 0 */
            arena_forget(&x->batch.arena, item->first_slot + t);
        p->sparse = x->source.build.test->sparse;
        p->in_place = false;
        if (!reserve(x, item, t, at_end, e))
            return false;
        tensor->data = p->golden;
        if (op->tensors[t].role == TS_OUTPUT && x->source.build.test->in_place) {
            share_subject(item, t);
            continue;
        }
        if (op->tensors[t].role == TS_OUTPUT) {
            poison_region(tensor, p, p->golden, poison);
            continue;
        }
        if (p->before)
            set_bytes(p->golden - p->before, poison, p->before);
        if (p->after)
            set_bytes(p->golden + p->bytes, poison, p->after);
        if (!casebuild_fill(&x->source.build, t, e))
            return false;
    }
    item_reset_subject(item, 0);
    return true;
}

void item_expect(execute_item *item)
{
    if (item->expected_known || !item_executes(item))
        return;
    if (item->golden_cleared)
        item_reset_golden(item, 0);
    item_run_reference(item);
}

void item_hide_expected(execute_item *item)
{
    if (!item->expected_known)
        return;
    const ts_descriptor *d = &item->instance->descriptor;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        const arena_place *p = &item->places[t];
        if (d->op->tensors[t].role != TS_OUTPUT || !(d->tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        if (p->sparse)
            sparse_set(&d->tensors[t], p, p->golden, 0);
        else
            set_bytes(p->golden, 0, p->bytes);
    }
    item->expected_known = false;
    item->golden_cleared = true;
}

void item_hide_all(executor *x, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        item_hide_expected(&x->batch.items[i]);
}

void item_run_reference(execute_item *item)
{
    const ts_operator *op = item->instance->descriptor.op;
    ts_unspecified undefined = { 0 };
    point_at(item, false);
    op->run(&item->instance->descriptor, &undefined);
    item->expected_known = true;
    item->unspecified = undefined.count;
    item->several = undefined.several;
    item->open_shape = undefined.open_shape;
    item->may_fail = undefined.may_fail || undefined.open_shape || (undefined.count && !op->accepts_undefined) ||
                     (undefined.several && !op->accepts_several);
}

void item_run_golden(execute_item *item, void (*run)(const ts_descriptor *d))
{
    point_at(item, false);
    run(&item->instance->descriptor);
}

ts_descriptor item_results(const execute_item *item)
{
    ts_descriptor d = item->instance->descriptor;
    for (unsigned t = 0; t < d.op->tensor_count; ++t)
        if (operator_dependent(d.op, t))
            d.tensors[t] = item_tensor(item, t);
    return d;
}

/* Is the shape of a data-dependent output another one than the reference's, or missing? A call without data has none,
   and one that is refused need not report any. */
static bool dependent_differs(const execute_item *item, unsigned t)
{
    const ts_shape *got = &item->reported[t];
    return item_executes(item) && !item->asked_only && (got->rank != TS_RANK_UNREPORTED || item->status == TS_OK) &&
           operator_shape_differs(got, &item->expected[t]);
}

bool item_shape_differs(const execute_item *item, unsigned *tensor)
{
    const ts_descriptor *d = &item->instance->descriptor;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        const ts_tensor *want = &d->tensors[t];
        const ts_shape *got = &item->reported[t];
        if (d->op->tensors[t].role != TS_OUTPUT || !(want->given & TS_GIVEN_TENSOR))
            continue;
        if (operator_dependent(d->op, t)
                ? dependent_differs(item, t)
                : got->rank != TS_RANK_UNREPORTED &&
                      (got->rank != want->rank ||
                       memcmp(got->sizes, want->sizes, want->rank * sizeof *got->sizes) != 0)) {
            *tensor = t;
            return true;
        }
    }
    return false;
}

/* ---- submission ---- */

#define UNSET_BYTE 0x5A /* of a status before the backend stores one */

typedef struct submission {
    executor *x;
    size_t n;
    ts_status status;
} submission;

static void submit(void *context)
{
    submission *s = context;
    const executor *x = s->x;
    s->status =
        x->plugin->backend->submit(x->plugin->self, executor_readonly(x, x->batch.calls), s->n, x->batch.statuses);
}

static void make_call(const executor *x, const execute_item *item, ts_call *call)
{
    *call = operator_call(executor_readonly(x, &item->instance->descriptor));
    call->token = item->token;
    call->flags = item_executes(item) && !item->asked_only ? 0 : TS_CALL_DESCRIPTOR_ONLY;
    call->feature_level = x->options.level;
}

/* The status of a call; one that the backend does not store, or that the header does not declare, is an error. */
static void take_status(execute_item *item, ts_status all, ts_status one)
{
    ts_status unset;
    memset(&unset, UNSET_BYTE, sizeof unset);
    item->status = all != TS_OK ? all : one;
    item->note[0] = '\0';
    if (item->status >= TS_OK && item->status <= TS_CRASHED)
        return;
    if (all == TS_OK && one == unset)
        snprintf(item->note, sizeof item->note, "submit returns TS_OK and stores no status of this call");
    else
        snprintf(item->note, sizeof item->note, "%s is %d, which the header does not declare",
                 all == TS_OK ? "the status of the call" : "what submit returns", (int)item->status);
    item->status = TS_ERROR;
}

/* Take what the backend said about the n items that were submitted. */
static void take_notes(plugin *p, execute_item *items, size_t n)
{
    if (*p->note) { /* a refusal of several: which one the note is about is unknown */
        for (size_t i = 0; i < n; ++i)
            if (items[i].status >= TS_LOST || (items[i].status == TS_REJECTED && n == 1))
                snprintf(items[i].note, sizeof items[i].note, "%s", p->note);
        p->note[0] = '\0';
    }
    for (size_t i = 0; i < p->call_note_count; ++i)
        if (p->call_notes[i].call < n)
            snprintf(items[p->call_notes[i].call].note, sizeof items[0].note, "%s", p->call_notes[i].text);
    p->call_note_count = 0;
}

/* Submit once; false where it faulted. */
static bool submit_once(executor *x, execute_item *items, size_t n, platform_fault *fault)
{
    submission s = { x, n, TS_OK };
    x->used = true;
    for (size_t i = 0; i < n; ++i) {
        point_at(&items[i], true);
        make_call(x, &items[i], &x->batch.calls[i]);
        memset(&x->batch.statuses[i], UNSET_BYTE, sizeof *x->batch.statuses);
        items[i].faulted = false;
    }
    if (!x->range.in_preceding)
        watchdog_set_cases(x->options.watchdog, items[0].watch_id, items[n - 1].watch_id,
                           n == 1 && x->range.asked && x->range.asked->alone);
    if (!isolation_call(&x->plugin->isolation, x->options.watchdog, submit, &s, fault)) {
        x->range.tainted = true;
        return false;
    }
    for (size_t i = 0; i < n; ++i) {
        take_status(&items[i], s.status, x->batch.statuses[i]);
    }
    take_notes(x->plugin, items, n);
    return true;
}

void item_submit(executor *x, execute_item *items, size_t n)
{
    platform_fault fault;
    if (submit_once(x, items, n, &fault))
        return;
    if (n > 1 && x->options.isolated) {
        items[0].faulted = true;
        items[0].fault = fault;
        return;
    }
    for (size_t i = 0; i < n; ++i) {
        if (n > 1 && item_executes(&items[i]))
            item_reset_subject(&items[i], 0);
        if (n == 1 || !submit_once(x, &items[i], 1, &fault)) {
            items[i].faulted = true;
            items[i].fault = fault;
            items[i].status = TS_ERROR;
        }
    }
}

/* Zeroed room for the marks of a tensor. */
static bool make_room(ts_marks *marks, const ts_tensor *t)
{
    uint64_t count;
    if (!tensor_element_count(t, &count))
        return false;
    if (count > marks->capacity || !marks->map) {
        free(marks->map);
        marks->map = malloc((size_t)count + 1);
        marks->capacity = marks->map ? count : 0;
        if (!marks->map)
            return false;
    }
    memset(marks->map, 0, (size_t)count);
    return true;
}

const ts_marks *item_marks(executor *x, execute_item *item)
{
    if (!item->unspecified && !item->several)
        return NULL;
    ts_descriptor *d = &item->instance->descriptor;
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (d->op->tensors[t].role == TS_OUTPUT && (d->tensors[t].given & TS_GIVEN_TENSOR) &&
            !make_room(&x->marks[t], &d->tensors[t]))
            return NULL;
    point_at(item, false);
    ts_unspecified undefined = { .marks = x->marks };
    d->op->run(d, &undefined);
    return x->marks;
}

ts_answers item_answers(execute_item *item, unsigned tensor, const uint64_t *coord, uint64_t asked)
{
    const ts_descriptor *d = &item->instance->descriptor;
    ts_answers answers = { .asked = asked };
    point_at(item, false);
    if (d->op->answers)
        d->op->answers(d, tensor, coord, &answers);
    return answers;
}

bool item_origin(execute_item *item, unsigned tensor, const uint64_t *coord, explain_element *e)
{
    point_at(item, false);
    return explain_one_element(&item->instance->descriptor, (int)tensor, coord, e);
}
