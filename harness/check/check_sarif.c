/* SPDX-License-Identifier: Apache-2.0 */
/* The checker's results as JSON and SARIF. Results are written one by one, because a file may hold a million
 * descriptors. */
#include "harness/base/text.h"
#include "harness/check/check_print.h"
#include "harness/model/descriptor.h"
#include "reference/operators.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- writing JSON ------------------------------------------------------------------------------------------ */

static void put_member(FILE *to, const char *key, const char *value)
{
    fputs(",\"", to);
    fputs(key, to);
    fputs("\":", to);
    text_print_json(to, value);
}

static void put_place(FILE *to, check_place place)
{
    if (place.line)
        fprintf(to, ",\"line\":%zu,\"column\":%zu", place.line, place.column);
}

/* ---- JSON -------------------------------------------------------------------------------------------------- */

static void put_violation(check_printer *p, const check_item *item, const ts_violation *v)
{
    const ts_clause *clause = operator_clause(item->d.op, v->clause);
    char legal[512];
    fprintf(p->to, "{\"clause\":\"%s\",\"result\":\"%s\"", v->clause, check_violation_name(p, item, v));
    put_place(p->to, check_violation_place(item, v));
    put_member(p->to, "message", v->text);
    if (v->tensor >= 0)
        put_member(p->to, "tensor", item->d.op->tensors[v->tensor].name);
    if (v->axis >= 0)
        fprintf(p->to, ",\"axis\":%d", v->axis);
    if (v->needs)
        put_member(p->to, "needs", tensor_level_name(v->needs));
    if (check_refused_by(item->d.op, v))
        put_member(p->to, "by", check_refused_by(item->d.op, v));
    if (v->result == TS_RESULT_OPEN && check_allows(p->o, v->clause))
        fputs(",\"allowed\":true", p->to);
    check_violation_legal(item, &p->report, v, legal, sizeof legal);
    const char *first = check_violation_follows(item, &p->report, v);
    if (legal[0])
        put_member(p->to, "legal", legal);
    if (first)
        put_member(p->to, "follows", first);
    if (clause) {
        put_member(p->to, "text", clause->text);
        put_member(p->to, "page", operator_clause_page(item->d.op, clause, v->tensor));
        put_member(p->to, "section", clause->section);
        put_member(p->to, "basis", operator_basis_name(clause->basis));
        if (clause->ground)
            put_member(p->to, "ground", clause->ground);
    }
    putc('}', p->to);
}

static void put_levels(check_printer *p, const check_item *item)
{
    size_t count;
    const ts_level *levels = tensor_levels(&count);
    fputs(",\"levels\":{", p->to);
    for (size_t i = 0; i < count; ++i) {
        check_judge_item(item, p->o, levels[i], &p->at_level);
        fprintf(p->to, "%s\"%s\":\"%s\"", i ? "," : "", tensor_level_name(levels[i]),
                check_item_status(item, check_status(&p->at_level)));
    }
    putc('}', p->to);
}

/* What cannot be read, what was inferred, and what was not judged therefore. */
static void put_gaps(FILE *to, const check_item *item)
{
    char words[256];
    bool first = true;
    if (item->gaps.mistake_count)
        put_member(to, "reason", item->gaps.mistakes[0].text);
    for (unsigned i = 0; i < item->gaps.mistake_count; ++i) {
        fputs(i ? ",{\"message\":" : ",\"unreadable\":[{\"message\":", to);
        text_print_json(to, item->gaps.mistakes[i].text);
        if (item->gaps.mistakes[i].taken[0])
            put_member(to, "judged_as", item->gaps.mistakes[i].taken);
        put_place(to, check_mistake_place(item, &item->gaps.mistakes[i]));
        fputs(i + 1 == item->gaps.mistake_count ? "}]" : "}", to);
    }
    for (unsigned k = 0; k < item->d.op->tensor_count; ++k) {
        check_inferred(item, k, words, sizeof words);
        if (!words[0] || check_lacks_sizes(item, k)) /* nothing was inferred */
            continue;
        fputs(first ? ",\"inferred\":[" : ",", to);
        text_print_json(to, words);
        first = false;
    }
    fputs(first ? "" : "]", to);
    check_not_judged(item, words, sizeof words);
    if (words[0])
        put_member(to, "not_judged", words);
}

