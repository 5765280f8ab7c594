/* SPDX-License-Identifier: Apache-2.0 */
/* Drawn tests of a case file: what the function gets and may return, and how its mistakes are told. */
#include "harness/casefile/casebuild.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[] = "/tmp/draw_test_XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (testing_folder(folder) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/case.lua", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

/* A family whose only test is on line 11 and has these words besides a title. */
static case_file *load(const char *words, error *e)
{
    static const char start[] = "local op = operator 'dml.element_wise_identity'\n"
                                "local any = op:family()\n"
                                "any:axis 'dtype' { 'f32', 'u8' }\n"
                                "any:axis 'rank' { 4, 1, 2 }\n"
                                "any:axis 'fill' { all.fills }\n"
                                "any:axis 'layout' { 'packed', 'strides' }\n"
                                "any:axis 'size' { 3, per = 'rank' }\n"
                                "any:axis 'stride' { 0, per = 'rank' }\n"
                                "any:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Layout = 'layout',\n"
                                "  Strides = 'stride', Fill = 'fill' }, OutputTensor = { Sizes = 'size' } }\n"
                                "any:test 'drawn' { 'a title', ";
    char text[4096];
    snprintf(text, sizeof text, "%s%s }\n", start, words);
    assert_int_equal(testing_write(path, text), 0);
    memset(e, 0, sizeof *e);
    return casefile_load(path, e);
}

#define EACH  "each = { 'dtype', 'rank' }, dtype = '*', rank = '*', "
#define CASES "cases = { quick = 2, full = 20 }, "

static void a_function_draws_the_values_of_a_case(void **state)
{
    (void)state;
    error e;
    casebuild b;
    space_cursor c;
    char ids[20][CASE_ID_SIZE], id[CASE_ID_SIZE];
    case_file *f = load(EACH CASES "draw = function(r, c)\n"
                                   "  local size = r.sizes(c.rank, 100)\n"
                                   "  if c.dtype == 'u8' and size[1] == 1 then return nil end\n"
                                   "  return { size = size, layout = 'strides', fill = r.pick { 'bits', 'special' },\n"
                                   "           stride = r.strides(size, { dtype = c.dtype, shares = true }) }\n"
                                   "end",
                        &e);
    if (!f)
        fail_msg("%s", e.text);
    const case_test *t = &f->tests[0];
    assert_true(space_is_drawn(t->space));
    assert_int_equal(t->draws[TIER_QUICK], 2);
    assert_int_equal(t->draws[TIER_EXHAUSTIVE], 20);
    casebuild_init(&b, t, TS_PROFILE_DEFAULT, 0, NULL);
    size_t n = 0;
    for (bool more = space_start(&c, t->space, 0, 20, NULL, NULL); more; more = space_next(&c)) {
        assert_true(casebuild_case(&b, &c, &e));
        const ts_tensor *in = &b.now.descriptor.tensors[0];
        assert_true(in->dtype == TS_FLOAT32 || in->sizes[0] > 1); /* the others were drawn again */
        assert_true(in->given & TS_GIVEN_STRIDES);
        for (uint32_t k = 0; k < in->rank; ++k)
            assert_int_equal(in->strides[k], c.values[space_axis_named(t->space, "stride")].v[k]);
        space_format_id(&c, ids[n++], CASE_ID_SIZE);
    }
    assert_int_equal(n, 20);
    /* Each case again alone, and by its id: the same case, with the same data. */
    for (size_t i = n; i-- > 0;) {
        uint64_t index;
        assert_true(space_start(&c, t->space, i, i + 1, NULL, NULL) && casebuild_case(&b, &c, &e));
        space_format_id(&c, id, sizeof id);
        assert_string_equal(id, ids[i]);
        const uint64_t key = b.now.key;
        assert_true(space_find(t->space, strrchr(id, ':') + 1, &index, &e));
        assert_true(space_start(&c, t->space, index, index + 1, NULL, NULL) && casebuild_case(&b, &c, &e));
        assert_int_equal(b.now.key, key);
    }
    casefile_free(f);
}

/* The id of a point. */
static const char *id_of(const case_test *t, uint64_t index, char id[CASE_ID_SIZE])
{
    space_cursor c;
    assert_true(space_start(&c, t->space, index, index + 1, NULL, NULL));
    space_format_id(&c, id, CASE_ID_SIZE);
    return id;
}

