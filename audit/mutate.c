/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: which mutants each kind has, and the text that evaluates the original or one of them. */
#include "audit/generate.h"
#include "harness/model/tensor.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_kind(const ast_node *n, const char *kind)
{
    return strcmp(n->kind, kind) == 0;
}

static bool is_op(const ast_node *n, const char *opcode)
{
    return strcmp(n->opcode, opcode) == 0;
}

/* A constant as it is written, macros that stand for one included; not an enumerator. */
static bool is_literal(const ast_node *n)
{
    return is_kind(ast_strip(n), "IntegerLiteral");
}

static uint64_t literal_value(const ast_node *n)
{
    return strtoull(ast_strip(n)->value, NULL, 10);
}

static bool is_zero(const ast_node *n)
{
    return is_literal(n) && literal_value(n) == 0;
}

/* The width of an expression's integer type. */
static unsigned bits_of(const ast_node *n, bool *is_signed)
{
    *is_signed = false;
    return ast_integer(n->type, is_signed);
}

/* Where the operator of a binary expression stands: behind its left operand. */
static size_t operator_place(const generator *g, const ast_node *n)
{
    size_t at = n->inner[0]->end;
    while (isspace((unsigned char)g->file->text[at]))
        ++at;
    return at < n->end ? at : n->begin;
}

/* "SCHEMATA_VALUE(m, r7, a7 + b7);": in the alternative, @ stands for the serial number of the variables. */
static void write_value(uint32_t m, unsigned serial, const char *alternative, FILE *out)
{
    fprintf(out, " SCHEMATA_VALUE(%u, r%u, ", (unsigned)m, serial);
    for (const char *c = alternative; *c; ++c) {
        if (*c == '@')
            fprintf(out, "%u", serial);
        else
            fputc(*c, out);
    }
    fputs(");", out);
}

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

/* A loop that counts up from a constant 0 by one meets its bound: != is < there. */
static bool counts_up(const ast_node *n)
{
    const ast_node *loop = n;
    while (loop->parent && is_op(loop->parent, "&&") && loop->parent->inner[0] == loop)
        loop = loop->parent;
    loop = loop->parent;
    if (!loop || !is_kind(loop, "ForStmt") || loop->count != 5 || !is_op(loop->inner[3], "++"))
        return false;
    const ast_node *start = loop->inner[0], *counter = ast_strip(n->inner[0]);
    if (!is_kind(start, "DeclStmt") || start->count != 1 || start->inner[0]->count != 1)
        return false;
    return is_zero(start->inner[0]->inner[0]) && strcmp(counter->name, start->inner[0]->name) == 0;
}

/* Is a OP b the same as a ALTERNATIVE b for every a and b that can be? */
static bool same_relation(const ast_node *n, const char *alternative)
{
    bool is_signed;
    unsigned bits = bits_of(n->inner[0], &is_signed);
    if (is_op(n, "<") && strcmp(alternative, "!=") == 0 && counts_up(n))
        return true;
    if (bits == 0 || is_signed || !is_zero(n->inner[1])) /* what follows is about unsigned values and 0 */
        return false;
    static const char *const same[][2] = { { ">", "!=" }, { "!=", ">" }, { "==", "<=" }, { "<=", "==" } };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; ++i)
        if (is_op(n, same[i][0]) && strcmp(alternative, same[i][1]) == 0)
            return true;
    return false;
}

/* Names have no order: only equality is asked of them. */
static bool is_named(const ast_node *n)
{
    return ast_strip(n)->enumerator || strstr(ast_strip(n)->type, "*") != NULL || is_kind(ast_strip(n), "GNUNullExpr");
}

