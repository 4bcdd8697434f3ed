"""Two snapshots compared field by field: what differs, how often, and which differences may be."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass

from predictor.domain import Snapshot

RECORDS: Mapping[str, Callable[[object], str]] = {
    "nodes": lambda node: node.name,
    "partitions": lambda partition: partition.name,
    "pending": lambda job: job.spec.id,
    "running": lambda job: job.spec.id,
    "finished": lambda job: job.spec.id,
    "qos": lambda qos: qos.name,
    "associations": lambda one: f"{one.account}/{one.user}/{one.partition}",
    "reservations": lambda reservation: reservation.name,
    "licenses": lambda license_: license_.name,
}
"""What records of each kind are known by."""
IN_ORDER = frozenset({"nodes", "partitions"})
MISSING = "(missing)"
ORDER = "(order)"
MOST_EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One value that differs."""

    record: str
    left: object
    right: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How one field of one kind of record differs."""

    kind: str
    """A field of `Snapshot`: `pending`, `nodes`, `settings`, `cluster` ..."""
    field: str
    """The path below it, `spec.request.limit_s`; MISSING for records of one side only, ORDER."""
    count: int
    examples: tuple[Example, ...]

    @property
    def line(self) -> str:
        """Return the difference as a line for a person."""
        one = self.examples[0]
        place = ".".join(part for part in (self.kind, self.field) if part)
        return f"{place}: {self.count} differ, as of {one.record}: {one.left!r} | {one.right!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """A difference that may be, and why. Fields below the one named are permitted as well."""

    kind: str
    field: str
    why: str
    within: float | None = None
    """Numbers may be so far apart, and nothing else; None: any value may stand there."""

    def covers(self, kind: str, field: str, left: object, right: object) -> bool:
        """Whether the two values may differ by this."""
        named = not self.field or field == self.field or field.startswith(f"{self.field}.")
        if kind != self.kind or not named:
            return False
        if self.within is None:
            return True
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        return numbers and abs(left - right) <= self.within


def differences(
    left: Snapshot, right: Snapshot, permitted: Iterable[Permit] = ()
) -> tuple[Difference, ...]:
    """Return what differs and is not permitted, by kind and field, in their order."""
    permits = tuple(permitted)
    count: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], list[Example]] = {}
    for kind, field, example in _compared(left, right):
        if any(permit.covers(kind, field, example.left, example.right) for permit in permits):
            continue
        count[kind, field] += 1
        examples.setdefault((kind, field), []).append(example)
    return tuple(
        Difference(
            kind=kind,
            field=field,
            count=number,
            examples=tuple(examples[kind, field][:MOST_EXAMPLES]),
        )
        for (kind, field), number in sorted(count.items())
    )


def lines(left: Snapshot, right: Snapshot, permitted: Iterable[Permit] = ()) -> list[str]:
    """Return what differs and is not permitted, a line each: to be compared with an empty list."""
    return [difference.line for difference in differences(left, right, permitted)]


def _compared(left: Snapshot, right: Snapshot) -> Iterator[tuple[str, str, Example]]:
    for field in fields(Snapshot):
        kind, one, other = field.name, getattr(left, field.name), getattr(right, field.name)
        pairs = _records(kind, one, other) if kind in RECORDS else _values(kind, "", one, other)
        yield from ((kind, path, example) for path, example in pairs)


def _records(
    kind: str, left: Iterable[object], right: Iterable[object]
) -> Iterator[tuple[str, Example]]:
    name = RECORDS[kind]
    ours, theirs = ({name(record): record for record in side} for side in (left, right))
    for each in sorted(ours.keys() ^ theirs.keys()):
        here = each in ours
        yield MISSING, Example(record=each, left=here, right=not here)
    if kind in IN_ORDER:
        common = [
            [each for each in side if each in ours.keys() & theirs] for side in (ours, theirs)
        ]
        if common[0] != common[1]:
            yield ORDER, Example(record="all", left=common[0], right=common[1])
    for each in sorted(ours.keys() & theirs):
        yield from _values(each, "", ours[each], theirs[each])


def _values(record: str, path: str, left: object, right: object) -> Iterator[tuple[str, Example]]:
    if left == right:
        return
    if is_dataclass(left) and type(left) is type(right):
        for field in fields(left):
            below = f"{path}.{field.name}" if path else field.name
            yield from _values(record, below, getattr(left, field.name), getattr(right, field.name))
    elif _are_rows(left) and _are_rows(right) and len(left) == len(right):
        for one, other in zip(left, right, strict=True):
            yield from _values(record, path, one, other)
    else:
        yield path, Example(record=record, left=left, right=right)


def _are_rows(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(map(is_dataclass, value))
