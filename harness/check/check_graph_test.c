/* SPDX-License-Identifier: Apache-2.0 */
/* Serialized graphs: nodes, edges and constants; and files that are none. */
#include "harness/check/check_graph.h"
#include "harness/check/check_testing.h"
#include "harness/check/graph_testing.h"

#include <stdlib.h>

static built b;

/* The operator at a node: ELEMENT_WISE_IDENTITY of one tensor to another of the same kind. */
static void identity(size_t first, uint32_t number, const char *name, const char *input, const char *output,
                     const char *type, const char *sizes, const char *strides, uint64_t bytes)
{
    const size_t desc = build_node(&b, first, number, 1, name, input, output);
    build_text(&b, desc, 0, "DML_OPERATOR_ELEMENT_WISE_IDENTITY");
    build_tensor(&b, build_vector(&b, desc, 1, 1), type, sizes, strides, bytes);
    build_tensor(&b, build_vector(&b, desc, 2, 1), type, sizes, strides, bytes);
}

static bool read_bytes(const void *bytes, size_t size)
{
    static check_item item;
    memset(&item, 0, sizeof item);
    item.file = "graph.bin";
    seen.count = 0;
    const check_graph g = { .path = "", .o = &seen.options, .item = &item, .visit = see };
    return check_graph_bytes(&g, bytes, size, &seen.e);
}

static bool read_graph(void)
{
    return read_bytes(b.bytes, b.size);
}

/* Two nodes after each other; the second one reads the edge as it is told. */
static void second_reads(const char *type, const char *sizes, const char *strides, uint64_t bytes, const char *clauses,
                         evaluate_status status)
{
    const size_t first = build_graph(&b, 2, "x", "y");
    identity(first, 0, "one", "x", "m", "FLOAT32", "23", NULL, 24);
    identity(first, 1, "two", "m", "y", type, sizes, strides, bytes);
    assert_true(read_graph());
    assert_int_equal(seen.count, 2);
    assert_string_equal(seen.list[0].name, "one");
    assert_string_equal(seen.list[0].clauses, "");
    assert_string_equal(seen.list[1].clauses, clauses);
    assert_int_equal(seen.list[1].status, status);
}

static void edges_are_compared(void **state)
{
    (void)state;
    second_reads("FLOAT32", "23", NULL, 24, "", EVALUATE_OK);
    second_reads("DML_TENSOR_DATA_TYPE_FLOAT32", "1231", NULL, 24, "", EVALUATE_OK);
    second_reads("UINT32", "23", NULL, 24, "GRAPH-02", EVALUATE_OK);
    second_reads("FLOAT32", "32", NULL, 24, "GRAPH-03", EVALUATE_OK);
    second_reads("FLOAT16", "23", NULL, 12, "GRAPH-04 GRAPH-02", EVALUATE_INVALID);
    assert_string_equal(seen.list[1].text,
                        "InputTensor.TotalTensorSizeInBytes = 12 differs from 24, that of OutputTensor of one");
    second_reads("FLOAT32", "23", NULL, 28, "GRAPH-04", EVALUATE_INVALID);
    second_reads("FLOAT32", "23", NULL, 20, "GRAPH-04 BUF-10", EVALUATE_INVALID);

    const size_t first = build_graph(&b, 2, "x", "y");
    identity(first, 0, "one", "x", "m", "FLOAT32", "22", "21", 16);
    identity(first, 1, "two", "m", "y", "FLOAT32", "22", "12", 16);
    assert_true(read_graph());
    assert_string_equal(seen.list[1].clauses, "GRAPH-03");
    assert_string_equal(seen.list[1].text, "InputTensor.Strides differ from those of OutputTensor of one");
}

static void edges_begin_somewhere(void **state)
{
    (void)state;
    size_t first = build_graph(&b, 2, "x", "y");
    identity(first, 0, "one", "m", "y", "FLOAT32", "23", NULL, 24); /* m is written behind it */
    identity(first, 1, "two", "x", "m", "FLOAT32", "23", NULL, 24);
    assert_true(read_graph());
    assert_string_equal(seen.list[0].clauses, "GRAPH-01");
    assert_string_equal(seen.list[1].clauses, "");

    first = build_graph(&b, 2, "x", "y");
    identity(first, 0, "one", "x", "y", "FLOAT32", "23", NULL, 24);
    identity(first, 1, "two", "x", "y", "FLOAT32", "23", NULL, 24);
    assert_true(read_graph());
    assert_string_equal(seen.list[1].clauses, "GRAPH-01");

    first = build_graph(&b, 1, "x", "y,z");
    identity(first, 0, "one", "x", "y", "FLOAT32", "23", NULL, 24);
    assert_false(read_graph());
    assert_non_null(strstr(seen.e.text, "no node writes \"z\", an output of the graph"));
    seen.options.go_on = true;
    assert_true(read_graph());
    assert_int_equal(seen.count, 2);
    assert_non_null(strstr(seen.list[1].broken, "no node writes \"z\""));
}

static void constants_are_long_enough(void **state)
{
    (void)state;
    for (uint32_t bytes = 23; bytes <= 24; ++bytes) {
        const size_t first = build_graph(&b, 2, NULL, "y");
        const size_t constant = build_node(&b, first, 0, 2, "c", NULL, "m");
        build_number(&b, constant, 0, 2, 1);
        const size_t raw = build_sub(&b, build_field(&b, constant, 1), 1);
        build_next(&b, build_field(&b, raw, 0));
        build_at(&b, build_room(&b, 4 + bytes), bytes, 4);
        identity(first, 1, "two", "m", "y", "FLOAT32", "23", NULL, 24);
        assert_true(read_graph());
        assert_int_equal(seen.count, 1);
        assert_string_equal(seen.list[0].clauses, bytes == 23 ? "GRAPH-05" : "");
    }
}

