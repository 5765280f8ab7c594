/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/casefile_generator.h"

#include "harness/casefile/random_plan.h"
#include "harness/casefile/variant.h"
#include "harness/expr/expr.h"
#include "harness/model/arena.h"
#include "harness/model/tensor.h"

#include <lauxlib.h>
#include <string.h>

#define MOST_SPAN   (UINT64_C(1) << 19)
#define MOST_STRIDE INT64_C(0xFFFFFFFF)

static random_source *random_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

/* r.int(low, high): each integer is equally likely. */
static int draw_int(lua_State *L)
{
    const lua_Integer low = luaL_checkinteger(L, 1), high = luaL_checkinteger(L, 2);
    luaL_argcheck(L, low <= high, 2, "the range is empty");
    const uint64_t width = (uint64_t)high - (uint64_t)low;
    const uint64_t offset = width == UINT64_MAX ? random_bits(random_of(L)) : random_below(random_of(L), width + 1);
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + offset));
    return 1;
}

/* r.about(low, high): random_about. */
static int draw_about(lua_State *L)
{
    const lua_Integer low = luaL_checkinteger(L, 1), high = luaL_checkinteger(L, 2);
    luaL_argcheck(L, low <= high, 2, "the range is empty");
    lua_pushinteger(L, random_about(random_of(L), low, high));
    return 1;
}

/* r.chance(percent) */
static int draw_chance(lua_State *L)
{
    lua_pushboolean(L, random_chance(random_of(L), (unsigned)luaL_checkinteger(L, 1)));
    return 1;
}

/* r.pick { a, b, c }: each is equally likely. */
static int draw_pick(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    const uint64_t n = lua_rawlen(L, 1);
    luaL_argcheck(L, n > 0, 1, "the list is empty");
    lua_rawgeti(L, 1, (lua_Integer)random_below(random_of(L), n) + 1);
    return 1;
}

