/* SPDX-License-Identifier: Apache-2.0 */
/* Magnitudes, patterns of data and counts of loops. */
#include "backends/planted/invented.h"
#include "reference/openvino/strided_slice.h"

/* ---- magnitudes -------------------------------------------------------------------------------------------------- */

static bool far_steps(const fault_path *p)
{
    bool far = false;
    for (uint32_t i = 0; i < p->dims; ++i)
        far = far || (p->axis[i].step > INT8_MAX && p->axis[i].step <= INT32_MAX);
    return far;
}

static void step_in_a_byte(const fault_path *p, fault_place *e)
{
    for (uint32_t i = 0; i < p->dims; ++i) {
        const fault_axis *a = &p->axis[i];
        if (a->step > INT8_MAX && a->step <= INT32_MAX)
            e->from += (int64_t)e->at[i] * ((int64_t)(int8_t)(uint8_t)a->step - a->step) * (a->in / a->step);
    }
}

static bool signed_indices(const fault_path *p)
{
    return fault_picks(p) > 0 && (p->indices->dtype == TS_INT32 || p->indices->dtype == TS_INT64);
}

/* Index number n as it is stored. */
static int64_t raw_index(const fault_path *p, uint64_t n)
{
    const size_t bytes = tensor_element_bytes(p->indices->dtype);
    uint64_t offset = 0;
    int64_t value = 0;
    for (uint32_t i = p->dims; i-- > 0;)
        if (p->axis[i].picks) {
            offset += n % p->axis[i].size * (uint64_t)p->axis[i].in;
            n /= p->axis[i].size;
        }
    memcpy(&value, (const unsigned char *)p->indices->data + offset * bytes, bytes);
    return bytes == 4 ? (int64_t)(int32_t)(uint32_t)(uint64_t)value : value;
}

static bool short_axis(const fault_path *p)
{
    return signed_indices(p) && p->picked_size > INT16_MAX && p->picked_size <= UINT16_MAX;
}

static void negative_in_16_bits(const fault_path *p, fault_place *e)
{
    const int64_t raw = raw_index(p, e->pick);
    if (raw < INT16_MIN && raw >= -p->picked_size)
        e->from += (((raw + 65536) % p->picked_size) - e->index) * p->picked_stride;
}

/* A reversed dimension of a StridedSlice without other kinds of steps, and a begin that says: from the last. */
static int from_last(const fault_path *p)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, p->call->d);
    for (uint32_t i = 0; i < s->ellipsis_mask_count && i < TS_STRIDED_SLICE_STEPS; ++i)
        if (s->ellipsis_mask[i])
            return -1;
    for (uint32_t i = 0; i < s->new_axis_mask_count && i < TS_STRIDED_SLICE_STEPS; ++i)
        if (s->new_axis_mask[i])
            return -1;
    for (uint32_t i = 0; i < s->begin_count && i < p->call->in->rank; ++i) {
        const bool shrunk = i < s->shrink_axis_mask_count && s->shrink_axis_mask[i];
        const bool masked = i < s->begin_mask_count && s->begin_mask[i];
        if (!shrunk && !masked && i < s->stride_count && s->stride[i] < 0 && s->begin[i] >= INT32_MAX)
            return (int)i;
    }
    return -1;
}

static bool from_far(const fault_path *p)
{
    return from_last(p) >= 0;
}

static void from_first(const fault_path *p, fault_place *e)
{
    const ts_tensor *in = p->call->in;
    const int i = from_last(p);
    e->from -= (int64_t)((in->sizes[i] - 1) * in->strides[i]);
}

static bool far_planes(const fault_path *p)
{
    const int64_t pitch = fault_stride(p, 0) * (int64_t)p->bytes;
    return p->dims >= 3 && !p->axis[0].picks && pitch >= (INT64_C(1) << 24) && pitch % 256 == 0;
}

static void pitch_in_units(const fault_path *p, fault_place *e)
{
    const int64_t pitch = fault_stride(p, 0) * (int64_t)p->bytes;
    const int64_t kept = (pitch / 256 & UINT16_MAX) * 256;
    fault_shift(p, e, (int64_t)e->at[0] * (kept - pitch) / (int64_t)p->bytes);
}

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

static bool indexed_runs(const fault_path *p)
{
    return signed_indices(p) && fault_picks(p) > 1;
}

static void run_over_zero(const fault_path *p, fault_place *e)
{
    const int64_t raw = raw_index(p, e->pick);
    uint64_t n = e->pick;
    if (raw < 0 || (uint64_t)raw >= n)
        return;
    for (int64_t k = raw; k >= 0; --k, --n)
        if (raw_index(p, n) != k)
            return;
    if (raw_index(p, n) == -1)
        e->from += p->picked_size * p->picked_stride;
}

static bool probed_rows(const fault_path *p)
{
    return fault_vector(p) && fault_row(p)->size * p->bytes >= 256 && !picks_any(p);
}

