-- SPDX-License-Identifier: Apache-2.0
-- DML_JOIN: the inputs of its cases, and where they are joined. docs/cases.md describes the language.
local op = operator "dml.join"
local most = 16 -- inputs

-- ---- axes: the first value is the default -------------------------------------------------------------------------
local lengths = shared().index.lengths
op:axis("rank", "DimensionCount of all tensors") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("dtype", "DataType of all tensors") { all.dtypes }
op:axis("axis", "Axis") { 0, 1, 2, 3, 4, 5, 6, 7 }
op:axis("count", "InputCount") { 2, 1, 3, 4, 5, 7, 8, 9, 15, 16 }
op:axis("in_layout", "memory layout (Strides) of the inputs with even numbers, from 0") { all.layouts }
op:axis("odd_layout", "memory layout (Strides) of the inputs with odd numbers") { all.layouts }
op:axis("out_layout", "memory layout (Strides) of OutputTensor") { all.output_layouts }
op:axis("fill", "contents of the inputs") { all.fills }
op:axis("extra", "bytes of TotalTensorSizeInBytes beyond the least, of all tensors") { 0, 4, 3, 64 }
op:axis("alignment", "GuaranteedBaseOffsetAlignment of all tensors") { 0, 16, 256 }
op:axis("length", "size of the dimension that `long` names") (lengths)
op:axis("long", "the dimension that is `length` long, from 1, in the first input; 0: none")
  { 0, 1, 2, 3, 4, 5, 6, 7, 8 }
op:axis("size", "Sizes of the first input, except of the long dimension") { 3, 1, 2, 4, 5, 6, 8, per = "rank" }
op:axis("part", "sizes of the second, third and fourth input along the axis; those of further inputs repeat the four")
  { 2, 1, 3, 4, per = 3 }
op:positions("at", "rank")

op:where("axis < rank") -- JO-05
op:where("long <= rank")

-- The size of the first input, and those of input k, from 0.
local first = "pick(at == long, length, size)"
local function sizes(k)
  if k == 0 then return first end
  if k % 4 == 0 then return "pick(at == long and at ~= axis + 1, length, size)" end
  return ("pick(at == axis + 1, part[%d], pick(at == long, length, size))"):format(k % 4)
end

local inputs = {}
for k = 0, most - 1 do
  inputs[k + 1] = { Present = "count > " .. k, DataType = "dtype", Sizes = sizes(k),
                    Layout = k % 2 == 0 and "in_layout" or "odd_layout", Fill = "fill", Extra = "extra",
                    Alignment = "alignment" }
