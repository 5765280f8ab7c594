-- SPDX-License-Identifier: Apache-2.0
-- DML_SLICE1: the windows, strides and output sizes of its cases. docs/cases.md describes the language.
local op = operator "dml.slice1"

-- ---- axes: the first value is the default, and all defaults together are a plain copy -----------------------------
op:axis("rank", "DimensionCount of both tensors") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("dtype", "DataType of both tensors") { all.dtypes }
op:axis("length", "size of the dimension that `long` names")
  { 64, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 65535,
    65536, 65537, 262144, 4194304 }
op:axis("long", "the dimension that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4, 5, 6, 7, 8 }
op:axis("in_layout", "memory layout (Strides) of InputTensor") { all.layouts }
op:axis("out_layout", "memory layout (Strides) of OutputTensor") { all.output_layouts }
op:axis("fill", "contents of InputTensor") { all.fills }
op:axis("extra", "bytes of TotalTensorSizeInBytes beyond the least, of both tensors") { 0, 4, 3, 64 }
op:axis("alignment", "GuaranteedBaseOffsetAlignment of both tensors") { 0, 16, 32, 256 }
op:axis("size", "Sizes of InputTensor, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 5, 6, 7, 8, 17, 33, per = "rank" }
op:axis("offset", "InputWindowOffsets: elements before the window") { 0, 1, 2, 3, 4, 5, 6, per = "rank" }
op:axis("rest", "elements behind the window, which give InputWindowSizes") { 0, 1, 2, 3, 4, 5, 6, per = "rank" }
op:axis("stride", "InputWindowStrides: the distance of two elements, negative to read from the window's end")
  { 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 7, -7, 2147483647, -2147483647, -2147483648, per = "rank" }
op:axis("crop", "elements that the window and stride reach and OutputTensor leaves out")
  { 0, 1, 2, 3, 4, 5, 6, per = "rank" }

op:positions("at", "rank")                                         -- 1, 2, 3, ...

-- Predicates use the `size` of a long dimension, which is smaller than its length: they read vectors only and cost nothing.
local dim, window = "pick(at == long, length, size)", "(size - offset - rest)"
op:where("each(offset + rest < size)")                             -- SL-05, SL-06
op:where("each(crop <= (" .. window .. " - 1) // abs(stride))")    -- SL-08
op:where("long <= rank")

op:bind {
  InputTensor  = { DataType = "dtype", Sizes = dim, Layout = "in_layout", Fill = "fill", Extra = "extra",
                   Alignment = "alignment" },
  OutputTensor = { Sizes = "(" .. dim .. " - offset - rest - 1) // abs(stride) + 1 - crop", Layout = "out_layout",
                   Extra = "extra", Alignment = "alignment" },
  InputWindowOffsets = "offset",
  InputWindowSizes   = dim .. " - offset - rest",
  InputWindowStrides = "stride",
}

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds index arithmetic that is wrong for some window, sign, remainder or cropped output, per dimension and between two
-- dimensions that an implementation merges. Complete for small tensors; the more dimensions, the smaller the sizes.
op:test "exhaustive" {
  "every window, stride and output size of small tensors, with every data type",
  rank = "*", dtype = "*", size = { 3, 1, 2, 4, 5, 6, 7 }, offset = "*", rest = "*", crop = "*",
  stride = { 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 7, -7 },
  where = {
    "rank == 1 or each(size <= 4 and abs(stride) <= 4)",
    "rank <= 2 or each(size <= 3 and abs(stride) <= 2 and (" .. window .. " ~= 1 or abs(stride) == 1))",
    "rank <= 3 or each(abs(stride) == 1 and (" .. window .. " ~= 1 or stride == 1) and crop <= 1)",
    "rank <= 3 or each(offset + rest <= 1 and max(size, 2) + offset + rest <= 3)",
    "rank <= 4 or each(size <= 2)",
    "rank <= 5 or each(offset + rest + crop == 0)",
  },
}

-- The same with sizes up to 6 at two and three dimensions: for several machines.
op:test "wide" {
  "every window, stride and output size of tensors up to 6 elements a side",
  tier = "exhaustive",
  rank = { 1, 2, 3, 4 }, dtype = "*", size = { 3, 1, 2, 4, 5, 6 }, offset = "*", rest = "*", crop = "*",
  stride = { 1, -1, 2, -2, 3, -3, 4, -4, 5, -5 },
  where = {
    "rank <= 2 or each(size <= 5 and abs(stride) <= 3)",
    "rank <= 3 or each(size <= 3 and abs(stride) <= 2)",
  },
}

-- Finds faults that need two parameters at once, at every number of dimensions: a layout and a sign, a type and a tail.
op:test "pairwise" {
  "every pair of values of all parameters",
  vary = "*", strength = 2,
  length = { 64 }, long = { 0 }, stride = { 1, -1, 2, -2, 3, -3, 7, 2147483647, -2147483648 },
  where = {
    "rank <= 2 or each(size <= 8)",
    "rank <= 3 or each(size <= 5)",
    "rank <= 4 or each(size <= 3)",
    "rank <= 6 or each(size <= 2)",
  },
}

-- Finds sizes, windows and strides that are read as signed or added in 32 bits. All elements share one address, so that
-- little memory is touched.
op:test "vast" {
  "windows of 2^31 to 2^32 - 1 elements that share one address", vast = true,
  rank = { 1 }, long = { 1 }, dtype = "*", length = { 4294967295, 2147483648, 2147483649 }, in_layout = { "broadcast-all" },
  stride = { 1431655765, -1431655765, 2147483647, -2147483647, -2147483648 }, offset = { 0, 1 }, rest = { 0, 1 },
}

-- Finds faults in the tails of vector loops, thread groups and tiles: one dimension about a power of two long, at every place, forward
-- and backward; strides at the ends of int32, whose negation or product overflows; a few tensors of 1 and 16 MiB,
-- where 16-bit counters and grid limits end.
op:test "boundary" {
  "one long dimension about each power of two, and extreme strides",
  rank = { 4, 1, 2, 5, 8 }, dtype = "*", length = "*", long = range(1, 8), size = { 3, 1, 2 },
  offset = { 0, 1 }, rest = { 0, 1 }, crop = { 0, 1 },
  stride = { 1, -1, 2, -3, 7, 2147483647, -2147483648 },
  where = {
    "each((size == 3) == (at == long))",                     -- the long dimension is offset, cut and strided,
    "each(size == 3 or stride == 1 and offset + rest + crop == 0)", -- no other is,
    "rank <= 2 or each(size ~= 2)",                          -- and they are 1, up to two dimensions also 2
    "each(rest <= offset)", "each(crop <= rest)",
    "length <= 1025 or rank <= 2 and dtype == 'f32' or rank == 1 and dtype == 'u8'",
    "length <= 1025 or product(size) == 3 and sum(offset) + sum(crop) == 0 and abs(sum(stride)) <= 3 + rank",
    "length <= 262144 or rank == 1",
  },
}

-- Finds wrong addresses: every memory layout of the input with every memory layout of the output.
op:test "layout" {
  "every pair of memory layouts",
  rank = "*", dtype = "*", in_layout = "*", out_layout = "*",
  size = { 3, 1, 2 }, offset = { 0, 1 }, stride = { 1, -2 },
  where = {
    "each(offset <= size - 1)", "each(size == 3 or stride == 1)", "each(offset <= size // 2)",
    "rank <= 2 or each(offset == 0 and (size ~= 3 or stride == -2))",
    "rank <= 3 or each(size <= 2)",
    "rank <= 5 or dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'f64'",
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
    rank = { 4, 1, 2, 3, 8 }, in_layout = { "packed", "padded" }, size = { 3, 2 }, offset = { 0, 1 }, stride = { 1, -1, 2 },
    crop = { 0, 1 },
    where = { "rank <= 2 or each(size == 3 and crop == 0 and abs(stride) == 1)",
              "rank <= 3 or each(offset == 0 and (at == 1 or stride == 1))" },
  }
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in the input, the output or both", sparse = true, strength = 3,
  rank = { 4, 1, 2, 3, 8 }, dtype = "*", fill = { "bits" }, in_layout = { "packed", "far-bytes", "far-elements", "far-inner" },
  out_layout = { "packed", "far-bytes", "far-elements", "far-inner" }, size = { 3, 1, 2 }, offset = { 0, 1, 2 },
  stride = { 1, -1, 2, -2 },
  where = {
    "product(size) > 1 and product(size) <= 9",                        -- BUF-11: 2^32 - 1 elements are the most
    "dtype ~= 'u8' and dtype ~= 'i8' or in_layout ~= 'far-bytes' and out_layout ~= 'far-bytes'", -- as far-elements
    "in_layout ~= 'packed' or out_layout ~= 'packed'",
    "rank <= 3 or each(size == pick(at == 1, 3, pick(at == rank, 2, 1)) and offset == 0 and abs(stride) == 1)",
    "rank <= 1 or each(abs(stride) <= 1) or each(offset == 0)", "each(size ~= 1 or stride == 1)",
    "rank <= 2 or dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'f64'",
  },
}

-- NaN payloads, signs of zero, denormals and integer extremes must be copied bit for bit (SL-11). Only this test finds a
-- conversion through float, or a flush of denormals.
op:test "special" {
  "special values and random bits are copied unchanged",
  rank = { 4, 1, 2, 3, 5, 8 }, dtype = "*", fill = { "special", "bits" }, in_layout = { "packed", "padded" },
  size = { 3, 1, 2, 4, 17, 33 }, offset = { 0, 1 }, stride = { 1, -1, 2, -3 },
  where = {
    "each(offset < size)",
    "rank <= 2 or each(size <= 4 and size >= 2 and abs(stride) == 1)",
    "rank <= 3 or each(size <= 3 and offset <= 0)",
    "rank <= 4 or each(size <= 2)",
    "rank <= 5 or each(stride == -1)",
  },
}

local dml = shared(op)

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, windows, strides and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"       { 4, 1, 2, 3, 5, 6, 7, 8 }
any:axis "dtype"      { all.dtypes }
any:axis "in_layout"  { "packed", "strides" }
any:axis "out_layout" { "packed", "strides" }
any:axis "fill"       { all.fills, "stretches" }
any:axis("in_extra", "bytes of TotalTensorSizeInBytes beyond the least, of InputTensor") { 0 }
any:axis("out_extra", "bytes of TotalTensorSizeInBytes beyond the least, of OutputTensor") { 0 }
any:axis "alignment"  { 0 }
any:axis("size", "Sizes of InputTensor") { 3, per = "rank" }
any:axis "offset"     { 0, per = "rank" }
any:axis("window", "InputWindowSizes") { 3, per = "rank" }
any:axis "stride"     { 1, per = "rank" }
any:axis("out_size", "Sizes of OutputTensor") { 3, per = "rank" }
any:axis("in_stride", "Strides of InputTensor, where its layout is strides") { 0, per = "rank" }
any:axis("out_stride", "Strides of OutputTensor, where its layout is strides") { 0, per = "rank" }
any:axis("in_base", "where InputTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("out_base", "where OutputTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("in_flags", "Flags of InputTensor") { 0 }

-- The axes that are at their default in the calls before a case of drawn_after, one at a time.
local words = { "data", "dtype", "in_layout", "out_layout", "in_extra", "out_extra", "alignment", "size", "offset", "window",
                "stride", "out_size", "in_stride", "out_stride" }
dml.change_axes(any, words)
any:where("product(size) <= 4294967295")          -- BUF-11
any:bind {
  InputTensor  = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
                   Extra = "in_extra", Alignment = "alignment", Base = "in_base", Flags = "in_flags" },
  OutputTensor = { Sizes = "out_size", Layout = "out_layout", Strides = "out_stride", Extra = "out_extra",
                   Alignment = "alignment", Base = "out_base" },
  InputWindowOffsets = "offset",
  InputWindowSizes   = "window",
  InputWindowStrides = "stride",
}

-- A stride of the window; `least` is the smallest magnitude.
local function draw_step(r, w, least)
  if r.chance(3) then return r.pick { 2147483647, -2147483647, -2147483648 } end
  local step = least > 1 and r.about(least, 2147483647) or r.chance(55) and 1 or
               r.chance(50) and r.int(1, 4) or r.about(1, math.min(w + 1, 2147483647))
  if least <= 1 and w > 8 and r.chance(5) then -- long, of a few elements
    step = math.min(w // r.int(2, 6), 2147483647)
  end
  return r.chance(35) and -step or step
end

-- The window, its stride and the output's size in a dimension of `size` elements. The output has at most `most`.
-- `whole` in 100 windows are the whole dimension.
local function draw_window(r, size, most, whole)
  local window = r.chance(whole) and size or r.about(1, size)
  local offset = r.chance(40) and r.pick { 0, size - window } or r.about(0, size - window)
  local stride = draw_step(r, window, (window - 1) // most + 1)
  local reach = (window - 1) // math.abs(stride) + 1
  return offset, window, stride, r.chance(15) and r.about(1, reach) or reach
end

-- A number of one dimension that equals one of another: its size, or a part of it.
local function borrow(r, list, low, high, otherwise)
  local value = r.pick(list)
  return r.chance(8) and value >= low and value <= high and value or otherwise
end

-- Almost all of a dimension; with `steps`, in steps of 2 to 4.
local function draw_whole(r, size, steps, backwards)
  local window = r.chance(65) and size or size - r.int(0, math.min(3, size - 1))
  local stride = steps and r.int(2, 4) or 1
  return r.int(0, size - window), window, backwards and -stride or stride, (window - 1) // stride + 1
end

-- With a plan the windows leave most of its structure.
local function draw_slice(r, c, size, most, whole, plan)
  local offset, window, stride, out_size, reach = {}, {}, {}, {}, whole and 33554432 or 65536
  local forwards, all = r.chance(50), dml.product(size) <= 65536 and r.chance(4)
  for k = 1, c.rank do
    if plan then
      offset[k], window[k], stride[k], out_size[k] = draw_whole(r, size[k], r.chance(8), not forwards and r.chance(50))
    elseif all then
      offset[k], window[k], stride[k], out_size[k] = 0, size[k], 1, size[k]
    else
      offset[k], window[k], stride[k], out_size[k] =
        draw_window(r, size[k], most and 4294967295 or size[k] > 1048576 and not whole and 64 or reach,
                    whole or 40)
      offset[k] = borrow(r, size, 0, size[k] - window[k], offset[k])
    end
  end
  local in_stride = r.strides(size, dml.strided(most, c.dtype, true))
  local v = dml.places(r, {
    size = size, offset = offset, window = window, stride = stride, out_size = out_size,
    fill = r.pick { "bits", "bits", "injective", "special", "stretches" }, alignment = r.chance(10) and 16 << r.int(0, 12) or 0,
    in_extra = r.chance(20) and r.about(0, 65536) or 0, out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_layout = r.chance(65) and "strides" or "packed", out_layout = r.chance(65) and "strides" or "packed",
    in_stride = in_stride, out_stride = r.strides(out_size, dml.strided(most, c.dtype, false, in_stride)),
    in_flags = r.chance(3) and 1 or 0,
  }, "in", "out")
  if plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(size, out_size, plan, c.dtype) end
  return v
end

local classes = { "dtype", "rank" }
local function draw_planned(r, c, shape)
  local size, plan = shape(c.rank)
  return draw_slice(r, c, size, nil, 80, plan)
end
local function draw_any(r, c, most, given)
  if not most and not given and r.chance(dml.planned) then return draw_planned(r, c, r.tiles) end
  return draw_slice(r, c, given or r.sizes(c.rank, most or r.elements()), most and most > 65536 and most, given and 80)
end

any:test "drawn" {
  "any sizes, windows, strides and layouts", each = classes, dtype = "*", rank = "*",
  cases = { quick = 1400, full = 20000, exhaustive = 1000000 }, draw = draw_any,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", rank = "*",
  cases = { quick = 320, full = 3000, exhaustive = 100000 }, draw = dml.after(draw_any, draw_planned, words),
}

any:test "drawn_sparse" {
  "elements up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", rank = "*",
  cases = { quick = 40, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    local v = draw_slice(r, c, dml.few(r, c.rank))
    v.fill, v.in_stride, v.out_stride = "bits", r.strides(v.size, {}), r.strides(v.out_size, {})
    return dml.spread(r, v, { "in", v.size, "out", v.out_size }) and v or nil
  end,
}

-- The limits of the tensors are in shared.lua. Finds wrong refusals of what few descriptors have, and wrong acceptance.
local tensors = {
  InputTensor = { key = "in", sizes = "size", strides = "in_stride", alignment = "alignment" },
  OutputTensor = { key = "out", sizes = "out_size", strides = "out_stride", alignment = "alignment", output = true },
}
local breaks = dml.illegal(any, { each = classes, draw = draw_any })
local holds = dml.legal(any, { each = classes, draw = draw_any })
for _, name in ipairs { "InputTensor", "OutputTensor" } do
  local t = tensors[name]
  dml.illegal_buffer(breaks, name, t)
  dml.legal_buffer(holds, name, t)
  breaks("SL-02", t.key, name .. " is a null pointer", { [name] = { Present = "0" } })
  breaks("SL-03", t.key, name .. " alone has fewer dimensions", { [name] = { DimensionCount = "rank - by" } },
         function(r, v, c) v.by = r.int(1, c.rank - 1) end, { rank = range(2, 8) })
  dml.one_leading(breaks, "SL-03", name, t)
  breaks("SL-04", t.key, name .. " alone has another type", { [name] = { DataType = "by" } }, function(r, v, c)
    v.by = r.int(1, 8) -- the types without 64 bits
    if v.by == ({ f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8 })[c.dtype] then return false end
    v[t.key .. "_extra"] = 34359738368
  end)
end
for _, list in ipairs { "InputWindowOffsets", "InputWindowSizes", "InputWindowStrides" } do
  breaks("SL-02", list, list .. " is a null pointer", { [list] = { Present = "0" } })
end
breaks("BUF-05", "dims", "no dimensions, or more than eight", {
  InputTensor = dml.no_dims, OutputTensor = dml.no_dims, DimensionCount = "by", InputWindowOffsets = "0 * sixteen",
  InputWindowSizes = "sixteen", InputWindowStrides = "sixteen",
}, dml.draw_no_dims)
breaks("BUF-02", "type", "DataType is none of DirectML's",
       { InputTensor = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" },
         OutputTensor = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" } },
       function(r, v) v.by = r.about(14, 4294967295) end)
breaks("BUF-21", "sizes", "more than 2^32 - 1 elements, some of which share addresses", {
  InputTensor = { Sizes = "pick(at == broken, by, size)", Strides = "pick(at == broken, 0, in_stride)" },
}, function(r, v, c)
  v.broken = r.int(1, c.rank)
  local least = 4294967295 // (dml.product(v.size) // v.size[v.broken]) + 1
  if least > 4294967295 then return false end
  v.by = r.about(math.max(least, v.size[v.broken]), 4294967295)
end, { rank = range(2, 8) })
breaks("SL-05", "end", "the window ends beyond the input",
       { InputWindowOffsets = "pick(at == broken, size - window + by, offset)" }, function(r, v, c)
  v.broken = r.int(1, c.rank)
  v.by = r.about(1, 4294967295 - v.size[v.broken] + v.window[v.broken])
end)
breaks("SL-06", "empty", "the window is empty", { InputWindowSizes = "pick(at == broken, 0, window)" },
       function(r, v, c) v.broken = r.int(1, c.rank) end)
breaks("SL-07", "zero", "the stride is 0", { InputWindowStrides = "pick(at == broken, 0, stride)" },
       function(r, v, c) v.broken = r.int(1, c.rank) end)
breaks("SL-08", "large", "the output has more elements than the window", { InputTensor = {} }, function(r, v, c)
  local k = r.int(1, c.rank)
  local most = 4294967295 // (dml.product(v.out_size) // v.out_size[k])
  local reach = (v.window[k] - 1) // math.abs(v.stride[k]) + 1
  if most <= reach then return false end
  v.out_size[k] = r.about(reach + 1, most)
  v.out_stride = r.strides(v.out_size, { dtype = c.dtype, span = dml.most_elements(c.dtype) })
end, { where = "any(out_size > (window - 1) // abs(stride) + 1)" })
-- Finds a count that is rounded up where it has to be rounded down.
breaks("SL-08", "one", "the output has one element more than steps of 3 and more leave", { InputTensor = {} },
       function(r, v, c)
  local k = r.int(1, c.rank)
  v.stride[k] = r.pick { 1, -1 } * r.int(3, math.max(3, math.min(v.window[k] // 2, 1000)))
  local reach = (v.window[k] - 1) // math.abs(v.stride[k]) + 1
  if dml.product(v.out_size) // v.out_size[k] * (reach + 1) > 4294967295 then return false end
  v.out_size[k] = reach + 1
  v.out_stride = r.strides(v.out_size, { dtype = c.dtype, span = 4294967295 })
end, { where = "any(out_size > (window - 1) // abs(stride) + 1)" })

-- Move the window of dimension k to the end of the input, or let it be the whole input.
local function last_window(r, v, k)
  if r.chance(30) then v.window[k] = v.size[k] end
  v.offset[k] = v.size[k] - v.window[k]
end
local function whole_reach(v)
  for k = 1, #v.size do v.out_size[k] = (v.window[k] - 1) // math.abs(v.stride[k]) + 1 end
end
holds("SL-05", nil, "windows that end with the input, up to 2^32 - 1 elements", function(r, v, c)
  for k = 1, c.rank do last_window(r, v, k) end
  for k = 1, c.rank do v.out_size[k] = 1 end
end, { asked = true })
holds("SL-05", "executed", "windows that end with the input", function(r, v, c)
  for k = 1, c.rank do last_window(r, v, k) end
  whole_reach(v)
  v.out_stride = r.strides(v.out_size, { dtype = c.dtype })
end)
holds("SL-06", nil, "windows of one element", function(r, v, c)
  local k = r.int(1, c.rank)
  v.window[k], v.offset[k], v.out_size[k] = 1, r.pick { 0, v.size[k] - 1, v.offset[k] }, 1
end)
holds("SL-07", nil, "the largest and the smallest strides of both signs", function(r, v, c)
  local k = r.int(1, c.rank)
  v.stride[k] = r.pick { 1, -1, 2147483647, -2147483647, -2147483648 }
  whole_reach(v)
  v.out_stride = r.strides(v.out_size, { dtype = c.dtype })
end)
holds("SL-08", nil, "as many elements as the window has, up to 2^32 - 1", function(r, v, c)
  whole_reach(v)
  v.out_stride = r.strides(v.out_size, { dtype = c.dtype, span = dml.most_elements(c.dtype) })
end, { asked = true })
holds("BUF-11 BUF-21", "sizes", "inputs and outputs of 2^32 - 1 elements", function(r, v, c)
  v.size = dml.largest_sizes(r, c.rank, c.dtype)
  v.in_stride = r.strides(v.size, { dtype = c.dtype, shares = true, span = dml.most_elements(c.dtype) })
  for k = 1, c.rank do v.offset[k], v.window[k], v.stride[k] = 0, v.size[k], r.pick { 1, -1 } end
  whole_reach(v)
  v.out_layout = "packed"
end, { asked = true })
holds("BUF-01 BUF-02 BUF-05 BUF-06 SL-02 SL-03 SL-04", nil, "sizes of 1, and strides without effect", function(r, v, c)
  for k = 1, c.rank do v.size[k], v.offset[k], v.window[k], v.out_size[k] = 1, 0, 1, 1 end
  v.in_stride, v.out_stride = r.strides(v.size, { shares = true }), r.strides(v.size, {})
end)

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
dml.count_tests(any, {
  each = classes, draw = draw_any, planned = draw_planned, grids = dml.narrow({ 3, 4, 2, 5, 8 }),
  large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 3, 4, 2 } },
})

any:test "drawn_vast" {
  "windows of up to 2^32 - 1 elements that share one address", vast = true, each = classes, dtype = "*", rank = "*",
  cases = { quick = 100, full = 2000, exhaustive = 100000 },
  draw = function(r, c)
    local size = r.sizes(c.rank, 256)
    local long = r.int(1, c.rank)
    size[long] = 1
    local others = dml.product(size)
    local strides = r.strides(size, { dtype = c.dtype, shares = true })
    size[long], strides[long] = r.about(2097152, 4294967295 // others), 0
    local v = draw_slice(r, c, size)
    v.in_layout, v.in_stride = "strides", strides
    return v
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
op:invalid "BUF-02" {
  "DataType is none of DirectML's", rank = "*", dtype = "*", by = { 0, 14, 15, 16, 255, 4294967295 },
  change = { InputTensor = { DataType = "by", TotalTensorSizeInBytes = "65536" },
             OutputTensor = { DataType = "by", TotalTensorSizeInBytes = "65536" } },
}
op:invalid "SL-04" {
  "types that DirectML has and the operator does not support", name = "four-bit", rank = "*", dtype = "*", by = { 12, 13 },
  from = "6_3", change = { InputTensor = { DataType = "by", TotalTensorSizeInBytes = "65536" },
                           OutputTensor = { DataType = "by", TotalTensorSizeInBytes = "65536" } },
}
op:invalid "BUF-05" {
  "no dimensions", name = "none", rank = "*", dtype = "*",
  change = { InputTensor = { DimensionCount = "0", TotalTensorSizeInBytes = "65537" },
             OutputTensor = { DimensionCount = "0", TotalTensorSizeInBytes = "65537" }, DimensionCount = "0" },
}
op:invalid "BUF-05" {
  "nine dimensions", name = "nine", rank = "*", dtype = "*",
  change = { InputTensor = { Sizes = "nine" }, OutputTensor = { Sizes = "nine" }, DimensionCount = "9",
             InputWindowOffsets = "0 * nine", InputWindowSizes = "nine", InputWindowStrides = "nine" },
}
op:invalid "BUF-05" {
  "more dimensions than a tensor can hold", name = "many", rank = "*", dtype = "*",
  by = { 16, 17, 255, 2147483649, 4294967295 },
  change = { InputTensor = { Sizes = "sixteen", DimensionCount = "by", TotalTensorSizeInBytes = "65537" },
             OutputTensor = { Sizes = "sixteen", DimensionCount = "by", TotalTensorSizeInBytes = "65537" },
             DimensionCount = "by", InputWindowOffsets = "0 * sixteen", InputWindowSizes = "sixteen",
             InputWindowStrides = "sixteen" },
}
dml.too_many {
  "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = "*", dtype = "*",
  by = { 65536, 131071, 4294967295 }, where = "rank >= 2", change = { InputTensor = { Sizes = "by + 0 * size" } },
}
for _, t in ipairs { { "InputTensor", "in" }, { "OutputTensor", "out" } } do
  local tensor, name = t[1], t[2]
  op:invalid "SL-02" {
    tensor .. " is a null pointer", name = name, rank = "*", dtype = "*", change = { [tensor] = { Present = "0" } },
  }
  op:invalid "SL-03" {
    tensor .. " alone has fewer dimensions", name = name, rank = "*", dtype = "*", by = range(1, 7), where = "by < rank",
    change = { [tensor] = { DimensionCount = "rank - by" } },
  }
end
op:invalid "SL-02" {
  "InputWindowOffsets is a null pointer", name = "offsets", rank = "*", dtype = "*",
  change = { InputWindowOffsets = { Present = "0" } },
}
op:invalid "SL-02" {
  "InputWindowSizes is a null pointer", name = "sizes", rank = "*", dtype = "*",
  change = { InputWindowSizes = { Present = "0" } },
}
op:invalid "SL-02" {
  "InputWindowStrides is a null pointer", name = "strides", rank = "*", dtype = "*",
  change = { InputWindowStrides = { Present = "0" } },
}
op:invalid "SL-03" {
  "DimensionCount differs from the tensors'", rank = { 4, 5, 6, 7, 8 }, dtype = "*", by = { 1 },
  change = { DimensionCount = "rank - by" },
}
for _, t in ipairs { { "InputTensor", "OutputTensor", "in" }, { "OutputTensor", "InputTensor", "out" } } do
  op:invalid "SL-03" {
    t[1] .. " alone has more dimensions; no window is looked at", name = t[3] .. "-more", rank = range(2, 8), dtype = "*",
    change = { [t[2]] = { DimensionCount = "rank - 1" }, DimensionCount = "rank - 1", InputWindowSizes = "0 * size" },
  }
end
op:invalid "SL-04" {
  "the output has another data type", rank = "*", dtype = "*", other = { all.dtypes }, where = fits,
  change = { OutputTensor = { DataType = "other" } },
}
op:invalid "SL-05" {
  "the window ends beyond the input", name = "end", rank = "*", dtype = "*", broken = range(1, 8), offset = { 0, 1 },
  by = { 1, 2, 3, 4, 7, 65536, 2147483647, 4294967294 },
  change = { InputWindowOffsets = changed("offset + rest + by", "offset") },
  where = { inside, "each(offset == 0) or rank <= 2" },
}
op:invalid "SL-06" {
  "the window is empty", rank = "*", dtype = "*", broken = range(1, 8), offset = { 0, 1 },
  change = { InputWindowSizes = changed("0", window) },
  where = { inside, "each(offset == 0) or rank <= 2" },
}
op:invalid "SL-07" {
  "the stride is 0", rank = "*", dtype = "*", broken = range(1, 8), offset = { 0, 1 }, in_layout = { "packed", "padded" },
  change = { InputWindowStrides = changed("0", "stride") }, where = { inside, "each(offset == 0) or rank <= 2" },
}
op:invalid "SL-08" {
  "the output is larger than a window of 2^31 elements or more", name = "wide", rank = { 1 }, long = { 1 }, dtype = { "u8", "i8" },
  length = { 4294967295, 2147483648, 2147483649 }, in_layout = { "broadcast-all" }, rest = { 1 }, by = { 1 },
  change = { OutputTensor = { Sizes = "length - rest + 1 + 0 * size", TotalTensorSizeInBytes = "4294967296" } },
}
op:invalid "SL-08" {
  "the output has more elements than the window", rank = "*", dtype = "*", broken = range(1, 8),
  stride = { 1, -1, 2, -2 }, by = { 1, 2, 65536 },
  change = { OutputTensor = { Sizes = changed("(size - 1) // abs(stride) + 1 + by", "(size - 1) // abs(stride) + 1") } },
  where = { inside, "rank <= 2 or each(stride == 1) or each(stride == -2)" },
}

-- ---- the page's examples, and the smallest cases of our decisions ------------------------------------------------------
local input = { DataType = "FLOAT32", Sizes = { 1, 1, 4, 4 },
                data = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 } }

op:example "1" {
  note = "Example 1: strided slice with positive strides",
  InputTensor = input,
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 }, data = { 2, 4, 10, 12 } },
  InputWindowOffsets = { 0, 0, 0, 1 }, InputWindowSizes = { 1, 1, 4, 3 }, InputWindowStrides = { 1, 1, 2, 2 },
}
op:example "2" {
  note = "Example 2: negative strides. The page's formula 1 + (window - 1) / stride would allow no second row (E-SL-1)",
  InputTensor = input,
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 2 }, data = { 14, 16, 6, 8 } },
  InputWindowOffsets = { 0, 0, 0, 1 }, InputWindowSizes = { 1, 1, 4, 3 }, InputWindowStrides = { 1, 1, -2, 2 },
}
op:example "cropped-rows" {
  note = "An output smaller than the window: rows must not be merged as if they were contiguous (SL-08)",
  InputTensor = input,
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 2, 3 }, data = { 1, 2, 3, 5, 6, 7 } },
  InputWindowOffsets = { 0, 0, 0, 0 }, InputWindowSizes = { 1, 1, 4, 4 }, InputWindowStrides = { 1, 1, 1, 1 },
}
op:example "stride-beyond-window" {
  note = "A stride larger than the window takes one element, from the window's end where it is negative (SL-09)",
  InputTensor = input,
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 1 }, data = { 12 } },
  InputWindowOffsets = { 0, 0, 1, 1 }, InputWindowSizes = { 1, 1, 2, 3 },
  InputWindowStrides = { -2147483648, 2147483647, -7, -2147483648 },
}
op:example "output-wraps" {
  note = "an output of three elements, and the window has one: 2 * 2^31 + 1 is 1 in 32 bits", invalid = "SL-08",
  InputTensor = input, OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 3 } },
  InputWindowOffsets = { 0, 0, 0, 0 }, InputWindowSizes = { 1, 1, 4, 4 }, InputWindowStrides = { 1, 1, 4, -2147483648 },
}
op:example "alignment-of-8" {
  note = "an alignment that is a power of two and no less than an element (BUF-14), and below 16", invalid = "BUF-22",
  InputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 2 }, GuaranteedBaseOffsetAlignment = 8, data = { 1, 2 } },
  OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 2 }, GuaranteedBaseOffsetAlignment = 8, data = { 1, 2 } },
  InputWindowOffsets = { 0, 0, 0, 0 }, InputWindowSizes = { 1, 1, 1, 2 }, InputWindowStrides = { 1, 1, 1, 1 },
}
op:example "window-wraps" {
  note = "offset + size is 1 in 32 bits and 2^32 + 1 in truth", invalid = "SL-05",
  InputTensor = input, OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 1 } },
  InputWindowOffsets = { 0, 0, 0, 4294967295 }, InputWindowSizes = { 1, 1, 4, 2 }, InputWindowStrides = { 1, 1, 1, 1 },
}
op:example "empty-window" {
  note = "a window must not be empty", invalid = "SL-06",
  InputTensor = input, OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 1 } },
  InputWindowOffsets = { 0, 0, 0, 1 }, InputWindowSizes = { 1, 1, 4, 0 }, InputWindowStrides = { 1, 1, 1, 1 },
}
op:example "stride-zero" {
  note = "strides may not be 0; one translation says that they may (E-SL-4)", invalid = "SL-07",
  InputTensor = input, OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 1, 1 } },
  InputWindowOffsets = { 0, 0, 0, 0 }, InputWindowSizes = { 1, 1, 4, 4 }, InputWindowStrides = { 1, 1, 0, 1 },
}
op:example "output-too-large" {
  note = "example 2 with a third row, which the window does not reach", invalid = "SL-08",
  InputTensor = input, OutputTensor = { DataType = "FLOAT32", Sizes = { 1, 1, 3, 2 } },
  InputWindowOffsets = { 0, 0, 0, 1 }, InputWindowSizes = { 1, 1, 4, 3 }, InputWindowStrides = { 1, 1, -2, 2 },
}
