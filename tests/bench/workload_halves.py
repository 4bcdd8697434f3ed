"""How near generated workloads come to a trace that they were not learned from.

    python tests/bench/workload_halves.py SDSC-SP2-1998-4.2-cln.swf.gz

A workload is learned from the first half of the trace, by time, and as many days are generated.
Told are distances by Kolmogorov and Smirnov:

    site     the second half from the first: what the site itself changed
    learned  what was generated from the half it was learned from
    unseen   what was generated from the second half
    LF       the model of Lublin and Feitelson, on as many processors, from the second half
"""

import argparse
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from verification.workloads.compare import compare
from verification.workloads.fit import fit
from verification.workloads.generate import Job, generate
from verification.workloads.lublin import lublin_feitelson
from verification.workloads.panels import ASPECTS
from verification.workloads.seen import Seen, Workload, read_workload
from verification.workloads.written import some


def halves(whole: Workload) -> tuple[Workload, Workload]:
    middle = (whole.jobs[0].submit_s + whole.jobs[-1].submit_s) // 2
    early = [job for job in whole.jobs if job.submit_s < middle]
    return replace(whole, jobs=early), replace(whole, jobs=whole.jobs[len(early) :])


def drawn(jobs: Iterable[Job], half: Workload, begins_at: int) -> Workload:
    kept = some(jobs, None, math.ceil(half.days))
    seen = [Seen(j.submit_s, j.run_s, j.procs, j.limit_s, j.user, j.queue, -1, -1) for j in kept]
    return replace(half, jobs=seen, begins_at=begins_at)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trace", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    first, second = halves(read_workload(args.trace))
    model = fit(first)
    ours = drawn(generate(model, args.seed), first, model.begins_at)
    theirs = drawn(lublin_feitelson(first.procs, args.seed), first, model.begins_at)
    columns = {
        "site": compare(first, second),
        "learned": compare(first, ours),
        "unseen": compare(second, ours),
        "LF": compare(second, theirs),
    }
    for one in (first, second, ours, theirs):
        print(f"{len(one.jobs)} jobs in {one.days:.0f} days")
    print(f"{'':40}" + "".join(f"{name:>9}" for name in columns))
    for name, aspect in ASPECTS.items():
        found = (one[name].distance if name in one else None for one in columns.values())
        cells = (f"{'-':>9}" if one is None else f"{one:9.3f}" for one in found)
        print(f"{aspect.title:40}" + "".join(cells))


if __name__ == "__main__":
    main()
