/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of GATHER_ND and GATHER_ND1: tuples of indices, and the block of elements that each of them is for. */
#include "backends/faulty/fault_path.h"

static bool of_several(const fault_path *p)
{
    return p->tuple > 0;
}

static bool of_some(const fault_path *p)
{
    return p->indices != NULL;
}

/* An index that is beyond the dimension that it is taken for is clamped. */
static void reversed(const fault_path *p, fault_place *e)
{
    const ts_tensor *in = p->call->in;
    for (uint32_t i = 0; i <= p->tuple; ++i) {
        const uint32_t axis = p->tuple_axis + i;
        const int64_t index = fault_tuple_index(p, e->at, p->tuple - i);
        const int64_t by = (int64_t)fault_inside(index, in->sizes[axis]) - fault_tuple_index(p, e->at, i);
        e->from += by * (int64_t)in->strides[axis];
    }
}

/* The second index is multiplied by the first one's stride. */
static void same_stride(const fault_path *p, fault_place *e)
{
    const ts_tensor *in = p->call->in;
    const uint64_t *strides = in->strides + p->tuple_axis;
    e->from += fault_tuple_index(p, e->at, 1) * ((int64_t)strides[0] - (int64_t)strides[1]);
}

/* Elements of the innermost loops over which the tuple stays the same. */
static void start_of_block(const fault_path *p, fault_place *e)
{
    uint64_t elements = 1;
    for (uint32_t i = p->dims; i-- > 0 && !p->axis[i].picks && p->axis[i].index == 0;)
        elements *= p->axis[i].size;
    e->unwritten = e->number % elements >= 64;
}

static const fault rows[] = {
    { "tuple-reversed", ON_GATHER_NDS, MEANING, "the indices of a tuple are taken in reverse order",
      .takes = of_several, .wrong = reversed },
    { "tuple-stride", ON_GATHER_NDS, LAYOUTS, "the second index of a tuple is multiplied by the first one's stride",
      .takes = of_several, .wrong = same_stride },
    { "tuple-block", ON_GATHER_NDS, COUNTS, "of the block of a tuple the first 64 elements are copied",
      .takes = of_some, .wrong = start_of_block },
};

const fault_table fault_tuple = { rows, sizeof rows / sizeof *rows };
