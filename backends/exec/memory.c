/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/exec/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FIRST_SIZE  (UINT64_C(1) << 22)
#define MOST_SIZE   (UINT64_C(1) << 40)
#define KEPT        (UINT64_C(64) << 20) /* memory beyond is given back behind a batch that needed it */
#define NAMES_BEGIN 64
#define CANARY_BYTE 0xE7
#define LINE        64 /* bytes: addresses keep their place in a line */

bool memory_open(memory *m)
{
    *m = (memory){ .file = memfd_create("touchstone-exec", MFD_CLOEXEC | MFD_ALLOW_SEALING) };
    if (m->file < 0 || ftruncate(m->file, (off_t)FIRST_SIZE) != 0)
        return false;
    /* A program that made the file shorter would end this process by a bus error. */
    if (fcntl(m->file, F_ADD_SEALS, F_SEAL_SHRINK) != 0)
        return false;
    m->size = FIRST_SIZE;
    m->base = mmap(NULL, (size_t)m->size, PROT_READ | PROT_WRITE, MAP_SHARED, m->file, 0);
    if (m->base == MAP_FAILED)
        m->base = NULL;
    return m->base != NULL;
}

void memory_close(memory *m)
{
    if (m->base)
        munmap(m->base, (size_t)m->size);
    if (m->file >= 0)
        close(m->file);
    free(m->image);
    free(m->places);
    *m = (memory){ .file = -1 };
}

static bool grow(memory *m, uint64_t need)
{
    uint64_t size = m->size;
    if (m->used > KEPT) /* of the batch before */
        fallocate(m->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)KEPT, (off_t)(m->size - KEPT));
    m->used = 0;
    while (size < need && size < MOST_SIZE)
        size *= 2;
    if (size < need)
        return false;
    if (size == m->size)
        return true;
    if (ftruncate(m->file, (off_t)size) != 0)
        return false;
    void *base = mremap(m->base, (size_t)m->size, (size_t)size, MREMAP_MAYMOVE);
    if (base == MAP_FAILED)
        return false;
    m->base = base;
    m->size = size;
    return true;
}

static uint64_t aligned(uint64_t at, uint64_t to)
{
    return (at + to - 1) & ~(to - 1);
}

/* Has the tensor data to copy? */
static bool has_data(const ts_tensor *t)
{
    return t->data && (t->given & TS_GIVEN_TENSOR);
}

/* The bytes of the description of the calls: names, calls, tensors, attributes. */
static uint64_t description_bytes(const ts_call *call, size_t n, uint64_t *names)
{
    const char *last = NULL;
    uint64_t all = 0;
    *names = NAMES_BEGIN;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call)) {
        all += sizeof(ts_call) + call->tensor_count * sizeof(ts_tensor) + aligned(call->attrs_size, 8);
        if (call->op != last)
            *names += strlen(call->op) + 1;
        last = call->op;
    }
    *names = aligned(*names, LINE);
    return *names + all;
}

/* A pointer of the description: the offset of what it points to. */
static void *pointer(uint64_t offset)
{
    return (void *)(uintptr_t)offset;
}

/* The place for the data of tensor t of a call whose first place is `first`: that of an earlier tensor with the same
   data, or a new one. Returns its offset. */
static uint64_t place(memory *m, const ts_tensor *t, size_t call, size_t first, uint64_t alignment)
{
    for (size_t i = first; i < m->place_count; ++i)
        if (m->places[i].tensor->data == t->data && m->places[i].bytes == t->total_bytes) {
            m->places[i].written |= t->reported != NULL;
            return m->places[i].offset;
        }
    const uint64_t phase = (uint64_t)(uintptr_t)t->data & (alignment - 1);
    uint64_t offset = aligned(m->used + m->canary, alignment) + phase;
    m->places[m->place_count++] = (memory_place){ offset, t->total_bytes, t, call, t->reported != NULL };
    m->used = offset + t->total_bytes;
    return offset;
}

