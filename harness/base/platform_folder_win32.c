/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/base/platform_win32.h"

#include <stdio.h>
#include <stdlib.h>

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

void platform_remove_folder(const char *path)
{
    RemoveDirectoryA(path);
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
