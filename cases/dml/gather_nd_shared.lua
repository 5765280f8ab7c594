-- SPDX-License-Identifier: Apache-2.0
-- The cases of DML_GATHER_ND and DML_GATHER_ND1, which adds batches: shared_file("gather_nd_shared.lua", op, prefix,
-- batched). prefix: of the operator's clauses. docs/cases.md describes the language.
local op, prefix, batched = ...
local index = shared().index -- what operators with a tensor of indices share
local function id(number) return ("%s-%02d"):format(prefix, number) end
local long_tuple = batched and id(18) or id(15)

-- ---- axes: the first value is the default -------------------------------------------------------------------------
-- Of the input `own` dimensions count, of the indices `dims`; leading ones pad both to `rank`, as frameworks that call
-- these operators do. The last of index_size is the length of the tuples.
op:axis("rank", "DimensionCount of all tensors") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("own", "InputDimensionCount: the dimensions of InputTensor without leading ones") { 2, 1, 3, 4, 5, 6, 7, 8 }
op:axis("dims", "IndicesDimensionCount: the dimensions of IndicesTensor without leading ones")
  { 2, 1, 3, 4, 5, 6, 7, 8 }
if batched then op:axis("batch", "BatchDimensionCount") { 0, 1, 2, 3, 4, 5, 6, 7 } end
index.axes_of_types(op)
index.axes_of_memory(op)
op:axis("many", "the dimension of IndicesTensor that is `length` long, from 1; 0: none") { 0, 1, 2, 3 }
index.axes_of_values(op)
op:axis("size", "Sizes of InputTensor without leading ones, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 5, 6, 8, per = "own" }
op:axis("index_size", "Sizes of IndicesTensor without leading ones, except of the dimension that is `length` long")
  { 1, 2, 3, 4, 5, 6, 8, per = "dims" }
op:axis("index", "the first four indices; the others follow from them") { 0, 1, 2, 3, 4, 7, per = 4 }
op:positions("at", "own")
op:positions("index_at", "dims")

local batch, tuple = batched and "batch" or "0", "index_size[dims]"
local indices = "product(index_size)" -- their number, without a long dimension

-- Elements of the dimension that an index is for.
local function n_of(i)
  local d = ("(%s + 1 + %s %% %s)"):format(batch, i, tuple)
  return ("(long == %s and length or size[%s])"):format(d, d)
end

op:where("own <= rank and dims <= rank")                                      -- ND-05, ND-06
op:where("long <= own and many < dims")
op:where("sign == 0 or index_dtype == 'i32' or index_dtype == 'i64'")         -- ND-12
op:where(("%s <= own - %s"):format(tuple, batch))                             -- ND-09, ND-15
op:where(("dims - 1 + own - %s - %s <= rank"):format(batch, tuple))           -- ND-10
-- Two indices of a tuple that share an address would be one index of two dimensions.
op:where(("%s <= 1 or indices_layout ~= 'broadcast-last' and indices_layout ~= 'broadcast-all' and " ..
          "indices_layout ~= 'overlapping' and indices_layout ~= 'broadcast-first'"):format(tuple))
if batched then
  op:where("batch < own and batch < dims")                                    -- ND1-15
  for k = 1, 7 do op:where(("batch < %d or size[%d] == index_size[%d]"):format(k, k, k)) end -- ND1-16
  op:where("(long > batch or long == 0) and (many > batch or many == 0) or long == many and long <= batch")
end

local bound = {
  InputTensor   = { DataType = "dtype", Sizes = "pick(at == long, length, size)", Rank = "rank", Layout = "in_layout",
                    Fill = "fill", Extra = "extra", Alignment = "alignment" },
  IndicesTensor = { DataType = "index_dtype", Sizes = "pick(index_at == many, length, index_size)", Rank = "rank",
                    Layout = "indices_layout", Alignment = "alignment", Data = index.data(n_of("i")) },
  OutputTensor  = { Layout = "out_layout", Extra = "extra", Alignment = "alignment" },
  InputDimensionCount = "own",
  IndicesDimensionCount = "dims",
  BatchDimensionCount = batched and "batch" or nil,
}
op:bind(bound)

-- A test of the operator: those of GATHER_ND have no axis `batch`.
local function test(name, def)
  if not batched then def.batch = nil end
  op:test(name)(def)
end

-- At most four indices. Unused elements of `index` stay 0, and none is beyond its dimension, so that no two cases are
-- equal. And these predicates.
local function few(more)
  local where = { indices .. " <= 4" }
  for k = 1, 4 do
    where[#where + 1] = ("%s >= %d or index[%d] == 0"):format(indices, k, k)
    where[#where + 1] = ("%s < %d or index[%d] < %s"):format(indices, k, k, n_of(k - 1))
  end
  return table.move(more, 1, #more, #where + 1, where)
end

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds faults in the places of tuples, batches and blocks, in the order of a tuple's indices, and in negative indices.
test("exhaustive", {
  "every index tensor of up to four indices over every small input",
  rank = { 4, 1, 2, 3, 5 }, own = { 2, 1, 3 }, dims = { 2, 1, 3 }, batch = { 0, 1, 2 }, dtype = "*", index_dtype = "*",
  sign = "*", size = { 3, 1, 2 }, index_size = { 1, 2, 3, 4 }, index = { 0, 1, 2 },
  where = few {
    "rank == 4 or rank == max(own, dims) or rank == 5 and own == 2 and dims == 3",
    "sign < 2 or own <= 2",
    "own <= 2 or sum(size) <= 6", "dims <= 2 or " .. indices .. " <= 2 or product(size) <= 4",
    "dtype == 'f32' or dtype == 'u8' or product(size) <= 6 and sign < 2 and " .. indices .. " <= 3",
    "dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'u64' or index_dtype == 'u32' or sum(index) <= 2",
  },
})

-- Finds lengths of tuples and numbers of batches that are taken for another, and limits on either.
test("tuples", {
  "tuples of every length, behind every number of batches",
  rank = { 8 }, own = range(1, 8), dims = range(1, 8), batch = range(0, 7), dtype = { "f32", "u8" }, index_dtype = "*",
  sign = { 0, 1 }, size = { 2 }, index_size = { 2, 1, range(3, 8) }, index = { 0, 1 },
  where = {
    "dims <= " .. batch .. " + 2", ("each(index_at == dims or index_size == pick(index_at <= %s, 2, 1))"):format(batch),
    "index[3] == 0 and index[4] == 0", "dims == " .. batch .. " + 2 or index[2] == 0",
  },
})

test("pairwise", {
  "every pair of values of all parameters",
  vary = "*", strength = 2, own = { 2, 1, 3, 4, 8 }, dims = { 2, 1, 3, 4, 8 }, length = { 64 }, long = { 0 },
  many = { 0 }, stray = { 0 },
  where = { "own <= 3 or each(size <= 4)", "own <= 4 or each(size <= 3)", "own <= 6 or each(size <= 2)",
            "dims <= 2 or each(index_size <= 4)", "dims <= 3 or each(index_size <= 3)",
            "dims <= 6 or each(index_size <= 2)" },
})

-- Long dimensions that are picked from, long blocks, many tuples. Finds faults of vector tails and grids, and 16-bit
-- offsets.
test("boundary", {
  "one long dimension of the input or the indices about each power of two",
  rank = { 4, 2, 5, 8 }, own = { 2, 1, 3 }, dims = { 2, 1, 3 }, batch = { 0, 1 }, dtype = "*",
  index_dtype = { "u32", "i64" }, length = index.lengths, long = { 0, 1, 2, 3 }, many = { 0, 1, 2 }, sign = { 0, 2 },
  size = { 1, 2 }, index_size = { 1, 2 }, index = { 0, 1, 2, 7 },
  where = {
    "long ~= 0 and many == 0 or long == 0 and many ~= 0" .. (batched and " or long == many and long <= batch" or ""),
    "each(at ~= long or size == 1)", "each(index_at ~= many or index_size == 1)",
    "index[1] == 1 and index[2] == 7 and index[3] == 0 and index[4] == 2",
    "rank == 4 or rank >= 5 and own == 3 and dims <= 2 or rank == 2 and own == rank",
    "index_dtype == 'u32' or dtype == 'f32' or dtype == 'u8'", "rank == 4 or sign == 0",
    "own <= 2 or each(size == 1)", "product(index_size) * product(size) <= 4", "dims <= 2 or product(size) == 1",
    "length <= 257 or dtype == 'f32' or dtype == 'u8'",
    "length <= 1025 or sign == 0 and rank <= 4 and index_dtype == 'u32' and product(size) == 1 and dims <= 2",
    "length <= 1025 or product(index_size) == 1 or dtype == 'u8' and product(index_size) == 2",
    "length <= 65537 or dtype == 'f32' and rank == 4 and index_dtype == 'u32' and own <= 2",
    "length <= 262144 or own == 2 and dims == 2 and long ~= 2 and product(index_size) == 1",
  },
})

-- Finds wrong addresses of three tensors at once.
test("layout", {
  "every combination of the layouts of input and indices with those of the output",
  rank = "*", own = { 2, 1, 3, 4 }, dims = { 2, 3, 1 }, batch = { 0, 1 }, dtype = "*", index_dtype = "*",
  in_layout = "*", indices_layout = "*", out_layout = "*", size = { 3, 2 }, index_size = { 1, 2, 3 },
  index = { 0, 1, 2 },
  where = {
    "index[1] == 1 and index[2] == 0 and index[3] == 0 and index[4] == 1",
    "rank == max(own, dims) or rank == 4 or rank >= 5 and own == 3 and dims == 3",
    "indices_layout == in_layout or indices_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "own <= 1 or sum(size) == own * 2 + 1 and size[1] == 3", "dims <= 1 or index_size[1] >= 2",
    "dims <= 2 or index_size[2] == 2 and index_size[1] == 3", tuple .. " <= 2",
    "rank <= 4 or dtype == 'f32' or dtype == 'u8'",
    "rank == 4 and own == 2 and dims == 2 or index_dtype == 'u32' or dtype == 'f32'",
    "own == 2 and dims == 2 or dtype == 'f32' or dtype == 'u8' or dtype == 'f64'",
  },
})

test("special", {
  "special values and random bits are copied unchanged",
  rank = { 4, 1, 2, 3, 5, 8 }, own = { 2, 1, 3 }, dims = { 2, 1, 3 }, batch = { 0, 1 }, dtype = "*", index_dtype = "*",
  sign = { 0, 1 }, fill = { "special", "bits" }, size = { 3, 4, 6, 8 }, index_size = { 1, 2, 3, 4 },
  index = { 0, 1, 2 },
  where = {
    "own <= 2 or each(size <= 4) and size[1] == 3", "rank <= 4 or own == 2 and dims == 2",
    "dims <= 2 or index_size[1] == 2 and index_size[2] <= 2", "dims <= 1 or index_size[1] >= 2",
    "index[1] == 2 and index[3] == 0 and index[4] == 1 and index[2] <= 1",
  },
})

-- Indices far along a long dimension. Finds index types that are narrowed, which wrap to its beginning.
test("far", {
  "an index beyond 8 and 15 bits, inside a long dimension",
  rank = { 4, 2, 3 }, own = { 2, 1 }, dims = { 2 }, dtype = "*", index_dtype = "*", long = { 1, 2 },
  length = { 65537 }, stray = { 32768, 65536 }, size = { 2 }, index_size = { 2, 1 },
  where = { ("long == 1 + 1 %% %s and %s >= 2"):format(tuple, indices), index.widths },
})

index.vast_tests(op, { rank = { 4, 2 }, dims = { 2 }, index_size = { 2, 1 } }, "index_size[1] == 2")

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
for _, c in ipairs(index.calls) do
  test("after_" .. c[1], {
    c[1] == "axis" and "a call after one of the same sizes with other counts of dimensions" or "a call after " .. c[3],
    after = c[2], fill = { "bits" }, dtype = { "f32", "u8", "f16", "f64" }, rank = { 4, 2, 3, 8 }, own = { 2, 1, 3 },
    dims = { 2, 3 }, batch = { 0, 1 }, index_dtype = { "u32", "i64" }, in_layout = c[4] or { "packed", "padded" },
    size = { 3, 2 }, index_size = { 1, 2, 3 }, index = { 0, 1, 2 },
    where = {
      "index[1] == 1 and index[2] ~= 1 and index[3] == 1 and index[4] == 0",
      "own <= 2 or each(size == 3)", "index_size[1] >= 2", "dims <= 2 or index_size[2] == 2",
      "rank == 4 or rank == max(own, dims) or rank == 8 and own == 2",
    },
  })
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
test("sparse", {
  "elements gigabytes apart, in the input, the indices, the output or all of them", sparse = true, strength = 2,
  rank = { 4, 2, 3, 8 }, own = { 2, 1, 3 }, dims = { 2, 3 }, batch = { 0, 1 }, dtype = "*", index_dtype = "*",
  fill = { "bits" }, in_layout = { "packed", "far-bytes", "far-elements", "far-inner" }, sign = { 0, 2 },
  indices_layout = { "packed", "far-bytes", "far-elements" }, out_layout = { "packed", "far-bytes", "far-elements" },
  size = { 3, 1, 2 }, index_size = { 2, 1, 3 }, index = { 0, 1, 2 },
  where = {
    "product(size) > 1 and product(size) <= 6 and " .. indices .. " <= 6 and " .. indices .. " > 1", -- BUF-11: 2^32 - 1
    "own + dims <= 4 or product(size) <= 3 and " .. indices .. " <= 4 or out_layout == 'packed'",    -- elements at most
    "own == 1 or size[1] * own <= 4 or in_layout == 'packed'", "index_size[1] <= 2 or indices_layout == 'packed'",
    "dtype ~= 'u8' and dtype ~= 'i8' or in_layout ~= 'far-bytes' and out_layout ~= 'far-bytes'", -- as far-elements
    "in_layout ~= 'packed' or indices_layout ~= 'packed' or out_layout ~= 'packed'",
    "index[1] == 1 and index[2] == 0 and index[3] == 1 and index[4] == 0",
    "rank == max(own, dims) or rank == 4 or rank == 8 and own == 2",
    "dtype == 'f32' or dtype == 'u8' or index_dtype == 'u32' and own <= 2",
  },
})

index.out_of_range(op, n_of(1), {
  dims = { 2, 3 }, batch = batched and { 0, 1 } or nil, index_size = { 1, 2, 3 },
  where = "(rank == max(own, dims) or rank == 4) and " .. indices .. " >= 2 and " .. indices .. " <= 6 and " ..
          "(dims == 2 or own <= 2 and index_size[1] == 2 and (dtype == 'f32' or dtype == 'u8'))",
}) -- ND-13

local dml = shared(op)

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, index tensors and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
local attributes = { { "own", 2 }, { "dims", 2 }, batched and { "batch", 0 } or nil }
index.drawn_axes(any, attributes, true)
local words = index.words(attributes)
dml.change_axes(any, words)
any:where("own >= 1 and own <= rank and dims >= 1 and dims <= rank") -- ND-05, ND-06
any:where("product(size) <= 4294967295")                              -- BUF-11
any:where("product(index_size) <= 4294967295")
local in_front = ("rank - own + %s"):format(batch) -- dimensions of the input before those that a tuple picks from
any:where(("%s < own and %s < dims and index_size[rank] <= own - %s"):format(batch, batch, batch)) -- ND-09, ND1-15
any:where(("dims - 1 + own - %s - index_size[rank] <= rank"):format(batch))                        -- ND-10
index.bind_drawn(any, ("size[%s + 1 + i %% index_size[rank]]"):format(in_front), {
  InputDimensionCount = "own", IndicesDimensionCount = "dims", BatchDimensionCount = batched and "batch" or nil,
})

-- How many dimensions are of batches, of other tuples, of one tuple and of what it picks. { b, a, t, p }
local function draw_parts(r, rank)
  local b = batched and r.chance(50) and r.int(0, rank - 1) or 0
  if b > 2 and r.chance(60) then b = 1 end
  local t = r.chance(50) and 1 or r.int(1, rank - b)
  t = math.min(t, rank - b)
  local p = r.chance(30) and 0 or r.int(0, rank - b - t)
  local room = math.min(rank - p, rank - 1) - b
  local a = r.chance(50) and math.min(1, room) or r.int(0, room)
  return { b = b, a = a, t = t, p = p }
end

-- `front` ones, and these lists one after the other.
local function joined(rank, ...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  for _ = #all + 1, rank do table.insert(all, 1, 1) end
  return all
end

-- Everything else. parts: as of draw_parts; the lists have the sizes of batches, of the other tuples, of the dimensions
-- that a tuple picks from, and of what it picks.
local function draw_sized(r, c, batches, tuples, picked, block, most, plan)
  local size, index_size = joined(c.rank, batches, picked, block), joined(c.rank, batches, tuples, { #picked })
  local out = joined(c.rank, batches, tuples, block)
  local v = index.draw(r, c, { n = r.pick(picked), size = size, index_size = index_size, out_size = out,
                               cycle = #picked * math.max(1, index_size[c.rank - 1] or 1),
                               count = dml.product(index_size), plan = plan, apart = #picked > 1 }, most)
  v.own, v.dims, v.out_size = #batches + #picked + #block, #batches + #tuples + 1, out
  if batched then v.batch = #batches end
  return v
end

-- Inputs and outputs of at most `elements` elements.
local function draw_sizes(r, c, elements)
  local n = draw_parts(r, c.rank)
  local size = r.sizes(n.b + n.t + n.p, elements)
  local batches, picked = table.move(size, 1, n.b, 1, {}), table.move(size, n.b + 1, n.b + n.t, 1, {})
  local block = table.move(size, n.b + n.t + 1, #size, 1, {})
  local others = dml.product(batches) * math.max(dml.product(block), n.t)
  return batches, n.a == 0 and {} or r.sizes(n.a, math.max(1, elements // others)), picked, block
end

local function draw_most(r, c, elements, most)
  local batches, tuples, picked, block = draw_sizes(r, c, elements)
  return draw_sized(r, c, batches, tuples, picked, block, most)
end

-- Give the longest of these sizes to a dimension of batches, tuples, what is picked from or what is picked. An index
-- takes longer to make than an element.
local function draw_given(r, c, given)
  local batches, tuples, picked, block = draw_sizes(r, c, 8)
  local long, list, k = 0, picked, r.int(1, #picked)
  for i = 1, c.rank do long = math.max(long, given[i]) end
  local others = dml.product(batches) * dml.product(tuples) * dml.product(block) * #picked
  long = math.min(long, math.max(65537, (long > 1048576 and 20000000 or 1048576) // others))
  local role = r.pick { "picked", "block", "block", "tuples", "tuples", "batches" }
  if role == "block" and #block > 0 then
    list, k = block, r.int(1, #block)
  elseif role == "tuples" and #tuples > 0 then
    list, k, long = tuples, r.int(1, #tuples), math.min(long, r.chance(80) and 66000 or 131073)
  elseif role == "batches" and #batches > 0 then
    list, k, long = batches, r.int(1, #batches), math.min(long, 66000)
  end
  list[k] = long
  return draw_sized(r, c, batches, tuples, picked, block)
end

-- The sizes that shape(n) draws are those of the output: the first of them of tuples, the others of what they pick. Or
-- a single tuple picks all of them, which it always does where there would be too many tuples: an index takes longer to
-- make than an element.
local function draw_planned(r, c, shape)
  local rank = c.rank
  if rank == 1 then return draw_sized(r, c, {}, {}, { r.int(1, 40) }, {}) end
  local size, plan = shape(rank)
  local a = r.int(1, rank - 1)
  while a > 1 and dml.product(size, 1, a) > 80000 do a = a - 1 end
  if dml.product(size, 1, a) > 80000 or r.chance(65) then
    size, plan = shape(rank - 1)
    return draw_sized(r, c, {}, {}, { r.int(1, dml.product(size) > 16384 and 2 or 4) }, size, nil, plan)
  end
  local t = r.chance(60) and 1 or r.int(1, a)
  local b = batched and r.chance(50) and r.int(0, a - t) or 0
  local picked = {}
  local room = 65536 // dml.product(size, 1, rank) -- the input has all that can be picked
  for k = 1, t do picked[k] = r.int(1, t == 1 and math.max(2, math.min(40, room)) or 4) end
  return draw_sized(r, c, table.move(size, 1, b, 1, {}), table.move(size, b + 1, a, 1, {}), picked,
                    table.move(size, a + 1, rank, 1, {}), nil, plan)
end

local classes = { "dtype", "rank", "index_dtype" }
local function draw_any(r, c, most, given)
  if not most and not given and r.chance(dml.planned) then return draw_planned(r, c, r.tiles) end
  if given then return draw_given(r, c, given) end
  return draw_most(r, c, most or r.elements(), most)
end

any:test "drawn" {
  "any sizes, counts of dimensions, index tensors and layouts", each = classes, dtype = "*", rank = "*",
  index_dtype = "*", cases = { quick = 600, full = 8000, exhaustive = 1000000 }, draw = draw_any,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", rank = "*",
  index_dtype = "*", cases = { quick = 240, full = 1500, exhaustive = 100000 }, draw = dml.after(draw_any, draw_planned, words),
}

-- Finds batches of tuples, tails of groups, and what is computed for the tuples of a batch.
any:test "drawn_tuples" {
  "hundreds of tuples with short blocks, most of them in dense tensors", each = classes, dtype = "*",
  rank = { 4, 5, 8 }, index_dtype = "*", cases = { quick = 16, full = 400, exhaustive = 20000 },
  draw = function(r, c)
    local batches = batched and r.chance(60) and { r.chance(30) and r.int(257, 600) or r.int(2, 4) } or {}
    local tuples = (#batches == 0 or batches[1] < 5) and { r.int(200, 700) } or {}
    local v = draw_sized(r, c, batches, tuples, r.sizes(r.int(1, 2), 64), { r.int(1, 12) })
    if r.chance(70) then v.in_layout, v.indices_layout, v.out_layout = "packed", "packed", "packed" end
    v.fill = "bits"
    return v
  end,
}

-- A few tuples that pick from a dimension of `length` elements, which has few neighbours.
index.far_tests(any, {
  each = classes, long = function(r, c, length)
    local batches, _, picked, block = draw_sizes(r, c, 4)
    local k = r.int(1, #picked)
    picked[k] = 1
    picked[k] = length(dml.product(batches) * dml.product(picked) * dml.product(block))
    return draw_sized(r, c, batches, #batches + 1 < c.rank and { r.int(1, 8) } or {}, picked, block)
  end,
})

-- More tuples than a kernel takes at once, and the elements of the output or the tuples far apart. Finds offsets of a
-- whole batch that 32 bits cannot hold.
local function draw_far_batches(r, c)
  local count = 1024 + r.int(1, 64)
  local v = draw_sized(r, c, {}, { count }, { r.int(2, 9) }, {})
  local far = r.pick { "out", "indices", "both" }
  local function stride() return r.int(2097152, 4294967295 // count) end
  v.fill, v.in_layout, v.indices_layout, v.out_layout = "bits", "packed", "packed", "packed"
  if far ~= "indices" then v.out_layout, v.out_stride[c.rank] = "strides", stride() end
  if far ~= "out" then v.indices_layout, v.indices_stride[c.rank - 1] = "strides", stride() end
  return v
end

any:test "drawn_sparse" {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", rank = "*", index_dtype = "*",
  cases = { quick = 30, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    if c.rank > 1 and r.chance(3) then return draw_far_batches(r, c) end
    local v = draw_most(r, c, 16)
    v.fill, v.in_stride, v.out_stride = "bits", r.strides(v.size, {}), r.strides(v.out_size, {})
    v.indices_stride = r.strides(v.index_size, {})
    return dml.spread(r, v, { "in", v.size, "out", v.out_size, "indices", v.index_size }) and v or nil
  end,
}

-- The limits of the tensors are in shared.lua. Finds wrong refusals of what few descriptors have, and wrong acceptance.
-- Of one dimension, the indices and the output have a single element, which cannot break all of them.
local tensors = {
  InputTensor = { key = "in", sizes = "size", strides = "in_stride", alignment = "alignment" },
  IndicesTensor = { key = "indices", sizes = "index_size", strides = "indices_stride", alignment = "alignment",
                    dtype = "index_dtype" },
  OutputTensor = { key = "out", sizes = "out_size", strides = "out_stride", alignment = "alignment", output = true },
}
local function of_several(declare)
  return function(clause, name, title, change, alter, more)
    more = more or {}
    more.rank = more.rank or range(2, 8)
    declare(clause, name, title, change, alter, more)
  end
end
local breaks = of_several(dml.illegal(any, { each = classes, draw = draw_any }))
local legal = dml.legal(any, { each = classes, draw = draw_any })
local function holds(clauses, name, title, alter, more)
  more = more or {}
  more.rank = more.rank or range(2, 8)
  legal(clauses, name, title, alter, more)
end
local ids = { null = id(1), rank = id(2), type = id(3), indices = id(4) }
index.drawn_clauses(breaks, holds, tensors, ids)
for k, count in ipairs { "InputDimensionCount", "IndicesDimensionCount" } do
  breaks(id(4 + k), "many", count .. " is 0 or more than the dimensions", { [count] = "by" }, function(r, v, c)
    v.by = r.chance(20) and 0 or r.about(c.rank + 1, 4294967295)
  end)
end
local tuples = { IndicesTensor = { Sizes = "pick(at == rank, by, index_size)", Layout = "0" } }
local function most_coordinates(v, c) return 4294967295 // (dml.product(v.index_size) // v.index_size[c.rank]) end
breaks(id(9), "tuple", "tuples of more indices than the tensors have dimensions", tuples, function(r, v, c)
  local most = most_coordinates(v, c)
  if c.rank + 1 > most then return false end
  v.by = r.about(c.rank + 1, most)
end)
breaks(long_tuple, "tuple", "tuples of more indices than there are dimensions to pick from, and no more than dimensions",
       tuples, function(r, v, c)
  local least, most = v.own - (v.batch or 0) + 1, math.min(c.rank, most_coordinates(v, c))
  if least > most then return false end
  v.by = r.int(least, most)
end)
breaks(id(10), "size", "a size of the output differs",
       { OutputTensor = { Sizes = "pick(at == broken, out_size + by, out_size)", Layout = "0" } }, function(r, v, c)
  v.broken = r.int(1, c.rank)
  local n = v.out_size[v.broken]
  local most = 4294967295 // (dml.product(v.out_size) // n) - n
  if most < 1 and n < 2 then return false end
  v.by = (most < 1 or n > 1 and r.chance(50)) and -r.about(1, n - 1) or r.about(1, most)
end)
breaks(id(10), "count", "two sizes of the output are exchanged, and it has as many elements", {
  OutputTensor = { Sizes = "pick(at == broken, out_size[which], pick(at == which, out_size[broken], out_size))", Layout = "0" },
}, function(r, v, c)
  v.broken, v.which = r.int(1, c.rank), r.int(1, c.rank)
  return v.out_size[v.broken] ~= v.out_size[v.which]
end)
if batched then
  breaks(id(15), "many", "as many batch dimensions as the tensors have, or more", { BatchDimensionCount = "by" },
         function(r, v, c) v.by = r.about(c.rank, 4294967295) end)
  breaks(id(17), "many", "as many batch dimensions as count of the input or of the indices, or more",
         { BatchDimensionCount = "by" }, function(r, v, c)
    local least = math.min(v.own, v.dims)
    if least == c.rank then return false end
    v.by = r.int(least, c.rank - 1)
  end)
  breaks(id(16), "size", "a batch dimension has another size in the indices and the output", {
    IndicesTensor = { Sizes = "pick(at == rank - dims + broken, index_size + by, index_size)", Layout = "0" },
    OutputTensor = { Sizes = "pick(at == rank - dims - own + batch + index_size[rank] + 1 + broken, out_size + by, " ..
                             "out_size)", Layout = "0" },
  }, function(r, v, c)
    if v.batch == 0 then return false end
    v.broken = r.int(1, v.batch)
    local n = v.index_size[c.rank - v.dims + v.broken]
    local most = 4294967295 // (math.max(dml.product(v.index_size), dml.product(v.out_size)) // n) - n
    if most < 1 and n < 2 then return false end
    v.by = (most < 1 or n > 1 and r.chance(50)) and -r.about(1, n - 1) or r.about(1, most)
  end)
end
for _, t in ipairs { { 7, "InputTensor", "size", "own" }, { 8, "IndicesTensor", "index_size", "dims" } } do
  breaks(id(t[1]), "leading", "a size before those that count is not 1",
         { [t[2]] = { Sizes = ("pick(at == broken, by, %s)"):format(t[3]), Layout = "0" } }, function(r, v, c)
    if v[t[4]] == c.rank then return false end
    v.broken = r.int(1, c.rank - v[t[4]])
    local most = 4294967295 // dml.product(v[t[3]])
    if most < 2 then return false end
    v.by = r.about(2, most)
  end)
end

holds(id(5) .. " " .. id(6), nil, "all dimensions of the input or of the indices count, or one of them", function(r, v, c)
  if v.own ~= 1 and v.own ~= c.rank or v.dims ~= 1 and v.dims ~= c.rank then return false end
end)
holds(id(9) .. " " .. long_tuple, nil, "tuples for every dimension of the input", function(r, v, c)
  if v.own - (v.batch or 0) ~= v.index_size[c.rank] then return false end
end)
holds(id(10) .. " BUF-11 BUF-21", nil, "outputs of up to 2^32 - 1 elements", function(r, v, c)
  local sizes = dml.largest_sizes(r, c.rank, c.dtype)
  local w = draw_sized(r, c, {}, { sizes[1] }, { r.int(1, 40) }, table.move(sizes, 2, c.rank, 1, {}), 4294967295)
  if dml.product(w.size) > dml.most_elements(c.dtype) then return false end
  w.in_layout, w.indices_layout, w.out_layout = "packed", "packed", "packed"
  return w
end, { asked = true })
if batched then
  holds(id(15) .. " " .. id(16) .. " " .. id(17), nil, "as many batch dimensions as fit", function(r, v, c)
    local size = r.sizes(c.rank, 256)
    local batches = table.move(size, 1, c.rank - 1, 1, {})
    return draw_sized(r, c, batches, {}, { size[c.rank] }, {})
  end)
end
legal(("BUF-01 BUF-02 BUF-05 BUF-06 %s %s %s %s %s %s"):format(id(1), id(2), id(3), id(4), id(7), id(8)), nil,
      "sizes of 1, and strides without effect", function(r, v, c)
  local w = draw_sized(r, c, {}, {}, { 1 }, {})
  w.in_layout, w.indices_layout, w.out_layout = "strides", "strides", "strides"
  return w
end)

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
index.count_tests(any, {
  each = classes, draw = draw_any, planned = draw_planned,
  batched = batched and function(r, c, sizes, rows, row)
    return draw_sized(r, c, sizes, { rows }, { r.int(2, 6) }, { row })
  end or nil,
  block = function(r, c, n)
    local v = draw_sized(r, c, {}, {}, { 2 }, { n })
    v.first, v.pattern, v.odd, v.sign = r.int(0, 1), "ascending", 0, 0
    return v
  end,
  block_classes = { dtype = { "f64", "u64", "i64" }, rank = { 2, 4 }, index_dtype = { "u32" }, sparse = true },
  batched_classes = { dtype = { "u8", "f16", "f32" }, rank = { 5, 8 }, index_dtype = { "u32", "i64" } },
  quick = { counts = 0, grids = 1 }, -- the first is large
})

any:test "drawn_ends" {
  "indices where 7, 8, 15 and 16 bits end, and at the end of a dimension that is longer", each = classes, dtype = "*",
  rank = "*", index_dtype = "*", cases = { quick = 4, full = 60, exhaustive = 20000 },
  draw = function(r, c)
    local batches, tuples, picked, block = draw_sizes(r, c, 4)
    local n = index.long(r)
    picked[r.int(1, #picked)] = n
    return index.at_end(r, draw_sized(r, c, batches, tuples, picked, block), n)
  end,
}

any:test "drawn_vast" {
  "indices along a dimension of up to 2^32 - 1 elements that share one address", vast = true, each = classes,
  dtype = "*", rank = "*", index_dtype = "*", cases = { quick = 60, full = 2000, exhaustive = 100000 },
  draw = function(r, c)
    local batches, tuples, picked, block = draw_sizes(r, c, 256)
    local k = r.int(1, #picked)
    picked[k] = 1
    local v = draw_sized(r, c, batches, tuples, picked, block)
    local others, at = dml.product(v.size), c.rank - #picked - #block + k
    local strides = r.strides(v.size, { dtype = c.dtype, shares = true })
    v.size[at] = r.about(2097152, (c.index_dtype == "i32" and 2147483647 or 4294967295) // others)
    v.first = r.chance(50) and v.size[at] - 1 or r.about(0, v.size[at] - 1)
    strides[at] = 0
    v.in_layout, v.in_stride = "strides", strides
    return v
  end,
}

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
local inside, changed, width = dml.inside, dml.changed, dml.width

op:beyond {
  "descriptors of a higher feature level", rank = "*", own = { 1, 2 }, dims = { 1, 2 }, dtype = "*", index_dtype = "*",
}

-- Tuples of one index along the first dimension, where all dimensions of the input count: a tuple picks a block.
local blocks = "own == rank and dims == min(rank, 2) and (dims == 1 or index_size[1] == 3) and index_size[dims] == 1"
local result = "pick(at == 1, index_size[1], size)"
local shapes = { own = range(1, 8), dims = { 1, 2 }, dtype = "*", index_size = { 1, 3 } }
local function of_ranks(ranks)
  local t = { rank = ranks }
  for axis, values in pairs(shapes) do t[axis] = values end
  return t
end
dml.buffer("InputTensor", "in", { sizes = "size", bytes = width, axes = of_ranks("*"), where = blocks })
dml.buffer("OutputTensor", "out",
           { sizes = result, bytes = width, axes = of_ranks(range(2, 8)), where = blocks, output = true })
dml.buffer("IndicesTensor", "indices", {
  sizes = "index_size", bytes = index.width, at = "index_at",
  where = "dims == rank",
  axes = { rank = range(3, 8), own = { 3 }, dims = range(3, 8), dtype = { "f32", "u8", "f64" }, index_dtype = "*",
           index_size = { 3 } },
})

index.illegal(op, ids, function()
  dml.too_many({
    "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = range(2, 8),
    own = range(2, 8), dims = { 1 }, dtype = "*", by = { 65536, 131071, 4294967295 }, where = "own == rank",
    change = { InputTensor = { Sizes = "by + 0 * size" },
               OutputTensor = { Sizes = "pick(at == 1, 1, by + 0 * size)" } },
  }, { rank = range(3, 8), own = range(3, 8) })
end)
local counts = { "InputDimensionCount", "IndicesDimensionCount", batched and "BatchDimensionCount" or nil }
for k, count in ipairs(counts) do
  op:invalid(id(1)) {
    count .. " is not stated", name = count, rank = "*", own = { 1, 2 }, dims = { 1, 2 }, dtype = "*",
    change = { [count] = { Present = "0" } },
  }
  if k <= 2 then
    op:invalid(id(4 + k)) {
      count .. " is more than the dimensions", name = "many", rank = "*", own = { 1, 2 }, dims = { 1, 2 }, dtype = "*",
      index_dtype = "*", by = { 1, 2, 7, 2147483647, 4294967280 }, change = { [count] = "rank + by" },
    }
    op:invalid(id(4 + k)) {
      count .. " is 0", name = "none", rank = "*", own = { 1, 2 }, dims = { 1, 2 }, dtype = "*", index_dtype = "*",
      change = { [count] = "0" },
    }
  end
end
op:invalid(id(7)) {
  "a size of the input before those that count is not 1", name = "leading", rank = range(2, 8), own = range(2, 8),
  dims = { 2 }, dtype = "*", size = { 2, 3 }, index_size = { 1, 3 },
  where = { blocks, "each(size == 2) or each(size == 3)" },
  change = { InputDimensionCount = "own - 1",
             OutputTensor = { Sizes = "pick(at == 1, 1, pick(at == 2, index_size[1], size))" } },
}
op:invalid(id(8)) {
  "a size of the indices before those that count is not 1", name = "leading", rank = range(2, 8), own = { 2 },
  dims = range(2, 8), dtype = "*", index_dtype = "*", index_size = { 2 }, where = "dims == rank",
  change = { IndicesDimensionCount = "dims - 1", OutputTensor = { Sizes = "pick(index_at <= 2, 1, index_size)" } },
}
op:invalid(id(9)) {
  "tuples of more indices than the tensors have dimensions", name = "tuple", rank = range(2, 8), own = range(1, 8),
  dims = range(2, 8), dtype = "*", index_dtype = "*", by = { 1, 2, 65536, 4294967280 }, where = "dims == rank",
  change = { IndicesTensor = { Sizes = "pick(index_at == rank, rank + by, index_size)" } },
}
op:invalid(long_tuple) {
  "tuples of more indices than the input has dimensions that count", name = "tuple", rank = range(2, 8),
  own = range(1, 7), dims = range(2, 8), dtype = "*", index_dtype = "*", by = range(1, 7),
  where = "dims == rank and own + by <= rank",
  change = { IndicesTensor = { Sizes = "pick(index_at == rank, own + by, index_size)" } },
}
op:invalid(id(10)) {
  "a size of the output differs", name = "size", rank = range(2, 8), own = range(1, 8), dims = { 2 }, dtype = "*",
  index_size = { 1, 3 }, broken = range(1, 8), by = { 1, -1, 65536 }, where = { blocks, inside },
  change = { OutputTensor = { Sizes = changed(result .. " + by", result) } },
}
op:invalid(id(10)) {
  "the output has the sizes of the input", name = "input", rank = range(2, 8), own = range(1, 8), dims = { 2 },
  dtype = "*", size = { 2, 4 }, index_size = { 1, 3 }, where = blocks, change = { OutputTensor = { Sizes = "size" } },
}
op:invalid(id(10)) {
  "the output would have more dimensions than the tensors", name = "room", rank = range(3, 8), own = range(3, 8),
  dtype = "*", index_dtype = "*", size = { 1, 3 }, by = range(1, 6),
  where = { "own == rank and dims + by <= rank", "each(size == 1) or each(size == 3)" },
  change = { IndicesDimensionCount = "dims + by", OutputTensor = { Sizes = "size" } },
}
if batched then
  op:invalid(id(15)) {
    "as many batch dimensions as the tensors have, or more", name = "many", rank = "*", own = { 1, 2, 3 },
    dims = { 1, 2, 3 }, dtype = "*", by = { 0, 1, 7, 2147483647, 4294967280 },
    change = { BatchDimensionCount = "rank + by" },
  }
  op:invalid(id(17)) {
    "as many batch dimensions as count of the input or of the indices, or more", name = "many", rank = range(2, 8),
    own = { 1, 2, 3 }, dims = { 1, 2, 3 }, dtype = "*", by = range(0, 6), where = "min(own, dims) + by < rank",
    change = { BatchDimensionCount = "min(own, dims) + by" },
  }
  op:invalid(id(16)) {
    "a batch dimension has another size in the indices and the output", name = "size", rank = range(2, 8),
    own = range(2, 8), dims = range(2, 8), batch = range(1, 7), dtype = "*", size = { 1, 3 }, index_size = { 1, 3 },
    broken = range(1, 7), by = { 1, -1, 65536 },
    where = { "own == rank and dims == rank and batch == rank - 1", "each(at == rank or size == 3)",
              "size[rank] == 1", "index_size[rank] == 1", "broken >= 1 and broken <= batch" },
    change = { IndicesTensor = { Sizes = "pick(index_at == broken, 3 + by, index_size)" },
               OutputTensor = { Sizes = "pick(index_at == 1, 1, pick(index_at == broken + 1, 3 + by, 3))" } },
  }
end

-- ---- the pages' examples that both have, and the smallest cases of our decisions -----------------------------------
local function example(name, def)
  if batched then def.BatchDimensionCount = def.BatchDimensionCount or 0 end
  op:example(name)(def)
end

local rows = { 0, 1, 2, 3 }
example("1", {
  note = "Example 1: 1D remapping",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 2 }, data = rows },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 1 }, data = { 1, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 2 }, data = { 2, 3, 0, 1 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2,
})
example("1-4d", {
  note = "Example 1 with leading ones to 4 dimensions, as feature level 2_1 requires",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 }, data = rows },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 2, 1 }, data = { 1, 0 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 }, data = { 2, 3, 0, 1 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2,
})
local both = range(0, 41)
table.move(range(2478, 2519), 1, 42, 43, both)
example("sizes", {
  note = ("the sizes of the page's text, with OutputTensor's as it prints them (E-%s-1)"):format(prefix),
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 4, 5, 6, 7 }, data = range(0, 2519) },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 2, 3 }, data = { 0, 0, 0, 2, 3, 4 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 6, 7 }, data = both },
  InputDimensionCount = 5, IndicesDimensionCount = 3,
})
example("sizes-by-formula", {
  note = ("the same sizes, with OutputTensor's by the page's formula (E-%s-1)"):format(prefix), invalid = id(10),
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 4, 5, 6, 7 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 2, 3 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 2, 5, 6, 7 } },
  InputDimensionCount = 5, IndicesDimensionCount = 3,
})
example("negative", {
  note = ("-1 is the last element of its dimension, for signed types (%s)"):format(id(12)),
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, data = { 11, 12, 13, 14, 15, 16 } },
  IndicesTensor = { DataType = "INT32", Sizes = { 2, 2 }, data = { -1, 0, 0, -3 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 2 }, data = { 14, 11 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2,
})
example("out-of-range", {
  note = ("an index beyond its dimension: no fault, and its elements are undefined (%s)"):format(id(13)),
  ambiguous = ("E-%s-2"):format(prefix),
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 3, 2 }, data = { 5, 0, 0, 7, 4294967295, 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 3 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2,
})
example("out-of-range-64", {
  note = "indices beyond their dimensions that are no 64-bit numbers with a sign: no fault",
  ambiguous = ("E-%s-2"):format(prefix),
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT64", Sizes = { 1, 1, 3, 2 }, data = { "9223372036854775808", 0, 0, "18446744073709551615", 2, 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 3 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2,
})
example("long-tuple", {
  note = ("tuples have at most as many indices as dimensions of the input count (E-%s-3)"):format(prefix),
  invalid = long_tuple,
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 1, 2 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1 } }, InputDimensionCount = 1, IndicesDimensionCount = 1,
})
example("longest-tuple", {
  note = ("tuples have at most as many indices as the tensors have dimensions (%s)"):format(id(9)), invalid = id(9),
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 1, 3 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1 } }, InputDimensionCount = 2, IndicesDimensionCount = 1,
})
example("leading-input-size", {
  note = ("a size of the input before those that count is 1 (E-%s-4)"):format(prefix), invalid = id(7),
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1 } }, InputDimensionCount = 1, IndicesDimensionCount = 1,
})
example("leading-index-size", {
  note = ("a size of the indices before those that count is 1 (E-%s-4)"):format(prefix), invalid = id(8),
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 2, 1 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1 } }, InputDimensionCount = 1, IndicesDimensionCount = 1,
})
return example
