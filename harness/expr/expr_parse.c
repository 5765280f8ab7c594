/* SPDX-License-Identifier: Apache-2.0 */
/* Lexer and grammar of expressions, a subset of Lua's. */
#include "harness/expr/expr_internal.h"

#include "harness/base/decimal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef enum token_kind {
    /* A token of a single character is that character. */
    TOKEN_END = 256,
    TOKEN_INTEGER,
    TOKEN_DECIMAL,
    TOKEN_STRING,
    TOKEN_WORD,
    TOKEN_BROKEN, /* the message has been set */
    TOKEN_DIVIDE,
    TOKEN_EQ,
    TOKEN_NE,
    TOKEN_LE,
    TOKEN_GE,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_NOT,
    TOKEN_IN
} token_kind;

static const char *const keywords[] = { "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
                                        "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
                                        "repeat",   "return", "then", "true", "until",  "while" };

/* ---- lexer ----------------------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool expr_is_keyword(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; ++i)
        if (strlen(keywords[i]) == length && memcmp(keywords[i], word, length) == 0)
            return true;
    return false;
}

static bool token_is(const expr_parser *p, const char *word)
{
    return strlen(word) == p->end - p->begin && memcmp(p->text + p->begin, word, p->end - p->begin) == 0;
}

/* The length of a run of letters and digits that starts with a digit, with the signed exponent of a number. */
static size_t run_length(const char *run)
{
    size_t length = 0;
    while (is_word(run[length]) || run[length] == '.')
        ++length;
    const size_t mantissa = strspn(run, "0123456789.");
    if (length == mantissa + 1 && (run[mantissa] == 'e' || run[mantissa] == 'E') &&
        (run[length] == '-' || run[length] == '+') && is_digit(run[length + 1]))
        length += 1 + strspn(run + length + 1, "0123456789");
    return length;
}

