/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the tests of expressions: scalars and vectors, numbers and symbols. */
#ifndef TOUCHSTONE_EXPR_FIXTURE_H
#define TOUCHSTONE_EXPR_FIXTURE_H

#include "harness/expr/expr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const dtypes[] = { "f16", "f32", "i8", "u8", "4_1", "fp8-e4m3" };
static const int64_t dtype_values[] = { 3, 5, 7, 9, 11, 13 };
static const char *const layouts[] = { "packed", "padded", "strided" };
static const int64_t layout_values[] = { 0, 1, 2 };

enum { RANK, N, M, END, DTYPE, OTHER, LAYOUT, OFFSET, WINDOW, SIZE, AXES, ORDER, PER_AXES_TOO, NAME_COUNT };
static const expr_name names[NAME_COUNT] = {
    [RANK] = { .name = "rank", .per = -1 },
    [N] = { .name = "n", .per = -1 },
    [M] = { .name = "m", .per = -1 },
    [END] = { .name = "end", .per = -1 },
    [DTYPE] = { "dtype", false, -1, dtypes, dtype_values, 6, false },
    [OTHER] = { "other", false, -1, dtypes, dtype_values, 6, false },
    [LAYOUT] = { "layout", false, -1, layouts, layout_values, 3, false },
    [OFFSET] = { .name = "offset", .vector = true, .per = 0 },
    [WINDOW] = { .name = "window", .vector = true, .per = 0 },
    [SIZE] = { .name = "size", .vector = true, .per = 0 },
    [AXES] = { .name = "axes", .vector = true, .per = 1 },
    [ORDER] = { "order", true, 1, layouts, layout_values, 3, false },
    [PER_AXES_TOO] = { .name = "keep", .vector = true, .per = 1 },
};
static const expr_scope strict = { .names = names, .count = NAME_COUNT };
static const expr_scope relaxed = { .names = names, .count = NAME_COUNT, .relaxed = true };

