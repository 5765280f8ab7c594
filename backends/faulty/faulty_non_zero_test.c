/* SPDX-License-Identifier: Apache-2.0 */
/* Each fault that NonZero-3 has alone is real: a smallest call made by hand shows it. README.md has a table of them. */
#include "backends/backend_testing.h"
#include "harness/model/operator.h"
#include "reference/openvino/non_zero_3.h"
#include "reference/operators.h"

#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define OPERATOR "openvino.non_zero_3"

static const ts_backend *backend;

static int load(void **state)
{
    (void)state;
    backend = TESTING_BACKEND("faulty");
    return backend ? 0 : -1;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

typedef struct made_search {
    const char *fault;
    uint32_t dtype; /* 0: UINT8 */
    uint32_t rank;
    uint64_t size[2], in[2];          /* strides; those of `in` count if `strided` */
    uint64_t bits[2];                 /* of the elements in memory, in turn, if `filled`; else each is 1 */
    uint32_t output_type, out_type;   /* 0: i64, INT64 */
    uint64_t pitch;                   /* of the output's rows; 0: it is packed */
    bool strided, filled;             /* */
    const struct made_search *before; /* a call before */
} made_search;

static const made_search calls[] = {
    { "zero-signed", TS_FLOAT32, 1, { 1 }, .filled = true, .bits = { 0x80000000, 0 } },
    { "zero-denormal", TS_FLOAT32, 1, { 1 }, .filled = true, .bits = { 1 } },
    { "zero-nan", TS_FLOAT16, 1, { 1 }, .filled = true, .bits = { 0x7C01 } },
    { "zero-negative", TS_FLOAT64, 1, { 1 }, .filled = true, .bits = { UINT64_C(0xBFF0000000000000) } },
    { "zero-fraction", TS_BFLOAT16, 1, { 1 }, .filled = true, .bits = { 0x3F00 } },
    { "zero-single", TS_FLOAT64, 1, { 1 }, .filled = true, .bits = { 1 } },
    { "zero-low-bit", TS_INT8, 1, { 1 }, .filled = true, .bits = { 2 } },
    { "zero-low-byte", TS_INT16, 1, { 1 }, .filled = true, .bits = { 256 } },
    { "zero-low-half", TS_UINT32, 1, { 1 }, .filled = true, .bits = { 65536 } },
    { "zero-low-word", TS_UINT64, 1, { 1 }, .filled = true, .bits = { UINT64_C(1) << 32 } },
    { "found-column-major", .rank = 2, .size = { 2, 2 } },
    { "found-reversed", .rank = 2, .size = { 1, 2 } },
    { "found-one-based", .rank = 1, .size = { 1 } },
    { "found-numbers", .rank = 2, .size = { 2, 1 } },
    { "found-transposed", .rank = 2, .size = { 1, 3 } },
    { "found-interleaved", .rank = 2, .size = { 2, 1 } },
    { "found-tail", .rank = 1, .size = { 5 } },
    { "found-group-end", .rank = 1, .size = { 256 } },
    { "found-group-order", .rank = 1, .size = { 257 } },
    { "found-division", .rank = 2, .size = { 2, 41 } },
    { "found-packed", .rank = 1, .size = { 2 }, .in = { 2 }, .strided = true, .filled = true, .bits = { 1, 0 } },
    { "found-broadcast", .rank = 1, .size = { 2 }, .strided = true },
    { "found-index-16", .rank = 1, .size = { 65537 } },
    { "found-row", .rank = 1, .size = { 2 }, .filled = true, .bits = { 0, 1 } },
    { "found-full-group", .rank = 1, .size = { 256 } },
    { "found-first-block", .rank = 1, .size = { 1025 } },
    { "found-count-16", .rank = 1, .size = { 65536 } },
    { "found-kept", .rank = 1, .size = { 2 },
      .before = &(const made_search){ .rank = 1, .size = { 2 }, .filled = true, .bits = { 1, 0 } } },
    { "shape-more", .rank = 1, .size = { 2 } },
    { "shape-less", .rank = 1, .size = { 2 } },
    { "shape-largest", .rank = 1, .size = { 2 }, .filled = true, .bits = { 1, 0 } },
    { "shape-missing", .rank = 1, .size = { 2 } },
    { "reject-scalar", .rank = 0 },
    { "reject-empty-data", .rank = 1, .size = { 0 } },
    { "reject-index-32", .rank = 1, .size = { 1 }, .output_type = TS_NON_ZERO_3_I32, .out_type = TS_INT32 },
    { "accept-output-type", .rank = 1, .size = { 1 }, .output_type = 2 },
    { "accept-other-type", .rank = 1, .size = { 1 }, .out_type = TS_INT32 },
    { "accept-pitched-rows", .rank = 2, .size = { 2, 1 }, .pitch = 3 },
};
#define CALL_COUNT (sizeof calls / sizeof *calls)

static const made_search *find_call(const char *fault)
{
    for (size_t i = 0; i < CALL_COUNT; ++i)
        if (strcmp(calls[i].fault, fault) == 0)
            return &calls[i];
    return NULL;
}

static void describe(ts_descriptor *d, const made_search *m)
{
    const uint32_t dtype = m->dtype ? m->dtype : TS_UINT8;
    ts_tensor *data = &d->tensors[0], *out = &d->tensors[1];
    const ts_openvino_non_zero_3 a = { m->output_type };
    operator_begin(d, operators_find(OPERATOR));
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = TS_NON_ZERO_3_GIVEN_OUTPUT_TYPE;
    tensor_init(data, dtype, m->rank, m->size);
    if (m->strided) {
        data->given |= TS_GIVEN_STRIDES;
        memcpy(data->strides, m->in, sizeof m->in);
        assert_true(tensor_min_bytes(data, &data->total_bytes));
    }
    assert_true(d->op->shape(d));
    const uint64_t sizes[2] = { out->sizes[0], out->sizes[1] };
    tensor_init(out, m->out_type ? m->out_type : TS_INT64, 2, sizes);
    if (m->pitch) {
        out->given |= TS_GIVEN_STRIDES;
        out->strides[0] = m->pitch;
        assert_true(tensor_min_bytes(out, &out->total_bytes));
    }
}

/* All effects of one call. */
typedef struct outcome {
    ts_status status;
    ts_shape shape;
    unsigned char *out;
    size_t bytes;
} outcome;

static outcome run(void *instance, const made_search *m)
{
    outcome o = { .status = TS_ERROR, .shape = { .rank = TS_RANK_UNREPORTED } };
    ts_descriptor d;
    ts_report report = { 0 };
    describe(&d, m);
    operator_check(&d, &report);
    const bool legal = !operator_graver(report.worst, TS_RESULT_UNSPECIFIED);
    const size_t width = tensor_element_bytes(d.tensors[0].dtype), in = (size_t)d.tensors[0].total_bytes;
    unsigned char *data = calloc(in + 1, 1);
    o.bytes = (size_t)d.tensors[1].total_bytes;
    o.out = calloc(o.bytes + 1, 1);
    assert_true(data && o.out);
    for (size_t i = 0; i < in / width; ++i) {
        const uint64_t bits = m->filled ? m->bits[i % 2] : 1;
        memcpy(data + i * width, &bits, width);
    }
    d.tensors[0].data = legal ? data : NULL;
    d.tensors[1].data = legal ? o.out : NULL;
    d.tensors[1].reported = &o.shape;
    ts_call call = operator_call(&d);
    call.flags = legal ? 0 : TS_CALL_DESCRIPTOR_ONLY;
    assert_int_equal(backend->query(instance, &call, &call.token), TS_OK);
    assert_int_equal(backend->submit(instance, &call, 1, &o.status), TS_OK);
    free(data);
    return o;
}

static outcome run_fault(const char *fault, const made_search *m)
{
    void *instance = NULL;
    const ts_option option = { "fault", fault };
    assert_int_equal(backend->open(NULL, &option, 1, &instance), TS_OK);
    if (m->before)
        free(run(instance, m->before).out);
    const outcome o = run(instance, m);
    backend->close(instance);
    return o;
}

static bool shows(const char *fault, const made_search *m)
{
    const outcome right = run_fault("none", m), wrong = run_fault(fault, m);
    const bool same = right.status == wrong.status && !operator_shape_differs(&right.shape, &wrong.shape) &&
                      memcmp(right.out, wrong.out, right.bytes) == 0;
    free(right.out);
    free(wrong.out);
    return !same;
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

/* The name and the class of the next fault that NonZero-3 has alone, of lines "fault=NAME  OPERATOR...: what it stands
   for [class]"; false: there is none. */
static bool next_fault(const char **line, char name[64], char class[32])
{
    while (**line) {
        char listed[512];
        const char *end = strchr(*line, '\n'), *bracket = end;
        while (bracket > *line && *bracket != '[')
            --bracket;
        const bool read =
            sscanf(*line, "fault=%63s %511[^:\n]:", name, listed) == 2 && sscanf(bracket, "[%31[a-z]]", class) == 1;
        *line = end + 1;
        if (read && strcmp(listed, OPERATOR) == 0)
            return true;
    }
    return false;
}

static void test_each_call_shows_its_fault(void **state)
{
    (void)state;
    const char *line = backend->describe_options();
    char name[64], class[32];
    size_t shown = 0;
    for (; next_fault(&line, name, class); ++shown) {
        const made_search *m = find_call(name);
        if (!m || !shows(name, m))
            fail_msg("%s %s", name, m ? "does not show" : "has no call");
    }
    assert_int_equal(shown, CALL_COUNT);
}

static void test_the_table_names_each_fault(void **state)
{
    (void)state;
    char text[65536], cell[128], name[64], class[32];
    FILE *file = fopen(TOUCHSTONE_SOURCE_DIR "/backends/faulty/README.md", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *table = strstr(text, "\n| class | `" OPERATOR "` |");
    assert_non_null(table);
    char *behind = strstr(table, "\n\n");
    if (behind)
        *behind = '\0';
    unsigned found = 0, listed = 0;
    for (const char *line = backend->describe_options(); next_fault(&line, name, class); ++found) {
        snprintf(cell, sizeof cell, "\n| %s | ", class);
        const char *row = strstr(table, cell);
        snprintf(cell, sizeof cell, "`%s`", name);
        const char *at = row ? strstr(row, cell) : NULL;
        if (!at || memchr(row + 1, '\n', (size_t)(at - row - 1)))
            fail_msg("README.md: row %s has no %s", class, name);
    }
    for (const char *at = table; (at = strchr(at, '`')) != NULL; ++at)
        ++listed;
    assert_int_equal(listed, 2 * found + 2); /* two of each name, and of the operator */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_call_shows_its_fault),
        cmocka_unit_test(test_the_table_names_each_fault),
    };
    return cmocka_run_group_tests(tests, load, NULL);
}
