/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of a fault as `describe_options` of a backend with faults lists them: "dml.slice1 dml.gather",
   "all operators" or "all operators but dml.join". For tests and measurements of the backend. */
#ifndef TOUCHSTONE_FAULTY_LISTED_H
#define TOUCHSTONE_FAULTY_LISTED_H

#include <stdbool.h>
#include <string.h>

#define LISTED_ALL "all operators"
#define LISTED_BUT " but"

/* Is an operator that is computed in such a list? */
static inline bool listed_has(const char *list, const char *op)
{
    const bool all = strncmp(list, LISTED_ALL, strlen(LISTED_ALL)) == 0;
    const size_t length = strlen(op);
    for (const char *at = list; (at = strstr(at, op)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return !all;
    return all;
}

#endif
