/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of state that survives a call: caches with incomplete keys. */
#include "backends/faulty/fault.h"

#include <stdlib.h>

/* The cache: key of the last call, and the elements of its outputs, packed. */
typedef struct cache {
    bool used;
    ts_descriptor d;
    unsigned char *answer;
    size_t bytes;
} cache;

/* The cache of an instance. It lives as long as the instance, like a driver's cache. */
static cache *cache_of(const fault_call *call)
{
    if (!*call->kept)
        *call->kept = calloc(1, sizeof(cache));
    return *call->kept;
}

void fault_release(void *kept)
{
    cache *c = kept;
    if (c)
        free(c->answer);
    free(c);
}

static bool same_tensor(const ts_tensor *a, const ts_tensor *b, bool strides)
{
    const uint32_t given = TS_GIVEN_TENSOR;
    return (a->given & given) == (b->given & given) && a->dtype == b->dtype && a->rank == b->rank &&
           memcmp(a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0 &&
           (!strides || memcmp(a->strides, b->strides, a->rank * sizeof *a->strides) == 0);
}

/* A key of the types and sizes of all tensors, optionally with strides and attributes. */
static bool same_call(const ts_descriptor *a, const ts_descriptor *b, bool strides, bool attributes)
{
    bool same = a->op == b->op && a->profile == b->profile;
    for (unsigned t = 0; same && t < a->op->tensor_count; ++t)
        same = same_tensor(&a->tensors[t], &b->tensors[t], strides);
    return same &&
           (!attributes || (a->attrs_given == b->attrs_given && memcmp(a->attrs, b->attrs, sizeof a->attrs) == 0));
}

typedef struct store {
    unsigned char *at;
    bool back;
} store;

static void move_one(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    store *s = context;
    (void)number;
    if (s->back)
        memcpy(element, s->at, bytes);
    else
        memcpy(s->at, element, bytes);
    s->at += bytes;
}

/* Copy the elements of all outputs to the cache, or back. */
static void move_answer(const fault_call *call, cache *c, bool back)
{
    size_t bytes = 0;
    for (unsigned t = 0; t < call->d->op->tensor_count; ++t)
        if (call->d->op->tensors[t].role == TS_OUTPUT && (call->d->tensors[t].given & TS_GIVEN_TENSOR))
            bytes += (size_t)fault_count(&call->d->tensors[t]) * 8;
    if (bytes > c->bytes) {
        free(c->answer);
        c->answer = malloc(bytes);
        c->bytes = c->answer ? bytes : 0;
    }
    store s = { c->answer, back };
    for (unsigned t = 0; s.at && t < call->d->op->tensor_count; ++t)
        if (call->d->op->tensors[t].role == TS_OUTPUT && (call->d->tensors[t].given & TS_GIVEN_TENSOR))
            fault_each(&call->d->tensors[t], move_one, &s);
}

/* Return the cached result of a call with the same descriptor, even if the data differs. */
static void cached_answer(const fault_call *call)
{
    cache *c = cache_of(call);
    if (c && c->used && c->answer && same_call(&c->d, call->d, true, true)) {
        move_answer(call, c, true);
        return;
    }
    fault_run_right(call);
    if (c) {
        move_answer(call, c, false);
        c->d = *call->d;
        c->used = true;
    }
}

/* Run with the cached descriptor of an earlier call with the same key, if the current buffers have room for its
   strides. */
static void run_retained(const fault_call *call, bool by_strides, bool by_attributes)
{
    cache *c = cache_of(call);
    bool fits = c && c->used && same_call(&c->d, call->d, by_strides, by_attributes);
    for (unsigned t = 0; fits && t < call->d->op->tensor_count; ++t) {
        uint64_t bytes = 0;
        fits = !(call->d->tensors[t].given & TS_GIVEN_TENSOR) ||
               (tensor_min_bytes(&c->d.tensors[t], &bytes) && bytes <= call->d->tensors[t].total_bytes);
    }
    if (!fits) {
        fault_run_right(call);
        if (c) {
            c->d = *call->d;
            c->used = true;
        }
        return;
    }
    ts_descriptor kept = c->d;
    for (unsigned t = 0; t < call->d->op->tensor_count; ++t)
        kept.tensors[t].data = call->d->tensors[t].data;
    kept.op->run(&kept, NULL);
}

static void cached_strides(const fault_call *call)
{
    run_retained(call, false, true);
}

static void cached_attributes(const fault_call *call)
{
    run_retained(call, true, false);
}

static const fault rows[] = {
    { "cached-answer", ON_ALL, "a result is cached by its descriptor, whatever the data", cached_answer, 0, 0 },
    { "cached-strides", ON_ALL, "compiled descriptors are cached by a key without the strides", cached_strides, 0, 0 },
    { "cached-attributes", ON_SLICES | ON_GATHER, "compiled descriptors are cached by a key without the attributes",
      cached_attributes, 0, 0 },
};

const fault_table fault_cache = { rows, sizeof rows / sizeof *rows };
