/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A backend that is hostile before its first call, for tests. Its file name says how and where: crash-open.so,
 * exit-constructor.so, hang-info.so, crash-query.so, print-describe.so, thread-open.so. "last-words-" prints before a
 * crash, and "refuse-" before it refuses to open. Otherwise it does nothing.
 */
#include "backends/backend.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *spin(void *unused)
{
    for (;;)
        pause();
    return unused;
}

/* False: the backend refuses. */
static bool act(const char *place)
{
    Dl_info self;
    pthread_t thread;
    if (!dladdr((void *)(uintptr_t)touchstone_backend, &self) || !self.dli_fname || !strstr(self.dli_fname, place))
        return true;
    if (strstr(self.dli_fname, "print-") || strstr(self.dli_fname, "words-") || strstr(self.dli_fname, "refuse-"))
        printf("forged\n\033[31mred");
    if (strstr(self.dli_fname, "words-"))
        fflush(stdout);
    if (strstr(self.dli_fname, "crash-") || strstr(self.dli_fname, "words-"))
        abort();
    if (strstr(self.dli_fname, "exit-"))
        exit(0);
    if (strstr(self.dli_fname, "hang-"))
        spin(NULL);
    if (strstr(self.dli_fname, "thread-"))
        pthread_create(&thread, NULL, spin, NULL);
    return !strstr(self.dli_fname, "refuse-");
}

__attribute__((constructor)) static void begin(void)
{
    act("-constructor");
}

static ts_status begin_open(const ts_host *host, const ts_option *options, size_t count, void **out)
{
    (void)host;
    (void)options;
    (void)count;
    static int one;
    *out = &one;
    return act("-open") ? TS_OK : TS_ERROR;
}

static void begin_close(void *self)
{
    (void)self;
    act("-close");
}

static ts_status begin_info(void *self, ts_info *info)
{
    (void)self;
    snprintf(info->name, sizeof info->name, "begin");
    snprintf(info->version, sizeof info->version, "1\033[31m\nforged");
    act("-info");
    return TS_OK;
}

static ts_status begin_query(void *self, const ts_call *shape, void **token)
{
    (void)self;
    (void)shape;
    (void)token;
    act("-query");
    return TS_UNSUPPORTED;
}

static ts_status begin_submit(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    (void)self;
    (void)calls;
    for (size_t i = 0; i < n; ++i)
        status[i] = TS_UNSUPPORTED;
    return TS_OK;
}

static const char *begin_options(void)
{
    act("-describe");
    return "key=VALUE  \033[2Jnothing\nsecond line";
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = begin_open,
    .close = begin_close,
    .info = begin_info,
    .query = begin_query,
    .submit = begin_submit,
    .describe_options = begin_options,
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    act("-entry");
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
