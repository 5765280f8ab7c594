/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/base/platform_threads.h"

#include <pthread.h>
#include <signal.h>

static void *work(void *context)
{
    platform_make_calls(context);
    return NULL;
}

void platform_each(size_t count, void (*f)(void *context, size_t i), void *context)
{
    platform_calls c = { .f = f, .context = context, .count = count };
    const size_t cores = platform_cores(), wanted = cores < count ? cores : count;
    pthread_t threads[PLATFORM_MOST_THREADS];
    pthread_attr_t attributes;
    size_t started = 0;
    sigset_t all, before;
    atomic_init(&c.next, 0);
    if (wanted > 1 && pthread_attr_init(&attributes) == 0) {
        pthread_attr_setstacksize(&attributes, PLATFORM_STACK_BYTES);
        sigfillset(&all); /* signals are for the calling thread */
        pthread_sigmask(SIG_SETMASK, &all, &before);
        while (started + 1 < wanted && started < PLATFORM_MOST_THREADS &&
               pthread_create(&threads[started], &attributes, work, &c) == 0)
            ++started;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    platform_make_calls(&c);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}
