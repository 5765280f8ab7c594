-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO GatherTree-1: the ids, parents, lengths and tokens of its cases. docs/cases.md describes the language.
local op = operator "openvino.gather_tree"
local ov = shared()

-- ---- axes: the first value is the default -------------------------------------------------------------------------
op:axis("rank", "dimensions of step_ids") { 3 }
op:axis("dtype", "element type of all tensors") { all.dtypes }
op:axis("in_layout", "memory layout of step_ids") { all.layouts }
op:axis("parents_layout", "memory layout of parent_ids") { all.layouts }
op:axis("lengths_layout", "memory layout of max_seq_len") { "packed", "gaps", "broadcast-all" }
op:axis("out_layout", "memory layout of final_ids") { all.output_layouts }
op:axis("extra", "bytes beyond the least that the tensors need") { 0, 4, 64 }
op:axis("reach", "size of the dimension that `long` names") { ov.lengths }
op:axis("long", "the dimension of step_ids that is `reach` long, from 1; 0: none") { 0, 1, 2, 3 }
op:axis("ids", "how many different step_ids there are; 0: any integers that the type has")
  { 100, 2, 3, 7, 0 }
op:axis("token", "end_token; where ids is 0, the number of the step_id that it equals")
  { 101, 0, 1, 2, 3, 5, 100, -1 }
op:axis("stray", "the parent of the element that `stray_at` names, where it is not 0")
  { 0, 1, 2, 3, 4, 7, 100, 127, 255, 256, 32767, 65535, 65536, 2147483647, 4294967295, 4294967296, math.maxinteger, -1,
    -2, -3, -128, -2147483648, -4294967296, math.mininteger }
op:axis("stray_at", "the number of the stray parent; -1: none, and the first length is stray")
  { 0, 1, 2, 3, 4, 5, 7, 11, -1 }
op:axis("size", "MAX_TIME, BATCH_SIZE and BEAM_WIDTH, except of the long dimension")
  { 3, 1, 2, 4, 0, 5, 6, 8, per = "rank" }
op:axis("length", "the first three of max_seq_len, which are repeated") { 3, 0, 1, 2, 4, 5, 100, 127, per = 3 }
op:axis("parent", "the first four of parent_ids; the others follow from them") { 0, 1, 2, 3, per = 4 }
op:axis("lengths_size", "added to the shape of max_seq_len, for a change") { 0, per = 1 }
op:axis("scalar", "dimensions of end_token") { 0 }
op:axis("token_size", "shape of end_token, which has no dimension") { 1, per = "scalar" }
op:positions("at", "rank")

-- The largest integer up to which a type has all.
local cap = "(dtype == 'i8' and 127 or dtype == 'u8' and 255 or dtype == 'bf16' and 256 or " ..
            "dtype == 'f16' and 2048 or dtype == 'i16' and 32767 or dtype == 'u16' and 65535 or " ..
            "dtype == 'f32' and 16777216 or 2147483647)"
local wide = "dtype == 'i64' or dtype == 'u64'" -- the types that have more than these
local signed = "(dtype ~= 'u8' and dtype ~= 'u16' and dtype ~= 'u32' and dtype ~= 'u64')"
local batches = "(long == 2 and reach or size[2])"

-- Integers over the whole range of a type, which differ for different n.
local function any_integer(n)
  local function mixed(factor, modulus) return "((" .. n .. " * " .. factor .. " + 11) % " .. modulus .. ")" end
  local byte, word, long = mixed(37, 256), mixed(40503, 65536), mixed(2654435761, 4294967296)
  local values = {
    { "i8", byte .. " - 128" }, { "u8", byte }, { "i16", word .. " - 32768" }, { "u16", word },
    { "i32", long .. " - 2147483648" }, { "u32", long },
    { "i64", "(" .. long .. " - 2147483648) * 4294967296 + " .. n .. " % 7" },
    { "u64", long .. " * 2147483648 + " .. n .. " % 7" }, { "f16", "(" .. mixed(37, 4095) .. " - 2047) * 32" },
    { "bf16", "(" .. mixed(37, 511) .. " - 255) * 1048576" },
    { "f32", "(" .. mixed(10000019, 33554431) .. " - 16777215) * 65536" },
  }
  local chosen = "(" .. long .. " - 2147483648) * 1048576" -- of f64
  for _, v in ipairs(values) do chosen = "dtype == '" .. v[1] .. "' and " .. v[2] .. " or " .. chosen end
  return "(" .. chosen .. ")"
end
local stray_fits = "(stray <= " .. cap .. " or " .. wide .. ") and (stray >= 0 or " .. signed ..
                   " and (stray >= -" .. cap .. " or dtype == 'i64'))"

op:where("long <= rank")
op:where("token >= 0 or " .. signed)
op:where("ids ~= 0 or token >= 0")
op:where("stray == 0 or " .. stray_fits)

