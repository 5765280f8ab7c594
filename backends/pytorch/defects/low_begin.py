# SPDX-License-Identifier: Apache-2.0
"""PT-1: a slice that begins or ends below -2^62 is refused, where Python clamps the bound."""
import torch

tensor = torch.tensor([5, 6, 7])
print("the begin -2^62:", tensor[-(2**62) :])
try:
    print("expected: [5, 6, 7]; got:", tensor[-(2**62) - 1 :])
except RuntimeError as error:
    print("expected: [5, 6, 7]; got:", str(error).splitlines()[0])
