/* SPDX-License-Identifier: Apache-2.0 */
/* NonZero-3. */
#include "harness/model/value.h"
#include "reference/expect_clause.h"
#include "reference/openvino/non_zero_3.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { DATA, OUT };

static ts_descriptor make(uint32_t dtype, uint32_t rank, const uint64_t *sizes, uint32_t type)
{
    const ts_openvino_non_zero_3 a = { type };
    ts_descriptor d, shaped;
    operator_begin(&d, operators_find("openvino.non_zero_3"));
    tensor_init(&d.tensors[DATA], dtype, rank, sizes);
    shaped = d;
    assert_true(d.op->shape(&shaped));
    tensor_init(&d.tensors[OUT], type == TS_NON_ZERO_3_I32 ? TS_INT32 : TS_INT64, 2, shaped.tensors[OUT].sizes);
    memcpy(d.attrs, &a, sizeof a);
    d.attrs_given = TS_NON_ZERO_3_GIVEN_OUTPUT_TYPE;
    return d;
}

static ts_descriptor usual(void)
{
    return make(TS_FLOAT32, 2, SIZES(2, 3), TS_NON_ZERO_3_I64);
}

static void shapes_and_bytes(void **state)
{
    (void)state;
    ts_descriptor d = usual();
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_memory_equal(d.tensors[OUT].sizes, SIZES(2, 6), 16);
    d = make(TS_UINT8, 0, NULL, TS_NON_ZERO_3_I32);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_memory_equal(d.tensors[OUT].sizes, SIZES(0, 1), 16);
    d = make(TS_UINT8, 8, SIZES(1, 2, 1, 2, 1, 2, 1, 0), TS_NON_ZERO_3_I32);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_memory_equal(d.tensors[OUT].sizes, SIZES(8, 0), 16);
    for (unsigned k = DATA; k <= OUT; ++k) {
        d = usual();
        d.tensors[k].given = 0;
        expect_clause(&d, "NZ3-01", TS_RESULT_INVALID);
        d = usual();
        d.tensors[k].given &= ~(uint32_t)TS_GIVEN_SIZES;
        expect_clause(&d, "NZ3-01", TS_RESULT_INVALID);
        d = usual();
        d.tensors[k].total_bytes -= 1;
        expect_clause(&d, "NZ3-06", TS_RESULT_INVALID);
        d = usual();
        d.tensors[OUT].sizes[k] += 1;
        d.tensors[OUT].total_bytes = 1000;
        expect_clause(&d, "NZ3-07", TS_RESULT_INVALID);
        d = usual();
        d.tensors[OUT].given |= TS_GIVEN_STRIDES;
        expect_clause(&d, NULL, TS_RESULT_NONE);
        d.tensors[OUT].strides[k] += 1;
        d.tensors[OUT].total_bytes = 1000;
        expect_clause(&d, "NZ3-08", TS_RESULT_INVALID);
    }
    d = usual();
    d.tensors[OUT].rank = 3;
    expect_clause(&d, "NZ3-07", TS_RESULT_INVALID);
    d = usual();
    d.tensors[DATA].rank = 9;
    d.tensors[DATA].total_bytes = 1000;
    expect_clause(&d, "NZ3-02", TS_RESULT_UNSUPPORTED_FL);
    d = usual();
    d.tensors[DATA].sizes[0] = UINT64_C(1) << 63;
    memset(d.tensors[DATA].strides, 0, sizeof d.tensors[DATA].strides);
    expect_clause(&d, "NZ3-02", TS_RESULT_UNSUPPORTED_FL);
    d.tensors[DATA].sizes[0] = d.tensors[DATA].sizes[1] = UINT64_C(1) << 32;
    expect_clause(&d, "NZ3-02", TS_RESULT_UNSUPPORTED_FL);
    assert_false(d.op->shape(&d));
    d.tensors[DATA].sizes[1] = (UINT64_C(1) << 32) - 1;
    expect_clause(&d, "NZ3-07", TS_RESULT_INVALID); /* they are judged */
}

static void types(void **state)
{
    (void)state;
    ts_descriptor d = usual();
    d.attrs_given = 0;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    ((ts_openvino_non_zero_3 *)(void *)d.attrs)->output_type = TS_NON_ZERO_3_I32; /* absent all the same */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.attrs_given = TS_NON_ZERO_3_GIVEN_OUTPUT_TYPE;
    expect_clause(&d, "NZ3-05", TS_RESULT_INVALID);
    d.tensors[OUT].dtype = TS_INT32;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[OUT].dtype = TS_UINT32;
    expect_clause(&d, "NZ3-05", TS_RESULT_INVALID);
    d = usual();
    ((ts_openvino_non_zero_3 *)(void *)d.attrs)->output_type = 2;
    expect_clause(&d, "NZ3-04", TS_RESULT_INVALID);
    d = usual();
    d.tensors[DATA].dtype = TS_INT4; /* any type: a limit of ours */
    expect_clause(&d, "NZ3-03", TS_RESULT_UNSUPPORTED_FL);
    d = usual();
    d.tensors[OUT].dtype = TS_INT4;
    expect_clause(&d, "NZ3-05", TS_RESULT_INVALID);
}

