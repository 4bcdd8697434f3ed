"""Check the live counters of limits against a recording of a real batch system.

    python tests/bench/limits_check.py RECORDING [--every 10]

Three questions. Do the counters equal those that the batch system showed? Does any group exceed a
limit? Is a job that waits for a limit blocked by that limit? Whether the limits would have let
those jobs start that did start, `queuecast fidelity RECORDING --impossible` tells.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

from predictor.domain import Obstacle, Snapshot, amount_of
from predictor.engine.limit_layout import LimitLayout
from predictor.engine.limits import Limits
from predictor.limits import Blocked, Bound, Scope, Whose
from predictor.limits.widest import Widest
from predictor.scheduling.admission import ways
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Ask, Part
from predictor.scheduling.rules import Refusal, Rules
from predictor.simulation.dependencies import single_ids
from predictor.simulation.limit_lowering import lowered
from predictor.simulation.limit_watch import LimitWatch
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


def in_use(snapshot: Snapshot) -> Mapping[tuple[Scope, Bound, str], tuple[int, int]]:
    """Return, for each limit that binds a running job, its cap and how much is in use."""
    ids = dict.fromkeys(single_ids(job.spec)[0] for job in snapshot.running)
    holders = {id_: number for number, id_ in enumerate(ids)}
    found = lowered(snapshot, Machine(snapshot.nodes), [], holders)
    limits, at = Limits(LimitLayout(found.tables)), snapshot.taken_at
    return {
        (rule.scope, rule.bound, rule.resource): (rule.cap, int(limits.in_use(number, at)))
        for number, rule in enumerate(found.rules)
        if rule.bound in (Bound.JOBS, Bound.TRES)
    }


def compare_counters(snapshot: Snapshot, findings: Findings) -> None:
    """Compare each QOS's counters with those shown, which were asked for a moment later."""
    caps = tuple((name, NO_CAP) for name in COUNTED)
    watched = tuple(
        replace(qos, limits=replace(qos.limits, group_jobs=NO_CAP, group_tres=caps))
        for qos in snapshot.qos
    )
    found = in_use(replace(snapshot, qos=watched))
    for qos in snapshot.qos:
        scope = Scope(whose=Whose.QOS, name=qos.name)
        if (scope, Bound.JOBS, "") not in found or qos.usage is None:
            continue
        _, jobs = found[scope, Bound.JOBS, ""]
        if jobs != qos.usage.jobs:
            findings.note("counters: jobs had started or ended in between")
            continue
        for name in COUNTED:
            same = found[scope, Bound.TRES, name][1] == amount_of(qos.usage.tres, name)
            findings.note(f"counters: {name} {'equal' if same else 'different'}")


def look_for_excess(snapshot: Snapshot, findings: Findings) -> None:
    """Look for groups that hold more than their limits allow."""
    for (scope, _, resource), (cap, used) in in_use(snapshot).items():
        findings.note("limits looked at")
        if used > cap:
            what = f"{used} > {cap} {resource or 'jobs'}"
            findings.note("excess", f"{snapshot.taken_at} {scope.words}: {what}")


def check_reasons(snapshot: Snapshot, findings: Findings) -> None:
    """Ask for each waiting job whether a limit blocks it, and compare with its reason."""
    machine = Machine(snapshot.nodes)
    asks = dict(wanted(snapshot, machine))
    watch = LimitWatch(snapshot, machine, asks.values())
    for job in snapshot.pending:
        if job.spec.id not in asks:
            findings.note(f"reason {job.reason}: never")
            continue
        blocked = watch.blocked(asks[job.spec.id], snapshot.taken_at)
        if job.obstacle is Obstacle.LIMIT:
            same = blocked is not None and reason(blocked) == job.reason
            kind = "same limit" if same else "other limit" if blocked else "not blocked"
            ours = f"{job.spec.qos}: {blocked.limit if blocked else 'free to start'}"
            where = f"{snapshot.taken_at} job {job.spec.id} {job.reason}; {ours}"
            findings.note(f"reason {job.reason}: {kind}", "" if same else where)
        elif job.reason in ("Resources", "Priority", ""):
            kind = f"blocked by {reason(blocked)}" if blocked else "not blocked"
            findings.note(f"reason {job.reason or 'none'}: {kind}")


def wanted(snapshot: Snapshot, machine: Machine) -> Iterator[tuple[str, Ask]]:
    """Yield what each waiting job asks for, by its id; who can never start is left out."""
    rules = Rules.of(snapshot, machine, Widest(snapshot))
    for job in snapshot.pending:
        found = ways(job, job.spec.partitions, rules)
        if not isinstance(found, Refusal):
            part = Part(job_id=job.spec.id, ways=found)
            yield job.spec.id, Ask(id=job.spec.id, parts=(part,))


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
