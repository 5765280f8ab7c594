/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/batch_record.h"

/* Set a binding table to the next descriptors of the heap; the first use creates it. */
static bool turn_table(batch *b, IDMLBindingTable **table, IDMLDispatchable *dispatchable, UINT count, UINT *next)
{
    device *d = b->device;
    const DML_BINDING_TABLE_DESC desc = {
        .Dispatchable = dispatchable,
        .CPUDescriptorHandle = { d->cpu_start.ptr + (SIZE_T)*next * d->descriptor_step },
        .GPUDescriptorHandle = { d->gpu_start.ptr + (UINT64)*next * d->descriptor_step },
        .SizeInDescriptors = count,
    };
    *next += count;
    if (*table)
        return device_check(d, (*table)->lpVtbl->Reset(*table, &desc), "IDMLBindingTable::Reset");
    return device_check(d, d->dml->lpVtbl->CreateBindingTable(d->dml, &desc, &dml_iid_binding_table, (void **)table),
                        "IDMLDevice::CreateBindingTable");
}

static void bind_scratch(const batch *b, IDMLBindingTable *table, UINT64 at, UINT64 size,
                         void(STDMETHODCALLTYPE *bind)(IDMLBindingTable *This, const DML_BINDING_DESC *binding))
{
    const DML_BUFFER_BINDING range = { b->pool.scratch, at, size };
    const DML_BINDING_DESC binding = { DML_BINDING_TYPE_BUFFER, &range };
    if (size > 0)
        bind(table, &binding);
}

/* The range of tensor i. A bound range is a multiple of 4 bytes, whatever the tensor states. */
static DML_BUFFER_BINDING range_of(const batch *b, const batch_slot *s, uint32_t i)
{
    const uint64_t bytes = ts_call_tensor(s->call, i)->total_bytes;
    return (DML_BUFFER_BINDING){ b->pool.tensors, s->at[i], (bytes + 3) / 4 * 4 };
}

static bool is_owned(const ts_tensor *t)
{
    return (t->flags & DML_TENSOR_FLAG_OWNED_BY_DML) != 0;
}

/* How many of `n` tensors from `first` on are to be bound. A declared operator that is computed has no lists. */
static uint32_t bound(const batch_slot *s, uint32_t first, uint32_t n)
{
    return s->op ? describe_bound(s->op, s->call, first, n) : n;
}

/* Bind operator k to the initializer: the inputs that DirectML owns, and its persistent memory. DirectML 1.15.4 crashes
   if it owns inputs of one operator and another one has no array of bindings, so each has one if any input is owned. */
static void bind_for_initializer(batch *b, batch_slot *s, size_t k, bool any_owned)
{
    const DML_BINDING_DESC none = { DML_BINDING_TYPE_NONE, NULL };
    b->init_inputs[k] = b->init_outputs[k] = none;
    if (any_owned) {
        for (uint32_t i = 0; i < s->input_count; ++i)
            s->owned_inputs[i] =
                is_owned(ts_call_tensor(s->call, i)) ? range_of(b, s, i) : (DML_BUFFER_BINDING){ NULL, 0, 0 };
        s->owned_array =
            (DML_BUFFER_ARRAY_BINDING){ bound(s, 0, s->input_count), s->owned_inputs };
        b->init_inputs[k] = (DML_BINDING_DESC){ DML_BINDING_TYPE_BUFFER_ARRAY, &s->owned_array };
    }
    if (s->persistent.SizeInBytes > 0) {
        s->persistent.Buffer = b->pool.scratch;
        b->init_outputs[k] = (DML_BINDING_DESC){ DML_BINDING_TYPE_BUFFER, &s->persistent };
    }
}

static bool bind_initializer(batch *b, UINT *next)
{
    device *d = b->device;
    bool any_owned = false;
    size_t k = 0;
    for (size_t i = 0; i < b->count; ++i)
        any_owned |= b->slots[i].executes && b->slots[i].owned;
    for (size_t i = 0; i < b->count; ++i)
        if (b->slots[i].executes)
            bind_for_initializer(b, &b->slots[i], k++, any_owned);
    if (!turn_table(b, &d->init_table, d->initializer, b->init_properties.RequiredDescriptorCount, next))
        return false;
    IDMLBindingTable *table = d->init_table;
    if (any_owned)
        table->lpVtbl->BindInputs(table, (UINT)k, b->init_inputs);
    table->lpVtbl->BindOutputs(table, (UINT)k, b->init_outputs);
    bind_scratch(b, table, b->init_temporary_at, b->init_properties.TemporaryResourceSize,
                 table->lpVtbl->BindTemporaryResource);
    return true;
}

static bool bind_operator(batch *b, const batch_slot *s, IDMLBindingTable **place, UINT *next)
{
    DML_BUFFER_BINDING ranges[DESCRIBE_TENSORS];
    DML_BINDING_DESC bindings[DESCRIBE_TENSORS];
    for (uint32_t i = 0; i < s->tensor_count; ++i) {
        const ts_tensor *t = ts_call_tensor(s->call, i);
        const bool bound = (t->given & TS_GIVEN_TENSOR) && !(i < s->input_count && is_owned(t));
        if (bound)
            ranges[i] = range_of(b, s, i);
        bindings[i] = bound ? (DML_BINDING_DESC){ DML_BINDING_TYPE_BUFFER, &ranges[i] }
                            : (DML_BINDING_DESC){ DML_BINDING_TYPE_NONE, NULL };
    }
    if (!turn_table(b, place, s->compiled, s->properties.RequiredDescriptorCount, next))
        return false;
    IDMLBindingTable *table = *place;
    const uint32_t inputs = s->input_count;
    table->lpVtbl->BindInputs(table, bound(s, 0, inputs), bindings);
    table->lpVtbl->BindOutputs(table, bound(s, inputs, s->tensor_count - inputs), bindings + inputs);
    bind_scratch(b, table, s->temporary_at, s->properties.TemporaryResourceSize, table->lpVtbl->BindTemporaryResource);
    bind_scratch(b, table, s->persistent.Offset, s->persistent.SizeInBytes, table->lpVtbl->BindPersistentResource);
    return true;
}

static void record(batch *b, IDMLDispatchable *dispatchable, IDMLBindingTable *table)
{
    device *d = b->device;
    d->recorder->lpVtbl->RecordDispatch(d->recorder, (ID3D12CommandList *)d->list, dispatchable, table);
}

bool batch_record(batch *b)
{
    device *d = b->device;
    UINT next = 0;
    const D3D12_RESOURCE_BARRIER written = { .Type = D3D12_RESOURCE_BARRIER_TYPE_UAV };
    /* Write all descriptors before the first dispatch. Otherwise vkd3d's thread, which passes them to Vulkan, and the
       recording thread wait for each other at every dispatch. */
    if (!bind_initializer(b, &next))
        return false;
    for (size_t i = 0; i < b->count; ++i)
        if (b->slots[i].executes && !bind_operator(b, &b->slots[i], &d->tables[i], &next))
            return false;
    ID3D12GraphicsCommandList_SetDescriptorHeaps(d->list, 1, &d->heap);
    pool_record_upload(&b->pool, d->list, b->bytes);
    record(b, d->initializer, d->init_table);
    ID3D12GraphicsCommandList_ResourceBarrier(d->list, 1, &written);
    for (size_t i = 0; i < b->count; ++i)
        if (b->slots[i].executes)
            record(b, b->slots[i].compiled, d->tables[i]);
    pool_record_readback(&b->pool, d->list, b->bytes);
    return true;
}
