/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/visible.h"

#include "harness/base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

/* A conversion such as %-*.3s. */
typedef struct conversion {
    char flags[8];
    int width, precision; /* -1: no precision */
    char size[3];         /* "", "h", "ll", ... */
    char kind;            /* 's', 'd', ... */
} conversion;

/* Parse the digits of a width or precision. A "*" is read from the arguments by the caller: -2. */
static int number(const char **at)
{
    int n = 0;
    if (**at == '*') {
        ++*at;
        return -2;
    }
    for (; **at >= '0' && **at <= '9'; ++*at)
        n = n * 10 + (**at - '0');
    return n;
}

/* Append a string with its width and precision. */
static void add_string(text *t, const conversion *c, const char *s)
{
    const size_t begin = t->length;
    const size_t most = c->precision >= 0 ? (size_t)c->precision : SIZE_MAX;
    size_t size = 0, characters = 0;
    while (s && size < most && s[size])
        ++size;
    if (size)
        text_visible_bytes(t, s, size);
    for (size_t i = begin; i < t->length; ++i)
        characters += (t->data[i] & 0xC0) != 0x80;
    const size_t width = c->width > 0 ? (size_t)c->width : 0, pad = width > characters ? width - characters : 0;
    const size_t added = t->length - begin;
    for (size_t i = 0; i < pad; ++i)
        text_add(t, " ");
    if (pad && added && !strchr(c->flags, '-') && !t->failed) {
        memmove(t->data + begin + pad, t->data + begin, added);
        memset(t->data + begin, ' ', pad);
    }
}

/* Append a whole number: C's own printf formats it, as the widest type. */
static void add_integer(text *t, const conversion *c, uintmax_t value)
{
    char format[24];
    snprintf(format, sizeof format, "%%%s*.*j%c", c->flags, c->kind);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (c->kind == 'd' || c->kind == 'i')
        text_format(t, format, c->width, c->precision, (intmax_t)value);
    else
        text_format(t, format, c->width, c->precision, value);
#pragma GCC diagnostic pop
}

static void add_real(text *t, const conversion *c, double value)
{
    char format[24];
    snprintf(format, sizeof format, "%%%s*.*%c", c->flags, c->kind);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    text_format(t, format, c->width, c->precision, value);
#pragma GCC diagnostic pop
}

/* Parse what follows a "%". The argument of a "*" is -2 in *c. */
static const char *parse(const char *at, conversion *c)
{
    *c = (conversion){ .precision = -1 };
    for (size_t i = 0; *at && strchr("-+ #0", *at) && i < sizeof c->flags - 1; ++i)
        c->flags[i] = *at++;
    c->width = number(&at);
    if (*at == '.') {
        ++at;
        c->precision = number(&at);
    }
    for (size_t i = 0; *at && strchr("hlzjt", *at) && i < sizeof c->size - 1; ++i)
        c->size[i] = *at++;
    c->kind = *at;
    return *at ? at + 1 : at;
}

/* Integers are fetched as the type that the format names; signed ones keep their sign. */
#define FETCH(signed_type, unsigned_type)                                                                              \
    (is_signed ? (uintmax_t)(intmax_t)va_arg(*args, signed_type) : (uintmax_t)va_arg(*args, unsigned_type))

static uintmax_t fetch(const conversion *c, va_list *args)
{
    const bool is_signed = c->kind == 'd' || c->kind == 'i';
    if (strcmp(c->size, "l") == 0)
        return FETCH(long, unsigned long);
    if (strcmp(c->size, "ll") == 0)
        return FETCH(long long, unsigned long long);
    if (strcmp(c->size, "z") == 0 || strcmp(c->size, "t") == 0)
        return FETCH(ptrdiff_t, size_t);
    if (strcmp(c->size, "j") == 0)
        return FETCH(intmax_t, uintmax_t);
    return FETCH(int, unsigned);
}

static void add_conversion(text *t, conversion *c, va_list *args)
{
    if (c->width == -2)
        c->width = va_arg(*args, int);
    if (c->width < 0) { /* from an argument: as with the flag "-" */
        c->width = -c->width;
        memmove(c->flags + 1, c->flags, sizeof c->flags - 2);
        c->flags[0] = '-';
    }
    if (c->precision == -2)
        c->precision = va_arg(*args, int);
    switch (c->kind) {
    case '%': text_add(t, "%"); break;
    case 's': add_string(t, c, va_arg(*args, const char *)); break;
    case 'c': {
        const char letter[2] = { (char)va_arg(*args, int), '\0' };
        add_string(t, c, letter);
        break;
    }
    case 'f':
    case 'e':
    case 'g': add_real(t, c, va_arg(*args, double)); break;
    default: add_integer(t, c, fetch(c, args));
    }
}

void visible_print_list(FILE *to, const char *format, va_list list)
{
    text t = { .data = NULL };
    conversion c;
    va_list args;
    va_copy(args, list); /* of this type even where a parameter is a pointer to it */
    while (*format) {
        const size_t plain = strcspn(format, "%");
        text_bytes(&t, format, plain);
        format += plain;
        if (*format) {
            format = parse(format + 1, &c);
            add_conversion(&t, &c, &args);
        }
    }
    va_end(args);
    if (t.length)
        fwrite(t.data, 1, t.length, to);
    text_free(&t);
}

void visible_print(FILE *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    visible_print_list(to, format, args);
    va_end(args);
}

void visible_print_lines(FILE *to, const char *indent, const char *lines)
{
    while (lines && *lines) {
        const size_t n = strcspn(lines, "\n");
        visible_print(to, "%s%.*s\n", indent, (int)n, lines);
        lines += n + (lines[n] == '\n');
    }
}
