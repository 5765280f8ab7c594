-- SPDX-License-Identifier: Apache-2.0
-- DML_CUMULATIVE_SUMMATION: running sums along an axis. Sums of integers are judged; the results of floats are not, but
-- in the page's examples, and have tests of their own (`unjudged`, `drawn_unjudged`). docs/cases.md describes the language.
local op = operator "dml.cumulative_summation"
local types = { all.dtypes, all.unjudged_dtypes } -- of illegal descriptors, which have no results

-- ---- axes: the first value is the default -------------------------------------------------------------------------
op:axis("rank", "DimensionCount of both tensors") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("dtype", "DataType of both tensors") { all.dtypes }
op:axis("axis", "Axis") { 0, 1, 2, 3, 4, 5, 6, 7 }
op:axis("direction", "AxisDirection") { "increasing", "decreasing" }
op:axis("exclusive", "HasExclusiveSum") { 0, 1 }
op:axis("in_layout", "memory layout (Strides) of InputTensor") { all.layouts }
op:axis("out_layout", "memory layout (Strides) of OutputTensor") { all.output_layouts }
op:axis("fill", "contents of InputTensor") { all.fills }
op:axis("extra", "bytes of TotalTensorSizeInBytes beyond the least, of both tensors") { 0, 4, 3, 64 }
op:axis("alignment", "GuaranteedBaseOffsetAlignment of both tensors") { 0, 16, 32, 256 }
op:axis("length", "size of the dimension that `long` names") (shared().index.lengths)
op:axis("long", "the dimension that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4, 5, 6, 7, 8 }
op:axis("size", "Sizes of both tensors, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 5, 6, 7, 8, 17, 33, per = "rank" }
op:positions("at", "rank")
op:where("axis < rank") -- CS-05
op:where("long <= rank")

local dim = "pick(at == long, length, size)"
local direction = "direction == 'decreasing' and 1 or 0"
op:bind {
  InputTensor  = { DataType = "dtype", Sizes = dim, Layout = "in_layout", Fill = "fill", Extra = "extra",
                   Alignment = "alignment" },
  OutputTensor = { Sizes = dim, Layout = "out_layout", Extra = "extra", Alignment = "alignment" },
  Axis = "axis", AxisDirection = direction, HasExclusiveSum = "exclusive",
}

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds a wrong axis, direction or first element, and sums that go on into the next line. With random bits most sums do
-- not fit into the type.
op:test "exhaustive" {
  "every axis, direction and kind of sum of small tensors, with every data type",
  rank = "*", dtype = "*", axis = "*", direction = "*", exclusive = "*", fill = { "bits", "injective" },
  size = { 3, 1, 2, 4, 5, 8, 17 },
  where = { "rank == 1 or each(size <= 8)", "rank <= 2 or each(size <= 4)", "rank <= 3 or each(size <= 3)",
            "rank <= 4 or each(size <= 2)" },
}

op:test "pairwise" {
  "every pair of values of all parameters", vary = "*", strength = 2, length = { 64, 7, 33 },
  where = { "rank <= 2 or each(size <= 8)", "rank <= 3 or each(size <= 5)", "rank <= 4 or each(size <= 3)",
            "rank <= 6 or each(size <= 2)" },
}

-- Finds faults in the tails of vector loops and thread groups, and in what carries a sum from one group to the next:
-- the long dimension is summed, or many lines are.
op:test "boundary" {
  "one long dimension about each power of two, summed or beside the sums",
  rank = { 4, 1, 2, 3, 5, 8 }, dtype = "*", axis = "*", direction = "*", exclusive = "*", length = "*",
  long = range(1, 8), fill = { "bits" }, size = { 2, 1 },
  where = {
    "each(at ~= long or size == 2)",                 -- `size` says nothing about the long one
    "axis == long - 1 or axis == 0 and long > 1 or axis == rank - 1",
    "rank <= 3 or sum(size) == rank + 2", "rank <= 3 or size[1] == 2 or size[rank] == 2",
    "length <= 1025 or rank <= 2 and sum(size) <= 3", "length <= 65537 or dtype == 'u32' and rank <= 2",
    "length <= 262144 or exclusive == 0",
  },
}

-- Finds wrong addresses: every memory layout of the input with every memory layout of the output.
op:test "layout" {
  "every pair of memory layouts, and bytes behind the tensors",
  rank = { 4, 1, 2, 3, 5, 8 }, dtype = "*", axis = "*", direction = "*", exclusive = "*", in_layout = "*",
  out_layout = "*", extra = "*", fill = { "bits" }, size = { 3, 1, 2 },
  where = {
    "rank == 1 or each(size == 2) or axis < 5 and size[axis + 1] == 3 and sum(size) == 3 + rank",
    "rank <= 4 or each(size == 2) and (axis == 0 or axis == rank - 1)",
    "extra == 0 or rank <= 3 and exclusive == 0",
    "in_layout == out_layout or in_layout == 'packed' or out_layout == 'packed' or exclusive == 0 and rank <= 4",
  },
}

-- The extremes of each type: sums are modulo 2^n (E-CS-1).
op:test "special" {
  "extreme values and random bits, in layouts of the input",
  rank = { 4, 1, 2, 3, 5, 8 }, dtype = "*", axis = "*", direction = "*", exclusive = "*", fill = { "special", "bits" },
  in_layout = { "packed", "padded", "transposed", "broadcast-first", "broadcast-last", "overlapping" },
  size = { 3, 1, 2, 4, 17, 33 },
  where = { "rank <= 2 or each(size <= 4)", "rank <= 3 or each(size <= 3)", "rank <= 4 or each(size == 2)" },
}

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
local calls = { { "data", { "data" }, "the same descriptor with other data" },
                { "other", { "other" }, "a neighbouring case with the same data" },
                { "class", { "class" }, "a case of the same shape and another layout" },
                { "return", { "same", "other" }, "itself and a neighbouring case" } }
for _, c in ipairs(calls) do
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, rank = { 4, 1, 2, 3, 8 }, dtype = "*", axis = { 0, 1, 2 },
    direction = "*", exclusive = "*", in_layout = { "packed", "padded", "transposed" },
    out_layout = { "packed", "padded" }, size = { 3, 2, 4 },
    where = { "rank <= 3 or each(size == pick(at == 1, 3, 2))", "rank <= 2 or each(size <= 3)" },
  }
end

-- The same shape and layout, and another attribute: the last axis that has several values differs.
for _, of in ipairs { { "axis", "Axis" }, { "direction", "AxisDirection" }, { "exclusive", "HasExclusiveSum" } } do
  local name, attribute = of[1], of[2]
  local def = { "a call after the same call with another " .. attribute, after = { "class" }, fill = { "bits" },
                rank = { 4, 1, 2, 3 }, dtype = "*", size = { 3, 2 } }
  def[name] = "*"
  op:test("after_" .. name)(def)
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in the input, the output or both", sparse = true, strength = 3,
  rank = { 4, 1, 2, 3, 5, 8 }, dtype = "*", axis = { 0, 1, 2, 3 }, direction = "*", exclusive = "*", fill = { "bits" },
  in_layout = { "packed", "far-bytes", "far-elements", "far-inner" },
  out_layout = { "packed", "far-bytes", "far-elements", "far-inner" }, size = { 3, 1, 2 },
  where = {
    "product(size) > 1 and product(size) <= 9",                        -- BUF-11: 2^32 - 1 elements are the most
    "in_layout ~= 'packed' or out_layout ~= 'packed'",
    "rank <= 3 or each(size == pick(at == 1, 3, pick(at == rank, 2, 1)))",
  },
}

