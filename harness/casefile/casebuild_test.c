/* SPDX-License-Identifier: Apache-2.0 */
/* A case is built from the previous case if little changed. The result must equal a case built from scratch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/casefile/casebuild.h"
#include "harness/testing/part.h"
#include "reference/operators.h"

#include <stdio.h>

#define CASES       10000u /* of each test */
#define DRAWN_CASES 250u   /* of one whose cases are drawn: neighbours have little in common, and a draw takes long */
#define ROOM        4096u  /* bytes of a tensor whose contents are compared */

/* Fill the inputs of a case that has data and is small. False where it is neither. */
static bool filled(casebuild *b, unsigned char buffers[TS_MAX_TENSORS][ROOM])
{
    ts_descriptor *d = &b->now.descriptor;
    error e;
    if (b->now.invalid || b->test->sparse)
        return false;
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (d->tensors[t].total_bytes > ROOM)
            return false;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        if (d->op->tensors[t].role != TS_INPUT || !(d->tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        d->tensors[t].data = buffers[t];
        const bool fine = casebuild_fill(b, t, &e);
        d->tensors[t].data = NULL;
        if (!fine)
            fail_msg("%s", e.text);
    }
    return true;
}

static case_file *load(const ts_operator *op)
{
    char path[1024];
    error e;
    case_file *f = casefile_path(op, path, sizeof path, &e) ? casefile_load_of(path, op, &e) : NULL;
    if (!f)
        fail_msg("%s", e.text);
    return f;
}

static void built_step_by_step(void **state)
{
    static unsigned char contents[2][TS_MAX_TENSORS][ROOM];
    size_t count, compared = 0;
    const ts_operator *const *all = operators_all(&count);
    (void)state;
    for (size_t o = 0; o < count; ++o) {
        error e;
        if (!part_has(o))
            continue;
        case_file *f = load(all[o]);
        for (size_t t = 0; t < f->test_count; ++t) {
            casebuild steps, fresh;
            space_cursor c, there;
            uint64_t n = 0;
            assert_true(casefile_prepare(&f->tests[t], &e));
            casebuild_init(&steps, &f->tests[t], 0, 0, NULL);
            const uint64_t most = space_is_drawn(f->tests[t].space) ? DRAWN_CASES : CASES;
            for (bool more = space_start(&c, f->tests[t].space, 0, UINT64_MAX, NULL, NULL); more && n < most;
                 more = space_next(&c), ++n) {
                if (!casebuild_case(&steps, &c, &e))
                    fail_msg("%s", e.text);
                const bool has_data = filled(&steps, contents[0]);
                if (n % 11 != 0)
                    continue;
                casebuild_init(&fresh, &f->tests[t], 0, 0, NULL);
                assert_true(space_start(&there, f->tests[t].space, c.index, c.index + 1, NULL, NULL));
                assert_true(casebuild_case(&fresh, &there, &e));
                char id[CASE_ID_SIZE];
                space_format_id(&c, id, sizeof id);
                if (memcmp(&steps.now.descriptor, &fresh.now.descriptor, sizeof fresh.now.descriptor) != 0)
                    fail_msg("%s is another descriptor after its predecessor than alone", id);
                if (steps.now.key != fresh.now.key)
                    fail_msg("%s is of another class after its predecessor than alone", id);
                if (has_data != filled(&fresh, contents[1]))
                    fail_msg("%s has data only after its predecessor, or only alone", id);
                for (unsigned i = 0; has_data && i < f->op->tensor_count; ++i) {
                    const ts_tensor *in = &fresh.now.descriptor.tensors[i];
                    if (f->op->tensors[i].role != TS_INPUT || !(in->given & TS_GIVEN_TENSOR))
                        continue;
                    if (memcmp(contents[0][i], contents[1][i], (size_t)in->total_bytes) != 0)
                        fail_msg("%s: %s has other data after its predecessor than alone", id, f->op->tensors[i].name);
                    ++compared;
                }
            }
            assert_true(n > 0);
        }
        casefile_free(f);
    }
    assert_true(compared > 1000);
}

/* A backend that has FLOAT32 alone is asked about descriptors of FLOAT32 alone: the class of a legal descriptor of an
   operator that is computed has its types and dimension counts. */
static void legal_descriptors_have_their_own_classes(void **state)
{
    (void)state;
    const ts_operator *op = operators_find("dml.element_wise_bit_and");
    error e;
    case_file *f = load(op);
    unsigned seen = 0;
    for (size_t t = 0; t < f->test_count; ++t) {
        casebuild b;
        space_cursor c;
        if (f->tests[t].kind != CASE_CHECKED || !f->tests[t].asked)
            continue;
        assert_true(casefile_prepare(&f->tests[t], &e));
        casebuild_init(&b, &f->tests[t], 0, 0, NULL);
        for (bool more = space_start(&c, f->tests[t].space, 0, 200, NULL, NULL); more; more = space_next(&c)) {
            case_class class;
            assert_true(casebuild_case(&b, &c, &e));
            assert_true(casebuild_class(&b, c.values, &class));
            for (unsigned k = 0; k < op->tensor_count; ++k) {
                assert_int_equal(class.shape.tensors[k].dtype, b.now.descriptor.tensors[k].dtype);
                assert_int_equal(class.shape.tensors[k].rank, b.now.descriptor.tensors[k].rank);
            }
            seen |= UINT32_C(1) << class.shape.tensors[0].dtype;
        }
    }
    assert_true(seen & (seen - 1)); /* there are several types */
    casefile_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_step_by_step),
        cmocka_unit_test(legal_descriptors_have_their_own_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
