# SPDX-License-Identifier: Apache-2.0
"""The worker's end of the protocol (docs/exec.md)."""

from __future__ import annotations

import difflib
import mmap
import os
import struct
import sys
import traceback
from typing import Any, Callable, Dict, Iterable, List, Optional, Set, Tuple

from touchstone_exec import _classes as classes
from touchstone_exec._operators import Call, Rejected, Unsupported, registered

VERSION = 1
LINE, MEMORY = 3, 4
HELLO, QUERY, CLAUSE, SUBMIT = 1, 2, 3, 4
OK, REJECTED, UNSUPPORTED, ERROR = 0, 1, 2, 4
DESCRIPTOR_ONLY = 1
NOTE_MOST = 400

HEAD = struct.Struct("=IIII")  # size, kind, number, value
HELLO_BODY = struct.Struct("=IIIIII")
QUERY_BODY = struct.Struct("=QQQ")
SUBMIT_BODY = struct.Struct("=QQQQ")
ANSWER = struct.Struct("=II")
INFO = struct.Struct("=IIII64s64s64s128s128sIII")


def _read(size: int) -> bytes:
    parts = b""
    while len(parts) < size:
        part = os.read(LINE, size - len(parts))
        if not part:
            raise EOFError
        parts += part
    return parts


def _text(value: str, size: int) -> bytes:
    return value.encode()[: size - 1]


shown: Set[Tuple[str, int, type]] = set()  # the places of exceptions whose traceback was printed


def _status_of(error: Exception, number: int, notes: List[Tuple[int, str]]) -> int:
    """The status of a call whose function raised this exception; what is to be said about it is added to the notes, and
    the traceback of a mistake is printed once."""
    if isinstance(error, Unsupported):
        if str(error):
            notes.append((number, str(error)))
        return UNSUPPORTED
    if isinstance(error, Rejected):
        notes.append((number, str(error)))
        return REJECTED
    place = traceback.extract_tb(error.__traceback__)[-1]
    notes.append((number, f"the worker raised {type(error).__name__}: {error} (line {place.lineno} of {place.filename})"))
    mistake = (place.filename, place.lineno or 0, type(error))
    if mistake not in shown:
        shown.add(mistake)
        traceback.print_exception(type(error), error, error.__traceback__)
    return ERROR


def _near(word: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, names, 3)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _unknown(names: str) -> str:
    """What a registered operator or clause says that Touchstone does not know; "" if there is none. names: a line for
    each operator, its name and its clauses; those that operators share have a line with the prefix of these operators."""
    known: Dict[str, List[str]] = {}
    for line in names.splitlines():
        known.setdefault(line.split()[0], []).extend(line.split()[1:])
    for name, own in registered.items() if known else ():
        if name not in known or "." not in name:
            return f"@operator: there is no operator {name!r}{_near(name, [one for one in known if '.' in one])}"
        clauses = known[name] + known.get(name.split(".")[0], [])
        for clause in sorted(own.clauses):
            if clause not in clauses:
                return f"@operator({name!r}): there is no clause {clause!r}{_near(clause, clauses)}"
    return ""


