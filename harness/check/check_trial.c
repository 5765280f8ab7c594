/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_trial.h"

#include "harness/check/check_suggest.h"
#include "harness/model/mention.h"
#include "harness/model/suggest_apply.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FOLLOWS 5 /* changes that one suggestion entails */
#define MOST_TRIED   4 /* values of which each may entail others */

/* ---- judging ----------------------------------------------------------------------------------------------------- */

static unsigned count_clause(const ts_report *report, const char *clause)
{
    unsigned n = 0;
    for (unsigned i = 0; i < report->count; ++i)
        n += strcmp(report->items[i].clause, clause) == 0;
    return n;
}

static void judge(const ts_descriptor *d, ts_report *report)
{
    report->count = report->dropped = 0;
    report->worst = TS_RESULT_NONE;
    operator_check(d, report);
}

/* A number that its field does not hold is judged as another one. What that one breaks does not count as broken before.
 */
static void forget_followers(check_trial *t)
{
    ts_mention about[16], m[16];
    unsigned kept = 0;
    const size_t about_count = mention_list(t->d, t->v, about, 16);
    if (strcmp(t->v->clause, operator_range_clause.id) != 0 || about_count == 0)
        return;
    for (unsigned i = 0; i < t->before.count; ++i) {
        const size_t count = mention_list(t->d, &t->before.items[i], m, 16);
        bool same = false;
        for (size_t j = 0; j < count; ++j)
            same = same || (m[j].attr == about[0].attr && m[j].tensor == about[0].tensor &&
                            (m[j].index == about[0].index || m[j].index < 0));
        if (!same)
            t->before.items[kept++] = t->before.items[i];
    }
    t->before.count = kept;
}

void check_trial_begin(check_trial *t, const ts_descriptor *d, const ts_violation *v)
{
    t->d = d;
    t->v = v;
    t->trials = 0;
    judge(d, &t->before);
    t->listed = operator_reports(&t->before, v->clause);
    if (!t->listed)
        forget_followers(t);
}

/* A violation that the descriptor did not have, or more of its clause. One that is only worth reporting is none. */
static const ts_violation *first_new(const check_trial *t)
{
    for (unsigned i = 0; i < t->after.count; ++i) {
        const ts_violation *w = &t->after.items[i];
        if (operator_graver(w->result, TS_RESULT_WARNING) &&
            count_clause(&t->after, w->clause) > count_clause(&t->before, w->clause))
            return w;
    }
    return NULL;
}

check_trial_result check_trial_judge(check_trial *t)
{
    t->trials++;
    judge(&t->changed, &t->after);
    if (t->listed && count_clause(&t->after, t->v->clause) >= count_clause(&t->before, t->v->clause))
        return CHECK_TRIAL_BAD;
    if (t->after.dropped > 0 || first_new(t))
        return CHECK_TRIAL_BAD;
    return operator_graver(t->after.worst, TS_RESULT_UNSPECIFIED) ? CHECK_TRIAL_MENDS : CHECK_TRIAL_LEGAL;
}

check_trial_result check_trial_edit(check_trial *t, const suggest_edit *edit, int64_t value)
{
    t->after.count = 0; /* of an edit that cannot be made, too */
    t->changed = *t->d;
    return suggest_apply_edit(&t->changed, edit, value) ? check_trial_judge(t) : CHECK_TRIAL_BAD;
}

check_trial_result check_trial_option(check_trial *t, const suggest_option *option, unsigned choice)
{
    t->after.count = 0;
    t->changed = *t->d;
    return suggest_apply(&t->changed, option, choice) ? check_trial_judge(t) : CHECK_TRIAL_BAD;
}

/* ---- refining ---------------------------------------------------------------------------------------------------- */

static check_trial_result judge_all(check_trial *t, const suggest_option *option)
{
    check_trial_result worst = CHECK_TRIAL_LEGAL;
    for (unsigned i = 0; i < suggest_apply_choices(option) && worst != CHECK_TRIAL_BAD; ++i) {
        const check_trial_result one = check_trial_option(t, option, i);
        worst = one < worst ? one : worst;
    }
    return worst;
}

/* The edit that has several values, or NULL. */
static suggest_edit *varied(suggest_option *option)
{
    for (unsigned i = 0; i < option->count; ++i)
        if (option->edits[i].count > 1)
            return &option->edits[i];
    return NULL;
}

/* How good an option is with this value of the edit in it. */
static check_trial_result judge_value(check_trial *t, const suggest_option *option, suggest_edit *edit, int64_t value)
{
    const suggest_edit all = *edit;
    edit->span = SUGGEST_LIST;
    edit->count = 1;
    edit->values[0] = value;
    const check_trial_result result = check_trial_option(t, option, 0);
    *edit = all;
    return result;
}

