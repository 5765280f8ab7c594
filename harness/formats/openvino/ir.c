/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/openvino/ir.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEIGHTS_ALIGNMENT 8 /* of each constant, so that the library need not copy */

static const struct {
    const char *attribute, *port;
} types[TS_DTYPE_COUNT] = {
    [TS_FLOAT32] = { "f32", "FP32" },     [TS_FLOAT16] = { "f16", "FP16" }, [TS_FLOAT64] = { "f64", "FP64" },
    [TS_BFLOAT16] = { "bf16", "BF16" },   [TS_INT8] = { "i8", "I8" },       [TS_INT16] = { "i16", "I16" },
    [TS_INT32] = { "i32", "I32" },        [TS_INT64] = { "i64", "I64" },    [TS_UINT8] = { "u8", "U8" },
    [TS_UINT16] = { "u16", "U16" },       [TS_UINT32] = { "u32", "U32" },   [TS_UINT64] = { "u64", "U64" },
    [TS_BOOLEAN] = { "boolean", "BOOL" },
};

const char *ir_type(uint32_t dtype)
{
    return dtype < TS_DTYPE_COUNT ? types[dtype].attribute : NULL;
}

/* ---- text and bytes -------------------------------------------------------------------------------------------- */

static char *reserve(ir_model *m, ir_bytes *b, size_t more)
{
    if (m->failed)
        return NULL;
    if (b->room - b->length < more) {
        size_t room = b->room ? b->room : 4096;
        while (room - b->length < more)
            room *= 2;
        char *grown = realloc(b->at, room);
        if (!grown) {
            m->failed = true;
            return NULL;
        }
        b->at = grown;
        b->room = room;
    }
    return b->at + b->length;
}

static void add(ir_model *m, ir_bytes *b, const void *bytes, size_t size)
{
    char *to = reserve(m, b, size + 1);
    if (!to)
        return;
    if (size)
        memcpy(to, bytes, size);
    to[size] = '\0';
    b->length += size;
}

static void say(ir_model *m, ir_bytes *b, const char *format, ...)
{
    char text[400]; /* no line has more: names are the caller's, and short */
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof text)
        m->failed = true;
    else
        add(m, b, text, (size_t)n);
}

static void say_port(ir_model *m, unsigned id, const ir_node *n)
{
    const char *precision = n->dtype < TS_DTYPE_COUNT && types[n->dtype].port ? types[n->dtype].port : "UNSPECIFIED";
    say(m, &m->xml, "<port id=\"%u\" precision=\"%s\">", id, precision);
    for (uint32_t i = 0; i < n->rank; ++i)
        say(m, &m->xml, "<dim>%" PRId64 "</dim>", n->dims[i]);
    say(m, &m->xml, "</port>\n");
}

static void say_shape(ir_model *m, const ir_node *n)
{
    for (uint32_t i = 0; i < n->rank; ++i) {
        if (n->dims[i] < 0)
            say(m, &m->xml, "%s?", i ? "," : "");
        else
            say(m, &m->xml, "%s%" PRId64, i ? "," : "", n->dims[i]);
    }
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

static void begin_layer(ir_model *m, const char *name, const char *type, const char *opset)
{
    say(m, &m->xml, "<layer id=\"%u\" name=\"%s\" type=\"%s\" version=\"%s\">\n", m->layers, name, type, opset);
}

static void say_output(ir_model *m, ir_node *n, unsigned port)
{
    n->layer = m->layers++;
    n->port = port;
    say(m, &m->xml, "<output>\n");
    say_port(m, port, n);
    say(m, &m->xml, "</output>\n</layer>\n");
}

static void connect(ir_model *m, const ir_node *from, unsigned port)
{
    if (!from->absent)
        say(m, &m->edges, "<edge from-layer=\"%u\" from-port=\"%u\" to-layer=\"%u\" to-port=\"%u\"/>\n", from->layer,
            from->port, m->layers, port);
}

void ir_begin(ir_model *m)
{
    m->xml.length = m->edges.length = m->weights.length = 0;
    m->layers = 0;
    m->failed = false;
    say(m, &m->xml, "<?xml version=\"1.0\"?>\n<net name=\"touchstone\" version=\"11\">\n<layers>\n");
}

void ir_end(ir_model *m)
{
    const char nothing[WEIGHTS_ALIGNMENT] = { 0 };
    say(m, &m->xml, "</layers>\n<edges>\n");
    add(m, &m->xml, m->edges.at, m->edges.length);
    say(m, &m->xml, "</edges>\n</net>\n");
    if (m->weights.length == 0)
        add(m, &m->weights, nothing, sizeof nothing);
}

void ir_free(ir_model *m)
{
    free(m->xml.at);
    free(m->edges.at);
    free(m->weights.at);
    memset(m, 0, sizeof *m);
}

void ir_parameter(ir_model *m, ir_node *n, const char *name)
{
    begin_layer(m, name, "Parameter", "opset1");
    say(m, &m->xml, "<data shape=\"");
    say_shape(m, n);
    say(m, &m->xml, "\" element_type=\"%s\"/>\n", ir_type(n->dtype));
    say_output(m, n, 0);
}

void ir_const(ir_model *m, ir_node *n, const char *name, const void *bytes, size_t size)
{
    const char nothing[WEIGHTS_ALIGNMENT] = { 0 };
    add(m, &m->weights, nothing, (0 - m->weights.length) % WEIGHTS_ALIGNMENT);
    begin_layer(m, name, "Const", "opset1");
    say(m, &m->xml, "<data element_type=\"%s\" shape=\"", ir_type(n->dtype));
    say_shape(m, n);
    say(m, &m->xml, "\" offset=\"%zu\" size=\"%zu\"/>\n", m->weights.length, size);
    add(m, &m->weights, bytes, size);
    say_output(m, n, 0);
}

void ir_layer(ir_model *m, ir_node *out, const char *type, const char *opset, const char *name, const char *attributes,
              const ir_node *inputs, unsigned count)
{
    begin_layer(m, name, type, opset);
    say(m, &m->xml, "<data");
    add(m, &m->xml, attributes, strlen(attributes));
    say(m, &m->xml, "/>\n<input>\n");
    for (unsigned i = 0; i < count; ++i) {
        say_port(m, i, &inputs[i]);
        connect(m, &inputs[i], i);
    }
    say(m, &m->xml, "</input>\n");
    say_output(m, out, count);
}

void ir_result(ir_model *m, const ir_node *from, const char *name)
{
    begin_layer(m, name, "Result", "opset1");
    say(m, &m->xml, "<input>\n");
    say_port(m, 0, from);
    say(m, &m->xml, "</input>\n</layer>\n");
    connect(m, from, 0);
    ++m->layers;
}
