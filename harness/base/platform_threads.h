/* SPDX-License-Identifier: Apache-2.0 */
/* What the threads of platform_each share; for platform_threads_*.c. */
#ifndef TOUCHSTONE_PLATFORM_THREADS_H
#define TOUCHSTONE_PLATFORM_THREADS_H

#include <stdatomic.h>
#include <stddef.h>

enum { PLATFORM_MOST_THREADS = 16, PLATFORM_STACK_BYTES = 8 << 20 };

typedef struct platform_calls {
    void (*f)(void *context, size_t i);
    void *context;
    size_t count;
    atomic_size_t next; /* the first call that no thread has taken */
} platform_calls;

/* Take calls and make them, until there are none. */
static inline void platform_make_calls(platform_calls *c)
{
    for (size_t i; (i = atomic_fetch_add(&c->next, 1)) < c->count;)
        c->f(c->context, i);
}

#endif
