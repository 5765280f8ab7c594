/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform_process.h"

#include "harness/base/array.h"
#include "harness/base/platform.h"
#include "harness/base/platform_posix.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#define MESSAGE_SECONDS 30

struct platform_line {
    int fd;
};

struct platform_process {
    pid_t pid;
    platform_line line;
};

void *platform_shared_new(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void platform_shared_free(void *p, size_t size)
{
    if (p)
        munmap(p, size);
}

bool platform_line_send(platform_line *line, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = send(line->fd, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool platform_line_receive(platform_line *line, void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        ssize_t n = recv(line->fd, at, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* Used by one thread only: a worker must not inherit the connections of other workers, or the death of a worker would
   go unnoticed. */
static struct {
    int *fds;
    size_t count, capacity;
} held; /* this process's ends of the connections, and its locks */

bool platform_hold(int fd)
{
    if (!array_reserve(&held.fds, &held.capacity, held.count + 1, sizeof *held.fds))
        return false;
    held.fds[held.count++] = fd;
    return true;
}

void platform_let_go(int fd)
{
    for (size_t i = 0; i < held.count; ++i)
        if (held.fds[i] == fd)
            held.fds[i] = held.fds[--held.count];
    close(fd);
}

platform_process *platform_process_start(void (*f)(void *context, platform_line *line), void *context,
                                         const platform_spawn_data *spawn, error *e)
{
    (void)spawn; /* a forked process has a copy of everything */
    int ends[2];
    platform_process *p = calloc(1, sizeof *p);
    if (!p || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        error_set(e, "a worker process cannot be started: %s", p ? strerror(errno) : "out of memory");
        free(p);
        return NULL;
    }
    fflush(NULL); /* or both processes would write the buffered output */
    pid_t parent = getpid();
    p->pid = platform_hold(ends[0]) ? fork() : -1;
    if (p->pid < 0) {
        error_set(e, "a worker process cannot be started: %s", strerror(errno));
        platform_let_go(ends[0]);
        close(ends[1]);
        free(p);
        return NULL;
    }
    if (p->pid == 0) {
        for (size_t i = 0; i < held.count; ++i)
            close(held.fds[i]);
        dup2(STDERR_FILENO, STDOUT_FILENO); /* output of a vendor's library must not appear in a summary */
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_DFL);
#if defined(__linux__)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(0);
#else
        (void)parent;
#endif
        p->line.fd = ends[1];
        f(context, &p->line);
        _exit(0); /* without atexit handlers: they belong to the parent */
    }
    close(ends[1]);
    p->line.fd = ends[0];
    /* A process that stops in the middle of a message counts as gone. */
    const struct timeval most = { .tv_sec = MESSAGE_SECONDS };
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    return p;
}

bool platform_process_can_fork(void)
{
    return true;
}

const platform_spawned *platform_process_spawned(void)
{
    return NULL;
}

void platform_process_leave(void)
{
    _exit(0);
}

platform_line *platform_process_line(platform_process *p)
{
    return &p->line;
}

bool platform_process_wait(platform_process *const *p, size_t n, double seconds, bool *ready)
{
    struct pollfd *list = calloc(n ? n : 1, sizeof *list);
    bool any = false;
    memset(ready, 0, n * sizeof *ready);
    if (!list)
        return false;
    for (size_t i = 0; i < n; ++i)
        list[i] = (struct pollfd){ .fd = p[i] ? p[i]->line.fd : -1, .events = POLLIN };
    if (poll(list, (nfds_t)n, (int)(seconds * 1000 + 0.999)) > 0)
        for (size_t i = 0; i < n; ++i)
            any |= ready[i] = (list[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
    free(list);
    return any;
}

void platform_process_interrupt(platform_process *p)
{
    kill(p->pid, SIGUSR2);
}

uint64_t platform_process_memory(const platform_process *p)
{
    char path[64];
    unsigned long long size, resident = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)p->pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    if (fscanf(f, "%llu %llu", &size, &resident) != 2)
        resident = 0;
    fclose(f);
    return resident * platform_page_size();
}

bool platform_process_used(const platform_process *p, double *seconds, bool *runs)
{
    char path[64], line[512], *name_end = NULL;
    struct timespec used;
    clockid_t clock;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)p->pid);
    FILE *f = fopen(path, "r");
    if (f && fgets(line, sizeof line, f))
        name_end = strrchr(line, ')'); /* the state follows the name, which may contain any character */
    if (f)
        fclose(f);
    if (!name_end || name_end[1] != ' ' || clock_getcpuclockid(p->pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return false;
    *runs = name_end[2] == 'R';
    *seconds = (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
    return true;
}

uint64_t platform_machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? (uint64_t)pages * platform_page_size() : 0;
}

/* Killed processes that were not waited for: the operating system takes a millisecond to remove one, during which
   others can be started. */
static struct {
    pid_t pids[16];
    size_t count;
} leaving;

static void wait_for(pid_t pid, int *status)
{
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
}

static void see_off(pid_t pid)
{
    for (size_t i = leaving.count; i-- > 0;)
        if (waitpid(leaving.pids[i], NULL, WNOHANG) != 0)
            leaving.pids[i] = leaving.pids[--leaving.count];
    if (leaving.count == sizeof leaving.pids / sizeof *leaving.pids)
        wait_for(leaving.pids[--leaving.count], NULL);
    leaving.pids[leaving.count++] = pid;
}

void platform_process_end(platform_process *p, double seconds, char *buf, size_t size)
{
    int status = 0;
    pid_t gone;
    if (!p)
        return;
    double until = platform_seconds() + seconds;
    platform_let_go(p->line.fd);
    while ((gone = waitpid(p->pid, &status, WNOHANG)) == 0 && platform_seconds() < until)
        nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
    if (gone == 0) {
        kill(p->pid, SIGKILL);
        if (buf)
            wait_for(p->pid, &status);
        else
            see_off(p->pid);
    }
    if (buf && WIFSIGNALED(status))
        snprintf(buf, size, "was killed by SIG%s", sigabbrev_np(WTERMSIG(status)));
    else if (buf)
        snprintf(buf, size, "ended with exit status %d", WEXITSTATUS(status));
    free(p);
}
