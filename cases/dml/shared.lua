-- SPDX-License-Identifier: Apache-2.0
-- Declarations that the case files of DirectML's operators share: illegal tensor descriptors, which do not depend on the
-- operator. `shared(op)` in a case file runs this for its operator, `shared()` for its functions alone. docs/cases.md describes the language.
local op = ...
local common = common()
local dml = { long = common.long, at_end = common.at_end, flag_test = common.flag_test }
function dml.after(...) return common.bits(common.after(...)) end

-- ---- axes of changes: each has one value here, so that no other test varies it ----------------------------
if op then -- without it, the file only has its functions
  op:axis("broken", "the dimension that a change breaks, from 1; 0: none") { 0 }
  op:axis("by", "how far a change goes, or to which value") { 1 }
  op:axis("other", "another DataType, for a change") { "f32" }
  op:axis("overlap", "a layout that gives two elements one address, for a change") { "broadcast-first" }
  op:axis("sixteen", "Sizes of sixteen dimensions, more than a tensor has") { 1, per = 16 }
  op:axis("nine", "Sizes of nine dimensions, one too many") { 1, per = 9 }
end

-- ---- expressions --------------------------------------------------------------------------------------------------
dml.inside = "broken >= 1 and broken <= rank"

-- The value where the dimension is `broken`, elsewhere the base.
function dml.changed(value, base, at)
  return "pick(" .. (at or "at") .. " == broken, " .. value .. ", " .. base .. ")"
end

