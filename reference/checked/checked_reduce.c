/* SPDX-License-Identifier: Apache-2.0 */
/* DML_REDUCE_OPERATOR_DESC has a support table for each function. */
#include "reference/checked/checked.h"

/* In the order of checked_reduce_function. */
enum { ARGMAX, ARGMIN, AVERAGE, L1, L2, LOG_SUM, LOG_SUM_EXP, MAX, MIN, MULTIPLY, SUM, SUM_SQUARE };

#define F(function) (1u << (function))

/* clang-format off */
static const struct {
    uint32_t functions; /* a bit each */
    ts_level from;
    uint32_t in, out; /* TS_DTYPE_BIT of each type */
} rows[] = {
    { F(ARGMIN) | F(ARGMAX),
      TS_LEVEL_1_0, DML_FLOATS,
      T_U32 },
    { F(ARGMIN) | F(ARGMAX),
      TS_LEVEL_2_1, DML_8_TYPES,
      T_U32 },
    { F(ARGMIN) | F(ARGMAX),
      TS_LEVEL_3_0, DML_8_TYPES,
      T_I64 | T_I32 | T_U64 | T_U32 },
    { F(ARGMIN) | F(ARGMAX),
      TS_LEVEL_4_1, DML_8_TYPES | T_I64 | T_U64,
      T_I64 | T_I32 | T_U64 | T_U32 },
    { F(AVERAGE) | F(L2) | F(LOG_SUM) | F(LOG_SUM_EXP),
      TS_LEVEL_1_0, DML_FLOATS,
      DML_FLOATS },
    { F(AVERAGE) | F(L2) | F(LOG_SUM) | F(LOG_SUM_EXP),
      TS_LEVEL_3_0, DML_FLOATS,
      DML_FLOATS },
    { F(L1) | F(SUM_SQUARE),
      TS_LEVEL_1_0, DML_FLOATS,
      DML_FLOATS },
    { F(L1) | F(SUM_SQUARE),
      TS_LEVEL_3_0, DML_FLOATS,
      DML_FLOATS },
    { F(L1) | F(SUM_SQUARE),
      TS_LEVEL_5_0, DML_FLOATS | T_I64 | T_I32 | T_U64 | T_U32,
      DML_FLOATS | T_I64 | T_I32 | T_U64 | T_U32 },
    { F(MIN) | F(MAX),
      TS_LEVEL_1_0, DML_FLOATS,
      DML_FLOATS },
    { F(MIN) | F(MAX),
      TS_LEVEL_2_1, DML_FLOATS | T_I32 | T_U32,
      DML_FLOATS | T_I32 | T_U32 },
    { F(MIN) | F(MAX),
      TS_LEVEL_3_0, DML_8_TYPES,
      DML_8_TYPES },
    { F(MIN) | F(MAX),
      TS_LEVEL_5_0, DML_8_TYPES | T_I64 | T_U64,
      DML_8_TYPES | T_I64 | T_U64 },
    { F(MULTIPLY) | F(SUM),
      TS_LEVEL_1_0, DML_FLOATS,
      DML_FLOATS },
    { F(MULTIPLY) | F(SUM),
      TS_LEVEL_2_1, DML_FLOATS | T_I32 | T_U32,
      DML_FLOATS | T_I32 | T_U32 },
    { F(MULTIPLY) | F(SUM),
      TS_LEVEL_3_0, DML_FLOATS | T_I32 | T_U32,
      DML_FLOATS | T_I32 | T_U32 },
    { F(MULTIPLY) | F(SUM),
      TS_LEVEL_5_0, DML_FLOATS | T_I64 | T_I32 | T_U64 | T_U32,
      DML_FLOATS | T_I64 | T_I32 | T_U64 | T_U32 },
};
/* clang-format on */

static uint32_t function_of(const ts_descriptor *d)
{
    const int64_t function = checked_value(d, "Function", 0, 0);
    return function < 32 ? F(function) : 0;
}

void checked_reduced_equal(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    if (!(function_of(d) & (F(ARGMAX) | F(ARGMIN))))
        checked_same_type(d, rule, report);
}

void checked_reduced_types(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const ts_tensor *in = &d->tensors[0], *out = &d->tensors[1];
    checked_rule higher = *rule;
    bool allowed = false, known = false;
    if (in->dtype >= TS_DTYPE_COUNT || out->dtype >= TS_DTYPE_COUNT)
        return; /* BUF-02 */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const bool fits = (rows[i].in & TS_DTYPE_BIT(in->dtype)) && (rows[i].out & TS_DTYPE_BIT(out->dtype));
        if (!(rows[i].functions & function_of(d)))
            continue;
        known = true;
        if (d->feature_level == 0 || rows[i].from <= d->feature_level)
            allowed = fits; /* the last row that holds decides */
        else if (fits && !higher.until)
            higher.until = rows[i].from;
    }
    if (known && !allowed)
        checked_violate(&higher, report, -1, -1,
                        "Function = %s does not take InputTensor.DataType = %s with "
                        "OutputTensor.DataType = %s",
                        checked_reduce_function[checked_value(d, "Function", 0, 0)],
                        operator_dtype_name(d->op, in->dtype), operator_dtype_name(d->op, out->dtype));
}