end
op:bind {
  InputTensors = inputs,
  OutputTensor = { DataType = "dtype", Layout = "out_layout", Extra = "extra", Alignment = "alignment" },
  InputCount = "count", Axis = "axis",
}

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Sizes that no input has stay at their default, so that no two cases are equal.
local parts = { "count >= 2 or part[1] == 2", "count >= 3 or part[2] == 2", "count >= 4 or part[3] == 2" }
local function where(more) return table.move(more, 1, #more, #parts + 1, table.move(parts, 1, #parts, 1, {})) end

-- Finds wrong offsets of each input, and inputs that are left out or exchanged.
op:test "exhaustive" {
  "every way to join up to four small inputs, and up to sixteen",
  rank = { 4, 1, 2, 3, 5 }, dtype = "*", axis = { 0, 1, 2, 3, 4 }, count = "*", size = { 3, 1, 2 },
  part = { 2, 1, 3 },
  where = where {
    "rank <= 3 or sum(size) <= rank + 2", "rank <= 4 or count <= 3",
    "count <= 4 or sum(size) <= rank + 1 and rank <= 4 and part[2] == 2 and part[3] ~= 3",
    "dtype == 'f32' or dtype == 'u8' or sum(part) == 6 and count <= 4",
  },
}

op:test "pairwise" {
  "every pair of values of all parameters", vary = "*", strength = 2, length = { 64 }, long = { 0 },
  where = { "rank <= 4 or each(size <= 3)", "rank <= 6 or each(size <= 2)" },
}

-- Long inputs, and long rows behind the axis. Finds faults of vector tails and grids, and 16-bit offsets.
op:test "boundary" {
  "one long dimension about each power of two", rank = { 4, 1, 2, 5, 8 }, dtype = "*", axis = { 0, 1, 3 },
  count = { 2, 3, 1 }, length = lengths, long = { 1, 2, 4 }, size = { 1, 2 }, part = { 1, 2 },
  where = where {
    "sum(size) <= rank + 1", "each(at ~= long or size == 1)", "part[2] == 2 and part[3] == 2",
    "count == 2 or length <= 65 and rank <= 2", "length <= 33 or dtype == 'f32' or dtype == 'u8' or dtype == 'f16'",
    "length <= 257 or dtype == 'f32' or rank <= 2 and dtype == 'u8'",
    "length <= 1025 or rank <= 2 and sum(size) == rank",
    "length <= 65537 or dtype == 'u8' and rank == 1 and part[1] == 1",
  },
}

-- Finds wrong addresses of several tensors at once.
op:test "layout" {
  "every combination of the layouts of inputs with those of the output", rank = "*", dtype = "*",
  axis = { 0, 1, 2, 3 }, count = { 2, 3 }, in_layout = "*", odd_layout = "*", out_layout = "*", size = { 3, 2 },
  where = where {
    "each(part == 2)", "sum(size) == rank * 2 + 1 and size[axis + 1] == 3",
    "count == 2 or in_layout == 'packed' and odd_layout == 'packed'",
    "odd_layout == in_layout or odd_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "rank <= 5 or dtype == 'f32' or dtype == 'u8'", "rank <= 4 or axis == 0",
    "rank <= 4 or out_layout == 'packed' or dtype == 'f32'",
  },
}

op:test "special" {
  "special values and random bits are copied unchanged", rank = { 4, 1, 2, 3, 5, 8 }, dtype = "*", axis = { 0, 1, 2 },
  count = { 2, 3, 1 }, fill = { "special", "bits" }, size = { 3, 8 }, part = { 2, 4 },
  where = where { "rank <= 2 or sum(size) == rank * 3", "rank <= 4 or axis == 0" },
}

-- State that is retained between calls must not change results. Only the last call of each case is judged.
for _, c in ipairs(shared().index.calls) do
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, dtype = { "f32", "u8", "f16", "f64" },
    rank = { 4, 1, 2, 3, 8 }, axis = { 0, 1, 2 }, count = c[1] == "axis" and { 2 } or { 2, 1, 3 },
    in_layout = c[4] or { "packed", "padded" }, size = { 3, 2 }, part = { 2, 3 },
    where = where { "rank <= 2 or each(size == 3)", "part[2] == 2 and part[3] == 2" },
  }
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes.
op:test "sparse" {
  "elements gigabytes apart, in inputs, the output or all of them", sparse = true, strength = 2,
  rank = { 4, 1, 2, 3, 8 }, dtype = "*", axis = { 0, 1, 2 }, count = { 2, 3 }, fill = { "bits" },
  in_layout = { "packed", "far-bytes", "far-elements", "far-inner" },
  odd_layout = { "packed", "far-bytes", "far-elements" }, out_layout = { "packed", "far-bytes", "far-elements" },
  size = { 2, 1 }, part = { 2, 1 },
  where = {
    "product(size) > 1 and product(size) <= 4",
    "out_layout == 'packed' or size[axis + 1] == 1 and part[1] == 1 and count == 2", -- BUF-11
    "in_layout ~= 'packed' or odd_layout ~= 'packed' or out_layout ~= 'packed'",
    "dtype ~= 'u8' and dtype ~= 'i8' or in_layout ~= 'far-bytes' and out_layout ~= 'far-bytes' and " ..
      "odd_layout ~= 'far-bytes'",
    "part[2] == 1 and part[3] == 2",
  },
}

