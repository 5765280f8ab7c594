/* SPDX-License-Identifier: Apache-2.0 */
/* Reported faults of GATHER. */
#include "backends/planted/reported.h"
#include "reference/dml/gather.h"

/* An index as it is stored, negative or not. */
static int64_t stored(const fault_path *p, uint64_t number)
{
    const ts_tensor *t = p->indices;
    const size_t bytes = tensor_element_bytes(t->dtype);
    uint64_t offset = 0;
    int64_t index = 0;
    for (uint32_t i = t->rank; i-- > 0;) {
        offset += number % t->sizes[i] * t->strides[i];
        number /= t->sizes[i];
    }
    memcpy(&index, (const unsigned char *)t->data + offset * bytes, bytes);
    return t->dtype == TS_INT32 ? (int32_t)(uint32_t)(uint64_t)index : index;
}

static bool is_signed(const fault_path *p)
{
    return p->indices->dtype == TS_INT32 || p->indices->dtype == TS_INT64;
}

static uint32_t dims_of_index(const fault_path *p)
{
    return TS_ATTRS(ts_dml_gather, p->call->d)->IndexDimensions;
}

/* Rows of the input, each selected by an index. */
static bool picked_rows(const fault_path *p)
{
    return p->dims == 2 && p->axis[0].picks && fault_vector(p);
}

static void packed_rows(const fault_path *p, fault_place *e)
{
    e->from -= e->index * (p->picked_stride - (int64_t)fault_row(p)->size);
}

static bool one_index(const fault_path *p)
{
    return fault_picks(p) == 1 && is_signed(p) && stored(p, 0) < 0;
}

static void plus_rank(const fault_path *p, fault_place *e)
{
    const int64_t index = stored(p, 0) + (int64_t)p->call->in->rank;
    const int64_t wrong = index < 0 ? 0 : index >= p->picked_size ? p->picked_size - 1 : index;
    e->from += (wrong - e->index) * p->picked_stride;
}

static bool packed_input(const fault_path *p)
{
    const ts_tensor *in = p->call->in;
    ts_tensor packed = *in;
    tensor_pack(&packed);
    return is_signed(p) && TS_ATTRS(ts_dml_gather, p->call->d)->Axis == 0 &&
           memcmp(packed.strides, in->strides, in->rank * sizeof *in->strides) == 0;
}

static void far_beyond(const fault_path *p, fault_place *e)
{
    if (stored(p, e->pick) < 0)
        e->from = (int64_t)p->room - 1;
}

static bool any_call(const fault_path *p)
{
    return p->indices != NULL;
}

static void from_31(const fault_path *p, fault_place *e)
{
    (void)p;
    e->from = (int32_t)(uint32_t)(uint64_t)e->from;
}

static bool beyond_type(const fault_path *p)
{
    return p->indices->dtype == TS_INT32 && p->picked_size > INT32_MAX;
}

static void index_0(const fault_path *p, fault_place *e)
{
    e->from -= e->index * p->picked_stride;
}

static bool unsigned_index(const fault_path *p)
{
    return p->indices->dtype == TS_UINT32;
}

static void top_bit_0(const fault_path *p, fault_place *e)
{
    if (e->index > INT32_MAX)
        e->from -= e->index * p->picked_stride;
}

static bool rows_of_indices(const fault_path *p)
{
    const ts_tensor *t = p->indices;
    return tensor_element_bytes(t->dtype) == 4 && reported_size(t, 0) > 32 && reported_size(t, 1) > 1 &&
           t->strides[t->rank - 2] != t->sizes[t->rank - 1];
}

static void first_stick(const fault_path *p, fault_place *e)
{
    const uint64_t column = e->pick % reported_size(p->indices, 0);
    e->from += (fault_index(p, e->pick - column + column % 32) - e->index) * p->picked_stride;
}

static bool five_dims(const fault_path *p)
{
    return p->call->out->rank >= 5 && dims_of_index(p) == 2 && reported_size(p->indices, 0) > 1 &&
           reported_size(p->indices, 1) > 1;
}

