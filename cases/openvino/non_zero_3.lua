-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO NonZero-3: the inputs, their zeros and the types of its cases. docs/cases.md describes the language.
local op = operator "openvino.non_zero_3"
local ov = shared()

-- ---- axes: the first value is the default -------------------------------------------------------------------------
op:axis("rank", "dimensions of data") { 2, 0, 1, 3, 4, 5, 6, 7, 8 }
op:axis("dtype", "element type of data") { all.dtypes }
op:axis("out_dtype", "element type of output, which output_type says") { "i64", "i32" }
op:axis("stated", "1: output_type is given; 0: it is absent, and means i64") { 1, 0 }
op:axis("in_layout", "memory layout of data") { all.layouts }
op:axis("out_layout", "whether the strides of output, which is packed, are stated") { "packed", "explicit" }
op:axis("extra", "bytes beyond the least that the tensors need") { 0, 4, 64 }
op:axis("length", "size of the dimension that `long` names") { ov.lengths }
op:axis("long", "the dimension of data that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4 }
op:axis("size", "shape of data, except of the dimension that is `length` long") { 3, 1, 2, 4, 0, 5, 6, 8, per = "rank" }
op:axis("value", "the first eight elements of data, which are repeated") { 1, 0, per = 8 }
op:axis("dims", "dimensions of output") { 2 }
op:axis("more", "added to the shape of output, for a change") { 0, per = "dims" }
op:positions("at", "rank")
op:positions("two", "dims")

op:where("long <= rank")
op:where("stated == 1 or out_dtype == 'i64'")

local type_of_output = { Value = "out_dtype == 'i32' and 1 or 0", Present = "stated" }
op:bind {
  data        = { DataType = "dtype", Sizes = "pick(at == long, length, size)", Layout = "in_layout", Extra = "extra",
                  Data = "value[i % 8 + 1]" },
  output      = { DataType = "out_dtype", Layout = "out_layout", Extra = "extra" },
  output_type = type_of_output,
}

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Elements that there are not keep their default, so that no two cases are equal.
local function few(most, more)
  local where = { "product(size) <= " .. most }
  for k = 1, 8 do where[#where + 1] = ("product(size) >= %d or value[%d] == 1"):format(k, k) end
  return table.move(more or {}, 1, #(more or {}), #where + 1, where)
end

-- Finds a wrong order of elements, rows or dimensions, and faults in the first and the last element.
op:test "exhaustive" {
  "every set of zeros in every small input",
  rank = { 2, 0, 1, 3 }, dtype = "*", out_dtype = "*", stated = "*", size = { 3, 1, 2, 4, 0, 5, 6 }, value = "*",
  where = few(8, {
    "rank <= 2 or each(size <= 3)", "dtype == 'f32' or product(size) <= 6",
    "dtype == 'f32' or out_dtype == 'i64' or product(size) <= 4", "stated == 1 or product(size) <= 4",
  }),
}

op:test "pairwise" {
  "every pair of values of all parameters", vary = "*", strength = 2, rank = { 2, 0, 1, 3, 4, 8 }, length = { 64 },
  long = { 0 }, where = { "rank <= 3 or each(size <= 4)", "rank <= 4 or each(size <= 2)" },
}

-- Finds tails of vectors and grids, counts and indices of 8 and 16 bits, and rows of output that overlap.
op:test "boundary" {
  "one long dimension about each power of two", rank = { 1, 2, 4 }, dtype = "*", out_dtype = "*", length = ov.lengths,
  long = { 1, 2, 3, 4 }, size = { 2, 1 }, value = "*",
  where = {
    "each(at ~= long or size == 2)", "rank <= 2 or sum(size) <= 6",
    "each(value == 1) or value[1] == 0 and value[2] == 1 and value[3] == 0 and value[4] == 0 and value[5] == 1 and " ..
      "value[6] == 1 and value[7] == 0 and value[8] == 1 or each(value == 0) and length <= 129",
    "dtype == 'f32' or length <= 257", "length <= 1025 or sum(size) <= 4",
  },
}

-- Finds wrong addresses of data, and elements between those of data that count.
op:test "layout" {
  "every layout of data", rank = { 2, 1, 3, 4, 8 }, dtype = "*", in_layout = "*", out_layout = "*", out_dtype = "*",
  size = { 3, 2 }, value = "*",
  where = {
    "rank <= 4 or sum(size) <= 17", "rank <= 3 or each(size == 2) or rank == 8",
    "value[1] == 1 and value[4] == 0 and value[6] == 0 and value[7] == 1 and value[8] == 0",
    "dtype == 'f32' or value[2] == 0 and value[3] == 1 and value[5] == 1", "rank <= 3 or out_layout == 'packed'",
  },
}

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements of data gigabytes apart", sparse = true, rank = { 2, 1, 3 }, dtype = "*", out_dtype = "*",
  in_layout = { all.far_layouts }, size = { 3, 1, 2 }, value = "*",
  where = few(6, { "product(size) > 1", "value[1] == 1 or value[2] == 1", "rank <= 2 or each(size <= 2)" }),
}

shared(op)

-- ---- drawn cases --------------------------------------------------------------------------------------------------

-- Any sizes, layouts and zeros: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"      { 2, 0, 1, 3, 4, 5, 6, 7, 8 }
any:axis "dtype"     { all.dtypes }
any:axis "out_dtype" { "i64", "i32" }
any:axis "stated"    { 1, 0 }
any:axis("in_layout", "memory layout of data") { "packed", "strides" }
any:axis("fill", "contents of data") { "zeros", all.fills, "stretches" }
any:axis("in_extra", "bytes beyond the least that data needs") { 0 }
any:axis("out_extra", "bytes beyond the least that output needs") { 0 }
any:axis("size", "shape of data") { 3, per = "rank" }
any:axis("in_stride", "strides of data in memory, where its layout is strides") { 0, per = "rank" }
any:axis("in_base", "where data begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("out_base", "where output begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
local words = { "data", "dtype", "out_dtype", "stated", "in_layout", "in_extra", "size", "in_stride", "out_base",
                "refused",
                "swapped", "others" }
ov.variant_axes(any, words)
any:positions("at", "rank")
any:where("stated == 1 or out_dtype == 'i64'")
any:bind {
  data        = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
                  Extra = "in_extra", Base = "in_base" },
  output      = { DataType = "out_dtype", Extra = "out_extra", Base = "out_base" },
  output_type = type_of_output,
}

-- Finds zeros of one sign, NaNs and denormals that count as zero, and elements of which only a part is read.
any:test "special" {
  "both zeros, denormals, NaNs, infinities, single bits and extreme integers", rank = { 1, 2, 3 }, dtype = "*",
  out_dtype = "*", fill = { "special", "zeros", "bits" }, size = { 3, 1, 2, 5, 7, 17, 33, 64 },
  where = { "rank <= 2 or each(size <= 5)", "fill == 'zeros' or product(size) >= 15", "rank <= 1 or product(size) <= 500",
            "out_dtype == 'i64' or product(size) <= 64" },
}

-- Finds rows and columns that are computed with a reciprocal in single precision: of these lengths it is too small.
any:test "divisors" {
  "rows whose length has no exact reciprocal in single precision", rank = { 2, 3 }, dtype = { "f32", "u8", "i64" },
  fill = { "injective", "zeros" }, size = { 2, 1, 3, 41, 47, 55, 61, 82, 83, 94, 97, 107 },
  where = { "size[rank] > 3", "each(at == rank or size <= 3)" },
}

-- State that is retained between calls must not change results. Only the last call of each case is judged.
for _, c in ipairs(ov.calls) do
  any:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], rank = { 2, 1, 3 }, dtype = { "f32", "u8", "f16", "f64", "bool" },
    out_dtype = "*", fill = { "zeros", "bits" }, size = { 3, 2, 5 },
    where = { "rank <= 2 or each(size <= 3)", "fill == 'zeros' or product(size) >= 6" },
  }
