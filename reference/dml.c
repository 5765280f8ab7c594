/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml.h"
#include "reference/dml_suggest.h"

#include <inttypes.h>

#define TENSOR_DESC   "DML_TENSOR_DESC"
#define BUFFER_DESC   "DML_BUFFER_TENSOR_DESC"
#define STRIDES       "Using strides to express padding and memory layout"
#define BINDING       "DML_BUFFER_BINDING"
#define BIND_INPUTS   "IDMLBindingTable::BindInputs"
#define BIND_OUTPUTS  "IDMLBindingTable::BindOutputs"
#define MOST_ELEMENTS UINT32_MAX /* BUF-11, BUF-21, BUF-24 */
#define OWNED_BY_DML  1u
#define NOT_OPTIONAL  "DirectML.h marks pointers that may be null with _Maybenull_ or _opt_, and Desc with neither"

/* clang-format off */
const ts_clause dml_clauses[DML_CLAUSE_COUNT] = {
    { "BUF-01", "a tensor's Type is DML_TENSOR_TYPE_BUFFER and its Desc is not null",
      TENSOR_DESC, "Members", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_suggest_buffer,
      .ground = "DML_TENSOR_TYPE has one other value, which it calls never valid; " NOT_OPTIONAL },
    { "BUF-02", "DataType is a known type; 64-bit types need feature level 3_0, 4-bit types 6_3",
      BUFFER_DESC, "DataType", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_supported_types },
    { "BUF-03", "Flags has no bit but DML_TENSOR_FLAG_OWNED_BY_DML",
      BUFFER_DESC, "Flags", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_suggest_flags,
      .ground = "DML_TENSOR_FLAGS defines no other bit" },
    { "BUF-04", "only input tensors may be OWNED_BY_DML",
      "DML_TENSOR_FLAGS", "DML_TENSOR_FLAG_OWNED_BY_DML", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_suggest_flags },
    { "BUF-05", "1 <= DimensionCount <= 8; at most 5 below feature level 3_0",
      BUFFER_DESC, "DimensionCount", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_supported_dims },
    { "BUF-06", "Sizes is not null and every Sizes[i] >= 1",
      BUFFER_DESC, "Sizes", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_suggest_sizes,
      .ground = "the page states that a size of zero is invalid; it calls Strides optional, and Sizes not" },
    { "BUF-07", "null Strides mean packed row-major: stride[D-1] = 1, stride[i] = stride[i+1] * Sizes[i+1]",
      BUFFER_DESC, "Strides", TS_STATED, .result = TS_RESULT_NONE },
    { "BUF-08", "strides count elements and may broadcast (0), pad or permute; a size of 1 ignores its stride",
      STRIDES, "Strides", TS_STATED, .result = TS_RESULT_NONE },
    { "BUF-09", "an element is at sum(coord[i] * stride[i]); the tensor needs "
                "roundup4(ceil((1 + sum((Sizes[i]-1) * stride[i])) * bits / 8)) bytes",
      "DirectML helper functions", "DMLCalcBufferTensorSize", TS_STATED, .result = TS_RESULT_NONE },
    { "BUF-10", "TotalTensorSizeInBytes is at least the bytes that the tensor needs",
      BUFFER_DESC, "TotalTensorSizeInBytes", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_suggest_bytes },
    { "BUF-11", "the elements that the strides span, from the first to the last, do not exceed 2^32 - 1",
      BUFFER_DESC, "TotalTensorSizeInBytes", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_suggest_elements,
      .ground = "\"total size ... may not exceed (2^32 - 1) elements\", and its example of 16GB, are about memory" },
    { "BUF-12", "policy: no two elements of an output tensor share an address",
      STRIDES, "Broadcasting with strides", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_suggest_strides, .forbids_overlap = true,
      .ground = "no page has a sentence about outputs whose elements share an address" },
    { "BUF-13", "TotalTensorSizeInBytes is a multiple of 4, as bound buffers require",
      BUFFER_DESC, "TotalTensorSizeInBytes", TS_DECIDED, .result = TS_RESULT_WARNING,
      .suggest = dml_suggest_multiple_of_4,
      .ground = "the page of the helper functions requires it of bound buffers, which may be longer than the tensor" },
    { "BUF-14", "GuaranteedBaseOffsetAlignment is 0 or a power of two that is no less than an element",
      BUFFER_DESC, "GuaranteedBaseOffsetAlignment", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_suggest_alignment },
    { "BUF-15", "a binding's Offset is a multiple of 16 and of GuaranteedBaseOffsetAlignment",
      BINDING, "Offset", TS_IMPLIED, .result = TS_RESULT_BIND_ERROR,
      .ground = "DML_BUFFER_TENSOR_DESC requires a multiple of the latter if it is stated, and 16 of every tensor" },
    { "BUF-16", "a bound range is inside its resource and has at least TotalTensorSizeInBytes",
      BINDING, "Buffer", TS_STATED, .result = TS_RESULT_BIND_ERROR },
    { "BUF-17", "the bound ranges of two outputs do not overlap; those of inputs may",
      BIND_OUTPUTS, "Description", TS_STATED, .result = TS_RESULT_BIND_ERROR },
    { "BUF-18", "bound ranges of an input and an output intersect only if they are equal, and the operator documents "
                "in-place execution",
      BIND_INPUTS, "Description", TS_STATED, .result = TS_RESULT_BIND_ERROR },
    { "BUF-19", "bytes beyond TotalTensorSizeInBytes stay unchanged",
      BUFFER_DESC, "TotalTensorSizeInBytes", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "\"permitting DirectML to write to any memory within the TotalTensorSizeInBytes\": to no other" },
    { "BUF-20", "OWNED_BY_DML tensors are bound at initialization only, all others at execution only",
      "DML_TENSOR_FLAGS", "DML_TENSOR_FLAG_OWNED_BY_DML", TS_STATED, .result = TS_RESULT_BIND_ERROR },
    { "BUF-21", "the product of Sizes does not exceed 2^32 - 1, even where elements share addresses",
      BUFFER_DESC, "TotalTensorSizeInBytes", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_suggest_elements,
      .ground = "the page does not say whether elements that share an address count as several",
      .refused_by = "DirectML 1.15.4" },
    { "BUF-22", "GuaranteedBaseOffsetAlignment is 0 or at least 16",
      BUFFER_DESC, "GuaranteedBaseOffsetAlignment", TS_OBSERVED, .result = TS_RESULT_INVALID,
      .suggest = dml_suggest_alignment,
      .ground = "the page allows smaller powers of two from the size of an element on",
      .refused_by = "DirectML 1.15.4", .computes = true },
    { "BUF-23", "bytes before TotalTensorSizeInBytes that no element uses stay unchanged",
      BUFFER_DESC, "TotalTensorSizeInBytes", TS_OBSERVED, .result = TS_RESULT_NONE,
      .ground = "the page permits writing there; DirectML 1.15.4 does not" },
    { "BUF-24", "TotalTensorSizeInBytes is at most 2^32 - 1 elements",
      BUFFER_DESC, "TotalTensorSizeInBytes", TS_DECIDED, .result = TS_RESULT_WARNING,
      .suggest = dml_suggest_most_bytes,
      .ground = "the page bounds the \"total size\" of a tensor, and does not say whether its padding counts",
      .refused_by = "DirectML 1.15.4" },
};
/* clang-format on */

