/* SPDX-License-Identifier: Apache-2.0 */
/* Calls as a backend gets them: in memory that it can only read, with data that ends at a page that it cannot read, and
   what is looked at when it comes back. */
#include "harness/base/platform.h"
#include "harness/base/platform_controls.h"
#include "harness/model/value.h"
#include "harness/probe/probe_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define POISON       0xCB /* of outputs, and of the memory around tensors */
#define GARBAGE      0xA5
#define STATUS_UNSET 0x5A5A5A5A
#define LONGER       64 /* the most that probe_way.longer may be */
#define NEAR_NULL    (UINT64_C(64) << 10)
#define LARGEST      (UINT64_C(64) << 10)

#define LETTER_BYTES (sizeof(ts_call) + LONGER + TS_MAX_TENSORS * (sizeof(ts_tensor) + LONGER) + TS_MAX_ATTR_BYTES)
#define ASKED_BYTES  8192 /* in front of the calls: probe_query.c */
_Static_assert(sizeof(ts_descriptor) + sizeof(ts_call) <= ASKED_BYTES, "there is room for a query");
_Static_assert(LETTER_BYTES % 8 == 0, "letters are aligned");

size_t probe_most_calls(const plan *p)
{
    size_t operators = 0;
    for (size_t i = 0; i < p->item_count; ++i)
        operators += i == 0 || p->items[i].test->file->op != p->items[i - 1].test->file->op;
    return operators * PROBE_OF_OPERATOR;
}

size_t probe_shared_size(const plan *p)
{
    return sizeof(probe_shared) + PROBE_KINDS * probe_most_calls(p) * sizeof(probe_sample);
}

/* The bytes of the calls as they are passed, with what is in front of them. */
static size_t letters_size(const probe *p)
{
    return ASKED_BYTES + p->most_calls * LETTER_BYTES;
}

bool probe_room(probe *p)
{
    error e;
    if (p->calls)
        return true;
    p->most_calls = probe_most_calls(p->plan);
    p->letters = platform_map_twice(letters_size(p), &p->distance);
    p->calls = calloc(p->most_calls + 1, sizeof *p->calls); /* calloc(0) may be NULL */
    if (!p->letters || !p->calls || !arena_open(&p->arena, (p->most_calls + 1) * TS_MAX_TENSORS, &e)) {
        p->refusal = EXIT_HARNESS;
        snprintf(p->text, sizeof p->text, "out of memory");
        return false;
    }
    return true;
}

void probe_clear(probe *p)
{
    for (size_t i = 0; i < p->call_count; ++i)
        for (unsigned t = 0; t < TS_MAX_TENSORS; ++t) {
            free(p->calls[i].kept[t]);
            p->calls[i].kept[t] = NULL;
        }
    p->call_count = 0;
}

/* ---- making calls ---- */

static bool present(const ts_descriptor *d, unsigned t)
{
    return (d->tensors[t].given & TS_GIVEN_TENSOR) != 0;
}

static bool is_output(const ts_descriptor *d, unsigned t)
{
    return d->op->tensors[t].role == TS_OUTPUT;
}

/* Fill the region of a tensor in both buffers. */
static void poison(const arena_place *at)
{
    memset(at->golden - at->before, POISON, at->before + at->bytes + at->after);
    memset(at->subject - at->before, POISON, at->before + at->bytes + at->after);
}

/* Make memory for the tensors of a call, inputs filled as in a run. */
static bool make_data(probe *p, size_t at, bool at_start)
{
    probe_call *c = &p->calls[at];
    const uint32_t alignment = p->plugin.info.buffer_alignment;
    error e;
    for (unsigned t = 0; t < c->d.op->tensor_count; ++t) {
        ts_tensor *tensor = &c->d.tensors[t];
        const size_t element = tensor_element_bytes(tensor->dtype);
        tensor->data = NULL;
        if (!present(&c->d, t))
            continue;
        if (!arena_reserve(&p->arena, at * TS_MAX_TENSORS + t, tensor->total_bytes,
                           alignment > element ? alignment : element, !at_start, &c->places[t], &e))
            return false;
        poison(&c->places[t]);
        tensor->data = is_output(&c->d, t) ? NULL : c->places[t].golden;
    }
    return casebuild_fill_inputs(&p->build, &c->d, &e);
}