end

local classes = { "dtype", "out_dtype", "stated", "rank" }
local function draw_sized(r, c, size, most)
  local in_stride = r.strides(size, { dtype = c.dtype, shares = true, span = most and most > 4096 and 4294967295 or nil })
  return {
    size = size, fill = r.pick { "zeros", "zeros", "zeros", "bits", "special", "stretches", "injective" },
    in_layout = r.chance(50) and "strides" or "packed", in_stride = in_stride,
    in_extra = r.chance(20) and r.about(0, 65536) or 0, out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_base = r.base(), out_base = r.base(),
  }
end
-- The largest output has as many elements as data in each dimension.
local function draw_any(r, c, most, given)
  local size = given or r.sizes(c.rank, most or math.min(r.elements(), 16384))
  if not given and c.rank > 0 and r.chance(2) then size[r.int(1, c.rank)] = 0 end
  return draw_sized(r, c, size, most)
end

local function drawn(name, title, cases, draw, more)
  local t = { title, each = classes, cases = cases, draw = draw }
  for _, axis in ipairs(classes) do t[axis] = "*" end
  for word, value in pairs(more or {}) do t[word] = value end
  any:test(name)(t)
end
local function draw_planned(r, c, shape)
  if c.rank == 0 then return draw_any(r, c) end
  local size, plan = shape(c.rank)
  local v = draw_sized(r, c, size)
  v.in_layout, v.in_stride = r.copied(size, size, plan, c.dtype)
  v.fill = "zeros"
  return v
