/* SPDX-License-Identifier: Apache-2.0 */
/* Computes numbers of the cases of a sample, on which conditions can be made. */
#include "harness/analysis/causes_internal.h"
#include "harness/base/text.h"

#include <stdlib.h>
#include <string.h>

static const int64_t moduli[] = { 2, 4, 8, 16, 32, 64, 128, 256 }; /* the last two of loops only */
enum { OF_SIZES = 6 };

/* ---- what there is to compute -------------------------------------------------------------------------------------
 */

static void add_column(cause_table *t, cause_column_kind kind, size_t name, int64_t modulus)
{
    t->columns[t->column_count++] = (cause_column){ kind, (uint16_t)name, modulus };
}

static void add_element(cause_table *t, size_t name, cause_compare compare, int64_t value)
{
    t->elements[t->element_count++] = (cause_element){ (uint16_t)name, compare, UINT16_MAX, value };
}

enum { OF_VECTOR = 11 + 4 * 8, OF_ELEMENT = 24 };

/* Are these the sizes of a tensor? Their products and remainders decide which path a kernel takes. */
static bool are_sizes(const cause_name *name)
{
    return text_ends_in(name->name, ".Sizes");
}

/* Is this an attribute, or what a test changes of one? Neither a symbol nor a number that is computed. */
static bool is_attribute(const cause_name *name)
{
    return !name->fact && !name->symbols && !strchr(name->name, '.');
}

/* Of numbers of the copy that a call is: a kernel has a path for multiples of what a vector or a tile holds. */
static void add_remainders(cause_table *t, size_t n)
{
    static const char *const counts[] = { "Copy.Row", "Copy.Rows", "Copy.Across", "Copy.Outer" };
    static const char *const bytes[] = { "Copy.Row", "Copy.PitchFrom", "Copy.PitchTo" };
    static const int64_t widths[] = { 4, 16, 32, 64, 4096 };
    const causes_sample *s = t->sample;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        for (size_t k = 0; strcmp(s->names[n].name, counts[i]) == 0 && k < sizeof moduli / sizeof *moduli; ++k)
            add_column(t, CAUSE_SCALAR, n, moduli[k]);
    if (text_ends_in(s->names[n].name, ".Flags") || is_attribute(&s->names[n])) /* all that a check of a byte sees */
        add_column(t, CAUSE_SCALAR, n, 256);
    if (text_ends_in(s->names[n].name, ".Extra")) /* no whole number of words */
        add_column(t, CAUSE_SCALAR, n, 4);
    if (text_ends_in(s->names[n].name, ".TotalTensorSizeInBytes")) /* of vectors */
        add_column(t, CAUSE_SCALAR, n, 16);
    if (s->bytes_name < s->name_count &&
        text_ends_in(s->names[n].name, ".Span")) /* beyond what an offset of 32 bits holds */
        add_column(t, CAUSE_SCALAR_BYTES, n, 0);
    for (size_t i = 0; s->bytes_name < s->name_count && i < sizeof bytes / sizeof *bytes; ++i) {
        if (strcmp(s->names[n].name, bytes[i]) != 0)
            continue;
        add_column(t, CAUSE_SCALAR_BYTES, n, 0);
        for (size_t k = 0; k < sizeof widths / sizeof *widths; ++k)
            add_column(t, CAUSE_SCALAR_BYTES, n, widths[k]);
    }
}

/* Sizes of loops that equal a distance: a kernel that merges loops compares the two, of the right loops or of others.
 */
static void add_equal_sizes(cause_table *t, size_t n)
{
    static const char *const distances[] = { "Copy.OuterFrom", "Copy.OuterTo", "Copy.PitchFrom", "Copy.PitchTo" };
    const causes_sample *s = t->sample;
    for (size_t i = 0; i < sizeof distances / sizeof *distances; ++i)
        for (size_t k = 0; strcmp(s->names[n].name, "Copy.Sizes") == 0 && k < s->name_count; ++k)
            if (strcmp(s->names[k].name, distances[i]) == 0)
                t->elements[t->element_count++] = (cause_element){ (uint16_t)n, CAUSE_EQ, (uint16_t)k, 0 };
}