/* The last value from a good one towards a bad one that is good. */
static int64_t last_good(check_trial *t, const suggest_option *option, suggest_edit *edit, int64_t good, int64_t bad)
{
    uint64_t distance = bad > good ? (uint64_t)bad - (uint64_t)good : (uint64_t)good - (uint64_t)bad;
    while (distance > 1) {
        const int64_t middle = bad > good ? good + (int64_t)(distance / 2) : good - (int64_t)(distance / 2);
        if (judge_value(t, option, edit, middle) == CHECK_TRIAL_BAD)
            bad = middle;
        else
            good = middle;
        distance = bad > good ? (uint64_t)bad - (uint64_t)good : (uint64_t)good - (uint64_t)bad;
    }
    return good;
}

static void set_range(suggest_edit *edit, int64_t low, int64_t high)
{
    edit->span = low == high ? SUGGEST_LIST : SUGGEST_RANGE;
    edit->count = low == high ? 1 : 2;
    edit->values[0] = low;
    edit->values[1] = high;
}

/* Between two bad ends of a range: a good value, if one of the first ones is. */
static bool find_inside(check_trial *t, const suggest_option *option, suggest_edit *edit)
{
    const int64_t low = edit->values[0], high = edit->values[1];
    for (int64_t value = low; value < high && value - low < 64; ++value) {
        if (judge_value(t, option, edit, value) == CHECK_TRIAL_BAD)
            continue;
        int64_t last = value;
        while (last + 1 < high && last - low < 64 && judge_value(t, option, edit, last + 1) != CHECK_TRIAL_BAD)
            ++last;
        set_range(edit, value, last);
        return true;
    }
    return false;
}

static void narrow_range(check_trial *t, const suggest_option *option, suggest_edit *edit)
{
    const int64_t low = edit->values[0], high = edit->values[1];
    const bool first = judge_value(t, option, edit, low) != CHECK_TRIAL_BAD;
    const bool last = judge_value(t, option, edit, high) != CHECK_TRIAL_BAD;
    if (first && !last)
        set_range(edit, low, last_good(t, option, edit, low, high));
    else if (last && !first)
        set_range(edit, last_good(t, option, edit, high, low), high);
    else if (!first)
        find_inside(t, option, edit);
}

static void narrow_list(check_trial *t, const suggest_option *option, suggest_edit *edit)
{
    suggest_edit kept = *edit;
    kept.count = 0;
    for (unsigned i = 0; i < edit->count; ++i)
        if (judge_value(t, option, edit, edit->values[i]) != CHECK_TRIAL_BAD)
            kept.values[kept.count++] = edit->values[i];
    if (kept.count > 0)
        *edit = kept;
}

/* Leave out the values of the edit that has several that are not good. */
static check_trial_result narrow(check_trial *t, suggest_option *option)
{
    suggest_option smaller = *option;
    suggest_edit *edit = varied(&smaller);
    if (edit && edit->span == SUGGEST_LIST)
        narrow_list(t, &smaller, edit);
    else if (edit)
        narrow_range(t, &smaller, edit);
    const check_trial_result result = judge_all(t, &smaller);
    if (result != CHECK_TRIAL_BAD)
        *option = smaller;
    return result;
}

/* ---- what has to follow ------------------------------------------------------------------------------------------ */

static uint32_t outputs_of(const ts_descriptor *d)
{
    uint32_t outputs = 0;
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (d->op->tensors[k].role == TS_OUTPUT && operator_has_tensor(d, k))
            outputs |= UINT32_C(1) << k;
    return outputs;
}

static bool add_edit(suggest_option *option, const suggest_edit *edit)
{
    if (option->count == SUGGEST_MOST_EDITS)
        return false;
    option->edits[option->count++] = *edit;
    return true;
}

/* Say the sizes of the outputs where every choice gives the same ones; nothing where they are those of the descriptor.
   The last edit is the one that fits them. */
static void say_fitted(check_trial *t, suggest_option *option)
{
    suggest_option said = *option;
    const uint32_t outputs = option->edits[option->count - 1].tensors;
    said.count--;
    for (unsigned k = 0; k < t->d->op->tensor_count; ++k) {
        suggest_edit edit = { .kind = SUGGEST_SHAPE, .tensors = UINT32_C(1) << k };
        if (!(outputs >> k & 1))
            continue;
        for (unsigned i = 0; i < suggest_apply_choices(option); ++i) {
            t->changed = *t->d;
            if (!suggest_apply(&t->changed, option, i))
                return;
            const ts_tensor *fitted = &t->changed.tensors[k];
            if (i > 0 && (fitted->rank != edit.shape.rank ||
                          memcmp(fitted->sizes, edit.shape.sizes, fitted->rank * sizeof fitted->sizes[0]) != 0))
                return;
            edit.shape.rank = fitted->rank;
            memcpy(edit.shape.sizes, fitted->sizes, sizeof edit.shape.sizes);
        }
        const ts_tensor *was = &t->d->tensors[k];
        if ((was->rank != edit.shape.rank ||
             memcmp(was->sizes, edit.shape.sizes, was->rank * sizeof was->sizes[0]) != 0) &&
            !add_edit(&said, &edit))
            return;
    }
    if (judge_all(t, &said) != CHECK_TRIAL_BAD)
        *option = said;
}

