"""The jobs of a trace, streamed in order of submission in memory that does not grow with it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

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


class Job(NamedTuple):
    """A job as a trace tells of it, normalised. Names ending in `_s` are seconds.

    The limit is no less than the run time, so that nobody is stopped; unknown is -1.
    """

    number: int
    submit_s: int
    """From the first submission."""
    run_s: int
    limit_s: int
    procs: int
    units: int
    """So many units of `need` it holds, on whatever nodes."""
    need: Need
    memory_kib: int
    """Per processor, as requested."""
    status: int
    user: int
    group: int
    executable: int
    queue: int
    partition: int

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
        last, least = known[-1], min(known)
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
    make = _maker(machine)
    rows = (row for row in _rows(path, complaints) if _complete(row, complaints))
    jobs: Iterator[Job] = map(make, rows)
    if not seen.ordered:
        jobs = iter(sorted(jobs, key=lambda job: job.submit_s))
    first = next(jobs, None)
    if first is None:
        raise DocumentError(
            f"no job to replay: {complaints.incomplete} without submit time, run time or size",
            place=str(path),
        )
    begin = first.submit_s
    yield first._replace(submit_s=0)
    if begin == 0:
        yield from jobs
    for job in jobs:
        yield job._replace(submit_s=job.submit_s - begin)


def _rows(path: Path, complaints: Complaints) -> Iterator[tuple[int, ...]]:
    for block in Reading(path, FIELDS, complaints.bad_line).blocks():
        yield from zip(*(column.tolist() for column in block), strict=True)


def _complete(row: tuple[int, ...], complaints: Complaints) -> bool:
    if row[1] >= 0 and row[2] > 0 and (row[3] > 0 or row[4] > 0):
        return True
    complaints.incomplete += 1
    return False


def _maker(machine: Machine) -> Callable[[tuple[int, ...]], Job]:
    """Return what makes a job of a row."""
    resources = {name: number for number, name in enumerate(machine.resources)}
    kinds: dict[int, tuple[int, Need]] = {}
    memory = resources.get(MEMORY)

    def kind(partition: int) -> tuple[int, Need]:
        unit = machine.unit_of(partition)
        need = sorted((resources[name], amount) for name, amount in unit.items() if amount)
        return unit[CORE], tuple(need)

    def make(row: tuple[int, ...]) -> Job:
        number, submit, run, wanted, given, limit, memory_kib, *others = row
        status, user, group, executable, queue, partition = others
        found = kinds.get(partition)
        if found is None:
            found = kinds[partition] = kind(partition)
        cores, need = found
        procs = wanted if wanted > 0 else given
        if memory is not None and memory_kib > 0 and memory not in dict(need):
            need = tuple(sorted((*need, (memory, memory_kib * cores))))
        return Job(
            number,
            submit,
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

    return make