static void relation(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    size_t at = operator_place(g, n);
    bool is_signed, named = is_named(n->inner[0]) || is_named(n->inner[1]);
    bool equality = is_op(n, "==") || is_op(n, "!="), literal = is_literal(n->inner[0]) || is_literal(n->inner[1]);
    unsigned bits = bits_of(n->inner[0], &is_signed);
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
        if (is_op(n, other) || same_relation(n, other) || (named && !opposite))
            continue;
        snprintf(alternative, sizeof alternative, "a@ %s b@", other);
        write_value(generate_add(g, n, at, "relation", relations[i].name), k, alternative, values);
    }
    char alternative[64];
    if (values && !named && !equality && !literal && bits >= 32) {
        snprintf(alternative, sizeof alternative,
                 is_signed ? "(uint%u_t)a@ %s (uint%u_t)b@" : "(int%u_t)a@ %s (int%u_t)b@", bits, n->opcode, bits);
        write_value(generate_add(g, n, at, "relation", is_signed ? "unsigned" : "signed"), k, alternative, values);
    }
    if (values && !named && bits == 64 && !is_zero(n->inner[1])) {
        const char *narrow = is_signed ? "int32_t" : "uint32_t";
        snprintf(alternative, sizeof alternative, "(%s)a@ %s (%s)b@", narrow, n->opcode, narrow);
        write_value(generate_add(g, n, at, "relation", "narrow"), k, alternative, values);
    }
    if (!values || fclose(values) != 0)
        g->failed = true;
    fprintf(out, " if (SCHEMATA_ON(%u, %u)) {%s } r%u; })", (unsigned)first, (unsigned)(g->count - first),
            text ? text : "", k);
    free(text);
}

/* ---- arithmetic --------------------------------------------------------------------------------------------- */

/* What an operator becomes. A and B are the operands; a division needs its own care. */
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

/* To drop a constant operand is what the constant's own mutants do. */
static bool worth_trying(const ast_node *n, const char *name)
{
    bool left = is_literal(n->inner[0]), right = is_literal(n->inner[1]);
    bool drops = strcmp(name, "left") == 0 || strcmp(name, "right") == 0;
    bool additive = is_op(n, "+") || is_op(n, "-");
    if (strchr(n->type, '*')) /* an address: forwards, backwards or not at all */
        return strcmp(name, "minus") == 0 || strcmp(name, "plus") == 0 || (strcmp(name, "left") == 0 && !right);
    if (drops && additive)
        return !left && !right;
    if (strcmp(name, "right") == 0)
        return !left && !right;
    if (strcmp(name, "left") == 0)
        return !left;
    return true;
}

/* Alternatives of an operation between a and b whose result is r. */
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
            write_value(m, k, alternative, values);
    }
    if (bits_of(n, &is_signed) == 64 && strchr("+-*", *opcode) && !opcode[1]) {
        write_value(generate_add(g, n, at, "width", "u32"), k, "(uint32_t)r@", values);
        write_value(generate_add(g, n, at, "width", "i32"), k, "(int32_t)r@", values);
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
    bool shifts = is_op(n, "<<") || is_op(n, ">>");
    fprintf(out, "({ __auto_type a%u = %s(", k, shifts ? "+" : ""); /* a shift's left operand is promoted */
    emit_node(g, n->inner[0], out);
    fprintf(out, "); __auto_type b%u = (", k);
    emit_node(g, n->inner[1], out);
    fprintf(out, "); __auto_type r%u = ", k);
    write_result(n->opcode, k, out);
    fputc(';', out);
    write_operations_block(g, n, n->opcode, operator_place(g, n), k, out);
    fprintf(out, " r%u; })", k);
}

/* a += b, and what it becomes: other operations, or a plain assignment. */
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
    write_operations_block(g, n, opcode, operator_place(g, n), k, out);
    fprintf(out, " *p%u = (__typeof__(*p%u))r%u; })", k, k, k);
}

/* ---- one operand -------------------------------------------------------------------------------------------- */

/* Is the value of ++ or -- looked at? */
static bool is_used(const ast_node *n)
{
    const ast_node *p = n->parent;
    return p && !strstr(p->kind, "Stmt");
}

static void step(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    bool up = is_op(n, "++"), used = is_used(n);
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
    write_value(generate_add(g, n, n->begin, kind, name), k, alternative, out);
    fprintf(out, " } r%u; })", k);
}

