-- SPDX-License-Identifier: Apache-2.0
-- Blocks that become channels, and channels that become blocks. One of the two tensors is flat: its height and width are
-- whole blocks, whose elements are channels of the other one. docs/cases.md describes the language.
-- Of each operator: the flat tensor, whether there is an Order, the ledger's entries about the sizes that the page prints
-- and about blocks that are not whole, and the clauses that are not the family's.
local op, t = operators {
  ["dml.depth_to_space"]  = { flat = "OutputTensor", clauses = { parts = "OP-08", sizes = "OP-09" } },
  ["dml.depth_to_space1"] = { flat = "OutputTensor", ordered = true, clauses = { parts = "OP-08", sizes = "OP-09" } },
  ["dml.space_to_depth"]  = { flat = "InputTensor", printed = " (E-SD-1)",
                              clauses = { parts = "OP-09", sizes = "OP-08" } },
  ["dml.space_to_depth1"] = { flat = "InputTensor", ordered = true, printed = " (E-SD1-1)", part = " (E-SD1-2)",
                              clauses = {
    exists = "SD1-01", types = "SD1-02", same = "SD1-02", dims = "SD1-03", order = "SD1-04", block = "SD1-05",
    parts = "SD1-06", sizes = "SD1-07" } },
}
local clause = { exists = "OP-01", dims = "OP-02", types = "OP-03", order = "OP-04", same = "OP-06", block = "OP-07" }
for what, id in pairs(t.clauses) do clause[what] = id end
local to_depth = t.flat == "InputTensor"
local every = t.ordered and "*" or nil            -- Order, where there is one
local level = not t.ordered and "2_1" or nil      -- below, an operator without Order has no integers

-- What belongs to the input and to the output, of what belongs to the flat tensor and to the other one.
local function in_out(flat, deep)
  if to_depth then return flat, deep end
  return deep, flat
end

