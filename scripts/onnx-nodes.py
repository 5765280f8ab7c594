#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnx-nodes.py TOUCHSTONE

Holds the reference against ONNX's own node tests of Gather, GatherElements, GatherND, ScatterElements, Scatter,
ScatterND, Slice, Identity, Transpose and Expand. The Python package onnx makes their inputs and expected outputs
(onnx.backend.test.case.node). Each test becomes a record, Slice, Gather and a GatherND without batches several:
`TOUCHSTONE eval --json` has to give the expected bits. Prints the tests that disagree, those that no operator of the
suite can express, with the reason, and the counts.

Exit status: 0 no disagreement; 1 there are some, or there is no such test; 64 wrong usage; 77 onnx is not installed.
"""
import importlib
import sys

try:
    import numpy
    import onnx
    import onnx.backend.test.case.node as node_tests
except ImportError as missing:
    print(f"{missing}")
    sys.exit(77)

from records import CannotExpress, dml_tensor, elements, evaluate, openvino_tensor, raw, record

MODULES = ("gather", "gatherelements", "gathernd", "scatterelements", "scatter", "scatternd", "slice", "identity",
           "transpose", "expand")


# ---- operators: a test as records, from its attributes, inputs and output ----------------------------------------

def gather(attributes, inputs, output):
    """GATHER, and Gather-8 of OpenVINO, to which a negative index means the same."""
    data, indices = inputs
    leading = max(indices.ndim - 1, 0)  # ones that make the three ranks equal
    rank = data.ndim + leading
    axis = attributes.get("axis", 0)
    made = [record("dml.gather", {"InputTensor": dml_tensor(data, rank), "IndicesTensor": dml_tensor(indices, rank),
                                  "OutputTensor": dml_tensor(output, rank), "Axis": axis % data.ndim + leading,
                                  "IndexDimensions": indices.ndim},
                   {"InputTensor": raw(data), "IndicesTensor": raw(indices)}, output)]
    made.append(record("openvino.gather_8", {"data": openvino_tensor(data), "indices": openvino_tensor(indices),
                                             "axis": axis},
                       {"data": raw(data), "indices": raw(indices)}, output))
    return made


def gather_nd(attributes, inputs, output):
    """GATHER_ND1, and GATHER_ND where there are no batches."""
    data, indices = inputs
    rank = max(data.ndim, indices.ndim, output.ndim)
    descriptor = {"InputTensor": dml_tensor(data, rank), "IndicesTensor": dml_tensor(indices, rank),
                  "OutputTensor": dml_tensor(output, rank), "InputDimensionCount": data.ndim,
                  "IndicesDimensionCount": indices.ndim}
    arrays = {"InputTensor": raw(data), "IndicesTensor": raw(indices)}
    batches = attributes.get("batch_dims", 0)
    made = [record("dml.gather_nd1", descriptor | {"BatchDimensionCount": batches}, arrays, output)]
    return made if batches else made + [record("dml.gather_nd", descriptor, arrays, output)]


def scatter_nd(attributes, inputs, output):
    if attributes.get("reduction", b"none") != b"none":
        raise CannotExpress(f"reduction {attributes['reduction'].decode()}")
    data, indices, updates = inputs
    rank = max(data.ndim, indices.ndim, updates.ndim)
    return [record("dml.scatter_nd", {"InputTensor": dml_tensor(data, rank), "IndicesTensor": dml_tensor(indices, rank),
                                      "UpdatesTensor": dml_tensor(updates, rank),
                                      "OutputTensor": dml_tensor(output, rank), "InputDimensionCount": data.ndim,
                                      "IndicesDimensionCount": indices.ndim},
                   {"InputTensor": raw(data), "IndicesTensor": raw(indices), "UpdatesTensor": raw(updates)}, output)]


def along_axis(operator):
    def records(attributes, inputs, output):
        if attributes.get("reduction", b"none") != b"none":
            raise CannotExpress(f"reduction {attributes['reduction'].decode()}")
        return [elements(operator, inputs, attributes.get("axis", 0), output)]
    return records


def slices(attributes, inputs, output):
    """SLICE1 has windows inside of the data, StridedSlice has ONNX's own begins and ends."""
    data, starts, ends = inputs[:3]
    axes = inputs[3] if len(inputs) > 3 else range(len(starts))
    steps = inputs[4] if len(inputs) > 4 else [1] * len(starts)
    of_axis = {int(a) % data.ndim: (int(b), int(e), int(s)) for a, b, e, s in zip(axes, starts, ends, steps)}
    given = [of_axis.get(axis) for axis in range(data.ndim)]
    begin, end, stride = map(list, zip(*(step or (0, 0, 1) for step in given)))
    masks = [0 if step else 1 for step in given]
    strided = {"data": openvino_tensor(data), "begin": begin, "end": end, "stride": stride,
               "begin_mask": masks, "end_mask": masks}
    if data.dtype.name != "float32":
        raise CannotExpress(f"a Slice of {data.dtype.name}")
    made = [record("openvino.strided_slice", strided, {"data": raw(data)}, output)]
    if 0 not in output.shape:
        offsets, sizes = [], []
        for size, step, count in zip(data.shape, given, output.shape):
            first, _, by = slice(*(step or (0, size, 1))).indices(size)
            last = first + (count - 1) * by
            offsets.append(min(first, last))
            sizes.append(abs(last - first) + 1)
        made.append(record("dml.slice1", {"InputTensor": dml_tensor(data), "OutputTensor": dml_tensor(output),
                                          "InputWindowOffsets": offsets, "InputWindowSizes": sizes,
                                          "InputWindowStrides": stride}, {"InputTensor": raw(data)}, output))
    return made


