"""From what is configured to findings: one for each setting, however many have it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from collectors.slurm.coverage.catalogue import Catalogue, Ruling, Verdict

MOST_INSTANCES = 20
"""Kept of each setting; the others are counted."""
LONGEST_VALUE = 200
SECRET = re.compile(r"(?i)pass|secret|token|cookie")
"""Settings whose values may be secrets, by parts of their names."""
UNTOLD = "(not told)"
OWN_WORDS = {("qos", "flags"): "qos.Flags"}
"""Settings whose words go by another name than their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A setting as it was found somewhere."""

    scope: str
    key: str
    value: str
    of: str = ""
    """The partition, node list, QOS or account that has it; empty: the cluster."""
    place: str = ""
    """File and line; empty: a controller told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One value of a setting, and whose it is."""

    of: str
    value: str
    place: str


@dataclass(slots=True, kw_only=True)
class Finding:
    """What becomes of one setting."""

    scope: str
    """As people call it: empty for the cluster's own settings."""
    name: str
    ruling: Ruling
    in_use: bool = False
    """Whether it does anything under one of its values."""
    count: int = 0
    instances: list[Instance] = field(default_factory=list)

    @property
    def matters(self) -> bool:
        """Whether forecasts may be wrong for it."""
        lost = self.ruling.verdict in (Verdict.IGNORED, Verdict.UNKNOWN)
        return lost and self.in_use

    @property
    def title(self) -> str:
        """Return scope and name."""
        return f"{self.scope} {self.name}".strip()


def judged(said: Iterable[Said], known: Catalogue) -> tuple[Finding, ...]:
    """Return the findings, in the order in which the settings were first found."""
    found: dict[tuple[str, str, str, bool | None], Finding] = {}
    for one in said:
        for name, value, ruling, in_use in _rulings(one, known):
            scope = "" if one.scope == "settings" else one.scope
            # What is lost where it is used is told apart from what is not used.
            key = (scope, name, ruling.name, in_use if ruling.verdict in _WHOLE else None)
            finding = found.setdefault(key, Finding(scope=scope, name=name, ruling=ruling))
            finding.in_use |= in_use
            finding.count += 1
            if len(finding.instances) < MOST_INSTANCES:
                kept = discreet(name, value)
                finding.instances.append(Instance(of=one.of[:80], value=kept, place=one.place))
    return tuple(found.values())


def discreet(name: str, value: str) -> str:
    """Return the value of a setting as it may be told: no secret, and no longer than is read."""
    return UNTOLD if SECRET.search(name) else value[:LONGEST_VALUE]


def _rulings(one: Said, known: Catalogue) -> Iterator[tuple[str, str, Ruling, bool]]:
    """Yield name, value, ruling and whether it is in use; of a list of words, for each word."""
    ruling = known.ruling(one.scope, one.key)
    name = one.key if ruling.verdict is Verdict.UNKNOWN else _shown(ruling, one.key)
    words = OWN_WORDS.get((one.scope, name.lower()), name)
    whole = ruling.verdict in _WHOLE or not known.has_words(words)
    if whole or not one.value.strip() or known.is_idle(one.scope, name, one.value):
        in_use = not known.is_idle(one.scope, name, one.value)
        yield name, one.value, ruling, in_use
        return
    for word in filter(None, one.value.split(",")):
        yield _word(words, name, word.strip(), known)


def _word(words: str, name: str, word: str, known: Catalogue) -> tuple[str, str, Ruling, bool]:
    bare = word.rpartition("/")[2] if word.lower().startswith(_PLUGINS) else word
    option, equals, value = bare.partition("=")
    option = option if equals else option.partition(":")[0]
    ruling = known.ruling(words, bare, option)
    in_use = not (equals and known.is_idle(words, option, value))
    return f"{name}: {_shown(ruling, option)}", value if equals else bare, ruling, in_use


_WHOLE = (Verdict.IGNORED, Verdict.UNKNOWN)
"""What is ruled so is not looked at word by word."""
_PLUGINS = ("priority/", "sched/", "select/", "preempt/", "topology/")


def _shown(ruling: Ruling, said: str) -> str:
    return said if "*" in ruling.name else ruling.name.partition("=")[0]
