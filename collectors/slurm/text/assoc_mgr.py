"""How much of their limits QOS and associations use, out of `scontrol -o show assoc_mgr`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from collectors.slurm.text.records import Record, name_in, needed, some_records
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Quarantined, Tres, Usage
from predictor.errors import SourceFormatError

_TITLE = "Current Association Manager state"
_USED = re.compile(r"\(([\d.]+)\)")

Whose = tuple[str, str, str]
"""Account, user, partition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageNow:
    """The counters of all limits, and who may see everything."""

    associations: Mapping[Whose, Usage] = field(default_factory=dict)
    qos: Mapping[str, Usage] = field(default_factory=dict)
    admin_levels: Mapping[str, str] = field(default_factory=dict)
    """`None`, `Operator` or `Administrator`, by user."""


@lru_cache(maxsize=2)
def parse_usage(text: str) -> tuple[UsageNow, tuple[Quarantined, ...]]:
    """Return what is used at the moment; TRES of which nothing is used are left out.

    Raises SourceFormatError if this is no such answer.
    """
    if not text.startswith(_TITLE):
        raise SourceFormatError(f"assoc_mgr: no {_TITLE!r} in {text[:80]!r}")
    associations, bad = sorted_out(Fact.USAGE, some_records(text, "ClusterName"), _association)
    qos, also_bad = sorted_out(Fact.USAGE, some_records(text, "QOS"), _qos)
    users = some_records(text, "UserName")
    return UsageNow(
        associations=dict(associations),
        qos=dict(qos),
        admin_levels={_name(u["UserName"]): u.get("AdminLevel", "") for u in users},
    ), bad + also_bad


def _association(record: Record) -> tuple[Whose, Usage]:
    whose = (
        needed(record, "Account"),
        _name(name_in(record, "UserName")),
        name_in(record, "Partition"),
    )
    return whose, _usage(record)


def _qos(record: Record) -> tuple[str, Usage]:
    return _name(needed(record, "QOS")), _usage(record)


def _name(word: str) -> str:
    """Return `alice` for `alice(1000)`."""
    return word.partition("(")[0]


def _usage(record: Record) -> Usage:
    return Usage(
        jobs=round(_used(record, "GrpJobs")),
        submitted=round(_used(record, "GrpSubmitJobs")),
        wall_minutes=_used(record, "GrpWall"),
        tres=_bundle(record, "GrpTRES"),
        tres_minutes=_bundle(record, "GrpTRESMins"),
        tres_run_minutes=_bundle(record, "GrpTRESRunMins"),
    )


def _used(record: Record, key: str) -> float:
    match = _USED.search(record.get(key, ""))
    return float(match[1]) if match else 0.0


def _bundle(record: Record, key: str) -> Tres:
    parts = (part.partition("=") for part in record.get(key, "").split(","))
    found = ((name, _USED.search(counts)) for name, _, counts in parts)
    used = ((name, int(float(match[1]))) for name, match in found if match)
    return tuple(sorted((name, amount) for name, amount in used if amount))
