/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/device.h"

#include "backends/directml/adapter.h"
#include "backends/directml/hresult.h"

#include <d3d12sdklayers.h>
#include <stdio.h>
#include <string.h>

static const GUID iid_d3d12_device = { 0x189819f1, 0x1db6, 0x4b57, { 0xbe, 0x54, 0x18, 0x21, 0x33, 0x9b, 0x85, 0xf7 } };
static const GUID iid_queue = { 0x0ec870a6, 0x5d7e, 0x4c22, { 0x8c, 0xfc, 0x5b, 0xaa, 0xe0, 0x76, 0x16, 0xed } };
static const GUID iid_allocator = { 0x6102dee4, 0xaf59, 0x4b09, { 0xb9, 0x99, 0xb4, 0x4d, 0x73, 0xf0, 0x9b, 0x24 } };
static const GUID iid_list = { 0x5b160d0f, 0xac1b, 0x4185, { 0x8b, 0xa8, 0xb3, 0xae, 0x42, 0xa5, 0xa4, 0x55 } };
static const GUID iid_fence = { 0x0a753dcf, 0xc4d8, 0x4b91, { 0xad, 0xf6, 0xbe, 0x5a, 0x60, 0xd9, 0x5a, 0x76 } };
static const GUID iid_heap = { 0x8efb471d, 0x616c, 0x4f49, { 0x90, 0xf7, 0x12, 0x7b, 0xb7, 0x63, 0xfa, 0x51 } };
static const GUID iid_debug = { 0x344488b7, 0x6846, 0x474b, { 0xb9, 0x89, 0xf0, 0x27, 0x44, 0x82, 0x45, 0xe0 } };

#define LONGEST_PATH    1024
#define LONGEST_WAIT_MS 600000u /* the suite interrupts a call much earlier; this is for other callers */

bool device_check(device *d, HRESULT hr, const char *what)
{
    char text[64];
    if (SUCCEEDED(hr))
        return true;
    snprintf(d->message, sizeof d->message, "%s: %s", what, hresult_text((uint32_t)hr, text, sizeof text));
    return false;
}

bool device_is_lost(device *d)
{
    return !d->d3d || !d->dml || FAILED(d->dml->lpVtbl->GetDeviceRemovedReason(d->dml)) ||
           FAILED(ID3D12Device_GetDeviceRemovedReason(d->d3d));
}

/* ---- the libraries ---- */

static bool load(device *d, HMODULE *library, const char *name)
{
    *library = LoadLibraryA(name);
    if (!*library)
        snprintf(d->message, sizeof d->message, "%s cannot be loaded (Windows error %lu)", name, GetLastError());
    return *library != NULL;
}

/* Load by absolute path, so that Windows looks for its dependencies beside it and does not take this backend, whose
   file may also be called directml.dll. */
static HMODULE load_file(const WCHAR *name)
{
    WCHAR whole[LONGEST_PATH];
    HMODULE self = NULL, found = NULL;
    DWORD length = GetFullPathNameW(name, LONGEST_PATH, whole, NULL);
    if (length > 0 && length < LONGEST_PATH)
        found = LoadLibraryExW(whole, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       (LPCWSTR)(uintptr_t)load_file, &self);
    if (!found || found != self)
        return found;
    FreeLibrary(found);
    return NULL;
}

/* Load DirectML.dll of the folder in the first `length` characters of path[LONGEST_PATH]. */
static HMODULE load_from_folder(WCHAR *path, DWORD length)
{
    static const WCHAR file[] = L"\\DirectML.dll";
    if (length == 0 || length + sizeof file / sizeof *file > LONGEST_PATH)
        return NULL;
    memcpy(path + length, file, sizeof file);
    return load_file(path);
}

static bool load_directml(device *d, bool *refused)
{
    WCHAR path[LONGEST_PATH];
    const char *name = d->options.dll;
    if (name) {
        if (MultiByteToWideChar(CP_UTF8, 0, name, -1, path, LONGEST_PATH) > 0)
            d->directml_dll = load_file(path);
        if (!d->directml_dll) {
            *refused = true;
            snprintf(d->message, sizeof d->message,
                     "dll=%.200s cannot be loaded (Windows error %lu): expected a DirectML.dll", name, GetLastError());
        }
        return d->directml_dll != NULL;
    }
    DWORD length = GetModuleFileNameW(NULL, path, LONGEST_PATH);
    while (length > 0 && path[length - 1] != L'\\')
        --length;
    d->directml_dll = load_from_folder(path, length > 0 ? length - 1 : 0);
    if (!d->directml_dll)
        d->directml_dll = load_from_folder(path, GetSystemDirectoryW(path, LONGEST_PATH));
    if (!d->directml_dll)
        snprintf(d->message, sizeof d->message,
                 "DirectML.dll is neither beside the program nor in the system folder (Windows error %lu); "
                 "--backend-opt dll=FILE names another",
                 GetLastError());
    return d->directml_dll != NULL;
}

