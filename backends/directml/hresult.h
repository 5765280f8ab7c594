/* SPDX-License-Identifier: Apache-2.0 */
/* Results of D3D12, DXGI and DirectML by name. */
#ifndef TOUCHSTONE_DIRECTML_HRESULT_H
#define TOUCHSTONE_DIRECTML_HRESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Write "E_INVALIDARG (0x80070057)", or "HRESULT 0x8badf00d" if the name is unknown. Returns out. */
const char *hresult_text(uint32_t hr, char *out, size_t capacity);

/* Does the result mean that a descriptor was refused? */
bool hresult_refuses(uint32_t hr);

/* Does the result mean that the device is lost? */
bool hresult_lost(uint32_t hr);

#endif
