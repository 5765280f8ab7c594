/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin interface of Touchstone. It connects an implementation under test, the backend, to the suite. An adapter
 * is a shared library that exports one function, touchstone_backend(). docs/backends.md explains how to write one;
 * it is installed in share/touchstone.
 *
 * Language: C11; the header also compiles as C++ and with MSVC.
 * Threads:  Within one process, the suite calls one function of a backend at a time and always from the same thread. It
 *           may run several processes, each with its own instance of the backend, so a backend needs no locks.
 * Memory:   Each side frees only what it allocated itself. Pointers in arguments are valid until the function returns;
 *           the exceptions (`host` and the options of `open`) are documented there.
 * Versions: A structure that may grow has a member with its size, and grows only at its end. Code compiled with an
 *           older or a newer header works as long as TS_BACKEND_ABI is the same. So write no byte beyond the size that
 *           a structure states.
 * Errors:   Functions return a ts_status. To explain a failure, call the host's `note` before returning.
 * Results:  The same call has the same result, bit for bit, whatever was called before it.
 * Process:  Do not print, exit or raise signals.
 *
 * `touchstone probe LIBRARY` tries whether a backend keeps these promises and those of the comments below.
 */
#ifndef TOUCHSTONE_BACKEND_H
#define TOUCHSTONE_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It changes if the meaning of a member changes, not if a structure grows at its end. */
#define TS_BACKEND_ABI 1

/* The length of all arrays of sizes and strides. DirectML allows 8 dimensions; StridedSlice's page has examples of 12,
   to which new axes are added. */
#define TS_MAX_DIMS 16

/* The largest alignment of buffers that a backend may request, in bytes. */
#define TS_MAX_ALIGNMENT 4096

