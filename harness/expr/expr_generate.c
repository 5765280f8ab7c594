/* SPDX-License-Identifier: Apache-2.0 */
/* From a checked tree to instructions. An expression that has vectors becomes code for its element k, with a loop
   around it where all elements are asked for, so that only integers are ever on the stack. */
#include "harness/base/array.h"
#include "harness/expr/expr_internal.h"

#include <stdlib.h>

typedef struct generator {
    expr_instruction *code;
    size_t count, capacity;
    int depth, deepest; /* of the stack */
    bool flat;          /* conditions on all elements are to be decided at element k */
    bool out_of_memory;
} generator;

/* Append an instruction that changes the depth of the stack by `change`. Returns its position. */
static uint32_t put(generator *g, int opcode, int slot, int64_t value, int change)
{
    if (!array_reserve(&g->code, &g->capacity, g->count + 1, sizeof *g->code)) {
        g->out_of_memory = true;
        return 0;
    }
    g->code[g->count] = (expr_instruction){ .opcode = (uint16_t)opcode, .slot = (uint16_t)slot, .value = value };
    g->depth += change;
    if (g->depth > g->deepest)
        g->deepest = g->depth;
    return (uint32_t)g->count++;
}

/* Let the jump go to the next instruction. */
static void land(generator *g, uint32_t jump)
{
    if (!g->out_of_memory)
        g->code[jump].target = (uint32_t)g->count;
}

static void generate(generator *g, expr_node *n);

/* The first of the slots that a vector is made of, after a check that they are equally long. */
static int shape_of(generator *g, expr_node *vector)
{
    int first = -1;
    for (int slot = 0; slot < EXPR_SHAPES; ++slot) {
        if ((vector->shape >> slot & 1) == 0)
            continue;
        if (first < 0)
            first = slot;
        else
            put(g, OP_SAME_LENGTH, first, slot, 0);
    }
    return first;
}

/* Compute the scalars in the body of a loop once before the loop, also if there are no elements, as Lua does; n then
   has a place on the stack. Items of a list and right
   operands of 'and' and 'or' are not moved, because what is before them may make them superfluous. Returns the
   number of scalars. */
static int hoist(generator *g, expr_node *n)
{
    if (n == NULL || n->kind == NODE_CONSTANT || n->kind == NODE_NAME)
        return 0;
    if (!n->vector) {
        generate(g, n);
        n->hoisted = g->depth;
        return 1;
    }
    int count = hoist(g, n->a);
    if (n->kind != NODE_IN && n->kind != NODE_AND && n->kind != NODE_OR) {
        count += hoist(g, n->b);
        count += hoist(g, n->c);
    }
    return count;
}

static void forget_hoisted(expr_node *n)
{
    if (n == NULL)
        return;
    n->hoisted = 0;
    if (n->vector) {
        forget_hoisted(n->a);
        forget_hoisted(n->b);
        forget_hoisted(n->c);
    }
}

static void generate_loop(generator *g, int next, expr_node *body)
{
    int opcode = OP_LOOP;
    int64_t start = 0;
    switch (next) {
    case OP_NEXT_ALL:
    case OP_NEXT_ALL_EAGER:
    case OP_NEXT_PRODUCT: start = 1; break;
    case OP_NEXT_MIN: start = INT64_MAX; break;
    case OP_NEXT_MAX: start = INT64_MIN; break;
    }
    if (next == OP_NEXT_MIN || next == OP_NEXT_MAX || next == OP_NEXT_SELECT)
        opcode = OP_LOOP_NONEMPTY;
    int index = g->depth - 1; /* where OP_NEXT_SELECT finds i */
    int under = hoist(g, body) + (next == OP_NEXT_SELECT);
    int slot = shape_of(g, body);
    uint32_t loop = put(g, opcode, slot, start, 3);
    generate(g, body);
    uint32_t close = put(g, next, 0, index, -3);
    if (g->out_of_memory)
        return;
    g->code[close].target = loop + 1;
    land(g, loop);
    if (under > 0)
        put(g, OP_UNDER, 0, under, -under);
    forget_hoisted(body);
}

/* Generate the operator and its right operand; the left one is on the stack. */
static void generate_operand(generator *g, int operation, expr_node *b)
{
    int opcode = 4 * operation;
    if (b->kind == NODE_CONSTANT) {
        put(g, opcode + OPERAND_CONSTANT, 0, b->value, 0);
    } else if (b->kind == NODE_NAME) {
        put(g, opcode + (b->vector ? OPERAND_ELEMENT : OPERAND_SCALAR), b->detail, 0, 0);
    } else {
        generate(g, b);
        put(g, opcode + OPERAND_STACK, 0, 0, -1);
    }
}

/* A choice `c and x`, or several joined by `or`. Where there is no value it jumps; these jumps are a list, linked by
   their targets until the place is known. */
static void generate_partial(generator *g, expr_node *n, uint32_t *jumps);

#define NO_JUMP UINT32_MAX

static void land_all(generator *g, uint32_t jumps)
{
    while (jumps != NO_JUMP && !g->out_of_memory) {
        uint32_t next = g->code[jumps].target;
        land(g, jumps);
        jumps = next;
    }
}

