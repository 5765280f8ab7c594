-- SPDX-License-Identifier: Apache-2.0
-- Declarations that the case files of OpenVINO's operators with a tensor of indices share. shared(op) in a case file runs
-- this for its operator and adds the axes of changes, shared() returns its functions alone. docs/cases.md describes the
-- language.
local op = ...
local common = common()
local ov = { after = common.after, large_tests = common.large_tests, far_tests = common.far_tests,
             scatter_tests = common.scatter_tests,
             flag_test = common.flag_test }

-- ---- axes of changes: each has one value here, so that no other test varies it ------------------------------------
if op then
  op:axis("broken", "the dimension that a change breaks, from 1; 0: none") { 0 }
  op:axis("by", "how far a change goes, or to which value") { 1 }
  op:axis("other", "another element type, for a change") { "f32" }
end

-- ---- lists and expressions ----------------------------------------------------------------------------------------
ov.lengths = { 64, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025,
               65535, 65536, 65537 }
ov.widths = "(dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'f64')" -- one type of each width
ov.within = "broken >= 1 and broken <= rank"

-- Types of indices: those that every operator has, and all integers.
ov.usual = { "i32", "i64" }
ov.integers = { "i32", "i64", "u8", "i8", "u16", "i16", "u32", "u64" }
ov.is_usual = "(index_dtype == 'i32' or index_dtype == 'i64')"

-- Their least index, where it is negative, and their greatest one, for tensors that reach up to 2^33 elements.
ov.ends = { i8 = { 127, -128 }, u8 = { 255 }, i16 = { 32767, -32768 }, u16 = { 65535 }, i32 = { 2147483647, -2147483648 },
            u32 = { 4294967295 }, i64 = { 2147483647, -2147483648 }, u64 = { 4294967295 } }

