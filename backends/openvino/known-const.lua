-- SPDX-License-Identifier: Apache-2.0
-- Known failures of OpenVINO 2026.4.1's StridedSlice, mode=const with masks=padded. README.md beside this file
-- describes each. To see only other failures:
--   touchstone run -b openvino --backend-opt mode=const --backend-opt masks=padded
--     --waivers backends/openvino/known-const.lua 'openvino.*'
local known = shared()
return known.strided_slice {
    known.shrink_begin_mask, known.shrink_example, known.shrink_beside_new,
    { "* where " .. known.beyond "stride", "OV-15: strides beyond 32 bits write nothing or read outside of the data" },
}