static void filled_with_first(const fault_path *p, fault_place *e)
{
    const int64_t begin = e->from - (int64_t)column(p, e);
    const unsigned char *row = p->source + (size_t)begin * p->bytes;
    bool alike = true;
    for (size_t i = p->bytes; alike && i < 16; ++i)
        alike = row[i] == row[i - p->bytes];
    if (alike)
        e->from = begin;
}

/* The distance of the indices, if the first two and the last say that all are equally far apart; 0: they do not. */
static int64_t progression(const fault_path *p)
{
    const uint64_t n = fault_picks(p);
    if (n < 4)
        return 0;
    const int64_t first = fault_index(p, 0), distance = fault_index(p, 1) - first;
    return fault_index(p, n - 1) == first + distance * (int64_t)(n - 1) ? distance : 0;
}

static bool progresses(const fault_path *p)
{
    return progression(p) != 0;
}

static void as_slice(const fault_path *p, fault_place *e)
{
    const int64_t index = fault_index(p, 0) + progression(p) * (int64_t)e->pick;
    e->from += (index - e->index) * p->picked_stride;
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

static bool three_outside(const fault_path *p)
{
    return fault_picks(p) > 1 && outside(p) >= 3;
}

static void outermost_packed(const fault_path *p, fault_place *e)
{
    e->from += (int64_t)e->at[0] * (p->axis[1].in * (int64_t)p->axis[1].size - p->axis[0].in);
}

static bool repeated_rows(const fault_path *p)
{
    return p->dims == 2 && fault_vector(p) && !picks_any(p) && p->axis[0].in == 0 && p->axis[0].size > 4 &&
           (uint64_t)p->axis[0].out == fault_row(p)->size;
}

static void one_doubling_short(const fault_path *p, fault_place *e)
{
    uint64_t done = 1;
    while (done * 2 <= p->axis[0].size)
        done *= 2;
    e->unwritten = e->at[0] >= done + done / 2;
}

static bool five_loops(const fault_path *p)
{
    return (p->dims == 5 || p->dims == 6) && !p->axis[0].picks && !p->axis[1].picks;
}

static void not_rewound(const fault_path *p, fault_place *e)
{
    e->from += (int64_t)e->at[0] * p->axis[1].in * (int64_t)p->axis[1].size;
}

static bool rows_by_four(const fault_path *p)
{
    return fault_rows(p) && !above(p)->picks && above(p)->size % 4 == 3 && above(p)->size > 4 &&
           fault_row(p)->size >= 64;
}

static void last_row_again(const fault_path *p, fault_place *e)
{
    if (e->at[p->dims - 2] + 1 == above(p)->size)
        e->from -= above(p)->in;
}

static const fault rows[] = {
    { "magnitude-step-byte", ON_SLICES, MAGNITUDES, "a step is kept in a byte", .takes = far_steps,
      .wrong = step_in_a_byte },
    { "magnitude-negative-16", ON_GATHER, MAGNITUDES,
      "negative indices are kept in 16 bits if the axis has at most 65,535 elements", .takes = short_axis,
      .wrong = negative_in_16_bits },
    { "magnitude-begin-last", ON_STRIDED, MAGNITUDES,
      "a begin that is the largest int32 or more, with a reverse step, wraps to the first element", .takes = from_far,
      .wrong = from_first },
    { "magnitude-plane-units", ON_ALL, MAGNITUDES, "the pitch of a plane is kept in 16 bits, in units of 256 bytes",
      .takes = far_planes, .wrong = pitch_in_units },
    { "pattern-run-over-zero", ON_GATHER, PATTERNS,
      "indices -2, -1, 0, 1 are copied as one run, past the end of the axis", .takes = indexed_runs,
      .wrong = run_over_zero },
    { "pattern-fill-probe", ON_COPIES, PATTERNS, "a long row whose first 16 bytes are alike is filled with them",
      .takes = probed_rows, .wrong = filled_with_first },
    { "pattern-progression", ON_GATHER, PATTERNS,
      "indices are a slice if the first two and the last are equally far apart", .takes = progresses,
      .wrong = as_slice },
    { "count-outside-loops", ON_GATHER, COUNTS, "of three loops before the axis, the two outermost count as packed",
      .takes = three_outside, .wrong = outermost_packed },
    { "count-doubling", ON_COPIES, COUNTS, "a row is repeated 1, 2, 4, ... times, then by half of what there is",
      .takes = repeated_rows, .wrong = one_doubling_short },
    { "count-not-rewound", ON_COPIES, COUNTS, "five or six loops: the second is not rewound when the first advances",
      .takes = five_loops, .wrong = not_rewound },
    { "count-rows-by-four", ON_ALL, COUNTS,
      "rows are copied four at a time; the last of three that are left is the "
      "one before it",
      .takes = rows_by_four, .wrong = last_row_again },
};

const fault_table planted_numbers = { rows, sizeof rows / sizeof *rows };