/* Element types. Values 0 to 13 equal those of DML_TENSOR_DATA_TYPE; 14 and 15 are types of OpenVINO. */
typedef enum ts_dtype {
    TS_DTYPE_UNKNOWN = 0, /* in a ts_tensor: the optional tensor is absent */
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

/* A feature level, with the values of DML_FEATURE_LEVEL; 0 if the specification has no levels. */
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

/* The profile of a call: which documented behaviour the suite expects where implementations differ. 0 is the default of
   each operator. */
typedef enum ts_profile {
    TS_PROFILE_DEFAULT = 0,
    TS_PROFILE_NUMPY = 1 /* StridedSlice: clamp the begin of a negative stride to [-1, d-1], as NumPy */
} ts_profile;

/* Parts of a tensor descriptor that are present. A cleared bit stands for a null pointer in that place. */
#define TS_GIVEN_TENSOR  1u /* the tensor itself; cleared, with dtype 0, if an optional tensor is absent */
#define TS_GIVEN_DESC    2u /* DML_TENSOR_DESC::Desc, with Type == BUFFER */
#define TS_GIVEN_SIZES   4u /* Sizes */
#define TS_GIVEN_STRIDES 8u /* Strides; if cleared, `strides` still holds those of packed row-major order */
#define TS_GIVEN_ALL     (TS_GIVEN_TENSOR | TS_GIVEN_DESC | TS_GIVEN_SIZES)

/* The shape of an output that the implementation under test has inferred or found. */
#define TS_RANK_UNREPORTED 0xFFFFFFFFu
typedef struct ts_shape {
    uint32_t rank; /* TS_RANK_UNREPORTED until the backend writes a rank */
    uint32_t reserved;
    uint64_t sizes[TS_MAX_DIMS];
} ts_shape;

/* One tensor of one call. Sizes and strides count elements, outermost dimension first. A negative case may have any
   value in any member: check before use. */
typedef struct ts_tensor {
    uint32_t dtype;          /* ts_dtype */
    uint32_t rank;           /* DimensionCount as stated; may exceed TS_MAX_DIMS in a negative case */
    uint32_t given;          /* TS_GIVEN_* */
    uint32_t flags;          /* DML_TENSOR_FLAGS as stated: 0, or 1 for OWNED_BY_DML */
    uint32_t alignment;      /* GuaranteedBaseOffsetAlignment as stated, in bytes; 0: none */
    uint32_t data_dependent; /* bit k: the size of dimension k of this output depends on the values of inputs. Sizes,
                                strides and bytes are then those of the largest shape that the inputs' shapes allow. A
                                call that is accepted and has data writes the shape that it finds to `reported`, unless
                                that is NULL, and the elements to the start of `data`, packed in row-major order of
                                that shape; the bytes behind them are a gap. 0: the sizes hold. (In older headers, this
                                is `reserved`, and 0.) */
    uint64_t total_bytes;    /* TotalTensorSizeInBytes as stated; the call must not touch any byte beyond */
    void *data;              /* total_bytes bytes of host memory, aligned at least to the element; NULL if the call has
                                TS_CALL_DESCRIPTOR_ONLY. The suite owns it. Do not write to the data of an input. The
                                data of two tensors do not overlap, but see ts_info::in_place */
    ts_shape *reported;      /* NULL, or in an output: where a backend whose implementation infers shapes writes the
                                inferred shape, and every backend the shape of an output that is data_dependent */
    uint64_t sizes[TS_MAX_DIMS];
    uint64_t strides[TS_MAX_DIMS];
} ts_tensor;

/* The result of a function or of one call. A call that was rejected or is unsupported leaves its outputs unchanged. */
typedef enum ts_status {
    TS_OK = 0,          /* accepted; if the tensors have data, the outputs are written */
    TS_REJECTED = 1,    /* the implementation refused the descriptor (E_INVALIDARG or similar), or its indices */
    TS_UNSUPPORTED = 2, /* the backend cannot express the call; if possible, say so in `query` */
    TS_LOST = 3,        /* this call lost the device; recover before the next call if possible */
    TS_ERROR = 4,       /* any other failure; pass the reason to the host's `note` */
    TS_CRASHED = 5      /* this call ended the process that executed it for the backend, not this one; say in a note how
                           it ended, and recover before the next call */
} ts_status;

/* Only determine whether the descriptor is accepted. No tensor has data; execute nothing. */
#define TS_CALL_DESCRIPTOR_ONLY 1u /* the implementation answers; if it cannot be asked without data, TS_UNSUPPORTED */

/* One call of one operator. Do not write to it, or to its tensors or attributes. */
typedef struct ts_call {
    uint32_t struct_size;     /* sizeof(ts_call) of the suite */
    uint32_t tensor_size;     /* sizeof(ts_tensor) of the suite; ts_call_tensor() uses it */
    const char *op;           /* name of the operator, such as "dml.slice1" */
    void *token;              /* the token that `query` stored for this class of calls */
    const void *attrs;        /* the operator's attribute structure, declared in its header in reference/ */
    uint32_t attrs_size;      /* size of that structure in bytes */
    uint32_t attrs_given;     /* a bit for each attribute that is present: TS_SLICE1_GIVEN_INPUT_WINDOW_OFFSETS and so
                                 on, declared beside the structure. The members of an absent one have no meaning;
                                 a number that counts arrays is set in any case */
    uint32_t tensor_count;    /* number of tensors that the operator declares, absent ones included */
    uint32_t flags;           /* TS_CALL_* */
    uint32_t profile;         /* ts_profile */
    ts_level feature_level;   /* the level at which the suite judges the call; 0 if there are none */
    const ts_tensor *tensors; /* use ts_call_tensor() */
} ts_call;

/* Return tensor i of a call. Use this instead of tensors[i], because the suite's ts_tensor may be longer than yours. */
static inline const ts_tensor *ts_call_tensor(const ts_call *call, uint32_t i)
{
    return (const ts_tensor *)(const void *)((const char *)call->tensors + (size_t)i * call->tensor_size);
}

/* Return the next call in the array passed to `submit`. Use this instead of call + 1, because the suite's ts_call may
   be longer than yours:

       for (size_t i = 0; i < n; ++i, call = ts_call_next(call))
           status[i] = ... */
static inline const ts_call *ts_call_next(const ts_call *call)
{
    return (const ts_call *)(const void *)((const char *)call + call->struct_size);
}

/* What the backend reports about itself. Every report shows it. Strings are NUL-terminated UTF-8; leave unknown ones
   empty. */
typedef struct ts_info {
    uint32_t struct_size;      /* set by the suite before the call of `info` */
    uint32_t preferred_batch;  /* best number of calls per `submit`; 0 or 1: one */
    ts_level highest_level;    /* the highest feature level that it implements; 0: it has no levels */
    uint32_t buffer_alignment; /* alignment in bytes that it requires of `data`: a power of two up to
                                  TS_MAX_ALIGNMENT; 0 or 1: that of the element */
    char name[64];             /* of the backend, such as "cpu" */
    char vendor[64];           /* of the implementation under test */
    char version[64];          /* of the implementation under test, not of the adapter */
    char driver[128];          /* name and version of the driver or runtime */
    char device[128];          /* name of the device */
    uint32_t sparse;           /* 1: it accesses only the elements of a strided tensor, so that the suite can run cases
                                  with few elements in 128 GiB of address space; 0: it also accesses bytes between
                                  the elements, and these cases are not planned */
    uint32_t packs;            /* 1: it copies strided tensors to packed memory first, so that cases with 2^31 or more
                                  elements at one address are not planned; 0: it uses the strides directly */
    uint32_t in_place;         /* 1: it executes in place where the specification of the operator allows that: the
                                  output has the `data`, the sizes and the strides of an input, and the input is lost;
                                  0: these cases are not planned */
} ts_info;

/* One option --backend-opt key=value of the command line. */
typedef struct ts_option {
    const char *key;
    const char *value;
} ts_option;

/* What the suite provides to a backend. */
typedef struct ts_host {
    uint32_t struct_size;
    uint32_t reserved;
    void *context; /* pass it to `note` */
    /* Report in one line why something failed. Call it from within a function of ts_backend. The suite copies the text
       and prints it with the verdict of the call, or as the reason why `open` failed. */
    void (*note)(void *context, const char *text);
    /* From within `submit`: the same about call number `call` of the batch, from 0. The host of an older suite ends
       before this member: see struct_size. */
    void (*note_call)(void *context, size_t call, const char *text);
} ts_host;

/*
 * The contract: what the suite demands of a backend, whatever the operator. A finding that rests on it cites the number.
 *   ABI-01  a call comes back: it ends neither the process nor the time limit nor the memory limit
 *   ABI-02  a call that is neither refused nor unsupported is executed: TS_LOST and TS_ERROR are failures
 *   ABI-03  a call reads the bytes of its tensors and of what ts_call points to, and no others
 *   ABI-04  a call writes to the bytes of its outputs, and to no others
 *   ABI-05  a call writes neither to its inputs nor to what ts_call points to
 *   ABI-06  equal calls have equal results, whatever was called before
 */

/* A backend. All functions except `describe_options` and `query_clause` are required. */
typedef struct ts_backend {
    uint32_t struct_size; /* sizeof(ts_backend) of the backend */
    uint32_t abi;         /* TS_BACKEND_ABI of the header that it was compiled with */

    /* Create an instance, store a pointer to it in *self and return TS_OK. Open the device or load the library here.
       `host` and the options remain valid until `close`. Return TS_REJECTED for an unknown option or a wrong value,
       with a note that says what was expected; return TS_ERROR with a note if the implementation is not available. */
    ts_status (*open)(const ts_host *host, const ts_option *options, size_t count, void **self);

    /* Destroy the instance: free its memory, close its files and end its threads. The suite may call `open` again. */
    void (*close)(void *self);

    /* Fill in *info, which the suite has set to zero except for struct_size. */
    ts_status (*info)(void *self, ts_info *info);

    /* Return TS_OK if the backend can express this class of calls, otherwise TS_UNSUPPORTED: then the suite plans no
       case of the class. Any other status is a failure of the backend: each case of the class is `lost`. A class is a
       combination of operator, data types, ranks, profile and absent required attributes; of an operator that is only
       checked, all calls are one class. `shape` describes it: op, profile, attrs_given, and dtype and rank of each
       tensor are set; sizes, data and values of attributes are not. Each process calls `query` once per class, before
       any case of the class. Store a token in *token: the suite passes it with every call of the class; the backend
       owns what it points to. Do not return TS_UNSUPPORTED because the specification forbids the class: negative cases
       test whether the implementation refuses it. */
    ts_status (*query)(void *self, const ts_call *shape, void **token);

    /* Execute n calls and store the result of call i in status[i]; if n is 0, nothing is to be done. The calls are
       independent of each other: a device backend may submit them as one batch, a simple backend executes them in a
       loop (see ts_call_next). Return TS_OK. If the batch failed as a whole, return the reason: it then counts as the
       status of every call. */
    ts_status (*submit)(void *self, const ts_call *calls, size_t n, ts_status *status);

    /* Optional. Return the options for `touchstone backends -v`, one per line: "key=value  what it does". The text must
       remain valid while the library is loaded. A value that is for some operators alone names them before a colon:
       "key=value  dml.slice1 dml.gather: what it does", "all operators but dml.join:" or "checked operators:", those
       that are checked, but not computed. The suite refuses such a value if its queries select none of them. */
    const char *(*describe_options)(void);

    /* Optional; NULL means TS_OK for every clause. Return TS_OK if the backend can pass a descriptor that violates this
       clause (such as "BUF-12") of the operator on to the implementation, otherwise TS_UNSUPPORTED: then the suite
       plans no case that violates the clause. For example, an adapter for a library without strides cannot show it
       wrong strides, so the library could not refuse them. Each process calls it at most once per operator and
       clause. */
    ts_status (*query_clause)(void *self, const char *op, const char *clause);

    /* Optional. One line for `touchstone backends`: what this is, and for whom. */
    const char *summary;
} ts_backend;

#if defined(_WIN32)
#define TS_BACKEND_EXPORT __declspec(dllexport)
#else
#define TS_BACKEND_EXPORT __attribute__((visibility("default")))
#endif

/* The function that a backend exports. `abi` is the suite's TS_BACKEND_ABI. Return the backend, or NULL if it does not
   support this version. The structure must remain valid while the library is loaded, so make it static. */
typedef const ts_backend *(*touchstone_backend_function)(uint32_t abi);
TS_BACKEND_EXPORT const ts_backend *touchstone_backend(uint32_t abi);

#ifdef __cplusplus
}
#endif
#endif
