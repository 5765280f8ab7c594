/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions other than operators: constants, conversions, subscripts, calls that report a clause. */
#include "audit/mutate/expressions.h"
#include "harness/model/tensor.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool expression_is_literal(const ast_node *n)
{
    return ast_is(ast_strip(n), "IntegerLiteral");
}

uint64_t expression_literal(const ast_node *n)
{
    return strtoull(ast_strip(n)->value, NULL, 10);
}

bool expression_is_zero(const ast_node *n)
{
    return expression_is_literal(n) && expression_literal(n) == 0;
}

unsigned expression_bits(const ast_node *n, bool *is_signed)
{
    *is_signed = false;
    return ast_integer(n->type, is_signed);
}

size_t expression_operator(const generator *g, const ast_node *n)
{
    size_t at = n->inner[0]->end;
    while (isspace((unsigned char)g->file->text[at]))
        ++at;
    return at < n->end ? at : n->begin;
}

void expression_write_value(uint32_t m, unsigned serial, const char *alternative, FILE *out)
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

/* ---- conversions --------------------------------------------------------------------------------------------- */

/* The extension of a 32-bit value to 64 bits: by its sign, or by zeros. */
static void extend(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    bool from_signed, to_signed;
    expression_bits(n->inner[0], &from_signed);
    expression_bits(n, &to_signed);
    const char *from = from_signed ? "int32_t" : "uint32_t", *other = from_signed ? "uint32_t" : "int32_t";
    fprintf(out, "({ %s a%u = (", from, k);
    emit_node(g, n->inner[0], out);
    fprintf(out, "); %s r%u = (%s)a%u; if (SCHEMATA_ON(%u, 1)) {", to_signed ? "int64_t" : "uint64_t", k,
            to_signed ? "int64_t" : "uint64_t", k, (unsigned)g->count);
    char alternative[32];
    snprintf(alternative, sizeof alternative, "(%s)a@", other);
    expression_write_value(generate_add(g, n, n->begin, "extend", from_signed ? "unsigned" : "signed"), k, alternative,
                           out);
    fprintf(out, " } r%u; })", k);
}

static bool extends(const ast_node *n)
{
    bool is_signed;
    return (strcmp(n->cast, "IntegralCast") == 0 && n->count == 1 && expression_bits(n, &is_signed) == 64 &&
            expression_bits(n->inner[0], &is_signed) == 32 && !expression_is_literal(n->inner[0]) &&
            !ast_strip(n->inner[0])->enumerator);
}

/* ---- constants ---------------------------------------------------------------------------------------------- */

static bool stands_for(const generator *g, const ast_node *n, const char *word)
{
    size_t length = strlen(word);
    return n->end - n->begin == length && strncmp(g->file->text + n->begin, word, length) == 0;
}

/* Mutants of a feature level: the level before and the level after it. */
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
        expression_write_value(generate_add(g, n, n->begin, "level", tensor_level_name(levels[i])), k, alternative,
                               values);
    }
}

static void constant(generator *g, const ast_node *n, FILE *out)
{
    unsigned k = g->serial++;
    uint64_t value = expression_literal(n);
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
        expression_write_value(generate_add(g, n, n->begin, "constant", value ? "false" : "true"), k, "!r@", values);
    } else {
        expression_write_value(generate_add(g, n, n->begin, "constant", "+1"), k, "r@ + 1", values);
        if (value != 1)
            expression_write_value(generate_add(g, n, n->begin, "constant", "-1"), k, "r@ - 1", values);
        if (value != 0)
            expression_write_value(generate_add(g, n, n->begin, "constant", "0"), k, "0", values);
    }
    fclose(values);
    fprintf(out, "; if (SCHEMATA_ON(%u, %u)) {%s } r%u; })", (unsigned)first, (unsigned)(g->count - first),
            text ? text : "", k);
    free(text);
}

/* ---- axes --------------------------------------------------------------------------------------------------- */

