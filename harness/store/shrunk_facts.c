/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/shrunk_facts.h"

#include <string.h>

static json_t *text_or_null(const char *text)
{
    json_t *string = text ? json_string(text) : NULL;
    return string ? string : json_null();
}

static json_t *parsed_or_null(const char *text)
{
    json_t *value = text ? json_loads(text, 0, NULL) : NULL;
    return value ? value : json_null();
}

static json_t *size_json(const case_size *s)
{
    return json_pack("{s:I,s:I,s:I}", "elements", (json_int_t)s->elements, "dimensions", (json_int_t)s->rank, "axes",
                     (json_int_t)s->axes);
}

char *shrunk_facts_write(const shrunk_facts *facts, const store_finding *f)
{
    json_t *root = json_pack("{s:I,s:b,s:o,s:o}", "executions", (json_int_t)facts->executions, "limited",
                             (int)facts->limited, "size", size_json(&facts->size), "of", size_json(&facts->of));
    json_object_set_new(root, "clause", text_or_null(f->clause));
    json_object_set_new(root, "tensor", text_or_null(f->tensor));
    json_object_set_new(root, "element", text_or_null(f->element));
    json_object_set_new(root, "expected", text_or_null(f->expected));
    json_object_set_new(root, "actual", text_or_null(f->actual));
    json_object_set_new(root, "source", text_or_null(f->source));
    json_object_set_new(root, "detail", text_or_null(f->detail));
    json_object_set_new(root, "descriptor", parsed_or_null(f->descriptor));
    json_object_set_new(root, "tensors", parsed_or_null(f->tensors));
    json_object_set_new(root, "reproducer", text_or_null(f->reproducer));
    char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text;
}

static case_size size_of(const json_t *o)
{
    return (case_size){ .elements = (uint64_t)json_integer_value(json_object_get(o, "elements")),
                        .rank = (unsigned)json_integer_value(json_object_get(o, "dimensions")),
                        .axes = (unsigned)json_integer_value(json_object_get(o, "axes")) };
}

bool shrunk_facts_read(shrunk_facts *facts, const char *text)
{
    memset(facts, 0, sizeof *facts);
    facts->root = text ? json_loads(text, 0, NULL) : NULL;
    if (!json_is_object(facts->root))
        return false;
    facts->executions = (uint64_t)json_integer_value(json_object_get(facts->root, "executions"));
    facts->limited = json_is_true(json_object_get(facts->root, "limited"));
    facts->size = size_of(json_object_get(facts->root, "size"));
    facts->of = size_of(json_object_get(facts->root, "of"));
    facts->detail = json_string_value(json_object_get(facts->root, "detail"));
    facts->reproducer = json_string_value(json_object_get(facts->root, "reproducer"));
    return true;
}

void shrunk_facts_free(shrunk_facts *facts)
{
    json_decref(facts->root);
    memset(facts, 0, sizeof *facts);
}
