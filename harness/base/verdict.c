/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/verdict.h"

#include <string.h>

static const char *const names[VERDICT_COUNT] = {
    "not-run",          "pass",          "mismatch",     "rejected-valid",
    "accepted-invalid", "wrote-outside", "read-outside", "modified-input",
    "nondeterministic", "crash",         "hang",         "lost",
    "ambiguous",        "waived",        "unsupported",  "not-judged",
};

const char *verdict_name(verdict v)
{
    return v < VERDICT_COUNT ? names[v] : "?";
}

verdict verdict_named(const char *name)
{
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (strcmp(name, names[v]) == 0)
            return (verdict)v;
    return VERDICT_COUNT;
}