/* a 32-bit value on its way to 64 bits: extended by its sign, or by zeros. */
static void extend(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    bool from_signed, to_signed;
    bits_of(n->inner[0], &from_signed);
    bits_of(n, &to_signed);
    const char *from = from_signed ? "int32_t" : "uint32_t", *other = from_signed ? "uint32_t" : "int32_t";
    fprintf(out, "({ %s a%u = (", from, k);
    emit_node(g, n->inner[0], out);
    fprintf(out, "); %s r%u = (%s)a%u; if (SCHEMATA_ON(%u, 1)) {", to_signed ? "int64_t" : "uint64_t", k,
            to_signed ? "int64_t" : "uint64_t", k, (unsigned)g->count);
    char alternative[32];
    snprintf(alternative, sizeof alternative, "(%s)a@", other);
    write_value(generate_add(g, n, n->begin, "extend", from_signed ? "unsigned" : "signed"), k, alternative, out);
    fprintf(out, " } r%u; })", k);
}

static bool extends(const ast_node *n)
{
    bool is_signed;
    return (strcmp(n->cast, "IntegralCast") == 0 && n->count == 1 && bits_of(n, &is_signed) == 64 &&
            bits_of(n->inner[0], &is_signed) == 32 && !is_literal(n->inner[0]) && !ast_strip(n->inner[0])->enumerator);
}

/* ---- constants ---------------------------------------------------------------------------------------------- */

static bool stands_for(const generator *g, const ast_node *n, const char *word)
{
    size_t length = strlen(word);
    return n->end - n->begin == length && strncmp(g->file->text + n->begin, word, length) == 0;
}

/* The feature levels on either side. */
static void write_levels(generator *g, const ast_node *n, uint64_t value, unsigned k, FILE *values)
{
    size_t count;
    const ts_level *levels = tensor_levels(&count);
    for (size_t i = 0; i < count; ++i) {
        bool below = i + 1 < count && levels[i + 1] == value, above = i > 0 && levels[i - 1] == value;
        char alternative[16];
        if (!below && !above)
            continue;
        snprintf(alternative, sizeof alternative, "%u", (unsigned)levels[i]);
        write_value(generate_add(g, n, n->begin, "level", tensor_level_name(levels[i])), k, alternative, values);
    }
}

static void constant(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    uint64_t value = literal_value(n);
    char *text = NULL;
    size_t size;
    uint32_t first = g->count;
    FILE *values = open_memstream(&text, &size);
    fprintf(out, "({ __auto_type r%u = ", k);
    emit_text(g, n, out);
    if (!values) {
        g->failed = true;
        return;
    }
    if (strncmp(g->file->text + n->begin, "TS_LEVEL_", 9) == 0) {
        write_levels(g, n, value, k, values);
    } else if (stands_for(g, n, "true") || stands_for(g, n, "false")) {
        write_value(generate_add(g, n, n->begin, "constant", value ? "false" : "true"), k, "!r@", values);
    } else {
        write_value(generate_add(g, n, n->begin, "constant", "+1"), k, "r@ + 1", values);
        if (value != 1)
            write_value(generate_add(g, n, n->begin, "constant", "-1"), k, "r@ - 1", values);
        if (value != 0)
            write_value(generate_add(g, n, n->begin, "constant", "0"), k, "0", values);
    }
    fclose(values);
    fprintf(out, "; if (SCHEMATA_ON(%u, %u)) {%s } r%u; })", (unsigned)first, (unsigned)(g->count - first),
            text ? text : "", k);
    free(text);
}

/* ---- axes --------------------------------------------------------------------------------------------------- */

/* How many elements the array has that a subscript goes into; 0: unknown. */
static unsigned long extent(const ast_node *base)
{
    const ast_node *n = ast_strip(base);
    const char *open = strrchr(n->type, '[');
    return open ? strtoul(open + 1, NULL, 10) : 0;
}

