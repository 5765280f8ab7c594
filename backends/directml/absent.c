/* SPDX-License-Identifier: Apache-2.0 */
/* The backend on a platform without D3D12: it describes its options, and `open` reports what is missing. */
#include "backends/backend.h"
#include "backends/directml/options.h"

static ts_status absent_open(const ts_host *host, const ts_option *options, size_t count, void **self)
{
    char message[400];
    directml_options read;
    (void)self;
    bool fine = options_read(options, count, &read, message, sizeof message);
    if (host && host->note)
        host->note(host->context,
                   fine ? "it needs D3D12, which only Windows has; on Linux, run scripts/setup-directml.sh "
                          "once and use scripts/touchstone-wine instead of touchstone"
                        : message);
    return fine ? TS_ERROR : TS_REJECTED;
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
    .describe_options = options_describe,
    .summary = OPTIONS_SUMMARY,
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