-- ---- axes: the first value is the default -------------------------------------------------------------------------
op:axis("rank", "DimensionCount of both tensors") { 4 }
op:axis("dtype", "DataType of both tensors") { all.dtypes }
if t.ordered then op:axis("order", "Order: DEPTH_COLUMN_ROW or COLUMN_ROW_DEPTH") { "dcr", "crd" } end
op:axis("block", "BlockSize") { 2, 1, 3, 4, 5, 7, 8, 16, 17, 32 }
op:axis("in_layout", "memory layout (Strides) of InputTensor") { all.layouts }
op:axis("out_layout", "memory layout (Strides) of OutputTensor") { all.output_layouts }
op:axis("fill", "contents of InputTensor") { all.fills }
op:axis("extra", "bytes of TotalTensorSizeInBytes beyond the least, of both tensors") { 0, 4, 3, 64 }
op:axis("alignment", "GuaranteedBaseOffsetAlignment of both tensors") { 0, 16, 32, 256 }
op:axis("length", "size of the dimension that `long` names") (shared().index.lengths)
op:axis("long", "the dimension that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4 }
op:axis("size", "batches, channels of " .. t.flat .. ", and blocks along its height and width")
  { 3, 1, 2, 4, 5, 7, 8, 17, per = "rank" }
op:positions("at", "rank")

local dim = "pick(at == long, length, size)"
local in_sizes, out_sizes = in_out(function(of) return ("pick(at <= 2, %s, %s * block)"):format(of, of) end,
                                   function(of) return ("pick(at == 2, %s * block * block, %s)"):format(of, of) end)
local order = t.ordered and "order == 'crd' and 1 or 0" or nil
op:bind {
  InputTensor  = { DataType = "dtype", Sizes = in_sizes(dim), Layout = "in_layout", Fill = "fill", Extra = "extra",
                   Alignment = "alignment" },
  OutputTensor = { Sizes = out_sizes(dim), Layout = "out_layout", Extra = "extra", Alignment = "alignment" },
  BlockSize = "block", Order = order,
}

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds rows and columns of a block that are exchanged, channels in the wrong order, and a size or a block that is used
-- for another one.
op:test "exhaustive" {
  "every order and small block of small tensors, with every data type",
  dtype = "*", order = every, block = { 2, 1, 3, 4, 5 }, size = { 2, 1, 3, 4 },
  where = { "block <= 3 or each(size <= 3)", "block <= 4 or each(size <= 2)" },
}

op:test "pairwise" {
  "every pair of values of all parameters", vary = "*", strength = 2, length = { 64 }, long = { 0 },
  where = { "each(size <= 5)", "block <= 8 or each(size <= 3)" },
}

-- Finds faults in the tails of vector loops and thread groups, and 16-bit counts of channels, rows or columns.
op:test "boundary" {
  "one long dimension about each power of two", dtype = "*", order = every, block = { 2, 1, 3, 8 }, length = "*",
  long = { 1, 2, 3, 4 }, size = { 1, 2 },
  where = {
    "each(at ~= long or size == 1)",                 -- `size` says nothing about the long one
    "length <= 257 or dtype == 'f32' or dtype == 'u8' or dtype == 'f16'",
    "block <= 3 or length <= 257", "length <= 257 or sum(size) <= 5",
    "length <= 1025 or block <= 2 and sum(size) == 4", "length <= 65537 or dtype == 'u8' and block == 2",
  },
}

-- Finds long blocks that are counted wrongly: as long as rows of a vector loop, and longer.
op:test "blocks" {
  "large blocks, one or two in each direction", dtype = "*", order = every, block = range(6, 33), size = { 1, 2 },
}

-- Finds wrong addresses: every memory layout of the input with every memory layout of the output.
op:test "layout" {
  "every pair of memory layouts, and bytes behind the tensors", dtype = "*", order = every, block = { 2, 1, 3 },
  in_layout = "*", out_layout = "*", extra = "*", size = { 2, 1, 3 },
  where = { "each(at == 1 or at == 3 or size == 2)", "size[1] <= 2 and size[3] >= 2",
            "extra == 0 or block == 2 and size[1] == 2 and size[3] == 3" },
}

-- NaN payloads, signs of zero, denormals and integer extremes must be copied bit for bit (SD1-09).
op:test "special" {
  "special values and random bits are copied unchanged", dtype = "*", order = every, block = { 2, 3, 1 },
  fill = { "special", "bits" }, in_layout = { "packed", "padded" }, size = { 2, 3, 4 },
}

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
local calls = { { "data", { "data" }, "the same descriptor with other data" },
                { "other", { "other" }, "a neighbouring case with the same data" },
                { "class", { "class" }, "a case of the same shape and another layout" },
                { "return", { "same", "other" }, "itself and a neighbouring case" } }
for _, c in ipairs(calls) do
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, dtype = { "f32", "u8", "f16", "f64" }, order = every,
    block = { 2, 1, 3 }, in_layout = { "packed", "padded", "transposed" }, out_layout = { "packed", "padded" },
    size = { 2, 3 },
  }
end

-- The two orders have the same shapes.
if t.ordered then
  op:test "after_order" {
    "a call after the same call in the other order", after = { "class" }, fill = { "bits" },
    dtype = { "f32", "u8", "f16", "f64" }, order = "*", size = { 2, 3 },
  }
end

-- The keys of the flat tensor and of the other one in names of axes.
local flat, deep = in_out("in", "out")

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in the input, the output or both", sparse = true, strength = 3, dtype = "*", order = every,
  block = { 2, 1 }, fill = { "bits" }, in_layout = { "packed", "far-bytes", "far-elements", "far-inner" },
  out_layout = { "packed", "far-bytes", "far-elements", "far-inner" }, size = { 2, 1 },
  where = {
    "product(size) > 1 and product(size) * block * block <= 8",
    "dtype ~= 'u8' and dtype ~= 'i8' or in_layout ~= 'far-bytes' and out_layout ~= 'far-bytes'", -- as far-elements
    "in_layout ~= 'packed' or out_layout ~= 'packed'",
    -- BUF-11: 2^32 - 1 elements are the most, so that a dimension of four elements cannot be the far one.
    ("block == 1 or %s_layout ~= 'far-elements' or size[3] == 1"):format(flat),
    ("block == 1 or %s_layout ~= 'far-inner' or size[4] == 1"):format(flat),
    ("block == 1 or %s_layout ~= 'far-elements' or size[1] == 2"):format(deep),
    ("block == 1 or %s_layout ~= 'far-bytes' or size[2] == 1"):format(deep),
    ("block == 1 or %s_layout ~= 'far-inner' or size[3] + size[4] > 2"):format(deep),
  },
}

