-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO Gather-7. gather_shared.lua has what its cases share with those of Gather-1 and Gather-8. docs/cases.md
-- describes the language.
local op = operator "openvino.gather_7"
shared_file("gather_shared.lua", op, { prefix = "G7", batched = true, negative = false })
