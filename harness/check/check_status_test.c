/* SPDX-License-Identifier: Apache-2.0 */
/* What check finds in files, by the exit status that it ends with, and by what it prints of each kind. */
#include "harness/cli/command.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

static char folder[] = "/tmp/check_status_test_XXXXXX";
static char *printed, *complained; /* by the last command */

static int run(int argc, char **argv)
{
    return testing_run(cmd_check, argc, argv, NULL, &printed, &complained);
}

#define CHECK(...)                                                                                                     \
    run((int)(sizeof(char *[]){ "check", __VA_ARGS__ } / sizeof(char *)), (char *[]){ "check", __VA_ARGS__, NULL })

static int set_up(void **state)
{
    (void)state;
    assert_int_equal(testing_folder(folder), 0);
    return chdir(folder);
}

static int tear_down(void **state)
{
    (void)state;
    free(printed);
    free(complained);
    return chdir("/") == 0 ? testing_remove(folder) : -1;
}

/* Check a file of this name and text. Words that have to be printed follow, up to a NULL. */
static void check_text(int status, const char *name, const char *text, ...)
{
    va_list words;
    const char *word;
    assert_int_equal(testing_write(name, text), 0);
    const int got = CHECK((char *)(uintptr_t)name);
    if (got != status)
        fail_msg("%s\nstatus %d, not %d:\n%s%s", text, got, status, printed, complained);
    va_start(words, text);
    while ((word = va_arg(words, const char *)))
        if (!strstr(printed, word) && !strstr(complained, word))
            fail_msg("%s\nlacks \"%s\":\n%s%s", text, word, printed, complained);
    va_end(words);
    unlink(name);
}

#define T(sizes, more) "{\"DataType\":\"FLOAT32\",\"Sizes\":" sizes more "}"
#define WINDOW         "\"DimensionCount\":1,\"InputWindowOffsets\":[0],\"InputWindowSizes\":[4],\"InputWindowStrides\":[1]"
#define SLICE_OF(type, in, out, window)                                                                                \
    "{" type ",\n\"desc\":{\"InputTensor\":" in ",\n\"OutputTensor\":" out ",\n" window "}}"
#define SLICE(in, out, window) SLICE_OF("\"type\":\"DML_OPERATOR_SLICE1\"", in, out, window)
#define MODEL(dispatchable)    "{\"dispatchables\":{\"a\":\n" dispatchable "}}"
#define GEMM(rest)                                                                                                     \
    "{\"type\":\"DML_OPERATOR_GEMM\",\"desc\":{\"ATensor\":" T("[1,1,2,3]", "") ",\"BTensor\":" T(                     \
        "[1,1,3,4]", "") ",\"OutputTensor\":" T("[1,1,2,4]", "") ",\n\"Alpha\":1.0,\"Beta\":1.0" rest "}}"
#define TRANSFORMS ",\"TransA\":\"NONE\",\"TransB\":\"DML_MATRIX_TRANSFORM_NONE\""
#define SUM(exclusive)                                                                                                 \
    "{\"type\":\"CUMULATIVE_SUMMATION\",\"desc\":{\"InputTensor\":" T("[1,1,2,3]", "") ",\"OutputTensor\":" T(         \
        "[1,1,2,3]", "") ",\"Axis\":3,\"AxisDirection\":\"INCREASING\",\n\"HasExclusiveSum\":" exclusive "}}"

