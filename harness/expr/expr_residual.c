/* SPDX-License-Identifier: Apache-2.0 */
/* Partial evaluation: what is left of an expression once all values but one are known.
 *
 * The instructions are followed with a stack on which the known values are kept; what the unknown one takes part in is
 * written down as new instructions. Behind a jump that depends on it, both ways are followed to their ends. */
#include "harness/expr/expr_internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CODE  256  /* instructions of a residual expression */
#define MOST_STEPS 4096 /* instructions that are followed */

/* The stack of an evaluation: the first `unknown` values will lie on the stack of the residual expression, and those
   from there to `top` are known. */
typedef struct half_known {
    int64_t value[EXPR_MAX_STACK];
    int unknown, top;
    uint32_t k; /* the element of vectors that is read */
} half_known;

typedef struct residue {
    const expr *x;
    const expr_value *values;
    uint16_t slot; /* the unknown one */
    uint64_t uses; /* this one, and vectors that are read at places which depend on it */
    expr_instruction code[MOST_CODE];
    size_t length, steps;
} residue;

static bool emit(residue *r, unsigned opcode, uint16_t slot, int64_t value)
{
    if (r->length == MOST_CODE)
        return false;
    r->code[r->length++] = (expr_instruction){ .opcode = (uint16_t)opcode, .slot = slot, .value = value };
    return true;
}

static void push(half_known *s, int64_t value)
{
    s->value[s->top++] = value;
}

/* From here on, all values lie on the stack of the residual expression. */
static bool flush(residue *r, half_known *s)
{
    for (; s->unknown < s->top; ++s->unknown)
        if (!emit(r, OP_CONSTANT, 0, s->value[s->unknown]))
            return false;
    return true;
}

static bool push_unknown(residue *r, half_known *s)
{
    if (!flush(r, s) || !emit(r, OP_SCALAR, r->slot, 0))
        return false;
    s->unknown = ++s->top;
    return true;
}

/* Are the `count` values at the top known? */
static bool knows(const half_known *s, int count)
{
    return s->top - s->unknown >= count;
}

static bool fold(unsigned binary, int64_t left, int64_t right, int64_t *value)
{
    switch ((expr_binary)binary) {
#define X(name, fails, result)                                                                                         \
    case EXPR_##name:                                                                                                  \
        if (fails)                                                                                                     \
            return false;                                                                                              \
        *value = (result);                                                                                             \
        return true;
        EXPR_BINARY_OPERATORS(X)
#undef X
    }
    return false;
}

static bool follow_binary(residue *r, half_known *s, const expr_instruction *at)
{
    const unsigned binary = at->opcode / 4u, operand = at->opcode % 4u;
    const expr_value *from = &r->values[at->slot];
    int64_t right = at->value;
    if (operand == OPERAND_SCALAR && at->slot == r->slot) {
        if (!flush(r, s))
            return false;
        return emit(r, at->opcode, at->slot, 0);
    }
    if (operand == OPERAND_STACK) {
        if (!knows(s, 1)) { /* nor is the left one known */
            s->unknown = --s->top;
            return emit(r, at->opcode, 0, 0);
        }
        right = s->value[--s->top];
    } else if (operand == OPERAND_ELEMENT) {
        if (s->k >= from->length)
            return false;
        right = from->v[s->k];
    } else if (operand == OPERAND_SCALAR) {
        right = from->v[0];
    }
    if (knows(s, 1))
        return fold(binary, s->value[s->top - 1], right, &s->value[s->top - 1]);
    if (right == 0 && (binary == EXPR_ADD || binary == EXPR_SUBTRACT))
        return true;
    return emit(r, 4u * binary + OPERAND_CONSTANT, 0, right);
}

/* Close a loop whose values are all known: the target of the next round, or NULL behind the last one. False: they are
   not all known. */
