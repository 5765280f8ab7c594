/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/observed.h"

#include "reference/dml/gather.h"
#include "reference/ledger.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* GATHER of {2,3} along axis 1 with three indices, in buffers of this test, prepared as the executor prepares them. */
typedef struct gather {
    case_instance instance;
    execute_item item;
    float in[6], golden[6], subject[6];
    uint32_t indices[3];
} gather;

static void make(gather *g, uint32_t first, uint32_t second, uint32_t third)
{
    static const uint64_t sizes[] = { 2, 3 }, index_sizes[] = { 1, 3 };
    const ts_dml_gather attrs = { 1, 1 };
    ts_descriptor *d = &g->instance.descriptor;
    memset(g, 0, sizeof *g);
    operator_begin(d, operators_find("dml.gather"));
    memcpy(d->attrs, &attrs, sizeof attrs);
    tensor_init(&d->tensors[0], TS_FLOAT32, 2, sizes);
    tensor_init(&d->tensors[1], TS_UINT32, 2, index_sizes);
    tensor_init(&d->tensors[2], TS_FLOAT32, 2, sizes);
    for (int i = 0; i < 6; ++i)
        g->in[i] = (float)(i + 1);
    g->indices[0] = first;
    g->indices[1] = second;
    g->indices[2] = third;
    unsigned char *const buffers[] = { (unsigned char *)g->in, (unsigned char *)g->indices,
                                       (unsigned char *)g->golden };
    for (unsigned t = 0; t < 3; ++t) {
        g->item.places[t].golden = g->item.places[t].subject = buffers[t];
        g->item.places[t].bytes = d->tensors[t].total_bytes;
        g->item.reported[t].rank = TS_RANK_UNREPORTED;
    }
    g->item.places[2].subject = (unsigned char *)g->subject;
    g->item.instance = &g->instance;
    g->item.status = TS_OK;
    item_run_reference(&g->item);
    memcpy(g->subject, g->golden, sizeof g->subject);
}

static void expect_observed(gather *g, const char *kind, const char *detail)
{
    char got_kind[96], got_detail[256];
    float golden[6];
    memcpy(golden, g->golden, sizeof golden);
    observed_subject entries[OBSERVED_MOST];
    assert_int_equal(observed_entries(&g->item, entries), 1);
    observed_describe(NULL, &g->item, &entries[0], got_kind, sizeof got_kind, got_detail, sizeof got_detail);
    assert_string_equal(got_kind, kind);
    assert_string_equal(got_detail, detail);
    assert_memory_equal(golden, g->golden, sizeof golden); /* restored */
}

static void known_interpretations_are_named(void **state)
{
    (void)state;
    gather g;
    make(&g, 2, 4, 0); /* clamped: 3 3 1, 6 6 4 */
    expect_observed(&g, "E-GA-10: our decision (clamped index)", "");
    const float flat[] = { 3, 5, 1, 6, 6, 4 }, wrapped[] = { 3, 2, 1, 6, 5, 4 };
    memcpy(g.subject, flat, sizeof flat);
    expect_observed(&g, "E-GA-10: another known interpretation (flat clamp)",
                    "OutputTensor[0,1] is 0x40a00000 (5); our decision gives 0x40400000 (3)");
    memcpy(g.subject, wrapped, sizeof wrapped);
    expect_observed(&g, "E-GA-10: another known interpretation (wrapped index)",
                    "OutputTensor[0,1] is 0x40000000 (2); our decision gives 0x40400000 (3)");
    /* One element of each is neither. */
    g.subject[1] = 5;
    expect_observed(&g, "E-GA-10: other than our decision (other values)",
                    "OutputTensor[0,1] is 0x40a00000 (5); our decision gives 0x40400000 (3)");
}

static void other_behaviour_is_named(void **state)
{
    (void)state;
    gather g;
    make(&g, 9, 1, 1);
    g.subject[0] = g.subject[3] = 0;
    expect_observed(&g, "E-GA-10: other than our decision (zero)",
                    "OutputTensor[0,0] is 0x00000000 (0); our decision gives 0x40400000 (3)");
    memset(&g.subject[0], item_poison(&g.item, 0), sizeof(float));
    g.subject[3] = g.golden[3];
    char kind[96], detail[256];
    observed_describe(NULL, &g.item, &(observed_subject){ "E-GA-10", TS_UNDEFINED }, kind, sizeof kind, detail,
                      sizeof detail);
    assert_string_equal(kind, "E-GA-10: other than our decision (not written)");
    g.item.status = TS_REJECTED;
    expect_observed(&g, "E-GA-10: refused", "");
    g.item.reported[2].rank = 2;
    g.item.reported[2].sizes[0] = 2;
    g.item.reported[2].sizes[1] = 1;
    expect_observed(&g, "E-GA-10: other than our decision (sizes [2,1])", "");
}

