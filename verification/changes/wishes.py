"""A maintenance reservation and other nodes, as they are asked for on the command line."""

import re
from collections.abc import Mapping

from predictor.domain import Reservation, ReservationFlag, Snapshot
from predictor.domain.durations import LETTER_S
from predictor.domain.instants import instant_of
from predictor.hostlists import expanded

_PIECES = re.compile(r"(start|duration|nodes)=")
_LENGTH = re.compile(r"(\d{1,9})([smhd])")
NAME = "proposed maintenance"


def reservation(text: str, number: int, snapshot: Snapshot) -> Reservation:
    """Return `start=2026-03-02T18:00Z,duration=2h,nodes=n[1-64]` as a reservation.

    `start` may count from the recording's begin (`+13h`); nodes may be `ALL`. Raises ValueError.
    """
    parts = _PIECES.split(text.strip())
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    told = {key: value.strip().rstrip(",") for key, value in pairs}
    if parts[0].strip() or told.keys() != {"start", "duration", "nodes"}:
        raise ValueError(
            f"expected start=2026-03-02T18:00:00Z,duration=2h,nodes=n[1-64], not {text!r}"
        )
    start_at = _start(told["start"], snapshot.taken_at)
    return Reservation(
        name=f"{NAME} {number}",
        start_at=start_at,
        end_at=start_at + _length_s(told["duration"]),
        node_names=_known(told["nodes"], snapshot),
        flags=frozenset({ReservationFlag.MAINTENANCE, ReservationFlag.IGNORE_JOBS}),
    )


def added(text: str, snapshot: Snapshot) -> Mapping[str, str]:
    """Return the nodes of `n[129-160] like n1`, each with the one that it is like.

    Raises ValueError.
    """
    words = text.split()
    if len(words) != 3 or words[1] != "like":
        raise ValueError(f"expected nodes and one they are like, n[129-160] like n1, not {text!r}")
    [like, *more] = _known(words[2], snapshot)
    if more:
        raise ValueError(f"{words[2]}: expected one node that the new ones are like")
    there = {node.name for node in snapshot.nodes}
    names = expanded(words[0])
    if taken := [name for name in names if name in there]:
        raise ValueError(f"{taken[0]}: there is such a node already")
    return dict.fromkeys(names, like)


def removed(text: str, snapshot: Snapshot) -> frozenset[str]:
    """Return the nodes of a list. Raises ValueError for one that is not there."""
    return frozenset(_known(text, snapshot))


def _known(hostlist: str, snapshot: Snapshot) -> tuple[str, ...]:
    there = [node.name for node in snapshot.nodes]
    if hostlist.upper() == "ALL":
        return tuple(there)
    names = expanded(hostlist)
    if unknown := [name for name in names if name not in set(there)]:
        raise ValueError(f"{unknown[0]}: there is no such node in the recording")
    return names


def _start(text: str, begin_at: int) -> int:
    try:
        return begin_at + _length_s(text[1:]) if text.startswith("+") else instant_of(text)
    except ValueError:
        what = "an instant such as 2026-03-02T18:00:00Z, or +13h from the recording's begin"
        raise ValueError(f"start: expected {what}, not {text!r}") from None


def _length_s(text: str) -> int:
    found = _LENGTH.fullmatch(text)
    if found is None or not int(found[1]):
        raise ValueError(f"expected a duration such as 90m or 2h, not {text!r}")
    return int(found[1]) * LETTER_S[found[2]]
