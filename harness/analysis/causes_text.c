/* SPDX-License-Identifier: Apache-2.0 */
/* Writes conditions and rules as queries. */
#include "harness/analysis/causes_internal.h"
#include "harness/base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Can a symbol be written without quotes? It must be one word, no keyword and no name. */
static bool is_bare(const causes_sample *s, const char *word)
{
    static const char *const taken[] = { "and", "or", "not", "in", "true", "false", "nil" };
    for (const char *p = word; *p; ++p)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i)
        if (strcmp(word, taken[i]) == 0)
            return false;
    for (size_t i = 0; i < s->name_count; ++i)
        if (strcmp(word, s->names[i].name) == 0)
            return false;
    return isalpha((unsigned char)word[0]) != 0;
}

static void put_value(const causes_sample *s, const cause_name *n, int64_t value, text *to)
{
    char number[40];
    if (n->symbols) {
        const char *symbol = s->symbols[value], *quote = is_bare(s, symbol) ? "" : "\"";
        text_add(to, quote);
        text_add(to, symbol);
        text_add(to, quote);
        return;
    }
    /* the least integer has no literal */
    snprintf(number, sizeof number, value == INT64_MIN ? "(%" PRId64 " - 1)" : "%" PRId64,
             value == INT64_MIN ? value + 1 : value);
    text_add(to, number);
}

static void put_column(const causes_sample *s, const cause_column *c, text *to)
{
    const cause_name *n = &s->names[c->name];
    char number[40];
    const bool last = c->kind == CAUSE_LAST || c->kind == CAUSE_LAST_BYTES;
    const bool product = c->kind == CAUSE_PRODUCT || c->kind == CAUSE_PRODUCT_BYTES;
    text_add(to, product ? "product(" : c->kind == CAUSE_LONG || c->kind == CAUSE_ZEROS ? "count(" : "");
    text_add(to, n->name);
    if (c->kind == CAUSE_FIRST)
        text_add(to, "[1]");
    if (last) {
        snprintf(number, sizeof number, "%u", (unsigned)n->fixed);
        text_add(to, n->fact ? "[len(" : "[");
        text_add(to, n->fact ? n->name : n->length ? n->length : number);
        text_add(to, n->fact ? ")]" : "]");
    }
    text_add(to, product ? ")" : c->kind == CAUSE_LONG ? " > 1)" : c->kind == CAUSE_ZEROS ? " == 0)" : "");
    if (c->kind == CAUSE_LAST_BYTES || c->kind == CAUSE_PRODUCT_BYTES || c->kind == CAUSE_SCALAR_BYTES) {
        text_add(to, " * ");
        text_add(to, s->names[s->bytes_name].name);
    }
    if (c->modulus) {
        snprintf(number, sizeof number, " %% %" PRId64, c->modulus);
        text_add(to, number);
    }
}

