-- SPDX-License-Identifier: Apache-2.0
-- DML_ELEMENT_WISE_IDENTITY: a plain copy, whose cases cover memory layouts completely.
local op = operator "dml.element_wise_identity"

-- ---- axes: the first value is the default -------------------------------------------------------------------------
op:axis("rank", "DimensionCount of both tensors") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("dtype", "DataType of both tensors") { all.dtypes }
op:axis("length", "size of the dimension that `long` names")
  { 64, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 513, 1023, 1024, 1025, 4095, 4097,
    65535, 65536, 65537, 262144, 4194304 }
op:axis("long", "the dimension that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4, 5, 6, 7, 8 }
op:axis("in_layout", "memory layout (Strides) of InputTensor") { all.layouts }
op:axis("out_layout", "memory layout (Strides) of OutputTensor") { all.output_layouts }
op:axis("fill", "contents of InputTensor") { all.fills }
-- 1 and 3 leave TotalTensorSizeInBytes no multiple of 4, which is legal (BUF-13).
op:axis("in_extra", "bytes of TotalTensorSizeInBytes beyond the least, of InputTensor") { 0, 4, 1, 3, 64, 4096 }
op:axis("out_extra", "bytes of TotalTensorSizeInBytes beyond the least, of OutputTensor") { 0, 4, 1, 3, 64, 4096 }
op:axis("in_alignment", "GuaranteedBaseOffsetAlignment of InputTensor") { 0, 16, 32, 64, 256, 4096 }
op:axis("out_alignment", "GuaranteedBaseOffsetAlignment of OutputTensor") { 0, 16, 32, 64, 256, 4096 }
op:axis("size", "Sizes of both tensors, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 5, 6, 7, 8, 17, 33, per = "rank" }
op:positions("at", "rank")
op:where("long <= rank")

local dim = "pick(at == long, length, size)"
op:bind {
  InputTensor  = { DataType = "dtype", Sizes = dim, Layout = "in_layout", Fill = "fill", Extra = "in_extra",
                   Alignment = "in_alignment" },
  OutputTensor = { Sizes = dim, Layout = "out_layout", Extra = "out_extra", Alignment = "out_alignment" },
}

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds a stride used for the wrong dimension, a layout taken for another one, a stride used for a size of 1: every
-- layout of the input with every layout of the output, for every small shape.
op:test "exhaustive" {
  "every pair of layouts of every small shape, with every data type",
  rank = "*", dtype = "*", in_layout = "*", out_layout = "*", size = { 3, 1, 2, 4, 5, 6, 7, 8 },
  where = { "rank == 1 or each(size <= 5)", "rank <= 2 or each(size <= 4)", "rank <= 3 or each(size <= 3)",
            "rank <= 4 or each(size <= 2)",
            "rank <= 6 or dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'f64'" },
}

op:test "pairwise" {
  "every pair of values of all parameters",
  vary = "*", strength = 2, length = { 64, 7, 33 },
  where = { "rank <= 2 or each(size <= 8)", "rank <= 3 or each(size <= 5)", "rank <= 4 or each(size <= 3)",
            "rank <= 6 or each(size <= 2)" },
}

-- Finds faults in the tails of vector loops and thread groups, with contiguous rows and others.
op:test "boundary" {
  "one long dimension about each power of two, in every layout",
  rank = { 4, 1, 2, 3, 5, 8 }, dtype = "*", length = "*", long = range(1, 8), in_layout = "*", out_layout = "*",
  size = { 1, 2 },
  where = {
    "each(at ~= long or size == 1)",                                   -- `size` says nothing about the long one
    "rank <= 3 or each(size == 1)",
    "in_layout == 'packed' or out_layout == 'packed' or in_layout == out_layout",
    "length <= 257 or rank <= 2 and (dtype == 'f32' or dtype == 'u8' or dtype == 'f16')",
    "length <= 1025 or in_layout == 'packed' or in_layout == 'padded' or in_layout == 'transposed'",
    "length <= 4097 or out_layout == 'packed' and (rank == 1 or length <= 65536 and in_layout == 'transposed')",
    "length <= 65537 or dtype == 'f32' and in_layout == 'packed'",
  },
}

-- TotalTensorSizeInBytes beyond what the tensor needs, and alignments: fields of the descriptor that do not change any address.
op:test "layout" {
  "sizes beyond the tensor and alignments, in every layout",
  rank = "*", dtype = "*", in_layout = "*", out_layout = "*", in_extra = "*", out_extra = "*", in_alignment = "*",
  out_alignment = "*", size = { 3, 1 },
  where = {
    "in_extra == 0 or in_extra == out_extra or out_extra == 0",
    "in_alignment == 0 and in_extra + out_extra > 0 or in_extra + out_extra == 0",
    "in_alignment == out_alignment or in_alignment == 0 and in_extra + out_extra == 0 or out_alignment == 0",
    "in_layout == out_layout or in_layout == 'packed' or out_layout == 'packed'",
    "rank <= 1 or rank > 4 or sum(size) == rank * 3 - 2", "rank <= 4 or sum(size) == rank + 4",
    "rank <= 1 or size[rank] == 1 and size[1] == 3 or size[1] == 1 and size[rank] == 3",
    "rank <= 5 or dtype == 'f32' or dtype == 'u8'",
  },
}

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
local calls = { { "data", { "data" }, "the same descriptor with other data" },
                { "other", { "other" }, "a neighbouring case with the same data" },
                { "class", { "class" }, "a case of the same shape and another layout" },
                { "return", { "same", "other" }, "itself and a neighbouring case" } }
for _, c in ipairs(calls) do
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, dtype = { "f32", "u8", "f16", "f64" },
    rank = { 4, 1, 2, 3, 8 }, in_layout = { "packed", "padded", "transposed", "broadcast-first" },
    out_layout = { "packed", "padded", "transposed" }, size = { 3, 2, 4 },
    where = { "rank <= 3 or each(size == pick(at == 1, 3, 2))" },
  }
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in the input, the output or both", sparse = true, strength = 3,
  rank = { 4, 1, 2, 3, 5, 8 }, dtype = "*", fill = { "bits" }, in_layout = { "packed", "far-bytes", "far-elements", "far-inner" },
  out_layout = { "packed", "far-bytes", "far-elements", "far-inner" }, size = { 3, 1, 2 },
  where = {
    "product(size) > 1 and product(size) <= 9",                        -- BUF-11: 2^32 - 1 elements are the most
    "dtype ~= 'u8' and dtype ~= 'i8' or in_layout ~= 'far-bytes' and out_layout ~= 'far-bytes'", -- as far-elements
    "in_layout ~= 'packed' or out_layout ~= 'packed'",
    "rank <= 3 or each(size == pick(at == 1, 3, pick(at == rank, 2, 1)))",
  },
}

