/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/hostile/acts.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 1024

static void sleep_for(double seconds)
{
    nanosleep(&(struct timespec){ (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) }, NULL);
}

/* ---- descriptors ------------------------------------------------------------------------------------------------ */

/* Call f for every descriptor behind the standard streams that is open. */
static void each_descriptor(void (*f)(int fd, int type))
{
    for (int fd = 3; fd < MOST_DESCRIPTORS; ++fd) {
        int type = 0;
        socklen_t size = sizeof type;
        if (fcntl(fd, F_GETFD) < 0)
            continue;
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0)
            type = 0;
        f(fd, type);
    }
}

static void overwrite(int fd, int type)
{
    char noise[4096];
    memset(noise, 0xA5, sizeof noise);
    if (type != 0)
        return; /* a channel is forged by other acts */
    (void)!pwrite(fd, noise, sizeof noise, 0);
    (void)!write(fd, noise, sizeof noise);
    (void)!ftruncate(fd, 100);
}

static void write_descriptors(const ts_call *call)
{
    (void)call;
    each_descriptor(overwrite);
}

static void close_one(int fd, int type)
{
    (void)type;
    close(fd);
}

static void close_descriptors(const ts_call *call)
{
    (void)call;
    each_descriptor(close_one);
}

/* Send the same bytes over every channel. */
static const void *forged;
static size_t forged_size;

static void send_forged(int fd, int type)
{
    if (type != 0)
        (void)!send(fd, forged, forged_size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void forge(const void *bytes, size_t size)
{
    forged = bytes;
    forged_size = size;
    each_descriptor(send_forged);
}

/* A message of n zero words, or of ones: "all went well, nothing came of it". */
static void forge_zeros(const ts_call *call)
{
    (void)call;
    static const uint64_t message[65] = { sizeof message - sizeof *message };
    forge(message, sizeof message);
}

static void forge_ones(const ts_call *call)
{
    (void)call;
    static uint64_t message[65];
    for (size_t i = 0; i < 65; ++i)
        message[i] = 1;
    message[0] = sizeof message - sizeof *message;
    forge(message, sizeof message);
}

static void forge_noise(const ts_call *call)
{
    (void)call;
    static uint64_t message[33];
    uint64_t seed = UINT64_C(0x9E3779B97F4A7C15);
    for (size_t i = 1; i < 33; ++i)
        message[i] = seed = seed * UINT64_C(6364136223846793005) + 1;
    message[0] = sizeof message - sizeof *message;
    forge(message, sizeof message);
}

static void forge_length(const ts_call *call)
{
    (void)call;
    static const uint64_t length = UINT64_C(1) << 33;
    forge(&length, sizeof length);
    sleep_for(60);
}

/* A message that never ends, byte by byte. */
static void drip(const ts_call *call)
{
    (void)call;
    static const uint64_t length = 1 << 20;
    static const char byte = 0;
    forge(&length, sizeof length);
    for (int i = 0; i < 1200; ++i) {
        forge(&byte, 1);
        sleep_for(0.1);
    }
}

/* ---- the process ------------------------------------------------------------------------------------------------ */

static void *leave_later(void *unused)
{
    (void)unused;
    sleep_for(0.003);
    _exit(0);
}

static void exit_between(const ts_call *call)
{
    (void)call;
    pthread_t thread;
    if (pthread_create(&thread, NULL, leave_later, NULL) == 0)
        pthread_detach(thread);
}

static void exit_now(const ts_call *call)
{
    (void)call;
    _exit(0);
}

static void grandchild(const ts_call *call)
{
    (void)call;
    if (fork() == 0) {
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        sleep_for(600);
        _exit(0);
    }
}

static void grandchild_and_exit(const ts_call *call)
{
    grandchild(call);
    _exit(0);
}

static void grandchild_daemon(const ts_call *call)
{
    (void)call;
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            sleep_for(600);
        _exit(0);
    }
}

static void leak_mappings(const ts_call *call)
{
    (void)call;
    for (int i = 0; i < 1 << 20; ++i)
        if (mmap(NULL, 4096, i % 2 ? PROT_READ : PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
            MAP_FAILED)
            return;
}

static void lower_limits(const ts_call *call)
{
    (void)call;
    const struct rlimit none = { 0, 0 };
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_AS, &none);
    setrlimit(RLIMIT_DATA, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_NPROC, &none);
}

static void block_signals(const ts_call *call)
{
    (void)call;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int i = 1; i < 65; ++i)
        signal(i, SIG_IGN);
}

