/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/history_parts.h"

#include "harness/base/array.h"
#include "harness/base/timestamp.h"

#include <stdlib.h>
#include <string.h>

const char *const history_fact_names[HISTORY_FACTS] = { "version", "options", "profile", "level",
                                                        "tier",    "query",   "device" };

/* ---- reading ---- */

typedef struct reading {
    history_rows *rows;
    history *history;
    bool failed; /* memory is out, or a coverage cannot be read */
    error *e;
} reading;

/* A copy as valid UTF-8. */
static char *copy_of(reading *r, const char *value)
{
    text copy = { .data = NULL };
    text_utf8(&copy, value ? value : "");
    char *own = copy.data || copy.failed ? copy.data : strdup("");
    if (copy.failed || !own) {
        error_set(r->e, "out of memory");
        r->failed = true;
    }
    return own;
}

static bool grow(reading *r, void *array, size_t *capacity, size_t needed, size_t size)
{
    if (!array_reserve(array, capacity, needed, size)) {
        error_set(r->e, "out of memory");
        r->failed = true;
    }
    return !r->failed;
}

static history_series_row *last_series(const reading *r)
{
    return &r->rows->list[r->rows->count - 1];
}

static bool take_series(void *context, const history_series *s)
{
    reading *r = context;
    history_rows *rows = r->rows;
    const char *const facts[HISTORY_FACTS] = { s->version, s->options, s->profile, s->level,
                                               s->tier,    s->query,   s->device };
    if (!grow(r, &rows->list, &rows->capacity, rows->count + 1, sizeof *rows->list))
        return false;
    history_series_row *own = &rows->list[rows->count++];
    *own = (history_series_row){ .id = s->id, .backend = copy_of(r, s->backend) };
    for (int i = 0; i < HISTORY_FACTS; ++i)
        own->facts[i] = copy_of(r, facts[i]);
    return !r->failed;
}

static bool take_run(void *context, const history_run *n)
{
    reading *r = context;
    history_series_row *s = last_series(r);
    time_t when = 0;
    if (!grow(r, &s->runs, &s->run_capacity, s->run_count + 1, sizeof *s->runs))
        return false;
    if (!timestamp_read(n->started, &when))
        when = 0;
    history_run_row *own = &s->runs[s->run_count++];
    *own = (history_run_row){ .id = n->id,
                              .when = (double)when,
                              .started = copy_of(r, n->started),
                              .version = copy_of(r, n->version),
                              .driver = copy_of(r, n->driver),
                              .suite = copy_of(r, n->suite),
                              .digest = copy_of(r, n->digest),
                              .seconds = n->seconds,
                              .planned = n->planned,
                              .ran = n->ran,
                              .failed = n->failed,
                              .waived = n->waived,
                              .unsupported = n->unsupported };
    r->failed = r->failed || !history_coverage(r->history, n->id, &own->coverage, &own->has_coverage, r->e);
    return !r->failed;
}

static bool take_region(void *context, const history_region *n)
{
    reading *r = context;
    history_series_row *s = last_series(r);
    if (!grow(r, &s->regions, &s->region_capacity, s->region_count + 1, sizeof *s->regions))
        return false;
    history_region_row *own = &s->regions[s->region_count++];
    *own = (history_region_row){ .test = copy_of(r, n->name),
                                 .query = copy_of(r, n->query),
                                 .example = copy_of(r, n->example),
                                 .since = copy_of(r, n->since_started),
                                 .since_version = copy_of(r, n->since_version),
                                 .first = copy_of(r, n->first_started),
                                 .last = copy_of(r, n->last_started),
                                 .verdict = n->verdict,
                                 .exact = n->exact,
                                 .failing = n->failing,
                                 .begins = n->failing && n->since == n->last && s->run_count > 1,
                                 .cases = n->cases,
                                 .before = n->before,
                                 .changed = n->changed,
                                 .runs = n->runs };
    s->failing += own->failing ? own->cases : 0;
    s->begins += own->begins ? own->cases : 0;
    return !r->failed;
}

