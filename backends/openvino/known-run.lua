-- SPDX-License-Identifier: Apache-2.0
-- Known failures of OpenVINO 2026.4.1's StridedSlice and Slice, mode=run with masks=padded. README.md beside this file
-- describes each. To see only other failures:
--   touchstone run -b openvino --backend-opt mode=run --backend-opt masks=padded
--     --waivers backends/openvino/known-run.lua 'openvino.*'
local known = shared()
return known.join(known.strided_slice {
    known.shrink_begin_mask, known.shrink_example, known.shrink_beside_new,
    { "examples where example == 'b11-shrink-beyond' or example == 'b11-shrink-before'",
      "OV-10: a shrink step out of range is accepted and clamped" },
    { "invalid-SS-09-*", "OV-10: a shrink step out of range is accepted and clamped" },
    { "* where any(kind == 'ellipsis') and any(kind == 'new')", "OV-12: a new axis after an ellipsis" },
    { "examples where example == 'ellipsis-new-axis-10d-of-2' or example == 'ellipsis-new-axis-12d-of-2'",
      "OV-12: a new axis after an ellipsis" },
    { "examples where example == 'stride-zero'", "OV-13: stride 0 ends the process" },
    { "invalid-SS-10", "OV-13: stride 0 ends the process" },
    { "invalid-SS-01-stride-length", "OV-13: a list stride that is too short ends the process" },
    { "* where " .. known.beyond("begin", "end", "stride"), "OV-14: begin, end and stride are truncated to 32 bits" },
}, known.slice1 {
    { "* where any(stride < -2147483647)", "OV-20: a step of -2^31 reads outside of the data" },
    { "examples where example == 'stride-beyond-window'", "OV-20: a step of -2^31 reads outside of the data" },
})
