"""Licenses, out of `scontrol -o show licenses`."""

from collectors.slurm.text.records import Record, needed, records
from collectors.slurm.words import units
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, License, Quarantined


def parse_licenses(text: str) -> tuple[tuple[License, ...], tuple[Quarantined, ...]]:
    """Return the pools of licenses."""
    return sorted_out(Fact.LICENSES, records(text, "LicenseName"), license_of)


def license_of(record: Record) -> License:
    """Return the pool of licenses that such a record tells of. Raises ValueError."""
    return License(
        name=needed(record, "LicenseName"),
        total=units.count(needed(record, "Total")),
        used=units.count(record.get("Used", "")),
        reserved=units.count(record.get("Reserved", "")),
        remote=units.yes(record.get("Remote", "")),
    )
