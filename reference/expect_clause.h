/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of references. */
#ifndef TOUCHSTONE_EXPECT_CLAUSE_H
#define TOUCHSTONE_EXPECT_CLAUSE_H

#include "harness/model/operator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SIZES(...)                                                                                                     \
    (const uint64_t[])                                                                                                 \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* Expect that check reports this clause with this result, or as open if it binds nobody, and nothing else; NULL: that it
   reports nothing. */
static inline void expect_clause(const ts_descriptor *d, const char *clause, ts_result result)
{
    ts_report report = { 0 };
    operator_check(d, &report);
    for (unsigned i = 0; i < report.count; ++i) {
        if (!clause || strcmp(report.items[i].clause, clause) != 0)
            fail_msg("expected %s, got %s: %s", clause ? clause : "nothing", report.items[i].clause,
                     report.items[i].text);
    }
    assert_int_equal(report.count > 0, clause != NULL);
    const ts_clause *found = clause ? operator_clause(d->op, clause) : NULL;
    const bool open = found && !operator_binds(found) && d->decisions == TS_DECISIONS_OPEN &&
                      operator_graver(result, TS_RESULT_OPEN);
    assert_int_equal(report.worst, !clause ? TS_RESULT_NONE : open ? TS_RESULT_OPEN : result);
}

#endif
