-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO StridedSlice-1: the shapes, steps and masks of its cases. docs/cases.md describes the language.
local op = operator "openvino.strided_slice"
local ov = shared()
local product = ov.product

-- ---- axes: the first value is the default, and all defaults together are a plain copy -----------------------------
op:axis("rank", "dimensions of data") { 2, 1, 3, 4, 5, 6, 8, 10, 12 }
op:axis("steps", "steps: the length of begin, end and stride") { 1, 2, 3, 0, 4, 5, 6, 8, 10, 12 }
op:axis("dtype", "element type of data and output") { all.dtypes }
op:axis("strides", "1: the optional input stride is given; 0: it is not") { 1, 0 }
op:axis("masks", "are the five masks given? Absent masks are all 0") { "given", "absent" }
op:axis("more", "values of the masks beyond the steps, all 1; -1: one value less") { 0, 1, 3, -1 }
op:axis("in_layout", "memory layout of data") { all.layouts }
op:axis("out_layout", "memory layout of output") { all.output_layouts }
op:axis("fill", "contents of data") { all.fills }
op:axis("extra", "bytes beyond the least that data and output need") { 0, 4, 64 }
op:axis("length", "size of the dimension that `long` names")
  { 64, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 65535,
    65536, 65537, 262144, 4194304 }
