/* SPDX-License-Identifier: Apache-2.0 */
/* JUnit XML for Jenkins and GitLab: a suite per operator, a case per finding, and one per test for what its findings do
   not say. Servers count each case, so each failing case of the run is in one of them. */
#include "harness/base/output.h"
#include "reports/report.h"
#include "reports/report_write.h"
#include "harness/store/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Continuous integration servers store a page per case. The case of the test itself has the number of its further
   failures; the other formats have all findings. */
enum { JUNIT_FINDINGS = 1000 };

typedef struct suite_counts {
    uint64_t tests, failures, errors, skipped;
} suite_counts;

typedef struct writer {
    output out;
    summary m;
    suite_counts *suites; /* per operator */
    uint64_t *findings;   /* per test: findings in the run, */
    uint64_t *failing;    /* and failures among those that are listed */
    uint64_t written;     /* of the current test */
    const summary_test *test;
} writer;

static bool count_finding(void *context, const store_finding *f)
{
    writer *w = context;
    size_t test = summary_find_test(&w->m, f->test);
    if (test == w->m.test_count || ++w->findings[test] > JUNIT_FINDINGS)
        return true;
    suite_counts *c = &w->suites[w->m.tests[test].op_index];
    c->tests++;
    if (verdict_fails(f->verdict)) {
        c->failures++;
        w->failing[test]++;
    } else {
        c->skipped++;
    }
    return true;
}

static void attribute(text *t, const char *name, const char *value)
{
    text_format(t, " %s=\"", name);
    text_xml(t, value);
    text_add(t, "\"");
}

static void begin_case(text *t, const char *classname, const char *name)
{
    text_add(t, "    <testcase");
    attribute(t, "classname", classname);
    attribute(t, "name", name);
    text_add(t, ">\n");
}

/* One line of a finding's details. */
static void line(text *t, const char *name, const char *value)
{
    if (!value || !value[0])
        return;
    text_add(t, name);
    text_add(t, ": ");
    text_xml(t, value);
    text_add(t, "\n");
}

static bool write_finding(void *context, const store_finding *f)
{
    writer *w = context;
    text *t = &w->out.text;
    if (w->written++ == JUNIT_FINDINGS)
        return false;
    /* "OPERATOR:TEST:size=4": the class is OPERATOR.TEST, so that servers group the cases by test. */
    const char *name = f->case_id ? f->case_id : "";
    size_t prefix = strlen(w->test->name);
    if (strncmp(name, w->test->name, prefix) == 0 && name[prefix] == ':' && name[prefix + 1])
        name += prefix + 1;
    text classname = { 0 };
    text_format(&classname, "%s.%s", w->test->op, w->test->test);
    begin_case(t, classname.data ? classname.data : "", name[0] ? name : "(all defaults)");
    t->failed |= classname.failed;
    text_free(&classname);

    bool fails = verdict_fails(f->verdict);
    text message = { 0 };
    text_add(&message, verdict_name(f->verdict));
    if (f->clause)
        text_format(&message, " (%s)", f->clause);
    if (f->detail)
        text_format(&message, ": %s", f->detail);
    text_add(t, fails ? "      <failure" : "      <skipped");
    if (fails)
        attribute(t, "type", verdict_name(f->verdict));
    attribute(t, "message", message.data);
    t->failed |= message.failed;
    text_free(&message);
    if (!fails) {
        text_add(t, "/>\n    </testcase>\n");
        return !t->failed;
    }
    text_add(t, ">");
    line(t, "id", f->case_id);
    if (f->tensor || f->element) {
        text_add(t, "at: ");
        text_xml(t, f->tensor);
        text_xml(t, f->element);
        text_add(t, "\n");
    }
    line(t, "expected", f->expected);
    line(t, "actual", f->actual);
    line(t, "source", f->source);
    if (f->differing)
        text_format(t, "elements that differ: %" PRIu64 "\n", f->differing);
    line(t, "failed in", f->rate);
    line(t, "only after", f->depends);
    line(t, "parameters that matter", f->matters);
    line(t, "descriptor", f->descriptor);
    line(t, "reproduce with", f->reproducer);
    line(t, "shrunk to", f->shrunk);
    line(t, "the backend printed", f->printed);
    text_add(t, "</failure>\n    </testcase>\n");
    output_flush(&w->out);
    return !t->failed && !w->out.failed;
}

