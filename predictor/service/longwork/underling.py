"""The process of an experiment: does one of our own commands, humbly and within bounds.

python -m predictor.service.longwork.underling CPU_S MEMORY_BYTES COMMAND...
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from collections.abc import Mapping, Sequence

MODULE = "predictor.service.longwork.underling"
HUMBLEST = 19
LARGEST_FILE_BYTES = 4 * 2**30
PR_SET_PDEATHSIG = 1
"""Source: prctl(2)."""


def hired(
    cpu_s: int, memory_bytes: int, command: Sequence[str]
) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Return what starts such a process, and its environment: the modules are ours, wherever."""
    words = (sys.executable, "-m", MODULE, str(cpu_s), str(memory_bytes), *command)
    return words, {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def humble(cpu_s: int, memory_bytes: int) -> None:
    """Let everybody else come first, use no more than so much, and end with who started us."""
    os.nice(HUMBLEST)
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_FSIZE, LARGEST_FILE_BYTES),
    ):
        hard = resource.getrlimit(what)[1]
        bound = most if hard < 0 else min(most, hard)
        resource.setrlimit(what, (bound, bound))
    # Elsewhere than on Linux there is no such call; then the whole group is ended by who stops us.
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main(words: Sequence[str]) -> None:
    """Do the command."""
    cpu_s, memory_bytes, *command = words
    humble(int(cpu_s), int(memory_bytes))
    sys.argv = ["queuecast", *command]
    from predictor.cli import main as queuecast

    queuecast()


if __name__ == "__main__":
    main(sys.argv[1:])
