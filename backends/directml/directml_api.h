/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DirectML's interface in C, as far as this backend uses it. The published DirectML.h is C++ only; the names, the order
 * of the fields and the slots of the methods are those of its documentation. The structures of a descriptor hold
 * plain C types, so that what makes them is compiled and tested on every system.
 *
 * A method that returns a structure by value returns it through a pointer behind `This`.
 */
#ifndef TOUCHSTONE_DIRECTML_API_H
#define TOUCHSTONE_DIRECTML_API_H

#include <stdint.h>

/* ---- descriptors ---- */

#define DML_TENSOR_TYPE_INVALID 0
#define DML_TENSOR_TYPE_BUFFER  1

#define DML_TENSOR_FLAG_NONE         0
#define DML_TENSOR_FLAG_OWNED_BY_DML 1

#define DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT 16
#define DML_SCRATCH_BUFFER_ALIGNMENT        256 /* of temporary and persistent buffers alike */

#define DML_OPERATOR_ELEMENT_WISE_IDENTITY 1
#define DML_OPERATOR_GATHER                67
#define DML_OPERATOR_SCATTER_ELEMENTS      94
#define DML_OPERATOR_JOIN                  63
#define DML_OPERATOR_CUMULATIVE_SUMMATION  105
#define DML_OPERATOR_GATHER_ELEMENTS       107
#define DML_OPERATOR_GATHER_ND             108
#define DML_OPERATOR_SCATTER_ND            109
#define DML_OPERATOR_SLICE1                111
#define DML_OPERATOR_SPACE_TO_DEPTH1       114
#define DML_OPERATOR_RANDOM_GENERATOR      132
#define DML_OPERATOR_GATHER_ND1            140

typedef struct DML_BUFFER_TENSOR_DESC {
    uint32_t DataType; /* DML_TENSOR_DATA_TYPE: ts_dtype has its values */
    uint32_t Flags;
    uint32_t DimensionCount;
    const uint32_t *Sizes;
    const uint32_t *Strides;
    uint64_t TotalTensorSizeInBytes;
    uint32_t GuaranteedBaseOffsetAlignment;
} DML_BUFFER_TENSOR_DESC;

typedef struct DML_TENSOR_DESC {
    uint32_t Type;
    const void *Desc;
} DML_TENSOR_DESC;

typedef struct DML_OPERATOR_DESC {
    uint32_t Type;
    const void *Desc;
} DML_OPERATOR_DESC;

typedef struct DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    const void *ScaleBias; /* a DML_SCALE_BIAS */
} DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC;

typedef struct DML_GATHER_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *IndicesTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t Axis;
    uint32_t IndexDimensions;
} DML_GATHER_OPERATOR_DESC;

typedef struct DML_GATHER_ELEMENTS_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *IndicesTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t Axis;
} DML_GATHER_ELEMENTS_OPERATOR_DESC;

typedef struct DML_GATHER_ND_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *IndicesTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t InputDimensionCount;
    uint32_t IndicesDimensionCount;
} DML_GATHER_ND_OPERATOR_DESC;

typedef struct DML_GATHER_ND1_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *IndicesTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t InputDimensionCount;
    uint32_t IndicesDimensionCount;
    uint32_t BatchDimensionCount;
} DML_GATHER_ND1_OPERATOR_DESC;

typedef struct DML_SCATTER_ELEMENTS_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *IndicesTensor;
    const DML_TENSOR_DESC *UpdatesTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t Axis;
} DML_SCATTER_ELEMENTS_OPERATOR_DESC;

typedef struct DML_JOIN_OPERATOR_DESC {
    uint32_t InputCount;
    const DML_TENSOR_DESC *InputTensors;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t Axis;
} DML_JOIN_OPERATOR_DESC;

typedef struct DML_SCATTER_ND_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *IndicesTensor;
    const DML_TENSOR_DESC *UpdatesTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t InputDimensionCount;
    uint32_t IndicesDimensionCount;
} DML_SCATTER_ND_OPERATOR_DESC;

typedef struct DML_SLICE1_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t DimensionCount;
    const uint32_t *InputWindowOffsets;
    const uint32_t *InputWindowSizes;
    const int32_t *InputWindowStrides;
} DML_SLICE1_OPERATOR_DESC;

typedef struct DML_SPACE_TO_DEPTH1_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t BlockSize;
    uint32_t Order;
} DML_SPACE_TO_DEPTH1_OPERATOR_DESC;

