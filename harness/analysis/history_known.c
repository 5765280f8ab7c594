/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/history_known.h"

#include "harness/base/array.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    known *k;
    const char *suite;
} reading;

/* Add the query of a region whose cases are not known. One that cannot be parsed, which this program did not write,
   holds nothing: its failures make new regions. */
static bool add_query(known *k, size_t region)
{
    const size_t i = k->queries.count;
    error e;
    if (!array_reserve(&k->queries.list, &k->query_capacity, i + 1, sizeof *k->queries.list) ||
        !array_reserve(&k->owners, &k->owner_capacity, i + 1, sizeof *k->owners))
        return false;
    memset(&k->queries.list[i], 0, sizeof k->queries.list[i]);
    if (query_parse(k->list[region].query, &k->queries.list[i].query, &e)) {
        k->owners[i] = region;
        k->queries.count++;
    }
    return true;
}

static bool read_region(void *context, history_failing *f)
{
    const reading *r = context;
    known *k = r->k;
    if (!array_reserve(&k->list, &k->capacity, k->count + 1, sizeof *k->list)) {
        k->failed = true;
        return false;
    }
    known_region *own = &k->list[k->count++];
    *own = (known_region){ .span = f->span,
                           .verdict = f->verdict,
                           .query = strdup(f->query),
                           .example = strdup(f->example),
                           .exact = f->exact,
                           .listed = *f->suite && strcmp(f->suite, r->suite) == 0 };
    if (own->listed) {
        own->cases = *f->cases;
        memset(f->cases, 0, sizeof *f->cases);
    }
    k->failed = !own->query || !own->example || (!own->listed && !add_query(k, k->count - 1));
    return !k->failed;
}

bool known_read(known *k, history *h, int64_t earlier, const char *test, const char *suite, error *e)
{
    reading r = { k, suite };
    memset(k, 0, sizeof *k);
    return history_each_failing(h, earlier, test, read_region, &r, e) &&
           (k->failed ? error_set(e, "out of memory") : true);
}

void known_free(known *k)
{
    for (size_t i = 0; i < k->count; ++i) {
        free(k->list[i].query);
        free(k->list[i].example);
        case_set_free(&k->list[i].cases);
        case_set_free(&k->list[i].now);
    }
    waivers_close(k->match);
    waivers_free(&k->queries);
    free(k->list);
    free(k->owners);
    memset(k, 0, sizeof *k);
}

bool known_start(known *k, const case_test *t, error *e)
{
    for (size_t i = 0; i < k->count; ++i)
        case_set_start(&k->list[i].at, &k->list[i].cases);
    return k->match || (k->match = waivers_open(&k->queries, t, e)) != NULL;
}

known_region *known_find_by_query(known *k, uint64_t index, const expr_value *values)
{
    const waiver *w = k->queries.count ? waivers_find(k->match, index, values) : NULL;
    return w ? &k->list[k->owners[w - k->queries.list]] : NULL;
}

known_region *known_find(known *k, uint64_t index, const expr_value *values)
{
    known_region *found = NULL;
    for (size_t i = 0; i < k->count && !found; ++i)
        if (case_set_holds(&k->list[i].at, index))
            found = &k->list[i];
    return found ? found : known_find_by_query(k, index, values);
}
