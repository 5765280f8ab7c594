-- SPDX-License-Identifier: Apache-2.0
-- Bits, logic, comparisons and choices: each element of the output follows from those at its coordinates. Illegal
-- descriptors follow from the declarations (tests `legal` and `invalid`). docs/cases.md describes the language.
local truth = { "u32", "u8" }
local bytes, truths = { { 0, 128, 42, 255 }, { 255, 129, 15, 170 } }, { { 0, 0, 2, 255 }, { 0, 7, 0, 1 } }
local numbers, moved = { { 1, 1, 2, 255 }, { 1, 2, 1, 255 } }, { { 1, 129, 255, 255 }, { 7, 1, 0, 4 } }
-- Of each a few elements of the inputs and of the output, of UINT8. page: the type that the page prints its example with;
-- of: the types of the tensors, where they are others; results: the output's types, where these are not the inputs';
-- chooses: the first input decides which of the others an element is copied from.
local op, t = operators {
  ["dml.element_wise_bit_and"] = { bytes, { 0, 128, 10, 170 }, in_place = true },
  ["dml.element_wise_bit_or"]  = { bytes, { 255, 129, 47, 255 }, in_place = true },
  ["dml.element_wise_bit_xor"] = { bytes, { 255, 1, 37, 85 }, in_place = true },
  ["dml.element_wise_bit_not"] = { { bytes[1] }, { 255, 127, 213, 0 }, page = "UINT8", in_place = true },
  ["dml.element_wise_bit_count"] = { { { 0, 123, 456, 789 } }, { 0, 6, 4, 5 }, page = "UINT32", results = truth },
  ["dml.element_wise_bit_shift_left"]  = { moved, { 128, 2, 255, 240 }, in_place = true, shifts = true },
  ["dml.element_wise_bit_shift_right"] = { moved, { 0, 64, 255, 15 }, in_place = true, shifts = true },
  ["dml.element_wise_if"] = { { { 1, 0, 1, 1 }, { 1, 2, 3, 4 }, { 9, 8, 7, 6 } }, { 1, 8, 3, 4 }, page = "FLOAT32",
                              of = { "UINT8" }, chooses = true },
  ["dml.element_wise_is_nan"] = { { { "nan", 1, "inf", 0 } }, { 1, 0, 0, 0 }, of = { "FLOAT32", "UINT32" },
                                  results = truth },
  ["dml.element_wise_logical_and"] = { truths, { 0, 0, 0, 1 }, in_place = true },
  ["dml.element_wise_logical_or"]  = { truths, { 0, 1, 1, 1 }, in_place = true },
  ["dml.element_wise_logical_xor"] = { truths, { 0, 1, 1, 0 }, in_place = true },
  ["dml.element_wise_logical_not"] = { { truths[1] }, { 1, 1, 0, 0 }, in_place = true },
  ["dml.element_wise_logical_equals"]                = { numbers, { 1, 0, 0, 1 }, results = truth },
  ["dml.element_wise_logical_greater_than"]          = { numbers, { 0, 0, 1, 0 }, results = truth },
  ["dml.element_wise_logical_less_than"]             = { numbers, { 0, 1, 0, 0 }, results = truth },
  ["dml.element_wise_logical_greater_than_or_equal"] = { numbers, { 1, 0, 1, 1 }, results = truth },
  ["dml.element_wise_logical_less_than_or_equal"]    = { numbers, { 1, 1, 0, 1 }, results = truth },
}
local one = #t[1] == 1
-- Elements that are copied are alike in all types, and the page of IF names none.
local example = { own_types = not t.chooses, note = t.page and "the page's example" or "a few elements" }
local tensors = one and { { "InputTensor", "in" }, { "OutputTensor", "out" } }
                or { { "ATensor", "in" }, { "BTensor", "b" }, { "OutputTensor", "out" } }
if t.chooses then table.insert(tensors, 1, { "ConditionTensor", "condition" }) end

