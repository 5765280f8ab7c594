/* SPDX-License-Identifier: Apache-2.0 */
/* The error messages about expressions. */
#include "harness/expr/expr_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *expr_quoted(char *buffer, size_t size, const char *text, size_t begin, size_t end)
{
    size_t length = end - begin, n = 0;
    bool cut = length >= size;
    for (size_t i = 0; i < length && n + 1 < size; ++i) {
        if (cut && n == size / 2) {
            memcpy(buffer + n, "...", 3);
            n += 3;
            i = length - (size - 1 - n);
        }
        char c = text[begin + i];
        buffer[n++] = c < ' ' || c > '~' ? (c == '\n' || c == '\t' ? ' ' : '?') : c;
    }
    buffer[n] = 0;
    return buffer;
}

void *expr_complain(expr_parser *p, size_t at, const char *format, ...)
{
    char message[640], excerpt[121];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    size_t length = strlen(p->text), begin = 0, end = length;
    if (length > 120) {
        begin = at > 50 ? at - 50 : 0;
        end = length - begin > 100 ? begin + 100 : length;
    }
    expr_quoted(excerpt, sizeof excerpt, p->text, begin, end);
    error_usage(p->e, "%s: in '%s%s%s' at column %zu: %s", p->where ? p->where : "expression", begin > 0 ? "..." : "",
                excerpt, end < length ? "..." : "", at + 1, message);
    return NULL;
}

void expr_list_word(expr_words *list, const char *word)
{
    if (list->full)
        return;
    int n =
        snprintf(list->text + list->length, sizeof list->text - list->length, "%s%s", list->length ? ", " : "", word);
    if (n < 0 || list->length + (size_t)n + 8 > sizeof list->text) {
        list->full = true;
        snprintf(list->text + list->length, sizeof list->text - list->length, "%s", list->length ? ", ..." : "...");
        return;
    }
    list->length += (size_t)n;
}

const char *expr_suggested(const did_you_mean_names *known, const char *word, char *buffer, size_t size)
{
    const char *best = did_you_mean_name(known, word);
    buffer[0] = 0;
    if (best)
        snprintf(buffer, size, " (did you mean '%.60s'?)", best);
    return buffer;
}

void *expr_unknown_name(expr_parser *p, size_t begin, size_t end)
{
    char name[64], hint[96];
    expr_words known = { .length = 0 };
    did_you_mean_names names = { .count = 0 };
    for (size_t i = 0; i < p->scope->count; ++i) {
        expr_list_word(&known, p->scope->names[i].name);
        did_you_mean_add(&names, p->scope->names[i].name);
    }
    for (size_t i = 0; p->scope->relaxed && i < p->scope->alias_count; ++i) {
        expr_list_word(&known, p->scope->aliases[i].name);
        did_you_mean_add(&names, p->scope->aliases[i].name);
    }
    for (size_t i = 0; p->scope->relaxed && p->scope->facts && i < p->scope->facts->count; ++i) {
        expr_list_word(&known, p->scope->facts->names[i].name);
        did_you_mean_add(&names, p->scope->facts->names[i].name);
    }
    expr_quoted(name, sizeof name, p->text, begin, end);
    return expr_complain(p, begin, "unknown name '%s'%s; known: %s", name,
                         expr_suggested(&names, name, hint, sizeof hint), p->scope->count ? known.text : "none");
}

void *expr_unknown_symbol(expr_parser *p, const expr_node *symbol, const expr_name *domain)
{
    char word[64], hint[96];
    expr_words there = { .length = 0 };
    did_you_mean_names names = { .count = 0 };
    for (size_t i = 0; i < domain->symbol_count; ++i) {
        expr_list_word(&there, domain->symbols[i]);
        did_you_mean_add(&names, domain->symbols[i]);
    }
    expr_quoted(word, sizeof word, symbol->word, 0, symbol->word_length);
    return expr_complain(p, symbol->begin, "unknown value '%s' of '%s'%s; there are: %s", word, domain->name,
                         expr_suggested(&names, word, hint, sizeof hint), there.text);
}

void *expr_unquantified(expr_parser *p, size_t begin, size_t end)
{
    char source[200];
    expr_quoted(source, sizeof source, p->text, begin, end);
    return expr_complain(p, begin,
                         "a comparison of a vector says whether it has to hold for every element, each(%s), or for at "
                         "least one, any(%s)",
                         source, source);
}

const char *expr_described(const expr_node *n)
{
    if (n->partial)
        return "a value or false ('and' without 'or')";
    switch (n->base) {
    case BASE_BOOL: return n->vector ? "a truth value for each element" : "a truth value";
    case BASE_ENUMERATED: return n->vector ? "a vector of enumerated values" : "an enumerated value";
    case BASE_SYMBOL: return n->decimal ? "a decimal number" : "a string";
    case BASE_INT: break;
    }
    return n->vector ? "a vector" : "an integer";
}

const expr_node *expr_bare_word(const expr_node *n)
{
    if (n->base != BASE_SYMBOL)
        return NULL;
    if (n->kind == NODE_CONSTANT)
        return n->bare ? n : NULL;
    const expr_node *first = n->kind == NODE_OR ? expr_bare_word(n->a) : NULL;
    return first ? first : expr_bare_word(n->b);
}

void *expr_mistyped(expr_parser *p, const expr_node *n, const char *wanted)
{
    char source[64];
    const expr_node *bare = expr_bare_word(n);
    if (bare)
        return expr_unknown_name(p, (size_t)(bare->word - p->text), (size_t)(bare->word - p->text) + bare->word_length);
    return expr_complain(p, n->begin, "%s, and '%s' is %s", wanted,
                         expr_quoted(source, sizeof source, p->text, n->begin, n->end), expr_described(n));
}
