-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO ScatterNDUpdate-3. scatter_shared.lua has what its cases share with those of
-- ScatterElementsUpdate-3 and ScatterUpdate-3. docs/cases.md describes the language.
local op = operator "openvino.scatter_nd_update_3"
local cases = shared_file("scatter_shared.lua", op, { prefix = "SN3", kind = "tuples" })
local tensor, example = cases.tensor, cases.example

-- ---- the page's examples, and what only tuples have ----------------------------------------------------------------
example("1", "Example 1: four single elements", tensor({ 8 }, range(1, 8)), tensor({ 4, 1 }, { 4, 3, 1, 7 }, "i32"),
        tensor({ 4 }, { 9, 10, 11, 12 }), tensor({ 8 }, { 1, 11, 3, 10, 9, 6, 7, 12 }))
local up, down = { 1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1 }, { 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8 }
local fives, ones = { 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8 },
                    { 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4 }
local function joined(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end
example("2", "Example 2: two slices of 4 x 4 elements", tensor({ 4, 4, 4 }, joined(up, up, down, down)),
        tensor({ 2, 1 }, { 0, 2 }, "i32"), tensor({ 2, 4, 4 }, joined(fives, ones)),
        tensor({ 4, 4, 4 }, joined(fives, up, ones, down)))
example("layer", "the layer of the page, its sizes 1000, 256, 25 and 125 divided by 25 and rounded",
        tensor({ 40, 10, 10, 15 }), tensor({ 1, 5, 3 }, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 39, 9, 9, 12, 0, 1 }, "i32"),
        tensor({ 1, 5, 15 }), tensor({ 40, 10, 10, 15 }))
example("one-tuple", "indices of one dimension are a single tuple", tensor({ 2, 3 }, range(1, 6)),
        tensor({ 1 }, { 1 }, "i64"),
        tensor({ 3 }, { 11, 12, 13 }), tensor({ 2, 3 }, { 1, 2, 3, 11, 12, 13 }))
example("scalar", "an update without dimensions", tensor({ 2, 3 }, range(1, 6)), tensor({ 2 }, { 1, 0 }, "i32"),
        tensor({}, { 11 }), tensor({ 2, 3 }, { 1, 2, 3, 11, 5, 6 }))
example("single", "the same update as a tensor of one element (E-SN3-5)", tensor({ 2, 3 }, range(1, 6)),
        tensor({ 2 }, { 1, 0 }, "i32"), tensor({ 1, 1 }, { 11 }), tensor({ 2, 3 }, { 1, 2, 3, 11, 5, 6 }))
example("single-of-several", "a tensor of one element is not enough where more are expected", tensor({ 2, 3 }),
        tensor({ 1 }, nil, "i32"), tensor({ 1 }), tensor({ 2, 3 }), { invalid = "SN3-07" })
example("tuple-of-none", "a tuple without an index selects all of data (E-SN3-4)", tensor({ 2 }, { 1, 2 }),
        tensor({ 1, 0 }, {}, "i32"), tensor({ 1, 2 }, { 11, 12 }), tensor({ 2 }, { 11, 12 }))
example("long-tuple", "a tuple has at most as many indices as data has dimensions", tensor({ 3 }),
        tensor({ 1, 2 }, nil, "i32"),
        tensor({ 1 }), tensor({ 3 }), { invalid = "SN3-13" })
example("u32-indices", "indices are i32 or i64", tensor({ 3 }), tensor({ 1, 1 }, nil, "u32"), tensor({ 1 }),
        tensor({ 3 }),
        { invalid = "SN3-04", own_types = true })
