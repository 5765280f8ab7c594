/* SPDX-License-Identifier: Apache-2.0 */
/* Intermittent faults: they depend on the number of calls, or on earlier calls in the same process. */
#include "backends/faulty/fault.h"

enum { FEW = 3, MANY = 9, CLASS_BITS = 53 };

/* The lowest bit of the first element. */
static void corrupt_first(const fault_call *call)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    if (fault_count(call->out) > 0)
        *(unsigned char *)tensor_at(call->out, coord) ^= 1;
}

static bool is_small(const fault_call *call)
{
    const uint64_t count = fault_count(call->out);
    return count > 0 && count <= FEW;
}

static void flaky_quarter(const fault_call *call)
{
    fault_run_right(call);
    if (call->number % 4 == 3)
        corrupt_first(call);
}

static void after_large(const fault_call *call)
{
    fault_run_right(call);
    if (fault_count(call->out) >= MANY)
        *call->carried = 1;
    if (*call->carried && is_small(call))
        corrupt_first(call);
}

static void after_two(const fault_call *call)
{
    const uint64_t count = fault_count(call->out);
    fault_run_right(call);
    if (count >= MANY)
        *call->carried |= count % 2 ? 1 : 2;
    if (*call->carried == 3 && is_small(call))
        corrupt_first(call);
}

/* The first call of a rank is wrong if the rank was used earlier and another rank in between. `carried` has a bit for
   each rank that was used earlier and, above these bits, the rank of the last call. */
static void returned(const fault_call *call)
{
    const uint64_t class = call->out->rank % CLASS_BITS;
    const uint64_t last = *call->carried >> CLASS_BITS; /* 0: none */
    fault_run_right(call);
    if (last && last - 1 != class) {
        *call->carried |= UINT64_C(1) << (last - 1);
        if (*call->carried >> class & 1)
            corrupt_first(call);
    }
    *call->carried = (*call->carried & ((UINT64_C(1) << CLASS_BITS) - 1)) | (class + 1) << CLASS_BITS;
}

static void first_call(const fault_call *call)
{
    fault_run_right(call);
    if (call->number == 0)
        corrupt_first(call);
}

static void ring_128(const fault_call *call)
{
    fault_run_right(call);
    if (call->number > 0 && call->number % 128 == 0)
        corrupt_first(call);
}

/* `carried` is the number of elements that the scratch memory holds. It grows only if it is less than half of what a
   call needs. */
static void scratch_growth(const fault_call *call)
{
    const uint64_t count = fault_count(call->out);
    fault_run_right(call);
    if (count > *call->carried && count / 2 < *call->carried)
        corrupt_first(call);
    else if (count > *call->carried)
        *call->carried = count;
}

static bool note_refusal(const fault_call *call, const ts_report *report)
{
    *call->carried |= fault_refuses(report);
    return !fault_refuses(report);
}

static void after_refused(const fault_call *call)
{
    fault_run_right(call);
    if (*call->carried)
        corrupt_first(call);
    *call->carried = 0;
}

static const fault rows[] = {
    { "flaky-quarter", ON_ALL, HISTORY, "every fourth call has a wrong first element, whatever the call",
      .execute = flaky_quarter },
    { "order-after-large", ON_ALL, HISTORY, "after a large output, small outputs are wrong", .execute = after_large },
    { "order-after-two", ON_ALL, HISTORY, "after a large odd and a large even output, small outputs are wrong",
      .execute = after_two },
    { "order-returned", ON_ALL, HISTORY, "a rank that is used again after another rank has a stale first element",
      .execute = returned, .ranks = true },
    { "order-first", ON_ALL, HISTORY, "the first call uses a table that is filled only after it",
      .execute = first_call },
    { "order-ring-128", ON_ALL, HISTORY, "every 128th call reuses an entry of a ring that is still in use",
      .execute = ring_128 },
    { "order-growth", ON_ALL, HISTORY, "scratch memory does not grow for less than twice its size",
      .execute = scratch_growth },
    { "order-refused", ON_ALL, HISTORY, "the call after a refused one starts from what that one left behind",
      .execute = after_refused, .judge = note_refusal },
};

const fault_table fault_order = { rows, sizeof rows / sizeof *rows };
