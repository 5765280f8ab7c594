/* SPDX-License-Identifier: Apache-2.0 */
/* The generator of mutants: from a file of the reference or of a kernel and its syntax tree it makes a copy of the file
   in which every place that can be mutated checks at run time which mutant is selected (schemata.h). */
#ifndef TOUCHSTONE_GENERATE_H
#define TOUCHSTONE_GENERATE_H

#include "audit/mutate/ast.h"

#include <stdint.h>
#include <stdio.h>

/* A mutant, as the generated table describes it (mutants.h). It owns the strings. */
typedef struct generate_mutant {
    char *id, *file, *function, *original;
    unsigned line;
    bool table, kernel;
} generate_mutant;

typedef struct generator {
    const ast_file *file;
    const char *name; /* path of the file, relative to reference/; of a kernel, to audit/ */
    bool kernel;
    const char *function; /* the current function */
    generate_mutant *mutants;
    size_t capacity;
    uint32_t count;
    unsigned serial; /* next serial number for variables of generated expressions */
    bool failed;     /* out of memory */
} generator;

/* Write the copy of a file, and add its mutants to g. */
void generate_file(generator *g, const ast_file *file, const char *name, FILE *out);

/* Add a mutant that replaces n and return its number. Its id has the line and column of the offset `at`. */
uint32_t generate_add(generator *g, const ast_node *n, size_t at, const char *kind, const char *replacement);

void generate_free(generator *g);

/* ---- shared by the files of the generator ---- */

/* Write a node with its mutants. Returns the offset after the written text, including the semicolon of a statement. */
size_t emit_node(generator *g, const ast_node *n, FILE *out);

/* Write a node's text unchanged. */
size_t emit_text(const generator *g, const ast_node *n, FILE *out);

/* Write a node's text, with the mutants of its inner nodes. */
size_t emit_inner(generator *g, const ast_node *n, FILE *out);

/* Write an expression with its mutants (expressions.c). False if it has none: then nothing was written. */
bool mutate_expression(generator *g, const ast_node *n, FILE *out);

/* Is this the variable of a table whose values are mutated (tables.c)? */
bool table_is(const ast_node *n);

/* Write the declaration of such a table so that the table can be changed, add its mutants, and write to `patches` how
   each changes the table. Returns the offset after the declaration. */
size_t table_emit(generator *g, const ast_node *n, FILE *out, FILE *patches);

#endif
