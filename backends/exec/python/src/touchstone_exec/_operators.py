# SPDX-License-Identifier: Apache-2.0
"""The functions that a worker registers, and what they are told about a call."""

from __future__ import annotations

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
class Descriptor:
    """A tensor of a call without data, for `accepts`. What it says may be illegal."""

    ndim: int  #: DimensionCount as stated
    shape: Tuple[int, ...]  #: as strides, of at most 16 dimensions
    strides: Tuple[int, ...]  #: in elements, where those of an array are in bytes
    dtype: Any  #: NumPy's, where a BFLOAT16 is a uint16; None if the package does not know the number
    number: int  #: of the data type in backend.h
    given: int  #: which of its pointers are not null: the bits TS_GIVEN_* of backend.h
    flags: int
    alignment: int  #: GuaranteedBaseOffsetAlignment in bytes
    total_bytes: int


@dataclass(frozen=True)
class Registered:
    """A function, the one that answers calls without data, and which calls they are for."""

    function: Callable[..., Any]
    dtypes: FrozenSet[int]
    profiles: FrozenSet[int]
    clauses: FrozenSet[str]
    supports: Optional[Callable[[Call], bool]]
    accepts: Optional[Callable[..., Any]]


registered: Dict[str, Registered] = {}


def operator(
    name: str,
    *,
    dtypes: Optional[Iterable[str]] = None,
    profiles: Iterable[int] = (0,),
    clauses: Iterable[str] = (),
    supports: Optional[Callable[[Call], bool]] = None,
    accepts: Optional[Callable[..., Any]] = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function for the operator ``name``, such as "dml.slice1".

    dtypes: the data types that all tensors may have, by the names of DTYPES; default: all.
    profiles: the profiles that the function follows (Call.profile).
    clauses: the clauses, such as "SL-05", whose violation `accepts` can pass on to the implementation. Calls that
        violate another clause are not made.
    supports: says whether calls of these data types and ranks can be expressed; default: all.
    accepts: asks the implementation about a call without data, illegal ones among them, and returns True if it accepts
        the descriptor, False if it refuses it, or the shape that it infers for the output. It may raise Rejected or
        Unsupported. Without it, calls without data are unsupported.

    The parameters of the functions name what they receive: tensors and attributes by the names of the specification
    (``InputTensor``, ``InputWindowOffsets``), and ``call``. A tensor is an array, and a ``Descriptor`` for `accepts`.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        numbers = NUMPY_TYPES.keys() if dtypes is None else [DTYPES[one][0] for one in dtypes]
        registered[name] = Registered(
            function, frozenset(numbers), frozenset(profiles), frozenset(clauses), supports, accepts
        )
        return function

    return register
