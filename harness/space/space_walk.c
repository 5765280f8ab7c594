/* SPDX-License-Identifier: Apache-2.0 */
/* Walk a space: an odometer that leaves a subtree as soon as a predicate rules it out. */
#include "harness/space/space_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void space_set_block(const space *s, space_cursor *c, unsigned block)
{
    const space_block *b = &s->blocks[block];
    unsigned n = 0;
    c->at.block = block;
    for (size_t i = 0; i < s->axis_count; ++i) {
        expr_value *value = &c->values[i];
        if (s->is_length[i])
            value->v[0] = b->lengths[n++];
        value->length = s->group_of[i] < 0 ? 1 : space_group_length(s, b, &s->groups[s->group_of[i]]);
        for (uint32_t k = 0; s->axes[i].position && k < value->length; ++k)
            value->v[k] = k + 1;
    }
}

void space_set_digit(const space *s, space_cursor *c, unsigned level)
{
    const space_block *b = &s->blocks[c->at.block];
    const space_digit *d = &b->digits[level];
    uint32_t value = c->at.digit[level];
    if (d->axis >= 0) {
        c->values[d->axis].v[0] = s->axes[d->axis].values[value];
        return;
    }
    const space_group *g = &s->groups[d->group];
    const int64_t *tuple = b->tuples[d->group].values + (size_t)value * g->axis_count;
    for (unsigned a = 0; a < g->axis_count; ++a) {
        int64_t *now = &c->values[g->axes[a]].v[d->element];
        if (*now != tuple[a]) {
            *now = tuple[a];
            c->touched |= UINT64_C(1) << g->axes[a];
        }
    }
}

/* Do the predicates of a level hold? A failure counts only if all others hold. */
static bool check_level(space_cursor *c, const space_block *b, unsigned level)
{
    const expr *failure = NULL;
    for (unsigned i = b->check_first[level]; i < b->check_first[level + 1]; ++i) {
        const space_check *check = &b->checks[i];
        bool failed = false;
        int64_t holds = check->element < 0
                            ? expr_eval(check->predicate, c->values, &failed)
                            : expr_eval_at(check->predicate, c->values, (uint32_t)check->element, &failed);
        if (failed)
            failure = failure ? failure : check->predicate;
        else if (!holds)
            return false;
    }
    c->failed = failure;
    return failure == NULL;
}

bool space_filters_hold(space_cursor *c)
{
    const space *s = c->space;
    if (c->whole || s->filter_count == 0 || s->unfiltered ||
        (s->filter_count == 1 && !s->rows && !s->draws)) /* the last: see space_watch.c */
        return true;
    for (int i = 0; i < s->filter_count; ++i) {
        bool holds = true;
        for (int k = 0; holds && k < s->filters[i]->count; ++k) {
            bool failed = false;
            holds = expr_eval(s->filters[i]->conjuncts[k], c->values, &failed) != 0;
            if (failed) {
                c->failed = s->filters[i]->conjuncts[k];
                return false;
            }
        }
        if (holds)
            return true;
    }
    return false;
}

bool space_level_holds(const space *s, space_cursor *c, unsigned level)
{
    return check_level(c, &s->blocks[c->at.block], level);
}

bool space_legal(const space *s, space_cursor *c, unsigned digits)
{
    const space_block *b = &s->blocks[c->at.block];
    for (unsigned level = 0; level <= digits; ++level)
        if (!check_level(c, b, level))
            return false;
    return true;
}

/* Record which slots changed, so that casebuild evaluates only their bindings. */
static void note_change(space_cursor *c, const space_block *b, unsigned lowest)
{
    c->new_class = lowest < b->scalar_count;
    c->changed = space_inner_changed(c, b, c->inner_before) | c->touched;
    c->touched = 0;
    c->changed_element = 0;
    if (!c->new_class && lowest < b->inner_first && b->digits[lowest].group == b->digits[b->inner_first - 1].group)
        c->changed_element = b->digits[lowest].element;
}

/* Record that there is no previous point. */
static void note_start(space_cursor *c)
{
    c->new_class = true;
    c->changed_element = 0;
}

