/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/input.h"

#include "harness/base/platform.h"

#include <errno.h>
#include <string.h>

FILE *input_open(const char *path, error *e)
{
    const char *kind = NULL;
    FILE *file = platform_open_regular(path, &kind);
    const int number = errno;
    if (kind)
        error_usage(e, "%s: is %s; expected a regular file", path, kind);
    else if (!file)
        error_file(e, path, NULL, number);
    errno = number;
    return file;
}

bool input_check(const char *path, error *e)
{
    FILE *file = input_open(path, e);
    if (file)
        fclose(file);
    return file != NULL;
}

bool input_is_database(const char *path, bool *empty)
{
    static const char magic[] = "SQLite format 3";
    char head[sizeof magic];
    const int saved = errno;
    const char *kind = NULL;
    FILE *file = platform_open_regular(path, &kind);
    const size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    if (empty)
        *empty = file && n == 0 && !ferror(file);
    if (file)
        fclose(file);
    errno = saved;
    return n == sizeof head && memcmp(head, magic, sizeof head) == 0;
}
