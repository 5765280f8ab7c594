/* SPDX-License-Identifier: Apache-2.0 */
/* Findings about outputs that are computed: the backend here is RANDOM_GENERATOR with each of the known mistakes. */
#include "harness/execute/execute_testing.h"
#include "harness/model/derive.h"

static const char generator[] =
    "local op = operator 'dml.random_generator'\n"
    "op:axis 'dtype' { 'u32' }\n"
    "op:bind { InputStateTensor = { DataType = 'dtype', Sizes = { 1, 1, 1, 6 } },\n"
    "  OutputTensor = { Sizes = { 1, 1, 1, 9 } }, OutputStateTensor = { Sizes = { 1, 1, 1, 6 } }, Type = 0 }\n"
    "local function call(name, state, n, strides)\n"
    "  op:example(name) { InputStateTensor = { DataType = 'UINT32', Sizes = { 1, 1, 1, 6 }, data = state },\n"
    "    OutputTensor = { DataType = 'UINT32', Sizes = { 1, 1, n, 2 }, Strides = strides }, Type = 0,\n"
    "    OutputStateTensor = { DataType = 'UINT32', Sizes = { 1, 1, 1, 6 } } }\n"
    "end\n"
    "local f = 0xffffffff\n"
    "call('plain', { 1, 2, 3, 4, 5, 6 }, 5)\n"
    "call('carry-1', { f, 2, 3, 4, 5, 6 }, 5)\n"
    "call('carry-2', { f, f, 3, 4, 5, 6 }, 5)\n"
    "call('carry-3', { f, f, f, 4, 5, 6 }, 5)\n"
    "call('turned', { 1, 2, 3, 4, 5, 6 }, 5, { 10, 10, 1, 5 })\n"
    "call('one', { 1, 2, 3, 4, 5, 6 }, 2)\n";

static void (*outputs)(const ts_descriptor *d); /* what the backend does */

static ts_status submit_outputs(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    (void)self;
    for (size_t i = 0; i < n; ++i) {
        ts_descriptor d;
        operator_begin(&d, operators_find(calls[i].op));
        memcpy(d.tensors, calls[i].tensors, calls[i].tensor_count * sizeof *d.tensors);
        outputs(&d);
        status[i] = TS_OK;
    }
    return TS_OK;
}

/* The findings of all examples. */
static void run_examples(case_file *file, outcome *o)
{
    static const ts_backend backend = {
        .struct_size = sizeof backend, .abi = TS_BACKEND_ABI, .query = fake_query, .submit = submit_outputs
    };
    fake f;
    fake_open(&f, RIGHT, 1);
    f.plugin.backend = &backend;
    run(&f, test_named(file, "examples"), o);
}

/* Each mistake is named by some finding, and no finding names mistakes without the one that was made. */
static void mistakes_are_named(void **state)
{
    (void)state;
    const ts_derivation *how = operators_derivation("dml.random_generator");
    case_file *file = load(generator);
    for (unsigned k = 0; k < how->mistake_count; ++k) {
        outcome o;
        bool named = false;
        outputs = how->mistakes[k].run;
        run_examples(file, &o);
        assert_true(o.first.finding_count > 0);
        for (size_t i = 0; i < o.first.finding_count; ++i) {
            const store_finding *g = &o.first.findings[i];
            if (!strstr(g->detail, "as if"))
                continue;
            if (!strstr(g->detail, how->mistakes[k].text))
                fail_msg("%s: \"%s\" has not \"%s\"", g->case_id, g->detail, how->mistakes[k].text);
            named = true;
        }
        if (!named)
            fail_msg("no finding names \"%s\": %s", how->mistakes[k].text, o.first.findings[0].detail);
        clear(&o);
    }
    casefile_free(file);
}

static void no_outputs(const ts_descriptor *d)
{
    (void)d;
}

static void advance_by_seven(const ts_descriptor *d)
{
    uint32_t word;
    d->op->run(d, NULL);
    memcpy(&word, d->tensors[0].data, sizeof word);
    word += 7;
    memcpy(d->tensors[2].data, &word, sizeof word);
}

static void key_into_counter(const ts_descriptor *d)
{
    d->op->run(d, NULL);
    memcpy((uint32_t *)d->tensors[2].data + 5, (uint32_t *)d->tensors[2].data + 4, sizeof(uint32_t));
}

static void one_bit(const ts_descriptor *d)
{
    d->op->run(d, NULL);
    *(unsigned char *)d->tensors[1].data ^= 1;
}

/* What is no known mistake is described as far as it was checked. */
static void other_outputs_are_described(void **state)
{
    (void)state;
    static const struct {
        void (*run)(const ts_descriptor *d);
        const char *text;
    } rows[] = {
        { no_outputs, "and the key (0x00000005, 0x00000006). It was never written: it still holds the poison; 10" },
        { advance_by_seven,
          "It is word 0 of the new counter, which advances by one per block of four outputs: by 3 for "
          "10 outputs; the counter that came was advanced by 7; 1 element differs." },
        { key_into_counter,
          "It is word 1 of the key, which a call does not change; the bits that came are those of word "
          "0 of the key; 1 element" },
        { one_bit, "It is word 0 of block 0, philox4x32_10 of the counter (0x00000001, 0x00000002, 0x00000003, "
                   "0x00000004) and the key (0x00000005, 0x00000006); 1 element differs." },
    };
    case_file *file = load(generator);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        outcome o;
        outputs = rows[i].run;
        run_examples(file, &o);
        if (!strstr(o.first.findings[0].detail, rows[i].text))
            fail_msg("\"%s\" has not \"%s\"", o.first.findings[0].detail, rows[i].text);
        clear(&o);
    }
    casefile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(other_outputs_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
