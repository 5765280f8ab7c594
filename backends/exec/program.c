/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/exec/program.h"

#include "backends/exec/describe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MS       100 /* a child of the program may hold its connection open: look whether the program is there */
#define LEAVE_SECONDS 1.0 /* to end after CLOSE */
#define REAP_SECONDS  0.2 /* between the end of the connection and that of the process */
#define STARTED       5   /* the descriptor by which the new process says why it cannot become the program */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- starting ---- */

static void close_from(unsigned first)
{
#if defined(SYS_close_range)
    if (syscall(SYS_close_range, first, ~0u, 0u) == 0)
        return;
#endif
    struct rlimit most;
    const unsigned end =
        getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur < 1 << 20 ? (unsigned)most.rlim_cur : 1u << 20;
    for (unsigned fd = first; fd < end; ++fd)
        close((int)fd);
}

/* In the new process: become the program. Descriptors are first moved out of the way of the numbers that they get. */
static void become(char *const *words, int line, int memory, int errors, int started, pid_t parent)
{
    enum { AWAY = 16 };
    static char names[1 << 16];
    char version[16];
    const int nothing = open("/dev/null", O_RDONLY);
    line = fcntl(line, F_DUPFD, AWAY);
    memory = fcntl(memory, F_DUPFD, AWAY);
    errors = fcntl(errors, F_DUPFD, AWAY);
    started = fcntl(started, F_DUPFD, AWAY);
    if (started < 0)
        _exit(127);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    dup2(STDERR_FILENO, STDOUT_FILENO); /* what it prints must not appear in a summary */
    const bool fine = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0 &&
                      dup2(line, TS_EXEC_LINE) >= 0 && dup2(memory, TS_EXEC_MEMORY) >= 0 && dup2(started, STARTED) >= 0;
    fcntl(STARTED, F_SETFD, FD_CLOEXEC);
    close_from(STARTED + 1);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTTOU, SIG_IGN);
    snprintf(version, sizeof version, "%d", TS_EXEC_VERSION);
    setenv(TS_EXEC_VARIABLE, version, 1);
    if (describe_names(names, sizeof names))
        setenv(TS_EXEC_NAMES, names, 1);
    if (fine)
        execvp(words[0], words);
    const int number = errno;
    while (write(STARTED, &number, sizeof number) < 0 && errno == EINTR)
        ;
    _exit(127);
}

static void close_pair(int *ends)
{
    for (int i = 0; i < 2; ++i)
        if (ends[i] >= 0)
            close(ends[i]);
}

bool program_start(program *p, char *const *words, int memory)
{
    int line[2] = { -1, -1 }, errors[2] = { -1, -1 }, started[2] = { -1, -1 }, number = 0;
    p->pid = 0;
    p->number = 0;
    p->printed_size = 0;
    p->why[0] = '\0';
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) == 0 && pipe2(errors, O_CLOEXEC) == 0 &&
        pipe2(started, O_CLOEXEC) == 0) {
        fflush(NULL);
        const pid_t parent = getpid();
        p->pid = fork();
        if (p->pid == 0)
            become(words, line[1], memory, errors[1], started[1], parent);
    }
    if (p->pid <= 0) {
        snprintf(p->why, sizeof p->why, "a process cannot be started: %s", strerror(errno));
        close_pair(line);
        close_pair(errors);
        close_pair(started);
        p->pid = 0;
        return false;
    }
    setpgid(p->pid, p->pid); /* whichever of the two processes is first */
    close(line[1]);
    close(errors[1]);
    close(started[1]);
    p->line = line[0];
    p->errors = errors[0];
    fcntl(p->errors, F_SETFL, O_NONBLOCK);
    ssize_t n;
    do
        n = read(started[0], &number, sizeof number);
    while (n < 0 && errno == EINTR);
    close(started[0]);
    if (n <= 0)
        return true;
    snprintf(p->why, sizeof p->why, "'%s' cannot be started: %s", words[0], strerror(number));
    program_kill(p);
    return false;
}

/* ---- what it prints ---- */

/* Keep the end of what was printed. */
static void keep_printed(program *p, const char *bytes, size_t n)
{
    if (n >= sizeof p->printed) {
        bytes += n - sizeof p->printed;
        n = sizeof p->printed;
        p->printed_size = 0;
    }
    if (p->printed_size + n > sizeof p->printed) {
        const size_t gone = p->printed_size + n - sizeof p->printed;
        memmove(p->printed, p->printed + gone, p->printed_size - gone);
        p->printed_size -= gone;
    }
    memcpy(p->printed + p->printed_size, bytes, n);
    p->printed_size += n;
}

/* Read what the program printed to its standard error, and print it. */
static void read_errors(program *p)
{
    static const size_t most = (size_t)1 << 20; /* a program that floods its standard error must not stop the run */
    char bytes[4096];
    size_t all = 0;
    while (p->errors >= 0 && all < most) {
        const ssize_t n = read(p->errors, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            if (n == 0) {
                close(p->errors);
                p->errors = -1;
            }
            return;
        }
        keep_printed(p, bytes, (size_t)n);
        for (ssize_t done = 0, w = 0; done < n; done += w)
            if ((w = write(STDERR_FILENO, bytes + done, (size_t)(n - done))) <= 0)
                break;
        all += (size_t)n;
    }
}

