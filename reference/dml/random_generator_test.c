/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the reference with Random123, which the inventors of Philox published. */
#include "reference/dml/random_generator.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <Random123/philox.h>
#pragma GCC diagnostic pop

#define WORDS(...)                                                                                                     \
    (const uint32_t[])                                                                                                 \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
enum { STATE, OUT, OUT_STATE };

static ts_descriptor make(uint32_t rank, const uint64_t *sizes, bool with_state)
{
    ts_descriptor d;
    operator_begin(&d, operators_find("dml.random_generator"));
    operator_set_attr(&d, 0, (const int64_t[]){ 0 }, 1);
    tensor_init(&d.tensors[STATE], TS_UINT32, 4, SIZES(1, 1, 1, 6));
    tensor_init(&d.tensors[OUT], TS_UINT32, rank, sizes);
    if (with_state)
        tensor_init(&d.tensors[OUT_STATE], TS_UINT32, 4, SIZES(1, 1, 1, 6));
    return d;
}

/* N outputs from a state, packed; the new state replaces *state. */
static void generate(uint32_t state[6], uint64_t n, uint32_t *out)
{
    ts_descriptor d = make(1, &n, true);
    uint32_t before[6], next[6];
    memcpy(before, state, sizeof before);
    d.tensors[STATE].data = state;
    d.tensors[OUT].data = out;
    d.tensors[OUT_STATE].data = next;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.op->run(&d, NULL);
    assert_memory_equal(state, before, sizeof before); /* RG-10 */
    memcpy(state, next, sizeof next);
}

static void expect_vector(const uint32_t *state_words, uint64_t n, const uint32_t *expected, const uint32_t *counter)
{
    uint32_t state[6], out[16];
    memcpy(state, state_words, sizeof state);
    generate(state, n, out);
    assert_memory_equal(out, expected, n * sizeof *out);
    assert_memory_equal(state, counter, 4 * sizeof *counter);
    assert_memory_equal(state + 4, state_words + 4, 2 * sizeof *state);
}

static void known_answers(void **state)
{
    (void)state;
    const uint32_t f = UINT32_MAX;
    expect_vector(WORDS(0, 0, 0, 0, 0, 0), 4, WORDS(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8), WORDS(1, 0, 0, 0));
    expect_vector(WORDS(f, f, f, f, f, f), 4, WORDS(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd), WORDS(0, 0, 0, 0));
    expect_vector(WORDS(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0), 4,
                  WORDS(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1),
                  WORDS(0x243f6a89, 0x85a308d3, 0x13198a2e, 0x03707344));
}

/* The vectors of spec/rules.md: tails, and carries into every word. */
static void states_advance(void **state)
{
    (void)state;
    const uint32_t f = UINT32_MAX;
    expect_vector(WORDS(0, 0, 0, 0, 0, 0), 5, WORDS(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0xf8e4cca4),
                  WORDS(2, 0, 0, 0));
    expect_vector(WORDS(f, 0, 0, 0, 1, 2), 8,
                  WORDS(0x692858e1, 0xf906bbe0, 0xfc4d241f, 0x46ba3cd1, 0x40dc5355, 0x4962507b, 0x2cef26b5, 0x6b2f71c5),
                  WORDS(1, 1, 0, 0));
    expect_vector(WORDS(f, f, f, f, 3, 4), 9,
                  WORDS(0xda4f6772, 0x0d7d927f, 0x574c2b2f, 0x1490e158, 0x1955b60c, 0x46814a70, 0x682e0b3d, 0x30193e3c,
                        0x77c7d695),
                  WORDS(2, 0, 0, 0));
    expect_vector(WORDS(f - 1, f, 0, 0, 5, 6), 12,
                  WORDS(0xc4eb77f5, 0xfd5b4d52, 0x36226ffd, 0x789fb4c6, 0xf7b35442, 0x8c1555d7, 0x25c07fd0, 0x39aa5072,
                        0x8a4efab1, 0x52c21e4f, 0xf8aeca80, 0xb21f4cdf),
                  WORDS(1, 0, 1, 0));
}

static void random_states_agree_with_random123(void **state)
{
    (void)state;
    uint64_t seed = 5;
    unsigned carries[4] = { 0 };
    for (unsigned n = 0; n < 20000; ++n) {
        uint32_t words[6], out[64], before[6];
        for (unsigned w = 0; w < 6; ++w) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            words[w] =
                seed >> 63 ? (uint32_t)(seed >> 29) : UINT32_MAX - (uint32_t)(seed >> 58 & 3); /* about to carry */
        }
        memcpy(before, words, sizeof before);
        uint64_t count = 1 + n % 64;
        generate(words, count, out);
        philox4x32_ctr_t counter = { { before[0], before[1], before[2], before[3] } };
        philox4x32_key_t key = { { before[4], before[5] } };
        for (uint64_t i = 0; i < count; i += 4) {
            philox4x32_ctr_t block = philox4x32(counter, key);
            for (uint64_t k = i; k < i + 4 && k < count; ++k)
                assert_int_equal(out[k], block.v[k % 4]);
            for (unsigned w = 0; w < 4 && ++counter.v[w] == 0; ++w)
                ;
        }
        assert_memory_equal(words, counter.v, sizeof counter.v);
        for (unsigned w = 0; w < 4; ++w)
            carries[w] += counter.v[w] < before[w];
    }
    for (unsigned w = 0; w < 4; ++w)
        assert_true(carries[w] > 0); /* out of the last one: mod 2^128 */
}

