"""What a look costs, by each way of looking, on a real Slurm with many waiting jobs.

    PYTHONPATH=tests python tests/bench/collect_cost.py [--jobs 10000] [--looks 5] [WAY ...]

As root, with Debian's Slurm; `pyslurm` is left out where there is none. The jobs are held, so that
the scheduler is idle and what the controller works is the answers' own. Printed is the look of a
minute, what seldom changes being known: the mean of several looks.
"""

import argparse
import os
import resource
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click
from live.asking import asked
from live.cluster import Slurm, missing, running, wait_until
from live.layout import OVERLAPPING
from live.rest import TOKENS, make_key, serving_beside

from collectors.commands import Run
from collectors.slurm import plans
from collectors.slurm.assemble import assemble
from collectors.slurm.library.asking import PYSLURM, Library, beside
from collectors.slurm.library.plan import by_pyslurm
from collectors.slurm.questions import Answers
from collectors.slurm.rest import plan as rest_plan
from collectors.slurm.rest.source import with_commands
from collectors.slurm.survey import Plan, Survey, Surveyor
from predictor.clock import SystemClock

TIMEOUT_S = 120
WARMING_UP = 2
"""The first look asks also what seldom changes; in the second all processes are there to stay."""
MANY = replace(
    OVERLAPPING, settings=(*OVERLAPPING.settings, "MaxArraySize=50001", "MaxJobCount=60000", TOKENS)
)
ONE_ARENA = "MALLOC_ARENA_MAX=1"