-- Bytes of an element of type `dtype`.
dml.width = "((dtype == 'u8' or dtype == 'i8') and 1 or (dtype == 'u16' or dtype == 'i16' or dtype == 'f16') and 2 or " ..
            "(dtype == 'u64' or dtype == 'i64' or dtype == 'f64') and 8 or 4)"

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Tests of the clauses that hold for every tensor. `t` describes the tensor: `axes` and `where` of all its tests; its
-- sizes, positions and bytes of an element as expressions; whether it is an output, or a state, whose last size is not 1.
-- Its sizes are at least 3 by default: in a smaller tensor, a stride of 2^31 is legal.
function dml.buffer(tensor, name, t)
  local at = t.at or "at"
  local function breaks(clause, how, title, change, more)
    local def = { tensor .. ": " .. title, name = how and name .. "-" .. how or name, change = { [tensor] = change } }
    local where = { t.where }
    for axis, values in pairs(t.axes) do def[axis] = values end
    for axis, values in pairs(more or {}) do def[axis] = values end
    where[#where + 1] = def.where
    if #where > 0 then def.where = where end
    op:invalid(clause)(def)
  end
  breaks("BUF-01", nil, "Desc is a null pointer", { Null = null.desc })
  breaks("BUF-01", "garbage", "Desc is a null pointer, and nothing behind it is looked at",
         { Null = null.desc, Flags = "254", Alignment = "3", Sizes = t.sizes .. " + 1" })
  breaks("BUF-03", nil, "Flags has an unknown bit", { Flags = "by" },
         { by = t.output and { 2, 4, 2147483648, 4294967294 } or { 2, 3, 4, 2147483648, 4294967294 } })
  if t.output then
    breaks("BUF-04", nil, "an output is OWNED_BY_DML", { Flags = "1" })
    breaks("BUF-12", nil, "two elements share an address", { Layout = "overlap" }, {
      overlap = { "broadcast-first", "broadcast-last", "broadcast-all", not t.state and "overlapping" or nil },
      where = "rank >= 2 or overlap ~= 'overlapping'",
    })
  end
  breaks("BUF-06", "null", "Sizes is a null pointer", { Null = null.sizes })
  breaks("BUF-06", "null-zeros", "Sizes is a null pointer, and nothing behind it is looked at",
         { Null = null.sizes, Sizes = "0 * " .. at })
  breaks("BUF-06", "zero", "a size is 0", { Sizes = dml.changed("0", t.sizes, at), TotalTensorSizeInBytes = "65537" },
         { broken = range(1, 8), where = dml.inside })
  breaks("BUF-10", nil, "TotalTensorSizeInBytes is 1 to 4 bytes short", { Extra = "-by" }, { by = { 1, 2, 3, 4 } })
  breaks("BUF-10", "none", "TotalTensorSizeInBytes is 0", { TotalTensorSizeInBytes = "0" })
  breaks("BUF-11", "strides", "a stride spans more than 2^32 - 1 elements", {
    Strides = dml.changed("by", "1 + 0 * " .. at, at),
  }, {
    by = { 2147483648, 4294967295 }, broken = range(1, 8), where = t.state and "broken == rank" or dml.inside,
  })
  breaks("BUF-14", nil, "the alignment is no power of two", { Alignment = "by" }, { by = { 3, 24, 48, 4294967295 } })
  if t.bytes ~= "1" then
    breaks("BUF-14", "small", "the alignment is less than an element", { Alignment = "by" },
           { by = { 1, 2, 4 }, where = "by < " .. t.bytes })
  end
  breaks("BUF-22", nil, "the alignment is a power of two below 16", { Alignment = "by" },
         { by = { 1, 2, 4, 8 }, where = "by >= " .. t.bytes })
end

-- Illegal cases of tensors with more than 2^32 - 1 elements: BUF-11. With strides of 0 they share one address: BUF-21;
-- `only` has values of axes for these.
function dml.too_many(def, only)
  local shared = {}
  local function at_one_address(change)
    if change.Sizes then return { Sizes = change.Sizes, Strides = ("0 * (%s)"):format(change.Sizes) } end
    local list = {}
    for k, of_member in ipairs(change) do list[k] = at_one_address(of_member) end
    return list
  end
  for word, value in pairs(def) do shared[word] = value end
  for axis, values in pairs(only or {}) do shared[axis] = values end
  shared[1], shared.change = def[1] .. ", at one address", {}
  for tensor, change in pairs(def.change) do shared.change[tensor] = at_one_address(change) end
  op:invalid "BUF-11" (def)
  op:invalid "BUF-21" (shared)
end

-- ---- drawn cases ---------------------------------------------------------------------------------------------------

-- Declare the axes that say how a case of a drawn test is changed. In the calls before a case, `times` of them, the axis
-- that `before` names differs as `how` says, in element `which`. Its values are `words`, to which this function adds the
-- kinds of calls that are no axes. In an illegal case, the dimension `broken` is changed by `by`, or to it.
function dml.change_axes(family, words)
  for _, kind in ipairs { "out_base", "refused", "swapped", "others" } do words[#words + 1] = kind end
  family:axis("before",
              "how the calls before the case differ from it: in their data, in one or more axes, or refused") (words)
  family:axis("times", "how many calls are made before the case") { 0 }
  family:axis("how", "how the axis that `before` names differs in these calls") { all.hows }
  family:axis("which", "the element of that axis that differs in these calls, from 1; 0: all of them") { 0 }
  family:axis "broken" { 0 }
  family:axis "by"     { 1 }
  family:axis("sixteen", "Sizes of sixteen dimensions, more than a tensor has") { 1, per = 16 }
  family:axis("many", "Sizes of more than 2^64 elements, for a change") { 1, per = "rank" }
  family:positions("at", "rank")
end

-- The product of a list, or of its values from `first` to `last`: of sizes, the number of elements.
function dml.product(list, first, last)
  local p = 1
  for k = first or 1, last or #list do p = p * list[k] end
  return p
end

-- How many blocks of an odd number of elements have, in all, one element more than a multiple of 256.
function dml.one_more(elements)
  local count = 1
  while count * elements % 256 ~= 1 do count = count + 1 end
  return count
end

-- Sizes of 2 to 16 elements in all; in 40 of 100 cases in three dimensions, or in four, as kernels have another path for
-- more than three loops.
function dml.few(r, rank)
  local size = r.sizes(rank, 16)
  if rank > 3 and r.chance(20) then
    for k, d in ipairs(r.order(rank)) do size[d] = k <= 4 and 2 or 1 end
  elseif rank > 2 and r.chance(30) then
    for k, d in ipairs(r.order(rank)) do size[d] = k <= 3 and r.int(2, 3) or 1 end
    if dml.product(size) > 16 then size[r.int(1, rank)] = 1 end
  end
  if dml.product(size) == 1 then size[r.int(1, rank)] = r.int(2, 3) end
  return size
end

-- Move the elements of a tensor far apart along one dimension: v.in_layout and v.in_stride for "in". False if it has one
-- element.
function dml.spread_one(r, size, v, tensor)
  local long, span = {}, 1
  for k = 1, #size do if size[k] > 1 then long[#long + 1] = k end end
  if #long == 0 then return false end
  local k, stride = r.chance(40) and long[1] or r.pick(long), v[tensor .. "_stride"]
  for d = 1, #size do span = span + (d ~= k and (size[d] - 1) * stride[d] or 0) end
  local most = (dml.most_elements "u8" - span) // (size[k] - 1)
  local alike = stride[k] + r.pick { 536870912, 1073741824, 2147483648 } -- the same in the lowest 32 bits of its bytes
  if alike <= most and r.chance(25) then
    stride[k] = alike
  else
    stride[k] = r.chance(30) and most - r.int(0, 3) or r.about(math.min(16777216, most), most)
    if r.chance(40) then stride[k] = stride[k] & -(1 << r.int(6, 16)) end -- a round pitch
  end
  if span + (size[k] - 1) * stride[k] > 4294901760 then v[tensor .. "_extra"] = 0 end -- BUF-24
  v[tensor .. "_layout"] = "strides"
  return true
end

-- The same for one of these tensors, or all of them: { "in", size, "out", out_size }.
function dml.spread(r, v, tensors)
  local all, one, done = r.chance(30), r.int(1, #tensors // 2), false
  for k = 1, #tensors // 2 do
    if (all or k == one) and dml.spread_one(r, tensors[2 * k], v, tensors[2 * k - 1]) then done = true end
  end
  return done
end

-- Illegal cases of a family: a drawn legal descriptor with one clause broken, at any magnitude and in any layout. The
-- family has the axes `by`, `broken` and `other`, positions `at` and, of each tensor, an axis of strides. `def` has the
-- axes that are taken in turn, and draw.
function dml.illegal(family, def)
  return function(clause, name, title, change, alter, more)
    local t = { title, name = "drawn-" .. name, change = change, each = def.each,
                cases = { quick = 20, full = 500, exhaustive = 10000 } }
    for _, axis in ipairs(def.each) do t[axis] = "*" end
    for word, value in pairs(more or {}) do t[word] = value end
    t.draw = function(r, c)
      local v = def.draw(r, c, dml.most(r))
      if alter and alter(r, v, c) == false then return nil end -- drawn again
      return v
    end
    family:invalid(clause)(t)
  end
end

local widths = { u8 = 1, i8 = 1, u16 = 2, i16 = 2, f16 = 2, u64 = 8, i64 = 8, f64 = 8 }

-- The most elements of a packed tensor whose bytes are no more than 2^32 - 1 elements, rounded up to a multiple of 4.
-- The page does not say whether the bytes behind the elements count (BUF-24).
function dml.most_elements(dtype)
  local bytes = widths[dtype] or 4
  return bytes == 1 and 4294967292 or bytes == 2 and 4294967294 or 4294967295
end

-- Of a descriptor that nothing executes: the most elements of a tensor, up to some 2^32, or nil for an ordinary draw.
function dml.most(r) return r.chance(40) and r.about(2, dml.most_elements "u8") or nil end

-- The options of r.strides for a tensor of a draw of at most `most` elements, or nil.
function dml.strided(most, dtype, shares, like)
  return { dtype = dtype, shares = shares, like = like, span = most and most > 4096 and 4294967295 or nil }
end

-- A power of two is never drawn.
local function draw_odd_alignment(r)
  local n = r.about(3, 4294967295)
  return n & (n - 1) == 0 and n + 1 or n
end

-- A dimension with more than one element, or nil.
local function draw_long(r, size)
  local long = {}
  for k = 1, #size do if size[k] > 1 then long[#long + 1] = k end end
  return #long > 0 and r.pick(long) or nil
end

-- The elements from the first to the last, without dimension k.
local function span_without(size, strides, k)
  local span = 1
  for d = 1, #size do span = span + (d ~= k and (size[d] - 1) * strides[d] or 0) end
  return span
end

-- Bytes of an element of a tensor: `bytes` says so, or the axis `dtype` does. And its most elements.
local function bytes_of(t, c) return t.bytes or widths[c[t.dtype or "dtype"]] or 4 end
local function most_of(t, c) return t.bytes and 4294967295 or dml.most_elements(c[t.dtype or "dtype"]) end

-- The clauses of every tensor. `t` describes it: the names of its axes of sizes and strides, and of its positions if
-- they are not `at`; its key in the names of other axes; whether it is an output; the axis of its type, or its bytes;
-- `from`: an axis with the first dimension of which the size can be 0 without breaking another clause.
function dml.illegal_buffer(breaks, tensor, t)
  local at = t.at or "at"
  local function changed(value, base) return ("pick(%s == broken, %s, %s)"):format(at, value, base) end
  breaks("BUF-01", t.key, tensor .. ": Desc is a null pointer", { [tensor] = { Null = null.desc } })
  breaks("BUF-03", t.key, tensor .. ": Flags has an unknown bit", { [tensor] = { Flags = "by" } }, function(r, v)
    v.by = t.output and r.about(1, 2147483647) * 2 or r.about(2, 4294967295)
  end)
  breaks("BUF-06", t.key, tensor .. ": Sizes is a null pointer", { [tensor] = { Null = null.sizes } })
  breaks("BUF-06", t.key .. "-zero", tensor .. ": a size is 0", { [tensor] = { Sizes = changed("0", t.sizes) } },
         function(r, v) v.broken = r.int(math.max(1, t.from and v[t.from] or 1), #v[t.sizes]) end)
  breaks("BUF-10", t.key, tensor .. ": TotalTensorSizeInBytes is too small",
         { [tensor] = { TotalTensorSizeInBytes = "by" } }, function(r, v, c)
    local span = v[t.key .. "_layout"] == "strides" and span_without(v[t.sizes], v[t.strides], 0) or dml.product(v[t.sizes])
    local bytes = (span * bytes_of(t, c) + 3) // 4 * 4
    v.by = r.chance(50) and r.about(0, bytes - 1) or bytes - r.int(1, 4)
  end)
  breaks("BUF-11", t.key .. "-stride", tensor .. ": a stride spans more than 2^32 - 1 elements",
         { [tensor] = { Strides = changed("by", t.strides) } }, function(r, v)
    local size = v[t.sizes]
    local k = draw_long(r, size)
    if not k then return false end
    local least = 4294967294 // (size[k] - 1) + 1
    if least > 4294967295 or least <= span_without(size, v[t.strides], k) then return false end
    v.broken, v.by = k, r.about(least, 4294967295)
  end)
  breaks("BUF-14", t.key, tensor .. ": the alignment is no power of two", { [tensor] = { Alignment = "by" } },
         function(r, v) v.by = draw_odd_alignment(r) end)
  if t.output then
    breaks("BUF-04", t.key, tensor .. " is OWNED_BY_DML", { [tensor] = { Flags = "1" } })
    breaks("BUF-12", t.key, tensor .. ": two elements share an address", { [tensor] = { Strides = changed("by", t.strides) } },
           function(r, v)
      local size, strides = v[t.sizes], v[t.strides]
      local k = draw_long(r, size)
      if not k then return false end
      local other = draw_long(r, size)
      v.broken, v.by = k, other and other ~= k and r.chance(50) and strides[other] or 0
      if span_without(size, strides, k) + (size[k] - 1) * v.by > 4294967295 then v.by = 0 end
    end)
  end
end

-- A tensor alone has one dimension more, a leading 1, which breaks this clause. Four, five and eight dimensions would
-- become more than some feature level has. `t` as for dml.illegal_buffer.
function dml.one_leading(breaks, clause, tensor, t, more)
  local of = { rank = { 1, 2, 3, 6, 7 } }
  for word, value in pairs(more or {}) do of[word] = value end
  breaks(clause, t.key .. "-leading", tensor .. " alone has a leading 1 more", { [tensor] = common.leading },
         function(_, v) return common.draw_leading(v, v[t.sizes]) end, of)
end

-- What makes a tensor have `by` dimensions, 17 or more or none, and draws `by`.
dml.no_dims = { Sizes = "sixteen", DimensionCount = "by", Layout = "0", TotalTensorSizeInBytes = "65536" }
function dml.draw_no_dims(r, v) v.by = r.chance(20) and 0 or r.about(17, 4294967295) end

-- ---- drawn cases: places, counts and the legal sides of limits -----------------------------------------------------

-- Where the buffers of a case begin, modulo 64, in the axes NAME_base: often at different places.
function dml.places(r, v, ...)
  local one = r.base()
  for _, name in ipairs { ... } do v[name .. "_base"] = r.chance(25) and one or r.base() end
  return v
end

-- The axes of a drawn case of one input and one output, behind those of its attributes. sizes: the name, the description
-- and the default of each axis of sizes.
function dml.in_out_axes(any, sizes)
  any:axis "in_layout"  { "packed", "strides" }
  any:axis "out_layout" { "packed", "strides" }
  any:axis "fill"       { all.fills, "stretches" }
  any:axis("in_extra", "bytes of TotalTensorSizeInBytes beyond the least, of InputTensor") { 0 }
  any:axis("out_extra", "bytes of TotalTensorSizeInBytes beyond the least, of OutputTensor") { 0 }
  any:axis "alignment"  { 0 }
  for _, of in ipairs(sizes) do any:axis(of[1], of[2]) { of[3], per = "rank" } end
  any:axis("in_stride", "Strides of InputTensor, where its layout is strides") { 0, per = "rank" }
  any:axis("out_stride", "Strides of OutputTensor, where its layout is strides") { 0, per = "rank" }
  any:axis("in_base", "where InputTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
  any:axis("out_base", "where OutputTensor begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
  any:axis("in_flags", "Flags of InputTensor") { 0 }
end

-- Draw what is left of such a case: v has its attributes, sizes and in_stride, out_size are the sizes of the output. Of
-- at most `most` elements; by a plan if there is one.
function dml.in_out(r, c, v, out_size, most, plan)
  v.fill = r.pick { "bits", "bits", "injective", "special", "stretches" }
  v.in_layout = r.chance(65) and "strides" or "packed"
  v.out_layout = r.chance(65) and "strides" or "packed"
  v.out_stride = r.strides(out_size, dml.strided(most, c.dtype, false, v.in_stride))
  v.in_extra = r.chance(20) and r.about(0, 65536) or 0
  v.out_extra = r.chance(20) and r.about(0, 65536) or 0
  v.alignment = r.chance(10) and 16 << r.int(0, 12) or 0
  v.in_flags = r.chance(3) and 1 or 0
  dml.places(r, v, "in", "out")
  if plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(v.size, out_size, plan, c.dtype) end
  return v
end

-- The same draw with the output in the memory of the input, which has these properties of the output.
function dml.in_place(draw, properties)
  return function(r, c)
    local v = draw(r, c)
    for _, of in ipairs(properties) do v["in_" .. of] = v["out_" .. of] end
    v.in_flags = 0 -- what DirectML owns cannot be written
    return v
  end
end

-- Of 100 drawn cases so many have sizes and layouts that kernels have paths for (r.tiles).
dml.planned = 22

-- The classes of tests with many elements: narrow types, which cost few bytes, and these numbers of dimensions.
function dml.narrow(ranks) return { dtype = { "u8", "f16", "i8", "u16", "f32" }, rank = ranks } end

-- A function that declares a drawn test over these classes of axes.
function dml.drawn_test(family, each)
  return function(name, title, cases, draw, more)
    local t = { title, each = each, cases = cases, draw = draw }
    for _, axis in ipairs(each) do t[axis] = "*" end
    for word, value in pairs(more or {}) do t[word] = value end
    family:test(name)(t)
  end
end

-- The classes `more` of many elements in three dimensions or more.
local function deep(more)
  local all, ranks = {}, {}
  for word, value in pairs(more) do all[word] = value end
  for _, rank in ipairs(more.rank) do if rank >= 3 then ranks[#ranks + 1] = rank end end
  all.rank = ranks
  return all
end

-- The tests of counts, of large tensors and of the first call of a process. draw(r, c, most, size) draws a case with
-- these sizes of the tensor whose elements count; planned(r, c, shape) one whose sizes and plan shape(rank) draws.
-- `quick` and `full`: how many cases of counts and of grids these tiers have, and of tall and of large ones tier full,
-- where several tensors are large and a case takes long; and of common.large_tests.
function dml.count_tests(family, def)
  local quick = def.quick or { counts = 2, grids = 6 }
  local full = def.full or { counts = 60, grids = 130, tall = 5, large = 4 }
  local test = dml.drawn_test(family, def.each)
  test("drawn_counts", "more than 2^16 of something: rows, batches, blocks, elements of a row",
       { quick = quick.counts, full = full.counts, exhaustive = 4000 }, function(r, c)
    return def.draw(r, c, nil, r.long_sizes(c.rank))
  end)
  test("drawn_grids", "more than 65,535 rows, matrices or elements of a plane that cannot be merged",
       { quick = quick.grids, full = full.grids, exhaustive = 8000 }, function(r, c)
    local v = def.planned(r, c, r.grid)
    v.fill = "bits"
    return v
  end, def.grids)
  local function large(count)
    return function(r, c)
      local v = def.planned(r, c, function(n) return r.grid(n, count(r)) end)
      if not v then return false end
      v.fill = "bits"
      if r.chance(50) then -- dense tensors, for which kernels have a path of their own
        for word in pairs(v) do if word:find "_layout$" then v[word] = "packed" end end
      end
      return v
    end
  end
  test("drawn_tall", "more than 65,535 groups of 32 or 64 rows", { full = full.tall, exhaustive = 40 },
       large(function(r) return 65535 * r.pick { 64, 64, 128 } + r.int(1, 1024) end), def.large)
  test("drawn_large", "2^24 elements: more groups of 256 than a dimension of a dispatch has",
       { full = full.large, exhaustive = 12 }, large(function(r) return 16776960 + r.int(1, 1024) end), def.large)
  test("drawn_first", "the first call of a process", { quick = 1, full = 12, exhaustive = 400 }, function(r, c)
    local v = def.draw(r, c, 256)
    if v then v.fill = "bits" end
    return v
  end, { fresh = true })
  common.large_tests(test, {
    planned = def.planned, classes = def.grids, deep = deep(def.grids), large = def.large, block = def.block,
    block_classes = def.block_classes, batched = def.batched, batched_classes = def.batched_classes,
    quick = { rows = quick.rows or 4, cubes = quick.cubes or 6, small = quick.small },
    full = { rows = full.rows or 30, cubes = full.cubes or 40, high = full.high or 2 },
  })
end

-- Legal descriptors at the limits of clauses: alter(r, v, c) moves a drawn one there, or returns another. With `asked`,
-- the backend is only asked about them, because most of them cannot be executed, and sizes up to 2^32 - 1 are drawn.
function dml.legal(family, def)
  -- Large tensors have no bytes beyond their elements, which might count (BUF-24).
  local function without_extra(clauses, v)
    for word in pairs(v) do
      if word:find "_extra$" and not clauses:find "BUF%-10" then v[word] = 0 end
    end
    return v
  end
  return function(clauses, name, title, alter, more)
    local t = { title, name = name, each = def.each,
                cases = { quick = more and more.asked and 10 or 6, full = 150, exhaustive = 3000 } }
    for _, axis in ipairs(def.each) do t[axis] = "*" end
    for word, value in pairs(more or {}) do t[word] = value end
    t.draw = function(r, c)
      local v = def.draw(r, c, t.asked and dml.most(r) or nil)
      local other = v and alter and alter(r, v, c)
      if other == false then return nil end -- drawn again
      v = other or v
      return t.asked and v and without_extra(clauses, v) or v
    end
    family:limit(clauses)(t)
  end
end

-- Sizes whose product is 2^32 - 1 = 3 * 5 * 17 * 257 * 65537, or close to it.
function dml.largest_sizes(r, rank, dtype)
  local size, left = {}, dml.most_elements(dtype)
  for k = 1, rank do size[k] = 1 end
  if left == 4294967295 and r.chance(50) then
    for _, prime in ipairs { 3, 5, 17, 257, 65537 } do
      local k = r.int(1, rank)
      size[k] = size[k] * prime
    end
    return size
  end
  for _, k in ipairs(r.order(rank)) do
    size[k] = r.about(1, left)
    left = left // size[k]
  end
  local k = r.int(1, rank)
  size[k] = size[k] * left
  return size
end

-- Numbers whose product is 2^64 and a power of two below 2^32, to which 64 bits cut it.
local wrapping = {
  { 4, 5, 5581, 8681, 49477, 384773 }, { 1024, 5, 13, 37, 109, 246241, 279073 }, { 65536, 193, 65537, 22253377 },
  { 16777216, 257, 4278255361 }, { 2147483648, 3, 3, 67, 683, 20857 },
}

-- Sizes of three dimensions or more with such a product; nil if one of them needs more than 32 bits.
function dml.wrapping_sizes(r, rank)
  local size = {}
  for k = 1, rank do size[k] = 1 end
  for _, factor in ipairs(r.pick(wrapping)) do
    local k = r.int(1, rank)
    if factor > 4294967295 // size[k] then return nil end
    size[k] = size[k] * factor
  end
  return size
end

-- What gives a tensor the sizes `many`.
dml.wrapped = { Sizes = "many", Layout = "0", TotalTensorSizeInBytes = "4611686018427387904" }

-- Draws `many`.
function dml.draw_wrapped(r, v, c)
  v.many = dml.wrapping_sizes(r, c.rank)
  return v.many ~= nil
end

-- The legal sides of the clauses of every tensor; `t` as for dml.illegal_buffer.
function dml.legal_buffer(holds, tensor, t)
  local key = t.key
  holds("BUF-10", key, tensor .. ": more bytes than it needs, up to those of 2^32 - 1 elements", function(r, v, c)
    local strided = v[key .. "_layout"] == "strides"
    local span = strided and span_without(v[t.sizes], v[t.strides], 0) or dml.product(v[t.sizes])
    local most = most_of(t, c) - span - 16 -- other layouts span a few elements more
    v[key .. "_extra"] = most > 0 and r.about(0, most // 2 * bytes_of(t, c)) or 0
  end, { asked = true })
  holds("BUF-11", key, tensor .. ": strides that span up to 2^32 - 1 elements", function(r, v, c)
    local size, strides = v[t.sizes], v[t.strides]
    local k = draw_long(r, size)
    if not k then return false end
    local others = span_without(size, strides, k)
    local most = (most_of(t, c) - others) // (size[k] - 1)
    if most < others then return false end
    strides[k], v[key .. "_layout"] = most, "strides"
  end, { asked = true })
  holds("BUF-14 BUF-22", key, tensor .. ": every power of two from 16 to 2^31",
        function(r, v) v[t.alignment or key .. "_alignment"] = 16 << r.int(0, 27) end)
  if t.output then
    holds("BUF-12", key, tensor .. ": interleaved elements that share no address", function(r, v, c)
      v[key .. "_layout"] = "strides"
      v[t.strides] = r.strides(v[t.sizes], { dtype = c[t.dtype or "dtype"], interleave = true })
    end)
  else
    holds("BUF-03 BUF-04", key, tensor .. " is OWNED_BY_DML", function(r, v) v[key .. "_flags"] = 1 end)
  end
end

-- ---- operators with a tensor of indices -----------------------------------------------------------------------------
local index = {}
dml.index = index

index.lengths = { 64, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024,
                  1025, 65535, 65536, 65537, 262144, 4194304 }
local roles = { { "InputTensor", "in" }, { "IndicesTensor", "indices" }, { "OutputTensor", "out" } }
-- Where elements are many, one type of each width with every type of indices, and every type with one.
index.widths = "dtype == 'f32' or dtype == 'u8' or dtype == 'f16' or dtype == 'f64' or index_dtype == 'u32'"
index.width = "((index_dtype == 'u32' or index_dtype == 'i32') and 4 or 8)" -- bytes of an index

function index.axes_of_types(o)
  o:axis("dtype", "DataType of InputTensor and OutputTensor") { all.dtypes }
  o:axis("index_dtype", "DataType of IndicesTensor") { "u32", "i32", "u64", "i64" }
end
function index.axes_of_memory(o)
  o:axis("in_layout", "memory layout (Strides) of InputTensor") { all.layouts }
  o:axis("indices_layout", "memory layout (Strides) of IndicesTensor") { all.layouts }
  o:axis("out_layout", "memory layout (Strides) of OutputTensor") { all.output_layouts }
  o:axis("fill", "contents of InputTensor") { all.fills }
  o:axis("extra", "bytes of TotalTensorSizeInBytes beyond the least, of InputTensor and OutputTensor") { 0, 4, 3, 64 }
  o:axis("alignment", "GuaranteedBaseOffsetAlignment of all tensors") { 0, 16, 256 }
  o:axis("length", "size of the dimension that `long` or `many` names") { index.lengths, 4294967295 }
  o:axis("long", "the own dimension of InputTensor that is `length` long, from 1; 0: none") { 0, 1, 2, 3, 4, 5, 6, 7, 8 }
end
function index.axes_of_values(o)
  o:axis("sign", "negative indices: 0 none, 1 all, 2 every other one") { 0, 1, 2 }
  o:axis("stray", "the second index, where it is not 0")
    { 0, 1, 2, 5, 7, 100, 32768, 65536, 2147483647, -1, -2, -5, -6, -7, -100, -2147483648, 4294967295, 4294967296,
      4294967297, 9223372036854775807, -4294967296, math.mininteger, 4294967294, 2147483648, -4294967297 }
end

-- The indices of small complete spaces, from the axes `index`, `sign` and `stray`; n: the elements of the axis.
function index.data(n)
  return "stray ~= 0 and i == 1 and stray or (index[i % 4 + 1] + i // 4) % " .. n ..
         " - (sign == 1 and 1 or sign == 2 and i % 2 or 0) * " .. n
end

-- At most four indices, `count` of them. Unused elements of `index` stay 0, and none is beyond the axis, so that no two
-- cases are equal. And these predicates.
function index.few(count, n, more)
  local where = { count .. " <= 4", "each(index < " .. n .. ")" }
  for k = 2, 4 do where[#where + 1] = ("%s >= %d or index[%d] == 0"):format(count, k, k) end
  return table.move(more, 1, #more, #where + 1, where)
end

-- A stray index that its type can hold.
local holds_stray = { "stray >= 0 or index_dtype == 'i32' or index_dtype == 'i64'",
                      "index_dtype ~= 'i32' or stray <= 2147483647 and stray >= -2147483648",
                      "index_dtype ~= 'u32' or stray <= 4294967295" }

-- Finds indices and axes that are read as signed or added in 32 bits. All elements share one address, so that little
-- memory is touched; the result shows whether the backend takes the index as inside. two: what makes two indices, and a
-- predicate that holds then, if not always.
function index.vast_tests(o, two, only)
  local function test(name, strays, title)
    local def = {
      title, vast = true, stray = strays, rank = { 1, 4 }, own = { 1 }, dtype = { "u8", "f32" }, index_dtype = "*",
      long = { 1 }, in_layout = { "broadcast-all" }, length = { 4294967295 },
      where = table.move(holds_stray, 1, #holds_stray, 1, {}),
    }
    table.insert(def.where, only)
    for word, value in pairs(two) do def[word] = value end
    o:test(name)(def)
  end
  test("vast", { 0, 2147483647, 2147483648, 4294967294, -1, -2147483648 },
       "an index inside of an axis of 2^32 - 1 elements that lie at one address")
  test("vast_out_of_range", { 4294967295, 4294967296, -4294967296, -4294967297 }, "an index beyond such an axis")
end

-- What precedes the cases of the tests after_NAME: state that is retained between calls must not change results. NAME,
-- the calls, their title, and the layouts of InputTensor.
index.calls = { { "data", { "data" }, "the same descriptor with other data" },
                { "other", { "other" }, "a neighbouring case with the same data" },
                { "class", { "class" }, "a case of the same shape and another layout" },
                { "axis", { "class" }, "one of the same shape along another axis", { "packed" } },
                { "return", { "same", "other" }, "itself and a neighbouring case" } }

-- An index beyond its axis must do no harm: the call succeeds, nothing outside is read, and the other elements are right.
-- The element itself is undefined: the behaviour is observed, not judged. `test` has what the operator adds.
function index.out_of_range(o, n, test)
  local where = {
    "stray >= " .. n .. " or stray < -" .. n .. " or stray < 0 and index_dtype == 'u32'", holds_stray[1], holds_stray[3],
    holds_stray[2], "index[1] == 1 and index[2] == 0 and index[3] <= 0 and index[4] == 0",
    "own <= 2 or sum(size) <= 9 and in_layout == 'packed'",
    "dtype == 'f32' or dtype == 'u8' or stray == 100 and sign == 0 or stray == 4294967295",
    "stray == 5 or in_layout == 'packed' or dtype == 'f32'", test.where,
  }
  local def = {
    "one index beyond the axis: no fault, and all other elements are right", rank = { 4, 1, 2, 3, 5 }, own = { 2, 1, 3 },
    dtype = "*", index_dtype = "*", stray = "*", sign = { 0, 1 }, size = { 3, 1, 5 }, index = { 0, 1 },
    in_layout = { "packed", "padded", "transposed" },
  }
  for word, value in pairs(test) do def[word] = value end
  def.where = where
  o:test "out_of_range" (def)
end

-- The axes of drawn cases. attributes: those of the attributes, with their defaults and, if they are not axes of the
-- operator, descriptions. out: the output has sizes of its own.
function index.drawn_axes(any, attributes, out)
  any:axis "rank"        { 4, 1, 2, 3, 5, 6, 7, 8 }
  any:axis "dtype"       { all.dtypes }
  any:axis "index_dtype" { "u32", "i32", "u64", "i64" }
  for _, a in ipairs(attributes) do any:axis(a[1], a[3]) { a[2] } end
  for _, name in ipairs { "in_layout", "indices_layout", "out_layout" } do any:axis(name) { "packed", "strides" } end
  any:axis "fill" { all.fills, "stretches" }
  for _, t in ipairs(roles) do
    any:axis(t[2] .. "_extra", "bytes of TotalTensorSizeInBytes beyond the least, of " .. t[1]) { 0 }
  end
  any:axis "alignment" { 0 }
  any:axis("pattern", "how the indices follow from `first` and `period`")
    { "ascending", "descending", "constant", "runs", "cycle", "steps", "mixed" }
  any:axis("first", "the first index") { 0 }
  any:axis("period", "length of a run or cycle of indices, or the difference of two") { 1 }
  any:axis "sign" { 0, 1, 2 } -- negative indices: 0 none, 1 all, 2 every other one
  any:axis("size", "Sizes of InputTensor") { 3, per = "rank" }
  any:axis("index_size", out and "Sizes of IndicesTensor" or "Sizes of IndicesTensor and OutputTensor")
    { 1, per = "rank" }
  if out then any:axis("out_size", "Sizes of OutputTensor, for its Strides") { 0, per = "rank" } end
  for _, t in ipairs(roles) do
    any:axis(t[2] .. "_stride", "Strides of " .. t[1] .. ", where its layout is strides") { 0, per = "rank" }
  end
  for _, t in ipairs(roles) do
    any:axis(t[2] .. "_base", "where " .. t[1] .. " begins: bytes behind a multiple of 64; -1: anywhere") { -1 }
  end
  any:axis("in_flags", "Flags of InputTensor") { 0 }
  any:axis("indices_flags", "Flags of IndicesTensor") { 0 }
  any:axis("odd", "the number of the index that breaks the pattern, from 1; 0: none") { 0 }
end

-- dml.count_tests, for an operator with a tensor of indices: `def` without grids and large.
function index.count_tests(family, def)
  def.grids = dml.narrow({ 4, 3, 5, 8 })
  def.grids.index_dtype = { "u32", "i64" }
  def.large = { dtype = { "f16", "u8", "u16", "i8" }, rank = { 4, 3 }, index_dtype = { "u32" } }
  def.quick = def.quick or { counts = 1, grids = 2 }
  def.full = def.full or { counts = 20, grids = 40, tall = 2, large = 1 }
  dml.count_tests(family, def)
end

-- common.far_tests of a gather, and common.scatter_tests; def: each, and their own.
function index.far_tests(family, def)
  def.most = 4294967295 -- BUF-11
  common.far_tests(dml.drawn_test(family, def.each), def)
end
function index.scatter_tests(family, def)
  common.scatter_tests(dml.drawn_test(family, def.each), def)
end

-- The axes that are at their default in the calls before a case of drawn_after, one at a time. attributes: as for
-- index.drawn_axes, those that count.
function index.words(attributes)
  local words = { "data", "dtype", "index_dtype", "in_layout", "indices_layout", "out_layout", "in_extra", "pattern",
                  "first", "sign", "size", "index_size", "in_stride", "indices_stride", "out_stride" }
  for k, a in ipairs(attributes) do table.insert(words, 3 + k, a[1]) end
  return words
end

-- What drawn cases bind, and the attributes. n: the elements of the axis that index i is for.
function index.bind_drawn(any, n, attributes)
  any:where("period > 0")
  local bound = {
    InputTensor   = { DataType = "dtype", Sizes = "size", Layout = "in_layout", Strides = "in_stride", Fill = "fill",
                      Extra = "in_extra", Alignment = "alignment", Base = "in_base", Flags = "in_flags" },
    IndicesTensor = { DataType = "index_dtype", Sizes = "index_size", Layout = "indices_layout",
                      Strides = "indices_stride", Extra = "indices_extra", Alignment = "alignment",
                      Base = "indices_base", Flags = "indices_flags",
                      Data = "(i == odd - 1 and first + period + 1 or pattern == 'ascending' and first + i or " ..
                             "pattern == 'descending' and first - i or " ..
                             "pattern == 'constant' and first or pattern == 'runs' and first + i // period or " ..
                             "pattern == 'cycle' and first + i % period or pattern == 'steps' and first + i * period or " ..
                             "(first + i) * (period + i)) % " .. n ..
                             -- Without effect on unsigned ones: a call before the case may differ in their type alone.
                             " - (index_dtype ~= 'i32' and index_dtype ~= 'i64' and 0 or sign == 1 and 1 or " ..
                             "sign == 2 and i % 2 or 0) * " .. n },
    OutputTensor  = { Layout = "out_layout", Strides = "out_stride", Extra = "out_extra", Alignment = "alignment",
                      Base = "out_base" },
  }
  for name, value in pairs(attributes) do bound[name] = value end
  any:bind(bound)
end

-- Draw everything but sizes and attributes. `s` has size, index_size and out_size, the elements of an axis that indices
-- are for (n), the length of a cycle of indices (cycle), the number of all indices (count), and plan, which r.copied
-- takes, if there is one. apart: no two indices share an address. most: of elements, where nothing runs.
function index.draw(r, c, s, most)
  local n = s.n
  local is_signed = c.index_dtype == "i32" or c.index_dtype == "i64"
  local in_stride = r.strides(s.size, dml.strided(most, c.dtype, true))
  local v = dml.places(r, {
    size = s.size, index_size = s.index_size,
    fill = r.pick { "bits", "bits", "injective", "special", "stretches" },
    pattern = r.pick { "ascending", "descending", "constant", "runs", "cycle", "steps", "mixed" },
    first = r.chance(30) and r.pick { 0, n - 1 } or r.about(0, n - 1),
    period = r.chance(20) and r.pick { s.cycle, n, math.max(1, n - 1) } or r.about(1, math.max(2, n)),
    odd = r.chance(20) and r.about(1, s.count) or 0,
    sign = is_signed and r.pick { 0, 0, 1, 2 } or 0, alignment = r.chance(10) and 16 << r.int(0, 12) or 0,
    in_extra = r.chance(20) and r.about(0, 65536) or 0, indices_extra = r.chance(20) and r.about(0, 4096) or 0,
    out_extra = r.chance(20) and r.about(0, 65536) or 0,
    in_layout = r.chance(60) and "strides" or "packed", indices_layout = r.chance(60) and "strides" or "packed",
    out_layout = r.chance(60) and "strides" or "packed", in_stride = in_stride,
    indices_stride = r.strides(s.index_size, dml.strided(most, c.index_dtype, not s.apart)),
    out_stride = r.strides(s.out_size, dml.strided(most, c.dtype, false, in_stride)),
    in_flags = r.chance(3) and 1 or 0, indices_flags = r.chance(3) and 1 or 0,
  }, "in", "indices", "out")
  if s.plan then v.in_layout, v.in_stride, v.out_layout, v.out_stride = r.copied(s.size, s.out_size, s.plan, c.dtype) end
  return v
end

-- More indices than a kernel takes at once, in a row along the axis or beside it, and the row's elements far apart in one
-- of the tensors or in all. Finds offsets of a whole batch that 32 bits cannot hold. draw(r, c, axis, size, count) draws a
-- case; a scatter has at most as many indices along the axis as there are elements.
function index.far_rows(r, c, draw, tensors, scatters)
  local axis, count, size = r.int(0, c.rank - 1), 1024 + r.int(1, 64), {}
  local row = r.chance(50) and axis or r.int(0, c.rank - 1)
  for k = 1, c.rank do size[k] = 1 end
  size[axis + 1] = scatters and row == axis and count or r.int(2, 9)
  if row ~= axis then size[row + 1] = count end
  local v, all, one = draw(r, c, axis, size, row == axis and count or r.int(1, 2)), r.chance(30), r.pick(tensors)
  for _, tensor in ipairs(tensors) do
    local strides = v[tensor .. "_stride"]
    v[tensor .. "_layout"] = (all or tensor == one) and "strides" or "packed"
    strides[axis + 1] = 1
    strides[row + 1] = r.int(2097152, 4294967295 // count - 16)
  end
  return v
end

-- A dimension that is longer than indices of 7, 8, 15 or 16 bits can tell, and a draw with indices about such an end.
-- Finds indices that are cut to 8 or 16 bits.
function index.long(r)
  return r.pick { r.int(129, 255), r.int(257, 400), r.int(32769, 65535), r.int(32769, 65535), r.int(65537, 70000) }
end
function index.at_end(r, v, n)
  local ends = { n }
  for _, e in ipairs { 128, 256, 32768, 65536 } do if e < n then ends[#ends + 1] = e end end
  v.first, v.pattern, v.odd = r.pick(ends) - r.int(0, 2), r.pick { "ascending", "descending", "cycle" }, 0
  v.fill, v.period = "bits", r.int(1, 4)
  return v
end

local unknown_type = { DataType = "by", TotalTensorSizeInBytes = "4611686018427387904" }
local numbers = { f32 = 1, f16 = 2, u32 = 3, u16 = 4, u8 = 5, i32 = 6, i16 = 7, i8 = 8 } -- the types without 64 bits

-- The drawn cases of what all these operators demand: of `tensors`, of their types, of Axis. `ids` are the clauses: null
-- (pointers), rank, type, indices (their type), and axis, if the operator has one.
function index.drawn_clauses(breaks, holds, tensors, ids)
  for _, role in ipairs(roles) do
    local name, t = role[1], tensors[role[1]]
    dml.illegal_buffer(breaks, name, t)
    dml.legal_buffer(holds, name, t)
    breaks(ids.null, t.key, name .. " is a null pointer", { [name] = { Present = "0" } })
    breaks(ids.rank, t.key, name .. " alone has fewer dimensions", { [name] = { DimensionCount = "rank - by" } },
           function(r, v, c) v.by = r.int(1, c.rank - 1) end, { rank = range(2, 8) })
    dml.one_leading(breaks, ids.rank, name, t)
    breaks(name == "IndicesTensor" and ids.indices or ids.type, t.key, name .. " alone has another type",
           { [name] = { DataType = "by" } }, function(r, v, c)
      v.by = r.int(1, 8)
      if v.by == numbers[c.dtype] or name == "IndicesTensor" and (v.by == 3 or v.by == 6) then return false end
      v[t.key .. "_extra"] = 34359738368
    end)
  end
  breaks("BUF-02", "type", "DataType is none of DirectML's", { InputTensor = unknown_type, OutputTensor = unknown_type },
         function(r, v) v.by = r.about(14, 4294967295) end)
  breaks("BUF-02", "indices", "DataType of the indices is none of DirectML's", { IndicesTensor = unknown_type },
         function(r, v) v.by = r.about(14, 4294967295) end)
  breaks("BUF-05", "dims", "no dimensions, or more than eight",
         { InputTensor = dml.no_dims, IndicesTensor = dml.no_dims, OutputTensor = dml.no_dims }, dml.draw_no_dims)
  if ids.axis then
    breaks(ids.axis, "beyond", "the axis is beyond the last dimension", { Axis = "by" }, function(r, v, c)
      v.by = r.about(c.rank, 4294967295)
    end)
  end
end

-- At levels with 4 dimensions, a 64-bit type would break BUF-02 as well.
local fits = "other ~= dtype and (other ~= 'f64' and other ~= 'u64' and other ~= 'i64' or dtype == 'f64' or " ..
             "dtype == 'u64' or dtype == 'i64' or rank ~= 4)"

-- The complete spaces of illegal types, dimension counts and null pointers. between() declares tests in their middle.
function index.illegal(o, ids, between)
  local unknown, none, nine = { DataType = "by", TotalTensorSizeInBytes = "65536" }, { DimensionCount = "0" }, { Sizes = "nine" }
  local many = { Sizes = "sixteen", DimensionCount = "by", TotalTensorSizeInBytes = "65536" }
  local function of_all(change) return { InputTensor = change, IndicesTensor = change, OutputTensor = change } end
  local function breaks(clause, test)
    test.rank, test.own, test.dtype = test.rank or "*", test.own or { 1, 2 }, "*"
    o:invalid(clause)(test)
  end
  breaks("BUF-02", { "DataType is none of DirectML's", own = { 1 }, by = { 0, 14, 15, 16, 255, 4294967295 },
                     change = { InputTensor = unknown, OutputTensor = unknown } })
  breaks("BUF-02", { "DataType is none of DirectML's", name = "indices", own = { 1 },
                     by = { 0, 14, 15, 16, 255, 4294967295 }, change = { IndicesTensor = unknown } })
  breaks(ids.type, { "types that DirectML has and the operator does not support", name = "four-bit", own = { 1 },
                     by = { 12, 13 }, from = "6_3", change = { InputTensor = unknown, OutputTensor = unknown } })
  breaks(ids.indices, { "indices of four bits", name = "four-bit", own = { 1 }, by = { 12, 13 }, from = "6_3",
                        change = { IndicesTensor = unknown } })
  breaks("BUF-05", { "no dimensions", name = "none", own = { 1 }, index_dtype = "*", change = of_all(none) })
  breaks("BUF-05", { "nine dimensions", name = "nine", own = { 1 }, index_dtype = "*", change = of_all(nine) })
  breaks("BUF-05", { "more dimensions than a tensor can hold", name = "many", own = { 1 }, index_dtype = "*",
                     by = { 16, 17, 255, 2147483649, 4294967295 }, change = of_all(many) })
  between()
  for _, role in ipairs(roles) do
    local tensor, name = role[1], role[2]
    breaks(ids.null, { tensor .. " is a null pointer", name = name, index_dtype = "*",
                       change = { [tensor] = { Present = "0" } } })
    breaks(ids.rank, { tensor .. " alone has fewer dimensions", name = name, by = range(1, 7), where = "by < rank",
                       change = { [tensor] = { DimensionCount = "rank - by" } } })
  end
  for _, t in ipairs { { "IndicesTensor", "OutputTensor", "indices" }, { "OutputTensor", "IndicesTensor", "out" } } do
    breaks(ids.rank, { t[1] .. " alone has more dimensions", name = t[3] .. "-more", rank = range(2, 8),
                       change = { InputTensor = { DimensionCount = "rank - 1" }, [t[2]] = { DimensionCount = "rank - 1" } } })
  end
  for _, t in ipairs { roles[1], roles[3] } do
    breaks(ids.type, { t[1] .. " alone has another data type", name = t[2], other = { all.dtypes }, where = fits,
                       change = { [t[1]] = { DataType = "other" } } })
  end
  breaks(ids.indices, { "indices of a data type that indices may not have",
                        other = { "f32", "f16", "f64", "u16", "i16", "u8", "i8" }, where = "other ~= 'f64' or rank ~= 4",
                        change = { IndicesTensor = { DataType = "other" } } })
end

return dml
