/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool platform_temporary_folder(char *buf, size_t size, error *e)
{
    const char *where = getenv("TMPDIR");
    int n = snprintf(buf, size, "%s/touchstone.XXXXXX", where && *where ? where : "/tmp");
    if (n < 0 || (size_t)n >= size)
        return error_set(e, "TMPDIR: its path is too long");
    return mkdtemp(buf) ||
           error_set(e, "no temporary folder in %s: %s", where && *where ? where : "/tmp", strerror(errno));
}

bool platform_make_folder(const char *path, error *e)
{
    struct stat there;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode)))
        return true;
    return error_usage(e, "%s: the folder does not exist and cannot be made: %s", path, strerror(errno));
}

void platform_remove_folder(const char *path)
{
    rmdir(path);
}
