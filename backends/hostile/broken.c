/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A backend that breaks one promise of the interface, for tests of the probe. It hands every call on to another
 * backend. The environment names both: TOUCHSTONE_TEST_INNER is the path of the other backend, TOUCHSTONE_TEST_BREAKS
 * the promise.
 */
#include "backends/backend.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ts_backend *inner;
static void *inner_self;
static unsigned long submissions, opened;
static unsigned char *kept; /* data of a call that is over */

static int breaks(const char *promise)
{
    const char *name = getenv("TOUCHSTONE_TEST_BREAKS");
    return name && strcmp(name, promise) == 0;
}

static void *wait_for_ever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

static ts_status broken_open(const ts_host *host, const ts_option *options, size_t count, void **out)
{
    static char one;
    pthread_t thread;
    void *library = dlopen(getenv("TOUCHSTONE_TEST_INNER"), RTLD_NOW | RTLD_LOCAL);
    touchstone_backend_function get = NULL;
    (void)options;
    if (library)
        *(void **)&get = dlsym(library, "touchstone_backend");
    if (!get || !(inner = get(TS_BACKEND_ABI)))
        return TS_ERROR;
    if (count > 0 && !breaks("accepts-options")) {
        if (!breaks("refuses-silently"))
            host->note(host->context, breaks("notes-lines") ? "there are no\noptions" : "there are no options");
        return TS_REJECTED;
    }
    if (breaks("opens-once") && opened)
        return TS_ERROR;
    if (breaks("leaks-memory"))
        *(volatile char *)malloc(100) = 1;
    if (breaks("leaks-files"))
        (void)!open("/dev/null", O_RDONLY);
    if (breaks("leaks-threads"))
        pthread_create(&thread, NULL, wait_for_ever, NULL);
    if (breaks("prints"))
        puts("hello");
    ++opened;
    *out = breaks("self") ? NULL : &one;
    return inner->open(host, NULL, 0, &inner_self);
}

static void broken_close(void *self)
{
    (void)self;
    inner->close(inner_self);
}

static ts_status broken_info(void *self, ts_info *info)
{
    static uint32_t calls;
    (void)self;
    const ts_status status = inner->info(inner_self, info);
    if (breaks("info-string"))
        memset(info->vendor, 'x', sizeof info->vendor);
    if (breaks("info-level"))
        info->highest_level = 64;
    if (breaks("info-alignment"))
        info->buffer_alignment = 48;
    if (breaks("info-changes"))
        snprintf(info->driver, sizeof info->driver, "%u", calls++);
    if (breaks("info-beyond"))
        memset(info + 1, 0, 8);
    if (breaks("info-newer") && info->struct_size > sizeof *info)
        memset(info + 1, 1, info->struct_size - sizeof *info);
    return status;
}

static ts_status broken_query(void *self, const ts_call *shape, void **token)
{
    static unsigned long asked;
    (void)self;
    const ts_status status = inner->query(inner_self, shape, token);
    if (breaks("query-status"))
        return TS_REJECTED;
    if (breaks("query-changes") && asked++ % 2)
        return TS_UNSUPPORTED;
    return breaks("query-unknown") && strncmp(shape->op, "touchstone", 10) == 0 ? TS_OK : status;
}

static ts_status broken_query_clause(void *self, const char *op, const char *clause)
{
    (void)self;
    (void)op;
    (void)clause;
    return breaks("clause") ? TS_ERROR : TS_OK;
}

/* A number of the call's attributes that is absent, and yet read. */
static int reads_absent(const ts_call *call)
{
    const uint32_t *numbers = call->attrs;
    int reads = 0;
    for (unsigned k = 0; strcmp(call->op, "openvino.strided_slice") == 0 && k < 8; ++k) /* the counts of its lists */
        reads |= !(call->attrs_given >> k & 1u) && numbers[k] > 100;
    return reads;
}

