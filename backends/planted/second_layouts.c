/* SPDX-License-Identifier: Apache-2.0 */
/* The second set: divisions, layouts and magnitudes. */
#include "backends/planted/second.h"

/* ---- divisions --------------------------------------------------------------------------------------------------- */

static bool pitches_of_two(const fault_path *p)
{
    const uint64_t n = fault_row(p)->size;
    return p->dims == 2 && fault_vector(p) && !p->axis[0].picks && fault_power_of_two(n) &&
           fault_stride(p, 0) > (int64_t)n && fault_power_of_two((uint64_t)fault_stride(p, 0));
}

/* The number of an element is split by shift and mask of the pitch, not of the row. */
static void split_by_pitch(const fault_path *p, fault_place *e)
{
    fault_shift(p, e, -(int64_t)e->at[0] * (fault_stride(p, 0) - (int64_t)fault_row(p)->size));
}

enum { THREADS = 256 };

static bool small_planes(const fault_path *p)
{
    return p->dims == 3 && !picks_any(p) && fault_row(p)->size <= THREADS &&
           THREADS / fault_row(p)->size >= p->axis[1].size && p->count > THREADS;
}

/* A thread goes on by 256 elements: its row grows by more than a plane has, and is reduced by one plane. */
static void one_carry(const fault_path *p, fault_place *e)
{
    const uint64_t plane = p->axis[1].size * fault_row(p)->size;
    const int64_t steps = (int64_t)(e->number / THREADS), first = (int64_t)(e->number % THREADS / plane);
    const int64_t missed = (int64_t)e->at[0] - first - steps;
    fault_shift(p, e, missed * ((int64_t)p->axis[1].size * fault_stride(p, 1) - fault_stride(p, 0)));
}

static bool byte_batches(const fault_path *p)
{
    return p->bytes == 1 && outside(p) == 1 && fault_picks(p) > 1 && (int64_t)fault_picks(p) != p->picked_size;
}

static void divided_by_axis(const fault_path *p, fault_place *e)
{
    const uint64_t batch = e->number / ((uint64_t)p->picked_size * block(p)), last = p->axis[0].size - 1;
    e->from += ((int64_t)(batch > last ? last : batch) - (int64_t)e->at[0]) * p->axis[0].in;
}

/* ---- layouts ----------------------------------------------------------------------------------------------------- */

static bool unit_last(const fault_path *p)
{
    const ts_tensor *t = second_laid_out(p->call);
    return p->dims == 1 && !fault_row(p)->picks && fault_stride(p, 0) > 1 && t->rank > 1 && t->rank <= TS_MAX_DIMS &&
           t->sizes[t->rank - 1] == 1 && t->strides[t->rank - 1] == 1;
}

static void as_neighbours(const fault_path *p, fault_place *e)
{
    fault_shift(p, e, -(int64_t)e->at[0] * (fault_stride(p, 0) - 1));
}

static bool overlapping_rows(const fault_path *p)
{
    return fault_rows(p) && !above(p)->picks && above(p)->in > 0 && above(p)->in < (int64_t)fault_row(p)->size;
}

static void pitch_of_width(const fault_path *p, fault_place *e)
{
    e->from += (int64_t)e->at[p->dims - 2] * ((int64_t)fault_row(p)->size - above(p)->in);
}

static bool pixels(const fault_path *p)
{
    const ts_tensor *in = p->call->in;
    return in->rank == 4 && in->strides[1] == 1 && in->sizes[1] % 8 == 0 && in->strides[3] == in->sizes[1] &&
           in->sizes[2] * in->sizes[3] > 1 && in->sizes[2] * in->sizes[3] % 2 == 1;
}

static void pixel_before(const fault_path *p, fault_place *e)
{
    const ts_tensor *in = p->call->in;
    if (reported_coordinate(p, e, 2) + 1 == in->sizes[2] && reported_coordinate(p, e, 3) + 1 == in->sizes[3])
        e->from -= (int64_t)(in->sizes[3] > 1 ? in->strides[3] : in->strides[2]);
}

static uint64_t plane(const fault_path *p)
{
    return p->count / p->axis[0].size;
}