typedef struct DML_CUMULATIVE_SUMMATION_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t Axis;
    uint32_t AxisDirection;
    int32_t HasExclusiveSum; /* BOOL */
} DML_CUMULATIVE_SUMMATION_OPERATOR_DESC;

typedef struct DML_RANDOM_GENERATOR_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputStateTensor;
    const DML_TENSOR_DESC *OutputTensor;
    const DML_TENSOR_DESC *OutputStateTensor;
    uint32_t Type;
} DML_RANDOM_GENERATOR_OPERATOR_DESC;

/* ---- the device: Windows only ---- */

#ifdef _WIN32

#define COBJMACROS
#define CINTERFACE
#define WIDL_EXPLICIT_AGGREGATE_RETURNS
#include <d3d12.h>

#define DML_CREATE_DEVICE_FLAG_NONE  0
#define DML_CREATE_DEVICE_FLAG_DEBUG 1

#define DML_EXECUTION_FLAG_NONE                  0
#define DML_EXECUTION_FLAG_DISABLE_META_COMMANDS 2

#define DML_FEATURE_FEATURE_LEVELS 1
typedef struct DML_FEATURE_QUERY_FEATURE_LEVELS {
    UINT RequestedFeatureLevelCount;
    const UINT *RequestedFeatureLevels;
} DML_FEATURE_QUERY_FEATURE_LEVELS;
typedef struct DML_FEATURE_DATA_FEATURE_LEVELS {
    UINT MaxSupportedFeatureLevel;
} DML_FEATURE_DATA_FEATURE_LEVELS;

typedef struct DML_BINDING_PROPERTIES {
    UINT RequiredDescriptorCount;
    UINT64 TemporaryResourceSize;
    UINT64 PersistentResourceSize;
} DML_BINDING_PROPERTIES;

#define DML_BINDING_TYPE_NONE         0
#define DML_BINDING_TYPE_BUFFER       1
#define DML_BINDING_TYPE_BUFFER_ARRAY 2
typedef struct DML_BINDING_DESC {
    UINT Type;
    const void *Desc;
} DML_BINDING_DESC;
typedef struct DML_BUFFER_BINDING {
    ID3D12Resource *Buffer;
    UINT64 Offset;
    UINT64 SizeInBytes;
} DML_BUFFER_BINDING;
typedef struct DML_BUFFER_ARRAY_BINDING {
    UINT BindingCount;
    const DML_BUFFER_BINDING *Bindings;
} DML_BUFFER_ARRAY_BINDING;

typedef struct IDMLDevice IDMLDevice;
typedef struct IDMLOperator IDMLOperator;
typedef struct IDMLDispatchable IDMLDispatchable; /* a compiled operator or an initializer */
typedef struct IDMLBindingTable IDMLBindingTable;
typedef struct IDMLCommandRecorder IDMLCommandRecorder;

typedef struct DML_BINDING_TABLE_DESC {
    IDMLDispatchable *Dispatchable;
    D3D12_CPU_DESCRIPTOR_HANDLE CPUDescriptorHandle;
    D3D12_GPU_DESCRIPTOR_HANDLE GPUDescriptorHandle;
    UINT SizeInDescriptors;
} DML_BINDING_TABLE_DESC;

/* The slots that every interface of DirectML begins with: IUnknown's and IDMLObject's. */
#define DML_OBJECT_METHODS(Self)                                                                                       \
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(Self * This, REFIID riid, void **object);                               \
    ULONG(STDMETHODCALLTYPE *AddRef)(Self * This);                                                                     \
    ULONG(STDMETHODCALLTYPE *Release)(Self * This);                                                                    \
    HRESULT(STDMETHODCALLTYPE *GetPrivateData)(Self * This, REFGUID guid, UINT * size, void *data);                    \
    HRESULT(STDMETHODCALLTYPE *SetPrivateData)(Self * This, REFGUID guid, UINT size, const void *data);                \
    HRESULT(STDMETHODCALLTYPE *SetPrivateDataInterface)(Self * This, REFGUID guid, IUnknown * data);                   \
    HRESULT(STDMETHODCALLTYPE *SetName)(Self * This, const WCHAR *name);

/* And IDMLDeviceChild's behind them. */
#define DML_CHILD_METHODS(Self)                                                                                        \
    DML_OBJECT_METHODS(Self)                                                                                           \
    HRESULT(STDMETHODCALLTYPE *GetDevice)(Self * This, REFIID riid, void **device);

