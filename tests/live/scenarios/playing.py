"""Playing a scenario on a real Slurm while its answers are written down."""

import os
import shlex
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from live.asking import asked
from live.cluster import Slurm
from live.power import Keeper
from live.scenarios.scenario import Deed, Job, Scenario

from collectors.commands import Printed, environment
from collectors.slurm import questions
from collectors.slurm.source import SlurmSource, seen_at
from predictor.clock import SystemClock

FIRST_LOOK_S = 0.3
"""So long after something was done, Slurm has written it down and seldom acted on it."""
SETTLED_S = 6
"""So long after the last end, accounting knows it."""
SLOW_EVERY_S = 15.0
ACCOUNTING = (
    "JobID,JobIDRaw,JobName,User,Account,Partition,QOS,State,ExitCode,Submit,Eligible,Start,End,"
    "Elapsed,Timelimit,NNodes,NCPUS,ReqTRES,AllocTRES,NodeList,Priority,Reservation,Reason,Flags"
)


@dataclass(slots=True)
class Notebook:
    """What Slurm answered, in order."""

    slurm: Slurm
    runs: list[dict[str, object]] = field(default_factory=list)
    """One per command run, as a capture holds them."""
    done: list[dict[str, object]] = field(default_factory=list)
    """What was submitted and done, and when it really was."""
    loads: list[float] = field(default_factory=list)
    """The machine's load average over a minute, at each look."""

    def run(self, argv: Sequence[str], timeout_s: float) -> Printed:
        """Run one of the questions' commands and note the answer."""
        printed = asked(self.slurm, argv, timeout_s)
        name = name_of(argv)
        self.runs.append(
            {
                "cmd": name,
                "rc": printed.exit_code,
                "ms": round(printed.duration_s * 1000),
                "out": printed.output,
            }
        )
        return printed


def name_of(argv: Sequence[str]) -> str:
    """Return the name of the question that is asked so."""
    asked = argv[:2] if tuple(argv[:2]) == questions.GROUPS.argv else argv
    return next(question.name for question in questions.ALL if question.argv == tuple(asked))


def play(scenario: Scenario, slurm: Slurm) -> Notebook:
    """Do what the scenario says, look every few seconds, and return when everybody is gone."""
    notes = Notebook(slurm=slurm)
    source = SlurmSource(notes.run, SystemClock(), account="root", slow_every_s=SLOW_EVERY_S)
    steps = deque(sorted((*scenario.jobs, *scenario.deeds), key=lambda step: step.at_s))
    ids: dict[str, str] = {}
    look(notes, source)
    keeper = Keeper(slurm)
    begun = time.time()
    look_at = 0.0
    while steps or waiting_or_running(slurm):
        keeper.tend(time.time())
        elapsed = time.time() - begun
        if elapsed > scenario.longest_s:
            break
        while steps and steps[0].at_s <= elapsed:
            with suppress(*((RuntimeError, KeyError) if scenario.may_refuse else ())):
                do(steps.popleft(), slurm, ids, notes)
            look_at = min(look_at, elapsed + FIRST_LOOK_S)
        if elapsed >= look_at:
            look(notes, source)
            look_at = elapsed + scenario.looks_every_s
        time.sleep(0.1)
    time.sleep(SETTLED_S)
    look(notes, source)
    return notes


def do(step: Job | Deed, slurm: Slurm, ids: dict[str, str], notes: Notebook) -> None:
    """Submit the job, or do the deed, and note it."""
    if isinstance(step, Deed):
        command = step.command.format_map(ids)
        slurm.run(*shlex.split(command))
        notes.done.append({"at": round(time.time(), 1), "deed": command})
        return
    options = (f"--job-name={step.name}", *shlex.split(step.options.format_map(ids)))
    ids[step.name] = slurm.submit(*options, seconds=step.run_s, user=step.user)
    notes.done.append({"at": round(time.time(), 1), "job": step.name, "id": ids[step.name]})


def look(notes: Notebook, source: SlurmSource) -> None:
    """Take a snapshot. Raises SourceError if Slurm shows no jobs."""
    first = len(notes.runs)
    begun = round(time.time(), 1)
    survey = source.survey()
    if survey.error is not None:
        raise survey.error
    for run in notes.runs[first:]:
        run |= {"snap": seen_at(survey), "t": begun}
    notes.loads.append(round(os.getloadavg()[0], 2))


def waiting_or_running(slurm: Slurm) -> bool:
    """Return whether there is a job that is not over."""
    return bool(slurm.run("squeue", "-ah", "-o", "%i").strip())


def outcomes(slurm: Slurm) -> str:
    """Return how each job went by the accounting database, each of its runs on a line."""
    return subprocess.run(
        ("sacct", "-a", "-X", "-D", "-P", "-S", "now-1days", f"--format={ACCOUNTING}"),
        env=environment({**os.environ, **slurm.environment}),
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