local whole = "pick(at == long, reach, size)"
op:bind {
  step_ids    = { DataType = "dtype", Sizes = whole, Layout = "in_layout", Extra = "extra",
                  Data = "ids == 0 and " .. any_integer "i" .. " or i % max(ids, 1)" },
  parent_ids  = { DataType = "dtype", Sizes = whole, Layout = "parents_layout", Extra = "extra",
                  Data = "stray ~= 0 and i == stray_at and stray or (parent[i % 4 + 1] + i // 4) % " ..
                         "max(min((long == 3 and reach or size[3]), " .. cap .. "), 1)" },
  max_seq_len = { DataType = "dtype", Sizes = "lengths_size + " .. batches, Layout = "lengths_layout", Extra = "extra",
                  Data = "stray ~= 0 and stray_at == -1 and i == 0 and stray or " ..
                         "long == 1 and max(min(reach - i, " .. cap .. "), 0) or length[i % 3 + 1]" },
  end_token   = { DataType = "dtype", Sizes = "token_size", Extra = "extra",
                  Data = "ids == 0 and " .. any_integer "token" .. " or token" },
  final_ids   = { Layout = "out_layout", Extra = "extra" },
}

-- ---- tests --------------------------------------------------------------------------------------------------------

local steps = "product(size)" -- elements, without a long dimension

