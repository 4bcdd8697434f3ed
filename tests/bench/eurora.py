"""Whether what was found on Eurora's log comes out, in kind, on the workload that is like it.

    python tests/bench/eurora.py allocators [--days 360] [--schedulers priority-rule]
    python tests/bench/eurora.py durations [--days 30] [--schedulers easy,sjf] [--seed 1]

Found there (A. Netti, master's thesis, University of Bologna): allocators differ little over the
year and much in single months; predicted run times help all schedulers that use run times.

`allocators`: the mean wait of the jobs submitted in each 30 days, and in all of them; `apart` is
how far the best and the worst allocator lie from each other, as a part of their mean. `durations`:
mean bounded slowdown and mean wait of schedulers that plan with limits, with predictions (the chain
of rules) and with the truth.
"""

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from predictor.domain.durations import DAY_S
from predictor.swf import Header
from verification.experiments.allocators import ALLOCATORS
from verification.experiments.durations import DURATIONS
from verification.experiments.jobs import Complaints, streamed, survey
from verification.experiments.machine_file import load_machine
from verification.experiments.replay import Loop
from verification.experiments.schedulers import SCHEDULERS
from verification.experiments.state import State
from verification.workloads.eurora import eurora
from verification.workloads.generate import generate
from verification.workloads.written import some, write_trace

MONTH_S = 30 * DAY_S
SHORTEST_S = 10
THEIRS = ("first-fit", "best-fit", "balanced", "weighted", "priority-weighted", "hybrid")
RULE = "priority-rule"
"""As the studies of Eurora have it."""
TRIED = "fcfs,multi-queue,sjf,ljf,easy,easy-sjf,score,priority-rule"
"""The first two do not look at durations: nothing may change there."""
PLANNED = ("limit", "predicted", "true")


class Months:
    """Adds up waits and slowdowns by the month of submission."""

    def __init__(self):
        self.jobs = defaultdict(int)
        self.waits_s = defaultdict(int)
        self.slowdowns = defaultdict(float)

    def ended(self, rank, running):
        job = running.queued.job
        wait_s = running.start_s - job.submit_s
        slowdown = (wait_s + job.run_s) / max(SHORTEST_S, job.run_s)
        for month in (job.submit_s // MONTH_S, "all"):
            self.jobs[month] += 1
            self.waits_s[month] += wait_s
            self.slowdowns[month] += max(1.0, slowdown)

    def mean_wait_s(self, month):
        return self.waits_s[month] / self.jobs[month]

    def mean_slowdown(self, month):
        return self.slowdowns[month] / self.jobs[month]

    def refused(self, rank, job, too_large):
        raise AssertionError(f"job {job.number} does not fit on the machine")

    def dispatched(self, waiting, cpu_ns):
        """Nothing of it is told."""

    def settled(self, now_s, waiting, wanted_cores, state):
        """Nothing of it is told."""


def replayed(trace: Path, scheduler: str, allocator: str, durations: str) -> Months:
    machine, months = load_machine("eurora"), Months()
    state = State(machine)
    loop = Loop(
        state,
        SCHEDULERS[scheduler](machine),
        ALLOCATORS[allocator](state, 1),
        DURATIONS[durations](),
        months,
        lambda: 0,
    )
    loop.run(streamed(trace, machine, survey(trace), Complaints()))
    return months


def apart(values: Iterable[float]) -> float:
    """Return how far the least and the largest lie from each other, by the mean."""
    found = list(values)
    return (max(found) - min(found)) / (sum(found) / len(found) or 1.0)


def allocators(trace: Path, scheduler: str) -> tuple[float, float]:
    """Tell of each month, and of all; return how far apart allocators are, in all and in most."""
    found = {name: replayed(trace, scheduler, name, "limit") for name in THEIRS}
    print(f"\n{scheduler}, mean wait in minutes")
    print(f"{'month':>6}{'jobs':>8}" + "".join(f"{name:>19}" for name in found) + f"{'apart':>8}")
    first = found[THEIRS[0]]
    spreads = {}
    for month in sorted(first.jobs, key=lambda one: (one == "all", str(one).zfill(2))):
        waits = [one.mean_wait_s(month) / 60 for one in found.values()]
        spreads[month] = apart(waits)
        cells = "".join(f"{wait:19,.1f}" for wait in waits)
        print(f"{month!s:>6}{first.jobs[month]:8}{cells}{spreads[month]:8.1%}", flush=True)
    return spreads["all"], max(one for month, one in spreads.items() if month != "all")


def durations(trace: Path, scheduler: str) -> None:
    found = {name: replayed(trace, scheduler, "first-fit", name) for name in PLANNED}
    cells = (f"{one.mean_slowdown('all'):12.1f}" for one in found.values())
    waits = (f"{one.mean_wait_s('all') / 60:12,.1f}" for one in found.values())
    print(f"{scheduler:14}" + "".join(cells) + "  " + "".join(waits), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("question", choices=["allocators", "durations"])
    parser.add_argument("--days", type=int)
    parser.add_argument("--schedulers")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    of_allocators = args.question == "allocators"
    days = args.days or (360 if of_allocators else 30)
    schedulers = (args.schedulers or (RULE if of_allocators else TRIED)).split(",")
    with tempfile.TemporaryDirectory() as folder:
        trace, model = Path(folder) / "eurora.swf", eurora()
        jobs = some(generate(model, args.seed), None, days)
        count = write_trace(trace, jobs, Header(max_procs=model.procs), {})
        print(f"{count} jobs in {days} days")
        if not of_allocators:
            print(f"{'':14}" + "".join(f"{name:>12}" for name in PLANNED * 2))
            print(f"{'':14}{'mean slowdown':>36}  {'mean wait, min':>36}")
        for scheduler in schedulers:
            if of_allocators:
                whole, most = allocators(trace, scheduler)
                print(f"apart over all months {whole:.1%}, in a single one up to {most:.1%}")
            else:
                durations(trace, scheduler)


if __name__ == "__main__":
    main()
