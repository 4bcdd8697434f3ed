"""How Slurm writes amounts, times and bundles; every spelling is decoded here and nowhere else.

`UNLIMITED` is a bound set to infinity, `(null)` and its kin are nothing said, 0 is zero: three
different answers.
"""

import re
from datetime import UTC, datetime

from predictor.domain import UNLIMITED, Limit, Tres, whole, within
from predictor.domain.durations import HOUR_S, MINUTE_S

NOTHING_SAID = frozenset(
    {"", "(null)", "(null type)", "N/A", "n/a", "NONE", "None", "none", "Unknown"}
)
BOUNDLESS = frozenset({"UNLIMITED", "INFINITE", "unlimited", "infinite"})

_DURATION = re.compile(r"(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?(?:\.\d+)?")
_UNIT_S = {"sec": 1, "min": MINUTE_S, "hours": HOUR_S}
_MEMORY = re.compile(r"(\d{1,20}(?:\.\d{1,20})?)([KMGTPE]?)B?[nc]?")
_MEGABYTES = {"K": 1 / 1024, "": 1, "M": 1, "G": 1024, "T": 1024**2, "P": 1024**3, "E": 1024**4}
_COUNT = re.compile(r"(\d{1,20})(?:\.\d{1,20}|([KMG]))?")
_THOUSANDS = {None: 1, "K": 1024, "M": 1024**2, "G": 1024**3}
_PARENTHESES = re.compile(r"\([^()]*\)")
_GRES_PREFIX = re.compile(r"^gres[:/]")
_NO_GRES = frozenset({"cpu", "mem", "node", "billing", "energy", "vmem", "pages"})


def said(word: str) -> str:
    """Return the word, or "" where it stands for nothing."""
    return "" if word in NOTHING_SAID else word


def listed(word: str) -> tuple[str, ...]:
    """Return the members of a comma-separated list; none for `ALL` and where nothing is said."""
    if word == "ALL":
        return ()
    return tuple(part for part in said(word).split(",") if part)


def number(word: str) -> Limit:
    """Return a whole number; None where nothing is said. Raises ValueError."""
    if word in BOUNDLESS:
        return UNLIMITED
    return whole(word) if said(word) else None


def count(word: str) -> int:
    """Return a whole number; 0 where nothing is said or no bound is set. Raises ValueError."""
    decoded = number(word)
    return decoded if isinstance(decoded, int) else 0


def fraction(word: str) -> float | None:
    """Return a decimal number (`inf` included); None where nothing is said."""
    return float(word) if said(word) else None


def seconds(word: str) -> Limit:
    """Return a duration: `1-02:03:04`, `02:03:04`, `03:04`, `2-0`, `30 sec`, `5 min`.

    A bare number counts minutes, as in Slurm's own options. None where nothing is said.
    """
    if word in BOUNDLESS:
        return UNLIMITED
    if not said(word):
        return None
    amount, _, unit = word.partition(" ")
    if unit in _UNIT_S and amount.isdigit():
        return within(int(amount) * _UNIT_S[unit])
    match = _DURATION.fullmatch(word)
    if match is None:
        raise ValueError(f"not a duration: {word!r}")
    return within(_clock(*match.groups()))


def _clock(days: str | None, first: str, second: str | None, third: str | None) -> int:
    if days is not None:
        return ((int(days) * 24 + int(first)) * 60 + int(second or 0)) * 60 + int(third or 0)
    if third is not None:
        return (int(first) * 60 + int(second or 0)) * 60 + int(third)
    return int(first) * 60 + int(second or 0)


def whole_seconds(word: str, default: int = 0) -> int:
    """Return a duration that must have an end; `default` where nothing is said."""
    decoded = seconds(word)
    return decoded if isinstance(decoded, int) else default


def minutes(word: str) -> Limit:
    """Return, in seconds, a bare number of minutes or a duration; None where nothing is said."""
    return seconds(word.removesuffix(" min"))


def megabytes(word: str) -> int | None:
    """Return memory in MB: `62.50G`, `500Mc`, `0n`, `4000`. None where nothing is bounded."""
    if word in BOUNDLESS or not said(word):
        return None
    match = _MEMORY.fullmatch(word)
    if match is None:
        raise ValueError(f"not an amount of memory: {word!r}")
    return within(round(float(match[1]) * _MEGABYTES[match[2]]))


