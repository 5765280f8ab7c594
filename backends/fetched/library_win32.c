/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/fetched/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

void *library_open(const char *path, char *message, size_t size)
{
    if (!*path) { /* result of library_fetched(); an empty path would mean the program itself */
        snprintf(message, size, "LOCALAPPDATA is not set");
        return NULL;
    }
    /* Windows looks for the libraries that it needs in its own folder first, which takes its whole path. */
    char full[MAX_PATH + 1];
    const DWORD length = GetFullPathNameA(path, sizeof full, full, NULL);
    HMODULE library =
        length > 0 && length < sizeof full ? LoadLibraryExA(full, NULL, LOAD_WITH_ALTERED_SEARCH_PATH) : NULL;
    if (!library && strpbrk(path, "/\\") == NULL)
        library = LoadLibraryA(path); /* a name alone: wherever Windows looks */
    if (!library)
        snprintf(message, size, "%s cannot be loaded: error %lu", path, (unsigned long)GetLastError());
    return (void *)library;
}

void (*library_symbol(void *library, const char *name))(void)
{
    return (void (*)(void))GetProcAddress((HMODULE)library, name);
}

void library_close(void *library)
{
    FreeLibrary((HMODULE)library);
}

void library_setenv(const char *name, const char *value)
{
    _putenv_s(name, value);
}

bool library_path(const char *path, library_char *out, size_t room)
{
    char full[MAX_PATH + 1];
    const DWORD length = GetFullPathNameA(path, sizeof full, full, NULL);
    return length > 0 && length < sizeof full && MultiByteToWideChar(CP_ACP, 0, full, -1, out, (int)room) > 0;
}

void library_scratch(const char *name, char *prefix, size_t size)
{
    char folder[MAX_PATH + 1] = ".\\";
    GetTempPathA(sizeof folder, folder);
    snprintf(prefix, size, "%s%s-%lu", folder, name, (unsigned long)GetCurrentProcessId());
}

void library_fetched(const char *folder, const char *name, char *path, size_t size)
{
    const char *local = getenv("LOCALAPPDATA");
    path[0] = '\0';
    if (local && *local)
        snprintf(path, size, "%s/touchstone/vendors/%s/%s.dll", local, folder, name);
}
