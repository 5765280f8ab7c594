/* SPDX-License-Identifier: Apache-2.0 */
/* States and scores of mutants, over all operators of which they are a part. */
#include "audit/audit.h"
#include "harness/model/fill.h"
#include "reference/operators.h"

#include <stdlib.h>
#include <string.h>

bool audit_is_shared(const mutant *x)
{
    return strchr(x->file, '/') == NULL;
}

bool audit_is_held_out(const mutant *x)
{
    uint64_t hash = 0;
    for (const char *c = x->id; *c; ++c)
        hash = fill_mix(hash ^ (unsigned char)*c);
    return hash % 3 == 0;
}

audit_kill audit_smallest_of(const audit_result *r, uint32_t number, size_t *op, size_t *test)
{
    audit_kill best = { .known = false };
    for (size_t i = 0; i < r->operator_count; ++i) {
        size_t t = 0;
        uint32_t m = r->place[i * r->library->count + number];
        audit_kill k = { .known = false };
        if (m != MUTANT_NONE)
            k = audit_smallest(&r->operators[i], m, &t);
        if (audit_smaller(&k, &best)) {
            best = k;
            *op = i;
            *test = t;
        }
    }
    return best;
}

/* Are all operators of a shared file's specification audited? */
static bool all_of_specification(const audit_result *r, const char *file)
{
    size_t count, length = strcspn(file, "."), audited = 0, all = 0;
    const ts_operator *const *operators = operators_all(&count);
    for (size_t i = 0; i < count; ++i)
        all += strncmp(operators[i]->name, file, length + 1) == 0;
    for (size_t i = 0; i < r->operator_count; ++i)
        audited += strncmp(r->operators[i].op->name, file, length + 1) == 0;
    return audited == all;
}

bool audit_judge(audit_result *r, uint32_t only, error *e)
{
    const mutants_library *l = r->library;
    r->states = calloc(l->count + 1, sizeof *r->states);
    if (!r->states)
        return error_set(e, "out of memory");
    for (uint32_t m = 0; m < l->count; ++m) {
        bool decides = false;
        size_t op, test;
        for (size_t i = 0; i < r->operator_count; ++i)
            decides = decides || r->place[i * l->count + m] != MUTANT_NONE;
        if (!decides || (only != MUTANT_NONE && m != only))
            continue; /* AUDIT_ABSENT */
        bool killed = audit_smallest_of(r, m, &op, &test).known, listed = r->equivalents.reasons[m] != NULL;
        if (killed)
            r->states[m] = listed ? AUDIT_DISPROVED : AUDIT_KILLED;
        else if (listed)
            r->states[m] = AUDIT_EQUIVALENT;
        else
            r->states[m] = audit_is_shared(&l->mutants[m]) && !all_of_specification(r, l->mutants[m].file)
                               ? AUDIT_OPEN
                               : AUDIT_SURVIVED;
    }
    return true;
}

audit_score audit_count(const audit_result *r, const char *file)
{
    audit_score s = { 0 };
    for (uint32_t m = 0; m < r->library->count; ++m) {
        const mutant *x = &r->library->mutants[m];
        audit_state state = r->states[m];
        if (state == AUDIT_ABSENT || (file && strcmp(x->file, file) != 0))
            continue;
        bool killed = state == AUDIT_KILLED || state == AUDIT_DISPROVED;
        s.mutants++;
        s.killed += killed;
        s.equivalent += state == AUDIT_EQUIVALENT;
        s.survived += state == AUDIT_SURVIVED;
        s.open += state == AUDIT_OPEN;
        s.disproved += state == AUDIT_DISPROVED;
        if (state == AUDIT_EQUIVALENT || !audit_is_held_out(x))
            continue;
        s.held_out++;
        s.held_out_killed += killed;
    }
    return s;
}

const char *audit_next_file(const audit_result *r, const char *after)
{
    bool found = after == NULL;
    for (uint32_t m = 0; m < r->library->count; ++m) {
        const char *file = r->library->mutants[m].file;
        if (found && r->states[m] != AUDIT_ABSENT && (!after || strcmp(file, after) != 0))
            return file;
        found = found || strcmp(file, after) == 0;
    }
    return NULL;
}

void audit_test_score(const audit_operator *o, size_t test, uint32_t *kills, uint32_t *alone)
{
    *kills = *alone = 0;
    for (uint32_t m = 0; m < o->mutant_count; ++m) {
        bool others = false;
        if (audit_at(o, m, test)->killed == 0)
            continue;
        ++*kills;
        for (size_t k = 0; k < o->test_count && !others; ++k)
            others = k != test && audit_at(o, m, k)->killed > 0;
        *alone += !others;
    }
}
