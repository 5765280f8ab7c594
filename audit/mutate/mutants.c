/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The backend of mutants: the reference, or a kernel, with one mutant selected. A backend cannot express some
 * differences by its result (other clauses are reported, another shape is inferred, other elements are undefined or
 * have several answers, more or less is left open); these are TS_ERROR with a note.
 */
#include "audit/mutate/mutants.h"
#include "audit/kernels/kernels.h"
#include "audit/mutate/memory.h"
#include "audit/mutate/schemata_state.h"
#include "harness/model/operator.h"
#include "reference/operators.h"

#include <stdio.h>
#include <stdlib.h>

schemata_state schemata = { .selected = MUTANT_NONE };

_Noreturn void schemata_leave(schemata_reason reason)
{
    schemata.reason = reason;
    longjmp(schemata.leave, 1);
}

/* The results of `check`, `shape` and `run` for a descriptor. */
typedef struct results {
    ts_report report;
    bool shaped;
    uint32_t ranks[TS_MAX_TENSORS];
    uint64_t sizes[TS_MAX_TENSORS][TS_MAX_DIMS];
    uint64_t undefined, several; /* elements */
    uint64_t allowed;            /* hash_answers, where elements have several */
    bool may_fail, open_shape;
} results;

typedef struct mutants {
    const ts_host *host;
    mutant_subject subject;
    uint32_t chosen;
    const kernel_operator *ran; /* the kernel that ran last since the last selection, or NULL */
    bool has_left;              /* a call was left since the last selection, */
    bool inside;                /* and the last one has not returned: it crashed */
    bool recorded;              /* `right` has the reference's results, from recording */
    uint8_t parts;              /* in which the selected mutant can matter */
    results right;
    results given;
    const schemata_patch **patches; /* per mutant; NULL: it does not change a table */
    uint8_t *infected;
    uint32_t *list;
} mutants;

/* ---- selecting ---------------------------------------------------------------------------------------------- */

static void apply(const schemata_patch *p, bool undo)
{
    uint64_t value = 0;
    memcpy(&value, p->at, p->bytes); /* little-endian, or 8 bytes */
    value = p->add ? undo ? value - p->by : value + p->by : value ^ p->by;
    memcpy(p->at, &value, p->bytes);
}

static __attribute__((noinline)) void enter_reset(const kernel_operator *kernel)
{
    memory_enter(__builtin_frame_address(0));
    kernel->reset();
}

/* The next call of a kernel is as the first of a process. After a call that ended regularly, the kernel's own `reset`
   and what was changed through pointers suffice. */
static void forget_calls(mutants *s)
{
    const bool recording = schemata.recording;
    if (s->ran && !s->has_left && !s->inside) {
        schemata.selected = MUTANT_NONE;
        schemata.recording = false;
        schemata.steps = 0;
        schemata.limit = UINT64_MAX;
        if (setjmp(schemata.leave) == 0)
            enter_reset(s->ran);
        else
            s->has_left = true;
    }
    if (s->ran)
        memory_reset(s->has_left || s->inside);
    schemata.recording = recording;
    s->ran = NULL;
    s->has_left = s->inside = false;
}

static void choose(mutants *s, uint32_t m)
{
    forget_calls(s);
    schemata.selected = m;
    if (s->chosen != MUTANT_NONE && s->patches[s->chosen])
        apply(s->patches[s->chosen], true);
    s->chosen = m;
    if (m != MUTANT_NONE && s->patches[m])
        apply(s->patches[m], false);
}

static uint32_t mutants_parts(void *self, uint32_t m)
{
    mutants *s = self;
    return s->patches[m] ? MUTANT_CHECK | MUTANT_SHAPE : s->infected[m];
}

static void mutants_select(void *self, uint32_t m)
{
    mutants *s = self;
    choose(s, m);
    s->parts = (uint8_t)(m == MUTANT_NONE ? 0 : mutants_parts(self, m));
}

