/* SPDX-License-Identifier: Apache-2.0 */
/* clang's syntax tree of one C file, read from `clang -Xclang -ast-dump=json`, with each node's place in the text. */
#ifndef TOUCHSTONE_AST_H
#define TOUCHSTONE_AST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct ast_node {
    const char *kind;   /* "BinaryOperator" */
    const char *opcode; /* of operators, otherwise "" */
    const char *cast;   /* of casts: "IntegralCast", otherwise "" */
    const char *type;   /* without typedefs, otherwise "" */
    const char *name;   /* of declarations and references to them, otherwise "" */
    const char *value;  /* of literals, otherwise "" */
    bool postfix;       /* of ++ and -- */
    bool placed;        /* it has text [begin, end) in this file */
    bool macro;         /* it is the expansion of a macro, whose use is [begin, end) */
    bool is_static;     /* a variable of static storage duration */
    bool enumerator;    /* a reference to an enumerator */
    size_t begin, end;
    struct ast_node *parent;
    size_t count;
    struct ast_node **inner; /* an absent part of a statement is a node of kind "" */
} ast_node;

typedef struct ast_file {
    char *path; /* as passed to ast_read() */
    char *text; /* of the file, NUL-terminated */
    size_t length;
    json_t *json;
    ast_node *root; /* inner: the declarations of this file, without included ones */
} ast_file;

/* Is the node of a kind such as "CallExpr"? */
static inline bool ast_is(const ast_node *n, const char *kind)
{
    return strcmp(n->kind, kind) == 0;
}

/* Is the node an operator such as "+="? */
static inline bool ast_is_operator(const ast_node *n, const char *opcode)
{
    return strcmp(n->opcode, opcode) == 0;
}

/* Read a C file and its tree. NULL after an error, with a message on standard error. Free it with ast_free(). */
ast_file *ast_read(const char *path, const char *json_path);
void ast_free(ast_file *f);

/* Line and column of an offset, counted from 1. */
void ast_place(const ast_file *f, size_t offset, unsigned *line, unsigned *column);

/* The expression inside parentheses and implicit casts. */
const ast_node *ast_strip(const ast_node *n);

/* The width of an integer type in bits and its signedness; 0 if the type is not an integer. */
unsigned ast_integer(const char *type, bool *is_signed);

#endif
