-- SPDX-License-Identifier: Apache-2.0
-- What the case files of all specifications share: shapes that kernels of libraries have paths for, indices that need
-- many bits, and the tests of them. common() in a case file, or in one that is shared, returns these functions.
-- docs/cases.md describes the language.
--
-- Drawn tests are declared through a function test(name, title, cases, draw, more), which knows the classes of the
-- operator: `more` has what differs from them.
local common = {}

function common.product(list)
  local p = 1
  for k = 1, #list do p = p * list[k] end
  return p
end

-- The same draw with random bits. A draw may be nil, to draw again.
function common.bits(draw)
  return function(r, c)
    local v = draw(r, c)
    if v then v.fill = "bits" end
    return v
  end
end

-- ---- shapes ---------------------------------------------------------------------------------------------------------

-- A plan of tensors of these sizes in which the rows, along dimension `row`, have a pitch, so that they cannot be
-- merged with dimension `outer`.
local function pitched(r, size, row, outer)
  local plan, _
  repeat
    _, plan = r.tiles(#size)
    local _, stride = r.planned(size, plan, "u8")
  until stride[row] == 1 and stride[outer] > size[row]
  return plan
end

-- n sizes of more than 65,536 elements in all, in rows of 8 to 63 elements and two or three dimensions of rows, as
-- far as n allows; and a plan, as r.tiles draws it, which often has a pitch of rows.
function common.rows(r, n)
  local size, order = {}, r.order(n)
  for k = 1, n do size[k] = 1 end
  local count = math.min(n - 1, r.pick { 2, 2, 3 })
  local places, row = {}, n > 1 and r.int(8, 63) or 1
  for k = 1, count + 1 do places[k] = order[k] end
  table.sort(places)
  local left = 65536 // row + r.int(1, 400)
  for k = 1, count - 1 do
    local outer = r.int(2, 24)
    size[places[k]] = outer
    left = (left + outer - 1) // outer
  end
  size[places[math.max(count, 1)]] = left
  if n > 1 then size[places[count + 1]] = row end
  if count > 1 and r.chance(50) then -- the many are in front
    size[places[1]], size[places[count]] = size[places[count]], size[places[1]]
  end
  if n > 1 and r.chance(60) then return size, pitched(r, size, places[count + 1], places[count]) end
  local _, plan = r.tiles(n)
  return size, plan
end

-- n sizes, of which one is more than 2^20 and the one behind it 2 or 3; and a plan, which has a pitch of rows.
function common.many_rows(r, n)
  local size, at = {}, r.int(1, math.max(n - 1, 1))
  for k = 1, n do size[k] = 1 end
  size[at] = 1048576 + r.int(1, 70000)
  if n == 1 then return size, (select(2, r.tiles(n))) end
  local row = r.int(at + 1, n)
  size[row] = r.int(2, 3)
  return size, pitched(r, size, row, at)
end

-- What kernels have paths for: sizes of a few dimensions, the outermost first.
local function matrix_side(r) return r.pick { 4, 8, 16, 16, r.int(5, 20), r.int(5, 20) } end
local function matrix(r) return { matrix_side(r), matrix_side(r) } end
local function matrices(r) return { r.int(2, 3), matrix_side(r), matrix_side(r) } end
local small = {
  function(r) return { r.int(2, 5), r.int(9, 40) } end,                              -- rows with a tail
  function(r) return { r.int(2, 12), r.pick { 2, 4, 4, 8, 16, r.int(3, 16) } } end,  -- a row is a vector
  function(r) return { r.int(2, 4), r.int(2, 4), r.pick { 4, 8, r.int(3, 12) } } end, -- planes
  matrix, matrix, matrices, matrices, matrices,
  function(r) return { r.int(2, 3), r.int(2, 3), r.int(3, 9), r.int(3, 9) } end,     -- two kinds of batches
  function(r) return { r.pick { 16, 32, 48, r.int(2, 100) } } end,                   -- a single loop
  function(r) return { r.int(2, 3), 2, r.int(2, 3), 2, r.int(2, 3), r.int(2, 5) } end, -- six of them
}
local function tall_side(r) return 4 * r.int(2, 6) + (r.chance(50) and r.int(1, 3) or 0) end
local larger = {
  function(r) return { r.int(2, 9), r.int(64, 300) } end,
  function(r) return { r.int(65, 200), r.int(2, 4), r.int(2, 16) } end,              -- many small planes
  function(r) return { r.pick { 3, 5, 7 }, r.int(16, 40), r.int(32, 64) } end,       -- a few large ones
  function(r) return { r.int(2, 4), r.int(2, 4), tall_side(r), tall_side(r) } end,
  function(r) return { r.chance(50) and 16 * r.int(64, 300) or r.int(1024, 4800) } end,
}

-- n sizes: these, in any places, with the other sizes 1. What there is no room for becomes one dimension.
local function placed(r, n, long)
  local size, order, places = {}, r.order(n), {}
  while #long > n do long[1] = long[1] * table.remove(long, 2) end
  for k = 1, #long do places[k] = order[k] end
  table.sort(places)
  for k = 1, n do size[k] = 1 end
  for k, place in ipairs(places) do size[place] = long[k] end
  return size, places
end

-- n sizes of at most some hundred elements, or some thousand, that kernels have paths for, and a plan.
local function small_sizes(r, n)
  local _, plan = r[r.chance(15) and "cube" or "tiles"](n)
  return (placed(r, n, r.pick(small)(r))), plan
end
local function path_sizes(r, n)
  local size, plan = r.tiles(n)
  if r.chance(50) then return size, plan end
  return (placed(r, n, r.pick(larger)(r))), plan
end

-- n sizes of a matrix, mostly with a pitch of rows: of more than 16,384 or 65,535 of them, or of more than 65,536
-- bytes in an odd number of them.
local function matrix_sizes(r, n, bytes)
  local kind, row = r.int(1, 100), r.int(2, 3)
  local rows = kind <= 35 and 16384 + r.int(1, 600) or 65535 + r.int(1, 300)
  if kind > 65 then
    row = r.int(30, 70)
    rows = 65536 // bytes // row + r.int(1, 20) | 1
  end
  local size, places = placed(r, n, { rows, row })
  if n > 1 and r.chance(85) then return size, pitched(r, size, places[2], places[1]) end
  return size, (select(2, r.tiles(n)))
end

-- Rows of the input that repeat or overlap, strides of 1 where they have no effect, and gaps behind rows of the output.
local function vary_strides(r, v)
  local size, stride, long = v.size, v.in_stride, {}
  if not size or not stride or #stride ~= #size then return v end
  for k = 1, #size do
    if size[k] > 1 then long[#long + 1] = k end
  end
  local row, above, kind = long[#long], long[#long - 1], r.int(1, 100)
  if v.in_layout == "strides" and above then
    if kind <= 18 then
      stride[row] = 0
    elseif kind <= 28 then
      stride[above] = 0
    elseif kind <= 38 and stride[row] == 1 then
      stride[above] = r.int(1, size[row])
    elseif kind <= 60 then
      for k = 1, #size do
        if size[k] == 1 then stride[k] = 1 end
      end
    end
  end
  if v.out_stride and r.chance(20) then
    local factor = r.int(2, 3)
    v.out_layout = "strides"
    for k, n in ipairs(v.out_stride) do
      if n > 1 then v.out_stride[k] = factor * n end
    end
  end
  return v
end

-- The sizes of two or three dimensions of batches, how many rows each batch has, and the elements of a row: more than
-- 65,536 elements in all.
function common.batches(r)
  local row, sizes = r.int(8, 63), {}
  local left = 65536 // row + r.int(1, 400)
  for k = 1, r.int(2, 3) do
    sizes[k] = r.int(2, 12)
    left = (left + sizes[k] - 1) // sizes[k]
  end
  return sizes, left, row
end

-- Types of each width, that of most kernels twice. What an operator has none of is left to all of its types.
local function types_by_width(list)
  local has, types = {}, {}
  for _, dtype in ipairs(all.dtypes) do has[dtype] = true end
  for _, dtype in ipairs(list) do
    if has[dtype] then types[#types + 1] = dtype end
  end
  return #types == #list and { dtype = types } or nil
end

-- The tests of sizes and layouts that kernels have paths for; def as for common.large_tests.
local function path_tests(test, def, count)
  local function structured(shape)
    return function(r, c)
      local v = def.planned(r, c, function(n) return shape(r, n, (tonumber(c.dtype:match "%d+") or 8) // 8) end)
      if not v then return nil end
      if not def.plain then v.fill = r.chance(80) and "bits" or "special" end
      return vary_strides(r, v)
    end
  end
  local types, matrices = types_by_width { "f32", "i32", "u8", "f16", "f64" }, {}
  for word, value in pairs(def.classes) do matrices[word] = value end
  for word, value in pairs(types_by_width { "f32", "i32", "u8", "f16" } or {}) do matrices[word] = value end
  test("drawn_small", "some hundred elements in sizes and layouts that kernels have paths for",
       { quick = count, full = 6 * count, exhaustive = 100000 }, structured(small_sizes), types)
  test("drawn_paths", "some thousand elements in sizes and layouts that kernels have paths for",
       { quick = count // 4, full = 2 * count, exhaustive = 100000 }, structured(path_sizes), types)
  test("drawn_matrices", "rows with a pitch, more than 16,384 or 65,535 of them or more than 65,536 bytes",
       { quick = count // 32, full = count // 4, exhaustive = 4000 }, structured(matrix_sizes), matrices)
end

-- The tests of large outputs, and of these paths. planned(r, c, shape) draws a case whose output, or what it is made of,
-- has the sizes and the plan that shape(n) draws; classes: of narrow types, deep: of them those with three dimensions or
-- more, large: with few dimensions. batched(r, c, sizes, rows, row), of an operator that has batches, draws one with
-- these sizes of batches, each of so many rows. block(r, c, n), if there is one, draws a case in which one block of
-- n elements of eight bytes is copied; block_classes: with sparse. quick and full: how many cases of rows and cubes
-- these tiers have. Tier quick has `small` cases of small structures, and tier full `high` ones of more than 2^20 rows.
-- plain: fill is as it was drawn.
function common.large_tests(test, def)
  local quick, full = def.quick or { rows = 4, cubes = 6 }, def.full or { rows = 30, cubes = 40, high = 2 }
  local function filled(draw) return def.plain and draw or common.bits(draw) end
  local function planned(shape) return filled(function(r, c) return (def.planned(r, c, shape(r))) end) end
  path_tests(test, def, quick.small or 400)
  test("drawn_outputs", "more than 65,536 elements in rows of 8 to 63, in two or three dimensions of rows",
       { quick = quick.rows, full = full.rows, exhaustive = 4000 },
       planned(function(r) return function(n) return common.rows(r, n) end end), def.classes)
  test("drawn_cubes", "three sizes above a tile, the third-last of which has the unit stride",
       { quick = quick.cubes, full = full.cubes, exhaustive = 4000 }, planned(function(r) return r.cube end), def.deep)
  if def.batched then
    test("drawn_batched", "more than 65,536 elements in two or three dimensions of batches",
         { quick = 2, full = 20, exhaustive = 4000 }, filled(function(r, c)
      local sizes, rows, row = common.batches(r)
      return def.batched(r, c, sizes, rows, row)
    end), def.batched_classes)
  end
  if full.high > 0 then
    test("drawn_high", "more than 2^20 rows", { full = full.high, exhaustive = 100 },
         planned(function(r) return function(n) return common.many_rows(r, n) end end), def.large)
  end
  if def.block then
    -- Of the input, the ends alone take memory.
    test("drawn_block", "one block of more than 2^27 bytes", { full = 1, exhaustive = 12 }, filled(function(r, c)
      local v = def.block(r, c, 16777216 + r.int(1, 64)) -- of eight bytes
      for _, tensor in ipairs { "in", "indices", "updates", "out" } do
        if v[tensor .. "_layout"] then v[tensor .. "_layout"], v[tensor .. "_extra"] = "packed", 0 end
      end
      return v
    end), def.block_classes)
  end
end

local narrow = { "u8", "f16", "f32", "i8" } -- long dimensions of these cost few bytes

-- ---- indices of many bits -------------------------------------------------------------------------------------------

-- The length of a dimension whose last elements need one bit more than 18 or 24, or one of `bits`. At most `most`,
-- and no more than indices of c.index_dtype can tell.
function common.long(r, c, most, bits)
  local n = (1 << (r.chance(65) and r.pick { 18, 24 } or r.pick(bits))) + r.int(4, 8)
  if c.index_dtype == "i32" then most = math.min(most, 2147483648) end
  return n > most and most - r.int(0, 3) or n
end

-- A few indices from the end of a dimension of n elements on, and from its beginning, where those that lose a bit
-- are. The first one needs that bit.
function common.at_end(r, v, n)
  v.first, v.period, v.odd = n - r.int(1, 4), r.int(1, 4), 0
  v.pattern, v.fill = r.pick { "ascending", "ascending", "descending", "cycle", "runs" }, "bits"
  return v
end

-- The tests of indices along a dimension of many elements, which lie side by side. long(r, c, length) draws a case
-- with at most eight indices along such a dimension; length(others) is its length, where the other sizes of data
-- have this product. most: elements that the specification allows.
function common.far_tests(test, def)
  local function draw(bits, most)
    return function(r, c)
      local n
      local v = def.long(r, c, function(others)
        n = common.long(r, c, most // others, bits)
        return n
      end)
      if not v then return nil end
      v.in_layout, v.in_extra = "packed", 0
      return common.at_end(r, v, n)
    end
  end
  test("drawn_bits", "indices of more than 17 to 19 bits, of elements that lie side by side",
       { quick = 4, full = 40, exhaustive = 10000 }, function(r, c)
    local n
    local v = def.long(r, c, function()
      n = (1 << r.pick { 17, 18, 18, 18, 19 }) + r.int(4, 8)
      return n
    end)
    if not v then return nil end
    v.in_layout = "packed"
    return common.at_end(r, v, n)
  end, { dtype = narrow })
  test("drawn_far", "indices of more than 17 to 32 bits, of elements that lie side by side",
       { quick = 12, full = 300, exhaustive = 20000 }, draw({ 17, 20, 23, 25, 28, 31, 31, 32, 32, 33 }, def.most),
       { sparse = true })
end

-- The tests of indices of a scatter, whose output has an address for each element, which are all written.
-- distinct(r, c, n, count) draws a case with `count` indices along a dimension of n elements, none of them twice.
-- classes: those that have so many indices.
function common.scatter_tests(test, def)
  local function bits(r, c, n)
    local v = def.distinct(r, c, n, r.int(1, 8))
    if not v then return nil end
    common.at_end(r, v, n)
    v.pattern, v.updates_fill = r.pick { "ascending", "descending" }, "bits"
    return v
  end
  local function with(more)
    local all = {}
    for word, value in pairs(def.classes) do all[word] = value end
    for word, value in pairs(more) do all[word] = value end
    return all
  end
  test("drawn_bits", "indices of more than 17 to 19 bits", { quick = 4, full = 30, exhaustive = 10000 },
       function(r, c) return bits(r, c, (1 << r.pick { 18, 18, 18, 17, 19 }) + r.int(4, 8)) end, with { dtype = narrow })
  -- All elements of data share an address, so that only the output takes memory.
  local function far(more)
    return function(r, c)
      local v = bits(r, c, (1 << r.pick(more)) + r.int(4, 8))
      if not v then return nil end
      v.in_layout, v.out_layout, v.in_stride = "strides", "packed", {}
      for k = 1, c.rank do v.in_stride[k] = 0 end
      return v
    end
  end
  test("drawn_far", "indices of more than 24 bits", { quick = 1, full = 2, exhaustive = 40 }, far { 24 },
       with { dtype = { "u8", "i8" } })
  test("drawn_farther", "indices of more than 25 bits", { full = 1, exhaustive = 20 }, far { 25 },
       with { dtype = { "u8", "i8" } })
  test("drawn_many", "more than 2^16 indices, none of them twice", { quick = 2, full = 20, exhaustive = 4000 },
       function(r, c)
    local count = r.chance(15) and 262144 + r.int(1, 64) or 65536 + r.int(1, 9000)
    local v = def.distinct(r, c, count + r.int(0, 40), count)
    if v then v.fill, v.updates_fill = "bits", "bits" end
    return v
  end, with { dtype = narrow })
end

-- ---- calls before a case --------------------------------------------------------------------------------------------

-- A draw of a case, and of what is called before it; `words` are the values of the axis `before`. planned as for
-- common.large_tests.
function common.after(draw, planned, words)
  return function(r, c)
    local v
    if r.chance(40) then
      v = planned(r, c, function(n) return small_sizes(r, n) end)
    else
      v = draw(r, c, math.min(r.elements(), 4096))
    end
    if not v then return nil end
    v.before, v.times, v.how, v.which = r.history(words)
    if v.out_base and r.chance(8) then -- an output that is aligned no more
      v.before, v.times, v.how, v.out_base = "out_base", 1, "default", r.pick { 4, 8, 12, 24 }
      for _, layout in ipairs { "in_layout", "out_layout" } do
        if v[layout] then v[layout] = "packed" end
      end
    end
    return v
  end
end

-- The test of calls before a case that differ in one flag alone. flags: axes of names, of which the next one or the
-- first is taken, or of numbers, of which the lowest bit is flipped or cleared.
function common.flag_test(test, flags, draw)
  test("drawn_flags", "the same after a call that differs in one flag alone",
       { quick = 16 * #flags, full = 200 * #flags, exhaustive = 20000 }, common.bits(function(r, c)
    local v = draw(r, c, 256)
    if not v then return nil end
    v.before, v.times, v.how = r.pick(flags), r.int(1, 2), r.chance(75) and "flip" or "one"
    if r.chance(60) then v.out_layout = "packed" end -- the calls before may have another shape
    local value = v[v.before]
    v.which = type(value) == "table" and r.int(0, math.max(#value - 1, 0)) or 0
    return v
  end), { preceded = true })
end

-- ---- illegal descriptors --------------------------------------------------------------------------------------------

-- What makes a tensor have one dimension more, a leading 1, and draws that of a tensor of these sizes.
common.leading = { Sizes = "sixteen", DimensionCount = "by", Layout = "0",
                   TotalTensorSizeInBytes = "4611686018427387904" }
function common.draw_leading(v, sizes)
  if #sizes > 15 then return false end
  v.sixteen, v.by = { 1 }, #sizes + 1
  for k = 1, 15 do v.sixteen[k + 1] = sizes[k] or 1 end
end

return common