static void mutants_record(void *self, bool on)
{
    mutants *s = self;
    s->recorded = true;
    schemata.recording = on;
    if (!on)
        return;
    choose(s, MUTANT_NONE);
    for (uint32_t i = 0; i < schemata.listed; ++i)
        s->infected[s->list[i]] = 0;
    schemata.listed = 0;
}

static void mutants_choose_subject(void *self, mutant_subject subject)
{
    mutants *s = self;
    s->subject = subject;
}

static bool mutants_has_left(void *self)
{
    const mutants *s = self;
    return s->has_left;
}

static const uint32_t *mutants_infected(void *self, uint32_t *count)
{
    mutants *s = self;
    *count = schemata.listed;
    return s->list;
}

/* ---- a backend ---------------------------------------------------------------------------------------------- */

static void note(const mutants *s, const char *text)
{
    if (s->host && s->host->note)
        s->host->note(s->host->context, text);
}

static ts_status refuse(const ts_host *host, const char *what, const char *name)
{
    char text[320];
    snprintf(text, sizeof text, "%s%.200s: expected mutant=ID; `touchstone audit --list` prints the ids", what,
             name ? name : "");
    if (host && host->note)
        host->note(host->context, text);
    return TS_REJECTED;
}

static uint32_t find(const char *id)
{
    for (uint32_t m = 0; m < schemata_all.count; ++m)
        if (strcmp(schemata_all.mutants[m].id, id) == 0)
            return m;
    return MUTANT_NONE;
}

static void mutants_close(void *self)
{
    mutants *s = self;
    choose(s, MUTANT_NONE);
    free(s->patches);
    free(s->infected);
    free(s->list);
    free(s);
}

static ts_status mutants_open(const ts_host *host, const ts_option *options, size_t count, void **self)
{
    uint32_t chosen = MUTANT_NONE;
    for (size_t i = 0; i < count; ++i) {
        if (!options[i].key || strcmp(options[i].key, "mutant") != 0)
            return refuse(host, "unknown option ", options[i].key);
        chosen = find(options[i].value ? options[i].value : "");
        if (chosen == MUTANT_NONE && (!options[i].value || strcmp(options[i].value, "none") != 0))
            return refuse(host, "unknown mutant ", options[i].value);
    }
    mutants *s = calloc(1, sizeof *s);
    if (!s)
        return TS_ERROR;
    s->host = host;
    s->chosen = MUTANT_NONE;
    s->patches = calloc(schemata_all.count + 1, sizeof *s->patches);
    s->infected = calloc(schemata_all.count + 1, sizeof *s->infected);
    s->list = calloc(schemata_all.count + 1, sizeof *s->list);
    if (!s->patches || !s->infected || !s->list || !memory_open()) {
        mutants_close(s);
        return TS_ERROR;
    }
    for (size_t f = 0; schemata_all.patches[f]; ++f)
        for (const schemata_patch *p = schemata_all.patches[f]; p->at; ++p)
            s->patches[p->mutant] = p;
    schemata.infected = s->infected;
    schemata.list = s->list;
    schemata.listed = 0;
    choose(s, chosen);
    s->subject = chosen == MUTANT_NONE ? MUTANT_OF_REFERENCE : schemata_all.mutants[chosen].subject;
    s->parts = MUTANT_CHECK | MUTANT_SHAPE | MUTANT_RUN;
    *self = s;
    return TS_OK;
}

static ts_status mutants_info(void *self, ts_info *info)
{
    const mutants *s = self;
    info->preferred_batch = 1;
    info->highest_level = TS_LEVEL_6_4;
    info->buffer_alignment = 1;
    info->sparse = 1;
    snprintf(info->name, sizeof info->name, "mutants");
    snprintf(info->vendor, sizeof info->vendor, "Touchstone");
    snprintf(info->version, sizeof info->version, "%u mutants", (unsigned)schemata_all.count);
    snprintf(info->device, sizeof info->device, "%.120s",
             s->chosen == MUTANT_NONE ? "no mutant" : schemata_all.mutants[s->chosen].id);
    return TS_OK;
}

