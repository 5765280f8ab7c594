/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of expressions. */
#include "harness/expr/expr_internal.h"

#include <stdlib.h>
#include <string.h>

/* An expression of the node, written as text[begin, end). */
static expr *expression(expr_node *n, const expr_scope *scope, const char *text, size_t begin, size_t end,
                        const char *where, error *e)
{
    expr *x = calloc(1, sizeof *x);
    char *copy = calloc(1, end - begin + 1);
    if (x == NULL || copy == NULL) {
        free(x);
        free(copy);
        error_set(e, "out of memory");
        return NULL;
    }
    memcpy(copy, text + begin, end - begin);
    x->text = copy;
    x->type = n->vector ? EXPR_VECTOR : n->base == BASE_BOOL ? EXPR_BOOL : EXPR_INT;
    x->per = n->vector ? n->per : -1;
    x->uses = n->uses;
    x->elementwise = n->vector ? n->pure : n->spread;
    x->name = n->kind == NODE_NAME ? n->detail : -1;
    x->domain = n->base == BASE_ENUMERATED ? n->domain : -1;
    x->number = n->base == BASE_ENUMERATED && (n->domain < 0 || scope->names[n->domain].numbers);
    if (n->uses & EXPR_USES_FACTS) {
        x->facts = scope->facts;
        x->names = scope->names;
        x->name_count = scope->count;
        x->uses = (UINT64_C(1) << scope->count) - 1;
        x->name = -1;
    }
    if (!expr_generate(x, n, e)) {
        expr_free(x);
        error_prefix(e, "%s: in '%.200s'", where ? where : "expression", text);
        return NULL;
    }
    return x;
}

expr *expr_compile(const char *text, const expr_scope *scope, const char *where, error *e)
{
    expr_tree tree;
    expr *x = NULL;
    bool failed = false;
    char *expanded = expr_expand(text, scope, &failed);
    if (failed) {
        error_set(e, "out of memory");
        return NULL;
    }
    text = expanded ? expanded : text;
    if (expr_parse(&tree, text, scope, where, e))
        x = expression(tree.root, scope, text, 0, strlen(text), where, e);
    free(tree.nodes);
    free(expanded);
    return x;
}

/* Collect the conjuncts of n, from the left. Returns how many there are now, more than max if they do not fit. */
static int collect(expr_node *n, expr_node **conjuncts, int count, int max)
{
    if (n->kind == NODE_AND && !n->partial) {
        count = collect(n->a, conjuncts, count, max);
        return count > max ? count : collect(n->b, conjuncts, count, max);
    }
    if (count < max)
        conjuncts[count] = n;
    return count + 1;
}

/* guarded: a conjunct that can fail is compiled together with those before it. */
static int compile_conjuncts(const char *text, const expr_scope *scope, const char *where, expr **out, int max,
                             bool guarded, error *e)
{
    expr_tree tree;
    int count = 0, made = 0;
    expr_node **conjuncts = calloc(max > 0 ? (size_t)max : 1, sizeof *conjuncts), *guard = NULL;
    bool failed = false;
    char *expanded = expr_expand(text, scope, &failed);
    if (conjuncts == NULL || failed) {
        free(conjuncts);
        free(expanded);
        error_set(e, "out of memory");
        return -1;
    }
    text = expanded ? expanded : text;
    bool good = expr_parse(&tree, text, scope, where, e);
    if (good) {
        count = collect(tree.root, conjuncts, 0, max);
        good = count <= max;
        if (!good)
            error_usage(e, "%s: in '%.200s': more than %d conditions joined by 'and'", where ? where : "expression",
                        text, max);
    }
    for (int i = 0; good && i < count; ++i) {
        expr_node *n = conjuncts[i];
        if (guarded)
            guard = guard ? expr_conjunction(&tree, guard, n) : n;
        out[i] = expression(guarded && n->fallible ? guard : n, scope, text, count > 1 ? n->begin : 0,
                            count > 1 ? n->end : strlen(text), where, e);
        good = out[i] != NULL;
        made += good;
    }
    while (!good && made > 0)
        expr_free(out[--made]);
    free(conjuncts);
    free(tree.nodes);
    free(expanded);
    return good ? count : -1;
}

int expr_compile_conjuncts(const char *text, const expr_scope *scope, const char *where, expr **out, int max, error *e)
{
    return compile_conjuncts(text, scope, where, out, max, true, e);
}

int expr_compile_conditions(const char *text, const expr_scope *scope, const char *where, expr **out, int max, error *e)
{
    return compile_conjuncts(text, scope, where, out, max, false, e);
}

void expr_free(expr *x)
{
    if (x == NULL)
        return;
    free(x->text);
    free(x->code);
    free(x);
}

expr_type expr_type_of(const expr *x)
{
    return x->type;
}

int expr_per_of(const expr *x)
{
    return x->per;
}

int expr_domain_of(const expr *x)
{
    return x->domain;
}

bool expr_is_number(const expr *x)
{
    return x->number;
}

uint64_t expr_uses(const expr *x)
{
    return x->uses;
}

const char *expr_text(const expr *x)
{
    return x->text;
}

bool expr_elementwise(const expr *x)
{
    return x->elementwise;
}
