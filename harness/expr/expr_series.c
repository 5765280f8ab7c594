/* SPDX-License-Identifier: Apache-2.0 */
/* A residual expression for consecutive values of its unknown: each instruction is executed for all of them before the
 * next one, so that reading the instruction costs once for many. Where a jump divides them, both parts go on alone.
 *
 * Residual expressions have no loops (expr_residual.c), so this knows few instructions. */
#include "harness/expr/expr_internal.h"

#include <string.h>

#define MOST_PARTS 6 /* parts of parts; beyond that, the caller evaluates one value after the other */

/* Values of the unknown that have taken the same way so far, and a stack for each: stack[place][lane]. */
typedef struct lanes {
    const expr_value *values; /* the known ones */
    size_t count;
    int top; /* the first free place */
    size_t number[EXPR_SERIES];
    int64_t unknown[EXPR_SERIES];
    int64_t stack[EXPR_MAX_STACK][EXPR_SERIES];
} lanes;

/* left[lane] = left[lane] operator right. False: it fails for one of them. */
static bool apply_constant(unsigned binary, int64_t *lefts, int64_t right, size_t count)
{
    switch ((expr_binary)binary) {
#define X(name, fails, result)                                                                                         \
    case EXPR_##name:                                                                                                  \
        if (fails)                                                                                                     \
            return false;                                                                                              \
        for (size_t lane = 0; lane < count; ++lane) {                                                                  \
            const int64_t left = lefts[lane];                                                                          \
            lefts[lane] = (result);                                                                                    \
        }                                                                                                              \
        return true;
        EXPR_BINARY_OPERATORS(X)
#undef X
    }
    return false;
}

/* left[lane] = left[lane] operator right[lane]. */
static bool apply(unsigned binary, int64_t *lefts, const int64_t *rights, size_t count)
{
    switch ((expr_binary)binary) {
#define X(name, fails, result)                                                                                         \
    case EXPR_##name:                                                                                                  \
        for (size_t lane = 0; lane < count; ++lane) {                                                                  \
            const int64_t left = lefts[lane], right = rights[lane];                                                    \
            if (fails)                                                                                                 \
                return false;                                                                                          \
            lefts[lane] = (result);                                                                                    \
        }                                                                                                              \
        return true;
        EXPR_BINARY_OPERATORS(X)
#undef X
    }
    return false;
}

static bool execute_binary(lanes *l, const expr_instruction *at)
{
    const unsigned binary = at->opcode / 4u;
    switch ((expr_operand)(at->opcode % 4u)) {
    case OPERAND_STACK: --l->top; return apply(binary, l->stack[l->top - 1], l->stack[l->top], l->count);
    case OPERAND_SCALAR: return apply(binary, l->stack[l->top - 1], l->unknown, l->count);
    case OPERAND_CONSTANT: return apply_constant(binary, l->stack[l->top - 1], at->value, l->count);
    case OPERAND_ELEMENT: break;
    }
    return false;
}

/* Replace indices by the elements of the vector, or only look whether all of them are inside. */
static bool read_vector(lanes *l, const expr_instruction *at)
{
    const expr_value *vector = &l->values[at->slot];
    int64_t *const index = l->stack[l->top - 1];
    for (size_t lane = 0; lane < l->count; ++lane) {
        const uint64_t k = (uint64_t)index[lane] - 1; /* an index of 0 or less becomes a very large one */
        if (k >= vector->length)
            return false;
        if (at->opcode == OP_INDEX)
            index[lane] = vector->v[k];
    }
    return true;
}

/* Instructions that go on with the next one. */
static bool execute(lanes *l, const expr_instruction *at)
{
    int64_t *const top = l->top > 0 ? l->stack[l->top - 1] : NULL;
    switch ((expr_opcode)at->opcode) {
    case OP_CONSTANT:
        for (size_t lane = 0; lane < l->count; ++lane)
            l->stack[l->top][lane] = at->value;
        ++l->top;
        return true;
    case OP_SCALAR: memcpy(l->stack[l->top++], l->unknown, l->count * sizeof l->unknown[0]); return true;
    case OP_DROP: --l->top; return true;
    case OP_INDEX:
    case OP_IN_RANGE: return read_vector(l, at);
    case OP_PICK:
        l->top -= 2;
        for (size_t lane = 0; lane < l->count; ++lane)
            l->stack[l->top - 1][lane] = l->stack[l->top - 1][lane] ? l->stack[l->top][lane] : top[lane];
        return true;
    case OP_NEGATE:
    case OP_ABS:
        for (size_t lane = 0; lane < l->count; ++lane)
            if (at->opcode == OP_NEGATE || top[lane] < 0)
                top[lane] = (int64_t)(0 - (uint64_t)top[lane]);
        return true;
    case OP_NOT:
        for (size_t lane = 0; lane < l->count; ++lane)
            top[lane] = !top[lane];
        return true;
    default: return at->opcode < 4 * (EXPR_MAX + 1) && execute_binary(l, at);
    }
}

/* Move the lanes whose top is 0, or not 0, from `l` to `part`. */
static void divide(lanes *l, bool zero, lanes *part)
{
    size_t stay = 0, go = 0;
    const int64_t *const top = l->stack[l->top - 1];
    bool goes[EXPR_SERIES];
    for (size_t lane = 0; lane < l->count; ++lane)
        goes[lane] = (top[lane] == 0) == zero;
    for (size_t lane = 0; lane < l->count; ++lane) {
        lanes *const to = goes[lane] ? part : l;
        const size_t place = goes[lane] ? go++ : stay++;
        to->number[place] = l->number[lane];
        to->unknown[place] = l->unknown[lane];
        for (int k = 0; k < l->top; ++k)
            to->stack[k][place] = l->stack[k][lane];
    }
    part->values = l->values;
    part->top = l->top;
    part->count = go;
    l->count = stay;
}

/* Execute the instructions from `at` to their ends, and store the results by the lanes' numbers. */
static bool finish(const expr *x, const expr_instruction *at, lanes *l, unsigned parts, int64_t *value)
{
    lanes part;
    while (l->count > 0) {
        switch ((expr_opcode)at->opcode) {
        case OP_RETURN:
            for (size_t lane = 0; lane < l->count; ++lane)
                value[l->number[lane]] = l->stack[l->top - 1][lane];
            return true;
        case OP_JUMP_FALSE:
        case OP_AND:
        case OP_OR:
            divide(l, at->opcode != OP_OR, &part);
            part.top -= at->opcode == OP_JUMP_FALSE;
            --l->top;
            if (part.count > 0 && (parts == MOST_PARTS || !finish(x, x->code + at->target, &part, parts + 1, value)))
                return false;
            break;
        default:
            if (!execute(l, at))
                return false;
        }
        ++at;
    }
    return true;
}

bool expr_series(const expr *residual, const expr_value *values, int64_t first, size_t count, int64_t *value)
{
    lanes all;
    all.values = values;
    all.top = 0;
    all.count = count;
    for (size_t lane = 0; lane < count; ++lane) {
        all.number[lane] = lane;
        all.unknown[lane] = (int64_t)((uint64_t)first + lane);
    }
    return finish(residual, residual->code, &all, 0, value);
}