static ts_status mutants_query(void *self, const ts_call *shape, void **token)
{
    (void)self;
    const ts_operator *op = operators_find(shape->op);
    if (!op || shape->tensor_count != op->tensor_count)
        return TS_UNSUPPORTED;
    if (shape->profile > (op->openvino_types ? TS_PROFILE_NUMPY : TS_PROFILE_DEFAULT))
        return TS_UNSUPPORTED;
    *token = NULL;
    return TS_OK;
}

/* ---- running ------------------------------------------------------------------------------------------------ */

#define MOST_INPUTS (UINT64_C(1) << 18)

/* More loop iterations than any call with such outputs and inputs needs. */
static uint64_t most_steps(const ts_descriptor *d)
{
    uint64_t steps = 10000;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        uint64_t count = 0;
        if (!d->tensors[t].data || !tensor_element_count(&d->tensors[t], &count))
            continue;
        if (d->op->tensors[t].role != TS_OUTPUT && count > MOST_INPUTS)
            count = MOST_INPUTS;
        steps += count * 100;
    }
    return steps;
}

#define LEAST_ANSWERED 2
#define MOST_ANSWERED  256                 /* elements of an output whose answers are compared; */
#define MOST_LOOKED    (UINT64_C(1) << 17) /* fewer where each looks at so many elements of the inputs */

static uint64_t count_answered(const ts_descriptor *d)
{
    uint64_t looked = 1, count;
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (d->tensors[t].data && d->op->tensors[t].role != TS_OUTPUT && tensor_element_count(&d->tensors[t], &count))
            looked = count > looked ? count : looked;
    const uint64_t answered = MOST_LOOKED / looked;
    return answered < LEAST_ANSWERED ? LEAST_ANSWERED : answered < MOST_ANSWERED ? answered : MOST_ANSWERED;
}

/* A hash over what `answers` allows for elements of all outputs. Each element is a call of its own. */
static uint64_t hash_answers(const ts_descriptor *d)
{
    const uint64_t answered = count_answered(d);
    uint64_t hash = 0;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        uint64_t coord[TS_MAX_DIMS] = { 0 }, count = 0;
        if (!d->tensors[t].data || d->op->tensors[t].role != TS_OUTPUT || !tensor_element_count(&d->tensors[t], &count))
            continue;
        const uint64_t every = 1 + count / answered;
        for (uint64_t i = 0; i < count; ++i, tensor_next(&d->tensors[t], coord)) {
            if (i % every != 0)
                continue;
            ts_answers answers = { .asked = 0 };
            schemata.steps = 0;
            d->op->answers(d, t, coord, &answers);
            for (unsigned k = 0; k < answers.count; ++k)
                hash = (hash ^ answers.bits[k]) * UINT64_C(0x100000001B3);
            hash = (hash ^ answers.count) * UINT64_C(0x100000001B3);
        }
    }
    return hash;
}

/* Run the given parts of the call. False if the mutant left the call; schemata.reason is why. */
static bool ask(const ts_descriptor *d, uint8_t parts, results *a)
{
    schemata.steps = 0;
    schemata.limit = most_steps(d);
    if (setjmp(schemata.leave))
        return false;
    if (parts & MUTANT_CHECK) {
        schemata.part = MUTANT_CHECK;
        a->report.count = a->report.dropped = 0;
        a->report.worst = TS_RESULT_NONE;
        a->may_fail = a->open_shape = false; /* until it is run */
        operator_check(d, &a->report);
    }
    if (parts & MUTANT_SHAPE) {
        ts_descriptor inferred = *d;
        schemata.part = MUTANT_SHAPE;
        a->shaped = d->op->shape(&inferred);
        memset(a->ranks, 0, sizeof a->ranks); /* the last operator may have had more tensors */
        memset(a->sizes, 0, sizeof a->sizes);
        for (unsigned t = 0; t < d->op->tensor_count; ++t) {
            a->ranks[t] = inferred.tensors[t].rank;
            memcpy(a->sizes[t], inferred.tensors[t].sizes, sizeof a->sizes[t]);
        }
    }
    if (parts & MUTANT_RUN) {
        ts_unspecified undefined = { 0 };
        schemata.part = MUTANT_RUN;
        d->op->run(d, &undefined);
        a->undefined = undefined.count;
        a->several = undefined.several;
        a->may_fail = undefined.may_fail;
        a->open_shape = undefined.open_shape;
        a->allowed = undefined.several ? hash_answers(d) : 0;
    }
    return true;
}

