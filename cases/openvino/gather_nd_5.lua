-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO GatherND-5. gather_nd_shared.lua has what its cases share with those of GatherND-8. docs/cases.md describes
-- the language.
local op = operator "openvino.gather_nd_5"
shared_file("gather_nd_shared.lua", op, { prefix = "ND5", flat = true })
