/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run_suite.h"

#include "harness/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    run_suite *suite;
    quick_cases quick;
    bool fine;
    error *e;
} reader;

static bool read_operator(void *context, const char *op, const char *digest)
{
    reader *r = context;
    run_suite *suite = r->suite;
    char now[SUITE_DIGEST_SIZE] = "";
    bool known;
    if (!array_reserve(&suite->operators, &suite->capacity, suite->count + 1, sizeof *suite->operators))
        return r->fine = error_set(r->e, "out of memory");
    run_suite_operator *own = &suite->operators[suite->count++];
    snprintf(own->name, sizeof own->name, "%s", op);
    snprintf(own->digest, sizeof own->digest, "%s", digest);
    own->same = false;
    if (!suite_digest_of(op, &r->quick, &known, now, r->e))
        return r->fine = false;
    own->same = known && strcmp(now, digest) == 0;
    return true;
}

bool run_suite_read(run_suite *r, store *s, error *e)
{
    reader now = { .suite = r, .e = e };
    memset(r, 0, sizeof *r);
    now.fine = quick_read(&now.quick, e);
    now.fine = now.fine && store_each_operator(s, read_operator, &now, e) && now.fine;
    quick_free(&now.quick);
    return now.fine;
}

void run_suite_free(run_suite *r)
{
    free(r->operators);
    memset(r, 0, sizeof *r);
}

const run_suite_operator *run_suite_find(const run_suite *r, const char *name)
{
    for (size_t i = 0; i < r->count; ++i)
        if (strcmp(r->operators[i].name, name) == 0)
            return &r->operators[i];
    return NULL;
}

bool run_suite_any(const run_suite *r)
{
    for (size_t i = 0; i < r->count; ++i)
        if (r->operators[i].same)
            return true;
    return r->count == 0;
}

static void add_name(char names[RUN_SUITE_NAMES], const char *name)
{
    const size_t used = strlen(names);
    if (used + strlen(name) + sizeof ", ..." < RUN_SUITE_NAMES)
        snprintf(names + used, RUN_SUITE_NAMES - used, "%s%s", used ? ", " : "", name);
    else if (used < 3 || strcmp(names + used - 3, "...") != 0)
        snprintf(names + used, RUN_SUITE_NAMES - used, ", ...");
}

bool run_suite_changed(const run_suite *r, char names[RUN_SUITE_NAMES])
{
    *names = '\0';
    for (size_t i = 0; i < r->count; ++i)
        if (!r->operators[i].same)
            add_name(names, r->operators[i].name);
    return *names != '\0';
}

bool run_suite_differ(const run_suite *a, const run_suite *b, char names[RUN_SUITE_NAMES])
{
    *names = '\0';
    for (size_t i = 0; i < a->count; ++i) {
        const run_suite_operator *other = run_suite_find(b, a->operators[i].name);
        if (other && strcmp(other->digest, a->operators[i].digest) != 0)
            add_name(names, a->operators[i].name);
    }
    return *names != '\0';
}