static bool refuses(const results *a)
{
    return operator_graver(a->report.worst, TS_RESULT_UNSPECIFIED);
}

/* Are two reports equal, including warnings and their order, but without the texts? */
static bool same_report(const ts_report *a, const ts_report *b)
{
    if (a->count != b->count || a->dropped != b->dropped || a->worst != b->worst)
        return false;
    for (unsigned i = 0; i < a->count; ++i) {
        const ts_violation *x = &a->items[i], *y = &b->items[i];
        if (x->result != y->result || x->needs != y->needs || x->tensor != y->tensor || x->axis != y->axis ||
            !x->clause != !y->clause || (x->clause && strcmp(x->clause, y->clause) != 0))
            return false;
    }
    return true;
}

static void write_clauses(const ts_report *r, char *buf, size_t size)
{
    size_t used = (size_t)snprintf(buf, size, "%s", r->count ? "" : "none");
    for (unsigned i = 0; i < r->count && used < size; ++i)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? " " : "",
                                 r->items[i].clause ? r->items[i].clause : "no clause");
}

/* Compare a mutant's results with the reference's, except the outputs, and return the status for the suite. */
static ts_status compare(const mutants *s, uint8_t parts)
{
    char text[400], clauses[2][150];
    const results *given = &s->given, *right = &s->right;
    if (parts & MUTANT_CHECK) {
        if (refuses(given) && !refuses(right) && right->open_shape) {
            note(s, "check refuses a call that the reference accepts, and leaves so open that a refusal would pass");
            return TS_ERROR;
        }
        if (refuses(given) != refuses(right))
            return refuses(given) ? TS_REJECTED : TS_OK;
        if (!same_report(&given->report, &right->report)) {
            write_clauses(&given->report, clauses[0], sizeof clauses[0]);
            write_clauses(&right->report, clauses[1], sizeof clauses[1]);
            if (strcmp(clauses[0], clauses[1]) == 0)
                snprintf(text, sizeof text,
                         "check reports %s with another result or in another place than the reference", clauses[0]);
            else
                snprintf(text, sizeof text, "check reports %s; the reference reports %s", clauses[0], clauses[1]);
            note(s, text);
            return TS_ERROR;
        }
    }
    if ((parts & MUTANT_SHAPE) &&
        (given->shaped != right->shaped || memcmp(given->ranks, right->ranks, sizeof given->ranks) != 0 ||
         memcmp(given->sizes, right->sizes, sizeof given->sizes) != 0)) {
        note(s, given->shaped == right->shaped ? "shape infers another shape than the reference"
                : right->shaped                ? "shape cannot infer the shape that the reference infers"
                                               : "shape infers a shape where the reference cannot");
        return TS_ERROR;
    }
    return refuses(right) ? TS_REJECTED : TS_OK;
}

static ts_status left(const mutants *s)
{
    static const char *const reasons[] = { "", "it accesses memory outside of a tensor or an array",
                                           "it divides by zero", "it does not end" };
    note(s, reasons[schemata.reason]);
    return TS_ERROR;
}

