/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/chunk.h"

#include "harness/base/array.h"
#include "harness/model/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void chunk_init(chunk *c)
{
    memset(c, 0, sizeof *c);
}

void chunk_clear(chunk *c)
{
    for (size_t i = 0; i < c->finding_count; ++i)
        store_finding_clear(&c->findings[i]);
    free(c->findings);
    free(c->verdicts);
    chunk_init(c);
}

chunk_observation *chunk_observe(chunk *c, const char *kind)
{
    size_t i = 0;
    while (i < c->observation_count && strcmp(c->observations[i].kind, kind) != 0)
        ++i;
    if (i == sizeof c->observations / sizeof c->observations[0])
        return NULL;
    chunk_observation *o = &c->observations[i];
    if (i == c->observation_count) {
        c->observation_count++;
        snprintf(o->kind, sizeof o->kind, "%s", kind);
        o->detail[0] = '\0';
        o->cases = 0;
    }
    return o;
}

/* The counts of a data type at a level: most likely those of the type's last case. NULL: no room. */
static chunk_tally *find_tally(chunk *c, uint32_t dtype, ts_level level)
{
    uint8_t *last = &c->last_tally[dtype % TS_DTYPE_COUNT];
    size_t i = *last;
    if (i < c->tally_count && c->tallies[i].dtype == dtype && c->tallies[i].level == level)
        return &c->tallies[i];
    for (i = 0; i < c->tally_count && !(c->tallies[i].dtype == dtype && c->tallies[i].level == level);)
        ++i;
    if (i == sizeof c->tallies / sizeof c->tallies[0])
        return NULL;
    if (i == c->tally_count)
        c->tallies[c->tally_count++] = (chunk_tally){ .dtype = dtype, .level = level };
    *last = (uint8_t)i;
    return &c->tallies[i];
}

void chunk_count_case(uint64_t sums[2], uint64_t index, verdict v, bool add)
{
    const uint64_t word = index * 16 + (uint64_t)v;
    const uint64_t mixed[2] = { fill_mix(word + UINT64_C(0x9E3779B97F4A7C15)),
                                fill_mix(word ^ UINT64_C(0xD1B54A32D192ED03)) };
    sums[0] += add ? mixed[0] : 0 - mixed[0];
    sums[1] += add ? mixed[1] : 0 - mixed[1];
}

bool chunk_add(chunk *c, uint64_t index, uint32_t dtype, ts_level level, verdict v, error *e)
{
    if (c->cases == c->capacity && !array_reserve(&c->verdicts, &c->capacity, c->cases ? 2 * c->cases : 4096, 1))
        return error_set(e, "out of memory");
    c->verdicts[c->cases++] = (uint8_t)v;
    chunk_count_case(c->hash, index, v, true);
    chunk_tally *t = find_tally(c, dtype < TS_DTYPE_COUNT ? dtype : TS_DTYPE_UNKNOWN, level);
    if (!t)
        return error_set(e, "more data types and levels than there are");
    t->cases[v]++;
    return true;
}

void chunk_change(chunk *c, size_t place, uint64_t index, uint32_t dtype, ts_level level, verdict v)
{
    const verdict before = (verdict)c->verdicts[place];
    chunk_tally *t = find_tally(c, dtype < TS_DTYPE_COUNT ? dtype : TS_DTYPE_UNKNOWN, level); /* which the case has */
    chunk_count_case(c->hash, index, before, false);
    chunk_count_case(c->hash, index, v, true);
    t->cases[before]--;
    t->cases[v]++;
    c->verdicts[place] = (uint8_t)v;
}

void chunk_break(chunk *c, const char *clause, bool refused)
{
    size_t i = 0;
    while (i < c->broken_count && strcmp(c->broken[i].clause, clause) != 0)
        ++i;
    if (i == sizeof c->broken / sizeof c->broken[0])
        return;
    if (i == c->broken_count) {
        memset(&c->broken[i], 0, sizeof c->broken[i]);
        snprintf(c->broken[i].clause, sizeof c->broken[i].clause, "%s", clause);
        c->broken_count++;
    }
    c->broken[i].cases++;
    c->broken[i].refused += refused;
}

store_finding *chunk_add_finding(chunk *c)
{
    if (!array_reserve(&c->findings, &c->finding_capacity, c->finding_count + 1, sizeof *c->findings))
        return NULL;
    store_finding *f = &c->findings[c->finding_count++];
    memset(f, 0, sizeof *f);
    return f;
}

