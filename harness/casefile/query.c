/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/query.h"

#include "harness/expr/expr.h"
#include "reference/operators.h"

#include <stdio.h>
#include <string.h>

bool query_match(const char *pattern, const char *name)
{
    const char *star = NULL, *retry = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            retry = name;
        } else if (*pattern == *name) {
            ++pattern;
            ++name;
        } else if (star) { /* let the last star match one more character */
            pattern = star + 1;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        ++pattern;
    return *pattern == '\0';
}

bool query_names(const query *q, const ts_operator *op)
{
    return query_match(q->op, op->name) && !(q->validation && !operators_declared(op));
}

static bool take(const char **text, const char *stop, char *out, size_t size, const char *what, const query *q,
                 error *e)
{
    size_t n = strcspn(*text, stop);
    if (n == 0 || n >= size)
        return error_usage(e, "query '%s': %s", q->text, n ? "a part is too long" : what);
    memcpy(out, *text, n);
    out[n] = '\0';
    *text += n;
    return true;
}

/* Is it a value that an id can contain: integers joined by dots (*number), or a name? */
static bool is_value(const char *value, const char *end, bool *number)
{
    size_t length = (size_t)(end - value);
    *number = strspn(value, "-.0123456789") >= length;
    if (!*number)
        return strcspn(value, "\"\\") >= length; /* it will be quoted */
    for (const char *p = value;; ++p) {
        p += *p == '-';
        size_t digits = strspn(p, "0123456789");
        p += digits;
        if (digits == 0 || p >= end)
            return digits > 0;
        if (*p != '.')
            return false;
    }
}

/* Free parameters as a predicate: "rank=2" is "is(rank, 2)", which a vector fulfils with each element; "size=4.1" is
   "is(size, "4.1")", which only a vector of these elements fulfils. */
static bool parameters_to_predicate(query *q, const char *list, error *e)
{
    size_t used = 0;
    char *out = q->predicate;
    const size_t size = sizeof q->predicate;
    while (*list && strcmp(list, "*") != 0) {
        size_t item = strcspn(list, ","), name = strcspn(list, "=");
        const char *value = list + name + 1, *end = list + item;
        bool number = false;
        if (name == 0 || name >= item || !is_value(value, end, &number))
            return error_usage(e, "query '%s': '%.*s' is no parameter; expected axis=value", q->text, (int)item, list);
        const bool plain = number && memchr(value, '.', (size_t)(end - value)) == NULL;
        used += (size_t)snprintf(out + used, size - used, plain ? "%sis(%.*s, %.*s)" : "%sis(%.*s, \"%.*s\")",
                                 used ? " and " : "", (int)name, list, (int)(end - value), value);
        if (used >= size)
            return error_usage(e, "query '%s': its parameters are too long", q->text);
        list += item;
        if (*list == ',')
            ++list;
    }
    return true;
}

bool query_parse(const char *text, query *q, error *e)
{
    memset(q, 0, sizeof *q);
    if (strlen(text) >= sizeof q->text)
        return error_usage(e, "query '%.60s...' is longer than %zu characters", text, sizeof q->text - 1);
    snprintf(q->text, sizeof q->text, "%s", text);
    const char *where = strstr(text, " where ");
    char head[sizeof q->text];
    snprintf(head, sizeof head, "%.*s", (int)(where ? where - text : (long)strlen(text)), text);
    for (size_t n = strlen(head); n && head[n - 1] == ' ';)
        head[--n] = '\0';
    const char *p = head;
    const char *blank = strchr(head, ' ');
    if (blank && strcmp(blank + strspn(blank, " "), "where") == 0)
        return error_usage(e, "query '%s': a predicate is missing after 'where'", text);
    if (blank)
        return error_usage(e, "query '%s': a blank in '%s'; expected OPERATOR[:TEST[:PARAMETERS]][ where PREDICATE]",
                           text, head);
    snprintf(q->test, sizeof q->test, "*");
    if (!take(&p, ":", q->op, sizeof q->op, "it names no operator; '*' names all", q, e))
        return false;
    if (strcmp(q->op, "validation") == 0) {
        q->validation = true;
        snprintf(q->op, sizeof q->op, "*");
    }
    if (*p == ':') {
        ++p;
        if (!take(&p, ":", q->test, sizeof q->test, "it names no test; '*' names all", q, e))
            return false;
        q->names_test = strchr(q->test, '*') == NULL;
    }
    if (*p == ':') {
        ++p;
        size_t n = strlen(p);
        bool open = n > 0 && p[n - 1] == '*' && (n == 1 || p[n - 2] == ',');
        if (open) {
            if (!parameters_to_predicate(q, p, e))
                return false;
            q->from_parameters = true;
        } else {
            if ((strchr(q->op, '*') || strchr(q->test, '*')) && strcmp(p, "default") == 0)
                return error_usage(e, "query '%s': 'default' names one case, of one operator and test, each without *",
                                   text);
            if (strchr(q->op, '*') || strchr(q->test, '*'))
                return error_usage(e,
                                   "query '%s': parameters name one case, of one operator and test; end them with "
                                   "',*' to leave the other axes free",
                                   text);
            q->exact = true;
            if (n >= sizeof q->parameters)
                return error_usage(e, "query '%s': its parameters are too long", text);
            snprintf(q->parameters, sizeof q->parameters, "%s", p);
        }
    }
    if (where) {
        const char *predicate = where + strlen(" where ");
        size_t used = strlen(q->predicate);
        if (predicate[strspn(predicate, " ")] == '\0')
            return error_usage(e, "query '%s': a predicate is missing after 'where'", text);
        if ((size_t)snprintf(q->predicate + used, sizeof q->predicate - used, used ? " and (%s)" : "%s", predicate) >=
            sizeof q->predicate - used)
            return error_usage(e, "query '%s': its predicate is too long", text);
    }
    /* Check this here, because a test that lacks the axes of a predicate is skipped without an error. */
    return expr_check_words(q->predicate, "query", e);
}
