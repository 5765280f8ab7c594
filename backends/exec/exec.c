/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any program as a backend. The adapter starts the program of the option `command`, once for each process of
 * Touchstone, passes calls in shared memory and frames over a socket (docs/exec.md), and copies what the program wrote
 * back to the suite's buffers. Whatever the program does is the failure of the call that it was executing.
 */
#include "backends/backend.h"
#include "backends/exec/describe.h"
#include "backends/exec/memory.h"
#include "backends/exec/program.h"
#include "backends/exec/words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From the start of the program to its reply to HELLO: an interpreter loads its libraries. */
#define HELLO_SECONDS 60.0
#define MOST_STRAYS   64
#define MORE_MS       2 /* to wait for a second reply, where a batch has failed */

/* A class of calls that the suite asked about, kept for the programs that are started later. */
typedef struct known_class {
    ts_call *call;    /* with its tensors and attributes, in one block */
    uint64_t token;   /* of the program that was asked last */
    unsigned program; /* which program that was: exec.program_number */
} known_class;

typedef struct exec {
    const ts_host *host;
    words words;
    char *options; /* for HELLO: keys and values, a zero byte behind each */
    size_t options_size;
    uint32_t option_count;
    pid_t owner; /* the process that started the program */
    memory memory;
    program program;
    unsigned program_number; /* how many were started */
    bool strayed;            /* a call wrote to what is no tensor, or an input */
    ts_info info;
    known_class *classes;
    size_t class_count, class_capacity;
    uint64_t *tokens; /* of the calls of a batch */
    size_t token_capacity;
} exec;

