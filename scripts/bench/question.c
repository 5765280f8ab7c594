/* SPDX-License-Identifier: Apache-2.0 */
#include "scripts/bench/question.h"

#include "harness/base/platform.h"

#include <stdio.h>
#include <string.h>

typedef struct question {
    plugin *backend;
    ts_call call;
    ts_status status;
} question;

static void put(void *context)
{
    question *q = context;
    if (q->backend->backend->submit(q->backend->self, &q->call, 1, &q->status) != TS_OK)
        q->status = TS_LOST;
}

static void list_clauses(const ts_descriptor *d, char *buf, size_t size)
{
    ts_report report;
    size_t used = 0;
    memset(&report, 0, sizeof report);
    operator_check(d, &report);
    buf[0] = 0;
    for (unsigned i = 0; i < report.count && used < size; ++i)
        if (report.items[i].result != TS_RESULT_WARNING && report.items[i].result != TS_RESULT_BIND_ERROR &&
            !strstr(buf, report.items[i].clause))
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? " " : "", report.items[i].clause);
}

void question_ask(plugin *backend, const ts_descriptor *d, question_answer *answer)
{
    static const char *const names[] = { "accepted", "refused", "unsupported", "lost", "error", "crashed" };
    platform_fault fault;
    question q = { backend, operator_call(d), TS_UNSUPPORTED };
    q.call.flags = TS_CALL_DESCRIPTOR_ONLY;
    list_clauses(d, answer->clauses, sizeof answer->clauses);
    if (!strstr(answer->clauses, "OP-05") && !platform_guarded_call(put, &q, &fault))
        q.status = TS_CRASHED;
    answer->ours = answer->clauses[0] ? "refused" : "accepted";
    answer->theirs = names[q.status];
}