-- In place: what an implementation writes before it has read everything, or clears first, is lost.
op:test "in_place" {
  "the output in the memory of the input, in every layout of small shapes", in_place = true,
  rank = "*", dtype = "*", axis = "*", direction = "*", exclusive = "*", in_layout = { all.output_layouts },
  out_layout = "*", fill = { "bits" }, size = { 3, 1, 2, 17, 33 },
  where = { "in_layout == out_layout", "rank == 1 or each(size <= 17)", "rank <= 2 or each(size <= 3)",
            "rank <= 3 or each(size <= 2)", "rank <= 5 or each(size == 2)" },
}

-- Executed and not judged: such a case fails where the backend refuses the call, ends, or writes what it must not.
op:test "unjudged" {
  "sums of floats, which are not judged (E-CS-2), in layouts of small shapes",
  rank = "*", dtype = { all.unjudged_dtypes }, axis = "*", direction = "*", exclusive = "*",
  fill = { "injective", "special" }, in_layout = { "packed", "padded", "transposed", "broadcast-last" },
  out_layout = { "packed", "padded", "transposed" }, size = { 3, 1, 2 },
  where = { "rank <= 2 or each(size <= 2)", "rank <= 3 or each(size == 2)" },
}

local dml = shared(op)

-- ---- sums at the limits of the types -------------------------------------------------------------------------------

