/* SPDX-License-Identifier: Apache-2.0 */
/* A FlatBuffer that is written from the front to the back: a table comes before what it points to. Each member of a
   table has four bytes, so that the place of member i is that of the table + 4 + 4 * i; a vtable states that. */
#include "backends/litert/tflite.h"

#include <assert.h>
#include <string.h>

typedef struct flat {
    uint8_t *bytes;
    size_t size;
} flat;

static void put(flat *f, const void *data, size_t size)
{
    assert(f->size + size <= TFLITE_ROOM);
    memcpy(f->bytes + f->size, data, size);
    f->size += size;
}

static void put_u16(flat *f, uint16_t value)
{
    put(f, &value, sizeof value);
}

static void put_u32(flat *f, uint32_t value)
{
    put(f, &value, sizeof value);
}

/* Fill up with zeros to a multiple of `alignment` plus `more`. */
static void align(flat *f, size_t alignment, size_t more)
{
    while ((f->size + alignment - more) % alignment != 0)
        put(f, "", 1);
}

/* Write a table of zeros whose members are those of the bits in `present`; return its place. */
static size_t table(flat *f, uint32_t present)
{
    uint16_t count = 0;
    while (present >> count)
        ++count;
    align(f, 4, 0);
    const size_t vtable = f->size;
    put_u16(f, (uint16_t)(4 + 2 * count));
    put_u16(f, (uint16_t)(4 + 4 * count));
    for (uint16_t i = 0; i < count; ++i)
        put_u16(f, present >> i & 1 ? (uint16_t)(4 + 4 * i) : 0);
    align(f, 4, 0);
    const size_t at = f->size;
    put_u32(f, (uint32_t)(at - vtable));
    for (uint16_t i = 0; i < count; ++i)
        put_u32(f, 0);
    return at;
}

static void set(flat *f, size_t place, uint32_t value)
{
    memcpy(f->bytes + place, &value, sizeof value);
}

static size_t member(size_t table, uint32_t i)
{
    return table + 4 + 4 * (size_t)i;
}

/* Let the offset at `place` point to what is written next. */
static void point(flat *f, size_t place)
{
    set(f, place, (uint32_t)(f->size - place));
}

/* Let `place` point to a table that is written now; return its place. The vtable is before it. */
static size_t point_to_table(flat *f, size_t place, uint32_t present)
{
    const size_t at = table(f, present);
    set(f, place, (uint32_t)(at - place));
    return at;
}

/* Let `place` point to a vector of `count` numbers of 32 bits, which are written; return the place of the first. */
static size_t point_to_vector(flat *f, size_t place, uint32_t count, const void *numbers)
{
    align(f, 4, 0);
    point(f, place);
    put_u32(f, count);
    const size_t first = f->size;
    for (uint32_t i = 0; i < count; ++i)
        put(f, numbers ? (const uint8_t *)numbers + 4 * (size_t)i : (const uint8_t *)"\0\0\0", 4);
    return first;
}

static void point_to_bytes(flat *f, size_t place, const void *bytes, uint32_t size)
{
    align(f, 16, 12); /* the bytes begin at a multiple of 16 */
    point(f, place);
    put_u32(f, size);
    put(f, bytes, size);
}

static void point_to_string(flat *f, size_t place, const char *text)
{
    align(f, 4, 0);
    point(f, place);
    put_u32(f, (uint32_t)strlen(text));
    put(f, text, strlen(text) + 1);
}

/* ---- the tables of a model --------------------------------------------------------------------------------------- */

enum { MODEL_VERSION, MODEL_CODES, MODEL_GRAPHS, MODEL_BUFFERS = 4 };
enum { CODE_OLD, CODE_VERSION = 2, CODE };
enum { GRAPH_TENSORS, GRAPH_INPUTS, GRAPH_OUTPUTS, GRAPH_OPERATORS };
enum { TENSOR_SHAPE, TENSOR_TYPE, TENSOR_BUFFER, TENSOR_NAME, TENSOR_HAS_RANK = 8 };
enum { OPERATOR_CODE, OPERATOR_INPUTS, OPERATOR_OUTPUTS, OPERATOR_OPTIONS_TYPE, OPERATOR_OPTIONS };

#define BIT(member) (UINT32_C(1) << (member))

static void write_tensor(flat *f, size_t place, uint32_t dtype, uint32_t rank, const uint64_t *sizes, uint32_t buffer,
                         uint32_t number)
{
    const size_t tensor = point_to_table(
        f, place, BIT(TENSOR_SHAPE) | BIT(TENSOR_TYPE) | BIT(TENSOR_BUFFER) | BIT(TENSOR_NAME) | BIT(TENSOR_HAS_RANK));
    uint32_t shape[NODE_DIMS];
    for (uint32_t i = 0; i < rank; ++i)
        shape[i] = (uint32_t)sizes[i];
    const char name[] = { 't', (char)('a' + number), '\0' };
    set(f, member(tensor, TENSOR_TYPE), (uint32_t)node_type_in_model(dtype));
    set(f, member(tensor, TENSOR_BUFFER), buffer);
    set(f, member(tensor, TENSOR_HAS_RANK), 1);
    point_to_vector(f, member(tensor, TENSOR_SHAPE), rank, shape);
    point_to_string(f, member(tensor, TENSOR_NAME), name);
}

