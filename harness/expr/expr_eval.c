/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter of compiled expressions. */
#include "harness/expr/expr_internal.h"

#include <string.h>

/* A predicate is evaluated for each of billions of points, so instructions take their right operand straight from
   the values where they can. */

/* How an evaluation ended: with a value, by a division by zero, with another error, or because it read a value that is
 * not known yet. */
typedef enum run_end { RUN_DONE, RUN_DIVIDED, RUN_FAILED, RUN_OPEN } run_end;

/* Which values are known, for expr_decide: element k of slot i is known if from[i][k] <= level. If it reads another
   one, `opens` receives the level of that element. */
typedef struct run_known {
    const uint8_t (*from)[EXPR_MAX_LENGTH];
    unsigned level, opens;
} run_known;

/* Are all values of the scope known? If not, *opens receives the level from which they are. */
static bool all_known(const expr *x, const expr_value *values, const run_known *known, unsigned *opens)
{
    *opens = 0;
    for (size_t slot = 0; slot < x->name_count; ++slot)
        for (uint32_t k = 0; k < (x->names[slot].vector ? values[slot].length : 1); ++k)
            if (known->from[slot][k] > known->level && known->from[slot][k] > *opens)
                *opens = known->from[slot][k];
    return *opens == 0;
}

/* The values of the scope together with the facts that follow from them. */
static const expr_value *add_facts(const expr *x, const expr_value *values)
{
    expr_facts *f = x->facts;
    bool same = f->cached;
    for (size_t slot = 0; slot < x->name_count && same; ++slot) {
        const uint32_t length = x->names[slot].vector ? values[slot].length : 1;
        same = (!x->names[slot].vector || f->cache[slot].length == length) &&
               memcmp(f->cache[slot].v, values[slot].v, length * sizeof values[slot].v[0]) == 0;
    }
    if (!same) {
        memcpy(f->cache, values, x->name_count * sizeof *values);
        memset(f->cache + x->name_count, 0, f->count * sizeof *values);
        f->compute(f->context, f->cache, f->cache + x->name_count);
        f->cached = true;
    }
    return f->cache;
}

/* The interpreter. The compiler makes two functions of it: for expr_decide, and, with `known` NULL, for evaluation.
   It is longer than other functions because the whole switch must share these local variables, which the compiler keeps
   in registers. */
static inline __attribute__((always_inline)) run_end run(const expr *x, const expr_instruction *at,
                                                         const expr_value *values, uint32_t element, run_known *known,
                                                         int64_t *value)
{
    const expr_instruction *code = x->code;
    int64_t stack[EXPR_MAX_STACK];
    int64_t *top = stack; /* the first free place; expr_generate has checked that the stack suffices */
    uint32_t k = element;

/* Before element i of a slot is read: end the evaluation if the element is not known yet. */
#define READ(slot, i)                                                                                                  \
    if (known && known->from[slot][i] > known->level) {                                                                \
        known->opens = known->from[slot][i];                                                                           \
        return RUN_OPEN;                                                                                               \
    }
/* Close a loop: `step` computes the new result from `result` and from the value of the body, `item`. */
#define NEXT(name, step)                                                                                               \
    case OP_NEXT_##name: {                                                                                             \
        int64_t item = *--top, result = top[-1];                                                                       \
        result = (step);                                                                                               \
        if (++k < (uint64_t)top[-2]) {                                                                                 \
            top[-1] = result;                                                                                          \
            at = code + at->target;                                                                                    \
            continue;                                                                                                  \
        }                                                                                                              \
        top -= 3;                                                                                                      \
        k = (uint32_t)top[0];                                                                                          \
        *top++ = result;                                                                                               \
        break;                                                                                                         \
    }
#define APPLY(fails, result)                                                                                           \
    {                                                                                                                  \
        int64_t left = top[-1];                                                                                        \
        if (fails)                                                                                                     \
            return RUN_DIVIDED;                                                                                        \
        top[-1] = (result);                                                                                            \
        break;                                                                                                         \
    }
