/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/adapter.h"

#include "backends/directml/hresult.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 200

typedef HRESULT(WINAPI *CreateDXGIFactory1_function)(REFIID riid, void **factory);

static const GUID iid_factory4 = { 0x1bc6ea02, 0xef36, 0x464f, { 0xbf, 0x0c, 0x21, 0xca, 0x39, 0xe5, 0x16, 0x8a } };
static const GUID iid_adapter1 = { 0x29038f61, 0x3839, 0x4626, { 0x91, 0xfd, 0x08, 0x68, 0x79, 0x01, 0x1a, 0x05 } };
static const GUID iid_dxgi_device = { 0x54ec77fa, 0x1377, 0x44e6, { 0x8c, 0x32, 0x88, 0xfd, 0x5f, 0x44, 0xc8, 0x4c } };

void adapter_name(IDXGIAdapter1 *adapter, char *out, size_t capacity)
{
    DXGI_ADAPTER_DESC1 desc;
    out[0] = '\0';
    if (SUCCEEDED(IDXGIAdapter1_GetDesc1(adapter, &desc)) &&
        WideCharToMultiByte(CP_UTF8, 0, desc.Description, -1, out, (int)capacity, NULL, NULL) == 0)
        out[0] = '\0';
}

void adapter_driver_version(IDXGIAdapter1 *adapter, char *out, size_t capacity)
{
    LARGE_INTEGER v;
    out[0] = '\0';
    if (SUCCEEDED(IDXGIAdapter1_CheckInterfaceSupport(adapter, &iid_dxgi_device, &v)) && v.QuadPart != 0)
        snprintf(out, capacity, "%u.%u.%u.%u", (unsigned)HIWORD(v.HighPart), (unsigned)LOWORD(v.HighPart),
                 (unsigned)HIWORD(v.LowPart), (unsigned)LOWORD(v.LowPart));
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Does `name` contain `part`, ignoring case? */
static bool contains(const char *name, const char *part)
{
    size_t length = strlen(part);
    for (; strlen(name) >= length; ++name) {
        size_t i = 0;
        while (i < length && lower(name[i]) == lower(part[i]))
            ++i;
        if (i == length)
            return true;
    }
    return false;
}

static bool means(const char *wanted, UINT index, const char *name)
{
    char *end;
    if (!wanted)
        return true;
    unsigned long number = strtoul(wanted, &end, 10);
    return *end == '\0' && wanted[0] >= '0' && wanted[0] <= '9' ? number == index : contains(name, wanted);
}

/* Find the first adapter that matches; list all adapters in `seen`. */
static IDXGIAdapter1 *look_through(IDXGIFactory4 *factory, const char *wanted, char *seen, size_t capacity)
{
    size_t used = 0;
    IDXGIAdapter1 *adapter;
    for (UINT i = 0; SUCCEEDED(IDXGIFactory4_EnumAdapters1(factory, i, &adapter)); ++i) {
        char name[NAME_ROOM];
        adapter_name(adapter, name, sizeof name);
        if (means(wanted, i, name))
            return adapter;
        IDXGIAdapter1_Release(adapter);
        if (used < capacity)
            used += (size_t)snprintf(seen + used, capacity - used, "%s%u is '%s'", i ? ", " : "", i, name);
    }
    return NULL;
}

IDXGIAdapter1 *adapter_find(HMODULE dxgi_dll, const char *wanted, bool *refused, char *message, size_t capacity)
{
    CreateDXGIFactory1_function create =
        (CreateDXGIFactory1_function)(void (*)(void))GetProcAddress(dxgi_dll, "CreateDXGIFactory1");
    IDXGIFactory4 *factory = NULL;
    IDXGIAdapter1 *adapter = NULL;
    char text[64], seen[240] = "";
    HRESULT hr = create ? create(&iid_factory4, (void **)&factory) : E_NOINTERFACE;
    if (FAILED(hr)) {
        snprintf(message, capacity, "dxgi.dll cannot create an IDXGIFactory4: %s",
                 hresult_text((uint32_t)hr, text, sizeof text));
        return NULL;
    }
    if (wanted && strcmp(wanted, "warp") == 0) {
        hr = IDXGIFactory4_EnumWarpAdapter(factory, &iid_adapter1, (void **)&adapter);
        if (FAILED(hr)) {
            adapter = NULL;
            *refused = true;
            snprintf(message, capacity, "adapter=warp: there is no WARP adapter: %s",
                     hresult_text((uint32_t)hr, text, sizeof text));
        }
    } else {
        adapter = look_through(factory, wanted, seen, sizeof seen);
        if (!adapter && wanted) {
            *refused = true;
            snprintf(message, capacity, "adapter=%.60s: there is no such adapter; %s", wanted,
                     *seen ? seen : "there is none");
        } else if (!adapter) {
            snprintf(message, capacity, "there is no graphics adapter (dxgi lists none)");
        }
    }
    IDXGIFactory4_Release(factory);
    return adapter;
}
