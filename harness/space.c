/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PREDICATES 64
#define MAX_FILTERS 32
#define MAX_GROUPS 8
#define MAX_POINTS (UINT64_C(1) << 62)
#define ROW (1 + SPACE_MAX_DIGITS)

/* One alternative of a query: a conjunction. */
typedef struct filter {
    expr *conjuncts[MAX_PREDICATES];
    int count;
} filter;

struct space {
    char *op, *test;
    size_t axis_count;
    space_axis axes[SPACE_MAX_AXES];
    bool is_length[SPACE_MAX_AXES];
    int group_of[SPACE_MAX_AXES]; /* -1 for a scalar */
    expr_name names[SPACE_MAX_AXES];
    expr_scope scope;
    size_t group_count;
    space_group groups[MAX_GROUPS];
    int predicate_count;
    expr *predicates[MAX_PREDICATES];
    int filter_count;
    filter *filters[MAX_FILTERS];
    size_t block_count;
    space_block *blocks;
    uint64_t points;
    uint32_t *rows; /* a covering space: ROW numbers each */
    size_t row_count;
};

space *space_new(const char *op, const char *test)
{
    space *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->op = strdup(op);
    s->test = strdup(test);
    return s;
}

void space_free(space *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->axis_count; ++i) {
        free((void *)(uintptr_t)s->axes[i].name);
        free((void *)(uintptr_t)s->axes[i].values);
        for (size_t k = 0; k < s->axes[i].symbol_count; ++k)
            free((void *)(uintptr_t)s->axes[i].symbols[k]);
        free((void *)(uintptr_t)s->axes[i].symbols);
        free((void *)(uintptr_t)s->axes[i].symbol_values);
    }
    for (int i = 0; i < s->predicate_count; ++i)
        expr_free(s->predicates[i]);
    for (int i = 0; i < s->filter_count; ++i) {
        for (int k = 0; k < s->filters[i]->count; ++k)
            expr_free(s->filters[i]->conjuncts[k]);
        free(s->filters[i]);
    }
    for (size_t i = 0; i < s->group_count; ++i)
        free(s->groups[i].tuples);
    for (size_t i = 0; i < s->block_count; ++i)
        free(s->blocks[i].checks);
    free(s->blocks);
    free(s->rows);
    free(s->op);
    free(s->test);
    free(s);
}

static void *copy(const void *from, size_t bytes)
{
    void *to = malloc(bytes ? bytes : 1);
    if (to && bytes)
        memcpy(to, from, bytes);
    return to;
}

bool space_add_axis(space *s, const space_axis *axis, error *e)
{
    if (s->axis_count == SPACE_MAX_AXES)
        return error_usage(e, "%s:%s: more than %d axes", s->op, s->test, SPACE_MAX_AXES);
    if (space_axis_named(s, axis->name) >= 0)
        return error_usage(e, "%s:%s: axis '%s' is declared twice", s->op, s->test, axis->name);
    if (axis->count == 0)
        return error_usage(e, "%s:%s: axis '%s' has no values", s->op, s->test, axis->name);
    if (axis->per == SPACE_FIXED && (axis->fixed == 0 || axis->fixed > EXPR_MAX_LENGTH))
        return error_usage(e, "%s:%s: axis '%s' has %u elements; 1 to %d are possible", s->op, s->test, axis->name,
                           axis->fixed, EXPR_MAX_LENGTH);
    size_t slot = s->axis_count;
    space_axis *a = &s->axes[slot];
    *a = *axis;
    a->name = strdup(axis->name);
    a->values = copy(axis->values, axis->count * sizeof *axis->values);
    a->symbols = NULL;
    a->symbol_values = NULL;
    a->symbol_count = 0;
    if (axis->symbols) {
        const char **symbols = calloc(axis->symbol_count, sizeof *symbols);
        for (size_t i = 0; symbols && i < axis->symbol_count; ++i)
            symbols[i] = strdup(axis->symbols[i]);
        a->symbols = symbols;
        a->symbol_values = copy(axis->symbol_values, axis->symbol_count * sizeof *axis->symbol_values);
        a->symbol_count = axis->symbol_count;
    }
    s->axis_count++;
    s->group_of[slot] = -1;
    if (axis->per != SPACE_SCALAR) {
        if (axis->per >= 0) {
            if ((size_t)axis->per >= slot || s->axes[axis->per].per != SPACE_SCALAR)
                return error_usage(e, "%s:%s: axis '%s': its length must be a scalar axis declared before it", s->op,
                                   s->test, axis->name);
            for (size_t i = 0; i < s->axes[axis->per].count; ++i)
                if (s->axes[axis->per].values[i] < 0 || s->axes[axis->per].values[i] > EXPR_MAX_LENGTH)
                    return error_usage(e, "%s:%s: axis '%s' is a length, and %lld is outside 0 to %d", s->op, s->test,
                                       s->axes[axis->per].name, (long long)s->axes[axis->per].values[i],
                                       EXPR_MAX_LENGTH);
            s->is_length[axis->per] = true;
        }
        size_t g = 0;
        while (g < s->group_count && !(s->groups[g].per == axis->per &&
                                       (axis->per >= 0 || s->groups[g].fixed == axis->fixed)))
            ++g;
        if (g == MAX_GROUPS)
            return error_usage(e, "%s:%s: vectors of more than %d different lengths", s->op, s->test, MAX_GROUPS);
        if (g == s->group_count) {
            s->groups[g].per = axis->per;
            s->groups[g].fixed = axis->fixed;
            s->group_count++;
        }
        s->group_of[slot] = (int)g;
        s->groups[g].axes[s->groups[g].axis_count++] = (unsigned)slot;
    }
    s->names[slot] = (expr_name){ .name = a->name,
                                  .vector = axis->per != SPACE_SCALAR,
                                  .per = s->group_of[slot],
                                  .symbols = a->symbols,
                                  .symbol_values = a->symbol_values,
                                  .symbol_count = a->symbol_count };
    s->scope = (expr_scope){ s->names, s->axis_count, false };
    return true;
}