#define X(name, fails, result)                                                                                         \
    case OP_##name: {                                                                                                  \
        int64_t right = *--top;                                                                                        \
        APPLY(fails, result)                                                                                           \
    }                                                                                                                  \
    case OP_##name##_ELEMENT: {                                                                                        \
        const expr_value *vector = &values[at->slot];                                                                  \
        if (k >= vector->length)                                                                                       \
            return RUN_FAILED;                                                                                         \
        READ(at->slot, k)                                                                                              \
        int64_t right = vector->v[k];                                                                                  \
        APPLY(fails, result)                                                                                           \
    }                                                                                                                  \
    case OP_##name##_SCALAR: {                                                                                         \
        READ(at->slot, 0)                                                                                              \
        int64_t right = values[at->slot].v[0];                                                                         \
        APPLY(fails, result)                                                                                           \
    }                                                                                                                  \
    case OP_##name##_CONSTANT: {                                                                                       \
        int64_t right = at->value;                                                                                     \
        APPLY(fails, result)                                                                                           \
    }

    for (;;) { /* Jumps use `continue`; all other instructions fall out of the switch to the next one. */
        switch ((expr_opcode)at->opcode) {
            EXPR_BINARY_OPERATORS(X)
        case OP_ELEMENT:
            if (k >= values[at->slot].length)
                return RUN_FAILED;
            READ(at->slot, k)
            *top++ = values[at->slot].v[k];
            break;
        case OP_SCALAR:
            READ(at->slot, 0)
            *top++ = values[at->slot].v[0];
            break;
        case OP_CONSTANT: *top++ = at->value; break;
        case OP_NEGATE: top[-1] = (int64_t)(0 - (uint64_t)top[-1]); break;
        case OP_ABS:
            if (top[-1] < 0)
                top[-1] = (int64_t)(0 - (uint64_t)top[-1]);
            break;
        case OP_NOT: top[-1] = !top[-1]; break;
        case OP_PICK:
            top -= 2;
            top[-1] = top[-1] != 0 ? top[0] : top[1];
            break;
        case OP_DROP: --top; break;
        case OP_COPY:
            top[0] = top[-1];
            ++top;
            break;
        case OP_STACK: *top++ = stack[at->value]; break;
        case OP_UNDER:
            top[-1 - at->value] = top[-1];
            top -= at->value;
            break;
        case OP_JUMP: at = code + at->target; continue;
        case OP_JUMP_FALSE:
            if (*--top == 0) {
                at = code + at->target;
                continue;
            }
            break;
        case OP_AND:
            if (top[-1] == 0) {
                at = code + at->target;
                continue;
            }
            --top;
            break;
        case OP_OR:
            if (top[-1] != 0) {
                at = code + at->target;
                continue;
            }
            --top;
            break;
        case OP_FACTS:
            if (known && !all_known(x, values, known, &known->opens))
                return RUN_OPEN;
            values = add_facts(x, values);
            known = NULL;
            break;
        case OP_LENGTH: *top++ = values[at->slot].length; break;
        case OP_SAME_LENGTH:
            if (values[at->slot].length != values[at->value].length)
                return RUN_FAILED;
            break;
        case OP_INDEX: {
            uint64_t index = (uint64_t)top[-1] - 1; /* An index of 0 or less becomes a very large one. */
            if (index >= values[at->slot].length)
                return RUN_FAILED;
            READ(at->slot, index)
            top[-1] = values[at->slot].v[index];
            break;
        }
        case OP_IN_RANGE:
            if ((uint64_t)top[-1] - 1 >= values[at->slot].length)
                return RUN_FAILED;
            break;
        case OP_AT: {
            uint64_t index = (uint64_t)top[-1] - 1;
            if (index >= values[at->slot].length)
                return RUN_FAILED;
            top[-1] = k;
            k = (uint32_t)index;
            break;
        }
        case OP_BACK:
            --top;
            k = (uint32_t)top[-1];
            top[-1] = top[0];
            break;
        case OP_LOOP:
        case OP_LOOP_NONEMPTY:
            if (values[at->slot].length == 0) {
                if (at->opcode == OP_LOOP_NONEMPTY)
                    return RUN_FAILED;
                *top++ = at->value;
                at = code + at->target;
                continue;
            }
            if (code[at->target - 1].opcode != OP_NEXT_ALL &&
                code[at->target - 1].opcode != OP_NEXT_ANY) { /* it reads all elements: check the last one first */
                READ(at->slot, values[at->slot].length - 1)
            }
            top[0] = k;
            top[1] = values[at->slot].length;
            top[2] = at->value;
            top += 3;
            k = 0;
            break;
        case OP_NEXT_ALL:
            if (*--top != 0 && ++k < (uint64_t)top[-2]) {
                at = code + at->target;
                continue;
            }
            top -= 2;
            k = (uint32_t)top[-1];
            top[-1] = top[2];
            break;
        case OP_NEXT_ANY:
            if (*--top == 0 && ++k < (uint64_t)top[-2]) {
                at = code + at->target;
                continue;
            }
            top -= 2;
            k = (uint32_t)top[-1];
            top[-1] = top[2];
            break;
            NEXT(ALL_EAGER, result & item)
            NEXT(ANY_EAGER, result | item)
            NEXT(SUM, (int64_t)((uint64_t)result + (uint64_t)item))
            NEXT(PRODUCT, (int64_t)((uint64_t)result * (uint64_t)item))
            NEXT(COUNT, result + (item != 0))
            NEXT(MIN, item < result ? item : result)
            NEXT(MAX, item > result ? item : result)
            NEXT(SELECT, k == (uint64_t)stack[at->value] - 1 ? item : result)
        case OP_RETURN: *value = top[-1]; return RUN_DONE;
        }
        ++at;
    }