typedef struct IDMLDeviceVtbl {
    DML_OBJECT_METHODS(IDMLDevice)
    HRESULT(STDMETHODCALLTYPE *CheckFeatureSupport)
    (IDMLDevice *This, UINT feature, UINT query_size, const void *query, UINT data_size, void *data);
    HRESULT(STDMETHODCALLTYPE *CreateOperator)(IDMLDevice *This, const DML_OPERATOR_DESC *desc, REFIID riid, void **op);
    HRESULT(STDMETHODCALLTYPE *CompileOperator)
    (IDMLDevice *This, IDMLOperator *op, UINT flags, REFIID riid, void **compiled);
    HRESULT(STDMETHODCALLTYPE *CreateOperatorInitializer)
    (IDMLDevice *This, UINT count, IDMLDispatchable *const *compiled, REFIID riid, void **initializer);
    HRESULT(STDMETHODCALLTYPE *CreateCommandRecorder)(IDMLDevice *This, REFIID riid, void **recorder);
    HRESULT(STDMETHODCALLTYPE *CreateBindingTable)
    (IDMLDevice *This, const DML_BINDING_TABLE_DESC *desc, REFIID riid, void **table);
    HRESULT(STDMETHODCALLTYPE *Evict)(IDMLDevice *This, UINT count, void *const *pageable);
    HRESULT(STDMETHODCALLTYPE *MakeResident)(IDMLDevice *This, UINT count, void *const *pageable);
    HRESULT(STDMETHODCALLTYPE *GetDeviceRemovedReason)(IDMLDevice *This);
    HRESULT(STDMETHODCALLTYPE *GetParentDevice)(IDMLDevice *This, REFIID riid, void **device);
} IDMLDeviceVtbl;
struct IDMLDevice {
    const IDMLDeviceVtbl *lpVtbl;
};

typedef struct IDMLOperatorVtbl {
    DML_CHILD_METHODS(IDMLOperator)
} IDMLOperatorVtbl;
struct IDMLOperator {
    const IDMLOperatorVtbl *lpVtbl;
};

typedef struct IDMLDispatchableVtbl {
    DML_CHILD_METHODS(IDMLDispatchable)
    DML_BINDING_PROPERTIES *(STDMETHODCALLTYPE *GetBindingProperties)(IDMLDispatchable *This,
                                                                      DML_BINDING_PROPERTIES *properties);
    /* of an IDMLOperatorInitializer only */
    HRESULT(STDMETHODCALLTYPE *Reset)(IDMLDispatchable *This, UINT count, IDMLDispatchable *const *compiled);
} IDMLDispatchableVtbl;
struct IDMLDispatchable {
    const IDMLDispatchableVtbl *lpVtbl;
};

typedef struct IDMLBindingTableVtbl {
    DML_CHILD_METHODS(IDMLBindingTable)
    void(STDMETHODCALLTYPE *BindInputs)(IDMLBindingTable *This, UINT count, const DML_BINDING_DESC *bindings);
    void(STDMETHODCALLTYPE *BindOutputs)(IDMLBindingTable *This, UINT count, const DML_BINDING_DESC *bindings);
    void(STDMETHODCALLTYPE *BindTemporaryResource)(IDMLBindingTable *This, const DML_BINDING_DESC *binding);
    void(STDMETHODCALLTYPE *BindPersistentResource)(IDMLBindingTable *This, const DML_BINDING_DESC *binding);
    HRESULT(STDMETHODCALLTYPE *Reset)(IDMLBindingTable *This, const DML_BINDING_TABLE_DESC *desc);
} IDMLBindingTableVtbl;
struct IDMLBindingTable {
    const IDMLBindingTableVtbl *lpVtbl;
};

typedef struct IDMLCommandRecorderVtbl {
    DML_CHILD_METHODS(IDMLCommandRecorder)
    void(STDMETHODCALLTYPE *RecordDispatch)(IDMLCommandRecorder *This, ID3D12CommandList *list,
                                            IDMLDispatchable *dispatchable, IDMLBindingTable *table);
} IDMLCommandRecorderVtbl;
struct IDMLCommandRecorder {
    const IDMLCommandRecorderVtbl *lpVtbl;
};

/* What DirectML.dll exports. */
typedef HRESULT(WINAPI *DMLCreateDevice1_function)(ID3D12Device *d3d12, UINT flags, UINT minimum_feature_level,
                                                   REFIID riid, void **device);

extern const GUID dml_iid_device, dml_iid_operator, dml_iid_compiled_operator, dml_iid_operator_initializer,
    dml_iid_binding_table, dml_iid_command_recorder;

#endif
#endif