static bool list_columns(cause_table *t, causes_sample *s)
{
    static const cause_column_kind kinds[] = { CAUSE_MIN, CAUSE_MAX, CAUSE_FIRST, CAUSE_LAST, CAUSE_LONG };
    static const cause_column_kind of_sizes[] = { CAUSE_LAST, CAUSE_PRODUCT, CAUSE_LAST_BYTES, CAUSE_PRODUCT_BYTES };
    static const struct {
        cause_compare compare;
        int64_t value;
    } plain[] = { { CAUSE_LT, 0 }, { CAUSE_GT, 0 }, { CAUSE_EQ, 0 }, { CAUSE_NE, 0 },
                  { CAUSE_GT, 1 }, { CAUSE_EQ, 1 }, { CAUSE_NE, 1 }, { CAUSE_LT, -1 } };
    t->columns = calloc(s->name_count * OF_VECTOR + 1, sizeof *t->columns);
    t->elements = calloc(s->name_count * OF_ELEMENT + 1, sizeof *t->elements);
    for (size_t n = 0; t->columns && t->elements && n < s->name_count; ++n) {
        const cause_name *name = &s->names[n];
        if (!name->vector) {
            add_column(t, CAUSE_SCALAR, n, 0);
            add_remainders(t, n);
            continue;
        }
        for (size_t k = 0; !name->symbols && k < sizeof kinds / sizeof *kinds; ++k)
            if (!name->fact || (kinds[k] != CAUSE_FIRST && kinds[k] != CAUSE_LAST))
                add_column(t, kinds[k], n, 0);
        if (strcmp(name->name, "Copy.From") == 0)
            add_column(t, CAUSE_ZEROS, n, 0);
        if (name->fact && text_ends_in(name->name, ".Strides"))
            add_column(t, CAUSE_LAST, n, 0);
        for (size_t i = 0;
             are_sizes(name) && strcmp(name->name, "Copy.Sizes") != 0 && i < sizeof of_sizes / sizeof *of_sizes; ++i) {
            if (i >= 2 && s->bytes_name == s->name_count)
                continue;
            if (i > 0)
                add_column(t, of_sizes[i], n, 0);
            for (size_t k = 0; k < OF_SIZES; ++k)
                add_column(t, of_sizes[i], n, moduli[k]);
        }
        for (size_t k = 0; !name->symbols && k < sizeof plain / sizeof *plain; ++k)
            add_element(t, n, plain[k].compare, plain[k].value);
        add_equal_sizes(t, n);
        for (size_t i = 0; name->symbols && i < s->test_count; ++i) {
            const expr *x = s->tests[i].values[n];
            const int slot = x ? space_axis_named(s->tests[i].test->space, name->name) : -1;
            const space_axis *axis = slot >= 0 ? space_axis_at(s->tests[i].test->space, (size_t)slot) : NULL;
            for (size_t k = 0; axis && k < axis->symbol_count && k < OF_ELEMENT; ++k)
                add_element(t, n, CAUSE_EQ, s->tests[i].ids[n][k]);
            if (axis)
                break;
        }
    }
    return t->columns && t->elements;
}

/* ---- cases --------------------------------------------------------------------------------------------------------
 */

/* The values of the names in one case. */
typedef struct facts {
    expr_value slots[EXPR_MAX_SLOTS];
    expr_value values[CAUSES_NAMES];
    bool has[CAUSES_NAMES];
} facts;

/* How many elements a vector expression has: those of any vector of the same kind. */
static uint32_t length_of(const cause_test *t, const expr *x, const expr_value *slots)
{
    const expr_scope *scope = space_scope(t->test->space);
    bool beyond = false;
    for (uint32_t k = 0; expr_per_of(x) >= SPACE_MAX_GROUPS && k < EXPR_MAX_LENGTH; ++k) { /* a fact */
        expr_eval_at(x, slots, k, &beyond);
        if (beyond)
            return k;
    }
    for (size_t slot = 0; slot < scope->count; ++slot)
        if (scope->names[slot].vector && scope->names[slot].per == expr_per_of(x))
            return slots[slot].length;
    return 0;
}

static void find_symbols(const causes_sample *s, const cause_test *t, size_t name, expr_value *v)
{
    const int slot = space_axis_named(t->test->space, s->names[name].name);
    const space_axis *axis = space_axis_at(t->test->space, (size_t)slot);
    for (uint32_t k = 0; k < v->length; ++k)
        for (size_t i = 0; i < axis->symbol_count; ++i)
            if (axis->symbol_values[i] == v->v[k]) {
                v->v[k] = t->ids[name][i];
                break;
            }
}

static void find_values(causes_sample *s, const cause_test *t, const int64_t *point, facts *f)
{
    causes_unpack(t->test, point, f->slots);
    for (size_t n = 0; n < s->name_count; ++n) {
        const expr *x = t->values[n];
        expr_value *v = &f->values[n];
        bool failed = false;
        f->has[n] = x != NULL;
        if (!x)
            continue;
        v->length = s->names[n].vector ? length_of(t, x, f->slots) : 1;
        for (uint32_t k = 0; k < v->length && !failed; ++k)
            v->v[k] = s->names[n].vector ? expr_eval_at(x, f->slots, k, &failed) : expr_eval(x, f->slots, &failed);
        f->has[n] = !failed;
        if (s->names[n].symbols)
            find_symbols(s, t, n, v);
    }
}

