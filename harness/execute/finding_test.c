/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/finding.h"

#include "harness/base/platform.h"
#include "harness/testing/platform_testing.h"
#include "reference/operators.h"

#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Findings of single cases. The backend is a function that alters the correct output. */
typedef ts_status (*alteration)(const ts_call *call, unsigned char *in, unsigned char *out);

typedef struct fake {
    alteration alter;
    plugin plugin;
} fake;

#define NOT_STORED ((ts_status)99) /* of an alteration: store no status */

static ts_status fake_submit(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    fake *f = self;
    for (size_t i = 0; i < n; ++i) {
        const ts_call *call = &calls[i];
        const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, call->tensor_count - 1);
        if (!(call->flags & TS_CALL_DESCRIPTOR_ONLY)) {
            ts_descriptor d;
            operator_begin(&d, operators_find(call->op));
            memcpy(d.tensors, call->tensors, call->tensor_count * sizeof *d.tensors);
            memcpy(d.attrs, call->attrs, call->attrs_size);
            d.op->run(&d, NULL);
        }
        const ts_status one = f->alter(call, in->data, out->data);
        if (one != NOT_STORED)
            status[i] = one;
    }
    return TS_OK;
}

static ts_status fake_query(void *self, const ts_call *shape, void **token)
{
    (void)self;
    (void)shape;
    *token = NULL;
    return TS_OK;
}

static const ts_backend backend = {
    .struct_size = sizeof(ts_backend), .abi = TS_BACKEND_ABI, .query = fake_query, .submit = fake_submit
};

static const char cases[] = "local op = operator 'dml.element_wise_identity'\n"
                            "op:axis 'rank' { 2, 1 }\nop:axis 'dtype' { 'f32', 'f16', 'u8' }\n"
                            "op:axis 'size' { 3, 2, 1, 97, per = 'rank' }\n"
                            "op:axis 'layout' { 'packed', 'gaps', 'transposed' }\n"
                            "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Layout = 'layout' },\n"
                            "          OutputTensor = { Sizes = 'size' } }\n"
                            "op:test 't' { 't', rank = '*', dtype = '*', size = '*', layout = '*' }\n"
                            "local four = { DataType = 'FLOAT32', Sizes = { 4 } }\n"
                            "op:example 'wrong-sizes' { invalid = 'EI-04', InputTensor = four,\n"
                            "  OutputTensor = { DataType = 'FLOAT32', Sizes = { 3 } } }\n";

static case_file *file;

static int load(void **state)
{
    (void)state;
    char path[] = "/tmp/finding_test_XXXXXX";
    error e = { .text = "" };
    if (testing_file(path, cases, strlen(cases)) != 0)
        return -1;
    file = casefile_load(path, &e);
    unlink(path);
    return file ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    casefile_free(file);
    return 0;
}

static chunk held;

static int release(void **state)
{
    (void)state;
    chunk_clear(&held);
    return 0;
}

/* Run the case with these parameters and return its finding, which lives until the next call. */
static const store_finding *finding_of(alteration how, const char *test, const char *parameters)
{
    execute_options options = { .level = TS_LEVEL_6_4, .reproduce = "-b fake" };
    fake f = { .alter = how };
    error e = { .text = "" };
    uint64_t index;
    const case_test *t = &file->tests[strcmp(file->tests[0].name, test) == 0 ? 0 : 1];
    platform_install_fault_handlers(); /* cmocka installs its own handlers for each test */
    f.plugin.backend = &backend;
    f.plugin.self = &f;
    f.plugin.info.preferred_batch = 1;
    chunk_clear(&held);
    executor *x = execute_open(&f.plugin, &options, &e);
    assert_non_null(x);
    if (!space_parse_id(t->space, parameters, &index, &e))
        fail_msg("%s", e.text);
    const execute_range range = { .first = index, .end = index + 1, .max_cases = 1, .findings = 9 };
    if (!execute_run(x, t, &range, &held, &e))
        fail_msg("%s", e.text);
    execute_close(x);
    assert_int_equal(held.cases, 1);
    assert_int_equal(held.finding_count, 1);
    const store_finding *g = &held.findings[0];
    char id[256], reproducer[320];
    snprintf(id, sizeof id, "dml.element_wise_identity:%s:%s", test, *parameters ? parameters : "default");
    snprintf(reproducer, sizeof reproducer, "touchstone run '%s' -b fake", id);
    assert_string_equal(g->case_id, id);
    if (strncmp(g->reproducer, reproducer, strlen(reproducer)) != 0) /* --repeat may follow */
        fail_msg("\"%s\" does not begin with \"%s\"", g->reproducer, reproducer);
    assert_int_equal(g->verdict, held.verdicts[0]);
    assert_int_equal(g->index, index);
    return g;
}

