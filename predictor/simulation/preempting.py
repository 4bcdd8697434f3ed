"""Preemption as the engine wants it: who may end whom, and as whom the ended wait again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from predictor.domain import (
    CpuGranularity,
    Eviction,
    JobSpec,
    Partition,
    PendingJob,
    Preemption,
    Qos,
    RunningJob,
    RunState,
    SchedulerSettings,
    Snapshot,
    Unpredictable,
)
from predictor.engine import codes
from predictor.engine.victim_tables import Station, Vacating, VictimTables
from predictor.scheduling.demand import takes_whole
from predictor.scheduling.rules import Refusal, Rules
from predictor.simulation.bounds import bounded_at
from predictor.simulation.cast import LONGEST_S, Cast
from predictor.simulation.causes import StartingPoints
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

ASKED_WITHIN_S = 5
"""So long it may take to ask for all that a snapshot shows."""

PUSHING = Refusal(
    cause=Unpredictable.UNSUPPORTED,
    detail="it has several components and might make others leave, which is not modelled",
)
TOP = 0xFFFF_FFFF
"""No priority is higher: who is known to have none of a lower one is not ended for it."""

Post = tuple[str, str]
"""A partition and a QOS, by name: what decides who may end whom."""
Stand = tuple[Post, bool]
"""A post, and whether nobody may be beside those who have it on their nodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreemptionRules:
    """Who may end whom, by partition and QOS."""

    preemption: Preemption
    partitions: Mapping[str, Partition]
    qos: Mapping[str, Qos]

    @classmethod
    def of(cls, snapshot: Snapshot) -> "PreemptionRules | None":
        """Return the rules; None if nobody may end anybody."""
        preemption = snapshot.settings.preemption
        if preemption is None:
            return None
        return cls(
            preemption=preemption,
            partitions={partition.name: partition for partition in snapshot.partitions},
            qos={qos.name: qos for qos in snapshot.qos},
        )

    def stand(self, spec: JobSpec, partition: str, settings: SchedulerSettings) -> Stand:
        """Return the stand of a job in a partition.

        Where only whole nodes are handed out, those who stand still do not keep them.
        """
        known = self.partitions.get(partition)
        if known is None or settings.granularity is CpuGranularity.NODE:
            return (partition, spec.qos), False
        return (partition, spec.qos), takes_whole(spec.request, known, settings)

    def ends(self, one: Post, other: Post) -> bool:
        """Return whether some jobs of one post may make some of the other leave, or stand still."""
        return self.whom(one, other) != 0

    def whom(self, one: Post, other: Post) -> int:
        """Return whom of one post those of another may make leave, by the engine's code; 0: nobody.

        Source: Slurm 22.05 to 26.05, preempt/partition_prio and preempt/qos.
        """
        if not self.preemption.by_qos:
            above, below = self.partitions.get(one[0]), self.partitions.get(other[0])
            if above is None or below is None or above.tier <= below.tier:
                return 0
            by_priority = above.preempts_by_priority or self.preemption.by_priority
            return codes.NO_HIGHER if by_priority else codes.ANYBODY
        mine = self.qos.get(one[1])
        if mine is None:
            return 0
        if one[1] == other[1]:
            within = mine.preempts_within or self.preemption.within
            return codes.LOWER if within else 0
        if other[1] not in mine.preempts:
            return 0
        by_priority = mine.preempts_by_priority or self.preemption.by_priority
        return codes.LOWER if by_priority else codes.ANYBODY

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

    def _lets_stay(self, post: Post) -> bool:
        """Return whether those of the post stand still on their nodes, beside who takes over.

        Source: Slurm 22.05, _verify_node_state: nobody is beside who takes whole nodes.
        """
        return self.eviction(post) is Eviction.SUSPENDED

    def station(self, stand: Stand, stands: Sequence[Stand]) -> Station:
        """Return the stand as the engine wants it. `stands` are all, by number."""
        post, alone = stand
        partition, qos = self.partitions.get(post[0]), self.qos.get(post[1])
        if self.preemption.by_qos:
            order, grace_s = (qos.priority, qos.grace_s) if qos else (0, 0)
        else:
            order, grace_s = (partition.tier, partition.grace_s) if partition else (0, 0)
        own = qos.exempt_s if qos else None
        whom = [self.whom(post, other) for other, _ in stands]
        apart = [(alone or theirs) and self._lets_stay(other) for other, theirs in stands]
        return Station(
            ends=_those(whom, codes.ANYBODY),
            ends_lower=_those(whom, codes.LOWER),
            ends_no_higher=_those(whom, codes.NO_HIGHER),
            apart=frozenset(number for number, one in enumerate(apart) if one and whom[number]),
            fate=FATES[self.eviction(post)],
            order=min(order, HIGHEST),
            grace_s=grace_s,
            exempt_s=self.preemption.exempt_s if own is None else own,
        )