static int64_t remainder_of(int64_t value, int64_t modulus)
{
    const int64_t r = value % modulus;
    return r < 0 ? r + modulus : r;
}

/* The number of a column in a case; false: it has none. */
static bool number_of(const causes_sample *s, const cause_column *c, const facts *f, int64_t *number)
{
    const bool bytes = c->kind == CAUSE_LAST_BYTES || c->kind == CAUSE_PRODUCT_BYTES || c->kind == CAUSE_SCALAR_BYTES;
    if (bytes && !f->has[s->bytes_name])
        return false;
    const uint64_t each = bytes ? (uint64_t)f->values[s->bytes_name].v[0] : 1;
    const expr_value *v = &f->values[c->name];
    int64_t low = INT64_MAX, high = INT64_MIN, big = 0, zeros = 0;
    uint64_t product = 1;
    if (!f->has[c->name] ||
        (v->length == 0 && (c->kind == CAUSE_FIRST || c->kind == CAUSE_LAST || c->kind == CAUSE_LAST_BYTES)))
        return false;
    for (uint32_t k = 0; k < v->length; ++k) {
        low = v->v[k] < low ? v->v[k] : low;
        high = v->v[k] > high ? v->v[k] : high;
        product *= (uint64_t)v->v[k];
        big += v->v[k] > 1;
        zeros += v->v[k] == 0;
    }
    switch (c->kind) {
    case CAUSE_SCALAR_BYTES: *number = (int64_t)((uint64_t)v->v[0] * each); break;
    case CAUSE_SCALAR:
    case CAUSE_FIRST: *number = v->v[0]; break;
    case CAUSE_LAST:
    case CAUSE_LAST_BYTES: *number = (int64_t)((uint64_t)v->v[v->length - 1] * each); break;
    case CAUSE_MIN: *number = low; break;
    case CAUSE_MAX: *number = high; break;
    case CAUSE_PRODUCT:
    case CAUSE_PRODUCT_BYTES: *number = (int64_t)(product * each); break;
    case CAUSE_LONG: *number = big; break;
    case CAUSE_ZEROS: *number = zeros; break;
    }
    if (c->modulus)
        *number = remainder_of(*number, c->modulus);
    return true;
}

bool causes_compares(cause_compare compare, int64_t a, int64_t b)
{
    switch (compare) {
    case CAUSE_LT: return a < b;
    case CAUSE_LE: return a <= b;
    case CAUSE_EQ: return a == b;
    case CAUSE_NE: return a != b;
    case CAUSE_GE: return a >= b;
    case CAUSE_GT: return a > b;
    }
    return false;
}

static void describe(cause_table *t, const facts *f, size_t bit)
{
    for (size_t c = 0; c < t->column_count; ++c)
        if (number_of(t->sample, &t->columns[c], f, &t->numbers[c * t->words * 64 + bit]))
            t->present[c * t->words + bit / 64] |= UINT64_C(1) << bit % 64;
    for (size_t i = 0; i < t->element_count; ++i) {
        const cause_element *x = &t->elements[i];
        const expr_value *v = &f->values[x->name];
        const bool has = f->has[x->name] && (x->with == UINT16_MAX || f->has[x->with]);
        const int64_t value = x->with == UINT16_MAX ? x->value : f->values[x->with].v[0];
        unsigned mask = 0;
        for (uint32_t k = 0; has && k < v->length; ++k)
            mask |= (unsigned)causes_compares(x->compare, v->v[k], value) << k;
        t->masks[i * t->words * 64 + bit] = (uint16_t)mask;
    }
    for (size_t n = 0; n < t->sample->name_count; ++n)
        if (f->has[n])
            t->named[n * t->words + bit / 64] |= UINT64_C(1) << bit % 64;
}

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

static bool allocate(cause_table *t)
{
    const size_t words = t->words, bits = words * 64;
    t->valid = calloc(words + 1, sizeof *t->valid);
    t->weight = calloc(words + 1, sizeof *t->weight);
    t->test = calloc(words + 1, sizeof *t->test);
    t->numbers = calloc(t->column_count * bits + 1, sizeof *t->numbers);
    t->present = calloc(t->column_count * words + 1, sizeof *t->present);
    t->masks = calloc(t->element_count * bits + 1, sizeof *t->masks);
    t->named = calloc(t->sample->name_count * words + 1, sizeof *t->named);
    return t->valid && t->weight && t->test && t->numbers && t->present && t->masks && t->named;
}

/* How many cases a drawn one of this stratum stands for. */
static double population(const causes_sample *s, size_t test, int kind, int part)
{
    const uint64_t alike = causes_stratum(s, test, kind, 1)->population, all = s->tests[test].failed[kind];
    return (double)(part == 1 ? alike : all > alike ? all - alike : 0);
}

