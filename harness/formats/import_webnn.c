/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/import_webnn_internal.h"

#include <stdio.h>
#include <string.h>

static bool check_arguments(const import_reader *r, const import_mapping *m)
{
    const json_t *list = json_object_get(r->op, "arguments");
    json_t *options = import_webnn_argument(r, "options");
    const char *other;
    if (!json_is_array(list))
        return error_usage(r->e, "operators[0].arguments: expected a list of records");
    for (size_t i = 0; i < json_array_size(list); ++i)
        if (!import_webnn_only_members(json_array_get(list, i), m->arguments, &other))
            return import_webnn_cannot(r, "%s has the argument \"%.40s\"", m->webnn, other);
    if (options && !json_is_object(options))
        return error_usage(r->e, "options: expected a record");
    return import_webnn_only_members(options, m->options, &other) ||
           import_webnn_cannot(r, "%s has the option \"%.40s\"", m->webnn, other);
}

/* The one output of the last operator, which is that of the graph. */
static bool take_output(import_reader *r)
{
    const json_t *expected = json_object_get(r->graph, "expectedOutputs");
    const json_t *operators = json_object_get(r->graph, "operators");
    const size_t last = json_array_size(operators) - 1;
    const json_t *given = json_object_get(json_array_get(operators, last), "outputs");
    if (json_is_array(given) && json_array_size(given) == 1)
        given = json_array_get(given, 0);
    if (!json_is_string(given))
        return error_usage(r->e, "operators[%zu].outputs: expected the name of one output", last);
    if (!json_is_object(expected) || json_object_size(expected) != 1)
        return error_usage(r->e, "graph.expectedOutputs: expected a record of one output");
    return import_webnn_operand(r, "expectedOutputs", json_string_value(given), &r->output);
}

/* The descriptor with its data, and the output that the test expects. */
static bool build(import_reader *r)
{
    json_t *output = json_object_get(r->descriptor, "OutputTensor"), *own = json_object_get(r->descriptor, "output");
    json_t *sizes = output ? json_object_get(output, "Sizes") : json_object_get(own, "shape");
    json_t *type = output ? json_object_get(output, "DataType") : json_object_get(own, "type");
    r->t->record =
        json_pack("{s:s, s:s, s:O, s:O, s:s, s:[{s:s, s:O, s:O, s:O}]}", "operator", r->name, "name", r->t->name,
                  "descriptor", r->descriptor, "inputs", r->inputs, "expect", "accepted", "outputs", "name",
                  output ? "OutputTensor" : "output", "dtype", type, "sizes", sizes, "data", r->output.data);
    return r->t->record || error_set(r->e, "out of memory");
}

static bool import(import_reader *r)
{
    const json_t *operators = json_object_get(r->graph, "operators");
    const size_t count = json_array_size(operators);
    r->op = json_array_get(operators, 0);
    const json_t *name = json_object_get(r->op, "name");
    if (!json_is_object(r->graph) || !json_is_array(operators) || !json_is_string(name))
        return error_usage(r->e, "expected { \"name\": ..., \"graph\": { \"inputs\": {...}, \"operators\": [{...}], "
                                 "\"expectedOutputs\": {...} } }");
    const import_mapping *m = count > 1 ? import_webnn_pattern(r) : import_webnn_mapping(r, json_string_value(name));
    if (!m || !check_arguments(r, m))
        return false;
    r->name = m->operator_name;
    r->most = m->most;
    if (!take_output(r))
        return false;
    if (strstr(m->arguments, " input ") && !import_webnn_input(r, "input", &r->input))
        return false;
    r->descriptor = json_object();
    r->inputs = json_object();
    return m->map(r) && build(r);
}

bool import_webnn(const json_t *test, import_test *t, error *e)
{
    const json_t *name = json_object_get(test, "name");
    import_reader r = { .graph = json_object_get(test, "graph"), .t = t, .e = e };
    t->record = NULL;
    t->why[0] = 0;
    snprintf(t->name, sizeof t->name, "%s", name ? json_string_value(name) ? json_string_value(name) : "" : "");
    const bool fine = import(&r);
    json_decref(r.descriptor);
    json_decref(r.inputs);
    json_decref(r.input.data);
    json_decref(r.indices.data);
    json_decref(r.updates.data);
    json_decref(r.output.data);
    for (size_t i = 0; i < WEBNN_MOST_JOINED; ++i)
        json_decref(r.joined[i].data);
    return fine;
}
