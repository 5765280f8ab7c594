/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a comparison in one sentence. */
#include "harness/base/text.h"
#include "reports/compare_print.h"

#include <string.h>

/* The next side after *from by the number of cases, most first, then in order. False: there is none. */
static bool next_side(const uint64_t *cases, size_t count, size_t *at, bool first)
{
    size_t best = count;
    for (size_t i = 0; i < count; ++i) {
        const bool after = first || cases[i] < cases[*at] || (cases[i] == cases[*at] && i > *at);
        if (after && (best == count || cases[i] > cases[best]))
            best = i;
    }
    *at = best;
    return best < count;
}

/* "openvino differs from cpu in 12,345 of 2,000,000 cases, onnxruntime in 12" */
static void name_sides(const compare *c, text *t)
{
    const size_t base = compare_base(c);
    uint64_t cases[COMPARE_MAX_SIDES];
    for (size_t i = 0; i < c->side_count; ++i)
        cases[i] = base < c->side_count ? compare_differing(c, base, i)
                                        : c->total.sides[i][COMPARE_FAIL] + c->total.sides[i][COMPARE_WAIVED];
    size_t at = 0;
    for (bool first = true; next_side(cases, c->side_count, &at, first); first = false) {
        if (at == base || !c->sides[at].store)
            continue;
        text_add(t, t->length ? ", " : "");
        text_add(t, c->sides[at].label);
        if (t->length == strlen(c->sides[at].label)) {
            text_format(t, " differs from %s in ", base < c->side_count ? c->sides[base].label : "the reference");
            text_count(t, cases[at]);
            text_add(t, " of ");
            text_count(t, c->total.cases);
            text_format(t, " case%s", c->total.cases == 1 ? "" : "s");
        } else {
            const uint64_t unsupported = c->total.sides[at][COMPARE_UNSUPPORTED];
            text_add(t, cases[at] ? " in " : " in none");
            if (cases[at])
                text_count(t, cases[at]);
            if (unsupported) {
                text_add(t, " of the ");
                text_count(t, c->total.cases - unsupported);
                text_add(t, " that it supports");
            }
        }
    }
}

static const char *agreement(const compare *c)
{
    uint64_t waived = 0;
    for (size_t i = 0; i < c->side_count; ++i)
        waived += c->total.sides[i][COMPARE_WAIVED];
    if (waived)
        return "All agree with the reference in the cases that they support, except for waived failures";
    return c->total.common == c->total.cases ? "All agree with the reference in all cases"
                                             : "All agree with the reference in the cases that they support";
}

const char *compare_headline(const compare *c, char *buf, size_t size)
{
    const exit_status status = compare_status(c);
    text t = { .data = NULL };
    if (c->total.cases == 0)
        text_add(&t, "Nothing was compared: no backend supports any of the requested cases");
    else if (status == EXIT_FAILURES)
        name_sides(c, &t);
    else if (status == EXIT_NOT_RUN && c->total.common == 0)
        text_add(&t, "No case is supported by all");
    else if (status == EXIT_NOT_RUN && !*c->apart && !c->drawn_apart)
        text_add(&t, "Not all planned cases were run");
    else
        text_add(&t, agreement(c));
    if (*c->apart)
        text_format(&t, "; not compared, because a run was made with other cases or another reference: %s", c->apart);
    if (c->drawn_apart)
        text_format(&t, "; %zu drawn test%s not compared, because the runs drew with different seeds (--seed)",
                    c->drawn_apart, c->drawn_apart == 1 ? " is" : "s are");
    snprintf(buf, size, "%s", t.data && !t.failed ? t.data : "");
    text_free(&t);
    return buf;
}