/* Increment digit `*level`, carrying outwards; the digits inside become 0. False if the block is exhausted. */
static bool bump(space_cursor *c, const space_block *b, unsigned *level, unsigned *lowest)
{
    unsigned l = *level;
    c->combinations.from = 0;
    for (unsigned inner = l + 1; inner < b->inner_first; ++inner)
        c->at.digit[inner] = 0;
    for (;;) {
        if (++c->at.digit[l] < b->digits[l].radix)
            break;
        c->at.digit[l] = 0;
        if (l == 0)
            return false;
        --l;
    }
    *level = l;
    if (l < *lowest)
        *lowest = l;
    return true;
}

static uint64_t index_of(const space_cursor *c, const space_block *b)
{
    uint64_t index = b->first;
    for (unsigned d = 0; d < b->inner_first; ++d)
        index += c->at.digit[d] * b->digits[d].weight;
    return index;
}

/* The number of points with the current digits before `level`. */
static uint64_t points_within(const space_block *b, unsigned level)
{
    return level > 0 ? b->digits[level - 1].weight : b->points;
}

/* Are all points with the current digits before `level` legal and within the range? */
static bool wholly_legal(const space_cursor *c, const space_block *b, unsigned level)
{
    if (level < b->scalar_count || c->combinations.from > 0 || !space_watch_settled(c, level) ||
        !space_inner_settled(c, level))
        return false;
    for (unsigned d = level; d < b->inner_first; ++d)
        if (c->at.digit[d] != 0)
            return false;
    return points_within(b, level) <= c->range.end - index_of(c, b);
}

/* May there be legal points after digit level - 1 was set? */
static bool is_alive(space_cursor *c, const space_block *b, unsigned level)
{
    if (!space_watch_level(c, level))
        return false;
    if (level < b->scalar_count)
        return true;
    if (!(level == b->scalar_count ? space_inner_begin(c) : space_inner_level(c, level)))
        return false;
    return level < b->inner_first || space_inner_find(c, c->combinations.from);
}

static void next_block(space_cursor *c)
{
    space_set_block(c->space, c, c->at.block + 1);
    memset(c->at.digit, 0, sizeof c->at.digit);
    c->combinations.from = 0;
}

static bool is_last_block(const space_cursor *c)
{
    return c->at.block + 1 >= c->space->block_count || c->space->blocks[c->at.block + 1].first >= c->range.end;
}

/* Find the first legal point of a block whose digits are set but not checked from `level` on. `afresh`: no predicate of
   the block was evaluated yet. With `depth`, stop at the level below which all points are legal that the inner axes
   allow, and store it in *depth. */
static bool search(space_cursor *c, unsigned level, unsigned lowest, bool afresh, unsigned *depth)
{
    const space *s = c->space;
    for (;;) {
        const space_block *b = &s->blocks[c->at.block];
        bool alive = true;
        if (afresh)
            alive = space_watch_begin(c) && (b->scalar_count > 0 || space_inner_begin(c)) &&
                    (b->inner_first > 0 || space_inner_find(c, c->combinations.from));
        while (alive && level < b->inner_first && !(depth && wholly_legal(c, b, level))) {
            space_set_digit(s, c, level);
            bool legal = is_alive(c, b, level + 1);
            if (c->failed)
                return false;
            if (legal)
                ++level;
            else
                alive = bump(c, b, &level, &lowest);
        }
        if (c->failed)
            return false;
        if (alive) {
            c->combinations.base = index_of(c, b);
            c->index = level < b->inner_first ? c->combinations.base : c->combinations.base + c->inner;
            note_change(c, b, lowest);
            if (depth)
                *depth = level;
            return c->index < c->range.end;
        }
        if (is_last_block(c))
            return false;
        next_block(c);
        afresh = true;
        level = 0;
        lowest = 0;
    }
}

