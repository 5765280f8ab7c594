/* SPDX-License-Identifier: Apache-2.0 */
/* What a comparison says of two sides, of an operator and of a question that the specification leaves open. */
#include "harness/analysis/compare_internal.h"

#include "harness/execute/observed.h"
#include "reference/operators.h"

#include <stdio.h>
#include <string.h>

uint64_t compare_differing(const compare *c, size_t a, size_t b)
{
    uint64_t cases = 0;
    for (size_t i = 0; i < c->group_count; ++i) {
        const compare_group *g = &c->groups[i];
        const compare_state x = compare_state_of(g->verdicts[a]), y = compare_state_of(g->verdicts[b]);
        const bool x_fails = x == COMPARE_FAIL || x == COMPARE_WAIVED,
                   y_fails = y == COMPARE_FAIL || y == COMPARE_WAIVED;
        if ((x == COMPARE_PASS && y_fails) || (y == COMPARE_PASS && x_fails))
            cases += g->group.cases;
    }
    return cases;
}

static uint64_t failing(const compare *c, size_t side)
{
    return c->total.sides[side][COMPARE_FAIL] + c->total.sides[side][COMPARE_WAIVED];
}

size_t compare_base(const compare *c)
{
    for (size_t a = 0; a < c->side_count; ++a) {
        bool fits = failing(c, a) == 0 && c->total.sides[a][COMPARE_PASS] > 0;
        for (size_t b = 0; b < c->side_count && fits; ++b)
            fits = compare_differing(c, a, b) == failing(c, b);
        if (fits)
            return a;
    }
    return c->side_count;
}

size_t compare_operator(const compare *c, size_t first, compare_counts *sum)
{
    size_t end = first;
    memset(sum, 0, sizeof *sum);
    for (; end < c->type_count && strcmp(c->types[end].op, c->types[first].op) == 0; ++end)
        compare_add_counts(sum, &c->types[end].counts, c->side_count);
    return end;
}

size_t compare_question(const compare *c, size_t first)
{
    size_t end = first;
    while (end < c->behaviour_count && strcmp(c->behaviours[end].entry, c->behaviours[first].entry) == 0)
        ++end;
    return end;
}

size_t compare_answering(const compare *c, size_t first)
{
    const size_t end = compare_question(c, first);
    size_t sides = 0;
    for (size_t i = 0; i < c->side_count; ++i) {
        bool any = false;
        for (size_t k = first; k < end; ++k)
            any = any || c->behaviours[k].cases[i];
        sides += any;
    }
    return sides;
}

static bool has_question(const compare *c, const char *entry)
{
    for (size_t i = 0; i < c->behaviour_count; ++i)
        if (strcmp(c->behaviours[i].entry, entry) == 0)
            return true;
    for (size_t i = 0; i < c->open_count; ++i)
        if (strcmp(c->open[i].entry, entry) == 0)
            return true;
    return false;
}

void compare_finish_questions(compare *c)
{
    for (size_t t = 0; t < c->test_count; ++t) {
        const ts_operator *op = operators_find(c->tests[t].op);
        for (unsigned i = 0; op && i < op->interpretation_count && c->open_count < COMPARE_QUESTIONS; ++i)
            if (!has_question(c, op->interpretations[i].entry))
                c->open[c->open_count++] = (compare_open){ op->interpretations[i].entry, op->name };
    }
}

bool compare_supports(const compare *c, size_t side, const char *op)
{
    for (size_t i = 0; i < c->type_count; ++i)
        if (strcmp(c->types[i].op, op) == 0 &&
            c->types[i].counts.cases > c->types[i].counts.sides[side][COMPARE_UNSUPPORTED])
            return true;
    return false;
}

const char *compare_unanswered(const compare *c, size_t side, const char *op, bool asked, char *buf, size_t size)
{
    const char *state = c->sides[side].store ? store_get(c->sides[side].store, STORE_STATE) : NULL;
    if (!compare_supports(c, side, op))
        snprintf(buf, size, "it supports no case of %s", op);
    else if (state && strcmp(state, "complete") != 0)
        snprintf(buf, size, "its run is not complete");
    else if (!asked)
        snprintf(buf, size, "no case that was compared asks it");
    else
        snprintf(buf, size, "it supports none of the cases that ask it, or they failed");
    return buf;
}

const char *compare_answer(const char *behaviour, char *buf, size_t size)
{
    static const struct {
        const char *start, *after;
    } kinds[] = { { "our decision (", ", as decided" },
                  { "another known interpretation (", "" },
                  { "other than our decision (", "" } };
    static const char accepted[] = OBSERVED_COMPUTED;
    const size_t length = strlen(behaviour), first = sizeof accepted - 1;
    if (strncmp(behaviour, accepted, first) == 0 && size > first) {
        memcpy(buf, accepted, first);
        compare_answer(behaviour + first, buf + first, size - first);
        return buf;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        const size_t n = strlen(kinds[i].start);
        if (strncmp(behaviour, kinds[i].start, n) == 0 && length > n && behaviour[length - 1] == ')') {
            const char *what = behaviour + n;
            const int all = (int)(length - n - 1);
            if (strncmp(what, "not written)", 12) == 0)
                snprintf(buf, size, "output not written");
            else if (strncmp(what, "zero)", 5) == 0)
                snprintf(buf, size, "zeros");
            else
                snprintf(buf, size, "%.*s%s", all, what, kinds[i].after);
            return buf;
        }
    }
    snprintf(buf, size, "%s", strcmp(behaviour, "our decision") == 0 ? "as decided" : behaviour);
    return buf;
}
