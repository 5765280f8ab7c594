/* SPDX-License-Identifier: Apache-2.0 */
/* The shipped case files: they load, every case they describe is what it claims to be, and each of the five standard
   tests of an operator reaches every data type and every row of its support table. */
#include "cases/shipped.h"
#include "harness/casefile/casebuild.h"
#include "harness/model/descriptor.h"
#include "harness/casefile/quick.h"
#include "harness/testing/part.h"
#include "harness/testing/platform_testing.h"
#include "harness/testing/sanitizer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define SHARE       (UNDER_SANITIZER ? 5 : 1)
#define CHUNKS      (100 / SHARE) /* places of a test that are checked */
#define CHUNK       250           /* consecutive cases at each place */
#define DRAWN_CHUNK 5             /* the same of a drawn test, whose cases are all different */
#define RUN_EVERY   7             /* the reference runs every seventh case, */
#define RUN_BYTES   65536         /* if it is no larger */
#define MOST_ROWS   8

static int load_all(void **state)
{
    if (load_all_shipped(state) != 0)
        return -1;
    for (size_t i = 0; i < file_count; ++i) {
        error e;
        for (size_t t = 0; t < files[i]->test_count; ++t)
            if (!casefile_prepare(&files[i]->tests[t], &e)) {
                print_error("%s\n", e.text);
                return -1;
            }
    }
    return 0;
}

/* Fail if the walk ended because a predicate failed or a point could not be drawn. */
static void fail_if_broken(const space_cursor *c)
{
    error e;
    if (space_failed(c, &e))
        fail_msg("%s", e.text);
}

/* ---- every case is legal -------------------------------------------------------------------------------------------
 */

static bool is_out_of_range(const case_test *t)
{
    return strstr(t->name, "out_of_range") != NULL;
}

/* May some cases of a test have elements that their page leaves open: a parent that is no beam, a length of 0 (GT1-14), a
   masked shrink step (SS-16)? */
static bool strays(const case_test *t)
{
    return strcmp(t->name, "drawn_wide") == 0 || strcmp(t->file->op->name, "openvino.gather_tree") == 0 ||
           strcmp(t->file->op->name, "openvino.strided_slice") == 0;
}

static void give_memory(ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        ts_tensor *t = &d->tensors[k];
        t->data = NULL;
        if (t->given & TS_GIVEN_TENSOR) {
            t->data =
                malloc(t->total_bytes ? t->total_bytes : 1); /* exact, so that a sanitizer detects accesses beyond it */
            assert_non_null(t->data);
            memset(t->data, 0xA5, t->total_bytes);
        }
    }
}

static void take_memory(ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        free(d->tensors[k].data);
}

static bool has_duplicates(const case_test *t)
{
    return strcmp(t->name, "duplicates") == 0;
}

/* Run the reference on a case, and return how many elements are open. */
static ts_unspecified run_case(casebuild *b)
{
    ts_descriptor *d = &b->now.descriptor;
    ts_unspecified unspecified = { .count = 0 };
    error e;
    give_memory(d);
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (d->op->tensors[k].role == TS_INPUT && d->tensors[k].data && !casebuild_fill(b, k, &e))
            fail_msg("%s", e.text);
    d->op->run(d, &unspecified);
    take_memory(d);
    return unspecified;
}

static void check_case(const space_cursor *c, casebuild *b)
{
    ts_report report;
    char id[CASE_ID_SIZE];
    memset(&report, 0, sizeof report);
    operator_check(&b->now.descriptor, &report);
    if (operator_graver(report.worst, TS_RESULT_WARNING)) {
        space_format_id(c, id, sizeof id);
        fail_msg("%s: %s %s", id, report.items[0].clause, report.items[0].text);
    }
}

