/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
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

bool platform_new_folder(const char *path, bool *exists, error *e)
{
    const bool fine = mkdir(path, 0777) == 0;
    *exists = !fine && errno == EEXIST;
    return fine || error_usage(e, "%s: the folder cannot be made: %s", path, strerror(errno));
}

void platform_remove_folder(const char *path)
{
    rmdir(path);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    remove(path);
    return 0;
}

void platform_remove_tree(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

platform_folder platform_folder_kind(const char *path)
{
    struct stat there;
    if (lstat(path, &there) != 0)
        return errno == ENOENT ? PLATFORM_FOLDER_ABSENT : PLATFORM_FOLDER_OTHER;
    DIR *folder = opendir(path);
    if (!folder)
        return PLATFORM_FOLDER_OTHER;
    size_t entries = 0;
    while (entries <= 2 && readdir(folder)) /* . and .. */
        ++entries;
    closedir(folder);
    return entries > 2 ? PLATFORM_FOLDER_FULL : PLATFORM_FOLDER_EMPTY;
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
