/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/entries.h"

#include "harness/base/array.h"
#include "harness/execute/observed.h"

#include <stdlib.h>
#include <string.h>

const char *entry_state_name(entry_state s)
{
    static const char *const names[ENTRY_STATES] = { "as-decided", "unlike", "judged", "not-tested" };
    return s < ENTRY_STATES ? names[s] : "?";
}

typedef struct reader {
    entries *all;
    const summary *m;
    bool failed; /* out of memory */
} reader;

/* A member that is a string, or "": a run file may contain anything. */
static const char *member(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

static bool read_list(void *context, const char *op, const char *json)
{
    reader *r = context;
    entries *all = r->all;
    json_t *list = json_loads(json, 0, NULL);
    size_t n = json_array_size(list), i;
    json_t *item;
    if (!array_reserve(&all->lists, &all->list_capacity, all->list_count + 1, sizeof *all->lists) ||
        !array_reserve(&all->list, &all->capacity, all->count + n + 1, sizeof *all->list)) {
        json_decref(list);
        r->failed = true;
        return false;
    }
    all->lists[all->list_count++] = list;
    json_array_foreach(list, i, item)
    {
        if (!*member(item, "id"))
            continue;
        all->list[all->count++] = (entry){ .id = member(item, "id"),
                                           .kind = member(item, "kind"),
                                           .op = member(item, "operator"),
                                           .page = member(item, "page"),
                                           .quote = member(item, "quote"),
                                           .problem = member(item, "problem"),
                                           .decision = member(item, "decision"),
                                           .minimal = member(item, "case"),
                                           .json = item,
                                           .state = ENTRY_NOT_TESTED };
    }
    (void)op; /* each entry names its operator */
    return true;
}

entry *entries_observed(const entries *all, const char *kind, const char **behaviour)
{
    for (size_t i = 0; i < all->count; ++i) {
        size_t n = strlen(all->list[i].id);
        if (strncmp(kind, all->list[i].id, n) == 0 && strncmp(kind + n, ": ", 2) == 0) {
            *behaviour = kind + n + 2;
            return &all->list[i];
        }
    }
    return NULL;
}

static bool read_observation(void *context, const store_observation *o)
{
    reader *r = context;
    const char *behaviour;
    size_t test = summary_find_test(r->m, o->test);
    entry *own = o->kind ? entries_observed(r->all, o->kind, &behaviour) : NULL;
    if (!own || test == r->m->test_count)
        return true;
    if (!array_reserve(&own->behaviours, &own->behaviour_capacity, own->behaviour_count + 1, sizeof *own->behaviours)) {
        r->failed = true;
        return false;
    }
    entry_behaviour *a = &own->behaviours[own->behaviour_count++];
    *a = (entry_behaviour){ .test = test,
                            .text = strdup(behaviour),
                            .as_decided = observed_as_decided(behaviour),
                            .cases = o->cases,
                            .example = strdup(o->example ? o->example : ""),
                            .detail = strdup(o->detail ? o->detail : "") };
    r->failed = r->failed || !a->text || !a->example || !a->detail;
    own->cases += o->cases;
    if (!a->as_decided)
        own->state = ENTRY_UNLIKE;
    else if (own->state != ENTRY_UNLIKE)
        own->state = ENTRY_AS_DECIDED;
    return !r->failed;
}

/* An entry without observations is judged if its examples are among the tests that ran. */
static void find_judged(entries *all, const summary *m)
{
    for (size_t i = 0; i < all->count; ++i) {
        entry *own = &all->list[i];
        if (own->state != ENTRY_NOT_TESTED || json_array_size(json_object_get(own->json, "examples")) == 0)
            continue;
        for (size_t t = 0; t < m->test_count; ++t)
            if (strcmp(m->tests[t].op, own->op) == 0 && strcmp(m->tests[t].test, "examples") == 0 &&
                m->tests[t].counts.ran > 0)
                own->state = ENTRY_JUDGED;
    }
}

bool entries_read(entries *all, const summary *m, store *s, error *e)
{
    reader r = { .all = all, .m = m };
    *all = (entries){ 0 };
    if (!store_each_ledger(s, read_list, &r, e) || (!r.failed && !store_each_observation(s, read_observation, &r, e)))
        return false;
    if (r.failed)
        return error_set(e, "out of memory");
    find_judged(all, m);
    return true;
}

void entries_free(entries *all)
{
    for (size_t i = 0; i < all->count; ++i) {
        entry *own = &all->list[i];
        for (size_t k = 0; k < own->behaviour_count; ++k) {
            free(own->behaviours[k].text);
            free(own->behaviours[k].example);
            free(own->behaviours[k].detail);
        }
        free(own->behaviours);
    }
    for (size_t i = 0; i < all->list_count; ++i)
        json_decref(all->lists[i]);
    free(all->lists);
    free(all->list);
    *all = (entries){ 0 };
}

bool entry_lists(const entry *own, const char *list, const char *word)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(own->json, list), i, item)
    {
        const char *value = json_string_value(item);
        if (value && strcmp(value, word) == 0)
            return true;
    }
    return false;
}

bool entry_has_example(const entry *own, const char *case_id)
{
    static const char middle[] = ":examples:example=";
    size_t n = strlen(own->op), i;
    json_t *item;
    if (!case_id || strncmp(case_id, own->op, n) != 0 || strncmp(case_id + n, middle, sizeof middle - 1) != 0)
        return false;
    const char *start = case_id + n + sizeof middle - 1;
    json_array_foreach(json_object_get(own->json, "examples"), i, item)
    {
        const char *listed = json_string_value(item);
        const size_t length = listed ? strlen(listed) : 0; /* other parameters may follow */
        if (length && strncmp(start, listed, length) == 0 && (start[length] == ',' || !start[length]))
            return true;
    }
    return false;
}

void entries_cite(entries *all, const char *case_id)
{
    for (size_t i = 0; i < all->count; ++i)
        all->list[i].findings += entry_has_example(&all->list[i], case_id);
}
