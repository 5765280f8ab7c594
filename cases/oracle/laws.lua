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

-- ---- drawn cases ------------------------------------------------------------------------------------------------
-- The output of a drawn case, whatever its layout and types, and another way to it on packed integers.
local judges, most = {}, 4096
local dml_types = { [8] = "UINT8", [16] = "UINT16", [32] = "UINT32", [64] = "INT64" } -- that hold the bits of an element
local openvino_types = { [8] = "u8", [16] = "u16", [32] = "u32", [64] = "i64" }

-- Compare the first output with a flat list.
local function same_elements(c, name, data)
  assert(#data == c.tensors[name].count, c.id .. ": the other way has another number of elements")
  s.same_output(c, name, function(_, place) return data[place + 1] end)
end

local function whole(size) return { offset = 0, window = size, stride = 1, out = size } end

local function slice_bits(bits, sizes, dims, data)
  local function each(what) return list(#sizes, function(i) return dims[i][what] end) end
  return s.run("dml.slice1", {
    InputTensor = { DataType = dml_types[bits], Sizes = sizes }, OutputTensor = { Sizes = each "out" },
    InputWindowOffsets = each "offset", InputWindowSizes = each "window", InputWindowStrides = each "stride",
  }, { InputTensor = data })[1].data
end

-- A slice is a slice of each dimension after the other, the last one first.
judges["dml.slice1"] = function(c)
  local d, input, out = c.descriptor, c.tensors.InputTensor, c.tensors.OutputTensor.sizes
  if input.count > most then return false end
  local sizes, data = table.move(input.sizes, 1, #input.sizes, 1, {}), s.elements(c, "InputTensor")
  for k = #sizes, 1, -1 do
    local dims = list(#sizes, function(i)
      return i == k and { offset = d.InputWindowOffsets[k], window = d.InputWindowSizes[k],
                          stride = d.InputWindowStrides[k], out = out[k] } or whole(sizes[i])
    end)
    data = slice_bits(input.bits, sizes, dims, data)
    sizes[k] = out[k]
  end
  same_elements(c, "OutputTensor", data)
end

-- The identity is a slice of the whole tensor.
judges["dml.element_wise_identity"] = function(c)
  local input = c.tensors.InputTensor
  if input.count > most then return false end
  same_elements(c, "OutputTensor",
                slice_bits(input.bits, input.sizes, list(#input.sizes, function(i) return whole(input.sizes[i]) end),
                           s.elements(c, "InputTensor")))
end

-- The indices of a case, counted from the start of the axis, and for each of them the slice of one element along the
-- axis that it names: `pre` rows of `post` elements. nil: the result is unspecified.
local function slices_of_indices(c)
  local input, axis, rows, pieces = c.tensors.InputTensor, c.descriptor.Axis + 1, {}, {}
  local length, data = input.sizes[axis], s.elements(c, "InputTensor")
  for _, index in ipairs(s.elements(c, "IndicesTensor")) do
    if c.tensors.IndicesTensor.dtype == "INT32" and index >= 1 << 31 then index = index - (1 << 32) end
    index = index < 0 and index + length or index
    if index < 0 or index >= length then return nil end
    rows[#rows + 1] = index
    pieces[index] = pieces[index] or slice_bits(input.bits, input.sizes, list(#input.sizes, function(i)
      return i == axis and { offset = index, window = 1, stride = 1, out = 1 } or whole(input.sizes[i])
    end), data)
  end
  local post = 1
  for i = axis + 1, #input.sizes do post = post * input.sizes[i] end
  return rows, pieces, input.count // (length * post), post
end

-- What an index gathers is a slice of one element along the axis.
judges["dml.gather"] = function(c)
  if c.tensors.InputTensor.count > most or c.tensors.OutputTensor.count > most or c.tensors.IndicesTensor.count > 256 then
    return false
  end
  local rows, pieces, count, post = slices_of_indices(c)
  if not rows then return false end
  local gathered = {}
  for pre = 0, count - 1 do
    for _, index in ipairs(rows) do
      table.move(pieces[index], pre * post + 1, (pre + 1) * post, #gathered + 1, gathered)
    end
  end
  same_elements(c, "OutputTensor", gathered)
end

-- Each element that GATHER_ELEMENTS gathers is that of such a slice, at its own place beside the axis.
judges["dml.gather_elements"] = function(c)
  local out = c.tensors.OutputTensor
  if c.tensors.InputTensor.count > most or out.count > most then return false end
  local rows, pieces, _, post = slices_of_indices(c)
  if not rows then return false end
  local count = out.sizes[c.descriptor.Axis + 1]
  same_elements(c, "OutputTensor", list(#rows, function(i)
    return pieces[rows[i]][(i - 1) // (count * post) * post + (i - 1) % post + 1]
  end))
end

-- In row-major order, the output has a block of each input in turn: that of all elements along the axis and behind it.
judges["dml.join"] = function(c)
  local out, axis = c.tensors.OutputTensor, c.descriptor.Axis + 1
  if out.count > most then return false end
  local inputs, blocks, joined, post, rows = {}, {}, {}, 1, 1
  for i = axis + 1, #out.sizes do post = post * out.sizes[i] end
  for i = 1, axis - 1 do rows = rows * out.sizes[i] end
  for k = 1, c.descriptor.InputCount or #c.descriptor.InputTensors do
    local name = ("InputTensors[%d]"):format(k - 1)
    inputs[k], blocks[k] = s.elements(c, name), c.tensors[name].sizes[axis] * post
  end
  for row = 0, rows - 1 do
    for k, data in ipairs(inputs) do table.move(data, row * blocks[k] + 1, (row + 1) * blocks[k], #joined + 1, joined) end
  end
  same_elements(c, "OutputTensor", joined)
end

-- The elements at one place of their blocks are a slice in steps of a block. The other tensor, of more channels, has
-- these slices one behind the other: of each batch, or in COLUMN_ROW_DEPTH of each channel of each batch. Which of the
-- two is the output does not matter.
local function blocks(flat_name, deep_name)
  return function(c)
    local d, flat, sizes = c.descriptor, c.tensors[flat_name], c.tensors[deep_name].sizes
    local b, data, slices, joined = d.BlockSize, s.elements(c, flat_name), {}, {}
    if flat.count > most or b > 8 then return false end
    for y = 0, b - 1 do
      for x = 0, b - 1 do
        local function steps(first, count) return { offset = first, window = (count - 1) * b + 1, stride = b, out = count } end
        slices[#slices + 1] = slice_bits(flat.bits, flat.sizes, { whole(flat.sizes[1]), whole(flat.sizes[2]),
                                                                  steps(y, sizes[3]), steps(x, sizes[4]) }, data)
      end
    end
    local by_channel = d.Order == "DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH"
    local block = sizes[3] * sizes[4] * (by_channel and 1 or flat.sizes[2])
    for part = 0, #slices[1] // block - 1 do
      for _, slice in ipairs(slices) do table.move(slice, part * block + 1, (part + 1) * block, #joined + 1, joined) end
    end
    same_elements(c, deep_name, joined)
  end
end
for _, version in ipairs { "", "1" } do
  judges["dml.space_to_depth" .. version] = blocks("InputTensor", "OutputTensor")
  judges["dml.depth_to_space" .. version] = blocks("OutputTensor", "InputTensor")
end

-- Each sum differs from the one before by an element: from the sums, in their order, follow the elements, of exclusive
-- ones all but the last of a line.
judges["dml.cumulative_summation"] = function(c)
  local d, out = c.descriptor, c.tensors.OutputTensor
  local axis, mask = d.Axis + 1, out.bits == 64 and -1 or (1 << out.bits) - 1
  local size, step = out.sizes[axis], d.AxisDirection == "DML_AXIS_DIRECTION_DECREASING" and -1 or 1
  local exclusive = d.HasExclusiveSum == true or d.HasExclusiveSum == 1
  if out.count > most then return false end
  s.same_output(c, "InputTensor", function(at)
    local own = at[axis]
    local function sum(k) -- up to element k of the line, k included; nil where the output does not have it
      local from = table.move(at, 1, #at, 1, {})
      from[axis] = exclusive and k + step or k
      if exclusive and (from[axis] < 0 or from[axis] >= size) then return nil end
      if from[axis] < 0 or from[axis] >= size then return 0 end
      return c:at("OutputTensor", from)
    end
    local after = sum(own)
    local before = sum(own - step)
    if not after then return c:at("InputTensor", at) end
    return (after - before) & mask
  end)
end

-- What a tuple picks is a slice of one element along each dimension that it picks from, in the batch of its own.
local function judge_gather_nd(c)
  local d, input, out = c.descriptor, c.tensors.InputTensor, c.tensors.OutputTensor
  local indices, batches = c.tensors.IndicesTensor, d.BatchDimensionCount or 0
  if input.count > most or out.count > most or indices.count > 256 then return false end
  local rank, tuple, data = #input.sizes, indices.sizes[#indices.sizes], s.elements(c, "InputTensor")
  local first, all, gathered = rank - d.InputDimensionCount + batches, s.elements(c, "IndicesTensor"), {}
  local count = 1 -- of batches
  for i = first - batches + 1, first do count = count * input.sizes[i] end
  local tuples = #all // tuple
  for j = 0, tuples - 1 do
    local place, picks = j // (tuples // count), {}
    for i = first, first - batches + 1, -1 do
      picks[i], place = place % input.sizes[i], place // input.sizes[i]
    end
    for k = 1, tuple do
      local index = all[j * tuple + k]
      if indices.dtype == "INT32" and index >= 1 << 31 then index = index - (1 << 32) end
      index = index < 0 and index + input.sizes[first + k] or index
      if index < 0 or index >= input.sizes[first + k] then return false end
      picks[first + k] = index
    end
    local piece = slice_bits(input.bits, input.sizes, list(rank, function(i)
      return picks[i] and { offset = picks[i], window = 1, stride = 1, out = 1 } or whole(input.sizes[i])
    end), data)
    table.move(piece, 1, #piece, #gathered + 1, gathered)
  end
  same_elements(c, "OutputTensor", gathered)
end
judges["dml.gather_nd"], judges["dml.gather_nd1"] = judge_gather_nd, judge_gather_nd

-- GATHER_ELEMENTS gathers from the output, by the same indices, the updates that SCATTER_ELEMENTS put there. The other
-- elements are those of the input.
judges["dml.scatter_elements"] = function(c)
  local out, indices = c.tensors.OutputTensor, c.tensors.IndicesTensor
  if out.count > most or indices.count > most then return false end
  local picks, output, touched = s.elements(c, "IndicesTensor"), {}, {}
  for n, index in ipairs(picks) do
    if indices.dtype == "INT32" and index >= 1 << 31 then picks[n] = index - (1 << 32) end
  end
  local function gathered(data)
    return s.run("dml.gather_elements", {
      InputTensor = { DataType = "INT64", Sizes = out.sizes }, OutputTensor = { Sizes = indices.sizes },
      IndicesTensor = { DataType = indices.dtype, Sizes = indices.sizes }, Axis = c.descriptor.Axis,
    }, { InputTensor = data, IndicesTensor = picks })[1].data
  end
  for at, n in s.coordinates(out.sizes) do output[n] = c:at("OutputTensor", at) or -1 - n end -- several updates: -1 - n
  local places, updates = gathered(iota(out.count)), s.elements(c, "UpdatesTensor")
  for n, value in ipairs(gathered(output)) do
    touched[places[n]] = true
    if value ~= updates[n] and value ~= -1 - places[n] then
      error(("%s: update %d is 0x%x, and 0x%x is gathered"):format(c.id, n, updates[n], value))
    end
  end
  s.same_output(c, "OutputTensor", function(at, place)
    return touched[place + 1] and output[place + 1] or c:at("InputTensor", at)
  end)
end

-- As one line of elements, the output is that of SCATTER_ELEMENTS by the place of each update's element.
judges["dml.scatter_nd"] = function(c)
  local out, indices, updates = c.tensors.OutputTensor, c.tensors.IndicesTensor, c.tensors.UpdatesTensor
  if out.count > most or indices.count > most or updates.count > most then return false end
  local picks, places, length = s.elements(c, "IndicesTensor"), {}, indices.sizes[#indices.sizes]
  local first, block = #out.sizes - c.descriptor.InputDimensionCount, updates.count * length // indices.count
  for n = 0, indices.count // length - 1 do
    local place = 0
    for k = 1, length do
      local index, size = picks[n * length + k], out.sizes[first + k]
      if indices.dtype == "INT32" and index >= 1 << 31 then index = index - (1 << 32) end
      place = place * size + (index < 0 and index + size or index)
    end
    for j = 0, block - 1 do places[#places + 1] = place * block + j end
  end
  local line = s.elements(c, "InputTensor")
  while #line < #places do line[#line + 1] = 0 end -- SCATTER_ELEMENTS has no more updates than elements
  local got = s.run("dml.scatter_elements", {
    InputTensor = { DataType = "INT64", Sizes = { #line } }, OutputTensor = { Sizes = { #line } }, Axis = 0,
    IndicesTensor = { DataType = "UINT32", Sizes = { #places } },
    UpdatesTensor = { DataType = "INT64", Sizes = { #places } },
  }, { InputTensor = line, IndicesTensor = places, UpdatesTensor = s.elements(c, "UpdatesTensor") })
  s.same_output(c, "OutputTensor", function(_, place) return got[1].data[place + 1] end)
end

-- One generation is two, of which the first ends on a whole block.
judges["dml.random_generator"] = function(c)
  local state, n = s.elements(c, "InputStateTensor"), c.tensors.OutputTensor.count
  if n > most then return false end
  local all, after, last = {}, state, state
  if n >= 4 then all, after = generate(state, 4 * random(n // 4)) end
  last = after
  if n > #all then
    local rest
    rest, last = generate(after, n - #all)
    table.move(rest, 1, #rest, #all + 1, all)
  end
  same_elements(c, "OutputTensor", all)
  if c.tensors.OutputStateTensor then same_elements(c, "OutputStateTensor", last) end
end

-- A StridedSlice is a StridedSlice of each dimension after the other, the last one first. New dimensions of size 1, and
-- those of size 1 that are removed, change no element's place.
judges["openvino.strided_slice"] = function(c)
  local d, input = c.descriptor, c.tensors.data
  if input.count > most then return false end
  local function bit(mask, i) return d[mask] and d[mask][i] or 0 end
  local entries, after_ellipsis = {}, nil -- the entry of each dimension; false: it is copied
  for i = 1, #d.begin do
    if bit("ellipsis_mask", i) == 1 then
      after_ellipsis = #entries + 1
    elseif bit("new_axis_mask", i) == 0 then
      entries[#entries + 1] = i
    end
  end
  for _ = #entries + 1, #input.sizes do table.insert(entries, after_ellipsis or #entries + 1, false) end
  local sizes, data = table.move(input.sizes, 1, #input.sizes, 1, {}), s.elements(c, "data")
  for k = #sizes, 1, -1 do
    local e = entries[k]
    if e and #data > 0 then
      local one = { data = { type = openvino_types[input.bits], shape = sizes }, begin = {}, ["end"] = {}, stride = {},
                    begin_mask = {}, end_mask = {}, new_axis_mask = {}, shrink_axis_mask = {}, ellipsis_mask = {} }
      for i = 1, #sizes do
        local own = i == k
        one.begin[i], one["end"][i] = own and d.begin[e] or 0, own and d["end"][e] or 0
        one.stride[i] = own and d.stride and d.stride[e] or 1
        one.begin_mask[i], one.end_mask[i] = own and bit("begin_mask", e) or 1, own and bit("end_mask", e) or 1
        one.shrink_axis_mask[i] = own and bit("shrink_axis_mask", e) or 0
        one.new_axis_mask[i], one.ellipsis_mask[i] = 0, 0
      end
      data = s.run("openvino.strided_slice", one, { data = data })[1].data
      sizes[k] = 1
      sizes[k] = #data // s.product(sizes)
    end
  end
  same_elements(c, "output", data)
end

-- A Gather is one of the parts of data that no batch and no dimension before the axis divides, one after the other, each
-- by the indices of its batch; the other dimensions of a part are rows. GATHER gathers these, but for indices beyond the
-- axis, which give zeros.
local function judge_gather_version(c)
  local d, data, indices, out = c.descriptor, c.tensors.data, c.tensors.indices, c.tensors.output
  if data.count > most or out.count > most or indices.count > 256 or data.count == 0 or indices.count == 0 then
    return false
  end
  local rank, axis, b = #data.sizes, d.axis, d.batch_dims or 0
  if axis < 0 then axis = axis + rank end
  if b < 0 then b = b + #indices.sizes end
  local function count(sizes, first, last)
    local k = 1
    for i = first, last do k = k * sizes[i] end
    return k
  end
  local batches, rows, n = count(data.sizes, 1, b), count(data.sizes, b + 1, axis), data.sizes[axis + 1]
  local block, picks = count(data.sizes, axis + 2, rank), count(indices.sizes, b + 1, #indices.sizes)
  local all, elements, gathered = s.elements(c, "indices"), s.elements(c, "data"), {}
  for part = 0, batches * rows - 1 do
    local own, inside = part // rows, {}
    local places = list(picks, function(k)
      local index = all[own * picks + k]
      index = s.index(indices.dtype, index, c.operator == "openvino.gather_8" and n)
      inside[k] = index >= 0 and index < n
      return inside[k] and index or 0
    end)
    local piece = s.run("dml.gather", {
      InputTensor = { DataType = dml_types[data.bits], Sizes = { n, block } },
      IndicesTensor = { DataType = "UINT32", Sizes = { 1, picks } },
      OutputTensor = { Sizes = { picks, block } }, Axis = 0, IndexDimensions = 1,
    }, { InputTensor = table.move(elements, part * n * block + 1, (part + 1) * n * block, 1, {}),
         IndicesTensor = places })[1].data
    for k = 1, picks do
      for x = 1, block do gathered[#gathered + 1] = inside[k] and piece[(k - 1) * block + x] or 0 end
    end
  end
  same_elements(c, "output", gathered)
end
for _, name in ipairs { "openvino.gather_1", "openvino.gather_7", "openvino.gather_8" } do
  judges[name] = judge_gather_version
end

-- As one line of elements, the output of OpenVINO's scatters is that of SCATTER_ELEMENTS by the place of each update's
-- element.
local function judge_places(c, places)
  local line = s.elements(c, "data")
  while #line < #places do line[#line + 1] = 0 end -- SCATTER_ELEMENTS has no more updates than elements
  local got = s.run("dml.scatter_elements", {
    InputTensor = { DataType = "INT64", Sizes = { #line } }, OutputTensor = { Sizes = { #line } }, Axis = 0,
    IndicesTensor = { DataType = "UINT32", Sizes = { #places } },
    UpdatesTensor = { DataType = "INT64", Sizes = { #places } },
  }, { InputTensor = line, IndicesTensor = places, UpdatesTensor = s.elements(c, "updates") })
  s.same_output(c, "output", function(_, place) return got[1].data[place + 1] end)
end
local function is_small(c)
  for _, name in ipairs { "data", "indices", "updates" } do
    if c.tensors[name].count > most or c.tensors[name].count == 0 then return false end
  end
  return true
end

judges["openvino.scatter_nd_update_3"] = function(c)
  if not is_small(c) then return false end
  local sizes, picks, places, updates = c.tensors.data.sizes, s.elements(c, "indices"), {}, c.tensors.updates.count
  local length = c.tensors.indices.sizes[#c.tensors.indices.sizes]
  local block = updates * length // #picks
  for n = 0, #picks // length - 1 do
    local place = 0
    for k = 1, length do place = place * sizes[k] + picks[n * length + k] end
    for j = 0, block - 1 do places[#places + 1] = place * block + j end
  end
  judge_places(c, places)
end

-- From the first step forwards: the sequence of a beam is that of its parent, and its own id.
judges["openvino.gather_tree"] = function(c)
  if c.tensors.step_ids.count > most then return false end
  local time, batches, beams = table.unpack(c.tensors.step_ids.sizes)
  local dtype, ids = c.tensors.step_ids.dtype, s.elements(c, "step_ids")
  local function numbers(name)
    local all = s.elements(c, name)
    for n, bits in ipairs(all) do all[n] = s.number(dtype, bits) // 1 | 0 end
    return all
  end
  local parents, lengths, token, output = numbers "parent_ids", numbers "max_seq_len", c:at("end_token", {}), {}
  for b = 0, batches - 1 do
    local sequences = {}
    for w = 1, beams do sequences[w] = {} end
    for t = 0, math.min(time, lengths[b + 1]) - 1 do
      local continued = {}
      for w = 1, beams do
        local at = (t * batches + b) * beams + w
        local before = t == 0 and {} or sequences[parents[at] + 1]
        continued[w] = before and table.move(before, 1, #before, 1, {}) -- nil: its parent is not there
        if before and before[#before] ~= token then -- what has ended goes on no more
          table.insert(continued[w], ids[at])
        end
      end
      sequences = continued
    end
    for t = 0, time - 1 do
      for w = 1, beams do -- what follows from a parent that is not there is undefined, and not compared
        output[(t * batches + b) * beams + w] = sequences[w] and sequences[w][t + 1] or token
      end
    end
  end
  same_elements(c, "final_ids", output)
end

-- The tuples of the output, as numbers in row-major order, ascend; they are those of the elements that have other bits than
-- those of a zero.
judges["openvino.non_zero_3"] = function(c)
  local data, output = c.tensors.data, c.tensors.output
  if data.count > most then return false end
  local is_float = data.dtype:find "f" == 1 or data.dtype == "bf16"
  local left, before = {}, 0
  for n, bits in ipairs(s.elements(c, "data")) do
    if (is_float and bits << (65 - data.bits) or bits) ~= 0 then left[n] = true end
  end
  for j = 0, output.sizes[2] - 1 do
    local tuple = list(output.sizes[1], function(k) return c:at("output", { k - 1, j }) end)
    -- A scalar has the empty tuple, and no element of output.
    local n = s.place(data.sizes, tuple)
    assert(n > before and left[n], c.id .. ": a tuple is out of order, or that of a zero")
    left[n], before = nil, n
  end
  assert(next(left) == nil, c.id .. ": an element that is not zero has no tuple")
end

-- ScatterUpdate writes to the elements that Gather reads; here these are their own places.
judges["openvino.scatter_update"] = function(c)
  if not is_small(c) then return false end
  local data, places = c.tensors.data, iota(c.tensors.data.count)
  for n = 1, #places do places[n] = n - 1 end
  judge_places(c, s.run("openvino.gather_8", {
    data = { type = "i64", shape = data.sizes }, indices = { type = "i64", shape = c.tensors.indices.sizes },
    axis = c.descriptor.axis,
  }, { data = places, indices = s.elements(c, "indices") })[1].data)
end

-- ScatterElementsUpdate writes to the elements that GATHER_ELEMENTS reads, of the part of data that the indices cover.
judges["openvino.scatter_elements_update_3"] = function(c)
  if not is_small(c) then return false end
  local sizes, part, axis, places = c.tensors.data.sizes, {}, c.descriptor.axis, {}
  if axis < 0 then axis = axis + #sizes end
  for i, size in ipairs(c.tensors.indices.sizes) do part[i] = i == axis + 1 and sizes[i] or size end
  for at in s.coordinates(part) do places[#places + 1] = s.place(sizes, at) - 1 end
  judge_places(c, s.run("dml.gather_elements", {
    InputTensor = { DataType = "INT64", Sizes = part }, OutputTensor = { Sizes = c.tensors.indices.sizes },
    IndicesTensor = { DataType = "INT64", Sizes = c.tensors.indices.sizes }, Axis = axis,
  }, { InputTensor = places, IndicesTensor = s.elements(c, "indices") })[1].data)
end

-- The numbers of all indices.
local function indices_of(c)
  local numbers = s.elements(c, "indices")
  for i, bits in ipairs(numbers) do numbers[i] = s.index(c.tensors.indices.dtype, bits, false) end
  return numbers
end

-- GatherElements is GATHER_ELEMENTS, of packed tensors with elements.
judges["openvino.gather_elements"] = function(c)
  local data, indices, axis = c.tensors.data, c.tensors.indices, c.descriptor.axis
  if data.count > most or indices.count > most or data.count == 0 or indices.count == 0 then return false end
  same_elements(c, "output", s.run("dml.gather_elements", {
    InputTensor = { DataType = dml_types[data.bits], Sizes = data.sizes },
    IndicesTensor = { DataType = "INT64", Sizes = indices.sizes },
    OutputTensor = { Sizes = indices.sizes }, Axis = axis < 0 and axis + #data.sizes or axis,
  }, { InputTensor = s.elements(c, "data"), IndicesTensor = indices_of(c) })[1].data)
end

-- The elements of a tensor, and its shape, with so many batches: a single one is repeated.
local function broadcast(elements, sizes, batches)
  local shape, all = table.move(sizes, 1, #sizes, 1, {}), {}
  table.move(batches, 1, #batches, 1, shape)
  for at, n in s.coordinates(shape) do
    local from = table.move(at, 1, #at, 1, {})
    for i = 1, #batches do
      if sizes[i] == 1 then from[i] = 0 end
    end
    all[n] = elements[s.place(sizes, from)]
  end
  return all, shape
end

-- GatherND is GATHER_ND1 of packed tensors with elements, which have at most eight dimensions there, and as many batches.
local function judge_gather_tuples(c)
  local data, indices, out = c.tensors.data, c.tensors.indices, c.tensors.output
  local batches = c.descriptor.batch_dims or 0
  local dims, own = #indices.sizes, #data.sizes
  local rank = math.max(dims, own, dims - 1 + own - batches - indices.sizes[dims])
  if data.count > most or indices.count > most or out.count > most or data.count * indices.count == 0 or rank > 8 then
    return false
  end
  local function padded(sizes)
    local all = list(rank - #sizes, function() return 1 end)
    return table.move(sizes, 1, #sizes, #all + 1, all)
  end
  local both = {}
  for i = 1, batches do both[i] = indices.sizes[i] == 1 and data.sizes[i] or indices.sizes[i] end
  local elements, sizes = broadcast(s.elements(c, "data"), data.sizes, both)
  local tuples, index_sizes = broadcast(indices_of(c), indices.sizes, both)
  if #elements > most or #tuples > most then return false end
  local shape = table.move(index_sizes, 1, dims - 1, 1, {}) -- as that of GatherND-8
  table.move(data.sizes, batches + indices.sizes[dims] + 1, own, #shape + 1, shape)
  same_elements(c, "output", s.run("dml.gather_nd1", {
    InputTensor = { DataType = dml_types[data.bits], Sizes = padded(sizes) },
    IndicesTensor = { DataType = "INT64", Sizes = padded(index_sizes) },
    OutputTensor = { Sizes = padded(shape) }, InputDimensionCount = own, IndicesDimensionCount = dims,
    BatchDimensionCount = batches,
  }, { InputTensor = elements, IndicesTensor = tuples })[1].data)
end
judges["openvino.gather_nd_5"], judges["openvino.gather_nd_8"] = judge_gather_tuples, judge_gather_tuples

-- ---- bits, logic and comparisons --------------------------------------------------------------------------------
-- Each result by another operation than its own.
local function judge_each(f)
  return function(c)
    local first = c.tensors.InputTensor and "InputTensor" or "ATensor"
    local t = c.tensors[first]
    if t.count > most then return false end
    s.same_output(c, "OutputTensor", function(at)
      return f(c:at(first, at), c.tensors.BTensor and c:at("BTensor", at), t,
               c.tensors.ConditionTensor and c:at("ConditionTensor", at))
    end)
  end
end

-- An unsigned number by 2^n, rounded down.
local function divided(a, n)
  if n == 0 then return a end
  local half = a >= 0 and a // 2 or (a & math.maxinteger) // 2 + (1 << 62)
  return half // math.tointeger(2 ^ (n - 1))
end
local function truth(n) return n == 0 and 0 or 1 end

-- How many numbers of the type are less, from 0, or nil for a NaN: floats of one sign have the order of their bits.
local function place(t, bits)
  local sign = 1 << (t.bits - 1)
  local kind = s.short(t.dtype):sub(1, 1)
  if kind == "i" then return bits ~ sign end
  if kind == "u" then return bits end
  local size, infinity = bits & (sign - 1), ({ [16] = 0x7c00, [32] = 0x7f800000 })[t.bits]
  if size > infinity then return nil end
  return bits & sign ~= 0 and sign - size or sign + size
end

-- Of two numbers exactly one holds: the first is less, equal or greater. Of a NaN and anything, none does.
local function judge_order(less, equal, greater)
  return judge_each(function(a, b, t)
    local x, y = place(t, a), place(t, b)
    if not x or not y then return 0 end
    if x == y then return equal end
    return math.ult(x, y) and less or greater
  end)
end

for name, f in pairs {
  bit_and = function(a, b) return a + b - (a | b) end,
  bit_or  = function(a, b) return (a & b) + (a ~ b) end,
  bit_xor = function(a, b) return (a | b) - (a & b) end,
  bit_not = function(a, _, t) return (t.bits == 64 and -1 or (1 << t.bits) - 1) - a end,
  bit_count = function(a) -- how often the lowest one can be taken away
    local ones = 0
    while a ~= 0 do a, ones = a & (a - 1), ones + 1 end
    return ones
  end,
  bit_shift_left = function(a, b, t)
    local product = b == 63 and a * math.mininteger or a * math.tointeger(2 ^ b)
    return t.bits == 64 and product or product % (1 << t.bits)
  end,
  bit_shift_right = function(a, b) return divided(a, b) end,
  logical_and = function(a, b) return truth(a) * truth(b) end,
  logical_or  = function(a, b) return truth(a) + truth(b) - truth(a) * truth(b) end,
  logical_xor = function(a, b) return (truth(a) + truth(b)) % 2 end,
  logical_not = function(a) return 1 - truth(a) end,
  ["if"] = function(a, b, _, condition) return b + truth(condition) * (a - b) end,
  is_nan = function(a, _, t) return place(t, a) and 0 or 1 end,
} do judges["dml.element_wise_" .. name] = judge_each(f) end
judges["dml.element_wise_logical_equals"] = judge_order(0, 1, 0)
judges["dml.element_wise_logical_greater_than"] = judge_order(0, 0, 1)
judges["dml.element_wise_logical_less_than"] = judge_order(1, 0, 0)
judges["dml.element_wise_logical_greater_than_or_equal"] = judge_order(0, 1, 1)
judges["dml.element_wise_logical_less_than_or_equal"] = judge_order(1, 1, 0)

s.judge_drawn(judges, {
  { ":invalid%-", "a descriptor that is refused has no output; cases/invalid_test.c holds each against its clause" },
  { ":drawn_unjudged$", "a float differs from the difference of two rounded sums" },
  { ":drawn_counts$", "65,536 elements and more are too many for another way to the result; pages.lua judges them" },
  { ":drawn_grids$", "65,536 elements and more are too many for another way to the result; pages.lua judges them" },
  { ":drawn_outputs$", "65,536 elements and more are too many for another way to the result; pages.lua judges them" },
  { ":drawn_cubes$", "many have too many elements for another way to the result; pages.lua judges them" },
  { ":drawn_paths$", "many have too many elements for another way to the result; pages.lua judges them" },
  { ":drawn_matrices$", "many have too many elements for another way to the result; pages.lua judges them" },
  { ":drawn_batched$", "65,536 elements and more are too many for another way to the result; pages.lua judges them" },
  { ":drawn_bits$", "2^17 elements and more are too many for another way to the result; pages.lua judges them" },
  { ":drawn_far$", "2^17 elements and more are too many for another way to the result; pages.lua judges them" },
  { ":drawn_farther$", "2^25 elements are too many for another way to the result; pages.lua judges the others" },
  { ":drawn_many$", "65,536 indices and more are too many for another way to the result; pages.lua judges them" },
  { ":drawn_high$", "2^20 rows are too many for another way to the result" },
  { ":drawn_block$", "2^24 elements are too many for another way to the result" },
  { ":drawn_tall$", "2^22 elements are too many for another way to the result; pages.lua judges them" },
  { ":drawn_large$", "2^24 elements are too many for another way to the result; pages.lua judges them" },
  { "^openvino.gather_tree:drawn_wide$", "many have too many elements for another way to the result; pages.lua judges them" },
  { "^openvino.non_zero_3:drawn_groups$", "many have too many elements for another way to the result; pages.lua judges them" },
  { ":drawn_tuples$", "many have too many indices for another way to the result; pages.lua judges them" },
  { ":drawn_batches$", "many have too many elements for another way to the result; pages.lua judges them" },
  { ":drawn_short_blocks$", "2^24 elements are too many for another way to the result; pages.lua judges them" },
  { ":drawn_ends$", "most have too many elements for another way to the result; pages.lua judges them" },
  { ":drawn_short_rows$", "many have too many elements for another way to the result; pages.lua judges them" },
  { ":drawn_vast$", "a tensor of 2^32 elements cannot be listed for another way to its result; pages.lua judges it" },
})

s.done("laws", 19500)