/* Describe the counts of a test: "ran 12 of 20 planned; mismatch 3; crash 1". */
static void describe(text *t, const summary_counts *c)
{
    text_add(t, "ran ");
    text_count(t, c->ran);
    text_add(t, " of ");
    text_count(t, c->planned);
    text_add(t, " planned");
    for (int v = VERDICT_PASS; v < VERDICT_COUNT; ++v) {
        if (c->cases[v] == 0)
            continue;
        text_format(t, "; %s ", verdict_name((verdict)v));
        text_count(t, c->cases[v]);
    }
}

typedef enum test_outcome { TEST_PASSED, TEST_FAILED, TEST_ERROR, TEST_SKIPPED, TEST_LISTED } test_outcome;

/* Failing cases of a test that no listed finding is about. */
static uint64_t further_failures(const writer *w, size_t index)
{
    const uint64_t failed = w->m.tests[index].counts.failed;
    return failed > w->failing[index] ? failed - w->failing[index] : 0;
}

/* What came of a test beside its listed findings. A test that judged nothing never passes: it is an error where it
   planned cases that did not run, and skipped where the backend supports none of its cases, or none is judged. A test
   whose failures are all listed has no case of its own: it did not pass, and its failures are counted. */
static test_outcome test_outcome_of(const writer *w, size_t index)
{
    const summary_counts *c = &w->m.tests[index].counts;
    if (further_failures(w, index) > 0)
        return TEST_FAILED;
    if (c->cases[VERDICT_NONE] > 0)
        return TEST_ERROR;
    if (c->failed > 0)
        return TEST_LISTED;
    return c->ran == c->cases[VERDICT_NOT_JUDGED] ? TEST_SKIPPED : TEST_PASSED;
}

static void write_test(writer *w, size_t index)
{
    static const char *const elements[] = { NULL, "failure", "error", "skipped" };
    static const char *const types[] = { NULL, "failures", "not-run", NULL };
    const summary_test *test = w->test;
    text *t = &w->out.text;
    const test_outcome outcome = test_outcome_of(w, index);
    if (outcome == TEST_LISTED)
        return;
    begin_case(t, test->op, test->test);
    text words = { 0 };
    if (outcome == TEST_FAILED && w->failing[index] > 0) {
        text_count(&words, further_failures(w, index));
        text_add(&words, further_failures(w, index) == 1 ? " further case fails: " : " further cases fail: ");
    }
    describe(&words, &test->counts);
    if (outcome != TEST_PASSED) {
        text_format(t, "      <%s", elements[outcome]);
        attribute(t, "message", test->counts.planned == 0 ? "no case is planned" : words.data);
        if (types[outcome])
            attribute(t, "type", types[outcome]);
        text_add(t, "/>\n");
    }
    text_add(t, "      <system-out>");
    text_xml(t, test->title);
    text_add(t, "\n");
    text_xml(t, words.data);
    text_add(t, "\n");
    if (w->findings[index] > JUNIT_FINDINGS) {
        text_count(t, w->findings[index] - JUNIT_FINDINGS);
        text_add(t, " further findings are not listed here; the run file has them.\n");
    }
    text_add(t, "</system-out>\n    </testcase>\n");
    t->failed |= words.failed;
    text_free(&words);
}

/* Does the run plan cases of the operator that the backend does not support? They are an error of the operator: a
   server that reads the counts alone must not take it for passed. */
static bool is_incomplete(const writer *w, size_t op)
{
    return w->m.operators[op].counts.cases[VERDICT_UNSUPPORTED] > 0;
}

static void write_incomplete(writer *w, size_t op)
{
    const summary_operator *o = &w->m.operators[op];
    text *t = &w->out.text;
    text words = { 0 };
    summary_add_unsupported(&o->counts, &words);
    begin_case(t, o->name, "unsupported");
    text_add(t, "      <error type=\"incomplete\"");
    attribute(t, "message", words.data);
    text_add(t, "/>\n    </testcase>\n");
    t->failed |= words.failed;
    text_free(&words);
}

static void counts_attributes(text *t, const suite_counts *c)
{
    text_format(t, " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64 "\" skipped=\"%" PRIu64 "\"",
                c->tests, c->failures, c->errors, c->skipped);
}

/* A suite has no time of its own: backends execute cases in batches, and servers add the suites' times up. */
static void timestamp_attribute(writer *w, store *s)
{
    text *t = &w->out.text;
    const char *started = store_get(s, STORE_STARTED);
    /* Timestamps in JUnit have no time zone; these are UTC. */
    if (started && strlen(started) >= 19)
        text_format(t, " timestamp=\"%.19s\"", started);
}