void check_print_json(check_printer *p, const check_item *item, evaluate_status status)
{
    FILE *to = p->to;
    fputs(p->results++ ? ",\n{\"file\":" : "\n{\"file\":", to);
    text_print_json(to, item->file);
    if (item->index)
        fprintf(to, ",\"index\":%zu", item->index);
    put_place(to, item->place);
    if (item->name)
        put_member(to, "name", item->name);
    if (item->op_name)
        put_member(to, "operator", item->op_name);
    put_member(to, "status", check_print_status(p, item, status));
    if (item->broken)
        put_member(to, "reason", item->broken);
    else if (item->note[0])
        put_member(to, "note", item->note);
    if (item->known)
        put_gaps(to, item);
    check_print_findings(p, item);
    if (item->known && item->judged) {
        if (item->d.feature_level)
            put_member(to, "feature_level", tensor_level_name(item->d.feature_level));
        if (check_all_levels(p, item))
            put_levels(p, item);
        fputs(",\"violations\":[", to);
        for (unsigned i = 0; i < p->report.count; ++i) {
            if (i)
                putc(',', to);
            put_violation(p, item, &p->report.items[i]);
        }
        putc(']', to);
        if (p->report.dropped)
            fprintf(to, ",\"dropped\":%u", p->report.dropped);
    }
    putc('}', to);
}

/* ---- SARIF ------------------------------------------------------------------------------------------------- */

/* Rules for descriptors that were not judged. */
static const ts_clause open_rules[] = {
    { .id = "unreadable",
      .text = "a file or descriptor cannot be read",
      .page = "Touchstone",
      .section = "README",
      .result = TS_RESULT_INVALID },
    { .id = "undecided",
      .text = "the file does not contain all that is needed to judge a descriptor",
      .page = "Touchstone",
      .section = "README",
      .result = TS_RESULT_NONE },
    { .id = "unknown operator",
      .text = "an operator that is not known here is not judged",
      .page = "Touchstone",
      .section = "README",
      .result = TS_RESULT_NONE },
    { .id = CHECK_NOT_JUDGED,
      .text = "layers of a model whose rules are not known here are not judged",
      .page = "Touchstone",
      .section = "README",
      .result = TS_RESULT_NONE },
};

/* Rules of operators that are checked, but not computed: their ids mean another rule in each of them, from OP-06 on. */
#define OWN(number)                                                                                                    \
    {                                                                                                                  \
        .id = "OP-" number, .text = "a rule of an operator that is checked, but not computed: the message has it",     \
        .page = OPERATOR_OWN_PAGE, .section = "Members", .result = TS_RESULT_INVALID                                   \
    }
static const ts_clause own_rules[] = { OWN("06"), OWN("07"), OWN("08"), OWN("09"), OWN("10"), OWN("11"), OWN("12"),
                                       OWN("13"), OWN("14"), OWN("15"), OWN("16"), OWN("17"), OWN("18"), OWN("19"),
                                       OWN("20"), OWN("21"), OWN("22"), OWN("23"), OWN("24"), OWN("25"), OWN("26"),
                                       OWN("27"), OWN("28"), OWN("29"), OWN("30"), OWN("31"), OWN("32") };
#define COMMON_RULES 5 /* OP-01 to OP-05, which mean the same in all of them */

/* Write the rules: the clauses of all operators, those of a specification or of declared operators once, and those
   without an operator. */
typedef bool each_clause(void *context, size_t index, const ts_operator *op, const ts_clause *clause);

/* Is it OP-01, or another of the ids that declared operators share? */
static bool is_common(const ts_clause *clause)
{
    return strncmp(clause->id, "OP-", 3) == 0;
}