end
drawn("drawn", "any sizes, layouts and zeros", { quick = 300, full = 5000, exhaustive = 1000000 },
      function(r, c) return draw_any(r, c) end)
drawn("drawn_after", "the same after calls that differ in one thing", { quick = 200, full = 1000, exhaustive = 100000 },
      ov.after(function(r, c, n)
  local v = draw_any(r, c, n)
  v.fill = r.chance(80) and "zeros" or "bits"
  return v
end, draw_planned, words), { preceded = true })
drawn("drawn_counts", "more than 2^16 of something: rows, batches, elements of a row, elements that are not zero",
      { quick = 1, full = 12, exhaustive = 4000 },
      function(r, c) return draw_any(r, c, nil, r.long_sizes(c.rank, r.about(65530, 70000))) end,
      { rank = { 1, 2, 3, 4, 8 } })
local narrow = { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 3, 4, 5 } }
ov.large_tests(drawn, {
  plain = true, classes = narrow, deep = narrow, large = { dtype = { "u8", "i8" }, rank = { 2, 3 } },
  quick = { rows = 4, cubes = 5 }, full = { rows = 12, cubes = 12, high = 1 }, planned = draw_planned,
})
drawn("drawn_bits", "coordinates of more than 17 to 19 bits", { quick = 2, full = 8, exhaustive = 1000 }, function(r, c)
  local size = {}
  for k = 1, c.rank do size[k] = 1 end
  size[r.int(1, c.rank)] = (1 << r.pick { 18, 18, 18, 17, 19 }) + r.int(1, 8)
  local v = draw_sized(r, c, size)
  v.fill = "zeros"
  return v
end, { dtype = { "u8", "f16", "bool" }, rank = { 1, 2, 3 } })
drawn("drawn_groups", "packed data that tens of groups of threads count, and some places behind the last one",
      { quick = 8, full = 100, exhaustive = 4000 }, function(r, c)
  local v = draw_any(r, c, nil, r.long_sizes(c.rank, r.about(1025, r.chance(80) and 8192 or 40000)))
  v.in_layout, v.fill = "packed", "zeros"
  return v
end, { rank = { 2, 1, 3, 4 } })
drawn("drawn_rows", "rows with a pitch, longer than a group of threads", { quick = 6, full = 60, exhaustive = 4000 },
      function(r, c)
  local size = {}
  for k = 1, c.rank - 1 do size[k] = r.int(1, 4) end
  size[c.rank] = r.about(257, 1100)
  local v, stride = draw_any(r, c, nil, size), 1
  for k = c.rank, 1, -1 do
    v.in_stride[k] = stride
    stride = stride * size[k] + r.int(0, k == c.rank and 9 or 1)
  end
  v.in_layout, v.fill = "strides", "zeros"
  return v
end, { rank = { 2, 3, 4 } })
-- What is not zero depends on the type: the sign of a float does not count. The calls before have type f32.
drawn("drawn_types", "after calls whose elements are floats of the same width",
      { quick = 8, full = 100, exhaustive = 10000 }, function(r, c)
  local v = draw_any(r, c, 4096)
  v.in_layout, v.fill = "strides", "zeros"
  v.before, v.times, v.how, v.which = "dtype", 1, "default", 0
  return v
end, { dtype = { "i32", "u32" }, rank = { 2, 3, 4 }, preceded = true })
drawn("drawn_first", "the first call of a process", { quick = 1, full = 12, exhaustive = 400 },
      function(r, c) return draw_any(r, c, 256) end, { fresh = true })

