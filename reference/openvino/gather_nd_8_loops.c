/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/loops.h"
#include "reference/openvino/gather_nd_shared.h"

ts_find_sources loops_openvino_gather_nd_8;

/* Of output's dimensions, those behind the batches and before the block are those of the tuples. */
void loops_openvino_gather_nd_8(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    const ts_tensor *data = &d->tensors[0], *indices = &d->tensors[1];
    openvino_gather_nd n;
    if (!openvino_check_dims(d, 0, 1, OPENVINO_GATHER_ND_MOST_DIMS, NULL, NULL) ||
        !openvino_check_dims(d, 1, 1, OPENVINO_GATHER_ND_MOST_DIMS, NULL, NULL) ||
        !openvino_gather_nd_place(d, &n, NULL))
        return;
    const uint32_t tuples = indices->rank - 1;
    for (uint32_t i = 0; i < rank && i < tuples + data->rank - n.batch - n.tuple; ++i) {
        dims[i].picks = i >= n.batch && i < tuples;
        if (dims[i].picks)
            dims[i].from = (int64_t)indices->strides[i];
        else
            dims[i].from = i < n.batch && data->sizes[i] == 1
                               ? 0 /* it is broadcast */
                               : (int64_t)data->strides[i < n.batch ? i : i - tuples + n.batch + n.tuple];
    }
}
