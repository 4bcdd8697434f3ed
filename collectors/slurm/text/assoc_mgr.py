"""How much of their limits QOS and associations use, out of `scontrol -o show assoc_mgr`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from collectors.slurm.text.records import Record, name_in, needed, some_records
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Limits, Quarantined, Tres, Usage
from predictor.errors import SourceFormatError

_TITLE = "Current Association Manager state"
_USED = re.compile(r"\((\d{1,20}(?:\.\d{1,20})?)\)")
_LIMIT = re.compile(r"\d{1,18}")

Whose = tuple[str, str, str]
"""Account, user, partition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageNow:
    """The counters of all limits, and who may see everything."""

    associations: Mapping[Whose, Usage] = field(default_factory=dict)
    qos: Mapping[str, Usage] = field(default_factory=dict)
    bounds_of_associations: Mapping[Whose, Limits] = field(default_factory=dict)
    """Those of their limits that `sacctmgr` does not show unless asked for by name."""
    bounds_of_qos: Mapping[str, Limits] = field(default_factory=dict)
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
    bounded = {whose: bounds for whose, _, bounds in associations if bounds != Limits()}
    users = some_records(text, "UserName")
    return UsageNow(
        associations={whose: usage for whose, usage, _ in associations},
        qos={name: usage for name, usage, _ in qos},
        bounds_of_associations=bounded,
        bounds_of_qos={name: bounds for name, _, bounds in qos if bounds != Limits()},
        admin_levels={_name(u["UserName"]): u.get("AdminLevel", "") for u in users},
    ), bad + also_bad


def _association(record: Record) -> tuple[Whose, Usage, Limits]:
    whose = (
        needed(record, "Account"),
        _name(name_in(record, "UserName")),
        name_in(record, "Partition"),
    )
    return whose, _usage(record), _bounds(record, "MaxJobsAccrue")


def _qos(record: Record) -> tuple[str, Usage, Limits]:
    name = _name(needed(record, "QOS"))
    return name, _usage(record), _bounds(record, "MaxJobsAccruePU", "MaxJobsAccruePA")


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


def _bounds(record: Record, of_user: str, of_account: str = "") -> Limits:
    """Return the limits on growing old, and on being protected; those of users by what is shown.

    Of a QOS the limits of its users stand with each of them, so that of nobody shows none.
    """
    return Limits(
        min_priority=_cap(record, "MinPrioThresh") or None,
        group_accruing=_cap(record, "GrpJobsAccrue"),
        max_accruing=_cap(record, of_user),
        max_accruing_per_account=_cap(record, of_account),
    )


def _cap(record: Record, key: str) -> int | None:
    """Return 5 of `5(2)`; None if it says N, or nothing."""
    match = _LIMIT.match(record.get(key, ""))
    return int(match[0]) if match else None


def _used(record: Record, key: str) -> float:
    match = _USED.search(record.get(key, ""))
    return float(match[1]) if match else 0.0


def _bundle(record: Record, key: str) -> Tres:
    parts = (part.partition("=") for part in record.get(key, "").split(","))
    found = ((name, _USED.search(counts)) for name, _, counts in parts)
    used = ((name, int(float(match[1]))) for name, match in found if match)
    return tuple(sorted((name, amount) for name, amount in used if amount))
