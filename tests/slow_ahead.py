"""A second opinion on a pass that looks ahead: slow, obvious, without any code of the package.

Nodes are taken whole, and each end of a running job counts: of those of one second all at once, or
one after the other, as they have begun. Whatever is asked is found out anew for each job by going
through all slots.
"""

from dataclasses import dataclass

NOW = 0
End = tuple[int, int]
"""When somebody ends, and his number among those who end then."""
FREE: End = (NOW, -1)


@dataclass(frozen=True, kw_only=True)
class Wish:
    name: str
    nodes: int
    length: int
    among: frozenset[int]


@dataclass(frozen=True, kw_only=True)
class Slot:
    nodes: frozenset[int]
    start: int
    end: int


def slow_pass(
    queue: list[Wish],
    busy_until: list[int],
    step: int,
    window: int,
    one_by_one: bool,
    overlaps_first: bool = False,
) -> tuple[dict[str, int], dict[str, frozenset[int]]]:
    """Return when each job is told to start, and the nodes of those who start now."""
    until = [(at, one_by_one * node) if at else FREE for node, at in enumerate(busy_until)]
    slots: list[Slot] = []
    window_end = (NOW + window) // step * step
    told: dict[str, int] = {}
    placed: dict[str, frozenset[int]] = {}
    for number, wish in enumerate(queue):
        found = seek(wish, until, slots, step, window, overlaps_first)
        if found is None:
            continue
        start, nodes = found
        told[wish.name] = start
        if start > NOW + window:
            continue
        if start == NOW:
            placed[wish.name] = nodes
            for node in nodes:
                until[node] = NOW + wish.length, one_by_one * (len(busy_until) + number)
        else:
            first = start // step * step
            end = max((start + wish.length) // step * step, first + step)
            if first < window_end:
                slots.append(Slot(nodes=nodes, start=first, end=min(end, window_end)))
    return told, placed


def seek(
    wish: Wish, until: list[End], slots: list[Slot], step: int, window: int, overlaps_first: bool
) -> tuple[int, frozenset[int]] | None:
    at: int | None = NOW
    window_end = (NOW + window) // step * step
    while at is not None and at <= NOW + window:
        later = following(wish, at, slots, window_end, overlaps_first)
        free = wish.among - touched(slots, at, at + wish.length + 1)
        last = last_to_end(free, wish.nodes, until)
        start = None if last is None else max(at, last[0])
        passed = later is not None and (start is None or start > later)
        if start is None or (passed and not overlaps_first):
            at = later
            continue
        with_room = sorted(node for node in free if until[node] <= last)
        nodes = frozenset(with_room[: wish.nodes])
        since, ends = start // step * step, (start + wish.length) // step * step
        # Who ends in the step in which he starts is in nobody's way where something changes.
        changes = ends == since and since in edges(slots)
        if start == at or changes or not nodes & touched(slots, since, ends):
            if not passed:
                return start, nodes
            at = later
        else:
            at = start
    return None


def touched(slots: list[Slot], since: int, until: int) -> frozenset[int]:
    """Return the nodes of all slots that last at any time from `since` to before `until`."""
    return frozenset().union(*(s.nodes for s in slots if s.start < until and s.end > since))


def edges(slots: list[Slot]) -> list[int]:
    """Return when slots begin or end, in order, what is past left out."""
    return sorted({at for slot in slots for at in (slot.start, slot.end) if at > NOW})


def following(
    wish: Wish, at: int, slots: list[Slot], window_end: int, overlaps_first: bool
) -> int | None:
    """Return when nodes are given back that the job may have, as far as it looks from `at` on.

    That is up to the second change behind its end; the end of the window is none. With
    `overlaps_first` it looks again else from the change behind that one.
    """
    beyond = 0
    for change in [edge for edge in edges(slots) if edge < window_end]:
        before, here = touched(slots, change - 1, change), touched(slots, change, change + 1)
        if change <= at or before == here:
            continue
        if beyond == 2:
            return change if overlaps_first else None
        if (before - here) & wish.among:
            return change
        beyond += change > at + wish.length
    return None


def last_to_end(nodes: frozenset[int], count: int, until: list[End]) -> End | None:
    """Return the end after which so many of the nodes are free; None: there are too few."""
    ends = sorted(until[node] for node in nodes)
    return ends[count - 1] if len(ends) >= count else None