static void walk_test(const case_test *t)
{
    uint64_t points = space_points(t->space), walked = 0, undefined = 0, several = 0, ran = 0;
    casebuild b;
    error e;
    for (unsigned chunk = 0; chunk < CHUNKS; ++chunk) {
        uint64_t first = points / CHUNKS * chunk, end = chunk + 1 == CHUNKS ? points : points / CHUNKS * (chunk + 1);
        space_cursor c;
        casebuild_init(&b, t, TS_PROFILE_DEFAULT, 0, NULL);
        bool more = space_start(&c, t->space, first, end, NULL, NULL);
        for (unsigned n = 0; more && n < (t->draw ? DRAWN_CHUNK : CHUNK); ++n, more = space_next(&c)) {
            uint64_t bytes = 0;
            if (!casebuild_case(&b, &c, &e))
                fail_msg("%s", e.text);
            check_case(&c, &b);
            for (unsigned k = 0; k < b.now.descriptor.op->tensor_count; ++k)
                bytes += b.now.descriptor.tensors[k].total_bytes;
            if (walked++ % RUN_EVERY == 0 && bytes <= RUN_BYTES) {
                const ts_unspecified open = run_case(&b);
                undefined += open.count > 0;
                several += open.several > 0;
                ++ran;
            }
        }
        fail_if_broken(&c);
    }
    assert_true(walked > 0);
    const uint64_t beyond = is_out_of_range(t) ? ran : 0; /* each case of such a test has an index beyond its axis */
    if (strays(t) && !is_out_of_range(t) ? ran > 0 && undefined >= ran : undefined != beyond)
        fail_msg("%s:%s: %" PRIu64 " cases have undefined elements, not %" PRIu64, t->file->op->name, t->name,
                 undefined, beyond);
    if (has_duplicates(t))
        assert_int_equal(several, ran); /* each case has two updates of one element */
}

static void test_cases_are_legal(void **state)
{
    (void)state;
    for (size_t i = 0; i < file_count; ++i)
        for (size_t t = 0; part_has(i) && t < files[i]->test_count; ++t)
            if (files[i]->tests[t].kind == CASE_VALID)
                walk_test(&files[i]->tests[t]);
}

/* ---- examples ------------------------------------------------------------------------------------------------------
 */

static void check_example(const char *id, const casebuild *b)
{
    ts_report report;
    memset(&report, 0, sizeof report);
    operator_check(&b->now.descriptor, &report);
    if (b->now.invalid) {
        bool found = false;
        for (unsigned i = 0; i < report.count; ++i) {
            if (strcmp(report.items[i].clause, b->now.invalid) == 0)
                found = true;
            else if (report.items[i].result != TS_RESULT_WARNING)
                fail_msg("%s: breaks %s as well: %s", id, report.items[i].clause, report.items[i].text);
        }
        if (!found)
            fail_msg("%s: does not break %s", id, b->now.invalid);
    } else if (operator_graver(report.worst, b->now.ambiguous ? TS_RESULT_OPEN : TS_RESULT_WARNING)) {
        fail_msg("%s: %s %s", id, report.items[0].clause, report.items[0].text);
    }
}

/* Run an example and compare its outputs with the stated ones, bit for bit. */
static void compare_example(const char *id, casebuild *b)
{
    ts_descriptor *d = &b->now.descriptor;
    ts_unspecified unspecified = { .count = 0 };
    error e;
    give_memory(d);
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (d->op->tensors[k].role == TS_INPUT && d->tensors[k].data && !casebuild_fill(b, k, &e))
            fail_msg("%s: %s", id, e.text);
    ts_shape shapes[TS_MAX_TENSORS];
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        d->tensors[k].reported = operator_dependent(d->op, k) ? &shapes[k] : NULL;
    d->op->run(d, &unspecified);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        d->tensors[k].reported = NULL;
        ts_tensor expected = operator_result(d, k, &shapes[k]);
        if (d->op->tensors[k].role != TS_OUTPUT || !b->now.example->data[k])
            continue;
        expected.data = malloc(expected.total_bytes + 1);
        assert_non_null(expected.data);
        memset(expected.data, 0xA5, expected.total_bytes + 1);
        if (!descriptor_data_from_json(&expected, id, b->now.example->data[k], &e))
            fail_msg("%s: %s", id, e.text);
        if (memcmp(expected.data, d->tensors[k].data, expected.total_bytes) != 0)
            fail_msg("%s: the reference's %s is another one", id, d->op->tensors[k].name);
        free(expected.data);
    }
    take_memory(d);
}

static void test_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < file_count; ++i) {
        const case_test *t = &files[i]->tests[0];
        casebuild b;
        space_cursor c;
        error e;
        char id[CASE_ID_SIZE];
        assert_string_equal(t->name, "examples");
        casebuild_init(&b, t, TS_PROFILE_DEFAULT, 0, NULL);
        for (bool more = space_start(&c, t->space, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
            assert_true(casebuild_case(&b, &c, &e));
            space_format_id(&c, id, sizeof id);
            check_example(id, &b);
            if (!b.now.invalid)
                compare_example(id, &b);
        }
    }
}

/* Every legal example of DirectML states the values of its outputs, except the one that is too large. */
static void test_examples_state_their_outputs(void **state)
{
    (void)state;
    for (size_t i = 0; i < file_count; ++i)
        for (size_t k = 0; k < files[i]->example_count; ++k) {
            const case_example *x = &files[i]->examples[k];
            const ts_operator *op = files[i]->op;
            bool stated = false;
            for (unsigned t = 0; t < op->tensor_count; ++t)
                stated = stated || (op->tensors[t].role == TS_OUTPUT && x->data[t]);
            if (!stated && !x->invalid && !x->ambiguous && !op->openvino_types)
                fail_msg("%s: example %s states no output", op->name, x->name);
            if (!x->note)
                fail_msg("%s: example %s has no note", op->name, x->name);
        }
}

