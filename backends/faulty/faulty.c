/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The faulty backend: the reference with one named fault switched on. It is installed with the suite, so that users can
 * see on their machine that the suite finds faults.
 */
#include "backends/faulty/fault_path.h"
#include "harness/model/listed.h"
#include "harness/base/did_you_mean.h"
#include "harness/base/text.h"
#include "reference/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names of the classes in the order of fault_class. */
static const char *const classes[FAULT_CLASSES] = { "tails",      "tiles",    "grids",   "divisions", "layouts",
                                                    "magnitudes", "patterns", "counts",  "history",   "acceptance",
                                                    "refusal",    "values",   "meaning", "memory",    "process" };

/* The operators that have faults, their bits in the tables of faults, and what an operator is that is not named in
   ON_COPIES and ON_DML: a fault of all of these is a fault of it, too. Any other operator has the faults of ON_ALL, and
   those of ON_OTHER. */
static const struct {
    const char *name;
    uint32_t on;
    uint32_t kinds[2];
} known[] = {
    { "dml.slice1", ON_SLICE1, { 0 } },
    { "dml.gather", ON_GATHER, { 0 } },
    { "dml.random_generator", ON_RANDOM, { 0 } },
    { "dml.element_wise_identity", ON_IDENTITY, { 0 } },
    { "openvino.strided_slice", ON_STRIDED, { 0 } },
    { "dml.gather_elements", ON_GATHER_ELEMENTS, { ON_COPIES, ON_DML } },
    { "dml.scatter_elements", ON_SCATTER_ELEMENTS, { ON_COPIES, ON_DML } },
    { "dml.scatter_nd", ON_SCATTER_ND, { ON_COPIES, ON_DML } },
    { "dml.gather_nd", ON_GATHER_ND, { ON_COPIES, ON_DML } },
    { "dml.gather_nd1", ON_GATHER_ND1, { ON_COPIES, ON_DML } },
    { "dml.space_to_depth1", ON_SPACE_TO_DEPTH, { ON_COPIES, ON_DML } },
    { "dml.cumulative_summation", ON_CUMULATIVE_SUMMATION, { ON_ALL, ON_DML } },
};
#define KNOWN_COUNT (sizeof known / sizeof *known)

/* Operators without a row that faults can name: such a fault is one of them alone. */
static const struct {
    const char *name;
    uint32_t on;
} by_name[] = {
    { "dml.join", ON_JOIN },
    { "openvino.gather_1", ON_GATHER_1 },
    { "openvino.gather_7", ON_GATHER_7 },
    { "openvino.gather_8", ON_GATHER_8 },
    { "openvino.gather_elements", ON_OPENVINO_GATHER_ELEMENTS },
    { "openvino.gather_nd_5", ON_GATHER_ND_5 },
    { "openvino.gather_nd_8", ON_GATHER_ND_8 },
    { "openvino.gather_tree", ON_GATHER_TREE },
    { "openvino.scatter_update", ON_SCATTER_UPDATE },
    { "openvino.scatter_elements_update_3", ON_SCATTER_ELEMENTS_UPDATE },
    { "openvino.scatter_nd_update_3", ON_SCATTER_ND_UPDATE },
    { "openvino.non_zero_3", ON_NON_ZERO },
};

static uint32_t on_named(const ts_operator *op)
{
    for (size_t i = 0; i < sizeof by_name / sizeof *by_name; ++i)
        if (strcmp(op->name, by_name[i].name) == 0)
            return by_name[i].on;
    return 0;
}

/* The tensor that faults are about: the first output. */
static uint32_t output_of(const ts_operator *op)
{
    uint32_t t = 0;
    while (op->tensors[t].role != TS_OUTPUT)
        ++t;
    return t;
}

/* What an operator without a row in known[] is, by its declaration. */
static uint32_t on_other(const ts_operator *op)
{
    if (!operator_computes(op))
        return ON_CHECKED;
    const bool indices = op->tensor_count > 1 && strcmp(op->tensors[1].name, "indices") == 0;
    return ON_OTHER | (indices ? ON_OTHER_INDICES : 0) | (operator_dependent(op, output_of(op)) ? ON_DEPENDENT : 0) |
           on_named(op);
}

/* Is a fault one of operators that copy elements alone? */
static bool only_copies(const fault *f)
{
    return (f->operators & ON_COPIES) == ON_COPIES && !(f->operators & ON_RANDOM);
}

