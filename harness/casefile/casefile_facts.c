/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/casefile_facts.h"

#include "harness/casefile/casebuild.h"
#include "harness/casefile/casefile_internal.h"
#include "harness/model/copy_loops.h"
#include "reference/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum fact_kind {
    FACT_SIZES,
    FACT_STRIDES,
    FACT_COPY_SIZES,
    FACT_COPY_FROM,
    FACT_COPY_TO,
    FACT_COPY_PICKS,
    FACT_VECTORS, /* those before are vectors */
    FACT_PACKED = FACT_VECTORS,
    FACT_STRIDES_GIVEN,
    FACT_SPAN,
    FACT_EXTRA,
    FACT_TOTAL,
    FACT_LOOPS,
    FACT_ROW,
    FACT_ROWS,
    FACT_ROW_FROM,
    FACT_ROW_TO,
    FACT_PITCH_FROM,
    FACT_PITCH_TO,
    FACT_ACROSS,
    FACT_OUTER,
    FACT_OUTER_FROM,
    FACT_OUTER_TO
} fact_kind;

static const struct {
    const char *word; /* behind the name of a tensor, or "Copy" */
    fact_kind kind;
} of_tensor[] = { { "Sizes", FACT_SIZES },
                  { "Strides", FACT_STRIDES },
                  { "Packed", FACT_PACKED },
                  { "Span", FACT_SPAN },
                  { "Extra", FACT_EXTRA },
                  { "StridesGiven", FACT_STRIDES_GIVEN },
                  { "TotalTensorSizeInBytes", FACT_TOTAL } },
  of_copy[] = { { "Sizes", FACT_COPY_SIZES }, { "From", FACT_COPY_FROM },
                { "To", FACT_COPY_TO },       { "Picks", FACT_COPY_PICKS },
                { "Loops", FACT_LOOPS },      { "Row", FACT_ROW },
                { "Rows", FACT_ROWS },        { "RowFrom", FACT_ROW_FROM },
                { "RowTo", FACT_ROW_TO },     { "PitchFrom", FACT_PITCH_FROM },
                { "PitchTo", FACT_PITCH_TO }, { "Across", FACT_ACROSS },
                { "Outer", FACT_OUTER },      { "OuterFrom", FACT_OUTER_FROM },
                { "OuterTo", FACT_OUTER_TO } };

enum {
    FACT_WORDS = sizeof of_tensor / sizeof *of_tensor,
    COPY_WORDS = sizeof of_copy / sizeof *of_copy,
    PER_TENSOR = 1000, /* vectors of tensor t have elements per PER_TENSOR + t, those of the loops per PER_LOOPS */
    PER_LOOPS = PER_TENSOR - 1
};

/* A fact of a test. */
typedef struct fact {
    fact_kind kind;
    unsigned tensor;
    bool borrowed; /* its name is that of the family's first test */
} fact;

struct case_facts {
    expr_facts public;
    const case_test *test;
    const struct case_facts *first; /* of the family's first test, or NULL; only while names are added */
    expr_name *names;               /* room for as many as the operator can have */
    fact *facts;
    casebuild *build; /* these two are made when the first fact is computed */
    space_cursor *cursor;
};

/* ---- computing ----------------------------------------------------------------------------------------------------
 */

static bool is_packed(const ts_tensor *t)
{
    uint64_t stride = 1;
    for (uint32_t i = t->rank; i-- > 0; stride *= t->sizes[i])
        if (t->sizes[i] > 1 && t->strides[i] != stride)
            return false;
    return true;
}

static int64_t number_of_tensor(fact_kind kind, const ts_tensor *t)
{
    uint64_t number = 0;
    switch (kind) {
    case FACT_PACKED: return is_packed(t);
    case FACT_STRIDES_GIVEN: return (t->given & TS_GIVEN_STRIDES) != 0;
    case FACT_SPAN: return tensor_span_elements(t, &number) ? (int64_t)number : 0;
    case FACT_TOTAL: return (int64_t)t->total_bytes;
    case FACT_EXTRA: return tensor_min_bytes(t, &number) ? (int64_t)(t->total_bytes - number) : 0;
    default: return 0;
    }
}

