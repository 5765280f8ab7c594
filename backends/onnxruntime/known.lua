-- SPDX-License-Identifier: Apache-2.0
-- Known failures of ONNX Runtime 1.31.1; README.md beside this file describes each. scripts/vendors-test.sh checks that
-- they still fail and that nothing else does: `touchstone run -b onnxruntime --waivers backends/onnxruntime/known.lua`.
return {
    {
        query = "dml.gather:out_of_range",
        reason = "ORT-1: ONNX treats an index out of range as an error; the page requires the call to succeed",
        owner = "ONNX",
        link = "https://onnx.ai/onnx/operators/onnx__Gather.html",
        expires = "2999-12-31",
    },
    {
        query = "dml.*_to_*:* where dtype == 'f16' and fill ~= 'injective'",
        reason = "ORT-8: SpaceToDepth and DepthToSpace of FLOAT16 go through FLOAT, so that signalling NaNs become quiet",
        owner = "ONNX Runtime",
        link = "https://onnx.ai/onnx/operators/onnx__SpaceToDepth.html",
        expires = "2999-12-31",
    },
}