/* Has the operator the ranks that a fault needs? */
static bool has_ranks(const fault *f, const ts_operator *op)
{
    uint32_t most = 0, least = TS_MAX_DIMS;
    for (size_t i = 0; i < op->support_count; ++i) {
        const uint32_t from = op->support[i].tensors[output_of(op)].min_dims;
        const uint32_t to = op->support[i].tensors[output_of(op)].max_dims;
        most = to > most ? to : most;
        least = from < least ? from : least;
    }
    return most >= f->dims && (!f->ranks || least < most);
}

/* Is a fault one of such an operator? */
static bool concerns_other(const fault *f, const ts_operator *op)
{
    if (!operator_computes(op)) /* nothing is executed */
        return fault_of_kinds && f->judge && ((f->operators & ON_CHECKED) || (f->operators & ON_DML) == ON_DML);
    if (f->operators & on_named(op))
        return true;
    if (only_copies(f) && operators_derivation(op->name)) /* it computes its output */
        return false;
    return fault_of_kinds && has_ranks(f, op) &&
           ((f->operators & on_other(op)) != 0 || (f->operators & ON_ALL) == ON_ALL);
}

/* The place of an operator in known[], or KNOWN_COUNT. */
static size_t find_known(const char *name)
{
    size_t k = 0;
    while (k < KNOWN_COUNT && strcmp(known[k].name, name) != 0)
        ++k;
    return k;
}

/* Is a fault one of operator k? */
static bool concerns(const fault *f, size_t k)
{
    bool found = (f->operators & known[k].on) != 0;
    for (unsigned i = 0; fault_of_kinds && i < 2; ++i)
        found = found || (known[k].kinds[i] && (f->operators & known[k].kinds[i]) == known[k].kinds[i]);
    return found && has_ranks(f, operators_find(known[k].name));
}

typedef struct faulty {
    const fault *fault; /* NULL: none */
    uint32_t batch;
    const char *unshown; /* a clause, or NULL */
    uint64_t calls;
    uint64_t carried;
    void *kept;
} faulty;

void fault_each(const ts_tensor *t, fault_visit visit, void *context)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    uint64_t number = 0;
    if (fault_count(t) == 0)
        return;
    do
        visit(context, number++, tensor_at(t, coord), tensor_element_bytes(t->dtype));
    while (tensor_next(t, coord));
}

static const fault *find_fault(const char *name)
{
    for (size_t i = 0; i < fault_table_count; ++i)
        for (size_t k = 0; k < fault_tables[i]->count; ++k)
            if (strcmp(fault_tables[i]->rows[k].name, name) == 0)
                return &fault_tables[i]->rows[k];
    return NULL;
}

/* "unknown fault X", with the backend that has it, or the most similar name there is. */
static const char *unknown_fault(const char *name, char *words, size_t size)
{
    char hint[DID_YOU_MEAN_SIZE];
    did_you_mean d;
    for (const char *const *other = fault_other_names; *other; ++other)
        if (strcmp(*other, name) == 0) {
            snprintf(words, size, "%.48s (backend %s has this fault)", name, fault_other_backend);
            return words;
        }
    did_you_mean_start(&d, name);
    for (size_t i = 0; i < fault_table_count; ++i)
        for (size_t k = 0; k < fault_tables[i]->count; ++k)
            did_you_mean_try(&d, fault_tables[i]->rows[k].name);
    snprintf(words, size, "%.48s%s", name, did_you_mean_hint(&d, hint));
    return words;
}

/* "unknown option X", with the most similar one. */
static const char *unknown_option(const char *key, char *words, size_t size)
{
    static const char *const options[] = { "fault", "batch", "unshown" };
    char hint[DID_YOU_MEAN_SIZE];
    did_you_mean d;
    did_you_mean_start(&d, key ? key : "");
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
        did_you_mean_try(&d, options[i]);
    snprintf(words, size, "%.48s%s", key ? key : "", did_you_mean_hint(&d, hint));
    return words;
}

static ts_status refuse(const ts_host *host, const char *what, const char *name)
{
    char note[320];
    snprintf(
        note, sizeof note,
        "%s%.144s: expected fault=NAME, batch=1 to 256 or unshown=CLAUSE; `touchstone backends faulty -v` lists the names",
        what, name ? name : "");
    if (host && host->note)
        host->note(host->context, note);
    return TS_REJECTED;
}