def tres(word: str) -> Tres:
    """Return `cpu=4,mem=62.50G,gres/gpu:a100=2`; memory in MB, amounts not set left out.

    An amount of `N` is one that is not set.
    """
    bundle = {}
    for part in listed(word):
        name, equals, amount = part.partition("=")
        if not equals:
            raise ValueError(f"not a bundle of resources: {word!r}")
        if amount != "N" and said(amount):
            bundle[name.lower()] = _amount(name.lower(), amount)
    return tuple(sorted(bundle.items()))


def _amount(name: str, word: str) -> int:
    if name in {"mem", "vmem"}:
        return megabytes(word) or 0
    match = _COUNT.fullmatch(word)
    if match is None:
        raise ValueError(f"not an amount: {word!r}")
    return within(int(match[1]) * _THOUSANDS[match[2]])


def weights(word: str) -> tuple[tuple[str, float], ...]:
    """Return `CPU=1.0,Mem=0.25G` by name; a weight of memory is per MB."""
    named = {}
    for part in listed(word):
        name, _, weight = part.partition("=")
        suffix = weight[-1:].upper()
        scale = _MEGABYTES[suffix] if suffix.isalpha() and suffix in _MEGABYTES else 1
        named[name.lower()] = float(weight.rstrip("KMGTPEkmgtpe")) / scale
    return tuple(sorted(named.items()))


def gres(word: str) -> Tres:
    """Return generic resources: `gpu:tesla:2(S:0-1)`, `gres:gpu:2`, `gres/gpu:a100`, `gpu=1`.

    Named as `gpu` or `gpu:tesla`; without a number one is meant. Equal names add up. TRES of other
    types, such as `license/matlab`, are no generic resources and left out. Raises ValueError for a
    number that is none.
    """
    bundle: dict[str, int] = {}
    for part in listed(_PARENTHESES.sub("", word)):
        name, amount = _gres_item(_GRES_PREFIX.sub("", part).replace("=", ":"))
        if name not in _NO_GRES and "/" not in name:
            bundle[name] = bundle.get(name, 0) + amount
    return tuple(sorted(bundle.items()))


def _gres_item(text: str) -> tuple[str, int]:
    head, _, tail = text.rpartition(":")
    match = _COUNT.fullmatch(tail)
    if head and match:
        return head, within(int(match[1]) * _THOUSANDS[match[2]])
    return text, 1


def licenses(word: str) -> Tres:
    """Return `matlab:2,fluent`; without a number one is meant.

    Of alternatives (`a|b`) the first is kept: Slurm tries them in this order.
    """
    bundle = {}
    for part in re.split("[,;&]", said(word).partition("|")[0]):
        name, amount = _license(part)
        if name:
            bundle[name] = amount
    return tuple(sorted(bundle.items()))


def other_licenses(word: str) -> Tres:
    """Return the alternatives behind the first, of which any does: `a|b:2|c`."""
    return tuple(map(_license, said(word).split("|")[1:]))


def _license(part: str) -> tuple[str, int]:
    name, _, amount = part.replace("=", ":").partition(":")
    return name, whole(amount or "1")


def instant(word: str, offset_s: int = 0) -> int | None:
    """Return UTC epoch seconds of `2026-11-21T02:17:32`; None where nothing is said.

    `offset_s` is how far the clock that wrote it was ahead of UTC; epoch seconds are in UTC.
    """
    if not said(word):
        return None
    if word.isdecimal():
        return whole(word) or None
    return round(datetime.fromisoformat(word).replace(tzinfo=UTC).timestamp()) - offset_s


def written(at: int) -> str:
    """Return an instant in UTC as Slurm writes it: `2026-11-21T02:17:32`. Raises ValueError."""
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except (OverflowError, OSError) as error:
        raise ValueError(f"not an instant: {at}") from error


def cpus_of_core(cpus: int, cores: int, threads: int) -> int:
    """Return how many of a node's CPUs are a core: its threads, unless its CPUs are its cores.

    `cores` are all of the node's; 0: not told. Source: Slurm 22.05, node_conf.c, and a real one.
    """
    return 1 if 0 < cpus <= cores else max(1, threads)


def yes(word: str) -> bool:
    """Return whether the word says yes, as Slurm spells it: `YES`, `Yes`, `yes`, `1`."""
    return word.lower() in {"yes", "1", "true"}
