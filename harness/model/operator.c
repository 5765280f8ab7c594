/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/operator.h"
#include "harness/model/suggest.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- elements with several answers ------------------------------------------------------------------------------ */

void operator_allow(ts_answers *a, const ts_tensor *t, const uint64_t *coord)
{
    const unsigned char *bytes = tensor_at(t, coord);
    uint64_t bits = 0;
    for (size_t i = tensor_element_bytes(t->dtype); i-- > 0;)
        bits = bits << 8 | bytes[i];
    operator_allow_bits(a, bits);
}

/* ---- the report of check --------------------------------------------------------------------------------------- */

bool operator_graver(ts_result a, ts_result b)
{
    static const unsigned char gravity[] = {
        [TS_RESULT_NONE] = 0,           [TS_RESULT_WARNING] = 1,    [TS_RESULT_UNSPECIFIED] = 2, [TS_RESULT_OPEN] = 3,
        [TS_RESULT_UNSUPPORTED_FL] = 4, [TS_RESULT_BIND_ERROR] = 5, [TS_RESULT_INVALID] = 6,
    };
    return gravity[a] > gravity[b];
}

bool operator_has_levels(const ts_operator *op)
{
    return op->support_count > 0 && op->support[op->support_count - 1].level != 0;
}

bool operator_is_limit(const ts_operator *op, ts_result result)
{
    return result == TS_RESULT_UNSUPPORTED_FL && !operator_has_levels(op);
}

/* The result of breaking a clause in this report: TS_RESULT_OPEN if the clause binds nobody. */
static ts_result judged_result(const ts_report *report, const char *clause, ts_result result)
{
    if (!report->op || report->decisions == TS_DECISIONS_BINDING || !operator_graver(result, TS_RESULT_OPEN))
        return result;
    if (operator_is_limit(report->op, result))
        return result;
    const ts_clause *c = operator_clause(report->op, clause);
    return c && !operator_binds(c) ? TS_RESULT_OPEN : result;
}

/* Count one violation. NULL if there is no report, or no space to store the violation. */
static ts_violation *add_violation(ts_report *report, const char *clause, ts_result result, int tensor, int axis)
{
    if (!report)
        return NULL;
    result = judged_result(report, clause, result);
    if (operator_graver(result, report->worst))
        report->worst = result;
    if (report->count == TS_MAX_VIOLATIONS) {
        report->dropped++;
        return NULL;
    }
    ts_violation *v = &report->items[report->count++];
    v->clause = clause;
    v->result = result;
    v->needs = 0;
    v->tensor = tensor;
    v->axis = axis;
    v->required = 0;
    v->suggest = NULL;
    return v;
}

void operator_violate(ts_report *report, const char *clause, ts_result result, int tensor, int axis, const char *format,
                      ...)
{
    ts_violation *v = add_violation(report, clause, result, tensor, axis);
    if (!v)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(v->text, sizeof v->text, format, args);
    va_end(args);
}

void operator_add_report(ts_report *report, const ts_report *other)
{
    for (unsigned i = 0; i < other->count; ++i) {
        const ts_violation *from = &other->items[i];
        ts_violation *v = add_violation(report, from->clause, from->result, from->tensor, from->axis);
        if (v) {
            const ts_result result = v->result;
            *v = *from;
            v->result = result;
        }
    }
    report->dropped += other->dropped;
    if (other->dropped && operator_graver(other->worst, report->worst))
        report->worst = other->worst;
}

/* ---- the support table -------------------------------------------------------------------------------------- */

static bool dims_allowed(const ts_support_row *row, unsigned tensor, uint32_t rank)
{
    return rank >= row->tensors[tensor].min_dims && rank <= row->tensors[tensor].max_dims;
}

static bool dtype_allowed(const ts_support_row *row, unsigned tensor, uint32_t dtype)
{
    return dtype < TS_DTYPE_COUNT && (row->tensors[tensor].dtypes & TS_DTYPE_BIT(dtype));
}

/* Absent tensors and those behind a null pointer have neither type nor dimension count. */
static bool readable(const ts_descriptor *d, unsigned tensor)
{
    return operator_has_tensor(d, tensor) && (d->tensors[tensor].given & TS_GIVEN_DESC);
}

