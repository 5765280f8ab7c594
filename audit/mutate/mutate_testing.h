/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of the generator: the state of mutated code, and mutants by function, text and kind. Each test includes
   it once. */
#ifndef TOUCHSTONE_MUTATE_TESTING_H
#define TOUCHSTONE_MUTATE_TESTING_H

#include "audit/mutate/schemata_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

schemata_state schemata = { .selected = MUTANT_NONE };

_Noreturn void schemata_leave(schemata_reason reason)
{
    schemata.reason = reason;
    longjmp(schemata.leave, 1);
}

static int set_up(void **state)
{
    (void)state;
    schemata.infected = calloc(schemata_all.count, 1);
    schemata.list = calloc(schemata_all.count, sizeof *schemata.list);
    return schemata.infected && schemata.list ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(schemata.infected);
    free(schemata.list);
    return 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

/* The mutant of a function's text, or MUTANT_NONE. */
static uint32_t find(const char *function, const char *original, const char *kind)
{
    for (uint32_t m = 0; m < schemata_all.count; ++m) {
        const mutant *x = &schemata_all.mutants[m];
        if (strcmp(x->function, function) == 0 && strcmp(x->original, original) == 0 && ends_with(x->id, kind))
            return m;
    }
    return MUTANT_NONE;
}

static uint32_t selected(const char *function, const char *original, const char *kind)
{
    uint32_t m = find(function, original, kind);
    if (m == MUTANT_NONE)
        fail_msg("%s: `%s` has no mutant %s", function, original, kind);
    schemata.selected = m;
    schemata.steps = 0;
    schemata.limit = 1000;
    return m;
}

#endif
