-- SPDX-License-Identifier: Apache-2.0
-- DML_SCATTER_ELEMENTS: the inputs, axes, indices and updates of its cases. docs/cases.md describes the language.
local op = operator "dml.scatter_elements"

local lengths = { 64, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024,
                  1025, 65535, 65536, 65537, 262144, 4194304 }

-- ---- axes: the first value is the default -------------------------------------------------------------------------
-- All tensors have `own` dimensions; leading ones pad them to `rank`, as frameworks that call this operator do.
op:axis("rank", "DimensionCount of all tensors") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("own", "dimensions of all tensors without the leading ones that pad them to rank") { 2, 1, 3, 4, 5, 6, 7, 8 }
op:axis("dtype", "DataType of InputTensor, UpdatesTensor and OutputTensor") { all.dtypes }
op:axis("index_dtype", "DataType of IndicesTensor") { "u32", "i32", "u64", "i64" }
op:axis("axis", "Axis, from the first own dimension") { 0, 1, 2, 3, 4, 5, 6, 7 }
op:axis("in_layout", "memory layout (Strides) of InputTensor") { all.layouts }
op:axis("indices_layout", "memory layout (Strides) of IndicesTensor") { all.layouts }
op:axis("updates_layout", "memory layout (Strides) of UpdatesTensor") { all.layouts }
op:axis("out_layout", "memory layout (Strides) of OutputTensor") { all.output_layouts }
op:axis("fill", "contents of InputTensor") { all.fills }
op:axis("updates_fill", "contents of UpdatesTensor") { "inverted", all.fills }
op:axis("extra", "bytes of TotalTensorSizeInBytes beyond the least, of InputTensor and OutputTensor") { 0, 4, 3, 64 }
op:axis("alignment", "GuaranteedBaseOffsetAlignment of all tensors") { 0, 16, 256 }
op:axis("length", "size of the dimension that `long` or `many` names") { lengths, 4294967295 }
op:axis("long", "the own dimension of InputTensor that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4, 5, 6, 7, 8 }
op:axis("many", "1: IndicesTensor is `length` long along the axis") { 0, 1 }
op:axis("pattern", "the indices of a line along the axis: in a row, each twice, all equal, or those of `index`")
  { "ascending", "descending", "pairs", "constant", "listed" }
op:axis("first", "the first index of the first line") { 0, 1, 2 }
op:axis("sign", "negative indices: 0 none, 1 all, 2 every other one") { 0, 1, 2 }
op:axis("stray", "the second index, where it is not 0")
  { 0, 1, 2, 5, 7, 100, 32768, 65536, 2147483647, -1, -2, -5, -6, -7, -100, -2147483648, 4294967295, 4294967296,
    4294967297, 9223372036854775807, -4294967296, math.mininteger, 4294967294, 2147483648, -4294967297 }
op:axis("size", "Sizes of InputTensor without leading ones, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 5, 6, 8, per = "own" }
op:axis("count", "size of IndicesTensor along the axis, unless it is `length`") { 2, 1, 3, 4, 5, 6, 8 }
op:axis("index", "the first four indices, where they are listed; the others follow from them")
  { 0, 1, 2, 3, 4, 7, per = 4 }
op:positions("at", "own")

-- Elements of the axis, indices along it, elements of a dimension, and elements from one along the axis to the next.
local n = "(long == axis + 1 and length or size[axis + 1])"
local along = "(many == 1 and length or count)"
local whole = "pick(at == long, length, size)"
local inner = "(axis + 1 == own and 1 or axis + 2 == own and (long == own and length or size[own]) or " ..
              "product(pick(at > axis + 1, " .. whole .. ", 1)))"
local indices = "(product(size) // size[axis + 1] * count)"
local index_sizes = "pick(at == axis + 1, " .. along .. ", " .. whole .. ")"

op:where("own <= rank")
op:where("axis < own")                                                         -- SE-05
op:where("long <= own")
op:where("sign == 0 or index_dtype == 'i32' or index_dtype == 'i64'")          -- SE-11
op:where(along .. " <= " .. n)                                                 -- SE-14

op:bind {
  InputTensor   = { DataType = "dtype", Sizes = whole, Rank = "rank", Layout = "in_layout",
                    Fill = "fill", Extra = "extra", Alignment = "alignment" },
  IndicesTensor = { DataType = "index_dtype", Sizes = index_sizes, Rank = "rank", Layout = "indices_layout",
                    Alignment = "alignment",
                    Data = "stray ~= 0 and i == 1 and stray or " ..
                           "(pattern == 'listed' and index[i % 4 + 1] + i // 4 or " ..
                           "pattern == 'constant' and first or first + i % " .. inner ..
                           " + (pattern == 'pairs' and i // " .. inner .. " // 2 or i // " .. inner ..
                           " * (pattern == 'descending' and -1 or 1))) % " .. n ..
                           " - (sign == 1 and 1 or sign == 2 and i % 2 or 0) * " .. n },
  UpdatesTensor = { DataType = "dtype", Sizes = index_sizes, Rank = "rank", Layout = "updates_layout",
                    Fill = "updates_fill", Alignment = "alignment" },
  OutputTensor  = { Layout = "out_layout", Extra = "extra", Alignment = "alignment" },
  Axis = "rank - own + axis",
}

-- Unused elements of `index` stay 0, and no index is beyond the axis, so that no two cases are equal.
local few = { indices .. " <= 4", "each(index < " .. n .. ")" }
for k = 2, 4 do few[#few + 1] = ("%s >= %d or index[%d] == 0"):format(indices, k, k) end
local function with(list, more)
  local all = table.move(list, 1, #list, 1, {})
  return table.move(more, 1, #more, #all + 1, all)
end

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds faults in the coordinates before and behind the axis, in negative indices, in sizes along the axis that differ
-- between input and indices, and in updates of one element that are lost or mixed.
op:test "exhaustive" {
  "every index tensor of up to four indices over every small input",
  rank = { 4, 1, 2, 3, 5 }, own = { 2, 1, 3 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, sign = "*",
  pattern = { "listed" }, size = { 3, 1, 2 }, count = { 2, 1, 3, 4 }, index = { 0, 1, 2 },
  where = with(few, {
    "rank == 4 or rank <= 3 and rank == own or rank == 5 and own == 2",
    "sign < 2 or own <= 2",
    "own <= 2 or sum(size) <= 6",
    "dtype == 'f32' or dtype == 'u8' or product(size) <= 6 and sign < 2",
    "dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'u64' or index_dtype == 'u32' or sum(index) <= 2",
  }),
}

-- Every element on which several updates fall has the value of one of them. Finds sums, mixed values and lost updates.
op:test "duplicates" {
  "several updates of one element: it has the value of one of them",
  rank = { 4, 1, 2, 3, 5, 8 }, own = { 2, 1, 3 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, sign = { 0, 1 },
  pattern = { "pairs", "constant" }, first = { 0, 1 }, size = { 3, 1, 2, 5 }, count = { 2, 3, 4, 8 },
  in_layout = { "packed", "padded" }, updates_layout = { "packed", "transposed" },
  updates_fill = { "inverted", "bits" },
  where = {
    "rank == own or rank == 4 or rank >= 5 and own == 2", "own <= 2 or each(size <= 3) and first == 0",
    "dtype == 'f32' or dtype == 'u8' or count ~= 8 and sign == 0 and updates_layout == in_layout",
    "in_layout == 'packed' or updates_fill == 'inverted'",
  },
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
  length = lengths, long = { 0, 1, 2, 3 }, many = { 0, 1 }, sign = { 0, 2 }, size = { 1, 2 }, count = { 2, 1 },
  pattern = { "ascending", "descending" },
  where = {
    "long ~= 0 and many == 0 or long == axis + 1 and many == 1",
    "each(at ~= long or size == 1)", "many == 0 or count == 1",
    "rank == 4 or rank >= 5 and own == 3 or rank <= 2 and own == rank",
    "index_dtype == 'u32' or dtype == 'f32' or dtype == 'u8'", "rank == 4 or sign == 0",
    "own <= 2 or each(size == 1)", "product(size) <= 4",
    "length <= 257 or dtype == 'f32' or dtype == 'u8'", "pattern == 'ascending' or length <= 257 and rank == 4",
    "length <= 1025 or sign == 0 and rank <= 2 and index_dtype == 'u32' and product(size) == 1 and axis == 0",
    "length <= 65537 or dtype == 'f32' and pattern == 'ascending'",
    "length <= 262144 or rank == 2 and long == 1 and count == 1",
  },
}

-- Finds wrong addresses of four tensors at once.
op:test "layout" {
  "every combination of the layouts of the inputs with those of the output",
  rank = "*", own = { 2, 1, 3, 4 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2, 3 },
  in_layout = "*", indices_layout = "*", updates_layout = "*", out_layout = "*", size = { 3, 2 }, count = { 2, 3 },
  where = {
    "rank == own or rank == 4 or rank >= 5 and own == 3",
    "indices_layout == in_layout or indices_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "updates_layout == in_layout or updates_layout == indices_layout",
    "updates_layout == indices_layout or dtype == 'f32' or dtype == 'u8'",
    "own <= 1 or sum(size) == own * 2 + 1 and size[axis + 1] == 3",
    "count == 2 or own == 2",
    "rank <= 4 or dtype == 'f32' or dtype == 'u8'",
    "rank == 4 or index_dtype == 'u32' or dtype == 'f32'",
  },
}

op:test "special" {
  "special values and random bits are copied unchanged",
  rank = { 4, 1, 2, 3, 5, 8 }, own = { 2, 1, 3 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, sign = { 0, 1 },
  fill = { "special", "bits" }, updates_fill = { "special", "bits" }, size = { 3, 4, 6, 8 }, count = { 4, 2 },
  first = { 0, 2 },
  where = { "own <= 2 or each(size <= 4)", "rank <= 4 or own == 2" },
}

-- Indices far along a long axis. Finds index types that are narrowed, which wrap to the beginning of the axis.
op:test "far" {
  "an index beyond 8 and 15 bits, inside a long axis",
  rank = { 4, 1, 2 }, own = { 2, 1 }, dtype = "*", index_dtype = "*", axis = { 0, 1 }, long = { 1, 2 },
  length = { 65537 }, stray = { 32768, 65536 }, size = { 2 }, count = { 2 },
  where = { "long == axis + 1", shared().index.widths },
}

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
local calls = { { "data", { "data" }, "the same descriptor with other data" },
                { "other", { "other" }, "a neighbouring case with the same data" },
                { "class", { "class" }, "a case of the same shape and another layout" },
                { "axis", { "class" }, "one of the same shape along another axis", { "packed" } },
                { "return", { "same", "other" }, "itself and a neighbouring case" } }
for _, c in ipairs(calls) do
  local class = c[2][1] == "class" -- which changes the last scalar parameter that has several values
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, updates_fill = { "bits" },
    dtype = { "f32", "u8", "f16", "f64" }, rank = { 4, 1, 2, 3, 8 }, own = { 2, 1, 3 }, index_dtype = { "u32", "i64" },
    axis = { 0, 1, 2 }, in_layout = c[4] or { "packed", "padded" }, size = { 3, 2 },
    count = class and { 2 } or { 2, 3 }, first = class and { 0 } or { 0, 1 },
    where = {
      "own <= 2 or each(size == 3) and count == 2",
      "rank == 4 or rank == own or rank == 8 and own == 2",
    },
  }
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in the inputs, the output or all of them", sparse = true, strength = 2,
  rank = { 4, 1, 2, 3, 8 }, own = { 2, 1, 3 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, fill = { "bits" },
  updates_fill = { "bits" }, in_layout = { "packed", "far-bytes", "far-elements", "far-inner" }, sign = { 0, 2 },
  indices_layout = { "packed", "far-bytes", "far-elements" },
  updates_layout = { "packed", "far-bytes", "far-elements" },
  out_layout = { "packed", "far-bytes", "far-elements" }, size = { 3, 1, 2 }, count = { 3, 2 }, first = { 0, 1, 2 },
  where = {
    "product(size) > 1 and product(size) <= 9 and size[axis + 1] > 1",
    "product(size) // size[axis + 1] <= 2 or updates_layout == 'packed' and indices_layout == 'packed'", -- BUF-11
    "own == 1 or size[1] * own <= 4 or in_layout == 'packed' and out_layout == 'packed' or count == 2",
    "dtype ~= 'u8' and dtype ~= 'i8' or " .. -- as far-elements
      "in_layout ~= 'far-bytes' and updates_layout ~= 'far-bytes' and out_layout ~= 'far-bytes'",
    "in_layout ~= 'packed' or indices_layout ~= 'packed' or updates_layout ~= 'packed' or out_layout ~= 'packed'",
    "rank == own or rank == 4 or rank == 8 and own == 2",
    "dtype == 'f32' or dtype == 'u8' or index_dtype == 'u32' and own <= 2",
  },
}

-- An index beyond its axis must do no harm: the call succeeds, and nothing outside is read or written. The elements are
-- undefined (SE-12): the behaviour is observed, not judged.
op:test "out_of_range" {
  "one index beyond the axis: no fault, and no write outside of the output",
  rank = { 4, 1, 2, 3, 5 }, own = { 2, 1, 3 }, dtype = "*", index_dtype = "*", stray = "*", axis = { 0, 1, 2 },
  sign = { 0, 1 }, size = { 3, 1, 5 }, count = { 2, 3 }, in_layout = { "packed", "padded", "transposed" },
  where = {
    "stray >= " .. n .. " or stray < -" .. n .. " or stray < 0 and index_dtype == 'u32'",
    "stray >= 0 or index_dtype == 'i32' or index_dtype == 'i64'",
    "index_dtype ~= 'u32' or stray <= 4294967295",
    "index_dtype ~= 'i32' or stray <= 2147483647 and stray >= -2147483648",
    "own <= 2 or sum(size) <= 9 and in_layout == 'packed'",
    "dtype == 'f32' or dtype == 'u8' or stray == 100 and sign == 0 or stray == 4294967295",
    "stray == 5 or in_layout == 'packed' or dtype == 'f32'",
    "rank == own or rank == 4",
  },
}

local dml = shared(op)

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, indices, updates and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"           { 4, 1, 2, 3, 5, 6, 7, 8 }
any:axis "dtype"          { all.dtypes }
any:axis "index_dtype"    { "u32", "i32", "u64", "i64" }
any:axis("axis", "Axis") { 0 }
any:axis "in_layout"      { "packed", "strides" }
any:axis "indices_layout" { "packed", "strides" }
any:axis "updates_layout" { "packed", "strides" }
any:axis "out_layout"     { "packed", "strides" }
any:axis "fill"           { all.fills, "stretches" }
any:axis "updates_fill"   { "inverted", all.fills, "stretches" }
any:axis("in_extra", "bytes of TotalTensorSizeInBytes beyond the least, of InputTensor") { 0 }
any:axis("indices_extra", "bytes of TotalTensorSizeInBytes beyond the least, of IndicesTensor") { 0 }
any:axis("updates_extra", "bytes of TotalTensorSizeInBytes beyond the least, of UpdatesTensor") { 0 }
any:axis("out_extra", "bytes of TotalTensorSizeInBytes beyond the least, of OutputTensor") { 0 }
any:axis "alignment"      { 0 }
any:axis("pattern", "how the indices of a line along the axis follow from `first` and `period`")
  { "ascending", "descending", "constant", "runs", "cycle", "steps", "mixed" }
any:axis("first", "the first index") { 0 }
any:axis("period", "length of a run or cycle of indices, or the difference of two") { 1 }
any:axis("pace", "indices after which the pattern goes on: those of one place along the axis, or any number")
  { 1 }
any:axis "sign"           { 0, 1, 2 }              -- negative indices: 0 none, 1 all, 2 every other one
any:axis("size", "Sizes of InputTensor and OutputTensor") { 3, per = "rank" }
any:axis("index_size", "Sizes of IndicesTensor and UpdatesTensor") { 1, per = "rank" }
any:axis("in_stride", "Strides of InputTensor, where its layout is strides") { 0, per = "rank" }
any:axis("indices_stride", "Strides of IndicesTensor, where its layout is strides") { 0, per = "rank" }
any:axis("updates_stride", "Strides of UpdatesTensor, where its layout is strides") { 0, per = "rank" }
any:axis("out_stride", "Strides of OutputTensor, where its layout is strides") { 0, per = "rank" }
any:axis("in_base", "where InputTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("indices_base", "where IndicesTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("updates_base", "where UpdatesTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("out_base", "where OutputTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("in_flags", "Flags of InputTensor") { 0 }
any:axis("indices_flags", "Flags of IndicesTensor") { 0 }
any:axis("updates_flags", "Flags of UpdatesTensor") { 0 }
any:axis("odd", "the number of the index that breaks the pattern, from 1; 0: none") { 0 }

-- The axes that are at their default in the calls before a case of drawn_after, one at a time.
local words = { "data", "dtype", "index_dtype", "axis", "in_layout", "indices_layout", "updates_layout", "out_layout",
                "in_extra", "pattern", "first", "sign", "size", "index_size", "in_stride", "indices_stride",
                "updates_stride", "out_stride" }
dml.change_axes(any, words)
any:where("axis >= 0 and axis < rank")             -- SE-05
any:where("product(size) <= 4294967295")           -- BUF-11
any:where("product(index_size) <= 4294967295")
any:where("each(at == axis + 1 or index_size == size)") -- SE-06
any:where("sign == 0 or index_dtype == 'i32' or index_dtype == 'i64'")
any:where("period > 0 and pace > 0")
any:where("index_size[axis + 1] <= size[axis + 1]") -- SE-14

local place, from = "i // pace", "first + i % pace"
any:bind {
  InputTensor   = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
                    Extra = "in_extra", Alignment = "alignment", Base = "in_base", Flags = "in_flags" },
  IndicesTensor = { DataType = "index_dtype", Sizes = "index_size", Layout = "indices_layout",
                    Strides = "indices_stride", Extra = "indices_extra", Alignment = "alignment",
                    Base = "indices_base", Flags = "indices_flags",
                    Data = "(i == odd - 1 and first + period + 1" ..
                           " or pattern == 'ascending' and " .. from .. " + " .. place ..
                           " or pattern == 'descending' and " .. from .. " - " .. place ..
                           " or pattern == 'constant' and first or pattern == 'runs' and " .. from .. " + " .. place ..
                           " // period or pattern == 'cycle' and " .. from .. " + " .. place .. " % period or " ..
                           "pattern == 'steps' and " .. from .. " + " .. place .. " * period or " ..
                           "(first + i) * (period + i)) % size[axis + 1]" ..
                           " - (sign == 1 and 1 or sign == 2 and i % 2 or 0) * size[axis + 1]" },
  UpdatesTensor = { DataType = "dtype", Sizes = "index_size", Layout = "updates_layout", Strides = "updates_stride",
                    Fill = "updates_fill", Extra = "updates_extra", Alignment = "alignment", Base = "updates_base",
                    Flags = "updates_flags" },
  OutputTensor  = { Layout = "out_layout", Strides = "out_stride", Extra = "out_extra", Alignment = "alignment",
                    Base = "out_base" },
  Axis = "axis",
}

-- Everything but the sizes of the input and of the indices.
local function draw_indices(r, c, axis, size, count, most, plan)
  local index_size = table.move(size, 1, #size, 1, {})
  index_size[axis + 1] = count
  local n, indices = size[axis + 1], dml.product(index_size)
  local signed = c.index_dtype == "i32" or c.index_dtype == "i64"
  local in_stride = r.strides(size, dml.strided(most, c.dtype, true))
  local v = dml.places(r, {
    axis = axis, size = size, index_size = index_size,
    fill = r.pick { "bits", "bits", "injective", "special", "stretches" },
    updates_fill = r.pick { "bits", "bits", "inverted", "special", "stretches" },
    pattern = r.pick { "ascending", "ascending", "descending", "steps", "constant", "runs", "cycle", "mixed" },
    first = r.chance(30) and r.pick { 0, n - 1 } or r.about(0, n - 1),
    period = r.chance(20) and r.pick { count, n, math.max(1, n - 1) } or r.about(1, math.max(2, n)),
    odd = r.chance(20) and r.about(1, indices) or 0,
    pace = r.chance(85) and dml.product(size, axis + 2) or r.about(1, indices),
    sign = signed and r.pick { 0, 0, 1, 2 } or 0, alignment = r.chance(10) and 16 << r.int(0, 12) or 0,
    in_extra = r.chance(20) and r.about(0, 65536) or 0, indices_extra = r.chance(20) and r.about(0, 4096) or 0,
    updates_extra = r.chance(20) and r.about(0, 4096) or 0, out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_layout = r.chance(60) and "strides" or "packed", indices_layout = r.chance(60) and "strides" or "packed",
    updates_layout = r.chance(60) and "strides" or "packed", out_layout = r.chance(60) and "strides" or "packed",
    in_stride = in_stride, indices_stride = r.strides(index_size, dml.strided(most, c.index_dtype, true)),
    updates_stride = r.strides(index_size, dml.strided(most, c.dtype, true)),
    out_stride = r.strides(size, dml.strided(most, c.dtype, false, in_stride)),
    in_flags = r.chance(3) and 1 or 0, indices_flags = r.chance(3) and 1 or 0, updates_flags = r.chance(3) and 1 or 0,
  }, "in", "indices", "updates", "out")
  if plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(size, size, plan, c.dtype) end
  return v
end

-- As many indices along the axis as the output has elements there, or fewer; the output has up to `elements`.
local function draw_sizes(r, c, elements)
  local size, axis = r.sizes(c.rank, elements), r.int(0, c.rank - 1)
  local n = size[axis + 1]
  return axis, size, r.chance(40) and n or r.about(1, n)
end

-- The sizes that shape(n) draws are those of the output; there is any number of indices along the axis.
local function draw_planned(r, c, shape)
  local size, plan = shape(c.rank)
  local axis = r.int(0, c.rank - 1)
  local n = size[axis + 1]
  return draw_indices(r, c, axis, size, r.chance(60) and r.int(1, math.min(n, 40)) or n, nil, plan)
end

local classes = { "dtype", "rank", "index_dtype" }
local function draw_any(r, c, most, given)
  if not most and not given and r.chance(dml.planned) then return draw_planned(r, c, r.tiles) end
  if given then
    local axis = r.int(0, c.rank - 1)
    local size = table.move(given, 1, #given, 1, {})
    local n = size[axis + 1]
    return draw_indices(r, c, axis, size, n > 40 and r.chance(50) and r.int(1, 40) or n)
  end
  local axis, size, count = draw_sizes(r, c, most or r.elements())
  return draw_indices(r, c, axis, size, count, most)
end

any:test "drawn" {
  "any sizes, axes, indices, updates and layouts", each = classes, dtype = "*", rank = "*", index_dtype = "*",
  cases = { quick = 600, full = 8000, exhaustive = 1000000 }, draw = draw_any,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", rank = "*",
  index_dtype = "*", cases = { quick = 240, full = 1500, exhaustive = 100000 }, draw = dml.after(draw_any, draw_planned, words),
}

dml.index.scatter_tests(any, {
  each = classes, classes = { rank = { 1, 2, 4 }, index_dtype = { "u32", "i64", "i32" } },
  distinct = function(r, c, n, count)
    local axis, size = r.int(0, c.rank - 1), {}
    for k = 1, c.rank do size[k] = 1 end
    size[axis + 1] = n
    local v = draw_indices(r, c, axis, size, count)
    v.pattern, v.odd, v.pace = r.pick { "ascending", "descending" }, 0, 1
    return v
  end,
})

any:test "drawn_sparse" {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", rank = "*", index_dtype = "*",
  cases = { quick = 40, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    if r.chance(4) then
      local v = dml.index.far_rows(r, c, draw_indices, { "indices", "updates", "out" }, true)
      v.fill, v.updates_fill, v.pattern, v.odd, v.in_layout = "bits", "bits", "ascending", 0, "packed"
      return v
    end
    local axis, size, count = draw_sizes(r, c, 16)
    local v = draw_indices(r, c, axis, size, count)
    v.fill, v.updates_fill, v.in_stride, v.out_stride = "bits", "bits", r.strides(size, {}), r.strides(size, {})
    v.indices_stride, v.updates_stride = r.strides(v.index_size, {}), r.strides(v.index_size, {})
    return dml.spread(r, v, { "in", size, "out", size, "indices", v.index_size, "updates", v.index_size }) and v or nil
  end,
}

-- The limits of the tensors are in shared.lua. Finds wrong refusals of what few descriptors have, and wrong acceptance.
local tensors = {
  InputTensor = { key = "in", sizes = "size", strides = "in_stride", alignment = "alignment" },
  IndicesTensor = { key = "indices", sizes = "index_size", strides = "indices_stride", alignment = "alignment",
                    dtype = "index_dtype" },
  UpdatesTensor = { key = "updates", sizes = "index_size", strides = "updates_stride", alignment = "alignment" },
  OutputTensor = { key = "out", sizes = "size", strides = "out_stride", alignment = "alignment", output = true },
}
local names = { "InputTensor", "IndicesTensor", "UpdatesTensor", "OutputTensor" }
local function all_of(change, ...)
  local t = {}
  for _, name in ipairs { ... } do t[name] = change end
  return t
end
local breaks = dml.illegal(any, { each = classes, draw = draw_any })
local holds = dml.legal(any, { each = classes, draw = draw_any })
local numbers = { f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8 } -- the types without 64 bits
for _, name in ipairs(names) do
  local t = tensors[name]
  dml.illegal_buffer(breaks, name, t)
  dml.legal_buffer(holds, name, t)
  breaks("SE-01", t.key, name .. " is a null pointer", { [name] = { Present = "0" } })
  breaks("SE-02", t.key, name .. " alone has fewer dimensions", { [name] = { DimensionCount = "rank - by" } },
         function(r, v, c) v.by = r.int(1, c.rank - 1) end, { rank = range(2, 8) })
  dml.one_leading(breaks, "SE-02", name, t)
  breaks(name == "IndicesTensor" and "SE-04" or "SE-03", t.key, name .. " alone has another type",
         { [name] = { DataType = "by" } }, function(r, v, c)
    v.by = r.int(1, 8)
    if v.by == numbers[c.dtype] or name == "IndicesTensor" and (v.by == 3 or v.by == 6) then return false end
    v[t.key .. "_extra"] = 34359738368
  end)
end
local unknown_type = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" }
breaks("BUF-02", "type", "DataType is none of DirectML's",
       all_of(unknown_type, "InputTensor", "UpdatesTensor", "OutputTensor"),
       function(r, v) v.by = r.about(14, 4294967295) end)
breaks("BUF-02", "indices", "DataType of the indices is none of DirectML's", { IndicesTensor = unknown_type },
       function(r, v) v.by = r.about(14, 4294967295) end)
breaks("BUF-05", "dims", "no dimensions, or more than eight", all_of(dml.no_dims, table.unpack(names)),
       dml.draw_no_dims)
breaks("SE-05", "beyond", "the axis is beyond the last dimension", { Axis = "by" }, function(r, v, c)
  v.by = r.about(c.rank, 4294967295)
end)

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
breaks("SE-06", "size", "a size of indices and updates beside the axis is not the input's",
       { IndicesTensor = wider, UpdatesTensor = wider }, function(r, v, c)
  local k = draw_beside(r, v, c)
  if not k then return false end
  return draw_other_size(r, v, v.index_size, k)
end, { rank = range(2, 8) })
local along = { Sizes = "pick(at == axis + 1, by, index_size)", Layout = "0" }
breaks("SE-14", "more", "more indices along the axis than the input has elements there",
       { IndicesTensor = along, UpdatesTensor = along }, function(r, v)
  local n = v.size[v.axis + 1]
  local most = 4294967295 // (dml.product(v.index_size) // v.index_size[v.axis + 1])
  if most <= n then return false end
  v.by = r.about(n + 1, most)
end)
breaks("SE-07", "size", "a size of the updates is not that of the indices", { UpdatesTensor = wider }, function(r, v, c)
  return draw_other_size(r, v, v.index_size, r.int(1, c.rank))
end)
breaks("SE-08", "size", "a size of the output is not that of the input",
       { OutputTensor = { Sizes = "pick(at == broken, size + by, size)", Layout = "0" } }, function(r, v, c)
  return draw_other_size(r, v, v.size, r.int(1, c.rank))
end)
local exchanged = { { "SE-07", "UpdatesTensor", "updates", "index_size" },
                    { "SE-08", "OutputTensor", "output", "size" } }
for _, x in ipairs(exchanged) do
  local sizes = x[4]
  breaks(x[1], "exchanged", "two sizes of the " .. x[3] .. " are exchanged, and it has as many elements", {
    [x[2]] = { Sizes = ("pick(at == broken, %s[which], pick(at == which, %s[broken], %s))"):format(sizes, sizes, sizes),
               Layout = "0" },
  }, function(r, v, c)
    v.broken, v.which = r.int(1, c.rank), r.int(1, c.rank)
    return v[sizes][v.broken] ~= v[sizes][v.which]
  end, { rank = range(2, 8) })
end

holds("SE-05", nil, "the last axis", function(r, v, c) if v.axis ~= c.rank - 1 then return false end end)
holds("SE-06 SE-14 BUF-11 BUF-21", nil, "up to 2^32 - 1 indices along an axis of that size", function(r, v, c)
  local size, axis = r.sizes(c.rank, 256), r.int(0, c.rank - 1)
  size[axis + 1] = r.about(1, dml.most_elements(c.dtype) // (dml.product(size) // size[axis + 1]))
  local w = draw_indices(r, c, axis, size, r.chance(50) and size[axis + 1] or r.about(1, size[axis + 1]))
  w.in_layout, w.indices_layout, w.updates_layout, w.out_layout = "packed", "packed", "packed", "packed"
  return w
end, { asked = true })
holds("BUF-01 BUF-02 BUF-05 BUF-06 SE-01 SE-02 SE-03 SE-04 SE-07 SE-08", nil, "sizes of 1, and strides without effect",
      function(r, v, c)
  local size = {}
  for k = 1, c.rank do size[k] = 1 end
  local w = draw_indices(r, c, c.rank - 1, size, 1)
  w.in_layout, w.indices_layout, w.updates_layout, w.out_layout = "strides", "strides", "strides", "strides"
  return w
end)

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
dml.index.count_tests(any, {
  each = classes, draw = draw_any, planned = draw_planned, quick = { counts = 1, grids = 1 },
})

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
local inside, changed, width = dml.inside, dml.changed, dml.width
local index_width = "((index_dtype == 'u32' or index_dtype == 'i32') and 4 or 8)"
-- At levels with 4 dimensions, a 64-bit type would break BUF-02 as well; and level 1_0 has only FLOAT32 and FLOAT16.
local fits = "other ~= dtype and (other ~= 'f64' and other ~= 'u64' and other ~= 'i64' or dtype == 'f64' or " ..
             "dtype == 'u64' or dtype == 'i64' or rank ~= 4)"

op:beyond { "descriptors of a higher feature level", rank = "*", own = { 1, 2 }, dtype = "*", index_dtype = "*" }

local result = "pick(at == axis + 1, count, size)"
local plain = "own == rank and axis == rank - 1"
local shapes = { rank = "*", own = range(1, 8), axis = range(0, 7), dtype = "*", count = { 3 } }
dml.buffer("InputTensor", "in", { sizes = "size", bytes = width, axes = shapes, where = plain })
dml.buffer("UpdatesTensor", "updates", { sizes = result, bytes = width, axes = shapes, where = plain })
dml.buffer("OutputTensor", "out", { sizes = "size", bytes = width, axes = shapes, where = plain, output = true })
dml.buffer("IndicesTensor", "indices", {
  sizes = result, bytes = index_width, where = plain,
  axes = { rank = "*", own = range(1, 8), axis = range(0, 7), dtype = { "f32", "u8", "f64" }, index_dtype = "*",
           count = { 3 } },
})

local unknown = { DataType = "by", TotalTensorSizeInBytes = "65536" }
local none, nine = { DimensionCount = "0" }, { Sizes = "nine" }
local same_type = { "InputTensor", "UpdatesTensor", "OutputTensor" }
op:invalid "BUF-02" {
  "DataType is none of DirectML's", rank = "*", own = { 1 }, dtype = "*", by = { 0, 14, 15, 16, 255, 4294967295 },
  change = all_of(unknown, table.unpack(same_type)),
}
op:invalid "BUF-02" {
  "DataType is none of DirectML's", name = "indices", rank = "*", own = { 1 }, dtype = "*",
  by = { 0, 14, 15, 16, 255, 4294967295 }, change = { IndicesTensor = unknown },
}
op:invalid "SE-03" {
  "types that DirectML has and the operator does not support", name = "four-bit", rank = "*", own = { 1 }, dtype = "*",
  by = { 12, 13 }, from = "6_3", change = all_of(unknown, table.unpack(same_type)),
}
op:invalid "SE-04" {
  "indices of four bits", name = "four-bit", rank = "*", own = { 1 }, dtype = "*", by = { 12, 13 }, from = "6_3",
  change = { IndicesTensor = unknown },
}
op:invalid "BUF-05" {
  "no dimensions", name = "none", rank = "*", own = { 1 }, dtype = "*", index_dtype = "*",
  change = all_of(none, table.unpack(names)),
}
op:invalid "BUF-05" {
  "nine dimensions", name = "nine", rank = "*", own = { 1 }, dtype = "*", index_dtype = "*",
  change = all_of(nine, table.unpack(names)),
}
op:invalid "BUF-05" {
  "more dimensions than a tensor can hold", name = "many", rank = "*", own = { 1 }, dtype = "*", index_dtype = "*",
  by = { 16, 17, 255, 2147483649, 4294967295 },
  change = all_of({ Sizes = "sixteen", DimensionCount = "by", TotalTensorSizeInBytes = "65536" }, table.unpack(names)),
}
dml.too_many {
  "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = range(2, 8),
  own = range(2, 8), dtype = "*", by = { 65536, 131071, 4294967295 }, where = "own == rank",
  change = all_of({ Sizes = "by + 0 * size" }, table.unpack(names)),
}

for _, tensor in ipairs(names) do
  local name = tensors[tensor].key
  op:invalid "SE-01" {
    tensor .. " is a null pointer", name = name, rank = "*", own = { 1, 2 }, dtype = "*", index_dtype = "*",
    change = { [tensor] = { Present = "0" } },
  }
  op:invalid "SE-02" {
    tensor .. " alone has fewer dimensions", name = name, rank = "*", own = { 1, 2 }, dtype = "*", by = range(1, 7),
    where = "by < rank", change = { [tensor] = { DimensionCount = "rank - by" } },
  }
  local others = {}
  for _, other in ipairs(names) do
    if other ~= tensor then others[other] = { DimensionCount = "rank - 1" } end
  end
  op:invalid "SE-02" {
    tensor .. " alone has more dimensions", name = name .. "-more", rank = range(2, 8), own = { 1, 2 }, dtype = "*",
    change = others,
  }
end
for _, tensor in ipairs(same_type) do
  op:invalid "SE-03" {
    tensor .. " alone has another data type", name = tensors[tensor].key, rank = "*", own = { 1, 2 }, dtype = "*",
    other = { all.dtypes }, where = fits, change = { [tensor] = { DataType = "other" } },
  }
end
op:invalid "SE-04" {
  "indices of a data type that indices may not have", rank = "*", own = { 1, 2 }, dtype = "*",
  other = { "f32", "f16", "f64", "u16", "i16", "u8", "i8" }, where = "other ~= 'f64' or rank ~= 4",
  change = { IndicesTensor = { DataType = "other" } },
}
op:invalid "SE-01" {
  "Axis is not stated", name = "Axis", rank = "*", own = { 1, 2 }, dtype = "*", change = { Axis = { Present = "0" } },
}
op:invalid "SE-05" {
  "Axis is beyond the last dimension", rank = "*", own = { 1, 2 }, dtype = "*", index_dtype = "*",
  by = { 0, 1, 7, 2147483647, 4294967280 }, change = { Axis = "rank + by" },
}
local other_size = {
  rank = "*", own = range(1, 8), dtype = "*", axis = range(0, 7), broken = range(1, 8), by = { 1, -1, 65536 },
}
local function sized(clause, title, change, more)
  local t = { title, name = "size", change = change,
              where = { "own == rank", inside, "axis == 0 or axis == rank - 1 or by == 1" } }
  for axis, values in pairs(other_size) do t[axis] = values end
  for word, value in pairs(more or {}) do
    if word == "where" then t.where[#t.where + 1] = value else t[word] = value end
  end
  op:invalid(clause)(t)
end
local wrong = { Sizes = changed(result .. " + by", result) }
sized("SE-06", "a size of indices and updates beside the axis is not the input's",
      { IndicesTensor = wrong, UpdatesTensor = wrong },
      { rank = range(2, 8), own = range(2, 8), where = "broken ~= axis + 1" })
sized("SE-07", "a size of the updates differs from that of the indices", { UpdatesTensor = wrong })
sized("SE-08", "a size of the output differs from that of the input",
      { OutputTensor = { Sizes = changed("size + by", "size") } })
local more = { Sizes = "pick(at == axis + 1, size + by, size)" }
op:invalid "SE-14" {
  "more indices along the axis than the input has elements there", name = "more", rank = "*", own = range(1, 8),
  dtype = "*", axis = range(0, 7), count = { 3 }, by = { 1, 2, 65536 },
  where = "own == rank and (axis == 0 or axis == rank - 1)", change = { IndicesTensor = more, UpdatesTensor = more },
}
op:invalid "SE-08" {
  "the output has the sizes of the indices, not those of the input", name = "indices", rank = "*", own = range(1, 8),
  dtype = "*", axis = range(0, 7), count = { 1, 2 }, where = "own == rank",
  change = { OutputTensor = { Sizes = result } },
}

-- ---- the page's examples, and the smallest cases of our decisions -------------------------------------------------
op:example "1" {
  note = "the page's example 1: it updates element 3 twice, so that either update may remain (E-SE-2)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 5 }, data = { 0, 1, 2, 3, 4 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 4 }, data = { 3, 1, 3, 0 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 4 }, data = { 5, 6, 7, 8 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 5 }, data = { 8, 6, 2, 7, 4 } }, Axis = 0,
}
op:example "1-4d" {
  note = "the page's example 1 without the second update of an element, in 4 dimensions, as feature level 1_0 requires",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 5 }, data = { 0, 1, 2, 3, 4 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 3 }, data = { 1, 3, 0 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 3 }, data = { 6, 7, 8 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 5 }, data = { 8, 6, 2, 7, 4 } }, Axis = 3,
}
local grid_indices, grid_updates = { 1, 0, 2, 0, 2, 1 }, { 10, 11, 12, 20, 21, 22 }
op:example "2" {
  note = "the page's example 2, with an input of 3 x 3 elements, as its data has (E-SE-1)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 }, data = { 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 3 }, data = grid_indices },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, data = grid_updates },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 }, data = { 20, 11, 0, 10, 0, 22, 0, 21, 12 } }, Axis = 0,
}
op:example "2-as-printed" {
  note = "the page's example 2 as printed: the output does not have the sizes of the input (E-SE-1)", invalid = "SE-08",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 2, 3 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 2, 3 } }, OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } },
  Axis = 0,
}
op:example "more-indices" {
  note = "more indices along the axis than the input has elements there", ambiguous = "E-SE-4",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 2 }, data = { 1, 2, 3, 4 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 3 }, data = { 0, 1, 1, 1, 1, 1 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, data = { 5, 6, 7, 8, 9, 10 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 2 } }, Axis = 1,
}
op:example "negative" {
  note = "-1 is the last element of the axis, for signed types (SE-11)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 4 }, data = { 11, 12, 13, 14 } },
  IndicesTensor = { DataType = "INT32", Sizes = { 3 }, data = { -1, -4, 1 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 3 }, data = { 1, 2, 3 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 4 }, data = { 2, 3, 13, 1 } }, Axis = 0,
}
op:example "out-of-range" {
  note = "indices beyond the axis: no fault, and the output is undefined (SE-12)", ambiguous = "E-SE-3",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 2, 2 }, data = { 5, 7, 4294967295, 1 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 }, data = { 11, 12, 13, 14 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 } }, Axis = 2,
}
op:example "out-of-range-64" {
  note = "indices beyond the axis that are no 64-bit numbers with a sign: no fault", ambiguous = "E-SE-3",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT64", Sizes = { 1, 1, 2, 2 }, data = { "9223372036854775808", "18446744073709551615", 1, 2 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 }, data = { 11, 12, 13, 14 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 } }, Axis = 2,
}
op:example "other-updates" {
  note = "there is an update for each index", invalid = "SE-07",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 2, 3 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } }, OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } },
  Axis = 0,
}
op:example "axis-too-large" {
  note = "Axis is below the dimension count", invalid = "SE-05",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 3, 3 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } }, OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } },
  Axis = 2,
}
