-- SPDX-License-Identifier: Apache-2.0
-- Known failures of the WebGPU provider of ONNX Runtime 1.27.0; webgpu.md beside this file describes each.
-- scripts/vendors-test.sh checks that they still fail and that nothing else does.
local slice = "https://onnx.ai/onnx/operators/onnx__Slice.html"
local from_the_last = "WG-1: with a negative step, Slice ignores its start and goes on from the last element"
local too_many = "WG-4: more starts than data has axes end the process"
local depth_to_space = "https://onnx.ai/onnx/operators/onnx__DepthToSpace.html"
local part_of_a_block = "WG-9: DepthToSpace takes channels that the blocks do not divide"
local function known(query, reason, link)
    return { query = query, reason = reason, owner = "ONNX Runtime", link = link, expires = "2999-12-31" }
end
return {
    known(
        "dml.slice1:* where any(InputWindowStrides < 0 and InputWindowOffsets + InputWindowSizes < InputTensor.Sizes)",
        from_the_last,
        slice
    ),
    known("dml.slice1:examples where example == 'stride-beyond-window'", from_the_last, slice),
    -- Of the calls before these cases, some have an InputTensor without dimensions.
    known("dml.slice1:drawn_after where before == 'refused'", too_many, slice),
    known("openvino.strided_slice:* where any(stride < 0) and legal", from_the_last, slice),
    known("openvino.strided_slice:invalid-SS-10*", "WG-3: a step of 0 gives an empty output, not an error", slice),
    known("openvino.strided_slice:invalid-SS-06*", too_many, slice),
    known("openvino.strided_slice:examples where example == 'b14-too-many-steps'", too_many, slice),
    known(
        "dml.gather_elements:invalid-GE-05*",
        "WG-5: an axis of GatherElements beyond the rank ends the process",
        "https://onnx.ai/onnx/operators/onnx__GatherElements.html"
    ),
    known(
        "dml.gather_elements:invalid-GE-02*",
        "WG-5: an axis of GatherElements beyond the rank ends the process",
        "https://onnx.ai/onnx/operators/onnx__GatherElements.html"
    ),
    known(
        "dml.scatter_nd:invalid-SN-10*",
        "WG-6: ScatterND takes updates of a shape that does not fit",
        "https://onnx.ai/onnx/operators/onnx__ScatterND.html"
    ),
    known(
        "dml.cumulative_summation:invalid-CS-04-drawn-in where axis == broken - 1 and by >= 65536",
        "WG-8: CumSum adds up each sum from its start, and a long axis takes longer than the time limit",
        "https://onnx.ai/onnx/operators/onnx__CumSum.html"
    ),
    known("dml.depth_to_space*:invalid-OP-08*", part_of_a_block, depth_to_space),
    known("dml.depth_to_space*:invalid where clause == 'OP-08'", part_of_a_block, depth_to_space),
}
