/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/expect_clause.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { DATA, INDICES, UPDATES, OUT };

static ts_descriptor make(const char *op, uint32_t rank, const uint64_t *sizes, uint32_t index_type,
                          uint32_t index_rank, const uint64_t *index_sizes, uint32_t up_rank, const uint64_t *up_sizes,
                          int64_t axis)
{
    ts_descriptor d;
    operator_begin(&d, operators_find(op));
    if (d.op->attr_count)
        operator_set_attr(&d, 0, &axis, 1);
    tensor_init(&d.tensors[DATA], TS_UINT8, rank, sizes);
    tensor_init(&d.tensors[INDICES], index_type, index_rank, index_sizes);
    tensor_init(&d.tensors[UPDATES], TS_UINT8, up_rank, up_sizes);
    tensor_init(&d.tensors[OUT], TS_UINT8, rank, sizes);
    return d;
}

/* Run on data 1, 2, ... and updates 11, 12, ...; *open has marks of the first 8 elements. */
static void run(ts_descriptor *d, const void *indices, uint8_t out[8], uint8_t map[8], ts_unspecified *open)
{
    static uint8_t data[] = { 1, 2, 3, 4, 5, 6, 7, 8 }, updates[] = { 11, 12, 13, 14, 15, 16, 17, 18 };
    ts_marks marks[TS_MAX_TENSORS] = { [OUT] = { map, 8 } };
    memset(map, 0, 8);
    d->tensors[DATA].data = data;
    d->tensors[UPDATES].data = updates;
    d->tensors[INDICES].data = (void *)(uintptr_t)indices;
    d->tensors[OUT].data = out;
    *open = (ts_unspecified){ .marks = marks };
    d->op->run(d, open);
    open->marks = NULL;
}

static void each_operator_places_its_updates(void **state)
{
    (void)state;
    uint8_t out[8], map[8];
    ts_unspecified open;
    ts_descriptor d = make("openvino.scatter_nd_update_3", 2, SIZES(2, 3), TS_INT32, 2, SIZES(2, 2), 1, SIZES(2), 0);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    run(&d, (const int32_t[]){ 1, 0, 0, 2 }, out, map, &open);
    assert_memory_equal(out, ((uint8_t[]){ 1, 2, 12, 11, 5, 6 }), 6);
    d = make("openvino.scatter_elements_update_3", 2, SIZES(2, 3), TS_UINT8, 2, SIZES(1, 2), 2, SIZES(1, 2), -2);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    run(&d, (const uint8_t[]){ 1, 0 }, out, map, &open);
    assert_memory_equal(out, ((uint8_t[]){ 1, 12, 3, 11, 5, 6 }), 6);
    d = make("openvino.scatter_update", 2, SIZES(2, 3), TS_INT64, 2, SIZES(1, 2), 3, SIZES(2, 1, 2), 1);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    run(&d, (const int64_t[]){ 2, 0 }, out, map, &open);
    assert_memory_equal(out, ((uint8_t[]){ 12, 2, 11, 14, 5, 13 }), 6);
    assert_false(open.may_fail);
    assert_int_equal(open.count + open.several, 0);
}

/* A row on which two updates fall has the values of either. */
static void several_updates_are_several_answers(void **state)
{
    (void)state;
    uint8_t out[8], map[8];
    ts_unspecified open;
    ts_descriptor d = make("openvino.scatter_update", 2, SIZES(3, 2), TS_INT32, 1, SIZES(3), 2, SIZES(3, 2), 0);
    run(&d, (const int32_t[]){ 1, 0, 1 }, out, map, &open);
    assert_memory_equal(out, ((uint8_t[]){ 13, 14, 15, 16, 5, 6 }), 6);
    assert_memory_equal(map, ((uint8_t[]){ 0, 0, TS_SEVERAL, TS_SEVERAL, 0, 0 }), 6);
    for (unsigned asked = 0; asked < 20; ++asked) {
        uint64_t coord[TS_MAX_DIMS] = { 1, 1 };
        ts_answers answers = { .asked = asked };
        d.op->answers(&d, OUT, coord, &answers);
        assert_int_equal(answers.count, 2);
        assert_int_equal(answers.allowed, asked == 12 || asked == 16);
    }
}

/* ScatterNDUpdate-3 calls the result undefined where tuples are equal: any value will do there (SN3-09). */
static void equal_tuples_leave_elements_undefined(void **state)
{
    (void)state;
    uint8_t out[8], map[8];
    ts_unspecified open;
    ts_descriptor d = make("openvino.scatter_nd_update_3", 1, SIZES(3), TS_INT32, 2, SIZES(3, 1), 1, SIZES(3), 0);
    run(&d, (const int32_t[]){ 1, 0, 1 }, out, map, &open);
    assert_memory_equal(map, ((uint8_t[]){ 0, TS_SEVERAL, 0 }), 3);
    assert_null(d.op->accepts_several);
    for (unsigned asked = 0; asked < 20; ++asked) {
        uint64_t coord[TS_MAX_DIMS] = { 1 };
        ts_answers answers = { .asked = asked };
        d.op->answers(&d, OUT, coord, &answers);
        assert_true(answers.allowed);
    }
}

