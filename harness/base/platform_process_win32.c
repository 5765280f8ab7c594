/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worker processes on Windows, which cannot fork: the program is spawned again and inherits two pipes and an event,
 * over which it receives its task (platform_spawn_data). Shared memory is an anonymous file mapping whose handle is
 * inherited as well.
 */
#include "harness/base/platform_process.h"

#include "harness/base/array.h"
#include "harness/base/platform.h"
#include "harness/base/platform_win32.h"

#include <psapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_SECONDS 30
#define MOST_BYTES      (UINT64_C(1) << 30) /* limit of the data for a spawned process */
#define POLL_MS         10                  /* poll interval while no message arrives */
#define PIPE_BYTES      (1 << 20)
#define ROLE            "--touchstone-process=" /* followed by the handles */
#define START_ATTEMPTS  3
#define START_PAUSE_MS  200

struct platform_line {
    HANDLE in, out;
    HANDLE message_sent; /* an event that all child processes share: a message was sent */
    HANDLE other;        /* the process at the other end, or NULL */
};

struct platform_process {
    HANDLE process;
    platform_line line;
    HANDLE printed; /* the pipe of what it prints; NULL: none */
    platform_output output;
};

/* State for starting child processes. Used by one thread only. */
static struct {
    HANDLE job; /* ends the child processes when this process ends */
    HANDLE message_sent;
    struct {
        void *p;
        size_t size;
        HANDLE handle;
    } * shared;
    size_t shared_count, shared_capacity;
} own;

/* The data that a spawned process received. */
static struct {
    platform_line line;
    platform_spawned begun;
} received;

/* ---- memory that processes share ---- */

void *platform_shared_new(size_t size)
{
    SECURITY_ATTRIBUTES inherited = { .nLength = sizeof inherited, .bInheritHandle = TRUE };
    HANDLE handle = CreateFileMappingA(INVALID_HANDLE_VALUE, &inherited, PAGE_READWRITE, (DWORD)((uint64_t)size >> 32),
                                       (DWORD)size, NULL);
    void *p = handle ? MapViewOfFile(handle, FILE_MAP_ALL_ACCESS, 0, 0, size) : NULL;
    if (!p || !array_reserve(&own.shared, &own.shared_capacity, own.shared_count + 1, sizeof *own.shared)) {
        if (p)
            UnmapViewOfFile(p);
        if (handle)
            CloseHandle(handle);
        return NULL;
    }
    own.shared[own.shared_count].p = p;
    own.shared[own.shared_count].size = size;
    own.shared[own.shared_count++].handle = handle;
    return p;
}

void platform_shared_free(void *p, size_t size)
{
    (void)size;
    for (size_t i = 0; p && i < own.shared_count; ++i) {
        if (own.shared[i].p != p)
            continue;
        UnmapViewOfFile(p);
        CloseHandle(own.shared[i].handle);
        own.shared[i] = own.shared[--own.shared_count];
        return;
    }
}

/* ---- what a process prints ---- */

bool platform_process_printed(const platform_printed *printed, uint64_t *bytes)
{
    (void)printed; /* a process cannot ask how much of its output is unread */
    (void)bytes;
    return false;
}

static void read_printed(platform_process *p)
{
    static char bytes[1 << 16];
    DWORD n = 0, got = 0;
    for (size_t all = 0; p->printed && all < PIPE_BYTES && PeekNamedPipe(p->printed, NULL, 0, NULL, &n, NULL) && n > 0;
         all += got) {
        if (!ReadFile(p->printed, bytes, n < sizeof bytes ? n : (DWORD)sizeof bytes, &got, NULL) || got == 0)
            return;
        atomic_fetch_add(&p->output.printed->bytes, got);
        p->output.take(p->output.context, bytes, got);
    }
}

/* ---- connections ---- */

bool platform_line_send(platform_line *line, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        DWORD n = 0;
        if (!WriteFile(line->out, at, size < PIPE_BYTES / 2 ? (DWORD)size : PIPE_BYTES / 2, &n, NULL) || n == 0)
            return false;
        SetEvent(line->message_sent);
        at += n;
        size -= n;
    }
    return true;
}

