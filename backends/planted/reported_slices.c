/* SPDX-License-Identifier: Apache-2.0 */
/* Reported faults of slices. */
#include "backends/planted/reported.h"
#include "reference/openvino/strided_slice.h"

/* Of how many elements of the output a dimension is, and how far apart they are in the source. */
static int64_t moved(const fault_path *p, const fault_place *e, uint32_t dim, int64_t step)
{
    return (int64_t)reported_coordinate(p, e, dim) * step * (int64_t)p->call->in->strides[dim];
}

/* ---- slices that insert and remove no dimension ------------------------------------------------------------------ */

static void step_forgotten(const fault_path *p, fault_place *e)
{
    window w;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < p->call->in->rank; ++i)
        steps += reported_window(p->call, i, &w) && w.step > 1;
    for (uint32_t i = 0; steps > 1 && i < p->call->in->rank; ++i)
        if (reported_window(p->call, i, &w) && w.step > 1 && w.low == 0 && w.high == w.size) {
            e->from -= moved(p, e, i, w.step - 1);
            return;
        }
}

static void low_forgotten(const fault_path *p, fault_place *e)
{
    window w;
    for (uint32_t i = 0; i < p->call->in->rank; ++i)
        if (reported_window(p->call, i, &w) && w.step < 0 && w.low > 0) {
            const int64_t first = -w.step * (int64_t)p->call->out->sizes[i] - 1;
            e->from += ((first < w.size ? first : w.size - 1) - w.first) * (int64_t)p->call->in->strides[i];
        }
}

/* The dimension of one element whose step does not fit 32 signed bits in bytes; 0: there is none. */
static uint32_t far_step(const fault_path *p)
{
    window w;
    for (uint32_t i = 1; i < p->call->in->rank; ++i)
        if (reported_window(p->call, i, &w) && p->call->out->sizes[i] == 1 &&
            (w.step < 0 ? -w.step : w.step) > INT32_MAX / (int64_t)(p->call->in->strides[i] * p->bytes + 1))
            return i;
    return 0;
}

static bool steps_far(const fault_path *p)
{
    return reported_plain(p) && far_step(p) > 0;
}

static void outer_stand(const fault_path *p, fault_place *e)
{
    window w;
    for (uint32_t i = 0; i < far_step(p); ++i)
        if (reported_window(p->call, i, &w))
            e->from -= moved(p, e, i, w.step);
}

static bool rows_of_packed(const fault_path *p)
{
    const ts_tensor *in = p->call->in;
    ts_tensor packed = *in;
    window w;
    tensor_pack(&packed);
    return p->call->on == ON_STRIDED && reported_plain(p) && reported_window(p->call, in->rank - 1, &w) &&
           reported_whole(&w) && memcmp(packed.strides, in->strides, in->rank * sizeof *in->strides) == 0;
}

static void skipped(const fault_path *p, fault_place *e)
{
    (void)p;
    e->from = (int64_t)e->number;
}

static void other_end(const fault_path *p, fault_place *e)
{
    window w;
    for (uint32_t i = 0; i < p->call->in->rank; ++i)
        if (reported_window(p->call, i, &w) && w.step < -1 && p->call->out->sizes[i] == 1)
            e->from -= (w.first - w.low) * (int64_t)p->call->in->strides[i];
}

static bool any_copy(const fault_path *p)
{
    return p->count > 0;
}

static void from_31(const fault_path *p, fault_place *e)
{
    (void)p;
    e->from = (int32_t)(uint32_t)(uint64_t)e->from;
}

/* ---- StridedSlice ------------------------------------------------------------------------------------------------ */

static const ts_openvino_strided_slice *lists(const fault_path *p)
{
    return TS_ATTRS(ts_openvino_strided_slice, p->call->d);
}

static bool bit_of(const fault_path *p, unsigned attr, const uint8_t *mask, uint32_t count, uint32_t step)
{
    return (p->call->d->attrs_given >> attr & 1u) && step < count && mask[step] == 1;
}

static bool begin_masked(const fault_path *p, uint32_t step)
{
    return bit_of(p, 3, lists(p)->begin_mask, lists(p)->begin_mask_count, step);
}

