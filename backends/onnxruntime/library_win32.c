/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/onnxruntime/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

void *library_open(const char *path, char *message, size_t size)
{
    _putenv_s("ORT_DISABLE_TELEMETRY", "1");
    HMODULE library = LoadLibraryA(path);
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

void library_default_path(char *buf, size_t size)
{
    const char *local = getenv("LOCALAPPDATA");
    buf[0] = '\0';
    if (local && *local)
        snprintf(buf, size, "%s\\touchstone\\vendors\\onnxruntime\\onnxruntime\\capi\\onnxruntime.dll", local);
}