/* A number, or in a query a value such as 4_1. */
static int lex_number(expr_parser *p)
{
    char digits[32];
    const char *run = p->text + p->begin;
    const size_t length = run_length(run);
    double decimal;
    p->end = p->begin + length;
    bool hexadecimal = length > 2 && run[0] == '0' && (run[1] == 'x' || run[1] == 'X');
    size_t first = hexadecimal ? 2 : 0;
    size_t count = strspn(run + first, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
    if (first + count != length) {
        if (decimal_read(run, length, &decimal))
            return TOKEN_DECIMAL;
        if (p->scope->relaxed && memchr(run, '.', length) == NULL)
            return TOKEN_WORD;
        expr_complain(p, p->begin, "malformed number '%s'; expected one such as 12, 0xff or 1.5",
                      expr_quoted(digits, sizeof digits, p->text, p->begin, p->end));
        return TOKEN_BROKEN;
    }
    /* A hexadecimal number is a pattern of 64 bits, as in Lua; a decimal one can have a sign. */
    errno = 0;
    unsigned long long value = strtoull(run + first, NULL, hexadecimal ? 16 : 10);
    if (errno == ERANGE || (!hexadecimal && value > INT64_MAX)) {
        expr_complain(p, p->begin, "the number '%s' does not fit into 64 bits",
                      expr_quoted(digits, sizeof digits, p->text, p->begin, p->end));
        return TOKEN_BROKEN;
    }
    p->integer = (int64_t)value;
    return TOKEN_INTEGER;
}

/* A string is not unescaped: values of enumerations need no escapes. */
static int lex_string(expr_parser *p)
{
    char quote = p->text[p->begin];
    for (size_t i = p->begin + 1;; ++i) {
        char c = p->text[i];
        if (c == 0 || c == '\n' || c == '\r') {
            expr_complain(p, p->begin, "unfinished string");
            return TOKEN_BROKEN;
        }
        if (c == '\\') {
            expr_complain(p, i, "a string has no escapes here");
            return TOKEN_BROKEN;
        }
        if (c == quote) {
            p->end = i + 1;
            return TOKEN_STRING;
        }
    }
}

/* The length of what joins the words of a name in a query, such as OutputTensor.Sizes or InputTensors[0].Sizes; 0 if
   none begins at p. */
static size_t joint(const char *p)
{
    size_t length = 0;
    if (*p == '[') {
        const size_t digits = strspn(p + 1, "0123456789");
        if (digits == 0 || p[1 + digits] != ']')
            return 0;
        length = digits + 2;
    }
    return p[length] == '.' && is_word(p[length + 1]) && !is_digit(p[length + 1]) ? length + 1 : 0;
}

static int lex_word(expr_parser *p)
{
    for (size_t more = 1; more > 0; p->end += more)
        more = is_word(p->text[p->end]) ? 1 : p->scope->relaxed ? joint(p->text + p->end) : 0;
    if (token_is(p, "and"))
        return TOKEN_AND;
    if (token_is(p, "or"))
        return TOKEN_OR;
    if (token_is(p, "not"))
        return TOKEN_NOT;
    return p->scope->relaxed && token_is(p, "in") ? TOKEN_IN : TOKEN_WORD;
}

static int lex(expr_parser *p)
{
    static const struct {
        char text[3];
        int token;
        const char *advice; /* for operators of other languages */
    } marks[] = {
        { "//", TOKEN_DIVIDE, NULL },
        { "==", TOKEN_EQ, NULL },
        { "~=", TOKEN_NE, NULL },
        { "<=", TOKEN_LE, NULL },
        { ">=", TOKEN_GE, NULL },
        { "--", TOKEN_BROKEN, "'--' starts a comment in Lua; write '- -' or parentheses" },
        { "!=", TOKEN_BROKEN, "'!=' is written '~='" },
        { "<<", TOKEN_BROKEN, "there are no shifts" },
        { ">>", TOKEN_BROKEN, "there are no shifts" },
        { "&&", TOKEN_BROKEN, "'&&' is written 'and'" },
        { "||", TOKEN_BROKEN, "'||' is written 'or'" },
        { "!", TOKEN_BROKEN, "'!' is written 'not'" },
        { "=", TOKEN_BROKEN, "a comparison is written '=='" },
        { "/", TOKEN_BROKEN, "integers are divided with '//'" },
        { "#", TOKEN_BROKEN, "the length of v is written len(v)" },
        { "~", TOKEN_BROKEN, "'not equal' is written '~='" },
    };
    p->previous_end = p->end;
    p->begin = p->end + strspn(p->text + p->end, " \t\n\v\f\r");
    p->end = p->begin;
    char c = p->text[p->begin];
    if (c == 0)
        return TOKEN_END;
    if (is_digit(c))
        return lex_number(p);
    if (is_word(c))
        return lex_word(p);
    if (c == '"' || c == '\'')
        return lex_string(p);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; ++i)
        if (strncmp(marks[i].text, p->text + p->begin, strlen(marks[i].text)) == 0) {
            p->end += strlen(marks[i].text);
            if (marks[i].advice)
                expr_complain(p, p->begin, "%s", marks[i].advice);
            return marks[i].token;
        }
    p->end = p->begin + 1;
    if (strchr("+-*%<>()[]{},", c))
        return c;
    if (c > ' ' && c <= '~')
        expr_complain(p, p->begin, "unexpected '%c'", c);
    else
        expr_complain(p, p->begin, "unexpected byte 0x%02x", (unsigned)(unsigned char)c);
    return TOKEN_BROKEN;
}

static void advance(expr_parser *p)
{
    p->token = lex(p);
}

/* ---- grammar --------------------------------------------------------------------------------------------------- */

/* Priorities as in Lua; all of these associate to the left. */
enum { PRIORITY_NONE, PRIORITY_OR, PRIORITY_AND, PRIORITY_COMPARE, PRIORITY_ADD, PRIORITY_MULTIPLY };

