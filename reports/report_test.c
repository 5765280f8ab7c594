/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic runs through every writer. `report_test --make-run PATH FINDINGS CASES` leaves such a run for others. */
#include "reports/report.h"
#include "harness/testing/platform_testing.h"
#include "harness/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define HOSTILE                                                                                                        \
    "<script>alert('\"x\"')</script> & ]]> \x01\x1b[31m \xff\xfe \xed\xa0\x80 caf\xc3\xa9, \"quoted\"\r\nnext"

static char folder[] = "/tmp/report_test.XXXXXX";
static error trouble;

#define check(call)                                                                                                    \
    do {                                                                                                               \
        if (!(call)) {                                                                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, trouble.text);                                          \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* ---- synthetic runs -----------------------------------------------------------------------------------------------
 */

static uint32_t random_bits(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void set_facts(store *s, const char *state)
{
    const char *facts[][2] = { { STORE_STATE, state },
                               { STORE_TOUCHSTONE, "0.1.0" },
                               { STORE_SUITE_DIGEST,
                                 "5d41402abc4b2a76b9719d911017c592c0ffee0123456789abcdef0123456789" },
                               { STORE_DIGEST, "9e107d9d372bb6826bd81d3542a419d6" },
                               { STORE_COMMAND, "touchstone run 'dml.*:*' -b directml --tier full -j 2" },
                               { STORE_QUERY, "dml.*:*" },
                               { STORE_TIER, "full" },
                               { STORE_LEVEL, "6_4" },
                               { STORE_BACKEND, "directml" },
                               { STORE_BACKEND_VENDOR, "Example" },
                               { STORE_BACKEND_VERSION, "1.15.4" },
                               { STORE_BACKEND_DRIVER, "llvmpipe 25.0" },
                               { STORE_BACKEND_DEVICE, "llvmpipe (LLVM 19, 256 bits)" },
                               { STORE_MACHINE, "x86_64, 2 cores, Example CPU @ 2.60GHz" },
                               { STORE_SYSTEM, "Linux 6.1.0, glibc 2.36" },
                               { STORE_COMPILER, "gcc 12.2.0" },
                               { STORE_STARTED, "2026-11-21T18:00:02Z" },
                               { STORE_FINISHED, "2026-11-21T18:04:31Z" },
                               { STORE_SECONDS, "269.41" },
                               { STORE_WORKERS, "2" } };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i)
        check(store_set(s, facts[i][0], facts[i][1], &trouble));
}

static const char *const operators[] = { "dml.element_wise_identity", "dml.gather", "dml.random_generator",
                                         "dml.slice1", "openvino.strided_slice" };
static const char *const kinds[][2] = { { "exhaustive", "Every small shape, window and stride" },
                                        { "boundary", "Shapes beside vector widths and tile edges" },
                                        { "invalid", "Exactly one clause broken at a time" } };
static const char *const dtypes[] = { "f32", "f16", "u32", "u8", "i32", "i8", "f64", "u64" };
static const char *const levels[] = { "2_0", "3_0", "4_1", "5_1" };
enum { OPERATORS = 5, KINDS = 3, TESTS = OPERATORS * KINDS, DTYPES = 8, LEVELS = 4 };

/* Which test a finding is of: two tests of the three operators that fail. */
static unsigned test_of_finding(uint64_t i, uint64_t findings)
{
    unsigned part = (unsigned)(i * 6 / findings);
    return (part % 2 ? 2 : 0) + (part / 2 + 1) * KINDS;
}

static void add_synthetic_finding(store *s, uint64_t i, uint64_t findings, uint32_t *state)
{
    static const verdict verdicts[] = { VERDICT_MISMATCH, VERDICT_MISMATCH, VERDICT_MISMATCH, VERDICT_WROTE_OUTSIDE,
                                        VERDICT_CRASH,    VERDICT_WAIVED,   VERDICT_MISMATCH, VERDICT_AMBIGUOUS };
    char id[160], element[32], expected[48], actual[48], source[48], detail[400], descriptor[600], tensors[900],
        again[220];
    unsigned test = test_of_finding(i, findings);
    bool invalid = test % KINDS == 2;
    verdict v = invalid ? VERDICT_ACCEPTED_INVALID : verdicts[random_bits(state) % 8];
    const char *dtype = dtypes[random_bits(state) % 3];
    unsigned a = random_bits(state) % 5 + 1, b = random_bits(state) % 4 + 1, w = random_bits(state) % 3;
    uint32_t want = random_bits(state), got = random_bits(state) & 1 ? want ^ 0x100 : random_bits(state);
    snprintf(id, sizeof id, "%s:%s:dtype=%s,size=%u.%u,offset=%u,stride=-%u.%u", operators[test / KINDS],
             kinds[test % KINDS][0], dtype, a, b, w, a % 3 + 1, (unsigned)(i % 97));
    snprintf(element, sizeof element, "[%u,%u]", a == 4 ? 0 : 1, a == 4 ? 1 : 2);
    snprintf(expected, sizeof expected, "0x%08" PRIx32 " (%" PRId32 ")", want, (int32_t)want);
    snprintf(actual, sizeof actual, "0x%08" PRIx32 " (%" PRId32 ")", got, (int32_t)got);
    snprintf(source, sizeof source, "InputTensor[%u,%u,%u]", a % 2, b % 2, w);
    snprintf(detail, sizeof detail,
             "OutputTensor%s must be %s, and is %s, which stands at %s: the window is walked from its first element "
             "instead of its last.",
             element, expected, actual, source);
    snprintf(
        descriptor, sizeof descriptor,
        "{\"operator\":\"%s\",\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[%u,%u],\"Strides\":null},"
        "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2,3],\"Strides\":[3,1]},\"InputWindowOffsets\":[0,%u],"
        "\"InputWindowSizes\":[%u,%u],\"InputWindowStrides\":[1,-%u]}",
        operators[test / KINDS], a, b, w, a, b, a % 3 + 1);
    snprintf(
        tensors, sizeof tensors,
        "[{\"name\":\"InputTensor\",\"role\":\"input\",\"dtype\":\"%s\",\"sizes\":[2,2,3],\"values\":[\"1\",\"2\","
        "\"3\","
        "\"4\",\"5\",\"6\",\"7\",\"8\",\"9\",\"10\",\"11\",\"12\"]},{\"name\":\"OutputTensor\",\"role\":\"output\","
        "\"dtype\":\"%s\",\"sizes\":[2,3],\"values\":[\"3\",\"%u\",\"1\",\"6\",\"nan(0x7e01)\",\"%u\"],"
        "\"expected\":[\"3\",\"2\",\"1\",\"6\",null,\"4\"]}]",
        dtype, dtype, w, a);
    snprintf(again, sizeof again, "touchstone run '%s' -b directml", id);
    store_finding f = { .test = test + 1,
                        .index = i * 7,
                        .case_id = id,
                        .verdict = v,
                        .clause = invalid ? "SL-05" : "SL-10",
                        .dtype = dtype,
                        .level = levels[random_bits(state) % LEVELS],
                        .detail = detail,
                        .descriptor = descriptor,
                        .reproducer = again };
    if (invalid) {
        snprintf(detail, sizeof detail,
                 "InputWindowOffsets[1] + InputWindowSizes[1] = %u exceeds the size %u, and the "
                 "descriptor was accepted.",
                 a + b, a);
    } else if (v == VERDICT_CRASH) {
        snprintf(detail, sizeof detail, "The backend ended with signal 11 (SIGSEGV) in this case.");
    } else {
        f.tensor = "OutputTensor";
        f.element = element;
        f.expected = expected;
        f.actual = actual;
        f.source = source;
        f.differing = w + 1;
        f.tensors = i < 5000 ? tensors : NULL;
    }
    check(store_add_finding(s, &f, &trouble));
}

/* Entries of each state: answered as our decision has it, otherwise, judged by an example, and asked about by nobody.
   The judged one is of the operator whose examples the run has. */
static void add_ledger(store *s, bool answered)
{
    static const char gather[] =
        "[{\"id\":\"E-GA-9\",\"kind\":\"AM\",\"operator\":\"dml.gather\",\"page\":\"DML_GATHER_OPERATOR_DESC\","
        "\"quote\":\"(leading dimensions)\",\"problem\":\"Nothing is said.\",\"decision\":\"Undefined.\","
        "\"clauses\":[\"SL-07\"],\"case\":null,\"examples\":[\"leading\"],\"observed\":[],\"known\":[]},"
        "{\"id\":\"E-GA-10\",\"kind\":\"AM\",\"operator\":\"dml.gather\",\"page\":\"DML_GATHER_OPERATOR_DESC\","
        "\"quote\":\"Invalid indices\",\"problem\":\"Which value?\",\"decision\":\"Undefined.\",\"clauses\":[\"SL-10\"],"
        "\"case\":\"u32 indices 5\",\"examples\":[],\"observed\":[16],\"known\":[{\"implementation\":\"DirectML\","
        "\"version\":\"1.15.4\",\"answer\":\"the flat address is clamped\"}]},"
        "{\"id\":\"E-GA-6\",\"kind\":\"EN\",\"operator\":\"dml.gather\",\"page\":\"DML_GATHER_OPERATOR_DESC\","
        "\"quote\":\"must match\",\"problem\":\"It cannot.\",\"decision\":\"DataType.\",\"clauses\":[],\"case\":null,"
        "\"examples\":[],\"observed\":[],\"known\":[]}]";
    static const char slice[] =
        "[{\"id\":\"E-SL-1\",\"kind\":\"EN/IM\",\"operator\":\"dml.slice1\",\"page\":\"DML_SLICE1_OPERATOR_DESC\","
        "\"quote\":\"1 + ...\",\"problem\":\"The stride is signed.\",\"decision\":\"Its magnitude.\",\"clauses\":[\"SL-08\"],"
        "\"case\":null,\"examples\":[\"2\"],\"observed\":[],\"known\":[]}]";
    const store_observation answers[] = {
        { 2, "E-GA-9: our decision (ignored)", 11, "dml.gather:examples:example=leading", NULL },
        { 2, "E-GA-10: our decision (clamped index)", 7, "dml.gather:examples:example=a", NULL },
        { 3, "E-GA-10: another known interpretation (flat clamp)", 4321, "dml.gather:examples:example=b",
          "OutputTensor[1] is 5" },
    };
    check(store_add_ledger(s, "dml.gather", gather, &trouble));
    check(store_add_ledger(s, "dml.slice1", slice, &trouble));
    check(store_set(s, STORE_REPRODUCE, "-b directml", &trouble));
    for (size_t i = 0; answered && i < 3; ++i)
        check(store_add_observation(s, &answers[i], &trouble));
}

/* A run like a real one. Without findings all passes. `state` other than "complete" leaves a third unrun. */
static void make_run(const char *path, uint64_t findings, uint64_t cases, const char *state)
{
    store *s = store_create(path, &trouble);
    check(s != NULL);
    check(store_begin(s, &trouble));
    set_facts(s, state);
    bool complete = strcmp(state, "complete") == 0;
    uint64_t each = cases / TESTS, failing[TESTS] = { 0 };
    for (uint64_t i = 0; i < findings; ++i)
        failing[test_of_finding(i, findings)]++;
    for (unsigned t = 0; t < TESTS; ++t) {
        store_test test = { .op = operators[t / KINDS],
                            .test = kinds[t % KINDS][0],
                            .tier = "full",
                            .title = kinds[t % KINDS][1],
                            .points = each * 3,
                            .planned = complete ? each : each * 3 / 2 };
        check(store_add_test(s, &test, &trouble));
        uint64_t left = each > failing[t] ? each - failing[t] : 0;
        for (unsigned d = 0; d < DTYPES; ++d)
            for (unsigned l = 0; l < LEVELS; ++l) {
                if (l < (d > 5 ? 2 : d > 2 ? 1 : 0) && t < 12)
                    continue;
                const char *level = t < 12 ? levels[l] : "none";
                bool last = d == DTYPES - 1 && l == LEVELS - 1;
                uint64_t part = last ? left : left / 7;
                left -= part;
                check(store_add_tally(s, test.id, dtypes[d], level, VERDICT_PASS, part, &trouble));
            }
    }
    uint32_t random = 12345;
    for (uint64_t i = 0; i < findings; ++i)
        add_synthetic_finding(s, i, findings, &random);
    store_observation gap = { 1, "gap-write", 1203, "dml.element_wise_identity:exhaustive:", NULL };
    if (findings > 0)
        check(store_add_observation(s, &gap, &trouble));
    add_ledger(s, cases > 0);
    for (unsigned o = 0; o < OPERATORS; ++o)
        for (int i = 1; i <= 12; ++i) {
            char id[16];
            snprintf(id, sizeof id, "SL-%02d", i);
            store_clause c = { operators[o], id,
                               "The window must lie inside the input: offset + size of the window is "
                               "at most the size of the input, in every dimension",
                               "DML_SLICE1_OPERATOR_DESC", "Remarks", true, 7, 6 };
            check(store_add_clause(s, &c, &trouble));
        }
    check(store_commit(s, &trouble));
    store_close(s);
}

static bool tally_finding(void *context, const store_finding *f)
{
    check(store_add_tally(context, f->test, f->dtype, f->level, f->verdict, 1, &trouble));
    return true;
}

/* The findings counted as the runner would. */
static void tally_findings(const char *path)
{
    store *s = store_open(path, &trouble);
    check(s != NULL);
    check(store_begin(s, &trouble));
    check(store_each_finding(s, 0, 0, tally_finding, s, &trouble));
    check(store_commit(s, &trouble));
    store_close(s);
}

/* ---- helpers ------------------------------------------------------------------------------------------------------
 */

static char *at(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static text slurp(const char *path)
{
    text t = { 0 };
    char buffer[65536];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (!file)
        return t;
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_bytes(&t, buffer, n);
    fclose(file);
    return t;
}

static size_t occurrences(const text *t, const char *what)
{
    size_t n = 0;
    for (const char *p = t->data; p && (p = strstr(p, what)); p += strlen(what))
        ++n;
    return n;
}

static void has(const text *t, const char *what)
{
    if (!t->data || !strstr(t->data, what))
        fail_msg("missing: %s", what);
}

/* Valid UTF-8 without characters that XML forbids, as jansson and a glance see it. */
static void clean(const text *t)
{
    assert_int_equal(strlen(t->data), t->length);
    json_t *valid = json_stringn(t->data, t->length);
    assert_non_null(valid);
    json_decref(valid);
    for (size_t i = 0; i < t->length; ++i)
        assert_true((unsigned char)t->data[i] >= 0x20 || strchr("\t\r\n", t->data[i]));
}

/* Tags nest, attributes are quoted, entities are known: enough of XML to trust a writer this plain. */
static void well_formed(const text *t)
{
    const char *names[64];
    size_t lengths[64], depth = 0;
    const char *p = t->data;
    while (*p) {
        if (*p == '&') {
            static const char *const known[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#9;", "&#10;", "&#13;" };
            bool found = false;
            for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
                found |= strncmp(p, known[i], strlen(known[i])) == 0;
            assert_true(found);
        }
        if (*p++ != '<')
            continue;
        if (*p == '?') {
            p = strstr(p, "?>") + 2;
            continue;
        }
        bool closing = *p == '/';
        p += closing;
        size_t n = strcspn(p, " />\n");
        assert_true(n > 0);
        if (closing) {
            assert_true(depth > 0 && lengths[depth - 1] == n && strncmp(names[depth - 1], p, n) == 0);
            --depth;
            p += n;
            assert_int_equal(*p, '>');
            continue;
        }
        names[depth] = p;
        lengths[depth] = n;
        p += n;
        while (*p == ' ') {
            p += 1 + strcspn(p + 1, "=<>");
            assert_int_equal(p[0], '=');
            assert_int_equal(p[1], '"');
            p += 2 + strcspn(p + 2, "\"<>");
            assert_int_equal(*p++, '"');
        }
        if (*p == '/')
            ++p;
        else
            ++depth;
        assert_true(depth < 64);
        assert_int_equal(*p, '>');
    }
    assert_int_equal(depth, 0);
}

/* Rows of RFC 4180, each with as many fields as the first. */
static size_t csv_rows(const text *t, size_t *fields)
{
    size_t rows = 0, n = 1;
    bool quoted = false;
    for (const char *p = t->data; *p; ++p) {
        if (*p == '"')
            quoted = !quoted;
        else if (!quoted && *p == ',')
            ++n;
        else if (!quoted && *p == '\n') {
            assert_int_equal(p[-1], '\r');
            if (rows++ == 0)
                *fields = n;
            assert_int_equal(n, *fields);
            n = 1;
        }
    }
    assert_false(quoted);
    return rows;
}

typedef bool (*writer)(store *s, const char *path, error *e);
static const writer writers[] = { report_html, report_csv, report_junit, report_json };
static const char *const endings[] = { "r.html", "r.csv", "r.xml", "r.json" };
enum { WRITERS = 4 };

static text report(writer write, const char *run, const char *name)
{
    store *s = store_open(run, &trouble);
    check(s != NULL);
    check(write(s, at(name), &trouble));
    store_close(s);
    return slurp(at(name));
}

static int set_up_folder(void **state)
{
    (void)state;
    return testing_folder(folder);
}

static int remove_folder(void **state)
{
    (void)state;
    return testing_remove(folder);
}

static int empty_folder(void **state)
{
    (void)state;
    return testing_empty(folder, "");
}

/* ---- tests --------------------------------------------------------------------------------------------------------
 */

static void text_is_escaped(void **state)
{
    (void)state;
    text t = { 0 };
    text_xml(&t, "a<b>&\"'\n\x01\xff\xc3\xa9\xef\xbf\xbf");
    assert_string_equal(t.data, "a&lt;b&gt;&amp;&quot;&#39;&#10;\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd");
    t.length = 0;
    text_json(&t, "</script>\\\"\x02\xe2\x80\xa8\xc0\x80");
    assert_string_equal(t.data, "\"\\u003c/script>\\\\\\\"\\u0002\\u2028\xef\xbf\xbd\xef\xbf\xbd\"");
    t.length = 0;
    text_csv(&t, "a \"b\", c");
    text_csv(&t, NULL);
    text_csv(&t, "plain");
    assert_string_equal(t.data, "\"a \"\"b\"\", c\"plain");
    t.length = 0;
    text_count(&t, 0);
    text_add(&t, " ");
    text_count(&t, 1234567);
    text_add(&t, " ");
    text_short_count(&t, 9999);
    text_add(&t, " ");
    text_short_count(&t, 4999999);
    text_add(&t, " ");
    text_short_count(&t, UINT64_MAX);
    assert_string_equal(t.data, "0 1,234,567 9,999 4.9 M 18.4 E");
    t.length = 0;
    text_base64(&t, "hello", 5);
    text_base64(&t, "", 0);
    text_base64(&t, "abcdef", 6);
    assert_string_equal(t.data, "aGVsbG8=YWJjZGVm");
    text_free(&t);
}

static void a_passing_run_is_told(void **state)
{
    (void)state;
    make_run(at("run"), 0, 1500000, "complete");
    text html = report(report_html, at("run"), "r.html"), csv = report(report_csv, at("run"), "r.csv");
    text junit = report(report_junit, at("run"), "r.xml"), json = report(report_json, at("run"), "r.json");
    has(&html, "<h1>Conformant in what was run: dml.*:*, at feature level 6_4</h1>");
    has(&html, "header class=\"good\"");
    assert_int_equal(occurrences(&html, "<script"), 1); /* the ledger's */
    assert_true(html.length < 100000);
    clean(&html);
    size_t fields;
    csv_rows(&csv, &fields);
    clean(&csv);
    assert_int_equal(fields, 20);
    well_formed(&junit);
    has(&junit,
        "<testsuites name=\"touchstone\" tests=\"15\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"269.41\">");
    json_t *all = json_loadb(json.data, json.length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    assert_string_equal(json_string_value(json_object_get(all, "digest")), "9e107d9d372bb6826bd81d3542a419d6");
    assert_string_equal(json_string_value(json_object_get(all, "outcome")), "conformant");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "total"), "planned")), 1500000);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "total"), "failed")), 0);
    assert_int_equal(json_array_size(json_object_get(all, "tests")), 15);
    assert_int_equal(json_array_size(json_object_get(all, "clauses")), 60);
    json_decref(all);
    text_free(&html);
    text_free(&csv);
    text_free(&junit);
    text_free(&json);
}