/* The number of bytes that can be read. *gone: the other end was closed. */
static DWORD waiting(const platform_line *line, bool *gone)
{
    DWORD n = 0;
    *gone = !PeekNamedPipe(line->in, NULL, 0, NULL, &n, NULL);
    return *gone ? 0 : n;
}

bool platform_line_receive(platform_line *line, void *bytes, size_t size)
{
    char *at = bytes;
    double until = platform_seconds() + MESSAGE_SECONDS;
    while (size > 0) {
        bool gone;
        DWORD n = 0;
        /* A process that stops in the middle of a message counts as gone. A child waits for its parent without a
           limit. */
        if (line->other && waiting(line, &gone) == 0) {
            if (gone || platform_seconds() > until)
                return false;
            const HANDLE events[] = { line->message_sent, line->other };
            WaitForMultipleObjects(2, events, FALSE, POLL_MS);
            continue;
        }
        if (!ReadFile(line->in, at, size < PIPE_BYTES ? (DWORD)size : PIPE_BYTES, &n, NULL) || n == 0)
            return false;
        at += n;
        size -= n;
    }
    return true;
}

/* ---- starting ---- */

bool platform_process_can_fork(void)
{
    return false;
}

static HANDLE inheritable(HANDLE h)
{
    HANDLE copy = NULL;
    if (!h || h == INVALID_HANDLE_VALUE ||
        !DuplicateHandle(GetCurrentProcess(), h, GetCurrentProcess(), &copy, 0, TRUE, DUPLICATE_SAME_ACCESS))
        return NULL;
    return copy;
}

static void close_all(HANDLE *handles, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if (handles[i])
            CloseHandle(handles[i]);
}