@contextmanager
def commands(slurm: Slurm) -> Iterator[Run]:
    """Ask by Slurm's commands."""
    yield partial(asked, slurm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way of looking, to be measured."""

    plan: Plan
    run: Callable[[Slurm], AbstractContextManager[Run]] = commands
    daemons: tuple[str, ...] = ("slurmctld",)
    """Those of the Slurm's daemons that work for it; `run` may have started some of them."""


@contextmanager
def slurmrestd(slurm: Slurm, variables: tuple[str, ...] = ()) -> Iterator[Run]:
    """Ask a slurmrestd with these variables in its environment, and Slurm's commands."""
    # Without accounting 22.05 starts with this plugin only.
    with serving_beside(slurm, variables, plugins="v0.0.38") as rest:
        yield with_commands(rest.client(rest.token()).run, partial(asked, slurm))


@dataclass(frozen=True, slots=True)
class Process:
    """The process that answers for a library at the moment."""

    library: Library

    @property
    def pid(self) -> int:
        """Return its id. Raises AttributeError if there is none."""
        return self.library._process._popen.pid  # type: ignore[union-attr]


@contextmanager
def library(slurm: Slurm) -> Iterator[Run]:
    """Ask Slurm's library through pyslurm, and Slurm's commands."""
    asked_first = Library(unmatched=True)
    os.environ["SLURM_CONF"] = slurm.environment["SLURM_CONF"]
    slurm.daemons[PYSLURM] = Process(asked_first)  # type: ignore[assignment]
    try:
        yield beside(asked_first.run, partial(asked, slurm))
    finally:
        del slurm.daemons[PYSLURM], os.environ["SLURM_CONF"]
        asked_first.close()


BY_REST = Way(
    plan=rest_plan.with_commands,
    run=partial(slurmrestd, variables=(ONE_ARENA,)),
    daemons=("slurmctld", "slurmrestd"),
)
WAYS: Mapping[str, Way] = {
    "text": Way(plan=plans.by_text),
    "json": Way(plan=plans.by_json),
    "rest": BY_REST,
    "rest-many-arenas": replace(BY_REST, run=slurmrestd),
    PYSLURM: Way(plan=by_pyslurm, run=library, daemons=("slurmctld", PYSLURM)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a look cost; times in seconds."""

    wall: float
    daemons: Mapping[str, float]
    """Processor time of each daemon, or whatever else stays to answer."""
    asking: float
    """Processor time of the commands that asked."""
    reading: float
    """Processor time of making the snapshot."""
    jobs: int
    kept_mb: Mapping[str, int]
    """What each daemon holds of memory after the last look."""
    calls: Mapping[str, tuple[float, int]]
    """Seconds and bytes of each call of the last look."""

    @property
    def size_mb(self) -> float:
        """Return how much was printed in one look, in millions of bytes."""
        return sum(size_bytes for _, size_bytes in self.calls.values()) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("ways", nargs="*", metavar="WAY", help=f"of {', '.join(WAYS)}")
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--looks", type=int, default=5)
    options = parser.parse_args()
    if lack := missing():
        raise SystemExit(lack)
    with running(MANY, make_key) as slurm:
        crowd(slurm, options.jobs)
        here = [name for name in WAYS if name != PYSLURM or find_spec(PYSLURM)]
        for name in options.ways or here:
            report(name, mean(slurm, WAYS[name], options.looks))


def crowd(slurm: Slurm, jobs: int) -> None:
    """Make so many waiting jobs: the tasks of an array, each of which was touched by itself."""
    array = slurm.submit("-a", f"0-{jobs - 1}", "--hold", "-t", "10", "--comment", "one of many")
    slurm.run("scontrol", "hold", f"{array}_[1-{jobs - 1}]")
    listed = ("env", "SQUEUE_ARRAY_UNIQUE=1", "squeue", "-ah", "-o", "%A")
    wait_until(lambda: len(slurm.run(*listed).split()) == jobs, "the jobs", 120)


def mean(slurm: Slurm, way: Way, looks: int) -> Cost:
    """Return the mean cost of so many looks, the very first one not counted."""
    with way.run(slurm) as run:
        surveyor = Surveyor(
            run, SystemClock(), way.plan, timeout_s=TIMEOUT_S, slow_every_s=10 * TIMEOUT_S
        )
        for _ in range(WARMING_UP):
            surveyor.survey()
        wall, worked, asking = time.monotonic(), worked_s(slurm, way), children_s()
        surveys = [surveyor.survey() for _ in range(looks)]
        wall = time.monotonic() - wall
        worked = {name: spent - worked[name] for name, spent in worked_s(slurm, way).items()}
        asking = children_s() - asking
        held = {name: kept_mb(slurm, name) for name in way.daemons}
    reading_s, jobs = read(surveys[-1])
    return Cost(
        wall=wall / looks,
        daemons={name: spent / looks for name, spent in worked.items()},
        asking=asking / looks,
        reading=reading_s,
        calls={call.name: (call.duration_s, call.size_bytes) for call in surveys[-1].calls},
        jobs=jobs,
        kept_mb=held,
    )


def read(survey: Survey) -> tuple[float, int]:
    """Return how long reading the answers took, and how many jobs wait in them."""
    if survey.error is not None:
        raise survey.error
    begun = time.process_time()
    answers = Answers(printed=survey.printed, failed=survey.failed)
    snapshot = assemble(answers, taken_at=round(survey.begun_at), source="bench", account="root")
    return time.process_time() - begun, len(snapshot.pending)


def worked_s(slurm: Slurm, way: Way) -> Mapping[str, float]:
    """Return how long each daemon has worked so far."""
    found = {}
    for name in way.daemons:
        stat = Path(f"/proc/{slurm.daemons[name].pid}/stat").read_text().rpartition(")")[2].split()
        found[name] = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
    return found


def kept_mb(slurm: Slurm, name: str) -> int:
    """Return how much memory a daemon holds, in MiB."""
    status = Path(f"/proc/{slurm.daemons[name].pid}/status").read_text()
    (held,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    return int(held) // 1024


def children_s() -> float:
    """Return how long the commands that have ended have worked so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report(name: str, one: Cost) -> None:
    """Print a way's cost."""
    worked = ", ".join(f"{daemon} {spent:.3f} s" for daemon, spent in one.daemons.items())
    click.echo(
        f"{name}: {one.jobs} jobs, {len(one.calls)} calls, {one.wall:.2f} s, "
        f"{one.size_mb:.2f} MB, processor: {worked}, "
        f"commands {one.asking:.2f} s, reading {one.reading:.2f} s"
    )
    held = ", ".join(f"{daemon} {mb} MiB" for daemon, mb in one.kept_mb.items())
    click.echo(f"    memory afterwards: {held}")
    for call, (seconds, size_bytes) in sorted(one.calls.items(), key=lambda item: -item[1][0])[:4]:
        click.echo(f"    {call:14} {seconds:6.2f} s {size_bytes / 1e6:8.2f} MB")


if __name__ == "__main__":
    main()
