/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check.h"
#include "harness/base/did_you_mean.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ----------------------------------------------------------------------------------------------- */

static bool add_choice(check_options *o, const char *name, error *e)
{
    static const did_you_mean_names known = { { "openvino", "numpy", "ov_equal_masks", "strict_shrink" }, 4 };
    uint32_t before = o->profile;
    if (strcmp(name, "default") == 0 || strcmp(name, "openvino") == 0)
        o->profile = TS_PROFILE_DEFAULT;
    else if (strcmp(name, "numpy") == 0)
        o->profile = TS_PROFILE_NUMPY;
    else if (strcmp(name, "ov_equal_masks") == 0)
        return o->equal_masks = true;
    else if (strcmp(name, "strict_shrink") == 0)
        return o->strict_shrink = true;
    else
        return did_you_mean_unknown(e, "--profile", "profile", name, &known);
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
    if (o->profile_given && d->op->openvino_types)
        d->profile = o->profile;
    if (o->level && d->op->support[d->op->support_count - 1].level)
        d->feature_level = o->level;
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

/* ---- judging ----------------------------------------------------------------------------------------------- */

/* Take every violation of a clause out of a report. */
static void forgive(ts_report *report, const char *clause)
{
    unsigned kept = 0;
    ts_result worst = TS_RESULT_NONE;
    for (unsigned i = 0; i < report->count; ++i) {
        if (strcmp(report->items[i].clause, clause) == 0)
            continue;
        if (operator_graver(report->items[i].result, worst))
            worst = report->items[i].result;
        if (kept != i)
            report->items[kept] = report->items[i];
        kept++;
    }
    report->count = kept;
    if (report->dropped == 0)
        report->worst = worst;
}

/* E-SS-9: what OpenVINO makes of masks whose lengths differ. */
static void check_equal_masks(const ts_descriptor *d, ts_report *report)
{
    const ts_operator *op = d->op;
    int first = -1;
    for (unsigned k = 0; k < op->attr_count; ++k) {
        const char *end = strstr(op->attrs[k].name, "_mask");
        uint32_t count = operator_attr_count(d, k);
        if (!end || strcmp(end, "_mask") != 0 || count == 0)
            continue;
        if (first < 0)
            first = (int)k;
        else if (count != operator_attr_count(d, (unsigned)first))
            operator_violate(report, "SS-03", TS_RESULT_INVALID, -1, -1,
                             "%s has %u values, %s has %u: OpenVINO wants one length (profile ov_equal_masks)",
                             op->attrs[first].name, operator_attr_count(d, (unsigned)first), op->attrs[k].name, count);
    }
}

/* A list's value by the list's name; what is absent counts as the declaration says. */
static int64_t list_value(const ts_descriptor *d, const char *name, unsigned i)
{
    int k = operator_attr_index(d->op, name);
    return k >= 0 ? operator_attr_value(d, (unsigned)k, i) : 0;
}

/* E-SS-4: what the page says of shrink steps, and no implementation wants. */
static void check_strict_shrink(const ts_descriptor *d, ts_report *report)
{
    int begin = operator_attr_index(d->op, "begin");
    uint32_t steps = begin >= 0 ? operator_attr_count(d, (unsigned)begin) : 0;
    for (unsigned i = 0; i < steps && i < TS_MAX_DIMS; ++i) {
        int64_t from = list_value(d, "begin", i), to = list_value(d, "end", i);
        if (list_value(d, "shrink_axis_mask", i) != 1 || list_value(d, "new_axis_mask", i) == 1 ||
            list_value(d, "ellipsis_mask", i) == 1 || from == to)
            continue;
        operator_violate(report, "SS-09", TS_RESULT_INVALID, -1, -1,
                         "begin[%u] = %" PRId64 " differs from end[%u] = %" PRId64
                         " in a shrink step (profile strict_shrink)",
                         i, from, i, to);
    }
}

void check_judge(const ts_descriptor *d, const check_options *o, ts_report *report)
{
    d->op->check(d, report);
    if (o->allow_overlap && d->op->shared)
        forgive(report, "BUF-12");
    if (d->op->openvino_types && o->equal_masks)
        check_equal_masks(d, report);
    if (d->op->openvino_types && o->strict_shrink)
        check_strict_shrink(d, report);
}

void check_judge_item(const check_item *item, const check_options *o, ts_level level, ts_report *report)
{
    const ts_descriptor *d = item->judge ? item->judge : &item->d;
    ts_descriptor at_level;
    check_options judged = *o;
    if (level && level != d->feature_level) {
        at_level = *d;
        at_level.feature_level = level;
        d = &at_level;
    }
    for (unsigned k = 0; item->judge && k < 2; ++k) {
        int attr = operator_attr_index(d->op, k ? "end" : "begin");
        if (attr >= 0 && (item->unknown_attrs >> attr & 1))
            judged.strict_shrink = false; /* values that are filled in say nothing about each other */
    }
    report->count = report->dropped = 0; /* the items beyond need not be cleared */
    report->worst = TS_RESULT_NONE;
    operator_add_report(report, &item->found);                     /* first: what the others say may follow from it */
    if (!operator_reports(&item->found, operator_count_clause.id)) /* else there is no saying which value is whose */
        check_judge(d, &judged, report);
}

evaluate_status check_status(const ts_report *report)
{
    switch (report->worst) {
    case TS_RESULT_INVALID:
    case TS_RESULT_BIND_ERROR: return EVALUATE_INVALID;
    case TS_RESULT_UNSUPPORTED_FL: return EVALUATE_UNSUPPORTED;
    default: return EVALUATE_OK;
    }
}

/* ---- what a message is about ------------------------------------------------------------------------------- */

static size_t word(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        ++n;
    return n;
}

static void take_word(char *buf, size_t size, const char **text)
{
    size_t n = word(*text);
    snprintf(buf, size, "%.*s", n < size ? (int)n : (int)size - 1, *text);
    *text += n;
}

static bool same_mention(const check_mention *a, const check_mention *b)
{
    return a->tensor == b->tensor && a->attr == b->attr && a->index == b->index && strcmp(a->field, b->field) == 0;
}

static void add_mention(check_mention *list, size_t *count, size_t most, const check_mention *m)
{
    for (size_t i = 0; i < *count; ++i) {
        if (same_mention(&list[i], m))
            return;
    }
    if (*count < most)
        list[(*count)++] = *m;
}

size_t check_mentions(const ts_descriptor *d, const ts_violation *v, check_mention *list, size_t most)
{
    const char *text = v->text;
    size_t count = 0;
    char name[48];
    while (*text) {
        check_mention m = { -1, -1, "", -1 };
        if (word(text) == 0) {
            ++text;
            continue;
        }
        take_word(name, sizeof name, &text);
        m.attr = operator_attr_index(d->op, name);
        if (m.attr < 0)
            m.tensor = operator_tensor_index(d->op, name);
        if (m.attr < 0 && m.tensor < 0)
            continue;
        if (m.tensor >= 0 && *text == '.' && word(text + 1) > 0) {
            ++text;
            take_word(m.field, sizeof m.field, &text);
        }
        if (*text == '[' && isdigit((unsigned char)text[1])) {
            char *end;
            unsigned long index = strtoul(text + 1, &end, 10);
            if (*end == ']' && index < TS_MAX_DIMS)
                m.index = (int)index;
        }
        add_mention(list, &count, most, &m);
    }
    if (v->tensor >= 0) {
        check_mention m = { v->tensor, -1, "", -1 };
        if (v->axis >= 0) {
            strcpy(m.field, "Sizes");
            m.index = v->axis;
        }
        bool element = false, named = false; /* of an attribute; this tensor */
        for (size_t i = 0; i < count; ++i) {
            element = element || (list[i].attr >= 0 && list[i].index >= 0);
            named = named || list[i].tensor == v->tensor;
        }
        if ((v->axis >= 0 && (named || !element)) || count == 0)
            add_mention(list, &count, most, &m);
    }
    return count;
}
