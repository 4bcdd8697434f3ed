"""Preemption as the engine wants it: who may end whom, and as whom the ended wait again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from predictor.domain import (
    Eviction,
    JobSpec,
    Partition,
    PendingJob,
    Preemption,
    Qos,
    RunningJob,
    RunState,
    Snapshot,
)
from predictor.engine import codes
from predictor.engine.victim_tables import Station, VictimTables
from predictor.priority.order import id_key
from predictor.scheduling.admission import Rules
from predictor.simulation.cast import LONGEST_S, Cast, Role
from predictor.simulation.dependencies import single_ids
from predictor.simulation.entrants import Entrant, Queued, entry

FATES: Mapping[Eviction, int] = {
    Eviction.SPARED: codes.SPARED,
    Eviction.ENDED: codes.ENDED,
    Eviction.SENT_BACK: codes.SENT_BACK,
    Eviction.SUSPENDED: codes.STANDS_STILL,
}
HIGHEST = 0xFFFF
"""Slurm tells no tiers or QOS priorities apart above that."""

Post = tuple[str, str]
"""A partition and a QOS, by name: what decides who may end whom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Who may end whom, by partition and QOS."""

    preemption: Preemption
    partitions: Mapping[str, Partition]
    qos: Mapping[str, Qos]

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Code | None":
        """Return the code; None if nobody may end anybody."""
        preemption = snapshot.settings.preemption
        if preemption is None:
            return None
        return cls(
            preemption=preemption,
            partitions={partition.name: partition for partition in snapshot.partitions},
            qos={qos.name: qos for qos in snapshot.qos},
        )

    def ends(self, one: Post, other: Post) -> bool:
        """Return whether jobs of one post may make those of the other leave, or stand still."""
        if self.preemption.by_qos:
            mine = self.qos.get(one[1])
            return mine is not None and one[1] != other[1] and other[1] in mine.preempts
        above, below = self.partitions.get(one[0]), self.partitions.get(other[0])
        return above is not None and below is not None and above.tier > below.tier

    def gives_way(self, post: Post) -> bool:
        """Return whether others may make the post's jobs leave, or stand still."""
        if self.eviction(post) is Eviction.SPARED:
            return False
        if self.preemption.by_qos:
            return any(self.ends((post[0], name), post) for name in self.qos)
        mine = self.partitions.get(post[0])
        return mine is not None and any(
            self.ends((name, ""), post) and not set(mine.node_names).isdisjoint(other.node_names)
            for name, other in self.partitions.items()
        )

    def eviction(self, post: Post) -> Eviction:
        """Return what becomes of the post's jobs."""
        partition, qos = self.partitions.get(post[0]), self.qos.get(post[1])
        source = qos if self.preemption.by_qos else partition
        own = None if source is None else source.eviction
        return self.preemption.eviction if own is None else own

    def station(self, post: Post, posts: Sequence[Post]) -> Station:
        """Return the post as the engine wants it. `posts` are all, by number."""
        partition, qos = self.partitions.get(post[0]), self.qos.get(post[1])
        if self.preemption.by_qos:
            order, grace_s = (qos.priority, qos.grace_s) if qos else (0, 0)
        else:
            order, grace_s = (partition.tier, partition.grace_s) if partition else (0, 0)
        own = qos.exempt_s if qos else None
        return Station(
            ends=frozenset(n for n, other in enumerate(posts) if self.ends(post, other)),
            fate=FATES[self.eviction(post)],
            order=min(order, HIGHEST),
            grace_s=grace_s,
            exempt_s=self.preemption.exempt_s if own is None else own,
        )


def lower_preemption(snapshot: Snapshot, cast: Cast) -> VictimTables | None:
    """Return who may be ended for whom; None if nobody is. The cast's tables were made."""
    code = Code.of(snapshot)
    if code is None:
        return None
    posts: dict[Post, int] = {}
    jobs = {id_: job for job in snapshot.running for id_ in single_ids(job.spec)}
    running = [jobs.get(one.id) for one in cast.running]
    of_record = [
        posts.setdefault((partition, cast.roles[job].spec.qos), len(posts))
        for job, partition in cast.places
    ]
    of_runner = [
        -1 if job is None or _is_leaving(job) else posts.setdefault(_post(job.spec), len(posts))
        for job in running
    ]
    return VictimTables(
        stations=[code.station(post, list(posts)) for post in posts],
        of_record=of_record,
        of_runner=[*of_runner, -1],
        began_at=[*(job.started_at if job else 0 for job in running), 0],
        again=[*(cast.sleepers.get(one.id, -1) for one in cast.running), -1],
        returns=[role.spec.can_restart and role.spec.het is None for role in cast.roles],
        tie=_ties(cast.roles, running),
        stands_still=[*(_stands_still(job) for job in running), False],
        youngest_first=code.preemption.youngest_first,
        keeps_order=code.preemption.keeps_order,
        tries=code.preemption.reorders,
        back_after_s=max(0, min(snapshot.settings.sent_back_s, LONGEST_S)),
    )


def _post(spec: JobSpec) -> Post:
    return (spec.partitions[0] if spec.partitions else "", spec.qos)


def _stands_still(job: RunningJob | None) -> bool:
    return job is not None and job.state is RunState.SUSPENDED


def _is_leaving(job: RunningJob) -> bool:
    return job.state is RunState.COMPLETING


def _ties(roles: Sequence[Role], running: Sequence[RunningJob | None]) -> list[int]:
    """Return by person who stands before whom in the batch system's list: whoever came first."""
    keys = [(id_key(role.spec), role.entrant.rank) for role in roles]
    keys += [(id_key(job.spec), 0) if job else ((((0, ""),), 0), 0) for job in running]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    ties = [0] * (len(keys) + 1)
    for tie, person in enumerate(order):
        ties[person] = tie
    return ties


# -- who may be sent back ---------------------------------------------------------------------


def sleepers(snapshot: Snapshot) -> tuple[PendingJob, ...]:
    """Return as whom running jobs would wait that may be sent back."""
    code = Code.of(snapshot)
    if code is None:
        return ()
    return tuple(
        PendingJob(spec=job.spec)
        for job in snapshot.running
        if job.spec.can_restart
        and job.spec.het is None
        and not _is_leaving(job)
        and code.eviction(_post(job.spec)) is Eviction.SENT_BACK
    )


def asleep(
    jobs: Sequence[PendingJob], snapshot: Snapshot, rules: Rules, behind: int
) -> tuple[Entrant, ...]:
    """Return these jobs as entrants, of ranks behind all others; who does not fit is left out."""
    queue = [Queued(job=job, partitions=job.spec.partitions) for job in jobs]
    found = entry(queue, snapshot, rules, 1, frozenset()).entrants
    return tuple(replace(entrant, rank=behind + entrant.rank) for entrant in found)