local dml = shared(op)

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, blocks and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"       { 4 }
any:axis "dtype"      { all.dtypes }
if t.ordered then any:axis "order" { "dcr", "crd" } end
any:axis "block"      { 1 }
dml.in_out_axes(any, { { "size", "Sizes of InputTensor", 1 }, { "out_size", "Sizes of OutputTensor", 1 } })

-- The axes that are at their default in the calls before a case of drawn_after, one at a time.
local words = { "data", "dtype", "block", "in_layout", "out_layout", "in_extra", "out_extra", "alignment", "size",
                "out_size", "in_stride", "out_stride" }
if t.ordered then table.insert(words, 3, "order") end
dml.change_axes(any, words)
any:where("product(size) <= 4294967295")  -- BUF-11
any:where("block >= 1")
local flat_size, deep_size = in_out("size", "out_size")
any:where(("each(at <= 2 or %s == %s * block)"):format(flat_size, deep_size))
any:where(("each(at ~= 1 or size == out_size) and each(at ~= 2 or %s == %s * block * block)"):format(deep_size, flat_size))
any:bind {
  InputTensor  = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
                   Extra = "in_extra", Alignment = "alignment", Base = "in_base", Flags = "in_flags" },
  OutputTensor = { Sizes = "out_size", Layout = "out_layout", Strides = "out_stride", Extra = "out_extra",
                   Alignment = "alignment", Base = "out_base" },
  BlockSize = "block", Order = order,
}

-- Sizes of the input and of the output.
local function sizes_of(n, channels, rows, columns, block)
  return in_out({ n, channels, rows * block, columns * block }, { n, channels * block * block, rows, columns })
end

local function draw_moved(r, c, size, out_size, block, most, plan)
  local in_stride = r.strides(size, dml.strided(most, c.dtype, true))
  return dml.in_out(r, c, { size = size, in_stride = in_stride, out_size = out_size, block = block }, out_size, most, plan)
end

