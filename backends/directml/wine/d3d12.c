/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A d3d12.dll that stands before Wine's, which lies beside it as d3d12_wine.dll, and mends two answers for DirectML:
 *
 * - ID3D12Device5::EnumerateMetaCommands is E_NOTIMPL, and DMLCreateDevice1 fails with it. There are none: S_OK and 0.
 * - CheckFeatureSupport says Int64ShaderOps, so that DirectML chooses a DXIL kernel for RANDOM_GENERATOR, of which
 *   Wine's d3d12 translates none. Without it DirectML chooses its kernel of shader model 5.
 */
#define COBJMACROS
#define CINTERFACE
#include <d3d12.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_CHECK_FEATURE_SUPPORT   13
#define SLOT_ENUMERATE_META_COMMANDS 59
#define FEATURE_OPTIONS1             8

typedef void (*method)(void);
typedef HRESULT(WINAPI *check_feature_support)(void *self, UINT feature, void *data, UINT size);

/* The method that the shim stands before. One process has one implementation of ID3D12Device, and so one table. */
static check_feature_support wine_check_feature_support;

static HRESULT WINAPI shim_enumerate_meta_commands(void *self, UINT *count, void *descs)
{
    (void)self;
    (void)descs;
    if (!count)
        return E_INVALIDARG;
    *count = 0;
    return S_OK;
}

static HRESULT WINAPI shim_check_feature_support(void *self, UINT feature, void *data, UINT size)
{
    HRESULT hr = wine_check_feature_support(self, feature, data, size);
    if (SUCCEEDED(hr) && feature == FEATURE_OPTIONS1)
        memset(data, 0, size);
    return hr;
}

/* Put a method into a table that may be read-only. */
static void replace(method *slot, method with)
{
    DWORD protection;
    if (VirtualProtect(slot, sizeof *slot, PAGE_READWRITE, &protection)) {
        *slot = with;
        VirtualProtect(slot, sizeof *slot, protection, &protection);
    }
}

static FARPROC wine(const char *name)
{
    static HMODULE library;
    if (!library)
        library = LoadLibraryA("d3d12_wine.dll");
    return library ? GetProcAddress(library, name) : NULL;
}

HRESULT WINAPI D3D12CreateDevice(IUnknown *adapter, D3D_FEATURE_LEVEL level, REFIID riid, void **device)
{
    typedef HRESULT(WINAPI * create_function)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
    create_function create = (create_function)(method)wine("D3D12CreateDevice");
    HRESULT hr = create ? create(adapter, level, riid, device) : E_NOINTERFACE;
    if (FAILED(hr) || !device || !*device)
        return hr;
    method *table = *(method **)*device;
    if (table[SLOT_CHECK_FEATURE_SUPPORT] != (method)shim_check_feature_support) {
        wine_check_feature_support = (check_feature_support)table[SLOT_CHECK_FEATURE_SUPPORT];
        replace(&table[SLOT_CHECK_FEATURE_SUPPORT], (method)shim_check_feature_support);
        replace(&table[SLOT_ENUMERATE_META_COMMANDS], (method)shim_enumerate_meta_commands);
    }
    return hr;
}

/* The rest as it is. */
#define FORWARD(name, parameters, arguments)                                                                           \
    HRESULT WINAPI name parameters                                                                                     \
    {                                                                                                                  \
        HRESULT(WINAPI *f) parameters = (HRESULT(WINAPI *) parameters)(method)wine(#name);                             \
        return f ? f arguments : E_NOINTERFACE;                                                                        \
    }

FORWARD(D3D12SerializeRootSignature,
        (const D3D12_ROOT_SIGNATURE_DESC *desc, D3D_ROOT_SIGNATURE_VERSION version, ID3DBlob **blob, ID3DBlob **error),
        (desc, version, blob, error))
FORWARD(D3D12SerializeVersionedRootSignature,
        (const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc, ID3DBlob **blob, ID3DBlob **error), (desc, blob, error))
FORWARD(D3D12CreateRootSignatureDeserializer, (const void *data, SIZE_T size, REFIID riid, void **deserializer),
        (data, size, riid, deserializer))
FORWARD(D3D12CreateVersionedRootSignatureDeserializer,
        (const void *data, SIZE_T size, REFIID riid, void **deserializer), (data, size, riid, deserializer))
FORWARD(D3D12GetDebugInterface, (REFIID riid, void **debug), (riid, debug))
