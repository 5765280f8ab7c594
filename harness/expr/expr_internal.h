/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of this room: expr_parse.c turns text into a tree, whose nodes expr_make.c checks;
   expr_generate.c turns the tree into instructions, which expr_eval.c runs; expr_message.c words the errors. */
#ifndef TOUCHSTONE_EXPR_INTERNAL_H
#define TOUCHSTONE_EXPR_INTERNAL_H

#include "harness/expr/expr.h"
#include "harness/base/did_you_mean.h"

#define EXPR_MAX_TEXT    4096 /* characters of an expression */
#define EXPR_MAX_NESTING 64   /* parentheses, calls, indexes and unary operators inside each other */
#define EXPR_MAX_STACK   64   /* values that an evaluation keeps at once */

static inline int64_t floor_divide(int64_t left, int64_t right)
{
    if (right == -1) /* INT64_MIN // -1 traps on some machines, and wraps in Lua. */
        return (int64_t)(0 - (uint64_t)left);
    int64_t quotient = left / right;
    return quotient - (left % right != 0 && (left < 0) != (right < 0));
}

static inline int64_t floor_modulo(int64_t left, int64_t right)
{
    if (right == -1)
        return 0;
    int64_t remainder = left % right;
    return remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder;
}

/* Operators of two integers: name, when it fails, what it gives. Additions wrap as Lua's do, hence the casts. */
#define EXPR_BINARY_OPERATORS(X)                                                                                       \
    X(ADD, false, (int64_t)((uint64_t)left + (uint64_t)right))                                                         \
    X(SUBTRACT, false, (int64_t)((uint64_t)left - (uint64_t)right))                                                    \
    X(MULTIPLY, false, (int64_t)((uint64_t)left * (uint64_t)right))                                                    \
    X(DIVIDE, right == 0, floor_divide(left, right))                                                                   \
    X(MODULO, right == 0, floor_modulo(left, right))                                                                   \
    X(EQ, false, left == right)                                                                                        \
    X(NE, false, left != right)                                                                                        \
    X(LT, false, left < right)                                                                                         \
    X(LE, false, left <= right)                                                                                        \
    X(GT, false, left > right)                                                                                         \
    X(GE, false, left >= right)                                                                                        \
    X(MIN, false, left < right ? left : right)                                                                         \
    X(MAX, false, left > right ? left : right)

typedef enum expr_binary {
#define X(name, fails, result) EXPR_##name,
    EXPR_BINARY_OPERATORS(X)
#undef X
} expr_binary;

/* Where a binary instruction finds its right operand; the left one is always on the stack. */
typedef enum expr_operand { OPERAND_STACK, OPERAND_ELEMENT, OPERAND_SCALAR, OPERAND_CONSTANT } expr_operand;

typedef enum expr_opcode {
/* A binary operator is four opcodes, in the order of expr_operand: 4 * expr_binary + expr_operand. */
#define X(name, fails, result) OP_##name, OP_##name##_ELEMENT, OP_##name##_SCALAR, OP_##name##_CONSTANT,
    EXPR_BINARY_OPERATORS(X)
#undef X
        OP_ELEMENT, /* push values[slot].v[k] */
    OP_SCALAR,      /* push values[slot].v[0] */
    OP_CONSTANT,    /* push value */
    OP_NEGATE,
    OP_ABS,
    OP_NOT,
    OP_PICK,        /* c x y -> c ? x : y */
    OP_DROP,        /* x -> */
    OP_COPY,        /* x -> x x */
    OP_UNDER,       /* drop as many as value under the top */
    OP_STACK,       /* push what lies at place value of the stack */
    OP_JUMP,        /* go to target */
    OP_JUMP_FALSE,  /* c -> ; if c is 0 go to target */
    OP_AND,         /* if the top is 0 go to target, else drop it */
    OP_OR,          /* if the top is not 0 go to target, else drop it */
    OP_FACTS,       /* compute the facts of the case; from here on, values include them */
    OP_LENGTH,      /* push values[slot].length */
    OP_SAME_LENGTH, /* fail unless values[slot] and values[value] are equally long */
    OP_INDEX,       /* i -> values[slot].v[i - 1] */
    OP_IN_RANGE,    /* fail unless the top is an index of values[slot] */
    OP_AT,          /* i -> k; go on with element i - 1 of vectors as long as values[slot] */
    OP_BACK,        /* k x -> x; go on with element k */
    /* A loop keeps k, its length and a value so far on the stack, above them the value of its body. */
    OP_LOOP,          /* open a loop over the elements of slot, starting with value; at target where there are none */
    OP_LOOP_NONEMPTY, /* the same, and fail where there are none */
    OP_NEXT_ALL,      /* close: the body at target again, or the result; this one ends at the first 0 */
    OP_NEXT_ALL_EAGER,
    OP_NEXT_ANY, /* the same, and ends at the first that is not 0 */
    OP_NEXT_ANY_EAGER,
    OP_NEXT_SUM,
    OP_NEXT_PRODUCT,
    OP_NEXT_COUNT,
    OP_NEXT_MIN,
    OP_NEXT_MAX,
    OP_NEXT_SELECT, /* the i-th value of the body, where i lies at place value of the stack */
    OP_RETURN
} expr_opcode;