-- Finds sums in a wider or narrower type, and saturation. `low` counts from the least value, or from half of the range.
local wide = op:family()
wide:axis "dtype"     { all.dtypes }
wide:axis "direction" { "increasing", "decreasing" }
wide:axis "exclusive" { 0, 1 }
wide:axis("values", "which elements InputTensor has: near the most or the least of their type, or of each in turn")
  { "high", "low", "both" }
wide:axis("length", "elements of both tensors") { 2, 3, 4, 5, 8, 9, 33, 65, 257, 1025 }
local high = "((dtype == 'u32' and 4294967295 or dtype == 'i32' and 2147483647 or 9223372036854775807) - i % 3)"
local low = "((dtype == 'u32' and 2147483648 or dtype == 'i32' and -2147483648 or " ..
            "dtype == 'u64' and 4611686018427387904 or -9223372036854775807) + i % 3)"
wide:axis("size", "Sizes of both tensors: of their only dimension") { 1, per = 1 }
wide:bind {
  InputTensor  = { DataType = "dtype", Sizes = "size * length",
                   Data = ("(values == 'high' or values == 'both' and i %% 2 == 0) and %s or %s"):format(high, low) },
  OutputTensor = { Sizes = "size * length" },
  Axis = "0", AxisDirection = direction, HasExclusiveSum = "exclusive",
}
wide:test "wrap" { "sums beyond the range of the type (E-CS-1)", vary = "*" }

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, any strides, any slack: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"       { 4, 1, 2, 3, 5, 6, 7, 8 }
any:axis "dtype"      { all.dtypes }
any:axis "axis"       { 0 }
any:axis "direction"  { "increasing", "decreasing" }
any:axis "exclusive"  { 0 }
dml.in_out_axes(any, { { "size", "Sizes of both tensors", 3 } })

-- The axes that are at their default in the calls before a case of drawn_after, one at a time.
local words = { "data", "dtype", "axis", "direction", "exclusive", "in_layout", "out_layout", "in_extra", "out_extra",
                "alignment", "size", "in_stride", "out_stride" }
dml.change_axes(any, words)
any:where("axis < rank")                 -- CS-05
any:where("product(size) <= 4294967295") -- BUF-11
any:bind {
  InputTensor  = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
                   Extra = "in_extra", Alignment = "alignment", Base = "in_base", Flags = "in_flags" },
  OutputTensor = { Sizes = "size", Layout = "out_layout", Strides = "out_stride", Extra = "out_extra",
                   Alignment = "alignment", Base = "out_base" },
  Axis = "axis", AxisDirection = direction, HasExclusiveSum = "exclusive",
}

-- Of at most `most` elements, or of these sizes, by a plan if there is one. The axis is often the longest dimension.
local function draw_sums(r, c, most, given, plan)
  if not most and not given and r.chance(dml.planned) then given, plan = r.tiles(c.rank) end
  local size = given or r.sizes(c.rank, most or r.elements())
  local in_stride, longest = r.strides(size, dml.strided(most, c.dtype, true)), 1
  for k = 2, c.rank do if size[k] > size[longest] then longest = k end end
  return dml.in_out(r, c, {
    size = size, in_stride = in_stride, axis = r.chance(40) and longest - 1 or r.int(0, c.rank - 1),
    direction = r.pick { "increasing", "decreasing" }, exclusive = r.int(0, 1),
  }, size, most, plan)
end
local function draw_planned(r, c, shape) return draw_sums(r, c, nil, shape(c.rank)) end
local classes = { "dtype", "rank" }

any:test "drawn" {
  "any sizes, axes, strides and slack", each = classes, dtype = "*", rank = "*",
  cases = { quick = 600, full = 12000, exhaustive = 1000000 }, draw = draw_sums,
}

