/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of what the pages of ScatterNDUpdate-3, ScatterElementsUpdate-3 and ScatterUpdate-3 leave open:
   which of several updates an element has, and an index beyond its dimension. They name observed behaviour and do not
   affect verdicts. */
#include "reference/openvino/scatter_shared.h"

enum { DATA, INDICES, UPDATES, OUT };

/* Apply the updates in row-major order, or in the opposite order, which matters if several fall on one element. */
static void scatter(const ts_descriptor *d, openvino_selection *selects, bool backwards)
{
    const ts_tensor *updates = &d->tensors[UPDATES], *out = &d->tensors[OUT];
    uint64_t at[TS_MAX_DIMS] = { 0 }, u[TS_MAX_DIMS], to[TS_MAX_DIMS], index[TS_MAX_DIMS], count;
    openvino_scatter s;
    if (!openvino_scatter_place(d, &s, NULL) || !tensor_element_count(out, &count) || count == 0)
        return;
    do
        tensor_copy_element(out, at, &d->tensors[DATA], at);
    while (tensor_next(out, at));
    if (!tensor_element_count(updates, &count) || count == 0)
        return;
    do {
        memcpy(u, at, sizeof u);
        for (uint32_t i = 0; backwards && i < updates->rank; ++i)
            u[i] = updates->sizes[i] - 1 - at[i];
        if (openvino_scatter_target(d, &s, selects, u, to, index))
            tensor_copy_element(out, to, updates, u);
    } while (tensor_next(updates, at));
}

static void run_first(const ts_descriptor *d)
{
    scatter(d, openvino_from_start, true);
}

static void run_from_end(const ts_descriptor *d)
{
    scatter(d, openvino_from_either_end, false);
}

static void run_clamped(const ts_descriptor *d)
{
    scatter(d, openvino_clamped, false);
}

/* clang-format off */
#define INTERPRETATIONS(name, several, beyond)                                                                         \
    const ts_interpretation name[OPENVINO_SCATTER_INTERPRETATIONS] = {                                                 \
        { several, "the last update", NULL, NULL },                                                                    \
        { several, "the first update", run_first, NULL },                                                              \
        { beyond, "the update is dropped", NULL, NULL },                                                               \
        { beyond, "negative indices count from the end", run_from_end, NULL },                                         \
        { beyond, "clamped index", run_clamped, NULL },                                                                \
    }
/* clang-format on */

INTERPRETATIONS(openvino_scatter_nd_update_3_interpretations, "E-SN3-1", "E-SN3-2");
INTERPRETATIONS(openvino_scatter_elements_update_3_interpretations, "E-SE3-1", "E-SE3-2");
INTERPRETATIONS(openvino_scatter_update_interpretations, "E-SU3-1", "E-SU3-2");
