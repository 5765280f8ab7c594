/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cpu backend beside the reference, on random descriptors. Legal descriptors are executed by both and the outputs
 * compared; mutated ones are judged by both and the results compared; random bytes must not crash the backend.
 */
#include "backends/cpu/random_descriptors.h"
#include "harness/model/fill.h"
#include "harness/model/value.h"
#include "harness/testing/sanitizer.h"

#include <stdlib.h>

#define SHARE         (UNDER_SANITIZER ? 5 : 1)
#define VALID_CASES   (100000 / SHARE)
#define MUTATED_CASES (200000 / SHARE)
#define GARBAGE_CASES (50000 / SHARE)

/* Every operator that the backend implements has a maker. */
static void test_every_operator_has_a_maker(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i) {
        ts_descriptor d;
        bool made = false;
        for (size_t maker = 0; maker < MAKER_COUNT; ++maker)
            made = made || strcmp(makers[maker].name, all[i]->name) == 0;
        operator_begin(&d, all[i]);
        if (!made && submit(&d, TS_CALL_DESCRIPTOR_ONLY) != TS_UNSUPPORTED)
            fail_msg("%s: the backend implements it; add a function that makes random descriptors to makers[]",
                     all[i]->name);
    }
}

static void make(ts_descriptor *d, size_t maker)
{
    operator_begin(d, operators_find(makers[maker].name));
    d->feature_level = some_level();
    size_limit = below(100) ? 200 : 20000;
    makers[maker].make(d);
}

static ts_report judge(const ts_descriptor *d)
{
    ts_report report;
    memset(&report, 0, sizeof report);
    operator_check(d, &report);
    return report;
}

static bool refused(const ts_report *report)
{
    return operator_graver(report->worst, TS_RESULT_UNSPECIFIED);
}

static void print(const ts_descriptor *d, const ts_report *report, uint64_t from)
{
    print_message("%s, seed 0x%016llx, level 0x%x, profile %u, attrs_given 0x%x\n", d->op->name,
                  (unsigned long long)from, d->feature_level, d->profile, d->attrs_given);
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        const ts_tensor *t = &d->tensors[i];
        print_message("  %s dtype %u rank %u given %u flags %u align %u total %llu:", d->op->tensors[i].name, t->dtype,
                      t->rank, t->given, t->flags, t->alignment, (unsigned long long)t->total_bytes);
        for (uint32_t k = 0; k < t->rank && k < TS_MAX_DIMS; ++k)
            print_message(" %llu/%llu", (unsigned long long)t->sizes[k], (unsigned long long)t->strides[k]);
        print_message("\n");
    }
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        print_message("  %s:", d->op->attrs[k].name);
        for (uint32_t i = 0; i < operator_attr_count(d, k) && i < TS_MAX_DIMS; ++i)
            print_message(" %lld", (long long)operator_attr_value(d, k, i));
        print_message("\n");
    }
    for (unsigned i = 0; report && i < report->count; ++i)
        print_message("  %s: %s\n", report->items[i].clause, report->items[i].text);
}

/* A dimension of the input that the indices are for. */
static uint32_t some_axis(const ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[0], *indices = &d->tensors[1];
    const int axis = operator_attr_index(d->op, "Axis"), batch = operator_attr_index(d->op, "BatchDimensionCount");
    if (axis >= 0)
        return (uint32_t)operator_attr_value(d, (unsigned)axis, 0);
    if (d->op->openvino_types) {
        const int own = operator_attr_index(d->op, "axis");
        if (own < 0)
            return below(in->rank); /* of tuples */
        const int64_t stated = operator_attr_value(d, (unsigned)own, 0);
        return (uint32_t)(stated < 0 ? stated + in->rank : stated);
    }
    const uint32_t counted = (uint32_t)operator_attr_value(d, 0, 0);
    const uint32_t batches = batch < 0 ? 0 : (uint32_t)operator_attr_value(d, (unsigned)batch, 0);
    return in->rank - counted + batches + below((uint32_t)indices->sizes[indices->rank - 1]);
}

/* Fill the indices tensor: most indices in range, the others out of range in every way. */
static void fill_indices(const ts_descriptor *d)
{
    const ts_tensor *t = &d->tensors[1];
    const size_t bytes = tensor_element_bytes(t->dtype);
    for (uint64_t at = 0; at + bytes <= t->total_bytes; at += bytes) {
        const int64_t size = (int64_t)d->tensors[0].sizes[some_axis(d)];
        const int64_t index = below(12) ? between(-size - 1, size) : (int64_t)next();
        memcpy((unsigned char *)t->data + at, &index, bytes);
    }
}

