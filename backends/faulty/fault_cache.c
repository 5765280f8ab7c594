/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of state that survives a call: caches with incomplete keys. */
#include "backends/faulty/fault.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

#include <stdlib.h>

/* The cache: key of the last call, and the elements of its outputs, packed. */
typedef struct cache {
    bool used;
    ts_descriptor d;
    unsigned char *answer;
    size_t bytes;
    ts_shape shapes[TS_MAX_TENSORS]; /* that were reported */
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

/* What a key forgets. */
enum {
    STRIDES = 1,
    ATTRIBUTES = 2,
    SIZES = 4, /* it has the number of elements */
    TYPES = 8, /* of all tensors but indices */
    INDEX_TYPE = 16,
    OPTIONAL = 32,      /* whether an optional tensor is present */
    SIGNS = 64,         /* of the strides of a window */
    BEGIN_MASK = 128,   /* of StridedSlice */
    AXIS = 256,         /* of operators that have it */
    ORDER = 512,        /* of SPACE_TO_DEPTH1 */
    DIRECTION = 1024,   /* of CUMULATIVE_SUMMATION, */
    EXCLUSIVE = 2048,   /* and whether sums are exclusive */
    SHRINK_MASK = 4096, /* of StridedSlice, */
    ELLIPSIS_MASK = 8192
};

static bool same_tensor(const ts_tensor *a, const ts_tensor *b, bool typed, unsigned forgotten)
{
    if (((a->given ^ b->given) & TS_GIVEN_TENSOR) != 0)
        return (forgotten & OPTIONAL) != 0;
    const bool sizes = forgotten & SIZES ? fault_count(a) == fault_count(b)
                                         : memcmp(a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0;
    return a->rank == b->rank && (!typed || a->dtype == b->dtype) && sizes &&
           ((forgotten & STRIDES) || memcmp(a->strides, b->strides, a->rank * sizeof *a->strides) == 0);
}

/* Clear what the key forgets of the attributes. */
static void forget(ts_descriptor *d, unsigned forgotten)
{
    ts_dml_slice1 *slice = (ts_dml_slice1 *)(void *)d->attrs;
    ts_openvino_strided_slice *strided = (ts_openvino_strided_slice *)(void *)d->attrs;
    const bool is_slice = strcmp(d->op->name, "dml.slice1") == 0;
    if (forgotten & ATTRIBUTES)
        memset(d->attrs, 0, sizeof d->attrs);
    for (unsigned i = 0; (forgotten & SIGNS) && i < TS_STRIDED_SLICE_STEPS; ++i)
        if (is_slice && slice->InputWindowStrides[i] < 0)
            slice->InputWindowStrides[i] = -slice->InputWindowStrides[i];
        else if (!is_slice && strided->stride[i] < 0)
            strided->stride[i] = -strided->stride[i];
    if (forgotten & BEGIN_MASK)
        memset(strided->begin_mask, 0, sizeof strided->begin_mask);
    if (forgotten & SHRINK_MASK)
        memset(strided->shrink_axis_mask, 0, sizeof strided->shrink_axis_mask);
    if (forgotten & ELLIPSIS_MASK)
        memset(strided->ellipsis_mask, 0, sizeof strided->ellipsis_mask);
    if (forgotten & AXIS)
        operator_set_attr(d, (unsigned)operator_attr_index(d->op, "Axis"), (const int64_t[]){ 0 }, 1);
    if (forgotten & ORDER)
        operator_set_attr(d, (unsigned)operator_attr_index(d->op, "Order"), (const int64_t[]){ 0 }, 1);
    if (forgotten & DIRECTION)
        operator_set_attr(d, (unsigned)operator_attr_index(d->op, "AxisDirection"), (const int64_t[]){ 0 }, 1);
    if (forgotten & EXCLUSIVE)
        operator_set_attr(d, (unsigned)operator_attr_index(d->op, "HasExclusiveSum"), (const int64_t[]){ 0 }, 1);
}

/* Are two calls the same by a key that forgets something? */
static bool same_call(const ts_descriptor *a, const ts_descriptor *b, unsigned forgotten)
{
    bool same = a->op == b->op && a->profile == b->profile;
    for (unsigned t = 0; same && t < a->op->tensor_count; ++t) {
        const bool is_index = t == 1 && a->op->tensors[t].role == TS_INPUT;
        same = same_tensor(&a->tensors[t], &b->tensors[t], !(forgotten & (is_index ? INDEX_TYPE : TYPES)), forgotten);
    }
    if (!same || (!(forgotten & ATTRIBUTES) && a->attrs_given != b->attrs_given))
        return false;
    ts_descriptor left = *a, right = *b;
    forget(&left, forgotten);
    forget(&right, forgotten);
    return memcmp(left.attrs, right.attrs, sizeof left.attrs) == 0;
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

/* Copy the reported shapes of outputs to the cache, or back. */
static void move_shapes(const fault_call *call, cache *c, bool back)
{
    for (unsigned t = 0; t < call->d->op->tensor_count; ++t) {
        ts_shape *reported = call->d->tensors[t].reported;
        if (reported && back)
            *reported = c->shapes[t];
        else if (reported)
            c->shapes[t] = *reported;
    }
}

/* Return the cached result of a call with the same descriptor, even if the data differs. */
static void cached_answer(const fault_call *call)
{
    cache *c = cache_of(call);
    if (c && c->used && c->answer && same_call(&c->d, call->d, 0)) {
        move_answer(call, c, true);
        move_shapes(call, c, true);
        return;
    }
    fault_run_right(call);
    if (c) {
        move_answer(call, c, false);
        move_shapes(call, c, false);
        c->d = *call->d;
        c->used = true;
    }
}

/* Run with the cached descriptor of an earlier call with the same key, if the current buffers have room for its
   strides. */
static void run_retained(const fault_call *call, unsigned forgotten)
{
    cache *c = cache_of(call);
    bool fits = c && c->used && same_call(&c->d, call->d, forgotten);
    for (unsigned t = 0; fits && t < call->d->op->tensor_count; ++t) {
        uint64_t bytes = 0;
        fits = !(call->d->tensors[t].given & c->d.tensors[t].given & TS_GIVEN_TENSOR) ||
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
        if (call->d->tensors[t].given & TS_GIVEN_TENSOR) {
            kept.tensors[t].data = call->d->tensors[t].data;
            kept.tensors[t].reported = call->d->tensors[t].reported;
        } else {
            kept.tensors[t] = call->d->tensors[t];
        }
    kept.op->run(&kept, NULL);
}

#define DEFINE_RETAINED(name, forgotten)                                                                               \
    static void name(const fault_call *call)                                                                           \
    {                                                                                                                  \
        run_retained(call, forgotten);                                                                                 \
    }
DEFINE_RETAINED(cached_strides, STRIDES)
DEFINE_RETAINED(cached_attributes, ATTRIBUTES)
DEFINE_RETAINED(plan_sizes, STRIDES | SIZES)
DEFINE_RETAINED(plan_type, TYPES)
DEFINE_RETAINED(plan_index_type, INDEX_TYPE)
DEFINE_RETAINED(plan_optional, OPTIONAL)
DEFINE_RETAINED(plan_sign, SIGNS)
DEFINE_RETAINED(plan_begin_mask, BEGIN_MASK)
DEFINE_RETAINED(plan_shrink_mask, SHRINK_MASK)
DEFINE_RETAINED(plan_ellipsis_mask, ELLIPSIS_MASK)
DEFINE_RETAINED(plan_axis, AXIS)
DEFINE_RETAINED(plan_order, ORDER)
DEFINE_RETAINED(plan_direction, DIRECTION)
DEFINE_RETAINED(plan_exclusive, EXCLUSIVE)

static const fault rows[] = {
    { "cached-answer", ON_ALL, HISTORY, "a result is cached by its descriptor, whatever the data",
      .execute = cached_answer },
    { "cached-strides", ON_ALL, HISTORY, "compiled descriptors are cached by a key without the strides",
      .execute = cached_strides },
    { "cached-attributes", ON_SLICES | ON_AXIS | ON_SPACE_TO_DEPTH | ON_CUMULATIVE_SUMMATION, HISTORY,
      "compiled descriptors are cached by a key without the attributes", .execute = cached_attributes },
    { "plan-sizes", ON_COPIES, HISTORY, "plans are kept by ranks and numbers of elements instead of sizes",
      .execute = plan_sizes },
    { "plan-type", ON_COPIES, HISTORY, "plans are kept by a key without the data type", .execute = plan_type },
    { "plan-index-type", ON_INDEXED, HISTORY, "plans are kept by a key without the type of the indices",
      .execute = plan_index_type },
    { "plan-optional", ON_RANDOM, HISTORY, "plans are kept by a key without the presence of the new state",
      .execute = plan_optional },
    { "plan-sign", ON_SLICES, HISTORY, "plans are kept by the absolute values of the strides of a window",
      .execute = plan_sign },
    { "plan-begin-mask", ON_STRIDED, HISTORY, "plans are kept by a key without begin_mask",
      .execute = plan_begin_mask },
    { "plan-shrink-mask", ON_STRIDED, HISTORY, "plans are kept by a key without shrink_axis_mask",
      .execute = plan_shrink_mask },
    { "plan-ellipsis-mask", ON_STRIDED, HISTORY, "plans are kept by a key without ellipsis_mask",
      .execute = plan_ellipsis_mask },
    { "plan-axis", ON_AXIS | ON_CUMULATIVE_SUMMATION, HISTORY, "plans are kept by a key without Axis",
      .execute = plan_axis },
    { "plan-order", ON_SPACE_TO_DEPTH, HISTORY, "plans are kept by a key without Order", .execute = plan_order },
    { "plan-direction", ON_CUMULATIVE_SUMMATION, HISTORY, "plans are kept by a key without AxisDirection",
      .execute = plan_direction },
    { "plan-exclusive", ON_CUMULATIVE_SUMMATION, HISTORY, "plans are kept by a key without HasExclusiveSum",
      .execute = plan_exclusive },
};

const fault_table fault_cache = { rows, sizeof rows / sizeof *rows };