typedef struct operator_row {
    int token;
    int priority;
    expr_binary operation;
} operator_row;

static const operator_row operators[] = {
    { TOKEN_OR, PRIORITY_OR, 0 },
    { TOKEN_AND, PRIORITY_AND, 0 },
    { TOKEN_EQ, PRIORITY_COMPARE, EXPR_EQ },
    { TOKEN_NE, PRIORITY_COMPARE, EXPR_NE },
    { '<', PRIORITY_COMPARE, EXPR_LT },
    { '>', PRIORITY_COMPARE, EXPR_GT },
    { TOKEN_LE, PRIORITY_COMPARE, EXPR_LE },
    { TOKEN_GE, PRIORITY_COMPARE, EXPR_GE },
    { TOKEN_IN, PRIORITY_COMPARE, 0 },
    { TOKEN_NOT, PRIORITY_COMPARE, 0 }, /* `not in`, in queries */
    { '+', PRIORITY_ADD, EXPR_ADD },
    { '-', PRIORITY_ADD, EXPR_SUBTRACT },
    { '*', PRIORITY_MULTIPLY, EXPR_MULTIPLY },
    { TOKEN_DIVIDE, PRIORITY_MULTIPLY, EXPR_DIVIDE },
    { '%', PRIORITY_MULTIPLY, EXPR_MODULO },
};

static expr_node *parse_operation(expr_parser *p, int limit);

/* Enter a nested expression. The depth of recursion is bounded; leave with --p->nesting. */
static bool enter(expr_parser *p)
{
    if (++p->nesting <= EXPR_MAX_NESTING)
        return true;
    expr_complain(p, p->begin, "nested deeper than %d", EXPR_MAX_NESTING);
    return false;
}

static void *unexpected(expr_parser *p, const char *wanted)
{
    char found[40];
    if (p->token == TOKEN_BROKEN)
        return NULL;
    if (p->token == TOKEN_END)
        return expr_complain(p, p->begin, "expected %s, found the end", wanted);
    const char *advice = token_is(p, "in") ? "; lists belong to queries, write x == a or x == b" : "";
    return expr_complain(p, p->begin, "expected %s, found '%s'%s", wanted,
                         expr_quoted(found, sizeof found, p->text, p->begin, p->end), advice);
}

static bool expect(expr_parser *p, int token, const char *wanted)
{
    if (p->token == token) {
        advance(p);
        return true;
    }
    unexpected(p, wanted);
    return false;
}

/* An expression in brackets. The current token is the opening bracket. */
static expr_node *parse_nested(expr_parser *p, int closing, const char *wanted)
{
    if (!enter(p))
        return NULL;
    advance(p);
    expr_node *n = parse_operation(p, PRIORITY_NONE);
    --p->nesting;
    return n && expect(p, closing, wanted) ? n : NULL;
}

/* The arguments of a function, whose name was text[begin, end). */
static expr_node *parse_call(expr_parser *p, size_t begin, size_t end)
{
    const expr_function *f = expr_find_function(p, begin, end);
    if (f == NULL || !enter(p))
        return NULL;
    const bool quantifier = f->kind == CALL_QUANTIFY;
    if (quantifier && p->quantifiers > 0)
        return expr_complain(p, begin,
                             "each() and any() do not nest: what is inside is about one element at a time; join them "
                             "with 'and' or 'or' instead");
    p->quantifiers += quantifier;
    expr_node *arguments[EXPR_MAX_ARGUMENTS] = { NULL };
    int count = 0;
    advance(p);
    for (bool more = p->token != ')'; more; ++count) {
        const bool truths = f->truths && (count == 0 || f->most == 1);
        p->by_element += truths;
        expr_node *argument = parse_operation(p, PRIORITY_NONE);
        p->by_element -= truths;
        if (argument == NULL)
            return NULL;
        if (count < EXPR_MAX_ARGUMENTS) /* arguments beyond the limit are counted for the message */
            arguments[count] = argument;
        more = p->token == ',';
        if (more)
            advance(p);
    }
    --p->nesting;
    p->quantifiers -= quantifier;
    return expect(p, ')', "',' or ')'") ? expr_make_call(p, f, arguments, count, begin) : NULL;
}

