-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO GatherElements-6: the inputs, axes and index tensors of its cases. docs/cases.md describes the language.
local op = operator "openvino.gather_elements"
local ov = shared()
local limits = ov.limits(ov.usual)

-- ---- axes: the first value is the default -------------------------------------------------------------------------
op:axis("rank", "dimensions of all tensors") { 2, 1, 3, 4, 5, 6, 7, 8 }
ov.axes_of_types(op, ov.usual)
op:axis("axis", "axis: the dimension of data that indices select from; negative from the last") (ov.signed(-8, 7))
ov.axes_of_memory(op)
op:axis("long", "the dimension of data that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4 }
op:axis("many", "1: indices are `length` long along the axis") { 0, 1 }
ov.axes_of_values(op, true)
op:axis("size", "shape of data, except of the dimension that is `length` long") { 3, 1, 2, 4, 0, 5, 6, 8, per = "rank" }
op:axis("count", "size of indices along the axis, unless it is `length`") { 2, 1, 3, 4, 0, 5, 6, 8 }
op:positions("at", "rank")

local first = "(axis < 0 and axis + rank or axis)" -- the axis, from the first dimension
local n = ("(long == %s + 1 and length or size[%s + 1])"):format(first, first)
local index_sizes = ("pick(at == %s + 1, count, size)"):format(first)
local indices = ("product(%s)"):format(index_sizes) -- their number, without a long dimension

op:where("axis < rank and axis >= -rank")                 -- GE6-06
op:where("long <= rank")
op:where(n .. " > 0 or " .. indices .. " == 0")           -- GE6-11

op:bind {
  data    = { DataType = "dtype", Sizes = "pick(at == long, length, size)", Layout = "in_layout", Fill = "fill",
              Extra = "extra" },
  indices = { DataType = "index_dtype",
              Sizes = ("pick(at == %s + 1, many == 1 and length or count, pick(at == long, length, size))"):format(first),
              Layout = "indices_layout", Extra = "extra", Data = ov.data(n, true) },
  output  = { Layout = "out_layout", Extra = "extra" },
  axis = "axis",
}

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds faults in the coordinates before and behind the axis, in negative axes, and in sizes along the axis that differ
-- between data and indices.
op:test "exhaustive" {
  "every index tensor of up to four indices over every small input",
  rank = { 2, 1, 3 }, dtype = "*", index_dtype = "*", axis = ov.signed(-3, 2), sign = "*",
  size = { 3, 1, 2, 0 }, count = { 2, 1, 3, 4, 0 }, index = { 0, 1, 2 },
  where = {
    indices .. " <= 4", "each(index < max(" .. n .. ", 1))", indices .. " >= 1 or index[1] == 0",
    indices .. " >= 2 or index[2] == 0", indices .. " >= 3 or index[3] == 0", indices .. " >= 4 or index[4] == 0",
    "rank <= 2 or sum(size) <= 6", "dtype == 'f32' or axis >= 0 or rank <= 2",
    "dtype == 'f32' or dtype == 'u8' or sum(size) <= 4 and sum(index) <= 2",
    "index_dtype == 'i32' or rank <= 2",
    "sign == 0 or rank <= 2 and axis >= 0 and (dtype == 'f32' or sign == 2 and sum(index) <= 2) or sum(size) <= 4",
  },
}

op:test "pairwise" {
  "every pair of values of all parameters",
  vary = "*", strength = 2, rank = { 2, 1, 3, 4, 8 }, length = { 64 }, long = { 0 }, many = { 0 }, stray = { 0 },
  where = { "rank <= 3 or each(size <= 4)", "rank <= 4 or each(size <= 2)" },
}

-- Long axes, long rows behind the axis, many indices. Finds faults of vector tails and grids, and 16-bit offsets.
op:test "boundary" {
  "one long dimension of data or indices about each power of two",
  rank = { 2, 1, 3, 5 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2, -1 }, length = ov.lengths,
  long = { 0, 1, 2, 3 }, many = { 0, 1 }, size = { 1, 2 }, count = { 2, 1 }, index = { 0, 1, 2, 7 },
  where = {
    "long ~= 0 and many == 0 or long == 0 and many == 1", "each(at ~= long or size == 1)", "many == 0 or count == 1",
    "index[1] == 1 and index[2] == 7 and index[3] == 0 and index[4] == 2",
    "index_dtype == 'i32' or dtype == 'f32'", "rank <= 2 or each(size == 1)", "dtype == 'f32' or axis >= 0",
    "length <= 257 or dtype == 'f32' or dtype == 'u8'", "dtype == 'f32' or dtype == 'u8' or sum(size) <= 3",
    "length <= 1025 or rank <= 2 and index_dtype == 'i32' and product(size) == 1 and axis == 0 and dtype == 'f32'",
  },
}

-- Finds wrong addresses of three tensors at once.
op:test "layout" {
  "every combination of the layouts of data and indices with those of the output",
  rank = { 2, 1, 3, 5 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2, 3 },
  in_layout = "*", indices_layout = "*", out_layout = "*", size = { 3, 2 }, count = { 2, 4 }, index = { 0, 1, 2 },
  where = {
    "index[1] == 1 and index[2] == 0 and index[3] == 0 and index[4] == 1",
    "indices_layout == in_layout or indices_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "rank <= 1 or sum(size) == rank * 2 + 1 and size[axis + 1] == 3", "count == 2 or rank == 2", "rank <= 3 or axis == 2",
    "index_dtype == 'i32' or dtype == 'f32'", "rank == 2 or " .. ov.widths,
  },
}

op:test "special" {
  "special values and random bits are copied unchanged",
  rank = { 2, 1, 3, 5 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2, -1 }, fill = { "special", "bits" },
  size = { 3, 4, 6, 8 }, count = { 4, 2 }, index = { 0, 1, 2 },
  where = {
    "rank <= 2 or each(size <= 4) and sum(size) <= rank * 3 + 1", "rank <= 3 or axis == 1", "axis >= 0 or rank <= 2",
    "index[1] == 2 and index[3] == 0 and index[4] == 1 and index[2] <= 1", "index_dtype == 'i32' or rank <= 2",
  },
}

-- Indices far along a long axis. Finds index types that are narrowed, which wrap to the beginning of the axis.
op:test "far" {
  "an index beyond 8 and 15 bits, inside a long axis",
  rank = { 2, 1 }, dtype = "*", index_dtype = "*", axis = { 0, 1 }, long = { 1, 2 }, length = { 65537 },
  stray = { 32768, 65536 }, size = { 1 }, count = { 2 },
  where = { "long == axis + 1", "index_dtype == 'i32' or rank == 1" },
}

-- Finds indices that are cut to 32 bits. All elements share one address, so that little memory is touched; the result shows
-- whether the backend takes the index as inside.
op:test "vast" {
  "an index inside of an axis of 2^32 - 1 elements or more that lie at one address", vast = true,
  rank = { 1 }, dtype = { "u8", "f32" }, index_dtype = "*", long = { 1 }, in_layout = { "broadcast-all" },
  length = { 4294967295, 4294967297, 17179869189, math.maxinteger },
  stray = { 0, 1, 2147483647, 2147483648, 4294967294, 4294967296, math.maxinteger - 1, -1,
            -2147483648, -2147483649, -4294967296, -4294967297, -math.maxinteger },
  size = { 1 }, count = { 2 }, where = { "stray < length and stray >= -length", limits.holds_stray },
}

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in data, indices, the output or all of them", sparse = true, strength = 2,
  rank = { 2, 1, 3, 8 }, axis = { 0, 1, -1, 2 }, dtype = "*", index_dtype = "*", fill = { "bits" },
  in_layout = { "packed", all.far_layouts }, indices_layout = { "packed", all.far_layouts },
  out_layout = { "packed", all.far_layouts }, size = { 3, 1, 2 }, count = { 2, 1, 3 }, index = { 0, 1, 2 },
  where = {
    "in_layout ~= 'packed' or indices_layout ~= 'packed' or out_layout ~= 'packed'",
    "product(size) > 1 and product(size) <= 9 and " .. n .. " > 1", indices .. " > 1 and " .. indices .. " <= 6",
    "rank <= 3 or each(size == pick(at == 2, 3, pick(at == rank, 2, 1)))", "rank <= 3 or axis == 1",
    "index[1] == 1 and index[2] == 0 and index[3] == 1 and index[4] == 0", "rank <= 2 or " .. ov.widths,
  },
}

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
for _, c in ipairs(ov.calls) do
  local class = c[2][1] == "class" -- which changes the last scalar parameter that has several values
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, dtype = { "f32", "u8", "f16", "f64" },
    rank = { 2, 1, 3, 6 }, index_dtype = "*", axis = { 0, 1, -1, 2 }, in_layout = c[4] or { "packed", "padded" },
    size = { 3, 2 }, count = class and { 3 } or { 2, 3 }, index = { 0, 1, 2 },
    where = {
      "index[1] == 1 and index[2] ~= 1 and index[3] == 1 and index[4] == 0", "rank <= 2 or each(size == 3)",
      "rank <= 3 or axis == 2",
    },
  }
