/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/quick.h"

#include "harness/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_text(quick_cases *q, FILE *f, error *e)
{
    text all = { .data = NULL };
    bool fine = text_read(&all, f);
    q->text = all.data;
    if (all.failed)
        return error_set(e, "out of memory");
    return fine ? true : error_usage(e, "%s: cannot be read", q->path);
}

/* Split "OPERATOR:TEST:PARAMETERS", or for the default case "OPERATOR:TEST", in two. */
static bool add_line(quick_cases *q, char *line, unsigned number, error *e)
{
    char *colon = strchr(line, ':');
    if (!colon)
        return error_usage(e, "%s:%u: '%s': expected the id of a case, OPERATOR:TEST:PARAMETERS", q->path, number,
                           line);
    colon += strcspn(colon + 1, ":") + 1;
    const char *parameters = *colon ? colon + 1 : colon;
    *colon = '\0';
    q->lines[q->count++] = (quick_line){ line, parameters, number };
    return true;
}

bool quick_read(quick_cases *q, error *e)
{
    memset(q, 0, sizeof *q);
    if (!casefile_beside("quick.txt", q->path, sizeof q->path, e))
        return false;
    FILE *f = fopen(q->path, "rb");
    if (!f)
        return true;
    bool fine = read_text(q, f, e);
    fclose(f);
    size_t lines = 1;
    for (const char *c = q->text; fine && *c; ++c)
        lines += *c == '\n';
    if (fine && !(q->lines = calloc(lines, sizeof *q->lines)))
        fine = error_set(e, "out of memory");
    unsigned number = 1;
    for (char *at = q->text; fine && *at; ++number) {
        char *end = at + strcspn(at, "\n");
        bool last = *end == '\0';
        *end = '\0';
        if (*at && *at != '#')
            fine = add_line(q, at, number, e);
        at = last ? end : end + 1;
    }
    return fine;
}

void quick_free(quick_cases *q)
{
    free(q->text);
    free(q->lines);
    memset(q, 0, sizeof *q);
}

static bool is_of(const quick_line *l, const case_test *t)
{
    size_t length = strlen(t->file->op->name);
    return strncmp(l->test, t->file->op->name, length) == 0 && l->test[length] == ':' &&
           strcmp(l->test + length + 1, t->name) == 0;
}

bool quick_has(const quick_cases *q, const case_test *t)
{
    for (size_t i = 0; i < q->count; ++i)
        if (is_of(&q->lines[i], t))
            return true;
    return false;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool quick_choose(const quick_cases *q, case_test *t, error *e)
{
    size_t count = 0;
    uint64_t *indices = malloc((q->count + 1) * sizeof *indices);
    bool fine = indices ? casefile_prepare(t, e) : error_set(e, "out of memory");
    for (size_t i = 0; fine && i < q->count; ++i) {
        if (!is_of(&q->lines[i], t))
            continue;
        fine = space_find(t->space, q->lines[i].parameters, &indices[count], e);
        if (!fine)
            error_prefix(e, "%s:%u: %s:%s (choose tier quick again: touchstone audit --choose %s)", q->path,
                         q->lines[i].line, q->lines[i].test, q->lines[i].parameters, q->path);
        ++count;
    }
    if (fine) {
        qsort(indices, count, sizeof *indices, ascending);
        fine = space_choose(t->space, indices, count, e);
    }
    free(indices);
    return fine;
}
