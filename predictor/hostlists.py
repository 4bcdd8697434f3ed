"""Lists of hosts in bracket form, `n[001-128],gpu1`: unfolded and folded."""

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from itertools import groupby

from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet

MOST_HOSTS = 200_000
"""More than this in one list is a mistake or an attack, not a cluster."""

# ClusterShell would also take set operators, and groups, which run commands.
_PLAIN = re.compile(r"[\w.,\[\]-]+")
_SINGLE = re.compile(r"[\w.-]+")
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_BRACKETS_OR_COMMA = re.compile(r"\[[^\[\]]*\]|,")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
# Whatever is no plain hostname could be taken for a range of millions.
_HOSTNAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,254}")
_NUMBERED = re.compile(r"([A-Za-z]|[A-Za-z][A-Za-z_-]{0,60}[A-Za-z_])([0-9]{1,9})")


@lru_cache(maxsize=8192)
def expanded(hostlist: str) -> tuple[str, ...]:
    """Return the names in `n[001-016],x1`, each once, numbers in numeric order.

    Raises ValueError, quoting the piece, for what is no list of names, names nobody or names
    more than `MOST_HOSTS`.
    """
    if not _PLAIN.fullmatch(hostlist):
        raise _refusal(hostlist, "only letters, digits and _ . , [ ] - make a list of hosts")
    if _SINGLE.fullmatch(hostlist):
        return (hostlist,)
    # Counted before ClusterShell sees it: it would build the whole set first.
    if size(hostlist) > MOST_HOSTS:
        raise _refusal(hostlist, f"more than {MOST_HOSTS} hosts in one list")
    try:
        return tuple(NodeSet(hostlist, resolver=RESOLVER_NOGROUP))
    except Exception as error:  # ClusterShell's errors share no base that we could name
        raise _refusal(hostlist, str(error)[:120]) from error


def folded(names: Iterable[str]) -> str:
    """Return the names as a list, as short as can be; never raises.

    Names that cannot be told from ranges, or make no list, are only joined by commas.
    """
    given = tuple(names)
    if alike := _alike(given):
        return alike
    if all(map(_HOSTNAME.fullmatch, given)):
        # ClusterShell refuses what looks harmless, such as numbers of many digits.
        with suppress(Exception):
            return str(NodeSet.fromlist(given, resolver=RESOLVER_NOGROUP))
    return ",".join(given)


def _alike(names: tuple[str, ...]) -> str:
    """Return the list of names that differ in a number of equally many digits; else nothing.

    Most are: with ClusterShell alone, folding would be most of what a publication costs.
    """
    found = [match.groups() for match in map(_NUMBERED.fullmatch, names) if match]
    if len(found) != len(names) or len({(word, len(digits)) for word, digits in found}) != 1:
        return ""
    [(word, digits), *_] = found
    numbers = sorted({int(digits) for _, digits in found})
    # Within a run of consecutive numbers, each is as far from its place as the others.
    runs = [list(run) for _, run in groupby(enumerate(numbers), lambda at: at[1] - at[0])]
    ends = [(run[0][1], run[-1][1]) for run in runs]
    width = len(digits)
    ranges = (
        f"{low:0{width}}" if low == high else f"{low:0{width}}-{high:0{width}}"
        for low, high in ends
    )
    return names[0] if len(numbers) == 1 else f"{word}[{','.join(ranges)}]"


def size(hostlist: str) -> int:
    """Return how many names a list would have, those said twice counted twice; makes none.

    Raises ValueError for brackets around anything but ranges, or within brackets.
    """
    if not set("[]").isdisjoint(_BRACKETS.sub("", hostlist)):
        raise _refusal(hostlist, "brackets that do not match")
    total, size = 0, 1
    for part in _BRACKETS_OR_COMMA.findall(hostlist):
        if part == ",":
            total, size = total + size, 1
        else:
            size *= _width(part)
    return total + size


def _width(brackets: str) -> int:
    ranges = [_RANGE.fullmatch(text) for text in brackets[1:-1].split(",")]
    if not all(ranges):
        raise _refusal(brackets, "not ranges of numbers")
    ends = (match.groups() for match in ranges if match)
    widths = [int(last or first) - int(first) + 1 for first, last in ends]
    # They must not make up for huge ones, neither added nor multiplied.
    if min(widths) < 1:
        raise _refusal(brackets, "a range that goes backwards")
    return sum(widths)


def _refusal(piece: str, cause: str) -> ValueError:
    return ValueError(f"{piece[:80]!r}: {cause}")
