/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin interface of Touchstone: what a backend (an implementation under test) is to the suite.
 *
 * A backend is one shared library that exports one function, touchstone_backend(). The interface is plain C11,
 * usable from C++ and from MSVC. Every structure that may grow starts with its own size. Nothing that one side
 * allocates is freed by the other. The suite calls a backend from one thread of one process at a time; it may
 * start several processes, each with a backend of its own.
 *
 * backends/README.md walks through writing one.
 */
#ifndef TOUCHSTONE_BACKEND_H
#define TOUCHSTONE_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It changes when a structure changes its meaning, not when one grows at its end. */
#define TS_BACKEND_ABI 1

/* Room for dimensions in every structure: DirectML uses at most 8; StridedSlice's pages use 12, and new axes add. */
#define TS_MAX_DIMS 16

/* The most that a backend may ask buffers to be aligned to, in bytes: a page. */
#define TS_MAX_ALIGNMENT 4096

/* Element types. The values 0 to 13 are DML_TENSOR_DATA_TYPE's own; the two after it are OpenVINO's. */
typedef enum ts_dtype {
    TS_DTYPE_UNKNOWN = 0, /* in a ts_tensor: this optional tensor is absent */
    TS_FLOAT32 = 1,
    TS_FLOAT16 = 2,
    TS_UINT32 = 3,
    TS_UINT16 = 4,
    TS_UINT8 = 5,
    TS_INT32 = 6,
    TS_INT16 = 7,
    TS_INT8 = 8,
    TS_FLOAT64 = 9,
    TS_UINT64 = 10,
    TS_INT64 = 11,
    TS_UINT4 = 12,
    TS_INT4 = 13,
    TS_BFLOAT16 = 14,
    TS_BOOLEAN = 15, /* one byte, 0 or 1 */
    TS_DTYPE_COUNT = 16
} ts_dtype;

/* DML_FEATURE_LEVEL, by its own values; 0 where a specification knows no levels. */
typedef uint32_t ts_level;
#define TS_LEVEL_1_0 0x1000u
#define TS_LEVEL_2_0 0x2000u
#define TS_LEVEL_2_1 0x2100u
#define TS_LEVEL_3_0 0x3000u
#define TS_LEVEL_3_1 0x3100u
#define TS_LEVEL_4_0 0x4000u
#define TS_LEVEL_4_1 0x4100u
#define TS_LEVEL_5_0 0x5000u
#define TS_LEVEL_5_1 0x5100u
#define TS_LEVEL_5_2 0x5200u
#define TS_LEVEL_6_0 0x6000u
#define TS_LEVEL_6_1 0x6100u
#define TS_LEVEL_6_2 0x6200u
#define TS_LEVEL_6_3 0x6300u
#define TS_LEVEL_6_4 0x6400u

/* The profile of a call: a documented choice where implementations differ. 0 is each operator's default. */
typedef enum ts_profile {
    TS_PROFILE_DEFAULT = 0,
    TS_PROFILE_NUMPY = 1 /* StridedSlice: a reverse begin is clamped to [-1, d-1], as NumPy does */
} ts_profile;

/* Which parts of a tensor descriptor are present: a cleared bit stands for a null pointer in the descriptor. */
#define TS_GIVEN_TENSOR 1u  /* the tensor itself: cleared with dtype 0 for an absent optional tensor */
#define TS_GIVEN_DESC 2u    /* DML_TENSOR_DESC::Desc, with Type == BUFFER */
#define TS_GIVEN_SIZES 4u   /* Sizes */
#define TS_GIVEN_STRIDES 8u /* Strides; where cleared, `strides` still holds the packed row-major ones */
#define TS_GIVEN_ALL (TS_GIVEN_TENSOR | TS_GIVEN_DESC | TS_GIVEN_SIZES)

/* A shape that a backend found out by itself. */
#define TS_RANK_UNREPORTED 0xFFFFFFFFu
typedef struct ts_shape {
    uint32_t rank; /* TS_RANK_UNREPORTED until the backend says otherwise */
    uint32_t reserved;
    uint64_t sizes[TS_MAX_DIMS];
} ts_shape;

/* One tensor of one call. Sizes and strides count elements, outermost dimension first. */
typedef struct ts_tensor {
    uint32_t dtype;       /* ts_dtype */
    uint32_t rank;        /* DimensionCount as stated; in a negative case it may exceed TS_MAX_DIMS */
    uint32_t given;       /* TS_GIVEN_* */
    uint32_t flags;       /* DML_TENSOR_FLAGS as stated: 0, or 1 for OWNED_BY_DML */
    uint32_t alignment;   /* GuaranteedBaseOffsetAlignment as stated, bytes; 0 is none */
    uint32_t reserved;
    uint64_t total_bytes; /* TotalTensorSizeInBytes as stated: what the call may touch, and no byte more */
    void *data;           /* total_bytes of host memory, aligned to the element at least; NULL in a call that asks
                             for acceptance only. Read-only for an input */
    ts_shape *reported;   /* outputs only, else NULL: a backend that infers the shape itself writes it here */
    uint64_t sizes[TS_MAX_DIMS];
    uint64_t strides[TS_MAX_DIMS];
} ts_tensor;

/* How one call went. */
typedef enum ts_status {
    TS_OK = 0,          /* accepted; outputs, where there was data, are written */
    TS_REJECTED = 1,    /* the descriptor was refused (E_INVALIDARG and its kin) */
    TS_UNSUPPORTED = 2, /* a legal descriptor that this implementation cannot express: `query` should have said so */
    TS_LOST = 3,        /* the device was lost during this call; the backend has recovered or will not */
    TS_ERROR = 4        /* anything else that went wrong; call the host's `note` with the reason */
} ts_status;