static void equal_or_null(const char *actual, const char *expected)
{
    if (!expected)
        assert_null(actual);
    else if (!actual || strcmp(actual, expected) != 0)
        fail_msg("\"%s\" is not \"%s\"", actual ? actual : "(null)", expected);
}

static void describes(const store_finding *f, verdict v, const char *clause, const char *tensor, const char *detail)
{
    assert_string_equal(verdict_name(f->verdict), verdict_name(v));
    equal_or_null(f->clause, clause);
    equal_or_null(f->tensor, tensor);
    if (!strstr(f->detail, detail))
        fail_msg("\"%s\" does not contain \"%s\"", f->detail, detail);
}

/* ---- alterations ---- */

static ts_status move_element(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    memcpy(out + 4 * 4, in + 1 * 4, 4); /* [1,1] from [0,1] */
    return TS_OK;
}

static ts_status move_from_gap(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    memcpy(out, in + 1 * 4, 4);
    return TS_OK;
}

static ts_status negate(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    out[3] ^= 0x80;
    out[7] ^= 0x80;
    return TS_OK;
}

static ts_status flip_half(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    out[1] = 0x7E;
    out[0] = 0x01;
    return TS_OK;
}

static ts_status change_input(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)out;
    in[5 * 4 + 3] ^= 0x80;
    return TS_OK;
}

static ts_status change_gap(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)out;
    in[4] ^= 1;
    return TS_OK;
}

static unsigned executions;

static ts_status differ(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    out[0] = (unsigned char)(0x81 + executions++);
    return TS_OK;
}

static ts_status write_before(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    out[-3] = 0xA5;
    out[-1] = 0xA5;
    return TS_OK;
}

static ts_status write_behind(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)in;
    *(volatile unsigned char *)(out + ts_call_tensor(call, 1)->total_bytes) = 0xA5;
    return TS_OK;
}

static ts_status copy_behind(const ts_call *call, unsigned char *in, unsigned char *out)
{
    memcpy(out + ts_call_tensor(call, 1)->total_bytes, in + 4, 4);
    return TS_OK;
}

static volatile unsigned char sink;

static ts_status read_behind(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)out;
    sink = *(volatile unsigned char *)(in + ts_call_tensor(call, 0)->total_bytes);
    return TS_OK;
}

static ts_status end(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    (void)out;
    raise(SIGABRT);
    return TS_OK;
}

static ts_status reject(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    (void)out;
    return TS_REJECTED;
}

static ts_status reject_shape(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)in;
    (void)out;
    ts_shape *shape = ts_call_tensor(call, 1)->reported;
    shape->rank = 3;
    shape->sizes[0] = 3;
    shape->sizes[1] = 4;
    shape->sizes[2] = 5;
    return TS_REJECTED;
}

static ts_status accept(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    (void)out;
    return TS_OK;
}

static ts_status lose(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    (void)out;
    return TS_LOST;
}

static ts_status fail_quietly(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    (void)out;
    return TS_ERROR;
}

static ts_status store_nothing(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    (void)out;
    return NOT_STORED;
}

static ts_status undeclared(const ts_call *call, unsigned char *in, unsigned char *out)
{
    (void)call;
    (void)in;
    (void)out;
    return (ts_status)7;
}

/* ---- tests ---- */

static void a_mismatch_names_element_bits_and_source(void **state)
{
    (void)state;
    const store_finding *f = finding_of(move_element, "t", "");
    describes(f, VERDICT_MISMATCH, "EI-05", "OutputTensor",
              "OutputTensor[1,1] is 0x40000000 (2) where the specification gives 0x40a00000 (5). It should come from "
              "InputTensor[1,1]; it came from InputTensor[0,1]; 1 element differs.");
    equal_or_null(f->element, "[1,1]");
    equal_or_null(f->expected, "0x40a00000 (5)");
    equal_or_null(f->actual, "0x40000000 (2)");
    equal_or_null(f->source, "InputTensor[0,1]");
    assert_non_null(f->tensors);
    assert_non_null(strstr(f->tensors, "\"name\":\"OutputTensor\""));
    assert_non_null(strstr(f->tensors, "\"expected_source\":\"InputTensor[1,1]\""));
    equal_or_null(f->dtype, "f32");
    equal_or_null(f->level, "3_0");
    assert_int_equal(f->differing, 1);
}

