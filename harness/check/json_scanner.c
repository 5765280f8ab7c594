/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/json_scanner.h"

#include <string.h>

/* ---- is it JSON? ------------------------------------------------------------------------------------------- */

/* The open brackets are stored here, not on the stack: the depth of hostile files is bounded. */
typedef struct scanner {
    source_text *t;
    size_t at;
    unsigned depth;
    unsigned char object[JSON_SCANNER_DEPTH]; /* is bracket i of an object? */
    size_t opened[JSON_SCANNER_DEPTH];
    error *e;
} scanner;

static int peek(const scanner *s)
{
    return s->at < s->t->size ? (unsigned char)s->t->bytes[s->at] : -1;
}

static bool fail(scanner *s, const char *what)
{
    int c = peek(s);
    if (c < 0)
        return source_text_error(s->e, s->t, s->at, "%s, found the end", what);
    if (c < 0x20 || c > 0x7e)
        return source_text_error(s->e, s->t, s->at, "%s, found byte 0x%02x", what, (unsigned)c);
    return source_text_error(s->e, s->t, s->at, "%s, found '%c'", what, c);
}

/* Replace a comment by blanks; its line breaks remain. */
static bool skip_comment(scanner *s)
{
    size_t start = s->at;
    char *bytes = s->t->bytes;
    bool line = bytes[s->at + 1] == '/';
    s->at += 2;
    while (s->at < s->t->size && (line ? bytes[s->at] != '\n' : bytes[s->at] != '*' || bytes[s->at + 1] != '/'))
        s->at++;
    if (!line && s->at >= s->t->size)
        return source_text_error(s->e, s->t, start, "a comment that does not end");
    s->at += line ? 0 : 2;
    for (size_t i = start; i < s->at; ++i) {
        if (bytes[i] != '\n')
            bytes[i] = ' ';
    }
    return true;
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static bool skip_blanks(scanner *s)
{
    for (;;) {
        int c = peek(s);
        if (is_blank(c))
            s->at++;
        else if (c == '/' && s->at + 1 < s->t->size &&
                 (s->t->bytes[s->at + 1] == '/' || s->t->bytes[s->at + 1] == '*')) {
            if (!skip_comment(s))
                return false;
        } else
            return true;
    }
}

/* The length of the UTF-8 character at a byte; 0 for invalid UTF-8. */
static size_t character(const unsigned char *p, size_t left)
{
    static const struct {
        unsigned char mask, lead;
        unsigned least;
    } forms[] = { { 0xE0, 0xC0, 0x80 }, { 0xF0, 0xE0, 0x800 }, { 0xF8, 0xF0, 0x10000 } };
    if (p[0] < 0x80)
        return 1;
    for (size_t n = 0; n < 3; ++n) {
        if ((p[0] & forms[n].mask) != forms[n].lead)
            continue;
        unsigned code = p[0] & (unsigned char)~forms[n].mask;
        if (left < n + 2)
            return 0;
        for (size_t i = 1; i < n + 2; ++i) {
            if ((p[i] & 0xC0) != 0x80)
                return 0;
            code = code << 6 | (p[i] & 0x3F);
        }
        return code >= forms[n].least && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) ? n + 2 : 0;
    }
    return 0;
}

