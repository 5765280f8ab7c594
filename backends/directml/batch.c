/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/batch.h"

#include "backends/directml/batch_record.h"
#include "backends/directml/describe_declared.h"
#include "backends/directml/hresult.h"

#include <string.h>

/* ---- making the operators ---- */

/* A tensor that is aligned to more would need a buffer of that size. */
#define MOST_ALIGNMENT (1u << 20)

static bool placeable(const ts_call *call)
{
    bool fine = true;
    for (uint32_t i = 0; i < call->tensor_count; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        fine = fine && (!(t->given & TS_GIVEN_TENSOR) || t->alignment <= MOST_ALIGNMENT);
    }
    return fine;
}

/* Create and compile one operator. False if something other than the operator failed. */
static bool compile(batch *b, batch_slot *s, ts_status *status)
{
    IDMLDevice *dml = b->device->dml;
    const UINT flags =
        b->device->options.disable_meta_commands ? DML_EXECUTION_FLAG_DISABLE_META_COMMANDS : DML_EXECUTION_FLAG_NONE;
    describe_room room;
    declared_room declared;
    IDMLOperator *op = NULL;
    s->compiled = NULL;
    const bool executes = !(s->call->flags & TS_CALL_DESCRIPTOR_ONLY);
    *status = s->op ? describe_call(s->op, s->call, &room) : declared_call(s->call, &declared);
    if (*status == TS_OK && executes && !placeable(s->call))
        *status = TS_UNSUPPORTED;
    if (*status != TS_OK)
        return true;
    HRESULT hr = dml->lpVtbl->CreateOperator(dml, s->op ? &room.desc : &declared.desc, &dml_iid_operator, (void **)&op);
    if (SUCCEEDED(hr) && !s->op && !executes) { /* only its descriptor is asked about */
        op->lpVtbl->Release(op);
        return true;
    }
    if (SUCCEEDED(hr)) {
        hr = dml->lpVtbl->CompileOperator(dml, op, flags, &dml_iid_compiled_operator, (void **)&s->compiled);
        op->lpVtbl->Release(op);
        if (SUCCEEDED(hr))
            return true;
        s->compiled = NULL;
    }
    device_check(b->device, hr, op ? "IDMLDevice::CompileOperator" : "IDMLDevice::CreateOperator");
    *status = hresult_refuses((uint32_t)hr) ? TS_REJECTED : TS_ERROR;
    return *status == TS_REJECTED || (!hresult_lost((uint32_t)hr) && !device_is_lost(b->device));
}

static void release(batch *b)
{
    for (size_t i = 0; i < b->count; ++i)
        DEVICE_RELEASE(b->slots[i].compiled);
}

/* ---- where things lie ---- */

static bool present(const ts_tensor *t)
{
    return (t->given & TS_GIVEN_TENSOR) != 0;
}

/* The tensor that has the same memory as tensor i: an earlier one if the call is in place, else i itself. */
static uint32_t holder_of(const ts_call *call, uint32_t i)
{
    const void *data = ts_call_tensor(call, i)->data;
    uint32_t k = 0;
    while (k < i && (!data || ts_call_tensor(call, k)->data != data))
        ++k;
    return k;
}

static void place(batch *b, batch_slot *s)
{
    s->compiled->lpVtbl->GetBindingProperties(s->compiled, &s->properties);
    s->owned = false;
    for (uint32_t i = 0; i < s->tensor_count; ++i) {
        const ts_tensor *t = ts_call_tensor(s->call, i);
        if (!present(t))
            continue;
        const uint32_t holder = holder_of(s->call, i);
        s->at[i] = holder < i ? s->at[holder] : pool_place(&b->bytes, t->total_bytes, t->alignment);
        s->owned |= i < s->input_count && (t->flags & DML_TENSOR_FLAG_OWNED_BY_DML);
    }
    s->temporary_at = pool_place_scratch(&b->scratch_bytes, s->properties.TemporaryResourceSize);
    s->persistent =
        (DML_BUFFER_BINDING){ .Offset = pool_place_scratch(&b->scratch_bytes, s->properties.PersistentResourceSize),
                              .SizeInBytes = s->properties.PersistentResourceSize };
    b->compiled[b->executing++] = s->compiled;
}

/* The number of descriptors of the heap that the batch uses. */
static uint64_t descriptors(const batch *b)
{
    uint64_t sum = b->init_properties.RequiredDescriptorCount;
    for (size_t i = 0; i < b->count; ++i)
        sum += b->slots[i].executes ? b->slots[i].properties.RequiredDescriptorCount : 0;
    return sum;
}

/* Make the initializer for all operators that execute, and their memory. */
static bool prepare(batch *b)
{
    device *d = b->device;
    IDMLDevice *dml = d->dml;
    HRESULT hr = d->initializer
                     ? d->initializer->lpVtbl->Reset(d->initializer, (UINT)b->executing, b->compiled)
                     : dml->lpVtbl->CreateOperatorInitializer(dml, (UINT)b->executing, b->compiled,
                                                              &dml_iid_operator_initializer, (void **)&d->initializer);
    if (!device_check(d, hr, "IDMLDevice::CreateOperatorInitializer"))
        return false;
    d->initializer->lpVtbl->GetBindingProperties(d->initializer, &b->init_properties);
    b->init_temporary_at = pool_place_scratch(&b->scratch_bytes, b->init_properties.TemporaryResourceSize);
    b->bytes += POOL_CANARY;
    b->bytes = (b->bytes + 15) / 16 * 16; /* the end of a tensor may be bound rounded up */
    if (descriptors(b) > DEVICE_DESCRIPTORS)
        return device_check(d, E_OUTOFMEMORY, "the batch needs more descriptors than the heap has");
    return pool_reserve(&b->pool, d, b->bytes, b->scratch_bytes);
}

