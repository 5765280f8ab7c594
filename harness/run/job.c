/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/job.h"

#include <stdlib.h>
#include <string.h>

void job_queue_free(job_queue *q)
{
    free(q->list);
    memset(q, 0, sizeof *q);
}

/* Make room for one more job at the end, and for one more at the front. */
static bool reserve(job_queue *q)
{
    if (q->first > 0 && q->first + q->count < q->capacity)
        return true;
    size_t capacity = 2 * q->count + 16, first = (capacity - q->count) / 2;
    job *grown = malloc(capacity * sizeof *grown);
    if (!grown)
        return false;
    if (q->count)
        memcpy(grown + first, q->list + q->first, q->count * sizeof *grown);
    free(q->list);
    *q = (job_queue){ grown, first, q->count, capacity };
    return true;
}

bool job_append(job_queue *q, const job *j)
{
    if (j->first >= j->end)
        return true;
    if (!reserve(q))
        return false;
    q->list[q->first + q->count++] = *j;
    return true;
}

bool job_prepend(job_queue *q, const job *j)
{
    if (j->first >= j->end)
        return true;
    if (!reserve(q))
        return false;
    q->list[--q->first] = *j;
    q->count++;
    return true;
}

bool job_pop(job_queue *q, job *j)
{
    if (q->count == 0)
        return false;
    *j = q->list[q->first++];
    q->count--;
    return true;
}

void job_drop(job_queue *q, size_t item)
{
    size_t kept = 0;
    for (size_t i = 0; i < q->count; ++i)
        if (q->list[q->first + i].item != item)
            q->list[q->first + kept++] = q->list[q->first + i];
    q->count = kept;
}