local dml = shared(op)

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any number of inputs, sizes and layouts: what complete small spaces never reach.
local any = op:family()
any:axis "rank"  { 4, 1, 2, 3, 5, 6, 7, 8 }
any:axis "dtype" { all.dtypes }
any:axis "axis"  { 0 }
any:axis "count" { 2, 1, 3, 4, 5, 7, 8, 9, 15, 16 }
any:axis "in_layout" { "packed", "strides" }
any:axis("rest_layout", "memory layout (Strides) of the other inputs") { "packed", "strides" }
any:axis "out_layout" { "packed", "strides" }
any:axis "fill" { all.fills, "stretches" }
for _, t in ipairs { { "in", "the first input" }, { "rest", "the other inputs" }, { "out", "OutputTensor" } } do
  any:axis(t[1] .. "_extra", "bytes of TotalTensorSizeInBytes beyond the least, of " .. t[2]) { 0 }
  any:axis(t[1] .. "_base", "where the buffer begins, of " .. t[2] .. ": bytes behind a multiple of 64; -1: anywhere")
    { -1 }
end
any:axis "alignment" { 0 }
any:axis("size", "Sizes of the first input") { 3, per = "rank" }
any:axis("rest_size", "Sizes of the second input") { 3, per = "rank" }
any:axis("out_size", "Sizes of OutputTensor, for its Strides") { 0, per = "rank" }
any:axis("part", "sizes of the inputs along the axis; that of the first one is not read") { 2, per = most }
for _, t in ipairs { { "in", "the first input" }, { "rest", "the other inputs" }, { "out", "OutputTensor" } } do
  any:axis(t[1] .. "_stride", "Strides of " .. t[2] .. ", where the layout is strides") { 0, per = "rank" }
end
any:axis("in_flags", "Flags of the first input") { 0 }
any:axis("rest_flags", "Flags of the other inputs") { 0 }
local words = { "data", "dtype", "axis", "in_layout", "rest_layout", "out_layout", "in_extra", "size", "part",
                "in_stride", "rest_stride", "out_stride" }
dml.change_axes(any, words)
any:where("axis >= 0 and axis < rank")             -- JO-05
any:where("count >= 1 and count <= " .. most)      -- JO-02
any:where("each(part >= 1)")                       -- BUF-06
any:where("product(size) <= 4294967295")           -- BUF-11
any:where("product(out_size) <= 4294967295")

local drawn = {}
for k = 0, most - 1 do
  local key = k == 0 and "in" or "rest"
  drawn[k + 1] = {
    Present = "count > " .. k, DataType = "dtype",
    Sizes = k == 0 and "size" or ("pick(at == axis + 1, part[%d], size)"):format(k + 1),
    Layout = key .. "_layout", Strides = key .. "_stride", Fill = "fill", Extra = key .. "_extra",
    Alignment = "alignment", Base = key .. "_base", Flags = key .. "_flags",
  }
end
any:bind {
  InputTensors = drawn,
  OutputTensor = { DataType = "dtype", Layout = "out_layout", Strides = "out_stride", Extra = "out_extra",
                   Alignment = "alignment", Base = "out_base" },
  InputCount = "count", Axis = "axis",
}

