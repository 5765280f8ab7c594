/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: what a run found, as text, without what differs from one execution to the next (times, processes, and
   where the planes are cut). Two runs of the same cases have the same text. */
#ifndef TOUCHSTONE_RUN_CONTENTS_H
#define TOUCHSTONE_RUN_CONTENTS_H

#include "harness/base/text.h"
#include "harness/store/store.h"
#include "harness/store/store_rerun.h"

#include <inttypes.h>
#include <string.h>

static inline const char *contents_of(const char *value)
{
    return value ? value : "-";
}

static inline bool contents_test(void *context, const store_test *t)
{
    text_format(context, "test %d %s %s: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIx64 " %" PRIx64 "\n",
                (int)t->id, t->name, t->tier, t->first, t->indices, t->planned, t->ran, t->sums[0], t->sums[1]);
    return true;
}

static inline bool contents_tally(void *context, const store_tally *t)
{
    if (t->cases)
        text_format(context, "tally %d %s %s %d: %" PRIu64 "\n", (int)t->test, t->dtype, t->level, (int)t->verdict,
                    t->cases);
    return true;
}

/* The verdicts of the cases of a test, a letter each. */
static inline bool contents_plane(void *context, const store_plane *p)
{
    for (size_t i = 0; i < p->cases; ++i) {
        const char letter = (char)('a' + p->verdicts[i]);
        text_bytes(context, &letter, 1);
    }
    return true;
}

/* A text without the addresses in it: where a call was that did not come back differs from run to run. */
static inline void contents_without_addresses(text *t, const char *s)
{
    while (*s) {
        const char *at = strstr(s, "+0x");
        const size_t n = at ? (size_t)(at - s) : strlen(s);
        text_bytes(t, s, n);
        s += n + (at ? 3 + strspn(at + 3, "0123456789abcdef") : 0);
    }
}

static inline bool contents_finding(void *context, const store_finding *f)
{
    const char *texts[] = { f->case_id, f->clause,     f->dtype,  f->level,   f->tensor,
                            f->element, f->expected,   f->actual, f->source,  f->descriptor,
                            f->tensors, f->reproducer, f->rate,   f->depends, f->detail };
    text_format(context, "finding %d %" PRIu64 " %d %" PRIu64, (int)f->test, f->index, (int)f->verdict, f->differing);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        text_format(context, " | ");
        contents_without_addresses(context, contents_of(texts[i]));
    }
    text_add(context, "\n");
    return true;
}

/* Without what killed a worker from outside, once: that is an observation of the execution. */
static inline bool contents_observation(void *context, const store_observation *o)
{
    if (strncmp(o->kind, "once, and not when repeated alone", 33) == 0)
        return true;
    text_format(context, "observation %d %s %" PRIu64 "\n", (int)o->test, o->kind, o->cases);
    return true;
}

static inline bool contents_clause(void *context, const store_clause *c)
{
    text_format(context, "clause %s %s %" PRIu64 " %" PRIu64 "\n", c->op, c->id, c->broken, c->refused);
    return true;
}

static inline bool contents_candidate(void *context, const store_candidate *c)
{
    text_format(context, "candidate %d %" PRIu64 " %d\n", (int)c->test, c->index, (int)c->bisected);
    return true;
}

typedef struct contents_verdicts {
    store *s;
    text *to;
    error *e;
    bool fine;
} contents_verdicts;

static inline bool contents_verdicts_of(void *context, const store_test *t)
{
    contents_verdicts *v = context;
    text_format(v->to, "verdicts %d ", (int)t->id);
    v->fine = store_each_plane(v->s, t->id, contents_plane, v->to, v->e);
    text_add(v->to, "\n");
    return v->fine;
}

/* Read a run. The caller frees the text, also after an error. */
static inline bool contents_read(store *s, text *t, error *e)
{
    static const char *const keys[] = { STORE_STATE,           STORE_SUITE_DIGEST,    STORE_DIGEST,
                                        STORE_REPRODUCE,       STORE_QUERY,           STORE_TIER,
                                        STORE_LEVEL,           STORE_PROFILE,         STORE_BACKEND,
                                        STORE_BACKEND_VERSION, STORE_BACKEND_OPTIONS, STORE_REFUSED,
                                        STORE_WAIVERS_DIGEST,  STORE_SHUFFLE,         STORE_REPEAT,
                                        STORE_SHARD,           STORE_COVERAGE };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
        text_format(t, "%s %s\n", keys[i], contents_of(store_get(s, keys[i])));
    contents_verdicts v = { s, t, e, true };
    return store_each_test(s, contents_test, t, e) && store_each_tally(s, contents_tally, t, e) &&
           store_each_test(s, contents_verdicts_of, &v, e) && v.fine &&
           store_each_finding(s, 0, 0, contents_finding, t, e) &&
           store_each_observation(s, contents_observation, t, e) && store_each_clause(s, contents_clause, t, e) &&
           store_each_candidate(s, contents_candidate, t, e) && (!t->failed || error_set(e, "out of memory"));
}

#endif