/* Append the last lines that it printed to p->why, in one line. */
static void append_printed(program *p)
{
    static const size_t most = 240;
    size_t used = strlen(p->why), from = p->printed_size > most ? p->printed_size - most : 0;
    while (p->printed_size > from && p->printed[p->printed_size - 1] == '\n')
        --p->printed_size;
    if (p->printed_size == from)
        return;
    used += (size_t)snprintf(p->why + used, sizeof p->why - used, "; the end of its standard error: ");
    for (size_t i = from; i < p->printed_size && used + 4 < sizeof p->why; ++i) {
        const unsigned char c = (unsigned char)p->printed[i];
        if (c == '\n' && used + 4 < sizeof p->why) {
            memcpy(p->why + used, " / ", 3);
            used += 3;
        } else {
            p->why[used++] = c < 0x20 || c == 0x7F ? '?' : (char)c;
        }
    }
    p->why[used] = '\0';
}

/* ---- ending ---- */

static void release(program *p)
{
    close(p->line);
    if (p->errors >= 0)
        close(p->errors);
    p->pid = 0;
    p->line = p->errors = -1;
}

/* Wait until the process has ended, at most so long. *status is that of waitpid. */
static bool has_ended(program *p, double seconds, int *status)
{
    const double until = now() + seconds;
    pid_t gone;
    while ((gone = waitpid(p->pid, status, WNOHANG)) == 0 && now() < until) {
        read_errors(p); /* a full pipe keeps it from ending */
        nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
    }
    return gone != 0;
}

/* Kill the program with its process group, and reap it if that was not done. */
static void kill_group(program *p, bool reaped)
{
    kill(-p->pid, SIGKILL);
    while (!reaped && waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    read_errors(p);
    release(p);
}

void program_kill(program *p)
{
    if (p->pid != 0)
        kill_group(p, false);
}

void program_forget(program *p)
{
    if (p->pid != 0)
        release(p);
}

program_end program_break(program *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->why, sizeof p->why, format, args);
    va_end(args);
    if (p->pid != 0)
        kill_group(p, false);
    append_printed(p);
    return PROGRAM_BROKEN;
}

/* The connection has ended: how did the program? */
static program_end end_of_line(program *p)
{
    int status;
    if (!has_ended(p, REAP_SECONDS, &status))
        return program_break(p, "the program closed its connection");
    kill_group(p, true);
    if (WIFSIGNALED(status))
        snprintf(p->why, sizeof p->why, "the program was killed by SIG%s", sigabbrev_np(WTERMSIG(status)));
    else
        snprintf(p->why, sizeof p->why, "the program ended with exit status %d", WEXITSTATUS(status));
    append_printed(p);
    return PROGRAM_ENDED;
}

void program_close(program *p)
{
    const ts_exec_head head = { sizeof head, TS_EXEC_CLOSE, p->number + 1, 0 };
    int status;
    if (p->pid == 0)
        return;
    const bool sent = send(p->line, &head, sizeof head, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof head;
    shutdown(p->line, SHUT_WR);
    kill_group(p, sent && has_ended(p, LEAVE_SECONDS, &status));
}

/* ---- exchanging ---- */

bool program_says_more(const program *p, int milliseconds)
{
    char byte;
    struct pollfd fd = { .fd = p->line, .events = POLLIN };
    if (milliseconds > 0)
        poll(&fd, 1, milliseconds);
    return recv(p->line, &byte, 1, MSG_DONTWAIT | MSG_PEEK) > 0;
}

static bool send_bytes(program *p, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        const ssize_t n = send(p->line, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* Receive exactly `size` bytes. */
static program_end receive_bytes(program *p, void *bytes, size_t size, double until)
{
    size_t got = 0;
    while (got < size) {
        struct pollfd fds[2] = { { .fd = p->line, .events = POLLIN }, { .fd = p->errors, .events = POLLIN } };
        const int ready = poll(fds, 2, LOOK_MS);
        if (ready > 0 && fds[1].revents)
            read_errors(p);
        if (ready > 0 && fds[0].revents) {
            const ssize_t n = recv(p->line, (char *)bytes + got, size - got, MSG_DONTWAIT);
            if (n < 0 && (errno == EINTR || errno == EAGAIN))
                continue;
            if (n <= 0)
                return end_of_line(p);
            got += (size_t)n;
            continue;
        }
        siginfo_t info = { .si_pid = 0 };
        if (ready == 0 && waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0)
            return end_of_line(p);
        if (until > 0 && now() > until)
            return program_break(p, "the program sent no complete frame in time");
    }
    return PROGRAM_FINE;
}

program_end program_exchange(program *p, uint32_t kind, uint32_t value, const void *body, size_t size, double seconds,
                             ts_exec_head *head, const unsigned char **reply)
{
    static const char *const kinds[] = { "?", "HELLO", "QUERY", "CLAUSE", "SUBMIT", "CLOSE" };
    const ts_exec_head request = { (uint32_t)(sizeof request + size), kind, ++p->number, value };
    if (program_says_more(p, 0))
        return program_break(p, "the program sent more than one reply to request %u", p->number - 1);
    if (size > TS_EXEC_FRAME_MOST - sizeof request)
        return program_break(p, "a frame of %zu bytes would be too long", size);
    if (!send_bytes(p, &request, sizeof request) || !send_bytes(p, body, size))
        return end_of_line(p);
    const double until = seconds > 0 ? now() + seconds : 0;
    program_end end = receive_bytes(p, head, sizeof *head, until);
    if (end != PROGRAM_FINE)
        return end;
    if (head->size < sizeof *head || head->size > TS_EXEC_FRAME_MOST || head->kind != kind || head->number != p->number)
        return program_break(p,
                             "the program sent a frame of size %u, kind %u and number %u; expected the reply to %s, of "
                             "kind %u and number %u",
                             head->size, head->kind, head->number, kinds[kind], kind, p->number);
    *reply = p->frame;
    return receive_bytes(p, p->frame, head->size - sizeof *head, until);
}
