/* SPDX-License-Identifier: Apache-2.0 */
/* The scope of a verdict in words. */
#include "harness/store/scope.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 64 };

/* Names in a fixed order, each once. */
typedef struct names {
    const char *list[MOST];
    size_t count;
} names;

static bool names_have(const names *n, const char *name)
{
    for (size_t i = 0; i < n->count; ++i)
        if (strcmp(n->list[i], name) == 0)
            return true;
    return false;
}

static void names_add(names *n, const char *name)
{
    if (n->count < MOST && !names_have(n, name))
        n->list[n->count++] = name;
}

/* "a, b and c"; above `most` names "10 of 11 data types". */
static void add_names(text *t, const names *n, size_t most, size_t whole, const char *noun)
{
    if (n->count > most) {
        text_format(t, "%zu of %zu %s", n->count, whole, noun);
        return;
    }
    for (size_t i = 0; i < n->count; ++i)
        text_format(t, "%s%s", i == 0 ? "" : i + 1 == n->count ? " and " : ", ", n->list[i]);
}

/* The operators of a part. */
static names operators_of(const scope *s, scope_part part)
{
    names n = { .count = 0 };
    for (size_t i = 0; i < s->count; ++i)
        if (scope_operator_is(&s->operators[i], part))
            names_add(&n, s->operators[i].name);
    return n;
}

/* The data types that belong to a part with any of the operators of another part; `all`: any data type. */
static names types_of(const scope *s, scope_part operators, scope_part part, bool all)
{
    names n = { .count = 0 };
    for (size_t i = 0; i < s->count; ++i)
        for (size_t k = 0; scope_operator_is(&s->operators[i], operators) && k < s->operators[i].type_count; ++k)
            if (all || scope_type_is(&s->operators[i].types[k], part))
                names_add(&n, s->operators[i].types[k].name);
    return n;
}

/* ---- what was judged ---- */

void scope_add_subject(const scope *s, text *t)
{
    const names operators = operators_of(s, SCOPE_JUDGED), types = types_of(s, SCOPE_JUDGED, SCOPE_JUDGED, false),
                all = types_of(s, SCOPE_JUDGED, SCOPE_JUDGED, true);
    size_t pairs = 0, judged = 0;
    if (operators.count == 0)
        return;
    for (size_t i = 0; i < s->count; ++i)
        for (size_t k = 0; s->operators[i].judged && k < s->operators[i].type_count; ++k) {
            ++pairs;
            judged += scope_type_is(&s->operators[i].types[k], SCOPE_JUDGED);
        }
    if (operators.count == s->count && s->count > 2)
        text_format(t, "all %zu operators", s->count);
    else
        add_names(t, &operators, 3, s->count, "operators");
    if (types.count == 0)
        return; /* illegal descriptors alone */
    if (judged == pairs && all.count > 3) {
        if (operators.count == 1)
            text_format(t, ", all %zu data types", all.count);
        else
            text_add(t, ", all data types");
    } else if (types.count < all.count || all.count <= 3) {
        text_add(t, ", ");
        add_names(t, &types, 3, all.count, "data types");
    }
}

/* ---- what was not ---- */

/* A list of pieces: "4 of 5 operators, 10 of 11 data types". */
typedef struct pieces {
    text *t;
    const char *next; /* what comes before the next piece */
    bool any;
} pieces;

static void begin_piece(pieces *p)
{
    text_add(p->t, p->next);
    p->next = ", ";
    p->any = true;
}

/* A piece of names; what follows several names is set off from them. */
static void add_piece(pieces *p, const names *n, size_t most, size_t whole, const char *noun)
{
    if (n->count == 0)
        return;
    begin_piece(p);
    add_names(p->t, n, most, whole, noun);
    if (n->count > 1 && n->count <= most)
        p->next = "; ";
}

/* Data types that belong to the part with one of the operators, but not with all: "f16 and f32 of dml.gather". */
static void add_pairs(const scope *s, scope_part operators, scope_part part, const names *whole, pieces *p)
{
    enum { SHOWN = 3 };
    size_t count = 0;
    for (size_t i = 0; i < s->count; ++i) {
        names own = { .count = 0 };
        for (size_t k = 0; scope_operator_is(&s->operators[i], operators) && k < s->operators[i].type_count; ++k) {
            const scope_type *type = &s->operators[i].types[k];
            if (scope_type_is(type, part) && !names_have(whole, type->name) && ++count <= SHOWN)
                names_add(&own, type->name);
        }
        if (own.count == 0)
            continue;
        begin_piece(p);
        add_names(p->t, &own, SHOWN, own.count, "data types");
        text_format(p->t, " of %s", s->operators[i].name);
    }
    if (count > SHOWN) {
        begin_piece(p);
        text_format(p->t, "%zu more data types of single operators", count - SHOWN);
    }
}