any:test "drawn_unjudged" {
  "the same of floats, which are not judged", each = classes, dtype = { all.unjudged_dtypes }, rank = "*",
  cases = { quick = 64, full = 2000, exhaustive = 100000 }, draw = draw_sums,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", rank = "*",
  cases = { quick = 150, full = 2000, exhaustive = 100000 }, draw = dml.after(draw_sums, draw_planned, words),
}

-- Finds what carries a sum from one block of a line to the next, in either direction, and loses the rest of the last.
any:test "drawn_carries" {
  "long lines of about a multiple of 64 to 16,384 elements", each = classes, dtype = "*", rank = { 1, 2, 3, 4 },
  cases = { quick = 24, full = 400, exhaustive = 20000 },
  draw = function(r, c)
    local size, axis = {}, r.chance(60) and c.rank or r.int(1, c.rank)
    for k = 1, c.rank do size[k] = r.chance(70) and 1 or 2 end
    size[axis] = (1 << r.int(6, 14)) * r.int(1, 5) + r.int(-2, 2)
    local v = draw_sums(r, c, nil, size)
    v.axis, v.fill = axis - 1, "bits"
    if r.chance(60) then v.in_layout, v.out_layout = "packed", "packed" end
    return v
  end,
}

dml.flag_test(dml.drawn_test(any, classes), { "exclusive", "direction" }, draw_sums)

any:test "drawn_in_place" {
  "the output in the memory of the input", in_place = true, each = classes, dtype = "*", rank = "*",
  cases = { quick = 100, full = 2000, exhaustive = 60000 },
  draw = dml.in_place(draw_sums, { "layout", "stride", "extra", "base" }),
}

