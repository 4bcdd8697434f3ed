"""Limits at work: who may start now, as jobs start and end around them."""

from collections import Counter
from collections.abc import Iterable

from predictor.domain import Snapshot, Tres
from predictor.limits import Blocked, Book, Claim, claim
from predictor.scheduling.allocation import shares
from predictor.scheduling.machine import Machine
from predictor.scheduling.planner import Ask, Part, Placement
from predictor.scheduling.timeline import Need
from predictor.simulation.dependencies import single_ids


class LimitGate:
    """Asks the book of limits for the planner, and keeps it up to date."""

    def __init__(self, snapshot: Snapshot, machine: Machine) -> None:
        self._machine = machine
        self._settings = snapshot.settings
        self._partitions = {partition.name: partition for partition in snapshot.partitions}
        self._specs = {job.spec.id: job.spec for job in snapshot.pending}
        self._least: dict[Part, Claim] = {}
        self._book = Book.of(snapshot, machine.number)
        self._counted: dict[str, list[str]] = {}
        """By single id: the ids under which the book counts a job."""
        for job in snapshot.running:
            if job.spec.id in self._book:
                self._counted.setdefault(single_ids(job.spec)[0], []).append(job.spec.id)

    def refuses(self, ask: Ask, at: int) -> str | None:
        """Return the limit that keeps the ask from being looked at; None: none does."""
        return _first(self._book.before_placing(self._at_least(part), at) for part in ask.parts)

    def refuses_on(self, placement: Placement, at: int) -> str | None:
        """Return the limit that keeps it from these nodes; None: none does."""
        return _first(
            self._book.after_placing(
                self._on(one.part, one.need, one.holding.nodes), one.holding.nodes, at
            )
            for one in placement.placed
        )

    def refuses_ever(self, ask: Ask, at: int) -> str | None:
        """Return a limit that the ask alone is too much for, on whatever nodes; None: none is.

        To be asked of a gate at which nothing runs.
        """
        blocked = self.blocks(ask, at)
        return None if blocked is None else blocked.limit

    def blocks(self, ask: Ask, at: int) -> Blocked | None:
        """Return the limit that keeps the ask from starting `at` on new nodes; None: none does."""
        least = [self._at_least(part) for part in ask.parts]
        found = (
            self._book.before_placing(claim_, at) or self._book.after_placing(claim_, 0, at)
            for claim_ in least
        )
        return next((blocked for blocked in found if blocked is not None), None)

    def blocks_on(self, placement: Placement, at: int) -> Blocked | None:
        """Return the limit that keeps it from starting `at` on these nodes; None: none does."""
        found = (
            self._book.before_placing(claim_, at)
            or self._book.after_placing(claim_, one.holding.nodes, at)
            for one in placement.placed
            for claim_ in [self._on(one.part, one.need, one.holding.nodes)]
        )
        return next((blocked for blocked in found if blocked is not None), None)

    def started(self, placement: Placement, at: int) -> None:
        """Count what starts."""
        ids = self._counted.setdefault(placement.ask.id, [])
        for number, one in enumerate(placement.placed):
            ids.append(f"{placement.ask.id}.{number}")
            nodes = one.holding.nodes
            self._book.start(ids[-1], self._on(one.part, one.need, nodes), nodes, at)

    def ended(self, id_: str, at: int) -> None:
        """Count it no more."""
        for counted in self._counted.pop(id_, ()):
            self._book.end(counted, at)

    def _at_least(self, part: Part) -> Claim:
        """Return what the part counts as before anybody looked at nodes."""
        if part not in self._least:
            need = part.ways[0]
            first = need.candidates & -need.candidates
            self._least[part] = self._on(part, need, first, times=need.nodes)
        return self._least[part]

    def _on(self, part: Part, need: Need, nodes: int, times: int = 1) -> Claim:
        """Return what the part counts as on these nodes."""
        held = shares(self._machine, need.shape, nodes)
        return claim(
            self._specs[part.job_id],
            self._partitions.get(need.partition),
            self._settings,
            nodes=len(held) * times,
            cpus=sum(share.cpus for share in held) * times,
            memory_mb=sum(share.memory_mb for share in held) * times,
            limit_s=need.duration_s,
            gres=_together((share.gres for share in held), times),
        )


def _first(found: Iterable[Blocked | None]) -> str | None:
    return next((blocked.limit for blocked in found if blocked is not None), None)


def _together(bundles: Iterable[Tres], times: int) -> Tres:
    found: Counter[str] = Counter()
    for bundle in bundles:
        for name, amount in bundle:
            found[name] += amount * times
    return tuple(sorted(found.items()))