/* Copy the elements of a tensor to `store`, packed, or back. */
static void move_elements(const ts_tensor *t, unsigned char *store, bool back)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count;
    const size_t bytes = tensor_element_bytes(t->dtype);
    if (!tensor_element_count(t, &count) || count == 0)
        return;
    do {
        memcpy(back ? tensor_at(t, coord) : store, back ? store : tensor_at(t, coord), bytes);
        store += bytes;
    } while (tensor_next(t, coord));
}

/* Run the reference on a call. Afterwards restore the elements and shapes that it has written; otherwise a mutant that
   writes nothing would pass. Only elements are saved, because they may be gigabytes apart. */
static bool ask_reference(mutants *s, const ts_descriptor *d, uint8_t parts)
{
    unsigned char *kept[TS_MAX_TENSORS] = { NULL };
    ts_shape shapes[TS_MAX_TENSORS];
    uint32_t chosen = s->chosen;
    bool fine;
    choose(s, MUTANT_NONE);
    fine = ask(d, MUTANT_CHECK | MUTANT_SHAPE, &s->right);
    const bool runs = fine && (parts & MUTANT_RUN) && !refuses(&s->right);
    for (unsigned t = 0; runs && t < d->op->tensor_count; ++t) {
        uint64_t count = 0;
        if (!d->tensors[t].data || d->op->tensors[t].role != TS_OUTPUT || !tensor_element_count(&d->tensors[t], &count))
            continue;
        fine = (kept[t] = malloc(count * tensor_element_bytes(d->tensors[t].dtype) + 1)) != NULL && fine;
        if (kept[t])
            move_elements(&d->tensors[t], kept[t], false);
    }
    for (unsigned t = 0; runs && t < d->op->tensor_count; ++t)
        if (d->tensors[t].reported)
            shapes[t] = *d->tensors[t].reported;
    if (runs)
        fine = fine && ask(d, MUTANT_RUN, &s->right);
    for (unsigned t = 0; runs && t < d->op->tensor_count; ++t)
        if (d->tensors[t].reported)
            *d->tensors[t].reported = shapes[t];
    for (unsigned t = 0; runs && t < d->op->tensor_count; ++t) {
        if (kept[t])
            move_elements(&d->tensors[t], kept[t], true);
        free(kept[t]);
    }
    choose(s, chosen);
    return fine;
}

static bool descriptor_of(const ts_call *call, ts_descriptor *d)
{
    const ts_operator *op = operators_find(call->op);
    return op && operator_of_call(d, op, call);
}

static const kernel_operator *find_kernel(const char *name)
{
    for (size_t k = 0; kernel_operators[k]; ++k)
        if (strcmp(kernel_operators[k]->name, name) == 0)
            return kernel_operators[k];
    return NULL;
}

/* Run a kernel, and leave the call: a mutant can have overwritten the registers that were saved on the stack from here
   on, but not those in `leave`. */
static __attribute__((noinline)) _Noreturn void enter(const kernel_operator *kernel, const ts_call *call)
{
    memory_enter(__builtin_frame_address(0));
    schemata.status = kernel->run(call);
    schemata_leave(SCHEMATA_NONE);
}

/* Run a kernel. False if the mutant left the call; schemata.reason is why. */
static bool ask_kernel(const kernel_operator *kernel, const ts_descriptor *d, ts_status *status)
{
    const ts_call call = operator_call(d);
    uint32_t outputs = 0;
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        outputs |= (uint32_t)(d->op->tensors[t].role == TS_OUTPUT) << t;
    schemata.part = MUTANT_RUN;
    schemata.steps = 0;
    schemata.limit = most_steps(d);
    memory_begin(&call, outputs);
    if (setjmp(schemata.leave) == 0)
        enter(kernel, &call);
    *status = schemata.status;
    return schemata.reason == SCHEMATA_NONE;
}

