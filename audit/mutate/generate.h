/* SPDX-License-Identifier: Apache-2.0 */
/* The generator of mutation schemata: from a reference file and its syntax tree to a copy of the file in which every
   place that can be mutated asks schemata.h which mutant it is to be. */
#ifndef TOUCHSTONE_GENERATE_H
#define TOUCHSTONE_GENERATE_H

#include "audit/mutate/ast.h"

#include <stdint.h>
#include <stdio.h>

/* A mutant as the generated table tells it (mutants.h). Strings are owned. */
typedef struct generate_mutant {
    char *id, *file, *function, *original;
    unsigned line;
    bool table;
} generate_mutant;

typedef struct generator {
    const ast_file *file;
    const char *name;     /* of the file, counted from reference/ */
    const char *function; /* at hand */
    generate_mutant *mutants;
    size_t capacity;
    uint32_t count;
    unsigned serial; /* of the variables that generated expressions declare */
    bool failed;     /* memory was out */
} generator;

/* Write the copy of a file; its mutants are added to g. */
void generate_file(generator *g, const ast_file *file, const char *name, FILE *out);

/* Add a mutant: its number. `at` is the offset that its id names. `n` is what is replaced. */
uint32_t generate_add(generator *g, const ast_node *n, size_t at, const char *kind, const char *replacement);

void generate_free(generator *g);

/* ---- between the generator's files ---- */

/* Write a node, mutated. Returns the offset behind what was written, a statement's semicolon included. */
size_t emit_node(generator *g, const ast_node *n, FILE *out);

/* Write a node's text as it is. */
size_t emit_text(const generator *g, const ast_node *n, FILE *out);

/* Write a node's text with its inner nodes mutated. */
size_t emit_inner(generator *g, const ast_node *n, FILE *out);

/* Write an expression with its own mutants (mutate.c). False where it has none: nothing was written. */
bool mutate_expression(generator *g, const ast_node *n, FILE *out);

/* Is this the variable of a table whose values are mutated (table.c)? Then write its declaration so that it can be
   changed, and note its mutants; table_patches writes how each changes it. */
bool table_is(const ast_node *n);
size_t table_emit(generator *g, const ast_node *n, FILE *out, FILE *patches);

#endif
