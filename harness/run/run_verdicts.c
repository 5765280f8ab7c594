/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run_verdicts.h"

#include "harness/store/store_rerun.h"

#include <stdlib.h>
#include <string.h>

typedef struct run_plane {
    uint64_t first, cases, ordinal;
} run_plane;

static bool see_plane(void *context, const store_plane *p)
{
    run_verdicts *v = context;
    if ((v->plane_count & (v->plane_count - 1)) == 0) {
        run_plane *grown = realloc(v->planes, (v->plane_count ? 2 * v->plane_count : 1) * sizeof *grown);
        if (!grown) {
            v->failed = true;
            return false;
        }
        v->planes = grown;
    }
    v->planes[v->plane_count] = (run_plane){ p->first, p->cases, run_verdicts_count(v) };
    v->plane_count++;
    return true;
}

bool run_verdicts_open(run_verdicts *v, store *s, int64_t test, error *e)
{
    *v = (run_verdicts){ .store = s, .test = test };
    return store_each_range(s, test, see_plane, v, e) && (!v->failed || error_set(e, "out of memory"));
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

static bool hold(run_verdicts *v, const run_plane *p, error *e)
{
    if (v->held == p)
        return true;
    v->held = NULL;
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
    v->held = p;
    return true;
}

/* Into `out`, or from `in` where that is not NULL. */
static bool move(run_verdicts *v, uint64_t ordinal, uint8_t *out, const uint8_t *in, uint64_t n, error *e)
{
    for (size_t k = 0; k < v->plane_count; ++k) {
        const run_plane *p = &v->planes[k];
        const uint64_t from = p->ordinal > ordinal ? p->ordinal : ordinal;
        const uint64_t end = p->ordinal + p->cases < ordinal + n ? p->ordinal + p->cases : ordinal + n;
        if (from >= end)
            continue;
        if (!hold(v, p, e))
            return false;
        uint8_t *there = v->verdicts + (from - p->ordinal);
        if (!in) {
            memcpy(out + (from - ordinal), there, end - from);
        } else if (memcmp(there, in + (from - ordinal), end - from) != 0) {
            memcpy(there, in + (from - ordinal), end - from);
            if (!store_replace_plane(v->store, v->test, p->first, v->verdicts, p->cases, e))
                return false;
        }
    }
    return true;
}

bool run_verdicts_read(run_verdicts *v, uint64_t ordinal, uint8_t *verdicts, uint64_t n, error *e)
{
    return move(v, ordinal, verdicts, NULL, n, e);
}

bool run_verdicts_write(run_verdicts *v, uint64_t ordinal, const uint8_t *verdicts, uint64_t n, error *e)
{
    return move(v, ordinal, NULL, verdicts, n, e);
}
