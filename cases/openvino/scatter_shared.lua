-- SPDX-License-Identifier: Apache-2.0
-- The cases of OpenVINO's ScatterNDUpdate-3, ScatterElementsUpdate-3 and ScatterUpdate-3:
-- shared_file("scatter_shared.lua", op, { prefix =, kind = }). prefix: of the operator's clauses; kind: an index is one
-- of "tuples", selects "elements" beside it, or whole "slices". docs/cases.md describes the language.
local op, spec = ...
local ov = shared()
local tuples, elements, slices = spec.kind == "tuples", spec.kind == "elements", spec.kind == "slices"
local function id(number) return ("%s-%02d"):format(spec.prefix, number) end

-- ---- axes: the first value is the default -------------------------------------------------------------------------
local lengths = { 64, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024,
                  1025, 32768, 65535, 65536, 65537, 262144, 4194304 }
local index_types = tuples and ov.usual or ov.integers
local limits = ov.limits(index_types)
local strays = { 0, 1, 2, 3, 5, 7, 100, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2147483647, 2147483648,
                 4294967294,
                 4294967295, 4294967296, 4294967297, math.maxinteger, -1, -2, -3, -5, -6, -7, -100, -128, -129, -32768,
                 -2147483648, -2147483649, -4294967296, -4294967297, math.mininteger }
op:axis("rank", "dimensions of data and output") { 2, 1, 3, 4, 5, 6, 7, 8 }
if not elements then
  op:axis("dims", "dimensions of indices") (tuples and { 2, 1, 3, 4, 5, 6, 7, 8 } or { 1, 0, 2, 3, 4, 5, 6, 7, 8 })
  op:axis("up_rank", "dimensions of updates") { 2, 0, 1, range(3, 15) }
end
op:axis("dtype", "element type of data, updates and output") { all.dtypes }
op:axis("index_dtype", "element type of indices") (index_types)
if not tuples then
  op:axis("axis", "the dimension of data that indices select from, from the first") { 0, 1, 2, 3, 4, 5, 6, 7 }
  op:axis("from_end", "1: axis counts it from the last dimension, and is negative; 0: it does not") { 0, 1 }
