/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates: the first byte says in which dialect and with which values the rest is compiled and evaluated. */
#include "fuzz/fuzz.h"
#include "harness/expr/expr.h"

static const char *const types[] = { "f32", "f16", "u8", NULL };
static const int64_t type_values[] = { 1, 2, 5 };
static const expr_name names[] = {
    { .name = "rank", .per = -1 },
    { .name = "dtype", .per = -1, .symbols = types, .symbol_values = type_values, .symbol_count = 3 },
    { .name = "size", .vector = true, .per = 0 },
    { .name = "stride", .vector = true, .per = 0 },
    { .name = "mask", .vector = true, .per = 1 },
    { .name = "end", .vector = true, .per = 1 },
};

static void evaluate(const expr *x, unsigned seed)
{
    static const int64_t extremes[] = { 0, 1, -1, 2, 7, INT64_MIN, INT64_MAX, INT32_MIN };
    expr_value values[sizeof names / sizeof names[0]];
    bool failed = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        values[i].length = names[i].vector ? seed % (EXPR_MAX_LENGTH + 1) : 1;
        for (unsigned k = 0; k < EXPR_MAX_LENGTH; ++k)
            values[i].v[k] = extremes[(seed + 3 * i + k) % 8];
    }
    expr_eval(x, values, &failed);
    for (uint32_t k = 0; k < EXPR_MAX_LENGTH; ++k)
        expr_eval_at(x, values, k, &failed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    error e;
    unsigned seed = size > 0 ? data[0] : 0;
    expr_scope scope = { .names = names, .count = sizeof names / sizeof names[0], .relaxed = seed & 1 };
    char *text = fuzz_string(size > 0 ? data + 1 : data, size > 0 ? size - 1 : 0);
    expr *conjuncts[8], *x = expr_compile(text, &scope, "fuzz", &e);
    if (x)
        evaluate(x, seed >> 1);
    expr_free(x);
    int count = expr_compile_conjuncts(text, &scope, "fuzz", conjuncts, 8, &e);
    for (int i = 0; i < count; ++i) {
        evaluate(conjuncts[i], seed >> 1);
        expr_free(conjuncts[i]);
    }
    free(text);
    return 0;
}
