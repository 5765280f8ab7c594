-- SPDX-License-Identifier: Apache-2.0
-- DML_RANDOM_GENERATOR: Philox 4x32-10 of counter and key, and the state that it leaves.
local op = operator "dml.random_generator"

-- ---- axes: the first value is the default -------------------------------------------------------------------------
op:axis("rank", "DimensionCount of OutputTensor") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("dtype", "DataType of all tensors") { all.dtypes }
op:axis("state_rank", "DimensionCount of InputStateTensor and OutputStateTensor") { 4, 1, 2, 3, 5, 6, 7, 8 }
op:axis("out_state", "1: OutputStateTensor is given; 0: it is a null pointer") { 1, 0 }
op:axis("state_layout", "memory layout (Strides) of InputStateTensor") { all.layouts }
op:axis("out_layout", "memory layout (Strides) of OutputTensor") { all.output_layouts }
op:axis("next_layout", "memory layout (Strides) of OutputStateTensor") { all.output_layouts }
op:axis("fill", "contents of InputStateTensor between its words") { all.fills }
op:axis("extra", "bytes of TotalTensorSizeInBytes beyond the least, of all tensors") { 0, 4, 64 }
op:axis("alignment", "GuaranteedBaseOffsetAlignment of all tensors") { 0, 16, 256 }
op:axis("length", "size of the dimension that `long` names")
  { 64, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 4093, 4099, 65535,
    65536, 65537, 262143, 262144, 4194304 }