/* What happens in the place of a call, or after it. */
static void spoil(const ts_call *call, size_t n, ts_status *status)
{
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, call->tensor_count - 1);
    unsigned char *data = out->data;
    const int executed = data && out->total_bytes > 0 && *status == TS_OK;
    if (breaks("writes-call"))
        memset((void *)(uintptr_t)&call->flags, 0, sizeof call->flags);
    if (breaks("writes-input") && in->data && in->total_bytes > 0)
        *(unsigned char *)in->data ^= 1;
    if (breaks("writes-beyond") && executed)
        data[-1] ^= 1;
    if (breaks("state") && executed && submissions > 60)
        data[0] ^= 1;
    if (breaks("address") && executed && ((uintptr_t)data & 0xFFF) == 0)
        data[0] ^= 1;
    if (breaks("descriptor-only") && (call->flags & TS_CALL_DESCRIPTOR_ONLY))
        *status = TS_REJECTED;
    if (breaks("unasked") && (call->flags & TS_CALL_DESCRIPTOR_ONLY)) /* no broken promise */
        *status = TS_UNSUPPORTED;
    if (breaks("reported") && *status == TS_OK && (out->given & TS_GIVEN_TENSOR))
        out->reported->rank = out->rank;
    if (out->data_dependent && out->reported && *status == TS_OK && data) {
        if (breaks("hides-shape"))
            out->reported->rank = TS_RANK_UNREPORTED;
        if (breaks("shape-beyond"))
            ++out->reported->sizes[0];
        if (breaks("shape-changes") && submissions % 2 && out->reported->sizes[1] > 0)
            --out->reported->sizes[1];
    }
    if (breaks("refused") && data && out->total_bytes > 0) {
        data[0] ^= 1;
        *status = TS_UNSUPPORTED;
    }
    if (breaks("garbage") && out->rank == UINT32_MAX)
        abort();
    if (breaks("illegal") && n > 4 && *status == TS_REJECTED)
        *status = TS_ERROR;
    if (breaks("undeclared"))
        *status = (ts_status)7;
    if (breaks("crash"))
        abort();
    if (breaks("exit"))
        _exit(0);
    if (breaks("hang"))
        wait_for_ever(NULL);
    if (breaks("keeps-pointers") && executed) {
        if (kept && n == 1)
            ++*kept;
        kept = n > 2 ? data : kept;
    }
}

static ts_status broken_submit(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    (void)self;
    ++submissions;
    if (breaks("empty") && n == 0)
        return TS_ERROR;
    if (breaks("walks") && n > 1) /* as `++call` does */
        (void)*(const volatile char *)calls[1].op;
    if (breaks("reads-null") && n > 0 && (calls->flags & TS_CALL_DESCRIPTOR_ONLY))
        (void)*(const volatile char *)ts_call_tensor(calls, 0)->data;
    if (breaks("plain-index") && n > 0 && calls->tensors[1].rank > 99)
        return TS_REJECTED;
    if (breaks("absent") && n > 0 && reads_absent(calls))
        return TS_REJECTED;
    if (breaks("accepts-none"))
        return TS_UNSUPPORTED;
    if (breaks("together") && n > 1) {
        inner->submit(inner_self, calls, 1, status);
        for (size_t i = 1; i < n; ++i)
            status[i] = status[0];
        return TS_OK;
    }
    const ts_status all = inner->submit(inner_self, calls, n, status);
    for (size_t i = 0; i < n; ++i) {
        const ts_call *next = ts_call_next(calls);
        spoil(calls, n, &status[i]);
        calls = next;
    }
    if (breaks("no-status") && n > 0)
        memset(status, 0x5A, sizeof *status);
    if (breaks("status-beyond"))
        status[n] = TS_OK;
    return breaks("submit-undeclared") ? (ts_status)9 : all;
}

static const char *broken_options(void)
{
    return breaks("describes") ? "an option\n" : "";
}

const ts_backend *touchstone_backend(uint32_t abi)
{
    static ts_backend backend = {
        .struct_size = sizeof(ts_backend),
        .abi = TS_BACKEND_ABI,
        .open = broken_open,
        .close = broken_close,
        .info = broken_info,
        .query = broken_query,
        .submit = broken_submit,
        .describe_options = broken_options,
        .query_clause = broken_query_clause,
    };
    if (breaks("function"))
        backend.query = NULL;
    if (breaks("no-size"))
        backend.struct_size = 0;
    if (breaks("returns-null"))
        return NULL;
    return abi == TS_BACKEND_ABI || breaks("version") ? &backend : NULL;
}
