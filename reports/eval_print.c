/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/eval_print.h"
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/model/descriptor.h"
#include "harness/model/value.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define MOST_ANSWERS 12 /* elements with several values that are listed */

static bool is_output(const evaluation *v, unsigned k)
{
    return v->descriptor.op->tensors[k].role == TS_OUTPUT && (v->descriptor.tensors[k].given & TS_GIVEN_TENSOR);
}

/* Are the outputs those of a data type that is not judged? */
static bool is_unjudged(const evaluation *v)
{
    return v->status == EVALUATE_OK && !operator_judges(v->descriptor.op, operator_dtype(&v->descriptor));
}

/* ---- text -------------------------------------------------------------------------------------------- */

/* Format an element, followed by ? where the specification does not define it, and by * where it allows several
   values. */
static int format_element(const evaluation *v, unsigned k, const uint64_t *coord, char *buf, size_t size)
{
    static const char *const signs[] = { [TS_ONE_ANSWER] = "", [TS_SEVERAL] = "*", [TS_UNDEFINED] = "?" };
    const ts_tensor *t = &v->descriptor.tensors[k];
    value_format(t->dtype, tensor_at(t, coord), buf, size - 1);
    strcat(buf, signs[evaluate_open(v, k, coord)]);
    return (int)strlen(buf);
}