static bool follow_next(const residue *r, half_known *s, const expr_instruction *at, const expr_instruction **next)
{
    if (!knows(s, 4))
        return false;
    const int64_t item = s->value[--s->top];
    int64_t *result = &s->value[s->top - 1];
    bool more = true;
    switch ((expr_opcode)at->opcode) {
    case OP_NEXT_ALL:
        more = item != 0;
        *result = item;
        break;
    case OP_NEXT_ANY:
        more = item == 0;
        *result = item;
        break;
    case OP_NEXT_ALL_EAGER: *result &= item; break;
    case OP_NEXT_ANY_EAGER: *result |= item; break;
    case OP_NEXT_SUM: *result = (int64_t)((uint64_t)*result + (uint64_t)item); break;
    case OP_NEXT_PRODUCT: *result = (int64_t)((uint64_t)*result * (uint64_t)item); break;
    case OP_NEXT_COUNT: *result += item != 0; break;
    case OP_NEXT_MIN: *result = item < *result ? item : *result; break;
    case OP_NEXT_MAX: *result = item > *result ? item : *result; break;
    case OP_NEXT_SELECT:
        if (at->value < s->unknown)
            return false;
        *result = s->k == (uint64_t)s->value[at->value] - 1 ? item : *result;
        break;
    default: return false;
    }
    if (more && ++s->k < (uint64_t)s->value[s->top - 2]) {
        *next = r->x->code + at->target;
        return true;
    }
    const int64_t value = *result;
    s->top -= 3;
    s->k = (uint32_t)s->value[s->top];
    push(s, value);
    *next = NULL;
    return true;
}

/* Instructions that only move or change values of the stack. */
static bool follow_stack(residue *r, half_known *s, const expr_instruction *at)
{
    int64_t *top = &s->value[s->top ? s->top - 1 : 0];
    switch ((expr_opcode)at->opcode) {
    case OP_NEGATE:
    case OP_ABS:
    case OP_NOT:
        if (!knows(s, 1))
            return emit(r, at->opcode, 0, 0);
        if (at->opcode == OP_NOT)
            *top = !*top;
        else if (at->opcode == OP_NEGATE || *top < 0)
            *top = (int64_t)(0 - (uint64_t)*top);
        return true;
    case OP_PICK:
        if (knows(s, 3)) {
            s->top -= 2;
            top[-2] = top[-2] != 0 ? top[-1] : top[0];
            return true;
        }
        if (!flush(r, s))
            return false;
        s->unknown = s->top -= 2;
        return emit(r, OP_PICK, 0, 0);
    case OP_DROP:
        if (!knows(s, 1)) {
            s->unknown = --s->top;
            return emit(r, OP_DROP, 0, 0);
        }
        --s->top;
        return true;
    case OP_COPY:
        if (!knows(s, 1))
            return false;
        push(s, *top);
        return true;
    case OP_STACK:
        if (at->value < s->unknown)
            return false;
        push(s, s->value[at->value]);
        return true;
    case OP_UNDER:
        if (!knows(s, (int)at->value + 1))
            return false;
        top[-at->value] = *top;
        s->top -= (int)at->value;
        return true;
    default: return false;
    }
}

/* Instructions that read vectors. Only an index may be unknown. */
static bool follow_vector(residue *r, half_known *s, const expr_instruction *at)
{
    const expr_value *vector = &r->values[at->slot];
    const bool indexed = at->opcode == OP_INDEX || at->opcode == OP_IN_RANGE || at->opcode == OP_AT;
    if (!knows(s, 1) && (at->opcode == OP_INDEX || at->opcode == OP_IN_RANGE)) {
        r->uses |= UINT64_C(1) << at->slot;
        return emit(r, at->opcode, at->slot, 0);
    }
    if (indexed && (!knows(s, 1) || (uint64_t)s->value[s->top - 1] - 1 >= vector->length))
        return false;
    switch ((expr_opcode)at->opcode) {
    case OP_ELEMENT:
        if (s->k >= vector->length)
            return false;
        push(s, vector->v[s->k]);
        return true;
    case OP_LENGTH: push(s, vector->length); return true;
    case OP_SAME_LENGTH: return vector->length == r->values[at->value].length;
    case OP_INDEX: s->value[s->top - 1] = vector->v[s->value[s->top - 1] - 1]; return true;
    case OP_IN_RANGE: return true;
    case OP_AT: {
        const uint32_t k = (uint32_t)(s->value[s->top - 1] - 1);
        s->value[s->top - 1] = s->k;
        s->k = k;
        return true;
    }
    case OP_BACK:
        if (!knows(s, 2))
            return false;
        --s->top;
        s->k = (uint32_t)s->value[s->top - 1];
        s->value[s->top - 1] = s->value[s->top];
        return true;
    default: return false;
    }
}

