# SPDX-License-Identifier: Apache-2.0
"""open, LRT-12 and LRT-13: GATHER and GATHER_ND."""
import numpy as np
from ai_edge_litert import schema_py_generated as s
from node import run

data = np.arange(6, dtype=np.float32).reshape(2, 3)
beyond = np.array([2], np.int32)
options = s.GatherOptionsT()
arguments = s.BuiltinOperator.GATHER, s.BuiltinOptions.GatherOptions, options
run("open, an index behind the axis", "an undefined element", *arguments, [data, beyond])
options.batchDims = -3
run("LRT-12, batch_dims -3, data of rank 2", "an error", *arguments, [data, np.zeros((2, 1, 2), np.int32)])
arguments = s.BuiltinOperator.GATHER_ND, s.BuiltinOptions.GatherNdOptions, s.GatherNdOptionsT()
run("open, tuples without indices", "an error, or all of data", *arguments, [data, np.zeros((2, 0), np.int32)])