static void push_list(lua_State *L, unsigned n, const int64_t *values)
{
    lua_createtable(L, (int)n, 0);
    for (unsigned i = 0; i < n; ++i) {
        lua_pushinteger(L, values[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static unsigned checked_length(lua_State *L, int argument)
{
    const lua_Integer n = luaL_checkinteger(L, argument);
    luaL_argcheck(L, n >= 0 && n <= EXPR_MAX_LENGTH, argument, "a vector has 0 to 16 elements");
    return (unsigned)n;
}

/* r.order(n): 1 ... n in a random order. */
static int draw_order(lua_State *L)
{
    const unsigned n = checked_length(L, 1);
    unsigned order[EXPR_MAX_LENGTH];
    int64_t values[EXPR_MAX_LENGTH];
    random_permutation(random_of(L), n, order);
    for (unsigned i = 0; i < n; ++i)
        values[i] = (int64_t)order[i] + 1;
    push_list(L, n, values);
    return 1;
}

/* r.elements(): how many elements a tensor may have; mostly few, so that most cases are cheap. */
static int draw_elements(lua_State *L)
{
    const uint64_t kind = random_below(random_of(L), 1000);
    const lua_Integer large = random_chance(random_of(L), 75) ? 1 << 19 : 1 << 21;
    lua_pushinteger(L, kind < 820 ? 256 : kind < 980 ? 4096 : kind < 999 ? 65536 : large);
    return 1;
}

/* r.count(): random_count. */
static int draw_count(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)random_count(random_of(L)));
    return 1;
}

/* r.long_sizes(n [, count]): sizes of which one, in any place, is the count, and the product not much more than it. */
static int draw_long_sizes(lua_State *L)
{
    random_source *r = random_of(L);
    const unsigned n = checked_length(L, 1);
    const lua_Integer count = luaL_optinteger(L, 2, (lua_Integer)random_count(r));
    int64_t sizes[EXPR_MAX_LENGTH];
    luaL_argcheck(L, n > 0 && count > 0, 1, "a dimension, and a count, are needed");
    random_long_sizes(r, n, (uint64_t)count, sizes);
    push_list(L, n, sizes);
    return 1;
}

/* size, plan = r.cube(n): random_cube, and a plan of random_third_plan. */
static int draw_cube(lua_State *L)
{
    random_source *r = random_of(L);
    const unsigned n = checked_length(L, 1);
    int64_t sizes[EXPR_MAX_LENGTH];
    luaL_argcheck(L, n > 0, 1, "a dimension is needed");
    random_cube(r, n, sizes);
    push_list(L, n, sizes);
    lua_pushinteger(L, (lua_Integer)random_third_plan(r));
    return 2;
}

/* size, plan = r.tiles(n): random_tiles, and how such tensors lie in memory (r.strides). */
static int draw_tiles(lua_State *L)
{
    random_source *r = random_of(L);
    const unsigned n = checked_length(L, 1);
    int64_t sizes[EXPR_MAX_LENGTH];
    luaL_argcheck(L, n > 0, 1, "a dimension is needed");
    random_tiles(r, n, sizes);
    push_list(L, n, sizes);
    lua_pushinteger(L, (lua_Integer)random_plan(r));
    return 2;
}

/* size, plan = r.grid(n [, count]): random_grid. */
static int draw_grid(lua_State *L)
{
    random_source *r = random_of(L);
    const unsigned n = checked_length(L, 1);
    const uint64_t some = 65535 * (1 + (uint64_t)random_chance(r, 25)) + 1 + random_below(r, 300);
    const lua_Integer count = luaL_optinteger(L, 2, (lua_Integer)some);
    int64_t sizes[EXPR_MAX_LENGTH];
    luaL_argcheck(L, n > 0, 1, "a dimension is needed");
    luaL_argcheck(L, count >= 65535, 2, "a grid has 65,535 groups or more");
    random_grid(r, n, (uint64_t)count, sizes);
    push_list(L, n, sizes);
    lua_pushinteger(L, (lua_Integer)random_plan(r));
    return 2;
}

/* r.base(): where a buffer begins, in bytes behind a multiple of 64: anywhere (-1), at it, or at any other place. */
static int draw_base(lua_State *L)
{
    random_source *r = random_of(L);
    const uint64_t kind = random_below(r, 10);
    lua_pushinteger(L, kind < 4 ? -1 : kind < 6 ? 0 : (lua_Integer)random_below(r, ARENA_LINE));
    return 1;
}

/* Is this an axis of strides, or the axis of an operator? Then plans whose keys leave out the order of dimensions find
   each other's results. */
static bool is_order(const char *word)
{
    return word && (strstr(word, "stride") || strcmp(word, "axis") == 0);
}

static bool is_size(const char *word)
{
    return word && strstr(word, "size");
}

/* before, times, how, which = r.history { words }: the calls before a case. Mostly one to three, sometimes often enough
   to fill a cache. Strides often have two values exchanged, and sizes one at its default. */
static int draw_history(lua_State *L)
{
    random_source *r = random_of(L);
    const uint64_t wanted = random_below(r, 100);
    const bool order = wanted < 25, size = !order && wanted < 45;
    draw_pick(L);
    for (unsigned i = 0; (order || size) && i < 8 && !(order ? is_order : is_size)(lua_tostring(L, -1)); ++i) {
        lua_pop(L, 1);
        draw_pick(L);
    }
    const uint64_t kind = random_below(r, 100);
    const uint64_t times = kind < 90   ? 1 + random_below(r, 3)
                           : kind < 95 ? 4 + random_below(r, 30)
                           : kind < 99 ? 99 + random_below(r, 32)
                                       : 130 + random_below(r, 171);
    unsigned hows = 0;
    while (variant_hows[hows])
        ++hows;
    lua_pushinteger(L, (lua_Integer)times);
    const char *often = order ? "swap" : size ? "one" : NULL;
    lua_pushstring(L, often && random_chance(r, 60) ? often : variant_hows[random_below(r, hows)]);
    lua_pushinteger(L, (lua_Integer)random_below(r, EXPR_MAX_LENGTH));
    return 4;
}

/* r.sizes(n, elements [, most]): random_sizes. */
static int draw_sizes(lua_State *L)
{
    const unsigned n = checked_length(L, 1);
    const lua_Integer elements = luaL_checkinteger(L, 2), most = luaL_optinteger(L, 3, INT64_MAX);
    int64_t sizes[EXPR_MAX_LENGTH];
    luaL_argcheck(L, elements >= 1 && most >= 1, 2, "at least one element");
    random_sizes(random_of(L), n, (uint64_t)elements, (uint64_t)most, sizes);
    push_list(L, n, sizes);
    return 1;
}

static lua_Integer option(lua_State *L, const char *name, lua_Integer otherwise)
{
    lua_Integer value = otherwise;
    if (lua_istable(L, 2) && lua_getfield(L, 2, name) != LUA_TNIL)
        value = lua_isboolean(L, -1) ? lua_toboolean(L, -1) : luaL_checkinteger(L, -1);
    return value;
}

/* The list of integers on top of the stack, which is removed. */
static unsigned take_list(lua_State *L, int argument, int64_t *values)
{
    luaL_argcheck(L, lua_istable(L, -1), argument, "a list is expected");
    const unsigned n = (unsigned)lua_rawlen(L, -1);
    luaL_argcheck(L, n <= EXPR_MAX_LENGTH, argument, "a vector has 0 to 16 elements");
    for (unsigned i = 0; i < n; ++i) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        values[i] = luaL_checkinteger(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return n;
}

/* Bytes of an element of a type that a case file names; 4 without a name. */
static unsigned bytes_of(const char *dtype)
{
    const size_t bytes = dtype && tensor_dtype_named(dtype) ? tensor_element_bytes(tensor_dtype_named(dtype)) : 4;
    return bytes ? (unsigned)bytes : 1;
}

/* The elements that a tensor may span. Gaps are filled, copied and compared like elements, so most are short; and there
   is room for some in a tensor of any size. */
static uint64_t draw_span(random_source *r, unsigned n, const int64_t *sizes)
{
    const uint64_t kind = random_below(r, 1000);
    uint64_t room = 4;
    for (unsigned i = 0; i < n && room < 1 << 14; ++i)
        room *= sizes[i] > 0 ? (uint64_t)sizes[i] : 1;
    const uint64_t least = room < 1 << 14 ? room : 1 << 14;
    return kind < 600 ? (least > 1 << 12 ? least : 1 << 12) : kind < 950 ? 1 << 14 : kind < 998 ? 1 << 17 : MOST_SPAN;
}

/* r.strides(sizes, { shares = true, dtype = "f32", like = strides }): random_strides. Few tensors span much memory. */
static int draw_strides(lua_State *L)
{
    int64_t sizes[EXPR_MAX_LENGTH], strides[EXPR_MAX_LENGTH], like[EXPR_MAX_LENGTH];
    lua_pushvalue(L, 1);
    const unsigned n = take_list(L, 1, sizes);
    random_layout l = { .bytes = 4, .most_stride = MOST_STRIDE };
    if (lua_istable(L, 2) && lua_getfield(L, 2, "dtype") == LUA_TSTRING)
        l.bytes = bytes_of(lua_tostring(L, -1));
    l.shares = option(L, "shares", 0) != 0;
    if (lua_istable(L, 2) && lua_getfield(L, 2, "like") == LUA_TTABLE && lua_rawlen(L, -1) == n) {
        take_list(L, 2, like);
        l.like = like;
    }
    l.most_span = draw_span(random_of(L), n, sizes);
    l.most_span = (uint64_t)option(L, "span", (lua_Integer)l.most_span);
    l.interleaves = option(L, "interleave", 0) != 0;
    random_strides(random_of(L), n, sizes, &l, strides);
    push_list(L, n, strides);
    return 1;
}

/* Push "strides" and the strides of a tensor by a plan, or, if it is 0, "packed" and packed strides. */
static void push_planned(lua_State *L, uint64_t plan, unsigned again, bool shares, const char *dtype, unsigned n,
                         const int64_t *sizes)
{
    int64_t strides[EXPR_MAX_LENGTH];
    uint64_t elements = 1;
    for (unsigned i = n; i-- > 0;) {
        strides[i] = (int64_t)elements;
        elements *= sizes[i] > 1 && elements <= UINT64_C(1) << 31 ? (uint64_t)sizes[i] & UINT32_MAX : 1;
    }
    const random_layout l = {
        .shares = shares, .bytes = bytes_of(dtype), .most_span = 3 * elements + (1 << 14), .most_stride = MOST_STRIDE
    };
    if (plan)
        random_planned(plan, again, n, sizes, &l, strides);
    lua_pushstring(L, plan ? "strides" : "packed");
    push_list(L, n, strides);
}

/* layout, strides = r.planned(sizes, plan, dtype): random_planned, of an output. */
static int draw_planned(lua_State *L)
{
    int64_t sizes[EXPR_MAX_LENGTH];
    lua_pushvalue(L, 1);
    const unsigned n = take_list(L, 1, sizes);
    push_planned(L, (uint64_t)luaL_checkinteger(L, 2), 0, false, luaL_checkstring(L, 3), n, sizes);
    return 2;
}

/* in_layout, in_strides, out_layout, out_strides = r.copied(in_sizes, out_sizes, plan, dtype): the input of a copy has
   the plan, or its output, or both: alike, with other gaps behind planes, or by two plans. */
static int draw_copied(lua_State *L)
{
    random_source *r = random_of(L);
    int64_t in[EXPR_MAX_LENGTH], out[EXPR_MAX_LENGTH];
    lua_pushvalue(L, 1);
    const unsigned in_dims = take_list(L, 1, in);
    lua_pushvalue(L, 2);
    const unsigned out_dims = take_list(L, 2, out);
    const uint64_t plan = (uint64_t)luaL_checkinteger(L, 3), mode = random_below(r, 100);
    const char *dtype = luaL_checkstring(L, 4);
    const uint64_t other = mode < 45 ? 0 : mode < 80 ? plan : random_plan(r);
    push_planned(L, mode >= 45 && mode < 60 ? 0 : plan, 0, true, dtype, in_dims, in);
    push_planned(L, other, (unsigned)random_below(r, 2), false, dtype, out_dims, out);
    return 4;
}

void casefile_push_generator(lua_State *L, random_source *random)
{
    static const luaL_Reg functions[] = {
        { "int", draw_int },       { "about", draw_about },     { "chance", draw_chance },
        { "pick", draw_pick },     { "order", draw_order },     { "elements", draw_elements },
        { "sizes", draw_sizes },   { "strides", draw_strides }, { "planned", draw_planned },
        { "copied", draw_copied }, { "count", draw_count },     { "long_sizes", draw_long_sizes },
        { "tiles", draw_tiles },   { "cube", draw_cube },       { "grid", draw_grid },
        { "base", draw_base },     { "history", draw_history }, { NULL, NULL }
    };
    luaL_newlibtable(L, functions);
    lua_pushlightuserdata(L, random);
    luaL_setfuncs(L, functions, 1);
}
