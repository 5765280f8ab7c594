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
#include "scripts/bench/question.h"

#include <stdio.h>

static bool ask(void *context, const check_item *item, error *e)
{
    const char *name = item->name ? item->name : "";
    question_answer answer = { .ours = "none", .theirs = "none" };
    (void)e;
    if (item->broken || (item->known && item->gaps.mistake_count))
        answer.ours = "unreadable";
    else if (item->known)
        question_ask(context, item->judge ? item->judge : &item->d, &answer);
    printf("%s,%s,%s,%s,%s,%s\n", item->file, name, item->op_name ? item->op_name : "", answer.ours, answer.theirs,
           answer.clauses);
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
