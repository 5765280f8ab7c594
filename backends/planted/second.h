/* SPDX-License-Identifier: Apache-2.0 */
/* What the faults of the second set share. */
#ifndef TOUCHSTONE_SECOND_H
#define TOUCHSTONE_SECOND_H

#include "backends/planted/invented.h"
#include "backends/planted/reported.h"

/* Operators that copy elements from their input; those among them where a loop without a stride is a broadcast; all. */
#define ON_EVERY_COPY (ON_COPIES | ON_GATHER_ELEMENTS | ON_SCATTERS | ON_GATHER_NDS)
#define ON_BROADCASTS (ON_COPIES | ON_SCATTERS | ON_GATHER_NDS)
#define ON_EVERY      (ON_EVERY_COPY | ON_RANDOM)

/* Those whose tensors have the buffers of DirectML. */
#define ON_BUFFERS (ON_EVERY & ~ON_STRIDED)

/* The tensor whose strides are a matter of the call: the output of RANDOM_GENERATOR, else the input. */
static inline const ts_tensor *second_laid_out(const fault_call *call)
{
    return call->on == ON_RANDOM ? call->out : call->in;
}

/* Is this clause the only one that is broken? */
static inline bool second_breaks_only(const ts_report *report, const char *clause)
{
    unsigned broken = 0;
    for (unsigned i = 0; i < report->count; ++i) {
        const ts_result result = report->items[i].result;
        if (result != TS_RESULT_INVALID && result != TS_RESULT_UNSUPPORTED_FL)
            continue;
        if (strcmp(report->items[i].clause, clause) != 0)
            return false;
        ++broken;
    }
    return broken > 0 && report->dropped == 0;
}

/* Does a copy that transposes fill a tile of so many rows and columns? */
static inline bool second_matrix(const fault_path *p, uint64_t tile)
{
    uint64_t height = 0, width = 0;
    return reported_tile(p, &height, &width) && height >= tile && width >= tile;
}

static inline uint64_t second_height(const fault_path *p)
{
    return p->axis[fault_across(p)].size;
}

/* The source has no gaps, and each of its elements is read once. */
static inline bool second_dense(const fault_path *p)
{
    uint64_t span = 1;
    for (uint32_t i = 0; i < p->dims; ++i) {
        if (p->axis[i].in <= 0)
            return false;
        span += (p->axis[i].size - 1) * (uint64_t)p->axis[i].in;
    }
    return span == p->count && !picks_any(p);
}

/* Run, and leave the elements from number `first` on as they were. */
void second_run_until(const fault_call *call, uint64_t first);

/* Copy the input of a SCATTER operator, and apply its updates by this function. */
struct fault_update;
void second_scatter(const fault_call *call, void (*apply)(const struct fault_update *u));

#endif
