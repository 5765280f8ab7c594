/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/openvino/openvino_c.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACE "touchstone/vendors/openvino/openvino/libs/libopenvino_c.so"

/* Where scripts/setup-vendors.sh puts it. */
static void usual_place(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache)
        snprintf(path, size, "%s/" PLACE, cache);
    else
        snprintf(path, size, "%s/.cache/" PLACE, home ? home : "");
}

static bool find(ov_api *api, const char *name, void **function, char *reason, size_t size)
{
    char symbol[96];
    snprintf(symbol, sizeof symbol, "ov_%s", name);
    *function = dlsym(api->library, symbol);
    if (!*function)
        snprintf(reason, size, "the library has no function %s; expected OpenVINO 2024.4 or later", symbol);
    return *function != NULL;
}

bool ov_api_open(ov_api *api, const char *path, char *reason, size_t size)
{
    char usual[1024];
    if (!path) {
        usual_place(usual, sizeof usual);
        path = usual;
        if (access(path, R_OK) != 0) {
            snprintf(reason, size,
                     "OpenVINO is not there: scripts/setup-vendors.sh openvino fetches it, or say where it is with "
                     "--backend-opt library=.../libopenvino_c.so");
            return false;
        }
    }
    /* Never closed again: its threads outlive every instance. */
    api->library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!api->library) {
        const char *why = dlerror();
        snprintf(reason, size, "OpenVINO cannot be loaded: %.300s", why ? why : path);
        return false;
    }
#define OV_FIND(name, result, parameters)                                                                              \
    if (!find(api, #name, (void **)&api->name, reason, size))                                                          \
        return false;
    OV_FUNCTIONS(OV_FIND)
#undef OV_FIND
    return true;
}