-- In place: what an implementation writes before it has read everything, or clears first, is lost.
op:test "in_place" {
  "the output in the memory of the input, in every layout of small shapes", in_place = true,
  rank = "*", dtype = "*", in_layout = { all.output_layouts }, out_layout = "*", fill = { "bits", "injective" },
  size = { 3, 1, 2, 4, 17, 33 },
  where = { "in_layout == out_layout", "rank == 1 or each(size <= 17)", "rank <= 2 or each(size <= 4)",
            "rank <= 3 or each(size <= 3)", "rank <= 4 or each(size <= 2)" },
}

op:test "special" {
  "special values and random bits are copied unchanged, in every layout of the input",
  rank = { 4, 1, 2, 3, 5, 8 }, dtype = "*", fill = { "special", "bits" }, in_layout = "*",
  out_layout = { "packed", "padded" }, size = { 3, 1, 2, 4, 17, 33 },
  where = { "rank <= 2 or each(size <= 4 and size >= 2)", "rank <= 3 or each(size <= 3)", "rank <= 5 or each(size == 2)" },
}

local dml = shared(op)

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, any strides, any slack: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"          { 4, 1, 2, 3, 5, 6, 7, 8 }
any:axis "dtype"         { all.dtypes }
any:axis "in_layout"     { "packed", "strides" }
any:axis "out_layout"    { "packed", "strides" }
any:axis "fill"          { all.fills, "stretches" }
any:axis("in_extra", "bytes of TotalTensorSizeInBytes beyond the least, of InputTensor") { 0 }
any:axis("out_extra", "bytes of TotalTensorSizeInBytes beyond the least, of OutputTensor") { 0 }
any:axis "in_alignment"  { 0 }
any:axis "out_alignment" { 0 }
any:axis("size", "Sizes of both tensors") { 3, per = "rank" }
any:axis("in_stride", "Strides of InputTensor, where its layout is strides") { 0, per = "rank" }
any:axis("out_stride", "Strides of OutputTensor, where its layout is strides") { 0, per = "rank" }
any:axis("in_base", "where InputTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("out_base", "where OutputTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("in_flags", "Flags of InputTensor") { 0 }
any:bind {
  InputTensor  = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
                   Extra = "in_extra", Alignment = "in_alignment", Base = "in_base", Flags = "in_flags" },
  OutputTensor = { Sizes = "size", Layout = "out_layout", Strides = "out_stride", Extra = "out_extra",
                   Alignment = "out_alignment", Base = "out_base" },
}

