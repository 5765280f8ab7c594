/* SPDX-License-Identifier: Apache-2.0 */
/* Write files and statements: copied text, and mutants that drop or repeat a statement or force a condition. */
#include "audit/mutate/generate.h"
#include "harness/base/array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- mutants ------------------------------------------------------------------------------------------------ */

/* The replaced text, on one line and shortened. */
static char *excerpt(const ast_file *f, size_t begin, size_t end)
{
    char text[64];
    size_t used = 0;
    for (size_t i = begin; i < end && used + 4 < sizeof text; ++i) {
        bool blank = isspace((unsigned char)f->text[i]) != 0;
        if (blank && (used == 0 || text[used - 1] == ' '))
            continue;
        text[used++] = blank ? ' ' : f->text[i];
        if (used + 4 == sizeof text && i + 1 < end) {
            memcpy(text + used, "...", 3);
            used += 3;
        }
    }
    return strndup(text, used);
}

/* If the id exists (several mutants of one place and kind), append a number. */
static void make_unique(const generator *g, char *id, size_t size)
{
    size_t length = strlen(id);
    for (unsigned number = 2;; ++number) {
        uint32_t i = 0;
        while (i < g->count && strcmp(g->mutants[i].id, id) != 0)
            ++i;
        if (i == g->count)
            return;
        snprintf(id + length, size - length, ".%u", number);
    }
}

uint32_t generate_add(generator *g, const ast_node *n, size_t at, const char *kind, const char *replacement)
{
    unsigned line, column;
    char id[256];
    if (!array_reserve(&g->mutants, &g->capacity, g->count + 1, sizeof *g->mutants)) {
        g->failed = true;
        return 0;
    }
    ast_place(g->file, at, &line, &column);
    snprintf(id, sizeof id, "%s:%u:%u:%s:%s", g->name, line, column, kind, replacement);
    make_unique(g, id, sizeof id);
    generate_mutant *m = &g->mutants[g->count];
    *m = (generate_mutant){ strdup(id), strdup(g->name), strdup(g->function), excerpt(g->file, n->begin, n->end), line,
                            false,      g->kernel };
    if (!m->id || !m->file || !m->function || !m->original)
        g->failed = true;
    return g->count++;
}

void generate_free(generator *g)
{
    for (uint32_t i = 0; i < g->count; ++i) {
        free(g->mutants[i].id);
        free(g->mutants[i].file);
        free(g->mutants[i].function);
        free(g->mutants[i].original);
    }
    free(g->mutants);
    memset(g, 0, sizeof *g);
}

/* ---- text --------------------------------------------------------------------------------------------------- */

static void copy(const generator *g, size_t begin, size_t end, FILE *out)
{
    if (end > begin)
        fwrite(g->file->text + begin, 1, end - begin, out);
}

size_t emit_text(const generator *g, const ast_node *n, FILE *out)
{
    copy(g, n->begin, n->end, out);
    return n->end;
}

/* Write the inner nodes in order, and the text between them. If one statement declares several variables, their
   declarations start at the same place: write only what is inside of them. */
static size_t emit_children(generator *g, const ast_node *n, size_t at, FILE *out)
{
    for (size_t i = 0; i < n->count; ++i) {
        const ast_node *c = n->inner[i];
        if (ast_is(c, "VarDecl") && !c->is_static) {
            at = emit_children(g, c, at, out);
        } else if (c->placed && c->begin >= at && c->end <= n->end) {
            copy(g, at, c->begin, out);
            at = emit_node(g, c, out);
        }
    }
    return at;
}

size_t emit_inner(generator *g, const ast_node *n, FILE *out)
{
    size_t at = emit_children(g, n, n->begin, out);
    copy(g, at, n->end, out);
    return at > n->end ? at : n->end;
}

/* ---- statements --------------------------------------------------------------------------------------------- */

/* The index of n in its parent. */
static size_t part_of(const ast_node *n)
{
    size_t i = 0;
    while (i < n->parent->count && n->parent->inner[i] != n)
        ++i;
    return i;
}

/* Is n in the place of a statement? */
static bool is_statement(const ast_node *n)
{
    const ast_node *p = n->parent;
    size_t part = p ? part_of(n) : 0;
    if (!p)
        return false;
    return ast_is(p, "CompoundStmt") || ast_is(p, "DefaultStmt") || (ast_is(p, "IfStmt") && part > 0) ||
           ((ast_is(p, "WhileStmt") || ast_is(p, "CaseStmt")) && part == 1) || (ast_is(p, "DoStmt") && part == 0) ||
           (ast_is(p, "ForStmt") && part == 4);
}

