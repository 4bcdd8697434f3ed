"""How well are submissions to come foreseen?

    python tests/bench/arrivals_forecast.py RECORDING
    python tests/bench/arrivals_forecast.py TRACE.swf.gz --weeks 20

Every so often who comes within 1, 4 and 24 h is drawn from what was known by then, and compared by
partition with who came: the number of jobs, and their node-hours by limits. CRPS is that of the
scenarios (0 is best), bias the mean less what came, both in the unit of what is counted. Beside it
stand a Poisson stream of constant rate, whose jobs are drawn from all that came before, and that
nobody comes. Of a trace each processor counts as a node.
"""

import argparse
import json
import random
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from predictor.arrivals.arrivals import Arrivals
from predictor.arrivals.submission import key_of, records_of
from predictor.domain import (
    JobSpec,
    PendingJob,
    Provenance,
    Request,
    Snapshot,
    Untrusted,
)
from predictor.domain.defaults import planned_s
from predictor.domain.durations import HOUR_S, WEEK_S
from predictor.storage import open_for_reading
from verification.traces.swf import read

HORIZONS_H = (1, 4, 24)
SCENARIOS = 40
LOOK_S = 600
"""A trace is looked at so often."""
FIELDS = ("number", "submit_s", "requested_procs", "allocated_procs", "requested_s", "run_s")


class Came(NamedTuple):
    """A submission: when, where, and how much."""

    at: int
    partition: str
    jobs: int
    node_hours: float


Amounts = Mapping[tuple[str, str], float]
"""What came, by partition and what is counted."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("past", type=Path, help="the folder of a recording, or a trace")
    parser.add_argument("--weeks", type=int, default=20, help="so much of a trace")
    parser.add_argument("--every", type=float, default=1.0, help="hours between two forecasts")
    parser.add_argument("--after", type=float, default=1.0, help="hours before the first one")
    options = parser.parse_args()
    trace = options.past.is_file()
    looks = traced(options.past, options.weeks) if trace else recorded(options.past)
    report = judged(list(looks), options.every, options.after)
    print(json.dumps({"past": options.past.name, **report}, indent=2))


def recorded(folder: Path) -> Iterator[Snapshot]:
    yield from open_for_reading(folder).snapshots()


def traced(path: Path, weeks: int) -> Iterator[Snapshot]:
    """Yield snapshots each of which shows who was submitted since the one before."""
    trace = read(path, (*FIELDS, "user", "queue"), skip_bad_lines=True)
    began_at = trace.header.unix_start_time or 0
    rows = sorted(zip(*(trace.columns[name] for name in (*FIELDS, "user", "queue")), strict=True))
    jobs = sorted((_job(row, began_at) for row in rows), key=lambda job: job.spec.submitted_at)
    instants = [job.spec.submitted_at for job in jobs]
    first = 0
    for at in range(began_at, min(instants[-1], began_at + weeks * WEEK_S), LOOK_S):
        last = bisect_right(instants, at)
        yield Snapshot(
            cluster=path.name,
            taken_at=at,
            provenance=Provenance(source="trace"),
            pending=tuple(jobs[first:last]),
        )
        first = last


def _job(row: Sequence[int], began_at: int) -> PendingJob:
    number, submit_s, requested, allocated, requested_s, run_s, user, queue = row
    nodes = max(1, requested if requested > 0 else allocated)
    limit_s = requested_s if requested_s > 0 else max(1, run_s)
    spec = JobSpec(
        id=str(number),
        user=str(user),
        request=Request(nodes=nodes, cpus=nodes, limit_s=limit_s),
        partitions=(f"queue{queue}",),
        submitted_at=began_at + submit_s,
        name=Untrusted(""),
    )
    return PendingJob(spec=spec)


def judged(looks: Sequence[Snapshot], every_h: float, after_h: float) -> dict[str, object]:
    truth = all_who_came(looks)
    classes = sorted({one.partition for one in truth})
    arrivals, rows = Arrivals(), []
    next_at = looks[0].taken_at + after_h * HOUR_S
    for look in looks:
        arrivals.learn(look)
        if look.taken_at >= next_at:
            next_at += every_h * HOUR_S
            rows += one_forecast(arrivals, look, looks[0], looks[-1].taken_at, truth)
    return summary(rows, classes)


class Row(NamedTuple):
    """One forecast of one class at one horizon."""

    horizon_h: int
    kind: str
    partition: str
    came: float
    ours: Sequence[float]
    poisson: Sequence[float]


def one_forecast(
    arrivals: Arrivals, look: Snapshot, first: Snapshot, last_at: int, truth: Sequence[Came]
) -> Iterator[Row]:
    now = look.taken_at
    known = [one for one in truth if one.at <= now]
    instants = [one.at for one in truth]
    ahead = [h for h in HORIZONS_H if now + h * HOUR_S <= last_at]
    if not ahead or not known:
        return
    until = now + max(ahead) * HOUR_S
    ours = [as_came(arrivals.draw(n, now, until), look) for n in range(SCENARIOS)]
    per_hour = len(known) / max(1.0, (now - first.taken_at) / HOUR_S)
    chance = random.Random(now)  # noqa: S311 # it decides nothing
    plain = [poisson(known, per_hour, now, until, chance) for _ in range(SCENARIOS)]
    came = truth[bisect_right(instants, now) : bisect_right(instants, until)]
    for horizon_h in ahead:
        end = now + horizon_h * HOUR_S
        told = [[amounts(one, end) for one in drawn] for drawn in ([came], ours, plain)]
        for key in sorted({key for each in told for one in each for key in one}):
            real, mine, theirs = ([one.get(key, 0.0) for one in each] for each in told)
            yield Row(horizon_h, key[1], key[0], real[0], mine, theirs)


def poisson(
    known: Sequence[Came], per_hour: float, now: int, until: int, chance: random.Random
) -> list[Came]:
    found, at = [], now + chance.expovariate(per_hour) * HOUR_S
    while at <= until:
        found.append(chance.choice(known)._replace(at=int(at)))
        at += chance.expovariate(per_hour) * HOUR_S
    return found


def all_who_came(looks: Sequence[Snapshot]) -> list[Came]:
    """Return everybody's submission, as it was seen first; arrays with all tasks seen then."""
    found: dict[str, Came] = {}
    for look in looks:
        partitions = {one.name: one for one in look.partitions}
        new: dict[str, Came] = {}
        for record in records_of(look):
            spec, key = record.spec, key_of(record.spec)
            if key not in found and not spec.restarts and spec.submitted_at > looks[0].taken_at:
                one = came(spec, partitions)
                before = new.get(key)
                if before is not None:
                    one = before._replace(
                        jobs=before.jobs + one.jobs, node_hours=before.node_hours + one.node_hours
                    )
                new[key] = one
        found |= new
    return sorted(found.values())