/* The tensors of the graph: the inputs, the lists, the output. */
static void write_tensors(flat *f, const node *n, size_t place)
{
    const uint32_t inputs = n->input_count, lists = n->list_count;
    const size_t tensors = point_to_vector(f, place, inputs + lists + 1, NULL);
    uint32_t number = 0, rank;
    for (uint32_t i = 0; i < inputs; ++i, ++number) {
        const uint64_t *sizes = node_in_sizes(n, i, &rank);
        write_tensor(f, tensors + 4 * (size_t)number, n->in[i]->dtype, rank, sizes, 0, number);
    }
    for (uint32_t i = 0; i < lists; ++i, ++number) {
        const uint64_t size = n->list_sizes[i];
        write_tensor(f, tensors + 4 * (size_t)number, TS_INT32, 1, &size, i + 1, number);
    }
    const uint64_t *sizes = node_out_sizes(n, &rank);
    write_tensor(f, tensors + 4 * (size_t)number, n->out->dtype, rank, sizes, 0, number);
}

static void write_operator(flat *f, const node *n, size_t place, const uint32_t *numbers)
{
    const uint32_t inputs = n->input_count + n->list_count;
    const size_t operators = point_to_vector(f, place, 1, NULL);
    const size_t operator= point_to_table(f, operators,
                                          BIT(OPERATOR_CODE) | BIT(OPERATOR_INPUTS) | BIT(OPERATOR_OUTPUTS) |
                                              BIT(OPERATOR_OPTIONS_TYPE) | BIT(OPERATOR_OPTIONS));
    set(f, member(operator, OPERATOR_OPTIONS_TYPE), n->options_type);
    point_to_vector(f, member(operator, OPERATOR_INPUTS), inputs, numbers);
    point_to_vector(f, member(operator, OPERATOR_OUTPUTS), 1, numbers + inputs);
    const size_t options = point_to_table(f, member(operator, OPERATOR_OPTIONS), BIT(n->option_count) - 1);
    for (uint32_t i = 0; i < n->option_count; ++i)
        set(f, member(options, i), (uint32_t)n->options[i]);
}

static void write_graph(flat *f, const node *n, size_t place)
{
    uint32_t numbers[NODE_INPUTS + NODE_LISTS + 1];
    for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        numbers[i] = i;
    const size_t graphs = point_to_vector(f, place, 1, NULL);
    const size_t graph =
        point_to_table(f, graphs, BIT(GRAPH_TENSORS) | BIT(GRAPH_INPUTS) | BIT(GRAPH_OUTPUTS) | BIT(GRAPH_OPERATORS));
    write_tensors(f, n, member(graph, GRAPH_TENSORS));
    point_to_vector(f, member(graph, GRAPH_INPUTS), n->input_count, numbers);
    point_to_vector(f, member(graph, GRAPH_OUTPUTS), 1, numbers + n->input_count + n->list_count);
    write_operator(f, n, member(graph, GRAPH_OPERATORS), numbers);
}

/* Buffer 0 is that of tensors without constant data; the others have the lists. */
static void write_buffers(flat *f, const node *n, size_t place)
{
    const size_t buffers = point_to_vector(f, place, n->list_count + 1, NULL);
    point_to_table(f, buffers, 0);
    for (uint32_t i = 0; i < n->list_count; ++i) {
        const size_t buffer = point_to_table(f, buffers + 4 * (size_t)(i + 1), BIT(0));
        point_to_bytes(f, member(buffer, 0), n->lists[i], n->list_sizes[i] * 4);
    }
}

size_t tflite_write(const node *n, uint8_t *bytes)
{
    flat f = { bytes, 0 };
    put_u32(&f, 0);
    put(&f, "TFL3", 4);
    const size_t model =
        point_to_table(&f, 0, BIT(MODEL_VERSION) | BIT(MODEL_CODES) | BIT(MODEL_GRAPHS) | BIT(MODEL_BUFFERS));
    set(&f, member(model, MODEL_VERSION), 3);
    const size_t codes = point_to_vector(&f, member(model, MODEL_CODES), 1, NULL);
    const size_t code = point_to_table(&f, codes, BIT(CODE_OLD) | BIT(CODE_VERSION) | BIT(CODE));
    set(&f, member(code, CODE_OLD), (uint32_t)n->operation); /* all are below 127 */
    set(&f, member(code, CODE_VERSION), 1);
    set(&f, member(code, CODE), (uint32_t)n->operation);
    write_graph(&f, n, member(model, MODEL_GRAPHS));
    write_buffers(&f, n, member(model, MODEL_BUFFERS));
    align(&f, 16, 0);
    return f.size;
}
