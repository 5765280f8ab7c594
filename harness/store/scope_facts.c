/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/scope_facts.h"

#include "harness/base/array.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static scope_count *find(const scope_counts *c, const char *op, const char *dtype)
{
    for (size_t i = 0; i < c->count; ++i)
        if (strcmp(c->list[i].op, op) == 0 && strcmp(c->list[i].dtype, dtype) == 0)
            return &c->list[i];
    return NULL;
}

bool scope_counts_has(const scope_counts *c, const char *op, const char *dtype)
{
    return find(c, op, dtype) != NULL;
}

bool scope_counts_add(scope_counts *c, const char *op, const char *dtype, uint64_t cases)
{
    scope_count *known = find(c, op, dtype);
    if (known) {
        known->cases += cases;
        return true;
    }
    if (!array_reserve(&c->list, &c->capacity, c->count + 1, sizeof *c->list))
        return false;
    scope_count *own = &c->list[c->count++];
    *own = (scope_count){ .cases = cases };
    snprintf(own->op, sizeof own->op, "%s", op);
    snprintf(own->dtype, sizeof own->dtype, "%s", dtype);
    return true;
}

uint64_t scope_counts_sum(const scope_counts *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->count; ++i)
        sum += c->list[i].cases;
    return sum;
}

static uint64_t absent_of(const scope_demand *d)
{
    return scope_counts_sum(&d->refused) + scope_counts_sum(&d->untried);
}

uint64_t scope_facts_absent(const scope_facts *f)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < f->demand_count; ++i)
        sum += absent_of(&f->demands[i]);
    return sum;
}

void scope_facts_free(scope_facts *f)
{
    free(f->suite.list);
    free(f->refused.list);
    free(f->offered.list);
    free(f->unshown.list);
    for (size_t i = 0; i < f->demand_count; ++i) {
        free(f->demands[i].query);
        free(f->demands[i].refused.list);
        free(f->demands[i].untried.list);
    }
    free(f->demands);
    *f = (scope_facts){ 0 };
}

/* ---- JSON ---- */

static json_t *counts_to_json(const scope_counts *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->count; ++i)
        json_array_append_new(list,
                              json_pack("[s,s,I]", c->list[i].op, c->list[i].dtype, (json_int_t)c->list[i].cases));
    return list;
}

char *scope_facts_write(const scope_facts *f)
{
    json_t *demands = json_array();
    for (size_t i = 0; i < f->demand_count; ++i) {
        const scope_demand *d = &f->demands[i];
        json_array_append_new(demands, json_pack("{s:s,s:I,s:o,s:o}", "query", d->query, "cases", (json_int_t)d->cases,
                                                 "refused", counts_to_json(&d->refused), "untried",
                                                 counts_to_json(&d->untried)));
    }
    const bool whole = json_array_size(demands) == f->demand_count;
    json_t *all =
        json_pack("{s:o,s:o,s:o,s:o,s:o}", "suite", counts_to_json(&f->suite), "refused", counts_to_json(&f->refused),
                  "offered", counts_to_json(&f->offered), "unshown", counts_to_json(&f->unshown), "required", demands);
    char *written = all && whole ? json_dumps(all, JSON_COMPACT) : NULL;
    json_decref(all);
    return written;
}

static bool counts_from_json(scope_counts *c, json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        const char *op, *dtype;
        json_int_t cases;
        if (json_unpack(item, "[s,s,I]", &op, &dtype, &cases) != 0 || cases < 0 ||
            !scope_counts_add(c, op, dtype, (uint64_t)cases))
            return false;
    }
    return json_is_array(list);
}

static bool demand_from_json(scope_demand *d, json_t *item)
{
    const char *query;
    json_int_t cases;
    json_t *refused, *untried;
    if (json_unpack(item, "{s:s,s:I,s:o,s:o}", "query", &query, "cases", &cases, "refused", &refused, "untried",
                    &untried) != 0 ||
        cases < 0)
        return false;
    d->cases = (uint64_t)cases;
    d->query = strdup(query);
    return d->query && counts_from_json(&d->refused, refused) && counts_from_json(&d->untried, untried) &&
           absent_of(d) <= d->cases;
}

bool scope_facts_read(scope_facts *f, const char *written)
{
    json_t *suite, *refused, *offered, *demands, *unshown = NULL; /* older runs do not have the last one */
    *f = (scope_facts){ 0 };
    if (!written || !*written)
        return true;
    json_t *all = json_loads(written, 0, NULL);
    bool fine = all &&
                json_unpack(all, "{s:o,s:o,s:o,s:o,s?o}", "suite", &suite, "refused", &refused, "offered", &offered,
                            "required", &demands, "unshown", &unshown) == 0 &&
                json_is_array(demands) && counts_from_json(&f->suite, suite) &&
                counts_from_json(&f->refused, refused) && counts_from_json(&f->offered, offered) &&
                (!unshown || counts_from_json(&f->unshown, unshown)) &&
                (f->demands = calloc(json_array_size(demands) + 1, sizeof *f->demands)) != NULL;
    for (size_t i = 0; fine && i < json_array_size(demands); ++i) {
        f->demand_count = i + 1;
        fine = demand_from_json(&f->demands[i], json_array_get(demands, i));
    }
    json_decref(all);
    return fine;
}

/* ---- shards ---- */

static bool add_counts(scope_counts *to, const scope_counts *from)
{
    bool fine = true;
    for (size_t i = 0; fine && i < from->count; ++i)
        fine = scope_counts_add(to, from->list[i].op, from->list[i].dtype, from->list[i].cases);
    return fine;
}

bool scope_facts_merge(scope_facts *to, const scope_facts *from)
{
    bool fine = to->demand_count == from->demand_count && to->suite.count == from->suite.count &&
                add_counts(&to->refused, &from->refused) && add_counts(&to->offered, &from->offered) &&
                add_counts(&to->unshown, &from->unshown);
    for (size_t i = 0; fine && i < to->demand_count; ++i) {
        const scope_demand *d = &from->demands[i];
        fine = strcmp(to->demands[i].query, d->query) == 0 && to->demands[i].cases == d->cases &&
               add_counts(&to->demands[i].refused, &d->refused);
    }
    return fine;
}
