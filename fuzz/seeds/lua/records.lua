return { { name = "example 2", operator = "dml.slice1", descriptor = {
    InputTensor = { DataType = "FLOAT32", Sizes = {1,1,4,4} }, OutputTensor = { Sizes = {1,1,2,2} },
    InputWindowOffsets = {0,0,0,1}, InputWindowSizes = {1,1,4,3}, InputWindowStrides = {1,1,-2,2} } } }
