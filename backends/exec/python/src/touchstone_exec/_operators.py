# SPDX-License-Identifier: Apache-2.0
"""The functions that a worker registers, and what they are told about a call."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Callable, Dict, FrozenSet, Iterable, Optional, Tuple

import numpy as np

# The data types of backend.h. NumPy has no BFLOAT16: its bits are 16-bit integers. A BOOLEAN is a byte.
DTYPES: Dict[str, Tuple[int, Any]] = {
    "FLOAT32": (1, np.dtype(np.float32)),
    "FLOAT16": (2, np.dtype(np.float16)),
    "UINT32": (3, np.dtype(np.uint32)),
    "UINT16": (4, np.dtype(np.uint16)),
    "UINT8": (5, np.dtype(np.uint8)),
    "INT32": (6, np.dtype(np.int32)),
    "INT16": (7, np.dtype(np.int16)),
    "INT8": (8, np.dtype(np.int8)),
    "FLOAT64": (9, np.dtype(np.float64)),
    "UINT64": (10, np.dtype(np.uint64)),
    "INT64": (11, np.dtype(np.int64)),
    "BFLOAT16": (14, np.dtype(np.uint16)),
    "BOOLEAN": (15, np.dtype(np.uint8)),
}
NUMPY_TYPES: Dict[int, Any] = {number: dtype for number, dtype in DTYPES.values()}


class Rejected(Exception):
    """The implementation refuses the descriptor of this call."""


class Unsupported(Exception):
    """The descriptor is legal, but the implementation cannot express it."""


@dataclass(frozen=True)
class Call:
    """A call, for functions with a parameter named ``call``."""

    op: str
    profile: int  #: 0: the default of the operator; 1: as NumPy
    feature_level: int
    dtypes: Tuple[int, ...]  #: numbers of backend.h, 0 for an absent tensor
    ranks: Tuple[int, ...]  #: of the tensors, in the same order


@dataclass(frozen=True)
class Registered:
    """A function, and which calls it is for."""

    function: Callable[..., Any]
    parameters: Tuple[str, ...]
    dtypes: FrozenSet[int]
    profiles: FrozenSet[int]
    clauses: FrozenSet[str]
    supports: Optional[Callable[[Call], bool]]


registered: Dict[str, Registered] = {}


def operator(
    name: str,
    *,
    dtypes: Optional[Iterable[str]] = None,
    profiles: Iterable[int] = (0,),
    clauses: Iterable[str] = (),
    supports: Optional[Callable[[Call], bool]] = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function for the operator ``name``, such as "dml.slice1".

    dtypes: the data types that all tensors may have, by the names of DTYPES; default: all.
    profiles: the profiles that the function follows (Call.profile).
    clauses: the clauses, such as "SL-05", whose violation the function refuses by raising Rejected. Calls that violate
        another clause are not made.
    supports: says whether calls of these data types and ranks can be expressed; default: all.

    The parameters of the function name what it receives: tensors and attributes by the names of the specification
    (``InputTensor``, ``InputWindowOffsets``), and ``call``.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        numbers = NUMPY_TYPES.keys() if dtypes is None else [DTYPES[one][0] for one in dtypes]
        registered[name] = Registered(
            function,
            tuple(inspect.signature(function).parameters),
            frozenset(numbers),
            frozenset(profiles),
            frozenset(clauses),
            supports,
        )
        return function

    return register
