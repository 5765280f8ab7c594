/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/strided_slice.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(...)        (sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))
#define SET(d, name, ...) set(d, name, COUNT(__VA_ARGS__), (const int64_t[]){ __VA_ARGS__ })
enum { DATA, OUT };

static ts_descriptor start(uint32_t dtype, uint32_t rank, const uint64_t *sizes)
{
    ts_descriptor d;
    operator_begin(&d, operators_find("openvino.strided_slice"));
    tensor_init(&d.tensors[DATA], dtype, rank, sizes);
    return d;
}

static void set(ts_descriptor *d, const char *name, size_t n, const int64_t *values)
{
    assert_true(operator_set_attr(d, (unsigned)operator_attr_index(d->op, name), values, n));
}

/* Set the output to what shape computes; false if it computes none. */
static bool finish(ts_descriptor *d)
{
    uint64_t sizes[TS_MAX_DIMS];
    ts_tensor *out = &d->tensors[OUT];
    if (!d->op->shape(d))
        return false;
    memcpy(sizes, out->sizes, sizeof sizes);
    tensor_init(out, d->tensors[DATA].dtype, out->rank, sizes);
    return true;
}

/* Assert the output's shape and, unless ids is NULL, the positions in data of the elements that output contains. */
static void expect_output(ts_descriptor *d, uint32_t rank, const uint64_t *sizes, const uint32_t *ids)
{
    uint32_t data[256], out[256];
    uint64_t count;
    assert_true(finish(d));
    expect_clause(d, NULL, TS_RESULT_NONE);
    assert_int_equal(d->tensors[OUT].rank, rank);
    for (uint32_t i = 0; i < rank; ++i)
        assert_int_equal(d->tensors[OUT].sizes[i], sizes[i]);
    assert_true(tensor_element_count(&d->tensors[OUT], &count));
    if (!ids)
        return;
    for (unsigned i = 0; i < 256; ++i) {
        data[i] = i;
        out[i] = 0xDEAD;
    }
    d->tensors[DATA].data = data;
    d->tensors[OUT].data = out;
    d->op->run(d, NULL);
    for (uint64_t i = 0; i < count; ++i)
        assert_int_equal(out[i], ids[i]);
    assert_int_equal(out[count], 0xDEAD);
}

#define IDS(...)                                                                                                       \
    (const uint32_t[])                                                                                                 \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* ---- the page's examples, with the errata's corrections ------------------------------------------------------- */

