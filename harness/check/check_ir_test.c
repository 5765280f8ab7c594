/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_ir.h"
#include "harness/check/check_testing.h"
#include "harness/testing/platform_testing.h"

#include <unistd.h>

static void ir_snippets_are_read(void **state)
{
    (void)state;
    assert_true(read_ir("<layer ... type=\"StridedSlice\" ...>\n <data begin_mask=\"0,1,1\" end_mask=\"1,1,1\" "
                        "new_axis_mask=\"0,0,0,0,0\" shrink_axis_mask=\"0,0\" ellipsis_mask=\"0\" />\n <input>"
                        "<port id=\"0\"><dim>2</dim><dim>3</dim><dim>4</dim></port>"
                        "<port id=\"1\"><dim>3</dim> <!-- begin: [1, 1, 123] --></port>"
                        "<port id=\"2\"><dim>3</dim></port><port id=\"3\"><dim>3</dim></port></input>\n"
                        "<output><port id=\"4\"><dim>1</dim><dim>3</dim>\n<dim>3</dim></port></output></layer>\n"
                        "<layer type=\"StridedSlice\"><input><port id=\"0\"><dim>2</dim></port>"
                        "<port id=\"1\"><dim>2</dim></port><port id=\"2\"><dim>2</dim></port></input>"
                        "<output><port id=\"3\"><dim>2</dim></port></output></layer>"));
    assert_int_equal(seen.count, 2);
    assert_string_equal(seen.list[0].clauses, "");
    assert_non_null(strstr(seen.list[0].note, "stride is not in the file: no edge leads to it"));
    assert_int_equal(seen.list[0].place.column, 1);
    assert_string_equal(seen.list[1].clauses, "SS-06");
    assert_int_equal(seen.list[1].place.line, 6);
    assert_true(check_add_profile(&seen.options, "ov_equal_masks", &seen.e));
    assert_true(read_ir("<layer type=\"StridedSlice\"><data begin_mask=\"0,1\" end_mask=\"1\" shrink_axis_mask=\"\"/>"
                        "<input><port id=\"0\"><dim>2</dim></port><port id=\"1\"><dim>1</dim></port>"
                        "<port id=\"2\"><dim>1</dim></port></input></layer>"));
    assert_string_equal(seen.list[0].clauses, "SS-03");
}

static void an_edge_from_a_missing_layer_is_said(void **state)
{
    (void)state;
    static const char *const begins[] = { "1", "7" };
    static const char *const notes[] = { "begin is not constant", "its edge begins at a layer that is not there" };
    for (size_t i = 0; i < 2; ++i) {
        char ir[1200];
        snprintf(
            ir, sizeof ir,
            "<net version=\"11\"><layers><layer id=\"0\" type=\"Parameter\"/><layer id=\"1\" type=\"Parameter\"/>"
            "<layer id=\"2\" type=\"StridedSlice\"><data begin_mask=\"0\" end_mask=\"0\"/><input>"
            "<port id=\"0\"><dim>4</dim></port><port id=\"1\"><dim>1</dim></port><port id=\"2\"><dim>1</dim></port>"
            "</input></layer></layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>"
            "<edge from-layer=\"%s\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/></edges></net>",
            begins[i]);
        assert_true(read_ir(ir));
        assert_non_null(strstr(seen.list[0].note, notes[i]));
    }
}

static void page_examples_have_expected_clauses(void **state)
{
    (void)state;
    static const char *const clauses[] = { "", "", "", "", "", "", "", "SS-12" }; /* the last one is E-SS-14 */
    error e;
    seen.count = 0;
    assert_true(check_read_file(TOUCHSTONE_SOURCE_DIR "/fuzz/seeds/ir/page_all.xml", &seen.options, see, NULL, &e));
    assert_int_equal(seen.count, 8);
    for (size_t i = 0; i < 8; ++i)
        assert_string_equal(seen.list[i].clauses, clauses[i]);
}

