-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO ScatterElementsUpdate-3. scatter_shared.lua has what its cases share with those of
-- ScatterNDUpdate-3 and ScatterUpdate-3. docs/cases.md describes the language.
local op = operator "openvino.scatter_elements_update_3"
local cases = shared_file("scatter_shared.lua", op, { prefix = "SE3", kind = "elements" })
local tensor, example = cases.tensor, cases.example

-- ---- the page's examples, and what only elements have --------------------------------------------------------------
local rows = {}
for k = 1, 5 * 7 * 6 do rows[k] = k * 7 % 40 end
example("layer", "the layer of the page, its sizes 1000, 256, 125 and 20 divided by 25 and rounded",
        tensor({ 40, 10, 7, 7 }),
        tensor({ 5, 1, 7, 6 }, rows, "i32"), tensor({ 5, 1, 7, 6 }), tensor({ 40, 10, 7, 7 }))
for axis = 0, 1 do
  local out = axis == 0 and { 1, 12, 3, 11, 5, 6, 13, 14, 9 } or { 12, 11, 3, 14, 5, 13, 7, 8, 9 }
  example("axis-" .. axis, "the formula of the page along axis " .. axis, tensor({ 3, 3 }, range(1, 9)),
          tensor({ 2, 2 }, axis == 0 and { 1, 0, 2, 2 } or { 1, 0, 2, 0 }, "i32"), tensor({ 2, 2 }, { 11, 12, 13, 14 }),
          tensor({ 3, 3 }, out), { axis = axis })
end
example("more-indices", "no size of indices exceeds that of data, not even along the axis (E-SE3-3)", tensor({ 2 }),
        tensor({ 3 }, nil, "i32"), tensor({ 3 }), tensor({ 2 }), { invalid = "SE3-14" })