static bool scan_string(scanner *s)
{
    const char *bytes = s->t->bytes;
    size_t start = s->at++, size = s->t->size;
    while (s->at < size) {
        unsigned char c = (unsigned char)bytes[s->at];
        if (c == '"') {
            s->at++;
            return true;
        }
        if (c < 0x20)
            return c == '\n' ? source_text_error(s->e, s->t, start, "a string that does not end in its line")
                             : source_text_error(s->e, s->t, s->at, "a control character in a string");
        if (c == '\\') {
            s->at++;
            int escape = peek(s);
            if (escape < 0 || !strchr("\"\\/bfnrtu", escape))
                return fail(s, "expected an escape such as \\n or \\u0041");
            s->at++;
            for (int i = 0; escape == 'u' && i < 4; ++i, ++s->at) {
                int digit = peek(s);
                if (!((digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f') ||
                      (digit >= 'A' && digit <= 'F')))
                    return fail(s, "expected four hex digits after \\u");
            }
            continue;
        }
        size_t n = c < 0x80 ? 1 : character((const unsigned char *)bytes + s->at, size - s->at);
        if (n == 0)
            return source_text_error(s->e, s->t, s->at, "byte 0x%02x is no UTF-8", c);
        s->at += n;
    }
    return source_text_error(s->e, s->t, start, "a string that does not end");
}

static bool digits(scanner *s)
{
    if (peek(s) < '0' || peek(s) > '9')
        return fail(s, "expected a digit");
    while (peek(s) >= '0' && peek(s) <= '9')
        s->at++;
    return true;
}

static bool scan_number(scanner *s)
{
    size_t start = s->at;
    if (peek(s) == '-')
        s->at++;
    if (peek(s) == 'I' || peek(s) == 'N')
        return source_text_error(s->e, s->t, start, "JSON has no infinities and no NaN");
    bool zero = peek(s) == '0';
    size_t first = s->at;
    if (!digits(s))
        return false;
    if (zero && s->at > first + 1)
        return source_text_error(s->e, s->t, start, "a number with a leading zero");
    if (peek(s) == '.') {
        s->at++;
        if (!digits(s))
            return false;
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        s->at++;
        if (peek(s) == '+' || peek(s) == '-')
            s->at++;
        return digits(s);
    }
    return true;
}

static bool scan_word(scanner *s)
{
    static const char *const words[] = { "true", "false", "null" };
    for (size_t i = 0; i < 3; ++i) {
        size_t n = strlen(words[i]);
        if (s->t->size - s->at >= n && memcmp(s->t->bytes + s->at, words[i], n) == 0) {
            s->at += n;
            return true;
        }
    }
    if (peek(s) == 'N' || peek(s) == 'I')
        return source_text_error(s->e, s->t, s->at, "JSON has no infinities and no NaN");
    return fail(s, "expected a value");
}

/* Scan a value, or the bracket that opens one. */
static bool scan_value(scanner *s)
{
    int c = peek(s);
    if (c == '{' || c == '[') {
        if (s->depth == JSON_SCANNER_DEPTH)
            return source_text_error(s->e, s->t, s->at, "brackets are nested deeper than %d", JSON_SCANNER_DEPTH);
        s->object[s->depth] = c == '{';
        s->opened[s->depth++] = s->at++;
        return true;
    }
    if (c == '"')
        return scan_string(s);
    return c == '-' || (c >= '0' && c <= '9') ? scan_number(s) : scan_word(s);
}

static bool scan_key(scanner *s)
{
    if (peek(s) != '"')
        return fail(s, "expected a name in quotes");
    if (!scan_string(s) || !skip_blanks(s))
        return false;
    if (peek(s) != ':')
        return fail(s, "expected ':'");
    s->at++;
    return skip_blanks(s);
}

/* Scan within the open brackets. `fresh`: the innermost was just opened. A comma at `comma` before the closing bracket
   is replaced by a blank. */
static bool scan_rest(scanner *s)
{
    bool fresh = true;
    while (s->depth > 0) {
        bool object = s->object[s->depth - 1];
        size_t comma = 0;
        if (!skip_blanks(s))
            return false;
        if (!fresh && peek(s) == ',') {
            comma = s->at++;
            if (!skip_blanks(s))
                return false;
        }
        if (peek(s) == (object ? '}' : ']')) {
            if (comma)
                s->t->bytes[comma] = ' ';
            s->at++;
            s->depth--;
            fresh = false;
            continue;
        }
        if (peek(s) < 0)
            return source_text_error(s->e, s->t, s->opened[s->depth - 1], "this %s does not end",
                                     object ? "record" : "list");
        if (!fresh && !comma)
            return fail(s, object ? "expected ',' or '}'" : "expected ',' or ']'");
        unsigned depth = s->depth;
        if ((object && !scan_key(s)) || !scan_value(s))
            return false;
        fresh = s->depth > depth;
    }
    return true;
}

bool json_scanner_check(source_text *t, check_span *root, error *e)
{
    scanner s = { .t = t, .e = e };
    if (t->size >= 2 && (memcmp(t->bytes, "\xff\xfe", 2) == 0 || memcmp(t->bytes, "\xfe\xff", 2) == 0))
        return source_text_error(e, t, 0, "UTF-16 text, where JSON is UTF-8");
    if (t->size >= 3 && memcmp(t->bytes, "\xef\xbb\xbf", 3) == 0)
        memset(t->bytes, ' ', 3); /* a byte order mark */
    if (!skip_blanks(&s))
        return false;
    root->begin = s.at;
    if (!scan_value(&s) || !scan_rest(&s))
        return false;
    root->end = s.at;
    if (!skip_blanks(&s))
        return false;
    return s.at == t->size ? true : fail(&s, "expected the end behind the value");
}

/* ---- walking it -------------------------------------------------------------------------------------------- */

static size_t next_token(const source_text *t, size_t at)
{
    while (at < t->size && is_blank((unsigned char)t->bytes[at]))
        at++;
    return at;
}

static size_t after_string(const source_text *t, size_t at)
{
    for (++at; at < t->size && t->bytes[at] != '"'; ++at)
        at += t->bytes[at] == '\\';
    return at + 1;
}

/* Find the first quote or bracket at or behind `at`: nearly all bytes of a file are skipped here. */
static size_t next_bracket(const source_text *t, size_t at)
{
    static const bool stops[256] = { ['"'] = true, ['{'] = true, ['}'] = true, ['['] = true, [']'] = true, [0] = true };
    while (!stops[(unsigned char)t->bytes[at]]) /* a 0 ends the text */
        at++;
    return at;
}

static size_t after_value(const source_text *t, size_t at)
{
    unsigned depth = 0;
    char c = t->bytes[at];
    if (c != '"' && c != '{' && c != '[') /* a number or word */
        return at + strcspn(t->bytes + at, ",}] \n\r\t");
    do {
        at = depth > 0 ? next_bracket(t, at) : at;
        c = t->bytes[at];
        if (c == '"') {
            at = after_string(t, at);
            continue;
        }
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        at++;
    } while (depth > 0 && at < t->size);
    return at;
}

/* The start of the next member or element in brackets, or 0. */
static size_t next_in(const source_text *t, check_span brackets, size_t at, char open)
{
    if (at == 0) {
        if (brackets.begin >= brackets.end || t->bytes[brackets.begin] != open)
            return 0;
        at = brackets.begin + 1;
    } else {
        at = next_token(t, at);
        if (at < brackets.end && t->bytes[at] == ',')
            at++;
    }
    at = next_token(t, at);
    return at + 1 < brackets.end ? at : 0; /* the last byte is the closing bracket */
}

bool json_scanner_member(const source_text *t, check_span object, size_t *at, check_span *key, check_span *value)
{
    size_t start = next_in(t, object, *at, '{');
    if (start == 0)
        return false;
    key->begin = start + 1;
    key->end = after_string(t, start) - 1;
    value->begin = next_token(t, next_token(t, key->end + 1) + 1);
    value->end = *at = after_value(t, value->begin);
    return true;
}

bool json_scanner_element(const source_text *t, check_span array, size_t *at, check_span *value)
{
    size_t start = next_in(t, array, *at, '[');
    if (start == 0)
        return false;
    value->begin = start;
    value->end = *at = after_value(t, start);
    return true;
}

bool json_scanner_is(const source_text *t, check_span span, const char *word)
{
    size_t n = strlen(word);
    return span.end - span.begin == n && memcmp(t->bytes + span.begin, word, n) == 0;
}

bool json_scanner_find(const source_text *t, check_span object, const char *name, check_span *value)
{
    size_t at = 0;
    check_span key;
    while (json_scanner_member(t, object, &at, &key, value)) {
        if (json_scanner_is(t, key, name))
            return true;
    }
    return false;
}
