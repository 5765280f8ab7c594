-- SPDX-License-Identifier: Apache-2.0
-- Laws that hold between operators. No index arithmetic is written down here: two ways to the same tensor are computed by
-- the reference, and have to give the same elements. Run by the unit tests: touchstone lua cases/oracle/laws.lua
local here = arg[0]:match("^(.*)/") or "."
local s = dofile(here .. "/support.lua")
local random, list, iota = s.random, s.list, s.iota

-- SLICE1 by a map per dimension: the first element, the step, the count.
local function slice(sizes, maps, input)
  local d = { InputTensor = { DataType = "INT32", Sizes = sizes }, OutputTensor = { Sizes = {} }, InputWindowOffsets = {},
              InputWindowSizes = {}, InputWindowStrides = {} }
  for i, m in ipairs(maps) do
    local reach = (m.count - 1) * math.abs(m.step)
    d.InputWindowOffsets[i] = m.step > 0 and m.first or m.first - reach
    d.InputWindowSizes[i], d.InputWindowStrides[i], d.OutputTensor.Sizes[i] = reach + 1, m.step, m.count
  end
  return s.run("dml.slice1", d, { InputTensor = input })[1]
end

local function some_map(size)
  local step, first = s.pick { 1, 1, 2, 3, -1, -1, -2, -3 }, random(0, size - 1)
  local room = step > 0 and size - 1 - first or first
  return { first = first, step = step, count = random(1 + room // math.abs(step)) }
end

for _ = 1, 2000 do
  local rank = random(8)
  local sizes = s.sizes(rank, 200)
  local input = iota(s.product(sizes))

  -- A slice of a slice is a slice.
  local one = list(rank, function(i) return some_map(sizes[i]) end)
  local two = list(rank, function(i) return some_map(one[i].count) end)
  local both = list(rank, function(i)
    return { first = one[i].first + one[i].step * two[i].first, step = one[i].step * two[i].step, count = two[i].count }
  end)
  local between = slice(sizes, one, input)
  s.same("a slice of a slice of " .. s.shown(sizes), slice(between.sizes, two, between.data).data, slice(sizes, both, input).data)

  -- A slice of the whole tensor is the identity, and so are two reversals.
  s.same("a slice by all of it", slice(sizes, list(rank, function(i) return { first = 0, step = 1, count = sizes[i] } end), input).data, input)
  local backwards = list(rank, function(i) return { first = sizes[i] - 1, step = -1, count = sizes[i] } end)
  s.same("backwards twice", slice(sizes, backwards, slice(sizes, backwards, input).data).data, input)

  -- ELEMENT_WISE_IDENTITY is a slice of the whole tensor.
  local copy = s.run("dml.element_wise_identity", { InputTensor = { DataType = "INT32", Sizes = sizes }, OutputTensor = {} },
                     { InputTensor = input })
  s.same("the identity of " .. s.shown(sizes), copy[1].data, input)
end

-- GATHER along an axis.
local function gather(sizes, axis, indices, input)
  local index_sizes = list(#sizes, function() return 1 end)
  local out = table.move(sizes, 1, #sizes, 1, {})
  index_sizes[#sizes], out[axis] = #indices, #indices
  return s.run("dml.gather", {
    InputTensor = { DataType = "INT32", Sizes = sizes }, IndicesTensor = { DataType = "UINT32", Sizes = index_sizes },
    OutputTensor = { Sizes = out }, Axis = axis - 1, IndexDimensions = 1,
  }, { InputTensor = input, IndicesTensor = indices })[1].data
end

for _ = 1, 2000 do
  local rank = random(8)
  local sizes = s.sizes(rank, 200)
  local axis, input = random(rank), iota(s.product(sizes))
  local straight = list(sizes[axis], function(i) return i - 1 end)
  s.same("GATHER by 0, 1, 2, ...", gather(sizes, axis, straight, input), input)

  -- A permutation, then its inverse.
  local there, back = table.move(straight, 1, #straight, 1, {}), {}
  for i = #there, 2, -1 do
    local k = random(i)
    there[i], there[k] = there[k], there[i]
  end
  for i, to in ipairs(there) do back[to + 1] = i - 1 end
  s.same("GATHER by a permutation and its inverse", gather(sizes, axis, back, gather(sizes, axis, there, input)), input)

  -- A slice along one axis is a GATHER.
  local m = some_map(sizes[axis])
  local maps = list(rank, function(i) return i == axis and m or { first = 0, step = 1, count = sizes[i] } end)
  local chosen = list(m.count, function(i) return m.first + (i - 1) * m.step end)
  s.same("a slice and a GATHER", slice(sizes, maps, input).data, gather(sizes, axis, chosen, input))
end

-- Two generations, the second from the state of the first, are one: where the first ends on a whole block.
local function generate(state, n)
  local r = s.run("dml.random_generator", {
    InputStateTensor = { DataType = "UINT32", Sizes = { 6 } }, OutputTensor = { DataType = "UINT32", Sizes = { n } },
    OutputStateTensor = { DataType = "UINT32", Sizes = { 6 } }, Type = 0,
  }, { InputStateTensor = state })
  return r[1].data, r[2].data
end

for _ = 1, 1000 do
  local state = list(6, function() return s.pick { 0, 0xFFFFFFFF, 0xFFFFFFF8, random(0, 0xFFFFFFFF) } end)
  local first, after = generate(state, 4 * random(20))
  local second, last = generate(after, random(40))
  local all, end_state = generate(state, #first + #second)
  s.same("two generations and one", table.move(second, 1, #second, #first + 1, first), all)
  s.same("the state after two generations and one", last, end_state)
end

-- StridedSlice of ranges that are not empty is a SLICE1 (rules.md A.5, "Bridge to SLICE1").
for _ = 1, 2000 do
  local rank = random(6)
  local sizes = s.sizes(rank, 150)
  local input = iota(s.product(sizes))
  local d = { data = { type = "i32", shape = sizes }, begin = {}, ["end"] = {}, stride = {} }
  local maps = list(rank, function(i)
    local m = some_map(sizes[i])
    local last = m.first + (m.count - 1) * m.step
    local stop = last + (m.step > 0 and 1 or -1)
    d.begin[i] = random(2) == 1 and m.first or m.first - sizes[i]
    d["end"][i] = stop == -1 and -sizes[i] - 1 or stop
    d.stride[i] = m.step
    return m
  end)
  local got = s.run("openvino.strided_slice", d, { data = input })
  s.same("StridedSlice and SLICE1", got[1].data, slice(sizes, maps, input).data)
end

s.done("laws", 18000)
