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

static const fault rows[] = {
    { "flaky-quarter", ON_ALL, "every fourth call has a wrong first element, whatever the call", flaky_quarter, 0, 0 },
    { "order-after-large", ON_ALL, "after a large output, small outputs are wrong", after_large, 0, 0 },
    { "order-after-two", ON_ALL, "after a large odd and a large even output, small outputs are wrong", after_two, 0,
      0 },
    { "order-returned", ON_ALL, "a rank that is used again after another rank has a stale first element", returned, 0,
      0 },
};

const fault_table fault_order = { rows, sizeof rows / sizeof *rows };