def _those(whom: Sequence[int], code: int) -> frozenset[int]:
    return frozenset(number for number, one in enumerate(whom) if one == code)


def lower_preemption(snapshot: Snapshot, cast: Cast, vacating: Vacating) -> VictimTables | None:
    """Return who may be ended for whom; None if nobody is. The cast's tables were made."""
    preempting = PreemptionRules.of(snapshot)
    if preempting is None:
        return None
    stands: dict[Stand, int] = {}
    settings = snapshot.settings
    jobs = {id_: job for job in reversed(snapshot.running) for id_ in single_ids(job.spec)}
    mixed = _of_several_posts(snapshot.running)
    running = [jobs.get(one.id) for one in cast.running]
    of_record = [
        stands.setdefault(preempting.stand(cast.roles[job].spec, partition, settings), len(stands))
        for job, partition in cast.places
    ]
    of_runner = [
        stands.setdefault(
            preempting.stand(job.spec, job.spec.first_partition, settings), len(stands)
        )
        if job is not None and not _is_leaving(job) and one.id not in mixed
        else -1
        for one, job in zip(cast.running, running, strict=True)
    ]
    listed = _listed(cast)
    patience_s = settings.kill_wait_s + settings.message_timeout_s
    pressed = {job.spec.id: _pressed_at(job, snapshot.taken_at) for job in snapshot.pending}
    return VictimTables(
        stations=[preempting.station(stand, list(stands)) for stand in stands],
        of_record=of_record,
        of_runner=[*of_runner, -1],
        began_at=[*(bounded_at(job.started_at) if job else 0 for job in running), 0],
        again=[*(cast.sleepers.get(one.id, -1) for one in cast.running), -1],
        returns=[role.spec.can_restart and role.spec.het is None for role in cast.roles],
        listed=[listed[job] for job, _ in cast.places],
        level_of_record=[_level(cast.roles[job].spec, 0) for job, _ in cast.places],
        level_of_runner=[*(_level(job.spec if job else None, TOP) for job in running), TOP],
        stands_still=[*(_stands_still(job) for job in running), False],
        spared_until=[*(_spared_until(job, snapshot.taken_at) for job in running), -1],
        youngest_first=preempting.preemption.youngest_first,
        keeps_order=preempting.preemption.keeps_order,
        tries=preempting.preemption.reorders,
        spared_from=max(0, min(preempting.preemption.spared_from, TOP)),
        patience_s=max(0, min(patience_s, LONGEST_S)),
        pressed_at=[pressed.get(role.spec.id, -1) for role in cast.roles],
        vacating=Vacating(*(max(0, min(clears_s, LONGEST_S)) for clears_s in vacating)),
        back_after_s=max(0, min(settings.sent_back_s, LONGEST_S)),
    )


def _listed(cast: Cast) -> list[int]:
    """Return a number for each role, ascending in the order in which the batch system lists them.

    Those that stand for one record share that of the first, as they have but one entry.
    """
    first: dict[str, int] = {}
    return [
        first.setdefault(role.spec.id, ordinal)
        for role, ordinal in zip(cast.roles, cast.ordinals, strict=False)
    ]


