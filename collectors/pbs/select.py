"""Select and place statements: what a job asks for, chunk by chunk, and how chunks are laid out."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

MOST_CHUNKS = 1_000_000
MOST_KINDS = 256

# A value in quotes may hold any of the signs that part chunks and resources.
_PIECE = r"""(?:"[^"]*"|'[^']*'|[^+:"'])+"""
_CHUNK = re.compile(rf"{_PIECE}(?::{_PIECE})*")
_RESOURCE = re.compile(_PIECE)
_GROUP = re.compile(r"\(([^()]*)\)")

Wants = tuple[tuple[str, str], ...]
"""Resources by name in lower case, with the values as written, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunks:
    """So many equal chunks; each is taken from one host."""

    count: int
    wants: Wants


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """How chunks are laid out on hosts."""

    arrangement: str = "free"
    """`free`, `pack`, `scatter` or `vscatter`."""
    sharing: str = ""
    """`excl`, `exclhost` or `shared`; empty: as the hosts have it."""


def chunks(select: str, defaults: Mapping[str, str]) -> tuple[Chunks, ...]:
    """Return the chunks of `2:ncpus=16:mem=4gb+1:ngpus=1`, with what each lacks from `defaults`.

    Equal ones that stand one after the other are taken together. Raises ValueError.
    """
    found: list[Chunks] = []
    for text in _parted(select):
        count, wants = _chunk(text, defaults)
        if found and found[-1].wants == wants:
            count += found.pop().count
        found.append(Chunks(count=count, wants=wants))
    if not found or len(found) > MOST_KINDS or sum(c.count for c in found) > MOST_CHUNKS:
        raise ValueError(f"not a select statement we can plan: {select[:80]!r}")
    return tuple(found)


def _parted(select: str) -> Iterator[str]:
    at = 0
    while at < len(select):
        found = _CHUNK.match(select, at)
        if found is None or select[found.end() : found.end() + 1] not in ("", "+"):
            raise ValueError(f"not a select statement: {select[:80]!r}")
        yield found[0]
        at = found.end() + 1


def _chunk(text: str, defaults: Mapping[str, str]) -> tuple[int, Wants]:
    first, *rest = _RESOURCE.findall(text)
    number = first.strip()
    count = int(number) if number.isdecimal() and len(number) < 10 else 1
    given = rest if number.isdecimal() else [first, *rest]
    wants = {name.lower(): value for name, value in defaults.items()}
    wants |= dict(_want(part) for part in given)
    if count < 1:
        raise ValueError(f"a select statement of {count} chunks")
    return count, tuple(sorted(wants.items()))


def _want(part: str) -> tuple[str, str]:
    name, equals, value = part.strip().partition("=")
    if not equals or not name:
        raise ValueError(f"not a resource of a chunk: {part[:40]!r}")
    return name.strip().lower(), value.strip().strip("\"'")


def place(text: str) -> Place:
    """Return `scatter:excl` read; other words (`group=rack`) count for nothing."""
    words = text.lower().split(":")
    arrangements = [word for word in words if word in ("free", "pack", "scatter", "vscatter")]
    sharings = [word for word in words if word in ("excl", "exclhost", "shared")]
    return Place(
        arrangement=(arrangements or ["free"])[0],
        sharing=(sharings or [""])[0],
    )


def vnode_chunks(exec_vnode: str) -> tuple[tuple[tuple[str, dict[str, str]], ...], ...]:
    """Return the chunks of `(n1:ncpus=2)+(n2[0]:ncpus=1+n2[1]:ncpus=1)` with their vnodes.

    Raises ValueError.
    """
    return tuple(tuple(map(_held, inner.split("+"))) for inner in _GROUP.findall(exec_vnode))


def _held(text: str) -> tuple[str, dict[str, str]]:
    name, *rest = _RESOURCE.findall(text)
    return name.strip(), dict(map(_want, rest))
