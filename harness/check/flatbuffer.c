/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/flatbuffer.h"

static const flatbuffer_table no_table = { 0, 0, 0 };
static const flatbuffer_vector no_vector = { 0, 0 };

static bool fail(flatbuffer *f, size_t at, const char *problem)
{
    if (!f->problem) {
        f->problem = problem;
        f->problem_at = at;
    }
    return false;
}

static bool inside(flatbuffer *f, size_t at, size_t bytes)
{
    if (f->problem)
        return false;
    return (at <= f->size && bytes <= f->size - at) || fail(f, at, "it ends before the bytes that belong here");
}

uint64_t flatbuffer_at(flatbuffer *f, size_t at, size_t bytes)
{
    uint64_t value = 0;
    if (!inside(f, at, bytes))
        return 0;
    for (size_t i = bytes; i-- > 0;)
        value = value << 8 | f->bytes[at + i];
    return value;
}

/* Follow the offset at a position; 0 on failure. */
static size_t follow(flatbuffer *f, size_t at)
{
    const size_t offset = (size_t)flatbuffer_at(f, at, 4);
    if (f->problem)
        return 0;
    if (offset < 4 || offset > f->size - at) {
        fail(f, at, "an offset leads out of the file");
        return 0;
    }
    return at + offset;
}

static flatbuffer_table table_at(flatbuffer *f, size_t at)
{
    const int64_t back = (int32_t)(uint32_t)flatbuffer_at(f, at, 4);
    const int64_t vtable = (int64_t)at - back;
    if (f->problem || at == 0)
        return no_table;
    if (vtable < 0 || vtable > (int64_t)f->size) {
        fail(f, at, "a table whose vtable lies outside of the file");
        return no_table;
    }
    flatbuffer_table t = { at, (size_t)vtable, (unsigned)flatbuffer_at(f, (size_t)vtable, 2) };
    if (t.vtable_size < 4 || t.vtable_size % 2 != 0)
        fail(f, t.vtable, "a vtable of no valid size");
    inside(f, t.vtable, t.vtable_size);
    return f->problem ? no_table : t;
}

static flatbuffer_vector vector_at(flatbuffer *f, size_t at, size_t element)
{
    const uint32_t count = (uint32_t)flatbuffer_at(f, at, 4);
    if (f->problem || at == 0)
        return no_vector;
    if (count > (f->size - at - 4) / element) {
        fail(f, at, "a vector that is longer than the file");
        return no_vector;
    }
    return (flatbuffer_vector){ at + 4, count };
}

/* The position of a field; 0 if it is absent. */
static size_t field_at(flatbuffer *f, flatbuffer_table t, unsigned number)
{
    const unsigned entry = 4 + 2 * number;
    if (t.at == 0 || entry + 2 > t.vtable_size)
        return 0;
    const size_t offset = (size_t)flatbuffer_at(f, t.vtable + entry, 2);
    return f->problem || offset == 0 ? 0 : t.at + offset;
}

flatbuffer_table flatbuffer_root(flatbuffer *f)
{
    return table_at(f, follow(f, 0));
}

flatbuffer_table flatbuffer_sub(flatbuffer *f, flatbuffer_table t, unsigned number)
{
    const size_t at = field_at(f, t, number);
    return at ? table_at(f, follow(f, at)) : no_table;
}

flatbuffer_vector flatbuffer_list(flatbuffer *f, flatbuffer_table t, unsigned number, size_t element)
{
    const size_t at = field_at(f, t, number);
    return at ? vector_at(f, follow(f, at), element) : no_vector;
}

flatbuffer_vector flatbuffer_text(flatbuffer *f, flatbuffer_table t, unsigned number)
{
    return flatbuffer_list(f, t, number, 1);
}

uint64_t flatbuffer_number(flatbuffer *f, flatbuffer_table t, unsigned number, size_t bytes, uint64_t absent)
{
    const size_t at = field_at(f, t, number);
    return at ? flatbuffer_at(f, at, bytes) : absent;
}

size_t flatbuffer_struct(flatbuffer *f, flatbuffer_table t, unsigned number, size_t bytes)
{
    const size_t at = field_at(f, t, number), where = at ? follow(f, at) : 0;
    return where && inside(f, where, bytes) ? where : 0;
}

flatbuffer_table flatbuffer_element(flatbuffer *f, flatbuffer_vector v, uint32_t i)
{
    return i < v.count ? table_at(f, follow(f, v.at + (size_t)i * 4)) : no_table;
}

flatbuffer_vector flatbuffer_string(flatbuffer *f, flatbuffer_vector v, uint32_t i)
{
    return i < v.count ? vector_at(f, follow(f, v.at + (size_t)i * 4), 1) : no_vector;
}
