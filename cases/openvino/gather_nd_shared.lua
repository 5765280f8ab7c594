-- SPDX-License-Identifier: Apache-2.0
-- The cases of OpenVINO's GatherND-5, which makes one dimension of all batches, and GatherND-8, which keeps them:
-- shared_file("gather_nd_shared.lua", op, { prefix =, flat = }). prefix: of the operator's clauses. Only those of GatherND-8
-- may be negative. docs/cases.md describes the language.
local op, version = ...
local flat, negative = version.flat, not version.flat
local ov = shared()
local limits = ov.limits(ov.integers)
local function id(number) return ("%s-%02d"):format(version.prefix, number) end

-- ---- axes: the first value is the default -------------------------------------------------------------------------
-- The last of index_size is the length of the tuples.
op:axis("rank", "dimensions of data") { 2, 1, 3, 4, 5, 6, 7, 8 }
op:axis("dims", "dimensions of indices") { 2, 1, 3, 4, 5, 6, 7, 8 }
op:axis("batch", "batch_dims: the leading dimensions that are batches") { 0, 1, 2, 3, 4, 5, 6, 7 }
op:axis("stated", "1: the optional attribute batch_dims is given; 0: it is not") { 1, 0 }
ov.axes_of_types(op, ov.integers)
ov.axes_of_memory(op)
op:axis("long", "the dimension of data that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4 }
op:axis("many", "the dimension of indices that is `length` long, from 1; 0: none") { 0, 1, 2, 3 }
ov.axes_of_values(op, negative)
op:axis("size", "shape of data, except of the dimension that is `length` long") { 3, 1, 2, 4, 0, 5, 6, 8, per = "rank" }
op:axis("index_size", "shape of indices, except of the dimension that is `length` long")
  { 1, 2, 3, 4, 0, 5, 6, 8, per = "dims" }
op:axis("nine", "shape of indices of nine dimensions, one more than is judged") { 1, per = 9 }
op:positions("at", "rank")
op:positions("index_at", "dims")

local tuple, indices = "index_size[dims]", "product(index_size)" -- indices: their number, without a long dimension
local out_rank = flat and "dims - 1 + rank - batch - index_size[dims] - max(batch - 1, 0)" or
                 "dims - 1 + rank - batch - index_size[dims]"

-- Elements of the dimension that an index is for.
local function n_of(i)
  local d = ("(batch + 1 + %s %% %s)"):format(i, tuple)
  return ("(long == %s and length or size[%s])"):format(d, d)
end

op:where("long <= rank and many < dims")
op:where("batch < rank and batch < dims")                                   -- ND8-06
op:where(tuple .. " >= 1 and " .. tuple .. " <= rank - batch")               -- ND8-08
op:where("stated == 1 or batch == 0")
for k = 1, 7 do -- ND8-07
  op:where(("batch < %d or size[%d] == index_size[%d] or size[%d] == 1 or index_size[%d] == 1"):format(k, k, k, k, k))
end
if negative then op:where(limits.holds_signs) end
op:where(("long == 0 or length <= %s or %s"):format(limits.cap, ov.is_usual))
op:where("(long > batch or long == 0) and (many > batch or many == 0) or long == many and long <= batch")
op:where(indices .. " == 0 or each(at <= batch or at > batch + " .. tuple .. " or size > 0 or at == long)") -- ND8-11
-- Two indices of a tuple that share an address would be one index of two dimensions.
op:where(tuple .. " <= 1 or indices_layout ~= 'broadcast-last' and indices_layout ~= 'broadcast-all' and " ..
         "indices_layout ~= 'overlapping' and indices_layout ~= 'broadcast-first'")

op:bind {
  data    = { DataType = "dtype", Sizes = "pick(at == long, length, size)", Layout = "in_layout", Fill = "fill",
              Extra = "extra" },
  indices = { DataType = "index_dtype", Sizes = "pick(index_at == many, length, index_size)", Layout = "indices_layout",
              Extra = "extra", Data = ov.data(n_of("i"), negative) },
  output  = { Layout = "out_layout", Extra = "extra" },
  batch_dims = { Value = "batch", Present = "stated" },
}

-- A test of the operator. Only GatherND-8 has the axis `sign`.
local function test(name, def)
  if not negative then def.sign = nil end
  op:test(name)(def)
end
local unsigned = negative and "sign == 0" or "rank >= 1" -- true where the operator has no such axis

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds faults in the places of tuples, batches and blocks, and in the order of a tuple's indices.
local few = { indices .. " <= 4" }
for k = 1, 4 do
  few[#few + 1] = ("%s >= %d or index[%d] == 0"):format(indices, k, k)
  few[#few + 1] = ("%s < %d or index[%d] < %s"):format(indices, k, k, n_of(k - 1))
end
test("exhaustive", {
  "every index tensor of up to four indices over every small input",
  rank = { 2, 1, 3 }, dims = { 2, 1, 3 }, batch = { 0, 1, 2 }, stated = "*", sign = "*", dtype = "*",
  index_dtype = ov.usual, size = { 3, 1, 2, 0 }, index_size = { 1, 2, 3, 4, 0 }, index = { 0, 1, 2 },
  where = table.move({
    "rank <= 2 or sum(size) <= 6", "dims <= 2 or " .. indices .. " <= 2 or product(size) <= 4",
    "dtype == 'f32' or dtype == 'u8' or product(size) <= 4 and sum(index) <= 2 and " .. indices .. " <= 3",
    "index_dtype == 'i32' or rank <= 2 and dims <= 2", "stated == 1 or dtype == 'f32'",
    "dtype == 'f32' or rank <= 2 and dims <= 2 or sum(index) <= 1",
    negative and "sign == 0 or dtype == 'f32' and rank <= 2 and dims <= 2 or sum(index) <= 1 and sum(size) <= 3" or unsigned,
  }, 1, 7, #few + 1, few),
})

-- Finds sizes of batches that are taken from the wrong tensor, and steps in a tensor with a single batch.
op:test "broadcast" {
  "a single batch of one tensor beside several of the other, in each dimension of batches and in several at once",
  rank = { 2, 3, 4, 5 }, dims = { 2, 3, 4 }, batch = { 1, 2, 3 }, dtype = { "f32", "u8", "f16", "f64" }, index_dtype = ov.usual,
  size = { 3, 1, 2 }, index_size = { 1, 2, 3 }, index = { 0, 1, 2 }, in_layout = { "packed", "padded", "transposed" },
  where = {
    "index[1] == 1 and index[2] == 0 and index[3] == 2 and index[4] == 1", "rank <= batch + 2", "dims <= batch + 2",
    tuple .. " <= 2", "each(at > batch or size ~= 2)", "each(index_at > batch or index_size ~= 2)",
    "each(at <= batch or size == pick(at == rank, 2, 3))", "dims <= batch + 1 or index_size[batch + 1] == 2",
    "batch <= 1 or dtype == 'f32' or in_layout == 'packed'", "index_dtype == 'i32' or dtype == 'f32'",
    "batch <= 2 or in_layout == 'packed' and dtype == 'f32' and dims == 4 and rank <= 4",
  },
}

ov.index_types_test(op, n_of(1), negative, {
  rank = { 1, 2 }, dims = { 2 }, size = { 1 }, index_size = { 2, 1, 3 },
  where = { "dims == 1 or index_size[1] >= 2", tuple .. " == 1" },
})

-- Finds lengths of tuples and numbers of batches that are taken for another, and limits on either.
op:test "tuples" {
  "tuples of every length, behind every number of batches",
  rank = "*", dims = "*", batch = "*", dtype = { "f32", "u8" }, index_dtype = ov.usual, size = { 2 },
  index_size = { 2, 1, range(3, 8) }, index = { 0, 1 },
  where = {
    "dims <= batch + 2", "each(index_at == dims or index_size == pick(index_at <= batch, 2, 1))",
    "index[3] == 0 and index[4] == 0",
  },
}

op:test "pairwise" {
  "every pair of values of all parameters",
  vary = "*", strength = 2, rank = { 2, 1, 3, 4, 8 }, dims = { 2, 1, 3, 4, 8 }, length = { 64 }, long = { 0 }, many = { 0 },
  stray = { 0 },
  where = { "rank <= 3 or each(size <= 4)", "rank <= 4 or each(size <= 2)", "dims <= 2 or each(index_size <= 4)",
            "dims <= 3 or each(index_size <= 2)", "rank <= 4 or dims <= 4 or sum(index_size) <= 11" },
}

-- Long dimensions that are picked from, long blocks, many tuples. Finds faults of vector tails and grids, and 16-bit
-- offsets.
op:test "boundary" {
  "one long dimension of data or indices about each power of two",
  rank = { 2, 1, 3 }, dims = { 2, 1, 3 }, batch = { 0, 1 }, dtype = "*", index_dtype = ov.usual, length = ov.lengths,
  long = { 0, 1, 2, 3 }, many = { 0, 1, 2 }, size = { 1, 2 }, index_size = { 1, 2 }, index = { 0, 1, 2, 7 },
  where = {
    "long ~= 0 and many == 0 or long == 0 and many ~= 0 or long == many and long <= batch",
    "each(at ~= long or size == 1)", "each(index_at ~= many or index_size == 1)",
    "index[1] == 1 and index[2] == 7 and index[3] == 0 and index[4] == 2", "index_dtype == 'i32' or dtype == 'f32'",
    "rank <= 2 or each(size == 1)", "product(index_size) * product(size) <= 4", "dims <= 2 or product(size) == 1",
    "length <= 257 or dtype == 'f32'", "dtype == 'f32' or dtype == 'u8' or sum(size) + sum(index_size) <= 4",
    "length <= 1025 or rank <= 2 and dims <= 2 and index_dtype == 'i32' and product(size) == 1",
  },
}

-- Finds wrong addresses of three tensors at once.
op:test "layout" {
  "every combination of the layouts of data and indices with those of the output",
  rank = { 2, 1, 3, 5 }, dims = { 2, 1, 3 }, batch = { 0, 1, 2 }, dtype = "*", index_dtype = ov.usual, in_layout = "*",
  indices_layout = "*", out_layout = "*", size = { 3, 2 }, index_size = { 1, 2, 3 }, index = { 0, 1, 2 },
  where = {
    "index[1] == 1 and index[2] == 0 and index[3] == 0 and index[4] == 1",
    "indices_layout == in_layout or indices_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "rank <= 1 or sum(size) == rank * 2 + 1 and size[1] == 3", "dims <= 1 or index_size[1] >= 2",
    "dims <= 2 or index_size[2] == 2 and index_size[1] == 3", tuple .. " <= 2", "rank <= 3 or dims == 2",
    "index_dtype == 'i32' or dtype == 'f32'", "rank == 2 and dims == 2 or " .. ov.widths,
  },
}

op:test "special" {
  "special values and random bits are copied unchanged",
  rank = { 2, 1, 3 }, dims = { 2, 1, 3 }, batch = { 0, 1 }, dtype = "*", index_dtype = ov.usual, fill = { "special", "bits" },
  size = { 3, 4, 6, 8 }, index_size = { 1, 2, 3, 4 }, index = { 0, 1, 2 },
  where = {
    "rank <= 2 or each(size <= 4) and size[1] == 3", "dims <= 2 or index_size[1] == 3 and index_size[2] <= 2",
    "dims <= 1 or index_size[1] >= 2", "index[1] == 2 and index[3] == 0 and index[4] == 1 and index[2] <= 1",
    "index_dtype == 'i32' or rank == 2 and dims == 2",
  },
}

-- Indices far along a long dimension. Finds index types that are narrowed, which wrap to its beginning.
op:test "far" {
  "an index beyond 8 and 15 bits, inside a long dimension",
  rank = { 2, 1 }, dims = { 2 }, dtype = "*", index_dtype = ov.usual, long = { 1, 2 }, length = { 65537 },
  stray = { 32768, 65536 }, size = { 1 }, index_size = { 2, 1 },
  where = { ("long == 1 + 1 %% %s and %s == 2"):format(tuple, indices), "index_dtype == 'i32' or rank == 1" },
}

-- Finds indices that are cut to 32 bits. All elements share one address, so that little memory is touched; the result shows
-- whether the backend takes the index as inside.
op:test "vast" {
  "an index inside of a dimension of 2^32 - 1 elements or more that lie at one address", vast = true,
  rank = { 1 }, dims = { 2 }, dtype = { "u8", "f32" }, index_dtype = ov.usual, long = { 1 }, in_layout = { "broadcast-all" },
  length = { 4294967295, 4294967297, 17179869189, math.maxinteger },
  stray = { 0, 1, 2147483647, 2147483648, 4294967294, 4294967296, math.maxinteger - 1,
            -1, -2147483648, -2147483649, -4294967296, -4294967297, -math.maxinteger }, size = { 1 },
  index_size = { 2, 1 },
  where = { "stray < length", negative and "stray >= -length" or "stray >= 0", limits.holds_stray, tuple .. " == 1 and index_size[1] == 2" },
}

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in data, indices, the output or all of them", sparse = true, strength = 2,
  rank = { 2, 1, 3, 8 }, dims = { 2, 1, 3 }, batch = { 0, 1 }, dtype = "*", index_dtype = ov.usual, fill = { "bits" },
  in_layout = { "packed", all.far_layouts }, indices_layout = { "packed", all.far_layouts },
  out_layout = { "packed", all.far_layouts }, size = { 3, 1, 2 }, index_size = { 1, 2, 3 }, index = { 0, 1, 2 },
  where = {
    "in_layout ~= 'packed' or indices_layout ~= 'packed' or out_layout ~= 'packed'",
    "product(size) > 1 and product(size) <= 9", indices .. " <= 6",
    "rank <= 3 or each(size == pick(at == 2, 3, pick(at == rank, 2, 1)))", "rank <= 3 or dims <= 2 and batch == 0",
    "index[1] == 1 and index[2] == 0 and index[3] == 1 and index[4] == 0", "rank <= 2 or " .. ov.widths,
  },
}

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
for _, c in ipairs(ov.calls) do
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, dtype = { "f32", "u8", "f16", "f64" }, rank = { 2, 3, 6 },
    dims = { 2, 3 }, batch = { 0, 1 }, index_dtype = ov.usual, in_layout = c[4] or { "packed", "padded" }, size = { 3, 2 },
    index_size = { 1, 2, 3 }, index = { 0, 1, 2 },
    where = {
      "index[1] == 1 and index[2] ~= 1 and index[3] == 1 and index[4] == 0", "rank <= 2 or each(size == 3)",
      "index_size[1] >= 2", "dims <= 2 or index_size[2] == 2", "index_dtype == 'i32' or rank == 2",
    },
  }
end

-- One index is beyond its dimension, which the page forbids: the call may fail. If it does not, the elements that its tuple
-- selects are undefined, nothing outside is read, and the other elements are right.
op:test "out_of_range" {
  "one index beyond its dimension: the call fails, or all other elements are right",
  rank = { 2, 1, 3 }, dims = { 2, 3 }, batch = { 0, 1 }, dtype = "*", index_dtype = "*", stray = "*", size = { 3, 1, 5 },
  index_size = { 1, 2, 3 }, index = { 0, 1 }, in_layout = { "packed", "padded" },
  where = {
    "stray ~= 0", ("stray >= %s or stray < %s"):format(n_of(1), negative and "0 - " .. n_of(1) or "0"), limits.holds_stray,
    ov.is_usual .. " or dtype == 'f32' and rank == 1 and dims == 2 and batch == 0 and in_layout == 'packed'",
    "index[1] == 0 and index[2] == 0 and index[3] == 0 and index[4] == 0", indices .. " >= 2 and " .. indices .. " <= 6",
    "rank <= 2 or sum(size) <= 7 and in_layout == 'packed' and dtype == 'f32'",
    "dims <= 2 or rank <= 2 and index_size[1] == 2 and dtype == 'f32' and in_layout == 'packed'",
    "dtype == 'f32' or stray == 100 or stray == -1", "in_layout == 'packed' or dtype == 'f32' and index_dtype == 'i32'",
  },
}

shared(op)

-- ---- drawn cases --------------------------------------------------------------------------------------------------

-- Any sizes, index tensors and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis("dims", "dimensions of indices") { 2, 1, 3, 4, 5, 6, 7, 8 }
ov.drawn_axes(any, { { "batch", 0, 1, 2, 3, 4, 5, 6, 7 }, { "stated", 1, 0 } }, ov.integers, negative)
any:axis("out_rank", "dimensions of output, for its strides") { 2, range(0, 1), range(3, 14) }
ov.drawn_shapes(any, "dims", "out_rank")
local words = ov.change_axes(any, { "batch", "stated", negative and "sign" or nil })
any:positions("at", "rank")
any:positions("index_at", "dims")
any:positions("out_at", "out_rank")
any:where("batch < rank and batch < dims and index_size[dims] >= 1 and index_size[dims] <= rank - batch")
ov.bind_drawn(any, "size[batch + 1 + i % index_size[dims]]", { batch_dims = { Value = "batch", Present = "stated" } },
              ov.integers, negative)

-- How many dimensions are of batches, of other tuples, of one tuple and of what it picks.
local function draw_parts(r, c)
  local b = r.chance(50) and r.int(0, math.min(c.rank, c.dims) - 1) or 0
  if b > 2 and r.chance(60) then b = 1 end
  local t = r.chance(40) and 1 or r.int(1, c.rank - b)
  return b, c.dims - 1 - b, t, c.rank - b - t
end

-- The lists have the sizes of batches, of the other tuples, of the dimensions that a tuple picks from, and of what it picks.
-- In some dimensions of batches, one of the tensors has a single batch.
local function draw_sized(r, c, batches, tuples, picked, block, most, plan)
  local own, theirs, single = ov.part(batches, 1, #batches), ov.part(batches, 1, #batches), r.chance(30)
  for k = 1, single and #batches or 0 do
    local either = r.pick { own, theirs, {} }
    either[k] = 1
  end
  local size, index_size = ov.joined(own, picked, block), ov.joined(theirs, tuples, { #picked })
  local front = batches
  if flat and #batches > 1 then front = { ov.product(batches) } end
  local out = ov.joined(front, tuples, block)
  local v = ov.draw(r, c, { n = r.pick(picked), size = size, index_size = index_size, out_size = out,
                            cycle = #picked * math.max(1, index_size[c.dims - 1] or 1), plan = plan, apart = #picked > 1,
                            negative = negative },
                    most)
  v.out_rank, v.batch = #out, #batches
  v.stated = v.batch == 0 and r.chance(40) and 0 or 1
  return v
end

local function draw_sizes(r, c, elements)
  local b, a, t, p = draw_parts(r, c)
  local size = r.sizes(c.rank, elements)
  local tuples = r.sizes(a, math.max(1, elements // (ov.product(ov.part(size, 1, b)) * ov.product(ov.part(size, b + t + 1, c.rank)))))
  if a > 0 and r.chance(2) then tuples[r.int(1, a)] = 0 end
  return ov.part(size, 1, b), tuples, ov.part(size, b + 1, b + t), ov.part(size, b + t + 1, c.rank)
end

-- The sizes that shape(n) draws are those of the output, or of data where the indices are a single tuple of one index.
local function draw_planned(r, c, shape)
  if c.dims == 2 and c.rank > 1 and r.chance(70) then
    local size, plan = shape(c.rank)
    local count = math.min(size[1], 80000)
    if count == size[1] then
      local block = ov.part(size, 2, c.rank)
      local room = 65536 // ov.product(block) -- data has all that can be picked
      return draw_sized(r, c, {}, { count }, { r.int(1, math.max(4, math.min(40, room))) }, block, nil, plan)
    end
  end
  local size = shape(c.rank)
  local t = r.int(1, c.rank)
  return draw_sized(r, c, {}, ov.ones(c.dims - 1), ov.part(size, 1, t), ov.part(size, t + 1, c.rank))
end

local classes = { "dtype", "rank", "dims", "index_dtype" }
local function draw_any(r, c, most, given)
  if not most and not given and r.chance(22) then return draw_planned(r, c, r.tiles) end
  if given then return draw_planned(r, c, function() return ov.part(given, 1, #given) end) end
  return draw_sized(r, c, table.unpack({ draw_sizes(r, c, most or math.min(r.elements(), 4096)) }, 1, 4))
end

-- These batches, as far as the dimensions leave room for one of tuples and one of what a tuple picks.
local function draw_batched(r, c, batches, rows, row)
  local b = math.min(#batches, c.rank - 2, c.dims - 2)
  local tuples, block = ov.ones(c.dims - 1 - b), ov.ones(c.rank - 1 - b)
  tuples[#tuples], block[#block] = rows * ov.product(ov.part(batches, b + 1, #batches)), row
  return draw_sized(r, c, ov.part(batches, 1, b), tuples, { r.int(2, 6) }, block)
end

local function draw_vast(r, c, count, most)
  local batches, tuples, picked, block = draw_sizes(r, c, most)
  local k = r.int(1, #picked)
  picked[k] = 1
  local stride = r.strides(ov.joined(batches, picked, block), { dtype = c.dtype, shares = true })
  picked[k], stride[#batches + k] = count, 0
  local v = draw_sized(r, c, batches, tuples, picked, block)
  v.in_stride = stride
  return v
end

ov.drawn_tests(any, { title = "any sizes, batches, index tensors and layouts", classes = classes, draw = draw_any,
                      planned = draw_planned, vast = draw_vast, after = words, grids = { dims = { 2, 1, 3 } },
                      block = function(r, c, n)
                        local v = draw_sized(r, c, {}, { 1 }, { 2 }, { n })
                        v.first, v.pattern, v.odd = r.int(0, 1), "ascending", 0
                        return v
                      end,
                      block_classes = { dtype = { "f64", "i64" }, rank = { 2 }, dims = { 2 }, index_dtype = { "i32" },
                                        sparse = true },
                      batched = draw_batched,
                      batched_classes = { dtype = { "u8", "f16", "f32" }, rank = { 4, 5 }, dims = { 4, 5 } } })

local breaks = ov.illegal(any, { classes = classes, draw = draw_any })
local ids = { given = id(1), dims = id(2), type = id(3), index_type = id(4), bytes = id(5), integers = true }
ov.drawn_clauses(breaks, ids)
breaks(id(2), "indices", "indices have more dimensions than are judged",
       { indices = { DimensionCount = "by", TotalTensorSizeInBytes = "4611686018427387904" } },
       function(r, v) v.by = r.about(9, 4294967295) end)
breaks(id(6), "outside", "batch_dims is no count of dimensions before the last ones",
       { batch_dims = { Value = "by", Present = "1" } }, function(r, v, c)
  v.by = r.chance(50) and r.about(math.min(c.rank, c.dims), math.maxinteger) or r.about(math.mininteger, -1)
end)
breaks(id(7), "size", "a batch has another size in data", {
  data = { Sizes = "pick(at == broken, size + by, size)", Layout = "0" },
}, function(r, v, c)
  if v.batch == 0 then return false end
  v.broken = r.int(1, v.batch)
  local n, other = v.index_size[v.broken], r.about(2, 1 << 20)
  if n == 1 or other == n then return false end -- a single batch beside any number is legal
  v.by = other - v.size[v.broken]
end, { rank = range(2, 8), dims = range(2, 8) })
breaks(id(8), "tuple", "tuples of more indices than data has dimensions behind the batches", {
  indices = { Sizes = "pick(index_at == dims, by, index_size)", Layout = "0" },
}, function(r, v, c) v.by = r.about(c.rank - v.batch + 1, 1 << 20) end)
breaks(id(15), "empty", "tuples without indices",
       { indices = { Sizes = "pick(index_at == dims, 0, index_size)", Layout = "0" } })
breaks(id(9), "size", "a size of the output differs", {
  output = { Sizes = "pick(out_at == broken, out_size + by, out_size)", Layout = "0" },
}, function(r, v)
  if v.out_rank == 0 or ov.product(v.out_size) == 0 then return false end
  v.broken = r.int(1, v.out_rank)
  local size = v.out_size[v.broken]
  v.by = size > 1 and r.chance(50) and -r.about(1, size - 1) or r.about(1, 1 << 20)
end, { rank = range(2, 8), dims = range(2, 8) })
breaks(id(9), "exchanged", "two sizes of the output are exchanged, and it has as many elements", {
  output = { Sizes = "pick(out_at == broken, out_size[by], pick(out_at == by, out_size[broken], out_size))", Layout = "0" },
}, function(r, v)
  if v.out_rank < 2 then return false end
  v.broken, v.by = r.int(1, v.out_rank), r.int(1, v.out_rank)
  return v.out_size[v.broken] ~= v.out_size[v.by]
end, { rank = range(3, 8), dims = range(3, 8) })
ov.one_leading(breaks, id(9), "output", "out_size")
breaks(id(9), "rank", "the output has another number of dimensions",
       { output = { DimensionCount = "by", Layout = "0", TotalTensorSizeInBytes = "4611686018427387904" } },
       function(r, v)
  v.by = r.int(0, 16)
  return v.by ~= v.out_rank
end)

local holds = ov.legal(any, { classes = classes, draw = draw_any })
holds(("%s %s %s %s"):format(id(1), id(2), id(3), id(4)), nil, "all dimensions that are judged, or one", function(r, v, c)
  return draw_sized(r, c, table.unpack({ draw_sizes(r, c, 64) }, 1, 4))
end, { rank = { 1, 8 }, dims = { 1, 8 } })
holds(id(5), nil, "strides without effect, and no byte too many", function(r, v, c)
  local w = draw_sized(r, c, {}, ov.ones(c.dims - 1), { 1 }, ov.ones(c.rank - 1))
  w.in_layout, w.indices_layout, w.out_layout = "strides", "strides", "strides"
  w.in_extra, w.indices_extra, w.out_extra = 0, 0, 0
  return w
end)
holds(("%s %s %s %s"):format(id(6), id(7), id(8), id(15)), nil, "as many batches as the ranks allow, and tuples for all other dimensions",
      function(r, v, c)
  local b, size = math.min(c.rank, c.dims) - 1, r.sizes(c.rank, 256)
  return draw_sized(r, c, ov.part(size, 1, b), r.sizes(c.dims - 1 - b, 8), ov.part(size, b + 1, c.rank), {})
end)
holds(id(9), nil, "outputs of up to 2^40 elements", function(r, v, c) end, { asked = true })

-- ---- illegal descriptors ------------------------------------------------------------------------------------------
ov.illegal_tensors(op, ids, {
  axes = { rank = "*", dims = { 1, 2 } },
  bytes = { rank = "*", dims = { 2 }, size = { 3, 1 }, index_size = { 3, 1 }, by = { 3, 1 },
            where = { "each(size == by)", "index_size[1] == 3 and index_size[2] == 1" } },
})
op:invalid(ids.dims) {
  "indices have more dimensions than are judged", name = "indices", rank = { 1, 8 }, dims = "*", dtype = "*",
  by = { 9, 10, 16, 17, 255, 4294967295 },
  change = { indices = { DimensionCount = "by", TotalTensorSizeInBytes = "65536" } },
}
op:invalid(ids.dims) {
  "indices have no dimensions", name = "indices-none", rank = "*", dims = { 1, 2 }, dtype = "*", index_dtype = ov.usual,
  change = { indices = { DimensionCount = "0" } },
}
op:invalid(ids.dims) {
  "indices have nine dimensions, and a tuple is legal", name = "indices-nine", rank = "*", dims = { 1, 8 }, index_dtype = ov.usual,
  change = { indices = { Sizes = "nine" } },
}
if flat then
  op:invalid(ids.dims) {
    "the batches of the output are 2^64 or more", name = "batches", rank = { 4 }, dims = { 4 }, batch = { 3 },
    dtype = { "f32", "u8" }, index_dtype = ov.usual, size = { 1 }, by = { 4294967296, math.maxinteger },
    change = {
      data = { Sizes = "pick(at <= 2, by, size)", Strides = "0 * size", TotalTensorSizeInBytes = "65536" },
      indices = { Sizes = "pick(index_at <= 2, by, index_size)", Strides = "0 * index_size", TotalTensorSizeInBytes = "65536" },
    },
  }
end
for k, tensor in ipairs { "data", "indices" } do
  op:invalid(ids.dims) {
    "a dimension of " .. tensor .. " has 2^63 elements or more", name = tensor .. "-size", rank = range(1, 8),
    dims = range(1, 8), dtype = "*", broken = range(1, 8), by = { math.mininteger, -1 }, where = { "dims == rank", ov.within },
    change = { [tensor] = { Sizes = ov.changed("by", k == 1 and "size" or "index_size", k == 1 and "at" or "index_at"),
                            Strides = k == 1 and "0 * size" or "0 * index_size", TotalTensorSizeInBytes = "65536" } },
  }
  op:invalid(ids.bytes) {
    "strides that wrap: " .. tensor .. " seems to span a single element", name = tensor .. "-wraps", rank = { 2, 8 },
    dims = { 3 }, dtype = "*", size = { 3, 1 }, index_size = { 3, 1 }, by = { math.mininteger },
    where = "size[1] == 3 and product(size) == 9 and size[rank] == 3 and index_size[1] == 3 and index_size[2] == 3 and index_size[3] == 1",
    change = { [tensor] = { Strides = ("pick(%s == 1, by, 0)"):format(k == 1 and "at" or "index_at"),
                            TotalTensorSizeInBytes = "65536" } },
  }
end
local far = { 0, 1, 7, 2147483647, 4294967296, math.maxinteger - 100 }
op:invalid(id(6)) {
  "batch_dims is not below the ranks", name = "beyond", rank = "*", dims = { 1, 2, 3, 8 }, dtype = { "f32", "u8" },
  index_dtype = ov.usual, by = far, change = { batch_dims = { Value = "min(rank, dims) + by", Present = "1" } },
}
op:invalid(id(6)) {
  "batch_dims is negative", name = "negative", rank = "*", dims = { 1, 2, 3, 8 }, dtype = { "f32", "u8" },
  index_dtype = ov.usual, by = far, change = { batch_dims = { Value = "-1 - by", Present = "1" } },
}
op:invalid(id(7)) {
  "a batch has another size in data", name = "size", rank = range(2, 8), dims = range(2, 8), batch = range(1, 7),
  dtype = { "f32", "u8", "f64" }, size = { 3 }, index_size = { 3, 1 }, broken = range(1, 7), by = { 1, -1, 65536, 4294967296 },
  where = { "broken >= 1 and broken <= batch", "dims == batch + 1", tuple .. " == 1",
            "each(index_at > batch or index_size == 3)" },
  change = { data = { Sizes = ov.changed("3 + by", "size") } },
}
op:invalid(id(8)) {
  "tuples of more indices than data has dimensions behind the batches", name = "long", rank = "*", dims = { 1, 2, 3 },
  batch = { 0, 1, 2 }, dtype = "*", index_dtype = ov.usual, size = { 3 }, index_size = { 3, 1 }, by = { 1, 2, 65536, 4294967296 },
  where = { tuple .. " == 1", "dims <= batch + 1 or index_size[1] == 3 and dims == 2" },
  change = { indices = { Sizes = "pick(index_at == dims, rank - batch + by, index_size)" } },
}
op:invalid(id(15)) {
  "tuples without indices", name = "empty", rank = "*", dims = { 1, 2, 3 }, dtype = "*", index_dtype = ov.usual,
  where = "each(index_size == 1)", change = { indices = { Sizes = "pick(index_at == dims, 0, index_size)" } },
}
local result = "pick(at == 1, index_size[1], size)" -- where the indices are a list of single indices
op:invalid(id(9)) {
  "a size of the output differs", name = "size", rank = "*", dims = { 2 }, dtype = { "f32", "u8", "f16", "f64" },
  index_size = { 2, 1 }, broken = range(1, 8), by = { 1, -1, 65536, 4294967296 },
  where = { ov.within, "index_size[1] == 2 and index_size[2] == 1" },
  change = { output = { Sizes = ov.changed(result .. " + by", result) } },
}
op:invalid(id(9)) {
  "the output has fewer dimensions, or more", name = "rank", rank = "*", dims = { 1, 2 }, dtype = "*", by = { -1, 1, -2, 2 },
  where = { "each(index_size == 1)", ("%s + by >= 0"):format(out_rank) },
  change = { output = { DimensionCount = out_rank .. " + by", TotalTensorSizeInBytes = "1048576" } },
}

-- ---- the page's examples, and the smallest cases of our decisions --------------------------------------------------
local function tensor(shape, data, dtype) return { type = dtype or "f32", shape = shape, data = data } end
local function example(name, note, data, picks, batch, output, more)
  local def = { note = note, data = data, indices = picks, batch_dims = batch, output = output }
  for word, value in pairs(more or {}) do def[word] = value end
  op:example(name)(def)
end
local square = tensor({ 2, 2 }, { 1, 2, 3, 4 })
example("1", "Example 1: elements", square, tensor({ 2, 2 }, { 0, 0, 1, 0 }, "i32"), nil, tensor({ 2 }, { 1, 3 }))
example("2", "Example 2: slices", square, tensor({ 2, 1 }, { 1, 0 }, "i64"), 0, tensor({ 2, 2 }, { 3, 4, 1, 2 }))
example("3", "Example 3: leading dimensions of indices", square, tensor({ 2, 1, 1 }, { 1, 0 }, "i32"), nil,
        tensor({ 2, 1, 2 }, { 3, 4, 1, 2 }))
example("4", "Example 4: elements of two batches", square, tensor({ 2, 1 }, { 1, 0 }, "i32"), 1, tensor({ 2 }, { 2, 3 }))
local many = tensor({ 2, 3, 4 }, range(1, 24))
example("5", "Example 5: slices of two batches", many, tensor({ 2, 1 }, { 1, 0 }, "i32"), 1,
        tensor({ 2, 4 }, { 5, 6, 7, 8, 13, 14, 15, 16 }))
example("6", flat and ("Example 6: two dimensions of batches, which are one of the output (E-%s-4)"):format(version.prefix) or
        "Example 6: two dimensions of batches", many, tensor({ 2, 3, 1, 1 }, { 1, 0, 2, 0, 2, 2 }, "i32"), 2,
        tensor(flat and { 6, 1 } or { 2, 3, 1 }, { 2, 5, 11, 13, 19, 23 }))
example("6-other", "the same with the shape of the other version", many, tensor({ 2, 3, 1, 1 }, nil, "i32"), 2,
        tensor(flat and { 2, 3, 1 } or { 6, 1 }), { invalid = id(9) })
if not flat then
  example("7", "Example 7: three dimensions of batches", tensor({ 1, 2, 2, 4 }, range(1, 16)),
          tensor({ 1, 2, 2, 1 }, { 1, 0, 3, 2 }, "i32"), 3, tensor({ 1, 2, 2 }, { 2, 5, 12, 15 }))
  example("layer-3", ("the third layer of the page, its sizes 64 and 320 divided by 16 (E-%s-5)"):format(version.prefix),
          tensor({ 1, 4, 4, 20 }), tensor({ 1, 4, 4, 1, 1 }, range(0, 15), "i32"), 3, tensor({ 1, 4, 4, 1 }))
end
local some = {}
for i = 0, 179 do some[i + 1] = i % 60 end
example("layer-2", "the second layer of the page", tensor({ 30, 2, 100, 35 }), tensor({ 30, 2, 3, 1 }, some, "i32"), 2,
        tensor(flat and { 60, 3, 35 } or { 30, 2, 3, 35 }))
example("batch-as-many", "batch_dims is below the rank of indices", square, tensor({ 2 }, nil, "i32"), 1, tensor({ 2 }),
        { invalid = id(6) })
example("batch-size", "the batches of data and of indices are as many, or one of them is single", square, tensor({ 3, 1 }, nil, "i32"), 1, tensor({ 3 }),
        { invalid = id(7) })
for _, x in ipairs { { "no-indices", 2, 0 }, { "no-data", 0, 3 }, { "wide-indices", 2, 4294967297 },
                     { "wide-data", 4294967297, 2 } } do
  example("batch-" .. x[1], "neither no batch nor 2^32 + 1 of them is a single one", tensor({ x[2], 2 }),
          tensor({ x[3], 1 }, nil, "i32"), 1, tensor({ x[3] }), { invalid = id(7) })
end
example("batch-wide-output", "2^32 + 1 batches of indices are not a single one", tensor({ 1, 2 }),
        tensor({ 4294967297, 1 }, nil, "i32"), 1, tensor({ 1 }), { invalid = id(9) })
example("long-tuple", ("a tuple has no more indices than dimensions behind the batches (E-%s-3)"):format(version.prefix),
        tensor({ 2, 3 }), tensor({ 2, 2 }, nil, "i32"), 1, tensor({ 2 }), { invalid = id(8) })
example("empty-tuple", ("a tuple has an index (E-%s-9)"):format(version.prefix), tensor({ 2, 3 }), tensor({ 2, 0 }, nil, "i32"), 0,
        tensor({ 2, 2, 3 }), { invalid = id(15) })
example("no-tuples", "no tuples: no output", square, tensor({ 0, 1 }, {}, "i32"), 0, tensor({ 0, 2 }, {}))
local five = tensor({ 5 }, { 1, 2, 3, 4, 5 })
for _, dtype in ipairs(ov.integers) do
  example(dtype .. "-indices", ("indices have any integer type (%s)"):format(id(4)), five, tensor({ 2, 1 }, { 4, 0 }, dtype), 0,
          tensor({ 2 }, { 5, 1 }))
end
local rows = tensor({ 2, 3 }, range(1, 6))
example("single-data", ("a single batch of data is that of all of indices (E-%s-6)"):format(version.prefix),
        tensor({ 1, 3 }, { 1, 2, 3 }), tensor({ 2, 1 }, { 2, 0 }, "i32"), 1, tensor({ 2 }, { 3, 1 }))
example("single-indices", ("a single batch of indices is that of all of data (E-%s-6)"):format(version.prefix), rows,
        tensor({ 1, 1 }, { 1 }, "i32"), 1, tensor({ 2 }, { 2, 5 }))
example("single-both", ("each tensor has a single batch in another dimension (E-%s-6)"):format(version.prefix),
        tensor({ 2, 1, 3 }, range(1, 6)), tensor({ 1, 2, 1 }, { 0, 2 }, "i32"), 2,
        tensor(flat and { 4 } or { 2, 2 }, { 1, 3, 4, 6 }))
example("single-of-none", "a single batch beside none: no output", tensor({ 1, 3 }, { 1, 2, 3 }), tensor({ 0, 1 }, {}, "i32"), 1,
        tensor({ 0 }, {}))
for _, x in ipairs { { "beyond", 5 }, { "before", negative and -6 or -1 }, { "far-beyond", 4294967298, "i64" },
                     { "unsigned", "18446744073709551615", "u64" } } do
  example("index-" .. x[1], ("an index outside of its dimension: the call fails, or its element is undefined (%s)"):format(id(12)),
          five, tensor({ 2, 1 }, { 3, x[2] }, x[3] or "i32"), 0, tensor({ 2 }, { 4, 0 }),
          { ambiguous = ("E-%s-1"):format(version.prefix) })
end
if negative then
  for _, dtype in ipairs { "i32", "i64", "i8", "i16" } do
    example("negative-" .. dtype, "negative indices count from the end of their dimension (ND8-14, E-ND8-8)", five,
            tensor({ 4, 1 }, { -1, 0, -5, -2 }, dtype), 0, tensor({ 4 }, { 5, 1, 1, 4 }))
  end
  example("negative-tuples", "each from the end of its own dimension", rows, tensor({ 3, 2 }, { -1, -1, -2, 1, 1, -3 }, "i32"), 0,
          tensor({ 3 }, { 6, 2, 4 }))
end
example("index-of-none", "a dimension without elements: every index is outside of it", tensor({ 0, 2 }, {}),
        tensor({ 1, 1 }, { 0 }, "i32"), 0, tensor({ 1, 2 }, { 0, 0 }), { ambiguous = ("E-%s-1"):format(version.prefix) })
