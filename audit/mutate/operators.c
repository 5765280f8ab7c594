/* SPDX-License-Identifier: Apache-2.0 */
/* Operators: relations, arithmetic, operators of one operand, logic. */
#include "audit/mutate/expressions.h"

#include <stdlib.h>
#include <string.h>

/* ---- relations ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *opcode, *name;
} relations[] = { { "<", "lt" }, { "<=", "le" }, { ">", "gt" }, { ">=", "ge" }, { "==", "eq" }, { "!=", "ne" } };
#define RELATIONS (sizeof relations / sizeof relations[0])

static bool is_relation(const char *opcode)
{
    for (size_t i = 0; i < RELATIONS; ++i)
        if (strcmp(relations[i].opcode, opcode) == 0)
            return true;
    return false;
}

/* Is this the condition of a loop that counts up from 0 by one? It reaches its bound exactly: != equals < there. */
static bool counts_up(const ast_node *n)
{
    const ast_node *loop = n;
    while (loop->parent && ast_is_operator(loop->parent, "&&") && loop->parent->inner[0] == loop)
        loop = loop->parent;
    loop = loop->parent;
    if (!loop || !ast_is(loop, "ForStmt") || loop->count != 5 || !ast_is_operator(loop->inner[3], "++"))
        return false;
    const ast_node *start = loop->inner[0], *counter = ast_strip(n->inner[0]);
    if (!ast_is(start, "DeclStmt") || start->count != 1 || start->inner[0]->count != 1)
        return false;
    return expression_is_zero(start->inner[0]->inner[0]) && strcmp(counter->name, start->inner[0]->name) == 0;
}

/* Is a OP b equivalent to a ALTERNATIVE b for all values of a and b? */
static bool same_relation(const ast_node *n, const char *alternative)
{
    bool is_signed;
    unsigned bits = expression_bits(n->inner[0], &is_signed);
    if (ast_is_operator(n, "<") && strcmp(alternative, "!=") == 0 && counts_up(n))
        return true;
    if (bits == 0 || is_signed || !expression_is_zero(n->inner[1])) /* the rest is about unsigned values and 0 */
        return false;
    static const char *const same[][2] = { { ">", "!=" }, { "!=", ">" }, { "==", "<=" }, { "<=", "==" } };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; ++i)
        if (ast_is_operator(n, same[i][0]) && strcmp(alternative, same[i][1]) == 0)
            return true;
    return false;
}

/* Is an operand an enumerator or a pointer? These have no order: only equality makes sense. */
static bool is_named(const ast_node *n)
{
    return ast_strip(n)->enumerator || strstr(ast_strip(n)->type, "*") != NULL || ast_is(ast_strip(n), "GNUNullExpr");
}

