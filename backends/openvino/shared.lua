-- SPDX-License-Identifier: Apache-2.0
-- What the waiver files of OpenVINO's modes share: shared() in a known-MODE.lua runs this file. README.md describes each
-- failure.
local known = {}
local pages = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/"

-- The page of an operator of OpenVINO; of another specification's, that of StridedSlice.
local function page_of(operator)
    if operator == "dml.cumulative_summation" then return "../arithmetic/cumsum-3" end
    local name = operator:match "^openvino%.(gather_.*)$"
    if operator == "openvino.non_zero_3" then return "condition/nonzero-3" end
    if name == "gather_elements" then return "movement/gather-elements-6" end
    if name == "gather_tree" then return "movement/gather-tree-1" end
    local scatter = operator:match "^openvino%.(scatter_.*)$"
    if scatter then return "movement/" .. (scatter:gsub("_3$", ""):gsub("_", "-")) .. "-3" end
    return "movement/" .. (name and name:gsub("_", "-") or "strided-slice-1")
end

-- Waivers of an operator, from pairs of query and reason. A reason begins with the lines of README.md's table.
local function waivers(operator, lines)
    local list, page = {}, pages .. page_of(operator) .. ".html"
    for _, line in ipairs(lines) do
        list[#list + 1] = { query = operator .. ":" .. line[1], reason = line[2], owner = "OpenVINO", link = page,
                            expires = "2999-12-31" }
    end
    return list
end

local function join(...)
    local all = {}
    for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
    return all
end