-- Unused elements of `length` and `parent` stay at their default, so that no two cases are equal.
local function few(more)
  local where = { "each(parent < max(size[3], 1))" }
  for k = 1, 3 do
    where[#where + 1] = ("size[2] >= %d and length[%d] <= size[1] + 1 or size[2] < %d and length[%d] == 3")
                        :format(k, k, k, k)
  end
  for k = 1, 4 do where[#where + 1] = ("%s >= %d or parent[%d] == 0"):format(steps, k, k) end
  return table.move(more, 1, #more, #where + 1, where)
end

-- Finds faults in the first and last step, in parents of another batch or step, and in what an end_token ends.
op:test "exhaustive" {
  "every way through a few small steps",
  dtype = "*", ids = { 100, 2 }, token = { 101, 0, 1, 2, 3 }, size = { 3, 1, 2, 4, 0 }, length = { 3, 0, 1, 2, 4, 5 },
  parent = { 0, 1, 2, 3 },
  where = few {
    steps .. " <= 12", "ids == 100 or token <= 1", "size[1] <= 3 or size[2] == 1 and size[3] <= 2",
    "size[2] <= 2 or size[1] * size[3] <= 4 and length[3] == 3", "size[3] <= 3 or size[1] <= 2 and size[2] <= 1",
    "dtype == 'i32' or dtype == 'f32' or " .. steps .. " <= 6 and token <= 1",
    "dtype == 'i32' or size[2] <= 1 or token >= 100 or token == 1",
  },
}

op:test "pairwise" {
  "every pair of values of all parameters", vary = "*", strength = 2, reach = { 64 }, long = { 0 }, stray = { 0 },
  stray_at = { 0 }, where = { "ids ~= 0 or token <= 5" },
}

-- Finds tails of vectors and grids, counts of 8 and 16 bits in each role, and parents far along a wide beam.
op:test "boundary" {
  "one long dimension about each power of two", dtype = "*", ids = { 100, 0 }, token = { 101, 5 }, reach = ov.lengths,
  long = { 1, 2, 3 }, size = { 2, 1, 3 }, length = { 2, 3 }, parent = { 1, 0, 2, 3 },
  where = {
    "each(at ~= long or size == 1)", "each(length == length[1])", "long ~= 1 or length[1] == 2",
    "parent[1] == 1 and parent[2] == 0 and parent[3] == 3 and parent[4] == 2", "ids == 100 or token == 5",
    "ids == 100 or reach <= 257 and sum(size) <= 4",
    "reach <= 129 or dtype == 'i32' or dtype == 'f32' or dtype == 'u8' and sum(size) <= 4",
    "reach <= 257 or dtype == 'i32' or sum(size) <= 4",
    "reach <= 1025 or sum(size) <= 4 and dtype == 'i32' and token == 101",
  },
}

-- Finds wrong addresses of several tensors at once.
op:test "layout" {
  "every combination of the layouts of all tensors", dtype = "*", in_layout = "*", parents_layout = "*",
  lengths_layout = "*", out_layout = "*", size = { 3, 2 }, length = { 3, 2 }, parent = { 1, 0, 2 }, token = { 101, 2 },
  where = {
    "parents_layout == in_layout or parents_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "length[1] == 3 and length[2] == 2 and length[3] == 3", "parent[1] == 1 and parent[2] == 0 and parent[3] == 2",
    "parent[4] == 1", "sum(size) == 8 or size[1] == 3 and sum(size) == 7", "lengths_layout == 'packed' or token == 101",
  },
}

-- Finds ids that pass through another type on their way, or are compared in parts.
op:test "special" {
  "integers of the whole range of each type are copied bit for bit", dtype = "*", ids = { 0 },
  token = { 101, 0, 1, 2, 3, 5, 100 }, size = { 3, 4, 6, 8 }, length = { 3, 2, 4 }, parent = { 1, 0, 2, 3 },
  where = {
    "parent[1] == 1 and parent[3] == 2", "size[1] <= 4 or size[2] == 3", "each(length == length[1])",
    "token <= 5 or parent[2] == 0 and parent[4] == 3", "parent[2] <= 1 or size[3] == 8",
  },
}

-- Finds lengths that are narrowed, or not limited to MAX_TIME.
op:test "lengths" {
  "lengths of every magnitude, each batch with its own", dtype = "*", ids = { 100, 3 }, token = { 101, 1, 2, -1 },
  size = { 3, 1, 2, 4, 5 }, length = "*", parent = { 1, 0 },
  where = {
    "size[3] == 2 or size[3] == 3 and size[1] == 3", "dtype == 'i32' or token == 101 or ids == 3",
    "size[2] == 3 or size[2] == 1 and length[2] == 3 and length[3] == 3",
    "parent[1] == 1 and parent[2] == 0", "dtype == 'i32' or size[1] <= 3 and parent[3] == 1 and (length[3] <= 3)",
  },
}

-- Finds lengths of which the lower half is compared with MAX_TIME.
op:test "far_lengths" {
  "a length far beyond all steps", dtype = "*", stray_at = { -1 }, size = { 3, 2 },
  stray = { 255, 256, 32767, 65535, 65536, 2147483647, 4294967295, 4294967296, math.maxinteger },
  length = { 3, 2, 1 }, parent = { 1, 0 },
  where = { "size[2] == 2 and size[3] == 2", "length[1] == 3 and length[3] == 3",
            "parent[1] == 1 and parent[2] == 0 and parent[3] == 1 and parent[4] == 0" },
}

-- State that is retained between calls must not change results. Only the last call of each case is judged.
for _, c in ipairs(ov.calls) do
  op:test("after_" .. c[1]) {
    "a call after " .. c[3], after = c[2], ids = { 100, 0 }, dtype = { "i32", "u8", "f16", "f64" }, token = { 101, 2 },
    in_layout = c[4] or { "packed", "padded" }, size = { 3, 2 }, length = { 3, 2 }, parent = { 1, 0, 2 },
    where = { "parent[3] == 1 and parent[4] == 0", "length[3] == 3", "ids == 100 or token == 2" },
  }
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "elements gigabytes apart, in step_ids, parent_ids, final_ids or all of them", sparse = true, dtype = "*",
  in_layout = { "packed", all.far_layouts }, parents_layout = { "packed", all.far_layouts },
  out_layout = { "packed", all.far_layouts }, size = { 3, 1, 2 }, length = { 3, 2 }, parent = { 1, 0 },
  where = {
    "in_layout ~= 'packed' or parents_layout ~= 'packed' or out_layout ~= 'packed'",
    "parents_layout == in_layout or parents_layout == out_layout or in_layout == 'packed' and out_layout == 'packed'",
    "product(size) > 1 and product(size) <= 9", "length[1] == 3 and length[2] == 2 and length[3] == 3",
    "parent[1] == 1 and parent[2] == 0 and parent[3] == 1 and parent[4] == 0", "each(parent < max(size[3], 1))",
  },
}

-- A parent that is no beam, or a length below 0. The page does not say what it does: nothing outside is read or
-- written, and the sequences that do not need it are right.
op:test "out_of_range" {
  "one parent or length that there is not: no fault, and all other sequences are right", dtype = "*", stray = "*",
  stray_at = "*", size = { 3, 2, 1 }, length = { 3, 2, 1 }, parent = { 0, 1 }, in_layout = { "packed", "padded" },
  token = { 101, 2 },
  where = {
    "stray ~= 0", "stray < 0 or stray >= size[3] and stray_at >= 0", "stray_at < product(size)",
    -- Each sequence reads the parent of its last step, and the only one of a batch all.
    "stray_at < 0 or size[1] >= 2 and each(length == 3) and (stray_at >= (size[1] - 1) * size[2] * size[3] or " ..
      "size[3] == 1 and stray_at >= size[2])",
    "each(parent < size[3])", "parent[4] == 0", "length[3] == 3", "stray_at >= 0 or parent[2] == 0",
    "dtype == 'i32' or in_layout == 'packed' or parent[3] == 0",
  },
}

shared(op)

-- ---- drawn cases --------------------------------------------------------------------------------------------------

-- Any sizes, parents, lengths, ids and layouts: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"  { 3 }
any:axis "dtype" { all.dtypes }
for _, name in ipairs { "in_layout", "parents_layout", "out_layout" } do any:axis(name) { "packed", "strides" } end
any:axis("in_extra", "bytes beyond the least that step_ids need") { 0 }
any:axis("parents_extra", "bytes beyond the least that parent_ids need") { 0 }
any:axis("lengths_extra", "bytes beyond the least that max_seq_len needs") { 0 }
any:axis("token_extra", "bytes beyond the least that end_token needs") { 0 }
any:axis("out_extra", "bytes beyond the least that final_ids need") { 0 }
any:axis "ids" { 100 }
any:axis "token" { 101 }
any:axis("above", "what is added to ids and token, where ids is not 0") { 0 }
any:axis("mix", "the difference of two parents that follow each other") { 1 }
any:axis("turn", "the first parent") { 0 }
any:axis "stray" { 0 }
any:axis "stray_at" { 0 }
any:axis("longest", "the length of the first batch") { 3 }
any:axis("lag", "by how much shorter the next batch is; those of less than no step begin again") { 1 }
any:axis("size", "MAX_TIME, BATCH_SIZE and BEAM_WIDTH") { 3, per = "rank" }
any:axis "lengths_size" { 0, per = 1 }
any:axis "scalar" { 0 }
any:axis "token_size" { 1, per = "scalar" }
for _, t in ipairs { { "in", "step_ids" }, { "parents", "parent_ids" }, { "out", "final_ids" } } do
  any:axis(t[1] .. "_stride", "strides of " .. t[2] .. " in memory, where its layout is strides") { 0, per = "rank" }
  any:axis(t[1] .. "_base", "where " .. t[2] .. " begin: bytes behind a multiple of 64; -1: anywhere") { -1 }
end
local words = { "data", "dtype", "in_layout", "parents_layout", "out_layout", "in_extra", "token", "mix", "turn",
                "longest", "lag", "size", "in_stride", "parents_stride", "out_stride", "out_base",
                "refused", "swapped", "others" }
ov.variant_axes(any, words)
any:positions("at", "rank")
any:where("token >= 0 or " .. signed)
any:where("ids >= 0 and ids <= 100 and token <= 127 and (ids ~= 0 or token >= 0)")
any:where("mix >= 0 and turn >= 0 and longest >= 0 and lag >= 0")
any:where("stray == 0 or " .. stray_fits)
any:bind {
  step_ids    = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Extra = "in_extra",
                  Base = "in_base", Data = "ids == 0 and " .. any_integer "i" .. " or above + i % max(ids, 1)" },
  parent_ids  = { DataType = "dtype", Sizes = "size", Layout = "parents_layout", Strides = "parents_stride",
                  Extra = "parents_extra", Base = "parents_base",
                  Data = "stray ~= 0 and i == stray_at and stray or " ..
                         "(i * mix + turn + i // max(size[3], 1)) % max(min(size[3], " .. cap .. "), 1)" },
  max_seq_len = { DataType = "dtype", Sizes = "lengths_size + size[2]", Extra = "lengths_extra",
                  Data = "min((longest - i * lag) % (max(size[1], longest) + 1), " .. cap .. ")" },
  end_token   = { DataType = "dtype", Sizes = "token_size", Extra = "token_extra",
                  Data = "ids == 0 and " .. any_integer "token" .. " or above + token" },
  final_ids   = { Layout = "out_layout", Strides = "out_stride", Extra = "out_extra", Base = "out_base" },
}

-- Where integers begin that a float of 32 or 64 bits does not tell from their neighbours.
local single, double = 1 << 24, 1 << 53
local beyond_floats = { i32 = { single }, u32 = { single }, i64 = { single, double }, u64 = { single, double },
                        f64 = { single } }

-- Everything but the sizes; most: of elements, where nothing runs.
local function draw_sized(r, c, size, most)
  local function strided(shares, like)
    return { dtype = c.dtype, shares = shares, like = like, span = most and most > 4096 and 4294967295 or nil }
  end
  local in_stride = r.strides(size, strided(true))
  local ids, unsigned = r.pick { 100, 100, 2, 3, 7, 0, 0, 50 }, c.dtype:sub(1, 1) == "u"
  local function layout() return r.chance(50) and "strides" or "packed" end
  return {
    size = size, ids = ids, mix = r.about(0, 64), turn = r.about(0, 64),
    above = beyond_floats[c.dtype] and r.chance(15) and r.pick(beyond_floats[c.dtype]) or 0,
    token = ids > 0 and r.chance(40) and (r.chance(20) and not unsigned and -1 or 101) or
            r.about(0, math.max(ids - 1, 20)),
    longest = r.chance(60) and math.min(size[1], 1 << 20) or r.about(0, 2 * math.min(size[1], 1 << 20) + 1),
    lag = r.chance(50) and 0 or r.about(0, 40),
    in_layout = layout(), parents_layout = layout(), out_layout = layout(), in_stride = in_stride,
    parents_stride = r.strides(size, strided(true, r.chance(50) and in_stride or nil)),
    out_stride = r.strides(size, strided(false, in_stride)),
    in_extra = r.chance(20) and r.about(0, 65536) or 0, parents_extra = r.chance(20) and r.about(0, 4096) or 0,
    lengths_extra = r.chance(20) and r.about(0, 4096) or 0, token_extra = r.chance(20) and r.about(0, 4096) or 0,
    out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_base = r.base(), parents_base = r.base(), out_base = r.base(),
  }
end

local classes = { "dtype", "rank", "scalar" }
local function draw_any(r, c, most, given)
  local size = given or r.sizes(3, most or math.min(r.elements(), 4096))
  if not given and r.chance(2) then size[r.int(1, 3)] = 0 end
  return draw_sized(r, c, size, most)
end
-- A long beam search: more steps than beams.
local function draw_long(r, c)
  local size = r.sizes(3, 64)
  size[1] = r.about(16, 300)
  return draw_sized(r, c, size)
end

local function draw_planned(r, c, shape)
  local size, plan = shape(3)
  local v = draw_sized(r, c, size)
  v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(size, size, plan, c.dtype)
  return v
end

any:test "drawn" {
  "any sizes, parents, lengths, ids and layouts", each = classes, dtype = "*", rank = "*", scalar = "*",
  cases = { quick = 300, full = 5000, exhaustive = 1000000 },
  draw = function(r, c)
    if r.chance(25) then return draw_long(r, c) end
    return draw_any(r, c)
  end,
}
any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*",
  rank = "*", scalar = "*",
  cases = { quick = 200, full = 1500, exhaustive = 100000 },
  draw = ov.after(draw_any, draw_planned, words),
}
any:test "drawn_counts" {
  "more than 2^16 of something: steps, batches, beams", each = classes, dtype = "*", rank = "*", scalar = "*",
  cases = { quick = 1, full = 12, exhaustive = 4000 },
  draw = function(r, c) return draw_any(r, c, nil, r.long_sizes(3)) end,
}
local function drawn_test(name, title, cases, draw, more)
  local t = { title, each = classes, dtype = "*", rank = "*", scalar = "*", cases = cases, draw = draw }
  for word, value in pairs(more or {}) do t[word] = value end
  any:test(name)(t)
