"""Nodes that stood idle although the replica would have used them: rules that it cannot see.

Such rules are reservations hidden from the account that looks, or orders given by hand.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from verification.fidelity.history import History
from verification.fidelity.looks import Look

NOTABLE_S = 120
"""Who stands idle for less merely waits for the scheduler's next pass."""

Stretch = tuple[int, int]
"""From an instant on, up to and without another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Idle:
    """A node that nobody used, though somebody waited whom the replica would have put there."""

    node: str
    since: int
    until: int
    """When somebody came, or the replica was asked no further."""
    job_ids: tuple[str, ...]
    """Whom the replica would have put there, sorted."""


def merged(some: Iterable[Idle]) -> tuple[Idle, ...]:
    """Return what touches as one, the longest first; what is not notable is left out."""
    found: dict[str, list[Idle]] = {}
    for idle in some:
        found.setdefault(idle.node, []).append(idle)
    every = (one for of_node in found.values() for one in _joined(of_node))
    notable = (one for one in every if one.until - one.since >= NOTABLE_S)
    return tuple(sorted(notable, key=lambda one: (one.since - one.until, one.since, one.node)))


def usage(history: History) -> Mapping[str, Sequence[tuple[int, int | None]]]:
    """Return when each node was in use, by start; without an end: to the end of the record."""
    found: dict[str, list[tuple[int, int | None]]] = {}
    for started_at, _, run in history.starts:
        for name in run.node_names:
            found.setdefault(name, []).append((started_at, run.ended_at))
    return found


def idle_from(used: Iterable[tuple[int, int | None]], since: int, until: int) -> Stretch | None:
    """Return for how long a node is idle from an instant on, at most to another; None: it is not.

    `used` are the times of its use by start.
    """
    for started_at, ended_at in used:
        if started_at >= until:
            break
        if started_at > since:
            return since, started_at
        if ended_at is None or ended_at > since:
            return None
    return since, until


def idle_in(history: History, look: Look) -> Iterator[Idle]:
    """Yield the nodes that a look would have filled and that stood idle meanwhile.

    A node of which a part is in use is not idle.
    """
    used = usage(history)
    usable = {node.name for node in history.snapshots[look.number].nodes if node.usable}
    for job_id, start in sorted(look.said.items()):
        until = min(look.real.get(job_id, look.until), look.until)
        for node in start.node_names:
            if node in usable and until > start.at:
                stretch = idle_from(used.get(node, ()), start.at, until)
                if stretch is not None:
                    yield Idle(node=node, since=stretch[0], until=stretch[1], job_ids=(job_id,))


def _joined(some: Iterable[Idle]) -> Iterator[Idle]:
    """Yield one node's stretches, those that touch as one."""
    last: Idle | None = None
    for one in sorted(some, key=lambda idle: (idle.since, idle.until, idle.job_ids)):
        if last is not None and one.since <= last.until:
            last = replace(
                last,
                until=max(last.until, one.until),
                job_ids=tuple(sorted({*last.job_ids, *one.job_ids})),
            )
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last