/* The number of elements of an array; 0: unknown. */
static unsigned long extent(const ast_node *base)
{
    const ast_node *n = ast_strip(base);
    const char *open = strchr(n->type, '['); /* of "int[10][2]", 10; "int (*)[2]" is a pointer */
    return open && open > n->type && open[-1] != ')' ? strtoul(open + 1, NULL, 10) : 0;
}

static bool mentions(const ast_node *n, const char *name)
{
    if (ast_is(n, "DeclRefExpr") && strcmp(n->name, name) == 0)
        return true;
    for (size_t i = 0; i < n->count; ++i)
        if (mentions(n->inner[i], name))
            return true;
    return false;
}

/* The bound of the loop whose counter an index uses, or NULL. */
static const ast_node *axes(const ast_node *index)
{
    for (const ast_node *p = index->parent; p; p = p->parent) {
        if (!ast_is(p, "ForStmt") || p->count != 5 || mentions(p->inner[2], "NULL"))
            continue;
        const ast_node *c = p->inner[2];
        while (ast_is_operator(c, "&&"))
            c = c->inner[0];
        const ast_node *counter = ast_is_operator(c, "<") ? ast_strip(c->inner[0]) : NULL;
        if (counter && ast_is(counter, "DeclRefExpr") && mentions(index, counter->name) &&
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
    size_t at = expression_operator(g, n);
    unsigned long limit = extent(base);
    uint32_t first = g->count;
    uint32_t next = generate_add(g, n, at, "index", "next"), previous = generate_add(g, n, at, "index", "previous");
    uint32_t mirrored = bound ? generate_add(g, n, at, "index", "mirrored") : 0;
    fprintf(out, "(*({ __auto_type p%u = &(", k);
    emit_node(g, base, out);
    fprintf(out, ")[0]; uint64_t i%u = (uint64_t)(", k);
    if (expression_is_literal(index))
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

/* ---- calls --------------------------------------------------------------------------------------------------- */

/* Functions with which check reports clauses. Only their first arguments matter; the others are message texts. */
static const struct {
    const char *name;
    size_t arguments;
} reporters[] = { { "operator_violate", 3 }, { "operator_unspecified", 1 }, { "operator_several", 1 } };

static const ast_node *reporter_of(const ast_node *n, size_t *arguments)
{
    if (!ast_is(n, "CallExpr") || n->count == 0)
        return NULL;
    for (size_t i = 0; i < sizeof reporters / sizeof reporters[0]; ++i)
        if (strcmp(ast_strip(n->inner[0])->name, reporters[i].name) == 0) {
            *arguments = reporters[i].arguments;
            return n;
        }
    return NULL;
}

/* Write the result that a clause is reported with; its mutant reports a warning instead. */
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

/* Is a node the name of a clause in a list of clauses that a call passes on? Its mutant is NULL: the clause is not
   reported. */
static bool is_listed_text(const ast_node *n)
{
    return ast_is(ast_strip(n), "StringLiteral") && ast_is(n, "ImplicitCastExpr") && n->parent &&
           ast_is(n->parent, "InitListExpr") && n->parent->parent && ast_is(n->parent->parent, "CompoundLiteralExpr");
}

bool mutate_expression(generator *g, const ast_node *n, FILE *out)
{
    size_t arguments;
    bool is_signed;
    if (n->macro) { /* parts of an expansion have no place in the text; but the whole may be a constant */
        if (!expression_is_literal(n) || !expression_bits(n, &is_signed))
            return false;
        constant(g, n, out);
        return true;
    }
    if (reporter_of(n, &arguments))
        report(g, n, arguments, out);
    else if (is_listed_text(n))
        fprintf(out, "(schemata_reached(%u) ? NULL : %.*s)", (unsigned)generate_add(g, n, n->begin, "clause", "none"),
                (int)(n->end - n->begin), g->file->text + n->begin);
    else if (ast_is(n, "ArraySubscriptExpr") && n->count == 2)
        subscript(g, n, out);
    else if (extends(n))
        extend(g, n, out);
    else if (ast_is(n, "IntegerLiteral"))
        constant(g, n, out);
    else
        return mutate_operator(g, n, out);
    return true;
}