local has = {}
for _, dtype in ipairs(all.dtypes) do has[dtype] = true end

-- The bits of an element of a shift.
local width = "(dtype == 'u8' and 8 or dtype == 'u16' and 16 or dtype == 'u64' and 64 or 32)"

-- ---- axes: the first value is the default -------------------------------------------------------------------------
local function axes_of(of, layouts, out_layouts, extra_each)
  of:axis("rank", "DimensionCount of all tensors") { 4, 1, 2, 3, 5, 6, 7, 8 }
  of:axis("dtype", t.chooses and "DataType of all but ConditionTensor" or "DataType of the inputs") { all.dtypes }
  if t.results then of:axis("result", "DataType of OutputTensor") (t.results) end
  for _, x in ipairs(tensors) do
    of:axis(x[2] .. "_layout", "memory layout (Strides) of " .. x[1]) (x[2] == "out" and out_layouts or layouts)
  end
  of:axis("fill", "contents of the inputs") { "bits", "special", "zeros", "injective", "stretches", "crossed" }
  if t.chooses then -- zeros among other bytes; and elements of BTensor that differ from those of ATensor
    of:axis("condition_fill", "contents of ConditionTensor") { "zeros" }
    of:axis("b_fill", "contents of BTensor") { "inverted", "bits", "special" }
  end
  for _, x in ipairs(extra_each and tensors or {}) do
    of:axis(x[2] .. "_extra", "bytes of TotalTensorSizeInBytes beyond the least, of " .. x[1]) { 0 }
  end
  if not extra_each then of:axis("extra", "bytes of TotalTensorSizeInBytes beyond the least") { 0, 4, 3, 64 } end
  of:axis("alignment", "GuaranteedBaseOffsetAlignment of all tensors") { 0, 16, 32, 256 }
  if t.shifts then of:axis("first", "the first element of BTensor, which counts up from there") { 0, 1, 7, 31 } end
end

-- Bind the tensors. more(x): further fields of one.
local function bind(of, sizes, more)
  local bound = {}
  for _, x in ipairs(tensors) do
    local b = { DataType = "dtype", Sizes = sizes, Layout = x[2] .. "_layout", Extra = "extra",
                Alignment = "alignment" }
    if x[2] == "out" then b.DataType = t.results and "result" or "dtype" else b.Fill = "fill" end
    if x[2] == "condition" then b.DataType = nil end -- it has one
    if t.chooses and x[2] ~= "in" and x[2] ~= "out" then b.Fill = x[2] .. "_fill" end
    if x[2] == "b" and t.shifts then b.Data = "(first + i + i // 64) % " .. width end
    for field, value in pairs(more and more(x) or {}) do b[field] = value end
    bound[x[1]] = b
  end
  of:bind(bound)
end

-- A test of every number of dimensions and every type, unless it says otherwise.
local function test(of, name, def)
  local vary = { rank = "*", dtype = "*", result = t.results and "*" or nil }
  for axis, values in pairs(vary) do def[axis] = def[axis] or values end
  of:test(name)(def)
end

axes_of(op, { all.layouts }, { all.output_layouts })
op:axis("length", "size of the dimension that `long` names")
  { 64, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 127, 129, 255, 257, 1023, 1025, 4097, 65535, 65537 }