bool probe_add(probe *p, bool data, bool at_start)
{
    const case_instance *now = &p->build.now;
    probe_call *c = &p->calls[p->call_count];
    uint64_t bytes = 0;
    error e;
    if (p->call_count == p->most_calls || !casebuild_case(&p->build, &p->cursor, &e) || now->asked || now->ambiguous)
        return false;
    memset(c, 0, sizeof *c);
    c->d = now->descriptor;
    c->data = data && !now->invalid;
    for (unsigned t = 0; t < c->d.op->tensor_count; ++t)
        bytes += present(&c->d, t) && bytes <= LARGEST ? c->d.tensors[t].total_bytes : 0;
    if ((c->data && bytes > LARGEST) || space_format_id(&p->cursor, c->id, sizeof c->id) < 0)
        return false;
    const probe_class *class = probe_query(p, &c->d);
    if (!class || !class->supported)
        return false;
    c->token = class->token;
    if (c->data && !make_data(p, p->call_count, at_start))
        return false;
    p->call_count++;
    return true;
}

bool probe_load(probe *p, ts_status status, bool invalid, bool at_start)
{
    const probe_shared *from = p->shared;
    const size_t most = PROBE_KINDS * p->most_calls;
    uint64_t item = UINT64_MAX;
    probe_clear(p);
    for (uint64_t i = 0; i < from->sample_count && i < most && p->call_count < p->most_calls; ++i) {
        const probe_sample *s = &from->samples[i];
        if (s->item >= p->plan->item_count || s->status != (uint32_t)status || (s->invalid != 0) != invalid)
            continue;
        const plan_item *of = &p->plan->items[s->item];
        if (s->item != item)
            casebuild_init(&p->build, of->test, TS_PROFILE_DEFAULT, p->plugin.info.highest_level, NULL);
        item = s->item;
        if (space_start(&p->cursor, of->test->space, s->index, s->index + 1, NULL, NULL))
            probe_add(p, true, at_start);
    }
    return p->outcome == PROBE_KEPT && p->call_count > 0;
}

/* ---- submitting ---- */

/* Members of attributes that are absent: the suite promises nothing about them. */
static void spoil_absent(const ts_operator *op, uint32_t given, unsigned char *attrs)
{
    for (unsigned k = 0; k < op->attr_count; ++k) {
        const ts_attr_decl *a = &op->attrs[k];
        if ((given & (1u << k)) || a->counts)
            continue;
        memset(attrs + a->offset, GARBAGE,
               operator_attr_range(a->type).bytes * (a->count == TS_SCALAR ? 1u : a->capacity));
        bool shared = false;
        for (unsigned other = 0; a->count == TS_ARRAY && other < op->attr_count; ++other) {
            const ts_attr_decl *b = &op->attrs[other];
            const uint16_t counter = b->count == TS_ARRAY ? b->count_offset : b->offset;
            shared = shared || ((given & (1u << other)) && counter == a->count_offset);
        }
        if (a->count == TS_ARRAY && !shared)
            memset(attrs + a->count_offset, GARBAGE, sizeof(uint32_t));
    }
}

