/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/random_plan.h"

#include "harness/model/fill.h"

enum { MAX_DIMS = 16, TILE_ELEMENTS = 5000, GRID_COUNT = 1 << 22, GROUP = 256 };

/* Choose `count` of n dimensions, in their order. */
static void choose(random_source *r, unsigned n, unsigned count, unsigned *chosen)
{
    unsigned order[MAX_DIMS];
    random_permutation(r, n, order);
    for (unsigned i = 0; i < count; ++i) {
        unsigned k = i;
        for (; k > 0 && chosen[k - 1] > order[i]; --k)
            chosen[k] = chosen[k - 1];
        chosen[k] = order[i];
    }
}

/* How many dimensions have more than one element: `least` to 4. */
static unsigned draw_long(random_source *r, unsigned n, unsigned least)
{
    const uint64_t kind = random_below(r, 100);
    const unsigned many = kind < 40 ? least : kind < 80 ? least + 1 : 4;
    return many < n ? many : n;
}

/* The side of a matrix: whole tiles, or one to three elements more or less, or any number. */
static int64_t draw_side(random_source *r)
{
    const uint64_t kind = random_below(r, 100);
    if (kind < 18)
        return 2 + (int64_t)random_below(r, 6);
    if (kind < 45)
        return 9 + (int64_t)random_below(r, 72);
    const int64_t tile = INT64_C(4) << random_below(r, 5), side = tile * (1 + (int64_t)random_below(r, 7));
    return kind < 75 || side < 8 ? side : side + (int64_t)random_below(r, 7) - 3;
}

void random_tiles(random_source *r, unsigned n, int64_t *sizes)
{
    unsigned chosen[MAX_DIMS];
    const unsigned count = draw_long(r, n, 2);
    uint64_t room = TILE_ELEMENTS;
    choose(r, n, count, chosen);
    for (unsigned i = 0; i < n; ++i)
        sizes[i] = 1;
    for (unsigned i = count; i-- > 0;) {
        const bool inside = i + 2 >= count;
        int64_t size = inside || random_chance(r, 20) ? draw_side(r) : 2 + (int64_t)random_below(r, 3);
        if (inside && random_chance(r, 6)) /* longer than a group of 256 */
            size = 64 * (4 + (int64_t)random_below(r, 8));
        const uint64_t most = room >> i; /* two for each of the others */
        size = (uint64_t)size > most ? (int64_t)(most > 0 ? most : 1) : size;
        sizes[chosen[i]] = size;
        room /= (uint64_t)size;
    }
}

/* The first size from `least` on with which all elements leave their last group of GROUP with `left` elements. */
static int64_t leaving(uint64_t left, int64_t least, uint64_t others)
{
    for (int64_t size = least; (uint64_t)(size - least) * others < 65536; ++size)
        if ((uint64_t)size * others % GROUP == left)
            return size;
    return least;
}

void random_grid(random_source *r, unsigned n, uint64_t count, int64_t *sizes)
{
    unsigned chosen[MAX_DIMS];
    const unsigned dims = draw_long(r, n, 2), role = (unsigned)random_below(r, 100);
    const bool plane = dims > 2 && role < 35;
    const bool large = count > GRID_COUNT; /* then it is the number of all elements */
    const unsigned at = plane       ? (unsigned)random_below(r, dims - 1)
                        : role < 65 ? 0
                        : role < 85 ? dims - 1
                                    : (unsigned)random_below(r, dims);
    /* Where the number of groups is computed wrongly, it shows at full ones, at one element more and at one less. With
       an even number of others, none is left alone. */
    const bool odd = large && random_chance(r, 50), full = large && !odd && random_chance(r, 50);
    const uint64_t left_over = full ? 0 : random_chance(r, 70) ? 1 : GROUP - 1;
    uint64_t room = dims > 3 || random_chance(r, 20) ? 8 : 4, others = 1;
    choose(r, n, dims, chosen);
    for (unsigned i = 0; i < n; ++i)
        sizes[i] = 1;
    for (unsigned i = 0, left = dims - (plane ? 2 : 1); i < dims; ++i) {
        if (i == at || (plane && i == at + 1))
            continue;
        const uint64_t most = room >> --left; /* two for each of those behind */
        sizes[chosen[i]] =
            odd ? 3 + 2 * (int64_t)random_below(r, 3) : 2 + (int64_t)random_below(r, most < 7 ? most - 1 : 6);
        room /= (uint64_t)sizes[chosen[i]];
        others *= (uint64_t)sizes[chosen[i]];
    }
    if (large)
        count = count / others + 1;
    int64_t *last = &sizes[chosen[at]];
    if (plane) {
        *last = random_about(r, 17, 4096) | (odd ? 1 : 0);
        count = count / (uint64_t)*last + 1;
        others *= (uint64_t)*last;
        last = &sizes[chosen[at + 1]];
    }
    *last = odd || full ? leaving(left_over, (int64_t)count, others) : (int64_t)count;
}

