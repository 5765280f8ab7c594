/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/onnxruntime/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *library_open(const char *path, char *message, size_t size)
{
    setenv("ORT_DISABLE_TELEMETRY", "1", 1);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(message, size, "%s", dlerror());
    return library;
}

void (*library_symbol(void *library, const char *name))(void)
{
    void (*f)(void);
    *(void **)&f = dlsym(library, name);
    return f;
}

void library_close(void *library)
{
    dlclose(library);
}

void library_default_path(char *buf, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    static const char rest[] = "touchstone/vendors/onnxruntime/onnxruntime/capi/libonnxruntime.so";
    buf[0] = '\0';
    if (cache && *cache)
        snprintf(buf, size, "%s/%s", cache, rest);
    else if (home && *home)
        snprintf(buf, size, "%s/.cache/%s", home, rest);
}
