-- SPDX-License-Identifier: Apache-2.0
-- What is known of OpenVINO 2026.4.1's StridedSlice, mode=core with masks=padded; README.md beside this file tells each.
-- `touchstone run -b openvino --backend-opt mode=core --backend-opt masks=padded
--     --waivers backends/openvino/known-core.lua 'openvino.*'` shows what else fails.
local function known(query, reason)
    return { query = "openvino.strided_slice:" .. query, reason = reason, owner = "OpenVINO", expires = "2999-12-31",
             link = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/strided-slice-1.html" }
end
return {
    known("* where fill ~= 'injective' and (dtype == 'i64' or dtype == 'u64')", "OV-4: 64-bit integers pass through 32 bits"),
    known("* where fill ~= 'injective' and dtype == 'u32'", "OV-5: u32 above 2^31 - 1 is saturated"),
    known("* where fill ~= 'injective' and dtype == 'f64'", "OV-6: f64 is rounded to f32"),
    known("* where fill ~= 'injective' and dtype == 'f16'", "OV-7: signalling NaNs of f16 become quiet"),
    known("* where fill ~= 'injective' and dtype == 'f32'", "OV-8: denormals and -0 of f32 become 0"),
    known("* where sum(pick(eq(kind, 'ellipsis'), also, 0)) > 0", "OV-16 to 18: an ellipsis at one step with a new axis or a shrink"),
    known("* where count(eq(size, 0)) > 0 and count(lt(stride, 0)) > 0", "OV-19: a dimension of 0 reversed"),
}
