/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "reports/explain_print.h"
#include "harness/store/ledger_json.h"
#include "harness/base/did_you_mean.h"
#include "harness/casefile/query_meant.h"
#include "reference/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char help[] =
    "Usage: touchstone ledger [OPTION...] [ID|OPERATOR|CLAUSE...]\n"
    "Print the ledger: every place where a published page contradicts itself, its original, its own examples or what\n"
    "implementations do; what was decided, and how known implementations behave.\n"
    "\n"
    "Without an argument, print all entries. An argument selects entries by their id (E-SS-6), by operator (gather or\n"
    "dml.gather, with the layout rules that it shares), by the clause that rests on them (SL-08), or by kind:\n"
    "  EN  the English page is wrong       TR  the translation is wrong\n"
    "  IM  implementations differ          AM  the text does not decide\n"
    "  -   no error, though it looks like one\n"
    "\n"
    "      --json  print a JSON list\n"
    "  -h, --help  print this text\n"
    "\n"
    "Exit status: 0; 64 nothing of that name.\n"
    "\n"
    "Examples:\n"
    "  touchstone ledger dml.gather\n"
    "  touchstone ledger E-SS-6\n";

/* ---- choosing ---------------------------------------------------------------------------------------------- */

/* Is this word one of a list of words? */
static bool lists(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
        if (strncasecmp(list, word, length) == 0 && (list[length] == ' ' || !list[length]))
            return true;
    return false;
}

/* "dml.slice1", or "slice1". */
static bool is_operator(const char *name, const char *word)
{
    const char *dot = strchr(name, '.');
    return strcmp(name, word) == 0 || (dot && strcmp(dot + 1, word) == 0);
}

/* Is it about a clause of the specification that this operator shares? Such entries stand with one operator only. */
static bool is_shared_with(const ledger_entry *entry, const char *word)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count), *home = operators_find_known(entry->op);
    for (size_t i = 0; i < count; ++i) {
        if (!is_operator(all[i]->name, word) || !home || all[i]->shared != home->shared)
            continue;
        for (unsigned k = 0; k < all[i]->shared_count; ++k) {
            if (strcmp(all[i]->shared[k].id, entry->id) == 0 || lists(entry->clauses, all[i]->shared[k].id))
                return true;
        }
    }
    return false;
}

/* One of "EN/IM"; "-" is the kind of those that are no erratum. */
static bool is_kind(const char *kinds, const char *word)
{
    size_t length = strlen(word);
    for (; *kinds; kinds += strcspn(kinds, "/"), kinds += *kinds == '/')
        if (strncasecmp(kinds, word, length) == 0 && (kinds[length] == '/' || !kinds[length]))
            return true;
    return false;
}

static bool chosen(const ledger_entry *entry, const char *word)
{
    char kinds[16];
    return strcasecmp(entry->id, word) == 0 || is_operator(entry->op, word) || is_shared_with(entry, word) ||
           lists(entry->clauses, word) || is_kind(ledger_kinds(entry, kinds, sizeof kinds), word);
}

static bool choose(char **words, int count, bool *wanted, error *e)
{
    size_t entries;
    const ledger_entry *all = ledger_all(&entries);
    for (size_t i = 0; i < entries; ++i)
        wanted[i] = count == 0;
    for (int w = 0; w < count; ++w) {
        bool any = false;
        did_you_mean_names known = { .count = 0 };
        for (size_t i = 0; i < entries; ++i)
            if (chosen(&all[i], words[w]))
                any = wanted[i] = true;
        if (any)
            continue;
        const ts_operator *op;
        for (size_t i = 0; (op = operators_known(i)); ++i) {
            if (operator_computes(op))
                did_you_mean_add(&known, op->name);
            /* A clause that is none of the ledger's business is no mistake. */
            const ts_clause *clause = operator_clause(op, words[w]);
            if (clause && !any)
                fprintf(stderr, "touchstone ledger: no entry rests on %s: %s\n", clause->id, clause->text);
            any = any || clause || strcmp(op->name, words[w]) == 0;
        }
        const ts_operator *meant = query_meant(words[w]);
        if (!any)
            return did_you_mean_told(e, "the ledger", "entry, clause, operator or kind (EN, TR, IM, AM)", words[w],
                                     meant ? meant->name : NULL, &known);
    }
    return true;
}