-- ---- illegal descriptors, and the legal side ----------------------------------------------------------------------
local function drawn_change(clause, name, title, change, alter, ranks)
  local t = { title, name = "drawn-" .. name, each = classes, cases = { quick = 8, full = 200, exhaustive = 10000 },
              change = change,
              draw = function(r, c)
    local v = draw_any(r, c, r.chance(40) and r.about(2, 1 << 40) or nil)
    if alter and alter(r, v, c) == false then return nil end
    return v
  end }
  for _, axis in ipairs(classes) do t[axis] = "*" end
  t.rank = ranks or "*"
  any:invalid(clause)(t)
end
local roomy = "4611686018427387904"
for _, t in ipairs { { "data", "in" }, { "output", "out" } } do
  local tensor, key = t[1], t[2]
  drawn_change("NZ3-01", key, tensor .. " is missing", { [tensor] = { Present = "0" } })
  drawn_change("NZ3-06", key, tensor .. " has no bytes", { [tensor] = { TotalTensorSizeInBytes = "0" } },
               function(_, v) return ov.product(v.size) > 0 end, { 2, 1, 3, 4, 5, 6, 7, 8 })
end
drawn_change("NZ3-02", "data", "data has more dimensions than are judged",
             { data = { DimensionCount = "by", TotalTensorSizeInBytes = roomy } },
             function(r, v) v.by = r.about(9, 4294967295) end)
drawn_change("NZ3-04", "type", "output_type is no type", { output_type = { Value = "by", Present = "1" } },
             function(r, v) v.by = r.about(2, 4294967295) end)
drawn_change("NZ3-05", "output", "output has another type", { output = { DataType = "by" } }, function(r, v, c)
  v.by = r.int(1, 11)
  v.out_extra = 1 << 50
  return v.by ~= (c.out_dtype == "i32" and 6 or 11)
end)
drawn_change("NZ3-07", "rank", "output has not two dimensions",
             { output = { DimensionCount = "by", TotalTensorSizeInBytes = roomy } }, function(r, v)
  v.by = r.chance(50) and r.int(0, 16) or r.about(3, 4294967295)
  return v.by ~= 2
end)

local function drawn_legal(clauses, title, alter, more)
  local t = { title, each = classes, cases = { quick = 4, full = 60, exhaustive = 3000 },
              draw = function(r, c) return alter(r, c) end }
  for _, axis in ipairs(classes) do t[axis] = "*" end
  for word, value in pairs(more or {}) do t[word] = value end
  any:limit(clauses)(t)