/* ---- there and back ---- */

/* A tensor that is executed, and the gap before it. */
typedef struct visited {
    const ts_tensor *tensor, *before; /* the tensor before the gap; NULL: none */
    uint64_t at, gap_from;
} visited;
typedef void (*visit)(batch *b, const visited *v, const unsigned char *device_bytes);

/* Visit every tensor in the order of its place, and at last the gap after all of them, without a tensor. */
static void each_tensor(batch *b, visit f, const unsigned char *device_bytes)
{
    visited v = { 0 };
    for (size_t k = 0; k < b->count; ++k) {
        const batch_slot *s = &b->slots[k];
        for (uint32_t i = 0; s->executes && i < s->tensor_count; ++i) {
            v.tensor = ts_call_tensor(s->call, i);
            if (!present(v.tensor) || holder_of(s->call, i) < i)
                continue;
            v.at = s->at[i];
            f(b, &v, device_bytes);
            v.before = v.tensor;
            v.gap_from = v.at + v.tensor->total_bytes;
        }
    }
    v.tensor = NULL;
    v.at = b->bytes;
    f(b, &v, device_bytes);
}

static void upload_one(batch *b, const visited *v, const unsigned char *device_bytes)
{
    (void)device_bytes;
    memset(b->pool.upload_at + v->gap_from, POOL_CANARY_BYTE, (size_t)(v->at - v->gap_from));
    if (v->tensor)
        memcpy(b->pool.upload_at + v->at, v->tensor->data, (size_t)v->tensor->total_bytes);
}

/* Note the first changed canary byte of a gap at the nearer tensor, where the suite would find the write of a backend
   that works in host memory. */
static void look_at_gap(batch *b, const visited *v, const unsigned char *device_bytes)
{
    uint64_t at = v->gap_from;
    while (at < v->at && device_bytes[at] == POOL_CANARY_BYTE)
        ++at;
    if (at == v->at || b->stray_at)
        return;
    const uint64_t after = at - v->gap_from, ahead = v->at - at;
    const bool is_after = v->before && (!v->tensor || after <= ahead);
    const ts_tensor *t = is_after ? v->before : v->tensor;
    const uint64_t distance = is_after ? after : ahead;
    const uint64_t reach = distance < POOL_CANARY ? distance : POOL_CANARY - 1;
    b->stray = device_bytes[at];
    b->stray_at = is_after ? (unsigned char *)t->data + t->total_bytes + reach : (unsigned char *)t->data - reach;
}

/* Inputs too, so that the suite sees changes by the device. They are written only if they have changed. */
static void hand_back_one(batch *b, const visited *v, const unsigned char *device_bytes)
{
    const ts_tensor *t = v->tensor;
    (void)b;
    if (t && memcmp(t->data, device_bytes + v->at, (size_t)t->total_bytes) != 0)
        memcpy(t->data, device_bytes + v->at, (size_t)t->total_bytes);
}

/* ---- the batch ---- */

static batch_result execute(batch *b)
{
    if (!prepare(b))
        return BATCH_FAILED;
    each_tensor(b, upload_one, NULL);
    if (!batch_record(b) || !device_execute(b->device))
        return BATCH_FAILED;
    const unsigned char *bytes = pool_map(&b->pool, b->device, b->bytes);
    if (!bytes)
        return BATCH_FAILED;
    each_tensor(b, look_at_gap, bytes);
    if (!b->stray_at || b->count == 1)
        each_tensor(b, hand_back_one, bytes);
    pool_unmap(&b->pool);
    return b->stray_at ? BATCH_STRAYED : BATCH_DONE;
}

batch_result batch_run(batch *b, const ts_call *call, size_t n, ts_status *status)
{
    batch_result result = BATCH_DONE;
    b->count = 0;
    b->executing = 0;
    b->bytes = b->scratch_bytes = 0;
    b->stray_at = NULL;
    memset(&b->init_properties, 0, sizeof b->init_properties);
    for (size_t i = 0; i < n && result == BATCH_DONE; ++i, call = ts_call_next(call)) {
        batch_slot *s = &b->slots[i];
        s->call = call;
        s->op = call->token ? (const describe_operator *)call->token : describe_find(call->op);
        const ts_operator *declared = s->op ? NULL : declared_operator(call);
        s->tensor_count = s->op ? s->op->tensor_count : call->tensor_count;
        s->input_count = s->op ? s->op->input_count : declared ? declared_inputs(declared) : 0;
        ++b->count;
        if (!compile(b, s, &status[i]))
            result = BATCH_FAILED;
        s->executes = s->compiled && !(call->flags & TS_CALL_DESCRIPTOR_ONLY);
        if (s->executes)
            place(b, s);
    }
    if (result == BATCH_DONE && b->executing > 0)
        result = execute(b);
    release(b);
    return result;
}
