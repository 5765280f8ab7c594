/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/nothing.h"
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/cli/command.h"
#include "harness/model/tensor.h"

#include <stdio.h>

#define LOOKED_AT (UINT64_C(1) << 8) /* indices of each test of a larger tier */

/* Count the cases of the suite that the queries select in a tier. `some`: only see whether there are any, at the
   beginning of each test. */
static bool count_in(const char *const *queries, size_t query_count, const plan_options *planned, case_tier tier,
                     bool some, uint64_t *cases, error *e)
{
    plan p;
    plan_options of = *planned;
    of.tier = tier;
    of.endless = false;
    *cases = 0;
    if (!plan_make_with(&p, queries, query_count, &of, e))
        return false;
    bool fine = true;
    for (size_t i = 0; fine && i < p.item_count && !(some && *cases); ++i) {
        const plan_item *item = &p.items[i];
        const uint64_t end = some && item->end - item->first > LOOKED_AT ? item->first + LOOKED_AT : item->end;
        uint64_t own;
        fine = space_count(item->test->space, item->first, end, NULL, NULL, &own, e);
        *cases += fine ? own : 0;
    }
    plan_free(&p);
    return fine;
}

int nothing_to_do(const char *verb, const char *const *queries, size_t query_count, const plan_options *planned,
                  const char *backend, ts_level level)
{
    uint64_t cases;
    error e;
    text why = { .data = NULL };
    if (!count_in(queries, query_count, planned, planned->tier, false, &cases, &e))
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
    } else if (!count_in(queries, query_count, planned, TIER_EXHAUSTIVE, true, &cases, &e)) {
        return command_fail(verb, &e);
    } else if (cases > 0) {
        text_format(&why, "the queries select no case of tier %s; larger tiers have some",
                    case_tier_name(planned->tier));
    } else {
        text_add(&why, "the queries select no case: none was found that fulfils a predicate; 'touchstone list --axes' "
                       "prints the values of each parameter");
    }
    visible_print(stderr, "touchstone %s: nothing to %s: %s\n", verb, verb, why.failed ? "?" : why.data);
    text_free(&why);
    return EXIT_NOT_RUN;
}
