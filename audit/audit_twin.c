/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/audit_twin.h"

#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/base/text.h"
#include "harness/model/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the library of mutants is built (audit/mutate/CMakeLists.txt), but not instrumented. */
#define OPTIONS "-O2 -std=gnu11 -w -fwrapv -fno-strict-aliasing -ftrivial-auto-var-init=pattern"

#define MOST_PROCESSES 64

/* The code of one twin. */
typedef struct twin {
    const char *file;
    uint32_t mutant; /* MUTANT_NONE: of the original */
    bool compiled;
    uint64_t length, hash; /* of the assembly */
} twin;

typedef struct twin_work {
    const char *clang;
    char folder[4096];
    size_t count;
    atomic_size_t *next;
    twin *twins; /* in shared memory, like `next` */
} twin_work;

/* The name of an installed clang, or NULL. */
static const char *find_clang(void)
{
    static const char *const names[] = {
        "clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char command[64];
        snprintf(command, sizeof command, "%s --version 2>/dev/null", names[i]);
        FILE *out = platform_command(command);
        bool any = out && fgetc(out) != EOF;
        while (any && fgetc(out) != EOF)
            ;
        if (out && platform_command_end(out) && any)
            return names[i];
    }
    return NULL;
}

/* The path of a file's twin: "kernels/slice1.c" has kernels_slice1.c. */
static void twin_path(const char *folder, const char *file, char *buf, size_t size)
{
    const size_t used = (size_t)snprintf(buf, size, "%s/", folder);
    for (size_t i = 0; used + i + 1 < size && (i == 0 || file[i - 1]); ++i)
        buf[used + i] = file[i] == '/' ? '_' : file[i];
    buf[size - 1] = '\0';
}

static void compile(const twin_work *w, twin *t)
{
    char path[4400];
    text command = { .data = NULL };
    twin_path(w->folder, t->file, path, sizeof path);
    text_format(&command, "%s %s -x c -S -o - -DSCHEMATA_MUTANT=%luu ", w->clang, OPTIONS, (unsigned long)t->mutant);
    text_shell(&command, path);
    text_add(&command, " 2>/dev/null");
    FILE *out = command.failed ? NULL : platform_command(command.data);
    for (int c; out && (c = fgetc(out)) != EOF; ++t->length)
        t->hash = fill_mix(t->hash ^ (uint64_t)c);
    t->compiled = out && platform_command_end(out) && t->length > 0;
    text_free(&command);
}

/* The main function of a process. */
static void work(void *context, platform_line *line)
{
    const twin_work *w = context;
    (void)line;
    for (size_t i; (i = atomic_fetch_add(w->next, 1)) < w->count;)
        compile(w, &w->twins[i]);
}

static bool compile_all(twin_work *w, size_t workers, error *e)
{
    platform_process *processes[MOST_PROCESSES] = { NULL };
    bool ready[MOST_PROCESSES], fine = true;
    size_t running = 0, n = workers < MOST_PROCESSES ? workers : MOST_PROCESSES;
    for (size_t i = 0; fine && i < n; ++i, ++running)
        fine = (processes[i] = platform_process_start(work, w, NULL, e)) != NULL;
    running -= !fine;
    while (running > 0) {
        platform_process_wait(processes, n, 1, ready);
        for (size_t i = 0; i < n; ++i) {
            if (!processes[i] || !ready[i])
                continue;
            platform_process_end(processes[i], 1, NULL, 0);
            processes[i] = NULL;
            --running;
        }
    }
    return fine;
}

/* Is a mutant's twin worth compiling? If the mutant is open unless a case kills it, only where a case infects it: it
   runs no more if it is settled. */
static bool is_asked(const audit_result *r, const bool *settled, const bool *infected, uint32_t m)
{
    const mutant *x = &r->library->mutants[m];
    bool audited = false;
    for (size_t i = 0; i < r->operator_count; ++i)
        audited = audited || r->place[i * r->library->count + m] != MUTANT_NONE;
    return audited && !settled[m] && !x->table && (infected[m] || !audit_leaves_open(r, x));
}

/* List the twins of all survivors, each file's original before them. */
static size_t list_twins(const audit_result *r, const bool *settled, const bool *infected, twin *twins)
{
    size_t n = 0;
    const char *file = "";
    for (uint32_t m = 0; m < r->library->count; ++m) {
        const mutant *x = &r->library->mutants[m];
        if (!is_asked(r, settled, infected, m))
            continue;
        if (strcmp(x->file, file) != 0)
            twins[n++] = (twin){ .file = x->file, .mutant = MUTANT_NONE };
        file = x->file;
        twins[n++] = (twin){ .file = x->file, .mutant = m };
    }
    return n;
}

static void judge(audit_result *r, const twin_work *w, bool *settled)
{
    const twin *original = NULL;
    size_t compiled = 0;
    for (size_t i = 0; i < w->count; ++i) {
        const twin *t = &w->twins[i];
        compiled += t->compiled;
        if (t->mutant == MUTANT_NONE)
            original = t;
        else if (t->compiled && original && original->compiled && t->length == original->length &&
                 t->hash == original->hash)
            r->same[t->mutant] = settled[t->mutant] = true;
    }
    if (w->count && !compiled)
        snprintf(r->twins, sizeof r->twins, "%s cannot compile the files in %.80s", w->clang, w->folder);
}

bool audit_twins(audit_result *r, bool *settled, const bool *infected, size_t workers, error *e)
{
    twin_work w = { .clang = find_clang() };
    r->same = calloc(r->library->count + 1, sizeof *r->same);
    if (!r->same)
        return error_set(e, "out of memory");
    if (!w.clang) {
        snprintf(r->twins, sizeof r->twins, "clang is not installed");
        return true;
    }
    snprintf(w.folder, sizeof w.folder, "%s", r->plugin.path);
    char *dot = strrchr(w.folder, '.');
    if (dot)
        *dot = '\0'; /* backends/mutants.so, backends/mutants/ */
    const size_t bytes = 64 + (2 * (size_t)r->library->count + 1) * sizeof(twin);
    unsigned char *memory = platform_shared_new(bytes);
    if (!memory)
        return error_set(e, "out of memory");
    w.next = (atomic_size_t *)(void *)memory;
    w.twins = (twin *)(void *)(memory + 64);
    w.count = list_twins(r, settled, infected, w.twins);
    const bool fine = compile_all(&w, workers, e);
    if (fine)
        judge(r, &w, settled);
    platform_shared_free(memory, bytes);
    return fine;
}
