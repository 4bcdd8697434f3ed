"""Retell a story under a policy of numbers: FCFS, list, EASY, conservative and their like.

A pass is made anew whenever something happens; plans are forgotten between passes. Jobs are planned
with their limits, and end when the story says.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from predictor.domain import Hold, Obstacle, PendingJob, Snapshot
from predictor.priority.order import QueueEntry, queue_order
from predictor.scheduling.admission import Rules
from predictor.scheduling.closures import Closure, closures
from predictor.scheduling.machine import Machine
from predictor.scheduling.planner import Placement, schedule
from predictor.scheduling.policy import Policy
from predictor.scheduling.timeline import Timeline
from predictor.simulation.dependencies import single_ids
from predictor.simulation.entrants import Entrant, Queued, entry
from predictor.simulation.lives import Lives
from predictor.simulation.occupied import running_jobs
from predictor.simulation.story import Start, Story, as_if_up, outages, with_arrivals
from predictor.simulation.telling import Interval
from predictor.simulation.turns import looked_at
from predictor.site import Site

FAR = 1 << 60
"""An instant that never comes."""
MOST_TASKS = 1_000_000
FAR_AHEAD_S = 30 * 86_400
"""So far beyond the end of a story plans may reach."""


def retell_under(
    policy: Policy, snapshot: Snapshot, story: Story, until: int, site: Site
) -> Mapping[str, Start]:
    """Return who starts before `until`, by single id, if all that the story tells happens.

    The order of the queue is that of the snapshot, those who arrive by their attributes included.
    """
    return _Retelling(policy, snapshot, story, site).run(until)


class _Retelling:
    """One run, from the snapshot to the end of the story."""

    def __init__(self, policy: Policy, snapshot: Snapshot, story: Story, site: Site) -> None:
        self.policy = policy
        self.snapshot = snapshot
        self.story = story
        self.machine = Machine([as_if_up(node) for node in snapshot.nodes])
        everything = _everything(snapshot, story)
        self.rules = Rules.of(everything, self.machine)
        self.everything = everything
        order = queue_order(everything, site.priority(), as_submitted=site.as_submitted)
        self.waiting = {one.id: one for one in self._entrants(order)}
        running = running_jobs(snapshot, self.rules)
        ends = {job.id: max(snapshot.taken_at, self._end(job.id, job.end_at)) for job in running}
        self.lives = Lives(replace(job, end_at=ends[job.id]) for job in running)
        self.held = [(ends[job.id], holding) for job in running for holding in job.held]
        self.starts: dict[str, Start] = {}

    def run(self, until: int) -> Mapping[str, Start]:
        at = self.snapshot.taken_at
        while at < until:
            self.held = [(end_at, holding) for end_at, holding in self.held if end_at > at]
            self._change(at)
            ready = list(self._ready(at))
            timeline = self._timeline(at, until)
            plan = schedule((one.ask for one in ready), timeline, self.policy, at)
            for placement in plan.placements:
                if placement.start_at == at:
                    self._start(placement)
            at = self._next(at, plan.placements, timeline, bool(plan.unplaced))
        return self.starts

    def _end(self, id_: str, planned: int) -> int:
        return self.story.ends_at.get(id_, planned)

    def _start(self, placement: Placement) -> None:
        entrant = self.waiting.pop(placement.ask.id)
        run_s = self.story.run_s.get(entrant.id, placement.end_at - placement.start_at)
        end_at = placement.start_at + max(1, run_s)
        self.lives.begin(entrant.id, placement.start_at, end_at, entrant.lane, entrant.user)
        self.held += [(end_at, one.holding) for one in placement.placed]
        nodes = 0
        for one in placement.placed:
            nodes |= one.holding.nodes
        self.starts[entrant.id] = Start(
            at=placement.start_at,
            node_names=self.machine.names(nodes),
            partition=placement.ask.partition,
        )

    # -- who may start -------------------------------------------------------------------

    def _entrants(self, order: Sequence[QueueEntry]) -> Iterable[Entrant]:
        partitions: dict[str, list[str]] = {}
        for one in order:
            if not one.error:
                partitions.setdefault(one.job.spec.id, []).append(one.partition)
        jobs = {one.job.spec.id: one.job for one in order}
        queue = [
            Queued(job=jobs[id_], partitions=tuple(names)) for id_, names in partitions.items()
        ]
        return self._entered(queue)

    def _entered(self, queue: Sequence[Queued]) -> Sequence[Entrant]:
        return entry(queue, self.everything, self.rules, MOST_TASKS, frozenset()).entrants

    def _change(self, at: int) -> None:
        """Give who waits the form told last, and forget who has left."""
        for when, job in self.story.changes:
            if when == at:
                changed = _freed(job, self.story)
                queued = Queued(job=changed, partitions=job.spec.partitions)
                for one in self._entered([queued]):
                    if one.id in self.waiting:
                        self.waiting[one.id] = replace(one, rank=self.waiting[one.id].rank)
        gone = [id_ for id_ in self.waiting if self.story.leaves_at.get(id_, FAR) <= at]
        for id_ in gone:
            del self.waiting[id_]

    def _ready(self, at: int) -> Iterator[Entrant]:
        queue = sorted(self.waiting.values(), key=lambda one: one.rank)
        free = [one for one in queue if not self._is_kept(one, at)]
        ready = self.lives.ready(free, self.waiting, at)
        return looked_at(ready, self.policy, self.lives, at)

    def _is_kept(self, one: Entrant, at: int) -> bool:
        """Return whether somebody holds it, or all its partitions are closed."""
        names = {need.partition for part in one.ask.parts for need in part.ways}
        closed = (_covers(self.story.closed.get(name, ()), at) for name in names)
        return _covers(self.story.held.get(one.id, ()), at) or all(closed)

    # -- what is free --------------------------------------------------------------------

    def _timeline(self, at: int, until: int) -> Timeline:
        """Return what is free: who runs holds its nodes to the limit, or a little beyond."""
        overrun_s = max(1, self.snapshot.settings.kill_wait_s)
        held = [
            holding if holding.end_at > at else replace(holding, end_at=at + overrun_s)
            for _, holding in self.held
        ]
        pools = self.snapshot.licenses
        return Timeline(
            self.machine,
            at,
            held=[replace(one, start_at=min(one.start_at, at)) for one in held],
            closed=self._closed(at, until),
            licenses=tuple((pool.name, pool.total - pool.reserved) for pool in pools),
        )

    def _closed(self, at: int, until: int) -> Sequence[Closure]:
        reservations = self.snapshot.reservations
        for since, told in self.story.reservations:
            reservations = told if since <= at else reservations
        nodes = {node.name: node for node in self.snapshot.nodes}
        for since, changed in self.story.nodes:
            nodes |= {node.name: node for node in changed} if since <= at else {}
        ahead_s, offset_s = until - at + FAR_AHEAD_S, self.snapshot.utc_offset_s
        found = closures(reservations, self.machine, at, ahead_s, offset_s)
        return (*found, *outages(self.machine, nodes.values(), at))

    # -- when something happens ----------------------------------------------------------

    def _next(
        self, at: int, placements: Iterable[Placement], timeline: Timeline, incomplete: bool
    ) -> int:
        """Return the next instant at which a pass may decide otherwise; FAR: never."""
        instants = [one.start_at for one in placements]
        instants += [end_at for end_at, _ in self.held]
        instants += self._told_instants()
        for entrant in self.waiting.values():
            eligible_at = self.lives.eligible_at(entrant)
            instants += [] if eligible_at is None else [eligible_at]
        if incomplete:
            change_at = timeline.change_after(at)
            instants += [] if change_at is None else [change_at]
        following = min((one for one in instants if one > at), default=FAR)
        every_s, now = self.policy.pass_every_s, self.snapshot.taken_at
        if every_s is None or following == FAR:
            return following
        return now + -(-(following - now) // every_s) * every_s

    def _told_instants(self) -> Iterator[int]:
        story = self.story
        yield from (at for at, _ in (*story.changes, *story.reservations, *story.nodes))
        for id_ in self.waiting:
            yield story.leaves_at.get(id_, FAR)
        for spans in (*story.held.values(), *story.closed.values()):
            for since, until in spans:
                yield since
                yield FAR if until is None else until


def _covers(spans: Iterable[Interval], at: int) -> bool:
    return any(since <= at < (FAR if until is None else until) for since, until in spans)


def _everything(snapshot: Snapshot, story: Story) -> Snapshot:
    """Return the snapshot with everybody who will ever wait, from when they come on."""
    comers = {job.spec.id for job in story.arrivals}
    jobs = (
        replace(job, begin_at=max(job.begin_at or 0, job.spec.submitted_at))
        if job.spec.id in comers
        else job
        for job in with_arrivals(snapshot, story).pending
    )
    return replace(with_arrivals(snapshot, story), pending=tuple(jobs))


def _freed(job: PendingJob, story: Story) -> PendingJob:
    if any(id_ in story.held for id_ in single_ids(job.spec)):
        return replace(job, hold=Hold.NONE, obstacle=Obstacle.NONE)
    return job