/* The reference judges the descriptor, and the kernel computes. */
static ts_status run_kernel(mutants *s, const ts_call *call, const ts_descriptor *d)
{
    const kernel_operator *kernel = find_kernel(call->op);
    const bool recording = schemata.recording;
    ts_status status;
    if (!kernel)
        return TS_UNSUPPORTED;
    schemata.recording = false;
    const bool judged = ask(d, MUTANT_CHECK, &s->right);
    schemata.recording = recording;
    if (judged && refuses(&s->right))
        return TS_REJECTED;
    if (judged && (call->flags & TS_CALL_DESCRIPTOR_ONLY))
        return TS_OK;
    if (s->ran && s->ran != kernel)
        forget_calls(s);
    s->ran = kernel;
    s->inside = true;
    const bool ended = judged && ask_kernel(kernel, d, &status);
    s->inside = false;
    if (ended)
        return status;
    s->has_left = true;
    return left(s);
}

static ts_status run_call(mutants *s, const ts_call *call)
{
    ts_descriptor d;
    uint8_t all = MUTANT_CHECK | MUTANT_SHAPE;
    if (!descriptor_of(call, &d))
        return TS_UNSUPPORTED;
    if (s->subject == MUTANT_OF_KERNELS)
        return run_kernel(s, call, &d);
    if (!(call->flags & TS_CALL_DESCRIPTOR_ONLY))
        all |= MUTANT_RUN;
    if (schemata.recording) {
        if (!ask(&d, all & (MUTANT_CHECK | MUTANT_SHAPE), &s->right))
            return left(s);
        if (refuses(&s->right))
            return TS_REJECTED;
        return ask(&d, all & MUTANT_RUN, &s->right) ? TS_OK : left(s);
    }
    if (!s->recorded && !ask_reference(s, &d, all))
        return left(s);
    uint8_t parts = all & s->parts;
    if (!s->recorded) /* without recording, the mutant may matter in any part */
        parts = all;
    if (!ask(&d, parts & (MUTANT_CHECK | MUTANT_SHAPE), &s->given))
        return left(s);
    ts_status status = compare(s, parts);
    /* Do not execute a descriptor that only the mutant accepts: it could access any memory. */
    if (status != TS_OK || refuses(&s->right) || !(parts & MUTANT_RUN))
        return status;
    if (!ask(&d, MUTANT_RUN, &s->given))
        return left(s);
    if (s->given.undefined != s->right.undefined) {
        note(s, "run marks other elements as undefined than the reference");
        return TS_ERROR;
    }
    if (s->given.several != s->right.several || s->given.allowed != s->right.allowed) {
        note(s, "elements may have other values than by the reference");
        return TS_ERROR;
    }
    if (s->given.may_fail != s->right.may_fail || s->given.open_shape != s->right.open_shape) {
        note(s, "run leaves more or less of the call open than the reference");
        return TS_ERROR;
    }
    return TS_OK;
}

static ts_status mutants_submit(void *self, const ts_call *call, size_t n, ts_status *status)
{
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
        status[i] = run_call(self, call);
    return TS_OK;
}

static const char *mutants_describe_options(void)
{
    return "mutant=ID    the mutant with this id; `touchstone audit --list` prints the ids\n"
           "mutant=none  the reference without a mutant\n";
}

const ts_backend *touchstone_backend(uint32_t abi)
{
    static const ts_backend backend = {
        .struct_size = sizeof(ts_backend),
        .abi = TS_BACKEND_ABI,
        .open = mutants_open,
        .close = mutants_close,
        .info = mutants_info,
        .query = mutants_query,
        .submit = mutants_submit,
        .summary = "for maintainers of the suite: the mutants that 'touchstone audit' runs",
        .describe_options = mutants_describe_options,
    };
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}

const mutants_library *touchstone_mutants(void)
{
    static mutants_library library = {
        .struct_size = sizeof(mutants_library),
        .choose_subject = mutants_choose_subject,
        .record = mutants_record,
        .infected = mutants_infected,
        .parts = mutants_parts,
        .select = mutants_select,
        .has_left = mutants_has_left,
    };
    library.count = schemata_all.count;
    library.mutants = schemata_all.mutants;
    return &library;
}
