/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/version.h"

#include "backends/backend.h"
#include "harness/base/visible.h"
#include "harness/casefile/casefile.h"
#include "harness/casefile/suite_digest.h"
#include "reference/operators.h"

#include <limits.h>
#include <stdlib.h>

static bool digest_all(char digest[SUITE_DIGEST_SIZE], error *e)
{
    size_t count;
    quick_cases quick;
    const ts_operator *const *all = operators_all(&count);
    const char **names = calloc(count + 1, sizeof *names);
    char(*digests)[SUITE_DIGEST_SIZE] = calloc(count + 1, sizeof *digests);
    bool fine = quick_read(&quick, e) && ((names && digests) || error_set(e, "out of memory"));
    for (size_t i = 0; fine && i < count; ++i) {
        char path[PATH_MAX];
        names[i] = all[i]->name;
        fine = casefile_path(all[i], path, sizeof path, e) &&
               suite_operator_digest(all[i], path, &quick, digests[i], NULL, e);
    }
    if (fine)
        suite_digest(count, names, digests, 0, digest);
    quick_free(&quick);
    free(names);
    free(digests);
    return fine;
}

void version_print(const char *commit)
{
    char digest[SUITE_DIGEST_SIZE];
    error e;
    printf("touchstone %s\n", TOUCHSTONE_VERSION);
    printf("commit            %s\n", commit);
    printf("plugin interface  %d\n", TS_BACKEND_ABI);
    if (digest_all(digest, &e))
        printf("suite             %s\n", digest);
    else
        visible_print(stdout, "suite             unknown: %s\n", e.text);
}
