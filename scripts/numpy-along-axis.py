#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numpy-along-axis.py TOUCHSTONE [--count N]

Holds the reference against numpy's take_along_axis and put_along_axis: N descriptors (default 200) each of
GATHER_ELEMENTS and SCATTER_ELEMENTS with random sizes, types, bits, axes and indices, positive and negative ones.
`TOUCHSTONE eval --json` has to give the bits of numpy. No two updates fall on one element. Prints what disagrees, and
counts.

Exit status: 0 no disagreement; 1 there are some; 64 wrong usage; 77 numpy is not installed.
"""
import argparse
import sys

try:
    import numpy
except ImportError as missing:
    print(f"{missing}")
    sys.exit(77)

from records import elements, evaluate

TYPES = "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()


def random_bits(random, shape, dtype):
    count = int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize
    return numpy.frombuffer(random.bytes(count), dtype).reshape(shape)


def random_indices(random, shape, axis, size, distinct):
    """Indices for an axis of `size` elements; `distinct`: those of a line along the axis select different elements."""
    dtype = random.choice(["int32", "int64", "uint32", "uint64"])
    if distinct:
        orders = random.random([size if k == axis else n for k, n in enumerate(shape)]).argsort(axis)
        indices = orders.take(range(shape[axis]), axis)
    else:
        indices = random.integers(0, size, shape)
    if dtype.startswith("int"):
        indices = indices - size * random.integers(0, 2, shape)
    return indices.astype(dtype)


def draw(random, number):
    rank = int(random.integers(1, 6))
    shape, axis = [int(n) for n in random.integers(1, 6, rank)], int(random.integers(0, rank))
    scatters = number % 2 == 1
    most = shape[axis] if scatters else 7
    indexed = [int(random.integers(1, most + 1)) if k == axis else n for k, n in enumerate(shape)]
    dtype = random.choice(TYPES)
    data = random_bits(random, shape, dtype)
    indices = random_indices(random, indexed, axis, shape[axis], scatters)
    plain = indices.astype("int64")
    if not scatters:
        return elements("dml.gather_elements", (data, indices), axis, numpy.take_along_axis(data, plain, axis),
                        f"{number}: take_along_axis")
    updates, output = random_bits(random, indexed, dtype), data.copy()
    numpy.put_along_axis(output, plain, updates, axis)
    return elements("dml.scatter_elements", (data, indices, updates), axis, output, f"{number}: put_along_axis")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("touchstone")
    parser.add_argument("--count", type=int, default=200)
    try:
        chosen = parser.parse_args()
    except SystemExit:
        return 64
    random = numpy.random.default_rng(1)
    records = [draw(random, number) for number in range(2 * chosen.count)]
    problems = evaluate(chosen.touchstone, records)
    for r, what in zip(records, problems):
        if what:
            print(f"{r['name']}: {what}: {r['descriptor']}")
    for k, name in enumerate(("take_along_axis", "put_along_axis")):
        wrong = sum(what is not None for what in problems[k::2])
        print(f"{chosen.count - wrong:8} {name} agrees\n{wrong:8} {name} disagrees")
    return 1 if any(problems) else 0


if __name__ == "__main__":
    sys.exit(main())
