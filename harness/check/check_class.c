/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_class.h"
#include "harness/base/did_you_mean.h"
#include "reference/ledger.h"
#include "reference/operators.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- rules of findings ------------------------------------------------------------------------------------- */

/* What DxDispatch's parser asks for (DxDispatch/src/model/JsonParsers.cpp of microsoft/DirectML, commit a9614e8), where
   no page of DirectML does. */
#define DXDISPATCH(id_, text_, section_)                                                                               \
    {                                                                                                                  \
        .id = id_, .text = text_, .page = "DxDispatch, JsonParsers.cpp", .section = section_,                          \
        .result = TS_RESULT_WARNING                                                                                    \
    }
const ts_clause check_rules[CHECK_RULES] = {
    DXDISPATCH("DXD-01", "a dispatchable has a member \"type\", a string, in lower case", "ParseModelDispatchableDesc"),
    DXDISPATCH("DXD-02", "where \"type\" and \"Type\" are given, \"Type\" is the operator", "ParseDmlOperatorDesc"),
    DXDISPATCH("DXD-03", "a field that is optional is left out, not null", "ParseFieldHelper"),
    DXDISPATCH("DXD-04", "an integer has no decimal point and no exponent", "ParseUInt32"),
    DXDISPATCH("DXD-05", "a BOOL is true or false, not a number", "ParseBool"),
    DXDISPATCH("DXD-06", "a field that is not optional is given, the count of a list as well", "ParseFieldHelper"),
    DXDISPATCH("DXD-07", "a value of an enumeration is its name, with the whole prefix or with none of it",
               "JsonParsersGenerated.cpp"),
    DXDISPATCH("DXD-08", "a command writeFile has a member \"targetPath\", a string", "ParseWriteFileCommand"),
    DXDISPATCH("DXD-09", "the format of a binding is the name of a DXGI_FORMAT", "ParseDxgiFormat"),
    DXDISPATCH("DXD-10", "a model has resources, dispatchables and commands", "ParseModel"),
    { .id = CHECK_LIMIT,
      .text = "a limit of Touchstone, no verdict: the descriptor is within what it judges",
      .page = "Touchstone",
      .section = "docs/checking.md",
      .result = TS_RESULT_WARNING },
};

static const ts_clause *find_rule(const char *id)
{
    for (unsigned i = 0; i < CHECK_RULES; ++i)
        if (strcmp(check_rules[i].id, id) == 0)
            return &check_rules[i];
    return NULL;
}

const char *check_rule_implementation(const char *rule)
{
    return strcmp(rule, CHECK_LIMIT) == 0 ? NULL : "DxDispatch";
}

void check_find(check_item *item, const char *rule, check_place place, const char *format, ...)
{
    if (item->finding_count == CHECK_MAX_FINDINGS) {
        item->findings_dropped++;
        return;
    }
    check_finding *f = &item->findings[item->finding_count++];
    va_list args;
    f->class = check_rule_implementation(rule) ? CHECK_REFUSED : CHECK_BEYOND;
    f->rule = find_rule(rule)->id;
    f->place = place;
    va_start(args, format);
    vsnprintf(f->text, sizeof f->text, format, args);
    va_end(args);
}

/* ---- classes ----------------------------------------------------------------------------------------------- */

int check_class_status(check_class c)
{
    static const int statuses[] = {
        [CHECK_VALID] = EXIT_CONFORMANT,   [CHECK_WARNED] = EXIT_CONFORMANT,    [CHECK_BEYOND] = EXIT_BEYOND,
        [CHECK_REFUSED] = EXIT_REFUSED,    [CHECK_UNSUPPORTED] = EXIT_FAILURES, [CHECK_INVALID] = EXIT_FAILURES,
        [CHECK_MISSPELT] = EXIT_BAD_USAGE, [CHECK_UNREADABLE] = EXIT_BAD_USAGE
    };
    return statuses[c];
}

static check_class class_of_result(const ts_operator *op, ts_result result)
{
    switch (result) {
    case TS_RESULT_INVALID:
    case TS_RESULT_BIND_ERROR: return CHECK_INVALID;
    case TS_RESULT_UNSUPPORTED_FL: return operator_is_limit(op, result) ? CHECK_BEYOND : CHECK_UNSUPPORTED;
    case TS_RESULT_WARNING:
    case TS_RESULT_OPEN:
    case TS_RESULT_UNSPECIFIED: return CHECK_WARNED;
    default: return CHECK_VALID;
    }
}

const char *check_refused_by(const ts_operator *op, const ts_violation *v)
{
    const ts_clause *clause = v->result == TS_RESULT_OPEN ? operator_clause(op, v->clause) : NULL;
    return clause ? clause->refused_by : NULL;
}

check_class check_class_of_violation(const ts_descriptor *d, const ts_violation *v, const check_options *o)
{
    const check_class c = check_refused_by(d->op, v) ? CHECK_REFUSED : class_of_result(d->op, v->result);
    return c == CHECK_REFUSED && check_allows(o, v->clause) ? CHECK_WARNED : c;
}

check_class check_class_of_finding(const check_finding *f, const check_options *o)
{
    return f->class == CHECK_REFUSED && check_allows(o, f->rule) ? CHECK_WARNED : f->class;
}

static check_class graver(check_class a, check_class b)
{
    return a > b ? a : b;
}