static bool mentions(const ast_node *n, const char *name)
{
    if (is_kind(n, "DeclRefExpr") && strcmp(n->name, name) == 0)
        return true;
    for (size_t i = 0; i < n->count; ++i)
        if (mentions(n->inner[i], name))
            return true;
    return false;
}

/* The bound of the loop over axes that an index counts in, or NULL. */
static const ast_node *axes(const ast_node *index)
{
    for (const ast_node *p = index->parent; p; p = p->parent) {
        if (!is_kind(p, "ForStmt") || p->count != 5 || mentions(p->inner[2], "NULL"))
            continue;
        const ast_node *c = p->inner[2];
        while (is_op(c, "&&"))
            c = c->inner[0];
        const ast_node *counter = is_op(c, "<") ? ast_strip(c->inner[0]) : NULL;
        if (counter && is_kind(counter, "DeclRefExpr") && mentions(index, counter->name) &&
            !mentions(c->inner[1], counter->name))
            return c->inner[1];
    }
    return NULL;
}

static void subscript(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    const ast_node *base = n->inner[0], *index = n->inner[1];
    const ast_node *bound = axes(index);
    bool read = n->parent && strcmp(n->parent->cast, "LValueToRValue") == 0;
    size_t at = operator_place(g, n);
    unsigned long limit = extent(base);
    uint32_t first = g->count;
    uint32_t next = generate_add(g, n, at, "index", "next"), previous = generate_add(g, n, at, "index", "previous");
    uint32_t mirrored = bound ? generate_add(g, n, at, "index", "mirrored") : 0;
    fprintf(out, "(*({ __auto_type p%u = &(", k);
    emit_node(g, base, out);
    fprintf(out, ")[0]; uint64_t i%u = (uint64_t)(", k);
    if (is_literal(index))
        emit_text(g, index, out);
    else
        emit_node(g, index, out);
    fprintf(out, "), j%u = i%u; if (SCHEMATA_ON(%u, %u)) {", k, k, (unsigned)first, bound ? 3u : 2u);
    fprintf(out, " SCHEMATA_INDEX(%u, p%u, i%u, j%u, %lu, %d, i%u + 1);", (unsigned)next, k, k, k, limit, read, k);
    fprintf(out, " SCHEMATA_INDEX(%u, p%u, i%u, j%u, %lu, %d, i%u - 1);", (unsigned)previous, k, k, k, limit, read, k);
    if (bound) {
        fprintf(out, " SCHEMATA_INDEX(%u, p%u, i%u, j%u, %lu, %d, (uint64_t)(", (unsigned)mirrored, k, k, k, limit,
                read);
        emit_text(g, bound, out);
        fprintf(out, ") - 1 - i%u);", k);
    }
    fprintf(out, " } SCHEMATA_BOUND(j%u, %lu); p%u + j%u; }))", k, limit, k, k);
}

/* ---- logic and calls ---------------------------------------------------------------------------------------- */

static void logic(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    bool and = is_op(n, "&&");
    const char *word = and? "and" : "or";
    size_t at = operator_place(g, n);
    uint32_t first = generate_add(g, n, at, "logic", and? "or" : "and");
    generate_add(g, n, at, "logic", "left");
    generate_add(g, n, at, "logic", "right");
    fprintf(out, "({ bool a%u = (", k);
    emit_node(g, n->inner[0], out);
    fprintf(out, ") != 0; bool b%u = schemata_%s_needs(%u, a%u) && (", k, word, (unsigned)first, k);
    emit_node(g, n->inner[1], out);
    fprintf(out, ") != 0; schemata_%s(%u, a%u, b%u); })", word, (unsigned)first, k, k);
}

/* Functions that tell what check found: only these of their arguments decide anything, counted from the first. */
static const struct {
    const char *name;
    size_t arguments;
} reporters[] = { { "operator_violate", 3 }, { "operator_unspecified", 1 } };

