-- SPDX-License-Identifier: Apache-2.0
-- DML_SCATTER_ND: the inputs, tuples of indices and updates of its cases. docs/cases.md describes the language.
local op = operator "dml.scatter_nd"

local lengths = { 64, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024,
                  1025, 65535, 65536, 65537, 262144, 4194304 }

-- ---- axes: the first value is the default -------------------------------------------------------------------------
-- The input has `own` dimensions, the indices have `index_dims`; leading ones pad all tensors to `rank`, as frameworks
-- that call this operator do.
op:axis("rank", "DimensionCount of all tensors") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("own", "InputDimensionCount: the dimensions of InputTensor without leading ones") { 2, 1, 3, 4, 5, 6, 7, 8 }
op:axis("index_dims", "IndicesDimensionCount: the dimensions of IndicesTensor without leading ones")
  { 2, 1, 3, 4, 5, 6, 7, 8 }
op:axis("dtype", "DataType of InputTensor, UpdatesTensor and OutputTensor") { all.dtypes }
op:axis("index_dtype", "DataType of IndicesTensor") { "u32", "i32", "u64", "i64" }
op:axis("in_layout", "memory layout (Strides) of InputTensor") { all.layouts }
op:axis("indices_layout", "memory layout (Strides) of IndicesTensor") { all.layouts }
op:axis("updates_layout", "memory layout (Strides) of UpdatesTensor") { all.layouts }
op:axis("out_layout", "memory layout (Strides) of OutputTensor") { all.output_layouts }
op:axis("fill", "contents of InputTensor") { all.fills }
op:axis("updates_fill", "contents of UpdatesTensor") { "inverted", all.fills }
op:axis("extra", "bytes of TotalTensorSizeInBytes beyond the least, of InputTensor and OutputTensor") { 0, 4, 3, 64 }
op:axis("alignment", "GuaranteedBaseOffsetAlignment of all tensors") { 0, 16, 256 }
op:axis("length", "size of the dimension that `long` or `many` names") { lengths, 4294967295, 131073 }
op:axis("long", "the own dimension of InputTensor that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4, 5, 6, 7, 8 }
op:axis("many", "the dimension of IndicesTensor that is `length` long, from 1; 0: none") { 0, 1, 2, 3 }
op:axis("pattern", "the indices, by the number of their tuple: in a row, each twice, all equal, or those of `index`")
  { "ascending", "descending", "pairs", "constant", "listed" }
op:axis("first", "the indices of the first tuple, where they are not listed") { 0, 1, 2, 65535, 65536, 131072 }
op:axis("sign", "negative indices: 0 none, 1 all, 2 every other one") { 0, 1, 2 }
op:axis("stray", "the second index, where it is not 0")
  { 0, 1, 2, 5, 7, 100, 32768, 65536, 2147483647, -1, -2, -5, -6, -7, -100, -2147483648, 4294967295, 4294967296,
    4294967297, 9223372036854775807, -4294967296, math.mininteger, 4294967294, 2147483648, -4294967297 }
op:axis("size", "Sizes of InputTensor without leading ones, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 5, 6, 8, per = "own" }
op:axis("index_size", "Sizes of IndicesTensor without leading ones; the last is the number of indices of a tuple")
  { 1, 2, 3, 4, 5, 6, 8, per = "index_dims" }
op:axis("index", "the first four indices, where they are listed; the others follow from them")
  { 0, 1, 2, 3, 4, 7, per = 4 }
op:axis("wrong", "1 for a size of UpdatesTensor that a change breaks") { 0, per = "rank" }
op:positions("at", "own")
op:positions("index_at", "index_dims")
op:positions("full", "rank")

-- Indices of a tuple, dimensions of UpdatesTensor without leading ones, and elements of the dimension of index i.
local tuple = "index_size[index_dims]"
local used = "(index_dims - 1 + own - " .. tuple .. ")"
local n = "(long == i % " .. tuple .. " + 1 and length or size[i % " .. tuple .. " + 1])"
local whole, index_whole = "pick(at == long, length, size)", "pick(index_at == many, length, index_size)"

-- The sizes of UpdatesTensor: behind leading ones those of the array of tuples, then those of InputTensor behind the tuple.
local updates = "1"
for k = 8, 1, -1 do
  local of_input = ("own - %s + %d"):format(used, k)
  updates = ("pick(full == rank - %s + %d, %d < index_dims and (many == %d and length or index_size[%d]) or %d <= %s and " ..
             "(long == %s and length or size[%s]) or 1, %s)"):format(used, k, k, k, k, k, used, of_input, of_input, updates)
end

op:where("own <= rank and index_dims <= rank")                                 -- SN-05, SN-06
op:where(tuple .. " <= own")                                                   -- SN-09
op:where(used .. " <= rank")                                                   -- SN-10
op:where("long <= own and many < index_dims")
op:where("sign == 0 or index_dtype == 'i32' or index_dtype == 'i64'")          -- SN-14
-- Indices of different dimensions that share an address would be beyond the smaller one.
op:where(tuple .. " == 1 or indices_layout ~= 'broadcast-first' and indices_layout ~= 'broadcast-last' and " ..
         "indices_layout ~= 'broadcast-all' and indices_layout ~= 'overlapping' or long == 0 and each(size == size[1])")

op:bind {
  InputTensor   = { DataType = "dtype", Sizes = whole, Rank = "rank", Layout = "in_layout",
                    Fill = "fill", Extra = "extra", Alignment = "alignment" },
  IndicesTensor = { DataType = "index_dtype", Sizes = index_whole, Rank = "rank", Layout = "indices_layout",
                    Alignment = "alignment",
                    Data = "stray ~= 0 and i == 1 and stray or " ..
                           "(pattern == 'listed' and index[i % 4 + 1] + i // 4 or pattern == 'constant' and first or " ..
                           "first + i // " .. tuple .. " * (pattern == 'descending' and -1 or 1) // " ..
                           "(pattern == 'pairs' and 2 or 1)) % " .. n ..
                           " - (sign == 1 and 1 or sign == 2 and i % 2 or 0) * " .. n },
  UpdatesTensor = { DataType = "dtype", Sizes = updates, Layout = "updates_layout",
                    Fill = "updates_fill", Alignment = "alignment" },
  OutputTensor  = { Layout = "out_layout", Extra = "extra", Alignment = "alignment" },
  InputDimensionCount = "own",
  IndicesDimensionCount = "index_dims",
}

-- Unused elements of `index` stay 0, and no index is beyond its dimension, so that no two cases are equal.
local few = { "product(index_size) <= 4" }
for k = 1, 4 do
  few[#few + 1] = ("product(index_size) >= %d and index[%d] < size[%d %% %s + 1] or index[%d] == 0")
                  :format(k, k, k - 1, tuple, k)
end
local function with(list, more)
  local all = table.move(list, 1, #list, 1, {})
  return table.move(more, 1, #more, #all + 1, all)
end

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds faults in the coordinates of a tuple and of a block, in negative indices, in leading ones that are not skipped,
-- and in updates of one element that are lost or mixed.
op:test "exhaustive" {
  "every index tensor of up to four indices over every small input",
  rank = { 4, 1, 2, 3, 5 }, own = { 2, 1, 3 }, index_dims = { 2, 1, 3 }, dtype = "*", index_dtype = "*", sign = "*",
  pattern = { "listed" }, size = { 3, 1, 2 }, index_size = { 2, 1, 3, 4 }, index = { 0, 1, 2 },
  where = with(few, {
    "rank == 4 or rank <= 3 and (rank == own or rank == index_dims) or rank == 5 and own == 2",
    "sign < 2 or own <= 2 and index_dims <= 2",
    "own <= 2 or sum(size) <= 5", "own + index_dims <= 4 or sum(size) <= 5 and sign == 0",
    "dtype == 'f32' or dtype == 'u8' or product(size) <= 4 and sign < 2",
    "dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'u64' or index_dtype == 'u32' or sum(index) <= 2",
  }),
}

-- Finds lengths of tuples that are taken for another, and limits on them.
op:test "tuples" {
  "tuples of every length, up to one index for each dimension of the input",
  rank = { 8 }, own = range(1, 8), index_dims = { 2, 1, 3 }, dtype = { "f32", "u8" }, index_dtype = "*", sign = { 0, 1 },
  pattern = { "ascending", "descending" }, first = { 0, 1 }, size = { 2 }, index_size = { 2, 1, range(3, 8) },
  where = { "each(index_at == index_dims or index_size == pick(index_at == 1, 2, 1))" },
}

-- Every element on which several updates fall has the value of one of them. Finds sums, mixed values and lost updates.
op:test "duplicates" {
  "several updates of one element: it has the value of one of them",
  rank = { 4, 1, 2, 3, 5, 8 }, own = { 2, 1, 3 }, index_dims = { 2, 3 }, dtype = "*", index_dtype = "*", sign = { 0, 1 },
  pattern = { "pairs", "constant" }, first = { 0, 1 }, size = { 3, 1, 5 }, index_size = { 2, 1, 3, 4 },
  in_layout = { "packed", "padded" }, updates_layout = { "packed", "transposed" },
  updates_fill = { "inverted", "bits" },
  where = {
    "product(index_size) // " .. tuple .. " >= 2", "index_dims == 2 or each(index_size <= 3) and first == 0",
    "rank == max(own, index_dims) or rank == 4 or rank >= 5 and own == 2",
    "own <= 2 or each(size <= 3) and first == 0 and index_dims == 2", "index_dims == 2 or own <= 2 and each(size <= 3)",
    "dtype == 'f32' or dtype == 'u8' or sign == 0 and in_layout == 'packed' and updates_layout == in_layout",
    "in_layout == 'packed' and (index_dtype == 'u32' or sign == 1) or updates_fill == 'inverted'",
  },
}

-- Finds counters of updates, and parts of the output that are counted one after the other, that hold 65,536 elements.
op:test "far_duplicates" {
  "several updates of one element about multiples of 65,536",
  rank = { 4, 2 }, own = { 1 }, index_dims = { 2 }, dtype = { "u8", "f32" }, long = { 1 }, length = { 131073 },
  pattern = { "constant", "pairs" }, first = { 65535, 65536, 131072 }, index_size = { 4, 1 },
  where = { "product(index_size) == 4", "index_size[index_dims] == 1" },
}

op:test "pairwise" {
  "every pair of values of all parameters",
  vary = "*", strength = 2, rank = { 4, 1, 2, 3, 5, 8 }, own = { 2, 1, 3, 8 }, index_dims = { 2, 1, 3, 8 }, length = { 64 }, long = { 0 },
  many = { 0 }, stray = { 0 }, first = { 0, 1, 2 },
  where = { "own <= 3 or each(size <= 4)", "own <= 4 or each(size <= 3)", "own <= 6 or each(size <= 2)",
            "index_dims <= 3 or each(index_at == index_dims or index_size <= 3)",
            "index_dims <= 4 or each(index_at == index_dims or index_size <= 2)" },
}

-- Long dimensions of the input, long blocks, many tuples. Finds faults of vector tails and grids, and 16-bit offsets.
op:test "boundary" {
  "one long dimension of the input or the indices about each power of two",
  rank = { 4, 1, 2, 5, 8 }, own = { 2, 1, 3 }, index_dims = { 2, 1, 3 }, dtype = "*", index_dtype = { "u32", "i64" },
  length = lengths, long = { 0, 1, 2, 3 }, many = { 0, 1 }, sign = { 0, 2 }, size = { 1, 2 }, index_size = { 2, 1, 3 },
  pattern = { "ascending", "descending" },
  where = {
    "long ~= 0 and many == 0 or long == 0 and many ~= 0",
    "each(at ~= long or size == 1)", "each(index_at ~= many or index_size == 1)",
    "each(index_at == index_dims or index_size <= 2)",
    "rank == 4 or rank >= 5 and own == 3 or rank <= 2 and own == rank",
    "index_dtype == 'u32' or dtype == 'f32' or dtype == 'u8'", "rank == 4 or sign == 0",
    "own <= 2 or each(size == 1)", "index_dims <= 2 or each(index_at == index_dims or index_size == 1)",
    "product(size) * product(index_size) <= 4 * " .. tuple, "many == 0 or index_dims == 2",
    "length <= 257 or dtype == 'f32' or dtype == 'u8'", "pattern == 'ascending' or length <= 257 and rank == 4",
    "length <= 1025 or sign == 0 and rank <= 2 and index_dtype == 'u32' and product(size) == 1 and " ..
      "product(index_size) == " .. tuple,
    "length <= 65537 or dtype == 'f32' and pattern == 'ascending'",
    "length <= 262144 or rank == 2 and index_dims == 2 and long ~= 2 and each(index_size == 1)",
  },
}

-- Finds wrong addresses of four tensors at once.
op:test "layout" {
  "every combination of the layouts of the inputs with those of the output",
  rank = "*", own = { 2, 1, 3, 4 }, index_dims = { 2, 1, 3 }, dtype = "*", index_dtype = "*",
  in_layout = "*", indices_layout = "*", updates_layout = "*", out_layout = "*", size = { 3, 2 },
  index_size = { 2, 1, 3 },
  where = {
    "rank == own or rank == 4 or rank >= 5 and own == 3",
    "indices_layout == in_layout or indices_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "updates_layout == in_layout or updates_layout == indices_layout",
    "updates_layout == indices_layout or dtype == 'f32' or dtype == 'u8'",
    "own <= 1 or sum(size) == own * 2 + 1 and size[1] == 3", "index_dims == 1 or product(index_size) == 2 * " .. tuple,
    "index_dims <= 2 or index_size[1] == 1",
    "rank <= 4 or dtype == 'f32' or dtype == 'u8'",
    "rank == 4 or index_dtype == 'u32' or dtype == 'f32'",
  },
}

op:test "special" {
  "special values and random bits are copied unchanged",
  rank = { 4, 1, 2, 3, 5, 8 }, own = { 2, 1, 3 }, index_dims = { 2, 1, 3 }, dtype = "*", index_dtype = "*",
  sign = { 0, 1 }, fill = { "special", "bits" }, updates_fill = { "special", "bits" }, size = { 3, 4, 8 },
  index_size = { 4, 1, 2, 3 }, first = { 0, 2 },
  where = { "own <= 2 or each(size == 3)", "sign == 0 or first == 0", "rank <= 4 or own == 2", "index_dims <= 2 or own <= 2",
            "index_dims == 1 or index_size[1] == 4", "index_dims <= 2 or index_size[2] == 2" },
}

-- Indices far along a long dimension. Finds index types that are narrowed, which wrap to the beginning of the dimension.
op:test "far" {
  "an index beyond 8 and 15 bits, inside a long dimension",
  rank = { 4, 1, 2 }, own = { 2, 1 }, index_dims = { 2, 1 }, dtype = "*", index_dtype = "*", long = { 1, 2 },
  length = { 65537 }, stray = { 32768, 65536 }, size = { 2 }, index_size = { 2, 1 },
  where = { "product(index_size) >= 2", "long == 1 % " .. tuple .. " + 1", shared().index.widths },
}

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
local calls = { { "data", { "data" }, "the same descriptor with other data" },
                { "other", { "other" }, "a neighbouring case with the same data" },
                { "class", { "class" }, "a case of the same shape and another layout" },
                { "return", { "same", "other" }, "itself and a neighbouring case" } }
for _, c in ipairs(calls) do
  local class = c[2][1] == "class" -- which changes the last scalar parameter that has several values
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, updates_fill = { "bits" },
    dtype = { "f32", "u8", "f16", "f64" }, rank = { 4, 1, 2, 3, 8 }, own = { 2, 1, 3 }, index_dims = { 2, 1, 3 },
    index_dtype = { "u32", "i64" }, in_layout = { "packed", "padded" }, size = { 3, 2 }, index_size = { 2, 1, 3 },
    first = class and { 0 } or { 0, 1 },
    where = {
      "own <= 2 or each(size == 3)", "index_dims == 1 or index_size[1] >= 2",
      "index_dims <= 2 or index_size[2] == 2 and own <= 2",
      "rank == 4 or rank == max(own, index_dims) or rank == 8 and own == 2",
    },
  }
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in the inputs, the output or all of them", sparse = true, strength = 2,
  rank = { 4, 1, 2, 3, 8 }, own = { 2, 1, 3 }, index_dims = { 2, 1, 3 }, dtype = "*", index_dtype = "*",
  fill = { "bits" }, updates_fill = { "bits" }, in_layout = { "packed", "far-bytes", "far-elements", "far-inner" },
  sign = { 0, 2 }, indices_layout = { "packed", "far-bytes", "far-elements" },
  updates_layout = { "packed", "far-bytes", "far-elements" },
  out_layout = { "packed", "far-bytes", "far-elements" }, size = { 3, 1, 2 }, index_size = { 3, 1, 2 },
  first = { 0, 1, 2 },
  where = {
    "product(size) > 1 and product(size) <= 9",
    "product(index_size) <= 6",
    "product(index_size) <= 3 or updates_layout == 'packed' and indices_layout == 'packed'", -- BUF-11
    "own == 1 or size[1] * own <= 4 or in_layout == 'packed' and out_layout == 'packed'",
    "index_dims == 1 or own <= " .. tuple .. " or updates_layout == 'packed'",
    "dtype ~= 'u8' and dtype ~= 'i8' or " .. -- as far-elements
      "in_layout ~= 'far-bytes' and updates_layout ~= 'far-bytes' and out_layout ~= 'far-bytes'",
    "in_layout ~= 'packed' or indices_layout ~= 'packed' or updates_layout ~= 'packed' or out_layout ~= 'packed'",
    "rank == max(own, index_dims) or rank == 4 or rank == 8 and own == 2",
    "dtype == 'f32' or dtype == 'u8' or index_dtype == 'u32' and own <= 2",
  },
}

-- An index beyond its dimension must do no harm: the call succeeds, and nothing outside is read or written. The elements
-- are undefined (SN-15): the behaviour is observed, not judged.
local second = "size[1 % " .. tuple .. " + 1]"
op:test "out_of_range" {
  "one index beyond its dimension: no fault, and no write outside of the output",
  rank = { 4, 1, 2, 3, 5 }, own = { 2, 1, 3 }, index_dims = { 2, 1 }, dtype = "*", index_dtype = "*", stray = "*",
  sign = { 0, 1 }, size = { 3, 1, 5 }, index_size = { 2, 1, 3 }, in_layout = { "packed", "padded", "transposed" },
  where = {
    "product(index_size) >= 2",
    "stray >= " .. second .. " or stray < -" .. second .. " or stray < 0 and index_dtype == 'u32'",
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

-- Any sizes, tuples, updates and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"           { 4, 1, 2, 3, 5, 6, 7, 8 }
any:axis("own", "InputDimensionCount") { 1 }
any:axis("index_dims", "IndicesDimensionCount") { 1 }
any:axis "dtype"          { all.dtypes }
any:axis "index_dtype"    { "u32", "i32", "u64", "i64" }
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
any:axis("pattern", "the indices, by the number of their tuple, `first` and `period`; rows: in row-major order")
  { "rows", "ascending", "descending", "constant", "runs", "cycle", "steps", "mixed" }
any:axis("first", "the number of the first tuple's block or element, or its indices") { 0 }
any:axis("period", "length of a run or cycle of indices, or the difference of two") { 1 }
any:axis "sign"           { 0, 1, 2 }              -- negative indices: 0 none, 1 all, 2 every other one
any:axis("size", "Sizes of InputTensor and OutputTensor") { 1, per = "rank" }
any:axis("index_size", "Sizes of IndicesTensor") { 1, per = "rank" }
any:axis("update_size", "Sizes of UpdatesTensor") { 1, per = "rank" }
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
local words = { "data", "dtype", "own", "index_dims", "index_dtype", "in_layout", "indices_layout", "updates_layout",
                "out_layout", "in_extra", "pattern", "first", "sign", "size", "index_size", "update_size", "in_stride",
                "indices_stride", "updates_stride", "out_stride" }
dml.change_axes(any, words)
local drawn_tuple = "index_size[rank]"
local block = "(own - " .. drawn_tuple .. ")"
any:where("own >= 1 and own <= rank and index_dims >= 1 and index_dims <= rank") -- SN-05, SN-06
any:where("product(size) <= 4294967295")           -- BUF-11
any:where("product(index_size) <= 4294967295")
any:where("each(at > rank - own or size == 1)")    -- SN-07
any:where("each(at > rank - index_dims or index_size == 1)") -- SN-08
any:where(drawn_tuple .. " <= own")                -- SN-09
any:where("index_dims - 1 + " .. block .. " <= rank") -- SN-10
any:where("each(at <= rank - " .. block .. " or update_size == size)")
any:where("each(at > rank - " .. block .. " - index_dims + 1 or update_size == 1)")
for k = 1, 7 do
  any:where(("%d >= index_dims or update_size[rank - %s - %d + 1] == index_size[rank - %d]"):format(k, block, k, k))
end
any:where("sign == 0 or index_dtype == 'i32' or index_dtype == 'i64'")
any:where("period > 0")

local place = "i // " .. drawn_tuple
local inside_tuple = "i % " .. drawn_tuple
local along = "size[rank - own + 1 + " .. inside_tuple .. "]"
local inner = "product(pick(at > rank - own + 1 + " .. inside_tuple .. " and at <= rank - " .. block .. ", size, 1))"
any:bind {
  InputTensor   = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
                    Extra = "in_extra", Alignment = "alignment", Base = "in_base", Flags = "in_flags" },
  IndicesTensor = { DataType = "index_dtype", Sizes = "index_size", Layout = "indices_layout",
                    Strides = "indices_stride", Extra = "indices_extra", Alignment = "alignment",
                    Base = "indices_base", Flags = "indices_flags",
                    Data = "(i == odd - 1 and first + period + 1" ..
                           " or pattern == 'rows' and (first + " .. place .. ") // " .. inner ..
                           " or pattern == 'ascending' and first + " .. place ..
                           " or pattern == 'descending' and first - " .. place ..
                           " or pattern == 'constant' and first or pattern == 'runs' and first + " .. place ..
                           " // period or pattern == 'cycle' and first + " .. place .. " % period or " ..
                           "pattern == 'steps' and first + " .. place .. " * period or " ..
                           "(first + i) * (period + i)) % " .. along ..
                           " - (sign == 1 and 1 or sign == 2 and i % 2 or 0) * " .. along },
  UpdatesTensor = { DataType = "dtype", Sizes = "update_size", Layout = "updates_layout", Strides = "updates_stride",
                    Fill = "updates_fill", Extra = "updates_extra", Alignment = "alignment", Base = "updates_base",
                    Flags = "updates_flags" },
  OutputTensor  = { Layout = "out_layout", Strides = "out_stride", Extra = "out_extra", Alignment = "alignment",
                    Base = "out_base" },
  InputDimensionCount = "own",
  IndicesDimensionCount = "index_dims",
}

-- Sizes with leading ones up to the rank.
local function padded(rank, sizes)
  local all = table.move(sizes, 1, #sizes, 1, {})
  while #all < rank do table.insert(all, 1, 1) end
  return all
end

-- Everything but the sizes `own` of the input, the length of a tuple and the sizes of the array of tuples.
local function draw_indices(r, c, own, tuple, array, most, plan)
  local rank = c.rank
  local size, index_size, update_size = padded(rank, own), { table.unpack(array) }, { table.unpack(array) }
  index_size[#index_size + 1] = tuple
  for k = tuple + 1, #own do update_size[#update_size + 1] = own[k] end
  index_size, update_size = padded(rank, index_size), padded(rank, update_size)
  local blocks, tuples = dml.product(own, 1, tuple), dml.product(array)
  local signed = c.index_dtype == "i32" or c.index_dtype == "i64"
  local in_stride = r.strides(size, dml.strided(most, c.dtype, true))
  local v = dml.places(r, {
    own = #own, index_dims = #array + 1, size = size, index_size = index_size, update_size = update_size,
    fill = r.pick { "bits", "bits", "injective", "special", "stretches" },
    updates_fill = r.pick { "bits", "bits", "inverted", "special", "stretches" },
    pattern = r.chance(55) and "rows" or
              r.pick { "ascending", "ascending", "descending", "steps", "constant", "runs", "cycle", "mixed" },
    first = r.chance(30) and r.pick { 0, blocks - 1 } or r.about(0, blocks - 1),
    period = r.chance(20) and r.pick { tuples, blocks, math.max(1, own[1] - 1) } or r.about(1, math.max(2, own[1])),
    odd = r.chance(20) and r.about(1, tuples * tuple) or 0,
    sign = signed and r.pick { 0, 0, 1, 2 } or 0, alignment = r.chance(10) and 16 << r.int(0, 12) or 0,
    in_extra = r.chance(20) and r.about(0, 65536) or 0, indices_extra = r.chance(20) and r.about(0, 4096) or 0,
    updates_extra = r.chance(20) and r.about(0, 4096) or 0, out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_layout = r.chance(60) and "strides" or "packed", indices_layout = r.chance(60) and "strides" or "packed",
    updates_layout = r.chance(60) and "strides" or "packed", out_layout = r.chance(60) and "strides" or "packed",
    in_stride = in_stride, indices_stride = r.strides(index_size, dml.strided(most, c.index_dtype, tuple == 1)),
    updates_stride = r.strides(update_size, dml.strided(most, c.dtype, true)),
    out_stride = r.strides(size, dml.strided(most, c.dtype, false, in_stride)),
    in_flags = r.chance(3) and 1 or 0, indices_flags = r.chance(3) and 1 or 0, updates_flags = r.chance(3) and 1 or 0,
  }, "in", "indices", "updates", "out")
  if plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(size, size, plan, c.dtype) end
  return v
end

-- The length of a tuple, and how many dimensions the array of tuples has room for beside the blocks.
local function draw_tuple(r, rank, own)
  local tuple = r.chance(35) and own or r.int(1, own)
  local room = math.min(rank - 1, rank - own + tuple)
  return tuple, r.chance(50) and math.min(1, room) or r.int(0, room)
end

-- The most tuples whose indices, and whose updates among `elements`, a tensor can hold.
local function most_tuples(elements, own, tuple)
  return math.max(1, math.min(elements // dml.product(own, tuple + 1), 4294967295 // tuple))
end

-- The output has up to `elements` elements; as many tuples as it has blocks, or any other number.
local function draw_sizes(r, c, elements)
  local dims = r.chance(60) and c.rank or r.int(1, c.rank)
  local own = r.sizes(dims, elements)
  local tuple, array_dims = draw_tuple(r, c.rank, dims)
  local blocks = dml.product(own, 1, tuple)
  local tuples = r.chance(60) and r.about(1, blocks) or r.about(1, elements)
  return own, tuple, r.sizes(array_dims, math.min(tuples, most_tuples(elements, own, tuple)))
end

-- The input has the sizes `own`, of which one may be very long. An index takes longer to make than an element.
local function draw_given(r, c, own, plan)
  local tuple, array_dims = draw_tuple(r, c.rank, #own)
  local elements = dml.product(own)
  local tuples = r.chance(75) and r.int(1, 40) or dml.product(own, 1, tuple)
  local most = elements > 300000 and 40 or 70000
  return draw_indices(r, c, own, tuple, r.sizes(array_dims, math.min(tuples, most, most_tuples(elements, own, tuple))),
                      nil, plan)
end

-- The sizes that shape(n) draws are those of the output.
local function draw_planned(r, c, shape)
  local own, plan = shape(c.rank)
  return draw_given(r, c, own, plan)
end

-- More than 2^16 tuples, of single elements or of small blocks.
local function draw_many(r, c, given)
  local long = 0
  for k = 1, #given do long = math.max(long, given[k]) end
  local own = r.sizes(c.rank, 64)
  local tuple = r.int(math.max(1, c.rank - 1), c.rank)
  local array = r.long_sizes(math.min(c.rank - 1, tuple), math.min(long, 66000))
  if dml.product(array) * tuple > 1 << 19 then -- more than enough indices
    for k = 1, #array do array[k] = array[k] < 65536 and 1 or array[k] end
  end
  if r.chance(50) then return draw_indices(r, c, own, tuple, array) end
  own = r.sizes(c.rank, 2)
  own[1] = dml.product(array)
  local v = draw_indices(r, c, own, tuple, array)
  v.pattern, v.odd = "ascending", 0 -- no tuple twice
  return v
end

local classes = { "dtype", "rank", "index_dtype" }
local function draw_any(r, c, most, given)
  if not most and not given and r.chance(dml.planned) then return draw_planned(r, c, r.tiles) end
  if given then
    if c.rank > 1 and r.chance(25) then return draw_many(r, c, given) end
    return draw_given(r, c, given)
  end
  local own, tuple, array = draw_sizes(r, c, most or r.elements())
  return draw_indices(r, c, own, tuple, array, most)
end

any:test "drawn" {
  "any sizes, tuples, updates and layouts", each = classes, dtype = "*", rank = "*", index_dtype = "*",
  cases = { quick = 600, full = 8000, exhaustive = 1000000 }, draw = draw_any,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", rank = "*",
  index_dtype = "*", cases = { quick = 240, full = 1500, exhaustive = 100000 }, draw = dml.after(draw_any, draw_planned, words),
}

-- Finds batches of tuples, and tails of groups.
any:test "drawn_tuples" {
  "hundreds of tuples with short blocks, most of them in dense tensors", each = classes, dtype = "*",
  rank = { 4, 2, 3, 8 }, index_dtype = "*", cases = { quick = 16, full = 400, exhaustive = 20000 },
  draw = function(r, c)
    local count = r.int(257, 700)
    local v = draw_indices(r, c, { r.int(count, 800), r.int(1, 12) }, 1, { count })
    local layouts = { "indices_layout", "updates_layout", "out_layout" }
    local one = r.int(0, 3) -- 0: all are dense
    for k, layout in ipairs(layouts) do v[layout] = k == one and "strides" or "packed" end
    v.pattern, v.fill, v.updates_fill = r.pick { "ascending", "descending", "steps" }, "bits", "bits"
    return v
  end,
}

dml.index.scatter_tests(any, {
  each = classes, classes = { rank = { 2, 3, 4 }, index_dtype = { "u32", "i64", "i32" } },
  distinct = function(r, c, n, count)
    local own = r.chance(30) and n <= 1 << 20 and { n, r.int(1, 3) } or { n }
    local v = draw_indices(r, c, own, 1, c.rank > 2 and r.chance(50) and { 1, count } or { count })
    v.pattern, v.odd = r.pick { "ascending", "descending" }, 0
    return v
  end,
})

-- More tuples than a kernel takes at once, and they or the updates far apart. Finds offsets of a whole batch that 32 bits
-- cannot hold.
local function draw_far_batches(r, c)
  local count = 1024 + r.int(1, 64)
  local v = draw_indices(r, c, { count + r.int(0, 9) }, 1, { count })
  local far = r.pick { "updates", "indices", "both" }
  local function stride() return r.int(2097152, 4294967295 // count) end
  v.fill, v.updates_fill, v.pattern, v.odd = "bits", "bits", "ascending", 0
  v.in_layout, v.indices_layout, v.updates_layout, v.out_layout = "packed", "packed", "packed", "packed"
  if far ~= "indices" then v.updates_layout, v.updates_stride[c.rank] = "strides", stride() end
  if far ~= "updates" then v.indices_layout, v.indices_stride[c.rank - 1] = "strides", stride() end
  return v
end

any:test "drawn_sparse" {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", rank = "*", index_dtype = "*",
  cases = { quick = 30, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    if c.rank > 1 and r.chance(3) then return draw_far_batches(r, c) end
    local own, tuple, array = draw_sizes(r, c, 16)
    local v = draw_indices(r, c, own, tuple, array)
    v.fill, v.updates_fill, v.in_stride, v.out_stride = "bits", "bits", r.strides(v.size, {}), r.strides(v.size, {})
    v.indices_stride, v.updates_stride = r.strides(v.index_size, {}), r.strides(v.update_size, {})
    return dml.spread(r, v, { "in", v.size, "out", v.size, "indices", v.index_size, "updates", v.update_size }) and v or nil
  end,
}

-- The limits of the tensors are in shared.lua. Finds wrong refusals of what few descriptors have, and wrong acceptance.
local tensors = {
  InputTensor = { key = "in", sizes = "size", strides = "in_stride", alignment = "alignment" },
  IndicesTensor = { key = "indices", sizes = "index_size", strides = "indices_stride", alignment = "alignment",
                    dtype = "index_dtype" },
  UpdatesTensor = { key = "updates", sizes = "update_size", strides = "updates_stride", alignment = "alignment" },
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
-- In one dimension, indices and updates are single elements, whose strides have no effect.
local function breaks_strides(clause, name, title, change, alter, more)
  breaks(clause, name, title, change, alter, clause == "BUF-11" and { rank = range(2, 8) } or more)
end
local function holds_strides(clause, name, title, alter, more)
  holds(clause, name, title, alter, clause == "BUF-11" and { asked = true, rank = range(2, 8) } or more)
end
for _, name in ipairs(names) do
  local t = tensors[name]
  local single = name == "IndicesTensor" or name == "UpdatesTensor"
  dml.illegal_buffer(single and breaks_strides or breaks, name, t)
  dml.legal_buffer(single and holds_strides or holds, name, t)
  breaks("SN-01", t.key, name .. " is a null pointer", { [name] = { Present = "0" } })
  breaks("SN-02", t.key, name .. " alone has fewer dimensions", { [name] = { DimensionCount = "rank - by" } },
         function(r, v, c) v.by = r.int(1, c.rank - 1) end, { rank = range(2, 8) })
  dml.one_leading(breaks, "SN-02", name, t)
  breaks(name == "IndicesTensor" and "SN-04" or "SN-03", t.key, name .. " alone has another type",
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
breaks("SN-05", "none", "no dimension of the input counts", { InputDimensionCount = "0" })
breaks("SN-05", "many", "more dimensions of the input count than it has", { InputDimensionCount = "by" },
       function(r, v, c) v.by = r.about(c.rank + 1, 4294967295) end)
breaks("SN-06", "none", "no dimension of the indices counts", { IndicesDimensionCount = "0" })
breaks("SN-06", "many", "more dimensions of the indices count than they have", { IndicesDimensionCount = "by" },
       function(r, v, c) v.by = r.about(c.rank + 1, 4294967295) end)
local tuples = { IndicesTensor = { Sizes = "pick(at == rank, by, index_size)", Layout = "0" } }
breaks("SN-09", "long", "a tuple has more indices than the tensors have dimensions", tuples, function(r, v, c)
  local most = 4294967295 // (dml.product(v.index_size) // v.index_size[c.rank])
  if most <= c.rank then return false end
  v.by = r.chance(50) and c.rank + 1 or r.about(c.rank + 1, most)
end)
breaks("SN-17", "long", "a tuple has more indices than dimensions of the input count, and no more than dimensions", tuples,
       function(r, v, c)
  local most = math.min(c.rank, 4294967295 // (dml.product(v.index_size) // v.index_size[c.rank]))
  if most <= v.own then return false end
  v.by = r.int(v.own + 1, most)
end, { rank = range(2, 8) })
for _, t in ipairs { { "SN-07", "InputTensor", "size", "own" }, { "SN-08", "IndicesTensor", "index_size", "index_dims" } } do
  local change = { [t[2]] = { Sizes = ("pick(at == broken, by, %s)"):format(t[3]), Layout = "0" } }
  if t[1] == "SN-07" then change.OutputTensor = change.InputTensor end
  breaks(t[1], "leading", "a size before those that count is not 1", change, function(r, v, c)
    local most = 4294967295 // dml.product(v[t[3]])
    if v[t[4]] == c.rank or most < 2 then return false end
    v.broken, v.by = r.int(1, c.rank - v[t[4]]), r.about(2, most)
  end, { rank = range(2, 8) })
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
breaks("SN-10", "size", "a size of the updates is neither that of the tuples nor that of their blocks",
       { UpdatesTensor = { Sizes = "pick(at == broken, update_size + by, update_size)", Layout = "0" } },
       function(r, v, c) return draw_other_size(r, v, v.update_size, r.int(1, c.rank)) end)
breaks("SN-10", "rank", "the array of tuples and the blocks have more dimensions than the tensors",
       { IndicesDimensionCount = "by" }, function(r, v, c)
  local least = c.rank - v.own + v.index_size[c.rank] + 2
  if least > c.rank then return false end
  v.by = r.int(least, c.rank)
end, { rank = range(3, 8) })
breaks("SN-11", "size", "a size of the output is not that of the input",
       { OutputTensor = { Sizes = "pick(at == broken, size + by, size)", Layout = "0" } }, function(r, v, c)
  return draw_other_size(r, v, v.size, r.int(1, c.rank))
end)
local exchanged = { { "SN-10", "UpdatesTensor", "updates", "update_size" },
                    { "SN-11", "OutputTensor", "output", "size" } }
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

holds("SN-05 SN-09 SN-17", nil, "all dimensions of the input count, and a tuple has an index for each", function(r, v, c)
  if v.own ~= c.rank or v.index_size[c.rank] ~= c.rank then return false end
end)
holds("SN-06 SN-10", nil, "all dimensions of the indices count", function(r, v, c)
  if v.index_dims ~= c.rank then return false end
end)
holds("SN-05 SN-06", "one", "one dimension of the input counts, and one of the indices", function(r, v, c)
  return draw_indices(r, c, r.sizes(1, r.elements()), 1, {})
end)
holds("SN-10 BUF-11 BUF-21", "counts", "up to 2^32 - 1 updates of an input of that size", function(r, v, c)
  local own, most = r.sizes(c.rank, 256), dml.most_elements(c.dtype)
  own[1] = r.about(1, most // (dml.product(own) // own[1]))
  local tuple = r.int(1, c.rank)
  local array = tuple > 1 and { r.about(1, most_tuples(most, own, tuple)) } or {}
  local w = draw_indices(r, c, own, tuple, array)
  w.in_layout, w.indices_layout, w.updates_layout, w.out_layout = "packed", "packed", "packed", "packed"
  return w
end, { asked = true })
holds("BUF-01 BUF-02 BUF-05 BUF-06 SN-01 SN-02 SN-03 SN-04 SN-07 SN-08 SN-11", nil, "sizes of 1, and strides without effect",
      function(r, v, c)
  local own = {}
  for k = 1, c.rank do own[k] = 1 end
  local w = draw_indices(r, c, own, 1, {})
  w.in_layout, w.indices_layout, w.updates_layout, w.out_layout = "strides", "strides", "strides", "strides"
  return w
end)

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
local grids = dml.narrow({ 4, 3, 5, 8 })
grids.index_dtype = { "u32", "i64" }
dml.count_tests(any, {
  each = classes, draw = draw_any, planned = draw_planned, grids = grids,
  block = function(r, c, n)
    local v = draw_indices(r, c, { 1, n }, 1, {})
    v.first, v.odd, v.updates_fill = 0, 0, "bits"
    return v
  end,
  block_classes = { dtype = { "f64", "u64", "i64" }, rank = { 2, 4 }, index_dtype = { "u32" }, sparse = true },
  large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 4, 3 }, index_dtype = { "u32" } },
  quick = { counts = 1, grids = 1 }, full = { counts = 20, grids = 40, tall = 2, large = 1 },
})

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
local inside, changed, width = dml.inside, dml.changed, dml.width
local index_width = "((index_dtype == 'u32' or index_dtype == 'i32') and 4 or 8)"
-- At levels with 4 dimensions, a 64-bit type would break BUF-02 as well.
local fits = "other ~= dtype and (other ~= 'f64' and other ~= 'u64' and other ~= 'i64' or dtype == 'f64' or " ..
             "dtype == 'u64' or dtype == 'i64' or rank ~= 4)"

op:beyond { "descriptors of a higher feature level", rank = "*", own = { 1, 2 }, index_dims = { 1, 2 }, dtype = "*",
            index_dtype = "*", index_size = { 2, 1 } }

-- Without leading ones, and with three elements or more in every dimension where the number of dimensions allows it, so
-- that a wrong stride of any of them counts. The updates have a leading one where a block would be a single element.
local shapes = { rank = "*", own = range(1, 8), index_dims = { 1 }, dtype = "*", index_size = { 1 } }
local plain, filled = "own == rank", "own == rank and index_dims == rank and " ..
                                     "each(index_at == index_dims or index_size == 3) and " .. tuple .. " == "
dml.buffer("InputTensor", "in", { sizes = "size", bytes = width, axes = shapes, where = plain })
dml.buffer("UpdatesTensor", "updates", {
  sizes = updates, at = "full", bytes = width, where = filled .. "rank - 1",
  axes = { rank = { 4, 2, 3, range(5, 8) }, own = range(1, 8), index_dims = range(1, 8), dtype = "*",
           index_size = { 3, 1, 2, range(4, 7) } },
})
dml.buffer("OutputTensor", "out", { sizes = "size", bytes = width, axes = shapes, where = plain, output = true })
dml.buffer("IndicesTensor", "indices", {
  sizes = "index_size", at = "index_at", bytes = index_width, where = filled .. "max(rank - 1, 3)",
  axes = { rank = { 4, 3, range(5, 8) }, own = range(1, 8), index_dims = range(1, 8), dtype = { "f32", "u8", "f64" },
           index_dtype = "*", index_size = { 3, range(4, 7) } },
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
op:invalid "SN-03" {
  "types that DirectML has and the operator does not support", name = "four-bit", rank = "*", own = { 1 }, dtype = "*",
  by = { 12, 13 }, from = "6_3", change = all_of(unknown, table.unpack(same_type)),
}
op:invalid "SN-04" {
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
-- A tuple picks a block of `by` elements.
dml.too_many {
  "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = { 2 }, own = { 2 },
  index_dims = { 1 }, index_size = { 1 }, dtype = "*", by = { 65537, 131071, 4294967295 },
  change = { InputTensor = { Sizes = "by + 0 * size" }, OutputTensor = { Sizes = "by + 0 * size" },
             UpdatesTensor = { Sizes = "pick(full == 1, 1, by)" } },
}

for _, tensor in ipairs(names) do
  local name = tensors[tensor].key
  op:invalid "SN-01" {
    tensor .. " is a null pointer", name = name, rank = "*", own = { 1, 2 }, dtype = "*", index_dtype = "*",
    change = { [tensor] = { Present = "0" } },
  }
  op:invalid "SN-02" {
    tensor .. " alone has fewer dimensions", name = name, rank = "*", own = { 1, 2 }, dtype = "*", by = range(1, 7),
    where = "by < rank", change = { [tensor] = { DimensionCount = "rank - by" } },
  }
  local others = {}
  for _, other in ipairs(names) do
    if other ~= tensor then others[other] = { DimensionCount = "rank - 1" } end
  end
  op:invalid "SN-02" {
    tensor .. " alone has more dimensions", name = name .. "-more", rank = range(2, 8), own = { 1, 2 }, dtype = "*",
    change = others,
  }
end
for _, tensor in ipairs(same_type) do
  op:invalid "SN-03" {
    tensor .. " alone has another data type", name = tensors[tensor].key, rank = "*", own = { 1, 2 }, dtype = "*",
    other = { all.dtypes }, where = fits, change = { [tensor] = { DataType = "other" } },
  }
end
op:invalid "SN-04" {
  "indices of a data type that indices may not have", rank = "*", own = { 1, 2 }, dtype = "*",
  other = { "f32", "f16", "f64", "u16", "i16", "u8", "i8" }, where = "other ~= 'f64' or rank ~= 4",
  change = { IndicesTensor = { DataType = "other" } },
}
for _, count in ipairs { "InputDimensionCount", "IndicesDimensionCount" } do
  local clause = count == "InputDimensionCount" and "SN-05" or "SN-06"
  op:invalid "SN-01" {
    count .. " is not stated", name = count, rank = "*", own = { 1, 2 }, dtype = "*",
    change = { [count] = { Present = "0" } },
  }
  op:invalid(clause) {
    count .. " is 0", name = "none", rank = "*", own = { 1, 2 }, index_dims = { 1, 2 }, index_size = { 2, 1 }, dtype = "*",
    index_dtype = "*", change = { [count] = "0" },
  }
  op:invalid(clause) {
    count .. " is above DimensionCount", name = "many", rank = "*", own = { 1, 2 }, index_dims = { 1, 2 },
    index_size = { 2, 1 }, dtype = "*", index_dtype = "*", by = { 1, 2, 8, 2147483647, 4294967287 },
    change = { [count] = "rank + by" },
  }
end
op:invalid "SN-09" {
  "a tuple has more indices than the tensors have dimensions", rank = "*", own = range(1, 8), index_dims = range(1, 8),
  dtype = "*", index_dtype = "*", index_size = range(1, 8), by = { 1, 2, 65536 },
  where = { "index_dims == rank", "each(index_at == index_dims or index_size == 1)", tuple .. " == own" },
  change = { IndicesTensor = { Sizes = "pick(index_at == index_dims, rank + by, index_size)" } },
}
op:invalid "SN-17" {
  "a tuple has more indices than dimensions of the input count", rank = range(2, 8), own = range(1, 7),
  index_dims = range(2, 8), dtype = "*", index_dtype = "*", index_size = range(1, 8), by = range(1, 7),
  where = { "index_dims == rank", "each(index_at == index_dims or index_size == 1)", tuple .. " == own",
            "own + by <= rank" },
  change = { IndicesTensor = { Sizes = "pick(index_at == index_dims, own + by, index_size)" } },
}
op:invalid "SN-07" {
  "a size of the input before those that count is not 1", name = "leading", rank = range(2, 8), own = range(2, 8),
  index_dims = { 1 }, dtype = "*", index_dtype = "*", index_size = { 1 }, where = "own == rank",
  change = { InputDimensionCount = "own - 1", UpdatesTensor = { Sizes = "pick(full <= 2, 1, 3)" } },
}
op:invalid "SN-08" {
  "a size of the indices before those that count is not 1", name = "leading", rank = range(2, 8), own = { 1 },
  index_dims = range(2, 8), dtype = "*", index_dtype = "*", index_size = { 2, 1 },
  where = { "index_dims == rank", "each(index_at == index_dims or index_size == 2)", tuple .. " == 1" },
  change = { IndicesDimensionCount = "index_dims - 1", UpdatesTensor = { Sizes = "pick(full <= 2, 1, 2)" } },
}
op:invalid "SN-10" {
  "a size of the updates is neither that of the tuples nor that of their blocks", name = "size", rank = "*",
  own = range(1, 8), index_dims = range(1, 8), index_size = { 3, 1, 2, range(4, 7) }, dtype = "*", wrong = { 0, 1 },
  by = { 1, -1, 65536 },
  where = { filled .. "max(rank - 1, 1)", "count(wrong ~= 0) == 1", "by > 0 or rank > 1" },
  change = { UpdatesTensor = { Sizes = updates .. " + by * wrong" } },
}
op:invalid "SN-11" {
  "a size of the output differs from that of the input", name = "size", rank = "*", own = range(1, 8),
  index_dims = { 1 }, index_size = { 1 }, dtype = "*", broken = range(1, 8), by = { 1, -1, 65536 },
  where = { inside, "own == rank" }, change = { OutputTensor = { Sizes = changed("size + by", "size") } },
}
op:invalid "SN-10" {
  "the array of tuples and the blocks have more dimensions than the tensors", name = "rank", rank = range(3, 8),
  own = range(3, 8), index_dims = range(3, 8), index_size = { 2, 1, range(3, 8) }, dtype = "*", index_dtype = "*",
  where = { "own == rank and index_dims == rank", "each(index_at == index_dims or index_size == 2)", tuple .. " == rank" },
  change = { IndicesTensor = { Sizes = "pick(index_at == index_dims, 1, index_size)" } },
}
op:invalid "SN-10" {
  "the updates have the sizes of the input", name = "input", rank = "*", own = range(1, 8), index_dims = { 1, 2 },
  dtype = "*", index_size = { 2, 1 }, where = "own == rank and (index_dims == 1 or own > 1)",
  change = { UpdatesTensor = { Sizes = "size" } },
}
op:invalid "SN-11" {
  "the output has the sizes of the updates, not those of the input", name = "updates", rank = "*", own = range(1, 8),
  index_dims = { 1, 2 }, index_size = { 2, 1 }, dtype = "*", where = "own == rank and (index_dims == 1 or own > 1)",
  change = { OutputTensor = { Sizes = updates } },
}

-- ---- the page's examples, and the smallest cases of our decisions -------------------------------------------------
local some, more, places = { 1, 2, 3, 4, 5, 6, 7, 8 }, { 9, 10, 11, 12 }, { 4, 3, 1, 7 }
op:example "1" {
  note = "the page's example, with tensors of equally many dimensions and indices of an integer type (E-SN-3)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 8 }, data = some },
  IndicesTensor = { DataType = "UINT32", Sizes = { 4, 1 }, data = places },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 4 }, data = more },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 8 }, data = { 1, 11, 3, 10, 9, 6, 7, 12 } },
  InputDimensionCount = 1, IndicesDimensionCount = 2,
}
op:example "1-4d" {
  note = "the same in 4 dimensions, as feature level 2_1 requires",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 8 }, data = some },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 4, 1 }, data = places },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 4 }, data = more },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 8 }, data = { 1, 11, 3, 10, 9, 6, 7, 12 } },
  InputDimensionCount = 1, IndicesDimensionCount = 2,
}
op:example "1-as-printed" {
  note = "the page's example as printed: the tensors do not have equally many dimensions (E-SN-3)", invalid = "SN-02",
  ambiguous = "E-SN-3",
  InputTensor = { DataType = "FLOAT32", Sizes = { 8 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 4, 1 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 4 } }, OutputTensor = { DataType = "FLOAT32", Sizes = { 8 } },
  InputDimensionCount = 1, IndicesDimensionCount = 2,
}
op:example "blocks" {
  note = "as in the sizes that the page derives, tuples of 3 leave blocks of 2 dimensions, and all dimensions count (E-SN-1)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 1, 2, 1, 2 }, data = some },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 2, 3 }, data = { 1, 0, 0, 0, 0, 1 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 1, 2 }, data = more },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 1, 2, 1, 2 }, data = { 1, 2, 11, 12, 9, 10, 7, 8 } },
  InputDimensionCount = 5, IndicesDimensionCount = 3,
}
op:example "blocks-as-printed" {
  note = "the sizes by the page's formula, which takes the tail of the input from another place (E-SN-1)",
  invalid = "SN-10",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 4, 5, 6, 7 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 2, 3 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 2, 5, 6, 7 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 4, 5, 6, 7 } },
  InputDimensionCount = 5, IndicesDimensionCount = 3,
}
op:example "rows" {
  note = "tuples of one index replace rows",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 1 }, data = { 2, 0 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 2, 2 }, data = { 11, 12, 13, 14 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 2 }, data = { 13, 14, 3, 4, 11, 12 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2,
}
op:example "several" {
  note = "two tuples are equal: each element of their row has the value of either update (E-SN-4)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 3, 1 }, data = { 1, 0, 1 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 3, 2 }, data = { 11, 12, 13, 14, 15, 16 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 2 }, data = { 13, 14, 15, 16, 5, 6 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2,
}
op:example "negative" {
  note = "-1 is the last element of a dimension, for signed types (SN-14)",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "INT32", Sizes = { 2, 2 }, data = { -1, 0, 0, -3 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 2 }, data = { 11, 12 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, data = { 12, 2, 3, 11, 5, 6 } },
  InputDimensionCount = 2, IndicesDimensionCount = 2,
}
op:example "out-of-range" {
  note = "indices beyond their dimensions: no fault, and the output is undefined (SN-15)", ambiguous = "E-SN-5",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 1, 1, 3, 2 }, data = { 5, 0, 0, 7, 4294967295, 1 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 3 }, data = { 11, 12, 13 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 } }, InputDimensionCount = 2, IndicesDimensionCount = 2,
}
op:example "out-of-range-64" {
  note = "indices beyond their dimensions that are no 64-bit numbers with a sign: no fault", ambiguous = "E-SN-5",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT64", Sizes = { 1, 1, 3, 2 },
                    data = { "9223372036854775808", 0, 0, "18446744073709551615", 2, 1 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 3 }, data = { 11, 12, 13 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 } }, InputDimensionCount = 2, IndicesDimensionCount = 2,
}
op:example "leading-input-dimensions" {
  note = "dimensions of the input that do not count and are not 1", ambiguous = "E-SN-6",
  InputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 }, data = { 1, 2, 3, 4, 5, 6 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 1 }, data = { 2, 0 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 2 }, data = { 11, 12 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 2, 3 } }, InputDimensionCount = 1, IndicesDimensionCount = 2,
}
op:example "leading-index-dimensions" {
  note = "dimensions of the indices that do not count and are not 1", ambiguous = "E-SN-6",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 }, data = { 1, 2, 3 } },
  IndicesTensor = { DataType = "UINT32", Sizes = { 2, 1 }, data = { 2, 0 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 1 }, data = { 11 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } }, InputDimensionCount = 1, IndicesDimensionCount = 1,
}
op:example "long-tuple" {
  note = "a tuple is no longer than the dimensions of the input that count (E-SN-7)", invalid = "SN-17",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 2, 2 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 1, 2 } }, OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 3 } },
  InputDimensionCount = 1, IndicesDimensionCount = 2,
}
op:example "no-dimensions" {
  note = "one dimension of the input counts at least", invalid = "SN-05",
  InputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } }, IndicesTensor = { DataType = "UINT32", Sizes = { 2, 1 } },
  UpdatesTensor = { DataType = "FLOAT32", Sizes = { 2, 3 } }, OutputTensor = { DataType = "FLOAT32", Sizes = { 3, 3 } },
  InputDimensionCount = 0, IndicesDimensionCount = 2,
}
