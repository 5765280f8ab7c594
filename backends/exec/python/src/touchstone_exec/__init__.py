# SPDX-License-Identifier: Apache-2.0
"""Test kernels that are written in Python with Touchstone.

A worker registers a function for each operator and serves Touchstone, which starts it:

    from touchstone_exec import operator, run

    @operator("dml.element_wise_identity")
    def identity(InputTensor, OutputTensor):
        OutputTensor[...] = InputTensor

    run(name="mine")

    touchstone run -b 'exec:python3 worker.py'

README.md beside the package describes what functions receive and return.
"""

from touchstone_exec._operators import DTYPES, Call, Descriptor, Rejected, Unsupported, operator
from touchstone_exec._worker import run

__all__ = ["DTYPES", "Call", "Descriptor", "Rejected", "Unsupported", "operator", "run"]
