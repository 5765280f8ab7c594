/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in accessing memory: elements left out or wrong, bytes read or written outside. */
#include "backends/faulty/fault.h"

#include <stdlib.h>

/* ---- elements that are not written ---------------------------------------------------------------------------- */

/* Run, but leave the elements from number `from` on unwritten. */
typedef struct keeping {
    uint64_t from;
    unsigned char *kept;
    bool restore;
} keeping;

static void keep_one(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const keeping *k = context;
    if (number < k->from)
        return;
    unsigned char *place = k->kept + (number - k->from) * bytes;
    if (k->restore)
        memcpy(element, place, bytes);
    else
        memcpy(place, element, bytes);
}

static void leave_from(const fault_call *call, uint64_t from)
{
    const uint64_t count = fault_count(call->out);
    keeping k = { from, NULL, false };
    if (from < count)
        k.kept = malloc((size_t)(count - from) * 8);
    if (!k.kept) {
        fault_run_right(call);
        return;
    }
    fault_each(call->out, keep_one, &k);
    fault_run_right(call);
    k.restore = true;
    fault_each(call->out, keep_one, &k);
    free(k.kept);
}

static void vector_tail(const fault_call *call)
{
    const uint64_t count = fault_count(call->out);
    leave_from(call, count - count % 8);
}

static void tail_64(const fault_call *call)
{
    const uint64_t count = fault_count(call->out);
    leave_from(call, count > 64 ? count - count % 64 : count);
}

static void last_unwritten(const fault_call *call)
{
    const uint64_t count = fault_count(call->out);
    leave_from(call, count > 0 ? count - 1 : 0);
}

/* ---- elements that are wrong ----------------------------------------------------------------------------------- */

static void corrupt(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    (void)bytes;
    if (number == *(const uint64_t *)context)
        *element ^= 1;
}

static void last_element(const fault_call *call)
{
    fault_run_right(call);
    uint64_t which = fault_count(call->out) - 1;
    fault_each(call->out, corrupt, &which);
}

static void first_element(const fault_call *call)
{
    fault_run_right(call);
    uint64_t which = 0;
    fault_each(call->out, corrupt, &which);
}

/* Element 32, the first of the second wave of 32. */
static void wave_seam(const fault_call *call)
{
    fault_run_right(call);
    uint64_t which = 32;
    fault_each(call->out, corrupt, &which);
}

static void sometimes(const fault_call *call)
{
    fault_run_right(call);
    uint64_t which = 0;
    if (call->number % 1000 == 999)
        fault_each(call->out, corrupt, &which);
}

static void every_other(const fault_call *call)
{
    fault_run_right(call);
    uint64_t which = 0;
    if (call->number % 2 == 1)
        fault_each(call->out, corrupt, &which);
}

static void stale_state(const fault_call *call)
{
    fault_run_right(call);
    if (fault_count(call->out) == 0)
        return;
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    unsigned char *element = tensor_at(call->out, coord);
    const size_t bytes = tensor_element_bytes(call->out->dtype);
    uint64_t right = 0;
    memcpy(&right, element, bytes);
    if (call->number > 0)
        memcpy(element, call->carried, bytes);
    *call->carried = right;
}

static void only_i16_8d(const fault_call *call)
{
    fault_run_right(call);
    uint64_t which = fault_count(call->out) - 1;
    if (call->out->dtype == TS_INT16 && call->out->rank == 8)
        fault_each(call->out, corrupt, &which);
}

/* ---- bytes beside the elements --------------------------------------------------------------------------------- */

static uint64_t span_bytes(const ts_tensor *t)
{
    uint64_t elements = 0;
    return tensor_span_elements(t, &elements) ? elements * tensor_element_bytes(t->dtype) : 0;
}

static void widened_bytes(const fault_call *call)
{
    fault_run_right(call);
    const uint64_t end = span_bytes(call->out);
    if (tensor_element_bytes(call->out->dtype) == 1 && end > 0)
        memset((unsigned char *)call->out->data + end, 0, 3);
}

