"""What the world does after a snapshot, told beforehand; and what the scheduler makes of it.

A replica that is told everything outside the scheduler errs only where it decides otherwise.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from predictor.domain import (
    Hold,
    Node,
    NodeState,
    Obstacle,
    PassSettings,
    PendingJob,
    Reservation,
    Snapshot,
)
from predictor.priority.order import PriorityRule, queue_order
from predictor.scheduling.admission import Rules
from predictor.scheduling.closures import Closure, closures
from predictor.scheduling.machine import Machine
from predictor.scheduling.planner import Placement
from predictor.scheduling.timeline import Timeline
from predictor.simulation.causes import starting_points
from predictor.simulation.dependencies import single_ids
from predictor.simulation.entrants import Entrant, Queued, entry
from predictor.simulation.gate import LimitGate
from predictor.simulation.lives import Lives
from predictor.simulation.occupied import Running, running_jobs
from predictor.simulation.passes import Rhythm, TwoPasses
from predictor.simulation.ranking import Ranking
from predictor.simulation.replica import SIMULATED

Interval = tuple[int, int | None]
"""From the first instant on, up to and without the second; None: for good."""

TOLD = SIMULATED | {Obstacle.ADMIN, Obstacle.NEVER}
"""The obstacles that a story tells of, as of holds, or that are simulated."""
MOST_TASKS = 1_000_000
MOST_LOOKS = 10**12


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
    leaves_at: Mapping[str, int] = field(default_factory=dict)
    """Who leaves the queue without a start, and when."""
    held: Mapping[str, tuple[Interval, ...]] = field(default_factory=dict)
    """When somebody keeps a waiting job from starting, in ascending order.

    For those named here it replaces what their records say of holds and obstacles.
    """
    changes: tuple[tuple[int, PendingJob], ...] = ()
    """When a waiting record gets other attributes, and what it looks like then; ascending.

    It holds for those of its tasks that still wait in the simulation.
    """
    reservations: tuple[tuple[int, tuple[Reservation, ...]], ...] = ()
    """From when on there are these reservations, and no others; ascending."""
    nodes: tuple[tuple[int, tuple[Node, ...]], ...] = ()
    """From when on these nodes are as told; the others stay as they were. Ascending."""


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
    return _Retelling(snapshot, story, priority).run(until)


class _ToldLives(Lives):
    """Starts and ends as simulated, and who is held or gone as told."""

    def __init__(self, running: Iterable[Running], story: Story) -> None:
        super().__init__(running)
        self._story = story
        for id_, at in story.leaves_at.items():
            self.begin(id_, at, at)

    def ready(
        self, entrants: Iterable[Entrant], waiting: Container[str], at: int
    ) -> Iterator[Entrant]:
        there = (entrant for entrant in entrants if not self._away(entrant.id, at))
        return super().ready(there, waiting, at)

    def eligible_at(self, entrant: Entrant) -> int | None:
        at = super().eligible_at(entrant)
        for since, until in self._story.held.get(entrant.id, ()):
            if at is not None and since <= at and (until is None or at < until):
                at = until
        return at

    def _away(self, id_: str, at: int) -> bool:
        leaves_at = self._story.leaves_at.get(id_)
        return (leaves_at is not None and leaves_at <= at) or any(
            since <= at and (until is None or at < until)
            for since, until in self._story.held.get(id_, ())
        )


class _Retelling:
    """One run. Where reservations, nodes or jobs change, a stretch ends and the next begins."""

    def __init__(self, snapshot: Snapshot, story: Story, priority: PriorityRule) -> None:
        self.story = story
        self.priority = priority
        self.everything = _with_arrivals(snapshot, story)
        self.machine = Machine([_up(node) for node in snapshot.nodes])
        self.nodes = {node.name: node for node in snapshot.nodes}
        self.rules = Rules.of(self.everything, self.machine)
        self.running = self._running(snapshot)
        self.lives = _ToldLives(self.running, story)
        self.gate = LimitGate(self.everything, self.machine)
        self.ranking = None if priority else Ranking(self.everything, self.machine, self.lives)
        self.waiting = self._enter(self.everything.pending)
        self.started: dict[str, Placement] = {}

    def run(self, until: int) -> Mapping[str, Start]:
        now = self.everything.taken_at
        told = (*self.story.reservations, *self.story.nodes, *self.story.changes)
        cuts = sorted({at for at, _ in told if now < at < until})
        for since, end in pairwise((now, *cuts, until)):
            self._hear(since)
            self._stretch(since, end)
        return {id_: self._start(placement) for id_, placement in self.started.items()}

    def _running(self, snapshot: Snapshot) -> tuple[Running, ...]:
        """Return who runs, held until the limit or, beyond it, until the real end."""
        found = []
        for job in running_jobs(snapshot, self.rules):
            end = max(snapshot.taken_at, self.story.ends_at.get(job.id, job.end_at))
            held = tuple(replace(one, end_at=max(one.end_at, end)) for one in job.held)
            found.append(replace(job, end_at=end, held=held))
        return tuple(found)

    def _enter(self, jobs: Iterable[PendingJob]) -> dict[str, Entrant]:
        """Return everybody who could ever start, in queue order."""
        partitions: dict[str, list[str]] = {}
        queue: dict[str, PendingJob] = {}
        for one in queue_order(replace(self.everything, pending=tuple(jobs)), self.priority):
            queue[one.job.spec.id] = one.job
            partitions.setdefault(one.job.spec.id, []).extend(filter(None, [one.partition]))
        queued = [Queued(job=job, partitions=tuple(partitions[id_])) for id_, job in queue.items()]
        entered = entry(queued, self.everything, self.rules, MOST_TASKS, TOLD)
        return {entrant.id: self._not_too_early(entrant, queue) for entrant in entered.entrants}

    def _not_too_early(self, entrant: Entrant, queue: Mapping[str, PendingJob]) -> Entrant:
        comes_at = max(queue[id_].spec.submitted_at for id_ in entrant.job_ids)
        return replace(entrant, not_before=max(entrant.not_before, comes_at))

    def _hear(self, at: int) -> None:
        """Take in what changes at this instant."""
        for when, nodes in self.story.nodes:
            if when == at:
                self.nodes |= {node.name: node for node in nodes}
        for when, reservations in self.story.reservations:
            if when == at:
                self.everything = replace(self.everything, reservations=reservations)
                self.rules = replace(
                    self.rules, reservations=frozenset(one.name for one in reservations)
                )
        for changed in (job for when, job in self.story.changes if when == at):
            ids = [id_ for id_ in single_ids(changed.spec) if id_ in self.waiting]
            if ids:
                self._change(changed, self.waiting[ids[0]].job_ids[0], ids)

    def _change(self, changed: PendingJob, record: str, ids: Iterable[str]) -> None:
        """Put the tasks anew, at their places in the queue, under the record's old id."""
        anew = self._enter([replace(changed, spec=replace(changed.spec, id=record))])
        for id_ in ids:
            if id_ in anew:
                self.waiting[id_] = replace(anew[id_], rank=self.waiting[id_].rank)

    def _stretch(self, since: int, until: int) -> None:
        timeline = Timeline(
            self.machine,
            since,
            held=[holding for job in self.running for holding in job.held],
            closed=self._closed(since, until),
            licenses=tuple((p.name, p.total - p.reserved) for p in self.everything.licenses),
        )
        queue = list(self.waiting.values())
        points = starting_points(queue, self.running, timeline, since)
        settings = self.everything.settings.passes or PassSettings()
        passes = TwoPasses(
            points.possible,
            self.lives,
            self.running,
            timeline,
            self.ranking,
            self.gate,
            settings,
            run_time=lambda id_, planned_s: max(1, self.story.run_s.get(id_, planned_s)),
        )
        rhythm = Rhythm.of(settings, self.everything.health)
        passes.forward(since, until, rhythm, MOST_LOOKS)
        self.started |= passes.started
        self.waiting = {e.id: e for e in (*passes.waiting, *points.impossible)}
        self._go_on(passes.started.values(), until)

    def _go_on(self, started: Iterable[Placement], at: int) -> None:
        """Let those who run now run into the next stretch."""
        new = [
            Running(
                id=placement.ask.id,
                end_at=(end := self.lives.end_of(placement.ask.id)),
                held=tuple(
                    replace(one.holding, end_at=max(one.holding.end_at, end))
                    for one in placement.placed
                ),
            )
            for placement in started
        ]
        over = [job for job in (*self.running, *new) if job.end_at < at]
        for job in over:
            self.gate.ended(job.id, job.end_at)
        self.running = tuple(job for job in (*self.running, *new) if job.end_at >= at)

    def _closed(self, now: int, until: int) -> Sequence[Closure]:
        """Return what is set apart as far as known now; a node that is down is closed for good."""
        snapshot = self.everything
        horizon_s = until - now + (snapshot.settings.passes or PassSettings()).window_s
        down = self.machine.bitmap(name for name, node in self.nodes.items() if not node.usable)
        outage = Closure(
            reservation="\0down",
            start_at=now,
            end_at=now + 10**9,
            nodes=down,
            overlaps=False,
            flexible=False,
        )
        return (
            *closures(snapshot.reservations, self.machine, now, horizon_s, snapshot.utc_offset_s),
            *((outage,) if down else ()),
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


def _with_arrivals(snapshot: Snapshot, story: Story) -> Snapshot:
    """Return the snapshot with everybody who will ever wait, those told as held not held."""
    jobs = [
        replace(job, hold=Hold.NONE, obstacle=Obstacle.NONE)
        if any(id_ in story.held for id_ in single_ids(job.spec))
        else job
        for job in (*snapshot.pending, *story.arrivals)
    ]
    return replace(snapshot, pending=tuple(jobs))


def _up(node: Node) -> Node:
    """Return the node as it is while nothing is wrong with it."""
    return node if node.usable else replace(node, state=NodeState.IDLE, flags=frozenset())