static void another_seed_draws_other_cases_and_finds_the_same_ids(void **state)
{
    (void)state;
    error e;
    char ids[20][CASE_ID_SIZE], id[CASE_ID_SIZE];
    unsigned same = 0;
    uint64_t index;
    case_file *f = load(EACH CASES "draw = function(r, c) return { size = r.sizes(c.rank, 1000) } end", &e);
    if (!f)
        fail_msg("%s", e.text);
    case_test *t = &f->tests[0];
    for (uint64_t i = 0; i < 20; ++i)
        id_of(t, i, ids[i]);
    casefile_set_draws(t, 20, 7);
    for (uint64_t i = 0; i < 20; ++i)
        same += strcmp(id_of(t, i, id), ids[i]) == 0;
    assert_true(same < 10);
    assert_true(space_find(t->space, strrchr(ids[3], ':') + 1, &index, &e)); /* whatever the seed */
    assert_string_equal(id_of(t, index, id), ids[3]);
    casefile_free(f);
    f = load(EACH CASES "draw = function(r, c) return { size = r.sizes(c.rank, 1000) } end", &e);
    casefile_set_draws(&f->tests[0], UINT64_C(1) << 40, 0); /* the number of cases makes no difference */
    for (uint64_t i = 0; i < 20; ++i)
        assert_string_equal(id_of(&f->tests[0], i, id), ids[i]);
    assert_true(
        space_start(&(space_cursor){ 0 }, f->tests[0].space, (UINT64_C(1) << 40) - 1, UINT64_C(1) << 40, NULL, NULL));
    casefile_free(f);
}

static void mistakes_in_the_words_are_told_when_the_file_is_loaded(void **state)
{
    (void)state;
    static const struct {
        const char *words, *says;
    } mistakes[] = {
        { CASES "draw = function() end", "each is a list of axes whose values are taken in turn" },
        { "each = { 'dtypes' }, " CASES "draw = function() end", "each: there is no axis 'dtypes'" },
        { EACH "draw = function() end", "cases says how many cases each tier has" },
        { EACH "cases = { quick = 20, full = 2 }, draw = function() end", "none fewer than the tier before" },
        { EACH CASES "draw = 1", "draw is a function" },
        { EACH CASES "size = { 1 }, draw = function() end", "axis 'size' is drawn" },
        { "each = { 'dtype' }, dtype = '*', " CASES "draw = function() end",
          "axis 'rank' decides which cases a backend supports" },
        { EACH CASES "strength = 2, draw = function() end", "a drawn test has no strength" },
        { EACH CASES "preceded = true, draw = function() end", "preceded needs an axis `before`" },
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
        error e;
        char place[80];
        case_file *f = load(mistakes[i].words, &e);
        if (f)
            fail_msg("this is accepted: %s", mistakes[i].words);
        snprintf(place, sizeof place, "%s:11:", path);
        if (!strstr(e.text, place) || !strstr(e.text, mistakes[i].says))
            fail_msg("%s: %s", mistakes[i].words, e.text);
    }
}

/* The functions for counts, places and the calls before a case give what the axes take. */
static void further_functions_of_the_generator(void **state)
{
    (void)state;
    error e;
    space_cursor c;
    unsigned anywhere = 0;
    case_file *f = load(EACH "cases = { full = 500 }, draw = function(r, c)\n"
                             "  local base, count = r.base(), r.count()\n"
                             "  assert(base >= -1 and base < 64 and count >= 65535 and count <= 1 << 20)\n"
                             "  local long, most = r.long_sizes(c.rank, 70000), 0\n"
                             "  for k = 1, c.rank do most = math.max(most, long[k]) end\n"
                             "  assert(most == 70000)\n"
                             "  local sizes, plan = r.tiles(c.rank)\n"
                             "  local grid, other = r.grid(c.rank, 100000)\n"
                             "  assert(#sizes == c.rank and #grid == c.rank and plan ~= 0 and other ~= 0)\n"
                             "  local layout, stride = r.planned(sizes, plan, 'f16')\n"
                             "  assert(layout == 'strides' and #stride == c.rank)\n"
                             "  local a, p, b, q = r.copied(sizes, { 2, 3 }, plan, 'u8')\n"
                             "  assert((a == 'strides' or b == 'strides') and #p == c.rank and #q == 2)\n"
                             "  assert(b == 'strides' or q[1] == 3 and q[2] == 1)\n"
                             "  local before, times, how, which = r.history { 'data', 'size' }\n"
                             "  assert((before == 'data' or before == 'size') and times >= 1 and times <= 300)\n"
                             "  assert(which >= 0 and which < 16)\n"
                             "  local known = false\n"
                             "  for _, word in ipairs(all.hows) do known = known or word == how end\n"
                             "  assert(known)\n"
                             "  return { size = r.sizes(c.rank, 16), layout = base < 0 and 'strides' or 'packed',\n"
                             "           stride = r.strides({ 1, 1, 1, 1 }, { like = { 4, 3, 2, 1 }, span = 5 }) }\n"
                             "end, where = 'rank == 4'",
                        &e);
    if (!f)
        fail_msg("%s", e.text);
    const case_test *t = &f->tests[0];
    for (bool more = space_start(&c, t->space, 0, 500, NULL, NULL); more; more = space_next(&c))
        anywhere += c.values[space_axis_named(t->space, "layout")].v[0] != 0;
    if (space_failed(&c, &e))
        fail_msg("%s", e.text);
    assert_in_range(anywhere, 100, 300);
    casefile_free(f);
}

