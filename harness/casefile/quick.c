/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/quick.h"

#include "harness/base/input.h"
#include "harness/base/text.h"

#include <errno.h>
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

static int by_test(const void *a, const void *b)
{
    const quick_line *x = a, *y = b;
    const int order = strcmp(x->test, y->test);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

bool quick_read(quick_cases *q, error *e)
{
    memset(q, 0, sizeof *q);
    if (!casefile_beside("quick.txt", q->path, sizeof q->path, e))
        return false;
    FILE *f = input_open(q->path, e);
    if (!f)
        return errno == ENOENT;
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
    if (q->count)
        qsort(q->lines, q->count, sizeof *q->lines, by_test);
    return fine;
}

void quick_free(quick_cases *q)
{
    free(q->text);
    free(q->lines);
    memset(q, 0, sizeof *q);
}

/* The number of lines before `name` in the order of tests. */
static size_t lines_before(const quick_cases *q, const char *name)
{
    size_t low = 0, high = q->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(q->lines[middle].test, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t quick_of_operator(const quick_cases *q, const ts_operator *op, size_t *end)
{
    char name[256];
    const size_t length = (size_t)snprintf(name, sizeof name, "%s:", op->name), first = lines_before(q, name);
    for (*end = first; *end < q->count && strncmp(q->lines[*end].test, name, length) == 0;)
        ++*end;
    return first;
}

/* The first line of a test; *end: behind its last one. */
static size_t lines_of(const quick_cases *q, const case_test *t, size_t *end)
{
    char name[512];
    snprintf(name, sizeof name, "%s:%s", t->file->op->name, t->name);
    const size_t first = lines_before(q, name);
    for (*end = first; *end < q->count && strcmp(q->lines[*end].test, name) == 0;)
        ++*end;
    return first;
}

bool quick_has(const quick_cases *q, const case_test *t)
{
    size_t end;
    return lines_of(q, t, &end) < end;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool quick_choose(const quick_cases *q, case_test *t, error *e)
{
    size_t count = 0, end;
    const size_t first = lines_of(q, t, &end);
    uint64_t *indices = malloc((end - first + 1) * sizeof *indices);
    bool fine = indices ? casefile_prepare(t, e) : error_set(e, "out of memory");
    for (size_t i = first; fine && i < end; ++i) {
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