static void *function(HMODULE library, const char *name)
{
    return (void *)(uintptr_t)GetProcAddress(library, name);
}

/* ---- D3D12 ---- */

static bool enable_debug_layer(device *d, bool *refused)
{
    PFN_D3D12_GET_DEBUG_INTERFACE get =
        (PFN_D3D12_GET_DEBUG_INTERFACE)(uintptr_t)function(d->d3d12_dll, "D3D12GetDebugInterface");
    ID3D12Debug *debug = NULL;
    if (!device_check(d, get ? get(&iid_debug, (void **)&debug) : E_NOINTERFACE,
                      "debug=1: the debug layer of D3D12 is missing (Windows' optional feature Graphics Tools)")) {
        *refused = true;
        return false;
    }
    ID3D12Debug_EnableDebugLayer(debug);
    ID3D12Debug_Release(debug);
    return true;
}

static bool make_list(device *d)
{
    return device_check(d,
                        ID3D12Device_CreateCommandAllocator(d->d3d, D3D12_COMMAND_LIST_TYPE_DIRECT, &iid_allocator,
                                                            (void **)&d->allocator),
                        "ID3D12Device::CreateCommandAllocator") &&
           device_check(d,
                        ID3D12Device_CreateCommandList(d->d3d, 0, D3D12_COMMAND_LIST_TYPE_DIRECT, d->allocator, NULL,
                                                       &iid_list, (void **)&d->list),
                        "ID3D12Device::CreateCommandList");
}