/* The value of `a or b`, where a is a choice; b may be one too, and then takes the jumps. */
static void generate_choice(generator *g, expr_node *n, uint32_t *jumps)
{
    uint32_t otherwise = NO_JUMP;
    generate_partial(g, n->a, &otherwise);
    uint32_t done = put(g, OP_JUMP, 0, 0, -1);
    land_all(g, otherwise);
    if (n->b->partial)
        generate_partial(g, n->b, jumps);
    else
        generate(g, n->b);
    land(g, done);
}

static void generate_partial(generator *g, expr_node *n, uint32_t *jumps)
{
    if (n->kind == NODE_OR) {
        generate_choice(g, n, jumps);
        return;
    }
    generate(g, n->a);
    uint32_t jump = put(g, OP_JUMP_FALSE, 0, 0, -1);
    if (g->out_of_memory)
        return;
    g->code[jump].target = *jumps;
    *jumps = jump;
    if (n->b->partial)
        generate_partial(g, n->b, jumps);
    else
        generate(g, n->b);
}

static void generate_logic(generator *g, expr_node *n)
{
    if (n->a->partial) {
        generate_choice(g, n, NULL);
        return;
    }
    generate(g, n->a);
    uint32_t jump = put(g, n->kind == NODE_AND ? OP_AND : OP_OR, 0, 0, -1);
    generate(g, n->b);
    land(g, jump);
}

static void generate_list(generator *g, expr_node *n)
{
    uint32_t found = NO_JUMP;
    generate(g, n->a);
    for (expr_node *item = n->b; item; item = item->next) {
        put(g, OP_COPY, 0, 0, 1);
        generate_operand(g, EXPR_EQ, item);
        if (item->next == NULL)
            break;
        uint32_t jump = put(g, OP_OR, 0, 0, -1);
        if (g->out_of_memory)
            return;
        g->code[jump].target = found;
        found = jump;
    }
    land_all(g, found);
    put(g, OP_UNDER, 0, 1, -1);
}

static void generate_index(generator *g, expr_node *n)
{
    if (n->a->kind == NODE_NAME) {
        generate(g, n->b);
        put(g, OP_INDEX, n->a->detail, 0, 0);
        return;
    }
    generate(g, n->b);
    if (n->a->fallible) { /* Lua computes all of the vector, and fails if any element does. */
        put(g, OP_IN_RANGE, shape_of(g, n->a), 0, 0);
        generate_loop(g, OP_NEXT_SELECT, n->a);
        return;
    }
    put(g, OP_AT, shape_of(g, n->a), 0, 0);
    generate(g, n->a);
    put(g, OP_BACK, 0, 0, -1);
}

/* Code that pushes the value of n, of a vector its element k. */
static void generate(generator *g, expr_node *n)
{
    if (g->deepest > EXPR_MAX_STACK || g->out_of_memory)
        return;
    if (n->hoisted > 0) {
        put(g, OP_STACK, 0, n->hoisted - 1, 1);
        return;
    }
    switch (n->kind) {
    case NODE_CONSTANT: put(g, OP_CONSTANT, 0, n->value, 1); break;
    case NODE_NAME: put(g, n->vector ? OP_ELEMENT : OP_SCALAR, n->detail, 0, 1); break;
    case NODE_NEGATE:
    case NODE_ABS:
    case NODE_NOT:
        generate(g, n->a);
        put(g, n->kind == NODE_NEGATE ? OP_NEGATE : n->kind == NODE_ABS ? OP_ABS : OP_NOT, 0, 0, 0);
        break;
    case NODE_BINARY:
        generate(g, n->a);
        generate_operand(g, n->detail, n->b);
        break;
    case NODE_IN: generate_list(g, n); break;
    case NODE_EACH:
        if (g->flat)
            generate(g, n->a);
        else
            generate_loop(g, n->a->fallible ? OP_NEXT_ALL_EAGER : OP_NEXT_ALL, n->a);
        break;
    case NODE_ANY: generate_loop(g, n->a->fallible ? OP_NEXT_ANY_EAGER : OP_NEXT_ANY, n->a); break;
    case NODE_AND:
    case NODE_OR: generate_logic(g, n); break;
    case NODE_PICK:
        generate(g, n->a);
        generate(g, n->b);
        generate(g, n->c);
        put(g, OP_PICK, 0, 0, -2);
        break;
    case NODE_REDUCE: generate_loop(g, n->detail, n->a); break;
    case NODE_INDEX: generate_index(g, n); break;
    case NODE_LENGTH:
        if (n->a->fallible) {
            generate_loop(g, OP_NEXT_SUM, n->a);
            put(g, OP_DROP, 0, 0, -1);
        }
        put(g, OP_LENGTH, shape_of(g, n->a), 0, 1);
        break;
    }
}

bool expr_generate(expr *x, expr_node *n, error *e)
{
    generator g = { .code = NULL };
    if (x->facts)
        put(&g, OP_FACTS, 0, 0, 0);
    generate(&g, n);
    put(&g, OP_RETURN, 0, 0, -1);
    if (x->type == EXPR_BOOL && x->elementwise) {
        x->element = g.count;
        g.flat = true;
        generate(&g, n); /* an elementwise expression reads no facts */
        put(&g, OP_RETURN, 0, 0, -1);
    }
    x->code = g.code;
    if (g.out_of_memory)
        return error_set(e, "out of memory");
    if (g.deepest > EXPR_MAX_STACK)
        return error_usage(e, "too complex: more than %d values at once", EXPR_MAX_STACK);
    return true;
}