/* Every axis says what its values are. */
static void test_axes_are_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < file_count; ++i)
        for (size_t t = 0; t < files[i]->test_count; ++t)
            for (size_t a = 0; a < space_axis_count(files[i]->tests[t].space); ++a) {
                const space_axis *axis = space_axis_at(files[i]->tests[t].space, a);
                if (!axis->description)
                    fail_msg("%s:%s: axis '%s' has no description: op:axis(\"%s\", \"...\") { ... }",
                             files[i]->op->name, files[i]->tests[t].name, axis->name, axis->name);
            }
}

/* ---- coverage ------------------------------------------------------------------------------------------------------
 */

typedef struct coverage {
    casebuild *build;
    bool seen[TS_DTYPE_COUNT][MOST_ROWS];
    unsigned dtype, row; /* of the current class */
} coverage;

static bool is_new_class(void *context, const expr_value *values, unsigned inner)
{
    (void)inner;
    coverage *v = context;
    case_class c;
    assert_true(casebuild_class(v->build, values, &c));
    if (!c.has_level)
        return false;
    const ts_operator *op = c.shape.op;
    v->dtype = c.shape.tensors[0].dtype;
    for (v->row = 0; op->support[v->row].level != c.level; ++v->row)
        ;
    return !v->seen[v->dtype][v->row];
}

/* Mark the types and rows of the support table that a test reaches. */
static void find_coverage(const case_test *t, coverage *v)
{
    casebuild b;
    space_cursor c;
    casebuild_init(&b, t, TS_PROFILE_DEFAULT, 0, NULL);
    memset(v, 0, sizeof *v);
    v->build = &b;
    bool more = space_start(&c, t->space, 0, UINT64_MAX, is_new_class, v);
    while (more) {
        is_new_class(v, c.values, c.inner);
        v->seen[v->dtype][v->row] = true;
        uint64_t next = space_class_end(&c); /* one case of a class is enough */
        more = space_start(&c, t->space, next, UINT64_MAX, is_new_class, v);
    }
    fail_if_broken(&c);
}

static const case_test *find_test(const case_file *f, const char *name)
{
    for (size_t t = 0; t < f->test_count; ++t)
        if (strcmp(f->tests[t].name, name) == 0)
            return &f->tests[t];
    fail_msg("%s has no test '%s'", f->op->name, name);
    return NULL;
}

/* Some case must reach a row for each type that the row adds, or allows at more dimension counts than earlier rows: of
   the types that are judged in each of the tests, of the others in any. */
static bool row_matters(const ts_operator *op, unsigned row, unsigned dtype)
{
    if (!(op->support[row].tensors[0].dtypes & TS_DTYPE_BIT(dtype)))
        return false;
    for (unsigned earlier = 0; earlier < row; ++earlier)
        if ((op->support[earlier].tensors[0].dtypes & TS_DTYPE_BIT(dtype)) &&
            op->support[earlier].tensors[0].min_dims == op->support[row].tensors[0].min_dims &&
            op->support[earlier].tensors[0].max_dims == op->support[row].tensors[0].max_dims)
            return false;
    return true;
}

static void test_types_and_rows_are_reached(void **state)
{
    static const char *const tests[] = { "exhaustive", "pairwise", "boundary", "layout", "special" };
    unsigned missing = 0;
    (void)state;
    for (size_t i = 0; i < file_count; ++i)
        for (size_t t = 0; t < sizeof tests / sizeof tests[0]; ++t) {
            const ts_operator *op = files[i]->op;
            coverage v;
            find_coverage(find_test(files[i], tests[t]), &v);
            for (unsigned row = 0; row < op->support_count; ++row)
                for (unsigned d = 1; d < TS_DTYPE_COUNT; ++d)
                    if (row_matters(op, row, d) && operator_judges(op, d) && !v.seen[d][row]) {
                        print_error("%s:%s has no case of %s at feature level %s\n", op->name, tests[t],
                                    tensor_dtype(d)->id, tensor_level_name(op->support[row].level));
                        ++missing;
                    }
        }
    assert_int_equal(missing, 0);
}

