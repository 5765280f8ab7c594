/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations of random descriptors: the elements that they name are those that the reference computes, and a broken
   descriptor is explained without a fault. */
#include "harness/base/platform.h"
#include "harness/casefile/casebuild.h"
#include "harness/casefile/casefile.h"
#include "harness/model/evaluate.h"
#include "harness/testing/part.h"
#include "harness/testing/platform_testing.h"
#include "reference/operators.h"
#include "reports/explain_print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 20240229;

static uint64_t random_bits(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * UINT64_C(0x2545F4914F6CDD1D);
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)((random_bits() >> 16) % n);
}

/* ---- explanations agree with the reference ------------------------------------------------------------------- */

static void random_tensor(ts_descriptor *d, unsigned k, uint32_t dtype, uint32_t rank, uint32_t most)
{
    uint64_t sizes[TS_MAX_DIMS];
    for (uint32_t i = 0; i < rank; ++i)
        sizes[i] = 1 + below(most);
    tensor_init(&d->tensors[k], dtype, rank, sizes);
}

/* Give outputs the inferred shape, and some tensors strides twice as wide as packed. False if no shape can be inferred.
 */
static bool finish(ts_descriptor *d, bool strides)
{
    if (!d->op->shape(d))
        return false;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        ts_tensor *t = &d->tensors[k];
        uint64_t sizes[TS_MAX_DIMS], bytes;
        memcpy(sizes, t->sizes, sizeof sizes);
        if (!(t->given & TS_GIVEN_TENSOR))
            continue;
        tensor_init(t, t->dtype, t->rank, sizes);
        if (!strides || below(3))
            continue;
        t->given |= TS_GIVEN_STRIDES;
        for (uint32_t i = 0; i < t->rank; ++i)
            t->strides[i] *= 2;
        if (tensor_min_bytes(t, &bytes))
            t->total_bytes = bytes;
    }
    return true;
}

static void set(ts_descriptor *d, const char *name, const int64_t *values, size_t count)
{
    assert_true(operator_set_attr(d, (unsigned)operator_attr_index(d->op, name), values, count));
}

static bool random_slice1(ts_descriptor *d)
{
    uint32_t rank = 1 + below(4);
    int64_t offset[4], window[4], stride[4];
    random_tensor(d, 0, TS_UINT16, rank, 6);
    for (uint32_t i = 0; i < rank; ++i) {
        uint32_t size = (uint32_t)d->tensors[0].sizes[i];
        offset[i] = below(size);
        window[i] = 1 + below(size - (uint32_t)offset[i]);
        stride[i] = (int64_t)(1 + below(4)) * (below(2) ? 1 : -1);
    }
    set(d, "InputWindowOffsets", offset, rank);
    set(d, "InputWindowSizes", window, rank);
    set(d, "InputWindowStrides", stride, rank);
    tensor_init(&d->tensors[1], TS_UINT16, rank, d->tensors[0].sizes);
    return finish(d, true);
}

static bool random_gather(ts_descriptor *d)
{
    static const uint32_t types[] = { TS_UINT32, TS_INT32, TS_UINT64, TS_INT64 };
    uint32_t rank = 1 + below(4);
    random_tensor(d, 0, TS_UINT16, rank, 4);
    random_tensor(d, 1, types[below(4)], rank, 3);
    int64_t axis = below(rank), count = below(rank + 1);
    for (uint32_t i = 0; i < rank; ++i) {
        if (i + 1 < (uint32_t)count)
            d->tensors[0].sizes[i] = 1;
        if (i + (uint32_t)count < rank)
            d->tensors[1].sizes[i] = 1;
    }
    set(d, "Axis", &axis, 1);
    set(d, "IndexDimensions", &count, 1);
    tensor_init(&d->tensors[2], TS_UINT16, rank, d->tensors[0].sizes);
    return finish(d, true);
}

static bool random_generator(ts_descriptor *d)
{
    int64_t type = 0;
    uint64_t six = 6;
    set(d, "Type", &type, 1);
    tensor_init(&d->tensors[0], TS_UINT32, 1, &six);
    random_tensor(d, 1, TS_UINT32, 1 + below(4), 4);
    if (below(2))
        tensor_init(&d->tensors[2], TS_UINT32, 1, &six);
    return finish(d, true);
}

static bool random_identity(ts_descriptor *d)
{
    random_tensor(d, 0, TS_UINT16, 1 + below(4), 4);
    tensor_init(&d->tensors[1], TS_UINT16, d->tensors[0].rank, d->tensors[0].sizes);
    return finish(d, true);
}