static void constants_are_read_from_the_bin_file(void **state)
{
    (void)state;
    error e;
    seen.count = 0;
    assert_true(check_read_file(TOUCHSTONE_SOURCE_DIR "/fuzz/seeds/ir/model.xml", &seen.options, see, NULL, &e));
    assert_int_equal(seen.count, 3);
    assert_string_equal(seen.list[0].note, "");
    assert_string_equal(seen.list[0].clauses, "");
    assert_string_equal(seen.list[1].clauses, "SS-12");
    assert_int_equal(seen.list[1].first.line, 88);
    assert_string_equal(seen.list[2].clauses, "SS-09");
    assert_string_equal(seen.list[2].legal, "begin[1] = -3 to 2");
}

/* An opset holds the latest version of each operator up to it. */
static void the_opset_chooses_the_version(void **state)
{
    (void)state;
    static const struct {
        const char *type, *opset, *name;
    } layers[] = {
        { "Gather", "opset1", "openvino.gather_1" },
        { "Gather", "opset6", "openvino.gather_1" },
        { "Gather", "opset7", "openvino.gather_7" },
        { "Gather", "opset8", "openvino.gather_8" },
        { "Gather", "opset16", "openvino.gather_8" },
        { "Gather", "opset17", NULL },
        { "Gather", "extension", NULL },
        { "Gather", "opset08x", NULL },
        { "Gather", NULL, "openvino.gather_1" },
        { "GatherND", "opset4", NULL },
        { "GatherND", "opset7", "openvino.gather_nd_5" },
        { "GatherND", "opset15", "openvino.gather_nd_8" },
        { "GatherElements", "opset5", NULL },
        { "GatherElements", "opset6", "openvino.gather_elements" },
        { "StridedSlice", "opset13", "openvino.strided_slice" },
        { "ScatterUpdate", "opset2", NULL },
        { "ScatterUpdate", "opset16", "openvino.scatter_update" },
        { "ScatterElementsUpdate", "opset3", "openvino.scatter_elements_update_3" },
        { "ScatterElementsUpdate", "opset11", "openvino.scatter_elements_update_3" },
        { "ScatterElementsUpdate", "opset12", NULL }, /* with reduction */
        { "ScatterElementsUpdate", NULL, "openvino.scatter_elements_update_3" },
        { "ScatterNDUpdate", "opset3", NULL },
        { "ScatterNDUpdate", "opset14", "openvino.scatter_nd_update_3" },
        { "ScatterNDUpdate", "opset15", NULL },
        { "Convolution", "opset1", NULL },
    };
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; ++i) {
        const ts_operator *op = ir_operator(layers[i].type, layers[i].opset);
        if (layers[i].name)
            assert_string_equal(op->name, layers[i].name);
        else
            assert_null(op);
    }
}

/* Layers that are not judged are counted by type and opset, those in bodies included. */
static bool see_layers(void *context, const check_item *item, error *e)
{
    (void)e;
    if (item->layers)
        *(check_layers *)context = *item->layers;
    return true;
}

static void other_layers_are_counted(void **state)
{
    static check_layers layers;
    static const char text[] =
        "<net version=\"11\"><layers><layer id=\"0\" type=\"Parameter\" version=\"opset1\"/>\n"
        "<layer id=\"1\" type=\"Relu\" version=\"opset1\"/><layer id=\"2\" type=\"Gelu\" version=\"opset7\"/>\n"
        "<layer id=\"3\" type=\"Gelu\" version=\"opset2\"/><layer id=\"4\" type=\"Gelu\" version=\"opset7\"/>"
        "<layer id=\"5\" type=\"If\" version=\"opset8\"><then_body><layers><layer id=\"0\" type=\"Relu\" "
        "version=\"opset1\"/><layer id=\"1\" type=\"Relu\" version=\"opset1\"/></layers></then_body></layer>"
        "</layers></net>";
    source_text t;
    error e;
    (void)state;
    seen.options.go_on = true;
    assert_true(source_text_copy(&t, "a.xml", text, sizeof text - 1, &e));
    assert_true(check_read_ir(&t, NULL, &seen.options, see_layers, &layers, &e));
    source_text_free(&t);
    assert_int_equal(layers.total, 7);
    assert_int_equal(layers.count, 4);
    assert_string_equal(layers.list[0].type, "Relu");
    assert_int_equal(layers.list[0].count, 3);
    assert_int_equal(layers.list[0].place.line, 2);
    assert_string_equal(layers.list[1].opset, "opset7");
    assert_int_equal(layers.list[1].count, 2);
}

