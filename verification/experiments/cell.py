"""One experiment: a trace under one scheduler, allocator and kind of durations."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verification.experiments.allocators import ALLOCATORS
from verification.experiments.durations import DURATIONS
from verification.experiments.jobs import Complaints, default_machine, streamed, survey
from verification.experiments.machine import Machine
from verification.experiments.rate import Rate
from verification.experiments.replay import Loop, Nanoseconds, Watcher
from verification.experiments.schedulers import SCHEDULERS
from verification.experiments.state import State
from verification.experiments.tally import Tally

if TYPE_CHECKING:
    from verification.experiments.written import Written


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What is tried. The names are those of the tables."""

    trace: Path
    scheduler: str
    allocator: str = "first-fit"
    durations: str = "limit"
    machine: Machine | None = None
    """None: as the trace's header tells."""
    seed: int = 1
    """For an allocator that draws."""

    @property
    def name(self) -> str:
        """What tells it from others, as one word."""
        return f"{stem_of(self.trace)}.{self.scheduler}.{self.allocator}.{self.durations}"


def stem_of(trace: Path) -> str:
    """Return a trace's name without its endings."""
    return trace.name.removesuffix(".gz").removesuffix(".swf")


def experiment(cell: Cell, cpu: Nanoseconds, swf_out: Path | None = None) -> dict[str, Any]:
    """Replay a trace and return what it came to, as JSON knows it.

    `swf_out`: where the schedule is written as a trace, in one step at the end. Lines that are not
    what they should be and jobs too large for the machine are left out and named in `complaints`.
    Raises DocumentError if the trace cannot be read or does not tell what the machine is.
    """
    begun = cpu()
    seen = survey(cell.trace)
    machine = cell.machine or default_machine(seen.header, str(cell.trace))
    complaints = Complaints()
    origin_at = None if (unix := seen.header.unix_start_time) is None else unix + seen.first_s
    with _writing(swf_out, machine, cell.name, origin_at, complaints) as written:
        tally = Tally(machine.cores, complaints, written)
        loop = loop_of(cell, machine, tally, cpu)
        loop.run(streamed(cell.trace, machine, seen, complaints))
    return {
        "name": cell.name,
        "trace": cell.trace.name,
        "machine": {"name": machine.name, "nodes": machine.nodes, "cores": machine.cores},
        "scheduler": cell.scheduler,
        "allocator": cell.allocator,
        "durations": cell.durations,
        "seed": cell.seed,
        "figures": tally.figures(),
        "left_out": {
            "bad_lines": complaints.bad_lines,
            "incomplete": complaints.incomplete,
            "too_large": tally.too_large,
            "rejected": tally.rejected,
        },
        "complaints": complaints.words,
        "curves": tally.curves(),
        "sha256": tally.sha256,
        "cpu_s": (cpu() - begun) / 1e9,
    }


def loop_of(cell: Cell, machine: Machine, watcher: Watcher, cpu: Nanoseconds) -> Loop:
    """Return the replay of an experiment, ready for the jobs of its trace."""
    state = State(machine)
    return Loop(
        state,
        SCHEDULERS[cell.scheduler](machine),
        ALLOCATORS[cell.allocator](state, cell.seed),
        DURATIONS[cell.durations](),
        watcher,
        cpu,
        _rate_of(machine),
    )


def _rate_of(machine: Machine) -> Rate | None:
    if machine.speedups is None and machine.network is None:
        return None
    from verification.experiments.rates import rate_of

    return rate_of(machine)


@contextmanager
def _writing(
    path: Path | None,
    machine: Machine,
    note: str,
    origin_at: int | None,
    complaints: Complaints,
) -> "Iterator[Written | None]":
    """Yield what writes the schedule beside `path`, which it replaces once all went well."""
    if path is None:
        yield None
        return
    from verification.experiments.written import Written

    unfinished = path.with_name(f".{path.name}.part")
    written = Written(unfinished, machine, note, origin_at)
    try:
        yield written
        written.close(path)
    finally:
        unfinished.unlink(missing_ok=True)
    if written.fault:
        complaints.say(f"{path}: {written.fault}: the schedule was not written")
