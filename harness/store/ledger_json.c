/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/ledger_json.h"

#include <stdbool.h>
#include <string.h>

static json_t *words_to_json(const char *list)
{
    json_t *words = json_array();
    for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
        json_array_append_new(words, json_stringn(list, strcspn(list, " ")));
    return words;
}

json_t *ledger_entry_to_json(const ledger_entry *entry)
{
    char kinds[16];
    json_t *answers = json_array(), *rows = json_array(), *record;
    for (size_t i = 0; i < LEDGER_ANSWERS && entry->answers[i].implementation; ++i)
        json_array_append_new(answers,
                              json_pack("{s:s,s:s?,s:s}", "implementation", entry->answers[i].implementation, "version",
                                        entry->answers[i].version, "answer", entry->answers[i].answer));
    for (size_t i = 0; i < LEDGER_ROWS && entry->rows[i]; ++i)
        json_array_append_new(rows, json_integer(entry->rows[i]));
    record = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:o,s:s?,s:o,s:o,s:o}", "id", entry->id, "kind",
                       ledger_kinds(entry, kinds, sizeof kinds), "operator", entry->op, "page", entry->page, "quote",
                       entry->quote, "problem", entry->problem, "decision", entry->decision, "clauses",
                       words_to_json(entry->clauses), "case", entry->minimal, "examples",
                       words_to_json(entry->examples), "observed", rows, "known", answers);
    return record;
}

char *ledger_operator_to_json(const char *op)
{
    size_t count;
    const ledger_entry *all = ledger_all(&count);
    json_t *list = json_array();
    char *text = NULL;
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < count; ++i)
        if (strcmp(all[i].op, op) == 0)
            ok = json_array_append_new(list, ledger_entry_to_json(&all[i])) == 0;
    if (ok)
        text = json_dumps(list, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(list);
    return text;
}