static int64_t number_of_copy(fact_kind kind, const copy_loops *c)
{
    static const ts_loop one = { .size = 1, .from = 1, .to = 1 }, none = { .size = 0 };
    const ts_loop *row = c->empty ? &none : c->count ? &c->loops[c->count - 1] : &one;
    const ts_loop *outer = c->count ? &c->loops[0] : row;
    const ts_loop *next = c->count > 1 ? &c->loops[c->count - 2] : &none;
    uint64_t rows = c->empty ? 0 : 1;
    for (uint32_t i = 0; i + 1 < c->count; ++i)
        rows *= (uint64_t)c->loops[i].size;
    switch (kind) {
    case FACT_LOOPS: return c->count;
    case FACT_ROW: return row->size;
    case FACT_ROWS: return (int64_t)rows;
    case FACT_ROW_FROM: return row->picks ? 0 : row->from;
    case FACT_ROW_TO: return row->to;
    case FACT_PITCH_FROM: return next->picks ? 0 : next->from;
    case FACT_PITCH_TO: return next->to;
    case FACT_ACROSS: return copy_loops_across(c);
    case FACT_OUTER: return outer->size;
    case FACT_OUTER_FROM: return outer->picks ? 0 : outer->from;
    case FACT_OUTER_TO: return outer->to;
    default: return 0;
    }
}

static void put_tensor(fact_kind kind, const ts_tensor *t, expr_value *to)
{
    to->length = t->rank <= TS_MAX_DIMS && t->rank <= EXPR_MAX_LENGTH ? t->rank : 0;
    for (uint32_t i = 0; i < to->length; ++i)
        to->v[i] = (int64_t)(kind == FACT_SIZES ? t->sizes[i] : t->strides[i]);
}

static void put_loops(fact_kind kind, const copy_loops *c, expr_value *to)
{
    to->length = c->count;
    for (uint32_t i = 0; i < c->count; ++i) {
        const ts_loop *l = &c->loops[i];
        to->v[i] = kind == FACT_COPY_SIZES   ? l->size
                   : kind == FACT_COPY_TO    ? l->to
                   : kind == FACT_COPY_PICKS ? l->picks
                                             : (l->picks ? 0 : l->from);
    }
}

static bool prepare(struct case_facts *f)
{
    if (!f->build && (f->build = malloc(sizeof *f->build)))
        casebuild_init(f->build, f->test, TS_PROFILE_DEFAULT, 0, NULL);
    if (!f->cursor)
        f->cursor = calloc(1, sizeof *f->cursor);
    return f->build && f->cursor;
}

static void compute(void *context, const expr_value *values, expr_value *facts)
{
    struct case_facts *f = context;
    error none;
    copy_loops loops;
    const size_t axes = space_axis_count(f->test->space);
    if (!prepare(f))
        return;
    f->cursor->space = f->test->space;
    f->cursor->new_class = true;
    memcpy(f->cursor->values, values, axes * sizeof *values);
    if (!casebuild_case(f->build, f->cursor, &none))
        return;
    const ts_descriptor *d = &f->build->now.descriptor;
    copy_loops_of(&loops, d, operators_loops(d->op->name));
    for (size_t i = 0; i < f->public.count; ++i) {
        const fact *x = &f->facts[i];
        const ts_tensor *t = &d->tensors[x->tensor];
        const bool present = (t->given & TS_GIVEN_TENSOR) && t->rank <= TS_MAX_DIMS;
        facts[i].length = 1;
        if (x->kind == FACT_SIZES || x->kind == FACT_STRIDES)
            put_tensor(x->kind, t, &facts[i]);
        else if (x->kind < FACT_VECTORS)
            put_loops(x->kind, &loops, &facts[i]);
        else if (x->kind < FACT_LOOPS)
            facts[i].v[0] = present ? number_of_tensor(x->kind, t) : 0;
        else
            facts[i].v[0] = number_of_copy(x->kind, &loops);
    }
}

