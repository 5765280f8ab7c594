/* SPDX-License-Identifier: Apache-2.0 */
/* States and scores of mutants, over all operators of which they are a part. */
#include "audit/audit.h"
#include "harness/base/text.h"
#include "harness/model/fill.h"
#include "reference/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name without specification: "slice1". */
static const char *short_name(const ts_operator *op)
{
    const char *dot = strchr(op->name, '.');
    return dot ? dot + 1 : op->name;
}

/* Is the word at `at`, of `length` characters, whole: between the ends of the name and underscores? */
static bool is_word(const char *name, const char *at, size_t length)
{
    return (at == name || at[-1] == '_') && (at[length] == '\0' || at[length] == '_' || at[length] == '.');
}

/* The length of the operator's name if the name of a file ("gather_index.c") begins with it, else 0. */
static size_t begins_with_name(const char *stem, const ts_operator *op)
{
    const char *name = short_name(op);
    const size_t length = strlen(name);
    return strncmp(stem, name, length) == 0 && is_word(stem, stem, length) ? length : 0;
}

/* Is a file of kernels ("kernels/gather_index.c") this operator's alone? It is if its name begins with that of the
   operator and no longer one ("gather_elements.c"); or, if it begins with no operator's name, if it is a part of it.
   "openvino_gather.c" has the kernels of all versions of this operator of OpenVINO, "family_blocks.c" those of all
   operators that reference/checked/blocks.c declares. */
static bool is_own_kernel(const char *file, const ts_operator *op)
{
    static const char openvino[] = "openvino_", of_family[] = "kernels/family_";
    size_t count, longest = 0;
    const char *versions = strstr(file, openvino), *family = operators_family(op);
    if (strncmp(file, of_family, strlen(of_family)) == 0) {
        const char *stem = file + strlen(of_family);
        return family && strlen(family) == strcspn(stem, ".") && strncmp(stem, family, strlen(family)) == 0;
    }
    if (versions) {
        versions += strlen(openvino);
        return strncmp(op->name, "openvino.", strlen("openvino.")) == 0 &&
               text_is_version(short_name(op), versions, strcspn(versions, "."));
    }
    const ts_operator *const *operators = operators_all(&count);
    const char *name = short_name(op), *stem = strchr(file, '/') + 1;
    for (size_t i = 0; i < count; ++i)
        if (operators[i] != op && strncmp(operators[i]->name, "dml.", 4) == 0 &&
            strcmp(short_name(operators[i]), name) == 0)
            return false; /* of two operators of one name, a kernel is DirectML's */
    for (size_t i = 0; i < count; ++i) {
        const size_t length = begins_with_name(stem, operators[i]);
        longest = length > longest ? length : longest;
    }
    if (longest > 0)
        return begins_with_name(stem, op) == longest;
    char part[64];
    snprintf(part, sizeof part, "%.*s", (int)strcspn(stem, "."), stem);
    const char *at = strstr(name, part);
    return at && is_word(name, at, strlen(part));
}

static bool is_any_kernel(const char *file)
{
    size_t count;
    const ts_operator *const *operators = operators_all(&count);
    for (size_t i = 0; i < count; ++i)
        if (is_own_kernel(file, operators[i]))
            return true;
    return false;
}

/* The end of the family's name in a file of the reference that its versions share ("dml/gather_nd_shared.c"), or NULL
   if it is no such file. */
static const char *shared_by(const char *file)
{
    static const char end[] = "_shared.c";
    const size_t length = strlen(file), behind = sizeof end - 1;
    return length > behind && strcmp(file + length - behind, end) == 0 ? file + length - behind : NULL;
}

/* Does a file that is shared by operators whose names begin with this family's concern this one? If some of them are
   versions, which differ in a number at the end, the file is theirs alone. */
static bool is_of_family(const ts_operator *op, const char *family, size_t length)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    const size_t specification = strcspn(op->name, ".") + 1;
    bool versions = false;
    for (size_t i = 0; i < count; ++i)
        versions = versions || (strncmp(all[i]->name, op->name, specification) == 0 &&
                                strlen(all[i]->name + specification) > length &&
                                text_is_version(all[i]->name + specification, family, length));
    return versions ? text_is_version(op->name + specification, family, length)
                    : strncmp(op->name + specification, family, length) == 0;
}

bool audit_is_shared(const mutant *x)
{
    if (x->subject == MUTANT_OF_KERNELS)
        return !is_any_kernel(x->file);
    return strchr(x->file, '/') == NULL || shared_by(x->file);
}

