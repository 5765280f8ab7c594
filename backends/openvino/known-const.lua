-- SPDX-License-Identifier: Apache-2.0
-- Known failures of OpenVINO 2026.4.1 in mode=const. README.md beside this file describes each; a reason begins with the
-- line of its table. To see only other failures:
--   touchstone run -b openvino --backend-opt mode=const --waivers backends/openvino/known-const.lua
local known = shared()
return known.mode("const", known.join(known.dynamic, {
    known.null_write, known.refused,
    { "* where " .. known.beyond "stride", "OV-15: strides beyond 32 bits write nothing or read outside of the data" },
}), known.far_step, { known.bytes }, {}, known.any_stray, known.any_stray)
