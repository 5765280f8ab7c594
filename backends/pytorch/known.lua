-- SPDX-License-Identifier: Apache-2.0
-- Known failures of PyTorch 1.13.1 on the CPU; README.md beside this file describes each.
local function known(query, reason)
  return {
    query = query,
    reason = reason,
    owner = "PyTorch",
    link = "https://github.com/pytorch/pytorch",
    expires = "2999-12-31",
  }
end
return {
  known("openvino.strided_slice:* where any(begin < -4611686018427387904) or any(end < -4611686018427387904)",
        "PT-1: a slice that begins or ends below -2^62 is refused"),
  known("openvino.strided_slice:* where any(stride >= 1000000000000000)",
        "PT-2: a slice is refused whose step times the stride of its dimension exceeds 2^63"),
}
