/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/base/platform_threads.h"

#include <process.h>
#include <windows.h>

static unsigned __stdcall work(void *context)
{
    platform_make_calls(context);
    return 0;
}

void platform_each(size_t count, void (*f)(void *context, size_t i), void *context)
{
    platform_calls c = { .f = f, .context = context, .count = count };
    const size_t cores = platform_cores(), wanted = cores < count ? cores : count;
    HANDLE threads[PLATFORM_MOST_THREADS];
    DWORD started = 0;
    atomic_init(&c.next, 0);
    while (started + 1 < wanted && started < PLATFORM_MOST_THREADS &&
           (threads[started] = (HANDLE)_beginthreadex(NULL, PLATFORM_STACK_BYTES, work, &c,
                                                      STACK_SIZE_PARAM_IS_A_RESERVATION, NULL)) != NULL)
        ++started;
    platform_make_calls(&c);
    while (started > 0) {
        WaitForSingleObject(threads[--started], INFINITE);
        CloseHandle(threads[started]);
    }
}
