-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO Gather-1. gather_shared.lua has what its cases share with those of Gather-7 and Gather-8. docs/cases.md
-- describes the language.
local op = operator "openvino.gather_1"
shared_file("gather_shared.lua", op, { prefix = "G1", batched = false, negative = false })
