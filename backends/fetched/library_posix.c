/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/fetched/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *library_open(const char *path, char *message, size_t size)
{
    if (!*path) { /* result of library_fetched(); an empty path would mean the program itself */
        snprintf(message, size, "neither XDG_CACHE_HOME nor HOME is set");
        return NULL;
    }
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

void library_setenv(const char *name, const char *value)
{
    setenv(name, value, 1);
}

bool library_path(const char *path, library_char *out, size_t room)
{
    char *full = realpath(path, NULL);
    const int length = snprintf(out, room, "%s", full ? full : path);
    free(full);
    return length >= 0 && (size_t)length < room;
}

void library_scratch(const char *name, char *prefix, size_t size)
{
    const char *folder = getenv("TMPDIR");
    snprintf(prefix, size, "%s/%s-%ld", folder && *folder ? folder : "/tmp", name, (long)getpid());
}

void library_fetched(const char *folder, const char *name, char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    path[0] = '\0';
    if (cache && *cache)
        snprintf(path, size, "%s/touchstone/vendors/%s/lib%s.so", cache, folder, name);
    else if (home && *home)
        snprintf(path, size, "%s/.cache/touchstone/vendors/%s/lib%s.so", home, folder, name);
}