/* Write the description of one call to the image at *at. */
static void describe(memory *m, const ts_call *call, size_t i, uint64_t token, uint64_t name, uint64_t *at,
                     uint64_t alignment)
{
    ts_call c = { .struct_size = sizeof c,
                  .tensor_size = sizeof(ts_tensor),
                  .op = pointer(name),
                  .token = pointer(token),
                  .attrs_size = call->attrs_size,
                  .attrs_given = call->attrs_given,
                  .tensor_count = call->tensor_count,
                  .flags = call->flags,
                  .profile = call->profile,
                  .feature_level = call->feature_level };
    const size_t first = m->place_count;
    c.tensors = pointer(*at);
    for (uint32_t t = 0; t < call->tensor_count; ++t, *at += sizeof(ts_tensor)) {
        const ts_tensor *from = ts_call_tensor(call, t);
        ts_tensor to = *from;
        to.data = has_data(from) ? pointer(place(m, from, i, first, alignment)) : NULL;
        to.reported = NULL;
        if (from->reported) {
            to.reported = pointer(m->shapes);
            memcpy(m->base + m->shapes, from->reported, sizeof(ts_shape));
            m->shapes += sizeof(ts_shape);
        }
        memcpy(m->image + *at, &to, sizeof to);
    }
    c.attrs = pointer(*at);
    memcpy(m->image + *at, call->attrs, call->attrs_size);
    *at += aligned(call->attrs_size, 8);
    memcpy(m->image + m->calls + i * sizeof c, &c, sizeof c);
}

/* Copy the data of the tensors, and the canary between them. */
static void write_data(memory *m, uint64_t from)
{
    for (size_t i = 0; i < m->place_count; ++i) {
        const memory_place *p = &m->places[i];
        memset(m->base + from, CANARY_BYTE, (size_t)(p->offset - from));
        memcpy(m->base + p->offset, p->tensor->data, (size_t)p->bytes);
        from = p->offset + p->bytes;
    }
    memset(m->base + from, CANARY_BYTE, (size_t)m->canary);
}

/* Room for the batch: bytes of data at most, and places. */
static bool make_room(memory *m, const ts_call *call, size_t n, uint64_t front, uint64_t alignment)
{
    uint64_t need = front, tensors = 0;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
        for (uint32_t t = 0; t < call->tensor_count; ++t, ++tensors) {
            const ts_tensor *tensor = ts_call_tensor(call, t);
            need += sizeof(ts_shape) + (has_data(tensor) ? 2 * alignment + m->canary : 0);
            if (has_data(tensor) && tensor->total_bytes > MOST_SIZE)
                return false;
            need += has_data(tensor) ? tensor->total_bytes : 0;
        }
    if (tensors > m->place_capacity) {
        free(m->places);
        m->places = malloc((size_t)tensors * sizeof *m->places);
        m->place_capacity = m->places ? (size_t)tensors : 0;
        if (!m->places)
            return false;
    }
    return grow(m, need + LINE + m->canary);
}

bool memory_write(memory *m, const ts_call *calls, size_t n, const uint64_t *tokens, uint32_t alignment,
                  uint64_t canary)
{
    const uint64_t to = alignment > LINE ? alignment : LINE;
    uint64_t names, described = description_bytes(calls, n, &names), name = NAMES_BEGIN, next_name = NAMES_BEGIN;
    const ts_call *call = calls;
    const char *last = NULL;
    size_t shapes = 0;
    m->canary = canary;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
        shapes += call->tensor_count;
    if (!make_room(m, calls, n, described + n * sizeof(uint32_t) + 2 * LINE + shapes * sizeof(ts_shape), to))
        return false;
    if (described > m->image_size) {
        free(m->image);
        m->image = calloc(1, (size_t)described);
        m->image_size = m->image ? (size_t)described : 0;
        if (!m->image)
            return false;
    }
    m->calls = names;
    m->count = n;
    m->described = described;
    m->statuses = aligned(described, 8);
    m->shapes = aligned(m->statuses + n * sizeof(uint32_t), 8);
    m->used = aligned(m->shapes + shapes * sizeof(ts_shape), LINE);
    m->place_count = 0;
    const uint64_t data = m->used;
    uint64_t at = names + n * sizeof(ts_call);
    memset(m->image, 0, NAMES_BEGIN);
    call = calls;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call)) {
        if (call->op != last) {
            const size_t size = strlen(call->op) + 1;
            name = next_name;
            memcpy(m->image + name, call->op, size);
            next_name += size;
        }
        last = call->op;
        describe(m, call, i, tokens[i], name, &at, to);
    }
    memcpy(m->base, m->image, (size_t)described);
    memset(m->base + m->statuses, MEMORY_UNSET, n * sizeof(uint32_t));
    write_data(m, data);
    m->shapes = aligned(m->statuses + n * sizeof(uint32_t), 8);
    return true;
}

