# SPDX-License-Identifier: Apache-2.0
"""LRT-2, LRT-5, LRT-6, LRT-8 to LRT-10, and what the page leaves open: STRIDED_SLICE."""
import numpy as np
from ai_edge_litert import schema_py_generated as s
from node import run


def slice_of(what, expected, sizes, begin, end, stride, delegate=False, **masks):
    options = s.StridedSliceOptionsT()
    for name, value in masks.items():
        setattr(options, name, value)
    data = np.arange(10, 10 + np.prod(sizes), dtype=np.float32).reshape(sizes)
    kind = s.BuiltinOptions.StridedSliceOptions
    arguments = s.BuiltinOperator.STRIDED_SLICE, kind, options, [data], [begin, end, stride]
    run(what, expected, *arguments, delegate=delegate)


slice_of("LRT-2, a step of -2^31", "[14]", [5], [4], [0], [-(2**31)])
slice_of("open, begin_mask of a shrink step", "12", [4], [2], [3], [1], beginMask=1, shrinkAxisMask=1)
slice_of("LRT-5, a shrink step with stride -1", "an error, or 12", [4], [2], [3], [-1], shrinkAxisMask=1)
slice_of("LRT-6, a shrink step with stride 0", "an error, or 12", [4], [2], [3], [0], shrinkAxisMask=1)
slice_of("open, a shrink step behind the end", "an error", [4], [9], [10], [1], shrinkAxisMask=1)
slice_of("LRT-8, an ellipsis of no dimension", "11", [4], [0, 1], [0, 2], [1, 1], ellipsisMask=1, shrinkAxisMask=2)
slice_of("LRT-8, and a new axis", "shape (2, 1)", [2], [0, 0, 0], [2, 2, 2], [1, 1, 1], ellipsisMask=2, newAxisMask=4)
slice_of("LRT-9, two ellipses", "an error", [2, 2], [0, 0], [0, 0], [1, 1], ellipsisMask=3)
slice_of("LRT-10, a list stride that is too short", "an error", [2, 2], [0, 0], [2, 2], [1])
slice_of("open, an end of 0, XNNPACK", "no element", [4], [0], [0], [1], delegate=True)
slice_of("open, an end of 0, built-in", "no element", [4], [0], [0], [1])