static bool random_strided_slice(ts_descriptor *d)
{
    static const char *const masks[] = { "begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask",
                                         "ellipsis_mask" };
    uint32_t rank = 1 + below(4), m = below(6);
    int64_t begin[6], end[6], stride[6], bits[6];
    random_tensor(d, 0, TS_UINT16, rank, 5);
    for (uint32_t i = 0; i < m; ++i) {
        begin[i] = (int64_t)below(17) - 8;
        end[i] = (int64_t)below(17) - 8;
        stride[i] = (int64_t)(1 + below(3)) * (below(2) ? 1 : -1);
    }
    set(d, "begin", begin, m);
    set(d, "end", end, m);
    if (below(4))
        set(d, "stride", stride, m);
    for (size_t k = 0; k < 5; ++k) {
        for (uint32_t i = 0; i < 6; ++i)
            bits[i] = below(k < 2 ? 3 : 6) == 0;
        if (below(2))
            set(d, masks[k], bits, below(7));
    }
    if (below(2))
        d->profile = TS_PROFILE_NUMPY;
    tensor_init(&d->tensors[1], TS_UINT16, 0, d->tensors[0].sizes);
    return finish(d, false);
}

static const ts_tensor *tensor_named(const ts_descriptor *d, const char *name)
{
    unsigned t = 0;
    while (strcmp(d->op->tensors[t].name, name) != 0)
        assert_true(++t < d->op->tensor_count);
    return &d->tensors[t];
}

/* Every element that the JSON describes must equal the element that `run` computes, and none may be missing. */
static void compare(const evaluation *v, const json_t *record)
{
    const ts_descriptor *d = &v->descriptor;
    unsigned to = 0;
    while (d->op->tensors[to].role != TS_OUTPUT)
        ++to;
    const ts_tensor *out = &d->tensors[to];
    size_t i, k, described_elements = 0;
    json_t *step, *element;
    uint64_t count = 0;
    json_array_foreach(json_object_get(record, "steps"), i, step)
    {
        json_array_foreach(json_object_get(step, "elements"), k, element)
        {
            size_t bytes = tensor_element_bytes(out->dtype);
            const unsigned char *actual =
                (unsigned char *)out->data + (size_t)json_integer_value(json_object_get(element, "out_offset")) * bytes;
            const json_t *from = json_object_get(element, "from");
            if (from) {
                const ts_tensor *in = tensor_named(d, json_string_value(from));
                assert_memory_equal(actual,
                                    (unsigned char *)in->data +
                                        (size_t)json_integer_value(json_object_get(element, "in_offset")) * bytes,
                                    bytes);
            } else {
                uint64_t bits = 0;
                memcpy(&bits, actual, bytes); /* little-endian */
                assert_true((json_int_t)bits == json_integer_value(json_object_get(element, "value")));
            }
            described_elements++;
        }
    }
    assert_true(tensor_element_count(out, &count));
    assert_int_equal(described_elements, count);
}

/* The numbers after a word of the explanation, such as "InputWindowOffsets = {0,1}". */
static size_t numbers(const json_t *step, const char *word, int64_t *values)
{
    size_t i, count = 0;
    json_t *line;
    json_array_foreach(json_object_get(step, "text"), i, line)
    {
        const char *text = json_string_value(line), *at = strchr(text, '{');
        if (strncmp(text, word, strlen(word)) != 0 || !at)
            continue;
        for (char *end; *at != '}'; at = end)
            values[count++] = strtoll(at + 1, &end, 10);
        return count;
    }
    return 0;
}

/* If the explanation of a StridedSlice names an equivalent SLICE1, it must compute the same elements. Returns whether
   it names one. */
static bool compare_slice1(const evaluation *v, const json_t *record)
{
    static const char *const attrs[] = { "InputWindowOffsets", "InputWindowSizes", "InputWindowStrides" };
    const json_t *steps = json_object_get(record, "steps"), *step = json_array_get(steps, json_array_size(steps) - 1);
    ts_descriptor d;
    evaluation slice;
    error e;
    int64_t values[TS_MAX_DIMS];
    uint64_t sizes[TS_MAX_DIMS];
    size_t rank = numbers(step, "OutputTensor.Sizes", values);
    const ts_tensor *data = &v->descriptor.tensors[0], *out = &v->descriptor.tensors[1];
    if (rank == 0)
        return false;
    operator_begin(&d, operators_find("dml.slice1"));
    for (size_t i = 0; i < rank; ++i)
        sizes[i] = (uint64_t)values[i];
    tensor_init(&d.tensors[0], TS_UINT16, data->rank, data->sizes);
    tensor_init(&d.tensors[1], TS_UINT16, (uint32_t)rank, sizes);
    for (size_t k = 0; k < 3; ++k) {
        assert_int_equal(numbers(step, attrs[k], values), rank);
        set(&d, attrs[k], values, rank);
    }
    assert_true(evaluate_begin(&slice, &d, NULL, &e));
    assert_int_equal(slice.status, EVALUATE_OK);
    memcpy(slice.descriptor.tensors[0].data, data->data, (size_t)data->total_bytes);
    assert_true(evaluate_run(&slice, &e));
    uint64_t count = 0;
    assert_true(tensor_element_count(out, &count));
    assert_memory_equal(slice.descriptor.tensors[1].data, out->data, count * sizeof(uint16_t));
    evaluate_end(&slice);
    return true;
}

