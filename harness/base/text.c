/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/text.h"

#include "harness/base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool text_ends_in(const char *s, const char *ending)
{
    const size_t n = strlen(s), m = strlen(ending);
    return n > m && strcmp(s + n - m, ending) == 0;
}

bool text_ends_like(const char *s, const char *ending)
{
    const size_t n = strlen(s), m = strlen(ending);
    return n > m && strcasecmp(s + n - m, ending) == 0;
}

bool text_is_version(const char *name, const char *family, size_t length)
{
    if (strncmp(name, family, length) != 0)
        return false;
    name += length;
    name += *name == '_';
    return name[strspn(name, "0123456789")] == '\0';
}

void text_free(text *t)
{
    free(t->data);
    *t = (text){ 0 };
}

static bool text_reserve(text *t, size_t n)
{
    if (t->failed)
        return false;
    if (n >= SIZE_MAX - t->length || !array_reserve(&t->data, &t->capacity, t->length + n + 1, 1))
        t->failed = true;
    return !t->failed;
}

void text_bytes(text *t, const void *bytes, size_t n)
{
    if (n == 0 || !text_reserve(t, n))
        return;
    memcpy(t->data + t->length, bytes, n);
    t->length += n;
    t->data[t->length] = 0;
}

void text_add(text *t, const char *s)
{
    text_bytes(t, s, strlen(s));
}

void text_format(text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n > 0 && text_reserve(t, (size_t)n)) {
        vsnprintf(t->data + t->length, (size_t)n + 1, format, again);
        t->length += (size_t)n;
    }
    va_end(again);
}

void text_count(text *t, uint64_t number)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < n; ++i) {
        if (i > 0 && (n - i) % 3 == 0)
            text_add(t, ",");
        text_bytes(t, digits + i, 1);
    }
}

void text_short_count(text *t, uint64_t number)
{
    static const char *const units[] = { "", " k", " M", " G", " T", " P", " E" };
    int unit = 0;
    uint64_t scale = 1;
    while (number / scale >= (unit == 0 ? 10000 : 1000) && unit < 6) {
        scale *= 1000;
        ++unit;
    }
    if (unit == 0) {
        text_count(t, number);
        return;
    }
    /* Truncated, not rounded: 4,999,999 of 5,000,000 must not read "5.0 M of 5.0 M". */
    text_format(t, "%" PRIu64 ".%" PRIu64 "%s", number / scale, number % scale / (scale / 10), units[unit]);
}

/* The length of the UTF-8 sequence at s, which ends before `end`, and its code point; 0 if it is invalid. */
static size_t decode(const unsigned char *s, const unsigned char *end, uint32_t *point)
{
    static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n = s[0] < 0x80                   ? 1
               : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
               : (s[0] & 0xF0) == 0xE0       ? 3
               : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                             : 0;
    if (n == 0 || n > (size_t)(end - s))
        return 0;
    *point = n == 1 ? s[0] : s[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; ++i) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        *point = *point << 6 | (s[i] & 0x3Fu);
    }
    if (*point < smallest[n] || *point > 0x10FFFF || (*point >= 0xD800 && *point <= 0xDFFF))
        return 0;
    return n;
}

#define REPLACEMENT "\xEF\xBF\xBD"

typedef enum style { STYLE_UTF8, STYLE_XML, STYLE_JSON, STYLE_PAGE, STYLE_CSV, STYLE_VISIBLE, STYLE_LINES } style;

