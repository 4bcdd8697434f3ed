"""The kind of run `experiment`: a trace under one scheduler, allocator and kind of durations."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from predictor.errors import SiteError
from predictor.site.table import Table
from predictor.site.values import one_of
from verification.experiments.allocators import ALLOCATORS
from verification.experiments.cell import Cell, experiment, loop_of
from verification.experiments.course import Running
from verification.experiments.durations import DURATIONS
from verification.experiments.jobs import Complaints, Job, default_machine, streamed, survey
from verification.experiments.machine import CORE, Machine, alike
from verification.experiments.machine_file import load_machine
from verification.experiments.ready_made import ready_made
from verification.experiments.schedulers import SCHEDULERS
from verification.experiments.state import State
from verification.measures import MEASURES, Ran, Watch
from verification.sweep.digests import digest_of_file
from verification.sweep.kinds import Course, Outcome, Settings
from verification.sweep.settings import PlainKind, faults_by

MOST_NODES = 10**6


class ExperimentSettings(Table):
    """What may be set: the names are those of `queuecast experiment`."""

    scheduler: Annotated[str, AfterValidator(one_of(SCHEDULERS))] = "easy"
    allocator: Annotated[str, AfterValidator(one_of(ALLOCATORS))] = "first-fit"
    durations: Annotated[str, AfterValidator(one_of(DURATIONS))] = "limit"
    nodes: Annotated[int, Field(ge=1, le=MOST_NODES)] | None = None
    cores: Annotated[int, Field(ge=1, le=MOST_NODES)] | None = None
    """Of each of `nodes`; None: one."""
    machine: str | None = None
    """In place of `nodes`: a ready-made machine's name, or a file. Neither: as the trace tells."""

    def made(self) -> Machine | None:
        """Return the machine; None: as the trace's header tells. Raises SiteError."""
        if self.machine is not None:
            return load_machine(self.machine)
        return None if self.nodes is None else alike(self.nodes, self.cores or 1)


class Experiments(PlainKind):
    """Traces replayed on nodes, streamed."""

    name = "experiment"
    figures = (*MEASURES, "most_wait_s", "jobs")

    def faults(self, settings: Settings) -> Iterator[tuple[str, str]]:
        """Yield each setting that cannot be, and what would have been right."""
        wrong = list(faults_by(ExperimentSettings, settings))
        yield from wrong
        if "cores" in settings and "nodes" not in settings:
            yield "cores", "of how many nodes? `nodes` is missing"
        if "nodes" in settings and "machine" in settings:
            yield "machine", "`nodes` says already what the machine is"
        if not wrong:
            try:
                ExperimentSettings.model_validate(settings).made()
            except SiteError as error:
                yield "machine", str(error)

    def settled(self, points: Sequence[Settings], folder: Path) -> Sequence[Settings]:
        """Return the points, files of machines named from the root on."""
        return [
            {**point, "machine": str(folder / machine)}
            if isinstance(machine := point.get("machine"), str) and machine not in ready_made()
            else point
            for point in points
        ]

    def files(self, settings: Settings) -> Sequence[Path]:
        """Return the file that describes the machine, if one does."""
        machine = ExperimentSettings.model_validate(settings).machine
        return () if machine is None or machine in ready_made() else (Path(machine),)

    def chance(self, settings: Settings) -> bool:
        """Return whether another seed may bring another outcome."""
        return ExperimentSettings.model_validate(settings).allocator == "random"

    def digest(self, path: Path) -> str:
        """Return a hash over the bytes of the trace. Raises OSError."""
        return digest_of_file(path)

    def read(self, path: Path) -> Path:
        """Return the path: traces are streamed."""
        return path

    def run(self, read: Path, settings: Settings, seed: int) -> Outcome:
        """Replay once. Raises QueuecastError."""
        found = experiment(_cell(read, settings, seed), time.process_time_ns)
        return Outcome(
            figures={name: found["figures"].get(name) for name in self.figures},
            sha256=found["sha256"],
        )

    def course(self, read: Path, settings: Settings, seed: int) -> Course:
        """Replay once, and return when and where everybody ran. Raises QueuecastError."""
        cell, seen = _cell(read, settings, seed), survey(read)
        machine = cell.machine or default_machine(seen.header, str(read))
        watcher = _Courses(len(str(machine.nodes)))
        loop = loop_of(cell, machine, watcher, time.process_time_ns)
        loop.run(streamed(read, machine, seen, Complaints()))
        return Course(
            jobs=watcher.jobs,
            watch=Watch(
                since=0,
                until=max(loop.now_s, 1),
                cpus=machine.cores,
                node_cpus={
                    watcher.name(node): cpus for node, cpus in enumerate(machine.column(CORE))
                },
            ),
        )


def _cell(trace: Path, settings: Settings, seed: int) -> Cell:
    chosen = ExperimentSettings.model_validate(settings)
    return Cell(
        trace=trace,
        scheduler=chosen.scheduler,
        allocator=chosen.allocator,
        durations=chosen.durations,
        machine=chosen.made(),
        seed=seed,
    )


class _Courses:
    """Keeps when and where each job ran."""

    def __init__(self, digits: int) -> None:
        self.jobs: list[Ran] = []
        self._digits = digits

    def name(self, node: int) -> str:
        return f"n{node + 1:0{self._digits}}"

    def refused(self, rank: int, job: Job, too_large: bool) -> None:
        pass

    def dispatched(self, waiting: int, cpu_ns: int) -> None:
        pass

    def settled(self, now_s: int, waiting: int, wanted_cores: int, state: State) -> None:
        pass

    def ended(self, rank: int, running: Running) -> None:
        job = running.queued.job
        self.jobs.append(
            Ran(
                id=str(job.number),
                submit_at=job.submit_s,
                start_at=running.start_s,
                end_at=running.end_s,
                cpus=running.queued.shape.cores * running.queued.units,
                nodes=len(running.places),
                node_names=tuple(self.name(node) for node, _ in running.places),
            )
        )
