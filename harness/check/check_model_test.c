/* SPDX-License-Identifier: Apache-2.0 */
/* What a DxDispatch model says beside its operators: resources, commands, bindings. */
#include "harness/check/check_file.h"
#include "harness/check/check_testing.h"

static const char model[] =
    "{ \"resources\": {\n"
    "  \"A\": { \"initialValuesDataType\": \"FLOAT32\", \"initialValues\": [1, 2, \"nan\"] },\n"
    "  \"B\": { \"initialValuesDataType\": \"FLOAT16\", \"initialValues\": { \"valueCount\": 16, \"value\": 1 } },\n"
    "  \"Out\": { \"initialValuesDataType\": \"FLOAT32\", \"initialValues\": { \"valueCount\": 3, \"value\": 0 } } },\n"
    "\"dispatchables\": { \"sum\": { \"type\": \"ELEMENT_WISE_ADD\", \"desc\": {\n"
    "  \"ATensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [3] },\n"
    "  \"BTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [3] },\n"
    "  \"OutputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [3] } } } },\n"
    "\"commands\": [\n"
    "  { \"type\": \"dispatch\", \"dispatchable\": \"sum\",\n"
    "    \"bindings\": { \"ATensor\": \"A\", \"BTensor\": \"B\", \"OutputTensor\": \"Out\" } },\n"
    "  { \"type\": \"print\", \"resource\": \"Out\" } ] }";

static void read_text(const char *text)
{
    check_file f;
    seen.count = 0;
    seen.options.go_on = seen.options.partly = true;
    assert_true(check_file_copy(&f, "model.json", text, strlen(text), CHECK_DESCRIPTORS, &seen.e));
    if (!check_file_visit(&f, &seen.options, see, NULL, &seen.e))
        fail_msg("%s", seen.e.text);
    check_file_close(&f);
}

/* Replace a word of the model, and read it. */
static void change(const char *word, const char *by)
{
    char text[sizeof model + 200];
    const char *at = strstr(model, word);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - model), model, by, at + strlen(word));
    read_text(text);
}

/* The operator then breaks a clause, with a message, at a line. */
static void breaks(const char *word, const char *by, const char *clauses, const char *message, size_t line)
{
    change(word, by);
    const seen_item *item = &seen.list[seen.count - 1];
    assert_string_equal(item->clauses, clauses);
    if (!strstr(item->text, message))
        fail_msg("\"%s\" has no \"%s\"", item->text, message);
    assert_int_equal(item->status, EVALUATE_INVALID);
    assert_int_equal(item->first.line, line);
}

/* What would be legal is said. */
static void legal_is(const char *word, const char *by, const char *legal)
{
    change(word, by);
    assert_string_equal(seen.list[seen.count - 1].legal, legal);
}

static void bound_resources_fit(void **state)
{
    (void)state;
    read_text(model);
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.list[0].clauses, "");
    breaks("[1, 2, \"nan\"]", "[1, 2]", "BUF-16", "ATensor.TotalTensorSizeInBytes = 12 exceeds the 8 bytes of \"A\"",
           11);
    breaks("\"valueCount\": 3", "\"valueCount\": 2", "BUF-16", "OutputTensor.TotalTensorSizeInBytes", 11);
    breaks("\"ATensor\": \"A\"", "\"ATensor\": \"a\"", "BIND-01", "ATensor is bound to \"a\", which is no resource",
           11);
    breaks("\"ATensor\": \"A\", ", "", "BIND-01", "ATensor is bound to no resource", 11);
    breaks("\"ATensor\": \"A\"", "\"ATensor\": [\"A\", \"B\"]", "BIND-01", "2 resources are bound to ATensor", 11);
    breaks("\"ATensor\": \"A\"", "\"ATensor\": 7", "BIND-01", "expected the name of a resource", 11);
    breaks("\"ATensor\": \"A\"", "\"ATenser\": \"A\"", "BIND-01", "(did you mean 'ATensor'?)", 11);
    breaks("\"B\",", "{ \"name\": \"B\", \"elementOffset\": 1 },", "BUF-15", "bound at byte 2", 11);
    breaks("\"B\",", "{ \"name\": \"B\", \"elementOffset\": 8, \"elementSizeInBytes\": 4 },", "BUF-16", "the 0 bytes",
           11);
    legal_is("\"B\",", "{ \"name\": \"B\", \"elementOffset\": 9 },", "BTensor bound at byte 16");
    legal_is("[1, 2, \"nan\"]", "[1, 2]", "a resource with at least 12 bytes from the offset on");
    legal_is("\"ATensor\": \"A\"", "\"ATensor\": \"a\"", "ATensor bound to one of the model's resources");
    legal_is("\"ATensor\": \"A\", ", "", "ATensor bound to one of the model's resources");
    legal_is("\"ATensor\": \"A\"", "\"ATensor\": [\"A\", \"B\"]",
             "as many resources bound to ATensor as it is tensors");
    legal_is("\"ATensor\": \"A\"", "\"ATensor\": \"A\", \"ATenser\": \"A\"",
             "bindings with the names of the operator's tensors only");
    change("\"B\",", "{ \"name\": \"B\", \"elementOffset\": 8 },"); /* 16 of its 32 bytes are left */
    assert_string_equal(seen.list[0].clauses, "");
}