static void relation(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    size_t at = expression_operator(g, n);
    bool is_signed, named = is_named(n->inner[0]) || is_named(n->inner[1]);
    bool equality = ast_is_operator(n, "==") || ast_is_operator(n, "!="),
         literal = expression_is_literal(n->inner[0]) || expression_is_literal(n->inner[1]);
    unsigned bits = expression_bits(n->inner[0], &is_signed);
    fprintf(out, "({ __auto_type a%u = (", k);
    emit_node(g, n->inner[0], out);
    fprintf(out, "); __auto_type b%u = (", k);
    emit_node(g, n->inner[1], out);
    fprintf(out, "); int r%u = a%u %s b%u;", k, k, n->opcode, k);
    char *text = NULL;
    size_t size;
    FILE *values = open_memstream(&text, &size);
    uint32_t first = g->count;
    for (size_t i = 0; values && i < RELATIONS; ++i) {
        const char *other = relations[i].opcode;
        bool opposite = equality && (strcmp(other, "==") == 0 || strcmp(other, "!=") == 0);
        char alternative[16];
        if (ast_is_operator(n, other) || same_relation(n, other) || (named && !opposite))
            continue;
        snprintf(alternative, sizeof alternative, "a@ %s b@", other);
        expression_write_value(generate_add(g, n, at, "relation", relations[i].name), k, alternative, values);
    }
    char alternative[64];
    if (values && !named && !equality && !literal && bits >= 32) {
        snprintf(alternative, sizeof alternative,
                 is_signed ? "(uint%u_t)a@ %s (uint%u_t)b@" : "(int%u_t)a@ %s (int%u_t)b@", bits, n->opcode, bits);
        expression_write_value(generate_add(g, n, at, "relation", is_signed ? "unsigned" : "signed"), k, alternative,
                               values);
    }
    if (values && !named && bits == 64 && !expression_is_zero(n->inner[1])) {
        const char *narrow = is_signed ? "int32_t" : "uint32_t";
        snprintf(alternative, sizeof alternative, "(%s)a@ %s (%s)b@", narrow, n->opcode, narrow);
        expression_write_value(generate_add(g, n, at, "relation", "narrow"), k, alternative, values);
    }
    if (!values || fclose(values) != 0)
        g->failed = true;
    fprintf(out, " if (SCHEMATA_ON(%u, %u)) {%s } r%u; })", (unsigned)first, (unsigned)(g->count - first),
            text ? text : "", k);
    free(text);
}

/* ---- arithmetic --------------------------------------------------------------------------------------------- */

/* Replacements of operators. a@ and b@ are the operands; "/" and "%" are handled by SCHEMATA_DIVIDE. */
static const struct {
    const char *opcode, *name, *alternative;
} operations[] = {
    { "+", "minus", "a@ - b@" },
    { "+", "times", "a@ * b@" },
    { "+", "left", "a@" },
    { "+", "right", "b@" },
    { "-", "plus", "a@ + b@" },
    { "-", "left", "a@" },
    { "-", "right", "b@" },
    { "*", "plus", "a@ + b@" },
    { "*", "left", "a@" },
    { "*", "right", "b@" },
    { "/", "times", "a@ * b@" },
    { "/", "modulo", "%" },
    { "/", "left", "a@" },
    { "%", "divide", "/" },
    { "%", "left", "a@" },
    { "&", "or", "a@ | b@" },
    { "&", "left", "a@" },
    { "&", "right", "b@" },
    { "|", "and", "a@ & b@" },
    { "|", "xor", "a@ ^ b@" },
    { "^", "or", "a@ | b@" },
    { "^", "and", "a@ & b@" },
    { "^", "left", "a@" },
    { "^", "right", "b@" },
    { "<<", "shr", "a@ >> SCHEMATA_DISTANCE(a@, b@)" },
    { "<<", "left", "a@" },
    { ">>", "shl", "a@ << SCHEMATA_DISTANCE(a@, b@)" },
    { ">>", "left", "a@" },
};
#define OPERATIONS (sizeof operations / sizeof operations[0])

static bool is_arithmetic(const char *opcode)
{
    for (size_t i = 0; i < OPERATIONS; ++i)
        if (strcmp(operations[i].opcode, opcode) == 0)
            return true;
    return false;
}

/* Is a replacement not covered by others? The mutants of a constant operand already include dropping it. */
static bool worth_trying(const ast_node *n, const char *name)
{
    bool left = expression_is_literal(n->inner[0]), right = expression_is_literal(n->inner[1]);
    bool drops = strcmp(name, "left") == 0 || strcmp(name, "right") == 0;
    bool additive = ast_is_operator(n, "+") || ast_is_operator(n, "-");
    if (strchr(n->type, '*')) /* an address: move it forwards, backwards or not at all */
        return strcmp(name, "minus") == 0 || strcmp(name, "plus") == 0 || (strcmp(name, "left") == 0 && !right);
    if (drops && additive)
        return !left && !right;
    if (strcmp(name, "right") == 0)
        return !left && !right;
    if (strcmp(name, "left") == 0)
        return !left;
    return true;
}