/* What DxDispatch's parser refuses of a descriptor that DirectML's pages allow. */
static void dxdispatch_refuses(void **state)
{
    static const char good[] = MODEL(SLICE(T("[4]", ""), T("[4]", ""), WINDOW));
    (void)state;
    check_text(0, "m.json", good, "valid\n", NULL);
    check_text(0, "m.json", MODEL(GEMM(TRANSFORMS)), "valid\n", NULL);
    check_text(0, "m.json", MODEL(SUM("true")), "valid\n", NULL);
    check_text(4, "m.json", MODEL(SLICE_OF("\"Type\":\"SLICE1\"", T("[4]", ""), T("[4]", ""), WINDOW)),
               "dml.slice1: refused\n", "DXD-01  2:9: warning: \"Type\" is given, \"type\" is missing\n",
               "DxDispatch refuses this; the pages of DirectML do not\n", "1 descriptor: 0 valid, 1 refused\n", NULL);
    check_text(0, "m.json",
               MODEL(SLICE_OF("\"type\":\"SLICE1\",\"Type\":\"SLICE1\"", T("[4]", ""), T("[4]", ""), WINDOW)),
               "valid\n", NULL);
    check_text(4, "m.json",
               MODEL(SLICE_OF("\"type\":\"GEMM\",\"Type\":\"SLICE1\"", T("[4]", ""), T("[4]", ""), WINDOW)),
               "dml.slice1: refused\n", "DXD-02", "takes \"Type\", \"SLICE1\", for the operator", NULL);
    check_text(4, "m.json", MODEL(SLICE(T("[4]", ",\"Strides\":null"), T("[4]", ""), WINDOW)),
               "DXD-03  3:67: warning: InputTensor.Strides is null", NULL);
    check_text(4, "m.json", MODEL(GEMM(TRANSFORMS ",\"CTensor\":null")), "DXD-03  3:", "CTensor is null", NULL);
    check_text(4, "m.json", MODEL(GEMM(TRANSFORMS ",\"FusedActivation\":null")), "FusedActivation is null", NULL);
    check_text(4, "m.json", MODEL(SLICE(T("[4.0]", ""), T("[4]", ""), WINDOW)),
               "DXD-04  3:54: warning: InputTensor.Sizes[0] = 4.0, where an integer is expected\n", NULL);
    check_text(4, "m.json", MODEL(SUM("0")), "DXD-05  3:19: warning: HasExclusiveSum = 0, where true or false is",
               NULL);
    check_text(4, "m.json",
               MODEL(SLICE(T("[4]", ""), T("[4]", ""),
                           "\"InputWindowOffsets\":[0],\"InputWindowSizes\":[4],\"InputWindowStrides\":[1]")),
               "DXD-06  3:8: warning: DimensionCount is missing\n", NULL);
    check_text(4, "m.json", MODEL(GEMM(",\"TransA\":\"NONE\",\"TransB\":\"TRANSFORM_NONE\"")),
               "DXD-07  3:", "TransB = \"TRANSFORM_NONE\", where \"NONE\" is expected\n", NULL);
    check_text(4, "m.json", MODEL(GEMM(",\"TransA\":0,\"TransB\":\"NONE\"")), "TransA = 0, where \"NONE\" is expected",
               NULL);
    check_text(4, "m.json", MODEL(SLICE("{\"DataType\":\"f32\",\"Sizes\":[4]}", T("[4]", ""), WINDOW)),
               "DXD-07  3:", "InputTensor.DataType = \"f32\", where \"FLOAT32\" is expected\n", NULL);
    for (size_t i = 0; i < 3; ++i) { /* quoted numbers are none */
        static const char *const values[] = { "\"2\"", "true", "\"0x2\"" };
        char text[600];
        snprintf(text, sizeof text,
                 MODEL("{\"type\":\"ACTIVATION_ELU\",\"desc\":{\"InputTensor\":" T(
                     "[4]", "") ","
                                "\"OutputTensor\":" T("[4]", "") ",\"Alpha\":%s}}"),
                 values[i]);
        check_text(64, "m.json", text, "Alpha: expected a number of type FLOAT32, found a", NULL);
        snprintf(text, sizeof text, MODEL(SLICE(T("[%s]", ""), T("[4]", ""), WINDOW)), values[i]);
        check_text(64, "m.json", text, "unreadable  3:54: InputTensor.Sizes[0]: expected an integer, found a", NULL);
        snprintf(text, sizeof text, MODEL(SLICE(T("[4]", ",\"TotalTensorSizeInBytes\":%s"), T("[4]", ""), WINDOW)),
                 values[i]);
        check_text(64, "m.json", text, "InputTensor.TotalTensorSizeInBytes: expected an integer, found a", NULL);
    }
    check_text(4, "m.json", MODEL(SLICE(T("[4]", ",\"Flags\":0"), T("[4]", ""), WINDOW)),
               "InputTensor.Flags = 0, where \"NONE\" is expected\n", NULL);
}

