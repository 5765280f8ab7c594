-- SPDX-License-Identifier: Apache-2.0
-- Known failures of OpenVINO 2026.4.1 in mode=run. README.md beside this file describes each; a reason begins with the
-- line of its table. To see only other failures:
--   touchstone run -b openvino --backend-opt mode=run --waivers backends/openvino/known-run.lua
local known = shared()
return known.mode("run", known.join(known.dynamic, {
    { "* where any(kind == 'ellipsis') and any(kind == 'new')", "OV-12: a new axis after an ellipsis" },
    known.examples("OV-13: stride 0 ends the process", "stride-zero"),
    { "invalid-SS-10*", "OV-13: stride 0 ends the process" },
    { "invalid-SS-01-stride-length", "OV-13: a list stride that is too short ends the process" },
    { "* where " .. known.beyond("begin", "end", "stride"), "OV-14: begin, end and stride are truncated to 32 bits" },
}), known.far_step, { known.bytes }, { known.beyond_axis }, { known.stray_write, known.stray_update },
   { known.stray_write, known.stray_update })