def view(of):
    """ELEMENT_WISE_IDENTITY of an input whose strides are those of a view by numpy."""
    def records(attributes, inputs, output):
        if not all(isinstance(array, numpy.ndarray) for array in inputs):
            raise CannotExpress("no tensor but a sequence or an optional value")
        return [record("dml.element_wise_identity", {"InputTensor": dml_tensor(of(attributes, *inputs), strided=True),
                                                     "OutputTensor": dml_tensor(output)},
                       {"InputTensor": raw(inputs[0])}, output)]
    return records


def expanded(attributes, data, shape):
    return numpy.broadcast_to(data, numpy.broadcast_shapes(data.shape, tuple(shape)))


OPERATORS = {
    "Gather": gather,
    "GatherElements": along_axis("dml.gather_elements"),
    "GatherND": gather_nd,
    "ScatterElements": along_axis("dml.scatter_elements"),
    "Scatter": along_axis("dml.scatter_elements"),
    "ScatterND": scatter_nd,
    "Slice": slices,
    "Identity": view(lambda attributes, data: data),
    "Transpose": view(lambda attributes, data: data.transpose(attributes.get("perm"))),
    "Expand": view(expanded),
}


# ---- tests of onnx -----------------------------------------------------------------------------------------------

def collect():
    """What the modules pass to their function `expect`, which they call when they are imported."""
    tests = []

    def expect(node, inputs, outputs, name, **_):
        tests.append((name, node.op_type, {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute},
                      inputs, outputs[0]))

    node_tests.expect = expect
    for module in MODULES:
        importlib.import_module(f"{node_tests.__name__}.{module}")
    return [test for test in tests if test[1] in OPERATORS]


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 64
    records, operators, counts = [], [], {}

    def count(operator, what):
        counts[operator, what] = counts.get((operator, what), 0) + 1

    for name, operator, attributes, inputs, output in collect():
        try:
            for r in OPERATORS[operator](attributes, inputs, output):
                records.append(r | {"name": f"{name} by {r['operator']}"})
                operators.append(operator)
        except CannotExpress as reason:
            print(f"{name}: left out: {reason}")
            count(operator, "left out")
    problems = evaluate(sys.argv[1], records)
    for r, operator, what in zip(records, operators, problems):
        if what:
            print(f"{r['name']}: {what}")
        count(operator, "disagrees" if what else "agrees")
    for (operator, what), number in sorted(counts.items()):
        print(f"{number:8} {operator} {what}")
    return 1 if any(problems) or not records else 0


if __name__ == "__main__":
    sys.exit(main())
