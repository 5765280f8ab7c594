-- SPDX-License-Identifier: Apache-2.0
-- Shared by pages.lua and laws.lua: reproducible random samples, tensors as flat lists, and failure.
local support = { checked = 0 }

math.randomseed(20260101)
support.random = math.random
local function random_place(most) return math.random(0, most) end

-- A function of `n` that gives a list.
function support.list(n, f)
  local t = {}
  for i = 1, n do t[i] = f(i) end
  return t
end

function support.pick(t) return t[math.random(#t)] end

function support.product(sizes)
  local n = 1
  for _, size in ipairs(sizes) do n = n * size end
  return n
end

-- Numbers that differ for every element, in every type that is used here.
function support.iota(n) return support.list(n, function(i) return i end) end

-- Sizes of at most `most` elements, none of them 0.
function support.sizes(rank, most)
  local left = most
  local sizes = support.list(rank, function()
    local size = math.random(math.max(1, math.min(5, left)))
    left = left // size
    return size
  end)
  return sizes
end

-- Every coordinate (from 0) of a tensor in logical row-major order.
function support.coordinates(sizes)
  local total, at, n = support.product(sizes), {}, 0
  for i = 1, #sizes do at[i] = 0 end
  return function()
    if n == total then return end
    if n > 0 then
      local i = #sizes
      at[i] = at[i] + 1
      while at[i] == sizes[i] do
        at[i] = 0
        i = i - 1
        at[i] = at[i] + 1
      end
    end
    n = n + 1
    return at, n
  end
end

-- The index (from 1) of a coordinate.
function support.place(sizes, at)
  local place = 0
  for i = 1, #sizes do
    assert(at[i] >= 0 and at[i] < sizes[i], "a coordinate leaves its tensor")
    place = place * sizes[i] + at[i]
  end
  return place + 1
end

-- A list of whole numbers, integers or floats, as text.
local function shown(t)
  local words = {}
  for i, x in ipairs(t) do words[i] = ("%.0f"):format(x) end
  return table.concat(words, ",")
end
support.shown = shown

-- Compute the outputs of a descriptor, which has to be legal.
function support.run(operator, descriptor, inputs, options)
  local r = ts.eval(operator, descriptor, inputs, options)
  if r.status ~= "ok" then
    local v = r.violations[1]
    error(("%s refuses a legal descriptor: %s %s"):format(operator, v.clause, v.message), 2)
  end
  return r.outputs
end

-- Fail unless two lists are equal.
function support.same(what, got, expected)
  support.checked = support.checked + 1
  local a, b = shown(got), shown(expected)
  if a ~= b then error(("%s\n  got      %s\n  expected %s"):format(what, a, b), 2) end
end

-- ---- drawn cases ------------------------------------------------------------------------------------------------

local per_test = 60       -- cases of each drawn test,
local per_member = 15     -- and of one of an operator that shares all but a formula with its family
local most_elements = 512 -- of an output that are compared; of larger ones, as many in a row from a random place on

-- The elements of a tensor of a case, in logical row-major order.
function support.elements(c, name)
  local data = {}
  for at, n in support.coordinates(c.tensors[name].sizes) do data[n] = c:at(name, at) end
  return data
end

-- The coordinate of the element at `place` (from 0) of a tensor.
local function coordinate(sizes, place)
  local at = {}
  for i = #sizes, 1, -1 do
    at[i] = place % sizes[i]
    place = place // sizes[i]
  end
  return at
end

-- The short name of a data type of DirectML: "f32" of FLOAT32.
function support.short(dtype)
  return (dtype:gsub("^FLOAT", "f"):gsub("^UINT", "u"):gsub("^INT", "i"))
end

-- The value of an element of a type that is not signed, or not negative, by its bits.
function support.number(dtype, bits)
  if dtype == "f32" then return (string.unpack("<f", string.pack("<I4", bits))) end
  if dtype == "f64" then return (string.unpack("<d", string.pack("<i8", bits))) end
  if dtype == "bf16" then return (string.unpack("<f", string.pack("<I4", bits << 16))) end
  if dtype ~= "f16" then return bits end
  local exponent, fraction = bits >> 10 & 31, bits & 1023
  if exponent == 31 then return fraction > 0 and 0 / 0 or bits >> 15 == 1 and -math.huge or math.huge end
  local size = exponent == 0 and fraction * 2.0 ^ -24 or (1024 + fraction) * 2.0 ^ (exponent - 25)
  return bits >> 15 == 1 and -size or size
end

-- The number of an index of OpenVINO, by the bits of its element. from_end: elements from whose end a negative one counts,
-- or false. An unsigned one of 2^63 or more, which is beyond every dimension, becomes 2^63 - 1.
function support.index(dtype, bits, from_end)
  local width = tonumber(dtype:match "^i(%d+)$")
  if not width and bits < 0 then return math.maxinteger end
  if width and width < 64 and bits >= 1 << width - 1 then bits = bits - (1 << width) end
  return bits < 0 and from_end and bits + from_end or bits
end

-- Compare an output of a case. expected(at, place) gives the bits of an element; place counts from 0.
function support.same_output(c, name, expected)
  local t = c.tensors[name]
  local first = t.count > most_elements and random_place(t.count - most_elements) or 0
  for place = first, math.min(t.count, first + most_elements) - 1 do
    local at = coordinate(t.sizes, place)
    local got = c:at(name, at)
    if got then -- nil: the specification leaves it undefined
      local wanted = expected(at, place)
      if got ~= wanted then
        error(("%s\n  %s[%s] is 0x%x, expected 0x%x"):format(c.id, name, shown(at), got, wanted or 0), 2)
      end
    end
  end
end

-- Judge cases of every drawn test. judges[OPERATOR](case) judges one, and returns false if it has too many elements for
-- that. reasons: a list of { PATTERN, REASON }, for the tests that are not judged. Each drawn test of each operator has
-- to be judged or to match a pattern, and each pattern has to match a test. TOUCHSTONE_TEST_PART=K/N takes every Nth
-- operator from the Kth on.
function support.judge_drawn(judges, reasons)
  local matched, judged, seen = {}, {}, {}
  local part, parts = (os.getenv "TOUCHSTONE_TEST_PART" or "1/1"):match "^(%d+)/(%d+)$"
  part, parts = tonumber(part or 0), tonumber(parts or 0)
  assert(1 <= part and part <= parts, "TOUCHSTONE_TEST_PART: expected K/N, K from 1 to N")
  local operators = ts.operators()
  for at = part, #operators, parts do
    local operator = operators[at]
    local most = ts.operator(operator).family and per_member or per_test
    for c in ts.cases(operator .. ":*drawn*", { most = most }) do
      local name, excused = operator .. ":" .. c.test, false
      if not seen[name] then seen[#seen + 1] = name end
      seen[name] = (seen[name] or 0) + 1
      for k, reason in ipairs(reasons) do
        if name:find(reason[1]) then matched[k], excused = true, true end
      end
      if not excused and not c.ambiguous and not c.invalid and judges[operator] and judges[operator](c) ~= false then
        support.checked = support.checked + 1
        judged[name] = (judged[name] or 0) + 1
      end
      if excused then judged[name] = seen[name] end
    end
  end
  local unjudged = {}
  for _, name in ipairs(seen) do
    if (judged[name] or 0) < seen[name] / 2 then unjudged[#unjudged + 1] = name end
  end
  assert(#unjudged == 0, "half of the cases of these are not judged, and no reason is given: " .. table.concat(unjudged, ", "))
  for k, reason in ipairs(parts == 1 and reasons or {}) do
    assert(matched[k], ("no drawn test matches '%s', for which a reason is given"):format(reason[1]))
  end
end

-- Print the number of comparisons. A script that compared nothing fails.
function support.done(name, least)
  assert(support.checked >= least, name .. ": too little was compared")
  print(("%s: %d comparisons, none unlike"):format(name, support.checked))
end

return support
