# SPDX-License-Identifier: Apache-2.0
"""LRT-14: with XNNPACK, CONCATENATION of two to five inputs of seven dimensions is refused."""
import numpy as np
from ai_edge_litert import schema_py_generated as s
from node import run

data = np.ones((1,) * 7, np.float32)
arguments = s.BuiltinOperator.CONCATENATION, s.BuiltinOptions.ConcatenationOptions, s.ConcatenationOptionsT()
run("LRT-14, XNNPACK", "two elements", *arguments, [data, data])
run("LRT-14, XNNPACK, six inputs", "six elements", *arguments, [data] * 6)
run("LRT-14, built-in", "two elements", *arguments, [data, data], delegate=False)