/* Fill the tensors of a GatherTree: few different ids, and most parents and lengths as they should be. */
static void fill_tree(const ts_descriptor *d)
{
    const int64_t time = (int64_t)d->tensors[0].sizes[0], beams = (int64_t)d->tensors[0].sizes[2];
    const uint32_t ids = 1 + below(30);
    for (unsigned i = 0; i < 4; ++i) {
        const ts_tensor *t = &d->tensors[i];
        const size_t bytes = tensor_element_bytes(t->dtype);
        for (uint64_t at = 0; at + bytes <= t->total_bytes; at += bytes) {
            void *p = (unsigned char *)t->data + at;
            const int64_t value = i == 1   ? beams && below(100) ? below((uint32_t)beams) : between(-1, beams)
                                    : i == 2 ? between(below(20) ? 0 : -1, time + 2)
                                           : below(ids);
            if (!value_store_int(t->dtype, p, value))
                value_store_int(t->dtype, p, 0);
        }
    }
}

/* Is each element that has one answer the reference's, and each that has several one of them? The bytes between the
   elements are compared, too. `ours` becomes `theirs` where the specification leaves a choice. */
static bool same_output(const ts_descriptor *ours, const ts_descriptor *theirs, unsigned i, const ts_marks *marks)
{
    const ts_tensor *t = &ours->tensors[i], *other = &theirs->tensors[i];
    const size_t bytes = tensor_element_bytes(t->dtype);
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    bool fine = true;
    for (uint64_t number = 0; number < marks[i].capacity; ++number, tensor_next(t, coord)) {
        const ts_open open = operator_open(marks, i, number);
        if (open == TS_ONE_ANSWER)
            continue;
        const uint64_t at = tensor_offset(t, coord) * bytes;
        ts_answers answers = { .asked = value_bits(t->dtype, (unsigned char *)t->data + at) };
        if (open == TS_SEVERAL) {
            ours->op->answers(theirs, i, coord, &answers);
            fine = fine && answers.allowed;
        }
        memcpy((unsigned char *)t->data + at, (unsigned char *)other->data + at, bytes);
    }
    return fine && memcmp(t->data, other->data, (size_t)t->total_bytes) == 0;
}

static void run_both(const ts_descriptor *d, uint64_t from)
{
    ts_descriptor ours = *d, theirs = *d;
    ts_marks marks[TS_MAX_TENSORS] = { { 0 } };
    ts_unspecified unspecified = { .marks = marks };
    ts_shape reported[2][TS_MAX_TENSORS];
    memset(reported, 0, sizeof reported);
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        ts_tensor *t = &ours.tensors[i];
        t->reported = operator_dependent(d->op, i) ? &reported[0][i] : NULL;
        theirs.tensors[i].reported = operator_dependent(d->op, i) ? &reported[1][i] : NULL;
        if (!(t->given & TS_GIVEN_TENSOR))
            continue;
        t->data = malloc((size_t)t->total_bytes + !t->total_bytes);
        theirs.tensors[i].data = t->data;
        if (d->op->tensors[i].role == TS_OUTPUT) {
            memset(t->data, 0xA5, (size_t)t->total_bytes);
            theirs.tensors[i].data = malloc((size_t)t->total_bytes + !t->total_bytes);
            memset(theirs.tensors[i].data, 0xA5, (size_t)t->total_bytes);
            assert_true(tensor_element_count(t, &marks[i].capacity));
            marks[i].map = calloc((size_t)marks[i].capacity + 1, 1);
        } else {
            for (uint64_t k = 0; k < t->total_bytes; ++k)
                ((unsigned char *)t->data)[k] = (unsigned char)next();
        }
    }
    if (d->op->tensor_count > 1 && strcmp(d->op->tensors[1].alias, "indices") == 0)
        fill_indices(&ours);
    if (strcmp(d->op->name, "openvino.gather_tree") == 0)
        fill_tree(&ours);
    if (strcmp(d->op->name, "dml.random_generator") == 0 && below(2))
        memset(ours.tensors[0].data, 0xFF, (size_t)ours.tensors[0].total_bytes);
    if (strcmp(d->op->name, "openvino.non_zero_3") == 0)
        fill_buffer(FILL_ZEROS, ours.tensors[0].dtype, ours.tensors[0].data, ours.tensors[0].total_bytes, next());
    if (d->op->undefined && strstr(d->op->name, "bit_shift") && below(4)) /* most counts below the width */
        for (uint64_t k = 0; k < ours.tensors[1].total_bytes; ++k)
            ((unsigned char *)ours.tensors[1].data)[k] =
                k % tensor_element_bytes(d->tensors[1].dtype) ? 0 : (unsigned char)below(70);
    const ts_status status = submit(&ours, 0);
    d->op->run(&theirs, &unspecified);
    bool equal = status == TS_OK;
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        ts_tensor *t = &ours.tensors[i];
        if (!(t->given & TS_GIVEN_TENSOR))
            continue;
        if (d->op->tensors[i].role == TS_OUTPUT) {
            /* Where they are not judged, values need not agree. */
            equal = equal &&
                    (!operator_judges(d->op, ours.tensors[0].dtype) || same_output(&ours, &theirs, i, marks)) &&
                    !operator_shape_differs(&reported[0][i], &reported[1][i]);
            free(theirs.tensors[i].data);
            free(marks[i].map);
        }
    }
    for (unsigned i = 0; i < d->op->tensor_count; ++i) /* after the outputs, whose answers are read from the inputs */
        if (ours.tensors[i].given & TS_GIVEN_TENSOR)
            free(ours.tensors[i].data);
    if (!equal) {
        print(d, NULL, from);
        fail_msg("the outputs differ (status %d)", status);
    }
}