/* Write call i as the backend gets it: structures as long as `way` says. */
static void write_letter(probe *p, probe_call *c, size_t i, const probe_way *way)
{
    const size_t call_size = sizeof(ts_call) + way->longer, tensor_size = sizeof(ts_tensor) + way->longer;
    unsigned char *letters = p->letters + ASKED_BYTES;
    unsigned char *tensors = letters + p->most_calls * (sizeof(ts_call) + LONGER) +
                             i * TS_MAX_TENSORS * (sizeof(ts_tensor) + LONGER),
                  *attrs = letters + p->most_calls * (LETTER_BYTES - TS_MAX_ATTR_BYTES) + i * TS_MAX_ATTR_BYTES;
    const bool executes = c->data && !way->descriptor_only;
    c->reports = executes && !way->unreported;
    for (unsigned t = 0; t < c->d.op->tensor_count; ++t) {
        ts_tensor one = c->d.tensors[t];
        one.data = executes && present(&c->d, t) ? c->places[t].subject : NULL;
        one.reported = NULL;
        one.data_dependent = operator_dependent(c->d.op, t);
        c->reported[t].rank = TS_RANK_UNREPORTED;
        if (present(&c->d, t) && is_output(&c->d, t) && !way->unreported)
            one.reported = &c->reported[t];
        memcpy(tensors + t * tensor_size, &one, sizeof one);
        memset(tensors + t * tensor_size + sizeof one, GARBAGE, way->longer);
    }
    memcpy(attrs, c->d.attrs, TS_MAX_ATTR_BYTES);
    if (way->absent_garbage)
        spoil_absent(c->d.op, c->d.attrs_given, attrs);
    ts_call call = operator_call(&c->d);
    call.struct_size = (uint32_t)call_size;
    call.tensor_size = (uint32_t)tensor_size;
    call.token = c->token;
    call.attrs = attrs + p->distance;
    call.tensors = (const ts_tensor *)(const void *)(tensors + p->distance);
    call.flags = executes ? 0 : TS_CALL_DESCRIPTOR_ONLY;
    call.feature_level = p->plugin.info.highest_level;
    memcpy(letters + i * call_size, &call, sizeof call);
    memset(letters + i * call_size + sizeof call, GARBAGE, way->longer);
}

/* What was written where nothing may be written? */
static bool look_at_memory(probe *p, const probe_call *c)
{
    for (unsigned t = 0; t < c->d.op->tensor_count; ++t) {
        const arena_place *at = &c->places[t];
        const char *name = c->d.op->tensors[t].name;
        if (!c->data || !present(&c->d, t))
            continue;
        const unsigned char *subject = at->subject - at->before, *golden = at->golden - at->before;
        for (size_t i = 0; i < at->before + at->bytes + at->after; ++i) {
            const bool inside = i >= at->before && i < at->before + at->bytes;
            if (subject[i] == golden[i])
                continue;
            if (!inside)
                return probe_breaks(p, CLAUSE_BYTES, "byte %" PRId64 " of %s changed, which has %zu, in the call %s",
                                    (int64_t)i - (int64_t)at->before, name, at->bytes, c->id);
            if (!is_output(&c->d, t))
                return probe_breaks(p, CLAUSE_INPUT, "byte %zu of the input %s changed in the call %s", i - at->before,
                                    name, c->id);
            if (c->status == TS_REJECTED || c->status == TS_UNSUPPORTED)
                return probe_breaks(p, CLAUSE_REFUSED,
                                    "byte %zu of %s changed, although the status of the call is %s: %s", i - at->before,
                                    name, plugin_status_name(c->status), c->id);
        }
    }
    return true;
}

/* Does an accepted call with data report a shape of each output that is data_dependent, of its rank and not beyond the
   largest one? Whether it is the right one is what a run judges. */
static bool look_at_shapes(probe *p, const probe_call *c)
{
    for (unsigned t = 0; t < c->d.op->tensor_count; ++t) {
        const ts_tensor *largest = &c->d.tensors[t];
        const ts_shape *got = &c->reported[t];
        char shape[400], most[400];
        bool fits = got->rank == largest->rank;
        if (!c->reports || c->status != TS_OK || !present(&c->d, t) || !operator_dependent(c->d.op, t))
            continue;
        for (uint32_t i = 0; fits && i < got->rank; ++i)
            fits = got->sizes[i] == largest->sizes[i] ||
                   (got->sizes[i] < largest->sizes[i] && (operator_dependent(c->d.op, t) >> i & 1));
        if (!fits)
            return probe_breaks(p, CLAUSE_DEPENDENT, "the shape reported of %s is %s, where the largest is %s: %s",
                                c->d.op->tensors[t].name, value_format_shape(got, shape, sizeof shape),
                                value_format_list(largest->sizes, largest->rank, most, sizeof most), c->id);
    }
    return true;
}

