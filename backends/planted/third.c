/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: how its kernels walk through elements. */
#include "backends/planted/third.h"

#include "reference/dml/join.h"
#include "reference/dml/space_to_depth1.h"

/* ---- maps -------------------------------------------------------------------------------------------------------- */

static int64_t attr_of(const ts_descriptor *d, const char *name)
{
    const int i = operator_attr_index(d->op, name);
    return i < 0 ? 0 : operator_attr_value(d, (unsigned)i, 0);
}

/* Of OpenVINO, whose tensors have no dimensions in front that do not count. */
static void map_tuples(third_map *m)
{
    const int64_t batch = attr_of(m->call->d, "batch_dims");
    m->tuples = true;
    m->batch = (uint32_t)batch;
    m->axis = m->batch;
    m->array = m->indices->rank - 1 - m->batch;
    m->flat = (m->call->on & ON_GATHER_ND_5) && m->batch > 1;
}

static void map_counted(third_map *m)
{
    const ts_descriptor *d = m->call->d;
    const uint32_t dims = (uint32_t)attr_of(d, "InputDimensionCount");
    const uint32_t indices = (uint32_t)attr_of(d, "IndicesDimensionCount");
    m->tuples = true;
    m->batch = (uint32_t)attr_of(d, "BatchDimensionCount");
    m->first = m->narrow->rank - dims;
    m->first_index = m->indices->rank - indices;
    m->axis = m->first + m->batch;
    m->array = indices - 1 - m->batch;
}

static void map_axis(third_map *m, const char *name)
{
    const int64_t axis = attr_of(m->call->d, name), batch = attr_of(m->call->d, "batch_dims");
    m->axis = (uint32_t)(axis < 0 ? axis + m->narrow->rank : axis);
    m->batch = (uint32_t)(batch < 0 ? batch + m->indices->rank : batch);
    m->array = m->indices->rank - m->batch;
}

third_map third_map_of(const fault_call *call)
{
    const ts_descriptor *d = call->d;
    const bool scatters = (call->on & ON_ALL_SCATTERS) != 0;
    third_map m = { .call = call, .wide = scatters ? &d->tensors[2] : call->out, .tuple = 1 };
    m.narrow = scatters ? call->out : call->in;
    m.indices = &d->tensors[1];
    m.beside = (call->on & (ON_ALL_GATHER_ELEMENTS | ON_SCATTERED_ELEMENTS)) != 0;
    if (call->on & (ON_GATHER_NDS | ON_SCATTER_ND))
        map_counted(&m);
    else if (call->on & (ON_OPENVINO_GATHER_NDS | ON_SCATTER_ND_UPDATE))
        map_tuples(&m);
    else
        map_axis(&m, call->on & ON_AXIS ? "Axis" : "axis");
    if (m.tuples)
        m.tuple = (uint32_t)m.indices->sizes[m.indices->rank - 1];
    m.block = m.beside ? 0 : m.narrow->rank - m.axis - m.tuple;
    const uint32_t counting = m.axis - m.first + m.array + m.block - (m.flat ? m.batch - 1 : 0);
    m.first_wide = m.beside ? 0 : m.wide->rank - counting;
    return m;
}

uint64_t third_product(const ts_tensor *t, uint32_t from, uint32_t to)
{
    uint64_t n = 1;
    for (uint32_t i = from; i < to; ++i)
        n *= t->sizes[i];
    return n;
}

uint64_t third_block(const third_map *m)
{
    return third_product(m->narrow, m->narrow->rank - m->block, m->narrow->rank);
}

