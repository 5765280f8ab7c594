/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <ucontext.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

size_t platform_page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

unsigned char *platform_map_guarded(size_t capacity)
{
    size_t page = platform_page_size();
    unsigned char *p = mmap(NULL, capacity + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (mprotect(p + page, capacity, PROT_READ | PROT_WRITE) != 0) {
        munmap(p, capacity + 2 * page);
        return NULL;
    }
    return p + page;
}

void platform_unmap_guarded(unsigned char *p, size_t capacity)
{
    size_t page = platform_page_size();
    if (p)
        munmap(p - page, capacity + 2 * page);
}

void *platform_map_twice(size_t size, ptrdiff_t *distance)
{
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *distance = 0;
    if (p == MAP_FAILED)
        return NULL;
#if defined(__linux__)
    char *second = mremap(p, 0, size, MREMAP_MAYMOVE); /* an old size of 0 leaves the first mapping in its place */
    if (second != MAP_FAILED && mprotect(second, size, PROT_READ) == 0)
        *distance = second - p;
    else if (second != MAP_FAILED)
        munmap(second, size);
#endif
    return p;
}

void platform_unmap_twice(void *p, size_t size, ptrdiff_t distance)
{
    if (!p)
        return;
    if (distance)
        munmap((char *)p + distance, size);
    munmap(p, size);
}

/* A signal handler has no other way to find the call that it interrupts. */
static struct {
    volatile sig_atomic_t armed;
    volatile sig_atomic_t tracing; /* the stack trace of a fault is being collected */
    sigjmp_buf back;
    platform_fault fault;
    const _Atomic uint64_t *step, *interrupt; /* of platform_process_allow_interrupt */
    bool heeded;
} guard;

/* The parent of a worker sends this signal to interrupt a call that exceeds the time limit. */
#define INTERRUPT_SIGNAL SIGUSR2

/* The frames of the signal handler and of the trampoline that calls it. */
#define HANDLER_FRAMES 2

static bool is_meant(uint64_t interrupt)
{
    return interrupt == *guard.step || interrupt == PLATFORM_ANY_STEP;
}

static void on_fault(int number, siginfo_t *info, void *machine)
{
    /* The call to be interrupted may have returned in the meantime. */
    if (number == INTERRUPT_SIGNAL && (!guard.armed || !guard.step || !is_meant(*guard.interrupt)))
        return;
    if (guard.tracing && number != INTERRUPT_SIGNAL) { /* the stack is corrupted: no stack trace */
        guard.tracing = 0;
        siglongjmp(guard.back, 1);
    }
    if (!guard.armed) { /* a fault outside of a guarded call: terminate as without a handler */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    guard.armed = 0;
    guard.fault.signal = number == INTERRUPT_SIGNAL ? 0 : number;
    /* Other signals report the address of an instruction; signals that were sent report none. */
    bool touched = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;
    guard.fault.touched = touched;
    guard.fault.address = touched ? info->si_addr : NULL;
#if defined(__x86_64__) && defined(__linux__)
    guard.fault.write = touched && (((const ucontext_t *)machine)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)machine;
    guard.fault.write = false;
#endif
    void *frames[PLATFORM_FRAMES + HANDLER_FRAMES];
    guard.fault.frame_count = 0;
    guard.tracing = 1;
    int n = backtrace(frames, PLATFORM_FRAMES + HANDLER_FRAMES) - HANDLER_FRAMES;
    guard.fault.frame_count = n > 0 ? n : 0;
    memcpy(guard.fault.frames, frames + HANDLER_FRAMES, (size_t)guard.fault.frame_count * sizeof frames[0]);
    guard.tracing = 0;
    siglongjmp(guard.back, 1);
}

static const struct {
    int number;
    const char *name;
} caught[] = {
    { SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" },   { SIGILL, "SIGILL" },
    { SIGFPE, "SIGFPE" },   { SIGABRT, "SIGABRT" }, { INTERRUPT_SIGNAL, "time limit" },
};

void platform_prepare_faults(void)
{
    void *frame[1];
    backtrace(frame, 1); /* loads a library of the compiler, which a signal handler must not do */
}

void platform_install_fault_handlers(void)
{
    static unsigned char stack[64 * 1024]; /* the fault may be an overflow of the thread's stack */
    stack_t alternative = { .ss_sp = stack, .ss_size = sizeof stack };
    sigaltstack(&alternative, NULL);
    platform_prepare_faults();
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        sigaction(caught[i].number, &action, NULL);
    }
    guard.heeded = true;
}

void platform_process_allow_interrupt(const _Atomic uint64_t *step, const _Atomic uint64_t *interrupt)
{
    guard.step = step;
    guard.interrupt = interrupt;
}

bool platform_guarded_call(void (*f)(void *context), void *context, platform_fault *fault)
{
    if (!guard.heeded)
        platform_install_fault_handlers();
    if (sigsetjmp(guard.back, 0) == 0) {
        guard.armed = 1;
        f(context);
        guard.armed = 0;
        return true;
    }
    *fault = guard.fault;
    fault->name = "?";
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i)
        if (caught[i].number == (fault->signal ? fault->signal : INTERRUPT_SIGNAL))
            fault->name = caught[i].name;
    return false;
}

void platform_describe_frame(void *frame, char *buf, size_t size)
{
    Dl_info info, own;
    *buf = '\0';
    if (!frame || !dladdr(frame, &info) || !info.dli_fname || dladdr(&guard, &own) == 0 ||
        info.dli_fbase == own.dli_fbase)
        return;
    const char *base = info.dli_sname ? info.dli_saddr : info.dli_fbase;
    snprintf(buf, size, "%s+0x%zx in %s", info.dli_sname ? info.dli_sname : "?", (size_t)((const char *)frame - base),
             platform_file_name(info.dli_fname));
}

void *platform_library_open(const char *path, char *message, size_t size)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(message, size, "%s", dlerror());
    return library;
}