-- The axes that are at their default in the calls before a case of drawn_after, one at a time.
local words = { "data", "dtype", "in_layout", "out_layout", "in_extra", "out_extra", "in_alignment", "out_alignment",
                "size", "in_stride", "out_stride" }
dml.change_axes(any, words)

-- Of at most `most` elements, or of these sizes, by a plan if there is one.
local function draw_copy(r, c, most, given, plan)
  if not most and not given and r.chance(dml.planned) then given, plan = r.tiles(c.rank) end
  local size = given or r.sizes(c.rank, most or r.elements())
  local in_stride = r.strides(size, dml.strided(most, c.dtype, true))
  local v = dml.places(r, {
    size = size, fill = r.pick { "bits", "bits", "injective", "special", "stretches" },
    in_layout = r.chance(75) and "strides" or "packed", out_layout = r.chance(75) and "strides" or "packed",
    in_stride = in_stride, out_stride = r.strides(size, dml.strided(most, c.dtype, false, in_stride)),
    in_extra = r.chance(20) and r.about(0, 65536) or 0, out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_alignment = r.chance(15) and 16 << r.int(0, 12) or 0, out_alignment = r.chance(15) and 16 << r.int(0, 12) or 0,
    in_flags = r.chance(3) and 1 or 0,
  }, "in", "out")
  if plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(size, size, plan, c.dtype) end
  return v
end
local function draw_planned(r, c, shape) return draw_copy(r, c, nil, shape(c.rank)) end
local classes = { "dtype", "rank" }

any:test "drawn" {
  "any sizes, strides, slack and alignments", each = classes, dtype = "*", rank = "*",
  cases = { quick = 1400, full = 20000, exhaustive = 1000000 }, draw = draw_copy,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", rank = "*",
  cases = { quick = 320, full = 3000, exhaustive = 100000 }, draw = dml.after(draw_copy, draw_planned, words),
}

any:test "drawn_in_place" {
  "the output in the memory of the input", in_place = true, each = classes, dtype = "*", rank = "*",
  cases = { quick = 100, full = 2000, exhaustive = 60000 },
  draw = dml.in_place(draw_copy, { "layout", "stride", "extra", "alignment", "base" }),
}

-- The limits of the tensors are in shared.lua. Finds wrong refusals of what few descriptors have, and wrong acceptance.
local tensors = {
  InputTensor = { key = "in", sizes = "size", strides = "in_stride" },
  OutputTensor = { key = "out", sizes = "size", strides = "out_stride", output = true },
}
local breaks = dml.illegal(any, { each = classes, draw = draw_copy })
local holds = dml.legal(any, { each = classes, draw = draw_copy })
for _, name in ipairs { "InputTensor", "OutputTensor" } do
  local t = tensors[name]
  dml.illegal_buffer(breaks, name, t)
  dml.legal_buffer(holds, name, t)
  breaks("EI-01", t.key, name .. " is a null pointer", { [name] = { Present = "0" } })
  breaks("EI-02", t.key, name .. " alone has another type", { [name] = { DataType = "by" } }, function(r, v, c)
    v.by = r.int(1, 8) -- the types without 64 bits
    if v.by == ({ f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8 })[c.dtype] then return false end
    v[t.key .. "_extra"] = 4 * dml.product(v.size) + 4294967292
  end)
  breaks("EI-03", t.key, name .. " alone has fewer dimensions", { [name] = { DimensionCount = "rank - by" } },
         function(r, v, c) v.by = r.int(1, c.rank - 1) end, { rank = range(2, 8) })
  dml.one_leading(breaks, "EI-03", name, t)
  breaks("EI-04", t.key, name .. " alone has another size",
         { [name] = { Sizes = "pick(at == broken, size + by, size)" } }, function(r, v, c)
    v.broken = r.int(1, c.rank)
    v[t.key .. "_layout"] = "packed"
    local n = v.size[v.broken]
    local most = 4294967295 // (dml.product(v.size) // n) - n
    if most < 1 and n < 2 then return false end
    v.by = (most < 1 or n > 1 and r.chance(50)) and -r.about(1, n - 1) or r.about(1, most)
  end)