int operator_name_width(const ts_operator *op)
{
    size_t width = 20;
    for (unsigned k = 0; k < op->attr_count; ++k)
        width = strlen(op->attrs[k].name) > width ? strlen(op->attrs[k].name) : width;
    for (unsigned t = 0; t < op->tensor_count; ++t)
        width = strlen(op->tensors[t].name) > width ? strlen(op->tensors[t].name) : width;
    return (int)width;
}

const ts_support_row *operator_support_row(const ts_operator *op, ts_level level)
{
    for (unsigned r = op->support_count; r-- > 0;) {
        if (level == 0 || op->support[r].level <= level)
            return &op->support[r];
    }
    return NULL;
}

bool operator_lowest_level(const ts_descriptor *d, ts_level *level)
{
    const ts_operator *op = d->op;
    for (unsigned r = 0; r < op->support_count; ++r) {
        const ts_support_row *row = &op->support[r];
        bool accepted = true;
        for (unsigned i = 0; i < op->tensor_count && accepted; ++i) {
            const ts_tensor *t = &d->tensors[i];
            accepted = !readable(d, i) || (dims_allowed(row, i, t->rank) && dtype_allowed(row, i, t->dtype));
        }
        if (accepted) {
            *level = row->level;
            return true;
        }
    }
    return false;
}

/* Is this a type of 4 bits where a specification without levels allows every type of integers? Nothing here computes
   with elements that have no whole bytes. */
static bool exceeds_types(const ts_operator *op, unsigned tensor, uint32_t dtype)
{
    const uint32_t bytes = TS_DTYPE_BIT(TS_INT8) | TS_DTYPE_BIT(TS_UINT8);
    return !operator_has_levels(op) && op->support_count > 0 && (dtype == TS_UINT4 || dtype == TS_INT4) &&
           (op->support[op->support_count - 1].tensors[tensor].dtypes & bytes) == bytes;
}

/* Report a dimension count or a type that the row in force does not allow: a value that a higher row allows is
 * unsupported, as is a type that exceeds a limit of ours; any other is invalid. Below the first row (row NULL) the
 * level itself was reported, which covers the unsupported values. */
static void judge(const ts_descriptor *d, ts_report *report, const ts_support_row *row, const char *clause,
                  unsigned tensor, uint32_t value, bool (*allowed)(const ts_support_row *, unsigned, uint32_t))
{
    const ts_operator *op = d->op;
    if (!clause || (row && allowed(row, tensor, value)))
        return;
    unsigned r = 0;
    while (r < op->support_count && !allowed(&op->support[r], tensor, value))
        ++r;
    bool higher = r < op->support_count;
    if (higher && !row)
        return;
    const bool limit = allowed == dtype_allowed && exceeds_types(op, tensor, value);
    ts_violation *v = add_violation(report, clause, higher || limit ? TS_RESULT_UNSUPPORTED_FL : TS_RESULT_INVALID,
                                    (int)tensor, -1);
    if (!v)
        return;
    v->needs = higher ? op->support[r].level : 0;
    v->suggest = allowed == dims_allowed ? suggest_supported_dims : suggest_supported_types;
    const ts_dtype_info *type = tensor_dtype(value);
    const char *name = op->tensors[tensor].name, *spelling = NULL;
    if (type)
        spelling = op->openvino_types ? type->openvino : type->dml;
    int n;
    if (allowed == dims_allowed)
        n = snprintf(v->text, sizeof v->text, "%s.DimensionCount = %u is not supported", name, (unsigned)value);
    else if (spelling || type)
        n = snprintf(v->text, sizeof v->text,
                     limit ? "%s.DataType = %s has elements of less than a byte, which Touchstone does not judge"
                           : "%s.DataType = %s is not supported",
                     name, spelling ? spelling : type->id);
    else
        n = snprintf(v->text, sizeof v->text, "%s.DataType = %u is no data type", name, (unsigned)value);
    if (higher && n > 0 && (size_t)n < sizeof v->text)
        snprintf(v->text + n, sizeof v->text - (size_t)n, " below feature level %s", tensor_level_name(v->needs));
}