-- Expressions about these types: how many elements of a dimension the first indices of a type can name, from its beginning
-- or from its end (cap); the least index and the greatest one (low, high; those of 64 bits have no limit of their own); does
-- the type hold a stray index, and does it hold those of `sign`?
function ov.limits(types)
  local cap, low, high, signed = "9223372036854775807", "(index_dtype == 'i64' and stray or 0)", "stray", {}
  for _, name in ipairs(types) do
    local kind, bits = name:match "^(%a)(%d+)$"
    bits = math.tointeger(bits)
    local function choose(value, other) return ("(index_dtype == '%s' and %d or %s)"):format(name, value, other) end
    if bits < 64 and kind == "i" then low = choose(-(1 << bits - 1), low) end
    if bits < 64 then high = choose((1 << (kind == "i" and bits - 1 or bits)) - 1, high) end
    if bits < 64 then cap = choose(1 << (kind == "i" and bits - 1 or bits), cap) end
    if kind == "i" then signed[#signed + 1] = ("index_dtype == '%s'"):format(name) end
  end
  return { cap = cap, low = low, high = high, holds_stray = ("stray >= %s and stray <= %s"):format(low, high),
           holds_signs = "sign == 0 or " .. table.concat(signed, " or ") }
end

function ov.signed(first, last) -- 0, 1, -1, 2, -2 and so on, from `last` to `first`
  local values = { 0 }
  for k = 1, math.max(-first, last) do
    if k <= last then values[#values + 1] = k end
    if k <= -first then values[#values + 1] = -k end
  end
  return values
end

function ov.changed(value, base, at) return ("pick(%s == broken, %s, %s)"):format(at or "at", value, base) end

function ov.product(list)
  local p = 1
  for k = 1, #list do p = p * list[k] end
  return p
end
function ov.ones(n)
  local list = {}
  for k = 1, n do list[k] = 1 end
  return list
end
function ov.joined(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end
function ov.part(list, first, last) return table.move(list, first, last, 1, {}) end

-- ---- axes ---------------------------------------------------------------------------------------------------------
function ov.axes_of_types(o, types)
  o:axis("dtype", "element type of data and output") { all.dtypes }
  o:axis("index_dtype", "element type of indices") (types)
end

function ov.axes_of_memory(o)
  o:axis("in_layout", "memory layout of data") { all.layouts }
  o:axis("indices_layout", "memory layout of indices") { all.layouts }
  o:axis("out_layout", "memory layout of output") { all.output_layouts }
  o:axis("fill", "contents of data") { all.fills }
  o:axis("extra", "bytes beyond the least that the tensors need") { 0, 4, 64 }
  o:axis("length", "size of the dimension that `long` or `many` names") { ov.lengths }
end

-- negative: indices may count from the end.
function ov.axes_of_values(o, negative)
  if negative then o:axis("sign", "indices that count from the end: 0 none, 1 all, 2 every other one") { 0, 1, 2 } end
  o:axis("stray", "the second index, where it is not 0")
    { 0, 1, 2, 5, 7, 100, 32768, 65536, 2147483647, -1, -2, -5, -6, -7, -100, -2147483648, 2147483648, 4294967294,
      4294967295, 4294967296, 4294967297, math.maxinteger, -2147483649, -4294967296, -4294967297, math.mininteger }
  o:axis("index", "the first four indices; the others follow from them") { 0, 1, 2, 3, 4, 7, per = 4 }
end

-- What is subtracted from index i; n: the elements of its dimension. "" where no index is negative.
local function from_end(n, negative)
  return negative and (" - (sign == 1 and 1 or sign == 2 and i %% 2 or 0) * %s"):format(n) or ""
end

-- The indices of small complete spaces; n: the elements that index i may select.
function ov.data(n, negative)
  return ("stray ~= 0 and i == 1 and stray or (index[i %% 4 + 1] + i // 4) %% max(%s, 1)"):format(n) .. from_end(n, negative)
end

-- The test `index_types`: the last index that each type holds, the one behind it, and the first negative ones. It finds
-- types that are taken for another: a byte of 128 and more that is negative, a half that is cut. n: the elements that the
-- second index may select; def: the other axes.
function ov.index_types_test(o, n, negative, def)
  local limits = ov.limits(ov.integers)
  def[1] = "indices of every type at the ends of what it holds, inside of a long dimension"
  def.index_dtype, def.long, def.dtype = "*", { 1 }, def.dtype or { "f32", "u8" }
  def.length = { 7, 127, 128, 129, 255, 256, 257, 32767, 32768, 32769, 65535, 65536, 65537 }
  def.stray = { 1, 5, 6, 126, 127, 128, 254, 255, 256, 32766, 32767, 32768, 65534, 65535, 65536, -1, -2, -7, -127, -128,
                -129, -32767, -32768, -32769, -65536 }
  def.where = ov.joined(def.where or {}, {
    limits.holds_stray, ("stray < %s and stray >= %s"):format(n, negative and "0 - " .. n or "0"),
    -- lengths and indices that are near each other, or near an end of the type
    ("stray < 0 and stray >= -7 or stray > 0 and stray < 7 or stray >= %s - 3 or stray <= 3 - %s or " ..
     "stray == %s or stray == %s"):format(n, n, limits.low, limits.high),
  })
  o:test("index_types")(def)
end

-- What precedes the cases of the tests after_NAME: state that is retained between calls must not change results. NAME,
-- the calls, their title, and the layouts of data.
ov.calls = { { "data", { "data" }, "the same descriptor with other data" },
             { "other", { "other" }, "a neighbouring case with the same data" },
             { "class", { "class" }, "a case of the same shape and another layout" },
             { "axis", { "class" }, "one of the same shape with another attribute", { "packed" } },
             { "return", { "same", "other" }, "itself and a neighbouring case" } }

-- ---- drawn cases --------------------------------------------------------------------------------------------------

-- The axes of drawn cases. attributes: those of the attributes, with their defaults.
function ov.drawn_axes(any, attributes, types, negative)
  any:axis "rank"        { 2, 1, 3, 4, 5, 6, 7, 8 }
  any:axis "dtype"       { all.dtypes }
  any:axis "index_dtype" (types)
  if negative then any:axis("sign", "indices that count from the end: 0 none, 1 all, 2 every other one") { 0, 1, 2 } end
  for _, a in ipairs(attributes) do any:axis(a[1]) { table.unpack(a, 2) } end
  for _, name in ipairs { "in_layout", "indices_layout", "out_layout" } do any:axis(name) { "packed", "strides" } end
  any:axis "fill" { all.fills, "stretches" }
  any:axis("in_extra", "bytes beyond the least that data needs") { 0 }
  any:axis("indices_extra", "bytes beyond the least that indices need") { 0 }
  any:axis("out_extra", "bytes beyond the least that output needs") { 0 }
  any:axis("pattern", "how the indices follow from `first` and `period`")
    { "ascending", "descending", "constant", "runs", "cycle", "steps", "mixed" }
  any:axis("first", "the first index") { 0 }
  any:axis("period", "length of a run or cycle of indices, or the difference of two") { 1 }
  any:axis("odd", "the number of the index that breaks the pattern, from 1; 0: none") { 0 }
end

-- The axes of the sizes, strides and places of drawn cases. dims, out_rank: the axis that says how many dimensions
-- indices and output have.
function ov.drawn_shapes(any, dims, out_rank)
  any:axis("size", "shape of data") { 3, per = "rank" }
  any:axis("index_size", "shape of indices") { 2, per = dims }
  any:axis("out_size", "shape of output, for its strides and for changes") { 0, per = out_rank }
  any:axis("in_stride", "strides of data in memory, where its layout is strides") { 0, per = "rank" }
  any:axis("indices_stride", "strides of indices in memory, where their layout is strides") { 0, per = dims }
  any:axis("out_stride", "strides of output in memory, where its layout is strides") { 0, per = out_rank }
  any:axis("in_base", "where data begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
  any:axis("indices_base", "where indices begin: bytes behind a multiple of 64; -1: anywhere") { -1 }
  any:axis("out_base", "where output begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
end

-- The axes that say how a case of a drawn test is changed, or what is called before it. words: the values of `before`.
function ov.variant_axes(any, words)
  any:axis("before",
           "how the calls before the case differ from it: in their data, in one or more axes, or refused") (words)
  any:axis("times", "how many calls are made before the case") { 0 }
  any:axis("how", "how the axis that `before` names differs in these calls") { all.hows }
  any:axis("which", "the element of that axis that differs in these calls, from 1; 0: all of them") { 0 }
  any:axis("broken", "the dimension that a change breaks, from 1; 0: none") { 0 }
  any:axis("by", "how far a change goes, or to which value") { 1 }
  any:axis("sixteen", "Sizes of sixteen dimensions, for a change") { 1, per = 16 }
end

-- A tensor alone has one dimension more, a leading 1: breaks as of ov.illegal; sizes: the axis of its sizes.
function ov.one_leading(breaks, clause, tensor, sizes, more)
  breaks(clause, tensor .. "-leading", tensor .. " alone has a leading 1 more", { [tensor] = common.leading },
         function(_, v) return common.draw_leading(v, v[sizes]) end, more)
end

-- The same of an operator with a tensor of indices. attributes: names of its other axes. Returns the words.
function ov.change_axes(any, attributes)
  local words = { "data", "dtype", "index_dtype", "in_layout", "indices_layout", "out_layout", "in_extra", "pattern",
                  "first", "size", "index_size", "in_stride", "indices_stride", "out_stride", "out_base",
                  "refused", "swapped", "others" }
  for k, name in ipairs(attributes) do table.insert(words, 3 + k, name) end
  ov.variant_axes(any, words)
  return words
end

-- What drawn cases bind, and the attributes. n: the elements that index i may select; types: of indices.
function ov.bind_drawn(any, n, attributes, types, negative)
  any:where("period > 0")
  local limits = ov.limits(types)
  if negative then any:where(limits.holds_signs) end
  local named = ("min(%s, %s)"):format(n, limits.cap) -- the elements that the type of the indices can name
  local bound = {
    data    = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
                Extra = "in_extra", Base = "in_base" },
    indices = { DataType = "index_dtype", Sizes = "index_size", Layout = "indices_layout", Strides = "indices_stride",
                Extra = "indices_extra", Base = "indices_base",
                Data = "(i == odd - 1 and first + period + 1 or pattern == 'ascending' and first + i or " ..
                       "pattern == 'descending' and first - i or pattern == 'constant' and first or " ..
                       "pattern == 'runs' and first + i // period or pattern == 'cycle' and first + i % period or " ..
                       "pattern == 'steps' and first + i * period or (first + i) * (period + i)) % max(" .. named .. ", 1)" ..
                       from_end(named, negative) },
    output  = { Layout = "out_layout", Strides = "out_stride", Extra = "out_extra", Base = "out_base" },
  }
  for name, value in pairs(attributes) do bound[name] = value end
  any:bind(bound)
end

-- Draw everything but the attributes. `s` has size, index_size and out_size, the elements that an index may select (n),
-- the length of a cycle of indices (cycle), and plan, which r.copied takes, if there is one. apart: no two indices share
-- an address; negative: indices may count from the end. most: of elements, where nothing runs.
function ov.draw(r, c, s, most)
  local n, count = math.max(s.n, 1), math.max(ov.product(s.index_size), 1)
  local function strided(dtype, shares, like)
    return { dtype = dtype, shares = shares, like = like, span = most and most > 4096 and 4294967295 or nil }
  end
  local in_stride = r.strides(s.size, strided(c.dtype, true))
  local v = {
    size = s.size, index_size = s.index_size, out_size = s.out_size,
    fill = r.pick { "bits", "bits", "injective", "special", "stretches" },
    pattern = r.pick { "ascending", "descending", "constant", "runs", "cycle", "steps", "mixed" },
    first = r.chance(30) and r.pick { 0, n - 1 } or r.about(0, n - 1),
    period = r.chance(20) and r.pick { math.max(s.cycle, 1), n, math.max(1, n - 1) } or r.about(1, math.max(2, n)),
    odd = r.chance(20) and r.about(1, count) or 0,
    in_extra = r.chance(20) and r.about(0, 65536) or 0, indices_extra = r.chance(20) and r.about(0, 4096) or 0,
    out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_layout = r.chance(60) and "strides" or "packed", indices_layout = r.chance(60) and "strides" or "packed",
    out_layout = r.chance(60) and "strides" or "packed", in_stride = in_stride,
    indices_stride = r.strides(s.index_size, strided(c.index_dtype, not s.apart)),
    out_stride = r.strides(s.out_size, strided(c.dtype, false, in_stride)),
    in_base = r.base(), indices_base = r.base(), out_base = r.base(),
  }
  if s.plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(s.size, s.out_size, s.plan, c.dtype) end
  if s.negative then v.sign = c.index_dtype:sub(1, 1) == "i" and r.pick { 0, 0, 1, 2 } or 0 end
  return v
end

-- A dimension that is longer than indices of 7, 8, 15 or 16 bits can tell, and a draw with indices about such an end.
-- Finds indices that are cut to 8 or 16 bits.
function ov.long(r)
  return r.pick { r.int(129, 255), r.int(257, 400), r.int(32769, 65535), r.int(32769, 65535), r.int(65537, 70000) }
end
function ov.at_end(r, v, n)
  local ends = { n }
  for _, e in ipairs { 128, 256, 32768, 65536 } do if e < n then ends[#ends + 1] = e end end
  v.first, v.pattern, v.odd = r.pick(ends) - r.int(0, 2), r.pick { "ascending", "descending", "cycle" }, 0
  v.fill, v.period = "bits", r.int(1, 4)
  return v
end

-- Put the elements of a tensor far apart along one of its dimensions. layout: the name of its layout. False if it has no
-- dimension for that.
function ov.spread_one(r, v, size, stride, layout)
  local span, long = 1, {}
  for d = 1, #size do if size[d] > 1 then long[#long + 1] = d end end
  if #long == 0 or ov.product(size) == 0 then return false end
  local k = r.chance(40) and long[1] or r.pick(long)
  for d = 1, #size do span = span + (d ~= k and (size[d] - 1) * stride[d] or 0) end
  stride[k], v[layout] = r.about(math.max(span, 16777216), 8589934592 // (size[k] - 1)), "strides"
  if r.chance(40) then stride[k] = stride[k] & -(1 << r.int(6, 16)) end -- a round pitch
  return true
end

-- The same of one tensor of the list, or of all. tensors: a list of sizes, strides and the name of the layout. Returns v,
-- or nil if no tensor has a dimension for it.
function ov.spread(r, v, tensors)
  local one, done = r.int(0, #tensors), false -- 0: all of them
  for k, t in ipairs(tensors) do
    if (one == 0 or one == k) and ov.spread_one(r, v, t[1], t[2], t[3]) then done = true end
  end
  return done and v or nil
end

-- The same with random bits.
function ov.bits(draw)
  return function(r, c)
    local v = draw(r, c)
    if v then v.fill = "bits" end
    return v
  end
end

-- A function that declares a drawn test, ordinary or what `declare` makes of it, over these classes of axes.
local function drawn(classes, declare)
  return function(name, title, cases, draw, more)
    local t = { title, each = classes, cases = cases, draw = draw }
    for _, axis in ipairs(classes) do t[axis] = "*" end
    for word, value in pairs(more or {}) do t[word] = value end
    declare(name, t)
  end
end

-- The ordinary drawn tests. draw(r, c, most, given) draws a case, whose data has the sizes `given` if there are any;
-- planned(r, c, shape) one whose output has the sizes that shape(rank) draws; vast(r, c, count, most) one with `count`
-- elements, and in_stride where they share one address, along a dimension that indices select from, beside dimensions of
-- `most` elements. `after`: the words of ov.change_axes.
function ov.drawn_tests(any, def)
  local test = drawn(def.classes, function(name, t) any:test(name)(t) end)
  local draw, planned = def.draw, def.planned
  test("drawn", def.title, { quick = 300, full = 5000, exhaustive = 1000000 }, function(r, c) return draw(r, c) end)
  test("drawn_after", "the same after calls that differ in one thing", { quick = 200, full = 1000, exhaustive = 100000 },
       ov.bits(common.after(draw, planned, def.after)), { preceded = true })
  -- Finds counts and offsets of 16 bits in each role, grids of one dimension, and what depends on a first call.
  test("drawn_counts", "more than 2^16 of something: rows, batches, blocks, elements of a row",
       { quick = 1, full = 12, exhaustive = 4000 }, function(r, c) return draw(r, c, nil, r.long_sizes(c.rank)) end)
  local grids = { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = { 4, 3, 5, 8 } }
  for word, value in pairs(def.grids or {}) do grids[word] = value end
  test("drawn_grids", "more than 65,535 rows, matrices or elements of a plane that cannot be merged",
       { quick = 1, full = 20, exhaustive = 8000 }, ov.bits(function(r, c) return planned(r, c, r.grid) end), grids)
  local large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 4, 3 }, index_dtype = { "i32" } }
  for word, value in pairs(def.grids or {}) do large[word] = value end
  local function grid(count)
    return ov.bits(function(r, c) return planned(r, c, function(n) return r.grid(n, count(r)) end) end)
  end
  test("drawn_tall", "more than 65,535 groups of 32 or 64 rows", { full = 2, exhaustive = 40 },
       grid(function(r) return 65535 * r.pick { 64, 64, 128 } + r.int(1, 1024) end), large)
  test("drawn_large", "2^24 elements: more groups of 256 than a dimension of a dispatch has",
       { full = 1, exhaustive = 12 }, grid(function(r) return 16776960 + r.int(1, 1024) end), large)
  test("drawn_first", "the first call of a process", { quick = 1, full = 12, exhaustive = 400 },
       ov.bits(function(r, c) return draw(r, c, 256) end), { fresh = true })
  -- Finds offsets that 32 bits cannot hold, in elements or in bytes. These operators do not limit them.
  test("drawn_sparse", "elements up to 2^33 elements apart", { full = 500, exhaustive = 20000 }, ov.bits(function(r, c)
    local v = draw(r, c, 16)
    v.in_stride, v.indices_stride, v.out_stride = r.strides(v.size, {}), r.strides(v.index_size, {}), r.strides(v.out_size, {})
    return ov.spread(r, v, { { v.size, v.in_stride, "in_layout" }, { v.index_size, v.indices_stride, "indices_layout" },
                             { v.out_size, v.out_stride, "out_layout" } })
  end), { sparse = true })
  -- Finds indices that need more bits than there are for them.
  common.far_tests(test, { most = 1 << 33, long = function(r, c, length)
    local v = def.vast(r, c, length(4), 4)
    return v and ov.product(v.index_size) <= 64 and v or nil
  end })
  common.large_tests(test, { planned = planned, classes = grids, deep = grids, large = large, batched = def.batched,
                             batched_classes = def.batched_classes, block = def.block, block_classes = def.block_classes,
                             full = { rows = 20, cubes = 20, high = 3 } })
  test("drawn_ends", "indices where 7, 8, 15 and 16 bits end, and at the end of a dimension that is longer",
       { quick = 4, full = 60, exhaustive = 20000 }, function(r, c)
    local n = ov.long(r)
    local v = def.vast(r, c, n, 4)
    v.in_layout = "packed"
    return ov.at_end(r, v, n)
  end)
  -- Finds indices that are cut to 32 bits.
  test("drawn_vast", "indices along a dimension of up to 2^62 elements that share one address",
       { full = 500, exhaustive = 50000 }, function(r, c)
    local v = def.vast(r, c, r.about(2097152, c.index_dtype == "i32" and 2147483647 or 1 << 56), 64)
    v.in_layout, v.pattern = "strides", v.pattern == "mixed" and "ascending" or v.pattern
    v.period = r.about(1, 65536)
    return v
  end, { vast = true })
end

-- breaks(clause, name, title, change, alter, more): a drawn legal descriptor with one thing changed. alter(r, v, c) says
-- how, or returns false to draw again.
function ov.illegal(any, def)
  return function(clause, name, title, change, alter, more)
    local declare = drawn(def.classes, function(_, t)
      t.name, t.change = "drawn-" .. name, change
      any:invalid(clause)(t)
    end)
    declare(nil, title, { quick = 8, full = 200, exhaustive = 10000 }, function(r, c)
      local v = def.draw(r, c, r.chance(40) and r.about(2, 1 << 40) or nil)
      if alter and alter(r, v, c) == false then return nil end
      return v
    end, more)
  end
end

-- holds(clauses, name, title, alter, more): the legal sides of limits. alter(r, v, c) moves a drawn descriptor there, or
-- returns another one. With `asked`, nothing is executed.
function ov.legal(any, def)
  return function(clauses, name, title, alter, more)
    local asked = more and more.asked
    local declare = drawn(def.classes, function(_, t)
      t.name = name
      any:limit(clauses)(t)
    end)
    declare(nil, title, { quick = 4, full = 60, exhaustive = 3000 }, function(r, c)
      local v = def.draw(r, c, asked and r.about(2, 1 << 40) or nil)
      local other = alter(r, v, c)
      if other == false then return nil end
      return other or v
    end, more)
  end
end

-- The type numbers of ov.integers, and the types that are none.
local integers = { [3] = true, [4] = true, [5] = true, [6] = true, [7] = true, [8] = true, [10] = true, [11] = true }
local no_integers = { "f32", "f16", "bf16", "f64", "bool" }
local numbers = { f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8, f64 = 9, u64 = 10, i64 = 11 }
local roles = { { "data", "in", "size" }, { "indices", "indices", "index_size" }, { "output", "out", "out_size" } }

-- The drawn cases of what all these operators demand of tensors. ids: the clauses: given, dims, type, index_type, bytes; and
-- `integers` where indices may have any of ov.integers, not those of ov.usual alone.
function ov.drawn_clauses(breaks, ids)
  for _, role in ipairs(roles) do
    local tensor, key, sizes = role[1], role[2], role[3]
    breaks(ids.given, tensor, tensor .. " is missing", { [tensor] = { Present = "0" } })
    breaks(tensor == "indices" and ids.index_type or ids.type, tensor .. "-type", tensor .. " alone has another type",
           { [tensor] = { DataType = "by" } }, function(r, v, c)
      v.by = r.int(1, 11)
      if tensor == "indices" and (v.by == 6 or v.by == 11 or ids.integers and integers[v.by]) then return false end
      if tensor ~= "indices" and v.by == numbers[c.dtype] then return false end
      v[key .. "_extra"] = 1 << 50
    end)
    breaks(ids.bytes, tensor, tensor .. " does not fit into its bytes", { [tensor] = { TotalTensorSizeInBytes = "by" } },
           function(r, v)
      local size, stride, span = v[sizes], v[key .. "_stride"], 1
      if ov.product(size) == 0 then return false end
      for d = 1, #size do span = span + (size[d] - 1) * stride[d] end
      v.by = r.about(0, (v[key .. "_layout"] == "strides" and span or ov.product(size)) - 1)
    end)
  end
  breaks(ids.dims, "data", "data has more dimensions than are judged",
         { data = { DimensionCount = "by", TotalTensorSizeInBytes = "4611686018427387904" } },
         function(r, v) v.by = r.about(9, 4294967295) end)
end

-- ---- illegal descriptors: a legal one with a single change, which breaks a single clause --------------------------

-- The complete spaces of illegal tensors. ids: as for ov.drawn_clauses; `axes` are varied in all tests, `few` in those with
-- many other values; bytes: the predicate and axes of shapes of more than four bytes.
function ov.illegal_tensors(o, ids, def)
  local function breaks(clause, axes, t)
    for axis, values in pairs(axes) do t[axis] = t[axis] or values end
    o:invalid(clause)(t)
  end
  for _, role in ipairs(roles) do
    local tensor, key = role[1], role[2]
    breaks(ids.given, def.axes, { tensor .. " is missing", name = tensor, dtype = "*", index_dtype = ov.usual,
                                  change = { [tensor] = { Present = "0" } } })
    breaks(ids.given, def.axes, { tensor .. " has no shape", name = tensor .. "-shape", dtype = "*",
                                  change = { [tensor] = { Null = null.sizes } } })
    breaks(ids.bytes, def.bytes, { tensor .. " does not fit into its bytes", name = tensor,
                                   dtype = { "f32", "u8", "f16", "f64" }, index_dtype = ov.usual,
                                   [key .. "_layout"] = { "packed", "padded", "transposed" },
                                   change = { [tensor] = { Extra = "-4" } } })
    breaks(ids.bytes, def.axes, { tensor .. " has no bytes", name = tensor .. "-none", dtype = "*",
                                  change = { [tensor] = { TotalTensorSizeInBytes = "0" } } })
  end
  for _, tensor in ipairs { "data", "output" } do
    breaks(ids.type, def.axes, { tensor .. " alone has another type", name = tensor, dtype = "*", other = { all.dtypes },
                                 where = "other ~= dtype", change = { [tensor] = { DataType = "other" } } })
  end
  local unknown = { DataType = "by", TotalTensorSizeInBytes = "65536" }
  breaks(ids.type, def.axes, { "an element type that does not exist, or has no whole bytes", name = "unknown", dtype = "*",
                               by = { 0, 12, 13, 16, 255, 4294967295 }, change = { data = unknown, output = unknown } })
  breaks(ids.index_type, def.axes,
         { "indices of a type that indices may not have", dtype = "*",
           other = ids.integers and no_integers or ov.joined(no_integers, { "u8", "u16", "u32", "u64", "i8", "i16" }),
           change = { indices = { DataType = "other" } } })
  breaks(ids.index_type, def.axes, { "an element type that does not exist", name = "unknown", dtype = "*",
                                     by = { 0, 12, 13, 16, 255, 4294967295 }, change = { indices = unknown } })
  breaks(ids.dims, def.axes, { "data has more dimensions than are judged", name = "data", dtype = "*",
                               by = { 9, 10, 16, 17, 255, 4294967295 },
                               change = { data = { DimensionCount = "by", TotalTensorSizeInBytes = "65536" } } })
  breaks(ids.dims, def.axes, { "data has no dimensions", name = "data-none", dtype = "*", index_dtype = ov.usual,
                               change = { data = { DimensionCount = "0" } } })
end

return ov