end
for _, t in ipairs { { "InputTensor", "in" }, { "OutputTensor", "out" } } do
  breaks("EI-04", t[2] .. "-count", t[1] .. " alone has two sizes exchanged, and as many elements", {
    [t[1]] = { Sizes = "pick(at == broken, size[which], pick(at == which, size[broken], size))" },
  }, function(r, v, c)
    v.broken, v.which, v[t[2] .. "_layout"] = r.int(1, c.rank), r.int(1, c.rank), "packed"
    return v.size[v.broken] ~= v.size[v.which]
  end, { rank = range(2, 8) })
end
breaks("BUF-02", "type", "DataType is none of DirectML's",
       { InputTensor = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" },
         OutputTensor = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" } },
       function(r, v) v.by = r.about(14, 4294967295) end)
breaks("BUF-05", "dims", "no dimensions, or more than eight",
       { InputTensor = dml.no_dims, OutputTensor = dml.no_dims }, dml.draw_no_dims)
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
holds("BUF-11 BUF-21", "sizes", "2^32 - 1 elements", function(r, v, c)
  v.size, v.in_layout, v.out_layout = dml.largest_sizes(r, c.rank, c.dtype), "packed", "packed"
  if r.chance(70) then
    local most = dml.most_elements(c.dtype)
    v.in_layout, v.in_stride = "strides", r.strides(v.size, { dtype = c.dtype, shares = true, span = most })
  end
end, { asked = true })
holds("BUF-01 BUF-02 BUF-05 BUF-06 EI-01 EI-02 EI-03 EI-04", nil, "sizes of 1 and of 2^32 - 1, and strides without effect",
      function(r, v, c)
  for k = 1, c.rank do v.size[k] = 1 end
  local most = dml.most_elements(c.dtype)
  if r.chance(50) then v.size[r.int(1, c.rank)] = most end
  v.in_stride, v.out_stride = r.strides(v.size, { shares = true, span = most }), r.strides(v.size, { span = most })
end, { asked = true })

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
dml.count_tests(any, {
  each = classes, draw = draw_copy, planned = draw_planned, grids = dml.narrow({ 3, 4, 2, 5, 8 }),
  large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 3, 4, 2 } },
})

