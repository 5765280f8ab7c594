/* SPDX-License-Identifier: Apache-2.0 */
/* Trials: is a suggestion legal, once it is applied to the descriptor? */
#ifndef TOUCHSTONE_CHECK_TRIAL_H
#define TOUCHSTONE_CHECK_TRIAL_H

#include "harness/model/suggest.h"

typedef enum check_trial_result {
    CHECK_TRIAL_BAD,   /* the clause is as broken as before, or another one is broken that was not */
    CHECK_TRIAL_MENDS, /* the clause is less broken, and others stay broken */
    CHECK_TRIAL_LEGAL  /* the descriptor is legal */
} check_trial_result;

/* A violation that is to be mended. */
typedef struct check_trial {
    const ts_descriptor *d;
    const ts_violation *v;
    bool listed; /* the operator's own check reports it; else it is one of a file, or of a choice of the user */
    unsigned trials;
    ts_report before, after;
    ts_descriptor changed; /* to be judged */
} check_trial;

void check_trial_begin(check_trial *t, const ts_descriptor *d, const ts_violation *v);

/* Judge t->changed. */
check_trial_result check_trial_judge(check_trial *t);

/* Judge the descriptor with an edit that gets this value, or with a choice of an option. */
check_trial_result check_trial_edit(check_trial *t, const suggest_edit *edit, int64_t value);
check_trial_result check_trial_option(check_trial *t, const suggest_option *option, unsigned choice);

/* Make of an option one of which every choice keeps what it promises: values that do not are left out, a range becomes
   a smaller one, and where outputs have to follow, they do. BAD where there is none. */
check_trial_result check_trial_refine(check_trial *t, suggest_option *option);

/* Make of an option one of a single choice that mends what the edits break elsewhere as the clauses there suggest, and
   what that breaks, and so on. BAD, with *option unchanged, where that does not end. */
check_trial_result check_trial_follow(check_trial *t, suggest_option *option);

#endif
