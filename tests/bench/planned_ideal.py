"""How near schedulers come to planning everybody at once, with run times known.

    python tests/bench/planned_ideal.py TRACE [--skip N] [--jobs N] [--work S]

The planning scheduler takes the slice of a trace as the others do; its plans are made with so much
work each. Told are mean bounded slowdown and wait, the largest wait, utilisation and CPU time.
"""

import argparse
import time
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path

from verification.experiments.allocators import ALLOCATORS
from verification.experiments.durations import DURATIONS
from verification.experiments.jobs import Complaints, Job, default_machine, streamed, survey
from verification.experiments.replay import Loop
from verification.experiments.schedulers import SCHEDULERS
from verification.experiments.schedulers.ideal import Ideal
from verification.experiments.state import State
from verification.experiments.tally import Tally

AIMS = {"ideal": "slowdown", "ideal-wait": "wait"}
SHOWN = ("mean_slowdown", "mean_wait_s", "most_wait_s", "utilisation")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trace", type=Path)
    parser.add_argument("--skip", type=int, default=0, help="so many jobs, those submitted first")
    parser.add_argument("--jobs", type=int, default=1000, help="only so many of the others")
    parser.add_argument("--work", type=float, default=0.05)
    parser.add_argument("--durations", choices=sorted(DURATIONS), default="true")
    parser.add_argument("--schedulers", default="fcfs,easy,conservative,ideal-wait,ideal")
    args = parser.parse_args()
    seen = survey(args.trace)
    machine = default_machine(seen.header, args.trace.name)
    planners = {name: partial(Ideal, aim=aim, work=args.work) for name, aim in AIMS.items()}
    print(f"{'':14}" + "".join(f"{name:>16}" for name in (*SHOWN, "cpu_s")))
    for name in args.schedulers.split(","):
        state, complaints = State(machine), Complaints()
        tally = Tally(machine.cores, complaints)
        loop = Loop(
            state,
            {**SCHEDULERS, **planners}[name](machine),
            ALLOCATORS["first-fit"](state, 1),
            DURATIONS[args.durations](),
            tally,
            time.process_time_ns,
        )
        begun = time.process_time()
        jobs = streamed(args.trace, machine, seen, complaints)
        sliced = list(islice(jobs, args.skip, args.skip + args.jobs))
        loop.run(_earlier(job, sliced[0].submit_s) for job in sliced)
        figures = tally.figures()
        told = (*(figures[one] for one in SHOWN), time.process_time() - begun)
        print(f"{name:14}" + "".join(f"{one:16,.3f}" for one in told), flush=True)


def _earlier(job: Job, by_s: int) -> Job:
    others = attrgetter(
        *("run_s", "limit_s", "procs", "units", "need", "memory_kib", "status", "user"),
        *("group", "executable", "queue", "partition"),
    )
    return Job(job.number, job.submit_s - by_s, *others(job))


if __name__ == "__main__":
    main()