end
local narrow = { dtype = { "i32", "u8", "f16", "f32", "i64" } }
ov.large_tests(drawn_test, {
  plain = true, classes = narrow, deep = narrow, large = { dtype = { "i32" } }, quick = { rows = 4, cubes = 5 },
  full = { rows = 12, cubes = 12, high = 1 }, planned = draw_planned,
})
drawn_test("drawn_bits", "parents of more than 17 to 19 bits", { quick = 2, full = 8, exhaustive = 1000 }, function(r, c)
  local beams = (1 << r.pick { 18, 18, 18, 17, 19 }) + r.int(1, 8)
  local v = draw_sized(r, c, { 2, 1, beams })
  v.mix, v.turn, v.longest, v.lag, v.ids, v.token = r.int(1, 5), r.int(0, beams - 1), 2, 0, 100, 101
  return v
end, { dtype = { "i32", "f32" } })
-- Finds tails of groups of sequences, and beams that are too wide for a fast memory.
any:test "drawn_wide" {
  "hundreds of sequences in dense tensors, or thousands of beams", each = classes, dtype = { "i32", "f32", "i64", "u8" },
  rank = "*", scalar = "*", cases = { quick = 12, full = 400, exhaustive = 20000 },
  draw = function(r, c)
    local size, dense = { r.int(2, 9), r.int(1, 12), r.int(2, 48) }, r.chance(60)
    if dense then size[r.int(2, 3)] = r.int(64, 300) else size = { r.int(2, 3), r.int(1, 3), r.int(4096, 20000) } end
    local v = draw_sized(r, c, size)
    for _, layout in ipairs { "in_layout", "parents_layout", "out_layout" } do
      if dense and r.chance(80) then v[layout] = "packed" end
    end
    if r.chance(20) then -- a parent that is no beam
      v.stray_at = r.int((size[1] - 1) * size[2] * size[3], ov.product(size) - 1)
      v.stray = (c.dtype == "i32" or c.dtype == "i64") and r.pick { size[3], -1, -2147483648, 2147483647 } or 0
    end
    if r.chance(60) then v.ids = r.int(2, 9) end -- most sequences meet the token
    if v.ids > 0 and r.chance(60) then v.token = r.int(0, v.ids - 1) end
    if r.chance(60) then v.longest = size[1] end
    return v
  end,
}
-- Finds grids of one dimension, and sequences or rows of beams that are counted in 16 bits.
local function draw_grid(r, c, count)
  local size, k = { r.int(1, 3), r.int(1, 7), r.int(1, 7) }, r.int(2, 3)
  size[k] = count // size[5 - k] + r.int(1, 64)
  local v = draw_sized(r, c, size)
  if r.chance(50) then v.in_layout, v.parents_layout, v.out_layout = "packed", "packed", "packed" end
  return v
