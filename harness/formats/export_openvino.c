/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_openvino.h"
#include "harness/formats/export_pack.h"

#include "harness/formats/openvino/ir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_INPUTS (TS_MAX_TENSORS + 7)
#define MOST_VALUES 64 /* of a list */

/* Write the elements of a tensor in row-major order. */
static bool write_elements(export_files *f, const char *name, const ts_tensor *t, error *e)
{
    size_t size;
    unsigned char *packed = export_pack(t, &size);
    if (packed)
        text_bytes(export_add(f, name), packed, size);
    free(packed);
    return packed || error_set(e, "%s: out of memory", name);
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

/* Make a constant of each list that is given. Optional lists at the end may be absent. Sets the number of inputs. */
static bool add_lists(const ts_descriptor *d, ir_model *m, ir_node *inputs, unsigned *input_count, export_files *f)
{
    const ts_ir_layer *ir = d->op->ir;
    for (unsigned i = 0; i < ir->list_count; ++i) {
        const unsigned k = (unsigned)operator_attr_index(d->op, ir->lists[i].attr);
        const ts_attr_decl *a = &d->op->attrs[k];
        const uint32_t count = operator_attr_count(d, k);
        int64_t values[MOST_VALUES];
        if (!(d->attrs_given >> k & 1) && a->optional && i + 1 == ir->list_count)
            break;
        if (!(d->attrs_given >> k & 1))
            return export_cannot(f, "%s is absent", a->name);
        if (count > a->capacity || count > MOST_VALUES)
            return export_cannot(f, "%s is longer than its values", a->name);
        for (uint32_t v = 0; v < count; ++v)
            values[v] = operator_attr_value(d, k, v);
        ir_node *n = &inputs[(*input_count)++];
        *n = (ir_node){ .dtype = TS_INT64, .rank = a->count == TS_SCALAR ? 0 : 1, .dims = { count } };
        ir_const(m, n, a->name, values, count * sizeof values[0]);
    }
    return true;
}

/* Write the attributes of <data>: " begin_mask=\"1,0\"" for each that is given. */
static bool write_attributes(const ts_descriptor *d, char *buf, size_t size, export_files *f)
{
    size_t used = 0;
    buf[0] = 0;
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const ts_attr_decl *a = &d->op->attrs[k];
        const uint32_t count = operator_attr_count(d, k);
        if (operator_ir_list(d->op, k) >= 0 || !(d->attrs_given >> k & 1))
            continue;
        if (count > a->capacity)
            return export_cannot(f, "%s is longer than its values", a->name);
        used += (size_t)snprintf(buf + used, size - used, " %s=\"", a->name);
        for (uint32_t i = 0; i < count && used < size; ++i) {
            const int64_t value = operator_attr_value(d, k, i);
            if (value >= 0 && value < (int64_t)operator_name_count(a))
                used += (size_t)snprintf(buf + used, size - used, "%s", a->names[value]);
            else
                used += (size_t)snprintf(buf + used, size - used, "%s%" PRId64, i ? "," : "", value);
        }
        if (used < size)
            used += (size_t)snprintf(buf + used, size - used, "\"");
        if (used >= size)
            return export_cannot(f, "%s: too many values", a->name);
    }
    return true;
}

static bool make_model(const ts_descriptor *d, ir_model *m, export_files *f, error *e)
{
    const ts_ir_layer *ir = d->op->ir;
    char attributes[8192];
    ir_node inputs[MOST_INPUTS], out;
    unsigned input_count = operator_ir_tensors(d->op);
    if (input_count + ir->list_count > MOST_INPUTS)
        return error_set(e, "%s: too many inputs", d->op->name);
    bool known = node_of(&d->tensors[input_count], &out);
    for (unsigned k = 0; k < input_count; ++k)
        known = node_of(&d->tensors[k], &inputs[k]) && known;
    for (uint32_t i = 0; i < out.rank; ++i)
        if (operator_dependent(d->op, input_count) >> i & 1)
            out.dims[i] = -1;
    if (!known)
        return export_cannot(f, "a tensor is absent, or IR has no such type or size");
    ir_begin(m);
    for (unsigned k = 0; k < input_count; ++k)
        ir_parameter(m, &inputs[k], d->op->tensors[k].name);
    if (!add_lists(d, m, inputs, &input_count, f) || !write_attributes(d, attributes, sizeof attributes, f))
        return false;
    ir_layer(m, &out, ir->type, ir->opset, ir->type, attributes, inputs, input_count);
    ir_result(m, &out, d->op->tensors[operator_ir_tensors(d->op)].name);
    ir_end(m);
    return !m->failed || error_set(e, "out of memory");
}

/* ---- how to run it ----------------------------------------------------------------------------------------------- */

static void describe_tensor(text *t, const char *file, const char *what, const ts_tensor *tensor)
{
    text_format(t, "  %-13s %s: %s [", file, what, ir_type(tensor->dtype));
    for (uint32_t i = 0; i < tensor->rank; ++i)
        text_format(t, "%s%" PRIu64, i ? "," : "", tensor->sizes[i]);
    text_add(t, "], raw little-endian elements in row-major order\n");
}

/* The file with the elements of input k. */
static const char *file_of(const ts_operator *op, unsigned k, char *buf, size_t size)
{
    snprintf(buf, size, "%s.bin", op->tensors[k].name);
    return buf;
}

