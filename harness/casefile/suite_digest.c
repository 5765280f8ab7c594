/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/suite_digest.h"

#include "harness/base/input.h"
#include "harness/base/text.h"
#include "harness/casefile/lua_strip.h"
#include "harness/casefile/sandbox.h"
#include "reference/operators.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static bool add_lua_file(void *state, const char *path, error *e)
{
    text source = { .data = NULL };
    FILE *file = input_open(path, e);
    if (!file)
        return false;
    bool fine = text_read(&source, file);
    if (fine)
        XXH3_128bits_update(state, source.data, lua_strip(source.data, source.length));
    else if (source.failed)
        error_set(e, "%s: out of memory", path);
    else
        error_usage(e, "%s: cannot be read", path);
    fclose(file);
    text_free(&source);
    return fine;
}

/* The operator's ids of the list, without its comments. */
static void add_quick(XXH3_state_t *state, const ts_operator *op, const quick_cases *quick)
{
    size_t end;
    for (size_t i = quick_of_operator(quick, op, &end); i < end; ++i) {
        const quick_line *line = &quick->lines[i];
        XXH3_128bits_update(state, line->test, strlen(line->test) + 1);
        XXH3_128bits_update(state, line->parameters, strlen(line->parameters) + 1);
    }
}

static void finish(XXH3_state_t *state, char digest[SUITE_DIGEST_SIZE])
{
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    snprintf(digest, SUITE_DIGEST_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

bool suite_operator_digest(const ts_operator *op, const char *path, const quick_cases *quick,
                           char digest[SUITE_DIGEST_SIZE], char sources[SUITE_DIGEST_SIZE], error *e)
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, operators_digest(op), strlen(operators_digest(op)));
    if (!add_lua_file(&state, path, e) || !sandbox_each_shared(path, add_lua_file, &state, e))
        return false;
    if (sources)
        finish(&state, sources);
    add_quick(&state, op, quick);
    finish(&state, digest);
    return true;
}

void suite_checked_digest(const ts_operator *op, char digest[SUITE_DIGEST_SIZE])
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, operators_digest(op), strlen(operators_digest(op)));
    finish(&state, digest);
}

bool suite_digest_of(const char *op, const quick_cases *quick, bool *known, char digest[SUITE_DIGEST_SIZE], error *e)
{
    char path[PATH_MAX];
    const ts_operator *found = operators_find_known(op);
    *known = found != NULL;
    if (found && !operator_has_cases(found)) {
        suite_checked_digest(found, digest);
        return true;
    }
    return !found ||
           (casefile_path(found, path, sizeof path, e) && suite_operator_digest(found, path, quick, digest, NULL, e));
}

void suite_digest(size_t count, const char *const *ops, char (*digests)[SUITE_DIGEST_SIZE], uint64_t seed,
                  char digest[SUITE_DIGEST_SIZE])
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (size_t i = 0; i < count; ++i) {
        XXH3_128bits_update(&state, ops[i], strlen(ops[i]) + 1);
        XXH3_128bits_update(&state, digests[i], SUITE_DIGEST_SIZE);
    }
    if (seed)
        XXH3_128bits_update(&state, &seed, sizeof seed);
    finish(&state, digest);
}
