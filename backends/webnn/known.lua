-- SPDX-License-Identifier: Apache-2.0
-- Known failures of WebNN in Chromium 153 with its LiteRT backend on the CPU; README.md beside this file describes each.
local function known(query, reason)
  return {
    query = query,
    reason = reason,
    owner = "Chromium",
    link = "https://chromium.googlesource.com/chromium/src/+/main/services/webnn/",
    expires = "2999-12-31",
  }
end
return {
  known("dml.slice1:* where any(InputWindowStrides > InputWindowSizes)",
        "WNN-1: a slice with a stride that is greater than its size is refused"),
  known("dml.*:* where dtype == f16 and executed", "WNN-2: NaNs of FLOAT16 lose their payload"),
  known("dml.scatter*:* where executed and dtype ~= u32", "WNN-3: updates of one element are added up"),
  known("dml.scatter*:* where dtype == u32 and executed", "WNN-5: no graph of a scatter of UINT32 is built"),
  known("dml.join:* where dtype == u64 and executed", "WNN-6: no graph of a concat of UINT64 is built"),
  known("dml.join:* where rank >= 7 and executed", "WNN-7: no graph of a concat of rank 7 or 8 is built"),
}