void random_cube(random_source *r, unsigned n, int64_t *sizes)
{
    unsigned chosen[MAX_DIMS];
    const unsigned count = n < 3 ? n : n > 3 && random_chance(r, 30) ? 4 : 3;
    choose(r, n, count, chosen);
    for (unsigned i = 0; i < n; ++i)
        sizes[i] = 1;
    for (unsigned i = 0; i < count; ++i)
        sizes[chosen[i]] = i + 3 < count ? 2 + (int64_t)random_below(r, 2)
                                         : (random_chance(r, 50) ? 17 : 33) + (int64_t)random_below(r, 8);
}

/* Plans are odd, but for those of random_third_plan. */
uint64_t random_plan(random_source *r)
{
    return random_bits(r) | 1;
}

uint64_t random_third_plan(random_source *r)
{
    return (random_bits(r) | 2) & ~UINT64_C(1);
}

typedef enum plan_kind {
    ROWS,
    EXCHANGED,
    REVERSED,
    OUTER_EXCHANGED,
    REPEATED,
    SPACED,
    THIRD_REVERSED, /* the last three dimensions in reverse order */
    THIRD_TURNED    /* the third-last one is the innermost, and the last two keep their order */
} plan_kind;

static plan_kind kind_of(uint64_t plan)
{
    const uint64_t kind = fill_mix(plan) % 100;
    if (!(plan & 1))
        return kind < 50 ? THIRD_REVERSED : THIRD_TURNED;
    return kind < 24   ? ROWS
           : kind < 52 ? EXCHANGED
           : kind < 65 ? REVERSED
           : kind < 78 ? OUTER_EXCHANGED
           : kind < 90 ? REPEATED
                       : SPACED;
}

static void exchange(unsigned *list, unsigned a, unsigned b)
{
    const unsigned kept = list[a];
    list[a] = list[b];
    list[b] = kept;
}

/* The dimensions of more than one element as they lie in memory, outermost first. */
static unsigned order_in_memory(plan_kind kind, unsigned n, const int64_t *sizes, unsigned *order)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n; ++i)
        if (sizes[i] > 1)
            order[count++] = i;
    if (count < 2)
        return count;
    if (kind == EXCHANGED)
        exchange(order, count - 2, count - 1);
    if (kind == OUTER_EXCHANGED)
        exchange(order, 0, 1);
    for (unsigned i = 0; kind == REVERSED && i < count / 2; ++i)
        exchange(order, i, count - 1 - i);
    if (count > 2 && (kind == THIRD_REVERSED || kind == THIRD_TURNED))
        exchange(order, count - 3, count - 1);
    if (count > 2 && kind == THIRD_TURNED)
        exchange(order, count - 3, count - 2);
    return count;
}

/* What level `level` of nesting, 1 for rows, takes in memory instead of `extent` elements. */
static int64_t with_gap(random_source *r, plan_kind kind, unsigned level, int64_t extent, unsigned bytes)
{
    const bool dense = kind != ROWS && kind != OUTER_EXCHANGED && kind != REPEATED && kind != SPACED && level == 1;
    if (!random_chance(r, dense ? 35 : level == 1 ? 75 : 50))
        return extent;
    const uint64_t how = random_below(r, 100);
    if (how < 45)
        return extent + 1 + (int64_t)random_below(r, 8);
    if (how < 55)
        return 2 * extent;
    const int64_t pitch = INT64_C(16) << random_below(r, 6), unit = pitch / (int64_t)bytes;
    return unit > 1 ? (extent / unit + 1) * unit : extent + 1;
}

/* With `tight`, there are no gaps. False if there are, and the tensor spans too much. */
static bool lay_out(uint64_t plan, unsigned variant, bool tight, unsigned n, const int64_t *sizes,
                    const random_layout *l, int64_t *strides)
{
    unsigned order[MAX_DIMS];
    random_source r;
    random_begin(&r, plan);
    const plan_kind kind = kind_of(plan);
    const unsigned count = order_in_memory(kind, n, sizes, order);
    const uint64_t which = random_below(&r, 100), step = 2 + random_below(&r, 2) * random_below(&r, 3);
    const unsigned repeated = kind == REPEATED && l->shares && count > 0 ? order[which < 60 ? 0 : which % count] : n;
    int64_t next = kind == SPACED && !tight ? (int64_t)step : 1;
    unsigned level = 1;
    for (unsigned i = 0; i < n; ++i)
        strides[i] = 0;
    for (unsigned i = count; i-- > 0;) {
        if (order[i] == repeated)
            continue;
        strides[order[i]] = next;
        if (!tight && (uint64_t)sizes[order[i]] > l->most_span / (uint64_t)next)
            return false;
        next = next > INT64_MAX / sizes[order[i]] ? INT64_MAX : next * sizes[order[i]];
        random_begin(&r, plan + level + (level > 1 ? 16 * (uint64_t)variant : 0));
        next = tight ? next : with_gap(&r, kind, level, next, l->bytes ? l->bytes : 1);
        ++level;
    }
    for (unsigned i = 0; i < n; ++i)
        if (sizes[i] <= 1)
            strides[i] = l->most_stride > 0 && next > l->most_stride ? l->most_stride : next;
    return (uint64_t)next <= l->most_span || tight;
}

void random_planned(uint64_t plan, unsigned variant, unsigned n, const int64_t *sizes, const random_layout *l,
                    int64_t *strides)
{
    if (!lay_out(plan, variant, false, n, sizes, l, strides))
        lay_out(plan, variant, true, n, sizes, l, strides);
}