static bool at_least(const ts_descriptor *d, ts_level level)
{
    return d->feature_level == 0 || d->feature_level >= level;
}

static bool known_type(uint32_t dtype)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    return type && type->dml;
}

static bool known_dims(uint32_t rank)
{
    return rank >= 1 && rank <= 8;
}

/* The violation that was just reported is legal from this level on. */
static void set_needs(ts_report *report, ts_level level)
{
    if (report->dropped == 0)
        report->items[report->count - 1].needs = level;
}

static void check_type(const ts_descriptor *d, unsigned tensor, ts_report *report)
{
    uint32_t dtype = d->tensors[tensor].dtype;
    if (!known_type(dtype) && tensor_dtype(dtype)) {
        operator_violate(report, "BUF-02", TS_RESULT_INVALID, (int)tensor, -1,
                         "%s.DataType = %s is not a type of DirectML", d->op->tensors[tensor].name,
                         operator_dtype_name(d->op, dtype));
        return;
    }
    if (!known_type(dtype)) {
        operator_violate(report, "BUF-02", TS_RESULT_INVALID, (int)tensor, -1, "%s.DataType = %u is not a known type",
                         d->op->tensors[tensor].name, (unsigned)dtype);
        return;
    }
    const ts_dtype_info *type = tensor_dtype(dtype);
    ts_level needs = type->bits == 64 ? TS_LEVEL_3_0 : type->bits == 4 ? TS_LEVEL_6_3 : 0;
    if (!at_least(d, needs)) {
        operator_violate(report, "BUF-02", TS_RESULT_UNSUPPORTED_FL, (int)tensor, -1,
                         "%s.DataType = %s needs feature level %s", d->op->tensors[tensor].name, type->dml,
                         tensor_level_name(needs));
        set_needs(report, needs);
    }
}