static bool end_masked(const fault_path *p, uint32_t step)
{
    return bit_of(p, 4, lists(p)->end_mask, lists(p)->end_mask_count, step);
}

static bool is_new(const fault_path *p, uint32_t step)
{
    return bit_of(p, 5, lists(p)->new_axis_mask, lists(p)->new_axis_mask_count, step);
}

static bool shrinks(const fault_path *p, uint32_t step)
{
    return bit_of(p, 6, lists(p)->shrink_axis_mask, lists(p)->shrink_axis_mask_count, step);
}

static bool is_ellipsis(const fault_path *p, uint32_t step)
{
    return bit_of(p, 7, lists(p)->ellipsis_mask, lists(p)->ellipsis_mask_count, step);
}

static int64_t step_of(const fault_path *p, uint32_t step)
{
    return p->call->d->attrs_given >> 2 & 1u ? lists(p)->stride[step] : 1;
}

static uint32_t count_of(const fault_path *p, bool (*has)(const fault_path *p, uint32_t step))
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lists(p)->begin_count; ++i)
        count += has(p, i);
    return count;
}

/* A begin as an element of its dimension. */
static int64_t begin_in(const fault_path *p, uint32_t step, uint32_t dim)
{
    const int64_t size = (int64_t)p->call->in->sizes[dim], begin = lists(p)->begin[step];
    const int64_t at = begin < 0 ? begin + size : begin;
    return at < 0 ? 0 : at >= size ? size - 1 : at;
}

static bool plain_lists(const fault_path *p)
{
    return reported_plain(p);
}

static void last_forgotten(const fault_path *p, fault_place *e)
{
    for (uint32_t i = 0; i < lists(p)->begin_count; ++i)
        if (lists(p)->end[i] == INT64_MAX && !end_masked(p, i) && step_of(p, i) > 0 &&
            reported_coordinate(p, e, i) + 1 == p->call->out->sizes[i])
            e->unwritten = true;
}

static void all_negative(const fault_path *p, fault_place *e)
{
    window w;
    for (uint32_t i = 0; i < lists(p)->begin_count; ++i)
        if (lists(p)->begin[i] < 0 && lists(p)->end[i] < 0 && step_of(p, i) < 0 && reported_window(p->call, i, &w))
            e->from += (w.size - 1 - w.first) * (int64_t)p->call->in->strides[i];
}

static void clamped_to_last(const fault_path *p, fault_place *e)
{
    for (uint32_t i = 0; i < lists(p)->begin_count; ++i) {
        const int64_t size = (int64_t)p->call->in->sizes[i];
        if (lists(p)->begin[i] < -size && step_of(p, i) < 0 && !begin_masked(p, i))
            e->from += (size - 1) * (int64_t)p->call->in->strides[i];
    }
}

static bool shrunk_only(const fault_path *p)
{
    return count_of(p, shrinks) > 0 && count_of(p, is_new) == 0 && count_of(p, is_ellipsis) == 0;
}

static void step_before(const fault_path *p, fault_place *e)
{
    uint32_t dim = shrinks(p, 0) ? 0 : 1;
    for (uint32_t i = 1; i < lists(p)->begin_count; ++i) {
        if (shrinks(p, i))
            continue;
        if (shrinks(p, i - 1))
            e->from += (int64_t)reported_coordinate(p, e, dim) * (step_of(p, i - 1) - step_of(p, i)) *
                       (int64_t)p->call->in->strides[i];
        ++dim;
    }
}

static bool new_only(const fault_path *p)
{
    return count_of(p, is_new) > 0 && count_of(p, shrinks) == 0 && count_of(p, is_ellipsis) == 0;
}

static void mask_of_dim(const fault_path *p, fault_place *e)
{
    uint32_t dim = 0;
    for (uint32_t i = 0; i < lists(p)->begin_count; ++i) {
        if (is_new(p, i))
            continue;
        if (begin_masked(p, i) && !begin_masked(p, dim) && step_of(p, i) > 0)
            e->from += begin_in(p, i, dim) * (int64_t)p->call->in->strides[dim];
        ++dim;
    }
}