end
any:test "drawn_grids" {
  "more than 65,535 sequences, or groups of 64 of them", each = classes, dtype = { "i32", "u8", "f16", "f32", "i64" },
  rank = "*", scalar = "*", cases = { full = 12, exhaustive = 4000 },
  draw = function(r, c) return draw_grid(r, c, r.pick { 65536, 65536, 131072, 65536 * r.int(1, 4) }) end,
}
any:test "drawn_large" {
  "2^24 sequences: more groups of 256 than a dimension of a dispatch has", each = classes, dtype = { "i32" }, rank = "*",
  scalar = "*", cases = { full = 1, exhaustive = 12 },
  draw = function(r, c)
    local size, k = { 2, 1, 1 }, r.int(2, 3)
    size[k] = 16776960 + r.int(1, 1024)
    local v = draw_sized(r, c, size)
    v.in_layout, v.parents_layout, v.out_layout = "packed", "packed", "packed"
    return v
  end,
}
-- Finds offsets that 32 bits cannot hold, in elements or in bytes. The operator does not limit them.
-- More beams than a fast memory holds, and the steps, the batches or the beams of all tensors far apart.
local function draw_far_beams(r, c)
  local v = draw_sized(r, c, { 2, 2, r.int(7300, 7400) })
  local far = r.pick { 1, 1, 1, 1, 2, 2, 2, 2, 3 } -- 3 touches a page for each beam
  for _, tensor in ipairs { "in", "parents", "out" } do
    local stride = far == 3 and { 1, 2, 4 } or { v.size[3], v.size[3], 1 }
    stride[far] = far == 3 and r.int(300000, 1100000) or r.int(2147483648, 8589934592)
    v[tensor .. "_stride"], v[tensor .. "_layout"] = stride, "strides"
  end
  v.longest, v.lag = r.pick { 2, 2, 1 }, 0
  return v