/* Run the reference; what it reports and writes. */
static void expect_indices(const ts_descriptor *given, void *data, uint64_t found, const int64_t *expected)
{
    ts_descriptor d = *given;
    unsigned char out[1000];
    ts_shape shape = { .rank = TS_RANK_UNREPORTED };
    memset(out, 0x77, sizeof out);
    d.tensors[DATA].data = data;
    d.tensors[OUT].data = out;
    d.tensors[OUT].reported = &shape;
    d.op->run(&d, NULL);
    assert_int_equal(shape.rank, 2);
    assert_int_equal(shape.sizes[0], d.tensors[DATA].rank);
    assert_int_equal(shape.sizes[1], found);
    const ts_tensor result = operator_result(&d, OUT, &shape);
    const size_t bytes = tensor_element_bytes(result.dtype), count = shape.sizes[0] * found;
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(value_bits(result.dtype, out + i * bytes), expected[i]);
    for (size_t i = count * bytes; i < sizeof out; ++i)
        assert_int_equal(out[i], 0x77); /* what is behind the shape is not written */
    memset(out, 0x77, sizeof out);
    d.tensors[OUT].reported = NULL; /* nobody asks for the shape */
    d.op->run(&d, NULL);
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(value_bits(result.dtype, out + i * bytes), expected[i]);
}

/* The page's example, and the shapes at the borders. */
static void indices_of_small_tensors(void **state)
{
    (void)state;
    uint8_t page[] = { 1, 0, 1, 1 }, none[] = { 0, 0, 0, 0 }, three[] = { 0, 0, 5, 0, 0, 0, 0, 0, 0, 9, 0, 0 };
    for (uint32_t type = TS_NON_ZERO_3_I64; type <= TS_NON_ZERO_3_I32; ++type) {
        ts_descriptor d = make(TS_UINT8, 2, SIZES(2, 2), type);
        expect_indices(&d, page, 3, (const int64_t[]){ 0, 1, 1, 0, 0, 1 });
        expect_indices(&d, none, 0, NULL);
        d = make(TS_UINT8, 3, SIZES(2, 2, 3), type);
        expect_indices(&d, three, 2, (const int64_t[]){ 0, 1, 0, 1, 2, 0 });
        d = make(TS_UINT8, 0, NULL, type);
        expect_indices(&d, page, 1, NULL);
        expect_indices(&d, none, 0, NULL);
        d = make(TS_UINT8, 2, SIZES(0, 3), type);
        expect_indices(&d, NULL, 0, NULL);
        d = make(TS_UINT8, 2, SIZES(2, 2), type);
        d.tensors[DATA].strides[0] = 1; /* transposed */
        d.tensors[DATA].strides[1] = 2;
        expect_indices(&d, page, 3, (const int64_t[]){ 0, 0, 1, 0, 1, 1 });
    }
}

/* Both zeros of a float are zero, and nothing else is. */
static void what_is_zero(void **state)
{
    static const struct {
        uint32_t dtype;
        uint64_t bits;
        bool zero;
    } elements[] = {
        { TS_FLOAT32, 0, true },
        { TS_FLOAT32, 0x80000000, true },
        { TS_FLOAT32, 1, false },
        { TS_FLOAT32, 0x80000001, false },
        { TS_FLOAT32, 0x00800000, false },
        { TS_FLOAT32, 0x7FC00000, false },
        { TS_FLOAT32, 0xFF800000, false },
        { TS_FLOAT16, 0x8000, true },
        { TS_FLOAT16, 0x8001, false },
        { TS_FLOAT16, 0x0100, false },
        { TS_BFLOAT16, 0x8000, true },
        { TS_BFLOAT16, 0x0080, false },
        { TS_FLOAT64, UINT64_C(1) << 63, true },
        { TS_FLOAT64, 1, false },
        { TS_FLOAT64, UINT64_C(1) << 62, false },
        { TS_INT8, 0x80, false },
        { TS_UINT8, 0x80, false },
        { TS_INT16, 0x8000, false },
        { TS_INT32, 0x80000000, false },
        { TS_UINT32, 0x01000000, false },
        { TS_INT64, UINT64_C(1) << 63, false },
        { TS_UINT64, UINT64_C(1) << 32, false },
        { TS_BOOLEAN, 1, false },
        { TS_BOOLEAN, 0, true },
    };
    (void)state;
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; ++i) {
        unsigned char data[8];
        const ts_descriptor d = make(elements[i].dtype, 1, SIZES(1), TS_NON_ZERO_3_I64);
        value_store_bits(elements[i].dtype, data, elements[i].bits);
        expect_indices(&d, data, elements[i].zero ? 0 : 1, (const int64_t[]){ 0 });
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_and_bytes),
        cmocka_unit_test(types),
        cmocka_unit_test(indices_of_small_tensors),
        cmocka_unit_test(what_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
