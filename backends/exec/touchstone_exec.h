/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make a program of a backend: the other end of the protocol of docs/exec.md, for C11 and C++17 on Linux.
 *
 *     int main(void)
 *     {
 *         return touchstone_exec(&backend);
 *     }
 *
 * `backend` is a ts_backend, as a library has it (docs/backends.md); the class of touchstone.hpp gives one by
 * touchstone_backend(TS_BACKEND_ABI). Its functions get calls as in a library: structures that they must not write to,
 * and the data of tensors, which are in the memory that the program shares with Touchstone. The program may print.
 *
 *     touchstone run -b exec:./program
 */
#ifndef TOUCHSTONE_EXEC_H
#define TOUCHSTONE_EXEC_H

#include "backends/backend.h"
#include "backends/exec/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ts_exec_worker {
    const ts_backend *backend;
    void *self;
    ts_host host;
    char *memory; /* mapped, `mapped` bytes */
    uint64_t mapped;
    char *copy; /* of the descriptions of calls, with pointers instead of offsets */
    uint64_t copy_size;
    char open_note[TS_EXEC_NOTE_MOST + 1];
    uint32_t notes, note_call; /* of the current batch: how many, and the call that a note without a number is about */
    size_t used;
    unsigned char body[TS_EXEC_FRAME_MOST]; /* of the current reply */
} ts_exec_worker;

