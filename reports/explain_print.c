/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/explain_print.h"
#include "harness/base/visible.h"
#include "harness/model/descriptor.h"
#include "harness/model/explain_index.h"
#include "harness/model/value.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define COLUMNS 100
#define INDENT  4 /* of the lines of a step */

/* ---- lines and clauses
 * ------------------------------------------------------------------------------------------------- */

void explain_wrap(FILE *to, const char *text, int indent, int hang)
{
    size_t room = (size_t)(COLUMNS - indent);
    for (bool first = true; first || *text; first = false) {
        size_t length = strlen(text), take = length;
        if (length > room) {
            for (take = room; take > 0 && text[take] != ' '; --take)
                ;
            if (take == 0) /* one long word */
                take = strcspn(text, " ");
        }
        size_t shown = take;
        while (shown > 0 && text[shown - 1] == ' ')
            --shown;
        fprintf(to, "%*s%.*s\n", indent, "", (int)shown, text);
        text += take;
        text += strspn(text, " ");
        if (first) {
            indent += hang;
            room -= (size_t)hang;
        }
    }
}

/* The next of the clause ids in a list, or false. */
static bool next_clause(const char **list, char id[16])
{
    *list += strspn(*list, " ");
    size_t length = strcspn(*list, " ");
    if (length == 0 || length >= 16)
        return false;
    memcpy(id, *list, length);
    id[length] = 0;
    *list += length;
    return true;
}

/* Does a step before step `item` cite this clause? */
static bool cited_before(const ts_explanation *x, size_t item, const char *id)
{
    char other[16];
    for (size_t i = 0; i < item; ++i) {
        const char *list = x->items[i].clauses;
        while (list && next_clause(&list, other))
            if (strcmp(other, id) == 0)
                return true;
    }
    return false;
}

/* ---- elements ---------------------------------------------------------------------------------------------- */

/* "[1,2,3]" */
static const char *bracketed(const ts_tensor *t, const uint64_t *coord, char *text, size_t room)
{
    snprintf(text, room, "[");
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        explain_append(text, room, "%s%" PRIu64, i ? "," : "", coord[i]);
    explain_append(text, room, "]");
    return text;
}

static void append_address(char *text, size_t room, uint64_t offset, bool wanted)
{
    if (wanted)
        explain_append(text, room, " at %" PRIu64, offset);
}

static void append_value(char *text, size_t room, const ts_tensor *t, const uint64_t *coord)
{
    char value[48];
    if (t->data)
        explain_append(text, room, " = %s", value_format(t->dtype, tensor_at(t, coord), value, sizeof value));
}

/* The other values that the specification allows: ", or 5, or 6". */
static void append_answers(char *text, size_t room, const ts_descriptor *d, const explain_element *e)
{
    const ts_tensor *t = &d->tensors[e->to], *from = e->from >= 0 ? &d->tensors[e->from] : NULL;
    ts_answers answers = { .asked = 0 };
    if (!e->several || !d->op->answers || !from || !from->data)
        return;
    const uint64_t shown = value_bits(from->dtype, tensor_at(from, e->from_coord));
    d->op->answers(d, (unsigned)e->to, e->to_coord, &answers);
    for (unsigned i = 0; i < answers.count; ++i) {
        unsigned char element[8];
        char value[48];
        value_store_bits(t->dtype, element, answers.bits[i]);
        if (answers.bits[i] != shown)
            explain_append(text, room, ", or %s", value_format(t->dtype, element, value, sizeof value));
    }
    if (answers.more)
        explain_append(text, room, ", or another");
}

static void print_element(FILE *to, const ts_descriptor *d, const explain_element *e)
{
    char text[1600], coord[400];
    const ts_tensor *out = &d->tensors[e->to];
    snprintf(text, sizeof text, "%s%s", d->op->tensors[e->to].name, bracketed(out, e->to_coord, coord, sizeof coord));
    append_address(text, sizeof text, e->to_offset, e->addresses);
    if (e->undefined)
        explain_append(text, sizeof text, " is not defined%s",
                       e->from >= 0 || *e->source || e->has_bits ? "; the reference gives" : "");
    else if (e->from >= 0)
        explain_append(text, sizeof text, " =");
    if (e->from >= 0) {
        const ts_tensor *in = &d->tensors[e->from];
        explain_append(text, sizeof text, " %s%s", d->op->tensors[e->from].name,
                       bracketed(in, e->from_coord, coord, sizeof coord));
        if (e->outside)
            explain_append(text, sizeof text, ", which does not exist");
        else {
            append_address(text, sizeof text, tensor_offset(in, e->from_coord), e->addresses);
            append_value(text, sizeof text, in, e->from_coord);
            append_answers(text, sizeof text, d, e);
        }
    }
    if (e->via >= 0) {
        explain_append(text, sizeof text, "  by ");
        explain_append_index(text, sizeof text, d, e->via, e->via_coord, e->by_tuple);
    }
    if (*e->source)
        explain_append(text, sizeof text, " = %s", e->source);
    if (e->has_bits)
        explain_append(text, sizeof text, " = 0x%0*" PRIx64, 2 * (int)tensor_element_bytes(out->dtype), e->bits);
    explain_wrap(to, text, INDENT + 2, 4);
}