/* Knuth's linear congruential generator: the same numbers on every platform. */
static uint64_t state;
static inline uint32_t next_random(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

static inline expr *compile_in(const expr_scope *scope, const char *text)
{
    error e = { .text = "" };
    expr *x = expr_compile(text, scope, "test", &e);
    if (x == NULL)
        fail_msg("'%s' does not compile: %s", text, e.text);
    return x;
}

/* Strings that are compared with Lua. A vector and an integer are never compared with == or ~= here, because Lua
   calls no metamethod for that. The symbols' values are in alphabetical order, as Lua compares strings. */
static const char *const shared[] = {
    "n",
    "-n",
    "- -n",
    "n + m",
    "n - m",
    "n * m",
    "n // m",
    "n % m",
    "-n // m",
    "-(n % m)",
    "- n % m",
    "n // 3 * 3 + n % 3",
    "n // -3 * -3 + n % -3",
    "n // -1",
    "n % -1",
    "n - m - rank",
    "n - (m - rank)",
    "n * m + rank * -2",
    "n * (m + rank) * -2",
    "0x7fffffffffffffff + n",
    "0xFFFFFFFFFFFFFFFF * m",
    "9223372036854775807 - -n",
    "abs(n)",
    "abs(n - m) // 2",
    "min(n, m)",
    "max(n, min(m, rank))",
    "eq(n, m) + ne(n, m) * 2 + lt(n, m) * 4 + le(n, m) * 8 + gt(n, m) * 16 + ge(n, m) * 32",
    "pick(n, m, rank)",
    "pick(eq(n, m), n // m, rank)",
    "pick(lt(n, m), m - n, n - m)",
    "end_ + 1",
    "n == m",
    "n ~= m",
    "n < m",
    "n <= m",
    "n > m",
    "n >= m",
    "not (n < m)",
    "not not (n < m)",
    "n < m == (m > n)",
    "(n < m) ~= (rank < m)",
    "not (n == m) == (n ~= m)",
    "n < m and m < rank",
    "n < m or m < rank",
    "n < m or m < rank and rank < n",
    "(n < m or m < rank) and rank < n",
    "not (n < m) and not (m < rank) or rank == 2",
    "n < m and n or m",
    "n < m and 0 or 1",
    "n < m and m < rank and n or m",
    "n < m and n or m < rank and m or rank",
    "(n < m and n or m) + (m < rank and m or rank)",
    "n < m and (m < rank and 1 or 2) or (rank < 3 and 3 or 4)",
    "n < m and (m < rank and 1 or rank < 3 and 2) or 3",
    "n < m and (m < rank and 1) or 3",
    "(n < m and 1 or rank < 3 and 2) or (m == 0 and 3 or 4)",
    "m ~= 0 and n // m or n",
    "m ~= 0 and n // m > 1",
    "m == 0 or n % m == 0",
    "m == 0 and n // m or n",
    "n // m == 1 or n == 2",
    "layout == 'packed'",
    "layout ~= 'padded'",
    "layout < 'strided'",
    "'packed' < layout and layout <= \"strided\"",
    "dtype == other",
    "dtype ~= other",
    "dtype < other or layout == 'padded' and dtype > 'f16'",
    "(n < m and dtype or other) == 'f32'",
    "(n < m and 'f16' or 'u8') == dtype",
    "(n < m and 'f16' or other) == dtype",
    "eq(dtype, other) + ne(layout, 'padded')",
    "pick(n, dtype, other) == 'i8'",
    "each(offset < size)",
    "each(offset <= size)",
    "any(offset > size)",
    "any(offset >= size)",
    "each(offset == size)",
    "any(offset == size)",
    "each(offset ~= size)",
    "any(offset ~= size)",
    "not each(offset < size)",
    "not any(offset == size)",
    "each(not (offset < size))",
    "any(not (offset < size and window > 0))",
    "each(offset + window <= size)",
    "any(offset + window == size)",
    "any(offset - window * 2 ~= -size)",
    "each(offset < 3)",
    "any(3 < offset)",
    "each(offset >= n)",
    "any(n > offset)",
    "any(offset < 0)",
    "each(0 <= offset and offset + window <= size)",
    "each(0 <= offset) and each(offset + window <= size)",
    "each(offset < size or window < size)",
    "each(offset < size) or each(window < size)",
    "any(offset < size and window < size) or n < m",
    "n < m or each(offset < size)",
    "each(n < m or offset < size)",
    "any(n < m and offset < size)",
    "each(offset < 1 and window < size or offset > 2 and window >= size)",
    "each((offset < size) == (window < size))",
    "any((offset < size) ~= (n < m))",
    "each(offset < size) == any(window < size)",
    "each(offset // 2 * 2 + offset % 2 == offset)",
    "any(offset // size == offset % size)",
    "each(offset // window <= size)",
    "any(offset % window <= n)",
    "each(offset // -1 == -offset)",
    "any(offset // n <= size % m)",
    "each(size < 1 or offset // 2 <= 1)",
    "any(offset > 1 and size < max(window, n) + m)",
    "each(offset < sum(size) or window <= min(n, m))",
    "any(offset > 3 or window < len(size))",
    "n > 0 and any(offset < n) and each(size >= m)",
    "each(axes < keep) and each(offset < size)",
    "each(axes == keep)",
    "any(order < 'padded')",
    "each('packed' < order)",
    "any(order < 'strided' and axes > 0)",
    "any(offset < 0) and n or m",
    "each(offset < size) and each(axes < keep) and n or m",
    "sum(offset)",
    "product(offset + 1)",
    "count(offset)",
    "count(offset - 1) + count(eq(size, window))",
    "min(offset)",
    "max(offset)",
    "max(offset) - min(size)",
    "sum(min(offset, size))",
    "sum(max(offset, 2) * min(3, size))",
    "sum(abs(offset - size))",
    "sum(abs(offset)) >= abs(sum(offset))",
    "len(offset)",
    "len(offset + size) * 2",
    "len(axes) + rank",
    "len(offset // size)",
    "offset[1]",
    "offset[rank]",
    "offset[n]",
    "offset[len(offset)]",
    "size[axes[1]]",
    "(offset + size)[1]",
    "(offset + size)[n]",
    "(offset // size)[2]",
    "abs(offset)[1] + 1",
    "-offset[1]",
    "max(offset, size)[2] * 2",
    "sum(offset - min(offset))",
    "sum(offset - min(size) * len(axes))",
    "sum(size * sum(axes)) == sum(size) * sum(axes)",
    "sum(offset * (each(offset < size) and 2 or 3))",
    "sum((offset - axes[1]) * (any(axes < keep) and sum(keep) or count(axes)))",
    "sum(pick(lt(offset, size), offset, size)) == sum(min(offset, size))",
    "count(eq(offset, size)) == len(size) or any(offset ~= size)",
    "count(offset == size) == count(eq(offset, size))",
    "count(offset < size or window < 1) > n",
    "count(not (offset == window and n < m))",
    "count(ne(offset, 0)) == count(offset)",
    "sum(pick(offset, window, 7))",
    "sum(pick(n, window, size))",
    "sum(pick(gt(offset, window), offset // window, 0))",
    "sum(le(offset, size)) + sum(ge(offset, 2)) * 10 + sum(gt(3, offset)) * 100",
    "sum(axes * keep)",
    "order[1] == 'padded'",
    "offset",
    "-offset",
    "offset + n",
    "n - offset",
    "offset * size - window",
    "offset // size",
    "offset % (abs(size) + 1)",
    "offset - min(size)",
    "pick(lt(offset, size), offset, n)",
    "pick(offset < size, offset, n)",
    "pick(offset < size and n < m, window, size) + 1",
    "pick(n < m, n, m)",
    "pick(any(offset < size), window, size)",
    "sum(pick(offset > window, offset // 2, 0))",
    "max(offset, 0) + eq(size, window)",
    "abs(offset - max(offset))",
    "axes * len(offset)",
};

static inline int64_t random_value(void)
{
    static const int64_t extremes[] = { INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, INT64_C(1) << 32 };
    uint32_t r = next_random();
    return r % 16 == 0 ? extremes[r / 16 % 5] : (int64_t)(r / 16 % 9) - 3;
}

/* Values for all names. Vectors of the same per are equally long, now and then without elements. */
static inline void randomize(expr_value *values)
{
    uint32_t lengths[2] = { next_random() % 5, next_random() % 4 };
    for (int i = 0; i < NAME_COUNT; ++i) {
        values[i].length = names[i].vector ? lengths[names[i].per] : 1;
        for (uint32_t k = 0; k < EXPR_MAX_LENGTH; ++k)
            values[i].v[k] = names[i].symbols ? names[i].symbol_values[next_random() % 3] : random_value();
    }
    values[RANK].v[0] = next_random() % 5;
}

#endif