static void examples_of_the_page(void **state)
{
    (void)state;
    ts_descriptor d = start(TS_FLOAT32, 6, SIZES(4, 4, 4, 4, 4, 4)); /* E-SS-10: 3 elements, not 4 */
    SET(&d, "begin", 0, 1, 0, 1, 3, 3);
    SET(&d, "end", 4, 4, 4, 4, 0, 0);
    SET(&d, "stride", 1, 1, 2, 2, -1, -2);
    expect_output(&d, 6, SIZES(4, 3, 2, 2, 3, 2), NULL);

    d = start(TS_UINT32, 2, SIZES(2, 2)); /* E-SS-11: no element, not one */
    SET(&d, "begin", 1234, 2);
    SET(&d, "end", 1234, 4321);
    SET(&d, "stride", 1, -1);
    expect_output(&d, 2, SIZES(0, 0), IDS(0));

    d = start(TS_UINT32, 3, SIZES(2, 3, 4));
    SET(&d, "begin", 0, 0, 0);
    SET(&d, "end", 2, 2, -1);
    SET(&d, "stride", 1, 1, 1);
    expect_output(&d, 3, SIZES(2, 2, 3), IDS(0, 1, 2, 4, 5, 6, 12, 13, 14, 16, 17, 18));

    d = start(TS_UINT32, 3, SIZES(2, 3, 4)); /* E-SS-7: all four; masks of lengths 3, 3, 5, 2, 1 */
    SET(&d, "begin", 1, 1, 123);
    SET(&d, "end", 0, 0, 2);
    SET(&d, "stride", 1, 1, -1);
    SET(&d, "begin_mask", 0, 1, 1);
    SET(&d, "end_mask", 1, 1, 1);
    SET(&d, "new_axis_mask", 0, 0, 0, 0, 0);
    SET(&d, "shrink_axis_mask", 0, 0);
    SET(&d, "ellipsis_mask", 0);
    expect_output(&d, 3, SIZES(1, 3, 4), IDS(15, 14, 13, 12, 19, 18, 17, 16, 23, 22, 21, 20));

    d = start(TS_UINT32, 2, SIZES(2, 4));
    SET(&d, "begin", 1234, 0, -1, 0);
    SET(&d, "end", 1234, 2, 9876, 4);
    SET(&d, "stride", 132, 1, 241, 1);
    SET(&d, "new_axis_mask", 1, 0, 1, 0);
    expect_output(&d, 4, SIZES(1, 2, 1, 4), IDS(0, 1, 2, 3, 4, 5, 6, 7));

    d = start(TS_FLOAT16, 5, SIZES(1, 2, 384, 640, 8));
    SET(&d, "begin", 0, 0, 0, 0, 0);
    SET(&d, "end", 1, 0, 384, 640, 8);
    SET(&d, "shrink_axis_mask", 0, 1, 0, 0, 0);
    expect_output(&d, 4, SIZES(1, 384, 640, 8), NULL);

    for (uint32_t rank = 10; rank <= 12; rank += 2) { /* E-SS-13: the drawing has 12 dimensions, the text 10 */
        d = start(TS_UINT8, rank, SIZES(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10));
        SET(&d, "begin", 0, 0, 0);
        SET(&d, "end", 4, 0, 5);
        SET(&d, "stride", 1, -1, 1);
        SET(&d, "ellipsis_mask", 0, 1, 0);
        expect_output(&d, rank,
                      rank == 10 ? SIZES(4, 10, 10, 10, 10, 10, 10, 10, 10, 5)
                                 : SIZES(4, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 5),
                      NULL);
    }

    d = start(TS_UINT8, 10, SIZES(10, 10, 10, 10, 10, 10, 10, 10, 10, 10)); /* E-SS-14 */
    SET(&d, "begin", 2, 1, 10, 10);
    SET(&d, "end", 123, 1, 10, 5);
    SET(&d, "stride", 1, -1, 1, 1);
    SET(&d, "begin_mask", 0, 0, 1, 1);
    SET(&d, "end_mask", 1, 1, 0, 0);
    SET(&d, "new_axis_mask", 0, 0, 1);
    SET(&d, "shrink_axis_mask", 0);
    SET(&d, "ellipsis_mask", 0, 1);
    expect_output(&d, 11, SIZES(8, 10, 10, 10, 10, 10, 10, 10, 10, 1, 5), NULL);
}

/* ---- what implementations do differently, as the errata's table B.6 numbers it, by our decisions ------------------
 */

static ts_descriptor one_dim(uint64_t size, int64_t begin, int64_t end, int64_t stride)
{
    ts_descriptor d = start(TS_UINT32, 1, &size);
    SET(&d, "begin", begin);
    SET(&d, "end", end);
    SET(&d, "stride", stride);
    return d;
}

static ts_descriptor two_dims(void)
{
    ts_descriptor d = start(TS_UINT32, 2, SIZES(2, 3));
    SET(&d, "begin", 0, 0);
    SET(&d, "end", 0, 2);
    return d;
}