bool audit_concerns(const mutant *x, const ts_operator *op)
{
    const size_t length = strcspn(op->name, ".");
    if (x->subject == MUTANT_OF_KERNELS)
        return is_own_kernel(x->file, op) || audit_is_shared(x);
    if (strncmp(x->file, op->name, length) != 0)
        return false;
    if (x->file[length] != '/') /* dml.c, dml_index.c */
        return x->file[length] == '.' || x->file[length] == '_';
    const char *name = short_name(op), *stem = x->file + length + 1, *shared = shared_by(x->file);
    if (shared)
        return is_of_family(op, stem, (size_t)(shared - stem));
    return strncmp(stem, name, strlen(name)) == 0 && strcmp(stem + strlen(name), ".c") == 0;
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

bool audit_leaves_open(const audit_result *r, const mutant *x)
{
    size_t count, audited = 0, all = 0;
    if (!audit_is_shared(x))
        return false;
    const ts_operator *const *operators = operators_all(&count);
    for (size_t i = 0; i < count; ++i)
        all += audit_concerns(x, operators[i]);
    for (size_t i = 0; i < r->operator_count; ++i)
        audited += audit_concerns(x, r->operators[i].op);
    return audited != all;
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
        else if (r->same && r->same[m])
            r->states[m] = AUDIT_SAME_CODE;
        else
            r->states[m] = audit_leaves_open(r, &l->mutants[m]) ? AUDIT_OPEN : AUDIT_SURVIVED;
    }
    return true;
}

/* Is a mutant in this state known to be equivalent? */
static bool is_equivalent(audit_state state)
{
    return state == AUDIT_EQUIVALENT || state == AUDIT_SAME_CODE;
}

audit_score audit_count(const audit_result *r, mutant_subject subject, const char *file)
{
    audit_score s = { 0 };
    for (uint32_t m = 0; m < r->library->count; ++m) {
        const mutant *x = &r->library->mutants[m];
        audit_state state = r->states[m];
        if (state == AUDIT_ABSENT || x->subject != subject || (file && strcmp(x->file, file) != 0))
            continue;
        bool killed = state == AUDIT_KILLED || state == AUDIT_DISPROVED;
        s.mutants++;
        s.killed += killed;
        s.equivalent += state == AUDIT_EQUIVALENT;
        s.same_code += state == AUDIT_SAME_CODE;
        s.survived += state == AUDIT_SURVIVED;
        s.open += state == AUDIT_OPEN;
        s.disproved += state == AUDIT_DISPROVED;
        if (is_equivalent(state) || audit_leaves_open(r, x) || !audit_is_held_out(x)) /* there, none could survive */
            continue;
        s.held_out++;
        s.held_out_killed += killed;
    }
    return s;
}

void audit_operator_score(const audit_result *r, size_t op, mutant_subject subject, uint32_t *infected,
                          uint32_t *killed)
{
    const audit_operator *o = &r->operators[op];
    *infected = *killed = 0;
    for (uint32_t m = 0; m < o->mutant_count; ++m) {
        bool infects = false, kills = false;
        if (r->library->mutants[o->mutants[m]].subject != subject || is_equivalent(r->states[o->mutants[m]]))
            continue;
        for (size_t t = 0; t < o->test_count; ++t) {
            infects = infects || audit_at(o, m, t)->tried > 0;
            kills = kills || audit_at(o, m, t)->killed > 0;
        }
        *infected += infects;
        *killed += kills;
    }
}

const char *audit_share(uint32_t killed, uint32_t survived, uint32_t open, char buf[static AUDIT_SHARE_SIZE])
{
    const uint32_t all = killed + survived + open;
    if (all == 0 || all == open) /* of nothing, all and none would be killed */
        snprintf(buf, AUDIT_SHARE_SIZE, "-");
    else
        snprintf(buf, AUDIT_SHARE_SIZE, "%s%.2f %%", open ? ">= " : "", 100.0 * killed / all);
    return buf;
}

const char *audit_share_of(const audit_score *s, char buf[static AUDIT_SHARE_SIZE])
{
    return audit_share(s->killed, s->survived, s->open, buf);
}

double audit_goal(case_tier tier)
{
    return tier == TIER_QUICK ? 90.0 : 99.0;
}

bool audit_suffices(const audit_result *r)
{
    const audit_score reference = audit_count(r, MUTANT_OF_REFERENCE, NULL);
    const audit_score kernels = audit_count(r, MUTANT_OF_KERNELS, NULL);
    const uint32_t judged = kernels.killed + kernels.survived;
    const bool any = reference.killed + judged > 0 || reference.open + kernels.open == 0;
    return any && reference.survived + reference.disproved + kernels.disproved == 0 &&
           100.0 * kernels.killed >= audit_goal(r->tier) * judged;
}

const char *audit_next_file(const audit_result *r, mutant_subject subject, const char *after)
{
    bool found = after == NULL;
    for (uint32_t m = 0; m < r->library->count; ++m) {
        const mutant *x = &r->library->mutants[m];
        if (x->subject != subject)
            continue;
        if (found && r->states[m] != AUDIT_ABSENT && (!after || strcmp(x->file, after) != 0))
            return x->file;
        found = found || strcmp(x->file, after) == 0;
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
