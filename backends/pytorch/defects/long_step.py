# SPDX-License-Identifier: Apache-2.0
"""PT-2: a slice is refused whose step times the stride of its dimension exceeds 2^63, where Python gives one element."""
import torch

tensor = torch.zeros(3, 4)
print("the step 2^60:", tensor[:: 2**60].shape)
try:
    print("expected: [1, 4]; got:", tensor[:: 2**61].shape)
except RuntimeError as error:
    print("expected: [1, 4]; got:", str(error).splitlines()[0])