/* Does the backend have the operator? `kernels`, which this test is also built for, need not have all of them. */
static bool implements(size_t maker)
{
    ts_descriptor d;
    operator_begin(&d, operators_find(makers[maker].name));
    return submit(&d, TS_CALL_DESCRIPTOR_ONLY) != TS_UNSUPPORTED;
}

/* A tenth for each of the operators that share all but a formula. */
static unsigned cases(size_t maker, unsigned all)
{
    return makers[maker].make == random_each ? all / 10 : all;
}

static void test_valid(void **state)
{
    (void)state;
    for (size_t maker = 0; maker < MAKER_COUNT; ++maker) {
        if (!implements(maker))
            continue;
        unsigned accepted = 0, tried = 0;
        for (seed = UINT64_C(0xC0FFEE) + maker; accepted < cases(maker, VALID_CASES); ++tried) {
            const uint64_t from = seed;
            ts_descriptor d;
            make(&d, maker);
            const ts_report report = judge(&d);
            if (refused(&report)) {
                assert_true(tried < 20 * VALID_CASES); /* else the maker is broken */
                continue;
            }
            ++accepted;
            run_both(&d, from);
        }
    }
}

/* ---- mutated descriptors ------------------------------------------------------------------------------------- */

static uint64_t some_number(void)
{
    static const uint64_t numbers[] = { 0,
                                        1,
                                        2,
                                        3,
                                        5,
                                        6,
                                        7,
                                        8,
                                        9,
                                        15,
                                        16,
                                        17,
                                        32,
                                        0x7FFFFFFF,
                                        0x80000000,
                                        0xFFFFFFFF,
                                        0xFFFFFFFE,
                                        UINT64_C(0x100000000),
                                        UINT64_C(0x7FFFFFFFFFFFFFFF),
                                        UINT64_C(0x8000000000000000),
                                        UINT64_MAX };
    return below(3) ? numbers[below(sizeof numbers / sizeof *numbers)] : next() % 12;
}

static void mutate(ts_descriptor *d)
{
    unsigned tensor = below(d->op->tensor_count);
    const ts_tensor_list *l = operator_list_of(d->op, tensor);
    if (l && tensor - l->first >= operator_list_length(d, l)) /* a list has no such member to mutate */
        tensor = l->first;
    ts_tensor *t = &d->tensors[tensor];
    const uint32_t dim = below(t->rank >= 1 && t->rank <= TS_MAX_DIMS ? t->rank : 8);
    switch (below(14)) {
    case 0: t->dtype = below(2) ? below(TS_DTYPE_COUNT + 2) : (uint32_t)some_number(); break;
    case 1: t->rank = below(2) ? below(10) : (uint32_t)some_number(); break;
    case 2: t->given ^= 1u << below(3); break;
    case 3: t->flags = (uint32_t)some_number(); break;
    case 4: t->alignment = below(2) ? 1u << below(32) : (uint32_t)some_number(); break;
    case 5: t->total_bytes = below(2) ? t->total_bytes + (uint64_t)between(-5, 5) : some_number(); break;
    case 6:
    case 7: t->sizes[dim] = below(2) ? t->sizes[dim] + (uint64_t)between(-1, 1) : some_number(); break;
    case 8:
    case 9:
        t->given |= TS_GIVEN_STRIDES;
        t->strides[dim] = below(2) ? t->strides[dim] + (uint64_t)between(-2, 1) : some_number();
        break;
    case 10: d->attrs_given ^= 1u << below(8); break;
    case 11: d->feature_level = levels[below(sizeof levels / sizeof *levels)]; break;
    default:
        if (d->op->attr_count > 0) {
            const unsigned k = below(d->op->attr_count);
            const ts_attr_decl *attr = &d->op->attrs[k];
            const uint64_t value = some_number();
            const uint32_t i = attr->count == TS_ARRAY ? below(8) : 0;
            const size_t width = attr->type == TS_ATTR_BIT ? 1 : attr->type == TS_ATTR_I64 ? 8 : 4;
            if (attr->count == TS_ARRAY && below(4) == 0)
                memcpy(d->attrs + attr->count_offset, &value, 4);
            else
                memcpy(d->attrs + attr->offset + i * width, &value, width);
        }
        break;
    }
    if (!(t->given & TS_GIVEN_STRIDES) && t->rank <= TS_MAX_DIMS)
        tensor_pack(t);
}