static void broken_ir_is_refused_with_a_place(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        { "", "no element found" },
        { "<net>\n<layers>\n<layer id=\"1\">\n", "test.xml:4:1: the file ends inside <layer>, which begins in line 3" },
        { "<net>\n<layers>\n<layer id=", "the file ends inside a tag" },
        { "<layer type=\"Gather\" version=\"opset8\"><data batch_dims=\"zero\"/><input><port id=\"0\"><dim>1</dim></port>"
          "</input></layer>",
          "batch_dims=\"zero\" is no integer" },
        { "<net><layers><layer type=\"StridedSlice\"></net>", "mismatched tag" },
        { "<!DOCTYPE a [<!ENTITY b \"c\">]><net/>", "document type declaration" },
        { "<net/>", " or StridedSlice layer in it" },
        { "<layer type=\"StridedSlice\"><input><port><dim>two</dim></port></input></layer>", "is no size" },
        { "<layer type=\"StridedSlice\"><data begin_mask=\"0;1\"/></layer>", "is no list of integers" },
        { "<layer id=\"x\" type=\"StridedSlice\"/>", "is no number" },
        { "<net><layers><layer id=\"0\" type=\"Const\"><data offset=\"0\"/></layer><layer id=\"1\" "
          "type=\"StridedSlice\"><input><port id=\"0\"/><port id=\"1\"/></input></layer></layers><edges><edge "
          "from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"1\"/></edges></net>",
          "offset and size" },
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        assert_false(read_ir(files[i][0]));
        assert_int_equal(seen.e.status, EXIT_BAD_USAGE);
        if (!strstr(seen.e.text, files[i][1]))
            fail_msg("\"%s\" has no \"%s\"", seen.e.text, files[i][1]);
    }
    static const char *const nested[] = { "<layer/>", "<port/>", "<layer type=\"StridedSlice\"/>" };
    for (size_t i = 0; i < 3; ++i) { /* elements that do not belong into a dimension */
        char text[256];
        snprintf(text, sizeof text,
                 "<layer type=\"StridedSlice\"><input><port id=\"0\"><dim>2%s</dim></port></input>"
                 "</layer>",
                 nested[i]);
        assert_true(read_ir(text));
    }
    char deep[4096] = "";
    for (int i = 0; i < 300; ++i)
        strcat(deep, "<a>");
    assert_false(read_ir(deep));
    assert_non_null(strstr(seen.e.text, "nested deeper than 256"));
}

static void constants_outside_the_bin_file_are_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/check_test_XXXXXX", path[64];
    error e;
    assert_int_equal(testing_folder(folder), 0);
    snprintf(path, sizeof path, "%s/m.xml", folder);
    FILE *file = fopen(path, "w");
    fputs("<net><layers><layer id=\"0\" type=\"Const\"><data element_type=\"i64\" shape=\"1\" "
          "offset=\"18446744073709551615\" size=\"8\"/></layer>\n<layer id=\"1\" type=\"StridedSlice\"><input>"
          "<port id=\"0\"><dim>2</dim></port><port id=\"1\"><dim>1</dim></port><port id=\"2\"><dim>1</dim></port>"
          "</input></layer></layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"1\"/>"
          "</edges></net>",
          file);
    fclose(file);
    seen.count = 0;
    assert_true(check_read_file(path, &seen.options, see, NULL, &e)); /* without the .bin: not known */
    assert_non_null(strstr(seen.list[0].note, "m.bin: No such file or directory"));
    char bin[64];
    snprintf(bin, sizeof bin, "%s/m.bin", folder);
    file = fopen(bin, "w");
    fputs("12345678", file);
    fclose(file);
    assert_false(check_read_file(path, &seen.options, see, NULL, &e));
    assert_non_null(strstr(e.text, ":1:14: a Const layer in bytes 18446744073709551615"));
    unlink(path);
    unlink(bin);
    rmdir(folder);
}

