/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/did_you_mean.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 48

void did_you_mean_add(did_you_mean_names *known, const char *name)
{
    if (name && known->count < sizeof known->names / sizeof known->names[0])
        known->names[known->count++] = name;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int lower(char c)
{
    return tolower((unsigned char)c);
}

/* The number of characters to insert, delete, replace or swap with the next one, ignoring case. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST || b_length > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; ++j)
        last[j] = before[j] = j;
    for (size_t i = 1; i <= a_length; ++i) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; ++j) {
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (lower(a[i - 1]) != lower(b[j - 1])));
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[b_length];
}

/* Are at least three characters of the name there, and the rest is missing? */
static bool begins(const char *name, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i < n; ++i)
        if (lower(name[i]) != lower(word[i])) /* also where the name ends */
            return false;
    return n >= 3;
}

/* Characters that a name may differ in. A word without letters, such as a version, has few to tell it by. */
static size_t tolerance(const char *word)
{
    const char *p = word;
    while (*p && !isalpha((unsigned char)*p))
        ++p;
    return *p ? 1 + strlen(word) / 3 : 1;
}

void did_you_mean_start(did_you_mean *d, const char *word)
{
    *d = (did_you_mean){ .word = word, .distance = tolerance(word) };
}

void did_you_mean_try(did_you_mean *d, const char *name)
{
    const size_t most = tolerance(d->word);
    size_t n = distance(d->word, name);
    if (n > most && begins(name, d->word))
        n = most;
    if (n < strlen(d->word) && (n < d->distance || (!d->best && n == d->distance))) {
        d->best = name;
        d->distance = n;
    }
}

const char *did_you_mean_close(const did_you_mean *d)
{
    return d->best && d->distance <= 2 ? d->best : NULL;
}

const char *did_you_mean_hint(const did_you_mean *d, char buf[DID_YOU_MEAN_SIZE])
{
    buf[0] = '\0';
    if (d->best)
        snprintf(buf, DID_YOU_MEAN_SIZE, " (did you mean '%.64s'?)", d->best);
    return buf;
}

void did_you_mean_list_add(did_you_mean_list *list, const char *name, size_t more)
{
    const size_t ending = more ? sizeof " and 18446744073709551615 more" : 1;
    if (list->used == 0)
        list->text[0] = '\0';
    if (list->left == 0 && list->used + strlen(name) + 2 + ending <= list->size) {
        list->used +=
            (size_t)snprintf(list->text + list->used, list->size - list->used, "%s%s", list->used ? ", " : "", name);
        return;
    }
    list->left++;
    snprintf(list->text + list->used, list->size - list->used, " and %zu more", list->left);
}

const char *did_you_mean_name(const did_you_mean_names *known, const char *word)
{
    did_you_mean d;
    did_you_mean_start(&d, word);
    for (size_t i = 0; i < known->count; ++i)
        did_you_mean_try(&d, known->names[i]);
    return d.best;
}

bool did_you_mean_unknown(error *e, const char *where, const char *kind, const char *word,
                          const did_you_mean_names *known)
{
    return did_you_mean_told(e, where, kind, word, did_you_mean_name(known, word), known);
}

bool did_you_mean_told(error *e, const char *where, const char *kind, const char *word, const char *best,
                       const did_you_mean_names *known)
{
    char names[640], hint[LONGEST + 32] = "";
    did_you_mean_list list = { names, sizeof names, 0, 0 };
    if (best)
        snprintf(hint, sizeof hint, " (did you mean \"%s\"?)", best);
    names[0] = 0;
    for (size_t i = 0; i < known->count; ++i)
        did_you_mean_list_add(&list, known->names[i], known->count - i - 1);
    return error_usage(e, "%s: no %s \"%.60s\"%s; known are: %s", where, kind, word, hint, names);
}
