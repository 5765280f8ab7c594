/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that breaks the protocol of docs/exec.md, in the way that its first argument names; each mode stands for
 * something that programs do. It answers SUBMIT with TS_OK and copies nothing, but for IDENTITY of FLOAT32: there it is
 * right, and hostile where the first size of the input is 2.
 */
#include "backends/exec/touchstone_exec.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>

static const char *mode = "";

static bool is(const char *name)
{
    return strcmp(mode, name) == 0;
}

/* Send a reply of its own making. */
static void send_frame(uint32_t size, uint32_t kind, uint32_t number, uint32_t value)
{
    const ts_exec_head head = { size, kind, number, value };
    ts_exec_send(&head, sizeof head);
}

static void flood(int to)
{
    char line[4096];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 4096; ++i)
        if (write(to, line, sizeof line) < 0)
            break;
}

/* Start a process that outlives this one unless it is killed; `away`: in a session of its own. */
static void start_child(bool away)
{
    if (fork() != 0)
        return;
    if (away) {
        setsid();
        if (fork() != 0)
            _exit(0);
    }
    prctl(PR_SET_NAME, "exec-left");
    for (;;)
        pause();
}

/* What ends the program, or its connection, within a call. */
static void end_in_call(void)
{
    if (is("crash") || is("last-words")) {
        fprintf(stderr, is("crash") ? "about to crash\n" : "first line\nlast line\n");
        raise(SIGSEGV);
    }
    if (is("abort"))
        abort();
    if (is("exit"))
        exit(3);
    if (is("exit-0"))
        exit(0);
    if (is("kill"))
        kill(getpid(), SIGKILL);
    if (is("close")) {
        close(TS_EXEC_LINE);
        sleep(60);
    }
    if (is("fork-and-crash")) { /* the child holds the connection open */
        start_child(false);
        raise(SIGSEGV);
    }
    if (is("once")) { /* a crash that does not occur when the call is alone */
        static int calls;
        if (++calls > 1)
            raise(SIGSEGV);
    }
}

/* What lies, does not come back, or does what a program should not, within a call. */
static void lie_in_call(ts_status *status)
{
    if (is("hang"))
        for (;;)
            pause();
    if (is("spin"))
        for (volatile int i = 0;; ++i)
            continue;
    if (is("memory")) {
        for (size_t i = 0; i < 4096; ++i)
            memset(malloc((size_t)1 << 20), 1, (size_t)1 << 20);
        sleep(60);
    }
    if (is("shared-memory")) { /* of nobody who maps it */
        const int failed = posix_fallocate(TS_EXEC_MEMORY, 0, (off_t)1 << 30);
        sleep(failed ? 0 : 60);
    }
    if (is("status"))
        *status = (ts_status)77;
    if (is("no-status"))
        memset(status, 0x5A, sizeof *status);
    if (is("flood-stdout"))
        flood(STDOUT_FILENO);
    if (is("flood-stderr"))
        flood(STDERR_FILENO);
    if (is("fork"))
        start_child(false);
    if (is("daemon"))
        start_child(true);
}

static void write_outside(const ts_tensor *in, const ts_tensor *out)
{
    if (is("modify-input"))
        *(char *)in->data = (char)(*(const char *)in->data ^ 0x55);
    if (is("write-behind"))
        ((char *)out->data)[out->total_bytes] = 0x11;
    if (is("write-in-front"))
        ((char *)out->data)[-1] = 0x11;
    if (is("write-others") && out->rank == 2) /* tensors of the calls that follow, and nothing beside its own */
        memset((char *)out->data + out->total_bytes + 300, 0x11, 2000);
    if (is("write-far"))
        ((char *)out->data)[out->total_bytes + 5] = 0x11;
}

/* Write to the input of the call that follows, and to nothing between; where none follows, so far behind the output as
   that was the last time. */
static void write_ahead(const ts_tensor *out, const ts_tensor *next)
{
    static ptrdiff_t distance = 1000;
    if (next && next->data && next->data > out->data)
        distance = (const char *)next->data - (const char *)out->data;
    ((char *)out->data)[distance] ^= 0x55;
}

/* Change a byte of the output of the call before, and nothing between; where none is before, one so far in front of the
   own output as that was the last time. */
static void write_back(const ts_tensor *out, const ts_tensor *previous, bool alone)
{
    static ptrdiff_t distance = 2000;
    if (previous && previous->data && previous->data < out->data)
        distance = (const char *)out->data - (const char *)previous->data;
    else if (!alone)
        return;
    *((char *)out->data - distance) ^= 0x55;
}

/* Answer a call with the output that a call with the same tensors had first, whatever its data were. */
static void remember(const ts_tensor *in, const ts_tensor *out)
{
    enum { MOST = 8192, BYTES = 1024 };
    static struct {
        ts_tensor in, out;
        char bytes[BYTES];
    } *known;
    static size_t count;
    ts_tensor to = *out, from = *in;
    to.data = from.data = NULL;
    to.reported = from.reported = NULL;
    if (out->total_bytes > BYTES || (!known && !(known = calloc(MOST, sizeof *known))))
        return;
    size_t k = 0;
    while (k < count && (memcmp(&known[k].in, &from, sizeof from) != 0 || memcmp(&known[k].out, &to, sizeof to) != 0))
        ++k;
    if (k < count)
        memcpy(out->data, known[k].bytes, (size_t)out->total_bytes);
    else if (k < MOST) {
        known[count].in = from;
        known[count].out = to;
        memcpy(known[count++].bytes, out->data, (size_t)out->total_bytes);
    }
}

