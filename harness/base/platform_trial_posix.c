/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

/* In the copy: whatever it does ends it, and nothing else. */
static void run_copy(void (*f)(void *context), void *context, unsigned seconds, pid_t parent)
{
    static const int deadly[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGXCPU };
    const struct rlimit time = { seconds, seconds + 1 }, none = { 0, 0 };
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; ++i)
        signal(deadly[i], SIG_DFL);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent || setrlimit(RLIMIT_CPU, &time) != 0 || setrlimit(RLIMIT_CORE, &none) != 0)
        _exit(1);
    f(context);
    _exit(0);
}

platform_trial platform_try(void (*f)(void *context), void *context, unsigned seconds)
{
    int status;
    const pid_t parent = getpid(), copy = fork();
    if (copy < 0)
        return PLATFORM_TRIAL_FAILED;
    if (copy == 0)
        run_copy(f, context, seconds, parent);
    while (waitpid(copy, &status, 0) < 0)
        if (errno != EINTR)
            return PLATFORM_TRIAL_FAILED;
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == 0 ? PLATFORM_TRIAL_ENDED : PLATFORM_TRIAL_FAILED;
    /* The hard limit kills where the soft one was ignored or had no time to act. */
    return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? PLATFORM_TRIAL_ENDLESS : PLATFORM_TRIAL_DIED;
}