static void write_call(const ts_call *call)
{
    memset((void *)(uintptr_t)call, 0xFF, sizeof *call);
}

/* Shorten the last dimension of the output: a runtime that infers shapes may do it in place. */
static void write_tensor(const ts_call *call)
{
    ts_tensor *last = (ts_tensor *)(uintptr_t)ts_call_tensor(call, call->tensor_count - 1);
    last->sizes[0] = 1;
}

static void write_attributes(const ts_call *call)
{
    if (call->attrs_size)
        memset((void *)(uintptr_t)call->attrs, 0, 1);
}

static void write_input(const ts_call *call)
{
    const ts_tensor *first = ts_call_tensor(call, 0);
    if (first->data && first->total_bytes)
        *(unsigned char *)first->data ^= 0xFF;
}

/* The first copy of the bytes in [begin, end) that does not begin at `bytes` itself. */
static const void *find_copy(const char *begin, const char *end, const void *bytes, size_t size)
{
    const char *found = begin;
    while (begin < end && (found = memmem(begin, (size_t)(end - begin), bytes, size)) == bytes)
        begin = found + 1;
    return begin < end ? found : NULL;
}

/* End the process if the right output, which this backend has just written, is anywhere else in memory. An output that
   is a part of the input is there anyway. */
static void find_expected(const ts_call *call)
{
    enum { LEAST = 32 }; /* bytes that no other memory has by chance */
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, call->tensor_count - 1);
    char line[512];
    if (!in->data || !out->data || out->total_bytes < LEAST ||
        memmem(in->data, (size_t)in->total_bytes, out->data, (size_t)out->total_bytes))
        return;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long long first, end;
        char access[8];
        if (sscanf(line, "%llx-%llx %7s", &first, &end, access) != 3 || access[0] != 'r' || access[1] != 'w')
            continue;
        const char *const from = (const char *)(uintptr_t)first, *const to = (const char *)(uintptr_t)end;
        if (find_copy(from, to, out->data, (size_t)out->total_bytes))
            _exit(0);
    }
    fprintf(stderr, "hostile: searched\n");
    if (maps)
        fclose(maps);
}

/* Is memory of this inode mapped by the run, the parent of this process? */
static int is_of_the_run(unsigned long long inode)
{
    char path[64], line[512];
    int found = 0;
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)getppid());
    FILE *maps = fopen(path, "r");
    while (maps && !found && fgets(line, sizeof line, maps)) {
        unsigned long long other;
        found = sscanf(line, "%*s %*s %*s %*s %llu", &other) == 1 && other == inode;
    }
    if (maps)
        fclose(maps);
    return found;
}

/* Overwrite every page that this process shares with the run and can write. */
static void write_shared_with(int byte)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long long first, end, inode;
        char access[8];
        if (sscanf(line, "%llx-%llx %7s %*s %*s %llu", &first, &end, access, &inode) == 4 && access[1] == 'w' &&
            access[3] == 's' && is_of_the_run(inode))
            memset((void *)(uintptr_t)first, byte, (size_t)(end - first));
    }
    if (maps)
        fclose(maps);
}

static void write_shared(const ts_call *call)
{
    (void)call;
    write_shared_with(0xFF);
}

static void write_shared_and_exit(const ts_call *call)
{
    (void)call;
    write_shared_with(0xFF);
    _exit(0);
}

static void zero_shared_and_exit(const ts_call *call)
{
    (void)call;
    write_shared_with(0);
    _exit(0);
}

static void write_shared_and_hang(const ts_call *call)
{
    (void)call;
    write_shared_with(0xFF);
    sleep_for(600);
}

/* End the process if it can write more than a page that it shares with the run. */
static void reach_shared(const ts_call *call)
{
    char line[512];
    unsigned long long bytes = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    (void)call;
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long long first, end, inode;
        char access[8];
        if (sscanf(line, "%llx-%llx %7s %*s %*s %llu", &first, &end, access, &inode) == 4 && access[1] == 'w' &&
            access[3] == 's' && is_of_the_run(inode))
            bytes += end - first;
    }
    if (!maps || bytes > (unsigned long long)sysconf(_SC_PAGESIZE))
        _exit(0);
    fclose(maps);
}

static void print(const ts_call *call)
{
    (void)call;
    printf("planned 1, ran 1, passed 1, failed 0\nconformant\n\033[2J");
    fprintf(stderr, "touchstone: conformant\n\033[31m");
    fflush(stdout);
}

