/* SPDX-License-Identifier: Apache-2.0 */
/* Parse options of a run: times, sizes, shards. */
#include "harness/cli/options.h"

#include "harness/execute/case_limits.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY 86400.0

bool options_seconds(const char *option, const char *text, double *seconds, error *e)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = { { "", 1 }, { "ms", 1e-3 }, { "s", 1 }, { "m", 60 }, { "h", 3600 } };
    char *end;
    double n = strtod(text, &end), scale = 0;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i)
        if (strcmp(end, units[i].unit) == 0)
            scale = units[i].seconds;
    if (end == text || scale == 0 || !isfinite(n) || n * scale < 1e-3 || n * scale > DAY)
        return error_usage(e, "%s '%s': expected a time such as 500ms, 10s, 2m or 10 (seconds), from 1ms to 24h",
                           option, text);
    *seconds = n * scale;
    return true;
}

bool options_bytes(const char *option, const char *text, uint64_t *bytes, error *e)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (end == text || errno || strchr(text, '-') || (*end && (!unit || end[1])) || n > UINT64_MAX >> shift)
        return error_usage(e, "%s '%s': expected a size such as 512M or 4G, or 0", option, text);
    *bytes = (uint64_t)n << shift;
    return true;
}

/* ---- shards ---- */

static bool number_in(const char *name, uint64_t *value, error *e)
{
    return options_number(name, getenv(name), 0, UINT32_MAX, value, e);
}

/* Bazel expects a test that supports sharding to create this file. */
static bool touch_status_file(error *e)
{
    const char *path = getenv("TEST_SHARD_STATUS_FILE");
    FILE *f = path && *path ? fopen(path, "a") : NULL;
    if (path && *path && !f)
        return error_set(e, "%s (TEST_SHARD_STATUS_FILE): cannot write the file", path);
    if (f)
        fclose(f);
    return true;
}

static bool shard_from_environment(uint64_t *shard, uint64_t *shards, error *e)
{
    uint64_t index = 0, least = 0, most = 0, step = 1;
    if (getenv("TEST_TOTAL_SHARDS")) {
        if (!number_in("TEST_TOTAL_SHARDS", shards, e) || !touch_status_file(e))
            return false;
        if (*shards == 0)
            return true;
        if (!number_in("TEST_SHARD_INDEX", &index, e))
            return false;
    } else if (getenv("SLURM_ARRAY_TASK_ID")) {
        if (!number_in("SLURM_ARRAY_TASK_ID", &index, e) || !number_in("SLURM_ARRAY_TASK_MIN", &least, e) ||
            !number_in("SLURM_ARRAY_TASK_MAX", &most, e) ||
            (getenv("SLURM_ARRAY_TASK_STEP") && !number_in("SLURM_ARRAY_TASK_STEP", &step, e)))
            return false;
        if (step == 0 || index < least || index > most)
            return error_usage(e, "--shard auto: SLURM_ARRAY_TASK_ID is not between "
                                  "SLURM_ARRAY_TASK_MIN and SLURM_ARRAY_TASK_MAX");
        index = (index - least) / step;
        *shards = (most - least) / step + 1;
    } else if (getenv("JOB_COMPLETION_INDEX")) {
        if (!getenv("TOUCHSTONE_SHARDS"))
            return error_usage(e, "--shard auto: JOB_COMPLETION_INDEX is set but TOUCHSTONE_SHARDS (the Job's "
                                  "completions) is not; scripts/kubernetes-job.yaml is an example");
        if (!number_in("JOB_COMPLETION_INDEX", &index, e) || !number_in("TOUCHSTONE_SHARDS", shards, e))
            return false;
    } else {
        return error_usage(e, "--shard auto: none of TEST_TOTAL_SHARDS, SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX "
                              "is set");
    }
    if (index >= *shards)
        return error_usage(e, "--shard auto: the environment asks for shard %llu of %llu",
                           (unsigned long long)index + 1, (unsigned long long)*shards);
    *shard = index + 1;
    return true;
}

bool options_shard(const char *text, uint64_t *shard, uint64_t *shards, error *e)
{
    unsigned long long i, n;
    int used = 0;
    *shard = *shards = 0;
    if (strcmp(text, "auto") == 0)
        return shard_from_environment(shard, shards, e);
    if (strchr(text, '-') || sscanf(text, "%llu/%llu%n", &i, &n, &used) != 2 || text[used] || i < 1 || i > n ||
        n > UINT32_MAX)
        return error_usage(e, "--shard '%s': expected I/N (shard I of N, with I from 1 to N) or auto", text);
    *shard = i;
    *shards = n;
    return true;
}

bool options_memory(const char *text, uint64_t *bytes, error *e)
{
    if (!options_bytes("--memory-limit", text, bytes, e))
        return false;
    if (*bytes != 0 && *bytes < CASE_MEMORY_LEAST)
        return error_usage(e, "--memory-limit '%s': expected at least %uM, which a worker itself may need, or 0", text,
                           (unsigned)(CASE_MEMORY_LEAST >> 20));
    if (*bytes == 0 || *bytes > CASE_MEMORY_UNLIMITED)
        *bytes = CASE_MEMORY_UNLIMITED;
    return true;
}
