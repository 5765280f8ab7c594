/* SPDX-License-Identifier: Apache-2.0 */
/* Replays, carried out by an executor. */
#ifndef TOUCHSTONE_EXECUTE_REPLAY_H
#define TOUCHSTONE_EXECUTE_REPLAY_H

#include "harness/casefile/plan.h"
#include "harness/execute/execute.h"
#include "harness/execute/replay.h"

/* Carry out a replay of cases of a plan. The caller zeroes *r first, and frees it in either case. False only where the
   suite itself failed. */
bool execute_replay(executor *x, const plan *p, const replay *what, replay_result *r, error *e);

/* The part of it that carries out REPLAY_CASES and REPLAY_FINDING. */
bool execute_cases(executor *x, const case_file *file, const replay *request, replay_result *r, error *e);

#endif
