/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of serialized graphs: make one, byte by byte. Parents come before what they point to. */
#ifndef TOUCHSTONE_GRAPH_TESTING_H
#define TOUCHSTONE_GRAPH_TESTING_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

typedef struct built {
    unsigned char bytes[1 << 14];
    size_t size;
} built;

static inline void build_at(built *b, size_t at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i)
        b->bytes[at + i] = (unsigned char)(value >> 8 * i);
}

static inline size_t build_room(built *b, size_t bytes)
{
    const size_t at = b->size;
    b->size += bytes + (8 - bytes % 8) % 8;
    assert(b->size <= sizeof b->bytes);
    return at;
}

/* Make a table with room for `fields` fields, all of them absent. */
static inline size_t build_table(built *b, unsigned fields)
{
    const size_t vtable = build_room(b, 4 + 2 * (size_t)fields), at = build_room(b, 8 + 8 * (size_t)fields);
    build_at(b, vtable, 4 + 2 * (uint64_t)fields, 2);
    build_at(b, vtable + 2, 8 + 8 * (uint64_t)fields, 2);
    build_at(b, at, at - vtable, 4);
    return at;
}

/* The place of a field, which becomes present. */
static inline size_t build_field(built *b, size_t table, unsigned field)
{
    uint32_t back;
    memcpy(&back, b->bytes + table, 4);
    build_at(b, table - back + 4 + 2 * (size_t)field, 8 + 8 * (uint64_t)field, 2);
    return table + 8 + 8 * (size_t)field;
}

/* Let a place point to what is made next. */
static inline void build_next(built *b, size_t place)
{
    build_at(b, place, b->size - place, 4);
}

static inline void build_number(built *b, size_t table, unsigned field, uint64_t value, size_t bytes)
{
    build_at(b, build_field(b, table, field), value, bytes);
}

/* A vector of elements of 4 bytes: the place of its first one. */
static inline size_t build_vector(built *b, size_t table, unsigned field, uint32_t count)
{
    build_next(b, build_field(b, table, field));
    const size_t at = build_room(b, 4 + 4 * (size_t)count);
    build_at(b, at, count, 4);
    return at + 4;
}

static inline void build_text_at(built *b, size_t place, const char *text)
{
    build_next(b, place);
    const size_t n = strlen(text), at = build_room(b, 5 + n);
    build_at(b, at, n, 4);
    memcpy(b->bytes + at + 4, text, n + 1);
}

static inline void build_text(built *b, size_t table, unsigned field, const char *text)
{
    build_text_at(b, build_field(b, table, field), text);
}

static inline size_t build_sub(built *b, size_t place, unsigned fields)
{
    const size_t vtable = 4 + 2 * (size_t)fields + (8 - (4 + 2 * (size_t)fields) % 8) % 8;
    build_at(b, place, b->size + vtable - place, 4);
    return build_table(b, fields);
}

/* Names with commas between; "" is one of no characters, NULL none. */
static inline void build_names(built *b, size_t table, unsigned field, const char *names)
{
    uint32_t count = names ? 1 : 0;
    for (const char *c = names; c && *c; ++c)
        count += *c == ',';
    const size_t first = build_vector(b, table, field, count);
    for (uint32_t i = 0; i < count; ++i) {
        char name[64] = "";
        const size_t n = strcspn(names, ",");
        memcpy(name, names, n);
        build_text_at(b, first + 4 * (size_t)i, name);
        names += n + 1;
    }
}

/* A graph with room for nodes, and the names of its inputs and outputs: the place of the first node. */
static inline size_t build_graph(built *b, uint32_t nodes, const char *inputs, const char *outputs)
{
    memset(b, 0, sizeof *b);
    const size_t root = build_sub(b, build_room(b, 8), 3);
    const size_t first = build_vector(b, root, 0, nodes);
    build_names(b, root, 1, inputs);
    build_names(b, root, 2, outputs);
    return first;
}

/* Node `number` of kind 1, an operator, or 2, a constant: its desc, with four fields. */
static inline size_t build_node(built *b, size_t first, uint32_t number, uint64_t kind, const char *name,
                                const char *inputs, const char *outputs)
{
    const size_t node = build_sub(b, first + 4 * (size_t)number, 5);
    build_number(b, node, 0, kind, 1);
    build_text(b, node, 2, name);
    build_names(b, node, 3, inputs);
    build_names(b, node, 4, outputs);
    return build_sub(b, build_field(b, node, 1), 4);
}

/* A tensor of a node, at the place of an element of its inputs or outputs: its sizes as digits, "23" for {2,3}. */
static inline void build_tensor(built *b, size_t place, const char *type, const char *sizes, const char *strides,
                                uint64_t bytes)
{
    const size_t t = build_sub(b, place, 4);
    build_text(b, t, 0, type);
    for (unsigned field = 1; field <= 2; ++field) {
        const char *list = field == 1 ? sizes : strides;
        const size_t first = list ? build_vector(b, t, field, (uint32_t)strlen(list)) : 0;
        for (size_t i = 0; list && list[i]; ++i)
            build_at(b, first + 4 * i, (uint64_t)(list[i] - '0'), 4);
    }
    build_number(b, t, 3, bytes, 8);
}

/* An attribute at the place of an element: its name and kind; the result is the table, whose field 2 is the value. */
static inline size_t build_attribute(built *b, size_t place, const char *name, uint64_t kind)
{
    const size_t a = build_sub(b, place, 3);
    build_text(b, a, 0, name);
    build_number(b, a, 1, kind, 1);
    return a;
}

/* Its value, a number of 4 bytes. */
static inline void build_value(built *b, size_t attribute, uint64_t value)
{
    build_next(b, build_field(b, attribute, 2));
    build_at(b, build_room(b, 8), value, 8);
}

#endif
