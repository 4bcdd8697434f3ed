"""What the world does after a snapshot, told beforehand; and what the scheduler makes of it.

A replica that is told everything outside the scheduler errs only where it decides otherwise.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from predictor.domain import (
    BY_HAND,
    Hold,
    Node,
    Obstacle,
    PartitionState,
    PassSettings,
    PendingJob,
    Reservation,
    RunningJob,
    Snapshot,
)
from predictor.domain.durations import DAY_S
from predictor.engine.forward import Forward
from predictor.engine.victim_tables import AT_ONCE, Vacating
from predictor.limits.widest import Widest
from predictor.priority.census import take_census
from predictor.priority.order import PriorityRule, id_key, queue_order
from predictor.priority.summands import Slot, held
from predictor.scheduling.machines import machine_of
from predictor.scheduling.placing import Placement
from predictor.scheduling.policy import Policy
from predictor.scheduling.rules import Rules
from predictor.simulation.cast import Place, Role, removal
from predictor.simulation.closing import Closing, as_if_up, cleared
from predictor.simulation.dependencies import single_ids
from predictor.simulation.entrants import Entrant, Queued, entry, with_component
from predictor.simulation.occupied import Running, amended, running_jobs
from predictor.simulation.passes import Rhythm, Turns, rules
from predictor.simulation.places import Places, apart, as_seen, places
from predictor.simulation.play import Play
from predictor.simulation.policies import cpus_of, policy_rules, simplified
from predictor.simulation.preempting import asleep, sleepers
from predictor.simulation.ranking_lowering import LoweredRanking, lower_ranking
from predictor.simulation.replica import MOST_RESTARTS, simulated
from predictor.simulation.scene import Scene
from predictor.simulation.telling import (
    Clearing,
    Interval,
    forms_of,
    spans,
    together,
    with_slots,
)
from predictor.simulation.told_priorities import Told, ToldSlots

MOST_TASKS = 1_000_000
MOST_LOOKS = 10**12
FAR_AHEAD_S = 30 * DAY_S
"""So far beyond the end of a story plans may reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What happens after a snapshot, apart from starts. Instants are UTC epoch seconds.

    Jobs go by single ids (`predictor.simulation.dependencies.single_ids`). Of whom nothing is
    told, that one waits on, and runs into the limit.
    """

    run_s: Mapping[str, int] = field(default_factory=dict)
    """How long those run that have not started at the snapshot."""
    ends_at: Mapping[str, int] = field(default_factory=dict)
    """When those end that run at the snapshot."""
    arrivals: tuple[PendingJob, ...] = ()
    """Who comes to the queue, as first seen there, from `spec.submitted_at` on.

    An array comes as one record with all its tasks. A job that was requeued comes once more.
    """
    later_runs: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    """Of those who are sent back by somebody when a run ends: from when on they may start again,
    and how long they run then. For who has not started at the snapshot."""
    leaves_at: Mapping[str, int] = field(default_factory=dict)
    """Who leaves the queue without a start, and when."""
    held: Mapping[str, tuple[Interval, ...]] = field(default_factory=dict)
    """When somebody keeps a waiting job from starting, in ascending order.

    For those named here it replaces what their records say of holds and obstacles.
    """
    changes: tuple[tuple[int, PendingJob], ...] = ()
    """When a waiting record gets other attributes, and what it looks like then; ascending.

    It holds for those of its tasks that still wait in the simulation. The priority is worked out
    anew from then on, or is what somebody set.
    """
    limits: tuple[tuple[int, RunningJob], ...] = ()
    """From when on running jobs have another limit, and those jobs as they are then; ascending."""
    closed: Mapping[str, tuple[Interval, ...]] = field(default_factory=dict)
    """When a partition starts nobody, in ascending order.

    For those named here it replaces what their records say of their state.
    """
    priorities: tuple[Told, ...] = ()
    """When who waits has other priorities than computed, by single id; ascending.

    They hold until others are told, but for the age, which grows on.
    """
    reservations: tuple[tuple[int, tuple[Reservation, ...]], ...] = ()
    """From when on there are these reservations, and no others; ascending."""
    nodes: tuple[tuple[int, tuple[Node, ...]], ...] = ()
    """From when on these nodes are as told; the others stay as they were. Ascending."""
    clearings: tuple[Clearing, ...] = ()
    """When nobody may start on a node that an ended job has left; plans go on to count on it."""
    vacating: Vacating = AT_ONCE
    """So long nobody may start on the nodes of who had to make room for others."""
    boots_s: int = -1
    """How long nodes take to boot that sleep; -1: as long as they may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """When and where a job starts."""

    at: int
    node_names: tuple[str, ...]
    partition: str = ""