static expr_node *parse_primary(expr_parser *p)
{
    size_t begin = p->begin, end = p->end;
    expr_node *n = NULL;
    switch (p->token) {
    case TOKEN_INTEGER: n = expr_make_integer(p, p->integer, begin, end); break;
    case TOKEN_DECIMAL: n = expr_make_decimal(p, begin, end); break;
    case TOKEN_STRING: n = expr_make_symbol(p, false, begin, end); break;
    case TOKEN_WORD: advance(p); return p->token == '(' ? parse_call(p, begin, end) : expr_make_name(p, begin, end);
    case '(':
        n = parse_nested(p, ')', "')'");
        if (n) {
            n->begin = begin;
            n->end = p->previous_end;
        }
        return n;
    default: return unexpected(p, "a value");
    }
    advance(p);
    return n;
}

static expr_node *parse_postfix(expr_parser *p)
{
    expr_node *n = parse_primary(p);
    while (n && p->token == '[') {
        expr_node *index = parse_nested(p, ']', "']'");
        n = index ? expr_make_index(p, n, index) : NULL;
    }
    return n;
}

static expr_node *parse_unary(expr_parser *p)
{
    int token = p->token;
    size_t begin = p->begin;
    if (token != '-' && token != TOKEN_NOT)
        return parse_postfix(p);
    if (!enter(p))
        return NULL;
    advance(p);
    expr_node *a = parse_unary(p);
    --p->nesting;
    if (a == NULL)
        return NULL;
    return token == TOKEN_NOT ? expr_make_not(p, a, begin) : expr_make_negative(p, a, begin);
}

/* The list of `x in {a, b}`, or of `x not in {a, b}`. */
static expr_node *parse_list(expr_parser *p, expr_node *x, bool negated)
{
    expr_node *list = NULL, **tail = &list;
    if ((negated && !expect(p, TOKEN_IN, "'in'")) || !enter(p) || !expect(p, '{', "'{'"))
        return NULL;
    for (bool more = true; more;) {
        expr_node *item = parse_operation(p, PRIORITY_NONE);
        if (item == NULL)
            return NULL;
        *tail = item;
        tail = &item->next;
        more = p->token == ',';
        if (more)
            advance(p);
    }
    --p->nesting;
    if (!expect(p, '}', "',' or '}'"))
        return NULL;
    expr_node *n = expr_make_in(p, x, list);
    return n && negated ? expr_make_not(p, n, n->begin) : n;
}

/* Parse an operand and all operators after it whose priority is above the limit. */
static expr_node *parse_operation(expr_parser *p, int limit)
{
    expr_node *left = parse_unary(p);
    while (left) {
        const operator_row *row = NULL;
        for (size_t i = 0; i < sizeof operators / sizeof operators[0]; ++i)
            if (operators[i].token == p->token)
                row = &operators[i];
        if (row == NULL || row->priority <= limit || (row->token == TOKEN_NOT && !p->scope->relaxed))
            return left;
        advance(p);
        if (row->token == TOKEN_IN || row->token == TOKEN_NOT) {
            left = parse_list(p, left, row->token == TOKEN_NOT);
            continue;
        }
        expr_node *right = parse_operation(p, row->priority);
        if (right == NULL)
            return NULL;
        switch (row->priority) {
        case PRIORITY_OR: left = expr_make_or(p, left, right); break;
        case PRIORITY_AND: left = expr_make_and(p, left, right); break;
        case PRIORITY_COMPARE: left = expr_make_comparison(p, row->operation, left, right); break;
        default: left = expr_make_arithmetic(p, row->operation, left, right);
        }
    }
    return NULL;
}