#define WHOLE(commands)                                                                                                \
    "{\"resources\":{\"r\":{\"initialValuesDataType\":\"FLOAT32\",\"initialValues\":[1,2,3,4]},\n"                     \
    "\"s\":{\"initialValuesDataType\":\"FLOAT32\",\"initialValues\":[1,2,3,4]}},\n"                                    \
    "\"dispatchables\":{\"a\":\n" SLICE(T("[4]", ""), T("[4]", ""), WINDOW) "}" commands "}"
#define DISPATCH(binding)                                                                                              \
    "{\"type\":\"dispatch\",\"dispatchable\":\"a\",\"bindings\":{\"InputTensor\":" binding ",\"OutputTensor\":\"s\"}}"

/* And what it refuses of a model. */
static void dxdispatch_refuses_models(void **state)
{
    (void)state;
    check_text(0, "m.json", WHOLE(",\n\"commands\":[" DISPATCH("\"r\"") "]"), "1 descriptor: 1 valid\n", NULL);
    check_text(
        0, "m.json",
        WHOLE(",\n\"commands\":[" DISPATCH(
            "{\"name\":\"r\",\"format\":\"R32_FLOAT\"}") ",\n"
                                                         "{\"type\":\"writeFile\",\"resource\":\"s\",\"targetPath\":\"s.npy\"}]"),
        "1 descriptor: 1 valid\n", NULL);
    check_text(4, "m.json",
               WHOLE(",\n\"commands\":[" DISPATCH("\"r\"") ",\n{\"type\":\"writeFile\",\"resource\":\"s\"}]"),
               "m.json:9:1: command: refused\n", "DXD-08  warning: a command writeFile without \"targetPath\"",
               "2 descriptors: 1 valid, 1 refused\n", NULL);
    check_text(4, "m.json", WHOLE(",\n\"commands\":[" DISPATCH("{\"name\":\"r\",\"format\":\"R32_FLAOT\"}") "]"),
               "DXD-09  8:98: warning: format \"R32_FLAOT\" is no DXGI_FORMAT (did you mean 'R32_FLOAT'?)\n", NULL);
    check_text(4, "m.json", WHOLE(""), "DXD-10  warning: the model has no \"commands\"\n", NULL);
}

