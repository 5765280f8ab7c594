-- SPDX-License-Identifier: Apache-2.0
-- The cases of OpenVINO's Gather-1, Gather-7, which adds batches, and Gather-8, which gives every index a meaning:
-- shared_file("gather_shared.lua", op, { prefix =, batched =, negative = }). prefix: of the operator's clauses; negative:
-- indices may be negative, and those beyond the axis give zeros. docs/cases.md describes the language.
local op, version = ...
local ov = shared()
local limits = ov.limits(ov.integers)
local batched, negative = version.batched, version.negative
local function id(number) return ("%s-%02d"):format(version.prefix, number) end

-- ---- axes: the first value is the default -------------------------------------------------------------------------
local lengths = { 64, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024,
                  1025, 65535, 65536, 65537, 262144, 4194304 }
local function signed(first, last) -- 0, 1, -1, 2, -2 and so on, from `last` to `first`
  local values = { 0 }
  for k = 1, math.max(-first, last) do
    if k <= last then values[#values + 1] = k end
    if k <= -first then values[#values + 1] = -k end
  end
  return values
end
op:axis("rank", "dimensions of data") { 2, 1, 3, 4, 5, 6, 7, 8 }
op:axis("dims", "dimensions of indices") { 1, 0, 2, 3, 4, 5, 6, 7, 8 }
op:axis("dtype", "element type of data and output") { all.dtypes }
op:axis("index_dtype", "element type of indices") (ov.integers)
op:axis("axis", "axis: the dimension of data that indices select from; negative from the last") (signed(-8, 7))
if batched then
  op:axis("batch", "batch_dims: the leading dimensions that are batches; negative from the last one of indices")
    (signed(-8, 7))
  op:axis("stated", "1: the optional attribute batch_dims is given; 0: it is not") { 1, 0 }
end
op:axis("in_layout", "memory layout of data") { all.layouts }
op:axis("indices_layout", "memory layout of indices") { all.layouts }
op:axis("out_layout", "memory layout of output") { all.output_layouts }
op:axis("fill", "contents of data") { all.fills }
op:axis("extra", "bytes beyond the least that the tensors need") { 0, 4, 64 }
op:axis("length", "size of the dimension that `long` or `many` names")
  { lengths, 4294967295, 4294967297, 17179869189, math.maxinteger }
op:axis("long", "the dimension of data that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4 }
op:axis("many", "the dimension of indices that is `length` long, from 1; 0: none") { 0, 1, 2, 3 }
if negative then op:axis("sign", "negative indices: 0 none, 1 all, 2 every other one") { 0, 1, 2 } end
op:axis("stray", "the second index, where it is not 0")
  { 0, 1, 2, 5, 7, 100, 32768, 65536, 2147483647, -1, -2, -5, -6, -7, -100, -2147483648, 2147483648, 4294967294,
    4294967295, 4294967296, 4294967297, math.maxinteger, -2147483649, -4294967296, -4294967297, math.mininteger }
op:axis("size", "shape of data, except of the dimension that is `length` long") { 3, 1, 2, 4, 0, 5, 6, 8, per = "rank" }
op:axis("index_size", "shape of indices, except of the dimension that is `length` long")
  { 2, 1, 3, 4, 0, 5, 6, 8, per = "dims" }
op:axis("index", "the first four indices; the others follow from them") { 0, 1, 2, 3, 4, 7, per = 4 }
op:positions("at", "rank")
op:positions("index_at", "dims")

-- The axis and the number of batches, from the first dimension; the elements along the axis.
local from_first = "(axis < 0 and axis + rank or axis)"
local batches = batched and "(batch < 0 and batch + dims or batch)" or "0"
local n = ("(long == %s + 1 and length or size[%s + 1])"):format(from_first, from_first)
local indices = "product(index_size)" -- their number, without a long dimension
local sign = negative and "(sign == 1 and 1 or sign == 2 and i % 2 or 0)" or "0"

op:where("axis < rank and axis >= -rank")                                                        -- G1-06
op:where("long <= rank and many <= dims")
if batched then
  op:where("batch <= min(rank, dims) and batch >= -min(rank, dims)")                             -- G7-12
  op:where(("%s <= %s"):format(batches, from_first))                                             -- G7-13
  op:where("stated == 1 or batch == 0")
  for k = 1, 7 do op:where(("%s < %d or size[%d] == index_size[%d]"):format(batches, k, k, k)) end -- G7-14
  op:where(("(long > %s or long == 0) and (many > %s or many == 0) or long == many and long <= %s")
           :format(batches, batches, batches))
end
if not negative then op:where(n .. " > 0 or count(index_size == 0) > 0") end                     -- G1-10
if negative then op:where(limits.holds_signs) end
op:where(("long == 0 or length <= %s or %s"):format(limits.cap, ov.is_usual))

op:bind {
  data    = { DataType = "dtype", Sizes = "pick(at == long, length, size)", Layout = "in_layout", Fill = "fill",
              Extra = "extra" },
  indices = { DataType = "index_dtype", Sizes = "pick(index_at == many, length, index_size)",
              Layout = "indices_layout", Extra = "extra",
              Data = ("stray ~= 0 and i == 1 and stray or (index[i %% 4 + 1] + i // 4) %% max(%s, 1) - %s * %s")
                     :format(n, sign, n) },
  output  = { Layout = "out_layout", Extra = "extra" },
  axis = "axis", batch_dims = batched and { Value = "batch", Present = "stated" } or nil,
}

-- A test of the operator: Gather-1 has no batches, and only Gather-8 negative indices.
local function test(name, def)
  if not batched then def.batch, def.stated = nil, nil end
  if not negative then def.sign = nil end
  op:test(name)(def)
end
local unsigned = negative and "sign == 0" or "rank >= 1" -- true where the operator has no axis `sign`
local one_batch = batched and "stated == 1" or "rank >= 1"

-- At most four indices. Unused elements of `index` stay 0, and none is beyond the axis, so that no two cases are equal.
-- And these predicates.
local function few(more)
  local where = { indices .. " <= 4", "each(index < max(" .. n .. ", 1))" }
  for k = 1, 4 do where[#where + 1] = ("%s >= %d or index[%d] == 0"):format(indices, k, k) end
  return table.move(more, 1, #more, #where + 1, where)
end
local widths = "(dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'f64')" -- one type of each width

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds faults in the coordinates of batches, before, inside and behind the indices, and in negative axes, batch_dims and
-- indices. Every index tensor of up to four elements over every small input, at every axis.
test("exhaustive", {
  "every index tensor of up to four indices over every small input",
  rank = { 2, 1, 3 }, dims = { 1, 0, 2, 3 }, dtype = "*", index_dtype = ov.usual, axis = signed(-3, 2), batch = signed(-3, 2),
  stated = "*", sign = "*", size = { 3, 1, 2, 0 }, index_size = { 2, 1, 3, 0 }, index = { 0, 1, 2 },
  where = few {
    "rank <= 2 or sum(size) <= 6 and min(size) >= 1", "rank <= 2 or dims <= 2 or dtype == 'f32'",
    "dims <= 2 or min(index_size) >= 1",
    "dtype == 'f32' or dtype == 'u8' or axis >= 0 and rank <= 2 and sum(size) <= 4 and min(size) >= 1",
    "dtype == 'f32' or dtype == 'u8' or dims <= 1 or sum(index) <= 2 and min(index_size) >= 1",
    "dtype == 'f32' or index_dtype == 'i32' or rank <= 1 or sum(index) <= 1",
    "dtype == 'f32' or rank <= 2 and dims <= 2 or sum(size) <= 4 and sum(index) <= 2",
    "dtype == 'f32' or dims <= 2 and sum(index) <= 2 and (rank <= 2 or axis >= 0)",
    "dtype == 'f32' and index_dtype == 'i32' or min(size) >= 1 and count(index_size == 0) == 0",
    batched and "dtype == 'f32' or batch >= 0 and stated == 1 or rank <= 2 and dims <= 2" or one_batch,
    negative and "sign < 2 or dims <= 1 and rank <= 2 and dtype == 'f32' and min(size) >= 1" or unsigned,
    negative and "sign == 0 or dtype == 'f32' or rank <= 2 and dims <= 1 and sum(index) <= 2" or unsigned,
    negative and "sign == 0 or rank <= 2 and dims <= 2 or sum(size) <= 4 and dims <= 1" or unsigned,
    negative and "sign == 0 or index_dtype == 'i32' or rank <= 2 and dims <= 1" or unsigned,
    negative and "sign == 0 or batch >= 0 and axis >= 0 or rank <= 2 and sum(index) <= 2" or unsigned,
  },
})

test("pairwise", {
  "every pair of values of all parameters",
  vary = "*", strength = 2, rank = { 2, 1, 3, 4, 8 }, dims = { 1, 0, 2, 3, 8 }, length = { 64 }, long = { 0 },
  many = { 0 }, stray = { 0 },
  where = { "rank <= 3 or each(size <= 4)", "rank <= 4 or each(size <= 2)", "dims <= 2 or each(index_size <= 4)",
            "dims <= 3 or each(index_size <= 2)", "rank <= 4 or dims <= 4 or sum(index_size) <= 11" },
})

-- Long axes, long rows behind the axis, many indices. Finds faults of vector tails and grids, and 16-bit offsets.
test("boundary", {
  "one long dimension of data or indices about each power of two",
  rank = { 2, 1, 3, 5 }, dims = { 1, 0, 2 }, dtype = "*", index_dtype = ov.usual, axis = { 0, 1, 2, -1 }, batch = { 0, 1 },
  length = lengths, long = { 0, 1, 2, 3 }, many = { 0, 1, 2 }, sign = { 0, 2 }, size = { 1, 2 }, index_size = { 2, 1 },
  index = { 0, 1, 2, 7 },
  where = {
    "long ~= 0 and many == 0 or long == 0 and many ~= 0" ..
      (batched and " or long == many and long <= " .. batches or ""),
    "each(at ~= long or size == 1)", "each(index_at ~= many or index_size == 1)",
    "index[1] == 1 and index[2] == 7 and index[3] == 0 and index[4] == 2",
    "index_dtype == 'i32' or dtype == 'f32' or dtype == 'u8'", "rank <= 2 or each(size == 1)",
    "dtype == 'f32' and rank <= 2 and length <= 257 and axis >= 0 and dims == 1 or " .. unsigned, "dtype == 'f32' or axis >= 0",
    "dtype == 'f32' or dtype == 'u8' or sum(size) + sum(index_size) <= 5 and index_dtype == 'i32'",
    batched and "batch == 0 or dtype == 'f32' or dtype == 'u8' or dims == 1" or one_batch,
    "product(index_size) * product(size) <= 4", "length <= 257 or dtype == 'f32' or dtype == 'u8'",
    "length <= 1025 or rank <= 2 and dims <= 2 and index_dtype == 'i32' and product(size) == 1 and axis >= 0 and " ..
      unsigned,
    "length <= 1025 or length > 65537 or dtype == 'f32' or axis == 0 and dims == 1",
    "length <= 65537 or dtype == 'f32' and dims <= 1",
    "length <= 262144 or dims == 1 and rank == 2 and axis == 0 and long ~= 2 and each(index_size == 1)",
  },
})

-- Finds wrong addresses of three tensors at once.
test("layout", {
  "every combination of the layouts of data and indices with those of the output",
  rank = { 2, 1, 3, 4, 6 }, dims = { 1, 2, 0 }, dtype = "*", index_dtype = ov.usual, axis = { 0, 1, 2, 3 }, batch = { 0, 1 },
  in_layout = "*", indices_layout = "*", out_layout = "*", size = { 3, 2 }, index_size = { 2, 3 }, index = { 0, 1, 2 },
  where = {
    "index[1] == 1 and index[2] == 0 and index[3] == 0 and index[4] == 1",
    "indices_layout == in_layout or indices_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "rank <= 1 or sum(size) == rank * 2 + 1", "rank <= 1 or size[axis + 1] == 3 or dims == 2",
    "dims <= 1 or sum(index_size) == 5", "dims ~= 1 or index_size[1] == 3 or rank <= 2 and size[1] == 2",
    "rank <= 3 or dtype == 'f32' or dtype == 'u8'", "rank <= 4 or axis == 2", "rank <= 2 or " .. widths,
    "index_dtype == 'i32' or dtype == 'f32' and rank <= 2", "dtype == 'f32' or dtype == 'u8' or dims <= 1 and rank <= 2",
    batched and "batch == 0 or rank <= 3 and dims == 1 or " .. widths or one_batch,
  },
})

test("special", {
  "special values and random bits are copied unchanged",
  rank = { 2, 1, 3, 5 }, dims = { 1, 0, 2 }, dtype = "*", index_dtype = ov.usual, axis = { 0, 1, 2, -1 }, batch = { 0, 1 },
  fill = { "special", "bits" }, size = { 3, 2, 4, 6, 8 }, index_size = { 4, 2, 3 },
  index = { 0, 1, 2 },
  where = {
    "rank <= 2 or each(size <= 4 and size >= 3) and sum(size) <= rank * 3 + 1", "rank <= 3 or axis == 1",
    "axis >= 0 or rank <= 2", "rank == 1 or size[1] ~= 6 and size[2] ~= 8",
    "dims <= 1 or index_size[2] == 2", "index[1] == 2 and index[3] == 0 and index[4] == 1 and index[2] <= 1",
    n .. " >= 3", "index_dtype == 'i32' or rank <= 2", batched and "batch == 0 or dims == 1 or rank <= 2" or one_batch,
  },
})

-- Indices far along a long axis. Finds index types that are narrowed, which wrap to the beginning of the axis.
test("far", {
  "an index beyond 8 and 15 bits, inside a long axis",
  rank = { 2, 1, 3 }, dims = { 1, 2 }, dtype = "*", index_dtype = ov.usual, axis = { 0, 1, 2 }, long = { 1, 2, 3 },
  length = { 65537 }, stray = { 32768, 65536 }, size = { 1, 2 }, index_size = { 2, 1 },
  where = { "long == axis + 1", "each(at ~= long or size == 1)", indices .. " == 2", "rank <= 2 or " .. widths,
            "dtype == 'f32' or index_dtype == 'i32' or index_dtype == 'i64' and " .. widths },
})

-- Finds indices and axes that are cut to 32 bits. All elements share one address, so that little memory is touched; the
-- result shows whether the backend takes the index as inside.
local inside = negative and ("stray < %s and stray >= -%s"):format(n, n) or ("stray < %s and stray >= 0"):format(n)
local function vast(name, title, where)
  test(name, {
    title, vast = true, rank = { 1, 3 }, dims = { 1 }, dtype = { "u8", "f32" }, index_dtype = ov.usual, long = { 1 },
    axis = { 0 }, in_layout = { "broadcast-all" }, length = { 4294967295, 4294967297, 17179869189, math.maxinteger },
    stray = { 0, 1, 2147483647, 2147483648, 4294967294, 4294967295, 4294967296, 4294967297, math.maxinteger, -1,
              -2147483648, -2147483649, -4294967296, -4294967297, math.mininteger },
    size = { 1 }, index_size = { 2 }, where = { where, limits.holds_stray },
  })
end
vast("vast", "an index inside of an axis of 2^32 - 1 elements or more that lie at one address", inside)
ov.index_types_test(op, n, negative, { rank = { 1, 2 }, dims = { 1 }, axis = { 0 }, size = { 1 }, index_size = { 2, 3 } })
vast(negative and "vast_beyond" or "vast_out_of_range", "an index beyond such an axis", "not (" .. inside .. ")")

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
for _, c in ipairs { { "data", { "data" }, "the same descriptor with other data" },
                     { "other", { "other" }, "a neighbouring case with the same data" },
                     { "class", { "class" }, "a case of the same shape and another layout" },
                     { "axis", { "class" }, "one of the same shape along another axis", { "packed" } },
                     { "return", { "same", "other" }, "itself and a neighbouring case" } } do
  test("after_" .. c[1], { -- "class" changes the last scalar parameter that has several values
    "a call after " .. c[3], after = c[2], fill = { "bits" }, dtype = { "f32", "u8", "f16", "f64" },
    rank = { 2, 1, 3, 6 }, dims = { 1, 0, 2 }, axis = { 0, 1, -1, 2 }, batch = c[1] == "axis" and { 0 } or { 0, 1 },
    index_dtype = ov.usual, in_layout = c[4] or { "packed", "padded" }, size = { 3, 2 }, index_size = { 2, 3 },
    index = { 0, 1, 2 },
    where = {
      "index[1] == 1 and index[2] ~= 1 and index[3] == 1 and index[4] == 0", "rank <= 2 or each(size == 3)",
      "rank <= 3 or axis == 2 and dims == 1",
    },
  })
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, which these operators do not forbid, in separate pages; the gigabytes between take address space and no
-- memory.
test("sparse", {
  "elements gigabytes apart, in data, indices, the output or all of them", sparse = true, strength = 2,
  rank = { 2, 1, 3, 8 }, dims = { 1, 2 }, axis = { 0, 1, -1, 2 }, batch = { 0, 1 }, dtype = "*", index_dtype = ov.usual,
  fill = { "bits" }, in_layout = { "packed", all.far_layouts }, indices_layout = { "packed", all.far_layouts },
  out_layout = { "packed", all.far_layouts }, sign = { 0, 2 }, size = { 3, 1, 2 }, index_size = { 3, 1, 2 },
  index = { 0, 1, 2 },
  where = {
    "in_layout ~= 'packed' or indices_layout ~= 'packed' or out_layout ~= 'packed'",
    "product(size) > 1 and product(size) <= 9 and " .. n .. " > 1", indices .. " > 1 and " .. indices .. " <= 6",
    "rank <= 3 or each(size == pick(at == 2, 3, pick(at == rank, 2, 1)))", "rank <= 3 or axis == 1 and dims == 1",
    "index[1] == 1 and index[2] == 0 and index[3] == 1 and index[4] == 0", "rank <= 2 or " .. widths,
  },
})

-- One index is beyond its axis. Gather-8 gives 0 for it. The other pages forbid it: the call may fail. If it does not, its
-- element is undefined, nothing outside is read, and the other elements are right.
test(negative and "beyond" or "out_of_range", {
  negative and "one index beyond the axis: its element is 0, and all others are right" or
    "one index beyond the axis: the call fails, or all other elements are right",
  rank = { 2, 1, 3, 5 }, dims = { 1, 2 }, axis = { 0, 1, 2, -1 }, batch = { 0, 1 }, dtype = "*", index_dtype = "*",
  stray = "*", sign = { 0, 1 }, size = { 3, 1, 5 }, index_size = { 2, 3 }, index = { 0, 1 },
  in_layout = { "packed", "padded", "transposed" },
  where = {
    "stray ~= 0", "not (" .. inside .. ")", limits.holds_stray, n .. " > 1 or index[1] == 0",
    "index[1] == min(" .. n .. " - 1, 1) and index[2] == 0 and index[3] == 0 and index[4] == 0",
    "rank <= 2 or sum(size) <= 9 and in_layout == 'packed'", "rank <= 3 or each(size == pick(at == axis + 1, 5, 1))",
    "dtype == 'f32' or dtype == 'u8' or stray == 100 and " .. unsigned .. " or stray == -100",
    "rank <= 2 and dims == 1 and in_layout == 'packed' or " .. unsigned,
    batched and "batch == 0 or dims == 1 and rank <= 3 and in_layout == 'packed'" or one_batch,
    "index_dtype == 'i64' or dims == 1",
    ov.is_usual .. " or dtype == 'f32' and rank == 1 and in_layout == 'packed' and axis == 0 and " .. unsigned,
    "stray == 5 or in_layout == 'packed' or dtype == 'f32'", "rank <= 2 or dtype == 'f32' or dtype == 'u8' or dims == 1",
  },
})

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, index tensors and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"        { 2, 1, 3, 4, 5, 6, 7, 8 }
any:axis "dims"        { 1, 0, 2, 3, 4, 5, 6, 7, 8 }
any:axis "dtype"       { all.dtypes }
any:axis "index_dtype" (ov.integers)
any:axis "axis"        { 0 }
if batched then
  any:axis "batch"  { 0 }
  any:axis "stated" { 1, 0 }
end
any:axis("out_rank", "dimensions of output, for its strides") { 2, range(0, 1), range(3, 15) }
any:axis "in_layout"      { "packed", "strides" }
any:axis "indices_layout" { "packed", "strides" }
any:axis "out_layout"     { "packed", "strides" }
any:axis "fill"           { all.fills, "stretches" }
any:axis("in_extra", "bytes beyond the least that data needs") { 0 }
any:axis("indices_extra", "bytes beyond the least that indices need") { 0 }
any:axis("out_extra", "bytes beyond the least that output needs") { 0 }
any:axis("pattern", "how the indices follow from `first` and `period`")
  { "ascending", "descending", "constant", "runs", "cycle", "steps", "mixed" }
any:axis("first", "the first index") { 0 }
any:axis("period", "length of a run or cycle of indices, or the difference of two") { 1 }
any:axis("odd", "the number of the index that breaks the pattern, from 1; 0: none") { 0 }
if negative then
  any:axis "sign" { 0, 1, 2 }
  any:axis("stray", "what the index `odd` is instead, where it is not 0") { 0 }
end
any:axis("size", "shape of data") { 3, per = "rank" }
any:axis("index_size", "shape of indices") { 2, per = "dims" }
any:axis("out_size", "shape of output, for its strides and for changes") { 0, per = "out_rank" }
any:axis("in_stride", "strides of data in memory, where its layout is strides") { 0, per = "rank" }
any:axis("indices_stride", "strides of indices in memory, where their layout is strides") { 0, per = "dims" }
any:axis("out_stride", "strides of output in memory, where its layout is strides") { 0, per = "out_rank" }
any:axis("in_base", "where data begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("indices_base", "where indices begin: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("out_base", "where output begins: bytes behind a multiple of 64; -1: anywhere") { -1 }

-- What differs in the calls before a case of drawn_after, and the number of these calls.
local words = { "data", "dtype", "index_dtype", "axis", "in_layout", "indices_layout", "out_layout", "in_extra", "pattern",
                "first", "size", "index_size", "in_stride", "indices_stride", "out_stride", "out_base",
                "refused", "swapped",
                "others" }
if batched then table.move({ "batch", "stated" }, 1, 2, #words + 1, words) end
if negative then table.move({ "sign", "stray" }, 1, 2, #words + 1, words) end
ov.variant_axes(any, words)
any:positions("at", "rank")
any:positions("index_at", "dims")
any:positions("out_at", "out_rank")

any:where("axis < rank and axis >= -rank")
any:where("period > 0")
if negative then any:where(limits.holds_signs) end
local drawn_n = ("size[%s + 1]"):format(from_first)
local named = ("min(%s, %s)"):format(drawn_n, limits.cap) -- the elements that the type of the indices can name
any:bind {
  data    = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
              Extra = "in_extra", Base = "in_base" },
  indices = { DataType = "index_dtype", Sizes = "index_size", Layout = "indices_layout", Strides = "indices_stride",
              Extra = "indices_extra", Base = "indices_base",
              Data = (negative and "stray ~= 0 and i == odd - 1 and stray or " or "") ..
                     "(i == odd - 1 and first + period + 1 or pattern == 'ascending' and first + i or " ..
                     "pattern == 'descending' and first - i or pattern == 'constant' and first or " ..
                     "pattern == 'runs' and first + i // period or pattern == 'cycle' and first + i % period or " ..
                     "pattern == 'steps' and first + i * period or (first + i) * (period + i)) % max(" .. named ..
                     ", 1) - " .. sign .. " * " .. named },
  output  = { Layout = "out_layout", Strides = "out_stride", Extra = "out_extra", Base = "out_base" },
  axis = "axis", batch_dims = batched and { Value = "batch", Present = "stated" } or nil,
}

local function product(list)
  local p = 1
  for k = 1, #list do p = p * list[k] end
  return p
end
local function ones(n)
  local list = {}
  for k = 1, n do list[k] = 1 end
  return list
end
local function joined(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end
local function part(list, first, last) return table.move(list, first, last, 1, {}) end

-- How many dimensions of data are batches and how many precede the axis, and how many of the indices are no batches.
local function draw_parts(r, c)
  local b = batched and r.chance(50) and r.int(0, math.min(c.rank - 1, c.dims)) or 0
  return b, r.chance(40) and b or r.int(b, c.rank - 1), c.dims - b
end

-- Everything but sizes. The first b sizes of data are those of batches, `axis` precede the axis; `picks` are the sizes of
-- the indices behind the batches. most: of elements, where nothing runs; plan: of r.copied.
local function draw_sized(r, c, size, b, axis, picks, most, plan)
  local shape, count = joined(part(size, 1, b), picks), size[axis + 1]
  local out = joined(part(size, 1, axis), picks, part(size, axis + 2, c.rank))
  local function strided(dtype, shares, like)
    return { dtype = dtype, shares = shares, like = like, span = most and most > 4096 and 4294967295 or nil }
  end
  local v = {
    size = size, index_size = shape, out_rank = #out, out_size = out,
    axis = r.chance(30) and axis - c.rank or axis, fill = r.pick { "bits", "bits", "injective", "special", "stretches" },
    pattern = r.pick { "ascending", "descending", "constant", "runs", "cycle", "steps", "mixed" },
    first = r.chance(30) and r.pick { 0, math.max(count, 1) - 1 } or r.about(0, math.max(count, 1) - 1),
    period = r.chance(20) and r.pick { math.max(product(picks), 1), math.max(count, 1) } or r.about(1, math.max(2, count)),
    odd = r.chance(20) and r.about(1, math.max(product(shape), 1)) or 0,
    in_extra = r.chance(20) and r.about(0, 65536) or 0, indices_extra = r.chance(20) and r.about(0, 4096) or 0,
    out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_layout = r.chance(60) and "strides" or "packed", indices_layout = r.chance(60) and "strides" or "packed",
    out_layout = r.chance(60) and "strides" or "packed", in_stride = r.strides(size, strided(c.dtype, true)),
    indices_stride = r.strides(shape, strided(c.index_dtype, true)), in_base = r.base(), indices_base = r.base(),
    out_base = r.base(),
  }
  v.out_stride = r.strides(out, strided(c.dtype, false, v.in_stride))
  if plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(size, out, plan, c.dtype) end
  if batched then
    v.batch = #picks >= 1 and #picks <= c.rank and r.chance(30) and -#picks or b
    v.stated = v.batch == 0 and r.chance(40) and 0 or 1
  end
  if negative then
    local kind, width = c.index_dtype:match "^(%a)(%d+)$"
    local bits = math.tointeger(width) - (kind == "i" and 1 or 0)
    local low, high = 0, bits < 63 and (1 << bits) - 1 or math.maxinteger
    if kind == "i" then low = -high - 1 end
    v.sign = kind == "i" and r.pick { 0, 0, 1, 2 } or 0
    if v.odd > 0 and r.chance(30) then
      v.stray = r.pick { r.about(low, high), count, -count - 1, high, low }
      if v.stray < low or v.stray > high then v.stray = 0 end
    end
  end
  return v
end

-- Data, indices and outputs of at most `elements` elements.
local function draw_most(r, c, elements, most)
  local b, axis, picks = draw_parts(r, c)
  local size = r.sizes(c.rank, elements)
  local others = product(size) // size[axis + 1]
  local list = r.sizes(picks, math.max(1, elements // others))
  if r.chance(2) then
    local k = r.int(1, c.rank + picks)
    if k > c.rank then list[k - c.rank] = 0 elseif negative or k ~= axis + 1 then size[k] = 0 end
  end
  return draw_sized(r, c, size, b, axis, list, most)
end

-- Give the longest of these sizes to a dimension of batches, before the axis, of the axis, behind it or of the indices. An
-- index takes longer to make than an element.
local function draw_given(r, c, given)
  local b, axis, picks = draw_parts(r, c)
  local size, list, long = r.sizes(c.rank, 8), r.sizes(picks, 4), 0
  for k = 1, c.rank do long = math.max(long, given[k]) end
  local role = r.pick { "batch", "before", "axis", "behind", "behind", "indices", "indices" }
  long = math.min(long, math.max(65537, (long > 1048576 and 20000000 or 1048576) // (product(size) * product(list))))
  if role == "indices" and picks > 0 then
    list[r.int(1, picks)] = math.min(long, r.chance(80) and 66000 or 131073)
  elseif role == "batch" and b > 0 then
    size[r.int(1, b)] = math.min(long, 66000)
  elseif role == "before" and axis > b then
    size[r.int(b + 1, axis)] = long
  elseif role ~= "axis" and axis < c.rank - 1 then
    size[r.int(axis + 2, c.rank)] = long
  else
    size[axis + 1] = long
  end
  return draw_sized(r, c, size, b, axis, list)
end

-- The sizes that shape(n) draws are those of the output: the indices are one of its dimensions, or there is a single
-- index and the output has all dimensions but the axis.
local function draw_planned(r, c, shape)
  local rank = c.rank
  if rank == 1 or c.dims > 0 and r.chance(60) then
    local size, plan = shape(rank)
    local axis = r.int(0, rank - 1)
    -- An index takes longer to make than an element.
    while size[axis + 1] > 80000 and rank > 1 do axis = (axis + 1) % rank end
    local count, b = size[axis + 1], batched and c.dims > 0 and r.int(0, math.min(axis, c.dims - 1)) or 0
    while b > 0 and product(part(size, 1, b)) * count > 80000 do b = b - 1 end
    if r.chance(60) then size[axis + 1] = r.int(1, math.min(count + 3, 40)) end
    local picks = ones(c.dims - b)
    if #picks > 0 then picks[r.int(1, #picks)] = count end
    return draw_sized(r, c, size, b, axis, picks, nil, plan)
  end
  local size, plan = shape(rank - 1)
  local axis = r.chance(50) and 0 or r.int(0, rank - 1)
  table.insert(size, axis + 1, r.chance(40) and 1 or r.int(2, 4))
  return draw_sized(r, c, size, 0, axis, ones(c.dims), nil, plan)
end

local classes = { "dtype", "rank", "dims", "index_dtype" }
local function draw_any(r, c, most, given)
  if not most and not given and r.chance(22) then return draw_planned(r, c, r.tiles) end
  if given then return draw_given(r, c, given) end
  return draw_most(r, c, most or r.elements(), most)
end

local function drawn_test(name, title, cases, draw, more)
  local t = { title, each = classes, dtype = "*", rank = "*", dims = "*", index_dtype = ov.usual, cases = cases, draw = draw }
  for word, value in pairs(more or {}) do t[word] = value end
  any:test(name)(t)
end
-- The same with random bits.
local function bits(draw)
  return function(r, c)
    local v = draw(r, c)
    if v then v.fill = "bits" end
    return v
  end
end

drawn_test("drawn", "any sizes, axes, index tensors and layouts", { quick = 500, full = 8000, exhaustive = 1000000 },
           function(r, c) return draw_any(r, c) end)
drawn_test("drawn_after", "the same after calls that differ in one thing",
           { quick = 200, full = 1500, exhaustive = 100000 }, bits(ov.after(draw_any, draw_planned, words)), { preceded = true })

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
drawn_test("drawn_counts", "more than 2^16 of something: rows, batches, blocks, elements of a row",
           { quick = 1, full = 20, exhaustive = 4000 },
           function(r, c) return draw_any(r, c, nil, r.long_sizes(c.rank)) end)
drawn_test("drawn_grids", "more than 65,535 rows, matrices or elements of a plane that cannot be merged",
           { quick = 1, full = 40, exhaustive = 8000 }, bits(function(r, c) return draw_planned(r, c, r.grid) end),
           { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 4, 3, 5, 8 }, dims = { 1, 2, 0 } })
local large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 4, 3 }, dims = { 1, 2 }, index_dtype = { "i32" } }
drawn_test("drawn_tall", "more than 65,535 groups of 32 or 64 rows", { full = 2, exhaustive = 40 }, bits(function(r, c)
  return draw_planned(r, c, function(k) return r.grid(k, 65535 * r.pick { 64, 64, 128 } + r.int(1, 1024)) end)
end), large)
drawn_test("drawn_large", "2^24 elements: more groups of 256 than a dimension of a dispatch has",
           { full = 1, exhaustive = 12 }, bits(function(r, c)
  return draw_planned(r, c, function(k) return r.grid(k, 16776960 + r.int(1, 1024)) end)
end), large)
drawn_test("drawn_first", "the first call of a process", { quick = 1, full = 12, exhaustive = 400 },
           bits(function(r, c) return draw_any(r, c, 256) end), { fresh = true })

-- A few indices along an axis of `length` elements, which has few neighbours.
ov.far_tests(drawn_test, { most = 1 << 33, long = function(r, c, length)
  local b, axis, picks = draw_parts(r, c)
  local size, list = r.sizes(c.rank, 4), r.sizes(picks, 4)
  size[axis + 1] = 1
  size[axis + 1] = length(product(size))
  local v = draw_sized(r, c, size, b, axis, list)
  if negative then v.stray = 0 end
  if v.index_size and c.index_dtype == "i32" and size[axis + 1] > 2147483648 then return nil end
  return v
end })
ov.large_tests(drawn_test, {
  planned = draw_planned, full = { rows = 20, cubes = 20, high = 3 }, large = large,
  classes = { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 4, 3, 5 }, dims = { 1, 2, 0 } },
  deep = { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 4, 3, 5 }, dims = { 1, 2, 0 } },
  block = function(r, c, n)
    local v = draw_sized(r, c, { 2, n }, 0, 0, { 1 })
    v.first, v.pattern, v.odd = r.int(0, 1), "ascending", 0
    if negative then v.sign, v.stray = 0, 0 end
    return v
  end,
  block_classes = { dtype = { "f64", "i64" }, rank = { 2 }, dims = { 1 }, index_dtype = { "i32" }, sparse = true },
  batched_classes = { dtype = { "u8", "f16", "f32" }, rank = { 4, 5 }, dims = { 3, 4 } },
  batched = batched and function(r, c, batches, rows, row)
    local b = math.min(#batches, c.rank - 2, c.dims - 1)
    local picks, size = ones(c.dims - b), joined(part(batches, 1, b), ones(c.rank - b))
    picks[1], size[b + 1], size[c.rank] = rows * product(part(batches, b + 1, #batches)), r.int(2, 6), row
    return draw_sized(r, c, size, b, b, picks)
  end or nil,
})

drawn_test("drawn_ends", "indices where 7, 8, 15 and 16 bits end, and at the end of an axis that is longer",
           { quick = 4, full = 60, exhaustive = 20000 }, function(r, c)
  local b, axis, picks = draw_parts(r, c)
  local size, n = r.sizes(c.rank, 4), ov.long(r)
  size[axis + 1] = n
  return ov.at_end(r, draw_sized(r, c, size, b, axis, r.sizes(picks, 64)), n)
end)

-- An axis around 2^31 elements or beyond, side by side, and indices near 0, 2^31 and its end (harness/model/sparse.h
-- fills the elements there). Finds indices that lose their top bit, and offsets in elements that 32 bits cannot hold.
local function draw_far_axis(r, c)
  local n = r.pick { 2147483648, 2147483656, 4294967304, r.int(2147483640, 4294967295) }
  local size, picks = ones(c.rank), ones(c.dims)
  size[c.rank] = n
  if c.dims > 0 then picks[r.int(1, c.dims)] = r.int(1, 8) end
  local v = draw_sized(r, c, size, 0, c.rank - 1, picks)
  v.first = r.pick { 0, n - 1, n - 1, 2147483647, 2147483640 }
  v.pattern, v.period, v.odd = r.pick { "ascending", "descending", "constant", "cycle", "runs" }, r.int(1, 4), 0
  if negative then v.sign, v.stray = 0, 0 end
  if c.index_dtype ~= "i64" and c.index_dtype ~= "u64" then -- all of them fit into the type
    v.first = math.min(v.first, 2147483647)
    v.pattern = v.first == 0 and "ascending" or "descending"
  end
  v.in_layout, v.indices_layout, v.out_layout, v.in_extra = "packed", "packed", "packed", 0
  return v
end

-- Finds offsets that 32 bits cannot hold, in elements or in bytes. These operators do not limit them.
drawn_test("drawn_sparse", "elements up to 2^33 elements apart", { quick = 30, full = 1000, exhaustive = 20000 },
           bits(function(r, c)
  if r.chance(10) then return draw_far_axis(r, c) end
  local v = draw_most(r, c, 16)
  v.in_stride, v.indices_stride, v.out_stride = r.strides(v.size, {}), r.strides(v.index_size, {}), r.strides(v.out_size, {})
  v = ov.spread(r, v, { { v.size, v.in_stride, "in_layout" }, { v.index_size, v.indices_stride, "indices_layout" },
                        { v.out_size, v.out_stride, "out_layout" } })
  if v and negative and r.chance(30) then -- the element that an index beyond the axis selects is 0, however far it is
    v.odd, v.stray = r.int(1, math.max(product(v.index_size), 1)), r.pick(ov.ends[c.index_dtype])
  end
  return v
end), { sparse = true })

-- Finds indices that are cut to 32 bits. All elements of the axis share one address.
drawn_test("drawn_vast", "indices along an axis of up to 2^62 elements that share one address",
           { quick = 60, full = 1000, exhaustive = 50000 }, function(r, c)
  local b, axis, picks = draw_parts(r, c)
  local size = r.sizes(c.rank, 64)
  size[axis + 1] = 1
  local stride = r.strides(size, { dtype = c.dtype, shares = true })
  size[axis + 1] = r.about(2097152, c.index_dtype == "i32" and 2147483647 or (1 << 62) // product(size))
  stride[axis + 1] = 0
  local v = draw_sized(r, c, size, b, axis, r.sizes(picks, 64))
  v.in_layout, v.in_stride, v.pattern = "strides", stride, v.pattern == "mixed" and "ascending" or v.pattern
  v.period = r.about(1, 65536)
  return v
end, { vast = true })

-- A drawn legal descriptor with one thing changed: alter(r, v, c) says how, or returns false to draw again.
local function breaks(clause, name, title, change, alter, more)
  local t = { title, name = "drawn-" .. name, change = change, each = classes, dtype = "*", rank = "*", dims = "*", index_dtype = ov.usual,
              cases = { quick = 20, full = 500, exhaustive = 10000 } }
  for word, value in pairs(more or {}) do t[word] = value end
  t.draw = function(r, c)
    local v = draw_any(r, c, r.chance(40) and r.about(2, 1 << 40) or nil)
    if alter and alter(r, v, c) == false then return nil end
    return v
  end
  any:invalid(id(clause))(t)
end
-- An axis or batch_dims below -low or above high, near or far.
local function outside(r, low, high)
  return r.chance(50) and r.about(high + 1, math.maxinteger) or r.about(math.mininteger, -low - 1)
end
local numbers = { f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8, f64 = 9, u64 = 10, i64 = 11 }
local keys = { data = "in", indices = "indices", output = "out" }
for _, tensor in ipairs { "data", "indices", "output" } do
  local key = keys[tensor]
  breaks(1, tensor, tensor .. " is missing", { [tensor] = { Present = "0" } })
  breaks(tensor == "indices" and 4 or 3, tensor .. "-type", tensor .. " alone has another type",
         { [tensor] = { DataType = "by" } }, function(r, v, c)
    v.by = r.int(1, 11)
    if tensor == "indices" and v.by ~= 1 and v.by ~= 2 and v.by ~= 9 then return false end -- integers are legal
    if tensor ~= "indices" and v.by == numbers[c.dtype] then return false end
    v[key .. "_extra"] = 1 << 50
  end)
  breaks(5, tensor, tensor .. " does not fit into its bytes", { [tensor] = { TotalTensorSizeInBytes = "by" } },
         function(r, v)
    local size = tensor == "data" and v.size or tensor == "indices" and v.index_size or v.out_size
    local stride, span = v[key .. "_stride"], 1
    if product(size) == 0 then return false end
    for d = 1, #size do span = span + (size[d] - 1) * stride[d] end
    v.by = r.about(0, (v[key .. "_layout"] == "strides" and span or product(size)) - 1)
  end)
end
for _, tensor in ipairs { "data", "indices" } do
  breaks(2, tensor, tensor .. " has more dimensions than are judged",
         { [tensor] = { DimensionCount = "by", TotalTensorSizeInBytes = "4611686018427387904" } },
         function(r, v) v.by = r.about(9, 4294967295) end)
end
breaks(6, "outside", "axis is no dimension of data", { axis = "by" },
       function(r, v, c) v.by = outside(r, c.rank, c.rank - 1) end)
breaks(7, "size", "a size of the output differs", {
  output = { Sizes = "pick(out_at == broken, out_size + by, out_size)", Layout = "0" },
}, function(r, v)
  if v.out_rank == 0 or product(v.out_size) == 0 then return false end
  v.broken = r.int(1, v.out_rank)
  local size = v.out_size[v.broken]
  v.by = size > 1 and r.chance(50) and -r.about(1, size - 1) or r.about(1, 1 << 20)
end, { rank = range(2, 8) })
breaks(7, "exchanged", "two sizes of the output are exchanged, and it has as many elements", {
  output = { Sizes = "pick(out_at == broken, out_size[by], pick(out_at == by, out_size[broken], out_size))", Layout = "0" },
}, function(r, v)
  if v.out_rank < 2 then return false end
  v.broken, v.by = r.int(1, v.out_rank), r.int(1, v.out_rank)
  return v.out_size[v.broken] ~= v.out_size[v.by]
end, { rank = range(3, 8) })
ov.one_leading(breaks, 7, "output", "out_size")
breaks(7, "rank", "the output has another number of dimensions",
       { output = { DimensionCount = "by", Layout = "0", TotalTensorSizeInBytes = "4611686018427387904" } },
       function(r, v)
  v.by = r.int(0, 16)
  return v.by ~= v.out_rank
end)
if batched then
  breaks(12, "outside", "batch_dims is beyond the dimensions of data or of indices",
         { batch_dims = { Value = "by", Present = "1" } }, function(r, v, c)
    local most = math.min(c.rank, c.dims)
    v.by = outside(r, most, most)
  end)
  breaks(13, "axis", "the axis is one of the batches", { batch_dims = { Value = "by", Present = "1" } },
         function(r, v, c)
    local first, most = v.axis < 0 and v.axis + c.rank or v.axis, math.min(c.rank, c.dims)
    if first >= most then return false end
    v.by = r.int(first + 1, most)
    if v.by < c.dims and c.dims - v.by <= most and r.chance(50) then v.by = v.by - c.dims end
  end, { dims = range(1, 8) })
  breaks(14, "size", "a batch has another size in indices", {
    indices = { Sizes = "pick(index_at == broken, index_size + by, index_size)", Layout = "0" },
  }, function(r, v, c)
    local b = v.batch < 0 and v.batch + c.dims or v.batch
    if b == 0 then return false end
    v.broken = r.int(1, b)
    local size = v.index_size[v.broken]
    v.by = size > 0 and r.chance(50) and -r.about(1, size) or r.about(1, 1 << 20)
  end, { rank = range(2, 8), dims = range(1, 8) })
end

-- The legal sides of limits: alter(r, v, c) moves a drawn descriptor there, or returns another. With `asked`, nothing is
-- executed.
local function holds(clauses, name, title, alter, more)
  local ids = {}
  for k, number in ipairs(clauses) do ids[k] = id(number) end
  local t = { title, name = name, each = classes, dtype = "*", rank = "*", dims = "*", index_dtype = ov.usual,
              cases = { quick = more and more.asked and 10 or 6, full = 150, exhaustive = 3000 } }
  for word, value in pairs(more or {}) do t[word] = value end
  t.draw = function(r, c)
    local v = draw_any(r, c, t.asked and r.about(2, 1 << 40) or nil)
    local other = alter(r, v, c)
    if other == false then return nil end
    return other or v
  end
  any:limit(table.concat(ids, " "))(t)
end
holds({ 1, 2, 3, 4 }, nil, "all dimensions of data and of indices that are judged, or none of indices", function(r, v, c)
  local size = r.sizes(c.rank, 64)
  return draw_sized(r, c, size, 0, r.int(0, c.rank - 1), r.sizes(c.dims, 8))
end, { dims = { 0, 8 } })
holds({ 5 }, nil, "strides without effect, and no byte too many", function(r, v, c)
  local w = draw_sized(r, c, ones(c.rank), 0, r.int(0, c.rank - 1), ones(c.dims))
  w.in_layout, w.indices_layout, w.out_layout = "strides", "strides", "strides"
  w.in_extra, w.indices_extra, w.out_extra = 0, 0, 0
  return w
end)
holds({ 6 }, nil, "the first axis and the last one, counted from both ends", function(r, v, c)
  return draw_sized(r, c, r.sizes(c.rank, 256), 0, r.pick { 0, c.rank - 1 }, r.sizes(c.dims, 16))
end)
holds({ 7 }, nil, "outputs of up to 2^40 elements", function(r, v, c) end, { asked = true })
holds({ 7 }, "interleaved", "interleaved elements of the output that share no address", function(r, v, c)
  v.out_layout, v.out_stride = "strides", r.strides(v.out_size, { dtype = c.dtype, interleave = true })
end)
if batched then
  holds({ 12, 13, 14 }, nil, "as many batches as the axis and the indices allow", function(r, v, c)
    local b = math.min(c.rank - 1, c.dims)
    return draw_sized(r, c, r.sizes(c.rank, 256), b, r.chance(50) and b or c.rank - 1, r.sizes(c.dims - b, 9))
  end)
end

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
-- Axes of illegal descriptors. Each has one value here, so that no test above varies it.
op:axis "broken" { 0 }
op:axis "by"     { 1 }
op:axis("other", "another element type, for a change") { "f32" }
local within = "broken >= 1 and broken <= rank"
local function changed(value, base, at) return ("pick(%s == broken, %s, %s)"):format(at or "at", value, base) end
local function illegal(clause, def)
  if not batched then def.batch, def.stated = nil, nil end
  op:invalid(id(clause))(def)
end

for _, tensor in ipairs { "data", "indices", "output" } do
  illegal(1, { tensor .. " is missing", name = tensor, rank = "*", dims = { 1, 0, 2 }, dtype = "*", index_dtype = ov.usual,
               change = { [tensor] = { Present = "0" } } })
  illegal(1, { tensor .. " has no shape", name = tensor .. "-shape", rank = "*", dims = { 1, 2 }, dtype = "*",
               change = { [tensor] = { Null = null.sizes } } })
  illegal(5, { tensor .. " does not fit into its bytes", name = tensor, rank = "*", dims = { 1, 2 },
               dtype = { "f32", "u8", "f16", "f64" }, index_dtype = ov.usual, size = { 3, 1 }, index_size = { 3 }, by = { 3, 1 }, where = "each(size == by)",
               in_layout = { "packed", "padded", "transposed" }, out_layout = { "packed", "padded", "transposed" },
               indices_layout = { "packed", "padded" }, change = { [tensor] = { Extra = "-4" } } })
  illegal(5, { tensor .. " has no bytes", name = tensor .. "-none", rank = "*", dims = { 1, 2 }, dtype = "*",
               change = { [tensor] = { TotalTensorSizeInBytes = "0" } } })
end
for k, tensor in ipairs { "data", "indices" } do
  illegal(5, { "strides that wrap: " .. tensor .. " seems to span a single element", name = tensor .. "-wraps",
               rank = { 2, 8 }, dims = { 2, 8 }, dtype = "*", size = { 3 }, index_size = { 3, 1 },
               by = { math.mininteger }, where = "product(index_size) == 9 and index_size[1] == 3",
               change = { [tensor] = { Strides = ("pick(%s == 1, by, 0)"):format(k == 1 and "at" or "index_at"),
                                       TotalTensorSizeInBytes = "65536" } } })
  illegal(2, { tensor .. " has more dimensions than are judged", name = tensor, rank = "*", dims = { 1, 0, 8 },
               dtype = "*", by = { 9, 10, 16, 17, 255, 4294967295 },
               change = { [tensor] = { DimensionCount = "by", TotalTensorSizeInBytes = "65536" } } })
  illegal(2, { "a dimension of " .. tensor .. " has 2^63 elements or more", name = tensor .. "-size", rank = range(1, 8),
               dims = range(1, 8), dtype = "*", broken = range(1, 8), by = { math.mininteger, -1 },
               where = { "dims == rank", within },
               change = { [tensor] = { Sizes = changed("by", k == 1 and "size" or "index_size", k == 1 and "at" or "index_at"),
                                       Strides = k == 1 and "0 * size" or "0 * index_size",
                                       TotalTensorSizeInBytes = "65536" } } })
end
illegal(2, { "data has no dimensions", name = "data-none", rank = "*", dims = { 1, 0, 2 }, dtype = "*", index_dtype = ov.usual,
             change = { data = { DimensionCount = "0" } } })
illegal(1, { "axis is not given", name = "axis", rank = "*", dims = { 1, 0, 2 }, dtype = "*",
             change = { axis = { Present = "0" } } })
for _, tensor in ipairs { "data", "output" } do
  illegal(3, { tensor .. " alone has another type", name = tensor, rank = "*", dims = { 1, 0 }, dtype = "*",
               other = { all.dtypes }, where = "other ~= dtype", change = { [tensor] = { DataType = "other" } } })
end
local unknown = { DataType = "by", TotalTensorSizeInBytes = "65536" }
illegal(3, { "an element type that does not exist, or has no whole bytes", name = "unknown", rank = "*", dtype = "*",
             by = { 0, 12, 13, 16, 255, 4294967295 }, change = { data = unknown, output = unknown } })
illegal(4, { "indices of a type that indices may not have", rank = "*", dims = { 1, 0, 2 }, dtype = "*",
             other = { "f32", "f16", "bf16", "f64", "bool" },
             change = { indices = { DataType = "other" } } })
illegal(4, { "an element type that does not exist", name = "unknown", rank = "*", dtype = "*",
             by = { 0, 12, 13, 16, 255, 4294967295 }, change = { indices = unknown } })
local far = { 0, 1, 7, 2147483647, 4294967296, math.maxinteger - 100 }
illegal(6, { "axis is beyond the last dimension of data", name = "beyond", rank = "*", dims = { 1, 0, 2 }, dtype = "*",
             index_dtype = ov.usual, by = far, change = { axis = "rank + by" } })
illegal(6, { "axis is before the first dimension of data", name = "before", rank = "*", dims = { 1, 0, 2 }, dtype = "*",
             index_dtype = ov.usual, by = far, change = { axis = "-1 - rank - by" } })

-- The output's shape where the indices have one dimension.
local result = ("pick(at == %s + 1, index_size[1], size)"):format(from_first)
illegal(7, { "a size of the output differs", name = "size", rank = "*", dims = { 1 },
             dtype = { "f32", "u8", "f16", "f64" }, axis = signed(-8, 7), broken = range(1, 8), by = { 1, -1, 65536, 4294967296 },
             where = { within, "axis == 0 or axis == -1 or axis == rank - 1 or by == 1" },
             change = { output = { Sizes = changed(result .. " + by", result) } } })
illegal(7, { "the output keeps the dimension that a single index removes", name = "scalar", rank = "*", dims = { 0 },
             dtype = "*", axis = signed(-8, 7), index_dtype = ov.usual, change = { output = { Sizes = "size" } } })
illegal(7, { "the output has fewer dimensions, or more", name = "rank", rank = "*", dims = { 1, 2 }, dtype = "*",
             by = { -1, 1, -2, 2 }, where = "rank + dims - 1 + by >= 0",
             change = { output = { DimensionCount = "rank + dims - 1 + by", TotalTensorSizeInBytes = "1048576" } } })
illegal(7, { "the output has the shape of data", name = "data", rank = "*", dims = { 1 }, dtype = "*",
             axis = signed(-8, 7), index_size = { 1, 2, 4 }, change = { output = { Sizes = "size" } } })
if batched then
  local most = "min(rank, dims)"
  illegal(12, { "batch_dims is more than the dimensions of data or of indices", name = "beyond", rank = "*",
                dims = { 1, 0, 2, 3, 8 }, axis = { 0, -1 }, dtype = { "f32", "u8" }, index_dtype = ov.usual,
                by = { 1, 2, 7, 2147483647, 4294967296, math.maxinteger - 100 },
                change = { batch_dims = { Value = most .. " + by", Present = "1" } } })
  illegal(12, { "batch_dims is before the first dimension of data or of indices", name = "before", rank = "*",
                dims = { 1, 0, 2, 3, 8 }, axis = { 0, -1 }, dtype = { "f32", "u8" }, index_dtype = ov.usual,
                by = { 1, 2, 7, 2147483647, 4294967296, math.maxinteger - 100 },
                change = { batch_dims = { Value = "-" .. most .. " - by", Present = "1" } } })
  illegal(13, { "the axis is one of the batches", rank = range(1, 8), dims = range(1, 8), axis = { 0, 1, 2, -1, -2 },
                dtype = { "f32", "u8", "f64" }, by = range(1, 7), size = { 3 }, index_size = { 3 },
                where = ("%s + by <= %s"):format(from_first, most),
                change = { batch_dims = { Value = from_first .. " + by", Present = "1" } } })
  illegal(13, { "the same, where batch_dims is negative", name = "negative", rank = range(1, 8), dims = range(2, 8),
                axis = { 0, 1, -2 }, dtype = { "f32", "u8" }, by = range(1, 7), size = { 3 }, index_size = { 3 },
                where = ("%s + by <= %s and %s + by < dims and dims - %s - by <= %s")
                        :format(from_first, most, from_first, from_first, most),
                change = { batch_dims = { Value = from_first .. " + by - dims", Present = "1" } } })
  illegal(14, { "a batch has another size in indices", rank = range(2, 8), dims = range(1, 8), axis = { -1 },
                batch = range(1, 7), dtype = { "f32", "u8", "f64" }, size = { 3 }, index_size = { 3 }, broken = range(1, 7),
                by = { 1, -1, -2, -3, 65536, 4294967296 }, where = { "broken >= 1 and broken <= batch", "dims <= batch + 1" },
                change = { indices = { Sizes = changed("3 + by", "index_size", "index_at") } } })
end

-- ---- the page's examples, and the smallest cases of our decisions ------------------------------------------------------
local function tensor(shape, data, dtype) return { type = dtype or "f32", shape = shape, data = data } end
local function example(name, note, data, picks, axis, batch, output, more)
  local def = { note = note, data = data, indices = picks, axis = axis, batch_dims = batch, output = output }
  for word, value in pairs(more or {}) do def[word] = value end
  op:example(name)(def)
end
local five = tensor({ 5 }, { 1, 2, 3, 4, 5 })
local function stated(b) return batched and b or nil end
example("1", batched and "Example 1: batch_dims is 0" or "Example 1 of Gather-7, without batch_dims", five,
        tensor({ 3 }, { 0, 0, 4 }, "i32"), 0, stated(0), tensor({ 3 }, { 1, 1, 5 }))
example("scalar-index", "an index of rank 0 removes the axis", tensor({ 2, 3 }, range(1, 6)), tensor({}, { 2 }, "i32"), 1, nil,
        tensor({ 2 }, { 3, 6 }))
example("negative-axis", ("a negative axis is normalised before the shape is made (%s)"):format(id(6)),
        tensor({ 2, 3 }, range(1, 6)), tensor({ 2 }, { 2, 0 }, "i64"), -1, nil, tensor({ 2, 2 }, { 3, 1, 6, 4 }))
example("axis-1", ("axis 1 is the second dimension, as axes count from 0 (E-%s-2)"):format(version.prefix),
        tensor({ 2, 3 }, range(1, 6)), tensor({ 1 }, { 1 }, "i32"), 1, nil, tensor({ 2, 1 }, { 2, 5 }))
example("axis-beyond", "axis is at most the last dimension", tensor({ 2, 3 }), tensor({ 1 }, nil, "i32"), 2, nil,
        tensor({ 2, 3 }), { invalid = id(6) })
for _, dtype in ipairs(ov.integers) do
  example(dtype .. "-indices", ("indices have any integer type (%s)"):format(id(4)), five, tensor({ 2 }, { 4, 0 }, dtype), 0, nil,
          tensor({ 2 }, { 5, 1 }))
end
for _, x in ipairs { { "beyond", 5 }, { "before", -6 }, { "far-beyond", 4294967298, "i64" },
                     { "unsigned", "18446744073709551615", "u64" } } do
  example("index-" .. x[1], negative and ("an index outside of the axis gives 0 (%s)"):format(id(10)) or
          ("an index outside of the axis: the call fails, or its element is undefined (%s)"):format(id(10)), five,
          tensor({ 2 }, { 3, x[2] }, x[3] or "i32"), 0, nil, tensor({ 2 }, { 4, 0 }),
          { ambiguous = not negative and ("E-%s-1"):format(version.prefix) or nil })
end
example("index-beyond-one", "a single index that is outside of an axis of one element, with which data and output have one shape",
        tensor({ 2, 1 }, { 1, 2 }), tensor({ 1 }, { 5 }, "i32"), 1, nil, tensor({ 2, 1 }, { 0, 0 }),
        { ambiguous = not negative and ("E-%s-1"):format(version.prefix) or nil })
example("index-of-none", negative and "an axis without elements: every index gives 0" or
        "an axis without elements: every index is outside of it", tensor({ 0 }, {}), tensor({ 2 }, { 0, 0 }, "i32"), 0, nil,
        tensor({ 2 }, { 0, 0 }), { ambiguous = not negative and ("E-%s-1"):format(version.prefix) or nil })

if batched then
  local two, three = tensor({ 2, 5 }, range(1, 10)), tensor({ 2, 3 }, { 0, 0, 4, 4, 0, 0 }, "i32")
  local gathered = tensor({ 2, 3 }, { 1, 1, 5, 10, 6, 6 })
  example("2", "Example 2: one batch dimension", two, three, 1, 1, gathered)
  example("3", "Example 3: two batch dimensions", tensor({ 2, 2, 5 }, range(1, 20)),
          tensor({ 2, 2, 3 }, { 0, 0, 4, 4, 0, 0, 1, 2, 4, 4, 3, 2 }, "i32"), 2, 2,
          tensor({ 2, 2, 3 }, { 1, 1, 5, 10, 6, 6, 12, 13, 15, 20, 19, 18 }))
  example("4", ("Example 4: a dimension between the batches and the axis (E-%s-6)"):format(version.prefix),
          tensor({ 2, 1, 5, 4 }, range(1, 40)), tensor({ 2, 3 }, { 1, 2, 4, 4, 3, 2 }, "i32"), 2, 1,
          tensor({ 2, 1, 3, 4 }, { 5, 6, 7, 8, 9, 10, 11, 12, 17, 18, 19, 20, 37, 38, 39, 40, 33, 34, 35, 36, 29, 30, 31, 32 }))
  example("5", "Example 5: a negative batch_dims counts from the rank of indices", two, three, 1, -1, gathered)
  example("layer", "the layer of the page, its sizes 64, 128, 32 and 21 divided by 4 and rounded",
          tensor({ 2, 16, 32 }), tensor({ 2, 8, 5 }, nil, "i32"), 1, 1, tensor({ 2, 8, 5, 32 }))
  example("batch-of-indices", ("batch_dims counts from the rank of indices, not of data (E-%s-5)"):format(version.prefix),
          tensor({ 2, 3 }, range(1, 6)), tensor({ 2, 1, 2 }, { 2, 1, 0, 2 }, "i32"), 1, -2,
          tensor({ 2, 1, 2 }, { 3, 2, 4, 6 }))
  example("batch-below", ("batch_dims is not below minus the rank of data, though it were 0 (E-%s-5)"):format(version.prefix),
          tensor({ 2, 3 }), tensor({ 2, 1, 2 }, nil, "i32"), 0, -3, tensor({ 2, 1, 2, 3 }), { invalid = id(12) })
  example("batch-of-all-indices", "as many batches as indices have dimensions: one index each, and no new dimension",
          tensor({ 2, 3 }, range(1, 6)), tensor({ 2 }, { 2, 0 }, "i32"), 1, 1, tensor({ 2 }, { 3, 4 }))
  example("batch-beyond-axis", "the axis is behind the batches", tensor({ 2, 3 }), tensor({ 2, 2 }, nil, "i32"), 0, 1,
          tensor({ 2, 3 }), { invalid = id(13) })
  example("batch-size", "the batches of data and of indices are as many", tensor({ 2, 3 }), tensor({ 1, 2 }, nil, "i32"), 1, 1,
          tensor({ 2, 2 }), { invalid = id(14) })
else
  example("layer", "the layer of the page, its sizes 12, 10, 24, 15, 4, 20 and 28 divided by 4 and rounded",
          tensor({ 6, 3, 3, 6 }), tensor({ 4, 1, 5, 7 }, nil, "i32"), 1, nil, tensor({ 6, 4, 1, 5, 7, 3, 6 }))
end
if negative then
  example("6", "Example 6: negative indices", five, tensor({ 3 }, { 0, -2, -1 }, "i32"), 0, 0, tensor({ 3 }, { 1, 4, 5 }))
  example("7", "Example 7: indices out of the range give zeros", five, tensor({ 3 }, { 3, 10, -20 }, "i32"), 0, 0,
          tensor({ 3 }, { 4, 0, 0 }))
end
