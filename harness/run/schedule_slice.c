/* SPDX-License-Identifier: Apache-2.0 */
/* How many cases a slice of a test has: as many as take about the time of 4,096 cases of the smallest tensors. What a
   case costs is estimated from the sizes of some of them, so that it is the same on every machine. */
#include "harness/casefile/casebuild.h"
#include "harness/run/schedule.h"

#define SAMPLES        64
#define SAMPLE_INDICES (UINT64_C(1) << 16) /* in which a sample is looked for: filters may leave few points */
#define CHEAP_ELEMENTS 32                  /* take as long as everything else that a case needs */
#define LEAST_CASES    16

/* Elements that are filled, computed and compared. Dimensions that share addresses cost nothing in an input. */
static uint64_t elements_of(const ts_descriptor *d)
{
    uint64_t sum = 0;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        const ts_tensor *t = &d->tensors[k];
        const ts_dtype_info *type = tensor_dtype(t->dtype);
        uint64_t count;
        if (!(t->given & TS_GIVEN_TENSOR) || !type || !tensor_element_count(t, &count))
            continue;
        const uint64_t held = t->total_bytes * 8 / type->bits;
        sum += count < held ? count : held;
    }
    return sum;
}

/* What a case of the test costs on average, in parts of what an empty one costs. */
static uint64_t cost_of(const case_test *t, uint64_t first, uint64_t end, uint32_t profile, ts_level level)
{
    uint64_t elements = 0, samples = 0;
    space_cursor c;
    casebuild build;
    error e;
    casebuild_init(&build, t, profile, level, NULL);
    for (uint64_t k = 0; k < SAMPLES && k < end - first; ++k) {
        const uint64_t at = t->draw ? first + k : first + (end - first) / SAMPLES * k;
        const uint64_t last = end - at < SAMPLE_INDICES ? end : at + SAMPLE_INDICES;
        if (!space_start(&c, t->space, at, last, NULL, NULL) || !casebuild_case(&build, &c, &e))
            continue;
        elements += elements_of(&build.now.descriptor);
        ++samples;
    }
    return 1 + (samples ? elements / samples / CHEAP_ELEMENTS : 0);
}

uint64_t schedule_slice_cases(const case_test *t, uint64_t first, uint64_t end, uint32_t profile, ts_level level)
{
    uint64_t cost = 1;
    if (t->sparse || t->vast)
        cost = 64; /* memory is mapped anew */
    else if (t->kind == CASE_VALID)
        cost = cost_of(t, first, end, profile, level);
    if (t->draw)
        cost +=
            t->kind == CASE_VALID ? 4 : 32; /* to draw takes longer than a small case; illegal ones have many tests */
    if (case_is_preceded(t))
        cost *= 4; /* each case is several calls */
    const uint64_t cases = SCHEDULE_SLICE_CASES / cost;
    return cases < LEAST_CASES ? LEAST_CASES : cases;
}