check_class check_class_of(const check_item *item, const ts_report *report, const check_options *o)
{
    check_class c = item->broken ? CHECK_UNREADABLE : item->misspelt ? CHECK_MISSPELT : CHECK_VALID;
    for (unsigned i = 0; i < item->finding_count; ++i)
        c = graver(c, check_class_of_finding(&item->findings[i], o));
    if (item->findings_dropped && item->findings[0].class == CHECK_REFUSED)
        c = graver(c, CHECK_REFUSED);
    for (unsigned i = 0; item->known && i < item->gaps.mistake_count; ++i)
        c = graver(c, item->gaps.mistakes[i].taken[0] ? CHECK_MISSPELT : CHECK_UNREADABLE);
    for (unsigned i = 0; report && i < report->count; ++i)
        c = graver(c, check_class_of_violation(&item->d, &report->items[i], o));
    if (report && report->dropped) /* of these, the result of the gravest is known */
        c = graver(c, class_of_result(item->d.op, report->worst));
    return c;
}

/* ---- what the user allows ---------------------------------------------------------------------------------- */

bool check_allows(const check_options *o, const char *id)
{
    for (unsigned i = 0; i < o->allowed_count; ++i)
        if (strcmp(o->allowed[i], id) == 0)
            return true;
    return false;
}

static bool allow(check_options *o, const char *id, error *e)
{
    if (check_allows(o, id))
        return true;
    if (o->allowed_count == CHECK_MAX_ALLOWED)
        return error_usage(e, "--allow: more than %d clauses", CHECK_MAX_ALLOWED);
    o->allowed[o->allowed_count++] = id;
    return true;
}

/* The clause of any operator, or the rule, with this name in any case; the others are tried as what may be meant. */
static const char *find_id(const char *name, did_you_mean *search)
{
    const ts_operator *op;
    for (unsigned k = 0; k < CHECK_RULES; ++k) {
        if (!check_rule_implementation(check_rules[k].id))
            continue; /* a limit is no warning */
        did_you_mean_try(search, check_rules[k].id);
        if (strcasecmp(check_rules[k].id, name) == 0)
            return check_rules[k].id;
    }
    for (unsigned k = 0; k < OPERATOR_FILE_CLAUSES; ++k) {
        did_you_mean_try(search, operator_file_clauses[k].id);
        if (strcasecmp(operator_file_clauses[k].id, name) == 0)
            return operator_file_clauses[k].id;
    }
    for (size_t i = 0; (op = operators_known(i)); ++i) {
        const ts_clause *const lists[] = { op->clauses, op->shared };
        const unsigned counts[] = { op->clause_count, op->shared_count };
        for (unsigned l = 0; l < 2; ++l) {
            for (unsigned k = 0; k < counts[l]; ++k) {
                did_you_mean_try(search, lists[l][k].id);
                if (strcasecmp(lists[l][k].id, name) == 0)
                    return lists[l][k].id;
            }
        }
    }
    return NULL;
}

/* Is there a clause with this id among them that binds nobody, so that what breaks it is a warning? */
static bool any_warns(const ts_clause *clauses, unsigned count, const char *id)
{
    for (unsigned i = 0; i < count; ++i)
        if (strcmp(clauses[i].id, id) == 0 &&
            (!operator_binds(&clauses[i]) || clauses[i].result == TS_RESULT_WARNING))
            return true;
    return false;
}

/* Can a clause of any operator, or the rule, with this id give a warning? */
static bool warns(const char *id)
{
    const ts_operator *op;
    bool any = find_rule(id) || any_warns(operator_file_clauses, OPERATOR_FILE_CLAUSES, id);
    for (size_t i = 0; !any && (op = operators_known(i)); ++i)
        any = any_warns(op->clauses, op->clause_count, id) || any_warns(op->shared, op->shared_count, id);
    return any;
}

/* The clauses that an entry concerns and that give warnings; those of an operator have the strings that last. Without
   one, *none is set. */
static bool allow_entry(check_options *o, const ledger_entry *entry, bool *none, error *e)
{
    did_you_mean ignored;
    char word[32];
    const char *list = entry->clauses;
    bool ok = true;
    did_you_mean_start(&ignored, "");
    while (ok && *list) {
        const size_t n = strcspn(list, " ");
        snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : (int)sizeof word - 1, list);
        const char *id = find_id(word, &ignored);
        const bool warning = id && warns(id);
        *none = *none && !warning;
        ok = !warning || allow(o, id, e);
        list += n + strspn(list + n, " ");
    }
    return ok;
}

bool check_allow(check_options *o, const char *name, error *e)
{
    did_you_mean search;
    char hint[DID_YOU_MEAN_SIZE];
    size_t count;
    const ledger_entry *entries = ledger_all(&count);
    bool entry = false, none = true, ok = true;
    did_you_mean_start(&search, name);
    const char *id = find_id(name, &search);
    for (size_t i = 0; i < count; ++i) {
        did_you_mean_try(&search, entries[i].id);
        if (strcasecmp(entries[i].id, name) != 0)
            continue;
        entry = true;
        ok = ok && allow_entry(o, &entries[i], &none, e);
    }
    if (id && warns(id)) {
        none = false;
        ok = ok && allow(o, id, e);
    }
    if (!id && !entry)
        return error_usage(e, "--allow: no clause, rule or entry of the ledger \"%.60s\"%s", name,
                           did_you_mean_hint(&search, hint));
    return ok && none ? error_usage(e,
                                    "--allow: %.60s has no warning to accept: what breaks a clause that is stated or "
                                    "implied is invalid",
                                    name)
                      : ok;
}