/* Why the operator's first level does not suffice: "; InputTensor.DimensionCount = 1 needs 3_0". */
static void say_why(const ts_descriptor *d, ts_level needs, char *buf, size_t size)
{
    const ts_operator *op = d->op;
    const ts_support_row *row = &op->support[0];
    for (unsigned r = 1; r < op->support_count && op->support[r].level < needs; ++r)
        row = &op->support[r];
    for (unsigned i = 0; i < op->tensor_count && row->level < needs; ++i) {
        const ts_tensor *t = &d->tensors[i];
        if (readable(d, i) && !dims_allowed(row, i, t->rank)) {
            snprintf(buf, size, ": %s.DimensionCount = %u, and %s allows only %u to %u", op->tensors[i].name,
                     (unsigned)t->rank, tensor_level_name(row->level), row->tensors[i].min_dims,
                     row->tensors[i].max_dims);
            return;
        }
        if (readable(d, i) && !dtype_allowed(row, i, t->dtype)) {
            snprintf(buf, size, ": %s.DataType = %s, which %s does not allow", op->tensors[i].name,
                     operator_dtype_name(op, t->dtype), tensor_level_name(row->level));
            return;
        }
    }
}

void operator_check_support(const ts_descriptor *d, ts_report *report, const char *level_clause,
                            const char *const *dims_clauses, const char *const *dtype_clauses)
{
    const ts_operator *op = d->op;
    const ts_support_row *row = operator_support_row(op, d->feature_level);
    if (!row) {
        ts_violation *v = add_violation(report, level_clause, TS_RESULT_UNSUPPORTED_FL, -1, -1);
        ts_level needs = op->support[0].level;
        if (v) {
            operator_lowest_level(d, &needs);
            v->needs = needs;
            int n = snprintf(v->text, sizeof v->text, "%s needs feature level %s, judged at %s (0x%x)", op->title,
                             tensor_level_name(needs), tensor_level_name(d->feature_level), (unsigned)d->feature_level);
            if (n > 0 && (size_t)n < sizeof v->text)
                say_why(d, needs, v->text + n, sizeof v->text - (size_t)n);
        }
    }
    for (unsigned i = 0; i < op->tensor_count; ++i) {
        const ts_tensor *t = &d->tensors[i];
        if (!readable(d, i))
            continue;
        judge(d, report, row, dims_clauses[i], i, t->rank, dims_allowed);
        judge(d, report, row, dtype_clauses[i], i, t->dtype, dtype_allowed);
    }
}

static void report_missing(ts_report *report, const char *clause, int tensor, const char *name)
{
    ts_violation *v = add_violation(report, clause, TS_RESULT_INVALID, tensor, -1);
    if (!v)
        return;
    v->suggest = suggest_required;
    snprintf(v->text, sizeof v->text, "%s is missing", name);
}

bool operator_check_given(const ts_descriptor *d, ts_report *report, const char *clause)
{
    const ts_operator *op = d->op;
    bool all = true;
    for (unsigned i = 0; i < op->tensor_count; ++i) {
        const ts_tensor_list *l = operator_list_of(op, i);
        const bool optional = l ? i - l->first >= operator_list_length(d, l) : op->tensors[i].optional;
        if (optional || (d->tensors[i].given & TS_GIVEN_TENSOR))
            continue;
        report_missing(report, clause, (int)i, op->tensors[i].name);
        all = false;
    }
    const uint32_t missing = operator_missing_attrs(d);
    for (unsigned k = 0; k < op->attr_count; ++k)
        if (missing >> k & 1)
            report_missing(report, clause, -1, op->attrs[k].name);
    return all && !missing;
}

uint32_t operator_missing_attrs(const ts_descriptor *d)
{
    uint32_t missing = 0;
    for (unsigned k = 0; k < d->op->attr_count; ++k)
        if (!d->op->attrs[k].optional && !d->op->attrs[k].counts && !(d->attrs_given >> k & 1))
            missing |= UINT32_C(1) << k;
    return missing;
}

/* ---- looking up --------------------------------------------------------------------------------------------- */

static const ts_clause *find_clause(const ts_clause *clauses, unsigned count, const char *id)
{
    for (unsigned i = 0; i < count; ++i) {
        if (strcmp(clauses[i].id, id) == 0)
            return &clauses[i];
    }
    return NULL;
}

