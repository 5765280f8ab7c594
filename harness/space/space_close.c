/* SPDX-License-Identifier: Apache-2.0 */
/* Closing a space: blocks, the tuples of their groups, digits, and where each predicate is decided. */
#include "harness/base/array.h"
#include "harness/space/space_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t space_group_length(const space *s, const space_block *b, const space_group *g)
{
    if (g->per == SPACE_FIXED)
        return g->fixed;
    unsigned n = 0;
    for (int i = 0; i < g->per; ++i)
        n += s->is_length[i];
    return (uint32_t)b->lengths[n];
}

void space_block_free(space_block *b)
{
    free(b->parts);
    free(b->checks);
    free(b->inner_values);
    for (size_t g = 0; g < SPACE_MAX_GROUPS; ++g)
        if (!b->tuples[g].shared)
            free(b->tuples[g].values);
}

/* ---- tuples ---- */

/* The group whose tuple of one dimension alone decides the predicate in a block with known lengths, or -1. */
static int tuple_group(const space *s, const expr *x)
{
    int group = -1;
    if (!expr_elementwise(x))
        return -1;
    for (uint64_t uses = expr_uses(x); uses; uses &= uses - 1) {
        const size_t i = (size_t)__builtin_ctzll(uses);
        if (i >= s->axis_count)
            break;
        if (s->is_length[i])
            continue;
        if (s->group_of[i] < 0 || s->axes[i].position || (group >= 0 && group != s->group_of[i]))
            return -1;
        group = s->group_of[i];
    }
    return group;
}

/* The predicates of a group, each with the number of the last axis of the group that it reads. */
typedef struct tuple_tests {
    const expr *tests[SPACE_MAX_PREDICATES];
    unsigned axis[SPACE_MAX_PREDICATES];
    int count;
    bool by_length; /* some of them read a length axis, so that the tuples depend on the block */
} tuple_tests;

static void find_tests(const space *s, size_t g, tuple_tests *t)
{
    t->count = 0;
    t->by_length = false;
    for (int i = 0; i < s->predicate_count; ++i) {
        const expr *x = s->predicates[i];
        if (tuple_group(s, x) != (int)g)
            continue;
        unsigned last = 0;
        for (unsigned a = 0; a < s->groups[g].axis_count; ++a)
            if (expr_uses(x) >> s->groups[g].axes[a] & 1)
                last = a;
        for (size_t a = 0; a < s->axis_count; ++a)
            t->by_length = t->by_length || (s->is_length[a] && (expr_uses(x) >> a & 1));
        t->tests[t->count] = x;
        t->axis[t->count++] = last;
    }
}

static bool keep_tuple(space_tuples *t, size_t *capacity, const space_group *group, const expr_value *values)
{
    if (!array_reserve(&t->values, capacity, (size_t)t->count + 1, group->axis_count * sizeof *t->values))
        return false;
    for (unsigned a = 0; a < group->axis_count; ++a)
        t->values[(size_t)t->count * group->axis_count + a] = values[group->axes[a]].v[0];
    t->count++;
    return true;
}

/* List the tuples of a group that its predicates allow in this block: an odometer that skips combinations as soon as
 * their first axes are ruled out. */
static bool make_tuples(space *s, space_block *b, size_t g, const tuple_tests *tests, error *e)
{
    const space_group *group = &s->groups[g];
    space_tuples *tuples = &b->tuples[g];
    expr_value values[EXPR_MAX_SLOTS];
    size_t digit[SPACE_MAX_AXES] = { 0 }, capacity = 0;
    unsigned n = 0, a = 0;
    memset(values, 0, s->axis_count * sizeof *values);
    for (size_t i = 0; i < s->axis_count; ++i) {
        values[i].length = 1;
        if (s->is_length[i])
            values[i].v[0] = b->lengths[n++];
    }
    for (;;) {
        bool legal = true, failed = false;
        values[group->axes[a]].v[0] = s->axes[group->axes[a]].values[digit[a]];
        for (int i = 0; legal && i < tests->count; ++i) {
            if (tests->axis[i] != a)
                continue;
            legal = expr_eval_at(tests->tests[i], values, 0, &failed) != 0;
            if (failed)
                return error_usage(e, "%s:%s: predicate '%s' %s", s->op, s->test, expr_text(tests->tests[i]),
                                   expr_why(tests->tests[i], values));
        }
        if (legal && a + 1 < group->axis_count) {
            digit[++a] = 0;
            continue;
        }
        if (legal) {
            if (tuples->count == SPACE_MAX_TUPLES)
                return error_usage(e, "%s:%s: more than %u combinations for one dimension", s->op, s->test,
                                   SPACE_MAX_TUPLES);
            if (!keep_tuple(tuples, &capacity, group, values))
                return error_set(e, "out of memory");
        }
        while (++digit[a] == s->axes[group->axes[a]].count)
            if (a-- == 0)
                return true;
    }
}

