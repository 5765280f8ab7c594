/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of the audit (audit/kernels/) as a backend. The reference judges the descriptor and infers shapes, so
 * that a kernel gets legal calls only; the kernel computes the outputs.
 */
#include "audit/kernels/kernels.h"
#include "harness/model/operator.h"
#include "reference/operators.h"

#include <stdio.h>
#include <string.h>

static const kernel_operator *find_kernel(const char *name)
{
    for (size_t k = 0; kernel_operators[k]; ++k)
        if (strcmp(kernel_operators[k]->name, name) == 0)
            return kernel_operators[k];
    return NULL;
}

static void reset_all(void)
{
    for (size_t k = 0; kernel_operators[k]; ++k)
        kernel_operators[k]->reset();
}

static ts_status kernels_open(const ts_host *host, const ts_option *options, size_t count, void **self)
{
    if (count > 0) {
        char text[128];
        snprintf(text, sizeof text, "unknown option %.64s: expected none", options[0].key ? options[0].key : "");
        if (host && host->note)
            host->note(host->context, text);
        return TS_REJECTED;
    }
    static char instance; /* what the kernels remember is theirs */
    *self = &instance;
    reset_all();
    return TS_OK;
}

static void kernels_close(void *self)
{
    (void)self;
    reset_all();
}

static ts_status kernels_info(void *self, ts_info *info)
{
    (void)self;
    info->preferred_batch = 16;
    info->highest_level = TS_LEVEL_6_4;
    info->buffer_alignment = 1;
    info->sparse = 1;
    info->in_place = 1;
    snprintf(info->name, sizeof info->name, "kernels");
    snprintf(info->vendor, sizeof info->vendor, "Touchstone");
    snprintf(info->version, sizeof info->version, "1");
    info->driver[0] = '\0';
    snprintf(info->device, sizeof info->device, "host processor");
    return TS_OK;
}

static ts_status kernels_query(void *self, const ts_call *shape, void **token)
{
    (void)self;
    const ts_operator *op = operators_find(shape->op);
    if (!op || !find_kernel(shape->op) || shape->tensor_count != op->tensor_count)
        return TS_UNSUPPORTED;
    if (shape->profile > (op->openvino_types ? TS_PROFILE_NUMPY : TS_PROFILE_DEFAULT))
        return TS_UNSUPPORTED;
    *token = NULL;
    return TS_OK;
}

/* The shapes that the operator infers, for outputs that are to report theirs. */
static void report_shapes(const ts_descriptor *d)
{
    ts_descriptor inferred = *d;
    if (!d->op->openvino_types || !d->op->shape(&inferred))
        return;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        ts_shape *reported = d->tensors[t].reported;
        if (!reported)
            continue;
        reported->rank = inferred.tensors[t].rank;
        memcpy(reported->sizes, inferred.tensors[t].sizes, sizeof reported->sizes);
    }
}

static ts_status run_call(const ts_call *call)
{
    const ts_operator *op = operators_find(call->op);
    const kernel_operator *kernel = find_kernel(call->op);
    if (!op || !kernel)
        return TS_UNSUPPORTED;
    ts_descriptor d;
    if (!operator_of_call(&d, op, call))
        return TS_ERROR;

    ts_report report = { 0 };
    operator_check(&d, &report);
    report_shapes(&d);
    if (operator_graver(report.worst, TS_RESULT_UNSPECIFIED))
        return TS_REJECTED;
    if (call->flags & TS_CALL_DESCRIPTOR_ONLY)
        return TS_OK;
    const ts_call legal = operator_call(&d);
    return kernel->run(&legal);
}

static ts_status kernels_submit(void *self, const ts_call *call, size_t n, ts_status *status)
{
    (void)self;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
        status[i] = run_call(call);
    return TS_OK;
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = kernels_open,
    .close = kernels_close,
    .info = kernels_info,
    .query = kernels_query,
    .submit = kernels_submit,
    .summary = "for maintainers of the suite: kernels written as libraries write them, which the audit mutates",
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