-- About these sizes of the flat tensor, in whole blocks of 1 to 4.
local function draw_about(r, c, given, plan)
  local block = r.pick { 2, 2, 2, 1, 3, 4 }
  local rows, columns = math.max(1, given[3] // block), math.max(1, given[4] // block)
  local size, out_size = sizes_of(given[1], given[2], rows, columns, block)
  return draw_moved(r, c, size, out_size, block, nil, plan)
end
local function draw_planned(r, c, shape) return draw_about(r, c, shape(c.rank)) end

-- At most `elements` in each tensor.
local function draw_sizes(r, elements)
  local root = 1
  while (root + 1) * (root + 1) <= elements and root < 65535 do root = root + 1 end
  local block = r.chance(70) and math.min(root, r.int(1, 5)) or r.about(1, root)
  local cells = r.sizes(4, elements // (block * block))
  local size, out_size = sizes_of(cells[1], cells[2], cells[3], cells[4], block)
  return size, out_size, block
end

local function draw_any(r, c, most, given)
  if given then return draw_about(r, c, given) end
  if not most and r.chance(dml.planned) then return draw_planned(r, c, r.tiles) end
  local size, out_size, block = draw_sizes(r, most or r.elements())
  return draw_moved(r, c, size, out_size, block, most)
end

local classes = { "dtype", "order", "rank" }
if not t.ordered then table.remove(classes, 2) end
any:test "drawn" {
  "any sizes, blocks and layouts", each = classes, dtype = "*", order = every, rank = "*",
  cases = { quick = 600, full = 8000, exhaustive = 1000000 }, draw = draw_any,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", order = every,
  rank = "*", cases = { quick = 150, full = 1500, exhaustive = 100000 }, draw = dml.after(draw_any, draw_planned, words),
}

if t.ordered then dml.flag_test(dml.drawn_test(any, classes), { "order" }, draw_any) end

any:test "drawn_sparse" {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", order = every, rank = "*",
  cases = { quick = 40, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    local size, out_size, block = draw_sizes(r, 16)
    local v = draw_moved(r, c, size, out_size, block)
    v.fill, v.in_stride, v.out_stride = "bits", r.strides(size, {}), r.strides(out_size, {})
    return dml.spread(r, v, { "in", size, "out", out_size }) and v or nil
  end,
}

-- A kernel with a thread per element finds the source of each. Finds a last group of threads that is missing.
any:test "drawn_short_rows" {
  "one element more than groups of 256 have, in short rows", each = classes, dtype = { "u8", "f16", "f32", "f64" },
  order = every, rank = { 4 }, cases = { quick = 8, full = 60, exhaustive = 2000 },
  draw = function(r, c)
    local block, columns = r.pick { 3, 3, 5, 7 }, r.pick { 1, 3, 5, 7 }
    local cells, long = { r.pick { 1, 1, 3 }, r.pick { 1, 1, 3 }, r.pick { 1, 1, 3 } }, r.int(1, 3)
    cells[long] = 1
    local row = block * block * columns * dml.product(cells)
    cells[long] = dml.one_more(row)
    if cells[long] * row < 512 then return nil end
    local size, out_size = sizes_of(cells[1], cells[2], cells[3], columns, block)
    local v = draw_moved(r, c, size, out_size, block)
    v.in_layout, v.out_layout, v.fill = "packed", "packed", "bits"
    return v
  end,
}

-- The limits of the tensors are in shared.lua. Finds wrong refusals of what few descriptors have, and wrong acceptance.
local described = {
  InputTensor = { key = "in", sizes = "size", strides = "in_stride", alignment = "alignment" },
  OutputTensor = { key = "out", sizes = "out_size", strides = "out_stride", alignment = "alignment", output = true },
}
local breaks = dml.illegal(any, { each = classes, draw = draw_any })
local holds = dml.legal(any, { each = classes, draw = draw_any })
local numbers = { f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8 } -- the types without 64 bits
for _, name in ipairs { "InputTensor", "OutputTensor" } do
  local x = described[name]
  dml.illegal_buffer(breaks, name, x)
  dml.legal_buffer(holds, name, x)
  breaks(clause.exists, x.key, name .. " is a null pointer", { [name] = { Present = "0" } })
  breaks(clause.same, x.key, name .. " alone has another type", { [name] = { DataType = "by" } }, function(r, v, c)
    v.by = r.int(1, 8)
    if v.by == numbers[c.dtype] then return false end
    v[x.key .. "_extra"] = 34359738368
  end, { from = level })
  breaks(clause.dims, x.key, name .. " alone has fewer dimensions", { [name] = { DimensionCount = "by" } },
         function(r, v) v.by = r.int(1, 3) end)
end
local unknown = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" }
breaks("BUF-02", "type", "DataType is none of DirectML's", { InputTensor = unknown, OutputTensor = unknown },
       function(r, v) v.by = r.about(14, 4294967295) end)
breaks("BUF-05", "dims", "no dimensions, or more than eight", { InputTensor = dml.no_dims, OutputTensor = dml.no_dims },
       dml.draw_no_dims)
breaks("BUF-11", "sizes", "more than 2^32 - 1 elements",
       { InputTensor = { Sizes = "pick(at == 1, by, size)", Layout = "0" },
         OutputTensor = { Sizes = "pick(at == 1, by, out_size)", Layout = "0" } }, function(r, v)
  local least = 4294967295 // (dml.product(v.size) // v.size[1]) + 1
  if least > 4294967295 then return false end
  v.by = r.about(least, 4294967295)
end)
breaks("BUF-11", "wrapped", "2^64 elements and a few more", { InputTensor = dml.wrapped, OutputTensor = dml.wrapped },
       function(r, v, c)
  v.size, v.block = table.move(v.out_size, 1, 4, 1, {}), 1
  v.in_layout, v.out_layout = "packed", "packed"
  return dml.draw_wrapped(r, v, c)
end)
if t.ordered then
  breaks(clause.order, "order", "Order is none of the enumeration's values", { Order = "by" },
         function(r, v) v.by = r.about(2, 4294967295) end)
end
breaks(clause.block, "zero", "BlockSize is 0", { BlockSize = "0" })
breaks(clause.parts, "rows", "a part of a block is left over",
       { InputTensor = { Sizes = "pick(at == broken, size + by, size)", Layout = "0" } }, function(r, v)
  if v.block == 1 then return false end
  v.broken = to_depth and r.int(3, 4) or 2
  v.by = r.int(1, v.block - 1)
  if r.chance(50) then v.by = -v.by end
  local size = v.size[v.broken]
  return dml.product(v.size) // size * (size + v.by) <= 4294967295
end)

-- Change a size of the output by what keeps it within 2^32 - 1 elements, and above 0.
local function draw_other_size(r, v)
  v.broken = r.int(1, 4)
  local n = v.out_size[v.broken]
  local room = 4294967295 // (dml.product(v.out_size) // n) - n
  if room < 1 and n < 2 then return false end
  v.by = (room < 1 or n > 1 and r.chance(50)) and -r.about(1, n - 1) or r.about(1, room)
end
breaks(clause.sizes, "size", "a size of the output is another one",
       { OutputTensor = { Sizes = "pick(at == broken, out_size + by, out_size)", Layout = "0" } }, draw_other_size)
breaks(clause.sizes, "count", "two sizes of the output are exchanged, and it has as many elements", {
  OutputTensor = { Sizes = "pick(at == broken, out_size[which], pick(at == which, out_size[broken], out_size))",
                   Layout = "0" },
}, function(r, v)
  v.broken, v.which = r.int(1, 4), r.int(1, 4)
  return v.out_size[v.broken] ~= v.out_size[v.which]
end)

holds(clause.block, nil, "blocks of one element, of which the output is a copy", function(r, v, c)
  local size = r.sizes(4, r.elements())
  return draw_moved(r, c, size, table.move(size, 1, 4, 1, {}), 1)
end)
holds(clause.parts .. " " .. clause.sizes .. " BUF-11 BUF-21", nil, "one block, up to 65,535 x 65,535, or a few of them",
      function(r, v, c)
  local block = r.chance(30) and 65535 - r.int(0, 3) or r.about(2, 65535)
  local cells = r.sizes(4, math.min(8, 4294967295 // (block * block)))
  local size, out_size = sizes_of(cells[1], cells[2], cells[3], cells[4], block)
  local w = draw_moved(r, c, size, out_size, block, 4294967295)
  w.in_layout, w.out_layout = "packed", "packed"
  return w
end, { asked = true })
local kept = { "BUF-01", "BUF-02", "BUF-05", "BUF-06", clause.exists, clause.same, clause.dims,
               t.ordered and clause.order or nil }
if clause.types ~= clause.same then table.insert(kept, clause.types) end
holds(table.concat(kept, " "), nil, "sizes of 1, and strides without effect", function(r, v, c)
  local w = draw_moved(r, c, { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, 1)
  w.in_layout, w.out_layout = "strides", "strides"
  return w
end)

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
dml.count_tests(any, {
  each = classes, draw = draw_any, planned = draw_planned, grids = dml.narrow({ 4 }),
  quick = { counts = 1, grids = 1 },
  large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 4 } },
})

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
local inside, changed, width = dml.inside, dml.changed, dml.width

op:beyond { "descriptors of a higher feature level", dtype = "*", order = every }

local shapes = { dtype = "*", order = every }
dml.buffer("InputTensor", "in", { sizes = in_sizes "size", bytes = width, axes = shapes })
dml.buffer("OutputTensor", "out", { sizes = out_sizes "size", bytes = width, axes = shapes, output = true })

-- Clauses that are broken in both tensors, because both have to have the same type and dimension count.
local function both(clause, name, title, change, more)
  local def = { title, name = name, dtype = "*", order = every, change = { InputTensor = change, OutputTensor = change } }
  for word, value in pairs(more or {}) do def[word] = value end
  op:invalid(clause)(def)
end
op:axis("eight", "Sizes of eight dimensions, more than the tensors have") { 1, per = 8 }
both("BUF-02", nil, "DataType is none of DirectML's", { DataType = "by", TotalTensorSizeInBytes = "65536" },
     { by = { 0, 14, 15, 16, 255, 4294967295 } })
both(clause.types, "four-bit", "types that DirectML has and the operator does not support",
     { DataType = "by", TotalTensorSizeInBytes = "65536" }, { by = { 12, 13 }, from = "6_3" })
both("BUF-05", "none", "no dimensions", { DimensionCount = "0" })
both("BUF-05", "nine", "nine dimensions", { Sizes = "nine" })
both("BUF-05", "many", "more dimensions than a tensor can hold",
     { Sizes = "sixteen", DimensionCount = "by", TotalTensorSizeInBytes = "65536" },
     { by = { 16, 17, 255, 2147483649, 4294967295 } })
dml.too_many {
  "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", dtype = "*", order = every,
  by = { 65536, 131071, 4294967295 }, block = { 1 },
  change = { InputTensor = { Sizes = "by + 0 * size" }, OutputTensor = { Sizes = "by + 0 * size" } },
}
-- The area of a block in 32 bits is 0, or too small.
local exabytes = "4611686018427387904"
local in_block, out_block = in_out({ Sizes = "pick(at <= 2, 1, by)", TotalTensorSizeInBytes = exabytes },
                                   { Sizes = "pick(at == 2, by * by, 1)", TotalTensorSizeInBytes = exabytes })
op:invalid "BUF-11" {
  "one block of 2^32 elements or more", name = "block", dtype = "*", order = every,
  by = { 65536, 65537, 131072, 2147483648 },
  where = "by < 2147483648 or dtype == 'u8' or dtype == 'i8'", -- the bytes have 64 bits
  change = { BlockSize = "by", InputTensor = in_block, OutputTensor = out_block },
}
both(clause.dims, "fewer", "both tensors have fewer dimensions than 4", { DimensionCount = "by" }, { by = { 1, 2, 3 } })
both(clause.dims, "more", "both tensors have more dimensions than 4", { Sizes = "eight", DimensionCount = "by" },
     { by = { 5, 6, 7, 8 }, from = "3_0" })

-- At level 2_1, a 64-bit type would break BUF-02 as well.
local fits = "other ~= dtype and (other ~= 'f64' and other ~= 'u64' and other ~= 'i64' or dtype == 'f64' or " ..
             "dtype == 'u64' or dtype == 'i64')"
for _, x in ipairs { { "InputTensor", "in" }, { "OutputTensor", "out" } } do
  local tensor, name = x[1], x[2]
  op:invalid(clause.exists) {
    tensor .. " is a null pointer", name = name, dtype = "*", order = every, change = { [tensor] = { Present = "0" } },
  }
  op:invalid(clause.same) {
    tensor .. " alone has another data type", name = name, dtype = "*", order = every, other = { all.dtypes },
    where = fits, from = level, change = { [tensor] = { DataType = "other" } },
  }
  op:invalid(clause.dims) {
    tensor .. " alone has fewer dimensions", name = name, dtype = "*", order = every, by = { 1, 2, 3 },
    change = { [tensor] = { DimensionCount = "by" } },
  }
  op:invalid(clause.dims) {
    tensor .. " alone has more dimensions", name = name .. "-more", dtype = "*", order = every, by = { 5, 6, 7, 8 },
    from = "3_0", change = { [tensor] = { Sizes = "eight", DimensionCount = "by" } },
  }
end
for _, attribute in ipairs(t.ordered and { "BlockSize", "Order" } or { "BlockSize" }) do
  op:invalid(clause.exists) {
    attribute .. " is not stated", name = attribute, dtype = "*", order = every,
    change = { [attribute] = { Present = "0" } },
  }
end
if t.ordered then
  op:invalid(clause.order) {
    "Order is none of the enumeration's values", dtype = "*", block = { 2, 1 },
    by = { 2, 3, 255, 256, 65536, 2147483648, 4294967295 },
    change = { Order = "by" },
  }
end
op:invalid(clause.block) {
  "BlockSize is 0", dtype = "*", order = every, block = { 2, 1 }, size = { 2, 1 }, change = { BlockSize = "0" },
}
op:invalid(clause.parts) {
  (to_depth and "rows or columns" or "channels") .. " are left over, or are missing", dtype = "*", order = every,
  block = { 2, 3, 4, 7 }, broken = to_depth and { 3, 4 } or { 2 },
  by = { 1, -1, 2, -2, 3, -3 }, size = { 2, 1 }, where = "abs(by) < block",
  change = { InputTensor = { Sizes = changed(in_sizes "size" .. " + by", in_sizes "size") } },
}
op:invalid(clause.sizes) {
  "a size of the output is another one", name = "size", dtype = "*", order = every, block = { 2, 1, 3 },
  broken = range(1, 4), by = { 1, -1, 65536 }, where = inside,
  change = { OutputTensor = { Sizes = changed(out_sizes "size" .. " + by", out_sizes "size") } },
}
op:invalid(clause.sizes) {
  "the output has the sizes of the input", name = "input", dtype = "*", order = every, block = { 2, 3 },
  size = { 2, 1, 4 }, change = { OutputTensor = { Sizes = in_sizes "size" } },
}
op:invalid(clause.sizes) {
  "the channels of the output change by a factor of BlockSize alone", name = "rows", dtype = "*", order = every,
  block = { 2, 3 }, size = { 2, 1, 4 },
  change = { OutputTensor = { Sizes = "pick(at == 2, size * block, " .. out_sizes "size" .. ")" } },
}
if to_depth then
  op:invalid(clause.sizes) {
    "the output has the sizes that the page prints, those of the inverse", name = "printed", dtype = "*", order = every,
    block = { 2 }, size = { 4, 8, 1 }, where = "size[2] >= 4",
    change = {
      OutputTensor = { Sizes = "pick(at == 1, size, pick(at == 2, size // (block * block), size * block * block))" },
    },
  }
end

-- ---- the page's examples, and the smallest cases of our decisions --------------------------------------------------
local function example(name, note, block, crd, flat_sizes, deep_sizes, flat_data, deep_data, invalid)
  local in_sizes_are, out_sizes_are = in_out(flat_sizes, deep_sizes)
  local in_data, out_data = in_out(flat_data, deep_data)
  op:example(name) {
    note = note, invalid = invalid, InputTensor = { DataType = "UINT32", Sizes = in_sizes_are, data = in_data },
    OutputTensor = { DataType = "UINT32", Sizes = out_sizes_are, data = not invalid and out_data or nil },
    BlockSize = block, Order = t.ordered and crd or nil,
  }
end
local depth = { 0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14, 18, 19, 20, 21, 22, 23, 27, 28, 29, 30, 31, 32, 36, 37, 38, 39,
                40, 41, 45, 46, 47, 48, 49, 50, 54, 55, 56, 57, 58, 59, 63, 64, 65, 66, 67, 68 }
example("1", t.ordered and "the page's example 1: depth-column-row" or "the page's example", 2, 0, { 1, 2, 4, 6 },
        { 1, 8, 2, 3 }, { 0, 18, 1, 19, 2, 20, 36, 54, 37, 55, 38, 56, 3, 21, 4, 22, 5, 23, 39, 57, 40, 58, 41, 59,
                          9, 27, 10, 28, 11, 29, 45, 63, 46, 64, 47, 65, 12, 30, 13, 31, 14, 32, 48, 66, 49, 67, 50, 68 },
        depth)
if t.ordered then
  example("2", "the page's example 2: column-row-depth", 2, 1, { 1, 2, 4, 6 }, { 1, 8, 2, 3 },
          { 0, 9, 1, 10, 2, 11, 18, 27, 19, 28, 20, 29, 3, 12, 4, 13, 5, 14, 21, 30, 22, 31, 23, 32,
            36, 45, 37, 46, 38, 47, 54, 63, 55, 64, 56, 65, 39, 48, 40, 49, 41, 50, 57, 66, 58, 67, 59, 68 }, depth)
end
if to_depth then
  example("sizes-as-printed", "the sizes that the page prints for the output" .. t.printed, 2, 0, { 1, 8, 2, 2 },
          { 1, 2, 4, 4 }, nil, nil, clause.sizes)
end
example("block-of-1", "blocks of one element: the output is a copy", 1, 0, { 1, 2, 1, 3 }, { 1, 2, 1, 3 }, range(1, 6),
        range(1, 6))
example("block-of-0", "a block has at least one element" .. (t.part or ""), 0, 0, { 1, 1, 2, 2 }, { 1, 1, 2, 2 }, nil, nil,
        clause.block)
example("part-of-a-block", (to_depth and "the last row fills" or "the last channels fill") .. " no block" .. (t.part or ""),
        2, 0, to_depth and { 1, 1, 3, 2 } or { 1, 1, 2, 2 }, to_depth and { 1, 4, 1, 1 } or { 1, 3, 1, 1 }, nil, nil,
        clause.parts)