static bool prepare(void)
{
    if (own.job)
        return true;
    SECURITY_ATTRIBUTES inherited = { .nLength = sizeof inherited, .bInheritHandle = TRUE };
    own.message_sent = CreateEventA(&inherited, FALSE, FALSE, NULL);
    own.job = CreateJobObjectA(NULL, NULL);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = { .BasicLimitInformation.LimitFlags =
                                                        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE };
    return own.message_sent && own.job &&
           SetInformationJobObject(own.job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
}

/* Send the first message. */
static bool send_spawn_data(platform_line *line, const platform_spawn_data *data)
{
    const uint64_t head[] = { data->size, data->shared_count, data->writable };
    if (!platform_line_send(line, head, sizeof head) || !platform_line_send(line, data->bytes, data->size))
        return false;
    for (size_t i = 0; i < data->shared_count; ++i) {
        uint64_t handle = 0;
        for (size_t k = 0; k < own.shared_count; ++k)
            if (own.shared[k].p == data->shared[i])
                handle = (uint64_t)(uintptr_t)own.shared[k].handle;
        if (!platform_line_send(line, &handle, sizeof handle))
            return false;
    }
    return true;
}

enum { THEIR_IN, THEIR_OUT, THEIR_STDIN, THEIR_STDERR, THEIR_HANDLES };

static bool launch(platform_process *p, HANDLE *theirs, char *message, size_t size)
{
    WCHAR program[MAX_PATH * 4], command[MAX_PATH * 4 + 128];
    STARTUPINFOW start = { .cb = sizeof start,
                           .dwFlags = STARTF_USESTDHANDLES,
                           .hStdInput = theirs[THEIR_STDIN],
                           .hStdOutput =
                               theirs[THEIR_STDERR], /* output of a vendor's library must not appear in a summary */
                           .hStdError = theirs[THEIR_STDERR] };
    PROCESS_INFORMATION made;
    DWORD n = GetModuleFileNameW(NULL, program, sizeof program / sizeof program[0]);
    if (n == 0 || n >= sizeof program / sizeof program[0])
        return false;
    _snwprintf(command, sizeof command / sizeof command[0], L"\"%ls\" " ROLE "%llu,%llu,%llu", program,
               (unsigned long long)(uintptr_t)theirs[THEIR_IN], (unsigned long long)(uintptr_t)theirs[THEIR_OUT],
               (unsigned long long)(uintptr_t)own.message_sent);
    /* Suspended until it is in the job; in a new process group, which an interrupt from the terminal does not
       reach. */
    BOOL started = FALSE;
    for (int i = 0; i < START_ATTEMPTS && !started; ++i) { /* a machine with much to do fails to start one at times */
        if (i > 0)
            Sleep(START_PAUSE_MS);
        started = CreateProcessW(program, command, NULL, NULL, TRUE, CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP, NULL,
                                 NULL, &start, &made);
    }
    if (!started) {
        platform_win32_message(GetLastError(), message, size);
        return false;
    }
    AssignProcessToJobObject(own.job, made.hProcess);
    ResumeThread(made.hThread);
    CloseHandle(made.hThread);
    p->process = made.hProcess;
    return true;
}

platform_process *platform_process_start(void (*f)(void *context, platform_line *line), void *context,
                                         const platform_spawn_data *data, error *e)
{
    char message[300] = "out of memory";
    HANDLE theirs[THEIR_HANDLES] = { NULL };
    (void)f; /* the spawned program calls its own function */
    (void)context;
    if (!data) {
        error_set(e, "a process cannot be started: Windows cannot fork, and there is no data for a spawned process");
        return NULL;
    }
    platform_process *p = calloc(1, sizeof *p);
    if (!p || !prepare() || !CreatePipe(&theirs[THEIR_IN], &p->line.out, NULL, PIPE_BYTES) ||
        !CreatePipe(&p->line.in, &theirs[THEIR_OUT], NULL, PIPE_BYTES))
        goto failed;
    fflush(NULL);
    SetHandleInformation(theirs[THEIR_IN], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    SetHandleInformation(theirs[THEIR_OUT], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    theirs[THEIR_STDIN] = inheritable(GetStdHandle(STD_INPUT_HANDLE));
    if (data->output.take) {
        p->output = data->output;
        if (!CreatePipe(&p->printed, &theirs[THEIR_STDERR], NULL, PIPE_BYTES))
            goto failed;
        SetHandleInformation(theirs[THEIR_STDERR], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    } else {
        theirs[THEIR_STDERR] = inheritable(GetStdHandle(STD_ERROR_HANDLE));
    }
    if (!launch(p, theirs, message, sizeof message))
        goto failed;
    close_all(theirs, THEIR_HANDLES); /* an open copy would hide the death of the process */
    p->line.message_sent = own.message_sent;
    p->line.other = p->process;
    send_spawn_data(&p->line, data); /* if this fails, the process has ended: the next read reports it */
    return p;
failed:
    error_set(e, "a worker process cannot be started: %s", message);
    close_all(theirs, THEIR_HANDLES);
    if (p) {
        close_all((HANDLE[]){ p->line.in, p->line.out, p->printed }, 3);
        free(p);
    }
    return NULL;
}

/* ---- in a spawned process ---- */

static LONG WINAPI end_at_once(EXCEPTION_POINTERS *what)
{
    TerminateProcess(GetCurrentProcess(), what->ExceptionRecord->ExceptionCode); /* without starting a debugger */
    return EXCEPTION_EXECUTE_HANDLER;
}

/* The option was typed by a user, or the parent process has ended. */
static void end_orphan(void)
{
    fprintf(stderr, "touchstone: " ROLE " is for workers, which touchstone starts by itself\n");
    TerminateProcess(GetCurrentProcess(), EXIT_BAD_USAGE);
}

const platform_spawned *platform_process_spawned(void)
{
    unsigned long long in, out, message_sent;
    uint64_t head[3], handle;
    const char *role = strstr(GetCommandLineA(), "\" " ROLE); /* after the program's name, as launch writes it */
    if (!role)
        return NULL;
    platform_begin();
    if (sscanf(role + 2 + strlen(ROLE), "%llu,%llu,%llu", &in, &out, &message_sent) != 3)
        end_orphan();
    SetUnhandledExceptionFilter(end_at_once);
    received.line =
        (platform_line){ (HANDLE)(uintptr_t)in, (HANDLE)(uintptr_t)out, (HANDLE)(uintptr_t)message_sent, NULL };
    platform_spawned *b = &received.begun;
    b->line = &received.line;
    if (!platform_line_receive(&received.line, head, sizeof head) || head[0] > MOST_BYTES ||
        head[1] > PLATFORM_SHARED || !(b->bytes = malloc((size_t)head[0] + 1)) ||
        !platform_line_receive(&received.line, b->bytes, (size_t)head[0]))
        end_orphan();
    b->size = (size_t)head[0];
    for (size_t i = 0; i < head[1]; ++i) {
        const bool writable = i < head[2];
        void *p =
            platform_line_receive(&received.line, &handle, sizeof handle)
                ? MapViewOfFile((HANDLE)(uintptr_t)handle, writable ? FILE_MAP_ALL_ACCESS : FILE_MAP_READ, 0, 0, 0)
                : NULL;
        if (!p)
            end_orphan();
        b->shared[i] = p;
        b->shared_writable[i] = writable ? p : NULL;
    }
    return b;
}

void platform_process_leave(void)
{
    fflush(NULL);
    TerminateProcess(GetCurrentProcess(), 0); /* after a fault, the exit handlers of libraries are not safe */
    for (;;)
        Sleep(INFINITE);
}

/* ---- watching and ending ---- */

platform_line *platform_process_line(platform_process *p)
{
    return &p->line;
}

static bool check_lines(platform_process *const *p, size_t n, bool *ready)
{
    bool any = false;
    for (size_t i = 0; i < n; ++i) {
        bool gone = false;
        if (p[i])
            read_printed(p[i]);
        ready[i] = p[i] && (waiting(&p[i]->line, &gone) > 0 || gone);
        any |= ready[i];
    }
    return any;
}

bool platform_process_wait(platform_process *const *p, size_t n, double seconds, bool *ready)
{
    const double until = platform_seconds() + seconds;
    HANDLE events[MAXIMUM_WAIT_OBJECTS];
    DWORD count = 0;
    if (own.message_sent)
        events[count++] = own.message_sent;
    for (size_t i = 0; i < n && count < MAXIMUM_WAIT_OBJECTS; ++i)
        if (p[i])
            events[count++] = p[i]->process;
    for (;;) {
        if (check_lines(p, n, ready))
            return true;
        double left = until - platform_seconds();
        if (left <= 0)
            return false;
        DWORD ms = left * 1000 < POLL_MS ? (DWORD)(left * 1000 + 0.999) : POLL_MS;
        if (count)
            WaitForMultipleObjects(count, events, FALSE, ms);
        else
            Sleep(ms);
    }
}

void platform_process_note_limits(void)
{
}

bool platform_process_check(error *e)
{
    (void)e; /* a process here has no limits that it could lower */
    return true;
}

bool platform_process_has_ended(const platform_process *p)
{
    return WaitForSingleObject(p->process, 0) == WAIT_OBJECT_0;
}

void platform_process_interrupt(platform_process *p)
{
    (void)p;
}

uint64_t platform_process_memory(const platform_process *p)
{
    PROCESS_MEMORY_COUNTERS memory = { .cb = sizeof memory };
    return GetProcessMemoryInfo(p->process, &memory, sizeof memory) ? memory.WorkingSetSize : 0;
}

bool platform_process_used(const platform_process *p, double *seconds, bool *runs)
{
    (void)p; /* processor times have steps of 16 ms, and Windows does not report whether a process waits */
    (void)seconds;
    (void)runs;
    return false;
}

void platform_process_end(platform_process *p, double seconds, char *buf, size_t size)
{
    DWORD status = 0;
    if (!p)
        return;
    CloseHandle(p->line.out); /* both pipes: the process may be blocked in writing as well */
    CloseHandle(p->line.in);
    const double until = platform_seconds() + seconds;
    bool killed = WaitForSingleObject(p->process, 0) != WAIT_OBJECT_0;
    while (killed && platform_seconds() < until) {
        read_printed(p); /* a full pipe keeps it from ending */
        killed = WaitForSingleObject(p->process, POLL_MS) != WAIT_OBJECT_0;
    }
    if (killed)
        TerminateProcess(p->process, 1);
    WaitForSingleObject(p->process, INFINITE);
    GetExitCodeProcess(p->process, &status);
    if (buf && killed)
        snprintf(buf, size, "was ended");
    else if (buf && status >= 0x80000000u) /* an unhandled exception, or __fastfail */
        snprintf(buf, size, "ended with status 0x%08lX", status);
    else if (buf)
        snprintf(buf, size, "ended with exit status %lu", status);
    read_printed(p);
    close_all(&p->printed, 1);
    CloseHandle(p->process);
    free(p);
}