bool space_where(space *s, const char *predicate, const char *where, error *e)
{
    int n = expr_compile_conjuncts(predicate, &s->scope, where, s->predicates + s->predicate_count,
                                   MAX_PREDICATES - s->predicate_count, e);
    if (n < 0)
        return false;
    for (int i = 0; i < n; ++i)
        if (expr_type_of(s->predicates[s->predicate_count + i]) != EXPR_BOOL) {
            error_usage(e, "%s: '%s' is no truth value", where, predicate);
            for (int k = 0; k < n; ++k)
                expr_free(s->predicates[s->predicate_count + k]);
            return false;
        }
    s->predicate_count += n;
    return true;
}

bool space_filter(space *s, const char *predicate, const char *where, error *e)
{
    if (s->filter_count == MAX_FILTERS)
        return error_usage(e, "more than %d queries for %s:%s", MAX_FILTERS, s->op, s->test);
    filter *f = calloc(1, sizeof *f);
    if (!f)
        return error_set(e, "out of memory");
    if (predicate) {
        expr_scope scope = s->scope;
        scope.relaxed = true;
        f->count = expr_compile_conjuncts(predicate, &scope, where, f->conjuncts, MAX_PREDICATES, e);
        bool truth = f->count >= 0;
        for (int i = 0; truth && i < f->count; ++i)
            if (expr_type_of(f->conjuncts[i]) != EXPR_BOOL)
                truth = error_usage(e, "%s: '%s' is no truth value", where, predicate);
        if (!truth) {
            for (int i = 0; i < f->count; ++i)
                expr_free(f->conjuncts[i]);
            free(f);
            return false;
        }
    }
    s->filters[s->filter_count++] = f;
    return true;
}

const char *space_op(const space *s)
{
    return s->op;
}

const char *space_test(const space *s)
{
    return s->test;
}

size_t space_axis_count(const space *s)
{
    return s->axis_count;
}

const space_axis *space_axis_at(const space *s, size_t slot)
{
    return &s->axes[slot];
}

int space_axis_named(const space *s, const char *name)
{
    for (size_t i = 0; i < s->axis_count; ++i)
        if (strcmp(s->axes[i].name, name) == 0)
            return (int)i;
    return -1;
}

const expr_scope *space_scope(const space *s)
{
    return &s->scope;
}

uint64_t space_points(const space *s)
{
    return s->rows ? s->row_count : s->points;
}

size_t space_block_count(const space *s)
{
    return s->block_count;
}

const space_block *space_block_at(const space *s, size_t block)
{
    return &s->blocks[block];
}

const space_group *space_group_at(const space *s, size_t group)
{
    return &s->groups[group];
}

/* ---- closing a space ---- */