any:test "drawn_sparse" {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", rank = "*",
  cases = { quick = 80, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    local v = draw_sums(r, c)
    v.size, v.fill = dml.few(r, c.rank), "bits"
    v.in_stride, v.out_stride = r.strides(v.size, {}), r.strides(v.size, {})
    return dml.spread(r, v, { "in", v.size, "out", v.size }) and v or nil
  end,
}

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
dml.count_tests(any, {
  each = classes, draw = draw_sums, planned = draw_planned, quick = { counts = 2, grids = 4 },
  full = { counts = 40, grids = 60, tall = 2, large = 1, high = 5 }, grids = { dtype = { "u32", "i32" }, rank = { 3, 4, 2, 5, 8 } },
  large = { dtype = { "u32", "i32" }, rank = { 3, 4, 2 } },
})

-- The limits of the tensors are in shared.lua. Finds wrong refusals of what few descriptors have, and wrong acceptance.
local tensors = {
  InputTensor = { key = "in", sizes = "size", strides = "in_stride", alignment = "alignment" },
  OutputTensor = { key = "out", sizes = "size", strides = "out_stride", alignment = "alignment", output = true },
}
local illegal = dml.illegal(any, { each = classes, draw = draw_sums })
local function breaks(clause, name, title, change, alter, more)
  local of = { dtype = types }
  for word, value in pairs(more or {}) do of[word] = value end
  illegal(clause, name, title, change, alter, of)
end
local holds = dml.legal(any, { each = classes, draw = draw_sums })
local numbers = { f32 = 1, f16 = 2, u32 = 3, i32 = 6 } -- the types without 64 bits
for _, name in ipairs { "InputTensor", "OutputTensor" } do
  local t = tensors[name]
  dml.illegal_buffer(breaks, name, t)
  dml.legal_buffer(holds, name, t)
  breaks("CS-01", t.key, name .. " is a null pointer", { [name] = { Present = "0" } })
  breaks("CS-02", t.key, name .. " alone has another type", { [name] = { DataType = "by" } }, function(r, v, c)
    v.by = r.int(1, 8)
    if v.by == numbers[c.dtype] then return false end
    v[t.key .. "_extra"] = 34359738368
  end)
  breaks("CS-03", t.key, name .. " alone has fewer dimensions", { [name] = { DimensionCount = "rank - by" } },
         function(r, v, c)
    v.by = r.int(1, c.rank - 1)
    v.axis = r.int(0, c.rank - v.by - 1)
  end, { rank = range(2, 8) })
  dml.one_leading(breaks, "CS-03", name, t)
  breaks("CS-04", t.key, name .. " alone has another size",
         { [name] = { Sizes = "pick(at == broken, size + by, size)" } }, function(r, v, c)
    v.broken = r.int(1, c.rank)
    v[t.key .. "_layout"] = "packed"
    local n = v.size[v.broken]
    local most = 4294967295 // (dml.product(v.size) // n) - n
    if most < 1 and n < 2 then return false end
    v.by = (most < 1 or n > 1 and r.chance(50)) and -r.about(1, n - 1) or r.about(1, most)
  end)
  breaks("CS-04", t.key .. "-count", name .. " alone has two sizes exchanged, and as many elements", {
    [name] = { Sizes = "pick(at == broken, size[which], pick(at == which, size[broken], size))" },
  }, function(r, v, c)
    v.broken, v.which, v[t.key .. "_layout"] = r.int(1, c.rank), r.int(1, c.rank), "packed"
    return v.size[v.broken] ~= v.size[v.which]
  end, { rank = range(2, 8) })
end
local unknown = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" }
breaks("BUF-02", "type", "DataType is none of DirectML's", { InputTensor = unknown, OutputTensor = unknown },
       function(r, v) v.by = r.about(14, 4294967295) end)
breaks("BUF-05", "dims", "no dimensions, or more than eight", { InputTensor = dml.no_dims, OutputTensor = dml.no_dims },
       dml.draw_no_dims)
breaks("BUF-11", "sizes", "more than 2^32 - 1 elements",
       { InputTensor = { Sizes = "pick(at == broken, by, size)", Layout = "0" },
         OutputTensor = { Sizes = "pick(at == broken, by, size)", Layout = "0" } }, function(r, v, c)
  v.broken = r.int(1, c.rank)
  local least = 4294967295 // (dml.product(v.size) // v.size[v.broken]) + 1
  if least > 4294967295 then return false end
  v.by = r.about(least, 4294967295)
end, { rank = range(2, 8) })
breaks("BUF-11", "wrapped", "2^64 elements and a few more", { InputTensor = dml.wrapped, OutputTensor = dml.wrapped },
       dml.draw_wrapped, { rank = range(3, 8) })
breaks("CS-02", "lacking", "types that the operator does not support",
       { InputTensor = { DataType = "by" }, OutputTensor = { DataType = "by" } }, function(r, v)
  v.by = r.pick { 4, 5, 7, 8 } -- UINT16, UINT8, INT16 and INT8
end)
breaks("CS-05", "beyond", "the axis is beyond the last dimension", { Axis = "by" },
       function(r, v, c) v.by = r.about(c.rank, 4294967295) end)
breaks("CS-06", "direction", "AxisDirection is none of the enumeration's values", { AxisDirection = "by" },
       function(r, v) v.by = r.about(2, 4294967295) end)
holds("BUF-11 BUF-21", "sizes", "2^32 - 1 elements", function(r, v, c)
  v.size, v.in_layout, v.out_layout = dml.largest_sizes(r, c.rank, c.dtype), "packed", "packed"
  if r.chance(70) then
    local most = dml.most_elements(c.dtype)
    v.in_layout, v.in_stride = "strides", r.strides(v.size, { dtype = c.dtype, shares = true, span = most })
  end
end, { asked = true })
holds("BUF-01 BUF-02 BUF-05 BUF-06 CS-01 CS-02 CS-03 CS-04 CS-06", nil,
      "sizes of 1 and of 2^32 - 1, and strides without effect", function(r, v, c)
  for k = 1, c.rank do v.size[k] = 1 end
  local most = dml.most_elements(c.dtype)
  if r.chance(50) then v.size[r.int(1, c.rank)] = most end
  v.in_stride, v.out_stride = r.strides(v.size, { shares = true, span = most }), r.strides(v.size, { span = most })
end, { asked = true })
holds("CS-05", nil, "the last axis", function(r, v, c) v.axis = c.rank - 1 end)

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
local inside, changed = dml.inside, dml.changed
local width = "((dtype == 'u64' or dtype == 'i64') and 8 or dtype == 'f16' and 2 or 4)" -- bytes of an element
-- At levels with 4 dimensions, a 64-bit type would break BUF-02 as well.
local fits = { "other ~= 'u64' and other ~= 'i64' or dtype == 'u64' or dtype == 'i64' or rank ~= 4" }
for _, list in ipairs(types) do
  for _, name in ipairs(list) do fits[#fits + 1] = ("dtype ~= '%s' or other ~= '%s'"):format(name, name) end
end

op:beyond { "descriptors of a higher feature level", rank = "*", dtype = types, direction = "*" }

local shapes = { rank = "*", dtype = types }
dml.buffer("InputTensor", "in", { sizes = "size", bytes = width, axes = shapes })
dml.buffer("OutputTensor", "out", { sizes = "size", bytes = width, axes = shapes, output = true })

-- Clauses that are broken in both tensors, because both have to have the same type and shape.
local function both(clause, name, title, change, by, more)
  local def = { title, name = name, rank = "*", dtype = types, by = by,
                change = { InputTensor = change, OutputTensor = change } }
  for word, value in pairs(more or {}) do def[word] = value end
  op:invalid(clause)(def)
end
both("BUF-02", nil, "DataType is none of DirectML's", { DataType = "by", TotalTensorSizeInBytes = "65536" },
     { 0, 14, 15, 16, 255, 4294967295 })
both("CS-02", "four-bit", "types that DirectML has and the operator does not support",
     { DataType = "by", TotalTensorSizeInBytes = "65536" }, { 12, 13 }, { from = "6_3" })
both("CS-02", "lacking", "types of 8 and 16 bits, which the operator does not support", { DataType = "by" },
     { 4, 5, 7, 8 })
both("CS-02", "f64", "FLOAT64, which the operator does not support", { DataType = "by" }, { 9 },
     { where = "rank ~= 4 or dtype == 'u64' or dtype == 'i64'" })
both("BUF-05", "none", "no dimensions", { DimensionCount = "0" })
both("BUF-05", "nine", "nine dimensions", { Sizes = "nine" })
both("BUF-05", "many", "more dimensions than a tensor can hold",
     { Sizes = "sixteen", DimensionCount = "by", TotalTensorSizeInBytes = "65536" }, { 16, 17, 255, 2147483649, 4294967295 })
dml.too_many {
  "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = "*", dtype = types,
  by = { 65536, 131071, 4294967295 }, where = "rank >= 2",
  change = { InputTensor = { Sizes = "by + 0 * size" }, OutputTensor = { Sizes = "by + 0 * size" } },
}

op:invalid "CS-03" {
  "the output has fewer dimensions, and other sizes", name = "sizes", rank = "*", dtype = types, where = "rank >= 2",
  change = { OutputTensor = { Sizes = "size + 1", DimensionCount = "rank - 1" } },
}
for _, t in ipairs { { "InputTensor", "in" }, { "OutputTensor", "out" } } do
  local tensor, name = t[1], t[2]
  op:invalid "CS-01" {
    tensor .. " is a null pointer", name = name, rank = "*", dtype = types, change = { [tensor] = { Present = "0" } },
  }
  op:invalid "CS-02" {
    tensor .. " alone has another data type", name = name, rank = "*", dtype = types, other = types, where = fits,
    change = { [tensor] = { DataType = "other" } },
  }
  op:invalid "CS-03" {
    tensor .. " alone has fewer dimensions", name = name, rank = "*", dtype = types, by = range(1, 7),
    where = "by < rank", change = { [tensor] = { DimensionCount = "rank - by" } },
  }
  op:invalid "CS-04" {
    tensor .. " alone has another size", name = name, rank = "*", dtype = types, broken = range(1, 8),
    by = { 1, -1, -2, 2, 65536 }, change = { [tensor] = { Sizes = changed("size + by", "size") } },
    where = { inside, "by <= 2 or rank <= 6" }, -- because packed tensors of the others take a GiB
  }
end
for _, attribute in ipairs { "Axis", "AxisDirection", "HasExclusiveSum" } do
  op:invalid "CS-01" {
    attribute .. " is not stated", name = attribute, rank = "*", dtype = types,
    change = { [attribute] = { Present = "0" } },
  }
end
op:invalid "CS-05" {
  "the axis is beyond the last dimension", rank = "*", dtype = types, direction = "*", by = { 0, 1, 2, 7, 8 },
  change = { Axis = "rank + by" },
}
op:invalid "CS-05" {
  "the axis is far beyond the last dimension, or negative in 32 bits", name = "far", rank = "*", dtype = types,
  direction = "*", by = { 255, 256, 65536, 2147483647, 2147483648, 4294967294, 4294967295 }, change = { Axis = "by" },
}
op:invalid "CS-06" {
  "AxisDirection is none of the enumeration's values", rank = "*", dtype = types, exclusive = "*",
  by = { 2, 3, 255, 256, 65536, 2147483648, 4294967295 }, change = { AxisDirection = "by" },
}

-- ---- the page's examples, and the smallest cases of our decisions --------------------------------------------------
local page = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 4 }, data = { 2, 1, 3, 5, 3, 8, 7, 3, 9, 6, 2, 4 } }
local function example(name, note, attributes, data, ambiguous)
  op:example(name) {
    note = note, ambiguous = ambiguous, printed = tonumber(name) ~= nil, -- the page numbers its examples
    InputTensor = page, OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 4 }, data = data },
    Axis = attributes[1], AxisDirection = attributes[2], HasExclusiveSum = attributes[3],
  }