static ts_status faulty_open(const ts_host *host, const ts_option *options, size_t count, void **self)
{
    const fault *chosen = NULL;
    bool named = false;
    uint32_t batch = 16;
    const char *unshown = NULL;
    for (size_t i = 0; i < count; ++i) {
        if (options[i].key && strcmp(options[i].key, "batch") == 0) {
            char *end = NULL;
            const unsigned long n = options[i].value ? strtoul(options[i].value, &end, 10) : 0;
            if (n < 1 || n > 256 || *end)
                return refuse(host, "invalid batch ", options[i].value);
            batch = (uint32_t)n;
            continue;
        }
        if (options[i].key && strcmp(options[i].key, "unshown") == 0) {
            unshown = options[i].value;
            continue;
        }
        if (!options[i].key || strcmp(options[i].key, "fault") != 0) {
            char unknown[160];
            return refuse(host, "unknown option ", unknown_option(options[i].key, unknown, sizeof unknown));
        }
        const char *name = options[i].value ? options[i].value : "";
        char unknown[160];
        chosen = find_fault(name);
        if (!chosen && strcmp(name, "none") != 0)
            return refuse(host, "unknown fault ", unknown_fault(name, unknown, sizeof unknown));
        named = true;
    }
    if (!named)
        return refuse(host, "option fault is missing", "");
    faulty *f = calloc(1, sizeof *f);
    if (!f)
        return TS_ERROR;
    f->fault = chosen;
    f->batch = batch;
    f->unshown = unshown;
    *self = f;
    return TS_OK;
}

static void faulty_close(void *self)
{
    if (self)
        fault_release(((faulty *)self)->kept);
    free(self);
}

static ts_status faulty_info(void *self, ts_info *info)
{
    const faulty *f = self;
    info->preferred_batch = f->batch;
    info->highest_level = TS_LEVEL_6_4;
    info->buffer_alignment = 1;
    info->sparse = 1;
    info->in_place = 1;
    snprintf(info->name, sizeof info->name, "%s", fault_backend);
    snprintf(info->vendor, sizeof info->vendor, "Touchstone");
    snprintf(info->version, sizeof info->version, "fault=%.50s", f->fault ? f->fault->name : "none");
    info->driver[0] = '\0';
    snprintf(info->device, sizeof info->device, "%.120s", f->fault ? f->fault->line : "no fault");
    return TS_OK;
}

static ts_status faulty_query(void *self, const ts_call *shape, void **token)
{
    (void)self;
    const ts_operator *op = operators_find_known(shape->op);
    if (!op || shape->tensor_count != op->tensor_count)
        return TS_UNSUPPORTED;
    if (shape->profile > (op->openvino_types ? TS_PROFILE_NUMPY : TS_PROFILE_DEFAULT))
        return TS_UNSUPPORTED;
    *token = (void *)(uintptr_t)op;
    return TS_OK;
}

static ts_status run_call(faulty *f, const ts_call *call)
{
    const ts_operator *op = call->token ? (const ts_operator *)call->token : operators_find_known(call->op);
    if (!op || (!operator_computes(op) && !(call->flags & TS_CALL_DESCRIPTOR_ONLY)))
        return TS_UNSUPPORTED;
    const size_t k = find_known(op->name);
    const uint32_t output = output_of(op);
    ts_descriptor d;
    if (!operator_of_call(&d, op, call))
        return TS_ERROR;

    const bool other = k == KNOWN_COUNT;
    const bool has = f->fault && (other ? concerns_other(f->fault, op) : concerns(f->fault, k));
    const fault *chosen = has ? f->fault : NULL;
    const fault_call c = {
        &d, &d.tensors[0], &d.tensors[output], other ? on_other(op) : known[k].on, f->calls++, &f->carried, &f->kept
    };
    ts_report report;
    memset(&report, 0, sizeof report);
    d.decisions = TS_DECISIONS_BINDING; /* the saboteur keeps the clauses that no page states, too, unless a fault does not */
    operator_check(&d, &report);
    const bool legal = !fault_refuses(&report);
    const bool accepted = chosen && chosen->judge ? chosen->judge(&c, &report) : legal;

    ts_shape *reported = c.out->reported;
    ts_descriptor inferred = d;
    if (reported && op->openvino_types && op->shape(&inferred)) {
        const ts_tensor *t = &inferred.tensors[output];
        reported->rank = t->rank;
        memcpy(reported->sizes, t->sizes, sizeof reported->sizes);
        if (chosen && chosen->reshape && !operator_dependent(op, output))
            chosen->reshape(&c, reported);
    }
    if (!accepted)
        return TS_REJECTED;
    /* Do not execute a descriptor that only a faulty judge accepts: it could access any memory. */
    if ((call->flags & TS_CALL_DESCRIPTOR_ONLY) || !legal)
        return TS_OK;
    if (chosen && chosen->execute)
        chosen->execute(&c);
    else if (chosen && chosen->wrong)
        fault_run_path(&c, chosen);
    else
        op->run(&d, NULL);
    if (chosen && chosen->reshape && reported && operator_dependent(op, output))
        chosen->reshape(&c, reported);
    return TS_OK;
}

