/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/explain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void explain_begin(ts_explanation *x, uint64_t most_elements)
{
    memset(x, 0, sizeof *x);
    x->most = most_elements;
}

void explain_end(ts_explanation *x)
{
    for (size_t i = 0; i < x->count; ++i) {
        free(x->items[i].text);
        free(x->items[i].element);
    }
    free(x->items);
    explain_begin(x, 0);
}

/* Add an item; NULL if out of memory. After that nothing more is added, so that an explanation has no gaps. */
static explain_item *add(ts_explanation *x, explain_kind kind)
{
    if (x->failed)
        return NULL;
    if (x->count == x->room) {
        size_t room = x->room ? 2 * x->room : 32;
        explain_item *items = realloc(x->items, room * sizeof *items);
        if (!items) {
            x->failed = true;
            return NULL;
        }
        x->items = items;
        x->room = room;
    }
    explain_item *item = &x->items[x->count++];
    memset(item, 0, sizeof *item);
    item->kind = kind;
    return item;
}

static void add_text(ts_explanation *x, explain_kind kind, const char *clauses, const char *format, va_list args)
{
    if (x->only)
        return;
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    explain_item *item = text ? add(x, kind) : NULL;
    if (!item) {
        free(text);
        x->failed = true;
        return;
    }
    vsnprintf(text, (size_t)length + 1, format, args);
    item->clauses = clauses;
    item->text = text;
}

void explain_step(ts_explanation *x, const char *clauses, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_text(x, EXPLAIN_STEP, clauses, format, args);
    va_end(args);
}

void explain_say(ts_explanation *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_text(x, EXPLAIN_SAY, NULL, format, args);
    va_end(args);
}

void explain_show(ts_explanation *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_text(x, EXPLAIN_SHOW, NULL, format, args);
    va_end(args);
}

/* The coordinate of an element by its number in row-major order. No size is 0. */
static void coordinate(const ts_tensor *t, uint64_t number, uint64_t *coord)
{
    for (uint32_t i = t->rank; i-- > 0;) {
        coord[i] = number % t->sizes[i];
        number /= t->sizes[i];
    }
}

/* Add the element e->to_coord. False if its source is unknown, or memory is out. */
static bool add_element(ts_explanation *x, const ts_tensor *t, int to, const uint64_t *coord, explain_source *source,
                        const void *context)
{
    explain_element *e = calloc(1, sizeof *e);
    if (!e) {
        x->failed = true;
        return false;
    }
    e->to = to;
    e->from = e->via = -1;
    memcpy(e->to_coord, coord, sizeof e->to_coord);
    e->to_offset = tensor_offset(t, e->to_coord);
    explain_item *item = source(context, e) ? add(x, EXPLAIN_ELEMENT) : NULL;
    if (item)
        item->element = e;
    else
        free(e);
    return item;
}

void explain_elements(ts_explanation *x, const ts_descriptor *d, int to, explain_source *source, const void *context)
{
    const ts_tensor *t = &d->tensors[to];
    uint64_t count = 0, coord[TS_MAX_DIMS] = { 0 };
    if (x->only) {
        if (to == x->only_of)
            add_element(x, t, to, x->only, source, context);
        return;
    }
    if (t->rank > TS_MAX_DIMS || !tensor_element_count(t, &count)) {
        explain_say(x, "%s has no sizes, so its elements cannot be listed.", d->op->tensors[to].name);
        return;
    }
    if (count == 0) {
        explain_say(x, "%s has no elements: nothing is copied.", d->op->tensors[to].name);
        return;
    }
    uint64_t last = count > x->most ? x->most / 4 : 0, first = count > x->most ? x->most - last : count;
    for (uint64_t n = 0; n < count && !x->failed; ++n) {
        if (n == first) {
            explain_item *gap = add(x, EXPLAIN_GAP);
            if (gap)
                gap->left_out = count - first - last;
            n = count - last;
            if (n == count)
                return;
        }
        coordinate(t, n, coord);
        if (!add_element(x, t, to, coord, source, context))
            return;
    }
}

void explain_choose(explain_element *e, int from, const uint64_t *from_coord, int via, const uint64_t *via_coord)
{
    e->from = from;
    e->via = via;
    memcpy(e->from_coord, from_coord, sizeof e->from_coord);
    if (via >= 0)
        memcpy(e->via_coord, via_coord, sizeof e->via_coord);
    if (e->choices < EXPLAIN_CHOICES) {
        explain_choice *choice = &e->choice[e->choices];
        choice->from = from;
        choice->via = via;
        memcpy(choice->from_coord, e->from_coord, sizeof choice->from_coord);
        memcpy(choice->via_coord, e->via_coord, sizeof choice->via_coord);
    }
    e->choices++;
}

bool explain_one_element(const ts_descriptor *d, int to, const uint64_t *coord, explain_element *e)
{
    ts_explanation x;
    if (!d->op->explain)
        return false;
    explain_begin(&x, 0);
    x.only = coord;
    x.only_of = to;
    d->op->explain(d, &x);
    const bool found = x.count == 1 && !x.failed;
    if (found)
        *e = *x.items[0].element;
    explain_end(&x);
    return found;
}

void explain_append(char *text, size_t room, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, room - used, format, args);
    va_end(args);
}

explain_words explain_list(const uint64_t *values, uint32_t count)
{
    explain_words words = { .text = "{" };
    for (uint32_t i = 0; i < count && i < TS_MAX_DIMS; ++i)
        explain_append(words.text, sizeof words.text, "%s%" PRIu64, i ? "," : "", values[i]);
    explain_append(words.text, sizeof words.text, count > TS_MAX_DIMS ? ",...}" : "}");
    return words;
}

explain_words explain_signed_list(const int64_t *values, uint32_t count)
{
    explain_words words = { .text = "{" };
    for (uint32_t i = 0; i < count && i < TS_MAX_DIMS; ++i)
        explain_append(words.text, sizeof words.text, "%s%" PRId64, i ? "," : "", values[i]);
    explain_append(words.text, sizeof words.text, count > TS_MAX_DIMS ? ",...}" : "}");
    return words;
}
