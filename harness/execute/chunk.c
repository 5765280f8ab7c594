/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/chunk.h"

#include "harness/model/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void chunk_init(chunk *c)
{
    memset(c, 0, sizeof *c);
}

/* The strings of a finding, in the order that they have in messages. */
#define STRINGS 15
static void finding_strings(store_finding *f, const char **out[STRINGS])
{
    const char **const list[STRINGS] = { &f->case_id,    &f->clause,   &f->dtype,      &f->level,  &f->tensor,
                                         &f->element,    &f->expected, &f->actual,     &f->source, &f->detail,
                                         &f->descriptor, &f->tensors,  &f->reproducer, &f->rate,   &f->depends };
    memcpy(out, list, sizeof list);
}

void chunk_clear(chunk *c)
{
    for (size_t i = 0; i < c->finding_count; ++i) {
        const char **strings[STRINGS];
        finding_strings(&c->findings[i], strings);
        for (size_t k = 0; k < STRINGS; ++k)
            free((void *)(uintptr_t)*strings[k]);
    }
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

/* The counts of a type at a level: most likely those that the type's last case went to. NULL: no room. */
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
    if (c->cases == c->capacity) {
        c->capacity = c->capacity ? c->capacity * 2 : 4096;
        uint8_t *grown = realloc(c->verdicts, c->capacity);
        if (!grown)
            return error_set(e, "out of memory");
        c->verdicts = grown;
    }
    c->verdicts[c->cases++] = (uint8_t)v;
    chunk_count_case(c->hash, index, v, true);
    chunk_tally *t = find_tally(c, dtype, level);
    if (!t)
        return error_set(e, "more data types and levels than there are");
    t->cases[v]++;
    return true;
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

store_finding *chunk_find(chunk *c)
{
    if (c->finding_count == c->finding_capacity) {
        size_t capacity = c->finding_capacity ? c->finding_capacity * 2 : 16;
        store_finding *grown = realloc(c->findings, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        c->findings = grown;
        c->finding_capacity = capacity;
    }
    store_finding *f = &c->findings[c->finding_count++];
    memset(f, 0, sizeof *f);
    return f;
}

/* ---- as messages ---- */

void chunk_encode(const chunk *c, wire *w)
{
    const uint64_t head[] = { c->first,        c->last,         c->ended,       c->spoiled,
                              c->suspected,    c->candidate,    c->stalled,     c->hash[0],
                              c->hash[1],      c->cases,        c->tally_count, c->observation_count,
                              c->broken_count, c->finding_count };
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
    for (size_t i = 0; i < c->finding_count; ++i) {
        const char **strings[STRINGS];
        finding_strings(&c->findings[i], strings);
        wire_encode_u64(w, c->findings[i].index);
        wire_encode_u64(w, c->findings[i].verdict);
        wire_encode_u64(w, c->findings[i].differing);
        for (size_t k = 0; k < STRINGS; ++k)
            wire_encode_text(w, *strings[k]);
    }
}

static bool take_finding(chunk *c, wire *w)
{
    store_finding *f = chunk_find(c);
    const char **strings[STRINGS];
    if (!f)
        return false;
    finding_strings(f, strings);
    f->index = wire_decode_u64(w);
    f->verdict = (verdict)wire_decode_count(w, VERDICT_COUNT - 1);
    f->differing = wire_decode_u64(w);
    for (size_t k = 0; k < STRINGS; ++k) {
        const char *text = wire_decode_text(w);
        *strings[k] = text ? strdup(text) : NULL;
        if (text && !*strings[k])
            return false;
    }
    return !w->broken && f->index >= c->first && f->index < c->last &&
           (verdict_fails(f->verdict) || f->verdict == VERDICT_WAIVED);
}

bool chunk_decode(chunk *c, wire *w, uint64_t first, uint64_t end)
{
    chunk_init(c);
    c->first = wire_decode_u64(w);
    c->last = wire_decode_u64(w);
    c->ended = wire_decode_count(w, 1) != 0;
    c->spoiled = wire_decode_count(w, 1) != 0;
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
        fits = take_finding(c, w);
    return fits && !w->broken && w->at == w->size;
}
