"""Where a simulation and reality part, and what each of them would have said to the other.

Whoever starts first is put to the other side: a real start to the simulated cluster of that
instant, a simulated one to the real cluster. What speaks against it there names the cause.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from predictor.domain import Obstacle, PendingJob, RunningJob, Snapshot
from predictor.priority.order import queue_order
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Story
from predictor.site import Site, overlay
from verification.fidelity.history import History, kept_away, number_at
from verification.fidelity.impossible import running_at
from verification.fidelity.looks import Look
from verification.fidelity.scores import CLOSE_S
from verification.fidelity.truth import story_of
from verification.fidelity.world import Verdict, World, few, placed


@dataclass(frozen=True, slots=True, kw_only=True)
class Parting:
    """A job that started more than CLOSE_S apart in reality and in the simulation."""

    job_id: str
    at: int
    """The earlier of the two."""
    real_at: int | None
    """None: not before the end of the look; likewise below."""
    said_at: int | None
    kind: str
    """What spoke against the earlier start, in a few words: a class to count."""
    detail: str
    job: PendingJob
    """As it was shown waiting last before `at`."""
    rank: int
    """Its place in that snapshot's queue, from 1; 0: it was not seen waiting then."""
    running: int
    """How many jobs ran by that snapshot."""
    idle_nodes: int
    """How many nodes of its partitions nobody used."""

    @property
    def late(self) -> bool:
        """Whether the simulation started it too late, or not at all."""
        return self.real_at == self.at


def partings(
    history: History, look: Look, site: Site, only: Container[str] | None = None
) -> tuple[Parting, ...]:
    """Return who started apart in one look, the earliest first; of these jobs only, if given."""
    return tuple(_Case(history, look, site).partings(only))


def _eligible(job: PendingJob, at: int) -> bool:
    """Return whether a waiting record, as shown last, competes with others."""
    free = not kept_away(job) and job.obstacle is Obstacle.NONE and not job.dependencies
    return free and (job.begin_at or 0) <= at