op:axis("long", "the dimension that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4, 5, 6 }
op:axis("size", "shape of data, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 0, 5, 6, 7, 8, 10, per = "rank" }
op:axis("kind", "what each step is: a range, or what shrink_axis_mask, new_axis_mask or ellipsis_mask makes of it")
  { "range", "shrink", "new", "ellipsis", per = "steps" }
op:axis("begin", "begin: the first element of each step; negative from the end")
  { 0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 1234, -1234, 2147483648, -2147483649, math.maxinteger,
    math.mininteger, per = "steps" }
op:axis("end", "end: the element behind the last one of each step; negative from the end")
  { 8, 0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 4321, -4321, 2147483648, -2147483649, math.maxinteger,
    math.mininteger, per = "steps" }
op:axis("stride", "stride: the distance of two elements of each step")
  { 1, -1, 2, -2, 3, -3, 4, -4, 7, -7, 0, 2147483648, -2147483649, math.maxinteger, math.mininteger, per = "steps" }
op:axis("begin_mask", "begin_mask: 1 ignores begin") { 0, 1, per = "steps" }
op:axis("end_mask", "end_mask: 1 ignores end") { 0, 1, per = "steps" }
op:axis("also", "masks at a step that its kind overrides: 1 new_axis_mask, 2 shrink_axis_mask, 3 both")
  { 0, 1, 2, 3, per = "steps" }
op:positions("at", "rank")

local dim = "pick(at == long, length, size)"
op:where("long <= rank")
op:where("count(kind == 'range' or kind == 'shrink') <= rank")                      -- SS-06
op:where("count(kind == 'ellipsis') <= 1")                                       -- SS-04
op:where("each(stride ~= 0 or kind ~= 'range')")                                  -- SS-10

-- A shrink step must hit its dimension (SS-09). Where only range and shrink steps lead up to it, step k slices
-- dimension k; else it is held to the smallest dimension. count() is decided once, at the last step, where any() would be
-- looked at again at each step and exclude nothing.
local exact = "steps <= 3 and each(kind == 'range' or kind == 'shrink')"
for k = 1, 3 do
  exact = exact .. (" and (steps < %d or kind[%d] ~= 'shrink' or begin[%d] < size[%d] and begin[%d] >= -size[%d])")
                   :gsub("%%d", k)
end
op:where("count(kind == 'shrink') == 0 or " .. exact .. " or " ..
         "each(pick(kind == 'shrink', max(begin, -1 - begin), -1) < min(size))") -- -min(size) <= begin < min(size)

-- With absent masks every step is an unmasked range; so is a last step for which the masks are too short.
op:where("masks == 'given' or more == 0")
op:where("masks == 'given' or each(kind == 'range' and begin_mask == 0 and end_mask == 0)")
op:where("more >= 0 or steps >= 1 and kind[steps] == 'range'")
op:where("strides == 1 or each(stride == 1)")
op:where("each(kind == 'ellipsis' or also == 0 or kind == 'new' and also % 2 == 0)")       -- SS-05

op:bind {
  data   = { DataType = "dtype", Sizes = dim, Layout = "in_layout", Fill = "fill", Extra = "extra" },
  output = { Layout = "out_layout", Extra = "extra" },
  begin = "begin", ["end"] = "pick(kind == 'shrink' and end_ == 8, begin, end_)", -- SS-16
  stride           = { Value = "stride", Present = "strides" },
  begin_mask       = { Value = "begin_mask", Present = "masks == 'given'", Count = "steps + more", Rest = "1" },
  end_mask         = { Value = "end_mask", Present = "masks == 'given'", Count = "steps + more", Rest = "1" },
  new_axis_mask    = { Value = "eq(kind, 'new') + also % 2", Present = "masks == 'given'", Count = "steps + more", Rest = "1" },
  shrink_axis_mask = { Value = "eq(kind, 'shrink') + also // 2", Present = "masks == 'given'", Count = "steps + more", Rest = "1" },
  ellipsis_mask    = { Value = "eq(kind, 'ellipsis')", Present = "masks == 'given'", Count = "steps + more", Rest = "1" },
}

-- Values that a step ignores keep their default here, so that no two cases are equal; the test `ignored` varies them.
local plain = {
  "each(kind ~= 'range' or begin_mask == 0 or begin == 0)",
  "each(kind == 'range' or begin_mask == 0 and end_mask == 0 and end_ == 8 and stride == 1)",
  "each(end_mask == 0 or end_ == 8)",
  "each(kind == 'range' or kind == 'shrink' or begin == 0)",
}
local function with(list, more)
  local all = table.move(list, 1, #list, 1, {})
  return table.move(more, 1, #more, #all + 1, all)
end
local widths = "(dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'f64')" -- one type of each width

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds faults in clamping, signs, counts and empty results of one range, and in steps that shift each other's
-- dimensions: new axes, shrinks and an ellipsis in every order. Complete for small tensors; the more steps, the fewer
-- values of each.
op:test "exhaustive" {
  "every slice of small tensors, with every kind of step",
  rank = { 2, 1, 3 }, steps = { 1, 2, 3, 0 }, dtype = "*", size = { 3, 1, 2, 4, 0, 5 }, kind = "*",
  begin = { 0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7 }, begin_mask = "*", end_mask = "*",
  ["end"] = { 8, 0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6 }, stride = { 1, -1, 2, -2, 3, -3, 4, -4 },
  where = with(plain, {
    "rank == 1 or each(size <= 3)", "rank == 1 and steps == 1 or each(size <= 3)",
    "rank ~= 2 or steps ~= 2 or each(size >= 1)",
    "rank < 3 and steps < 3 or each(size >= 2)",
    "rank == 1 and steps == 1 or each((begin == -4 or abs(begin - 1) <= 2) and " ..
      "(end_ == -4 or end_ == 8 or abs(end_) <= 1) and abs(stride) <= 2)",
    "rank <= 2 and steps <= 2 or each(abs(begin) <= 1 and end_ ~= -4 and end_ ~= 0 and abs(stride) == 1 and " ..
      "begin_mask == end_mask)",
    "rank == 1 and steps == 1 or steps == 0 or " .. widths .. " or each(begin_mask == 0 and end_mask == 0 and end_ == 8)",
  }),
}

op:test "pairwise" {
  "every pair of values of all parameters",
  vary = "*", strength = 2, rank = { 2, 1, 3, 4, 12 }, steps = { 1, 2, 3, 0, 4 }, length = { 64 }, long = { 0 },
  begin = { 0, 1, -1, 2, -2, 7, -7, math.mininteger }, ["end"] = { 8, 0, 1, -1, -2, 4, -7, math.maxinteger },
  stride = { 1, -1, 2, -2, 3, 7, -7, math.mininteger },
  where = with(plain, { "steps <= rank", "rank <= 2 or each(size <= 5)", "rank <= 3 or each(size <= 3)",
                       "rank <= 6 or each(size <= 2)" }),
}

-- Values far outside, which frameworks write for "to the end". Finds sums and negations that overflow 32 or 64 bits.
op:test "sentinels" {
  "begin, end and stride out to the ends of 64 bits",
  rank = { 1, 2 }, steps = { 1 }, dtype = "*", size = { 3, 1, 0, 8 }, begin = "*", ["end"] = "*", stride = "*",
  begin_mask = "*", end_mask = "*",
  where = with(plain, {
    "each(abs(stride) <= 2 or abs(stride) >= 2147483648 or stride < 0)", "each(stride >= -1 or stride < -4)",
    "each(begin < -7 or begin > 7 or end_ < -7 or end_ > 7 or stride < -7 or stride > 7)",
    "rank == 1 or each(size >= 1 and size <= 3) and sum(size) == 4",
    "dtype == 'f32' or " .. widths .. " and rank == 1 and size[1] == 3 or begin[1] == end_[1]",
  }),
}

-- Values that a mask makes irrelevant must be ignored: garbage in begin, end and stride, a stride of 0 included.
op:test "ignored" {
  "values that a mask overrides or a kind of step does not use",
  rank = { 2, 1, 3 }, steps = { 1, 2 }, dtype = "*", size = { 3, 2 }, kind = "*", begin = { 0, 1, -1, 1234, -1234 },
  ["end"] = { 8, 1, 4321, -4321 }, stride = { 1, -1, 2, 0 }, begin_mask = "*", end_mask = "*",
  where = {
    "steps == 1 or each((begin == 0 or begin == 1234) and (end_ == 8 or end_ == -4321) and " ..
      "(stride == 0 or stride == 1))",
    "steps == 1 or each(kind ~= 'range' or begin_mask == 1 and end_mask == 1)",
    "steps == 1 or dtype == 'f32' or dtype == 'u8'", "rank <= 2 or steps == 1",
  },
}

-- All five masks at once (SS-05: ellipsis, then new axis, then shrink): each step has one of 32 combinations. Sizes
-- differ, so that an extra or missing dimension is detected.
local function masks_of(name, title, def)
  def[1], def.kind, def.also, def.begin_mask, def.end_mask = title, "*", "*", "*", "*"
  def.begin, def["end"], def.size = { 1 }, { -1 }, { 2, 3, 4, 5 }
  def.where = { "each(size == pick(at == 1, 4, pick(at == 2, 3, pick(at == 3, 5, 2))))" }
  op:test(name)(def)
end
masks_of("masks", "every combination of the five masks of up to three steps", {
  rank = { 3, 1, 2, 4, 5 }, steps = { 1, 2, 3 },
})
masks_of("masks_4", "every combination of the five masks of four steps", {
  tier = "exhaustive", rank = { 4, 3, 2, 1, 5 }, steps = { 4 },
})

-- The same with every sign and range of begin, end and stride: any three of all these, in four steps.
op:test "triples" {
  "any three masks, signs and ranges of four steps", strength = 3,
  rank = { 4 }, steps = { 4 }, size = { 3, 5 }, kind = "*", also = "*",
  begin = { 0, 1, -1, -3, 7, -7 }, ["end"] = { 8, 1, 0, -1, -7 },
  stride = { 1, -1, 2, -2 }, begin_mask = "*", end_mask = "*",
  where = { "each(kind ~= 'shrink' or abs(begin) <= 1)" },
}

-- Masks that are shorter or longer than begin, or absent (SS-03). A longer mask ends in ones, which must be ignored.
-- OpenVINO itself refuses masks of different lengths (E-SS-9).
op:test "mask_lengths" {
  "masks that are absent, shorter or longer than begin",
  rank = { 2, 1, 3 }, steps = { 1, 2, 3, 0 }, dtype = "*", masks = "*", more = "*", strides = "*", size = { 3, 2 },
  kind = "*", begin = { 0, 1 }, ["end"] = { 8, -1 }, stride = { 1, -2 }, begin_mask = "*", end_mask = "*",
  where = with(plain, {
    "masks == 'absent' or more ~= 0 or strides == 0",
    "steps <= 2 or each(begin_mask == end_mask and end_ == 8 and stride == 1)", "dtype == 'f32' or steps <= 1",
  }),
}

-- Finds faults in the tails of vector loops, and in rows that are copied whole or in part: one long dimension, sliced
-- forward, backward and with gaps, at every place. An ellipsis lets a step reach the last dimension.
op:test "boundary" {
  "one long dimension about each power of two",
  rank = { 2, 1, 4, 6 }, steps = { 1, 2 }, dtype = "*", length = "*", long = range(1, 6), size = { 1, 2 },
  kind = { "range", "ellipsis" }, begin = { 0, 1, -1, -2 }, ["end"] = { 8, math.maxinteger, -2, math.mininteger },
  stride = { 1, -1, 2, -3, 7 },
  where = {
    "each(at ~= long or size == 1)", "rank <= 2 or each(size == 1)",            -- `size` does not apply to the long dimension
    "steps == 1 or kind[1] == 'ellipsis' and kind[2] == 'range'", "steps == 2 or kind[1] == 'range'",
    "each(kind == 'range' and end_ ~= 8 or kind ~= 'range' and end_ == 8 and begin == 0 and stride == 1)",
    "each(stride > 0 and begin >= 0 and end_ >= -2 or stride <= 0 and begin < 0 and end_ <= -3)",
    "length <= 1025 or rank <= 2 and product(size) == 1 and sum(begin) <= 0 and dtype == 'f32'",
    "length <= 65537 or rank == 1 and steps == 1",
    "length <= 262144 or abs(stride[1]) == 1",
  },
}

-- Up to 12 dimensions and 12 steps, as in the page's examples. Finds arrays of dimensions that are too short.
op:test "dimensions" {
  "up to 12 dimensions",
  rank = { 4, 5, 6, 8, 10, 12 }, steps = { 1, 2, 3, 4, 12 }, dtype = "*", size = { 2, 1 }, kind = "*",
  begin = { 0, 1, -1 }, ["end"] = { 8, 1, -1 }, stride = { 1, -1 }, begin_mask = "*", end_mask = "*",
  where = with(plain, {
    "each(begin_mask == end_mask)",
    "each(stride == -1 and begin_mask == 1 or stride ~= -1 and (begin == 0 or kind ~= 'range'))",
    "each(end_ ~= 1)", "rank <= 6 or each((size == 2) == (at > rank // 2))", "rank >= 8 or each((size == 2) == (at ~= 2))",
    "steps < 12 or each(kind == 'range' and end_ == 8 and begin == 0)", "steps < 12 or sum(begin_mask) <= 2",
    "steps <= 2 or " .. widths, "steps <= 3 or dtype == 'f32'", "steps ~= 4 or each(end_ == 8)",
  }),
}

op:test "layout" {
  "every pair of memory layouts",
  rank = { 2, 1, 3, 4, 6 }, steps = { 1, 2, 3 }, dtype = "*", in_layout = "*", out_layout = "*", size = { 3, 1, 2 },
  kind = "*", begin = { 0, 1, -1 }, ["end"] = { 8 }, stride = { 1, -1 }, begin_mask = "*", end_mask = { 0, 1 },
  where = with(plain, {
    "each(begin_mask == end_mask and (begin_mask == 1) == (stride == -1))",
    "each(kind == 'range' and begin >= 0 or kind ~= 'range' and begin < 1)",
    "rank <= 1 or sum(size) == rank * 2 + 1 and size[rank] == 3", "rank <= 3 or min(size) == 2",
    "steps <= 2 or rank == 3 and sum(begin) == 0 and sum(end_mask) == 0",
    "steps <= 1 or " .. widths, "rank <= 4 or steps == 1",
  }),
}

-- Finds sizes and steps that are cut to 32 bits or read as signed. All elements share one address, so that little memory
-- is touched.
op:test "vast" {
  "dimensions of 2^31 to 2^34 elements that share one address", vast = true,
  rank = { 1 }, long = { 1 }, steps = { 1 }, dtype = "*", in_layout = { "broadcast-all" },
  length = { 4294967295, 2147483648, 2147483649, 4294967297, 17179869189, math.maxinteger }, kind = "*",
  begin = { 0, -1, 1, 2147483648, -2147483649 }, ["end"] = { 8, 4321, -2147483649 },
  stride = { 2147483648, -2147483649, math.maxinteger, math.mininteger, 1 }, begin_mask = "*", end_mask = "*",
  where = { "stride[1] ~= 1 or kind[1] == 'shrink' or end_[1] == 4321 and begin[1] == 0 and end_mask[1] == 0",
            "kind[1] == 'range' or kind[1] == 'shrink' and stride[1] == 1 and end_[1] == 8 and end_mask[1] == 0",
            "length > 2147483649 or each(begin >= -1)", "kind[1] == 'range' or begin_mask[1] == 0",
            "length <= 17179869189 or kind[1] == 'shrink' or abs(stride[1] // 2) > 4294967296" },
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
    rank = { 2, 1, 3, 12 }, steps = { 1, 2 }, in_layout = { "packed", "padded" }, size = { 3, 2 }, kind = "*", begin = { 0, 1 }, stride = { 1, -1 },
    begin_mask = "*", end_mask = "*",
    where = with(plain, { "rank <= 2 or each(size == pick(at == 1, 3, 2))", "rank <= 3 or each(kind == 'range')",
                          "each(begin_mask == end_mask and (begin_mask == 1) == (stride < 0))" }),
  }
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, which this operator does not forbid, in separate pages; the gigabytes between take address space and no
-- memory.
op:test "sparse" {
  "elements gigabytes apart, in data, in the output or in both", sparse = true, strength = 2,
  rank = { 2, 1, 3, 12 }, steps = { 1, 2 }, dtype = "*", fill = { "bits" },
  in_layout = { "packed", all.far_layouts }, out_layout = { "packed", all.far_layouts }, size = { 3, 1, 2 },
  kind = { "range", "shrink", "ellipsis" }, begin = { 0, 1, -1 }, ["end"] = { 8 }, stride = { 1, -1, 2 },
  begin_mask = "*", end_mask = "*",
  where = with(plain, {
    "in_layout ~= 'packed' or out_layout ~= 'packed'", "product(size) > 1",
    "each(kind ~= 'range' or (begin_mask == 1) == (stride < 0))", "each(begin_mask == end_mask)",
    "rank <= 3 or each(size == pick(at == 1, 3, pick(at == rank, 2, 1)))",
    "rank <= 2 or steps == 1 or dtype == 'f32'", "rank <= 3 or " .. widths,
  }),
}

op:test "special" {
  "special values and random bits are copied unchanged",
  rank = { 2, 1, 3, 5 }, steps = { 1, 2 }, dtype = "*", fill = { "special", "bits" }, in_layout = { "packed", "padded" },
  size = { 3, 2, 4, 8 }, kind = { "range", "shrink" }, begin = { 0, 1 }, ["end"] = { 8 }, stride = { 1, -1, 2 },
  begin_mask = "*", end_mask = "*",
  where = with(plain, { "each(begin_mask == end_mask and (begin_mask == 1) == (stride < 0))",
                        "rank <= 3 or each(size <= 3)", "rank <= 2 or each(size <= 4)" }),
}

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, steps, masks and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"       { 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }
any:axis "dtype"      { all.dtypes }
any:axis "strides"    { 1, 0 }                     -- is the optional input stride given?
any:axis "steps"      { 1, 2, 3, 0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }
any:axis "masks"      { "given", "absent" }
any:axis "more"       { 0 }                        -- values of masks beyond the steps, or that masks have too few
any:axis("out_rank", "dimensions of output, for its strides") { 2, range(0, 1), range(3, 16) }
any:axis "in_layout"  { "packed", "strides" }
any:axis "out_layout" { "packed", "strides" }
any:axis "fill"       { all.fills, "stretches" }
any:axis("in_extra", "bytes beyond the least that data needs") { 0 }
any:axis("out_extra", "bytes beyond the least that output needs") { 0 }
any:axis("size", "shape of data") { 3, per = "rank" }
any:axis("in_stride", "strides of data in memory, where its layout is strides") { 0, per = "rank" }
any:axis("out_stride", "strides of output in memory, where its layout is strides") { 0, per = "out_rank" }
any:axis("in_base", "where data begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("out_base", "where output begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis "kind"       { "range", "shrink", "new", "ellipsis", per = "steps" }
any:axis "begin"      { 0, per = "steps" }
any:axis "end"        { 8, per = "steps" }
any:axis "stride"     { 1, per = "steps" }
any:axis "begin_mask" { 0, per = "steps" }
any:axis "end_mask"   { 0, per = "steps" }
any:axis "also"       { 0, 1, 2, 3, per = "steps" }
any:axis("without", "masks that are not given: 1 begin_mask, 2 end_mask, 3 both") { 0, 1, 2, 3 }

-- What differs in the calls before a case of drawn_after, and the number of these calls.
local words = { "data", "dtype", "strides", "masks", "more", "in_layout", "out_layout", "in_extra", "out_extra", "size",
                "kind", "begin", "end", "stride", "begin_mask", "end_mask", "also", "without", "in_stride", "out_stride",
                "out_base", "refused", "swapped", "others" }
any:axis("before",
         "how the calls before the case differ from it: in their data, in one or more axes, or refused") (words)
any:axis("times", "how many calls are made before the case") { 0 }
any:axis("how", "how the axis that `before` names differs in these calls") { all.hows }
any:axis("which", "the element of that axis that differs in these calls, from 1; 0: all of them") { 0 }

-- Of the illegal cases: the step that is changed, and to which value.
any:axis("broken", "the step, or dimension, that a change breaks, from 1; 0: none") { 0 }
any:axis("by", "how far a change goes, or to which value") { 1 }
any:positions("step", "steps")
any:bind {
  data   = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
             Extra = "in_extra", Base = "in_base" },
  output = { Layout = "out_layout", Strides = "out_stride", Extra = "out_extra", Base = "out_base" },
  begin = "begin", ["end"] = "pick(kind == 'shrink' and end_ == 8, begin, end_)", -- SS-16
  stride           = { Value = "stride", Present = "strides" },
  begin_mask       = { Value = "begin_mask", Present = "masks == 'given' and without % 2 == 0", Count = "steps + more", Rest = "1" },
  end_mask         = { Value = "end_mask", Present = "masks == 'given' and without < 2", Count = "steps + more", Rest = "1" },
  new_axis_mask    = { Value = "eq(kind, 'new') + also % 2", Present = "masks == 'given'", Count = "steps + more", Rest = "1" },
  shrink_axis_mask = { Value = "eq(kind, 'shrink') + also // 2", Present = "masks == 'given'", Count = "steps + more", Rest = "1" },
  ellipsis_mask    = { Value = "eq(kind, 'ellipsis')", Present = "masks == 'given'", Count = "steps + more", Rest = "1" },
}

-- The kinds of the steps, and for each that takes a dimension which one.
local function draw_kinds(r, steps, rank, masks)
  local kind, dim, real, ellipsis, added = {}, {}, 0, 0, 0
  for k = 1, steps do
    local grows = rank + added < 16 -- the most dimensions of an output, whatever is shrunk
    if masks == "given" and (real == rank or r.chance(15)) and (grows or ellipsis == 0) then
      kind[k] = ellipsis == 0 and (not grows or r.chance(50)) and "ellipsis" or "new"
    elseif real < rank then
      kind[k] = masks == "given" and r.chance(20) and "shrink" or "range"
      real = real + 1
      dim[k] = real
    else
      break
    end
    if kind[k] == "ellipsis" then ellipsis = k end
    if kind[k] == "new" then added = added + 1 end
  end
  for k = ellipsis + 1, ellipsis > 0 and #kind or 0 do -- those behind the ellipsis are counted from the last dimension
    if dim[k] then dim[k] = rank - real + dim[k] end
  end
  return kind, dim
end

local function draw_edge(r, size)
  if r.chance(3) then return r.about(math.mininteger, math.maxinteger) end
  return r.chance(40) and r.int(-size - 1, size + 1) or r.about(-size - 2, size + 2)
end

-- The elements that a range step takes of n (SS-11, SS-12).
local function reach(v, k, n)
  local step = v.stride[k]
  local low, high = step > 0 and 0 or -1, step > 0 and n or n - 1
  local first, last = v.begin[k], v["end"][k]
  first = math.max(0, math.min(first < 0 and first + n or first, high))
  last = math.max(low, math.min(last < 0 and last + n or last, high))
  if v.begin_mask[k] == 1 then first = step > 0 and low or high end
  if v.end_mask[k] == 1 then last = step > 0 and high or low end
  if step < 0 then first, last = last, first end
  if n == 0 or last <= first then return 0 end
  return step == math.mininteger and 1 or (last - first - 1) // math.abs(step) + 1
end

-- The sizes of the output: of steps, the ellipsis and the dimensions that no step takes.
local function out_sizes(v, dim)
  local out, taken, size = {}, 0, v.size
  for k = 1, v.steps do
    local kind = v.kind[k]
    if kind == "new" then
      out[#out + 1] = 1
    elseif kind == "ellipsis" then
      local after = 0
      for j = k + 1, v.steps do after = after + (dim[j] and 1 or 0) end
      for d = taken + 1, #size - after do out[#out + 1] = size[d] end
      taken = #size - after
    else
      taken = taken + 1
      if kind == "range" then out[#out + 1] = reach(v, k, size[dim[k]]) end
    end
  end
  for d = taken + 1, #size do out[#out + 1] = size[d] end
  return out
end

-- The steps of a case; n is the size of the dimension that a step takes. `whole` in 100 ranges take all of it.
local function draw_step(r, c, v, k, n, whole)
  v.begin[k], v["end"][k] = draw_edge(r, n), draw_edge(r, n)
  v.stride[k] = r.chance(3) and r.about(math.mininteger, math.maxinteger) or r.chance(55) and 1 or r.about(-n - 1, n + 1)
  if n > 8 and r.chance(5) then v.stride[k] = n // r.int(2, 6) * r.pick { 1, -1 } end -- long, of a few elements
  v.begin_mask[k], v.end_mask[k] = r.chance(30) and 1 or 0, r.chance(30) and 1 or 0
  if r.chance(whole) then v.begin_mask[k], v.end_mask[k], v.stride[k] = 1, 1, r.chance(70) and 1 or -1 end
  if v.masks == "absent" then
    v.begin_mask[k], v.end_mask[k] = 0, 0
    if r.chance(whole) then v.begin[k], v["end"][k], v.stride[k] = 0, n, 1 end
  end
  if v.kind[k] == "shrink" then v.begin[k] = r.int(-n, n - 1) end
  v.also[k] = 0
  if v.masks == "given" and r.chance(10) then
    v.also[k] = v.kind[k] == "ellipsis" and r.int(0, 3) or v.kind[k] == "new" and 2 or 0
  end
  if c.strides == 0 or v.kind[k] == "range" and v.stride[k] == 0 then v.stride[k] = 1 end
end

-- A step that takes almost all of a dimension, in a few of them every other element.
local function draw_whole(r, c, v, k, n, backwards)
  v.also[k], v.begin_mask[k], v.end_mask[k] = 0, 0, 0
  v.stride[k] = c.strides == 0 and 1 or (r.chance(8) and r.int(2, 4) or 1) * (backwards and -1 or 1)
  local cut = math.min(3, n - 1)
  local low, high = r.chance(60) and 0 or r.int(0, cut), n
  if r.chance(35) then high = math.max(low + 1, n - r.int(0, cut)) end
  if v.stride[k] > 0 then
    v.begin[k], v["end"][k] = low, high
  else
    v.begin[k], v["end"][k] = high - 1, low == 0 and -n - 1 or low - 1
  end
  if v.masks == "given" and low == 0 and high == n and r.chance(60) then v.begin_mask[k], v.end_mask[k] = 1, 1 end
end

-- How many of the last steps need no mask.
local function unmasked(v)
  local n = 0
  for k = v.steps, 1, -1 do
    if v.kind[k] ~= "range" or v.begin_mask[k] + v.end_mask[k] > 0 then break end
    n = n + 1
  end
  return n
end

-- The number of values of the masks, and which masks are left out because they are all 0.
local function draw_masks(r, v)
  if v.masks == "absent" then return end
  local free = unmasked(v)
  v.more = r.chance(10) and r.int(0, 16 - v.steps) or free > 0 and r.chance(10) and -r.int(1, free) or 0
  local begins, ends = 0, 0
  for k = 1, v.steps do begins, ends = begins + v.begin_mask[k], ends + v.end_mask[k] end
  v.without = (begins == 0 and r.chance(20) and 1 or 0) + (ends == 0 and r.chance(20) and 2 or 0)
end

-- Of at most `most` elements, or of these sizes. With a plan, the steps leave most of its structure.
local classes = { "dtype", "rank", "strides" }
local function draw_any(r, c, most, given, plan)
  if not most and not given and r.chance(22) then given, plan = r.tiles(c.rank) end
  local size = given or r.sizes(c.rank, most or r.elements())
  local masks = r.chance(15) and "absent" or "given"
  local steps = (masks == "absent" or plan) and r.int(0, c.rank) or r.chance(60) and c.rank or r.int(0, 16)
  if plan and r.chance(60) then steps = c.rank end
  local kind, dim = draw_kinds(r, steps, c.rank, masks)
  for k = 1, plan and #kind or 0 do kind[k], dim[k] = "range", k end
  local v = { size = size, steps = #kind, masks = masks, more = 0, without = 0, kind = kind, begin = {}, ["end"] = {},
              stride = {}, begin_mask = {}, end_mask = {}, also = {} }
  local forwards = r.chance(50)
  for k = 1, v.steps do
    local n = dim[k] and size[dim[k]] or 3
    if plan then
      draw_whole(r, c, v, k, n, not forwards and r.chance(50))
    else
      draw_step(r, c, v, k, n, given and 75 or 20)
    end
  end
  draw_masks(r, v)
  if r.chance(2) and not given then size[r.int(1, c.rank)] = 0 end
  for k = 1, v.steps do
    if kind[k] == "shrink" and size[dim[k]] == 0 then return nil end
  end
  local out, span = out_sizes(v, dim), most and most > 4096 and 4294967295 or nil
  v.fill = r.pick { "bits", "bits", "injective", "special", "stretches" }
  v.in_extra, v.out_extra = r.chance(20) and r.about(0, 65536) or 0, r.chance(20) and r.about(0, 65536) or 0
  v.in_layout, v.out_layout = r.chance(60) and "strides" or "packed", r.chance(60) and "strides" or "packed"
  v.in_stride = r.strides(size, { dtype = c.dtype, shares = true, span = span })
  v.out_rank, v.out_stride = #out, r.strides(out, { dtype = c.dtype, like = v.in_stride, span = span })
  if plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(size, out, plan, c.dtype) end
  v.in_base, v.out_base = r.base(), r.base()
  return v, dim, out
end

local function drawn_test(name, title, cases, draw, more)
  local t = { title, each = classes, dtype = "*", rank = "*", strides = "*", cases = cases, draw = draw }
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

local function draw_planned(r, c, shape) return draw_any(r, c, nil, shape(c.rank)) end

drawn_test("drawn", "any sizes, steps, masks and layouts", { quick = 1400, full = 20000, exhaustive = 1000000 },
           function(r, c) return (draw_any(r, c)) end)
drawn_test("drawn_after", "the same after calls that differ in one thing", { quick = 320, full = 3000, exhaustive = 100000 },
           bits(ov.after(draw_any, draw_planned, words)), { preceded = true })

ov.flag_test(drawn_test, { "begin_mask", "end_mask", "kind", "masks", "also" }, draw_any)
-- Finds keys without one of the masks of kinds. Of a cube, the output has the same shape.
drawn_test("drawn_exchanged", "the same after a call in which two steps have exchanged their kinds",
           { quick = 40, full = 300, exhaustive = 20000 }, bits(function(r, c)
  local n, steps = r.int(2, 4), r.int(2, math.min(c.rank, 6))
  local size, v = {}, { steps = steps, masks = "given", more = 0, without = 0, kind = {}, begin = {}, ["end"] = {},
                        stride = {}, begin_mask = {}, end_mask = {}, also = {} }
  for k = 1, c.rank do size[k] = n end
  if c.rank > 6 then for k = 1, c.rank do size[k] = 2 end end
  for k = 1, steps do
    v.kind[k], v.begin[k], v["end"][k] = "range", r.int(0, size[k] - 1), size[k]
    v.stride[k], v.begin_mask[k], v.end_mask[k], v.also[k] = c.strides == 1 and r.pick { 1, -1 } or 1, 1, 1, 0
  end
  local at = r.int(1, steps - 1)
  v.kind[r.int(at, at + 1)] = r.pick { "shrink", "shrink", "ellipsis" }
  v.size, v.out_rank = size, c.rank - (v.kind[at] == "shrink" and 1 or v.kind[at + 1] == "shrink" and 1 or 0)
  v.before, v.times, v.how, v.which = "kind", 1, "swap", at - 1
  return v
end), { rank = { 2, 3, 4, 5 }, preceded = true })
ov.large_tests(drawn_test, {
  planned = draw_planned,
  classes = { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 3, 4, 2, 5, 8 }, strides = { 1 } },
  deep = { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 3, 4, 5, 8 }, strides = { 1 } },
  large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 3, 4, 2 }, strides = { 1 } },
})

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
drawn_test("drawn_counts", "more than 2^16 of something: rows, batches, elements of a row",
           { quick = 2, full = 60, exhaustive = 4000 },
           function(r, c) return (draw_any(r, c, nil, r.long_sizes(c.rank))) end)
drawn_test("drawn_grids", "more than 65,535 rows, matrices or elements of a plane that cannot be merged",
           { quick = 6, full = 130, exhaustive = 8000 },
           bits(function(r, c) return (draw_any(r, c, nil, r.grid(c.rank))) end),
           { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 3, 4, 2, 5, 8 }, strides = { 1 } })
local large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 3, 4, 2 }, strides = { 1 } }
drawn_test("drawn_tall", "more than 65,535 groups of 32 or 64 rows", { full = 6, exhaustive = 40 }, bits(function(r, c)
  return (draw_any(r, c, nil, r.grid(c.rank, 65535 * r.pick { 64, 64, 128 } + r.int(1, 1024))))
end), large)
drawn_test("drawn_large", "2^24 elements: more groups of 256 than a dimension of a dispatch has",
           { full = 4, exhaustive = 12 },
           bits(function(r, c) return (draw_any(r, c, nil, r.grid(c.rank, 16776960 + r.int(1, 1024)))) end), large)
