/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/region_groups.h"

#include "harness/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct finder {
    region_groups *found;
    const space *space;
    int16_t at[REGION_GROUPS_KEYS]; /* the group of a key, or -1 */
    region *regions[REGION_GROUPS_LEARNED];
    bool active[REGION_GROUPS_LEARNED]; /* still being learned */
    size_t capacity;                    /* of found->list */
    bool failed;
    error *e;
} finder;

static group *new_group(finder *f, const space_cursor *at, int key)
{
    char id[CASE_ID_SIZE];
    region_groups *g = f->found;
    if (!array_reserve(&g->list, &f->capacity, g->count + 1, sizeof *g->list))
        return NULL;
    group *own = &g->list[g->count];
    memset(own, 0, sizeof *own);
    own->key = key;
    own->first = at->index;
    space_format_id(at, id, sizeof id);
    own->example = malloc(strlen(id) + 1);
    if (!own->example)
        return NULL;
    strcpy(own->example, id);
    f->at[key] = (int16_t)g->count++;
    if (g->count <= REGION_GROUPS_LEARNED && !(f->regions[g->count - 1] = region_new(f->space, f->e)))
        return NULL;
    return own;
}

static size_t learned_count(const finder *f)
{
    return f->found->count < REGION_GROUPS_LEARNED ? f->found->count : REGION_GROUPS_LEARNED;
}

/* The first pass: find the groups. */
static bool collect(void *to, const space_cursor *at, int key)
{
    finder *f = to;
    int own = -1;
    if (key != REGION_GROUPS_NONE) {
        if (f->at[key] < 0 && !new_group(f, at, key)) {
            f->failed = true;
            return error_set(f->e, "out of memory");
        }
        own = f->at[key];
        f->found->list[own].cases++;
        f->found->list[own].last = at->index;
    }
    for (size_t i = 0; i < learned_count(f); ++i)
        region_add(f->regions[i], at->values, (int)i == own);
    return true;
}

/* The other passes: check what was learned against every case. */
static bool check(void *to, const space_cursor *at, int key)
{
    finder *f = to;
    int own = key == REGION_GROUPS_NONE ? -1 : f->at[key];
    for (size_t i = 0; i < learned_count(f); ++i)
        if (f->active[i])
            region_check(f->regions[i], at->values, (int)i == own);
    return true;
}

static bool write_part(const finder *f, const char *within, const region_part *p, group_part *out)
{
    char text[2048];
    int n = snprintf(text, sizeof text, "%s:%s", space_op(f->space), space_test(f->space));
    if (*p->predicate || *within)
        n += snprintf(text + n, sizeof text - (size_t)n, " where %s%s%s", p->predicate,
                      *p->predicate && *within ? " and " : "", within);
    out->query = n > 0 && (size_t)n < sizeof text ? malloc((size_t)n + 1) : NULL;
    if (!out->query)
        return false;
    strcpy(out->query, text);
    out->cases = p->inside;
    out->others = p->others;
    return true;
}

static bool write_group(const finder *f, const char *within, const region *r, group *g, error *e)
{
    g->parts = calloc(region_count(r) ? region_count(r) : 1, sizeof *g->parts);
    if (!g->parts)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < region_count(r); ++i) {
        region_part p = region_at(r, i);
        if (!write_part(f, within, &p, &g->parts[g->part_count]))
            return error_set(e, "out of memory");
        g->part_count++;
    }
    g->missed = region_missed(r);
    g->exact = region_exact(r);
    return true;
}

bool region_groups_find(region_groups *g, const space *s, const char *within, region_groups_source source,
                        void *context, bool *adrift, error *e)
{
    bool fine = true, again = false;
    finder *f = calloc(1, sizeof *f);
    memset(g, 0, sizeof *g);
    *adrift = false;
    if (!f)
        return error_set(e, "out of memory");
    f->found = g;
    f->space = s;
    f->e = e;
    for (size_t i = 0; i < REGION_GROUPS_KEYS; ++i)
        f->at[i] = -1;
    fine = source(context, false, collect, f, adrift, e) && !f->failed;
    for (size_t i = 0; fine && i < learned_count(f); ++i)
        again = f->active[i] = true;
    while (fine && again && !*adrift) {
        for (size_t i = 0; fine && i < learned_count(f); ++i)
            fine = !f->active[i] || region_learn(f->regions[i], e);
        fine = fine && source(context, true, check, f, adrift, e);
        again = false;
        for (size_t i = 0; i < learned_count(f); ++i) {
            f->active[i] = f->active[i] && region_again(f->regions[i]);
            again = again || f->active[i];
        }
    }
    for (size_t i = 0; fine && !*adrift && i < learned_count(f); ++i)
        fine = write_group(f, within, f->regions[i], &g->list[i], e);
    for (size_t i = 0; i < REGION_GROUPS_LEARNED; ++i)
        region_free(f->regions[i]);
    free(f);
    if (*adrift)
        region_groups_free(g);
    return fine;
}

void group_free(group *g)
{
    for (size_t k = 0; k < g->part_count; ++k)
        free(g->parts[k].query);
    free(g->parts);
    free(g->example);
    memset(g, 0, sizeof *g);
}

void region_groups_free(region_groups *g)
{
    for (size_t i = 0; i < g->count; ++i)
        group_free(&g->list[i]);
    free(g->list);
    memset(g, 0, sizeof *g);
}
