"""One process that asks Slurm's library: started, asked within a deadline, and ended."""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress

from collectors.commands import MOST_COMPLAINT_BYTES, environment
from collectors.slurm.library import child

MOST_HEAD_BYTES = 200
DYING_S = 2.0
"""So long a process that has closed its answers may take to end."""


class Died(Exception):
    """The process has ended before it answered."""

    def __init__(self, why: str, *, crashed: bool) -> None:
        self.crashed = crashed
        super().__init__(why)


class Process:
    """A process that answers questions to pyslurm, in a process group of its own."""

    def __init__(self) -> None:
        """Start it. Raises OSError."""
        self.answers = 0
        self._complaint = bytearray()
        self._popen = subprocess.Popen(
            [sys.executable, "-P", child.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(os.environ),
            start_new_session=True,
        )
        # Also when nobody ends it: it must not outlive whoever asks it.
        self.end = weakref.finalize(self, _end, self._popen)

    def ask(
        self, question: Mapping[str, object], deadline: float, most_bytes: int
    ) -> tuple[int, bytes]:
        """Return `exit` and the body of the answer, once it is there.

        `deadline` is a reading of the monotonic clock. Raises TimeoutError, OverflowError for too
        long an answer, Died, and ValueError for what is no answer.
        """
        self._complaint.clear()
        try:
            self._write(json.dumps(question).encode() + b"\n")
            head, body = self._read(deadline, most_bytes)
        except (EOFError, BrokenPipeError):
            raise self._death() from None
        self.answers += 1
        return head, body

    @property
    def last_words(self) -> str:
        """Return the last line of what it said on standard error, as the end of a sentence."""
        lines = self._complaint.decode(errors="replace").strip().splitlines()
        return f"; it said: {lines[-1].strip()[:200]}" if lines else ""

    def _write(self, line: bytes) -> None:
        assert self._popen.stdin is not None  # noqa: S101
        self._popen.stdin.write(line)
        self._popen.stdin.flush()

    def _read(self, deadline: float, most_bytes: int) -> tuple[int, bytes]:
        buffer, code, needed = bytearray(), None, MOST_HEAD_BYTES
        while code is None or len(buffer) < needed:
            buffer += self._piece(deadline)
            if code is None and b"\n" in buffer:
                head, _, rest = bytes(buffer).partition(b"\n")
                code, needed = _head_of(head)
                buffer = bytearray(rest)
                if needed > most_bytes:
                    raise OverflowError
            if len(buffer) > needed:
                raise ValueError(f"expected {needed} bytes, got {bytes(buffer[:40])!r} and more")
        return code, bytes(buffer)

    def _piece(self, deadline: float) -> bytes:
        """Return what has come on standard output; empty if it was standard error."""
        output, complaint = self._popen.stdout, self._popen.stderr
        assert output is not None and complaint is not None  # noqa: S101
        with selectors.DefaultSelector() as selector:
            for pipe in (output, complaint):
                selector.register(pipe, selectors.EVENT_READ)
            ready = selector.select(max(0.0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError
        if any(key.fileobj is complaint for key, _ in ready):
            said = os.read(complaint.fileno(), 2**16)
            self._complaint[:] = (self._complaint + said)[-MOST_COMPLAINT_BYTES:]
            if said:
                return b""
        if piece := os.read(output.fileno(), 2**20):
            return piece
        raise EOFError

    def _death(self) -> Died:
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(DYING_S)
        code = self._popen.returncode
        if code is None:
            return Died("its process no longer answers", crashed=False)
        if code < 0:
            name = signal.Signals(-code).name
            return Died(f"its process was ended by {name}{self.last_words}", crashed=True)
        return Died(f"its process ended with exit status {code}{self.last_words}", crashed=False)


def _head_of(line: bytes) -> tuple[int, int]:
    """Return `exit` and the size of the body. Raises ValueError."""
    try:
        head = json.loads(line)
        code, size = head["exit"], head["bytes"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise ValueError(repr(line[:80])) from None
    if not (isinstance(code, int) and isinstance(size, int) and size >= 0):
        raise ValueError(repr(line[:80]))
    return code, size


def _end(popen: subprocess.Popen[bytes]) -> None:
    if popen.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(popen.pid, signal.SIGKILL)
    with suppress(BrokenPipeError), popen:
        pass