/* The reference refuses StridedSlice of more than 12 dimensions (SS-14); the backend executes it. A list that counts
   more tensors than a descriptor holds cannot be judged. */
static bool beyond_the_reference(const ts_descriptor *d)
{
    const uint32_t rank = d->tensors[0].rank;
    for (unsigned i = 0; i < d->op->list_count; ++i)
        if (operator_attr_value(d, d->op->lists[i].count, 0) > d->op->lists[i].most)
            return true;
    return d->op->openvino_types && (rank == 0 || rank > 12) && rank <= TS_MAX_DIMS;
}

static void test_mutated(void **state)
{
    (void)state;
    for (size_t maker = 0; maker < MAKER_COUNT; ++maker) {
        unsigned refusals = 0, disagreements = 0;
        if (!implements(maker))
            continue;
        seed = UINT64_C(0xBADC0DE) + maker;
        for (unsigned i = 0; i < cases(maker, MUTATED_CASES); ++i) {
            const uint64_t from = seed;
            ts_descriptor d;
            make(&d, maker);
            for (uint32_t n = 1 + below(3); n > 0; --n)
                mutate(&d);
            if (beyond_the_reference(&d))
                continue;
            const ts_report report = judge(&d);
            const ts_status status = submit(&d, TS_CALL_DESCRIPTOR_ONLY);
            refusals += refused(&report);
            if (report.worst == TS_RESULT_OPEN || status == (refused(&report) ? TS_REJECTED : TS_OK))
                continue; /* no page says what is right where the result is open */
            if (++disagreements <= 8) {
                print_message("the backend returns status %d, the reference result %d\n", status, report.worst);
                print(&d, &report, from);
            }
        }
        assert_int_equal(disagreements, 0);
        assert_in_range(refusals, cases(maker, MUTATED_CASES / 10),
                        cases(maker, MUTATED_CASES / 10 * 9)); /* else the mutations are too weak or too strong */
    }
}

/* Descriptors of random bytes: there is no verdict to compare, but the backend must not crash. */
static void test_garbage(void **state)
{
    (void)state;
    seed = 12345;
    for (unsigned i = 0; i < GARBAGE_CASES; ++i) {
        const size_t maker = below(MAKER_COUNT);
        ts_descriptor d;
        operator_begin(&d, operators_find(makers[maker].name));
        for (size_t k = 0; k < sizeof d.attrs; k += 8) {
            const uint64_t noise = below(2) ? next() : some_number();
            memcpy(d.attrs + k, &noise, 8);
        }
        for (unsigned k = 0; k < TS_MAX_TENSORS; ++k) {
            ts_tensor *t = &d.tensors[k];
            unsigned char *bytes = (unsigned char *)t;
            for (size_t b = 0; b < sizeof *t; ++b)
                bytes[b] = (unsigned char)next();
            t->data = NULL;
            t->reported = NULL;
            if (below(4)) { /* far enough in to reach the arithmetic */
                t->dtype = 1 + below(15);
                t->rank = below(17);
                t->given = 15;
                t->flags = 0;
                t->alignment = 0;
                for (uint32_t n = 0; n < TS_MAX_DIMS; ++n) {
                    t->sizes[n] = some_number();
                    t->strides[n] = some_number();
                }
            }
        }
        d.attrs_given = (uint32_t)next();
        d.feature_level = below(2) ? 0 : (uint32_t)next();
        const ts_status status = submit(&d, TS_CALL_DESCRIPTOR_ONLY);
        assert_true(status == TS_OK || status == TS_REJECTED || !implements(maker));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operator_has_a_maker),
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_mutated),
        cmocka_unit_test(test_garbage),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