/* Is a test learned from? The examples have axes of their own; add_strangers (causes.c) describes them. */
static bool is_used(const causes_sample *s, size_t test, int kind)
{
    bool others = false;
    if (s->tests[test].test->kind != CASE_EXAMPLES)
        return true;
    for (size_t i = 0; i < s->test_count; ++i)
        others = others || (s->tests[i].failed[kind] > 0 && s->tests[i].test->kind != CASE_EXAMPLES);
    return !others;
}

/* Is a case held by a rule that was rejected after its stratum was drawn? Then the stratum of that rule has it. */
static bool is_elsewhere(const causes_sample *s, const cause_match *m, int part, const facts *f)
{
    const int first = part < CAUSES_PARTS ? 0 : part - CAUSES_PARTS + 1;
    for (size_t i = (size_t)first; i < s->rejected_count; ++i)
        if (causes_match_holds(m, i, f->slots))
            return true;
    return false;
}

/* The strata of a test: its failing cases, or the others. */
typedef struct filling {
    cause_table *t;
    causes_sample *s;
    int kind;
    double failing; /* cases of the kind */
    size_t tests;   /* with failing cases */
    size_t word;    /* the next one */
    facts f;
} filling;

static void fill_stratum(filling *g, size_t test, int part, bool inside, const cause_match *m)
{
    static const size_t bits = 64;
    cause_table *t = g->t;
    const cause_stratum *from = causes_stratum(g->s, test, inside || part >= CAUSES_PARTS ? g->kind : CAUSE_NONE, part);
    const double own = (double)g->s->tests[test].failed[g->kind];
    const double stands =
        part < CAUSES_PARTS ? population(g->s, test, inside ? g->kind : CAUSE_NONE, part) : (double)from->population;
    const double each = from->count ? stands / (double)from->count : 0;
    /* Half of the weight is what the case stands for, half of it is the same for every test. */
    const double weight =
        0.5 * each / g->failing + (own > 0 ? 0.5 * each / own / (double)g->tests : 0.5 * each / g->failing);
    for (size_t k = 0; k < from->count; ++k) {
        const size_t at = g->word + k / bits;
        t->weight[at] = weight;
        t->test[at] = (uint16_t)test;
        find_values(g->s, &g->s->tests[test], from->points[k], &g->f);
        if (!inside && is_elsewhere(g->s, m, part, &g->f))
            continue;
        t->valid[at] |= UINT64_C(1) << k % bits;
        describe(t, &g->f, g->word * bits + k);
    }
    g->word += (from->count + bits - 1) / bits;
}

static bool fill(filling *g, bool inside, error *e)
{
    for (size_t i = 0; i < g->s->test_count; ++i) {
        cause_match m;
        const int parts = inside ? CAUSES_PARTS : CAUSES_PARTS + (int)g->s->rejected_count;
        if (!is_used(g->s, i, g->kind))
            continue;
        if (!causes_match_make(&m, g->s->tests[i].test, g->s->rejected, g->s->rejected_count, e))
            return false;
        for (int p = 0; p < parts; ++p)
            fill_stratum(g, i, p, inside, &m);
        causes_match_free(&m);
    }
    return true;
}

bool causes_table_make(cause_table *t, causes_sample *s, int kind, error *e)
{
    filling *g = calloc(1, sizeof *g);
    *t = (cause_table){ .sample = s };
    if (!g)
        return error_set(e, "out of memory");
    g->t = t;
    g->s = s;
    g->kind = kind;
    for (size_t i = 0; i < s->test_count; ++i) {
        if (!is_used(s, i, kind))
            continue;
        g->failing += (double)s->tests[i].failed[kind];
        t->odds += (double)s->tests[i].failed[CAUSE_NONE];
        g->tests += s->tests[i].failed[kind] > 0;
        for (int p = 0; p < CAUSES_PARTS; ++p) {
            t->inside_words += (causes_stratum(s, i, kind, p)->count + 63) / 64;
            t->words += (causes_stratum(s, i, CAUSE_NONE, p)->count + 63) / 64;
        }
        for (int p = CAUSES_PARTS; p < CAUSES_PARTS + (int)s->rejected_count; ++p)
            t->words += (causes_stratum(s, i, kind, p)->count + 63) / 64;
    }
    t->words += t->inside_words;
    t->odds = g->failing > 0 ? t->odds / g->failing : 0;
    const bool fine = (list_columns(t, s) && allocate(t)) || error_set(e, "out of memory");
    const bool filled = fine && fill(g, true, e) && fill(g, false, e);
    free(g);
    return filled;
}

void causes_table_free(cause_table *t)
{
    free(t->numbers);
    free(t->present);
    free(t->masks);
    free(t->named);
    free(t->columns);
    free(t->elements);
    free(t->valid);
    free(t->weight);
    free(t->test);
    memset(t, 0, sizeof *t);
}