const ts_clause operator_range_clause = { .id = "TYPE-01",
                                          .text = "every number is one that the type of its field holds",
                                          .page = OPERATOR_STRUCTURE_PAGE,
                                          .section = "Syntax",
                                          .basis = TS_STATED,
                                          .result = TS_RESULT_INVALID };

const char *operator_dtype_name(const ts_operator *op, uint32_t dtype)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    const char *name = !type ? "UNKNOWN" : op->openvino_types ? type->openvino : type->dml;
    return name ? name : type->id;
}

void operator_begin_report(const ts_descriptor *d, ts_report *report)
{
    report->op = d->op;
    report->decisions = d->decisions ? TS_DECISIONS_BINDING : TS_DECISIONS_OPEN;
    report->solution = NULL;
}

void operator_check(const ts_descriptor *d, ts_report *report)
{
    operator_begin_report(d, report);
    d->op->check(d, report);
}

static const char *const decisions_names[] = { [TS_DECISIONS_OPEN] = "open", [TS_DECISIONS_BINDING] = "binding" };

const char *operator_decisions_name(ts_decisions decisions)
{
    return decisions_names[decisions];
}

bool operator_decisions_named(const char *name, ts_decisions *decisions)
{
    for (int i = TS_DECISIONS_OPEN; i <= TS_DECISIONS_BINDING; ++i)
        if (strcmp(name, decisions_names[i]) == 0) {
            *decisions = (ts_decisions)i;
            return true;
        }
    return false;
}

const char *operator_basis_name(ts_basis basis)
{
    static const char *const names[] = {
        [TS_STATED] = "stated", [TS_IMPLIED] = "implied", [TS_DECIDED] = "decided", [TS_OBSERVED] = "observed"
    };
    return names[basis];
}

bool operator_reports(const ts_report *report, const char *clause)
{
    for (unsigned i = 0; i < report->count; ++i) {
        if (strcmp(report->items[i].clause, clause) == 0)
            return true;
    }
    return false;
}

const ts_clause operator_count_clause = { .id = "TYPE-02",
                                          .text = "lists that share a count have as many values as the count",
                                          .page = OPERATOR_STRUCTURE_PAGE,
                                          .section = "Syntax",
                                          .basis = TS_STATED,
                                          .result = TS_RESULT_INVALID };

#define FILE_CLAUSE(id_, text_, page_, section_, basis_, ...)                                                          \
    {                                                                                                                  \
        .id = id_, .text = text_, .page = page_, .section = section_, .basis = basis_, __VA_ARGS__                     \
    }
#define EDGES_MAY_DIFFER .ground = "DML_GRAPH_DESC calls other types, sizes and dimension counts legal"
const ts_clause operator_file_clauses[OPERATOR_FILE_CLAUSES] = {
    FILE_CLAUSE("GRAPH-01", "a node reads inputs of the graph and outputs of nodes before it; one node writes an edge",
                "DML_GRAPH_DESC", "Remarks", TS_STATED, .result = TS_RESULT_INVALID),
    FILE_CLAUSE("GRAPH-02", "policy: tensors that an edge connects have the same DataType", "DML_GRAPH_DESC", "Remarks",
                TS_DECIDED, .result = TS_RESULT_WARNING, EDGES_MAY_DIFFER),
    FILE_CLAUSE("GRAPH-03",
                "policy: tensors that an edge connects have the same sizes but for ones, and the same strides",
                "DML_GRAPH_DESC", "Remarks", TS_DECIDED, .result = TS_RESULT_WARNING, EDGES_MAY_DIFFER),
    FILE_CLAUSE("GRAPH-04", "tensors that an edge connects have the same TotalTensorSizeInBytes", "DML_GRAPH_DESC",
                "Remarks", TS_STATED, .result = TS_RESULT_INVALID),
    FILE_CLAUSE("GRAPH-05", "a constant has as many bytes as the tensor that reads it",
                "DML_CONSTANT_DATA_GRAPH_NODE_DESC", "DataSize", TS_DECIDED, .result = TS_RESULT_INVALID,
                .ground = "no page has a sentence about the bytes of a constant"),
    FILE_CLAUSE("BIND-01", "a resource of the model is bound to every tensor of the descriptor, and to nothing else",
                "IDMLBindingTable::BindInputs", "Description", TS_STATED, .result = TS_RESULT_BIND_ERROR),
};