static void note(const exec *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(const exec *self, const char *format, ...)
{
    char text[800];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (self->host && self->host->note)
        self->host->note(self->host->context, text);
}

/* A note about one call of the batch that is being submitted. */
static void note_call(const exec *self, size_t call, const char *text)
{
    const ts_host *host = self->host;
    if (host && host->struct_size >= offsetof(ts_host, note_call) + sizeof host->note_call && host->note_call)
        host->note_call(host->context, call, text);
    else
        note(self, "%s", text);
}

/* ---- the program ---- */

static void end_program(exec *self)
{
    if (self->owner == getpid())
        program_kill(&self->program);
    else
        program_forget(&self->program);
    memory_close(&self->memory);
}

/* Take the reply to HELLO: the program's ts_info, or why it refuses. */
static ts_status take_hello(exec *self, const ts_exec_head *head, const unsigned char *body)
{
    const size_t size = head->size - sizeof *head;
    uint32_t status;
    if (head->value != TS_EXEC_VERSION) {
        program_break(&self->program,
                      "the program speaks version %u of the protocol; this touchstone speaks version %d", head->value,
                      TS_EXEC_VERSION);
        return TS_ERROR;
    }
    if (size < sizeof status) {
        program_break(&self->program, "the program sent a reply to HELLO with a body of %zu bytes; expected at least 4",
                      size);
        return TS_ERROR;
    }
    memcpy(&status, body, sizeof status);
    if (status != TS_OK) {
        const int n = size - sizeof status > TS_EXEC_NOTE_MOST ? (int)TS_EXEC_NOTE_MOST : (int)(size - sizeof status);
        program_break(&self->program, "%.*s", n, (const char *)body + sizeof status);
        return status == TS_REJECTED ? TS_REJECTED : TS_ERROR;
    }
    if (size != sizeof status + sizeof(ts_info)) {
        program_break(&self->program, "the program sent a reply to HELLO with a body of %zu bytes; expected %zu", size,
                      sizeof status + sizeof(ts_info));
        return TS_ERROR;
    }
    const uint32_t own_size = self->info.struct_size;
    memcpy(&self->info, body + sizeof status, sizeof self->info);
    self->info.struct_size = own_size;
    self->info.sparse = 0; /* whole tensors are copied */
    return TS_OK;
}

/* Start the program, if none runs. Unless TS_OK is returned, program.why has the reason. */
static ts_status start(exec *self)
{
    unsigned char body[TS_EXEC_FRAME_MOST - sizeof(ts_exec_head)];
    const ts_exec_hello hello = { sizeof(ts_call), sizeof(ts_tensor),  sizeof(ts_shape),
                                  sizeof(ts_info), self->option_count, 0 };
    ts_exec_head head;
    const unsigned char *reply;
    if (self->program.pid != 0 && self->owner == getpid())
        return TS_OK;
    end_program(self);
    self->owner = getpid();
    if (!memory_open(&self->memory)) {
        snprintf(self->program.why, sizeof self->program.why, "no memory can be shared: %s", strerror(errno));
        return TS_ERROR;
    }
    if (!program_start(&self->program, self->words.list, self->memory.file))
        return TS_REJECTED;
    self->program_number++;
    memcpy(body, &hello, sizeof hello);
    if (self->options_size > 0)
        memcpy(body + sizeof hello, self->options, self->options_size);
    const program_end end = program_exchange(&self->program, TS_EXEC_HELLO, TS_EXEC_VERSION, body,
                                             sizeof hello + self->options_size, HELLO_SECONDS, &head, &reply);
    return end == PROGRAM_FINE ? take_hello(self, &head, reply) : TS_ERROR;
}

/* ---- opening ---- */

/* Keep an option for the program. */
static bool keep_option(exec *self, const ts_option *option)
{
    const size_t key = strlen(option->key) + 1, value = strlen(option->value) + 1;
    char *all = realloc(self->options, self->options_size + key + value);
    if (!all || self->options_size + key + value > TS_EXEC_FRAME_MOST / 2) {
        self->options = all ? all : self->options;
        return false;
    }
    memcpy(all + self->options_size, option->key, key);
    memcpy(all + self->options_size + key, option->value, value);
    self->options = all;
    self->options_size += key + value;
    self->option_count++;
    return true;
}

static ts_status take_options(exec *self, const ts_option *options, size_t count)
{
    const char *command = NULL, *why;
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(options[i].key, "command") == 0) {
            command = options[i].value;
        } else if (!keep_option(self, &options[i])) {
            note(self, "the options of the program are too long");
            return TS_REJECTED;
        }
    }
    if (!command) {
        note(self, "it needs the program to run: -b exec:PROGRAM, or the option command='PROGRAM ARGUMENT...'");
        return TS_REJECTED;
    }
    if (!words_split(&self->words, command, &why)) {
        note(self, "command '%s': %s; expected a program and its arguments", command, why);
        return TS_REJECTED;
    }
    return TS_OK;
}

static void exec_close(void *instance)
{
    exec *self = instance;
    if (self->owner == getpid())
        program_close(&self->program);
    end_program(self);
    words_free(&self->words);
    for (size_t i = 0; i < self->class_count; ++i)
        free(self->classes[i].call);
    free(self->classes);
    free(self->tokens);
    free(self->options);
    free(self);
}

static ts_status exec_open(const ts_host *host, const ts_option *options, size_t count, void **out)
{
    exec *self = calloc(1, sizeof *self);
    if (!self)
        return TS_ERROR;
    self->host = host;
    self->memory.file = -1;
    self->program.line = self->program.errors = -1;
    self->info.struct_size = sizeof self->info;
    ts_status status = take_options(self, options, count);
    if (status == TS_OK) {
        status = start(self);
        if (status != TS_OK)
            note(self, "%s", self->program.why);
    }
    if (status == TS_OK)
        *out = self;
    else
        exec_close(self);
    return status;
}

static ts_status exec_info(void *instance, ts_info *info)
{
    const exec *self = instance;
    const uint32_t size = info->struct_size;
    memcpy(info, &self->info, size < sizeof self->info ? size : sizeof self->info);
    info->struct_size = size;
    return TS_OK;
}

/* ---- classes ---- */

