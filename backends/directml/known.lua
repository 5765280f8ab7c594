-- SPDX-License-Identifier: Apache-2.0
-- Known failures of DirectML 1.15.4; README.md beside this file describes each, and a reason begins with the line of its
-- table. scripts/directml-test.sh checks that they still fail and that nothing else does:
--   scripts/touchstone-wine run -b directml --waivers backends/directml/known.lua
local list = {}

local function known(query, page, reason)
    list[#list + 1] = { query = "dml." .. query, reason = reason, owner = "DirectML", expires = "2999-12-31",
                        link = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_" .. page }
end

-- Some dimension has a window of all its elements at stride 1 and a smaller output, and some has several rows.
local slice1, identity, gather = "slice1_operator_desc", "element_wise_identity_operator_desc", "gather_operator_desc"
local rows = "DML-1: rows of a cropped window are copied as if they were contiguous"
known("slice1:* where any(size == window and stride == 1 and out_size < window) and any(out_size > 1)",
      slice1, rows)
known("slice1:* where any(offset + rest == 0 and stride == 1 and crop > 0)", slice1, rows)
known("slice1:examples where example == 'cropped-rows'", slice1, rows)

local counts = "DML-2: the output's size is compared with the window's in 32 bits"
known("slice1:invalid-SL-08-* where any((out_size - 1) * abs(stride) > 4294967295)", slice1, counts)
known("slice1:examples where example == 'output-wraps'", slice1, counts)

known("element_wise_identity:* where dtype == 'f16' and fill ~= 'injective'", identity,
      "DML-3: signalling NaNs of FLOAT16 become quiet in layouts that are not packed")
known("scatter_elements:drawn* where dtype == 'f16' and fill ~= 'injective'", "scatter_operator_desc",
      "DML-3: signalling NaNs of FLOAT16 become quiet in layouts that are not packed")
known("gather:invalid-GA-08-*", gather, "DML-5: more index dimensions than leading ones of the input are accepted")
known("gather:invalid-GA-09-scalar", gather, "DML-5: more index dimensions than leading ones of the input are accepted")
known("gather:examples where example == 'leading-index-dimensions-of-one'", gather,
      "DML-6: leading index dimensions over an axis of one element end the process")
known("gather:invalid-GA-09-* where rank == 1 and index_dims == 0", gather,
      "DML-5: more index dimensions than leading ones of the input are accepted")
local scatter_nd = "scatter_nd_operator_desc"
local ranks = "DML-10: the dimension counts of indices and updates are not compared with the input's"
known("scatter_nd:invalid-SN-02-indices*", scatter_nd, ranks)
known("scatter_nd:invalid-SN-02-updates*", scatter_nd, ranks)
known("scatter_nd:invalid-SN-02-drawn-indices", scatter_nd, ranks)
known("scatter_nd:invalid-SN-02-drawn-updates", scatter_nd, ranks)
local tuple = "DML-11: a tuple of more indices than InputDimensionCount ends the process"
known("scatter_nd:invalid-SN-17*", scatter_nd, tuple)
known("scatter_nd:examples where example == 'long-tuple'", scatter_nd, tuple)
known("scatter_nd:* where dtype == 'f16' and fill ~= 'injective'", scatter_nd,
      "DML-3: signalling NaNs of FLOAT16 become quiet in layouts that are not packed")
local join = "join_operator_desc"
local unchecked = "DML-13: a tensor that is absent or that has no type, no sizes or too many dimensions ends the process"
known("join:invalid-BUF-01-*", join, unchecked)
known("join:invalid-JO-01-*", join, unchecked)
known("join:invalid-BUF-05-*", join, unchecked)
known("join:invalid-BUF-06-* where broken < 1", join, unchecked)
known("join:legal-JO-07", join, "DML-8: tensors of almost 2^32 elements are refused")
for _, name in ipairs { "greater_than", "less_than", "greater_than_or_equal", "less_than_or_equal" } do
    known("element_wise_logical_" .. name .. ":* where dtype == 'i64'", "element_wise_logical_" .. name .. "_operator_desc",
          "DML-14: INT64 is compared by its low halves as signed numbers where the high halves are equal")
end
return list