#define CONTRACT_CLAUSE(id_, text_)                                                                                    \
    {                                                                                                                  \
        .id = id_, .text = text_, .page = "backends/backend.h", .section = "The contract", .basis = TS_STATED          \
    }
const ts_clause operator_contract_clauses[OPERATOR_CONTRACT_CLAUSES] = {
    [OPERATOR_COMES_BACK] =
        CONTRACT_CLAUSE("ABI-01", "a call comes back: it ends neither the process nor the time limit nor the memory limit"),
    [OPERATOR_EXECUTES] =
        CONTRACT_CLAUSE("ABI-02", "a call that is neither refused nor unsupported is executed: TS_LOST and TS_ERROR are failures"),
    [OPERATOR_READS] =
        CONTRACT_CLAUSE("ABI-03", "a call reads the bytes of its tensors and of what ts_call points to, and no others"),
    [OPERATOR_WRITES] = CONTRACT_CLAUSE("ABI-04", "a call writes to the bytes of its outputs, and to no others"),
    [OPERATOR_KEEPS_INPUTS] =
        CONTRACT_CLAUSE("ABI-05", "a call writes neither to its inputs nor to what ts_call points to"),
    [OPERATOR_REPEATS] = CONTRACT_CLAUSE("ABI-06", "equal calls have equal results, whatever was called before"),
};

const ts_clause *operator_clause(const ts_operator *op, const char *id)
{
    const ts_clause *clause = find_clause(op->clauses, op->clause_count, id);
    clause = clause ? clause : find_clause(op->shared, op->shared_count, id);
    clause = clause ? clause : find_clause(&operator_range_clause, 1, id);
    clause = clause ? clause : find_clause(&operator_count_clause, 1, id);
    clause = clause ? clause : find_clause(operator_file_clauses, OPERATOR_FILE_CLAUSES, id);
    return clause ? clause : find_clause(operator_contract_clauses, OPERATOR_CONTRACT_CLAUSES, id);
}

const char *operator_clause_page(const ts_operator *op, const ts_clause *clause, int tensor)
{
    if (strcmp(clause->page, OPERATOR_STRUCTURE_PAGE) == 0)
        return tensor >= 0 && strncmp(op->name, "dml.", 4) == 0 ? "DML_BUFFER_TENSOR_DESC" : op->title;
    return strcmp(clause->page, OPERATOR_OWN_PAGE) == 0 ? op->title : clause->page;
}

unsigned operator_ir_tensors(const ts_operator *op)
{
    return op->tensor_count - 1;
}

int operator_ir_list(const ts_operator *op, unsigned k)
{
    for (unsigned i = 0; op->ir && i < op->ir->list_count; ++i) {
        if (strcmp(op->ir->lists[i].attr, op->attrs[k].name) == 0)
            return (int)i;
    }
    return -1;
}

int operator_attr_index(const ts_operator *op, const char *name)
{
    for (unsigned k = 0; k < op->attr_count; ++k) {
        if (strcmp(op->attrs[k].name, name) == 0 || strcmp(op->attrs[k].alias, name) == 0)
            return (int)k;
    }
    return -1;
}

int operator_tensor_index(const ts_operator *op, const char *name)
{
    for (unsigned i = 0; i < op->tensor_count; ++i) {
        if (strcmp(op->tensors[i].name, name) == 0 || strcmp(op->tensors[i].alias, name) == 0)
            return (int)i;
    }
    return -1;
}

/* ---- lists of tensors --------------------------------------------------------------------------------------- */

const ts_tensor_list *operator_list_of(const ts_operator *op, unsigned tensor)
{
    for (unsigned i = 0; i < op->list_count; ++i) {
        const ts_tensor_list *l = &op->lists[i];
        if (tensor >= l->first && tensor - l->first < l->most)
            return l;
    }
    return NULL;
}

const ts_tensor_list *operator_list_named(const ts_operator *op, const char *name)
{
    for (unsigned i = 0; i < op->list_count; ++i) {
        if (strcmp(op->lists[i].name, name) == 0 || strcmp(op->lists[i].alias, name) == 0)
            return &op->lists[i];
    }
    return NULL;
}