/* A copy of a call with its tensors and attributes, in one block. Its name is the suite's, which outlives it. */
static ts_call *copy_call(const ts_call *call)
{
    const size_t name = strlen(call->op) + 1, tensors = call->tensor_count * sizeof(ts_tensor);
    char *block = calloc(1, sizeof *call + tensors + call->attrs_size + name);
    if (!block)
        return NULL;
    ts_call *copy = (ts_call *)(void *)block;
    ts_tensor *to = (ts_tensor *)(void *)(block + sizeof *copy);
    char *attrs = block + sizeof *copy + tensors;
    memcpy(copy, call, sizeof *copy);
    for (uint32_t t = 0; t < call->tensor_count; ++t) {
        memcpy(&to[t], ts_call_tensor(call, t), sizeof *to);
        to[t].data = NULL;
        to[t].reported = NULL;
    }
    if (call->attrs_size > 0)
        memcpy(attrs, call->attrs, call->attrs_size);
    memcpy(attrs + call->attrs_size, call->op, name);
    copy->struct_size = sizeof *copy;
    copy->tensor_size = sizeof *to;
    copy->tensors = to;
    copy->attrs = attrs;
    copy->op = attrs + call->attrs_size;
    return copy;
}

/* Ask the program about class k. *status is its answer where PROGRAM_FINE is returned. */
static program_end ask(exec *self, size_t k, ts_status *status)
{
    static const uint64_t none = 0;
    unsigned char body[sizeof(ts_exec_query) + 4096];
    known_class *c = &self->classes[k];
    ts_exec_head head;
    const unsigned char *reply;
    if (!memory_write(&self->memory, c->call, 1, &none, self->info.buffer_alignment, MEMORY_CANARY))
        return program_break(&self->program, "out of memory");
    const ts_exec_query query = { self->memory.calls, self->memory.described, self->memory.size };
    memcpy(body, &query, sizeof query);
    const size_t text = describe_operator(c->call->op, (char *)body + sizeof query, sizeof body - sizeof query);
    const program_end end =
        program_exchange(&self->program, TS_EXEC_QUERY, (uint32_t)k, body, sizeof query + text, 0, &head, &reply);
    if (end != PROGRAM_FINE)
        return end;
    if (head.size != sizeof head + sizeof c->token)
        return program_break(&self->program, "the program sent a reply to QUERY with a body of %zu bytes; expected %zu",
                             head.size - sizeof head, sizeof c->token);
    memcpy(&c->token, reply, sizeof c->token);
    c->program = self->program_number;
    *status = (ts_status)head.value;
    return PROGRAM_FINE;
}

/* Where the program fails, the class counts as supported: its cases ask again, and fail with the reason. */
static ts_status exec_query(void *instance, const ts_call *shape, void **token)
{
    exec *self = instance;
    if (self->class_count == self->class_capacity) {
        const size_t capacity = self->class_capacity ? 2 * self->class_capacity : 64;
        known_class *all = realloc(self->classes, capacity * sizeof *all);
        if (!all)
            return TS_ERROR;
        self->classes = all;
        self->class_capacity = capacity;
    }
    const size_t k = self->class_count;
    self->classes[k] = (known_class){ .call = copy_call(shape) };
    if (!self->classes[k].call)
        return TS_ERROR;
    self->class_count++;
    *token = (void *)(uintptr_t)(k + 1);
    ts_status status = TS_OK;
    if (start(self) != TS_OK || ask(self, k, &status) != PROGRAM_FINE)
        return TS_OK;
    return status;
}

static ts_status exec_query_clause(void *instance, const char *op, const char *clause)
{
    exec *self = instance;
    char body[256];
    ts_exec_head head;
    const unsigned char *reply;
    const int size = snprintf(body, sizeof body, "%s%c%s", op, '\0', clause);
    if (size < 0 || (size_t)size + 1 > sizeof body || start(self) != TS_OK ||
        program_exchange(&self->program, TS_EXEC_CLAUSE, 0, body, (size_t)size + 1, 0, &head, &reply) != PROGRAM_FINE)
        return TS_OK; /* then cases that break the clause are planned, and fail with the reason */
    return (ts_status)head.value;
}

