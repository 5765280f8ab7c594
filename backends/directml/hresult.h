/* SPDX-License-Identifier: Apache-2.0 */
/* What D3D12, DXGI and DirectML answer, by name. */
#ifndef TOUCHSTONE_DIRECTML_HRESULT_H
#define TOUCHSTONE_DIRECTML_HRESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "E_INVALIDARG (0x80070057)", or "HRESULT 0x8badf00d" of one that has no name here. Returns out. */
const char *hresult_text(uint32_t hr, char *out, size_t capacity);

/* Does it say that a descriptor was refused? */
bool hresult_refuses(uint32_t hr);

/* Does it say that the device is gone? */
bool hresult_lost(uint32_t hr);

#endif