/* Ask only whether the descriptor is accepted: no tensor has data, nothing is executed. */
#define TS_CALL_DESCRIPTOR_ONLY 1u

/* One call of one operator. */
typedef struct ts_call {
    uint32_t struct_size;   /* sizeof(ts_call) of the suite */
    uint32_t tensor_size;   /* sizeof(ts_tensor) of the suite: the step of `tensors`, see ts_call_tensor */
    const char *op;         /* the operator: "dml.slice1" */
    void *token;            /* what `query` answered for this class of calls */
    const void *attrs;      /* the operator's attribute structure, from its header in reference/ */
    uint32_t attrs_size;    /* bytes of it */
    uint32_t attrs_given;   /* bit k: attribute k of the operator's declaration is not a null pointer */
    uint32_t tensor_count;  /* as the operator declares them, absent optional ones included (dtype 0) */
    uint32_t flags;         /* TS_CALL_* */
    uint32_t profile;       /* ts_profile */
    ts_level feature_level; /* the level the call is judged at; 0 where the specification has none */
    const ts_tensor *tensors;
} ts_call;

/* Tensor i of a call, whatever the size of the suite's structures. */
static inline const ts_tensor *ts_call_tensor(const ts_call *call, uint32_t i)
{
    return (const ts_tensor *)(const void *)((const char *)call->tensors + (size_t)i * call->tensor_size);
}

/* The call behind this one in the array that `submit` is given, whatever the size of the suite's structures:

       for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
           status[i] = ... */
static inline const ts_call *ts_call_next(const ts_call *call)
{
    return (const ts_call *)(const void *)((const char *)call + call->struct_size);
}

/* Who the backend is: copied into every report. Strings are NUL-terminated UTF-8, empty where unknown. */
typedef struct ts_info {
    uint32_t struct_size;          /* set by the suite */
    uint32_t preferred_batch;      /* calls per submit that it likes best; 0 or 1: one at a time */
    ts_level highest_level;        /* the highest feature level it implements; 0: it knows none */
    uint32_t buffer_alignment;     /* alignment in bytes it wants for `data`: a power of two up to TS_MAX_ALIGNMENT; 0
                                      or 1: the element's own */
    char name[64];                 /* "cpu" */
    char vendor[64];               /* who makes it */
    char version[64];              /* of the implementation under test */
    char driver[128];              /* driver or runtime, with its version */
    char device[128];              /* the device it runs on */
    uint32_t sparse;               /* 1: of a strided tensor it touches nothing but the elements, so that it can be given
                                      few elements over 128 GiB of address space; 0: it is not */
    uint32_t packs;                /* 1: it copies a strided tensor to a packed one first, so that it is not given one of
                                      2^31 elements at one address; 0: it takes strides as they are */
} ts_info;

/* An option of the command line: --backend-opt key=value. */
typedef struct ts_option {
    const char *key;
    const char *value;
} ts_option;

/* What the suite offers to a backend. */
typedef struct ts_host {
    uint32_t struct_size;
    uint32_t reserved;
    void *context; /* to be handed back to `note` */
    /* Say why something went wrong, in one line. The suite copies the text and shows it with the call's verdict,
       or as the reason why `open` failed. */
    void (*note)(void *context, const char *text);
} ts_host;

/* One backend. All functions but `describe_options` are required. */
typedef struct ts_backend {
    uint32_t struct_size; /* sizeof(ts_backend) of the backend */
    uint32_t abi;         /* TS_BACKEND_ABI it was built for */

    /* Make an instance. `host` and the options live until `close`. An option that it does not know, or a value that
       is out of place, is TS_REJECTED with a note that says what was expected. */
    ts_status (*open)(const ts_host *host, const ts_option *options, size_t count, void **self);
    void (*close)(void *self);

    /* Fill in *info. */
    ts_status (*info)(void *self, ts_info *info);

    /* Can this class of calls be expressed at all? Asked once per operator, data types, ranks, profile and attributes
       that are needed and left out, before cases are expanded: the call has dtypes, ranks and attrs_given, no sizes and
       no values of attributes. TS_OK or TS_UNSUPPORTED; *token comes back in every call of the class. */
    ts_status (*query)(void *self, const ts_call *shape, void **token);

    /* Execute n calls and set status[i] for each. A device backend batches them; a simple one loops. Returns TS_OK
       unless the whole batch failed, in which case every status counts as the returned one. */
    ts_status (*submit)(void *self, const ts_call *calls, size_t n, ts_status *status);

    /* May be NULL: the options it knows, one per line, "key=value  what it does", for `touchstone backends`. */
    const char *(*describe_options)(void);

    /* May be NULL, every clause: can the implementation be shown what breaks this clause of an operator ("BUF-12"), so
       that it is the one that refuses? An adapter whose library has no strides, say, cannot let it refuse wrong ones.
       Asked once per operator and clause, before cases are expanded; cases that are to break a clause which is
       TS_UNSUPPORTED are not planned. */
    ts_status (*query_clause)(void *self, const char *op, const char *clause);
} ts_backend;

#if defined(_WIN32)
#define TS_BACKEND_EXPORT __declspec(dllexport)
#else
#define TS_BACKEND_EXPORT __attribute__((visibility("default")))
#endif

/* The one function that a backend exports. `abi` is the suite's TS_BACKEND_ABI; a backend that cannot serve it
   returns NULL. The structure is static: it outlives every instance. */
typedef const ts_backend *(*touchstone_backend_function)(uint32_t abi);
TS_BACKEND_EXPORT const ts_backend *touchstone_backend(uint32_t abi);

#ifdef __cplusplus
}
#endif
#endif