typedef struct expr_instruction {
    uint16_t opcode;
    uint16_t slot;
    uint32_t target;
    int64_t value;
} expr_instruction;

#define EXPR_USES_FACTS (UINT64_C(1) << 63) /* in the `uses` of a node: it reads facts */
#define EXPR_SHAPES     63                  /* slots of vectors are less than this */

struct expr {
    expr_facts *facts;      /* that it reads, or NULL */
    const expr_name *names; /* of the scope that they are computed from; only with facts */
    size_t name_count;
    expr_type type;
    int per;
    uint64_t uses;
    bool elementwise;
    bool number; /* its values are keys of decimal numbers */
    int domain;
    char *text;
    int name;               /* the slot that is all of it, or -1: most bindings are a name */
    expr_instruction *code; /* what expr_eval runs starts here, */
    size_t element;         /* and here what expr_eval_at runs */
};

typedef enum expr_kind {
    NODE_CONSTANT, /* an integer, or a string until its enumeration is known */
    NODE_NAME,
    NODE_NEGATE,
    NODE_ABS,
    NODE_NOT,
    NODE_BINARY, /* operator: a, b */
    NODE_IN,     /* a, and a list that starts at b */
    NODE_EACH,   /* a holds for every k */
    NODE_ANY,    /* a holds for some k */
    NODE_AND,
    NODE_OR,
    NODE_PICK,   /* a, b, c */
    NODE_REDUCE, /* opcode OP_NEXT_...: a */
    NODE_INDEX,  /* a[b] */
    NODE_LENGTH  /* len(a) */
} expr_kind;

typedef enum expr_base { BASE_INT, BASE_BOOL, BASE_ENUMERATED, BASE_SYMBOL } expr_base;

typedef struct expr_node expr_node;
struct expr_node {
    expr_kind kind;
    expr_base base;
    bool vector;    /* one value per element; per says of what */
    bool partial;   /* `c and x`: x or false, waiting for its `or y` */
    bool pure;      /* element k depends on elements k alone; a scalar: no vector is used at all */
    bool spread;    /* one truth value that holds if and only if it holds at each k; of vectors of this per */
    bool fallible;  /* may fail, so it may not be skipped where Lua would compute it */
    bool bare;      /* a string written without quotes */
    bool decimal;   /* a string that is a decimal number written without quotes */
    int per;        /* -1: none */
    int domain;     /* enumerated: the slot whose values they are */
    int detail;     /* the expr_binary of a NODE_BINARY, the expr_opcode of a NODE_REDUCE, the slot of a NODE_NAME */
    int hoisted;    /* while its loop is generated: 1 + its place on the stack; 0: none */
    uint64_t uses;  /* slots */
    uint64_t shape; /* vector slots whose common length is this vector's */
    int64_t value;
    const char *word; /* a string's text */
    size_t word_length;
    size_t begin, end; /* the source text */
    expr_node *a, *b, *c;
    expr_node *next; /* in a list */
};

typedef struct expr_tree {
    expr_node *nodes; /* all of them, in one allocation */
    size_t used, capacity;
    expr_node *root;
} expr_tree;

typedef struct expr_parser {
    const char *text;
    const expr_scope *scope;
    const char *where;
    error *e;
    expr_tree *tree;
    int nesting;
    int by_element;  /* so many calls around it take a truth value by element: a comparison of vectors gives one */
    int quantifiers; /* so many of them are each() or any() */
    /* The token to be looked at next, and where the one before it ended. */
    int token;
    size_t begin, end, previous_end;
    int64_t integer;
} expr_parser;

#define EXPR_MAX_ARGUMENTS 3