/* ---- calls ---- */

/* The tokens that the program gave for the classes of n calls; a new program is asked about them first. */
static program_end find_tokens(exec *self, const ts_call *call, size_t n)
{
    if (n > self->token_capacity) {
        free(self->tokens);
        self->tokens = malloc(n * sizeof *self->tokens);
        self->token_capacity = self->tokens ? n : 0;
        if (!self->tokens)
            return program_break(&self->program, "out of memory");
    }
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call)) {
        const size_t k = (size_t)(uintptr_t)call->token - 1;
        ts_status status;
        self->tokens[i] = 0;
        if (k >= self->class_count) /* also without a token */
            continue;
        if (self->classes[k].program != self->program_number) {
            const program_end end = ask(self, k, &status);
            if (end != PROGRAM_FINE)
                return end;
        }
        self->tokens[i] = self->classes[k].token;
    }
    return PROGRAM_FINE;
}

/* Pass the notes of a reply on to the suite. */
static program_end take_notes(exec *self, const ts_exec_head *head, const unsigned char *body, size_t n, size_t first)
{
    const size_t size = head->size - sizeof *head;
    ts_exec_answer answer;
    size_t at = sizeof answer;
    if (size < sizeof answer)
        return program_break(&self->program,
                             "the program sent a reply to SUBMIT with a body of %zu bytes; expected at "
                             "least %zu",
                             size, sizeof answer);
    memcpy(&answer, body, sizeof answer);
    if (answer.answered != n)
        return program_break(&self->program, "the program answered %u calls; it was asked for %zu", answer.answered, n);
    for (uint32_t i = 0; i < answer.notes; ++i) {
        ts_exec_note one;
        if (size - at < sizeof one)
            return program_break(&self->program, "the program sent %u notes; expected %u", i, answer.notes);
        memcpy(&one, body + at, sizeof one);
        at += sizeof one;
        if (one.size > size - at || one.call >= n)
            return program_break(&self->program,
                                 "the program sent a note of %u bytes about call %u of %zu; the frame has "
                                 "%zu bytes left",
                                 one.size, one.call, n, size - at);
        char text[TS_EXEC_NOTE_MOST + 1];
        const size_t used = one.size < TS_EXEC_NOTE_MOST ? one.size : TS_EXEC_NOTE_MOST;
        for (size_t k = 0; k < used; ++k) /* a note is one line */
            text[k] = (char)(body[at + k] < 0x20 ? ' ' : body[at + k]);
        text[used] = '\0';
        note_call(self, first + one.call, text);
        at += one.size;
    }
    return at == size ? PROGRAM_FINE
                      : program_break(&self->program, "the program sent %zu bytes behind its notes", size - at);
}

/* Do what the program did where it should not write, to the memory that a library would have written to. */
static void replay_strays(const memory_stray *strays, size_t n, const ts_call *calls)
{
    for (size_t i = 0; i < n; ++i) {
        const ts_call *call = calls;
        for (size_t k = 0; k < strays[i].call; ++k)
            call = ts_call_next(call);
        if (strays[i].at)
            *(volatile unsigned char *)strays[i].at = strays[i].byte;
        else /* in memory that can only be read */
            ((volatile ts_call *)(uintptr_t)call)->flags = call->flags;
    }
}

/* Execute n calls at once; the first is number `first` of the batch of the suite. alone: it was a part of a batch that
   failed. */
