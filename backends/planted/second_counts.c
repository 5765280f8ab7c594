/* SPDX-License-Identifier: Apache-2.0 */
/* The second set: patterns of data, counts, updates and values. */
#include "backends/planted/second.h"

#include "backends/faulty/fault_update.h"
#include "reference/dml/gather_elements.h"
#include "reference/openvino/strided_slice.h"

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

static bool long_blocks(const fault_path *p)
{
    return fault_picks(p) > 1 && block(p) * p->bytes > 64;
}

static void beyond_registers(const fault_path *p, fault_place *e)
{
    e->unwritten = e->pick > 0 && fault_index(p, e->pick - 1) == e->index && e->number % block(p) * p->bytes >= 64;
}

static void lowest_byte(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    (void)context;
    (void)number;
    if (element[0] == element[1])
        memset(element, element[0], bytes);
}

/* One element fills a row; if its two lowest bytes are alike, by memset. */
static void filled_by_bytes(const fault_call *call)
{
    const ts_tensor *in = call->in, *out = call->out;
    fault_run_right(call);
    if (in->rank && in->sizes[in->rank - 1] > 1 && in->strides[in->rank - 1] == 0 && out->rank &&
        out->sizes[out->rank - 1] >= 16 && tensor_element_bytes(in->dtype) == 4)
        fault_each(out, lowest_byte, NULL);
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

static bool odd_planes(const fault_path *p)
{
    return p->dims >= 3 && !p->axis[0].picks && p->axis[0].size % 2 == 1 &&
           p->count / p->axis[0].size * p->bytes >= 4096;
}

static void other_buffer(const fault_path *p, fault_place *e)
{
    if (e->at[0] + 1 == p->axis[0].size)
        fault_shift(p, e, -2 * fault_stride(p, 0));
}

static bool nine_steps(const fault_path *p)
{
    return reported_plain(p) && TS_ATTRS(ts_openvino_strided_slice, p->call->d)->begin_count > 8;
}

static void begins_at_0(const fault_path *p, fault_place *e)
{
    window w;
    for (uint32_t i = 8; i < p->call->in->rank; ++i)
        if (reported_window(p->call, i, &w) && w.step > 0)
            e->from -= w.first * (int64_t)p->call->in->strides[i];
}

enum { ENGINE_ROWS = 16384 };

static bool rectangles(const fault_path *p)
{
    return p->dims == 2 && fault_vector(p) && !p->axis[0].picks && p->axis[0].size > ENGINE_ROWS;
}

static void rows_of_engine(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->at[0] >= ENGINE_ROWS;
}

static uint32_t axis_of_elements(const fault_path *p)
{
    return TS_ATTRS(ts_dml_gather_elements, p->call->d)->Axis;
}

static bool batches_of_elements(const fault_path *p)
{
    const uint32_t axis = axis_of_elements(p);
    return axis > 0 && p->indices->sizes[axis] != p->call->in->sizes[axis];
}

/* The index tensor is read with the distance that matrices have in the input. */
static void index_of_input(const fault_path *p, fault_place *e)
{
    const ts_tensor *t = p->indices;
    const uint32_t axis = axis_of_elements(p);
    uint64_t inner = 1;
    for (uint32_t i = axis + 1; i < t->rank; ++i)
        inner *= t->sizes[i];
    const uint64_t own = t->sizes[axis] * inner, wrong = (uint64_t)p->picked_size * inner;
    uint64_t number = (e->number / own * wrong + e->number % own) % p->count, offset = 0;
    for (uint32_t i = t->rank; i-- > 0;) {
        offset += number % t->sizes[i] * t->strides[i];
        number /= t->sizes[i];
    }
    int64_t index = fault_index_value(t, offset, p->picked_size);
    index = index < 0 ? 0 : index >= p->picked_size ? p->picked_size - 1 : index;
    e->from += (index - e->index) * p->picked_stride;
}

/* ---- updates ----------------------------------------------------------------------------------------------------- */

static void few_left(const fault_update *u)
{
    const uint64_t count = fault_count(u->updates), left = count % 64;
    if (count <= 64 || left == 0 || left > 3 || u->number < count - left)
        fault_apply(u);
}

static void first_of_block(const fault_update *u)
{
    const ts_tensor *in = u->call->in, *indices = &u->call->d->tensors[1];
    uint64_t elements = 1;
    for (uint32_t i = fault_first_of_tuple(u->call->d) + (uint32_t)indices->sizes[indices->rank - 1]; i < in->rank; ++i)
        elements *= in->sizes[i];
    if (u->number % elements < 1024)
        fault_apply(u);
}

void second_scatter(const fault_call *call, void (*apply)(const fault_update *u))
{
    uint64_t at[TS_MAX_DIMS] = { 0 };
    do
        memcpy(tensor_at(call->out, at), tensor_at(call->in, at), tensor_element_bytes(call->out->dtype));
    while (tensor_next(call->out, at));
    fault_each_update(call, apply);
}

static void few_updates(const fault_call *call)
{
    second_scatter(call, few_left);
}

static void long_updates(const fault_call *call)
{
    second_scatter(call, first_of_block);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void saturate(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const uint64_t row = *(const uint64_t *)context;
    uint16_t value;
    memcpy(&value, element, bytes);
    if (value > INT16_MAX && number % row < fault_floor(row, 8))
        value = INT16_MAX;
    memcpy(element, &value, bytes);
}

/* Every other 16-bit element: pairs are packed as signed numbers. */
static void packed_signed(const fault_call *call)
{
    const ts_tensor *in = call->in, *out = call->out;
    uint64_t row = out->rank ? out->sizes[out->rank - 1] : 0;
    fault_run_right(call);
    if (row >= 8 && in->rank && in->strides[in->rank - 1] == 2 && out->strides[out->rank - 1] == 1 &&
        tensor_element_bytes(out->dtype) == 2)
        fault_each(out, saturate, &row);
}

static void swap_halves(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const uint64_t row = *(const uint64_t *)context;
    uint32_t halves[2], swapped[2];
    if (number % row < fault_floor(row, 4))
        return;
    memcpy(halves, element, bytes);
    swapped[0] = halves[1];
    swapped[1] = halves[0];
    memcpy(element, swapped, bytes);
}

/* 64-bit elements are transposed as pairs of words; in the columns after the tiles the words are exchanged. */
static void edge_exchanged(const fault_call *call)
{
    const ts_tensor *in = call->in, *out = call->out;
    uint64_t row = out->rank ? out->sizes[out->rank - 1] : 0;
    fault_run_right(call);
    if (row > 4 && in->rank > 1 && in->strides[in->rank - 2] == 1 && in->sizes[in->rank - 2] > 1 &&
        in->strides[in->rank - 1] > 1 && tensor_element_bytes(out->dtype) == 8)
        fault_each(out, swap_halves, &row);
}

static const fault rows[] = {
    { "second-pattern-block", ON_GATHER, PATTERNS,
      "an index like the one before writes its block from registers, which hold 64 bytes", .takes = long_blocks,
      .wrong = beyond_registers },
    { "second-pattern-memset", ON_COPIES, PATTERNS,
      "an element whose two lowest bytes are alike fills its row as a byte", .execute = filled_by_bytes },
    { "second-count-buffers", ON_EVERY, COUNTS,
      "planes pass through two buffers; the last of an odd number is the one two before", .takes = odd_planes,
      .wrong = other_buffer },
    { "second-count-ninth-step", ON_STRIDED, COUNTS, "the lists have room for eight steps; later ones begin at 0",
      .takes = nine_steps, .wrong = begins_at_0 },
    { "second-count-engine", ON_EVERY, COUNTS, "the copy engine takes 16,384 rows of a rectangle", .takes = rectangles,
      .wrong = rows_of_engine },
    { "second-count-elements", ON_GATHER_ELEMENTS, COUNTS,
      "the index tensor is read with the distance that matrices have in the input", .takes = batches_of_elements,
      .wrong = index_of_input },
    { "second-count-few-updates", ON_SCATTERS, COUNTS, "up to three updates after groups of 64 are lost",
      .execute = few_updates },
    { "second-count-update-block", ON_SCATTER_ND, COUNTS, "1,024 elements of the block of an update are copied",
      .execute = long_updates },
    { "second-value-packed", ON_COPIES, VALUES, "every other 16-bit element is packed with signed saturation",
      .execute = packed_signed },
    { "second-value-halves", ON_COPIES, VALUES,
      "64-bit elements in the columns after the tiles of a transposing copy have their words exchanged",
      .execute = edge_exchanged },
};

const fault_table planted_second_counts = { rows, sizeof rows / sizeof *rows };
