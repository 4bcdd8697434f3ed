"""What is free when: a list of slots, each with its free nodes as bitmaps.

The structure that won the measurements on which this design rests: sorted breakpoints, one
bitmap of free nodes per slot, and, within a pass in which capacity only shrinks, the exact rule
that a job cannot start before an earlier one that asked for no more.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from predictor.domain import Tres
from predictor.scheduling.closures import Closure, open_nodes
from predictor.scheduling.machine import Machine, Vector, covers, numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One way to place a job: so many nodes out of a set, for so long."""

    partition: str
    shape: int
    """The number the machine gave it."""
    nodes: int
    candidates: int
    """Bitmap of the nodes that may be chosen."""
    required: int = 0
    """Bitmap of the nodes that must be among the chosen."""
    duration_s: int
    least_s: int = 0
    """It would accept to be ended after so long; 0: no sooner than after `duration_s`."""
    reservation: str = ""
    licenses: Tres = ()
    members: int = 0
    """Bitmap of all nodes of the partition."""
    contiguous: bool = False
    """Whether the nodes must be neighbours."""
    switches: int = 0
    """On at most so many leaf switches, as long as the job insists on it; 0: on any number."""
    groups: tuple[tuple[int, int], ...] = ()
    """So many nodes must be of each of these bitmaps, none counting twice; two overlap at most."""
    user: str = ""
    """Whose job it is."""
    beside_own: int | None = None
    """The shape it takes where only its own user's jobs share its nodes; None: it does not so."""

    @property
    def taken(self) -> int:
        """The shape that is really taken of each node."""
        return self.shape if self.beside_own is None else self.beside_own


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The first time a need can be met, and all the nodes that stay free for it."""

    start_at: int
    nodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Nodes (a bitmap) held from `start_at` to `end_at`, with what is taken of each."""

    start_at: int
    end_at: int
    nodes: int
    shape: int
    licenses: Tres = ()
    user: str = ""
    """Who holds them; empty: not told."""
    beside_own: int | None = None
    """As in `Need`."""

    @property
    def taken(self) -> int:
        """The shape that is really taken of each node."""
        return self.shape if self.beside_own is None else self.beside_own


class Slot:
    """What is free from one breakpoint to the next."""

    __slots__ = ("blocked", "idle", "licenses", "open", "partial", "room")

    def __init__(self, idle: int, partial: dict[int, Vector], licenses: dict[str, int]) -> None:
        self.idle = idle
        """Nodes on which nothing runs."""
        self.partial = partial
        """What is left of nodes that are shared and in use; a full one may be missing."""
        self.licenses = licenses
        self.blocked = 0
        """Nodes kept free as a whole for a job that is planned to start on them."""
        self.room: dict[int, int] = {}
        """By shape: the nodes that can hold it, as far as asked."""
        self.open: dict[str, int] = {}
        """By reservation: the nodes a job with it may use, as far as asked."""

    def copy(self) -> "Slot":
        """Return an equal slot that can be changed independently."""
        other = Slot(self.idle, dict(self.partial), dict(self.licenses))
        other.blocked = self.blocked
        other.room = dict(self.room)
        other.open = dict(self.open)
        return other

    def equals(self, other: "Slot") -> bool:
        """Return whether the same is free in both."""
        return (
            self.idle == other.idle
            and self.blocked == other.blocked
            and self.partial == other.partial
            and self.licenses == other.licenses
        )