class _Case:
    """One look, with what it takes to see either side's cluster at any instant."""

    def __init__(self, history: History, look: Look, site: Site) -> None:
        self.history = history
        self.look = look
        self.site = site
        self.begin = overlay(site, history.snapshots[look.number])

    @cached_property
    def story(self) -> Story:
        return story_of(self.history, self.look.number, self.look.until)

    @cached_property
    def waiting(self) -> dict[str, PendingJob]:
        """Everybody who waits or will, by single id, as the simulation knew them."""
        jobs = (*self.begin.pending, *self.story.arrivals)
        return {id_: job for job in jobs for id_ in single_ids(job.spec)}

    def partings(self, only: Container[str] | None) -> Iterator[Parting]:
        real, said = self.look.real, self.look.said_at
        apart = []
        for id_ in real.keys() | said.keys():
            if only is not None and id_ not in only:
                continue
            first = min(at for at in (real.get(id_), said.get(id_)) if at is not None)
            if not (id_ in real and id_ in said and abs(real[id_] - said[id_]) <= CLOSE_S):
                apart.append((first, id_))
        for at, id_ in sorted(apart):
            yield self._parting(id_, at)

    def _parting(self, id_: str, at: int) -> Parting:
        number = number_at(self.history.instants, at)
        shown = self.history.record_at(id_, number)
        job = self.waiting.get(id_) or shown
        assert job is not None, f"{id_} started and never waited"  # noqa: S101
        real_at, said_at = self.look.real.get(id_), self.look.said_at.get(id_)
        if real_at == at:
            kind, detail = self._why_not_simulated(id_, job, at)
        else:
            kind, detail = self._why_not_real(id_, job, at)
        other = said_at if real_at == at else real_at
        if other is None and self.look.until - at <= CLOSE_S:
            kind = "the end of the look lies between the two"
        return Parting(
            job_id=id_,
            at=at,
            real_at=real_at,
            said_at=said_at,
            kind=kind,
            detail=detail,
            job=shown or job,
            rank=self._rank(id_, number),
            running=len(self.history.snapshots[number].running),
            idle_nodes=self._idle(shown or job, number),
        )

    def _idle(self, job: PendingJob, number: int) -> int:
        snapshot = overlay(self.site, self.history.snapshots[number])
        used = {share.node for one in snapshot.running for share in one.allocation}
        partitions = [p for p in snapshot.partitions if p.name in job.spec.partitions]
        return len({name for p in partitions for name in p.node_names} - used)

    def _rank(self, id_: str, number: int) -> int:
        order = self._order(number)
        ranks = (n for n, job in enumerate(order, start=1) if id_ in single_ids(job.spec))
        return next(ranks, 0)

    def _order(self, number: int) -> Sequence[PendingJob]:
        snapshot = overlay(self.site, self.history.snapshots[number])
        return [entry.job for entry in queue_order(snapshot, self.site.priority())]

    def _why_not_simulated(self, id_: str, job: PendingJob, at: int) -> tuple[str, str]:
        """Return what kept a real start from happening in the simulation."""
        ran = list(self._simulated(at, but=id_))
        verdict = World(self._at(at, ran)).verdict(job)
        if verdict.kind == "nodes":
            return self._thieves(verdict, at)
        if verdict:
            return f"late: {verdict.kind}", verdict.detail
        return self._late_by_order(id_, job, at)

    def _thieves(self, verdict: Verdict, at: int) -> tuple[str, str]:
        """Tell whether those in the way are there in reality too."""
        real = self.look.real
        wrong = []
        for id_, job, _ in self._run_now(at):
            if job.spec.id in verdict.holders or id_ in verdict.holders:
                began = real.get(id_)
                if began is None or began > at:
                    wrong.append(id_)
        if wrong:
            names = few(tuple(sorted(set(wrong))))
            return "late: nodes taken by jobs that had not started", f"{verdict.detail}; {names}"
        return "late: nodes taken, the same jobs on others", verdict.detail

    def _late_by_order(self, id_: str, job: PendingJob, at: int) -> tuple[str, str]:
        """Tell who was ahead of a job that had room and no limit against it."""
        ahead = []
        for other in self._order(number_at(self.history.instants, at)):
            ids = single_ids(other.spec)
            if id_ in ids:
                break
            still = [one for one in ids if _eligible(other, at) and self._waits_simulated(one, at)]
            if still and set(other.spec.partitions) & set(job.spec.partitions):
                return "late: behind a job of its partition", f"behind {other.spec.id}"
            ahead += still[:1]
        if ahead:
            return "late: behind jobs of other partitions", f"behind {few(tuple(ahead))}"
        return "late: nobody ahead, room and no limit", "not looked at, or not seen yet"

    def _waits_simulated(self, id_: str, at: int) -> bool:
        said = self.look.said_at.get(id_)
        leaves_at = self.story.leaves_at.get(id_)
        known = id_ in self.waiting and self.waiting[id_].spec.submitted_at <= at
        return known and (said is None or said > at) and (leaves_at is None or leaves_at > at)

    def _why_not_real(self, id_: str, job: PendingJob, at: int) -> tuple[str, str]:
        """Return what kept a simulated start from happening in reality."""
        number = number_at(self.history.instants, at)
        snapshot = overlay(self.site, self.history.snapshots[number])
        ran = [one for _, one, _ in running_at(self.history, number, at, snapshot)]
        verdict = World(replace(snapshot, taken_at=at, running=tuple(ran))).verdict(job)
        after = self.history.record_at(id_, min(number + 1, len(self.history.snapshots) - 1))
        reason = after.reason if after is not None and after.reason else "none told"
        if verdict:
            return f"early: really {verdict.kind} ({reason})", verdict.detail
        return f"early: room and no limit, yet {reason}", ""

    def _run_now(self, at: int) -> Iterator[tuple[str, RunningJob, int | None]]:
        """Yield who runs in the simulation, with single ids."""
        for job in self.begin.running:
            for place, id_ in enumerate(single_ids(job.spec)):
                ends_at = self.story.ends_at.get(id_)
                if place == 0 and (ends_at is None or ends_at > at):
                    yield id_, job, ends_at
        for id_, start in self.look.said.items():
            run_s = self.story.run_s.get(id_)
            ends_at = None if run_s is None else start.at + run_s
            if start.at <= at and id_ in self.waiting and (ends_at is None or ends_at > at):
                spec = self.waiting[id_].spec
                partitions = (start.partition,) if start.partition else spec.partitions[:1]
                spec = replace(spec, id=id_, array=None, partitions=partitions)
                yield id_, placed(spec, start.at, start.node_names, self.begin), ends_at

    def _simulated(self, at: int, but: str) -> Iterator[RunningJob]:
        return (job for id_, job, _ in self._run_now(at) if id_ != but)

    def _at(self, at: int, running: Sequence[RunningJob]) -> Snapshot:
        """Return the simulated cluster at an instant."""
        known = self.begin
        for since, reservations in self.story.reservations:
            if since <= at:
                known = replace(known, reservations=reservations)
        nodes = {node.name: node for node in known.nodes}
        for since, changed in self.story.nodes:
            if since <= at:
                nodes |= {node.name: node for node in changed}
        return replace(known, taken_at=at, running=tuple(running), nodes=tuple(nodes.values()))
