/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_models BACKEND FILE...
 *
 * Ask a backend about every descriptor in the files, which are what `touchstone check` reads: models of DxDispatch
 * above all. Prints a line for each: FILE,NAME,OPERATOR,ours,theirs,clauses. What is no operator is `none` in both
 * columns.
 */
#include "harness/base/platform.h"
#include "harness/check/check.h"
#include "harness/execute/plugin.h"

#include <stdio.h>
#include <string.h>

/* One call of the backend. */
typedef struct question {
    plugin *backend;
    ts_call call;
    ts_status status;
} question;

static void put_question(void *context)
{
    question *q = context;
    if (q->backend->backend->submit(q->backend->self, &q->call, 1, &q->status) != TS_OK)
        q->status = TS_LOST;
}

/* The clauses that a descriptor breaks, with spaces between them; "" if it is legal. */
static void clauses_of(const ts_descriptor *d, char *buf, size_t size)
{
    ts_report report;
    size_t used = 0;
    memset(&report, 0, sizeof report);
    d->op->check(d, &report);
    buf[0] = 0;
    for (unsigned i = 0; i < report.count && used < size; ++i)
        if (report.items[i].result != TS_RESULT_WARNING && report.items[i].result != TS_RESULT_BIND_ERROR &&
            !strstr(buf, report.items[i].clause))
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? " " : "", report.items[i].clause);
}

static bool ask(void *context, const check_item *item, error *e)
{
    static const char *const names[] = { "accepted", "refused", "unsupported", "lost", "error", "crashed" };
    const char *name = item->name ? item->name : "", *ours = "none", *theirs = "none";
    char clauses[256] = "";
    (void)e;
    if (item->broken) {
        ours = "unreadable";
    } else if (item->known && !item->gaps.mistake_count) {
        const ts_descriptor *d = item->judge ? item->judge : &item->d;
        platform_fault fault;
        question q = { context, operator_call(d), TS_UNSUPPORTED };
        q.call.flags = TS_CALL_DESCRIPTOR_ONLY;
        clauses_of(d, clauses, sizeof clauses);
        ours = clauses[0] ? "refused" : "accepted";
        if (!platform_guarded_call(put_question, &q, &fault))
            q.status = TS_CRASHED;
        theirs = names[q.status];
    } else if (item->known) {
        ours = "unreadable";
    }
    printf("%s,%s,%s,%s,%s,%s\n", item->file, name, item->op_name ? item->op_name : "", ours, theirs, clauses);
    return fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    static const check_options o = { .go_on = true, .partly = true, .name_unknown = true };
    plugin backend;
    error e;
    platform_begin();
    if (argc < 3) {
        fprintf(stderr, "usage: bench_models BACKEND FILE...\n");
        return 64;
    }
    if (!plugin_open(&backend, argv[1], NULL, 0, &e)) {
        fprintf(stderr, "bench_models: %s\n", e.text);
        return 3;
    }
    int status = 0;
    for (int i = 2; i < argc; ++i)
        if (!check_read_file(argv[i], &o, ask, &backend, &e)) {
            fprintf(stderr, "bench_models: %s\n", e.text);
            status = 64;
        }
    plugin_close(&backend);
    return status;
}