/* Receive or send exactly `size` bytes; 0 where the connection is closed. */
static inline int ts_exec_receive(void *bytes, size_t size)
{
    for (char *at = (char *)bytes; size > 0;) {
        const ssize_t n = read(TS_EXEC_LINE, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        size -= (size_t)n;
    }
    return 1;
}

static inline int ts_exec_send(const void *bytes, size_t size)
{
    for (const char *at = (const char *)bytes; size > 0;) {
        const ssize_t n = write(TS_EXEC_LINE, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        size -= (size_t)n;
    }
    return 1;
}

/* Send the reply to `request`, whose body is w->used bytes of w->body. */
static inline int ts_exec_reply(ts_exec_worker *w, const ts_exec_head *request, uint32_t value)
{
    unsigned char frame[sizeof(ts_exec_head) + 1024];
    const ts_exec_head head = { (uint32_t)(sizeof head + w->used), request->kind, request->number, value };
    memcpy(frame, &head, sizeof head);
    if (w->used > sizeof frame - sizeof head)
        return ts_exec_send(&head, sizeof head) && ts_exec_send(w->body, w->used);
    memcpy(frame + sizeof head, w->body, w->used);
    return ts_exec_send(frame, sizeof head + w->used); /* in one piece: the other end wakes once */
}

static inline void ts_exec_put(ts_exec_worker *w, const void *bytes, size_t size)
{
    memcpy(w->body + w->used, bytes, size);
    w->used += size;
}

/* The host's note_call: a note of the reply. One that finds no room is left out. */
static inline void ts_exec_take_note(void *context, size_t call, const char *text)
{
    ts_exec_worker *w = (ts_exec_worker *)context;
    const size_t all = strlen(text), size = all < TS_EXEC_NOTE_MOST ? all : TS_EXEC_NOTE_MOST;
    const ts_exec_note note = { (uint32_t)call, (uint32_t)size };
    if (w->used + sizeof note + size > sizeof w->body - sizeof(ts_exec_head))
        return;
    ts_exec_put(w, &note, sizeof note);
    ts_exec_put(w, text, size);
    w->notes++;
}

/* The host's note: outside of `submit` the reason of open; in it about the whole batch. */
static inline void ts_exec_take_any_note(void *context, const char *text)
{
    ts_exec_worker *w = (ts_exec_worker *)context;
    snprintf(w->open_note, sizeof w->open_note, "%s", text);
}

/* Map the memory, if it grew. */
static inline int ts_exec_map(ts_exec_worker *w, uint64_t size)
{
    if (w->mapped == size)
        return 1;
    if (w->memory)
        munmap(w->memory, (size_t)w->mapped);
    w->memory = (char *)mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, TS_EXEC_MEMORY, 0);
    w->mapped = w->memory == (char *)MAP_FAILED ? 0 : size;
    if (!w->mapped)
        w->memory = NULL;
    return w->mapped != 0;
}

/* Make a pointer of an offset, into the copy of the descriptions or into the shared memory. */
static inline void *ts_exec_pointer(char *base, const void *offset)
{
    return offset ? base + (uintptr_t)offset : NULL;
}

/* The n calls at offset `calls`, copied, with pointers. NULL if memory is out. */
static inline ts_call *ts_exec_calls(ts_exec_worker *w, uint64_t calls, uint64_t described, uint64_t memory, size_t n)
{
    if (!ts_exec_map(w, memory))
        return NULL;
    if (described > w->copy_size) {
        free(w->copy);
        w->copy = (char *)malloc((size_t)described);
        w->copy_size = w->copy ? described : 0;
        if (!w->copy)
            return NULL;
    }
    memcpy(w->copy, w->memory, (size_t)described);
    ts_call *first = (ts_call *)(void *)(w->copy + calls);
    for (size_t i = 0; i < n; ++i) {
        ts_call *c = &first[i];
        ts_tensor *tensors = (ts_tensor *)ts_exec_pointer(w->copy, c->tensors);
        c->op = (const char *)ts_exec_pointer(w->copy, c->op);
        c->attrs = ts_exec_pointer(w->copy, c->attrs);
        c->tensors = tensors;
        for (uint32_t t = 0; t < c->tensor_count; ++t) {
            tensors[t].data = ts_exec_pointer(w->memory, tensors[t].data);
            tensors[t].reported = (ts_shape *)ts_exec_pointer(w->memory, tensors[t].reported);
        }
    }
    return first;
}

/* ---- the requests; `body` is that of the request ---- */

static inline int ts_exec_on_hello(ts_exec_worker *w, const ts_exec_head *head, const unsigned char *body, size_t size)
{
    ts_exec_hello hello;
    ts_option options[64];
    size_t count = 0;
    ts_info info;
    memcpy(&hello, body, sizeof hello);
    for (const char *at = (const char *)body + sizeof hello, *end = (const char *)body + size;
         at < end && count < hello.options && count < sizeof options / sizeof options[0]; ++count) {
        options[count].key = at;
        options[count].value = at + strlen(at) + 1;
        at = options[count].value + strlen(options[count].value) + 1;
    }
    memset(&info, 0, sizeof info);
    info.struct_size = sizeof info;
    uint32_t status = (uint32_t)TS_ERROR;
    if (head->value != TS_EXEC_VERSION || hello.call_size != sizeof(ts_call) ||
        hello.tensor_size != sizeof(ts_tensor) || hello.shape_size != sizeof(ts_shape) ||
        hello.info_size != sizeof(ts_info))
        snprintf(w->open_note, sizeof w->open_note, "the program was compiled for another version of touchstone");
    else
        status = (uint32_t)w->backend->open(&w->host, options, count, &w->self);
    if (status == (uint32_t)TS_OK)
        status = (uint32_t)w->backend->info(w->self, &info);
    if (info.preferred_batch == 0)
        info.preferred_batch = 256; /* a frame costs more than most calls */
    ts_exec_put(w, &status, sizeof status);
    if (status == (uint32_t)TS_OK)
        ts_exec_put(w, &info, sizeof info);
    else
        ts_exec_put(w, w->open_note, strlen(w->open_note));
    return ts_exec_reply(w, head, TS_EXEC_VERSION);
}

static inline int ts_exec_on_query(ts_exec_worker *w, const ts_exec_head *head, const unsigned char *body)
{
    ts_exec_query query;
    void *token = NULL;
    memcpy(&query, body, sizeof query);
    const ts_call *shape = ts_exec_calls(w, query.call, query.described, query.memory, 1);
    const ts_status status = shape ? w->backend->query(w->self, shape, &token) : TS_ERROR;
    const uint64_t kept = (uint64_t)(uintptr_t)token;
    ts_exec_put(w, &kept, sizeof kept);
    return ts_exec_reply(w, head, (uint32_t)status);
}

static inline int ts_exec_on_clause(ts_exec_worker *w, const ts_exec_head *head, const unsigned char *body)
{
    const char *op = (const char *)body, *clause = op + strlen(op) + 1;
    const ts_backend *b = w->backend;
    const ts_status status = b->query_clause ? b->query_clause(w->self, op, clause) : TS_OK;
    return ts_exec_reply(w, head, (uint32_t)status);
}

static inline int ts_exec_on_submit(ts_exec_worker *w, const ts_exec_head *head, const unsigned char *body)
{
    const size_t n = head->value;
    ts_exec_submit submit;
    ts_exec_answer answer = { (uint32_t)n, 0 };
    memcpy(&submit, body, sizeof submit);
    w->used = sizeof answer;
    w->notes = 0;
    w->open_note[0] = '\0';
    const ts_call *calls = ts_exec_calls(w, submit.calls, submit.described, submit.memory, n);
    ts_status all = TS_ERROR;
    if (calls) /* a ts_status has the size of a uint32_t wherever this runs */
        all = w->backend->submit(w->self, calls, n, (ts_status *)(void *)(w->memory + submit.statuses));
    for (size_t i = 0; w->open_note[0] && i < n; ++i) {
        uint32_t one;
        memcpy(&one, w->memory + submit.statuses + i * sizeof one, sizeof one);
        if (all != TS_OK || one == (uint32_t)TS_ERROR || one == (uint32_t)TS_LOST ||
            (one == (uint32_t)TS_REJECTED && n == 1))
            ts_exec_take_note(w, i, w->open_note);
    }
    answer.notes = w->notes;
    memcpy(w->body, &answer, sizeof answer);
    return ts_exec_reply(w, head, (uint32_t)all);
}

/* Serve Touchstone until it closes the connection. Returns the exit status of the program: 0, or 64 where it was not
   started by Touchstone. */
static inline int touchstone_exec(const ts_backend *backend)
{
    static ts_exec_worker worker; /* a program has one */
    static unsigned char body[TS_EXEC_FRAME_MOST];
    ts_exec_worker *w = &worker;
    ts_exec_head head;
    int more = 1;
    if (!getenv(TS_EXEC_VARIABLE)) {
        fprintf(stderr, "this program is a backend of Touchstone: touchstone run -b exec:PROGRAM starts it\n");
        return 64;
    }
    w->backend = backend;
    w->host.struct_size = sizeof w->host;
    w->host.context = w;
    w->host.note = ts_exec_take_any_note;
    w->host.note_call = ts_exec_take_note;
    while (more && ts_exec_receive(&head, sizeof head) && head.kind != TS_EXEC_CLOSE) {
        const size_t size = head.size - sizeof head;
        if (head.size < sizeof head || head.size > sizeof body || !ts_exec_receive(body, size))
            break;
        w->used = 0;
        switch (head.kind) {
        case TS_EXEC_HELLO: more = ts_exec_on_hello(w, &head, body, size); break;
        case TS_EXEC_QUERY: more = ts_exec_on_query(w, &head, body); break;
        case TS_EXEC_CLAUSE: more = ts_exec_on_clause(w, &head, body); break;
        case TS_EXEC_SUBMIT: more = ts_exec_on_submit(w, &head, body); break;
        default: more = 0; break;
        }
    }
    if (w->self)
        backend->close(w->self);
    free(w->copy);
    return 0;
}

#ifdef __cplusplus
}
#endif
#endif
