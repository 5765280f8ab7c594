/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of wrong elements. */
#include "harness/execute/execute_testing.h"

/* The source of a wrong element is named for every data type, also if it has too few values to number all elements. */
static void sources_are_traced(void **state)
{
    (void)state;
    static const char strided[] =
        "local op = operator 'openvino.strided_slice'\n"
        "op:axis 'rank' { 1 }\nop:axis 'dtype' { all.dtypes }\nop:axis 'size' { 300, 3000, 100, per = 'rank' }\n"
        "op:bind { data = { DataType = 'dtype', Sizes = 'size' }, begin = 'size - size', ['end'] = 'size' }\n"
        "op:test 't' { 't', dtype = '*', size = '*' }\n";
    case_file *file = load(strided);
    case_test *t = test_named(file, "t");
    executor *x;
    fake f;
    space_cursor at;
    error e = { .text = "" };
    execute_options options = { .level = 0 };
    unsigned types = 0, like_poison = 0;
    for (bool more = space_start(&at, t->space, 0, space_points(t->space), NULL, NULL); more; more = space_next(&at)) {
        uint32_t dtype = (uint32_t)at.values[1].v[0];
        uint64_t size = (uint64_t)at.values[2].v[0];
        uint64_t wanted = fill_element(FILL_INJECTIVE, dtype, size - 1, 0), from = size - 30;
        if (size == 100 && tensor_element_bytes(dtype) == 1 && dtype != TS_BOOLEAN && (at.index & 1)) {
            from = 0x34 - 1; /* its number has the same bits as the poison */
            ++like_poison;
        }
        while (fill_element(FILL_INJECTIVE, dtype, from, 0) == wanted) /* else the fault has no effect */
            --from;
        for (unsigned what = 0; what < 3; ++what) {
            static const fault faults[] = { MOVED, UNWRITTEN, COMPUTED };
            static const char *const verbs[] = { "came from", "was", "is" };
            static const char *const words[] = { "", "never written: it still holds the poison",
                                                 "no element of data: computed, or read from elsewhere" };
            char source[128], place[64], needed[256];
            chunk c;
            fake_open(&f, faults[what], 1);
            f.from = from;
            chunk_init(&c);
            x = execute_open(&f.plugin, &options, &e);
            const execute_range range = { .first = at.index, .end = at.index + 1, .max_cases = 1, .findings = 1 };
            if (!execute_run(x, t, &range, &c, &e))
                fail_msg("%s", e.text);
            assert_int_equal(c.verdicts[0], VERDICT_MISMATCH);
            const store_finding *g = &c.findings[0];
            snprintf(source, sizeof source, "%s", words[what]);
            if (faults[what] == MOVED)
                snprintf(source, sizeof source, "data[%u]", (unsigned)from);
            snprintf(place, sizeof place, "[%u]", (unsigned)(size - 1));
            snprintf(needed, sizeof needed, "It should come from data[%u]; it %s %s", (unsigned)(size - 1), verbs[what],
                     source);
            assert_string_equal(g->dtype, tensor_dtype(dtype)->id);
            assert_string_equal(g->element, place);
            if (!g->source || strcmp(g->source, source) != 0 || !strstr(g->detail, needed))
                fail_msg("%s of %u: source \"%s\", detail \"%s\"; expected \"%s\"", g->dtype, (unsigned)size,
                         g->source ? g->source : "none", g->detail, needed);
            chunk_clear(&c);
            execute_close(x);
        }
        ++types;
    }
    assert_int_equal(types, 3 * 13);
    assert_true(like_poison > 0);
    casefile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_traced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
