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

/* One of the two sequences. */
typedef struct sequence {
    size_t *tests; /* of the items: those with the fewest slices first */
    size_t count;
    uint64_t *slices;     /* of each of these tests; not of SCHEDULE_DRAWN */
    uint64_t *before;     /* before[i]: the places before the turns in which tests[i] is the first test; not of
                             SCHEDULE_DRAWN */
    uint64_t place, most; /* of the next slice, and after the last one */
    uint64_t started;     /* slices before this place are finished whether there is time or not */
    double seconds;       /* that workers spent on its cases */
} sequence;

struct schedule {
    const run_item *items;
    size_t count;
    sequence sequences[SCHEDULE_SEQUENCES];
    uint64_t key;
    bool resumed;
    gap *gaps;
    size_t gap_count, gap_capacity;
    size_t item;      /* of the current slice */
    uint64_t at, end; /* the rest of it */
};

static uint64_t slices_of(const run_item *item)
{
    uint64_t indices = item->end - item->first, slices = item->planned / item->slice;
    slices += item->planned % item->slice != 0;
    return slices < indices ? slices : indices;
}

/* The slices of an endless test grow, so that long sessions have few. */
#define TURNS_OF_A_SIZE 16 /* after so many turns the slices are twice as large, */
#define MOST_DOUBLINGS  4  /* up to 16 times */

/* Where slice k of an endless test starts. */
static uint64_t endless_start(const run_item *item, uint64_t k)
{
    const uint64_t doublings = k / TURNS_OF_A_SIZE < MOST_DOUBLINGS ? k / TURNS_OF_A_SIZE : MOST_DOUBLINGS;
    const uint64_t whole = TURNS_OF_A_SIZE * ((UINT64_C(1) << doublings) - 1), rest = (k - TURNS_OF_A_SIZE * doublings)
                                                                                      << doublings;
    const uint64_t length = item->end - item->first;
    return item->first + (whole + rest < length / item->slice ? (whole + rest) * item->slice : length);
}

static uint64_t length_of(const sequence *q)
{
    return q->count == 0 ? 0 : q->slices ? q->before[q->count] : UINT64_MAX;
}

/* Sort the tests with an end by their slices, those with few first. An insertion sort of a hundred or so. */
static void sort_whole(const run_item *items, sequence *q)
{
    for (size_t i = 0; i < q->count; ++i) {
        const size_t test = q->tests[i];
        const uint64_t slices = slices_of(&items[test]);
        size_t k = i;
        for (; k > 0 && q->slices[k - 1] > slices; --k) {
            q->slices[k] = q->slices[k - 1];
            q->tests[k] = q->tests[k - 1];
        }
        q->slices[k] = slices;
        q->tests[k] = test;
    }
    for (size_t i = 0; i < q->count; ++i)
        q->before[i + 1] = q->before[i] + (q->slices[i] - (i ? q->slices[i - 1] : 0)) * (q->count - i);
}

schedule *schedule_new(const run_item *items, size_t count, const char *key)
{
    char digits[17] = "";
    schedule *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->items = items;
    s->count = count;
    sequence *whole = &s->sequences[SCHEDULE_WHOLE], *drawn = &s->sequences[SCHEDULE_DRAWN];
    whole->tests = calloc(count + 1, sizeof *whole->tests);
    whole->slices = calloc(count + 1, sizeof *whole->slices);
    whole->before = calloc(count + 1, sizeof *whole->before);
    drawn->tests = calloc(count + 1, sizeof *drawn->tests);
    if (!whole->tests || !whole->slices || !whole->before || !drawn->tests) {
        schedule_free(s);
        return NULL;
    }
    memcpy(digits, key, strnlen(key, sizeof digits - 1));
    s->key = strtoull(digits, NULL, 16);
    for (size_t i = 0; i < count; ++i) {
        sequence *own = items[i].endless ? drawn : whole;
        if (items[i].planned)
            own->tests[own->count++] = i;
    }
    sort_whole(items, whole);
    return s;
}

uint64_t schedule_slices(const run_item *items, size_t count)
{
    uint64_t slices = 0;
    for (size_t i = 0; i < count; ++i)
        slices += items[i].endless ? 0 : slices_of(&items[i]);
    return slices;
}

