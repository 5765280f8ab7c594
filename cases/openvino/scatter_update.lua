-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO ScatterUpdate-3. scatter_shared.lua has what its cases share with those of
-- ScatterNDUpdate-3 and ScatterElementsUpdate-3. docs/cases.md describes the language.
local op = operator "openvino.scatter_update"
local cases = shared_file("scatter_shared.lua", op, { prefix = "SU3", kind = "slices" })
local tensor, example = cases.tensor, cases.example

-- ---- the page's examples, and what only slices have ----------------------------------------------------------------
example("1", "Example 1, its sizes 1000, 256, 125 and 20 divided by 25 and rounded", tensor({ 40, 10, 10, 15 }),
        tensor({ 5, 1 }, { 0, 9, 3, 2, 1 }, "i32"), tensor({ 40, 5, 1, 10, 15 }), tensor({ 40, 10, 10, 15 }),
        { axis = 1 })
example("2", "Example 2: two columns", tensor({ 3, 5 }, { -1, 1, -1, 3, 4, -1, 6, -1, 8, 9, -1, 11, 1, 13, 14 }),
        tensor({ 2 }, { 0, 2 }, "i32"), tensor({ 3, 2 }, { 1, 1, 1, 1, 1, 2 }),
        tensor({ 3, 5 }, { 1, 1, 1, 3, 4, 1, 6, 1, 8, 9, 1, 11, 2, 13, 14 }), { axis = 1 })
example("scalar-index", "the page's first case: an index without dimensions", tensor({ 3, 2 }, range(1, 6)),
        tensor({}, { 2 }, "i32"),
        tensor({ 2 }, { 11, 12 }), tensor({ 3, 2 }, { 1, 2, 3, 4, 11, 12 }))
example("two-dimensions", "the page's third case: indices of two dimensions (E-SU3-3)", tensor({ 3, 2 }, range(1, 6)),
        tensor({ 1, 2 }, { 2, 0 }, "i32"), tensor({ 1, 2, 2 }, { 11, 12, 13, 14 }),
        tensor({ 3, 2 }, { 13, 14, 3, 4, 11, 12 }))
example("flat-updates", "updates have the dimensions of indices in place of the axis", tensor({ 3, 2 }),
        tensor({ 1, 2 }, nil, "i32"),
        tensor({ 2, 2 }), tensor({ 3, 2 }), { invalid = "SU3-07" })
example("boxed-update", "an update in one dimension, where data and index leave none", tensor({ 3 }),
        tensor({}, nil, "i32"), tensor({ 1 }), tensor({ 3 }), { invalid = "SU3-07" })
example("longest", "no elements, beside the longest dimension", tensor({ math.maxinteger, 0 }), tensor({ 1 }, { 0 }, "i32"),
        tensor({ 1, 0 }), tensor({ math.maxinteger, 0 }))