/* BUF-11 and BUF-21: elements and their span. False if there are too many. */
static bool check_elements(const ts_descriptor *d, unsigned tensor, ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    const char *name = d->op->tensors[tensor].name;
    uint64_t elements = 0, span = 0;
    const bool counted = tensor_element_count(t, &elements), spanned = tensor_span_elements(t, &span);
    const bool many = !counted || elements > MOST_ELEMENTS, wide = !spanned || span > MOST_ELEMENTS;
    if (many)
        operator_violate(report, wide ? "BUF-11" : "BUF-21", TS_RESULT_INVALID, (int)tensor, -1,
                         "%s has %" PRIu64 "%s elements, more than 2^32 - 1", name, elements,
                         counted ? "" : " (mod 2^64)");
    else if (wide)
        operator_violate(report, "BUF-11", TS_RESULT_INVALID, (int)tensor, -1,
                         "%s spans %" PRIu64 "%s elements by its strides, more than 2^32 - 1", name, span,
                         spanned ? "" : " (mod 2^64)");
    return !many && !wide;
}

/* BUF-10 to BUF-13, BUF-21 and BUF-24: elements, span and bytes. */
static void check_extent(const ts_descriptor *d, unsigned tensor, ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    const ts_dtype_info *type = tensor_dtype(t->dtype);
    const char *name = d->op->tensors[tensor].name;
    const bool fits = check_elements(d, tensor, report);
    uint64_t bytes = 0;
    if (fits && d->op->tensors[tensor].role == TS_OUTPUT && tensor_overlaps(t))
        operator_violate(report, "BUF-12", TS_RESULT_INVALID, (int)tensor, -1,
                         "%s.Strides give two elements the same address", name);
    if (tensor_min_bytes(t, &bytes) && t->total_bytes < bytes)
        operator_violate(report, "BUF-10", TS_RESULT_INVALID, (int)tensor, -1,
                         "%s.TotalTensorSizeInBytes = %" PRIu64 " is less than the %" PRIu64 " that the tensor needs",
                         name, t->total_bytes, bytes);
    else if (fits && type && t->total_bytes > MOST_ELEMENTS * (uint64_t)type->bits / 8)
        operator_violate(report, "BUF-24", TS_RESULT_WARNING, (int)tensor, -1,
                         "%s.TotalTensorSizeInBytes = %" PRIu64 " is more than 2^32 - 1 elements", name,
                         t->total_bytes);
    else if (t->total_bytes % 4 != 0)
        operator_violate(report, "BUF-13", TS_RESULT_WARNING, (int)tensor, -1,
                         "%s.TotalTensorSizeInBytes = %" PRIu64 " is not a multiple of 4", name, t->total_bytes);
}

