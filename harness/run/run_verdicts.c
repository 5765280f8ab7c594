/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run_verdicts.h"

#include "harness/base/array.h"
#include "harness/store/store_rerun.h"

#include <stdlib.h>
#include <string.h>

typedef struct run_plane {
    uint64_t first, cases, ordinal;
} run_plane;

static bool add_plane(void *context, const store_plane *p)
{
    run_verdicts *v = context;
    if (!array_reserve(&v->planes, &v->plane_capacity, v->plane_count + 1, sizeof *v->planes)) {
        v->failed = true;
        return false;
    }
    v->planes[v->plane_count] = (run_plane){ p->first, p->cases, run_verdicts_count(v) };
    v->plane_count++;
    return true;
}

bool run_verdicts_open(run_verdicts *v, store *s, int64_t test, error *e)
{
    *v = (run_verdicts){ .store = s, .test = test };
    return store_each_range(s, test, add_plane, v, e) && (!v->failed || error_set(e, "out of memory"));
}

void run_verdicts_free(run_verdicts *v)
{
    free(v->planes);
    free(v->verdicts);
    *v = (run_verdicts){ .store = NULL };
}

uint64_t run_verdicts_count(const run_verdicts *v)
{
    const run_plane *last = v->plane_count ? &v->planes[v->plane_count - 1] : NULL;
    return last ? last->ordinal + last->cases : 0;
}

static bool load_plane(run_verdicts *v, const run_plane *p, error *e)
{
    if (v->loaded == p)
        return true;
    v->loaded = NULL;
    if (v->capacity < p->cases + 2) {
        free(v->verdicts);
        v->capacity = p->cases + 2;
        v->verdicts = malloc(v->capacity);
    }
    if (!v->verdicts) {
        v->capacity = 0;
        return error_set(e, "out of memory");
    }
    if (!store_read_plane(v->store, v->test, p->first, v->verdicts, p->cases, e))
        return false;
    v->loaded = p;
    return true;
}

/* Copy verdicts from the store to `out` or, if `in` is not NULL, from `in` to the store. */
static bool copy(run_verdicts *v, uint64_t ordinal, uint8_t *out, const uint8_t *in, uint64_t n, error *e)
{
    for (size_t k = 0; k < v->plane_count; ++k) {
        const run_plane *p = &v->planes[k];
        const uint64_t from = p->ordinal > ordinal ? p->ordinal : ordinal;
        const uint64_t end = p->ordinal + p->cases < ordinal + n ? p->ordinal + p->cases : ordinal + n;
        if (from >= end)
            continue;
        if (!load_plane(v, p, e))
            return false;
        uint8_t *at = v->verdicts + (from - p->ordinal);
        if (!in) {
            memcpy(out + (from - ordinal), at, end - from);
        } else if (memcmp(at, in + (from - ordinal), end - from) != 0) {
            memcpy(at, in + (from - ordinal), end - from);
            if (!store_replace_plane(v->store, v->test, p->first, v->verdicts, p->cases, e))
                return false;
        }
    }
    return true;
}

bool run_verdicts_read(run_verdicts *v, uint64_t ordinal, uint8_t *verdicts, uint64_t n, error *e)
{
    return copy(v, ordinal, verdicts, NULL, n, e);
}

bool run_verdicts_write(run_verdicts *v, uint64_t ordinal, const uint8_t *verdicts, uint64_t n, error *e)
{
    return copy(v, ordinal, NULL, verdicts, n, e);
}