end
op:axis("in_layout", "memory layout of data") { all.layouts }
op:axis("indices_layout", "memory layout of indices") { all.layouts }
op:axis("updates_layout", "memory layout of updates") { all.layouts }
op:axis("out_layout", "memory layout of output") { all.output_layouts }
op:axis("fill", "contents of data") { all.fills }
op:axis("updates_fill", "contents of updates") { "inverted", all.fills }
op:axis("extra", "bytes beyond the least that the tensors need") { 0, 4, 64 }
op:axis("length", "size of the dimension that `long` or `many` names") { lengths, 131073 }
op:axis("long", "the dimension of data that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4 }
op:axis("many", "the dimension of indices that is `length` long, from 1; 0: none") { 0, 1, 2, 3 }
op:axis("pattern", "the indices, by their number: in a row, each twice, all equal, or those of `index`")
  { "ascending", "descending", "pairs", "constant", "listed" }
op:axis("first", "the first index, where they are not listed") { 0, 1, 2, 65535, 65536, 131072 }
op:axis("stray", "the second index, where it is not 0") (strays)
if tuples then op:axis("boxed", "dimensions that the single update of one element has") { 0, 1, 2, 8, 15 } end
op:axis("size", "shape of data, except of the dimension that is `length` long") { 3, 1, 2, 4, 0, 5, 6, 8, per = "rank" }
op:axis("index_size", "shape of indices, except of the dimension that is `length` long" ..
        (tuples and "; the last is that of a tuple" or ""))
  { tuples and 1 or 2, tuples and 2 or 1, 3, 4, 0, 5, 6, 7, 8, per = elements and "rank" or "dims" }
op:axis("index", "the first four indices, where they are listed; the others follow from them")
  { 0, 1, 2, 3, 4, 7, per = 4 }
op:axis("wrong", "1 for a size of updates that a change breaks") { 0, per = elements and "rank" or "up_rank" }
op:positions("at", "rank")
if not elements then
  op:positions("index_at", "dims")
  op:positions("update_at", "up_rank")
end

-- How many indices a tuple has; the dimension of index i, from 1, and its elements.
local tuple = "(dims - 1 + rank - up_rank)"
local one_of = tuples and ("(i %% max(%s, 1) + 1)"):format(tuple) or "(axis + 1)"
local n = ("(long == %s and length or size[%s])"):format(one_of, one_of)
local second = tuples and ("size[1 %% max(%s, 1) + 1]"):format(tuple) or n -- of the second index
local whole, index_at = "pick(at == long, length, size)", elements and "at" or "index_at"
local index_whole = ("pick(%s == many, length, index_size)"):format(index_at)
local count = "product(index_size)" -- of indices, without a long dimension
local per_place = tuples and tuple or "1" -- indices for one element or block

-- The shape of updates, where that of indices is `index`, one of data `data`: both functions of a dimension.
local function updates_shape(data, index)
  local shape = "1"
  for k = 15, 1, -1 do
    local size
    if tuples then
      size = ("%d <= dims - 1 and %s or %d <= up_rank and %s or 1")
             :format(k, index(k), k, data(("%d + rank - up_rank"):format(k)))
    else
      size = ("%d <= axis + dims and %s or %d <= up_rank and %s or 1")
             :format(k, index(("%d - axis"):format(k)), k, data(("%d - dims + 1"):format(k)))
      if k <= 7 then size = ("%d <= axis and %s or %s"):format(k, data(k), size) end
    end
    shape = ("pick(update_at == %d, %s, %s)"):format(k, size, shape)
  end
  return shape
end
local updates = elements and index_whole or updates_shape(function(k)
  return ("(long == %s and length or size[%s])"):format(k, k)
end, function(k)
  return ("(many == %s and length or index_size[%s])"):format(k, k)
end)

-- The most elements of a dimension that all indices can name.
local cap = tuples and "2147483648" or
            "(index_dtype == 'i8' and 128 or index_dtype == 'u8' and 256 or index_dtype == 'i16' and 32768 or " ..
            "index_dtype == 'u16' and 65536 or 2147483648)"

op:where("long <= rank and many <= " .. (elements and "rank" or "dims"))
op:where("long == 0 or length <= " .. cap)
if tuples then
  op:where("up_rank >= dims - 1 and up_rank <= dims - 1 + rank")                                 -- SN3-13
  op:where(("each(index_at ~= dims or index_size == %s)"):format(tuple))
  op:where("many < dims")
  op:where("boxed == 0 or up_rank == 0")
  op:where(("count(index_size == 0) > 0 or each(at > %s or size > 0)"):format(tuple))            -- SN3-10
  -- Indices of different dimensions that share an address would be beyond the smaller one.
  op:where(tuple .. " <= 1 or indices_layout ~= 'broadcast-first' and indices_layout ~= 'broadcast-last' and " ..
           "indices_layout ~= 'broadcast-all' and indices_layout ~= 'overlapping' or " ..
           "long == 0 and each(size == size[1])")
else
  op:where("axis < rank")
end
if slices then
  op:where("up_rank == rank + dims - 1")
  op:where(n .. " > 0 or count(index_size == 0) > 0")                                            -- SU3-10
elseif elements then
  op:where("each(index_size <= size or at == long)")                                             -- SE3-14
  op:where("many == 0 or many == long")
end

-- The number of the element or tuple that index i belongs to: of elements, the one in its line along the axis.
local inner = ("(axis + 1 == rank and 1 or product(pick(at > axis + 1, %s, 1)))"):format(index_whole)
local place = tuples and ("i // max(%s, 1)"):format(tuple) or elements and "i // " .. inner or "i"
op:bind {
  data    = { DataType = "dtype", Sizes = whole, Layout = "in_layout", Fill = "fill", Extra = "extra" },
  indices = { DataType = "index_dtype", Sizes = index_whole, Layout = "indices_layout", Extra = "extra",
              Data = "stray ~= 0 and i == 1 and stray or (pattern == 'listed' and index[i % 4 + 1] + i // 4 or " ..
                     "pattern == 'constant' and first or first + " .. (elements and "i % " .. inner .. " + " or "") ..
                     place .. " * (pattern == 'descending' and -1 or 1) // (pattern == 'pairs' and 2 or 1)) % " ..
                     "max(" .. n .. ", 1)" },
  updates = { DataType = "dtype", Sizes = updates, Layout = "updates_layout", Fill = "updates_fill", Extra = "extra",
              Rank = tuples and "max(up_rank, boxed)" or nil },
  output  = { Layout = "out_layout", Extra = "extra" },
  axis = not tuples and "axis - from_end * rank" or nil,
}

-- A test of the operator: only slices and tuples have indices of another rank, only tuples none of an axis. A list of
-- predicates may have words instead: nil is none. Where index_size is listed, `tuple` is what that of a tuple may be.
local function named(def)
  if elements then def.dims = nil else def.up_rank = def.up_rank or "*" end
  if tuples then def.axis, def.from_end = nil, nil else def.boxed = nil end
  local where = {}
  for _, p in ipairs(type(def.where) == "table" and def.where or { def.where }) do
    if p then where[#where + 1] = p end
  end
  def.where = #where > 0 and where or nil
  return def
end
local function test(name, def) op:test(name)(named(def)) end
local function by_kind(t) return tuples and t.tuples or elements and t.elements or slices and t.slices or nil end
local some_dims = tuples and { 2, 1, 3 } or { 1, 0, 2 }
local no_tuple_of_none = tuples and tuple .. " >= 1"
local widths = "(dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'f64')" -- one type of each width
local usual = ov.is_usual

-- At most four indices. Unused elements of `index` stay 0, and none is beyond its dimension, so that no two cases are
-- equal. And these predicates.
local function few(more)
  local where = { count .. " <= 4" }
  for k = 1, 4 do
    where[#where + 1] = ("%s >= %d or index[%d] == 0"):format(count, k, k)
    if tuples then
      where[#where + 1] = ("%s == 0 or index[%d] < size[%d %% max(%s, 1) + 1]"):format(count, k, k - 1, tuple)
    end
  end
  if not tuples then where[#where + 1] = "each(index < max(" .. n .. ", 1))" end
  for _, p in ipairs(more) do if p then where[#where + 1] = p end end
  return where
end

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds faults in the coordinates before, inside and behind the indices, in negative axes, in updates of one element
-- that are lost or mixed, and in tensors without elements.
test("exhaustive", {
  "every index tensor of up to four indices over every small input",
  rank = { 2, 1, 3 }, dims = some_dims, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, from_end = { 0, 1 },
  pattern = { "listed" },
  size = { 3, 1, 2, 0 }, index_size = { 2, 1, 3, 0 }, index = { 0, 1, 2 },
  where = few {
    "rank <= 2 or sum(size) <= 5 and min(size) >= 1", "dtype == 'f32' or dtype == 'u8' or rank <= 2 and sum(size) <= 4",
    not tuples and "dtype == 'f32' or from_end == 0 and (rank <= 2 or sum(index) <= 1)",
    "dtype == 'f32' or index_dtype == 'i32' or rank == 1 and sum(index) <= 1",
    not tuples and "index_dtype == 'i32' or rank <= 2 and sum(size) <= 4 and from_end == 0",
    not tuples and usual .. " or sum(index) <= 2 and sum(size) <= 3",
    not elements and "dims <= " .. (tuples and 2 or 1) .. " or rank <= 2 and dtype == 'f32' and sum(size) <= 4",
    "dtype == 'f32' or count(size == 0) == 0 or rank == 1",
    "count(index_size == 0) == 0 or dtype == 'f32' or rank == 1",
  },
})

-- Every element on which several updates fall has the value of one of them. Finds sums, mixed values and lost updates.
test("duplicates", {
  "several updates of one element: it has the value of one of them",
  rank = { 2, 1, 3 }, dims = tuples and { 2, 3 } or { 1, 2 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 },
  from_end = { 0, 1 },
  pattern = { "pairs", "constant" }, first = { 0, 1 }, size = { 3, 2, 5 }, index_size = { 2, 1, 3 },
  in_layout = { "packed", "padded" }, updates_layout = { "packed", "transposed" },
  updates_fill = { "inverted", "bits" },
  where = {
    ("%s // max(%s, 1) >= 2"):format(count, per_place), "rank <= 2 or sum(size) <= 7 and first == 0",
    elements and "index_size[axis + 1] >= 2",
    "dtype == 'f32' or dtype == 'u8' or in_layout == 'packed' and updates_layout == 'packed' and rank <= 2",
    "updates_layout == 'packed' or in_layout == 'packed'",
    not tuples and "in_layout == 'packed' and updates_layout == 'packed' or from_end == 0 and rank <= 2",
    not tuples and usual .. " or dtype == 'f32' and rank <= 2 and in_layout == 'packed'",
    not tuples and "from_end == 0 or dtype == 'f32' and rank == 2",
    "in_layout == 'packed' or updates_fill == 'inverted'",
    not elements and "dims == " .. (tuples and 2 or 1) .. " or " ..
                     count .. " <= 6 and first == 0 and rank <= 2 and dtype == 'f32'",
    "rank <= 2 or dtype == 'f32' or dtype == 'u8' and first == 0",
    no_tuple_of_none, "index_dtype == 'i32' or dtype == 'f32' or dtype == 'u8' or first == 0",
    elements and "rank <= 1 or dtype == 'f32' or sum(index_size) <= 4",
  },
})

-- Finds counters of updates, and parts of the output that are counted one after the other, that hold 65,536 elements.
test("far_duplicates", {
  "several updates of one element about multiples of 65,536",
  rank = { 1 }, dims = tuples and { 2 } or { 1 }, dtype = { "u8", "f32" }, long = { 1 }, length = { 131073 },
  pattern = { "constant", "pairs" }, first = { 65535, 65536, 131072 }, index_size = tuples and { 4, 1 } or { 4 },
  size = { 1 },
  where = { tuples and count .. " == 4", tuples and "up_rank == 1" },
})

test("pairwise", {
  "every pair of values of all parameters",
  vary = "*", strength = 2, rank = { 2, 1, 3, 5 }, dims = tuples and { 2, 1, 3 } or { 1, 0, 2, 3 }, length = { 64 },
  long = { 0 }, many = { 0 }, stray = { 0 }, first = { 0, 1, 2 },
  where = {
    "rank <= 2 or each(size <= 4)", "rank <= 4 or each(size <= 2)",
    elements and "rank <= 2 or each(index_size <= 3)" or "dims <= 2 or each(index_at == dims or index_size <= 3)",
    not elements and "dims <= 3 or each(index_at == dims or index_size <= 2)",
    tuples and "dims <= 2 or index_size[1] + index_size[2] >= 1",
    not elements and "rank <= 4 or dims <= 3 or each(size == 1 or at > 3)",
  },
})

-- Long dimensions of data, long blocks, many indices. Finds faults of vector tails and grids, and 16-bit offsets.
test("boundary", {
  "one long dimension of data or indices about each power of two",
  rank = { 2, 1, 3, 5 }, dims = some_dims, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, from_end = { 0, 1 },
  length = lengths,
  long = { 0, 1, 2, 3 }, many = { 0, 1, 2 }, size = { 1, 2 }, index_size = { 2, 1 },
  pattern = { "ascending", "descending" },
  where = {
    elements and "long ~= 0" or "long ~= 0 and many == 0 or long == 0 and many ~= 0",
    "each(at ~= long or size == 1)", ("each(%s ~= many or index_size == 1)"):format(index_at),
    not tuples and usual .. " or dtype == 'f32' and rank <= 2 and axis == 0 and length <= 257",
    "index_dtype == 'i32' or dtype == 'f32' and length <= 1025 and pattern == 'ascending'",
    "rank <= 2 or each(size == 1)", not tuples and "from_end == 0 or dtype == 'f32' and length <= 257",
    ("product(size) * %s <= 4 * max(%s, 1)"):format(count, per_place), no_tuple_of_none,
    "rank <= 3 or dtype == 'f32' or dtype == 'u8' and length <= 33",
    "length <= 33 or dtype == 'f32' or dtype == 'u8'", "rank <= 2 or length <= 129",
    "pattern == 'ascending' or dtype == 'f32' or dtype == 'u8' and length <= 65",
    "rank <= 2 or dtype == 'f32' or length <= 17",
    not tuples and "axis == 0 or dtype == 'f32' and length <= 129 or dtype == 'u8' and length <= 17",
    slices and "dims == 1 or dtype == 'f32' and length <= 65 or length <= 9 and rank <= 2",
    not elements and "dims <= " .. (tuples and 2 or 1) .. " or length <= 257 and dtype == 'f32'",
    elements and "rank == 1 or each(at == long or index_size == size)",
    "length <= 257 or dtype == 'f32' or dtype == 'u8' and pattern == 'ascending'",
    "length <= 1025 or rank <= 2 and index_dtype == 'i32' and product(size) == 1",
    "length <= 1025 or " .. (by_kind { tuples = "dims == 2", slices = "dims == 1 and axis == 0",
                                       elements = "axis == 0" }),
    "length <= 65537 or dtype == 'f32' and pattern == 'ascending' and many == 0 and rank == 1",
  },
})

-- Finds wrong addresses of four tensors at once.
test("layout", {
  "every combination of the layouts of the inputs with those of the output",
  rank = { 2, 1, 3, 4, 6 }, dims = some_dims, dtype = "*", index_dtype = "*", axis = { 0, 1, 2, 3 },
  in_layout = "*", indices_layout = "*", updates_layout = "*", out_layout = "*", size = { 3, 2 },
  index_size = { 2, 1, 3 },
  where = {
    "indices_layout == in_layout or indices_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "updates_layout == in_layout or updates_layout == indices_layout",
    "rank <= 1 or sum(size) == rank * 2 + 1", "rank <= 1 or size[" .. (tuples and "1" or "axis + 1") .. "] == 3",
    "rank <= 3 or dtype == 'f32' or dtype == 'u8'",
    not tuples and "rank <= 3 or axis == 2", not tuples and usual .. " or dtype == 'f32' and rank <= 2",
    "index_dtype == 'i32' or dtype == 'f32'", "rank <= 2 or " .. widths, no_tuple_of_none,
    tuples and ("product(index_size) == 2 * max(%s, 1) or dims == 1"):format(tuple),
    tuples and "rank <= 3 or " .. tuple .. " == 2", tuples and "dims <= 2 or dtype == 'f32' and index_size[1] == 1",
    slices and "dims == 0 or product(index_size) == 2", slices and "dims == 1 or dtype == 'f32'",
    slices and "rank <= 2 or axis == 1 or dtype == 'f32'",
    "rank == 2 or dtype == 'f32' or updates_layout == indices_layout",
    slices and "rank <= 3 or dims == 1", slices and "dims <= 1 or index_size[1] == 2",
    slices and "rank <= 2 or updates_layout == indices_layout or dims == 1",
    not tuples and "index_dtype == 'i32' or updates_layout == indices_layout",
    elements and "each(index_size == pick(size == 3, 2, size))",
    "rank <= 1 or updates_layout == indices_layout or dtype == 'f32' or dtype == 'u8'",
    "rank <= 2 or updates_layout == indices_layout or rank == 3 and dtype == 'f32'",
  },
})

test("special", {
  "special values and random bits are copied unchanged",
  rank = { 2, 1, 3, 5 }, dims = some_dims, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, from_end = { 0, 1 },
  fill = { "special", "bits" }, updates_fill = { "special", "bits" }, size = { 3, 4, 8 }, index_size = { 4, 1, 2, 3 },
  first = { 0, 2 },
  where = {
    "rank <= 2 or each(size == 3)", "rank <= 3 or dtype == 'f32' or dtype == 'u8' or first == 0",
    elements and "from_end == 0 or dtype == 'f32'",
    elements and "rank <= 2 or fill == 'bits' and updates_fill == 'bits' or " ..
                 "fill == 'special' and updates_fill == 'special'",
    no_tuple_of_none,
    not tuples and "from_end == 0 or rank <= 2",
    not tuples and "index_dtype == 'i32' or rank <= 2 and first == 0 and axis == 0",
    not tuples and usual .. " or each(size == 3)", tuples and "rank <= 3 or " .. tuple .. " == 3",
    tuples and "dims == 1 or product(index_size) == 4 * " .. tuple,
    tuples and "dims <= 2 or rank <= 2 and index_size[1] == 2",
    slices and "dims == 0 or product(index_size) == 4", slices and "dims <= 1 or rank <= 2 and index_size[1] == 2",
    slices and "rank <= 3 or dims == 1 and axis <= 2",
    elements and "each(index_size == pick(at == axis + 1, min(size, 4), size)) or rank <= 2 and sum(index_size) <= 4",
  },
})

-- Indices far along a long dimension. Finds index types that are narrowed, which wrap to the beginning of the
-- dimension.
test("far", {
  "an index beyond 8 and 15 bits, inside a long dimension",
  rank = { 2, 1 }, dims = tuples and { 2 } or { 1 }, dtype = "*", index_dtype = "*", axis = { 0, 1 }, long = { 1, 2 },
  length = { 65537 }, stray = { 127, 128, 255, 256, 32767, 32768, 65535, 65536 }, size = { 1, 2 },
  index_size = tuples and { 2, 1 } or { 2, 1 },
  where = {
    "each(at ~= long or size == 1)", count .. " >= 2", no_tuple_of_none,
    "dtype == 'f32' or dtype == 'u8' or stray == 32768",
    tuples and "long == 1 % " .. tuple .. " + 1" or "long == axis + 1",
    tuples and "sum(index_size) <= 3 or index_size[2] == 2",
    elements and "each(at == long and index_size == 2 or at ~= long and index_size == 1)",
    "rank == 1 or each(at == long or size == 2) and dtype == 'f32'",
  },
})

-- Every type of indices at its ends, in a dimension that is as long as the type can say. Finds signs that are taken for
-- values, and values for signs.
if not tuples then
  test("edges", {
    "an index at the end of its type, inside the axis",
    rank = { 2, 1 }, dims = { 1 }, dtype = { "f32", "u8", "f16", "f64" }, index_dtype = "*", axis = { 0, 1, 2 },
    from_end = { 0, 1 },
    long = { 1, 2 }, length = { 128, 256, 32768, 65536 }, stray = { 127, 128, 255, 32767, 32768, 65535 },
    size = { 1, 2 },
    index_size = { 2, 1 },
    where = {
      "each(at ~= long or size == 1)", "long == axis + 1", "stray < length", count .. " == 2",
      "rank == 1 or each(at == long or size == 2)", elements and "index_size[long] == 2", "rank == 1 or length <= 256",
    },
  })
end

-- Tensors without elements: no update, or nothing that could be updated.
test("empty", {
  "no indices, no updates, or no elements of data",
  rank = { 2, 1, 3 }, dims = tuples and { 2, 1, 3 } or { 1, 2 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 },
  from_end = { 0, 1 },
  size = { 3, 0, 2 }, index_size = { 0, 1, 2 }, in_layout = { "packed", "padded" },
  where = {
    "count(size == 0) + count(index_size == 0) >= 1", tuples and tuple .. " >= 1 or count(index_size == 0) >= 2",
    "index_dtype == 'i32' or in_layout == 'packed' and dtype == 'f32' and rank <= 2",
    "dtype == 'f32' or rank == 1 or dtype == 'u8' and rank == 2 and in_layout == 'packed'",
    not tuples and "from_end == 0 or dtype == 'f32' and index_dtype == 'i32'",
    not elements and "dims <= 2 or dtype == 'f32' and sum(index_size) <= 3",
  },
})

if tuples then
  -- Finds lengths of tuples that are taken for another, and blocks of wrong dimensions.
  test("tuples", {
    "tuples of every length, up to one index for each dimension of data",
    rank = "*", dims = { 2, 1, 3 }, dtype = "*", index_dtype = "*", size = { 2, 1, 3 },
    index_size = { 2, 1, range(3, 8) },
    pattern = { "ascending", "descending" },
    where = {
      tuple .. " >= 1", "dims == 1 or index_size[1] == 2", "dims <= 2 or index_size[2] == 1",
      "rank <= 2 or each(size == 2)",
      "rank <= 4 or " .. widths, "rank <= 5 or dims == 2", "rank <= 6 or dtype == 'f32'", "dims == 2 or dtype == 'f32'",
      "each(size == 2) or dtype == 'f32' or dtype == 'u8'",
    },
  })
  -- A tuple of no index selects all of data. Finds divisions by the length of a tuple.
  test("tuples_of_none", {
    "tuples without an index, whose blocks are all of data",
    rank = { 2, 1, 3, 8 }, dims = { 2, 1, 3 }, dtype = "*", index_dtype = "*", size = { 2, 1, 3 },
    index_size = { 0, 1, 2 },
    where = {
      tuple .. " == 0", "each(index_at == dims or index_size >= 1)", "rank <= 2 or each(size <= 2)",
      "rank <= 3 or each(size == pick(at <= 2, 2, 1))", "dims <= 2 or sum(index_size) <= 3",
    },
  })
  test("single", {
    "a single element is updated by a tensor of one element, in any number of dimensions",
    rank = { 2, 1, 3, 4, 8 }, dims = { 1 }, up_rank = { 0 }, dtype = "*", index_dtype = "*", boxed = "*",
    size = { 3, 1, 2 },
    index_size = range(1, 8), first = { 0, 1, 2 },
    where = { "rank <= 2 or each(size == 2)", "rank <= 3 or boxed >= 8", "rank <= 4 or dtype == 'f32'" },
  })
end

-- State that is retained between calls must not change results: outputs cached by descriptor, plans cached by shape
-- alone, buffers with the contents of the preceding call. Only the last call of each case is judged.
for _, c in ipairs { { "data", { "data" }, "the same descriptor with other data" },
                     { "other", { "other" }, "a neighbouring case with the same data" },
                     { "class", { "class" }, "a case of the same shape and another layout" },
                     { "return", { "same", "other" }, "itself and a neighbouring case" },
                     not tuples and { "axis", { "class" }, "one of the same shape along another axis", { "packed" } }
                                or nil } do
  local class = c[2][1] == "class" -- which changes the last scalar parameter that has several values
  test("after_" .. c[1], {
    "a call after " .. c[3], after = c[2], fill = { "bits" }, updates_fill = { "bits" },
    dtype = { "f32", "u8", "f16", "f64" },
    rank = { 2, 1, 3, 6 }, dims = some_dims, axis = { 0, 1, 2 }, from_end = c[1] == "axis" and { 0 } or { 0, 1 },
    index_dtype = { "i32", "i64" }, in_layout = c[4] or { "packed", "padded" }, size = { 3, 2 },
    -- Indices from 0 on would select all in order, along each axis.
    index_size = { 2, 1, 3 }, first = c[1] == "axis" and { 1 } or class and { 0 } or { 0, 1 },
    where = {
      "rank <= 2 or each(size == 3)", "rank <= 3 or " .. (by_kind { tuples = tuple .. " == 2 and dims == 2",
      slices = "axis == 2 and dims == 1", elements = "axis == 2 and each(index_size == pick(at <= 2, 3, 1))" }),
      no_tuple_of_none,
      tuples and "dims == 1 or index_size[1] >= 2", "rank <= 3 or dtype == 'f32'",
      elements and "rank <= 2 or sum(index_size) <= 8",
      tuples and "dims <= 2 or index_size[2] == 2", slices and "dims <= 1 or sum(index_size) <= 4",
    },
  })
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, which these operators do not forbid, in separate pages; the gigabytes between take address space and
-- no memory.
test("sparse", {
  "elements gigabytes apart, in the inputs, the output or all of them", sparse = true, strength = 2,
  rank = { 2, 1, 3, 8 }, dims = tuples and { 2, 1, 3 } or { 1, 2 }, dtype = "*", index_dtype = "*", axis = { 0, 1, 2 },
  from_end = { 0, 1 },
  fill = { "bits" }, updates_fill = { "bits" }, in_layout = { "packed", all.far_layouts },
  indices_layout = { "packed", all.far_layouts }, updates_layout = { "packed", all.far_layouts },
  out_layout = { "packed", all.far_layouts }, size = { 3, 1, 2 }, index_size = { 3, 1, 2 }, first = { 0, 1, 2 },
  where = {
    "in_layout ~= 'packed' or indices_layout ~= 'packed' or updates_layout ~= 'packed' or out_layout ~= 'packed'",
    "product(size) > 1 and product(size) <= 9", count .. " <= 6", no_tuple_of_none,
    "rank <= 3 or each(size == pick(at == 2, 3, pick(at == rank, 2, 1)))",
    slices and "rank <= 3 or axis == 1 and dims == 1",
    elements and "rank <= 3 or each(index_size == pick(at == 2, 2, size))",
    tuples and "rank <= 3 or " .. tuple .. " <= 2",
  },
})

-- With an index beyond its dimension, the call fails, or it succeeds and harms nothing: nothing outside is read or
-- written. The output is undefined then (clause 11): the behaviour is observed, not judged.
for _, c in ipairs { { "out_of_range", "one index behind its dimension", "stray >= " .. second },
                     { "negative_out_of_range", "one negative index, which is beyond its dimension", "stray < 0" } } do
  test(c[1], {
    c[2] .. ": the call fails or harms nothing", rank = { 2, 1, 3, 5 }, dims = tuples and { 2, 1 } or { 1, 2 },
    dtype = "*", index_dtype = "*", axis = { 0, 1, 2 }, from_end = { 0, 1 }, stray = strays, size = { 3, 1, 5 },
    index_size = { 2, 1, 3 },
    in_layout = { "packed", "padded", "transposed" },
    where = {
      "stray ~= 0", c[3], limits.holds_stray, count .. " >= 2", "rank <= 2 or sum(size) <= 9 and in_layout == 'packed'",
      no_tuple_of_none,
      "rank <= 3 or each(size == pick(at <= 3, 3, 1))",
      "dtype == 'f32' or dtype == 'u8' or stray == 100 or stray == -1",
      "in_layout == 'packed' or dtype == 'f32' and (stray == 5 or stray == -1)",
      "dtype == 'f32' or rank == 1 or rank == 2 and in_layout == 'packed' and first == 0 and sum(size) <= 6",
      not tuples and "from_end == 0 or stray == 5 or stray == 100 or stray == -1 or stray == -7",
      slices and "rank <= 2 or axis == 1 and index_dtype == 'i32'",
      tuples and "rank <= 3 or " .. tuple .. " == 3",
      slices and "dims == 1 or product(index_size) <= 3 and dtype == 'f32'",
      not tuples and usual .. " or dtype == 'f32' and axis == 0 and in_layout == 'packed'",
      slices and "rank <= 3 or axis == 2",
      elements and "rank <= 2 or each(index_size == size)", elements and "each(index_size == size) or dtype == 'f32'",
    },
  })
end

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, indices, updates and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"        { 2, 1, 3, 4, 5, 6, 7, 8 }
if not elements then
  any:axis "dims"      (tuples and { 2, 1, 3, 4, 5, 6, 7, 8 } or { 1, 0, 2, 3, 4, 5, 6, 7, 8 })
  any:axis "up_rank"   { 2, 0, 1, range(3, 15) }
end
any:axis "dtype"       { all.dtypes }
any:axis "index_dtype" (index_types)
if not tuples then
  any:axis "axis"      { 0 }
  any:axis "from_end"  { 0, 1 }
end
for _, name in ipairs { "in_layout", "indices_layout", "updates_layout", "out_layout" } do
  any:axis(name) { "packed", "strides" }
end
any:axis "fill"         { all.fills, "stretches" }
any:axis "updates_fill" { "inverted", all.fills, "stretches" }
any:axis("in_extra", "bytes beyond the least that data needs") { 0 }
any:axis("indices_extra", "bytes beyond the least that indices need") { 0 }
any:axis("updates_extra", "bytes beyond the least that updates need") { 0 }
any:axis("out_extra", "bytes beyond the least that output needs") { 0 }
any:axis("pattern", "how the indices follow from `first` and `period`, by their number" ..
         (tuples and "; rows: tuples in row-major order" or ""))
  { tuples and { "rows" } or {}, "ascending", "descending", "constant", "runs", "cycle", "steps", "mixed" }
any:axis("first", "the first index") { 0 }
any:axis("period", "length of a run or cycle of indices, or the difference of two") { 1 }
if elements then any:axis("pace", "the indices after which the pattern goes on") { 1 } end
any:axis("odd", "the number of the index that breaks the pattern, from 1; 0: none") { 0 }
any:axis("size", "shape of data and output") { 3, per = "rank" }
any:axis("index_size", "shape of indices") { tuples and 1 or 2, per = elements and "rank" or "dims" }
if not elements then any:axis("update_size", "shape of updates") { 1, per = "up_rank" } end
any:axis("in_stride", "strides of data in memory, where its layout is strides") { 0, per = "rank" }
any:axis("indices_stride", "strides of indices in memory, where their layout is strides")
  { 0, per = elements and "rank" or "dims" }
any:axis("updates_stride", "strides of updates in memory, where their layout is strides")
  { 0, per = elements and "rank" or "up_rank" }
any:axis("out_stride", "strides of output in memory, where its layout is strides") { 0, per = "rank" }
any:axis("in_base", "where data begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("indices_base", "where indices begin: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("updates_base", "where updates begin: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("out_base", "where output begins: bytes behind a multiple of 64; -1: anywhere") { -1 }

-- What differs in the calls before a case of drawn_after, and the number of these calls.
local words = { "data", "dtype", "index_dtype", "in_layout", "indices_layout", "updates_layout", "out_layout",
                "in_extra",
                "pattern", "first", "size", "index_size", "in_stride", "indices_stride", "updates_stride", "out_stride",
                "out_base", "refused", "swapped", "others" }
if not tuples then table.move({ "axis", "from_end" }, 1, 2, #words + 1, words) end
ov.variant_axes(any, words)
any:positions("at", "rank")
if not elements then
  any:positions("index_at", "dims")
  any:positions("update_at", "up_rank")
end

any:where("period > 0")
local drawn_tuple, drawn_n = "index_size[dims]", "size[axis + 1]"
if tuples then
  any:where("up_rank >= dims - 1 and up_rank <= dims - 1 + rank")
  any:where(drawn_tuple .. " == dims - 1 + rank - up_rank")
  any:where(("product(index_size) == 0 or each(at > %s or size > 0)"):format(drawn_tuple))
  drawn_n = ("size[i %% max(%s, 1) + 1]"):format(drawn_tuple)
else
  any:where("axis >= 0 and axis < rank")
end
if slices then
  any:where("up_rank == rank + dims - 1")
  any:where("size[axis + 1] > 0 or product(index_size) == 0")
elseif elements then
  any:where("pace > 0")
  any:where("each(index_size <= size)")
end
for k = 1, elements and 0 or 15 do
  any:where(("%d > up_rank or update_size[%d] == ("):format(k, k) ..
            (tuples and ("%d <= dims - 1 and index_size[%d] or size[%d + rank - up_rank]"):format(k, k, k) or
             ("%d <= axis and size[%d] or %d <= axis + dims and index_size[%d - axis] or size[%d - dims + 1]")
             :format(k, k, k, k, k)) .. ")")
end
local drawn_place = tuples and ("i // max(%s, 1)"):format(drawn_tuple) or elements and "i // pace" or "i"
local from = elements and "first + i % pace" or "first"
local rows = tuples and ("pattern == 'rows' and " ..
                         "(first + %s) // product(pick(at > 1 + i %% max(%s, 1) and at <= %s, size, 1)) or ")
                        :format(drawn_place, drawn_tuple, drawn_tuple) or ""
any:bind {
  data    = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
              Extra = "in_extra", Base = "in_base" },
  indices = { DataType = "index_dtype", Sizes = "index_size", Layout = "indices_layout", Strides = "indices_stride",
              Extra = "indices_extra", Base = "indices_base",
              Data = ("(i == odd - 1 and first + period + 1 or ROWS pattern == 'ascending' and FROM + PLACE or " ..
                      "pattern == 'descending' and FROM - PLACE or pattern == 'constant' and first or " ..
                      "pattern == 'runs' and FROM + PLACE // period or " ..
                      "pattern == 'cycle' and FROM + PLACE % period or " ..
                      "pattern == 'steps' and FROM + PLACE * period or " ..
                      "(first + i) * (period + i)) % max(min(N, CAP), 1)")
                     :gsub("%u+", { ROWS = rows, FROM = from, PLACE = drawn_place, N = drawn_n, CAP = cap }) },
  updates = { DataType = "dtype", Sizes = elements and "index_size" or "update_size", Layout = "updates_layout",
              Strides = "updates_stride", Fill = "updates_fill", Extra = "updates_extra", Base = "updates_base" },
  output  = { Layout = "out_layout", Strides = "out_stride", Extra = "out_extra", Base = "out_base" },
  axis = not tuples and "axis - from_end * rank" or nil,
}

local function product(list, first, last)
  local p = 1
  for k = first or 1, last or #list do p = p * list[k] end
  return p
end
local function ones(n)
  local list = {}
  for k = 1, n do list[k] = 1 end
  return list
end
local function copy(list) return table.move(list, 1, #list, 1, {}) end

-- Everything but sizes. axis: of tuples, nil. most: of elements, where nothing runs; plan: of r.copied.
local function draw_sized(r, c, size, axis, index_size, most, plan)
  local length = tuples and index_size[#index_size]
  local update_size
  if elements then
    update_size = index_size
  else
    update_size = table.move(size, 1, axis or 0, 1, {})
    table.move(index_size, 1, #index_size - (tuples and 1 or 0), #update_size + 1, update_size)
    table.move(size, tuples and length + 1 or axis + 2, #size, #update_size + 1, update_size)
  end
  local n, indices = size[(axis or 0) + 1], product(index_size)
  local blocks = tuples and product(size, 1, length) or n
  local function strided(dtype, shares, like)
    return { dtype = dtype, shares = shares, like = like, span = most and most > 4096 and 4294967295 or nil }
  end
  local v = {
    size = size, index_size = index_size, axis = axis, from_end = not tuples and (r.chance(30) and 1 or 0) or nil,
    fill = r.pick { "bits", "bits", "injective", "special", "stretches" },
    updates_fill = r.pick { "bits", "bits", "inverted", "special", "stretches" },
    pattern = tuples and r.chance(50) and "rows" or
              r.pick { "ascending", "ascending", "descending", "steps", "constant", "runs", "cycle", "mixed" },
    first = r.chance(30) and r.pick { 0, math.max(blocks, 1) - 1 } or r.about(0, math.max(blocks, 1) - 1),
    period = r.chance(20) and r.pick { math.max(indices, 1), math.max(n, 1) } or r.about(1, math.max(2, n)),
    pace = elements and math.max(1, r.chance(85) and product(index_size, axis + 2) or
                                 r.about(1, math.max(indices, 1))) or nil,
    odd = r.chance(20) and r.about(1, math.max(indices, 1)) or 0,
    in_extra = r.chance(20) and r.about(0, 65536) or 0, indices_extra = r.chance(20) and r.about(0, 4096) or 0,
    updates_extra = r.chance(20) and r.about(0, 4096) or 0, out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_layout = r.chance(60) and "strides" or "packed", indices_layout = r.chance(60) and "strides" or "packed",
    updates_layout = r.chance(60) and "strides" or "packed", out_layout = r.chance(60) and "strides" or "packed",
    in_stride = r.strides(size, strided(c.dtype, true)),
    indices_stride = r.strides(index_size, strided(c.index_dtype, not tuples or length == 1)),
    updates_stride = r.strides(update_size, strided(c.dtype, true)),
    in_base = r.base(), indices_base = r.base(), updates_base = r.base(), out_base = r.base(),
  }
  v.out_stride = r.strides(size, strided(c.dtype, false, v.in_stride))
  if not elements then v.update_size = update_size end
  if plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(size, size, plan, c.dtype) end
  return v
end

-- At most so many elements.
local function within(list, most)
  while product(list) > most do
    local long = 1
    for k = 2, #list do if list[k] > list[long] then long = k end end
    list[long] = list[long] // 2
  end
  return list
end

-- Sometimes no elements. An index has to have something to select.
local function draw_empty(r, size, axis, index_size)
  local k = r.int(1, #size)
  if elements then
    index_size[k] = 0
    if r.chance(50) then size[k] = 0 end
  elseif tuples and k <= index_size[#index_size] or slices and k == axis + 1 then
    if #index_size > (tuples and 1 or 0) then index_size[1] = 0 end
  else
    size[k] = 0
  end
end

-- The indices for data of this shape, of `most` updates.
local function draw_indices(r, c, size, most)
  local rank = c.rank
  if tuples then
    local length = c.dims - 1 + rank - c.up_rank
    local blocks = product(size, 1, length)
    local array = r.sizes(c.dims - 1, math.max(1, math.min(r.chance(60) and r.about(1, blocks) or r.about(1, most),
                                                           most // product(size, length + 1))))
    array[c.dims] = length
    return nil, array
  end
  local axis = r.int(0, rank - 1)
  if product(size) > 300000 then -- few updates for each index
    for k = 1, rank do if size[k] > size[axis + 1] then axis = k - 1 end end
  end
  local n, others = size[axis + 1], product(size) // size[axis + 1]
  if slices then
    return axis, r.sizes(c.dims, math.max(1, math.min(r.chance(60) and r.about(1, n) or most, most // others)))
  end
  local index_size = copy(size)
  for k = 1, rank do
    if r.chance(k == axis + 1 and 60 or 25) then index_size[k] = r.about(1, size[k]) end
  end
  return axis, within(index_size, most)
end

-- Data of at most `elements` elements, and as many updates.
local function draw_most(r, c, elements, most)
  local size = r.sizes(c.rank, elements)
  local axis, index_size = draw_indices(r, c, size, elements)
  if r.chance(2) then draw_empty(r, size, axis, index_size) end
  return draw_sized(r, c, size, axis, index_size, most)
end

-- The sizes that shape(n) draws are those of data. An index takes longer to make than an element.
local function draw_planned(r, c, shape)
  local size, plan = shape(c.rank)
  local axis, index_size = draw_indices(r, c, size, product(size) > 300000 and 5000 or math.min(40000, 4 * product(size)))
  return draw_sized(r, c, size, axis, index_size, nil, plan)
end

-- Data with these sizes, one of which may be very long; or many indices for small data.
local function draw_given(r, c, given)
  local array = elements and 0 or c.dims - (tuples and 1 or 0)
  if array == 0 or r.chance(60) then return draw_planned(r, c, function() return copy(given) end) end
  local size = r.sizes(c.rank, 8)
  local index_size = r.long_sizes(array, 66000)
  local axis, count = slices and r.int(0, c.rank - 1) or nil, product(index_size)
  if tuples then index_size[c.dims] = c.dims - 1 + c.rank - c.up_rank end
  local distinct = r.chance(50) and (slices or index_size[c.dims] > 0)
  if distinct then
    size = r.sizes(c.rank, 2)
    size[(axis or 0) + 1] = count
  end
  local v = draw_sized(r, c, size, axis, index_size)
  if distinct then v.pattern, v.odd = "ascending", 0 end
  return v
end

-- `count` indices along the first dimension that indices select from, of n elements, none of them twice.
local function draw_distinct(r, c, n, count)
  local axis = not tuples and r.int(0, c.rank - 1) or nil
  local size, index_size, long = r.sizes(c.rank, n > 1000 and 2 or 4), ones(c.dims or 0), (axis or 0) + 1
  if n > 1 << 21 then size = ones(c.rank) end
  if elements then
    index_size = copy(size)
    index_size[long] = count
  else
    index_size[r.int(1, c.dims - (tuples and 1 or 0))] = count
  end
  if tuples then index_size[c.dims] = c.dims - 1 + c.rank - c.up_rank end
  size[long] = n
  local v = draw_sized(r, c, size, axis, index_size)
  v.pattern, v.odd = r.pick { "ascending", "descending" }, 0
  v.pace = elements and math.max(1, product(index_size, axis + 2)) or nil
  return v
end

local classes = elements and { "dtype", "rank", "index_dtype" } or { "dtype", "rank", "dims", "up_rank", "index_dtype" }
local function draw_any(r, c, most, given)
  if not most and not given and r.chance(22) then return draw_planned(r, c, r.tiles) end
  if given then return draw_given(r, c, given) end
  return draw_most(r, c, most or r.elements(), most)
end

local function in_classes(t, more)
  t.each = classes
  for _, axis in ipairs(classes) do t[axis] = "*" end
  for word, value in pairs(more or {}) do t[word] = value end
  if elements then t.dims, t.up_rank = nil, nil elseif slices then t.up_rank = "*" end
  return t
end
local function drawn_test(name, title, cases, draw, more)
  any:test(name)(in_classes({ title, cases = cases, draw = draw }, more))
end
-- The same with random bits.
local function bits(draw)
  return function(r, c)
    local v = draw(r, c)
    if v then v.fill, v.updates_fill = "bits", "bits" end
    return v
  end
end

drawn_test("drawn", "any sizes, axes, indices, updates and layouts", { quick = 400, full = 4000, exhaustive = 1000000 },
           function(r, c) return draw_any(r, c) end)
drawn_test("drawn_after", "the same after calls that differ in one thing",
           { quick = 150, full = 600, exhaustive = 100000 }, bits(ov.after(draw_any, draw_planned, words)), { preceded = true })

-- Finds tails of groups of updates: each update that is lost shows.
drawn_test("drawn_distinct", "up to 415 indices, none of them twice, often one or two more than groups of 32 have",
           { quick = 8, full = 200, exhaustive = 20000 }, bits(function(r, c)
  local count = 32 * r.int(1, 12) + r.pick { 0, 1, 1, 2, r.int(3, 31) }
  return draw_distinct(r, c, count + r.int(0, 40), count)
end), { rank = tuples and { 2, 3, 4 } or "*", dims = tuples and { 2 } or { 1, 2, 3 },
        up_rank = tuples and { 1, 2 } or nil, index_dtype = { "i32", "i64", not tuples and "u16" or nil } })
ov.scatter_tests(drawn_test, {
  distinct = draw_distinct,
  classes = { rank = tuples and { 2, 3 } or { 1, 2, 3 }, dims = tuples and { 2, 3 } or { 1, 2 },
              up_rank = tuples and { 1, 2, 3 } or nil, where = tuples and "up_rank < dims - 1 + rank" or nil,
              index_dtype = { "i32", "i64", not tuples and "u32" or nil } },
})

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
drawn_test("drawn_counts", "more than 2^16 of something: rows, batches, blocks, indices, elements of a row",
           { quick = 1, full = 8, exhaustive = 4000 },
           function(r, c) return draw_any(r, c, nil, r.long_sizes(c.rank)) end)
drawn_test("drawn_grids", "more than 65,535 rows, matrices or elements of a plane that cannot be merged",
           { quick = 1, full = 30, exhaustive = 8000 }, bits(function(r, c) return draw_planned(r, c, r.grid) end),
           { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 4, 3, 5 }, dims = { 2, 1 }, up_rank = { 1, 2, 3 },
             index_dtype = { "i32", "i64" } })
local large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 4, 3 }, dims = { 2, 1 }, up_rank = { 1 },
                index_dtype = { "i32" } }
drawn_test("drawn_tall", "more than 65,535 groups of 32 or 64 rows", { full = 1, exhaustive = 40 }, bits(function(r, c)
  return draw_planned(r, c, function(k) return r.grid(k, 65535 * r.pick { 64, 64, 128 } + r.int(1, 1024)) end)
end), large)
drawn_test("drawn_large", "2^24 elements: more groups of 256 than a dimension of a dispatch has",
           { full = 1, exhaustive = 12 }, bits(function(r, c)
  return draw_planned(r, c, function(k) return r.grid(k, 16776960 + r.int(1, 1024)) end)
end), large)
ov.large_tests(drawn_test, {
  block = not elements and function(r, c, n)
    local v = draw_sized(r, c, { 1, n }, slices and 0 or nil, tuples and { 1, 1 } or { 1 })
    v.first, v.odd, v.updates_fill = 0, 0, "bits"
    return v
  end or nil,
  block_classes = { dtype = { "f64", "i64" }, rank = { 2 }, dims = tuples and { 2 } or { 1 }, up_rank = { 2 },
                    index_dtype = { "i32" }, sparse = true },
  planned = draw_planned, quick = { rows = 4, cubes = 5 }, full = { rows = 20, cubes = 20, high = 3 }, large = large,
  classes = { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 4, 3, 5 }, dims = { 2, 1 }, up_rank = { 1, 2, 3 },
              index_dtype = { "i32", "i64" } },
  deep = { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 4, 3, 5 }, dims = { 2, 1 }, up_rank = { 1, 2, 3 },
           index_dtype = { "i32", "i64" } },
})
drawn_test("drawn_first", "the first call of a process", { quick = 1, full = 12, exhaustive = 400 },
           bits(function(r, c) return draw_any(r, c, 256) end), { fresh = true })

-- Finds offsets that 32 bits cannot hold, in elements or in bytes. These operators do not limit them.
drawn_test("drawn_sparse", "elements up to 2^33 elements apart", { quick = 20, full = 400, exhaustive = 20000 },
           bits(function(r, c)
  local v = draw_most(r, c, 16)
  local update_size = v.update_size or v.index_size
  v.in_stride, v.out_stride = r.strides(v.size, {}), r.strides(v.size, {})
  v.indices_stride, v.updates_stride = r.strides(v.index_size, {}), r.strides(update_size, {})
  return ov.spread(r, v, {
    { v.size, v.in_stride, "in_layout" }, { v.index_size, v.indices_stride, "indices_layout" },
    { update_size, v.updates_stride, "updates_layout" }, { v.size, v.out_stride, "out_layout" },
  })
end), { sparse = true })

-- A drawn legal descriptor with one thing changed: alter(r, v, c) says how, or returns false to draw again.
local some_types = tuples and { "i32", "i64" } or { "i32", "u8", "i64" } -- of indices, where little depends on them
local function breaks(clause, name, title, change, alter, more)
  local t = in_classes({ title, name = "drawn-" .. name, change = change,
                         cases = { quick = 10, full = 150, exhaustive = 10000 } },
                       more)
  t.index_dtype, t.dims = some_types, not elements and (t.dims == "*" and some_dims or t.dims) or nil
  t.draw = function(r, c)
    local v = draw_any(r, c, r.chance(40) and r.about(2, 1 << 40) or nil)
    if alter and alter(r, v, c) == false then return nil end
    return v
  end
  any:invalid(id(clause))(t)
end
local numbers = { f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8, f64 = 9, u64 = 10, i64 = 11 }
local keys = { data = "in", indices = "indices", updates = "updates", output = "out" }
local names = { "data", "indices", "updates", "output" }
local function sizes_of(v, tensor)
  return tensor == "indices" and v.index_size or tensor == "updates" and (v.update_size or v.index_size) or v.size
end
for _, tensor in ipairs(names) do
  local key = keys[tensor]
  breaks(1, tensor, tensor .. " is missing", { [tensor] = { Present = "0" } })
  breaks(tensor == "indices" and 4 or 3, tensor .. "-type", tensor .. " alone has another type",
         { [tensor] = { DataType = "by" } }, function(r, v, c)
    v.by = tensor == "indices" and not tuples and r.pick { 1, 2, 9, 14, 15 } or r.int(1, 11)
    if tensor ~= "indices" and v.by == numbers[c.dtype] then return false end
    if tensor == "indices" and (v.by == 6 or v.by == 11) then return false end
    v[key .. "_extra"] = 1 << 50
  end)
  breaks(5, tensor, tensor .. " does not fit into its bytes", { [tensor] = { TotalTensorSizeInBytes = "by" } },
         function(r, v)
    local size, stride, span = sizes_of(v, tensor), v[key .. "_stride"], 1
    if product(size) == 0 then return false end
    for d = 1, #size do span = span + (size[d] - 1) * stride[d] end
    v.by = r.about(0, (v[key .. "_layout"] == "strides" and span or product(size)) - 1)
  end, { where = tuples and tensor == "indices" and "up_rank < dims - 1 + rank" or nil })
end
for _, tensor in ipairs { "data", "indices" } do
  breaks(2, tensor, tensor .. " has more dimensions than are judged",
         { [tensor] = { DimensionCount = "by", TotalTensorSizeInBytes = "4611686018427387904" } },
         function(r, v) v.by = r.about(9, 4294967295) end)
end
for _, x in ipairs { { 6, "output", "size", "at" },
                     { 7, "updates", elements and "index_size" or "update_size", elements and "at" or "update_at" } } do
  local clause, tensor, sizes, at = x[1], x[2], x[3], x[4]
  local function at_least(n) return clause == 7 and not elements and "up_rank >= " .. n or nil end
  breaks(clause, "size", "a size of " .. tensor .. " differs", {
    [tensor] = { Sizes = ("pick(%s == broken, %s + by, %s)"):format(at, sizes, sizes), Layout = "0" },
  }, function(r, v)
    local list = v[sizes]
    if #list == 0 or product(list) == 0 then return false end
    v.broken = r.int(1, #list)
    local size = list[v.broken]
    v.by = size > 1 and r.chance(50) and -r.about(1, size - 1) or r.about(1, 1 << 20)
  end, { rank = range(2, 8), where = at_least(1) })
  breaks(clause, "exchanged", "two sizes of " .. tensor .. " are exchanged, and it has as many elements", {
    [tensor] = { Sizes = ("pick(%s == broken, %s[by], pick(%s == by, %s[broken], %s))")
                         :format(at, sizes, at, sizes, sizes),
                 Layout = "0" },
  }, function(r, v)
    local list = v[sizes]
    if #list < 2 then return false end
    v.broken, v.by = r.int(1, #list), r.int(1, #list)
    return list[v.broken] ~= list[v.by]
  end, { rank = range(3, 8), where = at_least(2) })
  ov.one_leading(breaks, clause, tensor, sizes, { where = at_least(1) })
  breaks(clause, "rank", tensor .. " has another number of dimensions",
         { [tensor] = { DimensionCount = "by", Layout = "0", TotalTensorSizeInBytes = "4611686018427387904" } },
         function(r, v)
    if #v[sizes] == 0 then return false end
    v.by = r.int(0, 16)
    return v.by ~= #v[sizes]
  end, { where = at_least(1) })
end
if tuples then
  breaks(13, "long", "a tuple has more indices than data has dimensions",
         { indices = { Sizes = "pick(index_at == dims, by, index_size)", Layout = "0" } },
         function(r, v, c) v.by = r.about(c.rank + 1, 1 << 30) end)
else
  breaks(13, "outside", "axis is no dimension of data", { axis = "by" }, function(r, v, c)
    v.by = r.chance(50) and r.about(c.rank, math.maxinteger) or r.about(math.mininteger, -c.rank - 1)
  end)
end
if elements then
  local wider = { Sizes = "pick(at == broken, by, index_size)", Layout = "0" }
  breaks(14, "size", "a size of indices and updates exceeds that of data", { indices = wider, updates = wider },
         function(r, v, c)
    v.broken = r.int(1, c.rank)
    v.by = v.size[v.broken] + r.about(1, 1 << 20)
  end)
end

-- The legal sides of limits: alter(r, v, c) moves a drawn descriptor there, or returns another. With `asked`, nothing
-- is executed.
local function holds(clauses, name, title, alter, more)
  local ids = {}
  for k, number in ipairs(clauses) do ids[k] = id(number) end
  local t = in_classes({ title, name = name,
                         cases = { quick = more and more.asked and 10 or 6, full = 60, exhaustive = 3000 } }, more)
  t.index_dtype, t.dims = some_types, not elements and (t.dims == "*" and some_dims or t.dims) or nil
  t.draw = function(r, c)
    local v = draw_any(r, c, t.asked and r.about(2, 1 << 40) or nil)
    local other = alter(r, v, c)
    if other == false then return nil end
    return other or v
  end
  any:limit(table.concat(ids, " "))(t)
end
holds({ 1, 2, 3, 4, 15 }, nil, "all dimensions of data and of indices that are judged, or the fewest", function(r, v, c)
  local size = r.sizes(c.rank, 64)
  local axis, index_size = draw_indices(r, c, size, 64)
  return draw_sized(r, c, size, axis, index_size)
end, { rank = { 1, 8 }, dims = tuples and { 1, 8 } or { 0, 8 } })
holds({ 5 }, nil, "strides without effect, and no byte too many", function(r, v, c)
  local index_size = ones(elements and c.rank or c.dims)
  if tuples then index_size[c.dims] = c.dims - 1 + c.rank - c.up_rank end
  local w = draw_sized(r, c, ones(c.rank), not tuples and r.int(0, c.rank - 1) or nil, index_size)
  w.in_layout, w.indices_layout, w.updates_layout, w.out_layout = "strides", "strides", "strides", "strides"
  w.in_extra, w.indices_extra, w.updates_extra, w.out_extra = 0, 0, 0, 0
  return w
end)
holds({ 6, 7 }, nil, "outputs and updates of up to 2^40 elements", function(r, v, c) end, { asked = true })
holds({ 6 }, "interleaved", "interleaved elements of the output that share no address", function(r, v, c)
  v.out_layout, v.out_stride = "strides", r.strides(v.size, { dtype = c.dtype, interleave = true })
end)
if tuples then
  holds({ 13 }, nil, "a tuple has an index for each dimension", function(r, v, c) end,
        { dims = { 1 }, up_rank = { 0 } })
else
  holds({ 13 }, nil, "the first axis and the last one, counted from both ends", function(r, v, c)
    if v.axis ~= 0 and v.axis ~= c.rank - 1 then return false end
  end)
end
if elements then
  holds({ 14 }, nil, "as many indices as data has elements", function(r, v, c)
    return draw_sized(r, c, v.size, v.axis, copy(v.size))
  end)
end

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
-- Axes of illegal descriptors. Each has one value here, so that no test above varies it.
op:axis "broken" { 0 }
op:axis "by"     { 1 }
op:axis("other", "another element type, for a change") { "f32" }
op:axis("no_index", "an element type that indices may not have, for a change") { "f32" }
if tuples then op:axis("box", "shape of an update that is not a single element, for a change") { 2, per = 2 } end
local inside = "broken >= 1 and broken <= rank"
local function changed(value, base, at) return ("pick(%s == broken, %s, %s)"):format(at or "at", value, base) end
local function illegal(clause, def) op:invalid(id(clause))(named(def)) end
local few_dims = tuples and { 2, 1 } or { 1, 0, 2 }
local one_tuple = tuples and tuple .. " == 1"
local more_dims = tuples and { 1, 2, range(3, 8) } or { 2, 1 }
local four_types = { "f32", "u8", "f16", "f64" }

for _, tensor in ipairs(names) do
  illegal(1, { tensor .. " is missing", name = tensor, rank = "*", dims = few_dims, dtype = "*", index_dtype = "*",
               where = one_tuple, change = { [tensor] = { Present = "0" } } })
  illegal(1, { tensor .. " has no shape", name = tensor .. "-shape", rank = "*", dims = few_dims, dtype = "*",
               where = one_tuple, change = { [tensor] = { Null = null.sizes } } })
  illegal(5, { tensor .. " does not fit into its bytes", name = tensor, rank = "*", dims = few_dims, dtype = four_types,
               index_dtype = "*", size = { 3 }, index_size = tuples and { 1, 3 } or { 3 },
               where = { one_tuple, tuples and "dims == 1 or index_size[1] == 3",
                         tuples and tensor == "updates" and "rank >= 2",
                         slices and tensor ~= "indices" and "dims >= 1", not tuples and usual .. " or rank <= 2" },
               in_layout = { "packed", "padded", "transposed" }, out_layout = { "packed", "padded", "transposed" },
               change = { [tensor] = { Extra = "-4" } } })
  illegal(5, { tensor .. " has no bytes", name = tensor .. "-none", rank = "*", dims = few_dims, dtype = "*",
               where = one_tuple, change = { [tensor] = { TotalTensorSizeInBytes = "0" } } })
end
for k, tensor in ipairs { "data", "indices" } do
  local at, size = k == 1 and "at" or index_at, k == 1 and "size" or "index_size"
  illegal(2, { tensor .. " has more dimensions than are judged", name = tensor, rank = "*", dims = few_dims,
               dtype = "*",
               by = { 9, 10, 16, 17, 255, 4294967295 }, where = one_tuple,
               change = { [tensor] = { DimensionCount = "by", TotalTensorSizeInBytes = "65536" } } })
  illegal(2, { "a dimension of " .. tensor .. " has 2^63 elements or more", name = tensor .. "-size",
               rank = range(1, 8),
               dims = range(1, 8), dtype = "*", broken = range(1, 8), by = { math.mininteger, -1 },
               where = { not elements and "dims == rank", inside, one_tuple },
               change = { [tensor] = { Sizes = changed("by", size, at), Strides = "0 * " .. size,
                                       TotalTensorSizeInBytes = "65536" } } })
  illegal(5, { "strides that wrap: " .. tensor .. " seems to span a single element", name = tensor .. "-wraps",
               rank = { 2, 8 }, dims = { 2, 8 }, dtype = "*", size = { 3 }, index_size = tuples and { 1, 3 } or { 3 },
               by = { math.mininteger },
               where = { not elements and "dims == 2", one_tuple, tuples and "index_size[1] == 3" },
               change = { [tensor] = { Strides = ("pick(%s == 1, by, 0)"):format(at),
                                       TotalTensorSizeInBytes = "65536" } } })
end
illegal(2, { "data has no dimensions", name = "data-none", rank = "*", dims = few_dims, dtype = "*", index_dtype = "*",
             where = one_tuple, change = { data = { DimensionCount = "0" } } })
if tuples then
  illegal(2, { "indices have no dimensions", name = "indices-none", rank = "*", dims = few_dims, dtype = "*",
               index_dtype = "*",
               where = one_tuple, change = { indices = { DimensionCount = "0" } } })
else
  illegal(1, { "axis is not given", name = "axis", rank = "*", dims = few_dims, dtype = "*",
               change = { axis = { Present = "0" } } })
end
for _, tensor in ipairs { "data", "updates", "output" } do
  illegal(3, { tensor .. " alone has another type", name = tensor, rank = "*", dims = few_dims, dtype = "*",
               other = { all.dtypes }, where = { "other ~= dtype", one_tuple },
               change = { [tensor] = { DataType = "other" } } })
end
local unknown = { DataType = "by", TotalTensorSizeInBytes = "65536" }
local types = { 0, 12, 13, 16, 255, 4294967295 }
illegal(3, { "an element type that does not exist or has no whole bytes", name = "unknown", rank = "*", dtype = "*",
             where = one_tuple, by = types, change = { data = unknown, updates = unknown, output = unknown } })
illegal(15, { "data, updates and output of boolean", rank = "*", dtype = "*", where = one_tuple, by = { 15 },
              change = { data = unknown, updates = unknown, output = unknown } })
illegal(4, { "indices of a type that indices may not have", rank = "*", dims = few_dims, dtype = "*", where = one_tuple,
             no_index = tuples and { "f32", "f16", "bf16", "f64", "u8", "u16", "u32", "u64", "i8", "i16", "bool" } or
                     { "f32", "f16", "bf16", "f64", "bool" },
             change = { indices = { DataType = "no_index" } } })
illegal(4, { "an element type that does not exist", name = "unknown", rank = "*", dtype = "*", by = types,
             where = one_tuple,
             change = { indices = unknown } })
illegal(6, { "a size of the output differs", name = "size", rank = "*", dims = few_dims, dtype = four_types,
             broken = range(1, 8),
             by = { 1, -1, 65536, 4294967296 }, where = { inside, one_tuple },
             change = { output = { Sizes = changed("size + by", "size") } } })
illegal(6, { "the output has fewer dimensions, or more", name = "rank", rank = "*", dims = few_dims, dtype = "*",
             by = { -1, 1, -2, 2 }, where = { "rank + by >= 0", one_tuple },
             change = { output = { DimensionCount = "rank + by", TotalTensorSizeInBytes = "1048576" } } })
local up_rank = elements and "rank" or "up_rank"
illegal(7, { "a size of the updates differs", name = "size", rank = "*", dims = few_dims, dtype = four_types,
             axis = range(0, 7), size = { 3 }, index_size = more_dims, wrong = { 0, 1 },
             by = { 1, -1, 65536, 4294967296 },
             where = { "count(wrong ~= 0) == 1", tuples and "rank <= 4 or by == 1",
                       tuples and "dims == 1 or index_size[1] == 2",
                       tuples and "up_rank >= 1", elements and "each(index_size == 2)",
                       slices and "dims == 0 or each(index_size == 2)",
                       not tuples and "axis == 0 or axis == rank - 1 or by == 1" },
             change = { updates = { Sizes = ("%s + by * wrong"):format(updates) } } })
illegal(7, { "the updates have fewer dimensions, or more", name = "rank", rank = "*", dims = few_dims, dtype = "*",
             by = { -1, 1, -2, 2 }, where = { up_rank .. " + by >= 0", tuples and "up_rank >= 1", one_tuple },
             change = { updates = { DimensionCount = up_rank .. " + by", TotalTensorSizeInBytes = "1048576" } } })
if elements then
  illegal(7, { "the updates have the shape of data", name = "data", rank = "*", dtype = "*", axis = range(0, 7),
               index_size = { 2, 1 }, where = { "each(index_size == pick(at == axis + 1, 2, 1))", "size[1] == 3" },
               change = { updates = { Sizes = "size" } } })
  illegal(14, { "a size of indices and updates exceeds that of data", name = "size", rank = "*", dtype = four_types,
                index_dtype = "*", axis = range(0, 7), broken = range(1, 8), size = { 3, 2 }, index_size = { 2 },
                by = { 1, 2, 65536, 4294967296 }, where = { inside, "sum(size) == 2 * rank + 1 or rank == 1",
                                                            "axis == 0 or by == 1 and index_dtype == 'i32'",
                                                            usual .. " or rank <= 2 and by == 1" },
                change = { indices = { Sizes = changed("size + by", "index_size") },
                           updates = { Sizes = changed("size + by", "index_size") } } })
  illegal(14, { "indices and updates have fewer dimensions than data, or more", name = "rank", rank = "*", dtype = "*",
                index_dtype = "*", by = { -1, 1, -2 }, where = { "rank + by >= 1", "rank + by <= 8" },
                change = { indices = { DimensionCount = "rank + by", TotalTensorSizeInBytes = "1048576" },
                           updates = { DimensionCount = "rank + by", TotalTensorSizeInBytes = "1048576" } } })
else
  illegal(7, { "the updates have the shape of data, though there are several indices", name = "data", rank = "*",
               dims = tuples and { 2 } or { 1 }, dtype = "*", index_size = tuples and { 2, 1 } or { 2, 4 },
               axis = range(0, 7),
               where = { one_tuple, tuples and "index_size[1] == 2", "size[1] == 3", tuples and "up_rank == rank" },
               change = { updates = { Sizes = "size" } } })
end
if tuples then
  illegal(7, { "an update of several elements, where a single one is expected", name = "box", rank = "*", dims = { 1 },
               up_rank = { 0 }, dtype = "*", index_dtype = "*", index_size = range(1, 8),
               box = { 1, 2, 0, 65536, 4294967297 },
               where = { "box[1] * box[2] ~= 1", "any(box <= 65536)" }, -- fewer than 2^64 elements
               change = { updates = { Sizes = "box", Layout = "0" } } })
  illegal(13, { "a tuple has more indices than data has dimensions", rank = "*", dims = { 2, 1, 3 }, dtype = "*",
                index_dtype = "*", index_size = range(1, 8), by = { 1, 2, 65536, 4294967296 },
                where = { "each(index_at == dims or index_size == 1)", tuple .. " == rank or by == 1" },
                change = { indices = { Sizes = "pick(index_at == dims, rank + by, index_size)" } } })
else
  local far = { 0, 1, 7, 2147483647, 4294967295, 4294967296, math.maxinteger - 100 }
  illegal(13, { "axis is beyond the last dimension of data", name = "beyond", rank = "*", dims = few_dims, dtype = "*",
                index_dtype = some_types, by = far, change = { axis = "rank + by" } })
  illegal(13, { "axis is before the first dimension of data", name = "before", rank = "*", dims = few_dims, dtype = "*",
                index_dtype = some_types, by = far, change = { axis = "-1 - rank - by" } })
end

-- ---- examples: the smallest cases of our decisions. Those of the pages are in the operators' own files -------------
local function tensor(shape, data, dtype) return { type = dtype or "f32", shape = shape, data = data } end
local function example(name, note, data, picks, updates_, output, more)
  local def = { note = note, data = data, indices = picks, updates = updates_, output = output,
                axis = not tuples and 0 or nil }
  for word, value in pairs(more or {}) do def[word] = value end
  op:example(name)(def)
end
local three = tensor({ 3 }, { 1, 2, 3 })
local function stray_example(name, note, values, dtype)
  local shape = tuples and { #values, 1 } or { #values }
  local ups = {}
  for k = 1, #values do ups[k] = 10 + k end
  example(name, note, three, tensor(shape, values, dtype or "i32"), tensor({ #values }, ups), tensor({ 3 }),
          { ambiguous = ("E-%s-2"):format(spec.prefix) })
end
stray_example("out-of-range", "indices behind their dimension: the call fails, or harms nothing", { 0, 3, 1 })
stray_example("negative", "a negative index: the call fails, or harms nothing", { 0, -1, 1 })
stray_example("far-out-of-range", "an index that is inside in its lowest 32 bits", { 0, 4294967297, 2 }, "i64")
stray_example("far-negative", "a negative index that is inside in its lowest 32 bits", { 0, -4294967295, 2 }, "i64")
example("several", ("two indices are equal: each element has the value of either update (E-%s-1)"):format(spec.prefix),
        three,
        tensor(tuples and { 3, 1 } or { 3 }, { 1, 0, 1 }, "i32"), tensor({ 3 }, { 11, 12, 13 }),
        tensor({ 3 }, { 12, 13, 3 }))
example("no-indices", "no indices: the output is data", three, tensor(tuples and { 0, 1 } or { 0 }, {}, "i64"),
        tensor({ 0 }, {}),
        tensor({ 3 }, { 1, 2, 3 }))
if not tuples then
  example("u8-index", "an index of u8 beyond 127 is not negative", tensor({ 1, 200 }),
          tensor(slices and { 1 } or { 1, 1 }, { 199 }, "u8"),
          tensor({ 1, 1 }, { 5 }), tensor({ 1, 200 }), { axis = 1 })
  example("negative-axis", ("a negative axis counts from the end (E-%s-4)"):format(spec.prefix),
          tensor({ 2, 3 }, range(1, 6)),
          tensor(slices and { 1 } or { 2, 1 }, slices and { 2 } or { 2, 0 }, "i32"), tensor({ 2, 1 }, { 11, 12 }),
          tensor({ 2, 3 }, slices and { 1, 2, 11, 4, 5, 12 } or { 1, 2, 11, 12, 5, 6 }), { axis = -1 })
  example("axis-beyond", "axis is at most the last dimension", tensor({ 2, 3 }),
          tensor(slices and { 1 } or { 2, 1 }, nil, "i32"),
          tensor({ 2, 1 }), tensor({ 2, 3 }), { axis = 2, invalid = id(13) })
end
return { tensor = tensor, example = example }