any:test "drawn_sparse" {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", rank = "*",
  cases = { quick = 40, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    local v = draw_copy(r, c)
    v.size, v.fill = dml.few(r, c.rank), "bits"
    v.in_stride, v.out_stride = r.strides(v.size, {}), r.strides(v.size, {})
    return dml.spread(r, v, { "in", v.size, "out", v.size }) and v or nil
  end,
}

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
local inside, changed, width = dml.inside, dml.changed, dml.width
-- At levels with 4 or 5 dimensions, a 64-bit type would break BUF-02 as well.
local fits = "other ~= dtype and (other ~= 'f64' and other ~= 'u64' and other ~= 'i64' or dtype == 'f64' or " ..
             "dtype == 'u64' or dtype == 'i64' or rank <= 3 or rank >= 6)"

op:beyond { "descriptors of a higher feature level", rank = "*", dtype = "*" }

local shapes = { rank = "*", dtype = "*" }
dml.buffer("InputTensor", "in", { sizes = "size", bytes = width, axes = shapes })
dml.buffer("OutputTensor", "out", { sizes = "size", bytes = width, axes = shapes, output = true })

-- Clauses that are broken in both tensors, because both have to have the same type and shape.
local function both(clause, name, title, change, by, where)
  op:invalid(clause) { title, name = name, rank = "*", dtype = "*", by = by, where = where,
                       change = { InputTensor = change, OutputTensor = change } }
end
both("BUF-02", nil, "DataType is none of DirectML's", { DataType = "by", TotalTensorSizeInBytes = "65536" },
     { 0, 14, 15, 16, 255, 4294967295 })
op:invalid "EI-02" {
  "types that DirectML has and the operator does not support", name = "four-bit", rank = "*", dtype = "*", by = { 12, 13 },
  from = "6_3", change = { InputTensor = { DataType = "by", TotalTensorSizeInBytes = "65536" },
                           OutputTensor = { DataType = "by", TotalTensorSizeInBytes = "65536" } },
}
both("BUF-05", "none", "no dimensions", { DimensionCount = "0" })
both("BUF-05", "nine", "nine dimensions", { Sizes = "nine" })
both("BUF-05", "many", "more dimensions than a tensor can hold",
     { Sizes = "sixteen", DimensionCount = "by", TotalTensorSizeInBytes = "65536" }, { 16, 17, 255, 2147483649, 4294967295 })
dml.too_many {
  "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = "*", dtype = "*",
  by = { 65536, 131071, 4294967295 }, where = "rank >= 2",
  change = { InputTensor = { Sizes = "by + 0 * size" }, OutputTensor = { Sizes = "by + 0 * size" } },
}

op:invalid "EI-03" {
  "the output has fewer dimensions, and other sizes", name = "sizes", rank = "*", dtype = "*", where = "rank >= 2",
  change = { OutputTensor = { Sizes = "size + 1", DimensionCount = "rank - 1" } },
}
for _, t in ipairs { { "InputTensor", "in" }, { "OutputTensor", "out" } } do
  local tensor, name = t[1], t[2]
  op:invalid "EI-01" {
    tensor .. " is a null pointer", name = name, rank = "*", dtype = "*", change = { [tensor] = { Present = "0" } },
  }
  op:invalid "EI-02" {
    tensor .. " alone has another data type", name = name, rank = "*", dtype = "*", other = { all.dtypes }, where = fits,
    change = { [tensor] = { DataType = "other" } },
  }
  op:invalid "EI-03" {
    tensor .. " alone has fewer dimensions", name = name, rank = "*", dtype = "*", by = range(1, 7), where = "by < rank",
    change = { [tensor] = { DimensionCount = "rank - by" } },
  }
  op:invalid "EI-04" {
    tensor .. " alone has another size", name = name, rank = "*", dtype = "*", broken = range(1, 8),
    by = { 1, -1, -2, 2, 65536 }, change = { [tensor] = { Sizes = changed("size + by", "size") } },
    where = { inside, "by <= 2 or rank <= 6" }, -- because packed tensors of the others take a GiB
  }
end

-- ---- the strides guide's examples, and the smallest cases of our decisions ------------------------------------------------
local letters = { 65, 66, 67, 68, 69, 70 }
local packed = { DataType = "FLOAT32", Sizes = { 2, 3 }, data = letters }

op:example "row-major" {
  note = "Strides guide: a packed 2x3 tensor, its strides written out",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, Strides = { 3, 1 }, data = letters }, OutputTensor = packed,
}
op:example "column-major" {
  note = "Strides guide: the same tensor stored column by column, A D B E C F",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, Strides = { 1, 2 }, data = letters }, OutputTensor = packed,
}
op:example "dhw" {
  note = "Strides guide: 2x2x3, and element H at (1, 0, 1) lies at offset 7",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 2, 3 }, Strides = { 6, 3, 1 },
                  data = { 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 2, 3 }, data = { 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76 } },
}
op:example "broadcast" {
  note = "Strides guide: stride 0 repeats the row A B C (E-ST-5)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, Strides = { 0, 1 }, data = { 65, 66, 67, 65, 66, 67 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, data = { 65, 66, 67, 65, 66, 67 } },
}
op:example "padded" {
  note = "Strides guide: a row stride of 5 for rows of 3; the tensor needs 8 elements, not the product 6 (E-ST-3)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, Strides = { 5, 1 }, data = letters }, OutputTensor = packed,
}
op:example "nhwc" {
  note = "Strides guide: {1,1,3,5} as packed NHWC; the stride of a dimension of size 1 is irrelevant (BUF-08)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 5 }, Strides = { 15, 1, 5, 1 },
                  data = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 5 }, Strides = { 15, 15, 5, 1 },
                   data = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 } },
}
op:example "rank-5" {
  note = "Five dimensions, as feature level 1_0 allows them",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 2, 1, 1, 2 }, data = { 1, 2, 3, 4 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 2, 1, 1, 2 }, Strides = { 9, 1, 7, 7, 2 }, data = { 1, 2, 3, 4 } },
}
op:example "alignment-8" {
  note = "a power of two below 16: the text allows it, DirectML 1.15.4 refuses it", invalid = "BUF-22",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 3 }, GuaranteedBaseOffsetAlignment = 8, data = letters },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 3 }, data = letters },
}
op:example "output-broadcast" {
  note = "two elements of an output share an address", invalid = "BUF-12",
  InputTensor = packed, OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, Strides = { 0, 1 } },
}
op:example "output-interleaved" {
  note = "no stride 0 and no equal strides, and yet 0*9 + 3*3 = 1*9 + 0*3", invalid = "BUF-12",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 4 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 4 }, Strides = { 9, 3 } },
}
op:example "other-sizes" {
  note = "no implicit broadcasting: sizes are equal", invalid = "EI-04",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 3 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 3 } },
}