/* ---- predicates ---- */

/* The level of a block at which each axis is known: 0 before any digit, l + 1 after digit l. */
typedef struct known_levels {
    int scalar[SPACE_MAX_AXES];
    int group[SPACE_MAX_GROUPS]; /* the level before the first element */
} known_levels;

/* Where a predicate is decided: as a whole at level `first` (count 1, elements false), or element by element at `count`
   levels from `first` on. count 0: its group's tuples satisfy it. */
typedef struct placing {
    const expr *predicate;
    unsigned first, count;
    bool elements;
} placing;

static placing find_place(const space *s, const space_block *b, const known_levels *known, const expr *x)
{
    int needs = 0, group = tuple_group(s, x), groups = 0;
    if (group >= 0 && space_group_length(s, b, &s->groups[group]) > 0)
        return (placing){ .predicate = x };
    group = -1;
    for (uint64_t uses = expr_uses(x); uses; uses &= uses - 1) {
        const size_t a = (size_t)__builtin_ctzll(uses);
        if (a >= s->axis_count)
            break;
        int at = known->scalar[a];
        if (s->group_of[a] >= 0) {
            at = known->group[s->group_of[a]] + (int)space_group_length(s, b, &s->groups[s->group_of[a]]);
            groups += group != s->group_of[a];
            group = s->group_of[a];
        }
        if (at > needs)
            needs = at;
    }
    const uint32_t length = groups == 1 && expr_elementwise(x) ? space_group_length(s, b, &s->groups[group]) : 0;
    if (length == 0)
        return (placing){ .predicate = x, .first = (unsigned)needs, .count = 1 };
    /* One check per element; scalars come before every group. */
    return (placing){ .predicate = x, .first = (unsigned)known->group[group] + 1, .count = length, .elements = true };
}

/* The level from which each value is known. */
static void note_known(const space *s, space_block *b)
{
    for (unsigned d = 0; d < b->inner_first; ++d) {
        const space_digit *digit = &b->digits[d];
        if (digit->axis >= 0) {
            b->known[digit->axis][0] = (uint8_t)(d + 1);
            continue;
        }
        const space_group *g = &s->groups[digit->group];
        for (unsigned a = 0; a < g->axis_count; ++a)
            b->known[g->axes[a]][digit->element] = (uint8_t)(d + 1);
    }
}

/* Place the predicates at the first level that decides them. */
static bool place_checks(const space *s, space_block *b, error *e)
{
    known_levels known;
    memset(&known, 0, sizeof known);
    for (unsigned d = b->digit_count; d-- > 0;) {
        if (b->digits[d].axis >= 0)
            known.scalar[b->digits[d].axis] = (int)d + 1;
        else if (b->digits[d].element == 0)
            known.group[b->digits[d].group] = (int)d;
    }
    placing places[SPACE_MAX_PREDICATES];
    unsigned count = 0, n = 0, next[SPACE_MAX_DIGITS + 1] = { 0 }; /* of each level: first its checks, then where the
                                                                      next one goes */
    for (int i = 0; i < s->predicate_count; ++i) {
        places[i] = find_place(s, b, &known, s->predicates[i]);
        count += places[i].count;
        for (unsigned k = 0; k < places[i].count; ++k)
            next[places[i].first + k]++;
    }
    if (count > SPACE_MAX_CHECKS)
        return error_usage(e, "%s:%s: more than %d predicates, counting those of vectors for each element", s->op,
                           s->test, SPACE_MAX_CHECKS);
    if (!(b->checks = calloc(count ? count : 1, sizeof *b->checks)))
        return error_set(e, "out of memory");
    for (unsigned level = 0; level <= b->digit_count; ++level) {
        b->check_first[level] = n;
        n += next[level];
        next[level] = b->check_first[level];
    }
    for (int i = 0; i < s->predicate_count; ++i)
        for (unsigned k = 0; k < places[i].count; ++k) {
            const unsigned level = places[i].first + k;
            b->checks[next[level]++] = (space_check){ places[i].predicate, places[i].elements ? (int)k : -1, level };
        }
    b->check_first[b->digit_count + 1] = n;
    b->check_count = n;
    return true;
}