static const ast_node *reporter_of(const ast_node *n, size_t *arguments)
{
    if (!is_kind(n, "CallExpr") || n->count == 0)
        return NULL;
    for (size_t i = 0; i < sizeof reporters / sizeof reporters[0]; ++i)
        if (strcmp(ast_strip(n->inner[0])->name, reporters[i].name) == 0) {
            *arguments = reporters[i].arguments;
            return n;
        }
    return NULL;
}

/* What it comes to is made a mere warning. */
static size_t result_argument(generator *g, const ast_node *n, FILE *out)
{
    const ast_node *name = ast_strip(n);
    if (!name->enumerator || strcmp(name->name, "TS_RESULT_WARNING") == 0)
        return emit_node(g, n, out);
    fprintf(out, "(schemata_reached(%u) ? TS_RESULT_WARNING : ",
            (unsigned)generate_add(g, n, n->begin, "result", "warning"));
    emit_text(g, n, out);
    fputc(')', out);
    return n->end;
}

static void report(generator *g, const ast_node *n, size_t arguments, FILE *out)
{
    size_t at = n->begin;
    for (size_t i = 0; i <= arguments && i < n->count; ++i) {
        const ast_node *c = n->inner[i];
        fwrite(g->file->text + at, 1, c->begin - at, out);
        at = i == 3 ? result_argument(g, c, out) : i == 0 ? emit_text(g, c, out) : emit_node(g, c, out);
    }
    fwrite(g->file->text + at, 1, n->end - at, out);
}

/* A clause that a call is to report under, in a list of them: none, and it is forgotten. */
static bool is_listed_text(const ast_node *n)
{
    return is_kind(ast_strip(n), "StringLiteral") && is_kind(n, "ImplicitCastExpr") && n->parent &&
           is_kind(n->parent, "InitListExpr") && n->parent->parent && is_kind(n->parent->parent, "CompoundLiteralExpr");
}

/* ---- all of them -------------------------------------------------------------------------------------------- */

static bool mutate_operator(generator *g, const ast_node *n, FILE *out)
{
    bool is_signed;
    if (is_kind(n, "BinaryOperator") && n->count == 2) {
        if (is_relation(n->opcode))
            relation(g, n, out);
        else if (is_op(n, "&&") || is_op(n, "||"))
            logic(g, n, out);
        else if (is_arithmetic(n->opcode))
            arithmetic(g, n, out);
        else
            return false;
        return true;
    }
    if (is_kind(n, "CompoundAssignOperator") && n->count == 2) {
        compound(g, n, out);
        return true;
    }
    if (!is_kind(n, "UnaryOperator") || n->count != 1)
        return false;
    if (is_op(n, "++") || is_op(n, "--"))
        step(g, n, out);
    else if (is_op(n, "!"))
        unary(g, n, "logic", "same", "!r@", out);
    else if (is_op(n, "-") && bits_of(n, &is_signed) && !is_literal(n->inner[0]))
        unary(g, n, "sign", "plus", "a@", out);
    else if (is_op(n, "~"))
        unary(g, n, "operation", "left", "a@", out);
    else
        return false;
    return true;
}

bool mutate_expression(generator *g, const ast_node *n, FILE *out)
{
    size_t arguments;
    bool is_signed;
    if (n->macro) { /* what is in it cannot be told apart; but it may be a constant */
        if (!is_literal(n) || !bits_of(n, &is_signed))
            return false;
        constant(g, n, out);
        return true;
    }
    if (reporter_of(n, &arguments))
        report(g, n, arguments, out);
    else if (is_listed_text(n))
        fprintf(out, "(schemata_reached(%u) ? NULL : %.*s)", (unsigned)generate_add(g, n, n->begin, "clause", "none"),
                (int)(n->end - n->begin), g->file->text + n->begin);
    else if (is_kind(n, "ArraySubscriptExpr") && n->count == 2)
        subscript(g, n, out);
    else if (extends(n))
        extend(g, n, out);
    else if (is_kind(n, "IntegerLiteral"))
        constant(g, n, out);
    else
        return mutate_operator(g, n, out);
    return true;
}