/* The data types of a part that no operator has outside of the part. */
static names only_in(const scope *s, scope_part operators, scope_part part)
{
    const names in = types_of(s, operators, part, false);
    names only = { .count = 0 };
    for (size_t i = 0; i < in.count; ++i) {
        bool outside = false;
        for (size_t k = 0; k < s->count; ++k)
            for (size_t j = 0; scope_operator_is(&s->operators[k], operators) && j < s->operators[k].type_count; ++j)
                outside |= strcmp(s->operators[k].types[j].name, in.list[i]) == 0 &&
                           !scope_type_is(&s->operators[k].types[j], part);
        if (!outside)
            names_add(&only, in.list[i]);
    }
    return only;
}

static void add_part(const scope *s, scope_part part, scope_part operators, const char *begin, size_t most, text *t)
{
    const names whole = operators_of(s, part), types = only_in(s, operators, part);
    pieces p = { t, begin, false };
    add_piece(&p, &whole, most, s->count, "operators");
    if (!s->pending || part != SCOPE_NOT_TRIED) {
        add_piece(&p, &types, 3, types_of(s, operators, part, true).count, "data types");
        add_pairs(s, operators, part, &types, &p);
    }
    uint64_t further = 0;
    for (size_t i = 0; part == SCOPE_NOT_OFFERED && i < s->count; ++i)
        for (size_t k = 0; k < s->operators[i].type_count; ++k) {
            const scope_type *type = &s->operators[i].types[k];
            further += scope_type_is(type, SCOPE_OFFERED) ? type->refused : 0;
        }
    if (further) {
        begin_piece(&p);
        text_count(t, further);
        text_format(t, " further case%s of offered data types", further == 1 ? "" : "s");
    }
    if (p.any)
        text_add(t, ".");
}

void scope_add_unshown(const scope *s, text *t)
{
    const uint64_t unshown = scope_counts_sum(&s->facts->unshown);
    if (unshown == 0)
        return;
    text_add(t, " Refusals not judged: ");
    text_count(t, unshown);
    if (!s->session) { /* which plans the cases that it has time for */
        text_add(t, " of ");
        text_count(t, s->planned + unshown);
    }
    text_format(t, " case%s.", s->planned + unshown == 1 ? "" : "s");
}

void scope_add_rest(const scope *s, text *t)
{
    scope_add_unshown(s, t);
    if (s->judged > 0 && !s->pending)
        add_part(s, SCOPE_NOT_JUDGED, SCOPE_OFFERED, " Not judged: ", 2, t);
    add_part(s, SCOPE_NOT_OFFERED, SCOPE_OFFERED, " Not offered: ", 2, t);
    add_part(s, SCOPE_NOT_TRIED, SCOPE_REQUIRED, s->session ? " Not tried in this session: " : " Not tried: ", 6, t);
}

/* ---- demands ---- */

/* "not offered: dml.gather (f16, f64), dml.slice1 (11 data types)" */
static void add_counts(text *t, const scope_counts *c, const char *how)
{
    enum { SHOWN = 4 };
    if (c->count == 0)
        return;
    text_add(t, how);
    for (size_t i = 0, next; i < c->count; i = next) {
        for (next = i; next < c->count && strcmp(c->list[next].op, c->list[i].op) == 0;)
            ++next;
        text_format(t, "%s%s (", i ? ", " : " ", c->list[i].op);
        if (next - i > SHOWN)
            text_format(t, "%zu data types", next - i);
        for (size_t k = i; next - i <= SHOWN && k < next; ++k)
            text_format(t, "%s%s", k > i ? ", " : "",
                        strcmp(c->list[k].dtype, "?") == 0 ? "no legal data type" : c->list[k].dtype);
        text_add(t, ")");
    }
}

void scope_add_absent(const scope_facts *f, const char *before, const char *after, text *t)
{
    for (size_t i = 0; i < f->demand_count; ++i) {
        const scope_demand *d = &f->demands[i];
        const uint64_t refused = scope_counts_sum(&d->refused), untried = scope_counts_sum(&d->untried);
        if (refused + untried == 0)
            continue;
        text_add(t, before);
        text_count(t, refused + untried);
        text_add(t, " of ");
        text_count(t, d->cases);
        text_format(t, " case%s required by '%s' %s absent: ", d->cases == 1 ? "" : "s", d->query,
                    refused + untried == 1 ? "is" : "are");
        if (refused && untried)
            text_count(t, refused);
        add_counts(t, &d->refused, refused && untried ? " not offered:" : "not offered:");
        if (refused && untried) {
            text_add(t, "; ");
            text_count(t, untried);
        }
        add_counts(t, &d->untried, refused && untried ? " not tried:" : "not tried:");
        text_add(t, after);
    }
}