store_finding *chunk_find_class(chunk *c, const char *class, verdict v)
{
    for (size_t i = 0; i < c->finding_count; ++i)
        if (c->findings[i].class && c->findings[i].verdict == v && strcmp(c->findings[i].class, class) == 0)
            return &c->findings[i];
    return NULL;
}

/* ---- messages ---- */

void chunk_encode(const chunk *c, wire *w)
{
    const uint64_t head[] = { c->first,        c->last,          c->ended,       c->tainted,
                              c->suspected,    c->candidate,     c->stalled,     c->hash[0],
                              c->hash[1],      c->cases,         c->tally_count, c->observation_count,
                              c->broken_count, c->finding_count, c->retired };
    wire_encode(w, head, sizeof head);
    wire_encode_text(w, c->suspicion);
    wire_encode(w, c->verdicts, c->cases);
    wire_encode(w, c->tallies, c->tally_count * sizeof c->tallies[0]);
    for (size_t i = 0; i < c->observation_count; ++i) {
        wire_encode_text(w, c->observations[i].kind);
        wire_encode_u64(w, c->observations[i].cases);
        wire_encode_text(w, c->observations[i].example);
        wire_encode_text(w, c->observations[i].detail);
    }
    wire_encode(w, c->broken, c->broken_count * sizeof c->broken[0]);
    for (size_t i = 0; i < c->finding_count; ++i)
        store_finding_encode(&c->findings[i], w);
}

static bool decode_finding(chunk *c, wire *w)
{
    store_finding *f = chunk_add_finding(c);
    return f && store_finding_decode(f, w) && f->index >= c->first && f->index < c->last &&
           (verdict_fails(f->verdict) || f->verdict == VERDICT_WAIVED) && f->stands_for <= c->cases &&
           (f->stands_for > 0) == (f->class != NULL);
}

bool chunk_decode(chunk *c, wire *w, uint64_t first, uint64_t end)
{
    chunk_init(c);
    c->first = wire_decode_u64(w);
    c->last = wire_decode_u64(w);
    c->ended = wire_decode_count(w, 1) != 0;
    c->tainted = wire_decode_count(w, 1) != 0;
    c->suspected = wire_decode_count(w, 1) != 0;
    c->candidate = wire_decode_u64(w);
    c->stalled = wire_decode_count(w, 1) != 0;
    c->hash[0] = wire_decode_u64(w);
    c->hash[1] = wire_decode_u64(w);
    c->cases = c->capacity = wire_decode_count(w, end - first);
    c->tally_count = wire_decode_count(w, sizeof c->tallies / sizeof c->tallies[0]);
    c->observation_count = wire_decode_count(w, sizeof c->observations / sizeof c->observations[0]);
    c->broken_count = wire_decode_count(w, sizeof c->broken / sizeof c->broken[0]);
    uint64_t findings = wire_decode_count(w, c->cases);
    c->retired = wire_decode_count(w, 1) != 0;
    wire_decode_string(w, c->suspicion, sizeof c->suspicion);
    const void *verdicts = wire_decode(w, c->cases);
    bool fits = c->first == first && c->last >= first && c->last <= end && c->cases <= c->last - first &&
                (!c->suspected || (c->candidate >= c->last && c->candidate < end));
    if (w->broken || !fits || !(c->verdicts = malloc(c->cases + 1))) {
        c->cases = c->tally_count = c->observation_count = c->broken_count = 0;
        return false;
    }
    memcpy(c->verdicts, verdicts, c->cases);
    for (size_t i = 0; i < c->cases; ++i)
        fits = fits && c->verdicts[i] > VERDICT_NONE && c->verdicts[i] < VERDICT_COUNT;
    const void *tallies = wire_decode(w, c->tally_count * sizeof c->tallies[0]);
    if (tallies)
        memcpy(c->tallies, tallies, c->tally_count * sizeof c->tallies[0]);
    for (size_t i = 0; i < c->observation_count; ++i) {
        chunk_observation *o = &c->observations[i];
        wire_decode_string(w, o->kind, sizeof o->kind);
        o->cases = wire_decode_u64(w);
        wire_decode_string(w, o->example, sizeof o->example);
        wire_decode_string(w, o->detail, sizeof o->detail);
    }
    const void *broken = wire_decode(w, c->broken_count * sizeof c->broken[0]);
    if (broken)
        memcpy(c->broken, broken, c->broken_count * sizeof c->broken[0]);
    for (size_t i = 0; broken && i < c->broken_count; ++i)
        c->broken[i].clause[sizeof c->broken[i].clause - 1] = '\0';
    for (uint64_t i = 0; fits && !w->broken && i < findings; ++i)
        fits = decode_finding(c, w);
    return fits && !w->broken && w->at == w->size;
}