/* A descriptor that breaks a clause which binds nobody, and is executed. */
static void values_of_open_descriptors_are_named(void **state)
{
    (void)state;
    gather g;
    make(&g, 2, 1, 0);
    g.instance.invalid = "GA-07";
    expect_observed(&g, "E-GA-9: accepted", "breaks GA-07");
    g.instance.computed = true;
    expect_observed(&g, "E-GA-9: accepted: our decision (the leading index dimensions are ignored)", "breaks GA-07");
    g.subject[0] = 9;
    expect_observed(&g, "E-GA-9: accepted: other than our decision (other values)",
                    "breaks GA-07; OutputTensor[0,0] is 0x41100000 (9); our decision gives 0x40400000 (3)");
    memset(&g.subject[0], item_poison(&g.item, 0), sizeof(float));
    char kind[96], detail[256];
    observed_describe(NULL, &g.item, &(observed_subject){ "E-GA-9", TS_ONE_ANSWER }, kind, sizeof kind, detail,
                      sizeof detail);
    assert_string_equal(kind, "E-GA-9: accepted: other than our decision (not written)");
    g.item.status = TS_REJECTED;
    snprintf(g.item.note, sizeof g.item.note, "E_INVALIDARG");
    expect_observed(&g, "E-GA-9: refused", "breaks GA-07: E_INVALIDARG");
}

/* What an index beyond the axis selects is undefined, and nothing that an observation of another clause is about. */
static void undefined_elements_of_open_descriptors_do_not_count(void **state)
{
    (void)state;
    gather g;
    executor *x = calloc(1, sizeof *x);
    char kind[96], detail[256];
    const observed_subject o = { "E-GA-9", TS_ONE_ANSWER };
    assert_non_null(x);
    make(&g, 2, 4, 0); /* the second element of each row is undefined */
    g.instance.invalid = "GA-07";
    g.instance.computed = true;
    g.subject[1] = 99;
    observed_describe(x, &g.item, &o, kind, sizeof kind, detail, sizeof detail);
    assert_string_equal(kind, "E-GA-9: accepted: our decision (the leading index dimensions are ignored)");
    g.subject[2] = 99;
    observed_describe(x, &g.item, &o, kind, sizeof kind, detail, sizeof detail);
    assert_string_equal(kind, "E-GA-9: accepted: other than our decision (other values)");
    for (unsigned t = 0; t < TS_MAX_TENSORS; ++t)
        free(x->marks[t].map);
    free(x);
}

/* DirectML 1.15.4 on {4,5} along axis 1: its outputs, in the order of rows. */
static void flat_clamp_gives_directml_outputs(void **state)
{
    (void)state;
    static const uint64_t in_sizes[] = { 4, 5 }, index_sizes[] = { 1, 11 }, out_sizes[] = { 4, 11 };
    static const int32_t indices[] = { -1, -5, -6, -7, -10, -20, -25, -100, 5, 6, INT32_MIN };
    static const float expected[] = { 5,  1,  20, 20, 20, 20, 20, 20, 6,  7,  20, 10, 6,  5,  4,
                                      1,  20, 20, 20, 11, 12, 20, 15, 11, 10, 9,  6,  20, 20, 20,
                                      16, 17, 20, 20, 16, 15, 14, 11, 1,  20, 20, 20, 20, 20 };
    const ts_dml_gather attrs = { 1, 1 };
    const ts_operator *op = operators_find("dml.gather");
    float in[20], out[44];
    ts_descriptor d;
    operator_begin(&d, op);
    memcpy(d.attrs, &attrs, sizeof attrs);
    tensor_init(&d.tensors[0], TS_FLOAT32, 2, in_sizes);
    tensor_init(&d.tensors[1], TS_INT32, 2, index_sizes);
    tensor_init(&d.tensors[2], TS_FLOAT32, 2, out_sizes);
    for (int i = 0; i < 20; ++i)
        in[i] = (float)(i + 1);
    d.tensors[0].data = in;
    d.tensors[1].data = (void *)(uintptr_t)indices;
    d.tensors[2].data = out;
    for (unsigned i = 0; i < op->interpretation_count; ++i)
        if (strcmp(op->interpretations[i].name, "flat clamp") == 0)
            op->interpretations[i].run(&d);
    assert_memory_equal(out, expected, sizeof expected);
}

/* Each interpretation belongs to a ledger entry of its operator; each entry names our decision at most once. */
static void interpretations_belong_to_ledger_entries(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t k = 0; k < count; ++k) {
        const ts_operator *op = all[k];
        assert_true(!op->undefined || ledger_find(op->undefined));
        assert_true(!op->several || ledger_find(op->several));
        /* Of a declared operator, a published rule may allow several values: then the ledger has nothing about them. */
        assert_true(operators_declared(op) ? !op->answers == !op->accepts_several : !op->several == !op->answers);
        for (unsigned i = 0; i < op->interpretation_count; ++i) {
            const ledger_entry *entry = ledger_find(op->interpretations[i].entry);
            assert_non_null(entry);
            assert_string_equal(entry->op, op->name);
            for (unsigned j = 0; j < i; ++j)
                assert_false(strcmp(op->interpretations[j].entry, op->interpretations[i].entry) == 0 &&
                             !op->interpretations[i].run);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_interpretations_are_named),
        cmocka_unit_test(other_behaviour_is_named),
        cmocka_unit_test(values_of_open_descriptors_are_named),
        cmocka_unit_test(undefined_elements_of_open_descriptors_do_not_count),
        cmocka_unit_test(flat_clamp_gives_directml_outputs),
        cmocka_unit_test(interpretations_belong_to_ledger_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
