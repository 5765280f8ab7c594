/* SPDX-License-Identifier: Apache-2.0 */
/* What expressions mean: types, names and functions. Each node is checked when it is built, from its parts; only a
   string has to wait until it meets the enumeration that it is a value of (resolve). */
#include "harness/expr/expr_internal.h"

#include "harness/base/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes and types ------------------------------------------------------------------------------------------- */

static expr_node *make(expr_tree *tree, expr_kind kind, expr_base base, size_t begin, size_t end)
{
    if (tree->used == tree->capacity)
        abort(); /* Unreachable: the capacity is counted from the length of the text, see expr_parse. */
    expr_node *n = &tree->nodes[tree->used++];
    *n = (expr_node){ .kind = kind, .base = base, .pure = true, .per = -1, .domain = -1, .begin = begin, .end = end };
    return n;
}

/* Add the properties of a part to the whole. If a part is by element, so is the whole. */
static bool join(expr_parser *p, expr_node *n, const expr_node *part)
{
    n->uses |= part->uses;
    n->shape |= part->shape;
    n->pure = n->pure && part->pure;
    n->fallible = n->fallible || part->fallible;
    if (!part->vector)
        return true;
    if (n->vector && n->per != part->per) {
        char source[64];
        expr_complain(p, part->begin,
                      "'%s' has elements per something else than the vector before it (different 'per')",
                      expr_quoted(source, sizeof source, p->text, part->begin, part->end));
        return false;
    }
    n->vector = true;
    n->per = part->per;
    return true;
}

/* A scalar made of a whole vector. */
static expr_node *make_scalar_of(expr_tree *tree, expr_kind kind, expr_base base, expr_node *a, size_t begin,
                                 size_t end)
{
    expr_node *n = make(tree, kind, base, begin, end);
    n->a = a;
    n->uses = a->uses;
    n->fallible = a->fallible;
    n->pure = false;
    return n;
}

static bool want_integers(expr_parser *p, const expr_node *n, const char *wanted)
{
    if (n->base == BASE_INT && !n->partial)
        return true;
    expr_mistyped(p, n, wanted);
    return false;
}

static bool same_domain(const expr_name *x, const expr_name *y)
{
    if (x->numbers || y->numbers)
        return x->numbers && y->numbers;
    if (x->symbol_count != y->symbol_count)
        return false;
    for (size_t i = 0; i < x->symbol_count; ++i)
        if (x->symbol_values[i] != y->symbol_values[i] || strcmp(x->symbols[i], y->symbols[i]) != 0)
            return false;
    return true;
}

/* Give strings the values of an enumeration, after the name that they are compared with is known. The strings are
   n itself, or the alternatives that it chooses from. */
static bool resolve(expr_parser *p, expr_node *n, int slot)
{
    const expr_name *domain = &p->scope->names[slot];
    double number;
    if (n->base == BASE_ENUMERATED)
        return true; /* a tree that chooses between this and a string has made sure that it fits */
    n->base = BASE_ENUMERATED;
    n->domain = slot;
    if (n->kind == NODE_AND)
        return resolve(p, n->b, slot);
    if (n->kind == NODE_OR)
        return resolve(p, n->a, slot) && resolve(p, n->b, slot);
    for (size_t i = 0; i < domain->symbol_count; ++i)
        if (strlen(domain->symbols[i]) == n->word_length && memcmp(domain->symbols[i], n->word, n->word_length) == 0) {
            n->value = domain->symbol_values[i];
            return true;
        }
    if (domain->numbers && decimal_read(n->word, n->word_length, &number)) {
        n->value = decimal_key(number);
        return true;
    }
    expr_unknown_symbol(p, n, domain);
    return false;
}

/* An integer that stands beside a number of this slot is one, too; -0 is. */
static void number_of(const expr_parser *p, expr_node *n, const expr_node *beside)
{
    const int slot = beside->base == BASE_ENUMERATED ? beside->domain : -1;
    if (n->kind != NODE_CONSTANT || n->base != BASE_INT || slot < 0 || !p->scope->names[slot].numbers)
        return;
    n->value = decimal_key(n->value == 0 && p->text[n->begin] == '-' ? -0.0 : (double)n->value);
    n->base = BASE_ENUMERATED;
    n->domain = slot;
}