end

any:test "drawn_sparse" {
  "elements up to 2^33 elements apart", sparse = true, each = classes, dtype = "*", rank = "*", scalar = "*",
  cases = { quick = 16, full = 500, exhaustive = 20000 },
  draw = function(r, c)
    if r.chance(5) then return draw_far_beams(r, c) end
    local v = draw_any(r, c, 24)
    local size = v.size
    v.in_stride, v.parents_stride, v.out_stride = r.strides(size, {}), r.strides(size, {}), r.strides(size, {})
    return ov.spread(r, v, { { size, v.in_stride, "in_layout" }, { size, v.parents_stride, "parents_layout" },
                             { size, v.out_stride, "out_layout" } })
  end,
}
any:test "drawn_first" {
  "the first call of a process", fresh = true, each = classes, dtype = "*", rank = "*", scalar = "*",
  cases = { quick = 1, full = 12, exhaustive = 400 },
  draw = function(r, c) return draw_any(r, c, 256) end,
}

-- ---- illegal descriptors, and the legal side ----------------------------------------------------------------------
local breaks = ov.illegal(any, { classes = classes, draw = draw_any })
local holds = ov.legal(any, { classes = classes, draw = draw_any })
local tensors = { { "step_ids", "GT1-02", "in" }, { "parent_ids", "GT1-05", "parents" },
                  { "max_seq_len", "GT1-06", "lengths" }, { "end_token", "GT1-07", "token" },
                  { "final_ids", "GT1-08", "out" } }
local numbers = { f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8, f64 = 9, u64 = 10, i64 = 11 }
local roomy = "4611686018427387904"
for _, t in ipairs(tensors) do
  local tensor, shape, key = t[1], t[2], t[3]
  breaks("GT1-01", key, tensor .. " is missing", { [tensor] = { Present = "0" } })
  breaks("GT1-03", key, tensor .. " alone has another type", { [tensor] = { DataType = "by" } }, function(r, v, c)
    v.by = r.int(1, 11)
    if v.by == numbers[c.dtype] then return false end
    v[key .. "_extra"] = 1 << 50
  end)
  breaks("GT1-04", key, tensor .. " has no bytes", { [tensor] = { TotalTensorSizeInBytes = "by" } }, function(r, v, c)
    if ov.product(v.size) == 0 then return false end
    v.by = 0
  end)
  breaks(shape, key .. "-rank", tensor .. " have another number of dimensions",
         { [tensor] = { DimensionCount = "by", Layout = "0", TotalTensorSizeInBytes = roomy } }, function(r, v, c)
    v.by = r.chance(50) and r.int(0, 16) or r.about(4, 4294967295)
    return v.by ~= (key == "lengths" and 1 or key == "token" and 0 or 3)
  end)
end
local function other_size(r, v, size, k)
  if ov.product(size) == 0 then return false end
  v.broken = k
  v.by = size[k] > 1 and r.chance(50) and -r.about(1, size[k] - 1) or r.about(1, 1 << 20)
end
local wider = { Sizes = "pick(at == broken, size + by, size)", Layout = "0" }
for _, t in ipairs { { "parent_ids", "GT1-05", "parents" }, { "final_ids", "GT1-08", "out" } } do
  breaks(t[2], t[3], "a size of " .. t[1] .. " is not that of step_ids", { [t[1]] = wider },
         function(r, v) return other_size(r, v, v.size, r.int(1, 3)) end)
