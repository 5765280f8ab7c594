/* SPDX-License-Identifier: Apache-2.0 */
/* The adapter, the D3D12 device and the DirectML device of one instance. Opened once, and again after a loss. */
#ifndef TOUCHSTONE_DIRECTML_DEVICE_H
#define TOUCHSTONE_DIRECTML_DEVICE_H

#include "backends/directml/directml_api.h"
#include "backends/directml/options.h"

#include <dxgi1_6.h>

#define DEVICE_DESCRIPTORS    65536u /* size of the only shader-visible heap: creating one takes 0.1 s under Wine */
#define DEVICE_BINDING_TABLES 256    /* operators that can be bound at the same time */

typedef struct device {
    directml_options options;
    HMODULE d3d12_dll, dxgi_dll, directml_dll;
    IDXGIAdapter1 *adapter;

    /* Objects of one D3D12 device. */
    ID3D12Device *d3d;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list; /* open between submissions */
    ID3D12Fence *fence;
    HANDLE event;
    UINT64 fence_value;
    ID3D12DescriptorHeap *heap;
    D3D12_CPU_DESCRIPTOR_HANDLE cpu_start;
    D3D12_GPU_DESCRIPTOR_HANDLE gpu_start;
    UINT descriptor_step;

    /* Objects of one DirectML device. */
    IDMLDevice *dml;
    IDMLCommandRecorder *recorder;
    IDMLDispatchable *initializer;                                /* created at first use */
    IDMLBindingTable *init_table, *tables[DEVICE_BINDING_TABLES]; /* of the initializer and of the operators */
    ts_level highest;                                             /* feature level */

    char message[400]; /* the last error */
} device;

/* Open the device that the options name. False with d->message; *refused if an option is wrong. */
bool device_open(device *d, const directml_options *options, bool *refused);
void device_close(device *d);

/* After a loss, create a new DirectML device, and a new D3D12 device if that is lost too. *renewed: the D3D12 device is
   new; do not use objects of the old one any more. False with d->message. */
bool device_recover(device *d, bool *renewed);

/* True if hr is a success. Otherwise write "WHAT: E_FAIL (0x80004005)" to d->message. */
bool device_check(device *d, HRESULT hr, const char *what);

/* Is the device lost, whatever the last call returned? */
bool device_is_lost(device *d);

/* Execute the recorded list, wait for it, and open the list again. False with d->message. */
bool device_execute(device *d);

/* Write the version of DirectML.dll, the version of the adapter's driver, and the adapter's name. */
void device_describe(device *d, char *version, size_t version_size, char *driver, size_t driver_size, char *name,
                     size_t name_size);

/* Release an interface of D3D12 or DirectML and set the pointer to NULL. */
#define DEVICE_RELEASE(p)                                                                                              \
    do {                                                                                                               \
        if (p)                                                                                                         \
            (p)->lpVtbl->Release(p);                                                                                   \
        (p) = NULL;                                                                                                    \
    } while (0)

#endif