static void decisions(void **state)
{
    (void)state;
    ts_descriptor d = one_dim(4, 1, 1, 1); /* 1: begin == end is empty */
    expect_output(&d, 1, SIZES(0), IDS(0));
    d = one_dim(2, 1234, 1234, 1); /* 2 */
    expect_output(&d, 1, SIZES(0), IDS(0));
    d = one_dim(4, 3, 2, -1); /* 3: a masked end includes element 0 */
    SET(&d, "end_mask", 1);
    expect_output(&d, 1, SIZES(4), IDS(3, 2, 1, 0));
    d = one_dim(4, 1, 3, 1); /* 4: shrink ignores end */
    SET(&d, "shrink_axis_mask", 1);
    expect_output(&d, 0, NULL, IDS(1));
    d = start(TS_UINT32, 2, SIZES(2, 3)); /* 5: masks of any length */
    SET(&d, "begin", 1, 1);
    SET(&d, "end", 1, 2);
    SET(&d, "begin_mask", 1, 0);
    SET(&d, "end_mask", 1);
    expect_output(&d, 2, SIZES(2, 1), IDS(1, 4));
    d = one_dim(4, -9, -9, -1); /* 6: E-SS-6, where the profiles differ */
    expect_output(&d, 1, SIZES(1), IDS(0));
    d.profile = TS_PROFILE_NUMPY;
    expect_output(&d, 1, SIZES(0), IDS(0));
    d = one_dim(3, 0, 0, 1); /* 7: the ellipsis precedes the new axis */
    SET(&d, "new_axis_mask", 1);
    SET(&d, "ellipsis_mask", 1);
    expect_output(&d, 1, SIZES(3), IDS(0, 1, 2));
    d = two_dims(); /* 8: and precedes the shrink */
    SET(&d, "ellipsis_mask", 1, 0);
    SET(&d, "shrink_axis_mask", 1, 0);
    expect_output(&d, 2, SIZES(2, 2), IDS(0, 1, 3, 4));
    d = one_dim(0, 0, -1, -1); /* 9: a dimension of 0 has no elements */
    expect_output(&d, 1, SIZES(0), IDS(0));
    d = start(TS_UINT32, 2, SIZES(2, 3)); /* 10: the new axis precedes the shrink */
    SET(&d, "begin", 0);
    SET(&d, "end", 0);
    SET(&d, "new_axis_mask", 1);
    SET(&d, "shrink_axis_mask", 1);
    expect_output(&d, 3, SIZES(1, 2, 3), IDS(0, 1, 2, 3, 4, 5));
    d = one_dim(4, 7, 0, 1); /* 11: a shrink is not clamped */
    SET(&d, "shrink_axis_mask", 1);
    assert_false(finish(&d));
    SET(&d, "begin", -7);
    assert_false(finish(&d));
    d = one_dim(4, 2, 0, 1); /* 12: shrink ignores begin_mask */
    SET(&d, "shrink_axis_mask", 1);
    SET(&d, "begin_mask", 1);
    expect_output(&d, 0, NULL, IDS(2));
    d = start(TS_UINT32, 2, SIZES(2, 3)); /* 13: bits past begin's length are ignored */
    SET(&d, "begin", 0);
    SET(&d, "end", 1);
    SET(&d, "new_axis_mask", 0, 1);
    expect_output(&d, 2, SIZES(1, 3), IDS(0, 1, 2));
}

/* SS-13: extreme values do not overflow, in either profile. */
static void extremes(void **state)
{
    (void)state;
    for (uint32_t profile = 0; profile < 2; ++profile) {
        ts_descriptor d = one_dim(4, INT64_MIN, INT64_MAX, 1);
        d.profile = profile;
        expect_output(&d, 1, SIZES(4), IDS(0, 1, 2, 3));
        d = one_dim(4, INT64_MAX, INT64_MIN, -1);
        expect_output(&d, 1, SIZES(4), IDS(3, 2, 1, 0));
        d = one_dim(4, INT64_MAX, INT64_MIN, INT64_MIN);
        expect_output(&d, 1, SIZES(1), IDS(3));
        d = one_dim(4, 1, INT64_MAX, INT64_MAX);
        expect_output(&d, 1, SIZES(1), IDS(1));
        d = one_dim(INT64_MAX, INT64_MIN, INT64_MAX, INT64_MAX - 1);
        assert_true(d.op->shape(&d));
        assert_int_equal(d.tensors[OUT].sizes[0], 2);
        d = one_dim(INT64_MAX, -1, INT64_MIN, INT64_MIN + 2);
        assert_true(d.op->shape(&d));
        assert_int_equal(d.tensors[OUT].sizes[0], 2); /* the last and the first */
    }
}

