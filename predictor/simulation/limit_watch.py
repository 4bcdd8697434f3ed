"""Which limit keeps whom, as jobs start and end: what the engine counts, by asks and placements."""

from collections.abc import Iterable

from predictor.domain import Snapshot
from predictor.engine import store
from predictor.engine.limit_layout import LimitLayout
from predictor.engine.limits import Limits
from predictor.limits import Blocked
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Ask, Need, Part, Placement
from predictor.simulation.dependencies import single_ids
from predictor.simulation.limit_lowering import lowered


class LimitWatch:
    """The limits of a snapshot, where those run that run there, and jobs start and end.

    Instants must not run backwards.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        machine: Machine,
        asks: Iterable[Ask],
        placements: Iterable[Placement] = (),
    ) -> None:
        """Prepare for questions about these asks, and for these placements to start."""
        placements = tuple(placements)
        specs = {job.spec.id: job.spec for job in snapshot.pending}
        wanted = [(part, need) for ask in asks for part in ask.parts for need in _by_qos(part)]
        wanted += [(one.part, one.need) for placement in placements for one in placement.placed]
        self._claims = {each: claim for claim, each in enumerate(dict.fromkeys(wanted))}
        ids = [single_ids(job.spec)[0] for job in snapshot.running]
        ids += [placement.ask.id for placement in placements]
        self._holders = {id_: holder for holder, id_ in enumerate(dict.fromkeys(ids))}
        asked = [(specs[part.job_id], need) for part, need in self._claims]
        self._lowered = lowered(snapshot, machine, asked, self._holders)
        self._limits = Limits(LimitLayout(self._lowered.tables))

    def let_nothing_run(self) -> None:
        """Go back to the snapshot, had nobody started by then."""
        self._limits.clear()

    def blocked(self, ask: Ask, at: int) -> Blocked | None:
        """Return the limit that keeps the ask from starting `at` on new nodes; None: none does."""
        found = (self._blocked(part, at) for part in ask.parts)
        return next((blocked for blocked in found if blocked is not None), None)

    def _blocked(self, part: Part, at: int) -> Blocked | None:
        """Return the same of a part: the limit of the first QOS, if none lets it start."""
        first = None
        for need in _by_qos(part):
            blocked = self._lowered.least_blocked(self._limits, self._claims[part, need], at)
            if blocked is None:
                return None
            first = first or blocked
        return first

    def blocked_there(self, placement: Placement, at: int) -> Blocked | None:
        """Return the limit that keeps it from starting `at` on its nodes; None: none does."""
        for one in placement.placed:
            claim = self._place(one.part, one.need, one.holding.nodes)
            rule = self._limits.early(claim, at)
            if rule < 0:
                rule = self._limits.late(at)
            if rule >= 0:
                return self._lowered.blocked(self._limits, rule, claim, at)
        return None

    def start(self, placement: Placement, at: int) -> None:
        """Count what starts."""
        for one in placement.placed:
            self._place(one.part, one.need, one.holding.nodes)
            self._limits.start(self._holders[placement.ask.id], at)

    def end(self, id_: str, at: int) -> None:
        """Count it no more, if it was counted."""
        if id_ in self._holders:
            self._limits.end(self._holders[id_], at)

    def _place(self, part: Part, need: Need, nodes: int) -> int:
        claim = self._claims[part, need]
        self._limits.place(claim, store.rows([nodes], self._lowered.tables.nodes), 0, 0)
        return claim


def _by_qos(part: Part) -> Iterable[Need]:
    """Return the first way of the part by each QOS."""
    found: dict[str, Need] = {}
    for need in part.ways:
        found.setdefault(need.qos, need)
    return found.values()