/* ---- text -------------------------------------------------------------------------------------------- */

static void print_descriptor(FILE *to, const ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const ts_attr_decl *a = &d->op->attrs[k];
        char text[600], value[128];
        uint32_t n = a->count == TS_SCALAR ? 1 : operator_attr_count(d, k);
        if (!(d->attrs_given & (1u << k)) || a->counts)
            continue;
        snprintf(text, sizeof text, "%-*s %s", operator_name_width(d->op), a->name, a->count == TS_SCALAR ? "" : "{");
        for (unsigned i = 0; i < n && i < a->capacity; ++i)
            explain_append(text, sizeof text, "%s%s", i ? "," : "", descriptor_attr_text(d, k, i, value, sizeof value));
        explain_append(text, sizeof text, "%s%s", n > a->capacity ? ",..." : "", a->count == TS_SCALAR ? "" : "}");
        explain_wrap(to, text, 2, 4);
    }
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        const ts_tensor *t = &d->tensors[k];
        if (!(t->given & TS_GIVEN_TENSOR))
            continue;
        fprintf(to, "  %-*s %s %s", operator_name_width(d->op), d->op->tensors[k].name,
                operator_dtype_name(d->op, t->dtype), explain_list(t->sizes, t->rank).text);
        if (t->given & TS_GIVEN_STRIDES)
            fprintf(to, " strides %s", explain_list(t->strides, t->rank).text);
        fputs("\n", to);
    }
}

static void print_report(FILE *to, const evaluation *v)
{
    for (unsigned i = 0; i < v->report.count; ++i) {
        const ts_violation *broken = &v->report.items[i];
        const ts_clause *clause = operator_clause(v->descriptor.op, broken->clause);
        char text[400];
        snprintf(text, sizeof text, "%s  %s: %s", broken->clause,
                 broken->result == TS_RESULT_INVALID ? "broken" : evaluate_result_name(broken->result), broken->text);
        explain_wrap(to, text, 2, 8);
        if (broken->needs)
            fprintf(to, "          legal from feature level %s on\n", tensor_level_name(broken->needs));
        if (clause && evaluate_names_clause(&v->report, i))
            explain_wrap(to, clause->text, 10, 0);
    }
    if (v->report.dropped)
        fprintf(to, "  and %u more\n", v->report.dropped);
}

static void print_step(FILE *to, const ts_explanation *x, size_t item, unsigned number)
{
    const explain_item *step = &x->items[item];
    char text[400];
    snprintf(text, sizeof text, "%u. %s", number, step->text);
    if (*step->clauses) {
        int gap = COLUMNS - (int)strlen(text) - (int)strlen(step->clauses) - 2;
        explain_append(text, sizeof text, "%*s[%s]", gap > 2 ? gap : 2, "", step->clauses);
    }
    fprintf(to, "\n%s\n", text);
}

/* Print the texts of the clauses that no earlier step cites. */
static void print_clauses(FILE *to, const ts_explanation *x, size_t item, const ts_operator *op)
{
    const char *list = x->items[item].clauses;
    char id[16], text[400];
    while (next_clause(&list, id)) {
        const ts_clause *clause = operator_clause(op, id);
        if (!clause || cited_before(x, item, id))
            continue;
        snprintf(text, sizeof text, "%s: %s", id, clause->text);
        explain_wrap(to, text, INDENT, (int)strlen(id) + 2);
    }
}

/* "openvino", "numpy", or NULL where the operator has no profiles. */
static const char *profile_of(const ts_descriptor *d)
{
    return d->op->openvino_types ? tensor_profile_name(d->profile) : NULL;
}

bool explain_print_text(FILE *to, const explain_heading *heading, const evaluation *v, const ts_explanation *x,
                        error *e)
{
    const ts_descriptor *d = &v->descriptor;
    unsigned number = 0;
    size_t last = 0; /* step */
    if (x->failed)
        return error_set(e, "out of memory");
    visible_print(to, "%s\n", heading->name);
    if (heading->note)
        explain_wrap(to, heading->note, 2, 0);
    fprintf(to, "  %s (%s): %s", d->op->name, d->op->title, evaluate_status_name(v->status));
    fprintf(to, "%s%s\n", profile_of(d) ? " by profile " : "", profile_of(d) ? profile_of(d) : "");
    fprintf(to, "  %s\n\n", d->op->page);
    print_descriptor(to, d);
    if (v->report.count)
        fputs("\n", to);
    print_report(to, v);
    for (size_t i = 0; i < x->count; ++i) {
        const explain_item *item = &x->items[i];
        switch (item->kind) {
        case EXPLAIN_STEP:
            if (number > 0)
                print_clauses(to, x, last, d->op);
            print_step(to, x, i, ++number);
            last = i;
            break;
        case EXPLAIN_SAY: explain_wrap(to, item->text, INDENT, 0); break;
        case EXPLAIN_SHOW: explain_wrap(to, item->text, INDENT + 2, 4); break;
        case EXPLAIN_ELEMENT: print_element(to, d, item->element); break;
        case EXPLAIN_GAP: fprintf(to, "%*s... (%" PRIu64 " more)\n", INDENT + 2, "", item->left_out); break;
        }
    }
    if (number > 0)
        print_clauses(to, x, last, d->op);
    return ferror(to) ? error_output(e) : true;
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

static json_t *coord_to_json(const ts_tensor *t, const uint64_t *coord)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < t->rank && i < TS_MAX_DIMS; ++i)
        json_array_append_new(list, json_integer((json_int_t)coord[i]));
    return list;
}

