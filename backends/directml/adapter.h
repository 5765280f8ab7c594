/* SPDX-License-Identifier: Apache-2.0 */
/* Which adapter a run is to use. */
#ifndef TOUCHSTONE_DIRECTML_ADAPTER_H
#define TOUCHSTONE_DIRECTML_ADAPTER_H

#include "backends/directml/directml_api.h"

#include <dxgi1_6.h>
#include <stdbool.h>

/* The adapter that `wanted` means (an index, a part of a name, "warp", or NULL: the first), or NULL with a message that
   lists what there is. *refused: it is `wanted` that is out of place. */
IDXGIAdapter1 *adapter_find(HMODULE dxgi_dll, const char *wanted, bool *refused, char *message, size_t capacity);

/* Its name in UTF-8. */
void adapter_name(IDXGIAdapter1 *adapter, char *out, size_t capacity);

/* The version of its driver, or "". */
void adapter_driver_version(IDXGIAdapter1 *adapter, char *out, size_t capacity);

#endif
