/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytes BACKEND.so
 *
 * What a backend moves and generates, beside what the machine can: ELEMENT_WISE_IDENTITY of 64 MiB beside memcpy of the
 * same bytes, and RANDOM_GENERATOR beside Random123's own philox4x32_10. Each is the best of several rounds, taken in
 * turns; prints MiB/s.
 */
#include "backends/call_of.h"
#include "reference/dml/element_wise_identity.h"
#include "reference/dml/random_generator.h"

#include <Random123/philox.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MIB    ((size_t)1 << 20)
#define BYTES  (64 * MIB)
#define ROUNDS 7

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static ts_tensor tensor(void *data, uint64_t elements)
{
    return (ts_tensor){ .dtype = TS_UINT32,
                        .rank = 4,
                        .given = TS_GIVEN_ALL,
                        .total_bytes = elements * 4,
                        .data = data,
                        .sizes = { 1, 1, 1, elements },
                        .strides = { elements, elements, elements, 1 } };
}

static const ts_backend *backend;
static void *self;

/* One call; the seconds it took, or -1. */
static double take(ts_call *call)
{
    ts_status status = TS_ERROR;
    const double begin = now();
    if (backend->submit(self, call, 1, &status) != TS_OK || status != TS_OK)
        return -1;
    return now() - begin;
}

static double philox_alone(uint32_t *to, size_t words)
{
    const double begin = now();
    philox4x32_ctr_t counter = { { 0, 0, 0, 0 } };
    const philox4x32_key_t key = { { 1, 2 } };
    for (size_t i = 0; i < words; i += 4) {
        const philox4x32_ctr_t block = philox4x32(counter, key);
        memcpy(to + i, block.v, sizeof block.v);
        ++counter.v[0];
    }
    return now() - begin;
}

static double copy_alone(void *to, const void *from)
{
    const double begin = now();
    memcpy(to, from, BYTES);
    return now() - begin;
}

static void better(double *best, double seconds)
{
    if (*best <= 0 || seconds < *best)
        *best = seconds;
}

static void print_row(const char *what, double mine, double other)
{
    printf("%s %.0f %.0f %.0f\n", what, (double)(BYTES / MIB) / mine, (double)(BYTES / MIB) / other,
           100 * other / mine);
}

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) {
        fprintf(stderr, "usage: bytes BACKEND.so\n");
        return 64;
    }
    touchstone_backend_function start;
    *(void **)&start = dlsym(library, "touchstone_backend");
    backend = start ? start(TS_BACKEND_ABI) : NULL;
    unsigned char *from = malloc(BYTES), *to = malloc(BYTES);
    if (!backend || !from || !to ||
        backend->open(&(ts_host){ .struct_size = sizeof(ts_host) }, NULL, 0, &self) != TS_OK)
        return 3;
    memset(from, 1, BYTES); /* both are there before anything is timed */
    memset(to, 2, BYTES);

    const ts_dml_element_wise_identity identity_attrs = { 0 };
    ts_tensor identity_tensors[2] = { tensor(from, BYTES / 4), tensor(to, BYTES / 4) };
    ts_call identity =
        call_of("dml.element_wise_identity", &identity_attrs, sizeof identity_attrs, UINT32_MAX, identity_tensors, 2);
    identity.attrs_given = 0; /* no ScaleBias */

    const ts_dml_random_generator random_attrs = { 0 };
    uint32_t state[6] = { 0, 0, 0, 0, 1, 2 };
    ts_tensor random_tensors[3] = { tensor(state, 6), tensor(to, BYTES / 4) };
    ts_call random = call_of("dml.random_generator", &random_attrs, sizeof random_attrs, UINT32_MAX, random_tensors, 3);

    double copy[2] = { 0 }, philox[2] = { 0 };
    for (int i = 0; i < ROUNDS; ++i) {
        better(&copy[1], copy_alone(to, from));
        const double moved = take(&identity), made = take(&random);
        if (moved < 0 || made < 0) {
            fprintf(stderr, "the backend refuses %s\n", moved < 0 ? "the copy" : "the generator");
            return 3;
        }
        better(&copy[0], moved);
        better(&philox[0], made);
        better(&philox[1], philox_alone((uint32_t *)(void *)to, BYTES / 4));
    }
    print_row("copy", copy[0], copy[1]);
    print_row("philox", philox[0], philox[1]);
    backend->close(self);
    free(from);
    free(to);
    return 0;
}
