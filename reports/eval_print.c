/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/eval_print.h"
#include "harness/base/visible.h"
#include "harness/model/descriptor.h"
#include "harness/model/value.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The map of undefined elements of tensor k, or NULL: only the first output has one. */
static const uint8_t *map_of(const evaluation *v, unsigned k)
{
    for (unsigned i = 0; i < k; ++i) {
        if (v->descriptor.op->tensors[i].role == TS_OUTPUT)
            return NULL;
    }
    return v->unspecified;
}

static bool is_output(const evaluation *v, unsigned k)
{
    return v->descriptor.op->tensors[k].role == TS_OUTPUT && (v->descriptor.tensors[k].given & TS_GIVEN_TENSOR);
}

/* ---- text -------------------------------------------------------------------------------------------- */

/* Format an element, followed by a question mark where the specification does not define it. */
static int format_element(const ts_tensor *t, const uint64_t *coord, const uint8_t *map, char *buf, size_t size)
{
    value_format(t->dtype, tensor_at(t, coord), buf, size - 1);
    if (map && map[tensor_offset(t, coord)])
        strcat(buf, "?");
    return (int)strlen(buf);
}

/* Print rows as in the published pages: a bracket for each dimension that begins or ends, columns aligned. */
static void print_rows(FILE *to, const ts_tensor *t, const uint8_t *map)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count = 0;
    char text[48];
    int width = 0;
    bool more;
    if (!tensor_element_count(t, &count) || count == 0) {
        fputs("    [] (no elements)\n", to);
        return;
    }
    do {
        int n = format_element(t, coord, map, text, sizeof text);
        width = n > width ? n : width;
    } while (tensor_next(t, coord));

    uint32_t opened = 0; /* dimensions that begin with this element */
    do {
        uint32_t fresh = t->rank;
        while (fresh > 0 && coord[fresh - 1] == 0)
            --fresh;
        if (fresh < t->rank || t->rank == 0) {
            fprintf(to, "    %*s", (int)fresh, "");
            for (opened = fresh; opened < t->rank; ++opened)
                putc('[', to);
        }
        format_element(t, coord, map, text, sizeof text);
        fprintf(to, "%*s", width, text);
        more = tensor_next(t, coord);
        uint32_t closed = more ? t->rank : 0; /* dimensions that end with this element */
        while (more && closed > 0 && coord[closed - 1] == 0)
            --closed;
        for (uint32_t i = closed; i < t->rank; ++i)
            putc(']', to);
        if (more)
            fputs(closed < t->rank ? ",\n" : ", ", to);
    } while (more);
    putc('\n', to);
}

static void print_sizes(FILE *to, const ts_tensor *t)
{
    putc('{', to);
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        fprintf(to, "%s%" PRIu64, i ? "," : "", t->sizes[i]);
    putc('}', to);
}

/* Print a violation. The text of its clause follows the first violation of that clause. */
static void print_violation(FILE *to, const evaluation *v, unsigned i)
{
    const ts_violation *broken = &v->report.items[i];
    const ts_clause *clause = operator_clause(v->descriptor.op, broken->clause);
    const char *kind = broken->result == TS_RESULT_INVALID ? "" : evaluate_result_name(broken->result);
    fprintf(to, "  %-6s  %s%s%s\n", broken->clause, kind, *kind ? ": " : "", broken->text);
    if (broken->needs)
        fprintf(to, "          legal from feature level %s on\n", tensor_level_name(broken->needs));
    for (unsigned j = 0; j < i && clause; ++j) {
        if (strcmp(v->report.items[j].clause, broken->clause) == 0)
            clause = NULL;
    }
    if (clause)
        fprintf(to, "          clause: %s\n          page:   %s, %s\n", clause->text, clause->page, clause->section);
}

bool eval_print_text(FILE *to, const eval_heading *heading, const evaluation *v, error *e)
{
    const ts_operator *op = v->descriptor.op;
    if (!heading->first)
        putc('\n', to);
    visible_print(to, "%s", heading->file);
    if (heading->count > 1)
        fprintf(to, "[%zu]", heading->index);
    visible_print(to, ": %s%s%s: %s\n", op->name, heading->name ? " " : "", heading->name ? heading->name : "",
                  evaluate_status_name(v->status));
    for (unsigned k = 0; k < op->tensor_count && v->status == EVALUATE_OK; ++k) {
        if (!is_output(v, k))
            continue;
        fprintf(to, "  %s %s ", op->tensors[k].name, operator_dtype_name(op, v->descriptor.tensors[k].dtype));
        print_sizes(to, &v->descriptor.tensors[k]);
        putc('\n', to);
        print_rows(to, &v->descriptor.tensors[k], map_of(v, k));
    }
    if (v->unspecified_count)
        fprintf(to, "  %" PRIu64 " element%s marked ? not defined by the specification\n", v->unspecified_count,
                v->unspecified_count == 1 ? " is" : "s are");
    for (unsigned i = 0; i < v->report.count; ++i)
        print_violation(to, v, i);
    if (v->report.dropped)
        fprintf(to, "  and %u more\n", v->report.dropped);
    if (v->report.count)
        fprintf(to, "  see %s\n", op->page);
    return ferror(to) ? error_set(e, "standard output: %s", strerror(errno)) : true;
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

static json_t *sizes_to_json(const ts_tensor *t)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < t->rank && i < TS_MAX_DIMS; ++i)
        json_array_append_new(list, json_integer((json_int_t)t->sizes[i]));
    return list;
}

