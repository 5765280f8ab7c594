/* SPDX-License-Identifier: Apache-2.0 */
/* A backend that answers from what it remembers of earlier executions is found by one with other data. */
#include "harness/execute/execute_testing.h"

static const char cases[] = "local op = operator 'dml.element_wise_identity'\n"
                            "op:axis 'fill' { 'bits', 'injective' }\n"
                            "op:axis 'rank' { 3 }\n"
                            "op:axis 'dtype' { 'u32', 'u8' }\n"
                            "op:axis 'size' { 3, 1, 2, 4, 5, 6, 7, 8, per = 'rank' }\n"
                            "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Fill = 'fill' },\n"
                            "          OutputTensor = { Sizes = 'size' } }\n"
                            "op:test 'bits' { 'random bits', dtype = '*', size = '*' }\n"
                            "op:test 'numbers' { 'numbers', fill = { 'injective' }, size = '*' }\n";

enum { MOST = 4096, BYTES = 2048 };

/* What a backend remembers of calls: their outputs, by a number that stands for them. */
typedef struct memory {
    fake f; /* the backend that it asks; first, since it is the instance */
    bool by_data, learns;
    size_t count;
    struct {
        uint64_t call;
        unsigned char output[BYTES];
    } known[MOST];
} memory;

static uint64_t number_of(const memory *m, const ts_call *call)
{
    const ts_tensor *in = ts_call_tensor(call, 0);
    uint64_t sum = fill_mix(in->dtype + 1);
    for (uint32_t i = 0; i < in->rank; ++i)
        sum = fill_mix(sum + in->sizes[i]);
    for (uint64_t i = 0; m->by_data && i < in->total_bytes; ++i)
        sum = fill_mix(sum + ((const unsigned char *)in->data)[i]);
    return sum;
}

/* Answer with the remembered output; one that is not known is computed and remembered, or left as it is. */
static ts_status remembering_submit(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    memory *m = self;
    const ts_status all = fake_submit(self, calls, n, status);
    const ts_call *call = calls;
    for (size_t i = 0; i < n; ++i, call = ts_call_next(call)) {
        const ts_tensor *out = ts_call_tensor(call, 1);
        const uint64_t number = number_of(m, call);
        size_t k = 0;
        assert_true(out->total_bytes <= BYTES);
        while (k < m->count && m->known[k].call != number)
            ++k;
        if (k < m->count)
            memcpy(out->data, m->known[k].output, (size_t)out->total_bytes);
        else if (!m->learns)
            memset(out->data, 0, (size_t)out->total_bytes);
        else if (m->count < MOST) {
            m->known[m->count].call = number;
            memcpy(m->known[m->count++].output, out->data, (size_t)out->total_bytes);
        }
    }
    return all;
}

static const ts_backend remembering = {
    .struct_size = sizeof(ts_backend), .abi = TS_BACKEND_ABI, .query = fake_query, .submit = remembering_submit
};

static uint64_t run_seeded(memory *m, const case_test *t, uint64_t seed, outcome *o)
{
    const execute_options options = { .level = TS_LEVEL_6_4, .reproduce = "-b fake", .seed = seed };
    const uint64_t before = m->f.calls;
    run_limited(&m->f, t, &options, 1000, 100000, o);
    return m->f.calls - before;
}

static memory *memory_new(const ts_backend *backend)
{
    memory *m = calloc(1, sizeof *m);
    assert_non_null(m);
    fake_open(&m->f, RIGHT, 7);
    m->f.plugin.backend = backend;
    m->learns = true;
    return m;
}

/* One case of 64 is executed once more, and other cases where the seed is another. */
static void a_share_of_the_cases_has_other_data(void **state)
{
    (void)state;
    case_file *file = load(cases);
    memory *m = memory_new(&fake_backend);
    outcome o;
    const uint64_t calls = run_seeded(m, test_named(file, "bits"), 0, &o);
    assert_int_equal(o.cases[VERDICT_PASS], o.total);
    assert_in_range(calls, o.total + o.total / 128, o.total + o.total / 32);
    clear(&o);
    assert_int_equal(run_seeded(m, test_named(file, "bits"), 0, &o), calls);
    clear(&o);
    const uint64_t of_numbers = run_seeded(m, test_named(file, "numbers"), 0, &o); /* which are no random bits */
    assert_int_equal(of_numbers, o.total);
    clear(&o);
    free(m);
    casefile_free(file);
}

static void outputs_that_are_remembered_by_descriptor_fail(void **state)
{
    (void)state;
    case_file *file = load(cases);
    memory *m = memory_new(&remembering);
    outcome o;
    const uint64_t seeds[] = { 0, 5 };
    for (size_t i = 0; i < 2; ++i) {
        run_seeded(m, test_named(file, "bits"), seeds[i], &o);
        assert_in_range(o.cases[VERDICT_MISMATCH], o.total / 128, o.total / 32);
        assert_int_equal(o.cases[VERDICT_PASS] + o.cases[VERDICT_MISMATCH], o.total);
        const store_finding *f = &o.first.findings[0];
        assert_true(f->other_data);
        assert_null(f->rate);
        assert_int_equal(strstr(f->reproducer, " --seed 5") != NULL, i == 1);
        clear(&o);
    }
    free(m);
    casefile_free(file);
}

/* What the data of another run are follows from its seed. */
static void outputs_that_are_remembered_by_data_fail_with_another_seed(void **state)
{
    (void)state;
    case_file *file = load(cases);
    memory *m = memory_new(&remembering);
    outcome o;
    m->by_data = true;
    run_seeded(m, test_named(file, "bits"), 0, &o);
    assert_int_equal(o.cases[VERDICT_PASS], o.total);
    clear(&o);
    m->learns = false;
    run_seeded(m, test_named(file, "bits"), 0, &o);
    assert_int_equal(o.cases[VERDICT_PASS], o.total);
    clear(&o);
    run_seeded(m, test_named(file, "bits"), 1, &o);
    assert_in_range(o.cases[VERDICT_MISMATCH], o.total / 128, o.total / 32);
    clear(&o);
    free(m);
    casefile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_of_the_cases_has_other_data),
        cmocka_unit_test(outputs_that_are_remembered_by_descriptor_fail),
        cmocka_unit_test(outputs_that_are_remembered_by_data_fail_with_another_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
