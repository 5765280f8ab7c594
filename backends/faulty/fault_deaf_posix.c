/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/faulty/fault.h"

#include <signal.h>
#include <time.h>

void fault_hang_deaf(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;)
        nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
}