static bool look_at_status(probe *p, probe_call *c, ts_status all, ts_status one, size_t i, size_t n)
{
    c->status = all != TS_OK ? all : one;
    if (all == TS_OK && (int)one == STATUS_UNSET)
        return probe_breaks(p, CLAUSE_SUBMIT, "submit returns TS_OK and stores no status of call %zu of %zu: %s", i + 1,
                            n, c->id);
    return (unsigned)c->status <= TS_CRASHED ||
           probe_breaks(p, CLAUSE_STATUS, "the status of a call is %d, which the header does not declare: %s",
                        (int)c->status, c->id);
}

/* Note what is submitted, and which promise is broken if the backend does not come back from it. */
static void note_submission(probe *p, size_t first, size_t n, const probe_way *way)
{
    const bool illegal = n > 0 && !p->calls[first].data;
    const char *how = way->longer                       ? ", longer than the header's (see ts_call_next)"
                      : way->unreported                 ? ", where `reported` is NULL"
                      : way->absent_garbage             ? ", with garbage in absent attributes"
                      : way->descriptor_only || illegal ? ", without data (TS_CALL_DESCRIPTOR_ONLY)"
                                                        : "";
    if (n == 1)
        probe_step(p, "submit of %s%s", p->calls[first].id, how);
    else
        probe_step(p, "submit of %zu calls%s", n, how);
    p->shared->rule = way->longer            ? CLAUSE_VERSIONS
                      : way->unreported      ? CLAUSE_REPORTED
                      : way->absent_garbage  ? CLAUSE_ABSENT
                      : illegal              ? CLAUSE_ANYTHING
                      : way->descriptor_only ? CLAUSE_DESCRIPTOR_ONLY
                      : n == 0               ? CLAUSE_EMPTY
                                             : CLAUSE_PROCESS;
    p->shared->dataless = illegal || way->descriptor_only;
}

bool probe_submit(probe *p, size_t first, size_t n, const probe_way *way)
{
    ts_status *statuses = probe_guarded(p, PAGE_STATUS, n * sizeof *statuses);
    if (!statuses)
        return probe_breaks(p, CLAUSE_SUBMIT, "out of memory");
    memset(p->letters + ASKED_BYTES, GARBAGE, p->most_calls * LETTER_BYTES);
    memset(statuses, STATUS_UNSET & 0xFF, n * sizeof *statuses);
    for (size_t i = 0; i < n; ++i) {
        probe_call *c = &p->calls[first + i];
        for (unsigned t = 0; c->data && t < c->d.op->tensor_count; ++t)
            if (present(&c->d, t))
                memcpy(c->places[t].subject - c->places[t].before, c->places[t].golden - c->places[t].before,
                       c->places[t].before + c->places[t].bytes + c->places[t].after);
        write_letter(p, c, i, way);
    }
    note_submission(p, first, n, way);
    platform_controls controls;
    platform_controls_note(&controls);
    const ts_status all = p->plugin.backend->submit(
        p->plugin.self, (const ts_call *)(const void *)(p->letters + ASKED_BYTES + p->distance), n, statuses);
    platform_controls_restore(&controls);
    p->plugin.note[0] = '\0';
    if ((unsigned)all > TS_CRASHED)
        return probe_breaks(p, CLAUSE_STATUS, "submit returns %d, which the header does not declare", (int)all);
    for (size_t i = 0; i < n; ++i)
        if (!look_at_status(p, &p->calls[first + i], all, statuses[i], i, n) ||
            !look_at_memory(p, &p->calls[first + i]) || (n == 1 && !look_at_shapes(p, &p->calls[first + i])))
            return false;
    return n > 0 || all == TS_OK ||
           probe_breaks(p, CLAUSE_EMPTY, "submit of no call returns %s", plugin_status_name(all));
}

/* ---- results ---- */

void probe_keep(probe *p)
{
    for (size_t i = 0; i < p->call_count; ++i) {
        probe_call *c = &p->calls[i];
        c->first = c->status;
        memcpy(c->kept_reported, c->reported, sizeof c->kept_reported);
        for (unsigned t = 0; c->data && t < c->d.op->tensor_count; ++t)
            if (present(&c->d, t) && is_output(&c->d, t)) {
                if (!c->kept[t])
                    c->kept[t] = malloc(c->places[t].bytes + 1);
                if (c->kept[t])
                    memcpy(c->kept[t], c->places[t].subject, c->places[t].bytes);
            }
    }
}