/* Write the mutants of an operation on a and b with result r. */
static void write_operations(generator *g, const ast_node *n, const char *opcode, size_t at, unsigned k, FILE *values)
{
    bool is_signed;
    for (size_t i = 0; i < OPERATIONS; ++i) {
        const char *alternative = operations[i].alternative;
        if (strcmp(operations[i].opcode, opcode) != 0 || !worth_trying(n, operations[i].name))
            continue;
        uint32_t m = generate_add(g, n, at, "operation", operations[i].name);
        if (strlen(alternative) == 1 && strchr("/%", *alternative))
            fprintf(values, " SCHEMATA_DIVIDE(%u, r%u, a%u, %s, b%u);", (unsigned)m, k, k, alternative, k);
        else
            expression_write_value(m, k, alternative, values);
    }
    if (expression_bits(n, &is_signed) == 64 && strchr("+-*", *opcode) && !opcode[1]) {
        expression_write_value(generate_add(g, n, at, "width", "u32"), k, "(uint32_t)r@", values);
        expression_write_value(generate_add(g, n, at, "width", "i32"), k, "(int32_t)r@", values);
    }
}

static void write_result(const char *opcode, unsigned k, FILE *out)
{
    if (*opcode == '/' || *opcode == '%')
        fprintf(out, "SCHEMATA_QUOTIENT(a%u, %s, b%u)", k, opcode, k);
    else if (strcmp(opcode, "<<") == 0 || strcmp(opcode, ">>") == 0)
        fprintf(out, "a%u %s SCHEMATA_DISTANCE(a%u, b%u)", k, opcode, k, k);
    else
        fprintf(out, "a%u %s b%u", k, opcode, k);
}

static void write_operations_block(generator *g, const ast_node *n, const char *opcode, size_t at, unsigned k,
                                   FILE *out)
{
    char *text = NULL;
    size_t size;
    uint32_t first = g->count;
    FILE *values = open_memstream(&text, &size);
    if (values)
        write_operations(g, n, opcode, at, k, values);
    if (!values || fclose(values) != 0)
        g->failed = true;
    fprintf(out, " if (SCHEMATA_ON(%u, %u)) {%s }", (unsigned)first, (unsigned)(g->count - first), text ? text : "");
    free(text);
}

static void arithmetic(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    bool shifts = ast_is_operator(n, "<<") || ast_is_operator(n, ">>");
    fprintf(out, "({ __auto_type a%u = %s(", k, shifts ? "+" : ""); /* a shift's left operand is promoted */
    emit_node(g, n->inner[0], out);
    fprintf(out, "); __auto_type b%u = (", k);
    emit_node(g, n->inner[1], out);
    fprintf(out, "); __auto_type r%u = ", k);
    write_result(n->opcode, k, out);
    fputc(';', out);
    write_operations_block(g, n, n->opcode, expression_operator(g, n), k, out);
    fprintf(out, " r%u; })", k);
}

/* a += b. Its mutants are other operations and a plain assignment. */
static void compound(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    char opcode[4] = "";
    snprintf(opcode, sizeof opcode, "%.*s", (int)(strlen(n->opcode) - 1), n->opcode);
    fprintf(out, "({ __auto_type p%u = &(", k);
    emit_node(g, n->inner[0], out);
    fprintf(out, "); __auto_type b%u = (", k);
    emit_node(g, n->inner[1], out);
    fprintf(out, "); __auto_type a%u = *p%u; __auto_type r%u = ", k, k, k);
    write_result(opcode, k, out);
    fputc(';', out);
    write_operations_block(g, n, opcode, expression_operator(g, n), k, out);
    fprintf(out, " *p%u = (__typeof__(*p%u))r%u; })", k, k, k);
}

/* ---- one operand -------------------------------------------------------------------------------------------- */