typedef struct expr_function {
    const char *name;
    int least, most; /* arguments */
    enum { CALL_ABS, CALL_EXTREME, CALL_REDUCE, CALL_LENGTH, CALL_COMPARE, CALL_PICK, CALL_QUANTIFY, CALL_IS } kind;
    int binary;  /* the expr_binary of two arguments */
    int reduce;  /* the expr_opcode of one, or the expr_kind of a CALL_QUANTIFY */
    bool truths; /* the first argument may be a truth value by element */
} expr_function;

/* ---- expr_parse.c ---------------------------------------------------------------------------------------------- */

/* Parse and check. False on error; the caller frees tree->nodes in either case. */
bool expr_parse(expr_tree *tree, const char *text, const expr_scope *scope, const char *where, error *e);

/* Replace each alias of a query by its expression in parentheses. The caller frees the text; NULL: there is none in it,
   or the result would be too long, so that the alias is an unknown name. *failed is set where memory is out. */
char *expr_expand(const char *text, const expr_scope *scope, bool *failed);

bool expr_is_keyword(const char *word, size_t length);

/* ---- expr_message.c ---------------------------------------------------------------------------------------------- */

/* Copy text[begin, end) for a message: what cannot be printed becomes '?', what is too long loses its middle. */
const char *expr_quoted(char *buffer, size_t size, const char *text, size_t begin, size_t end);

/* Set the message, with the expression (of a long one the neighbourhood) and the column of `at`. Returns NULL, as do
   all that complain. */
void *expr_complain(expr_parser *p, size_t at, const char *format, ...) ERROR_PRINTF(3, 4);

/* Complain that text[begin, end) is no name of the scope; that a symbol is no value of an enumeration; that n is not
   what `wanted` says. A bare word that found no enumeration was meant to be a name. */
void *expr_unknown_name(expr_parser *p, size_t begin, size_t end);
void *expr_unknown_symbol(expr_parser *p, const expr_node *symbol, const expr_name *domain);
void *expr_mistyped(expr_parser *p, const expr_node *n, const char *wanted);

/* Complain that text[begin, end) compares a vector and does not say for which elements it has to hold. */
void *expr_unquantified(expr_parser *p, size_t begin, size_t end);

/* What n is: "a vector". */
const char *expr_described(const expr_node *n);

/* A string without quotes among those that n chooses from, or NULL. */
const expr_node *expr_bare_word(const expr_node *n);

/* A list of words for a message, or a part of it that fits. */
typedef struct expr_words {
    char text[400];
    size_t length;
    bool full;
} expr_words;
void expr_list_word(expr_words *list, const char *word);

/* " (did you mean 'window'?)", or nothing. */
const char *expr_suggested(const did_you_mean_names *known, const char *word, char *buffer, size_t size);

/* ---- expr_make.c: what the parser builds. NULL on error, with the message set ------------------------------------ */

expr_node *expr_make_integer(expr_parser *p, int64_t value, size_t begin, size_t end);
expr_node *expr_make_symbol(expr_parser *p, bool bare, size_t begin, size_t end); /* has yet to find its enumeration */
expr_node *expr_make_decimal(expr_parser *p, size_t begin, size_t end);
expr_node *expr_make_name(expr_parser *p, size_t begin, size_t end);
expr_node *expr_make_negative(expr_parser *p, expr_node *a, size_t begin);
expr_node *expr_make_not(expr_parser *p, expr_node *a, size_t begin);
expr_node *expr_make_arithmetic(expr_parser *p, expr_binary operation, expr_node *a, expr_node *b);
expr_node *expr_make_comparison(expr_parser *p, expr_binary operation, expr_node *a, expr_node *b);
expr_node *expr_make_and(expr_parser *p, expr_node *a, expr_node *b);
expr_node *expr_make_or(expr_parser *p, expr_node *a, expr_node *b);
expr_node *expr_make_index(expr_parser *p, expr_node *a, expr_node *index);
expr_node *expr_make_in(expr_parser *p, expr_node *x, expr_node *list);
expr_node *expr_make_call(expr_parser *p, const expr_function *f, expr_node **arguments, int count, size_t begin);
const expr_function *expr_find_function(expr_parser *p, size_t begin, size_t end);

/* The whole expression: n, if it is something by itself. */
expr_node *expr_finish(expr_parser *p, expr_node *n);

/* The two joined by 'and', both truth values. */
expr_node *expr_conjunction(expr_tree *tree, expr_node *a, expr_node *b);

/* ---- expr_generate.c ------------------------------------------------------------------------------------------- */

/* Make x->code from the tree; the rest of x is there. */
bool expr_generate(expr *x, expr_node *n, error *e);

#endif
