/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/smallest.h"

#include "harness/base/array.h"

#include <stdlib.h>
#include <string.h>

static smallest_case *find(const smallest *m, const char *id)
{
    for (size_t i = 0; i < m->count; ++i)
        if (strcmp(m->list[i].id, id) == 0)
            return &m->list[i];
    return NULL;
}

const smallest_case *smallest_find(const smallest *m, const char *id)
{
    return find(m, id);
}

/* The entry of this id, which may be new. NULL if memory is out. */
static smallest_case *entry(smallest *m, const store_finding *f)
{
    smallest_case *c = find(m, f->shrunk);
    if (c)
        return c;
    if (!array_reserve(&m->list, &m->capacity, m->count + 1, sizeof *m->list))
        return NULL;
    c = &m->list[m->count++];
    *c = (smallest_case){ .id = strdup(f->shrunk),
                          .facts = strdup(f->shrunk_facts ? f->shrunk_facts : ""),
                          .verdict = f->verdict };
    return c->id && c->facts ? c : NULL;
}

/* A list that is being read. */
typedef struct reading {
    smallest *m;
    bool failed;
} reading;

static bool add(void *context, const store_finding *f)
{
    reading *r = context;
    smallest_case *c = entry(r->m, f);
    if (!c || !array_reserve(&c->of, &c->capacity, c->count + 1, sizeof *c->of)) {
        r->failed = true;
        return false;
    }
    smallest_of *of = &c->of[c->count++];
    of->id = f->id;
    of->case_id = strdup(f->case_id ? f->case_id : "");
    r->failed = !of->case_id;
    return !r->failed;
}

bool smallest_read(smallest *m, store *s, error *e)
{
    reading r = { .m = m };
    *m = (smallest){ .list = NULL };
    return store_each_finding(s, STORE_SHRUNK_FINDINGS, 0, add, &r, e) && (!r.failed || error_set(e, "out of memory"));
}

void smallest_free(smallest *m)
{
    for (size_t i = 0; i < m->count; ++i) {
        for (size_t k = 0; k < m->list[i].count; ++k)
            free(m->list[i].of[k].case_id);
        free(m->list[i].of);
        free(m->list[i].id);
        free(m->list[i].facts);
    }
    free(m->list);
    *m = (smallest){ .list = NULL };
}
