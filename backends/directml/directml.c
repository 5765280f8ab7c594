/* SPDX-License-Identifier: Apache-2.0 */
/* The directml backend: the operators of describe_rows.c, and those that are declared, on a D3D12 device. Every descriptor
   goes unchanged to IDMLDevice::CreateOperator; its result is the result of the call. */
#include "backends/directml/batch.h"
#include "backends/directml/describe_declared.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct directml {
    const ts_host *host;
    device device;
    batch batch;
} directml;

static void note(const directml *self, const char *text)
{
    if (self->host && self->host->note)
        self->host->note(self->host->context, text);
}

static void directml_close(void *instance)
{
    directml *self = instance;
    pool_close(&self->batch.pool);
    device_close(&self->device);
    free(self);
}

static ts_status directml_open(const ts_host *host, const ts_option *options, size_t count, void **instance)
{
    directml_options read;
    bool refused = false;
    directml *self = calloc(1, sizeof *self);
    if (!self)
        return TS_ERROR;
    self->host = host;
    if (!options_read(options, count, &read, self->device.message, sizeof self->device.message)) {
        refused = true;
    } else if (describe_rows_are_whole(self->device.message, sizeof self->device.message) &&
               device_open(&self->device, &read, &refused)) {
        self->batch.device = &self->device;
        *instance = self;
        return TS_OK;
    }
    note(self, self->device.message);
    directml_close(self);
    return refused ? TS_REJECTED : TS_ERROR;
}

static ts_status directml_info(void *instance, ts_info *info)
{
    directml *self = instance;
    info->preferred_batch = BATCH_CALLS;
    info->highest_level = self->device.highest;
    info->buffer_alignment = 1;
    info->in_place = 1;
    snprintf(info->name, sizeof info->name, "directml");
    snprintf(info->vendor, sizeof info->vendor, "Microsoft");
    device_describe(&self->device, info->version, sizeof info->version, info->driver, sizeof info->driver, info->device,
                    sizeof info->device);
    return TS_OK;
}

/* Every data type and rank can be expressed; DirectML itself refuses those that are not allowed. A plain field of a
   structure cannot be absent. */
static ts_status directml_query(void *instance, const ts_call *shape, void **token)
{
    const describe_operator *op = describe_find(shape->op);
    (void)instance;
    *token = NULL;
    if (!op && declared_operator(shape))
        return shape->profile == TS_PROFILE_DEFAULT ? TS_OK : TS_UNSUPPORTED;
    if (!op || shape->tensor_count != op->tensor_count || shape->profile != TS_PROFILE_DEFAULT ||
        !describe_has_numbers(op, shape->attrs_given))
        return TS_UNSUPPORTED;
    *token = (void *)(uintptr_t)op;
    return TS_OK;
}

static bool recover(directml *self)
{
    bool renewed = false;
    const bool fine = device_recover(&self->device, &renewed);
    if (renewed)
        pool_close(&self->batch.pool); /* its buffers belong to the lost device */
    if (!fine)
        note(self, self->device.message);
    return fine;
}

/* Execute one call alone: after its batch failed, or because it is the only one. All effects are its own. */
static ts_status submit_one(directml *self, const ts_call *call)
{
    ts_status status = TS_ERROR;
    const batch_result result = batch_run(&self->batch, call, 1, &status);
    if (result == BATCH_FAILED) {
        status = device_is_lost(&self->device) ? TS_LOST : TS_ERROR;
        note(self, self->device.message);
        recover(self);
    } else if (status == TS_ERROR) {
        note(self, self->device.message);
    }
    return status;
}

/* Repeat a write outside of a tensor on the device at the end of the tensor in host memory. A guard page may be there,
   which returns control to the suite; so do this last in a submission. */
static void show_stray(directml *self)
{
    volatile unsigned char *at = self->batch.stray_at;
    self->batch.stray_at = NULL;
    if (at)
        *at = self->batch.stray == *at ? (unsigned char)~self->batch.stray : self->batch.stray;
}

static ts_status directml_submit(void *instance, const ts_call *call, size_t n, ts_status *status)
{
    directml *self = instance;
    if (!self->device.dml && !recover(self))
        return TS_ERROR;
    for (size_t done = 0; done < n;) {
        const size_t count = n - done < BATCH_CALLS ? n - done : BATCH_CALLS;
        const batch_result result = count > 1 ? batch_run(&self->batch, call, count, status + done) : BATCH_FAILED;
        if (count > 1 && result == BATCH_FAILED && !recover(self))
            return TS_ERROR;
        for (size_t i = 0; i < count; ++i, call = ts_call_next(call)) {
            if (result != BATCH_DONE) {
                status[done + i] = submit_one(self, call);
                show_stray(self);
            }
        }
        done += count;
    }
    return TS_OK;
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .open = directml_open,
    .close = directml_close,
    .info = directml_info,
    .query = directml_query,
    .submit = directml_submit,
    .describe_options = options_describe,
    .summary = OPTIONS_SUMMARY,
};

const ts_backend *touchstone_backend(uint32_t abi)
{
    return abi == TS_BACKEND_ABI ? &backend : NULL;
}
