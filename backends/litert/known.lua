-- SPDX-License-Identifier: Apache-2.0
-- Known failures of LiteRT 2.3.0 on the host processor; README.md beside this file describes each.
-- scripts/vendors-test.sh checks that they still fail and that nothing else does:
--   touchstone run -b litert --waivers backends/litert/known.lua
local list = {}

local function known(operators, condition, reason)
    for _, operator in ipairs(operators) do
        list[#list + 1] = {
            query = operator .. ":" .. condition,
            reason = reason,
            owner = "LiteRT",
            link = "https://github.com/google-ai-edge/LiteRT/tree/main/tflite/kernels",
            expires = "2999-12-31",
        }
    end
end

local slice = { "openvino.strided_slice" }
local gather = { "openvino.gather_1", "openvino.gather_7", "openvino.gather_8" }
local tuples = { "openvino.gather_nd_5", "openvino.gather_nd_8" }

local empty = "LRT-1: a tensor with a size of 0 is refused"
known(slice, "* where any(data.Sizes == 0) or any(output.Sizes == 0)", empty)
known(gather, "* where any(data.Sizes == 0) or any(indices.Sizes == 0) or any(output.Sizes == 0)", empty)
known(tuples, "* where any(data.Sizes == 0) or any(indices.Sizes == 0) or any(output.Sizes == 0)", empty)

local step = "LRT-2: a step of -2^31 is refused"
known({ "dml.slice1" }, "* where any(stride == -2147483648)", step)
known({ "dml.slice1" }, "examples where example == 'stride-beyond-window'", step)

known(slice, "* where any(kind == 'shrink' and stride < 0)",
      "LRT-5: a shrink step with a negative stride leaves the output unwritten")
known(slice, "* where any(kind == 'shrink' and stride == 0)", "LRT-6: a shrink step with stride 0 is refused")

known(slice, "* where any(kind == 'ellipsis') and count(kind == 'range' or kind == 'shrink') >= rank",
      "LRT-8: an ellipsis of no dimension takes one")

local two = "LRT-9: two ellipses are accepted"
known(slice, "invalid-SS-04*", two)
known(slice, "examples where example == 'b14-two-ellipses'", two)

known(slice, "invalid-SS-01-stride-length", "LRT-10: a list stride that is too short is accepted")

local below = "LRT-12: batch_dims below minus the rank of data is accepted"
known({ "openvino.gather_7" }, "invalid-G7-12*", below)
known({ "openvino.gather_8" }, "invalid-G8-12*", below)
known({ "openvino.gather_7", "openvino.gather_8" }, "examples where example == 'batch-below'", below)

known({ "dml.join" }, "* where (dtype == 'f32' or dtype == 'f16') and rank >= 7 and count >= 2 and count <= 5",
      "LRT-14: two to five inputs of seven or eight dimensions are refused")

return list
