/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of faults, and helpers that their functions share.
 *
 * To add a fault, write its function, add a row to the table at the end of its file, and name it in the table of
 * README.md. The unit tests check that each fault shows on every operator that its row claims; one that random calls do
 * not show needs a row in faulty_calls.h.
 */
#ifndef TOUCHSTONE_FAULT_H
#define TOUCHSTONE_FAULT_H

#include "harness/model/operator.h"

enum {
    ON_SLICE1 = 1,
    ON_GATHER = 2,
    ON_RANDOM = 4,
    ON_IDENTITY = 8,
    ON_STRIDED = 16,
    ON_GATHER_ELEMENTS = 32, /* and what holds for ON_COPIES or ON_DML as a whole: faulty.c */
    ON_SCATTER_ELEMENTS = 64,
    ON_SCATTER_ND = 128,
    ON_GATHER_ND = 256,
    ON_GATHER_ND1 = 512,
    ON_OTHER = 1024,         /* an operator without a row in faulty.c */
    ON_OTHER_INDICES = 2048, /* and besides, that its second tensor has indices */
    ON_CHECKED = 4096,       /* an operator that is checked, but not computed: descriptors alone */
    ON_DEPENDENT = 16384,    /* besides ON_OTHER, that the shape of its output depends on data */
    ON_SPACE_TO_DEPTH = 8192,
    ON_CUMULATIVE_SUMMATION = 1 << 15,
    ON_JOIN = 1 << 16, /* from here on operators without a row in known[] as well, for faults of them by name */
    ON_GATHER_1 = 1 << 17,
    ON_GATHER_7 = 1 << 18,
    ON_GATHER_8 = 1 << 19,
    ON_OPENVINO_GATHER_ELEMENTS = 1 << 20,
    ON_GATHER_ND_5 = 1 << 21,
    ON_GATHER_ND_8 = 1 << 22,
    ON_GATHER_TREE = 1 << 23,
    ON_SCATTER_UPDATE = 1 << 24,
    ON_SCATTER_ELEMENTS_UPDATE = 1 << 25,
    ON_SCATTER_ND_UPDATE = 1 << 26,
    ON_NON_ZERO = 1 << 27,
    ON_OPENVINO_INDEXED = ON_GATHER_1 | ON_GATHER_7 | ON_GATHER_8 | ON_OPENVINO_GATHER_ELEMENTS | ON_GATHER_ND_5 |
                          ON_GATHER_ND_8 | ON_SCATTER_UPDATE | ON_SCATTER_ELEMENTS_UPDATE | ON_SCATTER_ND_UPDATE,
    ON_GATHERS = ON_GATHER | ON_GATHER_ELEMENTS,
    ON_SCATTERS = ON_SCATTER_ELEMENTS | ON_SCATTER_ND,
    ON_AXIS = ON_GATHERS | ON_SCATTER_ELEMENTS, /* those with the attribute Axis */
    ON_GATHER_NDS = ON_GATHER_ND | ON_GATHER_ND1,
    ON_TUPLES = ON_GATHER_NDS | ON_SCATTER_ND, /* those whose indices are tuples */
    ON_INDEXED = ON_AXIS | ON_TUPLES,
    ON_SLICES = ON_SLICE1 | ON_STRIDED,
    ON_AFFINE = ON_SLICES | ON_IDENTITY,
    ON_COPIES = ON_AFFINE | ON_GATHER,
    ON_DML = ON_SLICE1 | ON_GATHER | ON_RANDOM | ON_IDENTITY,
    ON_ALL = ON_COPIES | ON_RANDOM,
    ON_RESULTS = ON_RANDOM | ON_OTHER |
                 ON_CUMULATIVE_SUMMATION /* those whose result is made first and then copied on the faulty path */
};

/* The class of real defects that a fault stands for: what decides whether a kernel takes the path that is wrong. */
typedef enum fault_class {
    TAILS,      /* the length of a row modulo the width of a vector */
    TILES,      /* two or three dimensions above the tile at once, transposed */
    GRIDS,      /* more groups than one dimension of a dispatch holds; the seam between threads */
    DIVISIONS,  /* a division by a size that is no power of two */
    LAYOUTS,    /* permutations, pitches, broadcasts, alignment */
    MAGNITUDES, /* offsets, strides, steps and indices that are large */
    PATTERNS,   /* what the data looks like: runs, constants, zeros */
    COUNTS,     /* the number of dimensions, rows, batches, steps, indices, bytes of a row */
    HISTORY,    /* earlier calls */
    ACCEPTANCE, /* a legal call is refused */
    REFUSAL,    /* an illegal call is accepted */
    VALUES,     /* the bits of an element */
    MEANING,    /* the specification is misread, in every call that the sentence concerns */
    MEMORY,     /* bytes outside of the elements are read or written */
    PROCESS,    /* the process ends, hangs or grows */
    FAULT_CLASSES
} fault_class;

/* One call of the faulty backend. */
typedef struct fault_call {
    const ts_descriptor *d; /* legal by the reference, unless a faulty judge accepted it */
    const ts_tensor *in;    /* the first tensor */
    const ts_tensor *out;   /* the output that holds the result */
    uint32_t on;            /* the operator: one of ON_* */
    uint64_t number;        /* number of earlier calls of this instance */
    uint64_t *carried;      /* a word of state that survives the call */
    void **kept;            /* state of fault_cache.c; NULL at first */
} fault_call;

struct fault_path;
struct fault_place;

