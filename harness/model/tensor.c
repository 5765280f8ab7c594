/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/tensor.h"

/* clang-format off */
static const ts_dtype_info types[TS_DTYPE_COUNT] = {
    /*                 id      dml        openvino   bits float  signed */
    [TS_FLOAT32]  = { "f32",  "FLOAT32", "f32",     32,  true,  true  },
    [TS_FLOAT16]  = { "f16",  "FLOAT16", "f16",     16,  true,  true  },
    [TS_UINT32]   = { "u32",  "UINT32",  "u32",     32,  false, false },
    [TS_UINT16]   = { "u16",  "UINT16",  "u16",     16,  false, false },
    [TS_UINT8]    = { "u8",   "UINT8",   "u8",       8,  false, false },
    [TS_INT32]    = { "i32",  "INT32",   "i32",     32,  false, true  },
    [TS_INT16]    = { "i16",  "INT16",   "i16",     16,  false, true  },
    [TS_INT8]     = { "i8",   "INT8",    "i8",       8,  false, true  },
    [TS_FLOAT64]  = { "f64",  "FLOAT64", "f64",     64,  true,  true  },
    [TS_UINT64]   = { "u64",  "UINT64",  "u64",     64,  false, false },
    [TS_INT64]    = { "i64",  "INT64",   "i64",     64,  false, true  },
    [TS_UINT4]    = { "u4",   "UINT4",   NULL,       4,  false, false },
    [TS_INT4]     = { "i4",   "INT4",    NULL,       4,  false, true  },
    [TS_BFLOAT16] = { "bf16", NULL,      "bf16",    16,  true,  true  },
    [TS_BOOLEAN]  = { "bool", NULL,      "boolean",  8,  false, false },
};

static const ts_level levels[] = {
    TS_LEVEL_1_0, TS_LEVEL_2_0, TS_LEVEL_2_1, TS_LEVEL_3_0, TS_LEVEL_3_1, TS_LEVEL_4_0, TS_LEVEL_4_1, TS_LEVEL_5_0,
    TS_LEVEL_5_1, TS_LEVEL_5_2, TS_LEVEL_6_0, TS_LEVEL_6_1, TS_LEVEL_6_2, TS_LEVEL_6_3, TS_LEVEL_6_4,
};

#define LEVELS (sizeof levels / sizeof levels[0])

static const char *const level_names[LEVELS] = {
    "1_0", "2_0", "2_1", "3_0", "3_1", "4_0", "4_1", "5_0", "5_1", "5_2", "6_0", "6_1", "6_2", "6_3", "6_4",
};
/* clang-format on */

/* ---- names ------------------------------------------------------------------------------------------------- */

const ts_dtype_info *tensor_dtype(uint32_t dtype)
{
    return dtype < TS_DTYPE_COUNT && types[dtype].id ? &types[dtype] : NULL;
}

/* The rest of `name` after `prefix`, or all of it. */
static const char *without_prefix(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 ? name + n : name;
}

ts_dtype tensor_dtype_named(const char *name)
{
    const char *dml = without_prefix(name, "DML_TENSOR_DATA_TYPE_");
    for (unsigned i = 1; i < TS_DTYPE_COUNT; ++i) {
        const ts_dtype_info *type = &types[i];
        if (strcmp(name, type->id) == 0 || (type->dml && strcmp(dml, type->dml) == 0) ||
            (type->openvino && strcmp(name, type->openvino) == 0))
            return (ts_dtype)i;
    }
    return TS_DTYPE_UNKNOWN;
}

const char *tensor_level_name(ts_level level)
{
    if (level == 0)
        return "none";
    for (size_t i = 0; i < LEVELS; ++i) {
        if (levels[i] == level)
            return level_names[i];
    }
    return "?";
}

ts_level tensor_level_named(const char *name)
{
    name = without_prefix(name, "DML_FEATURE_LEVEL_");
    for (size_t i = 0; i < LEVELS; ++i) {
        const char *known = level_names[i];
        if (name[0] == known[0] && (name[1] == '_' || name[1] == '.') && strcmp(name + 2, known + 2) == 0)
            return levels[i];
    }
    return 0;
}

