/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run_config.h"

#include "harness/base/text.h"

#include <stdlib.h>
#include <string.h>

/* JSON has no other way for bytes that are not UTF-8: a string that begins with this character is in hexadecimal. */
#define BYTES '\x01'

static json_t *encode(const char *s)
{
    json_t *string = *s != BYTES ? json_string(s) : NULL;
    if (string)
        return string;
    text hex = { .data = NULL };
    text_format(&hex, "%c", BYTES);
    for (; *s; ++s)
        text_format(&hex, "%02x", (unsigned)(unsigned char)*s);
    string = hex.failed ? NULL : json_string(hex.data);
    text_free(&hex);
    return string;
}

/* The string that was encoded; NULL if it is none, or memory is out. It lives as long as *r. */
static const char *decode(run_config *r, const char *s)
{
    if (!s || *s != BYTES)
        return s;
    const size_t n = strlen(s + 1) / 2;
    char *bytes = malloc(n + 1);
    json_t *string = NULL;
    bool fine = bytes && strspn(s + 1, "0123456789abcdef") == 2 * n && !s[1 + 2 * n];
    for (size_t i = 0; fine && i < n; ++i) {
        const char digits[3] = { s[1 + 2 * i], s[2 + 2 * i], '\0' };
        bytes[i] = (char)strtoul(digits, NULL, 16);
    }
    if (fine && json_array_append_new(r->decoded, string = json_stringn_nocheck(bytes, n)) != 0)
        string = NULL;
    free(bytes);
    return string ? json_string_value(string) : NULL;
}

plan_options run_plan_options(const run_options *o)
{
    return (plan_options){ .tier = o->tier,
                           .operators = o->operators,
                           .operator_count = o->operator_count,
                           .seed = o->draw_seed,
                           .endless = o->tier == TIER_EXHAUSTIVE && o->budget > 0 };
}

char *run_config_write(const run_options *o)
{
    json_t *queries = json_array(), *options = json_array(), *operators = o->operators ? json_array() : NULL;
    json_t *waivers = o->waivers ? encode(o->waivers) : NULL;
    bool fine = !o->waivers || waivers;
    for (size_t i = 0; fine && i < o->operator_count; ++i)
        fine = json_array_append_new(operators, json_string(o->operators[i])) == 0;
    for (size_t i = 0; fine && i < o->query_count; ++i)
        fine = json_array_append_new(queries, encode(o->queries[i])) == 0;
    for (size_t i = 0; fine && i < o->backend_option_count; ++i)
        fine = json_array_append_new(options, json_pack("[o,o]", encode(o->backend_options[i].key),
                                                        encode(o->backend_options[i].value))) == 0;
    json_t *root =
        json_pack("{s:o,s:o,s:o,s:i,s:I,s:I,s:I,s:I,s:I,s:f,s:I,s:I,s:I,s:I,s:b,s:I,s:b,s:o*,s:f,s:o*,s:I,s:i}", "backend",
                  encode(o->backend), "backend_options", options, "queries", queries, "tier", (int)o->tier, "level",
                  (json_int_t)o->level, "profile", (json_int_t)o->profile, "max_findings", (json_int_t)o->max_findings,
                  "shard", (json_int_t)o->shard, "shards", (json_int_t)o->shards, "time_limit", o->limits.seconds,
                  "memory_limit", (json_int_t)o->limits.memory, "max_losses", (json_int_t)o->limits.losses, "repeat",
                  (json_int_t)o->repeat, "shrink", (json_int_t)o->shrink, "shuffle", (int)o->shuffle, "seed",
                  (json_int_t)o->seed, "in_order", (int)o->in_order, "waivers", waivers, "budget", o->budget,
                  "operators", operators, "draw_seed", (json_int_t)o->draw_seed, "decisions", (int)o->decisions);
    char *written = root && fine ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return written;
}

