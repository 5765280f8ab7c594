return { operator = "dml.slice1", inputs = { InputTensor = "\0\1\2\3" }, descriptor = {
  DimensionCount = 2 ^ 40, InputTensor = { DataType = "UINT8", Sizes = { 4 }, Strides = { math.maxinteger } },
  InputWindowOffsets = { -1 }, InputWindowSizes = { 1e300 }, InputWindowStrides = { math.mininteger } } }