static void print_and_abort(const ts_call *call)
{
    printf("hostile: kernel of %s\n", call->op);
    fprintf(stderr, "terminate called after throwing an instance of 'hostile'\n\033[31m  what():  no \xff kernel");
    abort();
}

static void print_and_exit(const ts_call *call)
{
    fprintf(stderr, "hostile: last words of %s\n", call->op);
    _exit(3);
}

static void print_and_hang(const ts_call *call)
{
    fprintf(stderr, "hostile: waiting for %s\n", call->op);
    sleep_for(600);
}

static void *sleep_on(void *unused)
{
    (void)unused;
    sleep_for(600);
    return NULL;
}

/* In a process of several threads, glibc's allocator aborts with its lock held. Whoever allocates afterwards waits for
   that lock. */
static void corrupt_heap(const ts_call *call)
{
    (void)call;
    pthread_t thread;
    pthread_create(&thread, NULL, sleep_on, NULL);
    char *last = NULL;
    for (int i = 0; i < 64; ++i) /* the last of them lies below the end of the heap */
        last = malloc(100000);
    *(volatile size_t *)(void *)(last + malloc_usable_size(last)) = SIZE_MAX & ~(size_t)7;
    *(char *volatile *)&last = malloc(120000);
}

/* A process that the worker starts prints; that line is nobody else's. */
static void print_in_child(const ts_call *call)
{
    const pid_t child = fork();
    if (child == 0) {
        fprintf(stderr, "hostile: a child of %s\n", call->op);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* 256 MiB without an end of line. */
static void print_much(const ts_call *call)
{
    static char noise[1 << 20];
    (void)call;
    memset(noise, '.', sizeof noise);
    for (int i = 0; i < 256; ++i)
        for (size_t done = 0; done < sizeof noise;) {
            const ssize_t n = write(STDOUT_FILENO, noise + done, sizeof noise - done);
            if (n <= 0)
                return;
            done += (size_t)n;
        }
}

static void print_without_end(const ts_call *call)
{
    (void)call;
    for (;;)
        (void)!write(STDERR_FILENO, "and so on\n", 10);
}

static void change_folder(const ts_call *call)
{
    (void)call;
    (void)!chdir("/");
    umask(0777);
    clearenv();
}

left_behind acts_left;

#define LEAVES(name, what)                                                                                             \
    static void name(const ts_call *call)                                                                              \
    {                                                                                                                  \
        (void)call;                                                                                                    \
        acts_left = what;                                                                                              \
    }
LEAVES(leave_pointer, LEFT_POINTER)
LEAVES(leave_lock, LEFT_LOCK)
LEAVES(leave_exit, LEFT_EXIT)
LEAVES(leave_call_pointer, LEFT_CALL_POINTER)
LEAVES(leave_call_lock, LEFT_CALL_LOCK)
LEAVES(leave_call_exit, LEFT_CALL_EXIT)
LEAVES(leave_call_loss, LEFT_CALL_LOSS)

/* ---- the environment, also in open ------------------------------------------------------------------------------ */

static void round_up(const ts_call *call)
{
    (void)call;
    fesetround(FE_UPWARD);
}

static void flush_denormals(const ts_call *call)
{
    (void)call;
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040); /* FTZ, DAZ */
#elif defined(__aarch64__)
    unsigned long word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    __asm__ volatile("msr fpcr, %0" ::"r"(word | 1ul << 24));
#endif
}

/* Single precision, and the registers left in use. */
static void set_x87(const ts_call *call)
{
    (void)call;
#if defined(__x86_64__)
    const unsigned short word = 0x007F;
    __asm__ volatile("fldcw %0\n\tfld1" ::"m"(word));
#endif
}

static void trap_division(const ts_call *call)
{
    (void)call;
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~0x1F80u);
#endif
}

/* A locale with a decimal comma where the system has it. */
static void change_locale(const ts_call *call)
{
    (void)call;
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        setlocale(LC_ALL, "C.UTF-8");
}

static void change_thread_locale(const ts_call *call)
{
    (void)call;
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* which the C library has, and nobody has to free */
}

static void leave_folder(const ts_call *call)
{
    (void)call;
    (void)!chdir("/");
}

static void change_umask(const ts_call *call)
{
    (void)call;
    umask(0777);
}

