/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_onnx.h"
#include "harness/formats/export_pack.h"

#include "harness/formats/onnx/translate.h"
#include "harness/base/platform.h"
#include "harness/model/value.h"
#include "harness/base/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA_SET "test_data_set_0"

/* ---- files ------------------------------------------------------------------------------------------------------- */

static bool write_file(const char *folder, const char *name, onnx_bytes *bytes, error *e)
{
    char path[1200];
    output out;
    snprintf(path, sizeof path, "%.1000s/%s", folder, name);
    bool fine = bytes->failed ? error_set(e, "%s: out of memory", path) : output_open(&out, path, e);
    if (fine) {
        text_bytes(&out.text, bytes->data, bytes->size);
        fine = output_close(&out, true, e);
    }
    free(bytes->data);
    *bytes = (onnx_bytes){ 0 };
    return fine;
}

/* ---- the case ---------------------------------------------------------------------------------------------------- */

/* Translate the case; false with an error where ONNX cannot express it. */
static bool translate(const case_view *c, onnx_call *call, error *e)
{
    const ts_descriptor *d = &c->value.descriptor;
    const ts_call asked = operator_call(d);
    const char *why = "";
    if (!case_view_executes(c))
        return error_usage(e, "a test of ONNX cannot express this case: %s",
                           c->build.now.asked ? "it is not executed" : "implementations have to refuse it");
    if (!onnx_translate(&asked, call, &why))
        return error_usage(e, "ONNX cannot express this case: %s: %s", d->op->name, why);
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (onnx_element_bytes(d->tensors[t].dtype) == 0)
            return error_usage(e, "ONNX cannot express this case: %s", d->op->tensors[t].name);
    if (call->op == ONNX_GATHER && d->tensors[1].dtype != TS_INT32 && d->tensors[1].dtype != TS_INT64)
        return error_usage(e, "ONNX cannot express this case: %s has to be INT32 or INT64", d->op->tensors[1].name);
    return case_view_fits_text(c, e);
}

static bool write_tensor(const char *folder, const char *file, const onnx_value *value, const ts_tensor *t, error *e)
{
    onnx_bytes bytes = { 0 };
    size_t size = 0;
    unsigned char *packed = export_pack(t, &size);
    if (packed)
        onnx_write_tensor(&bytes, value, packed, size);
    bytes.failed |= !packed;
    free(packed);
    return write_file(folder, file, &bytes, e);
}

static void shape_value(onnx_value *value, const onnx_shape *shape)
{
    value->sizes = shape->sizes;
    value->rank = shape->rank;
}

/* Write the inputs, in the order of the graph. */
static bool write_inputs(const ts_descriptor *d, const onnx_call *call, const onnx_model *model, const char *folder,
                         error *e)
{
    const int64_t *const lists[] = { call->start, call->end, call->step };
    unsigned next = 0, list = 0;
    for (uint32_t i = 0; i < model->input_count; ++i) {
        const onnx_value *value = &model->inputs[i];
        char file[32];
        bool fine;
        if (!*value->name)
            continue;
        snprintf(file, sizeof file, "input_%u.pb", next++);
        if (call->op == ONNX_SLICE && i > 0) {
            onnx_bytes bytes = { 0 };
            onnx_write_tensor(&bytes, value, lists[list++], (size_t)value->sizes[0] * sizeof(int64_t));
            fine = write_file(folder, file, &bytes, e);
        } else {
            fine = write_tensor(folder, file, value, &d->tensors[i], e);
        }
        if (!fine)
            return false;
    }
    return true;
}

bool export_onnx(case_view *c, const char *folder, error *e)
{
    onnx_call call;
    onnx_model model;
    onnx_bytes bytes = { 0 };
    char set[1100];
    if (!translate(c, &call, e) || !evaluate_run(&c->value, e))
        return false;
    if (c->value.unspecified_count > 0)
        return error_usage(e, "a test of ONNX cannot express this case: the text leaves elements unspecified");
    const ts_descriptor *d = &c->value.descriptor;
    const ts_tensor *to = &d->tensors[d->op->tensor_count - 1];
    const int64_t counts[] = { call.starts, call.ends, call.steps };
    onnx_describe(&call, d->tensors[0].dtype, d->tensors[1].dtype, &model);
    shape_value(&model.inputs[0], &call.data);
    shape_value(&model.output, &call.output);
    if (call.op == ONNX_GATHER)
        shape_value(&model.inputs[1], &call.indices);
    for (uint32_t i = 1, list = 0; call.op == ONNX_SLICE && i < model.input_count; ++i)
        if (*model.inputs[i].name) {
            model.inputs[i].sizes = &counts[list++];
            model.inputs[i].rank = 1;
        }
    onnx_write_model(&bytes, &model);
    snprintf(set, sizeof set, "%.1000s/" DATA_SET, folder);
    return platform_make_folder(folder, e) && platform_make_folder(set, e) && write_inputs(d, &call, &model, set, e) &&
           write_tensor(set, "output_0.pb", &model.output, to, e) && write_file(folder, "model.onnx", &bytes, e);
}
