/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the adapter; scripts/program/exec.sh tests it with programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#if defined(_WIN32)
int main(void)
{
    return 0;
}
#else

#include "backends/call_of.h"
#include "backends/exec/describe.h"
#include "backends/exec/memory.h"
#include "backends/exec/words.h"

static void test_words(void **state)
{
    (void)state;
    words w;
    const char *why;
    assert_true(words_split(&w, "  ./worker  --name='two words' \"a \\\"b\" c\\ d ''", &why));
    assert_string_equal(w.list[0], "./worker");
    assert_string_equal(w.list[1], "--name=two words");
    assert_string_equal(w.list[2], "a \"b");
    assert_string_equal(w.list[3], "c d");
    assert_string_equal(w.list[4], "");
    assert_null(w.list[5]);
    words_free(&w);
    assert_false(words_split(&w, "a 'b", &why));
    assert_string_equal(why, "a quote is not closed");
    assert_false(words_split(&w, " \t", &why));
    assert_string_equal(why, "it is empty");
}

static void test_describes_an_operator(void **state)
{
    (void)state;
    char text[2048];
    const size_t n = describe_operator("dml.slice1", text, sizeof text);
    assert_int_equal(n, strlen(text));
    assert_string_equal(text, "input InputTensor\noutput OutputTensor\nattribute DimensionCount u32 1 0\n"
                              "attribute InputWindowOffsets u32 16 4 0\nattribute InputWindowSizes u32 16 68 0\n"
                              "attribute InputWindowStrides i32 16 132 0\n");
    assert_int_equal(describe_operator("dml.slice1", text, 10), 9);
    assert_int_equal(describe_operator("other.operator", text, sizeof text), 0);
    describe_operator("dml.element_wise_clip", text, sizeof text); /* checked, and not computed */
    assert_non_null(strstr(text, "input InputTensor\noutput OutputTensor\nattribute ScaleBias f32 2 0\n"));
    assert_non_null(strstr(text, "attribute Min f32 1 "));
    describe_operator("dml.join", text, sizeof text); /* with a list of tensors */
    assert_non_null(strstr(text, "input InputTensors[0] optional\ninput InputTensors[1] optional\n"));
    assert_non_null(
        strstr(text, "input InputTensors[15] optional\noutput OutputTensor\nattribute InputCount u32 1 0\n"));
}

/* A call of two tensors of four bytes each, one of which is an output. */
typedef struct pair {
    unsigned char bytes[512], *in, *out;
    ts_shape reported;
    ts_tensor tensors[2];
    ts_call call;
} pair;

static void make_pair(pair *p)
{
    memset(p, 0, sizeof *p);
    p->in = p->bytes + 128;
    p->out = p->bytes + 256;
    memcpy(p->in, "abcd", 4);
    p->reported.rank = TS_RANK_UNREPORTED;
    for (int i = 0; i < 2; ++i)
        p->tensors[i] = (ts_tensor){ .dtype = TS_UINT8,
                                     .rank = 1,
                                     .given = TS_GIVEN_ALL,
                                     .total_bytes = 4,
                                     .data = i ? p->out : p->in,
                                     .reported = i ? &p->reported : NULL,
                                     .sizes = { 4 },
                                     .strides = { 1 } };
    p->call = call_of("dml.element_wise_identity", "attr", 4, 0, p->tensors, 2);
}

static ts_call call_at(const memory *m, size_t i)
{
    ts_call c;
    memcpy(&c, m->base + m->calls + i * sizeof c, sizeof c);
    return c;
}

static ts_tensor tensor_at(const memory *m, const ts_call *c, size_t i)
{
    ts_tensor t;
    memcpy(&t, m->base + (uintptr_t)c->tensors + i * sizeof t, sizeof t);
    return t;
}

