/* SPDX-License-Identifier: Apache-2.0 */
/* Magnitudes: offsets, coordinates, pitches, steps, begins and indices that do not fit what holds them. */
#include "backends/faulty/fault_affine.h"
#include "backends/faulty/fault_path.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

static void through_float(const fault_path *p, fault_place *e)
{
    const volatile float from = (float)e->from, to = (float)e->to;
    (void)p;
    e->from = (int64_t)from;
    e->to = (int64_t)to;
}

static bool beyond_24_bits(const fault_path *p)
{
    return p->room > 1 << 24 || p->call->out->total_bytes / p->bytes > 1 << 24;
}

static bool beyond_18_bits(const fault_path *p)
{
    return !fault_row(p)->picks && fault_row(p)->size > 1 << 18;
}

static void coordinate_wraps(const fault_path *p, fault_place *e)
{
    const int64_t at = (int64_t)e->at[p->dims - 1];
    e->from -= (at - (at & ((1 << 18) - 1))) * fault_row(p)->in;
}

static bool wide_pitch(const fault_path *p)
{
    for (uint32_t i = 0; i + 1 < p->dims; ++i)
        if (!p->axis[i].picks && fault_stride(p, i) > 65535)
            return true;
    return false;
}

static void pitch_wraps(const fault_path *p, fault_place *e)
{
    for (uint32_t i = 0; i + 1 < p->dims; ++i)
        if (!p->axis[i].picks && fault_stride(p, i) > 65535)
            fault_shift(p, e, (int64_t)e->at[i] * ((fault_stride(p, i) & 65535) - fault_stride(p, i)));
}

static int64_t kept_in_16(int64_t step)
{
    return (int16_t)(uint16_t)(uint64_t)step;
}

static bool far_step(const fault_path *p)
{
    for (uint32_t i = 0; i < p->dims; ++i)
        if (kept_in_16(p->axis[i].step) != p->axis[i].step)
            return true;
    return false;
}

static void step_wraps(const fault_path *p, fault_place *e)
{
    for (uint32_t i = 0; i < p->dims; ++i) {
        const fault_axis *a = &p->axis[i];
        if (a->step)
            e->from += (int64_t)e->at[i] * (kept_in_16(a->step) - a->step) * (a->in / a->step);
    }
}

/* What a window offset of SLICE1, or a begin of StridedSlice that is no negative one, loses in 16 bits. */
static int64_t lost_offset(const fault_path *p)
{
    const ts_tensor *in = p->call->in;
    int64_t lost = 0;
    if (p->call->on == ON_SLICE1) {
        const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, p->call->d);
        for (uint32_t i = 0; i < in->rank; ++i)
            if (in->sizes[i] > 1)
                lost += (int64_t)((s->InputWindowOffsets[i] & ~UINT32_C(65535)) * in->strides[i]);
        return lost;
    }
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, p->call->d);
    if (s->begin_count == 1 && in->rank == 1 && s->begin[0] > 65535 && s->begin[0] < (int64_t)in->sizes[0])
        lost = (s->begin[0] & ~INT64_C(65535)) * (int64_t)in->strides[0];
    return lost;
}

static bool far_offset(const fault_path *p)
{
    return lost_offset(p) != 0;
}

static void offset_wraps(const fault_path *p, fault_place *e)
{
    e->from -= lost_offset(p);
}

static bool gathers(const fault_path *p)
{
    return p->indices != NULL;
}

static void read_index(const fault_path *p, fault_place *e, int64_t index)
{
    e->from += ((int64_t)fault_inside(index, (uint64_t)p->picked_size) - e->index) * p->picked_stride;
}

static void index_in_16(const fault_path *p, fault_place *e)
{
    read_index(p, e, e->index & 65535);
}

static void index_in_float(const fault_path *p, fault_place *e)
{
    const volatile float index = (float)e->index;
    read_index(p, e, (int64_t)index);
}

static void index_in_31(const fault_path *p, fault_place *e)
{
    read_index(p, e, e->index > INT32_MAX ? 0 : e->index);
}

static bool begin_changes(const fault_path *p)
{
    return fault_moved(p, BEGIN_INT32) != 0;
}

static void begin_in_32(const fault_path *p, fault_place *e)
{
    e->from += fault_moved(p, BEGIN_INT32);
}

static const fault rows[] = {
    { "magnitude-float", ON_ALL, MAGNITUDES, "offsets beyond 2^24 elements go through float", .takes = beyond_24_bits,
      .wrong = through_float },
    { "magnitude-18", ON_ALL, MAGNITUDES, "coordinates in a row have 18 bits", .takes = beyond_18_bits,
      .wrong = coordinate_wraps },
    { "magnitude-pitch-16", ON_ALL, MAGNITUDES, "outer strides have 16 bits", .takes = wide_pitch,
      .wrong = pitch_wraps },
    { "magnitude-step-16", ON_SLICES, MAGNITUDES, "the stride of a window has 16 bits", .takes = far_step,
      .wrong = step_wraps },
    { "magnitude-offset-16", ON_SLICES, MAGNITUDES, "the offset of a window has 16 bits", .takes = far_offset,
      .wrong = offset_wraps },
    { "magnitude-begin-32", ON_STRIDED, MAGNITUDES, "begin is truncated to 32 bits before it is clamped",
      .takes = begin_changes, .wrong = begin_in_32 },
    { "magnitude-index-16", ON_GATHERS | ON_GATHER_NDS, MAGNITUDES, "indices are kept in 16 bits", .takes = gathers,
      .wrong = index_in_16 },
    { "magnitude-index-float", ON_GATHERS | ON_GATHER_NDS, MAGNITUDES, "indices go through float", .takes = gathers,
      .wrong = index_in_float },
    { "magnitude-index-31", ON_GATHERS | ON_GATHER_NDS, MAGNITUDES,
      "indices from 2^31 on are taken as negative and clamped", .takes = gathers, .wrong = index_in_31 },
};

const fault_table fault_magnitudes = { rows, sizeof rows / sizeof *rows };