def without_pushers(
    points: StartingPoints, snapshot: Snapshot
) -> tuple[StartingPoints, Mapping[str, Refusal]]:
    """Return the starting points less jobs of several components that might end others, and why.

    Slurm 22.05 ends jobs for one component after the other, and then may not start any of them: of
    a real one such a job waited on beside free nodes. Where others only stand still, nobody ends.
    """
    preempting = PreemptionRules.of(snapshot)
    if preempting is None:
        return points, {}
    specs = {job.spec.id: job.spec for job in snapshot.pending}
    there = {_post(job.spec) for job in snapshot.running if not _is_leaving(job)}
    ended = {
        post for post in there if preempting.eviction(post) in (Eviction.ENDED, Eviction.SENT_BACK)
    }
    pushing = {
        entrant.id
        for entrant in points.possible
        if len(entrant.ask.parts) > 1
        and any(
            preempting.ends((need.partition, specs[id_].qos), post)
            for id_ in entrant.job_ids
            if id_ in specs
            for part in entrant.ask.parts
            for need in part.ways
            for post in ended
        )
    }
    refusals = {
        id_: PUSHING
        for entrant in points.possible
        if entrant.id in pushing
        for id_ in entrant.job_ids
    }
    possible = tuple(one for one in points.possible if one.id not in pushing)
    return replace(points, possible=possible), refusals


def _of_several_posts(running: Sequence[RunningJob]) -> frozenset[str]:
    """Return the ids of jobs whose components are told apart: nobody is taken to end them."""
    posts: dict[str, set[Post]] = {}
    for job in running:
        if job.spec.het is not None:
            posts.setdefault(job.spec.het.job_id, set()).add(_post(job.spec))
    return frozenset(id_ for id_, found in posts.items() if len(found) > 1)


def _post(spec: JobSpec) -> Post:
    return (spec.first_partition, spec.qos)


def _level(spec: JobSpec | None, untold: int) -> int:
    """Return the priority as it is told, else what is taken for it."""
    told = None if spec is None else spec.priority
    return untold if told is None else max(0, min(told, TOP))


def _spared_until(job: RunningJob | None, now: int) -> int:
    """Return when its grace time is over, `now` if it was before; -1: it was not given any."""
    if job is None or job.spared_until is None:
        return -1
    return bounded_at(max(now, job.spared_until))


def _pressed_at(job: PendingJob, now: int) -> int:
    """Return when others were last to make room for it; -1: they were not, as far as is told.

    Who could have started by now when it was looked at, and was not, waits for others to be gone.
    A start that is past is told as the instant of asking, which is later than the snapshot's.
    """
    estimate = job.estimate
    if estimate.start_at is None or estimate.evaluated_at is None:
        return -1
    could_start = estimate.start_at <= now + ASKED_WITHIN_S
    return bounded_at(estimate.evaluated_at) if could_start else -1


def _stands_still(job: RunningJob | None) -> bool:
    """Return whether it goes on by itself once those are gone for whom it stands still."""
    if job is None or job.stopped_since is not None:
        return False
    return job.state is RunState.SUSPENDED


def _is_leaving(job: RunningJob) -> bool:
    return job.state is RunState.COMPLETING


def sleepers(snapshot: Snapshot) -> tuple[PendingJob, ...]:
    """Return as whom running jobs would wait that may be sent back."""
    preempting = PreemptionRules.of(snapshot)
    if preempting is None:
        return ()
    return tuple(
        PendingJob(spec=job.spec)
        for job in snapshot.running
        if job.spec.can_restart
        and job.spec.het is None
        and not _is_leaving(job)
        and preempting.eviction(_post(job.spec)) is Eviction.SENT_BACK
    )


def asleep(
    jobs: Sequence[PendingJob], snapshot: Snapshot, rules: Rules, behind: int
) -> tuple[Entrant, ...]:
    """Return these jobs as entrants, of ranks behind all others; who does not fit is left out."""
    queue = [Queued(job=job, partitions=job.spec.partitions) for job in jobs]
    found = entry(queue, snapshot, rules, 1, frozenset()).entrants
    return tuple(replace(entrant, rank=behind + entrant.rank) for entrant in found)
