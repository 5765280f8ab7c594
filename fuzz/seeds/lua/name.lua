local op = operator "dml.slice1"
op:example "name" { ["\xff"] = 1 }