void (*platform_library_symbol(void *library, const char *name))(void)
{
    union {
        void *object;
        void (*function)(void);
    } symbol; /* POSIX allows this conversion of dlsym's result; ISO C has no cast for it */
    symbol.object = dlsym(library, name);
    return symbol.function;
}

void platform_library_close(void *library)
{
    dlclose(library);
}

const char *platform_library_suffix(void)
{
    return ".so";
}

bool platform_name_file(const char *file, const char *name)
{
    struct stat info;
    if (link(file, name) == 0)
        return true;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK)
        return false;
    /* A file system without hard links: two processes could get the name at the same moment. */
    errno = EEXIST;
    return stat(name, &info) != 0 && rename(file, name) == 0;
}

int platform_lock_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return PLATFORM_NO_LOCK;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    bool locked = errno == EWOULDBLOCK;
    close(fd);
    return locked ? PLATFORM_LOCKED : PLATFORM_NO_LOCK;
}

void platform_unlock_file(int lock)
{
    if (lock >= 0)
        close(lock);
}

bool platform_program_folder(char *buf, size_t size)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return false;
    path[n] = '\0';
    return (size_t)snprintf(buf, size, "%s", dirname(path)) < size;
}

const char *platform_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

FILE *platform_new_file(const char *path)
{
    return fopen(path, "wbx");
}

static const char *kind_of(mode_t mode)
{
    return S_ISREG(mode)    ? NULL
           : S_ISDIR(mode)  ? "a directory"
           : S_ISFIFO(mode) ? "a FIFO"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

FILE *platform_open_regular(const char *path, const char **kind)
{
    struct stat info;
    /* Opening a device may act on it, and a socket cannot be opened: look first. */
    if (stat(path, &info) != 0)
        return NULL;
    *kind = kind_of(info.st_mode);
    errno = EINVAL;
    int fd = *kind ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &info) == 0 && !(*kind = kind_of(info.st_mode))) {
        FILE *file = fdopen(fd, "rb");
        if (file)
            return file;
    }
    const int number = errno;
    close(fd);
    errno = number;
    return NULL;
}

FILE *platform_open_stream(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fdopen(fd, "wb");
}

bool platform_sync_file(const char *path)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    bool fine = file >= 0 && fsync(file) == 0;
    int number = errno;
    if (file >= 0 && close(file) != 0 && fine)
        return false;
    errno = number;
    return fine;
}

bool platform_replace_file(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

FILE *platform_temporary_file(void)
{
    return tmpfile();
}

bool platform_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

unsigned platform_cores(void)
{
#if defined(__linux__)
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0)
        return (unsigned)CPU_COUNT(&mine);
#endif
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

void platform_describe_machine(char *buf, size_t size)
{
    struct utsname name;
    char line[256], model[128] = "";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %127[^\n]", model) == 1)
            break;
    if (f)
        fclose(f);
    unsigned cores = platform_cores();
    snprintf(buf, size, "%s, %u core%s%s%s", uname(&name) == 0 ? name.machine : "?", cores, cores == 1 ? "" : "s",
             *model ? ", " : "", model);
}

void platform_describe_system(char *buf, size_t size)
{
    struct utsname name;
    if (uname(&name) != 0) {
        snprintf(buf, size, "?");
        return;
    }
#if defined(__GLIBC__)
    snprintf(buf, size, "%s %s, glibc %s", name.sysname, name.release, gnu_get_libc_version());
#else
    snprintf(buf, size, "%s %s", name.sysname, name.release);
#endif
}

double platform_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void platform_utc(time_t t, char *buf, size_t size)
{
    struct tm parts;
    gmtime_r(&t, &parts);
    strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

void platform_utc_now(char *buf, size_t size)
{
    struct timespec now;
    struct tm parts;
    char second[32];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(second, sizeof second, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(buf, size, "%s.%06ldZ", second, now.tv_nsec / 1000);
}

bool platform_stderr_is_terminal(void)
{
    return isatty(STDERR_FILENO) != 0;
}

bool platform_shows_colors(FILE *f)
{
    const char *type = getenv("TERM");
    return isatty(fileno(f)) && type && *type && strcmp(type, "dumb") != 0;
}

int platform_divert_output(void)
{
    fflush(stdout);
    int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (kept >= 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    return kept;
}

void platform_restore_output(int kept)
{
    fflush(stdout);
    if (kept >= 0) {
        dup2(kept, STDOUT_FILENO);
        close(kept);
    }
}
