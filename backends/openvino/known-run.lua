-- SPDX-License-Identifier: Apache-2.0
-- What is known of OpenVINO 2026.4.1's StridedSlice and Slice, mode=run with masks=padded; README.md beside this file tells each.
-- `touchstone run -b openvino --backend-opt mode=run --backend-opt masks=padded
--     --waivers backends/openvino/known-run.lua 'openvino.*'` shows what else fails.
local function known(query, reason)
    if not query:find("^dml%.") then query = "openvino.strided_slice:" .. query end
    return { query = query, reason = reason, owner = "OpenVINO", expires = "2999-12-31",
             link = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/strided-slice-1.html" }
end
-- Is one of these beyond 32 bits?
local function beyond(list)
    return "count(gt(" .. list .. ", 2147483647)) + count(lt(" .. list .. ", -2147483648))"
end
return {
    known("* where fill ~= 'injective' and (dtype == 'i64' or dtype == 'u64')", "OV-4: 64-bit integers pass through 32 bits"),
    known("* where fill ~= 'injective' and dtype == 'f64'", "OV-6: f64 is rounded to f32"),
    known("* where fill ~= 'injective' and dtype == 'f16'", "OV-7: signalling NaNs of f16 become quiet"),
    known("* where sum(eq(kind, 'shrink') * begin_mask) > 0", "OV-9: begin_mask counts in a shrink step"),
    known("examples where example == 'b12-shrink-begin-mask'", "OV-9: begin_mask counts in a shrink step"),
    known("examples where example == 'b11-shrink-beyond' or example == 'b11-shrink-before'", "OV-10: a shrink step out of range is clamped"),
    known("invalid-SS-09-*", "OV-10: a shrink step out of range is clamped"),
    known("* where count(eq(kind, 'shrink')) > 0 and count(eq(kind, 'new')) > 0", "OV-11: a shrink step beside a new axis"),
    known("* where count(eq(kind, 'ellipsis')) > 0 and count(eq(kind, 'new')) > 0", "OV-12: a new axis behind an ellipsis"),
    known("examples where example == 'ellipsis-new-axis-10d-of-2' or example == 'ellipsis-new-axis-12d-of-2'", "OV-12: a new axis behind an ellipsis"),
    known("examples where example == 'stride-zero'", "OV-13: stride 0 ends the process"),
    known("invalid-SS-10", "OV-13: stride 0 ends the process"),
    known("invalid-SS-01-stride-length", "OV-13: a list stride that is too short ends the process"),
    known("* where " .. beyond "begin" .. " + " .. beyond "end" .. " + " .. beyond "stride" .. " > 0",
          "OV-14: begin, end and stride are cut to 32 bits"),
    known("* where sum(pick(eq(kind, 'ellipsis'), also, 0)) > 0", "OV-16 to 18: an ellipsis at one step with a new axis or a shrink"),
    known("dml.slice1:* where fill ~= 'injective' and (dtype == 'i64' or dtype == 'u64')", "OV-4: 64-bit integers pass through 32 bits"),
    known("dml.slice1:* where fill ~= 'injective' and dtype == 'f64'", "OV-6: f64 is rounded to f32"),
    known("dml.slice1:* where fill ~= 'injective' and dtype == 'f16'", "OV-7: signalling NaNs of f16 become quiet"),
    known("dml.slice1:* where count(lt(stride, -2147483647)) > 0", "OV-20: a step of -2^31"),
    known("dml.slice1:examples where example == 'stride-beyond-window'", "OV-20: a step of -2^31"),
}
