/* SPDX-License-Identifier: Apache-2.0 */
/* For each fault of the backend `planted`, a call that shows it. */
#ifndef TOUCHSTONE_PLANTED_CALLS_H
#define TOUCHSTONE_PLANTED_CALLS_H

#include "backends/faulty/made.h"
#include "backends/planted/second.h"
#include "backends/planted/third.h"

static const made calls[] = {
#include "backends/planted/invented_calls.h"
#include "backends/planted/reported_calls.h"
#include "backends/planted/second_calls.h"
#include "backends/planted/third_calls.h"
};

#endif