/* A name that is misspelt is read as the one that is meant, and named with its place, whatever the format is. */
static void a_misspelt_name_is_one_status(void **state)
{
    (void)state;
    check_text(64, "r.json",
               "{\"operator\":\"dml.gather\",\"descriptor\":{\n\"InputTensor\":" T(
                   "[3,2]", "") ",\"IndicesTensor\":"
                                "{\"DataType\":\"UINT32\",\"Sizes\":[1,2]},\n\"Axs\":5,\"IndexDimensions\":1}}",
               "unreadable  3:1: dml.gather: no field \"Axs\" (did you mean \"Axis\"?)",
               "note: Axs is judged as Axis\n", "Axis = 5", NULL);
    check_text(64, "m.json",
               MODEL(SLICE(T("[4]", ""), T("[5]", ""),
                           "\"InputWindowOfsets\":[0],\"DimensionCount\":1,"
                           "\"InputWindowSizes\":[4],\"InputWindowStrides\":[1]")),
               "unreadable  5:1: dml.slice1: no field \"InputWindowOfsets\" (did you mean \"InputWindowOffsets\"?)",
               "note: InputWindowOfsets is judged as InputWindowOffsets\n", "SL-08", NULL);
    check_text(64, "m.json",
               MODEL(SLICE("{\"DataType\":\"FLOAT32\",\"Size\":[4],\"Stride\":[1]}", T("[5]", ""), WINDOW)),
               "unreadable  3:45: InputTensor: no field \"Size\" (did you mean \"Sizes\"?)",
               "note: Stride is judged as Strides\n", "SL-08", NULL);
    check_text(64, "m.json",
               MODEL("{\"type\":\"SLICE1\",\"desc\":{\"InputTensr\":" T(
                   "[4]", ",\"Strides\":[]") ",\"OutputTensor\":" T("[5]", "") "," WINDOW "}}"),
               "note: InputTensr is judged as InputTensor\n", "SL-08", NULL);
    check_text(64, "m.xml",
               "<net version=\"11\"><layers>\n<layer id=\"1\" name=\"g\" type=\"GatherND\" version=\"opset8\">\n"
               "<data batch_dim=\"5\"/><input><port id=\"0\" precision=\"FP32\"><dim>2</dim><dim>3</dim></port>"
               "<port id=\"1\" precision=\"I32\"><dim>2</dim><dim>1</dim></port></input><output><port id=\"2\" "
               "precision=\"FP32\"><dim>2</dim></port></output></layer></layers></net>",
               "unreadable  3:1: GatherND: no attribute \"batch_dim\" (did you mean \"batch_dims\"?)",
               "note: batch_dim is judged as batch_dims\n", "batch_dims = 5", NULL);
    check_text(64, "m.json",
               MODEL("{\"type\":\"SLICE1\",\n\"executionFlag\":\"NONE\",\"desc\":{\"InputTensor\":" T(
                   "[4]", "") ",\"OutputTensor\":" T("[4]", "") "," WINDOW "}}"),
               "unreadable  3:1: the dispatchable: no member \"executionFlag\" (did you mean \"executionFlags\"?)",
               NULL);
    check_text(64, "r.json", "{\"operator\":\"dml.gem\",\"descriptor\":{}}", "did you mean dml.gemm?\n", NULL);
    check_text(64, "r.json", "{\"operator\":\"DML_OPERATOR_GEMM\",\"descriptor\":{}}", "did you mean dml.gemm?\n",
               NULL);
    check_text(64, "m.json", MODEL("{\"type\":\"DML_OPERATOR_GEM\",\"desc\":{}}"), "did you mean DML_OPERATOR_GEMM?\n",
               NULL);
    check_text(0, "m.json", MODEL("{\"type\":\"hlsl\",\"sourcePath\":\"a.hlsl\"}"), "unknown operator", NULL);
    check_text(0, "m.json", MODEL(SLICE(T("[4]", ""), T("[4]", ""), "\"Comment\":\"quite another\"," WINDOW)),
               "valid\n  note: desc.Comment is not known here and was ignored\n", NULL);
}

/* A limit of Touchstone is no verdict. */
static void limits_are_no_verdict(void **state)
{
    char text[2400] = "{\"operator\":\"dml.join\",\"descriptor\":{\"InputTensors\":[";
    (void)state;
    for (int i = 0; i < 17; ++i)
        strcat(text, i ? "," T("[1,1]", "") : T("[1,1]", ""));
    strcat(text, "],\"OutputTensor\":" T("[1,17]", "") ",\"Axis\":1}}");
    check_text(5, "r.json", text, "dml.join: beyond what Touchstone judges\n",
               "LIMIT-01  1:54: warning: InputTensors: 17 tensors, of which Touchstone judges up to 16\n",
               "1 not fully judged: 1 beyond what Touchstone judges\n", NULL);
#define NINE "{\"type\":\"f32\",\"shape\":[1,1,1,1,1,1,1,1,3]}"
    check_text(5, "r.json",
               "{\"operator\":\"openvino.gather_8\",\"descriptor\":{\"data\":" NINE
               ",\"indices\":{\"type\":\"i32\",\"shape\":[3]},\"output\":" NINE ",\"axis\":8}}",
               "openvino.gather_8: beyond what Touchstone judges\n", "G8-02", "beyond what Touchstone judges: data",
               NULL);
    check_text(1, "m.json", /* DirectML allows no more than 8 */
               MODEL(SLICE(T("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", ""), T("[1]", ""), WINDOW)), "invalid\n", NULL);
    check_text(1, "r.json",
               "{\"operator\":\"dml.element_wise_identity\",\"descriptor\":{\"InputTensor\":" T("[1,1,1,1,1,1,1,1,1]",
                                                                                                "") "}}",
               "invalid\n", NULL);
}