uint64_t third_picks(const third_map *m)
{
    return third_product(m->indices, 0, m->indices->rank - (m->tuples ? 1 : 0));
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* The coordinate in the narrow tensor, but for what the indices say, and that of the first index. */
static void trace(const third_map *m, third_place *e)
{
    const uint64_t *at = e->at + m->first_wide;
    memset(e->from, 0, sizeof e->from);
    memset(e->index_at, 0, sizeof e->index_at);
    if (m->beside) {
        memcpy(e->from, e->at, sizeof e->from);
        memcpy(e->index_at, e->at, sizeof e->index_at);
        return;
    }
    uint32_t lead = m->axis - m->first;
    if (m->flat) {
        uint64_t number = at[0];
        for (uint32_t i = m->batch; i-- > 0;) {
            e->from[i] = number % m->narrow->sizes[i];
            number /= m->narrow->sizes[i];
        }
        lead = 1;
    } else {
        memcpy(e->from + m->first, at, lead * sizeof *at);
    }
    memcpy(e->index_at + m->first_index, e->from + m->first, m->batch * sizeof *at);
    memcpy(e->index_at + m->first_index + m->batch, at + lead, m->array * sizeof *at);
    memcpy(e->from + m->narrow->rank - m->block, at + lead + m->array, m->block * sizeof *at);
}

/* Negative indices count from the end, but for the operators whose pages do not allow them. */
static int64_t counted(const third_map *m, int64_t stated, uint64_t size)
{
    const bool from_end = (m->call->on & (ON_GATHER_8 | ON_INDEXED)) != 0;
    return stated < 0 && from_end ? stated + (int64_t)size : stated;
}

static int64_t stated_at(const third_map *m, uint64_t offset)
{
    const ts_tensor *t = m->indices;
    const size_t bytes = tensor_element_bytes(t->dtype);
    const ts_dtype_info *type = tensor_dtype(t->dtype);
    const uint64_t room = t->total_bytes / bytes;
    uint64_t bits = 0;
    memcpy(&bits, (const unsigned char *)t->data + fault_inside((int64_t)offset, room) * bytes, bytes);
    const unsigned unused = 64 - 8 * (unsigned)bytes;
    if (type->is_signed && bits >> (63 - unused))
        bits |= unused ? UINT64_MAX << (64 - unused) : 0;
    if (t->dtype == TS_UINT64 && bits >> 63)
        return INT64_MAX;
    return (int64_t)bits;
}

int64_t third_index_at(const third_map *m, uint32_t i, uint64_t offset)
{
    return counted(m, stated_at(m, offset), third_selected(m, i));
}

int64_t third_stated(const third_map *m, uint64_t n)
{
    uint64_t at[TS_MAX_DIMS] = { 0 };
    for (uint32_t i = m->indices->rank; i-- > 0;) {
        at[i] = n % m->indices->sizes[i];
        n /= m->indices->sizes[i];
    }
    return stated_at(m, tensor_offset(m->indices, at));
}

static void read_indices(const third_map *m, third_place *e)
{
    uint64_t offset = tensor_offset(m->indices, e->index_at);
    if (e->index_offset >= 0)
        offset = (uint64_t)e->index_offset;
    for (uint32_t i = 0; i < m->tuple; ++i) {
        const uint64_t stride = m->tuples ? m->indices->strides[m->indices->rank - 1] : 0;
        e->index[i] = counted(m, stated_at(m, offset + i * stride), third_selected(m, i));
    }
}

/* Put the indices into the coordinate. False if one is beyond its dimension, and clamped. */
static bool select_places(const third_map *m, third_place *e)
{
    bool inside = true;
    for (uint32_t i = 0; i < m->tuple; ++i) {
        const int64_t size = (int64_t)third_selected(m, i);
        inside = inside && e->index[i] >= 0 && e->index[i] < size;
        e->from[m->axis + i] = fault_inside(e->index[i], (uint64_t)size);
    }
    return inside;
}

static unsigned char *element(const ts_tensor *t, const uint64_t *coord, int64_t offset)
{
    const size_t bytes = tensor_element_bytes(t->dtype);
    uint64_t inside[TS_MAX_DIMS] = { 0 };
    for (uint32_t i = 0; i < t->rank; ++i)
        inside[i] = coord[i] < t->sizes[i] ? coord[i] : t->sizes[i] - 1;
    const uint64_t at = offset < 0 ? tensor_offset(t, inside) : fault_inside(offset, t->total_bytes / bytes);
    return (unsigned char *)t->data + at * bytes;
}

static void begin(third_place *e, const fault_call *call, const third_map *map, const ts_tensor *source)
{
    memset(e, 0, sizeof *e);
    e->call = call;
    e->map = map;
    e->source = source;
}

static void reset(third_place *e)
{
    e->index_offset = e->read_offset = e->write_offset = -1;
    e->unwritten = e->clamped = false;
}

static void modify(third_wrong *wrong, third_place *e)
{
    if (wrong)
        wrong(e);
}

void third_gather(const fault_call *call, third_wrong *before, third_wrong *after)
{
    const third_map m = third_map_of(call);
    const bool clamps = (call->on & ON_INDEXED) != 0;
    third_place e;
    if (fault_count(call->out) == 0)
        return;
    begin(&e, call, &m, call->in);
    do {
        reset(&e);
        trace(&m, &e);
        modify(before, &e);
        read_indices(&m, &e);
        modify(after, &e);
        const bool inside = select_places(&m, &e) || clamps || e.clamped || e.read_offset >= 0;
        unsigned char *to = element(call->out, e.at, e.write_offset);
        const size_t bytes = tensor_element_bytes(call->out->dtype);
        if (!e.unwritten && !inside)
            memset(to, 0, bytes);
        else if (!e.unwritten && fault_count(e.source) > 0)
            memcpy(to, element(e.source, e.from, e.read_offset), bytes);
        ++e.number;
    } while (tensor_next(call->out, e.at));
}

static void copy_places(const fault_call *call, third_place *e, third_wrong *wrong,
                        void (*origin)(const fault_call *call, third_place *e))
{
    if (fault_count(call->out) == 0)
        return;
    begin(e, call, e->map, call->in);
    do {
        reset(e);
        memcpy(e->from, e->at, sizeof e->from);
        if (origin)
            origin(call, e);
        modify(wrong, e);
        if (!e->unwritten)
            memcpy(element(call->out, e->at, e->write_offset), element(e->source, e->from, e->read_offset),
                   tensor_element_bytes(call->out->dtype));
        ++e->number;
    } while (tensor_next(call->out, e->at));
}

void third_scatter(const fault_call *call, third_wrong *copied, third_wrong *before, third_wrong *after)
{
    const third_map m = third_map_of(call);
    third_place e = { .map = &m };
    copy_places(call, &e, copied, NULL);
    if (fault_count(m.wide) == 0 || fault_count(call->out) == 0)
        return;
    begin(&e, call, &m, m.wide);
    do {
        reset(&e);
        trace(&m, &e);
        modify(before, &e);
        read_indices(&m, &e);
        modify(after, &e);
        if ((select_places(&m, &e) || e.clamped) && !e.unwritten)
            memcpy(element(call->out, e.from, e.write_offset), element(e.source, e.at, e.read_offset),
                   tensor_element_bytes(call->out->dtype));
        ++e.number;
    } while (tensor_next(m.wide, e.at));
}

/* ---- operators without indices ----------------------------------------------------------------------------------- */

static void joined(const fault_call *call, third_place *e)
{
    const ts_dml_join *a = TS_ATTRS(ts_dml_join, call->d);
    e->input = 0;
    while (e->from[a->Axis] >= call->d->tensors[e->input].sizes[a->Axis])
        e->from[a->Axis] -= call->d->tensors[e->input++].sizes[a->Axis];
    e->source = &call->d->tensors[e->input];
}

void third_join(const fault_call *call, third_wrong *wrong)
{
    third_place e = { .map = NULL };
    copy_places(call, &e, wrong, joined);
}

static void of_block(const fault_call *call, third_place *e)
{
    const ts_dml_space_to_depth1 *a = TS_ATTRS(ts_dml_space_to_depth1, call->d);
    const uint64_t block = a->BlockSize, channels = call->in->sizes[1], k = e->at[1];
    const bool depth_first = a->Order == TS_DEPTH_COLUMN_ROW;
    const uint64_t cell = depth_first ? k / channels : k % (block * block);
    e->from[1] = depth_first ? k % channels : k / (block * block);
    e->from[2] = e->at[2] * block + cell / block;
    e->from[3] = e->at[3] * block + cell % block;
}

void third_blocks(const fault_call *call, third_wrong *wrong)
{
    third_place e = { .map = NULL };
    copy_places(call, &e, wrong, of_block);
}

/* ---- what faults ask --------------------------------------------------------------------------------------------- */

bool third_packed(const ts_tensor *t)
{
    ts_tensor packed = *t;
    tensor_pack(&packed);
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] > 1 && t->strides[i] != packed.strides[i])
            return false;
    return true;
}

bool third_same_sizes(const ts_tensor *a, const ts_tensor *b)
{
    return a->rank == b->rank && memcmp(a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0;
}

uint64_t third_key(const ts_tensor *t)
{
    uint64_t key = t->dtype;
    for (uint32_t i = 0; i < t->rank; ++i)
        key = key * 1000003 + t->sizes[i] + 1;
    return key;
}

bool third_breaks(const ts_report *report, const char *clause, int tensor, int axis)
{
    unsigned broken = 0;
    for (unsigned i = 0; i < report->count; ++i) {
        const ts_violation *v = &report->items[i];
        if (v->result != TS_RESULT_INVALID && v->result != TS_RESULT_UNSUPPORTED_FL)
            continue;
        if (strcmp(v->clause, clause) != 0 || (tensor >= 0 && v->tensor != tensor) || (axis >= 0 && v->axis != axis))
            return false;
        ++broken;
    }
    return broken > 0 && report->dropped == 0;
}
