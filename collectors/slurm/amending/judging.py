"""Settings as they were found somewhere: their names in full, and which of them nobody heeds."""

from collections.abc import Iterable, Iterator, Mapping

from collectors.slurm.coverage.catalogue import Verdict, catalogue
from collectors.slurm.coverage.findings import Said, judged

WORDS = "SchedulerParameters"
"""A setting of many words, each of which is a setting of its own to people."""
SCOPES: Mapping[str, str] = {"settings": "", "qos": "QOS "}
"""How a scope is put before what it belongs to; of the others that is their own name."""
UNHEEDED = frozenset({Verdict.IGNORED, Verdict.HARMLESS})
IDENTITY = frozenset({"name", "cluster", "account", "user"})
"""Columns that tell whose the others are."""


def named(said: Iterable[Said]) -> Iterator[tuple[str, str]]:
    """Yield what is said by its name in full."""
    for one in said:
        if one.key.lower() in IDENTITY and one.scope in ("qos", "association"):
            continue
        if one.scope == "settings" and one.key.lower() == WORDS.lower():
            for word in filter(None, one.value.split(",")):
                option, _, value = word.strip().partition("=")
                yield f"{WORDS} {option}", value or "yes"
        else:
            yield name_of(one), one.value


def name_of(one: Said) -> str:
    """Return the name in full: `partition batch MaxTime`."""
    scope = SCOPES.get(one.scope, f"{one.scope} ")
    return f"{scope}{one.of} {one.key}".strip() if one.scope != "settings" else one.key


def unknown(said: Iterable[Said]) -> Iterator[str]:
    """Yield what is wrong with settings that nobody knows, with their places."""
    for one in said:
        for finding in judged([one], catalogue()):
            if finding.ruling.verdict is Verdict.UNKNOWN and _is_setting(one):
                where = f"{one.place}: " if one.place else ""
                yield f"{where}{one.of + ' ' if one.of else ''}{finding.name}: not known"


def unheeded(said: Iterable[Said]) -> Iterator[tuple[str, str]]:
    """Yield which settings change nothing on paper, and why, by their names in full."""
    for one in said:
        for finding in judged([one], catalogue()):
            if finding.ruling.verdict not in UNHEEDED:
                continue
            words = finding.name.startswith(f"{WORDS}: ")
            yield finding.name.replace(": ", " ", 1) if words else name_of(one), finding.ruling.why


def _is_setting(one: Said) -> bool:
    return one.key.lower() not in IDENTITY
