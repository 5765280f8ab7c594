-- SPDX-License-Identifier: Apache-2.0
-- DML_GATHER: the inputs, axes and index tensors of its cases. docs/cases.md describes the language.
local op = operator "dml.gather"
local index = shared().index -- what operators with a tensor of indices share

-- ---- axes: the first value is the default -------------------------------------------------------------------------
-- The input has `own` dimensions, the indices have `index_dims`; leading ones pad both to `rank`, as frameworks that call
-- this operator do.
op:axis("rank", "DimensionCount of all tensors") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("own", "dimensions of InputTensor without the leading ones that pad it to rank") { 2, 1, 3, 4, 5, 6, 7, 8 }
op:axis("index_dims", "IndexDimensions: the dimensions of IndicesTensor without leading ones")
  { 1, 0, 2, 3, 4, 5, 6, 7, 8 }
index.axes_of_types(op)
op:axis("axis", "Axis, from the first own dimension; -1: the leading one before it") { 0, 1, 2, 3, 4, 5, 6, 7, -1 }
index.axes_of_memory(op)
op:axis("many", "the dimension of IndicesTensor that is `length` long, from 1; 0: none") { 0, 1, 2, 3 }
index.axes_of_values(op)
op:axis("size", "Sizes of InputTensor without leading ones, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 5, 6, 8, per = "own" }
op:axis("index_size", "Sizes of IndicesTensor without leading ones, except of the dimension that is `length` long")
  { 2, 1, 3, 4, 5, 6, 8, per = "index_dims" }
op:axis("index", "the first four indices; the others follow from them") { 0, 1, 2, 3, 4, 7, per = 4 }
op:positions("at", "own")
op:positions("index_at", "index_dims")

-- Elements of the dimension that is gathered along, and whether an index stays inside it.
local n = "(axis < 0 and 1 or long == axis + 1 and length or size[axis + 1])"

op:where("own <= rank and index_dims <= rank")                                 -- GA-06
op:where("own + index_dims - 1 <= 8")
op:where("axis < own and axis >= own - rank")                                  -- GA-05
op:where("index_dims <= 1 or index_dims - 1 <= rank - own + min(axis, 0)")     -- GA-08
op:where("long <= own and many <= index_dims")
op:where("sign == 0 or index_dtype == 'i32' or index_dtype == 'i64'")          -- GA-11

op:bind {
  InputTensor   = { DataType = "dtype", Sizes = "pick(at == long, length, size)", Rank = "rank", Layout = "in_layout",
                    Fill = "fill", Extra = "extra", Alignment = "alignment" },
  IndicesTensor = { DataType = "index_dtype", Sizes = "pick(index_at == many, length, index_size)", Rank = "rank",
                    Layout = "indices_layout", Alignment = "alignment",
                    Data = index.data(n) },
  OutputTensor  = { Layout = "out_layout", Extra = "extra", Alignment = "alignment" },
  Axis = "rank - own + axis",
  IndexDimensions = "index_dims",
}

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds faults in the coordinates before, inside and behind the indices, in cropped leading ones and negative indices.
-- Every index tensor of up to four elements over every small input, at every axis.
op:test "exhaustive" {
  "every index tensor of up to four indices over every small input",
  rank = { 4, 1, 2, 3, 5 }, own = { 2, 1, 3 }, index_dims = { 1, 0, 2, 3 }, dtype = "*", index_dtype = "*",
  axis = { 0, 1, 2, -1 }, sign = "*", size = { 3, 1, 2 }, index_size = { 2, 1, 3 }, index = { 0, 1, 2 },
  where = index.few("product(index_size)", n, {
    "rank == 4 or rank <= 3 and rank == own + max(index_dims, 1) - 1 or rank == 5 and own == 2 and index_dims == 3",
    "sign < 2 or index_dims <= 1",
    "product(index_size) <= 2 or product(size) <= 6",
    "own <= 2 or sum(size) <= 6 and product(size) <= 6 and product(index_size) <= 2",
    "dtype == 'f32' or dtype == 'u8' or product(size) <= 6 and product(index_size) <= 3 and sign < 2",
    "dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'u64' or index_dtype == 'u32' or sum(index) <= 2",
  }),
}

op:test "pairwise" {
  "every pair of values of all parameters",
  vary = "*", strength = 2, own = { 2, 1, 3, 4, 8 }, index_dims = { 1, 0, 2, 3, 5 }, length = { 64 }, long = { 0 },
  many = { 0 }, stray = { 0 },
  where = { "own <= 3 or each(size <= 4)", "own <= 4 or each(size <= 3)", "own <= 6 or each(size <= 2)",
            "index_dims <= 3 or each(index_size <= 2)" },
}

-- Long axes, long rows behind the axis, many indices. Finds faults of vector tails and grids, and 16-bit offsets.
op:test "boundary" {
  "one long dimension of the input or the indices about each power of two",
  rank = { 4, 1, 2, 5, 8 }, own = { 2, 1, 3 }, index_dims = { 1, 0, 2 }, dtype = "*", index_dtype = { "u32", "i64" },
  axis = { 0, 1, 2 }, length = index.lengths, long = { 0, 1, 2, 3 }, many = { 0, 1, 2 }, sign = { 0, 2 }, size = { 1, 2 },
  index_size = { 2, 1 }, index = { 0, 1, 2, 7 },
  where = {
    "long ~= 0 and many == 0 or long == 0 and many ~= 0",
    "each(at ~= long or size == 1)", "each(index_at ~= many or index_size == 1)",
    "index[1] == 1 and index[2] == 7 and index[3] == 0 and index[4] == 2",
    "rank == 4 or rank >= 5 and own == 3 or rank <= 2 and own == rank and index_dims == 1",
    "index_dtype == 'u32' or dtype == 'f32' or dtype == 'u8'", "rank == 4 or sign == 0",
    "own <= 2 or each(size == 1)", "product(index_size) * product(size) <= 4",
    "length <= 257 or dtype == 'f32' or dtype == 'u8'",
    "length <= 1025 or sign == 0 and rank <= 2 and index_dtype == 'u32' and product(size) == 1 and axis == 0",
    "length <= 65537 or dtype == 'f32'", "length <= 262144 or rank == 2 and long ~= 2 and each(index_size == 1)",
    
  },
}

-- Finds wrong addresses of three tensors at once.
op:test "layout" {
  "every combination of the layouts of input and indices with those of the output",
  rank = "*", own = { 2, 1, 3, 4 }, index_dims = { 1, 2, 0 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2, 3 },
  in_layout = "*", indices_layout = "*", out_layout = "*", size = { 3, 2 }, index_size = { 2, 3 },
  index = { 0, 1, 2 },
  where = {
    "index[1] == 1 and index[2] == 0 and index[3] == 0 and index[4] == 1",
    "rank == own + max(index_dims, 1) - 1 or rank == 4 or rank >= 5 and own == 3 and index_dims == 2",
    "indices_layout == in_layout or indices_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "own <= 1 or sum(size) == own * 2 + 1 and size[axis + 1] == 3", "index_dims <= 1 or sum(index_size) == index_dims * 2 + 1",
    "index_dims ~= 1 or each(index_size == 3)",
    "rank <= 4 or dtype == 'f32' or dtype == 'u8'",
    "rank == 4 or index_dtype == 'u32' or dtype == 'f32'",
  },
}

op:test "special" {
  "special values and random bits are copied unchanged",
  rank = { 4, 1, 2, 3, 5, 8 }, own = { 2, 1, 3 }, index_dims = { 1, 0, 2 }, dtype = "*", index_dtype = "*",
  axis = { 0, 1, 2 }, sign = { 0, 1 }, fill = { "special", "bits" }, size = { 3, 4, 6, 8 }, index_size = { 4, 2 },
  index = { 0, 1, 2 },
  where = {
    "own <= 2 or each(size <= 4)", "rank <= 4 or own == 2",
    "index[1] == 2 and index[3] == 0 and index[4] == 1 and index[2] <= 1",
  },
}

-- Indices far along a long axis. Finds index types that are narrowed, which wrap to the beginning of the axis.
op:test "far" {
  "an index beyond 8 and 15 bits, inside a long axis",
  rank = { 4, 1, 2 }, own = { 2, 1 }, dtype = "*", index_dtype = "*", axis = { 0, 1 }, long = { 1, 2 },
  length = { 65537 }, stray = { 32768, 65536 }, size = { 2 }, index_size = { 2 },
  where = { "long == axis + 1", index.widths },
}

index.vast_tests(op, { axis = { 0 }, index_size = { 2 } })

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
for _, c in ipairs(index.calls) do
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, dtype = { "f32", "u8", "f16", "f64" },
    rank = { 4, 1, 2, 3, 8 }, own = { 2, 1, 3 }, index_dims = { 1, 0, 2 }, index_dtype = { "u32", "i64" }, axis = { 0, 1, 2 },
    in_layout = c[4] or { "packed", "padded" }, size = { 3, 2 }, index_size = { 2, 3 }, index = { 0, 1, 2 },
    where = {
      "index[1] == 1 and index[2] ~= 1 and index[3] == 1 and index[4] == 0",
      "own <= 2 or each(size == 3) and each(index_size == 2)",
      "rank == 4 or rank == own + max(index_dims, 1) - 1 or rank == 8 and own == 2",
    },
  }
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in the input, the indices, the output or all of them", sparse = true, strength = 2,
  rank = { 4, 1, 2, 3, 8 }, own = { 2, 1, 3 }, index_dims = { 1, 2 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 },
  fill = { "bits" }, in_layout = { "packed", "far-bytes", "far-elements", "far-inner" }, sign = { 0, 2 },
  indices_layout = { "packed", "far-bytes", "far-elements" },
  out_layout = { "packed", "far-bytes", "far-elements" }, size = { 3, 1, 2 }, index_size = { 3, 2 }, index = { 0, 1, 2 },
  where = {
    "product(size) > 1 and product(size) <= 9 and size[axis + 1] > 1", -- BUF-11: 2^32 - 1 elements are the most,
    "own + index_dims <= 2 or product(size) // size[axis + 1] <= 2 and product(index_size) <= 3 or out_layout == 'packed'",
    "index_dims == 1 or index_size[1] == 2 and size[1] * own <= 4",
    "dtype ~= 'u8' and dtype ~= 'i8' or in_layout ~= 'far-bytes' and out_layout ~= 'far-bytes'", -- as far-elements
    "in_layout ~= 'packed' or indices_layout ~= 'packed' or out_layout ~= 'packed'",
    "index[1] == size[axis + 1] - 1 and index[2] == 0 and index[3] == 1 and index[4] == 0",
    "rank == own + index_dims - 1 or rank == 4 or rank == 8 and own == 2 and index_dims == 1",
    "dtype == 'f32' or dtype == 'u8' or index_dtype == 'u32' and own <= 2",
  },
}

