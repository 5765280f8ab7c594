# SPDX-License-Identifier: Apache-2.0
"""loop.py [CASES]

What somebody would write in an afternoon: the first CASES (50000) points of dml.slice1:exhaustive of one and two
dimensions, in NumPy. The expected values are gathered index by index as the page says, the subject is NumPy's own
slicing, and both are compared as bytes. Prints how many cases and how fast.
"""
import itertools
import sys
import time

import numpy as np

TYPES = [np.dtype(t) for t in ("f4", "f2", "u4", "u2", "u1", "i4", "i2", "i1", "f8", "u8", "i8")]
STRIDES = (1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 7, -7)


def dimensions(rank):
    """What a dimension may be: size, offset, window, stride, output size (the conditions of cases/dml/slice1.lua)."""
    for size, offset, rest, stride, crop in itertools.product(range(1, 8), range(7), range(7), STRIDES, range(7)):
        window, step = size - offset - rest, abs(stride)
        if window < 1 or crop > (window - 1) // step or (rank > 1 and (size > 4 or step > 4)):
            continue
        yield size, offset, window, stride, (window - 1) // step + 1 - crop


def points():
    for rank in (1, 2):
        for dims in itertools.product(list(dimensions(rank)), repeat=rank):
            for dtype in TYPES:
                yield dims, dtype


def one_case(dims, dtype):
    data = (np.arange(np.prod([d[0] for d in dims])) % 120).astype(dtype).reshape([d[0] for d in dims])
    starts = [offset + (window - 1 if stride < 0 else 0) for _, offset, window, stride, _ in dims]
    index = [start + d[3] * np.arange(d[4]) for start, d in zip(starts, dims)]
    expected = data[np.ix_(*index)]
    actual = data[tuple(slice(start, None, d[3]) for start, d in zip(starts, dims))]
    actual = actual[tuple(slice(0, d[4]) for d in dims)]
    return expected.tobytes() == np.ascontiguousarray(actual).tobytes()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50000
    wrong = cases = 0
    begin = time.perf_counter()
    for dims, dtype in itertools.islice(points(), count):
        wrong += not one_case(dims, dtype)
        cases += 1
    seconds = time.perf_counter() - begin
    print(f"{cases} cases, {wrong} wrong, {cases / seconds / 1e6:.3f} M cases/s")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