/* Convert two values to a common type, or complain that there is none. Truth values pass. */
static bool unify(expr_parser *p, expr_node *a, expr_node *b, const char *wanted)
{
    number_of(p, a, b);
    number_of(p, b, a);
    if (a->base == BASE_SYMBOL && b->base == BASE_ENUMERATED)
        return resolve(p, a, b->domain);
    if (b->base == BASE_SYMBOL && a->base == BASE_ENUMERATED)
        return resolve(p, b, a->domain);
    if (a->base == b->base &&
        (a->base != BASE_ENUMERATED || same_domain(&p->scope->names[a->domain], &p->scope->names[b->domain])))
        return true;
    if (expr_bare_word(a) || expr_bare_word(b)) {
        expr_mistyped(p, expr_bare_word(a) ? a : b, wanted);
        return false;
    }
    char left[64], right[64];
    expr_words there = { .length = 0 };
    const expr_node *enumerated = a->base == BASE_ENUMERATED ? a : b->base == BASE_ENUMERATED ? b : NULL;
    const expr_name *domain = enumerated ? &p->scope->names[enumerated->domain] : NULL;
    bool quotes = false; /* is the other one a name that looks like a number? */
    const expr_node *other = enumerated == a ? b : a;
    for (size_t i = 0; domain && i < domain->symbol_count; ++i) {
        expr_list_word(&there, domain->symbols[i]);
        quotes = quotes || (strlen(domain->symbols[i]) == other->end - other->begin &&
                            memcmp(domain->symbols[i], p->text + other->begin, other->end - other->begin) == 0);
    }
    expr_quoted(left, sizeof left, p->text, a->begin, a->end);
    expr_quoted(right, sizeof right, p->text, b->begin, b->end);
    expr_complain(p, b->begin, "%s, but '%s' is %s and '%s' is %s%s%s%s%s%s%s", wanted, left, expr_described(a), right,
                  expr_described(b), quotes ? "; put quotes around " : "", quotes ? (other == b ? right : left) : "",
                  domain ? "; values of '" : "", domain ? domain->name : "", domain ? "': " : "", there.text);
    return false;
}

static bool comparable(expr_parser *p, expr_node *a, expr_node *b, bool ordering)
{
    if (a->partial || b->partial) {
        expr_mistyped(p, a->partial ? a : b, "a comparison needs a value");
        return false;
    }
    if (!unify(p, a, b, "a comparison takes two values of one type"))
        return false;
    if (a->base == BASE_SYMBOL) {
        expr_mistyped(p, expr_bare_word(b) && !expr_bare_word(a) ? b : a,
                      "a string can only be compared with a name that has such values");
        return false;
    }
    if (a->base == BASE_BOOL && ordering) {
        expr_mistyped(p, a, "an ordering takes integers, vectors or enumerated values");
        return false;
    }
    return true;
}

static expr_node *make_binary(expr_parser *p, expr_binary operation, expr_base base, expr_node *a, expr_node *b)
{
    expr_node *n = make(p->tree, NODE_BINARY, base, a->begin, b->end);
    n->detail = (int)operation;
    n->a = a;
    n->b = b;
    if (!join(p, n, a) || !join(p, n, b))
        return NULL;
    if ((operation == EXPR_DIVIDE || operation == EXPR_MODULO) && (b->kind != NODE_CONSTANT || b->value == 0))
        n->fallible = true;
    return n;
}

expr_node *expr_make_not(expr_parser *p, expr_node *a, size_t begin)
{
    if (a->base != BASE_BOOL)
        return expr_mistyped(p, a, "'not' takes a truth value (in Lua every number is true)");
    expr_node *n = make(p->tree, NODE_NOT, BASE_BOOL, begin, a->end);
    n->a = a;
    return join(p, n, a) ? n : NULL;
}

/* Does a truth value by element hold for each of them, or for any? */
static expr_node *make_quantifier(expr_parser *p, expr_kind kind, expr_node *body)
{
    expr_node *n = make_scalar_of(p->tree, kind, BASE_BOOL, body, body->begin, body->end);
    n->spread = kind == NODE_EACH && body->pure;
    n->per = body->per;
    return n;
}

/* A comparison of vectors is a truth value by element, which only some functions take. */
static expr_node *said_of(expr_parser *p, expr_node *comparison)
{
    if (comparison->vector && p->by_element == 0)
        return expr_unquantified(p, comparison->begin, comparison->end);
    return comparison;
}

expr_node *expr_make_comparison(expr_parser *p, expr_binary operation, expr_node *a, expr_node *b)
{
    if (!comparable(p, a, b, operation != EXPR_EQ && operation != EXPR_NE))
        return NULL;
    expr_node *n = make_binary(p, operation, BASE_BOOL, a, b);
    return n ? said_of(p, n) : NULL;
}