const char *tensor_profile_name(uint32_t profile)
{
    return profile == TS_PROFILE_NUMPY ? "numpy" : "openvino";
}

bool tensor_profile_named(const char *name, uint32_t *profile)
{
    if (strcmp(name, "numpy") == 0)
        *profile = TS_PROFILE_NUMPY;
    else if (strcmp(name, "openvino") == 0 || strcmp(name, "default") == 0)
        *profile = TS_PROFILE_DEFAULT;
    else
        return false;
    return true;
}

const ts_level *tensor_levels(size_t *count)
{
    *count = LEVELS;
    return levels;
}

/* ---- extents ----------------------------------------------------------------------------------------------- */

bool tensor_element_count(const ts_tensor *t, uint64_t *count)
{
    uint64_t product = 1;
    bool fits = true;
    if (t->rank > TS_MAX_DIMS)
        return false;
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] == 0) { /* whatever the other sizes are, there are no elements */
            *count = 0;
            return true;
        }
        fits = !__builtin_mul_overflow(product, t->sizes[i], &product) && fits;
    }
    *count = product;
    return fits;
}

bool tensor_span_elements(const ts_tensor *t, uint64_t *elements)
{
    uint64_t span = 1, reach;
    bool fits = true;
    if (t->rank > TS_MAX_DIMS)
        return false;
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] == 0) {
            *elements = 0;
            return true;
        }
        fits = !__builtin_mul_overflow(t->sizes[i] - 1, t->strides[i], &reach) && fits;
        fits = !__builtin_add_overflow(span, reach, &span) && fits;
    }
    *elements = span;
    return fits;
}

/* The bytes of elements that are side by side, without the rounding. */
static bool bytes_of_span(uint32_t dtype, uint64_t span, uint64_t *bytes)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    if (!type)
        return false;
    if (type->bits >= 8)
        return !__builtin_mul_overflow(span, (uint64_t)type->bits / 8, bytes);
    *bytes = span / 2 + span % 2; /* two elements per byte */
    return true;
}

bool tensor_span_bytes(const ts_tensor *t, uint64_t *bytes)
{
    uint64_t span;
    return tensor_span_elements(t, &span) && bytes_of_span(t->dtype, span, bytes);
}

bool tensor_bytes_of(uint32_t dtype, uint64_t span, uint64_t *bytes)
{
    uint64_t size;
    if (!bytes_of_span(dtype, span, &size) || __builtin_add_overflow(size, 3, &size))
        return false;
    *bytes = size & ~(uint64_t)3;
    return true;
}

bool tensor_min_bytes(const ts_tensor *t, uint64_t *bytes)
{
    uint64_t span;
    return tensor_span_elements(t, &span) && tensor_bytes_of(t->dtype, span, bytes);
}

uint64_t tensor_sum_along(const ts_tensor *first, unsigned count, uint32_t axis)
{
    uint64_t sum = 0;
    for (unsigned k = 0; k < count; ++k)
        if (__builtin_add_overflow(sum, first[k].sizes[axis], &sum))
            return 0;
    return sum;
}

void tensor_pack(ts_tensor *t)
{
    uint64_t stride = 1;
    for (uint32_t i = t->rank < TS_MAX_DIMS ? t->rank : TS_MAX_DIMS; i-- > 0;) {
        t->strides[i] = stride;
        stride = tensor_next_stride(stride, t->sizes[i]);
    }
}

void tensor_set_rank(ts_tensor *t, uint32_t rank)
{
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t before = t->rank < TS_MAX_DIMS ? t->rank : TS_MAX_DIMS;
    for (uint32_t i = 0; i < rank; ++i)
        sizes[rank - 1 - i] = i < before ? t->sizes[before - 1 - i] : 1;
    memcpy(t->sizes, sizes, rank * sizeof sizes[0]);
    t->rank = rank;
}

