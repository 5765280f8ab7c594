/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of kernels beside the reference, with random sizes, layouts and addresses. */
#ifndef TOUCHSTONE_KERNELS_TESTING_H
#define TOUCHSTONE_KERNELS_TESTING_H

#include "audit/kernels/kernels.h"
#include "backends/backend_testing.h"
#include "harness/model/operator.h"
#include "reference/operators.h"

#include <stdlib.h>

#define BUDGET 40000 /* elements of a tensor */

static uint64_t seed;

static inline uint32_t below(uint32_t n)
{
    return (uint32_t)(testing_random(&seed) % n);
}

static inline const kernel_operator *kernel_of(const char *name)
{
    size_t k = 0;
    while (strcmp(kernel_operators[k]->name, name) != 0)
        ++k;
    return kernel_operators[k];
}

/* Memory of just the size, at an address that is a multiple of an element only. */
static inline void *allocate(const ts_tensor *t, void **block)
{
    const size_t shift = tensor_element_bytes(t->dtype) * below(16);
    *block = malloc((size_t)t->total_bytes + shift);
    assert_non_null(*block);
    return (unsigned char *)*block + shift;
}

/* Fill the index tensor, tensor 1, with a pattern, unless it is 0: then it stays random. */
static inline void fill_indices(const ts_descriptor *d, uint32_t pattern)
{
    const size_t width = tensor_element_bytes(d->tensors[1].dtype);
    for (uint64_t i = 0; pattern != 0 && i < d->tensors[1].total_bytes / width; ++i) {
        const int64_t index = pattern == 1 ? 3 : pattern == 2 ? (int64_t)(i % 40) : -(int64_t)(i % 7) - 1;
        memcpy((unsigned char *)d->tensors[1].data + width * i, &index, width);
    }
}

/* Run a legal descriptor by a kernel and by the reference, and compare the outputs with the bytes between the elements,
   and the shape of an output that depends on data. fill: replaces random inputs; pattern: is passed to it. */
static inline void run_filled(const ts_descriptor *d, void (*fill)(const ts_descriptor *d, uint32_t pattern),
                              uint32_t pattern)
{
    ts_descriptor ours = *d, theirs = *d;
    ts_shape shapes[2] = { { .rank = TS_RANK_UNREPORTED }, { .rank = TS_RANK_UNREPORTED } };
    void *blocks[2][TS_MAX_TENSORS] = { { NULL } };
    ts_report report = { 0 };
    operator_check(d, &report);
    assert_true(report.worst < TS_RESULT_INVALID || report.worst == TS_RESULT_UNSPECIFIED);
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        ts_tensor *tensor = &ours.tensors[t];
        if (!(tensor->given & TS_GIVEN_TENSOR))
            continue;
        const size_t bytes = (size_t)tensor->total_bytes;
        unsigned char *data = allocate(tensor, &blocks[0][t]);
        tensor->data = theirs.tensors[t].data = data;
        if (d->op->tensors[t].role == TS_INPUT) {
            for (size_t i = 0; i < bytes; ++i)
                data[i] = (unsigned char)testing_random(&seed);
            continue;
        }
        theirs.tensors[t].data = allocate(tensor, &blocks[1][t]);
        if (operator_dependent(d->op, t)) {
            tensor->reported = &shapes[0];
            theirs.tensors[t].reported = &shapes[1];
        }
        memset(data, 0xA5, bytes);
        memset(theirs.tensors[t].data, 0xA5, bytes);
    }
    fill(&ours, pattern);
    const ts_call call = operator_call(&ours);
    assert_int_equal(kernel_of(d->op->name)->run(&call), TS_OK);
    theirs.op->run(&theirs, NULL);
    assert_false(operator_shape_differs(&shapes[0], &shapes[1]));
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        if (blocks[1][t])
            assert_memory_equal(ours.tensors[t].data, theirs.tensors[t].data, (size_t)ours.tensors[t].total_bytes);
        free(blocks[0][t]);
        free(blocks[1][t]);
    }
}

/* The same where tensor 1 has indices or no meaning. */
static inline void run_both(const ts_descriptor *d, uint32_t indices)
{
    run_filled(d, fill_indices, indices);
}

/* A size beside a power of two or a small one, at most `most`. */
static inline uint64_t some_size(uint64_t most)
{
    const uint64_t size = below(2) ? (UINT64_C(1) << below(9)) + below(3) - 1 : 1 + below(9);
    return size < 1 ? 1 : size > most ? most : size;
}

static inline void some_sizes(uint32_t rank, uint64_t *sizes)
{
    uint64_t left = BUDGET;
    const uint32_t first = below(rank);
    for (uint32_t i = 0; i < rank; ++i) {
        const uint32_t k = (first + i) % rank;
        sizes[k] = some_size(left);
        left /= sizes[k];
    }
}

/* Strides in any order of the dimensions, with gaps, and broadcast dimensions of an input. */
static inline void some_layout(ts_tensor *t, bool output)
{
    uint32_t order[TS_MAX_DIMS];
    uint64_t stride = 1;
    for (uint32_t i = 0; i < t->rank; ++i)
        order[i] = i;
    for (uint32_t i = t->rank; i-- > 1;) {
        const uint32_t k = below(3) ? i : below(i + 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    const bool gaps = below(2);
    for (uint32_t i = t->rank; i-- > 0;) {
        if (gaps && below(3) == 0)
            stride += below(4);
        t->strides[order[i]] = stride;
        stride *= t->sizes[order[i]];
        if (!output && below(8) == 0)
            t->strides[order[i]] = 0;
    }
    t->given |= TS_GIVEN_STRIDES;
    assert_true(tensor_min_bytes(t, &t->total_bytes));
}

static inline void some_tensor(ts_tensor *t, uint32_t dtype, uint32_t rank, const uint64_t *sizes, bool output)
{
    uint64_t copied[TS_MAX_DIMS];
    memcpy(copied, sizes, rank * sizeof *sizes);
    tensor_init(t, dtype, rank, copied);
    if (below(4))
        some_layout(t, output);
}

static inline uint32_t some_type(void)
{
    static const uint32_t types[] = { TS_UINT8, TS_FLOAT16, TS_FLOAT32, TS_FLOAT64 };
    return types[below(4)];
}

/* Forget what the kernels remember. A tear-down of cmocka. */
static inline int forget(void **state)
{
    (void)state;
    for (size_t k = 0; kernel_operators[k]; ++k)
        kernel_operators[k]->reset();
    return 0;
}

#endif
