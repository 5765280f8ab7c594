/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of reports share: a folder, synthetic runs, and ways to write a report and to search it. */
#ifndef TOUCHSTONE_REPORT_RIG_H
#define TOUCHSTONE_REPORT_RIG_H

#include "harness/base/text.h"
#include "harness/store/store_private.h"
#include "harness/testing/platform_testing.h"
#include "reference/operators.h"
#include "reports/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static inline uint32_t random_bits(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static inline void set_facts(store *s, const char *state)
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

static const char *const kinds[][2] = { { "exhaustive", "Every small shape, window and stride" },
                                        { "boundary", "Shapes beside vector widths and tile edges" },
                                        { "invalid", "Exactly one clause broken at a time" } };
static const char *const dtypes[] = { "f32", "f16", "u32", "u8", "i32", "i8", "f64", "u64" };
static const char *const levels[] = { "2_0", "3_0", "4_1", "5_1" };
enum { KINDS = 3, DTYPES = 8, LEVELS = 4, MAX_TESTS = 100 * KINDS };

static inline size_t operator_count(void)
{
    size_t count;
    operators_all(&count);
    return count;
}

static inline const char *operator_name(size_t i)
{
    size_t count;
    return operators_all(&count)[i]->name;
}

/* The number of tests of a synthetic run. */
static inline size_t test_count(void)
{
    return operator_count() * KINDS;
}

/* The test of a finding: three operators fail, two tests of each. */
static inline unsigned test_of_finding(uint64_t i, uint64_t findings)
{
    unsigned part = (unsigned)(i * 6 / findings);
    return (part % 2 ? 2 : 0) + (part / 2 + 1) * KINDS;
}

static inline void add_synthetic_finding(store *s, uint64_t i, uint64_t findings, uint32_t *state)
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
    snprintf(id, sizeof id, "%s:%s:dtype=%s,size=%u.%u,offset=%u,stride=-%u.%u", operator_name(test / KINDS),
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
        operator_name(test / KINDS), a, b, w, a, b, a % 3 + 1);
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

/* Add entries in each state: as decided, unlike, judged and not tested. The judged entry belongs to the operator whose
   examples the run has. */
static inline void add_ledger(store *s, bool observed)
{
    static const char gather[] =
        "[{\"id\":\"E-GA-9\",\"kind\":\"AM\",\"operator\":\"dml.gather\",\"page\":\"DML_GATHER_OPERATOR_DESC\","
        "\"quote\":\"(leading dimensions)\",\"problem\":\"Nothing is said.\",\"decision\":\"Undefined.\","
        "\"clauses\":[\"SL-07\"],\"case\":null,\"examples\":[\"leading\"],\"observed\":[],\"known\":[]},"
        "{\"id\":\"E-GA-10\",\"kind\":\"AM\",\"operator\":\"dml.gather\",\"page\":\"DML_GATHER_OPERATOR_DESC\","
        "\"quote\":\"Invalid indices\","
        "\"problem\":\"Which value?\",\"decision\":\"Undefined.\",\"clauses\":[\"SL-10\"],"
        "\"case\":\"u32 indices 5\",\"examples\":[],\"observed\":[16],\"known\":[{\"implementation\":\"DirectML\","
        "\"version\":\"1.15.4\",\"answer\":\"the flat address is clamped\"}]},"
        "{\"id\":\"E-GA-6\",\"kind\":\"EN\",\"operator\":\"dml.gather\",\"page\":\"DML_GATHER_OPERATOR_DESC\","
        "\"quote\":\"must match\",\"problem\":\"It cannot.\",\"decision\":\"DataType.\",\"clauses\":[],\"case\":null,"
        "\"examples\":[],\"observed\":[],\"known\":[]}]";
    static const char slice[] =
        "[{\"id\":\"E-SL-1\",\"kind\":\"EN/IM\",\"operator\":\"dml.slice1\",\"page\":\"DML_SLICE1_OPERATOR_DESC\","
        "\"quote\":\"1 + ...\","
        "\"problem\":\"The stride is signed.\",\"decision\":\"Its magnitude.\",\"clauses\":[\"SL-08\"],"
        "\"case\":null,\"examples\":[\"2\"],\"observed\":[],\"known\":[]}]";
    const store_observation observations[] = {
        { 2, "E-GA-9: our decision (ignored)", 11, "dml.gather:examples:example=leading", NULL },
        { 2, "E-GA-10: our decision (clamped index)", 7, "dml.gather:examples:example=a", NULL },
        { 3, "E-GA-10: another known interpretation (flat clamp)", 4321, "dml.gather:examples:example=b",
          "OutputTensor[1] is 5" },
    };
    check(store_add_ledger(s, "dml.gather", gather, &trouble));
    check(store_add_ledger(s, "dml.slice1", slice, &trouble));
    check(store_set(s, STORE_REPRODUCE, "-b directml", &trouble));
    for (size_t i = 0; observed && i < 3; ++i)
        check(store_add_observation(s, &observations[i], &trouble));
}