end
drawn_legal("NZ3-01 NZ3-03 NZ3-04 NZ3-05 NZ3-08", "a single element", function(r, c)
  local size = {}
  for k = 1, c.rank do size[k] = 1 end
  return draw_sized(r, c, size)
end)
drawn_legal("NZ3-02 NZ3-07", "tensors of up to 2^36 elements", function(r, c)
  local size, long = r.sizes(c.rank, 64), r.int(1, math.max(c.rank, 1))
  if c.rank > 0 then size[long] = r.about(1 << 24, (1 << 36) // (ov.product(size) // size[long])) end
  return draw_sized(r, c, size, 1 << 36)
end, { asked = true })
drawn_legal("NZ3-06", "no byte too many", function(r, c)
  local v = draw_any(r, c)
  v.in_extra, v.out_extra = 0, 0
  return v
end)

-- The complete spaces of illegal tensors: a legal descriptor with a single change, which breaks a single clause.
for _, t in ipairs { { "data", "in" }, { "output", "out" } } do
  local tensor, key = t[1], t[2]
  op:invalid "NZ3-01" { tensor .. " is missing", name = key, rank = { 2, 0, 1 }, dtype = "*", out_dtype = "*",
                        change = { [tensor] = { Present = "0" } } }
  op:invalid "NZ3-01" { tensor .. " has no shape", name = key .. "-shape", dtype = "*", out_dtype = "*",
                        change = { [tensor] = { Null = null.sizes } } }
  op:invalid "NZ3-06" { tensor .. " does not fit into its bytes", name = key, rank = { 2, 3 }, dtype = "*",
                        out_dtype = "*", size = { 3, 2 }, where = "each(size == 2)",
                        change = { [tensor] = { Extra = "-4" } } }
  op:invalid "NZ3-06" { tensor .. " has no bytes", name = key .. "-none", rank = { 2, 1, 8 }, dtype = "*",
                        out_dtype = "*", size = { 3, 1 }, where = "each(size == size[1])",
                        change = { [tensor] = { TotalTensorSizeInBytes = "0" } } }
end
op:invalid "NZ3-02" { "data has more dimensions than are judged", name = "rank", dtype = "*",
                      by = { 9, 10, 16, 17, 255, 4294967295 },
                      change = { data = { DimensionCount = "by", TotalTensorSizeInBytes = "65536" } } }
op:invalid "NZ3-02" {
  "a dimension has 2^63 elements or more", name = "vast", rank = { 2, 1 }, dtype = "*", broken = { 1, 2 },
  by = { math.mininteger, -1 }, where = ov.within,
  change = { data = { Sizes = ov.changed("by", "size"), Strides = "0 * size", TotalTensorSizeInBytes = "65536" } },
}
op:invalid "NZ3-02" {
  "all dimensions together have 2^64 elements or more", name = "all", rank = { 2, 3 }, dtype = "*", size = { 1 },
  by = { 4294967296, 4611686018427387904, math.maxinteger },
  change = { data = { Sizes = "0 * size + by", Strides = "0 * size", TotalTensorSizeInBytes = "65536" } },
}
op:invalid "NZ3-03" { "a type of data that has no whole bytes, or does not exist", rank = { 2, 0 }, out_dtype = "*",
                      by = { 0, 12, 13, 16, 255, 4294967295 },
                      change = { data = { DataType = "by", TotalTensorSizeInBytes = "65536" } } }
op:invalid "NZ3-04" { "output_type is no type", rank = { 2, 0 }, dtype = "*", out_dtype = "*",
                      by = { 2, 3, 6, 11, 255, 256, 65536, 2147483648, 4294967295 },
                      change = { output_type = { Value = "by" } } }
op:invalid "NZ3-05" { "output does not have the type output_type", name = "output", dtype = "*", out_dtype = "*",
                      stated = "*", by = { range(1, 11), 14, 15 },
                      where = "by ~= (out_dtype == 'i32' and 6 or 11)",
                      change = { output = { DataType = "by", TotalTensorSizeInBytes = "65536" } } }
op:invalid "NZ3-05" { "a type of output that does not exist", name = "unknown", dtype = "*", out_dtype = "*",
                      by = { 0, 12, 13, 16, 255, 4294967295 },
                      change = { output = { DataType = "by", TotalTensorSizeInBytes = "65536" } } }
op:invalid "NZ3-07" { "output has not two dimensions", name = "rank", rank = { 2, 0, 1 }, dtype = "*", out_dtype = "*",
                      by = { 0, 1, 3, 4, 9, 16, 17, 255, 4294967295 },
                      change = { output = { DimensionCount = "by", TotalTensorSizeInBytes = "65536" } } }
for k, right in ipairs { "rank", "product(size)" } do
  local wrong = ("pick(two == %d, %s + by, pick(two == 1, rank, product(size)))"):format(k, right)
  op:invalid "NZ3-07" {
    "output has another size than the largest in dimension " .. k - 1, name = "size" .. k, rank = { 2, 0, 1, 3 },
    dtype = "*", out_dtype = "*", size = { 3, 1, 0 }, by = { 1, -1, 65536, 4294967296 },
    where = { right .. " + by >= 0", "rank <= 2 or each(size == 3)" }, change = { output = { Sizes = wrong } },
  }
end
-- Sizes that are wrong as well do not count.
op:invalid "NZ3-07" {
  "output has not two dimensions, and other sizes", name = "other", rank = { 1, 3, 4 }, dtype = "*", out_dtype = "*",
  size = { 3, 2 }, by = { 7, 2 }, where = "each(size == 3)", change = { output = { Sizes = "0 * size + by" } },
}
op:invalid "NZ3-08" {
  "the rows or elements of output have a gap, or overlap", rank = { 2, 1, 3 }, dtype = "*", out_dtype = "*",
  size = { 3, 1, 2 }, broken = { 1, 2 }, by = { 1, -1, 5, 4294967296 },
  where = { "product(size) > 1", "rank <= 2 or each(size == 2)" },
  change = { output = { Strides = ov.changed("pick(two == 1, product(size), 1) + by",
                                             "pick(two == 1, product(size), 1)", "two"),
                        TotalTensorSizeInBytes = roomy } },
}

-- ---- the page's example, and the smallest cases of our decisions --------------------------------------------------
local function example(name, note, shape, data, found, more)
  local def = { note = note, data = { type = "i32", shape = shape, data = data },
                output = { type = "i64", data = found } }
  for word, value in pairs(more or {}) do
    if word == "dtype" then def.data.type = value else def[word] = value end
  end
  op:example(name)(def)
end
example("page", "the example of the page", { 2, 2 }, { 1, 0, 1, 1 }, { 0, 1, 1, 0, 0, 1 })
example("i32", "output_type i32", { 2, 2 }, { 1, 0, 1, 1 }, { 0, 1, 1, 0, 0, 1 },
        { dtype = "u8", output_type = 1, output = { type = "i32", data = { 0, 1, 1, 0, 0, 1 } } })
example("none", "no element that is not zero: the output has a shape of [2, 0]", { 2, 2 }, { 0, 0, 0, 0 }, {})
example("all", "every element: the largest output", { 2, 2 }, { 1, 1, 1, 1 }, { 0, 0, 1, 1, 0, 1, 0, 1 })
example("three-dims", "an element has an index in each dimension", { 2, 1, 3 }, { 0, 0, 1, 1, 0, 0 },
        { 0, 1, 0, 0, 2, 0 })
example("scalar", "a scalar that is not zero: no row, and one column (E-NZ3-1)", {}, { 1 }, {})
example("scalar-zero", "a scalar that is zero (E-NZ3-1)", {}, { 0 }, {})
example("empty", "data without elements (E-NZ3-2)", { 2, 0, 3 }, {}, {})
example("single", "a single element in four dimensions has four indices", { 1, 1, 1, 1 }, { 5 }, { 0, 0, 0, 0 })
example("zeros", "both zeros of a float type are zero (NZ3-10)", { 4 }, { -0.0, 0.0, 1, -0.0 }, { 2 }, { dtype = "f32" })
example("negative", "a negative element is not zero", { 3 }, { 0, -1, 0 }, { 1 })
example("sign", "an integer of which only the sign is set is not zero (NZ3-10)", { 3 }, { 0, -2147483648, 0 }, { 1 })