local function with(size, k, n)
  local copy = table.move(size, 1, #size, 1, {})
  copy[k] = n
  return copy
end

-- Split the output's size along the axis, which is at least `count`.
local function draw_parts(r, n, count)
  local part, left = {}, n
  for k = 1, count - 1 do
    local room = left - (count - k)
    part[k] = r.chance(30) and math.max(1, math.min(room, n // count)) or r.about(1, room)
    left = left - part[k]
  end
  part[count] = left
  for k = count + 1, most do part[k] = 1 end
  return part
end

-- Everything but the sizes of the output.
local function draw_inputs(r, c, axis, out_size, most_elements)
  local count = c.count
  local part = draw_parts(r, out_size[axis + 1], count)
  local size, longest = with(out_size, axis + 1, part[1]), 1
  for k = 2, count do longest = math.max(longest, part[k]) end
  local rest = with(out_size, axis + 1, longest)
  local in_stride = r.strides(size, dml.strided(most_elements, c.dtype, true))
  return dml.places(r, {
    axis = axis, part = part, size = size, out_size = out_size,
    rest_size = with(out_size, axis + 1, part[2]),
    fill = r.pick { "bits", "bits", "injective", "special", "stretches" },
    alignment = r.chance(10) and 16 << r.int(0, 12) or 0,
    in_extra = r.chance(20) and r.about(0, 65536) or 0, rest_extra = r.chance(20) and r.about(0, 4096) or 0,
    out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_layout = r.chance(60) and "strides" or "packed", rest_layout = r.chance(60) and "strides" or "packed",
    out_layout = r.chance(60) and "strides" or "packed", in_stride = in_stride,
    rest_stride = r.strides(rest, dml.strided(most_elements, c.dtype, true)),
    out_stride = r.strides(out_size, dml.strided(most_elements, c.dtype, false, in_stride)),
    in_flags = r.chance(3) and 1 or 0, rest_flags = r.chance(3) and 1 or 0,
  }, "in", "rest", "out"), rest
end

-- The sizes with room for all inputs along the axis; nil if there are too many elements then.
local function roomy(size, axis, count)
  if size[axis + 1] >= count then return size end
  size = with(size, axis + 1, count)
  return dml.product(size) <= 4294967295 and size or nil
end

local function draw_any(r, c, most_elements, given)
  local axis = r.int(0, c.rank - 1)
  local size = given or r.sizes(c.rank, most_elements or r.elements())
  if not given and size[axis + 1] < 2 * c.count and r.chance(60) then
    size = with(size, axis + 1, r.int(c.count, 3 * c.count))
    if dml.product(size) > (most_elements or 65536) then size = with(size, axis + 1, c.count) end
  end
  size = roomy(size, axis, c.count) or with(r.sizes(c.rank, 16), axis + 1, c.count)
  return draw_inputs(r, c, axis, size, most_elements)
end

local function draw_planned(r, c, shape)
  local axis, size, plan = r.int(0, c.rank - 1), shape(c.rank)
  local fits = roomy(size, axis, c.count)
  local v = draw_inputs(r, c, axis, fits or with(r.sizes(c.rank, 16), axis + 1, c.count))
  if fits and r.chance(50) then v.out_layout, v.out_stride = r.planned(v.out_size, plan, c.dtype) end
  return v
end

local classes = { "dtype", "rank", "count" }
any:test "drawn" {
  "any number of inputs, any sizes, axes and layouts", each = classes, dtype = "*", rank = "*", count = "*",
  cases = { quick = 200, full = 5000, exhaustive = 1000000 },
  draw = function(r, c)
    if r.chance(dml.planned) then return draw_planned(r, c, r.tiles) end
    return (draw_any(r, c))
  end,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", rank = "*",
  count = "*",
  cases = { quick = 240, full = 1500, exhaustive = 100000 },
  draw = dml.after(function(r, c, n) return (draw_any(r, c, n)) end, draw_planned, words),
}

any:test "drawn_sparse" {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", rank = "*", count = { 2, 1, 3 },
  cases = { quick = 40, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    local v, rest = draw_any(r, c, 16)
    v.fill = "bits"
    v.in_stride, v.rest_stride, v.out_stride = r.strides(v.size, {}), r.strides(rest, {}), r.strides(v.out_size, {})
    local tensors = { "in", v.size, "out", v.out_size }
    if c.count > 1 then tensors[5], tensors[6] = "rest", rest end
    return dml.spread(r, v, tensors) and v or nil
  end,
}

-- A kernel with a thread per element looks up the input of each. Finds a last group of threads that is missing, and what
-- a second dispatch forgets.
any:test "drawn_short_rows" {
  "one element more than groups of 256 have, in short rows; and 2^24 elements, more groups than a dispatch has",
  each = classes, dtype = { "u8", "f16", "f32", "f64" }, rank = { 2, 3, 4 }, count = { 3, 5, 4, 7, 16 },
  cases = { quick = 10, full = 120, exhaustive = 2000 },
  draw = function(r, c)
    local size, row = {}, r.int(c.count, 100) | 1
    local rows = dml.one_more(row) + 256 * r.int(0, 8)
    if r.chance(3) and c.dtype == "u8" then rows = rows + 16776960 // row // 256 * 256 end
    for k = 1, c.rank do size[k] = 1 end
    size[c.rank], size[r.int(1, c.rank - 1)] = row, rows
    local v = draw_inputs(r, c, c.rank - 1, size)
    v.in_layout, v.rest_layout, v.out_layout, v.fill = "packed", "packed", "packed", "bits"
    return v
  end,
}

-- The limits of the tensors are in shared.lua. Of two inputs, the second one is all of the rest.
local function one(r, c, most_elements) return (draw_any(r, c, most_elements)) end
local tensors = {
  { "InputTensors[0]", { key = "in", sizes = "size", strides = "in_stride", alignment = "alignment" } },
  { "InputTensors[1]", { key = "rest", sizes = "rest_size", strides = "rest_stride", alignment = "alignment" } },
  { "OutputTensor", { key = "out", sizes = "out_size", strides = "out_stride", alignment = "alignment",
                      output = true } },
}
local breaks, holds = dml.illegal(any, { each = classes, draw = one }), dml.legal(any, { each = classes, draw = one })
local function breaks_two(clause, name, title, change, alter, more)
  more = more or {}
  more.count = { 2 }
  breaks(clause, name, title, change, alter, more)
end
local numbers = { f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8 } -- the types without 64 bits
for _, t in ipairs(tensors) do
  local tensor, d = t[1], t[2]
  local b = d.key == "rest" and breaks_two or breaks
  local few = d.key == "out" and { 1, 2, 3 } or "*" -- an output that differs breaks the clause for each input
  dml.illegal_buffer(b, tensor, d)
  if d.key ~= "rest" then dml.legal_buffer(holds, tensor, d) end
  b("JO-01", d.key, tensor .. " is a null pointer", { [tensor] = { Present = "0" } })
  b("JO-04", d.key, tensor .. " alone has fewer dimensions", { [tensor] = { DimensionCount = "rank - by" } },
    function(r, v, c) v.by = r.int(1, c.rank - 1) end, { rank = range(2, 8), count = few })
  dml.one_leading(b, "JO-04", tensor, d, { count = few })
  b("JO-03", d.key, tensor .. " alone has another type", { [tensor] = { DataType = "by" } }, function(r, v, c)
    v.by = r.int(1, 8)
    if v.by == numbers[c.dtype] then return false end
    v[d.key .. "_extra"] = 34359738368
  end, { count = few })
end
local unknown_type = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" }
local function of_all(change)
  local list = {}
  for k = 1, most do list[k] = change end
  return { InputTensors = list, OutputTensor = change }
end
breaks("BUF-02", "type", "DataType is none of DirectML's", of_all(unknown_type),
       function(r, v) v.by = r.about(14, 4294967295) end)
breaks("BUF-05", "dims", "no dimensions, or more than eight", of_all(dml.no_dims), dml.draw_no_dims)
breaks("JO-05", "beyond", "the axis is beyond the last dimension", { Axis = "by" }, function(r, v, c)
  v.by = r.about(c.rank, 4294967295)
end)

-- Change a size of a tensor by what keeps it within 2^32 - 1 elements, and above 0.
local function draw_by(r, v, sizes)
  local n = sizes[v.broken]
  local room = 4294967295 // (dml.product(sizes) // n) - n
  if room < 1 and n < 2 then return false end
  v.by = (room < 1 or n > 1 and r.chance(50)) and -r.about(1, n - 1) or r.about(1, room)
end
local function wider(sizes)
  return { Sizes = "pick(at == broken, " .. sizes .. " + by, " .. sizes .. ")", Layout = "0" }
end
local function beside(r, v, c)
  local k = r.int(1, c.rank - 1)
  v.broken = k <= v.axis and k or k + 1
end
breaks("JO-06", "first", "a size of the first input beside the axis is not the output's",
       { ["InputTensors[0]"] = wider "size" }, function(r, v, c)
  beside(r, v, c)
  return draw_by(r, v, v.size)
end, { rank = range(2, 8) })
breaks_two("JO-06", "second", "a size of the second input beside the axis is not the output's",
           { ["InputTensors[1]"] = wider "rest_size" }, function(r, v, c)
  beside(r, v, c)
  return draw_by(r, v, v.rest_size)
end, { rank = range(2, 8) })
breaks("JO-07", "sum", "the size of the output along the axis is not the sum", { OutputTensor = wider "out_size" },
       function(r, v, c)
  v.broken = v.axis + 1
  return draw_by(r, v, v.out_size)
end)
breaks("JO-07", "left-out", "the size of the output along the axis is that of the first input", {
  OutputTensor = { Sizes = "size", Layout = "0" },
}, nil, { count = { 2, 3, 16 } })

holds("JO-05", nil, "the last axis", function(r, v, c) if v.axis ~= c.rank - 1 then return false end end)
holds("JO-02", "one", "one input, of which the output is a copy", function(r, v, c)
  return (draw_inputs(r, c, v.axis, v.out_size))
end, { count = { 1 } })
holds("JO-07 BUF-11 BUF-21", nil, "up to 2^32 - 1 elements in the output", function(r, v, c)
  local size, axis = r.sizes(c.rank, 64), r.int(0, c.rank - 1)
  local room = dml.most_elements(c.dtype) // (dml.product(size) // size[axis + 1])
  local w = draw_inputs(r, c, axis, with(size, axis + 1, r.about(c.count, room)))
  w.in_layout, w.rest_layout, w.out_layout = "packed", "packed", "packed"
  return w
end, { asked = true })
holds("BUF-01 BUF-02 BUF-05 BUF-06 JO-01 JO-03 JO-04 JO-06", nil, "sizes of 1, and strides without effect",
      function(r, v, c)
  local size = {}
  for k = 1, c.rank do size[k] = 1 end
  local w = draw_inputs(r, c, c.rank - 1, with(size, c.rank, c.count))
  w.in_layout, w.rest_layout, w.out_layout = "strides", "strides", "strides"
  return w
end, { count = { 1, 2 } })

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
dml.count_tests(any, {
  each = classes, draw = function(r, c, n, size) return (draw_any(r, c, n, size)) end, planned = draw_planned,
  quick = { counts = 1, grids = 1 }, full = { counts = 20, grids = 40, tall = 2, large = 1 },
  grids = dml.narrow({ 4, 3, 5, 8 }),
  large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 4, 3 } },
})

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
local inside, changed, width = dml.inside, dml.changed, dml.width

-- The list has types and dimension counts of each of its tensors.
op:beyond {
  "descriptors of a higher feature level", rank = "*", dtype = "*", axis = { 0, 1 }, count = { 2, 16 },
  where = "count == 2 or axis == 0 and (dtype == 'f32' or rank == 4)",
}

local joined = "pick(at == axis + 1, size + part[1], size)"
local shapes = { rank = "*", axis = range(0, 7), dtype = "*", part = { 3 } }
local plain = "axis == 0 or axis == rank - 1"
dml.buffer("InputTensors[0]", "in", { sizes = "size", bytes = width, axes = shapes, where = plain })
dml.buffer("InputTensors[1]", "odd", { sizes = "pick(at == axis + 1, part[1], size)", bytes = width, axes = shapes,
                                       where = plain })
dml.buffer("OutputTensor", "out", { sizes = joined, bytes = width, axes = shapes, where = plain, output = true })

local unknown = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" }
local counts = { 2, 1, 3, 16 }
op:invalid "BUF-02" {
  "DataType is none of DirectML's", rank = "*", dtype = "*", count = counts, by = { 0, 14, 15, 16, 255, 4294967295 },
  change = of_all(unknown),
}
op:invalid "JO-03" {
  "types that DirectML has and the operator does not support", name = "four-bit", rank = "*", dtype = "*",
  count = { 2, 16 }, by = { 12, 13 }, from = "6_3", change = of_all(unknown),
}
op:invalid "BUF-05" { "no dimensions", name = "none", rank = "*", dtype = "*", count = counts,
                      change = of_all { DimensionCount = "0" } }
op:invalid "BUF-05" { "nine dimensions", name = "nine", rank = "*", dtype = "*", count = { 1 },
                      change = of_all { Sizes = "nine" } }
op:invalid "BUF-05" {
  "more dimensions than a tensor can hold", name = "many", rank = "*", dtype = "*", count = { 1 },
  by = { 16, 17, 255, 2147483649, 4294967295 },
  change = of_all { Sizes = "sixteen", DimensionCount = "by", TotalTensorSizeInBytes = "65536" },
}
dml.too_many {
  "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = range(2, 8), dtype = "*",
  count = { 1 }, by = { 65536, 131071, 4294967295 }, change = of_all { Sizes = "by + 0 * size" },
}
op:invalid "JO-02" {
  "nothing is joined", rank = "*", dtype = "*", count = { 1 },
  change = { InputCount = "0", ["InputTensors[0]"] = { Present = "0" } },
}
op:invalid "JO-02" {
  "nothing is joined, though there are inputs", name = "behind", rank = "*", dtype = "*", count = { 2, 1 },
  change = { InputCount = "0" },
}
op:invalid "JO-01" {
  "Axis is not stated", name = "Axis", rank = "*", dtype = "*", change = { Axis = { Present = "0" } },
}
-- At levels with 4 or 5 dimensions, a 64-bit type would break BUF-02 as well.
local fits = "other ~= dtype and (other ~= 'f64' and other ~= 'u64' and other ~= 'i64' or dtype == 'f64' or " ..
             "dtype == 'u64' or dtype == 'i64' or rank ~= 4)"
for k, name in pairs { [0] = "first", [1] = "second", [15] = "last" } do
  local tensor, count = ("InputTensors[%d]"):format(k), k < 2 and { 2, 3 } or { 16 }
  op:invalid "JO-01" { tensor .. " is a null pointer", name = name, rank = "*", dtype = "*", count = count,
                       change = { [tensor] = { Present = "0" } } }
  op:invalid "JO-03" { tensor .. " alone has another data type", name = name, rank = "*", dtype = "*", count = count,
                       other = { all.dtypes }, where = fits, change = { [tensor] = { DataType = "other" } } }
  op:invalid "JO-04" { tensor .. " alone has fewer dimensions", name = name, rank = range(2, 8), dtype = "*",
                       count = count, by = range(1, 7), where = "by < rank",
                       change = { [tensor] = { DimensionCount = "rank - by" } } }
  local base = k == 0 and "size" or ("pick(at == axis + 1, part[%d], size)"):format(k % 4)
  op:invalid "JO-06" {
    tensor .. ": a size beside the axis is not the output's", name = name, rank = range(2, 8), dtype = "*",
    axis = range(0, 7), count = count, broken = range(1, 8), by = { 1, -1, 65536 },
    where = { inside, "broken ~= axis + 1", "axis == 0 or axis == rank - 1 or by == 1" },
    change = { [tensor] = { Sizes = changed(base .. " + by", base) } },
  }
end
op:invalid "JO-01" { "OutputTensor is a null pointer", name = "out", rank = "*", dtype = "*",
                     change = { OutputTensor = { Present = "0" } } }
op:invalid "JO-03" { "OutputTensor alone has another data type", name = "out", rank = "*", dtype = "*",
                     other = { all.dtypes }, where = fits, change = { OutputTensor = { DataType = "other" } } }
op:invalid "JO-04" { "OutputTensor alone has fewer dimensions", name = "out", rank = range(2, 8), dtype = "*",
                     by = range(1, 7), where = "by < rank",
                     change = { OutputTensor = { DimensionCount = "rank - by" } } }
op:invalid "JO-05" {
  "Axis is beyond the last dimension", rank = "*", dtype = "*", count = { 2, 1 },
  by = { 0, 1, 7, 2147483647, 4294967280 }, change = { Axis = "rank + by" },
}
op:invalid "JO-07" {
  "the size of the output along the axis is not the sum", name = "sum", rank = "*", dtype = "*", axis = range(0, 7),
  by = { 1, -1, 65536, -2 }, change = { OutputTensor = { Sizes = "pick(at == axis + 1, size + part[1] + by, size)" } },
}
op:invalid "JO-07" {
  "the sum has more than 32 bits, and the output as many elements as its lower half says", name = "wraps", rank = "*",
  dtype = "*", axis = range(0, 7), by = { 1, 4, 1000 }, size = { 1 }, part = { 2 },
  change = { ["InputTensors[0]"] = { Sizes = "pick(at == axis + 1, 4294967295, size)" },
             ["InputTensors[1]"] = { Sizes = "pick(at == axis + 1, by + 1, size)" },
             OutputTensor = { Sizes = "pick(at == axis + 1, by, size)" } },
}
op:invalid "JO-07" {
  "the output has the size of the last input along the axis", name = "last", rank = "*", dtype = "*",
  axis = range(0, 7), change = { OutputTensor = { Sizes = "pick(at == axis + 1, part[1], size)" } },
}

-- ---- the page's examples, and the smallest cases of our decisions --------------------------------------------------
local function square(first)
  return { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 }, data = { first, first + 1, first + 2, first + 3 } }
end
op:example "1" {
  note = "the page's example 1: the only axis along which the two fit",
  InputTensors = { { DataType = "FLOAT32", Sizes = { 1, 1, 2, 3 }, data = { 1, 2, 3, 4, 5, 6 } },
                   { DataType = "FLOAT32", Sizes = { 1, 1, 2, 4 }, data = { 7, 8, 9, 10, 11, 12, 13, 14 } } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 7 },
                   data = { 1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 11, 12, 13, 14 } }, Axis = 3,
}
local joined_data = {
  { 1, { 1, 3, 2, 2 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } },
  { 2, { 1, 1, 6, 2 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } },
  { 3, { 1, 1, 2, 6 }, { 1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12 } },
}
for _, x in ipairs(joined_data) do
  op:example("2-axis-" .. x[1]) {
    note = "the page's example 2, along axis " .. x[1],
    InputTensors = { square(1), square(5), square(9) },
    OutputTensor = { DataType = "FLOAT32", Sizes = x[2], data = x[3] }, InputCount = 3, Axis = x[1],
  }
end
op:example "other-axis" {
  note = "the page's example 1 along another axis, which it calls impossible", invalid = "JO-06",
  InputTensors = { { DataType = "FLOAT32", Sizes = { 1, 1, 2, 3 } }, { DataType = "FLOAT32", Sizes = { 1, 1, 2, 4 } } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 4, 3 } }, Axis = 2,
}
op:example "one" {
  note = "one input: the output is its copy (JO-02)",
  InputTensors = { square(1) }, OutputTensor = square(1), InputCount = 1, Axis = 0,
}
op:example "none" {
  note = "no input", invalid = "JO-02", InputTensors = {},
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 } },
  InputCount = 0, Axis = 0,
}
