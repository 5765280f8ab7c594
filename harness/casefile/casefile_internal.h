/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that load case files: casefile.c loads a file, casefile_axes.c reads axes, casefile_space.c
   tests, casefile_bind.c bindings, casefile_example.c examples. */
#ifndef TOUCHSTONE_CASEFILE_INTERNAL_H
#define TOUCHSTONE_CASEFILE_INTERNAL_H

#include "harness/casefile/casefile.h"
#include "harness/casefile/casefile_draw.h"
#include "harness/casefile/casefile_lua.h"

#include <limits.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A growing list of values; owned. */
typedef struct value_list {
    int64_t *items;
    size_t count, capacity;
} value_list;

/* One axis as declared for the operator, with every name that it or a test gives to a value. */
typedef struct declared_axis {
    const char *name;        /* lives in the Lua state, */
    const char *description; /* as does this; or NULL */
    int line;
    int per; /* as in space_axis */
    uint32_t fixed;
    bool position;
    value_list values;
    const char *symbols[96];
    int64_t symbol_values[96];
    size_t symbol_count;
    bool numbers; /* as in space_axis */
} declared_axis;

typedef struct loader {
    lua_State *lua;
    const char *path;
    const char *wanted; /* the operator, of a file that is a family; or NULL */
    case_file *file;
    sandbox *box;
    case_family *family; /* whose declarations are read */
    declared_axis axes[SPACE_MAX_AXES];
    size_t axis_count;
    uint64_t class_slots; /* of the drawn test that is read */
    bool built;
    error *e;
} loader;

/* Set the message with file and line in front of it. Returns false. */
bool casefile_fail(loader *l, int line, const char *format, ...) ERROR_PRINTF(3, 4);

/* An axis by name: its number, or -1. */
int casefile_axis(const loader *l, const char *name);

/* "rank, dtype, size" for messages. */
const char *casefile_axis_names(const loader *l, char *buf, size_t size);

/* A field of the table on top of the stack: a string that lives as long as the state, or NULL; an integer, or 0. */
const char *casefile_string(lua_State *L, const char *field);
int casefile_int(lua_State *L, const char *field);

/* Append the values of the (nested) list on top of the stack. */
bool casefile_values(loader *l, const declared_axis *a, int line, value_list *values);

/* Each reads its part of the record, which is on top of the stack. */
bool casefile_read_axes(loader *l);
bool casefile_read_test(loader *l, int record, case_test *t);

/* The first test of the same family before t that is not made of examples, or NULL. It has the same axes. */
const case_test *casefile_first_of_family(const case_test *t);
/* The words of a drawn test; the definition is on top of the stack. */
bool casefile_read_draw(loader *l, int line, case_test *t);
/* After the bindings are read: do the class axes of a drawn test decide which cases a backend supports? */
bool casefile_check_draw(loader *l, int line, const case_test *t);
bool casefile_read_bindings(loader *l, const expr_scope *scope);
/* After they are read: a test of legal cases is of data types that are judged, or of such that are not. */
bool casefile_check_types(loader *l, int line, const case_test *t);
bool casefile_read_change(loader *l, int line, case_test *t, const expr_scope *scope);
/* After the bindings of the test are read: the names of what they bind, for queries. */
bool casefile_name_bindings(loader *l, case_test *t);
/* The same for the test of the examples. */
bool casefile_name_examples(loader *l, case_test *t);
bool casefile_read_example(loader *l, case_example *x);

void casefile_free_bindings(case_bindings *b);

/* Make the space of the examples: which example, and with which data type. */
bool casefile_example_test(loader *l, case_test *t);

#endif
