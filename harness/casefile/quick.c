/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/quick.h"

#include "harness/base/input.h"
#include "harness/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *remedy;
} list_names[QUICK_LISTS] = {
    { "quick.txt", "choose tier quick again: touchstone audit --choose %s" },
    { "known.txt", "a vendor's defect needs a case: name an existing one in %s" },
};

static bool read_text(quick_list *list, FILE *f, error *e)
{
    text all = { .data = NULL };
    bool fine = text_read(&all, f);
    list->text = all.data;
    if (all.failed)
        return error_set(e, "out of memory");
    return fine ? true : error_usage(e, "%s: cannot be read", list->path);
}

/* Split "OPERATOR:TEST:PARAMETERS", or for the default case "OPERATOR:TEST", in two. The parameters of the default case
   are "", however it is written: the digest of the suite covers them. */
static bool add_line(quick_cases *q, const quick_list *list, char *line, unsigned number, error *e)
{
    char *colon = strchr(line, ':');
    if (!colon || strpbrk(line, " \t"))
        return error_usage(e, "%s:%u: '%s': expected the id of a case, OPERATOR:TEST:PARAMETERS", list->path, number,
                           line);
    colon += strcspn(colon + 1, ":") + 1;
    const char *parameters = *colon ? space_parameters(colon + 1) : colon;
    *colon = '\0';
    q->lines[q->count++] = (quick_line){ list, line, parameters, number };
    return true;
}

static int by_test(const void *a, const void *b)
{
    const quick_line *x = a, *y = b;
    const int order = strcmp(x->test, y->test);
    if (order || x->list != y->list)
        return order ? order : (x->list > y->list) - (x->list < y->list);
    return (x->line > y->line) - (x->line < y->line);
}

/* Read one list; a missing file is an empty one. */
static bool read_list(quick_list *list, const char *name, error *e)
{
    if (!casefile_beside(name, list->path, sizeof list->path, e))
        return false;
    FILE *f = input_open(list->path, e);
    if (!f)
        return errno == ENOENT;
    bool fine = read_text(list, f, e);
    fclose(f);
    return fine;
}

static bool add_lines(quick_cases *q, const quick_list *list, error *e)
{
    bool fine = true;
    unsigned number = 1;
    for (char *at = list->text; fine && at && *at; ++number) {
        char *end = at + strcspn(at, "\n");
        const bool last = *end == '\0';
        *end = '\0';
        char *stop = at + strcspn(at, "#");
        while (stop > at && strchr(" \t\r", stop[-1]))
            --stop;
        *stop = '\0';
        if (*at)
            fine = add_line(q, list, at, number, e);
        at = last ? end : end + 1;
    }
    return fine;
}

/* Leave out what a test has already, spelt in the same way. The lines are in order. */
static void remove_repeated(quick_cases *q)
{
    size_t count = 0, first = 0; /* first: of the test */
    for (size_t i = 0; i < q->count; ++i) {
        if (count == 0 || strcmp(q->lines[count - 1].test, q->lines[i].test) != 0)
            first = count;
        size_t k = first;
        while (k < count && strcmp(q->lines[k].parameters, q->lines[i].parameters) != 0)
            ++k;
        if (k == count)
            q->lines[count++] = q->lines[i];
    }
    q->count = count;
}

bool quick_read(quick_cases *q, error *e)
{
    size_t lines = 1;
    memset(q, 0, sizeof *q);
    for (size_t i = 0; i < QUICK_LISTS; ++i) {
        quick_list *list = &q->lists[i];
        list->remedy = list_names[i].remedy;
        if (!read_list(list, list_names[i].name, e))
            return false;
        for (const char *c = list->text ? list->text : ""; *c; ++c)
            lines += *c == '\n';
        ++lines;
    }
    bool fine = (q->lines = calloc(lines, sizeof *q->lines)) ? true : error_set(e, "out of memory");
    for (size_t i = 0; fine && i < QUICK_LISTS; ++i)
        fine = add_lines(q, &q->lists[i], e);
    if (q->count)
        qsort(q->lines, q->count, sizeof *q->lines, by_test);
    remove_repeated(q);
    return fine;
}

void quick_free(quick_cases *q)
{
    for (size_t i = 0; i < QUICK_LISTS; ++i)
        free(q->lists[i].text);
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

/* Find a listed case. */
static bool find_line(const quick_line *line, case_test *t, uint64_t *index, error *e)
{
    char remedy[PATH_MAX + 80];
    if (space_find(t->space, line->parameters, index, e))
        return true;
    snprintf(remedy, sizeof remedy, line->list->remedy, line->list->path);
    return error_prefix(e, "%s:%u: %s:%s (%s)", line->list->path, line->line, line->test, line->parameters, remedy);
}

bool quick_choose(const quick_cases *q, case_test *t, error *e)
{
    size_t count = 0, end;
    const size_t first = lines_of(q, t, &end);
    uint64_t *indices = malloc((end - first + 1) * sizeof *indices);
    bool fine = indices ? casefile_prepare(t, e) : error_set(e, "out of memory");
    for (size_t i = first; fine && i < end; ++i)
        fine = find_line(&q->lines[i], t, &indices[count++], e);
    if (fine && !t->draw) {
        qsort(indices, count, sizeof *indices, ascending);
        fine = space_choose(t->space, indices, count, e);
    }
    free(indices);
    return fine;
}
