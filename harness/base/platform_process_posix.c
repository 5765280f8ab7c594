/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform_process_posix.h"

#include "harness/base/array.h"
#include "harness/base/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#define MESSAGE_SECONDS 2.0
#define CHATTY_MS       5 /* see posix_output_is_awaited */

struct platform_line {
    int fd;
    bool limited; /* a message of the other end has to arrive within MESSAGE_SECONDS */
    bool ended;   /* the process at the other end has ended: what it sent is there, and no more will come */
};

struct platform_process {
    pid_t pid;
    platform_line line;
    posix_output output; /* what it prints */
};

/* ---- connections ---- */

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
    const double until = platform_seconds() + MESSAGE_SECONDS;
    while (size > 0) {
        ssize_t n = recv(line->fd, at, size, line->ended ? MSG_DONTWAIT : 0);
        const bool again = n < 0 && (errno == EINTR || (errno == EAGAIN && !line->ended));
        if (again && (!line->limited || platform_seconds() < until))
            continue;
        if (n <= 0 || (line->limited && platform_seconds() >= until))
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* Close every descriptor of this process but the standard streams and `kept`: a worker must not reach the run file, the
   connections of other workers or the lock of the run. */
static void close_all_but(int kept)
{
#if defined(SYS_close_range)
    if ((kept == 3 || syscall(SYS_close_range, 3u, (unsigned)kept - 1, 0u) == 0) &&
        syscall(SYS_close_range, (unsigned)kept + 1, ~0u, 0u) == 0)
        return;
#endif
    struct rlimit most;
    const int end = getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur < 1 << 20 ? (int)most.rlim_cur : 1 << 20;
    for (int fd = 3; fd < end; ++fd)
        if (fd != kept)
            close(fd);
}

/* ---- processes that workers leave behind ---- */

typedef struct pid_list {
    pid_t *pids;
    size_t count, capacity;
} pid_list;

static bool add_pid(pid_list *list, pid_t pid)
{
    if (!array_reserve(&list->pids, &list->capacity, list->count + 1, sizeof *list->pids))
        return false;
    list->pids[list->count++] = pid;
    return true;
}

static void remove_pid(pid_list *list, pid_t pid)
{
    for (size_t i = 0; i < list->count; ++i)
        if (list->pids[i] == pid)
            list->pids[i] = list->pids[--list->count];
}

static pid_list workers; /* that this process started and has not reaped yet */

#if defined(__linux__)
static pid_list others; /* children that were there before the first worker: another program may have started them */

static bool has_pid(const pid_list *list, pid_t pid)
{
    for (size_t i = 0; i < list->count; ++i)
        if (list->pids[i] == pid)
            return true;
    return false;
}

/* The children that a process, whose threads but the first start none, has at this moment. The caller frees them. */
static pid_list children_of(pid_t parent)
{
    pid_list list = { NULL, 0, 0 };
    char path[64];
    long pid;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    FILE *children = fopen(path, "r");
    while (children && fscanf(children, "%ld", &pid) == 1)
        if (!add_pid(&list, (pid_t)pid))
            break;
    if (children)
        fclose(children);
    return list;
}

/* Kill the processes that became children of this one when their parents ended. What they have started becomes a child
   of this process then, so look again. */
static void kill_orphans(void)
{
    bool more = true;
    for (int k = 0; more && k < 1000; ++k) {
        pid_list list = children_of(getpid());
        more = false;
        for (size_t i = 0; i < list.count; ++i)
            if (!has_pid(&workers, list.pids[i]) && !has_pid(&others, list.pids[i]) &&
                kill(list.pids[i], SIGKILL) == 0) {
                waitpid(list.pids[i], NULL, 0);
                more = true;
            }
        free(list.pids);
    }
}

/* From now on, a process that left its worker's process group becomes a child of this process when its parent ends, so
   that kill_orphans finds it. */
static void adopt_orphans(void)
{
    static bool adopting;
    if (!adopting && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0)
        others = children_of(getpid());
    adopting = true;
}
#endif

/* Give a new process its standard streams. printed: a pipe, or -1 for the standard error that it has. */
static void redirect_streams(int printed)
{
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO); /* a backend is not to read what is meant for this program */
    if (printed >= 0)
        dup2(printed, STDERR_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);    /* output of a vendor's library must not appear in a summary */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* so that lines are not lost with the process */
}