static void widened_halves(const fault_call *call)
{
    fault_run_right(call);
    const uint64_t end = span_bytes(call->out);
    if (tensor_element_bytes(call->out->dtype) == 2 && end > 0)
        memset((unsigned char *)call->out->data + end, 0, 2);
}

static void write_past_end(const fault_call *call)
{
    fault_run_right(call);
    ((unsigned char *)call->out->data)[call->out->total_bytes] ^= 0x5A;
}

static void write_before(const fault_call *call)
{
    fault_run_right(call);
    ((unsigned char *)call->out->data)[-1] ^= 0x5A;
}

/* Bytes that a kernel clears first; none of a sparse tensor, because that would fill all memory. */
static size_t cleared(uint64_t bytes)
{
    return bytes >> 30 ? 0 : (size_t)bytes;
}

static void gap_write(const fault_call *call)
{
    /* A kernel that clears the whole buffer first, including gaps. */
    memset(call->out->data, 0, cleared(span_bytes(call->out)));
    fault_run_right(call);
}

static void clear_total(const fault_call *call)
{
    memset(call->out->data, 0, cleared((call->out->total_bytes + 15) & ~(uint64_t)15));
    fault_run_right(call);
}

static void read_past_end(const fault_call *call)
{
    /* A vector load that starts inside and ends beyond. Use the sum, otherwise the compiler drops the reads. */
    const volatile unsigned char *input = call->in->data;
    unsigned char sum = 0;
    for (uint64_t i = 0; i < 64; ++i)
        sum = (unsigned char)(sum + input[call->in->total_bytes + i]);
    *call->carried += sum;
    fault_run_right(call);
}

static void input_modified(const fault_call *call)
{
    fault_run_right(call);
    if (span_bytes(call->in) > 0)
        *(unsigned char *)call->in->data ^= 1;
}

static const fault rows[] = {
    { "vector-tail", ON_ALL, TAILS, "the remainder loop of an 8-wide copy is missing", .execute = vector_tail },
    { "tail-64", ON_ALL, TAILS, "the last, partial work group of 64 elements is missing", .execute = tail_64 },
    { "last-unwritten", ON_ALL, TAILS, "a loop ends one element early", .execute = last_unwritten },
    { "last-element", ON_ALL, TAILS, "the last element is wrong", .execute = last_element },
    { "first-element", ON_ALL, GRIDS, "the first element is wrong", .execute = first_element },
    { "wave-seam", ON_ALL, GRIDS, "the first element of the second wave of 32 is wrong", .execute = wave_seam },
    { "sometimes", ON_ALL, HISTORY, "a race: one call in a thousand has a wrong first element", .execute = sometimes },
    { "every-other", ON_ALL, HISTORY, "of two buffers used in turn, one is wrong", .execute = every_other },
    { "stale-state", ON_ALL, HISTORY, "a value of the last call is left in a cache", .execute = stale_state },
    { "only-i16-8d", ON_COPIES, COUNTS, "one specialised kernel is wrong: i16 with 8 dimensions", .dims = 8,
      .execute = only_i16_8d },
    { "widened-bytes", ON_COPIES | ON_OTHER, MEMORY, "8-bit stores are widened to 32 bits and write past the end",
      .execute = widened_bytes },
    { "widened-halves", ON_COPIES | ON_OTHER, MEMORY, "16-bit stores are widened to 32 bits and write past the end",
      .execute = widened_halves },
    { "write-past-end", ON_ALL, MEMORY, "one byte after the output is written", .execute = write_past_end },
    { "write-before", ON_ALL, MEMORY, "one byte before the output is written", .execute = write_before },
    { "gap-write", ON_ALL, MEMORY, "the output is cleared first, including gaps between rows", .execute = gap_write },
    { "clear-total", ON_ALL, MEMORY, "the output is cleared first, rounded up to 16 bytes", .execute = clear_total },
    { "read-past-end", ON_ALL, MEMORY, "a vector load reads up to 64 bytes beyond the input",
      .execute = read_past_end },
    { "input-modified", ON_ALL, MEMORY, "the input is used as scratch memory", .execute = input_modified },
};

const fault_table fault_memory = { rows, sizeof rows / sizeof *rows };
