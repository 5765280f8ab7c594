/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of offsets that do not fit 32 bits. They have no effect on tensors of less than 2 GiB. */
#include "backends/faulty/fault.h"

#include <stdlib.h>

#define LARGE (UINT64_C(1) << 31)

/* Modify an offset in elements of the given size. If the result is negative, the access is dropped. */
typedef int64_t (*wrap)(uint64_t offset, size_t bytes);

static int64_t right(uint64_t offset, size_t bytes)
{
    (void)bytes;
    return (int64_t)offset;
}

static int64_t signed_elements(uint64_t offset, size_t bytes)
{
    (void)bytes;
    return (int32_t)(uint32_t)offset;
}

static int64_t unsigned_elements(uint64_t offset, size_t bytes)
{
    (void)bytes;
    return (uint32_t)offset;
}

static int64_t signed_bytes(uint64_t offset, size_t bytes)
{
    const int32_t at = (int32_t)(uint32_t)(offset * bytes);
    return at < 0 ? -1 : at / (int64_t)bytes;
}

static int64_t unsigned_bytes(uint64_t offset, size_t bytes)
{
    return (int64_t)((uint32_t)(offset * bytes) / bytes);
}

/* A packed tensor of the same sizes in new memory. */
static bool beside(ts_tensor *t, const ts_tensor *like, uint32_t dtype)
{
    tensor_init(t, dtype, like->rank, like->sizes);
    t->reported = like->reported;
    t->data = calloc((size_t)t->total_bytes + 1, 1);
    return t->data != NULL;
}

/* Offsets of updates have this bit. */
#define OF_UPDATE (UINT64_C(1) << 63)

typedef struct noted {
    const ts_tensor *of;
    uint64_t *offsets;
    uint64_t mark;
} noted;

static void note_offset(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const noted *n = context;
    n->offsets[number] = n->mark | (uint64_t)(element - (unsigned char *)n->of->data) / bytes;
}

/* Put a packed tensor of the offsets of its elements in the place of a tensor. */
static bool note_offsets(ts_tensor *t, const ts_tensor *of, uint64_t mark)
{
    if (!beside(t, of, TS_UINT64))
        return false;
    fault_each(of, note_offset, &(noted){ of, t->data, mark });
    return true;
}

/* Copy with wrapped offsets: the reference copies offsets of the inputs' elements instead of the elements. */
static void copy_wrapped(const fault_call *call, wrap from, wrap to)
{
    const size_t bytes = tensor_element_bytes(call->out->dtype);
    const ts_tensor *updates = call->on & ON_SCATTERS ? &call->d->tensors[2] : NULL;
    ts_descriptor d = *call->d;
    ts_tensor *out = &d.tensors[call->out - call->d->tensors];
    uint64_t coord[TS_MAX_DIMS] = { 0 }, number = 0;
    const bool room = note_offsets(&d.tensors[0], call->in, 0);
    const bool more = room && (!updates || note_offsets(&d.tensors[2], updates, OF_UPDATE));
    const bool all = more && beside(out, call->out, TS_UINT64);
    if (all)
        call->d->op->run(&d, NULL);
    const uint64_t *sources = out->data;
    if (all && fault_count(call->out) > 0)
        do {
            const int64_t target = to(tensor_offset(call->out, coord), bytes);
            const uint64_t stated = sources[number++];
            const ts_tensor *side = stated & OF_UPDATE ? updates : call->in;
            const int64_t source = from(stated & ~OF_UPDATE, bytes);
            if (target < 0)
                continue;
            unsigned char *element = (unsigned char *)call->out->data + (uint64_t)target * bytes;
            memset(element, 0, bytes);
            if (source >= 0)
                memcpy(element, (const unsigned char *)side->data + (uint64_t)source * bytes, bytes);
        } while (tensor_next(call->out, coord));
    if (room)
        free(d.tensors[0].data);
    if (more && updates)
        free(d.tensors[2].data);
    if (all)
        free(out->data);
}

/* The elements are computed, so only the places where they are stored can be wrong. */
static void store_wrapped(const fault_call *call, wrap to)
{
    const size_t bytes = tensor_element_bytes(call->out->dtype);
    ts_descriptor d = *call->d;
    ts_tensor *out = &d.tensors[call->out - call->d->tensors];
    uint64_t coord[TS_MAX_DIMS] = { 0 }, number = 0;
    if (!beside(out, call->out, call->out->dtype))
        return;
    call->d->op->run(&d, NULL);
    const unsigned char *value = out->data;
    if (fault_count(call->out) > 0)
        do {
            const int64_t target = to(tensor_offset(call->out, coord), bytes);
            if (target >= 0)
                memcpy((unsigned char *)call->out->data + (uint64_t)target * bytes, value + number * bytes, bytes);
            ++number;
        } while (tensor_next(call->out, coord));
    free(out->data);
}

static void wrapped(const fault_call *call, wrap from, wrap to)
{
    const bool scatters = (call->on & ON_SCATTERS) != 0;
    if (call->in->total_bytes < LARGE && call->out->total_bytes < LARGE &&
        !(scatters && call->d->tensors[2].total_bytes >= LARGE))
        fault_run_right(call);
    else if (call->on & ON_RESULTS)
        store_wrapped(call, to);
    else
        copy_wrapped(call, from, to);
}

#define DEFINE_WRAPPED(name, from, to)                                                                                 \
    static void name(const fault_call *call)                                                                           \
    {                                                                                                                  \
        wrapped(call, from, to);                                                                                       \
    }
DEFINE_WRAPPED(input_signed, signed_elements, right)
DEFINE_WRAPPED(input_unsigned, unsigned_elements, right)
DEFINE_WRAPPED(input_signed_bytes, signed_bytes, right)
DEFINE_WRAPPED(input_unsigned_bytes, unsigned_bytes, right)
DEFINE_WRAPPED(output_signed, right, signed_elements)
DEFINE_WRAPPED(output_unsigned, right, unsigned_elements)
DEFINE_WRAPPED(output_signed_bytes, right, signed_bytes)
DEFINE_WRAPPED(output_unsigned_bytes, right, unsigned_bytes)

static const fault rows[] = {
    { "input-offset-i32", ON_COPIES, MAGNITUDES, "source offsets are counted in int32 elements",
      .execute = input_signed },
    { "input-offset-u32", ON_STRIDED, MAGNITUDES, "source offsets are counted in uint32 elements",
      .execute = input_unsigned },
    { "input-bytes-i32", ON_COPIES, MAGNITUDES, "source offsets are counted in int32 bytes",
      .execute = input_signed_bytes },
    { "input-bytes-u32", ON_COPIES, MAGNITUDES, "source offsets are counted in uint32 bytes",
      .execute = input_unsigned_bytes },
    { "output-offset-i32", ON_ALL, MAGNITUDES, "offsets of the output are counted in int32 elements",
      .execute = output_signed },
    { "output-offset-u32", ON_STRIDED, MAGNITUDES, "offsets of the output are counted in uint32 elements",
      .execute = output_unsigned },
    { "output-bytes-i32", ON_ALL, MAGNITUDES, "offsets of the output are counted in int32 bytes",
      .execute = output_signed_bytes },
    { "output-bytes-u32", ON_ALL, MAGNITUDES, "offsets of the output are counted in uint32 bytes",
      .execute = output_unsigned_bytes },
};

const fault_table fault_offset = { rows, sizeof rows / sizeof *rows };
