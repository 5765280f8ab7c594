/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of SCATTER_ELEMENTS and SCATTER_ND: which updates are applied, and what becomes of several updates of one
   element. Each of these updates may remain; a sum, a mixture of two, or none of them may not. */
#include "backends/faulty/fault_update.h"
#include "reference/dml/scatter_nd.h"

static void copy_input(const fault_call *call)
{
    uint64_t at[TS_MAX_DIMS] = { 0 };
    do
        tensor_copy_element(call->out, at, call->in, at);
    while (tensor_next(call->out, at));
}

static void add(const fault_update *u)
{
    uint64_t sum = 0, other = 0;
    memcpy(&sum, u->element, u->bytes);
    memcpy(&other, u->from, u->bytes);
    sum = u->again ? sum + other : other;
    memcpy(u->element, &sum, u->bytes); /* little-endian */
}

static void half(const fault_update *u)
{
    const size_t first = u->again ? u->bytes / 2 : 0;
    memcpy(u->element + first, u->from + first, u->bytes - first);
}

static void once(const fault_update *u)
{
    if (u->again)
        tensor_copy_element(u->call->out, u->to, u->call->in, u->to);
    else
        fault_apply(u);
}

/* From where the index points, instead of from the place of the index. */
static void pointed(const fault_update *u)
{
    uint64_t from[TS_MAX_DIMS];
    memcpy(from, u->at, sizeof from);
    from[u->axis] = u->to[u->axis] % u->updates->sizes[u->axis];
    memcpy(u->element, tensor_at(u->updates, from), u->bytes);
}

static void of_64(const fault_update *u)
{
    if (u->at[u->axis] < 64)
        fault_apply(u);
}

static void of_65536(const fault_update *u)
{
    if (u->number < 65536)
        fault_apply(u);
}

/* The first dimension of SCATTER_ND behind those that a tuple of indices is for. */
static uint32_t first_of_block(const fault_call *call)
{
    return fault_first_of_tuple(call->d) + (uint32_t)call->d->tensors[1].sizes[call->out->rank - 1];
}

/* Where an index is beyond the other dimension, the update is applied as it should be. */
static void reversed(const fault_update *u)
{
    const uint32_t first = fault_first_of_tuple(u->call->d), behind = first_of_block(u->call);
    uint64_t to[TS_MAX_DIMS];
    memcpy(to, u->to, sizeof to);
    for (uint32_t i = first; i < behind; ++i) {
        to[i] = u->to[first + behind - 1 - i];
        if (to[i] >= u->call->out->sizes[i]) {
            fault_apply(u);
            return;
        }
    }
    memcpy(tensor_at(u->call->out, to), u->from, u->bytes);
}

static void of_block(const fault_update *u)
{
    uint64_t elements = 1;
    for (uint32_t i = first_of_block(u->call); i < u->call->out->rank; ++i)
        elements *= u->call->out->sizes[i];
    if (u->number % elements < 64)
        fault_apply(u);
}

#define DEFINE_UPDATING(name, apply)                                                                                   \
    static void name(const fault_call *call)                                                                           \
    {                                                                                                                  \
        copy_input(call);                                                                                              \
        fault_each_update(call, apply);                                                                                \
    }
DEFINE_UPDATING(scatter_sum, add)
DEFINE_UPDATING(scatter_torn, half)
DEFINE_UPDATING(scatter_lost, once)
DEFINE_UPDATING(scatter_pointed, pointed)
DEFINE_UPDATING(scatter_line, of_64)
DEFINE_UPDATING(scatter_count, of_65536)
DEFINE_UPDATING(scatter_reversed, reversed)
DEFINE_UPDATING(scatter_block, of_block)

static void clear(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    (void)context;
    (void)number;
    memset(element, 0, bytes);
}

static void scatter_uncopied(const fault_call *call)
{
    fault_each(call->out, clear, NULL);
    fault_each_update(call, fault_apply);
}

static void update_strides(const fault_call *call)
{
    ts_descriptor d = *call->d;
    uint64_t bytes = 0;
    tensor_pack(&d.tensors[2]);
    if (!tensor_min_bytes(&d.tensors[2], &bytes) || bytes > call->d->tensors[2].total_bytes)
        d.tensors[2] = call->d->tensors[2]; /* broadcast updates have no room for packed ones */
    d.op->run(&d, NULL);
}

static bool reject_few(const fault_call *call, const ts_report *report)
{
    const uint64_t *sizes = call->d->tensors[1].sizes;
    return !fault_refuses(report) && memcmp(sizes, call->out->sizes, call->out->rank * sizeof *sizes) == 0;
}

static const fault rows[] = {
    { "scatter-sum", ON_SCATTERS, MEANING, "several updates of one element are added", .execute = scatter_sum },
    { "scatter-torn", ON_SCATTERS, VALUES, "two updates of one element leave a half of each", .execute = scatter_torn },
    { "scatter-lost", ON_SCATTERS, MEANING, "a second update of one element brings the input's value back",
      .execute = scatter_lost },
    { "scatter-pointed", ON_SCATTER_ELEMENTS, MEANING, "an update is read from where its index points",
      .execute = scatter_pointed },
    { "scatter-uncopied", ON_SCATTERS, MEANING, "elements without an update are 0, not those of the input",
      .execute = scatter_uncopied },
    { "scatter-line", ON_SCATTER_ELEMENTS, COUNTS, "of a line along the axis the first 64 updates are applied",
      .execute = scatter_line },
    { "scatter-count", ON_SCATTERS, COUNTS, "updates from the 65,537th on are left out", .execute = scatter_count },
    { "update-strides", ON_SCATTERS, LAYOUTS, "the strides of the updates are ignored", .execute = update_strides },
    { "reject-few-indices", ON_SCATTER_ELEMENTS, ACCEPTANCE, "fewer indices than the axis has elements are refused",
      .judge = reject_few },
    { "scatter-reversed", ON_SCATTER_ND, MEANING, "the indices of a tuple are taken in reverse order",
      .execute = scatter_reversed },
    { "scatter-block", ON_SCATTER_ND, COUNTS, "of a block of updates the first 64 elements are applied",
      .execute = scatter_block },
};

const fault_table fault_scatter = { rows, sizeof rows / sizeof *rows };
