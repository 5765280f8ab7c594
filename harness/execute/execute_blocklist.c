/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/execute_blocklist.h"

#include <stdio.h>

bool execute_blocklist_add(execute_blocklist *blocklist, uint64_t key, verdict v, const char *text)
{
    if (execute_blocklist_find(blocklist, key))
        return true;
    uint64_t n = atomic_load(&blocklist->count);
    if (n >= EXECUTE_BLOCKLIST_SIZE)
        return false;
    blocklist->list[n].verdict = v;
    snprintf(blocklist->list[n].text, sizeof blocklist->list[n].text, "%s", text);
    atomic_store(&blocklist->list[n].key, key);
    atomic_store(&blocklist->count, n + 1);
    return true;
}

const execute_blocked *execute_blocklist_find(const execute_blocklist *blocklist, uint64_t key)
{
    uint64_t n = blocklist ? atomic_load(&blocklist->count) : 0;
    for (uint64_t i = 0; i < n && i < EXECUTE_BLOCKLIST_SIZE; ++i)
        if (atomic_load(&blocklist->list[i].key) == key)
            return &blocklist->list[i];
    return NULL;
}
