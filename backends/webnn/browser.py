# SPDX-License-Identifier: Apache-2.0
"""A browser that executes batches of calls of WebNN, on a page that this module serves on the loopback interface.

The page and this module exchange messages over a WebSocket (RFC 6455), so that the end of the page, which ends the
connection, is noticed. A message is the size of its head in four bytes, a head in JSON, and data.
"""

import atexit
import base64
import hashlib
import json
import os
import socket
import struct
import subprocess
import sys
import time

import numpy as np

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.html")
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--mute-audio",
           "--enable-features=WebMachineLearningNeuralNetwork"]
START_SECONDS = 60
ACCEPT_KEY = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3


def _request(connection):
    """The path of a request of HTTP, and its headers with names in lower case."""
    text = b""
    while b"\r\n\r\n" not in text:
        part = connection.recv(4096)
        if not part:
            return "", {}
        text += part
    lines = text.decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    pairs = [line.split(":", 1) for line in lines[1:] if ":" in line]
    return words[1] if len(words) > 1 else "", {name.lower(): value.strip() for name, value in pairs}


class Browser:
    """A browser with the page, ready for batches.

    executable: the program of a Chromium that has WebNN.
    limits: what its MLContext.opSupportLimits() says.
    agent: what it calls itself.
    """

    def __init__(self, executable):
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = f"http://127.0.0.1:{server.getsockname()[1]}/"
            # What a browser says about its own state is no part of a run.
            try:
                self.process = subprocess.Popen([executable, *OPTIONS, address], stdin=subprocess.DEVNULL,
                                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            except OSError as error:
                sys.exit(f"{executable} cannot be started: {error.strerror}")
            atexit.register(self.close)
            self.connection = self._accept(server)
        hello, _ = self._receive()
        if "error" in hello:
            sys.exit(f"{executable} has no WebNN: {hello['error']}")
        self.limits, self.agent = hello["limits"], hello["agent"]

    def _accept(self, server):
        """Serve the page until it opens its WebSocket."""
        server.settimeout(0.2)
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                connection, _ = server.accept()
            except TimeoutError:
                if self.process.poll() is not None:
                    sys.exit(f"{self.process.args[0]} ended with exit status {self.process.returncode}")
                if time.monotonic() > end:
                    sys.exit(f"{self.process.args[0]} did not open the page within {START_SECONDS} seconds")
                continue
            path, headers = _request(connection)
            if headers.get("upgrade", "").lower() == "websocket":
                key = hashlib.sha1(headers["sec-websocket-key"].encode() + ACCEPT_KEY).digest()
                connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                   b"Sec-WebSocket-Accept: " + base64.b64encode(key) + b"\r\n\r\n")
                return connection
            with connection, open(PAGE, "rb") as page:
                body = page.read() if path == "/" else b""
                connection.sendall(b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\n"
                                   b"Connection: close\r\n\r\n%s" % (b"200 OK" if body else b"404 Not Found", len(body),
                                                                     body))

    def _read(self, size):
        data = bytearray(size)
        view = memoryview(data)
        while view:
            count = self.connection.recv_into(view)
            if count == 0:
                sys.exit("the page of the browser has ended: the browser, or its process for the page, has crashed")
            view = view[count:]
        return data

    def _send(self, head, parts):
        text = json.dumps(head, separators=(",", ":")).encode()
        size = 4 + len(text) + sum(len(part) for part in parts)
        # One binary frame, unmasked. Its size has to be written in as few bytes as it needs.
        if size < 126:
            frame = struct.pack(">BB", 0x82, size)
        elif size < 1 << 16:
            frame = struct.pack(">BBH", 0x82, 126, size)
        else:
            frame = struct.pack(">BBQ", 0x82, 127, size)
        self.connection.sendall(b"".join([frame, struct.pack("=I", len(text)), text, *parts]))

    def _receive(self):
        """The head and the data of a message, which may come in several frames."""
        message = bytearray()
        last = False
        while not last:
            first, size = self._read(2)
            last, kind = first >= 0x80, first & 15
            size &= 127  # a browser masks all frames
            if size >= 126:
                code = ">H" if size == 126 else ">Q"
                size = struct.unpack(code, self._read(struct.calcsize(code)))[0]
            mask = np.frombuffer(self._read(4), np.uint8)
            data = (np.frombuffer(self._read(size), np.uint8) ^ np.resize(mask, size)).tobytes()
            if kind == 8:
                reason = data[2:].decode(errors="replace") or "it has crashed"
                sys.exit(f"the page of the browser has ended: {reason}")
            if kind > 2:  # a ping
                last = False
                continue
            message += data
        head = struct.unpack_from("=I", message)[0]
        return json.loads(message[4 : 4 + head]), memoryview(message)[4 + head :]

    def execute(self, calls):
        """Execute calls, and return a result for each.

        A call is the name of a method of MLGraphBuilder, its operands (packed arrays of a data type of WebNN), which of
        them are constants of the graph, whether the method takes them as one list, and its other arguments. A result is
        an array of bytes and the shape that the browser computed, or an exception's text and None.
        """
        heads, parts, at = [], [], 0
        for method, operands, constants, is_list, rest in calls:
            tensors = []
            for i, operand in enumerate(operands):
                parts.append(operand.tobytes())
                size = len(parts[-1])
                tensors.append({"dataType": operand.dtype.name, "shape": operand.shape, "at": at, "size": size,
                                "constant": i in constants})
                at += size
            heads.append({"method": method, "tensors": tensors, "list": is_list, "rest": rest})
        self._send(heads, parts)
        answers, data = self._receive()
        results, at = [], 0
        for one in answers:
            if "error" in one:
                results.append((one["error"], None))
                continue
            results.append((np.frombuffer(data, np.uint8, one["size"], at), tuple(one["shape"])))
            at += one["size"]
        return results

    def close(self):
        """End the browser."""
        self.process.kill()
        self.process.wait()