/* E-RG-1: the page's example swaps the states before and after. Both directions are tested. */
static void example_of_the_page(void **state)
{
    (void)state;
    static const uint32_t cases[2][2] = { { 0x74746c65, 0x7479615c }, { 0x746f776e, 0x74746c65 } };
    const uint64_t n = 3 * 3 * 20 * 7219;
    uint32_t *out = malloc(n * sizeof *out);
    assert_non_null(out);
    for (unsigned i = 0; i < 2; ++i) {
        uint32_t words[6] = { cases[i][0], 0x6d536561, 0x6f46726f, 0x48656c6c, 1, 2 }, next[6];
        ts_descriptor d = make(4, SIZES(3, 3, 20, 7219), true);
        d.tensors[STATE].data = words;
        d.tensors[OUT].data = out;
        d.tensors[OUT_STATE].data = next;
        d.op->run(&d, NULL);
        assert_memory_equal(next, WORDS(cases[i][1], 0x6d536561, 0x6f46726f, 0x48656c6c, 1, 2), sizeof next);
    }
    free(out);
}

static void check_reports_each_clause(void **state)
{
    (void)state;
    ts_descriptor d = make(4, SIZES(1, 2, 3, 4), true);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_3_0;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_2_1;
    expect_clause(&d, "RG-01", TS_RESULT_UNSUPPORTED_FL);
    for (unsigned i = 0; i < 2; ++i) {
        d = make(4, SIZES(1, 2, 3, 4), true);
        memset(&d.tensors[i], 0, sizeof d.tensors[i]);
        if (i == STATE) /* RG-05 has nothing to compare with then */
            memset(&d.tensors[OUT_STATE], 0, sizeof d.tensors[i]);
        expect_clause(&d, "RG-01", TS_RESULT_INVALID);
    }
    d = make(4, SIZES(1, 2, 3, 4), false);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    operator_set_attr(&d, 0, (const int64_t[]){ 1 }, 1);
    expect_clause(&d, "RG-02", TS_RESULT_INVALID);
    for (unsigned i = 0; i < 3; ++i) {
        d = make(4, SIZES(1, 2, 3, 4), true);
        d.tensors[i].dtype = TS_INT32;
        expect_clause(&d, "RG-03", TS_RESULT_INVALID);
    }
    d = make(4, SIZES(1, 2, 3, 4), false);
    tensor_init(&d.tensors[STATE], TS_UINT32, 4, SIZES(1, 1, 6, 1));
    expect_clause(&d, "RG-04", TS_RESULT_INVALID);
    tensor_init(&d.tensors[STATE], TS_UINT32, 4, SIZES(1, 1, 1, 7));
    expect_clause(&d, "RG-04", TS_RESULT_INVALID);
    tensor_init(&d.tensors[STATE], TS_UINT32, 1, SIZES(6)); /* the output has another rank */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_3_1;
    expect_clause(&d, "RG-04", TS_RESULT_UNSUPPORTED_FL);
    tensor_init(&d.tensors[OUT_STATE], TS_UINT32, 1, SIZES(6));
    expect_clause(&d, "RG-04", TS_RESULT_UNSUPPORTED_FL);
    d.feature_level = TS_LEVEL_4_0;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    tensor_init(&d.tensors[OUT_STATE], TS_UINT32, 2, SIZES(1, 6));
    expect_clause(&d, "RG-05", TS_RESULT_INVALID);
    tensor_init(&d.tensors[OUT_STATE], TS_UINT32, 1, SIZES(5));
    expect_clause(&d, "RG-05", TS_RESULT_INVALID);
    assert_true(d.op->shape(&d));
    assert_int_equal(d.tensors[OUT_STATE].sizes[0], 6);
    d = make(3, SIZES(2, 3, 4), false);
    d.feature_level = TS_LEVEL_3_0;
    expect_clause(&d, "RG-06", TS_RESULT_UNSUPPORTED_FL);
}

/* Strides change addresses only, and OutputTensor does not depend on OutputStateTensor. */
static void layouts_change_addresses_only(void **state)
{
    (void)state;
    uint32_t packed[6], plain[6] = { 9, 8, 7, 6, 5, 4 }, words[16] = { 0 }, out[64], next[32];
    memcpy(packed, plain, sizeof packed);
    uint32_t expected[6];
    generate(packed, 6, expected);
    ts_descriptor d = make(2, SIZES(2, 3), true);
    for (unsigned w = 0; w < 6; ++w)
        words[2 * w] = plain[w];
    for (unsigned i = 0; i < 64; ++i)
        out[i] = next[i % 32] = 0xDEAD;
    d.tensors[STATE].strides[3] = 2;
    d.tensors[OUT].strides[0] = 3; /* transposed, with gaps */
    d.tensors[OUT].strides[1] = 10;
    d.tensors[OUT_STATE].strides[3] = 5;
    for (unsigned i = 0; i < 3; ++i)
        d.tensors[i].total_bytes = 4096;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[STATE].data = words;
    d.tensors[OUT].data = out;
    d.tensors[OUT_STATE].data = next;
    for (unsigned with_state = 2; with_state-- > 0;) {
        d.op->run(&d, NULL);
        for (unsigned i = 0; i < 6; ++i) {
            assert_int_equal(out[i / 3 * 3 + i % 3 * 10], expected[i]);
            assert_int_equal(next[5 * i], packed[i]);
        }
        assert_int_equal(out[1] & out[2] & next[1] & next[26], 0xDEAD);
        memset(&d.tensors[OUT_STATE], 0, sizeof d.tensors[OUT_STATE]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(states_advance),
        cmocka_unit_test(random_states_agree_with_random123),
        cmocka_unit_test(example_of_the_page),
        cmocka_unit_test(check_reports_each_clause),
        cmocka_unit_test(layouts_change_addresses_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
