/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/coverage.h"

#include "harness/store/history.h"
#include "harness/base/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

char *coverage_write(const coverage *c)
{
    json_t *root = json_pack(
        "{s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:b,s:b,s:I,s:I,s:I,s:I,s:b}", "key", c->key, "session",
        (json_int_t)c->session, "since", (json_int_t)c->since, "round", (json_int_t)c->round, "slices",
        (json_int_t)c->slices, "first", (json_int_t)c->first, "end", (json_int_t)c->end, "total", (json_int_t)c->total,
        "ran", (json_int_t)c->ran, "round_ran", (json_int_t)c->round_ran, "ever", (json_int_t)c->ever, "chained",
        c->chained, "over", c->over, "drawn_first", (json_int_t)c->drawn_first, "drawn_end", (json_int_t)c->drawn_end,
        "drawn", (json_int_t)c->drawn, "drawn_ever", (json_int_t)c->drawn_ever, "endless", c->endless);
    char *written = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return written;
}

bool coverage_read(coverage *c, const char *written)
{
    /* The last ones, of endless tests, are missing in what older versions wrote. */
    static const char *const names[] = { "session",     "since",     "round", "slices",    "first",
                                         "end",         "total",     "ran",   "round_ran", "ever",
                                         "drawn_first", "drawn_end", "drawn", "drawn_ever" };
    uint64_t *const numbers[] = { &c->session,     &c->since,     &c->round, &c->slices,    &c->first,
                                  &c->end,         &c->total,     &c->ran,   &c->round_ran, &c->ever,
                                  &c->drawn_first, &c->drawn_end, &c->drawn, &c->drawn_ever };
    enum { REQUIRED = 10 };
    const char *key;
    int chained, over, endless = 0;
    memset(c, 0, sizeof *c);
    json_t *root = written && *written ? json_loads(written, 0, NULL) : NULL;
    bool fine = root &&
                json_unpack(root, "{s:s,s:b,s:b,s?b}", "key", &key, "chained", &chained, "over", &over, "endless",
                            &endless) == 0 &&
                strlen(key) < sizeof c->key;
    for (size_t i = 0; fine && i < sizeof names / sizeof names[0]; ++i) {
        json_t *number = json_object_get(root, names[i]);
        fine = (number || i < REQUIRED) ? json_is_integer(number) && json_integer_value(number) >= 0 : true;
        if (fine && number)
            *numbers[i] = (uint64_t)json_integer_value(number);
    }
    if (fine) {
        snprintf(c->key, sizeof c->key, "%s", key);
        c->chained = chained != 0;
        c->over = over != 0;
        c->endless = endless != 0;
        fine = c->first <= c->end && c->end <= c->slices && c->since <= c->session && c->drawn_first <= c->drawn_end;
    }
    json_decref(root);
    return fine;
}

bool coverage_of_run(coverage *c, store *s)
{
    return coverage_read(c, store_get(s, STORE_COVERAGE));
}

bool coverage_complete(const coverage *c)
{
    return c->chained && c->over && c->slices > 0 && (c->end == c->slices || c->round_ran == c->total);
}

bool coverage_is_endless(const coverage *c)
{
    return c->endless && !c->over;
}

int coverage_share(uint64_t part, uint64_t whole, char *buf, size_t size)
{
    if (whole == 0) /* of nothing there is no share */
        return snprintf(buf, size, "-");
    const double percent = 100.0 * (double)part / (double)whole;
    if (part > 0 && part < whole && percent < 0.1)
        return snprintf(buf, size, "below 0.1 %%");
    return snprintf(buf, size, "%.1f %%", part < whole && percent > 99.9 ? 99.9 : percent);
}

static void add_share(text *t, uint64_t part, uint64_t whole)
{
    char share[32];
    coverage_share(part, whole, share, sizeof share);
    text_add(t, share);
}

static void describe_drawn(text *t, const coverage *c)
{
    text_count(t, c->drawn);
    text_add(t, " cases of the endless ones");
    if (c->chained && c->drawn_ever != c->drawn) {
        text_add(t, " (");
        text_count(t, c->drawn_ever);
        text_add(t, " with the sessions before)");
    }
}

int coverage_describe(const coverage *c, char *buf, size_t size)
{
    text t = { 0 };
    if (c->endless && c->total == 0) {
        text_add(&t, "ran ");
        describe_drawn(&t, c);
        const int length = t.failed ? snprintf(buf, size, "out of memory") : snprintf(buf, size, "%s", t.data);
        text_free(&t);
        return length;
    }
    text_add(&t, "ran ");
    text_count(&t, c->ran);
    text_add(&t, " of ");
    text_count(&t, c->total);
    text_add(&t, c->endless ? " cases of the tests that have an end (" : " cases of the tier (");
    add_share(&t, c->ran, c->total);
    text_add(&t, ")");
    if (c->endless) {
        text_add(&t, " and ");
        describe_drawn(&t, c);
    }
    text_add(&t, "; ever run: ");
    if (!c->chained) {
        text_add(&t, "unknown, since sessions with a fixed range of slices do not know of each other");
    } else {
        add_share(&t, c->ever, c->total);
        text_format(&t, " since session %" PRIu64, c->since);
        if (c->round > 0) {
            text_format(&t, ", for the %s time ", c->round == 1 ? "second" : "next");
            add_share(&t, c->round_ran, c->total);
        }
    }
    int n = t.failed ? snprintf(buf, size, "out of memory") : snprintf(buf, size, "%s", t.data);
    text_free(&t);
    return n;
}

typedef struct search {
    const char *key;
    coverage *best;
    bool found, same;
} search;

/* Rows come oldest first. Keep the last one with the key, or the last of all. */
static bool take_row(void *context, const coverage *c)
{
    search *s = context;
    bool same = strcmp(c->key, s->key) == 0;
    if (same || !s->same)
        *s->best = *c;
    s->found = true;
    s->same |= same;
    return true;
}

bool coverage_find(const char *path, const char *key, coverage *c, bool *found, error *e)
{
    error as_run, as_history;
    *found = false;
    history *h = history_open(path, false, &as_history);
    if (h) {
        search s = { key, c, false, false };
        bool fine = history_each_coverage(h, 0, take_row, &s, e);
        history_close(h);
        *found = s.found;
        return fine;
    }
    store *s = store_open(path, &as_run);
    if (!s) {
        *e = as_run;
        return false;
    }
    *found = coverage_of_run(c, s);
    store_close(s);
    return *found || error_usage(e, "%s: was run without --budget, and records no session", path);
}