class Timeline:
    """The free capacity of a machine from `start_at` on; the last slot has no end.

    Not thread-safe. Slots change in place; `take` and `give_back` are exact inverses.
    """

    def __init__(
        self,
        machine: Machine,
        start_at: int,
        held: Sequence[Holding] = (),
        closed: Sequence[Closure] = (),
        licenses: Tres = (),
    ) -> None:
        self.machine = machine
        self._closed = closed
        self._times: list[int] = []
        self._slots: list[Slot] = []
        self._build(start_at, held, dict(licenses))
        self._edges = {at for closure in closed for at in (closure.start_at, closure.end_at)}
        for at in sorted(self._edges):
            self._cut(at)

    def _build(self, start_at: int, held: Sequence[Holding], licenses: dict[str, int]) -> None:
        """Sweep back from the last end, adding what is held until then."""
        slot = Slot(self.machine.usable, {}, licenses)
        times: list[int] = []
        slots: list[Slot] = []
        for holding in sorted(held, key=lambda holding: -holding.end_at):
            if holding.end_at <= start_at:
                break
            if not times or times[-1] != holding.end_at:
                times.append(holding.end_at)
                slots.append(slot)
                slot = slot.copy()
            self._subtract(slot, holding)
        self._times = [start_at, *reversed(times)]
        self._slots = [slot, *reversed(slots)]

    @property
    def starts(self) -> Sequence[int]:
        """The breakpoints, ascending."""
        return self._times

    @property
    def closed(self) -> Sequence[Closure]:
        """The reservations that keep nodes apart."""
        return self._closed

    @property
    def edges(self) -> Collection[int]:
        """When reservations begin and end."""
        return self._edges

    def forget_before(self, at: int) -> None:
        """Drop what lies before `at`, which becomes the new beginning."""
        first = max(0, bisect_right(self._times, at) - 1)
        del self._times[:first], self._slots[:first]
        self._times[0] = max(self._times[0], at)

    def change_after(self, at: int) -> int | None:
        """Return the next breakpoint after `at`; None if nothing changes any more."""
        i = bisect_right(self._times, at)
        return self._times[i] if i < len(self._times) else None

    def earliest(self, need: Need, not_before: int) -> Opening | None:
        """Return the first opening for `need` that starts at `not_before` or later.

        None if there is none, ever. It starts at `not_before` or at a breakpoint, for only there
        capacity grows. Linear in the slots, mostly.
        """
        times, count = self._times, len(self._times)
        i = max(0, bisect_right(times, not_before) - 1)
        while i < count:
            start = max(times[i], not_before)
            common, failed = self._common(need, i, start + need.duration_s)
            if failed is None:
                return Opening(start_at=start, nodes=common)
            i = self._retry(need, i, failed)
        return None

    def opening_at(self, need: Need, at: int) -> Opening | None:
        """Return the opening for `need` that starts exactly at `at`; None if there is none."""
        i = max(0, bisect_right(self._times, at) - 1)
        common, failed = self._common(need, i, at + need.duration_s)
        return Opening(start_at=at, nodes=common) if failed is None else None

    def _common(self, need: Need, first: int, end_at: int) -> tuple[int, int | None]:
        """Return the nodes free in all slots from `first` to `end_at`, and the slot that fails."""
        common = need.candidates
        for i in range(first, len(self._times)):
            if i > first and self._times[i] >= end_at:
                break
            common &= self._allowed(i, need)
            if not enough(common, need):
                return 0, i
        return common, None

    def _retry(self, need: Need, first: int, failed: int) -> int:
        """Return the first slot after `first` from which nothing is known against `need`.

        Walks back from the failing slot for as long as the slots together still suffice.
        """
        common = need.candidates & self._allowed(failed, need)
        if not enough(common, need):
            return failed + 1
        i = failed
        while i - 1 > first:
            common &= self._allowed(i - 1, need)
            if not enough(common, need):
                break
            i -= 1
        return i

    def _allowed(self, i: int, need: Need) -> int:
        """Return the nodes of slot `i` with room for `need` that it may use; 0 lacking licenses."""
        slot = self._slots[i]
        if need.licenses and not _licensed(slot, need.licenses):
            return 0
        room = slot.room.get(need.shape)
        if room is None:
            room = slot.room[need.shape] = self._room(slot, need.shape)
        room &= ~slot.blocked
        if not self._closed and not need.reservation:
            return room
        allowed = slot.open.get(need.reservation)
        if allowed is None:
            allowed = slot.open[need.reservation] = self._open(i, need.reservation)
        return room & allowed

    def _room(self, slot: Slot, shape: int) -> int:
        room = slot.idle & self.machine.fits_empty(shape)
        if not self.machine.shape(shape).whole:
            amounts = self.machine.amounts(shape)
            for i, free in slot.partial.items():
                if covers(free, amounts[i]):
                    room |= 1 << i
        return room

    def _open(self, i: int, reservation: str) -> int:
        at = self._times[i]
        active = [c for c in self._closed if c.start_at <= at < c.end_at]
        return open_nodes(active, self.machine.everything, reservation)

    def room_at(self, shape: int, at: int) -> int:
        """Return the nodes that can hold the shape at `at`, reservations left aside."""
        return self._room(self._slots[max(0, bisect_right(self._times, at) - 1)], shape)

    def free_cpus(self, at: int, node: int) -> int:
        """Return how many of the node's CPUs are free at `at`."""
        slot = self._slots[max(0, bisect_right(self._times, at) - 1)]
        if slot.idle >> node & 1:
            return self.machine.capacity[node][0]
        return slot.partial[node][0] if node in slot.partial else 0

    def take(self, holding: Holding) -> None:
        """Mark the holding's nodes as held."""
        self._cut(holding.start_at)
        self._cut(holding.end_at)
        for slot in self._between(holding):
            self._subtract(slot, holding)

    def give_back(self, holding: Holding) -> None:
        """Undo a `take`; several may be undone in any order."""
        # A breakpoint is gone where one holding ended as an equal one began.
        self._cut(holding.start_at)
        self._cut(holding.end_at)
        for slot in self._between(holding):
            self._add(slot, holding)
        self._join(holding.start_at)
        self._join(holding.end_at)

    def block(self, holding: Holding) -> None:
        """Keep the holding's nodes, whole, from everyone."""
        self._cut(holding.start_at)
        self._cut(holding.end_at)
        for slot in self._between(holding):
            slot.blocked |= holding.nodes

    def unblock(self, holding: Holding) -> None:
        """Undo a `block`; several may be undone in any order."""
        self._cut(holding.start_at)
        self._cut(holding.end_at)
        for slot in self._between(holding):
            slot.blocked &= ~holding.nodes
        self._join(holding.start_at)
        self._join(holding.end_at)

    def _cut(self, at: int) -> None:
        """Make `at` a breakpoint, unless it is one or lies in the past."""
        i = bisect_right(self._times, at)
        if i and self._times[i - 1] != at:
            self._times.insert(i, at)
            self._slots.insert(i, self._slots[i - 1].copy())

    def _join(self, at: int) -> None:
        """Drop the breakpoint `at` if nothing changes there any more."""
        i = bisect_right(self._times, at) - 1
        if i < 1 or self._times[i] != at or at in self._edges:
            return
        if self._slots[i - 1].equals(self._slots[i]):
            del self._times[i], self._slots[i]

    def _between(self, holding: Holding) -> list[Slot]:
        first = bisect_right(self._times, holding.start_at) - 1
        last = bisect_right(self._times, holding.end_at) - 1
        return self._slots[max(0, first) : last]

    def _subtract(self, slot: Slot, holding: Holding) -> None:
        for name, amount in holding.licenses:
            slot.licenses[name] = slot.licenses.get(name, 0) - amount
        if self.machine.shape(holding.shape).whole:
            for i in numbers(holding.nodes & ~slot.idle):
                slot.partial.pop(i, None)
            slot.idle &= ~holding.nodes
            for shape in slot.room:
                slot.room[shape] &= ~holding.nodes
            return
        amounts = self.machine.amounts(holding.shape)
        for i in numbers(holding.nodes):
            free = self._free(slot, i) or _nothing(amounts[i])
            self._set_free(slot, i, tuple(f - a for f, a in zip(free, amounts[i], strict=True)))

    def _add(self, slot: Slot, holding: Holding) -> None:
        for name, amount in holding.licenses:
            slot.licenses[name] += amount
        if self.machine.shape(holding.shape).whole:
            slot.idle |= holding.nodes
            for shape in slot.room:
                slot.room[shape] |= holding.nodes & self.machine.fits_empty(shape)
            return
        amounts = self.machine.amounts(holding.shape)
        for i in numbers(holding.nodes):
            free = tuple(f + a for f, a in zip(slot.partial[i], amounts[i], strict=True))
            self._set_free(slot, i, free)

    def _set_free(self, slot: Slot, node: int, free: Vector) -> None:
        bit = 1 << node
        held = self._held_by(slot, node)
        if free == self.machine.capacity[node] and self.machine.usable & bit:
            slot.partial.pop(node, None)
            slot.idle |= bit
        else:
            slot.partial[node] = free
            slot.idle &= ~bit
        for shape in numbers(held ^ self._held_by(slot, node)):
            if shape in slot.room:
                slot.room[shape] ^= bit

    def _free(self, slot: Slot, node: int) -> Vector | None:
        """Return what is free of the node; None if that is nothing."""
        return self.machine.capacity[node] if slot.idle >> node & 1 else slot.partial.get(node)

    def _held_by(self, slot: Slot, node: int) -> int:
        """Return the shapes, as a bitmap of their numbers, that the node could hold."""
        if slot.idle >> node & 1:
            return self.machine.shapes_in_empty(node)
        free = slot.partial.get(node)
        return 0 if free is None else self.machine.shapes_within(node, free)


def enough(nodes: int, need: Need) -> bool:
    """Return whether a set of free nodes is as many as needed, of each group and in all."""
    return (
        nodes.bit_count() >= need.nodes
        and nodes & need.required == need.required
        and has_all(nodes, need.groups)
    )


def has_all(nodes: int, groups: Sequence[tuple[int, int]]) -> bool:
    """Return whether as many of each group are among the nodes as are wanted of it."""
    return all((nodes & of_group).bit_count() >= least for of_group, least in groups) and all(
        (nodes & (of_group | other)).bit_count() >= least + more
        for (of_group, least), (other, more) in combinations(groups, 2)
    )


def _licensed(slot: Slot, licenses: Tres) -> bool:
    return all(slot.licenses.get(name, 0) >= amount for name, amount in licenses)


def _nothing(amounts: Vector) -> Vector:
    return (0,) * len(amounts)
