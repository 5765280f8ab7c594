#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""WebNN in Chromium as a backend: README.md beside this file describes it. TOUCHSTONE_CHROMIUM names the browser."""

import os
import sys

import numpy as np

from browser import Browser
from touchstone_exec import DTYPES, Rejected, Unsupported, operator, run

BATCH = 256
MOST_BYTES = 1 << 26  # of the operands that are sent at once
# WebNN has no type for the others. A BOOLEAN is a byte, but WebNN has no type of truth values that could be moved.
NAMES = {number: dtype.name for name, (number, dtype) in DTYPES.items() if name not in ("BFLOAT16", "BOOLEAN")}


def counted(tensor, count):
    """The tensor with its last `count` dimensions; WebNN has no others."""
    first = tensor.ndim - count
    if any(size != 1 for size in tensor.shape[:first]):
        raise Unsupported
    return tensor.reshape(tensor.shape[first:])


class Batch:
    """Calls that the browser executes together, when the first of their results is asked for."""

    def __init__(self, browser):
        self.browser = browser
        self.calls, self.bytes, self.results = [], 0, None

    def result(self, number):
        if self.results is None:
            self.results = self.browser.execute(self.calls)
        return self.results[number]


class WebNN:
    """DirectML's operators as methods of MLGraphBuilder."""

    def __init__(self, browser):
        self.browser = browser
        self.batch = Batch(browser)

    def _has_rank(self, method, role, rank):
        limits = self.browser.limits[method][role]["rankRange"]
        return limits["min"] <= rank <= limits["max"]

    def _supports(self, method, roles, call):
        """Whether opSupportLimits() has the data types and ranks of a call.

        roles: of the tensors in the method; one that ends in "*" has another rank there.
        """
        for role, dtype, rank in zip(roles, call.dtypes, call.ranks):
            limits = self.browser.limits[method][role.rstrip("*")]
            if dtype and NAMES.get(dtype) not in limits["dataTypes"]:
                return False
            if dtype and role[-1] != "*" and not self._has_rank(method, role, rank):
                return False
        return True

    def later(self, method, operands, output, rest=(), ranks=(), constants=()):
        """A function that gives the output of a call; operands is an array for each, or a list of arrays.

        ranks: of operands and the output by their roles, where they are not those of the tensors.
        constants: the numbers of operands that are constants of the graph.
        """
        is_list = isinstance(operands, list)
        if any(tensor.nbytes > MOST_BYTES for tensor in [*operands, output]):
            raise Unsupported  # such as an element that is repeated very often
        operands = [np.ascontiguousarray(tensor) for tensor in operands]  # an operand has no strides
        if not all(self._has_rank(method, role, rank) for role, rank in ranks):
            raise Unsupported
        if self.batch.results is not None or self.batch.bytes > MOST_BYTES:
            self.batch = Batch(self.browser)
        batch, number = self.batch, len(self.batch.calls)
        batch.calls.append((method, operands, constants, is_list, list(rest)))
        batch.bytes += sum(one.nbytes for one in operands)
        return lambda: self._finish(batch.result(number), output)

    @staticmethod
    def _finish(result, output):
        data, shape = result
        if shape is None:
            raise Rejected(data)
        # DirectML pads shapes with leading ones.
        if [n for n in shape if n != 1] != [n for n in output.shape if n != 1]:
            return np.broadcast_to(np.zeros((), output.dtype), shape)  # only its shape is reported
        return data.view(output.dtype).reshape(output.shape)

    def identity(self, InputTensor, OutputTensor):
        return self.later("identity", (InputTensor,), OutputTensor)

    def slice1(self, InputTensor, InputWindowOffsets, InputWindowSizes, InputWindowStrides, OutputTensor):
        if any(stride < 1 for stride in InputWindowStrides):
            raise Unsupported  # strides are positive
        # The output may have less than all samples of the window: then the window is smaller.
        sizes = [min(size, n * stride)
                 for size, stride, n in zip(InputWindowSizes, InputWindowStrides, OutputTensor.shape)]
        rest = (InputWindowOffsets, sizes, {"strides": InputWindowStrides})
        return self.later("slice", (InputTensor,), OutputTensor, rest)

    def join(self, InputTensors, Axis, OutputTensor):
        return self.later("concat", InputTensors, OutputTensor, (Axis,))

    def gather(self, InputTensor, IndicesTensor, Axis, IndexDimensions, OutputTensor):
        indices = counted(IndicesTensor, IndexDimensions)
        ranks = (("indices", indices.ndim), ("output", InputTensor.ndim - 1 + indices.ndim))
        return self.later("gather", (InputTensor, indices), OutputTensor, ({"axis": Axis},), ranks)

    # Chromium builds graphs of gatherElements and scatterElements only if their indices are constants.

    @staticmethod
    def _same_beside(axis, tensor, indices):
        """WebNN has no indices that are smaller than the tensor in another dimension than the axis."""
        if any(n != m for i, (n, m) in enumerate(zip(tensor.shape, indices.shape)) if i != axis):
            raise Unsupported

    def gather_elements(self, InputTensor, IndicesTensor, Axis, OutputTensor):
        self._same_beside(Axis, InputTensor, IndicesTensor)
        operands = (InputTensor, IndicesTensor)
        return self.later("gatherElements", operands, OutputTensor, ({"axis": Axis},), constants=(1,))

    def scatter_elements(self, InputTensor, IndicesTensor, UpdatesTensor, Axis, OutputTensor):
        self._same_beside(Axis, InputTensor, IndicesTensor)
        operands = (InputTensor, IndicesTensor, UpdatesTensor)
        return self.later("scatterElements", operands, OutputTensor, ({"axis": Axis},), constants=(1,))

    def gather_nd(self, InputTensor, IndicesTensor, InputDimensionCount, IndicesDimensionCount, OutputTensor):
        data = counted(InputTensor, InputDimensionCount)
        indices = counted(IndicesTensor, IndicesDimensionCount)
        rank = indices.ndim - 1 + data.ndim - indices.shape[-1]
        ranks = (("input", data.ndim), ("indices", indices.ndim), ("output", rank))
        return self.later("gatherND", (data, indices), OutputTensor, (), ranks)

    def gather_nd1(
        self, InputTensor, IndicesTensor, InputDimensionCount, IndicesDimensionCount, BatchDimensionCount, OutputTensor
    ):
        if BatchDimensionCount:
            raise Unsupported  # there are no batch dimensions
        return self.gather_nd(InputTensor, IndicesTensor, InputDimensionCount, IndicesDimensionCount, OutputTensor)

    def scatter_nd(
        self, InputTensor, IndicesTensor, UpdatesTensor, InputDimensionCount, IndicesDimensionCount, OutputTensor
    ):
        data = counted(InputTensor, InputDimensionCount)
        indices = counted(IndicesTensor, IndicesDimensionCount)
        updates = UpdatesTensor.reshape(indices.shape[:-1] + data.shape[indices.shape[-1] :])
        ranks = (("input", data.ndim), ("indices", indices.ndim), ("updates", updates.ndim))
        return self.later("scatterND", (data, indices, updates), OutputTensor, (), ranks)

    def register(self):
        """Register all operators, each with its method and the roles of its tensors."""
        rows = (
            ("element_wise_identity", self.identity, "identity", ("input", "output")),
            ("slice1", self.slice1, "slice", ("input", "output")),
            ("join", self.join, "concat", ("inputs",) * 16 + ("output",)),
            ("gather", self.gather, "gather", ("input", "indices*", "output*")),
            ("gather_elements", self.gather_elements, "gatherElements", ("input", "indices", "output")),
            ("gather_nd", self.gather_nd, "gatherND", ("input*", "indices*", "output*")),
            ("gather_nd1", self.gather_nd1, "gatherND", ("input*", "indices*", "output*")),
            ("scatter_elements", self.scatter_elements, "scatterElements", ("input", "indices", "updates", "output")),
            ("scatter_nd", self.scatter_nd, "scatterND", ("input*", "indices*", "updates*", "output*")),
        )
        for name, function, method, roles in rows:
            supports = lambda call, method=method, roles=roles: self._supports(method, roles, call)
            operator("dml." + name, supports=supports)(function)


if __name__ == "__main__":
    executable = os.environ.get("TOUCHSTONE_CHROMIUM")
    if not executable:
        sys.exit("TOUCHSTONE_CHROMIUM does not name the program of a Chromium")
    browser = Browser(executable)
    WebNN(browser).register()
    run(name="webnn", vendor="Chromium", version=browser.agent.split("Chrome/")[-1].split(" ")[0], driver="WebNN",
        device="CPU", batch=BATCH)