/* ---- for people -------------------------------------------------------------------------------------------- */

static void print_field(const char *name, const char *text)
{
    char line[1200];
    if (!text || !*text)
        return;
    snprintf(line, sizeof line, "%-9s %s", name, text);
    explain_wrap(stdout, line, 2, 10);
}

static void print_clauses(const ledger_entry *entry)
{
    const ts_operator *op = operators_find_known(entry->op);
    char id[16], line[400];
    for (const char *list = entry->clauses; *list; list += strcspn(list, " "), list += strspn(list, " ")) {
        snprintf(id, sizeof id, "%.*s", (int)strcspn(list, " "), list);
        const ts_clause *clause = op ? operator_clause(op, id) : NULL;
        snprintf(line, sizeof line, "%-9s %s: %s", list == entry->clauses ? "clauses" : "", id,
                 clause ? clause->text : "");
        explain_wrap(stdout, line, 2, 10 + (int)strlen(id) + 2);
    }
}

static void print_entry(const ledger_entry *entry)
{
    char kinds[16], line[600];
    snprintf(line, sizeof line, "%s  %s  %s", entry->id, ledger_kinds(entry, kinds, sizeof kinds), entry->op);
    printf("%s\n", line);
    print_field("page", entry->page);
    print_field("text", entry->quote);
    print_field("problem", entry->problem);
    print_field("decision", entry->decision);
    print_clauses(entry);
    print_field("case", entry->minimal);
    for (size_t i = 0; i < LEDGER_ANSWERS && entry->answers[i].implementation; ++i) {
        const ledger_answer *a = &entry->answers[i];
        snprintf(line, sizeof line, "%s%s%s: %s", a->implementation, a->version ? " " : "",
                 a->version ? a->version : "", a->answer);
        print_field(i == 0 ? "known" : "", line);
    }
    bool first = true;
    for (const char *list = entry->examples; *list; list += strcspn(list, " "), list += strspn(list, " ")) {
        snprintf(line, sizeof line, "%s:examples:example=%.*s", entry->op, (int)strcspn(list, " "), list);
        print_field(first ? "shown by" : "", line);
        first = false;
    }
}

/* ---- for machines ------------------------------------------------------------------------------------------ */

static bool print_json(const bool *wanted, error *e)
{
    size_t count;
    const ledger_entry *all = ledger_all(&count);
    json_t *list = json_array();
    bool ok = list;
    for (size_t i = 0; ok && i < count; ++i)
        if (wanted[i])
            ok = json_array_append_new(list, ledger_entry_to_json(&all[i])) == 0;
    if (ok) {
        json_dumpf(list, stdout, JSON_INDENT(1));
        printf("\n");
    }
    json_decref(list);
    return ok ? true : error_set(e, "out of memory");
}

/* ---- the command ------------------------------------------------------------------------------------------- */

int cmd_ledger(int argc, char **argv)
{
    enum { JSON = 256 };
    static const struct option options[] = { { "json", no_argument, NULL, JSON }, { NULL, 0, NULL, 0 } };
    bool as_json = false;
    error e;
    size_t count;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1) {
        switch (c) {
        case JSON: as_json = true; break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    const ledger_entry *all = ledger_all(&count);
    bool *wanted = calloc(count, sizeof *wanted), first = true;
    bool ok = wanted ? choose(argv + optind, argc - optind, wanted, &e) : error_set(&e, "out of memory");
    if (ok && as_json)
        ok = print_json(wanted, &e);
    for (size_t i = 0; ok && !as_json && i < count; ++i) {
        if (!wanted[i])
            continue;
        fputs(first ? "" : "\n", stdout);
        print_entry(&all[i]);
        first = false;
    }
    free(wanted);
    return ok ? EXIT_CONFORMANT : command_fail("ledger", &e);
}