/* ---- blocks ---- */

/* Do the predicates that the lengths alone decide leave the block any points? */
static bool lengths_hold(const space *s, const space_block *b, bool *failed)
{
    expr_value values[EXPR_MAX_SLOTS];
    unsigned n = 0;
    for (size_t i = 0; i < s->axis_count; ++i) {
        values[i].length = 1;
        if (s->is_length[i])
            values[i].v[0] = b->lengths[n++];
    }
    for (unsigned i = b->check_first[0]; i < b->check_first[1]; ++i) {
        bool vectors = false; /* vectors without elements are known as well; the walk decides their predicates */
        for (size_t a = 0; a < s->axis_count; ++a)
            vectors = vectors || (s->group_of[a] >= 0 && (expr_uses(b->checks[i].predicate) >> a & 1));
        if (!vectors && !expr_eval(b->checks[i].predicate, values, failed))
            return *failed;
    }
    return true;
}

/* Add digits for the inner scalar axes, or for the other scalar axes. */
static void add_scalars(const space *s, space_block *b, bool inner)
{
    for (size_t i = 0; i < s->axis_count; ++i)
        if (s->group_of[i] < 0 && !s->is_length[i] && (s->inner_slots >> i & 1) == inner)
            b->digits[b->digit_count++] =
                (space_digit){ .axis = (int)i, .group = -1, .radix = (uint32_t)s->axes[i].count };
}

/* Does the group leave no choice in this block? */
static bool is_constant(const space_block *b, size_t group)
{
    return b->tuples[group].count == 1;
}

/* Add digits for the elements of the vectors. In a space with inner axes, those of vectors that have one value only
   come before the others (`constant`): they have no weight, and a walk does not come by them at every point. The digits
   of other spaces stay in the order of their groups, since the rows of a covering space depend on it. */
static bool add_vectors(const space *s, space_block *b, bool constant, error *e)
{
    for (size_t g = 0; g < s->group_count; ++g) {
        const uint32_t length = space_group_length(s, b, &s->groups[g]);
        if (s->allow_inner && is_constant(b, g) != constant)
            continue;
        for (uint32_t k = 0; k < length; ++k) {
            if (b->digit_count + (unsigned)__builtin_popcountll(s->inner_slots) == SPACE_MAX_DIGITS)
                return error_usage(e, "%s:%s: more than %d axes and elements together", s->op, s->test,
                                   SPACE_MAX_DIGITS);
            b->digits[b->digit_count++] =
                (space_digit){ .axis = -1, .group = (int)g, .element = k, .radix = b->tuples[g].count };
        }
    }
    return true;
}

/* Fill in a block whose lengths are set. *empty: predicates leave it no points. */
static bool fill_block(space *s, space_block *b, const tuple_tests *tests, bool *empty, error *e)
{
    *empty = false;
    for (size_t g = 0; g < s->group_count; ++g) {
        if (space_group_length(s, b, &s->groups[g]) == 0)
            continue;
        for (size_t k = 0; k < s->block_count && !tests[g].by_length && !b->tuples[g].values; ++k)
            if (s->blocks[k].tuples[g].values) {
                b->tuples[g] = s->blocks[k].tuples[g];
                b->tuples[g].shared = true;
            }
        if (!b->tuples[g].values && !make_tuples(s, b, g, &tests[g], e))
            return false;
        *empty = *empty || b->tuples[g].count == 0;
    }
    if (*empty)
        return true;
    add_scalars(s, b, false);
    b->scalar_count = b->digit_count;
    if ((s->allow_inner && !add_vectors(s, b, true, e)) || !add_vectors(s, b, false, e))
        return false;
    b->inner_first = b->digit_count;
    add_scalars(s, b, true);
    uint64_t weight = 1;
    for (unsigned d = b->digit_count; d-- > 0;) {
        b->digits[d].weight = weight;
        if (__builtin_mul_overflow(weight, b->digits[d].radix, &weight) || weight > MAX_POINTS)
            weight = MAX_POINTS;
    }
    b->points = weight;
    note_known(s, b);
    if (!place_checks(s, b, e) || !space_inner_list(s, b, e))
        return false;
    bool failed = false; /* then the walk fails there and names the predicate */
    *empty = !lengths_hold(s, b, &failed);
    return true;
}