/* Injective values; indices that are inside, outside and negative. */
static void fill_inputs(const evaluation *v)
{
    for (unsigned k = 0; k < v->descriptor.op->tensor_count; ++k) {
        const ts_tensor *t = &v->descriptor.tensors[k];
        unsigned char *bytes = t->data;
        for (uint64_t i = 0; bytes && v->descriptor.op->tensors[k].role == TS_INPUT && i < t->total_bytes; ++i)
            bytes[i] = (unsigned char)random_bits();
        uint64_t size = bytes && k == 1 ? tensor_element_bytes(t->dtype) : 0;
        for (uint64_t i = 0; size && i + size <= t->total_bytes; i += size) {
            int64_t index = (int64_t)below(9) - 4;
            if (v->descriptor.op->tensors[k].role == TS_INPUT && below(8))
                memcpy(bytes + i, &index, size); /* little-endian */
        }
        for (uint64_t i = 0; bytes && k == 0 && t->dtype == TS_UINT16 && 2 * i + 2 <= t->total_bytes; ++i)
            memcpy(bytes + 2 * i, &(uint16_t){ (uint16_t)i }, 2);
    }
}

/* Explain a legal descriptor, run it, and compare. False where the descriptor is not legal. *bridged counts the
   explanations that end with a SLICE1. */
static bool agrees(const ts_descriptor *d, unsigned *bridged)
{
    evaluation v;
    ts_explanation x;
    error e;
    if (!evaluate_begin(&v, d, NULL, &e)) /* a case that is meant to be refused, with tensors of absurd sizes */
        return false;
    const bool legal = v.status == EVALUATE_OK;
    if (legal) {
        fill_inputs(&v);
        explain_begin(&x, UINT32_MAX);
        d->op->explain(&v.descriptor, &x);
        json_t *record = explain_print_json(&(explain_heading){ .name = "here" }, &v, &x);
        assert_non_null(record);
        assert_true(evaluate_run(&v, &e));
        compare(&v, record);
        if (bridged)
            *bridged += d->op->openvino_types && compare_slice1(&v, record);
        json_decref(record);
        explain_end(&x);
    }
    evaluate_end(&v);
    return legal;
}

static void explanations_agree_with_the_reference(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool (*make)(ts_descriptor *d);
        unsigned least_bridged;
    } operators[] = { { "dml.slice1", random_slice1, 0 },
                      { "dml.gather", random_gather, 0 },
                      { "dml.random_generator", random_generator, 0 },
                      { "dml.element_wise_identity", random_identity, 0 },
                      { "openvino.strided_slice", random_strided_slice, 200 } };
    for (size_t k = 0; k < sizeof operators / sizeof operators[0]; ++k) {
        unsigned legal = 0, bridged = 0;
        for (unsigned n = 0; n < 3000; ++n) {
            ts_descriptor d;
            operator_begin(&d, operators_find(operators[k].name));
            legal += operators[k].make(&d) && agrees(&d, &bridged);
        }
        assert_true(legal > 500);
        assert_true(bridged >= operators[k].least_bridged);
    }
}

/* ---- cases of every operator --------------------------------------------------------------------------------- */

/* The descriptor of a case of the operator's case file. Tests take turns, each with a random index. */
static void random_case(const case_file *f, unsigned n, ts_descriptor *d)
{
    error e;
    case_test *t = &f->tests[n % f->test_count];
    casebuild build;
    space_cursor c;
    if (!casefile_prepare(t, &e))
        fail_msg("%s", e.text);
    assert_true(space_start(&c, t->space, random_bits() % space_points(t->space), UINT64_MAX, NULL, NULL) ||
                space_start(&c, t->space, 0, UINT64_MAX, NULL, NULL));
    casebuild_init(&build, t, TS_PROFILE_DEFAULT, 0, NULL);
    if (!casebuild_case(&build, &c, &e))
        fail_msg("%s", e.text);
    *d = build.now.descriptor;
}