static void each_rule(each_clause *visit, void *context)
{
    size_t count, index = 0;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i) {
        for (unsigned k = 0; k < all[i]->clause_count; ++k) {
            if (!is_common(&all[i]->clauses[k]) && !visit(context, index++, all[i], &all[i]->clauses[k]))
                return;
        }
        bool seen = false;
        for (size_t j = 0; j < i; ++j)
            seen = seen || all[j]->shared == all[i]->shared;
        for (unsigned k = 0; k < all[i]->shared_count && !seen; ++k) {
            if (!visit(context, index++, all[i], &all[i]->shared[k]))
                return;
        }
    }
    for (size_t i = 0; i < COMMON_RULES; ++i) {
        if (!visit(context, index++, NULL, &operators_known(count)->clauses[i]))
            return;
    }
    for (size_t i = 0; i < sizeof own_rules / sizeof own_rules[0]; ++i) {
        if (!visit(context, index++, NULL, &own_rules[i]))
            return;
    }
    for (size_t i = 0; i < sizeof open_rules / sizeof open_rules[0]; ++i) {
        if (!visit(context, index++, NULL, &open_rules[i]))
            return;
    }
    for (size_t i = 0; i < CHECK_RULES; ++i) {
        if (!visit(context, index++, NULL, &check_rules[i]))
            return;
    }
    for (size_t i = 0; i < OPERATOR_FILE_CLAUSES; ++i) {
        if (!visit(context, index++, NULL, &operator_file_clauses[i]))
            return;
    }
    if (visit(context, index++, NULL, &operator_range_clause))
        visit(context, index, NULL, &operator_count_clause);
}

static const char *level_of(ts_result result)
{
    switch (result) {
    case TS_RESULT_WARNING: return "warning";
    case TS_RESULT_UNSPECIFIED: return "warning";
    case TS_RESULT_OPEN: return "warning";
    case TS_RESULT_NONE: return "note";
    default: return "error";
    }
}

static bool put_rule(void *context, size_t index, const ts_operator *op, const ts_clause *clause)
{
    FILE *to = context;
    char full[160];
    fprintf(to, "%s\n{\"id\":\"%s\"", index ? "," : "", clause->id);
    fputs(",\"shortDescription\":{\"text\":", to);
    text_print_json(to, clause->text);
    snprintf(full, sizeof full, "%s, %s", clause->page, clause->section);
    fputs("},\"fullDescription\":{\"text\":", to);
    text_print_json(to, full);
    putc('}', to);
    if (op)
        put_member(to, "helpUri", op->page);
    fprintf(to, ",\"defaultConfiguration\":{\"level\":\"%s\"}}",
            level_of(operator_binds(clause) || !operator_graver(clause->result, TS_RESULT_OPEN) ? clause->result
                                                                                                : TS_RESULT_OPEN));
    return true;
}