static bool is_power(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* ">= 1" of a remainder is "~= 0", "<= -1" is "< 0", ">= 257" is "> 256". */
static void put_bound(const cause_table *t, const cause_atom *a, text *to)
{
    const causes_sample *s = t->sample;
    const cause_column *c = &t->columns[a->column];
    const bool least = a->compare == CAUSE_GE, ends = c->kind == CAUSE_MIN || c->kind == CAUSE_MAX;
    const int64_t next = a->bound + (least ? -1 : 1);
    /* each() bounds the minimum from below and the maximum from above, any() the other way round. */
    text_add(to, !ends ? "" : least == (c->kind == CAUSE_MAX) ? "any(" : "each(");
    put_column(s, c, to);
    if (c->modulus && (least ? a->bound == 1 : a->bound == 0)) {
        text_add(to, least ? " ~= 0" : " == 0");
    } else {
        const bool other = next == 0 || (is_power(next) && !is_power(a->bound));
        text_add(to, least ? (other ? " > " : " >= ") : other ? " < " : " <= ");
        put_value(s, &s->names[c->name], other ? next : a->bound, to);
    }
    text_add(to, ends ? ")" : "");
}

static void put_set(const cause_table *t, const cause_atom *a, text *to)
{
    const causes_sample *s = t->sample;
    const bool one = a->value_count == 1;
    if (s->names[t->columns[a->column].name].truth) {
        text_add(to, (a->values[0] == 1) != a->denied ? "" : "not ");
        text_add(to, s->names[t->columns[a->column].name].name);
        return;
    }
    put_column(s, &t->columns[a->column], to);
    text_add(to, one ? (a->denied ? " ~= " : " == ") : a->denied ? " not in {" : " in {");
    for (size_t i = 0; i < a->value_count; ++i) {
        text_add(to, i ? ", " : "");
        put_value(s, &s->names[t->columns[a->column].name], a->values[i], to);
    }
    text_add(to, one ? "" : "}");
}

static const char *const words[] = { [CAUSE_LT] = " < ",  [CAUSE_LE] = " <= ", [CAUSE_EQ] = " == ",
                                     [CAUSE_NE] = " ~= ", [CAUSE_GE] = " >= ", [CAUSE_GT] = " > " };

static void put_element(const cause_table *t, size_t element, bool denied, text *to)
{
    static const cause_compare opposite[] = { [CAUSE_LT] = CAUSE_GE, [CAUSE_LE] = CAUSE_GT, [CAUSE_EQ] = CAUSE_NE,
                                              [CAUSE_NE] = CAUSE_EQ, [CAUSE_GE] = CAUSE_LT, [CAUSE_GT] = CAUSE_LE };
    const cause_element *x = &t->elements[element];
    text_add(to, t->sample->names[x->name].name);
    text_add(to, words[denied ? opposite[x->compare] : x->compare]);
    if (x->with != UINT16_MAX)
        text_add(to, t->sample->names[x->with].name);
    else
        put_value(t->sample, &t->sample->names[x->name], x->value, to);
}

/* The minimum of a vector is less than a number where any element is, and greater where each is. */
static void put_pair(const cause_table *t, const cause_atom *a, text *to)
{
    const cause_column *c = &t->columns[a->column];
    const bool end = c->kind == CAUSE_MIN || c->kind == CAUSE_MAX;
    text_add(to, !end ? "" : (c->kind == CAUSE_MIN) == (a->compare == CAUSE_LT) ? "any(" : "each(");
    put_column(t->sample, c, to);
    text_add(to, words[a->compare]);
    put_column(t->sample, &t->columns[a->second], to);
    text_add(to, end ? ")" : "");
}

static void put_atom(const cause_table *t, const cause_atom *a, text *to)
{
    switch (a->kind) {
    case CAUSE_ATOM_TEST: break;
    case CAUSE_ATOM_BOUND: put_bound(t, a, to); break;
    case CAUSE_ATOM_SET: put_set(t, a, to); break;
    case CAUSE_ATOM_PAIR: put_pair(t, a, to); break;
    case CAUSE_ATOM_ANY:
    case CAUSE_ATOM_EACH: {
        const bool pair = a->second != UINT16_MAX, each = a->kind == CAUSE_ATOM_EACH;
        text_add(to, !each ? "any(" : pair ? "not any(" : "each(");
        put_element(t, a->column, each && !pair, to);
        if (pair) {
            text_add(to, " and ");
            put_element(t, a->second, false, to);
        }
        text_add(to, ")");
        break;
    }
    }
}

static const char *pattern_of(const cause_atoms *a, const cause_term *term)
{
    for (size_t i = 0; i < term->count; ++i)
        if (a->list[term->atoms[i]].kind == CAUSE_ATOM_TEST)
            return a->list[term->atoms[i]].pattern;
    return "*";
}

/* A property of whole tests, such as `legal`, comes last. */
static bool is_truth(const cause_table *t, const cause_atom *a)
{
    return a->kind == CAUSE_ATOM_SET && t->sample->names[t->columns[a->column].name].truth;
}

static void put_term(const cause_table *t, const cause_atoms *a, const cause_term *term, text *to)
{
    bool more = false;
    for (int last = 0; last < 2; ++last)
        for (size_t i = 0; i < term->count; ++i) {
            const cause_atom *atom = &a->list[term->atoms[i]];
            if (atom->kind == CAUSE_ATOM_TEST || is_truth(t, atom) != last)
                continue;
            text_add(to, more ? " and " : "");
            put_atom(t, atom, to);
            more = true;
        }
}

static void names_of_element(const cause_table *t, size_t element, bool *names)
{
    const cause_element *x = &t->elements[element];
    names[x->name] = true;
    if (x->with != UINT16_MAX)
        names[x->with] = true;
}

/* The names that a term reads, as a set of bits. */
static void names_of(const cause_table *t, const cause_atoms *a, const cause_term *term, bool *names)
{
    memset(names, 0, CAUSES_NAMES * sizeof *names);
    for (size_t i = 0; i < term->count; ++i) {
        const cause_atom *atom = &a->list[term->atoms[i]];
        if (atom->kind == CAUSE_ATOM_BOUND || atom->kind == CAUSE_ATOM_SET || atom->kind == CAUSE_ATOM_PAIR)
            names[t->columns[atom->column].name] = true;
        if (atom->kind == CAUSE_ATOM_PAIR)
            names[t->columns[atom->second].name] = true;
        if (atom->kind == CAUSE_ATOM_ANY || atom->kind == CAUSE_ATOM_EACH)
            names_of_element(t, atom->column, names);
        if ((atom->kind == CAUSE_ATOM_ANY || atom->kind == CAUSE_ATOM_EACH) && atom->second != UINT16_MAX)
            names_of_element(t, atom->second, names);
    }
}

static bool has_predicate(const cause_term *term, const cause_atoms *a)
{
    return term->count > (strcmp(pattern_of(a, term), "*") == 0 ? 0u : 1u);
}

/* Can two terms be alternatives of one predicate? A test that lacks a name of either is left out for both. */
static bool can_join(const cause_table *t, const cause_atoms *a, const cause_term *x, const cause_term *y)
{
    bool one[CAUSES_NAMES], two[CAUSES_NAMES];
    if (strcmp(pattern_of(a, x), pattern_of(a, y)) != 0 || !has_predicate(x, a) || !has_predicate(y, a))
        return false;
    names_of(t, a, x, one);
    names_of(t, a, y, two);
    for (size_t i = 0; i < t->sample->test_count; ++i) {
        bool has_one = true, has_two = true;
        for (size_t n = 0; n < t->sample->name_count; ++n) {
            has_one = has_one && (!one[n] || t->sample->tests[i].values[n]);
            has_two = has_two && (!two[n] || t->sample->tests[i].values[n]);
        }
        if (has_one != has_two)
            return false;
    }
    return true;
}

bool causes_share_a_name(const cause_table *t, const cause_atoms *a, const cause_term *x, const cause_term *y)
{
    bool one[CAUSES_NAMES], two[CAUSES_NAMES];
    names_of(t, a, x, one);
    names_of(t, a, y, two);
    for (size_t n = 0; n < t->sample->name_count; ++n)
        if (one[n] && two[n] && strcmp(t->sample->names[n].name, "rank") != 0)
            return true;
    return false;
}

bool causes_write(const cause_table *t, const cause_atoms *a, const cause_rule *rule, cause *c, error *e)
{
    bool written[CAUSES_TERMS] = { false };
    for (size_t i = 0; i < rule->count && c->query_count < CAUSES_QUERIES; ++i) {
        text query = { .data = NULL };
        const cause_term *first = &rule->terms[i];
        if (written[i])
            continue;
        text_add(&query, t->sample->op);
        text_add(&query, ":");
        const bool narrow = *t->sample->within != '\0', has = has_predicate(first, a);
        const char *pattern = pattern_of(a, first);
        text_add(&query, strcmp(pattern, "*") == 0 ? t->sample->pattern : pattern);
        text_add(&query, has || narrow ? " where " : "");
        text_add(&query, narrow && has ? "(" : "");
        text_add(&query, t->sample->within);
        text_add(&query, narrow && has ? ") and (" : "");
        for (size_t k = i; k < rule->count && has_predicate(first, a); ++k) {
            if (written[k] || (k > i && !can_join(t, a, first, &rule->terms[k])))
                continue;
            text_add(&query, k > i ? " or " : "");
            put_term(t, a, &rule->terms[k], &query);
            written[k] = true;
        }
        text_add(&query, narrow && has ? ")" : "");
        if (query.failed)
            return error_set(e, "out of memory");
        c->queries[c->query_count++] = query.data;
    }
    return true;
}
