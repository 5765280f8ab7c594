/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_tree.h"
#include "harness/check/json_scanner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static json_t *out_of_memory(error *e)
{
    error_set(e, "out of memory");
    return NULL;
}

/* Jansson parses the rare values: escapes and fractions. */
static json_t *parse(const source_text *t, check_span value, error *e)
{
    json_error_t problem;
    json_t *json = json_loadb(t->bytes + value.begin, value.end - value.begin, JSON_DECODE_ANY, &problem);
    if (!json)
        source_text_error(e, t, value.begin, "%s", problem.text);
    return json;
}

static json_t *build_number(const source_text *t, check_span value, error *e)
{
    const char *p = t->bytes + value.begin, *end = t->bytes + value.end;
    bool negative = *p == '-';
    json_int_t number = 0;
    p += negative;
    for (const char *c = p; c < end; ++c) {
        if (*c < '0' || *c > '9')
            return parse(t, value, e);
    }
    json_t *json;
    if (end - p > 18) { /* may be beyond 2^63 */
        errno = 0;
        number = strtoll(t->bytes + value.begin, NULL, 10);
        json = errno == ERANGE ? json_stringn_nocheck(t->bytes + value.begin, value.end - value.begin)
                               : json_integer(number);
        return json ? json : out_of_memory(e);
    }
    for (; p < end; ++p)
        number = 10 * number + (*p - '0');
    json = json_integer(negative ? -number : number);
    return json ? json : out_of_memory(e);
}

/* Add a member under a name that ends in a 0. */
static bool add_member(const source_text *t, json_t *object, const char *name, check_span key, check_span value,
                       error *e)
{
    if (json_object_get(object, name))
        return source_text_error(e, t, key.begin - 1, "\"%.60s\" is given twice", name);
    json_t *member = check_tree(t, value, e);
    if (!member)
        return false;
    return json_object_set_new_nocheck(object, name, member) == 0 || error_set(e, "out of memory");
}

/* Add a member; nearly all names are short and have no escapes. */
static bool add_named(const source_text *t, json_t *object, check_span key, check_span value, error *e)
{
    char plain[64];
    size_t size = key.end - key.begin;
    if (size < sizeof plain && !memchr(t->bytes + key.begin, '\\', size)) {
        memcpy(plain, t->bytes + key.begin, size);
        plain[size] = 0;
        return add_member(t, object, plain, key, value, e);
    }
    json_t *name = check_tree(t, (check_span){ key.begin - 1, key.end + 1 }, e);
    bool ok = name && add_member(t, object, json_string_value(name), key, value, e);
    json_decref(name);
    return ok;
}

static json_t *build_object(const source_text *t, check_span object, error *e)
{
    json_t *json = json_object();
    size_t at = 0;
    check_span key, value;
    while (json && json_scanner_member(t, object, &at, &key, &value)) {
        if (!add_named(t, json, key, value, e)) {
            json_decref(json);
            return NULL;
        }
    }
    return json ? json : out_of_memory(e);
}

static json_t *build_array(const source_text *t, check_span array, error *e)
{
    json_t *json = json_array();
    size_t at = 0;
    check_span value;
    while (json && json_scanner_element(t, array, &at, &value)) {
        json_t *element = check_tree(t, value, e);
        if (!element || json_array_append_new(json, element) != 0) {
            if (element)
                out_of_memory(e);
            json_decref(json);
            return NULL;
        }
    }
    return json ? json : out_of_memory(e);
}

static json_t *build_string(const source_text *t, check_span value, error *e)
{
    const char *start = t->bytes + value.begin + 1;
    size_t size = value.end - value.begin - 2;
    if (memchr(start, '\\', size))
        return parse(t, value, e);
    json_t *json = json_stringn_nocheck(start, size);
    return json ? json : out_of_memory(e);
}

/* Recursion is at most as deep as json_scanner_check allows. */
json_t *check_tree(const source_text *t, check_span value, error *e)
{
    switch (t->bytes[value.begin]) {
    case '{': return build_object(t, value, e);
    case '[': return build_array(t, value, e);
    case '"': return build_string(t, value, e);
    case 't': return json_true();
    case 'f': return json_false();
    case 'n': return json_null();
    default: return build_number(t, value, e);
    }
}