static bool read_names(run_config *r, json_t *list, const char ***names, size_t *count)
{
    *count = json_array_size(list);
    *names = calloc(*count + 1, sizeof **names);
    for (size_t i = 0; *names && i < *count; ++i)
        if (!((*names)[i] = decode(r, json_string_value(json_array_get(list, i)))))
            return false;
    return *names != NULL;
}

static bool read_lists(run_config *r, json_t *queries, json_t *options, json_t *operators, run_options *o)
{
    o->backend_option_count = json_array_size(options);
    r->backend_options = calloc(o->backend_option_count + 1, sizeof *r->backend_options);
    if (!read_names(r, queries, &r->queries, &o->query_count) || !r->backend_options ||
        (operators && !read_names(r, operators, &r->operators, &o->operator_count)))
        return false;
    for (size_t i = 0; i < o->backend_option_count; ++i) {
        json_t *pair = json_array_get(options, i);
        ts_option *option = &r->backend_options[i];
        if (json_unpack(pair, "[s,s]", &option->key, &option->value) != 0 || !(option->key = decode(r, option->key)) ||
            !(option->value = decode(r, option->value)))
            return false;
    }
    o->queries = r->queries;
    o->operators = r->operators;
    o->backend_options = r->backend_options;
    return true;
}

bool run_config_read(run_config *r, const char *written, run_options *o)
{
    json_t *queries, *options, *operators = NULL;
    json_int_t level, profile, findings, shard, shards, memory, losses, repeat, shrink, seed, draw_seed = 0;
    int tier, shuffle, in_order, decisions = TS_DECISIONS_OPEN;
    memset(r, 0, sizeof *r);
    r->decoded = json_array();
    r->root = written ? json_loads(written, 0, NULL) : NULL;
    if (!r->root ||
        json_unpack(r->root, "{s:s,s:o,s:o,s:i,s:I,s:I,s:I,s:I,s:I,s:F,s:I,s:I,s:I,s:I,s:b,s:I,s:b,s?s,s?F,s?o,s?I,s?i}",
                    "backend", &o->backend, "backend_options", &options, "queries", &queries, "tier", &tier, "level",
                    &level, "profile", &profile, "max_findings", &findings, "shard", &shard, "shards", &shards,
                    "time_limit", &o->limits.seconds, "memory_limit", &memory, "max_losses", &losses, "repeat", &repeat,
                    "shrink", &shrink, "shuffle", &shuffle, "seed", &seed, "in_order", &in_order, "waivers",
                    &o->waivers, "budget", &o->budget, "operators", &operators, "draw_seed", &draw_seed, "decisions", &decisions) != 0)
        return false;
    if (tier < TIER_QUICK || tier > TIER_EXHAUSTIVE || level < 0 || profile < 0 || findings < 0 || shard < 0 ||
        shards < shard || memory < 0 || losses < 0 || repeat < 0 || shrink < 0 || seed < 0 || draw_seed < 0 ||
        !(o->budget >= 0))
        return false;
    const char *named = o->waivers;
    if (!(o->backend = decode(r, o->backend)) || (named && !(o->waivers = decode(r, named))))
        return false;
    o->tier = (case_tier)tier;
    o->level = (ts_level)level;
    o->profile = (uint32_t)profile;
    o->decisions = decisions == TS_DECISIONS_BINDING ? TS_DECISIONS_BINDING : TS_DECISIONS_OPEN;
    o->max_findings = (uint64_t)findings;
    o->shard = (uint64_t)shard;
    o->shards = (uint64_t)shards;
    o->limits.memory = (uint64_t)memory;
    o->limits.losses = (uint64_t)losses;
    o->repeat = (uint64_t)repeat;
    o->shrink = (uint64_t)shrink;
    o->shuffle = shuffle != 0;
    o->seed = (uint64_t)seed;
    o->draw_seed = (uint64_t)draw_seed;
    o->in_order = in_order != 0;
    return read_lists(r, queries, options, operators, o);
}

void run_config_free(run_config *r)
{
    json_decref(r->root);
    json_decref(r->decoded);
    free(r->queries);
    free(r->operators);
    free(r->backend_options);
    memset(r, 0, sizeof *r);
}
