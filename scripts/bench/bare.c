/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bare BACKEND.so
 *
 * What somebody would write without Touchstone: nested loops over the points of dml.slice1:exhaustive, the reference,
 * the subject, memcmp. No guard pages, no canaries, no fills, no records, one case at a time. Prints how many cases
 * and how fast. The number must be that of `touchstone run dml.slice1:exhaustive`, or the loops are not the same.
 */
#include "harness/model/operator.h"
#include "reference/dml/slice1.h"
#include "reference/operators.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROOM 65536

/* What a dimension may be. */
typedef struct dimension {
    uint32_t size, offset, window, output;
    int32_t stride;
} dimension;

static dimension dimensions[4096];
static size_t dimension_count;

static unsigned char input[ROOM], golden[ROOM], subject[ROOM];

static const ts_backend *backend;
static void *self;
static const ts_operator *op;
static ts_descriptor d;
static ts_call call;
static ts_dml_slice1 *attrs;
static unsigned long long cases, wrong;

/* The conditions of cases/dml/slice1.lua. */
static int allowed(uint32_t rank, uint32_t size, uint32_t offset, uint32_t rest, int32_t stride, uint32_t crop)
{
    if (offset + rest >= size)
        return 0;
    uint32_t window = size - offset - rest, step = (uint32_t)abs(stride);
    return crop <= (window - 1) / step && (rank == 1 || (size <= 4 && step <= 4)) &&
           (rank <= 2 || (size <= 3 && step <= 2 && (window != 1 || step == 1))) &&
           (rank <= 3 || (step == 1 && (window != 1 || stride == 1) && crop <= 1 && offset + rest <= 1 &&
                          (size > 2 ? size : 2) + offset + rest <= 3)) &&
           (rank <= 4 || size <= 2) && (rank <= 5 || offset + rest + crop == 0);
}

static void list_dimensions(uint32_t rank)
{
    dimension_count = 0;
    for (uint32_t size = 1; size <= 7; ++size)
        for (uint32_t offset = 0; offset <= 6; ++offset)
            for (uint32_t rest = 0; rest <= 6; ++rest)
                for (int32_t stride = -7; stride <= 7; ++stride)
                    for (uint32_t crop = 0; crop <= 6; ++crop)
                        if (stride != 0 && abs(stride) != 6 && allowed(rank, size, offset, rest, stride, crop)) {
                            uint32_t window = size - offset - rest;
                            dimensions[dimension_count++] =
                                (dimension){ size, offset, window, (window - 1) / (uint32_t)abs(stride) + 1 - crop,
                                             stride };
                        }
}

static void try_types(void)
{
    for (uint32_t dtype = TS_FLOAT32; dtype <= TS_INT64; ++dtype) {
        ts_unspecified undefined = { 0 };
        ts_status status = TS_ERROR;
        for (unsigned t = 0; t < 2; ++t) {
            d.tensors[t].dtype = dtype;
            tensor_min_bytes(&d.tensors[t], &d.tensors[t].total_bytes);
        }
        const size_t bytes = (size_t)d.tensors[1].total_bytes;
        memset(golden, 0xCB, bytes);
        memset(subject, 0xCB, bytes);
        d.tensors[0].data = input;
        d.tensors[1].data = golden;
        op->run(&d, &undefined);
        d.tensors[1].data = subject;
        backend->submit(self, &call, 1, &status);
        wrong += status != TS_OK || memcmp(golden, subject, bytes) != 0;
        ++cases;
    }
}

/* All choices for dimension k and those behind it. */
static void try_dimension(uint32_t k, uint32_t rank)
{
    if (k == rank) {
        tensor_pack(&d.tensors[0]);
        tensor_pack(&d.tensors[1]);
        try_types();
        return;
    }
    for (size_t i = 0; i < dimension_count; ++i) {
        const dimension *x = &dimensions[i];
        d.tensors[0].sizes[k] = x->size;
        d.tensors[1].sizes[k] = x->output;
        attrs->InputWindowOffsets[k] = x->offset;
        attrs->InputWindowSizes[k] = x->window;
        attrs->InputWindowStrides[k] = x->stride;
        try_dimension(k + 1, rank);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) {
        fprintf(stderr, "usage: bare BACKEND.so\n");
        return 64;
    }
    touchstone_backend_function start;
    *(void **)&start = dlsym(library, "touchstone_backend");
    backend = start ? start(TS_BACKEND_ABI) : NULL;
    op = operators_find("dml.slice1");
    if (!backend || !op || backend->open(&(ts_host){ .struct_size = sizeof(ts_host) }, NULL, 0, &self) != TS_OK)
        return 3;
    for (size_t i = 0; i < ROOM; ++i)
        input[i] = (unsigned char)(i * 167 + i / 251);
    operator_begin(&d, op);
    d.feature_level = TS_LEVEL_6_4;
    d.attrs_given = 15;
    attrs = (ts_dml_slice1 *)(void *)d.attrs;
    call = operator_call(&d);
    if (backend->query(self, &call, &call.token) != TS_OK)
        return 3;
    const double begin = now();
    for (uint32_t rank = 1; rank <= 8; ++rank) {
        list_dimensions(rank);
        attrs->DimensionCount = rank;
        for (unsigned t = 0; t < 2; ++t) {
            d.tensors[t].rank = rank;
            d.tensors[t].given = TS_GIVEN_ALL;
        }
        try_dimension(0, rank);
    }
    const double seconds = now() - begin;
    printf("%llu cases, %llu wrong, %.2f M cases/s\n", cases, wrong, (double)cases / seconds / 1e6);
    backend->close(self);
    return wrong > 0;
}
