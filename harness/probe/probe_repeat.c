/* SPDX-License-Identifier: Apache-2.0 */
/* Instances that are opened, used and closed one after another: does the process hold more after each? */
#include "harness/base/platform.h"
#include "harness/probe/probe_internal.h"

#define WARM    6  /* cycles before anything is counted: what a library loads once is no leak */
#define MOST    20 /* cycles of each half that is counted */
#define SECONDS 3.0

/* Open, use and close an instance. The calls are made once, because making them allocates. */
static bool cycle(probe *p, unsigned number)
{
    probe_host log = { .notes = 0 };
    probe_step(p, "open number %u", number);
    const ts_status status = probe_open_with(p, &log, NULL, &p->plugin.self);
    if (status != TS_OK || !p->plugin.self)
        return probe_breaks(p, CLAUSE_CLOSE, "open number %u returns %s: %s", number, plugin_status_name(status),
                            log.text);
    p->class_count = 0; /* a token is an instance's own */
    if (number == 1)
        probe_load(p, TS_OK, false, false);
    for (size_t i = 0; i < p->call_count; ++i) {
        const probe_class *class = probe_query(p, &p->calls[i].d);
        p->calls[i].token = class ? class->token : NULL;
    }
    const bool fine = p->outcome == PROBE_KEPT && probe_submit(p, 0, p->call_count, &(probe_way){ .longer = 0 });
    probe_step(p, "close number %u", number);
    p->plugin.backend->close(p->plugin.self);
    p->plugin.self = NULL;
    return fine;
}

static bool cycles(probe *p, unsigned *done, unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        if (!cycle(p, ++*done))
            return false;
    return true;
}

/* What grew in both halves grows for ever. */
static bool grows(long a, long b, long c, unsigned count)
{
    return b - a >= (long)count && c - b >= (long)count;
}

void probe_check_open_again(probe *p)
{
    platform_footprint at[3];
    const double began = platform_seconds();
    unsigned done = 0, count = MOST;
    bool known = true;
    if (!probe_load_library(p) || !probe_room(p) || !cycles(p, &done, WARM))
        return;
    const double each = (platform_seconds() - began) / WARM;
    while (count > 2 && 2 * count * each > SECONDS)
        --count;
    for (unsigned i = 0; i < 3; ++i) {
        if (i > 0 && !cycles(p, &done, count))
            return;
        known = platform_footprint_self(&at[i]) && known;
    }
    if (!known)
        probe_saw(p, PROBE_KEPT, "what the process holds is unknown on this system");
    else if (grows(at[0].files, at[1].files, at[2].files, count))
        probe_breaks(p, CLAUSE_CLOSE, "%ld files stay open after %u cycles of open, calls and close",
                     at[2].files - at[0].files, 2 * count);
    else if (grows(at[0].threads, at[1].threads, at[2].threads, count))
        probe_breaks(p, CLAUSE_CLOSE, "%ld threads stay after %u cycles of open, calls and close",
                     at[2].threads - at[0].threads, 2 * count);
    else if (grows((long)at[0].heap, (long)at[1].heap, (long)at[2].heap, 8 * count))
        probe_breaks(p, CLAUSE_CLOSE, "%ld bytes stay allocated after %u cycles of open, calls and close",
                     (long)at[2].heap - (long)at[0].heap, 2 * count);
    else
        probe_saw(p, PROBE_KEPT, "%u instances", done);
}
