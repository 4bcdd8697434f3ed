"""Nodes that the batch system still cleared of ended jobs, by the snapshots that show them so."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from predictor.domain import Outcome, Snapshot
from predictor.domain.node import NodeFlag
from predictor.engine.victim_tables import AT_ONCE, Vacating
from predictor.simulation.telling import Clearing
from verification.fidelity.runs import Run

LAG_S = 60
"""So much later than its instant a snapshot's records may have been read."""

Seen = tuple[str, int, int]
"""A node, and the numbers of the first and the last snapshot in a row that show it so."""
Kind = tuple[Outcome | None, bool]
"""How a run ended (None: nobody tells), and whether on the first of its nodes."""
Ends = Mapping[str, Sequence[tuple[int, Kind]]]
"""By node: when runs there ended and how, ascending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A node that was being cleared, as far as snapshots tell."""

    node: str
    since: int
    kind: Kind
    """How the run there ended."""
    last: int
    """The instant of the last snapshot that shows it being cleared."""
    after: int
    """The instant of the snapshot after that one."""

    @property
    def about_s(self) -> float:
        """How long it took, as far as that is known."""
        return (self.last + self.after) / 2 - self.since


@dataclass(frozen=True, slots=True, kw_only=True)
class Clearings:
    """When nodes were being cleared, ascending."""

    of_victims: tuple[Clearing, ...] = ()
    """After runs that the scheduler ended for others: when is up to the simulated scheduler."""
    vacating: Vacating = AT_ONCE
    """How long those `of_victims` mostly take."""
    others: tuple[Clearing, ...] = ()

    def told(self, now: int, until: int) -> tuple[Clearing, ...]:
        """Return those that somebody must be told who plans from now on."""
        begun = (one for one in self.of_victims if one.since <= now)
        to_come = (one for one in self.others if one.since < until)
        return tuple(sorted(one for one in (*begun, *to_come) if one.until > now))


def clearings(snapshots: Sequence[Snapshot], runs: Mapping[str, Sequence[Run]]) -> Clearings:
    """Return when nodes were being cleared.

    From the last end of a run there on. Until when lies between two snapshots: it is taken to last
    as long as it mostly did in this recording after runs that ended alike, or if that was over, to
    the middle of these; but not beyond the first start there.
    """
    starts, ends = _by_node(runs)
    shown = list(_shown(snapshots, ends))
    usual_s = _usual(shown)
    found: list[tuple[Kind, Clearing]] = []
    for one in shown:
        likely = one.since + usual_s[one.kind]
        if likely <= one.last:
            likely = (one.last + one.after) // 2
        following = bisect_right(starts[one.node], one.last)
        until = min([likely, one.after, *starts[one.node][following : following + 1]])
        if until > one.since:
            clearing = Clearing(since=one.since, until=until, node_name=one.node)
            found.append((one.kind, clearing))
    victim = Outcome.PREEMPTED
    return Clearings(
        of_victims=tuple(sorted(one for (outcome, _), one in found if outcome is victim)),
        vacating=_vacating(shown, ends),
        others=tuple(sorted(one for (outcome, _), one in found if outcome is not victim)),
    )


def _usual(shown: Iterable[Shown]) -> Mapping[Kind, int]:
    """Return how long clearing mostly took where it is shown."""
    return {kind: round(median(known)) for kind, known in _lengths(shown).items()}


def _vacating(shown: Iterable[Shown], ends: Ends) -> Vacating:
    """Return how long it mostly took after runs ended for the sake of others, shown or not."""
    lengths = _lengths(shown)
    counts = Counter(kind for known in ends.values() for _, kind in known)

    def usual_s(kind: Kind) -> int:
        known = lengths.get(kind, [])
        return round(median([*known, *[0] * (counts[kind] - len(known))] or [0]))

    victim = Outcome.PREEMPTED
    return Vacating(first_s=usual_s((victim, True)), others_s=usual_s((victim, False)))


def _lengths(shown: Iterable[Shown]) -> Mapping[Kind, list[float]]:
    lengths: dict[Kind, list[float]] = defaultdict(list)
    for one in shown:
        lengths[one.kind].append(one.about_s)
    return lengths


def _shown(snapshots: Sequence[Snapshot], ends: Ends) -> Iterator[Shown]:
    instants = [snapshot.taken_at for snapshot in snapshots]
    for node, first, last in _seen(snapshots):
        before = instants[first - 1] if first else 0
        at, kind = _end(ends.get(node, ()), before, instants[first])
        after = instants[last + 1] if last + 1 < len(instants) else instants[last] + LAG_S
        yield Shown(node=node, since=at, kind=kind, last=instants[last], after=after)


def _end(ends: Sequence[tuple[int, Kind]], before: int, shown_at: int) -> tuple[int, Kind]:
    """Return the end that a snapshot shows the node of, which the one `before` does not."""
    known = [end for end in ends if before < end[0] <= shown_at]
    late = [end for end in ends if shown_at < end[0] <= shown_at + LAG_S]
    return next(iter([*known[-1:], *late[:1]]), (shown_at, (None, False)))


def _seen(snapshots: Iterable[Snapshot]) -> Iterator[Seen]:
    """Yield which nodes are shown so, and by which snapshots in a row."""
    since: dict[str, int] = {}
    number = -1
    for number, snapshot in enumerate(snapshots):
        shown = {node.name for node in snapshot.nodes if NodeFlag.COMPLETING in node.flags}
        for name in sorted(since.keys() - shown):
            yield name, since.pop(name), number - 1
        for name in sorted(shown - since.keys()):
            since[name] = number
    for name, first in since.items():
        yield name, first, number


def _by_node(runs: Mapping[str, Sequence[Run]]) -> tuple[Mapping[str, Sequence[int]], Ends]:
    """Return all starts and all ends on each node, ascending."""
    starts: dict[str, list[int]] = defaultdict(list)
    ends: dict[str, list[tuple[int, Kind]]] = defaultdict(list)
    for run in (run for of_job in runs.values() for run in of_job):
        for name in run.node_names:
            starts[name].append(run.started_at)
            if run.ended_at is not None:
                ends[name].append((run.ended_at, (run.outcome, name == run.node_names[0])))
    for instants in starts.values():
        instants.sort()
    for known in ends.values():
        known.sort(key=lambda end: end[0])
    return starts, ends