static void the_gravest_decides(void **state)
{
    (void)state;
    static const char refused[] = MODEL(SLICE(T("[4.0]", ""), T("[4]", ""), WINDOW));
    static const char invalid[] = MODEL(SLICE(T("[4]", ""), T("[5]", ""), WINDOW));
    static const char both[] = MODEL(SLICE(T("[4.0]", ""), T("[5]", ""), WINDOW));
    static const char misspelt[] = "{\"operator\":\"dml.gem\",\"descriptor\":{}}";
    static const char beyond[] = "{\"operator\":\"openvino.gather_8\",\"descriptor\":{\"data\":" NINE
                                 ",\"indices\":{\"type\":\"i32\",\"shape\":[3]},\"output\":" NINE ",\"axis\":8}}";
    assert_int_equal(testing_write("refused.json", refused), 0);
    assert_int_equal(testing_write("invalid.json", invalid), 0);
    assert_int_equal(testing_write("both.json", both), 0);
    assert_int_equal(testing_write("misspelt.json", misspelt), 0);
    assert_int_equal(testing_write("beyond.json", beyond), 0);
    assert_int_equal(CHECK("beyond.json"), EXIT_BEYOND);
    assert_int_equal(CHECK("refused.json", "beyond.json"), EXIT_REFUSED);
    assert_int_equal(CHECK("both.json"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "invalid\n"));
    assert_non_null(strstr(printed, "DXD-04"));
    assert_int_equal(CHECK("refused.json", "invalid.json", "beyond.json"), EXIT_FAILURES);
    assert_int_equal(CHECK("invalid.json", "misspelt.json", "refused.json"), EXIT_BAD_USAGE);
    assert_int_equal(CHECK("-q", "misspelt.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(complained, "misspelt.json:1:1: \"dml.gem\": "));
    assert_int_equal(CHECK("-q", "refused.json"), EXIT_REFUSED);
    assert_string_equal(printed, "");
    /* --strict is about what was not judged */
    assert_int_equal(CHECK("--strict", "refused.json"), EXIT_REFUSED);
    assert_int_equal(CHECK("--strict", "beyond.json"), EXIT_FAILURES);

    assert_int_equal(CHECK("--json", "refused.json"), EXIT_REFUSED);
    json_t *list = json_loads(printed, 0, NULL), *item = json_array_get(list, 0);
    assert_string_equal(json_string_value(json_object_get(item, "status")), "refused");
    json_t *finding = json_array_get(json_object_get(item, "findings"), 0);
    assert_string_equal(json_string_value(json_object_get(finding, "rule")), "DXD-04");
    assert_string_equal(json_string_value(json_object_get(finding, "result")), "refused");
    assert_string_equal(json_string_value(json_object_get(finding, "by")), "DxDispatch");
    assert_int_equal(json_integer_value(json_object_get(finding, "line")), 3);
    json_decref(list);

    assert_int_equal(CHECK("--sarif", "refused.json"), EXIT_REFUSED);
    json_t *log = json_loads(printed, 0, NULL), *first = json_array_get(json_object_get(log, "runs"), 0);
    json_t *result = json_array_get(json_object_get(first, "results"), 0);
    json_t *rules = json_object_get(json_object_get(json_object_get(first, "tool"), "driver"), "rules");
    json_t *rule = json_array_get(rules, (size_t)json_integer_value(json_object_get(result, "ruleIndex")));
    assert_string_equal(json_string_value(json_object_get(result, "level")), "warning");
    assert_string_equal(json_string_value(json_object_get(rule, "id")), "DXD-04");
    json_decref(log);
}

