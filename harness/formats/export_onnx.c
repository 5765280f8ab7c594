/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_onnx.h"
#include "harness/formats/export_pack.h"

#include "harness/formats/onnx/translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA_SET "test_data_set_0"

static bool write_file(export_files *f, const char *name, onnx_bytes *bytes, error *e)
{
    const bool fine = !bytes->failed;
    if (fine)
        text_bytes(export_add(f, name), bytes->data, bytes->size);
    free(bytes->data);
    *bytes = (onnx_bytes){ 0 };
    return fine || error_set(e, "%s: out of memory", name);
}

/* ---- the case ---------------------------------------------------------------------------------------------------- */

/* Say that the operator has no translation, and which ones have. */
static bool not_written(const ts_operator *op, export_files *f)
{
    char names[320] = "";
    size_t used = 0;
    for (size_t i = 0; onnx_translated(i) && used < sizeof names; ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", onnx_translated(i));
    return export_cannot(f, "Touchstone writes no ONNX model of %s, only of %s", op->name, names);
}

static bool translate(const case_view *c, onnx_call *call, export_files *f)
{
    const ts_descriptor *d = &c->value.descriptor;
    const ts_call asked = operator_call(d);
    const char *why = "", *invalid = c->build.now.invalid;
    if (!onnx_translates(d->op->name, &call->op))
        return not_written(d->op, f);
    if (c->build.now.asked)
        return export_cannot(f, "it is not executed");
    if (!case_view_executes(c) && !(invalid && onnx_refuses_clause(d->op->name, invalid)))
        return export_cannot(f, "implementations have to refuse it, and no model breaks its clause");
    if (!onnx_translate(&asked, call, &why))
        return export_cannot(f, "%s: %s", d->op->name, why);
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (onnx_element_bytes(d->tensors[t].dtype) == 0)
            return export_cannot(f, "%s: its type has less than a byte", d->op->tensors[t].name);
    if (onnx_has_indices(call->op) && !onnx_takes_indices(call->op, d->tensors[1].dtype))
        return export_cannot(f, "%s has to be %sINT64", d->op->tensors[1].name,
                             onnx_takes_indices(call->op, TS_INT32) ? "INT32 or " : "");
    return true;
}

/* Write a tensor. Without data, as in illegal cases, it has zeros. */
static bool write_tensor(export_files *f, const char *file, const onnx_value *value, const ts_tensor *t, error *e)
{
    onnx_bytes bytes = { 0 };
    size_t size = 0;
    uint64_t count = 0;
    unsigned char *packed = NULL;
    if (t->data) {
        packed = export_pack(t, &size);
    } else {
        if (!tensor_element_count(t, &count) || count > CASE_VIEW_MOST_ELEMENTS)
            return export_cannot(f, "a tensor has more than %llu elements",
                                 (unsigned long long)CASE_VIEW_MOST_ELEMENTS);
        size = (size_t)count * tensor_element_bytes(t->dtype);
        packed = calloc(1, size + 1);
    }
    if (packed)
        onnx_write_tensor(&bytes, value, packed, size);
    bytes.failed |= !packed;
    free(packed);
    return write_file(f, file, &bytes, e);
}

/* Write the inputs, in the order of the graph. */
static bool write_inputs(const ts_descriptor *d, const onnx_call *call, const onnx_model *model, export_files *f,
                         error *e)
{
    unsigned next = 0, list = 0;
    for (uint32_t i = 0; i < model->input_count; ++i) {
        const onnx_value *value = &model->inputs[i];
        char file[40];
        bool fine;
        if (!*value->name || value->constant)
            continue;
        snprintf(file, sizeof file, DATA_SET "/input_%u.pb", next++);
        if (i >= onnx_form_of(call->op)->tensors) {
            onnx_bytes bytes = { 0 };
            onnx_write_tensor(&bytes, value, onnx_list_values(call, list++), (size_t)value->sizes[0] * sizeof(int64_t));
            fine = write_file(f, file, &bytes, e);
        } else {
            fine = write_tensor(f, file, value, &d->tensors[i], e);
        }
        if (!fine)
            return false;
    }
    return true;
}

bool export_onnx(case_view *c, export_files *f, error *e)
{
    onnx_call call;
    onnx_model model;
    onnx_bytes bytes = { 0 };
    if (!translate(c, &call, f))
        return false;
    if (!export_has_one_answer(c, f))
        return false;
    const ts_descriptor *d = &c->value.descriptor;
    const ts_tensor *to = &d->tensors[d->op->tensor_count - 1];
    int64_t counts[ONNX_LISTS];
    onnx_describe(&call, d->tensors[0].dtype, d->tensors[1].dtype, &model);
    onnx_state_shapes(&call, &model, counts);
    model.output.dtype = to->dtype; /* another one in an illegal case */
    model.output.sizes = call.output.sizes;
    model.output.rank = call.output.rank;
    for (uint32_t i = 0; i < onnx_form_of(call.op)->tensors; ++i)
        model.inputs[i].dtype = d->tensors[i].dtype; /* that of updates may differ, too */
    onnx_write_model(&bytes, &model);
    return write_file(f, "model.onnx", &bytes, e) && write_inputs(d, &call, &model, f, e) &&
           (!case_view_executes(c) || write_tensor(f, DATA_SET "/output_0.pb", &model.output, to, e));
}