/* open: the specification leaves the output to the implementation. */
static void describe_files(const ts_descriptor *d, bool open, text *t)
{
    const unsigned inputs = operator_ir_tensors(d->op);
    char file[64], what[64];
    for (unsigned k = 0; k < inputs; ++k) {
        snprintf(what, sizeof what, inputs == 1 ? "the input" : "the input %s", d->op->tensors[k].name);
        describe_tensor(t, file_of(d->op, k, file, sizeof file), what, &d->tensors[k]);
    }
    describe_tensor(t, "expected.bin",
                    open ? "the reference's output, from which implementations may differ"
                         : "the output that is expected, bit for bit",
                    &d->tensors[inputs]);
}

static void write_commands(const ts_descriptor *d, bool executes, bool open, text *t)
{
    const unsigned inputs = operator_ir_tensors(d->op);
    char file[64];
    text_add(t, "\nWith OpenVINO's benchmark tool:\n\n"
                "  benchmark_app -m model.xml -d CPU -niter 1 -nireq 1 -infer_precision f32");
    for (unsigned k = 0; executes && k < inputs; ++k)
        text_format(t, "%s%s:%s", k ? "," : " -i ", d->op->tensors[k].name, file_of(d->op, k, file, sizeof file));
    text_add(t, "\n");
    if (!executes)
        return;
    text_format(t, "\nWith its Python package, comparing bits%s:\n\n",
                open ? " with the reference's output, which proves nothing" : "");
    text_add(t, "  import numpy, openvino\n"
                "  model = openvino.Core().compile_model(\"model.xml\", \"CPU\", "
                "{\"INFERENCE_PRECISION_HINT\": \"f32\"})\n"
                "  inputs = []\n"
                "  for port, name in zip(model.inputs, [");
    for (unsigned k = 0; k < inputs; ++k)
        text_format(t, "%s\"%s\"", k ? ", " : "", file_of(d->op, k, file, sizeof file));
    text_add(t, "]):\n"
                "      raw = numpy.fromfile(name, dtype=numpy.uint8)\n"
                "      inputs.append(openvino.Tensor(port.element_type, port.shape))\n"
                "      inputs[-1].data.view(numpy.uint8).reshape(-1)[:] = raw\n"
                "  result = model(inputs)[0]\n"
                "  print(result.shape, result.tobytes() == open(\"expected.bin\", \"rb\").read())\n");
}

static void write_readme(const case_view *c, text *t)
{
    const ts_descriptor *d = &c->build.now.descriptor;
    const bool open = export_demand_of(c) == EXPORT_OPEN;
    text_format(t, "%s\n\nA model of one layer, OpenVINO's %s, as IR, version 11.\n\n", c->id, d->op->title);
    text_add(t,
             d->op->ir->list_count > 0
                 ? "  model.xml     the model, whose lists of integers are constants\n  model.bin     these constants\n"
                 : "  model.xml     the model\n  model.bin     its constants: none\n");
    if (case_view_executes(c))
        describe_files(&c->value.descriptor, open, t);
    if (c->build.now.ambiguous)
        text_format(t, "\nThe specification leaves this case unspecified (%s).\n", c->build.now.ambiguous);
    if (case_is_unjudged(&c->build.now))
        text_add(t, "\nThe specification does not determine the output of this data type to the bit.\n");
    if (case_exceeds_limit(&c->build.now))
        text_format(t, "\nThe model exceeds what Touchstone judges (%s): it may be accepted or refused.\n",
                    c->build.now.invalid);
    else if (case_breaks_open(&c->build.now))
        text_format(t, "\nThe model violates %s, which no published sentence states: it may be accepted or refused.\n",
                    c->build.now.invalid);
    else if (c->build.now.invalid)
        text_format(t, "\nThe model is illegal (%s): OpenVINO has to refuse it when it is read, compiled or run.\n",
                    c->build.now.invalid);
    write_commands(d, case_view_executes(c), open, t);
    text_add(t,
             "\nWith Touchstone, which checks the model against the specification:\n\n  touchstone check model.xml\n");
}

/* Write the elements of the inputs, and of the output that is expected. */
static bool write_tensors(const ts_descriptor *d, export_files *f, error *e)
{
    const unsigned inputs = operator_ir_tensors(d->op);
    char file[64];
    for (unsigned k = 0; k < inputs; ++k)
        if (!write_elements(f, file_of(d->op, k, file, sizeof file), &d->tensors[k], e))
            return false;
    return write_elements(f, "expected.bin", &d->tensors[inputs], e);
}

bool export_openvino(case_view *c, export_files *f, error *e)
{
    const ts_descriptor *d = &c->build.now.descriptor;
    ir_model m = { .layers = 0 };
    if (!d->op->ir)
        return export_cannot(
            f, d->op->openvino_types ? "the layer of %s is not written here" : "%s is no operator of OpenVINO",
            d->op->name);
    if (case_view_executes(c) && !c->build.now.ambiguous && !export_has_one_answer(c, f))
        return false;
    bool fine = make_model(d, &m, f, e);
    if (fine) {
        text_bytes(export_add(f, "model.xml"), m.xml.at, m.xml.length);
        text_bytes(export_add(f, "model.bin"), m.weights.at, m.weights.length);
    }
    if (fine && case_view_executes(c))
        fine = write_tensors(&c->value.descriptor, f, e);
    if (fine)
        write_readme(c, export_add(f, "README.txt"));
    ir_free(&m);
    return fine;
}
