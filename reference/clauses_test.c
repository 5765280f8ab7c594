/* SPDX-License-Identifier: Apache-2.0 */
/* Every clause says what it rests on, and no verdict rests on one that binds nobody. */
#include "reference/ledger.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void says_its_ground(const ts_operator *op, const ts_clause *c)
{
    if (c->basis == TS_IMPLIED && !(c->ground && *c->ground))
        fail_msg("%s: %s is implied, and names nothing that it follows from", op->name, c->id);
    if (c->basis != TS_OBSERVED && !(c->section && *c->section))
        fail_msg("%s: %s names no section of its page", op->name, c->id);
    if (operator_binds(c) && c->refused_by)
        fail_msg("%s: %s binds; only what breaks an open clause is refused by an implementation", op->name, c->id);
    if (c->computes && (operator_binds(c) || !operator_graver(c->result, TS_RESULT_OPEN)))
        fail_msg("%s: %s: only a clause that a descriptor can break, and that binds nobody, computes", op->name, c->id);
}

static void is_in_the_ledger(const ts_operator *op, const ts_clause *c)
{
    if (!operator_binds(c) && !ledger_of_clause(op->name, c->id))
        fail_msg("%s: %s is %s, and no entry of the ledger is about it", op->name, c->id,
                 operator_basis_name(c->basis));
}

static void clauses_name_their_ground(void **state)
{
    (void)state;
    for (size_t i = 0; operators_known(i); ++i) {
        const ts_operator *op = operators_known(i);
        for (unsigned k = 0; k < op->clause_count; ++k)
            says_its_ground(op, &op->clauses[k]);
        for (unsigned k = 0; k < op->shared_count; ++k)
            says_its_ground(op, &op->shared[k]);
    }
}

static void open_clauses_of_computed_operators_are_in_the_ledger(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i) {
        for (unsigned k = 0; k < all[i]->clause_count; ++k)
            is_in_the_ledger(all[i], &all[i]->clauses[k]);
        for (unsigned k = 0; k < all[i]->shared_count; ++k)
            is_in_the_ledger(all[i], &all[i]->shared[k]);
    }
}

/* A wrong element, shape or access fails by one of these. */
static void clauses_of_verdicts_bind(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i) {
        const ts_operator *op = all[i];
        const char *const named[] = { op->run_clause,   op->copy_clause, op->index_clause,      op->shape_clause,
                                      op->write_clause, op->read_clause, op->accepts_undefined, op->accepts_several };
        assert_non_null(op->run_clause);
        assert_non_null(op->shape_clause);
        for (size_t k = 0; k < sizeof named / sizeof named[0]; ++k) {
            const ts_clause *c = named[k] ? operator_clause(op, named[k]) : NULL;
            if (named[k] && (!c || !operator_binds(c)))
                fail_msg("%s: a verdict would rest on %s, which %s", op->name, named[k],
                         c ? "binds nobody" : "is no clause");
        }
    }
}

/* An operator that copies says which clause demands the bits. One that computes its elements has a derivation, or types
   whose results are not judged. */
static void copies_have_a_clause_of_their_own(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i)
        if (!operators_derivation(all[i]->name) && !all[i]->unjudged && !all[i]->copy_clause)
            fail_msg("%s copies elements, and names no clause about their bits", all[i]->name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clauses_name_their_ground),
        cmocka_unit_test(open_clauses_of_computed_operators_are_in_the_ledger),
        cmocka_unit_test(clauses_of_verdicts_bind),
        cmocka_unit_test(copies_have_a_clause_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
