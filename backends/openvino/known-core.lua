-- SPDX-License-Identifier: Apache-2.0
-- Known failures of OpenVINO 2026.4.1's StridedSlice, mode=core with masks=padded. README.md beside this file
-- describes each. To see only other failures:
--   touchstone run -b openvino --backend-opt mode=core --backend-opt masks=padded
--     --waivers backends/openvino/known-core.lua 'openvino.*'
local known = shared()
return known.strided_slice {
    { "* where fill ~= 'injective' and dtype == 'u32'", "OV-5: u32 above 2^31 - 1 is saturated" },
    { "* where fill ~= 'injective' and dtype == 'f32'", "OV-8: denormals and -0 of f32 become 0" },
    { "* where any(size == 0) and any(stride < 0)",
      "OV-19: a reversed dimension of size 0 has 1 element" },
}
