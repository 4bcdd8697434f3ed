"""The jobs of a trace, one after the other: never more of it in memory than a line."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from predictor.domain import Outcome
from predictor.errors import SourceError
from predictor.swf import FIELDS, LONGEST_LINE_BYTES, Header, content, header_entry, numbers

UNKNOWN = -1
PARTS_OF_OTHERS = frozenset({2, 3, 4})
"""The states of lines that tell a part of a job which has a line of its own, too."""
CANCELLED = 5
_OUTCOMES = {0: Outcome.FAILED, 1: Outcome.COMPLETED, CANCELLED: Outcome.CANCELLED}
LONGEST_EXAMPLE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceJob:
    """A job of a trace. Names ending in `_s` are seconds of the trace."""

    line: int
    """Where it stands in the trace."""
    number: int
    submit_s: int
    start_s: int | None
    """None: it was cancelled before it started."""
    end_s: int
    """When it left: nodes, or the queue."""
    cpus: int
    limit_s: int | None
    """None: it asked for none."""
    user: int
    group: int
    program: int
    queue: int
    partition: int
    outcome: Outcome


@dataclass(slots=True)
class LeftOut:
    """The lines that were left out, and why the first one was."""

    count: int = 0
    example: str = ""

    def add(self, line: int, cause: str) -> None:
        """Count one line."""
        self.count += 1
        self.example = self.example or f"line {line}: {cause}"[:LONGEST_EXAMPLE]


@dataclass(slots=True)
class Stream:
    """A trace that is read line by line."""

    path: Path
    left_out: LeftOut = field(default_factory=LeftOut)

    def header(self) -> Header:
        """Return what the comments before the first job say. Raises SourceError."""
        found: dict[str, int] = {}
        for _, line in self._lines():
            if line.strip() and not line.lstrip().startswith(b";"):
                break
            found |= header_entry(line)
        return Header(**found)

    def jobs(self, machine: int) -> Iterator[TraceJob]:
        """Yield the jobs that a machine of so many CPUs can run, in the file's order.

        `left_out` counts the others, and lines that make no sense. Raises SourceError if the
        file cannot be read.
        """
        for number, line in self._lines():
            try:
                job = _job(number, numbers(line), machine)
            except ValueError as error:
                self.left_out.add(number, str(error))
            else:
                if job is not None:
                    yield job

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        number = 0
        try:
            with self.path.open("rb") as raw, content(raw) as file:
                while line := file.readline(LONGEST_LINE_BYTES + 1):
                    number += 1
                    if len(line) > LONGEST_LINE_BYTES:
                        raise SourceError(
                            f"{self.path}:{number}: longer than {LONGEST_LINE_BYTES} bytes"
                        )
                    yield number, line
        except (OSError, EOFError, zlib.error) as error:
            cause = getattr(error, "strerror", None) or error
            raise SourceError(f"{self.path}: {cause}") from error


def _job(line: int, values: tuple[int, ...], machine: int) -> TraceJob | None:
    """Return the job of a line; None for a comment or a part of another job.

    Raises ValueError if it cannot be played.
    """
    if not values:
        return None
    told = dict(zip(FIELDS, values, strict=True))
    if told["status"] in PARTS_OF_OTHERS:
        return None
    cpus = told["requested_procs"] if told["requested_procs"] > 0 else told["allocated_procs"]
    if told["submit_s"] < 0 or told["wait_s"] < 0 or cpus < 1:
        raise ValueError("its submission, its wait or its size is not known")
    if cpus > machine:
        raise ValueError(f"{cpus} processors are more than the machine's {machine}")
    start_s = told["submit_s"] + told["wait_s"]
    never_ran = told["run_s"] <= 0 and told["status"] == CANCELLED
    if told["run_s"] < 0 and not never_ran:
        raise ValueError("how long it ran is not known")
    return TraceJob(
        line=line,
        number=told["number"],
        submit_s=told["submit_s"],
        start_s=None if never_ran else start_s,
        end_s=start_s + max(0, told["run_s"]),
        cpus=cpus,
        limit_s=told["requested_s"] if told["requested_s"] > 0 else None,
        user=told["user"],
        group=told["group"],
        program=told["executable"],
        queue=told["queue"],
        partition=told["partition"],
        outcome=_outcome(told),
    )


def _outcome(told: dict[str, int]) -> Outcome:
    if told["status"] not in (1, CANCELLED) and 0 < told["requested_s"] <= told["run_s"]:
        return Outcome.TIMEOUT
    return _OUTCOMES.get(told["status"], Outcome.OTHER)
