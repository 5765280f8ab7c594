/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check.h"
#include "harness/base/did_you_mean.h"
#include "harness/check/check_output.h"
#include "harness/check/check_print.h"
#include "reference/operators.h"

#include <stdio.h>
#include <string.h>

/* ---- options ----------------------------------------------------------------------------------------------- */

/* Add a choice that an operator declares; all names are added to `known`. */
static bool add_declared(check_options *o, const char *name, did_you_mean_names *known)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    bool found = false;
    for (size_t i = 0; i < count; ++i) {
        for (unsigned k = 0; k < all[i]->choice_count; ++k) {
            const char *declared = all[i]->choices[k].name;
            did_you_mean_add(known, declared);
            if (found || strcmp(name, declared) != 0)
                continue;
            found = check_has_choice(o, declared) || o->choice_count < CHECK_MAX_CHOICES;
            if (found && !check_has_choice(o, declared))
                o->choices[o->choice_count++] = declared;
        }
    }
    return found;
}

bool check_has_choice(const check_options *o, const char *name)
{
    for (unsigned i = 0; i < o->choice_count; ++i) {
        if (strcmp(o->choices[i], name) == 0)
            return true;
    }
    return false;
}

static bool add_choice(check_options *o, const char *name, error *e)
{
    did_you_mean_names known = { { "openvino", "numpy" }, 2 };
    uint32_t before = o->profile;
    if (strcmp(name, "default") == 0 || strcmp(name, "openvino") == 0)
        o->profile = TS_PROFILE_DEFAULT;
    else if (strcmp(name, "numpy") == 0)
        o->profile = TS_PROFILE_NUMPY;
    else
        return add_declared(o, name, &known) || did_you_mean_unknown(e, "--profile", "profile", name, &known);
    if (o->profile_given && o->profile != before)
        return error_usage(e, "--profile: openvino and numpy exclude each other");
    return o->profile_given = true;
}

bool check_add_profile(check_options *o, const char *names, error *e)
{
    char name[64];
    do {
        size_t n = strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : (int)sizeof name - 1, names);
        if (!add_choice(o, name, e))
            return false;
        names += n + (names[n] == ',');
    } while (*names);
    return true;
}

void check_settle(ts_descriptor *d, const check_options *o)
{
    d->decisions = o->decisions;
    if (o->profile_given && d->op->openvino_types)
        d->profile = o->profile;
    if (o->level && d->op->support[d->op->support_count - 1].level)
        d->feature_level = o->level;
}

/* What exceeds a limit of Touchstone is no mistake of the descriptor. */
static void find_limits(check_item *item)
{
    descriptor_gaps *gaps = &item->gaps;
    unsigned count = 0;
    for (unsigned i = 0; i < gaps->mistake_count; ++i) {
        if (gaps->mistakes[i].exceeds)
            check_find(item, CHECK_LIMIT, check_mistake_place(item, &gaps->mistakes[i]), "%s", gaps->mistakes[i].text);
        else if (count++ < i)
            gaps->mistakes[count - 1] = gaps->mistakes[i];
    }
    gaps->mistake_count = count;
}

bool check_read_descriptor(const ts_operator *op, json_t *json, const check_options *o, check_item *item, error *e)
{
    char said[256] = "";
    const bool whole = !o->partly && operator_computes(op);
    if (!descriptor_read(op, json, &item->d, &item->found, whole ? NULL : &item->gaps, e))
        return false;
    item->d.decisions = o->decisions;
    if (whole)
        return true;
    if (!o->partly && item->gaps.mistake_count)
        return error_usage(e, "%s", item->gaps.mistakes[0].text);
    find_limits(item);
    check_settle_outputs(item);
    if (!o->partly && item->undecided) { /* who reads descriptors completely shows no gaps, but the note */
        check_not_judged(item, said, sizeof said);
        check_note(item, "%s is absent, and cannot be inferred", said);
    }
    return true;
}

