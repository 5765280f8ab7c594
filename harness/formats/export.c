/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export.h"

#include "harness/base/did_you_mean.h"
#include "harness/formats/export_dxdispatch.h"
#include "harness/formats/export_npz.h"
#include "harness/formats/export_onnx.h"
#include "harness/formats/export_openvino.h"
#include "harness/formats/export_stablehlo.h"
#include "harness/formats/export_webnn.h"

#include <stdio.h>
#include <string.h>

static const export_format formats[] = {
    { .name = "onnx", .option = "--onnx", .title = "ONNX", .facts = EXPORT_ONNX_FACTS, .write = export_onnx },
    { .name = "openvino-ir", .option = "--openvino-ir", .title = "IR", .open = true, .write = export_openvino },
    { .name = "dxdispatch",
      .option = "--dxdispatch",
      .title = "DxDispatch",
      .ending = ".json",
      .open = true,
      .write = export_dxdispatch },
    { .name = "npz", .title = "npz", .ending = ".npz", .write = export_npz },
    { .name = "stablehlo", .title = "StableHLO", .ending = ".mlir", .write = export_stablehlo },
    { .name = "webnn", .title = "WebNN", .ending = ".json", .write = export_webnn },
};

const export_format *export_formats(size_t *count)
{
    *count = sizeof formats / sizeof *formats;
    return formats;
}

const export_format *export_format_named(const char *name, error *e)
{
    char hint[DID_YOU_MEAN_SIZE], names[160] = "";
    did_you_mean d;
    size_t used = 0;
    did_you_mean_start(&d, name);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
        did_you_mean_try(&d, formats[i].name);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", formats[i].name);
    }
    error_usage(e, "--format '%s'%s: expected one of %s", name, did_you_mean_hint(&d, hint), names);
    return NULL;
}

/* ---- files in memory --------------------------------------------------------------------------------------------- */

void export_files_free(export_files *f)
{
    for (size_t i = 0; i < EXPORT_MOST_FILES; ++i)
        text_free(&f->list[i].bytes);
    memset(f, 0, sizeof *f);
}

text *export_add(export_files *f, const char *name)
{
    export_file *file = &f->list[f->count < EXPORT_MOST_FILES ? f->count++ : EXPORT_MOST_FILES - 1];
    snprintf(file->name, sizeof file->name, "%s", name);
    file->bytes.length = 0;
    file->bytes.failed = false;
    return &file->bytes;
}

bool export_cannot(export_files *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(f->why, sizeof f->why, format, args);
    va_end(args);
    return false;
}

/* ---- a case ------------------------------------------------------------------------------------------------------ */

bool export_has_one_answer(const case_view *c, export_files *f)
{
    if (c->value.unspecified_count > 0)
        return export_cannot(
            f, "it has no single expected output, because the specification leaves some elements undefined");
    if (c->value.several_count > 0)
        return export_cannot(
            f, "it has no single expected output, because the specification allows several values for some elements");
    return true;
}

export_demand export_demand_of(const case_view *c)
{
    const bool refuses = c->build.now.invalid || c->value.status != EVALUATE_OK;
    return c->build.now.asked            ? EXPORT_ACCEPT
           : case_is_open(&c->build.now) ? EXPORT_OPEN
           : refuses                     ? EXPORT_REFUSE
                                         : EXPORT_OUTPUTS;
}

const char *export_demand_name(export_demand d)
{
    static const char *const names[] = {
        [EXPORT_OUTPUTS] = "outputs", [EXPORT_ACCEPT] = "accept", [EXPORT_REFUSE] = "refuse", [EXPORT_OPEN] = "open"
    };
    return names[d];
}

bool export_has_outputs(const case_view *c, export_files *f)
{
    if (!case_view_executes(c))
        return export_cannot(f, c->build.now.asked ? "it is not executed" : "implementations have to refuse it");
    return export_has_one_answer(c, f);
}

/* Are the tensors small enough to be written? Illegal cases have no data, whatever their descriptors say. */
static bool fits(const case_view *c, export_files *f)
{
    const ts_descriptor *d = &c->build.now.descriptor;
    uint64_t count;
    for (unsigned t = 0; t < d->op->tensor_count && !c->build.now.invalid && !c->build.now.asked; ++t)
        if ((d->tensors[t].given & TS_GIVEN_ALL) == TS_GIVEN_ALL &&
            (!tensor_element_count(&d->tensors[t], &count) || count > CASE_VIEW_MOST_ELEMENTS))
            return export_cannot(f, "a tensor has more than %llu elements",
                                 (unsigned long long)CASE_VIEW_MOST_ELEMENTS);
    return true;
}

static bool compute_outputs(case_view *c, error *e)
{
    const ts_operator *op = c->value.descriptor.op;
    for (unsigned t = 0; t < op->tensor_count; ++t) {
        const ts_tensor *tensor = &c->value.descriptor.tensors[t];
        if (op->tensors[t].role == TS_OUTPUT && tensor->data && !c->test->sparse)
            memset(tensor->data, EXPORT_POISON, (size_t)tensor->total_bytes);
    }
    return evaluate_run(&c->value, e);
}

bool export_write(const export_format *format, case_view *c, export_files *f, error *e)
{
    f->count = 0;
    f->why[0] = 0;
    if (!fits(c, f) || !case_view_evaluate(c, e) || (case_view_executes(c) && !compute_outputs(c, e)) ||
        !format->write(c, f, e))
        return false;
    for (size_t i = 0; i < f->count; ++i)
        if (f->list[i].bytes.failed)
            return error_set(e, "out of memory");
    return true;
}
