/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/hresult.h"

#include <stdio.h>

typedef enum meaning { OTHER, REFUSED, LOST } meaning;

static const struct {
    uint32_t value;
    meaning meaning;
    const char *name;
} names[] = {
    { 0x00000000u, OTHER, "S_OK" },
    { 0x00000001u, OTHER, "S_FALSE" },
    { 0x80004001u, OTHER, "E_NOTIMPL" },
    { 0x80004002u, OTHER, "E_NOINTERFACE" },
    { 0x80004003u, REFUSED, "E_POINTER" },
    { 0x80004004u, OTHER, "E_ABORT" },
    { 0x80004005u, OTHER, "E_FAIL" },
    { 0x8000ffffu, OTHER, "E_UNEXPECTED" },
    { 0x80070005u, OTHER, "E_ACCESSDENIED" },
    { 0x80070006u, OTHER, "E_HANDLE" },
    { 0x8007000eu, OTHER, "E_OUTOFMEMORY" },
    { 0x80070057u, REFUSED, "E_INVALIDARG" },
    { 0x80070032u, REFUSED, "ERROR_NOT_SUPPORTED" },
    { 0x8007007au, OTHER, "ERROR_INSUFFICIENT_BUFFER" },
    { 0x80070216u, REFUSED, "ERROR_ARITHMETIC_OVERFLOW" },
    { 0x887a0001u, OTHER, "DXGI_ERROR_INVALID_CALL" },
    { 0x887a0002u, OTHER, "DXGI_ERROR_NOT_FOUND" },
    { 0x887a0003u, OTHER, "DXGI_ERROR_MORE_DATA" },
    { 0x887a0004u, REFUSED, "DXGI_ERROR_UNSUPPORTED" },
    { 0x887a0005u, LOST, "DXGI_ERROR_DEVICE_REMOVED" },
    { 0x887a0006u, LOST, "DXGI_ERROR_DEVICE_HUNG" },
    { 0x887a0007u, LOST, "DXGI_ERROR_DEVICE_RESET" },
    { 0x887a000au, OTHER, "DXGI_ERROR_WAS_STILL_DRAWING" },
    { 0x887a0020u, LOST, "DXGI_ERROR_DRIVER_INTERNAL_ERROR" },
    { 0x887a0022u, OTHER, "DXGI_ERROR_NOT_CURRENTLY_AVAILABLE" },
    { 0x887a002du, OTHER, "DXGI_ERROR_SDK_COMPONENT_MISSING" },
    { 0x887e0001u, OTHER, "D3D12_ERROR_ADAPTER_NOT_FOUND" },
    { 0x887e0002u, OTHER, "D3D12_ERROR_DRIVER_VERSION_MISMATCH" },
};

static meaning meaning_of(uint32_t hr)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (names[i].value == hr)
            return names[i].meaning;
    return OTHER;
}

const char *hresult_text(uint32_t hr, char *out, size_t capacity)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (names[i].value == hr) {
            snprintf(out, capacity, "%s (0x%08x)", names[i].name, (unsigned)hr);
            return out;
        }
    }
    snprintf(out, capacity, "HRESULT 0x%08x", (unsigned)hr);
    return out;
}

bool hresult_refuses(uint32_t hr)
{
    return meaning_of(hr) == REFUSED;
}

bool hresult_lost(uint32_t hr)
{
    return meaning_of(hr) == LOST;
}
