/* SPDX-License-Identifier: Apache-2.0 */
/* The operators that an option's value is for, as `describe_options` of a backend lists them (backend.h):
   "dml.slice1 dml.gather", "all operators" or "all operators but dml.join". "checked operators" are those that are
   checked, but not computed: "checked operators" or "checked operators, all operators but dml.join". */
#ifndef TOUCHSTONE_LISTED_H
#define TOUCHSTONE_LISTED_H

#include <stdbool.h>
#include <string.h>

#define LISTED_CHECKED "checked operators"
#define LISTED_ALL     "all operators"
#define LISTED_BUT     "but"

/* The list behind `words`, if it begins with them, else the list. */
static inline const char *listed_behind(const char *list, const char *words)
{
    const size_t length = strlen(words);
    return strncmp(list, words, length) == 0 ? list + length + strspn(list + length, ", ") : list;
}

/* Is an operator, which is computed or only checked, in such a list? */
static inline bool listed_has(const char *list, const char *op, bool computed)
{
    const char *const named = listed_behind(list, LISTED_CHECKED);
    const bool all = strncmp(named, LISTED_ALL, strlen(LISTED_ALL)) == 0;
    const size_t length = strlen(op);
    for (const char *at = named; (at = strstr(at, op)) != NULL; at += length)
        if ((at == named || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return !all;
    return computed ? all : named != list;
}

#endif