end

-- One index is beyond its axis, which the page forbids: the call may fail. If it does not, its element is undefined,
-- nothing outside is read, and the other elements are right.
op:test "out_of_range" {
  "one index beyond the axis: the call fails, or all other elements are right",
  rank = { 2, 1, 3 }, axis = { 0, 1, 2, -1 }, dtype = "*", index_dtype = "*", stray = "*", size = { 3, 1, 5 },
  count = { 2, 3 }, index = { 0, 1 }, in_layout = { "packed", "padded" },
  where = {
    "stray ~= 0", ("stray >= %s or stray < -%s"):format(n, n), limits.holds_stray, n .. " > 1 or index[1] == 0",
    ("index[1] == min(%s - 1, 1) and index[2] == 0 and index[3] == 0 and index[4] == 0"):format(n), indices .. " >= 2",
    "rank <= 2 or sum(size) <= 7 and in_layout == 'packed' and dtype == 'f32'",
    "dtype == 'f32' or dtype == 'u8' or stray == 100 or stray == -1", "in_layout == 'packed' or dtype == 'f32'",
  },
}

shared(op)

-- ---- drawn cases --------------------------------------------------------------------------------------------------

-- Any sizes, index tensors and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
ov.drawn_axes(any, { { "axis", 0 } }, ov.usual, true)
ov.drawn_shapes(any, "rank", "rank")
local words = ov.change_axes(any, { "axis", "sign" })
any:positions("at", "rank")
any:where("axis < rank and axis >= -rank")
any:where(("each(at == %s + 1 or index_size == size)"):format(first)) -- GE6-08
ov.bind_drawn(any, ("size[%s + 1]"):format(first), { axis = "axis" }, ov.usual, true)

