/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/options.h"

#include "harness/base/did_you_mean.h"
#include "harness/model/tensor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add_option(plugin_options *o, const char *key, const char *value, error *e)
{
    if (o->count == PLUGIN_MAX_OPTIONS)
        return error_usage(e, "more than %d options --backend-opt", PLUGIN_MAX_OPTIONS);
    for (size_t i = 0; i < o->count; ++i)
        if (strcmp(o->list[i].key, key) == 0)
            return error_usage(e, "--backend-opt '%s=%s': the key '%s' is given twice, first with '%s'", key, value,
                               key, o->list[i].value);
    o->list[o->count++] = (ts_option){ key, value };
    return true;
}

bool options_add_backend(plugin_options *o, char *text, error *e)
{
    char *value = strchr(text, '=');
    if (!value || value == text)
        return error_usage(e, "--backend-opt '%s': expected key=value", text);
    *value = '\0';
    return add_option(o, text, value + 1, e);
}

bool options_backend(const char **name, plugin_options *o, char *text, error *e)
{
    char *colon = strchr(text, ':');
    *name = text;
    if (!colon || colon - text < 2 || strcspn(text, "/\\") < (size_t)(colon - text))
        return true;
    *colon = '\0';
    return add_option(o, "command", colon + 1, e);
}

bool options_tier(const char *text, case_tier *tier, error *e)
{
    char hint[DID_YOU_MEAN_SIZE];
    if (case_tier_named(text, tier))
        return true;
    did_you_mean d;
    did_you_mean_start(&d, text);
    for (int t = TIER_QUICK; t <= TIER_EXHAUSTIVE; ++t)
        did_you_mean_try(&d, case_tier_name((case_tier)t));
    return error_usage(e, "--tier '%s'%s: expected quick, full or exhaustive", text, did_you_mean_hint(&d, hint));
}

bool options_level(const char *text, ts_level *level, error *e)
{
    if ((*level = tensor_level_named(text)) != 0)
        return true;
    char names[256] = "";
    size_t count, used = 0;
    const ts_level *all = tensor_levels(&count);
    for (size_t i = 0; i < count && used < sizeof names; ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", tensor_level_name(all[i]));
    return error_usage(e, "--feature-level '%s': expected one of %s", text, names);
}

bool options_decisions(const char *text, ts_decisions *decisions, error *e)
{
    char hint[DID_YOU_MEAN_SIZE];
    if (operator_decisions_named(text, decisions))
        return true;
    did_you_mean d;
    did_you_mean_start(&d, text);
    for (int i = TS_DECISIONS_OPEN; i <= TS_DECISIONS_BINDING; ++i)
        did_you_mean_try(&d, operator_decisions_name((ts_decisions)i));
    return error_usage(e, "--decisions '%s'%s: expected open or binding", text, did_you_mean_hint(&d, hint));
}

bool options_profile(const char *text, uint32_t *profile, error *e)
{
    char hint[DID_YOU_MEAN_SIZE];
    if (tensor_profile_named(text, profile))
        return true;
    did_you_mean d;
    did_you_mean_start(&d, text);
    did_you_mean_try(&d, "openvino");
    did_you_mean_try(&d, "numpy");
    return error_usage(e, "--profile '%s'%s: expected openvino or numpy", text, did_you_mean_hint(&d, hint));
}

bool options_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value, error *e)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (end == text || *end || errno || strchr(text, '-') || n < least || n > most)
        return error_usage(e, "%s '%s': expected a whole number from %llu to %llu", option, text,
                           (unsigned long long)least, (unsigned long long)most);
    *value = n;
    return true;
}

bool options_seed(const char *text, uint64_t *seed, error *e)
{
    return options_number("--seed", text, 0, UINT32_MAX, seed, e);
}
