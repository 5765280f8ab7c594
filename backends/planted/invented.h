/* SPDX-License-Identifier: Apache-2.0 */
/* What the invented faults share: the loops of a call (fault_path.h) as they ask about them. */
#ifndef TOUCHSTONE_INVENTED_H
#define TOUCHSTONE_INVENTED_H

#include "backends/planted/planted.h"

static inline uint64_t column(const fault_path *p, const fault_place *e)
{
    return e->at[p->dims - 1];
}

static inline const fault_axis *above(const fault_path *p)
{
    return &p->axis[p->dims - 2];
}

static inline bool picks_any(const fault_path *p)
{
    for (uint32_t i = 0; i < p->dims; ++i)
        if (p->axis[i].picks)
            return true;
    return false;
}

/* The number of loops inside of the indices of GATHER, all if there are none, and of those outside. */
static inline uint32_t inside(const fault_path *p)
{
    uint32_t n = 0;
    while (n < p->dims && !p->axis[p->dims - 1 - n].picks)
        ++n;
    return n;
}

static inline uint32_t outside(const fault_path *p)
{
    uint32_t n = 0;
    while (n < p->dims && !p->axis[n].picks)
        ++n;
    return n;
}

static inline uint64_t block(const fault_path *p)
{
    uint64_t n = 1;
    for (uint32_t i = p->dims - inside(p); i < p->dims; ++i)
        n *= p->axis[i].size;
    return n;
}

#endif
