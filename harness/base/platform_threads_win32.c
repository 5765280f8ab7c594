/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"

#include <process.h>
#include <stdatomic.h>
#include <windows.h>

enum { MOST_THREADS = 16, STACK_BYTES = 8 << 20 };

typedef struct calls {
    void (*f)(void *context, size_t i);
    void *context;
    size_t count;
    atomic_size_t next;
} calls;

static unsigned __stdcall work(void *context)
{
    calls *c = context;
    for (size_t i; (i = atomic_fetch_add(&c->next, 1)) < c->count;)
        c->f(c->context, i);
    return 0;
}

void platform_each(size_t count, void (*f)(void *context, size_t i), void *context)
{
    calls c = { .f = f, .context = context, .count = count };
    const size_t cores = platform_cores(), wanted = cores < count ? cores : count;
    HANDLE threads[MOST_THREADS];
    DWORD started = 0;
    atomic_init(&c.next, 0);
    while (started + 1 < wanted && started < MOST_THREADS &&
           (threads[started] =
                (HANDLE)_beginthreadex(NULL, STACK_BYTES, work, &c, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL)) != NULL)
        ++started;
    work(&c);
    while (started > 0) {
        WaitForSingleObject(threads[--started], INFINITE);
        CloseHandle(threads[started]);
    }
}
