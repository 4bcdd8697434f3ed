"""The jobs of a trace, streamed in order of submission in memory that does not grow with it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Final

from predictor.errors import DocumentError
from predictor.swf import Header
from verification.experiments.machine import CORE, MEMORY, Machine, alike
from verification.experiments.state import Need
from verification.traces.swf import Reading

FIELDS: Final = (
    "number",
    "submit_s",
    "run_s",
    "requested_procs",
    "allocated_procs",
    "requested_s",
    "requested_memory_kib",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
)
"""The fields that a replay, or the trace written of it, makes use of."""
MOST_NAMED: Final = 20
"""So many lines or jobs of a trace are named; the others are counted."""
MOST_PROCS: Final = 10**9


class Job:
    """A job as a trace tells of it, normalised. Names ending in `_s` are seconds.

    The limit is no less than the run time, so that nobody is stopped; unknown is -1.
    """

    __slots__ = (
        *("executable", "group", "limit_s", "memory_kib", "need", "number", "partition"),
        *("procs", "queue", "run_s", "status", "submit_s", "units", "user"),
    )

    def __init__(
        self,
        number: int,
        submit_s: int,
        run_s: int,
        limit_s: int,
        procs: int,
        units: int,
        need: Need,
        memory_kib: int,
        status: int,
        user: int,
        group: int,
        executable: int,
        queue: int,
        partition: int,
    ) -> None:
        self.number = number
        self.submit_s = submit_s
        """From the first submission."""
        self.run_s = run_s
        self.limit_s = limit_s
        self.procs = procs
        self.units = units
        """So many units of `need` it holds, on whatever nodes."""
        self.need = need
        self.memory_kib = memory_kib
        """Per processor, as requested."""
        self.status = status
        self.user = user
        self.group = group
        self.executable = executable
        self.queue = queue
        self.partition = partition

    @property
    def program(self) -> int:
        """A number for what it runs: the executable; if the trace tells none, the user."""
        return self.executable if self.executable >= 0 else self.user


@dataclass(slots=True, kw_only=True)
class Complaints:
    """What is wrong with a trace, some of it in words."""

    bad_lines: int = 0
    incomplete: int = 0
    """Jobs without submit time, run time or size."""
    words: list[str] = field(default_factory=list)

    def bad_line(self, fault: DocumentError) -> None:
        """Take note of a line that is left out."""
        self.bad_lines += 1
        self.say(f"{fault}: left out")

    def say(self, words: str) -> None:
        """Take note of something, if it is among the first."""
        if len(self.words) < MOST_NAMED:
            self.words.append(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a first look at a trace tells."""

    header: Header
    ordered: bool
    """Whether jobs stand in order of submission."""
    first_s: int
    """The first submission."""
    jobs: int


def survey(path: Path) -> Survey:
    """Look through a trace once. Raises DocumentError if it cannot be read or holds no job."""
    reading = Reading(path, ("submit_s",), lambda fault: None)
    ordered, last, first = True, 0, -1
    for (submits,) in reading.blocks():
        known = [submit for submit in submits.tolist() if submit >= 0]
        if not known:
            continue
        ordered = ordered and known[0] >= last and known == sorted(known)
        last, least = max(known), min(known)
        first = least if first < 0 else min(first, least)
    if first < 0:
        raise DocumentError("no job that was ever submitted", place=str(path))
    return Survey(header=reading.header, ordered=ordered, first_s=first, jobs=reading.jobs)


def default_machine(header: Header, name: str) -> Machine:
    """Return the machine that a header tells of: MaxProcs on MaxNodes nodes, if that divides.

    Where it does not, each processor is a node. Raises DocumentError without MaxProcs.
    """
    procs, nodes = header.max_procs, header.max_nodes
    if procs is None or not 1 <= procs <= MOST_PROCS:
        raise DocumentError(
            "the header does not tell MaxProcs: say what the machine is", place=name
        )
    if not nodes or procs % nodes:
        nodes = procs
    return alike(nodes, procs // nodes, name)


def streamed(path: Path, machine: Machine, seen: Survey, complaints: Complaints) -> Iterator[Job]:
    """Yield the jobs in order of submission, those submitted at once in the order of the file.

    The rules are those of `verification.traces.jobs`; jobs too wide for the machine are yielded. A
    trace out of order is sorted first: then memory grows with it. Raises DocumentError.
    """
    complete = (row for row in _rows(path, complaints) if _complete(row, complaints))
    rows = complete if seen.ordered else iter(sorted(complete, key=itemgetter(1)))
    first = next(rows, None)
    if first is None:
        raise DocumentError(
            f"no job to replay: {complaints.incomplete} without submit time, run time or size",
            place=str(path),
        )
    maker = _Maker(machine, first[1])
    yield maker.job(first)
    for row in rows:
        yield maker.job(row)


def _rows(path: Path, complaints: Complaints) -> Iterator[tuple[int, ...]]:
    for block in Reading(path, FIELDS, complaints.bad_line).blocks():
        yield from zip(*(column.tolist() for column in block), strict=True)


def _complete(row: tuple[int, ...], complaints: Complaints) -> bool:
    if row[1] >= 0 and row[2] > 0 and (row[3] > 0 or row[4] > 0):
        return True
    complaints.incomplete += 1
    return False


class _Maker:
    """Makes jobs of rows."""

    def __init__(self, machine: Machine, begin_s: int) -> None:
        self._machine = machine
        self._begin_s = begin_s
        self._resources = {name: number for number, name in enumerate(machine.resources)}
        self._memory = self._resources.get(MEMORY)
        self._kinds: dict[int, tuple[int, Need]] = {}
        """By partition: the cores of a unit, and all that it takes."""

    def job(self, row: tuple[int, ...]) -> Job:
        (
            number, submit, run, wanted, given, limit, memory_kib,
            status, user, group, executable, queue, partition,
        ) = row  # fmt: skip
        found = self._kinds.get(partition)
        if found is None:
            found = self._kinds[partition] = self._kind(partition)
        cores, need = found
        procs = wanted if wanted > 0 else given
        if self._memory is not None and memory_kib > 0 and self._memory not in dict(need):
            need = tuple(sorted((*need, (self._memory, memory_kib * cores))))
        return Job(
            number,
            submit - self._begin_s,
            run,
            limit if limit > run else run,
            procs,
            procs if cores == 1 else -(-procs // cores),
            need,
            memory_kib,
            status,
            user,
            group,
            executable,
            queue,
            partition,
        )

    def _kind(self, partition: int) -> tuple[int, Need]:
        unit = self._machine.unit_of(partition)
        need = sorted((self._resources[name], amount) for name, amount in unit.items() if amount)
        return unit[CORE], tuple(need)
