/* SPDX-License-Identifier: Apache-2.0 */
/* What a file has that is no violation of a clause, in words: what an implementation refuses, and limits. */
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/check/check_print.h"

#include <stdio.h>
#include <string.h>

const char *check_finding_name(const check_printer *p, const check_finding *f)
{
    if (check_class_of_finding(f, p->o) == CHECK_WARNED)
        return "allowed";
    return f->class == CHECK_REFUSED ? "refused" : "beyond";
}

const char *check_violation_name(const check_printer *p, const check_item *item, const ts_violation *v)
{
    const bool beyond = check_class_of_violation(&item->d, v, p->o) == CHECK_BEYOND;
    return beyond ? "beyond" : evaluate_result_name(v->result);
}

static const ts_clause *rule_of(const check_finding *f)
{
    unsigned i = 0;
    while (i + 1 < CHECK_RULES && strcmp(check_rules[i].id, f->rule) != 0)
        ++i;
    return &check_rules[i];
}

/* Was a finding of this rule printed before? Its text is printed once. */
static bool is_first(const check_item *item, unsigned k)
{
    for (unsigned i = 0; i < k; ++i)
        if (strcmp(item->findings[i].rule, item->findings[k].rule) == 0)
            return false;
    return true;
}

static void print_text(const check_printer *p, const check_item *item, unsigned k)
{
    const check_finding *f = &item->findings[k];
    const char *by = check_rule_implementation(f->rule);
    const bool allowed = check_class_of_finding(f, p->o) == CHECK_WARNED;
    visible_print(p->to, "  %-6s  ", f->rule);
    if (f->place.line && (f->place.line != item->place.line || f->place.column != item->place.column))
        visible_print(p->to, "%zu:%zu: ", f->place.line, f->place.column);
    visible_print(p->to, "warning%s: %s\n", allowed ? ", allowed" : "", f->text);
    if (!is_first(item, k))
        return;
    if (by)
        visible_print(p->to, "          %s refuses this; the pages of DirectML do not\n", by);
    visible_print(p->to, "          rule:   %s\n          source: %s, %s\n", rule_of(f)->text, rule_of(f)->page,
                  rule_of(f)->section);
}

static void print_json(check_printer *p, const check_item *item, unsigned k)
{
    const check_finding *f = &item->findings[k];
    const char *by = check_rule_implementation(f->rule);
    fprintf(p->to, "%s{\"rule\":\"%s\",\"result\":\"%s\"", k ? "," : ",\"findings\":[", f->rule,
            check_finding_name(p, f));
    if (by)
        fprintf(p->to, ",\"by\":\"%s\"", by);
    if (f->place.line)
        fprintf(p->to, ",\"line\":%zu,\"column\":%zu", f->place.line, f->place.column);
    fputs(",\"message\":", p->to);
    text_print_json(p->to, f->text);
    fputs(",\"text\":", p->to);
    text_print_json(p->to, rule_of(f)->text);
    fputs(k + 1 == item->finding_count ? "}]" : "}", p->to);
}

static void print_sarif(check_printer *p, const check_item *item, unsigned k)
{
    const check_finding *f = &item->findings[k];
    const char *by = check_rule_implementation(f->rule);
    char said[sizeof f->text + 128];
    snprintf(said, sizeof said, "%.64s%s%s%s%s", item->op_name ? item->op_name : "", item->op_name ? ": " : "", f->text,
             by ? "; refused by " : "", by ? by : "");
    check_print_sarif_finding(p, item, f, said);
}

void check_print_findings(check_printer *p, const check_item *item)
{
    for (unsigned k = 0; k < item->finding_count; ++k) {
        switch (p->format) {
        case CHECK_TEXT: print_text(p, item, k); break;
        case CHECK_JSON: print_json(p, item, k); break;
        case CHECK_SARIF: print_sarif(p, item, k); break;
        case CHECK_QUIET: break;
        }
    }
    if (item->findings_dropped && p->format == CHECK_TEXT)
        visible_print(p->to, "  and %u more\n", item->findings_dropped);
}
