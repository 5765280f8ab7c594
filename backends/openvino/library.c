/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/fetched/library.h"
#include "backends/openvino/openvino_c.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool find(ov_api *api, const char *name, void **function, char *reason, size_t size)
{
    char symbol[96];
    snprintf(symbol, sizeof symbol, "ov_%s", name);
    void (*found)(void) = library_symbol(api->library, symbol);
    memcpy(function, &found, sizeof found);
    if (!found)
        snprintf(reason, size, "the library has no function %s; expected OpenVINO 2024.4 or later", symbol);
    return found != NULL;
}

bool ov_api_open(ov_api *api, const char *path, char *reason, size_t size)
{
    char usual[1024];
    if (!path) {
        library_fetched("openvino/openvino/libs", "openvino_c", usual, sizeof usual);
        path = usual;
        if (access(path, R_OK) != 0) {
            snprintf(reason, size,
                     "OpenVINO is missing: run scripts/setup-vendors.sh openvino, or set "
                     "--backend-opt library=.../libopenvino_c.so");
            return false;
        }
    }
    /* Never closed: its threads outlive every instance. */
    char why[300];
    api->library = library_open(path, why, sizeof why);
    if (!api->library) {
        snprintf(reason, size, "OpenVINO cannot be loaded: %s", why);
        return false;
    }
#define OV_FIND(name, result, parameters)                                                                              \
    if (!find(api, #name, (void **)&api->name, reason, size))                                                          \
        return false;
    OV_FUNCTIONS(OV_FIND)
#undef OV_FIND
    return true;
}