typedef enum condition { NO_CONDITION, CONDITION, LOOP_CONDITION } condition;

static condition condition_of(const ast_node *n)
{
    const ast_node *p = n->parent;
    size_t part = p ? part_of(n) : 0;
    if (!p)
        return NO_CONDITION;
    if ((ast_is(p, "IfStmt") || ast_is(p, "ConditionalOperator")) && part == 0)
        return CONDITION;
    if ((ast_is(p, "WhileStmt") && part == 0) || (ast_is(p, "DoStmt") && part == 1) ||
        (ast_is(p, "ForStmt") && part == 2))
        return LOOP_CONDITION;
    return NO_CONDITION;
}

/* Does code follow a statement, so that the function would continue without it? */
static bool something_follows(const ast_node *n)
{
    for (; n->parent && !ast_is(n->parent, "FunctionDecl"); n = n->parent) {
        const ast_node *p = n->parent;
        if (ast_is(p, "ForStmt") || ast_is(p, "WhileStmt") || ast_is(p, "DoStmt"))
            return true;
        if (ast_is(p, "CompoundStmt") && part_of(n) + 1 < p->count)
            return true;
    }
    return false;
}

static bool returns_nothing(const ast_node *n)
{
    while (n && !ast_is(n, "FunctionDecl"))
        n = n->parent;
    return n && strncmp(n->type, "void ", 5) == 0;
}

/* The name of the function that a call names, otherwise "". */
static const char *callee(const ast_node *n)
{
    return ast_is(n, "CallExpr") && n->count > 0 ? ast_strip(n->inner[0])->name : "";
}

static bool can_be_dropped(const ast_node *n)
{
    if (n->macro)
        return false;
    if (ast_is(n, "ReturnStmt"))
        return something_follows(n) || (returns_nothing(n) && n->count == 0 && something_follows(n));
    if (ast_is(n, "UnaryOperator"))
        return ast_is_operator(n, "++") || ast_is_operator(n, "--");
    return ast_is(n, "CallExpr") || ast_is(n, "CompoundAssignOperator") || ast_is(n, "BreakStmt") ||
           ast_is(n, "ContinueStmt") || (ast_is(n, "BinaryOperator") && ast_is_operator(n, "="));
}

/* Does an expression contain ++ or --? */
static bool steps(const ast_node *n)
{
    if (ast_is(n, "UnaryOperator") && (ast_is_operator(n, "++") || ast_is_operator(n, "--")))
        return true;
    for (size_t i = 0; i < n->count; ++i)
        if (steps(n->inner[i]))
            return true;
    return false;
}

/* Can it make a difference to execute a statement twice? Repeating a copy or a report changes nothing, and most calls
   in kernels copy. */
static bool can_be_repeated(const generator *g, const ast_node *n)
{
    const char *function = g->kernel ? "" : callee(n);
    if (ast_is(n, "ReturnStmt") || ast_is(n, "BreakStmt") || ast_is(n, "ContinueStmt"))
        return false;
    if (*function && strncmp(function, "operator_", 9) != 0 && strncmp(function, "tensor_", 7) != 0 &&
        strcmp(function, "memcpy") != 0 && strcmp(function, "memset") != 0)
        return true;
    return ast_is(n, "CompoundAssignOperator") || steps(n);
}

static size_t behind_semicolon(const generator *g, size_t at)
{
    while (isspace((unsigned char)g->file->text[at]))
        ++at;
    return g->file->text[at] == ';' ? at + 1 : at;
}

static size_t emit_statement(generator *g, const ast_node *n, FILE *out)
{
    uint32_t drop = generate_add(g, n, n->begin, "statement", "drop");
    fprintf(out, "{ if (!schemata_reached(%u)) ", (unsigned)drop);
    if (can_be_repeated(g, n)) {
        unsigned turn = g->serial++;
        fprintf(out, "for (int turn%u = schemata_reached(%u); turn%u >= 0; --turn%u) ", turn,
                (unsigned)generate_add(g, n, n->begin, "statement", "twice"), turn, turn);
    }
    if (!mutate_expression(g, n, out))
        emit_inner(g, n, out);
    fputs("; }", out);
    return behind_semicolon(g, n->end);
}

