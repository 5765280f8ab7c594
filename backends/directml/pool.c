/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/pool.h"

static const GUID iid_resource = { 0x696442be, 0xa72e, 0x4059, { 0xbc, 0x79, 0x5b, 0x5c, 0x98, 0x04, 0x0f, 0xad } };

#define FIRST_BYTES (UINT64_C(4) << 20)

static ID3D12Resource *make_buffer(device *d, D3D12_HEAP_TYPE type, uint64_t bytes)
{
    const D3D12_HEAP_PROPERTIES heap = { .Type = type };
    const D3D12_RESOURCE_DESC desc = { .Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                       .Width = bytes,
                                       .Height = 1,
                                       .DepthOrArraySize = 1,
                                       .MipLevels = 1,
                                       .SampleDesc = { 1, 0 },
                                       .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
                                       .Flags = type == D3D12_HEAP_TYPE_DEFAULT
                                                    ? D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS
                                                    : D3D12_RESOURCE_FLAG_NONE };
    const D3D12_RESOURCE_STATES state = type == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
                                        : type == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                                                           : D3D12_RESOURCE_STATE_COMMON;
    ID3D12Resource *buffer = NULL;
    return device_check(d,
                        ID3D12Device_CreateCommittedResource(d->d3d, &heap, D3D12_HEAP_FLAG_NONE, &desc, state, NULL,
                                                             &iid_resource, (void **)&buffer),
                        "ID3D12Device::CreateCommittedResource")
               ? buffer
               : NULL;
}

static void release_tensors(pool *p)
{
    if (p->upload && p->upload_at)
        ID3D12Resource_Unmap(p->upload, 0, NULL);
    DEVICE_RELEASE(p->tensors);
    DEVICE_RELEASE(p->upload);
    DEVICE_RELEASE(p->readback);
    p->upload_at = NULL;
    p->capacity = 0;
}

/* Double the size, so that growing is rare. */
static uint64_t roomy(uint64_t bytes)
{
    uint64_t room = FIRST_BYTES;
    while (room < bytes)
        room *= 2;
    return room;
}

static bool reserve_tensors(pool *p, device *d, uint64_t bytes)
{
    const D3D12_RANGE nothing_read = { 0, 0 };
    if (bytes <= p->capacity)
        return true;
    const uint64_t room = roomy(bytes);
    release_tensors(p);
    if (!(p->tensors = make_buffer(d, D3D12_HEAP_TYPE_DEFAULT, room)) ||
        !(p->upload = make_buffer(d, D3D12_HEAP_TYPE_UPLOAD, room)) ||
        !(p->readback = make_buffer(d, D3D12_HEAP_TYPE_READBACK, room)) ||
        !device_check(d, ID3D12Resource_Map(p->upload, 0, &nothing_read, (void **)&p->upload_at),
                      "ID3D12Resource::Map of the upload buffer")) {
        p->upload_at = NULL;
        release_tensors(p);
        return false;
    }
    p->capacity = room;
    return true;
}

bool pool_reserve(pool *p, device *d, uint64_t bytes, uint64_t scratch_bytes)
{
    if (!reserve_tensors(p, d, bytes))
        return false;
    if (scratch_bytes <= p->scratch_capacity)
        return true;
    DEVICE_RELEASE(p->scratch);
    p->scratch_capacity = 0;
    const uint64_t room = roomy(scratch_bytes);
    if (!(p->scratch = make_buffer(d, D3D12_HEAP_TYPE_DEFAULT, room)))
        return false;
    p->scratch_capacity = room;
    return true;
}

void pool_close(pool *p)
{
    release_tensors(p);
    DEVICE_RELEASE(p->scratch);
    p->scratch_capacity = 0;
}

static uint64_t round_up(uint64_t n, uint64_t alignment)
{
    return (n + alignment - 1) / alignment * alignment;
}

uint64_t pool_place(uint64_t *used, uint64_t bytes, uint64_t alignment)
{
    const uint64_t least = DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT;
    const uint64_t at = round_up(*used + POOL_CANARY, alignment > least ? alignment : least);
    *used = at + bytes;
    return at;
}

uint64_t pool_place_scratch(uint64_t *used, uint64_t bytes)
{
    const uint64_t at = round_up(*used, DML_SCRATCH_BUFFER_ALIGNMENT);
    *used = at + bytes;
    return at;
}

static void record_barrier(const pool *p, ID3D12GraphicsCommandList *list, D3D12_RESOURCE_STATES before,
                           D3D12_RESOURCE_STATES after)
{
    const D3D12_RESOURCE_BARRIER barrier = { .Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
                                             .Transition = { .pResource = p->tensors,
                                                             .Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES,
                                                             .StateBefore = before,
                                                             .StateAfter = after } };
    ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &barrier);
}

void pool_record_upload(const pool *p, ID3D12GraphicsCommandList *list, uint64_t bytes)
{
    ID3D12GraphicsCommandList_CopyBufferRegion(list, p->tensors, 0, p->upload, 0, bytes);
    record_barrier(p, list, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
}

void pool_record_readback(const pool *p, ID3D12GraphicsCommandList *list, uint64_t bytes)
{
    record_barrier(p, list, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, p->readback, 0, p->tensors, 0, bytes);
}

const unsigned char *pool_map(pool *p, device *d, uint64_t bytes)
{
    const D3D12_RANGE read = { 0, (SIZE_T)bytes };
    void *at = NULL;
    return device_check(d, ID3D12Resource_Map(p->readback, 0, &read, &at), "ID3D12Resource::Map of the readback buffer")
               ? at
               : NULL;
}

void pool_unmap(pool *p)
{
    const D3D12_RANGE nothing_written = { 0, 0 };
    ID3D12Resource_Unmap(p->readback, 0, &nothing_written);
}