/* The positions of undefined elements in `data`, from 0. */
static json_t *unspecified_to_json(const ts_tensor *t, const uint8_t *map)
{
    json_t *list = json_array();
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    json_int_t position = 0;
    do {
        if (map[tensor_offset(t, coord)] && json_array_append_new(list, json_integer(position)) != 0) {
            json_decref(list);
            return NULL;
        }
        position++;
    } while (tensor_next(t, coord));
    return list;
}

bool eval_print_outputs(const evaluation *v, uint64_t most, json_t *list)
{
    const ts_operator *op = v->descriptor.op;
    uint64_t count = 0;
    for (unsigned k = 0; k < op->tensor_count && v->status == EVALUATE_OK; ++k) {
        const ts_tensor *t = &v->descriptor.tensors[k];
        json_t *output = json_object();
        if (!is_output(v, k)) {
            json_decref(output);
            continue;
        }
        const bool listed = tensor_element_count(t, &count) && count <= most;
        const bool raw = t->total_bytes <= most;
        if (json_array_append_new(list, output) != 0 || !put(output, "name", json_string(op->tensors[k].name)) ||
            !put(output, "dtype", json_string(operator_dtype_name(op, t->dtype))) ||
            !put(output, "sizes", sizes_to_json(t)) ||
            !put(output, "data", listed ? descriptor_data_to_json(t) : json_null()) ||
            !put(output, "raw", raw ? descriptor_raw_to_json(t->data, (size_t)t->total_bytes) : json_null()))
            return false;
        if (listed && map_of(v, k) && !put(output, "unspecified", unspecified_to_json(t, map_of(v, k))))
            return false;
    }
    return true;
}

static bool add_violations(const evaluation *v, json_t *clauses, json_t *list)
{
    const ts_operator *op = v->descriptor.op;
    bool ok = true;
    for (unsigned i = 0; ok && i < v->report.count; ++i) {
        const ts_violation *broken = &v->report.items[i];
        const ts_clause *clause = operator_clause(op, broken->clause);
        json_t *item = json_object();
        if (evaluate_names_clause(&v->report, i))
            ok = json_array_append_new(clauses, json_string(broken->clause)) == 0;
        ok = json_array_append_new(list, item) == 0 && put(item, "clause", json_string(broken->clause)) && ok;
        ok = ok && put(item, "result", json_string(evaluate_result_name(broken->result)));
        ok = ok && put(item, "message", json_string(broken->text));
        if (broken->tensor >= 0)
            ok = ok && put(item, "tensor", json_string(op->tensors[broken->tensor].name));
        if (broken->axis >= 0)
            ok = ok && put(item, "axis", json_integer(broken->axis));
        if (broken->needs)
            ok = ok && put(item, "needs", json_string(tensor_level_name(broken->needs)));
        if (clause)
            ok = ok && put(item, "text", json_string(clause->text)) && put(item, "page", json_string(clause->page)) &&
                 put(item, "section", json_string(clause->section));
    }
    return ok;
}

static bool add_result(json_t *result, const eval_heading *heading, const evaluation *v)
{
    json_t *clauses = json_array(), *violations = json_array(), *outputs = json_array();
    bool ok = put(result, "file", json_string(heading->file));
    if (heading->name)
        ok = ok && put(result, "name", json_string(heading->name));
    ok = ok && put(result, "operator", json_string(v->descriptor.op->name));
    ok = ok && put(result, "status", json_string(evaluate_status_name(v->status)));
    ok = put(result, "clauses", clauses) && ok;
    ok = put(result, "violations", violations) && ok;
    ok = put(result, "outputs", outputs) && ok;
    return ok && add_violations(v, clauses, violations) && eval_print_outputs(v, UINT64_MAX, outputs);
}

bool eval_print_json(FILE *to, const eval_heading *heading, const evaluation *v, error *e)
{
    json_t *result = json_object();
    bool ok = result && add_result(result, heading, v);
    if (!ok) {
        json_decref(result);
        return error_set(e, "out of memory");
    }
    fputs(heading->first ? "\n" : ",\n", to);
    ok = json_dumpf(result, to, 0) == 0 && !ferror(to);
    json_decref(result);
    return ok ? true : error_set(e, "standard output: %s", strerror(errno));
}
