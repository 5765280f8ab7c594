/* SPDX-License-Identifier: Apache-2.0 */
/* Checks on calls: each takes the calls that the survey kept, and makes them in another legal way. */
#include "harness/base/platform.h"
#include "harness/probe/probe_internal.h"

#include <stdlib.h>
#include <string.h>

static const probe_way usual = { .longer = 0 };

/* Load the calls that were accepted, make each alone, and keep the results. */
static bool alone(probe *p, bool at_start)
{
    if (!probe_open(p) || !probe_room(p))
        return false;
    if (!probe_load(p, TS_OK, false, at_start)) {
        probe_nothing(p, "no call was accepted");
        return false;
    }
    for (size_t i = 0; i < p->call_count; ++i)
        if (!probe_submit(p, i, 1, &usual))
            return false;
    probe_keep(p);
    return true;
}

static bool same_as_kept(probe *p, probe_clause clause, const char *how)
{
    for (size_t i = 0; i < p->call_count; ++i)
        if (!probe_same(p, i, clause, how))
            return false;
    return true;
}

/* The end of a check that tries only some of the calls. */
static void count_tried(probe *p, size_t tried, const char *what, const char *why_none)
{
    if (tried)
        probe_saw(p, PROBE_KEPT, "%zu %s", tried, what);
    else
        probe_nothing(p, why_none);
}

static void count_calls(probe *p)
{
    probe_saw(p, PROBE_KEPT, "%zu call%s", p->call_count, p->call_count == 1 ? "" : "s");
}

void probe_check_empty(probe *p)
{
    if (!alone(p, false) || !probe_submit(p, 0, 0, &usual))
        return;
    for (size_t i = 0; i < p->call_count; ++i)
        if (!probe_submit(p, i, 1, &usual) || !probe_same(p, i, CLAUSE_EMPTY, "after an empty batch"))
            return;
}

void probe_check_many(probe *p)
{
    if (!alone(p, false))
        return;
    if (!probe_submit(p, 0, p->call_count, &usual) ||
        !same_as_kept(p, CLAUSE_TOGETHER, "in a batch with calls of other classes and operators"))
        return;
    for (size_t i = 0; i + 1 < p->call_count; ++i) /* the same call several times is a batch, too */
        if (!probe_submit(p, i, 2, &usual) || !probe_same(p, i, CLAUSE_TOGETHER, "in a batch with the next call"))
            return;
    count_calls(p);
}

void probe_check_again(probe *p)
{
    if (!alone(p, false))
        return;
    for (int pass = 0; pass < 3; ++pass)
        for (size_t i = 0; i < p->call_count; ++i) {
            const size_t at = pass == 1 ? p->call_count - 1 - i : i;
            if (!probe_submit(p, at, 1, &usual) || !probe_same(p, at, CLAUSE_RESULTS, "made again after other calls"))
                return;
        }
    count_calls(p);
}

/* The data begins, instead of ending, at a page that cannot be accessed: other addresses, the same bits. */
void probe_check_placed(probe *p)
{
    typedef struct result {
        ts_status status;
        unsigned char *bytes[TS_MAX_TENSORS];
        ts_shape reported[TS_MAX_TENSORS];
    } result;
    if (!alone(p, false))
        return;
    const size_t count = p->call_count;
    result *first = calloc(count, sizeof *first);
    for (size_t i = 0; first && i < count; ++i) {
        first[i].status = p->calls[i].first;
        memcpy(first[i].bytes, p->calls[i].kept, sizeof first[i].bytes);
        memcpy(first[i].reported, p->calls[i].kept_reported, sizeof first[i].reported);
        memset(p->calls[i].kept, 0, sizeof p->calls[i].kept);
    }
    const bool fine = first && probe_load(p, TS_OK, false, true) && p->call_count == count;
    for (size_t i = 0; first && i < count; ++i) {
        p->calls[i].first = first[i].status;
        memcpy(p->calls[i].kept, first[i].bytes, sizeof first[i].bytes);
        memcpy(p->calls[i].kept_reported, first[i].reported, sizeof first[i].reported);
    }
    free(first);
    p->call_count = count;
    for (size_t i = 0; fine && i < count; ++i)
        if (!probe_submit(p, i, 1, &usual) || !probe_same(p, i, CLAUSE_RESULTS, "with its data at other addresses"))
            return;
    count_calls(p);
}