bool expr_check_words(const char *text, const char *where, error *e)
{
    static const expr_scope no_names = { .relaxed = true };
    expr_parser p = { .text = text, .scope = &no_names, .where = where, .e = e };
    for (advance(&p); p.token != TOKEN_END && p.token != TOKEN_BROKEN;) {
        const bool word = p.token == TOKEN_WORD;
        const size_t begin = p.begin, end = p.end;
        advance(&p);
        if (word && p.token == '(' && !expr_find_function(&p, begin, end))
            return false;
    }
    return p.token == TOKEN_END;
}

/* ---- aliases --------------------------------------------------------------------------------------------------- */

static const expr_alias *find_alias(const expr_scope *scope, const char *word, size_t length)
{
    for (size_t i = 0; i < scope->count; ++i)
        if (strlen(scope->names[i].name) == length && memcmp(scope->names[i].name, word, length) == 0)
            return NULL; /* the name of the scope itself */
    for (size_t i = 0; i < scope->alias_count; ++i)
        if (strlen(scope->aliases[i].name) == length && memcmp(scope->aliases[i].name, word, length) == 0)
            return &scope->aliases[i];
    return NULL;
}

/* The end of the string or of the words joined by dots that start at p, or p + 1. */
static const char *piece_end(const char *p)
{
    if (*p == '"' || *p == '\'') {
        const char *end = strchr(p + 1, *p);
        return end ? end + 1 : p + strlen(p);
    }
    const char *end = p;
    for (size_t more = 1; more > 0; end += more)
        more = is_word(*end) ? 1 : end > p ? joint(end) : 0;
    return end > p ? end : p + 1;
}

char *expr_expand(const char *text, const expr_scope *scope, bool *failed)
{
    char *out = NULL;
    size_t used = 0;
    for (const char *p = text, *end; scope->relaxed && scope->alias_count && *p; p = end) {
        end = piece_end(p);
        const expr_alias *alias = find_alias(scope, p, (size_t)(end - p));
        if (alias && !out) {
            *failed = !(out = calloc(1, EXPR_MAX_TEXT + 1));
            if (*failed)
                return NULL;
            memcpy(out, text, used = (size_t)(p - text));
        }
        const size_t length = alias ? strlen(alias->text) + 2 : (size_t)(end - p);
        if (out && used + length > EXPR_MAX_TEXT) {
            free(out);
            return NULL;
        }
        if (alias) {
            out[used] = '(';
            memcpy(out + used + 1, alias->text, length - 2);
            out[used + length - 1] = ')';
        } else if (out) {
            memcpy(out + used, p, length);
        }
        used += out ? length : 0;
    }
    return out;
}

bool expr_parse(expr_tree *tree, const char *text, const expr_scope *scope, const char *where, error *e)
{
    expr_parser p = { .text = text, .scope = scope, .where = where, .e = e, .tree = tree };
    size_t length = strlen(text);
    *tree = (expr_tree){ .nodes = NULL };
    if (length > EXPR_MAX_TEXT) {
        expr_complain(&p, EXPR_MAX_TEXT, "an expression has at most %d characters", EXPR_MAX_TEXT);
        return false;
    }
    if (scope->count > EXPR_MAX_SLOTS) {
        expr_complain(&p, 0, "%zu names are more than the %d that a scope may have", scope->count, EXPR_MAX_SLOTS);
        return false;
    }
    /* A character makes at most one node, `is(` two more, an element of its list six, and each conjunct one more when
       they are taken apart. */
    tree->capacity = 4 * length + 2;
    tree->nodes = malloc(tree->capacity * sizeof *tree->nodes);
    if (tree->nodes == NULL)
        return error_set(e, "out of memory");
    advance(&p);
    expr_node *root = parse_operation(&p, PRIORITY_NONE);
    if (root && p.token != TOKEN_END)
        root = unexpected(&p, "an operator or the end");
    tree->root = root ? expr_finish(&p, root) : NULL;
    return tree->root != NULL;
}
