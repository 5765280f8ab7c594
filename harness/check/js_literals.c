/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/js_literals.h"

#include "harness/base/text.h"
#include "harness/check/json_scanner.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scanner {
    const source_text *t;
    size_t at; /* the next byte */
    text out;  /* the JSON */
    int depth; /* of brackets in an array */
    error *e;
} scanner;

/* ---- characters -------------------------------------------------------------------------------------------------- */

/* The next byte; 0 behind the last one. */
static char next(const scanner *s)
{
    return s->t->bytes[s->at];
}

static bool starts(const scanner *s, const char *word)
{
    return strncmp(s->t->bytes + s->at, word, strlen(word)) == 0;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static size_t name_length(const scanner *s)
{
    size_t n = 0;
    while (is_name(s->t->bytes[s->at + n]))
        n++;
    return n;
}

static bool expected(scanner *s, const char *what)
{
    const char *at = s->t->bytes + s->at;
    const size_t n = name_length(s);
    if (s->at >= s->t->size)
        return source_text_error(s->e, s->t, s->at, "expected %s, but the file ends", what);
    return source_text_error(s->e, s->t, s->at, "expected %s, found '%.*s'", what, n ? n < 40 ? (int)n : 40 : 1, at);
}

/* Skip one byte, for which a blank or a line break stays, so that what follows keeps its place. */
static void skip(scanner *s)
{
    text_add(&s->out, next(s) == '\n' ? "\n" : " ");
    s->at++;
}

/* Skip blanks and comments. */
static void skip_blanks(scanner *s)
{
    for (;;) {
        if (starts(s, "//")) {
            while (s->at < s->t->size && next(s) != '\n')
                s->at++;
        } else if (starts(s, "/*")) {
            while (s->at < s->t->size && !starts(s, "*/"))
                skip(s);
            s->at += s->at < s->t->size ? 2 : 0;
        } else if (s->at < s->t->size && isspace((unsigned char)next(s))) {
            skip(s);
        } else {
            return;
        }
    }
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

/* An escape sequence; s->at is behind the backslash. */
static bool add_escape(scanner *s, text *to)
{
    const char c = next(s);
    const char *hex = s->t->bytes + s->at + 1;
    s->at++;
    if (c == 'x' && isxdigit((unsigned char)hex[0]) && isxdigit((unsigned char)hex[1])) {
        text_format(to, "\\u00%.2s", hex);
        s->at += 2;
    } else if (c == 'u' && strspn(hex, "0123456789abcdefABCDEF") >= 4) {
        text_format(to, "\\u%.4s", hex);
        s->at += 4;
    } else if (c != 0 && strchr("nrtbf\"\\/", c)) {
        text_format(to, "\\%c", c);
    } else if (c == '\'' || c == '`') {
        text_bytes(to, &c, 1);
    } else {
        return source_text_error(s->e, s->t, s->at - 2, "an escape sequence that is not known here");
    }
    return true;
}

/* Append the content of a string, without its quotes. */
static bool add_string(scanner *s, text *to)
{
    const char quote = next(s);
    const size_t begin = s->at++;
    while (next(s) != quote) {
        const char c = next(s);
        if (s->at >= s->t->size || c == '\n' || c == '\r' || starts(s, "${"))
            return source_text_error(s->e, s->t, begin, "expected a string that ends in its line");
        s->at++;
        if (c == '\\') {
            if (!add_escape(s, to))
                return false;
        } else if (c == '"') {
            text_add(to, "\\\"");
        } else if ((unsigned char)c < ' ') {
            text_format(to, "\\u%04x", c);
        } else {
            text_bytes(to, &c, 1);
        }
    }
    s->at++;
    return true;
}

static bool is_quote(char c)
{
    return c == '\'' || c == '"' || c == '`';
}

/* Skip a string in code, of which nothing is wanted. */
static bool skip_string(scanner *s)
{
    const size_t begin = s->at;
    const char quote = next(s);
    s->at++;
    while (s->at < s->t->size && next(s) != quote) {
        if (next(s) == '\n' && quote != '`')
            break;
        s->at += next(s) == '\\' && s->at + 1 < s->t->size;
        skip(s);
    }
    if (next(s) != quote)
        return source_text_error(s->e, s->t, begin, "a string that does not end");
    s->at++;
    return true;
}

/* Strings with + between them are one, behind the line breaks between them. */
static bool add_strings(scanner *s)
{
    text joined = { .data = NULL };
    bool fine = add_string(s, &joined);
    for (skip_blanks(s); fine && next(s) == '+'; skip_blanks(s)) {
        s->at++;
        skip_blanks(s);
        fine = is_quote(next(s)) ? add_string(s, &joined) : expected(s, "a string");
    }
    text_add(&s->out, "\"");
    text_bytes(&s->out, joined.data, joined.length);
    text_add(&s->out, "\"");
    s->out.failed |= joined.failed;
    text_free(&joined);
    return fine;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static size_t digits_at(const scanner *s)
{
    return strspn(s->t->bytes + s->at, "0123456789");
}

/* Append so many bytes as they are. */
static void copy(scanner *s, size_t n)
{
    text_bytes(&s->out, s->t->bytes + s->at, n);
    s->at += n;
}

static bool add_hex(scanner *s)
{
    char *end;
    const char *from = s->t->bytes + s->at;
    const size_t digits = strspn(from + 2, "0123456789abcdefABCDEF");
    if (digits == 0 || digits > 16)
        return expected(s, "a number of at most 16 hex digits");
    text_format(&s->out, "%" PRIu64, (uint64_t)strtoull(from, &end, 16));
    s->at += digits + 2;
    return true;
}

/* Digits with a fraction and an exponent. JSON needs a digit on both sides of the point, and no zeros in front. */
static bool add_decimal(scanner *s)
{
    size_t whole = digits_at(s);
    const bool point = s->t->bytes[s->at + whole] == '.';
    if (whole == 0 && !point)
        return expected(s, "a number");
    for (; whole > 1 && next(s) == '0'; --whole)
        s->at++;
    text_add(&s->out, whole ? "" : "0");
    copy(s, whole);
    if (point) {
        copy(s, 1);
        const size_t fraction = digits_at(s);
        if (whole + fraction == 0)
            return expected(s, "a digit");
        text_add(&s->out, fraction ? "" : "0");
        copy(s, fraction);
    }
    if (next(s) == 'e' || next(s) == 'E') {
        copy(s, 1);
        copy(s, next(s) == '-' || next(s) == '+');
        if (digits_at(s) == 0)
            return expected(s, "an exponent");
        copy(s, digits_at(s));
    }
    return true;
}

/* A number, with its sign. */
static bool add_number(scanner *s)
{
    const bool negative = next(s) == '-';
    s->at += negative || next(s) == '+';
    if (starts(s, "Infinity")) {
        text_add(&s->out, negative ? "\"-inf\"" : "\"inf\"");
        s->at += 8;
    } else if (negative && next(s) == '0' && strchr(",]} \n", s->t->bytes[s->at + 1])) {
        text_add(&s->out, "-0.0"); /* JSON's -0 is read as the integer 0 */
        s->at++;
    } else {
        text_add(&s->out, negative ? "-" : "");
        if (!(starts(s, "0x") || starts(s, "0X") ? add_hex(s) : add_decimal(s)))
            return false;
        s->at += next(s) == 'n'; /* a BigInt */
    }
    return !is_name(next(s)) || expected(s, "the end of a number");
}

static bool add_word(scanner *s)
{
    static const char *const words[][2] = {
        { "true", "true" }, { "false", "false" }, { "null", "null" }, { "NaN", "\"nan\"" }, { "Infinity", "\"inf\"" }
    };
    const size_t length = name_length(s);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        if (strlen(words[i][0]) == length && starts(s, words[i][0])) {
            text_add(&s->out, words[i][1]);
            s->at += length;
            return true;
        }
    }
    return expected(s, "a literal");
}

/* The name of a member, and the colon. */
static bool add_key(scanner *s)
{
    const size_t length = name_length(s);
    bool fine = true;
    if (is_quote(next(s))) {
        fine = add_strings(s);
    } else if (length > 0) {
        text_add(&s->out, "\"");
        copy(s, length);
        text_add(&s->out, "\"");
    } else {
        return expected(s, "the name of a member");
    }
    skip_blanks(s);
    if (!fine || next(s) != ':')
        return fine && expected(s, "':'");
    copy(s, 1);
    return true;
}

static bool add_value(scanner *s);

/* Skip an expression: up to the comma or the bracket behind it. False: the file ends before. */
static bool skip_expression(scanner *s)
{
    int brackets = 0;
    for (skip_blanks(s); s->at < s->t->size; skip_blanks(s)) {
        const char c = next(s);
        if (brackets == 0 && strchr(",]})", c))
            return true;
        brackets += c == '(' || c == '[' || c == '{';
        brackets -= c == ')' || c == ']' || c == '}';
        if (!is_quote(c))
            s->at++;
        else if (!skip_string(s))
            return false;
    }
    return false;
}

/* Replace what was appended since `length`, of an expression that begins at `begin` and is no literal, by a string with
   the error. False, with this error, if the file ends before the expression does. */
static bool add_unreadable(scanner *s, size_t begin, size_t length)
{
    const error problem = *s->e;
    text message = { .data = NULL };
    s->out.length = length;
    text_format(&message, "%c%s", JS_LITERALS_UNREADABLE, problem.text);
    text_json(&s->out, message.data ? message.data : "");
    s->out.failed |= message.failed;
    text_free(&message);
    s->at = begin;
    if (skip_expression(s))
        return true;
    *s->e = problem;
    return false;
}

/* The name of a member that has none of its own, such as ...spread: the code. */
static void add_code_as_key(scanner *s, size_t begin)
{
    char name[41];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(s->t->bytes + begin, ",:{}\n"), s->t->bytes + begin);
    text_json(&s->out, name);
    text_add(&s->out, ":");
}

/* An element of a list, or a member of a record, and what is behind it up to the comma or the bracket. */
static bool add_item(scanner *s, bool record)
{
    size_t begin = s->at, length = s->out.length;
    bool fine = true;
    if (record && !add_key(s)) {
        s->out.length = length;
        add_code_as_key(s, begin);
        return add_unreadable(s, begin, s->out.length);
    }
    begin = record ? s->at : begin;
    length = s->out.length;
    fine = add_value(s);
    skip_blanks(s);
    if (fine && next(s) != ',' && next(s) != (record ? '}' : ']'))
        fine = expected(s, record ? "',' or '}'" : "',' or ']'");
    return fine || add_unreadable(s, begin, length);
}

/* A list or a record, at its bracket. A comma where an element would be is a hole of a list. */
static bool add_container(scanner *s)
{
    const bool record = next(s) == '{';
    const char end = record ? '}' : ']';
    bool fine = s->depth < JSON_SCANNER_DEPTH;
    if (!fine)
        return source_text_error(s->e, s->t, s->at, "more than %d nested brackets", JSON_SCANNER_DEPTH);
    s->depth++;
    copy(s, 1);
    for (skip_blanks(s); fine && next(s) != end; skip_blanks(s)) {
        if (!record && next(s) == ',')
            text_add(&s->out, "null");
        else
            fine = add_item(s, record);
        if (fine && next(s) == ',')
            copy(s, 1);
        else if (fine && next(s) != end)
            fine = expected(s, record ? "',' or '}'" : "',' or ']'");
    }
    if (fine)
        copy(s, 1);
    s->depth--;
    return fine;
}

/* Recursion is at most JSON_SCANNER_DEPTH deep. */
static bool add_value(scanner *s)
{
    skip_blanks(s);
    const char c = next(s);
    if (c == '[' || c == '{')
        return add_container(s);
    if (is_quote(c))
        return add_strings(s);
    if (c != 0 && strchr("+-.0123456789", c))
        return add_number(s);
    return add_word(s);
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

/* Skip a name. If it declares a constant whose value is an array, append this. */
static bool take_declaration(scanner *s)
{
    const bool declares =
        name_length(s) == 5 ? starts(s, "const") : name_length(s) == 3 && (starts(s, "let") || starts(s, "var"));
    s->at += name_length(s);
    if (!declares)
        return true;
    skip_blanks(s);
    s->at += name_length(s);
    skip_blanks(s);
    if (next(s) != '=')
        return true;
    s->at++;
    skip_blanks(s);
    if (next(s) != '[')
        return true;
    const bool fine = add_container(s);
    text_add(&s->out, ",");
    return fine;
}

static bool convert(scanner *s)
{
    int brackets = 0;
    bool fine = true;
    text_add(&s->out, "[");
    for (skip_blanks(s); fine && s->at < s->t->size; skip_blanks(s)) {
        const char c = next(s);
        if (is_quote(c)) {
            fine = skip_string(s);
        } else if (name_length(s) > 0) {
            if (brackets == 0)
                fine = take_declaration(s);
            else
                s->at += name_length(s);
        } else {
            brackets += c == '(' || c == '[' || c == '{';
            brackets -= c == ')' || c == ']' || c == '}';
            if (brackets < 0)
                fine = source_text_error(s->e, s->t, s->at, "a bracket that closes nothing");
            s->at++;
        }
    }
    text_add(&s->out, "]");
    if (fine && brackets > 0)
        return source_text_error(s->e, s->t, s->t->size, "a bracket that is not closed");
    return fine;
}

bool js_literals_to_json(source_text *t, error *e)
{
    scanner s = { .t = t, .e = e };
    source_text json;
    bool fine = convert(&s);
    if (fine && s.out.failed)
        fine = error_set(e, "%s: out of memory", t->name);
    fine = fine && source_text_copy(&json, t->name, s.out.data, s.out.length, e);
    if (fine) {
        source_text_free(t);
        *t = json;
    }
    text_free(&s.out);
    return fine;
}
