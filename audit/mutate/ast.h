/* SPDX-License-Identifier: Apache-2.0 */
/* clang's syntax tree of one C file, as `clang -Xclang -ast-dump=json` tells it, with each node's place in the text. */
#ifndef TOUCHSTONE_AST_H
#define TOUCHSTONE_AST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct ast_node {
    const char *kind;   /* "BinaryOperator" */
    const char *opcode; /* of operators, else "" */
    const char *cast;   /* of casts: "IntegralCast", else "" */
    const char *type;   /* without typedefs, else "" */
    const char *name;   /* of declarations and references to them, else "" */
    const char *value;  /* of literals, else "" */
    bool postfix;       /* of ++ and -- */
    bool placed;        /* it has text of its own: [begin, end) in the file */
    bool macro;         /* it comes out of a macro, whose whole use is [begin, end) */
    bool is_static;     /* a variable that lives as long as the program */
    bool enumerator;    /* a reference to one */
    size_t begin, end;
    struct ast_node *parent;
    size_t count;
    struct ast_node **inner; /* an absent part of a statement is a node of kind "" */
} ast_node;

typedef struct ast_file {
    char *path; /* as given */
    char *text; /* of the file, NUL-terminated */
    size_t length;
    json_t *json;
    ast_node *root; /* inner: the declarations that stand in the file itself */
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

/* Read the C file and its tree. NULL with a message on standard error. */
ast_file *ast_read(const char *path, const char *json_path);
void ast_free(ast_file *f);

/* Line and column of an offset, counted from 1. */
void ast_place(const ast_file *f, size_t offset, unsigned *line, unsigned *column);

/* The expression inside parentheses and implicit casts. */
const ast_node *ast_strip(const ast_node *n);

/* How wide an integer type is in bits, and whether it is signed; 0 where it is none. */
unsigned ast_integer(const char *type, bool *is_signed);

#endif
