/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants of the tables that `check` reads: support rows, and which tensors and attributes may be absent. These values
   are constants of the file; selecting a mutant changes the table in memory. */
#include "audit/mutate/generate.h"
#include "harness/model/operator.h"

#include <stdlib.h>
#include <string.h>

/* The values that are mutated: type of the row, and place in it. */
typedef enum what { LEVEL, LEAST, MOST, TYPES, TRUTH } what;
static const struct {
    const char *type, *field;
    size_t part; /* index in the row, or in the row's tensor */
    what what;
} values[] = {
    { "ts_support_row", "level", 0, LEVEL },    { "ts_support_row", "min_dims", 0, LEAST },
    { "ts_support_row", "max_dims", 1, MOST },  { "ts_support_row", "dtypes", 2, TYPES },
    { "ts_tensor_decl", "optional", 3, TRUTH }, { "ts_attr_decl", "optional", 7, TRUTH },
    { "ts_attr_decl", "counts", 8, TRUTH },
};
#define VALUES (sizeof values / sizeof values[0])

static const char *row_type(const ast_node *n)
{
    for (size_t i = 0; i < VALUES; ++i)
        if (strstr(n->type, values[i].type))
            return values[i].type;
    return NULL;
}

bool table_is(const ast_node *n)
{
    return ast_is(n, "VarDecl") && n->is_static && n->count == 1 && strchr(n->type, '[') && row_type(n) &&
           ast_is(n->inner[0], "InitListExpr");
}

/* Add a mutant that changes the value `place` of the table, by addition or by xor. `n` is its place in the text. */
static void patch(generator *g, const ast_node *n, const char *name, const char *place, bool add, uint64_t by,
                  FILE *patches)
{
    uint32_t m = generate_add(g, n, n->begin, "table", name);
    if (!g->failed)
        g->mutants[m].table = true;
    fprintf(patches, "    { %u, &%s, sizeof %s, %d, UINT64_C(%llu) },\n", (unsigned)m, place, place, add,
            (unsigned long long)by);
}

static void patch_level(generator *g, const ast_node *n, const char *place, FILE *patches)
{
    size_t count;
    const ts_level *levels = tensor_levels(&count);
    uint64_t value = strtoull(ast_strip(n)->value, NULL, 10);
    for (size_t i = 0; i < count; ++i)
        if ((i + 1 < count && levels[i + 1] == value) || (i > 0 && levels[i - 1] == value))
            patch(g, n, tensor_level_name(levels[i]), place, true, levels[i] - value, patches);
}

static void patch_value(generator *g, const ast_node *n, what kind, const char *place, FILE *patches)
{
    switch (kind) {
    case LEVEL: patch_level(g, n, place, patches); break;
    case LEAST:
    case MOST:
        patch(g, n, kind == LEAST ? "least+1" : "most+1", place, true, 1, patches);
        patch(g, n, kind == LEAST ? "least-1" : "most-1", place, true, UINT64_MAX, patches);
        break;
    case TYPES:
        for (uint32_t t = 1; t < TS_DTYPE_COUNT; ++t)
            patch(g, n, tensor_dtype(t)->id, place, false, TS_DTYPE_BIT(t), patches);
        break;
    case TRUTH: patch(g, n, "not", place, false, 1, patches); break;
    }
}

/* The node for the id: the value, or its row if the value is left out in the text. */
static const ast_node *shown(const ast_node *value, const ast_node *row)
{
    return value && value->placed ? value : row;
}

static void patch_row(generator *g, const ast_node *table, const ast_node *row, size_t r, FILE *patches)
{
    char place[96];
    for (size_t v = 0; v < VALUES; ++v) {
        size_t part = values[v].part;
        if (strcmp(values[v].type, row_type(table)) != 0)
            continue;
        bool in_tensor = values[v].what == LEAST || values[v].what == MOST || values[v].what == TYPES;
        if (!in_tensor) {
            const ast_node *value = part < row->count ? row->inner[part] : NULL;
            snprintf(place, sizeof place, "%s[%zu].%s", table->name, r, values[v].field);
            patch_value(g, shown(value, row), values[v].what, place, patches);
            continue;
        }
        const ast_node *tensors = row->count > 1 ? row->inner[1] : NULL;
        for (size_t t = 0; tensors && t < tensors->count; ++t) {
            const ast_node *one = tensors->inner[t];
            if (!one->placed || part >= one->count)
                continue;
            snprintf(place, sizeof place, "%s[%zu].tensors[%zu].%s", table->name, r, t, values[v].field);
            patch_value(g, one->inner[part], values[v].what, place, patches);
        }
    }
}

size_t table_emit(generator *g, const ast_node *n, FILE *out, FILE *patches)
{
    const char *text = g->file->text + n->begin, *word = strstr(text, "const ");
    size_t skip = word && word < g->file->text + n->end ? (size_t)(word - text) : 0;
    fwrite(text, 1, skip, out);
    if (skip)
        skip += strlen("const ");
    fwrite(text + skip, 1, n->end - n->begin - skip, out);
    for (size_t r = 0; r < n->inner[0]->count; ++r)
        patch_row(g, n, n->inner[0]->inner[r], r, patches);
    return n->end;
}