-- Everything but the sizes of data and the number of indices along the axis, which counts from 0.
local function draw_sized(r, c, axis, size, count, most, plan)
  local index_size = ov.part(size, 1, #size)
  index_size[axis + 1] = count
  local v = ov.draw(r, c, { n = size[axis + 1], size = size, index_size = index_size, out_size = index_size, cycle = count,
                            plan = plan, negative = true }, most)
  v.axis = r.chance(30) and axis - c.rank or axis
  return v
end

-- As many indices along the axis as data has elements there, fewer, or more; the output has up to `elements`.
local function draw_sizes(r, c, elements)
  local size, axis = r.sizes(c.rank, elements), r.int(0, c.rank - 1)
  local n = size[axis + 1]
  local most = math.max(1, elements // (ov.product(size) // n))
  return axis, size, r.chance(2) and 0 or r.chance(40) and math.min(n, most) or r.about(1, most)
end

-- The sizes that shape(n) draws are those of the output; data has any number of elements along the axis.
local function draw_planned(r, c, shape)
  local size, plan = shape(c.rank)
  local axis = r.int(0, c.rank - 1)
  local count = size[axis + 1]
  if r.chance(60) then size[axis + 1] = r.int(1, math.min(count + 3, 40)) end
  return draw_sized(r, c, axis, size, count, nil, plan)
end

local classes = { "dtype", "rank", "index_dtype" }
local function draw_any(r, c, most, given)
  if not most and not given and r.chance(22) then return draw_planned(r, c, r.tiles) end
  if given then
    local axis, size = r.int(0, c.rank - 1), ov.part(given, 1, #given)
    local count = math.min(size[axis + 1], 66000)
    if count > 40 and r.chance(50) then size[axis + 1] = r.int(1, 40) end
    -- An index takes longer to make than an element.
    if ov.product(size) // size[axis + 1] * count > 400000 then count = 1 end
    return draw_sized(r, c, axis, size, count)
  end
  local axis, size, count = draw_sizes(r, c, most or math.min(r.elements(), 4096))
  return draw_sized(r, c, axis, size, count, most)
end

local function draw_vast(r, c, count, most)
  local axis, size, indices = draw_sizes(r, c, most)
  size[axis + 1] = 1
  local stride = r.strides(size, { dtype = c.dtype, shares = true })
  size[axis + 1], stride[axis + 1] = count, 0
  local v = draw_sized(r, c, axis, size, indices)
  v.in_stride = stride
  return v
end

ov.drawn_tests(any, { title = "any sizes, axes, index tensors and layouts", classes = classes, draw = draw_any,
                      planned = draw_planned, vast = draw_vast, after = words })

local breaks = ov.illegal(any, { classes = classes, draw = draw_any })
local ids = { given = "GE6-01", dims = "GE6-02", type = "GE6-03", index_type = "GE6-04", bytes = "GE6-05" }
ov.drawn_clauses(breaks, ids)
breaks("GE6-06", "outside", "axis is no dimension of data", { axis = "by" }, function(r, v, c)
  v.by = r.chance(50) and r.about(c.rank, math.maxinteger) or r.about(math.mininteger, -c.rank - 1)
end)
breaks("GE6-07", "rank", "indices have another number of dimensions",
       { indices = { DimensionCount = "by", Layout = "0", TotalTensorSizeInBytes = "4611686018427387904" },
         output = { Layout = "0", TotalTensorSizeInBytes = "4611686018427387904" } }, function(r, v, c)
  v.by = r.chance(50) and r.int(0, 16) or r.about(9, 4294967295)
  return v.by ~= c.rank
end)
local wider = { Sizes = "pick(at == broken, index_size + by, index_size)", Layout = "0" }
local function draw_other_size(r, v, size, k)
  if ov.product(size) == 0 then return false end
  v.broken = k
  v.by = size[k] > 1 and r.chance(50) and -r.about(1, size[k] - 1) or r.about(1, 1 << 20)
end
breaks("GE6-08", "size", "a size of indices and output beside the axis is not data's", { indices = wider, output = wider },
       function(r, v, c)
  local axis = v.axis < 0 and v.axis + c.rank or v.axis
  local k = r.int(1, c.rank - 1)
  return draw_other_size(r, v, v.index_size, k <= axis and k or k + 1)
end, { rank = range(2, 8) })
breaks("GE6-09", "size", "a size of the output is not that of the indices", { output = wider },
       function(r, v, c) return draw_other_size(r, v, v.index_size, r.int(1, c.rank)) end)
breaks("GE6-09", "exchanged", "two sizes of the output are exchanged, and it has as many elements", {
  output = { Sizes = "pick(at == broken, index_size[by], pick(at == by, index_size[broken], index_size))", Layout = "0" },
}, function(r, v, c)
  v.broken, v.by = r.int(1, c.rank), r.int(1, c.rank)
  return v.index_size[v.broken] ~= v.index_size[v.by]
end, { rank = range(2, 8) })
ov.one_leading(breaks, "GE6-07", "indices", "index_size", nil)
ov.one_leading(breaks, "GE6-09", "output", "index_size")
breaks("GE6-09", "rank", "the output has another number of dimensions",
       { output = { DimensionCount = "by", Layout = "0", TotalTensorSizeInBytes = "4611686018427387904" } },
       function(r, v, c)
  v.by = r.int(0, 16)
  return v.by ~= c.rank
end)

local holds = ov.legal(any, { classes = classes, draw = draw_any })
holds("GE6-01 GE6-02 GE6-03 GE6-04 GE6-07", nil, "all dimensions that are judged, or one", function(r, v, c)
  local axis, size, count = draw_sizes(r, c, 64)
  return draw_sized(r, c, axis, size, count)
end, { rank = { 1, 8 } })
holds("GE6-05", nil, "strides without effect, and no byte too many", function(r, v, c)
  local w = draw_sized(r, c, r.int(0, c.rank - 1), ov.ones(c.rank), 1)
  w.in_layout, w.indices_layout, w.out_layout = "strides", "strides", "strides"
  w.in_extra, w.indices_extra, w.out_extra = 0, 0, 0
  return w
end)
holds("GE6-06", nil, "the first axis and the last one, counted from both ends", function(r, v, c)
  return draw_sized(r, c, r.pick { 0, c.rank - 1 }, r.sizes(c.rank, 256), r.int(1, 4))
end)
holds("GE6-08 GE6-09", nil, "outputs of up to 2^40 elements", function(r, v, c) end, { asked = true })

-- ---- illegal descriptors ------------------------------------------------------------------------------------------
ov.illegal_tensors(op, ids, {
  axes = { rank = "*" },
  bytes = { rank = "*", size = { 3, 1 }, count = { 3 }, by = { 3, 1 }, where = "each(size == by)" },
})
for k, tensor in ipairs { "data", "indices" } do
  op:invalid(ids.bytes) {
    "strides that wrap: " .. tensor .. " seems to span a single element", name = tensor .. "-wraps", rank = { 2, 8 },
    dtype = "*", size = { 3, 1 }, count = { 3 }, by = { math.mininteger },
    where = "size[1] == 3 and product(size) == 9 and size[rank] == 3 and axis == 0",
    change = { [tensor] = { Strides = "pick(at == 1, by, 0)", TotalTensorSizeInBytes = "65536" } },
  }
end
local vast = { Sizes = ov.changed("by", index_sizes), Strides = "0 * size", TotalTensorSizeInBytes = "65536" }
op:invalid(ids.dims) {
  "a dimension of data has 2^63 elements or more", name = "data-size", rank = "*", dtype = "*", broken = range(1, 8),
  by = { math.mininteger, -1 }, where = ov.within,
  change = { data = { Sizes = ov.changed("by", "size"), Strides = "0 * size", TotalTensorSizeInBytes = "65536" } },
}
op:invalid(ids.dims) {
  "a dimension of indices and output has 2^63 elements or more", name = "indices-size", rank = "*", dtype = "*",
  broken = range(1, 8), by = { math.mininteger, -1 }, where = ov.within,
  change = { indices = vast, output = vast },
}
op:invalid "GE6-01" {
  "data has no shape, and axis and bytes are judged no more", name = "data-alone", rank = "*", dtype = "*",
  change = { data = { Null = null.sizes, TotalTensorSizeInBytes = "0" }, axis = "rank" },
}
op:invalid "GE6-01" {
  "axis is not given", name = "axis", rank = "*", dtype = "*", change = { axis = { Present = "0" } },
}
local far = { 0, 1, 7, 2147483647, 4294967296, math.maxinteger - 100 }
op:invalid "GE6-06" {
  "axis is beyond the last dimension of data", name = "beyond", rank = "*", dtype = "*", index_dtype = "*", by = far,
  change = { axis = "rank + by" },
}
op:invalid "GE6-06" {
  "axis is before the first dimension of data", name = "before", rank = "*", dtype = "*", index_dtype = "*", by = far,
  change = { axis = "-1 - rank - by" },
}
op:invalid "GE6-07" {
  "indices have fewer dimensions than data, or more", rank = "*", dtype = "*", index_dtype = "*", by = { -1, 1, -2, 2, 9 },
  where = "rank + by >= 0",
  change = { indices = { DimensionCount = "rank + by", TotalTensorSizeInBytes = "1048576" } },
}
op:invalid "GE6-08" {
  "a size of the indices beside the axis is not data's", name = "size", rank = range(2, 8),
  dtype = { "f32", "u8", "f16", "f64" }, axis = ov.signed(-8, 7), broken = range(1, 8), by = { 1, -1, 65536, 4294967296 },
  where = { ov.within, ("broken ~= %s + 1"):format(first), "axis == 0 or axis == -1 or by == 1" },
  change = { indices = { Sizes = ov.changed(index_sizes .. " + by", index_sizes) },
             output = { Sizes = ov.changed(index_sizes .. " + by", index_sizes) } },
}
op:invalid "GE6-09" {
  "a size of the output differs", name = "size", rank = "*", dtype = { "f32", "u8", "f16", "f64" },
  axis = ov.signed(-8, 7), broken = range(1, 8), by = { 1, -1, 65536, 4294967296 },
  where = { ov.within, "axis == 0 or axis == -1 or by == 1" },
  change = { output = { Sizes = ov.changed(index_sizes .. " + by", index_sizes) } },
}
op:invalid "GE6-09" {
  "the output has fewer dimensions, or more", name = "rank", rank = "*", dtype = "*", by = { -1, 1, -2, 2 },
  where = "rank + by >= 0",
  change = { output = { DimensionCount = "rank + by", TotalTensorSizeInBytes = "1048576" } },
}
op:invalid "GE6-09" {
  "the output has the shape of data", name = "data", rank = "*", dtype = "*", axis = ov.signed(-8, 7), count = { 1, 2, 4 },
  change = { output = { Sizes = "size" } },
}

-- ---- the page's examples, and the smallest cases of our decisions --------------------------------------------------
local function tensor(shape, data, dtype) return { type = dtype or "f32", shape = shape, data = data } end
local function example(name, note, data, picks, axis, output, more)
  local def = { note = note, data = data, indices = picks, axis = axis, output = output }
  for word, value in pairs(more or {}) do def[word] = value end
  op:example(name)(def)
end
example("1", "Example 1: along the first axis", tensor({ 2, 2 }, { 1, 2, 3, 4 }), tensor({ 2, 2 }, { 0, 1, 0, 0 }, "i32"), 0,
        tensor({ 2, 2 }, { 1, 4, 1, 2 }))
example("2", "Example 2: more indices along the axis than data has elements there", tensor({ 2, 2 }, { 1, 7, 4, 3 }),
        tensor({ 2, 3 }, { 1, 1, 0, 1, 0, 1 }, "i64"), 1, tensor({ 2, 3 }, { 7, 7, 1, 3, 4, 3 }))
example("3", "Example 3: fewer indices along the axis", tensor({ 3, 3 }, range(1, 9)),
        tensor({ 2, 3 }, { 1, 0, 1, 1, 2, 0 }, "i32"), 0, tensor({ 2, 3 }, { 4, 2, 6, 4, 8, 3 }))
local sevens = {}
for i = 0, 149 do sevens[i + 1] = i * 3 % 7 end
example("layer", "the layer of the page", tensor({ 3, 7, 5 }), tensor({ 3, 10, 5 }, sevens, "i32"), 1, tensor({ 3, 10, 5 }))
example("negative-axis", "a negative axis counts from the rank of data (GE6-06)", tensor({ 2, 2 }, { 1, 7, 4, 3 }),
        tensor({ 2, 1 }, { 1, 0 }, "i32"), -1, tensor({ 2, 1 }, { 7, 4 }))
example("axis-beyond", "axis is at most the last dimension", tensor({ 2, 3 }), tensor({ 2, 3 }, nil, "i32"), 2, tensor({ 2, 3 }),
        { invalid = "GE6-06" })
example("axis-before", "axis is not below minus the rank", tensor({ 2, 3 }), tensor({ 2, 3 }, nil, "i32"), -3, tensor({ 2, 3 }),
        { invalid = "GE6-06" })
example("other-rank", "indices have the rank of data", tensor({ 2, 3 }), tensor({ 3 }, nil, "i32"), 0, tensor({ 3 }),
        { invalid = "GE6-07" })
example("fewer-rows", "beside the axis, indices have the sizes of data, where ONNX allows smaller ones (E-GE6-3)",
        tensor({ 3, 3 }), tensor({ 2, 2 }, nil, "i32"), 0, tensor({ 2, 2 }), { invalid = "GE6-08" })
example("flat-output", "the output has the rank of indices", tensor({ 2, 3 }), tensor({ 2, 3 }, nil, "i32"), 0, tensor({ 6 }),
        { invalid = "GE6-09" })
example("no-indices", "no indices: no output", tensor({ 2, 3 }), tensor({ 2, 0 }, {}, "i32"), 1, tensor({ 2, 0 }, {}))
local five = tensor({ 5 }, { 1, 2, 3, 4, 5 })
for _, x in ipairs { { "beyond", 5 }, { "before", -6 }, { "far-beyond", 4294967298, "i64" } } do
  example("index-" .. x[1], "an index outside of the axis: the call fails, or its element is undefined (GE6-12)", five,
          tensor({ 2 }, { 3, x[2] }, x[3] or "i32"), 0, tensor({ 2 }, { 4, 0 }), { ambiguous = "E-GE6-1" })
end
for _, dtype in ipairs(ov.usual) do
  example("negative-" .. dtype, "negative indices count from the end of the axis (GE6-14, E-GE6-5)", five,
          tensor({ 4 }, { -1, 0, -5, -2 }, dtype), 0, tensor({ 4 }, { 5, 1, 1, 4 }))
end
example("negative-rows", "they count from the end of the axis, not of data", tensor({ 3, 2 }, range(1, 6)),
        tensor({ 2, 2 }, { -1, -3, -2, 2 }, "i32"), 0, tensor({ 2, 2 }, { 5, 2, 3, 6 }))
example("index-of-none", "an axis without elements: every index is outside of it", tensor({ 0 }, {}), tensor({ 2 }, { 0, 0 }, "i32"),
        0, tensor({ 2 }, { 0, 0 }), { ambiguous = "E-GE6-1" })