bool probe_same(probe *p, size_t call, probe_clause clause, const char *how)
{
    const probe_call *c = &p->calls[call];
    if (c->status != c->first)
        return probe_breaks(p, clause, "%s, its status is %s instead of %s: %s", how, plugin_status_name(c->status),
                            plugin_status_name(c->first), c->id);
    for (unsigned t = 0; t < c->d.op->tensor_count; ++t) {
        const ts_shape *now = &c->reported[t], *was = &c->kept_reported[t];
        char shapes[2][400];
        if (c->kept[t] && c->reports && operator_dependent(c->d.op, t) && operator_shape_differs(now, was))
            return probe_breaks(p, clause, "%s, the shape reported of %s is %s instead of %s: %s", how,
                                c->d.op->tensors[t].name, value_format_shape(now, shapes[0], sizeof shapes[0]),
                                value_format_shape(was, shapes[1], sizeof shapes[1]), c->id);
        for (size_t i = 0; c->kept[t] && i < c->places[t].bytes; ++i)
            if (c->places[t].subject[i] != c->kept[t][i])
                return probe_breaks(p, clause, "%s, byte %zu of %s is 0x%02x instead of 0x%02x: %s", how, i,
                                    c->d.op->tensors[t].name, c->places[t].subject[i], c->kept[t][i], c->id);
    }
    return true;
}

/* ---- faults ---- */

void probe_fault(probe *p, const platform_fault *fault)
{
    const uintptr_t at = (uintptr_t)fault->address, letters = (uintptr_t)(p->letters + p->distance);
    char frame[200] = "", touched[80] = "", where[300] = "";
    if (fault->frame_count > 0)
        platform_describe_frame(fault->frames[0], frame, sizeof frame);
    if (*frame)
        snprintf(where, sizeof where, "; it was in %s", frame);
    if (fault->touched && p->letters && at >= letters && at < letters + letters_size(p)) {
        probe_breaks(p, CLAUSE_CALL, "it wrote to a call, its tensors or its attributes in %s%s", p->shared->step,
                     where);
        return;
    }
    /* These guards first: they are known exactly, and may lie beside those of a tensor. */
    for (int k = 0; k < PROBE_PAGES && fault->touched; ++k) {
        const uintptr_t end = (uintptr_t)p->pages[k] + platform_page_size();
        if (p->pages[k] && at >= end && at < end + platform_page_size()) {
            probe_breaks(p, k == PAGE_STATUS ? CLAUSE_SUBMIT : CLAUSE_VERSIONS, "it %s beyond the end of %s in %s%s",
                         fault->write ? "wrote" : "read",
                         k == PAGE_STATUS ? "`status`"
                         : k == PAGE_INFO ? "ts_info"
                                          : "ts_host",
                         p->shared->step, where);
            return;
        }
    }
    const int slot = fault->touched && p->arena.slots ? arena_guards(&p->arena, fault->address, 1u << 16) : -1;
    const size_t call = slot < 0 ? 0 : (size_t)slot / TS_MAX_TENSORS;
    if (slot >= 0 && call < p->call_count) {
        probe_breaks(p, CLAUSE_BYTES, "it %s beyond %s in %s%s", fault->write ? "wrote" : "read",
                     p->calls[call].d.op->tensors[slot % TS_MAX_TENSORS].name, p->shared->step, where);
        return;
    }
    probe_clause rule = p->shared->rule < CLAUSE_COUNT ? (probe_clause)p->shared->rule : CLAUSE_PROCESS;
    if (p->shared->dataless && rule != CLAUSE_PROCESS && fault->touched && at < NEAR_NULL)
        rule = CLAUSE_DESCRIPTOR_ONLY; /* the only pointers of a call that are NULL are those to data */
    if (fault->touched)
        snprintf(touched, sizeof touched, ", %s address 0x%" PRIxPTR, fault->write ? "writing to" : "reading from", at);
    probe_breaks(p, rule, "it ended in %s%s, in %s%s", fault->name ? fault->name : "a signal", touched, p->shared->step,
                 where);
}
