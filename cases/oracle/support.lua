-- SPDX-License-Identifier: Apache-2.0
-- Shared by pages.lua and laws.lua: reproducible random samples, tensors as flat lists, and failure.
local support = { checked = 0 }

math.randomseed(20260101)
support.random = math.random

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

-- Print the number of comparisons. A script that compared nothing fails.
function support.done(name, least)
  assert(support.checked >= least, name .. ": too little was compared")
  print(("%s: %d comparisons, none unlike"):format(name, support.checked))
end

return support