static size_t emit_condition(generator *g, const ast_node *n, bool loop, FILE *out)
{
    uint32_t always = generate_add(g, n, n->begin, "condition", "true");
    generate_add(g, n, n->begin, "condition", "false");
    fprintf(out, "%sschemata_condition(%u, (", loop ? "schemata_step(), " : "", (unsigned)always);
    if (!mutate_expression(g, n, out))
        emit_inner(g, n, out);
    fputs(") != 0)", out);
    return n->end;
}

/* Is a node never evaluated, or required to be a constant? Then it has no mutants. */
static bool is_opaque(const ast_node *n)
{
    return n->macro || ast_is(n, "UnaryExprOrTypeTraitExpr") || ast_is(n, "OffsetOfExpr") ||
           ast_is(n, "ConstantExpr") || ast_is(n, "EnumDecl") || ast_is(n, "RecordDecl") || ast_is(n, "TypedefDecl") ||
           ast_is(n, "VarDecl") || ast_is(n, "ParmVarDecl") ||
           (ast_is(n, "CStyleCastExpr") && strcmp(n->cast, "ToVoid") == 0);
}

/* Is n the body of `for (;;)`, a loop without a condition in which its iterations could be counted? */
static bool is_endless_body(const ast_node *n)
{
    const ast_node *p = n->parent;
    return p && ast_is(p, "ForStmt") && p->count == 5 && p->inner[4] == n && !*p->inner[2]->kind;
}

static size_t emit_endless_body(generator *g, const ast_node *n, FILE *out)
{
    fputs("{ schemata_step(); ", out);
    const size_t end = emit_inner(g, n, out);
    fputs(" }", out);
    return end;
}

/* Does a variable of a kernel keep its value from call to call? */
static bool is_state(const generator *g, const ast_node *n)
{
    const char *pointer = strrchr(n->type, '*');
    return g->kernel && ast_is(n, "VarDecl") && !strstr(pointer ? pointer : n->type, "const") &&
           (n->is_static || !n->parent->parent);
}

size_t emit_node(generator *g, const ast_node *n, FILE *out)
{
    condition c = condition_of(n);
    if (ast_is(n, "CompoundStmt") && is_endless_body(n))
        return emit_endless_body(g, n, out);
    if (is_state(g, n))
        fputs("SCHEMATA_STATE ", out);
    if (c != NO_CONDITION && *n->kind)
        return emit_condition(g, n, c == LOOP_CONDITION, out);
    if (is_statement(n) && can_be_dropped(n))
        return emit_statement(g, n, out);
    if (mutate_expression(g, n, out))
        return n->end;
    return is_opaque(n) ? emit_text(g, n, out) : emit_inner(g, n, out);
}

/* ---- files -------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The functions with which kernels forget earlier calls are not mutated: no call of an operator runs them. */
static bool is_mutated_function(const generator *g, const ast_node *n)
{
    return ast_is(n, "FunctionDecl") && n->count > 0 && ast_is(n->inner[n->count - 1], "CompoundStmt") &&
           !(g->kernel && (ends_with(n->name, "reset") || ends_with(n->name, "forget")));
}

void generate_file(generator *g, const ast_file *file, const char *name, FILE *out)
{
    char *patches = NULL;
    size_t at = 0, size;
    FILE *table = open_memstream(&patches, &size);
    if (!table) {
        g->failed = true;
        return;
    }
    g->file = file;
    g->name = name;
    g->kernel = strncmp(name, "kernels/", 8) == 0;
    fprintf(out, "/* Generated. */\n#include \"audit/mutate/schemata_%s.h\"\n#line 1 \"%s\"\n",
            g->kernel ? "kernel" : "reference", file->path);
    for (size_t i = 0; i < file->root->count; ++i) {
        const ast_node *n = file->root->inner[i];
        const bool function = is_mutated_function(g, n), state = is_state(g, n);
        if (!n->placed || n->begin < at || !(function || state || table_is(n)))
            continue;
        g->function = n->name;
        copy(g, at, n->begin, out);
        at = function ? emit_inner(g, n, out) : state ? emit_node(g, n, out) : table_emit(g, n, out, table);
    }
    copy(g, at, file->length, out);
    fclose(table);
    fprintf(out,
            "\nextern const schemata_patch SCHEMATA_PATCHES[];\nconst schemata_patch SCHEMATA_PATCHES[] = {\n%s"
            "    { 0, NULL, 0, 0, 0 },\n};\n",
            patches ? patches : "");
    free(patches);
}
