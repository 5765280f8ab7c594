-- SPDX-License-Identifier: Apache-2.0
-- What the waiver files of OpenVINO's modes share: shared() in a known-MODE.lua runs this file. README.md describes each
-- failure.
local known = {}
local page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/strided-slice-1.html"

-- Waivers of an operator, from pairs of query and reason.
local function waivers(operator, lines)
    local list = {}
    for _, line in ipairs(lines) do
        list[#list + 1] = { query = operator .. ":" .. line[1], reason = line[2], owner = "OpenVINO", link = page,
                            expires = "2999-12-31" }
    end
    return list
end

-- Data types: failures of every operator in every mode.
local types = {
    { "* where fill ~= 'injective' and (dtype == 'i64' or dtype == 'u64')", "OV-4: i64 and u64 pass through 32 bits" },
    { "* where fill ~= 'injective' and dtype == 'f64'", "OV-6: f64 is rounded to f32" },
    { "* where fill ~= 'injective' and dtype == 'f16'", "OV-7: signalling NaNs of f16 become quiet" },
}

-- Lines that two modes of StridedSlice have in common.
known.shrink_begin_mask = {
    "* where any(kind == 'shrink' and begin_mask ~= 0)", "OV-9: begin_mask applies to a shrink step",
}
known.shrink_example = {
    "examples where example == 'b12-shrink-begin-mask'", "OV-9: begin_mask applies to a shrink step",
}
known.shrink_beside_new = { "* where any(kind == 'shrink') and any(kind == 'new')",
                            "OV-11: a shrink step beside a new axis selects another element" }

-- Is an element of one of these lists beyond 32 bits?
function known.beyond(...)
    local beyond = {}
    for _, list in ipairs { ... } do
        beyond[#beyond + 1] = ("any(%s > 2147483647 or %s < -2147483648)"):format(list, list)
    end
    return "(" .. table.concat(beyond, " or ") .. ")"
end

local function join(...)
    local all = {}
    for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
    return all
end

-- Waivers of StridedSlice: these lines and those of every mode.
function known.strided_slice(lines)
    local also = { { "* where any(kind == 'ellipsis' and also > 0)",
                     "OV-16 to 18: an ellipsis at the same step as a new axis or a shrink" } }
    return waivers("openvino.strided_slice", join(types, also, lines))
end

-- Waivers of SLICE1, which runs by Slice-8.
function known.slice1(lines)
    return waivers("dml.slice1", join(types, lines))
end

known.join = join
return known
