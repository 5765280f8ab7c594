/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/options.h"

#include "harness/model/tensor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool options_add_backend(plugin_options *o, char *text, error *e)
{
    char *value = strchr(text, '=');
    if (!value || value == text)
        return error_usage(e, "--backend-opt '%s': expected key=value", text);
    if (o->count == PLUGIN_MAX_OPTIONS)
        return error_usage(e, "more than %d options --backend-opt", PLUGIN_MAX_OPTIONS);
    *value = '\0';
    o->list[o->count++] = (ts_option){ text, value + 1 };
    return true;
}

bool options_tier(const char *text, case_tier *tier, error *e)
{
    return case_tier_named(text, tier) || error_usage(e, "--tier '%s': expected quick, full or exhaustive", text);
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

bool options_profile(const char *text, uint32_t *profile, error *e)
{
    return tensor_profile_named(text, profile) || error_usage(e, "--profile '%s': expected openvino or numpy", text);
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
