/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_descriptors BACKEND FILE OPERATOR FROM
 *
 * Ask a backend about the legal call of OPERATOR in FILE (reference/checked/legal.json) and about every call that
 * differs from it in one field (harness/casefile/changes.h), from number FROM on, and compare its answers with those of
 * the checker. Prints a line for each call: OPERATOR,NUMBER,ours,theirs,clauses,what was changed and flushes it before
 * the next one is asked, so that the line that is missing is the call that ended the process.
 */
#include "harness/base/platform.h"
#include "harness/casefile/changes.h"
#include "harness/model/descriptor.h"
#include "reference/operators.h"
#include "scripts/bench/question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct asker {
    plugin backend;
    unsigned long number, from;
} asker;

static void ask(void *context, const ts_descriptor *d, const field_change *changed)
{
    asker *a = context;
    char what[160];
    question_answer answer;
    if (a->number++ < a->from)
        return;
    question_ask(&a->backend, d, &answer);
    changes_describe(d->op, changed, what, sizeof what);
    printf("%s,%lu,%s,%s,%s,%s\n", d->op->name, a->number - 1, answer.ours, answer.theirs, answer.clauses, what);
    if (fflush(stdout) != 0 || strcmp(answer.theirs, "crashed") == 0)
        exit(4);
}

int main(int argc, char **argv)
{
    json_error_t where;
    error e;
    asker a = { .number = 0 };
    platform_begin();
    if (argc != 5) {
        fprintf(stderr, "usage: bench_descriptors BACKEND FILE OPERATOR FROM\n");
        return 64;
    }
    a.from = strtoul(argv[4], NULL, 10);
    json_t *legal = json_load_file(argv[2], 0, &where);
    if (!legal || !plugin_open(&a.backend, argv[1], NULL, 0, &e)) {
        fprintf(stderr, "bench_descriptors: %s\n", legal ? e.text : where.text);
        return 3;
    }
    for (size_t i = 0; i < json_array_size(legal); ++i) {
        const json_t *record = json_array_get(legal, i);
        ts_descriptor d;
        const char *name = json_string_value(json_object_get(record, "operator"));
        const ts_operator *op = strcmp(name, argv[3]) == 0 ? operators_find_known(name) : NULL;
        if (op && descriptor_from_json(op, json_object_get(record, "descriptor"), &d, NULL, &e))
            changes_each(&d, ask, &a);
    }
    json_decref(legal);
    plugin_close(&a.backend);
    return 0;
}