unsigned operator_list_length(const ts_descriptor *d, const ts_tensor_list *l)
{
    const int64_t count = operator_attr_value(d, l->count, 0);
    return count < 0 ? 0 : count > l->most ? l->most : (unsigned)count;
}

bool operator_has_tensor(const ts_descriptor *d, unsigned tensor)
{
    const ts_tensor_list *l = operator_list_of(d->op, tensor);
    return (d->tensors[tensor].given & TS_GIVEN_TENSOR) && (!l || tensor - l->first < operator_list_length(d, l));
}

/* ---- descriptors ------------------------------------------------------------------------------------------- */

void operator_begin(ts_descriptor *d, const ts_operator *op)
{
    memset(d, 0, sizeof *d);
    d->op = op;
}

void operator_begin_again(ts_descriptor *d, const ts_operator *op)
{
    memset(d, 0, offsetof(ts_descriptor, tensors) + op->tensor_count * sizeof d->tensors[0]);
    memset(d->attrs, 0, sizeof d->attrs);
    d->op = op;
}

uint32_t operator_output_type(const ts_descriptor *d, unsigned tensor)
{
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    uint32_t best = operator_dtype(d);
    unsigned least = UINT_MAX;
    if (!row || row->tensors[tensor].dtypes == row->tensors[operator_typed(d->op)].dtypes)
        return best;
    for (uint32_t dtype = 1; dtype < TS_DTYPE_COUNT; ++dtype) {
        ts_descriptor tried = *d;
        ts_report report = { .count = 0 };
        if (!(row->tensors[tensor].dtypes & TS_DTYPE_BIT(dtype)))
            continue;
        tried.tensors[tensor].dtype = dtype;
        tensor_min_bytes(&tried.tensors[tensor], &tried.tensors[tensor].total_bytes);
        operator_check(&tried, &report);
        if (report.count + report.dropped >= least)
            continue;
        least = report.count + report.dropped;
        best = dtype;
    }
    return best;
}

/* ---- outputs whose shape depends on data --------------------------------------------------------------------- */

/* A tensor of that shape, packed. */
static ts_tensor reshaped(const ts_tensor *out, const uint64_t *sizes)
{
    ts_tensor t = *out;
    memset(t.sizes, 0, sizeof t.sizes);
    memcpy(t.sizes, sizes, t.rank * sizeof t.sizes[0]);
    tensor_pack(&t);
    return t;
}

ts_tensor operator_report_shape(const ts_tensor *out, const uint64_t *sizes)
{
    if (out->reported) {
        out->reported->rank = out->rank;
        memcpy(out->reported->sizes, sizes, out->rank * sizeof out->sizes[0]);
    }
    return reshaped(out, sizes);
}

void operator_mark_dependent(ts_descriptor *d)
{
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        d->tensors[t].data_dependent = operator_dependent(d->op, t);
}

bool operator_shape_differs(const ts_shape *a, const ts_shape *b)
{
    return a->rank != b->rank ||
           (a->rank <= TS_MAX_DIMS && memcmp(a->sizes, b->sizes, a->rank * sizeof *a->sizes) != 0);
}

ts_tensor operator_result(const ts_descriptor *d, unsigned tensor, const ts_shape *shape)
{
    const ts_tensor *out = &d->tensors[tensor];
    return operator_dependent(d->op, tensor) && shape->rank == out->rank ? reshaped(out, shape->sizes) : *out;
}

bool operator_of_call(ts_descriptor *d, const ts_operator *op, const ts_call *call)
{
    const size_t size = call->tensor_size < sizeof(ts_tensor) ? call->tensor_size : sizeof(ts_tensor);
    if (call->tensor_count != op->tensor_count || call->attrs_size > TS_MAX_ATTR_BYTES)
        return false;
    operator_begin(d, op);
    d->profile = call->profile;
    d->feature_level = call->feature_level;
    d->attrs_given = call->attrs_given;
    for (uint32_t i = 0; i < call->tensor_count; ++i)
        memcpy(&d->tensors[i], ts_call_tensor(call, i), size);
    if (call->attrs)
        memcpy(d->attrs, call->attrs, call->attrs_size);
    return true;
}
