/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/mutate/ast.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ------------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Is a place in this file? clang marks places in other files with "includedFrom". */
static bool is_here(const json_t *place)
{
    return json_object_get(place, "offset") && !json_object_get(place, "includedFrom");
}

/* Skip the arguments of a macro's use, if it has any. */
static size_t past_arguments(const ast_file *f, size_t at)
{
    size_t open = at;
    int depth = 0;
    while (isspace((unsigned char)f->text[open]))
        ++open;
    if (f->text[open] != '(')
        return at;
    for (; f->text[open]; ++open) {
        depth += f->text[open] == '(';
        depth -= f->text[open] == ')';
        if (depth == 0)
            return open + 1;
    }
    return at;
}

#define NO_MACRO SIZE_MAX

/* Determine the offset of one end of a range and, if it comes from a macro, the offset of the macro's use. An argument
   of a macro is where the source has it. */
static bool resolve(const ast_file *f, const json_t *place, bool end, size_t *offset, size_t *macro)
{
    const json_t *expansion = json_object_get(place, "expansionLoc");
    const json_t *spelling = json_object_get(place, "spellingLoc");
    const json_t *at = place;
    *macro = NO_MACRO;
    if (expansion) {
        bool argument = json_is_true(json_object_get(expansion, "isMacroArgExpansion")) && is_here(spelling);
        at = argument ? spelling : expansion;
        if (!argument)
            *macro = (size_t)json_integer_value(json_object_get(at, "offset"));
    }
    if (!is_here(at))
        return false;
    *offset = (size_t)json_integer_value(json_object_get(at, "offset"));
    if (end)
        *offset += (size_t)json_integer_value(json_object_get(at, "tokLen"));
    if (end && *macro != NO_MACRO)
        *offset = past_arguments(f, *offset);
    return *offset <= f->length;
}

void ast_place(const ast_file *f, size_t offset, unsigned *line, unsigned *column)
{
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < offset && f->text[i]; ++i) {
        ++*column;
        if (f->text[i] == '\n') {
            ++*line;
            *column = 1;
        }
    }
}

/* ---- the tree ----------------------------------------------------------------------------------------------- */

static ast_node *read_node(const ast_file *f, const json_t *object, ast_node *parent)
{
    ast_node *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    const json_t *type = json_object_get(object, "type"), *range = json_object_get(object, "range");
    const json_t *inner = json_object_get(object, "inner");
    size_t first = 0;
    if (!inner && (inner = json_object_get(object, "array_filler")))
        first = 1; /* the filler of the rest precedes the written elements */
    n->parent = parent;
    n->kind = text_of(object, "kind");
    n->opcode = text_of(object, "opcode");
    n->cast = text_of(object, "castKind");
    n->name = text_of(object, "name");
    n->value = text_of(object, "value");
    n->postfix = json_is_true(json_object_get(object, "isPostfix"));
    n->is_static = strcmp(text_of(object, "storageClass"), "static") == 0;
    n->type = text_of(type, "desugaredQualType");
    if (!*n->type)
        n->type = text_of(type, "qualType");
    const json_t *referenced = json_object_get(object, "referencedDecl");
    if (!*n->name)
        n->name = text_of(referenced, "name");
    n->enumerator = strcmp(text_of(referenced, "kind"), "EnumConstantDecl") == 0;
    size_t from, to;
    n->placed = range && resolve(f, json_object_get(range, "begin"), false, &n->begin, &from) &&
                resolve(f, json_object_get(range, "end"), true, &n->end, &to) && n->begin < n->end;
    n->macro = n->placed && from == to && from != NO_MACRO;
    n->inner = calloc(json_array_size(inner) + 1, sizeof *n->inner);
    size_t i;
    json_t *child;
    json_array_foreach(inner, i, child)
    {
        ast_node *c = n->inner && i >= first ? read_node(f, child, n) : NULL;
        if (c)
            n->inner[n->count++] = c;
    }
    return n;
}

static void free_node(ast_node *n)
{
    for (size_t i = 0; n && i < n->count; ++i)
        free_node(n->inner[i]);
    if (n)
        free(n->inner);
    free(n);
}

static bool declared_here(const json_t *declaration)
{
    const json_t *place = json_object_get(declaration, "loc");
    const json_t *expansion = json_object_get(place, "expansionLoc");
    return is_here(expansion ? expansion : place) && !json_is_true(json_object_get(declaration, "isImplicit"));
}

static bool read_text(ast_file *f)
{
    FILE *in = fopen(f->path, "rb");
    long size = -1;
    if (in && fseek(in, 0, SEEK_END) == 0)
        size = ftell(in);
    if (size >= 0 && (f->text = malloc((size_t)size + 1)) != NULL) {
        rewind(in);
        f->length = fread(f->text, 1, (size_t)size, in);
        f->text[f->length] = '\0';
    }
    if (in)
        fclose(in);
    return f->text && f->length == (size_t)size;
}

ast_file *ast_read(const char *path, const char *json_path)
{
    json_error_t e;
    ast_file *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->path = strdup(path);
    f->root = calloc(1, sizeof *f->root);
    if (!f->path || !f->root || !read_text(f)) {
        fprintf(stderr, "mutate: %s: cannot read the file\n", path);
        ast_free(f);
        return NULL;
    }
    f->json = json_load_file(json_path, 0, &e);
    const json_t *all = json_object_get(f->json, "inner");
    if (!json_is_array(all)) {
        fprintf(stderr, "mutate: %s:%d: expected clang's syntax tree as JSON: %s\n", json_path, e.line, e.text);
        ast_free(f);
        return NULL;
    }
    f->root->kind = "TranslationUnitDecl";
    f->root->opcode = f->root->cast = f->root->type = f->root->name = f->root->value = "";
    f->root->inner = calloc(json_array_size(all) + 1, sizeof *f->root->inner);
    size_t i;
    json_t *declaration;
    json_array_foreach(all, i, declaration)
    {
        if (!f->root->inner || !declared_here(declaration))
            continue;
        ast_node *n = read_node(f, declaration, f->root);
        if (n)
            f->root->inner[f->root->count++] = n;
    }
    return f;
}

void ast_free(ast_file *f)
{
    if (!f)
        return;
    free_node(f->root);
    json_decref(f->json);
    free(f->text);
    free(f->path);
    free(f);
}

/* ---- queries ------------------------------------------------------------------------------------------------ */

const ast_node *ast_strip(const ast_node *n)
{
    while (n->count == 1 && (strcmp(n->kind, "ParenExpr") == 0 || strcmp(n->kind, "ImplicitCastExpr") == 0 ||
                             strcmp(n->kind, "ConstantExpr") == 0))
        n = n->inner[0];
    return n;
}

unsigned ast_integer(const char *type, bool *is_signed)
{
    static const struct {
        const char *name;
        unsigned bits;
        bool is_signed;
    } known[] = {
        { "_Bool", 1, false },
        { "unsigned char", 8, false },
        { "signed char", 8, true },
        { "char", 8, true },
        { "unsigned short", 16, false },
        { "short", 16, true },
        { "unsigned int", 32, false },
        { "int", 32, true },
        { "unsigned long", 64, false },
        { "long", 64, true },
        { "unsigned long long", 64, false },
        { "long long", 64, true },
    };
    while (strncmp(type, "const ", 6) == 0)
        type += 6;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (strcmp(type, known[i].name) == 0) {
            *is_signed = known[i].is_signed;
            return known[i].bits;
        }
    return 0;
}
