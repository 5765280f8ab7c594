/* SPDX-License-Identifier: Apache-2.0 */
/* The adapter, the D3D12 device and the DirectML device of one instance: opened once, opened again when lost. */
#ifndef TOUCHSTONE_DIRECTML_DEVICE_H
#define TOUCHSTONE_DIRECTML_DEVICE_H

#include "backends/directml/directml_api.h"
#include "backends/directml/options.h"

#include <dxgi1_6.h>

#define DEVICE_DESCRIPTORS    65536u /* of the one shader-visible heap: a new one costs 0.1 s under Wine */
#define DEVICE_BINDING_TABLES 256    /* operators that can be bound at once */

typedef struct device {
    directml_options options;
    HMODULE d3d12_dll, dxgi_dll, directml_dll;
    IDXGIAdapter1 *adapter;

    /* Of one D3D12 device. */
    ID3D12Device *d3d;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list; /* open between submits */
    ID3D12Fence *fence;
    HANDLE event;
    UINT64 fence_value;
    ID3D12DescriptorHeap *heap;
    D3D12_CPU_DESCRIPTOR_HANDLE cpu_start;
    D3D12_GPU_DESCRIPTOR_HANDLE gpu_start;
    UINT descriptor_step;

    /* Of one DirectML device. */
    IDMLDevice *dml;
    IDMLCommandRecorder *recorder;
    IDMLDispatchable *initializer;                                /* these are made with their first use */
    IDMLBindingTable *init_table, *tables[DEVICE_BINDING_TABLES]; /* the initializer's, and the operators' */
    ts_level highest;                                             /* feature level */

    char message[400]; /* what went wrong last */
} device;

/* Open what the options ask for. False with d->message; *refused where an option is out of place. */
bool device_open(device *d, const directml_options *options, bool *refused);
void device_close(device *d);

/* After a loss: a new DirectML device, on a new D3D12 device where that one is lost too. *renewed: it is, and nothing
   made of the old one may be used any more. False with d->message. */
bool device_recover(device *d, bool *renewed);

/* Put "WHAT: E_FAIL (0x80004005)" into d->message where hr is a failure. Is it none? */
bool device_check(device *d, HRESULT hr, const char *what);

/* Is the device gone, whatever the last call said? */
bool device_is_lost(device *d);

/* Execute what is recorded, wait for it, and open the list again. False with d->message. */
bool device_execute(device *d);

/* Who they are. `version`: DirectML.dll's own; `driver`: the adapter's; `name`: of the adapter. */
void device_describe(device *d, char *version, size_t version_size, char *driver, size_t driver_size, char *name,
                     size_t name_size);

/* Release an interface of D3D12 or DirectML and forget it. */
#define DEVICE_RELEASE(p)                                                                                              \
    do {                                                                                                               \
        if (p)                                                                                                         \
            (p)->lpVtbl->Release(p);                                                                                   \
        (p) = NULL;                                                                                                    \
    } while (0)

#endif
