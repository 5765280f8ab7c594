-- SPDX-License-Identifier: Apache-2.0
-- Known failures of MLX 0.32.4 on the CPU; README.md beside this file describes each.
local function known(query, reason)
  return {
    query = query,
    reason = reason,
    owner = "MLX",
    link = "https://github.com/ml-explore/mlx",
    expires = "2999-12-31",
  }
end
local empty = "MLX-3: updates of an array without elements are refused, or end the process"
return {
  known("dml.slice1:* where any(stride >= 1073741824 or stride <= -1073741824)",
        "MLX-1: a slice with a step of about 2^31 has no element, or its size is an error"),
  known('dml.slice1:examples where example == "stride-beyond-window"',
        "MLX-1: a slice with a step of about 2^31 has no element, or its size is an error"),
  known("openvino.strided_slice:* where any(begin >= 2147483648 or begin < -2147483648) or any(end >= 2147483648 or "
          .. "end < -2147483648) or any(stride >= 1073741824 or stride <= -1073741824)",
        "MLX-2: a bound or a step beyond 32 bits is refused"),
  known("openvino.scatter_nd_update_3:* where any(size < 1)", empty),
  known("openvino.scatter_update:* where any(size < 1)", empty),
}