/* Does a terminal execute this character, or show nothing where it stands? */
static bool is_invisible(uint32_t point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0xAD || point == 0x61C || point == 0x180E ||
           (point >= 0x200B && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
           (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF || (point >= 0xFFF9 && point <= 0xFFFB) ||
           (point & 0xFFFE) == 0xFFFE || (point >= 0xE0000 && point <= 0xE0FFF);
}

static const char *visible(uint32_t point, char *buffer, size_t size)
{
    switch (point) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default:
        snprintf(buffer, size, point < 0x80 ? "\\x%02x" : point <= 0xFFFF ? "\\u%04x" : "\\U%08x", (unsigned)point);
        return buffer;
    }
}

/* The replacement of a character in this style; NULL if it stays. */
static const char *replacement(style how, uint32_t point, char *buffer, size_t size)
{
    switch (how) {
    case STYLE_UTF8: return NULL;
    case STYLE_CSV:
        if (point == '"')
            return "\"\"";
        return point >= 0x7F && is_invisible(point) ? visible(point, buffer, size) : NULL;
    case STYLE_XML:
        switch (point) {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\'': return "&#39;";
        case '\t': return "&#9;";
        case '\n': return "&#10;";
        case '\r': return "&#13;";
        default: /* XML 1.0 has no way to write the other control characters and the non-characters */
            if (point < 0x20 || (point >= 0x7F && point < 0xA0) || (point & 0xFFFE) == 0xFFFE)
                return REPLACEMENT;
            return is_invisible(point) ? visible(point, buffer, size) : NULL;
        }
    case STYLE_PAGE:
        if (point >= 0x7F && is_invisible(point)) {
            snprintf(buffer, size, point <= 0xFFFF ? "\\\\u%04x" : "\\\\U%08x", (unsigned)point);
            return buffer;
        }
        return replacement(STYLE_JSON, point, buffer, size);
    case STYLE_JSON:
        switch (point) {
        case '"': return "\\\"";
        case '\\': return "\\\\";
        case '\n': return "\\n";
        case '\t': return "\\t";
        default:
            /* "<" so that no string ends the script around it. */
            if (point >= 0x20 && point != '<' && point != 0x2028 && point != 0x2029)
                return NULL;
            snprintf(buffer, size, "\\u%04x", (unsigned)point);
            return buffer;
        }
    case STYLE_VISIBLE: return is_invisible(point) ? visible(point, buffer, size) : NULL;
    case STYLE_LINES:
        return is_invisible(point) && point != '\n' && point != '\t' ? visible(point, buffer, size) : NULL;
    }
    return NULL;
}

/* The replacement of a byte that is no UTF-8. */
static const char *replacement_of_byte(style how, unsigned char byte, char *buffer, size_t size)
{
    if (how != STYLE_VISIBLE && how != STYLE_LINES)
        return REPLACEMENT;
    snprintf(buffer, size, "\\x%02x", byte);
    return buffer;
}

static void add_escaped_bytes(text *t, const void *bytes, size_t size, style how)
{
    const unsigned char *p = bytes, *plain = p, *end = size ? p + size : p;
    char buffer[16];
    while (p < end) {
        /* The common case first: letters, digits and the punctuation that no style escapes. */
        if (*p >= 0x20 && *p < 0x7F && *p != '"' && *p != '&' && *p != '<' && *p != '>' && *p != '\'' && *p != '\\') {
            ++p;
            continue;
        }
        uint32_t point = 0;
        size_t n = decode(p, end, &point);
        const char *other =
            n ? replacement(how, point, buffer, sizeof buffer) : replacement_of_byte(how, *p, buffer, sizeof buffer);
        if (other) {
            text_bytes(t, plain, (size_t)(p - plain));
            text_add(t, other);
        }
        p += n ? n : 1;
        if (other)
            plain = p;
    }
    text_bytes(t, plain, (size_t)(p - plain));
}

static void add_escaped(text *t, const char *s, style how)
{
    add_escaped_bytes(t, s, strlen(s), how);
}

void text_utf8(text *t, const char *s)
{
    add_escaped(t, s, STYLE_UTF8);
}

void text_xml(text *t, const char *s)
{
    if (s)
        add_escaped(t, s, STYLE_XML);
}

static void add_json(text *t, const char *s, style how)
{
    if (!s) {
        text_add(t, "null");
        return;
    }
    text_add(t, "\"");
    add_escaped(t, s, how);
    text_add(t, "\"");
}

void text_json(text *t, const char *s)
{
    add_json(t, s, STYLE_JSON);
}

void text_json_visible(text *t, const char *s)
{
    add_json(t, s, STYLE_PAGE);
}

void text_print_json(FILE *file, const char *s)
{
    text t = { .data = NULL };
    text_json(&t, s);
    fputs(t.failed ? "null" : t.data, file);
    text_free(&t);
}

void text_csv(text *t, const char *s)
{
    if (!s)
        return;
    if (!s[strcspn(s, ",\"\r\n")]) {
        add_escaped(t, s, STYLE_CSV);
        return;
    }
    text_add(t, "\"");
    add_escaped(t, s, STYLE_CSV);
    text_add(t, "\"");
}

void text_visible(text *t, const char *s)
{
    if (s)
        add_escaped(t, s, STYLE_VISIBLE);
}

void text_visible_bytes(text *t, const void *bytes, size_t n)
{
    add_escaped_bytes(t, bytes, n, STYLE_VISIBLE);
}

void text_visible_lines(text *t, const void *bytes, size_t n)
{
    add_escaped_bytes(t, bytes, n, STYLE_LINES);
}

/* ---- the shell ---- */

/* In single quotes the shell changes no byte; a quote is written outside of them. */
static void add_quoted(text *t, const char *s)
{
    text_add(t, "'");
    for (size_t n; *s; s += n + (s[n] == '\'')) {
        n = strcspn(s, "'");
        text_bytes(t, s, n);
        if (s[n])
            text_add(t, "'\\''");
    }
    text_add(t, "'");
}

/* A format for printf(1) within single quotes that prints these bytes. */
static void add_printf_format(text *t, const unsigned char *s, const unsigned char *end)
{
    const unsigned char *const begin = s;
    while (s < end) {
        uint32_t point = 0;
        const size_t n = decode(s, end, &point);
        /* "!" because an interactive shell expands it within double quotes. */
        const bool plain = n && !is_invisible(point) && !strchr("'\\%!", *s) && (*s != '-' || s > begin);
        if (plain)
            text_bytes(t, s, n);
        for (size_t i = 0; !plain && i < (n ? n : 1); ++i)
            text_format(t, "\\%03o", s[i]);
        s += n ? n : 1;
    }
}

void text_shell(text *t, const char *s)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-@,=";
    text shown = { .data = NULL };
    if (*s && *s != '=' && !s[strspn(s, safe)]) {
        text_add(t, s);
        return;
    }
    text_visible(&shown, s);
    t->failed = t->failed || shown.failed;
    if (!*s || (shown.data && strcmp(shown.data, s) == 0)) {
        add_quoted(t, s);
    } else {
        /* A command substitution drops line ends behind its text; the last character of the shell's IFS is one. */
        size_t length = strlen(s);
        const size_t all = length;
        while (length && s[length - 1] == '\n')
            --length;
        if (length) {
            text_add(t, "\"$(printf '");
            add_printf_format(t, (const unsigned char *)s, (const unsigned char *)s + length);
            text_add(t, "')\"");
        }
        for (size_t i = length; i < all; ++i)
            text_add(t, "\"${IFS#??}\"");
    }
    text_free(&shown);
}

