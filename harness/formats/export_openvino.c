/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_openvino.h"

#include "harness/formats/openvino/layer.h"
#include "harness/base/platform.h"
#include "harness/base/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA, OUTPUT };

static const char *const list_names[] = { "begin", "end", "stride" };

/* ---- files ------------------------------------------------------------------------------------------------------- */

static bool write_file(const char *folder, const char *name, const void *bytes, size_t size, error *e)
{
    char path[1200];
    output out;
    snprintf(path, sizeof path, "%.1000s/%s", folder, name);
    if (!output_open(&out, path, e))
        return false;
    text_bytes(&out.text, bytes, size);
    return output_close(&out, true, e);
}

/* The elements of a tensor in row-major order. */
static bool write_elements(const char *folder, const char *name, const ts_tensor *t, error *e)
{
    const size_t bytes = tensor_element_bytes(t->dtype);
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count = 0;
    tensor_element_count(t, &count);
    unsigned char *packed = malloc((size_t)count * bytes + 1), *at = packed;
    if (!packed)
        return error_set(e, "%s: out of memory", name);
    if (count > 0)
        do {
            memcpy(at, tensor_at(t, coord), bytes);
            at += bytes;
        } while (tensor_next(t, coord));
    bool fine = write_file(folder, name, packed, (size_t)count * bytes, e);
    free(packed);
    return fine;
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

static bool node_of(const ts_tensor *t, ir_node *n)
{
    memset(n, 0, sizeof *n);
    if ((t->given & TS_GIVEN_ALL) != TS_GIVEN_ALL || !ir_type(t->dtype) || t->rank > TS_MAX_DIMS)
        return false;
    n->dtype = t->dtype;
    n->rank = t->rank;
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] > INT64_MAX)
            return false;
        n->dims[i] = (int64_t)t->sizes[i];
    }
    return true;
}

static bool make_model(const ts_descriptor *d, ir_model *m, error *e)
{
    layer l;
    ir_node inputs[1 + LAYER_LISTS], out;
    if (!layer_take_strided_slice(d->attrs, d->attrs_given, &l))
        return error_usage(e, "IR has no words for this case: a list is longer than its values");
    if (!node_of(&d->tensors[DATA], &inputs[0]) || !node_of(&d->tensors[OUTPUT], &out))
        return error_usage(e, "IR has no words for this case: a tensor that is absent, or whose type or sizes it has "
                              "no names for");
    ir_begin(m);
    ir_parameter(m, &inputs[0], d->op->tensors[DATA].name);
    for (unsigned k = 0; k < l.list_count; ++k) {
        const layer_list *list = &l.lists[k];
        layer_list_node(list, &inputs[1 + k]);
        if (list->absent)
            return error_usage(e, "IR has no words for this case: %s is absent", list_names[k]);
        ir_const(m, &inputs[1 + k], list_names[k], list->values, list->count * sizeof list->values[0]);
    }
    layer_write(&l, m, "slice", inputs, &out);
    ir_result(m, &out, d->op->tensors[OUTPUT].name);
    ir_end(m);
    return !m->failed || error_set(e, "out of memory");
}

/* ---- how to run it ----------------------------------------------------------------------------------------------- */

static void say_tensor(text *t, const char *file, const char *what, const ts_tensor *tensor)
{
    text_format(t, "  %-13s %s: %s [", file, what, ir_type(tensor->dtype));
    for (uint32_t i = 0; i < tensor->rank; ++i)
        text_format(t, "%s%" PRIu64, i ? "," : "", tensor->sizes[i]);
    text_add(t, "], raw little-endian elements in row-major order\n");
}

static bool write_readme(const case_view *c, const char *folder, error *e)
{
    const ts_descriptor *d = &c->build.now.descriptor;
    char path[1200];
    output out;
    snprintf(path, sizeof path, "%.1000s/README.txt", folder);
    if (!output_open(&out, path, e))
        return false;
    text *t = &out.text;
    text_format(t, "%s\n\nA layer of OpenVINO's StridedSlice-1 as IR, version 11.\n\n", c->id);
    text_add(t, "  model.xml     the model: begin, end and stride are constants\n  model.bin     those constants\n");
    if (case_view_executes(c)) {
        say_tensor(t, "data.bin", "the input", &d->tensors[DATA]);
        say_tensor(t, "expected.bin", "what has to come, bit for bit", &d->tensors[OUTPUT]);
    }
    if (c->build.now.ambiguous)
        text_format(t, "\nThe specification leaves this case open (%s).\n", c->build.now.ambiguous);
    if (c->build.now.invalid)
        text_format(t, "\nThe model is illegal (%s): it is to be refused when it is read, compiled or run.\n",
                    c->build.now.invalid);
    text_add(t, "\nWith OpenVINO's benchmark tool:\n\n"
                "  benchmark_app -m model.xml -d CPU -niter 1 -nireq 1 -infer_precision f32");
    text_add(t, case_view_executes(c) ? " -i data:data.bin\n" : "\n");
    if (case_view_executes(c))
        text_format(t, "\nWith its Python package, comparing bits:\n\n"
                       "  import numpy, openvino\n"
                       "  model = openvino.Core().compile_model(\"model.xml\", \"CPU\", "
                       "{\"INFERENCE_PRECISION_HINT\": \"f32\"})\n"
                       "  port = model.input(0)\n"
                       "  raw = numpy.fromfile(\"data.bin\", dtype=numpy.uint8)\n"
                       "  data = openvino.Tensor(port.element_type, port.shape)\n"
                       "  data.data.view(numpy.uint8).reshape(-1)[:] = raw\n"
                       "  result = model(data)[0]\n"
                       "  print(result.shape, result.tobytes() == open(\"expected.bin\", \"rb\").read())\n");
    text_add(t, "\nWith Touchstone, which says what the specification thinks of it:\n\n  touchstone check model.xml\n");
    return output_close(&out, true, e);
}

bool export_openvino(case_view *c, const char *folder, error *e)
{
    const ts_descriptor *d = &c->build.now.descriptor;
    ir_model m = { .layers = 0 };
    if (strcmp(d->op->name, "openvino.strided_slice") != 0)
        return error_usage(e, "IR has no words for this case: %s is no operator of OpenVINO", d->op->name);
    if (case_view_executes(c) && (!case_view_fits_text(c, e) || !evaluate_run(&c->value, e)))
        return false;
    bool fine = make_model(d, &m, e);
    fine = fine && platform_make_folder(folder, e) && write_file(folder, "model.xml", m.xml.at, m.xml.length, e) &&
           write_file(folder, "model.bin", m.weights.at, m.weights.length, e);
    if (fine && case_view_executes(c))
        fine = write_elements(folder, "data.bin", &c->value.descriptor.tensors[DATA], e) &&
               write_elements(folder, "expected.bin", &c->value.descriptor.tensors[OUTPUT], e);
    fine = fine && write_readme(c, folder, e);
    ir_free(&m);
    return fine;
}
