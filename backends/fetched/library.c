/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/fetched/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool library_bind(void *library, const library_function *functions, size_t count, const char *product, char *message,
                  size_t size)
{
    for (size_t i = 0; i < count; ++i) {
        void (*function)(void) = library_symbol(library, functions[i].name);
        if (!function) {
            snprintf(message, size, "it is not %s: %s is missing", product, functions[i].name);
            return false;
        }
        memcpy(functions[i].pointer, &function, sizeof function);
    }
    return true;
}

bool library_named(const char *variable, char *path, size_t size)
{
    const char *set = getenv(variable);
    if (!set || !*set)
        return false;
    snprintf(path, size, "%s", set);
    return true;
}