static ts_status faulty_query_clause(void *self, const char *op, const char *clause)
{
    const faulty *f = self;
    (void)op;
    return f->unshown && strcmp(clause, f->unshown) == 0 ? TS_UNSUPPORTED : TS_OK;
}

static ts_status faulty_submit(void *self, const ts_call *call, size_t n, ts_status *status)
{
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
        status[i] = run_call(self, call);
    return TS_OK;
}

/* Is a fault one of this operator? */
static bool concerns_operator(const fault *f, const ts_operator *op)
{
    const size_t k = find_known(op->name);
    return k == KNOWN_COUNT ? concerns_other(f, op) : concerns(f, k);
}

/* The operators that are computed, those of known[] first; the caller frees them. NULL: out of memory. */
static const ts_operator **computed_operators(size_t *count)
{
    size_t found = 0;
    const ts_operator *const *all = operators_all(count);
    const ts_operator **computed = malloc(*count * sizeof *computed);
    if (!computed)
        return NULL;
    while (found < KNOWN_COUNT) {
        computed[found] = operators_find(known[found].name);
        ++found;
    }
    for (size_t i = 0; i < *count; ++i)
        if (find_known(all[i]->name) == KNOWN_COUNT)
            computed[found++] = all[i];
    return computed;
}

/* Is a fault one of an operator that is checked, but not computed? */
static bool concerns_checked(const fault *f)
{
    const ts_operator *op;
    for (size_t i = 0; (op = operators_known(i)) != NULL; ++i)
        if (!operator_computes(op) && concerns_other(f, op))
            return true;
    return false;
}

/* Append the operators of a fault, as listed.h describes; of more than half of them, those that it is not of. */
static void list_operators(text *t, const fault *f, const ts_operator *const *computed, size_t count)
{
    size_t listed = 0;
    for (size_t i = 0; i < count; ++i)
        listed += concerns_operator(f, computed[i]);
    const bool most = 2 * listed > count;
    if (concerns_checked(f))
        text_format(t, " %s%s", LISTED_CHECKED, listed ? "," : "");
    if (most)
        text_format(t, " %s%s", LISTED_ALL, listed < count ? " " LISTED_BUT : "");
    for (size_t i = 0; i < count; ++i)
        if (concerns_operator(f, computed[i]) != most)
            text_format(t, " %s", computed[i]->name);
}

/* The description of the options, until the library is unloaded. */
static text description;

__attribute__((destructor)) static void release_description(void)
{
    text_free(&description);
}

/* Make the description from the tables, the first time. */
static const char *faulty_describe_options(void)
{
    size_t count;
    if (description.length)
        return description.failed ? "" : description.data;
    const ts_operator **computed = computed_operators(&count);
    if (!computed)
        return "";
    text_add(&description, "fault=none  the reference without a fault\n");
    for (size_t i = 0; i < fault_table_count; ++i)
        for (size_t k = 0; k < fault_tables[i]->count; ++k) {
            const fault *row = &fault_tables[i]->rows[k];
            text_format(&description, "fault=%s ", row->name);
            list_operators(&description, row, computed, count);
            text_format(&description, ": %s [%s]\n", row->line, classes[row->class]);
        }
    text_add(&description,
             "batch=N  number of calls per submission, 1 to 256 (default 16)\n"
             "unshown=CLAUSE  plan no case that violates this clause, as for a library that cannot be shown it\n");
    free(computed);
    return description.failed ? "" : description.data;
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = faulty_open,
    .close = faulty_close,
    .info = faulty_info,
    .query = faulty_query,
    .submit = faulty_submit,
    .describe_options = faulty_describe_options,
    .query_clause = faulty_query_clause,
    .summary = FAULT_SUMMARY,
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
