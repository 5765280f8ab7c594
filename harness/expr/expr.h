/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions: predicates and bindings of case files, compiled once to a small bytecode and evaluated per case.
 *
 * The language is a subset of Lua's expressions: integers, decimal numbers, strings (names of enumerated values), names,
 * indexing v[i] (from 1), + - * // % and unary -, == ~= < <= > >=, and or not, parentheses, and calls of the functions below.
 * A string that compiles here is valid Lua and means the same there, with exceptions for queries typed by people
 * (`relaxed`): `x in {a, b}`, `x not in {a, b}`, bare words for enumerated values, also such as 4_1, and names that are
 * keywords of Lua. Everywhere else such a name takes a trailing underscore: `end_`. A query also has the aliases of its
 * scope, each of which stands for an expression in parentheses, and its facts, which are computed from a whole case.
 *
 * Types: an integer (64-bit, wrapping as Lua's), a vector (one integer per dimension of something, "per"), a truth
 * value. Arithmetic of a vector and an integer, or of two vectors with the same `per`, is by element.
 * A comparison of a vector has a truth value for each element, and stands only where one of these functions takes it:
 *   each(c)  c holds for every element. True if there are none.
 *   any(c)   c holds for at least one element. False if there are none.
 *   count(c), pick(c, x, y)  below.
 * Inside of them `not`, `and`, `or`, == and ~= of truth values are by element, too, and vectors have the same `per`.
 * each() and any() do not nest. Everywhere else a comparison of a vector is an error, which shows both ways to write
 * it. If some element makes the argument of each() or any() fail, the whole fails, whatever the other elements say;
 * `and` and `or` inside guard: each(size == 0 or 8 // size > 1). `c and x or y`, with one truth value c, is a choice
 * between integers or enumerated values; for vectors, use pick. Enumerated values are compared, also by < and >, with
 * strings and with names of the same enumeration, never with integers. Numbers that need not be integers are enumerated
 * values, too, and are compared as numbers, in whichever way they are written: value < 1.5, value == -0, value == "nan".
 * The whole expression may be an enumerated value; it is then an integer, and a number its key (harness/base/decimal.h).
 * Functions: abs(x), min(v) or min(x, y), max(v) or max(x, y), sum(v), product(v), count(v) (elements that are
 * not 0, or for which a comparison holds), len(v); eq(x, y) ne lt le gt ge (1 or 0, by element, for arithmetic) and
 * pick(c, x, y) (x where c holds or is not 0, else y, by element). is(x, y), in queries, is what their parameters
 * become: x == y, and each(x == y) for a vector; is(v, "4.1") is true of the vector of 4 and 1.
 */
#ifndef TOUCHSTONE_EXPR_H
#define TOUCHSTONE_EXPR_H

#include "harness/base/error.h"

#include <stddef.h>
#include <stdint.h>

#define EXPR_MAX_LENGTH 16 /* elements of a vector */
#define EXPR_MAX_SLOTS  56 /* names of a scope */

/* The value of one slot: v[0..length). */
typedef struct expr_value {
    int64_t v[EXPR_MAX_LENGTH];
    uint32_t length; /* 1 for a scalar */
} expr_value;

/* A name that an expression may use. */
typedef struct expr_name {
    const char *name;
    bool vector;
    int per; /* vectors with the same per have the same length; scalars: -1 */
    /* Enumerated values, or NULL for integers: the value of symbols[i] is symbol_values[i]. */
    const char *const *symbols;
    const int64_t *symbol_values;
    size_t symbol_count;
    bool numbers; /* the symbols are decimal numbers, and their values the keys of these */
} expr_name;

/* A name that stands for an expression over the names of a scope. Only the query dialect reads it. */
typedef struct expr_alias {
    const char *name; /* words joined by dots: "OutputTensor.Sizes" */
    const char *text; /* not of the query dialect */
} expr_alias;

/* Numbers that are computed from the values of all names of a scope, such as the sizes of an output. Only the query
   dialect reads them. Name i is slot `count of the scope` + i. Vectors come before the others. */
typedef struct expr_facts {
    const expr_name *names;
    size_t count;
    /* Compute all of them from the values of the scope. What cannot be computed is 0, or has no elements. */
    void (*compute)(void *context, const expr_value *values, expr_value *facts);
    void *context;
    expr_value *cache; /* the values of the scope, and the facts that follow from them: as many as both have names */
    bool cached;
} expr_facts;

/* The names that an expression may use: name i is slot i. */
typedef struct expr_scope {
    const expr_name *names;
    size_t count;
    bool relaxed; /* the query dialect */
    const expr_alias *aliases;
    size_t alias_count;
    expr_facts *facts; /* or NULL; borrowed by the expressions that read them */
} expr_scope;

typedef enum expr_type { EXPR_INT, EXPR_VECTOR, EXPR_BOOL } expr_type;

typedef struct expr expr;

/* Compile. `where` names the place for messages ("cases/dml/slice1.lua:12"). Errors quote the expression and point
   at the column: unknown name (with the most similar known one), unknown enumerated value (with the known ones),
   mismatched types, two vectors of different per, a syntax error, or an expression that is longer than 4096
   characters, nested deeper than 64 or needs more than 64 values at once. NULL on error. */
expr *expr_compile(const char *text, const expr_scope *scope, const char *where, error *e);

/* Check what needs no scope in an expression of the query dialect: its tokens and the names of its functions. Finds
   mistakes that no scope can cure, before there is one. False on error, with the message of expr_compile. */
bool expr_check_words(const char *text, const char *where, error *e);
void expr_free(expr *x);

expr_type expr_type_of(const expr *x);
int expr_per_of(const expr *x);       /* of a vector; -1 otherwise */
int expr_domain_of(const expr *x);    /* the slot whose enumerated values it has; -1: integers, or truth values */
bool expr_is_number(const expr *x);   /* are its values the keys of decimal numbers? */
uint64_t expr_uses(const expr *x);    /* bit i: slot i is read; a fact reads all names of the scope */
const char *expr_text(const expr *x); /* as given */

/* Does the value of element k of a vector, or of a truth value made of each(), depend on element k of its vectors
 * alone? Such a predicate can be decided dimension by dimension. */
bool expr_elementwise(const expr *x);

/* Evaluate an integer or a truth value (1, 0). *failed (never NULL) is set, and 0 returned, if it divides by zero,
   indexes outside a vector, takes the min or max of no elements or combines vectors of different lengths; it is not
   cleared. A vector fails. */
int64_t expr_eval(const expr *x, const expr_value *values, bool *failed);

/* For many evaluations that differ in the value of the scalar `slot` alone: the expression with all other values put in,
   which is evaluated faster. The caller frees it. It gives what `x` gives, and fails where `x` fails, for any value of
   the slot. It still reads vectors at places that depend on the slot, so that these have to stay as they are. NULL: memory is out, or `x` is a vector, a name, or too long for this; then evaluate `x`. */
expr *expr_residual(const expr *x, const expr_value *values, int slot);

/* Evaluate what expr_residual made for `count` values of the slot, at most EXPR_SERIES: value[k] receives the value for
   first + k, whatever `values` has for the slot. False: one of them fails, or they take too many ways; then evaluate them one by one. */
#define EXPR_SERIES 64
bool expr_series(const expr *residual, const expr_value *values, int64_t first, size_t count, int64_t *value);

/* Why an evaluation with these values fails: "divides by zero". */
const char *expr_why(const expr *x, const expr_value *values);

/* Evaluate element k of a vector expression, or, of an elementwise truth value, its truth at element k; anything else
   is the value of expr_eval, for every k. *failed is set as there, and where a vector has no element k. */
int64_t expr_eval_at(const expr *x, const expr_value *values, uint32_t k, bool *failed);

typedef enum expr_truth { EXPR_FALSE, EXPR_TRUE, EXPR_OPEN, EXPR_FAILED } expr_truth;

/* Decide a truth value while only some values are known: element k of slot i is known if known[i][k] <= level; the
   others are not read. k as in expr_eval_at; -1: as a whole. EXPR_OPEN if it depends on an unknown value; *opens is
   then the level, above `level`, at which to decide it again. */
expr_truth expr_decide(const expr *x, int k, const expr_value *values, const uint8_t (*known)[EXPR_MAX_LENGTH],
                       unsigned level, unsigned *opens);

/* Compile `a and b and c` into its three conjuncts (other expressions into one). Returns the number of conjuncts in
   out, or -1 on error; more than max are an error. A conjunct that can fail may rely on those before it (`rank > 2 and
   size[3] == 1`), so it is compiled together with them: the conjuncts can be evaluated in any order. */
int expr_compile_conjuncts(const char *text, const expr_scope *scope, const char *where, expr **out, int max, error *e);

/* The same, with each conjunct compiled alone. For callers to whom an expression that fails is false: it is true if and
   only if each of these is true and none fails. */
int expr_compile_conditions(const char *text, const expr_scope *scope, const char *where, expr **out, int max,
                            error *e);

#endif
