-- SPDX-License-Identifier: Apache-2.0
-- Known failures of ONNX Runtime 1.31.1; README.md beside this file describes each. scripts/vendors-test.sh checks that
-- they still fail and that nothing else does: `touchstone run -b onnxruntime --waivers backends/onnxruntime/known.lua`.
local reads_end = "ORT-2: with a negative step, Slice reads an end of INT64_MAX or INT32_MAX as 'to the first element'"
return {
    {
        query = "dml.gather:out_of_range",
        reason = "ORT-1: ONNX treats an index out of range as an error; the page requires the call to succeed",
        owner = "ONNX",
        link = "https://onnx.ai/onnx/operators/onnx__Gather.html",
        expires = "2999-12-31",
    },
    {
        query = "dml.gather_elements:out_of_range",
        reason = "ORT-3: ONNX treats an index out of range as an error; E-GE-2 requires the call to succeed",
        owner = "ONNX",
        link = "https://onnx.ai/onnx/operators/onnx__GatherElements.html",
        expires = "2999-12-31",
    },
    {
        query = "dml.scatter_elements:out_of_range",
        reason = "ORT-4: ONNX treats an index out of range as an error; SE-12 requires the call to succeed",
        owner = "ONNX",
        link = "https://onnx.ai/onnx/operators/onnx__ScatterElements.html",
        expires = "2999-12-31",
    },
    {
        query = "dml.gather_nd:out_of_range",
        reason = "ORT-5: ONNX treats an index out of range as an error; E-ND-2 requires the call to succeed",
        owner = "ONNX",
        link = "https://onnx.ai/onnx/operators/onnx__GatherND.html",
        expires = "2999-12-31",
    },
    {
        query = "dml.gather_nd1:out_of_range",
        reason = "ORT-5: ONNX treats an index out of range as an error; E-ND1-2 requires the call to succeed",
        owner = "ONNX",
        link = "https://onnx.ai/onnx/operators/onnx__GatherND.html",
        expires = "2999-12-31",
    },
    {
        query = "dml.gather_nd1:invalid-ND1-16-*",
        reason = "ORT-6: GatherND accepts other sizes of batch dimensions in the indices than in the data",
        owner = "ONNX Runtime",
        link = "https://onnx.ai/onnx/operators/onnx__GatherND.html",
        expires = "2999-12-31",
    },
    {
        query = "dml.scatter_nd:out_of_range",
        reason = "ORT-7: ONNX treats an index out of range as an error; SN-15 requires the call to succeed",
        owner = "ONNX",
        link = "https://onnx.ai/onnx/operators/onnx__ScatterND.html",
        expires = "2999-12-31",
    },
    {
        query = "dml.space_to_depth1:* where dtype == 'f16' and fill ~= 'injective'",
        reason = "ORT-8: SpaceToDepth of FLOAT16 goes through FLOAT, so that signalling NaNs become quiet",
        owner = "ONNX Runtime",
        link = "https://onnx.ai/onnx/operators/onnx__SpaceToDepth.html",
        expires = "2999-12-31",
    },
    {
        query = "openvino.strided_slice:* where any((end == 9223372036854775807 or end == 2147483647) and stride < 0)",
        reason = reads_end,
        owner = "ONNX Runtime",
        link = "https://onnx.ai/onnx/operators/onnx__Slice.html",
        expires = "2999-12-31",
    },
    {
        query = "openvino.strided_slice:examples where example == 'b15-reverse-to-int32-max'",
        reason = reads_end,
        owner = "ONNX Runtime",
        link = "https://onnx.ai/onnx/operators/onnx__Slice.html",
        expires = "2999-12-31",
    },
}