#undef X
#undef APPLY
#undef NEXT
#undef READ
}

static int64_t run_whole(const expr *x, size_t start, const expr_value *values, uint32_t k, bool *failed)
{
    int64_t value;
    if (run(x, x->code + start, values, k, NULL, &value) == RUN_DONE)
        return value;
    *failed = true;
    return 0;
}

int64_t expr_eval(const expr *x, const expr_value *values, bool *failed)
{
    if (x->type == EXPR_VECTOR) {
        *failed = true;
        return 0;
    }
    return x->name >= 0 ? values[x->name].v[0] : run_whole(x, 0, values, 0, failed);
}

int64_t expr_eval_at(const expr *x, const expr_value *values, uint32_t k, bool *failed)
{
    if (x->name >= 0 && (x->type != EXPR_VECTOR || k < values[x->name].length))
        return values[x->name].v[x->type == EXPR_VECTOR ? k : 0];
    return run_whole(x, x->element, values, k, failed);
}

expr_truth expr_decide(const expr *x, int k, const expr_value *values, const uint8_t (*known)[EXPR_MAX_LENGTH],
                       unsigned level, unsigned *opens)
{
    run_known partly = { .from = known, .level = level };
    int64_t value = 0;
    switch (run(x, x->code + (k < 0 ? 0 : x->element), values, k < 0 ? 0 : (uint32_t)k, &partly, &value)) {
    case RUN_DONE: return value ? EXPR_TRUE : EXPR_FALSE;
    case RUN_OPEN: *opens = partly.opens; return EXPR_OPEN;
    case RUN_DIVIDED:
    case RUN_FAILED: break;
    }
    return EXPR_FAILED;
}

const char *expr_why(const expr *x, const expr_value *values)
{
    int64_t value;
    for (uint32_t k = 0; k < EXPR_MAX_LENGTH && x->name < 0; ++k) {
        run_end end = run(x, x->code, values, k, NULL, &value);
        if (end == RUN_DIVIDED)
            return "divides by zero";
        if (end == RUN_FAILED)
            return "reads an element that its vector does not have (the first one is 1)";
    }
    return "divides by zero or reads an element that its vector does not have (the first one is 1)";
}