void check_note(check_item *item, const char *format, ...)
{
    size_t used = strlen(item->note);
    va_list args;
    if (used > 0 && used + 2 < sizeof item->note) {
        strcpy(item->note + used, "; ");
        used += 2;
    }
    va_start(args, format);
    vsnprintf(item->note + used, sizeof item->note - used, format, args);
    va_end(args);
}

void check_found(check_item *item, const char *clause, int tensor, check_place place, const char *format, ...)
{
    const ts_clause *broken = operator_clause(item->d.op, clause);
    char said[sizeof item->found.items[0].text];
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    if (item->found.count < TS_MAX_VIOLATIONS)
        item->found_places[item->found.count] = place;
    operator_violate(&item->found, broken->id, broken->result, tensor, -1, "%s", said);
}

/* ---- judging ----------------------------------------------------------------------------------------------- */

/* Is a violation to be removed? Without an item: one of a clause that forbids overlapping elements; else one that
   depends on what was not read. */
static bool is_removed(const ts_operator *op, const check_item *item, const ts_violation *v)
{
    const ts_clause *clause = operator_clause(op, v->clause);
    return item ? descriptor_depends(&item->d, &item->gaps, v) : clause && clause->forbids_overlap;
}

/* After violations were removed. */
static void find_worst(ts_report *report)
{
    ts_result worst = TS_RESULT_NONE;
    for (unsigned i = 0; i < report->count; ++i)
        if (operator_graver(report->items[i].result, worst))
            worst = report->items[i].result;
    if (report->dropped == 0)
        report->worst = worst;
}

/* Remove violations, except the first ones. */
static void remove_violations(const ts_operator *op, const check_item *item, unsigned first, ts_report *report)
{
    unsigned count = 0;
    for (unsigned i = 0; i < report->count; ++i) {
        if (i >= first && is_removed(op, item, &report->items[i]))
            continue;
        if (count != i)
            report->items[count] = report->items[i];
        count++;
    }
    report->count = count;
    find_worst(report);
}

/* Report what breaks the rule of a choice. */
static void check_choice(const ts_descriptor *d, const ts_choice *choice, ts_report *report)
{
    unsigned before = report->count;
    choice->check(d, report);
    for (unsigned i = before; i < report->count; ++i)
        report->items[i].suggest = choice->suggest;
}

/* unknown_attrs: bit k is set where the values of attribute k are not in the file, but filled in. */
static void judge(const ts_descriptor *d, const check_options *o, uint32_t unknown_attrs, ts_report *report)
{
    operator_check(d, report);
    if (o->allow_overlap)
        remove_violations(d->op, NULL, 0, report);
    for (unsigned k = 0; k < d->op->choice_count; ++k) {
        const ts_choice *choice = &d->op->choices[k];
        if (check_has_choice(o, choice->name) && !(choice->compares & unknown_attrs))
            check_choice(d, choice, report);
    }
}

void check_judge(const ts_descriptor *d, const check_options *o, ts_report *report)
{
    judge(d, o, 0, report);
}

void check_judge_item(const check_item *item, const check_options *o, ts_level level, ts_report *report)
{
    const ts_descriptor *d = item->judge ? item->judge : &item->d;
    ts_descriptor at_level;
    if (level && level != d->feature_level) {
        at_level = *d;
        at_level.feature_level = level;
        d = &at_level;
    }
    report->count = report->dropped = 0; /* the items beyond need not be cleared */
    report->worst = TS_RESULT_NONE;
    operator_begin_report(d, report);
    operator_add_report(report, &item->found); /* first, because other violations may follow */
    if (o->partly || !operator_reports(&item->found, operator_count_clause.id)) /* else values are in wrong places */
        judge(d, o, item->judge ? item->unknown_attrs : 0, report);
    if (item->gaps.unread_count == 0)
        return;
    remove_violations(d->op, item, item->found.count, report);
    find_worst(report);
}

evaluate_status check_status(const ts_report *report)
{
    return evaluate_status_of(report->worst);
}
