-- SPDX-License-Identifier: Apache-2.0
-- Declarations that the case files of DirectML's operators share: illegal tensor descriptors, which do not depend on the
-- operator. `shared(op)` in a case file runs this for its operator. docs/cases.md describes the language.
local op = ...
local dml = {}

-- ---- axes of changes: each has one value here, so that no other test varies it ----------------------------
op:axis "broken"  { 0 }                   -- dimension that is changed
op:axis "by"      { 1 }                   -- by how much, or to which value
op:axis "other"   { "f32" }               -- another data type
op:axis "overlap" { "broadcast-first" }   -- layout that gives two elements one address
op:axis "sixteen" { 1, per = 16 }
op:axis "nine"    { 1, per = 9 }          -- sizes of nine dimensions, one too many; of a state, the last is 6

-- ---- expressions --------------------------------------------------------------------------------------------------
dml.inside = "broken >= 1 and broken <= rank"

-- The value where the dimension is `broken`, elsewhere the base.
function dml.changed(value, base, at)
  return "pick(eq(" .. (at or "at") .. ", broken), " .. value .. ", " .. base .. ")"
end

-- Bytes of an element of type `dtype`.
dml.width = "((dtype == 'u8' or dtype == 'i8') and 1 or (dtype == 'u16' or dtype == 'i16' or dtype == 'f16') and 2 or " ..
            "(dtype == 'u64' or dtype == 'i64' or dtype == 'f64') and 8 or 4)"

-- ---- tests --------------------------------------------------------------------------------------------------------

-- Tests of the clauses that hold for every tensor. `t` describes the tensor: `axes` and `where` of all its tests; its
-- sizes, positions and bytes of an element as expressions; whether it is an output, or a state, whose last size is not 1.
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
  breaks("BUF-14", "small", "the alignment is less than an element", { Alignment = "by" },
         { by = { 1, 2, 4 }, where = "by < " .. t.bytes })
end

-- ---- drawn cases ---------------------------------------------------------------------------------------------------

-- Declare the axes that say how a case of a drawn test is changed. In the calls before a case, `times` of them, the axis
-- that `before` names is at its default; `words` are its values. In an illegal case, the dimension `broken` is changed by
-- `by`, or to it.
function dml.change_axes(family, words)
  family:axis "before" (words)
  family:axis "times"  { 0 }
  family:axis "broken" { 0 }
  family:axis "by"     { 1 }
  family:positions("at", "rank")
end

-- The same draw, and what is called before the case: mostly once, sometimes often enough to fill a cache. The axes
-- `before` and `times` belong to the family; `words` are the values of `before`.
function dml.after(draw, words)
  return function(r, c)
    local v = draw(r, c)
    v.fill, v.before, v.times = "bits", r.pick(words), r.chance(97) and r.int(1, 3) or r.int(100, 130)
    return v
  end
end

-- The product of a list, or of its values from `first` to `last`: of sizes, the number of elements.
function dml.product(list, first, last)
  local p = 1
  for k = first or 1, last or #list do p = p * list[k] end
  return p
end

-- Sizes of 2 to 16 elements in all.
function dml.few(r, rank)
  local size = r.sizes(rank, 16)
  if dml.product(size) == 1 then size[r.int(1, rank)] = r.int(2, 3) end
  return size
end

-- Move the elements of one tensor, or of both, far apart along one dimension: v.in_layout and v.in_stride for "in".
function dml.spread(r, size, v, ...)
  local tensors, long = { ... }, {}
  for k = 1, #size do if size[k] > 1 then long[#long + 1] = k end end
  local both = r.chance(30)
  local one = r.pick(tensors)
  for _, t in ipairs(tensors) do
    if both or t == one then
      local k, span = r.pick(long), 1
      local stride = v[t .. "_stride"]
      for d = 1, #size do span = span + (d ~= k and (size[d] - 1) * stride[d] or 0) end
      local most = (4294967295 - span) // (size[k] - 1)
      stride[k] = r.chance(30) and most - r.int(0, 3) or r.about(math.min(16777216, most), most)
      v[t .. "_layout"] = "strides"
    end
  end
end

-- Illegal cases of a family: a drawn legal descriptor with one clause broken, at any magnitude and in any layout. The
-- family has the axes `by`, `broken` and `other`, positions `at` and, of each tensor, an axis of strides. `def` has the
-- axes that are taken in turn, and draw.
function dml.illegal(family, def)
  return function(clause, name, title, change, alter)
    local t = { title, name = "drawn-" .. name, change = change, each = def.each,
                cases = { quick = 20, full = 500, exhaustive = 10000 } }
    for _, axis in ipairs(def.each) do t[axis] = "*" end
    t.draw = function(r, c)
      local v = def.draw(r, c)
      if alter and alter(r, v, c) == false then return nil end -- drawn again
      return v
    end
    family:invalid(clause)(t)
  end
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

-- The clauses of every tensor. `t` describes it: the names of its axes of sizes and strides, its key in ids, and
-- whether it is an output.
function dml.illegal_buffer(breaks, tensor, t)
  breaks("BUF-03", t.key, tensor .. ": Flags has an unknown bit", { [tensor] = { Flags = "by" } }, function(r, v)
    v.by = t.output and r.about(1, 2147483647) * 2 or r.about(2, 4294967295)
  end)
  breaks("BUF-10", t.key, tensor .. ": TotalTensorSizeInBytes is too small", { [tensor] = { Extra = "-by" } },
         function(r, v) v.by = r.int(1, 4) end)
  breaks("BUF-14", t.key, tensor .. ": the alignment is no power of two", { [tensor] = { Alignment = "by" } },
         function(r, v) v.by = draw_odd_alignment(r) end)
  if t.output then
    breaks("BUF-12", t.key, tensor .. ": two elements share an address",
           { [tensor] = { Strides = ("pick(eq(at, broken), by, %s)"):format(t.strides) } }, function(r, v)
      local size, strides = v[t.sizes], v[t.strides]
      local k = draw_long(r, size)
      if not k then return false end
      local other = draw_long(r, size)
      v.broken, v.by = k, other and other ~= k and r.chance(50) and strides[other] or 0
    end)
  end
end

return dml
