"""The spellings of other programs: absent values, times, lists, node lists."""

import re
from collections import Counter
from collections.abc import Mapping

from predictor.domain import UNLIMITED, Limit, NodeShare
from predictor.domain import whole as number
from predictor.hostlists import expanded

_ABSENT = frozenset({"", "-", "(null)", "none", "n/a", "unknown", "null"})
_OF_THE_PARTITION = frozenset({"partition_limit", "notset"})
_WHOLE_DECIMAL = re.compile(r"\.0+$")
_SHARE = re.compile(r"\(([^(),]+),(-?[0-9]+)\)")
_WALL = re.compile(r"(?:([0-9]+)-)?([0-9]+)(?::([0-9]{1,2}))?(?::([0-9]{1,2}))?")
MOST_TASKS = 100_000


def told(texts: Mapping[str, str], *keys: str) -> str:
    """Return the first of these keys' texts that says something; empty: none does."""
    for key in keys:
        text = texts.get(key, "").strip()
        if text.lower() not in _ABSENT:
            return text
    return ""


def whole(texts: Mapping[str, str], *keys: str) -> int | None:
    """Return the number under the first of these keys; None: not told. Raises ValueError."""
    text = told(texts, *keys)
    try:
        return number(_WHOLE_DECIMAL.sub("", text)) if text else None
    except ValueError:
        raise ValueError(f"{keys[0]}: not a whole number: {text[:80]!r}") from None


def names(text: str) -> tuple[str, ...]:
    """Return the names in a list parted by commas or blanks, or in a node list.

    LLview leaves those of reservations folded, `n[1-3]`. Raises ValueError.
    """
    shares = _SHARE.findall(text)
    if shares:
        return tuple(dict.fromkeys(name for name, _ in shares))
    if "[" in text:
        return tuple(name for part in text.split() for name in expanded(part))
    return tuple(part for part in re.split(r"[,\s]+", text) if part)


def shares(text: str) -> tuple[NodeShare, ...]:
    """Return what a job holds, from `(node,cores)(node,cores)…`.

    Some batch systems give a core's index instead, and a node once for each core.
    """
    found = _SHARE.findall(text)
    times = Counter(name for name, _ in found)
    if len(times) < len(found):
        return tuple(NodeShare(node=name, cpus=count) for name, count in times.items())
    return tuple(NodeShare(node=name, cpus=number(cores)) for name, cores in found)


def wall_s(texts: Mapping[str, str]) -> Limit:
    """Return the wall-time limit: seconds, days-hours:minutes:seconds, or UNLIMITED."""
    text = told(texts, "wall")
    if text.upper() == "UNLIMITED":
        return UNLIMITED
    if text.lower() in _OF_THE_PARTITION:
        return None
    if (found := _WALL.fullmatch(text)) and not text.isdigit():
        days, first, second, third = (int(part or 0) for part in found.groups())
        # With two numbers only they are minutes and seconds, unless days stand before them.
        short = found[4] is None and found[1] is None
        hours, minutes, seconds = (0, first, second) if short else (first, second, third)
        return days * 86_400 + hours * 3600 + minutes * 60 + seconds
    return whole(texts, "wall")


def task_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of `3`, `1-5,8` or `0-9:3`. Raises ValueError.

    A list that the batch system cut short (`1,3,...`) gives those it names.
    """
    numbers: list[int] = []
    for part in filter(None, text.partition("...")[0].split(",")):
        span, _, step = part.partition(":")
        first, _, last = span.partition("-")
        found = range(int(first), int(last or first) + 1, int(step or 1))
        if len(numbers) + len(found) > MOST_TASKS:
            raise ValueError(f"an array of more than {MOST_TASKS} tasks")
        numbers.extend(found)
    return tuple(sorted(set(numbers)))