static json_t *element_to_json(const ts_descriptor *d, const explain_element *e)
{
    json_t *record = json_object();
    const ts_tensor *out = &d->tensors[e->to];
    bool ok = put(record, "to", json_string(d->op->tensors[e->to].name)) &&
              put(record, "out", coord_to_json(out, e->to_coord)) &&
              put(record, "out_offset", json_integer((json_int_t)e->to_offset));
    if (e->via >= 0) {
        const ts_tensor *via = &d->tensors[e->via];
        ok = ok && put(record, "by", json_string(d->op->tensors[e->via].name)) &&
             put(record, "index_at", coord_to_json(via, e->via_coord));
        if (via->data)
            ok = ok && put(record, "index", descriptor_element_to_json(via->dtype, tensor_at(via, e->via_coord)));
    }
    if (e->from >= 0) {
        const ts_tensor *in = &d->tensors[e->from];
        ok = ok && put(record, "from", json_string(d->op->tensors[e->from].name)) &&
             put(record, "in", coord_to_json(in, e->from_coord));
        if (!e->outside) {
            ok = ok && put(record, "in_offset", json_integer((json_int_t)tensor_offset(in, e->from_coord)));
            if (in->data)
                ok = ok && put(record, "value", descriptor_element_to_json(in->dtype, tensor_at(in, e->from_coord)));
        }
    }
    if (*e->source)
        ok = ok && put(record, "source", json_string(e->source));
    if (e->has_bits)
        ok = ok && put(record, "value", json_integer((json_int_t)e->bits));
    if (e->outside)
        ok = ok && put(record, "outside", json_true());
    if (e->undefined)
        ok = ok && put(record, "undefined", json_true());
    if (e->several)
        ok = ok && put(record, "several", json_true());
    if (ok)
        return record;
    json_decref(record);
    return NULL;
}

static json_t *violations_to_json(const evaluation *v)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < v->report.count; ++i) {
        const ts_violation *broken = &v->report.items[i];
        json_t *record = json_pack("{s:s,s:s,s:s}", "clause", broken->clause, "result",
                                   evaluate_result_name(broken->result), "message", broken->text);
        if (broken->needs)
            json_object_set_new(record, "needs", json_string(tensor_level_name(broken->needs)));
        if (json_array_append_new(list, record) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* A step with its clauses; their texts go into `texts`. */
static json_t *step_to_json(const ts_operator *op, const explain_item *item, size_t number, json_t *texts)
{
    json_t *clauses = json_array();
    const char *list = item->clauses;
    char id[16];
    while (next_clause(&list, id)) {
        const ts_clause *clause = operator_clause(op, id);
        json_array_append_new(clauses, json_string(id));
        if (clause)
            json_object_set_new(texts, id, json_string(clause->text));
    }
    return json_pack("{s:I,s:o,s:s,s:[],s:[]}", "step", (json_int_t)number, "clauses", clauses, "title", item->text,
                     "text", "elements");
}

json_t *explain_print_json(const explain_heading *heading, const evaluation *v, const ts_explanation *x)
{
    const ts_descriptor *d = &v->descriptor;
    json_t *record = json_object(), *texts = json_object(), *steps = json_array(), *step = NULL;
    bool ok = !x->failed && put(record, "name", json_string(heading->name)) &&
              (!heading->note || put(record, "note", json_string(heading->note))) &&
              put(record, "operator", json_string(d->op->name)) && put(record, "page", json_string(d->op->page)) &&
              (!profile_of(d) || put(record, "profile", json_string(profile_of(d)))) &&
              put(record, "status", json_string(evaluate_status_name(v->status))) &&
              put(record, "violations", violations_to_json(v));
    ok = put(record, "clauses", texts) && ok;
    ok = put(record, "steps", steps) && ok;
    for (size_t i = 0; ok && i < x->count; ++i) {
        const explain_item *item = &x->items[i];
        switch (item->kind) {
        case EXPLAIN_STEP:
            step = step_to_json(d->op, item, json_array_size(steps) + 1, texts);
            ok = json_array_append_new(steps, step) == 0;
            break;
        case EXPLAIN_SAY:
        case EXPLAIN_SHOW:
            ok = json_array_append_new(json_object_get(step, "text"), json_string(item->text)) == 0;
            break;
        case EXPLAIN_ELEMENT:
            ok = json_array_append_new(json_object_get(step, "elements"), element_to_json(d, item->element)) == 0;
            break;
        case EXPLAIN_GAP: ok = put(step, "left_out", json_integer((json_int_t)item->left_out)); break;
        }
    }
    if (ok)
        return record;
    json_decref(record);
    return NULL;
}