#define DIMS_2_3 "<dim>2</dim><dim>3</dim>"
#define LAYER(type, version, data, dims, picks, axis, out)                                                             \
    "<layer type=\"" type "\" version=\"" version "\">" data "<input><port id=\"0\">" dims "</port>"                   \
    "<port id=\"1\">" picks "</port>" axis "</input><output><port id=\"3\">" out "</port></output></layer>"
#define AXIS "<port id=\"2\"/>"
#define SCATTER(type, version, picks, updates, axis, out)                                                              \
    LAYER(type, version, "", DIMS_2_3, picks, "<port id=\"2\">" updates "</port>" axis, out)

/* The layers of operators with several input tensors, as the pages print them: with sizes, and with dynamic ones. */
static void layers_with_several_tensors_are_judged(void **state)
{
    (void)state;
    static const struct {
        const char *ir, *clauses;
        bool judged, undecided;
    } cases[] = {
        { LAYER("GatherElements", "opset6", "<data axis=\"1\"/>", DIMS_2_3, "<dim>2</dim><dim>5</dim>", "",
                "<dim>2</dim><dim>5</dim>"),
          "", true, false },
        { LAYER("GatherElements", "opset6", "<data axis=\"2\"/>", DIMS_2_3, DIMS_2_3, "", DIMS_2_3), "GE6-06", true,
          false },
        { LAYER("GatherElements", "opset6", "", DIMS_2_3, DIMS_2_3, "", DIMS_2_3), "GE6-01", true, false },
        { LAYER("GatherElements", "opset6", "<data axis=\"1\"/>", DIMS_2_3, "<dim>4</dim><dim>5</dim>", "",
                "<dim>4</dim><dim>5</dim>"),
          "GE6-08", true, false },
        { LAYER("GatherElements", "opset6", "<data axis=\"1\"/>", DIMS_2_3, "<dim>2</dim><dim>5</dim>", "",
                "<dim>2</dim><dim>3</dim>"),
          "GE6-09", true, false },
        { LAYER("GatherElements", "opset6", "<data axis=\"1\"/>", "<dim>-1</dim><dim>3</dim>", /* the batch is 4 */
                "<dim>4</dim><dim>-1</dim>", "", "<dim>4</dim><dim>7</dim>"),
          "", true, true },
        { LAYER("GatherElements", "opset6", "<data axis=\"1\"/>", "<dim>-1</dim><dim>3</dim>",
                "<dim>4</dim><dim>5</dim>", "", "<dim>9</dim><dim>5</dim>"),
          "GE6-09", true, true }, /* whatever the batch of data is, the output has that of indices */
        { LAYER("GatherElements", "opset6", "<data axis=\"1\"/>", DIMS_2_3, "", "", DIMS_2_3), "GE6-07", false, false },
        /* the axis is an input, and is not in these files: any axis may be meant */
        { LAYER("Gather", "opset8", "<data batch_dims=\"1\"/>", DIMS_2_3, "<dim>2</dim>", AXIS, "<dim>2</dim>"), "",
          true, true },
        { LAYER("Gather", "opset8", "<data batch_dims=\"1\"/>", DIMS_2_3, "<dim>4</dim>", AXIS, "<dim>2</dim>"),
          "G8-14", true, true },
        { LAYER("Gather", "opset7", "<data batch_dims=\"4\"/>", DIMS_2_3, "<dim>2</dim>", AXIS, "<dim>2</dim>"),
          "G7-12", true, true },
        { LAYER("Gather", "opset1", "", DIMS_2_3, "", AXIS, "<dim>3</dim>"), "", true, true }, /* one index */
        { LAYER("Gather", "opset1", "", DIMS_2_3, "<dim>4</dim>", AXIS, "<dim>2</dim><dim>4</dim>"), "", true, true },
        { LAYER("Gather", "opset1", "", DIMS_2_3, "<dim>4</dim>", AXIS, "<dim>2</dim><dim>9</dim>"), "G1-07", true,
          true },
        { LAYER("Gather", "opset1", "", DIMS_2_3, "<dim>4</dim>", "<port id=\"2\"><dim>2</dim></port>",
                "<dim>2</dim><dim>4</dim>"),
          "G1-01", true, true },
        { LAYER("Gather", "opset1", "", DIMS_2_3, "<dim>4</dim>", "", "<dim>2</dim><dim>4</dim>"), "G1-01", true,
          false },
        { SCATTER("ScatterUpdate", "opset3", "<dim>2</dim>", DIMS_2_3, AXIS, DIMS_2_3), "", true, true },
        { SCATTER("ScatterUpdate", "opset3", "<dim>5</dim>", "<dim>2</dim><dim>5</dim>", AXIS, DIMS_2_3), "", true,
          true }, /* along axis 1 */
        { SCATTER("ScatterUpdate", "opset3", "<dim>5</dim>", "<dim>4</dim><dim>4</dim>", AXIS, DIMS_2_3), "SU3-07",
          true, true }, /* along none */
        { SCATTER("ScatterUpdate", "opset3", "<dim>2</dim>", DIMS_2_3, "", DIMS_2_3), "SU3-01", true, false },
        { SCATTER("ScatterUpdate", "opset3", "<dim>2</dim>", DIMS_2_3, AXIS, "<dim>2</dim>"), "SU3-06", true, true },
        { SCATTER("ScatterUpdate", "opset3", "<dim>-1</dim>", "<dim>-1</dim><dim>3</dim>", AXIS, DIMS_2_3), "", true,
          true },
        { SCATTER("ScatterElementsUpdate", "opset3", "<dim>1</dim><dim>2</dim>", "<dim>1</dim><dim>2</dim>", AXIS,
                  DIMS_2_3),
          "", true, true },
        { SCATTER("ScatterElementsUpdate", "opset11", "<dim>1</dim><dim>4</dim>", "<dim>1</dim><dim>4</dim>", AXIS,
                  DIMS_2_3),
          "SE3-14", true, true },
        { SCATTER("ScatterNDUpdate", "opset4", "<dim>5</dim><dim>1</dim>", "<dim>5</dim><dim>3</dim>", "", DIMS_2_3),
          "", true, false },
        { SCATTER("ScatterNDUpdate", "opset14", "<dim>5</dim><dim>3</dim>", "<dim>5</dim>", "", DIMS_2_3), "SN3-13",
          true, false },
        { SCATTER("ScatterNDUpdate", "opset4", "<dim>5</dim><dim>-1</dim>", "<dim>5</dim>", "", DIMS_2_3), "", true,
          true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_true(read_ir(cases[i].ir));
        assert_int_equal(seen.count, 1);
        if (strcmp(seen.list[0].clauses, cases[i].clauses) != 0)
            fail_msg("%s: '%s', expected '%s'", cases[i].ir, seen.list[0].clauses, cases[i].clauses);
        if (seen.list[0].judged != cases[i].judged || seen.list[0].undecided != cases[i].undecided)
            fail_msg("%s: judged %d, undecided %d", cases[i].ir, seen.list[0].judged, seen.list[0].undecided);
    }
}

/* An axis that is a constant of no dimension or of one, and of two values. */
static void a_single_integer_is_read_from_the_bin_file(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *size, *clauses;
    } axes[] = { { "", "4", "" }, { "1", "4", "" }, { "2", "8", "G8-01" }, { "1,1", "4", "G8-01" } };
    char folder[] = "/tmp/check_test_XXXXXX", path[64], bin[64];
    error e;
    assert_int_equal(testing_folder(folder), 0);
    snprintf(path, sizeof path, "%s/m.xml", folder);
    snprintf(bin, sizeof bin, "%s/m.bin", folder);
    FILE *file = fopen(bin, "wb");
    fwrite((const int32_t[]){ -1, 0 }, 4, 2, file);
    fclose(file);
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; ++i) {
        file = fopen(path, "w");
        fprintf(
            file,
            "<net><layers><layer id=\"0\" type=\"Const\"><data element_type=\"i32\" shape=\"%s\" offset=\"0\" "
            "size=\"%s\"/></layer>\n<layer id=\"1\" type=\"Gather\" version=\"opset8\"><input><port id=\"0\">" DIMS_2_3
            "</port><port id=\"1\"><dim>7</dim></port><port id=\"2\"/></input><output><port id=\"3\"><dim>2</dim>"
            "<dim>7</dim></port></output></layer></layers><edges><edge from-layer=\"0\" from-port=\"0\" "
            "to-layer=\"1\" to-port=\"2\"/></edges></net>",
            axes[i].shape, axes[i].size);
        fclose(file);
        seen.count = 0;
        assert_true(check_read_file(path, &seen.options, see, NULL, &e));
        assert_int_equal(seen.count, 1);
        assert_string_equal(seen.list[0].clauses, axes[i].clauses);
        assert_false(seen.list[0].undecided && !axes[i].clauses[0]);
    }
    unlink(path);
    unlink(bin);
    rmdir(folder);
}