/* A GEMM whose C is absent, with an activation; ELEMENT_WISE_CLIP1 with a DML_SCALAR_UNION. */
static void attributes_are_read(void **state)
{
    (void)state;
    for (int wrong = 0; wrong < 3; ++wrong) {
        size_t first = build_graph(&b, 1, "a,b", "y"), at;
        const size_t desc = build_node(&b, first, 0, 1, "product", "a,b,", "y");
        build_text(&b, desc, 0, "DML_OPERATOR_GEMM");
        at = build_vector(&b, desc, 1, 2);
        build_tensor(&b, at, "FLOAT32", "1123", NULL, 24);
        build_tensor(&b, at + 4, "FLOAT32", "1134", NULL, 48);
        build_tensor(&b, build_vector(&b, desc, 2, 1), "FLOAT32", "1124", NULL, 32);
        at = build_vector(&b, desc, 3, 5);
        build_value(&b, build_attribute(&b, at, wrong == 2 ? "TransB" : "TransA", 3), wrong == 1 ? 7 : 0);
        build_value(&b, build_attribute(&b, at + 4, "TransB", 3), 0);
        build_value(&b, build_attribute(&b, at + 8, "Alpha", 6), 0x3f800000);
        build_value(&b, build_attribute(&b, at + 12, "Beta", 6), 0x3f800000);
        const size_t fused = build_attribute(&b, at + 16, "FusedActivation", 1);
        const size_t activation = build_sub(&b, build_field(&b, fused, 2), 2);
        build_text(&b, activation, 0, "DML_OPERATOR_ACTIVATION_ELU");
        build_value(&b, build_attribute(&b, build_vector(&b, activation, 1, 1), "Alpha", 6), 0x3f000000);
        if (wrong == 2) {
            seen.options.go_on = false;
            assert_false(read_graph());
            assert_non_null(strstr(seen.e.text, "attribute 0 is \"TransB\"; expected TransA"));
            continue;
        }
        assert_true(read_graph());
        assert_int_equal(seen.count, 1);
        assert_string_equal(seen.list[0].clauses, wrong ? "OP-04" : "");
    }
}

static void a_union_is_a_number_of_its_type(void **state)
{
    (void)state;
    size_t first = build_graph(&b, 1, "x", "y"), at;
    const size_t desc = build_node(&b, first, 0, 1, "clip", "x", "y");
    build_text(&b, desc, 0, "DML_OPERATOR_ELEMENT_WISE_CLIP1");
    build_tensor(&b, build_vector(&b, desc, 1, 1), "INT8", "4", NULL, 4);
    build_tensor(&b, build_vector(&b, desc, 2, 1), "INT8", "4", NULL, 4);
    at = build_vector(&b, desc, 3, 4);
    build_attribute(&b, at, "ScaleBias", 0);
    build_value(&b, build_attribute(&b, at + 4, "MinMaxDataType", 3), TS_INT8);
    for (unsigned i = 0; i < 2; ++i) {
        const size_t a = build_attribute(&b, at + 8 + 4 * i, i ? "Max" : "Min", 12);
        const size_t data = build_sub(&b, build_field(&b, a, 2), 2);
        build_number(&b, data, 0, 1, 1);
        build_next(&b, build_field(&b, data, 1));
        build_at(&b, build_room(&b, 8), i ? 5 : 0xfe, 8); /* -2 to 5 */
    }
    assert_true(read_graph());
    assert_string_equal(seen.list[0].clauses, "");
}

/* Every byte may be anything: no read outside of the bytes, and an end. */
static void hostile_files_are_refused(void **state)
{
    (void)state;
    seen.options.go_on = true;
    const size_t first = build_graph(&b, 2, "x", "y");
    identity(first, 0, "one", "x", "m", "FLOAT32", "23", NULL, 24);
    identity(first, 1, "two", "m", "y", "FLOAT32", "23", NULL, 24);
    const built whole = b;
    for (size_t size = 0; size < whole.size; ++size) {
        unsigned char *exact = malloc(size ? size : 1); /* so that sanitizers see a read beyond */
        memcpy(exact, whole.bytes, size);
        if (read_bytes(exact, size))
            assert_true(size > whole.size / 2);
        else
            assert_int_equal(seen.e.status, EXIT_BAD_USAGE);
        free(exact);
    }
    for (size_t at = 0; at < whole.size; ++at) {
        static const unsigned char values[] = { 0, 1, 0x7f, 0x80, 0xff };
        for (size_t i = 0; i < sizeof values; ++i) {
            b = whole;
            b.bytes[at] = values[i];
            if (!read_graph())
                assert_int_equal(seen.e.status, EXIT_BAD_USAGE);
        }
    }
    b = whole;
    for (size_t at = 0; at + 3 < b.size; ++at)
        if (memcmp(b.bytes + at, "one", 4) == 0)
            b.bytes[at] = 0xc4;
    assert_false(read_graph());
    assert_non_null(strstr(seen.e.text, "a name that is not UTF-8"));
    assert_false(read_bytes("", 0));
    assert_string_equal(seen.e.text,
                        ": no serialized graph of DirectML (a FlatBuffer of DmlGraphDesc): byte 0: it ends "
                        "before the bytes that belong here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(edges_are_compared, reset),
        cmocka_unit_test_setup(edges_begin_somewhere, reset),
        cmocka_unit_test_setup(constants_are_long_enough, reset),
        cmocka_unit_test_setup(attributes_are_read, reset),
        cmocka_unit_test_setup(a_union_is_a_number_of_its_type, reset),
        cmocka_unit_test_setup(hostile_files_are_refused, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
