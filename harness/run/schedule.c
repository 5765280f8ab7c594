/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/schedule.h"

#include "harness/model/shuffle.h"

#include <stdlib.h>
#include <string.h>

/* A range that a run that goes on has still to do. */
typedef struct gap {
    size_t item;
    uint64_t first, end;
} gap;

struct schedule {
    const run_item *items;
    size_t count;
    uint64_t *before; /* portions of the items before each; and of all */
    uint64_t key;
    uint64_t place, most; /* of the next portion, and of the one behind the last */
    uint64_t begun;       /* places before this one are begun in any case */
    bool resumed;
    gap *gaps;
    size_t gap_count, gap_capacity;
    size_t item; /* the portion at hand, and what is left of it */
    uint64_t at, end;
};

static uint64_t portions_of(const run_item *item)
{
    uint64_t indices = item->end - item->first, portions = item->planned / SCHEDULE_PORTION;
    portions += item->planned % SCHEDULE_PORTION != 0;
    return portions < indices ? portions : indices;
}

schedule *schedule_new(const run_item *items, size_t count, const char *key)
{
    char digits[17] = "";
    schedule *r = calloc(1, sizeof *r);
    if (!r || !(r->before = calloc(count + 1, sizeof *r->before))) {
        free(r);
        return NULL;
    }
    r->items = items;
    r->count = count;
    memcpy(digits, key, strnlen(key, sizeof digits - 1));
    r->key = strtoull(digits, NULL, 16);
    for (size_t i = 0; i < count; ++i)
        r->before[i + 1] = r->before[i] + portions_of(&items[i]);
    return r;
}

uint64_t schedule_portions(const run_item *items, size_t count)
{
    uint64_t portions = 0;
    for (size_t i = 0; i < count; ++i)
        portions += portions_of(&items[i]);
    return portions;
}

void schedule_free(schedule *r)
{
    if (!r)
        return;
    free(r->before);
    free(r->gaps);
    free(r);
}

static void add_text(run_digest *d, const char *s)
{
    XXH3_128bits_update(&d->state, s, strlen(s) + 1);
}

void schedule_key(const plan *p, const run_item *items, const run_options *o, const ts_info *info, ts_level level,
                  char key[33])
{
    const uint64_t numbers[] = { SCHEDULE_PORTION,       o->tier, level, o->profile, o->query_count, p->item_count,
                                 o->backend_option_count };
    run_digest d;
    run_digest_start(&d, p->suite_digest);
    XXH3_128bits_update(&d.state, numbers, sizeof numbers);
    add_text(&d, info->name);
    add_text(&d, info->device);
    for (size_t i = 0; i < o->backend_option_count; ++i) {
        add_text(&d, o->backend_options[i].key);
        add_text(&d, o->backend_options[i].value);
    }
    for (size_t i = 0; i < o->query_count; ++i)
        add_text(&d, o->queries[i]);
    for (size_t i = 0; i < p->item_count; ++i) {
        const uint64_t range[] = { items[i].first, items[i].end, items[i].planned };
        add_text(&d, p->items[i].test->file->op->name);
        add_text(&d, p->items[i].test->name);
        XXH3_128bits_update(&d.state, range, sizeof range);
    }
    run_digest_end(&d, key);
}

/* length * k / n without the product, which may have no place. */
static uint64_t part_of(uint64_t length, uint64_t k, uint64_t n)
{
    uint64_t each = length / n, more = length % n;
    return each * k + (k < more ? k : more);
}

void schedule_at(const schedule *r, uint64_t place, size_t *item, uint64_t *first, uint64_t *end)
{
    uint64_t portion = shuffle_at(r->key, r->before[r->count], place);
    size_t low = 0, high = r->count; /* the last item with before[] <= portion, of those that have portions */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (r->before[middle] <= portion)
            low = middle;
        else
            high = middle;
    }
    const run_item *own = &r->items[low];
    uint64_t n = r->before[low + 1] - r->before[low], k = portion - r->before[low];
    *item = low;
    *first = own->first + part_of(own->end - own->first, k, n);
    *end = own->first + part_of(own->end - own->first, k + 1, n);
}

void schedule_begin(schedule *r, uint64_t first, uint64_t most)
{
    r->place = r->begun = first;
    r->most = most < r->before[r->count] ? most : r->before[r->count];
}

/* ---- going on ---- */

bool schedule_left(schedule *r, size_t item, uint64_t first, uint64_t end)
{
    if (r->gap_count == r->gap_capacity) {
        size_t capacity = r->gap_capacity ? r->gap_capacity * 2 : 64;
        gap *grown = realloc(r->gaps, capacity * sizeof *grown);
        if (!grown)
            return false;
        r->gaps = grown;
        r->gap_capacity = capacity;
    }
    r->gaps[r->gap_count++] = (gap){ item, first, end };
    return true;
}

/* The first gap of an item that ends behind an index, or NULL. */
static const gap *gap_behind(const schedule *r, size_t item, uint64_t index)
{
    size_t low = 0, high = r->gap_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const gap *g = &r->gaps[middle];
        if (g->item < item || (g->item == item && g->end <= index))
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->gap_count && r->gaps[low].item == item ? &r->gaps[low] : NULL;
}

void schedule_left_told(schedule *r)
{
    r->resumed = true;
    for (uint64_t place = r->place; place < r->most; ++place) {
        size_t item;
        uint64_t first, end;
        schedule_at(r, place, &item, &first, &end);
        const gap *g = gap_behind(r, item, first);
        if (!g || g->first > first || g->end < end) /* something of it is done */
            r->begun = place + 1;
    }
}

bool schedule_next(schedule *r, bool more, size_t *item, uint64_t *first, uint64_t *end)
{
    for (;;) {
        const gap *g = r->resumed && r->at < r->end ? gap_behind(r, r->item, r->at) : NULL;
        if (r->at < r->end && (!r->resumed || (g && g->first < r->end))) {
            *item = r->item;
            *first = g && g->first > r->at ? g->first : r->at;
            *end = g && g->end < r->end ? g->end : r->end;
            r->at = *end;
            return true;
        }
        if (r->place >= r->most || (r->place >= r->begun && !more))
            return false;
        schedule_at(r, r->place++, &r->item, &r->at, &r->end);
    }
}

uint64_t schedule_place(const schedule *r)
{
    return r->place;
}
