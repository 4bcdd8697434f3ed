"""Check the live counters of limits against a recording of a real batch system.

    python tests/bench/limits_check.py RECORDING [--every 10]

Three questions. Do the counters equal those that the batch system showed? Does any group exceed a
limit? Is a job that waits for a limit blocked by that limit? Whether the limits would have let
those jobs start that did start, `queuecast fidelity RECORDING --impossible` tells.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

from predictor.domain import Obstacle, PendingJob, Snapshot, amount_of
from predictor.limits import Blocked, Book, Bound, Claim, Reach, Scope, Whose, claim
from predictor.storage import open_for_reading

CASES = 20
"""So many examples of each finding are printed."""
NO_CAP = 10**15
COUNTED = ("cpu", "mem", "node")
WORDS = {"cpu": "Cpu", "mem": "Mem", "node": "Node"}
REASONS = {
    (Bound.JOBS, Whose.QOS): "QOSGrpJobsLimit",
    (Bound.JOBS, Whose.USER_OF_QOS): "QOSMaxJobsPerUserLimit",
    (Bound.JOBS, Whose.ACCOUNT_OF_QOS): "MaxJobsPerAccount",
    (Bound.JOBS, Whose.ACCOUNT): "AssocGrpJobsLimit",
    (Bound.JOBS, Whose.USER_OF_ACCOUNT): "AssocMaxJobsLimit",
    (Bound.TRES, Whose.QOS): "QOSGrp{}Limit",
    (Bound.TRES, Whose.USER_OF_QOS): "QOSMax{}PerUserLimit",
    (Bound.TRES, Whose.ACCOUNT_OF_QOS): "Max{}PerAccount",
    (Bound.TRES, Whose.ACCOUNT): "AssocGrp{}Limit",
    (Bound.JOB_WALL, Whose.QOS): "QOSMaxWallDurationPerJobLimit",
}
"""Slurm's words for those limits that the recordings can name."""


class Findings:
    """What was found, how often, with the first few cases."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.cases: dict[str, list[str]] = {}

    def note(self, what: str, case: str = "") -> None:
        self.counts[what] += 1
        if case and len(self.cases.setdefault(what, [])) < CASES:
            self.cases[what].append(case)


def numbers(snapshot: Snapshot) -> Mapping[str, int]:
    return {node.name: i for i, node in enumerate(snapshot.nodes)}


def compare_counters(snapshot: Snapshot, findings: Findings) -> None:
    """Compare each QOS's counters with those shown, which were asked for a moment later."""
    caps = tuple((name, NO_CAP) for name in COUNTED)
    watched = tuple(
        replace(qos, limits=replace(qos.limits, group_jobs=NO_CAP, group_tres=caps))
        for qos in snapshot.qos
    )
    book = Book.of(replace(snapshot, qos=watched), numbers(snapshot).get)
    for qos in snapshot.qos:
        tally = book.tallies.get((Scope(whose=Whose.QOS, name=qos.name), Reach.GROUP))
        if tally is None or qos.usage is None:
            continue
        if tally.jobs != qos.usage.jobs:
            findings.note("counters: jobs had started or ended in between")
            continue
        for name in COUNTED:
            same = tally.in_use(name) == amount_of(qos.usage.tres, name)
            findings.note(f"counters: {name} {'equal' if same else 'different'}")


def look_for_excess(snapshot: Snapshot, findings: Findings) -> None:
    """Look for groups that hold more than their limits allow."""
    limits = {qos.name: qos.limits for qos in snapshot.qos}
    for (scope, reach), tally in Book.of(snapshot, numbers(snapshot).get).tallies.items():
        own = limits.get(scope.name)
        if own is None or scope.whose not in (Whose.QOS, Whose.USER_OF_QOS):
            continue
        group = reach is Reach.GROUP
        most = own.group_jobs if group else own.max_jobs
        findings.note("groups looked at")
        if isinstance(most, int) and tally.jobs > most:
            findings.note("excess", f"{snapshot.taken_at} {scope.words}: {tally.jobs} > {most}")
        for name, cap in own.group_tres if group else own.max_tres:
            if (held := tally.in_use(name)) > cap:
                findings.note("excess", f"{snapshot.taken_at} {scope.words}: {held} > {cap} {name}")


def check_reasons(snapshot: Snapshot, findings: Findings) -> None:
    """Ask for each waiting job whether a limit blocks it, and compare with its reason."""
    book = Book.of(snapshot, numbers(snapshot).get)
    for job in snapshot.pending:
        if job.obstacle is Obstacle.LIMIT:
            blocked = verdict(book, snapshot, job)
            same = blocked is not None and reason(blocked) == job.reason
            kind = "same limit" if same else "other limit" if blocked else "not blocked"
            ours = f"{job.spec.qos}: {blocked.limit if blocked else 'free to start'}"
            where = f"{snapshot.taken_at} job {job.spec.id} {job.reason}; {ours}"
            findings.note(f"reason {job.reason}: {kind}", "" if same else where)
        elif job.reason in ("Resources", "Priority", ""):
            blocked = verdict(book, snapshot, job)
            kind = f"blocked by {reason(blocked)}" if blocked else "not blocked"
            findings.note(f"reason {job.reason or 'none'}: {kind}")


def verdict(book: Book, snapshot: Snapshot, job: PendingJob) -> Blocked | None:
    asked = asking(snapshot, job)
    at = snapshot.taken_at
    return book.before_placing(asked, at) or book.after_placing(asked, 0, at)


def asking(snapshot: Snapshot, job: PendingJob) -> Claim:
    """Return what a job counts as at least, by what it asked for."""
    request = job.spec.request
    partitions = {partition.name: partition for partition in snapshot.partitions}
    return claim(
        job.spec,
        partitions.get(job.spec.partitions[0]) if job.spec.partitions else None,
        snapshot.settings,
        nodes=request.nodes,
        cpus=request.cpus,
        memory_mb=(request.memory_per_node_mb or 0) * request.nodes,
        limit_s=request.limit_s if isinstance(request.limit_s, int) else 0,
    )


def reason(blocked: Blocked) -> str:
    """Return Slurm's word for the limit."""
    word = REASONS.get((blocked.bound, blocked.scope.whose), blocked.limit)
    return word.format(WORDS.get(blocked.resource, blocked.resource))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("recording", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take each n-th snapshot")
    options = parser.parse_args()
    recording = open_for_reading(options.recording)
    findings = Findings()
    for snapshot in islice(recording.snapshots(), 0, None, options.every):
        compare_counters(snapshot, findings)
        look_for_excess(snapshot, findings)
        check_reasons(snapshot, findings)
    report = {"counts": dict(sorted(findings.counts.items())), "cases": findings.cases}
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