static void each_operator(void (*f)(const ts_operator *op, const case_file *cases))
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i) {
        char path[1024];
        error e;
        if (!part_has(i))
            continue;
        if (!casefile_path(all[i], path, sizeof path, &e))
            fail_msg("%s", e.text);
        case_file *cases = casefile_load_of(path, all[i], &e);
        if (!cases)
            fail_msg("%s", e.text);
        f(all[i], cases);
        casefile_free(cases);
    }
}

static void explain_cases(const ts_operator *op, const case_file *cases)
{
    unsigned legal = 0;
    for (unsigned n = 0; n < 1000; ++n) {
        ts_descriptor d;
        uint64_t elements = 0;
        random_case(cases, n, &d);
        bool small = true;
        for (unsigned k = 0; k < op->tensor_count; ++k)
            small = small && tensor_element_count(&d.tensors[k], &elements) && elements <= 200 &&
                    d.tensors[k].total_bytes <= 1 << 16;
        legal += small && agrees(&d, NULL);
    }
    assert_true(legal > 50);
}

static void explanations_of_cases_agree_with_the_reference(void **state)
{
    (void)state;
    each_operator(explain_cases);
}

/* ---- garbage ----------------------------------------------------------------------------------------------- */

/* A value at or near a limit of integer arithmetic. */
static uint64_t edge(void)
{
    static const uint64_t edges[] = { 0,
                                      1,
                                      2,
                                      3,
                                      8,
                                      16,
                                      17,
                                      INT32_MAX,
                                      UINT64_C(0x80000000),
                                      UINT32_MAX,
                                      (uint64_t)INT64_MAX,
                                      UINT64_C(1) << 63,
                                      UINT64_MAX,
                                      UINT64_MAX - 1 };
    return below(4) ? edges[below(sizeof edges / sizeof edges[0])] : random_bits();
}

static void break_descriptor(ts_descriptor *d)
{
    for (unsigned n = 0, times = 1 + below(6); n < times; ++n) {
        ts_tensor *t = &d->tensors[below(d->op->tensor_count)];
        uint32_t i = below(TS_MAX_DIMS);
        switch (below(d->op->attrs_size ? 9 : 7)) {
        case 0: t->rank = (uint32_t)edge(); break;
        case 1: t->dtype = (uint32_t)edge(); break;
        case 2: t->given = below(16); break;
        case 3: t->sizes[i] = edge(); break;
        case 4: t->strides[i] = edge(); break;
        case 5: t->total_bytes = edge(); break;
        case 6: d->attrs_given = (uint32_t)edge(); break;
        case 7: memcpy(d->attrs + 4 * below((uint32_t)d->op->attrs_size / 4), &(uint64_t){ edge() }, 4); break;
        default: d->attrs[below((uint32_t)d->op->attrs_size)] = (unsigned char)edge(); break;
        }
    }
}

static void check_citations(const ts_operator *op, const ts_explanation *x)
{
    for (size_t i = 0; i < x->count; ++i) {
        char list[128];
        snprintf(list, sizeof list, "%s", x->items[i].clauses ? x->items[i].clauses : "");
        for (char *id = strtok(list, " "); id; id = strtok(NULL, " "))
            assert_non_null(operator_clause(op, id));
    }
}

static void explain_garbage(const ts_operator *op, const case_file *cases)
{
    FILE *nowhere = fopen(testing_null(), "w");
    assert_non_null(nowhere);
    ts_descriptor drawn;
    for (unsigned n = 0; n < 4000; ++n) {
        evaluation v = { .status = EVALUATE_INVALID };
        ts_descriptor *d = &v.descriptor;
        ts_explanation x;
        error e;
        if (n % 8 == 0)
            random_case(cases, n / 8, &drawn);
        *d = drawn;
        break_descriptor(d);
        operator_check(d, &v.report);
        explain_begin(&x, 1 + below(20));
        op->explain(d, &x);
        assert_true(x.count > 0 && x.items[0].kind == EXPLAIN_STEP);
        check_citations(op, &x);
        assert_true(explain_print_text(nowhere, &(explain_heading){ .name = "here" }, &v, &x, &e));
        json_t *record = explain_print_json(&(explain_heading){ .name = "here" }, &v, &x);
        assert_non_null(record);
        json_decref(record);
        explain_end(&x);
    }
    fclose(nowhere);
}

static void garbage_is_explained_as_far_as_possible(void **state)
{
    (void)state;
    each_operator(explain_garbage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explanations_agree_with_the_reference),
        cmocka_unit_test(explanations_of_cases_agree_with_the_reference),
        cmocka_unit_test(garbage_is_explained_as_far_as_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