end
breaks("GT1-06", "lengths", "max_seq_len has not as many lengths as there are batches",
       { max_seq_len = { Sizes = "lengths_size + size[2] + by" } },
       function(r, v) return other_size(r, v, { v.size[2] }, 1) end)

holds("GT1-01 GT1-03 GT1-15 GT1-07 GT1-09", nil, "a single step of a single beam", function(r, v, c)
  return draw_sized(r, c, { 1, 1, 1 })
end)
holds("GT1-02 GT1-05 GT1-06 GT1-08", nil, "tensors of up to 2^40 elements", function() end, { asked = true })
holds("GT1-04", nil, "no byte too many", function(r, v)
  for _, t in ipairs(tensors) do v[t[3] .. "_extra"] = 0 end
end)

-- The complete spaces of illegal tensors: a legal descriptor with a single change, which breaks a single clause.
local function sizes_of(tensor)
  return tensor == "max_seq_len" and "lengths_size + size[2]" or tensor == "end_token" and "token_size" or "size"
end
for _, t in ipairs(tensors) do
  local tensor, shape, key = t[1], t[2], t[3]
  local dims = key == "lengths" and 1 or key == "token" and 0 or 3
  op:invalid "GT1-01" { tensor .. " is missing", name = key, dtype = "*", size = { 3, 1 },
                        change = { [tensor] = { Present = "0" } } }
  op:invalid "GT1-01" { tensor .. " has no shape", name = key .. "-shape", dtype = "*", size = { 3, 1 },
                        change = { [tensor] = { Null = null.sizes } } }
  op:invalid "GT1-03" { tensor .. " alone has another type", name = key, dtype = "*", other = { all.dtypes },
                        where = "other ~= dtype", change = { [tensor] = { DataType = "other", Extra = "1048576" } } }
  op:invalid "GT1-04" { tensor .. " does not fit into its bytes", name = key, dtype = "*", size = { 3, 1, 2 },
                        where = key == "token" and "(dtype == 'f64' or dtype == 'i64' or dtype == 'u64')" or
                                "size[2] == 3 and (size[1] == 3 or size[3] == 2)",
                        change = { [tensor] = { Extra = "-" .. (key == "lengths" and 3 or 4) } } }
  op:invalid "GT1-04" { tensor .. " has no bytes", name = key .. "-none", dtype = "*", size = { 3, 1, 2 },
                        change = { [tensor] = { TotalTensorSizeInBytes = "0" } } }
  op:invalid(shape) {
    tensor .. " have another number of dimensions", name = key .. "-rank", dtype = "*", size = { 3, 1 },
    by = { 0, 1, 2, 3, 4, 5, 9, 16, 17, 255, 4294967295 }, where = "by ~= " .. dims,
    change = { [tensor] = { DimensionCount = "by", TotalTensorSizeInBytes = "1048576" } },
  }
  -- Sizes that are wrong as well do not count.
  if dims == 3 or key == "lengths" then
    op:invalid(shape) {
      tensor .. " have another number of dimensions and other sizes", name = key .. "-other", dtype = "*",
      size = { 3, 2 }, by = { 7, 2 },
      change = { [tensor] = { Sizes = dims == 3 and "lengths_size + by" or "size + by" } },
    }
  end
  if dims == 3 and key ~= "in" then
    op:invalid(shape) {
      "a size of " .. tensor .. " is not that of step_ids", name = key, dtype = "*", size = { 3, 2, 1 },
      broken = { 1, 2, 3 }, by = { 1, -1, 65536, 4294967296 },
      change = { [tensor] = { Sizes = ov.changed("size + by", "size") } },
    }
  end
end
local all_of = {}
for _, t in ipairs(tensors) do all_of[t[1]] = { DataType = "by", TotalTensorSizeInBytes = "65536" } end
op:invalid "GT1-03" {
  "a type that has no whole bytes, or does not exist", name = "unknown", dtype = "*",
  by = { 0, 12, 13, 16, 255, 4294967295 }, change = all_of,
}
op:invalid "GT1-15" { "all tensors of boolean", dtype = "*", by = { 15 }, change = all_of }
op:invalid "GT1-06" {
  "max_seq_len has not as many lengths as there are batches", name = "lengths", dtype = "*", size = { 3, 2, 1 },
  by = { 1, -1, 65536, 4294967296 }, change = { max_seq_len = { Sizes = "lengths_size + size[2] + by" } },
}
local vast = { Sizes = ov.changed("by", "size"), Strides = "0 * size", TotalTensorSizeInBytes = "65536" }
op:invalid "GT1-02" {
  "a dimension has 2^63 elements or more", name = "vast", dtype = "*", broken = { 1, 3 }, by = { math.mininteger, -1 },
  change = { step_ids = vast, parent_ids = vast, final_ids = vast },
}

