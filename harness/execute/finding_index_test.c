/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of operators that select elements by indices: they name the index that selects the wrong element. */
#include "harness/execute/execute_testing.h"

/* An example whose last element of the output comes from element `from` of the first input's buffer instead. */
typedef struct example {
    const char *op, *fields;
    uint64_t from;
    const char *text;
} example;

#define FLOATS(sizes, ...) "{ DataType = 'FLOAT32', Sizes = " sizes ", data = {" #__VA_ARGS__ "} }"
#define INTS(sizes, ...)   "{ DataType = 'INT32', Sizes = " sizes ", data = {" #__VA_ARGS__ "} }"
#define DML(sizes, ...)    "InputTensor = " FLOATS("{ 2, 2 }", 1, 2, 3, 4) ", IndicesTensor = " INTS(sizes, __VA_ARGS__)
#define OV(sizes, ...)     "data = " FLOATS("{ 2, 2 }", 1, 2, 3, 4) ", indices = " INTS(sizes, __VA_ARGS__)
#define ROW                "InputTensor = " FLOATS("{ 4 }", 1, 2, 3, 4)

/* clang-format off */
static const example examples[] = {
    { "dml.gather",
      DML("{ 1, 2 }", 0, -1) ", OutputTensor = " FLOATS("{ 2, 2 }", 1, 2, 3, 4) ", Axis = 1, IndexDimensions = 1", 1,
      "come from InputTensor[1,1], selected by IndicesTensor[0,1] = -1; it came from InputTensor[0,1]" },
    { "dml.gather_elements",
      DML("{ 2, 2 }", 0, 1, 1, -1) ", OutputTensor = " FLOATS("{ 2, 2 }", 1, 2, 4, 4) ", Axis = 1", 1,
      "come from InputTensor[1,1], selected by IndicesTensor[1,1] = -1; it came from InputTensor[0,1]" },
    { "dml.gather_nd",
      DML("{ 2, 2 }", 0, 0, 1, -1) ", OutputTensor = " FLOATS("{ 1, 2 }", 1, 4)
      ", InputDimensionCount = 2, IndicesDimensionCount = 2", 1,
      "come from InputTensor[1,1], selected by IndicesTensor[1,:] = {1,-1}; it came from InputTensor[0,1]" },
    { "dml.gather_nd1",
      DML("{ 2, 1 }", 0, -1) ", OutputTensor = " FLOATS("{ 1, 2 }", 1, 4)
      ", InputDimensionCount = 2, IndicesDimensionCount = 2, BatchDimensionCount = 1", 1,
      "come from InputTensor[1,1], selected by IndicesTensor[1,0] = -1; it came from InputTensor[0,1]" },
    { "dml.scatter_elements",
      ROW ", IndicesTensor = " INTS("{ 2 }", 0, -1) ", UpdatesTensor = " FLOATS("{ 2 }", 5, 6)
      ", OutputTensor = " FLOATS("{ 4 }", 5, 2, 3, 6) ", Axis = 0", 1,
      "come from UpdatesTensor[1], selected by IndicesTensor[1] = -1; it came from InputTensor[1]" },
    { "dml.scatter_elements",
      ROW ", IndicesTensor = " INTS("{ 2 }", 0, -3) ", UpdatesTensor = " FLOATS("{ 2 }", 5, 6)
      ", OutputTensor = " FLOATS("{ 4 }", 5, 6, 3, 4) ", Axis = 0", 1,
      "come from InputTensor[3]; it came from InputTensor[1]" },
    { "dml.scatter_nd",
      DML("{ 1, 2 }", 1, -1) ", UpdatesTensor = " FLOATS("{ 1, 1 }", 5) ", OutputTensor = " FLOATS("{ 2, 2 }", 1, 2, 3, 5)
      ", InputDimensionCount = 2, IndicesDimensionCount = 2", 1,
      "come from UpdatesTensor[0,0], selected by IndicesTensor[0,:] = {1,-1}; it came from InputTensor[0,1]" },
    { "openvino.gather_1", OV("{ 2 }", 0, 1) ", output = " FLOATS("{ 2, 2 }", 1, 2, 3, 4) ", axis = 1", 1,
      "come from data[1,1], selected by indices[1] = 1; it came from data[0,1]" },
    { "openvino.gather_7",
      OV("{ 2, 2 }", 0, 1, 0, 0) ", output = " FLOATS("{ 2, 2 }", 1, 2, 3, 3) ", axis = 1, batch_dims = 1", 1,
      "come from data[1,0], selected by indices[1,1] = 0; it came from data[0,1]" },
    { "openvino.gather_8", OV("{ 2 }", 0, -1) ", output = " FLOATS("{ 2, 2 }", 1, 2, 3, 4) ", axis = 1", 1,
      "come from data[1,1], selected by indices[1] = -1; it came from data[0,1]" },
    { "openvino.gather_elements",
      OV("{ 2, 2 }", 0, 1, 1, 1) ", output = " FLOATS("{ 2, 2 }", 1, 2, 4, 4) ", axis = 1", 1,
      "come from data[1,1], selected by indices[1,1] = 1; it came from data[0,1]" },
    { "openvino.gather_nd_5", OV("{ 2, 2 }", 0, 0, 1, 1) ", output = " FLOATS("{ 2 }", 1, 4), 1,
      "come from data[1,1], selected by indices[1,:] = {1,1}; it came from data[0,1]" },
    { "openvino.gather_nd_8", OV("{ 2, 1 }", 0, 1) ", output = " FLOATS("{ 2 }", 1, 4) ", batch_dims = 1", 1,
      "come from data[1,1], selected by indices[1,0] = 1; it came from data[0,1]" },
    { "openvino.scatter_update",
      OV("{ 1 }", 1) ", updates = " FLOATS("{ 1, 2 }", 5, 6) ", output = " FLOATS("{ 2, 2 }", 1, 2, 5, 6) ", axis = 0", 1,
      "come from updates[0,1], selected by indices[0] = 1; it came from data[0,1]" },
    { "openvino.scatter_elements_update_3",
      OV("{ 1, 2 }", 0, 1) ", updates = " FLOATS("{ 1, 2 }", 5, 6) ", output = " FLOATS("{ 2, 2 }", 5, 2, 3, 6)
      ", axis = 0", 1,
      "come from updates[0,1], selected by indices[0,1] = 1; it came from data[0,1]" },
    { "openvino.scatter_nd_update_3",
      OV("{ 1, 2 }", 1, 1) ", updates = " FLOATS("{ 1 }", 5) ", output = " FLOATS("{ 2, 2 }", 1, 2, 3, 5), 1,
      "come from updates[0], selected by indices[0,:] = {1,1}; it came from data[0,1]" },
    /* an element that may have several values */
    { "dml.scatter_elements",
      ROW ", IndicesTensor = " INTS("{ 3 }", 3, -1, 0) ", UpdatesTensor = " FLOATS("{ 3 }", 5, 6, 7)
      ", OutputTensor = " FLOATS("{ 4 }", 7, 2, 3, 6) ", Axis = 0", 1,
      "come from one of UpdatesTensor[0] (by IndicesTensor[0] = 3) and UpdatesTensor[1] (by IndicesTensor[1] = -1); "
      "it came from InputTensor[1]" },
    { "dml.scatter_nd",
      DML("{ 2, 2 }", 1, -1, 1, 1) ", UpdatesTensor = " FLOATS("{ 1, 2 }", 5, 6)
      ", OutputTensor = " FLOATS("{ 2, 2 }", 1, 2, 3, 6) ", InputDimensionCount = 2, IndicesDimensionCount = 2", 1,
      "come from one of UpdatesTensor[0,0] (by IndicesTensor[0,:] = {1,-1}) and UpdatesTensor[0,1] (by "
      "IndicesTensor[1,:] = {1,1}); it came from InputTensor[0,1]" },
    { "openvino.scatter_update",
      OV("{ 6 }", 1, 1, 1, 1, 1, 1) ", updates = " FLOATS("{ 6, 2 }", 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
      ", output = " FLOATS("{ 2, 2 }", 1, 2, 15, 16) ", axis = 0", 1,
      "come from one of updates[0,1] (by indices[0] = 1), updates[1,1] (by indices[1] = 1), updates[2,1] (by "
      "indices[2] = 1), updates[3,1] (by indices[3] = 1) and 2 others; it came from data[0,1]" },
};
/* clang-format on */

/* Run an example on the backend f; *c has the result. */
static void run_example(const example *e, fake *f, chunk *c)
{
    char source[2048];
    error why = { .text = "" };
    snprintf(source, sizeof source, "local op = operator '%s'\nop:example '1' { own_types = true, %s }\n", e->op,
             e->fields);
    case_file *file = load(source);
    const case_test *t = test_named(file, "examples");
    const execute_options options = { .level = TS_LEVEL_6_4 };
    const execute_range range = { .first = 0, .end = 1, .max_cases = 1, .findings = 1 };
    chunk_init(c);
    executor *x = execute_open(&f->plugin, &options, &why);
    if (!execute_run(x, t, &range, c, &why))
        fail_msg("%s: %s", e->op, why.text);
    execute_close(x);
    casefile_free(file);
}

static void the_selecting_index_is_named(void **state)
{
    (void)state;
    for (const example *e = examples; e < examples + sizeof examples / sizeof *examples; ++e) {
        fake f;
        chunk c;
        fake_open(&f, MOVED, 1);
        f.from = e->from;
        run_example(e, &f, &c);
        if (c.finding_count != 1)
            fail_msg("%s: %u findings", e->op, (unsigned)c.finding_count);
        if (!strstr(c.findings[0].detail, e->text))
            fail_msg("%s: \"%s\" does not contain \"%s\"", e->op, c.findings[0].detail, e->text);
        chunk_clear(&c);
        fake_open(&f, RIGHT, 1);
        run_example(e, &f, &c);
        assert_int_equal(c.verdicts[0], VERDICT_PASS);
        chunk_clear(&c);
    }
}

/* Of two updates of the last element, it gets the first one, but for one value of it. */
static ts_status first_update(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    (void)self;
    for (size_t i = 0; i < n; ++i) {
        ts_descriptor d;
        assert_true(operator_of_call(&d, operators_find(calls[i].op), &calls[i]));
        d.op->run(&d, NULL);
        const uint64_t update = value_bits(TS_FLOAT32, element(&d.tensors[2], 0));
        value_store_bits(TS_FLOAT32, element(&d.tensors[3], 3), update == 0x40b00000 ? 0x7f000000 : update);
        status[i] = TS_OK;
    }
    return TS_OK;
}

/* The element came from a place that is right, though not from the reference's. */
static void another_choice_is_right_as_well(void **state)
{
    (void)state;
    static const example twice = { "dml.scatter_elements",
                                   ROW ", IndicesTensor = " INTS("{ 2 }", 3, 3) ", UpdatesTensor = " FLOATS(
                                       "{ 2 }", 5.5, 6) ", OutputTensor = " FLOATS("{ 4 }", 1, 2, 3, 6) ", Axis = 0",
                                   0, NULL };
    ts_backend backend = fake_backend;
    fake f;
    chunk c;
    backend.submit = first_update;
    fake_open(&f, RIGHT, 1);
    f.plugin.backend = &backend;
    run_example(&twice, &f, &c);
    assert_int_equal(c.verdicts[0], VERDICT_MISMATCH);
    assert_non_null(strstr(c.findings[0].detail,
                           "gives one of 0x40b00000 (5.5), 0x40c00000 (6). It should come from one of UpdatesTensor[0] "
                           "(by IndicesTensor[0] = 3) and UpdatesTensor[1] (by IndicesTensor[1] = 3), and did when"));
    assert_null(c.findings[0].source);
    assert_null(strstr(c.findings[0].tensors, "expected_source"));
    chunk_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_selecting_index_is_named),
        cmocka_unit_test(another_choice_is_right_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
