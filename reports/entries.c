/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/entries.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    entries *all;
    const summary *m;
    bool failed; /* out of memory */
} reader;

/* A member that is text, or "": what a store holds is not to be trusted to be what it should. */
static const char *member(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

static bool read_list(void *context, const char *op, const char *told)
{
    reader *r = context;
    entries *all = r->all;
    json_t *list = json_loads(told, 0, NULL), **lists;
    entry *grown;
    size_t n = json_array_size(list), i;
    json_t *item;
    lists = realloc(all->lists, (all->list_count + 1) * sizeof(json_t *));
    grown = lists ? realloc(all->list, (all->count + n + 1) * sizeof *grown) : NULL;
    all->lists = lists ? lists : all->lists;
    all->list = grown ? grown : all->list;
    if (!grown) {
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
                                           .state = ENTRY_UNASKED };
    }
    (void)op; /* each entry names its own */
    return true;
}

entry *entries_find(const entries *all, const char *id)
{
    for (size_t i = 0; i < all->count; ++i)
        if (strcmp(all->list[i].id, id) == 0)
            return &all->list[i];
    return NULL;
}

entry *entries_observed(const entries *all, const char *kind, const char **answer)
{
    for (size_t i = 0; i < all->count; ++i) {
        size_t n = strlen(all->list[i].id);
        if (strncmp(kind, all->list[i].id, n) == 0 && strncmp(kind + n, ": ", 2) == 0) {
            *answer = kind + n + 2;
            return &all->list[i];
        }
    }
    return NULL;
}

static bool read_observation(void *context, const store_observation *o)
{
    static const char ruled[] = "our decision";
    reader *r = context;
    const char *answer;
    size_t test = summary_find_test(r->m, o->test);
    entry *own = o->kind ? entries_observed(r->all, o->kind, &answer) : NULL;
    if (!own || test == r->m->test_count)
        return true;
    entry_answer *grown = realloc(own->answers, (own->observed_count + 1) * sizeof *grown);
    if (!grown) {
        r->failed = true;
        return false;
    }
    own->answers = grown;
    entry_answer *a = &own->answers[own->observed_count++];
    *a = (entry_answer){ .test = test,
                         .text = strdup(answer),
                         .cases = o->cases,
                         .example = strdup(o->example ? o->example : ""),
                         .detail = strdup(o->detail ? o->detail : "") };
    r->failed = r->failed || !a->text || !a->example || !a->detail;
    own->cases += o->cases;
    if (strncmp(answer, ruled, sizeof ruled - 1) != 0)
        own->state = ENTRY_OTHER;
    else if (own->state != ENTRY_OTHER)
        own->state = ENTRY_RULED;
    return !r->failed;
}

/* Entries that nothing was observed of are judged by their examples, where these were among the tests that ran. */
static void find_judged(entries *all, const summary *m)
{
    for (size_t i = 0; i < all->count; ++i) {
        entry *own = &all->list[i];
        if (own->state != ENTRY_UNASKED || json_array_size(json_object_get(own->json, "examples")) == 0)
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
        for (size_t k = 0; k < own->observed_count; ++k) {
            free(own->answers[k].text);
            free(own->answers[k].example);
            free(own->answers[k].detail);
        }
        free(own->answers);
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

bool entry_shown_by(const entry *own, const char *case_id)
{
    static const char middle[] = ":examples:example=";
    char name[128];
    size_t n = strlen(own->op);
    if (!case_id || strncmp(case_id, own->op, n) != 0 || strncmp(case_id + n, middle, sizeof middle - 1) != 0)
        return false;
    const char *start = case_id + n + sizeof middle - 1;
    size_t length = strcspn(start, ",");
    if (length >= sizeof name)
        return false;
    memcpy(name, start, length);
    name[length] = '\0';
    return entry_lists(own, "examples", name);
}

void entries_cite(entries *all, const char *case_id)
{
    for (size_t i = 0; i < all->count; ++i)
        all->list[i].findings += entry_shown_by(&all->list[i], case_id);
}
