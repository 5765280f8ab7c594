-- SPDX-License-Identifier: Apache-2.0
-- DML_GATHER_ND. gather_nd_shared.lua has what its cases share with those of GATHER_ND1. docs/cases.md describes the
-- language.
local op = operator "dml.gather_nd"
local example = shared_file("gather_nd_shared.lua", op, "ND", false)

example("2", {
  note = "Example 2: 2D remapping",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 2, 2, 2 }, data = range(0, 7) },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 2, 2 }, data = { 0, 1, 1, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 }, data = { 2, 3, 4, 5 } },
  InputDimensionCount = 3, IndicesDimensionCount = 2,
})