/* Follow the instructions from `at` to their end. False: they would become too many, or do what cannot be followed. */
static bool follow(residue *r, const expr_instruction *at, half_known *s)
{
    const expr_instruction *code = r->x->code, *next;
    while (r->steps++ < MOST_STEPS) {
        bool fine = true;
        next = at + 1;
        switch ((expr_opcode)at->opcode) {
        case OP_RETURN: return flush(r, s) && emit(r, OP_RETURN, 0, 0);
        case OP_CONSTANT: push(s, at->value); break;
        case OP_SCALAR:
            if (at->slot == r->slot)
                fine = push_unknown(r, s);
            else
                push(s, r->values[at->slot].v[0]);
            break;
        case OP_JUMP: next = code + at->target; break;
        case OP_JUMP_FALSE:
        case OP_AND:
        case OP_OR: {
            if (knows(s, 1)) {
                const bool jumps = (s->value[s->top - 1] == 0) == (at->opcode != OP_OR);
                s->top -= at->opcode == OP_JUMP_FALSE || !jumps;
                if (jumps)
                    next = code + at->target;
                break;
            }
            half_known other = *s;
            const size_t jump = r->length;
            if (!emit(r, at->opcode, 0, 0))
                return false;
            s->unknown = --s->top;
            if (at->opcode == OP_JUMP_FALSE)
                other.unknown = --other.top;
            if (!follow(r, next, s))
                return false;
            r->code[jump].target = (uint32_t)r->length;
            return follow(r, code + at->target, &other);
        }
        case OP_LOOP:
        case OP_LOOP_NONEMPTY: {
            const uint32_t length = r->values[at->slot].length;
            if (length == 0 && at->opcode == OP_LOOP_NONEMPTY)
                return false;
            if (length > 0) {
                push(s, s->k);
                push(s, length);
                s->k = 0;
            } else {
                next = code + at->target;
            }
            push(s, at->value);
            break;
        }
        default:
            if (at->opcode < 4 * (EXPR_MAX + 1)) {
                fine = follow_binary(r, s, at);
            } else if (at->opcode >= OP_NEXT_ALL && at->opcode <= OP_NEXT_SELECT) {
                const expr_instruction *again = NULL;
                fine = follow_next(r, s, at, &again);
                next = again ? again : next;
            } else {
                fine = follow_stack(r, s, at) || follow_vector(r, s, at);
            }
        }
        if (!fine)
            return false;
        at = next;
    }
    return false;
}

expr *expr_residual(const expr *x, const expr_value *values, int slot)
{
    residue r = { .x = x, .values = values, .slot = (uint16_t)slot, .uses = UINT64_C(1) << slot };
    half_known s = { .top = 0 };
    if (x->type == EXPR_VECTOR || x->name >= 0 || !follow(&r, x->code, &s))
        return NULL;
    expr *left = malloc(sizeof *left);
    expr_instruction *code = malloc(r.length * sizeof *code);
    if (!left || !code) {
        free(left);
        free(code);
        return NULL;
    }
    memcpy(code, r.code, r.length * sizeof *code);
    *left = (expr){ .type = x->type, .per = -1, .uses = r.uses, .name = -1, .code = code };
    return left;
}