expr_node *expr_conjunction(expr_tree *tree, expr_node *a, expr_node *b)
{
    expr_node *n = make(tree, NODE_AND, BASE_BOOL, a->begin, b->end);
    n->a = a;
    n->b = b;
    n->uses = a->uses | b->uses;
    n->pure = a->pure && b->pure;
    n->fallible = a->fallible || b->fallible;
    n->spread = a->spread && b->spread && a->per == b->per;
    n->per = n->spread ? a->per : -1;
    return n;
}

expr_node *expr_make_and(expr_parser *p, expr_node *a, expr_node *b)
{
    if (a->base != BASE_BOOL)
        return expr_mistyped(p, a, "'and' takes a truth value on its left (in Lua every number is true)");
    const bool truth = b->base == BASE_BOOL;
    if (truth && !a->vector && !b->vector)
        return expr_conjunction(p->tree, a, b);
    if (!truth && (a->vector || b->vector))
        return expr_mistyped(p, a->vector ? a : b,
                             "'and' chooses integers or enumerated values, pick(c, x, y) by element");
    expr_node *n = make(p->tree, NODE_AND, b->base, a->begin, b->end);
    n->a = a;
    n->b = b;
    n->partial = !truth;
    n->domain = b->domain;
    return join(p, n, a) && join(p, n, b) ? n : NULL;
}

expr_node *expr_make_or(expr_parser *p, expr_node *a, expr_node *b)
{
    if (a->base != BASE_BOOL && !a->partial)
        return expr_mistyped(p, a, "'or' takes a truth value or 'c and x' on its left (in Lua every number is true)");
    if (b->vector && b->base != BASE_BOOL)
        return expr_mistyped(p, b, "'or' chooses integers or enumerated values, pick(c, x, y) by element");
    if (a->base == BASE_BOOL && b->base != BASE_BOOL)
        return expr_mistyped(p, b, "'or' after a truth value takes another");
    if (!unify(p, a, b, "'c and x or y' takes an x and a y of one type"))
        return NULL;
    expr_node *n = make(p->tree, NODE_OR, a->base, a->begin, b->end);
    n->a = a;
    n->b = b;
    n->partial = b->partial;
    n->domain = a->domain;
    if (!join(p, n, a) || !join(p, n, b))
        return NULL;
    if (n->vector)
        return n;
    /* If an operand holds for each element, or does not depend on elements, the result is by element, too. */
    bool left = a->spread && b->pure, right = a->pure && b->spread;
    n->spread = left || right;
    n->per = left ? a->per : right ? b->per : -1;
    return n;
}

static int find_name(const expr_scope *scope, const char *word, size_t length)
{
    for (size_t i = 0; i < scope->count; ++i)
        if (strlen(scope->names[i].name) == length && memcmp(scope->names[i].name, word, length) == 0)
            return (int)i;
    return -1;
}

/* The slot of a fact, or -1. */
static int find_fact(const expr_scope *scope, const char *word, size_t length)
{
    const expr_facts *facts = scope->facts;
    for (size_t i = 0; facts && i < facts->count; ++i)
        if (strlen(facts->names[i].name) == length && memcmp(facts->names[i].name, word, length) == 0 &&
            (!facts->names[i].vector || scope->count + i < EXPR_SHAPES))
            return (int)(scope->count + i);
    return -1;
}

expr_node *expr_make_integer(expr_parser *p, int64_t value, size_t begin, size_t end)
{
    expr_node *n = make(p->tree, NODE_CONSTANT, BASE_INT, begin, end);
    n->value = value;
    return n;
}

expr_node *expr_make_symbol(expr_parser *p, bool bare, size_t begin, size_t end)
{
    expr_node *n = make(p->tree, NODE_CONSTANT, BASE_SYMBOL, begin, end);
    n->bare = bare;
    n->word = p->text + begin + (bare ? 0 : 1);
    n->word_length = end - begin - (bare ? 0 : 2);
    return n;
}

expr_node *expr_make_decimal(expr_parser *p, size_t begin, size_t end)
{
    expr_node *n = make(p->tree, NODE_CONSTANT, BASE_SYMBOL, begin, end);
    n->decimal = true;
    n->word = p->text + begin;
    n->word_length = end - begin;
    return n;
}

