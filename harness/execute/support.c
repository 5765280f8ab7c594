/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/support.h"

#include "harness/base/array.h"
#include "harness/model/tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512 };

bool support_class(const ts_descriptor *shape, char *buf, size_t size)
{
    size_t used = (size_t)snprintf(buf, size, "%s", shape->op->name);
    for (unsigned t = 0; t < shape->op->tensor_count && used < size; ++t) {
        const ts_tensor *tensor = &shape->tensors[t];
        const ts_dtype_info *type = tensor_dtype(tensor->dtype);
        if (tensor->given & TS_GIVEN_TENSOR)
            used += (size_t)snprintf(buf + used, size - used, " %s.%u", type ? type->id : "?", (unsigned)tensor->rank);
        else
            used += (size_t)snprintf(buf + used, size - used, " -");
    }
    const uint32_t missing = operator_missing_attrs(shape);
    for (unsigned k = 0; k < shape->op->attr_count && used < size; ++k)
        if (missing >> k & 1)
            used += (size_t)snprintf(buf + used, size - used, " -%s", shape->op->attrs[k].name);
    return used < size;
}

/* Write the line of a class with a line end on either side, so that a search finds whole lines only. */
static bool write_line(const ts_descriptor *shape, char line[LINE])
{
    char class[LINE - 2];
    return support_class(shape, class, sizeof class) && snprintf(line, LINE, "\n%s\n", class) > 0;
}

void support_free(support *s)
{
    free(s->text);
    memset(s, 0, sizeof *s);
}

/* Add a line that has a line end on either side, unless the text has it. */
static void add_line(support *s, const char *line)
{
    if (s->text && strstr(s->text, line))
        return;
    const char *own = s->length ? line + 1 : line; /* the text ends with a line end */
    size_t n = strlen(own);
    if (!array_reserve(&s->text, &s->capacity, s->length + n + 1, 1)) {
        s->failed = true;
        return;
    }
    memcpy(s->text + s->length, own, n + 1);
    s->length += n;
}

void support_refuse(support *s, const ts_descriptor *shape)
{
    char line[LINE];
    if (write_line(shape, line))
        add_line(s, line);
}

void support_refuse_clause(support *s, const char *op, const char *clause)
{
    char line[LINE];
    snprintf(line, sizeof line, "\n%s %s\n", op, clause);
    add_line(s, line);
}

void support_add(support *s, const char *text)
{
    char line[LINE];
    for (size_t n; *text; text += n) {
        text += strspn(text, "\n");
        n = strcspn(text, "\n");
        if (n > 0 && n + 3 <= LINE) {
            snprintf(line, LINE, "\n%.*s\n", (int)n, text);
            add_line(s, line);
        }
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void support_sort(support *s)
{
    size_t count = 0, at = 0;
    for (size_t i = 1; i < s->length; ++i)
        count += s->text[i] == '\n';
    const char **lines = calloc(count + 1, sizeof(const char *));
    char *sorted = malloc(s->capacity + 1);
    if (!lines || !sorted || count == 0) {
        s->failed |= !lines || !sorted;
        free(lines);
        free(sorted);
        return;
    }
    char *p = s->text + 1;
    for (size_t i = 0; i < count; ++i) {
        lines[i] = p;
        p += strcspn(p, "\n");
        *p++ = '\0';
    }
    qsort(lines, count, sizeof *lines, by_text);
    sorted[at++] = '\n';
    for (size_t i = 0; i < count; ++i)
        at += (size_t)snprintf(sorted + at, s->capacity + 1 - at, "%s\n", lines[i]);
    free(lines);
    free(s->text);
    s->text = sorted;
}

bool support_refuses(const char *text, const ts_descriptor *shape)
{
    char line[LINE];
    return text && *text && write_line(shape, line) && strstr(text, line) != NULL;
}

bool support_refuses_clause(const char *text, const char *op, const char *clause)
{
    char line[LINE];
    snprintf(line, sizeof line, "\n%s %s\n", op, clause);
    return text && strstr(text, line) != NULL;
}
