/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of a length or a parent that there is not, which the page of GatherTree-1 leaves unspecified
   (E-GT1-1). They name observed behaviour and do not affect verdicts. */
#include "harness/model/operator.h"

extern const ts_interpretation openvino_gather_tree_interpretations[1];
const ts_interpretation openvino_gather_tree_interpretations[1] = {
    { "E-GT1-1", "end_token", NULL, NULL },
};