index.out_of_range(op, n, { index_dims = { 1, 2 }, axis = { 0, 1, 2, -1 }, index_size = { 2, 3 },
                            where = "rank == own + index_dims - 1 or rank == 4" })                            -- GA-12

local dml = shared(op)

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, index tensors and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
local attributes = { { "axis", 0, "Axis" }, { "index_dims", 1 } }
index.drawn_axes(any, attributes, true)
local words = index.words { attributes[1] }
dml.change_axes(any, words)
any:where("axis >= 0 and axis < rank")             -- GA-05
any:where("product(size) <= 4294967295")           -- BUF-11
index.bind_drawn(any, "size[axis + 1]", { Axis = "axis", IndexDimensions = "index_dims" })

-- The number of dimensions of the indices, the axis, and sizes of the input with the leading ones that GA-08 requires.
local function draw_input(r, rank, elements)
  local dims = r.chance(45) and 1 or r.chance(20) and 0 or r.chance(60) and 2 or r.int(1, 8)
  dims = math.min(dims, rank)
  local ones = math.max(dims - 1, 0)
  local size = r.sizes(rank - ones, elements)
  for _ = 1, ones do table.insert(size, 1, 1) end
  return dims, r.int(ones, rank - 1), size
end

-- The sizes of the output, and those of the indices with leading ones.
local function draw_shapes(rank, dims, axis, size, index_size)
  local out = {}
  for k = 1, axis do out[#out + 1] = size[k] end
  for k = 1, dims do out[#out + 1] = index_size[k] end
  for k = axis + 2, rank do out[#out + 1] = size[k] end
  if dims == 0 then table.insert(out, 1, 1) end
  for _ = 2, dims do table.remove(out, 1) end
  for _ = 1, rank - dims do table.insert(index_size, 1, 1) end
  return out
end

-- Everything else. The output has at most `elements` elements, or as many as one index selects; `given` are the sizes of
-- the dimensions that the indices use.
local function draw_indices(r, c, dims, axis, size, elements, given, most, plan)
  local rank = c.rank
  local others = dml.product(size, 1, axis) * dml.product(size, axis + 2)
  local index_size = given or r.sizes(dims, math.max(1, elements // others))
  local count = dml.product(index_size)
  local out = draw_shapes(rank, dims, axis, size, index_size)
  local v = index.draw(r, c, { n = size[axis + 1], size = size, index_size = index_size, out_size = out, cycle = count,
                               count = count, plan = plan }, most)
  v.axis, v.index_dims, v.out_size = axis, dims, out
  return v
end

-- Give the longest of these sizes to a dimension of the input before, at or behind the axis, or to one of the indices. The
-- elements of the output stay as few as that allows. An index takes longer to make than an element.
local function draw_given(r, c, given)
  local rank, long, most = c.rank, 0, 0
  for k = 1, rank do long = math.max(long, given[k]) end
  local dims, axis, size = draw_input(r, rank, 8)
  local index_size = r.sizes(dims, 4)
  local role = r.pick { "before", "axis", "behind", "indices", "indices" }
  most = math.max(65537, (long > 1048576 and 20000000 or 1048576) // (dml.product(size) * dml.product(index_size)))
  long = math.min(long, most)
  if role == "indices" and dims > 0 and long <= 1048576 then
    index_size[r.int(1, dims)] = math.min(long, r.chance(80) and 66000 or 262145)
  elseif role == "before" and axis > math.max(dims - 1, 0) then
    size[r.int(math.max(dims, 1), axis)] = long
  elseif role ~= "axis" and axis < rank - 1 then
    size[r.int(axis + 2, rank)] = long
  else
    size[axis + 1] = long
  end
  return dims, axis, size, index_size
end

-- The sizes that shape(n) draws are those of the output: the indices are one of its dimensions, or there is a single
-- index and the output has all dimensions but the axis.
local function draw_planned(r, c, shape)
  local rank = c.rank
  if rank == 1 or r.chance(45) then
    local size, plan = shape(rank)
    local axis = r.int(0, rank - 1)
    -- An index takes longer to make than an element.
    while size[axis + 1] > 80000 and rank > 1 do axis = (axis + 1) % rank end
    local count = size[axis + 1]
    if r.chance(60) then size[axis + 1] = r.int(1, math.min(count + 3, 40)) end
    return draw_indices(r, c, 1, axis, size, 0, { count }, nil, plan)
  end
  local size, plan = shape(rank - 1)
  local axis = r.chance(50) and 0 or r.int(0, rank - 1)
  table.insert(size, axis + 1, r.chance(40) and 1 or r.int(2, 4))
  local dims = r.chance(70) and 1 or 0
  return draw_indices(r, c, dims, axis, size, 0, dims == 1 and { 1 } or {}, nil, plan)
end

local classes = { "dtype", "rank", "index_dtype" }
local function draw_any(r, c, most, given)
  if not most and not given and r.chance(dml.planned) then return draw_planned(r, c, r.tiles) end
  if given then
    local dims, axis, size, index_size = draw_given(r, c, given)
    return draw_indices(r, c, dims, axis, size, 0, index_size)
  end
  local elements = most or r.elements()
  local dims, axis, size = draw_input(r, c.rank, elements)
  return draw_indices(r, c, dims, axis, size, elements, nil, most)
end

any:test "drawn" {
  "any sizes, axes, index tensors and layouts", each = classes, dtype = "*", rank = "*", index_dtype = "*",
  cases = { quick = 1400, full = 20000, exhaustive = 1000000 }, draw = draw_any,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", rank = "*",
  index_dtype = "*", cases = { quick = 320, full = 3000, exhaustive = 100000 }, draw = dml.after(draw_any, draw_planned, words),
}

-- An axis around 2^31 elements or beyond, side by side, and indices near 0, 2^31 and its end (harness/model/sparse.h
-- fills the elements there). Finds indices that lose their top bit, or are compared with a size that has lost it.
local function draw_far_axis(r, c)
  local n = r.pick { 2147483648, 2147483656, 4294967295, r.int(2147483640, 4294967295) }
  local axis, size = c.rank - 1, {}
  for k = 1, c.rank do size[k] = k == c.rank and n or 1 end
  local v = draw_indices(r, c, 1, axis, size, 0, { r.int(1, 8) })
  v.pattern = r.pick { "ascending", "descending", "constant", "cycle", "runs" }
  v.first, v.period, v.odd, v.sign = r.pick { 0, n - 1, n - 1, 2147483647, 2147483640 }, r.int(1, 4), 0, 0
  if c.index_dtype == "i64" and r.chance(50) or c.index_dtype == "i32" and v.first > 2147483647 then v.sign = 1 end
  if c.index_dtype == "i32" then
    v.pattern = v.first == 0 and "ascending" or "descending" -- all of them fit into the type
    if v.sign == 1 then v.first = n - 1 end
  end
  v.in_layout, v.indices_layout, v.out_layout, v.fill, v.in_extra = "packed", "packed", "packed", "bits", 0
  return v
end

-- More indices than a kernel takes at once, and the elements of the output or the indices far apart. Finds offsets of a
-- whole batch that 32 bits cannot hold.
local function draw_far_batches(r, c)
  local axis, size, count = r.int(0, c.rank - 1), {}, 1024 + r.int(1, 64)
  for k = 1, c.rank do size[k] = k == axis + 1 and r.int(2, 9) or 1 end
  local v = draw_indices(r, c, 1, axis, size, 0, { count })
  local far = r.pick { "out", "indices", "both" }
  local function stride() return r.int(2097152, 4294967295 // count) end
  v.fill, v.in_layout, v.indices_layout, v.out_layout = "bits", "packed", "packed", "packed"
  if far ~= "indices" then v.out_layout, v.out_stride[axis + 1] = "strides", stride() end
  if far ~= "out" then v.indices_layout, v.indices_stride[c.rank] = "strides", stride() end
  return v
end

any:test "drawn_sparse" {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", rank = "*", index_dtype = "*",
  cases = { quick = 40, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    if r.chance(18) then return draw_far_axis(r, c) end
    if r.chance(3) then return draw_far_batches(r, c) end
    local dims, axis, size = draw_input(r, c.rank, 16)
    local v = draw_indices(r, c, dims, axis, size, 16)
    v.fill, v.in_stride, v.out_stride = "bits", r.strides(size, {}), r.strides(v.out_size, {})
    v.indices_stride = r.strides(v.index_size, {})
    return dml.spread(r, v, { "in", size, "out", v.out_size, "indices", v.index_size }) and v or nil
  end,
}

-- The limits of the tensors are in shared.lua. Finds wrong refusals of what few descriptors have, and wrong acceptance.
local tensors = {
  InputTensor = { key = "in", sizes = "size", strides = "in_stride", alignment = "alignment", from = "index_dims" },
  IndicesTensor = { key = "indices", sizes = "index_size", strides = "indices_stride", alignment = "alignment",
                    dtype = "index_dtype" },
  OutputTensor = { key = "out", sizes = "out_size", strides = "out_stride", alignment = "alignment", output = true },
}
local breaks = dml.illegal(any, { each = classes, draw = draw_any })
local holds = dml.legal(any, { each = classes, draw = draw_any })
local ids = { null = "GA-01", rank = "GA-02", type = "GA-03", indices = "GA-04", axis = "GA-05" }
index.drawn_clauses(breaks, holds, tensors, ids)
breaks("GA-06", "many", "more index dimensions than dimensions", { IndexDimensions = "by" }, function(r, v, c)
  v.by = r.about(c.rank + 1, 4294967295)
end)
breaks("GA-08", "ones", "more index dimensions than leading ones and the axis leave room for", { IndexDimensions = "by" },
       function(r, v, c)
  local ones = 0
  while ones < c.rank and v.size[ones + 1] == 1 do ones = ones + 1 end
  local least = math.min(ones, v.axis) + 2
  if least > c.rank then return false end
  v.by = r.int(least, c.rank)
end, { rank = range(2, 8) })
breaks("GA-09", "size", "a size of the output differs",
       { OutputTensor = { Sizes = "pick(at == broken, out_size + by, out_size)", Layout = "0" } }, function(r, v, c)
  if v.index_dims == 0 and c.rank == 1 then return false end -- GA-14
  v.broken = r.int(v.index_dims == 0 and 2 or 1, c.rank)
  local n = v.out_size[v.broken]
  local most = 4294967295 // (dml.product(v.out_size) // n) - n
  if most < 1 and n < 2 then return false end
  v.by = (most < 1 or n > 1 and r.chance(50)) and -r.about(1, n - 1) or r.about(1, most)
end)
breaks("GA-07", "leading", "a size of the indices before those that count is not 1",
       { IndicesTensor = { Sizes = "pick(at == broken, by, index_size)", Layout = "0" } }, function(r, v, c)
  local most = 4294967295 // dml.product(v.index_size)
  if v.index_dims == c.rank or most < 2 then return false end
  v.broken, v.by = r.int(1, c.rank - v.index_dims), r.about(2, most)
end)
breaks("GA-14", "first", "the first size of the output is not 1, and a single index has no dimensions",
       { OutputTensor = { Sizes = "pick(at == 1, by, out_size)", Layout = "0" } }, function(r, v)
  local most = 4294967295 // dml.product(v.out_size)
  if v.index_dims ~= 0 or most < 2 then return false end
  v.by = r.about(2, most)
end)

breaks("GA-09", "count", "two sizes of the output are exchanged, and it has as many elements", {
  OutputTensor = { Sizes = "pick(at == broken, out_size[which], pick(at == which, out_size[broken], out_size))", Layout = "0" },
}, function(r, v, c)
  v.broken, v.which = r.int(1, c.rank), r.int(1, c.rank)
  return v.out_size[v.broken] ~= v.out_size[v.which]
end, { rank = range(2, 8) })

holds("GA-14", nil, "a single index without dimensions", function(r, v) if v.index_dims ~= 0 then return false end end)
holds("GA-05", nil, "the last axis", function(r, v, c) if v.axis ~= c.rank - 1 then return false end end)
holds("GA-06 GA-08", nil, "as many index dimensions as the leading ones and the axis leave room for, up to all",
      function(r, v, c)
  local rank, size = c.rank, {}
  local dims = r.chance(50) and rank or r.int(1, rank)
  for k = 1, dims - 1 do size[k] = 1 end
  for _, n in ipairs(r.sizes(rank - dims + 1, 256)) do size[#size + 1] = n end
  local at = r.chance(50) and dims - 1 or r.int(dims - 1, rank - 1)
  return draw_indices(r, c, dims, at, size, 256)
end)
holds("GA-09 BUF-11 BUF-21", nil, "outputs of up to 2^32 - 1 elements", function(r, v, c)
  local rank = c.rank
  local sizes = dml.largest_sizes(r, rank, c.dtype)
  local at = r.int(0, rank - 1)
  local index_size = { sizes[at + 1] }
  sizes[at + 1] = r.about(1, 4294967295 // (dml.product(sizes) // sizes[at + 1]))
  local w = draw_indices(r, c, 1, at, sizes, 0, index_size, 4294967295)
  w.indices_layout, w.out_layout = "packed", "packed"
  return w
end, { asked = true })
holds("BUF-01 BUF-02 BUF-05 BUF-06 GA-01 GA-02 GA-03 GA-04 GA-07", nil, "sizes of 1, and strides without effect",
      function(r, v, c)
  local size = {}
  for k = 1, c.rank do size[k] = 1 end
  local w = draw_indices(r, c, r.int(0, c.rank), c.rank - 1, size, 1)
  w.in_layout, w.indices_layout, w.out_layout = "strides", "strides", "strides"
  return w
end)

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
index.count_tests(any, {
  each = classes, draw = draw_any, planned = draw_planned, quick = { counts = 1, grids = 3 },
  block = function(r, c, n)
    local size = {}
    for k = 1, c.rank do size[k] = k == c.rank and n or k == c.rank - 1 and 2 or 1 end
    local v = draw_indices(r, c, 1, c.rank - 2, size, 0, { 1 })
    v.first, v.pattern, v.odd, v.sign = r.int(0, 1), "ascending", 0, 0
    return v
  end,
  block_classes = { dtype = { "f64", "u64", "i64" }, rank = { 2, 4 }, index_dtype = { "u32" }, sparse = true },
})

-- A dense input with short blocks behind the axis.
local function draw_blocks(r, c, before, behind, count)
  local axis, size = r.int(c.rank > 2 and 1 or 0, math.max(c.rank - 2, 0)), {}
  for k = 1, c.rank do
    size[k] = k == axis and before or k == axis + 2 and behind or k == axis + 1 and 1 << r.int(1, 5) or 1
  end
  local v = draw_indices(r, c, 1, axis, size, 0, { count })
  v.in_layout, v.indices_layout, v.out_layout = "packed", "packed", "packed"
  return v
end

-- Finds what a kernel reads behind the last index of a batch: the indices repeat from batch to batch, so that those of the
-- batch before, which are still there, continue the last ones. Finds as well a last group of threads that is missing.
any:test "drawn_batches" {
  "some more indices than a batch of 64 to 1,024 has, or one element more than groups of 256 have", each = classes,
  dtype = "*", rank = "*", index_dtype = "*", cases = { quick = 20, full = 600, exhaustive = 20000 },
  draw = function(r, c)
    local before, behind = r.int(1, 3), r.pick { 1, 2, 3, 4, 7, 8 }
    if r.chance(40) and c.rank > 2 then
      before, behind = 2 * r.int(1, 3) + 1, 2 * r.int(1, 7) + 1
      return draw_blocks(r, c, before, behind, dml.one_more(before * behind) + 256 * r.int(0, 4))
    end
    local batch = 64 << r.int(0, 4)
    local v = draw_blocks(r, c, before, behind, batch * r.int(1, 4) + (r.chance(50) and r.int(1, 4) or r.int(1, batch - 1)))
    v.pattern, v.odd = r.pick { "ascending", "ascending", "descending", "cycle", "runs" }, 0
    return v
  end,
}

any:test "drawn_ends" {
  "indices where 7, 8, 15 and 16 bits end, and at the end of an axis that is longer", each = classes, dtype = "*",
  rank = "*", index_dtype = "*", cases = { quick = 4, full = 60, exhaustive = 20000 },
  draw = function(r, c)
    local dims, axis, size = draw_input(r, c.rank, 4)
    local n = index.long(r)
    size[axis + 1] = n
    return index.at_end(r, draw_indices(r, c, dims, axis, size, 4 * n), n)
  end,
}

-- A few indices along an axis of `length` elements, which has few neighbours.
index.far_tests(any, {
  each = classes, long = function(r, c, length)
    local axis, size = r.int(0, c.rank - 1), {}
    for k = 1, c.rank do size[k] = 1 end
    size[r.int(1, c.rank)] = r.int(1, 4)
    size[axis + 1] = 1
    size[axis + 1] = length(dml.product(size))
    return draw_indices(r, c, 1, axis, size, 0, { r.int(1, 8) })
  end,
})

any:test "drawn_short_blocks" {
  "2^24 elements in short blocks: more groups of 256 than a dimension of a dispatch has", each = classes,
  dtype = { "u8", "f16" }, rank = { 4, 3 }, index_dtype = { "u32" }, cases = { full = 2, exhaustive = 8 },
  draw = function(r, c)
    local behind, count = r.int(2, 8), r.int(64, 512)
    return draw_blocks(r, c, 16776960 // (behind * count) + r.int(1, 8), behind, count)
  end,
}

any:test "drawn_vast" {
  "indices along an axis of up to 2^32 - 1 elements that share one address", vast = true, each = classes, dtype = "*",
  rank = "*", index_dtype = "*", cases = { quick = 100, full = 2000, exhaustive = 100000 },
  draw = function(r, c)
    local dims, axis, size = draw_input(r, c.rank, 256)
    size[axis + 1] = 1
    local strides, others = r.strides(size, { dtype = c.dtype, shares = true }), dml.product(size)
    size[axis + 1] = r.about(2097152, (c.index_dtype == "i32" and 2147483647 or 4294967295) // others)
    strides[axis + 1] = 0
    local v = draw_indices(r, c, dims, axis, size, 256)
    v.in_layout, v.in_stride = "strides", strides
    return v
  end,
}

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
local inside, changed, width = dml.inside, dml.changed, dml.width

op:beyond {
  "descriptors of a higher feature level", rank = "*", own = { 1, 2 }, index_dims = { 1, 0 }, dtype = "*", index_dtype = "*",
}

-- The output's sizes where neither input nor indices have leading ones of their own.
local result = "pick(at == axis + 1, index_size[1], size)"
local plain, whole = "own == rank and axis == rank - 1 and each(index_size == 3)", "own == rank"
local shapes = { rank = "*", own = range(1, 8), axis = range(0, 7), dtype = "*", index_size = { 3 } }
dml.buffer("InputTensor", "in", { sizes = "size", bytes = width, axes = shapes, where = plain })
dml.buffer("OutputTensor", "out", { sizes = result, bytes = width, axes = shapes, where = plain, output = true })
dml.buffer("IndicesTensor", "indices", {
  sizes = "index_size", bytes = index.width, at = "index_at", where = "index_dims == rank and each(index_size == 3)",
  axes = { rank = "*", own = { 1 }, index_dims = range(1, 8), dtype = { "f32", "u8", "f64" }, index_dtype = "*",
           index_size = { 3 } },
})

index.illegal(op, ids, function()
  dml.too_many {
    "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = "*", own = { 1 }, dtype = "*",
    index_dims = range(0, 8), by = { 65536, 131071, 4294967295 }, where = { "rank >= 2", "index_dims == rank" },
    change = { IndicesTensor = { Sizes = "by + 0 * index_size" }, OutputTensor = { Sizes = "by + 0 * index_size" } },
  }
end)
for _, attribute in ipairs { "Axis", "IndexDimensions" } do
  op:invalid "GA-01" {
    attribute .. " is not stated", name = attribute, rank = "*", own = { 1, 2 }, index_dims = { 0 }, dtype = "*",
    change = { [attribute] = { Present = "0" } },
  }
end
op:invalid "GA-05" {
  "Axis is beyond the last dimension", rank = "*", own = { 1, 2 }, index_dims = { 1, 0, 2 }, dtype = "*",
  index_dtype = "*", by = { 0, 1, 7, 2147483647, 4294967280 }, change = { Axis = "rank + by" },
}
op:invalid "GA-06" {
  "IndexDimensions exceeds the dimensions", rank = "*", own = { 1, 2 }, dtype = "*", index_dtype = "*",
  axis = { 0, 1 }, by = { 1, 2, 7, 2147483647, 4294967280 }, change = { IndexDimensions = "rank + by" },
}
op:invalid "GA-08" {
  "more sizes to crop than the input has leading ones", name = "ones", rank = "*", own = range(2, 8), dtype = "*",
  axis = { 0, 1, 2, 7 }, by = range(1, 7), size = { 3 }, where = { "by < own", "axis <= 1 or axis == own - 1" },
  change = { IndexDimensions = "rank - own + 1 + by" },
}
op:invalid "GA-08" {
  "more sizes to crop than there are before Axis", name = "axis", rank = "*", own = range(1, 7), dtype = "*",
  axis = range(-7, -1), index_dtype = "*", change = { IndexDimensions = "rank - own + axis + 2" },
}
op:invalid "GA-09" {
  "a size of the output differs", name = "size", rank = "*", own = range(1, 8), dtype = "*", axis = range(0, 7),
  broken = range(1, 8), by = { 1, -1, 65536 }, where = { whole, inside, "axis == 0 or axis == rank - 1 or by == 1" },
  change = { OutputTensor = { Sizes = changed(result .. " + by", result) } },
}
op:invalid "GA-09" {
  "the dimension that a single index removes is kept", name = "scalar", rank = range(2, 8), own = range(2, 8),
  dtype = "*", index_dims = { 0 }, axis = range(1, 7), index_dtype = "*", size = { 3, 2 },
  where = { whole, "count(at <= axis + 1 and size ~= size[1]) > 0", "count(size == 2) == 1" },
  change = { OutputTensor = { Sizes = "size" } },
}
op:invalid "GA-14" {
  "the dimension that a single index removes is kept, and only the first size tells", name = "scalar", rank = "*",
  own = range(1, 8), dtype = "*", index_dims = { 0 }, axis = range(0, 7), index_dtype = "*", where = whole,
  change = { OutputTensor = { Sizes = "size" } },
}
op:invalid "GA-07" {
  "a size of the indices before those that count is not 1", name = "leading", rank = range(2, 8), own = { 1 },
  index_dims = range(2, 8), dtype = "*", index_dtype = "*", index_size = { 2, 3 },
  where = { "index_dims == rank", "each(index_size == 2) or each(index_size == 3)" },
  change = { IndexDimensions = "index_dims - 1", OutputTensor = { Sizes = "pick(index_at == 1, 1, index_size)" } },
}
op:invalid "GA-09" {
  "the output has the sizes of the indices, not those of the input", name = "indices", rank = "*", own = { 1 },
  dtype = "*", index_dims = range(1, 8), index_dtype = "*", by = { 1, -1 }, where = "index_dims == rank",
  change = { OutputTensor = { Sizes = "index_size + by * eq(index_at, rank)" } },
}

-- ---- the page's examples, and the smallest cases of our decisions ------------------------------------------------------
-- Each example is declared as printed, where it needs feature level 3_0, and with leading ones to four dimensions, where it is
-- legal from feature level 1_0 on (E-GA-3).
local function padded(sizes)
  local out = { 1, 1, 1, 1 }
  for k = 1, #sizes do out[4 - #sizes + k] = sizes[k] end
  return out
end
local function page(name, note, axis, dims, input, indices, output)
  for _, pad in ipairs { false, true } do
    local function tensor(t, dtype)
      return { DataType = dtype, Sizes = pad and padded(t.sizes) or t.sizes, data = t.data }
    end
    op:example(pad and name .. "-4d" or name) {
      note = pad and note .. ", with leading ones to 4 dimensions" or note,
      InputTensor = tensor(input, "FLOAT32"), IndicesTensor = tensor(indices, "UINT32"),
      OutputTensor = tensor(output, "FLOAT32"),
      Axis = pad and axis + 4 - #input.sizes or axis, IndexDimensions = dims,
    }
  end
end
local rows = { sizes = { 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } }

page("1", "Example 1: 1D remapping; IndexDimensions equals the dimension count (E-GA-1)", 0, 1,
     { sizes = { 4 }, data = { 11, 12, 13, 14 } }, { sizes = { 5 }, data = { 3, 1, 3, 0, 2 } },
     { sizes = { 5 }, data = { 14, 12, 14, 11, 13 } })
page("2", "Example 2: concatenating rows", 0, 1, rows, { sizes = { 1, 4 }, data = { 0, 1, 1, 2 } },
     { sizes = { 4, 2 }, data = { 1, 2, 3, 4, 3, 4, 5, 6 } })
page("3", "Example 3: swapping columns, with IndexDimensions 1 instead of the printed 2 (E-GA-2)", 1, 1, rows,
     { sizes = { 1, 2 }, data = { 1, 0 } }, { sizes = { 3, 2 }, data = { 2, 1, 4, 3, 6, 5 } })
op:example "3-as-printed" {
  note = "Example 3 as printed: 2 + 2 - 1 = 3 dimensions do not fit into 2 (E-GA-2)", invalid = "GA-08",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 2 }, data = rows.data },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 2 }, data = { 1, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 2 } }, Axis = 1, IndexDimensions = 2,
}
page("4", "Example 4: nested indices; the title counts axes before padding (E-GA-4)", 2, 2,
     { sizes = { 1, 3, 3 }, data = { 1, 2, 3, 4, 5, 6, 7, 8, 9 } }, { sizes = { 1, 1, 2 }, data = { 0, 2 } },
     { sizes = { 3, 1, 2 }, data = { 1, 3, 4, 6, 7, 9 } })
page("5", "Example 5: nested indices along rows", 1, 2, { sizes = { 1, 3, 2 }, data = rows.data },
     { sizes = { 1, 2, 2 }, data = { 0, 1, 1, 2 } }, { sizes = { 2, 2, 2 }, data = { 1, 2, 3, 4, 3, 4, 5, 6 } })

op:example "leading-ones" {
  note = "IndexDimensions 3 of {1,1,4,6}: the page's own sizes; a meaningful 1 is not cropped (E-GA-8)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 3 }, data = { 11, 12, 13 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 4, 6 },
                    data = { 0, 1, 2, 0, 1, 2, 2, 1, 0, 2, 1, 0, 0, 0, 1, 1, 2, 2, 1, 2, 0, 1, 2, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 4, 6 },
                   data = { 11, 12, 13, 11, 12, 13, 13, 12, 11, 13, 12, 11, 11, 11, 12, 12, 13, 13, 12, 13, 11, 12, 13, 11 } },
  Axis = 3, IndexDimensions = 3,
}
op:example "scalar-index" {
  note = "IndexDimensions 0: one index, its dimension is removed and a leading 1 is added (E-GA-8)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = rows.data },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 1 }, data = { 2 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 2 }, data = { 5, 6 } }, Axis = 2, IndexDimensions = 0,
}
op:example "negative" {
  note = "-1 is the last element of the axis, for signed types (GA-11)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 4 }, data = { 11, 12, 13, 14 } },
  IndicesTensor = { DataType = "INT32", Sizes = { 3 }, data = { -1, -4, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 3 }, data = { 14, 11, 11 } }, Axis = 0, IndexDimensions = 1,
}
op:example "leading-index-dimensions" {
  note = "index dimensions before the last IndexDimensions are not 1: implementations differ", ambiguous = "E-GA-9",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 }, data = { 1, 2, 3, 4, 5, 6, 7, 8, 9 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 3, 2 }, data = { 0, 2, 1, 0, 2, 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 2 } }, Axis = 1, IndexDimensions = 1,
}
op:example "leading-index-dimensions-of-one" {
  note = "the same over an axis of one element: any result is allowed; some implementations end the process",
  ambiguous = "E-GA-9",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1 }, data = { 7 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 1 }, data = { 0, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1 } }, Axis = 1, IndexDimensions = 1,
}
op:example "out-of-range" {
  note = "an index beyond the axis: no fault, and the element is undefined (B.6 #16)", ambiguous = "E-GA-10",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = rows.data },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 3 }, data = { 5, 7, 4294967295 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 } }, Axis = 2, IndexDimensions = 1,
}
op:example "out-of-range-64" {
  note = "indices beyond the axis that are no 64-bit numbers with a sign: no fault", ambiguous = "E-GA-10",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = rows.data },
  IndicesTensor = { DataType = "UINT64", Sizes = { 1, 1, 1, 3 }, data = { "9223372036854775808", "18446744073709551615", 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 } }, Axis = 2, IndexDimensions = 1,
}
op:example "axis-too-large" {
  note = "Axis is below the dimension count", invalid = "GA-05",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 3 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 } }, Axis = 4, IndexDimensions = 1,
}
