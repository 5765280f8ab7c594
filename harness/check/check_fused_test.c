/* SPDX-License-Identifier: Apache-2.0 */
/* An activation that is fused with a ScaleBias: DirectML 1.15.4 refuses one of a Scale other than 1 and a Bias other
   than 0, and ignores every other one; no page says what it does. */
#include "harness/check/check.h"
#include "harness/check/check_suggest.h"
#include "harness/model/suggest_apply.h"
#include "harness/model/suggest_text.h"
#include "reference/operators.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define T(sizes) "{\"DataType\":\"FLOAT32\",\"Sizes\":" sizes "}"
static const char gemm[] = "{\"ATensor\":" T("[1,1,2,3]") ",\"BTensor\":" T("[1,1,3,4]") ",\"OutputTensor\":" T(
    "[1,1,2,4]") ",\"TransA\":0,\"TransB\":0,\"Alpha\":1,\"Beta\":1,\"FusedActivation\":%s}";
static const char convolution[] =
    "{\"InputTensor\":" T("[1,2,4,4]") ",\"FilterTensor\":" T("[3,2,2,2]") ",\"OutputTensor\":" T(
        "[1,3,3,3]") ",\"Mode\":0,\"Direction\":0,\"Strides\":[1,1],\"Dilations\":[1,1],\"StartPadding\":[0,0],"
                     "\"EndPadding\":[0,0],\"OutputPadding\":[0,0],\"GroupCount\":1,\"FusedActivation\":%s}";

/* Read a call that fuses a clip with this ScaleBias, or without one. */
static void read_call(const char *op, const char *format, const char *scale_bias, ts_descriptor *d)
{
    char clip[160], text[1600];
    error e;
    snprintf(clip, sizeof clip, "{\"Type\":\"ELEMENT_WISE_CLIP\",\"Desc\":{%s\"Min\":0,\"Max\":6}}", scale_bias);
    snprintf(text, sizeof text, format, clip);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    if (!descriptor_from_json(operators_find_known(op), json, d, NULL, &e))
        fail_msg("%s", e.text);
    json_decref(json);
}

/* The call breaks this clause alone, with this word in the message; without it, it breaks none. */
static void breaks(const char *op, const char *format, const char *scale_bias, const char *clause, const char *word)
{
    static ts_suggestion found;
    ts_descriptor d;
    ts_report report;
    char said[128];
    read_call(op, format, scale_bias, &d);
    memset(&report, 0, sizeof report);
    operator_check(&d, &report);
    assert_int_equal(report.count, clause ? 1 : 0);
    if (!clause)
        return;
    assert_string_equal(report.items[0].clause, clause);
    assert_int_equal(operator_clause(d.op, clause)->basis, TS_OBSERVED);
    if (!strstr(report.items[0].text, word))
        fail_msg("no '%s' in '%s'", word, report.items[0].text);
    check_suggest_find(&d, &report.items[0], &found);
    suggest_text(&d, &found, said, sizeof said);
    assert_string_equal(said, "FusedActivation without ScaleBias");
    assert_true(suggest_apply(&d, &found.options[0], 0));
    memset(&report, 0, sizeof report);
    operator_check(&d, &report);
    assert_int_equal(report.count, 0);
}

static void what_is_refused_or_ignored_is_said(void **state)
{
    static const struct {
        const char *op, *format, *refused, *ignored;
    } calls[] = {
        { "dml.gemm", gemm, "OP-11", "OP-12" },
        { "dml.convolution", convolution, "OP-17", "OP-18" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
        const char *op = calls[i].op, *format = calls[i].format;
        breaks(op, format, "", NULL, NULL);
        breaks(op, format, "\"ScaleBias\":null,", NULL, NULL);
        breaks(op, format, "\"ScaleBias\":{\"Scale\":1,\"Bias\":0},", NULL, NULL);
        breaks(op, format, "\"ScaleBias\":{\"Scale\":2,\"Bias\":1},", calls[i].refused, "refuses it");
        breaks(op, format, "\"ScaleBias\":{\"Scale\":2,\"Bias\":0},", calls[i].ignored, "ignores it");
        breaks(op, format, "\"ScaleBias\":{\"Scale\":1,\"Bias\":1},", calls[i].ignored, "ignores it");
    }
}

/* No other operator takes an activation that has a ScaleBias; one that did would need the clauses, too. */
static void every_operator_that_fuses_one_has_the_clauses(void **state)
{
    const ts_operator *op;
    unsigned fusing = 0;
    (void)state;
    for (size_t i = 0; (op = operators_known(i)); ++i) {
        bool fuses = false, says = false;
        for (unsigned k = 0; k < op->attr_count; ++k)
            for (unsigned n = 0; op->attrs[k].operators && op->attrs[k].operators[n]; ++n)
                fuses = fuses || operator_attr_index(op->attrs[k].operators[n], "ScaleBias") >= 0;
        for (unsigned k = 0; k < op->clause_count; ++k)
            says = says || strstr(op->clauses[k].text, "FusedActivation's ScaleBias");
        if (fuses != says)
            fail_msg("%s %s", op->name, fuses ? "has no such clause" : "has such a clause");
        fusing += fuses;
    }
    assert_int_equal(fusing, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused_or_ignored_is_said),
        cmocka_unit_test(every_operator_that_fuses_one_has_the_clauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