static void check_alignment(const ts_descriptor *d, unsigned tensor, ts_report *report)
{
    const char *name = d->op->tensors[tensor].name;
    uint32_t alignment = d->tensors[tensor].alignment;
    size_t element = tensor_element_bytes(d->tensors[tensor].dtype);
    if (alignment == 0)
        return;
    if ((alignment & (alignment - 1)) != 0 || alignment < element)
        operator_violate(report, "BUF-14", TS_RESULT_INVALID, (int)tensor, -1,
                         "%s.GuaranteedBaseOffsetAlignment = %u is neither 0 nor a power of two >= %zu", name,
                         (unsigned)alignment, element);
    else if (alignment < 16)
        operator_violate(report, "BUF-22", TS_RESULT_INVALID, (int)tensor, -1,
                         "%s.GuaranteedBaseOffsetAlignment = %u is less than 16", name, (unsigned)alignment);
}

void dml_check_buffer(const ts_descriptor *d, unsigned tensor, ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    const char *name = d->op->tensors[tensor].name;
    if (!(t->given & TS_GIVEN_TENSOR))
        return; /* a clause of the operator covers null pointers */
    if (!(t->given & TS_GIVEN_DESC)) {
        operator_violate(report, "BUF-01", TS_RESULT_INVALID, (int)tensor, -1,
                         "%s has no Desc or is not of Type DML_TENSOR_TYPE_BUFFER", name);
        return;
    }
    check_type(d, tensor, report);
    if (t->flags & ~OWNED_BY_DML)
        operator_violate(report, "BUF-03", TS_RESULT_INVALID, (int)tensor, -1, "%s.Flags = 0x%x has unknown bits", name,
                         (unsigned)t->flags);
    if ((t->flags & OWNED_BY_DML) && d->op->tensors[tensor].role == TS_OUTPUT)
        operator_violate(report, "BUF-04", TS_RESULT_INVALID, (int)tensor, -1, "%s is an output and OWNED_BY_DML",
                         name);
    if (!known_dims(t->rank))
        operator_violate(report, "BUF-05", TS_RESULT_INVALID, (int)tensor, -1,
                         "%s.DimensionCount = %u is not within 1 to 8", name, (unsigned)t->rank);
    else if (t->rank > 5 && !at_least(d, TS_LEVEL_3_0)) {
        operator_violate(report, "BUF-05", TS_RESULT_UNSUPPORTED_FL, (int)tensor, -1,
                         "%s.DimensionCount = %u needs feature level 3_0", name, (unsigned)t->rank);
        set_needs(report, TS_LEVEL_3_0);
    }
    check_alignment(d, tensor, report);

    if (!(t->given & TS_GIVEN_SIZES)) {
        operator_violate(report, "BUF-06", TS_RESULT_INVALID, (int)tensor, -1, "%s.Sizes is null", name);
        return;
    }
    bool empty = false;
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i) {
        if (t->sizes[i] != 0)
            continue;
        operator_violate(report, "BUF-06", TS_RESULT_INVALID, (int)tensor, (int)i, "%s.Sizes[%u] = 0", name,
                         (unsigned)i);
        empty = true;
    }
    if (t->rank >= 1 && t->rank <= TS_MAX_DIMS && !empty)
        check_extent(d, tensor, report);
}

bool dml_check_tensors(const ts_descriptor *d, ts_report *report, const char *level_clause,
                       const char *const *dims_clauses, const char *const *dtype_clauses)
{
    const char *dims[TS_MAX_TENSORS] = { NULL }, *dtypes[TS_MAX_TENSORS] = { NULL };
    bool comparable = true;
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        const ts_tensor *t = &d->tensors[i];
        dml_check_buffer(d, i, report);
        dims[i] = known_dims(t->rank) ? dims_clauses[i] : NULL;
        dtypes[i] = known_type(t->dtype) ? dtype_clauses[i] : NULL;
        if ((t->given & TS_GIVEN_TENSOR) && (t->given & TS_GIVEN_ALL) != TS_GIVEN_ALL)
            comparable = false;
    }
    operator_check_support(d, report, level_clause, dims, dtypes);
    return comparable;
}
