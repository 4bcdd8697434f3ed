"""Running one command: never for longer than its deadline, never for more output than allowed."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from predictor.errors import SourceError, SourceOverflow, SourceTimeout

TIMEOUT_S = 20.0
MOST_BYTES = 512 * 2**20
MOST_COMPLAINT_BYTES = 4096
"""Kept of standard error; the rest is read and dropped."""

_STEERING = ("SQUEUE_", "SINFO_", "SPRIO_", "SSHARE_", "SACCT_", "SACCTMGR_", "SCONTROL_", "SDIAG_")
_STEERING_NAMES = frozenset({"SLURM_CLUSTERS", "SLURM_TIME_FORMAT", "SLURM_JSON", "SLURM_YAML"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What a command printed, and what that cost."""

    output: str
    """Standard output; bytes that are no UTF-8 are replaced."""
    complaint: str = ""
    """The beginning of standard error."""
    exit_code: int = 0
    duration_s: float = 0.0
    size_bytes: int = 0


Run = Callable[[Sequence[str], float], Printed]
"""Runs a command with a deadline in seconds. Raises SourceError, also as SourceTimeout."""
Take = Callable[[bytes], object]
Stream = Callable[[Sequence[str], float, Take], Printed]
"""The same where the output is handed on as it comes, and none of it is in the result."""


def run(argv: Sequence[str], timeout_s: float, *, most_bytes: int = MOST_BYTES) -> Printed:
    """Run a command to its end and return what it printed.

    Raises SourceTimeout at the deadline, SourceOverflow if it prints more than `most_bytes` and
    SourceError if it cannot be run; the command and all it started are then killed.
    """
    output = bytearray()
    printed = stream(argv, timeout_s, output.extend, most_bytes=most_bytes)
    return replace(printed, output=output.decode(errors="replace"))


def stream(
    argv: Sequence[str], timeout_s: float, take: Take, *, most_bytes: int = MOST_BYTES
) -> Printed:
    """Run a command to its end; `take` gets what it prints piece by piece, memory stays flat.

    Raises what `run` raises, and whatever `take` raises; the command is then killed as well. The
    time that `take` needs counts.
    """
    begun = time.monotonic()
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(os.environ),
            start_new_session=True,
        )
    except FileNotFoundError as error:
        raise SourceError(f"{argv[0]}: no such command; is it on the PATH?") from error
    except OSError as error:
        raise SourceError(f"{argv[0]}: {error.strerror}") from error
    with process:
        try:
            size_bytes, complaint = _poured(process, begun + timeout_s, take, most_bytes)
        except TimeoutError:
            raise SourceTimeout(f"{' '.join(argv)}: no answer within {timeout_s:g} s") from None
        except OverflowError:
            raise SourceOverflow(f"{' '.join(argv)}: more than {most_bytes} bytes") from None
        finally:
            _kill_group(process)
    return Printed(
        output="",
        complaint=complaint.decode(errors="replace"),
        exit_code=process.returncode,
        duration_s=time.monotonic() - begun,
        size_bytes=size_bytes,
    )


def environment(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for Slurm's commands: ours, less what would steer their output.

    Times are printed in UTC, where no hour comes twice, and array tasks in full, those that wait
    apart from their array as jobs of their own.
    """
    kept = {
        name: value
        for name, value in ours.items()
        if not name.startswith(_STEERING) and name not in _STEERING_NAMES
    }
    wanted = {"SLURM_BITSTR_LEN": "0", "SQUEUE_ARRAY_UNIQUE": "1"}
    return kept | {"LC_ALL": "C", "TZ": "UTC"} | wanted


def _poured(
    process: subprocess.Popen[bytes], deadline: float, take: Take, most_bytes: int
) -> tuple[int, bytes]:
    """Return the size of standard output, and standard error, once the process is over.

    Raises TimeoutError and OverflowError.
    """
    size_bytes, complaint = 0, bytearray()
    assert process.stdout is not None and process.stderr is not None  # noqa: S101
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(process.stderr, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                piece = os.read(key.fd, 2**16)
                if not piece:
                    selector.unregister(key.fileobj)
                elif key.fileobj is process.stderr:
                    complaint += piece[: MOST_COMPLAINT_BYTES - len(complaint)]
                else:
                    size_bytes += len(piece)
                    if size_bytes > most_bytes:
                        raise OverflowError
                    take(piece)
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    return size_bytes, bytes(complaint)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    # Also after a good end: what the command left behind must not outlive its answer.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
