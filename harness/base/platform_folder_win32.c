/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/base/platform_win32.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FILE *platform_command(const char *command)
{
    return _popen(command, "rt");
}

bool platform_command_end(FILE *output)
{
    return _pclose(output) == 0;
}

bool platform_temporary_folder(char *buf, size_t size, error *e)
{
    char where[MAX_PATH * 4], message[256];
    DWORD n = GetTempPathA(sizeof where, where); /* ends in a backslash */
    if (n == 0 || n >= sizeof where)
        return error_set(e, "there is no folder for temporary files");
    for (unsigned i = 0; i < 100; ++i) {
        int length = snprintf(buf, size, "%stouchstone.%lu-%lu-%u", where, GetCurrentProcessId(), GetTickCount(), i);
        if (length < 0 || (size_t)length >= size)
            return error_set(e, "%s: its path is too long", where);
        if (CreateDirectoryA(buf, NULL))
            return true;
        if (GetLastError() != ERROR_ALREADY_EXISTS)
            break;
    }
    platform_win32_message(GetLastError(), message, sizeof message);
    return error_set(e, "no temporary folder in %s: %s", where, message);
}

bool platform_make_folder(const char *path, error *e)
{
    char message[256];
    if (CreateDirectoryA(path, NULL))
        return true;
    const DWORD why = GetLastError(), kind = GetFileAttributesA(path);
    if (why == ERROR_ALREADY_EXISTS && kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_DIRECTORY))
        return true;
    platform_win32_message(why, message, sizeof message);
    return error_usage(e, "%s: the folder does not exist and cannot be made: %s", path, message);
}

bool platform_new_folder(const char *path, bool *exists, error *e)
{
    char message[256];
    const bool fine = CreateDirectoryA(path, NULL);
    const DWORD why = fine ? 0 : GetLastError();
    *exists = why == ERROR_ALREADY_EXISTS;
    if (!fine)
        platform_win32_message(why, message, sizeof message);
    return fine || error_usage(e, "%s: the folder cannot be made: %s", path, message);
}

void platform_remove_folder(const char *path)
{
    RemoveDirectoryA(path);
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

void platform_remove_tree(const char *path)
{
    char below[MAX_PATH * 4];
    WIN32_FIND_DATAA entry;
    snprintf(below, sizeof below, "%s\\*", path);
    HANDLE found = FindFirstFileA(below, &entry);
    for (bool more = found != INVALID_HANDLE_VALUE; more; more = FindNextFileA(found, &entry)) {
        const bool folder = entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
        const bool link = entry.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT;
        if (is_dots(entry.cFileName))
            continue;
        snprintf(below, sizeof below, "%s\\%s", path, entry.cFileName);
        if (folder && !link)
            platform_remove_tree(below);
        else if (folder)
            RemoveDirectoryA(below);
        else
            DeleteFileA(below);
    }
    if (found != INVALID_HANDLE_VALUE)
        FindClose(found);
    RemoveDirectoryA(path);
}

platform_folder platform_folder_kind(const char *path)
{
    char below[MAX_PATH * 4];
    WIN32_FIND_DATAA entry;
    const DWORD kind = GetFileAttributesA(path);
    if (kind == INVALID_FILE_ATTRIBUTES)
        return GetLastError() == ERROR_FILE_NOT_FOUND || GetLastError() == ERROR_PATH_NOT_FOUND ? PLATFORM_FOLDER_ABSENT
                                                                                                : PLATFORM_FOLDER_OTHER;
    if (!(kind & FILE_ATTRIBUTE_DIRECTORY))
        return PLATFORM_FOLDER_OTHER;
    snprintf(below, sizeof below, "%s\\*", path);
    HANDLE found = FindFirstFileA(below, &entry);
    bool full = false;
    for (bool more = found != INVALID_HANDLE_VALUE; more && !full; more = FindNextFileA(found, &entry))
        full = !is_dots(entry.cFileName);
    if (found != INVALID_HANDLE_VALUE)
        FindClose(found);
    return full ? PLATFORM_FOLDER_FULL : PLATFORM_FOLDER_EMPTY;
}

bool platform_cache_folder(char *buf, size_t size)
{
    const char *local = getenv("LOCALAPPDATA");
    const int length = local && *local ? snprintf(buf, size, "%s\\touchstone", local) : -1;
    return length > 0 && (size_t)length < size;
}

bool platform_make_cache_folder(const char *path, error *e)
{
    return platform_make_folder(path, e);
}

bool platform_protect_file(const char *path)
{
    (void)path; /* only its user may write in the folder */
    return true;
}

FILE *platform_open_protected(const char *path)
{
    const DWORD kind = GetFileAttributesA(path);
    if (kind == INVALID_FILE_ATTRIBUTES ||
        (kind & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE | FILE_ATTRIBUTE_REPARSE_POINT)))
        return NULL;
    return fopen(path, "rb");
}
