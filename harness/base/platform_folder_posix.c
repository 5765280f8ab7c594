/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"

#include <fcntl.h>
#include <limits.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *platform_command(const char *command)
{
    return popen(command, "r");
}

bool platform_command_end(FILE *output)
{
    return pclose(output) == 0;
}

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

bool platform_cache_folder(char *buf, size_t size)
{
    const char *set = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (set && *set == '/') /* a relative one is invalid, says its specification */
        length = snprintf(buf, size, "%s/touchstone", set);
    else if (home && *home == '/')
        length = snprintf(buf, size, "%s/.cache/touchstone", home);
    return length > 0 && (size_t)length < size;
}

bool platform_make_cache_folder(const char *path, error *e)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    char *slash = strrchr(parent, '/');
    if (slash && slash != parent) {
        *slash = '\0';
        mkdir(parent, 0700);
    }
    return platform_make_folder(path, e);
}

bool platform_protect_file(const char *path)
{
    return chmod(path, 0600) == 0;
}

FILE *platform_open_protected(const char *path)
{
    struct stat there;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* a pipe must not make it wait */
    if (file < 0)
        return NULL;
    const bool safe = fstat(file, &there) == 0 && S_ISREG(there.st_mode) &&
                      (there.st_uid == geteuid() || there.st_uid == 0) && !(there.st_mode & (S_IWGRP | S_IWOTH));
    FILE *opened = safe ? fdopen(file, "rb") : NULL;
    if (!opened)
        close(file);
    return opened;
}