static void index_transposed(const fault_path *p, fault_place *e)
{
    const uint64_t columns = reported_size(p->indices, 0), rows = reported_size(p->indices, 1);
    const uint64_t other = e->pick % columns * rows + e->pick / columns;
    e->from += (fault_index(p, other) - e->index) * p->picked_stride;
}

static bool trailing_one(const fault_path *p)
{
    return dims_of_index(p) >= 2 && reported_size(p->indices, 0) == 1 && !fault_row(p)->picks && fault_picks(p) > 1;
}

static void row_stands(const fault_path *p, fault_place *e)
{
    e->from -= (int64_t)e->at[p->dims - 1] * fault_row(p)->in;
}

static bool vectors_off(const fault_path *p)
{
    return picked_rows(p) && fault_row(p)->size * p->bytes % 16 == 0 && (uint64_t)p->picked_stride * p->bytes % 16 != 0;
}

static void vector_down(const fault_path *p, fault_place *e)
{
    e->from -= e->index * p->picked_stride % (int64_t)(16 / p->bytes);
}

static bool view_of_halves(const fault_path *p)
{
    return picked_rows(p) && p->bytes == 2 && p->picked_stride > (int64_t)fault_row(p)->size;
}

static bool sorted(const fault_path *p)
{
    if (!picked_rows(p) || p->bytes != 4 || p->picked_stride <= (int64_t)fault_row(p)->size)
        return false;
    for (uint64_t i = 1; i < p->axis[0].size; ++i)
        if (fault_index(p, i) < fault_index(p, i - 1))
            return false;
    return true;
}

static const fault rows[] = {
    { "openvino-crop-negative", ON_GATHER, COUNTS,
      "to a single negative index the number of dimensions is added, not the size (openvino pull request 22039)",
      .takes = one_index, .wrong = plus_rank },
    { "rten-contiguous-negative", ON_GATHER, LAYOUTS,
      "only the path for a packed input does not count negative indices from the end (rten pull request 1390)",
      .takes = packed_input, .wrong = far_beyond },
    { "ort-gather-offset", ON_GATHER, MAGNITUDES,
      "the offset of a row is computed in 32 signed bits (onnxruntime issue 28107)", .takes = any_call,
      .wrong = from_31 },
    { "cupy-index-range", ON_GATHER, MAGNITUDES,
      "the size of the axis overflows if it is the largest index and one (cupy pull request 3118)",
      .takes = beyond_type, .wrong = index_0 },
    { "xla-index-top-bit", ON_GATHER, MAGNITUDES,
      "an unsigned index with its top bit set selects element 0 (openxla/xla issue 48717)", .takes = unsigned_index,
      .wrong = top_bit_0 },
    { "spyre-index-stick", ON_GATHER, COUNTS,
      "of a row of an index table that has gaps, the first 32 indices are used again (torch-spyre issue 3851)",
      .takes = rows_of_indices, .wrong = first_stick },
    { "openvino-index-order", ON_GATHER, COUNTS,
      "for five dimensions and more the order of the index coordinates is fixed wrongly (openvino pull request 30054)",
      .takes = five_dims, .wrong = index_transposed },
    { "openvino-trailing-ones", ON_GATHER, COUNTS,
      "if the last index dimension is 1, the data after the axis are read by wrong ones (openvino pull request 960)",
      .takes = trailing_one, .wrong = row_stands },
    { "pytorch-gather-vector", ON_GATHER, LAYOUTS,
      "vector loads of rows although the stride of the axis is no multiple of a vector (pytorch pull request 151917)",
      .takes = vectors_off, .wrong = vector_down },
    { "iree-gather-view", ON_GATHER, LAYOUTS,
      "rows of half floats of a strided view are taken for adjacent ones (iree issue 19749)", .takes = view_of_halves,
      .wrong = packed_rows },
    { "mlx-sorted", ON_GATHER, PATTERNS,
      "with sorted indices, rows of an input that is not packed are taken for adjacent ones (mlx issue 4253)",
      .takes = sorted, .wrong = packed_rows },
};

const fault_table planted_reported_gather = { rows, sizeof rows / sizeof *rows };
