/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/strided_slice.h"
#include "reference/openvino.h"

#include <inttypes.h>

#define PAGE           "StridedSlice-1"
#define MOST_DATA_DIMS 12 /* as many as the page's own examples use */

/* strided_slice_suggest.c */
ts_suggest openvino_strided_slice_suggest_lengths, openvino_strided_slice_suggest_bit,
    openvino_strided_slice_suggest_ellipsis, openvino_strided_slice_suggest_steps, openvino_strided_slice_suggest_index,
    openvino_strided_slice_suggest_stride, openvino_strided_slice_suggest_type;

/* clang-format off */
enum { DATA, OUT };
static const ts_tensor_decl tensors[] = {
    { "data",   "data", TS_INPUT,  false },
    { "output", "out",  TS_OUTPUT, false },
};

#define LIST(field, value_type, ...) \
    { #field, #field, value_type, TS_ARRAY, offsetof(ts_openvino_strided_slice, field), \
      offsetof(ts_openvino_strided_slice, field##_count), .capacity = TS_STRIDED_SLICE_STEPS, __VA_ARGS__ }
enum { BEGIN, END, STRIDE, BEGIN_MASK, END_MASK, NEW_AXIS_MASK, SHRINK_AXIS_MASK, ELLIPSIS_MASK };
static const ts_attr_decl attrs[] = {
    [BEGIN]            = LIST(begin,            TS_ATTR_I64, .optional = false),
    [END]              = LIST(end,              TS_ATTR_I64, .optional = false),
    [STRIDE]           = LIST(stride,           TS_ATTR_I64, .optional = true, .absent = 1),
    [BEGIN_MASK]       = LIST(begin_mask,       TS_ATTR_BIT, .optional = true, .absent = 0, .bit_clause = "SS-02"),
    [END_MASK]         = LIST(end_mask,         TS_ATTR_BIT, .optional = true, .absent = 0, .bit_clause = "SS-02"),
    [NEW_AXIS_MASK]    = LIST(new_axis_mask,    TS_ATTR_BIT, .optional = true, .absent = 0, .bit_clause = "SS-02"),
    [SHRINK_AXIS_MASK] = LIST(shrink_axis_mask, TS_ATTR_BIT, .optional = true, .absent = 0, .bit_clause = "SS-02"),
    [ELLIPSIS_MASK]    = LIST(ellipsis_mask,    TS_ATTR_BIT, .optional = true, .absent = 0, .bit_clause = "SS-02"),
};

static const ts_support_row support[] = {
    { 0, { { 1, MOST_DATA_DIMS, OPENVINO_TYPES }, { 0, TS_MAX_DIMS, OPENVINO_TYPES } } },
};

static const ts_clause clauses[] = {
    { "SS-01", "begin, end and stride are lists of integers of the same length M; stride may be absent: all 1",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = openvino_strided_slice_suggest_lengths },
    { "SS-02", "every mask is a list of zeros and ones",
      PAGE, "Attributes", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = openvino_strided_slice_suggest_bit },
    { "SS-03", "a mask shorter than M is padded with zeros; entries beyond M are ignored",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    { "SS-04", "ellipsis_mask has at most one 1",
      PAGE, "ellipsis_mask", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = openvino_strided_slice_suggest_ellipsis },
    { "SS-05", "if a step has several mask bits, ellipsis takes precedence over new axis, new axis over shrink",
      PAGE, "Detailed description", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page describes each mask by itself" },
    { "SS-06", "there are at most as many shrink and range steps as dimensions of data",
      PAGE, "Detailed description", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = openvino_strided_slice_suggest_steps,
      .ground = "each such step processes the next dimension of data, which has no more of them" },
    { "SS-07", "the ellipsis copies all dimensions that no step consumes (edition 738c5b8e: rank(input) - ...)",
      PAGE, "ellipsis_mask", TS_STATED, .result = TS_RESULT_NONE },
    { "SS-08", "a new axis is an output dimension of 1; it consumes no dimension of data and ignores its range",
      PAGE, "new_axis_mask", TS_STATED, .result = TS_RESULT_NONE },
    { "SS-09", "begin of a shrink step is -d <= begin < d",
      PAGE, "shrink_axis_mask", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = openvino_strided_slice_suggest_index,
      .ground = "begin is clamped, by the page, to d where there is no element; implementations refuse it" },
    { "SS-10", "the stride of a range step is not 0",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = openvino_strided_slice_suggest_stride },
    { "SS-11", "negative begin and end count from the end; both are clamped; a masked begin does not bound the range, nor "
               "does a masked end of a forward range",
      PAGE, "Silent clamping", TS_STATED, .result = TS_RESULT_NONE },
    { "SS-12", "a range has the elements begin + t*stride before end; the counts are output's sizes",
      PAGE, "Detailed description", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "slicing_index < end, in reverse > end; the examples with a negative stride go downwards" },
    { "SS-13", "begin, end and stride may have any 64-bit value",
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "T_IND is any supported integer type, i64 among them, and what is out of bounds is clamped" },
    { "SS-14", "data and output have the same type, and as many bytes as they span; judged up to 12 dimensions of data, "
               "16 steps and 16 dimensions of output",
      PAGE, "Types", TS_IMPLIED, .result = TS_RESULT_INVALID, .suggest = openvino_strided_slice_suggest_type,
      .ground = "the types are stated; arithmetic: a smaller buffer does not hold all elements" },
    { "SS-15", "a shrink step removes its dimension, and takes its element begin, whatever the stride",
      PAGE, "shrink_axis_mask", TS_STATED, .result = TS_RESULT_NONE },
    { "SS-16", "a shrink step ignores end and the masks of begin and end",
      PAGE, "shrink_axis_mask", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "begin must equal end, and the page does not say what the masks of a shrink step do" },
    { "SS-17", "without an ellipsis, dimensions behind the last step are copied whole",
      PAGE, "Detailed description", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page says N == M where no other masks are used" },
    { "SS-18", "a masked end of a backward range lies before the first element",
      PAGE, "end_mask", TS_DECIDED, .result = TS_RESULT_INVALID,
      .ground = "one sentence sets it to 0, which is exclusive, another takes the full range, as NumPy's ::-1" },
    { "SS-19", "a range whose begin does not lie before its end has no element",
      PAGE, "Detailed description", TS_DECIDED, .result = TS_RESULT_INVALID,
      .ground = "where begin equals end, one sentence adds a single element, another stops before it" },
    { "SS-20", "an absent mask is all zeros",
      PAGE, "Attributes", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "examples 1 to 3 have no masks, and a mask may have any length" },
    { "SS-21", "elements are copied bit for bit",
      PAGE, "Outputs", TS_IMPLIED, .result = TS_RESULT_NONE, .ground = "the operation extracts elements" },
};
/* clang-format on */

/* The result of all steps: the sizes of output, and for each dimension j of data the elements
   first[j] + step[j] * o[axis[j]], or first[j] alone where axis[j] is NO_AXIS. */
typedef struct slice_plan {
    uint32_t rank;
    uint64_t sizes[TS_MAX_DIMS];
    int64_t first[MOST_DATA_DIMS], step[MOST_DATA_DIMS];
    uint32_t axis[MOST_DATA_DIMS];
    bool broken; /* a step is broken: its part of the plan is undefined */
    bool open;   /* the page leaves the shape of output open, by SS-05, SS-16, SS-18 or SS-19, */
    bool masked; /* and also its elements, as a shrink step has a masked begin */
    const char *clause[TS_MAX_DIMS]; /* by dimension of output, the one that a wrong size breaks */
} slice_plan;

#define UNKNOWN_SIZE UINT64_MAX /* in sizes: the step is broken */
#define NO_AXIS      UINT32_MAX /* in axis: output has no such dimension */

/* SS-02 and SS-03: the first m entries of a mask as the bits of a word. */
static uint32_t mask_bits(const ts_descriptor *d, unsigned mask, uint32_t m, ts_report *report, bool *legal)
{
    const uint8_t *values = d->attrs + attrs[mask].offset;
    uint32_t bits = 0, count = operator_attr_count(d, mask);
    for (uint32_t i = 0; i < count && i < TS_STRIDED_SLICE_STEPS; ++i) {
        if (values[i] > 1) {
            operator_violate(report, "SS-02", TS_RESULT_INVALID, -1, (int)i, "%s[%u] = %u is neither 0 nor 1",
                             attrs[mask].name, i, values[i]);
            *legal = false;
        } else if (i < m) {
            bits |= (uint32_t)values[i] << i;
        }
    }
    return bits;
}

static unsigned ones(uint32_t bits)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        ++n;
    return n;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* SS-11 and SS-12: the elements of one range step over a dimension of d elements. Returns how many. */
static uint64_t range(int64_t begin, int64_t end, int64_t s, bool begin_masked, bool end_masked, int64_t d, bool numpy,
                      int64_t *first)
{
    int64_t lo = s > 0 ? 0 : -1, hi = s > 0 ? d : d - 1;
    int64_t b = clamp(begin < 0 ? begin + d : begin, s > 0 || !numpy ? 0 : -1, hi);
    int64_t e = clamp(end < 0 ? end + d : end, lo, hi);
    if (begin_masked)
        b = s > 0 ? lo : hi;
    if (end_masked)
        e = s > 0 ? hi : lo;
    *first = b;
    if (d == 0)
        return 0;
    if (s > 0)
        return e > b ? ((uint64_t)(e - b) - 1) / (uint64_t)s + 1 : 0;
    return b > e ? ((uint64_t)(b - e) - 1) / (0 - (uint64_t)s) + 1 : 0; /* -s, INT64_MIN included */
}

/* Check what must be legal before the steps have a meaning, except their number. */
static bool check_lists(const ts_descriptor *d, ts_report *report)
{
    const ts_openvino_strided_slice *a = TS_ATTRS(ts_openvino_strided_slice, d);
    const ts_tensor *data = &d->tensors[DATA];
    bool legal = true;
    if (a->end_count != a->begin_count || ((d->attrs_given >> STRIDE & 1) && a->stride_count != a->begin_count)) {
        operator_violate(report, "SS-01", TS_RESULT_INVALID, -1, -1,
                         "the lengths of begin, end and stride differ: %u, %u, %u", a->begin_count, a->end_count,
                         d->attrs_given >> STRIDE & 1 ? a->stride_count : a->begin_count);
        legal = false;
    }
    if (a->begin_count > TS_STRIDED_SLICE_STEPS) {
        operator_violate(report, "SS-14", TS_RESULT_UNSUPPORTED_FL, -1, -1,
                         "%u steps are more than the %u that Touchstone judges", a->begin_count,
                         TS_STRIDED_SLICE_STEPS);
        legal = false;
    }
    if (data->rank < 1 || data->rank > MOST_DATA_DIMS) {
        operator_violate(report, "SS-14", TS_RESULT_UNSUPPORTED_FL, DATA, -1,
                         "data has %u dimensions; Touchstone judges 1 to %u", data->rank, MOST_DATA_DIMS);
        return false;
    }
    for (uint32_t j = 0; j < data->rank; ++j) {
        if (data->sizes[j] > INT64_MAX) {
            operator_violate(report, "SS-14", TS_RESULT_UNSUPPORTED_FL, DATA, (int)j,
                             "data's dimension %u = %" PRIu64 " exceeds 2^63 - 1", j, data->sizes[j]);
            legal = false;
        }
    }
    return legal;
}

/* SS-10, where the steps have no dimensions to name. `others` are the steps that are no range steps. */
static void check_strides(const ts_openvino_strided_slice *a, uint32_t others, ts_report *report)
{
    for (uint32_t i = 0; i < a->begin_count && i < a->stride_count; ++i) {
        if (a->stride[i] == 0 && !(others >> i & 1))
            operator_violate(report, "SS-10", TS_RESULT_INVALID, -1, -1, "stride[%u] = 0", i);
    }
}

/* Compute the plan of all steps. Violations are added to report unless it is NULL. False if output has no shape, or one
   with more dimensions than are judged; the size of a broken step is UNKNOWN_SIZE. */
static bool make_plan(const ts_descriptor *d, slice_plan *p, ts_report *report)
{
    const ts_openvino_strided_slice *a = TS_ATTRS(ts_openvino_strided_slice, d);
    const ts_tensor *data = &d->tensors[DATA];
    uint32_t m = a->begin_count;
    bool legal = check_lists(d, report);
    bool bounded = legal; /* the masks of begin and end are legal, too; the steps have a meaning without them */
    uint32_t begin_mask = mask_bits(d, BEGIN_MASK, m, report, &bounded);
    uint32_t end_mask = mask_bits(d, END_MASK, m, report, &bounded);
    uint32_t ellipsis = mask_bits(d, ELLIPSIS_MASK, m, report, &legal);
    uint32_t new_axis = mask_bits(d, NEW_AXIS_MASK, m, report, &legal) & ~ellipsis; /* SS-05 */
    uint32_t shrink = mask_bits(d, SHRINK_AXIS_MASK, m, report, &legal);
    const bool several_masks = (mask_bits(d, NEW_AXIS_MASK, m, NULL, &legal) & (ellipsis | shrink)) || ellipsis & shrink;
    shrink &= ~ellipsis & ~new_axis;
    if (ones(ellipsis) > 1) {
        operator_violate(report, "SS-04", TS_RESULT_INVALID, -1, -1, "ellipsis_mask has %u ones", ones(ellipsis));
        legal = false;
    }
    if (!legal)
        return false;
    uint32_t real = m - ones(ellipsis) - ones(new_axis);
    if (real > data->rank) {
        operator_violate(report, "SS-06", TS_RESULT_INVALID, -1, -1,
                         "%u shrink and range steps over the %u dimensions of data", real, data->rank);
        check_strides(a, ellipsis | new_axis | shrink, report);
        return false;
    }
    uint32_t rank = data->rank - ones(shrink) + ones(new_axis);
    if (rank > TS_MAX_DIMS) {
        operator_violate(report, "SS-14", TS_RESULT_UNSUPPORTED_FL, OUT, -1,
                         "output has %u dimensions, more than the %u that Touchstone judges", rank, TS_MAX_DIMS);
        return false;
    }

    uint32_t j = 0; /* the next dimension of data */
    p->rank = 0;    /* and of output */
    p->broken = !bounded;
    p->open = several_masks;
    p->masked = false;
    for (uint32_t k = 0; k < rank; ++k)
        p->clause[k] = "SS-12";
    for (uint32_t i = 0; i <= m; ++i) {
        if (i == m ? ellipsis == 0 : ellipsis >> i & 1) { /* SS-07; without one, at the end: SS-17 */
            for (uint32_t end = j + (data->rank - real); j < end; ++j) {
                p->first[j] = 0;
                p->step[j] = 1;
                p->axis[j] = p->rank;
                p->sizes[p->rank++] = data->sizes[j];
            }
        } else if (i == m) {
            break;
        } else if (new_axis >> i & 1) { /* SS-08 */
            p->sizes[p->rank++] = 1;
        } else if (shrink >> i & 1) { /* SS-09, SS-15 */
            int64_t size = (int64_t)data->sizes[j];
            if (a->begin[i] < -size || a->begin[i] >= size) {
                operator_violate(report, "SS-09", TS_RESULT_INVALID, DATA, (int)j,
                                 "begin[%u] = %" PRId64 " is outside of data's dimension %u = %" PRId64, i, a->begin[i],
                                 j, size);
                p->broken = true;
            }
            p->first[j] = a->begin[i] < 0 ? a->begin[i] + size : a->begin[i];
            p->masked = p->masked || ((begin_mask | end_mask) >> i & 1); /* SS-16 */
            p->open = p->open || p->masked || a->end[i] != a->begin[i];
            p->step[j] = 0;
            p->axis[j] = NO_AXIS;
            ++j;
        } else {
            p->step[j] = d->attrs_given >> STRIDE & 1 ? a->stride[i] : 1;
            p->axis[j] = p->rank;
            if (p->step[j] == 0) { /* SS-10 */
                operator_violate(report, "SS-10", TS_RESULT_INVALID, DATA, (int)j, "stride[%u] = 0", i);
                p->sizes[p->rank] = UNKNOWN_SIZE;
                p->broken = true;
            } else if (!bounded) {
                p->sizes[p->rank] = UNKNOWN_SIZE;
            } else {
                p->sizes[p->rank] = range(a->begin[i], a->end[i], p->step[j], begin_mask >> i & 1, end_mask >> i & 1,
                                          (int64_t)data->sizes[j], d->profile == TS_PROFILE_NUMPY, &p->first[j]);
                if (p->sizes[p->rank] == 0)
                    p->clause[p->rank] = "SS-19";
                else if (p->step[j] < 0 && end_mask >> i & 1)
                    p->clause[p->rank] = "SS-18";
                p->open = p->open || strcmp(p->clause[p->rank], "SS-12") != 0;
            }
            p->rank++;
            ++j;
        }
    }
    return true;
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const ts_tensor *data = &d->tensors[DATA], *out = &d->tensors[OUT];
    slice_plan plan;
    operator_check_support(d, report, "SS-14", (const char *[]){ NULL, NULL }, (const char *[]){ "SS-14", "SS-14" });
    if (!operator_check_given(d, report, "SS-01"))
        return;
    if ((data->given & TS_GIVEN_ALL) != TS_GIVEN_ALL || (out->given & TS_GIVEN_ALL) != TS_GIVEN_ALL) {
        operator_violate(report, "SS-01", TS_RESULT_INVALID, -1, -1, "data or output has no shape");
        return;
    }
    if (out->dtype != data->dtype)
        operator_violate(report, "SS-14", TS_RESULT_INVALID, OUT, -1, "output's type %s differs from data's %s",
                         operator_dtype_name(d->op, out->dtype), operator_dtype_name(d->op, data->dtype));
    openvino_check_bytes(d, DATA, "SS-14", report);
    openvino_check_bytes(d, OUT, "SS-14", report);
    if (!make_plan(d, &plan, report))
        return;
    if (out->rank != plan.rank) {
        operator_violate(report, "SS-12", TS_RESULT_INVALID, OUT, -1, "output has %u dimensions, expected %u",
                         out->rank, plan.rank);
        return;
    }
    for (uint32_t k = 0; k < plan.rank; ++k) {
        if (out->sizes[k] != plan.sizes[k] && plan.sizes[k] != UNKNOWN_SIZE)
            operator_violate(report, plan.clause[k], TS_RESULT_INVALID, OUT, (int)k,
                             "output's dimension %u = %" PRIu64 ", expected %" PRIu64, k, out->sizes[k], plan.sizes[k]);
    }
}

static bool shape(ts_descriptor *d)
{
    ts_tensor *out = &d->tensors[OUT];
    slice_plan plan;
    if (!make_plan(d, &plan, NULL) || plan.broken)
        return false;
    out->rank = plan.rank;
    memcpy(out->sizes, plan.sizes, plan.rank * sizeof plan.sizes[0]);
    return true;
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *data = &d->tensors[DATA], *out = &d->tensors[OUT];
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[MOST_DATA_DIMS], elements;
    slice_plan plan;
    if (!make_plan(d, &plan, NULL))
        return;
    if (plan.open && unspecified)
        unspecified->open_shape = true;
    if (!tensor_element_count(out, &elements) || elements == 0)
        return;
    do {
        if (plan.masked)
            operator_unspecified(unspecified, OUT, tensor_number(out, o));
        for (uint32_t j = 0; j < data->rank; ++j) {
            from[j] = (uint64_t)plan.first[j];
            if (plan.axis[j] != NO_AXIS)
                from[j] += (uint64_t)plan.step[j] * o[plan.axis[j]]; /* SS-12, mod 2^64 where the step is negative */
        }
        tensor_copy_element(out, o, data, from);
    } while (tensor_next(out, o));
}

/* Our decisions. Any other interpretation gives the output another shape, so that the shape identifies it. */
static const ts_interpretation interpretations[] = {
    { "E-SS-6", "element 0", NULL, "no element" },
    { "E-SS-8", "the ellipsis wins", NULL, NULL },
    { "E-SS-19", "no element", NULL, NULL },
    { "E-SS-24", "one after the other", NULL, NULL },
};

/* strided_slice_choices.c */
ts_choice_check openvino_strided_slice_equal_masks, openvino_strided_slice_strict_shrink;
ts_suggest openvino_strided_slice_suggest_mask_length, openvino_strided_slice_suggest_end;

static const ts_choice choices[] = {
    { "ov_equal_masks", openvino_strided_slice_equal_masks, openvino_strided_slice_suggest_mask_length, 0 },
    { "strict_shrink", openvino_strided_slice_strict_shrink, openvino_strided_slice_suggest_end,
      1 << BEGIN | 1 << END },
};

static const int64_t ends[] = { 0, INT64_MIN, INT64_MAX }, steps[] = { 1, -1, INT64_MAX, INT64_MIN };
static const ts_ir_list ir_lists[] = {
    { "begin", ends, sizeof ends / sizeof ends[0], "shrink_axis_mask" },
    { "end", ends, sizeof ends / sizeof ends[0], "shrink_axis_mask" },
    { "stride", steps, sizeof steps / sizeof steps[0], NULL },
};
static const ts_ir_layer ir = {
    "StridedSlice", "opset1", "SS-01", sizeof ir_lists / sizeof ir_lists[0], ir_lists, NULL
};

ts_explain openvino_strided_slice_explain; /* strided_slice_explain.c */

const ts_operator operator_openvino_strided_slice = {
    .name = "openvino.strided_slice",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "strided-slice-1.html",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_openvino_strided_slice),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .openvino_types = true,
    .run_clause = "SS-12",
    .copy_clause = "SS-21",
    .shape_clause = "SS-12",
    .undefined = "E-SS-24",
    .interpretation_count = sizeof interpretations / sizeof interpretations[0],
    .interpretations = interpretations,
    .choice_count = sizeof choices / sizeof choices[0],
    .choices = choices,
    .ir = &ir,
    .check = check,
    .shape = shape,
    .run = run,
    .explain = openvino_strided_slice_explain,
};
