/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds the program: its standard streams, the limits that it was started with, its stack. */
#include "harness/base/platform.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_LEAST ((rlim_t)1 << 20)
#define STACK_SIZE  ((rlim_t)8 << 20)

void platform_begin(void)
{
    /* The next files that are opened would get the numbers of closed streams, and what is printed would end in them.
       Reading only for 1 and 2, so that printing fails; for 0, writing only. */
    for (int fd = 0; fd <= 2; ++fd)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            break;
    signal(SIGXFSZ, SIG_IGN);
}

/* Raise the limit of the stack, which the kernel reads when the stack grows. */
static bool has_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_LEAST)
        return true;
    limit.rlim_cur = limit.rlim_max < STACK_SIZE ? limit.rlim_max : STACK_SIZE;
    return limit.rlim_cur >= STACK_LEAST && setrlimit(RLIMIT_STACK, &limit) == 0;
}

#if defined(__GLIBC__)
typedef struct started {
    int (*f)(int argc, char **argv);
    int argc, result;
    char **argv;
} started;

/* makecontext() passes integers only. */
static void start(unsigned high, unsigned low)
{
    started *s = (started *)((uintptr_t)high << 16 << 16 | low); /* twice, because a pointer may have 32 bits */
    s->result = s->f(s->argc, s->argv);
}

int platform_run(int (*f)(int argc, char **argv), int argc, char **argv)
{
    ucontext_t here, there;
    started s = { f, argc, EXIT_HARNESS, argv };
    const uintptr_t at = (uintptr_t)&s;
    if (has_stack() || getcontext(&there) != 0)
        return f(argc, argv);
    unsigned char *stack = platform_map_guarded((size_t)STACK_SIZE);
    if (!stack)
        return f(argc, argv);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = (size_t)STACK_SIZE;
    there.uc_link = &here;
    makecontext(&there, (void (*)(void))start, 2, (unsigned)(at >> 16 >> 16), (unsigned)at);
    if (swapcontext(&here, &there) != 0)
        return f(argc, argv);
    platform_unmap_guarded(stack, (size_t)STACK_SIZE);
    return s.result;
}
#else
int platform_run(int (*f)(int argc, char **argv), int argc, char **argv)
{
    (void)has_stack();
    return f(argc, argv);
}
#endif
