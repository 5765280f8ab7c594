-- SPDX-License-Identifier: Apache-2.0
-- DML_GATHER_ND1. gather_nd_shared.lua has what its cases share with those of GATHER_ND. docs/cases.md describes the
-- language.
local op = operator "dml.gather_nd1"
local example = shared_file("gather_nd_shared.lua", op, "ND1", true)

example("2", {
  note = "Example 2: 2D remapping with batch count",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 3, 2, 2 }, data = range(0, 11) },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 3, 2, 2 }, data = { 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = { 0, 3, 7, 4, 9, 10 } },
  InputDimensionCount = 3, IndicesDimensionCount = 3, BatchDimensionCount = 1,
})
example("batch-of-all", {
  note = "as many batch dimensions as the counts of dimensions of the tensors, less one, allow (E-ND1-5)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, data = range(1, 6) },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 1 }, data = { 2, 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 2 }, data = { 3, 5 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2, BatchDimensionCount = 1,
})
example("batch-count", {
  note = "BatchDimensionCount is below DimensionCount, and not below InputDimensionCount (E-ND1-5)", invalid = "ND1-17",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 3, 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } },
  InputDimensionCount = 1, IndicesDimensionCount = 2, BatchDimensionCount = 1,
})
example("batch-count-of-all", {
  note = "BatchDimensionCount is not below DimensionCount (ND1-15)", invalid = "ND1-15",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2, BatchDimensionCount = 2,
})
example("batch-size", {
  note = "the input has one batch, and the indices have three (E-ND1-6)", invalid = "ND1-16",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 3, 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2, BatchDimensionCount = 1,
})