void probe_check_newer(probe *p)
{
    static const size_t longer[] = { 8, 64 };
    if (!alone(p, false))
        return;
    for (size_t k = 0; k < sizeof longer / sizeof longer[0]; ++k) {
        const probe_way way = { .longer = longer[k] };
        if (!probe_submit(p, 0, p->call_count, &way) ||
            !same_as_kept(p, CLAUSE_VERSIONS, "with structures longer than those of the header, as a newer suite has"))
            return;
    }
    count_calls(p);
}

/* The status without data is that with data, or TS_UNSUPPORTED: not every implementation can be asked without data. */
void probe_check_descriptor_only(probe *p)
{
    const probe_way way = { .descriptor_only = true };
    size_t answered = 0;
    if (!alone(p, false))
        return;
    for (size_t i = 0; i < p->call_count; ++i) {
        if (!probe_submit(p, i, 1, &way))
            return;
        if (p->calls[i].status == TS_UNSUPPORTED)
            continue;
        if (p->calls[i].status != p->calls[i].first) {
            probe_breaks(p, CLAUSE_DESCRIPTOR_ONLY, "without data, the status is %s, and with data %s: %s",
                         plugin_status_name(p->calls[i].status), plugin_status_name(p->calls[i].first), p->calls[i].id);
            return;
        }
        ++answered;
    }
    count_tried(p, answered, answered == 1 ? "call" : "calls", "no call without data is supported");
}

void probe_check_unreported(probe *p)
{
    const probe_way way = { .unreported = true };
    if (!alone(p, false))
        return;
    for (size_t i = 0; i < p->call_count; ++i)
        if (!probe_submit(p, i, 1, &way) || !probe_same(p, i, CLAUSE_REPORTED, "where `reported` is NULL"))
            return;
    count_calls(p);
}

/* Does a call lack an attribute? The numbers that count arrays are not meant: they have a value in any case. */
static bool lacks_attribute(const ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->attr_count; ++k)
        if (!(d->attrs_given & (1u << k)) && !d->op->attrs[k].counts)
            return true;
    return false;
}

void probe_check_absent(probe *p)
{
    const probe_way way = { .absent_garbage = true };
    size_t tried = 0;
    if (!alone(p, false))
        return;
    for (size_t i = 0; i < p->call_count; ++i) {
        if (!lacks_attribute(&p->calls[i].d))
            continue;
        ++tried;
        if (!probe_submit(p, i, 1, &way) ||
            !probe_same(p, i, CLAUSE_ABSENT, "with other bytes in the members of an absent attribute"))
            return;
    }
    count_tried(p, tried, "calls", "no call lacks an attribute");
}

/* Calls that were not accepted: nothing is written. probe_submit looks. */
void probe_check_refused(probe *p)
{
    size_t tried = 0;
    if (!probe_open(p) || !probe_room(p))
        return;
    for (ts_status s = TS_REJECTED; s <= TS_UNSUPPORTED; ++s) {
        if (!probe_load(p, s, false, false))
            continue;
        for (size_t i = 0; i < p->call_count; ++i)
            if (!probe_submit(p, i, 1, &usual))
                return;
        tried += p->call_count;
    }
    count_tried(p, tried, "calls", "every legal call was accepted");
}

void probe_check_illegal(probe *p)
{
    size_t tried = 0;
    if (!probe_open(p) || !probe_room(p))
        return;
    for (ts_status s = TS_OK; s <= TS_UNSUPPORTED; ++s) {
        if (!probe_load(p, s, true, false))
            continue;
        probe_keep(p);
        for (size_t i = 0; i < p->call_count; ++i)
            p->calls[i].first = s;
        if (!probe_submit(p, 0, p->call_count, &usual) ||
            !same_as_kept(p, CLAUSE_RESULTS, "in a batch with other illegal descriptors"))
            return;
        tried += p->call_count;
    }
    count_tried(p, tried, "calls", "there is no such call");
}

/* ---- garbage in descriptors ---- */