bool history_rows_read(history_rows *rows, history *h, error *e)
{
    reading r = { .rows = rows, .history = h, .e = e };
    memset(rows, 0, sizeof *rows);
    if (!history_each_series(h, take_series, &r, e) || r.failed)
        return false;
    const size_t count = rows->count;
    for (rows->count = 1; rows->count <= count; ++rows->count) {
        const int64_t id = last_series(&r)->id;
        if (!history_each_run(h, id, 0, take_run, &r, e) || r.failed ||
            !history_each_region(h, id, 0, take_region, &r, e) || r.failed) {
            rows->count = count;
            return false;
        }
    }
    rows->count = count;
    return true;
}

static void free_series(history_series_row *s)
{
    for (size_t i = 0; i < s->run_count; ++i) {
        history_run_row *n = &s->runs[i];
        char *const texts[] = { n->started, n->version, n->driver, n->suite, n->digest };
        for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
            free(texts[k]);
    }
    for (size_t i = 0; i < s->region_count; ++i) {
        history_region_row *n = &s->regions[i];
        char *const texts[] = { n->test, n->query, n->example, n->since, n->since_version, n->first, n->last };
        for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
            free(texts[k]);
    }
    for (int i = 0; i < HISTORY_FACTS; ++i)
        free(s->facts[i]);
    free(s->backend);
    free(s->runs);
    free(s->regions);
}

void history_rows_free(history_rows *r)
{
    for (size_t i = 0; i < r->count; ++i)
        free_series(&r->list[i]);
    free(r->list);
    memset(r, 0, sizeof *r);
}

/* ---- names ---- */

static void add_fact(const history_series_row *s, int fact, text *t)
{
    if (*s->facts[fact])
        text_format(t, ", %s %s", history_fact_names[fact], s->facts[fact]);
    else
        text_format(t, ", no %s", history_fact_names[fact]);
}

void history_name(const history_rows *r, size_t series, text *t)
{
    const history_series_row *s = &r->list[series];
    text_add(t, s->backend);
    for (int fact = 0; fact < HISTORY_FACTS; ++fact) {
        bool differs = false;
        for (size_t i = 0; i < r->count && !differs; ++i)
            differs =
                strcmp(r->list[i].backend, s->backend) == 0 && strcmp(r->list[i].facts[fact], s->facts[fact]) != 0;
        if (differs)
            add_fact(s, fact, t);
    }
}

void history_describe(const history_series_row *s, text *t)
{
    const char *separator = "";
    for (int fact = 0; fact < HISTORY_FACTS; ++fact) {
        if (!*s->facts[fact])
            continue;
        text_format(t, "%s%s %s", separator, history_fact_names[fact], s->facts[fact]);
        separator = ", ";
    }
}

void history_headline(const history_rows *r, text *t)
{
    size_t fail = 0, begin = 0, at = 0;
    for (size_t i = 0; i < r->count; ++i) {
        if (!r->list[i].failing)
            continue;
        ++fail;
        begin += r->list[i].begins > 0;
        at = i;
    }
    if (r->count == 0) {
        text_add(t, "No run has been added");
    } else if (fail == 0) {
        text_add(t, r->count == 1 ? "Nothing fails" : "No series fails");
    } else if (r->count == 1) {
        const history_series_row *s = &r->list[at];
        text_count(t, s->failing);
        text_format(t, " case%s fail%s%s", s->failing == 1 ? "" : "s", s->failing == 1 ? "s" : "",
                    s->run_count == 1 ? " " : ", ");
        if (s->run_count == 1)
            text_add(t, "in the only run");
        else if (s->begins == s->failing)
            text_add(t, "and did not in the run before");
        else if (s->begins == 0)
            text_add(t, "and none of them is new in the last run");
        else {
            text_count(t, s->begins);
            text_add(t, " of them since the last run");
        }
    } else {
        text_format(t, "%zu of %zu series fail%s, %zu with failures that are new in the last run", fail, r->count,
                    fail == 1 ? "s" : "", begin);
    }
}
