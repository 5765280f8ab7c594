/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/suite_digest.h"

#include "harness/base/input.h"
#include "harness/base/text.h"
#include "harness/casefile/lua_strip.h"
#include "harness/casefile/sandbox.h"
#include "reference/operators.h"

#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static bool add_lua_file(XXH3_state_t *state, const char *path, error *e)
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

/* The ids of the list, without its comments. */
static void add_quick(XXH3_state_t *state, const quick_cases *quick)
{
    for (size_t i = 0; i < quick->count; ++i) {
        XXH3_128bits_update(state, quick->lines[i].test, strlen(quick->lines[i].test) + 1);
        XXH3_128bits_update(state, quick->lines[i].parameters, strlen(quick->lines[i].parameters) + 1);
    }
}

bool suite_digest(const quick_cases *quick, char digest[SUITE_DIGEST_SIZE], error *e)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, operators_digest(), strlen(operators_digest()));
    for (size_t i = 0; i < count; ++i) {
        char path[PATH_MAX], shared[PATH_MAX];
        if (!casefile_path(all[i], path, sizeof path, e) || !sandbox_shared_path(path, shared, sizeof shared, e))
            return false;
        XXH3_128bits_update(&state, all[i]->name, strlen(all[i]->name));
        if (!add_lua_file(&state, path, e) || (access(shared, R_OK) == 0 && !add_lua_file(&state, shared, e)))
            return false;
    }
    add_quick(&state, quick);
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    snprintf(digest, SUITE_DIGEST_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return true;
}