class _Worker:
    def __init__(self, info: Dict[str, Any], take_options: Optional[Callable[[Dict[str, str]], None]]) -> None:
        self.info = info
        self.take_options = take_options
        self.memory: Any = None
        self.classes: List[classes.CallClass] = []
        self.descriptions: Dict[str, classes.Description] = {}

    def map(self, size: int) -> Any:
        """The shared memory. Arrays of earlier calls keep an earlier mapping of it."""
        if self.memory is None or len(self.memory) != size:
            self.memory = mmap.mmap(MEMORY, size)
        return self.memory

    def reply(self, kind: int, number: int, value: int, body: bytes = b"") -> None:
        frame = HEAD.pack(HEAD.size + len(body), kind, number, value) + body
        while frame:
            frame = frame[os.write(LINE, frame) :]

    def hello(self, number: int, value: int, body: bytes) -> None:
        sizes = HELLO_BODY.unpack_from(body)
        words = body[HELLO_BODY.size :].decode().split("\0")
        options = {words[2 * i]: words[2 * i + 1] for i in range(sizes[4])}
        status, text = OK, ""
        if value != VERSION or sizes[:4] != (64, 304, classes.SHAPE.size, INFO.size):
            status, text = ERROR, "the package is of another version of touchstone"
        elif options and self.take_options is None:
            status, text = REJECTED, f"the worker has no option '{next(iter(options))}'"
        elif options and self.take_options is not None:
            try:
                self.take_options(options)
            except Rejected as refused:
                status, text = REJECTED, str(refused)
        if status != OK:
            self.reply(HELLO, number, VERSION, struct.pack("=I", status) + text.encode()[:NOTE_MOST])
            return
        i = self.info
        texts = [_text(i[key], size) for key, size in
                 (("name", 64), ("vendor", 64), ("version", 64), ("driver", 128), ("device", 128))]
        info = INFO.pack(INFO.size, i["batch"], i["level"], 0, *texts, 0, i["packs"], 0)
        self.reply(HELLO, number, VERSION, struct.pack("=I", OK) + info)

    def query(self, number: int, body: bytes) -> None:
        at, _, size = QUERY_BODY.unpack_from(body)
        memory = self.map(size)
        _, _, op, _, _, _, _, count, _, profile, level, tensors = classes.CALL.unpack_from(memory, at)
        name = memory[op : memory.find(b"\0", op)].decode()
        heads = [classes.TENSOR_HEAD.unpack_from(memory, tensors + classes.TENSOR_SIZE * i) for i in range(count)]
        dtypes, ranks = tuple(head[0] for head in heads), tuple(head[1] for head in heads)
        chosen = registered.get(name)
        call = Call(name, profile, level, dtypes, ranks)
        if (
            chosen is None
            or profile not in chosen.profiles
            or any(dtype and (dtype not in chosen.dtypes or rank > 16) for dtype, rank in zip(dtypes, ranks))
            or (chosen.supports is not None and not chosen.supports(call))
        ):
            self.reply(QUERY, number, UNSUPPORTED, struct.pack("=Q", 0))
            return
        if name not in self.descriptions:
            self.descriptions[name] = classes.Description(body[QUERY_BODY.size :].decode())
        self.classes.append(classes.CallClass(chosen, call, self.descriptions[name]))
        self.reply(QUERY, number, OK, struct.pack("=Q", len(self.classes) - 1))

    def clause(self, number: int, body: bytes) -> None:
        op, clause = body.decode().split("\0")[:2]
        shown = op in registered and clause in registered[op].clauses
        self.reply(CLAUSE, number, OK if shown else UNSUPPORTED)

    def submit(self, number: int, count: int, body: bytes) -> None:
        calls, _, at, size = SUBMIT_BODY.unpack_from(body)
        memory = self.map(size)
        known = self.classes
        statuses = [OK] * count
        notes: List[Tuple[int, str]] = []
        later: List[Tuple[int, Callable[..., bool], Any, Tuple[Any, int, int, int]]] = []
        unpack = classes.CALL.unpack_from
        for i in range(count):
            _, _, _, token, attributes, _, given, _, flags, _, _, tensors = unpack(memory, calls + 64 * i)
            one = known[token]
            begin, end = (one.ask, one.answer) if flags & DESCRIPTOR_ONLY else (one.execute, one.finish)
            try:
                result = begin(memory, tensors, attributes, given)
                if callable(result):
                    later.append((i, end, result, (memory, tensors, attributes, given)))
                elif not end(result, memory, tensors, attributes, given):
                    statuses[i] = REJECTED
            except Exception as error:
                statuses[i] = _status_of(error, i, notes)
        for i, end, result, place in later:
            try:
                if not end(result(), *place):
                    statuses[i] = REJECTED
            except Exception as error:
                statuses[i] = _status_of(error, i, notes)
        struct.pack_into(f"={count}I", memory, at, *statuses)
        answer = bytearray(ANSWER.pack(count, min(len(notes), 100)))
        for i, text in notes[:100]:
            note = text.replace("\n", " ").encode()[:NOTE_MOST]
            answer += ANSWER.pack(i, len(note)) + note
        self.reply(SUBMIT, number, OK, bytes(answer))

    def serve(self) -> None:
        while True:
            try:
                size, kind, number, value = HEAD.unpack(_read(HEAD.size))
                body = _read(size - HEAD.size)
            except EOFError:
                return
            if kind == SUBMIT:
                self.submit(number, value, body)
            elif kind == QUERY:
                self.query(number, body)
            elif kind == CLAUSE:
                self.clause(number, body)
            elif kind == HELLO:
                self.hello(number, value, body)
            else:
                return


def run(
    *,
    name: str = "python",
    vendor: str = "",
    version: str = "",
    driver: str = "",
    device: str = "",
    level: int = 0x6400,
    batch: int = 256,
    packs: bool = True,
    options: Optional[Callable[[Dict[str, str]], None]] = None,
) -> None:
    """Serve Touchstone until it closes the connection.

    name, vendor, version, driver, device: what reports say about the implementation under test (ts_info).
    level: its highest feature level, as TS_LEVEL_6_4 of backend.h.
    batch: how many calls it gets at once.
    packs: functions copy whole tensors, as most of NumPy's do, so that tensors of 2^31 or more elements at one address
        are not for them.
    options: a function that takes the options --backend-opt of the command line, and raises Rejected for wrong ones;
        without it there are none.
    """
    if "TOUCHSTONE_EXEC" not in os.environ:
        sys.exit("this program is a backend of Touchstone: touchstone run -b 'exec:python3 PROGRAM' starts it")
    unknown = _unknown(os.environ.get("TOUCHSTONE_EXEC_NAMES", ""))
    if unknown:
        sys.exit(unknown)
    info = {"name": name, "vendor": vendor, "version": version, "driver": driver, "device": device, "level": level,
            "batch": batch, "packs": int(packs)}
    _Worker(info, options).serve()
