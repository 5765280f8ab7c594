-- SPDX-License-Identifier: Apache-2.0
-- A second oracle: the formulas of the published pages, stated once more as literally as possible, are compared with the
-- golden reference on small random descriptors. Run by the unit tests: touchstone lua cases/oracle/pages.lua
local here = arg[0]:match("^(.*)/") or "."
local s = dofile(here .. "/support.lua")
local random, list, iota = s.random, s.list, s.iota

-- ---- DML_SLICE1_OPERATOR_DESC, Remarks --------------------------------------------------------------------------------
--   CopyStart = InputWindowOffsets
--   if InputWindowStrides[i] < 0: CopyStart[i] += InputWindowSizes[i] - 1
--   OutputTensor[OutputCoordinates] = InputTensor[CopyStart + InputWindowStrides * OutputCoordinates]
--   1 <= OutputSizes[i] <= MaxCopiedElements[i] = 1 + (InputWindowSizes[i] - 1) / InputWindowStrides[i], by
--   the magnitude of the stride
for _ = 1, 3000 do
  local rank = random(8)
  local sizes = s.sizes(rank, 200)
  local InputWindowOffsets = list(rank, function(i) return random(0, sizes[i] - 1) end)
  local InputWindowSizes = list(rank, function(i) return random(sizes[i] - InputWindowOffsets[i]) end)
  local InputWindowStrides = list(rank, function() return s.pick { 1, 2, 3, -1, -2, -3 } end)
  local out = list(rank, function(i) return random(1 + (InputWindowSizes[i] - 1) // math.abs(InputWindowStrides[i])) end)
  local input, expected = iota(s.product(sizes)), {}
  local CopyStart = list(rank, function(i) return InputWindowOffsets[i] end)
  for i = 1, rank do
    if InputWindowStrides[i] < 0 then CopyStart[i] = CopyStart[i] + InputWindowSizes[i] - 1 end
  end
  for OutputCoordinates, n in s.coordinates(out) do
    local from = list(rank, function(i) return CopyStart[i] + InputWindowStrides[i] * OutputCoordinates[i] end)
    expected[n] = input[s.place(sizes, from)]
  end
  local got = s.run("dml.slice1", {
    InputTensor = { DataType = s.pick { "FLOAT32", "INT64", "UINT8", "FLOAT16" }, Sizes = sizes },
    OutputTensor = { Sizes = out }, InputWindowOffsets = InputWindowOffsets, InputWindowSizes = InputWindowSizes,
    InputWindowStrides = InputWindowStrides,
  }, { InputTensor = input })
  s.same("SLICE1 of " .. s.shown(sizes), got[1].data, expected)
end

-- ---- DML_GATHER_OPERATOR_DESC -------------------------------------------------------------------------------------------
--   output[...] = input[..., indices[...], ...]
-- The input without its leading ones is `pre` dimensions, the axis, and the rest; the indices' last IndexDimensions
-- dimensions take the place of the axis.
for _ = 1, 3000 do
  local pre, post, dims = random(0, 2), random(0, 2), random(0, 2)
  local own, index_own = s.sizes(pre + 1 + post, 60), s.sizes(dims, 9)
  local rank = math.max(pre + dims + post, #own, dims, 1)
  local function padded(t)
    local p = list(rank - #t, function() return 1 end)
    return table.move(t, 1, #t, #p + 1, p)
  end
  local out, indices, input = {}, {}, iota(s.product(own))
  table.move(own, 1, pre, 1, out)
  table.move(index_own, 1, dims, #out + 1, out)
  table.move(own, pre + 2, #own, #out + 1, out)
  local d = own[pre + 1]
  local index_type = s.pick { "UINT32", "INT32", "INT64", "UINT64" }
  local lowest = index_type:sub(1, 1) == "I" and -d or 0
  for i = 1, s.product(index_own) do indices[i] = random(lowest, d - 1) end
  local expected = {}
  for at, n in s.coordinates(out) do
    local index = indices[s.place(index_own, { table.unpack(at, pre + 1, pre + dims) })]
    local from = { table.unpack(at, 1, pre) }
    from[pre + 1] = index < 0 and index + d or index
    table.move(at, pre + dims + 1, pre + dims + post, pre + 2, from)
    expected[n] = input[s.place(own, from)]
  end
  local got = s.run("dml.gather", {
    InputTensor = { DataType = "INT32", Sizes = padded(own) },
    IndicesTensor = { DataType = index_type, Sizes = padded(index_own) }, OutputTensor = { Sizes = padded(out) },
    Axis = rank - post - 1, IndexDimensions = dims,
  }, { InputTensor = input, IndicesTensor = indices })
  s.same("GATHER of " .. s.shown(own) .. " by " .. s.shown(index_own), got[1].data, expected)
end

-- ---- StridedSlice-1 -----------------------------------------------------------------------------------------------------
-- One dimension at a time, by the page's loop: slicing_index starts at begin, grows by stride, and stops at end. A
-- negative begin or end counts from the end; both are then clamped silently, forwards and backwards as the page lists.
-- (That begin == end still gives one element is wrong on the page; see the ledger.)
local function range(size, begin, end_, stride, begin_mask, end_mask)
  begin = begin < 0 and begin + size or begin
  end_ = end_ < 0 and end_ + size or end_
  if stride > 0 then
    begin = begin >= size and size or begin < 0 and 0 or begin
    end_ = end_ >= size and size or end_ < 0 and 0 or end_
  else
    begin = begin >= size and size - 1 or begin < 0 and 0 or begin
    end_ = end_ >= size and size or end_ < 0 and -1 or end_
  end
  if begin_mask == 1 then begin = stride > 0 and 0 or size - 1 end
  if end_mask == 1 then end_ = stride > 0 and size or -1 end
  local indices, slicing_index = {}, begin
  if size == 0 then return indices end -- the clamps name elements, and there are none
  while stride > 0 and slicing_index < end_ or stride < 0 and slicing_index > end_ do
    indices[#indices + 1] = slicing_index
    slicing_index = slicing_index + stride
  end
  return indices
end

for _ = 1, 4000 do
  local rank = random(4)
  local sizes = s.sizes(rank, 120)
  local d = { data = { type = "i32", shape = sizes }, begin = {}, ["end"] = {}, stride = {}, begin_mask = {},
              end_mask = {}, new_axis_mask = {}, shrink_axis_mask = {}, ellipsis_mask = {} }
  local shape, from, dim = {}, {}, 1 -- from: the indices of each dimension of data, and the output's that walks them
  local ellipsis = random(3) == 1 and random(rank) or 0 -- the dimension that an ellipsis copies; 0: none
  local function step(name, begin, end_, stride)
    local m = #d.begin + 1
    d.begin[m], d["end"][m], d.stride[m] = begin, end_, stride
    for _, mask in ipairs { "begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask" } do
      d[mask][m] = mask == name and 1 or (mask == "begin_mask" or mask == "end_mask") and random(4) == 1 and 1 or 0
    end
    return d.begin_mask[m], d.end_mask[m]
  end
  local function all_of(n)
    for _ = 1, n do
      from[dim] = { indices = range(sizes[dim], 0, 0, 1, 1, 1), axis = #shape + 1 }
      shape[#shape + 1] = sizes[dim]
      dim = dim + 1
    end
  end
  while dim <= rank do
    local what = dim == ellipsis and "ellipsis_mask" or s.pick { "range", "range", "range", "new_axis_mask", "shrink_axis_mask" }
    local begin, end_, stride = random(-7, 7), random(-7, 7), s.pick { 1, 1, 2, 3, -1, -2, -3 }
    if what == "ellipsis_mask" then
      step(what, begin, end_, stride)
      all_of(1)
    elseif what == "new_axis_mask" and #shape < 8 then
      step(what, begin, end_, stride)
      shape[#shape + 1] = 1
    elseif what == "shrink_axis_mask" then
      begin = random(-sizes[dim], sizes[dim] - 1)
      step(what, begin, end_, stride)
      from[dim] = { indices = { begin < 0 and begin + sizes[dim] or begin } }
      dim = dim + 1
    elseif random(6) == 1 and ellipsis == 0 then
      break -- the remaining dimensions are copied whole
    else
      local begin_mask, end_mask = step("range", begin, end_, stride)
      from[dim] = { indices = range(sizes[dim], begin, end_, stride, begin_mask, end_mask), axis = #shape + 1 }
      shape[#shape + 1] = #from[dim].indices
      dim = dim + 1
    end
  end
  all_of(rank - dim + 1)
  local input, expected = iota(s.product(sizes)), {}
  for at, n in s.coordinates(shape) do
    expected[n] = input[s.place(sizes, list(rank, function(i)
      return from[i].indices[from[i].axis and at[from[i].axis] + 1 or 1]
    end))]
  end
  local got = s.run("openvino.strided_slice", d, { data = input })
  s.same("the shape of StridedSlice", got[1].sizes, shape)
  s.same("StridedSlice of " .. s.shown(sizes), got[1].data, expected)
end

-- ---- DML_RANDOM_GENERATOR_OPERATOR_DESC ---------------------------------------------------------------------------------
-- Philox 4x32-10, from the definition in Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3":
-- ten rounds of two 32-bit multiplications, the key advanced by two Weyl constants in between.
local function philox(counter, key)
  local c, k = table.move(counter, 1, 4, 1, {}), table.move(key, 1, 2, 1, {})
  for round = 1, 10 do
    if round > 1 then
      k[1], k[2] = (k[1] + 0x9E3779B9) & 0xFFFFFFFF, (k[2] + 0xBB67AE85) & 0xFFFFFFFF
    end
    local a, b = 0xD2511F53 * c[1], 0xCD9E8D57 * c[3]
    c = { (b >> 32) ~ c[2] ~ k[1], b & 0xFFFFFFFF, (a >> 32) ~ c[4] ~ k[2], a & 0xFFFFFFFF }
  end
  return c
end

for _ = 1, 1500 do
  local state = list(6, function() return s.pick { 0, 1, 0xFFFFFFFF, 0xFFFFFFFE, random(0, 0xFFFFFFFF) } end)
  local sizes = s.sizes(random(4), 70)
  local counter, expected, block = { table.unpack(state, 1, 4) }, {}, nil
  for n = 1, s.product(sizes) do
    if (n - 1) % 4 == 0 then
      block = philox(counter, { state[5], state[6] })
      for i = 1, 4 do -- add 1 to the 128-bit counter, whose first word is the least significant
        counter[i] = (counter[i] + 1) & 0xFFFFFFFF
        if counter[i] ~= 0 then break end
      end
    end
    expected[n] = block[(n - 1) % 4 + 1]
  end
  local got = s.run("dml.random_generator", {
    InputStateTensor = { DataType = "UINT32", Sizes = { 6 } }, OutputTensor = { DataType = "UINT32", Sizes = sizes },
    OutputStateTensor = { DataType = "UINT32", Sizes = { 6 } }, Type = 0,
  }, { InputStateTensor = state })
  s.same("RANDOM_GENERATOR from " .. s.shown(state), got[1].data, expected)
  s.same("the state after it", got[2].data, { counter[1], counter[2], counter[3], counter[4], state[5], state[6] })
end

-- ---- drawn cases ------------------------------------------------------------------------------------------------
-- The same formulas, applied to the elements that a drawn case has in memory, whatever its layout, types and sizes.
local judges = {}

judges["dml.slice1"] = function(c)
  local d, CopyStart = c.descriptor, {}
  for i, offset in ipairs(d.InputWindowOffsets) do
    CopyStart[i] = offset + (d.InputWindowStrides[i] < 0 and d.InputWindowSizes[i] - 1 or 0)
  end
  s.same_output(c, "OutputTensor", function(OutputCoordinates)
    return c:at("InputTensor", list(#CopyStart, function(i)
      return CopyStart[i] + d.InputWindowStrides[i] * OutputCoordinates[i]
    end))
  end)
end

judges["dml.element_wise_identity"] = function(c)
  s.same_output(c, "OutputTensor", function(at) return c:at("InputTensor", at) end)
end

judges["dml.gather"] = function(c)
  local d, rank, indices = c.descriptor, #c.tensors.OutputTensor.sizes, c.tensors.IndicesTensor
  local dims, axis, post = d.IndexDimensions, d.Axis + 1, rank - d.Axis - 1
  local length = c.tensors.InputTensor.sizes[axis]
  s.same_output(c, "OutputTensor", function(at)
    local index = c:at("IndicesTensor", list(rank, function(i)
      return i > rank - dims and at[i - post] or 0
    end))
    if indices.dtype == "INT32" and index >= 1 << 31 then index = index - (1 << 32) end
    index = index < 0 and index + length or index
    return c:at("InputTensor", list(rank, function(i)
      return i == axis and index or i > axis and at[i] or i - dims + 1 >= 1 and at[i - dims + 1] or 0
    end))
  end)
end

-- output[i, j, ...] = input[i, j, ...], where the coordinate along the axis is indices[i, j, ...].
judges["dml.gather_elements"] = function(c)
  local indices, axis = c.tensors.IndicesTensor, c.descriptor.Axis + 1
  local length = c.tensors.InputTensor.sizes[axis]
  s.same_output(c, "OutputTensor", function(at)
    local index = c:at("IndicesTensor", at)
    if indices.dtype == "INT32" and index >= 1 << 31 then index = index - (1 << 32) end
    index = index < 0 and index + length or index
    return c:at("InputTensor", list(#at, function(i) return i == axis and index or at[i] end))
  end)
end

-- Along the axis, the elements of the first input come first, then those of the second one, and so on.
judges["dml.join"] = function(c)
  local axis = c.descriptor.Axis + 1
  s.same_output(c, "OutputTensor", function(at)
    local input, from = 0, table.move(at, 1, #at, 1, {})
    local function size() return c.tensors[("InputTensors[%d]"):format(input)].sizes[axis] end
    while from[axis] >= size() do
      from[axis] = from[axis] - size()
      input = input + 1
    end
    return c:at(("InputTensors[%d]"):format(input), from)
  end)
end

-- The depth side is [Batch, (BlockHeight, BlockWidth, Channels), Height, Width] for DEPTH_COLUMN_ROW, and
-- [Batch, (Channels, BlockHeight, BlockWidth), Height, Width] for COLUMN_ROW_DEPTH; the space side is
-- [Batch, Channels, (Height, BlockHeight), (Width, BlockWidth)]. The operators without Order have the first one.
local function blocks(space_to_depth)
  return function(c)
    local d, channels = c.descriptor, c.tensors[space_to_depth and "InputTensor" or "OutputTensor"].sizes[2]
    local b, by_channel = d.BlockSize, d.Order == "DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH"
    local parts = by_channel and { channels, b, b } or { b, b, channels }
    s.same_output(c, "OutputTensor", function(at)
      if not space_to_depth then
        local p = { at[3] % b, at[4] % b, at[2] }
        if by_channel then p = { at[2], at[3] % b, at[4] % b } end
        local depth = (p[1] * parts[2] + p[2]) * parts[3] + p[3]
        return c:at("InputTensor", { at[1], depth, at[3] // b, at[4] // b })
      end
      local p, rest = {}, at[2]
      for k = 3, 1, -1 do p[k], rest = rest % parts[k], rest // parts[k] end
      local channel, y, x = p[3], p[1], p[2]
      if by_channel then channel, y, x = p[1], p[2], p[3] end
      return c:at("InputTensor", { at[1], channel, at[3] * b + y, at[4] * b + x })
    end)
  end
end
for _, version in ipairs { "", "1" } do
  judges["dml.space_to_depth" .. version], judges["dml.depth_to_space" .. version] = blocks(true), blocks(false)
end

-- "The summation occurs by traversing the tensor along the specified axis", and "the value of the current element" is
-- part of "the running tally" or not. Integers wrap.
judges["dml.cumulative_summation"] = function(c)
  local d, input = c.descriptor, c.tensors.InputTensor
  local axis, mask = d.Axis + 1, input.bits == 64 and -1 or (1 << input.bits) - 1
  local size, down = input.sizes[axis], d.AxisDirection == "DML_AXIS_DIRECTION_DECREASING"
  local exclusive, tallies, behind = d.HasExclusiveSum == true or d.HasExclusiveSum == 1, {}, 1
  for k = axis + 1, #input.sizes do behind = behind * input.sizes[k] end
  if size * math.min(behind, 512) > 200000 then return false end -- so many lines are compared
  s.same_output(c, "OutputTensor", function(at)
    local from = table.move(at, 1, #at, 1, {})
    from[axis] = 0
    local line = table.concat(from, ",")
    if not tallies[line] then
      local tally = 0
      tallies[line] = {}
      for k = down and size - 1 or 0, down and 0 or size - 1, down and -1 or 1 do
        from[axis] = k
        local with = (tally + c:at("InputTensor", from)) & mask
        tallies[line][k], tally = exclusive and tally or with, with
      end
    end
    return tallies[line][at[axis]]
  end)
end

-- output[b.., j.., x..] = input[b.., indices[b.., j.., 0], indices[b.., j.., 1], ..., x..]
local function judge_gather_nd(c)
  local d, indices, input = c.descriptor, c.tensors.IndicesTensor, c.tensors.InputTensor
  local rank, batches, tuple = #input.sizes, d.BatchDimensionCount or 0, indices.sizes[#indices.sizes]
  local first = rank - d.InputDimensionCount + batches -- dimensions of the input before those that a tuple picks from
  local blocks = rank - first - tuple
  local lead = rank - (d.IndicesDimensionCount - 1 + blocks)
  s.same_output(c, "OutputTensor", function(at)
    local function index(k)
      local value = c:at("IndicesTensor", list(rank, function(i)
        local own = i - (rank - d.IndicesDimensionCount)
        return i == rank and k or own >= 1 and at[lead + own] or 0
      end))
      if indices.dtype == "INT32" and value >= 1 << 31 then value = value - (1 << 32) end
      return value < 0 and value + input.sizes[first + k + 1] or value
    end
    return c:at("InputTensor", list(rank, function(i)
      if i <= first - batches then return 0 end
      if i <= first then return at[lead + i - (first - batches)] end
      return i <= first + tuple and index(i - first - 1) or at[i]
    end))
  end)
end
judges["dml.gather_nd"], judges["dml.gather_nd1"] = judge_gather_nd, judge_gather_nd

-- output = input; then output[i, j, ...] = updates[i, j, ...], where the coordinate along the axis of the output is
-- indices[i, j, ...].
judges["dml.scatter_elements"] = function(c)
  local indices, out, axis, lines = c.tensors.IndicesTensor, c.tensors.OutputTensor, c.descriptor.Axis + 1, {}
  local length, count = out.sizes[axis], indices.sizes[axis]
  local function moved(at, k) return list(#at, function(i) return i == axis and k or at[i] end) end
  local function updates_of(at) -- on the line through `at` along the axis, by their places there
    local line = {}
    for k = 0, count - 1 do
      local index = c:at("IndicesTensor", moved(at, k))
      if indices.dtype == "INT32" and index >= 1 << 31 then index = index - (1 << 32) end
      line[index < 0 and index + length or index] = c:at("UpdatesTensor", moved(at, k))
    end
    return line
  end
  local others = 1
  for i = axis + 1, #out.sizes do others = others * out.sizes[i] end
  if count * math.min(others, 512) > 200000 then return false end -- that many reads for the elements that are compared
  s.same_output(c, "OutputTensor", function(at)
    local key = s.place(out.sizes, moved(at, 0))
    lines[key] = lines[key] or updates_of(at)
    return lines[key][at[axis]] or c:at("InputTensor", at)
  end)
end

-- output = input; then output[indices[i, ..., 0], indices[i, ..., 1], ..., j, ...] = updates[i, ..., j, ...]
judges["dml.scatter_nd"] = function(c)
  local indices, sizes, d = c.tensors.IndicesTensor, c.tensors.OutputTensor.sizes, c.descriptor
  local rank = #sizes
  local length = indices.sizes[rank]
  local array = { table.unpack(indices.sizes, rank - d.IndicesDimensionCount + 1, rank - 1) }
  local before, tail = rank - d.InputDimensionCount, d.InputDimensionCount - length -- dimensions
  if indices.count > 30000 then return false end
  local heads = list(before + length, function(i) return sizes[i] end)
  local chosen = {} -- by the place of the block: the coordinate of its last tuple in the array
  for i in s.coordinates(array) do
    local to = list(before, function() return 0 end)
    for k = 0, length - 1 do
      local at = list(rank - 1 - #array, function() return 0 end)
      table.move(i, 1, #array, #at + 1, at)
      at[rank] = k
      local index = c:at("IndicesTensor", at)
      if indices.dtype == "INT32" and index >= 1 << 31 then index = index - (1 << 32) end
      to[#to + 1] = index < 0 and index + sizes[#to + 1] or index
    end
    chosen[s.place(heads, to)] = table.move(i, 1, #array, 1, {})
  end
  s.same_output(c, "OutputTensor", function(at)
    local i = chosen[s.place(heads, { table.unpack(at, 1, #heads) })]
    if not i then return c:at("InputTensor", at) end
    local from = list(rank - #array - tail, function() return 0 end)
    table.move(i, 1, #array, #from + 1, from)
    table.move(at, #heads + 1, rank, #from + 1, from)
    return c:at("UpdatesTensor", from)
  end)
end

judges["dml.random_generator"] = function(c)
  local state = s.elements(c, "InputStateTensor")
  local first, low = table.move(state, 1, 4, 1, {}), -1
  local block
  local function counter_after(blocks) -- add to the 128-bit counter, whose first word is the least significant
    local counter, carry = {}, blocks
    for i = 1, 4 do
      carry = carry + first[i]
      counter[i] = carry & 0xFFFFFFFF
      carry = carry >> 32
    end
    return counter
  end
  s.same_output(c, "OutputTensor", function(_, place)
    if place // 4 ~= low then
      low = place // 4
      block = philox(counter_after(low), { state[5], state[6] })
    end
    return block[place % 4 + 1]
  end)
  if c.tensors.OutputStateTensor then
    local after = counter_after((c.tensors.OutputTensor.count + 3) // 4)
    s.same_output(c, "OutputStateTensor", function(_, place) return place < 4 and after[place + 1] or state[place + 1] end)
  end
end

judges["openvino.strided_slice"] = function(c)
  local d, sizes = c.descriptor, c.tensors.data.sizes
  local function bit(mask, i) return d[mask] and d[mask][i] or 0 end
  local copied = #sizes -- the dimensions that an ellipsis copies, or that follow the last entry
  for i = 1, #d.begin do
    if bit("ellipsis_mask", i) == 0 and bit("new_axis_mask", i) == 0 then copied = copied - 1 end
  end
  local from, shape, dim = {}, {}, 1
  local function take(indices, shrinks)
    if not shrinks then shape[#shape + 1] = #indices end
    from[dim] = { indices = indices, axis = not shrinks and #shape }
    dim = dim + 1
  end
  local function copy(n)
    for _ = 1, n do take(range(sizes[dim], 0, 0, 1, 1, 1)) end
  end
  local ellipsis = false
  for i, begin in ipairs(d.begin) do
    if bit("ellipsis_mask", i) == 1 then
      ellipsis = true
      copy(copied)
    elseif bit("new_axis_mask", i) == 1 then
      shape[#shape + 1] = 1
    elseif bit("shrink_axis_mask", i) == 1 then
      take({ begin < 0 and begin + sizes[dim] or begin }, true)
    else
      take(range(sizes[dim], begin, d["end"][i], d.stride and d.stride[i] or 1, bit("begin_mask", i), bit("end_mask", i)))
    end
  end
  if not ellipsis then copy(copied) end
  s.same("the shape of " .. c.id, c.tensors.output.sizes, shape)
  s.same_output(c, "output", function(at)
    return c:at("data", list(#sizes, function(i) return from[i].indices[from[i].axis and at[from[i].axis] + 1 or 1] end))
  end)
end

-- output[p_0, ..., p_{axis-1}, i_b, ..., i_{M-1}, p_{axis+1}, ..., p_{N-1}] =
--   data[p_0, ..., p_{axis-1}, indices[p_0, ..., p_{b-1}, i_b, ..., i_{M-1}], p_{axis+1}, ..., p_{N-1}]
local function judge_gather_version(c)
  local d, data, indices = c.descriptor, c.tensors.data, c.tensors.indices
  local N, M, axis, b = #data.sizes, #indices.sizes, d.axis, d.batch_dims or 0
  if axis < 0 then axis = N + axis end
  if b < 0 then b = M + b end
  local n, shape = data.sizes[axis + 1], table.move(data.sizes, 1, axis, 1, {})
  table.move(indices.sizes, b + 1, M, #shape + 1, shape)
  table.move(data.sizes, axis + 2, N, #shape + 1, shape)
  s.same("the shape of " .. c.id, c.tensors.output.sizes, shape)
  s.same_output(c, "output", function(at)
    local place = table.move(at, 1, b, 1, {})
    local index = c:at("indices", table.move(at, axis + 1, axis + M - b, b + 1, place))
    index = s.index(indices.dtype, index, c.operator == "openvino.gather_8" and n)
    if index < 0 or index >= n then return 0 end
    local from = table.move(at, 1, axis, 1, {})
    from[axis + 1] = index
    return c:at("data", table.move(at, axis + M - b + 1, #at, axis + 2, from))
  end)
end
for _, name in ipairs { "openvino.gather_1", "openvino.gather_7", "openvino.gather_8" } do
  judges[name] = judge_gather_version
end

-- The page's pseudo-code: from the last step of a sequence backwards, then from the first one to its end_token.
judges["openvino.gather_tree"] = function(c)
  local steps = c.tensors.step_ids
  if steps.count > 1 << 20 then return false end
  local time, dtype, final = steps.sizes[1], steps.dtype, {}
  local function read(name, at) return s.number(dtype, c:at(name, at)) // 1 | 0 end
  local function made(batch, beam)
    local ids, n = {}, math.min(time, read("max_seq_len", { batch }))
    local parent = beam
    for level = n - 1, 0, -1 do
      ids[level] = c:at("step_ids", { level, batch, parent })
      if level > 0 then parent = read("parent_ids", { level, batch, parent }) end
    end
    local token, finished = c:at("end_token", {}), false
    for level = 0, time - 1 do
      if finished or level >= n then ids[level] = token end
      finished = finished or ids[level] == token
    end
    return ids
  end
  s.same_output(c, "final_ids", function(at)
    local key = at[2] * steps.sizes[3] + at[3]
    final[key] = final[key] or made(at[2], at[3])
    return final[key][at[1]]
  end)
end

-- The output is a collection of tuples, each with the indices of a single element that is not zero; the i-th element of
-- each dimension of the output is a part of the i-th tuple.
judges["openvino.non_zero_3"] = function(c)
  local data, tuples = c.tensors.data, {}
  if data.count > 1 << 15 then return false end
  for at in s.coordinates(data.sizes) do
    if s.number(data.dtype, c:at("data", at)) ~= 0 then tuples[#tuples + 1] = { table.unpack(at) } end
  end
  s.same("the shape of output of " .. c.id, c.tensors.output.sizes, { #data.sizes, #tuples })
  s.same_output(c, "output", function(at) return tuples[at[2] + 1][at[1] + 1] end)
end

-- output[indices[i, 0], ..., indices[i, k - 1], j] = updates[i, j]; an update of one element may have any dimensions
judges["openvino.scatter_nd_update_3"] = function(c)
  local indices, sizes, chosen = c.tensors.indices, c.tensors.data.sizes, {}
  local array = { table.unpack(indices.sizes, 1, #indices.sizes - 1) }
  local k = indices.sizes[#indices.sizes]
  if indices.count > 70000 then return false end
  local heads = { table.unpack(sizes, 1, k) }
  for i in s.coordinates(array) do
    local to, at = {}, { table.unpack(i, 1, #array) }
    for n = 1, k do
      at[#array + 1] = n - 1
      to[n] = c:at("indices", at)
    end
    chosen[s.place(heads, to)] = { table.unpack(i, 1, #array) }
  end
  s.same_output(c, "output", function(at)
    local i = chosen[s.place(heads, { table.unpack(at, 1, k) })]
    if not i then return c:at("data", at) end
    return c:at("updates", table.move(at, k + 1, #sizes, #i + 1, table.move(i, 1, #i, 1, {})))
  end)
end

-- output[i][indices[i][j][k]][k] = updates[i][j][k] if axis = 1, and so on
judges["openvino.scatter_elements_update_3"] = function(c)
  local axis, replaced, indices = c.descriptor.axis, {}, c.tensors.indices
  if axis < 0 then axis = axis + #indices.sizes end
  if indices.count > 70000 then return false end
  for i in s.coordinates(indices.sizes) do
    local from = { table.unpack(i, 1, #indices.sizes) }
    local to = { table.unpack(from) }
    to[axis + 1] = c:at("indices", from)
    replaced[s.place(c.tensors.output.sizes, to)] = from
  end
  s.same_output(c, "output", function(at)
    local from = replaced[s.place(c.tensors.output.sizes, at)]
    if from then return c:at("updates", from) end
    return c:at("data", at)
  end)
end

-- data[..., indices[m, n, ..., p], ...] = updates[..., m, n, ..., p, ...]
judges["openvino.scatter_update"] = function(c)
  local axis, last, indices, sizes = c.descriptor.axis, {}, c.tensors.indices, c.tensors.data.sizes
  if axis < 0 then axis = axis + #sizes end
  if indices.count > 70000 then return false end
  for m in s.coordinates(indices.sizes) do
    local place = { table.unpack(m, 1, #indices.sizes) }
    last[c:at("indices", place)] = place
  end
  s.same_output(c, "output", function(at)
    local m = last[at[axis + 1]]
    if not m then return c:at("data", at) end
    local from = { table.unpack(at, 1, axis) }
    table.move(m, 1, #m, #from + 1, from)
    return c:at("updates", table.move(at, axis + 2, #sizes, #from + 1, from))
  end)
end

-- out[i][j][k] = data[indices[i][j][k]][j][k] if axis = 0, and so on.
judges["openvino.gather_elements"] = function(c)
  local axis, data, indices = c.descriptor.axis, c.tensors.data, c.tensors.indices
  if axis < 0 then axis = axis + #data.sizes end
  s.same("the shape of " .. c.id, c.tensors.output.sizes, indices.sizes)
  s.same_output(c, "output", function(at)
    local from = table.move(at, 1, #at, 1, {})
    from[axis + 1] = s.index(indices.dtype, c:at("indices", at), data.sizes[axis + 1])
    return c:at("data", from)
  end)
end

-- output[i_0, ..., i_{K-2}, :, ..., :] = data[indices[i_0, ..., i_{K-2}], :, ..., :], in each of the batches, which are
-- one dimension of the output in GatherND-5.
local function judge_gather_tuples(c)
  local data, indices, b = c.tensors.data, c.tensors.indices, c.descriptor.batch_dims or 0
  local K, tuple = #indices.sizes, indices.sizes[#indices.sizes]
  local flat = c.operator == "openvino.gather_nd_5" and b > 1
  local shape = flat and { 1 } or {}
  local batches = {} -- "either equal or one of them equals 1, which will be broadcast to the other dimension"
  for i = 1, b do batches[i] = indices.sizes[i] == 1 and data.sizes[i] or indices.sizes[i] end
  for i = 1, K - 1 do
    if flat and i <= b then shape[1] = shape[1] * batches[i] else shape[#shape + 1] = batches[i] or indices.sizes[i] end
  end
  table.move(data.sizes, b + tuple + 1, #data.sizes, #shape + 1, shape)
  s.same("the shape of " .. c.id, c.tensors.output.sizes, shape)
  s.same_output(c, "output", function(at)
    local i = at
    if flat then
      local batch, left = {}, at[1]
      for k = b, 1, -1 do batch[k], left = left % batches[k], left // batches[k] end
      i = table.move(at, 2, #at, b + 1, batch)
    end
    local from, place = table.move(i, 1, b, 1, {}), table.move(i, 1, K - 1, 1, {})
    for k = 1, b do
      if data.sizes[k] == 1 then from[k] = 0 end
      if indices.sizes[k] == 1 then place[k] = 0 end
    end
    for k = 0, tuple - 1 do
      place[K] = k
      local index = c:at("indices", place)
      from[#from + 1] = s.index(indices.dtype, index, c.operator == "openvino.gather_nd_8" and data.sizes[b + k + 1])
    end
    return c:at("data", table.move(i, K, #i, #from + 1, from))
  end)
end
judges["openvino.gather_nd_5"], judges["openvino.gather_nd_8"] = judge_gather_tuples, judge_gather_tuples

-- ---- bits, logic and comparisons --------------------------------------------------------------------------------
-- OutputTensor[c] = f(ATensor[c], BTensor[c]), or f(InputTensor[c]), in the notation of the pages; ConditionTensor[c] is
-- the last argument.
local function judge_each(f)
  return function(c)
    local first = c.tensors.InputTensor and "InputTensor" or "ATensor"
    local t = c.tensors[first]
    local mask = t.bits == 64 and -1 or (1 << t.bits) - 1
    s.same_output(c, "OutputTensor", function(at)
      return f(c:at(first, at), c.tensors.BTensor and c:at("BTensor", at), t, mask,
               c.tensors.ConditionTensor and c:at("ConditionTensor", at))
    end)
  end
end

-- The bits as a number of their type; of unsigned ones of 64 bits one that has their order.
local function value(t, bits)
  local dtype = s.short(t.dtype)
  if dtype == "u64" then return bits + math.mininteger end
  if dtype:sub(1, 1) == "i" and t.bits < 64 and bits >= 1 << (t.bits - 1) then return bits - (1 << t.bits) end
  return s.number(dtype, bits)
end
local function judge_comparison(f)
  return judge_each(function(a, b, t) return f(value(t, a), value(t, b)) and 1 or 0 end)
end

for name, f in pairs {
  bit_and = function(a, b) return a & b end,
  bit_or  = function(a, b) return a | b end,
  bit_xor = function(a, b) return a ~ b end,
  bit_not = function(a, _, _, mask) return ~a & mask end,
  bit_count = function(a)
    local ones = 0
    for k = 0, 63 do ones = ones + (a >> k & 1) end
    return ones
  end,
  bit_shift_left  = function(a, b, _, mask) return a << b & mask end,
  bit_shift_right = function(a, b) return a >> b end,
  logical_and = function(a, b) return (a ~= 0 and b ~= 0) and 1 or 0 end,
  logical_or  = function(a, b) return (a ~= 0 or b ~= 0) and 1 or 0 end,
  logical_xor = function(a, b) return (a ~= 0) ~= (b ~= 0) and 1 or 0 end,
  logical_not = function(a) return a == 0 and 1 or 0 end,
  ["if"] = function(a, b, _, _, condition) return condition ~= 0 and a or b end,
  is_nan = function(a, _, t) return value(t, a) ~= value(t, a) and 1 or 0 end,
} do judges["dml.element_wise_" .. name] = judge_each(f) end
for name, f in pairs {
  equals = function(a, b) return a == b end,
  greater_than = function(a, b) return a > b end,
  less_than = function(a, b) return a < b end,
  greater_than_or_equal = function(a, b) return a >= b end,
  less_than_or_equal = function(a, b) return a <= b end,
} do judges["dml.element_wise_logical_" .. name] = judge_comparison(f) end

s.judge_drawn(judges, {
  { ":invalid%-", "a descriptor that is refused has no output; cases/invalid_test.c holds each against its clause" },
  { ":drawn_unjudged$", "the page does not determine these results to the bit" },
  { ":drawn_high$", "a script takes minutes for 2^20 rows of each of these; fewer rows are judged" },
  { ":drawn_block$", "a script takes minutes for 2^24 elements of each of these; smaller blocks are judged" },
  { ":drawn_farther$", "a script takes minutes for 2^25 elements of each of these; fewer are judged" },
  { "scatter.*:drawn_far$", "a script takes minutes for 2^24 elements of each of these; fewer are judged" },
  { ":drawn_many$", "a script takes minutes for 2^16 indices of each of these; fewer are judged" },
  { "^dml%.cumulative_summation:drawn_tall$", "a sum of 2^22 elements is too long for a script" },
  { "^dml%.cumulative_summation:drawn_large$", "a sum of 2^24 elements is too long for a script" },
  { "^openvino.gather_tree:drawn_large$", "sequences of 2^24 elements are too long to be followed in a script" },
  { "^openvino.non_zero_3:drawn_outputs$", "each place of the output depends on all elements before it, which are many" },
  { "^openvino.non_zero_3:drawn_cubes$", "each place of the output depends on all elements before it, which are many" },
  { "^openvino.non_zero_3:drawn_matrices$", "each place of the output depends on all elements before it, which are many" },
  { "^openvino.non_zero_3:drawn_bits$", "each place of the output depends on all elements before it, which are many" },
  { "^openvino.non_zero_3:drawn_counts$", "each place of the output depends on all elements before it, which are many" },
})

s.done("pages", 17000)
