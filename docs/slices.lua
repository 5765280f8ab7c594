-- touchstone lua slices.lua: the golden output of one SLICE1, from Lua.
local r = ts.eval("dml.slice1",
  { InputTensor  = { DataType = "FLOAT32", Sizes = {1,1,4,4} }, OutputTensor = { DataType = "FLOAT32", Sizes = {1,1,2,2} },
    InputWindowOffsets = {0,0,0,1}, InputWindowSizes = {1,1,4,3}, InputWindowStrides = {1,1,-2,2} },
  { InputTensor = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16} })
print(table.concat(r.outputs[1].data, " "))
