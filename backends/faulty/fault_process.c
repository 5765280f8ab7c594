/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that end or stall their process. Unless stated otherwise they affect one case in a hundred, and always the
   same cases, whatever ran before and in whichever process. */
#include "backends/faulty/fault.h"

#include <stdlib.h>

enum { EVERY = 100, LEAKED = 64 * 1024 };

static uint64_t mix(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return sum ^ (sum >> 32);
}

/* The number of a case, 0 to 99, derived from its descriptor only. */
static uint64_t turn_of(const fault_call *call)
{
    const ts_descriptor *d = call->d;
    uint64_t sum = call->on;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        const ts_tensor *tensor = &d->tensors[t];
        sum = mix(sum, (uint64_t)tensor->dtype << 32 | tensor->rank);
        for (uint32_t i = 0; i < tensor->rank; ++i)
            sum = mix(mix(sum, tensor->sizes[i]), tensor->strides[i]);
    }
    for (size_t i = 0; i < d->op->attrs_size; ++i)
        sum = mix(sum, d->attrs[i]);
    return sum % EVERY;
}

static void crash(void)
{
    volatile uintptr_t nowhere = 64; /* a member of a missing object */
    *(volatile int *)nowhere = 1;
}

static void hang(void)
{
    for (volatile unsigned i = 0;; ++i)
        continue;
}

static void eat(void)
{
    for (;;) {
        volatile char *block = malloc(1 << 20);
        for (size_t i = 0; block && i < 1 << 20; i += 4096)
            block[i] = 1;
    }
}

static void leak(void)
{
    volatile char *block = malloc(LEAKED);
    for (size_t i = 0; block && i < LEAKED; i += 4096)
        block[i] = 1;
}

/* Write without reading first, which would be another finding. The value differs from all poison. */
static void scribble(const fault_call *call)
{
    ((volatile unsigned char *)call->out->data)[-1] = 0x5A;
}

static void fail(const fault_call *call, void (*what)(void))
{
    if (turn_of(call) == 0)
        what();
    fault_run_right(call);
}

static void leave(void)
{
    exit(0);
}

static void process_crash(const fault_call *call)
{
    fail(call, crash);
}

static void process_abort(const fault_call *call)
{
    fail(call, abort);
}

static void process_exit(const fault_call *call)
{
    fail(call, leave);
}

static void process_hang(const fault_call *call)
{
    fail(call, hang);
}

static void process_deaf(const fault_call *call)
{
    fail(call, fault_hang_deaf);
}

static void process_memory(const fault_call *call)
{
    fail(call, eat);
}

static void process_leak(const fault_call *call)
{
    leak();
    fault_run_right(call);
}

static void process_always(const fault_call *call)
{
    (void)call;
    abort();
}

/* One case in a hundred each. */
static void process_storm(const fault_call *call)
{
    fault_run_right(call);
    switch (turn_of(call)) {
    case 0: crash(); break;
    case 1: hang(); break;
    case 2: leak(); break;
    case 3: scribble(call); break;
    default: break;
    }
}

/* Depends only on the last call, not on this one. */
static void process_order(const fault_call *call)
{
    if (*call->carried && call->out->rank > *call->carried)
        _Exit(0);
    *call->carried = call->out->rank;
    fault_run_right(call);
}

static void process_storm_marked(const fault_call *call)
{
    fault_run_right(call);
    uint64_t turn = turn_of(call);
    if (turn <= 3 && turn != 2)
        scribble(call);
}

static const fault rows[] = {
    { "process-crash", ON_ALL, PROCESS, "one case in a hundred writes through a null pointer",
      .execute = process_crash },
    { "process-abort", ON_ALL, PROCESS, "one case in a hundred fails an assertion", .execute = process_abort },
    { "process-exit", ON_ALL, PROCESS, "one case in a hundred exits the process with status 0",
      .execute = process_exit },
    { "process-hang", ON_ALL, PROCESS, "one case in a hundred does not return", .execute = process_hang },
    { "process-deaf", ON_ALL, PROCESS, "one case in a hundred does not return and blocks all signals",
      .execute = process_deaf },
    { "process-memory", ON_ALL, PROCESS, "one case in a hundred allocates memory without end",
      .execute = process_memory },
    { "process-leak", ON_ALL, PROCESS, "every call leaks 64 KiB", .execute = process_leak },
    { "process-always", ON_ALL, PROCESS, "every case ends the process", .execute = process_always },
    { "process-storm", ON_ALL, PROCESS, "of a hundred cases, one crashes, one hangs, one leaks and one writes outside",
      .execute = process_storm },
    { "process-storm-marked", ON_ALL, PROCESS, "the cases that fail in process-storm only write outside",
      .execute = process_storm_marked },
    { "process-order", ON_ALL, PROCESS, "a call with more dimensions than the last one ends the process",
      .execute = process_order, .ranks = true },
};

const fault_table fault_process = { rows, sizeof rows / sizeof *rows };