def as_came(jobs: Sequence[PendingJob], look: Snapshot) -> list[Came]:
    partitions = {one.name: one for one in look.partitions}
    return [came(job.spec, partitions) for job in jobs]


def came(spec: JobSpec, partitions: Mapping[str, object]) -> Came:
    name = spec.partitions[0] if spec.partitions else ""
    tasks = len(spec.array.tasks) if spec.array else 1
    hours = planned_s(spec.request, partitions.get(name)) / HOUR_S
    return Came(spec.submitted_at, name, tasks, tasks * spec.request.nodes * hours)


def amounts(found: Sequence[Came], end: int) -> Amounts:
    total: dict[tuple[str, str], float] = {}
    for one in found:
        if one.at <= end:
            for partition in (one.partition, "all"):
                for kind, amount in (("jobs", one.jobs), ("node-hours", one.node_hours)):
                    total[partition, kind] = total.get((partition, kind), 0.0) + amount
    return total


def summary(rows: Sequence[Row], classes: Sequence[str]) -> dict[str, object]:
    report: dict[str, object] = {}
    for kind in ("jobs", "node-hours"):
        for horizon_h in HORIZONS_H:
            for partition in ("all", *classes):
                chosen = [
                    row
                    for row in rows
                    if (row.kind, row.horizon_h, row.partition) == (kind, horizon_h, partition)
                ]
                if chosen:
                    report[f"{kind}, {horizon_h} h, {partition}"] = figures(chosen)
    return report


def figures(rows: Sequence[Row]) -> dict[str, float]:
    return {
        "forecasts": len(rows),
        "mean came": round(fmean(row.came for row in rows), 1),
        "crps": round(fmean(crps(row.ours, row.came) for row in rows), 1),
        "crps poisson": round(fmean(crps(row.poisson, row.came) for row in rows), 1),
        "crps nobody": round(fmean(abs(row.came) for row in rows), 1),
        "bias": round(fmean(fmean(row.ours) - row.came for row in rows), 1),
        "bias poisson": round(fmean(fmean(row.poisson) - row.came for row in rows), 1),
        "80 % held": round(fmean(_holds(row.ours, row.came) for row in rows), 2),
    }


def crps(sample: Sequence[float], real: float) -> float:
    """Return the continuous ranked probability score of a sample. n log n."""
    ordered, count = sorted(sample), len(sample)
    off = fmean(abs(one - real) for one in ordered)
    spread = sum((2 * place - count + 1) * one for place, one in enumerate(ordered))
    return off - spread / count**2


def _holds(sample: Sequence[float], real: float) -> bool:
    ordered, tenth = sorted(sample), len(sample) // 10
    return ordered[tenth] <= real <= ordered[-1 - tenth]


if __name__ == "__main__":
    main()
