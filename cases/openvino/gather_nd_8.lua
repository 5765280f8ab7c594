-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO GatherND-8. gather_nd_shared.lua has what its cases share with those of GatherND-5. docs/cases.md describes
-- the language.
local op = operator "openvino.gather_nd_8"
shared_file("gather_nd_shared.lua", op, { prefix = "ND8", flat = false })