/* The shape of NonZero's output depends on data: any number of elements that data may give is right. A type that a port
   does not have is that of output_type. */
static void output_sizes_that_depend_on_data(void **state)
{
    static const struct {
        const char *data, *rank, *found, *clauses;
    } layers[] = {
        { "", "4", "-1", "" },
        { "output_type=\"i64\"", "4", "0", "" },
        { "output_type=\"i32\"", "4", "24", "" },
        { "output_type=\"i32\"", "4", "25", "NZ3-07" },
        { "output_type=\"i32\"", "3", "-1", "NZ3-07" },
        { "output_type=\"u8\"", "4", "-1", "NZ3-04" }, /* a type, but not one of these */
    };
    (void)state;
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; ++i) {
        char ir[600];
        snprintf(ir, sizeof ir,
                 "<layer type=\"NonZero\" version=\"opset3\"><data %s/><input><port id=\"0\"><dim>1</dim><dim>2</dim>"
                 "<dim>3</dim><dim>4</dim></port></input><output><port id=\"1\"><dim>%s</dim><dim>%s</dim></port>"
                 "</output></layer>",
                 layers[i].data, layers[i].rank, layers[i].found);
        assert_true(read_ir(ir));
        assert_string_equal(seen.list[0].clauses, layers[i].clauses);
    }
    assert_false(read_ir("<layer type=\"NonZero\"><data output_type=\"int\"/><input><port id=\"0\"><dim>1</dim></port>"
                         "</input></layer>"));
    assert_non_null(strstr(seen.e.text, "output_type=\"int\" is not i64 or i32"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(ir_snippets_are_read, reset),
        cmocka_unit_test_setup(layers_with_several_tensors_are_judged, reset),
        cmocka_unit_test_setup(a_single_integer_is_read_from_the_bin_file, reset),
        cmocka_unit_test_setup(an_edge_from_a_missing_layer_is_said, reset),
        cmocka_unit_test_setup(page_examples_have_expected_clauses, reset),
        cmocka_unit_test_setup(constants_are_read_from_the_bin_file, reset),
        cmocka_unit_test_setup(the_opset_chooses_the_version, reset),
        cmocka_unit_test_setup(other_layers_are_counted, reset),
        cmocka_unit_test_setup(broken_ir_is_refused_with_a_place, reset),
        cmocka_unit_test_setup(constants_outside_the_bin_file_are_refused, reset),
        cmocka_unit_test_setup(output_sizes_that_depend_on_data, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