const char *text_shell_in(char *buf, size_t size, const char *s)
{
    text t = { .data = NULL };
    text_shell(&t, s);
    const bool fits = !t.failed && t.length < size;
    if (fits)
        memcpy(buf, t.data, t.length + 1);
    text_free(&t);
    return fits ? buf : s;
}

void text_base64(text *t, const void *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = bytes;
    if (!text_reserve(t, (n + 2) / 3 * 4))
        return;
    char *to = t->data + t->length;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t group = (uint32_t)p[i] << 16 | (i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0) | (i + 2 < n ? p[i + 2] : 0u);
        *to++ = digits[group >> 18];
        *to++ = digits[group >> 12 & 63];
        *to++ = i + 1 < n ? digits[group >> 6 & 63] : '=';
        *to++ = i + 2 < n ? digits[group & 63] : '=';
    }
    *to = 0;
    t->length = (size_t)(to - t->data);
}

bool text_read(text *t, FILE *file)
{
    enum { BLOCK = 1 << 14 };
    size_t n = BLOCK;
    while (n == BLOCK && text_reserve(t, BLOCK)) {
        n = fread(t->data + t->length, 1, BLOCK, file);
        t->length += n;
        t->data[t->length] = 0;
    }
    return !t->failed && !ferror(file);
}