static void owned_tensors_are_bound_at_initialization(void **state)
{
    (void)state;
    breaks("\"Sizes\": [3] },\n  \"B", "\"Sizes\": [3], \"Flags\": [\"OWNED_BY_DML\"] },\n  \"B", "BIND-01 BUF-20",
           "ATensor is bound to no resource at initialization", 11);
    breaks("] } } } },\n\"commands", "] } }, \"bindings\": { \"ATensor\": \"A\" } } },\n\"commands", "BUF-20",
           "ATensor is bound at initialization and not OWNED_BY_DML", 8);
}

static void refuses(const char *word, const char *by, const char *message)
{
    change(word, by);
    for (size_t i = 0; i < seen.count; ++i)
        if (strstr(seen.list[i].broken, message))
            return;
    fail_msg("no item has \"%s\", the first one has \"%s\"", message, seen.list[0].broken);
}

static void what_dxdispatch_refuses_is_reported(void **state)
{
    (void)state;
    refuses("\"print\", \"resource\": \"Out\"", "\"print\", \"resource\": \"Ou\"", "there is no resource \"Ou\"");
    refuses("\"print\"", "\"prind\"", "\"prind\" is no command; expected dispatch, print or writeFile");
    refuses("\"dispatchable\": \"sum\"", "\"dispatchable\": \"sun\"", "there is no dispatchable \"sun\"");
    refuses("\"type\": \"dispatch\", ", "", "a command without \"type\"");
    refuses("\"FLOAT32\"", "\"FLOAT23\"", "\"FLOAT23\" is no DML_TENSOR_DATA_TYPE (did you mean 'FLOAT32'?)");
    refuses("\"FLOAT32\"", "\"f32\"", "\"f32\" is no DML_TENSOR_DATA_TYPE");
    refuses("\"FLOAT32\"", "\"UNKNOWN\"", "expected { \"type\": ..., \"value\": ... }");
    refuses("\"FLOAT32\"", "\"INT8\"", "is no value of INT8");
    refuses("[1, 2, \"nan\"]", "[]", "no values");
    refuses("[1, 2, \"nan\"]", "\"later\"", "the word \"deferred\"");
    refuses("\"initialValues\": [1", "\"initialValue\": [1", "initialValues is missing");
    refuses("\"value\": 1 ", "\"valueStart\": 1 ", "valueDelta is missing");
    refuses("\"value\": 1 ", "\"value\": 1, \"valueStart\": 1 ", "expected one of value, valueStart and sourcePath");
    refuses("\"valueCount\": 16, ", "", "valueCount is missing");
    refuses("\"valueCount\": 16", "\"valueCount\": 1.5", "valueCount: expected an integer");
    refuses("[1, 2, \"nan\"]", "[1, 2, \"nan\"], \"sizeInBytes\": 8",
            "a buffer of 8 bytes for initial values of 12 bytes");
}

/* The values have to fit behind their offset, to the byte. */
static void initial_values_fit_behind_their_offset(void **state)
{
    (void)state;
    change("[1, 2, \"nan\"]", "[1, 2, \"nan\"], \"sizeInBytes\": 16, \"initialValuesOffsetInBytes\": 4");
    assert_int_equal(seen.count, 1);
    refuses("[1, 2, \"nan\"]", "[1, 2, \"nan\"], \"sizeInBytes\": 16, \"initialValuesOffsetInBytes\": 5",
            "a buffer of 16 bytes for initial values of 12 bytes at 5");
}