def retell(
    snapshot: Snapshot, story: Story, until: int, priority: PriorityRule = None
) -> Mapping[str, Start]:
    """Return who starts before `until`, by single id, if all that the story tells happens.

    `priority` is the site's own formula; None: priorities are the batch system's, and move.
    The snapshot is taken as it is: nothing of the story is seen before its time.
    """
    return retell_often(snapshot, story, until, priority, courses=(Turns(),))[0]


def retell_often(
    snapshot: Snapshot,
    story: Story,
    until: int,
    priority: PriorityRule = None,
    *,
    courses: Sequence[Turns],
) -> Sequence[Mapping[str, Start]]:
    """Return what `retell` returns, for each of several courses that passes may take."""
    back = sleepers(with_arrivals(snapshot, story))
    obstacles = BY_HAND | simulated(snapshot)
    retelling = _Retelling(snapshot, story, obstacles, back, priority)
    return retelling.in_passes(until, courses, own_order=priority is None)


def retell_under(
    policy: Policy,
    snapshot: Snapshot,
    story: Story,
    until: int,
    priority: PriorityRule = None,
    *,
    as_submitted: bool = False,
) -> Mapping[str, Start]:
    """Return what `retell` returns, if a policy of numbers decides, which knows no limits.

    The order of the queue stays that of the snapshot, those who arrive by their attributes
    included. Whoever is kept back by anything but a hold does not start.
    """
    plain, nobody = simplified(snapshot), frozenset[Obstacle]()
    retelling = _Retelling(plain, story, nobody, (), priority, as_submitted=as_submitted)
    return retelling.under(policy, until)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Forms:
    """Everybody's forms: all of them in `roles`; by single id the first and the latest."""

    roles: list[Role]
    first: Mapping[str, int]
    latest: dict[str, int]
    told: ToldSlots | None

    def follow(self, id_: str, new: Role, at: int) -> None:
        """Let somebody's latest form give way to a new one."""
        before = self.latest[id_]
        old = self.roles[before]
        self.roles[before] = replace(old, leaves_at=at, replaced=True)
        self.latest[id_] = len(self.roles)
        enters_at = max(at, old.enters_at)
        self.roles.append(replace(new, enters_at=enters_at, original=self.first[id_]))


