# SPDX-License-Identifier: Apache-2.0
"""A browser that executes batches of calls of WebNN, on a page that this module serves on the loopback interface.

The page and this module exchange messages over a WebSocket, so that the end of the page, which ends the connection, is
noticed. A message is the size of its head in four bytes, a head in JSON, and data.
"""

import atexit
import json
import os
import queue
import struct
import subprocess
import sys
import threading
import time

import numpy as np
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response
from websockets.sync.server import serve

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.html")
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--mute-audio",
           "--enable-features=WebMachineLearningNeuralNetwork"]
START_SECONDS = 60


def _serve_page(_connection, request):
    """The answer to a request that opens no WebSocket."""
    if "Upgrade" in request.headers:
        return None
    if request.path != "/":
        return Response(404, "Not Found", Headers({"Content-Length": "0"}))
    with open(PAGE, "rb") as page:
        body = page.read()
    return Response(200, "OK", Headers({"Content-Type": "text/html", "Content-Length": str(len(body))}), body)


class Browser:
    """A browser with the page, ready for batches.

    executable: the program of a Chromium that has WebNN.
    limits: what its MLContext.opSupportLimits() says.
    agent: what it calls itself.
    """

    def __init__(self, executable):
        connections, ended = queue.Queue(), threading.Event()

        def keep(connection):
            connections.put(connection)
            ended.wait()

        # A page that computes for long answers no ping.
        self.server = serve(keep, "127.0.0.1", 0, process_request=_serve_page, compression=None, max_size=None,
                            ping_interval=None)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{self.server.socket.getsockname()[1]}/"
        # What a browser says about its own state is no part of a run.
        try:
            self.process = subprocess.Popen([executable, *OPTIONS, address], stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError as error:
            sys.exit(f"{executable} cannot be started: {error.strerror}")
        self.ended = ended
        atexit.register(self.close)
        self.connection = self._wait_for(connections)
        hello, _ = self._receive()
        if "error" in hello:
            sys.exit(f"{executable} has no WebNN: {hello['error']}")
        self.limits, self.agent = hello["limits"], hello["agent"]

    def _wait_for(self, connections):
        """The connection of the page."""
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                return connections.get(timeout=0.2)
            except queue.Empty:
                if self.process.poll() is not None:
                    sys.exit(f"{self.process.args[0]} ended with exit status {self.process.returncode}")
                if time.monotonic() > end:
                    sys.exit(f"{self.process.args[0]} did not open the page within {START_SECONDS} seconds")

    def _send(self, head, parts):
        text = json.dumps(head, separators=(",", ":")).encode()
        self._connected(self.connection.send, b"".join([struct.pack("=I", len(text)), text, *parts]))

    def _receive(self):
        """The head and the data of a message."""
        message = self._connected(self.connection.recv)
        head = struct.unpack_from("=I", message)[0]
        return json.loads(message[4 : 4 + head]), memoryview(message)[4 + head :]

    @staticmethod
    def _connected(call, *arguments):
        """The result of a call that needs the page."""
        try:
            return call(*arguments)
        except ConnectionClosed as closed:
            reason = closed.rcvd.reason if closed.rcvd else ""
            sys.exit("the page of the browser has ended: " +
                     (reason or "the browser, or its process for the page, has crashed"))

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
        self.ended.set()
        self.server.shutdown()