expr_node *expr_make_name(expr_parser *p, size_t begin, size_t end)
{
    const char *word = p->text + begin;
    size_t length = end - begin;
    int slot = find_name(p->scope, word, length);
    if (!p->scope->relaxed && expr_is_keyword(word, length)) {
        const char *advice = slot >= 0 ? "; the name is written with a trailing '_'" : "";
        return expr_complain(p, begin, "'%.*s' is a keyword of Lua%s", (int)length, word, advice);
    }
    if (slot < 0 && word[length - 1] == '_' && expr_is_keyword(word, length - 1))
        slot = find_name(p->scope, word, length - 1);
    if (slot < 0 && p->scope->relaxed)
        slot = find_fact(p->scope, word, length);
    if (slot < 0)
        return p->scope->relaxed ? expr_make_symbol(p, true, begin, end) : expr_unknown_name(p, begin, end);
    const bool fact = (size_t)slot >= p->scope->count;
    const expr_name *name = fact ? &p->scope->facts->names[(size_t)slot - p->scope->count] : &p->scope->names[slot];
    expr_node *n = make(p->tree, NODE_NAME, name->symbols ? BASE_ENUMERATED : BASE_INT, begin, end);
    n->detail = slot;
    n->domain = name->symbols ? slot : -1;
    n->vector = name->vector;
    n->per = name->vector ? name->per : -1;
    n->uses = fact ? EXPR_USES_FACTS : UINT64_C(1) << slot;
    n->shape = name->vector ? UINT64_C(1) << slot : 0;
    n->pure = !fact;
    return n;
}

expr_node *expr_make_negative(expr_parser *p, expr_node *a, size_t begin)
{
    if (a->decimal && a->begin == begin + 1 && *a->word != '-')
        return expr_make_decimal(p, begin, a->end);
    if (!want_integers(p, a, "'-' takes an integer or a vector"))
        return NULL;
    expr_node *n = make(p->tree, a->kind == NODE_CONSTANT ? NODE_CONSTANT : NODE_NEGATE, BASE_INT, begin, a->end);
    n->a = a;
    n->value = (int64_t)(0 - (uint64_t)a->value);
    return join(p, n, a) ? n : NULL;
}

expr_node *expr_make_arithmetic(expr_parser *p, expr_binary operation, expr_node *a, expr_node *b)
{
    static const char *const wanted[] = {
        [EXPR_ADD] = "'+' takes integers or vectors",      [EXPR_SUBTRACT] = "'-' takes integers or vectors",
        [EXPR_MULTIPLY] = "'*' takes integers or vectors", [EXPR_DIVIDE] = "'//' takes integers or vectors",
        [EXPR_MODULO] = "'%' takes integers or vectors",
    };
    if (!want_integers(p, a, wanted[operation]) || !want_integers(p, b, wanted[operation]))
        return NULL;
    return make_binary(p, operation, BASE_INT, a, b);
}

expr_node *expr_make_index(expr_parser *p, expr_node *a, expr_node *index)
{
    if (!a->vector)
        return expr_mistyped(p, a, "only a vector has elements");
    if (index->vector || index->base != BASE_INT || index->partial)
        return expr_mistyped(p, index, "an index is an integer");
    expr_node *n = make_scalar_of(p->tree, NODE_INDEX, a->base, a, a->begin, p->previous_end);
    n->b = index;
    n->domain = a->domain;
    n->uses |= index->uses;
    n->fallible = true;
    return n;
}

expr_node *expr_make_in(expr_parser *p, expr_node *x, expr_node *list)
{
    expr_node *n = make(p->tree, NODE_IN, BASE_BOOL, x->begin, p->previous_end);
    n->a = x;
    n->b = list;
    if (!join(p, n, x))
        return NULL;
    for (expr_node *item = list; item; item = item->next)
        if (!comparable(p, x, item, false) || !join(p, n, item))
            return NULL;
    return said_of(p, n);
}

/* ---- functions ------------------------------------------------------------------------------------------------- */