class _Retelling:
    """One run, from the snapshot to the end of the story."""

    def __init__(
        self,
        snapshot: Snapshot,
        story: Story,
        simulated: frozenset[Obstacle],
        back: Sequence[PendingJob],
        priority: PriorityRule,
        *,
        as_submitted: bool = False,
    ) -> None:
        multifactor = snapshot.settings.multifactor
        changes = tuple((at, _free(job, story, multifactor)) for at, job in story.changes)
        self.story = story = replace(story, changes=changes)
        self.everything = with_arrivals(snapshot, story)
        self.held = {job.spec.id for job in snapshot.pending if held(job)}
        nodes = [as_if_up(node) for node in snapshot.nodes]
        self.machine = machine_of(self.everything, nodes)
        made = (one for _, there in story.reservations for one in there)
        rules = Rules.of(self.everything, self.machine, Widest(snapshot))
        self.rules = rules.with_reservations(made)
        self.forms = forms_of(story.changes)
        self.back = back
        everybody = replace(self.everything, pending=(*self.everything.pending, *back))
        self.entries = queue_order(everybody, priority, as_submitted=as_submitted)
        self.simulated = simulated
        self.jobs = {job.spec.id: job for job in everybody.pending}
        self.arrivals = {job.spec.id for job in story.arrivals}

    def in_passes(
        self, until: int, courses: Sequence[Turns], *, own_order: bool
    ) -> Sequence[Mapping[str, Start]]:
        """Let the batch system's own two passes decide, in each of these courses of theirs."""
        told = self.everything.settings
        settings = told.passes or PassSettings()
        ranking = self._ranking(until) if own_order else None
        scene = Scene(
            self.everything,
            self.machine,
            self._closing(()).calendars(until + settings.window_s),
            clearings=cleared(self.machine, self.story.clearings),
        )
        now = self.everything.taken_at
        rhythm = Rhythm.of(told, self.everything.health, now)
        decided = [
            rules(settings, rhythm.told(course, now), told.complete_wait_s) for course in courses
        ]
        play = self._play(scene, ranking, apart=True).rehearsed(decided[0])
        return [self._starts(play, play.run(one, until, MOST_LOOKS)) for one in decided]

    def under(self, policy: Policy, until: int) -> Mapping[str, Start]:
        """Let a policy decide."""
        known = self._closing(self.story.clearings).calendars(until + FAR_AHEAD_S)
        scene = Scene(self.everything, self.machine, known, policy.allocation, policy.seed)
        play = self._play(scene, None, apart=False)
        cpus = cpus_of((role.entrant for role in play.roles), self.machine)
        decided = policy_rules(policy, cpus, play.user(""), forgets=True)
        return self._starts(play, play.follow(decided, until).forward)

    def _closing(self, clearings: Sequence[Clearing]) -> Closing:
        """Return what is closed when, as told, nodes that are being cleared included."""
        return Closing(
            snapshot=self.everything,
            machine=self.machine,
            reservations=self.story.reservations,
            nodes=self.story.nodes,
            clearings=clearings,
        )

    def _play(self, scene: Scene, ranking: LoweredRanking | None, *, apart: bool) -> Play:
        """Return everything a simulation needs."""
        told = ToldSlots(ranking) if ranking else None
        roles = self._roles(ranking.slots if ranking else {}, told)
        numbered = told.ranking() if told else None
        running = self._running()
        return Play(
            self.everything,
            self.machine,
            scene,
            roles,
            running,
            numbered,
            self.jobs,
            vacating=self.story.vacating,
            boots_s=self.story.boots_s,
            apart=apart,
        )

    def _starts(self, play: Play, forward: Forward) -> Mapping[str, Start]:
        return {id_: self._start(one) for id_, one in play.started(forward).items()}

    def _ranking(self, until: int) -> LoweredRanking:
        jobs = self.everything.pending
        there = tuple(job for job in jobs if job.spec.id not in self.arrivals)
        most = sum(len(single_ids(job.spec)) for job in jobs) + len(self.forms)
        most += MOST_RESTARTS * len(self.back)
        coming = (*(job for job in jobs if job.spec.id in self.arrivals), *self.forms, *self.back)
        known = replace(self.everything, pending=there)
        return lower_ranking(known, (), until, most, coming, self.held)

    def _running(self) -> tuple[Running, ...]:
        """Return who runs, until the real end, held until the limit."""
        now = self.everything.taken_at
        return tuple(
            replace(
                job,
                end_at=max(now, self.story.ends_at.get(job.id, job.end_at)),
                amended=tuple(amended(self.story.limits, job.id, self.rules)),
            )
            for job in running_jobs(self.everything, self.rules)
        )

    # -- who waits -----------------------------------------------------------------------

    def _roles(self, slots: Mapping[Slot, int], told: ToldSlots | None) -> list[Role]:
        """Return everybody who could ever start, and the forms that they take later."""
        census = take_census(self.everything)
        standing = places(self.entries, census, slots)
        there = self._entrants(self.everything.pending)
        roles = [self._role(entrant, standing) for entrant in there]
        first = {role.entrant.id: number for number, role in enumerate(roles)}
        forms = _Forms(roles=roles, first=first, latest=dict(first), told=told)
        news: list[tuple[int, Callable[[_Forms], None]]] = [
            (at, partial(self._alter, at, changed, partial(with_slots, form=form, slots=slots)))
            for (at, changed), form in zip(self.story.changes, self.forms, strict=True)
        ]
        news += [(one[0], partial(self._tell, one)) for one in self.story.priorities]
        for _, take_effect in sorted(news, key=lambda one: one[0]):
            take_effect(forms)
        return [*roles, *self._asleep(standing, len(there))]

    def _asleep(self, standing: Places, behind: int) -> Iterable[Role]:
        """Yield the roles in which running jobs wait once they are sent back."""
        for entrant in asleep(self.back, self.everything, self.rules, behind):
            yield replace(self._role(entrant, standing), enters_at=0, leaves_at=-1, asleep=True)

    def _alter(
        self,
        at: int,
        changed: PendingJob,
        placed: Callable[[Mapping[str, Place]], Mapping[str, Place]],
        forms: _Forms,
    ) -> None:
        """Give those of a changed record their new form, `placed` in the ranking."""
        ids = [id_ for id_ in single_ids(changed.spec) if id_ in forms.first]
        if not ids:
            return
        record = forms.roles[forms.first[ids[0]]].entrant.job_ids[0]
        if changed.spec.het is not None:
            record = changed.spec.id
        renamed = replace(changed, spec=replace(changed.spec, id=record))
        for entrant in self._entrants([renamed]):
            if entrant.id in forms.latest:
                old = forms.roles[forms.latest[entrant.id]]
                new = self._change(old, entrant)
                forms.follow(entrant.id, replace(new, places=placed(new.places)), at)

    def _tell(self, news: Told, forms: _Forms) -> None:
        """Give somebody the priorities that it is told to have."""
        at, id_, factors = news
        if forms.told is None or id_ not in forms.first:
            return
        old = forms.roles[forms.latest[id_]]
        computed = as_seen(forms.roles[forms.first[id_]].places, old.places)
        forms.follow(id_, replace(old, places=forms.told.places(computed, factors)), at)

    def _change(self, old: Role, entrant: Entrant) -> Role:
        """Return a role in its new form."""
        entrant = replace(entrant, rank=old.entrant.rank)
        if len(old.entrant.ask.parts) > 1:
            entrant = with_component(old.entrant, entrant)
        names = [need.partition for part in entrant.ask.parts for need in part.ways]
        return replace(old, entrant=entrant, places=as_seen(old.places, names))

    def _entrants(self, jobs: Iterable[PendingJob]) -> Sequence[Entrant]:
        """Return these in queue order, but for those who can never start."""
        wanted = {job.spec.id: job for job in jobs}
        partitions: dict[str, list[str]] = {id_: [] for id_ in wanted}
        order = dict.fromkeys(one.job.spec.id for one in self.entries)
        for one in self.entries:
            if one.job.spec.id in wanted and one.partition:
                partitions[one.job.spec.id].append(one.partition)
        queued = [
            Queued(job=wanted[id_], partitions=_asked(wanted[id_], partitions[id_]))
            for id_ in order
            if id_ in wanted
        ]
        changing = {id_ for _, job in self.story.changes for id_ in single_ids(job.spec)}
        return entry(
            queued, self.everything, self.rules, MOST_TASKS, self.simulated, changing=changing
        ).entrants

    def _role(self, entrant: Entrant, standing: Places) -> Role:
        story, job_id = self.story, entrant.job_ids[0]
        spec = self.jobs[job_id].spec
        arrives = any(id_ in self.arrivals for id_ in entrant.job_ids)
        names = [need.partition for part in entrant.ask.parts for need in part.ways]
        return Role(
            entrant=entrant,
            spec=spec,
            places=as_seen(standing[job_id], names),
            component_places=apart(standing, entrant),
            run_s=max(1, story.run_s[entrant.id]) if entrant.id in story.run_s else -1,
            enters_at=spec.submitted_at if arrives else 0,
            leaves_at=story.leaves_at.get(entrant.id, removal(entrant, self.everything.taken_at)),
            later_runs=story.later_runs.get(entrant.id, ()),
            held=(
                *spans(story.held.get(entrant.id, ())),
                *together(spans(story.closed.get(name, ())) for name in dict.fromkeys(names)),
            ),
        )

    def _start(self, placement: Placement) -> Start:
        nodes = 0
        for one in placement.placed:
            nodes |= one.holding.nodes
        return Start(
            at=placement.start_at,
            node_names=self.machine.names(nodes),
            partition=placement.placed[0].need.partition,
        )


