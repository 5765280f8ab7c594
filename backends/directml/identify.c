/* SPDX-License-Identifier: Apache-2.0 */
/* Versions and names for the report. */
#include "backends/directml/adapter.h"
#include "backends/directml/device.h"

#include <stdio.h>
#include <stdlib.h>

/* Write the version of a file, "1.15.4+241204-1130" or "1.15.4.0"; "" if it has none. */
static void file_version(HMODULE library, char *out, size_t capacity)
{
    WCHAR path[MAX_PATH * 2];
    DWORD ignored;
    VS_FIXEDFILEINFO *fixed;
    UINT length;
    out[0] = '\0';
    DWORD path_length = GetModuleFileNameW(library, path, MAX_PATH * 2);
    if (path_length == 0 || path_length >= MAX_PATH * 2)
        return;
    DWORD size = GetFileVersionInfoSizeW(path, &ignored);
    void *info = size > 0 ? malloc(size) : NULL;
    if (info && GetFileVersionInfoW(path, 0, size, info) && VerQueryValueW(info, L"\\", (void **)&fixed, &length) &&
        length >= sizeof *fixed)
        snprintf(out, capacity, "%u.%u.%u.%u", (unsigned)HIWORD(fixed->dwFileVersionMS),
                 (unsigned)LOWORD(fixed->dwFileVersionMS), (unsigned)HIWORD(fixed->dwFileVersionLS),
                 (unsigned)LOWORD(fixed->dwFileVersionLS));
    free(info);
}

void device_describe(device *d, char *version, size_t version_size, char *driver, size_t driver_size, char *name,
                     size_t name_size)
{
    char umd[40], runtime[64];
    typedef const char *(__cdecl * wine_get_version_function)(void);
    wine_get_version_function wine =
        (wine_get_version_function)(uintptr_t)GetProcAddress(GetModuleHandleA("ntdll.dll"), "wine_get_version");
    file_version(d->directml_dll, version, version_size);
    adapter_name(d->adapter, name, name_size);
    adapter_driver_version(d->adapter, umd, sizeof umd);
    file_version(d->d3d12_dll, runtime, sizeof runtime);
    snprintf(driver, driver_size, "%s%sd3d12 %s%s%s", *umd ? umd : "", *umd ? ", " : "", *runtime ? runtime : "unknown",
             wine ? ", wine " : "", wine ? wine() : "");
}
