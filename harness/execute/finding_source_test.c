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

/* ---- large tensors ---- */

static const char large[] = "local op = operator 'dml.element_wise_identity'\n"
                            "op:axis 'rank' { 2 }\nop:axis 'dtype' { 'u8' }\n"
                            "op:axis 'size' { 2049, 2050, per = 'rank' }\n"
                            "op:axis 'layout' { 'packed', 'gaps', 'transposed' }\n"
                            "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Layout = 'layout' },\n"
                            "          OutputTensor = { Sizes = 'size' } }\n"
                            "op:test 't' { 't', layout = '*', size = '*' }\n";

/* The finding of the case with these parameters; *c owns it. */
static const store_finding *finding_of(fake *f, case_file *file, const char *parameters, chunk *c)
{
    const case_test *t = test_named(file, "t");
    const execute_options options = { .level = TS_LEVEL_6_4 };
    error e = { .text = "" };
    uint64_t index = 0;
    f->plugin.backend = &fake_backend;
    f->plugin.self = f;
    chunk_init(c);
    executor *x = execute_open(&f->plugin, &options, &e);
    if (!space_parse_id(t->space, parameters, &index, &e))
        fail_msg("%s", e.text);
    const execute_range range = { .first = index, .end = index + 1, .max_cases = 1, .findings = 1 };
    if (!execute_run(x, t, &range, c, &e))
        fail_msg("%s", e.text);
    execute_close(x);
    assert_int_equal(c->finding_count, 1);
    return &c->findings[0];
}

static void contains(const store_finding *g, const char *text)
{
    if (!strstr(g->detail, text))
        fail_msg("%s: \"%s\" does not contain \"%s\"", g->case_id, g->detail, text);
}

/* The source is named whatever the number of elements, here beyond 2^22. */
static void sources_in_large_tensors_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *parameters, *text;
        uint64_t from;
    } rows[] = {
        { "size=2049.2050", "should come from InputTensor[2048,2049]; it came from InputTensor[1,7];", 2050 + 7 },
        { "size=2049.2050,layout=transposed", "should come from InputTensor[2048,2049]; it came from InputTensor[7,1];",
          2049 + 7 },
    };
    case_file *file = load(large);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        fake f;
        chunk c;
        fake_open(&f, MOVED, 1);
        f.from = rows[i].from;
        contains(finding_of(&f, file, rows[i].parameters, &c), rows[i].text);
        chunk_clear(&c);
    }
    casefile_free(file);
}

/* ---- bits ---- */

static const char typed[] = "local op = operator 'openvino.strided_slice'\n"
                            "op:axis 'rank' { 1 }\nop:axis 'dtype' { all.dtypes }\n"
                            "op:axis 'fill' { 'injective', 'special', 'bits' }\n"
                            "op:axis 'size' { 40, 3, per = 'rank' }\n"
                            "op:bind { data = { DataType = 'dtype', Sizes = 'size', Fill = 'fill' },\n"
                            "          begin = 'size - size', ['end'] = 'size' }\n"
                            "op:test 't' { 't', dtype = '*', fill = '*', size = '*' }\n";

static uint64_t lose_upper_half(const fake_element *e)
{
    return e->bits & (UINT64_MAX >> (64 - 4 * tensor_element_bytes(e->dtype)));
}

static uint64_t flip_sign(const fake_element *e)
{
    return e->bits ^ UINT64_C(1) << (8 * tensor_element_bytes(e->dtype) - 1);
}

static uint64_t quiet(const fake_element *e)
{
    return (e->bits & 0x7F800000) == 0x7F800000 && (e->bits & 0x7FFFFF) ? e->bits | 0x400000 : e->bits;
}

static uint64_t flush(const fake_element *e)
{
    return (e->bits & 0x7FF0000000000000) ? e->bits : e->bits & 0x8000000000000000;
}

static uint64_t lose_negative_zero(const fake_element *e)
{
    return e->bits == 0x8000 ? 0 : e->bits;
}

static uint64_t swap(const fake_element *e)
{
    return (e->bits << 8 | e->bits >> 8) & 0xFFFF;
}

static uint64_t add_one(const fake_element *e)
{
    return e->number == 1 ? e->bits + 1 : e->bits;
}

static uint64_t through_double(const fake_element *e)
{
    const double d = (double)(int64_t)e->bits;
    return d >= 0x1p63 ? (uint64_t)INT64_MAX : (uint64_t)(int64_t)d;
}

