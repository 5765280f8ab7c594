local op = operator "dml.slice1"
op:example "infinite" { InputTensor = { DataType = "FLOAT32", Sizes = { 1 }, data = { 1 / 0 } } }
