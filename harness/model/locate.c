/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/locate.h"

#define MOST_STEPS (1u << 16)

/* The dimensions in descending order of stride, without those that do not move the address. */
typedef struct search {
    const ts_tensor *t;
    uint32_t order[TS_MAX_DIMS];
    uint64_t reach[TS_MAX_DIMS + 1]; /* the largest offset that order[i] and the later dimensions give */
    uint32_t count;
    unsigned steps, found;
    uint64_t at[TS_MAX_DIMS], first[TS_MAX_DIMS];
} search;

/* False where a size is 0, or the offsets exceed 64 bits. *shared: dimensions of stride 0 repeat every element. */
static bool begin(search *s, const ts_tensor *t, bool *shared)
{
    *s = (search){ .t = t };
    *shared = false;
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] == 0)
            return false;
        if (t->sizes[i] == 1)
            continue;
        if (t->strides[i] == 0) {
            *shared = true;
            continue;
        }
        uint32_t k = s->count++;
        for (; k > 0 && t->strides[s->order[k - 1]] < t->strides[i]; --k)
            s->order[k] = s->order[k - 1];
        s->order[k] = i;
    }
    for (uint32_t k = s->count; k-- > 0;) {
        const uint64_t most = t->sizes[s->order[k]] - 1, stride = t->strides[s->order[k]];
        if (most > (UINT64_MAX - s->reach[k + 1]) / stride)
            return false;
        s->reach[k] = s->reach[k + 1] + most * stride;
    }
    return true;
}

/* Try all values of dimension order[k] with which the later ones can make up the rest; until two elements are found. */
static void descend(search *s, uint32_t k, uint64_t rest)
{
    if (k == s->count) {
        if (rest == 0 && s->found++ == 0)
            memcpy(s->first, s->at, sizeof s->first);
        return;
    }
    const uint32_t i = s->order[k];
    const uint64_t stride = s->t->strides[i];
    uint64_t high = rest / stride;
    uint64_t low = rest > s->reach[k + 1] ? (rest - s->reach[k + 1] + stride - 1) / stride : 0;
    high = high < s->t->sizes[i] ? high : s->t->sizes[i] - 1;
    for (uint64_t c = low; c <= high && s->found < 2; ++c) {
        if (++s->steps > MOST_STEPS)
            return;
        s->at[i] = c;
        descend(s, k + 1, rest - c * stride);
    }
    s->at[i] = 0;
}

locate_result locate_element(const ts_tensor *t, uint64_t position, uint64_t *coord)
{
    search s;
    bool shared;
    if (!begin(&s, t, &shared))
        return LOCATE_UNKNOWN;
    descend(&s, 0, position);
    if (s.found)
        memcpy(coord, s.first, t->rank * sizeof *coord);
    if (s.steps > MOST_STEPS && s.found < 2)
        return LOCATE_UNKNOWN;
    return s.found == 0 ? LOCATE_GAP : s.found > 1 || shared ? LOCATE_SEVERAL : LOCATE_ONE;
}

uint64_t locate_before(const ts_tensor *t, uint64_t position, uint64_t *coord)
{
    search s;
    bool shared;
    uint64_t offset = 0;
    memset(coord, 0, t->rank * sizeof *coord);
    if (!begin(&s, t, &shared))
        return 0;
    for (uint32_t k = 0; k < s.count; ++k) {
        const uint32_t i = s.order[k];
        uint64_t c = (position - offset) / t->strides[i];
        coord[i] = c < t->sizes[i] ? c : t->sizes[i] - 1;
        offset += coord[i] * t->strides[i];
    }
    return offset;
}