def _asked(job: PendingJob, known: Sequence[str]) -> tuple[str, ...]:
    """Return the partitions that the job asks for, those known in their order first."""
    names = job.spec.partitions
    return tuple(dict.fromkeys([*(name for name in known if name in names), *names]))


def with_arrivals(snapshot: Snapshot, story: Story) -> Snapshot:
    """Return the snapshot with everybody who will ever wait, those told as held not held.

    Partitions that are told to be closed at times are open.
    """
    multifactor = snapshot.settings.multifactor
    coming = sorted(story.arrivals, key=lambda job: (job.spec.submitted_at, id_key(job.spec)))
    jobs = [_free(job, story, multifactor) for job in (*snapshot.pending, *coming)]
    partitions = (
        replace(one, state=PartitionState.UP) if one.name in story.closed else one
        for one in snapshot.partitions
    )
    return replace(snapshot, pending=tuple(jobs), partitions=tuple(partitions))


def _free(job: PendingJob, story: Story, multifactor: bool) -> PendingJob:
    """Return the record as it is while nobody holds it, if the story tells when that is.

    The priority of who is released is worked out anew, where it has factors; else it is the least.
    """
    if not any(id_ in story.held for id_ in single_ids(job.spec)):
        return job
    anew = multifactor and job.spec.priority == 0
    spec = replace(job.spec, priority=None) if anew else job.spec
    return replace(job, spec=spec, hold=Hold.NONE, obstacle=Obstacle.NONE)
