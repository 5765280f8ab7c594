/* SPDX-License-Identifier: Apache-2.0 */
/* The backend exec where it does not exist: it says so. */
#include "backends/backend.h"

static ts_status absent_open(const ts_host *host, const ts_option *options, size_t count, void **self)
{
    (void)options;
    (void)count;
    (void)self;
    if (host && host->note)
        host->note(host->context, "it shares memory with a program in a way that only Linux has; run it there");
    return TS_ERROR;
}

static void absent_close(void *self)
{
    (void)self;
}

static ts_status absent_info(void *self, ts_info *info)
{
    (void)self;
    (void)info;
    return TS_ERROR;
}

static ts_status absent_query(void *self, const ts_call *shape, void **token)
{
    (void)self;
    (void)shape;
    (void)token;
    return TS_UNSUPPORTED;
}

static ts_status absent_submit(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    (void)self;
    (void)calls;
    (void)n;
    (void)status;
    return TS_ERROR;
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = absent_open,
    .close = absent_close,
    .info = absent_info,
    .query = absent_query,
    .submit = absent_submit,
    .summary = "for kernels in any language: runs a program that speaks the protocol of docs/exec.md; only on Linux",
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
