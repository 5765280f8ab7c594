-- SPDX-License-Identifier: Apache-2.0
-- What is known of ONNX Runtime 1.31.1; README.md beside this file tells each. scripts/vendors-test.sh holds that it
-- still comes out, and nothing else: `touchstone run -b onnxruntime --waivers backends/onnxruntime/known.lua`.
return {
    {
        query = "dml.gather:out_of_range",
        reason = "ORT-1: an index out of range is an error in ONNX, and no element where the page says so",
        owner = "ONNX",
        link = "https://onnx.ai/onnx/operators/onnx__Gather.html",
        expires = "2999-12-31",
    },
    {
        query = "openvino.strided_slice:* where eq(end, 9223372036854775807) * lt(stride, 0) ~= 0",
        reason = "ORT-2: Slice takes INT64_MAX as an end for 'to the first element' where the step is negative",
        owner = "ONNX Runtime",
        link = "https://onnx.ai/onnx/operators/onnx__Slice.html",
        expires = "2999-12-31",
    },
}