/* The byte of [from, end) that is no canary and nearest to its beginning, or to its end if `last`; `end` if all are. */
static uint64_t find_written(const memory *m, uint64_t from, uint64_t end, bool last)
{
    uint64_t found = end;
    for (uint64_t i = from; i < end; ++i)
        if (m->base[i] != CANARY_BYTE) {
            found = i;
            if (!last)
                break;
        }
    return found;
}

/* The call of whose description the byte at `offset` is a part. */
static size_t call_described_at(const memory *m, uint64_t offset)
{
    for (size_t i = m->count; i-- > 0;) {
        ts_call c;
        memcpy(&c, m->image + m->calls + i * sizeof c, sizeof c);
        const uint64_t own = m->calls + i * sizeof c;
        if (offset >= (uint64_t)(uintptr_t)c.tensors || (offset >= own && offset < own + sizeof c))
            return i;
    }
    return 0;
}

/* The byte of the suite's memory for one that is `distance` bytes beside a tensor, whose nearest byte is the first: the
   suite looks at those nearby alone. */
static uint64_t nearby(uint64_t distance)
{
    return distance < MEMORY_CANARY ? distance : 0;
}

size_t memory_find_strays(const memory *m, memory_stray *strays, size_t most)
{
    size_t count = 0;
    if (memcmp(m->base, m->image, (size_t)m->described) != 0 && count < most) {
        uint64_t at = 0;
        while (m->base[at] == m->image[at] && at + 1 < m->described)
            ++at;
        strays[count++] = (memory_stray){ .call = call_described_at(m, at) };
    }
    for (size_t i = 0; i < m->place_count && count < most; ++i) {
        const memory_place *p = &m->places[i], *next = i + 1 < m->place_count ? p + 1 : NULL;
        const uint64_t end = p->offset + p->bytes, until = next ? next->offset : end + m->canary;
        unsigned char *const data = p->tensor->data;
        uint64_t at = i == 0 ? find_written(m, p->offset - m->canary, p->offset, true) : p->offset;
        if (at < p->offset) /* in front of the first */
            strays[count++] = (memory_stray){ p->call, data - nearby(p->offset - at - 1) - 1, m->base[at] };
        at = find_written(m, end, until, false);
        if (at >= until || count == most)
            continue;
        if (next && until - at < at - end) { /* nearer to the next tensor */
            at = find_written(m, end, until, true);
            strays[count++] =
                (memory_stray){ next->call, (unsigned char *)next->tensor->data - nearby(until - at - 1) - 1, m->base[at] };
        } else {
            strays[count++] = (memory_stray){ p->call, data + p->bytes + nearby(at - end), m->base[at] };
        }
    }
    return count;
}

bool memory_input_written(const memory *m)
{
    for (size_t i = 0; i < m->place_count; ++i) {
        const memory_place *p = &m->places[i];
        if (!p->written && memcmp(p->tensor->data, m->base + p->offset, (size_t)p->bytes) != 0)
            return true;
    }
    return false;
}

void memory_read(const memory *m, const ts_call *calls, ts_status *status)
{
    uint64_t shape = m->shapes;
    const ts_call *call = calls;
    for (size_t i = 0; i < m->count; ++i, call = ts_call_next(call)) {
        uint32_t one;
        memcpy(&one, m->base + m->statuses + i * sizeof one, sizeof one);
        status[i] = (ts_status)one;
        for (uint32_t t = 0; t < call->tensor_count; ++t) {
            const ts_tensor *tensor = ts_call_tensor(call, t);
            if (!tensor->reported)
                continue;
            memcpy(tensor->reported, m->base + shape, sizeof *tensor->reported);
            shape += sizeof *tensor->reported;
        }
    }
    for (size_t i = 0; i < m->place_count; ++i) {
        const memory_place *p = &m->places[i];
        if (memcmp(p->tensor->data, m->base + p->offset, (size_t)p->bytes) != 0)
            memcpy(p->tensor->data, m->base + p->offset, (size_t)p->bytes);
    }
}