static bool make_heap(device *d)
{
    D3D12_DESCRIPTOR_HEAP_DESC desc = { .Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
                                        .NumDescriptors = DEVICE_DESCRIPTORS,
                                        .Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE };
    if (!device_check(d, ID3D12Device_CreateDescriptorHeap(d->d3d, &desc, &iid_heap, (void **)&d->heap),
                      "ID3D12Device::CreateDescriptorHeap"))
        return false;
    d->heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(d->heap, &d->cpu_start);
    d->heap->lpVtbl->GetGPUDescriptorHandleForHeapStart(d->heap, &d->gpu_start);
    d->descriptor_step = ID3D12Device_GetDescriptorHandleIncrementSize(d->d3d, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
    return true;
}

static bool open_d3d12(device *d)
{
    PFN_D3D12_CREATE_DEVICE create = (PFN_D3D12_CREATE_DEVICE)(uintptr_t)function(d->d3d12_dll, "D3D12CreateDevice");
    const D3D12_COMMAND_QUEUE_DESC queue = { .Type = D3D12_COMMAND_LIST_TYPE_DIRECT,
                                             .Flags = D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT };
    d->fence_value = 0;
    return device_check(
               d,
               create ? create((IUnknown *)d->adapter, D3D_FEATURE_LEVEL_11_0, &iid_d3d12_device, (void **)&d->d3d)
                      : E_NOINTERFACE,
               "D3D12CreateDevice") &&
           device_check(d, ID3D12Device_CreateCommandQueue(d->d3d, &queue, &iid_queue, (void **)&d->queue),
                        "ID3D12Device::CreateCommandQueue") &&
           make_list(d) &&
           device_check(d, ID3D12Device_CreateFence(d->d3d, 0, D3D12_FENCE_FLAG_NONE, &iid_fence, (void **)&d->fence),
                        "ID3D12Device::CreateFence") &&
           make_heap(d);
}

static void close_d3d12(device *d)
{
    DEVICE_RELEASE(d->heap);
    DEVICE_RELEASE(d->fence);
    DEVICE_RELEASE(d->list);
    DEVICE_RELEASE(d->allocator);
    DEVICE_RELEASE(d->queue);
    DEVICE_RELEASE(d->d3d);
}

/* ---- DirectML ---- */

static void close_directml(device *d)
{
    DEVICE_RELEASE(d->initializer);
    DEVICE_RELEASE(d->init_table);
    for (size_t i = 0; i < DEVICE_BINDING_TABLES; ++i)
        DEVICE_RELEASE(d->tables[i]);
    DEVICE_RELEASE(d->recorder);
    DEVICE_RELEASE(d->dml);
}

static bool open_directml(device *d, bool *refused)
{
    DMLCreateDevice1_function create =
        (DMLCreateDevice1_function)(uintptr_t)function(d->directml_dll, "DMLCreateDevice1");
    const UINT flags = d->options.debug ? DML_CREATE_DEVICE_FLAG_DEBUG : DML_CREATE_DEVICE_FLAG_NONE;
    const DML_FEATURE_QUERY_FEATURE_LEVELS query = { OPTIONS_LEVELS, options_levels };
    DML_FEATURE_DATA_FEATURE_LEVELS answer = { 0 };
    char wants[16], has[16];
    if (!create) {
        snprintf(d->message, sizeof d->message,
                 "DirectML.dll has no function DMLCreateDevice1: expected DirectML 1.1 or later");
        return false;
    }
    if (!device_check(d, create(d->d3d, flags, TS_LEVEL_1_0, &dml_iid_device, (void **)&d->dml), "DMLCreateDevice1")) {
        *refused = d->options.debug; /* DirectML.Debug.dll may be missing */
        return false;
    }
    if (!device_check(d,
                      d->dml->lpVtbl->CheckFeatureSupport(d->dml, DML_FEATURE_FEATURE_LEVELS, sizeof query, &query,
                                                          sizeof answer, &answer),
                      "IDMLDevice::CheckFeatureSupport of the feature levels"))
        return false;
    d->highest = answer.MaxSupportedFeatureLevel;
    if (d->highest < d->options.target) {
        *refused = true;
        snprintf(d->message, sizeof d->message,
                 "target=%s: the highest feature level of this DirectML and device is %s",
                 options_level_name(d->options.target, wants, sizeof wants),
                 options_level_name(d->highest, has, sizeof has));
        return false;
    }
    return device_check(d,
                        d->dml->lpVtbl->CreateCommandRecorder(d->dml, &dml_iid_command_recorder, (void **)&d->recorder),
                        "IDMLDevice::CreateCommandRecorder");
}

/* ---- the whole ---- */

bool device_open(device *d, const directml_options *options, bool *refused)
{
    memset(d, 0, sizeof *d);
    d->options = *options;
    d->event = CreateEventA(NULL, FALSE, FALSE, NULL);
    if (!d->event)
        snprintf(d->message, sizeof d->message, "CreateEvent: Windows error %lu", GetLastError());
    if (!d->event || !load(d, &d->d3d12_dll, "d3d12.dll") || !load(d, &d->dxgi_dll, "dxgi.dll") ||
        !load_directml(d, refused) || (options->debug && !enable_debug_layer(d, refused)))
        return false;
    d->adapter = adapter_find(d->dxgi_dll, options->adapter, refused, d->message, sizeof d->message);
    return d->adapter && open_d3d12(d) && open_directml(d, refused);
}

void device_close(device *d)
{
    close_directml(d);
    close_d3d12(d);
    DEVICE_RELEASE(d->adapter);
    if (d->directml_dll)
        FreeLibrary(d->directml_dll);
    if (d->dxgi_dll)
        FreeLibrary(d->dxgi_dll);
    if (d->d3d12_dll)
        FreeLibrary(d->d3d12_dll);
    if (d->event)
        CloseHandle(d->event);
    memset(d, 0, sizeof *d);
}

bool device_recover(device *d, bool *renewed)
{
    bool refused = false;
    *renewed = !d->d3d || !d->heap || FAILED(ID3D12Device_GetDeviceRemovedReason(d->d3d));
    close_directml(d);
    if (*renewed) {
        close_d3d12(d);
        return open_d3d12(d) && open_directml(d, &refused);
    }
    /* The list may contain a part of the failed batch. */
    DEVICE_RELEASE(d->list);
    DEVICE_RELEASE(d->allocator);
    return make_list(d) && open_directml(d, &refused);
}

bool device_execute(device *d)
{
    ID3D12CommandList *const lists[] = { (ID3D12CommandList *)d->list };
    if (!device_check(d, ID3D12GraphicsCommandList_Close(d->list), "ID3D12GraphicsCommandList::Close"))
        return false;
    ID3D12CommandQueue_ExecuteCommandLists(d->queue, 1, lists);
    const UINT64 value = ++d->fence_value;
    if (!device_check(d, ID3D12CommandQueue_Signal(d->queue, d->fence, value), "ID3D12CommandQueue::Signal"))
        return false;
    if (ID3D12Fence_GetCompletedValue(d->fence) < value) {
        if (!device_check(d, ID3D12Fence_SetEventOnCompletion(d->fence, value, d->event),
                          "ID3D12Fence::SetEventOnCompletion"))
            return false;
        if (WaitForSingleObject(d->event, LONGEST_WAIT_MS) != WAIT_OBJECT_0) {
            snprintf(d->message, sizeof d->message, "the device does not respond");
            return false;
        }
    }
    return device_check(d, ID3D12Device_GetDeviceRemovedReason(d->d3d), "the D3D12 device is removed") &&
           device_check(d, d->dml->lpVtbl->GetDeviceRemovedReason(d->dml), "the DirectML device is removed") &&
           device_check(d, ID3D12CommandAllocator_Reset(d->allocator), "ID3D12CommandAllocator::Reset") &&
           device_check(d, ID3D12GraphicsCommandList_Reset(d->list, d->allocator, NULL),
                        "ID3D12GraphicsCommandList::Reset");
}
