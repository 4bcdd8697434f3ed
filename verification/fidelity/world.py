"""The cluster at one instant, as the replica's own model of resources and limits sees it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from predictor.domain import JobSpec, NodeShare, PendingJob, RunningJob, Snapshot
from predictor.limits.widest import Widest
from predictor.scheduling.admission import ways
from predictor.scheduling.allocation import shares
from predictor.scheduling.closures import closures
from predictor.scheduling.demand import quotas, shape_of
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Ask, Holding, Need, Part, Placed, Placement
from predictor.scheduling.rules import Refusal, Rules
from predictor.scheduling.sharing import Crowding
from predictor.simulation.limit_watch import LimitWatch
from predictor.simulation.occupied import running_jobs
from predictor.simulation.probe import Probe, unlicensed

FOR_GOOD_S = 10**9
"""Longer than anybody plans."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Why the model would not start a job; both texts empty: it would."""

    kind: str = ""
    """`never`, `limit`, `nodes`, `licenses` or `reservation`."""
    detail: str = ""
    holders: tuple[str, ...] = ()
    """Of `nodes`: the records that hold nodes it could use, or was to use."""

    def __bool__(self) -> bool:
        return bool(self.kind)


class World:
    """What the model says about starting jobs at `snapshot.taken_at`, beside those that run.

    Those run for good: only this instant is judged, not what is planned.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._at = snapshot.taken_at
        self._machine = Machine(
            snapshot.nodes, quotas(snapshot.partitions), Crowding.of(snapshot).depths
        )
        self._rules = Rules.of(snapshot, self._machine, Widest(snapshot))

    def verdict(self, job: PendingJob, node_names: Iterable[str] | None = None) -> Verdict:
        """Return what speaks against starting the job, on these nodes or, if None, on any."""
        found = ways(job, job.spec.partitions, self._rules)
        if isinstance(found, Refusal):
            return Verdict(kind="never", detail=found.detail)
        if node_names is not None:
            nodes = self._machine.bitmap(node_names)
            if all(nodes & ~need.candidates for need in found):
                beyond = self._machine.names(nodes & ~found[0].candidates)
                return Verdict(kind="never", detail=f"may not use {few(beyond)}")
            count = nodes.bit_count()
            found = tuple(
                replace(need, candidates=nodes, nodes=count)
                for need in found
                if not nodes & ~need.candidates
            )
        probe = self._probe(found)
        against = [self._against(job, need, probe) for need in found]
        return min(against, key=bool)

    def _probe(self, needs: Sequence[Need]) -> Probe:
        snapshot, at = self._snapshot, self._at
        held = [holding for job in running_jobs(snapshot, self._rules) for holding in job.held]
        for_good = [replace(one, end_at=at + FOR_GOOD_S) for one in held]
        offset_s = snapshot.utc_offset_s
        closed = closures(snapshot.reservations, self._machine, at, FOR_GOOD_S, offset_s)
        return Probe(snapshot, self._machine, for_good, closed, needs)

    def _against(self, job: PendingJob, need: Need, probe: Probe) -> Verdict:
        if probe.opens(need):
            return self._limit(job, need, probe.nodes(need))
        if probe.opens(unlicensed(need)):
            return Verdict(kind="licenses", detail="not enough licenses are free")
        free = probe.room(need)
        if probe.has_room(need) and not need.required & ~free:
            return Verdict(kind="reservation", detail="it would run into a reservation")
        taken = self._machine.names(need.candidates & ~free)
        return Verdict(
            kind="nodes",
            detail=f"{free.bit_count()} of {need.nodes} nodes free",
            holders=self._holders(frozenset(taken)),
        )

    def _limit(self, job: PendingJob, need: Need, nodes: int) -> Verdict:
        part = Part(job_id=job.spec.id, ways=(need,))
        holding = Holding(
            start_at=self._at,
            end_at=self._at + need.duration_s,
            nodes=nodes,
            shape=need.shape,
            licenses=need.licenses,
        )
        placed = Placed(part=part, need=need, holding=holding)
        ask = Ask(id=job.spec.id, parts=(part,))
        placement = Placement(ask=ask, start_at=self._at, placed=(placed,))
        alone = replace(self._snapshot, pending=(job,))
        watch = LimitWatch(alone, self._machine, (), [placement])
        blocked = watch.blocked_there(placement, self._at)
        return Verdict(kind="limit", detail=blocked.limit) if blocked else Verdict()

    def _holders(self, nodes: frozenset[str]) -> tuple[str, ...]:
        return tuple(
            job.spec.id
            for job in self._snapshot.running
            if any(share.node in nodes for share in job.allocation)
        )


def placed(
    spec: JobSpec, started_at: int, node_names: tuple[str, ...], snapshot: Snapshot
) -> RunningJob:
    """Return a job of which only the nodes are known as one that holds what it asked for there."""
    machine = Machine(snapshot.nodes)
    partitions = {partition.name: partition for partition in snapshot.partitions}
    partition = partitions.get(spec.partitions[0]) if spec.partitions else None
    held: tuple[NodeShare, ...] = ()
    if partition is not None:
        shape = machine.intern(shape_of(spec.request, partition, snapshot.settings))
        held = shares(machine, shape, machine.bitmap(node_names))
    return RunningJob(spec=spec, started_at=started_at, allocation=held)


def few(names: tuple[str, ...]) -> str:
    """Return the first names, and how many more there are."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