/* Where buffers begin, and flags, are bound; a place outside a line of 64 bytes is an error of the case. */
static void places_and_flags_are_bound(void **state)
{
    (void)state;
    static const char text[] = "local op = operator 'dml.element_wise_identity'\n"
                               "op:axis 'size' { 3, per = 2 }\n"
                               "op:axis 'base' { -1, 0, 63, 64, -2 }\n"
                               "op:bind { InputTensor = { DataType = '1', Sizes = 'size', Base = 'base',\n"
                               "  Flags = 'base == 63 and 1 or 0' }, OutputTensor = { Sizes = 'size' } }\n"
                               "op:test 'one' { 'a title', base = '*', asked = true }\n"
                               "op:limit 'BUF-03 BUF-04' { 'a title', name = 'flags' }\n";
    error e;
    casebuild b;
    space_cursor c;
    assert_int_equal(testing_write(path, text), 0);
    case_file *f = casefile_load(path, &e);
    if (!f)
        fail_msg("%s", e.text);
    assert_string_equal(f->tests[1].name, "legal-BUF-03-flags");
    assert_string_equal(f->tests[1].inside, "BUF-03 BUF-04");
    casebuild_init(&b, &f->tests[0], TS_PROFILE_DEFAULT, 0, NULL);
    for (bool more = space_start(&c, f->tests[0].space, 0, 5, NULL, NULL); more; more = space_next(&c)) {
        const int64_t base = c.values[space_axis_named(f->tests[0].space, "base")].v[0];
        if (base < -1 || base > 63) {
            assert_false(casebuild_case(&b, &c, &e));
            assert_non_null(strstr(e.text, "a Base is outside -1 to 63"));
            continue;
        }
        assert_true(casebuild_case(&b, &c, &e));
        assert_true(b.now.asked);
        assert_int_equal(b.now.bases[0], base);
        assert_int_equal(b.now.bases[1], -1);
        assert_int_equal(b.now.descriptor.tensors[0].flags, base == 63);
    }
    casefile_free(f);
    assert_int_equal(testing_write(path,
                                   "local op = operator 'dml.element_wise_identity'\nop:axis 'size' { 3, per = 2 }\n"
                                   "op:bind { InputTensor = { DataType = '1', Sizes = 'size' } }\n"
                                   "op:limit 'BUF-03 GA-01' { 'a title' }\n"),
                     0);
    assert_null(casefile_load(path, &e));
    assert_non_null(strstr(e.text, ":4: limit: dml.element_wise_identity has no clause 'GA-01'"));
}

static void mistakes_of_the_function_are_told_with_the_point(void **state)
{
    (void)state;
    static const struct {
        const char *body, *says;
    } mistakes[] = {
        { "return 5", "draw returns a table of axes and their values, or nil to draw again, not a number" },
        { "return { sizes = { 1 } }", "draw returns a value of 'sizes', which is no axis" },
        { "return { dtype = 'u8' }", "'dtype', which is an axis that is not drawn" },
        { "return { size = 3 }", "axis 'size' is a vector and was given a number" },
        { "return { size = { 1, 2, 3, 4, 5 } }", "axis 'size' has 4 elements, and 5 were drawn" },
        { "return { fill = 'bit' }", "axis 'fill' was given bit; expected one of its names" },
        { "return { size = { 1.5, 1, 1, 1 } }", "axis 'size' was given 1.5; expected an integer" },
        { "return nil", "1000 draws for point 0 gave nothing" },
        { "return { size = r.sizes(17, 5) }", "a vector has 0 to 16 elements" },
        { "return { size = r.about(5, 4) }", "the range is empty" },
        { "while true do end", "an endless loop?" },
        { "local t = {} for i = 1, 1e6 do t[i] = {} end", "an endless loop?" },
        { "return { size = c.rank + nil }", "attempt to perform arithmetic on a nil value" },
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
        error e;
        char words[400];
        space_cursor c;
        snprintf(words, sizeof words, EACH CASES "draw = function(r, c) %s end", mistakes[i].body);
        case_file *f = load(words, &e);
        if (!f)
            fail_msg("%s", e.text);
        assert_false(space_start(&c, f->tests[0].space, 0, 1, NULL, NULL));
        assert_true(space_failed(&c, &e));
        if (!strstr(e.text, mistakes[i].says) || !strstr(e.text, "dml.element_wise_identity:drawn"))
            fail_msg("%s: %s", mistakes[i].body, e.text);
        casefile_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_draws_the_values_of_a_case),
        cmocka_unit_test(another_seed_draws_other_cases_and_finds_the_same_ids),
        cmocka_unit_test(mistakes_in_the_words_are_told_when_the_file_is_loaded),
        cmocka_unit_test(mistakes_of_the_function_are_told_with_the_point),
        cmocka_unit_test(further_functions_of_the_generator),
        cmocka_unit_test(places_and_flags_are_bound),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