/* ---- clauses ---------------------------------------------------------------------------------------------------- */

static ts_descriptor legal(void)
{
    ts_descriptor d = two_dims();
    SET(&d, "end", 2, 2);
    SET(&d, "stride", 1, 1);
    assert_true(finish(&d));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    return d;
}

static void check_reports_each_clause(void **state)
{
    (void)state;
    static const char *const masks[] = { "begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask",
                                         "ellipsis_mask" };
    ts_descriptor d = legal();
    SET(&d, "end", 2);
    expect_clause(&d, "SS-01", TS_RESULT_INVALID);
    d = legal();
    SET(&d, "stride", 1, 1, 1);
    expect_clause(&d, "SS-01", TS_RESULT_INVALID);
    d.attrs_given &= ~4u; /* absent: all 1 */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.attrs_given &= ~1u;
    expect_clause(&d, "SS-01", TS_RESULT_INVALID);
    d = legal();
    memset(&d.tensors[OUT], 0, sizeof d.tensors[OUT]);
    expect_clause(&d, "SS-01", TS_RESULT_INVALID);
    for (unsigned k = 0; k < 5; ++k) {
        d = legal();
        SET(&d, masks[k], 0, 2);
        expect_clause(&d, "SS-02", TS_RESULT_INVALID);
    }
    d = legal();
    SET(&d, "ellipsis_mask", 1, 1);
    expect_clause(&d, "SS-04", TS_RESULT_INVALID);
    SET(&d, "ellipsis_mask", 0, 0, 1, 1); /* beyond M */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d = legal();
    SET(&d, "begin", 0, 0, 0);
    SET(&d, "end", 2, 2, 2);
    SET(&d, "stride", 1, 1, 1);
    expect_clause(&d, "SS-06", TS_RESULT_INVALID);
    SET(&d, "new_axis_mask", 0, 0, 1);
    tensor_init(&d.tensors[OUT], TS_UINT32, 3, SIZES(2, 2, 1));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    SET(&d, "stride", 1, 1, 0); /* a new axis ignores it: SS-08 */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d = legal();
    SET(&d, "shrink_axis_mask", 1);
    tensor_init(&d.tensors[OUT], TS_UINT32, 1, SIZES(2));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    SET(&d, "begin", 2, 0);
    expect_clause(&d, "SS-09", TS_RESULT_INVALID);
    SET(&d, "begin", INT64_MIN, 0);
    expect_clause(&d, "SS-09", TS_RESULT_INVALID);
    d = legal();
    SET(&d, "stride", 0, 1);
    expect_clause(&d, "SS-10", TS_RESULT_INVALID);
    assert_false(d.op->shape(&d));
    d = legal();
    tensor_init(&d.tensors[OUT], TS_UINT32, 2, SIZES(2, 3));
    expect_clause(&d, "SS-12", TS_RESULT_INVALID);
    tensor_init(&d.tensors[OUT], TS_UINT32, 1, SIZES(4));
    expect_clause(&d, "SS-12", TS_RESULT_INVALID);
    d = legal();
    d.tensors[OUT].dtype = TS_FLOAT32;
    expect_clause(&d, "SS-14", TS_RESULT_INVALID);
    d = legal();
    d.tensors[DATA].dtype = d.tensors[OUT].dtype = TS_UINT4; /* any type: a limit of ours */
    expect_clause(&d, "SS-14", TS_RESULT_UNSUPPORTED_FL);
    d = legal();
    d.tensors[DATA].total_bytes -= 1;
    expect_clause(&d, "SS-14", TS_RESULT_INVALID);
    d = start(TS_UINT8, 1, SIZES(3));
    SET(&d, "begin", 0);
    SET(&d, "end", 3);
    assert_true(finish(&d));
    d.tensors[DATA].total_bytes = 3; /* no rounding to 4 here */
    expect_clause(&d, NULL, TS_RESULT_NONE);
}