/* Set one variable, change one and remove another. */
static void change_variables(const ts_call *call)
{
    (void)call;
    setenv("TOUCHSTONE_HOSTILE", "1", 1);
    setenv("PATH", "/nowhere", 1);
    unsetenv("HOME");
}

static void mask_signals(const ts_call *call)
{
    (void)call;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

static void replace_handlers(const ts_call *call)
{
    (void)call;
    signal(SIGSEGV, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGUSR2, SIG_DFL);
}

const act acts[] = {
    { "write-descriptors", "writes into every file that the worker has open", write_descriptors },
    { "close-descriptors", "closes every descriptor of the worker", close_descriptors },
    { "forge-zeros", "sends a message of zeros in the worker's name", forge_zeros },
    { "forge-ones", "sends a message of ones in the worker's name", forge_ones },
    { "forge-noise", "sends a message of noise in the worker's name", forge_noise },
    { "forge-length", "announces a message of 8 GiB and sends none of it", forge_length },
    { "drip", "sends a message byte by byte, ten a second", drip },
    { "exit-between", "ends the process some milliseconds after the call", exit_between },
    { "exit", "ends the process with exit status 0 in the call", exit_now },
    { "grandchild", "leaves a process behind that ignores SIGTERM", grandchild },
    { "grandchild-exit", "leaves a process behind and ends its own", grandchild_and_exit },
    { "daemon", "leaves a process behind in a session of its own", grandchild_daemon },
    { "leak-mappings", "maps pages until the system refuses", leak_mappings },
    { "lower-limits", "sets the limits of its process to 0", lower_limits },
    { "block-signals", "blocks and ignores all signals", block_signals },
    { "write-call", "overwrites the call", write_call },
    { "write-tensor", "overwrites a size of the call's last tensor", write_tensor },
    { "write-attributes", "overwrites the call's attributes", write_attributes },
    { "write-input", "overwrites the data of the first input", write_input },
    { "write-shared", "overwrites all memory that it shares with the run", write_shared },
    { "write-shared-exit", "does so and ends the process", write_shared_and_exit },
    { "zero-shared-exit", "zeroes that memory and ends the process", zero_shared_and_exit },
    { "write-shared-hang", "overwrites that memory and does not come back", write_shared_and_hang },
    { "find-expected", "ends the process if the right output is in memory that it was not given", find_expected },
    { "reach-shared", "ends the process if it can write more than a page that it shares with the run", reach_shared },
    { "print", "prints what a run would print, and terminal escapes", print },
    { "print-abort", "prints what a C++ runtime prints and aborts", print_and_abort },
    { "print-exit", "prints a line and ends the process", print_and_exit },
    { "print-hang", "prints a line and does not come back", print_and_hang },
    { "corrupt-heap", "corrupts the heap, so that the allocator aborts with its lock held", corrupt_heap },
    { "print-child", "lets a process that it starts print a line", print_in_child },
    { "print-much", "prints 256 MiB in one line", print_much },
    { "print-forever", "prints lines and does not come back", print_without_end },
    { "change-folder", "changes the working directory, the umask and the environment", change_folder },
    { "leave-pointer", "answers well, and crashes in each later query of the process", leave_pointer },
    { "leave-lock", "answers well, and does not come back from a later query", leave_lock },
    { "leave-exit", "answers well, and ends the process in a later query", leave_exit },
    { "leave-call-pointer", "answers well, and crashes in the next call of the process", leave_call_pointer },
    { "leave-call-lock", "answers well, and does not come back from the next call", leave_call_lock },
    { "leave-call-exit", "answers well, and ends the process in the next call", leave_call_exit },
    { "leave-call-loss", "answers well, and loses the device in the next call", leave_call_loss },
    { "round-up", "lets the processor round upward", round_up },
    { "flush-denormals", "lets the processor flush denormals to zero", flush_denormals },
    { "set-x87", "leaves the x87 unit with another precision and a register in use", set_x87 },
    { "trap-division", "lets floating-point exceptions end the process", trap_division },
    { "change-locale", "sets another locale", change_locale },
    { "thread-locale", "sets another locale for its thread", change_thread_locale },
    { "leave-folder", "changes the working folder", leave_folder },
    { "change-umask", "changes the umask", change_umask },
    { "change-variables", "sets, changes and removes environment variables", change_variables },
    { "mask-signals", "blocks all signals", mask_signals },
    { "replace-handlers", "replaces handlers of signals", replace_handlers },
    { NULL, NULL, NULL },
};

const act *act_find(const char *name)
{
    for (const act *a = acts; a->name; ++a)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}