/* The next legal row of a covering space, from c->index on. */
static bool search_rows(space_cursor *c)
{
    const space *s = c->space;
    for (; c->index < c->range.end && c->index < s->row_count; ++c->index) {
        const uint32_t *row = s->rows + c->index * ROW;
        space_set_block(s, c, row[0]);
        const space_block *b = &s->blocks[row[0]];
        memcpy(c->at.digit, row + 1, b->digit_count * sizeof *row);
        for (unsigned d = 0; d < b->digit_count; ++d)
            space_set_digit(s, c, d);
        if (c->range.gate && !c->range.gate(c->range.context, c->values, 0))
            continue;
        bool legal = space_filters_hold(c);
        if (c->failed)
            return false;
        if (!legal)
            continue;
        note_start(c);
        return true;
    }
    return false;
}

static void begin(space_cursor *c, const space *s, uint64_t end, space_gate gate, void *context)
{
    memset(c, 0, offsetof(space_cursor, pending.waits));
    c->space = s;
    c->range.end = end < space_points(s) ? end : space_points(s);
    c->range.gate = gate;
    c->range.context = context;
}

/* Go to the first legal point from `first` on; depth as in search, or NULL. */
static bool go(space_cursor *c, uint64_t first, unsigned *depth)
{
    const space *s = c->space;
    if (first >= c->range.end)
        return false;
    if (s->rows || s->draws) {
        c->index = first;
        return s->draws ? space_draws_search(c) : search_rows(c);
    }
    unsigned block = 0;
    while (block + 1 < s->block_count && s->blocks[block + 1].first <= first)
        ++block;
    space_set_block(s, c, block);
    c->range.single = c->range.end - first == 1;
    const space_block *b = &s->blocks[block];
    uint64_t rest = first - b->first;
    for (unsigned d = 0; d < b->inner_first; ++d) {
        c->at.digit[d] = (uint32_t)(rest / b->digits[d].weight);
        rest %= b->digits[d].weight;
    }
    c->combinations.from = (unsigned)rest;
    bool found = search(c, 0, 0, true, depth);
    note_start(c);
    return found;
}

/* As space_start; depth as in search, or NULL. */
static bool start(space_cursor *c, const space *s, uint64_t first, uint64_t end, space_gate gate, void *context,
                  unsigned *depth)
{
    begin(c, s, end, gate, context);
    return go(c, first, depth);
}

/* The first legal point in [first, end) among those that were chosen. */
static bool start_chosen(space_cursor *c, const space *s, uint64_t first, uint64_t end, space_gate gate, void *context)
{
    size_t low = 0, high = s->chosen_count;
    memset(c, 0, offsetof(space_cursor, pending.waits)); /* for an empty range */
    c->space = s;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->chosen[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < s->chosen_count && s->chosen[low] < end; ++low) {
        bool found = start(c, s, s->chosen[low], s->chosen[low] + 1, gate, context, NULL);
        c->range.end = end;
        if (found || c->failed || c->problem)
            return found;
    }
    return false;
}

bool space_start(space_cursor *c, const space *s, uint64_t first, uint64_t end, space_gate gate, void *context)
{
    return s->chosen ? start_chosen(c, s, first, end, gate, context) : start(c, s, first, end, gate, context, NULL);
}

bool space_start_whole(space_cursor *c, const space *s, uint64_t first, space_gate gate, void *context)
{
    begin(c, s, UINT64_MAX, gate, context);
    c->whole = true;
    return go(c, first, NULL);
}

/* Continue behind the points with the current digits before `level`. */
static bool next_from(space_cursor *c, unsigned level, unsigned *depth)
{
    const space_block *b = &c->space->blocks[c->at.block];
    unsigned block = c->at.block, lowest = b->inner_first;
    bool more = level > 0 && (--level, bump(c, b, &level, &lowest));
    if (!more) {
        if (is_last_block(c))
            return false;
        next_block(c);
        level = 0;
        lowest = 0;
    }
    bool found = search(c, level, lowest, !more, depth);
    if (found && c->at.block != block)
        note_start(c);
    return found;
}