platform_process *platform_process_start(void (*f)(void *context, platform_line *line), void *context,
                                         const platform_spawn_data *spawn, error *e)
{
    int ends[2], printed;
    platform_process *p = calloc(1, sizeof *p);
    if (!p || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        error_set(e, "a worker process cannot be started: %s", p ? strerror(errno) : "out of memory");
        free(p);
        return NULL;
    }
    const bool piped = posix_output_open(&p->output, spawn, &printed);
    fflush(NULL); /* or both processes would write the buffered output */
    pid_t parent = getpid();
#if defined(__linux__)
    adopt_orphans();
#endif
    const bool room = array_reserve(&workers.pids, &workers.capacity, workers.count + 1, sizeof *workers.pids);
    p->pid = piped && room ? fork() : -1;
    if (p->pid < 0) {
        error_set(e, "a worker process cannot be started: %s", strerror(errno));
        close(ends[0]);
        close(ends[1]);
        posix_output_close(&p->output);
        if (printed >= 0)
            close(printed);
        free(p);
        return NULL;
    }
    if (p->pid == 0) {
        setpgid(0, 0); /* with it end the processes that it starts */
        redirect_streams(printed);
        close_all_but(ends[1]);
        if (spawn)
            posix_restrict_shared(spawn);
        signal(SIGINT, SIG_IGN);
        signal(SIGTTOU, SIG_IGN); /* a terminal may stop background processes that write to it */
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
    setpgid(p->pid, p->pid); /* whichever of the two processes is first */
    add_pid(&workers, p->pid);
    close(ends[1]);
    if (printed >= 0)
        close(printed);
    p->line.fd = ends[0];
    p->line.limited = true;
    const struct timeval most = { .tv_sec = 1 }; /* then the limit of a message is checked */
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

bool platform_process_has_ended(const platform_process *p)
{
    siginfo_t info = { .si_pid = 0 };
    return waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

bool platform_process_wait(platform_process *const *p, size_t n, double seconds, bool *ready)
{
    struct pollfd *list = calloc(2 * n + 1, sizeof *list);
    bool any = false;
    int ms = (int)(seconds * 1000 + 0.999);
    memset(ready, 0, n * sizeof *ready);
    if (!list)
        return false;
    for (size_t i = 0; i < n; ++i) {
        list[i] = (struct pollfd){ .fd = p[i] ? p[i]->line.fd : -1, .events = POLLIN };
        list[n + i] = (struct pollfd){ .fd = p[i] && posix_output_is_awaited(&p[i]->output) ? p[i]->output.fd : -1,
                                       .events = POLLIN };
        if (p[i] && p[i]->output.fd >= 0 && !posix_output_is_awaited(&p[i]->output) && ms > CHATTY_MS)
            ms = CHATTY_MS;
    }
    poll(list, (nfds_t)(2 * n), ms);
    for (size_t i = 0; i < n; ++i) {
        if (p[i])
            posix_output_read(&p[i]->output); /* first: what it printed belongs to what it was asked to do until now */
        ready[i] = (list[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
        /* Where a process that the worker started still holds the connection, the end of the worker does not close it.
         */
        if (p[i] && !ready[i] && platform_process_has_ended(p[i]))
            ready[i] = p[i]->line.ended = true;
        any |= ready[i];
    }
    free(list);
    return any;
}

void platform_process_interrupt(platform_process *p)
{
    kill(p->pid, SIGUSR2);
}

/* What is asked about a process is asked about those that it started, too, and these about theirs, so many deep. */
#define GENERATIONS 8

/* *shared: of the resident pages, those that are of files and of shared memory. */
static uint64_t resident_pages(pid_t pid, int generations, uint64_t *shared)
{
    char path[64];
    unsigned long long size, resident = 0, of_files = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    if (fscanf(f, "%llu %llu %llu", &size, &resident, &of_files) != 3)
        resident = of_files = 0;
    fclose(f);
    *shared += of_files;
#if defined(__linux__)
    pid_list children = generations > 0 ? children_of(pid) : (pid_list){ NULL, 0, 0 };
    for (size_t i = 0; i < children.count; ++i)
        resident += resident_pages(children.pids[i], generations - 1, shared);
    free(children.pids);
#endif
    return resident;
}

#if defined(__linux__)
/* The bytes of memory files (memfd_create) that a process has open. */
static uint64_t memory_file_bytes(pid_t pid)
{
    char path[64], target[16];
    uint64_t bytes = 0;
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    DIR *d = opendir(path);
    for (const struct dirent *entry; d && (entry = readdir(d)) != NULL;) {
        struct stat file;
        if (readlinkat(dirfd(d), entry->d_name, target, sizeof target) > 7 && memcmp(target, "/memfd:", 7) == 0 &&
            fstatat(dirfd(d), entry->d_name, &file, 0) == 0)
            bytes += (uint64_t)file.st_blocks * 512;
    }
    if (d)
        closedir(d);
    return bytes;
}
#else
static uint64_t memory_file_bytes(pid_t pid)
{
    (void)pid;
    return 0;
}
#endif

uint64_t platform_process_memory(const platform_process *p)
{
    uint64_t shared = 0;
    const uint64_t resident = resident_pages(p->pid, GENERATIONS, &shared) * platform_page_size();
    const uint64_t mapped = shared * platform_page_size(), files = memory_file_bytes(p->pid);
    return resident + (files > mapped ? files - mapped : 0);
}

/* The processor time of a process and whether it is runnable, added to *seconds and *runs. */
static bool add_used(pid_t pid, int generations, double *seconds, bool *runs)
{
    char path[64], line[512], *name_end = NULL;
    struct timespec used;
    clockid_t clock;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *f = fopen(path, "r");
    if (f && fgets(line, sizeof line, f))
        name_end = strrchr(line, ')'); /* the state follows the name, which may contain any character */
    if (f)
        fclose(f);
    if (!name_end || name_end[1] != ' ' || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return false;
    *runs |= name_end[2] == 'R';
    *seconds += (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
#if defined(__linux__)
    pid_list children = generations > 0 ? children_of(pid) : (pid_list){ NULL, 0, 0 };
    for (size_t i = 0; i < children.count; ++i)
        add_used(children.pids[i], generations - 1, seconds, runs);
    free(children.pids);
#else
    (void)generations;
#endif
    return true;
}

bool platform_process_used(const platform_process *p, double *seconds, bool *runs)
{
    *runs = posix_output_floods(&p->output);
    *seconds = 0;
    return add_used(p->pid, GENERATIONS, seconds, runs);
}

uint64_t platform_machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? (uint64_t)pages * platform_page_size() : 0;
}

/* ---- limits of this process ---- */

/* The type of a resource differs between C libraries: only its constants are portable. */
#define EACH_LIMIT(ONE)                                                                                                \
    ONE(RLIMIT_AS, "address space")                                                                                    \
    ONE(RLIMIT_DATA, "data")                                                                                           \
    ONE(RLIMIT_NOFILE, "open files")                                                                                   \
    ONE(RLIMIT_FSIZE, "the size of files")                                                                             \
    ONE(RLIMIT_STACK, "stack")                                                                                         \
    ONE(RLIMIT_CPU, "processor time")

#define NAME(resource, name) name,
static const char *const limit_names[] = { EACH_LIMIT(NAME) };
#define LIMIT_COUNT (sizeof limit_names / sizeof *limit_names)
#define LIMIT_PROBE ((size_t)1 << 20)

#define STACK_TOUCHED ((size_t)1 << 18) /* bytes: what the process needs of its stack later, and more */

static rlim_t noted[LIMIT_COUNT];

/* Let the stack grow now: under a lower limit it cannot, and the call that needs it ends the process. */
static void touch_stack(void)
{
    volatile unsigned char stack[STACK_TOUCHED];
    for (size_t at = sizeof stack; at >= 4096; at -= 4096)
        stack[at - 4096] = 0;
}

static void read_limits(rlim_t *limits)
{
    struct rlimit now;
#define READ(resource, name) *limits++ = getrlimit(resource, &now) == 0 ? now.rlim_cur : 0;
    EACH_LIMIT(READ)
}

void platform_process_note_limits(void)
{
    read_limits(noted);
    touch_stack();
}

bool platform_process_check(error *e)
{
    rlim_t now[LIMIT_COUNT];
    read_limits(now);
    for (size_t i = 0; i < LIMIT_COUNT; ++i)
        if (now[i] < noted[i])
            return error_set(e, "lowered the limit of its process on %s", limit_names[i]);
    void *probe = mmap(NULL, LIMIT_PROBE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED)
        return error_set(e, "left its process without memory to map");
    munmap(probe, LIMIT_PROBE);
    return true;
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
    close(p->line.fd);
    while ((gone = waitpid(p->pid, &status, WNOHANG)) == 0 && platform_seconds() < until) {
        posix_output_read(&p->output); /* a full pipe keeps it from ending */
        nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
    }
    if (gone == 0)
        kill(p->pid, SIGKILL);
    kill(-p->pid, SIGKILL); /* what the worker started and did not end */
    if (gone == 0 && buf)
        wait_for(p->pid, &status);
    else if (gone == 0)
        see_off(p->pid);
    remove_pid(&workers, p->pid);
#if defined(__linux__)
    kill_orphans();
#endif
    posix_output_read(&p->output);
    posix_output_close(&p->output);
    if (buf && WIFSIGNALED(status))
        snprintf(buf, size, "was killed by SIG%s", sigabbrev_np(WTERMSIG(status)));
    else if (buf)
        snprintf(buf, size, "ended with exit status %d", WEXITSTATUS(status));
    free(p);
}
