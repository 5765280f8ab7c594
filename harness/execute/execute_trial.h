/* SPDX-License-Identifier: Apache-2.0 */
/* Trials, carried out by an executor. */
#ifndef TOUCHSTONE_EXECUTE_TRIAL_H
#define TOUCHSTONE_EXECUTE_TRIAL_H

#include "harness/execute/execute.h"
#include "harness/execute/trial.h"

/* Do what the trial asks for, with cases of test t. *r is zeroed before, and to be freed in either case. False only
   where the suite itself failed. */
bool execute_trial(executor *x, const case_test *t, const trial *what, trial_result *r, error *e);

#endif
