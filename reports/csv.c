/* SPDX-License-Identifier: Apache-2.0 */
/* One table (RFC 4180) for pivot tables and diff; docs/formats.md describes its columns. */
#include "harness/base/output.h"
#include "reports/report.h"
#include "reports/report_write.h"
#include "harness/store/summary.h"

#include <inttypes.h>

typedef struct writer {
    output out;
    summary m;
    uint64_t findings; /* written so far. They have these numbers, and not those of the run file, which depend on the
                          order in which workers reported: the files of equal runs are equal */
} writer;

/* The columns that both kinds of rows share. */
static void begin_row(text *t, const char *record, const summary_test *test, const char *dtype, const char *level,
                      verdict v)
{
    const char *fields[] = { test ? test->op : NULL, test ? test->test : NULL, dtype, level, verdict_name(v) };
    text_add(t, record);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
        text_add(t, ",");
        text_csv(t, fields[i]);
    }
}

static void write_cases(writer *w, const summary_test *test, const char *dtype, const char *level, verdict v,
                        uint64_t cases)
{
    begin_row(&w->out.text, w->m.validation ? "descriptors" : "cases", test, dtype, level, v);
    text_format(&w->out.text, ",%" PRIu64 ",,,,,,,,,,,,,,,\r\n", cases);
    output_flush(&w->out);
}

static bool write_finding(void *context, const store_finding *f)
{
    writer *w = context;
    text *t = &w->out.text;
    size_t test = summary_find_test(&w->m, f->test);
    begin_row(t, "finding", test < w->m.test_count ? &w->m.tests[test] : NULL, f->dtype, f->level, f->verdict);
    text_format(t, ",,%" PRIu64 ",", ++w->findings);
    const char *fields[] = { f->case_id, f->clause, f->tensor, f->element, f->expected, f->actual, f->source };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
        text_csv(t, fields[i]);
        text_add(t, ",");
    }
    text_format(t, "%" PRIu64 ",", f->differing);
    text_csv(t, f->detail);
    text_add(t, ",");
    text_csv(t, f->reproducer);
    text_add(t, ",");
    text_csv(t, f->rate);
    text_add(t, ",");
    text_csv(t, f->depends);
    text_add(t, ",");
    text_csv(t, f->matters);
    text_add(t, ",");
    text_csv(t, f->shrunk);
    text_add(t, "\r\n");
    output_flush(&w->out);
    return !t->failed && !w->out.failed;
}

static bool write_all(void *context, store *s, error *e)
{
    writer *w = context;
    text_add(&w->out.text, "record,operator,test,dtype,level,verdict,cases,finding,case,clause,tensor,element,expected,"
                           "actual,source,differing,detail,reproducer,rate,depends,matters,shrunk\r\n");
    /* In the order of the plan, whatever the order of the tallies: the files of two runs then differ only where the
       runs differ. */
    for (size_t i = 0; i < w->m.test_count; ++i) {
        const summary_test *test = &w->m.tests[i];
        for (size_t k = 0; k < w->m.tally_count; ++k) {
            const summary_tally *c = &w->m.tallies[k];
            if (c->test == i)
                write_cases(w, test, c->dtype, c->level, c->verdict, c->cases);
        }
        if (test->counts.cases[VERDICT_NONE] > 0 || test->counts.planned == 0)
            write_cases(w, test, NULL, NULL, VERDICT_NONE, test->counts.cases[VERDICT_NONE]);
    }
    return store_each_finding(s, 0, 0, write_finding, w, e);
}

bool report_csv(store *s, const char *path, error *e)
{
    writer w = { 0 };
    return report_write(&w.out, &w.m, s, path, write_all, &w, e);
}