static bool write_suite(writer *w, store *s, size_t op, error *e)
{
    text *t = &w->out.text;
    char name[160];
    snprintf(name, sizeof name, "%s%s", w->m.validation ? "validation: " : "", w->m.operators[op].name);
    text_add(t, "  <testsuite");
    attribute(t, "name", name);
    counts_attributes(t, &w->suites[op]);
    timestamp_attribute(w, s);
    text_add(t, ">\n    <properties>\n      <property name=\"headline\"");
    text words = { 0 };
    summary_headline(&w->m, store_get(s, STORE_LEVEL), &words);
    attribute(t, "value", words.data);
    text_add(t, "/>\n");
    t->failed |= words.failed;
    text_free(&words);
    for (size_t i = 0; i < summary_fact_count; ++i) {
        const char *value = store_get(s, summary_facts[i].key);
        if (!value || !value[0])
            continue;
        text_add(t, "      <property");
        attribute(t, "name", summary_facts[i].key);
        attribute(t, "value", value);
        text_add(t, "/>\n");
    }
    text_add(t, "    </properties>\n");
    if (is_incomplete(w, op))
        write_incomplete(w, op);
    for (size_t i = 0; i < w->m.test_count; ++i) {
        if (w->m.tests[i].op_index != op)
            continue;
        w->test = &w->m.tests[i];
        w->written = 0;
        write_test(w, i);
        if (w->findings[i] > 0 && !store_each_finding(s, w->test->id, JUNIT_FINDINGS, write_finding, w, e))
            return false;
    }
    text_add(t, "  </testsuite>\n");
    output_flush(&w->out);
    return true;
}

/* The error of a run that judged nothing, or not what was required. */
static void write_unjudged(writer *w, summary_outcome outcome)
{
    text *t = &w->out.text;
    text words = { 0 };
    summary_verdict(&w->m, NULL, &words);
    text_add(t, "  <testsuite name=\"touchstone\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n"
                "    <testcase classname=\"touchstone\" name=\"run\">\n      <error");
    attribute(t, "type", outcome == OUTCOME_ABSENT ? "required-absent" : "not-run");
    attribute(t, "message", words.data);
    text_add(t, "/>\n    </testcase>\n  </testsuite>\n");
    t->failed |= words.failed;
    text_free(&words);
}

static bool write_all(void *context, store *s, error *e)
{
    writer *w = context;
    suite_counts total = { 0 };
    w->suites = calloc(w->m.operator_count + 1, sizeof *w->suites);
    w->findings = calloc(w->m.test_count + 1, sizeof *w->findings);
    w->failing = calloc(w->m.test_count + 1, sizeof *w->failing);
    if (!w->suites || !w->findings || !w->failing)
        return error_set(e, "out of memory");
    if (!store_each_finding(s, 0, 0, count_finding, w, e))
        return false;
    for (size_t i = 0; i < w->m.test_count; ++i) {
        suite_counts *c = &w->suites[w->m.tests[i].op_index];
        const test_outcome came = test_outcome_of(w, i);
        c->tests += came != TEST_LISTED;
        c->failures += came == TEST_FAILED;
        c->errors += came == TEST_ERROR;
        c->skipped += came == TEST_SKIPPED;
    }
    /* A run that judged nothing, or not what was required, must not pass where a server reads the counts only. */
    const summary_outcome outcome = summary_outcome_of(&w->m);
    const bool unjudged = outcome == OUTCOME_NOTHING || outcome == OUTCOME_ABSENT;
    for (size_t i = 0; i < w->m.operator_count; ++i) {
        w->suites[i].tests += is_incomplete(w, i);
        w->suites[i].errors += is_incomplete(w, i);
        total.tests += w->suites[i].tests;
        total.failures += w->suites[i].failures;
        total.errors += w->suites[i].errors;
        total.skipped += w->suites[i].skipped;
    }
    total.tests += unjudged;
    total.errors += unjudged;
    text *t = &w->out.text;
    text_add(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"touchstone\"");
    counts_attributes(t, &total);
    const char *seconds = store_get(s, STORE_SECONDS);
    char *rest;
    if (seconds && strtod(seconds, &rest) >= 0 && rest != seconds && *rest == 0)
        attribute(t, "time", seconds);
    text_add(t, ">\n");
    if (unjudged)
        write_unjudged(w, outcome);
    for (size_t i = 0; i < w->m.operator_count; ++i)
        if (!write_suite(w, s, i, e))
            return false;
    text_add(t, "</testsuites>\n");
    return true;
}

bool report_junit(store *s, const char *path, error *e)
{
    writer w = { 0 };
    bool ok = report_write(&w.out, &w.m, s, path, write_all, &w, e);
    free(w.suites);
    free(w.findings);
    free(w.failing);
    return ok;
}