/* A row. Each of its functions may be NULL: then that part is correct. */
typedef struct fault {
    const char *name;
    uint32_t operators; /* ON_* */
    fault_class class;
    const char *line; /* description: the real defect that it stands for */
    /* Execute the call. */
    void (*execute)(const fault_call *call);
    /* Is the descriptor accepted? `report` is the reference's. */
    bool (*judge)(const fault_call *call, const ts_report *report);
    /* Modify the shape that is reported: the inferred one, or where it depends on data that of the result. */
    void (*reshape)(const fault_call *call, ts_shape *shape);
    /* A fault of one code path (fault_path.h), instead of `execute`: does a kernel copy this call on the path? Then
       `wrong` modifies the place of each element that it gets wrong. */
    bool (*takes)(const struct fault_path *path);
    void (*wrong)(const struct fault_path *path, struct fault_place *place);
    /* The dimensions that an output needs to show it: it is no fault of an operator that never has so many. Nor is
       one that needs calls of several ranks a fault of an operator that has one. */
    uint32_t dims;
    bool ranks;
} fault;

typedef struct fault_table {
    const fault *rows;
    size_t count;
} fault_table;

extern const fault_table fault_values;   /* bits of an element */
extern const fault_table fault_memory;   /* elements left out, accesses outside */
extern const fault_table fault_layout;   /* strides, steps and dimensions of the copying operators */
extern const fault_table fault_gather;   /* indices */
extern const fault_table fault_tuple;    /* tuples of indices, batches */
extern const fault_table fault_scatter;  /* updates */
extern const fault_table fault_blocks;   /* blocks that become channels */
extern const fault_table fault_sums;     /* sums along an axis */
extern const fault_table fault_non_zero; /* elements that are not zero, and their coordinates */
extern const fault_table fault_random;   /* the generator */
extern const fault_table fault_offset;   /* offsets that do not fit 32 bits */
extern const fault_table fault_cache;    /* state that survives a call */
extern const fault_table fault_order;    /* effects of earlier calls */
extern const fault_table fault_process;  /* crashes, hangs, leaks */
extern const fault_table fault_judgment; /* acceptance, refusal, inferred shapes */
extern const fault_table fault_checked;  /* descriptors of operators that are checked, but not computed */

extern const fault_table fault_tails; /* faults of one code path, by their classes */
extern const fault_table fault_tiles;
extern const fault_table fault_grids;
extern const fault_table fault_divisions;
extern const fault_table fault_strides;
extern const fault_table fault_magnitudes;
extern const fault_table fault_patterns;
extern const fault_table fault_counts;
extern const fault_table fault_refused; /* large or rare descriptors wrongly judged */

/* All tables of a backend, its name, and what it is for: faulty_tables.c, or those of the backend `planted`. */
extern const fault_table *const fault_tables[];
extern const size_t fault_table_count;
extern const char fault_backend[];

/* Does a fault of all operators of a kind (ON_COPIES, ON_DML) hold for operators that came later, too? Not if its
   author named the operators and a call is to show it in each. */
extern const bool fault_of_kinds;

/* The other backend of this kind, and the names of its faults, with NULL behind the last. The build lists them. */
extern const char fault_other_backend[];
extern const char *const fault_other_names[];

/* Free the state that calls keep (fault_call.kept); NULL is allowed. */
void fault_release(void *kept);

/* Hang with all signals blocked, like a driver that waits for its device. */
void fault_hang_deaf(void);

/* Run the reference. */
static inline void fault_run_right(const fault_call *call)
{
    call->d->op->run(call->d, NULL);
}

/* The first dimension of the input that a tuple of indices is for (ON_TUPLES). */
static inline uint32_t fault_first_of_tuple(const ts_descriptor *d)
{
    const int input = operator_attr_index(d->op, "InputDimensionCount");
    const int batch = operator_attr_index(d->op, "BatchDimensionCount");
    const int64_t dims = operator_attr_value(d, (unsigned)input, 0);
    return d->tensors[0].rank - (uint32_t)dims + (batch < 0 ? 0 : (uint32_t)operator_attr_value(d, (unsigned)batch, 0));
}

/* Does the reference refuse the descriptor? */
static inline bool fault_refuses(const ts_report *report)
{
    return operator_graver(report->worst, TS_RESULT_UNSPECIFIED); /* what is open, too */
}

/* Is the descriptor legal but for these clauses, a comma-separated list of ids? (fault_judgment.c) */
bool fault_forgives(const ts_report *report, const char *clauses);

/* Call `visit` with the number and the address of each element of a tensor, in row-major order of the coordinates. */
typedef void (*fault_visit)(void *context, uint64_t number, unsigned char *element, size_t bytes);
void fault_each(const ts_tensor *t, fault_visit visit, void *context);

/* The bits of an element of 1 to 8 bytes, the others 0. Hosts are little-endian, as for the raw buffers of the suite.
 */
static inline uint64_t fault_bits(const void *element, size_t bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, element, bytes);
    return bits;
}

/* Limit an offset to a buffer with this number of elements. */
static inline uint64_t fault_inside(int64_t at, uint64_t elements)
{
    return at < 0 ? 0 : (uint64_t)at >= elements ? elements - 1 : (uint64_t)at;
}

/* The number of elements of a tensor; 0 on overflow, which no legal tensor has. */
static inline uint64_t fault_count(const ts_tensor *t)
{
    uint64_t count = 0;
    return tensor_element_count(t, &count) ? count : 0;
}

#endif