/* Can the predicate be applied to the tuples of one group once and for all? Then the group, else -1. */
static int tuple_group(const space *s, const expr *x)
{
    int group = -1;
    uint64_t uses = expr_uses(x);
    if (!expr_elementwise(x))
        return -1;
    for (size_t i = 0; i < s->axis_count; ++i) {
        if (!(uses >> i & 1))
            continue;
        if (s->group_of[i] < 0 || (group >= 0 && group != s->group_of[i]))
            return -1;
        group = s->group_of[i];
    }
    return group;
}

/* List the tuples of a group that its predicates allow. */
static bool make_tuples(space *s, size_t g, error *e)
{
    space_group *group = &s->groups[g];
    const expr *tests[MAX_PREDICATES];
    int test_count = 0;
    for (int i = 0; i < s->predicate_count; ++i)
        if (tuple_group(s, s->predicates[i]) == (int)g)
            tests[test_count++] = s->predicates[i];
    size_t capacity = 64;
    group->tuples = malloc(capacity * group->axis_count * sizeof *group->tuples);
    expr_value values[EXPR_MAX_SLOTS];
    memset(values, 0, sizeof values);
    size_t digit[SPACE_MAX_AXES] = { 0 };
    for (unsigned a = 0; a < group->axis_count; ++a)
        values[group->axes[a]].length = 1;
    for (;;) {
        bool legal = true, failed = false;
        for (unsigned a = 0; a < group->axis_count; ++a)
            values[group->axes[a]].v[0] = s->axes[group->axes[a]].values[digit[a]];
        for (int i = 0; legal && i < test_count; ++i) {
            legal = expr_eval_at(tests[i], values, 0, &failed) != 0;
            if (failed)
                return error_usage(e, "%s:%s: predicate '%s' divides by zero or leaves a vector", s->op, s->test,
                                   expr_text(tests[i]));
        }
        if (legal) {
            if (group->tuple_count == SPACE_MAX_TUPLES)
                return error_usage(e, "%s:%s: more than %u combinations for one dimension", s->op, s->test,
                                   SPACE_MAX_TUPLES);
            if (group->tuple_count == capacity) {
                capacity *= 2;
                group->tuples = realloc(group->tuples, capacity * group->axis_count * sizeof *group->tuples);
            }
            if (!group->tuples)
                return error_set(e, "out of memory");
            for (unsigned a = 0; a < group->axis_count; ++a)
                group->tuples[group->tuple_count * group->axis_count + a] = values[group->axes[a]].v[0];
            group->tuple_count++;
        }
        unsigned a = group->axis_count;
        while (a-- > 0) {
            if (++digit[a] < s->axes[group->axes[a]].count)
                break;
            digit[a] = 0;
        }
        if (a == (unsigned)-1)
            break;
    }
    if (group->tuple_count == 0)
        return error_usage(e, "%s:%s: the predicates leave no combination of values for '%s' and the axes beside it",
                           s->op, s->test, s->axes[group->axes[0]].name);
    return true;
}

static uint32_t group_length(const space *s, const space_block *b, const space_group *g)
{
    if (g->per == SPACE_FIXED)
        return g->fixed;
    unsigned n = 0;
    for (int i = 0; i < g->per; ++i)
        n += s->is_length[i];
    return (uint32_t)b->lengths[n];
}

/* Place the predicates at the first level that decides them. */
static bool place_checks(const space *s, space_block *b, error *e)
{
    int level_of_axis[SPACE_MAX_AXES];  /* level after which a scalar is known; 0 for lengths */
    int level_of_group[MAX_GROUPS];     /* level before its first element */
    memset(level_of_axis, 0, sizeof level_of_axis);
    memset(level_of_group, 0, sizeof level_of_group);
    for (unsigned d = b->digit_count; d-- > 0;) {
        if (b->digits[d].axis >= 0)
            level_of_axis[b->digits[d].axis] = (int)d + 1;
        else if (b->digits[d].element == 0)
            level_of_group[b->digits[d].group] = (int)d;
    }
    unsigned capacity = 0;
    for (int pass = 0; pass < 2; ++pass) {
        unsigned n = 0;
        unsigned level = 0;
        for (level = 0; level <= b->digit_count; ++level) {
            if (pass)
                b->check_first[level] = n;
            for (int i = 0; i < s->predicate_count; ++i) {
                const expr *x = s->predicates[i];
                if (tuple_group(s, x) >= 0)
                    continue;
                uint64_t uses = expr_uses(x);
                int needs = 0, group = -1, groups = 0;
                for (size_t a = 0; a < s->axis_count; ++a) {
                    if (!(uses >> a & 1))
                        continue;
                    int known = level_of_axis[a];
                    if (s->group_of[a] >= 0) {
                        const space_group *g = &s->groups[s->group_of[a]];
                        known = level_of_group[s->group_of[a]] + (int)group_length(s, b, g);
                        if (group != s->group_of[a])
                            ++groups;
                        group = s->group_of[a];
                    }
                    if (known > needs)
                        needs = known;
                }
                int element = -1;
                bool here;
                if (groups == 1 && expr_elementwise(x) &&
                    group_length(s, b, &s->groups[group]) > 0) { /* one check per element */
                    element = (int)level - 1 - level_of_group[group];
                    here = element >= 0 && element < (int)group_length(s, b, &s->groups[group]);
                } else {
                    here = (int)level == needs;
                }
                if (!here)
                    continue;
                if (pass)
                    b->checks[n] = (space_check){ x, element };
                ++n;
            }
        }
        if (pass)
            b->check_first[level] = n;
        else
            capacity = n;
        if (!pass) {
            b->checks = calloc(capacity ? capacity : 1, sizeof *b->checks);
            if (!b->checks)
                return error_set(e, "out of memory");
        }
    }
    b->check_count = capacity;
    return true;
}