/* Print rows as in the published pages: a bracket for each dimension that begins or ends, columns aligned. */
static void print_rows(FILE *to, const evaluation *v, unsigned k)
{
    const ts_tensor *t = &v->descriptor.tensors[k];
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count = 0;
    char word[48];
    int width = 0;
    bool more;
    if (!tensor_element_count(t, &count) || count == 0) {
        fputs("    [] (no elements)\n", to);
        return;
    }
    do {
        int n = format_element(v, k, coord, word, sizeof word);
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
        format_element(v, k, coord, word, sizeof word);
        fprintf(to, "%*s", width, word);
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

/* "OutputTensor[3] is 5 or 7", or with more values "1, 2 or 3". */
static void print_answers(FILE *to, const evaluation *v, unsigned k, const uint64_t *coord)
{
    const ts_tensor *t = &v->descriptor.tensors[k];
    const ts_answers answers = evaluate_answers(v, k, coord);
    char word[200];
    fprintf(to, "    %s%s is ", v->descriptor.op->tensors[k].name,
            value_format_list(coord, t->rank, word, sizeof word));
    for (unsigned i = 0; i < answers.count; ++i) {
        unsigned char element[8];
        value_store_bits(t->dtype, element, answers.bits[i]);
        fprintf(to, "%s%s",
                i == 0                                    ? ""
                : i + 1 == answers.count && !answers.more ? " or "
                                                          : ", ",
                value_format(t->dtype, element, word, sizeof word));
    }
    fprintf(to, "%s\n", answers.more ? " or another value" : "");
}

void eval_print_several(FILE *to, const evaluation *v)
{
    uint64_t left = v->several_count, shown = 0;
    if (left == 0)
        return;
    fprintf(to, "  %" PRIu64 " element%s marked * may have one of several values\n", left, left == 1 ? "" : "s");
    for (unsigned k = 0; k < v->descriptor.op->tensor_count; ++k) {
        const ts_tensor *t = &v->descriptor.tensors[k];
        uint64_t coord[TS_MAX_DIMS] = { 0 };
        if (!is_output(v, k))
            continue;
        do {
            if (evaluate_open(v, k, coord) != TS_SEVERAL)
                continue;
            if (shown++ == MOST_ANSWERS) {
                fprintf(to, "    and %" PRIu64 " more\n", left);
                return;
            }
            print_answers(to, v, k, coord);
            --left;
        } while (tensor_next(t, coord));
    }
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
        fprintf(to, "          clause: %s\n          page:   %s, %s\n", clause->text,
                operator_clause_page(v->descriptor.op, clause, broken->tensor), clause->section);
}

static void print_heading(FILE *to, const eval_heading *heading, const char *op, const char *status)
{
    if (!heading->first)
        putc('\n', to);
    visible_print(to, "%s", heading->file);
    if (heading->count > 1)
        fprintf(to, "[%zu]", heading->index);
    visible_print(to, ": %s%s%s: %s\n", op, heading->name ? " " : "", heading->name ? heading->name : "", status);
}

bool eval_print_text(FILE *to, const eval_heading *heading, const evaluation *v, error *e)
{
    const ts_operator *op = v->descriptor.op;
    print_heading(to, heading, op->name, evaluate_status_name(v->status));
    for (unsigned k = 0; k < op->tensor_count && v->status == EVALUATE_OK; ++k) {
        if (!is_output(v, k))
            continue;
        fprintf(to, "  %s %s ", op->tensors[k].name, operator_dtype_name(op, v->descriptor.tensors[k].dtype));
        print_sizes(to, &v->descriptor.tensors[k]);
        putc('\n', to);
        print_rows(to, v, k);
    }
    if (v->unspecified_count)
        fprintf(to, "  %" PRIu64 " element%s marked ? not defined by the specification\n", v->unspecified_count,
                v->unspecified_count == 1 ? " is" : "s are");
    eval_print_several(to, v);
    if (is_unjudged(v))
        fprintf(to, "  not judged: the specification does not determine the results of %s to the bit\n",
                operator_dtype_name(op, operator_dtype(&v->descriptor)));
    for (unsigned i = 0; i < v->report.count; ++i)
        print_violation(to, v, i);
    if (v->report.dropped)
        fprintf(to, "  and %u more\n", v->report.dropped);
    if (v->report.count)
        fprintf(to, "  see %s\n", op->page);
    return ferror(to) ? error_output(e) : true;
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

/* A string of a file, whatever its bytes are. */
static json_t *text_to_json(const char *s)
{
    text t = { .data = NULL };
    text_utf8(&t, s);
    json_t *json = t.failed ? NULL : json_string(t.data ? t.data : "");
    text_free(&t);
    return json;
}

static json_t *sizes_to_json(const ts_tensor *t)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < t->rank && i < TS_MAX_DIMS; ++i)
        json_array_append_new(list, json_integer((json_int_t)t->sizes[i]));
    return list;
}

static json_t *values_to_json(uint32_t dtype, const ts_answers *answers)
{
    json_t *list = json_array();
    for (unsigned i = 0; list && i < answers->count; ++i) {
        unsigned char element[8];
        value_store_bits(dtype, element, answers->bits[i]);
        json_array_append_new(list, descriptor_element_to_json(dtype, element));
    }
    return list;
}

/* The positions in `data`, from 0, of the elements that are open in this way; with their values where they have
   several. */
static json_t *open_to_json(const evaluation *v, unsigned k, ts_open open)
{
    const ts_tensor *t = &v->descriptor.tensors[k];
    json_t *list = json_array();
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    json_int_t position = 0;
    do {
        if (evaluate_open(v, k, coord) == open) {
            json_t *item = json_integer(position);
            if (open == TS_SEVERAL) {
                const ts_answers answers = evaluate_answers(v, k, coord);
                item = json_pack("{s:o, s:o}", "at", item, "values", values_to_json(t->dtype, &answers));
                if (answers.more)
                    json_object_set_new(item, "more", json_true());
            }
            if (json_array_append_new(list, item) != 0) {
                json_decref(list);
                return NULL;
            }
        }
        position++;
    } while (tensor_next(t, coord));
    return list;
}

/* Add "unspecified" and "answers" to an output, where it has such elements. */
static bool put_open(json_t *output, const evaluation *v, unsigned k)
{
    static const struct {
        const char *key;
        ts_open open;
    } kinds[] = { { "unspecified", TS_UNDEFINED }, { "answers", TS_SEVERAL } };
    for (unsigned i = 0; i < 2 && v->marks[k].map; ++i) {
        json_t *list = open_to_json(v, k, kinds[i].open);
        if (!list || (json_array_size(list) > 0 && json_object_set(output, kinds[i].key, list) != 0)) {
            json_decref(list);
            return false;
        }
        json_decref(list);
    }
    return true;
}

bool eval_print_outputs(const evaluation *v, uint64_t most, json_t *list)
{
    const ts_operator *op = v->descriptor.op;
    uint64_t count = 0, bytes = 0;
    for (unsigned k = 0; k < op->tensor_count && v->runs; ++k) {
        const ts_tensor *t = &v->descriptor.tensors[k];
        json_t *output = json_object();
        if (!is_output(v, k)) {
            json_decref(output);
            continue;
        }
        const bool listed = tensor_element_count(t, &count) && count <= most;
        const bool raw = tensor_span_bytes(t, &bytes) && bytes <= most;
        if (json_array_append_new(list, output) != 0 || !put(output, "name", json_string(op->tensors[k].name)) ||
            !put(output, "dtype", json_string(operator_dtype_name(op, t->dtype))) ||
            !put(output, "sizes", sizes_to_json(t)) ||
            !put(output, "data", listed ? descriptor_data_to_json(t) : json_null()) ||
            !put(output, "raw", raw ? descriptor_raw_to_json(t->data, (size_t)bytes) : json_null()))
            return false;
        if (listed && !put_open(output, v, k))
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
        ok = ok && put(item, "message", text_to_json(broken->text));
        if (broken->tensor >= 0)
            ok = ok && put(item, "tensor", json_string(op->tensors[broken->tensor].name));
        if (broken->axis >= 0)
            ok = ok && put(item, "axis", json_integer(broken->axis));
        if (broken->needs)
            ok = ok && put(item, "needs", json_string(tensor_level_name(broken->needs)));
        if (clause)
            ok = ok && put(item, "text", json_string(clause->text)) &&
                 put(item, "page", json_string(operator_clause_page(op, clause, broken->tensor))) &&
                 put(item, "section", json_string(clause->section));
    }
    return ok;
}

static bool add_heading(json_t *result, const eval_heading *heading, const char *op, const char *status)
{
    bool ok = put(result, "file", text_to_json(heading->file));
    if (heading->name)
        ok = ok && put(result, "name", text_to_json(heading->name));
    return ok && put(result, "operator", text_to_json(op)) && put(result, "status", json_string(status));
}

static bool add_result(json_t *result, const eval_heading *heading, const evaluation *v)
{
    json_t *clauses = json_array(), *violations = json_array(), *outputs = json_array();
    bool ok = add_heading(result, heading, v->descriptor.op->name, evaluate_status_name(v->status));
    ok = put(result, "clauses", clauses) && ok;
    ok = put(result, "violations", violations) && ok;
    ok = put(result, "outputs", outputs) && ok;
    if (is_unjudged(v))
        ok = put(result, "judged", json_false()) && ok;
    return ok && add_violations(v, clauses, violations) && eval_print_outputs(v, UINT64_MAX, outputs);
}

static bool print_record(FILE *to, const eval_heading *heading, json_t *record)
{
    fputs(heading->first ? "\n" : ",\n", to);
    return json_dumpf(record, to, 0) == 0 && !ferror(to);
}

bool eval_print_json(FILE *to, const eval_heading *heading, const evaluation *v, error *e)
{
    json_t *result = json_object();
    bool ok = result && add_result(result, heading, v);
    if (!ok) {
        json_decref(result);
        return error_set(e, "out of memory");
    }
    ok = print_record(to, heading, result);
    json_decref(result);
    return ok ? true : error_output(e);
}

bool eval_print_uncomputed(FILE *to, const eval_heading *heading, const char *op, const char *status, const char *why,
                           bool json)
{
    if (!json) {
        print_heading(to, heading, op, status);
        visible_print(to, "  %s\n", why);
        return !ferror(to);
    }
    json_t *record = json_object();
    const bool ok = record && add_heading(record, heading, op, status) && put(record, "reason", text_to_json(why)) &&
                    print_record(to, heading, record);
    json_decref(record);
    return ok;
}
