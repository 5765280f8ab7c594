/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a backend's options that are for some operators alone. */
#ifndef TOUCHSTONE_OPTION_OPERATORS_H
#define TOUCHSTONE_OPTION_OPERATORS_H

#include "harness/casefile/plan.h"
#include "harness/execute/plugin.h"

/* Is each option for an operator of the plan, as the backend describes its options? A value that is for none of them
   changes nothing, so that the verdict would say nothing about it. `name` is the backend's, as the user wrote it. */
bool option_operators_check(plugin *p, const char *name, const ts_option *options, size_t option_count, const plan *of,
                            error *e);

#endif
