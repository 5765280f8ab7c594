/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/ledger.h"

#include <stdio.h>
#include <stdbool.h>
#include <string.h>

/* One table of the entries, which are in a file for each specification. */
static const ledger_entry entries[] = {
#include "reference/ledger_dml.inc"
#include "reference/ledger_checked.inc"
#include "reference/ledger_openvino.inc"
};

const ledger_entry *ledger_all(size_t *count)
{
    *count = sizeof entries / sizeof entries[0];
    return entries;
}

const ledger_entry *ledger_find(const char *id)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; ++i)
        if (strcmp(entries[i].id, id) == 0)
            return &entries[i];
    return NULL;
}

/* Is it one of the words? */
static bool lists(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

const ledger_entry *ledger_of_clause(const char *op, const char *clause)
{
    const ledger_entry *of_layout = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; ++i) {
        if (!lists(entries[i].clauses, clause))
            continue;
        if (strcmp(entries[i].op, op) == 0)
            return &entries[i];
        if (strcmp(entries[i].op, "dml.element_wise_identity") == 0 && strncmp(op, "dml.", 4) == 0)
            of_layout = &entries[i];
    }
    return of_layout;
}

const char *ledger_kinds(const ledger_entry *entry, char *buf, size_t size)
{
    static const char *const names[] = { "EN", "TR", "IM", "AM" };
    size_t used = 0;
    snprintf(buf, size, "-");
    for (unsigned k = 0; k < 4 && used < size; ++k)
        if (entry->kinds >> k & 1)
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? "/" : "", names[k]);
    return buf;
}
