/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/audit_equivalent.h"
#include "harness/base/input.h"
#include "harness/base/array.h"
#include "harness/casefile/query.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    const char *path;
    unsigned line;
} place;

/* The part of an entry before its kinds. */
typedef struct entry {
    char *file, *function, *original;
    unsigned long occurrence; /* 0: all of them */
} entry;

static char *read_text(const char *path, error *e)
{
    FILE *f = input_open(path, e);
    if (!f)
        return NULL;
    char *text = NULL;
    size_t used = 0, capacity = 0, n = 1;
    while (n > 0) {
        if (!array_reserve(&text, &capacity, used + 4096, 1))
            break;
        n = fread(text + used, 1, capacity - used - 1, f);
        used += n;
    }
    bool fine = n == 0 && !ferror(f);
    fclose(f);
    if (!fine) {
        free(text);
        error_usage(e, "%s: cannot read the file", path);
        return NULL;
    }
    text[used] = '\0';
    return text;
}

/* Return the next word of *at, NUL-terminated in place, and advance *at; NULL at the end. */
static char *next_word(char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
    char *word = *at;
    while (**at && !isspace((unsigned char)**at))
        ++*at;
    if (**at)
        *(*at)++ = '\0';
    return *word ? word : NULL;
}

/* "KIND:REPLACEMENT" of an id: the part after file, line and column. */
static const char *kind_of(const char *id)
{
    for (int i = 0; i < 3 && id; ++i) {
        id = strchr(id, ':');
        id = id ? id + 1 : NULL;
    }
    return id ? id : "";
}

/* Are two mutants of a file at one place? Their ids begin with the same file, line and column. */
static bool same_place(const mutant *a, const mutant *b)
{
    size_t length = (size_t)(kind_of(a->id) - a->id);
    return (size_t)(kind_of(b->id) - b->id) == length && strncmp(a->id, b->id, length) == 0;
}

static bool expected(const place *p, error *e)
{
    return error_usage(e, "%s:%u: expected FILE FUNCTION `TEXT` [#N] KIND:REPLACEMENT...: REASON", p->path, p->line);
}

/* Does an entry name classes of mutants? The replaced text is one text, or `*`: in C, a `*` is itself. */
static bool is_general(const entry *x, const char *kind)
{
    return strchr(x->file, '*') || strchr(x->function, '*') || strcmp(x->original, "*") == 0 || strchr(kind, '*');
}

/* Mark the mutants that an entry with one of its kinds names. An entry for classes leaves those alone that are listed
   before it. */
static bool list(audit_equivalents *a, const mutants_library *library, const entry *x, const char *kind,
                 const char *reason, const place *p, error *e)
{
    unsigned long seen = 0; /* places */
    const mutant *last = NULL;
    bool any = false;
    for (uint32_t m = 0; m < library->count; ++m) {
        const mutant *it = &library->mutants[m];
        if (!query_match(x->file, it->file) || !query_match(x->function, it->function) ||
            !query_match(kind, kind_of(it->id)) ||
            (strcmp(x->original, "*") != 0 && strcmp(x->original, it->original) != 0))
            continue;
        seen += !last || !same_place(last, it);
        last = it;
        if (seen != x->occurrence && x->occurrence != 0)
            continue;
        if (a->reasons[m] && is_general(x, kind))
            continue;
        if (a->reasons[m])
            return error_usage(e, "%s:%u: %s is already listed in line %u", p->path, p->line, it->id, a->lines[m]);
        a->reasons[m] = reason;
        a->lines[m] = p->line;
        any = true;
    }
    return any ? true
               : error_usage(e, "%s:%u: there is no mutant %s of `%s` in %s of %s%s", p->path, p->line, kind,
                             x->original, x->function, x->file, x->occurrence ? " at that place" : "");
}

/* Parse one entry, with its continuation lines joined. */
static bool read_entry(audit_equivalents *a, const mutants_library *library, char *at, const place *p, error *e)
{
    entry x = { .occurrence = 0 };
    char *kinds[64], *word;
    size_t count = 0;
    x.file = next_word(&at);
    x.function = next_word(&at);
    while (isspace((unsigned char)*at))
        ++at;
    char *close = *at == '`' ? strchr(at + 1, '`') : NULL;
    if (!x.file || !x.function || !close)
        return expected(p, e);
    x.original = at + 1;
    *close = '\0';
    at = close + 1;
    for (bool last = false; !last;) {
        word = next_word(&at);
        if (!word)
            return expected(p, e);
        if (*word == '#' && count == 0 && x.occurrence == 0) {
            x.occurrence = strtoul(word + 1, &close, 10);
            if (x.occurrence == 0 || *close)
                return expected(p, e);
            continue;
        }
        size_t length = strlen(word);
        last = word[length - 1] == ':';
        if (last)
            word[length - 1] = '\0';
        if (!strchr(word, ':') || count == sizeof kinds / sizeof *kinds)
            return expected(p, e);
        kinds[count++] = word;
    }
    while (isspace((unsigned char)*at))
        ++at;
    if (!*at)
        return error_usage(e, "%s:%u: expected the reason why no case can kill the mutant", p->path, p->line);
    for (size_t i = 0; i < count; ++i)
        if (!list(a, library, &x, kinds[i], at, p, e))
            return false;
    return true;
}

/* Join the entry at *text with its indented lines to one line, return it, and advance *text. */
static char *cut_entry(char **text, unsigned *lines)
{
    char *start = *text, *to = start;
    for (char *from = start;; ++from) {
        if (*from && *from != '\n') {
            *to++ = *from;
            continue;
        }
        *lines += *from == '\n';
        *text = *from ? from + 1 : from;
        if (!*from || (from[1] != ' ' && from[1] != '\t'))
            break;
        while (from[1] == ' ' || from[1] == '\t')
            ++from;
        *to++ = ' ';
    }
    *to = '\0';
    return start;
}

bool audit_equivalents_read(audit_equivalents *a, const char *path, const mutants_library *library, error *e)
{
    unsigned lines = 0;
    memset(a, 0, sizeof *a);
    a->text = read_text(path, e);
    if (!a->text)
        return false;
    a->reasons = calloc(library->count + 1, sizeof *a->reasons);
    a->lines = calloc(library->count + 1, sizeof *a->lines);
    if (!a->reasons || !a->lines)
        return error_set(e, "out of memory");
    for (char *at = a->text; *at;) {
        place p = { path, lines + 1 };
        char *one = cut_entry(&at, &lines);
        if (*one && *one != '#' && !read_entry(a, library, one, &p, e))
            return false;
    }
    return true;
}

void audit_equivalents_free(audit_equivalents *a)
{
    free(a->text);
    free(a->reasons);
    free(a->lines);
    memset(a, 0, sizeof *a);
}
