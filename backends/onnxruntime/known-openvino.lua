-- SPDX-License-Identifier: Apache-2.0
-- Known failures of the OpenVINO provider of ONNX Runtime 1.24.1; openvino.md beside this file describes each.
-- scripts/vendors-test.sh checks that they still fail and that nothing else does.
local link = "https://onnxruntime.ai/docs/execution-providers/OpenVINO-ExecutionProvider.html"
local wide = "OVP-1: INT64 goes through INT32"
local half = "OVP-2: FLOAT16 goes through FLOAT32, which makes signalling NaNs quiet"
local function known(query, reason)
    return { query = query, reason = reason, owner = "ONNX Runtime", link = link, expires = "2999-12-31" }
end
return {
    known("dml.element_wise_identity:* where dtype == i64 and executed", wide),
    known("dml.cumulative_summation:* where dtype == i64 and executed", wide),
    known("dml.gather:* where dtype == i64 and executed", wide),
    known("dml.scatter_elements:* where dtype == i64 and executed", wide),
    known("dml.scatter_nd:* where dtype == i64 and executed", wide),
    known("dml.*_to_*:* where dtype == i64 and executed", wide),
    known("dml.gather:* where dtype == f16 and executed", half),
    known("dml.scatter_elements:* where dtype == f16 and executed", half),
    known("dml.scatter_nd:* where dtype == f16 and executed", half),
    known("dml.*_to_*:* where dtype == f16 and executed", half),
}