/* The most digits that a block may have. Its lengths are set. */
static size_t most_digits(const space *s, const space_block *b)
{
    size_t most = s->axis_count;
    for (size_t g = 0; g < s->group_count; ++g)
        most += space_group_length(s, b, &s->groups[g]);
    return most;
}

/* Make room for what depends on the number of axes and digits. The lengths are in `lengths`. */
static bool make_parts(const space *s, space_block *b, int64_t *lengths)
{
    b->lengths = lengths;
    const size_t digits = most_digits(s, b), length_bytes = b->length_count * sizeof *b->lengths,
                 digit_bytes = digits * sizeof *b->digits, check_bytes = (digits + 2) * sizeof *b->check_first;
    unsigned char *at = calloc(1, digit_bytes + length_bytes + check_bytes + s->axis_count * sizeof *b->known);
    if (!(b->parts = at))
        return false;
    b->digits = (space_digit *)(void *)at;
    b->lengths = (int64_t *)(void *)(at + digit_bytes);
    b->check_first = (unsigned *)(void *)(at + digit_bytes + length_bytes);
    b->known = (uint8_t(*)[EXPR_MAX_LENGTH])(at + digit_bytes + length_bytes + check_bytes);
    if (length_bytes > 0)
        memcpy(b->lengths, lengths, length_bytes);
    return true;
}

/* Add the block of these lengths, unless it has no points. */
static bool make_block(space *s, int64_t *lengths, unsigned length_count, const tuple_tests *tests, error *e)
{
    bool empty = false;
    if (!array_reserve(&s->blocks, &s->block_capacity, s->block_count + 1, sizeof *s->blocks))
        return error_set(e, "out of memory");
    space_block *b = &s->blocks[s->block_count];
    memset(b, 0, sizeof *b);
    b->length_count = length_count;
    bool fine = make_parts(s, b, lengths) ? fill_block(s, b, tests, &empty, e) : error_set(e, "out of memory");
    if (!fine || empty) {
        space_block_free(b);
        return fine;
    }
    b->first = s->points;
    s->points = s->points > MAX_POINTS - b->points ? MAX_POINTS : s->points + b->points;
    s->block_count++;
    return true;
}

bool space_close(space *s, error *e)
{
    tuple_tests tests[SPACE_MAX_GROUPS];
    unsigned length_axes[SPACE_MAX_AXES], length_count = 0;
    size_t digit[SPACE_MAX_AXES] = { 0 };
    for (size_t g = 0; g < s->group_count; ++g) {
        if (s->groups[g].axis_count == 0)
            return error_usage(e, "%s:%s: positions need another vector axis of the same length", s->op, s->test);
        find_tests(s, g, &tests[g]);
    }
    for (unsigned i = 0; i < s->axis_count; ++i)
        if (s->is_length[i])
            length_axes[length_count++] = i;
    space_inner_choose(s);
    for (;;) {
        int64_t lengths[SPACE_MAX_AXES];
        for (unsigned i = 0; i < length_count; ++i)
            lengths[i] = s->axes[length_axes[i]].values[digit[i]];
        if (!make_block(s, lengths, length_count, tests, e))
            return false;
        unsigned i = length_count;
        while (i-- > 0) {
            if (++digit[i] < s->axes[length_axes[i]].count)
                break;
            digit[i] = 0;
        }
        if (i == (unsigned)-1)
            break;
    }
    if (s->block_count > 0 && s->block_count < s->block_capacity) { /* most spaces have few blocks, which are large */
        space_block *fitted = realloc(s->blocks, s->block_count * sizeof *s->blocks);
        s->blocks = fitted ? fitted : s->blocks;
        s->block_capacity = fitted ? s->block_count : s->block_capacity;
    }
    if (s->block_count == 0)
        return error_usage(e, "%s:%s: the predicates leave no combination of values of the vector axes", s->op,
                           s->test);
    return true;
}
