/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/finding_ground.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ts_clause *contract(unsigned which)
{
    return &operator_contract_clauses[which];
}

/* The clause of this id, if there is one that binds; else a clause of the contract. */
static const ts_clause *binding_or(const ts_operator *op, const char *id, unsigned otherwise)
{
    const ts_clause *c = id ? operator_clause(op, id) : NULL;
    return c && operator_binds(c) ? c : contract(otherwise);
}

/* Can a descriptor break this clause, and would that make it illegal? */
static bool makes_legal(const ts_clause *c)
{
    return operator_binds(c) && operator_graver(c->result, TS_RESULT_OPEN);
}

static const ts_clause *first_of_legality(const ts_operator *op)
{
    for (unsigned i = 0; i < op->clause_count; ++i)
        if (makes_legal(&op->clauses[i]))
            return &op->clauses[i];
    return NULL;
}

/* A call with open elements must be accepted by a clause of its own, or does not fail. */
static const ts_clause *ground_of_refusal(const execute_item *item)
{
    const ts_operator *op = item->instance->descriptor.op;
    const char *id = item->unspecified ? op->accepts_undefined : item->several ? op->accepts_several : NULL;
    return id ? operator_clause(op, id) : first_of_legality(op);
}

static const ts_clause *ground_of_mismatch(const ts_operator *op, const judgement *j, const ground_element *e)
{
    const char *id = j->differing ? op->run_clause : op->shape_clause;
    if (j->differing && e && e->same_origin && op->copy_clause)
        id = op->copy_clause;
    else if (j->differing && e && e->negative_index && op->index_clause)
        id = op->index_clause;
    return id ? operator_clause(op, id) : NULL;
}

const ts_clause *finding_ground(const execute_item *item, const judgement *j, verdict v, const ground_element *e)
{
    const ts_operator *op = item->instance->descriptor.op;
    switch (v) {
    case VERDICT_MISMATCH: return ground_of_mismatch(op, j, e);
    case VERDICT_REJECTED_VALID: return ground_of_refusal(item);
    case VERDICT_ACCEPTED_INVALID: return item_breaks(item);
    case VERDICT_WROTE_OUTSIDE: return binding_or(op, op->write_clause, OPERATOR_WRITES);
    case VERDICT_READ_OUTSIDE: return binding_or(op, op->read_clause, OPERATOR_READS);
    case VERDICT_MODIFIED_INPUT: return contract(OPERATOR_KEEPS_INPUTS);
    case VERDICT_NONDETERMINISTIC: return contract(OPERATOR_REPEATS);
    case VERDICT_CRASH:
    case VERDICT_HANG: return contract(OPERATOR_COMES_BACK);
    case VERDICT_LOST: return contract(OPERATOR_EXECUTES);
    default: return contract(OPERATOR_REPEATS); /* it passes now, and failed before */
    }
}

/* Have two clauses the same letters, and the second the number after that of the first? */
static bool follows(const ts_clause *a, const ts_clause *b)
{
    const char *of_a = strrchr(a->id, '-'), *of_b = strrchr(b->id, '-');
    return of_a && of_b && of_a - a->id == of_b - b->id && strncmp(a->id, b->id, (size_t)(of_a - a->id)) == 0 &&
           strtol(of_b + 1, NULL, 10) == strtol(of_a + 1, NULL, 10) + 1;
}

static size_t append_range(const ts_clause *first, const ts_clause *last, char *buf, size_t used, size_t size)
{
    if (used < size)
        used += (size_t)snprintf(buf + used, size - used, "%s%s%s%s", used ? ", " : "", first->id,
                                 first == last ? "" : " to ", first == last ? "" : last->id);
    return used;
}

static size_t append_clauses(const ts_clause *clauses, unsigned count, char *buf, size_t used, size_t size)
{
    const ts_clause *first = NULL, *last = NULL;
    for (unsigned i = 0; i < count; ++i) {
        if (!makes_legal(&clauses[i]))
            continue;
        if (last && !follows(last, &clauses[i])) {
            used = append_range(first, last, buf, used, size);
            first = NULL;
        }
        first = first ? first : &clauses[i];
        last = &clauses[i];
    }
    return last ? append_range(first, last, buf, used, size) : used;
}

void finding_ground_list(const ts_operator *op, char *buf, size_t size)
{
    buf[0] = '\0';
    const size_t used = append_clauses(op->clauses, op->clause_count, buf, 0, size);
    append_clauses(op->shared, op->shared_count, buf, used, size);
}