static const expr_function functions[] = {
    { "each", 1, 1, CALL_QUANTIFY, 0, NODE_EACH, true },
    { "any", 1, 1, CALL_QUANTIFY, 0, NODE_ANY, true },
    { "abs", 1, 1, CALL_ABS, 0, 0, false },
    { "min", 1, 2, CALL_EXTREME, EXPR_MIN, OP_NEXT_MIN, false },
    { "max", 1, 2, CALL_EXTREME, EXPR_MAX, OP_NEXT_MAX, false },
    { "sum", 1, 1, CALL_REDUCE, 0, OP_NEXT_SUM, false },
    { "product", 1, 1, CALL_REDUCE, 0, OP_NEXT_PRODUCT, false },
    { "count", 1, 1, CALL_REDUCE, 0, OP_NEXT_COUNT, true },
    { "len", 1, 1, CALL_LENGTH, 0, 0, false },
    { "eq", 2, 2, CALL_COMPARE, EXPR_EQ, 0, false },
    { "ne", 2, 2, CALL_COMPARE, EXPR_NE, 0, false },
    { "lt", 2, 2, CALL_COMPARE, EXPR_LT, 0, false },
    { "le", 2, 2, CALL_COMPARE, EXPR_LE, 0, false },
    { "gt", 2, 2, CALL_COMPARE, EXPR_GT, 0, false },
    { "ge", 2, 2, CALL_COMPARE, EXPR_GE, 0, false },
    { "pick", 3, 3, CALL_PICK, 0, 0, true },
    { "is", 2, 2, CALL_IS, EXPR_EQ, 0, false },
};

const expr_function *expr_find_function(expr_parser *p, size_t begin, size_t end)
{
    char name[64], hint[96];
    expr_words known = { .length = 0 };
    did_you_mean_names names = { .count = 0 };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        const bool here = functions[i].kind != CALL_IS || p->scope->relaxed;
        if (here && strlen(functions[i].name) == end - begin &&
            memcmp(functions[i].name, p->text + begin, end - begin) == 0)
            return &functions[i];
        if (functions[i].kind == CALL_IS) /* nobody types it */
            continue;
        did_you_mean_add(&names, functions[i].name);
        expr_list_word(&known, functions[i].name);
    }
    expr_quoted(name, sizeof name, p->text, begin, end);
    return expr_complain(p, begin, "unknown function '%s'%s; known: %s", name,
                         expr_suggested(&names, name, hint, sizeof hint), known.text);
}

static expr_node *make_reduction(expr_parser *p, const expr_function *f, expr_node *a)
{
    char wanted[96];
    snprintf(wanted, sizeof wanted, "%s() of one argument takes a vector", f->name);
    if (f->kind == CALL_LENGTH) {
        if (!a->vector)
            return expr_mistyped(p, a, wanted);
        return make_scalar_of(p->tree, NODE_LENGTH, BASE_INT, a, a->begin, a->end);
    }
    const bool truths = f->truths && a->base == BASE_BOOL && a->vector;
    if (!truths && !want_integers(p, a, wanted))
        return NULL;
    if (!a->vector)
        return expr_mistyped(p, a, wanted);
    expr_node *n = make_scalar_of(p->tree, NODE_REDUCE, BASE_INT, a, a->begin, a->end);
    n->detail = f->reduce;
    n->fallible = n->fallible || f->kind == CALL_EXTREME; /* an empty vector has no minimum or maximum */
    return n;
}

/* each(a) or any(a) */
static expr_node *make_quantified(expr_parser *p, const expr_function *f, expr_node *a)
{
    char wanted[96];
    snprintf(wanted, sizeof wanted, "%s() takes a comparison of a vector, such as %s(size > 1)", f->name, f->name);
    if (a->base != BASE_BOOL)
        return expr_mistyped(p, a, wanted);
    if (!a->vector)
        return expr_complain(p, a->begin, "%s, and this compares none: write it without %s()", wanted, f->name);
    return make_quantifier(p, (expr_kind)f->reduce, a);
}

static expr_node *make_absolute(expr_parser *p, expr_node *a)
{
    expr_node *n = make(p->tree, NODE_ABS, BASE_INT, a->begin, a->end);
    n->a = a;
    return join(p, n, a) ? n : NULL;
}

static expr_node *make_pick(expr_parser *p, expr_node *a, expr_node *b, expr_node *c)
{
    if (a->base != BASE_BOOL && !want_integers(p, a, "pick() chooses by a truth value, an integer or a vector"))
        return NULL;
    if (!comparable(p, b, c, false))
        return NULL;
    if (b->base == BASE_BOOL)
        return expr_mistyped(p, b, "pick() takes integers or vectors");
    expr_node *n = make(p->tree, NODE_PICK, b->base, a->begin, c->end);
    n->a = a;
    n->b = b;
    n->c = c;
    n->domain = b->domain;
    return join(p, n, a) && join(p, n, b) && join(p, n, c) ? n : NULL;
}