static bool make_block(space *s, const int64_t *lengths, unsigned length_count, error *e)
{
    space_block *blocks = realloc(s->blocks, (s->block_count + 1) * sizeof *blocks);
    if (!blocks)
        return error_set(e, "out of memory");
    s->blocks = blocks;
    space_block *b = &blocks[s->block_count];
    memset(b, 0, sizeof *b);
    b->length_count = length_count;
    memcpy(b->lengths, lengths, length_count * sizeof *lengths);
    for (size_t i = 0; i < s->axis_count; ++i)
        if (s->group_of[i] < 0 && !s->is_length[i]) {
            b->digits[b->digit_count++] =
                (space_digit){ .axis = (int)i, .group = -1, .radix = (uint32_t)s->axes[i].count };
        }
    b->scalar_count = b->digit_count;
    for (size_t g = 0; g < s->group_count; ++g) {
        uint32_t length = group_length(s, b, &s->groups[g]);
        for (uint32_t k = 0; k < length; ++k) {
            if (b->digit_count == SPACE_MAX_DIGITS)
                return error_usage(e, "%s:%s: more than %d axes and elements together", s->op, s->test,
                                   SPACE_MAX_DIGITS);
            b->digits[b->digit_count++] =
                (space_digit){ .axis = -1, .group = (int)g, .element = k, .radix = s->groups[g].tuple_count };
        }
    }
    uint64_t weight = 1;
    for (unsigned d = b->digit_count; d-- > 0;) {
        b->digits[d].weight = weight;
        weight = weight > MAX_POINTS / b->digits[d].radix ? MAX_POINTS : weight * b->digits[d].radix;
    }
    b->points = weight;
    if (!place_checks(s, b, e)) {
        free(b->checks);
        return false;
    }
    b->first = s->points;
    s->points = s->points > MAX_POINTS - weight ? MAX_POINTS : s->points + weight;
    s->block_count++;
    return true;
}

