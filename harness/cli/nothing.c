/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/nothing.h"
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/casefile/query.h"
#include "harness/casefile/query_meant.h"
#include "harness/cli/command.h"
#include "harness/model/tensor.h"

#include <stdio.h>

/* So many indices of each test of a larger tier are looked at. A case that is drawn takes longer, about as long as 300
   others: of all drawn tests together, so many are. */
#define LOOKED_AT   (UINT64_C(1) << 12)
#define DRAWN       (UINT64_C(1) << 10)
#define DRAWN_LEAST UINT64_C(4) /* of each test, */
#define DRAWN_MOST  (UINT64_C(1) << 7)

/* How many cases of each drawn test are looked at. */
static uint64_t drawn_of_each(const plan *p)
{
    uint64_t tests = 0;
    for (size_t i = 0; i < p->item_count; ++i)
        tests += p->items[i].test->draw != NULL;
    const uint64_t each = tests ? DRAWN / tests : 0;
    return each < DRAWN_LEAST ? DRAWN_LEAST : each > DRAWN_MOST ? DRAWN_MOST : each;
}

/* Count the cases of the suite that the queries select in a tier. `cut` is not NULL: only see whether there are any, at
   the beginning of each test; *cut: a test has more. */
static bool count_in(const char *const *queries, size_t query_count, const plan_options *planned, case_tier tier,
                     bool *cut, uint64_t *cases, error *e)
{
    plan p;
    plan_options of = *planned;
    of.tier = tier;
    of.endless = false;
    *cases = 0;
    if (!plan_make_with(&p, queries, query_count, &of, e))
        return false;
    bool fine = true;
    const uint64_t drawn = drawn_of_each(&p);
    for (size_t i = 0; fine && i < p.item_count && !(cut && *cases); ++i) {
        const plan_item *item = &p.items[i];
        const uint64_t most = !cut ? UINT64_MAX : item->test->draw ? drawn : LOOKED_AT;
        const bool more = item->end - item->first > most;
        uint64_t own;
        fine = space_count(item->test->space, item->first, more ? item->first + most : item->end, NULL, NULL, &own, e);
        *cases += fine ? own : 0;
        if (more)
            *cut = true;
    }
    plan_free(&p);
    return fine;
}

/* Do all queries name a test in full? Then the tier decides nothing. */
static bool name_tests(const char *const *queries, size_t query_count)
{
    query q;
    error e;
    bool named = query_count > 0;
    for (size_t i = 0; named && i < query_count; ++i)
        named = query_parse(queries[i], &q, &e) && q.names_test;
    return named;
}

int nothing_to_do(const char *verb, const char *const *queries, size_t query_count, const plan_options *planned,
                  const char *backend, ts_level level)
{
    uint64_t cases = 0;
    error e;
    text why = { .data = NULL };
    bool cut = false;
    char note[QUERY_NOTE_SIZE];
    /* Without a backend the caller has counted them: there are none. */
    if (backend && !count_in(queries, query_count, planned, planned->tier, NULL, &cases, &e))
        return command_fail(verb, &e);
    if (cases > 0) {
        text_format(&why, "backend '%s' %s", backend ? backend : "?",
                    cases == 1 ? "does not offer the only case" : "offers none of the ");
        if (cases > 1) {
            text_count(&why, cases);
            text_add(&why, " cases");
        }
        text_add(&why, " that the queries select");
        if (level)
            text_format(&why, " at feature level %s", tensor_level_name(level));
    } else if (!count_in(queries, query_count, planned, TIER_EXHAUSTIVE, &cut, &cases, &e)) {
        return command_fail(verb, &e);
    } else if (cases > 0) {
        text_format(&why, "the queries select no case of tier %s; larger tiers have some",
                    case_tier_name(planned->tier));
    } else if (cut && planned->tier != TIER_EXHAUSTIVE && !name_tests(queries, query_count)) {
        text_format(&why,
                    "the queries select no case of tier %s, nor any at the beginning of the tests of larger tiers; "
                    "--tier %sexhaustive looks at all of them, 'touchstone list --axes' prints the values of "
                    "each parameter",
                    case_tier_name(planned->tier), planned->tier == TIER_QUICK ? "full or " : "");
    } else {
        text_add(&why, "the queries select no case: none was found that fulfils a predicate; 'touchstone list --axes' "
                       "prints the values of each parameter");
    }
    visible_print(stderr, "touchstone %s: nothing to %s: %s%s\n", verb, verb, why.failed ? "?" : why.data,
                  query_note(queries, query_count, note));
    text_free(&why);
    return EXIT_NOT_RUN;
}

void nothing_of_meant(const char *verb, const char *const *queries, size_t query_count)
{
    for (size_t i = 0; i < query_count; ++i) {
        const ts_operator *op = query_checked(queries[i]), *other = op ? query_computed(op) : NULL;
        if (other)
            visible_print(stderr, "touchstone %s: %s is checked, not computed; did you mean %s?\n", verb, op->name,
                          other->name);
    }
}
