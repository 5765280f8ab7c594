/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/ledger.h"

#include <stdio.h>
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