void schedule_free(schedule *s)
{
    if (!s)
        return;
    for (int k = 0; k < SCHEDULE_SEQUENCES; ++k) {
        free(s->sequences[k].tests);
        free(s->sequences[k].slices);
        free(s->sequences[k].before);
    }
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
        const uint64_t range[] = { items[i].first, items[i].end, items[i].planned, items[i].slice };
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

static void whole_at(const schedule *s, uint64_t place, size_t *item, uint64_t *first, uint64_t *end)
{
    const sequence *q = &s->sequences[SCHEDULE_WHOLE];
    size_t low = 0, high = q->count; /* find the last test with before[] <= place whose turns are not empty */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (q->before[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    const uint64_t active = q->count - low, within = place - q->before[low];
    const uint64_t turn = (low ? q->slices[low - 1] : 0) + within / active, k = low + within % active;
    const run_item *own = &s->items[q->tests[k]];
    const uint64_t n = q->slices[k];
    const uint64_t slice = turn == 0 ? 0 : 1 + shuffle_at(s->key + q->tests[k], n - 1, turn - 1);
    *item = q->tests[k];
    *first = own->first + part_of(own->end - own->first, slice, n);
    *end = own->first + part_of(own->end - own->first, slice + 1, n);
}

void schedule_at(const schedule *s, schedule_sequence which, uint64_t place, size_t *item, uint64_t *first,
                 uint64_t *end)
{
    if (which == SCHEDULE_WHOLE) {
        whole_at(s, place, item, first, end);
        return;
    }
    const size_t count = s->sequences[SCHEDULE_DRAWN].count;
    *item = s->sequences[SCHEDULE_DRAWN].tests[place % count];
    *first = endless_start(&s->items[*item], place / count);
    *end = endless_start(&s->items[*item], place / count + 1);
}

void schedule_begin(schedule *s, schedule_sequence which, uint64_t first, uint64_t most)
{
    sequence *q = &s->sequences[which];
    q->place = q->started = first;
    q->most = most < length_of(q) ? most : length_of(q);
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

/* Is a part of the slice at this place done? */
static bool is_begun(const schedule *s, schedule_sequence which, uint64_t place)
{
    size_t item;
    uint64_t first, end;
    schedule_at(s, which, place, &item, &first, &end);
    const gap *g = gap_after(s, item, first);
    return !g || g->first > first || g->end < end;
}

/* Is a part of this slice of an endless test, or of a later one, done? Its last gap has no end. */
static bool is_behind(const schedule *s, uint64_t place)
{
    size_t item;
    uint64_t first, end;
    schedule_at(s, SCHEDULE_DRAWN, place, &item, &first, &end);
    const gap *last = gap_after(s, item, s->items[item].end - 1);
    return last && last->first > first;
}

void schedule_resume(schedule *s)
{
    sequence *whole = &s->sequences[SCHEDULE_WHOLE], *drawn = &s->sequences[SCHEDULE_DRAWN];
    s->resumed = true;
    for (uint64_t place = whole->place; place < whole->most; ++place)
        if (is_begun(s, SCHEDULE_WHOLE, place))
            whole->started = place + 1;
    for (uint64_t place = drawn->place; place < drawn->most && place < drawn->started + drawn->count; ++place)
        if (is_behind(s, place))
            drawn->started = place + 1;
}

void schedule_spent(schedule *s, size_t item, double seconds)
{
    s->sequences[s->items[item].endless ? SCHEDULE_DRAWN : SCHEDULE_WHOLE].seconds += seconds;
}

/* The sequence whose next slice is due; NULL if none is. */
static sequence *choose(schedule *s, bool more)
{
    sequence *whole = &s->sequences[SCHEDULE_WHOLE], *drawn = &s->sequences[SCHEDULE_DRAWN];
    const bool whole_left = whole->place < whole->most, drawn_left = drawn->place < drawn->most;
    if (whole_left && whole->place < whole->started)
        return whole;
    if (drawn_left && drawn->place < drawn->started)
        return drawn;
    if (!more || (!whole_left && !drawn_left))
        return NULL;
    if (whole_left && drawn_left && whole->seconds + drawn->seconds <= 0) /* sessions of a slice each take turns, too */
        return (whole->place + drawn->place) % 2 == 0 ? whole : drawn;
    const double share = SCHEDULE_DRAWN_SHARE * (whole->seconds + drawn->seconds);
    return !drawn_left || (whole_left && drawn->seconds >= share) ? whole : drawn;
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
        sequence *q = choose(s, more);
        if (!q)
            return false;
        schedule_at(s, q == &s->sequences[SCHEDULE_DRAWN] ? SCHEDULE_DRAWN : SCHEDULE_WHOLE, q->place++, &s->item,
                    &s->at, &s->end);
    }
}

uint64_t schedule_place(const schedule *s, schedule_sequence which)
{
    return s->sequences[which].place;
}
