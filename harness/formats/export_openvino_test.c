/* SPDX-License-Identifier: Apache-2.0 */
/* The checker reads each exported file and must report the same verdict. */
#include "harness/formats/export_openvino.h"

#include "harness/check/check.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct seen {
    unsigned items;
    ts_report report;
    bool undecided;
} seen;

static bool look(void *context, const check_item *item, error *e)
{
    seen *s = context;
    const check_options options = { 0 };
    (void)e;
    ++s->items;
    s->undecided = item->undecided || !item->judged || item->broken || *item->note;
    check_judge_item(item, &options, 0, &s->report);
    return true;
}

/* Export a case and check the model. `bytes`: the size of expected.bin, or -1 where there is none; `inputs`: how many
   tensors the layer takes. */
static void check_exported_inputs(const char *id, const char *clause, long bytes, long inputs)
{
    char folder[] = "/tmp/touchstone-openvino-XXXXXX", path[64];
    case_view c;
    error e;
    seen s = { 0 };
    long expected = -1;
    static export_files files;
    const check_options options = { 0 };
    assert_int_equal(testing_folder(folder), 0);
    if (!case_view_find(&c, id, &e))
        fail_msg("%s: %s", id, e.text);
    if (!export_write(export_format_named("openvino-ir", &e), &c, &files, &e))
        fail_msg("%s: %s%s", id, files.why, e.text);
    case_view_close(&c);
    for (size_t i = 0; i < files.count; ++i) {
        const text *file = &files.list[i].bytes;
        if (strcmp(files.list[i].name, "expected.bin") == 0)
            expected = (long)file->length;
        snprintf(path, sizeof path, "%s/%s", folder, files.list[i].name);
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(file->data ? file->data : "", 1, file->length, f), file->length);
        fclose(f);
    }
    export_files_free(&files);
    assert_int_equal(expected, bytes);
    snprintf(path, sizeof path, "%s/model.xml", folder);
    if (!check_read_file(path, &options, look, &s, &e))
        fail_msg("%s: %s", id, e.text);
    assert_int_equal(s.items, 1);
    assert_false(s.undecided);
    if (clause && !operator_binds(operator_clause(c.build.now.descriptor.op, clause)))
        assert_int_equal(check_status(&s.report), EVALUATE_OPEN);
    else
        assert_int_equal(check_status(&s.report), clause ? EVALUATE_INVALID : EVALUATE_OK);
    if (clause)
        assert_string_equal(s.report.items[0].clause, clause);
    /* model.xml, model.bin, README.txt; expected.bin and data.bin, indices.bin, ... */
    assert_int_equal(testing_count(folder), bytes < 0 ? 3 : 4 + inputs);
    assert_int_equal(testing_remove(folder), 0);
}

static void check_exported(const char *id, const char *clause, long bytes)
{
    check_exported_inputs(id, clause, bytes, 1);
}

static void test_checker_reaches_the_verdict_of_the_case(void **state)
{
    (void)state;
    check_exported("openvino.strided_slice:examples:example=1", NULL, 4 * 3 * 2 * 2 * 3 * 2 * 4);
    check_exported("openvino.strided_slice:examples:example=begin-end-mask", NULL, 48);
    check_exported("openvino.strided_slice:examples:example=b4-shrink-ignores-end,dtype=u8", NULL, 1);
    check_exported("openvino.strided_slice:examples:example=b9-empty-reverse", NULL, 0);
    check_exported("openvino.strided_slice:examples:example=b10-new-axis-shrink,dtype=bf16", NULL, 12);
    check_exported("openvino.strided_slice:examples:example=1-as-printed", "SS-12", -1);
    check_exported("openvino.strided_slice:examples:example=clamping-as-printed", "SS-19", -1);
    check_exported("openvino.strided_slice:examples:example=b14-two-ellipses", "SS-04", -1);
    check_exported("openvino.strided_slice:examples:example=b14-mask-of-2", "SS-02", -1);
    check_exported("openvino.strided_slice:examples:example=b11-shrink-before,dtype=i64", "SS-09", -1);
    check_exported("openvino.strided_slice:examples:example=stride-zero", "SS-10", -1);
}

static void test_layers_of_several_tensors(void **state)
{
    (void)state;
    check_exported_inputs("openvino.gather_8:examples:example=1", NULL, 12, 2);
    check_exported_inputs("openvino.gather_8:examples:example=axis-beyond", "G8-06", -1, 2);
    check_exported_inputs("openvino.scatter_update:examples:example=2", NULL, 60, 3);
    check_exported_inputs("openvino.scatter_update:examples:example=axis-beyond", "SU3-13", -1, 3);
    check_exported_inputs("openvino.scatter_update:examples:example=flat-updates", "SU3-07", -1, 3);
    check_exported_inputs("openvino.scatter_elements_update_3:examples:example=axis-1", NULL, 36, 3);
    check_exported_inputs("openvino.scatter_elements_update_3:examples:example=more-indices", "SE3-14", -1, 3);
    check_exported_inputs("openvino.scatter_nd_update_3:examples:example=1", NULL, 32, 3);
    check_exported_inputs("openvino.scatter_nd_update_3:examples:example=long-tuple", "SN3-13", -1, 3);
    check_exported_inputs("openvino.gather_tree:examples:example=two-beams", NULL, 16, 4);
}

static void test_ir_cannot_express_the_case(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "dml.slice1:examples:example=1", "openvino.strided_slice:invalid-SS-01-begin:rank=1",
        "openvino.strided_slice:invalid-SS-01-data:rank=1",
        "openvino.scatter_update:examples:example=several", /* two answers */
    };
    for (unsigned i = 0; i < sizeof ids / sizeof *ids; ++i) {
        case_view c;
        error e;
        static export_files files;
        assert_true(case_view_find(&c, ids[i], &e));
        assert_false(export_write(export_format_named("openvino-ir", &e), &c, &files, &e));
        assert_true(*files.why);
        export_files_free(&files);
        case_view_close(&c);
    }
}

int main(void)
{
    testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checker_reaches_the_verdict_of_the_case),
        cmocka_unit_test(test_layers_of_several_tensors),
        cmocka_unit_test(test_ir_cannot_express_the_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