/* Change a descriptor in the k-th way; its name, or NULL behind the last. */
static const char *spoil(ts_descriptor *d, unsigned k)
{
    ts_tensor *first = &d->tensors[0], *last = &d->tensors[d->op->tensor_count - 1];
    uint32_t *numbers = (uint32_t *)(void *)d->attrs;
    switch (k) {
    case 0: first->rank = 0; return "DimensionCount 0";
    case 1: first->rank = TS_MAX_DIMS + 1; return "DimensionCount 17";
    case 2: last->rank = UINT32_MAX; return "DimensionCount 2^32 - 1";
    case 3: last->dtype = 99; return "a data type of 99";
    case 4: memset(first->sizes, 0, sizeof first->sizes); return "sizes of 0";
    case 5: memset(last->sizes, 0xFF, sizeof last->sizes); return "sizes of 2^64 - 1";
    case 6: first->sizes[0] = UINT64_C(1) << 63; return "a size of 2^63";
    case 7:
        memset(first->strides, 0xFF, sizeof first->strides);
        first->given |= TS_GIVEN_STRIDES;
        return "strides";
    case 8: first->total_bytes = 0; return "TotalTensorSizeInBytes 0";
    case 9: last->total_bytes = UINT64_MAX; return "TotalTensorSizeInBytes 2^64 - 1";
    case 10:
        first->given = 0;
        first->dtype = 0;
        return "no first tensor";
    case 11: last->given &= ~TS_GIVEN_SIZES; return "no Sizes";
    case 12: first->given &= ~TS_GIVEN_DESC; return "no Desc";
    case 13:
        first->alignment = 3;
        first->flags = UINT32_MAX;
        return "an alignment of 3 and unknown flags";
    case 14: d->attrs_given = 0; return "no attribute";
    case 15: memset(d->attrs, 0xFF, d->op->attrs_size); return "attributes of all ones";
    case 16: numbers[0] = UINT32_MAX; return "2^32 - 1 as the first number of the attributes";
    default: return NULL;
    }
}

void probe_check_garbage(probe *p)
{
    size_t tried = 0;
    const char *what;
    if (!probe_open(p) || !probe_room(p))
        return;
    probe_load(p, TS_OK, false, false);
    for (size_t i = 0; i < p->call_count; ++i) {
        probe_call *c = &p->calls[i];
        const ts_descriptor sound = c->d;
        if (i > 0 && c->d.op == p->calls[i - 1].d.op)
            continue; /* one of each operator */
        for (unsigned k = 0; (c->d = sound, what = spoil(&c->d, k)) != NULL; ++k) {
            snprintf(c->id, sizeof c->id, "%s with %s", c->d.op->name, what);
            c->data = false;
            const probe_class *class = probe_query(p, &c->d);
            if (p->outcome != PROBE_KEPT)
                return;
            if (!class || !class->supported)
                continue;
            c->token = class->token;
            ++tried;
            if (!probe_submit(p, i, 1, &usual))
                return;
        }
    }
    count_tried(p, tried, "descriptors", "no call was accepted");
}

/* ---- after the call ---- */

/* After a batch, its outputs and its call are the suite's again: nobody may write to them, and what is there now must
   not matter to later calls. */
void probe_check_kept_pointers(probe *p)
{
    if (!alone(p, false) || !probe_submit(p, 0, p->call_count, &usual))
        return;
    const size_t half = p->call_count / 2;
    for (size_t i = half; i < p->call_count; ++i) /* spoil what belongs to these calls, and make the others */
        for (unsigned t = 0; t < p->calls[i].d.op->tensor_count; ++t)
            if (p->calls[i].data && (p->calls[i].d.tensors[t].given & TS_GIVEN_TENSOR))
                memset(p->calls[i].places[t].subject, 0x77, p->calls[i].places[t].bytes);
    for (size_t i = 0; i < half; ++i)
        if (!probe_submit(p, i, 1, &usual) || !probe_same(p, i, CLAUSE_MEMORY, "after other calls' memory changed"))
            return;
    for (const double until = platform_seconds() + 0.05; platform_seconds() < until;)
        continue; /* a thread that still works on them */
    for (size_t i = half; i < p->call_count; ++i)
        for (unsigned t = 0; t < p->calls[i].d.op->tensor_count; ++t)
            for (size_t k = 0; k < p->calls[i].places[t].bytes; ++k)
                if (p->calls[i].data && p->calls[i].places[t].subject && p->calls[i].places[t].subject[k] != 0x77) {
                    probe_breaks(p, CLAUSE_MEMORY, "byte %zu of %s changed after submit had returned: %s", k,
                                 p->calls[i].d.op->tensors[t].name, p->calls[i].id);
                    return;
                }
    count_calls(p);
}
