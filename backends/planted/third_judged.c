/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: legal descriptors refused, illegal ones accepted, invented and reported. */
#include "backends/planted/third.h"

#include "reference/dml/join.h"
#include "reference/dml/space_to_depth1.h"

static bool legal(const ts_report *report)
{
    return !fault_refuses(report);
}

/* ---- refused ----------------------------------------------------------------------------------------------------- */

static bool single_input(const fault_call *call, const ts_report *report)
{
    return legal(report) && TS_ATTRS(ts_dml_join, call->d)->InputCount > 1;
}

static bool whole_channels(const fault_call *call, const ts_report *report)
{
    const ts_dml_join *a = TS_ATTRS(ts_dml_join, call->d);
    for (uint32_t k = 0; legal(report) && a->InputCount > 2 && a->Axis == 1 && call->in->rank == 4 && k < a->InputCount;
         ++k)
        if (call->d->tensors[k].sizes[1] % 4 != 0)
            return false;
    return legal(report);
}

static bool small_blocks(const fault_call *call, const ts_report *report)
{
    return legal(report) && TS_ATTRS(ts_dml_space_to_depth1, call->d)->BlockSize <= 8;
}

static bool with_indices(const fault_call *call, const ts_report *report)
{
    return legal(report) && call->d->tensors[1].rank > 0;
}

static bool four_dims(const fault_call *call, const ts_report *report)
{
    return legal(report) && call->in->rank < 5;
}

static bool negative_axis(const fault_call *call, const ts_report *report)
{
    const int attr = operator_attr_index(call->d->op, "axis");
    return legal(report) && !(call->in->rank == 1 && operator_attr_value(call->d, (unsigned)attr, 0) < 0);
}

static bool one_tuple(const fault_call *call, const ts_report *report)
{
    const int attr = operator_attr_index(call->d->op, "IndicesDimensionCount");
    const int64_t dims = attr < 0 ? (int64_t)call->d->tensors[1].rank : operator_attr_value(call->d, (unsigned)attr, 0);
    return legal(report) && dims > 1;
}

static bool in_31_bits(const fault_call *call, const ts_report *report)
{
    return legal(report) && fault_count(call->in) <= INT32_MAX;
}

static bool some_elements(const fault_call *call, const ts_report *report)
{
    return legal(report) && fault_count(call->in) > 0;
}

static bool no_booleans(const fault_call *call, const ts_report *report)
{
    return legal(report) && call->in->dtype != TS_BOOLEAN;
}

/* ---- accepted ---------------------------------------------------------------------------------------------------- */

static bool two_compared(const fault_call *call, const ts_report *report)
{
    (void)call;
    for (unsigned i = 0; i < report->count; ++i)
        if (report->items[i].tensor < 2)
            return legal(report);
    return legal(report) || third_breaks(report, "JO-06", -1, -1);
}

static bool height_divided(const fault_call *call, const ts_report *report)
{
    (void)call;
    return legal(report) || third_breaks(report, "SD1-06", -1, 3);
}

/* Sizes of updates are compared as a product. */
static bool updates_counted(const fault_call *call, const ts_report *report)
{
    const char *clause = call->on & ON_SCATTER_UPDATE      ? "SU3-07"
                         : call->on & ON_SCATTER_ND_UPDATE ? "SN3-07"
                                                           : "SE3-07";
    const third_map m = third_map_of(call);
    if (legal(report) || !third_breaks(report, clause, 2, -1))
        return legal(report);
    const uint64_t expected = third_product(m.narrow, 0, m.axis) * third_picks(&m) * third_block(&m);
    return fault_count(m.wide) == (m.beside ? fault_count(m.indices) : expected);
}

static const fault rows[] = {
    { "third-refuse-single", ON_JOIN, ACCEPTANCE, "one input is too few", .judge = single_input },
    { "third-refuse-block", ON_SPACE_TO_DEPTH, ACCEPTANCE, "blocks of more than eight elements are refused",
      .judge = small_blocks },
    { "third-accept-join", ON_JOIN, REFUSAL, "only the first two inputs are compared with the output",
      .judge = two_compared },
    { "third-accept-width", ON_SPACE_TO_DEPTH, REFUSAL, "only the height is asked whether blocks divide it",
      .judge = height_divided },
    { "third-accept-updates", ON_OPENVINO_SCATTERS, REFUSAL,
      "updates of other sizes with the same product are accepted", .judge = updates_counted },
    { "third-mace-channels", ON_JOIN, ACCEPTANCE,
      "channels of more than two inputs are to be multiples of four (mace issue 695)", .judge = whole_channels },
    { "third-onnxjs-scalar", ON_OPENVINO_GATHERS, ACCEPTANCE, "a scalar index is refused (onnxjs pull request 246)",
      .judge = with_indices },
    { "third-ort-rank-5", ON_ALL_GATHER_NDS, ACCEPTANCE, "data of five dimensions is refused (onnxruntime issue 32731)",
      .judge = four_dims },
    { "third-tt-axis", ON_OPENVINO_GATHER_ELEMENTS | ON_SCATTER_ELEMENTS_UPDATE, ACCEPTANCE,
      "a negative axis of a vector is refused (tt-metal pull request 41762)", .judge = negative_axis },
    { "third-ort-tuple", ON_SCATTERED_TUPLES, ACCEPTANCE, "one tuple alone is refused (onnxruntime issue 9411)",
      .judge = one_tuple },
    { "third-pytorch-large", ON_NON_ZERO, ACCEPTANCE, "more than 2^31 - 1 elements are refused (pytorch issue 51871)",
      .judge = in_31_bits },
    { "third-mps-empty", ON_NON_ZERO, ACCEPTANCE,
      "data without elements is refused (kulinseth/pytorch pull request 248)", .judge = some_elements },
    { "third-diopi-boolean", ON_NON_ZERO, ACCEPTANCE, "booleans are refused (DIOPI pull request 545)",
      .judge = no_booleans },
};

const fault_table planted_third_judged = { rows, sizeof rows / sizeof *rows };
