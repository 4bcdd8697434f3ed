"""The worst predictions, each with what went wrong in words.

The replica is asked again, told all that happened but the starts. If that takes away half of the
error or more, something that nobody could know made the difference, and that is looked for; else
its own rules did. What is left may be as long as the real wait and an hour, at most.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from predictor.domain import RunningJob, Snapshot
from predictor.domain.durations import HOUR_S
from predictor.simulation.dependencies import single_ids
from predictor.site import Site
from verification.fidelity.diagnosis import partings
from verification.fidelity.history import History, number_at
from verification.fidelity.looks import Look, look
from verification.fidelity.scores import CLOSE_S
from verification.fidelity.world import few
from verification.judging.case import Case
from verification.scoring.columns import SILENCE

LONGEST_S = 24 * HOUR_S
"""The replica is asked again no further ahead than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A start that was told far from the real one. Instants are UTC epoch seconds."""

    job_id: str
    seen_at: int
    said_at: int
    started_at: int
    kind: str
    """What went wrong, in a few words: a class to count."""
    detail: str

    @property
    def error_s(self) -> int:
        """Said minus real start."""
        return self.said_at - self.started_at


def worst(cases: Iterable[Case], name: str, count: int = 10) -> tuple[Case, ...]:
    """Return the `count` jobs that a predictor was furthest off with, each at its worst instant.

    Of equally bad instants the first counts. Only jobs that started are judged.
    """
    by_job: dict[str, tuple[int, int, Case]] = {}
    for case in cases:
        likely_at = case.said.get(name, SILENCE).likely_at
        if likely_at is not None and case.started_at is not None:
            found = (-abs(likely_at - case.started_at), case.seen_at, case)
            known = by_job.get(case.job.id)
            if known is None or found[:2] < known[:2]:
                by_job[case.job.id] = found
    ordered = sorted(by_job.values(), key=lambda one: (*one[:2], one[2].job.id))
    return tuple(case for _, _, case in ordered[:count])


def explained(history: History, site: Site, case: Case, name: str, job_id: str) -> Miss:
    """Return a miss with its cause. `job_id` is the job's id in that recording.

    Costs one simulation. Raises ValueError for a case without an answer or a start.
    """
    likely_at, started_at = case.said.get(name, SILENCE).likely_at, case.started_at
    if likely_at is None or started_at is None:
        raise ValueError(f"job {job_id}: there is nothing to explain")
    kind, detail = _cause(history, site, case.seen_at, likely_at, started_at, job_id)
    return Miss(
        job_id=job_id,
        seen_at=case.seen_at,
        said_at=likely_at,
        started_at=started_at,
        kind=kind,
        detail=detail,
    )


def _cause(
    history: History, site: Site, seen_at: int, likely_at: int, started_at: int, job_id: str
) -> tuple[str, str]:
    number = number_at(history.instants, seen_at)
    wait_s, off_s = started_at - seen_at, abs(likely_at - started_at)
    slack_s = max(CLOSE_S, min(off_s // 2, wait_s + HOUR_S))
    seen = look(history, number, min(LONGEST_S, wait_s + slack_s + 1), site)
    said_at = seen.said_at.get(job_id)
    if said_at is None or abs(said_at - started_at) > slack_s:
        return _own_fault(history, site, seen, job_id)
    if likely_at > started_at:
        return _ended_early(history, number, started_at)
    return _came_later(history, number, job_id, started_at)


def _own_fault(history: History, site: Site, seen: Look, job_id: str) -> tuple[str, str]:
    """Return where the replica, told everything, parts from reality at this job."""
    found = partings(history, seen, site, only=(job_id,))
    if not found:
        return "not known yet: it starts beyond what the replica is asked again", ""
    return f"the replica itself: {found[0].kind}", found[0].detail


def _ended_early(history: History, number: int, started_at: int) -> tuple[str, str]:
    """Return who made room sooner than could be known."""
    snapshot = history.snapshots[number]
    early = [
        (spared_s, job.spec.id)
        for job in snapshot.running
        if (spared_s := _spared_s(history, job, started_at)) > 0
    ]
    gone = _left(history, snapshot, started_at)
    if not early and not gone:
        return "unknowable: nobody ran shorter than the limit, yet it started early", ""
    early.sort(reverse=True)
    names = few(tuple(id_ for _, id_ in early))
    spared_h = sum(spared_s for spared_s, _ in early) / HOUR_S
    detail = f"{len(early)} ended {spared_h:.1f} h before their limits: {names}" if early else ""
    if gone:
        detail += f"{'; ' if detail else ''}{len(gone)} left unstarted: {few(tuple(gone))}"
    kind = "run times: jobs ended before their limits" if early else "cancellations: jobs left"
    return kind, detail


def _spared_s(history: History, job: RunningJob, until: int) -> int:
    """Return how long before its limit a running job ended, if that was by `until`; else 0."""
    runs = (run for id_ in single_ids(job.spec) for run in history.runs.get(id_, ()))
    ended_at = next((run.ended_at for run in runs if run.started_at == job.started_at), None)
    if ended_at is None or ended_at > until or job.ends_by is None:
        return 0
    return max(0, job.ends_by - ended_at)


def _left(history: History, snapshot: Snapshot, until: int) -> list[str]:
    """Return who waited, and left by `until` without a start."""
    waiting = (id_ for job in snapshot.pending for id_ in single_ids(job.spec))
    left = ((id_, history.gone_at(id_)) for id_ in waiting)
    return [id_ for id_, at in left if at is not None and snapshot.taken_at <= at <= until]


def _came_later(history: History, number: int, job_id: str, started_at: int) -> tuple[str, str]:
    """Return who came, and what happened, that could not be known."""
    seen_at = history.snapshots[number].taken_at
    nodes = _nodes(history, number, job_id)
    newcomers = [
        id_
        for id_, run in history.started(seen_at, started_at)
        if id_ != job_id and run.spec.submitted_at > seen_at and nodes & set(run.node_names)
    ]
    failed = _failed(history, seen_at, started_at)
    if not newcomers and not failed:
        return "unknowable: nobody came later and no node failed, yet it started late", ""
    detail = f"{len(newcomers)} started before it: {few(tuple(newcomers))}" if newcomers else ""
    if failed:
        detail += f"{'; ' if detail else ''}{len(failed)} nodes could not be used: {few(failed)}"
    kind = "arrivals: jobs that came later went first" if newcomers else "nodes failed"
    return kind, detail


def _nodes(history: History, number: int, job_id: str) -> frozenset[str]:
    """Return the nodes of the partitions in which a job ran."""
    names = {name for run in history.runs.get(job_id, ()) for name in run.spec.partitions}
    partitions = history.snapshots[number].partitions
    return frozenset(
        node for partition in partitions if partition.name in names for node in partition.node_names
    )


def _failed(history: History, since: int, until: int) -> tuple[str, ...]:
    """Return the nodes that became unusable in between, sorted."""
    found = {
        node.name
        for at, changed in history.nodes
        if since < at <= until
        for node in changed
        if not node.usable
    }
    return tuple(sorted(found))
