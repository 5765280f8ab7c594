/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/loops.h"
#include "reference/openvino/gather_shared.h"

ts_find_sources loops_openvino_gather_7;

/* Of the output's dimensions, those from axis on are those of the indices, behind the batches. A batch is one of both
   inputs. */
void loops_openvino_gather_7(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    const ts_tensor *data = &d->tensors[0], *indices = &d->tensors[1];
    openvino_gather g;
    if (data->rank < 1 || data->rank > OPENVINO_GATHER_MOST_DIMS || indices->rank > OPENVINO_GATHER_MOST_DIMS ||
        !openvino_gather_place(d, &g, NULL))
        return;
    const uint32_t picked = indices->rank - g.batch;
    for (uint32_t i = 0; i < rank && i < data->rank - 1 + picked; ++i) {
        dims[i].picks = i >= g.axis && i < g.axis + picked;
        if (dims[i].picks)
            dims[i].from = (int64_t)indices->strides[g.batch + i - g.axis];
        else
            dims[i].from = (int64_t)data->strides[i < g.axis ? i : i + 1 - picked];
    }
}