op:axis("long", "the dimension that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4, 5, 6, 7, 8 }
op:axis("seed", "not 0: makes all six words of InputStateTensor random") { 0, range(1, 2000) }
op:axis("size", "Sizes of OutputTensor, except of the dimension that is `length` long")
  { 3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 33, per = "rank" }
op:axis("counter", "the four counter words of InputStateTensor")
  { 0, 1, 4294967295, 4294967294, 2147483648, 2147483647, 65535, 65536, per = 4 }
op:axis("key", "the two key words of InputStateTensor") { 0, 1, 4294967295, 2147483648, per = 2 }
op:axis("words", "Sizes of the states without leading ones") { 6, per = 1 }
op:positions("at", "rank")
op:where("long <= rank")

local dim = "pick(at == long, length, size)"
op:bind {
  InputStateTensor  = { DataType = "dtype", Sizes = "words", Rank = "state_rank", Layout = "state_layout", Fill = "fill",
                        Extra = "extra", Alignment = "alignment",
                        Data = "((i < 4 and counter[i + 1] or key[i - 3]) + seed * (2654435769 + 2 * i)) % 4294967296" },
  OutputTensor      = { DataType = "dtype", Sizes = dim, Layout = "out_layout", Extra = "extra",
                        Alignment = "alignment" },
  OutputStateTensor = { DataType = "dtype", Present = "out_state", Sizes = "words", Rank = "state_rank",
                        Layout = "next_layout", Extra = "extra", Alignment = "alignment" },
  Type = "0",
}

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Finds wrong carries between counter words and at 2^128, in the blocks of one call and in the new state; keys that are
-- swapped or advanced wrongly; and tails of 1 to 3 outputs that do not use a whole block of the counter.
op:test "exhaustive" {
  "every combination of counter and key words, outputs of 1 to 9 and 13, with and without a new state",
  rank = { 4, 1 }, dtype = "*", state_rank = { 4, 1 }, out_state = "*", key = { 0, 1, 4294967295 },
  counter = { 0, 1, 4294967295, 4294967294, 2147483648, 65535 },
  size = { 3, 1, 2, 4, 5, 6, 7, 8, 9, 13 },
  where = { "state_rank == rank", "each(at == rank or size <= 1)" },
}

op:test "pairwise" {
  "every pair of values of all parameters",
  vary = "*", strength = 2, length = { 64, 7, 33 }, seed = { 0, 1, 77 },
  where = { "rank <= 2 or each(size <= 9)", "rank <= 3 or each(size <= 5)", "rank <= 4 or each(size <= 3)",
            "rank <= 6 or each(size <= 2)" },
}

-- Long outputs: finds faults of thread groups of four, of a carry within them, and of row-major order across rows whose
-- length is no multiple of 4.
op:test "boundary" {
  "one long dimension about each power of two, the counter about to carry",
  rank = { 4, 1, 2, 3, 5, 8 }, dtype = "*", out_state = "*", length = "*", long = range(1, 8), size = { 1, 2, 3 },
  counter = { 0, 4294967294 },
  where = {
    "each(at ~= long or size == 1)", "rank <= 2 or each(size == 1)",        -- `size` says nothing about the long one
    "counter[1] == counter[2] and counter[2] == counter[3] and counter[3] == counter[4]",
    "length <= 1025 or out_state == 1 and rank <= 2 and product(size) <= 2",
    "length <= 65537 or rank == 1",
    "length <= 262144 or counter[1] == 0",
  },
}

-- Strided outputs and states: output n is the n-th in logical order, whatever its address (RG-08).
op:test "layout" {
  "every pair of layouts of output and states, at every number of dimensions",
  rank = "*", dtype = "*", state_rank = "*", state_layout = "*", out_layout = "*", next_layout = "*",
  size = { 3, 1, 2 }, counter = { 0, 1, 4294967295 },
  where = {
    "rank <= 4 or each(size <= 2)", "rank <= 2 or sum(size) <= rank + 2",
    "state_rank == rank or next_layout == state_layout and out_layout == 'gaps'",
    "rank <= 5 or next_layout == out_layout",
    "counter[1] >= 1", "counter[2] == counter[1]", "counter[3] == 0", "counter[4] == 1",
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
    "a call after " .. c[3], after = c[2], fill = { "bits" }, dtype = "*",
    rank = { 4, 1, 2, 3, 8 }, state_rank = { 4, 1 }, out_state = "*", out_layout = { "packed", "padded", "transposed" },
    seed = { 1, 2, 77 }, size = { 3, 2, 5 }, where = { "rank <= 2 or each(size == pick(at == 1, 3, 2))" },
  }
end

-- Offsets that 32 bits cannot hold, signed or unsigned, in elements or in bytes. The few elements lie on both sides of
-- 2^31 and 2^32, in separate pages; the gigabytes between take address space and no memory.
op:test "sparse" {
  "outputs and states gigabytes apart", sparse = true, strength = 3,
  rank = { 4, 1, 2, 3, 8 }, dtype = "*", state_rank = { 4, 1 }, out_state = "*", fill = { "bits" }, seed = { 1, 77 },
  state_layout = { "packed", "far-bytes" }, next_layout = { "packed", "far-bytes" }, -- six words: BUF-11
  out_layout = { "packed", "far-bytes", "far-elements", "far-inner" }, size = { 3, 1, 2 },
  where = { "product(size) > 1 and product(size) <= 9", "rank <= 3 or each(size == pick(at == 1, 3, pick(at == rank, 2, 1)))",
            "state_layout ~= 'packed' or next_layout ~= 'packed' or out_layout ~= 'packed'",
            "out_state == 1 or next_layout == 'packed'" },
}

-- Words without a pattern: each of 2,000 seeds makes another counter and key.
op:test "special" {
  "random counters and keys",
  rank = "*", dtype = "*", seed = range(1, 2000), size = { 1, 2, 5 }, fill = { "special", "bits" },
  where = {
    "rank == 1 or rank == 4 or seed <= 100", "fill == 'bits' or seed <= 100",
    "each(at == rank or size ~= 5)", "rank == 1 or any(size ~= 2) or seed <= 100",
  },
}

local dml = shared(op)

-- ---- drawn cases -------------------------------------------------------------------------------------------------

-- Any sizes, layouts, counters and keys: what complete small spaces never reach. docs/cases.md describes draw.
local any = op:family()
any:axis "rank"         { 4, 1, 2, 3, 5, 6, 7, 8 }
any:axis "dtype"        { all.dtypes }
any:axis "state_rank"   { 4, 1, 2, 3, 5, 6, 7, 8 }
any:axis "out_state"    { 1, 0 }
any:axis "state_layout" { "packed", "strides" }
any:axis "out_layout"   { "packed", "strides" }
any:axis "next_layout"  { "packed", "strides" }
any:axis "fill"         { all.fills, "stretches" }
any:axis("state_extra", "bytes of TotalTensorSizeInBytes beyond the least, of InputStateTensor") { 0 }
any:axis("out_extra", "bytes of TotalTensorSizeInBytes beyond the least, of OutputTensor") { 0 }
any:axis("next_extra", "bytes of TotalTensorSizeInBytes beyond the least, of OutputStateTensor") { 0 }
any:axis "alignment"    { 0 }
any:axis("size", "Sizes of OutputTensor") { 3, per = "rank" }
any:axis("out_stride", "Strides of OutputTensor, where its layout is strides") { 0, per = "rank" }
any:axis("state_size", "Sizes of InputStateTensor and OutputStateTensor") { 1, per = "state_rank" }
any:axis("state_stride", "Strides of InputStateTensor, where its layout is strides") { 0, per = "state_rank" }
any:axis("next_stride", "Strides of OutputStateTensor, where its layout is strides") { 0, per = "state_rank" }
any:axis "counter"      { 0, per = 4 }
any:axis "key"          { 0, per = 2 }
any:axis("state_base", "where InputStateTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("out_base", "where OutputTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("next_base", "where OutputStateTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
any:axis("state_flags", "Flags of InputStateTensor") { 0 }

-- The axes that are at their default in the calls before a case of drawn_after, one at a time.
local words = { "data", "out_state", "state_layout", "out_layout", "next_layout", "state_extra", "out_extra", "next_extra",
                "alignment", "size", "out_stride", "counter", "key" }
dml.change_axes(any, words)
any:positions("state_at", "state_rank")
any:bind {
  InputStateTensor  = { DataType = "dtype", Sizes = "state_size", Layout = "state_layout", Strides = "state_stride",
                        Fill = "fill", Extra = "state_extra", Alignment = "alignment", Base = "state_base",
                        Flags = "state_flags",
                        Data = "i < 4 and counter[i + 1] or key[i - 3]" },
  OutputTensor      = { DataType = "dtype", Sizes = "size", Layout = "out_layout", Strides = "out_stride",
                        Extra = "out_extra", Alignment = "alignment", Base = "out_base" },
  OutputStateTensor = { DataType = "dtype", Present = "out_state", Sizes = "state_size", Layout = "next_layout",
                        Strides = "next_stride", Extra = "next_extra", Alignment = "alignment", Base = "next_base" },
  Type = "0",
}

-- A word of the counter: often one that is about to carry.
local function draw_word(r)
  if r.chance(40) then return 4294967295 - r.about(0, 65536) end
  return r.chance(50) and r.int(0, 4294967295) or r.about(0, 4294967295)
end

local classes = { "dtype", "rank", "state_rank", "out_state" }
local function draw_any(r, c, most, given, plan)
  if not most and not given and r.chance(dml.planned) then given, plan = r.tiles(c.rank) end
  local size, state_size = given or r.sizes(c.rank, most or r.elements()), {}
  for k = 1, c.state_rank do state_size[k] = k == c.state_rank and 6 or 1 end
  local v = dml.places(r, {
    size = size, state_size = state_size, fill = r.pick { "bits", "injective", "special", "stretches" },
    counter = { draw_word(r), draw_word(r), draw_word(r), draw_word(r) }, key = { draw_word(r), draw_word(r) },
    alignment = r.chance(10) and 16 << r.int(0, 12) or 0,
    state_extra = r.chance(20) and r.about(0, 4096) or 0, out_extra = r.chance(20) and r.about(0, 65536) or 0,
    next_extra = r.chance(20) and r.about(0, 4096) or 0,
    state_layout = r.chance(50) and "strides" or "packed", out_layout = r.chance(60) and "strides" or "packed",
    next_layout = r.chance(50) and "strides" or "packed",
    state_stride = r.strides(state_size, { dtype = "u32" }), out_stride = r.strides(size, dml.strided(most, "u32")),
    next_stride = r.strides(state_size, { dtype = "u32" }), state_flags = r.chance(3) and 1 or 0,
  }, "state", "out", "next")
  if plan then v.out_layout, v.out_stride = r.planned(size, plan, "u32") end
  return v
end
local function draw_planned(r, c, shape) return draw_any(r, c, nil, shape(c.rank)) end

any:test "drawn" {
  "any sizes, layouts, counters and keys", each = classes, dtype = "*", rank = "*", state_rank = "*", out_state = "*",
  cases = { quick = 1400, full = 20000, exhaustive = 1000000 }, draw = draw_any,
}

any:test "drawn_after" {
  "the same after calls that differ in one thing", preceded = true, each = classes, dtype = "*", rank = "*",
  state_rank = "*", out_state = "*", cases = { quick = 320, full = 3000, exhaustive = 100000 },
  draw = dml.after(draw_any, draw_planned, words),
}

any:test "drawn_sparse" {
  "words up to 2^32 - 1 elements apart", sparse = true, each = classes, dtype = "*", rank = "*", state_rank = "*",
  out_state = "*", cases = { quick = 40, full = 1000, exhaustive = 20000 },
  draw = function(r, c)
    local v = draw_any(r, c)
    v.size, v.fill = dml.few(r, c.rank), "bits"
    v.out_stride = r.strides(v.size, {})
    v.state_stride, v.next_stride = r.strides(v.state_size, {}), r.strides(v.state_size, {})
    return dml.spread(r, v, { "out", v.size, "state", v.state_size, "next", v.state_size }) and v or nil
  end,
}

-- The limits of the tensors are in shared.lua. Finds wrong refusals of what few descriptors have, and wrong acceptance.
local tensors = {
  InputStateTensor = { key = "state", sizes = "state_size", strides = "state_stride", bytes = 4, at = "state_at" },
  OutputTensor = { key = "out", sizes = "size", strides = "out_stride", bytes = 4, output = true },
  OutputStateTensor = { key = "next", sizes = "state_size", strides = "next_stride", bytes = 4, at = "state_at",
                        output = true },
}
local breaks = dml.illegal(any, { each = classes, draw = draw_any })
local holds = dml.legal(any, { each = classes, draw = draw_any })
local with_state = { out_state = { 1 } } -- what the tests of OutputStateTensor need
local unknown_type = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" }
for _, name in ipairs { "InputStateTensor", "OutputTensor", "OutputStateTensor" } do
  local t = tensors[name]
  local given = t.key == "next" and with_state or nil
  t.dtype, t.alignment = "dtype", "alignment"
  local function breaks_given(clause, key, title, change, alter, more)
    breaks(clause, key, title, change, alter, more or given)
  end
  dml.illegal_buffer(breaks_given, name, t)
  dml.legal_buffer(function(clauses, key, title, alter, more)
    more = more or {}
    more.out_state = given and given.out_state
    holds(clauses, key, title, alter, more)
  end, name, t)
  if not given then breaks("RG-01", t.key, name .. " is a null pointer", { [name] = { Present = "0" } }) end
  breaks_given("BUF-02", t.key, name .. ": DataType is none of DirectML's", { [name] = unknown_type },
               function(r, v) v.by = r.about(14, 4294967295) end)
  if t.key == "out" then
    breaks("BUF-05", "out", "an output without dimensions, or of more than eight", { [name] = dml.no_dims }, dml.draw_no_dims)
  end
  breaks_given("RG-03", t.key, name .. " alone has another type", { [name] = { DataType = "by" } }, function(r, v)
    v.by = r.pick { 1, 2, 4, 5, 6, 7, 8, 9, 10, 11 }
    v[t.key .. "_extra"] = 34359738368
  end)
end
breaks("BUF-05", "states", "states without dimensions, or of more than eight",
       { InputStateTensor = dml.no_dims, OutputStateTensor = dml.no_dims }, dml.draw_no_dims, with_state)
breaks("BUF-11", "sizes", "more than 2^32 - 1 elements", { OutputTensor = {} }, function(r, v, c)
  local k = r.int(1, c.rank)
  local others = dml.product(v.size) // v.size[k]
  local least = 4294967295 // others + 1
  if least > 4294967295 then return false end
  v.size[k] = r.about(least, math.min(4294967295, (1 << 58) // others)) -- 64 bits hold the bytes
  v.out_layout = "packed"
end, { rank = range(2, 8), where = "product(size) > 4294967295 or product(size) < 0" })
breaks("BUF-11", "wrapped", "2^64 elements and a few more", { OutputTensor = dml.wrapped }, dml.draw_wrapped,
       { rank = range(3, 8) })
breaks("RG-02", "type", "the type is no generator", { Type = "by" }, function(r, v) v.by = r.about(1, 4294967295) end)
local words = { Sizes = "pick(state_at == state_rank, by, 1)", Layout = "0" }
breaks("RG-04", "words", "the state has another number of words", { InputStateTensor = words, OutputStateTensor = words },
       function(r, v)
  v.by = r.about(1, 4294967295)
  if v.by == 6 then v.by = 7 end
end, with_state)
breaks("RG-04", "ones", "another size than the last is not 1", {
  InputStateTensor = { Sizes = "pick(state_at == broken, by, state_size)", Layout = "0" },
  OutputStateTensor = { Sizes = "pick(state_at == broken, by, state_size)", Layout = "0" },
}, function(r, v, c)
  v.broken, v.by = r.int(1, c.state_rank - 1), r.about(2, 715827882)
end, { state_rank = range(2, 8), out_state = { 1 } })
breaks("RG-05", "size", "OutputStateTensor has another size than InputStateTensor",
       { OutputStateTensor = { Sizes = "pick(state_at == broken, state_size + by, state_size)", Layout = "0" } },
       function(r, v, c)
  v.broken, v.by = r.int(1, c.state_rank), r.about(1, 715827876)
  if v.broken == c.state_rank and r.chance(40) then v.by = -r.int(1, 5) end
end, with_state)
breaks("RG-05", "dims", "OutputStateTensor has fewer dimensions than InputStateTensor",
       { OutputStateTensor = { DimensionCount = "state_rank - by" } },
       function(r, v, c) v.by = r.int(1, c.state_rank - 1) end, { state_rank = range(2, 8), out_state = { 1 } })

holds("RG-01", nil, "no state is asked for", nil, { out_state = { 0 } })
holds("RG-02 RG-03 RG-04 RG-05 BUF-01 BUF-02 BUF-05 BUF-06", nil, "states of six words and outputs of one, in any layout",
      function(r, v, c)
  for k = 1, c.rank do v.size[k] = 1 end
  v.out_stride, v.out_layout, v.state_layout, v.next_layout = r.strides(v.size, {}), "strides", "strides", "strides"
end)
holds("BUF-11 BUF-21", "sizes", "outputs of up to 2^32 - 1 elements", function(r, v, c)
  v.size, v.out_layout = dml.largest_sizes(r, c.rank, "u32"), "packed"
end, { asked = true })

-- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
dml.count_tests(any, {
  each = classes, draw = draw_any, planned = draw_planned,
  grids = { rank = { 3, 4, 2, 5, 8 }, state_rank = { 4 }, out_state = { 1 } },
  large = { rank = { 4, 2, 3 }, state_rank = { 4 }, out_state = { 1 } },
})

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------
local inside, changed = dml.inside, dml.changed
op:axis("eight", "Sizes of a state of eight dimensions") { 1, per = 8 }

op:beyond { "descriptors of a higher feature level", rank = "*", state_rank = "*", out_state = "*" }

local state = "pick(at == rank, 6, 1)" -- sizes of a state, where it has as many dimensions as the output
local equal = "state_rank == rank"
local shapes = { rank = "*", state_rank = range(1, 8), out_state = "*" }
dml.buffer("InputStateTensor", "state", { sizes = state, bytes = "4", axes = shapes, where = equal, state = true })
dml.buffer("OutputTensor", "out", { sizes = "size", bytes = "4", axes = shapes, where = equal, output = true })
dml.buffer("OutputStateTensor", "out_state", {
  sizes = state, bytes = "4", axes = { rank = "*", state_rank = range(1, 8) }, output = true, state = true,
  where = equal,
})

-- Both states have the same shape, so these clauses are broken in both.
local function states(clause, name, title, change, more)
  local def = { title, name = name, rank = "*", state_rank = "*", out_state = "*", change = { InputStateTensor = change } }
  local next_state = { Present = "out_state" }
  for field, value in pairs(change) do next_state[field] = value end
  def.change.OutputStateTensor = next_state
  for axis, values in pairs(more or {}) do def[axis] = values end
  op:invalid(clause)(def)
end
states("BUF-05", "none", "states without dimensions", { DimensionCount = "0" })
states("BUF-05", "nine", "states of nine dimensions", { Sizes = "nine" },
       { nine = { 1, 6 }, where = "nine[9] == 6 and sum(nine) == 14" })
states("RG-04", "size", "states with a size that is not 1, or not six words", { Sizes = changed(state .. " + by", state) }, {
  state_rank = range(1, 8), broken = range(1, 8), by = { 1, 2, 6, 65536, 600000000 }, where = { equal, inside },
})
states("RG-04", "words", "states of fewer than six words", { Sizes = changed("by", state) }, {
  state_rank = range(1, 8), broken = range(1, 8), by = { 1, 2, 3, 4, 5 }, where = { equal, "broken == rank" },
})
op:invalid "BUF-05" {
  "states of more dimensions than a tensor can hold", name = "many",
  by = { 16, 17, 255, 2147483649, 4294967295 }, sixteen = { 1, 6 },
  -- 16 dimensions fit into a tensor, so RG-04 must hold with them
  where = { "by == 16 and sum(sixteen) == 21 and sixteen[16] == 6 or by ~= 16 and sum(sixteen) == 16" },
  change = { InputStateTensor = { Sizes = "sixteen", DimensionCount = "by", TotalTensorSizeInBytes = "65536" },
             OutputStateTensor = { Sizes = "sixteen", DimensionCount = "by", TotalTensorSizeInBytes = "65536" } },
}
op:invalid "BUF-05" {
  "an output without dimensions", name = "out-none", rank = "*", state_rank = "*", out_state = "*",
  change = { OutputTensor = { DimensionCount = "0" } },
}
op:invalid "BUF-05" {
  "an output of nine dimensions", name = "out-nine", rank = "*", state_rank = "*", out_state = "*",
  change = { OutputTensor = { Sizes = "nine" } },
}
dml.too_many {
  "more than 2^32 - 1 elements, among them 2^64, which wraps to 0", name = "sizes", rank = "*", state_rank = "*", out_state = "*",
  by = { 65536, 131071, 4294967295 }, where = "rank >= 2", change = { OutputTensor = { Sizes = "by + 0 * size" } },
}
for _, t in ipairs { { "InputStateTensor", "state" }, { "OutputTensor", "out" }, { "OutputStateTensor", "out_state" } } do
  local tensor, name = t[1], t[2]
  local given = name == "out_state" and { 1 } or { 1, 0 }
  op:invalid "BUF-02" {
    tensor .. ": DataType is none of DirectML's", name = name, rank = "*", state_rank = "*", out_state = given,
    by = { 0, 14, 15, 16, 255, 4294967295 }, change = { [tensor] = { DataType = "by", TotalTensorSizeInBytes = "65536" } },
  }
  op:invalid "RG-03" {
    tensor .. " is not of UINT32", name = name, rank = "*", state_rank = "*", out_state = given,
    other = { "f32", "f16", "f64", "i32", "u16", "i16", "u8", "i8", "u64", "i64" },
    change = { [tensor] = { DataType = "other" } },
  }
  op:invalid "RG-03" {
    tensor .. " is of four bits", name = name .. "-four-bit", rank = "*", state_rank = "*", out_state = given,
    by = { 12, 13 }, from = "6_3", change = { [tensor] = { DataType = "by", TotalTensorSizeInBytes = "65536" } },
  }
  if name ~= "out_state" then
    op:invalid "RG-01" {
      tensor .. " is a null pointer", name = name, rank = "*", state_rank = "*", out_state = "*",
      change = { [tensor] = { Present = "0" } },
    }
  end
end
op:invalid "RG-01" {
  "Type is not stated", name = "type", rank = "*", state_rank = "*", out_state = "*", change = { Type = { Present = "0" } },
}
op:invalid "RG-02" {
  "a generator that does not exist", rank = "*", state_rank = "*", out_state = "*",
  by = { 1, 2, 3, 255, 256, 65536, 2147483648, 4294967295 }, change = { Type = "by" },
}
op:invalid "RG-05" {
  "OutputStateTensor has fewer dimensions than InputStateTensor", name = "dims", rank = "*", state_rank = "*",
  by = range(1, 7), where = "by < state_rank", change = { OutputStateTensor = { DimensionCount = "state_rank - by" } },
}
op:invalid "RG-05" {
  "OutputStateTensor has more dimensions than InputStateTensor", name = "more", state_rank = range(1, 7),
  eight = { 1, 6 }, where = "eight[8] == 6 and sum(eight) == 13", change = { OutputStateTensor = { Sizes = "eight" } },
}
op:invalid "RG-05" {
  "OutputStateTensor has another size than InputStateTensor", name = "size", rank = "*", state_rank = range(1, 8),
  broken = range(1, 8), by = { 1, 2, 6, 65536, -1, -5 }, where = { equal, inside, "by > 0 or broken == state_rank" },
  change = { OutputStateTensor = { Sizes = changed(state .. " + by", state) } },
}

-- ---- the page's example, known answers, and the smallest cases of our decisions -----------------------------------------
local function call(name, note, state, out, next, more)
  local d = {
    note = note,
    InputStateTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 6 }, data = state },
    OutputTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, #out }, data = out },
    OutputStateTensor = next and { DataType = "UINT32", Sizes = { 1, 1, 1, 6 }, data = next },
    Type = 0,
  }
  for key, value in pairs(more or {}) do d[key] = value end
  op:example(name)(d)
end

call("zero", "Random123's known answer for zeros, and one output of the next block",
     { 0, 0, 0, 0, 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0xf8e4cca4 }, { 2, 0, 0, 0, 0, 0 })
call("ones", "Random123's known answer for ones; the counter wraps at 2^128 (E-RG-6)",
     { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
     { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd }, { 0, 0, 0, 0, 0xffffffff, 0xffffffff })
call("pi", "Random123's known answer for the digits of pi",
     { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0 },
     { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 },
     { 0x243f6a89, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0 })
call("carry-1", "a carry out of word 0, between the two blocks of one call",
     { 0xffffffff, 0, 0, 0, 1, 2 },
     { 0x692858e1, 0xf906bbe0, 0xfc4d241f, 0x46ba3cd1, 0x40dc5355, 0x4962507b, 0x2cef26b5, 0x6b2f71c5 },
     { 1, 1, 0, 0, 1, 2 })
call("wrap", "2^128 - 1, and a tail of one output: three blocks are used up (RG-09)",
     { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 3, 4 },
     { 0xda4f6772, 0x0d7d927f, 0x574c2b2f, 0x1490e158, 0x1955b60c, 0x46814a70, 0x682e0b3d, 0x30193e3c, 0x77c7d695 },
     { 2, 0, 0, 0, 3, 4 })
call("carry-2", "a carry through two words in the midst of twelve outputs",
     { 0xfffffffe, 0xffffffff, 0, 0, 5, 6 },
     { 0xc4eb77f5, 0xfd5b4d52, 0x36226ffd, 0x789fb4c6, 0xf7b35442, 0x8c1555d7, 0x25c07fd0, 0x39aa5072, 0x8a4efab1,
       0x52c21e4f, 0xf8aeca80, 0xb21f4cdf }, { 1, 0, 1, 0, 5, 6 })
call("without-state", "the same without OutputStateTensor: outputs do not depend on it (RG-10)",
     { 0xffffffff, 0, 0, 0, 1, 2 },
     { 0x692858e1, 0xf906bbe0, 0xfc4d241f, 0x46ba3cd1, 0x40dc5355, 0x4962507b, 0x2cef26b5, 0x6b2f71c5 }, nil)

-- The page prints its example with the states before and after exchanged: "HelloFromSeattle" - 324,855 is "HelloFromSeatown"
-- (E-RG-1). Its output has {3,3,20,7219} elements; here both directions are tested.
local seattle, seatown = 0x74746c65, 0x746f776e
local huge = { DataType = "UINT32", Sizes = { 3, 3, 20, 7219 } }
op:example "seattle" {
  note = "the page's example with the correct sum: 0x74746c65 + 324,855 = 0x7479615c (E-RG-1)",
  InputStateTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 6 },
                       data = { seattle, 0x6d536561, 0x6f46726f, 0x48656c6c, 0, 0 } },
  OutputTensor = huge, Type = 0,
  OutputStateTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 6 },
                        data = { 0x7479615c, 0x6d536561, 0x6f46726f, 0x48656c6c, 0, 0 } },
}
op:example "seatown" {
  note = "the page's example read backwards: 0x746f776e + 324,855 = 0x74746c65 (E-RG-1)",
  InputStateTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 6 },
                       data = { seatown, 0x6d536561, 0x6f46726f, 0x48656c6c, 0, 0 } },
  OutputTensor = huge, Type = 0,
  OutputStateTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 6 },
                        data = { seattle, 0x6d536561, 0x6f46726f, 0x48656c6c, 0, 0 } },
}
op:example "other-type" {
  note = "the only generator has number 0", invalid = "RG-02", Type = 1,
  InputStateTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 6 } },
  OutputTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 4 } },
}
op:example "seven-words" {
  note = "a state has six words", invalid = "RG-04", Type = 0,
  InputStateTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 7 } },
  OutputTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 4 } },
}
op:example "state-of-other-shape" {
  note = "both states have the same DimensionCount and Sizes (E-RG-5)", invalid = "RG-05", Type = 0,
  InputStateTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 6 } },
  OutputTensor = { DataType = "UINT32", Sizes = { 1, 1, 1, 4 } },
  OutputStateTensor = { DataType = "UINT32", Sizes = { 1, 1, 6 } },
}