static ts_status run(const ts_call *call, const ts_call *previous, const ts_call *next, ts_status *status,
                     ts_exec_worker *w)
{
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    const bool executes = !(call->flags & TS_CALL_DESCRIPTOR_ONLY);
    if (executes)
        memcpy(out->data, in->data, (size_t)in->total_bytes);
    if (executes && is("remember"))
        remember(in, out);
    if (in->sizes[0] != 2)
        return TS_OK;
    end_in_call();
    lie_in_call(status);
    if (executes)
        write_outside(in, out);
    if (executes && is("write-input-ahead") && out->rank == 2)
        write_ahead(out, next ? ts_call_tensor(next, 0) : NULL);
    if (executes && is("write-output-back") && out->rank == 2)
        write_back(out, previous ? ts_call_tensor(previous, 1) : NULL, !next);
    if (is("write-call")) /* in the shared memory, not in the copy */
        memset(w->memory + ((const char *)call - w->copy) + offsetof(ts_call, flags), 0x77, 1);
    return *status == TS_OK || is("status") || is("no-status") ? *status : TS_OK;
}

/* Answer a SUBMIT, with a frame of its own making. */
static void answer(ts_exec_worker *w, const ts_exec_head *head, const unsigned char *body)
{
    ts_exec_submit submit;
    ts_exec_answer reply = { head->value, 0 };
    memcpy(&submit, body, sizeof submit);
    const ts_call *call = ts_exec_calls(w, submit.calls, submit.described, submit.memory, head->value);
    ts_status *statuses = (ts_status *)(void *)(w->memory + submit.statuses);
    const ts_call *previous = NULL;
    bool due = false;
    for (size_t i = 0; i < head->value; ++i, previous = call, call = ts_call_next(call)) {
        ts_status status = TS_OK;
        due = due || ts_call_tensor(call, 0)->sizes[0] == 2;
        statuses[i] = run(call, previous, i + 1 < head->value ? ts_call_next(call) : NULL, &status, w);
    }
    ts_exec_head at = { sizeof at + sizeof reply, TS_EXEC_SUBMIT, head->number, TS_OK };
    if (due && is("too-many"))
        reply.answered++;
    if (due && is("batch-status"))
        at.value = 99;
    if (due && is("notes"))
        reply.notes = 1000;
    if (due && is("short")) {
        ts_exec_send(&at, sizeof at - 4);
        exit(0);
    }
    if (due && is("length"))
        at.size = 0xFFFFFF00u;
    if (due && is("length-small"))
        at.size = 7;
    if (due && is("length-wrong"))
        at.size += 3;
    if (due && is("number"))
        at.number += 7;
    if (due && is("kind"))
        at.kind = TS_EXEC_HELLO;
    ts_exec_send(&at, sizeof at);
    ts_exec_send(&reply, sizeof reply);
    if (due && is("length-wrong"))
        ts_exec_send("abc", 3);
    if (due && is("twice")) {
        ts_exec_send(&at, sizeof at);
        ts_exec_send(&reply, sizeof reply);
    }
}

static void hello(const ts_exec_head *head)
{
    const uint32_t status = TS_OK;
    ts_info info = {
        .struct_size = sizeof info, .highest_level = TS_LEVEL_6_4, .preferred_batch = 64, .name = "hostile"
    };
    if (is("hello-garbage"))
        ts_exec_send("Hello, world! This is not a frame.\n", 35);
    if (is("hello-crash"))
        raise(SIGSEGV);
    if (is("hello-exit")) {
        fprintf(stderr, "Traceback: no module named 'kernels'\n");
        exit(1);
    }
    send_frame(sizeof *head + sizeof status + sizeof info, TS_EXEC_HELLO, head->number,
               is("hello-version") ? 9 : TS_EXEC_VERSION);
    ts_exec_send(&status, sizeof status);
    ts_exec_send(&info, sizeof info);
}

static void query(ts_exec_worker *w, const ts_exec_head *head, const unsigned char *body)
{
    ts_exec_query asked;
    const uint64_t token = 0;
    memcpy(&asked, body, sizeof asked);
    const ts_call *shape = ts_exec_calls(w, asked.call, asked.described, asked.memory, 1);
    const bool known =
        strcmp(shape->op, "dml.element_wise_identity") == 0 && ts_call_tensor(shape, 0)->dtype == TS_FLOAT32;
    if (known && is("query-crash"))
        raise(SIGSEGV);
    while (known && is("query-hang") && ts_call_tensor(shape, 0)->rank == 1)
        pause();
    send_frame(sizeof *head + sizeof token, TS_EXEC_QUERY, head->number, known ? TS_OK : TS_UNSUPPORTED);
    ts_exec_send(&token, sizeof token);
}

int main(int argc, char **argv)
{
    static unsigned char body[TS_EXEC_FRAME_MOST];
    static ts_exec_worker w;
    ts_exec_head head;
    mode = argc > 1 ? argv[1] : "";
    while (ts_exec_receive(&head, sizeof head) && ts_exec_receive(body, head.size - sizeof head))
        switch (head.kind) {
        case TS_EXEC_HELLO: hello(&head); break;
        case TS_EXEC_QUERY: query(&w, &head, body); break;
        case TS_EXEC_CLAUSE: send_frame(sizeof head, TS_EXEC_CLAUSE, head.number, TS_OK); break;
        case TS_EXEC_SUBMIT: answer(&w, &head, body); break;
        default:
            if (is("stay")) /* does not end when it is asked to */
                for (;;)
                    pause();
            return 0;
        }
    return 0;
}