/* Values that DxDispatch takes: deferred, of several types, at an offset, in a longer buffer. */
static void resources_have_sizes(void **state)
{
    (void)state;
    static const char *const fine[] = {
        "\"deferred\"",
        "[1, 2, 3], \"sizeInBytes\": 256, \"initialValuesOffsetInBytes\": 244",
        "[\"inf\", \"-INF\", \"NaN\"]",
        "{ \"valueCount\": 3, \"valueStart\": 1, \"valueDelta\": 0.5 }",
        "{ \"sourcePath\": \"elsewhere.dat\" }",
    };
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; ++i) {
        change("[1, 2, \"nan\"]", fine[i]);
        assert_int_equal(seen.count, 1);
        assert_string_equal(seen.list[0].clauses, "");
    }
    change("\"FLOAT32\", \"initialValues\": [1, 2, \"nan\"]",
           "\"UNKNOWN\", \"initialValues\": [{ \"type\": \"UINT64\", \"value\": 18446744073709551615 }, "
           "{ \"name\": \"b\", \"type\": \"FLOAT32\", \"value\": 2.5 }, ]");
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.list[0].clauses, "");
}

/* Tensors of a list are bound to a list; two outputs to different bytes. */
static void lists_are_bound_to_lists(void **state)
{
    static const char split[] =
        "{ \"resources\": { \"r\": { \"initialValuesDataType\": \"FLOAT32\", \"initialValues\": { \"valueCount\": 8, "
        "\"value\": 1 } } },\n\"dispatchables\": { \"s\": { \"type\": \"SPLIT\", \"desc\": { \"InputTensor\": { "
        "\"DataType\": \"FLOAT32\", \"Sizes\": [8] }, \"OutputCount\": 2, \"OutputTensors\": [ { \"DataType\": "
        "\"FLOAT32\", \"Sizes\": [4] }, { \"DataType\": \"FLOAT32\", \"Sizes\": [4] } ], \"Axis\": 0 } } },\n"
        "\"commands\": [ { \"type\": \"dispatch\", \"dispatchable\": \"s\", \"bindings\": { \"InputTensor\": \"r\",\n"
        "\"OutputTensors\": [ \"r\", { \"name\": \"r\", \"elementOffset\": %d } ] } } ] }";
    char text[sizeof split + 16];
    (void)state;
    snprintf(text, sizeof text, split, 4);
    read_text(text);
    assert_string_equal(seen.list[0].clauses, "");
    snprintf(text, sizeof text, split, 0);
    read_text(text);
    assert_string_equal(seen.list[0].clauses, "BUF-17");
}

/* An input and an output may share a resource. Their ranges may be equal where the operator permits execution in place,
   and intersect in no other way. */
static void an_input_and_an_output_share_a_resource(void **state)
{
    static const char one[] =
        "{ \"resources\": { \"r\": { \"initialValuesDataType\": \"FLOAT32\", \"initialValues\": { \"valueCount\": 16, "
        "\"value\": 1 } } },\n\"dispatchables\": { \"s\": { \"type\": \"%s\", \"desc\": { \"InputTensor\": { "
        "\"DataType\": \"FLOAT32\", \"Sizes\": [8] }, \"OutputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [8] }%s } "
        "} },\n\"commands\": [ { \"type\": \"dispatch\", \"dispatchable\": \"s\", \"bindings\": { \"InputTensor\": "
        "\"r\",\n\"OutputTensor\": { \"name\": \"r\", \"elementOffset\": %d } } } ] }";
    static const char slice[] = ", \"DimensionCount\": 1, \"InputWindowOffsets\": [0], \"InputWindowSizes\": [8], "
                                "\"InputWindowStrides\": [1]";
    static const struct {
        int offset;
        const char *slice, *identity; /* the clauses that each breaks */
    } rows[] = { { 0, "BUF-18", "" }, { 4, "BUF-18", "BUF-18" }, { 8, "", "" } };
    char text[sizeof one + sizeof slice + 64];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        snprintf(text, sizeof text, one, "SLICE1", slice, rows[i].offset);
        read_text(text);
        assert_string_equal(seen.list[0].clauses, rows[i].slice);
        snprintf(text, sizeof text, one, "ELEMENT_WISE_IDENTITY", "", rows[i].offset);
        read_text(text);
        assert_string_equal(seen.list[0].clauses, rows[i].identity);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(bound_resources_fit, reset),
        cmocka_unit_test_setup(owned_tensors_are_bound_at_initialization, reset),
        cmocka_unit_test_setup(what_dxdispatch_refuses_is_reported, reset),
        cmocka_unit_test_setup(initial_values_fit_behind_their_offset, reset),
        cmocka_unit_test_setup(an_input_and_an_output_share_a_resource, reset),
        cmocka_unit_test_setup(resources_have_sizes, reset),
        cmocka_unit_test_setup(lists_are_bound_to_lists, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
