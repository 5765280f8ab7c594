-- SPDX-License-Identifier: Apache-2.0
-- DML_GATHER_ELEMENTS: the inputs, axes and index tensors of its cases. docs/cases.md describes the language.
local op = operator "dml.gather_elements"
local index = shared().index -- what operators with a tensor of indices share

-- ---- axes: the first value is the default -------------------------------------------------------------------------
-- Input and indices have `own` dimensions; leading ones pad them to `rank`, as frameworks that call this operator do.
op:axis("rank", "DimensionCount of all tensors") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("own", "dimensions of all tensors without the leading ones that pad them to rank") { 2, 1, 3, 4, 5, 6, 7, 8 }
index.axes_of_types(op)
op:axis("axis", "Axis, from the first own dimension") { 0, 1, 2, 3, 4, 5, 6, 7 }
index.axes_of_memory(op)
op:axis("many", "1: IndicesTensor is `length` long along the axis") { 0, 1 }
index.axes_of_values(op)
op:axis("size", "Sizes of InputTensor without leading ones, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 5, 6, 8, per = "own" }
op:axis("count", "size of IndicesTensor along the axis, unless it is `length`") { 2, 1, 3, 4, 5, 6, 8 }
op:axis("index", "the first four indices; the others follow from them") { 0, 1, 2, 3, 4, 7, per = 4 }
op:positions("at", "own")

-- Elements of the axis, whether an index stays inside it, and elements of IndicesTensor without long dimensions.
local n = "(long == axis + 1 and length or size[axis + 1])"
local indices = "(product(size) // size[axis + 1] * count)"

op:where("own <= rank")
op:where("axis < own")                                                         -- GE-05
op:where("long <= own")
op:where("sign == 0 or index_dtype == 'i32' or index_dtype == 'i64'")          -- GE-09

op:bind {
  InputTensor   = { DataType = "dtype", Sizes = "pick(at == long, length, size)", Rank = "rank", Layout = "in_layout",
                    Fill = "fill", Extra = "extra", Alignment = "alignment" },
  IndicesTensor = { DataType = "index_dtype",
                    Sizes = "pick(at == axis + 1, many == 1 and length or count, pick(at == long, length, size))",
                    Rank = "rank", Layout = "indices_layout", Alignment = "alignment",
                    Data = index.data(n) },
  OutputTensor  = { Layout = "out_layout", Extra = "extra", Alignment = "alignment" },
  Axis = "rank - own + axis",
}

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds faults in the coordinates before and behind the axis, in negative indices, and in sizes along the axis that
-- differ between input and indices.
op:test "exhaustive" {
  "every index tensor of up to four indices over every small input",
  rank = { 4, 1, 2, 3, 5 }, own = { 2, 1, 3 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, sign = "*",
  size = { 3, 1, 2 }, count = { 2, 1, 3, 4 }, index = { 0, 1, 2 },
  where = index.few(indices, n, {
    "rank == 4 or rank <= 3 and rank == own or rank == 5 and own == 2",
    "sign < 2 or own <= 2",
    "own <= 2 or sum(size) <= 6",
    "dtype == 'f32' or dtype == 'u8' or product(size) <= 6 and sign < 2",
    "dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'u64' or index_dtype == 'u32' or sum(index) <= 2",
  }),
}

op:test "pairwise" {
  "every pair of values of all parameters",
  vary = "*", strength = 2, own = { 2, 1, 3, 4, 8 }, length = { 64 }, long = { 0 }, many = { 0 }, stray = { 0 },
  where = { "own <= 3 or each(size <= 4)", "own <= 4 or each(size <= 3)", "own <= 6 or each(size <= 2)" },
}

-- Long axes, long rows behind the axis, many indices. Finds faults of vector tails and grids, and 16-bit offsets.
op:test "boundary" {
  "one long dimension of the input or the indices about each power of two",
  rank = { 4, 1, 2, 5, 8 }, own = { 2, 1, 3 }, dtype = "*", index_dtype = { "u32", "i64" }, axis = { 0, 1, 2 },
  length = index.lengths, long = { 0, 1, 2, 3 }, many = { 0, 1 }, sign = { 0, 2 }, size = { 1, 2 }, count = { 2, 1 },
  index = { 0, 1, 2, 7 },
  where = {
    "long ~= 0 and many == 0 or long == 0 and many == 1",
    "each(at ~= long or size == 1)", "many == 0 or count == 1",
    "index[1] == 1 and index[2] == 7 and index[3] == 0 and index[4] == 2",
    "rank == 4 or rank >= 5 and own == 3 or rank <= 2 and own == rank",
    "index_dtype == 'u32' or dtype == 'f32' or dtype == 'u8'", "rank == 4 or sign == 0",
    "own <= 2 or each(size == 1)", "product(size) <= 4",
    "length <= 257 or dtype == 'f32' or dtype == 'u8'",
    "length <= 1025 or sign == 0 and rank <= 2 and index_dtype == 'u32' and product(size) == 1 and axis == 0",
    "length <= 65537 or dtype == 'f32'", "length <= 262144 or rank == 2 and long ~= 2 and count == 1",
  },
}

-- Finds wrong addresses of three tensors at once.
op:test "layout" {
  "every combination of the layouts of input and indices with those of the output",
  rank = "*", own = { 2, 1, 3, 4 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2, 3 },
  in_layout = "*", indices_layout = "*", out_layout = "*", size = { 3, 2 }, count = { 2, 4 }, index = { 0, 1, 2 },
  where = {
    "index[1] == 1 and index[2] == 0 and index[3] == 0 and index[4] == 1",
    "rank == own or rank == 4 or rank >= 5 and own == 3",
    "indices_layout == in_layout or indices_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "own <= 1 or sum(size) == own * 2 + 1 and size[axis + 1] == 3",
    "count == 2 or own == 2",
    "rank <= 4 or dtype == 'f32' or dtype == 'u8'",
    "rank == 4 or index_dtype == 'u32' or dtype == 'f32'",
  },
}

op:test "special" {
  "special values and random bits are copied unchanged",
  rank = { 4, 1, 2, 3, 5, 8 }, own = { 2, 1, 3 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, sign = { 0, 1 },
  fill = { "special", "bits" }, size = { 3, 4, 6, 8 }, count = { 4, 2 }, index = { 0, 1, 2 },
  where = {
    "own <= 2 or each(size <= 4)", "rank <= 4 or own == 2",
    "index[1] == 2 and index[3] == 0 and index[4] == 1 and index[2] <= 1",
  },
}

-- Indices far along a long axis. Finds index types that are narrowed, which wrap to the beginning of the axis.
op:test "far" {
  "an index beyond 8 and 15 bits, inside a long axis",
  rank = { 4, 1, 2 }, own = { 2, 1 }, dtype = "*", index_dtype = "*", axis = { 0, 1 }, long = { 1, 2 },
  length = { 65537 }, stray = { 32768, 65536 }, size = { 2 }, count = { 2 },
  where = { "long == axis + 1", index.widths },
}

index.vast_tests(op, { axis = { 0 }, count = { 2 } })

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
for _, c in ipairs(index.calls) do
  local class = c[2][1] == "class" -- which changes the last scalar parameter that has several values
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, dtype = { "f32", "u8", "f16", "f64" },
    rank = { 4, 1, 2, 3, 8 }, own = { 2, 1, 3 }, index_dtype = { "u32", "i64" }, axis = { 0, 1, 2 },
    in_layout = c[4] or { "packed", "padded" }, size = { 3, 2 }, count = class and { 3 } or { 2, 3 },
    index = { 0, 1, 2 },
    where = {
      "index[1] == 1 and index[2] ~= 1 and index[3] == 1 and index[4] == 0",
      "own <= 2 or each(size == 3) and count == " .. (class and 3 or 2),
      "rank == 4 or rank == own or rank == 8 and own == 2",
    },
  }
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in the input, the indices, the output or all of them", sparse = true, strength = 2,
  rank = { 4, 1, 2, 3, 8 }, own = { 2, 1, 3 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, fill = { "bits" },
  in_layout = { "packed", "far-bytes", "far-elements", "far-inner" }, sign = { 0, 2 },
  indices_layout = { "packed", "far-bytes", "far-elements" }, out_layout = { "packed", "far-bytes", "far-elements" },
  size = { 3, 1, 2 }, count = { 3, 2 }, index = { 0, 1, 2 },
  where = {
    "product(size) > 1 and product(size) <= 9 and size[axis + 1] > 1",
    "product(size) // size[axis + 1] <= 2 or out_layout == 'packed' and indices_layout == 'packed'", -- BUF-11
    "own == 1 or size[1] * own <= 4 or in_layout == 'packed' or count == 2",
    "dtype ~= 'u8' and dtype ~= 'i8' or in_layout ~= 'far-bytes' and out_layout ~= 'far-bytes'", -- as far-elements
    "in_layout ~= 'packed' or indices_layout ~= 'packed' or out_layout ~= 'packed'",
    "index[1] == size[axis + 1] - 1 and index[2] == 0 and index[3] == 1 and index[4] == 0",
    "rank == own or rank == 4 or rank == 8 and own == 2",
    "dtype == 'f32' or dtype == 'u8' or index_dtype == 'u32' and own <= 2",
  },
}

index.out_of_range(op, n, { axis = { 0, 1, 2 }, count = { 2, 3 }, where = "rank == own or rank == 4" }) -- GE-10

local dml = shared(op)

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, index tensors and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
local attributes = { { "axis", 0, "Axis" } }
index.drawn_axes(any, attributes)
local words = index.words(attributes)
dml.change_axes(any, words)
any:where("axis >= 0 and axis < rank")             -- GE-05
any:where("product(size) <= 4294967295")           -- BUF-11
any:where("product(index_size) <= 4294967295")
any:where("each(at == axis + 1 or index_size == size)") -- GE-06
index.bind_drawn(any, "size[axis + 1]", { Axis = "axis" })

-- Everything but the sizes of the input and of the indices.
local function draw_indices(r, c, axis, size, count, most, plan)
  local index_size = table.move(size, 1, #size, 1, {})
  index_size[axis + 1] = count
  local v = index.draw(r, c, { n = size[axis + 1], size = size, index_size = index_size, out_size = index_size,
                               cycle = count, count = dml.product(index_size), plan = plan }, most)
  v.axis = axis
  return v
end

-- As many indices along the axis as the input has elements there, fewer, or more; the output has up to `elements`.
local function draw_sizes(r, c, elements)
  local size, axis = r.sizes(c.rank, elements), r.int(0, c.rank - 1)
  local n = size[axis + 1]
  local most = math.max(1, elements // (dml.product(size) // n))
  return axis, size, r.chance(40) and math.min(n, most) or r.about(1, most)
end

-- The sizes that shape(n) draws are those of the output; the input has any number of elements along the axis.
local function draw_planned(r, c, shape)
  local size, plan = shape(c.rank)
  local axis = r.int(0, c.rank - 1)
  local count = size[axis + 1]
  if r.chance(60) then size[axis + 1] = r.int(1, math.min(count + 3, 40)) end
  return draw_indices(r, c, axis, size, count, nil, plan)
end

local classes = { "dtype", "rank", "index_dtype" }
local function draw_any(r, c, most, given)
  if not most and not given and r.chance(dml.planned) then return draw_planned(r, c, r.tiles) end
  if given then
    local axis = r.int(0, c.rank - 1)
    local size = table.move(given, 1, #given, 1, {})
    local count = size[axis + 1]
    if count > 40 and r.chance(50) then size[axis + 1] = r.int(1, 40) end
    return draw_indices(r, c, axis, size, count)
  end
  local axis, size, count = draw_sizes(r, c, most or r.elements())
  return draw_indices(r, c, axis, size, count, most)
end

any:test "drawn" {
  "any sizes, axes, index tensors and layouts", each = classes, dtype = "*", rank = "*", index_dtype = "*",
  cases = { quick = 600, full = 8000, exhaustive = 1000000 }, draw = draw_any,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", rank = "*",
  index_dtype = "*", cases = { quick = 240, full = 1500, exhaustive = 100000 }, draw = dml.after(draw_any, draw_planned, words),
}

-- Two dimensions beside the axis that are one in all tensors but one, where a stride agrees with that in the lowest 32 bits
-- of its bytes, or the rows have a pitch. Finds loops that are merged because of a wrong product, or of a comparison in 32
-- bits.
local widths = { u16 = 2, i16 = 2, f16 = 2, u32 = 4, i32 = 4, f32 = 4, u64 = 8, i64 = 8, f64 = 8 }
local function draw_alike(r, c)
  local outer, n = r.int(1, c.rank - 2), r.int(1, 5)
  local axis, size = outer > 1 and r.chance(50) and outer - 2 or outer + 1, {}
  for k = 1, c.rank do size[k] = (k == outer or k == outer + 1) and 2 or 1 end
  size[axis + 1] = n
  local v = draw_indices(r, c, axis, size, n)
  local one = r.pick { "in", "indices", "out" }
  local width = widths[one == "indices" and c.index_dtype or c.dtype]
  for _, tensor in ipairs { "in", "indices", "out" } do
    local strides = v[tensor .. "_stride"]
    for k = c.rank, 1, -1 do strides[k] = k == c.rank and 1 or size[k + 1] * strides[k + 1] end
    v[tensor .. "_layout"] = "strides"
  end
  local strides = v[one .. "_stride"]
  if not width then -- of one byte, no stride is so long: rows with a pitch
    strides[outer] = strides[outer] + 1
    for k = outer - 1, 1, -1 do strides[k] = size[k + 1] * strides[k + 1] end
  elseif r.chance(50) then
    strides[outer] = strides[outer] + 4294967296 // width
  else -- the product of the inner dimension goes beyond
    strides[outer + 1] = 2147483648 // width + strides[outer + 1]
  end
  v.fill = "bits"
  return v
end

any:test "drawn_sparse" {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", rank = "*", index_dtype = "*",
  cases = { quick = 40, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    if r.chance(4) then
      local v = index.far_rows(r, c, draw_indices, { "in", "indices", "out" })
      v.fill = "bits"
      return v
    end
    if c.rank > 2 and r.chance(6) then return draw_alike(r, c) end
    local axis, size, count = draw_sizes(r, c, 16)
    local v = draw_indices(r, c, axis, size, count)
    v.fill, v.in_stride, v.out_stride = "bits", r.strides(size, {}), r.strides(v.index_size, {})
    v.indices_stride = r.strides(v.index_size, {})
    return dml.spread(r, v, { "in", size, "out", v.index_size, "indices", v.index_size }) and v or nil
  end,
}

-- The limits of the tensors are in shared.lua. Finds wrong refusals of what few descriptors have, and wrong acceptance.
local tensors = {
  InputTensor = { key = "in", sizes = "size", strides = "in_stride", alignment = "alignment" },
  IndicesTensor = { key = "indices", sizes = "index_size", strides = "indices_stride", alignment = "alignment",
                    dtype = "index_dtype" },
  OutputTensor = { key = "out", sizes = "index_size", strides = "out_stride", alignment = "alignment", output = true },
}
local breaks = dml.illegal(any, { each = classes, draw = draw_any })
local holds = dml.legal(any, { each = classes, draw = draw_any })
local ids = { null = "GE-01", rank = "GE-02", type = "GE-03", indices = "GE-04", axis = "GE-05" }
index.drawn_clauses(breaks, holds, tensors, ids)

-- A dimension beside the axis, or nil.
local function draw_beside(r, v, c)
  if c.rank == 1 then return nil end
  local k = r.int(1, c.rank - 1)
  return k <= v.axis and k or k + 1
end

-- Change a size by what keeps the tensor within 2^32 - 1 elements, and above 0: v.broken and v.by. False: neither is
-- possible.
local function draw_other_size(r, v, sizes, k)
  v.broken = k
  local n = sizes[k]
  local most = 4294967295 // (dml.product(sizes) // n) - n
  if most < 1 and n < 2 then return false end
  v.by = (most < 1 or n > 1 and r.chance(50)) and -r.about(1, n - 1) or r.about(1, most)
end
local wider = { Sizes = "pick(at == broken, index_size + by, index_size)", Layout = "0" }
breaks("GE-06", "size", "a size of indices and output beside the axis is not the input's",
       { IndicesTensor = wider, OutputTensor = wider }, function(r, v, c)
  local k = draw_beside(r, v, c)
  if not k then return false end
  return draw_other_size(r, v, v.index_size, k)
end, { rank = range(2, 8) })
breaks("GE-07", "size", "a size of the output is not that of the indices", { OutputTensor = wider }, function(r, v, c)
  return draw_other_size(r, v, v.index_size, r.int(1, c.rank))
end)
breaks("GE-07", "count", "two sizes of the output are exchanged, and it has as many elements", {
  OutputTensor = { Sizes = "pick(at == broken, index_size[which], pick(at == which, index_size[broken], index_size))",
                   Layout = "0" },
}, function(r, v, c)
  v.broken, v.which = r.int(1, c.rank), r.int(1, c.rank)
  return v.index_size[v.broken] ~= v.index_size[v.which]
end, { rank = range(2, 8) })

holds("GE-05", nil, "the last axis", function(r, v, c) if v.axis ~= c.rank - 1 then return false end end)
holds("GE-06 BUF-11 BUF-21", nil, "up to 2^32 - 1 indices along an axis of any size", function(r, v, c)
  local size, axis = r.sizes(c.rank, 256), r.int(0, c.rank - 1)
  local most = dml.most_elements(c.dtype) // (dml.product(size) // size[axis + 1])
  local w = draw_indices(r, c, axis, size, r.about(1, most))
  w.in_layout, w.indices_layout, w.out_layout = "packed", "packed", "packed"
  return w
end, { asked = true })
holds("BUF-01 BUF-02 BUF-05 BUF-06 GE-01 GE-02 GE-03 GE-04 GE-07", nil, "sizes of 1, and strides without effect",
      function(r, v, c)
  local size = {}
  for k = 1, c.rank do size[k] = 1 end
  local w = draw_indices(r, c, c.rank - 1, size, 1)
  w.in_layout, w.indices_layout, w.out_layout = "strides", "strides", "strides"
  return w
end)

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
index.count_tests(any, {
  each = classes, draw = draw_any, planned = draw_planned, quick = { counts = 0, grids = 1 }, -- the first is large
  full = { counts = 20, grids = 40, tall = 2, large = 2 }, -- the second large one is dense
})

any:test "drawn_ends" {
  "indices where 7, 8, 15 and 16 bits end, and at the end of an axis that is longer", each = classes, dtype = "*",
  rank = "*", index_dtype = "*", cases = { quick = 4, full = 60, exhaustive = 20000 },
  draw = function(r, c)
    local axis, size = draw_sizes(r, c, 4)
    local n = index.long(r)
    size[axis + 1] = n
    return index.at_end(r, draw_indices(r, c, axis, size, r.int(1, 40)), n)
  end,
}

-- A few indices along an axis of `length` elements, which has few neighbours.
index.far_tests(any, {
  each = classes, long = function(r, c, length)
    local axis, size = draw_sizes(r, c, 4)
    size[axis + 1] = 1
    size[axis + 1] = length(dml.product(size))
    return draw_indices(r, c, axis, size, r.int(1, 8))
  end,
})

any:test "drawn_vast" {
  "indices along an axis of up to 2^32 - 1 elements that share one address", vast = true, each = classes, dtype = "*",
  rank = "*", index_dtype = "*", cases = { quick = 100, full = 2000, exhaustive = 100000 },
  draw = function(r, c)
    local axis, size, count = draw_sizes(r, c, 256)
    size[axis + 1] = 1
    local strides, others = r.strides(size, { dtype = c.dtype, shares = true }), dml.product(size)
    size[axis + 1] = r.about(2097152, (c.index_dtype == "i32" and 2147483647 or 4294967295) // others)
    strides[axis + 1] = 0
    local v = draw_indices(r, c, axis, size, count)
    v.in_layout, v.in_stride = "strides", strides
    return v
  end,
}

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
local inside, changed, width = dml.inside, dml.changed, dml.width

op:beyond { "descriptors of a higher feature level", rank = "*", own = { 1, 2 }, dtype = "*", index_dtype = "*" }

local result = "pick(at == axis + 1, count, size)"
local plain = "own == rank and axis == rank - 1"
local shapes = { rank = "*", own = range(1, 8), axis = range(0, 7), dtype = "*", count = { 3 } }
dml.buffer("InputTensor", "in", { sizes = "size", bytes = width, axes = shapes, where = plain })
dml.buffer("OutputTensor", "out", { sizes = result, bytes = width, axes = shapes, where = plain, output = true })
dml.buffer("IndicesTensor", "indices", {
  sizes = result, bytes = index.width, where = plain,
  axes = { rank = "*", own = range(1, 8), axis = range(0, 7), dtype = { "f32", "u8", "f64" }, index_dtype = "*",
           count = { 3 } },
})

index.illegal(op, ids, function()
  dml.too_many {
    "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = "*", own = { 2, 3, 8 },
    dtype = "*", by = { 65536, 131071, 4294967295 }, where = "own == rank",
    change = { InputTensor = { Sizes = "by + 0 * size" }, IndicesTensor = { Sizes = "by + 0 * size" },
               OutputTensor = { Sizes = "by + 0 * size" } },
  }
end)
op:invalid "GE-01" {
  "Axis is not stated", name = "Axis", rank = "*", own = { 1, 2 }, dtype = "*", change = { Axis = { Present = "0" } },
}
op:invalid "GE-05" {
  "Axis is beyond the last dimension", rank = "*", own = { 1, 2 }, dtype = "*", index_dtype = "*",
  by = { 0, 1, 7, 2147483647, 4294967280 }, change = { Axis = "rank + by" },
}
op:invalid "GE-06" {
  "a size of the indices beside the axis is not the input's", name = "size", rank = range(2, 8), own = range(2, 8),
  dtype = "*", axis = range(0, 7), broken = range(1, 8), by = { 1, -1, 65536 },
  where = { "own == rank", inside, "broken ~= axis + 1", "axis == 0 or axis == rank - 1 or by == 1" },
  change = { IndicesTensor = { Sizes = changed(result .. " + by", result) },
             OutputTensor = { Sizes = changed(result .. " + by", result) } },
}
op:invalid "GE-07" {
  "a size of the output differs from that of the indices", name = "size", rank = "*", own = range(1, 8), dtype = "*",
  axis = range(0, 7), broken = range(1, 8), by = { 1, -1, 65536 },
  where = { "own == rank", inside, "axis == 0 or axis == rank - 1 or by == 1" },
  change = { OutputTensor = { Sizes = changed(result .. " + by", result) } },
}
op:invalid "GE-07" {
  "the output has the sizes of the input, not those of the indices", name = "input", rank = "*", own = range(1, 8),
  dtype = "*", axis = range(0, 7), count = { 2, 4 }, where = "own == rank",
  change = { OutputTensor = { Sizes = "size" } },
}

-- ---- the page's example, and the smallest cases of our decisions --------------------------------------------------
local square = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }
local picked = { 4, 8, 3, 7, 2, 3 }
op:example "1" {
  note = "the page's example, with an output of the input's type (E-GE-1)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 }, data = square },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 3 }, data = { 1, 2, 0, 2, 0, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, data = picked }, Axis = 0,
}
op:example "1-4d" {
  note = "the page's example, with leading ones to 4 dimensions, as feature level 2_1 requires",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 3 }, data = square },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 2, 3 }, data = { 1, 2, 0, 2, 0, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 3 }, data = picked }, Axis = 2,
}
op:example "1-as-printed" {
  note = "the page's example as printed: the output's type is not the input's (E-GE-1)", invalid = "GE-03",
  ambiguous = "E-GE-1", own_types = true,
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 3 } },
  OutputTensor = { DataType = "UINT32", Sizes = { 2, 3 } }, Axis = 0,
}
op:example "more-indices" {
  note = "more indices along the axis than the input has elements there (E-GE-4)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 2 }, data = { 1, 2, 3, 4 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 5 }, data = { 0, 1, 1, 0, 1, 1, 0, 0, 1, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 5 }, data = { 1, 2, 2, 1, 2, 4, 3, 3, 4, 3 } }, Axis = 1,
}
op:example "negative" {
  note = "-1 is the last element of the axis, for signed types (GE-09)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 4 }, data = { 11, 12, 13, 14 } },
  IndicesTensor = { DataType = "INT32", Sizes = { 3 }, data = { -1, -4, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 3 }, data = { 14, 11, 11 } }, Axis = 0,
}
op:example "out-of-range" {
  note = "an index beyond the axis: no fault, and the element is undefined (GE-10)", ambiguous = "E-GE-2",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 2, 2 }, data = { 5, 7, 4294967295, 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 } }, Axis = 2,
}
op:example "out-of-range-64" {
  note = "indices beyond the axis that are no 64-bit numbers with a sign: no fault", ambiguous = "E-GE-2",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT64", Sizes = { 1, 1, 2, 2 }, data = { "9223372036854775808", "18446744073709551615", 1, 2 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 } }, Axis = 2,
}
op:example "other-size" {
  note = "beside the axis the indices have the input's sizes", invalid = "GE-06",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 2, 2 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 2 } }, Axis = 0,
}
op:example "axis-too-large" {
  note = "Axis is below the dimension count", invalid = "GE-05",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 3, 3 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } }, Axis = 2,
}