static bool repeated_planes(const fault_path *p)
{
    return p->dims > 1 && !p->axis[0].picks && p->axis[0].in == 0 && p->axis[0].index == 0 &&
           p->axis[0].out > (int64_t)plane(p);
}

static void planes_packed(const fault_path *p, fault_place *e)
{
    e->to += (int64_t)e->at[0] * ((int64_t)plane(p) - p->axis[0].out);
}

static bool broadcast_fours(const fault_path *p)
{
    const fault_axis *row = fault_row(p);
    return p->dims > 1 && p->bytes == 4 && !row->picks && row->in == 0 && row->index == 0 && row->size == 4;
}

static void vector_loaded(const fault_path *p, fault_place *e)
{
    e->from += (int64_t)column(p, e);
}

/* ---- magnitudes -------------------------------------------------------------------------------------------------- */

static bool far_window(const fault_path *p)
{
    window w;
    bool far = false;
    for (uint32_t i = 0; reported_plain(p) && i < p->call->in->rank; ++i)
        far = far || (reported_window(p->call, i, &w) && w.step > 0 && w.high > INT32_MAX);
    return far;
}

static void overflowing_loop(const fault_path *p, fault_place *e)
{
    window w;
    for (uint32_t i = 0; i < p->call->in->rank; ++i)
        if (reported_window(p->call, i, &w) && w.step > 0 &&
            w.first + (int64_t)reported_coordinate(p, e, i) * w.step > INT32_MAX)
            e->unwritten = true;
}

enum { TEXTURE = 16384 };

static bool textured(const fault_path *p)
{
    return p->bytes == 4 && fault_vector(p) && p->room > TEXTURE;
}

/* A vector that crosses the rows of the texture goes on at the beginning of the row where it began. */
static void texture_wraps(const fault_path *p, fault_place *e)
{
    const int64_t begin = e->from - (int64_t)(column(p, e) % 4);
    if (e->from / TEXTURE > begin / TEXTURE)
        e->from -= TEXTURE;
}

static const fault rows[] = {
    { "second-division-pitch", ON_EVERY, DIVISIONS,
      "rows and pitches of powers of two: the number of an element is split by the pitch", .takes = pitches_of_two,
      .wrong = split_by_pitch },
    { "second-division-carry", ON_EVERY, DIVISIONS,
      "threads go on by 256 elements with one carry, though small planes need several", .takes = small_planes,
      .wrong = one_carry },
    { "second-division-axis", ON_GATHER, DIVISIONS,
      "batches of bytes are found by the size of the axis, not by the number of indices", .takes = byte_batches,
      .wrong = divided_by_axis },
    { "second-layout-unit-last", ON_EVERY, LAYOUTS,
      "a last dimension of 1 with the stride 1 counts as neighbouring elements", .takes = unit_last,
      .wrong = as_neighbours },
    { "second-layout-overlapping", ON_EVERY_COPY, LAYOUTS,
      "rows that overlap in the input are read with a pitch of their length", .takes = overlapping_rows,
      .wrong = pitch_of_width },
    { "second-layout-pixels", ON_IDENTITY | ON_SCATTERS, LAYOUTS,
      "channels last, two pixels at a time: the last one of an odd number is the one before it", .takes = pixels,
      .wrong = pixel_before },
    { "second-layout-repeated", ON_BROADCASTS, LAYOUTS,
      "a plane that is repeated is repeated without the gaps of the output", .takes = repeated_planes,
      .wrong = planes_packed },
    { "second-layout-four", ON_BROADCASTS, LAYOUTS,
      "an element that is broadcast to a row of four is loaded with its neighbours", .takes = broadcast_fours,
      .wrong = vector_loaded },
    { "second-magnitude-loop", ON_SLICES, MAGNITUDES, "the variable of a loop over a window overflows 31 bits",
      .takes = far_window, .wrong = overflowing_loop },
    { "second-magnitude-texture", ON_EVERY_COPY, MAGNITUDES,
      "the input is a texture of 16,384 columns; a vector over its edge wraps to the same row", .takes = textured,
      .wrong = texture_wraps },
};

const fault_table planted_second_layouts = { rows, sizeof rows / sizeof *rows };