static void failures_are_told_alike_by_all(void **state)
{
    (void)state;
    enum { FINDINGS = 300 };
    make_run(at("run"), FINDINGS, 1500000, "complete");
    tally_findings(at("run"));
    text html = report(report_html, at("run"), "r.html"), csv = report(report_csv, at("run"), "r.csv");
    text junit = report(report_junit, at("run"), "r.xml"), json = report(report_json, at("run"), "r.json");
    json_t *all = json_loadb(json.data, json.length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    json_t *findings = json_object_get(all, "findings");
    assert_int_equal(json_array_size(findings), FINDINGS);
    json_int_t failed = json_integer_value(json_object_get(json_object_get(all, "total"), "failed"));
    json_t *first = json_array_get(findings, 0);
    assert_true(json_is_object(json_object_get(first, "descriptor")));
    assert_int_equal(json_array_size(json_object_get(first, "tensors")), 2);
    has(&html, "<h1>Not conformant: 3 of 5 operators have failures</h1>");
    has(&html, "id=\"finding-1\"");
    has(&html, "<em>");
    has(&html, "<td class=w>");
    has(&html, "data-dtype=\"f16\"");
    assert_true(occurrences(&html, "<details class=\"finding\"") <= 200);
    size_t fields;
    assert_int_equal(csv_rows(&csv, &fields) - occurrences(&csv, "\r\ncases,") - 1, FINDINGS);
    assert_int_equal(occurrences(&csv, "\r\nfinding,"), FINDINGS);
    well_formed(&junit);
    /* The tests that failed are failures beside their findings. */
    assert_int_equal(occurrences(&junit, "<failure "), failed + 6);
    assert_int_equal(occurrences(&junit, "<testcase "), 15 + FINDINGS);
    clean(&html);
    clean(&csv);
    clean(&junit);
    clean(&json);
    json_decref(all);
    text_free(&html);
    text_free(&csv);
    text_free(&junit);
    text_free(&json);
}

/* The store of a run whose one test is the examples of SLICE1, with a finding in the example that shows E-SL-1. */
static store *make_examples(const char *path, bool fails)
{
    store *s = store_create(path, &trouble);
    check(s != NULL);
    set_facts(s, "complete");
    store_test t = { .op = "dml.slice1", .test = "examples", .tier = "full", .title = "t", .points = 9, .planned = 3 };
    check(store_add_test(s, &t, &trouble));
    check(store_add_tally(s, 1, "f32", "1_0", fails ? VERDICT_MISMATCH : VERDICT_PASS, 3, &trouble));
    store_finding f = { .test = 1,
                        .case_id = "dml.slice1:examples:example=2,dtype=f16",
                        .verdict = VERDICT_MISMATCH,
                        .clause = "SL-08" };
    if (fails)
        check(store_add_finding(s, &f, &trouble));
    store_clause c = { "dml.slice1", "SL-08", "text", "page", "section", true, 0, 0 };
    check(store_add_clause(s, &c, &trouble));
    add_ledger(s, false);
    return s;
}

/* The text of an entry's element in the page, to be freed. */
static text entry_of(const text *html, const char *id)
{
    char start[64];
    text t = { 0 };
    snprintf(start, sizeof start, "<details class=\"entry\" id=\"ledger-%s\"", id);
    const char *from = strstr(html->data, start), *to = from ? strstr(from, "</details>") : NULL;
    if (!to)
        fail_msg("no entry %s", id);
    text_bytes(&t, from, (size_t)(to - from));
    return t;
}

static void entry_has(const text *html, const char *id, const char *what)
{
    text t = entry_of(html, id);
    has(&t, what);
    text_free(&t);
}

static void the_ledger_says_what_the_backend_did(void **state)
{
    (void)state;
    make_run(at("run"), 20, 1500000, "complete");
    text html = report(report_html, at("run"), "r.html"), json = report(report_json, at("run"), "r.json");
    has(&html, "<section id=\"ledger\">");
    assert_int_equal(occurrences(&html, "<details class=\"entry\""), 4);
    entry_has(&html, "E-GA-9", "data-state=\"ruled\"");
    entry_has(&html, "E-GA-9", "our decision (ignored)</b> in 11 cases of dml.element_wise_identity:boundary");
    entry_has(&html, "E-GA-10", "data-state=\"other\" data-op=\"dml.gather\" open>");
    entry_has(&html, "E-GA-10", "<span class=\"status warn\">another known interpretation (flat clamp) and 1 more</span>");
    entry_has(&html, "E-GA-10", "another known interpretation (flat clamp)</b> in 4,321 cases");
    entry_has(&html, "E-GA-10", "<p>OutputTensor[1] is 5</p>");
    entry_has(&html, "E-GA-10", "touchstone run 'dml.gather:examples:example=b' -b directml");
    entry_has(&html, "E-GA-10", "DirectML <span class=\"note\">1.15.4</span></th><td>the flat address is clamped</td>");
    entry_has(&html, "E-GA-10", "<a href=\"#clause-dml.gather-SL-10\"");
    entry_has(&html, "E-GA-6", "No case of this run asks about it.");
    entry_has(&html, "E-SL-1", "data-state=\"unasked\""); /* its examples are no test of this run */
    /* Linked from clauses and from findings, in either form; and told there alone. */
    has(&html, "id=\"clause-dml.gather-SL-10\"");
    has(&html, "<td class=\"entries\"><a href=\"#ledger-E-GA-10\">E-GA-10</a></td>");
    has(&html, "ledger: </span><a href=\"#ledger-E-GA-10\">E-GA-10</a>");
    has(&html, "\"shown\":{\"dml.gather:examples:example=leading\":\"E-GA-9\"");
    assert_null(strstr(strstr(html.data, "<section id=\"observations\">"), "<td>E-GA-"));
    clean(&html);
    json_t *all = json_loadb(json.data, json.length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    json_t *ledger = json_object_get(all, "ledger"), *second = json_array_get(ledger, 1);
    assert_int_equal(json_array_size(ledger), 4);
    assert_string_equal(json_string_value(json_object_get(second, "id")), "E-GA-10");
    assert_string_equal(json_string_value(json_object_get(second, "state")), "unlike");
    assert_string_equal(json_string_value(json_object_get(second, "decision")), "Undefined.");
    json_t *answer = json_array_get(json_object_get(second, "answers"), 1);
    assert_int_equal(json_integer_value(json_object_get(answer, "cases")), 4321);
    assert_string_equal(json_string_value(json_object_get(answer, "answer")), "another known interpretation (flat clamp)");
    json_decref(all);
    text_free(&html);
    text_free(&json);
}

static void decided_entries_are_judged_by_their_examples(void **state)
{
    (void)state;
    store_close(make_examples(at("good"), false));
    store_close(make_examples(at("bad"), true));
    text good = report(report_html, at("good"), "g.html"), bad = report(report_html, at("bad"), "b.html");
    entry_has(&good, "E-SL-1", "data-state=\"judged\"");
    entry_has(&good, "E-SL-1", "Judged by the decision, and no finding");
    entry_has(&good, "E-SL-1", "touchstone run 'dml.slice1:examples:example=2' -b directml");
    entry_has(&bad, "E-SL-1", "<b class=\"v bad\">1 finding</b>");
    has(&bad, "<tr><th scope=\"row\">ledger</th><td colspan=\"2\"><a href=\"#ledger-E-SL-1\">E-SL-1</a></td>");
    text_free(&good);
    text_free(&bad);
}

static void a_ledger_may_be_anything(void **state)
{
    (void)state;
    static const char *const ledgers[] = {
        "[]", "", "no JSON", "{}", "[1,null,{},[]]", "[{\"id\":5}]",
        "[{\"id\":\"<script>\",\"known\":[1,{}],\"examples\":[null,\"</script>\"],\"clauses\":7}]"
    };
    for (size_t i = 0; i < sizeof ledgers / sizeof *ledgers; ++i) {
        store *s = store_create(at("run"), &trouble);
        check(s != NULL);
        set_facts(s, "complete");
        store_test t = { .op = "x", .test = "examples", .tier = "full", .title = "t", .points = 9, .planned = 3 };
        check(store_add_test(s, &t, &trouble));
        check(store_add_tally(s, 1, "f32", "1_0", VERDICT_PASS, 3, &trouble));
        check(store_add_ledger(s, "x", ledgers[i], &trouble));
        store_observation o = { 1, "<script>: refused", 1, NULL, NULL };
        check(store_add_observation(s, &o, &trouble));
        store_close(s);
        text html = report(report_html, at("run"), "r.html"), json = report(report_json, at("run"), "r.json");
        bool any = strstr(ledgers[i], "<script>") != NULL;
        assert_int_equal(occurrences(&html, "<script"), any);
        assert_int_equal(occurrences(&html, "<details class=\"entry\""), any);
        has(&html, "<section id=\"ledger\">");
        json_t *all = json_loadb(json.data, json.length, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(all);
        assert_int_equal(json_array_size(json_object_get(all, "ledger")), any);
        json_decref(all);
        text_free(&html);
        text_free(&json);
        remove(at("run"));
    }
}

static void hostile_strings_stay_strings(void **state)
{
    (void)state;
    store *s = store_create(at("run"), &trouble);
    check(s != NULL);
    set_facts(s, "complete");
    check(store_set(s, STORE_BACKEND, HOSTILE, &trouble));
    check(store_set(s, STORE_BACKEND_DEVICE, HOSTILE, &trouble));
    check(store_set(s, STORE_LEVEL, HOSTILE, &trouble));
    store_test t = { .op = HOSTILE, .test = HOSTILE, .tier = HOSTILE, .title = HOSTILE, .points = 9, .planned = 3 };
    check(store_add_test(s, &t, &trouble));
    check(store_add_tally(s, 1, HOSTILE, HOSTILE, VERDICT_MISMATCH, 3, &trouble));
    store_observation o = { 1, HOSTILE, 1, HOSTILE, HOSTILE };
    check(store_add_observation(s, &o, &trouble));
    store_clause c = { HOSTILE, HOSTILE, HOSTILE, "https://example.org/\"><script>", HOSTILE, true, 0, 0 };
    check(store_add_clause(s, &c, &trouble));
    store_finding f = { .test = 1,
                        .case_id = HOSTILE,
                        .verdict = VERDICT_MISMATCH,
                        .clause = HOSTILE,
                        .dtype = HOSTILE,
                        .level = HOSTILE,
                        .tensor = HOSTILE,
                        .element = HOSTILE,
                        .expected = HOSTILE,
                        .actual = HOSTILE,
                        .source = HOSTILE,
                        .detail = HOSTILE,
                        .descriptor = HOSTILE,
                        .tensors = HOSTILE,
                        .reproducer = HOSTILE };
    check(store_add_finding(s, &f, &trouble));
    f.descriptor = "{\"<script>\": [1, {\"a\": \"</pre><script>\"}], \"large\": 18446744073709551615}";
    f.tensors =
        "[{\"name\":\"<script>\",\"dtype\":\"<script>\",\"sizes\":[2],\"values\":[\"<script>\",null],\"expected\":[\"</"
        "td>\",\"1\"]},"
        "{\"name\":5,\"sizes\":[1,2,3,4,5,6,7,8,9]},{\"sizes\":[-1],\"values\":7},3,{\"sizes\":[99999999,99999999]}]";
    f.index = 1;
    check(store_add_finding(s, &f, &trouble));
    store_finding bare = { .test = 1, .index = 2, .verdict = VERDICT_HANG };
    check(store_add_finding(s, &bare, &trouble));
    bare.test = 77; /* of no test: a damaged run, but no reason to fall over */
    check(store_add_finding(s, &bare, &trouble));
    store_close(s);
    for (int i = 0; i < WRITERS; ++i) {
        text t2 = report(writers[i], at("run"), endings[i]);
        if (writers[i] == report_json) {
            json_t *all = json_loadb(t2.data, t2.length, JSON_REJECT_DUPLICATES, NULL);
            assert_non_null(all);
            json_decref(all);
        } else if (writers[i] == report_csv) {
            size_t fields;
            assert_int_equal(csv_rows(&t2, &fields), 1 + 1 + 4);
        } else {
            assert_int_equal(occurrences(&t2, "<script>alert"), 0);
        }
        if (writers[i] == report_junit)
            well_formed(&t2);
        /* Of scripts there are the findings, their drawings, the names and the page's own. */
        if (writers[i] == report_html)
            assert_int_equal(occurrences(&t2, "<script"), 4);
        if (writers[i] != report_csv)
            clean(&t2);
        text_free(&t2);
    }
}

static void an_unfinished_run_is_never_green(void **state)
{
    (void)state;
    make_run(at("run"), 0, 3000000, "running");
    make_run(at("stopped"), 0, 3000000, "incomplete");
    make_run(at("empty"), 0, 0, "complete");
    text running = report(report_html, at("run"), "a.html"), stopped = report(report_html, at("stopped"), "b.html");
    text empty = report(report_html, at("empty"), "c.html"), junit = report(report_junit, at("stopped"), "b.xml");
    text nothing = report(report_junit, at("empty"), "c.xml"), csv = report(report_csv, at("stopped"), "b.csv");
    has(&running, "<h1>Running: 3.0 M of 4.5 M planned, no failure so far</h1>");
    has(&stopped, "<h1>Incomplete: ran 3.0 M of 4.5 M planned</h1>");
    has(&stopped, "header class=\"warn\"");
    has(&empty, "<h1>Nothing was tested: the run owes no case</h1>");
    has(&junit, "errors=\"15\"");
    has(&junit, "type=\"not-run\"");
    has(&nothing, "errors=\"1\"");
    has(&csv, ",not-run,100000,");
    well_formed(&junit);
    well_formed(&nothing);
    text_free(&running);
    text_free(&stopped);
    text_free(&empty);
    text_free(&junit);
    text_free(&nothing);
    text_free(&csv);
}

static void a_file_is_whole_or_not_there(void **state)
{
    (void)state;
    make_run(at("run"), 20, 15000, "complete");
    store *s = store_open(at("run"), &trouble);
    check(s != NULL);
    for (int i = 0; i < WRITERS; ++i) {
        error e = { 0 };
        assert_false(writers[i](s, at("no/such/folder/r"), &e));
        assert_non_null(strstr(e.text, "cannot be written: No such file or directory"));
        assert_false(writers[i](s, folder, &e));
        assert_non_null(strstr(e.text, "is a directory"));
#if !defined(_WIN32) /* which has no files that are devices */
        if (access("/dev/full", W_OK) == 0) {
            assert_false(writers[i](s, "/dev/full", &e));
            assert_non_null(strstr(e.text, "the disk is full"));
            assert_int_equal(e.status, EXIT_HARNESS);
        }
        check(writers[i](s, "/dev/null", &trouble)); /* written to, not replaced */
        struct stat info;
        assert_int_equal(stat("/dev/null", &info), 0);
        assert_true(S_ISCHR(info.st_mode));
#endif
    }
    assert_int_equal(testing_count(folder), 1);
    /* An old report is replaced as a whole; what stood under a temporary name is left alone. */
    FILE *file = fopen(at("r.csv"), "wb");
    fputs("old", file);
    fclose(file);
    file = fopen(at("r.csv.partial-0"), "wb");
    fputs("somebody's", file);
    fclose(file);
    check(report_csv(s, at("r.csv"), &trouble));
    text csv = slurp(at("r.csv")), other = slurp(at("r.csv.partial-0"));
    has(&csv, "record,operator,test,");
    assert_string_equal(other.data, "somebody's");
    assert_int_equal(testing_count(folder), 3);
    text_free(&csv);
    text_free(&other);
    store_close(s);
}

static void a_dash_is_standard_output(void **state)
{
    (void)state;
    make_run(at("run"), 3, 15000, "complete");
    store *s = store_open(at("run"), &trouble);
    check(s != NULL);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), file = open(at("out"), O_CREAT | O_WRONLY, 0600);
    dup2(file, STDOUT_FILENO);
    bool ok = report_csv(s, "-", &trouble);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(file);
    assert_true(ok);
    text dash = slurp(at("out")), named = report(report_csv, at("run"), "r.csv");
    assert_string_equal(dash.data, named.data);
    text_free(&dash);
    text_free(&named);
    store_close(s);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void many_findings_stay_small(void **state)
{
    (void)state;
    make_run(at("run"), 100000, 100000000, "complete");
    tally_findings(at("run"));
    for (int i = 0; i < WRITERS; ++i) {
        double before = now();
        text t = report(writers[i], at("run"), endings[i]);
        print_message("%s of 10^5 findings: %.0f bytes, %.2f s\n", endings[i], (double)t.length, now() - before);
        if (writers[i] == report_html) {
            assert_true(t.length < 5000000);
            assert_true(occurrences(&t, "<details class=\"finding\"") <= 200);
        }
        text_free(&t);
    }
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--make-run") == 0) {
        uint64_t findings = strtoull(argv[3], NULL, 10), cases = strtoull(argv[4], NULL, 10);
        make_run(argv[2], findings, cases, "complete");
        tally_findings(argv[2]);
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "--make-html") == 0) {
        store *s = store_open(argv[2], &trouble);
        check(s != NULL);
        check(report_html(s, argv[3], &trouble));
        store_close(s);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(text_is_escaped, empty_folder),
        cmocka_unit_test_setup(a_passing_run_is_told, empty_folder),
        cmocka_unit_test_setup(failures_are_told_alike_by_all, empty_folder),
        cmocka_unit_test_setup(the_ledger_says_what_the_backend_did, empty_folder),
        cmocka_unit_test_setup(decided_entries_are_judged_by_their_examples, empty_folder),
        cmocka_unit_test_setup(a_ledger_may_be_anything, empty_folder),
        cmocka_unit_test_setup(hostile_strings_stay_strings, empty_folder),
        cmocka_unit_test_setup(an_unfinished_run_is_never_green, empty_folder),
        cmocka_unit_test_setup(a_file_is_whole_or_not_there, empty_folder),
        cmocka_unit_test_setup(a_dash_is_standard_output, empty_folder),
        cmocka_unit_test_setup(many_findings_stay_small, empty_folder),
    };
    return cmocka_run_group_tests(tests, set_up_folder, remove_folder);
}