/* Is the value of ++ or -- used? */
static bool is_used(const ast_node *n)
{
    const ast_node *p = n->parent;
    return p && !strstr(p->kind, "Stmt");
}

static void step(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    bool up = ast_is_operator(n, "++"), used = is_used(n);
    uint32_t first = generate_add(g, n, n->begin, "step", up ? "down" : "up"), when = 0;
    if (used)
        when = generate_add(g, n, n->begin, "step", n->postfix ? "before" : "after");
    fprintf(out, "({ __auto_type p%u = &(", k);
    emit_node(g, n->inner[0], out);
    fprintf(out, "); __typeof__(*p%u + 0) old%u = *p%u; bool back%u = schemata_reached(%u);", k, k, k, k,
            (unsigned)first);
    fprintf(out, " *p%u = (__typeof__(*p%u))(back%u ? old%u %c 1 : old%u %c 1);", k, k, k, k, up ? '-' : '+', k,
            up ? '+' : '-');
    if (used)
        fprintf(out, " schemata_reached(%u) %s ? old%u : (__typeof__(old%u))*p%u; })", (unsigned)when,
                n->postfix ? "== 0" : "!= 0", k, k, k);
    else
        fprintf(out, " *p%u; })", k);
}

static void unary(generator *g, const ast_node *n, const char *kind, const char *name, const char *alternative,
                  FILE *out)
{
    unsigned k = g->serial++;
    fprintf(out, "({ __auto_type a%u = (", k);
    emit_node(g, n->inner[0], out);
    fprintf(out, "); __auto_type r%u = %sa%u; if (SCHEMATA_ON(%u, 1)) {", k, n->opcode, k, (unsigned)g->count);
    expression_write_value(generate_add(g, n, n->begin, kind, name), k, alternative, out);
    fprintf(out, " } r%u; })", k);
}

/* ---- logic -------------------------------------------------------------------------------------------------- */

static void logic(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    bool and = ast_is_operator(n, "&&");
    const char *word = and? "and" : "or";
    size_t at = expression_operator(g, n);
    uint32_t first = generate_add(g, n, at, "logic", and? "or" : "and");
    generate_add(g, n, at, "logic", "left");
    generate_add(g, n, at, "logic", "right");
    fprintf(out, "({ bool a%u = (", k);
    emit_node(g, n->inner[0], out);
    fprintf(out, ") != 0; bool b%u = schemata_%s_needs(%u, a%u) && (", k, word, (unsigned)first, k);
    emit_node(g, n->inner[1], out);
    fprintf(out, ") != 0; schemata_%s(%u, a%u, b%u); })", word, (unsigned)first, k, k);
}

/* ---- dispatch ----------------------------------------------------------------------------------------------- */

bool mutate_operator(generator *g, const ast_node *n, FILE *out)
{
    bool is_signed;
    if (ast_is(n, "BinaryOperator") && n->count == 2) {
        if (is_relation(n->opcode))
            relation(g, n, out);
        else if (ast_is_operator(n, "&&") || ast_is_operator(n, "||"))
            logic(g, n, out);
        else if (is_arithmetic(n->opcode))
            arithmetic(g, n, out);
        else
            return false;
        return true;
    }
    if (ast_is(n, "CompoundAssignOperator") && n->count == 2) {
        compound(g, n, out);
        return true;
    }
    if (!ast_is(n, "UnaryOperator") || n->count != 1)
        return false;
    if (ast_is_operator(n, "++") || ast_is_operator(n, "--"))
        step(g, n, out);
    else if (ast_is_operator(n, "!"))
        unary(g, n, "logic", "same", "!r@", out);
    else if (ast_is_operator(n, "-") && expression_bits(n, &is_signed) && !expression_is_literal(n->inner[0]))
        unary(g, n, "sign", "plus", "a@", out);
    else if (ast_is_operator(n, "~"))
        unary(g, n, "operation", "left", "a@", out);
    else
        return false;
    return true;
}