static program_end execute(exec *self, const ts_call *calls, size_t n, size_t first, bool alone, ts_status *status,
                           ts_status *all)
{
    ts_exec_head head;
    const unsigned char *reply;
    if (start(self) != TS_OK)
        return PROGRAM_ABSENT;
    program_end end = find_tokens(self, calls, n);
    if (end != PROGRAM_FINE)
        return end;
    if (!memory_write(&self->memory, calls, n, self->tokens, self->info.buffer_alignment,
                      n == 1 ? MEMORY_WIDE : MEMORY_CANARY))
        return program_break(&self->program, "the memory for the tensors of %zu calls cannot be shared: %s", n,
                             strerror(errno));
    const memory *m = &self->memory;
    const ts_exec_submit submit = { m->calls, m->described, m->statuses, m->size };
    end = program_exchange(&self->program, TS_EXEC_SUBMIT, (uint32_t)n, &submit, sizeof submit, 0, &head, &reply);
    if (end == PROGRAM_FINE)
        end = take_notes(self, &head, reply, n, first);
    if (end == PROGRAM_FINE && program_says_more(&self->program, alone ? MORE_MS : 0))
        end = program_break(&self->program, "the program sent more than one reply to one SUBMIT");
    if (end != PROGRAM_FINE)
        return end;
    memory_stray strays[MOST_STRAYS];
    const size_t stray = memory_find_strays(m, strays, MOST_STRAYS);
    const bool input_written = memory_input_written(m);
    self->strayed |= stray > 0 || input_written;
    if (n > 1 && (stray > 0 || input_written)) { /* any call of the batch may have written there */
        snprintf(self->program.why, sizeof self->program.why, "the program wrote to %s",
                 stray > 0 ? "what is no tensor" : "an input");
        return PROGRAM_DOUBTED;
    }
    memory_read(m, calls, status);
    replay_strays(strays, stray, calls);
    *all = (ts_status)head.value;
    return PROGRAM_FINE;
}

/* The first call of a batch without a status, which the program was executing when it failed. */
static size_t first_unanswered(const exec *self, size_t n)
{
    const unsigned char *base = self->memory.base + self->memory.statuses;
    for (size_t i = 0; i < n; ++i)
        if (base[4 * i] == MEMORY_UNSET && base[4 * i + 1] == MEMORY_UNSET)
            return i;
    return n - 1;
}

static void fail(const exec *self, program_end end, size_t i, const char *how, ts_status *status)
{
    *status = end == PROGRAM_ENDED ? TS_CRASHED : TS_ERROR;
    note_call(self, i, how);
}

static ts_status exec_submit(void *instance, const ts_call *calls, size_t n, ts_status *status)
{
    exec *self = instance;
    ts_status all = TS_OK;
    bool again = false;
    self->strayed = false;
    if (n == 0)
        return TS_OK;
    const program_end end = execute(self, calls, n, 0, false, status, &all);
    if (end == PROGRAM_FINE && (all == TS_OK || n == 1))
        return all;
    if (n == 1) {
        fail(self, end, 0, self->program.why, status);
        return TS_OK;
    }
    /* Which call it was is known if each is executed alone; the tensors are as they were. */
    char how[sizeof self->program.why + 100];
    snprintf(how, sizeof how, "among %zu calls, but not alone: %s", n, self->program.why);
    const size_t suspect = self->memory.base && end != PROGRAM_ABSENT ? first_unanswered(self, n) : 0;
    const ts_call *call = calls;
    self->strayed = false;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call)) {
        const program_end one = execute(self, call, 1, i, true, &status[i], &all);
        if (one != PROGRAM_FINE)
            fail(self, one, i, self->program.why, &status[i]);
        else if (all != TS_OK)
            status[i] = all;
        again |= one != PROGRAM_FINE || self->strayed;
    }
    if (!again && end != PROGRAM_FINE)
        fail(self, end, suspect, how, &status[suspect]);
    return TS_OK;
}

static const char *exec_describe_options(void)
{
    return "command=PROGRAM [ARGUMENT...]  the program to run; -b exec:PROGRAM says the same\n"
           "KEY=VALUE  every other option is passed on to the program";
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = exec_open,
    .close = exec_close,
    .info = exec_info,
    .query = exec_query,
    .submit = exec_submit,
    .describe_options = exec_describe_options,
    .query_clause = exec_query_clause,
    .summary = "for kernels in any language: runs a program that speaks the protocol of docs/exec.md",
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