bool space_close(space *s, error *e)
{
    for (size_t g = 0; g < s->group_count; ++g)
        if (!make_tuples(s, g, e))
            return false;
    unsigned length_axes[SPACE_MAX_AXES], length_count = 0;
    for (unsigned i = 0; i < s->axis_count; ++i)
        if (s->is_length[i])
            length_axes[length_count++] = i;
    size_t digit[SPACE_MAX_AXES] = { 0 };
    for (;;) {
        int64_t lengths[SPACE_MAX_AXES];
        for (unsigned i = 0; i < length_count; ++i)
            lengths[i] = s->axes[length_axes[i]].values[digit[i]];
        if (!make_block(s, lengths, length_count, e))
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
    return true;
}

void space_take_rows(space *s, uint32_t *rows, size_t count)
{
    free(s->rows);
    s->rows = rows;
    s->row_count = count;
}

bool space_is_covering(const space *s)
{
    return s->rows != NULL;
}

bool space_row_find(const space *s, const space_cursor *c, uint64_t *row)
{
    const space_block *b = &s->blocks[c->block];
    for (size_t i = 0; i < s->row_count; ++i)
        if (s->rows[i * ROW] == c->block &&
            memcmp(s->rows + i * ROW + 1, c->digit, b->digit_count * sizeof *s->rows) == 0) {
            *row = i;
            return true;
        }
    return false;
}

/* ---- walking ---- */

void space_set_block(const space *s, space_cursor *c, unsigned block)
{
    const space_block *b = &s->blocks[block];
    unsigned n = 0;
    c->block = block;
    for (size_t i = 0; i < s->axis_count; ++i) {
        expr_value *value = &c->values[i];
        if (s->is_length[i])
            value->v[0] = b->lengths[n++];
        value->length = s->group_of[i] < 0 ? 1 : group_length(s, b, &s->groups[s->group_of[i]]);
    }
}

void space_set_digit(const space *s, space_cursor *c, unsigned level)
{
    const space_digit *d = &s->blocks[c->block].digits[level];
    uint32_t value = c->digit[level];
    if (d->axis >= 0) {
        c->values[d->axis].v[0] = s->axes[d->axis].values[value];
        return;
    }
    const space_group *g = &s->groups[d->group];
    const int64_t *tuple = g->tuples + (size_t)value * g->axis_count;
    for (unsigned a = 0; a < g->axis_count; ++a)
        c->values[g->axes[a]].v[d->element] = tuple[a];
}

/* Do the predicates of a level hold? */
static bool check_level(space_cursor *c, const space_block *b, unsigned level)
{
    for (unsigned i = b->check_first[level]; i < b->check_first[level + 1]; ++i) {
        const space_check *check = &b->checks[i];
        bool failed = false;
        int64_t holds = check->element < 0 ? expr_eval(check->predicate, c->values, &failed)
                                           : expr_eval_at(check->predicate, c->values, (uint32_t)check->element,
                                                          &failed);
        if (failed) {
            c->failed = check->predicate;
            return false;
        }
        if (!holds)
            return false;
    }
    return true;
}

/* Does some alternative of the query hold? */
static bool check_filters(space_cursor *c)
{
    const space *s = c->space;
    if (s->filter_count == 0)
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

bool space_legal(const space *s, space_cursor *c)
{
    const space_block *b = &s->blocks[c->block];
    for (unsigned level = 0; level <= b->digit_count; ++level)
        if (!check_level(c, b, level))
            return false;
    return true;
}

/* Remember what changed, for incremental binding. */
static void note_change(space_cursor *c, const space_block *b, unsigned lowest)
{
    c->changed = lowest;
    c->new_class = lowest < b->scalar_count;
    c->changed_group = -1;
    c->changed_element = 0;
    if (!c->new_class && lowest < b->digit_count) {
        const space_digit *d = &b->digits[lowest];
        if (d->group == b->digits[b->digit_count - 1].group) {
            c->changed_group = d->group;
            c->changed_element = d->element;
        }
    }
}

/* Bump digit `*level`, carrying outwards; the digits inside become 0. False where the block is exhausted. */
static bool bump(space_cursor *c, const space_block *b, unsigned *level, unsigned *lowest)
{
    unsigned l = *level;
    for (unsigned inner = l + 1; inner < b->digit_count; ++inner)
        c->digit[inner] = 0;
    for (;;) {
        if (++c->digit[l] < b->digits[l].radix)
            break;
        c->digit[l] = 0;
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
    for (unsigned d = 0; d < b->digit_count; ++d)
        index += c->digit[d] * b->digits[d].weight;
    return index;
}

/* From a block whose digits are set but not checked from `level` on, find the first legal point. */
static bool search(space_cursor *c, unsigned level, unsigned lowest)
{
    const space *s = c->space;
    for (;;) {
        const space_block *b = &s->blocks[c->block];
        bool alive = true;
        if (level == 0) {
            alive = check_level(c, b, 0) &&
                    !(b->scalar_count == 0 && c->gate && !c->gate(c->context, c->values));
            if (c->failed)
                return false;
        }
        while (alive && level < b->digit_count) {
            space_set_digit(s, c, level);
            bool legal = check_level(c, b, level + 1) &&
                         !(level + 1 == b->scalar_count && c->gate && !c->gate(c->context, c->values));
            if (legal && level + 1 == b->digit_count && s->filter_count)
                legal = check_filters(c);
            if (c->failed)
                return false;
            if (legal)
                ++level;
            else
                alive = bump(c, b, &level, &lowest);
        }
        if (alive && b->digit_count == 0)
            alive = check_filters(c);
        if (alive) {
            c->index = index_of(c, b);
            note_change(c, b, lowest);
            return c->index < c->end;
        }
        if (c->block + 1 >= s->block_count || s->blocks[c->block + 1].first >= c->end)
            return false;
        space_set_block(s, c, c->block + 1);
        memset(c->digit, 0, sizeof c->digit);
        level = 0;
        lowest = 0;
    }
}

/* The next legal row of a covering space, from c->index on. */
static bool search_rows(space_cursor *c)
{
    const space *s = c->space;
    for (; c->index < c->end && c->index < s->row_count; ++c->index) {
        const uint32_t *row = s->rows + c->index * ROW;
        space_set_block(s, c, row[0]);
        const space_block *b = &s->blocks[row[0]];
        memcpy(c->digit, row + 1, b->digit_count * sizeof *row);
        for (unsigned d = 0; d < b->digit_count; ++d)
            space_set_digit(s, c, d);
        if (c->gate && !c->gate(c->context, c->values))
            continue;
        bool legal = check_filters(c);
        if (c->failed)
            return false;
        if (!legal)
            continue;
        note_change(c, b, 0);
        c->new_class = true;
        return true;
    }
    return false;
}

bool space_start(space_cursor *c, const space *s, uint64_t first, uint64_t end, space_gate gate, void *context)
{
    memset(c, 0, sizeof *c);
    c->space = s;
    c->end = end < space_points(s) ? end : space_points(s);
    c->gate = gate;
    c->context = context;
    if (first >= c->end)
        return false;
    if (s->rows) {
        c->index = first;
        return search_rows(c);
    }
    unsigned block = 0;
    while (block + 1 < s->block_count && s->blocks[block + 1].first <= first)
        ++block;
    space_set_block(s, c, block);
    const space_block *b = &s->blocks[block];
    uint64_t rest = first - b->first;
    for (unsigned d = 0; d < b->digit_count; ++d) {
        c->digit[d] = (uint32_t)(rest / b->digits[d].weight);
        rest %= b->digits[d].weight;
    }
    bool found = search(c, 0, 0);
    c->new_class = true;
    c->changed_group = -1;
    c->changed_element = 0;
    return found;
}

bool space_next(space_cursor *c)
{
    const space *s = c->space;
    if (c->failed)
        return false;
    if (s->rows) {
        ++c->index;
        return search_rows(c);
    }
    const space_block *b = &s->blocks[c->block];
    unsigned block = c->block, level = b->digit_count, lowest = b->digit_count;
    bool more = false;
    if (level > 0) {
        --level;
        more = bump(c, b, &level, &lowest);
    }
    if (!more) {
        if (c->block + 1 >= s->block_count || s->blocks[c->block + 1].first >= c->end)
            return false;
        space_set_block(s, c, c->block + 1);
        memset(c->digit, 0, sizeof c->digit);
        level = 0;
        lowest = 0;
    }
    bool found = search(c, level, lowest);
    if (found && c->block != block) {
        c->new_class = true;
        c->changed_group = -1;
        c->changed_element = 0;
    }
    return found;
}

bool space_count(const space *s, uint64_t first, uint64_t end, space_gate gate, void *context, uint64_t *count,
                 error *e)
{
    space_cursor c;
    *count = 0;
    bool more = space_start(&c, s, first, end, gate, context);
    while (more) {
        const space_block *b = &s->blocks[c.block];
        bool decided = !s->rows && s->filter_count == 0 && b->digit_count > b->scalar_count &&
                       b->check_first[b->scalar_count + 1] == b->check_count;
        uint64_t inner = decided ? (b->scalar_count ? b->digits[b->scalar_count - 1].weight : b->points) : 1;
        if (inner == 1 || (c.index - b->first) % inner != 0 || c.index + inner > c.end) {
            ++*count;
            more = space_next(&c);
            continue;
        }
        *count += inner; /* nothing inside this class is ruled out */
        unsigned level = b->scalar_count, lowest = 0;
        bool same = level > 0 && (--level, bump(&c, b, &level, &lowest));
        if (!same) {
            if (c.block + 1 >= s->block_count || s->blocks[c.block + 1].first >= c.end)
                break;
            space_set_block(s, &c, c.block + 1);
            memset(c.digit, 0, sizeof c.digit);
            level = 0;
        }
        more = search(&c, level, 0);
    }
    if (c.failed)
        return error_usage(e, "%s:%s: predicate '%s' divides by zero or leaves a vector at index %llu", s->op, s->test,
                           expr_text(c.failed), (unsigned long long)c.index);
    return true;
}
