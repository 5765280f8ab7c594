/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/plan_cache.h"

void plan_key_add(plan_key *key, uint64_t word)
{
    key->words[key->count++] = word;
}

void plan_key_list(plan_key *key, const uint64_t *words, uint32_t count)
{
    plan_key_add(key, count);
    for (uint32_t i = 0; i < count; ++i)
        plan_key_add(key, words[i]);
}

static bool same(const plan_key *a, const plan_key *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; ++i)
        if (a->words[i] != b->words[i])
            return false;
    return true;
}

uint32_t plan_cache_slot(plan_cache *cache, const plan_key *key, bool *found)
{
    uint32_t oldest = 0;
    *found = false;
    cache->clock++;
    for (uint32_t s = 0; s < PLAN_SLOTS; ++s) {
        *found = cache->slots[s].used != 0 && same(&cache->slots[s].key, key);
        if (*found) {
            cache->slots[s].used = cache->clock;
            return s;
        }
        if (cache->slots[s].used < cache->slots[oldest].used)
            oldest = s;
    }
    cache->slots[oldest].used = cache->clock;
    cache->slots[oldest].key.count = key->count;
    for (uint32_t i = 0; i < key->count; ++i)
        cache->slots[oldest].key.words[i] = key->words[i];
    return oldest;
}