/* ---- names --------------------------------------------------------------------------------------------------------
 */

static bool has_alias(const case_test *t, const char *name)
{
    const expr_scope *scope = space_scope(t->space);
    for (size_t i = 0; i < scope->alias_count; ++i)
        if (strcmp(scope->aliases[i].name, name) == 0)
            return true;
    return false;
}

static bool add_fact(struct case_facts *f, const char *of, const char *word, fact_kind kind, unsigned tensor, int per)
{
    char name[96];
    snprintf(name, sizeof name, "%s.%s", of, word);
    if (has_alias(f->test, name))
        return true;
    const size_t place = f->public.count++;
    const bool vector = kind < FACT_VECTORS,
               borrowed = f->first && place < f->first->public.count && strcmp(f->first->names[place].name, name) == 0;
    f->facts[place] = (fact){ kind, tensor, borrowed };
    f->names[place] = (expr_name){ .name = borrowed ? f->first->names[place].name : strdup(name),
                                   .vector = vector,
                                   .per = vector ? per : -1 };
    return f->names[place].name != NULL;
}

/* Does a tensor of indices choose elements? */
static bool has_indices(const ts_operator *op)
{
    bool found = false;
    for (unsigned t = 0; t < op->tensor_count; ++t)
        found = found || strcmp(op->tensors[t].alias, "indices") == 0;
    return found;
}

/* Add the names of the vectors, or of the others. */
static bool add_names(struct case_facts *f, bool vectors)
{
    const ts_operator *op = f->test->file->op;
    bool fine = true, picks = has_indices(op);
    for (unsigned t = 0; t < op->tensor_count; ++t)
        for (size_t i = 0; fine && i < FACT_WORDS; ++i)
            if ((of_tensor[i].kind < FACT_VECTORS) == vectors && !operator_list_of(op, t)) /* there are many */
                fine = add_fact(f, op->tensors[t].name, of_tensor[i].word, of_tensor[i].kind, t, PER_TENSOR + (int)t);
    for (size_t i = 0; fine && i < COPY_WORDS; ++i)
        if ((of_copy[i].kind < FACT_VECTORS) == vectors && (of_copy[i].kind != FACT_COPY_PICKS || picks))
            fine = add_fact(f, "Copy", of_copy[i].word, of_copy[i].kind, 0, PER_LOOPS);
    return fine;
}

bool case_facts_add(case_test *t, error *e)
{
    struct case_facts *f = calloc(1, sizeof *f);
    if (!(t->facts = f))
        return error_set(e, "out of memory");
    f->test = t;
    const case_test *first = casefile_first_of_family(t);
    f->first = first ? first->facts : NULL;
    const size_t most = t->file->op->tensor_count * FACT_WORDS + COPY_WORDS;
    f->names = malloc(most * sizeof *f->names);
    f->facts = malloc(most * sizeof *f->facts);
    if (!f->names || !f->facts)
        return error_set(e, "out of memory");
    f->public.names = f->names;
    f->public.compute = compute;
    f->public.context = f;
    if (!add_names(f, true) || !add_names(f, false) ||
        !(f->public.cache = malloc((space_axis_count(t->space) + f->public.count) * sizeof *f->public.cache)))
        return error_set(e, "out of memory");
    space_set_facts(t->space, &f->public);
    return true;
}

void case_facts_free(struct case_facts *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->public.count; ++i)
        if (!f->facts[i].borrowed)
            free((void *)(uintptr_t)f->names[i].name);
    free(f->names);
    free(f->facts);
    free(f->public.cache);
    free(f->build);
    free(f->cursor);
    free(f);
}