void tensor_init(ts_tensor *t, uint32_t dtype, uint32_t rank, const uint64_t *sizes)
{
    memset(t, 0, sizeof *t);
    t->dtype = dtype;
    t->rank = rank;
    t->given = TS_GIVEN_ALL;
    for (uint32_t i = 0; i < rank && i < TS_MAX_DIMS; ++i)
        t->sizes[i] = sizes[i];
    tensor_pack(t);
    if (!tensor_min_bytes(t, &t->total_bytes))
        t->total_bytes = 0;
}

/* ---- overlap ----------------------------------------------------------------------------------------------- */

/* Two coordinates share an address exactly where some nonzero difference of coordinates, |d[i]| < sizes[i], has
   sum(d[i]*stride[i]) = 0. The search picks d for the largest stride first; `reach` of the dimensions below bounds the
   sums that can still become zero; with nested strides only 0 is left. */
typedef struct overlap_search {
    struct {
        int64_t stride, size;
        int64_t reach; /* sum((size-1)*stride) of this dimension and all with smaller strides */
    } dims[TS_MAX_DIMS];
    uint32_t count; /* dimensions of more than one element, by descending stride */
    uint32_t steps; /* left before giving up */
} overlap_search;

/* Can dimensions k and below make up `rest`, 0 <= rest <= reach of k? By symmetry only its magnitude matters.
   `different`: some dimension above k already differs. */
static bool search_overlap(overlap_search *s, uint32_t k, int64_t rest, bool different)
{
    if (k == s->count)
        return different && rest == 0;
    if (different && rest == 0)
        return true; /* with the other coordinates equal */
    int64_t stride = s->dims[k].stride, last = s->dims[k].size - 1;
    int64_t below = k + 1 < s->count ? s->dims[k + 1].reach : 0;
    /* The range of d with |rest - d*stride| <= below. While no dimension differs, d and -d are equivalent. */
    int64_t low = rest > below ? (rest - below + stride - 1) / stride : -((below - rest) / stride);
    int64_t high = (rest + below) / stride;
    if (low < (different ? -last : 0))
        low = different ? -last : 0;
    if (high > last)
        high = last;
    for (int64_t d = low; d <= high; ++d) {
        int64_t left = rest - d * stride;
        if (s->steps == 0 || --s->steps == 0)
            return true;
        if (search_overlap(s, k + 1, left < 0 ? -left : left, different || d != 0))
            return true;
    }
    return false;
}

/* Is every stride greater than the extent of the dimensions after it, as in packed and padded tensors? The span must
   not overflow. */
static bool row_major(const ts_tensor *t)
{
    uint64_t reach = 0;
    for (uint32_t i = t->rank; i-- > 0;) {
        if (t->sizes[i] == 1)
            continue;
        if (t->strides[i] <= reach)
            return false;
        reach += (t->sizes[i] - 1) * t->strides[i];
    }
    return true;
}

bool tensor_overlaps(const ts_tensor *t)
{
    overlap_search s;
    uint64_t elements, span;
    if (!tensor_span_elements(t, &span) || span > (uint64_t)INT64_MAX / 4)
        return true; /* the tensor exceeds any memory */
    if (span == 0 || row_major(t))
        return false; /* the common case, decided quickly */
    if (!tensor_element_count(t, &elements) || elements > span)
        return true;
    s.count = 0;
    s.steps = 1u << 20;
    for (uint32_t i = 0; i < t->rank; ++i) { /* insertion sort: row-major strides are sorted already */
        if (t->sizes[i] == 1)
            continue;
        if (t->strides[i] == 0)
            return true;
        uint32_t k = s.count++;
        for (; k > 0 && s.dims[k - 1].stride < (int64_t)t->strides[i]; --k)
            s.dims[k] = s.dims[k - 1];
        s.dims[k].stride = (int64_t)t->strides[i];
        s.dims[k].size = (int64_t)t->sizes[i];
    }
    int64_t reach = 0;
    for (uint32_t k = s.count; k-- > 0;) {
        reach += (s.dims[k].size - 1) * s.dims[k].stride;
        s.dims[k].reach = reach;
        if (k > 0 && s.dims[k - 1].stride == s.dims[k].stride)
            return true;
    }
    return search_overlap(&s, 0, 0, false);
}