drawn_test("drawn_first", "the first call of a process", { quick = 1, full = 12, exhaustive = 400 },
           bits(function(r, c) return (draw_any(r, c, 256)) end), { fresh = true })

-- Finds offsets that 32 bits cannot hold, in elements or in bytes. This operator does not limit them.
drawn_test("drawn_sparse", "elements up to 2^33 elements apart", { quick = 40, full = 1000, exhaustive = 20000 },
           bits(function(r, c)
  local v, _, out = draw_any(r, c, 16)
  if not v then return nil end
  v.in_stride, v.out_stride = r.strides(v.size, {}), r.strides(out, {})
  local where = r.int(1, 3)
  local done = where ~= 2 and ov.spread_one(r, v, v.size, v.in_stride, "in_layout")
  if where ~= 1 and ov.spread_one(r, v, out, v.out_stride, "out_layout") then done = true end
  return done and v or nil
end), { sparse = true })

-- Finds begins, ends and strides that are cut to 32 bits. All elements of the long dimension share one address.
drawn_test("drawn_vast", "a dimension of up to 2^62 elements that share one address",
           { quick = 100, full = 1000, exhaustive = 50000 },
           function(r, c)
  local size = r.sizes(c.rank, 64)
  local long = r.int(1, c.rank)
  size[long] = 1
  local stride, others = r.strides(size, { dtype = c.dtype, shares = true }), product(size)
  local n = r.about(2097152, (1 << 62) // others)
  stride[long] = 0
  local v, dim = draw_any(r, c, nil, size)
  size[long] = n
  local taken = 0
  for k = 1, v.steps do
    if dim[k] == long then
      draw_step(r, c, v, k, n, 0)
      taken = k
    end
  end
  if taken == 0 then return nil end
  draw_masks(r, v)
  local out = out_sizes(v, dim)
  for k = 1, #out do if out[k] > 65536 then return nil end end
  if product(out) > 65536 then return nil end
  v.in_layout, v.in_stride, v.out_rank, v.out_stride = "strides", stride, #out, r.strides(out, { dtype = c.dtype })
  return v
end, { vast = true })

-- A drawn legal descriptor with one step changed: alter(r, v, dim, c, out) sets `broken`, or returns false to draw again.
local function breaks(clause, name, title, change, alter, more)
  local t = { title, name = "drawn-" .. name, change = change, each = classes, dtype = "*", rank = "*", strides = "*",
              cases = { quick = 20, full = 500, exhaustive = 10000 } }
  for word, value in pairs(more or {}) do t[word] = value end
  t.draw = function(r, c)
    local v, dim, out = draw_any(r, c, r.chance(40) and r.about(2, 1 << 40) or nil)
    if not v or v.masks == "absent" or alter and alter(r, v, dim, c, out) == false then return nil end
    return v
  end
  any:invalid(clause)(t)
end
local function step_of(r, v, kind)
  local list = {}
  for k = 1, v.steps do if v.kind[k] == kind then list[#list + 1] = k end end
  if #list == 0 then return false end
  v.broken = r.pick(list)
end
breaks("SS-10", "zero", "the stride of a range is 0", { stride = { Value = "pick(step == broken, 0, stride)" } },
       function(r, v) return step_of(r, v, "range") end, { strides = { 1 } })
breaks("SS-09", "outside", "a shrunk dimension begins outside of the data",
       { begin = { Value = "pick(step == broken, by, begin)" } }, function(r, v, dim)
  if step_of(r, v, "shrink") == false then return false end
  local n = v.size[dim[v.broken]]
  v.by = r.chance(50) and r.about(n, math.maxinteger) or r.about(math.mininteger, -n - 1)
end)
breaks("SS-02", "mask", "a mask has another value than 0 and 1",
       { end_mask = { Value = "pick(step == broken, by, end_mask)" } }, function(r, v)
  if v.steps == 0 or v.without >= 2 then return false end
  v.more, v.broken, v.by = math.max(v.more, 0), r.int(1, v.steps), r.about(2, 255)
end)
for _, tensor in ipairs { "data", "output" } do
  breaks("SS-01", tensor, tensor .. " is missing", { [tensor] = { Present = "0" } })
  breaks("SS-14", tensor .. "-short", tensor .. " does not fit into its bytes",
         { [tensor] = { TotalTensorSizeInBytes = "by" } },
         function(r, v, dim, c, out)
    local size, stride = tensor == "data" and v.size or out, tensor == "data" and v.in_stride or v.out_stride
    local layout, span = tensor == "data" and v.in_layout or v.out_layout, 1
    if product(size) == 0 then return false end
    for d = 1, #size do span = span + (layout == "strides" and (size[d] - 1) * stride[d] or 0) end
    v.by = r.about(0, (layout == "strides" and span or product(size)) - 1)
  end)
  breaks("SS-14", tensor .. "-type", tensor .. " alone has another type", { [tensor] = { DataType = "by" } },
         function(r, v, dim, c)
    v.by = r.int(1, 11)
    if v.by == ({ f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8, f64 = 9, u64 = 10,
                 i64 = 11 })[c.dtype] then
      return false
    end
    v[tensor == "data" and "in_extra" or "out_extra"] = 1 << 50
  end)
end
breaks("SS-01", "length", "end has another number of values than begin", { ["end"] = { Value = "end_", Count = "by" } },
       function(r, v)
  v.by = r.int(0, 16)
  if v.by == v.steps then return false end
end)
breaks("SS-04", "two", "two ellipses",
       { ellipsis_mask = { Value = "eq(kind, 'ellipsis') + eq(step, broken)", Count = "steps" } },
       function(r, v)
  if v.steps < 2 or step_of(r, v, "ellipsis") == false then return false end
  v.broken = (v.broken + r.int(0, v.steps - 2)) % v.steps + 1
  return v.kind[v.broken] ~= "ellipsis"
end)
breaks("SS-06", "many", "more range and shrink steps than dimensions", {
  new_axis_mask = { Value = "0 * step", Count = "steps" }, ellipsis_mask = { Value = "0 * step", Count = "steps" },
  shrink_axis_mask = { Value = "0 * step", Count = "steps" },
}, function(r, v, dim, c)
  for k = 1, v.steps do if v.stride[k] == 0 then v.stride[k] = 1 end end
  return v.steps > c.rank
end, { rank = range(1, 11), where = "steps > rank" })
breaks("SS-12", "size", "the output has another number of dimensions", { output = { DimensionCount = "by", Layout = "0" } },
       function(r, v, dim, c, out)
  v.by = r.int(0, 16)
  if v.by == #out then return false end
  v.out_extra = 1 << 50
end)

-- The legal sides of limits: alter moves a drawn descriptor there. With `asked`, nothing is executed.
local function holds(clauses, name, title, alter, more)
  local t = { title, name = name, each = classes, dtype = "*", rank = "*", strides = "*",
              cases = { quick = more and more.asked and 10 or 6, full = 150, exhaustive = 3000 } }
  for word, value in pairs(more or {}) do t[word] = value end
  t.draw = function(r, c)
    local v, dim, out = draw_any(r, c, t.asked and r.about(2, 1 << 40) or nil)
    if not v or alter(r, v, dim, c, out) == false then return nil end
    out = out_sizes(v, dim)
    if not t.asked and product(out) > 65536 then return nil end
    v.out_rank, v.out_stride = #out, r.strides(out, { dtype = c.dtype, span = t.asked and 4294967295 or nil })
    return v
  end
  any:limit(clauses)(t)
end
holds("SS-01 SS-06 SS-14", nil, "as many steps as dimensions, or 16, and outputs of 16 dimensions", function(r, v, dim, c, out)
  return v.steps == c.rank or v.steps == 16 or #out == 16
end)
holds("SS-02", nil, "masks that are all ones, or have 16 values", function(r, v)
  if v.masks == "absent" or v.steps == 0 then return false end
  v.more, v.without = 16 - v.steps, 0
  for k = 1, v.steps do if v.kind[k] == "range" then v.begin_mask[k], v.end_mask[k] = 1, 1 end end
end)
holds("SS-04", nil, "one ellipsis, in any place", function(r, v) return step_of(r, v, "ellipsis") ~= false end)
holds("SS-09", nil, "shrink steps that take the first and the last element, up to 2^40", function(r, v, dim)
  if step_of(r, v, "shrink") == false then return false end
  local n = v.size[dim[v.broken]]
  v.begin[v.broken], v.broken = r.pick { -n, n - 1, 0, -1 }, 0
end, { asked = true })
holds("SS-10", nil, "strides of 1, of 64 bits and of both signs", function(r, v)
  if step_of(r, v, "range") == false then return false end
  v.stride[v.broken], v.broken = r.pick { 1, -1, math.maxinteger, math.mininteger, -math.maxinteger, 1 << 31, -(1 << 32) }, 0
end, { strides = { 1 } })
holds("SS-12", "empty", "outputs without elements", function(r, v, dim)
  if step_of(r, v, "range") == false then return false end
  local k = v.broken
  v.begin_mask[k], v.end_mask[k], v.stride[k], v.broken = 0, 0, 1, 0
  v.begin[k] = r.about(-1, v.size[dim[k]] + 2)
  v["end"][k] = v.begin[k]
end)
holds("SS-12", nil, "ranges that take all of up to 2^40 elements", function(r, v)
  for k = 1, v.steps do if v.kind[k] == "range" and v.masks == "given" then v.begin_mask[k], v.end_mask[k] = 1, 1 end end
  if v.steps > 0 then v.more, v.without = math.max(v.more, 0), 0 end
end, { asked = true })
holds("SS-14", "interleaved", "interleaved elements of the output that share no address", function(r, v, dim, c, out)
  v.out_layout = "strides"
end)

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
-- Axes of illegal descriptors. Each has one value here, so that no test above varies it.
op:axis "broken" { 0 }               -- step, or dimension, that is changed
op:axis "by"     { 1 }               -- how far, or to what
op:axis("other", "another element type, for a change") { "f32" }
op:positions("step", "steps")

local function changed(value, base, at) return "pick(" .. at .. " == broken, " .. value .. ", " .. base .. ")" end
local step, inside = "broken >= 1 and broken <= steps", "broken >= 1 and broken <= rank"
local values = { begin = "begin", ["end"] = "end_", stride = "stride" }
local masks = { "begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask" }

for _, tensor in ipairs { "data", "output" } do
  op:invalid "SS-01" {
    tensor .. " is missing", name = tensor, rank = "*", dtype = "*", change = { [tensor] = { Present = "0" } },
  }
  op:invalid "SS-01" {
    tensor .. " has no shape", name = tensor .. "-shape", rank = "*", dtype = "*",
    change = { [tensor] = { Null = null.sizes } },
  }
  op:invalid "SS-01" {
    tensor .. " has no shape, and Sizes hold garbage", name = tensor .. "-shape-garbage", rank = "*", dtype = "*",
    change = { [tensor] = { Null = null.sizes, Sizes = "size + 1" } },
  }
end
for _, list in ipairs { "begin", "end", "stride" } do
  if list ~= "stride" then
    op:invalid "SS-01" { list .. " is missing", name = list, rank = "*", steps = { 0, 1, 2, 3 }, dtype = "*",
                         change = { [list] = { Present = "0" } } }
  end
  op:invalid "SS-01" {
    list .. " has more values than the other lists, or fewer", name = list .. "-length", rank = "*",
    steps = { 1, 2, 3, 0, 12 }, dtype = "*", by = { 1, 2, 4, -1, -2, -3 }, where = "steps + by >= 0",
    change = { [list] = { Value = values[list], Count = "steps + by", Rest = "1" } },
  }
end
for _, mask in ipairs(masks) do
  local base = mask == "new_axis_mask" and "eq(kind, 'new')" or mask == "shrink_axis_mask" and "eq(kind, 'shrink')" or
               mask == "ellipsis_mask" and "eq(kind, 'ellipsis')" or mask
  op:invalid "SS-02" {
    mask .. " has a value that is neither 0 nor 1", name = mask, rank = { 2, 1, 3, 12 }, steps = { 1, 2, 3 },
    dtype = { "f32", "u8" }, kind = "*", broken = range(1, 3), by = { 2, 3, 128, 255 }, where = step,
    change = { [mask] = { Value = changed("by", base, "step") } },
  }
  op:invalid "SS-02" {
    mask .. " has such values behind the steps, up to the sixteenth", name = mask .. "-behind", rank = { 12, 1 },
    steps = { 12, 1, 0 }, dtype = { "f32", "u8" }, where = "steps <= rank", by = { 2, 3, 128, 255 },
    change = { [mask] = { Value = base, Count = "16", Rest = "by" } },
  }
end
op:invalid "SS-04" {
  "ellipsis_mask has two ones", rank = { 2, 1, 3, 4, 8 }, steps = { 2, 3, 4, 5 }, kind = { "range", "shrink", "new" },
  broken = range(1, 4), by = range(2, 5), where = { "broken < by and by <= steps", "steps <= 3 or each(kind == 'new')" },
  change = { ellipsis_mask = { Value = "eq(step, broken) + eq(step, by)" } },
}
op:invalid "SS-06" {
  "more range and shrink steps than data has dimensions", rank = { 2, 1, 3, 4 }, steps = { 1, 2, 3, 4, 5 },
  dtype = { "f32", "u8" }, kind = "*", where = "steps - count(kind == 'ellipsis') > rank",
  change = { new_axis_mask = { Value = "0 * step" } },
}
-- Both sides of the border, from the nearest value to the 64-bit extremes.
local far = { 1, 2, 2147483648, 4294967296, math.maxinteger - 100 }
for _, side in ipairs { { "behind", "2 + by" }, { "before", "-3 - by" } } do
  local name, value = side[1], side[2]
  op:invalid "SS-09" {
    "a shrink step takes an element " .. name .. " the dimension", name = name, rank = { 2, 1, 3, 4, 12 },
    steps = { 1, 2, 3 }, dtype = { "f32", "u8" }, size = { 3 }, kind = "*",
    broken = range(1, 3), by = far, change = { begin = changed(value, "begin", "step") },
    where = { step, "each(step ~= broken or kind == 'shrink')" },
  }
end
op:invalid "SS-10" {
  "the stride of a range step is 0", rank = { 2, 1, 3, 4, 12 }, steps = { 1, 2, 3, 4 }, dtype = { "f32", "u8", "f64" },
  kind = "*", broken = range(1, 4), begin_mask = "*", end_mask = "*", change = { stride = changed("0", "stride", "step") },
  where = { step, "each(step ~= broken or kind == 'range')", "each(begin_mask == end_mask)",
            "steps <= 3 or each(begin_mask == 0)", "each(kind == 'range' or begin_mask + end_mask == 0)" },
}
-- With steps that copy, the output has the sizes of data; the change makes them differ.
op:invalid "SS-12" {
  "a size of the output differs", name = "size", rank = { 2, 1, 3, 4, 8, 12 }, steps = { 1, 0, 2 }, dtype = "*",
  broken = range(1, 12), by = { 1, -1, 2, -3, 65536 }, where = inside,
  change = { output = { Sizes = changed("size + by", "size", "at") } },
}
op:invalid "SS-12" {
  "the output has another number of dimensions", name = "rank", rank = "*", steps = { 1, 0 }, dtype = "*", by = { 1, 2, 3 },
  where = "by <= rank", change = { output = { DimensionCount = "rank - by" } },
}
op:invalid "SS-12" {
  "the output keeps a dimension that a shrink step removes, or lacks a new axis", name = "kept", rank = "*", steps = { 1, 2, 3 },
  dtype = { "f32", "u8", "f64" }, kind = "*", where = "count(kind == 'shrink') ~= count(kind == 'new')",
  change = { output = { Sizes = "size" } },
}
op:invalid "SS-12" {
  "the count of a range is rounded down", name = "floor", rank = { 1, 2, 3, 4 }, dtype = "*", size = { 3, 5, 7 },
  stride = { 2, 3, 4 }, where = { "size[1] % stride[1] ~= 0", "rank <= 1 or min(size) == max(size)" },
  change = { output = { Sizes = "pick(at == 1, size // stride[1], size)" } },
}
op:invalid "SS-12" {
  "the output has one dimension more than data, whose Sizes hold garbage behind the last dimension",
  name = "behind", rank = range(2, 12), dtype = "*", by = { math.mininteger },
  change = { data = { Sizes = "pick(at == rank, by, size)", Strides = "0 * size", DimensionCount = "rank - 1",
                      TotalTensorSizeInBytes = "65536" } },
}
op:invalid "SS-12" {
  "the count of a range is cut to 32 bits, or compared in 32 bits", name = "wide", vast = true,
  rank = { 1 }, long = { 1 }, length = { 4294967297, 4294967295, 17179869185 }, dtype = "*",
  in_layout = { "broadcast-all" }, stride = { 1 },
  begin_mask = { 1 }, end_mask = { 1 }, change = { output = { Sizes = "1 + 0 * size", TotalTensorSizeInBytes = "65536" } },
}
op:invalid "SS-12" {
  "the count of a backward range is cut to 32 bits, or compared in 32 bits", name = "wide-backward", vast = true,
  rank = { 1 }, long = { 1 }, length = { 4294967297, 4294967295, 17179869185 }, dtype = "*",
  in_layout = { "broadcast-all" }, ["end"] = { math.mininteger }, stride = { -1 },
  begin_mask = { 1 }, change = { output = { Sizes = "1 + 0 * size", TotalTensorSizeInBytes = "65536" } },
}
for _, tensor in ipairs { "data", "output" } do
  op:invalid "SS-14" {
    tensor .. " alone has another type", name = tensor .. "-type", rank = "*", dtype = "*", other = { all.dtypes },
    where = "other ~= dtype", change = { [tensor] = { DataType = "other" } },
  }
  op:invalid "SS-14" {
    tensor .. " does not fit into its bytes", name = tensor .. "-short", rank = "*", dtype = "*",
    size = { 3, 1, 2 }, by = { 3, 1, 2 }, -- all sizes are `by`, which cuts the others off before they are multiplied
    in_layout = { "packed", "padded", "transposed" }, out_layout = { "packed", "padded", "transposed" },
    where = { "in_layout == out_layout", "each(size == by)" }, change = { [tensor] = { Extra = "-4" } },
  }
  op:invalid "SS-14" {
    tensor .. " has no bytes", name = tensor .. "-none", rank = "*", dtype = "*", size = { 3, 1 },
    by = { 3, 1 }, where = "each(size == by)", change = { [tensor] = { TotalTensorSizeInBytes = "0" } },
  }
end
op:invalid "SS-14" {
  "data has more dimensions than are judged, or none", name = "data-rank", rank = "*", dtype = "*",
  by = { 0, 13, 16, 17, 255, 4294967295 }, change = { data = { DimensionCount = "by", TotalTensorSizeInBytes = "65536" } },
}
op:invalid "SS-14" {
  "an output of 16 dimensions does not fit into its bytes", name = "output-short-16", rank = { 12, 11 }, steps = { 4, 5 },
  dtype = "*", kind = { "new" }, where = "rank + steps == 16", change = { output = { Extra = "-4" } },
}
op:invalid "SS-14" {
  "strides that wrap: data seems to span a single element", name = "data-wraps", rank = { 1, 2, 12 }, dtype = "*",
  size = { 2, 3 }, where = "each(size == pick(at == 1, 3, 2))", by = { math.mininteger },
  change = { data = { Strides = "pick(at == 1, by, 0)", TotalTensorSizeInBytes = "65536" } },
}
op:invalid "SS-14" {
  "more steps than are judged", name = "steps", rank = { 12, 1, 2, 3 }, steps = { 12 }, dtype = "*",
  kind = { "range", "new" }, where = "count(kind == 'range') == pick(rank == 12, 12, 1)",
  by = { 17, 18, 255, 2147483649, 4294967295 },
  change = {
    begin = { Value = "begin", Count = "by" }, ["end"] = { Value = "end_", Count = "by" },
    stride = { Value = "stride", Count = "by", Rest = "1" }, begin_mask = { Value = "begin_mask", Count = "by" },
    end_mask = { Value = "end_mask", Count = "by" }, new_axis_mask = { Value = "eq(kind, 'new')", Count = "by" },
    shrink_axis_mask = { Value = "0 * step", Count = "by" }, ellipsis_mask = { Value = "0 * step", Count = "by" },
  },
}
op:invalid "SS-14" {
  "a dimension of 2^63 elements or more", name = "data-size", rank = "*", dtype = "*", broken = range(1, 12),
  by = { math.mininteger, -1 }, where = inside,
  change = { data = { Sizes = changed("by", "size", "at"), TotalTensorSizeInBytes = "65536" } },
}
local unknown = { DataType = "by", TotalTensorSizeInBytes = "65536" }
op:invalid "SS-14" {
  "a data type that does not exist", name = "unknown", rank = "*", dtype = "*", by = { 0, 12, 13, 16, 255, 4294967295 },
  change = { data = unknown, output = unknown },
}

-- ---- the page's examples ------------------------------------------------------------------------------------------
-- They give shapes only. Every element of the input holds its position, so the output shows which element was read.
op:example "1" {
  note = "3:0:-1 of 4 has the elements 3, 2, 1: end is exclusive (E-SS-10)",
  data = { type = "f32", shape = { 4, 4, 4, 4, 4, 4 } }, begin = { 0, 1, 0, 1, 3, 3 }, ["end"] = { 4, 4, 4, 4, 0, 0 },
  stride = { 1, 1, 2, 2, -1, -2 }, output = { type = "f32", shape = { 4, 3, 2, 2, 3, 2 } },
}
op:example "1-as-printed" {
  note = "the page's output has a fifth dimension of 4 (E-SS-10)", invalid = "SS-12",
  data = { type = "f32", shape = { 4, 4, 4, 4, 4, 4 } }, begin = { 0, 1, 0, 1, 3, 3 }, ["end"] = { 4, 4, 4, 4, 0, 0 },
  stride = { 1, 1, 2, 2, -1, -2 }, output = { type = "f32", shape = { 4, 3, 2, 2, 4, 2 } },
}
for _, x in ipairs { { "clamping", 0, "both ranges clamp to nothing (E-SS-11)" },
                     { "clamping-as-printed", 1, "the page's output takes element 2 of a dimension of 2 (E-SS-11)" } } do
  op:example(x[1]) {
    note = x[3], invalid = x[2] == 1 and "SS-19" or nil, data = { type = "f32", shape = { 2, 2 } },
    begin = { 1234, 2 }, ["end"] = { 1234, 4321 }, stride = { 1, -1 }, output = { type = "f32", shape = { x[2], x[2] } },
  }
end
op:example "negative" {
  note = "array[0:2, 0:2, 0:-1]",
  data = { type = "f32", shape = { 2, 3, 4 } }, begin = { 0, 0, 0 }, ["end"] = { 2, 2, -1 }, stride = { 1, 1, 1 },
  output = { type = "f32", shape = { 2, 2, 3 } },
}
op:example "begin-end-mask" {
  note = "array[1:, :, ::-1] has all four elements of the last dimension (E-SS-7); masks of five lengths (E-SS-9)",
  data = { type = "f32", shape = { 2, 3, 4 } }, begin = { 1, 1, 123 }, ["end"] = { 0, 0, 2 }, stride = { 1, 1, -1 },
  begin_mask = { 0, 1, 1 }, end_mask = { 1, 1, 1 }, new_axis_mask = { 0, 0, 0, 0, 0 }, shrink_axis_mask = { 0, 0 },
  ellipsis_mask = { 0 }, output = { type = "f32", shape = { 1, 3, 4 } },
}
op:example "begin-end-mask-as-printed" {
  note = "the page leaves out the first element, as if end were 0 (E-SS-7)", invalid = "SS-18",
  data = { type = "f32", shape = { 2, 3, 4 } }, begin = { 1, 1, 123 }, ["end"] = { 0, 0, 2 }, stride = { 1, 1, -1 },
  begin_mask = { 0, 1, 1 }, end_mask = { 1, 1, 1 }, output = { type = "f32", shape = { 1, 3, 3 } },
}
op:example "new-axis" {
  note = "array[newaxis, 0:2, newaxis, 0:4]",
  data = { type = "f32", shape = { 2, 4 } }, begin = { 1234, 0, -1, 0 }, ["end"] = { 1234, 2, 9876, 4 },
  stride = { 132, 1, 241, 1 }, begin_mask = { 0, 0, 0, 0 }, end_mask = { 0, 0, 0, 0 }, new_axis_mask = { 1, 0, 1, 0 },
  shrink_axis_mask = { 0, 0, 0, 0 }, ellipsis_mask = { 0, 0, 0, 0 }, output = { type = "f32", shape = { 1, 2, 1, 4 } },
}
op:example "shrink-axis-24x40" {
  note = "array[0:1, 0, 0:384, 0:640, 0:8] of the page, its sizes 384 and 640 divided by 16",
  data = { type = "f32", shape = { 1, 2, 24, 40, 8 } }, begin = { 0, 0, 0, 0, 0 }, ["end"] = { 1, 0, 24, 40, 8 },
  stride = { 1, 1, 1, 1, 1 }, shrink_axis_mask = { 0, 1, 0, 0, 0 }, output = { type = "f32", shape = { 1, 24, 40, 8 } },
}

-- The examples with an ellipsis have ten elements a side and 10 or 12 dimensions, more than memory holds: here two a
-- side. The text says 10, the drawing has 12 (E-SS-13, E-SS-14).
local function sides(first, count, ...)
  local shape = { first }
  for _ = 1, count do shape[#shape + 1] = 2 end
  return table.move({ ... }, 1, select("#", ...), #shape + 1, shape)
end
for _, rank in ipairs { 10, 12 } do
  op:example("ellipsis-" .. rank .. "d-of-2") {
    note = "array[0:1, ..., 0:1]: 4 and 5 of 10 elements on the page",
    data = { type = "f32", shape = sides(2, rank - 1) }, begin = { 0, 0, 0 }, ["end"] = { 1, 0, 1 }, stride = { 1, -1, 1 },
    begin_mask = { 0, 0, 0 }, end_mask = { 0, 0, 0 }, new_axis_mask = { 0, 0, 0 }, shrink_axis_mask = { 0, 0, 0 },
    ellipsis_mask = { 0, 1, 0 }, output = { type = "f32", shape = sides(1, rank - 2, 1) },
  }
  op:example("ellipsis-new-axis-" .. rank .. "d-of-2") {
    note = "array[1:, ..., newaxis, :1] with masks of four lengths; 2: and :10 of 10 elements on the page",
    data = { type = "f32", shape = sides(2, rank - 1) }, begin = { 1, 1, 10, 10 }, ["end"] = { 123, 1, 10, 1 },
    stride = { 1, -1, 1, 1 }, begin_mask = { 0, 0, 1, 1 }, end_mask = { 1, 1, 0, 0 }, new_axis_mask = { 0, 0, 1 },
    shrink_axis_mask = { 0 }, ellipsis_mask = { 0, 1 }, output = { type = "f32", shape = sides(1, rank - 2, 1, 1) },
  }
end
for _, count in ipairs { 4, 5 } do
  local new, clause = {}, count == 5 and "SS-14"
  for i = 1, count do new[i] = 1 end
  op:example("output-" .. 12 + count .. "d") {
    note = "12 dimensions and " .. count .. " new ones; up to 16 are judged here", invalid = clause or nil,
    data = { type = "f32", shape = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, data = not clause and { 7 } or nil },
    begin = new, ["end"] = new, stride = new, new_axis_mask = new,
    output = not clause and { type = "f32", shape = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, data = { 7 } }
             or { type = "f32", shape = { 1 } },
  }
end
op:example "output-16d-shrunk" {
  note = "12 dimensions, one removed and five new: 17 if they are counted before the shrink",
  data = { type = "f32", shape = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, data = { 7 } },
  begin = { 0, 0, 0, 0, 0, 0 }, ["end"] = { 1, 1, 1, 1, 1, 1 }, new_axis_mask = { 1, 1, 1, 1, 1 },
  shrink_axis_mask = { 0, 0, 0, 0, 0, 1 },
  output = { type = "f32", shape = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, data = { 7 } },
}
op:example "output-17d-not-shrunk" {
  note = "12 dimensions and five new ones, each also masked as a shrink: the new axis wins, and there are 17",
  invalid = "SS-14", data = { type = "f32", shape = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
  begin = { 0, 0, 0, 0, 0 }, ["end"] = { 1, 1, 1, 1, 1 }, new_axis_mask = { 1, 1, 1, 1, 1 },
  shrink_axis_mask = { 1, 1, 1, 1, 1 }, output = { type = "f32", shape = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
}
op:example "ellipsis-new-axis-as-printed" {
  note = "12 dimensions in, and the 11 that only 10 of them would give (E-SS-14)", invalid = "SS-12",
  data = { type = "f32", shape = sides(2, 11) }, begin = { 1, 1, 10, 10 }, ["end"] = { 123, 1, 10, 1 },
  stride = { 1, -1, 1, 1 }, begin_mask = { 0, 0, 1, 1 }, end_mask = { 1, 1, 0, 0 }, new_axis_mask = { 0, 0, 1 },
  ellipsis_mask = { 0, 1 }, output = { type = "f32", shape = sides(1, 8, 1, 1) },
}

-- ---- the smallest cases in which the text, OpenVINO and others differ (ledger, B.6) -----------------------------------
local four, two_by_three = { type = "f32", shape = { 4 }, data = { 0, 1, 2, 3 } },
                           { type = "f32", shape = { 2, 3 }, data = { 0, 1, 2, 3, 4, 5 } }
local function gives(shape, values) return { type = "f32", shape = shape, data = values } end
local function illegal(name, clause, note, shape, def)
  def.note, def.invalid, def.output = note, clause, { type = "f32", shape = shape }
  op:example(name)(def)
end

op:example "b1-begin-is-end" {
  note = "[4] 1:1:1 is empty; the text would take one element (E-SS-1)",
  data = four, begin = { 1 }, ["end"] = { 1 }, stride = { 1 }, output = gives({ 0 }, {}),
}
op:example "b2-both-clamp" {
  note = "[2] 1234:1234 is empty; the text would read element 2 of 2",
  data = { type = "f32", shape = { 2 } }, begin = { 1234 }, ["end"] = { 1234 }, output = gives({ 0 }, {}),
}
op:example "b3-end-mask-reverse" {
  note = "a masked end of a reverse step lies before the first element (E-SS-7)",
  data = four, begin = { 3 }, ["end"] = { 0 }, stride = { -1 }, end_mask = { 1 }, output = gives({ 4 }, { 3, 2, 1, 0 }),
}
op:example "b4-shrink-ignores-end" {
  note = "a shrink step takes element begin, whatever end is (E-SS-4)",
  data = four, begin = { 1 }, ["end"] = { 3 }, shrink_axis_mask = { 1 }, output = gives({}, { 1 }),
}
op:example "b5-mask-lengths" {
  note = "masks of different lengths (E-SS-9)",
  data = two_by_three, begin = { 1, 1 }, ["end"] = { 1, 2 }, begin_mask = { 1, 0 }, end_mask = { 1 },
  output = gives({ 2, 1 }, { 1, 4 }),
}
op:example "b6-reverse-begin-far-out" {
  note = "a reverse begin before the first element is 0 in the text and -1 in NumPy", ambiguous = "E-SS-6",
  data = four, begin = { -9 }, ["end"] = { -9 }, stride = { -1 }, output = { type = "f32", shape = { 1 }, data = { 0 } },
}
op:example "b7-ellipsis-new-axis" {
  note = "ellipsis and new axis at one step: the ellipsis wins", ambiguous = "E-SS-8",
  data = { type = "f32", shape = { 3 }, data = { 0, 1, 2 } }, begin = { 0 }, ["end"] = { 0 }, new_axis_mask = { 1 },
  ellipsis_mask = { 1 }, output = gives({ 3 }, { 0, 1, 2 }),
}
op:example "b8-ellipsis-shrink" {
  note = "ellipsis and shrink at one step: the ellipsis wins", ambiguous = "E-SS-8",
  data = two_by_three, begin = { 0, 0 }, ["end"] = { 0, 2 }, shrink_axis_mask = { 1, 0 }, ellipsis_mask = { 1, 0 },
  output = gives({ 2, 2 }, { 0, 1, 3, 4 }),
}
op:example "b9-empty-reverse" {
  note = "a reverse step over a dimension of 0", ambiguous = "E-SS-19",
  data = { type = "f32", shape = { 0 } }, begin = { 0 }, ["end"] = { -1 }, stride = { -1 }, output = gives({ 0 }, {}),
}
op:example "b10-new-axis-shrink" {
  note = "new axis and shrink at one step: the new axis wins (E-SS-8b)",
  data = two_by_three, begin = { 0 }, ["end"] = { 0 }, new_axis_mask = { 1 }, shrink_axis_mask = { 1 },
  output = gives({ 1, 2, 3 }, { 0, 1, 2, 3, 4, 5 }),
}
illegal("b11-shrink-beyond", "SS-09", "a shrink step must hit its dimension (E-SS-5b)", {},
        { data = four, begin = { 7 }, ["end"] = { 8 }, shrink_axis_mask = { 1 } })
illegal("b11-shrink-before", "SS-09", "a shrink step must hit its dimension (E-SS-5b)", {},
        { data = four, begin = { -7 }, ["end"] = { -6 }, shrink_axis_mask = { 1 } })
op:example "b12-shrink-begin-mask" {
  note = "a shrink step ignores begin_mask (E-SS-5)",
  data = four, begin = { 2 }, ["end"] = { 3 }, begin_mask = { 1 }, shrink_axis_mask = { 1 }, output = gives({}, { 2 }),
}
op:example "b13-mask-beyond-steps" {
  note = "mask values beyond the last step are ignored (SS-03)",
  data = two_by_three, begin = { 0 }, ["end"] = { 1 }, new_axis_mask = { 0, 1 }, output = gives({ 1, 3 }, { 0, 1, 2 }),
}
op:example "b15-reverse-to-int32-max" {
  note = "the end of a reverse step clamps to the last element, whatever it is: nothing is selected (SS-11)",
  data = { type = "f32", shape = { 3 }, data = { 0, 1, 2 } }, begin = { 0 }, ["end"] = { 2147483647 }, stride = { -1 },
  begin_mask = { 0 }, end_mask = { 0 }, new_axis_mask = { 0 }, shrink_axis_mask = { 0 }, ellipsis_mask = { 0 },
  output = gives({ 0 }, {}),
}
illegal("b14-too-many-steps", "SS-06", "more steps than dimensions", { 1, 1 },
        { data = four, begin = { 0, 0 }, ["end"] = { 1, 1 } })
illegal("b14-two-ellipses", "SS-04", "at most one ellipsis", { 2, 3 },
        { data = two_by_three, begin = { 0, 0 }, ["end"] = { 0, 0 }, ellipsis_mask = { 1, 1 } })
illegal("b14-mask-of-2", "SS-02", "masks are 0 or 1", { 1 },
        { data = four, begin = { 0 }, ["end"] = { 1 }, begin_mask = { 2 } })
illegal("stride-zero", "SS-10", "the stride of a range must not be 0", { 1 },
        { data = four, begin = { 0 }, ["end"] = { 1 }, stride = { 0 } })
illegal("lengths-differ", "SS-01", "begin, end and stride are of one length", { 1, 3 },
        { data = two_by_three, begin = { 0, 0 }, ["end"] = { 1 } })
