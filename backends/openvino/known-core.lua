-- SPDX-License-Identifier: Apache-2.0
-- Known failures of OpenVINO 2026.4.1 in mode=core. README.md beside this file describes each; a reason begins with the
-- line of its table. To see only other failures:
--   touchstone run -b openvino --backend-opt mode=core --waivers backends/openvino/known-core.lua
local known = shared()
return known.mode("core", known.join(known.constants, {
    known.null_write, known.both,
}), known.constants, known.constants, known.join(known.constants, { known.beyond_axis }),
                  known.join(known.scattered_constants, { known.stray_update }),
                  known.join(known.scattered_constants, { known.stray_update }))