void check_print_sarif_begin(check_printer *p)
{
    fputs("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\n"
          "\"tool\":{\"driver\":{\"name\":\"touchstone\",\"version\":\"" TOUCHSTONE_VERSION "\",\"rules\":[",
          p->to);
    each_rule(put_rule, p->to);
    fputs("\n]}},\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":[", p->to);
}

void check_print_sarif_end(check_printer *p)
{
    fputs("\n]}]}\n", p->to);
}

typedef struct rule_search {
    const ts_operator *op;
    const char *id;
    size_t index;
    bool found;
} rule_search;

static bool match_rule(void *context, size_t index, const ts_operator *op, const ts_clause *clause)
{
    rule_search *s = context;
    (void)op;
    if (strcmp(clause->id, s->id) != 0)
        return true;
    s->index = index;
    s->found = true;
    return false;
}

/* Write a path as a URI reference. */
static void put_uri(FILE *to, const char *path)
{
    putc('"', to);
    for (const unsigned char *c = (const unsigned char *)path; *c; ++c) {
        if (isalnum(*c) || strchr("-._~/", *c))
            putc(*c, to);
        else
            fprintf(to, "%%%02X", *c);
    }
    putc('"', to);
}

static void put_message(const check_printer *p, const check_item *item, const ts_violation *v)
{
    FILE *to = p->to;
    char legal[512], message[1024];
    check_violation_legal(item, &p->report, v, legal, sizeof legal);
    snprintf(message, sizeof message, "%s: %s%s%s", item->op_name, v->text, legal[0] ? "; legal: " : "", legal);
    text_print_json(to, message);
}

/* Write the beginning of a result, up to the text of its message. */
static void begin_result(check_printer *p, const ts_operator *op, const char *rule, const char *level)
{
    rule_search s = { .op = op, .id = rule };
    each_rule(match_rule, &s);
    fprintf(p->to, "%s\n{\"ruleId\":\"%s\"", p->results++ ? "," : "", rule);
    if (s.found)
        fprintf(p->to, ",\"ruleIndex\":%zu", s.index);
    fprintf(p->to, ",\"level\":\"%s\",\"message\":{\"text\":", level);
}

/* Write the rest of a result, with what the clause rests on; NULL: it is about no clause. */
static void end_result(FILE *to, const check_item *item, check_place place, const ts_clause *clause)
{
    fputs("},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":", to);
    put_uri(to, strcmp(item->file, "standard input") == 0 ? "stdin" : item->file);
    putc('}', to);
    if (place.line)
        fprintf(to, ",\"region\":{\"startLine\":%zu,\"startColumn\":%zu}", place.line, place.column);
    putc('}', to);
    if (item->name) {
        fputs(",\"logicalLocations\":[{\"name\":", to);
        text_print_json(to, item->name);
        fputs("}]", to);
    }
    fputs("}]", to);
    if (clause) {
        fprintf(to, ",\"properties\":{\"basis\":\"%s\"", operator_basis_name(clause->basis));
        if (clause->ground)
            put_member(to, "ground", clause->ground);
        putc('}', to);
    }
    putc('}', to);
}

/* Descriptors that were not judged have a result, too: an empty log would mean that all are valid. */
static void put_open(check_printer *p, const check_item *item, const char *status, const char *why, check_place place)
{
    char message[1200];
    begin_result(p, NULL, status, item->misspelt || strcmp(status, open_rules[0].id) == 0 ? "error" : "note");
    snprintf(message, sizeof message, "%s%s%s%s%s", item->op_name ? item->op_name : "", item->op_name ? ": " : "",
             status, *why ? ": " : "", why);
    text_print_json(p->to, message);
    end_result(p->to, item, place, NULL);
}

void check_print_sarif_note(check_printer *p, const check_item *item, const char *rule, const char *said,
                            check_place place)
{
    begin_result(p, NULL, rule, "note");
    text_print_json(p->to, said);
    end_result(p->to, item, place, NULL);
}

void check_print_sarif_finding(check_printer *p, const check_item *item, const check_finding *f, const char *said)
{
    begin_result(p, NULL, f->rule, check_class_of_finding(f, p->o) == CHECK_WARNED ? "note" : "warning");
    text_print_json(p->to, said);
    end_result(p->to, item, f->place.line ? f->place : item->place, NULL);
}

void check_print_sarif(check_printer *p, const check_item *item, evaluate_status status)
{
    const char *word = check_item_status(item, status);
    const bool only_findings = !item->known && item->finding_count && !item->note[0]; /* its findings say it all */
    char open[300] = "";
    if (item->known && !item->note[0] && item->gaps.unread_count) {
        strcpy(open, "not in the file: ");
        check_not_judged(item, open + strlen(open), sizeof open - strlen(open));
    }
    if (item->broken || (!item->known && !only_findings) || strcmp(word, "undecided") == 0)
        put_open(p, item, word, item->broken ? item->broken : open[0] ? open : item->note, item->place);
    for (unsigned i = 0; i < item->gaps.mistake_count; ++i) {
        const descriptor_mistake *m = &item->gaps.mistakes[i];
        char said[sizeof m->text + sizeof m->taken + 16];
        snprintf(said, sizeof said, "%s%s%s", m->text, m->taken[0] ? "; judged as " : "", m->taken);
        put_open(p, item, word, said, check_mistake_place(item, m));
    }
    for (unsigned i = 0; item->known && item->judged && i < p->report.count; ++i) {
        const ts_violation *v = &p->report.items[i];
        const bool beyond = check_class_of_violation(&item->d, v, p->o) == CHECK_BEYOND;
        const bool allowed = v->result == TS_RESULT_OPEN && check_allows(p->o, v->clause);
        begin_result(p, item->d.op, v->clause, beyond ? "warning" : allowed ? "note" : level_of(v->result));
        put_message(p, item, v);
        end_result(p->to, item, check_violation_place(item, v), operator_clause(item->d.op, v->clause));
    }
    check_print_findings(p, item);
}
