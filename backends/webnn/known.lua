-- SPDX-License-Identifier: Apache-2.0
-- Known failures of WebNN in Chromium 153 on the CPU; README.md beside this file describes each.
local function known(query, reason)
  return {
    query = query,
    reason = reason,
    owner = "Chromium",
    link = "https://www.w3.org/TR/webnn/",
    expires = "2999-12-31",
  }
end
return {
  known("dml.slice1:* where any(InputWindowStrides > InputWindowSizes) and executed",
        "WEBNN-1: a slice whose stride is greater than its size is refused"),
  known("dml.*:* where dtype == f16 and executed", "WEBNN-2: NaNs of FLOAT16 lose their payload"),
  known("dml.scatter*:* where dtype ~= u32 and executed", "WEBNN-3: a scatter adds its updates to 0"),
  known("dml.scatter*:* where dtype == u32 and executed", "WEBNN-4: no graph of a scatter of UINT32 is built"),
  known("dml.join:* where dtype == u64 and executed", "WEBNN-5: no graph of a concatenation of UINT64 is built"),
  known("dml.join:* where rank >= 7 and executed", "WEBNN-6: no graph of a concatenation of rank 7 or 8 is built"),
}
