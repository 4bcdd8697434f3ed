"""How much of their limits QOS and associations use, out of `scontrol -o show assoc_mgr`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from collectors.slurm.text.records import Record, needed, records
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Quarantined, Tres, Usage

_USED = re.compile(r"\(([\d.]+)\)")
_BUNDLE_USED = re.compile(r"([\w/:.-]+)=[^,(]*\(([\d.]+)\)")

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
    """Return what is used at the moment; TRES of which nothing is used are left out."""
    associations, bad = sorted_out(Fact.USAGE, records(text, "ClusterName"), _association)
    qos, also_bad = sorted_out(Fact.USAGE, records(text, "QOS"), _qos)
    users = records(text, "UserName")
    return UsageNow(
        associations=dict(associations),
        qos=dict(qos),
        admin_levels={_name(u["UserName"]): u.get("AdminLevel", "") for u in users},
    ), bad + also_bad


def _association(record: Record) -> tuple[Whose, Usage]:
    whose = (
        needed(record, "Account"),
        _name(record.get("UserName", "")),
        record.get("Partition", ""),
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
    used = ((name, int(float(n))) for name, n in _BUNDLE_USED.findall(record.get(key, "")))
    return tuple(sorted((name, amount) for name, amount in used if amount))