static uint64_t through_float(const fake_element *e)
{
    double d;
    memcpy(&d, &e->bits, sizeof d);
    d = (double)(float)d;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static uint64_t saturate(const fake_element *e)
{
    return e->bits > 0x7F ? 0x7F : e->bits;
}

static uint64_t invert(const fake_element *e)
{
    return e->bits ^ 1;
}

static uint64_t clear_it(const fake_element *e)
{
    return e->number >= 1 ? 0 : e->bits;
}

static uint64_t disturb(const fake_element *e) /* the right element, in no way that has a name */
{
    return e->number == 1 && (e->bits & 4) ? e->bits ^ 0x10 : e->bits;
}

static uint64_t hash(const fake_element *e)
{
    return e->number == 1 ? e->bits * 0x9E3779B1 + 12345 : e->bits;
}

static uint64_t first_call_only(const fake_element *e) /* and its reruns; not with other contents of the input */
{
    return e->number == 1 && e->calls <= 16 ? 77 : e->bits;
}

/* What happened to the bits of an element from the right place is named where the name explains all of them. */
static void changes_of_bits_are_named(void **state)
{
    (void)state;
    static const struct {
        uint64_t (*change)(const fake_element *e);
        const char *parameters, *text, *source;
    } rows[] = {
        { lose_upper_half, "dtype=u64,fill=bits",
          "came from the right element, data[0], but its upper half was lost; 40",
          "data[0], but its upper half was lost" },
        { lose_upper_half, "dtype=f32", "right element, data[0], but its upper half was lost;",
          "data[0], but its upper half was lost" },
        { flip_sign, "dtype=bf16", "right element, data[0], but its sign was flipped;",
          "data[0], but its sign was flipped" },
        { quiet, "dtype=f32,fill=special", "right element, data[2], but signalling NaNs were quieted;",
          "data[2], but signalling NaNs were quieted" },
        { quiet, "dtype=f32,fill=special,size=3",
          "right element, data[2], but signalling NaNs were quieted; 1 element differs",
          "data[2], but signalling NaNs were quieted" },
        { flush, "dtype=f64,fill=special", "right element, data[5], but denormals were flushed to zero;", NULL },
        { lose_negative_zero, "dtype=f16,fill=special", "right element, data[0], but negative zero lost its sign;",
          NULL },
        { swap, "dtype=i16", "right element, data[0], but its bytes were swapped;", NULL },
        { add_one, "dtype=u32", "right element, data[1], but one was added; 1 element differs", NULL },
        { through_double, "dtype=i64,fill=special", "right element, data[4], but it was rounded through f64;", NULL },
        { through_float, "dtype=f64,fill=bits", "right element, data[0], but it was rounded through f32;", NULL },
        { saturate, "dtype=u8,fill=bits", ", but it was saturated to the range of i8;", NULL },
        { invert, "dtype=bool", "right element, data[0], but its bits were inverted;", NULL },
        { clear_it, "dtype=i32", "should come from data[1]; it is 0, whatever data holds; 39",
          "0, whatever data holds" },
        { clear_it, "dtype=bool,fill=bits", "it is 0, whatever data holds;", NULL },
        { disturb, "dtype=u8,fill=bits", ", but the bits 0x10 of it were changed; 1 element differs", NULL },
        { hash, "dtype=u32", "should come from data[1]; it is no element of data: computed, or read from elsewhere; 1",
          "no element of data: computed, or read from elsewhere" },
        { first_call_only, "dtype=u32",
          ". It should come from data[1], and did when the case was executed again with other values", NULL },
    };
    case_file *file = load(typed);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        fake f;
        chunk c;
        fake_open(&f, CHANGED, 1);
        f.change = rows[i].change;
        const store_finding *g = finding_of(&f, file, rows[i].parameters, &c);
        contains(g, rows[i].text);
        if (rows[i].source && (!g->source || strcmp(g->source, rows[i].source) != 0))
            fail_msg("source \"%s\", expected \"%s\"", g->source ? g->source : "none", rows[i].source);
        chunk_clear(&c);
    }
    casefile_free(file);
}

/* One more than the right number is not taken for the next element, which holds that number. */
static void a_computed_number_is_no_neighbour(void **state)
{
    (void)state;
    case_file *file = load(typed);
    for (uint32_t dtype = 1; dtype < TS_DTYPE_COUNT; ++dtype) {
        if (!tensor_element_bytes(dtype) || tensor_dtype(dtype)->is_float || dtype == TS_BOOLEAN)
            continue;
        fake f;
        chunk c;
        char parameters[64];
        fake_open(&f, CHANGED, 1);
        f.change = add_one;
        snprintf(parameters, sizeof parameters, "dtype=%s", tensor_dtype(dtype)->id);
        const store_finding *g = finding_of(&f, file, parameters, &c);
        contains(g, "right element, data[1], but one was added;");
        chunk_clear(&c);
        fake_open(&f, MOVED, 1);
        f.from = 38;
        g = finding_of(&f, file, parameters, &c);
        contains(g, "should come from data[39]; it came from data[38];");
        chunk_clear(&c);
    }
    casefile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_traced),
        cmocka_unit_test(sources_in_large_tensors_are_named),
        cmocka_unit_test(changes_of_bits_are_named),
        cmocka_unit_test(a_computed_number_is_no_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
