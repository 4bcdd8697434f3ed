"""What sharing nodes is worth on a set of jobs: makespan and turnaround beside EASY on whole nodes.

    python tests/bench/company_worth.py TRACE.swf[.gz] [--machine halves] [--jobs 1000] [--arrive]

The first jobs of the trace that half of the machine could hold; all are submitted at once, or as
they were (`--arrive`). EASY gives each as few whole nodes as will do, where all run at speed 1; the
co-schedulers give it halves of nodes, where it is as fast as the machine file's `speedups` say.
Limits are as the trace tells, and no job is stopped. Then the same on whole nodes, with the
allocators, if the machine tells a `network`.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import process_time_ns

from verification.experiments.allocators import ALLOCATORS
from verification.experiments.durations import DURATIONS
from verification.experiments.jobs import Complaints, Job, streamed, survey
from verification.experiments.machine import CORE, Machine
from verification.experiments.machine_file import load_machine
from verification.experiments.rates import rate_of
from verification.experiments.replay import Loop
from verification.experiments.schedulers import SCHEDULERS
from verification.experiments.schedulers.sharing.policies import POLICIES
from verification.experiments.state import State
from verification.experiments.tally import Tally


def chosen(trace: Path, machine: Machine, many: int, widest: int, at_once: bool) -> Iterator[Job]:
    """Yield the jobs to be run, with so many units as the machine's unit makes them."""
    jobs = streamed(trace, machine, survey(trace), Complaints())
    fitting = (job for job in jobs if job.procs <= widest)
    for job in islice(fitting, many):
        yield job._replace(submit_s=0) if at_once else job


def figures(
    machine: Machine, scheduler: str, allocator: str, jobs: Iterator[Job]
) -> dict[str, float]:
    state, tally = State(machine), Tally(machine.cores, Complaints(), None)
    loop = Loop(
        state,
        SCHEDULERS[scheduler](machine),
        ALLOCATORS[allocator](state, 1),
        DURATIONS["limit"](),
        tally,
        process_time_ns,
        rate_of(machine),
    )
    loop.run(jobs)
    return tally.figures()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("trace", type=Path)
    parser.add_argument("--machine", default="halves")
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--arrive", action="store_true", help="as they were submitted")
    options = parser.parse_args()
    shared = load_machine(options.machine)
    whole = replace(shared, unit={CORE: shared.groups[0].has[CORE]}, speedups=None, network=None)
    rows = [(whole, "easy", "first-fit", "easy, whole nodes")]
    if shared.speedups is not None:
        rows += [(shared, name, "first-fit", name) for name in POLICIES]
    if shared.network is not None:
        far = replace(whole, network=shared.network, talks=shared.talks)
        rows += [(far, "easy", name, f"easy, whole nodes, {name}") for name in ALLOCATORS]
    base: dict[str, float] = {}
    print(f"{'':<40} {'makespan s':>12} {'gain':>7} {'turnaround s':>13} {'gain':>7}")
    for machine, scheduler, allocator, title in rows:
        widest = shared.cores // 2
        jobs = chosen(options.trace, machine, options.jobs, widest, not options.arrive)
        found = figures(machine, scheduler, allocator, jobs)
        base = base or found
        told = [
            f"{found[name]:>12,.0f} {1 - found[name] / base[name]:>7.1%}"
            for name in ("makespan_s", "mean_turnaround_s")
        ]
        print(f"{title:<40} {' '.join(told)}")


if __name__ == "__main__":
    main()
