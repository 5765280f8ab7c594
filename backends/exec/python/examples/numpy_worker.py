#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""NumPy as a backend.

touchstone run -b 'exec:python3 numpy_worker.py'
"""

import numpy as np

from touchstone_exec import run
from touchstone_exec.arrays import Arrays, register

if __name__ == "__main__":
    register(Arrays())
    run(name="numpy", vendor="NumPy", version=np.__version__)
