/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cpu backend: a fast implementation of the operators that shares nothing with the reference but the interface,
 * so that the two are independent answers to the same question.
 */
#include "backends/cpu/cpu.h"

#include <stdio.h>
#include <string.h>

#define NAME_ROOM 64

static const cpu_operator *const operators[] = {
    &cpu_slice1,
    &cpu_gather,
    &cpu_gather_elements,
    &cpu_random_generator,
    &cpu_element_wise_identity,
    &cpu_strided_slice,
    &cpu_scatter_elements,
    &cpu_gather_nd,
    &cpu_gather_nd1,
    &cpu_gather_1,
    &cpu_gather_7,
    &cpu_gather_8,
    &cpu_scatter_nd,
    &cpu_scatter_nd_update_3,
    &cpu_scatter_elements_update_3,
    &cpu_scatter_update,
    &cpu_gather_lines,
    &cpu_gather_nd_5,
    &cpu_gather_nd_8,
    &cpu_join,
    &cpu_gather_tree,
    &cpu_cumulative_summation,
    &cpu_non_zero_3,
};
static const size_t operator_count = sizeof operators / sizeof *operators;

static const struct {
    const cpu_operator *operators;
    const size_t *count;
} families[] = {
    { cpu_each, &cpu_each_count },
    { cpu_blocks, &cpu_blocks_count },
};

/* The instance. It has no state, so all instances may be the same object. */
static char instance;

static ts_status cpu_open(const ts_host *host, const ts_option *options, size_t count, void **self)
{
    if (count > 0) {
        char text[128];
        snprintf(text, sizeof text, "unknown option '%.*s': the cpu backend has no options", NAME_ROOM,
                 options[0].key ? options[0].key : "");
        if (host && host->note)
            host->note(host->context, text);
        return TS_REJECTED;
    }
    *self = &instance;
    return TS_OK;
}

static void cpu_close(void *self)
{
    (void)self;
}

static ts_status cpu_info(void *self, ts_info *info)
{
    (void)self;
    info->preferred_batch = 64;
    info->highest_level = TS_LEVEL_6_4;
    info->buffer_alignment = 1;
    info->sparse = 1;
    info->in_place = 1;
    snprintf(info->name, sizeof info->name, "cpu");
    snprintf(info->vendor, sizeof info->vendor, "Touchstone");
    snprintf(info->version, sizeof info->version, "1");
    info->driver[0] = '\0';
    snprintf(info->device, sizeof info->device, "host processor");
    return TS_OK;
}

static const cpu_operator *find(const char *name)
{
    for (size_t i = 0; name && i < operator_count; ++i)
        if (strcmp(operators[i]->name, name) == 0)
            return operators[i];
    for (size_t f = 0; name && f < sizeof families / sizeof *families; ++f)
        for (size_t i = 0; i < *families[f].count; ++i)
            if (strcmp(families[f].operators[i].name, name) == 0)
                return &families[f].operators[i];
    return NULL;
}

/* Every data type and rank can be expressed. The call refuses those that the operator does not allow, as negative cases
   expect. */
static ts_status cpu_query(void *self, const ts_call *shape, void **token)
{
    (void)self;
    const cpu_operator *op = find(shape->op);
    if (!op || shape->tensor_count != op->tensor_count)
        return TS_UNSUPPORTED;
    if (op != &cpu_strided_slice && shape->profile != TS_PROFILE_DEFAULT)
        return TS_UNSUPPORTED;
    if (shape->profile > TS_PROFILE_NUMPY)
        return TS_UNSUPPORTED;
    *token = (void *)(uintptr_t)op;
    return TS_OK;
}

static ts_status cpu_submit(void *self, const ts_call *call, size_t n, ts_status *status)
{
    (void)self;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call)) {
        const cpu_operator *op = call->token ? (const cpu_operator *)call->token : find(call->op);
        if (!op)
            status[i] = TS_UNSUPPORTED;
        else if (call->tensor_count != op->tensor_count || call->attrs_size < op->attrs_size ||
                 (op->attrs_size > 0 && !call->attrs))
            status[i] = TS_ERROR;
        else
            status[i] = op->run(call);
    }
    return TS_OK;
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = cpu_open,
    .close = cpu_close,
    .info = cpu_info,
    .query = cpu_query,
    .submit = cpu_submit,
    .summary = "an independent implementation of all operators, to try the suite with",
    .describe_options = NULL,
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