/* With outputs that follow. */
static check_trial_result fit(check_trial *t, suggest_option *option)
{
    suggest_option fitted = *option;
    const uint32_t outputs = outputs_of(t->d);
    if (!outputs || !add_edit(&fitted, &(suggest_edit){ .kind = SUGGEST_FIT, .tensors = outputs }))
        return CHECK_TRIAL_BAD;
    check_trial_result result = judge_all(t, &fitted);
    if (result == CHECK_TRIAL_BAD)
        result = narrow(t, &fitted);
    if (result == CHECK_TRIAL_BAD)
        return result;
    say_fitted(t, &fitted);
    *option = fitted;
    return result;
}

/* Leave out what a later edit decides: the sizes of a tensor that gets all of them. */
static void simplify(check_trial *t, suggest_option *option)
{
    suggest_option simple = { .count = 0 };
    for (unsigned i = 0; i < option->count; ++i) {
        suggest_edit edit = option->edits[i];
        const bool of_sizes = edit.kind == SUGGEST_SIZE || edit.kind == SUGGEST_DIMS || edit.kind == SUGGEST_SHAPE ||
                              edit.kind == SUGGEST_FIT;
        for (unsigned j = i + 1; j < option->count && of_sizes; ++j)
            if (option->edits[j].kind == SUGGEST_SHAPE)
                edit.tensors &= ~option->edits[j].tensors;
        if (!of_sizes || edit.tensors != 0)
            simple.edits[simple.count++] = edit;
    }
    if (simple.count < option->count && judge_all(t, &simple) != CHECK_TRIAL_BAD)
        *option = simple;
}

/* Add what mends a violation of the descriptor as it is now. */
static bool add_entailed(const ts_descriptor *changed, const ts_violation *v, suggest_option *longer)
{
    ts_suggestion *entailed = malloc(sizeof *entailed);
    if (!entailed)
        return false;
    suggest_begin(entailed);
    check_suggest_declared(changed, v, entailed);
    bool more = entailed->count > 0 && entailed->options[0].count > 0;
    for (unsigned j = 0; more && j < entailed->options[0].count; ++j) {
        suggest_edit edit = entailed->options[0].edits[j];
        edit.span = SUGGEST_LIST;
        edit.count = edit.count > 0;
        more = add_edit(longer, &edit);
    }
    free(entailed);
    return more;
}

/* The same for one choice of the option. */
static check_trial_result follow_choice(check_trial *t, unsigned choice, suggest_option *longer)
{
    for (unsigned i = 0; i < longer->count; ++i) {
        suggest_edit *edit = &longer->edits[i];
        if (edit->count == 0)
            continue;
        edit->values[0] = edit->values[choice < edit->count ? choice : edit->count - 1];
        edit->span = SUGGEST_LIST;
        edit->count = 1;
    }
    for (unsigned i = 0; i < MOST_FOLLOWS; ++i) {
        check_trial_result result = check_trial_option(t, longer, 0);
        const ts_violation *broken = first_new(t);
        if (result != CHECK_TRIAL_BAD || !broken)
            return result;
        const ts_violation next = *broken;
        const ts_descriptor changed = t->changed;
        if (!add_entailed(&changed, &next, longer))
            return CHECK_TRIAL_BAD;
        suggest_option fitted = *longer;
        result = fit(t, &fitted);
        if (result != CHECK_TRIAL_BAD) {
            *longer = fitted;
            return result;
        }
    }
    return CHECK_TRIAL_BAD;
}

check_trial_result check_trial_follow(check_trial *t, suggest_option *option)
{
    for (unsigned i = 0; i < suggest_apply_choices(option) && i < MOST_TRIED; ++i) {
        suggest_option longer = *option;
        const check_trial_result result = follow_choice(t, i, &longer);
        if (result == CHECK_TRIAL_BAD)
            continue;
        simplify(t, &longer);
        *option = longer;
        return result;
    }
    return CHECK_TRIAL_BAD;
}

check_trial_result check_trial_refine(check_trial *t, suggest_option *option)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < option->count; ++i) /* outputs follow where they have to */
        if (option->edits[i].kind != SUGGEST_FIT)
            option->edits[kept++] = option->edits[i];
    option->count = kept;
    if (kept == 0)
        return CHECK_TRIAL_BAD;
    check_trial_result result = judge_all(t, option);
    if (result == CHECK_TRIAL_BAD)
        result = narrow(t, option);
    if (result == CHECK_TRIAL_BAD)
        result = fit(t, option);
    simplify(t, option);
    return result;
}