/* What the user allows is shown, and sets no status. */
static void warnings_can_be_allowed(void **state)
{
    (void)state;
    assert_int_equal(CHECK("--allow", "DXD-04", "refused.json"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "valid\n"));
    assert_non_null(strstr(printed, "DXD-04  3:54: warning, allowed: "));
    assert_int_equal(CHECK("--allow", "dxd-03", "--allow", "dxd-04", "refused.json"), EXIT_CONFORMANT);
    assert_int_equal(CHECK("--allow", "DXD-03", "refused.json"), EXIT_REFUSED);
    assert_int_equal(CHECK("--allow", "DXD-04", "both.json"), EXIT_FAILURES);      /* SL-08 is a clause */
    assert_int_equal(CHECK("--allow", "SL-08", "invalid.json"), EXIT_BAD_USAGE);   /* and no warning */
    assert_int_equal(CHECK("--allow", "LIMIT-01", "beyond.json"), EXIT_BAD_USAGE); /* what is not judged is not valid */
    assert_int_equal(CHECK("--allow", "E-GA-9", "--allow", "OP-14", "refused.json"), EXIT_REFUSED);
    assert_int_equal(CHECK("--allow", "DXD-4", "refused.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(complained, "no clause, rule or entry of the ledger \"DXD-4\" (did you mean 'DXD-0"));
    assert_int_equal(CHECK("--allow", "DXD-04", "--json", "refused.json"), EXIT_CONFORMANT);
    json_t *list = json_loads(printed, 0, NULL), *item = json_array_get(list, 0);
    json_t *finding = json_array_get(json_object_get(item, "findings"), 0);
    assert_string_equal(json_string_value(json_object_get(item, "status")), "valid");
    assert_string_equal(json_string_value(json_object_get(finding, "result")), "allowed");
    json_decref(list);
}

/* Files are read by the end of their names in any case, and as others write them. */
static void files_are_read_by_any_spelling(void **state)
{
    static const char good[] = "// a comment\n" SLICE(T("[4]", ""), T("[4]", ""), WINDOW);
    static const char ir[] = "\n <?xml version=\"1.0\"?>\n<net version=\"11\"><layers>\n"
                             "<layer id=\"1\" name=\"g\" type=\"Gathr\" version=\"opset8\"/></layers></net>";
    (void)state;
    check_text(0, "A.JSON", good, "A.JSON:2:1: dml.slice1: valid\n", NULL);
    check_text(0, "a.jsonc", good, "a.jsonc:2:1: dml.slice1: valid\n", NULL);
    check_text(0, "A.XML", ir, "A.XML: 1 layer is not judged: 1 Gathr (opset8; did you mean Gather?)\n", NULL);
    assert_null(strstr(printed, "\\n"));
    check_text(0, "_schema.json",
               "{ \"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": \"object\" }",
               "note: the file is a JSON schema, and contains no descriptor\n", "0 descriptors", NULL);
    assert_int_equal(testing_write("a.xml", ir), 0);
    assert_int_equal(testing_write("a.json", good), 0);
    assert_int_equal(CHECK("a.json", "a.xml"), EXIT_CONFORMANT); /* behind other results, a line is empty */
    assert_non_null(strstr(printed, "\n\na.xml: 1 layer is not judged: "));
    assert_int_equal(testing_run(cmd_check, 2, (char *[]){ "check", "-", NULL }, "a.xml", &printed, &complained),
                     EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "standard input: 1 layer is not judged: "));
    assert_int_equal(testing_run(cmd_eval, 2, (char *[]){ "eval", "-", NULL }, "a.xml", &printed, &complained),
                     EXIT_BAD_USAGE);
    assert_non_null(strstr(complained, "XML, where JSON is expected"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dxdispatch_refuses),
        cmocka_unit_test(dxdispatch_refuses_models),
        cmocka_unit_test(a_misspelt_name_is_one_status),
        cmocka_unit_test(limits_are_no_verdict),
        cmocka_unit_test(the_gravest_decides),
        cmocka_unit_test(warnings_can_be_allowed),
        cmocka_unit_test(files_are_read_by_any_spelling),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
