"""Asking Slurm's library as if it were a command."""

import time
from collections.abc import Sequence

from collectors import commands
from collectors.commands import Printed, Run
from collectors.slurm.library import child
from collectors.slurm.library.attributes import OF_EACH
from collectors.slurm.library.process import Died, Process
from predictor.errors import SourceError, SourceFormatError, SourceTimeout

PYSLURM = "pyslurm"
MOST_ANSWERS = 1000
"""After so many the process is replaced, so that what it lost on the way is free again."""
HINT = '; kind = "slurm-cli" asks the commands instead'


class Library:
    """Slurm's library in a process of its own, started when needed and anew after a failure."""

    def __init__(self, *, unmatched: bool = False, most_bytes: int = commands.MOST_BYTES) -> None:
        """`unmatched`: ask also a pyslurm that was made for another library than is there."""
        self._unmatched = unmatched
        self._most_bytes = most_bytes
        self._layouts = True
        self._process: Process | None = None

    def run(self, argv: Sequence[str], timeout_s: float) -> Printed:
        """Ask `("pyslurm", "Jobs.load")` and return the answer as if a command had printed it.

        Raises SourceTimeout at the deadline, SourceFormatError for what is no answer, and
        SourceError if the process ends or says too much. It is killed then.
        """
        begun = time.monotonic()
        process, self._process = self._process, None
        try:
            process = process or Process()
            code, body = self._answer(process, argv[1], begun + timeout_s)
        except TimeoutError:
            why = f"no answer within {timeout_s:g} s{process.last_words if process else ''}"
            raise SourceTimeout(f"{' '.join(argv)}: {why}") from None
        except OverflowError:
            why = f"more than {self._most_bytes} bytes"
            raise SourceError(f"{' '.join(argv)}: {why}") from None
        except ValueError as error:
            raise SourceFormatError(f"{' '.join(argv)}: not an answer: {error}") from None
        except (Died, OSError) as error:
            raise SourceError(f"{' '.join(argv)}: {error}") from None
        finally:
            if process is not None and process is not self._process:
                process.end()
        return _printed(code, body.decode(errors="replace"), time.monotonic() - begun)

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _answer(self, process: Process, name: str, deadline: float) -> tuple[int, bytes]:
        question = {
            "ask": name,
            "attributes": OF_EACH.get(name, ()),
            "unmatched": self._unmatched,
            "layouts": self._layouts,
        }
        try:
            code, body = process.ask(question, deadline, self._most_bytes)
        except Died as death:
            # Reading what jobs hold digs deepest into the library: try without next time.
            self._layouts = self._layouts and not death.crashed
            raise
        if code in {0, child.NOT_OFFERED} and process.answers < MOST_ANSWERS:
            self._process = process
        return code, body


def beside(library: Run, others: Run) -> Run:
    """Return what asks the library what is asked of pyslurm, and runs all else as a command."""

    def run(argv: Sequence[str], timeout_s: float) -> Printed:
        return (library if argv[0] == PYSLURM else others)(argv, timeout_s)

    return run


def _printed(code: int, text: str, duration_s: float) -> Printed:
    if code:
        hint = HINT if code == child.CANNOT_SERVE else ""
        return Printed(output="", complaint=text + hint, exit_code=code, duration_s=duration_s)
    return Printed(output=text, duration_s=duration_s, size_bytes=len(text))