static void sources_are_named_by_coordinates(void **state)
{
    (void)state;
    const store_finding *f = finding_of(move_element, "t", "layout=transposed");
    equal_or_null(f->source, "InputTensor[1,0]"); /* the second in memory */
    describes(f, VERDICT_MISMATCH, "EI-05", "OutputTensor",
              "It should come from InputTensor[1,1]; it came from InputTensor[1,0]");
    f = finding_of(move_from_gap, "t", "rank=1,layout=gaps");
    equal_or_null(f->source, "a gap of InputTensor (element 1 of its buffer)");
}

static void computed_bits_have_no_source(void **state)
{
    (void)state;
    const store_finding *f = finding_of(negate, "t", "rank=1");
    describes(f, VERDICT_MISMATCH, "EI-06", "OutputTensor", "2 elements differ.");
    equal_or_null(f->source, "InputTensor[0], but its sign was flipped");
    assert_non_null(
        strstr(f->tensors, "\"expected_source\":\"InputTensor[0]\"")); /* another value of the right element */
    equal_or_null(f->expected, "0x3f800000 (1)");
    equal_or_null(f->actual, "0xbf800000 (-1)");
    f = finding_of(flip_half, "t", "rank=1,dtype=f16");
    equal_or_null(f->source, "no element of InputTensor: computed, or read from elsewhere");
    equal_or_null(f->actual, "0x7e01 (nan(0x7e01))");
    equal_or_null(f->expected, "0x3c00 (1)");
}

static void each_verdict_has_its_description(void **state)
{
    (void)state;
    describes(finding_of(change_input, "t", ""), VERDICT_MODIFIED_INPUT, "ABI-05", "InputTensor",
              "InputTensor[1,2] is 0xc0c00000 (-6) where the specification gives 0x40c00000 (6); 1 element differs. "
              "A backend must not write to its inputs.");
    describes(finding_of(change_gap, "t", "rank=1,layout=gaps"), VERDICT_MODIFIED_INPUT, "ABI-05", "InputTensor",
              "the backend changed bytes of InputTensor that belong to no element.");
    describes(finding_of(differ, "t", ""), VERDICT_NONDETERMINISTIC, "ABI-06", "OutputTensor",
              "executions of the same call: ");
    describes(finding_of(end, "t", ""), VERDICT_CRASH, "ABI-01", NULL, "the backend ended in SIGABRT");
    describes(finding_of(reject, "t", ""), VERDICT_REJECTED_VALID, "EI-01", NULL,
              "the descriptor keeps EI-01 to EI-0");
    describes(finding_of(lose, "t", ""), VERDICT_LOST, "ABI-02", NULL,
              "the backend failed (device lost), giving no reason.");
    describes(finding_of(fail_quietly, "t", ""), VERDICT_LOST, "ABI-02", NULL,
              "the backend failed (error), giving no reason.");
    describes(finding_of(store_nothing, "t", ""), VERDICT_LOST, "ABI-02", NULL,
              "the backend failed (error): submit returns TS_OK and stores no status of this call.");
    describes(finding_of(undeclared, "t", ""), VERDICT_LOST, "ABI-02", NULL,
              "the backend failed (error): the status of the call is 7, which the header does not declare.");
    describes(finding_of(accept, "examples", "example=wrong-sizes"), VERDICT_ACCEPTED_INVALID, "EI-04", NULL,
              "the descriptor breaks EI-04 (both tensors have the same Sizes), and the backend accepts it.");
}

static void wrong_shapes_are_described_by_sizes(void **state)
{
    (void)state;
    const store_finding *f = finding_of(reject_shape, "t", "");
    describes(f, VERDICT_MISMATCH, "EI-04", "OutputTensor",
              "the backend reports the sizes [3,4,5] for OutputTensor; by the specification they are [3,3].");
    equal_or_null(f->expected, "sizes [3,3]");
    equal_or_null(f->actual, "sizes [3,4,5]");
    equal_or_null(f->element, NULL);
}