/* Go to the next combination of the inner axes, without any other change. False if there is none. */
static bool next_inner(space_cursor *c)
{
    c->inner_before = c->inner;
    if (!space_inner_find(c, c->inner + 1))
        return false;
    c->index = c->combinations.base + c->inner;
    c->new_class = false;
    c->changed = space_inner_changed(c, &c->space->blocks[c->at.block], c->inner_before);
    c->changed_element = 0;
    return true;
}

bool space_next(space_cursor *c)
{
    const space *s = c->space;
    if (c->failed || c->problem)
        return false;
    if (s->chosen && !c->whole)
        return start_chosen(c, s, c->index + 1, c->range.end, c->range.gate, c->range.context);
    if (s->rows || s->draws) {
        ++c->index;
        return s->draws ? space_draws_search(c) : search_rows(c);
    }
    if (next_inner(c))
        return c->index < c->range.end;
    return !c->failed && next_from(c, s->blocks[c->at.block].inner_first, NULL);
}

uint64_t space_next_class(const space *s, uint64_t index)
{
    unsigned block = 0;
    if (s->draws)
        return index + 1;
    while (block + 1 < s->block_count && s->blocks[block + 1].first <= index)
        ++block;
    const space_block *b = &s->blocks[block];
    unsigned d = b->inner_first < b->digit_count ? b->digit_count : b->scalar_count;
    while (d > 0 && b->digits[d - 1].radix == 1)
        --d;
    if (d == 0 || s->rows)
        return index + 1;
    const uint64_t weight = b->digits[d - 1].weight, radix = b->digits[d - 1].radix;
    const bool last = (index - b->first) / weight % radix == radix - 1;
    return last ? index - (radix - 1) * weight : index + weight;
}

uint64_t space_class_end(const space_cursor *c)
{
    if (c->space->draws)
        return c->index + 1;
    const space_block *b = &c->space->blocks[c->at.block];
    if (c->space->rows || b->inner_count > 1)
        return c->index + 1;
    const uint64_t size = points_within(b, b->scalar_count);
    return b->first + ((c->index - b->first) / size + 1) * size;
}

/* Count the legal points in the range with the digits before `depth`, at which search stopped. */
static uint64_t count_within(const space_cursor *c, unsigned depth)
{
    const space_block *b = &c->space->blocks[c->at.block];
    uint64_t left = c->combinations.allowed[depth];
    if (depth < b->inner_first)
        return points_within(b, depth) / b->inner_count * (uint64_t)__builtin_popcountll(left);
    left = left >> c->inner << c->inner;
    if (c->range.end - c->combinations.base < SPACE_MAX_INNER)
        left &= (UINT64_C(1) << (c->range.end - c->combinations.base)) - 1;
    return (uint64_t)__builtin_popcountll(left);
}

bool space_count(const space *s, uint64_t first, uint64_t end, space_gate gate, void *context, uint64_t *count,
                 error *e)
{
    space_cursor c;
    *count = 0;
    c.failed = NULL;
    c.problem = NULL;
    if (s->draws && !s->chosen && (s->filter_count == 0 || s->unfiltered)) {
        *count = space_draws_count(s, first, end < space_points(s) ? end : space_points(s), gate, context);
    } else if (s->rows || s->chosen || s->draws || space_has_alternatives(s)) {
        for (bool more = space_start(&c, s, first, end, gate, context); more; more = space_next(&c))
            ++*count;
    } else {
        unsigned depth;
        for (bool more = start(&c, s, first, end, gate, context, &depth); more; more = next_from(&c, depth, &depth)) {
            *count += count_within(&c, depth);
            while (c.combinations.doubtful[depth] && next_inner(&c)) /* then the predicate fails at one of them */
                ;
            if (c.failed)
                break;
        }
    }
    return !space_failed(&c, e);
}

bool space_failed(const space_cursor *c, error *e)
{
    if (c->problem)
        error_usage(e, "%s", c->problem);
    else if (c->failed)
        error_usage(e, "%s:%s: predicate '%s' %s, in the case of index %llu", space_op(c->space), space_test(c->space),
                    expr_text(c->failed), expr_why(c->failed, c->values), (unsigned long long)c->index);
    return c->problem || c->failed;
}
