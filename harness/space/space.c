/* SPDX-License-Identifier: Apache-2.0 */
/* Declare the axes, predicates and filters of a space, and query its properties. */
#include "harness/space/space_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        free((void *)(uintptr_t)s->axes[i].values);
        if (s->borrowed >> i & 1)
            continue;
        free((void *)(uintptr_t)s->axes[i].name);
        free((void *)(uintptr_t)s->axes[i].description);
        for (size_t k = 0; k < s->axes[i].symbol_count; ++k)
            free((void *)(uintptr_t)s->axes[i].symbols[k]);
        free((void *)(uintptr_t)s->axes[i].symbols);
        free((void *)(uintptr_t)s->axes[i].symbol_values);
    }
    for (size_t i = 0; i < s->scope.alias_count; ++i) {
        if (s->borrowed_aliases >> i & 1)
            continue;
        free((void *)(uintptr_t)s->aliases[i].name);
        free((void *)(uintptr_t)s->aliases[i].text);
    }
    for (int i = 0; i < s->predicate_count; ++i)
        expr_free(s->predicates[i]);
    for (int i = 0; i < s->filter_count; ++i) {
        for (int k = 0; k < s->filters[i]->count; ++k)
            expr_free(s->filters[i]->conjuncts[k]);
        free(s->filters[i]);
    }
    for (size_t i = 0; i < s->block_count; ++i)
        space_block_free(&s->blocks[i]);
    free(s->blocks);
    free(s->rows);
    space_draws_free(s->draws);
    free(s->chosen);
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

void space_share_texts(space *s, const space *other)
{
    s->texts = other;
}

static bool same_texts(const space_axis *a, const space_axis *b)
{
    bool same = strcmp(a->name, b->name) == 0 && !a->description == !b->description &&
                (!a->description || strcmp(a->description, b->description) == 0) && !a->symbols == !b->symbols;
    if (!same || !a->symbols)
        return same;
    same = a->symbol_count == b->symbol_count &&
           memcmp(a->symbol_values, b->symbol_values, a->symbol_count * sizeof *a->symbol_values) == 0;
    for (size_t i = 0; same && i < a->symbol_count; ++i)
        same = strcmp(a->symbols[i], b->symbols[i]) == 0;
    return same;
}

/* Give an axis the texts of `axis`: those of another space, or copies. */
static void take_texts(space *s, size_t slot, const space_axis *axis)
{
    space_axis *a = &s->axes[slot];
    const space_axis *other = s->texts && slot < s->texts->axis_count ? &s->texts->axes[slot] : NULL;
    if (other && same_texts(axis, other)) {
        a->name = other->name;
        a->description = other->description;
        a->symbols = other->symbols;
        a->symbol_values = other->symbol_values;
        a->symbol_count = other->symbol_count;
        s->borrowed |= UINT64_C(1) << slot;
        return;
    }
    a->name = strdup(axis->name);
    a->description = axis->description ? strdup(axis->description) : NULL;
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
    a->values = copy(axis->values, axis->count * sizeof *axis->values);
    take_texts(s, slot, axis);
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
        while (g < s->group_count &&
               !(s->groups[g].per == axis->per && (axis->per >= 0 || s->groups[g].fixed == axis->fixed)))
            ++g;
        if (g == SPACE_MAX_GROUPS)
            return error_usage(e, "%s:%s: vectors of more than %d different lengths", s->op, s->test, SPACE_MAX_GROUPS);
        if (g == s->group_count) {
            s->groups[g].per = axis->per;
            s->groups[g].fixed = axis->fixed;
            s->group_count++;
        }
        s->group_of[slot] = (int)g;
        if (!axis->position) {
            s->groups[g].axes[s->groups[g].axis_count++] = (unsigned)slot;
            s->groups[g].slots |= UINT64_C(1) << slot;
        }
    }
    s->names[slot] = (expr_name){ .name = a->name,
                                  .vector = axis->per != SPACE_SCALAR,
                                  .per = s->group_of[slot],
                                  .symbols = a->symbols,
                                  .symbol_values = a->symbol_values,
                                  .symbol_count = a->symbol_count,
                                  .numbers = a->numbers };
    s->scope.names = s->names;
    s->scope.count = s->axis_count;
    return true;
}

bool space_add_alias(space *s, const char *name, const char *text, error *e)
{
    if (s->scope.alias_count == SPACE_MAX_ALIASES)
        return error_usage(e, "%s:%s: more than %d aliases", s->op, s->test, SPACE_MAX_ALIASES);
    const size_t place = s->scope.alias_count++;
    expr_alias *alias = &s->aliases[place];
    const expr_alias *other = s->texts && place < s->texts->scope.alias_count ? &s->texts->aliases[place] : NULL;
    s->scope.aliases = s->aliases;
    if (other && strcmp(other->name, name) == 0 && strcmp(other->text, text) == 0) {
        *alias = *other;
        s->borrowed_aliases |= UINT32_C(1) << place;
        return true;
    }
    *alias = (expr_alias){ strdup(name), strdup(text) };
    return alias->name && alias->text ? true : error_set(e, "out of memory");
}

void space_set_facts(space *s, expr_facts *facts)
{
    s->scope.facts = facts;
}

bool space_where(space *s, const char *predicate, const char *where, error *e)
{
    expr *conjuncts[SPACE_MAX_PREDICATES];
    const int n = expr_compile_conjuncts(predicate, &s->scope, where, conjuncts, SPACE_MAX_PREDICATES, e);
    if (n < 0)
        return false;
    bool fine = s->predicate_count + n <= SPACE_MAX_PREDICATES ||
                error_usage(e, "%s: with '%.200s', %s:%s has more than %d conditions in all", where, predicate, s->op,
                            s->test, SPACE_MAX_PREDICATES);
    for (int i = 0; fine && i < n; ++i)
        fine =
            expr_type_of(conjuncts[i]) == EXPR_BOOL || error_usage(e, "%s: '%s' is no truth value", where, predicate);
    for (int i = 0; i < n; ++i)
        if (fine)
            s->predicates[s->predicate_count++] = conjuncts[i];
        else
            expr_free(conjuncts[i]);
    return fine;
}

bool space_choose(space *s, const uint64_t *indices, size_t count, error *e)
{
    uint64_t *copy = malloc((count + 1) * sizeof *copy);
    if (!copy)
        return error_set(e, "out of memory");
    if (count > 0)
        memcpy(copy, indices, count * sizeof *copy);
    free(s->chosen);
    s->chosen = copy;
    s->chosen_count = count;
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
        f->count = expr_compile_conjuncts(predicate, &scope, where, f->conjuncts, SPACE_MAX_PREDICATES, e);
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
    s->unfiltered = s->unfiltered || f->count == 0;
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
    return s->draws ? space_draws_points(s) : s->rows ? s->row_count : s->points;
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

void space_take_rows(space *s, uint32_t *rows, size_t count)
{
    free(s->rows);
    s->rows = rows;
    s->row_count = count;
}

bool space_is_length(const space *s, size_t slot)
{
    return s->is_length[slot];
}

bool space_is_covering(const space *s)
{
    return s->rows != NULL;
}

bool space_row_find(const space *s, const space_cursor *c, uint64_t *row)
{
    const space_block *b = &s->blocks[c->at.block];
    for (size_t i = 0; i < s->row_count; ++i)
        if (s->rows[i * ROW] == c->at.block &&
            memcmp(s->rows + i * ROW + 1, c->at.digit, b->digit_count * sizeof *s->rows) == 0) {
            *row = i;
            return true;
        }
    return false;
}