/* The index decides on which side of a tensor the guard page is. */
static void accesses_outside_are_described_with_and_without_a_guard_page(void **state)
{
    (void)state;
    static const char *const at_end = "", *const at_start = "size=3.1";
    describes(finding_of(write_before, "t", at_end), VERDICT_WROTE_OUTSIDE, "BUF-19", "OutputTensor",
              "2 bytes outside OutputTensor changed, the first at byte -3 of a tensor of 36 bytes. It is 3 bytes "
              "before OutputTensor[0,0] and holds 0xa5.");
    describes(finding_of(write_behind, "t", at_end), VERDICT_WROTE_OUTSIDE, "BUF-19", "OutputTensor",
              "writing beyond OutputTensor ended in SIGSEGV on the guard page");
    describes(finding_of(write_behind, "t", at_start), VERDICT_WROTE_OUTSIDE, "BUF-19", "OutputTensor",
              "1 byte outside OutputTensor changed, the first at byte 12 of a tensor of 12 bytes. It is directly "
              "behind OutputTensor[2,0] and holds 0xa5.");
    describes(finding_of(copy_behind, "t", at_start), VERDICT_WROTE_OUTSIDE, "BUF-19", "OutputTensor",
              "It is directly behind OutputTensor[2,0] and holds 0x40000000 (2), the bits of InputTensor[1,0].");
    describes(finding_of(read_behind, "t", at_end), VERDICT_READ_OUTSIDE, "BUF-16", "InputTensor",
              "reading outside InputTensor (36 bytes) ended in SIGSEGV on the guard page beside it.");
}

static void small_tensors_are_rendered(void **state)
{
    (void)state;
    json_error_t where;
    const store_finding *f = finding_of(negate, "t", "rank=1");
    json_t *list = json_loads(f->tensors, 0, &where),
           *wanted = json_loads("[{\"name\":\"InputTensor\",\"role\":\"input\",\"dtype\":\"f32\",\"sizes\":[3],"
                                "\"values\":[\"1\",\"2\",\"3\"]},"
                                "{\"name\":\"OutputTensor\",\"role\":\"output\",\"dtype\":\"f32\",\"sizes\":[3],"
                                "\"values\":[\"-1\",\"-2\",\"3\"],\"expected\":[\"1\",\"2\",\"3\"],"
                                "\"expected_source\":\"InputTensor[0]\"}]",
                                0, &where);
    assert_non_null(list);
    assert_non_null(wanted);
    assert_true(json_equal(list, wanted));
    json_decref(list);
    json_decref(wanted);
    assert_null(finding_of(negate, "t", "rank=1,size=97")->tensors);             /* too large */
    assert_null(finding_of(accept, "examples", "example=wrong-sizes")->tensors); /* never executed */
}

static void the_descriptor_can_be_parsed(void **state)
{
    (void)state;
    json_error_t where;
    const store_finding *f = finding_of(reject, "t", "size=2.3,layout=gaps");
    json_t *record = json_loads(f->descriptor, 0, &where);
    assert_non_null(record);
    assert_string_equal(json_string_value(json_object_get(record, "operator")), "dml.element_wise_identity");
    json_t *in = json_object_get(json_object_get(record, "descriptor"), "InputTensor");
    assert_string_equal(json_string_value(json_object_get(in, "DataType")), "FLOAT32");
    assert_int_equal(json_integer_value(json_array_get(json_object_get(in, "Sizes"), 0)), 2);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(in, "Sizes"), 1)), 3);
    assert_int_equal(json_array_size(json_object_get(in, "Strides")), 2);
    json_decref(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_mismatch_names_element_bits_and_source, release),
        cmocka_unit_test_teardown(sources_are_named_by_coordinates, release),
        cmocka_unit_test_teardown(computed_bits_have_no_source, release),
        cmocka_unit_test_teardown(each_verdict_has_its_description, release),
        cmocka_unit_test_teardown(wrong_shapes_are_described_by_sizes, release),
        cmocka_unit_test_teardown(accesses_outside_are_described_with_and_without_a_guard_page, release),
        cmocka_unit_test_teardown(small_tensors_are_rendered, release),
        cmocka_unit_test_teardown(the_descriptor_can_be_parsed, release),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