/* Make a run like a real one, with 12 clauses per operator. Without findings, all cases pass. With a `state` other than
   "complete", a third of the planned cases did not run. */
static inline void make_run(const char *path, uint64_t findings, uint64_t cases, const char *state)
{
    store *s = store_create(path, &trouble);
    check(s != NULL);
    check(store_begin(s, &trouble));
    set_facts(s, state);
    bool complete = strcmp(state, "complete") == 0;
    uint64_t each = cases / test_count(), failing[MAX_TESTS] = { 0 };
    check(test_count() <= MAX_TESTS);
    for (uint64_t i = 0; i < findings; ++i)
        failing[test_of_finding(i, findings)]++;
    for (unsigned t = 0; t < test_count(); ++t) {
        store_test test = { .op = operator_name(t / KINDS),
                            .test = kinds[t % KINDS][0],
                            .tier = "full",
                            .title = kinds[t % KINDS][1],
                            .points = each * 3,
                            .planned = complete ? each : each * 3 / 2 };
        check(store_add_test(s, &test, &trouble));
        uint64_t left = each > failing[t] ? each - failing[t] : 0;
        for (unsigned d = 0; d < DTYPES; ++d)
            for (unsigned l = 0; l < LEVELS; ++l) {
                bool has_levels = t / KINDS + 1 < operator_count();
                if (l < (d > 5 ? 2 : d > 2 ? 1 : 0) && has_levels)
                    continue;
                const char *level = has_levels ? levels[l] : "none";
                bool last = d == DTYPES - 1 && l == LEVELS - 1;
                uint64_t part = last ? left : left / 7;
                left -= part;
                check(store_add_tally(s, test.id, dtypes[d], level, VERDICT_PASS, part, &trouble));
            }
    }
    uint32_t random = 12345;
    for (uint64_t i = 0; i < findings; ++i)
        add_synthetic_finding(s, i, findings, &random);
    store_observation gap = { 1, "gap-write", 1203, "gap-example", NULL };
    if (findings > 0)
        check(store_add_observation(s, &gap, &trouble));
    add_ledger(s, cases > 0);
    for (size_t o = 0; o < operator_count(); ++o)
        for (int i = 1; i <= 12; ++i) {
            char id[16];
            snprintf(id, sizeof id, "SL-%02d", i);
            store_clause c = { operator_name(o),
                               id,
                               "The window must lie inside the input: offset + size of the window is "
                               "at most the size of the input, in every dimension",
                               "DML_SLICE1_OPERATOR_DESC",
                               "Remarks",
                               "implied",
                               "example 2 of the page",
                               true,
                               7,
                               6 };
            check(store_add_clause(s, &c, &trouble));
        }
    check(store_commit(s, &trouble));
    store_close(s);
}

static inline bool tally_finding(void *context, const store_finding *f)
{
    check(store_add_tally(context, f->test, f->dtype, f->level, f->verdict, 1, &trouble));
    return true;
}

/* Count the findings in the tallies, as a real run does. */
static inline void tally_findings(const char *path)
{
    store *s = store_open_uncounted(path, &trouble);
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

static inline text slurp(const char *path)
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

static inline size_t occurrences(const text *t, const char *what)
{
    size_t n = 0;
    for (const char *p = t->data; p && (p = strstr(p, what)); p += strlen(what))
        ++n;
    return n;
}

static inline void has(const text *t, const char *what)
{
    if (!t->data || !strstr(t->data, what))
        fail_msg("missing: %s", what);
}

/* Check that a text is valid UTF-8 without characters that XML forbids. */
static inline void clean(const text *t)
{
    assert_int_equal(strlen(t->data), t->length);
    json_t *valid = json_stringn(t->data, t->length);
    assert_non_null(valid);
    json_decref(valid);
    for (size_t i = 0; i < t->length; ++i)
        assert_true((unsigned char)t->data[i] >= 0x20 || strchr("\t\r\n", t->data[i]));
}

typedef bool (*writer)(store *s, const char *path, error *e);

static inline text report(writer write, const char *run, const char *name)
{
    store *s = store_open_uncounted(run, &trouble);
    check(s != NULL);
    check(write(s, at(name), &trouble));
    store_close(s);
    return slurp(at(name));
}

static inline int set_up_folder(void **state)
{
    (void)state;
    return testing_folder(folder);
}

static inline int remove_folder(void **state)
{
    (void)state;
    return testing_remove(folder);
}

static inline int empty_folder(void **state)
{
    (void)state;
    return testing_empty(folder, "");
}

#endif
