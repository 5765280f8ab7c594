-- SPDX-License-Identifier: Apache-2.0
-- Known failures of oneDNN 3.2; README.md beside this file describes each. scripts/vendors-test.sh checks that they
-- still fail and that nothing else does: `touchstone run -b onednn --waivers backends/onednn/known.lua`.
local link = "https://uxlfoundation.github.io/oneDNN/dev_guide_reorder.html"
return {
    {
        query = "dml.element_wise_identity:* where dtype == f16 and executed",
        reason = "DNN-1: FLOAT16 is copied through FLOAT32: -0 becomes 0, and signalling NaNs become quiet",
        owner = "oneDNN",
        link = link,
        expires = "2999-12-31",
    },
    {
        query = "dml.element_wise_identity:* where dtype == i32 and executed",
        reason = "DNN-2: some layouts of INT32 are copied through FLOAT32, which has 24 bits",
        owner = "oneDNN",
        link = link,
        expires = "2999-12-31",
    },
    {
        query = "dml.element_wise_identity:* where dtype == f32 and executed",
        reason = "DNN-3: some layouts of FLOAT32 are computed, not copied: -0 becomes 0, signalling NaNs become quiet",
        owner = "oneDNN",
        link = link,
        expires = "2999-12-31",
    },
}
