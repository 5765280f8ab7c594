/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of whole runs share: a folder with their own case files, options, and functions that execute or kill
   a run. */
#ifndef TOUCHSTONE_RUN_RIG_H
#define TOUCHSTONE_RUN_RIG_H

#include "harness/testing/case_files.h"
#include "harness/testing/platform_testing.h"
#include "harness/run/run.h"
#include "harness/store/store.h"
#include "harness/run/worker_spawn.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if !defined(_WIN32)
#include <sys/wait.h>
#endif

#include <cmocka.h>

static char folder[] = "/tmp/run_rig.XXXXXX";

static inline const char *in_folder(const char *name)
{
    static char paths[8][sizeof folder + 64];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Write the case file of an operator. */
static inline int write_cases(const char *op, const char *cases)
{
    return case_files_write(folder, operators_find(op), strchr(op, '.') + 1, cases);
}

/* Make the folder, with a case file for every operator; that of dml.element_wise_identity is `cases`. */
static inline int set_up_with(const char *cases)
{
    if (testing_folder(folder) != 0 || testing_setenv("TOUCHSTONE_CASES", folder) != 0 ||
        testing_setenv("TOUCHSTONE_BACKENDS", NULL) != 0 || case_files_write_all(folder) != 0)
        return -1;
    return write_cases("dml.element_wise_identity", cases);
}

static inline int set_up(void **state)
{
    (void)state;
    return set_up_with("local op = operator 'dml.element_wise_identity'\n"
                       "op:axis 'rank' { 2, 1 }\nop:axis 'dtype' { 'f32', 'u8', 'i64' }\n"
                       "op:axis 'size' { 3, 1, 2, 4, 5, 6, 7, 8, per = 'rank' }\n"
                       "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
                       "          OutputTensor = { Sizes = 'size' } }\n"
                       "op:test 'many' { 'many', rank = '*', dtype = '*', size = '*' }\n"
                       "op:test 'few' { 'few', size = '*' }\n");
}

static inline int tear_down(void **state)
{
    (void)state;
    return testing_remove(folder);
}

static inline int no_runs(void **state)
{
    (void)state;
    return testing_empty(folder, ".run");
}

static const char *const identity[] = { "dml.element_wise_identity" };

/* Options for a fault of the backend `faulty` or, if that is NULL, for the backend `cpu`. */
static inline run_options options_for(const ts_option *fault, unsigned workers)
{
    return (run_options){ .backend = fault ? "faulty" : "cpu",
                          .backend_options = fault,
                          .backend_option_count = fault ? 1 : 0,
                          .queries = identity,
                          .query_count = 1,
                          .tier = TIER_FULL,
                          .max_findings = 1000,
                          .workers = workers,
                          .limits = { .seconds = 0.1, .losses = 100 },
                          .output = in_folder("a.run"),
                          .command = "touchstone run" };
}

/* Execute a run, and fail the test if that does not succeed. */
static inline run_result ran(const run_options *o)
{
    run_result r;
    error e = { .text = "" };
    remove(o->output);
    if (!run_execute(o, &r, &e))
        fail_msg("%s", e.text);
    return r;
}

/* Execute a run in another process, and kill that with SIGKILL when begun_enough(its run file). */
static inline bool kill_a_run(const run_options *o, bool (*begun_enough)(store *s))
{
#if defined(_WIN32) /* no fork */
    (void)o;
    (void)begun_enough;
    skip();
    return false;
#else
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        run_result r;
        error e;
        _exit(run_execute(o, &r, &e) ? 0 : 1);
    }
    bool begun = false;
    for (int i = 0; i < 4000 && !begun; ++i) {
        error e;
        store *s = access(o->output, F_OK) == 0 ? store_open(o->output, &e) : NULL;
        begun = s && begun_enough(s);
        store_close(s);
        usleep(2000);
    }
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return begun;
#endif
}

#endif
