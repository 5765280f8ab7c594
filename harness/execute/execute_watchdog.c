/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/execute_watchdog.h"

bool watchdog_guarded_call(execute_watchdog *w, void (*f)(void *context), void *context, platform_fault *fault)
{
    if (!w)
        return platform_guarded_call(f, context, fault);
    uint64_t step = atomic_load_explicit(&w->step, memory_order_relaxed);
    atomic_store_explicit(&w->step, step + 1, memory_order_release);
    bool fine = platform_guarded_call(f, context, fault);
    atomic_store_explicit(&w->step, step + 2, memory_order_release);
    return fine;
}

void watchdog_set_cases(execute_watchdog *w, uint64_t first, uint64_t last)
{
    if (w) {
        atomic_store_explicit(&w->first, first, memory_order_relaxed);
        atomic_store_explicit(&w->last, last, memory_order_relaxed);
        atomic_fetch_add_explicit(&w->submissions, 1, memory_order_relaxed);
    }
}

void watchdog_set_class(execute_watchdog *w, uint64_t key)
{
    if (w)
        atomic_store(&w->class_key, key);
}

bool watchdog_stop_requested(const execute_watchdog *w)
{
    return w && atomic_load_explicit(&w->stop, memory_order_relaxed);
}
