/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

enum { MOST_THREADS = 16, STACK_BYTES = 8 << 20 };

typedef struct calls {
    void (*f)(void *context, size_t i);
    void *context;
    size_t count;
    atomic_size_t next;
} calls;

static void *work(void *context)
{
    calls *c = context;
    for (size_t i; (i = atomic_fetch_add(&c->next, 1)) < c->count;)
        c->f(c->context, i);
    return NULL;
}

void platform_each(size_t count, void (*f)(void *context, size_t i), void *context)
{
    calls c = { .f = f, .context = context, .count = count };
    const size_t cores = platform_cores(), wanted = cores < count ? cores : count;
    pthread_t threads[MOST_THREADS];
    pthread_attr_t attributes;
    size_t started = 0;
    sigset_t all, before;
    atomic_init(&c.next, 0);
    if (wanted > 1 && pthread_attr_init(&attributes) == 0) {
        pthread_attr_setstacksize(&attributes, STACK_BYTES);
        sigfillset(&all); /* signals are for the calling thread */
        pthread_sigmask(SIG_SETMASK, &all, &before);
        while (started + 1 < wanted && started < MOST_THREADS &&
               pthread_create(&threads[started], &attributes, work, &c) == 0)
            ++started;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    work(&c);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}