/* No page says whether boolean is a numeric type. */
static void boolean_is_open(void **state)
{
    (void)state;
    static const char *const clauses[][2] = { { "openvino.scatter_nd_update_3", "SN3-15" },
                                              { "openvino.scatter_elements_update_3", "SE3-15" },
                                              { "openvino.scatter_update", "SU3-15" } };
    for (unsigned i = 0; i < 3; ++i) {
        ts_descriptor d = i ? make(clauses[i][0], 1, SIZES(3), TS_INT32, 1, SIZES(2), 1, SIZES(2), 0)
                            : make(clauses[i][0], 1, SIZES(3), TS_INT32, 2, SIZES(2, 1), 1, SIZES(2), 0);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        d.tensors[0].dtype = d.tensors[2].dtype = d.tensors[OUT].dtype = TS_BOOLEAN;
        expect_clause(&d, clauses[i][1], TS_RESULT_INVALID); /* where decisions bind */
    }
}

/* Indices of each type at the ends of a dimension of 3 elements and beyond. */
static void indices_of_every_type(void **state)
{
    (void)state;
    static const struct {
        uint32_t dtype;
        uint64_t bits;
        int at; /* -1: beyond */
    } cases[] = {
        { TS_UINT8, 2, 2 },
        { TS_UINT8, 3, -1 },
        { TS_UINT8, 0xFF, -1 },
        { TS_INT8, 2, 2 },
        { TS_INT8, 0xFF, -1 },
        { TS_INT8, 0x80, -1 },
        { TS_UINT16, 2, 2 },
        { TS_UINT16, 0xFFFF, -1 },
        { TS_INT16, 2, 2 },
        { TS_INT16, 0xFFFF, -1 },
        { TS_INT16, 3, -1 },
        { TS_UINT32, 2, 2 },
        { TS_UINT32, 3, -1 },
        { TS_INT32, 2, 2 },
        { TS_INT32, 0xFFFFFFFF, -1 },
        { TS_INT64, 2, 2 },
        { TS_INT64, 3, -1 },
        { TS_INT64, UINT64_MAX, -1 },
        { TS_UINT64, UINT64_MAX, -1 },
        { TS_UINT64, 2, 2 },
        { TS_INT64, (UINT64_C(1) << 32) + 1, -1 },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint8_t out[8], map[8];
        ts_unspecified open;
        ts_descriptor d =
            make("openvino.scatter_elements_update_3", 1, SIZES(3), cases[i].dtype, 1, SIZES(1), 1, SIZES(1), 0);
        run(&d, &cases[i].bits, out, map, &open);
        assert_int_equal(open.may_fail, cases[i].at < 0);
        assert_int_equal(open.count, cases[i].at < 0 ? 3 : 0);
        for (int k = 0; k < 3; ++k)
            assert_int_equal(out[k], k == cases[i].at ? 11 : k + 1);
    }
}

static void check_reports_each_clause(void **state)
{
    (void)state;
    ts_descriptor d = make("openvino.scatter_nd_update_3", 1, SIZES(3), TS_INT32, 1, SIZES(1), 2, SIZES(1, 1), 0);
    expect_clause(&d, NULL, TS_RESULT_NONE); /* a single element in two dimensions */
    d = make("openvino.scatter_nd_update_3", 1, SIZES(3), TS_INT32, 1, SIZES(1), 1, SIZES(2), 0);
    expect_clause(&d, "SN3-07", TS_RESULT_INVALID);
    d = make("openvino.scatter_nd_update_3", 1, SIZES(3), TS_INT32, 1, SIZES(2), 0, SIZES(1), 0);
    expect_clause(&d, "SN3-13", TS_RESULT_INVALID);
    d = make("openvino.scatter_nd_update_3", 1, SIZES(3), TS_UINT32, 1, SIZES(1), 0, SIZES(1), 0);
    expect_clause(&d, "SN3-04", TS_RESULT_INVALID);
    d = make("openvino.scatter_update", 1, SIZES(3), TS_INT32, 0, SIZES(1), 1, SIZES(1), 0);
    expect_clause(&d, "SU3-07", TS_RESULT_INVALID); /* only tuples may have a single element in other dimensions */
    d = make("openvino.scatter_update", 1, SIZES(3), TS_INT32, 1, SIZES(1), 1, SIZES(1), 1);
    expect_clause(&d, "SU3-13", TS_RESULT_INVALID);
    d = make("openvino.scatter_elements_update_3", 1, SIZES(3), TS_INT32, 1, SIZES(4), 1, SIZES(4), 0);
    expect_clause(&d, "SE3-14", TS_RESULT_INVALID);
    d = make("openvino.scatter_elements_update_3", 1, SIZES(3), TS_INT32, 1, SIZES(3), 1, SIZES(2), 0);
    expect_clause(&d, "SE3-07", TS_RESULT_INVALID);
    d = make("openvino.scatter_elements_update_3", 1, SIZES(3), TS_INT32, 1, SIZES(2), 1, SIZES(2), -1);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    tensor_init(&d.tensors[OUT], TS_UINT8, 1, SIZES(2));
    expect_clause(&d, "SE3-06", TS_RESULT_INVALID);
    tensor_init(&d.tensors[OUT], TS_INT8, 1, SIZES(3));
    expect_clause(&d, "SE3-03", TS_RESULT_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operator_places_its_updates),
        cmocka_unit_test(several_updates_are_several_answers),
        cmocka_unit_test(equal_tuples_leave_elements_undefined),
        cmocka_unit_test(boolean_is_open),
        cmocka_unit_test(indices_of_every_type),
        cmocka_unit_test(check_reports_each_clause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
