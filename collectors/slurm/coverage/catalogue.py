"""The catalogue of Slurm's settings: what queuecast makes of each, and why."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files

FILE = "catalogue.toml"
IDLE = frozenset(
    {
        "",
        "(null)",
        "(null type)",
        "n/a",
        "none",
        "unknown",
        "no",
        "off",
        "0",
        "0 sec",
        "0 min",
        "00:00:00",
        "unlimited",
        "infinite",
        "notset",
    }
)
"""Values, in lower case, under which a setting does nothing."""


class Verdict(Enum):
    """What becomes of a setting."""

    REPLICATED = "replicated"
    """It is read, and decides as in Slurm."""
    APPROXIMATED = "approximated"
    """It is read, or seen by its effects, and decides nearly as in Slurm."""
    IGNORED = "ignored"
    """Slurm decides otherwise for it; queuecast does not know."""
    HARMLESS = "harmless"
    """It is ignored, and has no influence on when jobs start."""
    UNKNOWN = "unknown"
    """The catalogue does not have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What the catalogue says of one setting."""

    scope: str
    """`settings`, `partition`, `qos`, …, or the setting whose words these are."""
    name: str
    verdict: Verdict
    why: str
    by: str = ""
    """The module that decides; empty: none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All rulings."""

    rulings: Mapping[str, Mapping[str, Ruling]]
    """By scope, and by name in lower case."""
    idle: Mapping[str, Mapping[str, frozenset[str]]]
    """The same: under which values, beside `IDLE`, a setting does nothing."""

    def __iter__(self) -> Iterator[Ruling]:
        for scope in self.rulings.values():
            yield from scope.values()

    def ruling(self, scope: str, *names: str) -> Ruling:
        """Return what is said of the first of the names that the scope has, however spelled."""
        known = self.rulings.get(scope, {})
        for name in map(str.lower, names):
            if name in known:
                return known[name]
            for pattern, ruling in known.items():
                if "*" in pattern and fnmatchcase(name, pattern):
                    return ruling
        why = "queuecast does not know it"
        return Ruling(scope=scope, name=names[-1], verdict=Verdict.UNKNOWN, why=why)

    def has_words(self, scope: str) -> bool:
        """Return whether the values of the setting are judged word by word."""
        return scope in self.rulings

    def is_idle(self, scope: str, name: str, value: str) -> bool:
        """Return whether the setting does nothing under this value."""
        own = self.idle.get(scope, {}).get(name.lower(), frozenset())
        word = value.strip().lower()
        return word in own or word in IDLE or word.endswith("/none")


@cache
def catalogue() -> Catalogue:
    """Return the catalogue as it is shipped."""
    shipped = files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    return read(tomllib.loads(shipped))


def read(content: Mapping[str, Mapping[str, Mapping[str, object]]]) -> Catalogue:
    """Return the catalogue of a TOML document. Raises ValueError for what is not in its form."""
    return Catalogue(
        rulings={scope: _rulings(scope, parts) for scope, parts in content.items()},
        idle={scope: _idle(parts.get("idle", {})) for scope, parts in content.items()},
    )


def _rulings(scope: str, parts: Mapping[str, Mapping[str, object]]) -> dict[str, Ruling]:
    found: dict[str, Ruling] = {}
    for part, entries in parts.items():
        if part == "idle":
            continue
        for name, said in entries.items():
            if name.lower() in found:
                raise ValueError(f"{scope}: {name} stands twice")
            found[name.lower()] = _ruling(scope, name, Verdict(part), said)
    return found


def _ruling(scope: str, name: str, verdict: Verdict, said: object) -> Ruling:
    match verdict, said:
        case ((Verdict.REPLICATED | Verdict.APPROXIMATED), [str(by), str(why)]):
            return Ruling(scope=scope, name=name, verdict=verdict, why=why, by=by)
        case ((Verdict.IGNORED | Verdict.HARMLESS), str(why)):
            return Ruling(scope=scope, name=name, verdict=verdict, why=why)
    raise ValueError(f"{scope}: {name}: expected a reason, and for what is read a module")


def _idle(entries: Mapping[str, object]) -> dict[str, frozenset[str]]:
    return {
        name.lower(): frozenset(str(value).lower() for value in values)
        for name, values in entries.items()
        if isinstance(values, list)
    }