end
example("1", "the page's example 1: across horizontal slivers", { 3, 0, 0 }, { 2, 3, 6, 11, 3, 11, 18, 21, 9, 15, 17, 21 })
example("2", "the page's example 2: exclusive sums", { 3, 0, 1 }, { 0, 2, 3, 6, 0, 3, 11, 18, 0, 9, 15, 17 })
example("3", "the page's example 3: the other direction", { 3, 1, 0 }, { 11, 9, 8, 5, 21, 18, 10, 3, 21, 12, 6, 4 })
example("4", "the page's example 4: along another axis", { 2, 0, 0 }, { 2, 1, 3, 5, 5, 9, 10, 8, 14, 15, 12, 12 })
example("exclusive-decreasing", "exclusive sums in the other direction: the last one is 0", { 3, 1, 1 },
        { 9, 8, 5, 0, 18, 10, 3, 0, 12, 6, 4, 0 })
for _, value in ipairs { 2, 255, 256, 65536, 2147483648, 4294967295 } do
  example(value == 2 and "truth" or "truth-" .. value, ("HasExclusiveSum is TRUE by %d, too (E-CS-3)"):format(value),
          { 3, 0, value }, { 0, 2, 3, 6, 0, 3, 11, 18, 0, 9, 15, 17 }, "E-CS-3")