static bool ellipsis_only(const fault_path *p)
{
    return count_of(p, is_ellipsis) == 1 && count_of(p, is_new) == 0 && count_of(p, shrinks) == 0;
}

static void mask_of_ellipsis(const fault_path *p, fault_place *e)
{
    bool after = false;
    for (uint32_t i = 0; i < lists(p)->begin_count; ++i) {
        const uint32_t dim = p->call->in->rank + i - lists(p)->begin_count;
        if (after && begin_masked(p, i) && step_of(p, i) > 0)
            e->from += begin_in(p, i, dim) * (int64_t)p->call->in->strides[dim];
        after = after || is_ellipsis(p, i);
    }
}

static bool short_lists(const fault_path *p)
{
    return reported_plain(p) && lists(p)->begin_count > 0 && lists(p)->begin_count < p->call->in->rank;
}

static void last_begin_again(const fault_path *p, fault_place *e)
{
    const uint32_t steps = lists(p)->begin_count;
    for (uint32_t i = steps; i < p->call->in->rank; ++i)
        e->from += begin_in(p, steps - 1, i) * (int64_t)p->call->in->strides[i];
}

static const fault rows[] = {
    { "coreml-second-step", ON_SLICES, MEANING,
      "of two steps, the one over a whole dimension is forgotten (coremltools issue 1659)", .takes = reported_plain,
      .wrong = step_forgotten },
    { "iree-reversed-part", ON_SLICES, MEANING,
      "a reversed part of a dimension is taken from its beginning (iree issue 24584)", .takes = reported_plain,
      .wrong = low_forgotten },
    { "ort-large-step", ON_SLICES, MAGNITUDES,
      "beside a dimension of one element whose step is huge, the outer ones stand (onnxruntime pull request 9376)",
      .takes = steps_far, .wrong = outer_stand },
    { "openvino-skipped", ON_STRIDED, MEANING,
      "a slice whose last dimension is whole is skipped although others are cut (openvino pull request 35803)",
      .takes = rows_of_packed, .wrong = skipped },
    { "mlx-single-step", ON_SLICES, MEANING,
      "one element taken by a step backwards is the lowest of its range (mlx issue 4444)", .takes = reported_plain,
      .wrong = other_end },
    { "mlx-copy-count", ON_AFFINE, MAGNITUDES,
      "the number of elements, not the reach of the strides, chooses 32-bit offsets (mlx issue 3836)",
      .takes = any_copy, .wrong = from_31 },
    { "tvm-end-32", ON_STRIDED, MAGNITUDES,
      "an end of INT64_MAX becomes -1, and the last element is lost (tvm pull request 3942)", .takes = plain_lists,
      .wrong = last_forgotten },
    { "openvino-all-negative", ON_STRIDED, MEANING,
      "if begin, end and stride are negative, the range begins at the last element (openvino pull request 21727)",
      .takes = plain_lists, .wrong = all_negative },
    { "openvino-clamped-begin", ON_STRIDED, MEANING,
      "a begin before the data, clamped for a negative stride, becomes the last one (openvino pull request 16843)",
      .takes = plain_lists, .wrong = clamped_to_last },
    { "openvino-step-after-shrink", ON_STRIDED, MEANING,
      "after a shrunk dimension the stride of the step before is used (openvino pull request 32689)",
      .takes = shrunk_only, .wrong = step_before },
    { "tosa-shifted-masks", ON_STRIDED, MEANING,
      "new axes are not counted when bits of begin_mask are looked up (tensorflow pull request 60939)",
      .takes = new_only, .wrong = mask_of_dim },
    { "tflite-ellipsis-mask", ON_STRIDED, MEANING,
      "begin_mask is lost for steps after an ellipsis (tensorflow issue 42481)", .takes = ellipsis_only,
      .wrong = mask_of_ellipsis },
    { "tflm-short-lists", ON_STRIDED, COUNTS,
      "dimensions that have no step begin where the last step begins (tflite-micro issue 3683)", .takes = short_lists,
      .wrong = last_begin_again },
};

const fault_table planted_reported_slices = { rows, sizeof rows / sizeof *rows };