static void oversized_descriptors_are_unsupported(void **state)
{
    (void)state;
    ts_descriptor d = legal();
    tensor_init(&d.tensors[DATA], TS_UINT32, 13, SIZES(2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
    expect_clause(&d, "SS-14", TS_RESULT_UNSUPPORTED_FL);
    d.tensors[DATA].rank = UINT32_MAX;
    expect_clause(&d, "SS-14", TS_RESULT_UNSUPPORTED_FL);
    d = legal();
    ts_openvino_strided_slice *a = (ts_openvino_strided_slice *)(void *)d.attrs;
    a->begin_count = a->end_count = a->stride_count = 4000000000;
    expect_clause(&d, "SS-14", TS_RESULT_UNSUPPORTED_FL);
    d = start(TS_UINT8, 12, SIZES(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
    SET(&d, "begin", 0, 0, 0, 0, 0);
    SET(&d, "end", 0, 0, 0, 0, 0);
    SET(&d, "new_axis_mask", 1, 1, 1, 1, 1);
    tensor_init(&d.tensors[OUT], TS_UINT8, 16, SIZES(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
    expect_clause(&d, "SS-14", TS_RESULT_UNSUPPORTED_FL);
}

static void violations_name_their_step(void **state)
{
    (void)state;
    ts_descriptor d = start(TS_UINT32, 3, SIZES(2, 3, 4));
    SET(&d, "begin", 5, 0, 0);
    SET(&d, "end", 0, 2, 4);
    SET(&d, "stride", 1, 0, 1);
    SET(&d, "shrink_axis_mask", 1);
    tensor_init(&d.tensors[OUT], TS_UINT32, 2, SIZES(9, 3)); /* dimension 0 is unknown; dimension 1 should be 4 */
    ts_report report = { 0 };
    operator_check(&d, &report);
    assert_int_equal(report.count, 3);
    assert_string_equal(report.items[0].clause, "SS-09");
    assert_int_equal(report.items[0].axis, 0);
    assert_string_equal(report.items[1].clause, "SS-10");
    assert_int_equal(report.items[1].axis, 1);
    assert_string_equal(report.items[2].clause, "SS-12");
    assert_int_equal(report.items[2].axis, 1);
}

static void layouts_change_addresses_only(void **state)
{
    (void)state;
    uint16_t data[64], out[64];
    ts_descriptor d = start(TS_BFLOAT16, 2, SIZES(3, 4));
    SET(&d, "begin", 2, 0);
    SET(&d, "end", 0, 4);
    SET(&d, "stride", -1, 3);
    assert_true(finish(&d));
    memcpy(d.tensors[DATA].strides, SIZES(2, 9), 16);
    memcpy(d.tensors[OUT].strides, SIZES(1, 5), 16);
    d.tensors[DATA].total_bytes = d.tensors[OUT].total_bytes = sizeof data;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    for (uint16_t i = 0; i < 64; ++i) {
        data[i] = i;
        out[i] = 0xDEAD;
    }
    d.tensors[DATA].data = data;
    d.tensors[OUT].data = out;
    d.op->run(&d, NULL);
    for (unsigned i = 0; i < 64; ++i)
        assert_int_equal(out[i], i == 0 ? 4 : i == 1 ? 2 : i == 5 ? 31 : i == 6 ? 29 : 0xDEAD);
}

/* ---- a second oracle -------------------------------------------------------------------------------------------- */

/* NumPy's way: every step becomes an index or a list of indices per dimension of data, written out one by one, and
   the output is their product. It shares no arithmetic with the reference. */
typedef struct oracle {
    bool valid;
    uint32_t dims;     /* of data */
    unsigned count[8]; /* indices taken in each */
    int64_t taken[8][16];
    uint32_t rank; /* of the output */
    uint64_t sizes[TS_MAX_DIMS];
} oracle;

/* The indices of Python's slice(begin, end, step).indices(d); a masked bound is None. */
static unsigned slice_indices(int64_t d, bool has_begin, int64_t begin, bool has_end, int64_t end, int64_t step,
                              bool numpy, int64_t *taken)
{
    int64_t i, stop;
    unsigned n = 0;
    if (step > 0) {
        i = !has_begin ? 0 : begin >= d ? d : begin >= 0 ? begin : begin >= -d ? begin + d : 0;
        stop = !has_end || end >= d ? d : end >= 0 ? end : end >= -d ? end + d : 0;
    } else {
        i = !has_begin || begin >= d ? d - 1 : begin >= 0 ? begin : begin >= -d ? begin + d : numpy ? -1 : 0;
        stop = !has_end ? -1 : end >= d ? d - 1 : end >= 0 ? end : end >= -d ? end + d : -1;
    }
    if (d == 0)
        return 0;
    while (step > 0 ? i < stop : i > stop) {
        taken[n++] = i;
        if (step > 16 || step < -16)
            break; /* larger than any dimension of this test */
        i += step;
    }
    return n;
}

static bool bit(const ts_descriptor *d, const char *mask, unsigned i)
{
    return operator_attr_value(d, (unsigned)operator_attr_index(d->op, mask), i) != 0;
}

static oracle consult(const ts_descriptor *d)
{
    oracle o = { .valid = true, .dims = d->tensors[DATA].rank };
    uint32_t m = operator_attr_count(d, 0), consumed = 0, j = 0;
    bool seen = false;
    for (uint32_t i = 0; i < m; ++i)
        consumed += !bit(d, "ellipsis_mask", i) && !bit(d, "new_axis_mask", i);
    o.valid = consumed <= o.dims;
    for (uint32_t i = 0; i <= m && o.valid; ++i) {
        if (i < m ? bit(d, "ellipsis_mask", i) : !seen) {
            o.valid = !seen;
            seen = true;
            for (uint32_t k = consumed; k < o.dims; ++k, ++j) {
                o.count[j] = (unsigned)d->tensors[DATA].sizes[j];
                for (unsigned t = 0; t < o.count[j]; ++t)
                    o.taken[j][t] = t;
                o.sizes[o.rank++] = o.count[j];
            }
        } else if (i < m && bit(d, "new_axis_mask", i)) {
            o.sizes[o.rank++] = 1;
        } else if (i < m) {
            int64_t size = (int64_t)d->tensors[DATA].sizes[j], begin = operator_attr_value(d, 0, i);
            int64_t end = operator_attr_value(d, 1, i), stride = operator_attr_value(d, 2, i);
            if (bit(d, "shrink_axis_mask", i)) {
                o.valid = begin >= 0 ? begin < size : begin >= -size;
                o.count[j] = 1;
                o.taken[j][0] = o.valid && begin < 0 ? begin + size : begin;
            } else if (stride == 0) {
                o.valid = false;
            } else {
                o.count[j] = slice_indices(size, !bit(d, "begin_mask", i), begin, !bit(d, "end_mask", i), end, stride,
                                           d->profile == TS_PROFILE_NUMPY, o.taken[j]);
                o.sizes[o.rank++] = o.count[j];
            }
            ++j;
        }
    }
    return o;
}

/* The product of all lists from dimension j on, appended to ids. */
static void enumerate(const oracle *o, const ts_tensor *data, uint32_t j, uint64_t offset, uint32_t *ids, unsigned *n)
{
    if (j == o->dims) {
        ids[(*n)++] = (uint32_t)offset;
        return;
    }
    for (unsigned t = 0; t < o->count[j]; ++t)
        enumerate(o, data, j + 1, offset + (uint64_t)o->taken[j][t] * data->strides[j], ids, n);
}

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

static void random_cases_agree_with_the_oracle(void **state)
{
    (void)state;
    static const char *const masks[] = { "begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask",
                                         "ellipsis_mask" };
    static const uint32_t rarity[] = { 4, 4, 8, 8, 10 };
    uint64_t seed = 2024;
    unsigned valid = 0, empty = 0, split = 0;
    uint32_t data[1024];
    for (uint32_t i = 0; i < 1024; ++i)
        data[i] = i;
    for (unsigned n = 0; n < 100000; ++n) {
        uint64_t sizes[4];
        uint32_t rank = 1 + draw(&seed, 4), m = draw(&seed, rank + 2);
        for (uint32_t i = 0; i < 4; ++i)
            sizes[i] = draw(&seed, 12) ? 1 + draw(&seed, 5) : 0;
        ts_descriptor d = start(TS_UINT32, rank, sizes);
        int64_t values[3][8];
        for (uint32_t i = 0; i < m; ++i) {
            for (unsigned k = 0; k < 2; ++k) {
                values[k][i] = (int64_t)draw(&seed, 15) - 7;
                if (draw(&seed, 12) == 0)
                    values[k][i] = draw(&seed, 2) ? INT64_MAX : INT64_MIN;
            }
            values[2][i] = (draw(&seed, 2) ? 1 : -1) * (int64_t)(1 + draw(&seed, 3));
            if (draw(&seed, 20) == 0)
                values[2][i] = (const int64_t[]){ 0, INT64_MIN, INT64_MAX }[draw(&seed, 3)];
        }
        set(&d, "begin", m, values[0]);
        set(&d, "end", m, values[1]);
        if (draw(&seed, 4))
            set(&d, "stride", m, values[2]);
        for (unsigned k = 0; k < 5; ++k) {
            int64_t mask[8];
            for (uint32_t i = 0; i < 8; ++i)
                mask[i] = draw(&seed, rarity[k]) == 0;
            if (draw(&seed, 3))
                set(&d, masks[k], draw(&seed, 9), mask);
        }
        uint64_t wide[2] = { 0, 0 };
        for (uint32_t profile = 0; profile < 2; ++profile) {
            uint32_t out[1024], ids[1024];
            unsigned count = 0;
            d.profile = profile;
            oracle o = consult(&d);
            assert_int_equal(finish(&d), o.valid);
            if (!o.valid) {
                ts_report report = { 0 };
                tensor_init(&d.tensors[OUT], TS_UINT32, 1, SIZES(1));
                operator_check(&d, &report);
                assert_true(report.worst == TS_RESULT_INVALID || report.worst == TS_RESULT_OPEN); /* SS-09 */
                continue;
            }
            expect_clause(&d, NULL, TS_RESULT_NONE);
            assert_int_equal(d.tensors[OUT].rank, o.rank);
            assert_memory_equal(d.tensors[OUT].sizes, o.sizes, o.rank * sizeof o.sizes[0]);
            enumerate(&o, &d.tensors[DATA], 0, 0, ids, &count);
            d.tensors[DATA].data = data;
            d.tensors[OUT].data = out;
            d.op->run(&d, NULL);
            assert_memory_equal(out, ids, count * sizeof *out);
            wide[profile] = count;
            valid++;
            empty += count == 0;
        }
        split += wide[0] != wide[1];
    }
    assert_true(valid > 100000 && valid - empty > 50000 && empty > 1000 &&
                split > 1000); /* the random cases reach all kinds */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_the_page),
        cmocka_unit_test(decisions),
        cmocka_unit_test(extremes),
        cmocka_unit_test(check_reports_each_clause),
        cmocka_unit_test(oversized_descriptors_are_unsupported),
        cmocka_unit_test(violations_name_their_step),
        cmocka_unit_test(layouts_change_addresses_only),
        cmocka_unit_test(random_cases_agree_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