-- ---- the page's example, and the smallest cases of our decisions --------------------------------------------------
local function tensor(shape, data, dtype) return { type = dtype or "i32", shape = shape, data = data } end
local function example(name, note, sizes, steps_of, parents_of, lengths_of, token_of, final, more)
  local dtype = more and more.dtype
  local def = { note = note, step_ids = tensor(sizes, steps_of, dtype), parent_ids = tensor(sizes, parents_of, dtype),
                max_seq_len = tensor({ sizes[2] }, lengths_of, dtype), end_token = tensor({}, { token_of }, dtype),
                final_ids = tensor(sizes, final, dtype) }
  for word, value in pairs(more or {}) do
    if word ~= "dtype" then def[word] = value end
  end
  op:example(name)(def)
end
local ids, zeros = {}, {}
for i = 1, 1000 do ids[i], zeros[i] = i % 50 + 1, i % 10 end
example("layer", "the layer of the page", { 100, 1, 10 }, ids, zeros, { 100 }, 0, nil)
example("two-beams", "the second beam continues the first one", { 2, 1, 2 }, { 1, 2, 3, 4 }, { 0, 1, 0, 0 }, { 2 }, 9,
        { 1, 1, 3, 4 })
example("parents-of-parents", "each parent belongs to the beam that was found, not to the one that is made (GT1-09)",
        { 3, 1, 2 }, { 1, 2, 3, 4, 5, 6 }, { 0, 0, 1, 0, 1, 0 }, { 3 }, 9, { 1, 2, 4, 3, 5, 6 })
example("ends", "what follows the first end_token of a sequence is end_token (GT1-10)", { 4, 1, 1 }, { 1, 9, 3, 4 },
        { 0, 0, 0, 0 }, { 4 }, 9, { 1, 9, 9, 9 })
example("short", "a sequence that is shorter than MAX_TIME: end_token follows", { 3, 2, 1 }, { 1, 2, 3, 4, 5, 6 },
        { 0, 0, 0, 0, 0, 0 }, { 1, 2 }, 9, { 1, 2, 9, 4, 9, 9 })
example("long-length", "a length of more than MAX_TIME is MAX_TIME", { 2, 1, 1 }, { 1, 2 }, { 0, 0 }, { 100 }, 9,
        { 1, 2 })
example("no-length", "a length of 0: the call may fail, and the sequence is not defined (E-GT1-2)", { 2, 1, 1 }, { 1, 2 }, { 0, 0 }, { 0 },
        9, { 9, 9 }, { ambiguous = "E-GT1-1" })
example("first-parents", "the parents of the first step lead nowhere, and are not read (E-GT1-3)", { 2, 1, 2 },
        { 1, 2, 3, 4 }, { 5, 5, 1, 0 }, { 2 }, 9, { 2, 1, 3, 4 })
example("parent-beyond", "a parent that is no beam: the call may fail, and its sequence is not defined (GT1-12)",
        { 2, 1, 2 }, { 1, 2, 3, 4 }, { 0, 1, 2, 1 }, { 2 }, 9, { 9, 2, 9, 4 }, { ambiguous = "E-GT1-1" })
example("parent-before", "a negative parent (GT1-12)", { 2, 1, 2 }, { 1, 2, 3, 4 }, { 0, 1, 0, -1 }, { 2 }, 9,
        { 1, 9, 3, 9 }, { ambiguous = "E-GT1-1" })
example("length-below", "a length below 0 (GT1-12)", { 2, 1, 1 }, { 1, 2 }, { 0, 0 }, { -1 }, 9, { 9, 9 },
        { ambiguous = "E-GT1-1" })
example("zeros", "both zeros of a float type are equal, and copied as they are (GT1-13)", { 4, 1, 1 },
        { 2, -0.0, 5, 6 }, { 0, 0, -0.0, 0 }, { 4 }, 0, { 2, -0.0, 0, 0 }, { dtype = "f32" })
example("far-length", "a length far beyond MAX_TIME, also of f32", { 2, 1, 1 }, { 1, 2 }, { 0, 0 }, { 3000000000 }, 9,
        { 1, 2 }, { dtype = "f32", own_types = true })
example("half-length", "a length far beyond MAX_TIME, also of f16", { 2, 1, 1 }, { 1, 2 }, { 0, 0 }, { 65504 }, 9,
        { 1, 2 })
example("least", "an integer of which only the sign is set is not 0 (GT1-13)", { 2, 1, 1 }, { -2147483648, 5 },
        { 0, 0 }, { 2 }, 0, { -2147483648, 5 })
example("no-beams", "no beam: no output", { 2, 1, 0 }, {}, {}, { 2 }, 9, {})
example("token-of-one", "end_token is a scalar, not a list of one (GT1-07)", { 1, 1, 1 }, nil, nil, nil, 9, nil,
        { end_token = tensor({ 1 }), invalid = "GT1-07" })
