"""The schedule as bars in time: who holds which nodes from when to when, as far as foreseen."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from predictor import hostlists
from predictor.domain import JobSpec, Partition, Prediction, Reservation, RunningJob
from predictor.domain.defaults import longest_s
from predictor.domain.durations import DAY_S
from predictor.scheduling.closures import occurrences
from predictor.service.asking.viewers import Role, Sight, Viewer
from predictor.service.chances import instant
from predictor.service.published import Published

MOST_BARS = 20_000
LONGEST_S = 60 * DAY_S
"""So far ahead recurring reservations are told."""
NODES, RESERVATIONS = "nodes", "reservations"
"""What a site may keep private between users, besides jobs."""
NO_NODES: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Which part of the schedule is asked for. Instants are UTC epoch seconds, None: no bound."""

    since: int | None = None
    until: int | None = None
    nodes: frozenset[str] = NO_NODES
    """Empty: all."""
    partition: str = ""
    """Empty: all."""

    def holds(self, start_at: int, end_at: int, names: Collection[str]) -> bool:
        """Return whether what uses these nodes then is to be seen."""
        return (
            (self.since is None or end_at > self.since)
            and (self.until is None or start_at < self.until)
            and (not self.nodes or not self.nodes.isdisjoint(names))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """Nodes held for a while."""

    spec: JobSpec
    partition: str
    waits: bool
    start_at: int
    end_at: int
    """By when it has ended: a running job by its limit, a waiting one as foreseen."""
    nodes: tuple[str, ...]


def bars(current: Published) -> Iterator[Bar]:
    """Yield those of running jobs, then those of waiting ones in queue order."""
    snapshot = current.snapshot
    partitions = {one.name: one for one in snapshot.partitions}
    yield from (_running(job, partitions, snapshot.taken_at) for job in snapshot.running)
    waiting = {job.spec.id: job.spec for job in snapshot.pending}
    yield from (_waiting(told, waiting[told.job_id]) for told in current.forecast.predictions)


def bars_before(current: Published, own: Prediction) -> Iterator[Bar]:
    """Yield those on the nodes of a prediction that begin before it does, as `bars` does.

    Linear in the jobs, and light: no bar is made of the others.
    """
    snapshot, names = current.snapshot, frozenset(own.node_names)
    partitions = {one.name: one for one in snapshot.partitions}
    for job in snapshot.running:
        if any(share.node in names for share in job.allocation):
            yield _running(job, partitions, snapshot.taken_at)
    sooner = {
        told.job_id: told
        for told in current.forecast.predictions
        if told.start_at < own.start_at and not names.isdisjoint(told.node_names)
    }
    waiting = {job.spec.id: job.spec for job in snapshot.pending if job.spec.id in sooner}
    yield from (_waiting(told, waiting[job_id]) for job_id, told in sooner.items())


def _running(job: RunningJob, partitions: Mapping[str, Partition], now: int) -> Bar:
    return Bar(
        spec=job.spec,
        partition=job.spec.first_partition,
        waits=False,
        start_at=job.started_at,
        end_at=max(ends_by(job, partitions), now),
        nodes=tuple(share.node for share in job.allocation),
    )


def _waiting(told: Prediction, spec: JobSpec) -> Bar:
    return Bar(
        spec=spec,
        partition=told.partition,
        waits=True,
        start_at=told.start_at,
        end_at=told.end_at,
        nodes=told.node_names,
    )


def ends_by(job: RunningJob, partitions: Mapping[str, Partition]) -> int:
    """Return when the batch system ends a job at the latest, by its limit."""
    partition = partitions.get(job.spec.first_partition)
    return job.started_at + job.suspended_s + longest_s(job.spec.request, partition)


def schedule_body(
    current: Published, frame: Frame, seen: Sight, viewer: Viewer
) -> Mapping[str, Any]:
    """Return the schedule for who sees so much. What is not seen is a bar without a name.

    Where nodes are private, those are not told that hold nothing which is seen; where jobs are so,
    too, others' bars are left out.
    """
    private = private_to(viewer, current)
    nodes_private = NODES in private
    chosen = (
        bar
        for bar in bars(current)
        if frame.partition in ("", bar.partition)
        and (not nodes_private or seen.shows(bar.spec))
        and frame.holds(bar.start_at, bar.end_at, bar.nodes)
    )
    found = list(islice(chosen, MOST_BARS + 1))
    held = {name for bar in found for name in bar.nodes}
    return {
        "bars": [_bar(bar, seen, viewer.name) for bar in found[:MOST_BARS]],
        "more": len(found) > MOST_BARS,
        "reservations": [] if RESERVATIONS in private else list(_reservations(current, frame)),
        "nodes": [name for name in nodes_of(current, frame) if name in held or not nodes_private],
    }


def _bar(bar: Bar, seen: Sight, user: str) -> Mapping[str, Any]:
    shown = seen.shows(bar.spec)
    return {
        "job_id": bar.spec.id if shown else None,
        "user": bar.spec.user if shown else None,
        "own": shown and bool(user) and bar.spec.user == user,
        "partition": bar.partition,
        "waits": bar.waits,
        "start_at": instant(bar.start_at),
        "end_at": instant(bar.end_at),
        "nodes": hostlists.folded(bar.nodes),
    }


def _reservations(current: Published, frame: Frame) -> Iterator[Mapping[str, Any]]:
    for one, start_at, end_at in set_apart(current, frame):
        yield {
            "name": one.name,
            "start_at": instant(start_at),
            "end_at": instant(end_at),
            "nodes": hostlists.folded(one.node_names),
        }


def set_apart(current: Published, frame: Frame) -> Iterator[tuple[Reservation, int, int]]:
    """Yield what is set apart in the frame, with its begin and end; recurring ones one by one."""
    snapshot = current.snapshot
    now = snapshot.taken_at
    until = now + LONGEST_S if frame.until is None else min(frame.until, now + LONGEST_S)
    for one in snapshot.reservations:
        length_s = one.end_at - one.start_at
        for start_at in occurrences(one, now, max(0, until - now), snapshot.utc_offset_s):
            if frame.holds(start_at, start_at + length_s, one.node_names):
                yield one, start_at, start_at + length_s


def private_to(viewer: Viewer, current: Published) -> Collection[str]:
    """Return what the site keeps from this viewer, besides single jobs."""
    return () if viewer.role is Role.OPERATOR else current.snapshot.provenance.private


def nodes_of(current: Published, frame: Frame) -> Sequence[str]:
    """Return the nodes of the picture's rows, in the batch system's order."""
    members = {
        name
        for one in current.snapshot.partitions
        if frame.partition in ("", one.name)
        for name in one.node_names
    }
    names = (node.name for node in current.snapshot.nodes)
    return [name for name in names if name in members and (not frame.nodes or name in frame.nodes)]
