/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/schedule.h"

#include "harness/base/array.h"
#include "harness/model/shuffle.h"

#include <stdlib.h>
#include <string.h>

/* A range that a resumed run still has to do. */
typedef struct gap {
    size_t item;
    uint64_t first, end;
} gap;

struct schedule {
    const run_item *items;
    size_t count;
    uint64_t *before; /* before[i]: slices of the items before item i; before[count]: all slices */
    uint64_t key;
    uint64_t place, most; /* of the next slice, and after the last one */
    uint64_t started;     /* slices before this place are finished whether there is time or not */
    bool resumed;
    gap *gaps;
    size_t gap_count, gap_capacity;
    size_t item;      /* of the current slice */
    uint64_t at, end; /* the rest of it */
};

static uint64_t slices_of(const run_item *item)
{
    uint64_t indices = item->end - item->first, slices = item->planned / SCHEDULE_SLICE_CASES;
    slices += item->planned % SCHEDULE_SLICE_CASES != 0;
    return slices < indices ? slices : indices;
}

schedule *schedule_new(const run_item *items, size_t count, const char *key)
{
    char digits[17] = "";
    schedule *s = calloc(1, sizeof *s);
    if (!s || !(s->before = calloc(count + 1, sizeof *s->before))) {
        free(s);
        return NULL;
    }
    s->items = items;
    s->count = count;
    memcpy(digits, key, strnlen(key, sizeof digits - 1));
    s->key = strtoull(digits, NULL, 16);
    for (size_t i = 0; i < count; ++i)
        s->before[i + 1] = s->before[i] + slices_of(&items[i]);
    return s;
}

uint64_t schedule_slices(const run_item *items, size_t count)
{
    uint64_t slices = 0;
    for (size_t i = 0; i < count; ++i)
        slices += slices_of(&items[i]);
    return slices;
}

void schedule_free(schedule *s)
{
    if (!s)
        return;
    free(s->before);
    free(s->gaps);
    free(s);
}

static void add_text(run_digest *d, const char *text)
{
    XXH3_128bits_update(&d->state, text, strlen(text) + 1);
}

void schedule_key(const plan *p, const run_item *items, const run_options *o, const ts_info *info, ts_level level,
                  char key[33])
{
    const uint64_t numbers[] = { SCHEDULE_SLICE_CASES,   o->tier, level, o->profile, o->query_count, p->item_count,
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

/* length * k / n without overflow. */
static uint64_t part_of(uint64_t length, uint64_t k, uint64_t n)
{
    uint64_t each = length / n, more = length % n;
    return each * k + (k < more ? k : more);
}

void schedule_at(const schedule *s, uint64_t place, size_t *item, uint64_t *first, uint64_t *end)
{
    uint64_t slice = shuffle_at(s->key, s->before[s->count], place);
    size_t low = 0, high = s->count; /* find the last item with before[] <= slice that has slices */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->before[middle] <= slice)
            low = middle;
        else
            high = middle;
    }
    const run_item *own = &s->items[low];
    uint64_t n = s->before[low + 1] - s->before[low], k = slice - s->before[low];
    *item = low;
    *first = own->first + part_of(own->end - own->first, k, n);
    *end = own->first + part_of(own->end - own->first, k + 1, n);
}

void schedule_begin(schedule *s, uint64_t first, uint64_t most)
{
    s->place = s->started = first;
    s->most = most < s->before[s->count] ? most : s->before[s->count];
}

/* ---- resume ---- */

bool schedule_add_gap(schedule *s, size_t item, uint64_t first, uint64_t end)
{
    if (!array_reserve(&s->gaps, &s->gap_capacity, s->gap_count + 1, sizeof *s->gaps))
        return false;
    s->gaps[s->gap_count++] = (gap){ item, first, end };
    return true;
}

/* Find the first gap of an item that ends after an index; NULL if there is none. */
static const gap *gap_after(const schedule *s, size_t item, uint64_t index)
{
    size_t low = 0, high = s->gap_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const gap *g = &s->gaps[middle];
        if (g->item < item || (g->item == item && g->end <= index))
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->gap_count && s->gaps[low].item == item ? &s->gaps[low] : NULL;
}

void schedule_resume(schedule *s)
{
    s->resumed = true;
    for (uint64_t place = s->place; place < s->most; ++place) {
        size_t item;
        uint64_t first, end;
        schedule_at(s, place, &item, &first, &end);
        const gap *g = gap_after(s, item, first);
        if (!g || g->first > first || g->end < end) /* a part of the slice is done */
            s->started = place + 1;
    }
}

bool schedule_next(schedule *s, bool more, size_t *item, uint64_t *first, uint64_t *end)
{
    for (;;) {
        const gap *g = s->resumed && s->at < s->end ? gap_after(s, s->item, s->at) : NULL;
        if (s->at < s->end && (!s->resumed || (g && g->first < s->end))) {
            *item = s->item;
            *first = g && g->first > s->at ? g->first : s->at;
            *end = g && g->end < s->end ? g->end : s->end;
            s->at = *end;
            return true;
        }
        if (s->place >= s->most || (s->place >= s->started && !more))
            return false;
        schedule_at(s, s->place++, &s->item, &s->at, &s->end);
    }
}

uint64_t schedule_place(const schedule *s)
{
    return s->place;
}