static void test_passes_a_call(void **state)
{
    (void)state;
    memory m;
    pair p;
    memory_stray strays[4];
    ts_status status;
    const uint64_t token = 77;
    make_pair(&p);
    assert_true(memory_open(&m));
    assert_true(memory_write(&m, &p.call, 1, &token, 256, MEMORY_CANARY));
    const ts_call c = call_at(&m, 0);
    const ts_tensor in = tensor_at(&m, &c, 0), out = tensor_at(&m, &c, 1);
    assert_string_equal((const char *)m.base + (uintptr_t)c.op, "dml.element_wise_identity");
    assert_int_equal((uintptr_t)c.token, 77);
    assert_memory_equal(m.base + (uintptr_t)c.attrs, "attr", 4);
    assert_memory_equal(m.base + (uintptr_t)in.data, "abcd", 4);
    assert_int_equal((uintptr_t)in.data % 256, (uintptr_t)p.in % 256);
    assert_null(in.reported);
    memory_read(&m, &p.call, &status);
    assert_int_equal((unsigned)status, 0x5A5A5A5Au); /* none was stored */
    assert_int_equal(memory_find_strays(&m, strays, 4), 0);

    const uint32_t stored = TS_REJECTED;
    const ts_shape shape = { .rank = 1, .sizes = { 9 } };
    memcpy(m.base + m.statuses, &stored, sizeof stored);
    memcpy(m.base + (uintptr_t)out.reported, &shape, sizeof shape);
    memcpy(m.base + (uintptr_t)out.data, "wxyz", 4);
    memcpy(m.base + (uintptr_t)in.data, "X", 1);
    memory_read(&m, &p.call, &status);
    assert_int_equal(status, TS_REJECTED);
    assert_memory_equal(p.out, "wxyz", 4);
    assert_memory_equal(p.in, "Xbcd", 4);
    assert_int_equal(p.reported.sizes[0], 9);
    memory_close(&m);
}

/* What is found after a byte at `at` was changed. */
static memory_stray found_after(pair *p, memory *m, uint64_t at)
{
    memory_stray strays[4];
    const uint64_t token = 0;
    assert_true(memory_write(m, &p->call, 1, &token, 1, MEMORY_CANARY));
    m->base[at] ^= 0xFF;
    assert_int_equal(memory_find_strays(m, strays, 4), 1);
    assert_int_equal(strays[0].call, 0);
    return strays[0];
}

static void test_finds_strays(void **state)
{
    (void)state;
    memory m;
    pair p;
    const uint64_t token = 0;
    make_pair(&p);
    assert_true(memory_open(&m));
    assert_true(memory_write(&m, &p.call, 1, &token, 1, MEMORY_CANARY));
    const ts_call c = call_at(&m, 0);
    const uint64_t in = (uintptr_t)tensor_at(&m, &c, 0).data, out = (uintptr_t)tensor_at(&m, &c, 1).data;
    assert_ptr_equal(found_after(&p, &m, in + 4).at, p.in + 4);
    assert_ptr_equal(found_after(&p, &m, in - 1).at, p.in - 1);
    assert_ptr_equal(found_after(&p, &m, out - 2).at, p.out - 2);
    assert_ptr_equal(found_after(&p, &m, out + 4 + MEMORY_CANARY - 1).at, p.out + 4 + MEMORY_CANARY - 1);
    assert_null(found_after(&p, &m, m.calls + offsetof(ts_call, flags)).at);
    memory_close(&m);
}

static void test_shares_one_place_in_place(void **state)
{
    (void)state;
    memory m;
    pair p;
    const uint64_t token = 0;
    make_pair(&p);
    p.tensors[1].data = p.in;
    assert_true(memory_open(&m));
    assert_true(memory_write(&m, &p.call, 1, &token, 1, MEMORY_CANARY));
    const ts_call c = call_at(&m, 0);
    assert_ptr_equal(tensor_at(&m, &c, 0).data, tensor_at(&m, &c, 1).data);
    m.base[(uintptr_t)tensor_at(&m, &c, 1).data] ^= 1;
    assert_false(memory_input_written(&m)); /* the output lies there */
    memory_close(&m);
}

static void test_finds_writes_to_inputs(void **state)
{
    (void)state;
    memory m;
    pair p;
    const uint64_t token = 0;
    make_pair(&p);
    assert_true(memory_open(&m));
    assert_true(memory_write(&m, &p.call, 1, &token, 1, MEMORY_CANARY));
    const ts_call c = call_at(&m, 0);
    m.base[(uintptr_t)tensor_at(&m, &c, 1).data] ^= 1;
    assert_false(memory_input_written(&m));
    m.base[(uintptr_t)tensor_at(&m, &c, 0).data] ^= 1;
    assert_true(memory_input_written(&m));
    memory_close(&m);
}

/* A part of the names would deny the rest. */
static void test_names_are_told_whole_or_not(void **state)
{
    (void)state;
    static char all[1 << 16], few[100];
    assert_true(describe_names(all, sizeof all));
    assert_non_null(strstr(all, "\ndml.slice1 SL-01 "));
    assert_non_null(strstr(all, "\ndml BUF-01 "));
    assert_false(describe_names(few, sizeof few));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_describes_an_operator),
        cmocka_unit_test(test_passes_a_call),
        cmocka_unit_test(test_finds_strays),
        cmocka_unit_test(test_shares_one_place_in_place),
        cmocka_unit_test(test_finds_writes_to_inputs),
        cmocka_unit_test(test_names_are_told_whole_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