end

local function sums(name, note, dtype, data, results)
  op:example(name) {
    note = note, own_types = true,
    InputTensor = { DataType = dtype, Sizes = { 1, 1, 1, #data }, data = data },
    OutputTensor = { DataType = dtype, Sizes = { 1, 1, 1, #data }, data = results },
    Axis = 3, AxisDirection = 0, HasExclusiveSum = 0,
  }
end
sums("wrap-u32", "a sum beyond 2^32 - 1 is taken modulo 2^32 (E-CS-1)", "UINT32", { 4294967295, 1, 2 }, { 4294967295, 0, 2 })
sums("wrap-i32", "a sum beyond 2^31 - 1 continues at -2^31 (E-CS-1)", "INT32", { 2147483647, 1, -1 },
     { 2147483647, -2147483648, 2147483647 })
sums("wrap-i64", "a sum beyond 2^63 - 1 continues at -2^63 (E-CS-1)", "INT64", { math.maxinteger, 1, -1 },
     { math.maxinteger, math.mininteger, math.maxinteger })
sums("order", "2^24 + 1 + 1, each sum rounded, stays 2^24; added from the right, it is 2^24 + 2 (E-CS-2)", "FLOAT32",
     { 16777216, 1, 1 }, { 16777216, 16777216, 16777216 })
op:example "axis-beyond" {
  note = "there is no dimension 4", invalid = "CS-05",
  InputTensor = page, OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 4 } },
  Axis = 4, AxisDirection = 0, HasExclusiveSum = 0,
}
op:example "direction-2" {
  note = "there is no third direction", invalid = "CS-06",
  InputTensor = page, OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 4 } },
  Axis = 3, AxisDirection = 2, HasExclusiveSum = 0,
}