op:axis("long", "the dimension that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4, 5, 6, 7, 8 }
op:axis("size", "Sizes of all tensors, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 5, 7, 8, 17, 33, 257, per = "rank" }
op:positions("at", "rank")
op:where("long <= rank")
bind(op, "pick(at == long, length, size)")

-- ---- tests --------------------------------------------------------------------------------------------------------
test(op, "exhaustive", {
  "every small shape, with every data type and fill", fill = "*", size = { 3, 1, 2, 4 },
  where = { "rank <= 3 or each(size <= 3)", "rank <= 4 or each(size <= 2)" },
})
test(op, "pairwise", {
  "every pair of values of all parameters", vary = "*", strength = 2, length = { 64, 7, 33 },
  where = { "rank <= 2 or each(size <= 8)", "rank <= 3 or each(size <= 5)", "rank <= 4 or each(size <= 3)",
            "rank <= 6 or each(size <= 2)" },
})
test(op, "boundary", {
  "one long dimension about each power of two", rank = { 4, 1, 2, 8 }, length = "*", long = range(1, 8), size = { 1, 2 },
  where = { "each(at ~= long or size == 1)", "rank <= 2 or each(size == 1)", "length <= 1025 or rank <= 2" },
})
test(op, "layout", {
  "every pair of memory layouts", in_layout = "*", b_layout = not one and "*" or nil, out_layout = "*",
  condition_layout = t.chooses and "*" or nil, size = { 3, 2 },
  where = { "rank <= 2 or size[1] == 3 and sum(size) <= 2 * rank + 1",
            ("rank <= 5 or dtype == '%s' or dtype == '%s'"):format(has.u8 and "u8" or "f16", all.dtypes[1]),
            not one and "b_layout == in_layout or b_layout == 'packed' or in_layout == 'packed'" or nil,
            t.chooses and "condition_layout == b_layout" or nil },
})
test(op, "special", {
  "special values, zeros and random bits", fill = { "special", "zeros", "bits" }, b_fill = t.chooses and "*" or nil,
  size = { 17, 33, 1 },
  where = { "rank <= 2 and each(size >= 17) or each(size == pick(at <= 2, 17, 1))" },
})
if not one then
  test(op, "crossed", { "every pair of special values", tier = "quick", fill = { "crossed" }, rank = { 2, 1, 4, 8 },
                        size = { 257, 33, 17, 1 },
                        where = "each(size == pick(rank == 1, 257, pick(at == rank, 33, pick(at == rank - 1, 17, 1))))" })
end
local calls = { { "data", { "data" }, "the same descriptor with other data" },
                { "other", { "other" }, "a neighbouring case with the same data" },
                { "class", { "class" }, "a case of the same shape and another layout" } }
for _, c in ipairs(calls) do
  test(op, "after_" .. c[1], { "a call after " .. c[3], after = c[2], rank = { 2, 4 }, size = { 3, 2 },
                               in_layout = { "packed", "padded", "transposed" }, out_layout = { "packed", "padded" } })
end
local apart = { "product(size) > 1 and product(size) <= 9", "in_layout ~= 'packed' or out_layout ~= 'packed'",
                "rank <= 3 or each(size == pick(at == 1, 3, pick(at == rank, 2, 1)))" }
for _, dtype in ipairs { "u8", "i8" } do -- of one byte, far-bytes is as far-elements
  if has[dtype] then table.insert(apart, ("dtype ~= '%s' or in_layout ~= 'far-bytes'"):format(dtype)) end
  if has[dtype] and not t.results then table.insert(apart, ("dtype ~= '%s' or out_layout ~= 'far-bytes'"):format(dtype)) end
end
if t.results then table.insert(apart, "result ~= 'u8' or out_layout ~= 'far-bytes'") end
test(op, "sparse", {
  "elements gigabytes apart, in an input, the output or both", sparse = true, strength = 3, rank = { 4, 1, 2, 8 },
  in_layout = { "packed", "far-bytes", "far-elements", "far-inner" },
  out_layout = { "packed", "far-bytes", "far-elements", "far-inner" }, size = { 3, 1, 2 }, where = apart,
})
if t.in_place then
  test(op, "in_place", {
    "the output in the memory of the first input, in every layout", in_place = true,
    in_layout = { all.output_layouts }, out_layout = "*", size = { 3, 2, 17 },
    where = { "in_layout == out_layout", "rank <= 2 or each(size <= 3)", "rank <= 4 or each(size == 2)" },
  })
end
op:beyond { "descriptors of a higher feature level", rank = "*", dtype = "*", result = t.results and "*" or nil }
for k, x in ipairs(tensors) do
  example[x[1]] = { DataType = t.of and t.of[k] or t.page or "UINT8", Sizes = { 2, 2 }, data = t[1][k] or t[2] }
end
op:example "elements" (example)

-- Counts that an element does not have bits for.
if t.shifts then
  local beyond = op:family()
  axes_of(beyond, { "packed", "padded", "transposed" }, { "packed", "padded" })
  beyond:axis("size", "Sizes of all tensors") { 33, 17, per = "rank" }
  beyond:positions("at", "rank")
  bind(beyond, "size", function(x)
    return x[2] == "b" and { Data = "i % 3 == 0 and i % 8 or i % 97 + " .. width } or {}
  end)
  test(beyond, "out_of_range", {
    "counts of the width and more: these elements are undefined, and all others are right", tier = "quick",
    fill = { "bits", "special" }, rank = { 1, 2, 4 }, size = "*",
    where = "each(size == pick(at == rank, 33, 17)) and (rank <= 2 or dtype == 'u8')",
  })
end

-- Every pair of elements of eight bits.
if not one then
  local pairs_of = op:family()
  axes_of(pairs_of, { "packed" }, { "packed" })
  pairs_of:axis("size", "Sizes of all tensors") { 256, per = "rank" }
  bind(pairs_of, "size", function(x)
    local sign = has.i8 and " - (dtype == 'i8' and 128 or 0)" or ""
    return x[2] == "in" and { Data = "i // 256" .. sign } or
           x[2] == "b" and { Data = (t.shifts and "i % 8" or "i % 256" .. sign) } or {}
  end)
  test(pairs_of, "values", { "every pair of elements of eight bits", rank = { 2 },
                             dtype = { "u8", has.i8 and "i8" or nil } })
end

-- ---- drawn cases --------------------------------------------------------------------------------------------------
local dml, any = shared(op), op:family()
axes_of(any, { "packed", "strides" }, { "packed", "strides" }, true)
any:axis("size", "Sizes of all tensors") { 3, per = "rank" }
for _, x in ipairs(tensors) do
  any:axis(x[2] .. "_stride", "Strides of " .. x[1] .. ", where its layout is strides") { 0, per = "rank" }
  any:axis(x[2] .. "_base", "where " .. x[1] .. " begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
end
for k = 1, #tensors - 1 do any:axis(tensors[k][2] .. "_flags", "Flags of " .. tensors[k][1]) { 0 } end
local words = { "data", "dtype", "size", "alignment" }
if t.results then words[#words + 1] = "result" end
for _, x in ipairs(tensors) do
  words[#words + 1] = x[2] .. "_layout"
  words[#words + 1] = x[2] .. "_stride"
  words[#words + 1] = x[2] .. "_extra"
end
dml.change_axes(any, words)
bind(any, "size", function(x)
  return { Strides = x[2] .. "_stride", Base = x[2] .. "_base", Extra = x[2] .. "_extra",
           Flags = x[2] ~= "out" and x[2] .. "_flags" or nil }
end)

local function draw(r, c, most, given, plan)
  if not given and not most and r.chance(dml.planned) then given, plan = r.tiles(c.rank) end
  local v = { size = given or r.sizes(c.rank, most or r.elements()) }
  v.fill = r.pick { "bits", "bits", "special", "zeros", "injective", "stretches", "crossed" }
  if t.chooses then v.b_fill = r.pick { "bits", "bits", "inverted", "special" } end
  v.alignment = r.chance(10) and 16 << r.int(0, 12) or 0
  v.in_flags = r.chance(3) and 1 or 0
  if t.shifts then v.first = r.int(0, 63) end
  for _, x in ipairs(tensors) do
    v[x[2] .. "_layout"] = r.chance(60) and "strides" or "packed"
    local dtype = x[2] == "condition" and "u8" or x[2] == "out" and c.result or c.dtype
    v[x[2] .. "_stride"] = r.strides(v.size, dml.strided(most, dtype, x[2] ~= "out"))
    v[x[2] .. "_base"], v[x[2] .. "_extra"] = r.base(), r.chance(20) and r.about(0, 65536) or 0
  end
  if plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(v.size, v.size, plan, c.dtype) end
  return v
end
local function draw_planned(r, c, shape)
  local size, plan = shape(c.rank)
  return draw(r, c, nil, size, plan)
end
local classes = { "dtype", "rank", t.results and "result" or nil }
test(any, "drawn", { "any sizes, strides and slack", each = classes, draw = draw,
                     cases = { quick = 120, full = 4000, exhaustive = 1000000 } })
test(any, "drawn_after", { "the same after calls that differ in one thing", preceded = true, each = classes,
                           cases = { quick = 40, full = 1000, exhaustive = 100000 }, draw = dml.after(draw, draw_planned, words) })
if t.in_place then
  test(any, "drawn_in_place", { "the output in the memory of the first input", in_place = true, each = classes,
                                cases = { quick = 20, full = 600, exhaustive = 60000 },
                                draw = dml.in_place(draw, { "layout", "stride", "base", "extra" }) })
end
test(any, "drawn_sparse", {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes,
  cases = { quick = 10, full = 500, exhaustive = 20000 },
  draw = function(r, c)
    local v, far = draw(r, c, 256, dml.few(r, c.rank)), {}
    v.fill = "bits"
    for _, x in ipairs(tensors) do
      v[x[2] .. "_stride"] = r.strides(v.size, {})
      far[#far + 1], far[#far + 2] = x[2], v.size
    end
    return dml.spread(r, v, far) and v or nil
  end,
})
local grids = { dtype = {}, rank = { 4, 3, 8 } }
for _, dtype in ipairs { "u8", "f16", "i8", "u16", "f32" } do
  if has[dtype] then table.insert(grids.dtype, dtype) end
end
dml.count_tests(any, {
  each = classes, draw = draw, grids = grids, large = { rank = { 4, 3 } },
  quick = { counts = 0, grids = 0, rows = 0, cubes = 0, small = 40 },
  full = { counts = 10, grids = 20, tall = 1, large = 1, rows = 6, cubes = 8, high = 1 },
  planned = draw_planned,
})

-- ---- the clauses of buffers: both sides of each -------------------------------------------------------------------
local holds, widths = dml.legal(any, { each = classes, draw = draw }), {}
for _, dtype in ipairs(all.dtypes) do
  local bits = tonumber(dtype:match "%d+")
  if bits ~= 32 then table.insert(widths, ("dtype == '%s' and %d"):format(dtype, bits // 8)) end
end
for _, x in ipairs(tensors) do
  local name, key, output = x[1], x[2], x[2] == "out"
  local own, bytes = output and t.results, key == "condition" and 1 or nil
  dml.buffer(name, key, { sizes = "pick(at == long, length, size)", axes = { rank = "*", dtype = "*" }, output = output,
                          bytes = bytes and "1" or own and "(result == 'u8' and 1 or 4)" or
                                  "(" .. table.concat(widths, " or ") .. " or 4)" })
  dml.legal_buffer(holds, name, { key = key, sizes = "size", strides = key .. "_stride", alignment = "alignment",
                                  output = output, dtype = own and "result" or "dtype", bytes = bytes })
end
local both = {}
for _, x in ipairs(tensors) do both[x[1]] = { Sizes = "by + 0 * size" } end
dml.too_many {
  "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = "*", dtype = "*",
  by = { 65536, 131071, 4294967295 }, where = "rank >= 2", change = both,
}
holds("BUF-01 BUF-06 BUF-11 BUF-21", "sizes", "2^32 - 1 elements", function(r, v, c)
  v.size = dml.largest_sizes(r, c.rank, c.dtype)
  for _, x in ipairs(tensors) do v[x[2] .. "_layout"] = "packed" end
end, { asked = true })