static expr_node *make_equal(expr_parser *p, expr_node *a, int64_t value)
{
    return make_binary(p, EXPR_EQ, BASE_BOOL, a, expr_make_integer(p, value, a->begin, a->end));
}

/* is(v, "4.1"): v has two elements, 4 and 1. The length comes first: to read an element that is missing is an error. */
static expr_node *make_is_list(expr_parser *p, expr_node *v, const expr_node *list)
{
    const char *at = list->word, *end = list->word + list->word_length;
    int64_t elements[EXPR_MAX_LENGTH];
    uint32_t count = 0;
    bool fine = at < end;
    while (fine && at < end) {
        char *behind = NULL;
        fine = count < EXPR_MAX_LENGTH && (*at == '-' || (*at >= '0' && *at <= '9'));
        if (fine)
            elements[count++] = strtoll(at, &behind, 10);
        fine = fine && behind > at && behind <= end && (behind == end || (*behind == '.' && behind + 1 < end));
        at = fine ? behind + (behind < end) : end;
    }
    if (!fine)
        return expr_complain(p, list->begin, "'%.*s' is no list of integers such as 4.1", (int)list->word_length,
                             list->word);
    expr_node *n = make_equal(p, make_scalar_of(p->tree, NODE_LENGTH, BASE_INT, v, v->begin, v->end), count);
    for (uint32_t k = 0; n && k < count; ++k) {
        expr_node *element = expr_make_index(p, v, expr_make_integer(p, k + 1, v->begin, v->end));
        expr_node *same = element ? make_equal(p, element, elements[k]) : NULL;
        n = same ? expr_conjunction(p->tree, n, same) : NULL;
    }
    return n;
}

static expr_node *make_is(expr_parser *p, expr_node *a, expr_node *b)
{
    if (a->vector && a->base == BASE_INT && b->kind == NODE_CONSTANT && b->base == BASE_SYMBOL && !b->bare)
        return make_is_list(p, a, b);
    expr_node *n = comparable(p, a, b, false) ? make_binary(p, EXPR_EQ, BASE_BOOL, a, b) : NULL;
    return n && n->vector ? make_quantifier(p, NODE_EACH, n) : n;
}

static expr_node *make_call(expr_parser *p, const expr_function *f, expr_node **arguments, int count)
{
    expr_node *a = arguments[0], *b = arguments[1], *c = arguments[2];
    char wanted[96];
    snprintf(wanted, sizeof wanted, "%s() takes integers or vectors", f->name);
    switch (f->kind) {
    case CALL_ABS:
        if (!want_integers(p, a, wanted))
            return NULL;
        return make_absolute(p, a);
    case CALL_EXTREME:
        if (count == 1)
            return make_reduction(p, f, a);
        if (!want_integers(p, a, wanted) || !want_integers(p, b, wanted))
            return NULL;
        return make_binary(p, (expr_binary)f->binary, BASE_INT, a, b);
    case CALL_REDUCE:
    case CALL_LENGTH: return make_reduction(p, f, a);
    case CALL_COMPARE:
        if (!comparable(p, a, b, f->binary != EXPR_EQ && f->binary != EXPR_NE))
            return NULL;
        return make_binary(p, (expr_binary)f->binary, BASE_INT, a, b);
    case CALL_PICK: return make_pick(p, a, b, c);
    case CALL_QUANTIFY: return make_quantified(p, f, a);
    case CALL_IS: return make_is(p, a, b);
    }
    return NULL;
}

expr_node *expr_make_call(expr_parser *p, const expr_function *f, expr_node **arguments, int count, size_t begin)
{
    if (count < f->least || count > f->most)
        return expr_complain(p, begin, "%s() takes %d%s argument%s, not %d", f->name, f->least,
                             f->most > f->least ? " or 2" : "", f->most > 1 ? "s" : "", count);
    expr_node *n = make_call(p, f, arguments, count);
    if (n) {
        n->begin = begin;
        n->end = p->previous_end;
    }
    return n;
}

expr_node *expr_finish(expr_parser *p, expr_node *n)
{
    if (n->partial)
        return expr_mistyped(p, n, "after 'c and x' comes 'or y'");
    if (n->decimal && n->base == BASE_SYMBOL) {
        double number = 0;
        decimal_read(n->word, n->word_length, &number);
        n->value = decimal_key(number);
        n->base = BASE_ENUMERATED;
    }
    if (n->base == BASE_SYMBOL)
        return expr_mistyped(p, n, "a string is there to be compared with a name");
    return n;
}