-- The examples with these names.
local function examples(reason, ...)
    local names = {}
    for _, name in ipairs { ... } do names[#names + 1] = "example == '" .. name .. "'" end
    return { "examples where " .. table.concat(names, " or "), reason }
end

-- Data types: failures of every operator in every mode.
local types = {
    { "* where fill ~= 'injective' and (dtype == 'i64' or dtype == 'u64')", "OV-4: i64 and u64 pass through 32 bits" },
    { "* where fill ~= 'injective' and dtype == 'f64'", "OV-6: f64 is rounded to f32" },
    { "* where fill ~= 'injective' and dtype == 'f16'", "OV-7: signalling NaNs of f16 become quiet" },
}

-- Failures of constants, in mode core.
known.constants = {
    { "* where fill ~= 'injective' and dtype == 'u32'", "OV-5: u32 above 2^31 - 1 is saturated" },
    { "* where fill ~= 'injective' and dtype == 'f32'", "OV-8: denormals and -0 of f32 become 0" },
}

-- The same of SCATTER_ELEMENTS, which copies elements of two inputs. Those of the second one have their highest bit
-- inverted where their fill is not stated, which is no number of 32 bits.
local function scattered(condition)
    return "* where (fill ~= 'injective' or updates_fill ~= 'injective' and updates_fill ~= 'inverted') and " ..
               condition
end
local inverted = "(fill ~= 'injective' or updates_fill ~= 'injective') and "
local scattered_types = {
    { "* where " .. inverted .. "(dtype == 'i64' or dtype == 'u64')", types[1][2] },
    { scattered "dtype == 'f64'", types[2][2] },
    { scattered "dtype == 'f16'", types[3][2] },
}
known.scattered_constants = {
    { "* where " .. inverted .. "dtype == 'u32'", known.constants[1][2] },
    { scattered "dtype == 'f32'", known.constants[2][2] },
}

-- Failures of StridedSlice in every mode.
local lengths, behind = "OV-1: masks of different lengths are refused", "OV-2: mask bits after the last step are two ellipses"
local steps = {
    examples(lengths, "begin-end-mask", "shrink-axis-24x40", "ellipsis-new-axis-10d-of-2", "ellipsis-new-axis-12d-of-2",
             "output-16d", "output-16d-shrunk", "b3-end-mask-reverse", "b4-shrink-ignores-end", "b5-mask-lengths",
             "b10-new-axis-shrink", "b12-shrink-begin-mask", "b13-mask-beyond-steps"),
    { "* where without > 0", lengths },
    { "* where more > 1", behind },
    { "* where more == 1 and any(kind == 'ellipsis')", behind },
}

-- An ellipsis at the same step as a new axis or a shrink: failures of StridedSlice in the modes const and core.
local both = "any(kind == 'ellipsis' and also > 0)"
known.null_write = { "* where " .. both .. " and any(kind == 'shrink')",
                     "OV-16: an ellipsis at the same step as another mask, after a shrink step, writes to address 0" }
known.refused = { "* where " .. both, "OV-17: an ellipsis at the same step as another mask is sometimes refused" }
known.both = { "* where " .. both, "OV-18: an ellipsis at the same step as another mask gives another shape" }

-- Failures of StridedSlice in the modes run and const.
known.dynamic = {
    { "* where more > 0", "OV-3: mask bits after the last step change the output" },
    { "* where any(kind == 'shrink') and any(kind == 'new')",
      "OV-11: a shrink step beside a new axis selects another element" },
}
known.bytes = { "* where dtype == 'u8' or dtype == 'i8'", "OV-21: bytes behind the data are read" }
known.far_step = {
    { "* where any(stride < -2147483647)", "OV-20: a step of -2^31 reads outside of the data" },
    examples("OV-20: a step of -2^31 reads outside of the data", "stride-beyond-window"),
}

-- Is an element of one of these lists beyond 32 bits?
function known.beyond(...)
    local beyond = {}
    for _, list in ipairs { ... } do
        beyond[#beyond + 1] = ("any(%s > 2147483647 or %s < -2147483648)"):format(list, list)
    end
    return "(" .. table.concat(beyond, " or ") .. ")"
end

-- An index that GATHER_ELEMENTS finds beyond its axis.
known.beyond_axis = { "out_of_range", "OV-22: an index out of range is an error, or loses the output" }

-- One that SCATTER_ELEMENTS finds. Behind the axis, it is noticed in the modes run and core.
known.stray_update = { "out_of_range", "OV-23: an index out of range is an error, or loses the output" }
local written = "OV-24: an update is written to other memory, or ends the inference without an error"
known.stray_write = { "out_of_range where stray < 0 or stray > 2147483647", written }
known.any_stray = { { "out_of_range", written }, examples(written, "out-of-range") }

-- Gather-1, Gather-7 and Gather-8: in every mode, in run and const, and in run alone. Gather-1 has no batches. Indices
-- beyond the axis have a meaning only in Gather-8.
local below = "OV-28: batch_dims below minus the rank of data is accepted"
local unchecked = "OV-25: an index beyond integer data of one dimension selects an element of other memory"
local cut = "OV-26: i64 indices are truncated to 32 bits"
local none = "OV-27: an output that is gathered from an axis without elements is not written"
local batches = "OV-29: indices of several batches are read beyond their end"
local sizes = "OV-30: batches of different sizes are accepted"
local axis = "OV-31: axis is truncated to 32 bits"
local earlier = "OV-33: the output has the shape of an earlier axis"
local empty = "OV-34: a Gather without elements ends the process"
local removed = "OV-32: a single index over an axis of one element is ignored"
function known.versions(mode)
    local list = {}
    for _, version in ipairs { 1, 7, 8 } do
        local lines, prefix = join(types, mode == "core" and known.constants or {}), "invalid-G" .. version
        local batched = version > 1
        if batched then lines = join(lines, { examples(below, "batch-below"), { prefix .. "-12*", below } }) end
        if mode ~= "core" then
            lines = join(lines, { { "* where dtype == 'u8' or dtype == 'i8' or dtype == 'bool' or dtype == 'bf16'",
                                    "OV-21: bytes behind the data are read" } },
                         { examples(unchecked, "index-beyond", "index-before") })
        end
        if mode == "core" and version == 8 then
            lines = join(lines, { examples(removed, "index-beyond-one"),
                                  { "* where stray ~= 0 and any(size == 1)", removed } })
        elseif version == 8 then
            lines = join(lines, {
                examples(unchecked, "7"), { "* where rank == 1 and stray ~= 0", unchecked },
                examples(cut, "index-far-beyond", "index-unsigned"), { "* where stray > 2147483647 or stray < -2147483648", cut },
                examples(none, "index-of-none"), { "* where any(size == 0)", none },
            })
        elseif mode ~= "core" then
            lines = join(lines, { { "out_of_range where rank == 1", unchecked }, examples(unchecked, "index-unsigned") })
        end
        if mode == "const" then
            lines = join(lines, { { "* where any(size == 0) or any(index_size == 0)", empty } })
        end
        if mode ~= "core" and batched then
            lines = join(lines, { { "* where batch ~= 0", batches },
                                  examples(batches, "2", "3", "4", "5", "batch-of-indices", "batch-of-all-indices") })
        end
        if mode == "run" and batched then
            lines = join(lines, { { prefix .. "-14*", sizes }, examples(sizes, "batch-size") })
        end
        if mode == "run" then
            lines = join(lines, { { prefix .. "-06*", axis }, { "drawn_after", earlier }, { "after_axis", earlier } })
        end
        list = join(list, waivers("openvino.gather_" .. version, lines))
    end
    return list
end

-- GatherElements-6. An index behind the axis is noticed; in const, that ends the next inference.
local unreported = "OV-35: an index behind the axis is an error that is not reported, and the next inference ends the process"
local function elements_6(mode)
    local reason = mode == "const" and unreported or known.beyond_axis[2]
    return waivers("openvino.gather_elements",
                   join(types, mode == "core" and known.constants or {},
                        { { "out_of_range", reason }, examples(reason, "index-beyond", "index-before", "index-far-beyond",
                                                              "index-of-none"),
                          { "invalid-GE6-01-axis", "OV-38: a GatherElements without its axis is accepted" } }))
end

-- GatherND-5 and GatherND-8.
local function tuples_of(mode)
    local beyond = "OV-36: an index beyond its dimension selects an element of other memory"
    local single = "OV-65: a single batch beside several is refused, or the output gets the sizes 0"
    local list = {}
    for _, version in ipairs { 5, 8 } do
        local lines = join(types, mode == "core" and known.constants or {}, {
            { "out_of_range", beyond },
            examples(beyond, "index-beyond", "index-before", "index-far-beyond", "index-of-none", "index-unsigned"),
            -- Indices that overlap in the call before.
            { "drawn_after where before == 'indices_stride'", beyond },
            examples(single, "single-data", "single-indices", "single-both", "single-of-none"), { "broadcast", single },
            { "* where batch > 0 and (any(size == 1) or any(index_size == 1))", single },
        })
        if mode == "core" then
            lines = join(lines, { { "* where out_rank > 12", "OV-39: an output of 13 dimensions ends the process" } })
        end
        list = join(list, waivers("openvino.gather_nd_" .. version, lines))
    end
    return list
end

-- ScatterNDUpdate-3, ScatterElementsUpdate-3 and ScatterUpdate-3.
local of_none = "OV-50: a tuple without an index replaces nothing"
local scalar = "OV-51: an index without dimensions is refused"
local sizes_before = "OV-60: sizes of an earlier inference count"
local exceeds = "OV-52: sizes of indices are not compared with those of data"
local cut_axis = "OV-53: axis is truncated to 32 bits"
local several = "OV-56: updates of several elements are accepted where one is expected"
local mixed = "OV-54: of indices of several dimensions, another update is taken"
local boxed = "OV-55: an update of one element in several dimensions is refused"
local behind_axis = "OV-64: with a size of 1 behind the axis, another update is taken"
local longest = "OV-63: a dimension of 2^63 - 1 is refused"
function known.updates(mode)
    local written_there = { { "out_of_range", written }, { "negative_out_of_range", written },
                            examples(written, "out-of-range", "negative", "far-out-of-range", "far-negative") }
    local lines = join(scattered_types, mode == "core" and known.scattered_constants or {}, written_there)
    local nd = { examples(of_none, "tuple-of-none"), { "tuples_of_none", of_none },
                 { "* where up_rank == dims - 1 + rank", of_none } }
    if mode == "core" then
        nd = join(nd, { examples(boxed, "single"),
                        { "* where boxed > 0 and (dtype == 'u8' or dtype == 'i8')", boxed } })
    end
    if mode == "const" then nd = join(nd, { examples(boxed, "single"), { "* where boxed > 0", boxed } }) end
    if mode ~= "const" then nd = join(nd, { { "invalid-SN3-07-box*", several } }) end
    local beside = { examples(exceeds, "more-indices"), { "invalid-SE3-14*", exceeds } }
    local slices = {}
    if mode ~= "core" then
        slices = { examples(scalar, "scalar-index"), { "* where dims == 0", scalar } }
    else
        slices = { examples(mixed, "1", "two-dimensions"), { "* where dims > 1", mixed },
                   { "* where dims == 0 and rank == 1", scalar },
                   { "* where rank > 2 and any(size == 1) and any(index_size > 1)", behind_axis } }
    end
    if mode == "run" then
        beside = join(beside, { { "invalid-SE3-13*", cut_axis } })
        slices = join(slices, { { "invalid-SU3-13*", cut_axis }, { "drawn_after where times > 16", sizes_before } })
    end
    return join(waivers("openvino.scatter_nd_update_3", join(lines, nd)),
                waivers("openvino.scatter_elements_update_3", join(lines, beside)),
                waivers("openvino.scatter_update", join(lines, slices, { examples(longest, "longest") })))
end

-- GatherTree-1. Its ids are any integers of their type where `ids` is 0.
local narrow = "OV-57: GatherTree of u8, i8 and bf16 is refused"

local function tree(mode)
    local lines = {
        { "* where dtype == 'u8' or dtype == 'i8' or dtype == 'bf16'", narrow },
        { "* where ids == 0 and (dtype == 'i64' or dtype == 'u64')", "OV-4: i64 and u64 pass through 32 bits" },
        { "* where ids == 0 and dtype == 'f64'", "OV-6: f64 is rounded to f32" },
        { "*drawn* where above > 2147483647", "OV-4: i64 and u64 pass through 32 bits" },
        { "*drawn* where above > 0 and dtype == 'f64'", "OV-6: f64 is rounded to f32" },
        { "legal* where above > 2147483647", "OV-4: i64 and u64 pass through 32 bits" },
        { "legal* where above > 0 and dtype == 'f64'", "OV-6: f64 is rounded to f32" },
    }
    local far = "OV-59: a length beyond 2^31 - 1 counts as none"
    lines = join(lines, { examples(far, "far-length"), { "far_lengths where stray > 2147483647", far },
                          { "far_lengths where dtype == 'f64' and stray == 2147483647", far } })
    if mode == "run" then
        lines = join(lines, { { "invalid-GT1-06*", sizes_before }, { "legal-GT1*", sizes_before },
                              { "drawn_after where before == 'others'", sizes_before } })
    end
    if mode == "const" then
        lines = join(lines, { examples(unreported, "parent-beyond", "parent-before"),
                              { "out_of_range where stray_at >= 0", unreported } })
    end
    if mode == "core" then
        lines = join(lines, { { "* where ids == 0 and dtype == 'u32'", "OV-5: u32 above 2^31 - 1 is saturated" } })
    end
    return waivers("openvino.gather_tree", lines)
end

-- CumSum-3, of the types that are judged: sums of 64 bits pass through 32 as elements do.
local function sums(mode)
    local lines = { types[1], { "wrap where dtype == 'i64' or dtype == 'u64'", types[1][2] },
                    examples(types[1][2], "wrap-i64") }
    if mode == "core" then
        lines = join(lines, { known.constants[1], { "wrap where dtype == 'u32'", known.constants[1][2] },
                              examples(known.constants[1][2], "wrap-u32") })
    end
    return waivers("dml.cumulative_summation", lines)
end

-- NonZero-3.
local of_scalar = "OV-61: the output for a scalar has a row"
local only_first = "OV-62: of a single element, only the index in the first dimension is written"

local function non_zero(mode)
    local lines = { examples(of_scalar, "scalar", "scalar-zero"), { "* where rank == 0", of_scalar } }
    if mode == "core" then
        lines = join(lines, { examples(only_first, "single"), { "* where rank > 1 and product(size) == 1", only_first } })
    else
        lines = join(lines, { types[1], types[2] })
    end
    return waivers("openvino.non_zero_3", lines)
end

-- All waivers of a mode: of StridedSlice, of SLICE1, GATHER, GATHER_ELEMENTS, GATHER_ND, GATHER_ND1, SCATTER_ELEMENTS and
-- SCATTER_ND, which run by Slice-8, Gather-8, GatherElements-6, GatherND-8, ScatterElementsUpdate-3 and ScatterNDUpdate-3,
-- and of SPACE_TO_DEPTH and SPACE_TO_DEPTH1, which run by SpaceToDepth-1, and their inverses by DepthToSpace-1,
-- of the versions of Gather, and of GatherElements-6, GatherND-5 and GatherND-8, of the scatters, of GatherTree-1, and
-- of CUMULATIVE_SUMMATION, which runs by CumSum-3 and of NonZero-3.
function known.mode(mode, strided_slice, slice1, gather, gather_elements, scatter_elements, scatter_nd)
    local copies = join(types, mode == "core" and known.constants or {})
    return join(known.versions(mode), elements_6(mode), tuples_of(mode), known.updates(mode), tree(mode), non_zero(mode),
                sums(mode), waivers("dml.gather_nd", copies), waivers("dml.gather_nd1", copies),
                waivers("dml.space_to_depth", copies), waivers("dml.space_to_depth1", copies),
                waivers("dml.depth_to_space", copies), waivers("dml.depth_to_space1", copies),
                waivers("openvino.strided_slice", join(types, steps, strided_slice)),
                waivers("dml.slice1", join(types, slice1)), waivers("dml.gather", join(types, gather)),
                waivers("dml.gather_elements", join(types, gather_elements)),
                waivers("dml.scatter_elements", join(scattered_types, scatter_elements)),
                waivers("dml.scatter_nd", join(scattered_types, scatter_nd)))
end

known.join, known.examples = join, examples
return known
