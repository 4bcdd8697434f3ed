"""Both sides of a comparison, and in plain words what is different between them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from predictor.domain import Reservation, Snapshot
from predictor.domain.instants import rfc3339
from predictor.errors import SiteError
from predictor.hostlists import folded
from predictor.site import default
from verification.changes.change import Change, ranks_otherwise
from verification.changes.files import Configured, read_files, site_words
from verification.changes.wishes import added, removed, reservation


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is proposed, as given on the command line."""

    base: tuple[Path, ...] = ()
    """None: as recorded."""
    new: tuple[Path, ...] = ()
    reservations: tuple[str, ...] = ()
    add_nodes: tuple[str, ...] = ()
    remove_nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What is compared with what."""

    base: Change
    new: Change
    words: tuple[str, ...]
    """What changes, a line each; empty: nothing does."""
    without_effect: tuple[str, ...]
    """What changes, but not on paper: the setting and why."""


def proposal(wishes: Wishes, snapshot: Snapshot) -> Proposal:
    """Return what is wished for, read against the first snapshot of a recording.

    Raises SiteError, a line for all that is wrong, and SourceError.
    """
    base, new = both_sides(wishes)
    extra = _extra(wishes, snapshot)
    one = Change(amendments=base.amendments, site=base.site or default())
    site = new.site or base.site or default()
    # A new file is laid over the base: what it does not name stays as that has it.
    other = replace(extra, amendments=(*base.amendments, *new.amendments), site=site)
    before, after = one.over(snapshot), other.over(snapshot)
    anew = ranks_otherwise(before, after)
    told = dict(_compared(base, new, snapshot))
    unheeded = {**base.without_effect, **new.without_effect}
    return Proposal(
        base=replace(one, ranks_anew=anew),
        new=replace(other, ranks_anew=anew),
        words=(
            *(words for name, words in told.items() if name not in unheeded),
            *_extra_words(extra),
        ),
        without_effect=(
            *(f"{words}: {unheeded[name]}" for name, words in told.items() if name in unheeded),
            *_unenforced(before, after),
        ),
    )


def both_sides(wishes: Wishes) -> tuple[Configured, Configured]:
    """Return what the files of both sides say. Raises SiteError, SourceError, as `proposal`."""
    base, new = read_files(wishes.base), read_files(wishes.new)
    if faults := dict.fromkeys((*base.faults, *new.faults)):
        raise SiteError("\n".join(faults))
    return base, new


def _unenforced(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Yield that limits which change bind nobody, if it is so."""
    if not after.settings.limits_enforced and _limits(before) != _limits(after):
        yield "what changes of limits: the cluster does not enforce any"


def _limits(snapshot: Snapshot) -> tuple[object, ...]:
    whose = {(one.account, one.user, one.partition): one.limits for one in snapshot.associations}
    return {one.name: one.limits for one in snapshot.qos}, whose


def _extra(wishes: Wishes, snapshot: Snapshot) -> Change:
    try:
        nodes: dict[str, str] = {}
        for text in wishes.add_nodes:
            nodes |= added(text, snapshot)
        gone = frozenset(name for text in wishes.remove_nodes for name in removed(text, snapshot))
        apart = tuple(
            reservation(text, number, snapshot)
            for number, text in enumerate(wishes.reservations, start=1)
        )
    except ValueError as error:
        raise SiteError(str(error)) from None
    return Change(reservations=apart, added=nodes, removed=gone)


def _compared(base: Configured, new: Configured, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield what differs, by name, in words."""
    recorded: dict[str, str] = {}
    for amendment in (*base.amendments, *new.amendments):
        recorded |= amendment.told(snapshot)
    before = {**recorded, **base.said}
    for name, value in new.said.items():
        if before.get(name) != value:
            yield name, f"{name} {_shown(before.get(name))} -> {_shown(value)}"
    lacking = [name for name in before if before[name] and name not in new.said]
    for start in (start for one in new.amendments for start in one.replaces):
        for name in lacking:
            if name.startswith(start):
                yield name, f"{name} {before[name]} -> (not set)"
    if new.site is not None:
        yield from _compared_sites(base, new)


def _compared_sites(base: Configured, new: Configured) -> Iterator[tuple[str, str]]:
    was, now = site_words(base.site), site_words(new.site)
    for name in dict.fromkeys((*was, *now)):
        if was.get(name) != now.get(name):
            yield name, f"{name} {_shown(was.get(name))} -> {_shown(now.get(name))}"


def _shown(value: str | None) -> str:
    if value is None:
        return "(not told)"
    return value or "(not set)"


def _extra_words(extra: Change) -> Iterator[str]:
    for one in extra.reservations:
        yield _reserved(one)
    likes: Mapping[str, str] = extra.added or {}
    for like in dict.fromkeys(likes.values()):
        names = [name for name, other in likes.items() if other == like]
        yield f"{len(names)} nodes more, like {like}: {folded(names)}"
    if extra.removed:
        yield f"{len(extra.removed)} nodes less: {folded(sorted(extra.removed))}"


def _reserved(one: Reservation) -> str:
    names: Sequence[str] = one.node_names
    return (
        f"maintenance of {len(names)} nodes ({folded(names)})"
        f" from {rfc3339(one.start_at)} until {rfc3339(one.end_at)}"
    )