static void test_types_that_are_not_judged_are_executed(void **state)
{
    unsigned missing = 0, types = 0;
    (void)state;
    for (size_t i = 0; i < file_count; ++i) {
        const ts_operator *op = files[i]->op;
        coverage all = { .build = NULL };
        for (size_t t = 0; op->unjudged && t < files[i]->test_count; ++t) {
            coverage v;
            if (files[i]->tests[t].kind != CASE_VALID || files[i]->tests[t].asked)
                continue;
            find_coverage(&files[i]->tests[t], &v);
            for (unsigned d = 1; d < TS_DTYPE_COUNT; ++d)
                for (unsigned row = 0; row < op->support_count; ++row)
                    all.seen[d][row] |= v.seen[d][row];
        }
        for (unsigned row = 0; row < op->support_count; ++row)
            for (unsigned d = 1; d < TS_DTYPE_COUNT; ++d) {
                if (!row_matters(op, row, d) || operator_judges(op, d))
                    continue;
                ++types;
                if (!all.seen[d][row]) {
                    print_error("%s: no test but the examples has %s at feature level %s\n", op->name,
                                tensor_dtype(d)->id, tensor_level_name(op->support[row].level));
                    ++missing;
                }
            }
    }
    assert_int_equal(missing, 0);
    assert_true(types > 0);
}

/* What a page prints is judged even where no other result of the type is: so it has to be the only result. Of sums it
   is, in every order, if all numbers are integers that the narrowest float holds. */
static void test_printed_examples_are_exact(void **state)
{
    unsigned printed = 0;
    (void)state;
    for (size_t i = 0; i < file_count; ++i)
        for (size_t k = 0; k < files[i]->example_count; ++k) {
            const case_example *x = &files[i]->examples[k];
            if (!x->printed || operator_judges(x->descriptor.op, x->descriptor.tensors[0].dtype))
                continue;
            ++printed;
            for (unsigned t = 0; t < x->descriptor.op->tensor_count; ++t)
                for (size_t n = 0; n < json_array_size(x->data[t]); ++n) {
                    const json_t *value = json_array_get(x->data[t], n);
                    if (!json_is_integer(value) || llabs(json_integer_value(value)) > 2048)
                        fail_msg("%s: example '%s' has a number that is not exact", x->descriptor.op->name, x->name);
                }
        }
    assert_int_equal(printed, 4); /* of CUMULATIVE_SUMMATION */
}

static void test_totals(void **state)
{
    uint64_t all = 0;
    (void)state;
    for (size_t i = 0; i < file_count; ++i) {
        uint64_t of_operator = 0;
        for (size_t t = 0; t < files[i]->test_count; ++t) {
            const case_test *test = &files[i]->tests[t];
            uint64_t count = 0;
            error e;
            if (!space_count(test->space, 0, UINT64_MAX, NULL, NULL, &count, &e))
                fail_msg("%s", e.text);
            print_message("%-28s %-14s %-10s %10llu\n", files[i]->op->name, test->name, case_tier_name(test->tier),
                          (unsigned long long)count);
            of_operator += test->tier <= TIER_FULL ? count : 0;
        }
        print_message("%-28s %-25s %10llu\n", files[i]->op->name, "tier full", (unsigned long long)of_operator);
        assert_true(of_operator >= 300000);
        all += of_operator;
    }
    print_message("%-54s %10llu\n", "all operators, tier full", (unsigned long long)all);
    assert_true(all >= 5000000);
}

/* Every line of cases/quick.txt and cases/known.txt is a case of an existing test. */
static void test_quick_is_up_to_date(void **state)
{
    quick_cases quick;
    uint64_t found = 0;
    error e;
    (void)state;
    assert_int_equal(testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases"), 0);
    if (!quick_read(&quick, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < file_count; ++i)
        for (size_t t = 0; t < files[i]->test_count; ++t) {
            case_test *test = &files[i]->tests[t];
            uint64_t cases = 0;
            if (!quick_has(&quick, test))
                continue;
            if (test->draw)
                space_set_draws(test->space, 0);
            if (!quick_choose(&quick, test, &e) || !space_count(test->space, 0, UINT64_MAX, NULL, NULL, &cases, &e))
                fail_msg("%s", e.text);
            found += cases;
        }
    assert_int_equal(found, quick.count); /* otherwise a line names an unknown test, or a case twice */
    quick_free(&quick);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_are_legal),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_examples_state_their_outputs),
        cmocka_unit_test(test_axes_are_described),
        cmocka_unit_test(test_types_and_rows_are_reached),
        cmocka_unit_test(test_types_that_are_not_judged_are_executed),
        cmocka_unit_test(test_printed_examples_are_exact),
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_quick_is_up_to_date), /* last: it narrows the spaces */
    };
    return cmocka_run_group_tests(tests, load_all, free_all_shipped);
}
