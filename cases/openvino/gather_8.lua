-- SPDX-License-Identifier: Apache-2.0
-- OpenVINO Gather-8. gather_shared.lua has what its cases share with those of Gather-1 and Gather-7. docs/cases.md
-- describes the language.
local op = operator "openvino.gather_8"
shared_file("gather_shared.lua", op, { prefix = "G8", batched = true, negative = true })
