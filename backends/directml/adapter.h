/* SPDX-License-Identifier: Apache-2.0 */
/* Choose the adapter of a run. */
#ifndef TOUCHSTONE_DIRECTML_ADAPTER_H
#define TOUCHSTONE_DIRECTML_ADAPTER_H

#include "backends/directml/directml_api.h"

#include <dxgi1_6.h>
#include <stdbool.h>

/* Return the adapter that `wanted` names (an index, a part of a name, "warp", or NULL for the first); NULL with a
   message that lists the adapters. *refused: `wanted` names none of them. */
IDXGIAdapter1 *adapter_find(HMODULE dxgi_dll, const char *wanted, bool *refused, char *message, size_t capacity);

/* The name of an adapter in UTF-8. */
void adapter_name(IDXGIAdapter1 *adapter, char *out, size_t capacity);

/* The version of its driver; "" if unknown. */
void adapter_driver_version(IDXGIAdapter1 *adapter, char *out, size_t capacity);

#endif
