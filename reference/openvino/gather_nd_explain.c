/* SPDX-License-Identifier: Apache-2.0 */
/* The explanation of GatherND-5 and GatherND-8. */
#include "harness/model/explain.h"
#include "reference/openvino/gather_nd_shared.h"

#include <inttypes.h>
#include <stdio.h>

enum { DATA, INDICES, OUT };

/* What explain_elements passes on. */
typedef struct gathering {
    const ts_descriptor *d;
    openvino_gather_nd n;
} gathering;

static explain_words shown(const ts_tensor *t)
{
    static const uint64_t none[1];
    return explain_list(t->rank <= TS_MAX_DIMS ? t->sizes : none, t->rank <= TS_MAX_DIMS ? t->rank : 0);
}

/* False if the ranks or batch_dims leave the call without meaning. */
static bool describe_call(ts_explanation *x, const ts_descriptor *d, openvino_gather_nd *n)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    explain_step(x, openvino_gather_nd_clause(d, ND_GIVEN), "Gathering blocks by tuples of indices");
    explain_say(x, "The last dimension of indices is a tuple. Each tuple selects an element of data, or a block of the "
                   "dimensions behind those that it names.");
    explain_show(x, "data     %s", shown(data).text);
    explain_show(x, "indices  %s", shown(indices).text);
    if (!openvino_check_dims(d, DATA, 1, OPENVINO_GATHER_ND_MOST_DIMS, NULL, NULL) ||
        !openvino_check_dims(d, INDICES, 1, OPENVINO_GATHER_ND_MOST_DIMS, NULL, NULL)) {
        explain_say(x, "Both need 1 to %d dimensions. The explanation ends here.", OPENVINO_GATHER_ND_MOST_DIMS);
        return false;
    }
    explain_step(x, openvino_gather_nd_clause(d, ND_BATCH), "Batches and tuples: batch_dims = %" PRId64,
                 operator_attr_value(d, 0, 0));
    if (!openvino_gather_nd_place(d, n, NULL)) {
        explain_say(x, "batch_dims has to be below both ranks, and a tuple has an index for 1 or more of data's "
                       "dimensions behind the batches. The explanation ends here.");
        return false;
    }
    explain_say(x,
                "The first %u dimension%s of both inputs %s batches, each gathered by itself. A tuple has %u %s, for "
                "the next dimensions of data.",
                n->batch, n->batch == 1 ? "" : "s", n->batch == 1 ? "has the" : "are", n->tuple,
                n->tuple == 1 ? "index" : "indices");
    return true;
}

/* False if the output has another shape, or the batches differ. */
static bool describe_shape(ts_explanation *x, const ts_descriptor *d, const openvino_gather_nd *n)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    uint64_t sizes[TS_MAX_DIMS];
    uint32_t rank;
    explain_step(x, openvino_gather_nd_clause(d, ND_SHAPE), "The shape: the tuples, then the block that each selects");
    for (uint32_t i = 0; i < n->batch; ++i) {
        if (data->sizes[i] == indices->sizes[i])
            continue;
        if (data->sizes[i] != 1 && indices->sizes[i] != 1) {
            explain_say(x, "The batches of data and of indices differ: this breaks %s. The explanation ends here.",
                        openvino_gather_nd_clause(d, ND_BATCH_SIZES));
            return false;
        }
        explain_say(x, "In dimension %u, %s has a single batch, which is that of all %" PRIu64 " of %s (%s).", i,
                    data->sizes[i] == 1 ? "data" : "indices", openvino_gather_nd_batches(d, i),
                    data->sizes[i] == 1 ? "indices" : "data", openvino_gather_nd_clause(d, ND_BROADCAST));
    }
    if (!openvino_gather_nd_sizes(d, n, &rank, sizes)) {
        explain_say(x, "There are more than 2^64 - 1 batches. The explanation ends here.");
        return false;
    }
    if (n->flat && n->batch > 1)
        explain_say(x, "All batches are one dimension of output (%s).", openvino_gather_nd_clause(d, ND_FLAT));
    const bool same = out->rank == rank && memcmp(sizes, out->sizes, rank * sizeof sizes[0]) == 0;
    explain_show(x, "expected  %s", explain_list(sizes, rank).text);
    explain_show(x, "output    %s%s", shown(out).text, same ? "" : "  differs");
    return same;
}

static void describe_indices(ts_explanation *x, const ts_descriptor *d)
{
    explain_step(x, openvino_gather_nd_clause(d, ND_INDEX), "What an index means");
    if (d->op == &operator_openvino_gather_nd_5)
        explain_say(x, "Indices count from 0, and none is negative.");
    else
        explain_say(x, "A negative index counts from the end of its dimension (%s): -1 is the last element.",
                    openvino_gather_nd_clause(d, ND_NEGATIVE));
    explain_say(x,
                "With an index beyond its dimension the call may fail. If it does not, the value of the elements that "
                "its tuple selects is not defined. The reference makes them 0; other values are no mismatch (ledger: "
                "%s).",
                d->op->undefined);
    if (!d->tensors[INDICES].data)
        explain_say(x, "The descriptor has no values of the indices, so the elements below only name their tuple.");
}

static bool source(const void *context, explain_element *e)
{
    const gathering *c = context;
    const ts_tensor *data = &c->d->tensors[DATA], *indices = &c->d->tensors[INDICES];
    uint64_t index[TS_MAX_DIMS];
    bool inside = true;
    e->via = INDICES;
    e->by_tuple = true;
    openvino_gather_nd_trace(c->d, &c->n, e->to_coord, e->from_coord, e->via_coord);
    if (!indices->data)
        return true;
    memcpy(index, e->via_coord, sizeof index);
    for (uint32_t k = 0; k < c->n.tuple; ++k) {
        index[indices->rank - 1] = k;
        const uint32_t at = c->n.batch + k;
        inside = openvino_gather_nd_selects(c->d, index, data->sizes[at], &e->from_coord[at]) && inside;
    }
    if (inside) {
        e->from = DATA;
    } else {
        e->undefined = true;
        e->has_bits = true;
        snprintf(e->source, sizeof e->source, "0, as an index is beyond its dimension");
    }
    return true;
}

void openvino_gather_nd_explain(const ts_descriptor *d, ts_explanation *x)
{
    gathering c = { .d = d };
    if (!describe_call(x, d, &c.n) || !describe_shape(x, d, &c.n))
        return;
    describe_indices(x, d);
    explain_step(x, openvino_gather_nd_clause(d, ND_BITS), "Each element");
    explain_elements(x, d, OUT, source, &c);
}
